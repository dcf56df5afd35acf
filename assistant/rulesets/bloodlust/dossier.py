"""At the gaming table: the dossier of a battle, its outcome for a nation, and the melee calculator (ME)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, comb
from typing import Any

from assistant.campaign.columns import Choice, Flag, Text, Whole, column, given, public
from assistant.campaign.records import ALL, Event, TurnDie
from assistant.campaign.tables import Hold, Record
from assistant.rulesets.bloodlust import SEASON_NAMES, assumed, both, choice, cites, counted, records
from assistant.rulesets.bloodlust.battle import (
    ATTACKER,
    DEFENDER,
    DRAW,
    RETREAT_ROWS,
    BattleSide,
    FoughtBattle,
    Numbers,
)
from assistant.rulesets.bloodlust.realm import MERCENARIES, Realm, two_texts
from assistant.rulesets.bloodlust.records import Battle, Leader, Unit, printed
from assistant.rulesets.bloodlust.recruiting import LUCKY_CAPTAIN
from assistant.turn.chances import percent
from assistant.turn.chapters import Chapter, EventType, Message, Rules
from assistant.turn.event_types import Said
from assistant.turn.findings import Finding, Where
from assistant.turn.rulings import Count

# The dossier of a battle.


STAKES = {row["kind"]: both.made(row["en"], row["it"]) for row in printed("stakes")}
"""What is at stake, by kind of battle."""
GROUNDS = {"winter": both("Winter: one attack die less in melee.", "Inverno: un dado d'attacco in meno in mischia."),
           "jungle": both("Jungle: two attack dice less in melee.", "Giungla: due dadi d'attacco in meno in mischia."),
           "swamp": both("Swamp: three attack dice less in melee.", "Palude: tre dadi d'attacco in meno in mischia.")}
"""Seasons and grounds that cost dice (ME), by the skill that ignores them."""
SKILLS = {row["skill"]: both.made(row["en"], row["it"]) for row in printed("skills")}
"""What skills do on the table (SK, ME), some by a switch; Light counts in upkeep alone."""
UPKEEP_SKILL = "light"


def dossier(f: Realm, row: Battle, faction: str) -> list[Said]:
    """Both sides' commanders, and all that the reader's side needs at the table; the referee's copy has both sides.

    Empty for a nation that is not in the battle.
    """
    battle = FoughtBattle(f, row)
    mine = [side for side in battle.sides if not faction or faction in f.parties(row, side.name)]
    if not mine:
        return []
    return [
        *_common_lines(battle),
        *(line._replace(label=SIDE_LABELS[side.name])
          for side in battle.sides for line in _commanders(side, known=side in mine)),
        *(line._replace(label=ZONE_OF_COMMAND) for line in _zones(f, all_known=len(mine) == len(SIDES))),
        *(line._replace(label=YOUR_SIDE) for side in mine for line in _own_side_lines(side)),
    ]


# The result of a battle for one nation, in its report.


OUTCOME = both("{how}. {who}. You lost {k} of your {n} {n?unit|units}. You lost none of your {all} {all?unit|units}.",
               "{how}. {who}. Hai perso {k} {k?reparto|reparti} su {n}. Non hai perso nessuno dei tuoi {all} "
               "{all?reparto|reparti}.")
"""A battle as a nation reads it; without losses the last sentence stands instead of the one before."""
HOW_IT_WENT = {
    "won": both("You won {battle:the} against {enemies:the}", "Hai vinto {battle:il} contro {enemies:il}"),
    "lost": both("You lost {battle:the} against {enemies:the}", "Hai perso {battle:il} contro {enemies:il}"),
    DRAW: both("You drew {battle:the} against {enemies:the}", "Hai pareggiato {battle:il} contro {enemies:il}"),
}
WHO_ATTACKED = {ATTACKER: both("You attacked", "Attaccavi tu"), DEFENDER: both("You were attacked", "Eri in difesa")}
FALLS_BACK = both("{army} {army?falls|fall} back to {node:the}.", "{army:il} {army?ripiega|ripiegano} {node:dove}.")
AT_GAMING_TABLE = both(
    "It was fought out at the gaming table (ground: {ground}). Hits on your units: {hits}.",
    "L'ha decisa il gioco al tavolo (terreno: {ground}). Colpi subìti dai tuoi reparti: {hits}.")
BY_RULES = both("{enemies:the} attacked, played by the rules",
                "{enemies:il}, in mano alle regole, {enemies?attaccava|attaccavano}")


LEVY_GOES_HOME = both("{army} {army?goes|go} home. {n} {n?unit goes|units go} with it. {leader} goes home, too.",
                      "{army:il} {army?torna|tornano} a casa. {n} {n?reparto torna|reparti tornano} con la leva. "
                      "Torna a casa anche {leader}.")
ENEMY_LEFT = both("The enemy has {k} of its {n} {n?unit|units} left.",
                  "Al nemico {k?resta|restano} {k} {k?reparto|reparti} su {n}.")
BY_DICE = both("It was decided by dice, {n} against {m} {m?success|successes}: a die of {l} or less is one. Your "
               "dice: {k}, which is WR {w} and 1 for every {each} of the REP of your units, {rep}.",
               "L'hanno decisa i dadi, {n} a {m} {m?successo|successi}: ogni dado da {l} in giù è un successo. I "
               "dadi tuoi: {k}, cioè WR {w} e 1 ogni {each} di REP dei tuoi reparti, {rep} in tutto.")
ONE_SUCCESS = both("The dice, {text}, came to 1 success, hits and rout counted in: such units of a kind merge, half of "
                   "them stay, and one alone is lost.",
                   "I dadi, {text}, con i colpi e la rotta davano 1 successo: i reparti uguali a cui succede si "
                   "fondono, ne resta la metà, e uno solo è perso.")


def outcomes(f: Realm, faction: str, events: Iterable[Event]) -> Iterator[Said]:
    """Sentences for each battle of a nation among the events: how it went, how many units it cost, who went home or
    fell back, and what decided it.
    """
    told = list(events)
    for event in told:
        row = f.battles.get(str(event.data.get("battle", ""))) if event.event == "result" else None
        side = f.side_of(row, faction) if row is not None else ""
        if row is None or not side:
            continue
        forms = [(part.hits, unit) for part in f.campaign.table(records.BattleUnit) if part.battle == row.battle
                 and (unit := f.units.get(part.unit)) is not None and unit.faction == faction]
        yield _how_it_went(f, event, row, side, [unit for _, unit in forms])
        yield from _levies_home(f, event, row.side(side)[1])
        if event.turn == f.game.turn:  # later armies may have marched, and have been joined by others
            yield from _what_is_left(f, event, row, side, faction)
        if row.played == "table":
            hits = sum(hits for hits, _ in forms if isinstance(hits, int))
            yield Said(AT_GAMING_TABLE, {"ground": f.provinces[row.node].terrain, "hits": hits}, why=True)
        else:
            yield from _dice_of_side(f, told, row, side, [unit for _, unit in forms])


def _how_it_went(f: Realm, event: Event, row: Battle, side: str, units: list[Unit]) -> Said:
    """Who won and who attacked, and how many of a nation's units were lost; a levy's that only went home are not."""
    winner = str(event.data["how"])
    how = DRAW if winner == DRAW else "won" if winner == side else "lost"
    lost = sum(unit.left_turn == event.turn and (unit.state in ("lost", "merged") or (
        unit.state == "disbanded" and how == "lost" and not _is_levy(f, unit.army))) for unit in units)
    enemies = row.defender if side == ATTACKER else row.attacker
    ruled = side == DEFENDER and enemies in f.nations and f.nations[enemies].role == "npc"
    return Said(OUTCOME, {
        "how": Said(HOW_IT_WENT[how], {"battle": row.battle, "enemies": enemies}),
        "who": Said(BY_RULES, {"enemies": enemies}) if ruled else Said(WHO_ATTACKED[side]),
        "k": lost or "", "n": len(units), "all": len(units) if units and not lost else ""})


def _is_levy(f: Realm, army: str) -> bool:
    return army in f.armies and f.armies[army].kind == "levy"


def _levies_home(f: Realm, event: Event, armies: Iterable[str]) -> Iterator[Said]:
    """A levy that went home after its battle, with its captain if he lives."""
    captains = {str(told.data["army"]): str(told.data["leader"]) for told in f.campaign.table(Event)
                if told.event == "levy_raised"}
    for code in filter(partial(_is_levy, f), armies):
        home = sum(unit.army == code and unit.state == "disbanded" for unit in f.units)
        leader = f.leaders.get(captains.get(code, ""))
        if f.armies[code].left_turn == event.turn:
            yield Said(LEVY_GOES_HOME, {
                "army": code, "n": home or "",
                "leader": leader.leader if leader is not None and leader.state == "gone" else ""})


def _what_is_left(f: Realm, event: Event, row: Battle, side: str, faction: str) -> Iterator[Said]:
    """Where a nation's beaten armies went, and how many units the other side lost, before a siege takes more."""
    theirs = row.side(DEFENDER if side == ATTACKER else ATTACKER)[1]
    arrayed = next((told.data["k" if side == ATTACKER else "n"] for told in f.campaign.table(Event)
                    if told.event == "arrayed" and told.data["battle"] == row.battle), 0)
    if arrayed and f.game.phase == "siege" and not any(map(partial(_is_levy, f), theirs)):
        yield Said(ENEMY_LEFT, {"k": sum(f.armies[code].units for code in theirs), "n": arrayed})
    if event.data["how"] not in (side, DRAW):
        yield from (Said(FALLS_BACK, {"army": army.army, "node": army.node})
                    for army in f.active_armies(row.side(side)[1])
                    if army.faction == faction and army.units and army.node not in ("", row.node))


