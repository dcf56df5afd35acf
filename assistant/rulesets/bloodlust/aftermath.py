"""After battles: fates, retreats, recovery, weapons, loot, conquests (MF, RT, RC, WP, LO, MR, SW)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.bloodlust import ROLLS, both, choice, cites, counted, counting, unit_or_army
from assistant.rulesets.bloodlust.battle import RETREAT_ROWS, BattleSide, FoughtBattle, fill_in_by_dice, read_forms
from assistant.rulesets.bloodlust.realm import Realm, UnitTests
from assistant.rulesets.bloodlust.records import LEVELS, MORALE_OF, Army, Faction, Leader, Unit
from assistant.rulesets.bloodlust.recruiting import new_weakness
from assistant.turn.chapters import DICE, Chapter, EventType, Modifier, Rules, number, switch
from assistant.turn.dice import RangeTable, Roll
from assistant.turn.rulings import Count

# First pass: fates, retreats, recovery, weapons, loot, experience (MF, RT, RC, WP, LO, MR).


FATES_OF_WINNERS = RangeTable.rising("fate_won", (0, "wounded"), (1, "shaken"), (2, "recovered"))
FATES_OF_LOSERS = RangeTable.rising(
    "fate_lost", (0, "dead"), (1, "captured_wounded"), (2, "captured"), (3, "recovered"))
RECOVERY_ROWS = RangeTable.rising("recovery", (0, "lost"), (1, "merge"), (2, "recovered"))
RECOVERS_FROM = 4
"""The die from which a captain who is down recovers."""


def after_battle(f: Realm, battle: FoughtBattle) -> None:
    """All of the first pass for one battle."""
    fallen = [(side, leader) for side in battle.sides for leader in side.leaders if battle.leader_row(leader).down]
    for side, leader in fallen:
        _fate(side, leader)
    # A retreat comes before recovery: what it disbands has nothing to recover from.
    for side in battle.sides:
        if battle.row.retreat == side.name and side.armies:
            _retreat(side)
    for side in battle.sides:
        _recover(side)
    disarmed = ("dead", "captured") if ExperienceNumbers.of(f).captured_weapon == "taken" else ("dead",)
    for side, leader in fallen:
        if leader.state in disarmed:
            _pass_on_weapon(side, leader)
    for winner in (side for side in battle.sides if side.won):
        loot(f, winner.armies, winner.head, winner.units)
    for side in battle.sides:
        _experience(side)
    for beaten in (side for side in battle.sides if side.lost):
        _collapse(beaten)


# Fates of commanders (MF).


in_fate = counting("in a commander's fate", "nella sorte di un comandante")


class FateNumbers(Rules):
    """What counts in a commander's fate, and wounds."""

    fate_mods_lost: int = in_fate(-1, "A lost battle counts", "Una battaglia persa vale")
    fate_mods_destroyed: int = in_fate(-1, "His unit destroyed counts", "La sua unità distrutta vale")
    fate_mods_withdrew: int = in_fate(0, "His unit withdrawn counts", "La sua unità ritirata vale")
    fate_mods_won: int = in_fate(1, "A battle won counts", "Una battaglia vinta vale")
    fate_mods_lucky: int = in_fate(1, "Lucky counts", "Fortunato vale", "ST")
    wound_seasons: str = switch(both("A wound lasts {option} seasons.", "Una ferita dura {option} stagioni."),
                                options=("1d6",), pattern=DICE)
    captain_fate: str = choice(both("The fate of captains {option}.", "La sorte dei capitani {option}."),
                               table=("is the marshals' table", "è la tabella dei marescialli"),
                               die46=("is one die: 4 to 6 recovers", "è un dado: da 4 a 6 l'unità si riprende"),
                               usual=True)


FATE_CHAPTER = Chapter(both("Marshal's fate", "Sorte del maresciallo"), cites("MF"), FateNumbers, events=(
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
))


