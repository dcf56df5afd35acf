"""The pages of `arbitro help`, each made from the code in either language: they cannot disagree with it.

A wheel carries them as files, made when it is built; a checkout makes them when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import click

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Column, Data, Flag, Parts, Ref, Typed, Whole
from assistant.campaign.record import Record
from assistant.campaign.records import BASE, FormRow
from assistant.campaign.see import Circle, in_words, parts
from assistant.catalogues import LANGUAGES, italian_of, translator
from assistant.manual.interface import plugins_page
from assistant.manual.markdown import table
from assistant.resources import folder, scenario, scenarios
from assistant.speech.braces import plain
from assistant.turn.findings import Message
from assistant.turn.messages.house import COMMON
from assistant.turn.ruleset import WINGS, Ruleset, load
from assistant.turn.texts import N_
from assistant.wording import Wording
from assistant.workbook.labels import label
from assistant.workbook.read.csvfolder import read_folder
from assistant.workbook.write.card_sheet import COLUMNS

PAGES = "pages"
"""The folder of an installed wheel with a page a topic and language: ``it/sheets.md``."""
SEVERITY = {"error": N_("refused"), "ambiguous": N_("unclear"), "warning": N_("warning"),
            "info": N_("for information")}
EDITS = {"club": N_("the club"), "referee": N_("the referee"), "assistant": N_("the assistant")}
SEEN = (N_("all"), N_("its owner"), N_("the referee"), N_("{seen} if `{switch}` is {value}, else {others}"))
"""The msgids of `assistant.campaign.see.in_words`."""

Words = Callable[[str], str]
Commands = Callable[[str], click.Group]
"""Makes the whole command line, in a language that click speaks then, too."""


def ours() -> list[str]:
    """Ids of the rulesets that ship with Arbitro; plug-ins keep a manual of their own."""
    return sorted(path.parent.name for path in WINGS.glob("*/ruleset.py"))


def page_of(topic: str, lang: str, app: Commands) -> str:
    """The page of a topic: the file that an installed wheel carries, else made now. Raises KeyError."""
    make = TOPICS[topic]
    try:
        return (folder(PAGES) / ("en" if topic in ENGLISH else lang) / f"{topic}.md").read_text(encoding="utf-8")
    except FileNotFoundError:
        return tidy(make(lang, app))


def all_pages(app: Commands) -> dict[str, str]:
    """Path below a folder of pages -> text, of every topic in every language that it has."""
    return {f"{lang}/{topic}.md": tidy(make(lang, app)) for topic, make in TOPICS.items()
            for lang in (LANGUAGES[:1] if topic in ENGLISH else LANGUAGES)}


def tidy(lines: Iterable[str]) -> str:
    """Lines as a page, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in "\n".join(lines).rstrip().splitlines()) + "\n"


# --- sheets ------------------------------------------------------------------------------------
def holds(column: Column, _: Words) -> str:
    """What may stand in a column, in a few words."""
    kind = column.kind
    if isinstance(kind, Choice):
        return ", ".join(f"{code} ({it})" for code, it in kind.options.items())
    if isinstance(kind, (Ref, Codes)):
        said = _("a code of {table}") if isinstance(kind, Ref) else _("codes of {table}")
        return said.format(table=kind.table)
    if isinstance(kind, Whole):
        return f"{_('whole number')} {kind.allowed}".strip()
    if isinstance(kind, Parts):
        return _("number in steps of {step}").format(step=kind.show(1))
    if isinstance(kind, Flag):
        return _("yes (sì), no")
    if isinstance(kind, Typed):
        return _("whole number")
    if isinstance(kind, Data):
        return _("JSON, written by the assistant")
    return f"{_('text')} `{kind.pattern}`" if kind.pattern else _("text")


def column_row(column: Column, record: type[Record], words: Wording) -> list[object]:
    """One line of a sheet's table."""
    _ = words.text
    names = f" {_('or')} ".join([f"`{column.name}`", *(f"`{a}`" for a in column.alias)])
    return [f"{names} ({_('key')})" if column.key and not record.single else names, column.en, column.it,
            holds(column, translator(words.lang)), _(EDITS[column.edit]), in_words(column.see, _),
            column.hint(words.lang)]


def owners_line(record: type[Record], words: Wording) -> list[str]:
    """Whose a row is, where some column asks for it."""
    _ = words.text
    if not any(see == "owner" for column in record.columns() for see in parts(column.see)):
        return []
    if isinstance(record.whose, Circle):
        return [_(N_("Owners of a row: {who}."), who=_(record.whose.who))]
    names = f" {_('or')} ".join(f"`{name}`" for name in record.whose)
    return [_(N_("Owner of a row: who stands in {columns}."), columns=names)]


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


