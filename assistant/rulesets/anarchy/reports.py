"""What reports show of The Anarchy: figures, standings, own tables, what is seen of others (digest, section 8)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.anarchy.papers import REFEREE_COPY, read
from assistant.rulesets.anarchy.provisions import need
from assistant.rulesets.anarchy.realm import ANGEVIN, ROYAL, Realm
from assistant.rulesets.anarchy.records import HALF_POUND, Army, Battle
from assistant.rulesets.anarchy.sheets import (
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
from assistant.turn.ruleset import Said, TableOf
from assistant.turn.texts import N_


def groups_of(realm: Realm, faction: str) -> list[Army]:
    """Groups and companies of a side that are on the map, by id."""
    side = realm.side(faction)
    return [a for a in realm.active() if realm.side(a.faction) == side]


def figures(realm: Realm, faction: str) -> dict[str, Any]:
    """One row of the standings: what all may count."""
    row, side = realm.factions[faction], realm.side(faction)
    castles = [p for p in realm.places if p.castle and p.exists and p.holder == side]
    nobles = [n for n in realm.nobles if realm.side(n.faction) == side and n.state in ("free", "wounded")]
    return {"faction": faction, "score": row.score, "castles": len(castles), "looted": row.looted,
            "groups": len(groups_of(realm, faction)), "nobles": len(nobles)}


def standings(realm: Realm) -> list[dict[str, Any]]:
    """One row a side."""
    return [figures(realm, f.faction) for f in realm.factions if realm.side(f.faction) in (ROYAL, ANGEVIN)]


def glance(realm: Realm, faction: str) -> list[tuple[str, int]]:
    """Men, pounds, hungry groups, captives, castles."""
    mine = groups_of(realm, faction)
    captives = [p for p in realm.prisoners if p.captor == realm.side(faction) and p.state in ("waiting", "escorted")]
    return [(N_("Groups on the map"), len(mine)), (N_("Men and nobles"), sum(realm.heads(a) for a in mine)),
            (N_("Pounds in the purses"), sum(a.money for a in mine) // HALF_POUND),
            (N_("Hungry groups"), sum(bool(a.hungry_days) for a in mine)),
            (N_("Captives to be escorted"), len(captives)),
            (N_("Castles held"), figures(realm, faction)["castles"])]


def dues(realm: Realm, faction: str) -> list[Said]:
    """What is owed tomorrow: food, escorts, garrisons, nobles to be ransomed."""
    side, said = realm.side(faction), []
    for army in groups_of(realm, faction):
        points = need(realm, army) - army.provisions
        if points > 0 and not realm.attached(army) and not realm.shut(army):
            said.append(Said(N_("{group} needs {n} points of food tomorrow (hungry days: {k})."),
                             {"group": army.army, "n": points, "k": army.hungry_days}))
    for record in realm.prisoners:
        if record.captor == side and record.state == "waiting":
            said.append(Said(N_("{p} need an escort to {place}."), {"p": record.prisoners,
                                                                   "place": record.destination}))
    for place in realm.places:
        if place.castle and place.holder == side and place.garrison < int(realm.rules.garrison_min):
            said.append(Said(N_("{place} has {n} defenders and needs {min}."),
                             {"place": place.place, "n": place.garrison, "min": int(realm.rules.garrison_min)}))
    for noble in realm.nobles:
        if noble.state == "prisoner" and realm.side(noble.faction) == side:
            cost = int(realm.rules.ransom_per_prestige) * noble.prestige
            said.append(Said(N_("The ransom of {noble} is £{n}."), {"noble": noble.noble, "n": cost}))
    return said


def own_tables(realm: Realm, faction: str) -> list[TableOf]:
    """Groups, nobles, convoys, trains, captives, wounded, castles, sieges, objectives."""
    side, row = realm.side(faction), realm.factions.get(faction)
    text = "text_it" if row is not None and row.language == "it" else "text_en"

    def mine(rows: Any) -> list[Any]:
        return [r for r in rows if realm.side(r.faction) == side]

    tables = [
        TableOf(N_("Your groups"), Army, ("army", "node", "commander", "loyalty", "money"), groups_of(realm, faction)),
        TableOf(N_("Their men"), Army, ("army", "knights", "foot", "bows", "light"), groups_of(realm, faction)),
        TableOf(N_("Their provisions"), Army, ("army", "provisions", "hungry_days", "employer", "contract"),
                groups_of(realm, faction)),
        TableOf(N_("Your nobles"), Noble, ("noble", "prestige", "army", "place", "state"), mine(realm.nobles)),
        TableOf(N_("Your castles"), Place, ("place", "node", "resources", "lord", "g_knights"),
                [p for p in realm.places if p.castle and p.exists and p.holder == side]),
        TableOf(N_("Sieges"), Siege, ("place", "besieger", "days", "state"),
                [s for s in realm.sieges if s.state == "on"]),
        TableOf(N_("Your convoys"), Convoy, ("convoy", "node", "cargo", "animals", "escort"),
                [c for c in mine(realm.convoys) if c.state == "active"]),
        TableOf(N_("Your siege trains"), Train, ("train", "node", "engineers", "oxen", "escort"),
                [t for t in mine(realm.trains) if t.state == "active"]),
        TableOf(N_("Captives"), Prisoners, ("prisoners", "captor", "node", "destination", "state"),
                [p for p in realm.prisoners if p.state in ("waiting", "escorted")]),
        TableOf(N_("Your wounded"), Wounded, ("wounded", "rank", "army", "place", "back_on"),
                [w for w in mine(realm.wounded) if w.state in ("hurt", "in_care")]),
        TableOf(N_("Objectives"), Objective, ("objective", text, "points", "state"), list(realm.objectives)),
    ]
    return [t for t in tables if t.rows]


def sightings(realm: Realm, faction: str) -> list[TableOf]:
    """Markers of others, and what was seen when a hex was shared."""
    side = realm.side(faction)
    tables = [
        TableOf(N_("Groups of others"), Army, ("army", "faction", "node", "kind", "cavalry"),
                [a for a in realm.active() if realm.side(a.faction) != side]),
        TableOf(N_("Seen in the same hex"), Sighting, ("turn", "army", "node", "heads", "men"),
                [s for s in realm.campaign.table(Sighting) if s.viewer == side]),
        TableOf(N_("Convoys of others"), Convoy, ("convoy", "faction", "node", "escort"),
                [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) != side]),
    ]
    return [t for t in tables if t.rows]


def dossier(realm: Realm, battle: Battle, faction: str) -> list[Said]:
    """The hand-over of a battle as it was kept when the phase stopped; for the referee both parts."""
    side = realm.side(faction) if faction else REFEREE_COPY
    return read(battle.papers.get(side, []))


__all__ = ["dossier", "dues", "figures", "glance", "own_tables", "sightings", "standings"]
