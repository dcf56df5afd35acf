"""The list of reports: in one language, whatever languages the reports are in."""

from __future__ import annotations

import pytest

from assistant.reporting.render import ReportEntry, build_index
from assistant.turn.rulebooks import load
from assistant.wording import Wording

GIGLIO = load("giglio")
TOLD = {"en": "This report tells of 1500, April: marches.", "it": "Periodo: anno 1500, aprile: marce."}


def entry(stem: str, lang: str, turn: str = "1500", phase: str = "r1.move") -> ReportEntry:
    """A report as its JSON file describes it."""
    moment = GIGLIO.when(turn, phase, lang)
    return ReportEntry("", stem, {"html": 2000}, "faction", stem, stem, lang, "#802020", "Italy", turn, phase, moment,
                       TOLD[lang])


@pytest.mark.parametrize("lang", ["en", "it"])
def test_an_index_says_the_moment_in_its_own_language(lang: str) -> None:
    """Also where most reports, or all of them, are in the other one; what those cover stands in their own words."""
    other = "it" if lang == "en" else "en"
    words = Wording(GIGLIO, lang)
    most = build_index(GIGLIO, [entry("V", other), entry("M", other), entry("P", lang)], words).shelves[0]
    foreign = build_index(GIGLIO, [entry("V", other)], words).shelves[0]

    assert most.title == foreign.title
    assert GIGLIO.when("1500", "r1.move", lang) in most.title
    assert (most.covers, foreign.covers) == (TOLD[lang], "")
    assert {row.name.text: (row.covers, row.told_in) for row in (*most.rows, *foreign.rows)} == {
        "V": (TOLD[other], other), "M": (TOLD[other], other), "P": ("", lang)}
