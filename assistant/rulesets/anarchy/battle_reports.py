"""What clubs read of a battle: the dossier for the table, and in the report how it went (rulebook: 15 Battle)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from assistant.campaign.map import direction, is_hex, opposite
from assistant.campaign.records import Event
from assistant.rulesets.anarchy import battle as battles
from assistant.rulesets.anarchy import both
from assistant.rulesets.anarchy.battle import ATTACKERS, DEFENDERS, SIDES, Fight, other_side
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.provisions import hunger_dice
from assistant.rulesets.anarchy.realm import show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, RANKS, Army, Battle
from assistant.turn.chapters import Rules, switch
from assistant.turn.event_types import REFEREE_COPY, DossierLine, Said, dossier_line, read_dossier

# Dossiers for the table.


class DeploymentNumbers(Rules):
    """Who deploys as the attacker."""

    attacker_def: Literal["entered", "aggressor"] = switch(
        both("When deploying the attacker is {option}.", "Nello schieramento l'attaccante è {option}."),
        both("who entered the hex", "chi è entrato nell'esagono"),
        both("who struck first", "chi ha attaccato per primo"), source="15.4")


# 15.1 prints the rows N and NW; the others follow by symmetry
ENTRY: Mapping[str, tuple[str, str, str]] = {
    "N": ("top", "top of the upper map", "top of the upper left map"),
    "NE": ("top", "right of the upper map", "top of the upper right map"),
    "SE": ("right", "right of the lower map", "right of the upper right and lower right maps"),
    "S": ("bottom", "bottom of the lower map", "bottom of the lower right map"),
    "SW": ("bottom", "left of the lower map", "bottom of the lower left map"),
    "NW": ("left", "left of the upper map", "left of the upper left and lower left maps"),
}
"""Where a group enters by the direction it came from, on one, two and four maps (15.1)."""
MAPS: Mapping[str, tuple[str, ...]] = {
    "open": ("La Prairie", "Le Chemin des Croisés", "La Croisée des Chemins", "La Plaine"),
    "forest": ("Le Bois", "La Forêt"),
    "hill": ("Le Fossé", "Le Tertre", "La Colline"),
    "marsh": ("Le Lagon", "Le Fossé"),
    "river": ("La Rivière", "Le Pont de Bois", "Le Lagon", "Le Ruisseau", "Le Moulin", "Le Gué"),
    "coast": ("La Plage", "La Crique", "La Tour de Gué", "L'Abbaye"),
    "village": ("Le Hameau", "Le Prieuré", "Le Village"),
    "castle_motte": ("La Motte Castrale",),
    "castle_stone": ("Le Château Normand",),
    "castle_tower": ("Le Nid d'Aigle",),
    "counter_castle": ("La Motte Castrale", "Le Nid d'Aigle"),
}
"""Tactical maps by what stands in the hex (15.2, 5.3)."""
both.words({
    "bottom": "basso",
    "bottom of the lower left map": "basso della mappa in basso a sinistra",
    "bottom of the lower map": "basso della mappa inferiore",
    "bottom of the lower right map": "basso della mappa in basso a destra",
    "left of the lower map": "sinistra della mappa inferiore",
    "left of the upper left and lower left maps": "sinistra delle mappe in alto e in basso a sinistra",
    "left of the upper map": "sinistra della mappa superiore", "right": "destra",
    "right of the lower map": "destra della mappa inferiore", "right of the upper map": "destra della mappa superiore",
    "right of the upper right and lower right maps": "destra delle mappe in alto e in basso a destra", "top": "alto",
    "top of the upper left map": "alto della mappa in alto a sinistra",
    "top of the upper map": "alto della mappa superiore",
    "top of the upper right map": "alto della mappa in alto a destra",
})


MAPS_BY_SIZE = "{n} characters: {m} map(s), at least one of: {maps}"
HOW_IT_ENDS = "At most {n} turns. It ends when a side is eliminated, flees, surrenders, or when time is up."
KEPT_SENTENCES = {
    MAPS_BY_SIZE: both("{n} {n?character|characters}: {m} {m?map|maps}, at least one of: {maps}",
                       "{n} {n?personaggio|personaggi}: {m} {m?mappa|mappe}, almeno una tra: {maps}"),
    HOW_IT_ENDS: both("At most {n} {n?turn|turns}. It ends when a side is eliminated, flees, surrenders, or when time "
                      "is up.",
                      "Al massimo {n} {n?turno|turni}. Finisce quando una parte è eliminata, fugge, si arrende, o allo "
                      "scadere del tempo."),
}
"""Sentences as workbooks keep them, unchanged so that old campaigns replay to the same row -> as they are shown."""


def kept_dossier(row: Battle, side: str) -> list[Said]:
    """A side's dossier of a battle as it was when the phase stopped; "" for the referee's, with both sides."""
    return read_dossier((row.papers or {}).get(side or REFEREE_COPY), KEPT_SENTENCES)


def make_papers(f: Field, fight: Fight) -> dict[str, list[DossierLine]]:
    """The dossiers by side (`royal`, `angevin`) and for the referee."""
    maps = battles.maps_needed(f, fight.characters(f))
    common, enters = _common_lines(f, fight, maps), _entry_sides(fight, maps)
    own = {side: _own_lines(f, fight, side, enters) for side in SIDES}
    papers = {REFEREE_COPY: [*common, *own[SIDES[0]], *own[SIDES[1]]]}
    for side in SIDES:
        banner = fight.side_of(f, side)
        if banner != NEUTRAL:
            papers[banner] = [*common, *own[side], *_enemy_lines(fight, other_side(side), enters)]
    return papers


HEX_AND_DAY = both("{hex}: {terrain}, day {day}", "{hex}: {terrain}, giorno {day}")
WHERE = both("Where", "Dove")
TACTICAL_MAPS = both("Maps", "Mappe")
WHO_CHOOSES_MAPS = both("{side} is not moving and chooses the first map, then in turn; north is agreed or drawn.",
                        "{side:il} non si {side?muove e sceglie|muovono e scelgono} la prima mappa, poi a turno; il "
                        "nord si concorda o si sorteggia.")
WHO_DEPLOYS_FIRST = both("{side} counts as the attacker, deploys first or second as it chooses, and starts or lets "
                         "start.",
                         "{side:il} {side?conta come attaccante, schiera|contano come attaccanti, schierano} {side?per "
                         "primo o per secondo|per prima o per seconda|per primi o per secondi|per prime o per seconde} "
                         "a scelta, e {side?comincia o lascia|cominciano o lasciano} cominciare.")
DEPLOYMENT = both("Deployment", "Schieramento")
END = both("End", "Fine")
LEVY_AND_MEN = both("Levy of {place}: {men}", "Leva {place:di}: {men}")
LEVY = both("Levy", "Leva")


def _common_lines(f: Field, fight: Fight, maps: int) -> list[DossierLine]:
    # else who struck first deploys as attacker
    entered = DeploymentNumbers.of(f).attacker_def != "aggressor" and fight.kind == "field"
    deploying = fight.moving if entered else ATTACKERS
    lines = [
        dossier_line(HEX_AND_DAY, WHERE, hex=fight.node, terrain=" ".join(f.hexes.terrains(fight.node)), day=f.day),
        dossier_line(MAPS_BY_SIZE, TACTICAL_MAPS, n=fight.characters(f), m=maps,
                     maps=", ".join(_allowed_maps(f, fight))),
        dossier_line(WHO_CHOOSES_MAPS, TACTICAL_MAPS, side=fight.side_of(f, other_side(fight.moving))),
        dossier_line(WHO_DEPLOYS_FIRST, DEPLOYMENT, side=fight.side_of(f, deploying)),
        dossier_line(HOW_IT_ENDS, END, n=battles.BattleNumbers.of(f).battle_turns),
    ]
    if fight.levy is not None:
        lines.append(dossier_line(LEVY_AND_MEN, LEVY, place=fight.levy.place, men=show_ranks(fight.levy_men(f)) or "-"))
    return lines


def _allowed_maps(f: Field, fight: Fight) -> list[str]:
    """The tactical maps that the hex allows (15.2)."""
    place = f.places.get(fight.place)
    if place is not None:
        return list(MAPS[place.kind if place.castle else "village"])
    kinds = [*f.hexes.terrains(fight.node), *("village" for p in f.places_at(fight.node) if not p.castle)]
    return list(dict.fromkeys(name for kind in kinds for name in MAPS.get(kind, ())))


def _entry_sides(fight: Fight, maps: int) -> dict[str, str]:
    """Where each group enters: from where it came, or opposite to where the enemy came from (15.1)."""
    column = {1: 0, 2: 1, 4: 2}[maps]
    came = {}
    for army in (army for side in SIDES for army in fight.groups[side]):  # "" for one that never marched
        start = army.node if army.node != fight.node else army.came_from  # who joins comes from where it stands
        came[army.army] = direction(fight.node, start) if is_hex(start) and is_hex(fight.node) else ""
    sides = {}
    for side in SIDES:
        foe = next((came[a.army] for a in fight.groups[other_side(side)] if came[a.army]), "")
        for army in fight.units[side]:
            towards = came[army.army if army.army in came else army.employer]
            sides[army.army] = ENTRY[towards or (opposite(foe) if foe else "S")][column]
    return sides


GARRISON_AND_NOBLES = both("{place}: {men}, nobles {nobles}", "{place}: {men}, nobili {nobles}")
GARRISON = both("Garrison", "Guarnigione")


def _own_lines(f: Field, fight: Fight, side: str, enters: Mapping[str, str]) -> list[DossierLine]:
    lines = [line for army in fight.units[side] for line in _group_lines(f, army, enters[army.army])]
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(dossier_line(GARRISON_AND_NOBLES, GARRISON, place=castle.place,
                                  men=show_ranks(castle.ranks) or "-", nobles=_nobles_text(f.in_garrison(castle))))
    return lines


def _nobles_text(nobles: Any) -> str:
    return ", ".join(f"{n.noble} {n.prestige}" for n in nobles) or "-"


GROUPS = both("Groups", "Gruppi")
OWN_GROUP = both("{unit}: {men}, hurt {hurt}, nobles with their prestige {nobles}; enters at: {entry}",
                 "{unit}: {men}, feriti {hurt}, nobili con il loro prestigio {nobles}; entra da: {entry}")
STARVING_GROUP = both("{unit} starves: +{n} on die rolls, half movement.",
                      "{unit:il} {unit?è|sono} allo stremo per la fame: +{n} ai tiri di dado, metà movimento.")
UNARMED_GROUP = both("{unit} has no arms.", "{unit:il} non {unit?ha|hanno} armi.")
CAPTIVES_LED = both("{unit} leads captives {men}: defence 1 and unarmed; a friend beside one for a full turn frees "
                    "him, a full turn beside a dead or stunned man arms him.",
                    "{unit:il} conduce i prigionieri {men}: difesa 1 e disarmati; un amico accanto per un turno intero "
                    "ne libera uno, un turno intero accanto a un morto o stordito lo arma.")
ENGINES_LED = both(
    "{unit} has {rams} rams, {galleries} galleries, {towers} towers, {mangonels} mangonels, {engineers} engineers.",
    "{unit:il} ha {rams} arieti, {galleries} gallerie, {towers} torri, {mangonels} mangani, {engineers} ingegneri.")


def _group_lines(f: Field, army: Army, entry: str) -> list[DossierLine]:
    label, unit = GROUPS, army.army
    hurt = show_ranks({rank: len(f.wounded_here(army, rank)) for rank in RANKS})
    lines = [dossier_line(OWN_GROUP, label, unit=unit, men=show_ranks(army.ranks) or "-", hurt=hurt or "-",
                          nobles=_nobles_text(f.with_them(army)), entry=entry)]
    if army.starving:  # what it adds to its dice on the table (8.4)
        lines.append(dossier_line(STARVING_GROUP, label, unit=unit, n=hunger_dice(f, army)))
    if army.unarmed:
        lines.append(dossier_line(UNARMED_GROUP, label, unit=unit))
    for record in f.led_captives(army):
        lines.append(dossier_line(CAPTIVES_LED, label, unit=unit, men=show_ranks(record.ranks) or "-"))
    for train in f.led_trains(army):
        lines.append(dossier_line(ENGINES_LED, label, unit=unit, rams=train.rams, galleries=train.galleries,
                                  towers=train.towers, mangonels=train.mangonels, engineers=train.engineers))
    return lines


ENEMY_GROUP_SEEN = both("{unit}: {men}; enters at: {entry}", "{unit}: {men}; entra da: {entry}")
ENEMY_GROUP = both("{unit} enters at: {entry}", "{unit:il} {unit?entra|entrano} da: {entry}")
THE_ENEMY = both("The enemy", "Il nemico")
ENEMY_GARRISON = both("{place}: {men}", "{place}: {men}")


def _enemy_lines(fight: Fight, side: str, enters: Mapping[str, str]) -> list[DossierLine]:
    """What a side knows of the other: groups on the hex in full, of joiners only names and entry sides."""
    lines: list[DossierLine] = []
    leaders = {a.army: a for a in fight.groups[side]}
    for army in fight.units[side]:
        here = (leaders.get(army.army) or leaders[army.employer]).node == fight.node
        lines.append(dossier_line(ENEMY_GROUP_SEEN if here else
                                  ENEMY_GROUP, THE_ENEMY, unit=army.army,
                                  men=show_ranks(army.ranks) or "-" if here else "", entry=enters[army.army]))
    castle = fight.castles.get(side)
    if castle is not None:
        lines.append(dossier_line(ENEMY_GARRISON, THE_ENEMY, place=castle.place, men=show_ranks(castle.ranks) or "-"))
    return lines


# The result of a battle for one side, in its report.


_HIT = r"(\S+)(?: \w)? (\d+)/(\d+)/(\d+)"
"""Losses in the form's shorthand: ``A-BOH K 0/1/0``, ``TAL 0/0/1``."""
WON, LOST, DRAWN = range(3)
OUTCOME = both("{how}. Your allies fought it without you: {own}. Losses of your side: {lost}; the enemy's: {fallen}.",
               "{how}. Hanno combattuto i tuoi alleati, senza di te: {own}. Perdite della tua parte: {lost}; quelle "
               "nemiche: {fallen}.")
