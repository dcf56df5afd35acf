"""Trade and commerce: provinces in; resources and tributes out (TC, DP)."""

from __future__ import annotations

from assistant.rulesets.bloodlust.book.records import Faction, Node
from assistant.rulesets.bloodlust.book.sheets import TradeRow
from assistant.rulesets.bloodlust.book.tables import TRADE
from assistant.rulesets.bloodlust.realm.realm import Realm, whole_year
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Count


def trade(f: Realm) -> None:
    """Every nation earns, then the tributaries pay."""
    rows = sorted((row.successes, str(row.resources)) for row in f.campaign.table(TradeRow))
    table = RangeTable.rising("trade", *(rows or [(0, "0")]))
    for nation in f.living():
        _earn(f, nation, table)
    for row in f.relations:
        payer, to = f.nations[row.of], f.nations[row.toward]
        paid = min(f.rules.tribute, payer.resources)
        if whole_year(row.tribute_until) == f.year and payer.alive and to.alive and paid:
            payer.resources, to.resources = payer.resources - paid, to.resources + paid
            f.tell("tribute", [row.of, row.toward], "DP", touch=[payer, to], faction=row.of, partner=row.toward, n=paid)


def earns(f: Realm, node: Node) -> bool:
    """Whether a province is tested at all."""
    fresh = node.conquered_turn == f.turn and (f.season != "Wi" or f.rules.trade_exclude == "all")
    return not (f.besieged(node.node) or fresh or node.looted_turn == f.turn)


def _earn(f: Realm, nation: Faction, table: RangeTable) -> None:
    code, counts = nation.faction, list[Count]()
    for node in f.of(code):
        if earns(f, node):
            counts.append(f.counted(TRADE, (node.node,), mods=modifiers(f, nation, node), audience=[code], rows=table))
    income = sum(int(count.verdict) for count in counts)
    nation.resources += income
    if counts:
        f.tell("trade", [code], "TC", roll=counts, touch=[nation], faction=code, n=income, k=len(counts))


def modifiers(f: Realm, nation: Faction, node: Node) -> dict[str, int]:
    """What counts in the trade of a province."""
    rules, code = f.rules, nation.faction
    season = {"Sp": rules.trade_mods_Sp, "Su": rules.trade_mods_Su, "Wi": rules.trade_mods_Wi}.get(f.season, 0)
    enemies = f.enemies(code)
    owners = [f.provinces[near].owner for near in f.near(node.node)]
    hostile = sum(owner in enemies for owner in owners)
    offended = any(owner and f.holds(f.feeling(code, owner).backfire_until) for owner in owners)
    return {"season": season, "war next door": rules.trade_mods_war * (
                hostile if rules.trade_war == "each" else bool(hostile)),
            "peace": rules.trade_mods_peace * (not enemies), "Pole": rules.trade_mods_pole * node.pole,
            "capital": rules.trade_mods_capital * (node.capital and not node.pole),
            "unrest": rules.trade_mods_unrest * bool(nation.unrest), "offence": rules.trade_mods_offended * offended}
