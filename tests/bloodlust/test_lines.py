"""Lines as clubs write them: names of several words, small words between, amounts that are none."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import TurnDie
from tests.bloodlust.scenario import codes, ground, play, row

NAMES = {"V2": {"name": "Borgo a Mozzano"}, "V4": {"name": "L'Aquila"}, "V6": {"name": "Città Alta"},
         "V7": {"name": "Colle in Val d'Elsa"}}
WAR = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}
CAPTIVE = {"VOR-m1": {"state": "captured", "holder": "SEK", "army": ""}}


@pytest.mark.parametrize(("place", "node"), [
    ("Borgo a Mozzano", "V2"), ("a L'Aquila", "V4"), ("citta alta", "V6"), ("in Colle in Val d'Elsa", "V7")])
def test_a_province_has_a_name_of_several_words(place: str, node: str) -> None:
    """The small words within a name are its own; an army is formed there as one is posted there."""
    outcome = play(ground("987Sp", "muster", Nodes=NAMES), [
        f"VOR: sposta a1 {place}", f"VOR: forma a3 {place}", "VOR: comanda Livia Corvina a a3"])
    assert codes(outcome) == []
    assert [row(outcome, "Armies", code).node for code in ("VOR-a1", "VOR-a3")] == [node, node]
    assert row(outcome, "Leaders", "VOR-c1").army == "VOR-a3"


@pytest.mark.parametrize("line", ["SEK DER", "Sekeker Derigion", "contro Sekeker, DER", "sek+der"])
def test_nations_are_called_by_code_or_name(line: str) -> None:
    """Preferences of a war, one after the other."""
    calm = {f"war/{code}": "6+6" for code in ("DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}
    outcome = play(ground("987Sp", "war"), [f"VOR: guerra {line}"], calm | {"war/VOR": "1+1"})
    assert codes(outcome) == []
    assert row(outcome, "Wars", "W1").target == "SEK"


def test_small_words_between() -> None:
    """`congeda u1 e u2`, `pace con SEK`, `invadi a2 S3 e torna`."""
    outcome = play(ground("987Su", "muster"), ["VOR: congeda u1 e u2"])
    assert [row(outcome, "Units", f"VOR-u{n}").state for n in (1, 2)] == ["disbanded", "disbanded"]
    assert codes(play(ground("987Wi", "war", Wars=WAR), ["VOR: pace con SEK"])) == []
    outcome = play(ground("987Su", "invade", Wars=WAR), ["VOR: invadi a2 in S3 e torna"], answers={
        "response/S3": ("SEK", "fort")})
    assert codes(outcome, "o1") == []


def test_a_captive_is_called_by_his_name() -> None:
    """His holder lets him go as his nation pays for him: by code or name."""
    outcome = play(ground("987Su", "muster", Leaders=CAPTIVE), [
        "VOR: riscatta Marcus Varro", "SEK: rilascia Marcus Varro"])
    assert codes(outcome) == []
    assert (row(outcome, "Leaders", "VOR-m1").state, row(outcome, "Factions", "SEK").resources) == ("active", 14)


@pytest.mark.parametrize(("amount", "found"), [
    ("2", []), ("2 tiri", []), ("2 rolls", []), ("2.5", ["BLD-005"]), ("2,5", ["BLD-005"]), ("tutti", ["BLD-005"]),
    ("all", ["BLD-005"]), ("0", ["BLD-005"]), ("bene", ["BLD-001"])])
def test_amounts(amount: str, found: list[str]) -> None:
    """What stands for a number and is none is refused as an amount (BLD-005); other words make no order (BLD-001)."""
    outcome = play(ground("987Sp", "recruit"), [f"VOR: compra {amount}"])
    assert codes(outcome, "o1") == found
    assert row(outcome, "Factions", "VOR").bought == (0 if found else 2)


def test_a_hero_is_taken_once() -> None:
    """BLD-013: whom an earlier row has taken offers himself no more."""
    factions: Any = {"VOR": {"hero_offer": 2, "rolls": 5}}
    outcome = play(ground("987Sp", "recruit", Factions=factions), ["VOR: eroe a1", "VOR: eroe a2"])
    assert [codes(outcome, key) for key in ("o1", "o2")] == [[], ["BLD-013"]]
    assert row(outcome, "Leaders", "VOR-h1").army == "VOR-a1"


def test_a_typed_die_that_nobody_throws_is_told() -> None:
    """It stays as it was typed, and the phase says so; one for a later phase waits."""
    campaign = ground("987Sp", "call")
    for key, phase in (("hero/VOR", "call"), ("hero_level/VOR", "call"), ("war/VOR", "war")):
        campaign.by_sheet("Dice").add(TurnDie(key=key, value="2", turn="987Sp", phase=phase, source="table"))
    outcome = play(campaign)
    findings = [finding for finding in outcome.findings if finding.code == "ARB-287"]
    assert [(finding.severity, finding.data["key"]) for finding in findings] == [("info", "hero_level/VOR")]
    die = row(outcome, "Dice", "hero_level/VOR/987Sp/call")
    assert (die.value, die.audience) == ("2", "")
