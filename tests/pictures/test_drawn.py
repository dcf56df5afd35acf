"""What stands on a map, and where: nothing over a name, nothing outside the frame, nothing that is not in the scene."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from typing import Any

import pytest

from assistant.pictures.colours import CELL_TINT, INK, LAND, PAPER, TINT, contrast, mix_colours
from assistant.pictures.legend import lay_out
from assistant.pictures.render import CLOSE_HEAD, Drawing, map_svg, maps_side_by_side, svg_for_print
from assistant.pictures.scene import Force, Ground, MapMark, Measure, Scene
from tests.pictures.randoms import COLOURS, random_map
from tests.pictures.reading_maps import SVG, group, names, over_places, overlapping, size, stand, texts, tree, upon
from tests.pictures.scenes import hexes, squares, valley

TITLE_BAND = 62.0
PHONE = 390


def check_whole(scene: Scene, drawing: Drawing) -> None:
    """What every picture of a graph keeps to."""
    root = tree(drawing.svg)
    written, places = names(root), stand(root, "places")
    wide, high = size(root)
    shown = {line.text for line in written}
    words = " ".join(line.text for line in written)

    assert len(places) == len(scene.places)
    assert overlapping(written) == []
    assert over_places(written, places) == []
    covered = [line.text for line in written for box in upon(root) if line.box.meets(box)]
    assert len(covered) <= len(places) // 150, covered  # in a crowd an arrow may be shorter than the name across it
    for line in written:
        assert line.box.left >= 0
        assert line.box.right <= wide
        assert line.box.top >= 0
        assert line.box.bottom <= high
    for x, y in (*places, *stand(root, "forces"), *stand(root, "marks")):
        assert 0 < x < wide
        assert 0 < y < high
    for place in scene.places:
        assert place.code in drawing.unplaced or all(word in words for word in place.name.split())
    listed = texts(root)
    for place in scene.places:
        if place.code in drawing.unplaced:
            assert f"{place.code} {place.name}" in listed
            assert place.code not in drawing.placed
    assert shown <= {part for place in scene.places for n in range(1, 9)
                     for part in (place.code, *_parts(place.name, n))}


def _parts(name: str, n: int) -> tuple[str, str]:
    words = name.split()
    return " ".join(words[:n]), " ".join(words[n:])


@pytest.mark.parametrize(("many", "seed"), [(10, 1), (60, 2), (120, 3),
                                            *(pytest.param(many, seed, marks=pytest.mark.slow)
                                              for many, seed in ((2, 4), (25, 5), (200, 6), (300, 7)))])
def test_on_no_map_does_a_name_lie_over_a_name_or_a_place(many: int, seed: int) -> None:
    """Random maps: names keep clear of names and signs, shields, badges and heads of arrows of names, all is inside the
    frame, and every place is there by its name, or by its code, which the legend explains.
    """
    scene = random_map(many, seed)

    check_whole(scene, map_svg(scene))


@pytest.mark.slow
def test_two_thousand_places_are_drawn() -> None:
    """A map of two thousand places has all of them, inside its frame, and most names."""
    scene = random_map(2000, 8)

    drawing = map_svg(scene)

    root = tree(drawing.svg)
    wide, high = size(root)
    assert len(stand(root, "places")) == 2000
    assert all(0 < x < wide and 0 < y < high for x, y in stand(root, "places"))
    assert len(drawing.placed) > 1200


@pytest.mark.parametrize("scene", [valley(), hexes(), squares()], ids=["graph", "hexes", "squares"])
def test_the_same_scene_is_the_same_bytes(scene: Scene) -> None:
    """A scene that is drawn twice is the same text."""
    assert map_svg(scene) == map_svg(scene)


def test_an_army_that_moves_moves_no_name() -> None:
    """Names stand where they stood when armies, marks and owners change, and where the last turn is known, too; there
    a longer legend may move one in a hundred.
    """
    scene = random_map(80, 9)
    first = map_svg(scene)
    moved = replace(scene, forces=(replace(scene.forces[0], place="P40"), *scene.forces[1:], Force("X", "F1", "P3")),
                    marks=(MapMark("P9", "battle"),), places=tuple(replace(place, owner="F2") if n % 3 == 0 else place
                                                                for n, place in enumerate(scene.places)))

    assert map_svg(moved).placed == first.placed
    assert len(first.placed.items() - map_svg(replace(moved, before=first.placed)).placed.items()) <= 1


def test_names_start_from_where_they_stood() -> None:
    """When places grow and one more is found, at most one name in twenty moves."""
    scene = random_map(80, 10)
    first = map_svg(scene)
    grown = tuple(replace(place, size=3) if place.code == "P5" else place for place in scene.places)
    more = replace(grown[0], code="NEW", name="Novella", x=500, y=500)

    after = map_svg(replace(scene, places=(*grown, more), before=first.placed)).placed

    assert sum(after.get(code) != stood for code, stood in first.placed.items()) <= len(first.placed) // 20


def test_the_referees_wish_for_a_name_goes_first() -> None:
    """A name stands at the side that the referee has asked for, whatever the last turn says."""
    scene = valley()
    wished = tuple(replace(place, side="N") if place.code == "M2" else place for place in scene.places)

    assert map_svg(replace(scene, places=wished, before={"M2": ("S", 1)})).placed["M2"] == ("N", 1)


@pytest.mark.parametrize(("measure", "units", "form", "told"), [
    ("length", 2.0, "graph", "20 km"), ("usual", 50.0, "graph", "~1 km"), ("usual", 100.0, "graph", "~½ km"),
    ("usual", 0.1, "graph", "~500 × km"), ("usual", 9000.0, "graph", "~0,005 × km"),
    ("length", 1.0, "squares", "1 km")])
def test_the_scale_is_true(measure: Measure, units: float, form: str, told: str) -> None:
    """Its bar is as long on the picture as that many units are, rather one or a part of it where it is no length."""
    scene = replace(valley() if form == "graph" else squares(), scale=units, scale_name="km", measure=measure)
    a, b = scene.places[:2]
    root = tree(map_svg(scene).svg)
    (row,) = [one for one in root.iter(f"{SVG}g") if told in {text.text for text in one.findall(f"{SVG}text")}]
    bar = float(str(row.findall(f"{SVG}path")[0].get("d")).split("h")[1].split("m")[0])
    (ax, ay), (bx, by) = (lay_out(scene).ends[place.code] for place in (a, b))
    pixels = math.dist((ax, ay), (bx, by)) / math.dist((a.x, a.y), (b.x, b.y))
    many = {"½": 0.5}.get(told.strip("~").split()[0]) or float(told.strip("~").split()[0].replace(",", "."))

    assert bar == pytest.approx(many * units * pixels, abs=0.1)


WITHOUT = {
    "Esercito": {"forces": ()}, "Flotta": {"forces": ()}, "Marcia": {"marches": ()}, "Marcia ordinata": {"marches": ()},
    "Battaglia": {"marks": ()}, "Peste": {"marks": ()}, "Strada": {"ways": ()}, "Passo": {"ways": ()},
    "Chiuso": {"ways": ()}, "20 km": {"scale": 0}}


@pytest.mark.parametrize("row", WITHOUT)
def test_the_legend_has_what_is_on_the_map_and_nothing_else(row: str) -> None:
    """A row stands in the legend when its thing is on the map, and only then."""
    scene = valley()

    assert row in texts(tree(map_svg(scene).svg))
    assert row not in texts(tree(map_svg(replace(scene, **WITHOUT[row])).svg))  # type: ignore[arg-type]


@pytest.mark.parametrize(("field", "row"), [
    ("capital", "Capitale"), ("besieged", "Sotto assedio"), ("revolt", "In rivolta"), ("walls", "Mura")])
def test_the_legend_tells_what_places_show(field: str, row: str) -> None:
    """So with capitals, sieges, revolts and walls."""
    scene = valley()
    none: dict[str, Any] = {field: "" if field == "walls" else False}
    plain = replace(scene, places=tuple(replace(place, **none) for place in scene.places))

    assert row in texts(tree(map_svg(scene).svg))
    assert row not in texts(tree(map_svg(plain).svg))


def test_a_close_up_has_its_places_and_their_names_anew() -> None:
    """Places outside the frame are left out with all that is there, and names can be read on a phone."""
    scene = replace(valley(), focus=("M0", "M1", "M2"), before={"M0": ("N", 2)})

    drawing = map_svg(scene)

    written = names(tree(drawing.svg))
    assert {"Milano", "Pavia", "Como"} <= {line.text for line in written}
    assert "Savona" not in drawing.svg
    assert "G-1" not in drawing.svg
    assert min(line.size for line in written) * PHONE / drawing.width >= 10
    assert map_svg(replace(scene, before=None)).placed == drawing.placed


def test_the_legend_of_a_close_up_takes_a_fifth_of_it() -> None:
    """Rows that explain themselves are left to the whole map, whose legend has them all; owners stay longest."""
    whole = valley()
    many = tuple(replace(whole.owners[0], code=f"X{n}", name=f"Repubblica numero {n}") for n in range(12))
    places = tuple(replace(place, owner=f"X{n % 12}") for n, place in enumerate(whole.places))
    for scene in (whole, replace(whole, owners=many, places=places)):
        close = replace(scene, focus=("M0", "M1", "M2"))
        lay = lay_out(close)
        root = tree(map_svg(close).svg)
        height = float(str(root.get("viewBox")).split()[3])

        assert lay.frame.close
        assert height - lay.frame.window.height - CLOSE_HEAD <= height * 0.2 + 1
    assert "Strada" not in texts(root)
    assert "Repubblica numero 0" in texts(root)


def test_no_owner_is_known_by_its_colour_alone() -> None:
    """Each owner's sign stands upon its ground, or at its places, or both."""
    scene = random_map(60, 11)
    bare = replace(scene, forces=(), marks=(), marches=())
    root = tree(map_svg(bare).svg)
    legend = [element.text for element in root.iter(f"{SVG}text")]

    held = {place.owner for place in bare.places if place.owner and not place.sea}
    assert {owner for owner in held if legend.count(owner) < 2} == set()


