"""Makes the scene of a map from one reader's view."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import REFEREE, Army, Event, Faction, Node, Road
from assistant.campaign.tables import Record
from assistant.pictures.colours import faction_colours
from assistant.pictures.scene import (
    Force,
    Ground,
    MapMark,
    MapPlace,
    March,
    Owner,
    Point,
    Scene,
    Way,
    grounds_of,
    place_positions,
    river_lines,
    scale_of,
)
from assistant.turn.event_types import codes_in
from assistant.turn.game import Game
from assistant.turn.map_symbols import BoardForm, ForceLook, PlaceLook, without_repeats
from assistant.turn.messages import COMMON_EVENTS
from assistant.turn.orders.columns import Kind
from assistant.turn.orders.reader import rows_of
from assistant.turn.orders.requests import Request
from assistant.turn.orders.row_columns import Path
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import only_addressed
from assistant.wording import Wording, campaign_title, named_wording

# What happened on the map since the last report.


FIGHTS = "battles"
"""The category of battles. Events of it up to the weight `LIGHTEST_MARK` become marks on the map."""
LIGHTEST_MARK = 1
UNDECLARED = ("unit", "target", "node")
"""The columns that may name places, for verbs whose columns are not declared."""


@dataclass
class MapNews:
    """What one reader knows to have happened. `places`, `forces`: as they look now; `was`, `stood`: as they looked at
    the last report, empty if that is not known.
    """

    ruleset: Ruleset
    game: Game
    faction: str
    wording: Wording
    previous: Campaign | None
    places: Mapping[str, PlaceLook]
    forces: Iterable[ForceLook]
    was: Mapping[str, PlaceLook]
    stood: Iterable[ForceLook]

    @property
    def view(self) -> Campaign:
        """What the reader knows now."""
        return self.game.campaign

    def events(self) -> list[Event]:
        """The events since the last report; without one, since orders were last read."""
        told = [event for _, event in self.view.table(Event).in_file_order()]
        if self.previous is not None:
            return told[len(self.previous.table(Event)):]
        moments = list(dict.fromkeys((e.turn, e.phase) for e in told if e.event not in COMMON_EVENTS))
        last = next((n for n in range(len(moments) - 1, -1, -1) if self._reads_orders(moments[n][1])), 0)
        kept = set(moments[last:])
        return [event for event in told if (event.turn, event.phase) in kept]

    def _reads_orders(self, phase: str) -> bool:
        try:
            return bool(self.ruleset.phase(phase).orders)
        except KeyError:
            return False

    # --- marches -------------------------------------------------------------------------------------------
    def marches(self) -> list[March]:
        """Marches told by events, then forces that were elsewhere at the last report; of two with the same ends the
        more detailed one.
        """
        longest: dict[tuple[str, str, str], March] = {}
        for owner, path in self._paths():
            if path and all(code in self.places for code in path):
                key = (owner, path[0], path[-1])
                if key not in longest or len(longest[key].path) < len(path):
                    longest[key] = March(owner, path)
        return list(longest.values())

    def _paths(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        looks, ends = self.ruleset.looks, set()
        for event in self.events():
            owner, path = looks.march_of(event, self.view, self.previous)
            ends.add((owner, path[-1:]))
            yield owner, path
        before = {look.code: look.place for look in self.stood}
        for look in self.forces:
            # what moved and no event tells of shows by where it stood and where it stands
            was = before.get(look.code, look.place)
            if was != look.place and (look.owner, (look.place,)) not in ends:
                yield look.owner, (was, look.place)

    def ordered_marches(self) -> list[March]:
        """The marches that the reader has ordered for the next phase that reads orders, as they were understood."""
        marches = (March(self.faction, path, ordered=True) for request in self._requests()
                   if (path := self._ordered_route(request)) and all(code in self.places for code in path))
        return list(dict.fromkeys(marches))

    def order_places(self) -> list[MapMark]:
        """The places of open orders without a march, such as sieges and walls."""
        marks = (MapMark(code, "ordered") for request in self._requests()
                 if not self._ordered_route(request) and (code := self._about(request)) in self.places)
        return list(dict.fromkeys(marks))

    def _requests(self) -> list[Request]:
        if self.faction in ("", REFEREE):
            return []
        book, ids = as_order_book(self.ruleset.verbs), list(self.ruleset.phase_ids(self.view))
        now = self.view.desk.phase
        for name in ids[ids.index(now):] if now in ids else []:
            word = self.ruleset.phase(name).orders
            rows = [request for request in rows_of(book, self.view, word, self.game.reads)
                    if request.faction == self.faction] if word else []
            if rows:
                return rows
        return []

    def _kinds(self, request: Request) -> Mapping[str, Kind]:
        verb = self.ruleset.verbs.get(request.verb)
        return verb.kinds if verb is not None else {}

    def _ordered_route(self, request: Request) -> tuple[str, ...]:
        looks, kinds = self.ruleset.looks, self._kinds(request)
        way = without_repeats(looks.way_ordered(request, self.game))
        if way:
            return way
        paths = [name for name, kind in kinds.items() if isinstance(kind, Path)]
        names = looks.ordered.get(request.verb) or ((next(iter(kinds)), *paths) if paths else ())
        codes = [code for name in names for code in codes_in(getattr(request, name, ""))]
        return without_repeats(looks.node_of(code, self.view) for code in codes)

    def _about(self, request: Request) -> str:
        """The last place that an order names, else the place of the force it names; "" for none."""
        kinds = self._kinds(request)
        names = [name for name, kind in kinds.items() if any(table.sheet != Faction.sheet for table in kind.tables())]
        codes = [code for name in (names if kinds else UNDECLARED) for code in codes_in(getattr(request, name, ""))]
        return next((node for code in reversed(codes) if (node := self.ruleset.looks.node_of(code, self.view))), "")

    # --- marks ---------------------------------------------------------------------------------------------
    def marks(self) -> list[MapMark]:
        """Battles, sieges, captures and so on; one per kind and place, with the words of the latest."""
        latest: dict[tuple[str, str], MapMark] = {}
        for event in self.events():
            mark = self._mark(event)
            if mark is not None and mark.place in self.places:
                latest[mark.place, mark.kind] = mark
        for code, old in self.was.items():
            new = self.places.get(code)
            told = (code, "captured") in latest or (code, "built") in latest
            if new is not None and new.owner != old.owner and not told:
                latest[code, "captured"] = MapMark(code, "captured", new.owner, self._hands(old.owner, new.owner))
        return [self._as_lost(mark) for mark in latest.values()]

    def _mark(self, event: Event) -> MapMark | None:
        looks = self.ruleset.looks
        declared = looks.marks.get(event.event)
        kind = self.ruleset.events.get(event.event)
        if declared is not None:
            place = looks.node_of(str(event.data.get(declared.place, "")), self.view)
            owner = str(event.data.get(declared.owner, "")) if declared.owner else ""
            return MapMark(place, declared.kind, owner, self.wording.event(event))
        # a rulebook that declares marks has said all that are to be shown
        if kind is None or looks.marks or kind.category != FIGHTS or kind.weight > LIGHTEST_MARK:
            return None
        texts = [value for value in event.data.values() if isinstance(value, str)]
        place = next((node for value in texts if (node := looks.node_of(value, self.view))), "")
        return MapMark(place, "battle", "", self.wording.event(event))

    def _as_lost(self, mark: MapMark) -> MapMark:
        """A capture becomes a loss for the reader who held the place."""
        lost = mark.kind == "captured" and self.faction and self.was.get(mark.place, PlaceLook()).owner == self.faction
        gone = lost and self.places[mark.place].owner != self.faction
        return MapMark(mark.place, "lost", mark.owner, mark.note) if gone else mark

    def _hands(self, old: str, new: str) -> str:
        called = [self.wording.name_of(code) if code else self.wording.text(N_("nobody")) for code in (old, new)]
        return f"{called[0]} → {called[1]}"

    # --- changes -----------------------------------------------------------------------------------
    def changed_places(self) -> list[MapMark]:
        """Places that changed since the last report: their owner, their buildings, or the forces there."""
        if self.previous is None:
            return []
        then, now = _forces_by_place(self.stood), _forces_by_place(self.forces)
        marks = []
        for code, new in self.places.items():
            old = self.was.get(code)
            if old is None or old != new or then.get(code) != now.get(code):
                told = self._hands(old.owner, new.owner) if old is not None and old.owner != new.owner else ""
                marks.append(MapMark(code, "changed", new.owner, told))
        return marks


def _forces_by_place(forces: Iterable[ForceLook]) -> dict[str, list[ForceLook]]:
    """Forces by place."""
    by_place: dict[str, list[ForceLook]] = {}
    for look in forces:
        by_place.setdefault(look.place, []).append(look)
    return by_place


def place_looks(ruleset: Ruleset, view: Campaign) -> Mapping[str, PlaceLook]:
    """The looks of all places, by code in natural order."""
    game = ruleset.game(view)
    return {node.node: ruleset.looks.place(node, game) for node in view.table(Node)}


# The scene of a map.


SIGN = 3
REFEREE_TITLE = N_("{campaign}: the referee's map")
CHANGES_TITLE, ORDERS_TITLE = N_("{title}, what has changed"), N_("{title}, the orders")
PLACE_KINDS = {"capital": N_("capital"), "fort": N_("fort"), "province": N_("province"), "portal": N_("portal")}
"""Kinds of places that no column has a word for."""
TERRAIN_WORDS = {
    "open": N_("open ground"), "plain": N_("plain"), "plains": N_("plain"), "hill": N_("hills"), "hills": N_("hills"),
    "mountain": N_("mountains"), "mountains": N_("mountains"), "forest": N_("forest"), "wood": N_("wood"),
    "woods": N_("wood"), "marsh": N_("marsh"), "swamp": N_("swamp"), "river": N_("river"), "coast": N_("coast"),
    "waste": N_("waste"), "desert": N_("desert"), "jungle": N_("jungle"), "snow": N_("snow"), "sea": N_("sea"),
    "lake": N_("lake")}
"""Usual words for terrain, for books that use terrain on the map only."""


def scene_of(ruleset: Ruleset, view: Campaign, faction: str, lang: str, *, previous: Campaign | None = None,
             close_up: bool = False, changes: bool = False, orders: bool = True, only_orders: bool = False,
             before: Mapping[str, tuple[str, int]] | None = None) -> Scene:
    """A map for one reader.

    `view`: the campaign as `ruleset.view` leaves it for that faction, "" for everybody, the whole campaign for the
    referee; `previous`: the same reader's view at the last report, to find changes; `close_up`: focus on its own area;
    `changes`: mark only what has changed since; `orders`: show its open orders as they are understood; `only_orders`:
    show nothing else, and in a close-up all places that they name; `before`: the positions of names on the last map.
    """
    if faction != REFEREE:
        view = only_addressed(ruleset.viewer(view, faction))
        previous = None if previous is None else only_addressed(ruleset.viewer(previous, faction))
    wording = named_wording(ruleset, view, lang)
    game, looks = ruleset.game(view), ruleset.looks
    form = looks.form(game)
    spots = place_positions(form, list(view.table(Node)), view.table(Road), partial(march_days, ruleset))
    seen = {code: look for code, look in place_looks(ruleset, view).items() if code in spots}
    roads = [(road, style) for road in view.table(Road)
             if road.a in seen and road.b in seen and (style := looks.way(road, game))]
    standing = [look for look in looks.standing(game, faction) if look.place in seen]
    was = {} if previous is None else place_looks(ruleset, previous)
    stood = [] if previous is None else list(looks.standing(ruleset.game(previous), faction))
    told = MapNews(ruleset, game, faction, wording, previous, seen, standing, was, stood)
    ordered, ordered_at = (told.ordered_marches(), told.order_places()) if orders and not changes else ([], [])
    marches = ordered if changes or only_orders else [*told.marches(), *ordered]
    marks = told.changed_places() if changes else [*([] if only_orders else told.marks()), *ordered_at]
    places = _places(ruleset, game, faction, wording, form, spots, seen)
    forces = tuple(_force(look, faction, game, wording) for look in standing)
    touched = [code for march in ordered for code in march.path] + [mark.place for mark in ordered_at]
    scale = scale_of(looks, form, roads, spots, partial(march_days, ruleset), wording.text)
    focus = _focus(faction, places, forces, marks, touched if only_orders else ()) if close_up else ()
    named = {shown.owner for rows in (places, forces, marches, marks) for shown in rows}
    title = _title(ruleset, view, faction, wording, CHANGES_TITLE if changes else ORDERS_TITLE if only_orders else "",
                   close_up=close_up)
    return Scene(
        form, title, _moment(ruleset, view, wording), wording.lang,
        owners=tuple(_owners(view, lang, named)), places=places,
        ways=tuple(_ways(ruleset, roads, game, wording)), forces=forces, marches=tuple(marches), marks=tuple(marks),
        grounds=tuple(_grounds(ruleset, game, wording.lang, form, seen)),
        terrains=_terrains(ruleset, game, wording, seen.values()),
        scale=scale.units, scale_name=scale.name, measure=scale.measure, revolt=wording.text(looks.revolt),
        held=wording.text(looks.held) if looks.held else "", before=before, focus=focus)


def close_up_of(view: Campaign, faction: str, scene: Scene) -> Scene:
    """The close-up of a faction's own area, from the scene of its whole map. `view`: the view it was made from."""
    row = view.table(Faction).get(faction)
    return replace(scene, title=scene.title if row is None else row.name(scene.lang),
                   focus=_focus(faction, scene.places, scene.forces, scene.marks))