"""A battle as a side reads it: how it went, then its price."""
HOW_IT_WENT: Mapping[tuple[str, bool], tuple[str, str, str]] = {
    # groups on both sides
    ("field", True): (
        both("Your side won {battle:the} against {armies:the}",
             "La tua parte ha vinto {battle:il} contro {armies:il}"),
        both("Your side lost {battle:the} against {armies:the}",
             "La tua parte ha perso {battle:il} contro {armies:il}"),
        both("Your side drew {battle:the} against {armies:the}",
             "La tua parte ha pareggiato {battle:il} contro {armies:il}")),
    # how it went for those who attacked a place that no group held
    ("assault", True): (
        both("Your side took {place:the}", "La tua parte ha preso {place:il}"),
        both("Your side failed to take {place:the}", "La tua parte non è riuscita a prendere {place:il}"),
        both("Your side has not taken {place:the}: the fight was a draw",
             "La tua parte non ha preso {place:il}: lo scontro è finito pari")),
    # how it went for those whose place it is
    ("assault", False): (
        both("{place:the} held out against {armies:the}", "{place:il} ha resistito {armies:a}"),
        both("Your side lost {place:the} to {armies:the}",
             "{armies:il} {armies?ha|hanno} preso {place:il} alla tua parte"),
        both("{place:the} held out against {armies:the}: the fight was a draw",
             "{place:il} ha resistito {armies:a}: lo scontro è finito pari")),
    # how it went for those who sacked a place: it changes no owner
    ("sack", True): (
        both("Your side beat the people of {place:the} and sacked it",
             "La tua parte ha battuto la gente {place:di} e ha saccheggiato tutto"),
        both("The people of {place:the} drove your side off", "La gente {place:di} ha respinto la tua parte"),
        both("Your side fought the people of {place:the}, and it was a draw",
             "La tua parte ha combattuto la gente {place:di}, ed è finita pari")),
    # how it went for the side of the people who were sacked
    ("sack", False): (
        both("The people of {place:the} drove off {armies:the}", "La gente {place:di} ha respinto {armies:il}"),
        both("Your side could not keep {armies:the} from sacking {place:the}",
             "{armies:il} {armies?ha|hanno} battuto la gente {place:di} e {armies?ha|hanno} saccheggiato tutto"),
        both("The people of {place:the} fought {armies:the}, and it was a draw",
             "La gente {place:di} ha combattuto {armies:il}, ed è finita pari")),
    # how it went for the side whose garrison sallied alone
    ("sally", False): (
        both("The garrison of {place:the} sallied and beat {armies:the}",
             "La guarnigione {place:di} ha fatto una sortita e ha battuto {armies:il}"),
        both("The garrison of {place:the} sallied and was beaten by {armies:the}",
             "La guarnigione {place:di} ha fatto una sortita ed è stata battuta {armies:da}"),
        both("The garrison of {place:the} sallied, and the fight with {armies:the} was a draw",
             "La guarnigione {place:di} ha fatto una sortita, e lo scontro con {armies:il} è finito pari")),
    # how it went for those against whom a garrison sallied alone
    ("sally", True): (
        both("Your side beat off a sally of the garrison of {place:the}",
             "La tua parte ha respinto una sortita della guarnigione {place:di}"),
        both("A sally of the garrison of {place:the} beat {besiegers:the}",
             "Una sortita della guarnigione {place:di} ha battuto {besiegers:il}"),
        both("A sally of the garrison of {place:the} ended in a draw",
             "Una sortita della guarnigione {place:di} è finita pari")),
}
"""Sort of battle, and whether the side had a group in it -> what is told of it if it was won, lost, drawn."""
LOSSES = (both("{n} killed", "{n} {n?ucciso|uccisi}"), both("{n} wounded", "{n} {n?ferito|feriti}"),
          both("{n} captured", "{n} {n?prigioniero|prigionieri}"))
