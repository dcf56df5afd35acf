"""How a ruleset's places, ways and armies look on a map.

Nothing here is drawn, and no colour is chosen. Who declares nothing gets a map all the same: it is derived from the
columns of the base sheets and from what the usual columns of a ruleset are called. A ruleset subclasses `Looks` to say
what differs (`Ruleset.looks`). Every method is handed a game on a reader's view, and so says no more than that holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref
from assistant.campaign.hexmap import is_hex
from assistant.campaign.records import ALL, Army, Battle, Event, Faction, Node, Road
from assistant.campaign.squaremap import is_square
from assistant.campaign.tables import Record
from assistant.turn.findings import N_
from assistant.turn.game import Game
from assistant.turn.orders.requests import Request

Form = Literal["graph", "hexes", "squares"]
Seen = Literal["now", "earlier", "never"]
NONE: Mapping[str, Any] = MappingProxyType({})
OWNERS = ("owner", "holder")
"""What a column of Nodes is called that says whose a place is, where the record does not declare it."""
KINDS = ("site", "kind", "place")
"""The same for what stands there."""
GLYPHS: Mapping[str, tuple[str, int]] = MappingProxyType({
    "village": ("village", 1), "settlement": ("village", 1), "town": ("town", 2), "city": ("city", 2),
    "capital": ("city", 3), "fortress": ("fortress", 2), "fort": ("fortress", 2), "stronghold": ("fortress", 2),
    "castle": ("castle", 2), "camp": ("camp", 1), "ruin": ("ruin", 1), "portal": ("portal", 1), "port": ("port", 1),
    "temple": ("temple", 1), "abbey": ("temple", 2), "priory": ("temple", 1), "mine": ("mine", 1)})
"""What usual words look like: glyph and size, 1 small to 3 great."""
WAYS: Mapping[str, str] = MappingProxyType({
    "road": "road", "bridge": "road", "track": "track", "path": "track", "ford": "track", "pass": "pass",
    "river": "river", "lane": "lane", "sea": "lane", "coast": "coast", "border": "border", "frontier": "border"})
BESIEGES = N_("besieges")
"""What an army is about that lies before walls."""
UNCOUNTED = "·"
"""The strength of what has none that anybody could know."""
WATER = ("sea", "lake", "water", "ocean")


class PlaceLook(NamedTuple):
    """How a place looks. `kind`: the ruleset's word; `glyph`: of its sign, "" for none; `size`: 1 to 3; `walls`: "",
    ``intact`` or ``damaged``; `terrain`: words, the one that colours a cell first; `name`: "" for that of its row;
    `note`: figures below the name, in no language.
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
    """How something looks that stands or marches. `strength`: as the reader knows it, "" where it does not."""

    code: str
    owner: str
    place: str
    strength: str = ""
    kind: str = "army"
    stance: str = ""


class Marks(NamedTuple):
    """What an event puts on the map. `kind`: battle, captured, lost, siege, revolt, built, razed, plague; `place`: its
    parameter that says where; `owner`: the one that says of whom it tells, "" for nobody.
    """

    kind: str
    place: str = "node"
    owner: str = ""


