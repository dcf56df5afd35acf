"""Battles from the first blow to the last consequence: field, sack, assault, sally, revolt (digest, section 7)."""

from __future__ import annotations

from assistant.rulesets.anarchy.aftermath import settle
from assistant.rulesets.anarchy.autos import throw
from assistant.rulesets.anarchy.change import desert
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.fights import ATTACKERS, DEFENDERS, Fight, announce, gather, open_row
from assistant.rulesets.anarchy.forms import Form, Result, is_reported
from assistant.rulesets.anarchy.looting import loot
from assistant.rulesets.anarchy.papers import papers
from assistant.rulesets.anarchy.realm import ALL, REFEREE
from assistant.rulesets.anarchy.records import Army, Battle
from assistant.rulesets.anarchy.sheets import Place
from assistant.rulesets.anarchy.verbs import choice_code
from assistant.turn.game import Waiting


def field_battle(f: Field, attacker: Army, target: Army, mover: Army) -> None:
    """Two groups fight; the mover is the one who came."""
    _fight(f, gather(f, "field", mover, [attacker], [target]))


def sack(f: Field, army: Army, place: Place, ordered: int | str) -> None:
    """A village or monastery defends itself with its levy, then it is looted."""
    result = _fight(f, gather(f, "sack", army, [army], [], levy=place))
    if result.winner == ATTACKERS and army.active:
        _revolts(f, army, loot(f, army, place, ordered))


def assault(f: Field, army: Army, place: Place) -> None:
    """The garrison and the groups inside against those who storm; a castle that falls is looted."""
    inside = [a for a in f.at(place.node) if a.inside == place.place and not f.attached(a)]
    result = _fight(f, gather(f, "assault", army, [army], inside, castle=(DEFENDERS, place)))
    if result.winner == ATTACKERS and army.active:
        _revolts(f, army, loot(f, army, place))


def sally(f: Field, unit: Army | Place, target: Army) -> None:
    """A group inside, or the garrison itself, against the largest besieging group."""
    if isinstance(unit, Army):
        _fight(f, gather(f, "sally", unit, [unit], [target]))
    else:
        _fight(f, gather(f, "sally", unit, [], [target], castle=(ATTACKERS, unit)))


def _revolts(f: Field, army: Army, rebels: list[Army]) -> None:
    """Each company that rises fights its lord at once, and is nobody's afterwards (11.6)."""
    for company in rebels:
        if not company.active:
            continue
        f.tell("revolt", ALL, "11.6", touch=[company], mercs=company.army, group=army.army)
        side = f.side(company.faction)
        f.tell("deserted", ALL, "11.6", touch=desert(f, company), mercs=company.army, side=side)
        if army.active:
            _fight(f, gather(f, "revolt", company, [company], [army], joins=False))


def _fight(f: Field, fight: Fight) -> Result:
    """Ask for the result, check it, draw its consequences."""
    row = open_row(f, fight)
    announce(f, fight, row)
    row.papers = papers(f, fight)
    f.game.hand_out(row.copy())
    result = _result(f, fight, row)
    settle(f, fight, result, row)
    return result


def _result(f: Field, fight: Fight, row: Battle) -> Result:
    asked = f.question("battle", REFEREE, fight.ident, ("entered", "auto"), "", battle=fight.ident, hex=fight.node,
                       attackers=row.attackers or row.place or "-", defenders=row.defenders or row.place or "-")
    text = f.game.answered(asked)
    if not text and not is_reported(row):
        f.game.ask(asked)
    code = choice_code(text) if text else "auto" if row.played == "auto" else "entered"
    if code == "auto":
        return throw(f, fight)
    if code != "entered":
        f.game.ask_again(asked, "ANA-901", x=text, options="entered, auto")
    result = Form(f, fight, row).read()
    if result is None:
        raise Waiting([asked])
    return result


__all__ = ["assault", "field_battle", "sack", "sally"]