NO_LOSSES = both("none", "nessuna")


def battle_sentences(realm: Field, faction: str, events: Iterable[Event]) -> list[Said]:
    """A sentence for each battle of the faction's side among the events, in their order."""
    told = [event for event in events if event.event == "battle_result"]
    sentences, side = [], realm.side(faction)
    for event in told:
        row = realm.battles.get(str(event.data.get("b", "")))
        if row is None or "outcome" not in event.data:
            continue
        mine, winner = _side_in_battle(realm, row, side), battles.WINNER.get(str(event.data["outcome"]), "")
        how = DRAWN if not winner else WON if winner == mine else LOST
        lists = [str(e.data.get("list", "")) for e in told if e.data.get("b") == row.battle
                 and e.data.get("part") == "losses"]
        lost, fallen = (_losses(realm, row, part, lists) for part in (mine, other_side(mine)))
        sentences.append(Said(OUTCOME, {
            "how": Said(_texts(row, mine)[how], {
                "battle": row.battle, "place": row.place, "armies": str(getattr(row, other_side(mine))),
                "besiegers": str(getattr(row, mine))}),
            "own": _allies_alone(realm, row, mine, faction), "lost": lost, "fallen": fallen}))
        sentences += _men_on_both_sides(row, side, mine) + _booty(realm, row, event)
    return sentences


