"""`rules` and its booklet, `rulesets`, `house`, `verbs`: what a rulebook declares, and new ones."""

from __future__ import annotations

import inspect
import keyword
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Codes, Ref
from assistant.campaign.records import Battle, Desk, Die, Event, Faction, FindingRow, Node, Order, Question, Rule
from assistant.campaign.tables import Record, Table
from assistant.desk.commands.report import reports_folder
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.workspace import (
    Abort,
    abort,
    catches_abort,
    faction_code,
    folder_faults,
    open_workspace,
    require_folder,
)
from assistant.draft_ruleset import (
    QUESTIONS,
    DraftQuestion,
    WrongAnswer,
    house_package,
    names_of,
    new_package,
    read_answer_file,
    read_answers,
)
from assistant.environment import machine_language, scenario_names, shipped_scenario
from assistant.ledger.store import PACKAGE_KEY
from assistant.reporting.booklet import build_booklet
from assistant.reporting.pages import as_plain_values
from assistant.reporting.render import render_booklet
from assistant.speech import option_words, rule_sentence, with_unit
from assistant.turn import codes
from assistant.turn.dice import Purpose
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import Number, Switch, starting_values, write_values
from assistant.turn.orders.verbs import OrderCard, as_order_book, order_line
from assistant.turn.phases import campaign_of_orders, check_campaign
from assistant.turn.rulebooks import UnfitRuleset, installed_rulesets, load, named_steps, package_text
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.adoption_match import TablePick, alike_names
from assistant.workbook.layout import label
from assistant.workbook.read.csv_folder import read_folder
from assistant.workbook.read.grid import Notes
from assistant.workbook.save import write_files

# --- rulesets -------------------------------------------------------------------------------------
# `rules` and its booklet, `rulesets`, `verbs`, the linter: what a rulebook declares; what its scenarios lend.

# `rules`, `rulesets`.


BOOKLET_LABELS = {"when": "when", "form": "shown", "columns": "columns", "cost": "cost"}
"""What the rules booklet shows of an order card, and the label of each on the sheet Order card."""
WORKBOOK_SUFFIXES = (".xlsx", ".xlsm")
"""How the name of a workbook ends; a ruleset's id never does."""


def find_ruleset(name: str, lang: str = "") -> Ruleset:
    """The installed ruleset of an id. Raises `Abort` when there is none such, or when it cannot be used."""
    try:
        return load(name)
    except KeyError as no:
        raise abort(Exit.USAGE, codes.NO_SUCH_RULESET, lang, ruleset=name, list=", ".join(installed_rulesets())) from no
    except UnfitRuleset as unfit:
        raise Abort(Exit.REFUSED, [unfit.finding], lang) from unfit


def scenarios_of(ruleset: Ruleset) -> dict[str, Path]:
    """The scenarios that come with a ruleset, its own before those of a book that it builds on: name -> folder."""
    scenarios: dict[str, Path] = {}
    for home in ruleset.homes():
        for name in scenario_names(home.ruleset, home.folder):
            scenarios.setdefault(name, shipped_scenario(home.ruleset, name, home.folder))
    return scenarios


@catches_abort("rules")
def rules(of: str, *, lang: str = "") -> Result:
    """Every number and switch of a rulebook. `of`: its id, or the path of a workbook, whose values it then shows.

    Result data: ``rules``: key, value: what is in force, default, options, unit, source, tag, meaning: the rule with
    this value as a sentence; of a switch also words: the name of each option, and begins: the option that is typed into
    the Rules of a new campaign, "" for none.
    """
    ruleset, campaign, words = _book_and_campaign(of, lang)
    result = Result("rules", wording=words)
    values = ruleset.rules(campaign)
    result.data.update(ruleset=ruleset.id, title=ruleset.title, editions=list(ruleset.editions),
                       rules=[_rule_data(rule, values[rule.key], words) for rule in ruleset.numbers])
    for rule in result.data["rules"]:
        amount = with_unit(rule["value"], rule["unit"])
        result.say(f"{rule['key']} = {amount}  [{rule['source']}]  {rule['meaning']}")
        for option in rule["options"]:
            result.say(f"    {_option_label(option, rule, words)}")
    return result


