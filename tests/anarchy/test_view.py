"""Who may know what: every column of the tables, and the pairs that must look alike.

See rulebook: Records, Who may know what.

A fact is secret from a side when two campaigns that differ in it alone give that side the same view, cell by
cell; it is known when the views differ. Nothing is assumed of how a view hides things.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from tests.anarchy.cases import anarchy, build, case

SIDES = ("royal", "angevin", "")  # the two sides, and what everybody may know
EVERYBODY, NOBODY, ROYAL, BOTH = {"royal", "angevin", ""}, set[str](), {"royal"}, {"royal", "angevin"}


def seen(campaign: Campaign, faction: str) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """The view of a faction as texts: sheet -> keys and cells, in the order of the file."""
    view = anarchy().view(campaign, faction)
    return {sheet: [(key, row.as_text()) for key, row in table.in_file_order()]
            for sheet, table in view.tables().items()}


def knowers(one: Campaign, other: Campaign) -> set[str]:
    """Who of `SIDES` can tell the two campaigns apart."""
    return {f for f in SIDES if seen(one, f) != seen(other, f)}


GROUP = "A1 r 0605 K2 S4 noble=N1:5:8 money=10"
MERCS = "M1 r 0605 L8 kind=welsh employer=A1"
HAM = "ham 0605 village 5 8"
KEEP = "keep 0605 castle_motte 5 8 holder=r K3 S3"


def army(*more: str) -> dict[str, Any]:
    """A royal group with these fields besides."""
    return {"armies": " ".join([GROUP, *more])}


FACTS: list[tuple[str, dict[str, Any], dict[str, Any], set[str]]] = [
    # what, one campaign, the other, who can tell
    ("a group", {}, army(), EVERYBODY),
    ("its hex", army(), {"armies": GROUP.replace("0605", "0606")}, EVERYBODY),
    ("its name", army(), army("name=Host"), EVERYBODY),
    ("its type", {"armies": MERCS.replace("employer=A1", "")},
     {"armies": MERCS.replace("employer=A1", "").replace("welsh", "flemish")}, EVERYBODY),
    ("its commander", army(), army("commander=+"), EVERYBODY),
    ("its loyalty", army(), army("loyalty=9"), ROYAL),
    ("its fighters of the scenario", army(), army("size=9"), ROYAL),
    ("its knights", {"armies": "A1 r 0605 K2 S4"}, {"armies": "A1 r 0605 K3 S4"}, ROYAL),
    ("its peasants", {"armies": "A1 r 0605 K2 S4"}, {"armies": "A1 r 0605 K2 S4 P3"}, ROYAL),
    ("its purse", army(), {"armies": GROUP.replace("money=10", "money=24")}, ROYAL),
    ("its food", army(), army("provisions=1"), ROYAL),
    ("its hungry days", army(), army("hungry_days=1"), ROYAL),
    ("its hunger today", army(), army("starving=yes"), ROYAL),
    ("whom it follows", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS.replace('employer=A1', '')}"},
     EVERYBODY),
    ("the contract", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS} contract=promised"}, ROYAL),
    ("the promise", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS} promised=9"}, ROYAL),
    ("tests made", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS} tests=2"}, ROYAL),
    ("the day of hiring", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS} hired_on=2"}, ROYAL),
    ("bad humour", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS} grumbles=yes"}, ROYAL),
    ("broken faith", {"armies": f"{GROUP}, {MERCS}"}, {"armies": f"{GROUP}, {MERCS} no_promise_to=a"}, ROYAL),
    ("who moves a free company", {"armies": "M1 n 0605 L8 kind=welsh"},
     {"armies": "M1 n 0605 L8 kind=welsh moves_next=a"}, EVERYBODY),
    ("in a castle", {**army(), "places": KEEP}, {**army("inside=keep"), "places": KEEP}, EVERYBODY),
    ("before a castle", {**army(), "places": KEEP}, {**army("besieging=keep"), "places": KEEP}, EVERYBODY),
    ("where it came from", army(), army("came_from=0604"), EVERYBODY),
    ("choice on meeting", army(), army("on_meeting=attack"), ROYAL),
    ("choice if attacked", army(), army("if_attacked=refuse"), ROYAL),
    ("choice to join", army(), army("joins=no"), ROYAL),
    ("battles won", army(), army("wins=1"), ROYAL),
    ("the core", army(), army("core_start=9 core_now=6"), ROYAL),
    ("two nights in a hex", army(), army("shares_since=2"), ROYAL),
    ("safe conduct", army(), army("safe_on=3"), EVERYBODY),
    ("when it enters", army("state=awaited", "enters_on=5"), army("state=awaited", "enters_on=6"), ROYAL),
    ("unarmed", army(), army("unarmed=yes"), EVERYBODY),
    ("its state", army(), army("state=dissolved"), EVERYBODY),
    ("prestige", army(), {"armies": GROUP.replace("N1:5:8", "N1:6:8")}, EVERYBODY),
    ("a noble's loyalty", army(), {"armies": GROUP.replace("N1:5:8", "N1:5:9")}, ROYAL),
    ("a noble's place", {"places": KEEP, "nobles": "N9 r 3 8 place=keep"}, {"places": KEEP, "nobles": "N9 r 3 8"},
     EVERYBODY),
    ("a noble's fate", {"nobles": "N9 r 3 8"}, {"nobles": "N9 r 3 8 state=prisoner captor=a"}, EVERYBODY),
    ("mail", {}, {"factions": "royal mail=a@example.org"}, NOBODY),
    ("loot of a side", {}, {"factions": "royal looted=4"}, EVERYBODY),
    ("score of a side", {}, {"factions": "royal score=4"}, EVERYBODY),
    ("a place", {}, {"places": HAM}, EVERYBODY),
    ("a place's loyalty", {"places": HAM}, {"places": HAM.replace(" 5 8", " 5 5")}, EVERYBODY),
    ("whether it stands", {"places": HAM}, {"places": f"{HAM} exists=no"}, EVERYBODY),
    ("a castle's holder", {"places": KEEP}, {"places": KEEP.replace("holder=r", "holder=a")}, EVERYBODY),
    ("a castle's garrison", {"places": KEEP}, {"places": KEEP.replace("S3", "S4")}, ROYAL),
    ("a massacre", {"places": KEEP}, {"places": f"{KEEP} massacre=yes"}, ROYAL),
    ("a convoy's hex", {"convoys": "C1 r 0605 3"}, {"convoys": "C1 r 0606 3"}, EVERYBODY),
    ("a convoy's load", {"convoys": "C1 r 0605 3"}, {"convoys": "C1 r 0605 4"}, ROYAL),
    ("a convoy's animals", {"convoys": "C1 r 0605 3"}, {"convoys": "C1 r 0605 3 animals=4"}, ROYAL),
    ("a convoy's driver", {"convoys": "C1 r 0605 3"}, {"convoys": "C1 r 0605 3 driver=0"}, ROYAL),
    ("a convoy's guard", {**army(), "convoys": "C1 r 0605 3"}, {**army(), "convoys": "C1 r 0605 3 escort=A1"},
     EVERYBODY),
    ("a train's hex", {"trains": "T1 r 0605"}, {"trains": "T1 r 0606"}, EVERYBODY),
    ("a train's engines", {"trains": "T1 r 0605"}, {"trains": "T1 r 0605 rams=1"}, ROYAL),
    ("captives", {"prisoners": "P1 r a 0605 S2"}, {"prisoners": "P1 r a 0605 S3"}, BOTH),
    ("the wounded", {**army()}, {**army(), "wounded": "W1 r foot A1"}, ROYAL),
    ("when he is back", {**army(), "wounded": "W1 r foot A1 state=in_care back_on=4"},
     {**army(), "wounded": "W1 r foot A1 state=in_care back_on=5"}, ROYAL),
    ("a siege's days", {"places": KEEP, "sieges": "keep a 2"}, {"places": KEEP, "sieges": "keep a 3"}, EVERYBODY),
    ("a siege's stores at the start", {"places": KEEP, "sieges": "keep a 2 resources_at_start=4"},
     {"places": KEEP, "sieges": "keep a 2 resources_at_start=5"}, ROYAL),
    ("objectives", {}, {"objectives": "O1 r hold - keep 3"}, EVERYBODY),
    ("the order of a unit", army(), {**army(), "orders": "r MOVE A1 0606"}, ROYAL),
    ("an order in words", {**army(), "orders": "r: MUOVI A1 0604"}, {**army(), "orders": "r: MUOVI A1 0606"}, ROYAL),
    ("a road", {}, {"roads": "0605 0606 road"}, EVERYBODY),
    ("the ground", {}, {"nodes": "0606 hill"}, EVERYBODY),
    ("the day", {}, {"day": 4}, EVERYBODY),
    ("a neutral group's men", {"armies": "A1 n 0605 S9"}, {"armies": "A1 n 0605 S8"}, NOBODY),
    ("a neutral group's loyalty", {"armies": "A1 n 0605 S9"}, {"armies": "A1 n 0605 S9 loyalty=6"}, NOBODY),
    ("a neutral group's purse", {"armies": "A1 n 0605 S9"}, {"armies": "A1 n 0605 S9 money=6"}, NOBODY),
    ("a neutral convoy's load", {"convoys": "C1 n 0605 3"}, {"convoys": "C1 n 0605 4"}, NOBODY),
]


@pytest.mark.slow
@pytest.mark.parametrize(("what", "one", "other", "who"), FACTS, ids=[f[0] for f in FACTS])
def test_who_sees_what(what: str, one: dict[str, Any], other: dict[str, Any], who: set[str]) -> None:
    """2, 8: those who may know it can tell, nobody else can."""
    assert knowers(build("movement", **one), build("movement", **other)) == who, what


WATCHED = "E1 a 0605 S9 noble=N2"


@pytest.mark.parametrize(("one", "other"), [
    ({"armies": f"A1 r 0605 K2 S4, {WATCHED}"}, {"armies": f"A1 r 0605 K3 S4, {WATCHED}"}),
    ({"armies": f"A1 n 0605 K2 S4, {WATCHED}"}, {"armies": f"A1 n 0605 K3 S4, {WATCHED}"}),
    ({"armies": WATCHED, "convoys": "C1 r 0605 3"}, {"armies": WATCHED, "convoys": "C1 r 0605 4"}),
    ({"armies": WATCHED, "trains": "T1 r 0605"}, {"armies": WATCHED, "trains": "T1 r 0605 rams=1"}),
    ({"armies": WATCHED, "places": KEEP}, {"armies": WATCHED, "places": KEEP.replace("S3", "S4")}),
])
def test_sharing_a_hex_shows_the_men(one: dict[str, Any], other: dict[str, Any]) -> None:
    """8: the H columns while one of its groups is in that hex."""
    assert "angevin" in knowers(build("movement", **one), build("movement", **other))
    away = {k: {t: v.replace(WATCHED, WATCHED.replace("0605", "0705")) for t, v in given.items()}
            for k, given in (("one", one), ("other", other))}
    assert "angevin" not in knowers(build("movement", **away["one"]), build("movement", **away["other"]))


@pytest.mark.parametrize("secret", ["money=3", "loyalty=7", "hungry_days=1", "starving=yes", "provisions=1",
                                    "if_attacked=refuse", "joins=no", "wins=1"])
def test_sharing_a_hex_shows_no_more_than_the_men(secret: str) -> None:
    """8: no money, no loyalty, no hunger, no choices, also in one hex."""
    one = build("movement", armies=f"A1 r 0605 K2 S4, {WATCHED}")
    other = build("movement", armies=f"A1 r 0605 K2 S4 {secret}, {WATCHED}")
    assert knowers(one, other) == ROYAL


def stores(loyalty: int, **given: Any) -> set[str]:
    """Who sees that a place has lost points since the opening."""
    start = case("opening", day=0, places=f"ham 0605 village 5 {loyalty}", **given).campaign
    other = start.copy()
    other.by_sheet("Places")["ham"].resources = 2
    return knowers(start, other)


@pytest.mark.parametrize(("loyalty", "who"), [(8, {"royal"}), (2, {"angevin"}), (5, NOBODY)])
def test_what_a_village_has_left(loyalty: int, who: set[str]) -> None:
    """8: resources of places of its band; for the rest the figure after the opening."""
    assert stores(loyalty) == who


def test_who_stands_there_sees_what_is_left() -> None:
    """8: and of hexes where it has a group."""
    assert stores(8, armies="E1 a 0605 S9 noble=N2") == BOTH


def test_what_a_castle_has_left() -> None:
    """8: resources of its castle."""
    start = case("opening", day=0, places="keep 0605 castle_motte 5 3 holder=r S9").campaign
    other = start.copy()
    other.by_sheet("Places")["keep"].resources = 2
    assert knowers(start, other) == ROYAL


def test_the_figure_after_the_opening_is_known_to_all() -> None:
    """8: for the rest the figure after the opening."""
    start = case("opening", day=0, places="ham 0605 village 5 8", rules={"weather": "2"}).campaign
    for side in SIDES:
        assert dict(seen(start, side)["Places"])["ham"]["resources"] == "7"


def test_questions_are_their_addressees() -> None:
    """8: orders, standing choices, questions and defaults: own only."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1, A2 a 0606 S9 noble=N2 on_meeting=pass",
                 orders="r MOVE A1 0606", waits="attack/A1/0606/A2")
    assert seen(after.campaign, "royal")["Questions"]
    assert not seen(after.campaign, "angevin")["Questions"]
    assert not seen(after.campaign, "")["Questions"]


