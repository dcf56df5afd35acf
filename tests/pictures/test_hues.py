"""Colours of owners are measured as the map draws them, for the usual eye and the three deficiencies."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction
from assistant.desk.commands.resolve import similar_colours
from assistant.environment import shipped_folder
from assistant.pictures import territories
from assistant.pictures.colours import (
    ANY,
    CELL_TINT,
    EYES,
    GREY,
    LAND,
    TINT,
    TINTS,
    TOUCHING,
    VEILS,
    ciede2000,
    colour_conflicts,
    colour_distance,
    faction_colours,
    is_apart,
    lab,
    mix_colours,
    nearest_distinct_colour,
    tint,
)
from assistant.pictures.legend import lay_out
from tests.pictures.boards import DEMOS, played, scene, start

SHARMA = [  # Sharma, Wu, Dalal 2005, table 1: pairs of L*a*b* and their CIEDE2000 difference
    ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425), ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ((50.0, 2.49, -0.001), (50.0, -2.49, 0.0009), 7.1792), ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
    ((50.0, 2.5, 0.0), (50.0, 0.0, -2.5), 4.3065), ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441)]
SHIPPED = sorted(shipped_folder("workbook_templates").glob("*/*/factions.csv"))


@pytest.mark.parametrize(("one", "other", "far"), SHARMA)
def test_the_distance_is_ciede2000(one: tuple[float, float, float], other: tuple[float, float, float],
                                   far: float) -> None:
    """The distance of two colours is the one of the paper's own table of examples, either way round."""
    assert round(ciede2000(one, other), 4) == round(ciede2000(other, one), 4) == far


def test_red_and_green_are_near_for_many() -> None:
    """Two colours that the usual eye tells at once may be almost one for an eye without green cones."""
    red, green = "#b8743a", "#8a8a30"
    usual, without = (ciede2000(lab(red, eye), lab(green, eye)) for eye in ("", "deutan"))

    assert usual > 2 * without
    assert colour_distance(red, green) == min(ciede2000(lab(red, eye), lab(green, eye)) for eye in EYES)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.parent.name)
def test_colours_of_scenarios_can_be_told_apart(file: Path) -> None:
    """In each scenario that ships any two owners, neutrals included, may be neighbours: 12 apart, their tints 4."""
    with file.open(encoding="utf-8") as rows:
        colours = [row["colour"] for row in csv.DictReader(rows)]

    assert len(SHIPPED) >= 5
    assert min(colour_distance(one, other) for one, other in combinations(colours, 2)) >= TOUCHING
    assert min(colour_distance(tint(one), tint(other)) for one, other in combinations(colours, 2)) >= TINTS


@pytest.mark.parametrize(("name", "phases"), [(name, n) for name in DEMOS for n in (0, 10)])
def test_as_the_picture_draws_them_owners_can_be_told_apart(name: str, phases: int) -> None:
    """On each demo's map any two owners, neutrals and the land of nobody included, are 12 apart; their land, as it is
    filled on every ground that the map has, in sight or out of it, 4; and so is each cell from its neighbour of another
    owner.
    """
    ruleset, campaign, *_ = played(name, phases) if phases else start(name)
    shown = scene(ruleset, campaign, REFEREE)
    colours = {owner.code: owner.colour for owner in shown.owners}
    lay = lay_out(shown)
    board = (territories.cells_of(lay.spots, lay.frame.step, shown.form, shown.terrains or {})
             if shown.form != "graph" else None)
    grounds = [cell.fill for cell in board.cells] if board else [LAND]
    share = CELL_TINT if board else TINT

    assert len(colours) > 1
    assert min(colour_distance(one, other) for one, other in combinations((LAND, *colours.values()), 2)) >= TOUCHING
    for ground in set(grounds):
        fills = [ground, *(tint(colour, ground, share) for colour in colours.values())]
        for veil, dense in [("#000000", 0.0), *([VEILS["cells"]] if board else [VEILS["earlier"], VEILS["never"]])]:
            seen = [mix_colours(veil, fill, dense) for fill in fills]
            assert min(colour_distance(one, other) for one, other in combinations(seen, 2)) >= TINTS, (ground, veil)
    for pair in territories.shared_sides(board.cells, board.corners).values() if board else ():
        if len({one.owner for one in pair}) > 1:
            assert colour_distance(*(territories.cell_colour(one, colours) for one in pair)) >= TINTS, [
                one.code for one in pair
            ]