def _is_workbook(of: str) -> bool:
    return Path(of).suffix.casefold() in WORKBOOK_SUFFIXES


def _book_and_campaign(of: str, lang: str) -> tuple[Ruleset, Campaign, Wording]:
    """The rulebook of an id, with an empty campaign, or of the workbook at a path, with its campaign; their words.

    Raises `Abort` for an unknown id and for a workbook that cannot be read.
    """
    if _is_workbook(of):
        workspace = open_playable(Path(of), lang)
        return workspace.ruleset, workspace.campaign, Wording(workspace.ruleset,
                                                              lang or workspace.campaign.desk.language)
    ruleset = find_ruleset(of, lang)
    campaign = Campaign(ruleset.records)
    campaign.table(Desk).add(campaign.table(Desk).record(ruleset=ruleset.id, turn=ruleset.calendar.first))
    return ruleset, campaign, Wording(ruleset, lang or machine_language())


@catches_abort("rules")
def booklet(of: str, folder: Path | None = None, *, lang: str = "") -> Result:
    """Write the rules booklet: what a club needs at the table, as one HTML page for screen and print.

    `of`: the id of a rulebook, or the path of a workbook, whose numbers and house rules it then has; `folder`: where it
    is put, by default among the workbook's reports, or here. Result data: ``file``.
    """
    ruleset, campaign, words = _book_and_campaign(of, lang)
    into = folder or (reports_folder(Path(of)) if _is_workbook(of) else Path())
    name = f"{Path(of).stem}-rules-{words.lang}.html"
    labels = {field: label(f"card_{name}", words.lang) for field, name in BOOKLET_LABELS.items()}
    with folder_faults(into, N_("the rules booklet"), lang):
        write_files(into, {name: render_booklet(build_booklet(ruleset, campaign, words, labels)).encode()})
    result = Result("rules", wording=words)
    result.data.update(file=str(into / name))
    result.say(words.text(N_("The rules booklet is in {file}; print it from the browser."), file=str(into / name)))
    return result


def _option_label(option: str, rule: dict[str, Any], words: Wording) -> str:
    """An option of a switch, by its key and in words, with a mark on what counts if nothing is chosen, in every edition
    or in one.
    """
    called = rule["words"][option]
    text = option if called in (option, "") else f"{option}: {called}" if option else called
    by_edition = {edition: o for edition, o in rule["by_edition"].items() if o != rule["default"]}
    editions = [edition for edition, o in by_edition.items() if o == option]
    if editions:
        text = words.text(N_("{option} (by the book, edition {list})"), option=Verbatim(text),
                          list=Verbatim(", ".join(editions)))
    elif option == rule["default"]:
        text = words.text(N_("{option} (by the book)"), option=Verbatim(text))
    if option and option == rule["begins"]:
        text = words.text(N_("{option} (new campaigns begin with it)"), option=Verbatim(text))
    return text


def _rule_data(rule: Number | Switch, value: Any, words: Wording) -> dict[str, Any]:
    shared = {"key": rule.key, "value": value, "default": rule.default, "source": words.printed_chapter(rule.source),
              "meaning": rule_sentence(rule, value, words)}
    if isinstance(rule, Number):
        return {**shared, "options": [], "unit": words.text(rule.unit, n=value) if rule.unit else "", "tag": rule.tag}
    return {**shared, "options": list(rule.options), "unit": "", "tag": "",
            "words": {option: option_words(rule, option, words) for option in rule.options},
            "by_edition": dict(rule.by_edition or {}), "begins": rule.begins}


