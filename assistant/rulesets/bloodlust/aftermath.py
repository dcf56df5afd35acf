"""After battles: fates, retreats, recovery, weapons, loot, conquests (MF, RT, RC, WP, LO, MR, SW)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.bloodlust import battle as battles
from assistant.rulesets.bloodlust import both, sequence
from assistant.rulesets.bloodlust.battle import (
    ATTACKER,
    DEFENDER,
    DRAW,
    SIDES,
    FoughtBattle,
    fill_in_by_dice,
    is_destroyed_by,
    mark_forms_counted,
    other_side,
    read_forms,
)
from assistant.rulesets.bloodlust.realm import (
    Realm,
    UnitTests,
    conquer,
    end_empty_armies,
    end_levy,
    end_siege,
    give_weapon,
    lay_siege,
    move_army,
    remove_unit,
    send_back,
    take_weapon,
    transfer_units,
    unplace_weapon,
)
from assistant.rulesets.bloodlust.records import (
    FATE,
    LEVELS,
    LOOT,
    MORALE_OF,
    RECOVERY,
    RESOURCES,
    RETREAT,
    SIEGE,
    STAYING,
    UNIT_OR_ARMY,
    WEAPON_LOST,
    WON_BATTLES,
    WOUND,
    Army,
    Faction,
    Leader,
    Siege,
    Unit,
    successes,
)
from assistant.rulesets.bloodlust.recruiting import new_weakness
from assistant.turn.chapters import DICE, Chapter, Citation, EventType, Modifier, Rules, modifiers, number, switch
from assistant.turn.dice import RangeTable, Roll
from assistant.turn.event_types import EACH_TIME
from assistant.turn.rulings import Count

# First pass: fates, retreats, recovery, weapons, loot, experience (MF, RT, RC, WP, LO, MR).


FATES_OF_WINNERS = RangeTable.rising("fate_won", (0, "wounded"), (1, "shaken"), (2, "recovered"))
FATES_OF_LOSERS = RangeTable.rising(
    "fate_lost", (0, "dead"), (1, "captured_wounded"), (2, "captured"), (3, "recovered")
)
RETREAT_ROWS = RangeTable.rising("retreat", (0, "disbands"), (1, "elite_only"), (2, "orderly"))
RECOVERY_ROWS = RangeTable.rising("recovery", (0, "lost"), (1, "merge"), (2, "recovered"))
RECOVERS_FROM = 4
"""The die from which a captain who is down recovers."""


def after_battle(f: Realm, battle: FoughtBattle) -> None:
    """All of the first pass for one battle."""
    fallen = _fates(f, battle)
    for side in SIDES:
        if battle.row.retreat == side and battle.armies[side]:
            _retreat(f, battle, side)
    for side in SIDES:
        _recover(f, battle, side)
    _weapons(f, battle, fallen)
    if battle.winner != DRAW:
        side = battle.winner
        loot(f, battle.armies[side], battle.head[side], battle.units[side])
    _experience(f, battle)
    _collapse(f, battle)


# Fates of commanders (MF).


class FateNumbers(Rules):
    """What counts in a commander's fate, and wounds."""

    fate_mods_lost: int = successes(-1, both("A lost battle counts {signed} in a commander's fate.",
                                             "Una battaglia persa vale {signed} nella sorte di un comandante."))
    fate_mods_destroyed: int = successes(-1, both("His unit destroyed counts {signed} in a commander's fate.",
                                                  "La sua unità distrutta vale {signed} nella sorte di un comandante."))
    fate_mods_withdrew: int = successes(0, both("His unit withdrawn counts {signed} in a commander's fate.",
                                                "La sua unità ritirata vale {signed} nella sorte di un comandante."))
    fate_mods_won: int = successes(1, both("A battle won counts {signed} in a commander's fate.",
                                           "Una battaglia vinta vale {signed} nella sorte di un comandante."))
    fate_mods_lucky: int = successes(1, both("Lucky counts {signed} in a commander's fate.",
                                             "Fortunato vale {signed} nella sorte di un comandante."), source="ST")
    wound_seasons: str = switch(both("A wound lasts {option} seasons.", "Una ferita dura {option} stagioni."),
                                options=("1d6",), pattern=DICE)
    captain_fate: Literal["table", "die46"] = switch(
        both("The fate of captains {option}.", "La sorte dei capitani {option}."),
        both("is the marshals' table", "è la tabella dei marescialli"),
        both("is one die: 4 to 6 recovers", "è un dado: da 4 a 6 l'unità si riprende"),
        usual=True)


FATE_EVENTS = (
    EventType("fate", both("{leader}: {outcome}. {roll}.", "{leader}: {outcome}. {roll}."), "battles", 1,
              variants=("by ended", {
                  "wounded": both("{leader} of {faction:the} is wounded. {roll}.",
                                  "{leader}, {faction:di}, riporta una ferita. {roll}."),
                  "shaken": both("{leader} of {faction:the} is shaken. {roll}.",
                                 "{leader}, {faction:di}, ha i nervi scossi. {roll}."),
                  "recovered": both("{leader} of {faction:the} recovers. {roll}.",
                                    "{leader}, {faction:di}, si riprende. {roll}."),
                  "captured": both("{by:the} {by?captures|capture} {leader} of {faction:the}. {roll}.",
                                   "{by:il} {by?cattura|catturano} {leader}, {faction:di}. {roll}."),
                  "captured_wounded": both("{by:the} {by?captures|capture} {leader} of {faction:the}, wounded. {roll}.",
                                           "{by:il} {by?cattura|catturano} {leader}, {faction:di}, con una ferita. "
                                           "{roll}."),
                  " captured": both("{leader} of {faction:the} is taken prisoner. {roll}.",
                                    "Catturato {leader}, {faction:di}. {roll}."),
                  " captured_wounded": both("{leader} of {faction:the} is taken prisoner, wounded. {roll}.",
                                            "Catturato {leader}, {faction:di}, con una ferita. {roll}."),
                  "dead": both("{leader} of {faction:the} is killed. {roll}.", "Muore {leader}, {faction:di}. {roll}."),
                  "gone": both("{leader} leaves {faction:the}. {roll}.", "{leader} lascia {faction:il}. {roll}.")}),
              to=ALL, tries="leader", theme="leader"),
)

