"""Upkeep, foraging and ransoms, and how the rules organise a nation of their own (TS-Sp5, FO)."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from assistant.campaign.order import natural
from assistant.rulesets.bloodlust.book.records import Army, Faction
from assistant.rulesets.bloodlust.book.sheets import MORALE_OF, Leader, Unit
from assistant.rulesets.bloodlust.book.tables import FORAGE
from assistant.rulesets.bloodlust.muster.organising import Muster
from assistant.rulesets.bloodlust.realm.change import end_empty, free, join, leave, move, new_army
from assistant.rulesets.bloodlust.realm.realm import ALL, FAR
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Count

ROWS = RangeTable.rising("forage", (0, "none"), (1, "fed_exhausted"), (2, "fed"))
QUARTERS = 4


class Purse:
    """The upkeep of one nation."""

    def __init__(self, f: Muster, nation: Faction) -> None:
        self.f, self.nation = f, nation
        self.tested: dict[str, Count] = {}
        self.fed: list[Unit] = []
        self.failed: set[str] = set()
        self.free: set[str] = set()
        """Units that have no price, since they fed themselves (`forage_gain` covers)."""

    def forage(self, unit: Unit) -> bool:
        """A unit forages; whether it has found anything."""
        f, code = self.f, self.nation.faction
        about = unit.army if f.rules.forage_scope == "army" else unit.unit
        if about not in self.tested:
            mods = {"logistic": int(f.any_has("logistic", unit.army))}
            self.tested[about] = f.counted(FORAGE, (unit.unit,), mods=mods, audience=[code], rows=ROWS)
        count = self.tested[about]
        found = count.at_least(1)
        if found and f.rules.forage_gain == "plus_one":
            self.nation.resources += f.rules.forage_gain_resources
        elif found:
            self.free.add(unit.unit)
        if count.verdict == "fed_exhausted":
            unit.exhausted = True
        f.tell("foraged", [code], "FO", roll=count, touch=[unit, self.nation], faction=code, unit=unit.unit,
               n=count.total)
        return found

    def ordered(self, units: Iterable[Unit]) -> None:
        """Units that were told to forage, in natural order."""
        f = self.f
        for unit in units:
            if unit.unit not in f.foraging:
                continue
            if self.forage(unit):
                self.fed.append(unit)
            elif f.foraging[unit.unit] == "or_disband":
                self.away(unit)
            else:
                self.failed.add(unit.unit)

    def away(self, unit: Unit) -> None:
        """A unit that is not paid goes home."""
        leave(self.f, unit, "disbanded")
        self.f.tell("disbanded_unpaid", [self.nation.faction], "TS-Sp5", faction=self.nation.faction, unit=unit.unit)

    def payers(self, units: Iterable[Unit]) -> list[Unit]:
        """Who is paid, in the order of payment: the fed, those to be paid first, then the best."""
        fed = [unit.unit for unit in self.fed]
        first = list(dict.fromkeys(self.f.pay_first))

        def place(unit: Unit) -> tuple[object, ...]:
            if unit.unit in fed:
                return 0, fed.index(unit.unit)
            if unit.unit in first:
                return 1, first.index(unit.unit)
            return 2, -MORALE_OF[unit.morale], -unit.rep, natural(unit.unit)

        return sorted((unit for unit in units if unit.active and self.f.due(unit) and unit.unit not in self.free),
                      key=place)

    def pay(self, units: list[Unit]) -> None:
        """Walk down the list while the money lasts; who cannot be paid forages, or goes."""
        f, spent, paid = self.f, 0, 0
        for unit in self.payers(units):
            price = f.due(unit)
            if ceil((spent + price) / QUARTERS) <= self.nation.resources:
                spent, paid = spent + price, paid + 1
            elif self._may_forage(unit) and self.forage(unit):
                if unit.unit not in self.free:
                    spent, paid = spent + price, paid + 1
            else:
                self.away(unit)
        if paid:
            self.nation.resources -= ceil(spent / QUARTERS)
            f.tell("upkeep", [self.nation.faction], "TS-Sp5" if f.season == "Sp" else "TS-Su3", touch=[self.nation],
                   faction=self.nation.faction, n=ceil(spent / QUARTERS), k=paid)

    def _may_forage(self, unit: Unit) -> bool:
        fresh = unit not in self.fed and unit.unit not in self.failed
        return fresh and bool(self.f.cincs(unit.army))


def pay_all(f: Muster) -> None:
    """Nation by nation, after the rules have organised their own."""
    for nation in f.living():
        if f.self_run(nation.faction):
            _organise(f, nation)
        purse = Purse(f, nation)
        units = f.units.where(lambda one, code=nation.faction: one.active and one.faction == code)  # type: ignore[misc]
        purse.ordered(units)
        purse.pay(units)


# --- nations that the rules play ---------------------------------------------------------------------
def _chief(f: Muster, code: str) -> Leader | None:
    """Who commands a self-run nation: its national leader, else its first active captain."""
    leader = f.national_leader(code)
    if leader is not None and leader.state == "active":
        return leader
    return next(iter(f.leaders.where(lambda one: one.faction == code and one.commands)), None)


def _main_army(f: Muster, code: str, chief: Leader) -> Army:
    if chief.army and f.armies[chief.army].kind == "field":
        return f.armies[chief.army]
    own = f.armies.where(lambda one: one.faction == code and one.active and one.kind == "field"
                         and f.besieging(one.army) is None)
    return own[0] if own else new_army(f, code, f.seat(code))


def _organise(f: Muster, nation: Faction) -> None:
    """Spring: one army under the chief (`npc_army`), at the capital or on the frontier (`npc_stand`); else the Reserve
    joins him at the seat.
    """
    code = nation.faction
    chief = _chief(f, code)
    if chief is None or not f.seat(code) or (chief.army and f.besieging(chief.army) is not None):
        return
    if f.season != "Sp":
        army = f.armies.get(chief.army)
        if army is not None and army.node == f.seat(code):
            join(f, army, f.units_in(f.reserve(code).army))
        return
    army = _main_army(f, code, chief)
    gathers, reserve = f.rules.npc_army == "one", f.reserve(code).army
    join(f, army, f.units.where(lambda one: one.active and one.faction == code and f.besieging(one.army) is None
                                and (gathers or one.army == reserve)))
    for leader in f.leaders.where(lambda one: one.faction == code and one.state == "active"
                                  and f.besieging(one.army) is None and (gathers or one.army in ("", reserve))):
        if leader.army != army.army:
            leader.army = army.army
            f.touch(leader)
    place = _stand(f, code)
    if army.node != place:
        move(f, army, place)
        f.tell("marched", ALL, "A", army=army.army, node=place)


def _stand(f: Muster, code: str) -> str:
    """At war the frontier province nearest to the capital, else the capital or seat."""
    seat, enemies = f.seat(code), f.enemies(code) if f.rules.npc_stand == "frontier" else []
    ways = {node.node: f.ways(code, node.node).get(f.capital(code) or seat, FAR) for node in f.of(code)
            if not f.besieged(node.node) and any(f.provinces[near].owner in enemies for near in f.near(node.node))}
    return min(ways, key=lambda node: (ways[node], natural(node)), default=seat)


# --- ransoms ----------------------------------------------------------------------------------------
def ransoms(f: Muster) -> None:
    """Captives are paid for, or let go for nothing (BLD-011)."""
    for request, leader in f.ransoms:
        holder, nation = f.nations[leader.holder], f.nations[request.faction]
        price = max(f.rules.ransom_least, f.rules.ransom_each * leader.wr)
        if not ((f.self_run(holder.faction) and f.rules.npc_ransom == "takes") or leader.leader in f.releases):
            continue
        if nation.resources < price:
            request.find(f, "BLD-011", "subject", n=price, k=nation.resources, m=0)
            continue
        nation.resources, holder.resources = nation.resources - price, holder.resources + price
        _let_go(f, leader, price, nation, holder)
    for code in sorted(f.releases, key=natural):
        if f.leaders[code].state == "captured":
            _let_go(f, f.leaders[code], 0)


def _let_go(f: Muster, leader: Leader, price: int, *paid: Faction) -> None:
    free(f, leader)
    f.tell("ransomed", ALL, "A", touch=[leader, *paid], leader=leader.leader, n=price)


def closing(f: Muster) -> None:
    """Empty field armies without a commander go."""
    end_empty(f, without_leader=True)
