"""Robots of several tempers: what may be typed, that each plays by the rules, and that a seed is one campaign."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import ClassVar

import pytest

from assistant import desk
from assistant.campaign.records import Order
from assistant.desk.commands.simulate import SimulatePlan, make_setting
from assistant.laboratory.experiment import BadTemper, play_phases, start_of, tempers_of
from assistant.rulesets.giglio import robot
from assistant.turn.event_types import Ending
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from benchmarks.tempers import Score, final_places
from tests.laboratory.test_replay import played_end, same_play
from tests.rulesets.test_cards import started

TEMPERED = {"giglio": 20, "warriors": 60, "incursio": 36, "anarchy": 30, "bloodlust": 40}
"""Rulebooks whose robots have tempers, and how many phases of each are played."""


def call(plan: SimulatePlan) -> desk.Result:
    """The command in English, without progress."""
    return desk.simulate(plan, lang="en")


@pytest.mark.parametrize(("tempers", "why"), [
    (("V=brave",), "unknown"), (("V=",), "unknown"), (("=bold",), "unknown"), (("V=bold", "v=careful"), "twice"),
    (("bold", "plain"), "twice"),
])
def test_what_is_no_temper(tempers: tuple[str, ...], why: str) -> None:
    """A word that is none, a temper of nobody, two for the same robots."""
    with pytest.raises(BadTemper) as bad:
        tempers_of(tempers, load("giglio"), str.upper, ["M", "V"])

    assert bad.value.why == why


@pytest.mark.parametrize(("temper", "told"), [
    ("V=brave", "ARB-709  'brave' is not a temper of the robots of Il Giglio. Choose one of: plain, bold, careful."),
    ("X=bold", "ARB-084  'X' is not a faction of this campaign."),
])
def test_a_temper_is_judged_before_anything_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                   temper: str, told: str) -> None:
    """Wrong usage with a word, and no folder."""
    monkeypatch.chdir(tmp_path)
    result = call(SimulatePlan("giglio", tempers=(temper,)))

    assert result.exit is desk.Exit.USAGE
    (line,) = result.finding_lines()
    assert line.startswith(told), line
    assert list(tmp_path.iterdir()) == []


def test_robots_without_tempers_say_so(book: Path) -> None:
    """A rulebook with one kind of robot takes no temper."""
    result = call(SimulatePlan(str(book), tempers=("bold",)))

    assert (result.exit, [finding.code for finding in result.findings]) == (desk.Exit.USAGE, ["ARB-709"])


def test_who_is_named_and_who_is_not() -> None:
    """A temper alone is for all that are not named; the usual one is left out."""
    chosen = tempers_of(("careful", "v=Bold", "M=plain"), load("giglio"), str.upper, ["M", "P", "V"])

    assert chosen == {"P": "careful", "V": "bold"}


@pytest.mark.slow
def test_the_list_names_each_temper() -> None:
    """What `rulesets` lists is what may be typed."""
    listed = {row["id"]: list(row["tempers"]) for row in desk.rulesets(lang="it").data["rulesets"]}

    for ruleset in TEMPERED:
        assert listed[ruleset] == [temper.word for temper in load(ruleset).tempers]
        assert listed[ruleset][0] == "plain"
        assert len(listed[ruleset]) >= 3


def refused(ruleset: Ruleset, temper: str, phases: int) -> tuple[int, int]:
    """How many orders of robots of one temper were given in the first phases of a campaign, and how many refused."""
    experiment = make_setting(SimulatePlan(ruleset.id, tempers=(temper,)), "en").experiment
    start = start_of(experiment, ruleset, 0, 11)
    given = wrong = 0
    for before, outcome in islice(play_phases(ruleset, start, 11, tempers=experiment.tempers), phases):
        word = ruleset.phase(outcome.phase).orders
        for row in outcome.campaign.table(Order).of_turn(outcome.turn) if word else ():
            if row.phase == word and not before.table(Order)[row.ident].status:
                given, wrong = given + 1, wrong + (row.status == "refused")
    return given, wrong


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset_id", "phases"), TEMPERED.items())
@pytest.mark.parametrize("temper", ["bold", "careful"])
def test_what_a_temper_orders_is_legal(ruleset_id: str, phases: int, temper: str) -> None:
    """Of the orders of a campaign's beginning at most two in a hundred are refused."""
    given, wrong = refused(load(ruleset_id), temper, phases)

    assert given > 10
    assert wrong <= given * 0.02


@pytest.mark.slow
def test_a_campaign_of_tempers_can_be_replayed(tmp_path: Path) -> None:
    """The workbook of a seed is what was played with these tempers, which is not what the usual ones play."""
    plan = SimulatePlan("warriors", turns=1, tempers=("bold",), out=tmp_path / "one")
    result = desk.replay_campaign(plan, 5, lang="en")

    assert result.exit is desk.Exit.DONE, result.finding_lines()
    book = tmp_path / "one" / "one.xlsx"
    same_play(played_end(plan, 5), book)
    bold, plain = (played_end(replace(plan, tempers=tempers), 5).table(Order) for tempers in (("bold",), ()))
    assert [row.as_text() for row in bold] != [row.as_text() for row in plain]
    assert desk.verify(book, lang="en").exit is desk.Exit.DONE


# How much better one plays than the other.


def test_places_at_the_end() -> None:
    """Victors share the first place, equal figures another one, who has nothing is last; a draw is neither."""
    rows = [{"faction": code, "score": score} for code, score in (("A", 5), ("B", 3), ("C", 0), ("D", 3), ("E", -2))]
    ending = Ending(winners=("D", "B"), rows=rows)

    assert final_places("giglio", ending) == {"B": 1, "D": 1, "A": 3, "E": 4, "C": 5}
    assert final_places("giglio", Ending(rows=rows[:2])) == {"A": 1, "B": 2}
    assert final_places("incursio", Ending(rows=rows[:2])) == {"A": 1.5, "B": 1.5}


def test_the_share_is_of_the_pairs_that_differ() -> None:
    """Two better, one worse, one the same: two thirds."""
    score = Score()
    for new, old in ((1, 2), (1, 3), (2, 1), (2, 2)):
        score.add(new, old)

    assert (score.better, score.worse, score.same, score.share) == (2, 1, 1, "67%")
    assert Score().share == "–"


def test_a_site_of_house_rules_is_worth_what_it_counts_as() -> None:
    """Its tax and its siege are those of the site of the book."""
    giglio = load("giglio")
    war = giglio.board(giglio.game(started(giglio, "en")))
    site = type(next(iter(war.nodes)))

    class Pass(site):  # type: ignore[misc, valid-type]
        """With a site that the book does not have."""

        like: ClassVar = {"pass": "fortress"}

    ours, theirs = Pass(node="F99", site="pass"), site(node="F99", site="fortress")
    assert robot._tax(war, ours) == robot._tax(war, theirs) > 0
    assert robot.siege_rounds(war, ours, "F") == robot.siege_rounds(war, theirs, "F") > 1
