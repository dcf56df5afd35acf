"""`adopt` and `new --into`: makes a club's own workbook a campaign."""

from __future__ import annotations

import contextlib
import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Ref
from assistant.campaign.records import Desk, Event, Faction, Node, Rule
from assistant.desk.commands.new_campaign import (
    PLAYED_TABLES,
    NewPlan,
    dice_secret,
    make_campaign,
    prepare_and_check,
    rename_old_ledger,
    say_unsound,
    scenario_folder,
)
from assistant.desk.commands.rulesets import find_ruleset, scenarios_of
from assistant.desk.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.detect_edits import first_fingerprints
from assistant.desk.workspace.workspace import (
    BOOK_FORMAT,
    Abort,
    abort,
    claim_workbook,
    file_abort,
    ledger_abort,
    playing_factions,
)
from assistant.environment import machine_language
from assistant.ledger import Ledger, LedgerTrouble, PlannedStep, campaign_id, path_of_ledger
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn import codes as book_codes
from assistant.turn.findings import Finding, Where, unique_findings
from assistant.turn.ruleset import Ruleset, installed
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title
from assistant.workbook.adoption import Adoption, read_tables, warn_of_obstacle
from assistant.workbook.adoption_proposal import propose_tables
from assistant.workbook.adoption_sheet import (
    KEYS,
    KEYS_IT,
    ProposalLine,
    TablePick,
    adoption_table,
    build_sheet,
    read_lines,
    read_picks,
    sheet_lines,
)
from assistant.workbook.file_book import HARM_CODES, unreadable_finding
from assistant.workbook.layout import label, table_name
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import cell_address, letters_of
from assistant.workbook.ooxml.transplant import add_sheets, check_room, free_title
from assistant.workbook.ooxml.xml_tree import Damaged, Hostile, Unsafe
from assistant.workbook.port import WorkbookReading
from assistant.workbook.read.csv_folder import parse_csv, read_folder
from assistant.workbook.read.find_tables import TableFinder, raw_desk_settings
from assistant.workbook.read.grid import Notes, fold
from assistant.workbook.read.load_campaign import check_clock
from assistant.workbook.save import (
    backups,
    refuse_if_locked,
    refuse_if_read_only,
    replace_file,
    sha256,
    undo_replacement,
)
from assistant.workbook.screening import BookError, BookMissing, refusal

# The club's own workbook file.


