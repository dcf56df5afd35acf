"""What a club reads: who throws for the order of movement, and what a random event's dice came to."""

from __future__ import annotations

import pytest

from assistant.reporting.build import build_page
from assistant.reporting.pages import ReportPage
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.wording import named_wording
from tests.warriors.cases import Case


def page(case: Case, faction: str, lang: str) -> ReportPage:
    """The report of a faction on all that a case has played."""
    view = WARRIORS.view(case.campaign, faction)
    return build_page(WARRIORS, view, faction, named_wording(WARRIORS, view, lang))


def dice_of(case: Case, faction: str, lang: str) -> dict[str, str]:
    """Purpose -> value of the dice that stand at the end of a report."""
    rulings = page(case, faction, lang).rulings
    assert rulings is not None
    return {row[0].text: row[2].text for row in rulings.table.rows.items}


@pytest.mark.parametrize(("lang", "told"), [("en", "The men throw for the order of movement"),
                                            ("it", "Men tira per l'ordine di movimento")])
def test_who_throws_for_the_order_of_movement_is_named(lang: str, told: str) -> None:
    """The throw with the V.C. of the chief is told to its faction alone, and by name."""
    case = Case(armies={"M1": {"node": "C03"}, "O1": {"node": "G06"}})
    case.play("move", whole=False)
    (opening,) = [group for group in page(case, "men", lang).happened if group.title in ("How it began",
                                                                                       "Come è cominciata")]
    assert told in [line.text for line in opening.lines.items]


@pytest.mark.parametrize(("lang", "none", "comes", "which"), [
    ("en", "4: no event comes", "6: an event comes", "1+2: Bad omen"),
    ("it", "4: non arriva nessun evento", "6: arriva un evento", "1+2: Cattivo presagio")])
def test_the_dice_of_random_events_say_what_they_came_to(lang: str, none: str, comes: str, which: str) -> None:
    """Below a 6 nothing happens, and no event tells so; on it a second throw says which event it is (8)."""
    case = Case(armies={"M1": {"node": "C03"}, "O1": {"node": "G06"}})
    case.throw(event__men=6, event_table__men="1+2", event__orcs=4, event__dwarfs=1, event__undead=1).play("events")

    assert {comes, which} <= {*dice_of(case, "men", lang).values()}
    assert none in dice_of(case, "orcs", lang).values()