def _dice_of_side(f: Realm, told: Iterable[Event], row: Battle, side: str, units: list[Unit]) -> Iterator[Said]:
    """What decided a battle off the table, and what the dice of a nation that was alone on its side were made of."""
    clash = next((event for event in told if event.event == "clash" and event.data["battle"] == row.battle), None)
    thrown = {roll["key"].rpartition("/")[2]: roll for roll in (clash.roll or {}).get("rolls", ())} if clash else {}
    if clash is None or side not in thrown or len(f.parties(row, side)) > 1:
        return
    dice, each, rep = len(thrown[side]["faces"]), Numbers.of(f).auto_die_rep, sum(unit.rep for unit in units)
    own, other = (clash.data["n"], clash.data["m"])[::1 if side == ATTACKER else -1]
    if dice >= rep // each > 0:
        yield Said(BY_DICE, {"n": own, "m": other, "l": thrown[side]["limit"], "k": dice, "w": dice - rep // each,
                             "each": each, "rep": rep}, why=True)


def why_gone(f: Realm, event: Event) -> Said | None:
    """Why a unit merged, or was lost where it found no other to merge with; else the event itself tells the throw."""
    text = next((die.value for die in f.campaign.table(TurnDie) if die.turn == event.turn and not event.roll
                 and event.rule != "RT" and die.key == f"recovery/{event.data['unit']}"), "")
    return Said(ONE_SUCCESS, {"text": text}) if text else None


