"""The pages of `arbitro help TOPIC`, derived from the code."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from textwrap import dedent
from typing import Any

import click

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import (
    Choice,
    Circle,
    Column,
    Data,
    Flag,
    Parts,
    Ref,
    Text,
    Typed,
    Whole,
    describe_see,
    nested_sees,
)
from assistant.campaign.records import BASE, FormRow
from assistant.campaign.tables import Record
from assistant.catalogues import LANGUAGES, italian_of, translator
from assistant.desk.workspace.detect_edits import ACT_TIMES, ACTS, REPLIES
from assistant.environment import scenario_names, shipped_folder, shipped_scenario
from assistant.rulebook_source import PAGE, PublicNames, declared_names, public_names
from assistant.speech import option_words, plain_template, rule_sentence, rule_subject
from assistant.turn.findings import Message, printed_chapters
from assistant.turn.messages import COMMON
from assistant.turn.numbers import Number, Switch
from assistant.turn.orders.requests import ROLES
from assistant.turn.rulebooks import RULESETS_FOLDER, load
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.layout import label
from assistant.workbook.read.csv_folder import read_folder
from assistant.workbook.write.new_workbook import CARD_COLUMNS

# Markdown tables, and Markdown pages for a terminal.


WIDTH = 100
_LINKED = re.compile(r"\[([^\]]*)\]\([^)\s]+\)")


def cell(text: object) -> str:
    """A text escaped for a cell of a Markdown table."""
    return " ".join(str(text).split()).replace("|", "\\|").replace("<", "&lt;")


def table(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> list[str]:
    """A Markdown table as lines."""
    heads = list(headings)
    return [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}",
            *(f"| {' | '.join(cell(value) for value in row)} |" for row in rows), ""]


def page_for_terminal(page: str) -> Iterator[str]:
    """The lines of a page for a terminal, without links. The first cell of a table's row gets a line of its own; the
    others follow below it, with their headings if there are several.
    """
    heads: list[str] = []
    for line in _LINKED.sub(r"\1", page).splitlines():
        if not line.startswith("|"):
            heads = []
            yield click.wrap_text(line, WIDTH) if line[:1] not in ("#", "`", " ") else line
        elif not heads:
            heads = _cells(line)
        elif not line.startswith("|---"):
            first, *others = _cells(line)
            yield first
            yield from (click.wrap_text(f"{head}: {text}" if len(others) > 1 else text, WIDTH, "    ", "      ")
                        for head, text in zip(heads[1:], others, strict=True) if text)


def _cells(line: str) -> list[str]:
    marked = line.replace("\\|", "\0").replace("&lt;", "<")
    return [part.strip().replace("\0", "|") for part in marked.strip("|").split("|")]


# The page `plugins`: the prose of ``plugins.md`` with entries made from docstrings and signatures.
#
# A line ``@ module: Name Other*`` in that file is replaced by entries of these names; a star adds their methods. These
# lines declare what is public (`assistant.rulebook_source`).


ROLES_HERE = "@ roles"
OURS = "assistant."
SHORT = 40
NO_DEFAULT = inspect.Parameter.empty
"""Marks a parameter without a default."""
_STARS: Mapping[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
FIRST_SENTENCE = re.compile(r"(?<=\.) (?=[A-Z`*])")
_REFERENCE = re.compile(r"``([^`]+)``")


def plugins_page() -> list[str]:
    """The page `plugins`: the prose with all entries."""
    lines: list[str] = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line == ROLES_HERE:
            lines += table(("role", "tells"), ([f"`{name}`", ", ".join(f"`{word}`" for word in words)]
                                               for name, words in ROLES.items()))
        elif declared := declared_names(line):
            lines += entries(declared)
        else:
            lines.append(line)
    return lines


def entries(declared: PublicNames) -> list[str]:
    """The entries of the names that a line of the prose declares. Raises ImportError and AttributeError for missing
    ones.
    """
    module = import_module(declared.module)
    lines = [f"From `{declared.module}`:", ""]
    for name in declared.names:
        thing = getattr(module, name)
        if home := home_of(thing, name, declared.module):
            lines.append(f"- **`{name}`**, as in `{home}`")
            continue
        lines += [f"- {describe(module, name, thing)}",
                  *(f"    - {member}" for member in (members(thing) if name in declared.starred else ()))]
    return [*lines, ""]


def home_of(thing: Any, name: str, module: str) -> str:
    """The other module in which a name is declared, if it is public there; "" for one that is declared here."""
    home = getattr(thing, "__module__", "") or source_module(module, name)
    while home and home != module:
        if name in public_names().get(home, ()):
            return home
        home = source_module(home, name)
    return ""


@cache
def source_module(module: str, name: str) -> str:
    """The module of Arbitro from which a module imports a name; "" if it does not."""
    tree = ast.parse(inspect.getsource(import_module(module))) if module.startswith(OURS) else ast.parse("")
    return next((node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)
                 and any((one.asname or one.name) == name for one in node.names)), "")


def names_page() -> list[str]:
    """The page `names`: every public name, module by module, with its signature and what it is in a sentence."""
    lines = ["# Every name that a rulebook may use", "",
             "What is not here is not public. `arbitro help plugins` says more of each, with examples.", ""]
    for place, names in sorted(public_names().items()):
        module = import_module(place)
        lines += [f"## {place}", "", *table(("Name", "What it is"), (
            name_row(module, name, getattr(module, name)) for name in names))]
    return lines


def name_row(module: Any, name: str, thing: Any) -> tuple[str, str]:
    """A name with its signature, and the first sentence that is said of it."""
    if home := home_of(thing, name, module.__name__):
        return f"`{name}`", f"as in `{home}`"
    shown, _, told = describe(module, name, thing).removeprefix("**`").partition("`**")
    return f"`{shown}`", FIRST_SENTENCE.split(told.strip(), maxsplit=1)[0].replace("&lt;", "<")


def describe(module: Any, name: str, thing: Any) -> str:
    """The entry of one name: its signature and docstring."""
    if inspect.isclass(thing) and issubclass(thing, Record):
        columns = " ".join(column.name for column in thing.columns())
        about = f"{thing.about_en} Columns: `{columns}`." if columns else ""
        told = inspect.getdoc(thing) or ""
        return format_entry(name, *((about, told) if thing.about_en else (told, about)))
    if inspect.isclass(thing) or inspect.isfunction(inspect.unwrap(thing)):
        return format_entry(f"{name}{signature_of(inspect.unwrap(thing))}", inspect.getdoc(thing) or "")
    value = f" = {_default(thing)}" if isinstance(thing, str) else ""
    return format_entry(f"{name}{value}", texts_below(module).get(name, ""))


def format_entry(called: str, *texts: str) -> str:
    """A name in bold code and its texts, on one line."""
    shown = " ".join(_REFERENCE.sub(r"`\1`", " ".join(text.split())) for text in texts if text)
    return f"**`{called}`** {shown.replace('<', '&lt;')}".strip()


def signature_of(thing: Any) -> str:
    """The signature of a function or class, without `self`; "" for a class that is not instantiated."""
    if is_dataclass(thing):
        given = ((field, field.default is not MISSING or field.default_factory is not MISSING)
                 for field in fields(thing))
        entries = (_parameter(field.name, str(field.type), field.default if has else NO_DEFAULT)
                   for field, has in given)
        return f"({', '.join(entries)})"
    if hasattr(thing, "_field_defaults"):  # a named tuple
        entries = (_parameter(name, kind.__forward_arg__, thing._field_defaults.get(name, NO_DEFAULT))
                   for name, kind in thing.__annotations__.items())
        return f"({', '.join(entries)})"
    if inspect.isclass(thing) and ("__init__" not in vars(thing) or vars(thing).get("_is_protocol")):
        return ""
    signature = inspect.signature(thing)
    shown = [parameter for parameter in signature.parameters.values() if parameter.name not in ("self", "cls")]
    words = [_STARS.get(parameter.kind, "") + _parameter(parameter.name, str(parameter.annotation), parameter.default)
             for parameter in shown]
    named = next((at for at, parameter in enumerate(shown) if parameter.kind is inspect.Parameter.KEYWORD_ONLY), None)
    if named is not None and not any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in shown):
        words.insert(named, "*")
    returned = "" if inspect.isclass(thing) or signature.return_annotation in (None, "None") else (
        f" -> {signature.return_annotation}")
    return f"({', '.join(words)}){returned}"


def _parameter(name: str, kind: str, default: Any) -> str:
    return f"{name}: {kind}{'' if default is NO_DEFAULT else f' = {_default(default)}'}"


def _default(default: Any) -> str:
    """A default as one may type it; ``...`` for anything but plain values."""
    if isinstance(default, str):
        return f'"{default}"'
    plain = default is None or isinstance(default, int) or (type(default) is tuple and len(str(default)) < SHORT)
    return str(default) if plain else "..."


def members(thing: type) -> Iterator[str]:
    """The entries of a class's attributes and methods, including those of its base classes in Arbitro."""
    seen = set[str]()
    for base in thing.__mro__:
        if not base.__module__.startswith(OURS):
            continue
        told = texts_below(base)
        for name in dict.fromkeys([*vars(base).get("__annotations__", {}), *vars(base)]):
            if name.startswith("_") or name in seen or name in fields_of(base):
                continue
            seen.add(name)
            value = vars(base).get(name, NO_DEFAULT)
            inner = getattr(value, "__func__", value)
            if inspect.isfunction(inner):
                yield format_entry(f"{name}{signature_of(inner)}", inspect.getdoc(inner) or "")
            elif name in vars(base).get("__annotations__", {}):
                yield format_entry(_parameter(name, base.__annotations__[name], value), told.get(name, ""))
            elif inspect.getdoc(value) and not inspect.isclass(value):
                yield format_entry(
                    name, told.get(name) or (inspect.getdoc(value) if hasattr(value, "__get__") else "") or ""
                )