# --- heading ---------------------------------------------------------------------------------------------------
def _title(ruleset: Ruleset, view: Campaign, faction: str, wording: Wording, what: str, *, close_up: bool) -> str:
    """The heading; on a close-up only the faction's name, for want of room. `what`: a text around it, "" for none."""
    campaign = campaign_title(view.desk, wording)
    row = view.table(Faction).get(faction)
    title: str = campaign
    if close_up and row is not None:
        title = row.name(wording.lang)
    elif faction:
        text = REFEREE_TITLE if faction == REFEREE else N_("{campaign}: {name}")
        title = wording.text(text, campaign=campaign, name=row.name(wording.lang) if row is not None else faction)
    return wording.text(what, title=title) if what else title


def _moment(ruleset: Ruleset, view: Campaign, wording: Wording) -> str:
    desk = view.desk
    if ruleset.is_over(view):
        return wording.text(N_("the end of the campaign"))
    try:
        return ruleset.when(desk.turn, desk.phase, wording.lang)
    except KeyError:
        return " ".join(part for part in (desk.turn, desk.phase) if part)


# --- owners ----------------------------------------------------------------------------------------------------
def _owners(view: Campaign, lang: str, named: set[str]) -> Iterable[Owner]:
    taken: set[str] = set()
    colours = faction_colours(view.table(Faction))
    for row in view.table(Faction):
        sign = next(sign for sign in _sign_candidates(row.faction, len(taken)) if sign not in taken)
        taken.add(sign)
        if row.faction in named:
            yield Owner(row.faction, row.name(lang), colours[row.faction], sign)