PLACE_AND_SEASON = both("{node:the}, {terrain}, {season}.", "{node:il}, {terrain}, {season}.")
WHERE = both("Where", "Dove")
AT_STAKE = both("At stake", "In gioco")
FORT_THERE = both("There is a fort, into which an orderly retreat of the defender leads.",
                  "C'è un forte, in cui porta una ritirata ordinata del difensore.")
RAID = both("A raid: whoever wins, the province stays its owner's.",
            "Una razzia: chiunque vinca, la provincia resta di chi la possiede.")
HOW_ROLES_ARE_THROWN = both(
    "Each side throws the WR of its lead, +1 with a Scout; the higher attacks on the table, the invader if equal. The "
    "other adds +1 for Guerilla, +1 for Ambush, -1 for Ever ready and +1 for Never ready on the other side: strictly "
    'more is an ambush. Then the attacker deploys in sections 2, 5 and 8, the ambusher anywhere but 5, at least 18" '
    "away; Armored units as usual.",
    "Ogni parte tira la WR di chi la guida, +1 con un Esploratore; al tavolo attacca chi ha di più, l'invasore se "
    "pari. L'altro aggiunge +1 per la guerriglia, +1 per Imboscata, -1 per Sempre pronto e +1 per Mai pronto "
    "dell'avversario: se supera è un'imboscata. Allora l'attaccante schiera nelle sezioni 2, 5 e 8, chi tende "
    "l'imboscata ovunque tranne la 5, ad almeno 18\"; i reparti Corazzati come al solito.")
ROLES = both("Roles", "Ruoli")
UNITS_OF_BOTH_SIDES = both(
    "The attacker has {n} {n?unit|units}, {m} of them mounted; the defender {k}, {l} of them mounted.",
    "L'attaccante ha {n} {n?reparto|reparti}, di cui {m} a cavallo; il difensore {k}, di cui {l} a cavallo.")
COMA = both("A commander who falls on the table lies in a coma until the battle is over.",
            "Un comandante che cade al tavolo resta in coma fino alla fine della battaglia.")


def _common_lines(battle: FoughtBattle) -> Iterator[Said]:
    f, row = battle.f, battle.row
    node = f.provinces[row.node]
    yield Said(PLACE_AND_SEASON,
               {"node": node.node, "terrain": node.terrain, "season": SEASON_NAMES[f.season][0].lower()}, WHERE)
    yield Said(STAKES[row.kind or "field"], {"start": row.start_node}, AT_STAKE)
    # In a relief the besiegers defend, and the fort is not theirs.
    if node.fort and row.kind not in ("meeting", "relief"):
        yield Said(FORT_THERE, {}, AT_STAKE)
    if row.raid:
        yield Said(RAID, {}, AT_STAKE)
    if row.kind != "meeting" and Numbers.of(f).table_roles == "rolled":
        yield Said(HOW_ROLES_ARE_THROWN, {}, ROLES)
    # Units are their nation's secret, and their number is told by the event alone.
    for told in f.campaign.table(Event).where(lambda event: event.event == "arrayed"):
        if told.data["battle"] == row.battle:
            yield Said(UNITS_OF_BOTH_SIDES, {name: told.data[name] for name in "nmkl"}, AT_STAKE)
    yield Said(COMA, {}, AT_STAKE)


def zone_of_command(f: Realm, leader: Leader) -> int:
    """The zone of command of a commander in inches (CC, ST, WK)."""
    rules, has = Numbers.of(f), f.attributes(leader)
    factor = rules.zoc_charisma if "charisma" in has else rules.zoc_poor if "poor_charisma" in has else rules.zoc_factor
    return factor * leader.reputation + (rules.zoc_unremarkable if "unremarkable" in has else 0)


ZONE_WITH_CHARISMA = both("{leader} has Charisma: the zone is {n} {n?time|times} the reputation, not {j}.",
                          "{leader} ha Carisma: la zona è {n} {n?volta|volte} la reputazione invece di {j}.")
ZONE_WITH_POOR_CHARISMA = both("{leader} has Poor charisma: the zone is {n} {n?time|times} the reputation, not {j}.",
                               "{leader} ha Poco carisma: la zona è {n} {n?volta|volte} la reputazione invece di {j}.")
ZONE_OF_UNREMARKABLE = both('{leader} is Unremarkable: {n}" on the zone.', '{leader} è Anonimo: {n}" alla zona.')


