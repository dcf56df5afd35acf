"""What a club is offered does something as things stand; what does nothing may be ordered all the same."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import anarchy, build

INNS = "ham 0605 village {} 8, inn 0605 village 0 8"


def offered(play: str, verb: str, **given: Any) -> list[str]:
    """What the royal side is offered with a verb, each order as its columns."""
    view = anarchy().view(build(play, **given), "royal")
    orders = anarchy().legal_orders(view, "royal", verbs=(verb,), limit=9, ahead=True)
    return [" ".join(str(value) for name, value in order.fields.items() if name != "verb") for order in orders]


def may_order(play: str, fields: dict[str, Any], **given: Any) -> bool:
    """Whether the royal side may give an order."""
    return bool(anarchy().is_legal(anarchy().view(build(play, **given), "royal"), "royal", fields))


@pytest.mark.parametrize(("enemy", "first"), [("0606", "0606"), ("0406", "0604"), ("", "0604")])
def test_a_march_is_offered_first_to_the_enemy_next_door(enemy: str, first: str) -> None:
    """3: a list of examples is short, and an enemy in the next hex is what a club looks for."""
    there = f", A2 a {enemy} S8 noble=N2:4:2" if enemy else ""
    assert offered("movement", "MOVE", armies=f"A1 r 0605 S12 noble=N1:5:8{there}, A3 n 0505 S9 loyalty=5")[0] == (
        f"A1 {first}")


@pytest.mark.parametrize(("points", "places"), [(3, ["A1 ham"]), (0, [])])
def test_food_is_drawn_where_there_is_any(points: int, places: list[str]) -> None:
    """14.5: a place without resources gives nothing."""
    given = {"armies": "A1 r 0605 S12 noble=N1:5:8", "places": INNS.format(points)}
    assert offered("movement", "PROVISION", **given) == places
    assert may_order("movement", {"verb": "PROVISION", "unit": "A1", "target": "inn"}, **given)


@pytest.mark.parametrize(("points", "amounts"), [(2, ["C1 ham 3", "C1 ham 1"]), (9, ["C1 ham 1"]), (10, [])])
def test_convoys_are_unloaded_where_there_is_room(points: int, amounts: list[str]) -> None:
    """ANA-605: a place holds up to ten points; what it cannot take stays on the animals."""
    given = {"places": f"ham 0605 village {points} 8 holder=r", "convoys": "C1 r 0605 4"}
    assert offered("convoys", "UNLOAD", **given) == amounts
    assert may_order("convoys", {"verb": "UNLOAD", "unit": "C1", "target": "ham", "amount": 4}, **given)


@pytest.mark.parametrize(("points", "load", "kinds"), [
    (3, 2, ["A1 place", "A1 convoy", "A1 none"]), (3, 0, ["A1 place", "A1 none"]), (0, 2, ["A1 convoy", "A1 none"]),
    (0, 0, [])])
def test_a_group_eats_of_what_is_there(points: int, load: int, kinds: list[str]) -> None:
    """8.4: places without resources and empty convoys feed nobody; where there is nothing, nothing can be left."""
    given = {"armies": "A1 r 0605 S12 noble=N1:5:8", "places": INNS.format(points), "convoys": f"C1 r 0605 {load}"}
    assert offered("provisions", "SUPPLY", **given) == kinds
    assert may_order("provisions", {"verb": "SUPPLY", "unit": "A1", "choice": "place"}, **given)


def test_a_ransom_is_offered_for_captive_nobles_to_who_can_pay() -> None:
    """15.8: £2 for each point of prestige, out of one purse; a free noble is not bought."""
    given = {"armies": "A1 r 0605 S9 noble=N1:5:8 money=8, A2 r 0606 S9 noble=N2:5:8 money=7",
             "nobles": "N3 r 5 8, N4 r 4 8 state=prisoner captor=a held_in=P1", "prisoners": "P1 r a 0707 S3"}
    assert offered("ransoms", "RANSOM", **given) == ["A1 N4"]


@pytest.mark.parametrize(("side", "companies"), [("r", ["M1"]), ("a", [])])
def test_free_mercenaries_are_offered_to_the_side_that_moves_them(side: str, companies: list[str]) -> None:
    """11.2: a company that nobody has hired, and no group of the side's own."""
    given = {"armies": f"A1 r 0605 S9 noble=N1:5:8, M1 n 0608 L5 kind=flemish moves_next={side}"}
    assert offered("movement", "MERCS", **given) == companies


def test_nobody_enters_the_castle_where_he_is() -> None:
    """5.3: a group outside is offered the gate."""
    given = {"armies": "A1 r 0605 S9 noble=N1:5:8 inside=keep, A2 r 0605 S9 noble=N2:5:8",
             "places": "keep 0605 castle_motte 3 8 holder=r S9"}
    assert offered("movement", "ENTER", **given) == ["A2 keep"]
    assert may_order("movement", {"verb": "ENTER", "unit": "A1", "target": "keep"}, **given)


def test_nobody_attaches_what_follows_already() -> None:
    """11.2, 12: companies and convoys that follow nobody, or another group, may be taken along."""
    given = {"armies": "A1 r 0605 S9 noble=N1:5:8, A2 r 0605 S9 noble=N2:5:8, M1 r 0605 L5 kind=welsh employer=A1",
             "convoys": "C1 r 0605 3 escort=A2"}
    assert sorted(offered("reorganise", "ATTACH", **given)) == ["A1 C1", "A2 M1"]
    assert may_order("reorganise", {"verb": "ATTACH", "unit": "A1", "target": "M1"}, **given)


@pytest.mark.parametrize(("wounded", "groups"), [
    ("W1 r foot - place=ham state=healed", ["A1"]), ("W1 r foot - place=ham state=in_care back_on=3", ["A1"]),
    ("W1 r foot - place=ham state=in_care back_on=4", []), ("W1 r foot A1 place=ham state=healed", []),
    ("W1 a foot - place=ham state=healed", []), ("W1 r foot A1 state=hurt", [])])
def test_who_is_collected_is_healed_by_this_day(wounded: str, groups: list[str]) -> None:
    """15.7: only men of the side who were left behind on the hex, and come back today."""
    given = {"armies": "A1 r 0605 S9 noble=N1:5:8, A2 r 0606 S9 noble=N2:5:8", "places": "ham 0605 village 3 8",
             "wounded": wounded}
    assert offered("provisions", "COLLECT", **given) == groups
    assert may_order("reorganise", {"verb": "COLLECT", "unit": "A1"}, **given)
