"""Wallingford 1139 from its folder, and what its expected.csv says of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.environment import shipped_folder
from assistant.testing import cases
from assistant.turn.phases import Outcome
from tests.anarchy.cases import RANKS, anarchy
from tests.playing import field_texts, play_script_turns
from tests.repeating import by_default

PLACE = shipped_folder("workbook_templates") / "anarchy" / "wallingford-1139"
SECRET = b"wallingford"
LAST_DAY = 8
Value = tuple[str, str, str, str]  # file of the sheet, key, field, text


@cache
def expected() -> dict[int, set[Value]]:
    """Day -> every value that is new at its close."""
    found: dict[int, set[Value]] = {}
    for one in cases.read_expected(PLACE):
        found.setdefault(int(one.checkpoint), set()).add((one.table, one.key, one.field, one.value))
    return found


def wallingford(place: Path = PLACE) -> Campaign:
    """The campaign at its opening, with orders, answers, dice and results of all days."""
    return cases.opening(anarchy(), place)


def values(campaign: Campaign) -> dict[tuple[str, str, str], str]:
    """Every field of every sheet as text, with the counted ones (`heads`, `garrison`) beside them."""
    found = field_texts(campaign)
    nobles = [n.army for n in campaign.by_sheet("Nobles") if n.army]
    for army in campaign.by_sheet("Armies"):
        men = sum(getattr(army, rank) for rank in RANKS.values())
        found["armies", army.ident, "heads"] = str(men + nobles.count(army.army))
    for place in campaign.by_sheet("Places"):
        found["places", place.ident, "garrison"] = str(sum(getattr(place, f"g_{rank}") for rank in RANKS.values()))
    return found


def days(campaign: Campaign, extra: Mapping[str, str] | None = None) -> Iterator[tuple[int, Campaign, list[Outcome]]]:
    """Play day by day: the day, the campaign at its close, and the phases that led there."""
    for day, state, outcomes in play_script_turns(anarchy(), campaign, SECRET, str(LAST_DAY), extra):
        yield int(day), state, outcomes


@cache
def scripted_days() -> tuple[tuple[int, Campaign, list[Outcome]], ...]:
    """The days as the scenario scripts them, played once a process; nobody changes what is in them."""
    return tuple(days(wallingford()))


def played_out(campaign: Campaign) -> tuple[Campaign, dict[str, int]]:
    """To the end of the last scripted day; who has not answered takes the default, no battle is on the table."""
    thrown: dict[str, int] = {}
    while int(campaign.desk.turn) <= LAST_DAY and not anarchy().is_over(campaign):
        outcome = by_default(anarchy(), campaign, SECRET)
        thrown |= {f"{outcome.turn}/{outcome.phase}/{r.key}": r.total for r in outcome.rolls}
        campaign = outcome.campaign
    return campaign, thrown
