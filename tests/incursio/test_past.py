"""The demo through the commands: what verify says of it, undo and correct from its middle; its secrets day by day."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.testing import kit
from tests.incursio.scenario import PLACE, SECRET, days, esdef, values


@pytest.mark.slow
def test_the_demo_can_be_verified_undone_and_corrected(tmp_path: Path) -> None:
    """verify is clean; from the middle on the same comes out again; a corrected die tells what differs."""
    book = tmp_path / "esdef.xlsx"
    assert desk.new(desk.Plan("incursio", folder=PLACE, secret=SECRET.hex()), book).exit == desk.Exit.DONE
    assert desk.resolve(book, until="5.arrivals", lang="en").exit == desk.Exit.DONE
    verified = desk.verify(book, lang="en")
    assert (verified.exit, [one.code for one in verified.findings if one.stops]) == (desk.Exit.DONE, [])
    desk.export(book, tmp_path / "before")
    assert desk.undo(book, to="3.upkeep", lang="en").exit == desk.Exit.DONE
    again = desk.resolve(book, until="5.arrivals", lang="en")
    assert again.exit == desk.Exit.DONE, again.finding_lines()
    desk.export(book, tmp_path / "after")
    for name in ("armies", "nodes", "observations", "battles", "factions", "missions", "portals", "works", "orders"):
        before, after = (tmp_path / place / f"{name}.csv" for place in ("before", "after"))
        old, new = (sorted(file.read_text(encoding="utf-8").splitlines()) for file in (before, after))
        assert old == new, name
    shown = desk.correct(book, desk.Wish((desk.Source("x", text="die muster/2/9/1 1"),)), desk.How(), lang="en")
    assert shown.exit == desk.Exit.DONE, shown.finding_lines()
    assert {d["sheet"] for d in shown.data["differences"]} >= {"Battles", "Events"}


@pytest.mark.slow
def test_no_day_of_the_demo_tells_a_secret() -> None:
    """What a side may not know changes no byte of its report, on each of the five days."""
    before = esdef()
    for _, campaign, _ in days(esdef()):
        kit.fog(INCURSIO, campaign, before)
        before = campaign
    assert values(before)
