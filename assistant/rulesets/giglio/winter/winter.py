"""Winter: treaties judged, hirelings leave, one roll each on the table of events (4 table 36; rulebook: 4 Winter)."""

from __future__ import annotations

from assistant.rulesets.giglio.book.records import Faction, Node
from assistant.rulesets.giglio.book.throws import EVENT, EVENT_AGAIN, EVENT_TABLE
from assistant.rulesets.giglio.spring.income import DISASTER, EPIDEMIC, finish_works
from assistant.rulesets.giglio.spring.treaties import judge
from assistant.rulesets.giglio.summer.actions import end_siege
from assistant.rulesets.giglio.summer.opening import cities_of, draw_lot
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL
from assistant.turn.throws.dice import Roll


def winter(war: War) -> None:
    """Seven steps; the year itself is turned when the phase is closed."""
    judge(war)
    if war.rules.fort_timing == "base":
        finish_works(war, by_year=war.year)
    if war.rules.winter_sieges == "lifted":
        for row in war.sieges:
            end_siege(war, row)
    dismiss(war)
    for faction in war.players():
        event(war, faction)
    recapitulate(war)


def dismiss(war: War) -> None:
    """Specialists' contracts end; diplomats leave; commanders are replaced (step 5)."""
    for man in war.specialists:
        if man.status == "active":
            man.status = "expired"
            war.game.tell("specialist.expired", [man.faction], "t33", touch=[man], code=man.specialist,
                          kind=man.kind)
    for army in war.armies:
        if army.leaderless:
            army.leaderless = 0
            war.game.tell("commander.replaced", [army.faction], "t33", touch=[army], army=army.army)
        if army.kind == "diplomat":
            touched = [army, *(f for f in war.fleets if f.cargo == army.army)]
            for fleet in war.fleets:
                if fleet.cargo == army.army:
                    fleet.cargo = ""
            war.armies.remove(army.army)
            war.game.tell("marker.withdrawn", ALL, "t33", touch=touched, army=army.army, faction=army.faction)


def event(war: War, faction: Faction) -> None:
    """A 6 opens table 36; what it says acts next spring (step 6)."""
    code = faction.faction
    had = bool(faction.pending_event or faction.pending_node)
    faction.pending_event, faction.pending_node = 0, ""
    first = war.roll(EVENT(code, war.year))
    rolls = [first]
    opened = first.at_least(war.rules.event_on)
    if opened and war.rules.event_trigger == "two":
        rolls.append(war.roll(EVENT_AGAIN(code, war.year)))
        opened = rolls[-1].at_least(war.rules.event_on)
    number, place = 0, None
    if opened:
        rolls.append(war.roll(EVENT_TABLE(code, war.year)))
        number = rolls[-1].total
        number, place, lot = _where(war, code, number)
        rolls += lot
    touched = [faction] if had or number else []
    if not number:
        war.game.tell("winter.quiet", ALL, "t36", roll=rolls, touch=touched, faction=code, die=first)
        return
    faction.pending_event, faction.pending_node = number, place.node if place else ""
    war.game.tell("winter.event", ALL, "t36", roll=rolls, touch=touched, faction=code, event_no=number,
                  node=faction.pending_node)


def _where(war: War, code: str, number: int) -> tuple[int, Node | None, list[Roll]]:
    """The place of an epidemic or a disaster: drawn among those that it can strike; none, no event."""
    if number == EPIDEMIC:
        places = cities_of(war, code)
        if war.rules.epidemic_draw == "summer":
            return (number if places else 0), None, []
    elif number == DISASTER:
        places = [n for n in war.nodes if n.owner == code and n.land and n.fortified]
    else:
        return number, None, []
    place, rolls = draw_lot(war, code, places)
    return (number if place else 0), place, rolls


def recapitulate(war: War) -> None:
    """How things stand at the end of the year, for all to read (step 7)."""
    table = {}
    for faction in war.players():
        held = [n for n in war.nodes if n.owner == faction.faction and n.land]
        table[faction.faction] = {"places": len(held), "capitals": sum(n.capital for n in held),
                                  "ports": sum(n.port for n in held)}
    war.game.tell("winter.recap", ALL, "4", table=table)
