"""The pages of the manual that are derived from the code, so that they cannot disagree with it.

    python -m assistant.dev.manual write    write docs/commands.md, findings.md, orders.md, sheets.md, rulebooks/, and
                                            the tables between marks in both referee's manuals
    python -m assistant.dev.manual check    say which of them is out of date; exit code 1 if any is
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Column, Data, Flag, Parts, Ref, Typed, Whole
from assistant.campaign.record import Record
from assistant.campaign.records import BASE
from assistant.campaign.see import Circle, in_words, parts
from assistant.catalogues import italian_of
from assistant.cli.app import app
from assistant.cli.click_words import speak
from assistant.desk.may_change import ACTS, MOMENTS, REPLIES
from assistant.dev.markdown import MADE, ours, table
from assistant.dev.rulebooks import rulebook_pages
from assistant.resources import scenario, scenarios
from assistant.speech.braces import plain
from assistant.turn.findings import Message
from assistant.turn.messages.house import COMMON
from assistant.turn.ruleset import Ruleset, load
from assistant.wording import N_, Wording
from assistant.workbook.labels import label
from assistant.workbook.read.csvfolder import read_folder
from assistant.workbook.write.card_sheet import COLUMNS

DOCS = Path(__file__).resolve().parents[2] / "docs"
MANUALS = {"en": "referee.md", "it": "manuale-arbitro.md"}
START, END = "<!-- made: changes -->", "<!-- made: end -->"
SEVERITY = {"error": "refused", "ambiguous": "unclear", "warning": "warning", "info": "for information"}


# --- sheets ------------------------------------------------------------------------------------
def holds(column: Column) -> str:
    """What may stand in a column, in a few words."""
    kind = column.kind
    if isinstance(kind, Choice):
        return ", ".join(f"{code} ({it})" for code, it in kind.options.items())
    if isinstance(kind, (Ref, Codes)):
        return f"a code of {kind.table}" if isinstance(kind, Ref) else f"codes of {kind.table}"
    if isinstance(kind, Whole):
        return f"whole number {kind.allowed}".strip()
    if isinstance(kind, Parts):
        return f"number in steps of {kind.show(1)}"
    if isinstance(kind, Flag):
        return "yes (sì), no"
    if isinstance(kind, Typed):
        return "whole number"
    if isinstance(kind, Data):
        return "JSON, written by the assistant"
    return f"text `{kind.pattern}`" if kind.pattern else "text"


EDITS = {"club": "the club", "referee": "the referee", "assistant": "the assistant"}


def column_row(column: Column, record: type[Record]) -> list[object]:
    """One line of a sheet's table."""
    names = [f"`{column.name}`", *(f"`{a}`" for a in column.alias)]
    return [" or ".join(names) + (" (key)" if column.key and not record.single else ""), column.en, column.it,
            holds(column), EDITS[column.edit], in_words(column.see), column.hint_en]


def owners_line(record: type[Record]) -> list[str]:
    """Whose a row is, where some column asks for it."""
    if not any(see == "owner" for column in record.columns() for see in parts(column.see)):
        return []
    if isinstance(record.whose, Circle):
        return [f"Owners of a row: {record.whose.who}."]
    return [f"{'Owner' if len(record.whose) == 1 else 'Owners'} of a row: who stands in "
            f"{' or '.join(f'`{name}`' for name in record.whose)}."]


def sheet_lines(record: type[Record]) -> list[str]:
    """The section of one sheet."""
    lines = [f"### {record.sheet} / {record.sheet_it}", "", f"{record.about_en}", f"CSV: `{record.file}.csv`"
             f"{', written as key,value' if record.single else ''}.", *owners_line(record), ""]
    return lines + table(("Field", "English heading", "Italian heading", "Holds", "Edited by", "Seen by", "Note"),
                         (column_row(c, record) for c in record.columns()))


def sheets_page() -> str:
    """docs/sheets.md: every sheet and column, from the records."""
    lines = ["# Sheets and columns", MADE, "",
             "A sheet is found by its English or Italian name, a column by its English or Italian heading or by its "
             "field name, in any order and any case.",
             "In a folder of CSVs the headings are the field names.",
             "A column that a club has added is kept and left alone.",
             "The column Seen by says who may know a value; the referee knows all.",
             "Who may not see the key of a row does not see the row.", ""]
    for name in ours():
        ruleset = load(name)
        lines += [f"## {ruleset.title} (`{ruleset.id}`)", "", *([ruleset.shared, ""] if ruleset.shared else [])]
        lines += [line for record in ruleset.records for line in sheet_lines(record)]
    lines += ["## What every ruleset shares", "", "These sheets are there in every campaign; a ruleset adds columns.",
              ""]
    lines += table(("Sheet", "Fields"), ([r.sheet, " ".join(f"`{c.name}`" for c in r.columns())] for r in BASE))
    return "\n".join(lines)


# --- findings ----------------------------------------------------------------------------------
def finding_rows(messages: Iterable[Message], ruleset: Ruleset | None) -> Iterator[list[object]]:
    """Code, severity, and the message in both languages."""
    for message in sorted(messages, key=lambda m: m.code):
        yield [message.code, SEVERITY[message.severity], plain(message.text), plain(italian_of(message.text, ruleset))]