def _zone_changes(f: Realm, leader: Leader) -> Iterator[Said]:
    """How a commander's known attributes change his zone of command."""
    rules, has = Numbers.of(f), f.attributes(leader)
    told = {"leader": leader.leader, "j": rules.zoc_factor}
    if "charisma" in has:
        yield Said(ZONE_WITH_CHARISMA, {**told, "n": rules.zoc_charisma})
    elif "poor_charisma" in has:
        yield Said(ZONE_WITH_POOR_CHARISMA, {**told, "n": rules.zoc_poor})
    if "unremarkable" in has:
        yield Said(ZONE_OF_UNREMARKABLE, {"leader": leader.leader, "n": f"{rules.zoc_unremarkable:+d}"})


ZONE_OF_COMMAND = both("Zone of command", "Zona di comando")
WHAT_ZONE_DOES = both("Units within the zone of command of their commander add 1 to their morale tests.",
                      "I reparti nella zona di comando del loro comandante aggiungono 1 alle prove di morale.")
WHAT_MAY_CHANGE_ZONE = both("Charisma makes it {n} {n?time|times} the reputation, not {j}, Poor charisma {m}; "
                            'Unremarkable counts {c}". Of the other side you see only what its weapons give.',
                            "Con Carisma è {n} {n?volta|volte} la reputazione, non {j}, con Poco carisma {m}; Anonimo "
                            'conta {c}". Della parte avversa vedi solo ciò che danno le sue armi.')


def _zones(f: Realm, *, all_known: bool) -> Iterator[Said]:
    """What a zone of command does, and which hidden attributes may change it."""
    rules = Numbers.of(f)
    yield Said(WHAT_ZONE_DOES)
    if not all_known:
        yield Said(WHAT_MAY_CHANGE_ZONE, {"n": rules.zoc_charisma, "j": rules.zoc_factor, "m": rules.zoc_poor,
                                          "c": f"{rules.zoc_unremarkable:+d}"})


SIDE_LABELS = {ATTACKER: both("Attacker", "Attaccante"), DEFENDER: both("Defender", "Difensore")}
ARMIES_OF_SIDE = both("{faction:the}: {armies}.", "{faction:il}: {armies}.")
WHERE_ARMY_COMES_FROM = both("{army} comes from {start:the}.", "{army} viene da {start}.")
COMMANDER_LINE = both('{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}".',
                      '{leader}, {rank}: reputazione {n}, WR {w}, zona di comando {z}".')
COMMANDER_LINE_IF_UNKNOWN = both(
    '{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}" unless attributes that you do not know change it.',
    '{leader}, {rank}: reputazione {n}, WR {w}, zona di comando {z}", se non la cambiano attributi che non conosci.')
MARSHAL_IS_STAR = both("{leader} is a Star and Larger than Life, as every marshal.",
                       "{leader} è una Stella e Più grande della vita, come ogni maresciallo.")


def _commanders(side: BattleSide, *, known: bool) -> Iterator[Said]:
    """The armies of a side with their starts, and its commanders. `known`: whether their attributes are known."""
    f = side.f
    yield Said(ARMIES_OF_SIDE, {"faction": side.head, "armies": " ".join(side.armies)})
    for army, _, start in (word.partition("=") for word in side.battle.row.starts.split()):
        if army in side.armies and start:
            yield Said(WHERE_ARMY_COMES_FROM, {"army": army, "start": start})
    for leader in side.cincs:
        yield Said(COMMANDER_LINE if known else COMMANDER_LINE_IF_UNKNOWN,
                   {"leader": leader.leader, "rank": leader.rank, "n": leader.reputation, "w": f.wr_now(leader),
                    "z": zone_of_command(f, leader)})
        yield from _zone_changes(f, leader)
        if leader.rank == "marshal":
            yield Said(MARSHAL_IS_STAR, {"leader": leader.leader})


YOUR_SIDE = both("Your side", "La tua parte")
UNIT_LINE = both("{unit}: REP {n}, morale {m}, AC {c}, {arms}.", "{unit}: REP {n}, morale {m}, CA {c}, {arms}.")
NAMED_UNIT_LINE = both("{unit}, {text}: REP {n}, morale {m}, AC {c}, {arms}.",
                       "{unit}, {text}: REP {n}, morale {m}, CA {c}, {arms}.")
LARGER_THAN_LIFE = both("{leader} is Larger than Life.", "{leader} è Più grande della vita.")
ATTRIBUTE_LINE = both("{leader}, {text}.", "{leader}, {text}.")
WHEN_ATTRIBUTE_TESTS_FAIL = both("A test of an attribute with one success has failed, too.",
                                 "Una prova di un attributo con un solo successo è fallita anch'essa.")
ARMY_TYPE_BY_DIE = both("Army type {text}, by a die.", "Tipo d'esercito {text}, con un dado.")
WHEN_RULES_RETREAT = both("Once {n}% of its units are routed or destroyed {faction:the} may order it.",
                          "Quando il {n}% delle sue unità è in rotta o distrutto, {faction:il} può ordinarla.")


def _own_side_lines(side: BattleSide) -> Iterator[Said]:
    f = side.f
    for lines in (_unit_lines, _skills, _handicap_lines, _roles, _attribute_lines):
        yield from lines(side)
    types = {army_type.roll: army_type for army_type in f.campaign.table(records.ArmyType)}
    letter = f.nations[side.head].army_type
    if types:
        by_die = ", ".join(f"{roll} {getattr(types[roll], letter)}" for roll in sorted(types))
        yield Said(ARMY_TYPE_BY_DIE, {"text": f"{letter}: {by_die}"})
    yield _retreat_odds(side)
    if f.self_run(side.head):
        yield Said(WHEN_RULES_RETREAT, {"n": Numbers.of(f).npc_retreat_pct, "faction": side.head})


