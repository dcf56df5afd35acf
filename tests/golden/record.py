"""Campaigns in; what the code makes of each phase out, whole or as fingerprints.

Of a phase are kept: the findings of `check` before it (``check.jsonl``), every table that it changed as CSV, and
the reports after it: each faction's, the gazette and the referee's, as text and JSON, in Italian and English by turns.
They tell of this phase alone; among robots they are made after every third phase and tell of those three.
What may change freely is left out: the columns `rule` and `touched` of events, and citations in reports.

    python -m tests.golden.record                       compare with the fingerprints that are kept
    python -m tests.golden.record --write [NAME ...]    keep today's fingerprints
    python -m tests.golden.record --full DIR [NAME ...] write everything, to be compared file by file
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.campaign.records import OWNERLESS, Event, Faction, Question
from assistant.campaign.table import Table
from assistant.desk.intake.judging import check_ahead
from assistant.reporting.build import build_page
from assistant.reporting.pages import ReportPage
from assistant.reporting.public import build_gazette, build_referee
from assistant.reporting.render import render_json, render_text
from assistant.turn.findings import Finding
from assistant.turn.ruleset import Ruleset, load
from assistant.turn.superseded import in_force
from assistant.wording import Wording
from assistant.workbook.read.csvfolder import table_csv
from tests.golden.campaigns import CAMPAIGNS

DIGESTS = Path(__file__).with_name("digests")
FREE = ("rule", "touched")
"""Columns of events whose values may change."""
DIGITS = 16
ROBOTS_STEP = 3
LANGUAGES = ("it", "en")
GAZETTE, REFEREE = "gazette", "referee"
Artefacts = dict[str, str]


# --- what is left out -------------------------------------------------------------------------------------
def without_citations(campaign: Campaign) -> Campaign:
    """The campaign with events that cite no rule and touch nothing; it shares all other tables."""
    new = Campaign([])
    for table in campaign.tables().values():
        new.put(table)
    events = [(key, row.copy()) for key, row in campaign.table(Event).in_file_order()]
    for _, event in events:
        event.rule = event.touched = ""
    new.put(Table.of(campaign.table(Event).record, events))
    questions = [(key, row.copy()) for key, row in campaign.table(Question).in_file_order()]
    for _, question in questions:
        if question.so_far:
            question.so_far = {"events": [{name: value for name, value in event.items() if name not in FREE}
                                          for event in question.so_far.get("events", [])]}
    new.put(Table.of(campaign.table(Question).record, questions))
    return new


def without_free_columns(text: str) -> str:
    """The CSV of events without the columns that may change."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    kept = [number for number, heading in enumerate(rows[0]) if heading not in FREE]
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([row[number] for number in kept] for row in rows)
    return out.getvalue()


# --- what is kept of a phase ------------------------------------------------------------------------------
def tables(campaign: Campaign) -> Artefacts:
    """Every table as CSV, by the name of its file, but for what lies below the map."""
    shown = without_citations(campaign)
    found = {f"{table.record.file}.csv": table_csv(shown, table.record) for table in shown.tables().values()
             if not table.record.quiet}
    return found | {"events.csv": without_free_columns(found["events.csv"])}


def checked(ruleset: Ruleset, campaign: Campaign) -> str:
    """The findings of `check`, each once, one a line, in the order of the sheets' rows."""
    found = {_as_json(finding): finding
             for finding in (*ruleset.check_orders(in_force(campaign)), *check_ahead(ruleset, campaign))}
    lines = sorted(found, key=lambda line: (found[line].where.table, natural(found[line].where.row), line))
    return "".join(f"{line}\n" for line in lines)


def _as_json(finding: Finding) -> str:
    return json.dumps([finding.where.table, finding.where.row, finding.where.field, finding.code, finding.severity,
                       finding.faction, dict(finding.data)], ensure_ascii=False, sort_keys=True, default=str)


