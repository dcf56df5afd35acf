"""`new`, `adopt`, `resolve`, `report` and `correct` by a form: what they need to know, asked in a window."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.records import Battle, Desk, Die, Event, FormRow, Order, Question
from assistant.campaign.tables import Record
from assistant.catalogues import LANGUAGES
from assistant.desk.commands.adopt import AdoptPlan, adopt
from assistant.desk.commands.new_campaign import NewPlan, new_campaign
from assistant.desk.commands.report import report
from assistant.desk.commands.resolve import Timing, resolve
from assistant.desk.commands.rulesets import scenarios_of
from assistant.desk.inputs import form_fields
from assistant.desk.intake.incoming import Input
from assistant.desk.past.amendments import AmendmentFinder, CorrectionRequest, distinct_names, naming, row_name
from assistant.desk.past.correct import Agree, CorrectionOptions, agree_to_nothing, correct, never_confirm
from assistant.desk.past.correct import Confirm as ConfirmCorrection
from assistant.desk.past.phase_chain import PhaseChain
from assistant.desk.play_phase import TurnPhase, phases_to_come
from assistant.desk.results import Confirm, Exit, FillIn, Form, FormField, Result, Tell, option_number, quiet
from assistant.desk.workspace.check_against_ledger import look_at_own_version, open_playable
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    GaveUp,
    Workspace,
    abort,
    catches_abort,
    playing_factions,
)
from assistant.ledger import Ledger, path_of_ledger
from assistant.reporting.duties import quote_order
from assistant.turn import codes
from assistant.turn.battle_form import cell_text, is_filled, row_as_line
from assistant.turn.dice import REFEREE
from assistant.turn.orders.verbs import as_order_book, format_order
from assistant.turn.rulebooks import installed_rulesets, load
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title
from assistant.workbook.read.csv_folder import parse_csv

UNTIL, DEFAULTS, ROBOT, SINCE = "until", "defaults", "robot", "since"
PHASES_OFFERED = 24
END_NOW = N_("the end of the campaign, now")


def ask_form(fill_in: FillIn, form: Form, words: Wording) -> Mapping[str, str]:
    """What was typed into a form. Raises `GaveUp`."""
    values = fill_in(form)
    if values is None:
        raise GaveUp(words)
    return values


def yes_no(words: Wording) -> tuple[str, str]:
    """Yes and no in a language."""
    return words.text(N_("yes")), words.text(N_("no"))


def _flag(name: str, label: str, words: Wording) -> FormField:
    """A value that is yes or no, and no at first."""
    options = yes_no(words)
    return FormField(name, words.text(label), options[1], options)


def _is_yes(value: str, words: Wording) -> bool:
    return value == yes_no(words)[0]


def faction_names_of(words: Wording, codes: Sequence[str]) -> tuple[str, ...]:
    """The names of factions, in the order of their codes."""
    return tuple(str(words.names.text(code, "faction")) for code in codes)


@catches_abort("resolve")
def resolve_by_form(at: BookPlace, fill_in: FillIn, *, lang: str = "", tell: Tell = quiet,
                    confirm: Confirm | None = None, timing: Timing) -> Result:
    """Ask how far to resolve and who answers for clubs that do not, and resolve so. Result data: as of `resolve`."""
    workspace = open_playable(at, lang)
    words, clubs = workspace.wording, playing_factions(workspace.campaign)
    ahead = list(islice(phases_to_come(workspace.ruleset, workspace.campaign), PHASES_OFFERED))
    shown = (*map(workspace.when, ahead), words.text(END_NOW))
    robots = (words.text(N_("nobody")), *faction_names_of(words, clubs))
    yes, no = yes_no(words)
    values = ask_form(fill_in, Form(
        (words.text(N_("Resolve to the end of which phase? It stops earlier where somebody has to answer.")),), (
            FormField(UNTIL, words.text(N_("Until")), shown[0], shown),
            FormField(DEFAULTS, words.text(N_("What is not answered takes the default answer")), no, (no, yes)),
            FormField(ROBOT, words.text(N_("Arbitro plays for")), robots[0], robots))), words)
    robot, number = option_number(robots, values[ROBOT]), option_number(shown, values[UNTIL])
    return resolve(at, until="" if number >= len(ahead) else f"{ahead[number].turn}.{ahead[number].phase}",
                   end=number >= len(ahead), robots=clubs[robot - 1:robot] if robot else (),
                   defaults=values[DEFAULTS] == yes, lang=lang, tell=tell, confirm=confirm,
                   timing=timing)


@catches_abort("report")
def report_by_form(at: BookPlace, folder: Callable[[str], Path], fill_in: FillIn, *, lang: str = "",
                   pictures: bool = False) -> Result:
    """Ask with which turn reports begin, and write them into the folder of that turn. Result data: as of `report`."""
    workspace = open_playable(at, lang)
    words, told = workspace.wording, [event.turn for _, event in workspace.campaign.table(Event).in_file_order()]
    shown = tuple(reversed(dict.fromkeys(told))) or (workspace.campaign.desk.turn,)
    since = ask_form(fill_in, Form((words.text(N_("Reports of a whole turn or more: from which turn on?")),),
                                   (FormField(SINCE, words.text(N_("Turn")), shown[0], shown),)), words)[SINCE]
    return report(at, folder(since), since=since if since in told else "", lang=lang, pictures=pictures)


# `new` and `adopt`.


Dress = Callable[[bytes, str], bytes]
"""What makes a workbook with buttons of a plain one, by its bytes and language."""
WITH, FILE, LANGUAGE, TITLE, TURN, PHASE, ANSWER = "with", "file", "language", "title", "turn", "phase", "answer"
LANGUAGE_NAMES = {"en": "English", "it": "italiano"}


@catches_abort("new")
def new_by_form(place: Path, fill_in: FillIn, *, lang: str, dress: Dress | None = None) -> Result:
    """Ask with which scenario a campaign begins and where its workbook goes, and make it; ask again, with what is
    wrong, until it works or the referee gives up. `place`: a folder. Result data: as of `new_campaign`, and ``path``.
    """
    words, offers = Wording(None, lang), _scenarios(lang)
    names = tuple(offers)
    usual = {WITH: names[0], FILE: str(place / f"{words.text(N_('campaign'))}.xlsx"), TITLE: ""}
    troubles: list[str] = []
    while True:
        values = ask_form(fill_in, Form((*troubles, words.text(N_("A new campaign, in a workbook of its own."))), (
            FormField(WITH, words.text(N_("Rulebook and scenario")), usual[WITH], names),
            FormField(TITLE, words.text(N_("Name of the campaign, if not the scenario's")), usual[TITLE]),
            FormField(FILE, words.text(N_("File of the workbook")), usual[FILE]), _language_field(words))), words)
        usual, path = dict(values), _with_suffix(Path(values[FILE].strip()).expanduser(), dress)
        ruleset, scenario = offers[values[WITH]]
        plan = NewPlan(ruleset, scenario, None, _language(values), values[TITLE].strip(), dress=dress, clicks=True)
        result = new_campaign(plan, path, lang=lang)
        if result.exit == Exit.DONE:
            result.data["path"] = str(path)
            return result
        troubles = [*result.finding_lines(), *result.lines]


@catches_abort("adopt")
def adopt_by_form(place: Path, fill_in: FillIn, *, lang: str, dress: Dress | None = None) -> Result:
    """Ask for a club's workbook, put the questions that it leaves, each in a window with the club's own rows, show what
    was read as what, and make a campaign of it in a new file beside it. `place`: the club's file, or a folder.

    Who gives up in any of the windows has changed nothing. Result data: as of `adopt`, and ``path``.
    """
    words = Wording(None, lang)
    books = {words.text(N_("what the workbook tells")): "", **{load(name).title: name for name in installed_rulesets()}}
    fields: tuple[FormField, ...] = (
        FormField(FILE, words.text(N_("The club's file")), str(place) if place.is_file() else "", file=True),
        FormField(WITH, words.text(N_("Rulebook")), next(iter(books)), tuple(books)),
        FormField(TURN, words.text(N_("The turn at which it stands, if it is under way"))),
        FormField(PHASE, words.text(N_("The phase that comes next, if it is under way"))), _language_field(words))
    told: tuple[str, ...] = ()
    while True:
        values = ask_form(fill_in, Form((*told, words.text(N_(
            "A workbook that the club already uses becomes a campaign's, in a new file beside it. It is read as it was"
            " last saved."))), fields), words)
        fields = tuple(replace(field, value=values[field.name]) for field in fields)
        own = Path(values[FILE].strip()).expanduser()
        path = _free_place(own, words, dress)
        plan = AdoptPlan(books[values[WITH]], language=_language(values), turn=values[TURN].strip(),
                         phase=values[PHASE].strip(), to=path, dress=dress if own.suffix != path.suffix else None)
        result = _converse(plan, own, fill_in, words)
        if not (result.findings or result.lines):
            raise GaveUp(words)
        if result.exit == Exit.DONE:
            result.data["path"] = str(path)
            return result
        told = (*result.finding_lines(), *result.lines)


def _converse(plan: AdoptPlan, own: Path, fill_in: FillIn, words: Wording) -> Result:
    """Adopt by windows. The result of who gives up has neither findings nor lines."""
    def ask(question: str, rows: Sequence[str], proposed: str) -> str:
        options = yes_no(words)
        field = FormField(ANSWER, words.text(N_("Answer")), proposed, options if proposed in options else ())
        values = fill_in(Form((*question.split("\n"), *rows), (field,)))
        if values is None:
            raise Abort(Exit.REFUSED, [], words.lang, words)
        return values[ANSWER]

    def agree(result: Result) -> None:
        head = words.text(N_("So it was read. OK makes the campaign, in {file}."), file=plan.to.name if plan.to else "")
        if fill_in(Form((head, *result.lines, *result.finding_lines()), ())) is None:
            raise Abort(Exit.REFUSED, [], words.lang, words)

    return adopt(plan, own, ask=ask, agree=agree, lang=words.lang)


def _scenarios(lang: str) -> dict[str, tuple[str, str]]:
    """What a campaign may begin with: in words -> rulebook and scenario."""
    offers = {}
    for ruleset in map(load, installed_rulesets()):
        words = Wording(ruleset, lang)
        for name, folder in scenarios_of(ruleset).items():
            desk = folder / f"{Desk.file}.csv"
            rows = dict(row[:2] for row in parse_csv(desk.read_bytes()) if len(row) > 1) if desk.is_file() else {}
            shown = campaign_title(Desk(title=rows.get("title", "") or name), words)
            offers[f"{ruleset.title}: {shown}"] = (ruleset.id, name)
    return offers


def _language_field(words: Wording) -> FormField:
    return FormField(LANGUAGE, words.text(N_("Language of the workbook")), LANGUAGE_NAMES[words.lang],
                     tuple(map(LANGUAGE_NAMES.__getitem__, LANGUAGES)))


def _language(values: Mapping[str, str]) -> str:
    return LANGUAGES[option_number(tuple(map(LANGUAGE_NAMES.__getitem__, LANGUAGES)), values[LANGUAGE])]


def _with_suffix(path: Path, dress: Dress | None) -> Path:
    """A file's name with the ending that a workbook has, with buttons or without."""
    stem = path.with_suffix("") if path.suffix.casefold() in (".xlsx", ".xlsm") else path
    return stem.with_name(f"{stem.name}{'.xlsx' if dress is None else '.xlsm'}")