def test_far_colours_are_known_by_their_lightness() -> None:
    """What is left out of the formula for them decides nothing."""
    shades = [f"#{red:02x}{green:02x}{blue:02x}" for red in (0, 90, 255) for green in (0, 140, 255)
              for blue in (0, 60, 255)]
    for one, other in combinations(shades, 2):
        for least in (TINTS, TOUCHING):
            assert is_apart(one, other, least) == (colour_distance(one, other) >= least), (one, other)


@pytest.mark.parametrize(("typed", "many"), [((), 2), ((), 9), (("#cc3322", "#0c6993"), 8), (("#808080",), 0)])
def test_factions_without_a_colour_get_one_on_pictures(typed: tuple[str, ...], many: int) -> None:
    """Of several that have the column's default each is drawn in a colour of its own, and nothing is written; one that
    is alone with it keeps it.
    """
    rows = [Faction(faction=f"F{n}", colour=colour) for n, colour in enumerate((*typed, *[GREY] * many))]
    found = faction_colours(rows)

    assert [found[row.faction] for row in rows[:len(typed)]] == list(typed)
    assert min((colour_distance(a, b) for a, b in combinations((LAND, *found.values()), 2)), default=99) >= TOUCHING
    assert (
        min((colour_distance(tint(a), tint(b)) for a, b in combinations((LAND, *found.values()), 2)), default=99)
        >= TINTS
    )
    assert [row.colour for row in rows] == [*typed, *[GREY] * many]


def test_a_tint_lies_between_its_colour_and_the_paper() -> None:
    """A realm's tint is an opaque colour between its owner's and the paper's, part by part."""
    owner = "#0c6993"
    parts = [tuple(int(one[i:i + 2], 16) for i in (1, 3, 5)) for one in (owner, tint(owner), LAND)]

    assert all(min(a, c) < b < max(a, c) for a, b, c in zip(*parts, strict=True))
    assert tint(LAND) == LAND


def test_who_takes_the_colours_that_are_named_passes() -> None:
    """Colours that are too near come with the nearest good one, and with all of these nothing is left to say."""
    colours = {"A": "#b22222", "B": "#2e7d32", "C": "#8d6e63", "D": "#2f7d33", "E": "#ffffff", "F": "#fefefe"}
    pairs = {frozenset(pair) for pair in combinations(colours, 2)}
    found = colour_conflicts(colours, pairs)

    assert {"B", "D", "F"} <= {owner for owner, _, _ in found} <= {"B", "C", "D", "F"}
    assert colour_conflicts(colours | {owner: good for owner, _, good in found}, pairs) == []
    assert all(colour_distance(colours[owner], good) < 40 for owner, _, good in found)


def test_far_from_one_another_less_is_enough() -> None:
    """Two owners that do not touch need 8, neighbours 12."""
    near = {"A": "#2e7d32", "B": "#3c9a2f"}
    far = colour_distance(*near.values())

    assert ANY <= far < TOUCHING
    assert colour_conflicts(near, set()) == []
    assert [owner for owner, _, _ in colour_conflicts(near, {frozenset("AB")})] == ["B"]


def test_where_no_colour_is_left_none_is_named() -> None:
    """Of a crowd that fills the whole space of colours the next one gets no better colour."""
    crowd = {f"#{r:02x}{g:02x}{b:02x}": False for r in range(0, 256, 51) for g in range(0, 256, 51)
             for b in range(0, 256, 51)}

    assert nearest_distinct_colour("#808080", crowd) == ""


def test_a_typed_colour_gets_a_finding_that_stops_nothing() -> None:
    """A club's colour that is near to another's is a warning at its cell, so is one near to land that nobody
    holds; a faction without a colour is left alone.
    """
    campaign = Campaign([Faction])
    for code, colour in (("A", "#1f6f8b"), ("B", "#2e8b57"), ("C", "#808080"), ("D", "#808080"), ("E", "#f1e5c6")):
        campaign.table(Faction).add(Faction(faction=code, name_en=code, colour=colour))
    seen, land = similar_colours(campaign)

    assert (seen.code, seen.severity, seen.where.row, seen.where.field) == ("ARB-460", "warning", "B", "colour")
    assert colour_distance(str(seen.data["good"]), "#1f6f8b") >= TOUCHING
    assert (land.code, land.where.row) == ("ARB-468", "E")
    assert colour_distance(str(land.data["good"]), LAND) >= TOUCHING
