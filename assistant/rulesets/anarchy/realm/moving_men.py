"""Men, nobles and money that go from one group to another, as SPLIT, TRANSFER and MERGE name them."""

from __future__ import annotations

from dataclasses import field

from assistant.campaign.order import natural
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.records import RANKS, Army
from assistant.rulesets.anarchy.book.sheets import Noble, Place, Wounded
from assistant.rulesets.anarchy.realm.change import HURT, Changes
from assistant.rulesets.anarchy.realm.land import LETTER_OF, Men
from assistant.rulesets.anarchy.realm.realm import Realm, pounds
from assistant.turn.orders.refusal import Refused


@dataclass
class Parting:
    """Who and what leaves a group."""

    men: Men = field(default_factory=Men)
    nobles: list[Noble] = field(default_factory=list)
    halves: int = 0
    hurt: list[Wounded] = field(default_factory=list)

    @property
    def heads(self) -> int:
        """Characters who leave."""
        return self.men.total + len(self.nobles)

    @classmethod
    def whole(cls, realm: Realm, army: Army) -> Parting:
        """All that a group has."""
        men = Men({rank: army.count(rank) for rank in RANKS if army.count(rank)})
        hurt = [w for w in realm.wounded if w.army == army.army]
        return cls(men, realm.with_them(army), army.money, hurt)


class MovingMen(Changes):
    """Men who go from one group to another."""

    def parting_of(self, army: Army, men: Men, halves: int, nobles: list[Noble]) -> Parting:
        """What an order wants to take out of a group. Raises `Refused` (ANA-202, 301, 913)."""
        for noble in nobles:
            if noble.army != army.army:
                raise Refused("ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        part = Parting(men, nobles, halves, self.hurt_among(army, men))
        leaving = {noble.noble for noble in nobles}
        part.hurt += [w for w in self.wounded if w.army == army.army and w.noble in leaving]
        if halves > army.money:
            raise Refused("ANA-301", "amount", need=pounds(halves), unit=army.army, have=pounds(army.money))
        return part

    def stays_a_group(self, army: Army, staying: int) -> None:
        """Those who stay are at least three, or nobody. Raises `Refused` (ANA-201)."""
        if 0 < staying < self.rules.group_min:
            raise Refused("ANA-201", "men", unit=army.army, n=staying, min=self.rules.group_min)

    def hurt_among(self, unit: Army | Place, men: Men) -> list[Wounded]:
        """The hurt men that are counted among those who leave; ANA-202 where there are not so many men."""
        ident = unit.ident
        for rank, n in men.ranks.items():
            if n > unit.count(rank):
                raise Refused("ANA-202", "men", unit=ident, have=unit.count(rank), rank=LETTER_OF[rank], n=n)
        found = []
        for code in men.hurt:
            row = self.wounded[code]
            with_him = row.army == ident and not row.noble and row.state in (*HURT, "healed")
            if not with_him or row.rank not in men.ranks:  # he is one of those whom the ranks count
                raise Refused("ANA-202", "men", unit=ident, have=0, rank=code, n=1)
            found.append(row)
        for rank, n in men.ranks.items():
            named = sum(w.rank == rank and w.state != "healed" for w in found)
            if named > n or n - named > self.fit(unit, rank):
                short = self.fit(unit, rank) + named
                raise Refused("ANA-202", "men", unit=ident, have=short, rank=LETTER_OF[rank], n=max(n, named))
        return found

    def hand_over(self, army: Army, other: Army, part: Parting) -> None:
        """Move men, hurt men, nobles and money."""
        for rank, n in part.men.ranks.items():
            army.gain(rank, -n)
            other.gain(rank, n)
        leaving: list[Wounded | Noble] = [*part.hurt, *part.nobles]
        for row in leaving:
            row.army = other.army
        army.money, other.money = army.money - part.halves, other.money + part.halves
        for group in (army, other):
            self.lead(group)
        self.keep_core(army)
        self.touch(army, other, *leaving)

    def unite(self, army: Army, into: Army, leader: str = "") -> None:
        """Put a group into another, as MERGE says (rulebook: 8.1 Groups)."""
        larger = max((into, army), key=lambda a: (self.heads(a), self.prestige(a)))  # the target where both are equal
        nobles = [*self.with_them(army), *self.with_them(into)]
        head = self.commander(larger)
        into.loyalty = head.loyalty if head is not None and head.loyalty is not None else larger.loyalty
        into.came_from = larger.came_from
        core = max((into, army), key=lambda a: a.core_now)
        wins = (core.wins, core.core_start, core.core_now)
        one_led = (self.commander(army) is None) != (self.commander(into) is None)
        companies, led = self.followers(army), [*self.led_goods(army), *self.escorted(army)]
        self.hand_over(army, into, Parting.whole(self, army))
        into.provisions, army.provisions = into.provisions + army.provisions, 0
        into.hungry_days, into.starving = max(into.hungry_days, army.hungry_days), into.starving or army.starving
        for company in companies:
            company.employer = into.army
        for row in led:
            row.escort = into.army
        self.touch(*companies, *led)
        best = min(nobles, key=lambda n: (-n.prestige, natural(n.noble)), default=None)
        into.commander = leader or (best.noble if best is not None else "")
        into.wins, into.core_start, into.core_now = (0, 0, 0) if one_led else wins
        for record in self.prisoners:
            if record.captor_army == army.army and record.state == "waiting":
                record.captor_army = into.army
                self.touch(record)
        self.remove_group(army, "merged")
        army.commander = ""
