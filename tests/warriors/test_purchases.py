"""What clubs are told before they buy and sail: what the stores hold, what is offered, which orders count."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk.intake.take_orders import ClubOrders
from assistant.reporting.render import render_text
from assistant.rulesets.warriors.records import UnitType
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.event_types import Said
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.wording import Wording
from tests.reporting.played import at, reports
from tests.warriors.test_promises import opening

FOUND: dict[str, Any] = {"verb": "found", "place": "F07", "vc": 1, "name": "River Watch"}
CROSSBOWS: dict[str, Any] = {"verb": "raise", "place": "F07", "type": "men_xbow", "figures": 5, "army": "M1"}


def ordered(*orders: dict[str, Any], week: int = 1) -> Campaign:
    """The opening as the men see it, with orders of theirs."""
    campaign = opening()
    campaign.desk.turn = str(week)
    next(iter(campaign.by_sheet("Desk"))).week = week
    table = campaign.table(Order)
    for number, fields in enumerate(orders, 1):
        table.add(table.record.from_values({"order": str(number), "turn": str(week), "phase": "turn", "faction": "men",
                                            "seq": number, **fields}))
    return WARRIORS.view(campaign, "men")


def offered(view: Campaign, verb: str) -> list[dict[str, Any]]:
    """What the men are offered of a verb."""
    return [dict(order.fields) for order in WARRIORS.legal_orders(view, "men", verbs=[verb], limit=2)]


@pytest.mark.parametrize(("week", "have", "unit"), [
    (1, 40, "points from its store"), (4, 140, "points from its store and what it gives this turn")])
def test_at_hand_is_what_the_store_holds_when_it_is_to_pay(week: int, have: int, unit: str) -> None:
    """Aldermoor has 40; a month's points count in the turn in which they come, and in no other."""
    (expense,) = WARRIORS.rehearse(ordered(FOUND, week=week), "men").expenses
    assert (expense.of, expense.cost, expense.have) == ("F07", 20, have)
    assert Wording(WARRIORS, "en").text(expense.unit, n=expense.cost) == unit


def test_what_a_store_cannot_pay_does_not_count_whatever_its_force_does_before() -> None:
    """The order of Force M1, which both rows name, brings no points; nor does it make three men five."""
    march = {"verb": "order", "army": "M1", "new_order": "march"}
    club = ClubOrders.of(WARRIORS, ordered(march, FOUND, CROSSBOWS, {**CROSSBOWS, "figures": 3}), "men")
    assert [club.counts(order) for order in "1234"] == [True, True, False, False]
    (short,), (few,) = club.faults("3"), club.faults("4")
    assert Wording(WARRIORS, "en").finding(short) == (
        "Costs 30; the store of F07 will have 20 left after your earlier rows. (turn 1, Reinforcements, as things"
        " stand now)")
    assert few.code == "WAR-408"


def test_figures_are_offered_where_there_is_room_for_them() -> None:
    """A Unit at full strength gets none, nor one whose Force is elsewhere."""
    view = ordered()
    assert offered(view, "refill") == []
    view.by_sheet("Units")["M3a"].figures = 18
    view.by_sheet("Units")["M1a"].figures = 5
    view.by_sheet("Armies")["M1"].node = "G06"
    assert offered(view, "refill") == [{"verb": "refill", "unit": "M3a", "place": "C08", "figures": n} for n in (1, 2)]
    assert [order for order in offered(view, "raise") if order["army"] == "M1"] == []


def test_nothing_is_founded_without_points() -> None:
    """Only Gullhaven can pay a commander."""
    view = ordered()
    for code in ("F07", "F10", "H06"):
        view.by_sheet("Nodes")[code].store = 19
    assert {order["place"] for order in offered(view, "found")} == {"C08"}


def test_a_force_beside_its_boats_may_sail() -> None:
    """By river, or where there is water next door; whoever is on Defend may do so while orders can still be changed."""
    view = ordered()
    assert {(order["army"], order["boat"]) for order in offered(view, "sail")} == {("M1", "BT1"), ("M3", "SH1")}
    view.desk.phase = "move"
    view.by_sheet("Armies")["M3"].order = "defend"
    assert {order["army"] for verb in ("move", "sail") for order in offered(view, verb)} == {"M1", "M4"}


@cache
def first_report(lang: str) -> str:
    """What the men read before the first orders, in one line."""
    return " ".join(render_text(reports("warriors", at("warriors", "1.weather"), ("men",), lang)[0].page).split())


@pytest.mark.parametrize(("lang", "told"), [
    ("en", ["Vale boats (BT1)", "A new Unit has at least 5 figures.", "At start", "paid from the store of the place"]),
    ("it", ["Barche della Valle (BT1)", "Una nuova Unità ha almeno 5 miniature.", "All'inizio",
            "paga la scorta del"])])
def test_a_report_tells_what_orders_need(lang: str, told: list[str]) -> None:
    """The codes of boats, the types with their prices, how strong a Unit may be, and who pays."""
    text = first_report(lang)
    assert [words for words in told if words not in text] == []
    assert ("refill M1a" if lang == "en" else "rimpiazza M1a") not in text


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_type_is_called_by_its_name_where_one_may_raise_but_one_of_it(lang: str) -> None:
    """Dwarfs have Crossbows, too; a line of the men means theirs."""
    view = ordered()
    name = "crossbows" if lang == "en" else "balestrieri"
    line = order_line(as_order_book(WARRIORS.verbs), view, CROSSBOWS, lang)
    assert name in line
    assert WARRIORS.understand(line, view, "men").fields["type"] == "men_xbow"


def test_the_least_figures_of_a_new_unit_are_those_of_the_rule() -> None:
    """Whoever types another number over it reads that number below the types."""
    view = WARRIORS.view(opening(unit_min="3"), "men")
    (types,) = [table for table in WARRIORS.tables(view, "men") if table.record is UnitType]
    assert isinstance(types.note, Said)
    assert types.note.data == {"n": 3}
