"""What happened on the map since the last report: a reader's view, and the one before, in; marches and marks out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Event, Faction, Node
from assistant.pictures.scene import March, Mark
from assistant.turn.game import Game
from assistant.turn.looks import ForceLook, PlaceLook, codes_of, without_repeats
from assistant.turn.messages.house import COMMON_EVENTS
from assistant.turn.orders.column_kind import Kind
from assistant.turn.orders.columns import Path
from assistant.turn.orders.reading import rows_of
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import book_of
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Wording

FIGHTS = "battles"
"""The category of what is told of battles; so heavy, and it is a mark on the map."""
HEAVY = 1
UNDECLARED = ("unit", "target", "node")
"""Where orders name places in a rulebook that does not declare what their columns hold."""


@dataclass
class Told:
    """What one reader was told. `places`, `forces`: how they look now; `was`, `stood`: how they did at the last report,
    {} and () where that is not known.
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
        """What was told since the last report; without one since the last orders were read."""
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
        """Those that events tell, then of who stood elsewhere at the last report; of two from and to the same places
        the one that says more.
        """
        found: dict[tuple[str, str, str], March] = {}
        for owner, path in self._paths():
            if path and all(code in self.places for code in path):
                key = (owner, path[0], path[-1])
                if key not in found or len(found[key].path) < len(path):
                    found[key] = March(owner, path)
        return list(found.values())

    def _paths(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        looks, ends = self.ruleset.looks, set()
        for event in self.events():
            owner, path = looks.marched(event, self.view, self.previous)
            ends.add((owner, path[-1:]))
            yield owner, path
        before = {look.code: look.place for look in self.stood}
        for look in self.forces:
            was = before.get(look.code, look.place)
            if was != look.place and (look.owner, (look.place,)) not in ends:
                yield look.owner, (was, look.place)

    def ordered(self) -> list[March]:
        """What the reader has ordered and is not carried out yet, as it was understood: of the next orders that are
        read.
        """
        found = (March(self.faction, path, ordered=True) for request in self._requests()
                 if (path := self._ordered(request)) and all(code in self.places for code in path))
        return list(dict.fromkeys(found))

    def ordered_at(self) -> list[Mark]:
        """The places that such orders are about which lead nowhere: a siege, a wall, whoever is to stay."""
        found = (Mark(code, "ordered") for request in self._requests()
                 if not self._ordered(request) and (code := self._about(request)) in self.places)
        return list(dict.fromkeys(found))

    def _requests(self) -> list[Request]:
        if self.faction in ("", REFEREE):
            return []
        book, ids = book_of(self.ruleset.verbs), list(self.ruleset.phase_ids(self.view))
        now = self.view.desk.phase
        for name in ids[ids.index(now):] if now in ids else []:
            word = self.ruleset.phase(name).orders
            rows = [one for one in rows_of(book, self.view, word, self.game.reads)
                    if one.faction == self.faction] if word else []
            if rows:
                return rows
        return []

    def _kinds(self, request: Request) -> Mapping[str, Kind]:
        verb = self.ruleset.verbs.get(request.verb)
        return verb.kinds if verb is not None else {}

    def _ordered(self, request: Request) -> tuple[str, ...]:
        looks, kinds = self.ruleset.looks, self._kinds(request)
        way = without_repeats(looks.way_ordered(request, self.game))
        if way:
            return way
        paths = [name for name, kind in kinds.items() if isinstance(kind, Path)]
        names = looks.ordered.get(request.verb) or ((next(iter(kinds)), *paths) if paths else ())
        codes = [code for name in names for code in codes_of(getattr(request, name, ""))]
        return without_repeats(looks.node_of(code, self.view) for code in codes)

    def _about(self, request: Request) -> str:
        """The place that an order names last, or where what it names stands; "" for none."""
        kinds = self._kinds(request)
        names = [name for name, kind in kinds.items() if any(one.sheet != Faction.sheet for one in kind.tables())]
        said = [code for name in (names if kinds else UNDECLARED) for code in codes_of(getattr(request, name, ""))]
        return next((node for code in reversed(said) if (node := self.ruleset.looks.node_of(code, self.view))), "")

    # --- marks ---------------------------------------------------------------------------------------------
    def marks(self) -> list[Mark]:
        """Battles, sieges, captures and the like, one of a kind and place, the latest with its words."""
        found: dict[tuple[str, str], Mark] = {}
        for event in self.events():
            mark = self._mark(event)
            if mark is not None and mark.place in self.places:
                found[mark.place, mark.kind] = mark
        for code, old in self.was.items():
            new = self.places.get(code)
            told = (code, "captured") in found or (code, "built") in found
            if new is not None and new.owner != old.owner and not told:
                found[code, "captured"] = Mark(code, "captured", new.owner, self._hands(old.owner, new.owner))
        return [self._as_lost(mark) for mark in found.values()]

    def _mark(self, event: Event) -> Mark | None:
        looks = self.ruleset.looks
        declared = looks.marks.get(event.event)
        kind = self.ruleset.events.get(event.event)
        if declared is not None:
            place = looks.node_of(str(event.data.get(declared.place, "")), self.view)
            owner = str(event.data.get(declared.owner, "")) if declared.owner else ""
            return Mark(place, declared.kind, owner, self.wording.event(event))
        if kind is None or looks.marks or kind.category != FIGHTS or kind.weight > HEAVY:
            return None
        said = [value for value in event.data.values() if isinstance(value, str)]
        place = next((node for value in said if (node := looks.node_of(value, self.view))), "")
        return Mark(place, "battle", "", self.wording.event(event))

    def _as_lost(self, mark: Mark) -> Mark:
        """A capture, as the reader sees it who has lost the place."""
        lost = mark.kind == "captured" and self.faction and self.was.get(mark.place, PlaceLook()).owner == self.faction
        gone = lost and self.places[mark.place].owner != self.faction
        return Mark(mark.place, "lost", mark.owner, mark.note) if gone else mark

    def _hands(self, old: str, new: str) -> str:
        called = [self.wording.called(code) if code else self.wording.text(N_("nobody")) for code in (old, new)]
        return f"{called[0]} → {called[1]}"

    # --- what is different -----------------------------------------------------------------------------------
    def changed(self) -> list[Mark]:
        """The places that differ from the last report: whose they are, what stands there, who stands there."""
        if self.previous is None:
            return []
        then, now = _garrisons(self.stood), _garrisons(self.forces)
        found = []
        for code, new in self.places.items():
            old = self.was.get(code)
            if old is None or old != new or then.get(code) != now.get(code):
                said = self._hands(old.owner, new.owner) if old is not None and old.owner != new.owner else ""
                found.append(Mark(code, "changed", new.owner, said))
        return found


def _garrisons(forces: Iterable[ForceLook]) -> dict[str, list[ForceLook]]:
    """Who stands where."""
    found: dict[str, list[ForceLook]] = {}
    for look in forces:
        found.setdefault(look.place, []).append(look)
    return found


def looks_of(ruleset: Ruleset, view: Campaign) -> Mapping[str, PlaceLook]:
    """How all places look, by their codes in natural order."""
    game = ruleset.game(view)
    return {node.node: ruleset.looks.place(node, game) for node in view.table(Node)}
