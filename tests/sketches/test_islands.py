"""The Spice Isles, a rulebook that a stranger wrote from the page, brought up to date: his examples and the kit."""

from __future__ import annotations

from pathlib import Path

from tests.sketches.islands import ISLANDS
from tests.sketches.playing import Promises
from tests.sweeps import slow_among


@slow_among("test_what_a_faction_may_not_see_changes_no_byte", "test_case_files_go_through_the_commands")
class TestIslands(Promises):
    """All promises, and the 25 examples of its author."""

    ruleset = ISLANDS
    case_files = (Path(__file__).with_name("islands") / "rules.jsonl",)
