"""Campaigns in; what commands make of them, step by step, out: whole, or as fingerprints.

Of a phase are kept all that the commands said (``said.txt``), every table that changed as CSV, and checksums of
the workbook's parts; before the first phase and after the last one the parts, after every ninth the reports. At the
end come a copy and a mail for each club, the published pages, the map, all that only looks, an undo and its redo, and
what a correction would change.

    python -m tests.golden.record                       compare with the fingerprints that are kept
    python -m tests.golden.record --write [NAME ...]    keep today's fingerprints
    python -m tests.golden.record --full DIR [NAME ...] write everything, to be compared by ``diff -r``
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tests.golden.campaigns import BOOK, CAMPAIGNS, Game
from tests.golden.looks import Artefacts, contents, folder, parts

DIGESTS = Path(__file__).with_name("digests")
DIGITS = 16
REPORTS_STEP = 9
Step = tuple[str, Artefacts]


class Recorder:
    """A campaign as it is played; it remembers the tables as they were last kept."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._was: Artefacts = {}

    def state(self, *, book: bool = False) -> Artefacts:
        """What was said since, the tables that changed since, and checksums of the workbook's parts. `book`: with the
        parts themselves.
        """
        now = self.game.tables()
        found = {"said.txt": self.game.taken_log()}
        found |= {file: text for file, text in now.items() if text != self._was.get(file)}
        found |= {file: "" for file in self._was if file not in now}
        self._was = now
        data = BOOK.read_bytes()
        return found | {f"{BOOK.name}.parts": parts(data)} | (contents(data, BOOK.name) if book else {})

    def desk(self) -> dict[str, str]:
        """The keys and values of the Desk, as the tables were last kept."""
        return dict(csv.reader(self._was["desk.csv"].splitlines()))

    def steps(self, *, full: bool) -> Iterator[Step]:
        """Step after step: its name and what there is to see. `full`: at the end with what has pixels, which another
        computer may draw otherwise.
        """
        game, turn = self.game, ""
        game.begin()
        yield "start", self.state(book=True)
        for number in range(1, game.plan.phases + 1):
            desk = self.desk()
            now, phase = desk.get("turn") or desk["year"], desk["phase"]
            if now != turn and not game.plan.robots:
                game.hand_in(now)
            if now != turn or number % REPORTS_STEP == 0:
                game.arbitro("check", BOOK)
                game.arbitro("status", BOOK)
            game.resolve()
            found = self.state(book=number == game.plan.phases)
            if number % REPORTS_STEP == 0:
                found |= self.written("report", "--no-pictures", "--out", name="reports")
            yield f"{now}.{phase}", found
            turn = now
        yield "told", self.told()
        yield from self.back_and_forth()
        if full and not game.plan.robots:
            reader = game.rows("factions")[0]["faction"]
            yield "drawn", self.written("report", "--faction", reader, "--out", name="drawn", pictures=True)

    def written(self, *words: object, name: str, pictures: bool = False) -> Artefacts:
        """All that a command writes into a new folder, whose name is its last word."""
        place = Path(name)
        shutil.rmtree(place, ignore_errors=True)
        self.game.arbitro(words[0], BOOK, *words[1:], place, pictures=pictures)
        return folder(place, name)

    def told(self) -> Artefacts:
        """What clubs are told after the last phase, and all that only looks."""
        game, found = self.game, Artefacts()
        found |= self.written("share", name="copies")
        found |= self.written("map", "--referee", "--print", "--out", name="map")
        found |= self.written("map", "--print", "--out", name="public_map")
        if not game.plan.robots:
            found |= self.written("send", "--dry-run", "--no-pictures", "--out", name="mails")
            found |= self.written("remind", "--dry-run", "--out", name="reminders")
            found |= self.written("publish", "--no-pictures", name="published")
            game.arbitro("verbs", game.plan.ruleset)
            game.arbitro("rules", game.plan.ruleset)
        for command in ("check", "status", "answers", "history", "luck", "standings", "odds", "ledger", "verify"):
            game.arbitro(command, BOOK)
        for command in ("check", "status", "luck", "standings", "history"):
            game.arbitro(command, BOOK, "--json")
        return {"said.txt": game.taken_log()} | found

    def back_and_forth(self) -> Iterator[Step]:
        """An undo, its redo, and what would differ if an order of the last turn had not come."""
        self.game.must("undo", BOOK, "--steps", 2, "--yes")
        yield "undone", self.state()
        self.game.must("redo", BOOK)
        yield "redone", self.state()
        order = self.game.rows("orders")[-1]["order"]
        self.game.arbitro("correct", BOOK, "--withdraw", order, "--why", "it was never sent")
        self.game.arbitro("verify", BOOK)
        yield "corrected", self.state()


def recorded(name: str, *, full: bool = False) -> Iterator[Step]:
    """Step by step what commands make of a campaign: ``turn.phase`` -> artefacts by name of file."""
    with Game(CAMPAIGNS[name]) as game:
        yield from Recorder(game).steps(full=full)


# --- fingerprints -----------------------------------------------------------------------------------------
def digests(name: str, steps: int | None = None) -> str:
    """The fingerprints of a campaign, or of its first steps: a line a step, under it one a file or folder of files."""
    lines = []
    for number, (moment, artefacts) in enumerate(islice(recorded(name), steps)):
        lines.append(f"{number:02}.{moment}")
        groups: dict[str, list[str]] = {}
        for file in artefacts:
            groups.setdefault(file.partition("/")[0], []).append(file)
        for group, files in sorted(groups.items()):
            whole = hashlib.sha256()
            for file in sorted(files):
                whole.update(f"{file}\n{len(artefacts[file])}\n{artefacts[file]}".encode())
            lines.append(f"  {group} {whole.hexdigest()[:DIGITS]}")
    return "".join(f"{line}\n" for line in lines)


def kept(name: str) -> str:
    """The fingerprints as they are kept. Raises OSError."""
    return (DIGESTS / f"{name}.txt").read_text(encoding="utf-8")


def by_artefact(text: str, steps: int | None = None) -> dict[str, str]:
    """Fingerprints of the first steps by ``step/file``."""
    found: dict[str, str] = {}
    moment, seen = "", 0
    for line in text.splitlines():
        if line.startswith(" "):
            file, digest = line.split()
            found[f"{moment}/{file}"] = digest
        elif seen == steps:
            break
        else:
            moment, seen = line, seen + 1
    return found


def differences(name: str, steps: int | None = None) -> list[str]:
    """The files of a campaign, or of its first steps, that are not what they were, in the order of play."""
    was, now = by_artefact(kept(name), steps), by_artefact(digests(name, steps))
    return [artefact for artefact in {**was, **now} if was.get(artefact) != now.get(artefact)]


# --- the command ------------------------------------------------------------------------------------------
def write_full(name: str, place: Path) -> None:
    """Write every artefact of a campaign into ``place/name/step/``; what lay there before goes."""
    shutil.rmtree(place / name, ignore_errors=True)
    for number, (moment, artefacts) in enumerate(recorded(name, full=True)):
        for file, text in artefacts.items():
            path = place / name / f"{number:02}.{moment}" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")


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
        write_full(name, given.full.resolve())
        return 0
    if given.write:
        (DIGESTS / f"{name}.txt").write_text(digests(name), encoding="utf-8", newline="")
        return 0
    found = differences(name)
    print(f"{name}: {len(found)} differences", *found, sep="\n  ")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