def findings_page() -> str:
    """docs/findings.md: every code with its message, from the catalogues."""
    lines = ["# Findings", MADE, "",
             "A finding is about what stands in the workbook: it says what was seen and what to do.",
             "It stands on its cell after `arbitro check --mark`, and `arbitro check` lists it with its code.", "",
             "- **refused**: an order's row changes nothing and the phase goes on without it; anything that is no "
             "order has to be put right before the phase can start.",
             "- **unclear**: it could mean two things; treated as refused until it is cleared.",
             "- **warning**: carried out, but look at it.", ""]
    heads = ("Code", "Severity", "English", "Italian")
    lines += ["## Every ruleset", "", *table(heads, finding_rows(COMMON.values(), None))]
    for name in ours():
        ruleset = load(name)
        lines += [f"## {ruleset.title}", "", *table(heads, finding_rows(ruleset.findings.values(), ruleset))]
    return "\n".join(lines)


# --- orders ------------------------------------------------------------------------------------
def card_lines(ruleset: Ruleset, campaign: Campaign, lang: str) -> list[str]:
    """The orders card of a ruleset in a language; [] for one whose verbs do not declare their columns."""
    found = ruleset.order_cards(campaign, lang, Wording(ruleset, lang).text)
    rows = ([one.verb, one.when, one.columns, f"`{one.example}`", one.cost, one.help, one.also] for one in found)
    return table((label(f"card_{name}", lang) for name in COLUMNS), rows) if found else []


def orders_page() -> str:
    """docs/orders.md: every verb with what to write where, from the verbs."""
    lines = ["# Orders", MADE, "",
             "Each row of Orders is one order: its verb and the columns that it needs, or the same in words.",
             "The examples use codes of the scenario that comes with the rulebook; whether such an order may be given "
             "there is another matter.", "",
             "*Ogni riga di Ordini è un ordine: il verbo e le colonne che gli servono, o le stesse cose a parole.*",
             "*Gli esempi usano le sigle dello scenario che accompagna il regolamento; se là l'ordine sia lecito è "
             "un'altra cosa.*", ""]
    for name in ours():
        ruleset = load(name)
        for one in scenarios(name)[:1]:
            _, campaign, _ = read_folder(scenario(name, one), ruleset)
            cards = [card_lines(ruleset, campaign, lang) for lang in ("en", "it")]
            lines += [f"## {ruleset.title}", "", *cards[0], *cards[1]] if cards[0] else []
    return "\n".join(lines)


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


def option_rows(english: click.Command, italian: click.Command) -> list[list[str]]:
    """One line an option, in both languages."""
    return [[f"`{takes(en)}`", en.help or "", it.help or ""]
            for en, it in zip(english.params, italian.params, strict=True)
            if isinstance(en, click.Option) and isinstance(it, click.Option)]


def command_lines(english: click.Command, italian: click.Command) -> list[str]:
    """The section of one command: how it is typed, what it does, its options."""
    words = [takes(p) if p.required else f"[{takes(p).strip('[]')}]"
             for p in english.params if isinstance(p, click.Argument)]
    usage = " ".join(["arbitro", english.name or "", *words, "[options]"])
    return [f"## {english.name}", "", f"`{usage}`", "", english.help or "", "", f"*{italian.help}*", "",
            *table(("Option", "What it does", "Che cosa fa"), option_rows(english, italian))]


def commands_page() -> str:
    """docs/commands.md: every command with its options, from the command line itself."""
    speak("en")
    english, italian = app("en"), app("it")
    lines = ["# Commands", MADE, "", english.help or "", "", f"*{italian.help}*", "",
             "Type `arbitro`, the command, its words and its options; `--help` after a command says the same as "
             "this page.", "",
             *table(("Option before the command", "What it does", "Che cosa fa"), option_rows(english, italian)),
             *(english.epilog or "").split("\n\n"), ""]
    for name in english.makers:
        lines += command_lines(english.made(name), italian.made(name))
    return "\n".join(lines)


# --- what may still be changed -------------------------------------------------------------------
def change_lines(lang: str) -> list[str]:
    """The table of what may still be changed, in a language."""
    say = Wording(None, lang).text
    heads = (say(N_("What")), say(N_("With")), *(say(name) for name in MOMENTS.values()))
    return table(heads, ([say(act.name), f"`{act.how}`", *(say(REPLIES[act.at(moment)]) for moment in MOMENTS)]
                         for act in ACTS))


def manual_pages() -> dict[str, str]:
    """The referee's manuals by name, with the table made anew between its marks."""
    made = {}
    for lang, name in MANUALS.items():
        before, rest = (DOCS / name).read_text(encoding="utf-8").split(START)
        made[name] = "\n".join([before + START, "", *change_lines(lang), END + rest.split(END)[1]])
    return made


def pages() -> dict[str, str]:
    """Name in docs/ -> text, of every derived page."""
    made = {"commands.md": commands_page(), "findings.md": findings_page(), "orders.md": orders_page(),
            "sheets.md": sheets_page(), **rulebook_pages(DOCS), **manual_pages()}
    return {name: "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n" for name, text in made.items()}


def stale() -> list[str]:
    """Names of the derived pages that do not say what the code says now."""
    return [name for name, text in pages().items()
            if not (DOCS / name).is_file() or (DOCS / name).read_text(encoding="utf-8") != text]


def run(arguments: list[str]) -> int:
    """``write`` or ``check``; returns the exit code."""
    if arguments == ["write"]:
        for name, text in pages().items():
            (DOCS / name).write_text(text, encoding="utf-8")
        return 0
    if arguments == ["check"]:
        old = stale()
        for name in old:
            print(f"docs/{name} is out of date: run python -m assistant.dev.manual write", file=sys.stderr)
        return 1 if old else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