def _attribute_lines(side: BattleSide) -> Iterator[Said]:
    """What the attributes of each commander do on the table."""
    f = side.f
    known = {attribute.code: attribute for attribute in f.campaign.table(records.Attribute)}
    for leader in side.cincs:
        for code in f.attributes(leader):
            row = known.get(code)
            if code == LUCKY_CAPTAIN:
                yield Said(LARGER_THAN_LIFE, {"leader": leader.leader})
            else:
                told = two_texts(row.told_in("en"), row.told_in("it")) if row else {"text": code}
                yield Said(ATTRIBUTE_LINE, {"leader": leader.leader, **told})
    if Numbers.of(f).attr_fail_at != "0" and any(f.attributes(leader) for leader in side.cincs):
        yield Said(WHEN_ATTRIBUTE_TESTS_FAIL)


def _unit_lines(side: BattleSide) -> Iterator[Said]:
    """Each unit with its REP for this battle; a unit with a name of its own is called by its type, too."""
    f = side.f
    kinds = {(row.faction, row.type): f.names_of_troops(row) for row in f.recruits}
    for unit in side.units:
        kind, kind_it = kinds.get((MERCENARIES if unit.mercenary else unit.faction, unit.type), (unit.type, ""))
        rep = unit.rep + (side.fights_in_siege and unit.has("siege")) + (
            side.name == ATTACKER and unit.has("offensive"))
        unexplained = [part for part in unit.skills.split() if not _skill_key(f, part)]
        yield Said(UNIT_LINE if unit.name == kind else NAMED_UNIT_LINE,
                   {"unit": unit.unit, **two_texts(kind, kind_it), "n": rep, "m": f.morale_now(unit), "c": unit.ac,
                    "arms": [*unit.arm.split(), *unexplained]})


def _skill_key(f: Realm, skill: str) -> str:
    """The key of a skill's text in `SKILLS`; "" for a skill that somebody made up."""
    dice, rules = MeleeNumbers.of(f), Numbers.of(f)
    by_switch = {"defensive": f"defensive {dice.def_unit_dice}", "guerilla": f"guerilla {rules.guerilla_stack}",
                 "desert": "desert snow" if dice.desert_skill == "snow" else "desert"}
    key = by_switch.get(skill, skill)
    return key if key in SKILLS or key == UPKEEP_SKILL else ""


def _skills(side: BattleSide) -> Iterator[Said]:
    """What the units' skills do on the table, and who has each."""
    known = {_skill_key(side.f, skill): skill for unit in side.units for skill in unit.skills.split()}
    for key, text in SKILLS.items():
        if key in known:
            yield Said(text, {"units": " ".join(unit.unit for unit in side.units if unit.has(known[key]))})


EXHAUSTED_UNITS = both("Exhausted, with one morale less: {units}.", "Esauste, con un punto di morale in meno: {units}.")
DICE_LOST_IN_DESERT = both("Desert: {n} attack {n?die|dice} less in melee.",
                           "Deserto: {n} {n?dado|dadi} d'attacco in meno in mischia.")


def _handicap_lines(side: BattleSide) -> Iterator[Said]:
    """Exhausted units, and dice lost to season and terrain."""
    f, terrain = side.f, side.f.provinces[side.battle.row.node].terrain
    tired = " ".join(unit.unit for unit in side.units if unit.exhausted)
    if tired:
        yield Said(EXHAUSTED_UNITS, {"units": tired})
    for skill in ("winter",) * (f.season == "Wi") + (terrain,):
        if skill in GROUNDS:
            yield Said(GROUNDS[skill])
    desert_dice = MeleeNumbers.of(f).desert_dice
    if desert_dice and terrain == "desert":
        yield Said(DICE_LOST_IN_DESERT, {"n": desert_dice})


def lead_rep_bonus(side: BattleSide) -> int:
    """What a side's lead adds to the REP of the unit he is with (ST, WK)."""
    has = side.f.attributes(side.lead)
    by_side = {ATTACKER: ("attack_expert" in has) - ("lazy_attacker" in has), DEFENDER: int("defensive_expert" in has)}
    return by_side[side.name] + (side.fights_in_siege and "siege_master" in has)


def ambush(side: BattleSide) -> dict[str, int]:
    """What a side brings to the throws before a battle: `dice`, `scout`; `own`, what it adds to an ambush of its own,
    and `theirs`, to one of the other side (AM).
    """
    has = {code for leader in side.cincs for code in side.f.attributes(leader)}
    guerilla = side.skill_count("guerilla")
    if Numbers.of(side.f).guerilla_stack == "once":
        guerilla = min(1, guerilla)
    return {"dice": side.lead_wr, "scout": int("scout" in has), "own": guerilla + ("ambush" in has),
            "theirs": ("never_ready" in has) - ("ever_ready" in has)}


REP_WITH_LEAD = both("The unit that {leader} is with fights with {n} to its REP.",
                     "Il reparto con cui sta {leader} combatte con {n} alla REP.")
