"""Winter, and after the last year who has won (4 table 36, objectives; rulebook: 4 Winter, Objectives)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.rulesets.giglio.book.records import Faction, Node, Opening
from assistant.rulesets.giglio.book.tables import EVENT, EVENT_AGAIN, EVENT_TABLE
from assistant.rulesets.giglio.spring.income import DISASTER, EPIDEMIC, finish_works
from assistant.rulesets.giglio.spring.treaties import judge
from assistant.rulesets.giglio.summer.actions import end_siege
from assistant.rulesets.giglio.summer.opening import cities_of, draw_lot
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL
from assistant.turn.throws.dice import Roll
from assistant.turn.told import total

Count = Callable[[War, str], int]


def _places(test: Callable[[Node], bool]) -> Count:
    return lambda war, f: sum(1 for n in war.nodes if n.owner == f and n.land and test(n))


COUNTS: dict[str, Count] = {
    "capitals": _places(lambda n: n.capital),
    "ducats": lambda war, f: war.factions[f].treasury,
    "cities": _places(lambda n: n.site == "city"),
    "fortresses": _places(lambda n: n.site == "fortress"),
    "villages": _places(lambda n: n.site == "village"),
    "ports": _places(lambda n: n.port),
    "fleets": lambda war, f: sum(1 for one in war.fleets if one.faction == f),
    "allies_kept": lambda war, f: sum(1 for t in war.alliances if f in t.owners and t.status in ("honoured", "active")),
    "allies_betrayed": lambda war, f: sum(1 for t in war.alliances if (t.status, t.betrayed_by) == ("betrayed", f)),
}
GAINED = ("capitals", "ducats", "cities", "fortresses", "villages", "ports", "fleets")


def final(war: War) -> None:
    """The verification (rulebook: Objectives): one event for all with everybody's objective and the winners."""
    reached = [f.faction for f in war.players() if has_reached(war, f)]
    winners = reached
    if not reached and war.rules.objective_none == "ducats":
        winners = [f.faction for f in war.players()]
    if winners and not (reached and war.rules.objective_tie == "shared"):
        most = max(war.factions[f].treasury for f in winners)
        winners = [f for f in winners if war.factions[f].treasury == most]
    detail = {f.faction: {"objective": f.objective, "target": f.objective_target, "count": figure(war, f),
                          "reached": f.faction in reached, "ducats": f.treasury} for f in war.players()}
    war.tell("campaign.end", ALL, reached=" ".join(reached), winners=" ".join(winners), detail=detail)


def figure(war: War, faction: Faction, code: str = "") -> int:
    """What the faction's objective counts, for itself or for another faction's code."""
    who, aim = code or faction.faction, faction.objective
    if aim not in COUNTS:
        return 0
    now = COUNTS[aim](war, who)
    if war.rules.objective_metric == "gain" and aim in GAINED:
        start = war.campaign.table(Opening).get(who)
        now -= getattr(start, aim) if start is not None else 0
    return now


def wanted(war: War, faction: Faction) -> list[Node]:
    """The places that "keep" and "conquer" ask for."""
    home = faction.faction if faction.objective == "keep" else faction.objective_target
    capital = war.factions[home].capital if faction.objective == "conquer" and home in war.factions else ""
    return [n for n in war.nodes if (n.home == home or n.node == capital) and n.land]


def has_reached(war: War, faction: Faction) -> bool:
    """Whether the faction's objective is reached (rulebook: Objectives); ties for the most count."""
    if faction.objective in ("keep", "conquer"):
        places = wanted(war, faction)
        return bool(places) and all(n.owner == faction.faction for n in places)
    if faction.objective not in COUNTS:
        return False
    best = max(figure(war, faction, f.faction) for f in war.players())
    return best >= 1 and figure(war, faction) == best


def figures(war: War, faction: str) -> dict[str, Any]:
    """What the standings compare of one faction: public counts, then its ducats in chest and in armies."""
    public = ("cities", "fortresses", "villages", "capitals", "ports", "fleets")
    return {"faction": faction, "places": sum(1 for n in war.nodes if n.owner == faction and n.land),
            **{name: COUNTS[name](war, faction) for name in public},
            "ducats": war.factions[faction].treasury, "army_ducats": total(a.value for a in war.armies_of(faction))}


def opening_row(war: War, faction: str) -> Opening:
    """What a faction has now, as the Opening sheet keeps it."""
    return Opening(faction=faction, **{name: COUNTS[name](war, faction) for name in GAINED})


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
            war.tell("specialist.expired", [man.faction], touch=[man], code=man.specialist, kind=man.kind)
    for army in war.armies:
        if army.leaderless:
            army.leaderless = 0
            war.tell("commander.replaced", [army.faction], touch=[army], army=army.army)
        if army.kind == "diplomat":
            war.take_off(army)
            war.tell("marker.withdrawn", ALL, army=army.army, faction=army.faction)


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
    if opened:
        rolls.append(war.roll(EVENT_TABLE(code, war.year)))
        faction.pending_event, faction.pending_node, lot = _where(war, code, rolls[-1].total)
        rolls += lot
    war.touch(*([faction] if had or faction.pending_event else []))
    if faction.pending_event:
        war.tell("winter.event", ALL, roll=rolls, faction=code, event_no=faction.pending_event,
                 node=faction.pending_node)
    else:
        war.tell("winter.quiet", ALL, roll=rolls, faction=code, die=first)


def _where(war: War, code: str, number: int) -> tuple[int, str, list[Roll]]:
    """The event and its place: an epidemic's or a disaster's drawn among those that it can strike; none, no event."""
    if number not in (EPIDEMIC, DISASTER):
        return number, "", []
    places = cities_of(war, code) if number == EPIDEMIC else [n for n in war.nodes if n.owner == code and n.fortified]
    if number == EPIDEMIC and war.rules.epidemic_draw == "summer":
        return (number if places else 0), "", []
    place, rolls = draw_lot(war, code, places)
    return (number, place.node, rolls) if place else (0, "", rolls)


def recapitulate(war: War) -> None:
    """How things stand at the end of the year, for all to read (step 7)."""
    now = [figures(war, faction.faction) for faction in war.players()]
    war.tell("winter.recap", ALL, table={
        row["faction"]: {name: row[name] for name in ("places", "capitals", "ports")} for row in now})
