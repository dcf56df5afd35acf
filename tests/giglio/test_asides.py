"""A question that no phase waits for: the secret objective that a club has not chosen (objectives)."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import FindingRow
from assistant.desk.results import Exit
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.rulesets.giglio.records import Faction
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing.cases import campaign_of
from assistant.wording import Wording, named_wording
from tests.fresh import new_campaign
from tests.playing import copy_campaign


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that stands before its first budget, in which nobody has an objective."""
    book = new_campaign(tmp_path_factory.mktemp("spring") / "italy.xlsx")
    assert desk.resolve(book, until="income").exit is Exit.DONE
    return book


@pytest.fixture
def book(spring: Path, tmp_path: Path) -> Path:
    """A copy of it with its ledger."""
    return copy_campaign(spring, tmp_path)


def handed_in(book: Path, line: str) -> desk.Result:
    """A line of orders, as `arbitro orders` takes it."""
    return desk.take_orders(book, [desk.Input("line", text=line)])


def asked(faction: str, campaign: Campaign, lang: str = "en") -> list[str]:
    """The questions of a faction's report."""
    page = build_page(GIGLIO, GIGLIO.view(campaign, faction), faction, Wording(GIGLIO, lang))
    return [one.text for one in page.asked]


def aim(book: Path, faction: str) -> str:
    """A faction's objective."""
    return str(campaign_of(book).table(Faction)[faction].objective)


def test_an_objective_not_chosen_is_reminded_of_everywhere(book: Path) -> None:
    """Objectives: in the club's report, in the referee's, on the Desk and in status, until when; not in public."""
    campaign, words = campaign_of(book), Wording(GIGLIO, "en")
    [told] = asked("V", campaign)
    assert "It may be answered until 1500, Budget and recruiting; no phase waits for it." in told
    referee = build_referee(GIGLIO, campaign, words)
    assert {one.to for one in referee.asked} == {row.name("en") for row in campaign.table(Faction)
                                                 if row.role != "neutral"}
    assert not build_gazette(GIGLIO, GIGLIO.view(campaign, ""), words).asked
    waiting = [one for one in desk.status(book).data["awaited"] if one["kind"] == "secret_objective"]
    assert "V" in [one["from"] for one in waiting]
    assert all(one["what"].startswith("can wait: ") for one in waiting)


@pytest.mark.parametrize(("lang", "offered"), [
    ("en", "fleets, conquer Swiss League, conquer Florence,"),
    ("it", "flotte, territorio Svizzera, territorio Firenze,")])
def test_territories_are_offered_by_name(book: Path, lang: str, offered: str) -> None:
    """What is shown is what may be typed."""
    view = GIGLIO.view(campaign_of(book), "V")
    [asked_of] = build_page(GIGLIO, view, "V", named_wording(GIGLIO, view, lang)).asked
    assert offered in asked_of.options


def test_it_stops_nothing(book: Path) -> None:
    """Objectives: the budget is resolved without; the report counts no question, and later nobody is reminded."""
    campaign = campaign_of(book)
    page = build_page(GIGLIO, GIGLIO.view(campaign, "V"), "V", Wording(GIGLIO, "en"))
    assert "question" not in page.band.title
    assert not any("question" in step for step in page.todo)
    assert desk.resolve(book, until="budget").exit is Exit.DONE
    assert asked("V", campaign_of(book)) == []
    assert not [one for one in desk.status(book).data["awaited"] if one["kind"] == "secret_objective"]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "objective", "target"), [
    ("V: secret objective ports", "ports", ""), ("V: obiettivo segreto porti", "ports", ""),
    ("V: secret objective conquer M", "conquer", "M"), ("V: objective keep", "keep", ""),
    ("V: secret objective conquer Savoy", "conquer", "SV"), ("V: obiettivo segreto territorio Savoia", "conquer", "SV"),
    ("V: secret objective territory Holy Roman Empire", "conquer", "HRI"),
    ("V: secret objective Savoy", "conquer", "SV"),
])
def test_a_club_answers_or_orders(book: Path, line: str, objective: str, target: str) -> None:
    """Objectives: an answer does as well as the order, in either language."""
    assert handed_in(book, line).exit is Exit.DONE
    assert desk.resolve(book, until="budget").exit is Exit.DONE
    row = campaign_of(book).table(Faction)["V"]
    assert (row.objective, row.objective_target) == (objective, target)
    assert desk.verify(book).exit is Exit.DONE


@pytest.mark.slow
def test_afterwards_the_referee_may_rule_one(book: Path) -> None:
    """Objectives: from then on a club's answer does not count, the referee's does, and only the club is told."""
    desk.resolve(book, until="budget")
    assert handed_in(book, "V: secret objective ports").lines[0] == "Your line does not count yet."
    assert handed_in(book, "referee: secret objective V ports").exit is Exit.DONE
    assert desk.resolve(book, until="open", defaults=True).exit is Exit.DONE
    assert (aim(book, "V"), aim(book, "M")) == ("ports", "")
    assert desk.verify(book).exit is Exit.DONE
    desk.undo(book)
    assert aim(book, "V") == ""


@pytest.mark.slow
def test_an_answer_that_is_no_objective_is_named(book: Path) -> None:
    """Objectives: it comes to nothing, with a finding at its cell and in the club's report, and holds up nobody; the
    referee may rule one afterwards.
    """
    handed_in(book, "V: secret objective glory")
    assert "GIG-100" in [finding.code for finding in desk.check(book).findings]
    resolved = desk.resolve(book, until="budget")
    assert (resolved.exit, aim(book, "V")) == (Exit.DONE, "")
    assert "GIG-100" in [finding.code for finding in resolved.findings]
    campaign = campaign_of(book)
    assert [row.code for row in GIGLIO.view(campaign, "V").table(FindingRow)] == ["GIG-100"]
    assert not list(GIGLIO.view(campaign, "M").table(FindingRow))
    assert handed_in(book, "referee: secret objective V ports").exit is Exit.DONE
    assert desk.verify(book).exit is Exit.DONE
