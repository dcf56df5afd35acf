"""Reorganisation: the day's orders for groups, garrisons and escorts, counted, then carried out kind by kind (5.3).

Men are counted down over the day's rows in order of their numbers, and the row that overdraws is refused: without
this count a later row of an earlier kind would take the men of an earlier row (rulebook: Reorganisation, Orders).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import field

from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.questions import choice_code
from assistant.rulesets.anarchy.book.sheets import LETTER_OF, RANKS, Army
from assistant.rulesets.anarchy.morning import regrouping
from assistant.rulesets.anarchy.morning.captives import escort
from assistant.rulesets.anarchy.orders.columns import OTHER_GROUP
from assistant.rulesets.anarchy.orders.taking import count_money, take
from assistant.rulesets.anarchy.realm.change import Parting
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.land import Men, men_of
from assistant.turn.orders.request import Refused, Request, refuse_if
from assistant.turn.orders.taking import carry_all, judged, refuse, stand
from assistant.turn.orders.words import fold

SEQUENCE = (*regrouping.VERBS, escort)
"""Which orders come first, whoever gives them."""
TAKING = (regrouping.split.en, regrouping.transfer.en, regrouping.garrison.en, escort.en)


@dataclass
class Muster:
    """What a group has left while the day's rows are counted; men who come to it today are there from the start."""

    fit: dict[str, int]
    heads: int
    gone: set[str] = field(default_factory=set)
    """Nobles and numbered hurt men who have been counted."""

    def take(self, army: Army, part: Parting, least: int, whole: bool) -> None:
        """Count a row. Raises `Refused` (ANA-201, 202, 913). `whole`: whether all may leave."""
        named = {rank: sum(w.rank == rank for w in part.hurt) for rank in RANKS}
        for rank, n in part.men.ranks.items():
            if n > self.fit[rank] + named[rank]:
                have = self.fit[rank] + named[rank]
                raise Refused("ANA-202", "men", unit=army.army, have=have, rank=LETTER_OF[rank], n=n)
        for code in part.men.hurt:
            refuse_if(code in self.gone, "ANA-202", "men", unit=army.army, have=0, rank=code, n=1)
        for noble in part.nobles:
            refuse_if(noble.noble in self.gone, "ANA-913", "choice", unit=army.army, x=noble.noble, field="commander")
        staying = self.heads - part.heads
        if part.heads and staying < least and not (whole and staying == 0):
            raise Refused("ANA-201", "men", unit=army.army, n=staying, min=least)
        for rank, n in part.men.ranks.items():
            self.fit[rank] -= n - named[rank]
        self.heads = staying
        self.gone |= {*part.men.hurt, *(n.noble for n in part.nobles)}


def _counted(f: Field, requests: list[Request]) -> list[Request]:
    """The rows, of which those that want men who are promised to an earlier one are refused."""
    musters = _musters(f, requests)
    fresh = {fold(r.target) for r in requests if r.verb == regrouping.split.en and not r.row.status}
    counted: set[str] = set()
    for request in requests:
        muster = musters.get(request.unit)
        if muster is None or request.verb not in TAKING or request.row.status:
            continue
        army = f.armies[request.unit]
        try:
            part = _leaving(f, army, request, fresh)
        except Refused:  # what is wrong with it is said where it is carried out; it takes nobody's men
            continue
        try:
            muster.take(army, part, f.rules.group_min, request.verb != regrouping.split.en)
            counted.add(army.army)
        except Refused as why:
            if army.army in counted:  # else nothing was promised yet, and its deed will say the same
                refuse(f, request, why)
    return requests


def _leaving(f: Field, army: Army, request: Request, fresh: set[str]) -> Parting:
    """Who leaves a group by a row that can stand. Raises `Refused` where it will be refused anyway."""
    if request.verb == regrouping.transfer.en and fold(request.target) in fresh:
        men, halves, nobles = (judged(f, request, name) for name in ("men", "amount", "choice"))
        return f.parting_of(army, men, halves, nobles)
    _, target, *said = stand(f, request)
    if request.verb == regrouping.garrison.en:
        regrouping.castle_meant(f, army, target)
        men = judged(f, request, "men") if said == ["in"] else Men()
        return Parting(men, hurt=f.hurt_among(army, men))
    men = said[0]
    if request.verb == escort.en:
        refuse_if(men.total and men.total - len(men.hurt) < f.rules.escort_min, "ANA-702", "men")
        return Parting(men, hurt=f.hurt_among(army, men))
    part = f.parting_of(army, *said)
    refuse_if(request.verb == regrouping.split.en and part.heads < f.rules.group_min, "ANA-201", "men")
    return part


def _musters(f: Field, requests: Iterable[Request]) -> dict[str, Muster]:
    """The groups of which several rows want men, with the men who come to them today.

    Those that are merged today or collect healed men are not counted: how many they are is known only then.
    """
    rows = [r for r in requests if not r.row.status]
    wanted = [r.unit for r in rows if r.verb in TAKING]
    unknown = {fold(r.unit) for r in rows if r.verb in (regrouping.merge.en, regrouping.collect.en)}
    unknown |= {OTHER_GROUP.same(f, r, "target") for r in rows if r.verb == regrouping.merge.en}
    musters = {army.army: Muster({rank: f.fit(army, rank) for rank in RANKS}, f.heads(army)) for army in f.armies
               if wanted.count(army.army) > 1 and fold(army.army) not in unknown}
    by_fold = {fold(unit): muster for unit, muster in musters.items()}
    for request in rows:
        out = request.verb == regrouping.garrison.en and choice_code(request.choice) == "out"
        to = fold(request.unit) if out else ""
        if request.verb == regrouping.transfer.en:
            to = OTHER_GROUP.same(f, request, "target")
        with suppress(Refused):  # then nobody comes by it
            for rank, n in men_of(f, request.men).ranks.items() if to in by_fold else ():
                by_fold[to].fit[rank] += n
                by_fold[to].heads += n
    return musters


def reorganise(f: Field) -> None:
    """The rows that purses and groups can bear, in the sequence of its page; castles are filled up on the way."""
    requests = _counted(f, count_money(f, take(f)))
    for verb in SEQUENCE:
        carry_all(f, requests, verb)
        if verb is regrouping.garrison:
            regrouping.refill(f)
            if not f.game.dice.shut:  # before the phase nobody asks for that
                regrouping.warn_of_weak(f)