HOSTILE = ('<script>alert("1")</script>', "A & B", "\"quoted' name", "\u202eright to left", "\u05e9\u05dc\u05d5\u05dd",
           "x" * 200, "]]></text><image href='http://example.org/x.png'/>", "\x00\x0b\ud800 \n two  lines",
           "{{ 7 * 7 }}", "")


def test_hostile_texts_are_words_and_no_more() -> None:
    """Whatever stands in names, notes and colours, the picture is XML of our own elements, without links."""
    scene = valley()
    places = tuple(replace(place, name=text, label=text) for place, text in zip(scene.places, HOSTILE, strict=False))
    owners = tuple(replace(owner, name=text, colour='red" onload="x()', sign=text)
                   for owner, text in zip(scene.owners, HOSTILE, strict=False))
    marks = tuple(replace(mark, note=HOSTILE[0]) for mark in scene.marks)

    drawing = map_svg(replace(scene, places=places, owners=owners, marks=marks, title=HOSTILE[6], turn=HOSTILE[7]))

    root = tree(drawing.svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "style", "defs", "pattern", "rect", "path", "g", "use", "circle", "text", "tspan", "textPath"}
    assert all(value.startswith("#") for one in root.iter() for key, value in one.attrib.items() if "href" in key)
    assert not re.search(r"onload|url\((?!#)|\x00|\u202e", drawing.svg)
    assert "A & B" in {line.text for line in names(root)}
    assert "{{ 7 * 7 }}" in drawing.svg