FATE_MODIFIERS: tuple[Modifier[BattleSide, Leader], ...] = (
    Modifier(both.word("lost", "perso"), lambda side, leader: side.lost, "fate_mods_lost"),
    Modifier(both.word("won", "vinto"), lambda side, leader: side.won, "fate_mods_won"),
    Modifier(both.word("unit destroyed", "unità distrutta"),
             lambda side, leader: side.battle.leader_row(leader).unit_fate == "destroyed", "fate_mods_destroyed"),
    Modifier(both.word("unit withdrew", "unità ritirata"),
             lambda side, leader: side.battle.leader_row(leader).unit_fate == "withdrew", "fate_mods_withdrew"),
    Modifier("lucky", lambda side, leader: "lucky" in side.f.attributes(leader), "fate_mods_lucky"),
)
"""What counts in the fate of a commander (MF)."""
FATE = counted(both("Fates of commanders", "Sorti dei comandanti"), "fate/{Leaders*}", dice="d6")


def _fate(side: BattleSide, leader: Leader) -> None:
    """Decide the fate of a commander who is down (MF)."""
    f, outcome, rolls = side.f, "gone", list[Count | Roll]()
    # Fates are for commanders: a hero who falls leaves the service.
    if leader.rank == "hero":
        leader.state, leader.army = "gone", ""
    elif leader.rank == "captain" and FateNumbers.of(f).captain_fate == "die46":
        rolls.append(f.roll(FATE(leader.leader, n=1)))
        outcome = "recovered" if rolls[0].at_least(RECOVERS_FROM) else "wounded"
        if outcome == "wounded":
            leader.state, leader.until_turn = "wounded", f.later(1)
    else:
        # After a draw both sides read the winners' column (MF).
        count = f.success_test(FATE, (leader.leader,), side.wr[leader.leader],
                               f.modifiers(FATE_MODIFIERS, side, leader),
                               rows=FATES_OF_LOSERS if side.lost else FATES_OF_WINNERS)
        outcome = count.verdict
        rolls += [count, *_apply_fate(side, leader, outcome)]
    f.tell("fate", roll=rolls, leader=leader.leader, outcome=outcome, ended=outcome, faction=leader.faction,
           by=side.foe.head)


WOUND = ROLLS.purpose(both("Wounds", "Ferite"), "wound/{Leaders*}", "d6")


def _apply_fate(side: BattleSide, leader: Leader, verdict: str) -> list[Roll]:
    """Apply a verdict to a commander; return the throw for his wound, if any."""
    f, rolls = side.f, list[Roll]()
    if verdict in ("wounded", "captured_wounded"):
        rolls.append(f.roll(WOUND(leader.leader, dice=FateNumbers.of(f).wound_seasons)))
        leader.until_turn = f.later(rolls[0].total)
    if verdict == "wounded":
        leader.state = "wounded"
    elif verdict == "shaken":
        leader.wr_change, leader.wr_change_until = -1, f.later(1)
    elif verdict in ("captured", "captured_wounded"):
        leader.state, leader.holder, leader.army = "captured", side.foe.head, ""
        if verdict == "captured_wounded":
            new_weakness(f, leader)
    elif verdict == "dead":
        if f.national_leader(leader.faction) is leader:
            f.nations[leader.faction].leaders_lost += 1
        leader.state, leader.army = "dead", ""
    return rolls


# Retreat and recovery (RT, RC).


in_recovery = counting("in recovery", "nella ripresa")


class RecoveryNumbers(Rules):
    """What counts in a unit's recovery, and how units merge."""

    recovery_mods_rep: int = in_recovery(1, "Hits up to the REP count", "Colpi fino al REP valgono")
    recovery_mods_2rep: int = in_recovery(0, "Hits up to twice the REP count {signed}",
                                          "Colpi fino a due volte il REP valgono {signed}")
    recovery_mods_3rep: int = in_recovery(-1, "Hits up to three times the REP count {signed}",
                                          "Colpi fino a tre volte il REP valgono {signed}")
    recovery_mods_not_routed: int = in_recovery(1, "A unit not routed counts {signed}",
                                                "Un reparto non in rotta vale {signed}")
    merge_with: str = choice(both("Units merge within their {option}.", "I reparti si fondono nella stessa {option}."),
                             army=("army", "armata"), side=("side", "parte"))


LOST = both("{unit} {unit?is|are} lost. {roll}.", "{unit:il} {unit?è perso|è persa|sono persi|sono perse}. {roll}.")

