"""Battles taken back from the table: results, losses, retreats, rearguards, the umpire's dice (3c, digest 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.campaign.order import natural
from assistant.rulesets.giglio.contacts import in_order
from assistant.rulesets.giglio.records import Army, Battle
from assistant.rulesets.giglio.war import War, digits, up
from assistant.rulesets.giglio.ways import choose, follow, free_for, go_back, own_neighbours, previous
from assistant.turn.dice import Roll
from assistant.turn.findings import Where
from assistant.turn.game import ALL, REFEREE, Ask, Game, Waiting

FORM = ("mode", "winner", "losses_a", "losses_b", "rearguard_value", "pursuer_value", "units_exited", "units_lost")
SIDES = ("a", "b")
WINNERS = {"a": "a", "b": "b", "draw": "draw", "pari": "draw"}


@dataclass
class Fought:
    """A battle with the armies that fought it and what came of it."""

    row: Battle
    armies: dict[str, list[Army]]
    winner: str = ""
    losses: dict[str, int] | None = None

    def faction(self, side: str) -> str:
        """The code of side a or b."""
        return self.row.side_a if side == "a" else self.row.side_b

    def value(self, side: str) -> int:
        """Ducats of the side when it chose."""
        return int((self.row.value_a if side == "a" else self.row.value_b) or 0)


def is_reported(battle: Battle) -> bool:
    """Whether anything stands in the result form."""
    return any(getattr(battle, name) != "" for name in FORM)


def battle(game: Game) -> None:
    """Results are asked for all at once; then battle after battle as 8.4 says."""
    war = War(game)
    fights = [_fought(war, row) for row in _open_in_order(war)]
    asks = [_ask_result(fight) for fight in fights]
    for ask, fight in zip(asks, fights, strict=True):
        typed = game.answered(ask)
        if typed and not is_reported(fight.row):
            read_form(fight.row, typed)
    missing = [ask for ask, fight in zip(asks, fights, strict=True) if not is_reported(fight.row)]
    wrong = [ask for ask, fight in zip(asks, fights, strict=True)
             if is_reported(fight.row) and not _take_form(war, fight)]
    if missing or wrong:
        raise Waiting(missing + wrong)
    for fight in fights:
        _tell_result(war, fight)
    take_losses(war, fights)
    for fight in fights:
        _aftermath(war, fight)


def check_forms(war: War) -> None:
    """Findings about the results that stand in the forms of open battles, or in answers (8.3); no die is thrown."""
    for row in war.battles:
        if row.status != "open":
            continue
        fight = _fought(war, row)
        typed = war.game.answered(_ask_result(fight))
        if typed and not is_reported(row):
            read_form(row, typed)
        if is_reported(row) and row.mode != "auto":
            _take_form(war, fight)


def _ask_result(fight: Fought) -> Ask:
    row = fight.row
    return Ask("battle_result", REFEREE, row.battle, (), "",
               {"battle": row.battle, "type": row.type, "node": row.node, "a": row.side_a, "b": row.side_b})


def _open_in_order(war: War) -> list[Battle]:
    def key(row: Battle) -> tuple[object, ...]:
        for c in war.contacts:
            here = (c.year, c.round, c.node) == (war.year, row.round, row.node)
            if here and {c.hand, c.other} == {row.side_a, row.side_b}:
                return in_order(war, c.hand, c.node, c.other)
        return in_order(war, row.side_a, row.node, row.side_b)
    return sorted((b for b in war.battles if b.status == "open"), key=key)


def _fought(war: War, row: Battle) -> Fought:
    sides = {"a": row.armies_a, "b": row.armies_b}
    return Fought(row, {s: [war.armies[c] for c in text.split() if c in war.armies] for s, text in sides.items()})


def read_form(row: Battle, text: str) -> None:
    """A result typed as an answer: ``auto``, ``a 26 55`` (winner, losses) or ``winner=a losses_a=26 …``."""
    words = re.split(r"[\s,;]+", text.strip())
    pairs = [w.split("=", 1) for w in words if "=" in w]
    for name, value in pairs:
        if name in FORM and (name != "mode" or value in ("played", "auto")):
            setattr(row, name, _typed(value))
    bare = [w for w in words if "=" not in w]
    if bare and bare[0].lower() in ("auto", "dadi"):
        row.mode = "auto"
    elif bare:
        row.mode, row.winner = "played", bare[0]
        for name, value in zip(("losses_a", "losses_b"), bare[1:], strict=False):
            setattr(row, name, _typed(value))


def _typed(value: str) -> int | str:
    number = digits(value)
    return value if number is None else number


# --- the result form (8.3) ----------------------------------------------------------------------
def _take_form(war: War, fight: Fought) -> bool:
    """Check the form in the order 105, 110, 104, 103; False leaves the question open."""
    row = fight.row
    if row.mode == "auto":
        _umpire(war, fight)
        return True
    if row.type == "rearguard" and not _rearguard_form(war, fight):
        return False
    word = WINNERS.get(str(row.winner).strip().lower(), "")
    word = word or {row.side_a: "a", row.side_b: "b"}.get(str(row.winner).strip().upper(), "")
    if row.type == "rearguard":
        word = _off_the_table(row)
    if not word:
        war.game.find("GIG-104", Where(Battle.sheet, row.battle, "winner"))
        return False
    for side, typed in (("a", row.losses_a), ("b", row.losses_b)):
        most = fight.value(side)
        if row.type == "rearguard":
            most = int(row.pursuer_value if side == "a" else row.rearguard_value)
        if not isinstance(typed, int) or not 0 <= typed <= most:
            where = Where(Battle.sheet, row.battle, f"losses_{side}")
            war.game.find("GIG-103", where, max=most, side=fight.faction(side))
            return False
    fight.winner, fight.losses = word, {"a": int(row.losses_a), "b": int(row.losses_b)}
    return True


def _off_the_table(row: Battle) -> str:
    return "b" if int(row.units_exited) > int(row.units_lost) else "a"


def _rearguard_form(war: War, fight: Fought) -> bool:
    row, rules = fight.row, war.rules
    least = up(fight.value("b"), rules.rearguard_pct)
    figures = (row.rearguard_value, row.pursuer_value, row.units_exited, row.units_lost)
    good = all(isinstance(n, int) and n >= 0 for n in figures)
    most = 0
    if good:
        most = min(fight.value("a"), rules.rearguard_pursuer_x * int(row.rearguard_value))
        good = least <= int(row.rearguard_value) <= fight.value("b") and int(row.pursuer_value) <= most
    if not good:
        most = most or min(fight.value("a"), rules.rearguard_pursuer_x * fight.value("b"))
        war.game.find("GIG-105", Where(Battle.sheet, row.battle, "rearguard_value"), min=least,
                      value=fight.value("b"), max=most)
        return False
    side = _off_the_table(row)
    if row.winner != "" and str(row.winner).strip().lower() not in (side, fight.faction(side).lower()):
        war.game.find("GIG-110", Where(Battle.sheet, row.battle, "winner"), exited=row.units_exited,
                      lost=row.units_lost, side=side)
        return False
    return True


# --- not played: the umpire's dice (8.5) --------------------------------------------------------
def _umpire(war: War, fight: Fought) -> None:
    row, rules = fight.row, war.rules
    value = {s: fight.value(s) for s in SIDES}
    if row.type == "rearguard":
        value["b"] = up(value["b"], rules.rearguard_pct)
        value["a"] = min(value["a"], rules.rearguard_pursuer_x * value["b"])
    big, small = ("a", "b") if value["a"] >= value["b"] else ("b", "a")
    extra = (value[big] - value[small]) * 100 // max(1, value[small] * rules.auto_step_pct)
    totals, rolls = {}, []
    for side in SIDES:
        roll = war.game.roll(f"auto:{row.battle}:{fight.faction(side)}", "2d6", war.circle(row.side_a, row.side_b))
        rolls.append(roll)
        dead = any(a.leaderless == war.round for a in fight.armies[side])
        totals[side] = roll.total + (min(rules.auto_max, extra) if side == big else 0) - (1 if dead else 0)
    margin = abs(totals["a"] - totals["b"])
    if margin:
        fight.winner = max(totals, key=lambda s: totals[s])
    else:
        fight.winner = "b" if row.type == "rearguard" else "draw"
    share = {"a": rules.auto_win_pct, "b": rules.auto_win_pct}
    if fight.winner != "draw":
        loser = "b" if fight.winner == "a" else "a"
        share[loser] = rules.auto_rout_pct if margin >= rules.auto_rout_margin else rules.auto_lose_pct
    fight.losses = {s: up(value[s], share[s]) for s in SIDES}
    _tell_dice(war, fight, rolls, totals)


def _tell_dice(war: War, fight: Fought, rolls: list[Roll], totals: dict[str, int]) -> None:
    war.game.tell("battle.dice", [fight.row.side_a, fight.row.side_b], "8.5", roll=rolls, battle=fight.row.battle,
                  a=fight.row.side_a, b=fight.row.side_b, total_a=totals["a"], total_b=totals["b"])


# --- after the battle (8.4) ---------------------------------------------------------------------
def _tell_result(war: War, fight: Fought) -> None:
    row, losses = fight.row, fight.losses or {}
    row.mode = row.mode or "played"
    row.status = "auto" if row.mode == "auto" else "played"
    row.winner, row.losses_a, row.losses_b = fight.winner, losses["a"], losses["b"]
    winner = "draw" if fight.winner == "draw" else fight.faction(fight.winner)
    war.game.tell("battle.result", ALL, "3c", touch=[row], battle=row.battle, node=row.node, winner=winner,
                  status=row.status)
    war.game.tell("battle.losses", [row.side_a, row.side_b], "3c", touch=[row], battle=row.battle,
                  losses_a=row.losses_a, losses_b=row.losses_b, side_a=row.side_a, side_b=row.side_b)


def take_losses(war: War, fights: list[Fought]) -> None:
    """Losses come off the armies; where a side has several, its owner allots them (`allot`)."""
    allot(war, [(f.armies[s], f.faction(s), (f.losses or {})[s], f"{f.row.battle}/{s}") for f in fights for s in SIDES],
          "battle")


def allot(war: War, due: list[tuple[list[Army], str, int, str]], why: str) -> None:
    """Take losses off armies: (armies, owner, ducats, about); several armies are asked for, all at once."""
    due = [(armies, owner, min(lost, sum(a.value for a in armies)), about) for armies, owner, lost, about in due]
    asks = {about: Ask("allot", owner, about, (), show_shares(in_proportion(armies, lost)),
                       {"loss": lost, "list": " ".join(f"{a.army}={a.value}" for a in armies)})
            for armies, owner, lost, about in due if len(armies) > 1 and lost}
    got = dict(zip(asks, war.game.ask_all(list(asks.values())), strict=True))
    for armies, _, lost, about in due:
        if about in asks:
            shares = _read_shares(war, asks[about], armies, lost, got[about])
        else:
            shares = {a.army: min(lost, a.value) for a in armies[:1]}
        for army in armies:
            if shares.get(army.army):
                war.game.tell("army.reduced", [army.faction], "3c", touch=[army], army=army.army,
                              lost=shares[army.army], left=army.value - shares[army.army],
                              battle=about.split("/")[0])
                war.wear(army, shares[army.army], why, "3c")


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


def show_shares(shares: dict[str, int]) -> str:
    """As the allot question wants it: ``V-1=20 V-2=13``."""
    return " ".join(f"{code}={n}" for code, n in shares.items())


def _read_shares(war: War, ask: Ask, armies: list[Army], lost: int, text: str) -> dict[str, int]:
    words = [w for w in re.split(r"[\s,;]+", text.strip().upper()) if w]
    pairs = [re.fullmatch(r"([A-Z]+-\d+)[=:](\d+)", word) for word in words]
    shares = {m[1]: int(m[2]) for m in pairs if m}
    have = {a.army: a.value for a in armies}
    good = all(pairs) and all(code in have and n <= have[code] for code, n in shares.items())
    if not good or sum(shares.values()) != lost:
        war.game.ask_again(ask, "GIG-108", sum=sum(shares.values()), loss=lost)
    return shares


def _aftermath(war: War, fight: Fought) -> None:
    if fight.row.type == "rearguard":
        _after_rearguard(war, fight)
    elif fight.winner != "draw":
        loser = "b" if fight.winner == "a" else "a"
        _fall_back(war, fight, loser)


def _standing(war: War, fight: Fought, side: str) -> list[Army]:
    return [a for a in fight.armies[side] if a.army in war.armies]


def _fall_back(war: War, fight: Fought, side: str) -> tuple[list[Army], list[Army]]:
    """Each beaten army goes back one node or is destroyed (3c); diplomats go where the armies go.

    Returns the armies that have gone, and the envoys who were with them.
    """
    loser, foe = fight.faction(side), fight.faction("b" if side == "a" else "a")
    armies = _standing(war, fight, side)
    goals = {a.army: previous(war, a, foe) for a in armies}
    choices = {a.army: own_neighbours(war, a, {foe}) for a in armies if not goals[a.army]}
    asks = {code: Ask("retreat_to", loser, f"{fight.row.battle}/{code}", tuple(nodes), nodes[0], {"army": code})
            for code, nodes in choices.items() if len(nodes) > 1}
    got = dict(zip(asks, war.game.ask_all(list(asks.values())), strict=True))
    for code, nodes in choices.items():
        goals[code] = choose(war, asks[code], nodes, got[code]) if code in asks else (nodes[0] if nodes else "")
    envoys = [a for a in war.at(fight.row.node) if (a.faction, a.kind, a.posture) == (loser, "diplomat", "field")]
    for army in armies:
        if goals[army.army]:
            go_back(war, army, goals[army.army], "3c")
        elif war.rules.loser_no_retreat == "half":
            war.game.tell("army.reduced", [army.faction], "3c", touch=[army], army=army.army, lost=up(army.value, 50),
                          left=army.value - up(army.value, 50), battle=fight.row.battle)
            war.wear(army, up(army.value, 50), "no retreat", "3c")
        else:
            war.lose_army(army, "no retreat", "3c")
    left = [a for a in armies if a.army in war.armies]
    for envoy in envoys:
        if left:
            follow(war, envoy, left, "3c")
        else:
            war.lose_army(envoy, "captured diplomat", "t33")
    return [a for a in left if a.node != fight.row.node], [e for e in envoys if e.army in war.armies]


def _after_rearguard(war: War, fight: Fought) -> None:
    """The pursued go back in any case; if the rearguard lost, they lose a tenth and go one node more (8.4.3)."""
    gone, envoys = _fall_back(war, fight, "b")
    if fight.winner == "b":
        return
    loser, foe = fight.faction("b"), fight.faction("a")
    left = _standing(war, fight, "b")
    if left:
        lost = min(up(fight.value("b"), war.rules.rearguard_lost_pct), sum(a.value for a in left))
        allot(war, [(left, loser, lost, f"{fight.row.battle}/b+")], "battle")
    gone = [a for a in gone if a.army in war.armies]
    for _ in range(war.rules.rearguard_extra_node):
        beside = [(envoy, [a for a in gone if a.node == envoy.node]) for envoy in envoys]
        _one_node_more(war, fight, gone, loser, foe)
        for envoy, armies in beside:
            follow(war, envoy, armies, "3c")


def _one_node_more(war: War, fight: Fought, gone: list[Army], loser: str, foe: str) -> None:
    goals: dict[str, str] = {}
    asks: dict[str, tuple[Ask, list[str]]] = {}
    for army in gone:
        if army.posture != "field":
            goals[army.army] = ""
            continue
        trail = army.nodes_back[-1] if army.nodes_back else ""
        if trail and trail != fight.row.node and trail in war.nodes and free_for(war, army, trail):
            goals[army.army] = trail
            continue
        nodes = own_neighbours(war, army, {foe}, but=fight.row.node)
        goals[army.army] = nodes[0] if nodes else ""
        if len(nodes) > 1:
            asks[army.army] = (Ask("retreat_to", loser, f"{fight.row.battle}/{army.army}/2", tuple(nodes), nodes[0],
                                   {"army": army.army}), nodes)
    got = war.game.ask_all([ask for ask, _ in asks.values()])
    for (code, (ask, nodes)), text in zip(asks.items(), got, strict=True):
        goals[code] = choose(war, ask, nodes, text)
    for army in gone:
        if goals[army.army]:
            go_back(war, army, goals[army.army], "3c")
        else:
            war.game.tell("rearguard.no_further", [loser], "3c", army=army.army, node=army.node)
