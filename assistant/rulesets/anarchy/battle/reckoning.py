"""What a battle came to for one side: new events of a view in; who won it and at what price, in a sentence, out."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.campaign.records import Event
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, other
from assistant.rulesets.anarchy.book.records import Battle
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

_HIT = re.compile(r"(\S+)(?: \w)? (\d+)/(\d+)/(\d+)")
"""Who has lost what, as the form has it: ``A-BOH K 0/1/0``, ``TAL 0/0/1``."""
WON = N_("Your side has won {place:at}, against {armies:the}. Your losses: {k} killed, {w} wounded, {c} captured; "
         "the enemy's: {ek} killed, {ew} wounded, {ec} captured.")
LOST = N_("Your side has lost {place:at}, against {armies:the}. Your losses: {k} killed, {w} wounded, {c} captured; "
          "the enemy's: {ek} killed, {ew} wounded, {ec} captured.")
DRAWN = N_("Nobody has won {place:at}, against {armies:the}. Your losses: {k} killed, {w} wounded, {c} captured; "
           "the enemy's: {ek} killed, {ew} wounded, {ec} captured.")
_OF_OUTCOME = {"attacker": ATTACKERS, "defender": DEFENDERS}


def reckoned(realm: Field, side: str, events: Iterable[Event]) -> list[Said]:
    """A sentence for each battle of the side among the events, in their order."""
    told = [event for event in events if event.event == "battle_result"]
    said = []
    for event in told:
        row = realm.battles.get(str(event.data.get("b", "")))
        if row is None or "outcome" not in event.data:
            continue
        mine = _part_of(realm, row, side)
        winner = _OF_OUTCOME.get(str(event.data["outcome"]), "")
        lists = [str(e.data.get("list", "")) for e in told if e.data.get("b") == row.battle
                 and e.data.get("part") == "losses"]
        text = DRAWN if not winner else WON if winner == mine else LOST
        said.append(Said(text, {"place": row.battle, "armies": _units(row, other(mine)),
                                **_price(realm, row, mine, lists)}))
    return said


def _units(row: Battle, part: str) -> str:
    return str(getattr(row, part)) or row.place


def _part_of(realm: Field, row: Battle, side: str) -> str:
    """On which part of a battle a side stands; a castle's or village's own row names no group."""
    for part in SIDES:
        groups = [realm.armies.get(one) for one in str(getattr(row, part)).split()]
        if any(army is not None and realm.side(army.faction) == side for army in groups):
            return part
    return ATTACKERS if not row.attackers else DEFENDERS


def _price(realm: Field, row: Battle, mine: str, lists: list[str]) -> dict[str, int | str]:
    """Killed, wounded and captured of one's own and (with an ``e``) of the enemy; blank where nothing was written."""
    names = ("k", "w", "c")
    if not lists:
        return dict.fromkeys((*names, *(f"e{name}" for name in names)), "")
    price: dict[str, int | str] = dict.fromkeys((*names, *(f"e{name}" for name in names)), 0)
    for who, *hits in (match for one in lists for match in _HIT.findall(one)):
        mark = "" if _stands(realm, row, who) == mine else "e"
        for name, n in zip(names, hits, strict=True):
            price[mark + name] = int(price[mark + name]) + int(n)
    return price


def _stands(realm: Field, row: Battle, who: str) -> str:
    """On which part a group, a castle, the levy, a noble or a train has fought."""
    for part in SIDES:
        if who in str(getattr(row, part)).split():
            return part
    owner = realm.nobles.get(who) or realm.trains.get(who)
    if owner is not None:
        return _part_of(realm, row, realm.side(owner.faction))
    return ATTACKERS if row.kind == "sally" else DEFENDERS
