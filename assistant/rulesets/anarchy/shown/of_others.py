"""What a report shows of others: what all may know, and what shared a hex (rulebook: Who may know what)."""

from __future__ import annotations

from typing import ClassVar

from assistant.campaign.columns import Text, Whole, column
from assistant.campaign.record import Record
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.records import RANKS, Army
from assistant.rulesets.anarchy.book.sheets import Convoy, Noble, Place, Train
from assistant.rulesets.anarchy.realm.realm import Realm
from assistant.rulesets.anarchy.realm.references import show_ranks
from assistant.turn.ruleset import TableOf
from assistant.turn.texts import N_

_LEADS = ("commander", "employer", "inside", "besieging")
_ENGINES = ("rams", "galleries", "towers", "mangonels")
_CREW = ("engineers", "oxen", "peasants")


@dataclass
class Glimpse(Record):
    """A place on whose hex a group of the side stands, as a report shows it: the garrison in shorthand."""

    sheet: ClassVar[str] = Place.sheet
    sheet_it: ClassVar[str] = Place.sheet_it

    place: str = column(Text(), "Place", "Luogo", key=True)
    resources: int = column(Whole(), "Resources", "Risorse")
    garrison: str = column(Text(), "Garrison", "Guarnigione")


def groups(realm: Realm, side: str) -> list[TableOf]:
    """Who leads the groups of others, whom they follow, where they stand and came from, who may not fight."""
    others = [a for a in realm.active() if realm.side(a.faction) != side]
    return [
        TableOf(N_("Their commanders, and what they are about"), Army, ("army", *_LEADS),
                [a for a in others if any(getattr(a, name) for name in _LEADS)]),
        TableOf(N_("Where they came from"), Army, ("army", "came_from"), [a for a in others if a.came_from]),
        TableOf(N_("Mercenaries whom nobody pays"), Army, ("army", "node", "moves_next"),
                [a for a in others if realm.unhired(a)]),
        TableOf(N_("Without arms, or under safe conduct"), Army, ("army", "unarmed", "safe_on"),
                [a for a in others if a.unarmed or (a.safe_on is not None and a.safe_on >= realm.day)]),
    ]


def nobles(realm: Realm, side: str) -> list[TableOf]:
    """The nobles of others, and in a table of their own those who are not at large."""
    others = [n for n in realm.nobles if realm.side(n.faction) != side]
    return [
        TableOf(N_("Nobles of others"), Noble, ("noble", "faction", "prestige", "army", "place"),
                [n for n in others if n.state in ("free", "wounded")]),
        TableOf(N_("Their wounded, captive and dead nobles"), Noble, ("noble", "state", "captor", "held_in"),
                [n for n in others if n.state != "free"]),
    ]


def places(realm: Realm, side: str) -> list[TableOf]:
    """Castles of others; and what stores and garrisons they and villages have where a group of the side stands.

    Loyalty and lords of villages do not change, and what they had after the opening is no news.
    """
    others = [p for p in realm.places if p.exists and not realm.of_side(p, side)]
    hexes = {a.node for a in realm.active() if realm.side(a.faction) == side}
    near = [Glimpse(p.place, p.resources, show_ranks({rank: int(getattr(p, f"g_{rank}")) for rank in RANKS}))
            for p in others if p.node in hexes]
    return [
        TableOf(N_("Castles of others"), Place, ("place", "node", "kind", "holder", "lord"),
                [p for p in others if p.castle]),
        TableOf(N_("What your groups see of places"), Glimpse, ("place", "resources", "garrison"), near),
    ]


def goods(realm: Realm, side: str) -> list[TableOf]:
    """Where convoys of others go, their siege trains, and what either holds where a group of the side stands."""
    hexes = {a.node for a in realm.active() if realm.side(a.faction) == side}
    convoys = [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) != side]
    trains = [t for t in realm.trains if t.state == "active" and realm.side(t.faction) != side]
    near = [t for t in trains if t.node in hexes]
    return [
        TableOf(N_("Where they go"), Convoy, ("convoy", "home", "goal", "heading", "came_from"), convoys),
        TableOf(N_("What your groups see of them"), Convoy, ("convoy", "animals", "driver", "cargo"),
                [c for c in convoys if c.node in hexes]),
        TableOf(N_("Siege trains of others"), Train, ("train", "faction", "node", "escort", "came_from"), trains),
        TableOf(N_("Engines that your groups see"), Train, ("train", *_ENGINES), near),
        TableOf(N_("Their crews and oxen"), Train, ("train", *_CREW), near),
    ]
