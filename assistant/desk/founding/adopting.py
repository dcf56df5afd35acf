"""`adopt`: a club's own workbook in; a proposal on a sheet out and, once it is corrected, a campaign."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Event, Faction, Node
from assistant.desk import codes
from assistant.desk.founding.club_file import ClubFile
from assistant.desk.founding.completing import Lent, complete, misfit, tell
from assistant.desk.founding.rulebooks import find_ruleset, scenarios_of
from assistant.desk.founding.starting import dice_secret, prepared, scenario_folder
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import BOOK_FORMAT
from assistant.desk.sitting.stops import Stop, claim_on, file_stop, stop
from assistant.ledger import campaign_id
from assistant.resources import machine_language
from assistant.speech.names import factions_of
from assistant.turn.findings import Finding, each_once
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Wording
from assistant.workbook import codes as book_codes
from assistant.workbook.adopt.adopted import Adoption, take, warn_of_room
from assistant.workbook.adopt.adoption_sheet import (
    KEYS,
    KEYS_IT,
    Line,
    adoption_table,
    build_sheet,
    read_lines,
    shown_lines,
)
from assistant.workbook.adopt.picks import Pick, picks
from assistant.workbook.adopt.proposal import propose
from assistant.workbook.book_errors import BookError
from assistant.workbook.labels import label
from assistant.workbook.ooxml.book.book import OoxmlBook
from assistant.workbook.ooxml.cells.areas import cell_address, letters_of
from assistant.workbook.ooxml.whole_sheets.transplant import add_sheets, free_title
from assistant.workbook.port import Reading
from assistant.workbook.read.csvfolder import parse_csv, read_folder
from assistant.workbook.read.grid import Notes
from assistant.workbook.read.headings import folded
from assistant.workbook.safe.saving import replace_file, sha256

NOTHING = "nothing"
"""The scenario's name that means: begin without what is missing."""


@dataclass(frozen=True)
class AdoptPlan:
    """What `adopt` is asked for. `mapping`: a CSV instead of the sheet; `commit`: the proposal as it is;
    `secret`: hexadecimal digits, "" to draw one.
    """

    ruleset: str
    scenario: str = ""
    mapping: Path | None = None
    language: str = ""
    title: str = ""
    turn: str = ""
    phase: str = ""
    secret: str = ""
    commit: bool = False
    force: bool = False


def adopt(plan: AdoptPlan, path: Path, *, lang: str = "") -> Result:
    """Propose what the club's tables are, or, when that stands in the workbook, make it a campaign's.

    Result data: ``file``, ``proposal`` (lines by the names of `KEYS`), and when it is done ``turn``, ``phase``,
    ``campaign``, ``factions``, ``tables`` (English sheet name -> title of the club's sheet).
    """
    try:
        ruleset = find_ruleset(plan.ruleset, lang)
        with claim_on(path, "adopt", lang):
            return _Adopting(plan, ruleset, path, lang).run()
    except Stop as stopped:
        return stopped.result("adopt")
    except (BookError, OSError) as fault:
        return file_stop(fault, path, lang).result("adopt")


