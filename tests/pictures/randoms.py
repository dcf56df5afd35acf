"""A number of places and a seed in; a map of places and ways as nobody would draw it out."""

from __future__ import annotations

import math
import random

from assistant.pictures.scene import WAYS, Force, MapMark, MapPlace, March, Owner, PlaceVisibility, Scene, Way

SYLLABLES = ("mon", "te", "val", "ro", "ca", "stel", "lo", "bel", "fio", "re", "san", "gio", "var", "na", "pie", "tra")
GLYPHS = ("dot", "village", "town", "city", "fortress", "castle", "camp", "ruin", "port", "temple", "mine")
COLOURS = ("#7a3fa0", "#b8860b", "#c0392b", "#d9c400", "#1f6fb2", "#2c3e9b", "#2e8b57", "#8a4b2a")
SEEN: tuple[PlaceVisibility, ...] = ("now", "now", "now", "earlier", "never")


def name_of(rnd: random.Random) -> str:
    """A name of one or two words."""
    words = ["".join(rnd.choices(SYLLABLES, k=rnd.randint(2, 4))).capitalize() for _ in range(rnd.choice((1, 1, 1, 2)))]
    return " ".join(words)


def random_map(many: int, seed: int) -> Scene:
    """Places strewn over a land, a third of them in crowds; each is joined to its nearest."""
    rnd = random.Random(seed)
    owners = tuple(Owner(f"F{n}", f"Faction {n}", colour, f"F{n}") for n, colour in enumerate(COLOURS))
    points = [(rnd.uniform(0, 1000), rnd.uniform(0, 800)) for _ in range(many)]
    points = [(rnd.gauss(400, 60), rnd.gauss(300, 60)) if n % 3 == 0 else point for n, point in enumerate(points)]
    places = tuple(
        MapPlace(
            f"P{n}",
            name_of(rnd),
            x,
            y,
            rnd.choice(("", *(owner.code for owner in owners))),
            label=kind,
            glyph=kind,
            size=rnd.choice((1, 1, 1, 2, 2, 3)),
            capital=n % 40 == 7,
            walls=rnd.choice(("", "intact", "damaged")),
            besieged=n % 9 == 0,
            revolt=n % 11 == 0,
            seen=(seen := rnd.choice(SEEN)),
            last_seen="T3" if seen == "earlier" else "",
            sea=n % 17 == 0,
        )
        for n, ((x, y), kind) in enumerate(zip(points, rnd.choices(GLYPHS, k=many), strict=True))
    )
    ways = []
    for n, (x, y) in enumerate(points[:400]):
        near = sorted(range(len(points[:400])), key=lambda m: math.hypot(points[m][0] - x, points[m][1] - y))[1:3]
        ways += [Way(f"P{n}", f"P{m}", style=rnd.choice(WAYS), shut=m % 13 == 0) for m in near if m > n]
    codes = [place.code for place in places]
    forces = tuple(Force(f"A{n}", rnd.choice(owners).code, rnd.choice(codes), rnd.choice(("12", "~9", "")),
                         rnd.choice(("army", "fleet", "convoy", "train", "band", "leader")),
                         rnd.choice(("", "", "besieges"))) for n in range(many // 4))
    marches = tuple(March(rnd.choice(owners).code, (way.a, way.b), rnd.random() < 0.5) for way in ways[::9])
    marks = tuple(MapMark(rnd.choice(codes), rnd.choice(("battle", "captured", "revolt")), owners[0].code)
                  for _ in range(many // 12))
    return Scene("graph", "Anywhere", "Turn 5", "en", owners, places, tuple(ways), forces, marches, marks)
