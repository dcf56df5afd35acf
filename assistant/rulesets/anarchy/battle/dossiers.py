"""The dossier of a battle: one for each side and one for the referee (rulebook: 15 Battle; chapters 15.1 to 15.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.campaign.hexmap import direction, is_hex, opposite
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, SIDES, Fight, maps_needed, other
from assistant.rulesets.anarchy.book.records import RANKS, Army
from assistant.rulesets.anarchy.book.sheets import Place
from assistant.rulesets.anarchy.book.tables import ENTRY, MAPS
from assistant.rulesets.anarchy.realm.change import hurt_here
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import NEUTRAL, show_men
from assistant.rulesets.anarchy.realm.references import show_ranks
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

Line = list[Any]
REFEREE_COPY = "referee"


def said(text: str, label: str, **data: Any) -> Line:
    """One sentence of a dossier as plain values: text, what fills it, label."""
    return [text, data, label]


def read(lines: list[Line]) -> list[Said]:
    """The sentences of a dossier as they were kept on the sheet; what is none of ours is left out."""
    return [Said(str(line[0]), line[1], str(line[2])) for line in lines
            if isinstance(line, list) and len(line) == 3 and isinstance(line[1], dict)]


def papers(f: Field, fight: Fight) -> dict[str, list[Line]]:
    """The dossiers by side (`royal`, `angevin`) and for the referee."""
    common = _common(f, fight)
    parts = {side: fight.side_of(f, side) for side in SIDES}
    own = {side: _own(f, fight, side) for side in SIDES}
    found = {REFEREE_COPY: [*common, *own[SIDES[0]], *own[SIDES[1]]]}
    for side, banner in parts.items():
        if banner != NEUTRAL:
            found[banner] = [*common, *own[side], *_enemy(f, fight, other(side))]
    return found


def _common(f: Field, fight: Fight) -> list[Line]:
    n = fight.characters(f)
    terrains = f.hexes.terrains(fight.node)
    still = other(_moving(fight))
    lines = [
        said(N_("{hex}: {terrain}, day {day}"), N_("Where"), hex=fight.node, terrain=" ".join(terrains), day=f.day),
        said(N_("{n} characters: {m} map(s), at least one of: {maps}"), N_("Maps"), n=n, m=maps_needed(f, n),
             maps=", ".join(maps_of(f, fight))),
        said(N_("{side} is not moving and chooses the first map, then in turn; north is agreed or drawn."), N_("Maps"),
             side=fight.side_of(f, still)),
        said(N_("{side} counts as the attacker, deploys first or second as it chooses, and starts or lets start."),
             N_("Deployment"), side=fight.side_of(f, deploying(f, fight))),
        said(N_("At most {n} turns. It ends when a side is eliminated, flees, surrenders, or when time is up."),
             N_("End"), n=f.rules.battle_turns),
    ]
    if fight.levy is not None:
        lines.append(said(N_("Levy of {place}: {men}"), N_("Levy"), place=fight.levy.place,
                          men=show_ranks(fight.levy_men(f)) or "-"))
    return lines


def maps_of(f: Field, fight: Fight) -> list[str]:
    """The tactical maps that the hex allows (15.2)."""
    place = f.places.get(fight.place)
    if place is not None:
        return list(MAPS[place.kind] if place.castle else MAPS["village"])
    found = [name for terrain in f.hexes.terrains(fight.node) for name in MAPS.get(terrain, ())]
    if any(not p.castle for p in f.places_at(fight.node)):
        found += MAPS["village"]
    return list(dict.fromkeys(found))


def _moving(fight: Fight) -> str:
    return next((s for s in SIDES if any(a.army == fight.mover for a in fight.units[s])), ATTACKERS)


def deploying(f: Field, fight: Fight) -> str:
    """The side that deploys as attacker: who entered the hex, or who struck first (switch attacker_def)."""
    if f.rules.attacker_def == "aggressor" or fight.kind in ("sack", "assault", "revolt", "sally"):
        return ATTACKERS
    return _moving(fight)


def entry_sides(f: Field, fight: Fight) -> dict[str, str]:
    """Where each group enters the table, by the direction from which it came (15.1).

    A group that never marched stands opposite to the enemy who came.
    """
    n = maps_needed(f, fight.characters(f))
    column = {1: 0, 2: 1, 4: 2}[n]
    came: dict[str, str] = {}
    for side in SIDES:
        for army in fight.groups[side]:
            came[army.army] = _came_from(fight, army)
    found = {}
    for side in SIDES:
        foes = [came[a.army] for a in fight.groups[other(side)] if came[a.army]]
        for army in fight.groups[side]:
            towards = came[army.army] or (opposite(foes[0]) if foes else "S")
            for one in [army, *[a for a in fight.units[side] if a.employer == army.army]]:
                found[one.army] = ENTRY[towards][column]
    return found


def _came_from(fight: Fight, army: Army) -> str:
    """The direction of the hex that a group came from, or that it joined from; "" where it never marched."""
    start = army.node if army.node != fight.node else army.came_from
    return direction(fight.node, start) if is_hex(start) and is_hex(fight.node) else ""


def _own(f: Field, fight: Fight, side: str) -> list[Line]:
    sides = entry_sides(f, fight)
    lines: list[Line] = []
    for army in fight.units[side]:
        lines += _group(f, army, sides.get(army.army, "-"))
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(said(N_("{place}: {men}, nobles {nobles}"), N_("Garrison"), place=castle.place,
                          men=show_men(castle, "g_") or "-", nobles=_names(f.in_garrison(castle))))
    return lines


def _names(nobles: Any) -> str:
    return ", ".join(f"{n.noble} {n.prestige}" for n in nobles) or "-"


def _group(f: Field, army: Army, entry: str) -> list[Line]:
    label = N_("Groups")
    hurt: Mapping[str, int] = {rank: len(hurt_here(f, army, rank)) for rank in RANKS}
    lines = [said(N_("{unit}: {men}, hurt {hurt}, nobles with their prestige {nobles}; enters at: {entry}"), label,
                  unit=army.army, men=show_men(army) or "-", hurt=show_ranks(dict(hurt)) or "-",
                  nobles=_names(f.with_them(army)), entry=entry)]
    if army.starving:
        lines.append(said(N_("{unit} starves: +{n} on die rolls, half movement."), label, unit=army.army,
                          n=hunger(f, army)))
    if army.unarmed:
        lines.append(said(N_("{unit} has no arms."), label, unit=army.army))
    for record in f.led_captives(army):
        lines.append(said(N_("{unit} leads captives {men}: defence 1 and unarmed; a friend beside one for a full turn "
                             "frees him, a full turn beside a dead or stunned man arms him."), label, unit=army.army,
                          men=show_men(record) or "-"))
    for train in f.led_trains(army):
        lines.append(said(N_("{unit} has {rams} rams, {galleries} galleries, {towers} towers, {mangonels} mangonels, "
                             "{engineers} engineers."), label, unit=army.army, rams=train.rams,
                          galleries=train.galleries, towers=train.towers, mangonels=train.mangonels,
                          engineers=train.engineers))
    return lines


def hunger(f: Field, army: Army) -> int:
    """What a starving group adds to its dice on the table (8.4)."""
    further = max(0, army.hungry_days - f.rules.hunger_days) if f.rules.starve_growth == "growing" else 0
    return f.rules.hunger_die + further


def _enemy(f: Field, fight: Fight, side: str) -> list[Line]:
    """What a side knows of the other: those on the hex in full, of joiners only names and entry sides."""
    sides = entry_sides(f, fight)
    lines: list[Line] = []
    leaders = {a.army: a for a in fight.groups[side]}
    for army in fight.units[side]:
        leader = leaders.get(army.army) or leaders.get(army.employer)
        joined = leader is not None and leader.army in fight.joined and leader.node != fight.node
        lines.append(said(N_("{unit} enters at: {entry}") if joined else N_("{unit}: {men}; enters at: {entry}"),
                          N_("The enemy"), unit=army.army, men="" if joined else show_men(army) or "-",
                          entry=sides.get(army.army, "-")))
    castle: Place | None = fight.castles.get(side)
    if castle is not None:
        lines.append(said(N_("{place}: {men}"), N_("The enemy"), place=castle.place, men=show_men(castle, "g_") or "-"))
    return lines
