"""Small scenes that have a bit of everything; nothing goes in."""

from __future__ import annotations

from assistant.pictures.scene import Force, Ground, MapMark, MapPlace, March, Owner, Scene, Way

OWNERS = (Owner("M", "Ducato di Milano", "#7a3fa0", "M"), Owner("V", "Venezia", "#b8860b", "V"),
          Owner("G", "Genova", "#c0392b", "G"))


def valley() -> Scene:
    """Eleven places, ways of four kinds, a coast, a river, armies, a fleet, marches, marks and fog."""
    def place(code: str, name: str, x: float, y: float, owner: str, glyph: str, size: int, **more: object) -> MapPlace:
        return MapPlace(code, name, x, y, owner, glyph, glyph.capitalize(), glyph, size, **more)  # type: ignore[arg-type]

    places = (
        place("M0", "Milano", 300, 160, "M", "city", 3, capital=True, walls="intact"),
        place("M1", "Pavia", 290, 240, "M", "town", 2),
        place("M2", "Como", 250, 80, "M", "village", 1),
        place("V0", "Brescia", 470, 150, "V", "city", 3, capital=True),
        place("V1", "Bergamo", 400, 110, "V", "fortress", 2, walls="damaged", besieged=True),
        place("V2", "Cremona", 430, 270, "V", "town", 2, seen="earlier", last_seen="T3"),
        place("V3", "Mantova", 560, 260, "V", "castle", 2, seen="earlier", last_seen="T2"),
        place("G0", "Genova", 220, 380, "G", "port", 3, capital=True),
        place("G1", "Savona", 130, 400, "G", "village", 1, revolt=True),
        place("N1", "Bobbio", 320, 340, "", "temple", 1),
        MapPlace("S1", "Mar Ligure", 260, 470, glyph="dot", sea=True, label="Sea"))
    ways = (Way("M0", "M1"), Way("M0", "M2"), Way("M0", "V1"), Way("V1", "V0"), Way("M1", "V2"), Way("V0", "V2"),
            Way("V2", "V3"), Way("V0", "V3"), Way("M1", "N1", style="track"), Way("N1", "G0", style="pass", shut=True),
            Way("G0", "G1"), Way("G0", "S1", style="lane"))
    land = ((40, 20), (640, 20), (640, 330), (480, 380), (380, 450), (300, 420), (220, 395), (130, 415), (60, 440))
    return Scene(
        "graph", "La valle", "Turno 4", "it", OWNERS, places, ways,
        (Force("M-1", "M", "M0", "12", own=True), Force("V-1", "V", "V1", "~9", stance="assedia"),
         Force("G-1", "G", "G0", "3", "fleet"), Force("M-2", "M", "M1", "4", "train")),
        (March("M", ("M1", "M0", "V1")), March("V", ("V0", "V3"), ordered=True)),
        (MapMark("V1", "battle", "M", "Battaglia di Bergamo"), MapMark("N1", "plague")),
        (Ground("land", land), Ground("river", ((360, 20), (370, 200), (450, 310), (640, 300))),
         Ground("name", ((60, 480), (200, 470), (340, 480)), "Mar Ligure")),
        scale=2.0, scale_name="km")


def hexes() -> Scene:
    """Six by five hexes with three terrains, two realms, a river, a road, an army and fog."""
    kinds = ("open", "forest", "hill", "open", "marsh", "sea")
    sites = {(1, 1): ("Montalto", "castle"), (4, 3): ("Belfiore", "town"), (2, 4): ("Ashford", "village")}
    places = tuple(
        MapPlace(f"{col + 1:02}{row + 1:02}", sites.get((col, row), ("", ""))[0], col * 4.33, row * 5 + col % 2 * 2.5,
              "M" if col < 2 else "V" if col > 3 and row > 1 else "", glyph=sites.get((col, row), ("", ""))[1], size=2,
              label=sites.get((col, row), ("", ""))[1].capitalize(), terrain=(kinds[(col * 2 + row * 3) % 6],),
              seen="never" if row == 0 and col > 3 else "earlier" if col == 5 else "now", last_seen="T1")
        for col in range(6) for row in range(5))
    return Scene("hexes", "The Vale", "Day 3", "en", OWNERS, places,
                 (Way("0202", "0303"), Way("0303", "0403"), Way("0403", "0504"), Way("0301", "0302", style="river"),
                  Way("0302", "0402", style="river")),
                 (Force("M-1", "M", "0202", "7"), Force("V-1", "V", "0403", "~4", "band")),
                 (March("V", ("0504", "0403")),), (MapMark("0305", "captured", "M"),),
                 terrains={"open": "Open", "forest": "Forest", "hill": "Hills", "marsh": "Marsh", "sea": "Sea"})


def squares() -> Scene:
    """Five by four squares, two of them missing, with a terrain that nobody knows."""
    kinds = ("waste", "hill", "lava", "mountain")
    places = tuple(
        MapPlace(f"{'ABCDE'[col]}{row + 1:02}", "Skullcairn" if (col, row) == (1, 1) else "", col, row,
              "G" if col < 3 and row < 2 else "", glyph="ruin" if (col, row) == (1, 1) else "", label="Ruin",
              terrain=(kinds[(col + row) % 4],), seen="earlier" if row == 3 else "now")
        for col in range(5) for row in range(4) if (col, row) not in ((4, 0), (2, 3)))
    return Scene("squares", "Confini", "Turno 2", "it", OWNERS, places, (Way("B02", "C03", style="track"),),
                 (Force("G-1", "G", "B02", "5"),), terrains={"waste": "Desolato", "lava": "Lava"})
