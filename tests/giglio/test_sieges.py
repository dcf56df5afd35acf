"""Chapter 3d: sieges, table 35, captures, and places that are simply walked into (rulebook: 3d Sieges)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.rulesets.giglio import records as g
from assistant.wording import Wording
from tests.giglio.cases import BESIEGED, After, build, case, giglio, quiet_winter

KEY = "siege:V8:1500:4"


def siege(die: int, bribe: int = 0, rounds: int = 0, site: str = "walls=intact", **given: Any) -> After:
    """M-1 (100) besieges V8; the die of round 4."""
    nodes = f"V8 {site}, {given.pop('nodes', '')}"
    return case(
        "r4.siege",
        **{
            "factions": "M 200",
            "armies": "M-1 100 V8 trail=M5",
            "nodes": nodes,
            "sieges": f"V8 M {rounds}",
            "dice": {KEY: die},
            "answers": f"bribe M V8 = {bribe}",
            **given,
        },
    )


# --- table 35 -------------------------------------------------------------------------------------
ROUND = "full rounds besieging"
MODIFIERS: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("fortified village", {}, {ROUND: 1, "walls": -1}),
    ("fortified city", {"site": "site=city walls=intact"}, {ROUND: 1, "walls": -2}),
    ("fortress", {"site": "site=fortress"}, {ROUND: 1, "walls": -3}),
    ("damaged walls are none", {"site": "site=city walls=damaged garrison=yes"}, {ROUND: 1, "garrison": -2}),
    ("open place with a garrison", {"site": "garrison=yes"}, {ROUND: 1, "garrison": -2}),
    ("rounds", {"rounds": 4}, {ROUND: 5, "walls": -1}),
    ("garrison", {"site": "walls=intact garrison=yes"}, {ROUND: 1, "garrison": -2, "walls": -1}),
    ("army inside", {"armies": "M-1 100 V8, V-1 50 V8 posture=shut_in"}, {ROUND: 1, "garrison": -2, "walls": -1}),
    (
        "army inside and garrison count once",
        {"armies": "M-1 100 V8, V-1 50 V8 posture=shut_in", "site": "walls=intact garrison=yes"},
        {ROUND: 1, "garrison": -2, "walls": -1},
    ),
    ("besieger's sapper", {"specialists": "M-S1 sapper M-1"}, {ROUND: 1, "besieger's sapper": 1, "walls": -1}),
    (
        "two sappers count once",
        {"specialists": "M-S1 sapper M-1, M-S2 sapper M-1"},
        {ROUND: 1, "besieger's sapper": 1, "walls": -1},
    ),
    ("a sapper elsewhere", {"specialists": "M-S1 sapper M5"}, {ROUND: 1, "walls": -1}),
    ("a dead sapper", {"specialists": "M-S1 sapper M-1 status=dead"}, {ROUND: 1, "walls": -1}),
    ("a spy is no sapper", {"specialists": "M-S1 spy M-1"}, {ROUND: 1, "walls": -1}),
    (
        "defender's sapper in the place",
        {"specialists": "V-S1 sapper V8"},
        {ROUND: 1, "defender's sapper": -1, "walls": -1},
    ),
    (
        "defender's sapper with the army inside",
        {"specialists": "V-S1 sapper V-1", "armies": "M-1 100 V8, V-1 50 V8 posture=shut_in"},
        {ROUND: 1, "garrison": -2, "defender's sapper": -1, "walls": -1},
    ),
    ("one step of bribes", {"bribe": 25}, {ROUND: 1, "bribes": 1, "walls": -1}),
    ("three steps", {"bribe": 75}, {ROUND: 1, "bribes": 3, "walls": -1}),
    ("English steps", {"bribe": 60, "edition": "EN"}, {ROUND: 1, "bribes": 2, "walls": -1}),
    ("the first round may not count", {"rules": {"siege_first_bonus": "no"}}, {"walls": -1}),
    ("then the second counts one", {"rules": {"siege_first_bonus": "no"}, "rounds": 1}, {ROUND: 1, "walls": -1}),
    (
        "army inside may not count",
        {"armies": "M-1 100 V8, V-1 50 V8 posture=shut_in", "rules": {"shut_army_counts": "no"}},
        {ROUND: 1, "walls": -1},
    ),
    ("numbers are data", {"rules": {"siege_village": -4, "siege_round": 2}}, {ROUND: 2, "walls": -4}),
]


@pytest.mark.parametrize(("what", "given", "modifiers"), MODIFIERS, ids=[m[0] for m in MODIFIERS])
def test_table_35(what: str, given: dict[str, Any], modifiers: dict[str, int]) -> None:
    """t35: the eight lines, each named exactly, those of 0 not listed."""
    after = siege(1, **given)
    assert after.modifiers("V8") == modifiers, what
    roll = after.event("siege.roll", node="V8").roll
    assert (roll["value"], roll["total"], roll["target"]) == (1, 1 + sum(modifiers.values()), 7)
    assert after.siege("V8", "M").rounds == given.get("rounds", 0) + 1
    assert after.army("M-1").value == 90


@pytest.mark.parametrize(
    ("die", "rounds", "falls"), [(6, 0, False), (6, 1, True), (5, 1, False), (5, 2, True), (1, 6, True)]
)
def test_seven_or_more_takes_the_place(die: int, rounds: int, falls: bool) -> None:
    """3d: 1d6 and the modifiers; at 7 or more the city surrenders."""
    after = siege(die, rounds=rounds)
    assert after.node("V8").owner == ("M" if falls else "V")
    assert bool(after.events("siege.fell")) is falls
    assert bool(after.events("siege.held")) is not falls
    assert after.gone("V8/M") is falls


def test_who_sees_the_die() -> None:
    """9: the die with its modifiers is the besieger's and the owner's; all see held or fallen."""
    after = siege(1, bribe=25)
    assert after.audience("siege.roll", node="V8") == {"M", "V"}
    assert after.event("siege.held", node="V8", besieger="M").audience == "all"
    assert after.audience("siege.wear", army="M-1", lost=10) == {"M"}
    (roll,) = [r for r in after.last.rolls if r.key == KEY]
    assert roll.audience == "M+V"
    money = [e for e in after.events("money.moved") if "25" in str(e.data)]
    assert {e.audience for e in money} == {"M"}


def test_the_die_of_a_neutral_place_is_the_besiegers() -> None:
    """What is said: the owner is told, but not N."""
    after = siege(1, site="walls=intact owner=N")
    assert after.audience("siege.roll", node="V8") == {"M"}


# --- the fall -------------------------------------------------------------------------------------
def test_place_and_whole_garrison_are_captured() -> None:
    """3d: the siege captures the stronghold and its whole garrison: armies, sappers, fleets in port."""
    after = siege(
        6,
        rounds=5,
        site="walls=intact garrison=yes port=yes",
        armies="M-1 100 V8, V-1 50 V8 posture=shut_in, V-2 9 V9",
        specialists="V-S1 sapper V-1, V-S2 sapper V8, V-S3 sapper V9",
        fleets="V-F1 V8",
        works="V8 V repair 1501",
    )
    place = after.node("V8")
    assert (place.owner, place.garrison, place.walls) == ("M", False, "damaged")
    assert after.gone("V-1", "V-F1", "V8/M")
    assert after.event("army.lost", army="V-1", node="V8", why="captured with the place")
    assert after.event("fleet.lost", fleet="V-F1", why="port taken")
    assert [after.specialist(s).status for s in ("V-S1", "V-S2", "V-S3")] == ["dead", "dead", "active"]
    assert after.work("V8").status == "lost"
    assert after.army("M-1").value == 90
    assert after.event("place.taken", node="V8", by="M", frm="V", how="siege").audience == "all"


def test_the_besieger_stays_where_it_is() -> None:
    """Fall and capture: nothing else moves."""
    after = siege(6, rounds=5)
    assert (after.army("M-1").node, after.army("M-1").posture, after.army("M-1").trail) == ("V8", "field", "M5")


# --- ten ducats a round ---------------------------------------------------------------------------
def test_the_strongest_army_pays_for_the_siege() -> None:
    """Fall and capture: 10 ducats from the strongest besieging army, ties by code."""
    after = siege(1, armies="M-1 50 V8, M-2 60 V8, M-10 60 V8")
    assert [after.army(a).value for a in ("M-1", "M-2", "M-10")] == [50, 50, 60]


def test_a_siege_may_eat_the_besieger() -> None:
    """Fall and capture: an army at 0 is gone, an unfinished siege is lifted."""
    after = siege(1, armies="M-1 7 V8")
    assert after.gone("M-1", "V8/M")
    assert after.event("army.lost", army="M-1", why="siege wear")
    assert after.node("V8").owner == "V"


def test_the_place_stays_taken_when_the_last_ducats_are_spent() -> None:
    """Fall and capture: at 0 the army is gone, the place stays taken."""
    after = siege(6, rounds=5, armies="M-1 10 V8")
    assert after.gone("M-1")
    assert after.node("V8").owner == "M"


@pytest.mark.parametrize(
    ("when", "die", "value"), [("always", 1, 90), ("success_only", 1, 100), ("success_only", 6, 90)]
)
def test_when_the_ducats_are_lost(when: str, die: int, value: int) -> None:
    """siege_loss_when: in each tested round, or in the last only."""
    after = siege(die, rounds=3, rules={"siege_loss_when": when})
    assert after.army("M-1").value == value


# --- bribes ---------------------------------------------------------------------------------------
def test_bribes_are_asked_for_each_siege_at_once() -> None:
    """3d Sieges: whole ducats, default 0."""
    given: dict[str, Any] = {
        "factions": "M 60",
        "armies": "M-1 90 V8, M-2 90 P8",
        "nodes": "V8 walls=intact",
        "sieges": "V8 M 1, P8 M 1",
    }
    after = case("r4.siege", **given, waits=True)
    assert set(after.questions) == {"bribe M V8", "bribe M P8"}
    assert {q.default for q in after.questions.values()} == {"0"}
    over = case(
        "r4.siege",
        **given,
        answers="bribe M P8 = 25\nbribe M V8 = 50",
        waits=True,
        findings="1500.r4.siege.bribe.M.V8 GIG-101",
    )
    assert over.chest("M") == 60
    paid = case(
        "r4.siege",
        **given,
        answers="bribe M P8 = 25\nbribe M V8 = 25",
        dice={"siege:P8:1500:4": 1, "siege:V8:1500:4": 1},
    )
    assert paid.chest("M") == 10


@pytest.mark.parametrize("answer", ["-1", "2.5", "much"])
def test_a_bribe_is_a_whole_number_of_ducats(answer: str) -> None:
    """What is said: GIG-100 for what is no number of ducats."""
    case(
        "r4.siege",
        factions="M 60",
        **BESIEGED,
        answers=f"bribe M V8 = {answer}",
        waits=True,
        findings="1500.r4.siege.bribe.M.V8 GIG-100",
    )


def test_bribes_are_spent_whatever_comes_and_for_one_die_only() -> None:
    """3d: the ducats must be spent immediately before the die; they do not carry over."""
    after = case(
        "r4 r5",
        factions="M 100",
        **BESIEGED,
        answers="r4.siege bribe M V8 = 50\nr5.siege bribe M V8 = 0",
        dice={"siege:V8:1500:4": 1, "siege:V8:1500:5": 1},
    )
    assert after.chest("M") == 50
    second = after.events("siege.roll")[1].roll
    assert dict(second["modifiers"]) == {ROUND: 3, "walls": -1}


# --- beginning and end ----------------------------------------------------------------------------
def test_a_siege_begins_in_the_round_after_arrival() -> None:
    """3d: it can be started in the phase after that of arrival in the node."""
    after = case(
        "r3 r4",
        armies="M-1 90 M5",
        nodes="V8 walls=intact",
        findings="o2 GIG-006",
        orders="r3 M move M-1 M5 V8\nr4 M siege M-1 V8\nr4 M siege M-1 V8",
        answers="r4.siege bribe M V8 = 0",
        dice={KEY: 2},
    )
    assert (after.siege("V8", "M").since_year, after.siege("V8", "M").since_round) == (1500, 4)
    assert after.event("siege.begun", node="V8", besieger="M").audience == "all"
    assert after.siege("V8", "M").rounds == 1


def test_not_in_the_round_of_arrival() -> None:
    """Spring and summer orders: an army that is not yet in the node cannot besiege it."""
    case("r3.move", armies="M-1 90 M5", nodes="V8 walls=intact", orders="M siege M-1 V8", findings="o1 GIG-065")


def test_a_siege_goes_on_without_further_orders() -> None:
    """Orders: a siege already begun goes on."""
    after = case(
        "r4", **BESIEGED, answers="bribe M V8 = 0", dice={KEY: 2}
    )
    assert after.siege("V8", "M").rounds == 2


def test_a_repeated_siege_order_keeps_the_rounds() -> None:
    """Spring and summer orders: the Sieges row is kept if it exists."""
    after = case(
        "r4",
        **BESIEGED,
        orders="M siege M-1 V8",
        answers="bribe M V8 = 0",
        dice={KEY: 2},
    )
    assert (after.siege("V8", "M").rounds, after.siege("V8", "M").since_round) == (2, 1)
    assert after.no_event("siege.begun")


def test_all_armies_in_the_node_besiege() -> None:
    """Spring and summer orders: a siege is the faction's; the sapper of any of its armies there helps."""
    after = siege(1, armies="M-1 50 V8, M-2 60 V8", specialists="M-S1 sapper M-1")
    assert after.modifiers("V8")["besieger's sapper"] == 1


