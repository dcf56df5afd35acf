"""The form of a battle's result: columns of Battles, rows of units and commanders; its faults (rulebook: Forms)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.campaign.order import in_natural_order
from assistant.campaign.records import FormRow
from assistant.rulesets.bloodlust.book.records import Battle
from assistant.rulesets.bloodlust.book.sheets import BattleLeader, BattleUnit, Leader, Unit
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.turn.answers.asking import Ask
from assistant.turn.battle_form.declaration import BattleForm, Clubs, Entry, Fault, Filled, Word
from assistant.turn.battle_form.taking_results import take_form
from assistant.turn.findings import Where
from assistant.turn.game import REFEREE, Game, Waiting

ATTACKER, DEFENDER, DRAW = "attacker", "defender", "draw"
SIDES = (ATTACKER, DEFENDER)
WINNERS = {ATTACKER: ATTACKER, "attaccante": ATTACKER, DEFENDER: DEFENDER, "difensore": DEFENDER, DRAW: DRAW,
           "pari": DRAW, "pareggio": DRAW}
DESTROYED_ABOVE = 3
"""Times its REP that a unit can be hit."""


def other(side: str) -> str:
    """The other side."""
    return DEFENDER if side == ATTACKER else ATTACKER


class Fought:
    """A battle as it stood when it began: armies, units and commanders of both sides, and what its form says."""

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
        """The WR of a side's lead at the start; 0 for none."""
        lead = self.lead[side]
        return self.wr[lead.leader] if lead is not None else 0

    def side_of(self, unit: str) -> str:
        """The side of a unit or commander; "" for one that is not there."""
        return next((side for side in SIDES if unit in (
            *(one.unit for one in self.units[side]), *(one.leader for one in self.leaders[side]))), "")

    def unit_row(self, unit: Unit) -> BattleUnit:
        """What the form says of a unit; a blank row where it says nothing."""
        blank = BattleUnit(battle=self.row.battle, unit=unit.unit)
        return self.f.campaign.table(BattleUnit).get(blank.ident) or blank

    def leader_row(self, leader: Leader) -> BattleLeader:
        """What the form says of a commander; a blank row where it says nothing."""
        blank = BattleLeader(battle=self.row.battle, leader=leader.leader)
        return self.f.campaign.table(BattleLeader).get(blank.ident) or blank

    def hits(self, unit: Unit) -> int:
        """All hits that a unit has taken."""
        hits = self.unit_row(unit).hits
        return hits if isinstance(hits, int) else 0

    def routed(self, unit: Unit) -> bool:
        """Whether a unit is routed: as the form says, or every one of a side beaten without a retreat."""
        beaten = self.winner != DRAW and self.side_of(unit.unit) == other(self.winner)
        swept = self.f.rules.loser_routed == "all" and beaten and not self.retreat
        return self.unit_row(unit).routed or swept


def destroyed_by(f: Realm, unit: Unit, hits: int) -> bool:
    """Whether so many hits destroy a unit: more than three times its REP, or as many (`recovery_boundary`, RC)."""
    most = DESTROYED_ABOVE * unit.rep
    return hits > most or (hits == most and f.rules.recovery_boundary == "higher")


def retreat_mods(f: Realm, units: list[Unit], cincs: list[Leader]) -> dict[str, int]:
    """What counts in a retreat, on units and commanders at the start (RT)."""
    rules = f.rules
    return {"offensive units": rules.retreat_mods_offensive * sum(unit.has("offensive") for unit in units),
            "defensive units": rules.retreat_mods_defensive * sum(unit.has("defensive") for unit in units),
            "temerity": rules.retreat_mods_temerity * sum("temerity" in f.attributes(one) for one in cincs),
            "coward": rules.retreat_mods_coward * sum("coward" in f.attributes(one) for one in cincs)}


# --- what may be wrong ------------------------------------------------------------------------------
def _retreat(filled: Filled[Fought]) -> Iterator[Fault]:
    """BLD-061: who retreats does not win."""
    winner, retreat = filled["winner"], filled.typed("retreat")
    if winner and retreat != "none" and (winner in (retreat, DRAW)):
        yield Fault("BLD-061", "retreat")