class _Adopting:
    """One call of the command. Everything raises `Stop`, `BookError`, OSError."""

    def __init__(self, plan: AdoptPlan, ruleset: Ruleset, path: Path, lang: str) -> None:
        self.plan, self.ruleset, self.path = plan, ruleset, path
        self.club = ClubFile(path, lang)
        self.data, self.book = self.club.data, self.club.book
        self.table = adoption_table(self.book)
        self.language = plan.language or self._spoken() or lang or machine_language()
        self.lang = lang or self.language
        self.words = Wording(ruleset, self.lang).of_file(path)
        self.sheet_words = Wording(ruleset, self.language)
        self.notes = Notes(self.language)

    def _spoken(self) -> str:
        """The language of the sheet that the referee was asked on; "" where there is none."""
        said = self.table.columns[0] if self.table is not None and self.table.columns else ""
        return next((lang for lang in ("en", "it") if said == label("adoption_sheet", lang)), "")

    # --- asking, or doing ---------------------------------------------------------------------
    def run(self) -> Result:
        """Propose, or make it a campaign's."""
        plan = self.plan
        with self.club.harm(self.words):
            if plan.mapping is not None:
                return self.make(self._from_file(plan.mapping))
            if self.table is not None:
                return self.make(read_lines(self.book, self.table))
            proposals = propose(self.book, self.ruleset, self.language)
            lines = shown_lines(proposals, self.ruleset, self.sheet_words, self.language)
            if not lines:
                raise self._stop(book_codes.NO_TABLES, file=self.path.name)
            if plan.commit:
                return self.make(_lines(lines, self.language))
            for p in proposals:
                if p.sheet not in ("", Event.sheet):
                    warn_of_room(self.book, p.block, p.sheet, self.notes)
            return self._ask(lines)

    def _stop(self, code: str, **data: Any) -> Stop:
        return stop(Exit.REFUSED, code, self.lang, self.words, **data)

    def _from_file(self, mapping: Path) -> list[Line]:
        """The lines of a CSV; its headings are those of the sheet, in either language, or their plain names."""
        try:
            rows = parse_csv(mapping.read_bytes())
        except csv.Error:
            rows = []
        except FileNotFoundError as no:
            raise stop(Exit.FILE, codes.FILE_MISSING, self.lang, self.words, file=mapping.name) from no
        known = {folded(word): key for key, italian in zip(KEYS, KEYS_IT, strict=True)
                 for word in (key, italian, label(f"adoption_{key}", "en"), label(f"adoption_{key}", "it"))}
        heads = [known.get(folded(cell), "") for cell in rows[0]] if rows else []
        if not {"sheet", "heading", "table", "column"} <= set(heads):
            raise self._stop(book_codes.BAD_MAP, file=mapping.name)
        said = [{key: text.strip() for key, text in zip(heads, row, strict=False) if key} for row in rows[1:]]
        return [_line({**dict.fromkeys(KEYS, ""), **one}, mapping.name, number, heads)
                for number, one in enumerate(said, 2) if one.get("sheet")]

    def _ask(self, lines: list[dict[str, str]]) -> Result:
        """Put the sheet with the proposal into the workbook."""
        title = free_title(self.book, label("adoption", self.language))
        sheet = build_sheet(lines, self.ruleset, title, self.language)
        add_sheets(self.book, OoxmlBook(sheet))
        replace_file(self.path, self.book.package.pack(), sha256(self.data))
        result = Result("adopt", Exit.WAITING, findings=self.notes.findings, wording=self.words)
        result.data.update(file=self.path.name, proposal=lines, sheet=title)
        for line in lines:
            if line["table"] and ":" in line["where"]:
                result.say(f"{line['sheet']}, {line['where']}: {line['table']}")
            elif line["column"]:
                result.say(f"   {line['heading']}: {line['column']}  ({line['why']})")
        result.say(self.words.text(
            N_("Open {file}, look through the sheet {sheet}, correct it, save and close. Then run the command again."),
            file=self.path.name, sheet=title))
        return result

    # --- a campaign's workbook ------------------------------------------------------------------
    def make(self, lines: Sequence[Line]) -> Result:
        """Make the workbook a campaign's, or say what does not fit; nothing is changed before all fits."""
        plan = self.plan
        secret = dice_secret(plan.secret, self.lang)
        self.club.need_no_ledger(force=plan.force, words=self.words)
        chosen = picks(self.book, self.ruleset, lines, self.notes)
        if not chosen and not self.notes.findings:
            raise self._stop(book_codes.NO_TABLES, file=self.path.name)
        self._halt(self.notes.findings)
        story = self._scenario(chosen)
        taken = take(self.book, self.ruleset, self._desk(story, secret), chosen, self.notes)
        self._halt(self.notes.findings)
        campaign, lent = taken.campaign, Lent()
        if story is not None:
            lent = complete(self.ruleset, campaign, story, chosen)
            tell(lent, self.notes)
        if not any("language" in p.columns for p in chosen if p.record.sheet == Faction.sheet):
            for club in campaign.table(Faction):  # they speak as the workbook does
                club.language = self.language
        findings = prepared(self.ruleset, campaign)
        for event in campaign.table(Event):
            event.turn = event.turn or campaign.desk.turn
        words = Wording(self.ruleset, self.language, factions_of(campaign, self.language))
        said = words.text(N_("The club's workbook was taken on."))
        lines_now = desk_lines(self.ruleset, campaign, words, self.path.name, [said])
        data, reading = Adoption(self.path, self.data, self.ruleset, chosen, self.notes).make(
            campaign, taken.rows, words, lines_now)
        found = [*self.notes.findings, *reading.findings, *reading.placed(findings)]
        if misfit(lent, found):
            found.append(codes.finding(book_codes.SCENARIO_MISFIT, text=self.plan.scenario))
        self._halt(found)
        self.club.replace(data, reading, secret, "adopt", self.words)
        return self._done(reading, chosen)

    def _halt(self, findings: Sequence[Finding]) -> None:
        if any(f.stops for f in findings):
            raise Stop(Exit.REFUSED, each_once(findings), self.lang, self.words)

    def _desk(self, story: Campaign | None, secret: bytes) -> Desk:
        """The settings: the scenario's, and what the command was given."""
        plan, record = self.plan, self.ruleset.record(Desk.sheet)
        desk: Any = story.desk.copy() if story is not None else record()
        desk.ruleset, desk.language, desk.format = self.ruleset.id, self.language, BOOK_FORMAT
        desk.title = plan.title or desk.title or self.path.stem
        desk.turn, desk.phase = plan.turn or desk.turn, plan.phase or desk.phase
        desk.campaign_id = campaign_id(secret)
        found: Desk = desk
        return found

    def _scenario(self, chosen: Sequence[Pick]) -> Campaign | None:
        """The scenario's records, where one was named; a campaign without places must name one."""
        if self.plan.scenario == NOTHING:
            return None
        if not self.plan.scenario:
            if any(p.record.sheet == Node.sheet for p in chosen):
                return None
            raise self._stop(book_codes.NO_MAP, sheet=Node.sheet, list=", ".join(scenarios_of(self.ruleset)))
        folder = scenario_folder(self.plan.scenario, self.ruleset, self.lang)
        return read_folder(folder, self.ruleset)[1]

    def _done(self, reading: Reading, chosen: Sequence[Pick]) -> Result:
        result = Result("adopt", findings=[f for f in self.notes.findings if not f.stops], wording=self.words)
        result.data.update(proposal=[], tables={p.record.sheet: p.block.title for p in chosen})
        self.club.tell(result, reading, self.ruleset, self.words)
        return result


def _lines(lines: Sequence[dict[str, str]], lang: str) -> list[Line]:
    """Lines of a proposal that nobody was asked about."""
    return [_line(line, label("adoption", lang), number, list(KEYS)) for number, line in enumerate(lines, 5)]


def _line(said: dict[str, str], title: str, number: int, heads: Sequence[str]) -> Line:
    address = {key: cell_address(title, letters_of(heads.index(key) + 1 if key in heads else 1), number)
               for key in KEYS}
    return Line(address, said["sheet"], said["where"], said["heading"], said["table"], said["column"])