@pytest.mark.parametrize("order", ["M lift M-1", "M lift target=V8"])
def test_a_siege_is_lifted_by_order(order: str) -> None:
    """Spring and summer orders lift: by the army or by the place."""
    after = case("r4", **BESIEGED, orders=order)
    assert after.gone("V8/M")
    assert after.army("M-1").value == 90
    assert after.event("siege.lifted", node="V8")
    assert after.unchanged_except("V8/M")


@pytest.mark.parametrize("before", [True, False])
def test_a_siege_that_was_lifted_is_not_put_down_to_a_later_retreat(before: bool) -> None:
    """An army that lifted its siege by order and only then went back is no cause of it."""
    after = case("r4", **BESIEGED, orders="M lift M-1")
    lifted = next(row for row in after.campaign.table(Event) if row.event == "siege.lifted")
    back = {"army": "M-1", "faction": "M", "frm": "V8", "to": "M5"}
    after.campaign.table(Event).add(lifted.with_values({
        "no": lifted.no - 1 if before else lifted.no + 100, "event": "army.retreated", "data": back}))
    assert (giglio().cause_of(after.campaign, "M", lifted) is not None) == before


def test_a_siege_ends_when_its_army_marches_away() -> None:
    """The marches, step by step: a siege whose besieger has no army left in the node is lifted."""
    after = case("r4.move", **BESIEGED, orders="M move M-1 V8 M5")
    assert after.gone("V8/M")
    assert after.event("siege.lifted", node="V8")


