"""What becomes of a castle that gives up (rulebook: The close; chapter 16)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from assistant.rulesets.anarchy.book.records import RANKS, RISING, Army
from assistant.rulesets.anarchy.book.sheets import Noble, Place, Siege, Wounded
from assistant.rulesets.anarchy.book.tables import GREAT_PRESTIGE, SURRENDER
from assistant.rulesets.anarchy.book.throws import MASSACRE_OF_MAN, MASSACRE_OF_NOBLE, SURRENDER_OF
from assistant.rulesets.anarchy.realm.change import (
    drop_if_empty,
    fit,
    free_captives,
    hurt_here,
    new_captives,
    remove_group,
    strike,
    take_men,
    take_noble,
    take_off,
    take_patients,
)
from assistant.rulesets.anarchy.realm.realm import ALL, ANGEVIN, ROYAL, Realm
from assistant.turn.board import free_name
from assistant.turn.throws.dice import PUBLIC
from assistant.turn.throws.kinds import Purpose
from assistant.turn.throws.scales import read_scale

DIES_AT = 5
"""A defender of a half massacred place dies on this or less."""


class Fall:
    """One castle and everybody in it."""

    def __init__(self, realm: Realm, siege: Siege, place: Place) -> None:
        self.realm, self.siege, self.place = realm, siege, place
        self.inside = [a for a in realm.at(place.node) if a.inside == place.place]
        self.units: list[Army | Place] = [place, *self.inside]
        self.besiegers = realm.besiegers(place)
        self.largest = realm.largest(self.besiegers)
        self.owner, self.winner = realm.wardens(place)[0], siege.besieger

    def nobles(self) -> list[Noble]:
        """Nobles in the castle, by id."""
        found = {n.noble for n in self.realm.in_garrison(self.place)}
        found |= {n.noble for a in self.inside for n in self.realm.with_them(a)}
        return [n for n in self.realm.nobles if n.noble in found]

    # --- fates ------------------------------------------------------------------------------
    def kill_men(self) -> None:
        """All common men die."""
        for unit in self.units:
            for rank, n in unit.ranks.items():
                if n:
                    take_off(self.realm, unit, rank, n, "dead")

    def half(self) -> None:
        """Each defender in rising rank is tested until half of all are dead (16)."""
        realm, ident = self.realm, self.place.place
        nobles = self.nobles()
        defenders = sum(unit.men for unit in self.units) + len(nobles)
        tested: list[tuple[Purpose, tuple[object, ...], Callable[[], None]]] = [
            (MASSACRE_OF_MAN, (rank, number), partial(take_off, realm, unit, rank, 1, "dead", wound))
            for rank in RISING for number, (unit, wound) in enumerate(self._hurt_first(rank), 1)]
        tested += [(MASSACRE_OF_NOBLE, (n.noble,), partial(strike, realm, n, "killed", "16")) for n in nobles]
        dead, rolls = 0, []
        for purpose, who, dies in tested:
            if dead * 2 >= defenders:
                break
            rolls.append(realm.throw(purpose, PUBLIC, ident, *who))
            if rolls[-1].at_most(DIES_AT):
                dead += 1
                dies()
        realm.tell("massacre", ALL, "16", roll=rolls, touch=[self.place], n=dead, m=defenders, place=ident)

    def _hurt_first(self, rank: str) -> list[tuple[Army | Place, Wounded | None]]:
        """Each man of a rank in the castle with his unit: the hurt with their wound, then the fit with None."""
        hurt = [(unit, wound) for unit in self.units for wound in hurt_here(self.realm, unit, rank)]
        return [*hurt, *((unit, None) for unit in self.units for _ in range(fit(self.realm, unit, rank)))]

    def capture(self) -> None:
        """Whoever lives is taken to the castle itself, which is the winner's now."""
        realm = self.realm
        record = new_captives(realm, self.owner, self.winner, self.largest, self.place.node,
                              destination=self.place.place)
        take_patients(realm, self.place, record)
        for unit in self.units:
            take_men(realm, unit, record)
        for noble in self.nobles():
            take_noble(realm, noble, record)
        if not drop_if_empty(realm, record):
            realm.tell("prisoners", realm.both(ROYAL, ANGEVIN), "15.8", touch=[record], side=self.winner,
                       n=record.men + len(realm.captives(record)), p=record.prisoners)

    def march_out(self, armed: bool) -> None:
        """Everybody leaves as one group, safe tomorrow, with or without arms and horses."""
        realm = self.realm
        ident = free_name(realm.armies, f"{self.place.place}-out")
        nobles = self.nobles()
        leader = max(nobles, key=lambda n: n.prestige, default=None)
        first = next((a for a in self.inside if not a.mercenary), None)
        level = leader.loyalty if leader is not None else first.loyalty if first is not None else self.place.loyalty
        group = realm.armies.add(Army(army=ident, faction=self.owner, node=self.place.node,
                                      commander=leader.noble if leader is not None else "", loyalty=level,
                                      safe_on=realm.day + 1, unarmed=not armed))
        hurt = [row for unit in self.units for row in self._join(unit, group, armed)]
        for noble in nobles:
            noble.army, noble.place = group.army, ""
        marching = {noble.noble for noble in nobles}
        for row in realm.wounded:
            if row.noble in marching and row.state in ("hurt", "in_care"):
                row.army, row.state = group.army, "hurt"
                hurt.append(row)
        realm.tell("marched_out", ALL, "16", touch=[group, *nobles, *self.units, *hurt], group=group.army,
                   place=self.place.place)

    def _join(self, unit: Army | Place, group: Army, armed: bool) -> list[Wounded]:
        """A unit's men and money become the group's; a knight without a horse is hurt as a dismounted one."""
        hurt = []
        for rank, n in unit.ranks.items():
            new_rank = "dismounted" if rank == "knights" and not armed else rank
            for row in hurt_here(self.realm, unit, rank):
                row.army, row.rank, row.state = group.army, new_rank, "hurt"
                hurt.append(row)
            group.gain(new_rank, n)
            unit.gain(rank, -n)
        if isinstance(unit, Army):
            group.money, unit.money = group.money + unit.money, 0
        return hurt

    # --- the castle -------------------------------------------------------------------------
    def hand_over(self, end: str) -> None:
        """The castle is the besieger's, empty and without a lord.

        `end`: what has become of the groups inside: merged (they marched out with their purses), captured, destroyed.
        """
        self._free_captives()
        for army in self.inside:
            if end != "merged" and self.largest is not None:
                self.largest.money += army.money
                self.realm.touch(self.largest)
            army.money = 0
            remove_group(self.realm, army, end, self.largest.faction if self.largest is not None else "")
        self.place.holder, self.place.lord = self.winner, ""
        for rank in RANKS:
            setattr(self.place, f"g_{rank}", 0)
        for army in self.besiegers:
            army.besieging = ""
        self.siege.state = "surrendered"
        self.realm.touch(self.siege, *self.besiegers)

    def _free_captives(self) -> None:
        """Men of the besieger's side who were held inside are free, as captives of the beaten are (7)."""
        held = {p.prisoners: p for a in self.inside for p in self.realm.led_captives(a)}
        for record in held.values():
            if self.largest is not None and self.realm.side(record.faction) == self.winner:
                free_captives(self.realm, record, self.largest)