RECOVERY_CHAPTER = Chapter(both("Recovery", "Ripresa"), cites("RC"), RecoveryNumbers, events=(
    EventType("retreat", both("{army} {army?retreats|retreat}: {roll}.",
                              "{army:il} {army?si ritira|si ritirano}: {roll}."), "battles", 2, "RT", to=ALL,
              tries="army"),
    EventType("recovered", both("{unit} {unit?recovers|recover}. {roll}.",
                                "{unit:il} {unit?si riprende|si riprendono}. {roll}."), "battles", 4, to="unit",
              tries="unit"),
    EventType("merged", both("{unit} and {group} become one unit.", "I reparti {unit} e {group} si fondono."),
              "battles", 4, means={"group": "piece"}, to="unit", theme="losses", lost="unit"),
    EventType("unit_lost", LOST, "battles", 3, variants=("row", {"lost": LOST}), to="unit", tries="unit",
              theme="losses", lost="unit"),
))

RETREAT = counted(both("Retreats", "Ritirate"), "retreat/{Armies*}", dice="d6")


def _retreat(side: BattleSide) -> None:
    f, army = side.f, in_natural_order(side.armies)[0]
    count = f.success_test(RETREAT, (army,), side.lead_wr, side.retreat_mods, rows=RETREAT_ROWS)
    side.retreat = count.total
    for unit in side.units:
        kept = count.at_least(2) or (count.at_least(1) and unit.morale == "elite")
        if not kept and not side.battle.unit_row(unit).destroyed:  # the destroyed are lost, which is told below
            f.remove(unit)
    f.tell("retreat", roll=count, army=army, row=count.verdict)


RECOVERY_MODIFIERS: tuple[Modifier[FoughtBattle, Unit], ...] = (
    Modifier(both.word("few hits", "pochi colpi"), lambda battle, unit: battle.hit_band(unit) == 1,
             "recovery_mods_rep"),
    Modifier(both.word("hits", "colpi"), lambda battle, unit: battle.hit_band(unit) == 2, "recovery_mods_2rep"),
    Modifier(both.word("many hits", "molti colpi"), lambda battle, unit: battle.hit_band(unit) == 3,
             "recovery_mods_3rep"),
    Modifier(both.word("not routed", "non in rotta"), lambda battle, unit: not battle.is_routed(unit),
             "recovery_mods_not_routed"),
)
"""What counts in the recovery of a unit (RC)."""
RECOVERY = counted(both("Recoveries", "Riprese"), "recovery/{Units*}")


def _recover(side: BattleSide) -> None:
    """Units that were hit recover, merge or are lost."""
    f, battle, merging = side.f, side.battle, dict[tuple[str, str, str], list[Unit]]()
    for unit in [unit for unit in side.units if unit.active]:
        hits = battle.hits(unit)
        if battle.unit_row(unit).destroyed or battle.is_destroyed_by(unit, hits):
            _lose(f, unit)
        elif hits:
            count = f.rating_test(RECOVERY, (unit.unit,), {"morale": f.morale_now(unit)},
                                  f.modifiers(RECOVERY_MODIFIERS, battle, unit), [unit.faction], rows=RECOVERY_ROWS)
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
    f.remove(unit, state="lost")
    f.tell("unit_lost", roll=count, unit=unit.unit, row="lost")


def _merge(f: Realm, units: list[Unit]) -> None:
    """Half of the units that must merge stay, the best of them; a single one is lost."""
    ranked = sorted(units, key=lambda unit: (-MORALE_OF[unit.morale], -unit.xp, natural(unit.unit)))
    # Half of those that merge stay, rounded down: one alone is lost (RC).
    half = len(ranked) // 2
    for n, unit in enumerate(ranked[half:]):
        if half:
            f.remove(unit, state="merged")
            f.tell("merged", unit=unit.unit, group=ranked[n % half].unit)
        else:
            _lose(f, unit)


# Weapons and experience (WP, MR).


def wins_needed(default: int, unit: str, reparto: str) -> int:
    """Declare after how many battles won the units of a level rise."""
    return number(default, "battles", both.made(f"{unit} rises after {{n}} {{n?battle|battles}} won.",
                                                f"{reparto} sale dopo {{n}} {{n?vittoria|vittorie}}."), minimum=1)