def test_an_envoy_alone_does_not_keep_up_a_siege() -> None:
    """The marches, step by step: kind army, in the field."""
    assert case("r4.move", armies="M-1 0 V8 kind=diplomat", nodes="V8 walls=intact", sieges="V8 M 1").gone("V8/M")


def test_a_disturbed_siege_throws_no_die() -> None:
    """3d Sieges: the besieger was in a contact there: no die, no ducats lost, the round does not count."""
    after = case(
        "r4",
        armies="M-1 90 V8 trail=M5, P-1 50 P8",
        nodes="V8 walls=intact",
        sieges="V8 M 1",
        orders="P move P-1 P8 V8",
        answers="choice P V8/M = stop\nchoice M V8/P = stop",
    )
    assert (after.siege("V8", "M").rounds, after.army("M-1").value) == (1, 90)
    assert after.event("siege.disturbed", node="V8").audience == "all"
    assert not [k for k in after.throws if k.startswith("siege:")]
    assert after.unchanged_except("P-1")


def test_a_besieger_that_is_beaten_has_no_siege_any_more() -> None:
    """3d Sieges: gone from the node, the siege is lifted."""
    after = case(
        "r4",
        armies="M-1 90 V8 trail=M5, V-1 50 V9",
        nodes="V8 walls=intact",
        sieges="V8 M 1",
        orders="V move V-1 V9 V8",
        answers="choice V V8/M = attack\nchoice M V8/V = stop",
        battles="B1500.4.V8 played a 10 20",
    )
    assert after.gone("V8/M")
    assert after.army("M-1").node == "M5"


