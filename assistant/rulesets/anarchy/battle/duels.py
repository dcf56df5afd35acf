"""Battles from the first blow to the last consequence, on the table or by the umpire's dice (rulebook: 15 Battle)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.aftermath import Aftermath
from assistant.rulesets.anarchy.battle.dossiers import papers
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, Fight, audience, gather, open_row
from assistant.rulesets.anarchy.battle.forms import FORM, Fighting, Result
from assistant.rulesets.anarchy.battle.looting import loot
from assistant.rulesets.anarchy.book import tables
from assistant.rulesets.anarchy.book.sheets import RANKS, RISING, Army, Place
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.battle_form.taking_results import take_form
from assistant.turn.game import ALL, REFEREE, Waiting
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Contest, Score, named


def field_battle(f: Field, attacker: Army, target: Army, mover: Army) -> None:
    """Two groups fight; the mover is the one who came."""
    _fight(f, gather(f, "field", mover, [attacker], [target]))


def sack(f: Field, army: Army, place: Place, ordered: int | None) -> None:
    """A village or monastery defends itself with its levy, then it is looted."""
    _storm(f, army, place, gather(f, "sack", army, [army], [], levy=place), ordered)


def assault(f: Field, army: Army, place: Place) -> None:
    """The garrison and the groups inside against those who storm; a castle that falls is looted."""
    inside = [a for a in f.at(place.node) if a.inside == place.place and not f.attached(a)]
    _storm(f, army, place, gather(f, "assault", army, [army], inside, castle=(DEFENDERS, place)))


def sally(f: Field, unit: Army | Place, target: Army) -> None:
    """A group inside, or the garrison itself, against the largest besieging group."""
    if isinstance(unit, Army):
        _fight(f, gather(f, "sally", unit, [unit], [target]))
    else:
        _fight(f, gather(f, "sally", unit, [], [target], castle=(ATTACKERS, unit)))


def _storm(f: Field, army: Army, place: Place, fight: Fight, ordered: int | None = None) -> None:
    """Fight for a place and loot it; each company that rises fights its lord at once, and is nobody's then (11.6)."""
    if _fight(f, fight).winner != ATTACKERS or not army.active:
        return
    for company in (one for one in loot(f, army, place, ordered) if one.active):
        f.tell("revolt", ALL, "11.6", touch=[company], mercs=company.army, group=army.army)
        f.tell("deserted", ALL, "11.6", mercs=company.army, side=f.desert(company))
        if army.active:
            _fight(f, gather(f, "revolt", company, [company], [army]))


def _fight(f: Field, fight: Fight) -> Result:
    """Ask for the result, check it, draw its consequences."""
    row = open_row(f, fight)
    row.papers = papers(f, fight)
    f.game.hand_out(row)
    asked = f.question("battle", REFEREE, fight.ident, ("entered", "auto"), "", battle=fight.ident, hex=fight.node,
                       attackers=row.attackers or row.place or "-", defenders=row.defenders or row.place or "-")
    answer, fighting = f.game.answered(asked), Fighting(f, fight)
    if answer:
        row.played = "auto" if answer == "auto" else "table"
    taken = take_form(f.game, FORM, asked, fighting, row, fighting.clubs())
    if taken.state in ("missing", "wrong"):
        raise Waiting([asked])
    result = throw(f, fight) if taken.state == "dice" else fighting.result
    Aftermath(f, fight, result, row).settle()
    return result


# --- a battle that is not played: the umpire's dice -------------------------------------------------
FATES = {True: RangeTable("beaten noble", ((1, 1, "killed"), (2, 2, "captured"), (3, 3, "wounded"), (4, None, ""))),
         False: RangeTable("noble", ((1, 1, "wounded"), (2, None, "")))}
"""What becomes of a noble, by whether his side was beaten."""


def value_of(realm: Field, unit: Army | Place) -> int:
    """What a group or garrison with its nobles is worth, without its mercenaries: hurt and unarmed men 1 each."""
    total = sum(tables.NOBLE_VALUE if n.state == "free" else tables.HURT_VALUE for n in realm.nobles_of(unit))
    for rank in RANKS:
        hurt = len(realm.hurt_here(unit, rank))
        plain = tables.HURT_VALUE if isinstance(unit, Army) and unit.unarmed else tables.VALUES[rank]
        total += (unit.count(rank) - hurt) * plain + hurt * tables.HURT_VALUE
    return total