class ClubFile:
    """The club's file before anything is changed: its bytes (`data`) and the opened `book`."""

    def __init__(self, path: Path, lang: str) -> None:
        """Read it. Raises `Stop`, `BookError` and OSError where no campaign can be put into it."""
        self.path, self._lang = path, lang
        self.data = self._bytes()
        with self.harm():
            self.book = self._opened()

    def _bytes(self) -> bytes:
        refuse_if_locked(self.path)
        try:
            data = self.path.read_bytes()
        except (FileNotFoundError, IsADirectoryError) as no:
            raise BookMissing(self.path, f"there is no file {self.path.name}") from no
        refuse_if_read_only(self.path)
        bad = refusal(data)
        if bad is not None:
            raise abort(Exit.FILE, bad[0], self._lang, file=self.path.name, **bad[1])
        return data

    def _opened(self) -> OoxmlBook:
        book = OoxmlBook(self.data)
        book.package.check_all()
        finder = TableFinder(book)
        known = raw_desk_settings(finder).get("ruleset", "")
        if known and (known in installed() or table_name(Desk).casefold() in finder.tables):
            raise abort(Exit.REFUSED, book_codes.IS_CAMPAIGN, self._lang, file=self.path.name, title=Verbatim(known))
        check_room(book)
        if book.signed:
            raise abort(Exit.FILE, book_codes.SIGNED_BOOK, self._lang, file=self.path.name)
        return book

    @contextlib.contextmanager
    def harm(self, words: Wording | None = None) -> Iterator[None]:
        """Say what in the workbook is in the way, or damaged. Raises `Stop`."""
        name = self.path.name
        try:
            yield
        except Unsafe as no:
            raise abort(Exit.FILE, HARM_CODES[no.reason], self._lang, words, cell=no.cell, seen=no.detail, file=name,
                       reason=no.detail) from no
        except (Damaged, Hostile) as no:
            code, data = unreadable_finding(no)
            raise abort(Exit.FILE, code, self._lang, words, file=name, **data) from no

    def need_no_ledger(self, *, force: bool, words: Wording | None = None) -> None:
        """See that no ledger lies there, unless it may be set aside. Raises `Stop`."""
        place = path_of_ledger(self.path)
        if place.exists() and not force:
            raise abort(Exit.FILE, codes.FILE_EXISTS, self._lang, words, file=place.name)

    def replace(self, data: bytes, reading: WorkbookReading, secret: bytes, doing: str, words: Wording, *,
                sound: bool = True) -> None:
        """The ledger first, with the club's workbook as it was, then the new one; both or neither.

        `reading`: of the new bytes; `sound`: no finding is to be put right in the workbook first. Raises `Stop`,
        `BookError`, OSError.
        """
        assert reading.ruleset is not None
        desk, place = reading.campaign.desk, path_of_ledger(self.path)
        kept = rename_old_ledger(place) if place.exists() else None
        known = backups(self.path)
        try:
            with Ledger.create(place, desk.campaign_id, secret, reading.ruleset.version) as ledger:
                ledger.commit_turn(desk.turn, playing_factions(reading.campaign))
                step = ledger.begin([PlannedStep(doing, desk.turn, desk.phase)], self.data,
                                    marks=first_fingerprints(reading.campaign) if sound else None)
                replace_file(self.path, data, sha256(self.data))
                ledger.finish(step, data)
        except (LedgerTrouble, BookError, OSError) as fault:
            if self.path.read_bytes() == data:  # the ledger could not say that it was made
                undo_replacement(self.path, self.data, known)
            place.unlink(missing_ok=True)
            if kept is not None:
                kept.rename(place)
            if isinstance(fault, LedgerTrouble):
                raise ledger_abort(fault, self.path, self._lang, words) from fault
            raise

    def tell(self, result: Result, reading: WorkbookReading, ruleset: Ruleset, words: Wording) -> None:
        """Fill in what was done, in data (``file``, ``turn``, ``phase``, ``campaign``, ``factions``) and in words."""
        desk = reading.campaign.desk
        result.data.update(file=self.path.name, turn=desk.turn, phase=desk.phase, campaign=desk.campaign_id,
                           factions=playing_factions(reading.campaign))
        result.say(words.text(
            N_("{file} is a campaign now: {title}, {when}. The club's own cells are as they were."),
            file=self.path.name, title=campaign_title(desk, words),
            when=ruleset.when(desk.turn, desk.phase, words.lang)))
        result.say(words.text(
            N_("Keep {ledger} beside it and to yourself: it holds the dice secret and every snapshot."),
            ledger=path_of_ledger(self.path).name))
        result.say(words.text(N_("Where it stands and what to do next is on the sheet {sheet}."),
                              sheet=Verbatim(reading.cells.titles.get(Desk.sheet, Desk.sheet))))
        result.say(words.text(N_("The workbook as it was comes back with: arbitro undo {book} --snapshot 1"),
                              book=self.path.name))


# Tables and columns taken from a scenario.


ROWS_NAMED = 6
"""How many rows a finding names; the rest is only counted."""


@dataclass
class Loans:
    """What came from the scenario. `tables`: whole tables; `fields`: sheet -> rows' keys with the fields they got;
    `out`: sheet -> rows that were left out; `instead`: sheet, field and what stands there now ("" for blank) -> rows.
    """

    tables: list[str] = field(default_factory=list)
    fields: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    out: dict[str, list[str]] = field(default_factory=dict)
    instead: dict[tuple[str, str, str], list[str]] = field(default_factory=dict)

    def has(self, sheet: str, key: str, name: str) -> bool:
        """Whether a field of a row is the scenario's."""
        return sheet in self.tables or name in self.fields.get(sheet, {}).get(key, ())


def fill_from_scenario(ruleset: Ruleset, campaign: Campaign, story: Campaign, chosen: Sequence[TablePick]) -> Loans:
    """Take from a scenario what the club does not keep: whole tables, and columns of rows with the same key.

    What names places, factions or other rows that the campaign does not have is left out again.
    """
    lent = _lend(campaign, story, chosen)
    while True:
        trial = campaign.copy()
        findings = prepare_and_check(ruleset, trial)  # the rulebook adds rows of its own, such as the neutrals
        # what it refuses may hang on what names nothing, so that goes first
        bad = list(_dangling(campaign, _idents(trial), lent)) or list(_refused(campaign, findings, lent))
        if not bad:
            return lent
        for sheet, key, name in bad:
            _leave_out(campaign, sheet, key, name, lent, _neutral_faction(trial))


