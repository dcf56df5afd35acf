"""What lies below the places: rows of outlines, and a scenario's background, which is hostile until checked."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Outline, parse_points
from assistant.desk.workspace.workspace import open_workspace
from assistant.pictures import background as checked
from assistant.pictures.background import path_lines, read_background
from assistant.pictures.scene import grounds_of, river_lines, undrawable_outlines
from tests import hand
from tests.pictures.boards import played, scene, start

SVG = b'<svg xmlns="http://www.w3.org/2000/svg">%s</svg>'
COAST = b'<path id="coast" data-kind="land" data-name="Isle" data-name-it="Isola" d="M10 10 h20 v20 L 10,30 z"/>'


def test_points_are_read_as_they_are_written() -> None:
    """Pairs with blanks or semicolons between; anything else is no line."""
    assert parse_points("10,20 30,-40.5;50,60") == ((10, 20), (30, -40.5), (50, 60))
    for text in ("10 20", "10,20,30", "1e9,4", "a,b", "9999999,1"):
        assert parse_points(text) is None


def test_pieces_are_joined_and_what_cannot_be_read_is_left_out() -> None:
    """A long coast stands in several rows; a row that is no line is named, and the others are drawn."""
    _, campaign = start("giglio")
    work = campaign.copy()
    table = work.table(Outline)
    table.add(Outline("z", 2, "river", "", "", "", "5,5 6,6"))
    table.add(Outline("z", 1, "river", "Zee", "Zea", "", "1,1 2,2"))
    table.add(Outline("bad", 1, "land", "", "", "", "1,1 nowhere"))
    table.add(Outline("tuscany", 1, "region", "", "", "M", "1,1 2,2 3,1", "F0"))
    table.add(Outline("beyond", 1, "region", "", "", "", "1,1 2,2 3,1"))
    found = [one for one in grounds_of(work, "it", lambda code: code[:1]) if one.line[0] == (1, 1)]
    drawn = [one for one in found if one.kind != "region"]

    assert [(one.kind, one.name, one.line) for one in drawn] == [("river", "Zea", ((1, 1), (2, 2), (5, 5), (6, 6)))]
    assert undrawable_outlines(work) == ["bad"]
    assert [one.owner for one in found if one.kind == "region"] == ["", "F"]


def test_an_outline_that_cannot_be_read_is_named_at_its_cell(tmp_path: Path) -> None:
    """`check` warns of it, which stops nothing."""
    book = tmp_path / "italy.xlsx"
    desk.new_campaign(desk.NewPlan("giglio", scenario="italy-1500"), book)
    opened = hand.opened(book)
    cell = hand.cell_of(opened["Outlines"], "mainland", "Points")
    cell.value = f"{cell.value} nowhere"
    opened.save(book)

    [told] = [finding for finding in desk.check(book).findings if finding.where.table == Outline.sheet]
    assert (told.code, told.severity, told.cell) == ("ARB-469", "warning", f"Outlines!{cell.coordinate}")


def test_italy_has_its_coast_and_rivers_and_every_place_on_land_lies_on_it() -> None:
    """Each city is within a coast or no farther than its own sign from it; sea areas are at sea."""
    shapely = pytest.importorskip("shapely")
    ruleset, campaign = start("giglio")
    shown = scene(ruleset, campaign, "")
    land = shapely.union_all([shapely.make_valid(shapely.Polygon(ground.line)) for ground in shown.grounds
                              if ground.kind == "land"])

    assert {ground.kind for ground in shown.grounds} >= {"land", "lake", "river", "mountains", "name"}
    assert undrawable_outlines(campaign) == []
    for place in shown.places:
        far = land.distance(shapely.Point(place.x, place.y))
        assert far > 5 if place.sea else far < 6, place.name


def test_rivers_flow_through_their_hexes_from_end_to_end() -> None:
    """Wallingford's Thames is one line with its name, and passes every hex that bears it."""
    ruleset, campaign, _ = played("anarchy", 3)
    rivers = ruleset.looks.rivers(ruleset.game(campaign))
    lines = list(river_lines(rivers, campaign.by_sheet("Nodes").keys()))

    assert {line.name for line in lines if line.name} <= set(rivers)
    assert "Thames" in {line.name for line in lines}
    assert all(len(line.line) >= 2 for line in lines)


# --- backgrounds -------------------------------------------------------------------------------------------------
def test_paths_of_an_svg_become_outlines() -> None:
    """Lines and curves, absolute and relative, with the names that stand beside them."""
    found = read_background(SVG % (COAST + b'<path d="M0 0 q 10 0 10 10 c 0 5 5 10 10 10"/>'))

    assert list(found.rows[:1]) == [
        Outline("coast", 1, "land", "Isle", "Isola", "", "10,10 30,10 30,30 10,30 10,10")]
    assert found.rows[1].kind == "river"
    assert found.rows[1].points.startswith("0,0 ")
    assert found.rows[1].points.endswith("20,20")


@pytest.mark.parametrize(("drawn", "lines"), [
    ("M0 0c0 10 10 10 10 0s10-10 10 0", [[(0, 0), (5, 7.5), (10, 0), (15, -7.5), (20, 0)]]),
    ("m0 0q5 10 10 0t10 0", [[(0, 0), (5, 5), (10, 0), (15, -5), (20, 0)]]),
    ("M0 0A5 5 0 0110 0a5 5 0 00-10 0", [[(0, 0), (5, -5), (10, 0), (5, -5), (0, 0)]]),
    ("M0 0A10 5 90 1 0 10 0.1", [[(0, 0), (5, 10), (10, 0.1)]]),
    ("M0 0H9V9zl-3 3M5 5a0 9 0 0 0 1 1", [[(0, 0), (9, 0), (9, 9), (0, 0)], [(0, 0), (-3, 3)], [(5, 5), (6, 6)]])])
