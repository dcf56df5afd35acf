"""Men counted down over the day's rows in order of their numbers; the row that overdraws is refused (digest, 4).

The rows are carried out kind by kind (5.3), so that without this count a later row of an earlier kind would take
the men of an earlier row.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from assistant.rulesets.anarchy.change import count, hurt_here
from assistant.rulesets.anarchy.escorts import captives_meant
from assistant.rulesets.anarchy.garrisons import castle_meant
from assistant.rulesets.anarchy.moving_men import Parting, free_ident, friends, hurt_among, parting_of
from assistant.rulesets.anarchy.orders import Request, army_named, refuse
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.records import LETTERS, RANKS, Army
from assistant.rulesets.anarchy.references import Men, Refused, men_of
from assistant.rulesets.anarchy.verbs import choice_code, fold

TAKING = ("SPLIT", "TRANSFER", "GARRISON", "ESCORT")
_LETTER = {rank: letter for letter, rank in LETTERS.items()}


@dataclass
class Muster:
    """What a group has left while the day's rows are counted; men who come to it today are there from the start."""

    men: dict[str, int]
    hurt: dict[str, int]
    heads: int
    gone: set[str] = field(default_factory=set)
    """Nobles and numbered hurt men who have been counted."""

    @classmethod
    def of(cls, realm: Realm, army: Army) -> Muster:
        """A group as it stands."""
        return cls({rank: count(army, rank) for rank in RANKS},
                   {rank: len(hurt_here(realm, army, rank)) for rank in RANKS}, realm.heads(army))

    def gain(self, men: Men) -> None:
        """Men come to it today."""
        for rank, n in men.ranks.items():
            self.men[rank] += n
        self.heads += men.total

    def take(self, army: Army, part: Parting, least: int, whole: bool) -> None:
        """Count a row. Raises `Refused` (ANA-201, 202, 913). `whole`: whether all may leave."""
        named = {rank: sum(w.rank == rank for w in part.hurt) for rank in RANKS}
        for rank, n in part.men.ranks.items():
            fit = self.men[rank] - self.hurt[rank]
            if n - named[rank] > fit:
                raise Refused("ANA-202", "men", unit=army.army, have=fit + named[rank], rank=_LETTER[rank], n=n)
        for code in part.men.hurt:
            if code in self.gone:
                raise Refused("ANA-202", "men", unit=army.army, have=0, rank=code, n=1)
        for noble in part.nobles:
            if noble.noble in self.gone:
                raise Refused("ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        staying = self.heads - part.heads
        if part.heads and staying < least and not (whole and staying == 0):
            raise Refused("ANA-201", "men", unit=army.army, n=staying, min=least)
        for rank, n in part.men.ranks.items():
            self.men[rank] -= n
            self.hurt[rank] -= named[rank]
        self.heads = staying
        self.gone |= {*part.men.hurt, *(n.noble for n in part.nobles)}


def count_men(realm: Realm, requests: list[Request]) -> list[Request]:
    """The rows that their groups have the men for, in order of number; the one that overdraws is refused."""
    least = int(realm.rules.group_min)
    musters = _musters(realm, requests)
    fresh = {fold(r.target) for r in requests if r.verb == "SPLIT" and not r.row.status}
    first: set[str] = set()
    for request in requests:
        muster = musters.get(request.unit)
        if muster is None or request.verb not in TAKING or request.row.status:
            continue
        army = realm.armies[request.unit]
        try:
            part = _leaving(realm, army, request, fresh)
            if army.army not in first:
                muster.take(army, part, least, request.verb != "SPLIT")
                first.add(army.army)
                continue
        except Refused:  # what is wrong with it is said where it is carried out; it takes nobody's men
            continue
        try:
            muster.take(army, part, least, request.verb != "SPLIT")
        except Refused as why:
            refuse(realm, request, why)
    return requests


def _leaving(realm: Realm, army: Army, request: Request, fresh: set[str]) -> Parting:
    """Who leaves a group by a row that can stand. Raises `Refused` where it will be refused anyway."""
    if request.verb == "SPLIT":
        free_ident(realm, request.target)
    elif request.verb == "TRANSFER":
        if fold(request.target) not in fresh:
            friends(realm, army, army_named(realm, request.target))
    elif request.verb == "GARRISON":
        _, way = castle_meant(realm, army, request)
        men = men_of(realm, request.men) if way == "in" else Men()
        return Parting(men, hurt=hurt_among(realm, army, men))
    else:
        captives_meant(realm, army, request)
        men = men_of(realm, request.men)
        if men.total and men.total - len(men.hurt) < int(realm.rules.escort_min):
            raise Refused("ANA-702", "men")
        return Parting(men, hurt=hurt_among(realm, army, men))
    part = parting_of(realm, army, request)
    if request.verb == "SPLIT" and part.heads < int(realm.rules.group_min):
        raise Refused("ANA-201", "men")
    return part


def _musters(realm: Realm, requests: Iterable[Request]) -> dict[str, Muster]:
    """The groups of which several rows want men, with the men who come to them today.

    Those that are merged today or collect healed men are not counted: how many they are is known only then.
    """
    rows = [r for r in requests if not r.row.status]
    wanted = [r.unit for r in rows if r.verb in TAKING]
    unknown = {fold(r.unit) for r in rows if r.verb in ("MERGE", "COLLECT")}
    unknown |= {fold(_meant(realm, r)) for r in rows if r.verb == "MERGE"}
    musters = {unit: Muster.of(realm, realm.armies[unit]) for unit in wanted
               if wanted.count(unit) > 1 and unit in realm.armies and fold(unit) not in unknown}
    for request in rows:
        out = request.verb == "GARRISON" and choice_code(request.choice) == "out"
        muster = musters.get(request.unit if out else _meant(realm, request) if request.verb == "TRANSFER" else "")
        if muster is not None:
            try:
                muster.gain(men_of(realm, request.men))
            except Refused:  # nobody comes by it
                continue
    return musters


def _meant(realm: Realm, request: Request) -> str:
    """The id of the group that a row names as its target; "" for none."""
    try:
        return army_named(realm, request.target).army
    except Refused:
        return ""


__all__ = ["TAKING", "Muster", "count_men"]
