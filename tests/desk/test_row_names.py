"""Rows of the past are called as a person calls them, where something is corrected: no keys, names for codes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.past.amendments import distinct_names
from assistant.desk.results import Form

SAMPLES = Path(__file__).parents[1] / "samples"
KEY = re.compile(r"\d{4}[.-]r?\w+[.-]\w+|·")
PHASES = {"en": ("1500, October II: marches", "1500, October II: sieges"),
          "it": ("1500, ottobre II: spostamenti", "1500, ottobre II: assedi")}
SHOWN = {"en": "Milan, order: move, Unit M-1, Path Pavia (M1) → Milano (M0)",
         "it": "Milano, ordine: muovi, Unità M-1, Percorso Pavia (M1) → Milano (M0)"}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_window_offers_rows_by_whose_they_are_and_what_they_say(tmp_path: Path, lang: str) -> None:
    """Orders, answers and dice of phases of a year; no two rows of a phase are called the same."""
    book = tmp_path / "giglio.xlsx"
    for file in ("giglio.xlsx", "giglio.arbitro"):
        shutil.copyfile(SAMPLES / "giglio-year" / file, tmp_path / file)
    shown: list[str] = []
    for phase in PHASES[lang]:
        forms: list[Form] = []

        def fill_in(form: Form, phase: str = phase, forms: list[Form] = forms) -> Mapping[str, str] | None:
            forms.append(form)
            return {"phase": phase} if len(forms) == 1 else None

        assert desk.correct_by_form(book, fill_in, lang=lang).exit == 1
        offered = forms[1].fields[0].options
        assert len(set(offered)) == len(offered)
        shown += offered

    assert SHOWN[lang] in shown
    assert [text for text in shown if KEY.search(text)] == []


def test_rows_of_one_name_are_told_apart_by_their_keys() -> None:
    """Only these."""
    assert distinct_names(["loan", "loan", "bid"], ["1", "2", "3"]) == ("loan (1)", "loan (2)", "bid")
