"""National morale: a season's battles and losses in; adjustment, check, disasters and enforced peaces out (WF, p59)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rulesets.bloodlust.book.records import Faction
from assistant.rulesets.bloodlust.book.sheets import Peace, War
from assistant.rulesets.bloodlust.book.tables import WILL
from assistant.rulesets.bloodlust.realm.change import end_war
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.turn.board import next_code
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Count

ROWS = RangeTable.rising("will", (0, "disaster"), (1, "shaken"), (2, "carry_on"))
REFUSALS = 3
"""From the third battle refused on it counts."""


@dataclass
class Tested:
    """What came of a nation's check."""

    nation: Faction
    total: int
    count: Count


def will(f: Realm) -> None:
    """Adjustment and check of all nations at war."""
    nations = [nation for nation in f.living() if f.enemies(nation.faction)]
    if f.rules.nm_adjust_mode == "permanent":
        for nation in nations:
            _adjust(f, nation)
    check(f, nations)


def _adjust(f: Realm, nation: Faction) -> None:
    """The season changes morale for good (TS-Sp12)."""
    rules, code, was = f.rules, nation.faction, nation.morale
    won, lost = f.fought(code)
    capital = f.capital(code)
    change = rules.nm_won * bool(won) + rules.nm_lost * bool(lost)
    change += sum(rules.nm_capital if node.node == capital else rules.nm_province for node in f.lost_now(code))
    change += rules.nm_collapse * any(code in row.collapsed.split() for row in f.battles.of_turn(f.turn))
    nation.morale = min(rules.nm_max, max(rules.nm_min, was + change))
    if nation.morale != was:
        f.tell("morale", ALL, "p59", touch=[nation], faction=code, a=was, b=nation.morale)


def parts(f: Realm, nation: Faction) -> dict[str, int]:
    """What a nation's total is made of (WF)."""
    rules, code = f.rules, nation.faction
    won, lost = f.fought(code)
    refused = nation.refused_season if rules.refuse_window == "season" else nation.refused_year
    shaken = nation.shaken - (nation.shaken_turn == f.turn)
    leader = f.national_leader(code) if rules.nm_test_rating == "nm_plus_wr" else None
    return {"morale": nation.morale, "leader": f.wr_now(leader), "won battle": rules.will_mods_won * bool(won),
            "lost battle": rules.will_mods_lost * bool(lost),
            "refused battle": rules.will_mods_refused * (nation.refused_season > 0 and refused >= REFUSALS),
            "provinces lost": rules.will_mods_province * len(f.lost_now(code)),
            "shaken": rules.will_mods_shaken * shaken}


def check(f: Realm, nations: list[Faction], again: int = 1) -> None:
    """The check of some nations, all judged on the same state, and the wars that it ends."""
    tested = [_test(f, nation, again) for nation in nations]
    totals = {nation.faction: sum(parts(f, nation).values()) for nation in f.living() if f.enemies(nation.faction)}
    broken = [one.nation.faction for one in tested if one.count.verdict == "disaster"]
    for one in tested:
        _apply(f, one)
    end_wars(f, broken, totals)


def _test(f: Realm, nation: Faction, again: int) -> Tested:
    made_of = parts(f, nation)
    rating, mods = made_of, dict[str, int]()
    if f.rules.wtf_mod_kind == "successes":
        rating = {name: made_of[name] for name in ("morale", "leader")}
        mods = {name: n for name, n in made_of.items() if name not in rating}
    count = f.rated(WILL, (nation.faction,), rating, mods, bounds=True, rows=ROWS, again=again)
    return Tested(nation, sum(made_of.values()), count)


def _apply(f: Realm, one: Tested) -> None:
    nation, verdict, cap = one.nation, one.count.verdict, f.rules.nm_shaken_cap
    if verdict == "shaken":
        nation.opposition = True
        if not cap or nation.shaken < cap:
            nation.shaken, nation.shaken_turn = nation.shaken + 1, f.turn
    else:
        nation.shaken, nation.shaken_turn = 0, ""
    if verdict == "disaster":
        nation.unrest = f.rules.unrest_seasons
    f.tell("will", ALL, "WF", roll=one.count, touch=[nation], faction=nation.faction, row=verdict)


# --- the ends of wars -------------------------------------------------------------------------------
def end_wars(f: Realm, broken: list[str], totals: dict[str, int]) -> None:
    """Wars of the broken end, in id order."""
    lost = [(war, losers) for war in f.open_wars()
            if (losers := [code for code in broken if _loses(f, war, code, totals)])]
    for war, losers in lost:
        pair = (war.aggressor, war.target)
        a, b = (totals[code] for code in pair)
        if len(losers) == 1:
            loser = losers[0]
        else:
            loser = "" if a == b else pair[a > b]
        winner = next(code for code in pair if code != (loser or war.target))
        other = war.target if winner == war.aggressor else war.aggressor
        enforce(f, war, winner, other, totals[winner] - totals[other], equal=not loser)


def _loses(f: Realm, war: War, code: str, totals: dict[str, int]) -> bool:
    """Whether a broken nation loses a war (`disaster_scope`)."""
    if code not in (war.aggressor, war.target):
        return False
    enemies = f.enemies(code)
    strongest = max(enemies, key=lambda enemy: totals.get(enemy, 0), default="")
    return f.rules.disaster_scope == "all_wars" or strongest in (war.aggressor, war.target)


def enforce(f: Realm, war: War, winner: str, loser: str, margin: int, *, equal: bool = False,
            broken: bool = True) -> None:
    """An enforced peace of so many years. `broken`: whether a people did, which hates the winner then."""
    rules = f.rules
    years = rules.peace_min if equal else min(rules.peace_cap, max(rules.peace_min, margin))
    seasons = rules.peace_unit == "seasons"
    peace = f.peaces.add(Peace(
        peace=next_code(f.peaces, "E{}"), winner=winner, loser=loser, war=war.war, pays=not equal,
        from_year=f.later(1) if seasons else str(f.year + 1),
        until_year=f.later(years) if seasons else str(f.year + years)))
    if not equal and broken:
        f.written(loser, winner).hates = True
    end_war(f, war, "enforced")
    if not equal and broken:
        f.tell("disaster", ALL, "WF", touch=[war, peace], faction=loser, winner=winner, year=peace.until_year)
    f.tell("enforced_peace", ALL, "p59", touch=[war, peace], winner=winner, loser=loser, year=peace.until_year)
