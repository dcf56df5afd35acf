"""Typed nonsense is refused by every rulebook that is kept here: both wings, and the three sketches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk.commands.rulesets import scenarios_of
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing import kit
from assistant.turn.ruleset import Ruleset
from tests.sketches.realms import REALMS
from tests.sketches.walls import WALLS
from tests.sketches.waters import WATERS


@pytest.fixture(scope="module", autouse=True)
def plugged_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The sketches, as where they are installed."""
    with kit.plug_in(tmp_path_factory.mktemp("nonsense"), waters="tests.sketches.waters:WATERS",
                     realms="tests.sketches.realms:REALMS", walls="tests.sketches.walls:WALLS"):
        yield


def opening(ruleset: Ruleset) -> Campaign:
    """Its first scenario."""
    return kit.opening(ruleset, next(iter(scenarios_of(ruleset).values())))


@pytest.mark.parametrize(("ruleset", "phases"), [
    (GIGLIO, 3), pytest.param(ANARCHY, 3, marks=pytest.mark.slow), (WATERS, 6), (REALMS, 8), (WALLS, 6)],
                         ids=lambda one: getattr(one, "id", ""))
def test_typed_nonsense_is_refused(ruleset: Ruleset, phases: int) -> None:
    """Into orders, and for answers."""
    kit.nonsense_is_refused(ruleset, opening(ruleset), phases=phases)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 3))
@pytest.mark.parametrize("ruleset", [GIGLIO, ANARCHY], ids=lambda one: one.id)
def test_other_nonsense_is_refused_in_a_longer_campaign(ruleset: Ruleset, seed: int) -> None:
    """Of both wings, over all phases of a year or day and those that follow."""
    kit.nonsense_is_refused(ruleset, opening(ruleset), seed=seed, phases=20)


@pytest.mark.parametrize(("cells", "code", "field"), [
    ({"verb": "ally", "partner": "F", "option": "passsage"}, "ARB-332", "option"),
    ({"verb": "objective", "option": "keep", "partner": "QQ"}, "GIG-010", "partner")])
def test_a_mistyped_word_of_il_giglio_is_not_passed_over(cells: dict[str, str], code: str, field: str) -> None:
    """A treaty without the passage that was meant, and an aim with a faction that is none."""
    campaign = opening(GIGLIO)
    campaign.desk.phase = "budget"
    table = campaign.table(Order)
    for row in list(table):
        table.remove(row.order)
    table.add(table.record.from_values({"order": "x", "turn": campaign.desk.turn, "phase": "budget", "faction": "V",
                                        **cells}))
    assert [(finding.code, finding.where.field) for finding in GIGLIO.check_orders(campaign)] == [(code, field)]