def _rows(filled: Filled[Fought]) -> Iterator[Fault]:
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
        yield Fault("BLD-065", "winner", {"side": battle.head[other(winner)]})


def _called(filled: Filled[Fought], typed: str) -> str:
    """The side of a nation that is named as the winner, by code or name."""
    battle = filled.battle
    for side in SIDES:
        nation = battle.f.nations[battle.head[side]]
        if typed.casefold() in {nation.faction.casefold(), nation.name_en.casefold(), nation.name_it.casefold()}:
            return side
    return ""


def _owner(battle: Fought, row: FormRow) -> str:
    return battle.side_of(row.leader if isinstance(row, BattleLeader) else str(getattr(row, "unit", "")))


def _seen(game: Game, row: Battle) -> tuple[Fought, Clubs]:
    battle = Fought(Realm(game), row)
    return battle, battle.clubs()


FORM: BattleForm[Fought] = BattleForm(
    "battle",
    (Word("winner", told="BLD-060", facts=lambda filled: {"battle": filled.row.battle, "seen": filled.typed("winner")},
          words=WINNERS, reads=_called),
     Entry("retreat")),
    line=("winner", "retreat"),
    dice=("played", "auto"),
    decisive=("winner",),
    rows=BattleUnit,
    besides=(BattleLeader,),
    checks=("winner", _retreat, _rows),
    owner=_owner,
    seen=_seen)


def open_battles(f: Realm) -> list[Battle]:
    """The battles of this turn that are to be fought, in id order."""
    return f.battles.of_turn(f.turn, lambda row: row.status == "open")


def judged(f: Realm) -> list[Fought]:
    """Every open battle's form, read; asks for those that are missing or wrong, and hands them out."""
    found, missing = [], []
    for row in open_battles(f):
        battle = Fought(f, row)
        ask = Ask("battle", REFEREE, row.battle, asked={"node": row.node, "by": row.attacker, "opponent": row.defender})
        taken = take_form(f.game, FORM, ask, battle, row, battle.clubs())
        strange = taken.state != "dice" and _strangers(battle)
        if taken.state == "filled":
            row.winner = taken.filled["winner"]
        if taken.state in ("missing", "wrong") or strange:
            missing.append(ask)
            _hand_out(battle)
        found.append(battle)
    if missing:
        raise Waiting(missing)
    return found


def look_at_forms(f: Realm) -> None:
    """What is typed into the forms of open battles, as far as it is certain; what is blank still may come."""
    for row in open_battles(f):
        if row.played != "auto" and str(row.winner).strip():
            ask = Ask("battle", REFEREE, row.battle)
            battle = Fought(f, row)
            take_form(f.game, FORM, ask, battle, row, battle.clubs())
            _strangers(battle)


def _strangers(battle: Fought) -> bool:
    """Rows of commanders who are not in the battle (BLD-062)."""
    f, known = battle.f, {one.leader for side in SIDES for one in battle.leaders[side]}
    wrong = [row for row in f.campaign.table(BattleLeader) if row.battle == battle.row.battle
             and row.leader not in known]
    for row in wrong:
        f.game.find("BLD-062", Where(row.sheet, row.ident, "leader"), "", id=row.leader, battle=row.battle)
    return bool(wrong)


def _hand_out(battle: Fought) -> None:
    """The form's rows, as far as they are not there yet."""
    game = battle.f.game
    game.hand_out(battle.row)
    for side in SIDES:
        for unit in battle.units[side]:
            game.hand_out(battle.unit_row(unit))
        for leader in battle.cincs[side]:
            game.hand_out(battle.leader_row(leader))


def count_forms(f: Realm, battle: Fought) -> None:
    """The form is counted: its rows may not be changed any more."""
    for record in (BattleUnit, BattleLeader):
        for row in f.campaign.table(record).where(lambda one: one.battle == battle.row.battle):
            row.status = "counted"
            f.touch(row)