DICE_FOR_ROLES = both("{faction:the}, for who attacks: {n} {n?die|dice}, {m} added.",
                      "{faction:il}, per chi attacca: {n} {n?dado|dadi}, {m} in aggiunta.")
NO_AMBUSH = both("All units are Armored: no ambush.", "Tutti i reparti sono corazzati: niente imboscata.")
AMBUSH_BONUSES = both("An ambush of one's own: {n} added; one of the other side: {m}.",
                      "Un'imboscata propria: {n} in aggiunta; una della parte avversa: {m}.")


def _roles(side: BattleSide) -> Iterator[Said]:
    """The side's dice for roles and ambush, and the REP of its lead's unit."""
    more, has = lead_rep_bonus(side), ambush(side)
    if side.lead is not None and more:
        yield Said(REP_WITH_LEAD, {"leader": side.lead.leader, "n": f"{more:+d}"})
    # In a meeting nobody has what a defender has (MV), so who attacks does not matter.
    if side.battle.row.kind == "meeting":
        return
    if Numbers.of(side.f).table_roles == "rolled":
        yield Said(DICE_FOR_ROLES, {"faction": side.head, "n": has["dice"], "m": has["scout"]})
    if side.units and side.skill_count("armored") == len(side.units):
        yield Said(NO_AMBUSH)
    else:
        yield Said(AMBUSH_BONUSES, {"n": has["own"], "m": has["theirs"]})


RETREAT_ODDS = both("A retreat of {faction:the}: {n} {n?die|dice}, {m} {m?success|successes} added; in order {a}, "
                    "only the Elite {b}, disbands {c}.",
                    "Ritirata {faction:di}: {n} {n?dado|dadi}, {m} {m?successo aggiunto|successi aggiunti}; in ordine "
                    "{a}, solo i reparti d'élite {b}, si scioglie {c}.")


def _retreat_odds(side: BattleSide) -> Said:
    """The odds of each row of the retreat table (RT)."""
    n, change = side.lead_wr, sum(side.retreat_mods.values())
    ways = Counter[str]()
    for hits in range(n + 1):
        ways[RETREAT_ROWS.at(hits + change)] += comb(n, hits)
    orderly, elite, none = (percent(Fraction(ways[row], 2 ** n)) for row in ("orderly", "elite_only", "disbands"))
    return Said(RETREAT_ODDS, {"faction": side.head, "n": n, "m": change, "a": orderly, "b": elite, "c": none})


# The melee calculator.


class MeleeNumbers(Rules):
    """Dice that skills and ground give or cost."""

    # SK has a skill against deserts, but ME says nowhere what a desert costs: nothing, unless a table sets it.
    desert_dice: int = assumed(0, both("dice", "dadi"),
                               both("In desert a unit loses {n} attack {n?die|dice}.",
                                    "Nel deserto un reparto perde {n} {n?dado|dadi} d'attacco."))
    # ME prints "-+1" here, which may be one more or one less.
    def_unit_dice: str = choice(
        both("A Defensive unit defends with {option}.", "Un reparto Difensivo difende con {option}."),
        {"1": ("one die more", "un dado in più"), "-1": ("one die less", "un dado in meno")})
    # SK repeats the text of Winter under Desert, so what the skill ignores is anybody's guess.
    desert_skill: str = choice(both("The Desert skill ignores {option}.", "L'abilità Deserto ignora {option}."),
                               desert=("desert", "il deserto"), snow=("snow and winter", "neve e inverno"), source="SK")


CHAPTER = Chapter(both("Melee", "Mischia"), cites("ME", "SK"), MeleeNumbers, events=(
    EventType("melee", both("Melee {text}: {n} and {m} {m?hit|hits}. {roll}.",
                            "Mischia {text}: {n} e {m} {m?colpo|colpi}. {roll}."), "rulings", 5, to=ALL),
), findings=(
    Message("BLD-090", "info",
            both("{melee}: a attacks with {n} {n?die|dice} against {m}, b with {k} against {l}. Expected hits: {x} "
                 "on a, {y} on b; the chance that a does more: {more}. The result comes with the next phase.",
                 "{melee}: a attacca con {n} {n?dado|dadi} contro {m}, b con {k} contro {l}. Colpi attesi: {x} su "
                 "a, {y} su b; probabilità che a ne faccia di più: {more}. Il risultato arriva con la prossima fase.")),
))


SIDES = ("a", "b")
FOE = {"a": "b", "b": "a"}
MOST_BY_NUMBERS, MOST_FLANKS = 4, 2
ARMOUR = {2: -1, 6: 1, 8: 2}
ITALIAN = {row["part"]: row["it"] for row in printed("melee_dice")}
"""Parts of the pools, as an Italian workbook shows them."""


typed_column: Callable[..., Any] = partial(column, edit="club", see="public")
"""A column that anybody may fill in."""


WORDS = ("words, parted by blanks", "parole separate da spazi")
GROUND = ("winter jungle swamp desert",) * 2
HOW = ("cinc rear water wood higher position disorganised",) * 2
"""What a cell may hold; the words are the same in both languages."""