class Reports:
    """The reports of a campaign; it remembers what each reader knew when the last ones were made."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._of: Campaign | None = None
        self._known: dict[str, Campaign] = {}

    def known(self, campaign: Campaign) -> dict[str, Campaign]:
        """What each reader may know of a campaign: factions by code, the gazette, the referee."""
        if self._of is not campaign:
            shown = in_force(without_citations(campaign))
            factions = [f.faction for f in shown.table(Faction) if f.role not in OWNERLESS]
            self._of = campaign
            self._known = {**{code: self._ruleset.view(shown, code) for code in factions},
                           GAZETTE: self._ruleset.view(shown, ""), REFEREE: shown}
        return self._known

    def between(self, then: Campaign, now: Campaign, number: int) -> Artefacts:
        """Every report of what happened since `then`, by the name of its file; `number` decides on the languages."""
        before, found = self.known(then), Artefacts()
        for place, (reader, view) in enumerate(self.known(now).items(), number):
            lang = LANGUAGES[place % 2]
            page = self._page(reader, view, before.get(reader), lang)
            found[f"report.{reader}.{lang}.json"] = render_json(page)
            found[f"report.{reader}.{lang}.txt"] = render_text(page)
        return found

    def _page(self, reader: str, view: Campaign, before: Campaign | None, lang: str) -> ReportPage:
        words = Wording(self._ruleset, lang)
        if reader == GAZETTE:
            return build_gazette(self._ruleset, view, words, previous=before)
        if reader == REFEREE:
            return build_referee(self._ruleset, view, words, previous=before)
        return build_page(self._ruleset, view, reader, words, previous=before)


def recorded(name: str, sparse: int = 1) -> Iterator[tuple[str, Artefacts]]:
    """Phase by phase what the code makes of a campaign: ``turn.phase`` -> artefacts by name of file.

    A table that the phase left as it was is not among them. The first is what there is before any phase.
    `sparse`: of so many sets of reports only one is made.
    """
    ruleset, step = load(name.split("-", maxsplit=1)[0]), ROBOTS_STEP if "-robots-" in name else 1
    reports, was, told = Reports(ruleset), Artefacts(), None
    for number, (before, outcome) in enumerate(CAMPAIGNS[name]()):
        if told is None:
            was, told = tables(before), before
            yield "start", was
        now = tables(outcome.campaign)
        found = {"check.jsonl": checked(ruleset, before)}
        found |= {file: text for file, text in now.items() if text != was[file]}
        if number % step == 0:
            if number // step % sparse == 0:
                found |= reports.between(told, outcome.campaign, number // step)
            told = outcome.campaign
        yield f"{outcome.turn}.{outcome.phase}", found
        was = now


# --- fingerprints -----------------------------------------------------------------------------------------
def digests(name: str, sparse: int = 1) -> str:
    """The fingerprints of a campaign: a line a phase, and under it one an artefact."""
    lines = []
    for moment, artefacts in recorded(name, sparse):
        lines.append(moment)
        lines += [f"  {file} {hashlib.sha256(text.encode()).hexdigest()[:DIGITS]}" for file, text in artefacts.items()]
    return "".join(f"{line}\n" for line in lines)


def kept(name: str) -> str:
    """The fingerprints as they are kept. Raises OSError."""
    return (DIGESTS / f"{name}.txt").read_text(encoding="utf-8")


def by_artefact(text: str) -> dict[str, str]:
    """Fingerprints by ``turn.phase/file``."""
    found, moment = {}, ""
    for line in text.splitlines():
        if line.startswith(" "):
            file, digest = line.split()
            found[f"{moment}/{file}"] = digest
        else:
            moment = line
    return found


def differences(name: str, sparse: int = 1) -> list[str]:
    """The artefacts of a campaign that are not what they were, in the order of play; `sparse` as in `recorded`."""
    was, now = by_artefact(kept(name)), by_artefact(digests(name, sparse))
    return [artefact for artefact in {**was, **now} if was.get(artefact) != now.get(artefact)
            and not (sparse > 1 and artefact not in now and "/report." in artefact)]


# --- the command ------------------------------------------------------------------------------------------
def write_full(name: str, place: Path) -> None:
    """Write every artefact of a campaign into ``place/name/turn.phase/``; what lay there before goes."""
    shutil.rmtree(place / name, ignore_errors=True)
    for number, (moment, artefacts) in enumerate(recorded(name)):
        there = place / name / f"{number:02}.{moment}"
        there.mkdir(parents=True)
        for file, text in artefacts.items():
            (there / file).write_text(text, encoding="utf-8", newline="")


def main(words: list[str] | None = None) -> int:
    """Compare, keep or write out; 1 where something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CAMPAIGNS))
    parser.add_argument("--full", type=Path, metavar="DIR", help="write every artefact into this folder")
    parser.add_argument("--write", action="store_true", help="keep the fingerprints of today's code")
    given: Any = parser.parse_args(words)
    if unknown := [name for name in given.names if name not in CAMPAIGNS]:
        parser.error(f"no campaign {', '.join(unknown)}")
    return max(_one(name, given) for name in given.names or CAMPAIGNS)


def _one(name: str, given: Any) -> int:
    if given.full:
        write_full(name, given.full)
        return 0
    if given.write:
        (DIGESTS / f"{name}.txt").write_text(digests(name), encoding="utf-8", newline="")
        return 0
    found = differences(name)
    print(f"{name}: {len(found)} differences", *found, sep="\n  ")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