def _free_place(own: Path, words: Wording, dress: Dress | None) -> Path:
    """A file beside the club's that is not there yet, nor a ledger for it."""
    suffix = own.suffix if own.suffix.casefold() == ".xlsm" else _with_suffix(own, dress).suffix
    names = (f"{own.stem}-{words.text(N_('campaign'))}{f' {n}' if n > 1 else ''}{suffix}" for n in count(1))
    return next(place for name in names if not (place := own.with_name(name)).exists()
                and not path_of_ledger(place).exists())


# `correct`: a phase, a row of it, what it should have said; then what would differ, and whether to write it.


ROW, LINE, WITHDRAW, FACTION, WHY, PARTLY = "row", "line", "withdraw", "faction", "why", "partly"
WHICH_PHASE = N_("Correct: in which phase was something wrong? The campaign is played again from there, with the same"
                 " dice, and nothing is written before you have seen what would differ.")
WHICH_ROW = N_("{when}: which row was wrong?")
NOTHING_READ = N_("{when}: no row was typed for it.")
SHOWN_LAST = N_("the correction that was shown last, as it was: {line}")
FORGOTTEN = N_("An order that was forgotten")
DIE_OF_TABLE = N_("A die that was thrown at the table")
MISSING = N_("{when} now needs answers that are not there. What you leave blank stays open.")
UP_TO_THERE = N_("Write it up to the phase that waits")
NEVER_GIVEN = {Order.sheet: N_("It was never given"), Die.sheet: N_("It was not thrown at the table")}