both.words({
    "captured_wounded": "prigioniero e ferito", "recovered": "si riprende", "shaken": "scosso", "home": "a casa",
    "main_army": "all'armata principale", "steady": "saldo", "loses_heart": "si scoraggia", "leaves": "se ne va",
    "fell": "il forte cade", "held": "il forte tiene", "relieved": "liberato",
    "morale": "morale", "merge": "si fonde", "fate": "sorte",
})

FATE_CHAPTER = Chapter(both("Marshal's fate", "Sorte del maresciallo"), (Citation("MF", "MF"),), FateNumbers,
                       FATE_EVENTS)


class Fallen(NamedTuple):
    """A commander who is down, of a side of a battle."""

    battle: FoughtBattle
    side: str
    leader: Leader

    @property
    def unit_fate(self) -> str:
        """What became of his unit."""
        return self.battle.leader_row(self.leader).unit_fate


FATE_MODIFIERS: tuple[Modifier[Fallen], ...] = (
    Modifier(both.word("lost", "perso"), lambda man: man.battle.winner == other_side(man.side), "fate_mods_lost"),
    Modifier(both.word("won", "vinto"), lambda man: man.battle.winner == man.side, "fate_mods_won"),
    Modifier(both.word("unit destroyed", "unità distrutta"), lambda man: man.unit_fate == "destroyed",
             "fate_mods_destroyed"),
    Modifier(both.word("unit withdrew", "unità ritirata"), lambda man: man.unit_fate == "withdrew",
             "fate_mods_withdrew"),
    Modifier("lucky", lambda man: "lucky" in man.battle.f.attributes(man.leader), "fate_mods_lucky"),
)
"""What counts in the fate of a commander (MF)."""


def _fates(f: Realm, battle: FoughtBattle) -> list[Leader]:
    """Decide the fate of each commander who is down; return those whose weapons are free."""
    fallen = []
    for side in SIDES:
        for leader in battle.leaders[side]:
            if battle.leader_row(leader).down:
                _fate(f, battle, side, leader)
                taken = leader.state == "captured" and ExperienceNumbers.of(f).captured_weapon == "taken"
                if leader.state == "dead" or taken:
                    fallen.append(leader)
    return fallen


def _fate(f: Realm, battle: FoughtBattle, side: str, leader: Leader) -> None:
    if leader.rank == "hero":
        leader.state, leader.army = "gone", ""
        _tell_fate(f, battle, side, leader, "gone")
        return
    if leader.rank == "captain" and FateNumbers.of(f).captain_fate == "die46":
        roll = f.roll(FATE(leader.leader, n=1))
        well = roll.at_least(RECOVERS_FROM)
        if not well:
            leader.state, leader.until_turn = "wounded", f.later(1)
        _tell_fate(f, battle, side, leader, "recovered" if well else "wounded", roll)
        return
    lost, mods = battle.winner == other_side(side), modifiers(FATE_MODIFIERS, Fallen(battle, side, leader), f.rules)
    count = f.success_test(
        FATE, (leader.leader,), battle.wr[leader.leader], mods, rows=FATES_OF_LOSERS if lost else FATES_OF_WINNERS
    )
    rolls = _apply_fate(f, battle, side, leader, count)
    _tell_fate(f, battle, side, leader, count.verdict, [count, *rolls] if rolls else count)


def _tell_fate(f: Realm, battle: FoughtBattle, side: str, leader: Leader, outcome: str,
               roll: Roll | Count | list[Count | Roll] | None = None) -> None:
    f.tell("fate", roll=roll, leader=leader.leader, outcome=outcome, ended=outcome, faction=leader.faction,
           by=battle.head[other_side(side)])


def _apply_fate(f: Realm, battle: FoughtBattle, side: str, leader: Leader, count: Count) -> list[Roll]:
    """Apply a verdict to a commander; return the throw for his wound, if any."""
    verdict, rolls = count.verdict, []
    nation = f.nations[leader.faction]
    if verdict in ("wounded", "captured_wounded"):
        wound = f.roll(WOUND(leader.leader, dice=FateNumbers.of(f).wound_seasons))
        leader.until_turn = f.later(wound.total)
        rolls.append(wound)
    if verdict == "wounded":
        leader.state = "wounded"
    elif verdict == "shaken":
        leader.wr_change, leader.wr_change_until = -1, f.later(1)
    elif verdict in ("captured", "captured_wounded"):
        leader.state, leader.holder, leader.army = "captured", battle.head[other_side(side)], ""
        if verdict == "captured_wounded":
            new_weakness(f, leader)
    elif verdict == "dead":
        if f.national_leader(leader.faction) is leader:
            nation.leaders_lost += 1
        leader.state, leader.army = "dead", ""
    return rolls


