"""What reports show of The Anarchy: figures, standings, own tables, what is seen of others.

See rulebook: Who may know what.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from assistant.campaign.columns import Ref, Text, Whole, column
from assistant.campaign.record import Record
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.battle.dossiers import REFEREE_COPY, read
from assistant.rulesets.anarchy.book.records import HALF_POUND, RANKS, Army, Battle
from assistant.rulesets.anarchy.book.sheets import (
    Convoy,
    Noble,
    Objective,
    Place,
    Prisoners,
    Siege,
    Sighting,
    Train,
    Wounded,
)
from assistant.rulesets.anarchy.realm.realm import ANGEVIN, ROYAL, Realm
from assistant.rulesets.anarchy.realm.references import show_ranks
from assistant.rulesets.anarchy.shown import of_others
from assistant.turn.ruleset import Said, TableOf
from assistant.turn.texts import N_


@dataclass
class Muster(Record):
    """A group's men as a report shows them, in shorthand: six columns of ranks are too wide for a letter."""

    sheet: ClassVar[str] = Army.sheet
    sheet_it: ClassVar[str] = Army.sheet_it

    army: str = column(Text(), "Group", "Gruppo", key=True)
    heads: int = column(Whole(), "Heads", "Personaggi")
    men: str = column(Text(), "Men", "Uomini")
    hurt: int = column(Whole(), "Wounded among them", "Di cui feriti")


@dataclass
class Castle(Record):
    """A castle as a report shows it, its garrison in shorthand."""

    sheet: ClassVar[str] = Place.sheet
    sheet_it: ClassVar[str] = Place.sheet_it

    place: str = column(Text(), "Place", "Luogo", key=True)
    node: str = column(Ref("Nodes"), "Hex", "Esagono")
    resources: int = column(Whole(), "Resources", "Risorse")
    lord: str = column(Ref("Nobles", blank=True), "Lord", "Signore")
    garrison: str = column(Text(), "Garrison", "Guarnigione")


MUSTER = ("army", "heads", "men", "hurt")


def ranks_of(row: Record, prefix: str = "") -> dict[str, int]:
    """How many of each rank a row has; `prefix`: of its columns."""
    return {rank: int(getattr(row, prefix + rank)) for rank in RANKS}


def musters(realm: Realm, groups: Iterable[Army]) -> list[Muster]:
    """What the report shows of the men of these groups."""
    return [Muster(a.army, realm.heads(a), show_ranks(ranks_of(a)), len(realm.hurt(a))) for a in groups]


def groups_of(realm: Realm, faction: str) -> list[Army]:
    """Groups and companies of a faction that are on the map, by id."""
    return [a for a in realm.active() if a.faction == faction]


def castles_of(realm: Realm, faction: str) -> list[Place]:
    """Castles for which a faction answers; each is one faction's, also where several play a side."""
    return [p for p in realm.places if p.castle and p.exists and p.holder and realm.wardens(p)[0] == faction]


def figures(realm: Realm, faction: str) -> dict[str, Any]:
    """One row of the standings: what all may count."""
    row = realm.factions[faction]
    nobles = [n for n in realm.nobles if n.faction == faction and n.state in ("free", "wounded")]
    return {"faction": faction, "score": row.score, "castles": len(castles_of(realm, faction)), "looted": row.looted,
            "groups": len(groups_of(realm, faction)), "nobles": len(nobles)}


def standings(realm: Realm) -> list[dict[str, Any]]:
    """One row for each faction that plays a side."""
    return [figures(realm, f.faction) for f in realm.factions if realm.side(f.faction) in (ROYAL, ANGEVIN)]


