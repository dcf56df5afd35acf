"""`adopt` and `new --into`: makes a club's own workbook a campaign."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref
from assistant.campaign.records import Desk, Event, Faction, Node, Road
from assistant.desk.commands.new_campaign import (
    NewPlan,
    dice_secret,
    make_campaign,
    rename_old_ledger,
    say_unsound,
    scenario_folder,
)
from assistant.desk.commands.rulesets import (
    Loans,
    fill_from_scenario,
    find_ruleset,
    note_left_out,
    prepare_and_check,
    scenarios_of,
    stops_on_scenario_sheet,
)
from assistant.desk.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.detect_edits import first_fingerprints
from assistant.desk.workspace.workspace import (
    BOOK_FORMAT,
    Abort,
    abort,
    catches_abort,
    claim_workbook,
    club_book_bytes,
    file_faults,
    ledger_abort,
    playing_factions,
)
from assistant.environment import dated_backups, machine_language
from assistant.ledger import Ledger, LedgerTrouble, PlannedStep, campaign_id, new_file_path, path_of_ledger
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn import codes as book_codes
from assistant.turn.findings import Finding, Where, unique_findings
from assistant.turn.rulebooks import installed_rulesets, load, package_text
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title
from assistant.workbook.adoption import Adoption, ClubRows, read_tables
from assistant.workbook.adoption_match import ClubTable, TablePick, field_headings, first_obstacle
from assistant.workbook.adoption_reading import (
    GENERAL,
    NO,
    YES,
    BookReading,
    TableDoubt,
    read_club_book,
    rows_beside,
    shown_word,
)
from assistant.workbook.file_book import HARM_CODES, unreadable_finding
from assistant.workbook.layout import sheet_title, table_name
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import check_room
from assistant.workbook.ooxml.xml_tree import Damaged, Hostile, Unsafe
from assistant.workbook.port import WorkbookReading
from assistant.workbook.read.csv_folder import read_folder
from assistant.workbook.read.find_tables import TableFinder, raw_desk_settings
from assistant.workbook.read.grid import Notes, fold, plain_text
from assistant.workbook.read.load_campaign import check_clock
from assistant.workbook.save import refuse_if_locked, refuse_if_read_only, replace_file, sha256, undo_replacement
from assistant.workbook.screening import BookError

# The club's own workbook file.


class ClubFile:
    """The club's file before anything is changed: its bytes (`data`) and the opened `book`. `path`: where the campaign
    goes, the file itself or, with `to`, a new one beside it.
    """

    def __init__(self, path: Path, lang: str, to: Path | None = None) -> None:
        """Read it. Raises `Abort`, `BookError` and OSError where no campaign can be put into it."""
        self.path, self._lang, self._own = to or path, lang, path
        self.data = self._bytes()
        with self.harm():
            self.book = self._open()

    def _bytes(self) -> bytes:
        if self.in_place:
            refuse_if_locked(self.path)
            refuse_if_read_only(self.path)
        return club_book_bytes(self._own, self._lang)

    @property
    def in_place(self) -> bool:
        """Whether the club's own file becomes the campaign's."""
        return self.path == self._own

    def _open(self) -> OoxmlBook:
        book = OoxmlBook(self.data)
        book.package.check_all()
        finder = TableFinder(book)
        known = raw_desk_settings(finder).get("ruleset", "")
        if known and (known in installed_rulesets() or table_name(Desk).casefold() in finder.tables):
            raise abort(Exit.REFUSED, book_codes.IS_CAMPAIGN, self._lang, file=self._own.name, title=Verbatim(known))
        check_room(book)
        if book.signed:
            raise abort(Exit.FILE, book_codes.SIGNED_BOOK, self._lang, file=self._own.name)
        return book

    @contextlib.contextmanager
    def harm(self, words: Wording | None = None) -> Iterator[None]:
        """Say what in the workbook is in the way, or damaged. Raises `Abort`."""
        name = self._own.name
        try:
            yield
        except Unsafe as no:
            raise abort(Exit.FILE, HARM_CODES[no.reason], self._lang, words, cell=no.cell, seen=no.detail, file=name,
                       reason=no.detail) from no
        except (Damaged, Hostile) as no:
            code, data = unreadable_finding(no)
            raise abort(Exit.FILE, code, self._lang, words, file=name, **data) from no

    def need_no_ledger(self, *, force: bool, words: Wording | None = None) -> None:
        """See that no ledger lies there, unless it may be set aside. Raises `Abort`."""
        place = path_of_ledger(self.path)
        if place.exists() and not force:
            raise abort(Exit.FILE, codes.FILE_EXISTS, self._lang, words, file=place.name)

    def replace(self, data: bytes, reading: WorkbookReading, secret: bytes, doing: str, words: Wording, *,
                sound: bool = True) -> None:
        """The ledger first, with the club's workbook as it was, then the new one; both or neither.

        `reading`: of the new bytes; `sound`: no finding is to be put right in the workbook first. Raises `Abort`,
        `BookError`, OSError.
        """
        assert reading.ruleset is not None
        desk, place = reading.campaign.desk, path_of_ledger(self.path)
        kept = rename_old_ledger(place) if place.exists() else None
        known = dated_backups(self.path)
        try:
            with Ledger.create(place, desk.campaign_id, secret, reading.ruleset.version,
                               package_text(reading.ruleset)) as ledger:
                ledger.commit_turn(desk.turn, playing_factions(reading.campaign))
                marks = first_fingerprints(reading.campaign) if sound else None

                def around(content: bytes, take_place: Callable[[], None]) -> None:
                    ledger.change([PlannedStep(doing, desk.turn, desk.phase)], self.data, sha256(content), marks=marks,
                                  meanwhile=take_place)

                replace_file(self.path, data, sha256(self.data) if self.in_place else None, around=around)
        except (LedgerTrouble, BookError, OSError) as fault:
            if not self.in_place:
                self.path.unlink(missing_ok=True)
            elif self.path.read_bytes() == data:  # the ledger could not say that it was made
                undo_replacement(self.path, self.data, known)
            for one in (place, new_file_path(place)):
                one.unlink(missing_ok=True)
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
            N_("{file} is a campaign now: {title}, {when}. The club's own cells are as they were.") if self.in_place
            else N_("{file} is a campaign now: {title}, {when}. The club's own workbook stays as it is: {other}."),
            file=self.path.name, other=self._own.name, title=campaign_title(desk, words),
            when=ruleset.when(desk.turn, desk.phase, words.lang)))
        result.say(words.text(
            N_("Keep {ledger} beside it and to yourself: it holds the dice secret and every snapshot."),
            ledger=path_of_ledger(self.path).name))
        result.say(words.text(N_("Where it stands and what to do next is on the sheet {sheet}."),
                              sheet=Verbatim(reading.cells.titles.get(Desk.sheet, Desk.sheet))))
        if self.in_place:
            result.say(words.text(N_("The workbook as it was comes back with: arbitro undo {book} --snapshot 1"),
                                  book=self.path.name))


# `new --into`.


@catches_abort("new")
def new_into(plan: NewPlan, path: Path, *, lang: str = "") -> Result:
    """Put a new campaign's sheets behind the club's own, of which nothing changes; all or nothing.

    Result data: ``file``, ``turn``, ``phase``, ``campaign``, ``factions``, ``titles`` (of our sheets, by English name).
    """
    ruleset = find_ruleset(plan.ruleset, lang)
    with file_faults(path, lang), claim_workbook(path, "new", lang):
        return _add_sheets(plan, ruleset, path, lang)


def _add_sheets(plan: NewPlan, ruleset: Ruleset, path: Path, lang: str) -> Result:
    """What the command does under its claim. Raises `Abort`, `BookError`, OSError."""
    secret, club = dice_secret(plan.secret, lang), ClubFile(path, lang)
    club.need_no_ledger(force=plan.force)
    campaign, findings, words = make_campaign(plan, ruleset, secret, lang)
    words = words.of_file(path)
    sound, notes = not any(f.stops for f in findings), Notes(campaign.desk.language)
    speaking = Wording(ruleset, campaign.desk.language, faction_names(campaign, campaign.desk.language))
    text = speaking.text(N_("The campaign's sheets were put into the club's workbook."))
    lines = desk_lines(ruleset, campaign, speaking, path.name, [text])
    with club.harm(words):
        data, reading = Adoption(path, club.data, ruleset, [], notes).make(campaign, {}, speaking, lines)
    if sound and any(f.stops for f in reading.findings):
        raise Abort(Exit.REFUSED, reading.findings, lang, words)
    club.replace(data, reading, secret, "new", words, sound=sound)
    result = Result("new", findings=[*notes.findings, *reading.with_cells(findings)], wording=words)
    club.tell(result, reading, ruleset, words)
    result.data.update(titles=reading.cells.titles)
    say_unsound(result)
    return result


# `adopt`.


NO_SCENARIO = "nothing"
"""The scenario's name that means: begin without what is missing."""
MOST_QUESTIONS = 5
TRIES = 3
"""How often a question is put again after an answer that it cannot take."""
PAIRS_SHOWN = 6
"""How many learnt words of a column are listed."""
SCENARIO, RULEBOOK = GENERAL
AskReferee = Callable[[str, Sequence[str], str], str]
"""Is given a question, the club's own rows, and what is taken where nothing is typed; returns what was typed. Raises
`Abort` to give up.
"""