def note_left_out(lent: Loans, notes: Notes) -> None:
    """Add findings about what was left out, sheet by sheet, with what to do about it."""
    for sheet, rows in lent.out.items():
        notes.add(book_codes.SCENARIO_ROWS_OUT, Where(sheet), "", {**_rows_data(rows), "sheet": sheet},
                  severity="warning")
    for (sheet, name, new), rows in lent.instead.items():
        notes.add(book_codes.SCENARIO_NEUTRAL if new else book_codes.SCENARIO_CELLS_BLANK, Where(sheet, "", name), "",
                  {**_rows_data(rows), "sheet": sheet, "new": new}, severity="warning")


def _rows_data(rows: Sequence[str]) -> dict[str, Any]:
    more = ", …" if len(rows) > ROWS_NAMED else ""
    return {"n": len(rows), "seen": ", ".join(rows[:ROWS_NAMED]) + more}


def stops_on_scenario_sheet(lent: Loans, findings: Sequence[Finding]) -> bool:
    """Whether a finding stops on a sheet that comes entirely from the scenario, where the club can fix nothing."""
    return any(f.stops and f.where.table in lent.tables for f in findings)


def _lend(campaign: Campaign, story: Campaign, chosen: Sequence[TablePick]) -> Loans:
    lent = Loans()
    mine = {p.record.sheet: p for p in chosen if not p.copied}
    left_out = {Desk.sheet, *(record.sheet for record in PLAYED_TABLES)}
    for sheet, table in story.tables().items():
        if sheet in left_out:
            continue
        if sheet not in mine:
            campaign.put(table)
            lent.tables.append(sheet)
            continue
        pick = mine[sheet]
        for key, row in campaign.by_sheet(sheet).items():
            model = table.get(key)
            for c in row.columns() if model is not None else ():
                if c.name not in pick.columns and c.name not in pick.fills:
                    setattr(row, c.name, getattr(model, c.name))
                    lent.fields.setdefault(sheet, {}).setdefault(key, []).append(c.name)
    lent.fields[Desk.sheet] = {campaign.desk.ident: [c.name for c in campaign.desk.columns()]}
    return lent


def _idents(campaign: Campaign) -> dict[str, set[str]]:
    return {sheet: {row.ident.casefold() for row in table} for sheet, table in campaign.tables().items()}


def _dangling(campaign: Campaign, known: Mapping[str, set[str]], lent: Loans) -> Iterator[tuple[str, str, str]]:
    """Values from the scenario that refer to rows which do not exist: sheet, key of the row, field."""
    for sheet, table in campaign.tables().items():
        for key, row in table.items():
            for c in row.columns():
                if isinstance(c.kind, (Ref, Codes)) and lent.has(sheet, key, c.name) and c.kind.table in known:
                    value = getattr(row, c.name)
                    named = value if isinstance(value, tuple) else (value,) if value else ()
                    if not getattr(c.kind, "own_finding", False) and any(
                            one.casefold() not in known[c.kind.table] for one in named):
                        yield sheet, key, c.name


def _refused(campaign: Campaign, findings: Sequence[Finding], lent: Loans) -> Iterator[tuple[str, str, str]]:
    """The same for what the rulebook refuses: a value that may be blank, else a row that is no faction or place."""
    for where in dict.fromkeys(f.where for f in findings if f.stops):
        row = campaign.by_sheet(where.table).get(where.row) if where.table in campaign.tables() else None
        if row is None or not lent.has(where.table, where.row, where.field):
            continue
        c = next((c for c in row.columns() if c.name == where.field), None)
        blank = c is not None and getattr(c.kind, "blank", False) and getattr(row, c.name) != c.default
        if blank or (where.table in lent.tables and where.table not in (Faction.sheet, Node.sheet, Rule.sheet)):
            yield where.table, where.row, where.field if blank else ""


def _neutral_faction(campaign: Campaign) -> str:
    return next((f.faction for f in campaign.table(Faction) if f.role == "neutral"), "")


