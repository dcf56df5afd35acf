"""What every ruleset promises, asked of Bloodlust nations."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign, Change, FieldSet
from assistant.testing import kit
from tests.bloodlust.scenario import BLOODLUST, ground
from tests.sweeps import asked_elsewhere, slow_among


@asked_elsewhere("test_battles_may_be_typed_before_they_are_laid_out", "test_no_throws_share_a_key",
                 "test_refused_orders_leave_nothing_behind")
@slow_among("test_check_refuses_what_resolve_refuses", "test_every_verb_stands_whoever_orders_it",
            "test_export_and_import_change_nothing",
            "test_robots_play_to_the_end", "test_typed_nonsense_is_refused",
            "test_what_a_faction_may_not_see_changes_no_byte", "test_what_a_faction_sees_gives_nothing_hidden_away")
class TestBloodlust(kit.Promises):
    """From the scripted beginning; what refused orders, throws and early battles come to: `tests.rulesets`, leftovers.
    """

    ruleset: Any = BLOODLUST
    seeds = range(2)
    phases = 6
    tried, processes = (2, 2), False

    def opening(self) -> Campaign:
        """The scenario without its script."""
        return ground()

    def aside(self, change: Change) -> bool:
        """What is noted for the phase itself is told with what comes of it."""
        return isinstance(change, FieldSet) and change.field == "invaded_now"