@dataclass(frozen=True)
class AdoptPlan:
    """What `adopt` is asked for. `ruleset`: "" to tell it by the workbook; `answers`: a file with answers; `secret`:
    hexadecimal digits, "" to draw one; `commit`: take what is proposed, ask nothing; `to`: a new file for the campaign,
    beside the club's, which stays as it is; `dress`: as of `NewPlan`.
    """

    ruleset: str
    scenario: str = ""
    answers: Path | None = None
    language: str = ""
    title: str = ""
    turn: str = ""
    phase: str = ""
    secret: str = ""
    commit: bool = False
    force: bool = False
    to: Path | None = None
    dress: Callable[[bytes, str], bytes] | None = None


@catches_abort("adopt")
def adopt(plan: AdoptPlan, path: Path, *, ask: AskReferee | None = None, agree: Callable[[Result], None] | None = None,
          lang: str = "") -> Result:
    """Make a club's workbook a campaign's. At most five questions: to `ask`, or, where that is None, in the result.
    `agree`: is shown what was read as what before anything is written, and raises `Abort` to give up.

    Result data: ``file``, ``asked`` (questions: ``place``, ``text``, ``rows``, ``proposed``), ``read`` (tables and
    columns: ``place``, ``heading``, ``is``, ``words``), and when it is done ``turn``, ``phase``, ``campaign``,
    ``factions``, ``tables`` (English sheet name -> title of the club's sheet).
    """
    if plan.ruleset:
        find_ruleset(plan.ruleset, lang)
    with file_faults(path, lang), claim_workbook(plan.to or path, "adopt", lang):
        return _AdoptRun(plan, path, ask, agree, lang).run()


