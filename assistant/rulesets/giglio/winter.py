"""Winter, and the verification of objectives after the last year (4, objectives)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import Choice, Ref, Whole, column
from assistant.campaign.records import ALL, Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.giglio.marches import cities_of, draw_lot, end_siege
from assistant.rulesets.giglio.records import OBJECTIVES, Faction, Node, Opening
from assistant.rulesets.giglio.spring import DISASTER, EPIDEMIC, finish_works, judge_treaties
from assistant.rulesets.giglio.tables import EVENT, EVENT_AGAIN, EVENT_TABLE
from assistant.rulesets.giglio.war import War
from assistant.turn.dice import Roll
from assistant.turn.event_types import Ending, Said, total
from assistant.turn.texts import N_

# Objectives and their verification (objectives; rulebook: Objectives).


FactionCount = Callable[[War, str], int]


def _count_places(test: Callable[[Node], bool]) -> FactionCount:
    return lambda war, f: sum(1 for n in war.nodes if n.owner == f and n.land and test(n))


COUNTS: dict[str, FactionCount] = {
    "capitals": _count_places(lambda n: n.capital),
    "ducats": lambda war, f: war.factions[f].treasury,
    "cities": _count_places(lambda n: n.site == "city"),
    "fortresses": _count_places(lambda n: n.site == "fortress"),
    "villages": _count_places(lambda n: n.site == "village"),
    "ports": _count_places(lambda n: n.port),
    "fleets": lambda war, f: sum(1 for one in war.fleets if one.faction == f),
    "allies_kept": lambda war, f: sum(1 for t in war.alliances if f in t.owners and t.status in ("honoured", "active")),
    "allies_betrayed": lambda war, f: sum(1 for t in war.alliances if (t.status, t.betrayed_by) == ("betrayed", f)),
}
COUNTED_AS_GAIN = ("capitals", "ducats", "cities", "fortresses", "villages", "ports", "fleets")


def verify_objectives(war: War) -> None:
    """Tell all, in one event, everybody's objective and the winners (rulebook: Objectives)."""
    reached = [f.faction for f in war.players() if has_reached(war, f)]
    winners = reached
    if not reached and war.rules.objective_none == "ducats":
        winners = [f.faction for f in war.players()]
    if winners and not (reached and war.rules.objective_tie == "shared"):
        most = max(war.factions[f].treasury for f in winners)
        winners = [f for f in winners if war.factions[f].treasury == most]
    detail = {f.faction: {"objective": f.objective, "target": f.objective_target, "count": objective_count(war, f),
                          "reached": f.faction in reached, "ducats": f.treasury} for f in war.players()}
    war.tell("campaign.end", ALL, reached=" ".join(reached), winners=" ".join(winners), detail=detail)


def objective_count(war: War, faction: Faction, code: str = "") -> int:
    """What the faction's objective counts, for itself or for another faction (`code`)."""
    who, aim = code or faction.faction, faction.objective
    if aim not in COUNTS:
        return 0
    now = COUNTS[aim](war, who)
    if war.rules.objective_metric == "gain" and aim in COUNTED_AS_GAIN:
        start = war.campaign.table(Opening).get(who)
        now -= getattr(start, aim) if start is not None else 0
    return now


def objective_places(war: War, faction: Faction) -> list[Node]:
    """The places that "keep" and "conquer" ask for."""
    home = faction.faction if faction.objective == "keep" else faction.objective_target
    capital = war.factions[home].capital if faction.objective == "conquer" and home in war.factions else ""
    return [n for n in war.nodes if (n.home == home or n.node == capital) and n.land]


def has_reached(war: War, faction: Faction) -> bool:
    """Whether the faction has reached its objective (rulebook: Objectives); a tie for the most counts as reached."""
    if faction.objective in ("keep", "conquer"):
        places = objective_places(war, faction)
        return bool(places) and all(n.owner == faction.faction for n in places)
    if faction.objective not in COUNTS:
        return False
    best = max(objective_count(war, faction, f.faction) for f in war.players())
    return best >= 1 and objective_count(war, faction) == best


def faction_figures(war: War, faction: str) -> dict[str, Any]:
    """A faction's row of the standings: public counts, then ducats in the chest and in armies."""
    public = ("cities", "fortresses", "villages", "capitals", "ports", "fleets")
    return {"faction": faction, "places": sum(1 for n in war.nodes if n.owner == faction and n.land),
            **{name: COUNTS[name](war, faction) for name in public},
            "ducats": war.factions[faction].treasury, "army_ducats": total(a.value for a in war.armies_of(faction))}


def opening_row(war: War, faction: str) -> Opening:
    """What a faction has now, as a row of the sheet Opening."""
    return Opening(faction=faction, **{name: COUNTS[name](war, faction) for name in COUNTED_AS_GAIN})


# Winter (4 table 36; rulebook: 4 Winter).


def winter(war: War) -> None:
    """The seven steps of winter; the new year begins when the phase is closed."""
    judge_treaties(war)
    if war.rules.fort_timing == "base":
        finish_works(war, by_year=war.year)
    if war.rules.winter_sieges == "lifted":
        for row in war.sieges:
            end_siege(war, row)
    dismiss_specialists(war)
    for faction in war.players():
        draw_event(war, faction)
    recapitulate(war)


def dismiss_specialists(war: War) -> None:
    """Specialists' contracts end, diplomats leave, commanders are replaced (step 5)."""
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


