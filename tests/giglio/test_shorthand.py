"""Orders in words, as note 2 prints them (rulebook: Orders in words), in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.rulesets.giglio.alliances import ally
from assistant.rulesets.giglio.objectives import objective
from assistant.rulesets.giglio.recruiting import assassinate
from assistant.rulesets.giglio.ruleset import GIGLIO, VERBS
from assistant.testing import kit
from assistant.turn.orders.reader import Understood
from assistant.turn.orders.verbs import format_order as show_line

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"


@cache
def opening() -> Campaign:
    """Italy in 1500."""
    return kit.opening(GIGLIO, TEMPLATES / "giglio" / "italy-1500")


def understand(text: str, at: Mapping[str, str] | None = None) -> Understood:
    """How a line of Venice's is read. `at`: own units and where they stand."""
    campaign = opening().copy()
    for code, node in (at or {}).items():
        sheet, key = ("Fleets", "fleet") if "-F" in code else ("Armies", "army")
        table = campaign.by_sheet(sheet)
        if code not in table:
            table.add(table.record.from_values({key: code, "faction": "V"}))
        table[code].node = node
    return GIGLIO.understand(text, campaign, "V")


def show(fields: dict[str, Any], lang: str) -> str:
    return show_line(VERBS, fields, lang)


def read(text: str, **more: Any) -> dict[str, Any]:
    got = understand(text, **more)
    assert not got.problem, got
    return dict(got.fields)


@pytest.mark.parametrize(("text", "fields"), [
    ("V8 F7", {"path": "V8 F7"}),
    ("v8 f7", {"path": "V8 F7"}),
    ("V8-F7", {"path": "V8 F7"}),
    ("V8,F7", {"path": "V8 F7"}),
    ("V8 > F7", {"path": "V8 F7"}),
    ("V8→F7", {"path": "V8 F7"}),
    ("V8 -> F7.", {"path": "V8 F7"}),
    ("From V8 V8 F7", {"path": "V8 F7"}),
    ("V8 V0", {"path": "V8 V0"}),
    ("V-1 V8 V9 V0", {"unit": "V-1", "path": "V8 V9 V0"}),
    ("v-1 V8-V9-V0", {"unit": "V-1", "path": "V8 V9 V0"}),
    ("120 V8 F7", {"amount": 120, "path": "V8 F7"}),
    ("V-1 120 V8 F7", {"unit": "V-1", "amount": 120, "path": "V8 F7"}),
    ("da V8 a F7", {"path": "V8 F7"}),
    ("muovi armata V-1 da V8 verso F7", {"unit": "V-1", "path": "V8 F7"}),
    ("Muovi l'armata V-1 da V8 verso F7", {"unit": "V-1", "path": "V8 F7"}),
    ("HRI-2 HRI9 SV2", {"unit": "HRI-2", "path": "HRI9 SV2"}),
    ("V-1: V8 F7", {"unit": "V-1", "path": "V8 F7"}),
    ("A1: V8-V9", {"unit": "V-1", "path": "V8 V9"}),
    ("army 2: V8 V9", {"unit": "V-2", "path": "V8 V9"}),
])
def test_coordinates_are_a_march(text: str, fields: dict[str, Any]) -> None:
    """Practice 2: codes with any separators are a march; fillers are dropped, a repeated code counts once."""
    assert read(text) == {"verb": "move", **fields}