@dataclass(eq=False, repr=False)
class Melee(Record, sheet="Melee", sheet_it="Mischia"):
    """A melee of two units, a and b: who they are, how they meet, and the expected hits."""

    about_en = "The calculator: type two units and how they meet; check says what is to be expected."
    about_it = "La calcolatrice: scrivi due unità e come si scontrano; la verifica dice che cosa aspettarsi."

    melee: str = typed_column(Text(), "Melee", "Mischia", key=True, required=True)
    active: str = typed_column(Choice({"a": "a", "b": "b"}), "Active", "Attiva", default="a")
    first_round: bool = typed_column(Flag(), "First round", "Primo turno", default=True)
    ground: str = typed_column(Text(), "Ground", "Terreno", hint=GROUND)
    rep_a: int = typed_column(Whole(1, 7), "Rep a", "REP a", default=4)
    mount_a: str = typed_column(Choice(records.MOUNTS), "Mount a", "Monta a", default="foot")
    ac_a: int = typed_column(Whole(2, 8), "Ac a", "CA a", default=4)
    arm_a: str = typed_column(Text(), "Arm a", "Armamento a", default="melee", hint=WORDS)
    skills_a: str = typed_column(Text(), "Skills a", "Abilità a", hint=WORDS)
    number_a: int = typed_column(Whole(1), "Number a", "Numero a", default=1)
    flanks_a: int = typed_column(Whole(0, 2), "Flanks a", "Fianchi a")
    how_a: str = typed_column(Text(), "How a", "Come a", width=24, hint=HOW)
    rep_b: int = typed_column(Whole(1, 7), "Rep b", "REP b", default=4)
    mount_b: str = typed_column(Choice(records.MOUNTS), "Mount b", "Monta b", default="foot")
    ac_b: int = typed_column(Whole(2, 8), "Ac b", "CA b", default=4)
    arm_b: str = typed_column(Text(), "Arm b", "Armamento b", default="melee", hint=WORDS)
    skills_b: str = typed_column(Text(), "Skills b", "Abilità b", hint=WORDS)
    number_b: int = typed_column(Whole(1), "Number b", "Numero b", default=1)
    flanks_b: int = typed_column(Whole(0, 2), "Flanks b", "Fianchi b")
    how_b: str = typed_column(Text(), "How b", "Come b", width=24, hint=HOW)
    roll: bool = typed_column(Flag(), "Roll", "Tira")
    attack_a: str = public(Text(), "Attack a", "Attacco a", width=24)
    defence_a: str = public(Text(), "Defence a", "Difesa a", width=24)
    attack_b: str = public(Text(), "Attack b", "Attacco b", width=24)
    defence_b: str = public(Text(), "Defence b", "Difesa b", width=24)
    hits_on_a: str = public(Text(), "Hits on a", "Colpi su a", width=24)
    hits_on_b: str = public(Text(), "Hits on b", "Colpi su b", width=24)
    a_does_more: str = public(Text(), "A does more", "A ne fa di più")
    thrown: str = public(Text(), "Thrown", "Tirato", width=20)
    rolled: bool = given(Flag(), "Rolled", "Fatto", last=True)

    @property
    def hold(self) -> Hold:
        """Anybody may add and change rows; each phase recalculates them."""
        return "typed"


def words_in(*cells: str) -> set[str]:
    """The words that somebody typed into cells, parted by blanks or commas."""
    return {word for cell in cells for word in cell.casefold().replace(",", " ").split()}


class MeleeUnit:
    """One side of a row."""

    def __init__(self, row: Melee, side: str) -> None:
        self.side = side
        self.rep, self.mount, self.ac, self.number, self.flanks = (
            getattr(row, f"{name}_{side}") for name in ("rep", "mount", "ac", "number", "flanks"))
        self.how = words_in(getattr(row, f"how_{side}"))
        self.has = words_in(getattr(row, f"arm_{side}"), getattr(row, f"skills_{side}"))


def attack_dice(f: Realm, row: Melee, me: MeleeUnit, foe: MeleeUnit) -> dict[str, int]:
    """The attack dice of a unit, by name."""
    first, has, ground = row.first_round, me.has, words_in(row.ground)
    weathered = "winter" in has or ("desert" in has and MeleeNumbers.of(f).desert_skill == "snow")
    # Of an odd REP the odd die attacks: ME rounds half the REP up here, and down for the defence.
    return {"REP": ceil(me.rep / 2), "active": int(row.active == me.side),
            "mounted": int(me.mount == "mounted" and foe.mount == "foot"), "chagar": int("chagar" in has),
            "spear": int("spear" in has and foe.mount == "mounted"), "shock": int(first and "shock" in has),
            "numbers": min(MOST_BY_NUMBERS, max(0, ceil(me.number / foe.number) - 1)),
            "commander": int("cinc" in me.how), "flanks": min(MOST_FLANKS, me.flanks), "rear": 2 * ("rear" in me.how),
            "defensive": -int("defensive" in has), "offensive": int("offensive" in has),
            "water": -2 * ("water" in me.how), "terror": int("terror" in has),
            "frenzy": 2 * (first and "frenzy" in has), "elite": int("elite" in has), "fanatic": 2 * ("fanatic" in has),
            "winter": -int("winter" in ground and not weathered),
            "jungle": -2 * ("jungle" in ground and "jungle" not in has),
            "swamp": -3 * ("swamp" in ground and "swamp" not in has),
            "desert": -MeleeNumbers.of(f).desert_dice * ("desert" in ground and not (
                "desert" in has and MeleeNumbers.of(f).desert_skill == "desert")),
            "combined": int(first and "combined" in has), "missile": -int("missile" in has)}


