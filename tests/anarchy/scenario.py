"""Wallingford 1139 from its folder, and what its expected.csv says of a campaign."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.environment import shipped_folder
from assistant.testing import cases
from assistant.turn.phases import Outcome, resolve
from tests.anarchy.cases import RANKS, anarchy
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
    found: dict[tuple[str, str, str], str] = {}
    nobles = [n.army for n in campaign.by_sheet("Nobles") if n.army]
    for table in campaign.tables().values():
        for row in table:
            text = row.as_text()
            if row.sheet == "Armies":
                text["heads"] = str(sum(int(text[r]) for r in RANKS.values()) + nobles.count(row.army))
            if row.sheet == "Places":
                text["garrison"] = str(sum(int(text[f"g_{r}"]) for r in RANKS.values()))
            found |= {(row.file, row.ident, field): value for field, value in text.items()}
    return found


def days(campaign: Campaign, extra: Mapping[str, str] | None = None) -> Iterator[tuple[int, Campaign, list[Outcome]]]:
    """Play day by day: the day, the campaign at its close, and the phases that led there."""
    outcomes: list[Outcome] = []
    while int(campaign.desk.turn) <= LAST_DAY and not anarchy().is_over(campaign):
        outcome = resolve(anarchy(), campaign, SECRET, dict(extra or {}))
        asked = [(q.question, q.options) for q in outcome.questions]
        assert outcome.done, f"{outcome.turn} {outcome.phase} asks {asked}, {outcome.findings}"
        outcomes.append(outcome)
        before, campaign = campaign, outcome.campaign
        if campaign.desk.turn != before.desk.turn or outcome.phase == "opening":
            yield int(before.desk.turn), campaign, outcomes
            outcomes = []


def played_out(campaign: Campaign) -> tuple[Campaign, dict[str, int]]:
    """To the end of the last scripted day; who has not answered takes the default, no battle is on the table."""
    thrown: dict[str, int] = {}
    while int(campaign.desk.turn) <= LAST_DAY and not anarchy().is_over(campaign):
        outcome = by_default(anarchy(), campaign, SECRET)
        thrown |= {f"{outcome.turn}/{outcome.phase}/{r.key}": r.total for r in outcome.rolls}
        campaign = outcome.campaign
    return campaign, thrown
