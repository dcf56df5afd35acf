"""What a ruleset's places, roads and armies are on a map; drawing them is not done here.

A ruleset that declares nothing gets a map, too: it is derived from the columns of the base sheets and from usual column
names. A ruleset subclasses `Looks` for what differs (`Ruleset.looks`). Every method gets a game on a reader's view, so
it cannot reveal more than the reader may know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref
from assistant.campaign.map import is_hex, is_square
from assistant.campaign.records import ALL, Army, Battle, Event, Faction, Node, Road
from assistant.campaign.tables import Record
from assistant.turn.event_types import codes_in
from assistant.turn.game import Game
from assistant.turn.orders.requests import Request
from assistant.turn.texts import N_

BoardForm = Literal["graph", "hexes", "squares"]
Visibility = Literal["now", "earlier", "never"]
"""How far a reader knows a place: it sees it now, has seen it earlier, or never."""
NONE: Mapping[str, Any] = MappingProxyType({})
"""No symbol, no mark: an empty mapping."""
OWNERS = ("owner", "holder")
"""Usual names of the column of Nodes for a place's owner, if the record does not declare it."""
KINDS = ("site", "kind", "place")
"""Usual names of the column of Nodes for the kind of place."""
GLYPHS: Mapping[str, tuple[str, int]] = MappingProxyType({
    "village": ("village", 1), "settlement": ("village", 1), "town": ("town", 2), "city": ("city", 2),
    "capital": ("city", 3), "fortress": ("fortress", 2), "fort": ("fortress", 2), "stronghold": ("fortress", 2),
    "castle": ("castle", 2), "camp": ("camp", 1), "ruin": ("ruin", 1), "portal": ("portal", 1), "port": ("port", 1),
    "temple": ("temple", 1), "abbey": ("temple", 2), "priory": ("temple", 1), "mine": ("mine", 1)})
"""Usual kinds of place -> glyph and size, from 1 (small) to 3 (large)."""
WAYS: Mapping[str, str] = MappingProxyType({
    "road": "road", "bridge": "road", "track": "track", "path": "track", "ford": "track", "pass": "pass",
    "river": "river", "lane": "lane", "sea": "lane", "coast": "coast", "border": "border", "frontier": "border"})
BESIEGES = N_("besieges")
"""The stance of an army that lies before walls."""
UNCOUNTED = "·"
"""The strength shown for what has no strength that anybody could know."""
WATER = ("sea", "lake", "water", "ocean")


class PlaceLook(NamedTuple):
    """How a place looks. `kind`: the ruleset's word; `glyph`: its symbol, "" for none; `size`: 1 to 3; `walls`: "",
    ``intact`` or ``damaged``; `terrain`: words, first the one that colours the cell; `name`: "" for the row's name;
    `note`: language-independent figures below the name.
    """

    kind: str = ""
    glyph: str = "dot"
    size: int = 1
    owner: str = ""
    capital: bool = False
    walls: str = ""
    besieged: bool = False
    revolt: bool = False
    sea: bool = False
    terrain: tuple[str, ...] = ()
    name: str = ""
    note: str = ""


class ForceLook(NamedTuple):
    """How a force on the map looks. `strength`: as far as the reader knows it, "" if unknown."""

    code: str
    owner: str
    place: str
    strength: str = ""
    kind: str = "army"
    stance: str = ""


class Marks(NamedTuple):
    """The mark that an event puts on the map. `kind`: battle, captured, lost, siege, revolt, built, razed or plague;
    `place`: the event's parameter for the place; `owner`: the one for the faction concerned, "" for nobody.
    """

    kind: str
    place: str = "node"
    owner: str = ""