class ExperienceNumbers(Rules):
    """Battles that a unit must win to rise, and the weapons of the fallen."""

    weapon_away: str = switch(both("A lost weapon is away for {option} seasons.",
                                   "Un'arma perduta manca per {option} stagioni."), options=("2d4",),
                              pattern=DICE, source="p61")
    xp_needed_poor: int = wins_needed(2, "A poor unit", "Un reparto scarso")
    xp_needed_normal: int = wins_needed(3, "A normal unit", "Un reparto normale")
    xp_needed_veteran: int = wins_needed(4, "A veteran unit", "Un reparto veterano")
    xp_seasons: str = choice(
        both("Battles won count for experience {option}.", "Le vittorie contano per l'esperienza {option}."),
        all=("in all seasons", "in tutte le stagioni"), spring_only=("in Spring only", "solo in primavera"))
    captured_weapon: str = choice(both("The weapon of a captive {option}.", "L'arma di un prigioniero {option}."),
                                  keep=("stays with him", "resta con lui"), taken=("is taken", "è presa"), source="WP")


EXPERIENCE_CHAPTER = Chapter(both("Morale and REP", "Morale e REP"), cites("MR", "WP"), ExperienceNumbers, events=(
    EventType("promoted", both("{unit}: morale now {level}.", "{unit}: il morale è ora {level}."),
              "battles", 3, to="unit"),
    EventType("experience", both("{n} {n?unit|units} of {faction:the} {n?has|have} won once more.",
                                 "{n} {n?reparto|reparti} {faction:di} {n?ha|hanno} vinto una volta di più."),
              "battles", 5, to="faction"),
    EventType("counter_reset", both("After a lost battle {unit} {unit?counts its|count their} victories from 0 again.",
                                    "Dopo una sconfitta {unit} {unit?conta|contano} di nuovo le vittorie da 0."),
              "battles", 5, to="unit"),
    EventType("weapon_taken", both("The weapon {weapon} passes to {leader}.", "L'arma {weapon} passa a {leader}."),
              "news", 1, "WP", to=ALL),
    EventType("weapon_lost",
              both("The weapon {weapon} leaves the world for {n} {n?season|seasons}. {roll}.",
                   "L'arma {weapon} sparisce per {n} {n?stagione|stagioni}. {roll}."), "news", 2, "WP", to=ALL),
))


WEAPON_LOST = ROLLS.purpose(both("Weapons gone", "Armi sparite"), "weapon_lost/{Weapons*}", "d4")


def _pass_on_weapon(side: BattleSide, leader: Leader) -> None:
    """The weapon of a fallen commander goes to an enemy commander of this battle, or leaves the world (WP)."""
    f, weapon = side.f, side.f.weapons.get(leader.weapon)
    enemies = (enemy for enemy in side.foe.cincs if enemy.there and enemy.state != "captured" and not enemy.weapon)
    bearer = f.first_of(enemies, by_reputation=False)
    if weapon is not None and bearer is not None:
        f.take_weapon(leader)
        f.give_weapon(bearer, weapon)
        f.tell("weapon_taken", weapon=weapon.weapon, leader=bearer.leader)
    elif weapon is not None:
        away = f.roll(WEAPON_LOST(weapon.weapon, dice=ExperienceNumbers.of(f).weapon_away))
        f.unplace_weapon(leader, f.later(away.total))
        f.tell("weapon_lost", roll=away, weapon=weapon.weapon, n=away.total)


def _experience(side: BattleSide) -> None:
    """The winner's units gain experience, the loser's lose theirs; nobody stays exhausted (MR)."""
    f, units = side.f, [unit for unit in side.units if unit.active]
    counts = ExperienceNumbers.of(f).xp_seasons == "all" or f.season == "Sp"
    learned = [unit for unit in units if counts and side.won and unit.morale != "elite"]
    for code in f.in_order(unit.faction for unit in learned):
        own = [unit for unit in learned if unit.faction == code]
        for unit in own:
            unit.xp += 1
        f.tell("experience", faction=code, n=len(own))
    for unit in units:
        unit.exhausted = False
        if unit in learned and unit.xp >= f.rules[f"xp_needed_{unit.morale}"]:
            unit.morale, unit.xp = LEVELS[LEVELS.index(unit.morale) + 1], 0
            f.tell("promoted", unit=unit.unit, level=unit.morale)
        elif counts and side.lost and unit.xp:
            unit.xp = 0
            f.tell("counter_reset", unit=unit.unit)