def _leave_out(campaign: Campaign, sheet: str, key: str, name: str, lent: Loans, neutral: str) -> None:
    """Let a value that may be blank be so, and a place be the neutrals'; else the row goes, where all of it is
    the scenario's.
    """
    table = campaign.by_sheet(sheet)
    row = table.get(key)
    if row is None:  # it went for another of its values
        return
    c = next((c for c in row.columns() if c.name == name), None)
    may_be_blank = c is not None and not c.key and (isinstance(c.kind, Codes) or getattr(c.kind, "blank", False))
    if c is not None and (may_be_blank or sheet not in lent.tables):
        held = sheet == Node.sheet and isinstance(c.kind, Ref) and c.kind.table == Faction.sheet
        new = neutral if held and getattr(row, c.name) != neutral else ""
        setattr(row, c.name, new or c.default)
        lent.instead.setdefault((sheet, c.name, new), []).append(row.ident)
    else:
        table.remove(key)
        lent.out.setdefault(sheet, []).append(row.ident)


# `new --into`.


def new_into(plan: NewPlan, path: Path, *, lang: str = "") -> Result:
    """Put a new campaign's sheets behind the club's own, of which nothing changes; all or nothing.

    Result data: ``file``, ``turn``, ``phase``, ``campaign``, ``factions``, ``titles`` (of our sheets, by English name).
    """
    try:
        ruleset = find_ruleset(plan.ruleset, lang)
        with claim_workbook(path, "new", lang):
            return _add_sheets(plan, ruleset, path, lang)
    except Abort as stopped:
        return stopped.result("new")
    except (BookError, OSError) as fault:
        return file_abort(fault, path, lang).result("new")


def _add_sheets(plan: NewPlan, ruleset: Ruleset, path: Path, lang: str) -> Result:
    """What the command does under its claim. Raises `Stop`, `BookError`, OSError."""
    secret, club = dice_secret(plan.secret, lang), ClubFile(path, lang)
    club.need_no_ledger(force=plan.force)
    campaign, findings, words = make_campaign(plan, ruleset, secret, lang)
    words = words.of_file(path)
    sound, notes = not any(f.stops for f in findings), Notes(campaign.desk.language)
    speaking = Wording(ruleset, campaign.desk.language, faction_names(campaign, campaign.desk.language))
    said = speaking.text(N_("The campaign's sheets were put into the club's workbook."))
    lines = desk_lines(ruleset, campaign, speaking, path.name, [said])
    with club.harm(words):
        data, reading = Adoption(path, club.data, ruleset, [], notes).make(campaign, {}, speaking, lines)
    if sound and any(f.stops for f in reading.findings):
        raise Abort(Exit.REFUSED, reading.findings, lang, words)
    club.replace(data, reading, secret, "new", words, sound=sound)
    result = Result("new", findings=[*notes.findings, *reading.placed(findings)], wording=words)
    club.tell(result, reading, ruleset, words)
    result.data.update(titles=reading.cells.titles)
    say_unsound(result)
    return result


# `adopt`.


NO_SCENARIO = "nothing"
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
        with claim_workbook(path, "adopt", lang):
            return _AdoptRun(plan, ruleset, path, lang).run()
    except Abort as stopped:
        return stopped.result("adopt")
    except (BookError, OSError) as fault:
        return file_abort(fault, path, lang).result("adopt")


