"""Battles taken back from the table: the form of a result, losses, retreats, rearguards, the umpire's dice (3c).

The form is checked in the order 105, 110, 104, 103. See rulebook: Battles on the table, The form of a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.order import natural
from assistant.campaign.records import called
from assistant.rulesets.giglio.book.records import Army, Battle, Contact
from assistant.rulesets.giglio.book.tables import AUTO, Numbers
from assistant.rulesets.giglio.summer.contacts import in_order
from assistant.rulesets.giglio.war.war import War, up
from assistant.rulesets.giglio.war.ways import follow, free_for, go_back, if_beaten, own_neighbours
from assistant.turn.answers.answer_kinds import Shares
from assistant.turn.battle_form.declaration import BattleForm, Clubs, Fault, Filled, Whole, Word
from assistant.turn.battle_form.taking_results import Taken, take_form
from assistant.turn.game import ALL, REFEREE, Ask, Game, Waiting
from assistant.turn.throws.rulings import Contest

FOE = {"a": "b", "b": "a"}
SIDES = tuple(FOE)
REARGUARD = ("rearguard_value", "pursuer_value", "units_exited", "units_lost")


@dataclass
class Fought:
    """A battle with the armies that fought it and what came of it."""

    row: Battle
    armies: dict[str, list[Army]]
    rules: Numbers
    called: Mapping[str, str]
    winner: str = ""
    losses: dict[str, int] = field(default_factory=dict)

    @property
    def rearguard(self) -> bool:
        """Whether it is a rearguard action: side a pursues, side b tries to get away."""
        return _is_rearguard(self.row)

    def faction(self, side: str) -> str:
        """The code of side a or b."""
        return self.row.side_a if side == "a" else self.row.side_b

    def value(self, side: str) -> int:
        """Ducats of the side when it chose."""
        return int((self.row.value_a if side == "a" else self.row.value_b) or 0)


def _engaged(filled: Filled[Fought], side: str) -> int:
    """The ducats that a side had on the table: what it can lose."""
    if not filled.battle.rearguard:
        return filled.battle.value(side)
    return int(filled.typed("pursuer_value" if side == "a" else "rearguard_value"))


def _losses(side: str) -> Whole[Fought]:
    def facts(filled: Filled[Fought]) -> Mapping[str, Any]:
        return {"max": _engaged(filled, side), "side": filled.battle.faction(side)}

    return Whole(f"losses_{side}", side, "GIG-103", facts, most=partial(_engaged, side=side))


def _is_rearguard(row: base.Battle) -> bool:
    return getattr(row, "type", "") == "rearguard"


# --- who has won ----------------------------------------------------------------------------------
def _off_the_table(filled: Filled[Fought]) -> str:
    return "b" if int(filled.typed("units_exited")) > int(filled.typed("units_lost")) else "a"


def _winner(filled: Filled[Fought], typed: str) -> str:
    """A side by its faction's code or name."""
    code = filled.battle.called.get(typed.casefold(), "")
    return next((side for side in SIDES if code and filled.battle.faction(side) == code), "")


class _Winner(Word[Fought]):
    """Who has won: as it is typed; in a rearguard action as the figures say."""

    def value(self, filled: Filled[Fought]) -> str | None:
        """a, b or draw."""
        told = filled.battle.rearguard and all(filled[name] is not None for name in REARGUARD)
        return _off_the_table(filled) if told else super().value(filled)


def _rearguard_figures(filled: Filled[Fought]) -> Iterator[Fault]:
    """GIG-105: the figures of a rearguard action are there and within their bounds."""
    fight, rules = filled.battle, filled.battle.rules
    if not fight.rearguard:
        return
    there, least = all(filled[name] is not None for name in REARGUARD), up(fight.value("b"), rules.rearguard_pct)
    rear = filled["rearguard_value"] if there else 0
    most, ever = (min(fight.value("a"), rules.rearguard_pursuer_x * n) for n in (rear, fight.value("b")))
    if not (there and least <= rear <= fight.value("b") and filled["pursuer_value"] <= most):
        yield Fault("GIG-105", "rearguard_value", {"min": least, "value": fight.value("b"), "max": most or ever})