def fields_of(thing: type) -> set[str]:
    """The names of what a dataclass or a named tuple is made of."""
    return set(vars(thing).get("__dataclass_fields__", vars(thing).get("_fields", ())))


def texts_below(thing: Any) -> dict[str, str]:
    """Name -> the string below its assignment, in a module or class."""
    tree = ast.parse(dedent(inspect.getsource(thing)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else tree.body
    texts = {}
    for first, second in pairwise(body):
        if isinstance(second, ast.Expr) and isinstance(second.value, ast.Constant):
            target = first.target if isinstance(first, ast.AnnAssign) else getattr(first, "targets", [None])[0]
            for one in target.elts if isinstance(target, ast.Tuple) else (target,):
                if isinstance(one, ast.Name):
                    texts[one.id] = inspect.cleandoc(str(second.value.value))
    return texts


# The other pages of `arbitro help`, in either language.
#
# A wheel contains them as files, made when it is built; a checkout makes them on demand.


PAGES = "pages"
"""The folder in an installed wheel with a page for each topic and language: ``it/sheets.md``."""
SEVERITY = {"error": N_("refused"), "ambiguous": N_("unclear"), "warning": N_("warning"),
            "info": N_("for information")}
EDITED_BY = {"club": N_("the club"), "referee": N_("the referee"), "assistant": N_("the assistant")}
SEEN_BY = (N_("all"), N_("its owner"), N_("the referee"), N_("{seen} if `{switch}` is {value}, else {others}"))
"""The msgids of `assistant.campaign.columns.describe_see`."""

Translate = Callable[[str], str]
MakeApp = Callable[[str], click.Group]
"""Makes the command line in a language, including click's own messages."""


def shipped_ruleset_ids() -> list[str]:
    """Ids of the rulesets that ship with Arbitro; plug-ins keep a manual of their own."""
    return sorted(path.parent.name for path in RULESETS_FOLDER.glob("*/ruleset.py"))


def _sections(lines: Callable[[Ruleset], Iterable[str]]) -> Iterator[str]:
    """A section for each of these rulesets that has `lines`, below a heading."""
    for ruleset in map(load, shipped_ruleset_ids()):
        if told := list(lines(ruleset)):
            yield from (f"## {ruleset.title}", "", *told)


def help_topics() -> tuple[str, ...]:
    """The topics that have a page."""
    return tuple(TOPICS)


def help_page(topic: str, lang: str, app: MakeApp) -> str:
    """The page of a topic: the file in an installed wheel, else made now. Raises KeyError."""
    make = TOPICS[topic]
    try:
        return (shipped_folder(PAGES) / ("en" if topic in ENGLISH else lang) / f"{topic}.md").read_text(
            encoding="utf-8"
        )
    except FileNotFoundError:
        return page_text(make(lang, app))


def all_pages(app: MakeApp) -> dict[str, str]:
    """Path below a folder of pages -> text, of every topic in every language that it has."""
    return {f"{lang}/{topic}.md": page_text(make(lang, app)) for topic, make in TOPICS.items()
            for lang in (LANGUAGES[:1] if topic in ENGLISH else LANGUAGES)}


def page_text(lines: Iterable[str]) -> str:
    """Lines as the text of a page, without trailing blanks."""
    return "\n".join(line.rstrip() for line in "\n".join(lines).rstrip().splitlines()) + "\n"


# --- sheets ------------------------------------------------------------------------------------
def column_content(column: Column, _: Translate) -> str:
    """What a column may contain, in a few words."""
    kind = column.kind
    if isinstance(kind, Choice):
        return ", ".join(f"{code} ({it})" for code, it in kind.options.items())
    if kind.table:
        text = _("a code of {table}") if isinstance(kind, Ref) else _("codes of {table}")
        return text.format(table=kind.table)
    if isinstance(kind, Whole):
        return f"{_('whole number')} {kind.range_text}".strip()
    if isinstance(kind, Parts):
        return _("number in steps of {step}").format(step=kind.show(1))
    if isinstance(kind, Flag):
        return _("yes (sì), no")
    if isinstance(kind, Typed):
        return _("whole number")
    if isinstance(kind, Data):
        return _("JSON, written by the assistant")
    return f"{_('text')} `{kind.pattern}`" if isinstance(kind, Text) and kind.pattern else _("text")


def column_row(column: Column, record: type[Record], words: Wording) -> list[object]:
    """One line of a sheet's table."""
    _ = words.text
    names = f" {_('or')} ".join([f"`{column.name}`", *(f"`{a}`" for a in column.alias)])
    return [f"{names} ({_('key')})" if column.key and not record.single else names, column.en, column.it,
            column_content(column, translator(words.lang)), _(EDITED_BY[column.edit]), describe_see(column.see, _),
            column.hint(words.lang)]


def owners_line(record: type[Record], words: Wording) -> list[str]:
    """Who owns a row, if the visibility of a column depends on it."""
    _ = words.text
    if not any(see == "owner" for column in record.columns() for see in nested_sees(column.see)):
        return []
    if isinstance(record.whose, Circle):
        return [_(N_("Owners of a row: {who}."), who=_(record.whose.who))]
    names = f" {_('or')} ".join(f"`{name}`" for name in record.whose)
    return [_(N_("Owner of a row: whoever is named in {columns}."), columns=names)]


def sheet_lines(record: type[Record], words: Wording) -> list[str]:
    """The section of one sheet."""
    _ = words.text
    single = f", {_('written as key,value')}" if record.single else ""
    lines = [f"### {record.sheet} / {record.sheet_it}", "",
             record.about_it if words.lang == "it" else record.about_en,
             f"CSV: `{record.file}.csv`{single}.", *owners_line(record, words),
             *([_("The clubs that fight fill in their own half in their copies, too.")]
               if issubclass(record, FormRow) else []), ""]
    heads = (_("Field"), _("English heading"), _("Italian heading"), _("Holds"), _("Edited by"), _("Seen by"),
             _("Note"))
    return lines + table(heads, (column_row(c, record, words) for c in record.columns()))


def sheets_page(lang: str, _app: MakeApp) -> list[str]:
    """The page `sheets`: every sheet and column, from the records."""
    _ = translator(lang)
    lines = [f"# {_('Sheets and columns')}", "",
             _("A sheet is found by its English or Italian name, a column by its English or Italian heading or by its"
               " field name, in any order and any case."),
             _("In a folder of CSVs the headings are the field names."),
             _("A column that a club has added is kept and left alone."),
             _("The column 'Seen by' says who may know a value; the referee knows all."),
             _("A club that may not see the key of a row does not see the row."), ""]
    for ruleset in map(load, shipped_ruleset_ids()):
        words = Wording(ruleset, lang)
        lines += [f"## {ruleset.title} (`{ruleset.id}`)", "",
                  *([words.text(ruleset.shared), ""] if ruleset.shared else [])]
        lines += [line for record in ruleset.records for line in sheet_lines(record, words)]
    lines += [f"## {_('What every ruleset shares')}", "",
              _("These sheets are there in every campaign; a ruleset adds columns."), ""]
    return lines + table((_("Sheet"), _("Fields")),
                         ([r.sheet, " ".join(f"`{c.name}`" for c in r.columns())] for r in BASE))


# --- findings ----------------------------------------------------------------------------------
def finding_rows(messages: Iterable[Message], words: Wording) -> Iterator[list[object]]:
    """Code, severity and message."""
    for message in sorted(messages, key=lambda m: m.code):
        text = italian_of(message.text, words.ruleset) if words.lang == "it" else message.text
        yield [message.code, words.text(SEVERITY[message.severity]), plain_template(text)]


def findings_page(lang: str, _app: MakeApp) -> list[str]:
    """The page `findings`: every code with its message."""
    _ = translator(lang)
    lines = [f"# {_('Findings')}", "",
             _("A finding is about what is in the workbook: it says what was seen and what to do."),
             _("'arbitro check' lists each with its code; 'arbitro check --mark' also puts it onto its cell."), "",
             _("- **refused**: the row of an order changes nothing and the phase goes on without it; anything else has"
               " to be put right before the phase can start."),
             _("- **unclear**: it could mean two things; treated as refused until it is cleared up."),
             _("- **warning**: carried out, but look at it."), ""]
    heads = (_("Code"), _("Severity"), _("Message"))
    lines += [f"## {_('Every ruleset')}", "", *table(heads, finding_rows(COMMON.values(), Wording(None, lang)))]
    return [*lines, *_sections(lambda r: table(heads, finding_rows(r.findings.values(), Wording(r, lang))))]


# --- orders ------------------------------------------------------------------------------------
def card_lines(ruleset: Ruleset, campaign: Campaign, lang: str) -> list[str]:
    """The orders card of a ruleset in a language; [] for one whose verbs do not declare their columns."""
    cards = ruleset.order_cards(campaign, lang, Wording(ruleset, lang).text)
    rows = ([card.verb, card.when, card.columns, f"`{card.shown}`", card.cost, card.help, card.also] for card in cards)
    return table((label(f"card_{name}", lang) for name in CARD_COLUMNS), rows) if cards else []


def orders_page(lang: str, _app: MakeApp) -> list[str]:
    """The page `orders`: every verb with what to write where."""
    _ = translator(lang)
    lines = [f"# {_('Orders')}", "",
             _("Each row of the sheet Orders is one order: its verb and the columns that it needs, or the same in"
               " words."),
             _("The examples may be ordered at the start of the scenario that comes with the rulebook. Where none may,"
               " words in angle brackets say what to write."),
             _("'arbitro verbs FILE' shows the same with the codes of your own campaign."), ""]
    return [*lines, *_sections(lambda r: [line for scenario in scenario_names(r.id)[:1] for line in card_lines(
        r, read_folder(shipped_scenario(r.id, scenario), r)[1], lang)])]


# --- rulebooks ---------------------------------------------------------------------------------
def citations_page(lang: str, _app: MakeApp) -> list[str]:
    """The page `citations`: every citation with its chapter in the book and a link to our reading of it."""
    _ = translator(lang)
    lines = [f"# {_('What reports cite')}", "",
             _("A report cites the printed book; here is what each citation means and where our reading of it stands."),
             ""]
    heads = (_("In the report"), _("Page of the book"), _("Our reading"), _("In the code"))
    return [*lines, *_sections(lambda r: table(heads, (
        (citation.chapter_in(lang), citation.page or "",
         f"[{citation.heading}](../rulebooks/{r.id}.md#{citation.anchor})", f"`{citation.key}`")
        for citation in r.citations.values())))]


def numbers_page(lang: str, _app: MakeApp) -> list[str]:
    """The page `numbers`: every number and switch of the rulebooks, as the sheet Rules takes them."""
    _ = translator(lang)
    lines = [f"# {_('Numbers and switches')}", "",
             _("One row a key of the sheet 'Rules'; what is typed there counts instead."),
             _("Tag: FOUND is in the book, DERIVED follows from what is there, ASSUMED was filled in by us."),
             _("A switch decides where the text is ambiguous, silent, or differs between versions; its first option is"
               " the default."),
             _("Where it says 'new campaigns', that option is typed into the Rules of a campaign that is founded (new,"
               " adopt, demo) and does not say another; a folder of CSVs that is only resolved has the default."), ""]
    return [*lines, *_sections(lambda r: [*number_rows(r, lang), *switch_rows(r, lang)])]


def number_rows(ruleset: Ruleset, lang: str) -> list[str]:
    """The table of a rulebook's numbers."""
    words = Wording(ruleset, lang)
    _ = words.text
    rows = ((f"`{rule.key}`", rule.default, _(rule.unit, n=rule.default),
             printed_chapters(rule.source, ruleset.citations, lang), rule.tag, rule_sentence(rule, rule.default, words))
            for rule in ruleset.numbers if isinstance(rule, Number))
    return table((_(N_("Key")), _(N_("Default")), _(N_("Unit")), _(N_("Cites")), _(N_("Tag")), _(N_("What it is"))),
                 rows)


def switch_rows(ruleset: Ruleset, lang: str) -> list[str]:
    """The table of a rulebook's switches."""
    words = Wording(ruleset, lang)
    _ = words.text
    rows = ((f"`{rule.key}`", rule_subject(rule, words), switch_options(rule, words),
             printed_chapters(rule.source, ruleset.citations, lang))
            for rule in ruleset.numbers if isinstance(rule, Switch))
    return table((_(N_("Key")), _(N_("What it decides")), _(N_("Options")), _(N_("Cites"))), rows)


def switch_options(switch: Switch, words: Wording) -> str:
    """The options of a switch, each with what it means."""
    _ = words.text
    named = ((option, option_words(switch, option, words)) for option in switch.options)
    shown = "; ".join(f"`{option}` {text}" if option and text != option else f"`{text}`" if option
                      else _(N_("blank: {text}"), text=Verbatim(text)) for option, text in named)
    if switch.begins:
        shown += "; " + _(N_("new campaigns: {option}"), option=Verbatim(f"`{switch.begins}`"))
    if switch.free:
        return _(N_("{shown}, or any text"), shown=Verbatim(shown))
    return _(N_("{shown}, or a value"), shown=Verbatim(shown)) if switch.pattern else shown


# --- changes -----------------------------------------------------------------------------------
def changes_page(lang: str, _app: MakeApp) -> list[str]:
    """The page `changes`: what may still be changed at which time, and with which command."""
    say = Wording(None, lang).text
    heads = (say(N_("What")), say(N_("With")), *(say(name) for name in ACT_TIMES.values()))
    return [f"# {say(N_('What may still be changed'))}", "",
            *table(heads, ([say(act.name), f"`{act.how}`", *(say(REPLIES[act.at(moment)]) for moment in ACT_TIMES)]
                           for act in ACTS))]


# --- commands ----------------------------------------------------------------------------------
def usage_of(parameter: click.Parameter) -> str:
    """A parameter as one types it: ``FILE``, ``--mark``, ``--until PHASE``."""
    if not isinstance(parameter, click.Option):
        return parameter.metavar or (parameter.name or "").upper()
    names = ", ".join(parameter.opts)
    if parameter.is_flag:
        return names
    choices = "|".join(parameter.type.choices) if isinstance(parameter.type, click.Choice) else ""
    return f"{names} {choices or parameter.metavar or parameter.type.name.upper()}"


def option_lines(command: click.Command, _: Translate) -> list[str]:
    """The table of a command's options; [] where it has none."""
    rows = [[f"`{usage_of(option)}`", option.help or ""]
            for option in command.params if isinstance(option, click.Option)]
    return table((_("Option"), _("What it does")), rows) if rows else []


def command_lines(command: click.Command, _: Translate) -> list[str]:
    """The section of one command: how it is typed, what it does, its options."""
    words = [usage_of(p) if p.required else f"[{usage_of(p).strip('[]')}]"
             for p in command.params if isinstance(p, click.Argument)]
    usage = " ".join(["arbitro", command.name or "", *words, _("[OPTIONS]")])
    return [f"## {command.name}", "", f"`{usage}`", "", command.help or "", "", *option_lines(command, _)]


def commands_page(lang: str, app: MakeApp) -> list[str]:
    """The page `commands`: every command with its options."""
    _, group = translator(lang), app(lang)
    lines = [f"# {_('Commands')}", "", group.help or "", "",
             _("Type 'arbitro', the command, its words and its options; '--help' after a command says the same as this"
               " page."), "",
             _("Options before the command:"), "", *option_lines(group, _), *(group.epilog or "").split("\n\n"), ""]
    context = click.Context(group, info_name="arbitro")
    for name in group.list_commands(context):
        if command := group.get_command(context, name):
            lines += command_lines(command, _)
    return lines


TOPICS: Mapping[str, Callable[[str, MakeApp], list[str]]] = {
    "commands": commands_page, "orders": orders_page, "sheets": sheets_page, "findings": findings_page,
    "numbers": numbers_page, "citations": citations_page, "changes": changes_page,
    "plugins": lambda _lang, _app: plugins_page(), "names": lambda _lang, _app: names_page()}
ENGLISH = ("plugins", "names")
"""Topics whose pages are made from docstrings, and so exist in English only."""