def test_two_besiegers_of_one_place() -> None:
    """Records: sieges are by place and besieger; partners with consent may both besiege."""
    after = case(
        "r4.siege",
        armies="M-1 90 V8, P-1 50 V8",
        alliances="M P 1502 passage=yes",
        nodes="V8 walls=intact",
        sieges="V8 M 1, V8 P 2",
        rules={"ally_stack": "with_consent"},
        defaults=True,
        spare_dice=True,
    )
    assert len(after.events("siege.roll", node="V8")) in (1, 2)


# --- open places ----------------------------------------------------------------------------------
def test_an_open_place_is_walked_into() -> None:
    """Open places: no intact walls, no garrison, one hostile faction with an army in the field."""
    after = case("r3.siege", armies="M-1 1 V8")
    assert after.node("V8").owner == "M"
    assert after.event("place.taken", node="V8", by="M", frm="V", how="walked in").audience == "all"
    assert after.unchanged_except("V8")


NOT_TAKEN: list[tuple[str, dict[str, Any]]] = [
    ("intact walls", {"armies": "M-1 90 V8", "nodes": "V8 walls=intact"}),
    ("a garrison", {"armies": "M-1 90 V8", "nodes": "V8 garrison=yes"}),
    ("an envoy takes nothing", {"armies": "M-1 0 V8 kind=diplomat"}),
    ("a partner with passage does not take", {"armies": "M-1 90 V8", "alliances": "M V 1502 passage=yes"}),
    ("the owner's army beside", {"armies": "M-1 90 V8, V-1 10 V8"}),
    ("the owner's envoy beside", {"armies": "M-1 90 V8, V-1 0 V8 kind=diplomat"}),
    ("two hostile factions", {"armies": "M-1 90 V8, P-1 90 V8"}),
    (
        "aboard",
        {
            "armies": "M-1 90 V0 posture=aboard fleet=M-F1",
            "fleets": "M-F1 V0 cargo=M-1",
            "nodes": "V0 walls=none garrison=no",
        },
    ),
]


