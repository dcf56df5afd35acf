"""Envoys of two nations to each other in one Winter: what a blow leaves, and what each of them then brings (DP)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.turn.phases import Outcome
from tests.bloodlust.scenario import ground, play, row, told

OTHERS = ("PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")
PROGRESS = {"DER/VOR": {"progress": True}}


def both(vor: tuple[str, str], der: tuple[str, str], answer: str = "", **rows: Any) -> Outcome:
    """VOR and DER visit each other: the die of the stance and those of the visit; VOR's answer to DER's envoy. No row
    of the envoys' table counts.
    """
    table = {one.row: dict.fromkeys(("friendly", "deceiving", "intimidating", "dominating"), 0)
             for one in ground().by_sheet("EnvoyTable")}
    dice = {f"stance/{code}": "3" for code in OTHERS}
    for code, (stance, faces) in (("VOR", vor), ("DER", der)):
        dice |= {f"stance/{code}": stance, f"diplomacy/{code}": faces}
    lines = ["VOR: envoy DER", "DER: envoy VOR", "PIO: envoy THU", "SEK: envoy ALW", "BAT: envoy GAD"]
    return play(ground("987Wi", "envoys", EnvoyTable=table, **rows), lines, dice,
                {"alliance/DER/VOR": ("VOR", answer)} if answer else None)


def friends(outcome: Outcome) -> list[tuple[str, str, str]]:
    """The alliances: of whom, since when, until when."""
    return [(one.a, one.b, one.ended) for one in outcome.campaign.by_sheet("Alliances")]


@pytest.mark.parametrize(("answer", "allies", "progress"), [
    ("no", [], True), ("yes", [("VOR", "DER", "")], False)])
def test_a_blow_comes_before_the_other_nations_visit(answer: str, allies: list[Any], progress: bool) -> None:
    """VOR's Friendly visit without success takes DER's mark away before DER's own visit is judged: its two successes
    are an offer that VOR is asked for, and may refuse.
    """
    asked = both(("1", "6+6"), ("1", "1+1"), Relations=PROGRESS)
    assert [question.question for question in asked.questions] == ["alliance/DER/VOR"]
    outcome = both(("1", "6+6"), ("1", "1+1"), answer, Relations=PROGRESS)
    assert (friends(outcome), row(outcome, "Relations", "DER/VOR").progress) == (allies, progress)


def test_one_success_after_a_blow_is_the_first_progress() -> None:
    """With the mark it would have been an alliance."""
    outcome = both(("1", "6+6"), ("1", "1+6"), Relations=PROGRESS)
    assert (friends(outcome), row(outcome, "Relations", "DER/VOR").progress) == ([], True)
    calm = both(("3", "6+6"), ("1", "1+6"), Relations=PROGRESS)
    assert friends(calm) == [("VOR", "DER", "")]


def test_an_alliance_that_a_blow_has_ended_is_offered_anew() -> None:
    """The two are not allied any more when the other nation's visit is judged."""
    allied = {"VOR/DER": {"since": "986Wi"}}
    asked = both(("1", "6+6"), ("1", "1+1"), Alliances=allied)
    assert [question.question for question in asked.questions] == ["alliance/DER/VOR"]
    refused = both(("1", "6+6"), ("1", "1+1"), "no", Alliances=allied)
    assert friends(refused) == [("VOR", "DER", "987Wi")]


@pytest.mark.parametrize("faces", ["1+1", "1+6"])
def test_who_was_at_war_before_the_visits_makes_progress_only(faces: str) -> None:
    """The war that VOR's envoy has ended in this Winter still stands between DER's and an alliance: visits are judged
    on the wars of before, so that nobody is allied unasked.
    """
    war = {"W1": {"aggressor": "DER", "target": "VOR", "began": "987Sp"}}
    outcome = both(("5", "1+1"), ("1", faces), Wars=war, Relations=PROGRESS)
    assert len(told(outcome, "enforced_peace")) == 1
    assert (friends(outcome), row(outcome, "Relations", "DER/VOR").progress) == ([], True)


def test_two_who_come_to_terms_in_one_winter() -> None:
    """One alliance is told, and each of the two senders hears that his envoy has made it."""
    marks = PROGRESS | {"VOR/DER": {"progress": True}}
    outcome = both(("1", "1+6"), ("1", "1+6"), Relations=marks)
    assert friends(outcome) == [("VOR", "DER", "")]
    assert len(told(outcome, "alliance")) == 1
    effects = {event["faction"]: event["effect"] for event in told(outcome, "envoy") if event["how"] == "sent"}
    assert (effects["VOR"], effects["DER"]) == ("alliance", "alliance")
