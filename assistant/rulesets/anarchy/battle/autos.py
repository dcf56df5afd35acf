"""A battle that is not played: the umpire's dice (rulebook: 15 Battle)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.fights import ATTACKERS, SIDES, Fight, audience, other
from assistant.rulesets.anarchy.battle.forms import Hit, Result
from assistant.rulesets.anarchy.book.records import RANKS, RISING, Army
from assistant.rulesets.anarchy.book.sheets import Place
from assistant.rulesets.anarchy.book.tables import (
    AUTO_LOSS,
    AUTO_LOSS_BEATEN,
    AUTO_LOSS_ROUT,
    AUTO_ROUT,
    GREAT_PRESTIGE,
    HURT_VALUE,
    NOBLE_VALUE,
    OVERWHELMING,
    SUPERIORITY,
    VALUES,
    WALL_ENGINE,
    WALL_LEAST,
    WALL_TOWER,
    WALLS,
)
from assistant.rulesets.anarchy.book.throws import UMPIRE_OF_NOBLE, UMPIRE_OF_SIDE
from assistant.rulesets.anarchy.realm.change import count, hurt_here, patients
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import Realm
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Contest, Score, named

FATES = {True: RangeTable("beaten noble", ((1, 1, "killed"), (2, 2, "captured"), (3, 3, "wounded"), (4, None, ""))),
         False: RangeTable("noble", ((1, 1, "wounded"), (2, None, "")))}
"""What becomes of a noble, by whether his side was beaten."""


def men_value(realm: Realm, unit: Army | Place) -> int:
    """What the men of a group or garrison are worth: hurt and unarmed men 1 each."""
    total = 0
    for rank in RANKS:
        n, hurt = count(unit, rank), len(hurt_here(realm, unit, rank))
        plain = HURT_VALUE if isinstance(unit, Army) and unit.unarmed else VALUES[rank]
        total += (n - hurt) * plain + hurt * HURT_VALUE
    return total


def group_value(realm: Realm, army: Army) -> int:
    """What a group with its nobles is worth, without its mercenaries."""
    return men_value(realm, army) + sum(
        NOBLE_VALUE if n.state == "free" else HURT_VALUE for n in realm.with_them(army))


def stack_value(realm: Realm, army: Army) -> int:
    """What a group, its nobles and its mercenaries are worth."""
    return sum(group_value(realm, one) for one in realm.stack(army))


def garrison_value(realm: Realm, place: Place, walls: int = 100) -> int:
    """What a garrison and its nobles are worth, in per cent of the walls, rounded down."""
    nobles = sum(NOBLE_VALUE if n.state == "free" else HURT_VALUE for n in realm.in_garrison(place))
    in_care = HURT_VALUE * len(patients(realm, place))
    return (men_value(realm, place) + nobles + in_care) * walls // 100


def walls_of(f: Realm, place: Place, attackers: list[Army]) -> int:
    """Per cent by which walls multiply a garrison, less what engines take off."""
    trains = [t for a in attackers for t in f.led_trains(a)]
    small = sum(t.rams + t.galleries + t.mangonels for t in trains)
    towers = sum(t.towers for t in trains)
    return max(WALL_LEAST, WALLS.get(place.kind, WALL_LEAST) - WALL_ENGINE * small - WALL_TOWER * towers)


def side_value(f: Field, fight: Fight, side: str) -> int:
    """What a side is worth."""
    total = sum(group_value(f, a) for a in fight.units[side])
    if side in fight.castles:
        behind_walls = fight.kind == "assault" and fight.castles[side].place == fight.place
        walls = walls_of(f, fight.castles[side], fight.units[ATTACKERS]) if behind_walls else 100
        total += garrison_value(f, fight.castles[side], walls)
    if fight.levy is not None and side != ATTACKERS:
        total += sum(VALUES[rank] * n for rank, n in fight.levy_men(f).items())
        total += HURT_VALUE * len(patients(f, fight.levy))
    return total


def throw(f: Field, fight: Fight) -> Result:
    """Decide a battle by dice, or without where one side is worth five times the other."""
    value = {s: side_value(f, fight, s) for s in SIDES}
    strong = max(SIDES, key=lambda s: value[s])
    weak = other(strong)
    ratio = value[strong] * 100 // value[weak] if value[weak] else OVERWHELMING
    if ratio >= OVERWHELMING and value[strong] > value[weak]:
        result = _result(fight, strong)
        _men(f, fight, result, rout=True, spare=strong)
        return result
    known = audience(f, fight)
    dice = Contest({side: Score(f.throw(UMPIRE_OF_SIDE, known, fight.ident, word), named({
        "superiority": SUPERIORITY.at(ratio) if side == strong else 0, "fame": _fame(f, fight, side),
        "hunger": -_hunger(fight, side)})) for side, word in zip(SIDES, ("attacker", "defender"), strict=True)})
    result = _result(fight, dice.winner)
    f.tell("battle_result", known, "auto", roll=dice.rolls, part="dice", b=fight.ident,
           first=dice.scores[SIDES[0]], second=dice.scores[SIDES[1]])
    _men(f, fight, result, rout=dice.by(AUTO_ROUT))
    _nobles(f, fight, result)
    return result


def _result(fight: Fight, winner: str) -> Result:
    if not winner:
        return Result("draw", "time", 0, auto=True)
    outcome = "attacker" if winner == SIDES[0] else "defender"
    stormed = outcome == "attacker" and fight.kind == "assault"
    return Result(outcome, "surrendered" if stormed else "fled", 0, auto=True)


def _fame(f: Field, fight: Fight, side: str) -> int:
    leaders = [f.commander(a) for a in fight.units[side]]
    return int(any(n is not None and n.prestige >= GREAT_PRESTIGE for n in leaders))


def _hunger(fight: Fight, side: str) -> int:
    return int(any(a.starving for a in fight.units[side]))


def _share(n: int, percent: int) -> int:
    """A part of some men, rounded half up."""
    return (n * percent + 50) // 100


def _men(f: Field, fight: Fight, result: Result, rout: bool, spare: str = "") -> None:
    """Losses of each group and garrison: one man of each rank present, rising, round and round."""
    for side in SIDES:
        if side == spare:
            continue
        lost = side == result.loser
        percent = (AUTO_LOSS_ROUT if rout else AUTO_LOSS_BEATEN) if lost else AUTO_LOSS
        units: list[Army | Place] = [*fight.units[side]]
        if side in fight.castles:
            units.append(fight.castles[side])
        for unit in units:
            by_levy = fight.levy is not None and lost and side == ATTACKERS
            holds = isinstance(unit, Place) and not lost
            result.hits += _hits(unit, percent, lost, by_levy, holds)


def _hits(unit: Army | Place, percent: int, lost: bool, by_levy: bool, holds: bool) -> list[Hit]:
    left = {rank: count(unit, rank) for rank in RISING}
    wanted = _share(sum(left.values()), percent)
    fallen: list[str] = []
    while len(fallen) < wanted:
        for rank in RISING:
            if left[rank] and len(fallen) < wanted:
                left[rank] -= 1
                fallen.append(rank)
    killed = wanted if by_levy else (wanted + 1) // 2 if lost else wanted // 2
    hits: dict[str, Hit] = {}
    for place, rank in enumerate(fallen):
        hit = hits.setdefault(rank, Hit(unit.ident, rank))
        if place < killed:
            hit.killed += 1
        elif lost:
            hit.captured += 1
        elif not holds:
            hit.wounded += 1
    return [h for h in hits.values() if h.total]


def _nobles(f: Field, fight: Fight, result: Result) -> None:
    known = audience(f, fight)
    for side in SIDES:
        for noble in fight.nobles(f, side):
            fate = f.throw(UMPIRE_OF_NOBLE, known, fight.ident, noble.noble).row(FATES[side == result.loser])
            if fate:
                result.nobles[noble.noble] = fate
