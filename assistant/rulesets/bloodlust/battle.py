"""The dossier of a battle, the form of its result, and battles that are not played."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from assistant.campaign.records import ALL, Event, FormRow
from assistant.campaign.tables import in_natural_order
from assistant.rulesets.bloodlust.realm import LUCKY_CAPTAIN, MERCENARIES, Realm
from assistant.rulesets.bloodlust.records import (
    ArmyType,
    Attribute,
    Battle,
    BattleLeader,
    BattleUnit,
    Leader,
    Recruit,
    Unit,
)
from assistant.rulesets.bloodlust.tables import CLASH, HITS, LEADER_HIT, attribute_text
from assistant.rulesets.bloodlust.war import clash_dice
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled, Word
from assistant.turn.battle_results import take_form
from assistant.turn.chances import percent
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import Said
from assistant.turn.findings import Where
from assistant.turn.game import Game
from assistant.turn.questions import Ask, Waiting
from assistant.turn.rulings import Contest
from assistant.turn.texts import N_

# The result form: columns of Battles, rows of units and commanders, and its checks (rulebook: Forms).


ATTACKER, DEFENDER, DRAW = "attacker", "defender", "draw"
SIDES = (ATTACKER, DEFENDER)
WINNERS = {ATTACKER: ATTACKER, "attaccante": ATTACKER, DEFENDER: DEFENDER, "difensore": DEFENDER, DRAW: DRAW,
           "pari": DRAW, "pareggio": DRAW}
DESTROYED_ABOVE = 3
"""A unit survives hits up to this many times its REP."""


def other_side(side: str) -> str:
    """The other side."""
    return DEFENDER if side == ATTACKER else ATTACKER


class FoughtBattle:
    """A battle: armies, units and commanders of both sides as it began, and its result form."""

    def __init__(self, f: Realm, row: Battle) -> None:
        self.f, self.row = f, row
        self.head = {ATTACKER: row.attacker, DEFENDER: row.defender}
        named = {ATTACKER: row.attacker_armies, DEFENDER: row.defender_armies}
        self.armies = {side: [code for code in named[side].split() if code in f.armies] for side in SIDES}
        self.units: dict[str, list[Unit]] = {side: f.units_in(*self.armies[side]) for side in SIDES}
        self.leaders: dict[str, list[Leader]] = {side: f.leaders.where(
            lambda one, side=side: one.state == "active" and bool(one.army) and one.army in self.armies[side])  # type: ignore[misc]
            for side in SIDES}
        self.lead = {side: f.lead(*self.armies[side]) for side in SIDES}
        self.wr = {one.leader: f.wr_now(one) for side in SIDES for one in self.leaders[side]}
        self.cincs = {side: [one for one in self.leaders[side] if one.rank != "hero"] for side in SIDES}
        self.retreat_mods = {side: retreat_mods(f, self.units[side], self.cincs[side]) for side in SIDES}
        self.retreat: dict[str, int] = {}
        """Side that ordered a retreat -> its successes."""

    @property
    def winner(self) -> str:
        """The side that won, or draw."""
        return WINNERS[str(self.row.winner).strip().casefold()]

    def clubs(self) -> Clubs:
        """Who may report for each side: the nations whose armies fight in it."""
        return {side: self.f.parties(self.row, side) for side in SIDES}

    def lead_wr(self, side: str) -> int:
        """The WR of a side's lead at the start; 0 without a lead."""
        lead = self.lead[side]
        return self.wr[lead.leader] if lead is not None else 0

    def side_of(self, unit: str) -> str:
        """The side of a unit or commander; "" if it is not in the battle."""
        return next((side for side in SIDES if unit in (
            *(one.unit for one in self.units[side]), *(one.leader for one in self.leaders[side]))), "")

    def unit_row(self, unit: Unit) -> BattleUnit:
        """The form's row for a unit; a blank row if there is none."""
        blank = BattleUnit(battle=self.row.battle, unit=unit.unit)
        return self.f.campaign.table(BattleUnit).get(blank.ident) or blank

    def leader_row(self, leader: Leader) -> BattleLeader:
        """The form's row for a commander; a blank row if there is none."""
        blank = BattleLeader(battle=self.row.battle, leader=leader.leader)
        return self.f.campaign.table(BattleLeader).get(blank.ident) or blank

    def hits(self, unit: Unit) -> int:
        """The hits that a unit has taken."""
        hits = self.unit_row(unit).hits
        return hits if isinstance(hits, int) else 0

    def routed(self, unit: Unit) -> bool:
        """Whether a unit is routed: by the form, or because its side was beaten without a retreat."""
        beaten = self.winner != DRAW and self.side_of(unit.unit) == other_side(self.winner)
        swept = self.f.rules.loser_routed == "all" and beaten and not self.retreat
        return self.unit_row(unit).routed or swept