def _winner_off_the_table(filled: Filled[Fought]) -> Iterator[Fault]:
    """GIG-110: a winner that is typed is the one whom the figures of a rearguard action name."""
    if not filled.battle.rearguard:
        return
    side, typed = _off_the_table(filled), str(filled.typed("winner")).strip().lower()
    if typed not in ("", side) and _winner(filled, typed) != side:
        yield Fault("GIG-110", "winner", {"exited": filled.typed("units_exited"), "lost": filled.typed("units_lost"),
                                          "side": side})


def _seen(game: Game, row: Battle) -> tuple[Fought, Clubs]:
    return _fought(War(game), row), _clubs(row)


def _clubs(row: Battle) -> Clubs:
    return {"a": (row.side_a,), "b": (row.side_b,)}


FORM: BattleForm[Fought] = BattleForm(
    "battle_result",
    (_Winner("winner", told="GIG-104", words={"a": "a", "b": "b", "draw": "draw", "pari": "draw"}, reads=_winner),
     _losses("a"), _losses("b"), *(Whole(name, "a" if name == "pursuer_value" else "b", when=_is_rearguard)
                                    for name in REARGUARD)),
    line=("winner", "losses_a", "losses_b"),
    dice=("mode", "auto"),
    decisive=("mode", "winner", "losses_a", "losses_b", *REARGUARD),
    checks=(_rearguard_figures, _winner_off_the_table, "winner", "losses_a", "losses_b"),
    first_only=True,
    offers=lambda row, lang: (row.side_a, row.side_b, "pari" if lang == "it" else "draw"),
    seen=_seen)


def battle(war: War) -> None:
    """Results are asked for all at once; then battle after battle (rulebook: After the battle)."""
    fights = [_fought(war, row) for row in _open_in_order(war)]
    waiting = [ask for fight in fights for ask in _take_result(war, fight)]
    if waiting:
        raise Waiting(waiting)
    for fight in fights:
        _tell_result(war, fight)
    allot(war, [(f.armies[s], f.faction(s), f.losses[s], f"{f.row.battle}/{s}") for f in fights for s in SIDES])
    for fight in fights:
        if fight.rearguard:
            _after_rearguard(war, fight)
        elif fight.winner != "draw":
            _fall_back(war, fight, FOE[fight.winner])


def check_forms(war: War) -> None:
    """Findings about results in forms of battles or in answers; no die is thrown (rulebook: The form of a result)."""
    for row in _open_in_order(war):
        _take_form(war, _fought(war, row))


def _take_result(war: War, fight: Fought) -> list[Ask]:
    """Take what the form says, or throw the umpire's dice; the question that stays open, if it does."""
    taken = _take_form(war, fight)
    if taken.state in ("missing", "wrong"):
        return [_ask_result(fight)]
    if taken.state == "dice":
        _umpire(war, fight)
    else:
        fight.winner = taken.filled["winner"]
        fight.losses = {side: taken.filled[f"losses_{side}"] for side in SIDES}
    return []


def _take_form(war: War, fight: Fought) -> Taken[Fought]:
    row = fight.row
    return take_form(war.game, FORM, _ask_result(fight), fight, row, _clubs(row))


def _ask_result(fight: Fought) -> Ask:
    row = fight.row
    return Ask("battle_result", REFEREE, row.battle, (), "",
               {"battle": row.battle, "type": row.type, "node": row.node, "a": row.side_a, "b": row.side_b})


def _open_in_order(war: War) -> list[Battle]:
    def key(row: Battle) -> tuple[object, ...]:
        met = (c for c in war.met(row.round) if c.node == row.node and {c.hand, c.other} == {row.side_a, row.side_b})
        return in_order(war, next(met, Contact(node=row.node, hand=row.side_a, other=row.side_b)))
    return sorted(war.battles.where(lambda row: row.status == "open"), key=key)


