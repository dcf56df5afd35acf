"""What the code makes of eight campaigns is what it made of them before, byte by byte."""

from __future__ import annotations

import pytest

from tests.golden.campaigns import CAMPAIGNS
from tests.golden.record import DIGESTS, differences

SCRIPTED = [name for name in CAMPAIGNS if "-robots-" not in name]
SPARSE = 12
SHOWN = 20


def said(name: str, found: list[str]) -> str:
    """What a failure says: how many artefacts differ, the first of them."""
    return f"{len(found)} artefacts of {name} differ, first {found[:SHOWN]}"


def test_every_campaign_is_kept_and_no_other() -> None:
    """A file of fingerprints for each of them."""
    assert {one.stem for one in DIGESTS.iterdir()} == set(CAMPAIGNS)


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_scenario_is_played_as_it_was(name: str) -> None:
    """Tables and findings of every phase, the reports after some of them."""
    found = differences(name, SPARSE)
    assert not found, said(name, found)


@pytest.mark.slow
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_is_played_and_told_as_it_was(name: str) -> None:
    """Tables, reports and findings of every phase; `python -m tests.golden.record --full` writes them out."""
    found = differences(name)
    assert not found, said(name, found)