def _collapse(beaten: BattleSide) -> None:
    """Note the nations of a beaten side that has no unit left, ad-hoc armies aside."""
    f = beaten.f
    # Levies do not count: they go home after any battle (SW).
    armies = [code for code in beaten.armies if f.armies[code].kind != "levy"]
    if armies and not f.units_in(*armies):
        beaten.battle.row.collapsed = " ".join(f.in_order(f.armies[code].faction for code in armies))


# Later passes: ownership, places of armies, Staying at War (TS-Sp11; RT, SW).


CHAPTER = Chapter(both("After the battle", "Dopo la battaglia"), cites("TS-Sp10", "TS-Wi5"), events=(
    EventType("result", both("Battle {battle} {node:at} is drawn.", "La battaglia {battle} {node:dove} finisce pari."),
              "battles", 0, means={"battle": "text"},
              variants=("how",
                        {"attacker": both("Battle {battle} {node:at} is won by the attacker, {winner:the}.",
                                          "La battaglia {battle} {node:dove} è vinta dall'attaccante, {winner:il}."),
                         "defender": both("Battle {battle} {node:at} is won by the defender, {winner:the}.",
                                          "La battaglia {battle} {node:dove} è vinta dal difensore, {winner:il}.")}),
              to=ALL),
    EventType("conquered", both("{faction:the} {faction?takes|take} {node:the} from {loser:the}.",
                                "{faction:il} {faction?prende|prendono} {node:il} {loser:a}."), "battles", 0, "p58",
              ("loser",
               {"": both("{faction:the} {faction?takes|take} {node:the}, which was nobody's.",
                         "{faction:il} {faction?prende|prendono} {node:il}, che non {node?era|erano} di nessuno.")}),
              means={"loser": "faction"}, to=ALL, theme="place"),
    EventType("raided",
              both("{faction:the} {faction?raids|raid} {node:the}.",
                   "{faction:il} {faction?razzia|razziano} {node:il}."), "battles", 1, "TS-Wi5", to=ALL, theme="place"),
))


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
               winner="".join(side.head for side in battle.sides if side.won))
        after_battle(f, battle)
    # All provinces have their owners before the first army looks for a place to go.
    insides = [_ownership(f, battle) for battle in fought]
    for battle, inside in zip(fought, insides, strict=True):
        _places(f, battle, inside=inside)
    for battle in fought:
        _staying_at_war(f, battle)
        battle.row.status = "played"
        battle.mark_forms_counted()
    f.end_empty_armies()


def _ownership(f: Realm, battle: FoughtBattle) -> bool:
    """Second pass: settle who owns the province; return whether the beaten defender is inside its fort."""
    row, node = battle.row, f.provinces[battle.row.node]
    if battle.defender.won and row.kind in LOSER_LOSES_START:
        start = f.provinces[row.start_node]
        if start.owner != row.defender:  # another battle of this season may have given it to him
            f.conquer(start, row.defender)
    if not battle.attacker.won:
        return False
    if row.kind == "relief":
        siege = f.siege_at(row.node)
        if siege is not None:
            f.end_siege(siege, "relieved")
    elif row.raid:
        node.looted_turn = f.turn
        f.tell("raided", faction=row.attacker, node=row.node)
    # In a meeting nobody defends, so no fort helps anybody.
    elif (node.fort and row.kind != "meeting" and (battle.defender.retreat or 0) >= ORDERLY
          and _retire_into_fort(f, battle)):
        return True
    else:
        f.conquer(node, row.attacker)
    return False


def _retire_into_fort(f: Realm, battle: FoughtBattle) -> bool:
    """Orderly units go into the fort, routed ones to the Reserve; attackers that stay besiege it.

    Returns whether anybody is inside.
    """
    row, defender = battle.row, battle.defender
    for unit in defender.units:
        if unit.active and battle.is_routed(unit):
            unit.army = f.reserve(unit.faction).army
    if not f.units_in(*defender.armies):
        return False
    within = [code for code in defender.armies if f.units_in(code) or f.cincs(code)]
    for code in within:
        f.armies[code].node = row.node
    starts, out = _starts(battle), [code for code in battle.attacker.armies if code not in row.back.split()]
    if out:
        # An ally besieges in his own name where none of the attacker's armies stays.
        head = next((code for code in out if f.armies[code].faction == row.attacker
                     and starts[code] == row.start_node), out[0])
        f.lay_siege(row.node, f.armies[head].faction, out, within, starts[head])
    return True