def test_curves_and_arcs_are_followed(drawn: str, lines: list[list[tuple[float, float]]]) -> None:
    """Bezier curves with mirrored pulls, arcs either way round with flags that stand together: each known point is on
    its line, in order, and the line ends where it should.
    """
    found = path_lines(drawn, 1000)

    for line, points in zip(found, lines, strict=True):
        assert math.dist(line[0], points[0]) + math.dist(line[-1], points[-1]) < 0.001
        assert all(min(math.dist(point, one) for one in line) < 0.3 for point in points)


def test_lines_and_areas_of_a_geojson_become_outlines() -> None:
    """Features with their properties, and parts of parts."""
    one = {"type": "Feature", "properties": {"id": "po", "kind": "river", "name": "Po"},
           "geometry": {"type": "LineString", "coordinates": [[1, 2], [3.4, 4.6, 9]]}}
    two = {"type": "Feature", "properties": None, "geometry": {"type": "MultiPolygon", "coordinates": [
        [[[0, 0], [9, 0], [9, 9], [0, 0]]]]}}
    found = read_background(json.dumps({"type": "FeatureCollection", "features": [one, two]}).encode())

    assert [(row.outline, row.kind, row.points) for row in found.rows] == [
        ("po", "river", "1,2 3,5"), ("land-2", "land", "0,0 9,0 9,9 0,0")]


@pytest.mark.parametrize(("content", "why"), [
    (SVG % b"<script>alert(1)</script>", checked.ACTIVE),
    (SVG % b'<path onclick="x()" d="M0 0 L1 1"/>', checked.ACTIVE),
    (SVG % b'<image href="http://example.org/a.png"/>', checked.ACTIVE),
    (b'<svg xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="other.svg#a"/></svg>', checked.ACTIVE),
    (SVG % b'<path style="fill:url(http://example.org)" d="M0 0 L1 1"/>', checked.ACTIVE),
    (b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>', checked.ACTIVE),
    (b'<?xml-stylesheet href="a.css"?><svg/>', checked.ACTIVE),
    (SVG % b'<g transform="scale(2)"><path d="M0 0 L1 1"/></g>', checked.TURNED),
    (SVG % b'<path d="M0 0 L 1"/>', checked.DAMAGED), (SVG % b'<path d="M0 0 A5 5 0 2 0 9 9"/>', checked.DAMAGED),
    (SVG % b'<path d="M0 0 A1e300 1e300 0 0 0 9e200 9"/>', checked.DAMAGED),
    (SVG % b'<path d="M0 0 L 1e300 2"/>', checked.DAMAGED),
    (b"<svg>" * 100 + b"</svg>" * 100, checked.DAMAGED),
    (b"<svg", checked.DAMAGED), (SVG % b"", checked.NOTHING), (b"{", checked.DAMAGED), (b"{}", checked.NOTHING),
    (b"[" * 100_000, checked.NO_FORMAT), (b'{"features":' + b"[" * 100_000, checked.DAMAGED),
    (b'{"type":"LineString","coordinates":[[1,1e999],[2,2]]}', checked.DAMAGED),
    (b'{"type":"LineString","coordinates":[["x",1],[2,2]]}', checked.DAMAGED),
    (b"%PDF", checked.NO_FORMAT), (b"<svg>" + b" " * 1_000_000 + b"</svg>", checked.TOO_LARGE),
    (SVG % (b'<path d="M0 0' + b" 1 1" * 20_001 + b'"/>'), checked.TOO_MANY)])
def test_a_hostile_background_is_refused(content: bytes, why: str) -> None:
    """Scripts, links, other files, entities, bombs of depth and size: nothing of it is taken, and it is said why."""
    found = read_background(content)

    assert (found.rows, found.why) == ((), why)


@pytest.mark.slow
def test_a_scenarios_broken_background_keeps_nothing_from_going_on(tmp_path: Path) -> None:
    """`new` makes the workbook, and one line says what is missing; one that is sound stands on the sheet."""
    folder = tmp_path / "scenario"
    folder.mkdir()
    (folder / "desk.csv").write_text("key,value\nruleset,bloodlust\ntitle,Small\nlanguage,en\n")
    (folder / "factions.csv").write_text("faction,name_en\nVOR,Vorozion\n")
    (folder / "nodes.csv").write_text("node,name,owner,home,capital,x,y\nV1,Vor,VOR,VOR,yes,1,1\n"
                                      "V2,Sept,VOR,VOR,no,9,9\n")
    (folder / "roads.csv").write_text("a,b\nV1,V2\n")
    (folder / "background.svg").write_bytes(SVG % b"<script/>")
    plan = desk.NewPlan("bloodlust", "", folder, "en", "", "00" * 32, False)

    broken = desk.new_campaign(plan, tmp_path / "broken.xlsx", lang="en")
    (folder / "background.svg").write_bytes(SVG % COAST)
    sound = desk.new_campaign(plan, tmp_path / "sound.xlsx", lang="en")

    assert [f.code for f in broken.findings if f.code == "ARB-470"] == ["ARB-470"]
    assert "ARB-470" not in {f.code for f in sound.findings}
    assert [path.suffix for path in sorted(tmp_path.glob("*.xlsx"))] == [".xlsx", ".xlsx"]
    assert [row.points for row in open_workspace(tmp_path / "sound.xlsx").campaign.table(Outline)] == [
        "10,10 30,10 30,30 10,30 10,10"]
    assert len(open_workspace(tmp_path / "broken.xlsx").campaign.table(Outline)) == 0
