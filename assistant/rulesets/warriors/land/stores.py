"""The stores of places: what a place gives a month, and when (7)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.records import Node
from assistant.rulesets.warriors.land.country import Country

AFTER_TIME = ("muster", "events")
"""The phases of a turn in which the week has moved on."""


def week_of_muster(land: Country) -> int:
    """The week in which this turn's phase 7 falls."""
    passed = land.desk.phase in AFTER_TIME
    return land.desk.week + (0 if passed else land.rules.turn_weeks)


def month_begins(land: Country, week: int) -> bool:
    """Whether points are given in that week."""
    return (week - 1) % land.rules.month_turns == 0


def points_of(land: Country, place: Node) -> int:
    """What a place gives its holder: as it was drawn, a share of it where it belongs to another."""
    points = land.rules.muster_capital if place.place == "capital" else land.rules.muster_stronghold
    return points if place.holder == place.founder else points * land.rules.muster_captured // 100


def income(land: Country, place: Node) -> int:
    """What a place will give in this turn's phase 7, as things stand."""
    due = month_begins(land, week_of_muster(land)) and land.plays(place.holder)
    return points_of(land, place) if due and not land.watched(place.node, place.holder) else 0


def held(land: Country, node: str, faction: str) -> Node | None:
    """A stronghold or capital that a faction holds; None for what is none."""
    row = land.nodes.get(node)
    return row if row is not None and row.place != "none" and row.holder == faction else None
