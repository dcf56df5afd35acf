"""Winter quarters: Disband or Not, deaths of leaders, the second check, weapons that appear (DN, p60, p61)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.order import natural
from assistant.rulesets.bloodlust.book.records import Faction
from assistant.rulesets.bloodlust.book.sheets import MORALE_OF, Unit
from assistant.rulesets.bloodlust.book.tables import DEATH, DISBAND, WEAPON, WEAPON_PROVINCE
from assistant.rulesets.bloodlust.orders.columns import listed
from assistant.rulesets.bloodlust.realm.change import end_empty, leave
from assistant.rulesets.bloodlust.realm.people import unplace
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.rulesets.bloodlust.season.morale import check
from assistant.turn.answers.answer_kinds import Kind, Offer, Unfit
from assistant.turn.answers.asking import Ask
from assistant.turn.findings import Where
from assistant.turn.orders.words import fold
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Count

ROWS = RangeTable.rising("disband", (0, "leaves"), (1, "veterans_stay"), (2, "normals_stay"))
NOBODY = ("none", "nessuna", "nessuno", "niente")
ALL_OF_THEM = ("all", "tutte", "tutti")
STAYS_FROM = {"leaves": 99, "veterans_stay": MORALE_OF["veteran"], "normals_stay": MORALE_OF["normal"]}


@dataclass(frozen=True)
class Units(Kind[str]):
    """Some of the units that may be kept, in the order named, or none."""

    faction: str = ""

    def read(self, text: str, offer: Offer) -> str:
        """Their codes. Raises `Unfit`."""
        if fold(text.strip()) in NOBODY:
            return NOBODY[0]
        if fold(text.strip()) in ALL_OF_THEM:
            return " ".join(code for code in offer.options if code != NOBODY[0])
        found = listed(text, self.faction or next(iter(offer.options), "").partition("-")[0])
        if not found or any(code not in offer.options for code in found):
            raise Unfit
        return " ".join(found)


@dataclass
class Quarters:
    """One nation's units in winter."""

    nation: Faction
    counts: list[Count]
    leaving: list[Unit]
    keepable: list[Unit]


def winter(f: Realm) -> None:
    """The phase, step by step."""
    _disband(f)
    died = _deaths(f)
    if f.rules.winter_nm_checks != "one":
        check(f, [nation for nation in f.living() if f.enemies(nation.faction) and (
            f.rules.winter_nm_checks == "two" or nation.faction in died)], again=2)
    _weapons(f)
    end_empty(f)


# --- Disband or Not ---------------------------------------------------------------------------------
def _disband(f: Realm) -> None:
    quarters = [_tested(f, nation) for nation in f.living()]
    pays = f.rules.disband_pay
    asked = [one for one in quarters if pays == "save_unit" and one.keepable and not f.self_run(one.nation.faction)]
    named = dict(zip([one.nation.faction for one in asked], f.answers([_question(f, one) for one in asked]),
                     strict=True))
    for one in quarters:
        if pays == "save_unit":
            _keep(f, one, named.get(one.nation.faction, ""))
        elif pays == "survivors_pay":
            _pay(f, one)
        _go(f, one)


def _tested(f: Realm, nation: Faction) -> Quarters:
    code, found = nation.faction, Quarters(nation, [], [], [])
    tests: dict[str, Count] = {}
    for unit in f.units.where(lambda one: one.active and one.faction == code and f.besieging(one.army) is None):
        about = unit.army if f.rules.disband_scope == "army" else unit.unit
        if about not in tests:
            tests[about] = f.counted(DISBAND, (unit.unit,), mods=_reputation(f, unit), audience=[code], rows=ROWS)
            found.counts.append(tests[about])
        count = tests[about]
        if MORALE_OF[unit.morale] < STAYS_FROM[count.verdict]:
            found.leaving.append(unit)
            if count.at_least(1):
                found.keepable.append(unit)
    return found


def _reputation(f: Realm, unit: Unit) -> dict[str, int]:
    """What the reputation of an army's lead counts."""
    lead, rules = f.lead(unit.army), f.rules
    if lead is None:
        return {}
    great, poor = (lead.reputation > 6, lead.reputation < 2) if rules.rep_threshold == "as_text" else (
        lead.reputation >= 5, lead.reputation <= 2)
    return {"reputation": rules.disband_rep_high * great + rules.disband_rep_low * poor}