class _AdoptRun:
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
            proposals = propose_tables(self.book, self.ruleset, self.language)
            lines = sheet_lines(proposals, self.ruleset, self.sheet_words, self.language)
            if not lines:
                raise self._stop(book_codes.NO_TABLES, file=self.path.name)
            if plan.commit:
                return self.make(_adoption_lines(lines, self.language))
            for p in proposals:
                if p.sheet not in ("", Event.sheet):
                    warn_of_obstacle(self.book, p.block, p.sheet, self.notes)
            return self._ask(lines)

    def _stop(self, code: str, **data: Any) -> Abort:
        return abort(Exit.REFUSED, code, self.lang, self.words, **data)

    def _from_file(self, mapping: Path) -> list[ProposalLine]:
        """The lines of a CSV; its headings are those of the sheet, in either language, or their plain names."""
        try:
            rows = parse_csv(mapping.read_bytes())
        except csv.Error:
            rows = []
        except FileNotFoundError as no:
            raise abort(Exit.FILE, codes.FILE_MISSING, self.lang, self.words, file=mapping.name) from no
        known = {fold(word): key for key, italian in zip(KEYS, KEYS_IT, strict=True)
                 for word in (key, italian, label(f"adoption_{key}", "en"), label(f"adoption_{key}", "it"))}
        heads = [known.get(fold(cell), "") for cell in rows[0]] if rows else []
        if not {"sheet", "heading", "table", "column"} <= set(heads):
            raise self._stop(book_codes.BAD_MAP, file=mapping.name)
        said = [{key: text.strip() for key, text in zip(heads, row, strict=False) if key} for row in rows[1:]]
        return [_adoption_line({**dict.fromkeys(KEYS, ""), **one}, mapping.name, number, heads)
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
    def make(self, lines: Sequence[ProposalLine]) -> Result:
        """Make the workbook a campaign's, or say what does not fit; nothing is changed before all fits."""
        plan = self.plan
        secret = dice_secret(plan.secret, self.lang)
        self.club.need_no_ledger(force=plan.force, words=self.words)
        chosen = read_picks(self.book, self.ruleset, lines, self.notes)
        if not chosen and not self.notes.findings:
            raise self._stop(book_codes.NO_TABLES, file=self.path.name)
        self._halt(self.notes.findings)
        story = self._scenario(chosen)
        taken = read_tables(self.book, self.ruleset, self._desk(story, secret), chosen, self.notes)
        self._halt(self.notes.findings)
        campaign, lent = taken.campaign, Loans()
        if story is not None:
            lent = fill_from_scenario(self.ruleset, campaign, story, chosen)
            note_left_out(lent, self.notes)
        if not any("language" in p.columns for p in chosen if p.record.sheet == Faction.sheet):
            for club in campaign.table(Faction):  # they speak as the workbook does
                club.language = self.language
        check_clock(self.ruleset, campaign, self.notes, new=True)
        self._halt(self.notes.findings)
        findings = prepare_and_check(self.ruleset, campaign)
        for event in campaign.table(Event):
            event.turn = event.turn or campaign.desk.turn
        words = Wording(self.ruleset, self.language, faction_names(campaign, self.language))
        said = words.text(N_("The club's workbook was taken on."))
        lines_now = desk_lines(self.ruleset, campaign, words, self.path.name, [said])
        data, reading = Adoption(self.path, self.data, self.ruleset, chosen, self.notes).make(
            campaign, taken.rows, words, lines_now)
        found = [*self.notes.findings, *reading.findings, *reading.placed(findings)]
        if stops_on_scenario_sheet(lent, found):
            found.append(codes.finding(book_codes.SCENARIO_MISFIT, text=self.plan.scenario))
        self._halt(found)
        self.club.replace(data, reading, secret, "adopt", self.words)
        return self._done(reading, chosen)

    def _halt(self, findings: Sequence[Finding]) -> None:
        if any(f.stops for f in findings):
            raise Abort(Exit.REFUSED, unique_findings(findings), self.lang, self.words)

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

    def _scenario(self, chosen: Sequence[TablePick]) -> Campaign | None:
        """The scenario's records, where one was named; a campaign without places must name one."""
        if self.plan.scenario == NO_SCENARIO:
            return None
        if not self.plan.scenario:
            if any(p.record.sheet == Node.sheet for p in chosen):
                return None
            raise self._stop(book_codes.NO_MAP, sheet=Node.sheet, list=", ".join(scenarios_of(self.ruleset)))
        folder = scenario_folder(self.plan.scenario, self.ruleset, self.lang)
        return read_folder(folder, self.ruleset)[1]

    def _done(self, reading: WorkbookReading, chosen: Sequence[TablePick]) -> Result:
        result = Result("adopt", findings=[f for f in self.notes.findings if not f.stops], wording=self.words)
        result.data.update(proposal=[], tables={p.record.sheet: p.block.title for p in chosen})
        self.club.tell(result, reading, self.ruleset, self.words)
        return result


def _adoption_lines(lines: Sequence[dict[str, str]], lang: str) -> list[ProposalLine]:
    return [_adoption_line(line, label("adoption", lang), number, list(KEYS)) for number, line in enumerate(lines, 5)]


def _adoption_line(said: dict[str, str], title: str, number: int, heads: Sequence[str]) -> ProposalLine:
    address = {key: cell_address(title, letters_of(heads.index(key) + 1 if key in heads else 1), number)
               for key in KEYS}
    return ProposalLine(address, said["sheet"], said["where"], said["heading"], said["table"], said["column"])