def test_what_happened_is_told_to_those_who_may_know() -> None:
    """8, Who may know what: events of others are not in the view."""
    after = case("provisions", armies="A1 r 0605 S12 noble=N1", places="ham 0605 village 5 8")
    assert any(e["event"] == "supplied" for _, e in seen(after.campaign, "royal")["Events"])
    assert not any(e["event"] == "supplied" for _, e in seen(after.campaign, "angevin")["Events"])


@pytest.mark.parametrize(("dice", "side"), [("healing/W1=5", "royal"), ("promise/M1=9", "royal")])
def test_some_dice_are_the_owners(dice: str, side: str) -> None:
    """8: promise, grumble, healing, share only the owner."""
    after = case("provisions", armies="""A1 r 0605 S5 noble=N1
        M1 r 0605 L4 kind=welsh employer=A1 contract=promised promised=4 hired_on=1""", places="ham 0605 village 5 8",
                 wounded="W1 r foot A1", dice="healing/W1=5, promise/M1=9")
    keys = {f: {row["key"] for _, row in seen(after.campaign, f)["Dice"]} for f in SIDES}
    purpose = dice.split("=", maxsplit=1)[0]
    assert {f for f in SIDES if purpose in keys[f]} == {side}


def test_a_sighting_is_the_viewers() -> None:
    """8: its own Sightings, dated."""
    after = case("movement", armies="A1 r 0605 K4 S3 noble=N1 on_meeting=pass, A2 a 0606 S9 noble=N2 on_meeting=pass",
                 orders="r MOVE A1 0606 0607")
    assert {row["army"] for _, row in seen(after.campaign, "royal")["Sightings"]} == {"A2"}
    assert {row["army"] for _, row in seen(after.campaign, "angevin")["Sightings"]} == {"A1"}
    assert not seen(after.campaign, "")["Sightings"]


