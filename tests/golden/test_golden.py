"""What the commands make of two campaigns of every rulebook is what they made of them before, byte by byte."""

from __future__ import annotations

import pytest

from tests.golden.campaigns import CAMPAIGNS, TEMPLATES
from tests.golden.record import DIGESTS, differences

FIRST_STEPS = 3
SHOWN = 20


def said(name: str, found: list[str]) -> str:
    """What a failure says: how many artefacts differ, the first of them."""
    return f"{len(found)} artefacts of {name} differ, first {found[:SHOWN]}"


def test_every_campaign_is_kept_and_no_other() -> None:
    """Two of every rulebook, and a file of fingerprints for each of them."""
    assert {path.stem for path in DIGESTS.iterdir()} == set(CAMPAIGNS)
    assert set(CAMPAIGNS) == {f"{path.name}-{kind}" for path in TEMPLATES.iterdir() for kind in ("scripted", "robots")}


@pytest.mark.parametrize("name", ["incursio-scripted", "warriors-scripted"])
def test_a_scenario_begins_as_it_did(name: str) -> None:
    """Its workbook, and all that is said and written in its first phases; all others are played below."""
    found = differences(name, FIRST_STEPS)
    assert not found, said(name, found)


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_is_played_and_told_as_it_was(name: str) -> None:
    """To its end, with all that clubs are told; `python -m tests.golden.record --full` writes it out."""
    found = differences(name)
    assert not found, said(name, found)