def sheets_page(lang: str, _app: Commands) -> list[str]:
    """Every sheet and column, from the records."""
    _ = translator(lang)
    lines = [f"# {_('Sheets and columns')}", "",
             _("A sheet is found by its English or Italian name, a column by its English or Italian heading or by its"
               " field name, in any order and any case."),
             _("In a folder of CSVs the headings are the field names."),
             _("A column that a club has added is kept and left alone."),
             _("The column 'Seen by' says who may know a value; the referee knows all."),
             _("A club that may not see the key of a row does not see the row."), ""]
    for name in ours():
        ruleset = load(name)
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
        said = italian_of(message.text, words.ruleset) if words.lang == "it" else message.text
        yield [message.code, words.text(SEVERITY[message.severity]), plain(said)]


def findings_page(lang: str, _app: Commands) -> list[str]:
    """Every code with its message, from the catalogues."""
    _ = translator(lang)
    lines = [f"# {_('Findings')}", "",
             _("A finding is about what stands in the workbook: it says what was seen and what to do."),
             _("'arbitro check' lists each with its code; 'arbitro check --mark' also puts it onto its cell."), "",
             _("- **refused**: the row of an order changes nothing and the phase goes on without it; anything else has"
               " to be put right before the phase can start."),
             _("- **unclear**: it could mean two things; treated as refused until it is cleared up."),
             _("- **warning**: carried out, but look at it."), ""]
    heads = (_("Code"), _("Severity"), _("Message"))
    lines += [f"## {_('Every ruleset')}", "", *table(heads, finding_rows(COMMON.values(), Wording(None, lang)))]
    for name in ours():
        ruleset = load(name)
        lines += [f"## {ruleset.title}", "",
                  *table(heads, finding_rows(ruleset.findings.values(), Wording(ruleset, lang)))]
    return lines


# --- orders ------------------------------------------------------------------------------------
def card_lines(ruleset: Ruleset, campaign: Campaign, lang: str) -> list[str]:
    """The orders card of a ruleset in a language; [] for one whose verbs do not declare their columns."""
    found = ruleset.order_cards(campaign, lang, Wording(ruleset, lang).text)
    rows = ([one.verb, one.when, one.columns, f"`{one.example}`", one.cost, one.help, one.also] for one in found)
    return table((label(f"card_{name}", lang) for name in COLUMNS), rows) if found else []


def orders_page(lang: str, _app: Commands) -> list[str]:
    """Every verb with what to write where, from the verbs."""
    _ = translator(lang)
    lines = [f"# {_('Orders')}", "",
             _("Each row of the sheet Orders is one order: its verb and the columns that it needs, or the same in"
               " words."),
             _("The examples use codes of the scenario that comes with the rulebook; whether the order would be"
               " allowed there is another matter."),
             _("'arbitro verbs FILE' shows the same with the codes of your own campaign."), ""]
    for name in ours():
        ruleset = load(name)
        for one in scenarios(name)[:1]:
            campaign = read_folder(scenario(name, one), ruleset)[1]
            card = card_lines(ruleset, campaign, lang)
            lines += [f"## {ruleset.title}", "", *card] if card else []
    return lines


# --- commands ----------------------------------------------------------------------------------
def takes(parameter: click.Parameter) -> str:
    """A parameter as one types it: ``FILE``, ``--mark``, ``--until PHASE``."""
    if not isinstance(parameter, click.Option):
        return parameter.metavar or (parameter.name or "").upper()
    names = ", ".join(parameter.opts)
    if parameter.is_flag:
        return names
    choices = "|".join(parameter.type.choices) if isinstance(parameter.type, click.Choice) else ""
    return f"{names} {choices or parameter.metavar or parameter.type.name.upper()}"


def option_lines(command: click.Command, _: Words) -> list[str]:
    """The table of a command's options; [] where it has none."""
    rows = [[f"`{takes(one)}`", one.help or ""] for one in command.params if isinstance(one, click.Option)]
    return table((_("Option"), _("What it does")), rows) if rows else []


def command_lines(command: click.Command, _: Words) -> list[str]:
    """The section of one command: how it is typed, what it does, its options."""
    words = [takes(p) if p.required else f"[{takes(p).strip('[]')}]"
             for p in command.params if isinstance(p, click.Argument)]
    usage = " ".join(["arbitro", command.name or "", *words, _("[OPTIONS]")])
    return [f"## {command.name}", "", f"`{usage}`", "", command.help or "", "", *option_lines(command, _)]


def commands_page(lang: str, app: Commands) -> list[str]:
    """Every command with its options, from the command line itself."""
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


TOPICS: Mapping[str, Callable[[str, Commands], list[str]]] = {
    "commands": commands_page, "orders": orders_page, "sheets": sheets_page, "findings": findings_page,
    "plugins": lambda _lang, _app: plugins_page()}
ENGLISH = ("plugins",)
"""Topics whose pages are made of docstrings, and so in English alone."""