class CorrectableRow(NamedTuple):
    """A row that a phase has read. `text`: what it says, as it can be typed again; `head`: what comes before that in a
    line of a correction; `shown`: the row and what it says, in words;
    `asked`: the question that it answers, in full.
    """

    sheet: str
    key: str
    text: str
    head: str
    shown: str
    options: tuple[str, ...] = ()
    faction: str = ""
    asked: str = ""


@dataclass(frozen=True)
class _Wish:
    """What was asked for, with its options."""

    request: CorrectionRequest
    how: CorrectionOptions

    @property
    def text(self) -> str:
        """What is corrected, in one line."""
        asked = self.request
        lines = [source.text for source in asked.sources]
        return " ".join(filter(None, (asked.faction, asked.order, *asked.withdraw, *asked.untype, "; ".join(lines))))


@catches_abort("correct")
def correct_by_form(at: BookPlace, fill_in: FillIn, *, confirm: ConfirmCorrection = never_confirm,
                    agree: Agree = agree_to_nothing, lang: str = "", tell: Tell = quiet) -> Result:
    """Ask what was wrong, and correct it as `correct` does; answers that the replay lacks are asked for, too.

    Result data: as of `correct`; none where the referee gives up.
    """
    workspace = open_playable(at, lang)
    wish = _Questions(workspace, fill_in).ask()
    while True:
        result = correct(at, wish.request, wish.how, confirm=confirm, agree=agree, lang=lang, tell=tell)
        if result.exit != Exit.WAITING or not result.questions or wish.how.partly:
            _remember(workspace, wish, result)
            return result
        more = _with_answers(workspace, wish, result, fill_in)
        if more is None:
            return result
        wish = more