# Retreat and recovery (RT, RC).


class RecoveryNumbers(Rules):
    """What counts in a unit's recovery, and how units merge."""

    recovery_mods_rep: int = successes(
        1, both("Hits up to the REP count {signed} in recovery.", "Colpi fino al REP valgono {signed} nella ripresa."))
    recovery_mods_2rep: int = successes(
        0, both("Hits up to twice the REP count {signed}.", "Colpi fino a due volte il REP valgono {signed}."))
    recovery_mods_3rep: int = successes(
        -1, both("Hits up to three times the REP count {signed}.", "Colpi fino a tre volte il REP valgono {signed}."))
    recovery_mods_not_routed: int = successes(
        1, both("A unit not routed counts {signed}.", "Un reparto non in rotta vale {signed}."))
    merge_with: Literal["army", "side"] = switch(
        both("Units merge within their {option}.", "I reparti si fondono nella stessa {option}."),
        both("army", "armata"), both("side", "parte"))


LOST = both("{unit} {unit?is|are} lost. {roll}.",
            "{unit:il} {unit?è perso|è persa|sono persi|sono perse}. {roll}.")

RECOVERY_EVENTS = (
    EventType("retreat", both("{army} {army?retreats|retreat}: {roll}.",
                              "{army:il} {army?si ritira|si ritirano}: {roll}."), "battles", 2, "RT", to=ALL,
              tries="army"),
    EventType("recovered", both("{unit} {unit?recovers|recover}. {roll}.",
                                "{unit:il} {unit?si riprende|si riprendono}. {roll}."), "battles", 4, to="unit",
              tries="unit"),
    EventType("merged", both("{unit} and {group} become one unit.", "I reparti {unit} e {group} si fondono."),
              "battles", 4,
              means={"group": "piece"}, to="unit", theme="losses", lost="unit"),
    EventType("unit_lost", LOST, "battles", 3, variants=("row", {"lost": LOST}), to="unit", tries="unit",
              theme="losses", lost="unit"),
)

RECOVERY_CHAPTER = Chapter(both("Recovery", "Ripresa"), (Citation("RC", "RC"),), RecoveryNumbers, RECOVERY_EVENTS)


def _retreat(f: Realm, battle: FoughtBattle, side: str) -> None:
    army = in_natural_order(battle.armies[side])[0]
    count = f.success_test(RETREAT, (army,), battle.lead_wr(side), battle.retreat_mods[side], rows=RETREAT_ROWS)
    battle.retreat[side] = count.total
    for unit in battle.units[side]:
        kept = count.at_least(2) or (count.at_least(1) and unit.morale == "elite")
        if not kept and not battle.unit_row(unit).destroyed:
            remove_unit(f, unit, "disbanded")
    f.tell("retreat", roll=count, army=army, row=count.verdict)


class HitUnit(NamedTuple):
    """A unit that was hit in a battle and is not destroyed."""

    battle: FoughtBattle
    unit: Unit

    @property
    def band(self) -> int:
        """How many times its REP its hits come to, 1 to 3 (`recovery_boundary`)."""
        hits, rep = self.battle.hits(self.unit), self.unit.rep
        to_two = hits < 2 * rep or (
            hits == 2 * rep and battles.Numbers.of(self.battle.f).recovery_boundary == "lower")
        return 1 if hits <= rep else 2 if to_two else 3


RECOVERY_MODIFIERS: tuple[Modifier[HitUnit], ...] = (
    Modifier(both.word("few hits", "pochi colpi"), lambda hit: hit.band == 1, "recovery_mods_rep"),
    Modifier(both.word("hits", "colpi"), lambda hit: hit.band == 2, "recovery_mods_2rep"),
    Modifier(both.word("many hits", "molti colpi"), lambda hit: hit.band == 3, "recovery_mods_3rep"),
    Modifier(both.word("not routed", "non in rotta"), lambda hit: not hit.battle.is_routed(hit.unit),
             "recovery_mods_not_routed"),
)
"""What counts in the recovery of a unit (RC)."""


def _recover(f: Realm, battle: FoughtBattle, side: str) -> None:
    """Units that were hit recover, merge or are lost."""
    merging: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in battle.units[side]:
        if not unit.active:
            continue
        hits = battle.hits(unit)
        if battle.unit_row(unit).destroyed or is_destroyed_by(f, unit, hits):
            _lose(f, unit)
        elif hits:
            mods = modifiers(RECOVERY_MODIFIERS, HitUnit(battle, unit), f.rules)
            count = f.rating_test(
                RECOVERY, (unit.unit,), {"morale": f.morale_now(unit)}, mods, [unit.faction], rows=RECOVERY_ROWS
            )
            if count.verdict == "merge":
                place = "" if RecoveryNumbers.of(f).merge_with == "side" else unit.army
                merging.setdefault((unit.faction, unit.type, place), []).append(unit)
            elif count.verdict == "lost":
                _lose(f, unit, count)
            else:
                f.tell("recovered", roll=count, unit=unit.unit)
    for units in merging.values():
        _merge(f, units)


def _lose(f: Realm, unit: Unit, count: Count | None = None) -> None:
    remove_unit(f, unit, "lost")
    f.tell("unit_lost", roll=count, unit=unit.unit, row="lost")