def _sign_candidates(code: str, many: int) -> Iterable[str]:
    """Candidate signs for a faction, the best first; one of them is always free."""
    plain = re.sub(r"\W", "", code) or "?"
    yield plain if len(plain) <= SIGN and plain.isupper() else plain[0].upper()
    plain = plain.upper()
    yield from (plain[:SIGN], plain[:SIGN - 1], *(str(n) for n in range(many + 1)))


# --- places and ways ----------------------------------------------------------------------------------------------
def _places(ruleset: Ruleset, game: Game, faction: str, wording: Wording, form: BoardForm, spots: Mapping[str, Point],
            seen: Mapping[str, PlaceLook]) -> tuple[MapPlace, ...]:
    nodes, unseen = game.campaign.table(Node), ruleset.looks.unseen_places(game, faction)
    places = []
    for code, look in seen.items():
        node = nodes[code]
        known, last = unseen.get(code, ("now", ""))
        glyph = "dot" if form == "graph" and not look.glyph and not look.sea else look.glyph
        label = _kind_word(node, look.kind, wording) if glyph or look.sea else ""
        name = look.name or f"{code if ruleset.looks.numbered else ''} {node.name_in(wording.lang)}".strip()
        places.append(MapPlace(
            code, name, *spots[code], look.owner, look.kind, label, glyph, look.size,
            look.capital, look.walls, look.besieged, look.revolt, look.sea, look.terrain, known,
            _turn(ruleset, last, wording), node.side, look.note))
    return tuple(places)