BOOTY = both("The winner's booty: {list}.", "Bottino del vincitore: {list}.")


def _booty(realm: Field, row: Battle, result: Event) -> list[Said]:
    """The convoys and trains that the winner of a battle took along; a group fights once a day."""
    fell = [str(e.data["x"]) for e in realm.events if e.event == "prize" and e.data.get("choice") == "take"
            and e.turn == result.turn and e.data.get("group") in f"{row.attackers} {row.defenders}".split()]
    return [Said(BOOTY, {"list": fell}, why=True)] if fell else []


MEN_ON_BOTH_SIDES = both("{n} {n?man|men} of yours against {m}.", "{n} {n?uomo|uomini} dei tuoi contro {m}.")
MEN_AGAINST_MORE = both("{n} {n?man|men} of yours against at least {m}.",
                        "{n} {n?uomo|uomini} dei tuoi contro almeno {m}.")


def _men_on_both_sides(row: Battle, side: str, mine: str) -> list[Said]:
    """How many men fought, by the dossier of a side; [] where it says nothing of the enemy's."""
    men, unseen = {True: 0, False: 0}, False
    for line in kept_dossier(row, side):
        enemy = line.label == THE_ENEMY or (line.label == LEVY and bool(getattr(row, mine)))
        if "men" in line.data and line.text != CAPTIVES_LED:
            men[enemy] += sum(map(int, re.findall(r"\d+", str(line.data["men"]))))
        unseen |= line.text == ENEMY_GROUP
    text = MEN_AGAINST_MORE if unseen else MEN_ON_BOTH_SIDES
    return [Said(text, {"n": men[False], "m": men[True]}, why=True)] if men[True] else []