def test_the_losses_of_a_battle_are_both_sides() -> None:
    """2: the form is public in its head, the losses are both sides' only."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 S9 noble=N2:6 if_attacked=fight",
                 orders="r MOVE A1 0606 choice=attack", answers="battle/B3-1 = entered", defaults=True,
                 battles="B3-1 attacker fled 9", losses="B3-1 A2 foot 2 1 0")
    assert seen(after.campaign, "royal")["Losses"] == seen(after.campaign, "angevin")["Losses"] != []
    assert not seen(after.campaign, "")["Losses"]
    heads = {f: dict(seen(after.campaign, f)["Battles"])["B3-1"] for f in SIDES}
    assert {heads[f]["node"] for f in SIDES} == {"0606"}


def test_ex41_what_the_angevins_know_of_ypres() -> None:
    """EX-41: hex, commander and the Fleming counter, not its men, purse or `starving`."""
    given = "A-YPR r 0411 K2 S3 B2 L2 noble=YPR:7:9 money={}, M-FL1 r 0411 K2 S5 kind=flemish employer=A-YPR"
    rich, poor = build("movement", armies=given.format(24)), build("movement", armies=given.format(2))
    assert knowers(rich, poor) == ROYAL
    row = dict(seen(rich, "angevin")["Armies"])["A-YPR"]
    assert (row["node"], row["commander"]) == ("0411", "YPR")
    assert {row[k] for k in ("knights", "foot", "bows", "light", "money", "starving")} == {""}
    flemings = dict(seen(rich, "angevin")["Armies"])["M-FL1"]
    assert (flemings["kind"], flemings["employer"]) == ("flemish", "A-YPR")


def test_a_view_of_a_view_is_the_same() -> None:
    """A view holds nothing that a second look would take away."""
    after = case("movement", armies="""A1 r 0605 K4 S3 noble=N1 on_meeting=pass, A2 a 0606 S9 noble=N2 on_meeting=pass
        A3 n 0805 S9""", orders="r MOVE A1 0606", defaults=True, places=f"{HAM}, {KEEP}")
    for side in SIDES:
        view = anarchy().view(after.campaign, side)
        assert seen(view, side) == seen(after.campaign, side)
