"""Same records, same secret, same outcome: eight days of Wallingford 1139."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.campaign.tables import Table
from assistant.turn.phases import resolve
from tests.anarchy.cases import anarchy, phase_of
from tests.anarchy.scenario import LAST_DAY, SECRET, played_out, wallingford
from tests.repeating import as_texts, assert_common_alike, by_default, shuffled, without_orders

Played = tuple[Campaign, dict[str, int]]


def bare() -> Campaign:
    """The scenario with its orders, but no typed dice, answers or results: everything else is thrown or by default."""
    campaign = wallingford()
    for sheet in ("Dice", "Questions", "Battles", "Losses"):
        campaign.put(Table(campaign.by_sheet(sheet).record))
    return campaign


@pytest.fixture(scope="module")
def once() -> Played:
    """The days as they are written."""
    return played_out(bare())


@pytest.mark.slow
def test_the_days_are_worth_comparing(once: Played) -> None:
    """They have battles, refusals and healing enough for the comparisons below."""
    campaign, thrown = once
    assert int(campaign.desk.turn) == LAST_DAY + 1
    assert len(thrown) > 30
    assert len(campaign.by_sheet("Events")) > 200
    assert len(campaign.by_sheet("Battles")) >= 3


@pytest.mark.slow
def test_the_same_days_again(once: Played) -> None:
    """Same workbook, same answers, same secret: the same, cell by cell."""
    again, thrown = played_out(bare())
    assert thrown == once[1]
    assert as_texts(again) == as_texts(once[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 4))
def test_the_order_of_rows_changes_nothing(once: Played, seed: int) -> None:
    """Rows of every sheet shuffled: the same days, event by event."""
    other, thrown = played_out(shuffled(bare(), seed))
    assert thrown == once[1]
    assert as_texts(other) == as_texts(once[0])


CHANGES: list[tuple[str, Callable[[Order], bool]]] = [
    ("Meulan sits still", lambda o: getattr(o, "unit", "") == "A-MEU"),
    ("the Marshal sits still", lambda o: getattr(o, "unit", "") in ("A-MAR", "A-MAW")),
    ("nobody moves the mercenaries", lambda o: o.verb == "MERCS"),
    ("the king stays at Malmesbury", lambda o: getattr(o, "unit", "") == "A-STE"),
    ("no order for one group", lambda o: getattr(o, "unit", "") == "A-CHE"),
]


@pytest.mark.slow
@pytest.mark.parametrize("dropped", [c[1] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_another_groups_orders_move_no_unrelated_die(once: Played, dropped: Callable[[Order], bool]) -> None:
    """Dice depend on day, phase and purpose alone: what is thrown in both plays for the same shows the same."""
    _, thrown = played_out(without_orders(bare(), dropped))
    assert_common_alike(thrown, once[1], 10)


def test_another_secret_makes_other_dice() -> None:
    """The secret is what makes the dice: with another one they fall otherwise."""
    campaign = bare()
    campaign.by_sheet("Rules")["weather"].value = "roll"
    first = {resolve(anarchy(), campaign, bytes([n] * 32)).rolls[0].total for n in range(12)}
    assert len(first) > 2
    assert resolve(anarchy(), campaign, SECRET).rolls == resolve(anarchy(), campaign, SECRET).rolls


@pytest.mark.slow
def test_check_orders_says_what_resolution_says() -> None:
    """What *Check orders* says of a phase's orders, resolution says, too, phase by phase."""
    campaign, seen = bare(), 0
    while int(campaign.desk.turn) <= LAST_DAY:
        checked = {(f.where.row, f.code) for f in anarchy().check_orders(campaign)
                   if phase_of(campaign, f.where.row) == campaign.desk.phase}
        outcome = by_default(anarchy(), campaign, SECRET)
        said = {(f.where.row, f.code) for f in outcome.findings}
        assert checked <= said, (outcome.turn, outcome.phase)
        seen += len(checked)
        campaign = outcome.campaign
    assert seen > 0
