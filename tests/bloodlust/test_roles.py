"""A nation between its club and the rules: who plays it is the referee's, between phases, told to all and undone."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Event
from assistant.desk import Exit
from assistant.testing.cases import campaign_of
from tests.bloodlust.scenario import BLOODLUST, codes, ground, play, row
from tests.hand import cell_of


def test_the_rules_take_over_and_give_back() -> None:
    """Between phases: what its club had ordered is refused (BLD-016), the rules hire; given back it is asked again."""
    spring = play(ground("987Sp", "call")).campaign
    taken = spring.copy()
    setattr(taken.by_sheet("Factions")["DER"], "role", "npc")  # noqa: B010
    outcome = play(taken, ["DER: recruit 2"])
    assert codes(outcome, "o1") == ["BLD-016"]
    assert row(outcome, "Factions", "DER").rolls == 0
    back = outcome.campaign
    back.by_sheet("Orders").remove("o1")
    setattr(back.by_sheet("Factions")["DER"], "role", "player")  # noqa: B010
    assert codes(play(back, ["DER: dismiss u1"]), "o1") == []


@pytest.mark.slow
def test_a_change_of_role_is_an_event_that_undo_takes_back(tmp_path: Path) -> None:
    """The referee keeps the change with a reason, all read it; undone it is to be decided again."""
    book = tmp_path / "tanaephis.xlsx"
    assert desk.new_campaign(desk.NewPlan("bloodlust", language="en"), book).exit == Exit.DONE
    assert desk.resolve(book).exit == Exit.DONE
    opened = openpyxl.load_workbook(book)
    cell_of(opened["Factions"], "DER", "Role").value = "npc"
    opened.save(book)
    assert desk.resolve(book).exit == Exit.REFUSED
    assert desk.accept(book, [], everything=True, why="The club has left").exit == Exit.DONE
    last = max(campaign_of(book).table(Event), key=lambda one: one.no)
    assert (last.audience, "npc" in str(last.data)) == ("all", True)
    assert desk.undo(book).exit == Exit.DONE
    assert desk.resolve(book).exit == Exit.REFUSED


@pytest.mark.parametrize(("temper", "at_war", "rows"), [
    ("plain", False, ["delegate "]), ("careful", False, []), ("careful", True, ["peace SEK"]), ("bold", True, [])])
def test_a_temper_shows_in_war_and_peace(temper: str, at_war: bool, rows: list[str]) -> None:
    """The careful offers peace to whom it fights, the bold to nobody; the plain leaves all to the rules."""
    wars = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}} if at_war else {}
    view = BLOODLUST.view(ground("987Su", "war", Wars=wars), "VOR")
    given = BLOODLUST.orders_by_temper(view, "VOR", temper)
    assert [f"{one.verb} {getattr(one, 'target', '')}" for one in given] == rows


def test_the_bold_names_the_weakest_neighbour_first() -> None:
    """All that it may attack, by the units that all may count."""
    view = BLOODLUST.view(ground("987Su", "war"), "VOR")
    targets = [str(getattr(one, "target", "")) for one in BLOODLUST.orders_by_temper(view, "VOR", "bold")]
    units = {code: sum(army.units for army in view.by_sheet("Armies") if army.faction == code) for code in targets}
    assert len(targets) > 1
    assert targets == sorted(targets, key=lambda code: units[code])
