"""What an invasion is told to do before a fort: besiege it or go back, after a battle as without one (LS)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.turn.phases import Outcome
from tests.bloodlust.scenario import BLOODLUST, ground, play, row

WARS = {"W1": {"aggressor": "SEK", "target": "VOR", "began": "987Sp"},
        "W2": {"aggressor": "DER", "target": "VOR", "began": "987Sp"}}
ALLIED = {"DER/SEK": {"since": "986Wi"}}
AT: dict[str, Any] = {"VOR-a1": {"node": "V3"}, "VOR-a2": {"node": "V1"}, "VOR-a0": {"node": "V1"},
                      "SEK-a1": {"node": "S3"}, "SEK-a2": {"faction": "SEK", "node": "S3"}, "DER-a1": {"node": "S3"}}
SECOND: dict[str, Any] = {"Leaders": {"SEK-c1": {"army": "SEK-a2"}}, "Units": {"SEK-u3": {"army": "SEK-a2"}}}
ORDERLY = {"retreat/VOR-a1": "1+1+1+1", **{f"fate/{code}": "1+1+1+1" for code in ("VOR-m1", "SEK-m1")}}


def after(answer: str, *lines: str, names: Any = None, **rows: Any) -> Outcome:
    """SEK and its ally DER enter V3, where VOR fights and retires in order, or shuts itself in at once."""
    armies = {code: fields | ({"name": names[code]} if code in (names or {}) else {}) for code, fields in AT.items()}
    campaign = ground("987Su", "invade", Wars=WARS, Alliances=ALLIED, Armies=armies, **SECOND, **rows)
    outcome = play(campaign, lines, answers={"response/V3": ("VOR", answer)})
    assert outcome.done
    if answer == "fort":
        return outcome
    battle: Any = outcome.campaign.by_sheet("Battles")["987Su-1"]
    battle.winner, battle.retreat = "attacker", "defender"
    return play(outcome.campaign, (), ORDERLY)


def sieges(outcome: Outcome) -> list[tuple[str, str, str]]:
    """Who besieges with what, and whence it came."""
    return [(one.besieger, one.armies_out, one.start_node) for one in outcome.campaign.by_sheet("Sieges")]


def places(outcome: Outcome, *armies: str) -> list[str]:
    """Where some armies stand."""
    return [row(outcome, "Armies", code).node for code in armies]


@pytest.mark.parametrize("answer", ["fight", "fort"])
@pytest.mark.parametrize(("line", "laid", "stands"), [
    ("SEK: invade a1 V3 via S3", True, "V3"), ("SEK: invade a1 V3 besiege", True, "V3"),
    ("SEK: invadi a1 V3 da S3 indietro", False, "S3"), ("SEK: invade a1 V3 back", False, "S3"),
    ("SEK: invade Furia V3 torna", False, "S3")])
def test_a_siege_is_laid_or_not_as_ordered(answer: str, line: str, laid: bool, stands: str) -> None:
    """The attacker can lay a siege: who was ordered back goes to his start, be it that the defender has shut himself
    in or that he was beaten into his fort; the province stays the defender's.
    """
    outcome = after(answer, line, names={"SEK-a1": "Furia"})
    assert sieges(outcome) == ([("SEK", "SEK-a1", "S3")] if laid else [])
    assert places(outcome, "SEK-a1", "VOR-a1") == [stands, "V3"]
    assert row(outcome, "Nodes", "V3").owner == "VOR"
    assert {one.state for one in outcome.campaign.by_sheet("Units") if one.army == "VOR-a1"} == {"active"}


@pytest.mark.parametrize("answer", ["fight", "fort"])
def test_those_who_stay_besiege(answer: str) -> None:
    """Of a side each army does as it was told; the siege is that of those who stay, and they came from their start."""
    outcome = after(answer, "SEK: invade a1 V3 back", "SEK: invade a2 V3")
    assert sieges(outcome) == [("SEK", "SEK-a2", "S3")]
    assert places(outcome, "SEK-a1", "SEK-a2") == ["S3", "V3"]
    allies = after(answer, "DER: invade a1 V3 back", "SEK: invade a1 V3")
    assert sieges(allies) == [("SEK", "SEK-a1", "S3")]
    assert places(allies, "DER-a1", "SEK-a1") == ["S3", "V3"]


def test_back_is_about_forts_alone() -> None:
    """Where the beaten have no fort the province is conquered, and a refused or replaced row says nothing."""
    outcome = after("fight", "SEK: invade a1 V3 back", Nodes={"V3": {"fort": False}})
    assert row(outcome, "Nodes", "V3").owner == "SEK"
    assert places(outcome, "SEK-a1") == ["V3"]
    later = after("fight", "SEK: invade a1 V3 back", "SEK: invade a1 V3")
    assert sieges(later) == [("SEK", "SEK-a1", "S3")]


def test_nothing_is_known_of_it_before() -> None:
    """Whether a siege will be laid stands at the battle for the referee, and shows to nobody else."""
    views = []
    for more, back in (("", ""), (" back", "SEK-a1")):
        campaign = ground("987Su", "invade", Wars=WARS, Armies=AT, **SECOND)
        outcome = play(campaign, [f"SEK: invade a1 V3{more}"], answers={"response/V3": ("VOR", "fight")})
        assert row(outcome, "Battles", "987Su-1").back == back
        view = BLOODLUST.view(outcome.campaign, "VOR")
        views.append([one.as_text() for table in view.tables().values() for one in table])
    assert views[0] == views[1]


@pytest.mark.parametrize(("at", "answer"), [("V3", "counter a1"), ("V1", "counter a1")])
def test_who_is_invaded_back_is_invaded(at: str, answer: str) -> None:
    """Whether from the province itself or from next door: the owner of the invader's start was invaded this year, and
    his Reserve there comes out and fights.
    """
    campaign = ground("987Su", "invade", Wars=WARS, Roads={"S1/V3": {}, "S1/V1": {}}, Armies={
        "VOR-a1": {"node": at}, "VOR-a2": {"node": "V6"}, "SEK-a1": {"node": "S1"}}, Units={
        "SEK-u3": {"army": "SEK-a0"}})
    outcome = play(campaign, ["SEK: invade a1 V3 via S1"], {"move/SEK-a1": "6+6+6+6", "move/VOR-a1": "1+1+1+1"},
                   {"response/V3": ("VOR", answer)})
    assert row(outcome, "Factions", "SEK").invaded_now
    (defended,) = [one.defender_armies for one in outcome.campaign.by_sheet("Battles") if one.node == "S1"]
    assert row(outcome, "Units", "SEK-u3").army == "SEK-a2"
    assert "SEK-a2" in defended.split()


@pytest.mark.parametrize(("line", "state"), [("SEK: invade a1 V3", "active"), ("SEK: invade a1 V3 back", "gone")])
def test_a_lords_army_stays_in_a_fort_while_it_is_besieged(line: str, state: str) -> None:
    """It ends with the siege; where none is laid it goes home at once."""
    campaign = ground("987Su", "invade", Wars=WARS, Armies=AT | {"VOR-a1": {"node": "V1"}})
    outcome = play(campaign, [line], {"leader_wr/VOR-c2": "6+6"}, {"response/V3": ("VOR", "levy")})
    battle: Any = outcome.campaign.by_sheet("Battles")["987Su-1"]
    battle.winner, battle.retreat = "attacker", "defender"
    outcome = play(outcome.campaign, (), {"retreat/VOR-l1": "1+1+1+1"})
    assert row(outcome, "Armies", "VOR-l1").state == state
    assert row(outcome, "Nodes", "V3").owner == "VOR"