_KEPT = "correction"
"""The key under which the ledger keeps the correction that was shown last and not written."""


def _remember(workspace: Workspace, wish: _Wish, result: Result) -> None:
    """Keep a correction that was shown and not written, so that it need not be typed again; forget one that was."""
    if "committed" not in result.data:
        return
    asked = wish.request
    kept = "" if result.data["committed"] else json.dumps(
        {**vars(asked), "sources": [source.text for source in asked.sources], "why": wish.how.why}, sort_keys=True)
    with contextlib.suppress(Abort), workspace.open_ledger() as ledger:
        if ledger.read_note(_KEPT) != kept:
            ledger.note(_KEPT, kept)


def _last_wish(ledger: Ledger) -> _Wish | None:
    """The correction that was shown last and not written."""
    kept = json.loads(ledger.read_note(_KEPT) or "null")
    if kept is None:
        return None
    sources = tuple(Input(line, text=line) for line in kept["sources"])
    return _Wish(CorrectionRequest(sources, kept["faction"], kept["at"], kept["order"], tuple(kept["withdraw"]),
                                   tuple(kept["untype"])), CorrectionOptions(kept["why"]))


class _Questions:
    """The forms, one after the other."""

    def __init__(self, workspace: Workspace, fill_in: FillIn) -> None:
        self._workspace, self._fill_in, self._words = workspace, fill_in, workspace.wording

    def ask(self) -> _Wish:
        """What is to be corrected. Raises `Abort`, `GaveUp` where the referee does not want to go on."""
        workspace = self._workspace
        with workspace.ledger() as ledger:
            watched = look_at_own_version(workspace, ledger)
            chain = PhaseChain(workspace, ledger, watched)
            if not chain.moments:
                raise abort(Exit.REFUSED, codes.NO_PAST, workspace.lang, self._words, book=workspace.path.name)
            moment = self._moment(chain, _last_wish(ledger))
            rows = list(read_rows(workspace, chain, moment)) if isinstance(moment, TurnPhase) else []
        return self._row(moment, rows) if isinstance(moment, TurnPhase) else moment

    def _moment(self, chain: PhaseChain, last: _Wish | None) -> TurnPhase | _Wish:
        """The phase that is chosen, or the correction that was shown last."""
        latest: list[TurnPhase | _Wish] = list(dict.fromkeys(reversed(chain.moments)))
        shown = [self._workspace.when(moment) for moment in latest if isinstance(moment, TurnPhase)]
        if last is not None:
            latest.insert(0, last)
            shown.insert(0, self._words.text(SHOWN_LAST, line=Verbatim(last.text)))
        values = self._form((WHICH_PHASE,), FormField(PHASE, self._words.text(N_("Phase")), shown[0], tuple(shown)))
        return latest[option_number(shown, values[PHASE])]

    def _row(self, moment: TurnPhase, rows: Sequence[CorrectableRow]) -> _Wish:
        words, when = self._words, self._workspace.when(moment)
        more = [FORGOTTEN] if self._workspace.ruleset.phase(moment.phase).orders else []
        more += [DIE_OF_TABLE] if self._workspace.campaign.has(Die.sheet) else []
        shown = (*distinct_names([row.shown for row in rows], [row.key for row in rows]), *map(words.text, more))
        lines = (words.text(WHICH_ROW if rows else NOTHING_READ, when=Verbatim(when)),)
        values = self._form(lines, FormField(ROW, words.text(N_("Row")), shown[0], shown), worded=True)
        number = option_number(shown, values[ROW])
        if number < len(rows):
            return self._new_text(moment, rows[number])
        return self._ask_forgotten(moment) if more[number - len(rows)] == FORGOTTEN else self._die(moment)

    def _new_text(self, moment: TurnPhase, row: CorrectableRow) -> _Wish:
        words = self._words
        fields = [FormField(LINE, words.text(N_("It should have said")), row.text, row.options)]
        never = NEVER_GIVEN.get(row.sheet, "")
        if never:
            fields.append(_flag(WITHDRAW, never, words))
        values = self._form(tuple(filter(None, (row.shown, row.asked))), *fields, self._why(), worded=True)
        how, at = CorrectionOptions(values[WHY].strip()), f"{moment.turn}.{moment.phase}"
        if never and _is_yes(values[WITHDRAW], words):
            gone = (row.key,)
            return _Wish(CorrectionRequest(withdraw=gone) if row.sheet == Order.sheet
                         else CorrectionRequest(untype=gone), how)
        if values[LINE].strip() == row.text:
            return _Wish(CorrectionRequest(), how)
        return _Wish(_request(row.head + values[LINE].strip(), at=at, order=row.key if row.sheet == Order.sheet else "",
                              faction=row.faction), how)

    def _ask_forgotten(self, moment: TurnPhase) -> _Wish:
        words, clubs = self._words, playing_factions(self._workspace.campaign)
        names = faction_names_of(words, clubs)
        values = self._form((FORGOTTEN,), FormField(FACTION, words.text(N_("Faction")), names[0], names),
                            FormField(LINE, words.text(N_("The order in words"))), self._why())
        faction = clubs[option_number(names, values[FACTION])]
        return _Wish(_request(values[LINE].strip(), at=f"{moment.turn}.{moment.phase}", faction=faction),
                     CorrectionOptions(values[WHY].strip()))

    def _die(self, moment: TurnPhase) -> _Wish:
        words, die = self._words, self._workspace.campaign.table(Die)
        thrown = [row.key for key, row in die.in_file_order() if row.audience and "~" not in key
                  and (row.turn, row.phase) == moment]
        values = self._form((DIE_OF_TABLE,), FormField(ROW, words.text(N_("Purpose")), "", tuple(thrown)),
                            FormField(LINE, words.text(N_("It showed"))), self._why())
        line = f"die {values[ROW].strip()} {values[LINE].strip()}"
        return _Wish(_request(line, at=f"{moment.turn}.{moment.phase}"), CorrectionOptions(values[WHY].strip()))

    # --- parts of forms -------------------------------------------------------------------------
    def _why(self) -> FormField:
        return FormField(WHY, self._words.text(N_("Reason, for all whom it concerns")))

    def _form(self, lines: Sequence[str], *fields: FormField, worded: bool = False) -> Mapping[str, str]:
        shown = tuple(lines) if worded else tuple(map(self._words.text, lines))
        return ask_form(self._fill_in, Form(shown, fields), self._words)