def test_a_name_without_room_or_letters_becomes_its_code() -> None:
    """A name of two hundred letters, and one that our fonts cannot write, stand as codes and are listed."""
    scene = valley()
    names_ = {"M1": HOSTILE[4], "M2": "y" * 200}
    places = tuple(replace(place, name=names_.get(place.code, place.name)) for place in scene.places)

    drawing = map_svg(replace(scene, places=places))

    assert set(drawing.unplaced) == {"M1", "M2"}
    assert {"M1", "M2"} <= {line.text for line in names(tree(drawing.svg))}


def test_names_can_be_read_on_every_ground() -> None:
    """Letters, and the rim that they have, stand out from land, tints and borders of every owner, in fog or not."""
    tints = [mix_colours(colour, LAND, share) for colour in COLOURS for share in (TINT, CELL_TINT)]
    grounds = [LAND, *COLOURS, *tints, *(mix_colours("#6b6250", ground, 0.4) for ground in (LAND, *tints))]

    assert min(contrast(INK, mix_colours(PAPER, ground, 0.92)) for ground in grounds) >= 4.5
    assert min(contrast("#3d3524", mix_colours(PAPER, ground, 0.62)) for ground in grounds) >= 4.5


def test_two_turns_side_by_side_have_their_names_at_the_same_sides() -> None:
    """Both maps stand on one picture, whose parts do not mix up their own names."""
    scene = valley()
    later = replace(scene, turn="Turno 5", places=tuple(replace(place, owner="M") for place in scene.places))

    drawing = maps_side_by_side(scene, later)

    declared = re.findall(r'\bid="([^"]+)"', drawing.svg)
    assert len(declared) == len(set(declared))
    assert drawing.placed == map_svg(scene).placed
    assert {"Turno 4", "Turno 5"} <= texts(tree(drawing.svg))
    assert drawing.width > 2 * map_svg(scene).width