class Looks:
    """What a ruleset declares of its maps; each line may be left out."""

    kind: str = ""
    """The column of Nodes that says what stands there; "": the first of the usual ones."""
    numbered: bool = False
    """Whether a place's code stands before its name, where orders call places by number."""
    glyphs: Mapping[str, tuple[str, int]] = GLYPHS
    """What stands there -> glyph and size."""
    forces: Mapping[str, str] = MappingProxyType({Army.sheet: "army"})
    """Sheets of what stands or marches on the map -> army, fleet, convoy, train, band or leader."""
    sites: tuple[str, ...] = ()
    """Sheets whose rows stand at a node and are named by events in its place."""
    ways: Mapping[str, str] = WAYS
    """Kind of a row of Roads -> road, track, pass, river, lane, coast, barred, border, line, or "" for none drawn."""
    days: str = ""
    """The column of Roads that says how many days it takes, where there is one; a map's scale is a day's march then."""
    cell: tuple[float, str] = (0, "")
    """How wide a hex or square is, and in what unit; 0 where the book does not say, and a map has no scale."""
    revolt: str = N_("In revolt")
    """What it is called that a place shows as `PlaceLook.revolt`."""
    marches: Mapping[str, tuple[str, ...]] = NONE
    """Event -> its parameters: who marches, then places in the order in which they are passed; a place may be a list,
    or a text of codes. Of who was elsewhere in the view before nothing has to be told."""
    lost: Mapping[str, tuple[str, str]] = NONE
    """Event -> its parameters: what is gone from the map, and whose it was; its last march is still drawn."""
    marks: Mapping[str, Marks] = NONE
    """Event -> what it puts on the map; beside these, what is told of battles at a place, and who has changed hands."""
    ordered: Mapping[str, tuple[str, ...]] = NONE
    """Verb -> its columns: who marches, or from where; then places in order. Beside these, all that have a path."""

    # --- the board ----------------------------------------------------------------------------------------
    def form(self, game: Game) -> Form:
        """Hexes or squares where all codes are such, else places joined by ways."""
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
        """What terrains are called, where rows of the workbook say it; the others are words of the catalogue."""
        return NONE

    def owner(self, node: Node) -> str:
        """Whose a place is."""
        named = (*(node.whose if isinstance(node.whose, tuple) else ()), *OWNERS)
        refs = {c.name for c in node.columns() if isinstance(c.kind, Ref) and c.kind.table == Faction.sheet}
        return next((code for name in named if name in refs and (code := str(getattr(node, name)))), "")

    def walls(self, node: Node) -> str:
        """Whether a place has walls: "", ``intact`` or ``damaged``."""
        said = getattr(node, "walls", getattr(node, "fort", False))
        return said if said in ("intact", "damaged") else "intact" if said is True else ""

    def way(self, road: Road, game: Game) -> str:
        """How a way looks: one of the words of `ways`; what nobody knows is a road."""
        return self.ways.get(road.kind, "road")

    def shut(self, road: Road, game: Game) -> bool:
        """Whether nobody can pass a way now."""
        until = getattr(road, "cut_until", 0)
        return isinstance(until, int) and game.turn.isdecimal() and until >= int(game.turn) > 0

    def rivers(self, game: Game) -> Mapping[str, tuple[str, ...]]:
        """Rivers that flow through hexes: what they are called -> codes of their hexes."""
        return NONE

    # --- what stands and marches -----------------------------------------------------------------------------
    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """All that the reader knows to be on the map, sheet by sheet in natural order."""
        for sheet in self.forces:
            if game.campaign.has(sheet):
                for row in game.campaign.by_sheet(sheet):
                    look = self.force(row, game)
                    if look is not None and look.place:
                        yield look

    def force(self, row: Record, game: Game) -> ForceLook | None:
        """How a row of one of the sheets of `forces` looks; None for what is not on the map."""
        if getattr(row, "active", True) is not True or getattr(row, "state", "active") in ("destroyed", "gone"):
            return None
        owner = str(getattr(row, "faction", "") or getattr(row, "owner", ""))
        return ForceLook(row.ident, owner, str(getattr(row, "node", "")), self.strength(row, game),
                         self.forces[row.sheet], self.stance(row, game))

    def strength(self, row: Record, game: Game) -> str:
        """How strong it is as far as the view says it."""
        return ""

    def stance(self, row: Record, game: Game) -> str:
        """What it is about, a word of the catalogue; "" for nothing that matters."""
        return ""

    # --- what is not seen -------------------------------------------------------------------------------------
    def unseen(self, game: Game, faction: str) -> Mapping[str, tuple[Seen, str]]:
        """The places of which the reader does not see what stands there now: how far it knows them, and the turn in
        which it last saw them, "" where nothing says it. Here: none.
        """
        return NONE

    # --- what is ordered ---------------------------------------------------------------------------------------
    def way_ordered(self, request: Request, game: Game) -> tuple[str, ...]:
        """Where an order leads, place by place, of which `ordered` cannot say it; () for what its columns say."""
        return ()

    # --- what was told ------------------------------------------------------------------------------------------
    def node_of(self, code: str, view: Campaign) -> str:
        """The node that a code stands for: itself, where a battle or a row of `sites` or `forces` is; "" for none."""
        if code in view.table(Node):
            return code
        for sheet in (Battle.sheet, *self.sites, *self.forces):
            row = view.by_sheet(sheet).get(code) if sheet == Battle.sheet or view.has(sheet) else None
            if row is not None:
                return str(getattr(row, "node", ""))
        return ""

    def owner_of(self, code: str, *views: Campaign | None) -> str:
        """Whose something is that marches: a code of the sheets of `forces`, looked for view by view, then among what
        was told to be `lost`; "" for nobody's.
        """
        known = [view for view in views if view is not None]
        rows = (view.by_sheet(sheet).get(code) for view in known for sheet in self.forces if view.has(sheet))
        held = (str(getattr(row, "faction", "")) for row in rows if row is not None)
        told = ((event.data, self.lost[event.event]) for view in known for event in view.table(Event)
                if event.event in self.lost)
        gone = (str(data.get(whose, "")) for data, (what, whose) in told if data.get(what) == code)
        return next(chain(held, gone), "")

    def marched(self, event: Event, now: Campaign, before: Campaign | None) -> tuple[str, tuple[str, ...]]:
        """Whose march an event tells of, and its places in order; ("", ()) for none."""
        declared = self.marches.get(event.event)
        if declared is None:
            return "", ()
        unit = str(event.data.get(declared[0], ""))
        path = [self.node_of(code, now) for name in declared[1:] for code in codes_of(event.data.get(name))]
        if len(path) == 1 and before is not None:
            path.insert(0, self.node_of(unit, before))
        owner = self.owner_of(unit, now, before) or str(event.data.get("faction", ""))
        return owner or (event.audience if event.audience != ALL else ""), without_repeats(path)


def codes_of(value: Any) -> list[str]:
    """The codes in a parameter of an event or a column of an order: one, several, or a text of them."""
    if isinstance(value, list | tuple):
        return [code for one in value for code in codes_of(one)]
    return [] if value is None else str(value).replace(",", " ").split()


def without_repeats(path: Iterable[str]) -> tuple[str, ...]:
    """A way without blanks, each place once where it stands several times in a row; () for one that leads nowhere."""
    found: list[str] = []
    for code in path:
        if code and found[-1:] != [code]:
            found.append(code)
    return tuple(found) if len(found) > 1 else ()
