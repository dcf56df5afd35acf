"""Same records, same secret, same outcome: a whole spring and summer of Italy 1500."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Order
from assistant.campaign.tables import Table
from assistant.environment import shipped_folder
from assistant.testing import cases
from assistant.turn.phases import resolve
from tests.giglio.cases import giglio
from tests.repeating import as_texts, assert_common_alike, by_default, shuffled, without_orders

SECRET = b"italy"
Played = tuple[Campaign, dict[str, int]]


def italy() -> Campaign:
    """The demo year without its typed dice, so that every die is made from the secret."""
    campaign = cases.opening(giglio(), shipped_folder("workbook_templates") / "giglio" / "italy-1500")
    campaign.put(Table(campaign.table(Die).record))
    return campaign


def summer(campaign: Campaign) -> Played:
    """From income to the last siege; who has not answered takes the default, no battle is played."""
    thrown: dict[str, int] = {}
    while campaign.desk.phase != "winter":
        outcome = by_default(giglio(), campaign, SECRET)
        thrown |= {r.key: r.total for r in outcome.rolls}
        campaign = outcome.campaign
    return campaign, thrown


@pytest.fixture(scope="module")
def once() -> Played:
    """The summer as it is written."""
    return summer(italy())


def test_the_summer_is_worth_comparing(once: Played) -> None:
    """The demo year has battles, sieges and storms enough for the comparisons below."""
    campaign, thrown = once
    assert len(thrown) > 50
    assert len(campaign.by_sheet("Events")) > 300
    assert {key.split(":")[0] for key in thrown} >= {"storm", "siege", "auto", "assassin", "order"} - {"order"}


@pytest.mark.slow
def test_the_same_summer_again(once: Played) -> None:
    """Same workbook, same answers, same secret: the same, cell by cell."""
    again, thrown = summer(italy())
    assert thrown == once[1]
    assert as_texts(again) == as_texts(once[0])


@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_rows_changes_nothing(once: Played, seed: int) -> None:
    """Rows of every sheet shuffled: the same summer, event by event."""
    other, thrown = summer(shuffled(italy(), seed))
    assert thrown == once[1]
    assert as_texts(other) == as_texts(once[0])


CHANGES: list[tuple[str, Callable[[Order], bool]]] = [
    ("Savoia sits still", lambda o: o.faction == "SV" and o.phase != "budget"),
    ("the Swiss sit still", lambda o: o.faction == "CH" and o.phase != "budget"),
    ("nobody sails", lambda o: o.verb == "sail"),
    ("Florence stays at home from May on", lambda o: o.faction == "F" and o.phase in ("r3", "r4", "r5", "r6")),
]


@pytest.mark.parametrize("dropped", [c[1] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_other_orders_move_no_unrelated_die(once: Played, dropped: Callable[[Order], bool]) -> None:
    """Dice depend on their purpose alone: what is thrown in both summers shows the same."""
    _, thrown = summer(without_orders(italy(), dropped))
    assert_common_alike(thrown, once[1], 30)


def test_another_secret_makes_other_dice() -> None:
    """The secret is what makes the dice: with another one they fall otherwise."""
    campaign = italy()
    campaign.desk.phase = "open"
    first, other = (
        {r.key: r.total for r in resolve(giglio(), campaign, secret).rolls if ":t" not in r.key}
        for secret in (SECRET, b"another")
    )
    assert set(first) == set(other)
    assert first != other


def test_check_orders_says_what_resolution_says() -> None:
    """Orders: the same codes at the same rows, phase by phase; garrisons never reached (GIG-041) come later."""
    campaign = italy()
    while campaign.desk.phase != "winter":
        checked = {(f.where.row, f.code) for f in giglio().check_orders(campaign)}
        outcome = by_default(giglio(), campaign, SECRET)
        said = {(f.where.row, f.code) for f in outcome.findings if f.where.table in ("Orders", "Fleets")}
        assert checked <= said, outcome.phase
        assert {code for _, code in said - checked} <= {"GIG-041"}, outcome.phase
        campaign = outcome.campaign
