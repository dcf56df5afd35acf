"""Non-interference, made from the declaration: what a faction may not see changes no byte of what leaves for it.

It works for any ruleset: the facts are found by asking the ruleset's own viewer, cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Colour, Column, Data, Flag, Parts, Ref, Text, Typed, Whole
from assistant.campaign.record import Record
from assistant.campaign.records import Die, Event, Faction
from assistant.campaign.table import Table
from assistant.reporting.build import build_page
from assistant.reporting.ending import build_end
from assistant.reporting.public import build_gazette
from assistant.reporting.render import render_html, render_json, render_text
from assistant.testing.betrayed import faults_of_view, is_there
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording

Keep = Callable[[Record], bool]
Package = Callable[[Ruleset, Campaign, str, Campaign | None], str | bytes]


def package(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None, lang: str = "en") -> str:
    """Everything that leaves for one club, in one string: its report, the gazette and, where all is over, the page
    of the end, as HTML, text and JSON.
    """
    words = Wording(ruleset, lang)
    views, then = ({code: ruleset.view(one, code) for code in (faction, "")} if one is not None else {}
                   for one in (whole, before))
    pages = (build_page(ruleset, views[faction], faction, words, previous=then.get(faction)),
             build_gazette(ruleset, views[""], words, previous=then.get("")),
             *((build_end(ruleset, views[""], words),) if ruleset.is_over(whole) else ()))
    return "".join(render(page) for page in pages for render in (render_html, render_text, render_json))


# --- facts ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Fact:
    """A cell that a faction may not see, and what might stand there as well."""

    sheet: str
    key: str
    name: str
    other: Any


def hidden(ruleset: Ruleset, whole: Campaign, faction: str, keep: Keep) -> Iterator[Fact]:
    """Every cell of a campaign that a faction may not see and that may say something else, but for rows to be kept."""
    viewer = ruleset.viewer(whole, faction)
    for sheet, table in whole.tables().items():
        for key, row in table.in_file_order():
            for column in row.columns():
                if not (column.key or keep(row) or viewer.sees(row, column.name)):
                    value = other(column, getattr(row, column.name), whole)
                    if value is not None:
                        yield Fact(sheet, key, column.name, value)


def other(column: Column, value: Any, whole: Campaign) -> Any:
    """Another value that the column can hold; None where there is none."""
    kind = column.kind
    if isinstance(kind, Whole):
        return (kind.minimum or 1) if value is None else value - 1 if value == kind.maximum else value + 1
    if isinstance(kind, Parts):
        return value + kind.per
    if isinstance(kind, Flag):
        return not value
    if isinstance(kind, Choice):
        return next((option for option in kind.options if option != value), None)
    if isinstance(kind, Ref):
        codes = whole.by_sheet(kind.table).keys()
        return next((code for code in codes if code != value), None)
    if isinstance(kind, Codes):
        return (*value, "FOG")
    if isinstance(kind, Data):
        return [*value, {"fog": "FOG"}] if kind.rows else {**value, "fog": "FOG"}
    if isinstance(kind, Colour):
        return "#010203" if value != "#010203" else "#030201"
    return _other_text(kind, value)


def _other_text(kind: Text | Typed, value: Any) -> Any:
    if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()):
        return type(value)(int(value) + 1)  # a turn stays a turn, a hex a hex
    return None if isinstance(kind, Text) and kind.pattern else f"{value}FOG"


def changed(whole: Campaign, facts: Iterable[Fact]) -> Campaign:
    """The campaign with other facts."""
    new = Campaign([])
    for table in whole.tables().values():
        new.put(Table.of(table.record, [(key, row.copy()) for key, row in table.in_file_order()]))
    for fact in facts:
        setattr(new.by_sheet(fact.sheet)[fact.key], fact.name, fact.other)
    return new


def still_hidden(ruleset: Ruleset, whole: Campaign, faction: str, facts: list[Fact]) -> list[Fact]:
    """Those that stay hidden when all of them are changed: a change that shows a row is no secret, nor is a column that
    shows or hides rows beside its own.
    """
    def shown(campaign: Campaign) -> set[tuple[str, str]]:
        viewer = ruleset.viewer(campaign, faction)
        return {(sheet, key) for sheet, table in campaign.tables().items() for key, row in table.raw_rows()
                if is_there(row, viewer)}

    there, kept = shown(whole), facts
    while True:
        after = changed(whole, kept)
        viewer, new = ruleset.viewer(after, faction), shown(after) - there
        facts, kept = kept, [fact for fact in kept if (fact.sheet, fact.key) not in new and not viewer.sees(
            after.by_sheet(fact.sheet)[fact.key], fact.name)]
        if len(kept) == len(facts):
            break
    by_column: dict[tuple[str, str], list[Fact]] = {}
    for fact in kept if shown(after) != there else ():
        by_column.setdefault((fact.sheet, fact.name), []).append(fact)
    telling = {column for column, some in by_column.items() if shown(changed(whole, some)) != there}
    if not telling:
        return kept
    return still_hidden(ruleset, whole, faction, [f for f in kept if (f.sheet, f.name) not in telling])


def without_hidden_rows(ruleset: Ruleset, whole: Campaign, faction: str, keep: Keep) -> Campaign:
    """The campaign without the rows that are not there for a faction."""
    viewer, new = ruleset.viewer(whole, faction), Campaign([])
    for table in whole.tables().values():
        new.put(Table.of(table.record, [(key, row) for key, row in table.in_file_order()
                                        if keep(row) or is_there(row, viewer)]))
    return new


# --- leaks ------------------------------------------------------------------------------------------
def leaks(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None, *,
          keep: Keep = lambda row: False, touched: set[tuple[str, str]] | None = None,
          package: Package = package) -> list[str]:
    """Columns (``Sheet.field``) and sheets by whose hidden facts a faction's package differs; [] for a good ruleset.

    `keep`: rows that are left as they are, because all may know what they say although their sheet hides them;
    `touched`: is told which columns were tried; `package`: what leaves for a faction, as `fog.package` has it.
    """
    sent = package(ruleset, whole, faction, before)
    facts = still_hidden(ruleset, whole, faction, list(hidden(ruleset, whole, faction, keep)))
    if touched is not None:
        touched |= {(fact.sheet, fact.name) for fact in facts}
    found = []
    if package(ruleset, changed(whole, facts), faction, before) != sent:
        columns = dict.fromkeys((fact.sheet, fact.name) for fact in facts)
        found = [".".join(one) for one in columns if sent != package(
            ruleset, changed(whole, [f for f in facts if (f.sheet, f.name) == one]), faction, before)]
        found = found or ["several columns together"]
    if package(ruleset, without_hidden_rows(ruleset, whole, faction, keep), faction, before) != sent:
        found.append("rows that are not there for it")
    return found


def dice_told_too_widely(ruleset: Ruleset, whole: Campaign) -> list[tuple[str, str, str]]:
    """Faction, event and purpose of every throw that an event tells to a faction that may not know the die itself."""
    found = []
    for code in ("", *whole.table(Faction).keys()):
        seen, record = ruleset.view(whole, code), whole.table(Die).record
        for event in seen.table(Event):
            for roll in event.roll.get("rolls", [event.roll] if event.roll else []):
                key = record(key=str(roll.get("key")), turn=event.turn, phase=event.phase).ident
                if key in whole.table(Die) and key not in seen.table(Die):
                    found.append((code, event.event, key))
    return found


def secret_columns(ruleset: Ruleset, whole: Campaign) -> set[tuple[str, str]]:
    """Sheet and field of every column that is no part of a key and not for everybody to see."""
    viewer = ruleset.viewer(whole, "")
    return {(record.sheet, name) for record in ruleset.records
            for block in viewer.blocks(record) for name in block.blanks if not record.column(name).key}


def fog_faults(ruleset: Ruleset, whole: Campaign, before: Campaign | None = None, *,
               keep: Keep = lambda row: False) -> list[str]:
    """What tells a faction's package of its secrets to others, in sentences; [] for a good ruleset."""
    found = faults_of_view(ruleset, whole)
    for code in (row.faction for row in whole.table(Faction)):
        found += [f"What leaves for {code} is not the same when {where} says something else, which {code} may not see. "
                  "Say with see of that column who may see it, or show less in viewer, glance, standings or dossier."
                  for where in leaks(ruleset, whole, code, before, keep=keep)]
    return found + [f"The event {event} tells {code or 'everybody'} of the die {key}, which is not for them. Throw it "
                    "for those to whom the event is told, or tell the event to fewer."
                    for code, event, key in dice_told_too_widely(ruleset, whole)]
