"""Small things that a rulebook may ask of the floor: words of its own finding, open dice, sheets of several words."""

from __future__ import annotations

import pytest

from assistant.campaign.columns import Choice, UnreadableValue
from assistant.campaign.tables import touched_name
from assistant.rulesets.warriors.records import BattleArmy, BattleUnit, Faction
from assistant.turn.dice import normalize_dice
from assistant.workbook.layout import list_name, table_name


def test_a_word_that_is_none_may_be_the_rulesets_own_affair() -> None:
    """With `own_finding` it stays as it was typed; without, it cannot be read."""
    words = {"poor": "scarsa"}
    assert Choice(words, own_finding=True).read("Brave") == "Brave"
    assert Choice(words, own_finding=True).read("SCARSA") == "poor"
    with pytest.raises(UnreadableValue):
        Choice(words).read("Brave")


def test_dice_of_which_only_the_phase_knows_the_sides() -> None:
    """``1dN`` says nothing; other dice are what they are."""
    assert [normalize_dice(typed) for typed in ("1dN", "d6", "2D6", "x")] == ["", "1d6", "2d6", "x"]


def test_a_sheet_may_be_called_by_several_words() -> None:
    """What an event has touched, tables and lists have no blanks in their names."""
    assert touched_name("Battle armies", "B1-1/M1") == "Battlearmies/B1-1/M1"
    assert (table_name(BattleArmy), list_name("Unit types")) == ("tbl_Battle_armies", "list_Unit_types")


def test_a_column_may_be_called_people() -> None:
    """It says nothing of whether the rows are people."""
    assert (Faction.persons, Faction(people="orcs").people) == (False, "orcs")


def test_a_form_that_was_handed_out_is_nobodys_word_yet() -> None:
    """A row that its phase has completed asks; before it is people's own, once counted nobody's."""
    holds = [BattleUnit(battle="B1-1", unit="M1a", before=before, status=status).hold
             for before, status in ((None, ""), (10, ""), (10, "counted"))]
    assert holds == ["typed", "asked", "settled"]