def rulesets(*, lang: str = "") -> Result:
    """The rulebooks that are installed, and findings about those that cannot be used.

    Result data: ``rulesets``: id, title, version, author, scenarios, place, and ``tempers``: word of each temper of its
    robots -> what such a robot does.
    """
    result = Result("rulesets", wording=Wording(None, lang or machine_language()))
    usable = []
    for name, place in installed_rulesets().items():
        try:
            ruleset = load(name)
        except UnfitRuleset as unfit:
            result.find([unfit.finding])
            continue
        brought = list(scenarios_of(ruleset))
        words = Wording(ruleset, lang or machine_language())
        tempers = {temper.word: str(words.text(temper.text)) for temper in ruleset.tempers}
        usable.append({"id": name, "title": ruleset.title, "version": ruleset.version, "author": ruleset.author,
                      "editions": list(ruleset.editions), "scenarios": brought, "place": place, "tempers": tempers})
        result.say(f"{name}: {ruleset.title}" + (f" ({', '.join(brought)})" if brought else ""))
        for word, text in tempers.items():
            result.say(f"  --temper {word}: {text}")
    result.data["rulesets"] = usable
    return result


# `verbs`.


LEGAL_A_UNIT = 3
"""How many orders with one verb are listed for each unit."""


@catches_abort("verbs")
def verbs(of: str, *, faction: str = "", everything: bool = False, lang: str = "") -> Result:
    """What can be ordered. Changes nothing.

    `of`: the id of a rulebook, or the path of a workbook: then only what the phases to come of its turn take, with its
    codes; `faction`: whose codes the examples use; `everything`: also what cannot be ordered now. Result data:
    ``ruleset``, ``turn``, ``verbs``: the parts of `assistant.turn.orders.verbs.OrderCard`; ``legal``: verb -> lines
    that the faction may order as things stand.
    """
    if _is_workbook(of):
        workspace = open_workspace(Path(of), lang)
        campaign, ruleset, words, now = workspace.campaign, workspace.ruleset, workspace.wording, not everything
        whose = faction_code(campaign, faction, words)
        told = ruleset.view(campaign, whose) if whose else campaign
    else:
        ruleset, now = find_ruleset(of, lang), False
        words = Wording(ruleset, lang or machine_language())
        told = _example_campaign(ruleset)
        whose = faction_code(told, faction, words)
    now = now and not ruleset.is_over(told)
    told = campaign_of_orders(ruleset, told) if now else told
    cards = ruleset.order_cards(told, words.lang, words.text, whose, now=now)
    result = Result("verbs", wording=words)
    legal = _legal_lines(ruleset, told, whose, words.lang)
    result.data.update(ruleset=ruleset.id, turn=told.desk.turn if now else "", verbs=as_plain_values(tuple(cards)),
                       legal=legal)
    for card in cards:
        result.lines += [*_card_lines(card, words), *(f"    {line}" for line in legal.get(card.verb, ())), ""]
    result.say(words.plural(N_("{n} kind of order."), N_("{n} kinds of order."), len(cards)))
    if now:
        result.say(words.text(N_("They may still be given in {turn}; --all lists all that the rulebook knows."),
                              turn=Verbatim(ruleset.turn_name(told.desk.turn, words.lang))))
    return result


def _example_campaign(ruleset: Ruleset) -> Campaign:
    """The first scenario of a ruleset, whose codes the examples use; an empty campaign where it has none."""
    for folder in scenarios_of(ruleset).values():
        return read_folder(folder, ruleset)[1]
    return Campaign(ruleset.records)


def _card_lines(card: OrderCard, words: Wording) -> list[str]:
    """One verb: what it is called, when it may be given, what it does, what to write where, an example, its price."""
    parts = {name: getattr(card, name) for name in ("columns", "shown", "cost", "also")}
    return [f"{card.verb} ({card.when})", f"  {card.help}",
            *(f"  {label(f'card_{name}', words.lang)}: {text}" for name, text in parts.items() if text)]