def destroyed_by(f: Realm, unit: Unit, hits: int) -> bool:
    """Whether so many hits destroy a unit: more than three times its REP, or as many (`recovery_boundary`, RC)."""
    most = DESTROYED_ABOVE * unit.rep
    return hits > most or (hits == most and f.rules.recovery_boundary == "higher")


def retreat_mods(f: Realm, units: list[Unit], cincs: list[Leader]) -> dict[str, int]:
    """The modifiers of a retreat, from units and commanders at the start (RT)."""
    rules = f.rules
    return {"offensive units": rules.retreat_mods_offensive * sum(unit.has("offensive") for unit in units),
            "defensive units": rules.retreat_mods_defensive * sum(unit.has("defensive") for unit in units),
            "temerity": rules.retreat_mods_temerity * sum("temerity" in f.attributes(one) for one in cincs),
            "coward": rules.retreat_mods_coward * sum("coward" in f.attributes(one) for one in cincs)}


# --- checks of the form -----------------------------------------------------------------------------
def _retreat_fault(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """BLD-061: who retreats does not win."""
    winner, retreat = filled["winner"], filled.typed("retreat")
    if winner and retreat != "none" and (winner in (retreat, DRAW)):
        yield Fault("BLD-061", "retreat")


def _row_faults(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """BLD-062 to 066: rows of units."""
    battle, told = filled.battle, set[str]()
    units = {unit.unit: unit for side in SIDES for unit in battle.units[side]}
    for key, row in filled.rows:
        assert isinstance(row, BattleUnit)
        if row.unit not in units:
            yield Fault("BLD-062", "unit", {"id": row.unit, "battle": row.battle}, key)
        elif row.hits in ("", None):
            told |= {row.unit} if row.destroyed else set()
            continue
        elif not isinstance(row.hits, int) or row.hits < 0:
            yield Fault("BLD-063", "hits", {"n": str(row.hits)}, key)
        elif destroyed_by(battle.f, units[row.unit], row.hits) and not row.destroyed:
            yield Fault("BLD-066", "hits", {"hits": row.hits, "rep": units[row.unit].rep, "unit": row.unit}, key)
        told.add(row.unit)
    for side in SIDES:
        if left := in_natural_order({unit.unit for unit in battle.units[side]} - told):
            yield Fault("BLD-064", "winner", {"unit": " ".join(left)})
    winner = filled["winner"]
    if battle.f.rules.loser_routed == "all" and winner in SIDES and filled.typed("retreat") == "none":
        yield Fault("BLD-065", "winner", {"side": battle.head[other_side(winner)]})


def _side_called(filled: Filled[FoughtBattle], typed: str) -> str:
    """The side of the nation that the form names as winner, by code or name."""
    battle = filled.battle
    for side in SIDES:
        nation = battle.f.nations[battle.head[side]]
        if typed.casefold() in {nation.faction.casefold(), nation.name_en.casefold(), nation.name_it.casefold()}:
            return side
    return ""


def _side_of_row(battle: FoughtBattle, row: FormRow) -> str:
    return battle.side_of(row.leader if isinstance(row, BattleLeader) else str(getattr(row, "unit", "")))


def _battle_and_clubs(game: Game, row: Battle) -> tuple[FoughtBattle, Clubs]:
    battle = FoughtBattle(Realm(game), row)
    return battle, battle.clubs()


FORM: BattleForm[FoughtBattle] = BattleForm(
    "battle",
    (Word("winner", told="BLD-060", facts=lambda filled: {"battle": filled.row.battle, "seen": filled.typed("winner")},
          words=WINNERS, reads=_side_called),
     Entry("retreat")),
    line=("winner", "retreat"),
    dice=("played", "auto"),
    decisive=("winner",),
    rows=BattleUnit,
    besides=(BattleLeader,),
    checks=("winner", _retreat_fault, _row_faults),
    owner=_side_of_row,
    seen=_battle_and_clubs)


def open_battles(f: Realm) -> list[Battle]:
    """The battles of this turn that are to be fought, in id order."""
    return f.battles.of_turn(f.turn, lambda row: row.status == "open")


def read_forms(f: Realm) -> list[FoughtBattle]:
    """Read the form of every open battle; hand out and ask for those that are missing or wrong.

    Raises `Waiting` until all are in.
    """
    found, missing = [], []
    for row in open_battles(f):
        battle = FoughtBattle(f, row)
        ask = Ask("battle", REFEREE, row.battle, asked={"node": row.node, "by": row.attacker, "opponent": row.defender})
        taken = take_form(f.game, FORM, ask, battle, row, battle.clubs())
        strange = taken.state != "dice" and _find_strangers(battle)
        if taken.state == "filled":
            row.winner = taken.filled["winner"]
        if taken.state in ("missing", "wrong") or strange:
            missing.append(ask)
            _hand_out(battle)
        found.append(battle)
    if missing:
        raise Waiting(missing)
    return found


def check_forms(f: Realm) -> None:
    """Check what is typed into the forms of open battles; blanks may still be filled in."""
    for row in open_battles(f):
        if row.played != "auto" and str(row.winner).strip():
            ask = Ask("battle", REFEREE, row.battle)
            battle = FoughtBattle(f, row)
            take_form(f.game, FORM, ask, battle, row, battle.clubs())
            _find_strangers(battle)


def _find_strangers(battle: FoughtBattle) -> bool:
    """Report rows of commanders who are not in the battle (BLD-062); return whether there are any."""
    f, known = battle.f, {one.leader for side in SIDES for one in battle.leaders[side]}
    wrong = [row for row in f.campaign.table(BattleLeader) if row.battle == battle.row.battle
             and row.leader not in known]
    for row in wrong:
        f.game.find("BLD-062", Where(row.sheet, row.ident, "leader"), "", id=row.leader, battle=row.battle)
    return bool(wrong)


def _hand_out(battle: FoughtBattle) -> None:
    """Hand out the form's rows that do not exist yet."""
    game = battle.f.game
    game.hand_out(battle.row)
    for side in SIDES:
        for unit in battle.units[side]:
            game.hand_out(battle.unit_row(unit))
        for leader in battle.cincs[side]:
            game.hand_out(battle.leader_row(leader))


def mark_forms_counted(f: Realm, battle: FoughtBattle) -> None:
    """Mark the form's rows as counted, so that nobody changes them any more."""
    for record in (BattleUnit, BattleLeader):
        for row in f.campaign.table(record).where(lambda one: one.battle == battle.row.battle):
            row.status = "counted"
            f.touch(row)


# The dossier of a battle.


SEASONS = {"Sp": "spring", "Su": "summer", "Fa": "fall", "Wi": "winter"}
STAKES = {
    "field": N_("A field battle."), "levy": N_("A field battle against a local lord's army."),
    "open": N_("An open battle: if the attacker loses, the defender takes {start:the} as well."),
    "meeting": N_("A meeting: no defensive works, no ambush, no fort; whoever loses here loses his start as well."),
    "relief": N_("A relief: the besiegers defend."),
}
"""What is at stake, by kind of battle."""
GROUNDS = {
    "winter": N_("Winter: one attack die less in melee."),
    "jungle": N_("Jungle: two attack dice less in melee."),
    "swamp": N_("Swamp: three attack dice less in melee."),
}
"""Seasons and grounds that cost dice (ME), by the skill that ignores them."""
SKILLS = {
    "wood": N_("Wood, no penalty when fighting in woodland: {units}."),
    "swamp": N_("Swamp, no penalty when fighting in a swamp: {units}."),
    "jungle": N_("Jungle, no penalty when fighting in the jungle: {units}."),
    "desert": N_("Desert, no penalty when fighting in the desert: {units}."),
    "desert snow": N_("Desert, no penalty when fighting in winter or snow: {units}."),
    "winter": N_("Winter, no penalty when fighting in winter or snow: {units}."),
    "slow": N_("Slow, movement 1 less: {units}."),
    "fast": N_("Fast, movement 1 more: {units}."),
    "defensive 1": N_("Defensive, may build defences when defending; in melee an attack die less and a defence die "
                      "more: {units}."),
    "defensive -1": N_("Defensive, may build defences when defending; in melee an attack die and a defence die less: "
                       "{units}."),
    "guerilla once": N_("Guerilla, 1 more for an ambush of one's own, once a side: {units}."),
    "guerilla each": N_("Guerilla, 1 more for an ambush of one's own for each unit: {units}."),
    "siege": N_("Siege, REP 1 higher in a siege (where this is one the REP above has it): {units}."),
    "offensive": N_("Offensive, REP 1 higher when the army attacks (then the REP above has it); in melee an attack "
                    "die more and a defence die less: {units}."),
    "armored": N_("Armored, deploys as usual, never in ambush: {units}."),
}
"""What skills do on the table (SK, ME), some by a switch; Light counts in upkeep alone."""
UPKEEP_SKILL = "light"


def dossier(f: Realm, row: Battle, faction: str) -> list[Said]:
    """Both sides' commanders, and all that the reader's side needs at the table; the referee's copy has both sides.

    Empty for a nation that is not in the battle.
    """
    battle = FoughtBattle(f, row)
    mine = [side for side in SIDES if not faction or faction in f.parties(row, side)]
    if not mine:
        return []
    return [
        *_common_lines(f, battle),
        *(said for side in SIDES for said in _commanders(f, battle, side, known=side in mine)),
        *_zones(f, all_known=len(mine) == len(SIDES)),
        *(said for side in mine for said in _own_side_lines(f, battle, side)),
    ]


def _common_lines(f: Realm, battle: FoughtBattle) -> Iterator[Said]:
    row = battle.row
    node = f.provinces[row.node]
    yield Said(N_("{node:the}, {terrain}, {season}."), {"node": node.node, "terrain": node.terrain,
                                                        "season": SEASONS[f.season]}, N_("Where"))
    yield Said(STAKES[row.kind or "field"], {"start": row.start_node}, N_("At stake"))
    if node.fort and row.kind not in ("meeting", "relief"):
        yield Said(N_("There is a fort, into which an orderly retreat of the defender leads."), {}, N_("At stake"))
    if row.raid:
        yield Said(N_("A raid: whoever wins, the province stays its owner's."), {}, N_("At stake"))
    if row.kind != "meeting" and f.rules.table_roles == "rolled":
        yield Said(N_("Each side throws the WR of its lead, +1 with a Scout; the higher attacks on the table, the "
                      "invader if equal. The other adds +1 for Guerilla, +1 for Ambush, -1 for Ever ready and +1 for "
                      "Never ready on the other side: strictly more is an ambush. Then the attacker deploys in "
                      "sections 2, 5 and 8, the ambusher anywhere but 5, at least 18\" away; Armored units as usual."),
                   {}, N_("Roles"))
    for told in f.campaign.table(Event).where(lambda one: one.event == "arrayed"):
        if told.data["battle"] == row.battle:
            yield Said(N_("The attacker has {n} {n?unit|units}, {m} of them mounted; the defender {k}, {l} of them "
                          "mounted."), {name: told.data[name] for name in "nmkl"}, N_("At stake"))
    yield Said(N_("A commander who falls on the table lies in a coma until the battle is over."), {}, N_("At stake"))


def zone_of_command(f: Realm, leader: Leader) -> int:
    """The zone of command of a commander in inches (CC, ST, WK)."""
    rules, has = f.rules, f.attributes(leader)
    factor = rules.zoc_charisma if "charisma" in has else rules.zoc_poor if "poor_charisma" in has else rules.zoc_factor
    return factor * leader.reputation + (rules.zoc_unremarkable if "unremarkable" in has else 0)


def _zone_changes(f: Realm, leader: Leader, label: str) -> Iterator[Said]:
    """How a commander's known attributes change his zone of command."""
    rules, has = f.rules, f.attributes(leader)
    told = {"leader": leader.leader, "j": rules.zoc_factor}
    if "charisma" in has:
        yield Said(N_("{leader} has Charisma: the zone is {n} {n?time|times} the reputation, not {j}."),
                   {**told, "n": rules.zoc_charisma}, label)
    elif "poor_charisma" in has:
        yield Said(N_("{leader} has Poor charisma: the zone is {n} {n?time|times} the reputation, not {j}."),
                   {**told, "n": rules.zoc_poor}, label)
    if "unremarkable" in has:
        yield Said(N_("{leader} is Unremarkable: {n}\" on the zone."),
                   {"leader": leader.leader, "n": f"{rules.zoc_unremarkable:+d}"}, label)


def _zones(f: Realm, *, all_known: bool) -> Iterator[Said]:
    """What a zone of command does, and which hidden attributes may change it."""
    rules, label = f.rules, N_("Zone of command")
    yield Said(N_("Units within the zone of command of their commander add 1 to their morale tests."), {}, label)
    if not all_known:
        yield Said(N_("Charisma makes it {n} {n?time|times} the reputation, not {j}, Poor charisma {m}; "
                      "Unremarkable counts {c}\". Of the other side you see only what its weapons give."),
                   {"n": rules.zoc_charisma, "j": rules.zoc_factor, "m": rules.zoc_poor,
                    "c": f"{rules.zoc_unremarkable:+d}"}, label)


def _commanders(f: Realm, battle: FoughtBattle, side: str, *, known: bool) -> Iterator[Said]:
    """The armies of a side with their starts, and its commanders. `known`: whether their attributes are known."""
    label = N_("Attacker") if side == ATTACKER else N_("Defender")
    yield Said(N_("{faction:the}: {armies}."), {"faction": battle.head[side], "armies": " ".join(battle.armies[side])},
               label)
    for army, _, start in (word.partition("=") for word in battle.row.starts.split()):
        if army in battle.armies[side] and start:
            yield Said(N_("{army} comes from {start:the}."), {"army": army, "start": start}, label)
    text = N_("{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}\".") if known else N_(
        "{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}\" unless attributes that you do not know "
        "change it.")
    for leader in battle.cincs[side]:
        yield Said(text, {"leader": leader.leader, "rank": leader.rank, "n": leader.reputation, "w": f.wr_now(leader),
                          "z": zone_of_command(f, leader)}, label)
        yield from _zone_changes(f, leader, label)
        if leader.rank == "marshal":
            yield Said(N_("{leader} is a Star and Larger than Life, as every marshal."), {"leader": leader.leader},
                       label)


def _own_side_lines(f: Realm, battle: FoughtBattle, side: str) -> Iterator[Said]:
    row, label = battle.row, N_("Your side")
    inside = side == DEFENDER and f.besieged(row.node)
    printed = {(one.faction, one.type): one.called(f.desk.language) for one in f.campaign.table(Recruit)}
    for unit in battle.units[side]:
        kind = printed.get((MERCENARIES if unit.mercenary else unit.faction, unit.type), unit.type)
        text = N_("{unit}: REP {n}, morale {m}, AC {c}, {arms}.") if unit.name == kind else N_(
            "{unit}, {text}: REP {n}, morale {m}, AC {c}, {arms}.")
        rep = unit.rep + (unit.has("siege") and (row.kind == "relief" or inside)) + (
            unit.has("offensive") and side == ATTACKER)
        yield Said(text, {"unit": unit.unit, "text": kind, "n": rep, "m": f.morale_now(unit), "c": unit.ac,
                          "arms": [*unit.arm.split(), *(one for one in unit.skills.split() if not _skill_key(f, one))]},
                   label)
    yield from _skills(f, battle.units[side], label)
    yield from _handicap_lines(f, battle, side)
    yield from _roles(f, battle, side)
    known = {one.code: one for one in f.campaign.table(Attribute)}
    for leader in battle.cincs[side]:
        for code in f.attributes(leader):
            if code == LUCKY_CAPTAIN:
                yield Said(N_("{leader} is Larger than Life."), {"leader": leader.leader}, label)
                continue
            trait = known.get(code)
            told = (
                {"text": attribute_text(trait, "en"), "text_it": attribute_text(trait, "it")}
                if trait
                else {"text": code}
            )
            yield Said(N_("{leader}, {text}."), {"leader": leader.leader, **told}, label)
    if f.rules.attr_fail_at != "0" and any(f.attributes(leader) for leader in battle.cincs[side]):
        yield Said(N_("A test of an attribute with one success has failed, too."), {}, label)
    types = {one.roll: one for one in f.campaign.table(ArmyType)}
    letter = f.nations[battle.head[side]].army_type
    if types:
        yield Said(N_("Army type {text}, by a die."), {"text": f"{letter}: " + ", ".join(
            f"{roll} {getattr(types[roll], letter)}" for roll in sorted(types))}, label)
    yield _retreat_odds(f, battle, side)
    if f.self_run(battle.head[side]):
        yield Said(N_("Once {n}% of its units are routed or destroyed {faction:the} may order it."),
                   {"n": f.rules.npc_retreat_pct, "faction": battle.head[side]}, label)


def _skill_key(f: Realm, skill: str) -> str:
    """The key of a skill's text in `SKILLS`; "" for a skill that somebody made up."""
    by_switch = {"defensive": f"defensive {f.rules.def_unit_dice}", "guerilla": f"guerilla {f.rules.guerilla_stack}",
                 "desert": "desert snow" if f.rules.desert_skill == "snow" else "desert"}
    key = by_switch.get(skill, skill)
    return key if key in SKILLS or key == UPKEEP_SKILL else ""


def _skills(f: Realm, units: list[Unit], label: str) -> Iterator[Said]:
    """What the units' skills do on the table, and who has each."""
    known = {_skill_key(f, skill): skill for unit in units for skill in unit.skills.split()}
    for key, text in SKILLS.items():
        if key in known:
            yield Said(text, {"units": " ".join(unit.unit for unit in units if unit.has(known[key]))}, label)


def _handicap_lines(f: Realm, battle: FoughtBattle, side: str) -> Iterator[Said]:
    """Exhausted units, and dice lost to season and terrain."""
    units, label = battle.units[side], N_("Your side")
    tired = " ".join(unit.unit for unit in units if unit.exhausted)
    if tired:
        yield Said(N_("Exhausted, with one morale less: {units}."), {"units": tired}, label)
    for skill in ("winter",) * (f.season == "Wi") + (f.provinces[battle.row.node].terrain,):
        if skill in GROUNDS:
            yield Said(GROUNDS[skill], {}, label)
    if f.rules.desert_dice and f.provinces[battle.row.node].terrain == "desert":
        yield Said(N_("Desert: {n} attack {n?die|dice} less in melee."), {"n": f.rules.desert_dice}, label)


def lead_rep_bonus(f: Realm, battle: FoughtBattle, side: str) -> int:
    """What a side's lead adds to the REP of the unit he is with (ST, WK)."""
    has, row = f.attributes(battle.lead[side]), battle.row
    siege = row.kind == "relief" or (side == DEFENDER and f.besieged(row.node))
    by_side = {ATTACKER: ("attack_expert" in has) - ("lazy_attacker" in has), DEFENDER: int("defensive_expert" in has)}
    return by_side[side] + (siege and "siege_master" in has)


def ambush(f: Realm, battle: FoughtBattle, side: str) -> dict[str, int]:
    """What a side brings to the throws before a battle: `dice`, `scout`; `own`, what it adds to an ambush of its own,
    and `theirs`, to one of the other side (AM).
    """
    has = {code for leader in battle.cincs[side] for code in f.attributes(leader)}
    guerilla = sum(unit.has("guerilla") for unit in battle.units[side])
    if f.rules.guerilla_stack == "once":
        guerilla = min(1, guerilla)
    return {"dice": battle.lead_wr(side), "scout": int("scout" in has), "own": guerilla + ("ambush" in has),
            "theirs": ("never_ready" in has) - ("ever_ready" in has)}


def _roles(f: Realm, battle: FoughtBattle, side: str) -> Iterator[Said]:
    """The side's dice for roles and ambush, and the REP of its lead's unit."""
    label, more, lead = N_("Your side"), lead_rep_bonus(f, battle, side), battle.lead[side]
    if lead is not None and more:
        text = (N_("The unit that {leader} is with fights with REP {n} higher.") if more > 0 else
                N_("The unit that {leader} is with fights with REP {n} lower."))
        yield Said(text, {"leader": lead.leader, "n": abs(more)}, label)
    if battle.row.kind == "meeting":
        return
    has = ambush(f, battle, side)
    if f.rules.table_roles == "rolled":
        yield Said(N_("{faction:the}, for who attacks: {n} {n?die|dice}, {m} added."), {
            "faction": battle.head[side], "n": has["dice"], "m": has["scout"]}, label)
    if battle.units[side] and all(unit.has("armored") for unit in battle.units[side]):
        yield Said(N_("All units are Armored: no ambush."), {}, label)
    else:
        yield Said(N_("An ambush of one's own: {n} added; one of the other side: {m}."), {
            "n": has["own"], "m": has["theirs"]}, label)


def _retreat_odds(f: Realm, battle: FoughtBattle, side: str) -> Said:
    """The odds of each row of the retreat table (RT)."""
    n, change = battle.lead_wr(side), sum(retreat_mods(f, battle.units[side], battle.cincs[side]).values())
    odds = {"orderly": 0, "elite_only": 0, "disbands": 0}
    for hits in range(n + 1):
        row = "orderly" if hits + change >= 2 else "elite_only" if hits + change == 1 else "disbands"
        odds[row] += comb(n, hits)
    shown = {row: percent(Fraction(ways, 2 ** n)) for row, ways in odds.items()}
    return Said(N_("A retreat of {faction:the}: {n} {n?die|dice}, {m} {m?success|successes} added; in order {a},"
                   " only the Elite {b}, disbands {c}."),
                {"faction": battle.head[side], "n": n, "m": change, "a": shown["orderly"], "b": shown["elite_only"],
                 "c": shown["disbands"]}, N_("Your side"))


# Battles that are not played: dice fill in the form (rulebook: Melee).


def fill_in_by_dice(f: Realm, battle: FoughtBattle) -> None:
    """Fill in winner, hits, routs, commanders down, and the retreat of a self-run nation."""
    row, ident = battle.row, battle.row.battle
    counts = {side: f.counted(CLASH, (ident, side), clash_dice(f, *battle.armies[side])) for side in SIDES}
    contest = Contest(counts)
    row.winner = contest.winner or DRAW
    margin = min(f.rules.auto_hit_cap, contest.margin)
    f.tell("clash", ALL, "ME", roll=contest, touch=[row], battle=ident, n=counts[ATTACKER].total,
           m=counts[DEFENDER].total)
    for side in SIDES:
        _hits(f, battle, side, margin)
        _throw_commanders_down(f, battle, side)
    if row.winner != DRAW:
        loser = other_side(row.winner)
        if f.self_run(battle.head[loser]) and _orders_retreat(f, battle, loser):
            row.retreat = loser
            f.touch(row)


def _hits(f: Realm, battle: FoughtBattle, side: str, margin: int) -> None:
    beaten = battle.row.winner == other_side(side)
    change = margin if beaten else -margin if battle.row.winner == side else 0
    table = f.campaign.table(BattleUnit)
    for unit in battle.units[side]:
        row = battle.unit_row(unit)
        row = row if row.ident in table else table.add(row)
        row.hits = max(0, f.roll(HITS(unit.unit)).total + change)
        row.routed = beaten and row.hits > f.rules.auto_rout_rep * unit.rep
        f.touch(row)


def _throw_commanders_down(f: Realm, battle: FoughtBattle, side: str) -> None:
    beaten = battle.row.winner == other_side(side)
    least = f.rules.auto_down_loser if beaten else f.rules.auto_down_winner
    table = f.campaign.table(BattleLeader)
    for leader in battle.cincs[side]:
        row = battle.leader_row(leader)
        row = row if row.ident in table else table.add(row)
        row.down, row.unit_fate = f.roll(LEADER_HIT(leader.leader)).at_least(least), "fought"
        f.touch(row)


def _orders_retreat(f: Realm, battle: FoughtBattle, side: str) -> bool:
    """Whether a beaten self-run nation orders the retreat (RT)."""
    units = battle.units[side]
    broken = sum(battle.unit_row(unit).routed or destroyed_by(f, unit, battle.hits(unit)) for unit in units)
    hope = battle.lead_wr(side) // 2 + sum(battle.retreat_mods[side].values())
    return broken * 100 >= f.rules.npc_retreat_pct * len(units) and hope >= f.rules.npc_retreat_hope
