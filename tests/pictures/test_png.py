"""From an SVG to pixels: as they were looked at, with few colours, our own fonts, and no library that must be there."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from assistant.environment import shipped_folder
from assistant.pictures.layout import FILES, clean_text, font_files, has_all_letters, shorten, split_in_two, text_width
from assistant.pictures.render import map_svg, svg_to_png
from tests.pictures.golden import HOME, drawn, kinds, share_that_differs
from tests.pictures.scenes import OWNERS, valley
from tests.sweeps import fast_among

LARGEST = 60_000


@pytest.mark.parametrize("kind", fast_among(
    sorted(path.stem for path in HOME.glob("*.png")), "before-after", "graph", "squares"))
def test_maps_look_as_they_were_looked_at(kind: str) -> None:
    """Not one pixel in a hundred differs from the picture that is kept."""
    kept = (HOME / f"{kind}.png").read_bytes()

    assert len(kept) < LARGEST
    assert share_that_differs(drawn(kind), kept) < 0.01


def test_every_kind_of_picture_is_kept() -> None:
    """Graphs, hexes, squares, close-ups, before and after, changes, orders, charts: each was looked at."""
    assert {f"{kind}.png" for kind in kinds()} == {path.name for path in HOME.iterdir()}


def test_another_picture_is_noticed() -> None:
    """The comparison can say no: to another map, and to one in which an owner has another colour."""
    drawing, wide = kinds()["squares"]
    kept = (HOME / "squares.png").read_bytes()
    other = drawing.replace(OWNERS[2].colour, "#1f6fb2")
    changed = svg_to_png(other, wide)

    assert isinstance(changed, bytes)
    assert 0.01 < share_that_differs(changed, kept) < 1
    assert share_that_differs((HOME / "hexes.png").read_bytes(), kept) == 1


def test_a_picture_has_its_width_and_few_colours() -> None:
    """A palette, the width that was asked for, the same bytes each time, and owners' colours nearly as they are."""
    made = svg_to_png(map_svg(valley()).svg, 300)

    assert isinstance(made, bytes)
    assert made == svg_to_png(map_svg(valley()).svg, 300)
    with Image.open(BytesIO(made)) as picture:
        assert (picture.mode, picture.width) == ("P", 300)
        palette = picture.getpalette() or []
    colours = list(zip(palette[::3], palette[1::3], palette[2::3], strict=True))
    for owner in OWNERS:
        wanted = tuple(int(owner.colour[i:i + 2], 16) for i in (1, 3, 5))
        assert min(max(abs(a - b) for a, b in zip(wanted, colour, strict=True)) for colour in colours) <= 24


def test_fonts_travel_with_their_licence() -> None:
    """Four cuts under names of their own, and the licence with both copyrights beside them."""
    licence = (shipped_folder("reports") / "fonts" / "OFL.txt").read_text(encoding="utf-8")

    assert len(font_files()) == len(FILES) == 4
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Duffner" in licence
    assert "Dziedzic" in licence


def test_letters_are_measured_and_cut_to_room() -> None:
    """Widths grow with size and letters; what is too long ends in dots; what no font has is known."""
    assert text_width("Milano", 20) == pytest.approx(2 * text_width("Milano", 10))
    assert text_width("iii", 10) < text_width("mmm", 10)
    assert text_width(shorten("x" * 200, 80, 12), 12) <= 80
    assert shorten("Como", 80, 12) == "Como"
    assert has_all_letters("Forlì, Čačak, Ελλάς, Москва")
    assert not has_all_letters("\u05e9\u05dc\u05d5\u05dd")
    assert clean_text(" a\u202eb\x00\n c ") == "ab c"
    assert split_in_two("Colle di Val d'Elsa") == ("Colle di", "Val d'Elsa")
