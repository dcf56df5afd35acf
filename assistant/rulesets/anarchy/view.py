"""What one side may know (digest, section 8): a pure function of the campaign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.table import Table
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.records import RANKS, Army, Battle, Desk, Die, Faction, Loss, Order, Question
from assistant.rulesets.anarchy.sheets import (
    Convoy,
    Noble,
    Place,
    Prisoners,
    Siege,
    Sighting,
    Train,
    Wounded,
)

Keep = Callable[[Any], Record | None]
_SECRET_OF_GROUPS: dict[str, Any] = {
    "loyalty": None, "size": 0, "money": 0, "provisions": 0, "hungry_days": 0, "starving": False, "contract": "none",
    "promised": 0, "tests": 0, "hired_on": None, "grumbles": False, "no_promise_to": "", "on_meeting": "ask",
    "if_attacked": "ask", "joins": "ask", "wins": 0, "core_start": 0, "core_now": 0, "shares_since": None,
    "enters_on": None,
}
_MEN = dict.fromkeys(RANKS, 0)


class View:
    """One side's view of a campaign; "" for what everybody may know."""

    def __init__(self, realm: Realm, faction: str) -> None:
        self.realm, self.faction = realm, faction
        self.side = realm.side(faction) if faction else ""
        self.hexes = {a.node for a in realm.active() if self.side and realm.side(a.faction) == self.side}
        self.opened = self._after_opening()

    def make(self) -> Campaign:
        """The campaign with what the side may not know removed or blanked."""
        seen = Campaign([])
        keepers: dict[str, Keep] = {
            Desk.sheet: self._desk, Faction.sheet: self._faction, Army.sheet: self._army, Noble.sheet: self._noble,
            Place.sheet: self._place, Convoy.sheet: self._goods, Train.sheet: self._goods,
            Prisoners.sheet: self._captives, Wounded.sheet: self._own, Siege.sheet: self._siege,
            Sighting.sheet: self._sighting, Order.sheet: self._own, Question.sheet: self._question,
            Battle.sheet: self._battle, Loss.sheet: self._loss, base.Event.sheet: self._event, Die.sheet: self._die,
            base.FindingRow.sheet: self._own,
        }
        for sheet, table in self.realm.campaign.tables().items():
            keep = keepers.get(sheet)
            if keep is None:
                seen.put(table)
                continue
            kept = [(key, row) for key, one in table.in_file_order() if (row := keep(one)) is not None]
            seen.put(Table.of(table.record, kept))
        _number_anew(seen)
        return seen

    def _mine(self, faction: str) -> bool:
        return bool(self.side) and self.realm.side(faction) == self.side

    def _after_opening(self) -> dict[str, int]:
        """Resources of all places after the opening, which everybody could count."""
        events = [e for e in self.realm.campaign.table(base.Event) if e.event == "opened"]
        counted = events[0].data.get("resources") if events else None
        return {str(k): v for k, v in counted.items() if isinstance(v, int)} if isinstance(counted, dict) else {}

    # --- rows -------------------------------------------------------------------------------
    def _desk(self, row: Desk) -> Record:
        row = row.copy()
        row.campaign_id = ""
        return row

    def _faction(self, row: Faction) -> Record:
        row = row.copy()
        row.mail = ""
        return row

    def _army(self, row: Army) -> Record:
        if self._mine(row.faction):
            return row
        row = row.copy()
        for name, blank in _SECRET_OF_GROUPS.items():
            setattr(row, name, blank)
        if not (row.active and row.node in self.hexes):
            for name, blank in _MEN.items():
                setattr(row, name, blank)
        return row

    def _noble(self, row: Noble) -> Record:
        if self._mine(row.faction):
            return row
        row = row.copy()
        row.loyalty = None
        return row

    def _place(self, row: Place) -> Record:
        mine = bool(self.side) and self.realm.of_side(row, self.side)
        own_castle = row.castle and row.holder == self.side and bool(self.side)
        row = row.copy()
        if not (mine or row.node in self.hexes):
            row.resources = self.opened.get(row.place, row.resources)
        if not (own_castle or (row.castle and row.node in self.hexes)):
            for rank in RANKS:
                setattr(row, f"g_{rank}", 0)
        if not own_castle:
            row.massacre = False
        return row

    def _goods(self, row: Any) -> Record:
        if self._mine(row.faction) or row.node in self.hexes:
            return row  # type: ignore[no-any-return]
        row = row.copy()
        for name in ("animals", "driver", "cargo", "rams", "galleries", "towers", "mangonels", "engineers", "oxen",
                     "peasants"):
            if hasattr(row, name):
                setattr(row, name, 0)
        return row  # type: ignore[no-any-return]

    def _captives(self, row: Prisoners) -> Record | None:
        return row if self.side and (row.captor == self.side or self._mine(row.faction)) else None

    def _siege(self, row: Siege) -> Record:
        place = self.realm.places.get(row.place)
        if place is not None and self.side in (place.holder, row.besieger) and self.side == place.holder:
            return row
        row = row.copy()
        row.resources_at_start = 0
        return row

    def _sighting(self, row: Sighting) -> Record | None:
        return row if self.side and row.viewer == self.side else None

    def _own(self, row: Any) -> Record | None:
        return row if self._mine(row.faction) else None

    def _question(self, row: Question) -> Record | None:
        return row if self._mine(row.to) and row.to in self.realm.factions else None

    def _battle(self, row: Battle) -> Record | None:
        if not row.status:
            return None
        row = row.copy()
        own = row.papers.get(self.side) if self.side else None
        row.papers = {self.side: own} if own else {}
        if own is None:
            row.prisoners_freed, row.note = "", ""
        return row

    def _loss(self, row: Loss) -> Record | None:
        battle = self.realm.battles.get(row.battle)
        fought = battle is not None and battle.status == "played"
        return row if fought and battle is not None and self.side and self.side in battle.papers else None

    def _event(self, row: base.Event) -> Record | None:
        return row.copy() if row.for_faction(self.faction) and row.event != "opened" else None

    def _die(self, row: Die) -> Record | None:
        circle = row.audience.split("+")
        return row if row.audience == "public" or (self.faction and self.faction in circle) else None


def _number_anew(seen: Campaign) -> None:
    """Numbers of events would tell how many were not addressed to the reader, and so would what they touch."""
    events = seen.table(base.Event)
    rows = [(str(no), row) for no, (_, row) in enumerate(events.in_file_order(), 1)]
    for no, (_, row) in enumerate(rows, 1):
        row.no, row.touched = no, ""
    seen.put(Table.of(events.record, rows))


def view(realm: Realm, faction: str) -> Campaign:
    """See `View`."""
    return View(realm, faction).make()


__all__ = ["View", "view"]
