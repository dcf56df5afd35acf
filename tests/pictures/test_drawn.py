"""What stands on a map, and where."""

from __future__ import annotations

from assistant.pictures.drawn import svg
from assistant.pictures.png import png
from tests.pictures.scenes import valley


def test_the_same_scene_is_the_same_bytes() -> None:
    """A scene that is drawn twice is the same picture, as text and as pixels."""
    scene = valley()

    first, again = svg(scene), svg(scene)

    assert first == again
    assert png(first.svg, 300) == png(again.svg, 300)
