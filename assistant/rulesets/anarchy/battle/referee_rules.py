"""What a battle leaves to the referee's ruling: captives, drawn battles, engines.

See rulebook: Questions, Decisions and doubts.
"""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.fights import Fight
from assistant.rulesets.anarchy.battle.forms import Hit, Result
from assistant.rulesets.anarchy.book.records import RANKS, RISING, Army
from assistant.rulesets.anarchy.book.sheets import Prisoners
from assistant.rulesets.anarchy.realm.asking_referee import rule
from assistant.rulesets.anarchy.realm.change import count, free_captives, free_nobles
from assistant.rulesets.anarchy.realm.field import Field


def put_to_the_sword(f: Field, fight: Fight, result: Result) -> None:
    """All captives of a battle are killed instead, and after a surrender everybody who is left."""
    for hit in result.hits:
        hit.killed, hit.captured = hit.killed + hit.captured, 0
    result.nobles = {noble: "killed" if fate == "captured" else fate for noble, fate in result.nobles.items()}
    if result.how != "surrendered":
        return
    result.how = "eliminated"
    for army in fight.units[result.loser]:
        for rank in RANKS:
            dead = sum(h.killed for h in result.hits if (h.unit, h.rank) == (army.army, rank))
            if count(army, rank) > dead:
                result.hits.append(Hit(army.army, rank, killed=count(army, rank) - dead))
        result.nobles |= {n.noble: "killed" for n in f.with_them(army)}
    for hit in result.hits:
        hit.wounded = 0


def drawn_before(f: Field, battle: str, node: str) -> bool:
    """Whether another battle was drawn on a hex today."""
    earlier = f.fought[:f.fought.index(battle)]
    rows = [row for ident in earlier if (row := f.battles.get(ident)) is not None]
    return any(row.node == node and row.outcome == "draw" for row in rows)


def crews_lost(f: Field, battle: str, result: Result, known: list[str] | str) -> None:
    """Engineers and peasants of siege trains who fell; what becomes of engines without an engineer is ruled."""
    for (ident, who), dead in sorted(result.crews.items()):
        train = f.trains[ident]
        setattr(train, who, int(getattr(train, who)) - dead)
        f.tell("battle_result", known, "15.7", touch=[train], b=battle, part="losses", list=f"{ident} {dead}/0/0")
    for ident in sorted({ident for ident, who in result.crews if who == "engineers"}):
        train = f.trains[ident]
        if train.engineers or not train.engines or train.state != "active":
            continue
        choice = rule(f, f"{battle}/{ident}", ("stay", "abandon", "burn"), "engines", battle=battle, x=ident,
                      unit=train.escort or "-")
        if choice != "stay":
            train.escort = ""
        if choice == "burn":
            train.state = "destroyed"
        f.tell("ruled", known, "10", touch=[train], x=ident, choice=choice)


def set_free(f: Field, record: Prisoners, rescuer: Army, most: int, *, nobles_first: bool) -> int:
    """Free up to so many captives of a record into a group: all, or men in rising rank and nobles by id.

    Returns how many were freed.
    """
    nobles = f.captives(record)
    if 0 < record.men + len(nobles) <= most:
        freed = record.men + len(nobles)
        free_captives(f, record, rescuer)
        return freed
    men = min(record.men, max(0, most - len(nobles)) if nobles_first else most)
    lords = nobles[:most - men]
    left = men
    for rank in RISING:
        n = min(left, int(getattr(record, rank)))
        setattr(record, rank, int(getattr(record, rank)) - n)
        setattr(rescuer, rank, count(rescuer, rank) + n)
        left -= n
    if men or lords:
        free_nobles(f, record, rescuer, lords)
    return men + len(lords)