def glance(realm: Realm, faction: str) -> list[tuple[str, int]]:
    """Men, pounds, hungry groups, captives, castles."""
    mine = groups_of(realm, faction)
    captives = [p for p in realm.prisoners if _taken_by(realm, p, faction) and p.state in ("waiting", "escorted")]
    return [(N_("Groups on the map"), len(mine)), (N_("Men and nobles"), sum(realm.heads(a) for a in mine)),
            (N_("Pounds in the purses"), sum(a.money for a in mine) // HALF_POUND),
            (N_("Hungry groups"), sum(bool(a.hungry_days) for a in mine)),
            (N_("Captives to be escorted"), len(captives)),
            (N_("Castles held"), figures(realm, faction)["castles"])]


def _taken_by(realm: Realm, record: Prisoners, faction: str) -> bool:
    """Whether captives are a faction's: its group took or guards them; where nobody's does, they are the side's."""
    keeper = realm.armies.get(record.escort) or realm.armies.get(record.captor_army)
    own = keeper is not None and realm.side(keeper.faction) == record.captor
    return keeper.faction == faction if own and keeper is not None else record.captor == realm.side(faction)


def dues(realm: Realm, faction: str) -> list[Said]:
    """What is owed tomorrow: food, escorts, garrisons, nobles to be ransomed."""
    said = []
    for army in groups_of(realm, faction):
        points = realm.need(army) - army.provisions
        if points > 0 and not realm.attached(army) and not realm.shut(army):
            text = N_("{group} needs {n} point of food tomorrow (hungry days: {k}).") if points == 1 else (
                N_("{group} needs {n} points of food tomorrow (hungry days: {k})."))
            said.append(Said(text, {"group": army.army, "n": points, "k": army.hungry_days}))
    for record in realm.prisoners:
        if record.state == "waiting" and _taken_by(realm, record, faction):
            said.append(Said(N_("{p} need an escort to {place}."), {"p": record.prisoners,
                                                                   "place": record.destination}))
    for place in castles_of(realm, faction):
        if place.garrison < realm.rules.garrison_min:
            said.append(Said(N_("{place} has {n} defenders and needs {min}."),
                             {"place": place.place, "n": place.garrison, "min": realm.rules.garrison_min}))
    for noble in realm.nobles:
        if noble.state == "prisoner" and noble.faction == faction:
            cost = realm.rules.ransom_per_prestige * noble.prestige
            said.append(Said(N_("The ransom of {noble} is £{n}."), {"noble": noble.noble, "n": cost}))
    return said


def own_tables(realm: Realm, faction: str) -> list[TableOf]:
    """Groups, nobles, places, convoys, trains, captives, wounded, castles, sieges, objectives."""
    row = realm.factions.get(faction)
    played = any(n.player for n in realm.nobles if n.faction == faction)
    of_nobles = ("noble", "player", "prestige", "army", "state") if played else (
        "noble", "prestige", "army", "place", "state")
    text = "text_it" if row is not None and row.language == "it" else "text_en"

    def mine(rows: Any) -> list[Any]:
        return [r for r in rows if r.faction == faction]

    trains = [t for t in mine(realm.trains) if t.state == "active"]
    hurt = [w for w in mine(realm.wounded) if w.state in ("hurt", "in_care")]
    tables = [
        TableOf(N_("Your groups"), Army, ("army", "node", "commander", "loyalty", "money"), groups_of(realm, faction)),
        TableOf(N_("Their men"), Muster, MUSTER, musters(realm, groups_of(realm, faction))),
        TableOf(N_("Their provisions"), Army, ("army", "provisions", "hungry_days", "employer", "contract"),
                groups_of(realm, faction)),
        *_allies(realm, faction),
        TableOf(N_("Your nobles"), Noble, of_nobles, mine(realm.nobles)),
        TableOf(N_("Your castles"), Castle, ("place", "node", "resources", "lord", "garrison"),
                [Castle(p.place, p.node, p.resources, p.lord, show_ranks(ranks_of(p, "g_")) or "0")
                 for p in castles_of(realm, faction)]),
        TableOf(N_("Villages and monasteries of your side"), Place, ("place", "node", "kind", "resources", "loyalty"),
                [p for p in realm.places if not p.castle and realm.of_side(p, realm.side(faction))]),
        TableOf(N_("Sieges"), Siege, ("place", "besieger", "days", "state"),
                [s for s in realm.sieges if s.state == "on"]),
        TableOf(N_("Your convoys"), Convoy, ("convoy", "node", "cargo", "animals", "escort"),
                [c for c in mine(realm.convoys) if c.state == "active"]),
        TableOf(N_("Your siege trains"), Train, ("train", "node", "engineers", "oxen", "escort"), trains),
        TableOf(N_("Their engines"), Train, ("train", "rams", "galleries", "towers", "mangonels"),
                [t for t in trains if t.engines]),
        TableOf(N_("Captives"), Prisoners, ("prisoners", "captor", "node", "destination", "state"),
                [p for p in realm.prisoners if p.state in ("waiting", "escorted")]),
        TableOf(N_("Your wounded"), Wounded, ("wounded", "rank", "army", "place", "back_on"),
                [w for w in hurt if not w.noble]),
        TableOf(N_("Your wounded nobles"), Wounded, ("wounded", "noble", "army", "place", "back_on"),
                [w for w in hurt if w.noble]),
        TableOf(N_("Objectives"), Objective, ("objective", text, "points", "state"), list(realm.objectives)),
    ]
    return [t for t in tables if t.rows]


def _allies(realm: Realm, faction: str) -> list[TableOf]:
    """Groups of the other factions of the side, whose view it shares (rulebook: Who may know what)."""
    side = realm.side(faction)
    theirs = [a for a in realm.active() if a.faction != faction and realm.side(a.faction) == side]
    return [TableOf(N_("Groups of your side's other clubs"), Army, ("army", "faction", "node", "commander", "money"),
                    theirs),
            TableOf(N_("Their men"), Muster, MUSTER, musters(realm, theirs))]


def sightings(realm: Realm, faction: str) -> list[TableOf]:
    """Markers of others, and what was seen when a hex was shared."""
    side = realm.side(faction)
    shown = [a for a in realm.active() if a.counter is not None or a.march is not None]
    marching = sorted(shown, key=lambda a: (a.march is None, a.march or 0))
    tables = [
        TableOf(N_("Counters, and their order of march"), Army,
                ("army", *_filled(marching, "counter"), "faction", "cavalry", *_filled(marching, "march")), marching),
        TableOf(N_("Groups of others"), Army, ("army", "faction", "node", "kind", "cavalry"),
                [a for a in realm.active() if realm.side(a.faction) != side]),
        *of_others.groups(realm, side),
        TableOf(N_("Seen in the same hex"), Sighting, ("turn", "army", "node", "heads", "men"),
                [s for s in realm.sightings if s.viewer == side]),
        *of_others.nobles(realm, side),
        *of_others.places(realm, side),
        TableOf(N_("Convoys of others"), Convoy, ("convoy", "faction", "node", "escort"),
                [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) != side]),
        *of_others.goods(realm, side),
    ]
    return [t for t in tables if t.rows]


def _filled(rows: Iterable[Army], name: str) -> tuple[str, ...]:
    """A column, if anything stands in it."""
    return (name,) if any(getattr(row, name) is not None for row in rows) else ()


def dossier(realm: Realm, battle: Battle, faction: str) -> list[Said]:
    """The hand-over of a battle as it was kept when the phase stopped; for the referee both parts."""
    side = realm.side(faction) if faction else REFEREE_COPY
    kept = battle.papers.get(side, [])
    return read(kept if isinstance(kept, list) else [])
