"""What one side sees beside what the columns say (rulebook: Who may know what): all of its clubs see the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from assistant.campaign.record import Record
from assistant.campaign.records import Event
from assistant.rulesets.anarchy.book.records import Battle
from assistant.rulesets.anarchy.book.sheets import Place
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.views import Viewer


class SideViewer(Viewer):
    """A club of a side, who sees what the side sees; "" for what everybody may know."""

    def __init__(self, realm: Field, faction: str) -> None:
        super().__init__(realm.campaign, realm.rules, faction)
        self.realm = realm
        self.side = realm.side(faction) if faction else ""

    def is_one_of(self, *codes: str) -> bool:
        """Whether one of these factions or sides is of the reader's side."""
        return bool(self.side) and any(self.realm.side(code) == self.side for code in codes)

    def exceptions(self) -> Mapping[str, Callable[[Any, Any], Record]]:
        """Papers of battles, and what places have left."""
        return {Battle.sheet: self._own_papers, Place.sheet: self._counted_stores}

    def _own_papers(self, row: Battle, seen: Battle) -> Battle:
        """Of the papers of a battle each side sees its own."""
        if seen.papers:
            seen = seen.copy()
            seen.papers = {self.side: row.papers[self.side]}
        return seen

    def _counted_stores(self, row: Place, seen: Place) -> Place:
        """Where the side has no eyes it knows what everybody could count after the opening."""
        if not self.knows_stores(row):
            seen.resources = self._counted.get(row.place, row.resources)
        return seen

    # --- what the columns ask -----------------------------------------------------------------
    def stands_at(self, node: str) -> bool:
        """Whether a group of the side is in a hex."""
        return node in self._hexes

    def knows_stores(self, place: Place) -> bool:
        """Whether the side sees what a place has left."""
        return (bool(self.side) and self.realm.of_side(place, self.side)) or self.stands_at(place.node)

    def holds(self, place: str) -> bool:
        """Whether a castle is the side's."""
        castle = self.realm.places.get(place)
        return castle is not None and self.owns(castle)

    def fights(self, battle: Battle) -> bool:
        """Whether the side takes part in a battle."""
        return bool(self.side) and self.side in battle.papers

    def fought(self, battle: str) -> bool:
        """Whether the side took part in a battle that is counted."""
        row = self.realm.battles.get(battle)
        return row is not None and row.status == "played" and self.fights(row)

    @cached_property
    def _hexes(self) -> frozenset[str]:
        return frozenset(a.node for a in self.realm.active() if self.is_one_of(a.faction))

    @cached_property
    def _counted(self) -> dict[str, int]:
        """Resources of all places after the opening, which everybody could count."""
        told = next((e.data.get("resources") for e in self.campaign.table(Event) if e.event == "opened"), None)
        return {str(k): v for k, v in told.items() if isinstance(v, int)} if isinstance(told, dict) else {}
