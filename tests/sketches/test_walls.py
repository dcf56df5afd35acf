"""The Walls: who gave the order, one deed a day each, a person's consent, duels, spies, by worked examples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant import desk
from assistant.turn.chances import chances
from tests.sketches.playing import SECRET, Play, Promises, lines
from tests.sketches.walls import WALLS, Band, Faction, Land, Node, Order, fight
from tests.sweeps import slow_among

# The siege:   5 --- 1 --- 2 --- 3 --- 4     1, 2 and 5 are settlements, 4 is a ruin
#              |     ....... red .......     E1 and V1 are generals
#              6 ----------------------- 4


@slow_among("test_what_a_faction_may_not_see_changes_no_byte")
class TestWalls(Promises):
    """All promises."""

    ruleset = WALLS


def play(phase: str = "assault", **rows: dict[str, Any]) -> Play:
    """The siege in a phase, with other values of some rows."""
    return Play(WALLS).set(walls={"phase": phase}, **rows)


def units(game: Play) -> dict[str, tuple[str, str]]:
    """Where each band is, and what it has."""
    return {band.army: (band.node, band.units) for band in game.campaign.table(Band)}


def outcomes(game: Play) -> list[tuple[str, str]]:
    """What became of each order, and what it came to."""
    return [(order.status, order.outcome) for order in game.campaign.table(Order)]


RAIDERS_FIRST, DEFENDERS_FIRST = ({"first_E_1": one, "first_V_1": 7 - one} for one in (2, 5))


# --- chapter 1: bands ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("faction", "line", "code"), [
    ("E", "B-3 move 2", ""), ("V", "D-1 attack 1", ""), ("E", "muovi B-1 5", ""),
    ("E", "B-1 attack 4", "WAL-007"),   # the line is red: raiders only
    ("E", "B-1 move 3", "WAL-007"),     # not next door
    ("E", "B-1 move 9", "WAL-003"), ("E", "D-1 move 3", "WAL-002"), ("E", "B-9 move 3", "WAL-002"),
    ("E", "B-1 fly 2", "WAL-001"),
])
def test_a_band_goes_along_one_line(faction: str, line: str, code: str) -> None:
    """Of the others' bands nobody is told even that they exist."""
    game = play().order(faction, line)

    assert [finding.code for finding in WALLS.check_orders(game.campaign)] == ([code] if code else [])


def test_the_second_side_acts_on_what_it_finds() -> None:
    """Both want to 3, where nobody stands: who is first is there, the other is stopped."""
    for dice, ends in ((DEFENDERS_FIRST, ("3", "4")), (RAIDERS_FIRST, ("2", "3"))):
        game = play().set(**{"B-3": {"node": "5"}}).order("E", "B-2 move 3").order("V", "D-1 move 3").dice(**dice)
        outcome = game.resolve()

        assert (units(game)["B-2"][0], units(game)["D-1"][0]) == ends
        assert sorted(came_to for _, came_to in outcomes(game)) == ["blocked", "done"]
        assert any(line.endswith("is stopped before 3: enemies.") for line in lines(WALLS, outcome))


# --- chapter 2: duels ----------------------------------------------------------------------------------------
def fought(line: str, against: str, walls: int = 0, **dice: int) -> Play:
    """Raiders attack a settlement from the ruin."""
    rows: dict[str, Any] = {"1": {"walls": walls}, "D-1": {"units": line}, "B-1": {"units": against}}
    game = play(**rows)
    game.order("V", "D-1 attack 1").dice(**RAIDERS_FIRST)
    game.dice(**{f"duel_D-1_1_1_{key}": value for key, value in dice.items()}).resolve()
    return game


