"""What a report's tables say of a club's own units: all that the rules look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Column, Flag, Parts, Ref, Whole
from assistant.campaign.records import Faction, Rule
from assistant.environment import scenario_names, shipped_scenario
from assistant.testing import kit
from assistant.turn.event_types import besides
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset

TITLE = {"faction", "name", "name_it"}
"""What the title of a table, and a code as it is shown, say already."""
NOT_NEEDED: Mapping[str, Mapping[str, set[str]]] = {
    "warriors": {"Armies": {"commander_it", "status"}, "Units": set(), "Boats": set()},
    "giglio": {"Armies": {"arrived_year", "arrived_round", "arrived_no"}},
    "bloodlust": {"Armies": {"state", "left_turn"}, "Units": {"type", "recruited_turn", "state", "left_turn"},
                  "Leaders": {"levy", "wr_change"}},
    "incursio": {"Armies": {"made"}},
    "anarchy": {"Armies": {"state", "size", "march", "counter", "cavalry", "moves_next", "enters_on"}},
}
"""Sheets of units by rulebook, and their columns that decide nothing for their owner, or stand elsewhere in the report:
men of each rank in shorthand, the order of march on the counters, the day on which a group still to come enters,
levies by the kind of their army, arrivals by their month.
"""
MEN = {"knights", "dismounted", "foot", "bows", "light", "peasants"}
RULES = {"warriors": ("counter_march",)}
"""Switches that are on, so that what they decide by is shown."""


def another(column: Column, campaign: Campaign) -> Any:
    """A value that is not the default."""
    kind = column.kind
    if isinstance(kind, Flag):
        return True
    if isinstance(kind, (Whole, Parts)):
        return (column.default or 0) + (-1 if getattr(kind, "maximum", None) == 0 else 1)
    if isinstance(kind, Choice):
        return next(option for option in kind.options if option not in ("", column.default))
    if isinstance(kind, Ref):
        return next((row.ident for row in campaign.by_sheet(kind.table)), "x")
    return "x"


def told(ruleset: Ruleset, campaign: Campaign, sheet: str, ident: str) -> Iterator[str]:
    """The fields that the tables of any club show of a row."""
    for faction in [row.faction for row in campaign.table(Faction)]:
        for table in ruleset.tables(ruleset.view(campaign, faction), faction):
            if table.record.sheet == sheet and any(row.ident == ident for row in table.rows):
                yield from table.fields


@pytest.mark.parametrize(("name", "sheet"), [(name, sheet) for name, sheets in NOT_NEEDED.items() for sheet in sheets])
def test_all_of_own_units_that_decides_something_stands_in_a_table(name: str, sheet: str) -> None:
    """Each column in turn is given something; a column that is new has to be shown, or named here."""
    ruleset = load(name)
    campaign = kit.opening(ruleset, shipped_scenario(name, scenario_names(name)[0]))
    for key in RULES.get(name, ()):
        campaign.table(Rule)[key].value = "on"
    first = next(row for row in campaign.by_sheet(sheet) if [*told(ruleset, campaign, sheet, row.ident)])
    missing = []
    for column in first.columns():
        if column.key or column.name in TITLE | MEN | NOT_NEEDED[name][sheet] or column.see == "referee":
            continue
        changed = campaign.copy()
        setattr(changed.by_sheet(sheet)[first.ident], column.name, another(column, campaign))
        if column.name not in told(ruleset, changed, sheet, first.ident):
            missing.append(column.name)
    assert missing == []


def test_a_table_beside_another_is_as_narrow_as_can_be() -> None:
    """Rows without anything are left out, and so are fields in which nobody has anything."""
    ruleset = load("warriors")
    units = list(kit.opening(ruleset, shipped_scenario("warriors", "borderlands")).by_sheet("Units"))
    table = besides("x", ruleset.record("Units"), ("unit", "mounted", "wizard", "leaves"), units)
    assert table.fields == ("unit", "mounted", "wizard")
    assert table.rows == [one for one in units if one.mounted or one.wizard]


def test_what_has_no_room_in_a_table_stands_in_a_further_one() -> None:
    """Bands of Incursio have six fields: who has fought is not cut off where somebody is to return, too."""
    ruleset = load("incursio")
    campaign = kit.opening(ruleset, shipped_scenario("incursio", scenario_names("incursio")[0]))
    band = next(row for row in campaign.by_sheet("Armies") if row.faction == "esdef")
    band.returns_on, band.fought = 2, "attacked"
    shown = [table for table in ruleset.tables(ruleset.view(campaign, "esdef"), "esdef")
             if table.record.sheet == "Armies"]
    assert {"returns_on", "fought"} <= {name for table in shown for name in table.fields}
    assert [len(table.fields) for table in shown] == [4, 1]
