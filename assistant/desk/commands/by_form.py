"""`new`, `adopt`, `resolve` and `report` by a form: their options, in a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from assistant.campaign.records import Desk, Event
from assistant.catalogues import LANGUAGES
from assistant.desk.commands.adopt import AdoptPlan, adopt
from assistant.desk.commands.new_campaign import NewPlan, new_campaign
from assistant.desk.commands.report import report
from assistant.desk.commands.resolve import Confirm, Timing, resolve
from assistant.desk.commands.rulesets import scenarios_of
from assistant.desk.forms import FillIn, Form, FormField, chosen
from assistant.desk.play_phase import TurnPhase, phases_to_come
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.version_check import abort_on_data
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    open_workspace,
    playing_factions,
)
from assistant.ledger import path_of_ledger
from assistant.turn.ruleset import installed, load
from assistant.turn.texts import N_
from assistant.wording import Wording, campaign_title
from assistant.workbook.read.csv_folder import parse_csv

UNTIL, DEFAULTS, ROBOT, SINCE = "until", "defaults", "robot", "since"
PHASES_OFFERED = 24
END_NOW = N_("the end of the campaign, now")


def ask_about(at: BookPlace, command: str, lang: str, fill_in: FillIn, form: Callable[[Workspace], Form]
              ) -> tuple[Workspace, Mapping[str, str]] | Result:
    """The workspace and the values of a form about it; a result where there is none, or where the referee gives up."""
    try:
        sitting = open_workspace(at, lang)
        abort_on_data(sitting)
    except Abort as stopped:
        return stopped.result(command)
    values = fill_in(form(sitting))
    if values is not None:
        return sitting, values
    result = Result(command, Exit.REFUSED, wording=sitting.wording)
    result.say(sitting.wording.text(N_("Nothing was changed.")))
    return result


def faction_names_of(words: Wording, codes: Sequence[str]) -> tuple[str, ...]:
    """The names of factions, in the order of their codes."""
    return tuple(str(words.names.text(code, "faction")) for code in codes)


def resolve_by_form(at: BookPlace, fill_in: FillIn, *, lang: str = "", tell: Tell = quiet,
                    confirm: Confirm | None = None, timing: Timing) -> Result:
    """Ask how far to resolve and who answers for clubs that do not, and resolve so. Result data: as of `resolve`."""
    def form(sitting: Workspace) -> Form:
        words = sitting.wording
        shown = _phases(sitting)
        no, yes = words.text(N_("no")), words.text(N_("yes"))
        nobody = words.text(N_("nobody"))
        return Form((words.text(N_("Resolve to the end of which phase? It stops earlier where somebody has to"
                                   " answer.")),), (
            FormField(UNTIL, words.text(N_("Until")), shown[0], shown),
            FormField(DEFAULTS, words.text(N_("What is not answered takes the default answer")), no, (no, yes)),
            FormField(ROBOT, words.text(N_("Arbitro plays for")), nobody,
                      (nobody, *faction_names_of(words, playing_factions(sitting.campaign))))))

    got = ask_about(at, "resolve", lang, fill_in, form)
    if isinstance(got, Result):
        return got
    sitting, values = got
    words, clubs, shown = sitting.wording, playing_factions(sitting.campaign), _phases(sitting)
    robot, number = chosen(("", *faction_names_of(words, clubs)), values[ROBOT]), chosen(shown, values[UNTIL])
    ahead = _ahead(sitting)
    return resolve(at, until="" if number >= len(ahead) else f"{ahead[number].turn}.{ahead[number].phase}",
                   end=number >= len(ahead), robots=clubs[robot - 1:robot] if robot else (),
                   defaults=values[DEFAULTS] == words.text(N_("yes")), lang=lang, tell=tell, confirm=confirm,
                   timing=timing)


def _ahead(sitting: Workspace) -> list[TurnPhase]:
    return list(islice(phases_to_come(sitting.ruleset, sitting.campaign), PHASES_OFFERED))


def _phases(sitting: Workspace) -> tuple[str, ...]:
    """The phases to come, in words, and the end of the campaign."""
    return (*map(sitting.when, _ahead(sitting)), sitting.wording.text(END_NOW))


def report_by_form(at: BookPlace, folder: Callable[[str], Path], fill_in: FillIn, *, lang: str = "",
                   pictures: bool = False) -> Result:
    """Ask with which turn reports begin, and write them into the folder of that turn. Result data: as of `report`."""
    def turns(sitting: Workspace) -> list[str]:
        told = dict.fromkeys(event.turn for _, event in sitting.campaign.table(Event).in_file_order())
        return list(reversed(told))

    def form(sitting: Workspace) -> Form:
        words, shown = sitting.wording, tuple(turns(sitting) or [sitting.campaign.desk.turn])
        return Form((words.text(N_("Reports of a whole turn or more: from which turn on?")),),
                    (FormField(SINCE, words.text(N_("Turn")), shown[0], shown),))

    got = ask_about(at, "report", lang, fill_in, form)
    if isinstance(got, Result):
        return got
    since = got[1][SINCE]
    return report(at, folder(since), since=since if since in turns(got[0]) else "", lang=lang, pictures=pictures)


# `new` and `adopt`.


Dress = Callable[[bytes, str], bytes]
"""What makes a workbook with buttons of a plain one, by its bytes and language."""
WITH, FILE, LANGUAGE, TITLE, TURN, PHASE, ANSWER = "with", "file", "language", "title", "turn", "phase", "answer"
LANGUAGE_NAMES = {"en": "English", "it": "italiano"}


def new_by_form(place: Path, fill_in: FillIn, *, lang: str, dress: Dress | None = None) -> Result:
    """Ask with which scenario a campaign begins and where its workbook goes, and make it; ask again, with what is
    wrong, until it works or the referee gives up. `place`: a folder. Result data: as of `new_campaign`, and ``path``.
    """
    words, offers = Wording(None, lang), _scenarios(lang)
    names = tuple(offers)
    usual = {WITH: names[0], FILE: str(place / f"{words.text(N_('campaign'))}.xlsx"), TITLE: ""}
    troubles: list[str] = []
    while True:
        values = fill_in(Form((*troubles, words.text(N_("A new campaign, in a workbook of its own."))), (
            FormField(WITH, words.text(N_("Rulebook and scenario")), usual[WITH], names),
            FormField(TITLE, words.text(N_("Name of the campaign, if not the scenario's")), usual[TITLE]),
            FormField(FILE, words.text(N_("File of the workbook")), usual[FILE]), _language_field(words))))
        if values is None:
            return _given_up("new", words)
        usual, path = dict(values), _suffixed(Path(values[FILE].strip()).expanduser(), dress)
        ruleset, scenario = offers[values[WITH]]
        plan = NewPlan(ruleset, scenario, None, _language(values), values[TITLE].strip(), dress=dress, clicks=True)
        result = new_campaign(plan, path, lang=lang)
        if result.exit == Exit.DONE:
            result.data["path"] = str(path)
            return result
        troubles = [*result.finding_lines(), *result.lines]


def adopt_by_form(place: Path, fill_in: FillIn, *, lang: str, dress: Dress | None = None) -> Result:
    """Ask for a club's workbook, put the questions that it leaves, each in a window with the club's own rows, show what
    was read as what, and make a campaign of it in a new file beside it. `place`: the club's file, or a folder.

    Who gives up in any of the windows has changed nothing. Result data: as of `adopt`, and ``path``.
    """
    words = Wording(None, lang)
    books = {words.text(N_("what the workbook tells")): "", **{load(name).title: name for name in installed()}}
    fields: tuple[FormField, ...] = (
        FormField(FILE, words.text(N_("The club's file")), str(place) if place.is_file() else "", file=True),
        FormField(WITH, words.text(N_("Rulebook")), next(iter(books)), tuple(books)),
        FormField(TURN, words.text(N_("The turn at which it stands, if it is under way"))),
        FormField(PHASE, words.text(N_("The phase that comes next, if it is under way"))), _language_field(words))
    told: tuple[str, ...] = ()
    while True:
        values = fill_in(Form((*told, words.text(N_("A workbook that the club already uses becomes a campaign's, in a"
                                                    " new file beside it. It is read as it was last saved."))), fields))
        if values is None:
            return _given_up("adopt", words)
        fields = tuple(replace(field, value=values[field.name]) for field in fields)
        own = Path(values[FILE].strip()).expanduser()
        path = _free_place(own, words, dress)
        plan = AdoptPlan(books[values[WITH]], language=_language(values), turn=values[TURN].strip(),
                         phase=values[PHASE].strip(), to=path, dress=dress if own.suffix != path.suffix else None)
        result = _converse(plan, own, fill_in, words)
        if result.exit == Exit.DONE or not (result.findings or result.lines):
            result.data["path"] = str(path)
            return result if result.exit == Exit.DONE else _given_up("adopt", words)
        told = (*result.finding_lines(), *result.lines)


def _converse(plan: AdoptPlan, own: Path, fill_in: FillIn, words: Wording) -> Result:
    """Adopt by windows. The result of who gives up has neither findings nor lines."""
    def ask(question: str, rows: Sequence[str], proposed: str) -> str:
        yes = (words.text(N_("yes")), words.text(N_("no")))
        field = FormField(ANSWER, words.text(N_("Answer")), proposed, yes if proposed in yes else ())
        values = fill_in(Form((*question.split("\n"), *rows), (field,)))
        if values is None:
            raise Abort(Exit.REFUSED, [], words.lang, words)
        return values[ANSWER]

    def agree(result: Result) -> None:
        head = words.text(N_("So it was read. OK makes the campaign, in {file}."), file=plan.to.name if plan.to else "")
        if fill_in(Form((head, *result.lines, *result.finding_lines()), ())) is None:
            raise Abort(Exit.REFUSED, [], words.lang, words)

    return adopt(plan, own, ask=ask, agree=agree, lang=words.lang)


def _given_up(command: str, words: Wording) -> Result:
    result = Result(command, Exit.REFUSED, wording=words)
    result.say(words.text(N_("Nothing was changed.")))
    return result


def _scenarios(lang: str) -> dict[str, tuple[str, str]]:
    """What a campaign may begin with: in words -> rulebook and scenario."""
    offers = {}
    for ruleset in map(load, installed()):
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
    return LANGUAGES[chosen(tuple(map(LANGUAGE_NAMES.__getitem__, LANGUAGES)), values[LANGUAGE])]


def _suffixed(path: Path, dress: Dress | None) -> Path:
    """A file's name with the ending that a workbook has, with buttons or without."""
    stem = path.with_suffix("") if path.suffix.casefold() in (".xlsx", ".xlsm") else path
    return stem.with_name(f"{stem.name}{'.xlsx' if dress is None else '.xlsm'}")


def _free_place(own: Path, words: Wording, dress: Dress | None) -> Path:
    """A file beside the club's that is not there yet, nor a ledger for it."""
    suffix = own.suffix if own.suffix.casefold() == ".xlsm" else _suffixed(own, dress).suffix
    names = (f"{own.stem}-{words.text(N_('campaign'))}{f' {n}' if n > 1 else ''}{suffix}" for n in count(1))
    return next(place for name in names if not (place := own.with_name(name)).exists()
                and not path_of_ledger(place).exists())