def test_for_print_letters_are_text_and_fonts_come_along() -> None:
    """A sheet of A3 with every name as text, and nothing that must be fetched."""
    drawing = map_svg(valley())

    printed = svg_for_print(drawing)

    root = tree(printed)
    assert {root.get("width"), root.get("height")} == {"420mm", "297mm"}
    assert root.find(f"{SVG}svg") is not None, "where the sheet is wider than the map nothing runs over its frame"
    assert "Milano" in {line.text for line in names(root)}
    assert printed.count("@font-face") == 4
    assert set(re.findall(r"url\((?!#)(\w+):", printed)) == {"data"}


@pytest.mark.parametrize("form", ["graph", "hexes", "squares"])
@pytest.mark.parametrize("points", [(), ((5, 5),), ((0, 0), (9, 0)), ((0, 0), (0, 0), (0, 0)),
                                    ((float("nan"), 0), (1, 1), (2, float("inf"))), ((1e18, 0), (-1e18, 1e18), (4, 4))],
                         ids=["none", "one", "two", "same", "nowhere", "far"])
def test_odd_maps_are_drawn_all_the_same(form: str, points: tuple[tuple[float, float], ...]) -> None:
    """No place, one, some at one point, some that stand nowhere: a picture comes of it, with those that stand."""
    scene = valley()
    places = tuple(replace(place, x=x, y=y) for place, (x, y) in zip(scene.places, points, strict=False))

    drawing = map_svg(replace(scene, form=form, places=places, focus=("M0",)))  # type: ignore[arg-type]

    assert size(tree(drawing.svg))[1] < 6000
    assert group(tree(drawing.svg), "places") is not None


@pytest.mark.parametrize("seed", range(12))
def test_whatever_outlines_are_given_a_picture_comes_of_it(seed: int) -> None:
    """Coasts that cross themselves, rivers of one point, regions of nobody, points that are no numbers."""
    rnd = random.Random(seed)
    far = 10.0 ** rnd.randint(1, 9)
    grounds = tuple(Ground(rnd.choice(("land", "sea", "lake", "river", "mountains", "region", "name")),
                           tuple((rnd.choice((rnd.uniform(-far, far), 100.0, float("nan"))), rnd.uniform(-far, far))
                                 for _ in range(rnd.randrange(12))), "Mare", rnd.choice(("", "M", "nobody")))
                    for _ in range(6))

    drawing = map_svg(replace(valley(), grounds=grounds))

    assert len(stand(tree(drawing.svg), "places")) == len(valley().places)


def test_cells_show_their_ground_and_the_sides_at_which_realms_end() -> None:
    """Hexes and squares: as many cells as the scene has, a border for each owner, codes where nothing covers them."""
    for scene in (hexes(), squares()):
        drawing = map_svg(scene)
        cells = {(place.x, place.y) for place in scene.places}
        assert drawing.svg.count('href="#c"') >= len(cells)
        assert drawing.svg.count("<clipPath") == len({place.owner for place in scene.places if place.owner})
        assert drawing.unplaced == ()
