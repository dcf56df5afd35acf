"""Phase 3b: the result form, whoever fills it in: its checks, and what it says (rulebook: 3 Battle)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.campaign.records import FormRow
from assistant.rulesets.warriors.book.records import Battle, BattleArmy, BattleUnit, Die
from assistant.rulesets.warriors.book.tables import AID
from assistant.rulesets.warriors.book.words import OUTCOMES
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.war.auto import resolve_by_dice
from assistant.rulesets.warriors.war.explore import forces_of
from assistant.turn.answers.asking import Ask
from assistant.turn.battle_form.declaration import DICE, BattleForm, Clubs, Entry, Fault, Filled, Whole, Word
from assistant.turn.battle_form.taking_results import confirms, further_rows, judge, take_form
from assistant.turn.game import REFEREE, Game, Waiting
from assistant.turn.orders.words import meaning

LOSSES = ("killed", "routed", "withdrawn")
RESULTS = ("entered", "auto")
"""What the question for a result offers, besides the result itself in a line."""
DAY = 8
"""Game turns of two hours in a day's battle."""
WORDS = {**{code: code for code in OUTCOMES}, **{word: code for code, word in OUTCOMES.items()}, "draw": "stalemate",
         "pari": "stalemate"}


class Fight:
    """A battle as its form is read: its Units with their rows, by side."""

    def __init__(self, land: Country, battle: Battle) -> None:
        self.land, self.battle = land, battle
        self.forces = {row.army: row for row in forces_of(land, battle.battle)}
        self.units = {row.unit: row for row in land.battle_units.where(
            lambda one: one.battle == battle.battle and one.before is not None)}

    def side_of(self, unit: str) -> str:
        """The side of a Unit, "" for one that was not there."""
        row = self.land.units.get(unit)
        force = self.forces.get(row.army) if row is not None else None
        return force.side if force is not None and unit in self.units else ""

    def side_of_row(self, row: FormRow) -> str:
        """Whose half of the form a row stands in."""
        return self.forces[row.army].side if isinstance(row, BattleArmy) and row.army in self.forces else self.side_of(
            str(getattr(row, "unit", "")))

    def clubs(self) -> dict[str, list[str]]:
        """The clubs of each side, who may report, as far as their Forces are seen."""
        return {side: sorted(filter(None, {self.land.faction_of(one.army) for one in self.forces.values()
                                            if one.side == side})) for side in ("A", "D")}

    def left(self, side: str) -> int:
        """Figures of a side that stayed on the table to the end."""
        return sum((row.before or 0) - lost_of(row) for unit, row in self.units.items() if self.side_of(unit) == side)

    def lost(self, side: str) -> int:
        """Figures of a side that did not."""
        return sum(lost_of(row) for unit, row in self.units.items() if self.side_of(unit) == side)


def whole(value: object) -> int:
    """What a cell of losses counts; nothing where it is no number."""
    return value if isinstance(value, int) else 0


def lost_of(row: BattleUnit) -> int:
    """Figures of a row that were killed, ran or left."""
    return sum(whole(getattr(row, name)) for name in LOSSES)


# --- the checks, in the book's order ----------------------------------------------------------------
def _outcome(filled: Filled[Fight]) -> Iterator[Fault]:
    """WAR-501."""
    if filled["outcome"] is None:
        yield Fault("WAR-501", "outcome", {"outcome": filled.typed("outcome")})


def _rows(filled: Filled[Fight]) -> Iterator[Fault]:
    """WAR-502, 503, 506, row by row; also a Force that was not there."""
    fight = filled.battle
    for force in fight.land.battle_armies.where(lambda one: one.battle == fight.battle.battle):
        if force.army not in fight.forces:
            yield Fault("WAR-503", "army", {"unit": force.army, "battle": force.battle}, force.ident, BattleArmy.sheet)
    for key, row in filled.rows:
        assert isinstance(row, BattleUnit)
        known = fight.units.get(row.unit)
        if known is None:
            yield Fault("WAR-503", "unit", {"unit": row.unit, "battle": row.battle}, key)
            continue
        bad = next((name for name in LOSSES if not isinstance(getattr(row, name), int) or getattr(row, name) < 0), "")
        if bad:
            yield Fault("WAR-506", bad, {}, key)
        elif lost_of(row) > (known.before or 0):
            yield Fault("WAR-502", "killed", {"unit": row.unit, "n": lost_of(row), "before": known.before}, key)


