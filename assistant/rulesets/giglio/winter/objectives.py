"""After five years: who reached the objective, who wins (objectives; rulebook: Objectives)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.rulesets.giglio.book.records import Faction, Node, Opening
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL

Count = Callable[[War, str], int]


def _places(test: Callable[[Node], bool]) -> Count:
    return lambda war, f: sum(1 for n in war.nodes if n.owner == f and n.land and test(n))


def _kept(war: War, faction: str) -> int:
    return sum(1 for t in war.alliances if faction in (t.a, t.b) and t.status in ("honoured", "active"))


def _betrayed(war: War, faction: str) -> int:
    return sum(1 for t in war.alliances if t.status == "betrayed" and t.betrayed_by == faction)


COUNTS: dict[str, Count] = {
    "capitals": _places(lambda n: n.capital),
    "ducats": lambda war, f: war.factions[f].treasury,
    "cities": _places(lambda n: n.site == "city"),
    "fortresses": _places(lambda n: n.site == "fortress"),
    "villages": _places(lambda n: n.site == "village"),
    "ports": _places(lambda n: n.port),
    "fleets": lambda war, f: sum(1 for one in war.fleets if one.faction == f),
    "allies_kept": _kept,
    "allies_betrayed": _betrayed,
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
    war.game.tell("campaign.end", ALL, "objectives", reached=" ".join(reached), winners=" ".join(winners),
                  detail=detail)


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


def has_reached(war: War, faction: Faction) -> bool:
    """Whether the faction's objective is reached (rulebook: Objectives); ties for the most count."""
    if faction.objective in ("keep", "conquer"):
        home = faction.faction if faction.objective == "keep" else faction.objective_target
        capital = war.factions[home].capital if faction.objective == "conquer" and home in war.factions else ""
        wanted = [n for n in war.nodes if (n.home == home or n.node == capital) and n.land]
        return bool(wanted) and all(n.owner == faction.faction for n in wanted)
    if faction.objective not in COUNTS:
        return False
    best = max(figure(war, faction, f.faction) for f in war.players())
    return best >= 1 and figure(war, faction) == best


def figures(war: War, faction: str) -> dict[str, Any]:
    """What the standings compare of one faction: public counts, then its ducats in chest and in armies."""
    public = ("cities", "fortresses", "villages", "capitals", "ports", "fleets")
    return {"faction": faction, "places": sum(1 for n in war.nodes if n.owner == faction and n.land),
            **{name: COUNTS[name](war, faction) for name in public},
            "ducats": war.factions[faction].treasury, "army_ducats": sum(a.value for a in war.armies_of(faction))}


def opening_row(war: War, faction: str) -> Opening:
    """What a faction has now, as the Opening sheet keeps it."""
    return Opening(faction=faction, **{name: COUNTS[name](war, faction) for name in GAINED})