class Looks:
    """What a ruleset declares about its maps; each attribute may be left out."""

    kind: str = ""
    """The column of Nodes for the kind of place; "": the first of the usual ones."""
    numbered: bool = False
    """Whether a place's code is shown before its name, because orders use numbers for places."""
    glyphs: Mapping[str, tuple[str, int]] = GLYPHS
    """Kind of place -> glyph and size."""
    forces: Mapping[str, str] = MappingProxyType({Army.sheet: "army"})
    """Sheet of forces on the map -> army, fleet, convoy, train, band or leader."""
    sites: tuple[str, ...] = ()
    """Sheets whose rows are at a node and which events name instead of the node."""
    ways: Mapping[str, str] = WAYS
    """Kind of a row of Roads -> road, track, pass, river, lane, coast, barred, border, line, or "" for none drawn."""
    days: str = ""
    """The column of Roads for the days it takes, if there is one; a map's scale is then a day's march."""
    cell: tuple[float, str] = (0, "")
    """The width of a hex or square and its unit; 0 if the book does not say, and then a map has no scale."""
    revolt: str = N_("In revolt")
    """The legend's word for `PlaceLook.revolt`."""
    held: str = ""
    """What the places are called of which the map shows whose they are; "" for just that."""
    marches: Mapping[str, tuple[str, ...]] = NONE
    """Event -> its parameters: who marches, then the places in order; a place may be a list or a text of codes. With
    only a destination the march starts where the unit was in the earlier view."""
    lost: Mapping[str, tuple[str, str]] = NONE
    """Event -> its parameters: what has gone from the map, and whose it was; its last march is still drawn."""
    marks: Mapping[str, Marks] = NONE
    """Event -> its mark; battles at a place, and places that change hands, are marked in any case."""
    ordered: Mapping[str, tuple[str, ...]] = NONE
    """Verb -> its columns: who marches, or from where; then places in order. Verbs with a path need no entry."""

    # --- the board ----------------------------------------------------------------------------------------
    def form(self, game: Game) -> BoardForm:
        """Hexes or squares if all codes are such, else places joined by roads."""
        codes = game.campaign.table(Node).keys()
        if codes and all(map(is_hex, codes)):
            return "hexes"
        return "squares" if codes and all(map(is_square, codes)) else "graph"

    def place(self, node: Node, game: Game) -> PlaceLook:
        """How a place looks."""
        kind = self._kind_of(node)
        terrain = self.terrains(node)
        cell = is_hex(node.node) or is_square(node.node)
        glyph, size = self.glyphs.get(kind, ("" if cell and not node.name else "dot", 1))
        sea = kind in WATER or terrain[:1] in [(word,) for word in WATER] or getattr(node, "water", False) is True
        capital = bool(getattr(node, "capital", False))
        return PlaceLook(kind, "" if sea else glyph, 3 if capital else size, self.owner(node), capital,
                         self.walls(node), sea=sea, terrain=terrain)

    def _kind_of(self, node: Node) -> str:
        if self.kind:
            return str(getattr(node, self.kind, ""))
        return next((str(getattr(node, c.name)) for c in node.columns()
                     if c.name in KINDS and isinstance(c.kind, Choice)), "")

    def terrains(self, node: Node) -> tuple[str, ...]:
        """The words of a place's terrain."""
        words = getattr(node, "terrains", None) or (getattr(node, "terrain", ""),)
        return tuple(str(word) for word in words if word)

    def terrain_names(self, game: Game, lang: str) -> Mapping[str, str]:
        """The names of terrains that rows of the workbook define; all others are words of the catalogue."""
        return NONE

    def owner(self, node: Node) -> str:
        """The owner of a place; "" for none."""
        named = (*(node.whose if isinstance(node.whose, tuple) else ()), *OWNERS)
        refs = {c.name for c in node.columns() if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet}
        return next((code for name in named if name in refs and (code := str(getattr(node, name)))), "")

    def walls(self, node: Node) -> str:
        """Whether a place has walls: "", ``intact`` or ``damaged``."""
        wall = getattr(node, "walls", getattr(node, "fort", False))
        return wall if wall in ("intact", "damaged") else "intact" if wall is True else ""

    def way(self, road: Road, game: Game) -> str:
        """How a road looks: one of the words of `ways`; an unknown kind is a road."""
        return self.ways.get(road.kind, "road")

    def is_impassable(self, road: Road, game: Game) -> bool:
        """Whether a road is impassable now."""
        until = getattr(road, "cut_until", 0)
        return isinstance(until, int) and game.turn.isdecimal() and until >= int(game.turn) > 0

    def rivers(self, game: Game) -> Mapping[str, tuple[str, ...]]:
        """Rivers that flow through hexes: name -> codes of the hexes."""
        return NONE

    # --- forces ----------------------------------------------------------------------------------------------
    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """All forces that the reader knows to be on the map, sheet by sheet in natural order."""
        for sheet in self.forces:
            if game.campaign.has(sheet):
                for row in game.campaign.by_sheet(sheet):
                    look = self.force(row, game)
                    if look is not None and look.place:
                        yield look

    def force(self, row: Record, game: Game) -> ForceLook | None:
        """How a row of one of the sheets of `forces` looks; None if it is not on the map."""
        if getattr(row, "active", True) is not True or getattr(row, "state", "active") in ("destroyed", "gone"):
            return None
        owner = str(getattr(row, "faction", "") or getattr(row, "owner", ""))
        return ForceLook(row.ident, owner, str(getattr(row, "node", "")), self.strength(row, game),
                         self.forces[row.sheet], self.stance(row, game))

    def strength(self, row: Record, game: Game) -> str:
        """Its strength as far as the view tells."""
        return ""

    def stance(self, row: Record, game: Game) -> str:
        """What it is doing, a word of the catalogue; "" for nothing of note."""
        return ""

    # --- what is not seen -------------------------------------------------------------------------------------
    def unseen_places(self, game: Game, faction: str) -> Mapping[str, tuple[Visibility, str]]:
        """The places that the reader cannot see now: how far it knows them, and the turn in which it last saw them, ""
        if unknown. Here: none.
        """
        return NONE

    # --- what is ordered ---------------------------------------------------------------------------------------
    def way_ordered(self, request: Request, game: Game) -> tuple[str, ...]:
        """The places to which an order leads, if `ordered` cannot express it; () to go by its columns."""
        return ()

    # --- what was told ------------------------------------------------------------------------------------------
    def node_of(self, code: str, view: Campaign) -> str:
        """The node of a code: the code itself, or where a battle or a row of `sites` or `forces` is; "" for none."""
        if code in view.table(Node):
            return code
        for sheet in (Battle.sheet, *self.sites, *self.forces):
            row = view.by_sheet(sheet).get(code) if sheet == Battle.sheet or view.has(sheet) else None
            if row is not None:
                return str(getattr(row, "node", ""))
        return ""

    def owner_of(self, code: str, *views: Campaign | None) -> str:
        """The owner of a force, looked up in one view after the other and then in events about `lost` forces; "" if
        unknown.
        """
        known = [view for view in views if view is not None]
        rows = (view.by_sheet(sheet).get(code) for view in known for sheet in self.forces if view.has(sheet))
        held = (str(getattr(row, "faction", "")) for row in rows if row is not None)
        told = ((event.data, self.lost[event.event]) for view in known for event in view.table(Event)
                if event.event in self.lost)
        gone = (str(data.get(whose, "")) for data, (what, whose) in told if data.get(what) == code)
        return next(chain(held, gone), "")

    def march_of(self, event: Event, now: Campaign, before: Campaign | None) -> tuple[str, tuple[str, ...]]:
        """The owner and the places, in order, of the march that an event tells of; ("", ()) for none."""
        declared = self.marches.get(event.event)
        if declared is None:
            return "", ()
        unit = str(event.data.get(declared[0], ""))
        path = [self.node_of(code, now) for name in declared[1:] for code in codes_in(event.data.get(name))]
        if len(path) == 1 and before is not None:
            path.insert(0, self.node_of(unit, before))
        owner = self.owner_of(unit, now, before) or str(event.data.get("faction", ""))
        return owner or (event.audience if event.audience != ALL else ""), without_repeats(path)


def without_repeats(path: Iterable[str]) -> tuple[str, ...]:
    """A path without blanks and immediate repetitions; () if fewer than two places are left."""
    stops: list[str] = []
    for code in path:
        if code and stops[-1:] != [code]:
            stops.append(code)
    return tuple(stops) if len(stops) > 1 else ()