def defence_dice(f: Realm, row: Melee, me: MeleeUnit) -> dict[str, int]:
    """The defence dice of a unit, by name."""
    has, defensive = me.has, int(MeleeNumbers.of(f).def_unit_dice)
    return {"REP": me.rep // 2, "pike": int("pike" in has), "armour": ARMOUR.get(me.ac, 0),
            "higher": int("higher" in me.how), "not active": int(row.active != me.side), "wood": int("wood" in me.how),
            "defensive": defensive * ("defensive" in has), "offensive": -int("offensive" in has),
            "position": 2 * ("position" in me.how), "frenzy": -int(row.first_round and "frenzy" in has),
            "fanatic": -2 * ("fanatic" in has), "skirmish": -int("skirmish" in has),
            "disorganised": -int("disorganised" in me.how)}


def hit_chances(attacks: int, defends: int) -> list[Fraction]:
    """The chance of 0, 1, 2 ... hits of so many attack dice against so many defence dice."""
    # Every die succeeds in half of all throws. A defence die that fails is worth as much as an attack die that
    # succeeds, so hits are what such dice, of both pools together, come to beyond the number of the defence.
    n = attacks + defends
    rest = [Fraction(comb(n, defends + hit), 2 ** n) for hit in range(1, attacks + 1)]
    return [1 - sum(rest, Fraction()), *rest]


def expected_hits(chances: list[Fraction]) -> float:
    """The expected number of hits."""
    return round(float(sum(hit * chance for hit, chance in enumerate(chances))), 3)


class MeleeOdds:
    """The odds of a row.

    `n`: the dice of each pool; `expected_hits`: the expected hits on each side; `texts`: the texts of its columns.
    """

    def __init__(self, f: Realm, row: Melee) -> None:
        units = {side: MeleeUnit(row, side) for side in SIDES}
        pools = {(side, "attack"): attack_dice(f, row, units[side], units[FOE[side]]) for side in SIDES}
        pools |= {(side, "defence"): defence_dice(f, row, units[side]) for side in SIDES}
        self.n = {key: max(0, sum(pool.values())) for key, pool in pools.items()}
        self.on = {side: hit_chances(self.n[FOE[side], "attack"], self.n[side, "defence"]) for side in SIDES}
        on_a, on_b = self.on["a"], self.on["b"]
        more = sum((chance * sum(on_a[:n], Fraction()) for n, chance in enumerate(on_b)), Fraction())
        lang = f.desk.language
        self.texts = {f"{what}_{side}": _pool_text(pool, lang) for (side, what), pool in pools.items()}
        point = "," if lang == "it" else "."
        self.mean = {side: str(expected_hits(self.on[side])).replace(".", point) for side in SIDES}
        self.texts |= {f"hits_on_{side}": f"{self.mean[side]} (" + "; ".join(
            f"{n}: {percent(chance)}" for n, chance in enumerate(self.on[side])) + ")" for side in SIDES}
        self.texts["a_does_more"] = percent(more)


def _pool_text(pool: dict[str, int], lang: str) -> str:
    """A pool with its parts by name: ``6 (REP 3, active 1, ...)``."""
    parts = ", ".join(f"{ITALIAN[name] if lang == 'it' else name} {n}" for name, n in pool.items() if n)
    return f"{max(0, sum(pool.values()))} ({parts})"


def odds_to_tell(f: Realm) -> Iterator[Finding]:
    """The odds of rows that are not calculated yet, as findings for *Check* (BLD-090)."""
    for row in f.campaign.table(Melee):
        odds = MeleeOdds(f, row)
        if any(getattr(row, name) != text for name, text in odds.texts.items()):
            yield Finding("BLD-090", "info", Where(row.sheet, row.melee, "melee"), {
                "melee": row.melee, "n": odds.n["a", "attack"], "m": odds.n["b", "defence"], "k": odds.n["b", "attack"],
                "l": odds.n["a", "defence"], "x": odds.mean["a"], "y": odds.mean["b"],
                "more": odds.texts["a_does_more"]})


def calculate_melees(f: Realm) -> None:
    """Fill in the odds of all rows; throw once for those that ask for it."""
    for row in f.campaign.table(Melee):
        odds = MeleeOdds(f, row)
        for name, text in odds.texts.items():
            setattr(row, name, text)
        if row.roll and not row.rolled:
            _throw(f, row, odds.n)


MELEE = counted(both("Melees of the calculator", "Mischie della calcolatrice"),
                "melee/{Melee*}/{n}/{a|b}/{attack|defence}", dice="d6")


def _throw(f: Realm, row: Melee, n: dict[tuple[str, str], int]) -> None:
    counts: dict[tuple[str, str], Count] = {
        (side, what): f.success_test(MELEE, (row.melee, "1", side, what), n[side, what]) for side, what in n}
    done = {side: max(0, counts[FOE[side], "attack"].total - counts[side, "defence"].total) for side in SIDES}
    row.thrown, row.rolled = f"a {done['a']}, b {done['b']}", True
    f.tell("melee", roll=list(counts.values()), text=row.melee, n=done["a"], m=done["b"])
