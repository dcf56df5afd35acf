"""Switches in which no two clubs would differ are readings by now; a campaign that had set one is never misread."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.desk.commands.rulesets import scenarios_of
from assistant.testing.cases import campaign_of, codes_of, opening
from assistant.testing.kit import add_row
from assistant.turn.phases import check_campaign
from assistant.turn.ruleset import load
from tests import hand
from tests.fresh import new_campaign

RETIRED = {
    "anarchy": {"refusal_prestige": "twice", "weather_clamp": "1-10"},
    "bloodlust": {"dice_prefix": "target", "rating_bounds": "all", "def_unit_dice": "-1", "desert_skill": "snow",
                  "stance_clamp": "none", "move_tie": "reroll"},
    "warriors": {"third_party": "passes", "order_timing": "two_steps"}}
"""Rulebook -> retired switch -> an option that it had."""


def test_each_is_declared_with_one_reading_and_no_longer_a_switch() -> None:
    """In its chapter, with its word in both languages; the sheet has no row of it."""
    for name, keys in RETIRED.items():
        ruleset = load(name)
        assert {switch.key for switch in ruleset.retired} == set(keys)
        assert not {number.key for number in ruleset.numbers} & set(keys)
        assert all(len(switch.options) == len(switch.words) == 1 for switch in ruleset.retired)


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in RETIRED.items() for key in keys])
def test_the_reading_may_stand_there_and_any_other_is_refused_by_name(name: str, key: str) -> None:
    """No finding for what counts anyway; an error with key, value and what is left for anything else."""
    ruleset = load(name)
    (retired,) = (switch for switch in ruleset.retired if switch.key == key)
    campaign = opening(ruleset, next(iter(scenarios_of(ruleset).values())))

    add_row(campaign, "Rules", {"key": key, "value": retired.default})
    assert not [one for one in check_campaign(ruleset, campaign) if one.where.table == "Rules"]
    campaign.by_sheet("Rules")[key].value = RETIRED[name][key]
    (found,) = (one for one in check_campaign(ruleset, campaign) if one.where.table == "Rules")

    assert (found.code, found.severity, found.where.row) == ("ARB-061", "error", key)
    assert found.data == {"key": key, "seen": RETIRED[name][key], "allowed": retired.default}


def test_an_older_workbook_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """The row that earlier versions had: blank or with the reading in words it is nothing, with another option the
    phase does not begin, and not a byte is written.
    """
    book = new_campaign(tmp_path / "war.xlsx", "warriors")

    def type_in(value: str | None) -> bytes:
        file = hand.opened(book)
        sheet = file["Rules"]
        cells = next((row for row in sheet.iter_rows() if row[0].value == "order_timing"), None)
        row = cells[0].row if cells else sheet.max_row + 1
        sheet.cell(row, 1).value, sheet.cell(row, 2).value = "order_timing", value
        file.save(book)
        return book.read_bytes()

    type_in("una volta per turno")
    assert campaign_of(book).by_sheet("Rules")["order_timing"].value == "once"
    typed = type_in("two_steps")

    result = desk.resolve(book, defaults=True, lang="en")

    assert (result.exit, "ARB-061" in codes_of(result)) == (Exit.REFUSED, True)
    assert "order_timing" in " ".join(result.finding_lines())
    assert book.read_bytes() == typed
