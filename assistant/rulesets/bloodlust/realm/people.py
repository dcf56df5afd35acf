"""Commanders and their weapons: a nation and a rank in; a new commander with attributes out (CC, MA, ST, WK)."""

from __future__ import annotations

from assistant.rulesets.bloodlust.book.sheets import Attribute, Leader, Name, Weapon
from assistant.rulesets.bloodlust.book.tables import ATTRIBUTE, FATE_WEAKNESS, LEADER_WR, STRENGTH, WEAKNESS
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.turn.answers.asking import Ask
from assistant.turn.board import next_code

WEAPONS = {"minor_weapon": "minor", "major_weapon": "major"}
CHOICE_AT = 3
"""On this strength the owner chooses between Courage and Logistic."""
CHOICES = ("courage", "logistic")
LUCKY_CAPTAIN = "larger_than_life"
LEAST_OF_TWO, MOST_OF_TWO = 2, 12
MOST_REPUTATION = 7
SHARES = {"minor": 1, "major": 2}
"""How many attributes a weapon gives its bearer."""


def next_name(f: Realm, code: str, kind: str) -> str:
    """The next unused name of a nation's list (of weapons: of nobody's); "" where there is none."""
    taken = {row.name for row in (f.leaders if kind == "leader" else f.weapons)}
    names = f.campaign.table(Name).where(lambda row: row.faction == code and row.kind == kind and row.name not in taken)
    return min(names, key=lambda row: row.order).name if names else ""


def table_row(f: Realm, table: str, roll: int) -> str:
    """The code of a row of the printed tables."""
    row = f.campaign.table(Attribute).get(Attribute(table=table, roll=roll).ident)
    return row.code if row is not None else ""


class Making:
    """One commander whose attributes are thrown."""

    def __init__(self, f: Realm, leader: Leader, *, levy: bool = False) -> None:
        self.f, self.leader, self.levy, self.thrown = f, leader, levy, 0
        self.weapon: Weapon | None = f.weapons.get(leader.weapon)

    def attributes(self, wanted: int) -> None:
        """Throw until he has that many; a weapon fills one of them."""
        mine: list[str] = self.leader.attributes.split()
        for _ in range(wanted):
            borne = self.weapon.attributes.split() if self.weapon is not None else []
            code = self._one([*mine, *borne], weapons=self.weapon is None and not (
                self.levy and self.f.rules.weapon_levy == "reroll"))
            if not code:
                break
            if code in WEAPONS:
                self._armed(WEAPONS[code], mine)
            else:
                mine.append(code)
        self.leader.attributes = " ".join(mine)

    def _armed(self, power: str, mine: list[str]) -> None:
        """A new weapon, borne by him."""
        f, leader = self.f, self.leader
        ident = next_code(f.weapons, "K{}")
        weapon = f.weapons.add(Weapon(weapon=ident, name=next_name(f, "", "weapon") or ident, power=power,
                                      state="borne", bearer=leader.leader))
        self.weapon, leader.weapon = weapon, ident
        given: list[str] = []
        for _ in range(SHARES[power]):
            given.append(self._one([*mine, *given], weapons=False))
        weapon.attributes = " ".join(filter(None, given))
        if power == "minor":
            leader.reputation = min(MOST_REPUTATION, leader.reputation + f.rules.weapon_minor_rep)
        else:
            weapon.wr_bonus = f.rules.weapon_major_wr
        f.tell("weapon_claimed", ALL, "ST", touch=[weapon, leader], weapon=ident, leader=leader.leader)

    def _one(self, has: list[str], *, weapons: bool) -> str:
        """An attribute that he does not have yet; "" where the tables hold none."""
        f, leader = self.f, self.leader.leader
        while self._may_come() - set(has) - (set() if weapons else set(WEAPONS)):
            self.thrown += 1
            about = (leader, self.thrown)
            who = [self.leader.faction]
            if f.roll(ATTRIBUTE(*about), who).at_least(f.rules.ma_strength_from):
                roll = f.roll(STRENGTH(*about), who).total
                code = table_row(f, "strength", roll)
                code = self._choice(has) if roll == CHOICE_AT and code in CHOICES else code
            else:
                code = table_row(f, "weakness", f.roll(WEAKNESS(*about), who).total)
            if code == "lucky" and self.leader.rank == "captain":
                code = LUCKY_CAPTAIN
            if code and code not in has and (weapons or code not in WEAPONS):
                return code
        return ""

    def _may_come(self) -> set[str]:
        """What the throws can give him: rows of the tables that dice reach, Lucky only as a marshal's."""
        least, codes = self.f.rules.ma_strength_from, set[str]()
        if least <= MOST_OF_TWO:
            codes |= {table_row(self.f, "strength", roll) for roll in range(CHOICE_AT, 19)}
            codes |= set(CHOICES) if table_row(self.f, "strength", CHOICE_AT) in CHOICES else set()
        if least > LEAST_OF_TWO:
            codes |= {table_row(self.f, "weakness", roll) for roll in range(LEAST_OF_TWO, MOST_OF_TWO + 1)}
        return {LUCKY_CAPTAIN if code == "lucky" and self.leader.rank == "captain" else code for code in codes - {""}}

    def _choice(self, has: list[str]) -> str:
        """Courage or Logistic; of one that he has the other."""
        left = [code for code in CHOICES if code not in has]
        if len(left) < len(CHOICES) or self.levy or self.f.self_run(self.leader.faction):
            taken = self.f.rules.npc_strength
            return taken if taken in left else next(iter(left), CHOICES[0])
        ask = Ask("strength", self.leader.faction, self.leader.leader, CHOICES, CHOICES[0],
                  {"faction": self.leader.faction, "leader": self.leader.leader})
        return self.f.answers([ask])[0]


