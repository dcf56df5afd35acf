"""What a map shows, before it is drawn: places, ways, armies, marks and owners as plain rows, no rule among them.

A scene is made from one reader's view alone, and nothing is drawn that does not stand in it. Positions are drawing
units, x to the east and y to the south; everything is in the order in which it is drawn and listed. `code`s are those
of the campaign; words are already in the reader's language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Form = Literal["graph", "hexes", "squares"]
"""What the board is: places joined by ways, hexes by code CCRR, or squares by code such as C03."""
Seen = Literal["now", "earlier", "never"]
"""How well the reader knows a place: what stands there now, what stood there when it was last seen, or nothing."""
Measure = Literal["length", "usual"]
"""What a scale's unit is: a length such as km, or one that is as long as that as a rule, such as a day's march."""
Line = tuple[tuple[float, float], ...]
"""Points of a line or of an outline, which need not be closed."""


@dataclass(frozen=True)
class Owner:
    """Who may hold places. `colour`: ``#rrggbb``; `sign`: its initial or code, at most three letters."""

    code: str
    name: str
    colour: str
    sign: str
    neutral: bool = False


@dataclass(frozen=True)
class Place:
    """One place. `kind`: the ruleset's word, such as city; `label`: that kind in the reader's words, for the legend.

    `glyph`: the form of its sign, one of `GLYPHS`, "" for a cell that has none; `size`: 1 small to 3 great; `walls`:
    "" none, ``intact`` or ``damaged``; `terrain`: codes, the one that colours a cell first; `side`: where the referee
    wants its name (a compass point of `SIDES`), "" where there is room; `last_seen`: the turn, as it is called;
    `note`: figures that stand below the name.
    """

    code: str
    name: str
    x: float
    y: float
    owner: str = ""
    kind: str = ""
    label: str = ""
    glyph: str = "dot"
    size: int = 1
    capital: bool = False
    walls: str = ""
    besieged: bool = False
    revolt: bool = False
    sea: bool = False
    terrain: tuple[str, ...] = ()
    seen: Seen = "now"
    last_seen: str = ""
    side: str = ""
    note: str = ""


GLYPHS = ("", "dot", "village", "town", "city", "fortress", "castle", "camp", "ruin", "portal", "port", "temple",
          "mine")
SIDES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@dataclass(frozen=True)
class Way:
    """A way between two places. `style`: one of `WAYS`, "" for one that is not drawn; `label`: its kind in words."""

    a: str
    b: str
    kind: str = ""
    label: str = ""
    style: str = "road"
    shut: bool = False


WAYS = ("", "road", "track", "pass", "river", "lane", "coast", "barred", "border", "line")


@dataclass(frozen=True)
class Force:
    """What stands or moves on the map. `strength`: as the reader knows it (``12``, ``~9``), "" where it does not.

    `kind`: one of `FORCES`; `stance`: one short word such as *besieges*, "" for none; `place`: a place's code.
    """

    code: str
    owner: str
    place: str
    strength: str = ""
    kind: str = "army"
    stance: str = ""
    own: bool = False


FORCES = ("army", "fleet", "convoy", "train", "band", "leader")


@dataclass(frozen=True)
class March:
    """A march of the turn, or one that is ordered: places in the order in which they are passed."""

    owner: str
    path: tuple[str, ...]
    ordered: bool = False


@dataclass(frozen=True)
class Mark:
    """What happened at a place: `kind` is one of `MARKS`; `owner`: of whom it tells; `note`: in words."""

    place: str
    kind: str
    owner: str = ""
    note: str = ""


MARKS = ("battle", "captured", "lost", "siege", "revolt", "built", "razed", "plague", "changed", "ordered")


@dataclass(frozen=True)
class Ground:
    """What lies below the places: outlines of land and sea, lakes, rivers, hills, names of seas, regions.

    `kind`: land, sea, lake, river, mountains, name or region; `name`: what is written along it; `owner`: of a region.
    """

    kind: str
    line: Line
    name: str = ""
    owner: str = ""


@dataclass(frozen=True)
class Scene:
    """A whole map. `title`, `turn`: its heading; `lang`: it or en; `scale`: drawing units a unit of `scale_name`, 0 for
    no scale; `measure`: what that unit is; `revolt`: what it is called that places are in revolt, "" for just that;
    `terrains`: code -> the kind's name in words; `before`: places' names as they were last placed, code -> compass
    point and distance, so that names stay put; `focus`: the places of a close-up, () for the whole map.
    """

    form: Form
    title: str
    turn: str
    lang: str
    owners: tuple[Owner, ...] = ()
    places: tuple[Place, ...] = ()
    ways: tuple[Way, ...] = ()
    forces: tuple[Force, ...] = ()
    marches: tuple[March, ...] = ()
    marks: tuple[Mark, ...] = ()
    grounds: tuple[Ground, ...] = ()
    terrains: Mapping[str, str] | None = None
    scale: float = 0
    scale_name: str = ""
    measure: Measure = "length"
    revolt: str = ""
    before: Mapping[str, tuple[str, int]] | None = None
    focus: tuple[str, ...] = ()
