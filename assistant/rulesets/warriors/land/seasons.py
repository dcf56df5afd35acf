"""The calendar: week, month and season (6)."""

from __future__ import annotations

from assistant.rulesets.warriors.book.words import SEASONS
from assistant.rulesets.warriors.land.country import Country

ORDER = tuple(SEASONS)


def season_of(land: Country, week: int) -> str:
    """The season of a week."""
    return ORDER[(ORDER.index(land.desk.start_season) + (week - 1) // land.rules.season_turns) % len(ORDER)]


def month_of(land: Country, week: int) -> int:
    """The month of a week, counted through the campaign."""
    return (week - 1) // land.rules.month_turns + 1