def _starts(battle: FoughtBattle) -> dict[str, str]:
    """The province each army came from; by default the start of the battle for an attacker's army."""
    starts = dict.fromkeys(battle.attacker.armies, battle.row.start_node)
    return starts | dict(word.split("=", 1) for word in battle.row.starts.split() if "=" in word)


# --- places of armies -------------------------------------------------------------------------------
def _places(f: Realm, battle: FoughtBattle, *, inside: bool) -> None:
    """The third pass. `inside`: whether the beaten are in their fort."""
    row, starts, back = battle.row, _starts(battle), battle.row.back.split()
    for side in battle.sides:
        for army in [f.armies[code] for code in side.armies if f.armies[code].active]:
            start, attacks = starts.get(army.army, ""), side is battle.attacker
            if side.lost:
                if attacks or not inside:
                    _place_loser(side, army, start)
            elif not side.won or (attacks and (row.raid or (inside and army.army in back))):
                if army.army in starts:
                    f.send_back(army, start)
            else:
                army.node = row.start_node if not attacks and row.kind in LOSER_LOSES_START else row.node


def _place_loser(side: BattleSide, army: Army, start: str) -> None:
    """A beaten army goes to its start, or falls back; without a place it disbands."""
    f, row, attacks = side.f, side.battle.row, side is side.battle.attacker
    # A raid takes no province, so its defenders stay where they are.
    if army.kind != "levy" and row.raid and not attacks:
        army.node = row.node
    elif side.retreat is not None and side.retreat < ORDERLY:
        _join_nearest_army(f, army, row.node)
    elif army.kind == "levy":
        f.end_levy(army)
    elif attacks and row.kind not in LOSER_LOSES_START:
        f.send_back(army, start)
    elif row.kind == "relief":
        siege = next((siege for siege in f.sieges if siege.ended == f.turn and army.army in siege.armies), None)
        f.send_back(army, siege.start_node if siege is not None else "")
    else:
        _fall_back(f, army, row.start_node if attacks else row.node)


def _fall_back(f: Realm, army: Army, node: str) -> None:
    if place := f.fall_back(army.faction, node):
        army.node = place
    else:
        for unit in f.units_in(army.army):
            f.remove(unit)
            f.tell("unit_lost", rule="RT", unit=unit.unit)


def _join_nearest_army(f: Realm, army: Army, node: str) -> None:
    """After a retreat of one success what is left joins an army next door, or disbands."""
    main = nearest_army(f, army.faction, f.near(node), army.army)
    for unit in f.units_in(army.army):
        if main is not None:
            unit.army = main.army
        else:
            f.remove(unit)
    if army.kind == "levy":
        f.end_levy(army)


def _staying_at_war(f: Realm, battle: FoughtBattle) -> None:
    """The fourth pass: an ad-hoc army that is not besieged goes home, its best after a victory perhaps to war (SW)."""
    all_stay = StayingNumbers.of(f).staying_who == "all_defenders"
    for army in [f.armies[code] for code in in_natural_order(battle.defender.armies)]:
        if battle.defender.won and (army.kind == "levy" or all_stay):
            stay_or_go(f, army)
        if army.kind == "levy" and army.active and not f.in_siege(army.army):
            f.end_levy(army)


# Loot (LO).


in_looting = counting("in looting", "nel saccheggio")


class LootNumbers(Rules):
    """What counts in looting, and what a success brings."""

    loot_mods_mercenary: int = in_looting(-1, "Mercenaries count", "I mercenari valgono")
    loot_mods_treasure_hunter: int = in_looting(1, "A Treasure hunter counts", "Un Cacciatore di tesori vale", "ST")
    loot_each: int = number(1, "resources", both("Each success in looting brings {n} {n?resource|resources}.",
                                                 "Ogni successo nel saccheggio porta {n} {n?risorsa|risorse}."))
    piorad_loot: str = choice(both("A people of winter war loots with {option}.",
                                   "Un popolo che combatte d'inverno saccheggia con {option}."),
                              {"-1": ("one success less", "un successo in meno"),
                               "1": ("one success more", "un successo in più")})


