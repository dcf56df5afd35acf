"""Battles from the first blow to the last consequence: field, sack, assault, sally, revolt (rulebook: 15 Battle)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.aftermath import Aftermath
from assistant.rulesets.anarchy.battle.autos import throw
from assistant.rulesets.anarchy.battle.dossiers import papers
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, Fight, gather, open_row
from assistant.rulesets.anarchy.battle.forms import FORM, Fighting, Result
from assistant.rulesets.anarchy.battle.looting import loot
from assistant.rulesets.anarchy.book.records import Battle
from assistant.rulesets.anarchy.book.sheets import Army, Place
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.battle_form.taking_results import take_form
from assistant.turn.game import ALL, REFEREE, Waiting


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
    for company in loot(f, army, place, ordered):
        if not company.active:
            continue
        f.tell("revolt", ALL, "11.6", touch=[company], mercs=company.army, group=army.army)
        f.tell("deserted", ALL, "11.6", mercs=company.army, side=f.desert(company))
        if army.active:
            _fight(f, gather(f, "revolt", company, [company], [army]))


def _fight(f: Field, fight: Fight) -> Result:
    """Ask for the result, check it, draw its consequences."""
    row = open_row(f, fight)
    row.papers = papers(f, fight)
    f.game.hand_out(row)
    result = _result(f, fight, row)
    Aftermath(f, fight, result, row).settle()
    return result


def _result(f: Field, fight: Fight, row: Battle) -> Result:
    asked = f.question("battle", REFEREE, fight.ident, ("entered", "auto"), "", battle=fight.ident, hex=fight.node,
                       attackers=row.attackers or row.place or "-", defenders=row.defenders or row.place or "-")
    answer, fighting = f.game.answered(asked), Fighting(f, fight)
    if answer:
        row.played = "auto" if answer == "auto" else "table"
    taken = take_form(f.game, FORM, asked, fighting, row, fighting.clubs())
    if taken.state in ("missing", "wrong"):
        raise Waiting([asked])
    return throw(f, fight) if taken.state == "dice" else fighting.result