def _kind_word(row: Record, kind: str, wording: Wording) -> str:
    """The word for a kind: as the columns of its row have it, else one of `PLACE_KINDS` or of the catalogue."""
    named = (c.word(kind, wording.lang) for c in row.columns() if isinstance(c.kind, Choice) and kind in c.kind.options)
    known = wording.text(PLACE_KINDS[kind]) if kind in PLACE_KINDS else wording.word(kind) if kind else ""
    return next(named, known).replace("_", " ")


def _turn(ruleset: Ruleset, turn: str, wording: Wording) -> str:
    return ruleset.turn_name(turn, wording.lang) if turn else ""


def march_days(ruleset: Ruleset, road: Road) -> float:
    """The length of a road in days' march: as in its row, else one."""
    long = getattr(road, ruleset.looks.days, 0) if ruleset.looks.days else 0
    return float(long) if isinstance(long, int | float) and long > 0 else 1.0


def _ways(ruleset: Ruleset, roads: Sequence[tuple[Road, str]], game: Game, wording: Wording) -> Iterable[Way]:
    usual = {style: Counter(road.kind for road, other in roads if other == style).most_common(1)[0][0]
             for style in dict.fromkeys(style for _, style in roads)}  # what looks alike has one line in the legend
    for road, style in roads:
        label = _kind_word(road, usual[style], wording) if usual[style] else ""
        yield Way(road.a, road.b, road.kind, label, style, ruleset.looks.is_impassable(road, game))


