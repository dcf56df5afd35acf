"""What is left when a scenario is put beside a club's own tables."""

from __future__ import annotations

from assistant.desk.commands.rulesets import Loans, stops_on_scenario_sheet
from assistant.turn.findings import Finding, Where


def test_what_stops_on_a_sheet_of_the_scenarios_is_a_misfit() -> None:
    """There the club has no cell to put right; on its own sheet it has, and a warning stops nothing."""
    lent = Loans(tables=["Roads"])

    assert stops_on_scenario_sheet(lent, [Finding("ARB-030", "error", Where("Roads", "a/b", "a"))])
    assert not stops_on_scenario_sheet(lent, [Finding("ARB-030", "error", Where("Armies", "A-1", "node"))])
    assert not stops_on_scenario_sheet(lent, [Finding("ARB-030", "warning", Where("Roads", "a/b", "a"))])