def _request(line: str, *, at: str, faction: str = "", order: str = "") -> CorrectionRequest:
    return CorrectionRequest((Input(line, text=line),), faction, at, order)


def _with_answers(workspace: Workspace, wish: _Wish, result: Result, fill_in: FillIn) -> _Wish | None:
    """The wish with the answers that its replay lacks; None where the referee gives none."""
    words, waits = workspace.wording, result.data["waits"]
    fields = [FormField(q.question, result.question_text(q)) for q in result.questions]
    values = fill_in(Form((words.text(MISSING, when=Verbatim(workspace.when(TurnPhase(**waits)))),),
                          (*fields, _flag(PARTLY, UP_TO_THERE, words))))
    if values is None:
        return None
    lines = [_answer_line(q, text) for q in result.questions if (text := values[q.question].strip())]
    partly = _is_yes(values[PARTLY], words)
    if not (lines or partly):
        return None
    sources = (*wish.request.sources, *(Input(line, text=line) for line in lines))
    return _Wish(replace(wish.request, sources=sources), replace(wish.how, partly=partly))


def _answer_line(asked: Question, text: str) -> str:
    """A line that answers a question; to the referee, who is asked for a battle's result, that is the result."""
    options = [option.casefold() for option in asked.options.split(", ")]
    if asked.to == REFEREE and asked.about and text.split(maxsplit=1)[0].casefold() not in options:
        return f"battle {asked.about} {text}"
    return f"answer {asked.question} {text}"