def _fought(war: War, row: Battle) -> Fought:
    sides = {"a": row.armies_a, "b": row.armies_b}
    return Fought(row, {s: [war.armies[c] for c in text.split() if c in war.armies] for s, text in sides.items()},
                  war.rules, called(war.factions))


# --- not played: the umpire's dice (rulebook: Battles that are not played) ----------------------
def _umpire(war: War, fight: Fought) -> None:
    row, rules = fight.row, war.rules
    value = {s: fight.value(s) for s in SIDES}
    if row.type == "rearguard":
        value["b"] = up(value["b"], rules.rearguard_pct)
        value["a"] = min(value["a"], rules.rearguard_pursuer_x * value["b"])
    big, small = ("a", "b") if value["a"] >= value["b"] else ("b", "a")
    extra = (value[big] - value[small]) * 100 // max(1, value[small] * rules.auto_step_pct)
    circle = war.circle(row.side_a, row.side_b)
    scores = {side: war.score(AUTO(row.battle, fight.faction(side)), {
        "strength": min(rules.auto_max, extra) if side == big else 0,
        "commander": -int(any(a.leaderless == war.round for a in fight.armies[side]))}, circle) for side in SIDES}
    dice = Contest(scores)
    fight.winner = dice.winner or ("b" if row.type == "rearguard" else "draw")
    share = {"a": rules.auto_win_pct, "b": rules.auto_win_pct}
    if fight.winner != "draw":
        share[FOE[fight.winner]] = rules.auto_rout_pct if dice.by(rules.auto_rout_margin) else rules.auto_lose_pct
    fight.losses = {s: up(value[s], share[s]) for s in SIDES}
    war.tell("battle.dice", [row.side_a, row.side_b], roll=dice.rolls, battle=row.battle, a=row.side_a, b=row.side_b,
             total_a=scores["a"], total_b=scores["b"])


# --- after the battle (rulebook: After the battle) ----------------------------------------------
def _tell_result(war: War, fight: Fought) -> None:
    row, losses = fight.row, fight.losses
    row.mode = row.mode or "played"
    row.status = "auto" if row.mode == "auto" else "played"
    row.winner, row.losses_a, row.losses_b = fight.winner, losses["a"], losses["b"]
    winner = "draw" if fight.winner == "draw" else fight.faction(fight.winner)
    war.tell("battle.result", ALL, touch=[row], battle=row.battle, node=row.node, winner=winner, status=row.status)
    war.tell("battle.losses", [row.side_a, row.side_b], touch=[row], battle=row.battle, losses_a=row.losses_a,
             losses_b=row.losses_b, side_a=row.side_a, side_b=row.side_b)


def allot(war: War, due: list[tuple[list[Army], str, int, str]]) -> None:
    """Take losses off armies: (armies, owner, ducats, about); of several the owner allots them, asked all at once."""
    due = [(armies, owner, min(lost, sum(a.value for a in armies)), about) for armies, owner, lost, about in due]
    asks = {about: Ask("allot", owner, about, (), _listed(in_proportion(armies, lost)),
                       {"loss": lost, "list": _listed({a.army: a.value for a in armies})},
                       answer=Shares({a.army: a.value for a in armies}, lost))
            for armies, owner, lost, about in due if len(armies) > 1 and lost}
    got = dict(zip(asks, war.game.shares_all(list(asks.values())), strict=True))
    for armies, _, lost, about in due:
        shares = got.get(about) or {a.army: min(lost, a.value) for a in armies[:1]}
        for army in armies:
            if shares.get(army.army):
                _reduce(war, army, shares[army.army], about.split("/")[0], "battle")


def _reduce(war: War, army: Army, lost: int, battle: str, why: str) -> None:
    war.tell("army.reduced", [army.faction], touch=[army], army=army.army, lost=lost, left=army.value - lost,
             battle=battle)
    war.wear(army, lost, why, "3c")