@pytest.mark.parametrize(("walls", "dice", "left"), [
    (0, {"att_1": 3, "def_1": 2}, ("T", "")), (0, {"att_1": 3, "def_1": 3}, ("T", "F")),
    (0, {"att_1": 1, "def_1": 6}, ("", "F")), (1, {"att_1": 3, "def_1": 2}, ("T", "F")),
])
def test_the_higher_kills_and_walls_help(walls: int, dice: dict[str, int], left: tuple[str, str]) -> None:
    """Of equals nobody dies; troops against foot throw four faces only."""
    game = fought("T", "F", walls, **dice)

    assert (units(game)["D-1"][1], units(game)["B-1"][1]) == left


def test_units_meet_from_the_left_and_a_place_without_defenders_falls() -> None:
    """All three defenders die; the settlement is a ruin, its walls are gone, ten captives are taken."""
    game = fought("TSD", "FAC", 1, att_1=4, def_1=1, att_2=4, def_2=1, att_3=4, def_3=1)

    assert (units(game)["D-1"], units(game)["B-1"]) == (("1", "TSD"), ("", ""))
    place = game.campaign.table(Node)["1"]
    assert (place.kind, place.walls, game.campaign.table(Faction)["V"].wealth) == ("ruin", 0, 10)


@pytest.mark.parametrize(("unit", "other", "odds"), [
    ("T", "F", (6, 4, 14)),      # foot has the advantage: d4 against d6
    ("T", "A", (14, 4, 6)),      # troops have it: d6 against d4
    ("S", "F", (15, 6, 15)),     # even
])
def test_the_chances_of_a_duel_are_those_of_the_book(unit: str, other: str, odds: tuple[int, int, int]) -> None:
    """58.3 / 16.7 / 25 in a hundred where one has the advantage, 41.7 / 16.7 / 41.7 where none has."""
    rows: dict[str, Any] = {"D-1": {"units": unit}, "B-1": {"units": other}}
    campaign = play(**rows).campaign
    whole = sum(odds)

    assert chances(lambda land: fight(land, land.bands["D-1"], land.nodes["1"], land.bands["B-1"]),
                   lambda land: (land.bands["D-1"].units, land.bands["B-1"].units),
                   lambda dice: Land(WALLS.game(campaign.copy(), dice=dice))) == {
        (unit, ""): Fraction(odds[0], whole), (unit, other): Fraction(odds[1], whole),
        ("", other): Fraction(odds[2], whole)}


# --- chapter 3: people and their evening -----------------------------------------------------------------------
def proposed(*people: str, **rows: dict[str, Any]) -> Play:
    """The general E1 proposes to some to build at 1."""
    game = play("evening", **rows)
    for person in people:
        game.campaign.table(Order).add(Order(order=f"P{person}", turn="1", phase="day", faction="E", verb="build",
                                             person=person, target="1", issuer="E1"))
    return game


def test_a_proposal_needs_the_persons_yes() -> None:
    """Both are asked at once, as people of their faction; what each says decides of his deed."""
    game = proposed("E2", "E3", E={"wealth": 500})
    waiting = game.resolve()

    assert [(question.kind, question.to, question.about, question.asked["of"]) for question in waiting.questions] == [
        ("consent", "E", "PE2", "E2"), ("consent", "E", "PE3", "E3")]
    outcome = game.resolve(**{"1_evening_consent_E2_PE2": "yes", "1_evening_consent_E3_PE3": "no"})
    assert outcomes(game) == [("accepted", "done"), ("accepted", "declined")]
    assert game.campaign.table(Node)["1"].walls == 1
    assert [line for line in lines(WALLS, outcome) if "walls" in line] == [
        "E2 and the walls of 1: done.", "E3 and the walls of 1: declined."]


def test_ones_own_deed_needs_no_yes_and_money_is_counted_down() -> None:
    """150 coins and 150 of income: three settlements' walls are paid, the fourth is not."""
    game = play("evening").order("E", "E2 build 1", "build 2 E3", "E4 costruisci 5", "E5 build 5")
    outcome = game.resolve()

    assert (outcome.done, outcomes(game)) == (True, [("accepted", "done")] * 3 + [("accepted", "no_money")])
    assert game.campaign.table(Faction)["E"].wealth == 0