@pytest.mark.parametrize(("why", "given"), NOT_TAKEN, ids=[n[0] for n in NOT_TAKEN])
def test_what_is_not_taken_by_walking_in(why: str, given: dict[str, Any]) -> None:
    """Open places: every condition counts."""
    after = case("r3.siege", **given)
    assert after.node("V8").owner == "V", why
    assert after.no_event("place.taken")


@pytest.mark.parametrize(
    "given",
    [
        {"armies": "M-1 90 V8", "nodes": "V8 walls=damaged"},
        {"armies": "M-1 90 V8", "alliances": "M V 1502"},
        {"armies": "M-1 90 V8, V-1 0 V8 kind=diplomat revealed=yes"},
        {"armies": "M-1 90 V8", "nodes": "V8 owner=N"},
        {"armies": "M-1 90 V8, M-2 30 V8"},
    ],
)
def test_what_is_taken_by_walking_in(given: dict[str, Any]) -> None:
    """Open places: damaged walls, a treaty without passage, a revealed envoy do not hinder; neutral is hostile."""
    assert case("r3.siege", **given).node("V8").owner == "M"


def test_damaged_walls_stay_damaged_when_walked_into() -> None:
    """Fall and capture: only a siege damages walls."""
    assert case("r3.siege", armies="M-1 90 V8", nodes="V8 walls=damaged").node("V8").walls == "damaged"


def test_works_of_a_place_that_is_walked_into_are_lost() -> None:
    """Fall and capture: works under way there are lost, hostile sappers posted there die."""
    after = case("r3.siege", armies="M-1 90 V8", works="V8 V fortify 1501", specialists="V-S1 sapper V8")
    assert (after.work("V8").status, after.specialist("V-S1").status) == ("lost", "dead")


# --- shut in --------------------------------------------------------------------------------------
def test_nobody_outside_the_gates_open() -> None:
    """3d Sieges: with no hostile army left in the node the shut in army is in the field again."""
    after = case("r3.siege", nodes="V8 walls=intact", armies="V-1 50 V8 posture=shut_in")
    assert after.army("V-1").posture == "field"
    assert after.audience("army.released", army="V-1") == {"V"}


def test_an_envoy_outside_does_not_keep_the_gates_shut() -> None:
    """3d Sieges: kind army."""
    after = case("r3.siege", nodes="V8 walls=intact", armies="V-1 50 V8 posture=shut_in, M-1 0 V8 kind=diplomat")
    assert after.army("V-1").posture == "field"


def test_a_shut_in_army_stays_in_while_the_enemy_is_there() -> None:
    """3d Sieges: also when he does not besiege."""
    after = case("r3", nodes="V8 walls=intact", armies="V-1 50 V8 posture=shut_in, M-1 90 V8")
    assert after.army("V-1").posture == "shut_in"
    assert after.unchanged_except()