def read_answers(path: Path, lang: str) -> dict[str, str]:
    """The answers of a file: in each line a place, a colon and what is said of it. Raises `Abort`."""
    # an editor on Windows may write a mark at the beginning
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError as no:
        raise abort(Exit.FILE, codes.FILE_MISSING, lang, file=path.name) from no
    except UnicodeDecodeError as no:
        raise abort(Exit.REFUSED, book_codes.BAD_ANSWERS, lang, file=path.name, seen="") from no
    answers = {}
    for line in lines:
        place, colon, said = line.strip().rpartition(":")
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not colon or not place.strip():
            raise abort(Exit.REFUSED, book_codes.BAD_ANSWERS, lang, file=path.name, seen=Verbatim(line.strip()[:80]))
        answers[place.strip()] = said.strip() or "yes"
    return answers


class _AdoptRun:
    """One call of the command. Everything raises `Abort`, `BookError`, OSError."""

    def __init__(self, plan: AdoptPlan, path: Path, ask: AskReferee | None, agree: Callable[[Result], None] | None,
                 lang: str) -> None:
        self.plan, self.path, self.ask, self.agree = plan, path, ask, agree
        self.language = plan.language or lang or machine_language()
        self.lang = lang or self.language
        self.answers = read_answers(plan.answers, self.lang) if plan.answers is not None else {}
        self.club = ClubFile(path, lang, plan.to)
        self.data, self.book = self.club.data, self.club.book
        self.notes = Notes(self.language)
        self.asked: list[TableDoubt] = []
        self.lacking: list[str] = []
        with self.club.harm():
            self.ruleset, self.other_rulebooks = self._ruleset()
        self.words = Wording(self.ruleset, self.lang).of_file(path)

    def _ruleset(self) -> tuple[Ruleset, list[str]]:
        """The rulebook that was named, or the one of which the workbook holds most; others that it may be as well."""
        said = self.plan.ruleset or self.answers.get(RULEBOOK, "")
        if said and fold(said) not in YES:
            return find_ruleset(said, self.lang), []
        texts = fold(" ".join([self.path.stem, *(plain_text(cell.value) for title in self.book.sheets
                                                 for cells in self.book.rows(title).values()
                                                 for cell in cells.values() if cell.data_type == "s")]))
        rulesets = [load(name) for name in installed_rulesets()]
        scores = {ruleset.id: read_club_book(self.book, ruleset, self.language, self.answers).score
                  * (2 if fold(ruleset.id) in texts or fold(ruleset.title) in texts else 1) for ruleset in rulesets}
        best = max(rulesets, key=lambda ruleset: scores[ruleset.id])
        others = [ruleset.id for ruleset in rulesets if ruleset is not best
                  and scores[ruleset.id] > 0.8 * scores[best.id]]
        return best, others

    # --- asking, or doing ---------------------------------------------------------------------
    def run(self) -> Result:
        """Read, ask what is doubtful, and make it a campaign's."""
        with self.club.harm(self.words):
            reading = self._read()
            self._halt(reading.findings)
            if not reading.picks:
                raise self._stop(book_codes.NO_TABLES, file=self.path.name)
            doubts = self._doubts(reading)[:MOST_QUESTIONS]
            if doubts and self.ask is not None and not self.plan.commit:
                reading = self._converse(self.ask, doubts)
            elif doubts and self.plan.answers is None and not self.plan.commit:
                return self._leave_questions(doubts, reading)
            return self.make(reading)

    def _read(self) -> BookReading:
        return read_club_book(self.book, self.ruleset, self.language, self.answers, alone=self.plan.commit)

    def _stop(self, code: str, **data: Any) -> Abort:
        return abort(Exit.REFUSED, code, self.lang, self.words, **data)

    def _doubts(self, reading: BookReading) -> list[TableDoubt]:
        """What is still to be asked, the weightiest first."""
        general = [doubt for doubt in (
            self._rulebook_doubt(reading), self._scenario_doubt(reading)) if doubt is not None]
        return [*general, *reading.doubts]

    def _converse(self, ask: AskReferee, doubts: list[TableDoubt]) -> BookReading:
        """Ask one question after the other; what an answer settles is not asked any more."""
        reading = self._read()
        while doubts and len(self.asked) < MOST_QUESTIONS:
            doubt = doubts[0]
            self.asked.append(doubt)
            trouble = ""
            for _ in range(TRIES):
                said = ask(trouble + self.words.finding(doubt.finding), doubt.rows, doubt.proposed).strip()
                self.answers[doubt.place] = "yes" if said in ("", doubt.proposed) else said
                reading, wrong = self._read_with_answer(doubt)
                if not wrong:
                    break
                trouble = " ".join(map(self.words.finding, wrong)) + "\n"
            else:
                self.answers[doubt.place] = "yes"
                reading, _ = self._read_with_answer(doubt)
            doubts = [doubt for doubt in self._doubts(reading) if doubt.place not in self.answers]
        return reading

    def _read_with_answer(self, doubt: TableDoubt) -> tuple[BookReading, list[Finding]]:
        """The workbook read with an answer, and what is wrong with that."""
        try:
            if doubt.place == RULEBOOK:
                self.ruleset, _ = self._ruleset()
                self.words = Wording(self.ruleset, self.lang).of_file(self.path)
            if doubt.place == SCENARIO:
                self._scenario()
        except Abort as no:
            return self._read(), no.findings
        reading = self._read()
        return reading, reading.findings

    def _leave_questions(self, doubts: Sequence[TableDoubt], reading: BookReading) -> Result:
        """Say what is to be answered; nothing is changed."""
        result = Result("adopt", Exit.WAITING, wording=self.words)
        asked = [{"place": doubt.place, "code": doubt.finding.code, "text": self.words.finding(doubt.finding),
                  "rows": list(doubt.rows), "proposed": doubt.proposed} for doubt in doubts]
        result.data.update(file=self.path.name, asked=asked, read=self._protocol(reading), ruleset=self.ruleset.id)
        for number, question in enumerate(asked, 1):
            result.say(f"{number}. {question['text']}")
            for row in question["rows"]:
                result.say(f"      {row}")
        result.say(self.words.text(
            N_("Write the answers into a text file, a line each. If nothing is said, this counts:")))
        for question in asked:
            result.say(f"   {question['place']}: {question['proposed']}")
        result.say(self.words.text(N_("Then run the command again with --answers and that file. Nothing was changed.")))
        return result

    # --- questions about the whole workbook -----------------------------------------------------
    def _rows_of_places(self, reading: BookReading) -> tuple[str, ...]:
        """The first rows of the club's table of places, else of its first table."""
        pick = reading.pick(Node.sheet) or next(iter(reading.picks), None)
        if pick is None:
            return ()
        area = pick.block.area
        return rows_beside(ClubTable(self.book, pick.block, pick.block.title), range(area.top + 1, area.bottom + 1))

    def _rulebook_doubt(self, reading: BookReading) -> TableDoubt | None:
        if not self.other_rulebooks or RULEBOOK in self.answers:
            return None
        names = [self.ruleset.id, *self.other_rulebooks]
        finding = Finding(book_codes.ASK_RULEBOOK, "warning", Where(), {"list": Verbatim(", ".join(names))})
        return TableDoubt(RULEBOOK, finding, self._rows_of_places(reading), self.ruleset.id)

    def _scenario_doubt(self, reading: BookReading) -> TableDoubt | None:
        """Whether to take what the workbook lacks from a scenario, if that fits it."""
        self.lacking = []
        names = list(scenarios_of(self.ruleset))
        if not names:
            return None
        story = read_folder(scenario_folder(names[0], self.ruleset, self.lang), self.ruleset)[1]
        self.lacking = _lacking(reading, story, self.language)
        if not self.lacking or self.plan.scenario or SCENARIO in self.answers:
            return None
        data = {"list": Verbatim(", ".join(self.lacking)), "near": Verbatim(names[0])}
        return TableDoubt(SCENARIO, Finding(book_codes.ASK_SCENARIO, "warning", Where(), data),
                          self._rows_of_places(reading), "sì" if self.lang == "it" else "yes")

    def _scenario(self) -> Campaign | None:
        """The scenario's records, where one was named, or agreed to. Raises `Abort` for one that there is not."""
        said = self.plan.scenario or self.answers.get(SCENARIO, "yes" if self.lacking else NO_SCENARIO)
        if said == NO_SCENARIO or fold(said) in NO:
            return None
        folder = scenario_folder("" if fold(said) in YES else said, self.ruleset, self.lang)
        return read_folder(folder, self.ruleset)[1]

    # --- a campaign's workbook ------------------------------------------------------------------
    def make(self, reading: BookReading) -> Result:
        """Make the workbook a campaign's, or say what does not fit; nothing is changed before all fits."""
        plan = self.plan
        secret = dice_secret(plan.secret, self.lang)
        self.club.need_no_ledger(force=plan.force, words=self.words)
        self.notes.findings += reading.findings
        story = self._scenario()
        chosen = self._chosen_tables(reading, story)
        taken = read_tables(self.book, self.ruleset, self._desk(story, secret), chosen, self.notes)
        self._halt(self.notes.findings)
        campaign, lent = taken.campaign, Loans()
        if story is not None:
            lent = fill_from_scenario(self.ruleset, campaign, story, chosen)
            note_left_out(lent, self.notes)
            _note_unjoined(campaign, self.notes)
        else:
            _add_named_places(campaign)
        if not any("language" in p.columns for p in chosen if p.record.sheet == Faction.sheet):
            for club in campaign.table(Faction):  # they speak as the workbook does
                club.language = self.language
        check_clock(self.ruleset, campaign, self.notes, new=True)
        self._halt(self.notes.findings)
        _take_sides(chosen, taken)
        findings = prepare_and_check(self.ruleset, campaign)
        for event in campaign.table(Event):
            event.turn = event.turn or campaign.desk.turn
        self._copy_where_no_room(chosen, taken)
        words = Wording(self.ruleset, self.language, faction_names(campaign, self.language))
        text = words.text(N_("The club's workbook was taken on."))
        lines_now = desk_lines(self.ruleset, campaign, words, self.path.name if self.club.in_place else "", [text])
        data, written = Adoption(self.club.path, self.data, self.ruleset, chosen, self.notes).make(
            campaign, taken.rows, words, lines_now)
        remarks = [*self.notes.findings, *written.findings, *written.with_cells(findings)]
        if stops_on_scenario_sheet(lent, remarks):
            remarks.append(codes.finding(book_codes.SCENARIO_MISFIT, text=self.plan.scenario))
        self._halt(remarks)
        result = self._summary(reading, chosen, story)
        if self.agree is not None:
            self.agree(result)
            result.lines.clear()
        data = plan.dress(data, self.language) if plan.dress is not None else data
        self.club.replace(data, written, secret, "adopt", self.words)
        self.club.tell(result, written, self.ruleset, self.words)
        return result

    def _halt(self, findings: Sequence[Finding]) -> None:
        if any(f.stops for f in findings):
            raise Abort(Exit.REFUSED, unique_findings(findings), self.lang, self.words)

    def _chosen_tables(self, reading: BookReading, story: Campaign | None) -> list[TablePick]:
        """The tables that are taken: roads that make no sense give way to the scenario's."""
        made = next((p for p in reading.picks if p.record.sheet == Road.sheet and p.made is not None), None)
        if made is not None and reading.odd_roads:
            if story is not None and len(story.by_sheet(Road.sheet)):
                return [p for p in reading.picks if p is not made]
            for cell in reading.odd_roads:
                self.notes.add(book_codes.OWN_NEIGHBOUR, Where(Road.sheet), f"{made.block.title}!{cell}", {},
                               severity="warning")
        return reading.picks

    def _copy_where_no_room(self, chosen: Sequence[TablePick], taken: ClubRows) -> None:
        """A table to which rows must be added is copied where something stands in their way."""
        for p in chosen:
            rows = taken.rows.get(p.record.sheet)
            below = first_obstacle(self.book, p.block) if rows is not None else None
            if rows is not None and below is not None and (
                    below[0] <= p.block.area.bottom + len(taken.campaign.by_sheet(p.record.sheet)) - len(rows)):
                p.copied = True
                del taken.rows[p.record.sheet]
                self.notes.findings = [f for f in self.notes.findings if f.code != book_codes.NO_ROOM_BELOW
                                       or f.where.table != p.record.sheet]

    def _desk(self, story: Campaign | None, secret: bytes) -> Desk:
        """The settings: the scenario's, and what the command was given."""
        plan, record = self.plan, self.ruleset.record(Desk.sheet)
        desk: Any = story.desk.copy() if story is not None else record()
        desk.ruleset, desk.language, desk.format = self.ruleset.id, self.language, BOOK_FORMAT
        desk.title = plan.title or desk.title or self.path.stem
        desk.turn, desk.phase = plan.turn or desk.turn, plan.phase or desk.phase
        desk.campaign_id = campaign_id(secret)
        chosen: Desk = desk
        return chosen

    def _summary(self, reading: BookReading, chosen: Sequence[TablePick], story: Campaign | None) -> Result:
        """What was read as what, in a result."""
        result = Result("adopt", findings=[f for f in self.notes.findings if not f.stops], wording=self.words)
        read = self._protocol(reading)
        result.data.update(asked=[doubt.place for doubt in self.asked], read=read, ruleset=self.ruleset.id,
                           tables={p.record.sheet: p.block.title for p in chosen})
        for line in read:
            result.say(("   " * ("!" in line["place"] and bool(line["heading"]))) + line["text"])
        if self.lacking:
            result.say(self.words.text(N_("Not in the workbook, so as a new campaign has it: {list}.") if story is None
                                       else N_("Taken from the scenario: {list}."),
                                       list=Verbatim(", ".join(self.lacking))))
        return result

    # --- what was read ----------------------------------------------------------------------------
    def _protocol(self, reading: BookReading) -> list[dict[str, str]]:
        """What each table and column was read as, in words."""
        lines = []
        for table in reading.tables:
            picks = [p for p in reading.picks if p.block is table.block]
            lines.append(self._table_line(table.place, picks, len(max(table.texts.values(), key=len, default={}))))
            for i, heading in table.block.headings.items():
                means = [self._column_words(p, name) for p in picks for name in (*p.columns, *p.fills)
                         if i in (p.columns.get(name), p.fills.get(name))]
                if means:
                    told = {ours: max(learnt for field, learnt in means if field == ours) for ours, _ in means}
                    lines.append({"place": f"{table.place}!", "heading": heading, "is": means[0][0],
                                  "words": told[means[0][0]],
                                  "text": f"{heading}: " + "; ".join(f"{ours} {learnt}".strip()
                                                                     for ours, learnt in told.items())})
        return lines

    def _table_line(self, place: str, picks: Sequence[TablePick], rows: int) -> dict[str, str]:
        titles = ", ".join(dict.fromkeys(sheet_title(p.record, self.lang) for p in picks))
        used = {i for p in picks for i in (*p.columns.values(), *p.fills.values())}
        alone = [heading for i, heading in picks[0].block.headings.items() if i not in used] if picks else []
        text = self.words.plural(N_("{place}: {sheet}, {n} row."), N_("{place}: {sheet}, {n} rows."), rows,
                                 place=Verbatim(place), sheet=Verbatim(titles)) if picks else self.words.text(
            N_("{place}: left alone."), place=Verbatim(place))
        if any(p.copied for p in picks):
            text += " " + self.words.text(N_("Copied to a sheet of Arbitro's; yours stays as it is."))
        if alone:
            text += " " + self.words.text(N_("Left alone: {list}."), list=Verbatim(", ".join(alone)))
        return {"place": place, "heading": "", "is": titles, "words": "", "text": text}

    def _column_words(self, pick: TablePick, name: str) -> tuple[str, str]:
        """What a column was read as, and the words that were learnt."""
        lesson = pick.lessons.get(name)
        if name.startswith("*") or lesson is None or lesson.plain:
            return field_headings(pick.record, self.lang)[name], ""
        c, texts = pick.record.column(name), lesson.cells
        ours: dict[str, dict[str, None]] = {}
        for row, text in lesson.texts.items():
            if texts[row] in lesson.learnt:
                ours.setdefault(texts[row], {})[shown_word(c, text, self.lang) or "-"] = None
        pairs = [f"{word} = {' / '.join(list(codes)[:PAIRS_SHOWN])}" for word, codes in ours.items()]
        more = ", ..." if len(pairs) > PAIRS_SHOWN else ""
        return c.heading(self.lang), f"({', '.join(pairs[:PAIRS_SHOWN])}{more})"