@pytest.mark.parametrize(("italian", "english", "fields"), [
    ("prestito 60", "loan 60", {"verb": "loan", "amount": 60}),
    ("recluta 120 V0", "recruit 120 V0", {"verb": "recruit", "amount": 120, "target": "V0"}),
    ("arruola 30 V0 nuova", "recruit 30 V0 new", {"verb": "recruit", "amount": 30, "target": "V0", "unit": "new"}),
    ("arruola 60 F0 F-1", "recruit 60 F0 F-1", {"verb": "recruit", "amount": 60, "target": "F0", "unit": "F-1"}),
    ("geniere V-1", "sapper V-1", {"verb": "enlist", "option": "sapper", "target": "V-1"}),
    ("geniere V8", "enlist sapper V8", {"verb": "enlist", "option": "sapper", "target": "V8"}),
    ("diplomatico V0", "diplomat V0", {"verb": "enlist", "option": "diplomat", "target": "V0"}),
    ("spia", "spy", {"verb": "enlist", "option": "spy"}),
    ("ASSASSINO", "Assassin", {"verb": "enlist", "option": "assassin"}),
    ("fortifica V8", "fortify V8", {"verb": "fortify", "target": "V8"}),
    ("ripara V8", "repair V8", {"verb": "repair", "target": "V8"}),
    ("guarnigione V9 da V-1", "garrison V9 from V-1", {"verb": "garrison", "target": "V9", "unit": "V-1"}),
    ("guarnigione V9", "garrison V9", {"verb": "garrison", "target": "V9"}),
    ("flotta V0", "fleet V0", {"verb": "fleet", "target": "V0"}),
    ("stratega 25", "bid 25", {"verb": "bid", "amount": 25}),
    ("stratega 25 ducati", "strategos 25", {"verb": "bid", "amount": 25}),
    ("allea P passo 1502: pace in Romagna, V8 resta nostra", "ally P passage 1502: pace in Romagna, V8 resta nostra",
     {"verb": "ally", "partner": "P", "option": "passage", "amount": 1502,
      "note": "pace in Romagna, V8 resta nostra"}),
    ("allea P senza passo", "ally P no_passage", {"verb": "ally", "partner": "P", "option": "no_passage"}),
    ("sciogli P", "dissolve P", {"verb": "dissolve", "partner": "P"}),
    ("paga M 30", "pay M 30", {"verb": "pay", "partner": "M", "amount": 30}),
    ("trasferisci 50 V-1 V-2", "transfer 50 V-1 V-2",
     {"verb": "transfer", "amount": 50, "unit": "V-1", "target": "V-2"}),
    ("trasferisci V-1 a V-2", "transfer V-1 to V-2", {"verb": "transfer", "unit": "V-1", "target": "V-2"}),
    ("dividi 60 V-1", "split 60 V-1", {"verb": "split", "amount": 60, "unit": "V-1"}),
    ("assedia V8", "siege V8", {"verb": "siege", "target": "V8"}),
    ("assedia V8 con V-1", "V-1 siege V8", {"verb": "siege", "target": "V8", "unit": "V-1"}),
    ("leva V8", "lift V8", {"verb": "lift", "target": "V8"}),
    ("esci V-1", "come out V-1", {"verb": "come_out", "unit": "V-1"}),
    ("V-1 esci", "come_out V-1", {"verb": "come_out", "unit": "V-1"}),
    ("imbarca V-2 V-F1", "embark V-2 V-F1", {"verb": "embark", "unit": "V-2", "target": "V-F1"}),
    ("salpa V-F1 Z6 Z7", "sail V-F1 Z6 Z7", {"verb": "sail", "unit": "V-F1", "path": "Z6 Z7"}),
    ("salpa V-F1 Z7", "sail V-F1 Z7", {"verb": "sail", "unit": "V-F1", "path": "Z6 Z7"}),
    ("sbarca V-2 S4", "land V-2 S4", {"verb": "land", "unit": "V-2", "target": "S4"}),
    ("uccidi comandante M-1", "assassinate commander M-1",
     {"verb": "assassinate", "option": "commander", "target": "M-1"}),
    ("uccidi V-S1 geniere M-1", "assassinate V-S1 sapper M-1",
     {"verb": "assassinate", "unit": "V-S1", "option": "sapper", "target": "M-1"}),
    ("uccidi geniere F0", "assassinate sapper F0", {"verb": "assassinate", "option": "sapper", "target": "F0"}),
    ("uccidi spia M", "assassinate spy M", {"verb": "assassinate", "option": "spy", "target": "M"}),
    ("obiettivo porti", "objective ports", {"verb": "objective", "option": "ports"}),
    ("obiettivo citta", "objective Cities", {"verb": "objective", "option": "cities"}),
    ("obiettivo alleanze rispettate", "objective allies kept", {"verb": "objective", "option": "allies_kept"}),
    ("obiettivo territorio M", "objective conquer M", {"verb": "objective", "option": "conquer", "partner": "M"}),
    ("V-1 fermo", "V-1 stay", {"verb": "stay", "unit": "V-1"}),
    ("assegna V-S1 V-2", "attach V-S1 V-2", {"verb": "attach", "unit": "V-S1", "target": "V-2"}),
    ("assegna V-S1 V8", "attach V-S1 V8", {"verb": "attach", "unit": "V-S1", "target": "V8"}),
])
def test_verb_words_open_the_other_orders(italian: str, english: str, fields: dict[str, Any]) -> None:
    """Orders in words: every verb word, in Italian and in English, gives the same order."""
    at = {"V-F1": "Z6", "V-1": "V8"}
    assert read(italian, at=at) == fields
    assert read(english, at=at) == fields