def stack_value(realm: Field, army: Army) -> int:
    """What a group, its nobles and its mercenaries are worth."""
    return sum(value_of(realm, one) for one in realm.stack(army))


def garrison_value(realm: Field, place: Place, walls: int = 100) -> int:
    """What a garrison and its nobles are worth, in per cent of the walls, rounded down."""
    return (value_of(realm, place) + tables.HURT_VALUE * len(realm.patients(place))) * walls // 100


def side_value(f: Field, fight: Fight, side: str) -> int:
    """What a side is worth."""
    total = sum(value_of(f, a) for a in fight.units[side])
    if side in fight.castles:
        castle, walls = fight.castles[side], 100
        if fight.kind == "assault" and castle.place == fight.place:  # walls multiply it, less what engines take off
            trains = [t for a in fight.units[ATTACKERS] for t in f.led_trains(a)]
            engines = sum(tables.WALL_ENGINE * (t.engines - t.towers) + tables.WALL_TOWER * t.towers for t in trains)
            walls = max(tables.WALL_LEAST, tables.WALLS.get(castle.kind, tables.WALL_LEAST) - engines)
        total += garrison_value(f, castle, walls)
    if fight.levy is not None and side != ATTACKERS:
        total += tables.men_value(fight.levy_men(f))
        total += tables.HURT_VALUE * len(f.patients(fight.levy))
    return total


def throw(f: Field, fight: Fight) -> Result:
    """Decide a battle by dice, or without where one side is worth five times the other."""
    value = {s: side_value(f, fight, s) for s in SIDES}
    strong = max(SIDES, key=lambda s: value[s])
    weak = DEFENDERS if strong == ATTACKERS else ATTACKERS
    ratio = value[strong] * 100 // value[weak] if value[weak] else tables.OVERWHELMING
    if ratio >= tables.OVERWHELMING and value[strong] > value[weak]:
        result = _outcome(fight, strong)
        _men(fight, result, weak, tables.AUTO_LOSS_ROUT)
        return result
    known = audience(f, fight)
    dice = Contest({side: Score(f.throw(tables.UMPIRE_OF_SIDE, known, fight.ident, word), named({
        "superiority": tables.SUPERIORITY.at(ratio) if side == strong else 0,
        "fame": any(f.prestige(a) >= tables.GREAT_PRESTIGE for a in fight.units[side]),
        "hunger": -any(a.starving for a in fight.units[side])}))
        for side, word in zip(SIDES, ("attacker", "defender"), strict=True)})
    result = _outcome(fight, dice.winner)
    f.tell("battle_result", known, "auto", roll=dice.rolls, part="dice", b=fight.ident,
           first=dice.scores[SIDES[0]], second=dice.scores[SIDES[1]])
    beaten = tables.AUTO_LOSS_ROUT if dice.by(tables.AUTO_ROUT) else tables.AUTO_LOSS_BEATEN
    for side in SIDES:
        _men(fight, result, side, beaten if side == result.loser else tables.AUTO_LOSS)
    for side in SIDES:
        for noble in (noble for unit in fight.bodies(side) for noble in f.nobles_of(unit)):
            fate = f.throw(tables.UMPIRE_OF_NOBLE, known, fight.ident, noble.noble).row(FATES[side == result.loser])
            if fate:
                result.nobles[noble.noble] = fate
    return result


def _outcome(fight: Fight, winner: str) -> Result:
    if not winner:
        return Result("draw", "time", auto=True)
    outcome = "attacker" if winner == SIDES[0] else "defender"
    stormed = outcome == "attacker" and fight.kind == "assault"
    return Result(outcome, "surrendered" if stormed else "fled", auto=True)


def _men(fight: Fight, result: Result, side: str, percent: int) -> None:
    """Losses of each group and garrison: one man of each rank present, rising, round and round; rounded half up."""
    lost = side == result.loser
    for unit in fight.bodies(side):
        wanted, rounds = (unit.men * percent + 50) // 100, range(max(unit.ranks.values()))
        fallen = [rank for n in rounds for rank in RISING if unit.count(rank) > n][:wanted]
        killed = (wanted + 1) // 2 if lost else wanted // 2
        if lost and side == ATTACKERS and fight.levy is not None:  # villagers take nobody
            killed = wanted
        for place, rank in enumerate(fallen):
            fate = "killed" if place < killed else "captured" if lost else "wounded"
            if fate != "wounded" or isinstance(unit, Army):  # who holds a castle is nursed there
                result.hits[unit.ident, rank][fate] += 1