def _lacking(reading: BookReading, story: Campaign, lang: str) -> list[str]:
    """What of the map a scenario can add to a club's workbook: tables, and columns of the places that both have."""
    places, roads = reading.pick(Node.sheet), reading.pick(Road.sheet)
    theirs = story.by_sheet(Node.sheet)
    if places is not None:
        codes_here = set(places.lessons["node"].texts.values()) if "node" in places.lessons else set()
        shared = [theirs[code] for code in sorted(codes_here) if code in theirs]
        # with less than half of its places in common it is another map
        if 2 * len(shared) < len(codes_here) or not shared:
            return []
    lacking = []
    for sheet, pick in ((Node.sheet, places), (Road.sheet, roads)):
        if (pick is None or (pick.made is not None and reading.odd_roads)) and len(story.by_sheet(sheet)):
            lacking.append(sheet_title(story.by_sheet(sheet).record, lang))
    if places is not None:
        lacking += [c.heading(lang) for c in places.record.columns()
                    if c.name not in (*places.columns, *places.fills) and c.name not in ("name_en", "name_it", "side")
                    and any(getattr(row, c.name) != c.default for row in shared)]
    return lacking


def _take_sides(chosen: Sequence[TablePick], taken: ClubRows) -> None:
    """Fill in the sides of the factions that the club names where the rulebook has their sides."""
    sides = {club.faction: str(getattr(club, "side", "")) for club in taken.campaign.table(Faction)}
    for p in chosen:
        for name, lesson in p.lessons.items():
            lesson.take_sides(sides)
            for row in lesson.sides:
                setattr(taken.places[p.record.sheet][row], name, lesson.texts[row])


def _note_unjoined(campaign: Campaign, notes: Notes) -> None:
    """A warning that names the places to which no way leads, where others are joined."""
    joined = {place for road in campaign.table(Road) for place in (road.a, road.b)}
    apart = [place.node for place in campaign.table(Node) if place.node not in joined]
    if joined and apart and len(apart) <= len(joined):
        notes.add(book_codes.UNJOINED, Where(Road.sheet), "", {"n": len(apart), "list": Verbatim(", ".join(apart))},
                  severity="warning")


def _add_named_places(campaign: Campaign) -> None:
    """Where the club keeps no table of places, and none is taken, those that its tables name are places."""
    if len(campaign.table(Node)):
        return
    record = campaign.by_sheet(Node.sheet).record
    for table in list(campaign.tables().values()):
        for c in table.record.columns():
            if isinstance(c.kind, Ref) and c.kind.table == Node.sheet:
                for row in list(table):
                    code = getattr(row, c.name)
                    if code and code not in campaign.table(Node):
                        campaign.table(Node).add(record(node=code))
