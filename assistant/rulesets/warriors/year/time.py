"""Phase 6: week, month and season; heroes leave (6)."""

from __future__ import annotations

from assistant.rulesets.warriors.land.changes import empty, forget_wounded
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.land.seasons import month_of, season_of
from assistant.turn.answers.answer_kinds import Amount
from assistant.turn.game import ALL, REFEREE, Ask

MOST_WEEKS = 13


def time(land: Country) -> None:
    """The week moves on."""
    weeks = land.rules.turn_weeks
    if land.rules.phase6 == "ask":
        weeks = land.game.amount(Ask("weeks", REFEREE, default="1", answer=Amount(0, MOST_WEEKS)))
    desk = land.desk
    desk.week += weeks
    land.tell("week", ALL, "6", touch=[desk], week=desk.week, month=month_of(land, desk.week),
              season=season_of(land, desk.week))
    for unit in land.units:
        if 0 < unit.leaves <= land.turn:
            _leaves(land, unit.unit)


def _leaves(land: Country, code: str) -> None:
    """A hero goes his way; a Force that was but him is no more."""
    unit = land.units[code]
    army = land.armies[unit.army]
    gone = forget_wounded(land, code)
    unit.figures, unit.leaves = 0, 0
    land.tell("hero_leaves", land.own(army.faction), "6", touch=[unit, *gone], unit=code, army=army.army)
    empty(land, army, "6")