def _sense(filled: Filled[Fight]) -> Iterator[Fault]:
    """WAR-504, 505, 507, 508."""
    fight, outcome = filled.battle, filled["outcome"]
    if outcome == "stalemate" and 0 in (fight.left("A"), fight.left("D")):
        yield Fault("WAR-507", "outcome")
    elif outcome in ("attacker", "defender"):
        winner, loser = ("A", "D") if outcome == "attacker" else ("D", "A")
        if not fight.left(winner):
            yield Fault("WAR-504", "outcome")
        read = all(isinstance(getattr(row, name), int) for _, row in filled.rows for name in LOSSES)
        if read and not fight.lost(loser):
            yield Fault("WAR-505", "outcome")
    turns = filled.typed("day_turns")
    if isinstance(turns, int) and turns > DAY and not fight.battle.night:
        yield Fault("WAR-508", "day_turns")


def _seen(game: Game, row: Battle) -> tuple[Fight, Clubs]:
    fight = Fight(Country(game), row)
    return fight, fight.clubs()


FORM: BattleForm[Fight] = BattleForm(
    "result",
    (Word("outcome", words=WORDS), Whole("day_turns", blank=0), Entry("night"), Entry("note")),
    line=("outcome", "day_turns"), dice=("method", "auto"), decisive=("outcome",), rows=BattleUnit,
    besides=(BattleArmy,), checks=(_outcome, _rows, _sense), owner=Fight.side_of_row, confirmed=("entered",),
    seen=_seen)


def check_forms(land: Country) -> None:
    """Findings of forms that somebody has filled in, before their phase."""
    if not land.game.dice.shut:
        return
    for row in land.battles.of_turn(land.game.turn, lambda one: one.status == "open" and one.method != "auto"):
        if row.outcome:
            judge(land.game, Filled(FORM, Fight(land, row), row, further_rows(land.game, FORM, row.battle)))


# --- the phase ------------------------------------------------------------------------------------
def results(land: Country) -> None:
    """Every open battle's form; the phase waits until all are in, then they count."""
    open_ones = land.battles.of_turn(land.game.turn, lambda row: row.status == "open")
    waiting = [ask for row in open_ones if (ask := _awaited(land, row)) is not None]
    if waiting:
        raise Waiting(waiting)
    for row in open_ones:
        fight = Fight(land, row)
        if FORM.is_dice(row):
            resolve_by_dice(land, row, fight.forces, fight.units, fight.side_of)
        else:
            row.outcome = WORDS[row.outcome.strip().casefold()]
        row.status = "fought"
        parts: list[BattleArmy | BattleUnit] = [*fight.forces.values(), *fight.units.values()]
        for one in parts:
            one.status = "counted"
        factions = (land.armies[one].faction for one in fight.forces)
        land.tell("battle_result", land.seen_by(row.node, *factions), "3", touch=[row, *parts], battle=row.battle,
                  node=row.node, outcome=row.outcome)


def _awaited(land: Country, row: Battle) -> Ask | None:
    """The question for a result that is not there, not right, or not confirmed."""
    ask = Ask("result", REFEREE, row.battle, RESULTS, "", {"battle": row.battle, "node": row.node})
    fight, answer = Fight(land, row), land.game.answered(ask)
    first = re.split(r"[\s,;]", answer)[0]
    if answer and not (confirms(FORM, answer) or "=" in answer or meaning(first, {**WORDS, **DICE})):
        land.find("WAR-601", land.game.row_of(ask), "answer", answer=answer, options=", ".join(RESULTS))
        return ask
    if land.rules.confirm_results == "yes" and meaning(first, DICE):
        row.method = "auto"  # instead of a result that he does not confirm
    taken = take_form(land.game, FORM, ask, fight, row, fight.clubs())
    if taken.state in ("missing", "wrong"):
        return ask
    confirmed = taken.state == "dice" or land.rules.confirm_results == "no" or confirms(FORM, answer)
    return None if confirmed else ask


def aids(land: Country) -> None:
    """Tests of generals and commanders that a helper has thrown at the table are logged (3 withdrawal)."""
    rules, game = land.rules, land.game
    for die in land.campaign.table(Die).open_rows(game.turn, lambda one: one.key.startswith("aid/") and (
            one.turn in ("", game.turn) and one.phase in ("", game.phase))):
        _, test, battle, army, n = [*die.key.split("/"), "", "", "", ""][:5]
        row = land.battle_armies.get(f"{battle}/{army}")
        if row is not None and row.side and n.isdecimal() and test in ("general", "command"):
            of_general = {"General's test": rules.general_minus, "withdrawal": rules.general_withdraw}
            own = land.own(land.faction_of(army))
            dice = land.score(AID(test, battle, army, int(n)), {
                "V.C.": row.start_vc or 0, **(of_general if test == "general" else {})}, own)
            land.tell("aid", own, "3 withdrawal", roll=dice, battle=battle, army=army, test=test, total=dice)