def _legal_lines(ruleset: Ruleset, view: Campaign, faction: str, lang: str) -> dict[str, list[str]]:
    """Lines that a faction may order now, by the word of their verb: a few a unit."""
    book, lines = as_order_book(ruleset.verbs), dict[str, list[str]]()
    for order in ruleset.legal_orders(view, faction, limit=LEGAL_A_UNIT, ahead=True) if faction else ():
        lines.setdefault(book[order.verb].word(lang), []).append(order_line(book, view, order.fields, lang))
    return lines


# A campaign of a rulebook, before its first phase.


def prepare_and_check(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Bring the records into their form and check them; what must be put right before the first phase.

    Of a switch on which they are silent they say from here on what the book begins with; a campaign of which phases
    were played, such as an exported one, keeps the default that it was played by.
    """
    ruleset.fold(campaign)
    ruleset.prepare(campaign)
    rules = campaign.table(Rule)
    if not any(event.phase for event in campaign.table(Event)):
        write_values(rules, starting_values(ruleset.numbers, ruleset.typed_rules(rules)))
    return check_campaign(ruleset, campaign)


# What a club's own workbook lacks, taken from a scenario.


PLAYED_TABLES: tuple[type[Record], ...] = (Order, Question, Battle, Die, Event, FindingRow)
"""Tables of a scripted year that a new campaign of the same scenario starts without."""
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
    lent = _lend(campaign, _in_club_codes(story, campaign), chosen)
    while True:
        trial = campaign.copy()
        findings = prepare_and_check(ruleset, trial)  # the rulebook adds rows of its own, such as the neutrals
        # what it refuses may hang on what names nothing, so that goes first
        bad = list(_dangling(campaign, _idents(trial), lent)) or list(_refusals(campaign, findings, lent))
        if not bad:
            return lent
        for sheet, key, name in bad:
            _leave_out(campaign, sheet, key, name, lent, _neutral_faction(trial))


def note_left_out(lent: Loans, notes: Notes) -> None:
    """Add findings about what was left out, sheet by sheet, with what to do about it."""
    for sheet, rows in lent.out.items():
        notes.add(codes.SCENARIO_ROWS_OUT, Where(sheet), "", {**_rows_data(rows), "sheet": sheet},
                  severity="warning")
    for (sheet, name, new), rows in lent.instead.items():
        notes.add(codes.SCENARIO_NEUTRAL if new else codes.SCENARIO_CELLS_BLANK, Where(sheet, "", name), "",
                  {**_rows_data(rows), "sheet": sheet, "new": new}, severity="warning")


def _rows_data(rows: Sequence[str]) -> dict[str, Any]:
    more = ", …" if len(rows) > ROWS_NAMED else ""
    return {"n": len(rows), "seen": ", ".join(rows[:ROWS_NAMED]) + more}


def stops_on_scenario_sheet(lent: Loans, findings: Sequence[Finding]) -> bool:
    """Whether a finding stops on a sheet that comes entirely from the scenario, where the club can fix nothing."""
    return any(f.stops and f.where.table in lent.tables for f in findings)


def _lend(campaign: Campaign, story: Campaign, chosen: Sequence[TablePick]) -> Loans:
    lent = Loans()
    left_out = {Desk.sheet, *(record.sheet for record in PLAYED_TABLES)}
    mine = {p.record.sheet: p for p in chosen if p.record.sheet not in left_out}
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


def _in_club_codes(story: Campaign, campaign: Campaign) -> Campaign:
    """The scenario with the club's codes for those of its factions that are the same ones."""
    ours = matching_factions(story, campaign)
    told = story.copy()
    for table in story.tables().values():
        renamed: Table[Any] = Table(table.record)
        for _, row in table.in_file_order():
            other = row.copy()
            for c in row.columns():
                names_faction = isinstance(c.kind, Ref) and c.kind.table == Faction.sheet
                if names_faction or (c.key and table.record.sheet == Faction.sheet):
                    setattr(other, c.name, ours.get(getattr(row, c.name), getattr(row, c.name)))
            renamed.add(other)
        told.put(renamed)
    return told


ALIKE = 85
"""How like the names of two factions must be, of 100."""


def matching_factions(story: Campaign, campaign: Campaign) -> dict[str, str]:
    """Scenario's faction -> the club's: of the same code, of a name that is like it, or with the same places."""
    def likeness(theirs: Faction, own: Faction) -> float:
        named = [name for name in (own.faction, own.name_en, own.name_it) if len(name) > 3]
        return max((alike_names(a, b) for a in named for b in (theirs.name_en, theirs.name_it) if b), default=0)

    free = {own.faction: own for own in campaign.table(Faction)}
    ours = {theirs.faction: theirs.faction for theirs in story.table(Faction) if free.pop(theirs.faction, None)}
    rest = [theirs for theirs in story.table(Faction) if theirs.faction not in ours]
    near = sorted((-likeness(theirs, own), theirs.faction, own.faction) for theirs in rest for own in free.values())
    held = Counter((_holder(story.table(Node)[key]), _holder(place)) for key, place in campaign.table(Node).items()
                   if key in story.table(Node))
    seated = sorted((-count, theirs, own) for (theirs, own), count in held.items() if theirs and own)
    for _, theirs, own in [*((score, a, b) for score, a, b in near if -score >= ALIKE), *seated]:
        if theirs not in ours and own in free and theirs in story.table(Faction):
            ours[theirs] = free.pop(own).faction
    return ours


def _holder(place: Node) -> str:
    return str(getattr(place, "owner", "") or getattr(place, "home", ""))


def _idents(campaign: Campaign) -> dict[str, set[str]]:
    return {sheet: {row.ident.casefold() for row in table} for sheet, table in campaign.tables().items()}


def _dangling(campaign: Campaign, known: Mapping[str, set[str]], lent: Loans) -> Iterator[tuple[str, str, str]]:
    """Values from the scenario that refer to rows which do not exist: sheet, key of the row, field."""
    for sheet, table in campaign.tables().items():
        for key, row in table.items():
            for c in row.columns():
                if c.kind.table and lent.has(sheet, key, c.name) and c.kind.table in known:
                    value = getattr(row, c.name)
                    named = value if isinstance(value, tuple) else (value,) if value else ()
                    if not getattr(c.kind, "own_finding", False) and any(
                            name.casefold() not in known[c.kind.table] for name in named):
                        yield sheet, key, c.name


def _refusals(campaign: Campaign, findings: Sequence[Finding], lent: Loans) -> Iterator[tuple[str, str, str]]:
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
    may_be_blank = c is not None and not c.key and (isinstance(c.kind, Codes) or c.kind.blank)
    if c is not None and (may_be_blank or sheet not in lent.tables):
        held = sheet == Node.sheet and isinstance(c.kind, Ref) and c.kind.table == Faction.sheet
        new = neutral if held and getattr(row, c.name) != neutral else ""
        setattr(row, c.name, new or c.default)
        lent.instead.setdefault((sheet, c.name, new), []).append(row.ident)
    else:
        table.remove(key)
        lent.out.setdefault(sheet, []).append(row.ident)


# --- draft package --------------------------------------------------------------------------------
# `rulesets --new`, `house`: write the package of a new rulebook, or of house rules that build on one.

Ask = Callable[[str, str, bool], str]
"""Asks a question: its text, what is usual, whether the answer is to be hidden."""
LONGEST_NAME = 30


@catches_abort("rulesets")
def new_ruleset(name: str, answers: Path | None = None, *, ask: Ask | None = None, lang: str = "") -> Result:
    """Write a rulebook that can be installed and played at once, as a folder of its name, here.

    `answers`: a file with answers; without it `ask` asks, and without `ask` the questions are listed and nothing is
    written. Nothing is written, either, if the folder is there, the name is taken or none of Python's, or an answer
    cannot stand. Result data: ``ruleset``, ``folder``, ``files``; ``asked``: the questions that were listed.
    """
    folder = _free_folder(name, lang)
    usual_title = name.replace("_", " ").capitalize()
    words = Wording(None, lang or machine_language())
    if answers is None and ask is None:
        return _list_questions(usual_title, words)
    typed = _answers_of_file(answers, lang) if answers is not None else {}
    if answers is None and ask is not None:
        typed = {question.key: _ask_until_read(question, usual_title, words, ask) for question in QUESTIONS}
    told, wrong = read_answers(typed, usual_title)
    if wrong:
        raise _wrong_answers(wrong, lang, words)
    files = new_package(name, told)
    write_package(folder, files, lang)
    return _result_of_package("rulesets", words, folder, files)


def _result_of_package(command: str, words: Wording, folder: Path, files: Collection[str]) -> Result:
    """What was written into a folder, and what is next. Result data: ``ruleset``, ``folder``, ``files``."""
    result, name = Result(command, wording=words), folder.name
    result.data.update(ruleset=name, folder=str(folder), files=list(files))
    result.say(words.plural(N_("{n} file was written to {folder}."), N_("{n} files were written to {folder}."),
                            len(files), folder=name))
    result.say(words.text(N_("The next steps are in {file}: install it, check it, play it."),
                          file=f"{name}/README.md"))
    for line in (f"pip install -e {name}", f"arbitro rulesets --check {name}", f"arbitro new {name} {name}.xlsx"):
        result.say(f"   {line}")
    return result


def _free_folder(name: str, lang: str) -> Path:
    """The folder of a new package. Raises `Abort` where the name cannot be used or something is there."""
    plain = name.isidentifier() and name.isascii() and name == name.casefold() and not keyword.iskeyword(name)
    if not plain or not any(letter.isalpha() for letter in name) or len(name) > LONGEST_NAME:
        raise abort(Exit.USAGE, codes.NO_PACKAGE_NAME, lang, name=Verbatim(name))
    folder = Path(name)
    require_folder(folder, lang)
    if os.path.lexists(folder):
        raise abort(Exit.FILE, codes.FOLDER_EXISTS, lang, folder=folder.name)
    # also a link that leads nowhere
    if name in installed_rulesets() or any(find_spec(one) is not None for one in (name, names_of(name)["package"])):
        raise abort(Exit.USAGE, codes.NAME_TAKEN, lang, name=Verbatim(name), list=", ".join(installed_rulesets()))
    return folder


def _answers_of_file(path: Path, lang: str) -> dict[str, str]:
    try:
        typed, strange = read_answer_file(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as no:
        raise abort(Exit.FILE, codes.FILE_MISSING, lang, file=path.name) from no
    except UnicodeDecodeError as no:
        raise abort(Exit.REFUSED, codes.BAD_ANSWERS, lang, file=path.name, seen="") from no
    if strange:
        raise abort(Exit.REFUSED, codes.BAD_ANSWERS, lang, file=path.name, seen=Verbatim(strange[0][:80]))
    return typed


def _wrong_answers(wrong: Sequence[WrongAnswer], lang: str, words: Wording) -> Abort:
    return Abort(Exit.REFUSED, [codes.finding(
        codes.WRONG_ANSWER, key=one.key, seen=one.seen,
        wanted=Verbatim(words.text(one.wanted) if one.wanted else "")) for one in wrong], lang, words)


def _question_text(question: DraftQuestion, words: Wording) -> str:
    return f"{words.text(question.text)} [{words.text(question.wanted)}]"


def _ask_until_read(question: DraftQuestion, usual_title: str, words: Wording, ask: Ask) -> str:
    """Ask until the answer can stand."""
    usual = words.text(question.usual) if question.usual else usual_title
    while True:
        typed = ask(_question_text(question, words), usual, False).strip() or usual
        if question.read(typed) is not None:
            return typed


def _list_questions(usual_title: str, words: Wording) -> Result:
    """Say what is to be answered, as a file of answers that can be used as it is."""
    result = Result("rulesets", Exit.WAITING, wording=words)
    result.say(words.text(N_("Write the answers into a text file, a line each. If nothing is said, this counts:")))
    asked = [{"key": one.key, "text": _question_text(one, words),
              "usual": words.text(one.usual) if one.usual else usual_title} for one in QUESTIONS]
    for question in asked:
        result.lines += [f"# {question['text']}", f"{question['key']}: {question['usual']}"]
    result.say(words.text(N_("Then run the command again with --answers and that file. Nothing was changed.")))
    result.data["asked"] = asked
    return result


def write_package(folder: Path, files: Mapping[str, str], lang: str) -> None:
    """Write a folder that is not there yet, whole or not at all. `files`: path within it -> text. Raises `Abort`."""
    with folder_faults(folder, N_("the package"), lang), tempfile.TemporaryDirectory(
            prefix=".arbitro-", dir=folder.parent, ignore_cleanup_errors=True) as made:
        new = Path(made, "new")
        for path, text in files.items():
            place = new / path
            place.parent.mkdir(parents=True, exist_ok=True)
            # the same bytes on every system
            place.write_text(text, encoding="utf-8", newline="\n")
        os.rename(new, folder)


# House rules with code.


@catches_abort("house")
def house(of: str, name: str | None = None, *, accept: bool = False, lang: str = "") -> Result:
    """What a package of house rules may change of a rulebook (its id in `of`); or, with a `name`, write such a package
    as a folder of that name, here; or, with `accept`, let the campaign in the workbook `of` go on with the house rules
    that are installed now.

    Result data: ``ruleset``, ``steps``, ``public``; ``folder``, ``files``; ``package``.
    """
    if accept:
        return _accept_package(Path(of), lang)
    book = find_ruleset(of, lang)
    words = Wording(book, lang or machine_language())
    if name is None:
        return _list_public(book, words)
    folder = _free_folder(name, lang)
    files = house_package(name, of, book.title, next(iter(scenarios_of(book)), ""))
    write_package(folder, files, lang)
    return _result_of_package("house", words, folder, files)


def _list_public(book: Ruleset, words: Wording) -> Result:
    """The steps by their names, those of alike phases once, and what may be used."""
    result = Result("house", wording=words)
    steps, public = _steps_once(book), {name: _first_line(one) for name, one in book.public.items()}
    result.data.update(ruleset=book.id, steps=steps, public=public)
    result.say(words.text(N_("Steps that a package may replace, or put something before or after:")))
    result.lines += [f"   {name}" for name in steps]
    if public:
        result.say(words.text(N_("What it may use of {title}:"), title=Verbatim(book.title)))
        result.lines += [f"   {name}: {told}" if told else f"   {name}" for name, told in public.items()]
    result.say(words.text(N_("How to begin, with a name of your own: arbitro house {ruleset} mine"), ruleset=book.id))
    return result


def _steps_once(book: Ruleset) -> list[str]:
    """Names of steps; of phases that are numbered and alike the number is a star."""
    names = list(named_steps(book.calendar))
    starred = [re.sub(r"\d+", "*", name) for name in names]
    return list(dict.fromkeys(star if starred.count(star) > 1 else name
                              for name, star in zip(names, starred, strict=True)))


def _first_line(thing: object) -> str:
    if isinstance(thing, Purpose):
        return f"{thing.shape} {thing.dice}".rstrip()
    told = inspect.getdoc(thing) if callable(thing) else None
    return (told or "").split("\n", maxsplit=1)[0]


def _accept_package(path: Path, lang: str) -> Result:
    """Note in the ledger that the campaign is played with the installed package from now on. Raises `Abort`."""
    workspace = open_workspace(path, lang, of_any_package=True)
    here = package_text(workspace.ruleset)
    if not here:
        raise workspace.abort(Exit.REFUSED, codes.NO_PACKAGE, file=path.name)
    with workspace.claim("house --accept"), workspace.ledger() as ledger:
        ledger.note(PACKAGE_KEY, here)
    result = Result("house", wording=workspace.wording)
    result.data["package"] = here
    result.say(workspace.wording.text(N_("From now on the campaign is played with {package}."), package=Verbatim(here)))
    return result