def draw_event(war: War, faction: Faction) -> None:
    """On a 6 throw on table 36; the event acts next spring (step 6)."""
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
        faction.pending_event, faction.pending_node, lot = _event_and_place(war, code, rolls[-1].total)
        rolls += lot
    war.touch(*([faction] if had or faction.pending_event else []))
    if faction.pending_event:
        war.tell("winter.event", ALL, roll=rolls, faction=code, event_no=faction.pending_event,
                 node=faction.pending_node)
    else:
        war.tell("winter.quiet", ALL, roll=rolls, faction=code, die=first)


def _event_and_place(war: War, code: str, number: int) -> tuple[int, str, list[Roll]]:
    """The event (0 for none), its place and dice; without a place to strike, no epidemic or disaster happens."""
    if number not in (EPIDEMIC, DISASTER):
        return number, "", []
    places = cities_of(war, code) if number == EPIDEMIC else [n for n in war.nodes if n.owner == code and n.fortified]
    if number == EPIDEMIC and war.rules.epidemic_draw == "summer":
        return (number if places else 0), "", []
    place, rolls = draw_lot(war, code, places)
    return (number, place.node, rolls) if place else (0, "", rolls)


def recapitulate(war: War) -> None:
    """Publish everybody's places, capitals and ports at the end of the year (step 7)."""
    now = [faction_figures(war, faction.faction) for faction in war.players()]
    war.tell("winter.recap", ALL, table={
        row["faction"]: {name: row[name] for name in ("places", "capitals", "ports")} for row in now})


# A faction's own objective in reports, and the end of a campaign (rulebook: Objectives).
#
# The verification's event has made public who wanted what.


SECRET_OBJECTIVES = ("ducats", "allies_kept", "allies_betrayed")
"""Objectives for which a faction does not know the others' counts."""


@dataclass
class Aim(Record, sheet="Objective", sheet_it="Obiettivo"):
    """A faction's own objective as its report shows it.

    `now`: what it counts; `lacks`: how many are missing to reach it today, blank if others' counts are secret;
    `years`: how many are left, this one included.
    """

    objective: str = column(Choice(OBJECTIVES, blank=True), "Objective", "Obiettivo", key=True)
    target: str = column(Ref("Factions", blank=True), "Territory", "Territorio")
    now: int | None = column(Whole(blank=True), "Now", "Adesso")
    lacks: int | None = column(Whole(0, blank=True), "Still lacks", "Mancano")
    years: int = column(Whole(0), "Years left", "Anni rimasti")


def aim_of(war: War, faction: Faction) -> Aim:
    """The objective that a faction has chosen, as its owner can count it."""
    last = (war.desk.start_year or war.year) + war.rules.campaign_years - 1
    found = Aim(faction.objective, faction.objective_target, None, None, max(0, last - war.year + 1))
    hidden = war.rules.objective_metric == "gain" and faction.objective in COUNTED_AS_GAIN and (
        war.campaign.table(Opening).get(faction.faction) is None)
    if faction.objective in ("keep", "conquer"):
        places = objective_places(war, faction)
        found.now = sum(n.owner == faction.faction for n in places)
        found.lacks = len(places) - found.now
    elif faction.objective in COUNTS and not hidden:
        found.now = objective_count(war, faction)
        if faction.objective not in SECRET_OBJECTIVES:
            found.lacks = max(0, max(1, *(objective_count(war, faction, f.faction) for f in war.players())) - found.now)
    return found


def ending(war: War) -> Ending | None:
    """Who has won and why, with everybody's objective; None before the verification (objectives)."""
    told = [e for _, e in war.campaign.table(Event).in_file_order() if e.event == "campaign.end"]
    if not told:
        return None
    data = told[-1].data
    winners, reached = tuple(str(data["winners"]).split()), str(data["reached"])
    detail: Mapping[str, Mapping[str, Any]] = data["detail"]
    order = sorted(detail, key=lambda f: (f not in winners, not detail[f]["reached"], -detail[f]["ducats"], natural(f)))
    rows = [{"faction": code, **_ending_row(detail[code])} for code in order]
    if not any(one["target"] for one in rows):
        rows = [{name: value for name, value in one.items() if name != "target"} for one in rows]
    return Ending((_verdict(winners),), tuple(_grounds(war, reached)), winners, rows)


def _ending_row(told: Mapping[str, Any]) -> dict[str, Any]:
    aim = told["objective"]
    return {"objective": aim or "none", "target": told["target"], "count": told["count"] if aim in COUNTS else None,
            "reached": told["reached"], "ducats": told["ducats"]}


def _verdict(winners: tuple[str, ...]) -> Said:
    if not winners:
        return Said(N_("Nobody has won."))
    said = N_("The winner: {winners:the}.") if len(winners) == 1 else N_("The victory is shared: {winners:the}.")
    return Said(said, {"winners": " ".join(winners)})


def _grounds(war: War, reached: str) -> list[Said]:
    """Who reached the objective, and what decides between several or none (objectives)."""
    rules, most = war.rules, Said(N_("Among them the most ducats in the chest decide; equal ducats share the victory."))
    if not reached:
        nobody = Said(N_("Nobody reached the objective that was chosen in the first spring."))
        decide = Said(N_("Then the most ducats in the chest decide.")) if rules.objective_none == "ducats" else (
            Said(N_("Then there is no winner.")))
        return [nobody, decide]
    said = [Said(N_("The objective of the first spring was reached by: {reached}."), {"reached": reached})]
    if len(reached.split()) > 1:
        said.append(Said(N_("All of them share the victory.")) if rules.objective_tie == "shared" else most)
    return said