@pytest.mark.parametrize(("faction", "line", "code"), [
    ("E", "E2 build 3", "WAL-008"), ("V", "V2 build 1", "WAL-008"), ("E", "V2 build 1", "WAL-004"),
    ("E", "E2 build 9", "WAL-003"), ("E", "E2 build 1 E3", "WAL-006"), ("E", "E2 build 1 E2", "")])
def test_who_builds_where_and_who_may_propose(faction: str, line: str, code: str) -> None:
    """A settlement, by one's own people, proposed by the general alone."""
    game = play("evening").order(faction, line)

    assert [finding.code for finding in WALLS.check_orders(game.campaign)] == ([code] if code else [])


def test_each_of_the_twelve_acts_once_a_day() -> None:
    """Who has built in the evening does not spy at night; who was refused is free."""
    game = play("evening").order("E", "E2 build 1", "E3 build 3", "E2 spy 4", "E3 spy 4", "E1 spy 6")
    game.resolve()
    outcome = game.resolve()

    assert [(finding.code, finding.data["person"]) for finding in outcome.findings] == [("WAL-005", "E2")]
    assert [status for status, _ in outcomes(game)] == ["accepted", "refused", "refused", "accepted", "accepted"]


# --- chapter 4: spies --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "die", "what"), [
    ("E2 spy 4", 50, "TSD"), ("E2 spy 4", 51, "enemies"), ("E2 spy 5", 0, "nobody")])
def test_a_spy_tells_his_own_faction(line: str, die: int, what: str) -> None:
    """50 in 100; an empty place is certain and needs no die."""
    game = play("night").order("E", line)
    outcome = (game.dice(spy_E2_1=die) if die else game).resolve()

    assert [(event.audience, event.data["what"]) for event in outcome.events] == [("E", what)]
    assert [(roll.key, roll.audience) for roll in outcome.rolls] == ([("spy:E2:1", "E")] if die else [])


# --- chapter 5, and who knows what --------------------------------------------------------------------------------
def test_the_raiders_win_with_the_second_settlement_and_the_defenders_by_time() -> None:
    """At the end of the night."""
    ends: list[tuple[dict[str, Any], str]] = [
        ({"1": {"kind": "ruin"}, "2": {"kind": "ruin"}}, "V"), ({"walls": {"turn": "4"}}, "E")]
    for rows, winner in ends:
        game = Play(WALLS).set(walls={"phase": "night"}).set(**rows)
        assert lines(WALLS, game.resolve()) == [f"The end: {winner} wins."]
        assert WALLS.is_over(game.campaign)


def test_nobody_knows_the_others_bands_and_only_defenders_their_walls() -> None:
    """Settlements are public, what is in them is not."""
    seen = WALLS.view(play().campaign, "V")

    assert list(seen.table(Band).keys()) == ["D-1", "D-2"]
    assert {node.walls for node in seen.table(Node)} == {None}
    assert [node.node for node in seen.table(Node) if node.kind == "settlement"] == ["1", "2", "5"]


@pytest.mark.slow
def test_a_report_has_the_people_and_what_is_asked_of_whom(tmp_path: Any) -> None:
    """One package a faction: its six people, the open consent by name, and nothing of the others."""
    book = tmp_path / "walls.xlsx"
    assert desk.new_campaign(desk.NewPlan("walls", secret=SECRET.hex()), book).exit == desk.Exit.DONE
    desk.take_orders(book, [desk.Input("x", text="E: E2 build 1 E1")])
    desk.resolve(book)
    assert desk.resolve(book).exit == desk.Exit.WAITING
    desk.report(book, tmp_path / "out")
    ours, theirs = ((tmp_path / "out" / f"{side}.txt").read_text(encoding="utf-8") for side in "EV")

    assert "YOUR PEOPLE" in ours
    assert "Fosca" in ours
    assert "Bruno: The general asks you to build at Upper Gate (1). Do you?" in ours
    assert "Bruno" not in theirs
