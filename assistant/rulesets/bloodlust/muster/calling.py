"""Spring's call: heroes leave, insults become war, new marshals, recruiting rolls, payments, heroes (TS-Sp1, 3, 4)."""

from __future__ import annotations

from assistant.rulesets.bloodlust.book.records import Faction
from assistant.rulesets.bloodlust.book.tables import HERO, INSULT, LEVEL
from assistant.rulesets.bloodlust.realm.change import open_war
from assistant.rulesets.bloodlust.realm.people import raise_leader
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm, whole_year
from assistant.turn.throws.dice import Roll


def heroes_leave(f: Realm) -> None:
    """Heroes serve a year."""
    for hero in f.leaders.where(lambda one: one.rank == "hero" and one.there):
        hero.state, hero.army = "gone", ""
        f.touch(hero)


def insults(f: Realm) -> dict[str, list[Roll]]:
    """Insults of last Winter become war; the dice of the free rolls that they bring, by nation (DP)."""
    free: dict[str, list[Roll]] = {}
    for code in f.codes:
        for other in f.codes:
            due = whole_year(f.feeling(code, other).insult_year) == f.year
            if due and f.nations[code].alive and f.nations[other].alive:
                free.setdefault(code, []).append(f.roll(INSULT(code, other, dice=f.rules.insult_rolls), [code]))
                if not f.at_war(code, other) and f.enforced(code, other) is None:
                    open_war(f, code, other, "insult", "DP")
    return free


def new_leaders(f: Realm) -> None:
    """A nation without a marshal gets one; one that has captains only gets a captain where it has none (CC)."""
    for nation in f.living():
        rank = "captain" if nation.has_trait("no_marshal") else "marshal"
        if f.national_leader(nation.faction) is None:
            leader = raise_leader(f, nation.faction, rank)
            f.tell("captain_hired" if rank == "captain" else "marshal", ALL, "CC", faction=nation.faction,
                   leader=leader.leader, n=f.wr_now(leader))


def count_rolls(f: Realm, nation: Faction, insulted: list[Roll]) -> None:
    """How many recruiting rolls a nation has this year (TS-Sp1)."""
    rules, own = f.rules, f.of(nation.faction)
    defence = rules.defence_invaded * nation.invaded_last + rules.defence_fort * any(node.fort for node in own)
    free = sum(roll.total for roll in insulted)
    kept = nation.rolls if rules.rr_carry == "carry" else 0
    nation.rolls = kept + nation.tech + nation.war + len(own) + defence + free
    nation.bought = nation.hero_offer = 0
    f.tell("rolls", [nation.faction], "TS-Sp1", roll=insulted or None, touch=[nation], faction=nation.faction,
           n=nation.rolls, t=nation.tech, w=nation.war, p=len(own), d=defence, i=free)


def payouts(f: Realm) -> None:
    """The beaten pay rolls to those who beat them (TS-Sp3)."""
    for peace in f.peaces:
        winner, loser = f.nations[peace.winner], f.nations[peace.loser]
        due = peace.pays and whole_year(peace.from_year) <= f.year <= whole_year(peace.until_year)
        paid = min(f.rules.payout_rolls, loser.rolls)
        if due and winner.alive and loser.alive and paid > 0:
            loser.rolls, winner.rolls = loser.rolls - paid, winner.rolls + paid
            f.tell("payout", ALL, "TS-Sp3", touch=[winner, loser], loser=loser.faction, winner=winner.faction, n=paid)


def heroes(f: Realm, nation: Faction) -> None:
    """A hero may offer himself (p50)."""
    code, rules = nation.faction, f.rules
    roll = f.roll(HERO(code), [code])
    if roll.at_least(rules.hero_on):
        level = f.roll(LEVEL(code), [code])
        nation.hero_offer = 1 + sum(level.at_least(least) for least in (rules.hero_level_2, rules.hero_level_3))
        f.tell("hero_offer", [code], "p50", roll=[roll, level], touch=[nation], faction=code, n=nation.hero_offer)


def call(f: Realm) -> None:
    """The phase, step by step."""
    heroes_leave(f)
    free = insults(f)
    new_leaders(f)
    for nation in f.living():
        count_rolls(f, nation, free.get(nation.faction, []))
    payouts(f)
    for nation in f.living():
        heroes(f, nation)