LOOT_CHAPTER = Chapter(both("Loot", "Saccheggio"), cites("LO"), LootNumbers, events=(
    EventType("looted", both("{faction:the} {faction?loots|loot} {n} {n?resource|resources}. {roll}.",
                             "Il saccheggio {faction:di} frutta {n} {n?risorsa|risorse}. {roll}."), "money", 2,
              variants=("n",
                        {"0": both("{faction:the} {faction?finds|find} nothing to loot. {roll}.",
                                   "Il saccheggio {faction:di} non frutta nulla. {roll}.")}), to=ALL, tries="faction"),
))


LOOT_MODIFIERS: tuple[Modifier[Realm, Faction, Sequence[str], Sequence[Unit]], ...] = (
    Modifier(both.word("people of winter", "popolo d'inverno"),
             lambda f, nation, armies, units: nation.has_trait("winter_war"), "piorad_loot"),
    Modifier("mercenaries", lambda f, nation, armies, units: any(unit.mercenary for unit in units),
             "loot_mods_mercenary"),
    Modifier(both.word("treasure hunter", "cacciatore di tesori"),
             lambda f, nation, armies, units: f.any_has("treasure_hunter", *armies), "loot_mods_treasure_hunter"),
)
"""What counts in looting (LO)."""
LOOT = counted(both("Looting", "Saccheggio"), "loot/{Armies*}", dice="d6")


def loot(f: Realm, armies: Sequence[str], code: str, units: Sequence[Unit] = ()) -> None:
    """The armies of a nation loot (LO). `units`: those at the start, if not those of now."""
    rules, nation = LootNumbers.of(f), f.nations[code]
    mods = f.modifiers(LOOT_MODIFIERS, f, nation, armies, units or f.units_in(*armies))
    count = f.success_test(LOOT, (in_natural_order(armies)[0],), f.lead_wr(*armies), mods)
    gain = max(0, count.total) * rules.loot_each
    nation.resources, nation.looted = nation.resources + gain, nation.looted + gain
    if count.at_most(0) and f.any_has("greedy", *armies):  # what WK calls a poor loot is none (0 successes)
        for unit in f.units_in(*armies):
            unit.greedy_until = f.later(1)
    f.tell("looted", roll=count, faction=code, n=gain)


# Staying at War (SW).


class StayingNumbers(Rules):
    """Who is tested for staying at war."""

    staying_scope: str = unit_or_army(
        both("Staying at War is tested by {option}.", "La prova di chi resta in guerra si fa per {option}."))
    staying_who: str = choice(both("Staying at War is for {option}.", "Resta in guerra chi è fra {option}."),
                              adhoc=("ad-hoc armies", "le armate di leva"),
                              all_defenders=("all defenders who won", "tutti i difensori vincitori"), usual=True)


STAYING_CHAPTER = Chapter(both("Staying at War", "Chi resta in guerra"), cites("SW"), StayingNumbers, events=(
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
))


STAYING_ROWS = RangeTable.rising("staying", (0, "home"), (1, "main_army"), (2, "capital"))
VETERAN_MORALE = MORALE_OF["veteran"]


def nearest_army(f: Realm, code: str, nodes: Sequence[str], but: str) -> Army | None:
    """The nation's army with a commander and most units in some provinces; on a tie the first id."""
    own = [army for army in f.armies_of(code) if army.node in nodes and army.army != but and army.kind == "field"
           and f.cincs(army.army)]
    return max(own, key=lambda army: len(f.units_in(army.army)), default=None)


STAYING = counted(both("Staying at war", "Chi resta in guerra"), "staying/{Units*}")


def stay_or_go(f: Realm, army: Army) -> None:
    """Staying at War: every unit of an army is tested (SW)."""
    tests = UnitTests(StayingNumbers.of(f).staying_scope, lambda unit: f.success_test(
        STAYING, (unit.unit,), audience=[unit.faction], rows=STAYING_ROWS))
    for unit in f.units_in(army.army):
        count = tests.of(unit)
        row = count.verdict if MORALE_OF[unit.morale] >= VETERAN_MORALE else "home"
        # "The main army" is the largest near enough; without one the unit goes home like all others.
        main = nearest_army(f, unit.faction, [army.node, *f.near(army.node)], army.army) if row == "main_army" else None
        if row == "capital":
            unit.army = f.reserve(unit.faction).army
        elif main is not None:
            unit.army = main.army
        else:
            row = "home"
            f.remove(unit)
        f.tell("staying", roll=count, unit=unit.unit, row=row)