@pytest.mark.parametrize("text", [
    "", "V8", "V8 V8", "ciao", "V8 F7 12", "12 13 V8 F7", "prestito", "prestito 12 13", "V8 F7 = 3", "fortifica",
    "assedia", "V-1 V-2 V8 F7", "fermo", "uccidi M-1", "obiettivo", "obiettivo ducatoni", "V-1",
    "paga 30", "dividi V-1",
])
def test_anything_else_is_not_guessed(text: str) -> None:
    """A line with a piece too many, too few or unknown is shown back as it stands."""
    assert understand(text).problem == text
    assert not understand(text).fields


@pytest.mark.parametrize(("text", "amount"), [("prestito -20", -20), ("prestito 12,5", "12,5"), ("prestito 0", 0)])
def test_a_strange_amount_is_kept_for_its_own_finding(text: str, amount: object) -> None:
    """A negative or broken amount is understood as typed, so that the order's check can refuse it (GIG-007)."""
    assert read(text)["amount"] == amount


def test_an_unknown_node_is_still_a_coordinate() -> None:
    """A code that is not on the map stays in the path, so that the check can offer the nearest one."""
    assert read("V8 F77") == {"verb": "move", "path": "V8 F77"}


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("text", [
    "V-1 120 V8 F7", "allea P passo 1502: pace: e basta", "guarnigione V9", "guarnigione V9 da V-1", "spia",
    "uccidi comandante M-1", "salpa V-F1 Z6 Z7", "obiettivo alleanze tradite", "V-1 fermo", "esci V-1", "assedia V8",
    "trasferisci 50 V-1 V-2", "paga M 30", "allea P no_passage", "arruola 30 V0 new",
])
def test_what_is_shown_back_reads_the_same(text: str, lang: str) -> None:
    """The canonical line of an order, in either language, is understood as the same order."""
    order = read(text)
    assert read(show(order, lang)) == order


def test_the_line_shown_back_is_natural() -> None:
    """The line that answers a club reads as a sentence of its language."""
    order = read("V-1 V8 F7")
    assert show(order, "it") == "V-1 muove V8 F7"
    assert show(order, "en") == "V-1 moves V8 F7"
    assert show(read("allea P"), "it") == "allea P"
    assert show({"verb": "vola"}, "it") == "vola"


def test_words_are_known_in_both_languages() -> None:
    """Every verb and option is found by its English and its Italian word, whatever the case and accents."""
    for verb in VERBS.values():
        assert VERBS.code(verb.it.upper()) == VERBS.code(f" {verb.en} ") == verb.en
    options = objective.kinds["option"]
    assert options.read("Città") == options.read("CITTA") == "cities"
    assert ally.kinds["option"].read("geniere") == "geniere"
    assert assassinate.kinds["option"].read("geniere") == "sapper"
    assert assassinate.kinds["option"].read("geometra") == "geometra"
    assert VERBS.code("vola") == ""