def _texts(row: Battle, mine: str) -> tuple[str, str, str]:
    """The texts for a battle, by who fought whom: a garrison or a levy has no group."""
    alone = row.kind if row.kind in ("sally", "sack") else "assault"
    return HOW_IT_WENT["field" if row.attackers and row.defenders else alone, bool(getattr(row, mine))]


def _allies_alone(realm: Field, row: Battle, mine: str, faction: str) -> str:
    """The groups of a side in a battle where none of them is the faction's own; "" where one is, or where there are
    none.
    """
    units = str(getattr(row, mine)).split()
    owners = {army.faction for unit in units if (army := realm.armies.get(unit)) is not None}
    return "" if faction in owners else " ".join(units)


def _side_in_battle(realm: Field, row: Battle, side: str) -> str:
    """Whether a side is attackers or defenders; the part without a group is the castle's or village's."""
    for part in SIDES:
        groups = [realm.armies.get(unit) for unit in str(getattr(row, part)).split()]
        if any(army is not None and realm.side(army.faction) == side for army in groups):
            return part
    return ATTACKERS if not row.attackers else DEFENDERS


def _losses(realm: Field, row: Battle, part: str, lists: list[str]) -> list[Said] | str:
    """What a part of a battle lost: ``4 killed, 1 captured``; "" if no losses were listed."""
    if not lists:
        return ""
    counts = [0] * len(LOSSES)
    for who, *hits in (match for text in lists for match in re.findall(_HIT, text)):
        if _side_of_hit(realm, row, who) == part:
            counts = [before + int(n) for before, n in zip(counts, hits, strict=True)]
    return [Said(text, {"n": n}) for text, n in zip(LOSSES, counts, strict=True) if n] or [Said(NO_LOSSES)]


def _side_of_hit(realm: Field, row: Battle, who: str) -> str:
    """Whether a group, castle, levy, noble or train fought for the attackers or defenders."""
    for part in SIDES:
        if who in str(getattr(row, part)).split():
            return part
    owner = realm.nobles.get(who) or realm.trains.get(who)
    if owner is not None:
        return _side_in_battle(realm, row, realm.side(owner.faction))
    return ATTACKERS if row.kind == "sally" else DEFENDERS