def surrender(realm: Realm, siege: Siege, place: Place, by_order: bool) -> None:
    """Roll on the surrender table and carry it out."""
    fall = Fall(realm, siege, place)
    leader = realm.commander(fall.largest) if fall.largest is not None else None
    modifiers = {
        "supplies left": 2 if by_order and place.resources * 2 > siege.resources_at_start else 0,
        "prestige": int(leader is not None and leader.prestige >= GREAT_PRESTIGE),
        "massacre": -2 if place.massacre else 0,
    }
    reading = read_scale(SURRENDER, modifiers, roll=realm.throw(SURRENDER_OF, PUBLIC, place.place), low=1, high=10)
    realm.tell("surrendered", ALL, "16", roll=reading, touch=[siege, place], place=place.place, side=fall.winner,
               fate=reading.verdict)
    end = {"unarmed": "merged", "armed": "merged", "all killed": "destroyed"}.get(reading.verdict, "captured")
    if end == "merged":
        fall.march_out(armed=reading.verdict == "armed")
    else:
        if reading.verdict == "all killed":
            fall.kill_men()
        elif reading.verdict == "half massacred":
            fall.half()
        fall.capture()
    fall.hand_over(end)
    realm.tell("castle_taken", ALL, "16", touch=[place], place=place.place, side=place.holder, way="surrendered")
