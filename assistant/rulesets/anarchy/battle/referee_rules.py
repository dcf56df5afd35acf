"""What a battle leaves to the referee's ruling: captives, drawn battles, engines (rulebook: Questions)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.fights import Fight
from assistant.rulesets.anarchy.battle.forms import Result
from assistant.rulesets.anarchy.book.records import RANKS
from assistant.rulesets.anarchy.realm.field import Field


def put_to_the_sword(f: Field, fight: Fight, result: Result) -> None:
    """All captives of a battle are killed instead, and after a surrender everybody who is left."""
    for hit in result.hits.values():
        hit.killed, hit.captured = hit.killed + hit.captured, 0
    result.nobles = {noble: "killed" if fate == "captured" else fate for noble, fate in result.nobles.items()}
    if result.how != "surrendered":
        return
    result.how = "eliminated"
    for army in fight.units[result.loser]:
        for rank in RANKS:
            if army.count(rank):
                result.hits.add(army.army, rank, "killed", 0).killed = army.count(rank)
        result.nobles |= {n.noble: "killed" for n in f.with_them(army)}
    for hit in result.hits.values():
        hit.wounded = 0


def drawn_before(f: Field, battle: str, node: str) -> bool:
    """Whether another battle was drawn on a hex today."""
    earlier = f.fought[:f.fought.index(battle)]
    return any(row.node == node and row.outcome == "draw" for row in f.battles if row.battle in earlier)


def crews_lost(f: Field, battle: str, result: Result, known: list[str] | str) -> None:
    """Engineers and peasants of siege trains who fell; what becomes of engines without an engineer is ruled."""
    fallen = sorted(result.crews.items())
    for (ident, who), hit in fallen:
        train = f.trains[ident]
        setattr(train, who, int(getattr(train, who)) - hit.killed)
        f.tell("battle_result", known, "15.7", touch=[train], b=battle, part="losses", list=f"{ident} {hit.killed}/0/0")
    for train in [f.trains[ident] for (ident, who), _ in fallen if who == "engineers"]:
        if train.engineers or not train.engines or train.state != "active":
            continue
        choice = f.game.choose(f.ruling(f"{battle}/{train.train}", ("stay", "abandon", "burn"), "engines",
                                        battle=battle, x=train.train, unit=train.escort or "-"))
        train.escort = train.escort if choice == "stay" else ""
        train.state = "destroyed" if choice == "burn" else train.state
        f.tell("ruled", known, "10", touch=[train], x=train.train, choice=choice)