def raise_leader(f: Realm, code: str, rank: str, army: str = "", *, levy: bool = False) -> Leader:
    """A new marshal or captain of a nation, told to all by whoever calls this."""
    rules = f.rules
    ident = next_code(f.leaders, f"{code}-{rank[0]}{{}}")
    leader = f.leaders.add(Leader(leader=ident, faction=code, rank=rank, name=next_name(f, code, "leader") or ident,
                                  army=army, levy=levy, wr=1, reputation=1))
    roll = f.roll(LEADER_WR(ident), [code])
    wr = 1 + sum(roll.at_least(least) for least in (rules.wr_from_2, rules.wr_from_3, rules.wr_from_4, rules.wr_from_5))
    leader.wr = max(rules.levy_wr_min, wr + rules.levy_wr) if levy else wr
    leader.reputation = leader.wr
    Making(f, leader, levy=levy).attributes(
        rules.attributes_marshal if rank == "marshal" else rules.attributes_captain)
    f.touch(leader)
    return leader


def raise_hero(f: Realm, code: str, level: int, army: str) -> Leader:
    """A hero of a level, who serves until next Spring."""
    ident = next_code(f.leaders, f"{code}-h{{}}")
    hero = f.leaders.add(Leader(leader=ident, faction=code, rank="hero", name=next_name(f, code, "leader") or ident,
                                reputation=level, wr=level, army=army))
    f.touch(hero)
    return hero


def new_weakness(f: Realm, leader: Leader) -> str:
    """One more weakness of a captive (MF); one that he has is thrown again."""
    has, again = f.attributes(leader), 0
    printed = {table_row(f, "weakness", roll) for roll in range(LEAST_OF_TWO, MOST_OF_TWO + 1)} - {""}
    while printed - set(has):
        again += 1
        code = table_row(f, "weakness", f.roll(FATE_WEAKNESS(leader.leader, again=again)).total)
        if code and code not in has:
            leader.attributes = " ".join([*leader.attributes.split(), code])
            return code
    return ""


def unplace(f: Realm, leader: Leader, returns: str = "") -> Weapon | None:
    """A commander's weapon leaves the world, until a turn where one is said."""
    weapon = f.weapons.get(leader.weapon)
    if weapon is None:
        return None
    disarm(f, leader)
    weapon.state, weapon.bearer, weapon.node, weapon.returns_turn = "unplaced", "", "", returns
    f.touch(weapon, leader)
    return weapon


def disarm(f: Realm, leader: Leader) -> None:
    """A commander bears no weapon any more."""
    weapon = f.weapons.get(leader.weapon)
    if weapon is not None and weapon.power == "minor":
        leader.reputation = max(1, leader.reputation - f.rules.weapon_minor_rep)
    leader.weapon = ""


def arm(f: Realm, leader: Leader, weapon: Weapon) -> None:
    """A commander must bear a weapon."""
    leader.weapon = weapon.weapon
    weapon.state, weapon.bearer, weapon.node, weapon.returns_turn = "borne", leader.leader, "", ""
    if weapon.power == "minor":
        leader.reputation = min(MOST_REPUTATION, leader.reputation + f.rules.weapon_minor_rep)
    f.touch(leader, weapon)
