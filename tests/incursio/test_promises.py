"""What every rulebook promises, of Incursio: secrets, check equals resolve, robots, nonsense, export."""

from __future__ import annotations

import pytest

from assistant.campaign.campaign import Campaign, Change, FieldSet
from assistant.campaign.records import Order
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing import kit
from tests.incursio.scenario import esdef
from tests.sweeps import asked_elsewhere, slow_among


def opening() -> Campaign:
    """The demo's start without its script."""
    campaign = esdef()
    for sheet in (Order.sheet, "Questions", "Dice", "Battles"):
        table = campaign.by_sheet(sheet)
        for key in list(table.keys_in_file_order()):
            table.remove(key)
    return campaign


@asked_elsewhere("test_battles_may_be_typed_before_they_are_laid_out")
@slow_among("test_every_verb_stands_whoever_orders_it", "test_export_and_import_change_nothing",
            "test_robots_play_to_the_end",
            "test_what_a_faction_may_not_see_changes_no_byte")
class TestIncursio(kit.Promises):
    """All promises; whole campaigns in the slow part. Battles typed early: `tests.rulesets`, leftovers."""

    ruleset = INCURSIO
    seeds = (0, 1, 2)
    phases = 9
    tried, processes = (2, 2), False
    by_others = ("INC-051", "INC-052", "INC-053")

    def opening(self) -> Campaign:
        """Day 1, before the initiative."""
        return opening()

    @pytest.mark.slow
    def test_typed_nonsense_is_refused(self) -> None:
        """In all columns of all verbs, in each phase of a day."""
        kit.nonsense_is_refused(self.ruleset, self.opening(), seed=0, phases=self.phases)

    def aside(self, change: Change) -> bool:
        """That nobody has fought any more, and what was seen, is told with what comes of it."""
        return change.sheet in ("Observations", "Days") or (
            change.sheet == "Armies" and not (isinstance(change, FieldSet) and change.field == "node"))