# Rows of a phase.


def read_rows(workspace: Workspace, chain: PhaseChain, moment: TurnPhase) -> Iterator[CorrectableRow]:
    """What people had typed for a resolved phase: orders, answers, forms of battles, dice of the table."""
    words = naming(workspace.wording, workspace.ruleset, workspace.campaign)
    for key, row in AmendmentFinder(workspace, chain, CorrectionRequest()).read_at(moment):
        named = row_name(row, workspace.ruleset, words, workspace.campaign)
        if isinstance(row, Order):
            yield CorrectableRow(row.sheet, key, _order_text(row, workspace), "", named, faction=row.faction)
        elif isinstance(row, Question):
            options = tuple(row.options.split(", ")) if row.options else ()
            options = options if row.answer.strip() in options else ()
            yield CorrectableRow(row.sheet, key, row.answer.strip(), f"answer {key} ",
                                 f"{named}: {words.options(row.answer.strip())}", options,
                                 "" if row.to == REFEREE else row.to, words.question(row))
        elif isinstance(row, Die):
            yield CorrectableRow(row.sheet, key, str(row.value), f"die {row.key} ", f"{named}: {row.value}")
        else:
            assert isinstance(row, (Battle, FormRow))
            yield CorrectableRow(row.sheet, key, _form_text(row), f"battle {row.battle} ",
                                 f"{named}: {_form_text(row)}")


def _order_text(order: Order, workspace: Workspace) -> str:
    """An order as its line is read; what the club remarked on it is no part of that."""
    book = as_order_book(workspace.ruleset.verbs)
    values = {name: text for name, text in order.as_text().items() if name != "note"}
    line = format_order(book, values, workspace.lang) if order.verb and not order.text else ""
    return line or quote_order(order, workspace.ruleset, workspace.lang)


def _form_text(row: Record) -> str:
    """What people have typed into a row of a battle's form, without remarks of several words."""
    if isinstance(row, FormRow):
        return row_as_line(row)
    texts = {name: cell_text(row, name) for name in form_fields(type(row)) if is_filled(row, name)}
    return " ".join(f"{name}={text}" for name, text in texts.items() if " " not in text)