def _merge(f: Realm, units: list[Unit]) -> None:
    """Half of the units that must merge stay, the best of them; a single one is lost."""
    ranked = sorted(units, key=lambda unit: (-MORALE_OF[unit.morale], -unit.xp, natural(unit.unit)))
    staying = ranked[:len(ranked) // 2]
    for n, unit in enumerate(ranked[len(staying):]):
        if not staying:
            _lose(f, unit)
            continue
        remove_unit(f, unit, "merged")
        f.tell("merged", unit=unit.unit, group=staying[n % len(staying)].unit)


# Weapons and experience (WP, MR).


class ExperienceNumbers(Rules):
    """Battles that a unit must win to rise, and the weapons of the fallen."""

    weapon_away: str = switch(both("A lost weapon is away for {option} seasons.",
                                   "Un'arma perduta manca per {option} stagioni."), options=("2d4",),
                              pattern=DICE, source="p61")
    xp_needed_poor: int = number(2, WON_BATTLES,
                                 both("A poor unit rises after {n} {n?battle|battles} won.",
                                      "Un reparto scarso sale dopo {n} {n?vittoria|vittorie}."), minimum=1)
    xp_needed_normal: int = number(3, WON_BATTLES,
                                   both("A normal unit rises after {n} {n?battle|battles} won.",
                                        "Un reparto normale sale dopo {n} {n?vittoria|vittorie}."), minimum=1)
    xp_needed_veteran: int = number(4, WON_BATTLES,
                                    both("A veteran unit rises after {n} {n?battle|battles} won.",
                                         "Un reparto veterano sale dopo {n} {n?vittoria|vittorie}."), minimum=1)
    xp_seasons: Literal["all", "spring_only"] = switch(
        both("Battles won count for experience {option}.", "Le vittorie contano per l'esperienza {option}."),
        both("in all seasons", "in tutte le stagioni"), both("in Spring only", "solo in primavera"))
    captured_weapon: Literal["keep", "taken"] = switch(
        both("The weapon of a captive {option}.", "L'arma di un prigioniero {option}."),
        both("stays with him", "resta con lui"), both("is taken", "è presa"), source="WP")


EXPERIENCE_EVENTS = (
    EventType("promoted", both("{unit}: morale now {level}.", "{unit}: il morale è ora {level}."),
              "battles", 3, to="unit"),
    EventType("experience",
              both("{n} {n?unit|units} of {faction:the} {n?has|have} won once more.",
                   "{n} {n?reparto|reparti} {faction:di} {n?ha|hanno} vinto una volta di più."), "battles", 5,
              to="faction"),
    EventType("counter_reset",
              both("{unit}: the count of victories begins anew.", "{unit}: il conto delle vittorie riparte da zero."),
              "battles", 5,
              to="unit"),
    EventType("weapon_taken",
              both("The weapon {weapon} passes to {leader}.", "L'arma {weapon} passa a {leader}."), "news", 1, "WP",
              to=ALL),
    EventType("weapon_lost",
              both("The weapon {weapon} leaves the world for {n} {n?season|seasons}. {roll}.",
                   "L'arma {weapon} sparisce per {n} {n?stagione|stagioni}. {roll}."), "news", 2, "WP", to=ALL),
)

EXPERIENCE_CHAPTER = Chapter(both("Morale and REP", "Morale e REP"),
                             (Citation("MR", "MR"), Citation("WP", "WP", heading=both("Weapons", "Armi"))),
                             ExperienceNumbers, EXPERIENCE_EVENTS)


def _weapons(f: Realm, battle: FoughtBattle, fallen: Iterable[Leader]) -> None:
    """The weapons of the fallen go to an enemy commander of this battle, or leave the world (WP)."""
    for leader in fallen:
        weapon = f.weapons.get(leader.weapon)
        if weapon is None:
            continue
        enemies = battle.cincs[other_side(battle.side_of(leader.leader))]
        bearer = f.worthiest(enemy
                             for enemy in enemies if enemy.there and enemy.state != "captured" and not enemy.weapon)
        if bearer is not None:
            take_weapon(f, leader)
            give_weapon(f, bearer, weapon)
            f.tell("weapon_taken", weapon=weapon.weapon, leader=bearer.leader)
        else:
            away = f.roll(WEAPON_LOST(weapon.weapon, dice=ExperienceNumbers.of(f).weapon_away))
            unplace_weapon(f, leader, f.later(away.total))
            f.tell("weapon_lost", roll=away, weapon=weapon.weapon, n=away.total)


def _experience(f: Realm, battle: FoughtBattle) -> None:
    """The winner's units gain experience, the loser's lose theirs; nobody stays exhausted (MR)."""
    counts = ExperienceNumbers.of(f).xp_seasons == "all" or f.season == "Sp"
    for side in SIDES:
        learned = [unit for unit in battle.units[side] if unit.active and unit.morale != "elite"]
        for code in f.in_order(unit.faction for unit in learned) if counts and battle.winner == side else ():
            own = [unit for unit in learned if unit.faction == code]
            for unit in own:
                unit.xp += 1
            f.tell("experience", faction=code, n=len(own))
        for unit in battle.units[side]:
            if not unit.active:
                continue
            unit.exhausted = False
            if counts and battle.winner == side:
                _promote(f, unit)
            elif counts and battle.winner == other_side(side) and unit.xp:
                unit.xp = 0
                f.tell("counter_reset", unit=unit.unit)


def _promote(f: Realm, unit: Unit) -> None:
    rules = ExperienceNumbers.of(f)
    needed = {"poor": rules.xp_needed_poor, "normal": rules.xp_needed_normal, "veteran": rules.xp_needed_veteran}
    if unit.morale in needed and unit.xp >= needed[unit.morale]:
        unit.morale, unit.xp = LEVELS[LEVELS.index(unit.morale) + 1], 0
        f.tell("promoted", unit=unit.unit, level=unit.morale)


def _collapse(f: Realm, battle: FoughtBattle) -> None:
    """Note the nations of a beaten side that has no unit left, ad-hoc armies aside."""
    if battle.winner == DRAW:
        return
    side = other_side(battle.winner)
    armies = [code for code in battle.armies[side] if f.armies[code].kind != "levy"]
    if armies and not f.units_in(*armies):
        battle.row.collapsed = " ".join(f.in_order(f.armies[code].faction for code in armies))


# Later passes: ownership, places of armies, Staying at War (TS-Sp11; RT, SW).


EVENTS = (
    EventType("result", both("Battle {battle} {node:at} is drawn.", "La battaglia {battle} {node:dove} finisce pari."),
              "battles", 0, means={"battle": "text"},
              variants=("how",
                        {"attacker": both("Battle {battle} {node:at} is won by the attacker, {winner:the}.",
                                          "La battaglia {battle} {node:dove} è vinta dall'attaccante, {winner:il}."),
                         "defender": both("Battle {battle} {node:at} is won by the defender, {winner:the}.",
                                          "La battaglia {battle} {node:dove} è vinta dal difensore, {winner:il}.")}),
              to=ALL),
    EventType("conquered",
              both("{faction:the} {faction?takes|take} {node:the} from {loser:the}.",
                   "{faction:il} {faction?prende|prendono} {node:il} {loser:a}."), "battles", 0, "p58",
              ("loser", {"": both("{faction:the} {faction?takes|take} {node:the}, which was nobody's.",
                                  "{faction:il} {faction?prende|prendono} {node:il}, che non {node?era|erano} di "
                                  "nessuno.")}),
              means={"loser": "faction"}, to=ALL, theme="place"),
    EventType("raided",
              both("{faction:the} {faction?raids|raid} {node:the}.",
                   "{faction:il} {faction?razzia|razziano} {node:il}."), "battles", 1, "TS-Wi5", to=ALL,
              theme="place"),
)

CHAPTER = Chapter(both("After the battle", "Dopo la battaglia"), (sequence("TS-Sp10"), sequence("TS-Wi5")),
                  events=EVENTS)


LOSER_LOSES_START = ("open", "meeting")
"""Kinds of battle of which the loser loses the start as well."""
ORDERLY = 2
"""Successes of an orderly retreat."""


def resolve_battles(f: Realm) -> None:
    """All battles of the season in four passes."""
    fought = read_forms(f)
    for battle in fought:
        if battle.row.played == "auto":
            fill_in_by_dice(f, battle)
        battle.row.winner = battle.winner
        f.tell("result", battle=battle.row.battle, node=battle.row.node, how=battle.winner,
               winner="" if battle.winner == DRAW else battle.head[battle.winner])
        after_battle(f, battle)
    insides = [_ownership(f, battle) for battle in fought]
    for battle, inside in zip(fought, insides, strict=True):
        _places(f, battle, inside=inside)
    for battle in fought:
        _staying_at_war(f, battle)
        battle.row.status = "played"
        mark_forms_counted(f, battle)
    end_empty_armies(f)


def _ownership(f: Realm, battle: FoughtBattle) -> bool:
    """Second pass: settle who owns the province; return whether the beaten defender is inside its fort."""
    row, node = battle.row, f.provinces[battle.row.node]
    if battle.winner == DEFENDER and row.kind in LOSER_LOSES_START:
        start = f.provinces[row.start_node]
        if start.owner != row.defender:
            conquer(f, start, row.defender)
    if battle.winner != ATTACKER:
        return False
    if row.kind == "relief":
        siege = f.siege_at(row.node)
        if siege is not None:
            end_siege(f, siege, "relieved")
        return False
    if row.raid:
        node.looted_turn = f.turn
        f.tell("raided", faction=row.attacker, node=row.node)
        return False
    if (
        node.fort
        and row.kind != "meeting"
        and battle.retreat.get(DEFENDER, 0) >= ORDERLY
        and _retire_into_fort(f, battle)
    ):
        return True
    conquer(f, node, row.attacker)
    return False


def _retire_into_fort(f: Realm, battle: FoughtBattle) -> bool:
    """Orderly units go into the fort, routed ones to the Reserve; attackers that stay besiege it.

    Returns whether anybody is inside.
    """
    row = battle.row
    for unit in battle.units[DEFENDER]:
        if unit.active and battle.is_routed(unit):
            transfer_units(f, f.reserve(unit.faction), [unit])
    if not f.units_in(*battle.armies[DEFENDER]):
        return False
    within = [code for code in battle.armies[DEFENDER] if f.units_in(code) or f.cincs(code)]
    for code in within:
        move_army(f, f.armies[code], row.node)
    starts, out = _starts(battle), [code for code in battle.armies[ATTACKER] if code not in row.back.split()]
    if out:
        head = next((code for code in out if f.armies[code].faction == row.attacker
                     and starts[code] == row.start_node), out[0])
        lay_siege(f, row.node, f.armies[head].faction, out, within, starts[head])
    return True


def _starts(battle: FoughtBattle) -> dict[str, str]:
    """The province each army came from; by default the start of the battle for an attacker's army."""
    starts = dict.fromkeys(battle.armies[ATTACKER], battle.row.start_node)
    return starts | dict(word.split("=", 1) for word in battle.row.starts.split() if "=" in word)


# --- places of armies -------------------------------------------------------------------------------
def _places(f: Realm, battle: FoughtBattle, *, inside: bool) -> None:
    """The third pass. `inside`: whether the beaten are in their fort."""
    starts = _starts(battle)
    for side in SIDES:
        for code in battle.armies[side]:
            army = f.armies[code]
            if not army.active:
                continue
            if battle.winner == DRAW:
                if code in starts:
                    send_back(f, army, starts[code])
            elif battle.winner == side:
                _place_winner(f, battle, side, army, starts, leaves=inside and code in battle.row.back.split())
            elif not (inside and side == DEFENDER):
                _place_loser(f, battle, side, army, starts)


def _place_winner(
    f: Realm, battle: FoughtBattle, side: str, army: Army, starts: dict[str, str], *, leaves: bool
) -> None:
    row = battle.row
    if side == ATTACKER and (row.raid or leaves):
        send_back(f, army, starts[army.army])
    elif side == DEFENDER and row.kind in LOSER_LOSES_START:
        move_army(f, army, row.start_node)
    else:
        move_army(f, army, row.node)


def _place_loser(f: Realm, battle: FoughtBattle, side: str, army: Army, starts: dict[str, str]) -> None:
    """A beaten army goes to its start, or falls back; without a place it disbands."""
    row = battle.row
    if army.kind != "levy" and row.raid and side == DEFENDER:
        move_army(f, army, row.node)
    elif side in battle.retreat and battle.retreat[side] < ORDERLY:
        _join_nearest_army(f, army, row.node)
    elif army.kind == "levy":
        end_levy(f, army)
    elif side == ATTACKER and row.kind not in LOSER_LOSES_START:
        send_back(f, army, starts[army.army])
    elif row.kind == "relief":
        siege = next((siege for siege in f.sieges if siege.ended == f.turn and army.army in siege.armies), None)
        send_back(f, army, siege.start_node if siege is not None else "")
    else:
        _fall_back(f, army, row.start_node if side == ATTACKER else row.node)


def _fall_back(f: Realm, army: Army, node: str) -> None:
    place = f.fall_back(army.faction, node)
    if place:
        move_army(f, army, place)
        return
    for unit in f.units_in(army.army):
        remove_unit(f, unit, "disbanded")
        f.tell("unit_lost", rule="RT", unit=unit.unit)


def _join_nearest_army(f: Realm, army: Army, node: str) -> None:
    """After a retreat of one success what is left joins an army next door, or disbands."""
    units = f.units_in(army.army)
    main = nearest_army(f, army.faction, f.near(node), army.army)
    if main is not None:
        transfer_units(f, main, units)
    for unit in units if main is None else ():
        remove_unit(f, unit, "disbanded")
    if army.kind == "levy":
        end_levy(f, army)


def _staying_at_war(f: Realm, battle: FoughtBattle) -> None:
    """The fourth pass: an ad-hoc army that is not besieged goes home, its best after a victory perhaps to war (SW)."""
    won = battle.winner == DEFENDER
    for code in in_natural_order(battle.armies[DEFENDER]):
        army = f.armies[code]
        if won and (army.kind == "levy" or StayingNumbers.of(f).staying_who == "all_defenders"):
            stay_or_go(f, army)
        if army.kind == "levy" and army.active and f.besieging(code) is None:
            end_levy(f, army)


# Loot (LO).


class LootNumbers(Rules):
    """What counts in looting, and what a success brings."""

    loot_mods_mercenary: int = successes(
        -1, both("Mercenaries count {signed} in looting.", "I mercenari valgono {signed} nel saccheggio."))
    loot_mods_treasure_hunter: int = successes(
        1, both("A Treasure hunter counts {signed} in looting.",
                "Un Cacciatore di tesori vale {signed} nel saccheggio."), source="ST")
    loot_each: int = number(1, RESOURCES,
                            both("Each success in looting brings {n} {n?resource|resources}.",
                                 "Ogni successo nel saccheggio porta {n} {n?risorsa|risorse}."))
    piorad_loot: Literal["-1", "1"] = switch(both("A people of winter war loots with {option}.",
                                                  "Un popolo che combatte d'inverno saccheggia con {option}."),
                                             both("one success less", "un successo in meno"),
                                             both("one success more", "un successo in più"))


LOOT_EVENTS = (
    EventType("looted",
              both("{faction:the} {faction?loots|loot} {n} {n?resource|resources}. {roll}.",
                   "Il saccheggio {faction:di} frutta {n} {n?risorsa|risorse}. {roll}."), "money", 2,
              variants=("n", {"0": both("{faction:the} {faction?finds|find} nothing to loot. {roll}.",
                                        "Il saccheggio {faction:di} non frutta nulla. {roll}.")}), to=ALL,
              tries="faction"),
)

LOOT_CHAPTER = Chapter(both("Loot", "Saccheggio"), (Citation("LO", "LO"),), LootNumbers, LOOT_EVENTS)


class Looters(NamedTuple):
    """Armies that loot, their nation, and their units."""

    f: Realm
    armies: Sequence[str]
    nation: Faction
    units: Sequence[Unit]


LOOT_MODIFIERS: tuple[Modifier[Looters], ...] = (
    Modifier(both.word("people of winter", "popolo d'inverno"), lambda band: band.nation.has_trait("winter_war"),
             "piorad_loot"),
    Modifier("mercenaries", lambda band: any(unit.mercenary for unit in band.units), "loot_mods_mercenary"),
    Modifier(both.word("treasure hunter", "cacciatore di tesori"),
             lambda band: band.f.any_has("treasure_hunter", *band.armies), "loot_mods_treasure_hunter"),
)
"""What counts in looting (LO)."""


def loot(f: Realm, armies: Sequence[str], code: str, units: Sequence[Unit] = ()) -> None:
    """The armies of a nation loot (LO). `units`: those at the start, if not those of now."""
    rules, nation = LootNumbers.of(f), f.nations[code]
    mods = modifiers(LOOT_MODIFIERS, Looters(f, armies, nation, units or f.units_in(*armies)), f.rules)
    count = f.success_test(LOOT, (in_natural_order(armies)[0],), f.wr_now(f.lead(*armies)), mods)
    gain = max(0, count.total) * rules.loot_each
    nation.resources, nation.looted = nation.resources + gain, nation.looted + gain
    if count.at_most(0) and f.any_has("greedy", *armies):
        for unit in f.units_in(*armies):
            unit.greedy_until = f.later(1)
    f.tell("looted", roll=count, faction=code, n=gain)


# Staying at War (SW).


class StayingNumbers(Rules):
    """Who is tested for staying at war."""

    staying_scope: Literal["unit", "army"] = switch(
        both("Staying at War is tested by {option}.", "La prova di chi resta in guerra si fa per {option}."),
        *UNIT_OR_ARMY)
    staying_who: Literal["adhoc", "all_defenders"] = switch(
        both("Staying at War is for {option}.", "Resta in guerra chi è fra {option}."),
        both("ad-hoc armies", "le armate di leva"), both("all defenders who won", "tutti i difensori vincitori"),
        usual=True)


STAYING_EVENTS = (
    EventType("staying", both("{unit}, staying at war: {row}. {roll}.", "{unit}, chi resta in guerra: {row}. {roll}."),
              "battles", 4,
              variants=("row",
                        {"home": both("{unit} {unit?goes|go} home. {roll}.",
                                      "{unit:il} {unit?torna|tornano} a casa. {roll}."),
                         "main_army": both("{unit} {unit?stays|stay} at war with the main army. {roll}.",
                                           "{unit:il} {unit?resta|restano} in guerra con l'armata principale. {roll}."),
                         "capital": both("{unit} {unit?stays|stay} at war, in the Reserve. {roll}.",
                                         "{unit:il} {unit?resta|restano} in guerra, nella Riserva. {roll}.")}),
              to="unit", tries="unit"),
)

STAYING_CHAPTER = Chapter(both("Staying at War", "Chi resta in guerra"), (Citation("SW", "SW"),), StayingNumbers,
                          STAYING_EVENTS)


STAYING_ROWS = RangeTable.rising("staying", (0, "home"), (1, "main_army"), (2, "capital"))
VETERAN_MORALE = MORALE_OF["veteran"]


def nearest_army(f: Realm, code: str, nodes: Sequence[str], but: str) -> Army | None:
    """The nation's army with a commander and most units in some provinces; on a tie the first id."""
    own = [army for army in f.armies if army.active and army.faction == code and army.node in nodes
           and army.army != but and army.kind == "field" and f.cincs(army.army)]
    return max(own, key=lambda army: len(f.units_in(army.army)), default=None)


def stay_or_go(f: Realm, army: Army) -> None:
    """Staying at War: every unit of an army is tested (SW)."""
    tests = UnitTests(StayingNumbers.of(f).staying_scope, lambda unit: f.success_test(
        STAYING, (unit.unit,), audience=[unit.faction], rows=STAYING_ROWS))
    for unit in f.units_in(army.army):
        count = tests.of(unit)
        row = count.verdict if MORALE_OF[unit.morale] >= VETERAN_MORALE else "home"
        main = nearest_army(f, unit.faction, [army.node, *f.near(army.node)], army.army) if row == "main_army" else None
        if row == "capital":
            transfer_units(f, f.reserve(unit.faction), [unit])
        elif main is not None:
            transfer_units(f, main, [unit])
        else:
            row = "home"
            remove_unit(f, unit, "disbanded")
        f.tell("staying", roll=count, unit=unit.unit, row=row)


# Siege tests (LS).


class SiegeNumbers(Rules):
    """What counts in a siege test, when it is made, and who is captured."""

    siege_mods_siege: int = successes(
        1, both("The Siege skill counts {signed} in a siege.", "L'abilità Assedio vale {signed} in un assedio."))
    siege_mods_Wi: int = successes(  # noqa: N815
        -1, both("Winter counts {signed} in a siege.", "L'inverno vale {signed} in un assedio."))
    siege_mods_Su: int = successes(  # noqa: N815
        1, both("Summer counts {signed} in a siege.", "L'estate vale {signed} in un assedio."))
    siege_scope: Literal["unit", "army"] = switch(
        both("A siege is tested by {option}.", "La prova d'assedio si fa per {option}."), *UNIT_OR_ARMY)
    siege_first_test: Literal["next_season", "same"] = switch(both("A siege is first tested in the {option} season.",
                                                                   "Un assedio si prova la prima volta nella "
                                                                   "stagione {option}."), both("next", "successiva"),
                                                              both("same", "stessa"), usual=True)
    siege_cinc: Literal["captured", "escapes"] = switch(
        both("Commanders in a fort that falls {option}.", "I comandanti in un forte che cade {option}."),
        both("are captured", "sono catturati"), both("escape", "fuggono"), usual=True)


SIEGE_EVENTS = (
    EventType("siege_begins",
              both("{besieger:the} {besieger?besieges|besiege} {node:the}.",
                   "{besieger:il} {besieger?assedia|assediano} {node:il}."), "sieges", 1, to=ALL),
    EventType("siege_ends", both("The siege of {node:the} ends: {how}.", "L'assedio {node:di} finisce: {how}."),
              "sieges", 1, variants=("how", {
                  "fell": both("{node:the} falls to {besieger:the} after a siege.",
                               "Dopo un assedio {node:il} cade in mano {besieger:a}."),
                  "held": both("{node:the} holds out: {besieger:the} {besieger?has|have} no unit left in the siege.",
                               "{node:il} resiste: {besieger:a} non restano reparti nell'assedio."),
                  "lifted": both("{besieger:the} {besieger?lifts|lift} the siege of {node:the}.",
                                 "{besieger:il} {besieger?toglie|tolgono} l'assedio {node:a}."),
                  "relieved": both("{node:the} is relieved: the siege by {besieger:the} is over.",
                                   "{node:il} riceve soccorso: è finito l'assedio {besieger:di}."),
                  "peace": both("Peace ends the siege of {node:the} by {besieger:the}.",
                                "La pace mette fine all'assedio {besieger:di} {node:a}.")}),
              to=ALL),
    EventType("siege_test", both("{unit} in the siege: {row}. {roll}.", "{unit} nell'assedio: {row}. {roll}."),
              "sieges", 4,
              variants=("row",
                        {"steady": both("{unit} {unit?stays|stay} steady in the siege. {roll}.",
                                        "{unit:il} nell'assedio {unit?resta saldo|resta salda|restano saldi|restano "
                                        "salde}. {roll}."),
                         "loses_heart": both("{unit} {unit?loses|lose} heart in the siege. {roll}.",
                                             "{unit:il} {unit?si scoraggia|si scoraggiano} nell'assedio. {roll}."),
                         "leaves": both("{unit} {unit?leaves|leave} the siege. {roll}.",
                                        "{unit:il} {unit?lascia|lasciano} l'assedio. {roll}.")}),
              to=EACH_TIME, tries="unit"),
)

SIEGE_CHAPTER = Chapter(both("Laying a Siege", "Porre un assedio"), (Citation("LS", "LS"),), SiegeNumbers, SIEGE_EVENTS)


SIEGE_ROWS = RangeTable.rising("siege", (0, "leaves"), (1, "loses_heart"), (2, "steady"))
POOR = MORALE_OF["poor"]


class TestedUnit(NamedTuple):
    """A unit in a siege, on either side."""

    f: Realm
    unit: Unit


SIEGE_MODIFIERS: tuple[Modifier[TestedUnit], ...] = (
    Modifier(both.word("siege skill", "abilità d'assedio"), lambda test: test.unit.has("siege"), "siege_mods_siege"),
    Modifier("season", lambda test: test.f.season in ("Wi", "Su"), lambda test: f"siege_mods_{test.f.season}"),
)
"""What counts in a siege test (LS)."""


def test_sieges(f: Realm) -> None:
    """Test each siege that began earlier, in the order of provinces."""
    due = f.sieges.where(lambda siege: not siege.ended and (
        siege.began != f.turn or SiegeNumbers.of(f).siege_first_test == "same"))
    for siege in sorted(due, key=lambda siege: natural(siege.node)):
        _test_siege(f, siege)
    end_empty_armies(f)


def _test_siege(f: Realm, siege: Siege) -> None:
    owner = f.provinces[siege.node].owner
    units = f.units_in(*siege.armies)
    tests = UnitTests(SiegeNumbers.of(f).siege_scope, lambda unit: f.success_test(
        SIEGE, (unit.unit,), mods=modifiers(SIEGE_MODIFIERS, TestedUnit(f, unit), f.rules),
        audience=[siege.besieger, owner], rows=SIEGE_ROWS))
    for unit, count in [(unit, tests.of(unit)) for unit in units]:  # all are tested before anybody leaves
        row = count.verdict
        if row == "loses_heart" and MORALE_OF[unit.morale] - unit.siege_loss <= POOR:
            row = "leaves"
        if row == "leaves":
            remove_unit(f, unit, "disbanded")
        elif row == "loses_heart":
            unit.siege_loss += 1
        f.tell("siege_test", [siege.besieger, owner], roll=count, unit=unit.unit, row=row)
    inside, outside = f.units_in(*siege.armies_in.split()), f.units_in(*siege.armies_out.split())
    if not outside:
        end_siege(f, siege, "held")
    elif not inside:
        _fort_falls(f, siege)


def _fort_falls(f: Realm, siege: Siege) -> None:
    """The fort falls, and whoever commanded in it is captured."""
    for leader in f.cincs(*siege.armies_in.split()):
        leader.army = ""
        if SiegeNumbers.of(f).siege_cinc == "captured":
            leader.state, leader.holder = "captured", siege.besieger
    end_siege(f, siege, "fell")
    conquer(f, f.provinces[siege.node], siege.besieger)
