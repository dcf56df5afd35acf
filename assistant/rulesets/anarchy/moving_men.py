"""Men, nobles and money that go from one group to another, as SPLIT, TRANSFER and MERGE name them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assistant.campaign.record import Record
from assistant.rulesets.anarchy.change import count, fit, keep_core
from assistant.rulesets.anarchy.orders import Request, noble_named, same_hex
from assistant.rulesets.anarchy.realm import Realm, pounds
from assistant.rulesets.anarchy.records import LETTERS, RANKS, Army
from assistant.rulesets.anarchy.references import Men, Refused, halves, men_of
from assistant.rulesets.anarchy.sheets import Noble, Place, Wounded
from assistant.rulesets.anarchy.verbs import fold

_LETTER = {rank: letter for letter, rank in LETTERS.items()}


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
        men = Men({rank: count(army, rank) for rank in RANKS if count(army, rank)})
        hurt = [w for w in realm.wounded if w.army == army.army]
        return cls(men, realm.with_them(army), army.money, hurt)


def free_ident(realm: Realm, ident: str) -> None:
    """Raise `Refused` (ANA-207) for an id that something has already."""
    tables = (realm.armies, realm.convoys, realm.trains, realm.places, realm.nobles)
    if fold(ident) in {fold(row.ident) for table in tables for row in table}:
        raise Refused("ANA-207", "target", x=ident)


def friends(realm: Realm, army: Army, other: Army) -> None:
    """Two groups of a side that can reach each other. Raises `Refused` (ANA-003, 006, 203, 209, 210)."""
    if other is army:
        raise Refused("ANA-209", "target", x=army.army, unit=army.army, reason="it is the same group")
    if not other.active:
        raise Refused("ANA-006", "target", unit=other.army, state=other.state)
    if realm.side(other.faction) != realm.side(army.faction):
        raise Refused("ANA-003", "target", unit=other.army, owner=realm.side(other.faction))
    same_hex(army, other)
    if army.inside != other.inside and (realm.shut(army) or realm.shut(other)):
        raise Refused("ANA-210", "target", place=army.inside or other.inside)


def parting_of(realm: Realm, army: Army, request: Request) -> Parting:
    """What an order wants to take out of a group. Raises `Refused` (ANA-002, 008, 202, 301)."""
    part = Parting(men_of(realm, request.men), halves=halves(request.amount))
    for noble in _nobles(realm, request.choice):
        if noble.army != army.army:
            raise Refused("ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        part.nobles.append(noble)
    part.hurt = hurt_among(realm, army, part.men)
    part.hurt += [w for w in realm.wounded if w.noble and w.army == army.army
                  and w.noble in {n.noble for n in part.nobles}]
    if part.halves > army.money:
        raise Refused("ANA-301", "amount", need=pounds(part.halves), unit=army.army, have=pounds(army.money))
    return part


def _nobles(realm: Realm, text: str) -> list[Noble]:
    """Nobles by id or name, several separated by commas, ids also by blanks. Raises `Refused` (ANA-002, 009)."""
    words = [w.strip() for w in re.split(r"[,;]", text) if w.strip()]
    names = {n.name for n in realm.nobles}
    parts = [w for word in words for w in ([word] if word in names else word.split())]
    return [noble_named(realm, part, "choice") for part in dict.fromkeys(parts)]


def hurt_among(realm: Realm, unit: Army | Place, men: Men) -> list[Wounded]:
    """The hurt men that are counted among those who leave; ANA-202 where there are not so many men."""
    ident = unit.ident
    for rank, n in men.ranks.items():
        if n > count(unit, rank):
            raise Refused("ANA-202", "men", unit=ident, have=count(unit, rank), rank=_LETTER[rank], n=n)
    found = []
    for code in men.hurt:
        row = realm.wounded[code]
        with_him = row.army == ident and not row.noble and row.state in ("hurt", "in_care", "healed")
        if not with_him or row.rank not in men.ranks:  # he is one of those whom the ranks count
            raise Refused("ANA-202", "men", unit=ident, have=0, rank=code, n=1)
        found.append(row)
    for rank, n in men.ranks.items():
        named = sum(w.rank == rank and w.state != "healed" for w in found)
        if named > n or n - named > fit(realm, unit, rank):
            short = fit(realm, unit, rank) + named
            raise Refused("ANA-202", "men", unit=ident, have=short, rank=_LETTER[rank], n=max(n, named))
    return found


def hand_over(realm: Realm, army: Army, other: Army, part: Parting) -> list[Record]:
    """Move men, hurt men, nobles and money; returns what changed."""
    changed: list[Record] = [army, other]
    for rank, n in part.men.ranks.items():
        setattr(army, rank, count(army, rank) - n)
        setattr(other, rank, count(other, rank) + n)
    for row in part.hurt:
        row.army = other.army
        changed.append(row)
    for noble in part.nobles:
        noble.army = other.army
        changed.append(noble)
    army.money, other.money = army.money - part.halves, other.money + part.halves
    for group in (army, other):
        _lead(realm, group)
    keep_core(realm, army)
    return changed


def _lead(realm: Realm, army: Army) -> None:
    """A group whose commander has left is led by the next in prestige."""
    if realm.commander(army) is None:
        heirs = sorted(realm.with_them(army), key=lambda n: -n.prestige)
        army.commander = heirs[0].noble if heirs else ""


__all__ = ["Parting", "free_ident", "friends", "hand_over", "hurt_among", "parting_of"]