def in_proportion(armies: list[Army], lost: int) -> dict[str, int]:
    """Losses in proportion to value: rounded down, odd ducats by largest fraction, ties by code."""
    total = sum(a.value for a in armies)
    lost = min(lost, total)
    shares = {a.army: lost * a.value // total for a in armies}
    rest = lost - sum(shares.values())
    by_fraction = sorted(armies, key=lambda a: (-(lost * a.value % total), natural(a.army)))
    for army in by_fraction[:rest]:
        shares[army.army] += 1
    return shares


def _listed(shares: dict[str, int]) -> str:
    """As the allot question wants it: ``V-1=20 V-2=13``."""
    return " ".join(f"{code}={n}" for code, n in shares.items())


def _standing(war: War, fight: Fought, side: str) -> list[Army]:
    return [a for a in fight.armies[side] if a.army in war.armies]


def _fall_back(war: War, fight: Fought, side: str) -> tuple[list[Army], list[Army]]:
    """Each beaten army goes back one node or is destroyed (3c); diplomats go where the armies go.

    Returns the armies that have gone, and the envoys who were with them.
    """
    loser, foe = fight.faction(side), fight.faction(FOE[side])
    armies = _standing(war, fight, side)
    goals = _goals(war, loser, {a.army: if_beaten(war, a, foe) for a in armies}, fight.row.battle)
    envoys = [a for a in war.at(fight.row.node) if (a.faction, a.kind, a.posture) == (loser, "diplomat", "field")]
    for army in armies:
        if goals[army.army]:
            go_back(war, army, goals[army.army], "3c")
        elif war.rules.loser_no_retreat == "half":
            _reduce(war, army, up(army.value, 50), fight.row.battle, "no retreat")
        else:
            war.lose_army(army, "no retreat", "3c")
    left = [a for a in armies if a.army in war.armies]
    for envoy in envoys:
        if left:
            follow(war, envoy, left, "3c")
        else:
            war.lose_army(envoy, "captured diplomat", "t33")
    return [a for a in left if a.node != fight.row.node], [e for e in envoys if e.army in war.armies]


def _goals(war: War, loser: str, ways: dict[str, list[str]], battle: str, again: str = "") -> dict[str, str]:
    """Where each army goes, "" for nowhere; among several nodes the loser chooses, all at once."""
    asks = {code: Ask("retreat_to", loser, f"{battle}/{code}{again}", tuple(nodes), nodes[0], {"army": code})
            for code, nodes in ways.items() if len(nodes) > 1}
    chosen = dict(zip(asks, war.game.choose_all(list(asks.values())), strict=True))
    return {code: chosen.get(code) or next(iter(nodes), "") for code, nodes in ways.items()}


def _after_rearguard(war: War, fight: Fought) -> None:
    """The pursued go back anyway; a beaten rearguard costs a tenth and one node more (rulebook: Rearguard actions)."""
    gone, envoys = _fall_back(war, fight, "b")
    if fight.winner == "b":
        return
    left = _standing(war, fight, "b")
    if left:
        lost = up(fight.value("b"), war.rules.rearguard_lost_pct)
        allot(war, [(left, fight.faction("b"), lost, f"{fight.row.battle}/b+")])
    gone = [a for a in gone if a.army in war.armies]
    for _ in range(war.rules.rearguard_extra_node):
        beside = [(envoy, [a for a in gone if a.node == envoy.node]) for envoy in envoys]
        _one_node_more(war, fight, gone)
        for envoy, armies in beside:
            follow(war, envoy, armies, "3c")


def _one_node_more(war: War, fight: Fought, gone: list[Army]) -> None:
    loser, ways = fight.faction("b"), dict[str, list[str]]()
    for army in gone:
        trail = [n for n in army.nodes_back[-1:] if n != fight.row.node and n in war.nodes and free_for(war, army, n)]
        ways[army.army] = [] if army.posture != "field" else trail or (
            own_neighbours(war, army, fight.faction("a"), but=fight.row.node))
    goals = _goals(war, loser, ways, fight.row.battle, "/2")
    for army in gone:
        if goals[army.army]:
            go_back(war, army, goals[army.army], "3c")
        else:
            war.tell("rearguard.no_further", [loser], army=army.army, node=army.node)