def _question(f: Realm, one: Quarters) -> Ask:
    code = one.nation.faction
    units = tuple(unit.unit for unit in one.keepable)
    asked = {"faction": code, "units": " ".join(units), "m": one.nation.resources}
    return Ask("keep", code, code, (*units, "none"), "none", asked, answer=Units(code))


def _best_first(units: list[Unit]) -> list[Unit]:
    return sorted(units, key=lambda unit: (-MORALE_OF[unit.morale], -unit.rep, natural(unit.unit)))


def worth_keeping(f: Realm, nation: Faction, units: list[Unit]) -> list[Unit]:
    """The units that the rules keep, good ones (`npc_keep`), the best first, while more than so much is left."""
    good = [unit for unit in _best_first(units) if MORALE_OF[unit.morale] >= MORALE_OF[f.rules.npc_keep]]
    spare, price = max(0, nation.resources - f.rules.npc_keep_floor), f.rules.keep_price
    return good[:-(-spare // price) if price else len(good)]


def _keep(f: Realm, one: Quarters, named: str) -> None:
    """Units that would leave are kept for a resource each, while money lasts (BLD-052)."""
    nation, price = one.nation, f.rules.keep_price
    if named:
        wanted = [f.units[code] for code in named.split() if code in f.units]
        kept = wanted[:nation.resources // price if price else len(wanted)]
        if len(kept) < len(wanted):
            row = f.game.row_of(Ask("keep", nation.faction, nation.faction))
            f.game.find("BLD-052", Where(row.sheet, row.ident, "answer"), nation.faction, k=len(wanted), m=len(kept))
    elif f.self_run(nation.faction):
        kept = worth_keeping(f, nation, one.keepable)
    else:
        kept = []
    nation.resources = max(0, nation.resources - price * len(kept))
    one.leaving = [unit for unit in one.leaving if unit not in kept]
    if kept:
        f.tell("kept", [nation.faction], "DN", touch=[nation], faction=nation.faction,
               units=" ".join(unit.unit for unit in kept), n=len(kept))


def _pay(f: Realm, one: Quarters) -> None:
    """Who stays must be paid for (`disband_pay` survivors_pay)."""
    code, price = one.nation.faction, f.rules.keep_price
    staying = _best_first(f.units.where(lambda unit: unit.active and unit.faction == code
                                        and f.besieging(unit.army) is None and unit not in one.leaving))
    paid = min(len(staying), one.nation.resources // price) if price else len(staying)
    one.nation.resources -= paid * price
    one.leaving += staying[paid:]
    f.touch(one.nation)


def _go(f: Realm, one: Quarters) -> None:
    if not one.counts:
        return
    code = one.nation.faction
    for unit in one.leaving:
        leave(f, unit, "disbanded")
    stayed = f.strength(code)
    f.tell("disband_tests", [code], "DN", roll=one.counts, faction=code,
           units=" ".join(unit.unit for unit in one.leaving))
    f.tell("disband", ALL, "DN", faction=code, n=len(one.leaving), k=stayed)


# --- deaths and weapons -----------------------------------------------------------------------------
def _deaths(f: Realm) -> list[str]:
    """National leaders may die; whose did (p60)."""
    died = []
    for nation in f.living():
        leader = f.national_leader(nation.faction)
        if leader is None:
            continue
        roll = f.roll(DEATH(nation.faction))
        if roll.at_least(f.rules.death_from):
            died.append(nation.faction)
            nation.leaders_lost += 1
            leader.state, leader.army, leader.holder = "dead", "", ""
            unplace(f, leader)
            f.tell("leader_dies", ALL, "p60", roll=roll, touch=[leader, nation], faction=nation.faction,
                   leader=leader.leader)
    return died


def _weapons(f: Realm) -> None:
    """Weapons that are away may appear somewhere (p61)."""
    nodes = list(f.provinces.keys())
    for weapon in f.weapons.where(lambda one: one.state == "unplaced" and not (
            f.lasts(one.returns_turn) and one.returns_turn != f.turn)):
        roll = f.roll(WEAPON(weapon.weapon))
        if roll.at_least(f.rules.weapon_on):
            where = f.roll(WEAPON_PROVINCE(weapon.weapon, dice=f"1d{len(nodes)}"))
            weapon.state, weapon.node, weapon.returns_turn = "placed", nodes[where.total - 1], ""
            f.tell("weapon_placed", ALL, "p61", roll=[roll, where], touch=[weapon], weapon=weapon.weapon,
                   node=weapon.node)
