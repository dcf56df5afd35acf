"""What is told of a battle beside its events: dossiers by side before it (rulebook: 15 Battle), its price after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from assistant.campaign.hexmap import direction, is_hex, opposite
from assistant.campaign.records import Event
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, WINNER, Fight, maps_needed, other
from assistant.rulesets.anarchy.book.records import Battle
from assistant.rulesets.anarchy.book.sheets import NEUTRAL, RANKS, Army
from assistant.rulesets.anarchy.book.tables import ENTRY, MAPS
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.land import show_ranks
from assistant.turn.books.kept_papers import REFEREE_COPY, Line, said
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

SPOKEN = {
    "{n} characters: {m} map(s), at least one of: {maps}":
        N_("{n} {n?character|characters}: {m} {m?map|maps}, at least one of: {maps}"),
    "At most {n} turns. It ends when a side is eliminated, flees, surrenders, or when time is up.":
        N_("At most {n} {n?turn|turns}. It ends when a side is eliminated, flees, surrenders, or when time is up.")}
"""Sentences as workbooks keep them, so that a campaign replays to the same row, and as they are said."""

def papers(f: Field, fight: Fight) -> dict[str, list[Line]]:
    """The dossiers by side (`royal`, `angevin`) and for the referee."""
    maps = maps_needed(f, fight.characters(f))
    common, enters = _common(f, fight, maps), _entry_sides(fight, maps)
    own = {side: _own(f, fight, side, enters) for side in SIDES}
    found = {REFEREE_COPY: [*common, *own[SIDES[0]], *own[SIDES[1]]]}
    for side in SIDES:
        banner = fight.side_of(f, side)
        if banner != NEUTRAL:
            found[banner] = [*common, *own[side], *_enemy(fight, other(side), enters)]
    return found


def _common(f: Field, fight: Fight, maps: int) -> list[Line]:
    entered = f.rules.attacker_def != "aggressor" and fight.kind == "field"  # else who struck first deploys as attacker
    deploying = fight.moving if entered else ATTACKERS
    lines = [
        said(N_("{hex}: {terrain}, day {day}"), N_("Where"), hex=fight.node,
             terrain=" ".join(f.hexes.terrains(fight.node)), day=f.day),
        said("{n} characters: {m} map(s), at least one of: {maps}", N_("Maps"), n=fight.characters(f), m=maps,
             maps=", ".join(_maps_of(f, fight))),
        said(N_("{side} is not moving and chooses the first map, then in turn; north is agreed or drawn."), N_("Maps"),
             side=fight.side_of(f, other(fight.moving))),
        said(N_("{side} counts as the attacker, deploys first or second as it chooses, and starts or lets start."),
             N_("Deployment"), side=fight.side_of(f, deploying)),
        said("At most {n} turns. It ends when a side is eliminated, flees, surrenders, or when time is up.",
             N_("End"), n=f.rules.battle_turns),
    ]
    if fight.levy is not None:
        lines.append(said(N_("Levy of {place}: {men}"), N_("Levy"), place=fight.levy.place,
                          men=show_ranks(fight.levy_men(f)) or "-"))
    return lines


def _maps_of(f: Field, fight: Fight) -> list[str]:
    """The tactical maps that the hex allows (15.2)."""
    place = f.places.get(fight.place)
    if place is not None:
        return list(MAPS[place.kind if place.castle else "village"])
    kinds = [*f.hexes.terrains(fight.node), *("village" for p in f.places_at(fight.node) if not p.castle)]
    return list(dict.fromkeys(name for kind in kinds for name in MAPS.get(kind, ())))


def _entry_sides(fight: Fight, maps: int) -> dict[str, str]:
    """Where each group enters, by the direction from which it came, else opposite to the enemy who came (15.1)."""
    column = {1: 0, 2: 1, 4: 2}[maps]
    came = {}
    for army in (army for side in SIDES for army in fight.groups[side]):  # "" for one that never marched
        start = army.node if army.node != fight.node else army.came_from  # who joins comes from where it stands
        came[army.army] = direction(fight.node, start) if is_hex(start) and is_hex(fight.node) else ""
    found = {}
    for side in SIDES:
        foe = next((came[a.army] for a in fight.groups[other(side)] if came[a.army]), "")
        for army in fight.units[side]:
            towards = came[army.army if army.army in came else army.employer]
            found[army.army] = ENTRY[towards or (opposite(foe) if foe else "S")][column]
    return found


def _own(f: Field, fight: Fight, side: str, enters: Mapping[str, str]) -> list[Line]:
    lines = [line for army in fight.units[side] for line in _group(f, army, enters[army.army])]
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(said(N_("{place}: {men}, nobles {nobles}"), N_("Garrison"), place=castle.place,
                          men=show_ranks(castle.ranks) or "-", nobles=_names(f.in_garrison(castle))))
    return lines


def _names(nobles: Any) -> str:
    return ", ".join(f"{n.noble} {n.prestige}" for n in nobles) or "-"


def _group(f: Field, army: Army, entry: str) -> list[Line]:
    label, unit = N_("Groups"), army.army
    hurt = show_ranks({rank: len(f.hurt_here(army, rank)) for rank in RANKS})
    lines = [said(N_("{unit}: {men}, hurt {hurt}, nobles with their prestige {nobles}; enters at: {entry}"), label,
                  unit=unit, men=show_ranks(army.ranks) or "-", hurt=hurt or "-", nobles=_names(f.with_them(army)),
                  entry=entry)]
    if army.starving:  # what it adds to its dice on the table (8.4)
        further = max(0, army.hungry_days - f.rules.hunger_days) if f.rules.starve_growth == "growing" else 0
        lines.append(said(N_("{unit} starves: +{n} on die rolls, half movement."), label, unit=unit,
                          n=f.rules.hunger_die + further))
    if army.unarmed:
        lines.append(said(N_("{unit} has no arms."), label, unit=unit))
    for record in f.led_captives(army):
        lines.append(said(N_("{unit} leads captives {men}: defence 1 and unarmed; a friend beside one for a full turn "
                             "frees him, a full turn beside a dead or stunned man arms him."), label, unit=unit,
                          men=show_ranks(record.ranks) or "-"))
    for train in f.led_trains(army):
        lines.append(said(N_("{unit} has {rams} rams, {galleries} galleries, {towers} towers, {mangonels} mangonels, "
                             "{engineers} engineers."), label, unit=unit, rams=train.rams, galleries=train.galleries,
                          towers=train.towers, mangonels=train.mangonels, engineers=train.engineers))
    return lines


def _enemy(fight: Fight, side: str, enters: Mapping[str, str]) -> list[Line]:
    """What a side knows of the other: those on the hex in full, of joiners only names and entry sides."""
    lines: list[Line] = []
    leaders = {a.army: a for a in fight.groups[side]}
    for army in fight.units[side]:
        here = (leaders.get(army.army) or leaders[army.employer]).node == fight.node
        lines.append(said(N_("{unit}: {men}; enters at: {entry}") if here else N_("{unit} enters at: {entry}"),
                          N_("The enemy"), unit=army.army, men=show_ranks(army.ranks) or "-" if here else "",
                          entry=enters[army.army]))
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(said(N_("{place}: {men}"), N_("The enemy"), place=castle.place,
                          men=show_ranks(castle.ranks) or "-"))
    return lines


# --- what it came to for one side ----------------------------------------------------------------
_HIT = re.compile(r"(\S+)(?: \w)? (\d+)/(\d+)/(\d+)")
"""Who has lost what, as the form has it: ``A-BOH K 0/1/0``, ``TAL 0/0/1``."""
WON = N_("Your side has won {place:at}, against {armies:the}. Your losses: {k} killed, {w} wounded, {c} captured; "
         "the enemy's: {ek} killed, {ew} wounded, {ec} captured.")
LOST = N_("Your side has lost {place:at}, against {armies:the}. Your losses: {k} killed, {w} wounded, {c} captured; "
          "the enemy's: {ek} killed, {ew} wounded, {ec} captured.")
DRAWN = N_("Nobody has won {place:at}, against {armies:the}. Your losses: {k} killed, {w} wounded, {c} captured; "
           "the enemy's: {ek} killed, {ew} wounded, {ec} captured.")


def reckoned(realm: Field, side: str, events: Iterable[Event]) -> list[Said]:
    """A sentence for each battle of the side among the events, in their order."""
    told = [event for event in events if event.event == "battle_result"]
    said = []
    for event in told:
        row = realm.battles.get(str(event.data.get("b", "")))
        if row is None or "outcome" not in event.data:
            continue
        mine, winner = _part_of(realm, row, side), WINNER.get(str(event.data["outcome"]), "")
        lists = [str(e.data.get("list", "")) for e in told if e.data.get("b") == row.battle
                 and e.data.get("part") == "losses"]
        text = DRAWN if not winner else WON if winner == mine else LOST
        said.append(Said(text, {"place": row.battle, "armies": str(getattr(row, other(mine))) or row.place,
                                **_price(realm, row, mine, lists)}))
    return said


def _part_of(realm: Field, row: Battle, side: str) -> str:
    """On which part of a battle a side stands; a castle's or village's own row names no group."""
    for part in SIDES:
        groups = [realm.armies.get(one) for one in str(getattr(row, part)).split()]
        if any(army is not None and realm.side(army.faction) == side for army in groups):
            return part
    return ATTACKERS if not row.attackers else DEFENDERS


def _price(realm: Field, row: Battle, mine: str, lists: list[str]) -> dict[str, Any]:
    """Killed, wounded and captured of one's own and (with an ``e``) of the enemy; blank where nothing was written."""
    price = dict.fromkeys(("k", "w", "c", "ek", "ew", "ec"), 0)
    for who, *hits in (match for one in lists for match in _HIT.findall(one)):
        mark = "" if _stands(realm, row, who) == mine else "e"
        for name, n in zip("kwc", hits, strict=True):
            price[mark + name] += int(n)
    return {name: n if lists else "" for name, n in price.items()}


def _stands(realm: Field, row: Battle, who: str) -> str:
    """On which part a group, a castle, the levy, a noble or a train has fought."""
    for part in SIDES:
        if who in str(getattr(row, part)).split():
            return part
    owner = realm.nobles.get(who) or realm.trains.get(who)
    if owner is not None:
        return _part_of(realm, row, realm.side(owner.faction))
    return ATTACKERS if row.kind == "sally" else DEFENDERS