# --- ports ----------------------------------------------------------------------------------------
PORT: dict[str, Any] = {
    "nodes": "V8 port=yes, Z1 site=sea, Z2 site=sea",
    "roads": "V8 Z2 lane, V8 Z1 lane",
    "armies": "M-1 90 V8",
}


@pytest.mark.parametrize(
    ("mode", "others", "at"),
    [("lost", "", None), ("flee", "", "Z1"), ("flee", ", M-F1 Z1", "Z2"), ("flee", ", M-F1 Z1, M-F2 Z2", None)],
)
def test_fleets_in_a_port_that_is_taken(mode: str, others: str, at: str | None) -> None:
    """port_fleet: lost, or they flee to the first free adjacent sea area."""
    after = case("r3.siege", **PORT, fleets=f"V-F1 V8{others}", rules={"port_fleet": mode})
    assert (None if after.gone("V-F1") else after.fleet("V-F1").node) == at


def test_a_fleet_taken_in_port_takes_its_cargo_with_it() -> None:
    """Fall and capture: the army aboard is lost with the fleet."""
    after = case(
        "r3.siege",
        nodes=PORT["nodes"],
        roads=PORT["roads"],
        fleets="V-F1 V8 cargo=V-1",
        armies="M-1 90 V8, V-1 50 V8 posture=aboard fleet=V-F1",
    )
    assert after.gone("V-F1", "V-1")
    assert after.event("army.lost", army="V-1")


def test_a_partners_fleet_in_the_port() -> None:
    """Fall and capture: foreign fleets are lost; the taker's own is not."""
    after = case("r3.siege", **PORT, fleets="V-F1 V8, P-F1 V8, M-F1 V8")
    assert after.gone("V-F1", "P-F1")
    assert after.fleet("M-F1").node == "V8"


# --- winter ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("mode", "kept"), [("lifted", False), ("kept", True)])
def test_sieges_at_the_end_of_round_ten(mode: str, kept: bool) -> None:
    """winter_sieges: lifted, or kept into the next summer with their rounds."""
    after = case(
        "winter",
        armies="M-1 90 V8, V-1 50 V8 posture=shut_in",
        nodes="V8 walls=intact",
        sieges="V8 M 4",
        rules={"winter_sieges": mode},
        dice=quiet_winter(),
    )
    assert after.gone("V8/M") is not kept
    assert (after.army("M-1").node, after.army("V-1").posture) == ("V8", "shut_in")
    if kept:
        assert after.siege("V8", "M").rounds == 4


def test_a_commander_of_an_earlier_round_is_replaced() -> None:
    """3d Sieges: leaderless of an earlier round is cleared at the end of the round."""
    after = case("r4.siege", armies="V-1 90 V8 leaderless=3, V-2 90 V9 leaderless=4")
    assert (after.army("V-1").leaderless, after.army("V-2").leaderless) == (0, 4)
    assert not after.rows(g.Siege)


@pytest.mark.parametrize(("enemy", "owed"), [
    ("", "The siege of V8 costs the army there 10 ducats a round."),
    (", V-1 50 V8", "The siege of V8 does not count while an enemy army faces yours there: no die is thrown, and no "
                    "ducats are lost.")])
def test_a_report_tells_of_the_next_die_and_whether_there_is_one(enemy: str, owed: str) -> None:
    """3d, table 35: the two full rounds with the coming one, less the garrison and walls; who besieges what."""
    view = giglio().view(build("r4.move", armies=f"M-1 100 V8{enemy}", nodes="V8 walls=intact garrison=yes site=city",
                               sieges="V8 M 1"), "M")
    assert owed in [Wording(giglio(), "en").sentence(due.text, due.data) for due in giglio().dues(view, "M")]
    tables = {table.title: table for table in giglio().tables(view, "M")}
    (row,) = tables["Sieges that concern you"].rows
    assert (row.adds, row.needed) == (2 - 2 - 2, 9)
    assert [army.besieges for army in tables["Your armies"].rows] == ["V8"]
    view = giglio().view(view, "V")
    told = [table for table in giglio().sightings(view, "V") if str(table.title) == "Armies of others"]
    assert [(one.rows[0].besieges, one.note.text.startswith("No treaty")) for one in told] == [("V8", True)]