def _grounds(ruleset: Ruleset, game: Game, lang: str, form: BoardForm, seen: Mapping[str, PlaceLook]
             ) -> Iterable[Ground]:
    if form == "hexes":
        yield from river_lines(ruleset.looks.rivers(game), game.campaign.table(Node))
    yield from grounds_of(game.campaign, lang, lambda code: seen[code].owner if code in seen else "")


def _terrains(ruleset: Ruleset, game: Game, wording: Wording, seen: Iterable[PlaceLook]) -> Mapping[str, str] | None:
    named = ruleset.looks.terrain_names(game, wording.lang)
    codes = dict.fromkeys(code for look in seen for code in look.terrain)
    return {code: named.get(code) or _terrain(code, wording) for code in codes} or None


def _terrain(code: str, wording: Wording) -> str:
    known = wording.word(code)
    return wording.text(TERRAIN_WORDS[code]) if known == code and code in TERRAIN_WORDS else known


# --- forces ---------------------------------------------------------------------------------------------------------
def _force(look: ForceLook, faction: str, game: Game, wording: Wording) -> Force:
    stance = _kind_word(game.campaign.table(Army).record(), look.stance, wording) if look.stance else ""
    assert wording.ruleset is not None
    sheets = [sheet for sheet in wording.ruleset.looks.forces if game.campaign.has(sheet)]
    code = look.code if any(look.code in game.campaign.by_sheet(sheet)
                            for sheet in sheets) else ""  # else nobody knows it
    return Force(code, look.owner, look.place, look.strength, look.kind, stance,
                 bool(faction) and look.owner == faction)


# --- close-up ---------------------------------------------------------------------------------------------------------
def _focus(faction: str, places: Sequence[MapPlace], forces: Sequence[Force], marks: Sequence[MapMark],
           touched: Collection[str] = ()) -> tuple[str, ...]:
    """The places of a close-up: those of a faction and of its forces within half of the map's width and height, around
    where most of them are and most happens, and those that are `touched`; () if the faction has none.
    """
    stands = Counter(force.place for force in forces if force.owner == faction)
    happens = Counter(mark.place for mark in marks)
    mine = [place for place in places if faction and (place.owner == faction or stands[place.code])]
    if not mine:
        return ()
    wide, high = ((max(axis) - min(axis)) / 4 for axis in (
        [place.x for place in places], [place.y for place in places]))

    def near(middle: MapPlace) -> list[MapPlace]:
        return [place for place in mine if abs(place.x - middle.x) <= wide and abs(place.y - middle.y) <= high]

    def weight(middle: MapPlace) -> int:
        return sum(1 + 2 * stands[place.code] + happens[place.code] + place.capital for place in near(middle))

    shown = {place.code for place in near(max(mine, key=weight))} | set(touched)
    return tuple(place.code for place in places if place.code in shown)
