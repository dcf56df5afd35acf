"""The hexes of the map (rulebook: 2 The map, 8.3 Movement): neighbours, directions, distances, ways, places by name."""

from __future__ import annotations

from itertools import pairwise

import pytest

from assistant.campaign import map as maps
from tests.anarchy.cases import MAP, After, case

DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


@pytest.mark.parametrize(("code", "around"), [
    ("0705", ("0704", "0804", "0805", "0706", "0605", "0604")),
    ("0605", ("0604", "0705", "0706", "0606", "0506", "0505")),
])
def test_six_neighbours(code: str, around: tuple[str, ...]) -> None:
    """2 The map: odd columns look up to their neighbours, even columns stand half a hex south."""
    assert tuple(maps.step(code, d) for d in DIRECTIONS) == around
    assert [maps.direction(code, there) for there in around] == list(DIRECTIONS)
    assert all(maps.distance(code, there) == 1 for there in around)


@pytest.mark.parametrize("code", MAP)
def test_neighbours_are_mutual_and_in_the_opposite_direction(code: str) -> None:
    """2 The map: who is my neighbour to the NE has me to his SW."""
    for n, towards in enumerate(DIRECTIONS):
        there = maps.step(code, towards)
        assert maps.step(there, DIRECTIONS[(n + 3) % 6]) == code


@pytest.mark.parametrize(("a", "b", "apart"), [
    ("0605", "0411", 7), ("1404", "1307", 3), ("0605", "0605", 0), ("2105", "2205", 1), ("0101", "2416", 27),
    ("1609", "1710", 1), ("0411", "0512", 1)])
def test_printed_distances(a: str, b: str, apart: int) -> None:
    """2 The map: 0605 to 0411 is 7, 1404 to 1307 is 3."""
    assert maps.distance(a, b) == maps.distance(b, a) == apart


def test_distance_is_the_number_of_steps() -> None:
    """6.1: counted out from 0908 by walking from neighbour to neighbour, the formula says the same for every hex."""
    found, front, steps = {"0908": 0}, ["0908"], 0
    while front:
        steps += 1
        front = [there for code in front for d in DIRECTIONS
                 if (there := maps.step(code, d)) in MAP and there not in found]
        found |= dict.fromkeys(front, steps)
        front = list(dict.fromkeys(front))
    assert len(found) == len(MAP) == 384
    assert all(maps.distance("0908", code) == steps for code, steps in found.items())


@pytest.mark.parametrize(("words", "path"), [
    ("0606 0607 0608", ["0606", "0607", "0608"]),
    ("S S S", ["0606", "0607", "0608"]),
    ("SE SE", ["0706", "0806"]),
    ("NE N NW", ["0705", "0704", "0603"]),
    ("s s", ["0606", "0607"]),
])
def test_paths_may_be_hexes_or_directions(words: str, path: list[str]) -> None:
    """4: MOVE takes hexes or N NE SE."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1", orders=f"r MOVE A1 {words}")
    assert after.get("A1", "node") == path[-1]
    assert after.get("A1", "came_from") == ([*path[:-1]] or ["0605"])[-1]


@pytest.mark.parametrize(("place", "end"), [
    ("Malmesbury", "0605"), ("malmesbury+NE", "0705"), ("Malmesbury+NE2", "0804"), ("MALMÉSBURY+S", "0606"),
    ("malmesbury-abbey", "0605")])
def test_places_are_given_by_compass_from_a_landmark(place: str, end: str) -> None:
    """17: Malmesbury, Malmesbury NE, Malmesbury NE2; case and accents ignored."""
    after = case("movement", armies="A1 r 0608 K9 noble=N1", nodes="0605 open name=Malmesbury",
                 places="malmesbury-abbey 0605 abbey 3 5", orders=f"r MOVE A1 path={place}")
    assert after.get("A1", "node") == end


def after_words(after: After) -> list[str]:
    """The way that ANA-113 names."""
    return str(after.finding("ANA-113")["path"]).replace(",", " ").split()


def test_the_cheapest_way_then_the_fewest_hexes_then_the_smallest_codes() -> None:
    """8.3 Movement: a single far hex means the cheapest way."""
    around = case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 river", orders="r MOVE A1 0607",
                  findings="o1 ANA-113")
    assert around.get("A1", "node") == "0607"
    assert around.get("A1", "came_from") == "0507"
    assert after_words(around) == ["0506", "0507", "0607"]
    road = case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 river", roads="0605 0606 road",
                orders="r MOVE A1 0607")
    assert road.get("A1", "came_from") == "0606"


def test_neighbours_never_swap() -> None:
    """8.3 Movement: two units on one road: the first to march walks into the other."""
    after = case("movement", armies="""A1 r 0605 S9 noble=N1:9 on_meeting=pass joins=no
        A2 a 0606 S9 noble=N2:4 on_meeting=pass joins=no""",
                 orders="r MOVE A1 0606; a MOVE A2 0605", defaults=True)
    assert after.events("met", "A1", "A2")


def test_short_of_points_it_stops_in_the_last_hex_paid_for() -> None:
    """8.3 Movement: there is no minimum move: a river off the road needs 3 PM; nothing is carried over."""
    case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 river", rules={"season": "winter"},
         orders="r MOVE A1 0606", then="A1 node=0606")
    after = case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 river", rules={"season": "winter"},
                 wounded="W1 r foot A1", orders="r MOVE A1 0606",
                 findings="o1 ANA-103", then="")
    assert after.get("A1", "node") == "0605"


def test_the_map_of_the_scenario_is_whole() -> None:
    """Wallingford 1139: 24 by 16 hexes, every road between neighbours."""
    from assistant.environment import shipped_folder

    place = shipped_folder("workbook_templates") / "anarchy" / "wallingford-1139"
    nodes = [line.split(",")[0] for line in (place / "nodes.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert sorted(nodes) == sorted(MAP)
    roads = [line.split(",") for line in (place / "roads.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert len(roads) > 150
    assert [r for r in roads if maps.distance(r[0], r[1]) != 1] == []


def test_a_way_over_places_is_the_cheapest_to_each() -> None:
    """8.3 Movement: codes of several places are goals, one after the other; hexes alone have to touch."""
    places = "inn 0203 village 3 5, ham 0401 village 3 5"
    after = case("movement", armies="A1 r 0201 K9 noble=N1", places=places, orders="r MOVE A1 inn ham",
                 findings="o1 ANA-113", then="A1 node=0401")
    assert after_words(after)[-1] == "0401"
    assert "0203" in after_words(after)
    for hexes in ("0203 0401", "inn 0401", "0203 ham"):
        case("movement", armies="A1 r 0201 K9 noble=N1", places=places, orders=f"r MOVE A1 {hexes}",
             findings="o1 ANA-102")


def test_a_far_way_runs_from_neighbour_to_neighbour() -> None:
    """8.3 Movement: the way chosen is told (ANA-113) with every hex, and it is a path."""
    after = case("movement", armies="A1 r 0201 K9 noble=N1", orders="r MOVE A1 0908", findings="o1 ANA-113, o1 ANA-103")
    words = after_words(after)
    assert words[-1] == "0908"
    assert all(maps.distance(a, b) == 1 for a, b in pairwise(["0201", *words]))
