"""What random evenings brought to light, each case by itself; and random evenings, most of them in the slow part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk import Exit
from assistant.desk.inputs import carry_typed
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing.cases import campaign_of
from assistant.turn.messages import CORRECTED
from tests import hand
from tests.desk import evenings, test_correct
from tests.desk.conftest import copied
from tests.desk.test_correct import commit
from tests.desk.test_verify import put, verify
from tests.playing import take_lines

campaign, played = test_correct.campaign, test_correct.played
SPOILS = "spoils:B1.M1"


def saved_elsewhere(book: Path) -> None:
    """Another program opens the workbook and saves it."""
    openpyxl.load_workbook(book).save(book)


def type_rule(book: Path, key: str, value: Any) -> None:
    """Type a number or a switch of the rulebook."""
    file = hand.opened(book)
    cells = {str(c.value).strip(): c for row in file["Rules"].iter_rows() for c in row if c.value is not None}
    file["Rules"].cell(cells[key].row, cells["Value"].column).value = value
    file.save(book)


@pytest.fixture(scope="module")
def after_a_fight(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """A turn with a battle of the table and a die of the table, to copy from."""
    book = copied(fresh, tmp_path_factory.mktemp("fought"))
    take_lines(book, "A: M1", "B: M1", f"die {SPOILS} 6")
    desk.resolve(book, until="clash", defaults=True)
    take_lines(book, "battle B1.M1 A 3")
    assert desk.resolve(book, until="1.fight").exit == Exit.DONE
    return book.parent


@pytest.fixture
def fought(after_a_fight: Path, tmp_path: Path) -> Path:
    """That turn, to go on from."""
    return copied(after_a_fight, tmp_path)


def test_a_die_of_the_table_is_nobodys_fault_when_several_phases_are_undone(fought: Path) -> None:
    """It stands there as it was typed, before the phase that throws it, and counts again."""
    gold = campaign_of(fought).by_sheet("Factions")["A"].gold

    assert desk.undo(fought, to="1.clash").data["kept"] > 0

    assert verify(fought).finding_lines() == []
    assert campaign_of(fought).by_sheet("Dice")[SPOILS].audience == ""
    desk.resolve(fought, until="1.fight", defaults=True)
    assert campaign_of(fought).by_sheet("Factions")["A"].gold == gold


def test_a_corrected_die_is_nobodys_fault_when_its_phase_is_undone(fought: Path) -> None:
    """The die that the correction put right is typed, as if it had been typed in time."""
    commit(fought, f"die {SPOILS} 2")

    assert desk.undo(fought, to="1.march").exit == Exit.DONE

    assert verify(fought).finding_lines() == []
    assert campaign_of(fought).by_sheet("Dice")[SPOILS].value == "2"


def test_a_ruling_may_not_be_typed_back(fought: Path) -> None:
    """The old value of a cell whose change was accepted is a change by hand like any other."""
    put(fought, "Nodes", "Middle", "Muddle")
    assert desk.accept(fought, [], why="so the map says", everything=True).exit == Exit.DONE
    put(fought, "Nodes", "Muddle", "Middle")

    assert [f.code for f in desk.check(fought).findings] == ["ARB-110"]
    assert verify(fought).exit == Exit.REFUSED
    assert verify(fought).data["first"]["row"] == "M1"


@pytest.mark.slow
def test_a_ruling_that_was_undone_is_to_be_made_again(fought: Path) -> None:
    """The number stays on the sheet, its reason does not: both commands name it, and redo brings the reason back."""
    type_rule(fought, "weather", "wet")
    desk.accept(fought, [], why="it rained", everything=True)
    desk.resolve(fought)

    assert desk.undo(fought, steps=2).exit == Exit.DONE

    assert "ARB-110" in {f.code for f in desk.check(fought).findings}
    assert verify(fought).exit == Exit.REFUSED
    assert desk.redo(fought).exit == Exit.DONE
    assert (verify(fought).finding_lines(), desk.check(fought).data["by_hand"]) == ([], [])


def test_a_ruling_about_the_rules_that_is_carried_stays_decided(fought: Path) -> None:
    """Where more is undone than the ruling it goes with its number, and nobody is asked again."""
    type_rule(fought, "weather", "wet")
    desk.accept(fought, [], why="it rained", everything=True)

    assert desk.undo(fought, to="1.fight").exit == Exit.DONE

    assert campaign_of(fought).by_sheet("Rules")["weather"].value == "wet"
    assert (verify(fought).finding_lines(), desk.check(fought).data["by_hand"]) == ([], [])


def test_redo_brings_the_very_bytes_back_after_an_undo_that_kept_nothing(fought: Path) -> None:
    """What the undo did not keep is no news: the settled battle keeps its result, the rows their order."""
    before = fought.read_bytes()
    assert desk.undo(fought, to="1.clash", hard=True).exit == Exit.DONE

    again = desk.redo(fought)

    assert (again.exit, again.data["kept"], fought.read_bytes() == before) == (Exit.DONE, 0, True)


def test_redo_keeps_what_was_typed_since_the_undo(fought: Path) -> None:
    """What a phase has counted stays; what comes too late for it is said; what is still to come is kept."""
    desk.undo(fought, to="1.fight", hard=True)
    take_lines(fought, "battle B1.M1 B 1")
    type_rule(fought, "weather", "wet")

    again = desk.redo(fought, lang="en")

    assert campaign_of(fought).by_sheet("Battles")["B1.M1"].winner == "A"
    assert campaign_of(fought).by_sheet("Rules")["weather"].value == "wet"
    assert again.lines[1:] == [
        "Kept 1 row typed since.",
        "Left out 1 row typed since: a phase that is over again has counted another."]


@pytest.mark.slow
def test_an_order_that_was_taken_out_does_not_come_back(fought: Path) -> None:
    """Undo keeps that, too: a club has thought better of it."""
    take_lines(fought, "A: A1")
    desk.resolve(fought)
    desk.undo(fought)
    [order] = [key for key, row in campaign_of(fought).by_sheet("Orders").items() if row.turn == "2"]
    evenings.Evening("tiny", "", fought).put("Orders", order, "", None)
    desk.undo(fought, to="1.fight")

    assert order not in campaign_of(fought).by_sheet("Orders")
    assert verify(fought).finding_lines() == []


def test_a_redo_that_is_refused_names_its_own_way_out(fought: Path) -> None:
    """Where the workbook cannot be read what was typed cannot be kept, and `redo --hard` is the cure."""
    before = fought.read_bytes()
    desk.undo(fought)
    fought.write_bytes(b"no workbook any more")

    refused = desk.redo(fought, lang="en")

    assert refused.finding_lines()[-1].endswith("arbitro redo war.xlsx --hard")
    assert desk.redo(fought, hard=True).exit == Exit.DONE
    assert fought.read_bytes() == before
    assert verify(fought).finding_lines() == []


def test_a_correction_holds_where_its_phases_are_undone_hard(fought: Path) -> None:
    """No file stood there between them: the events that tell of the correction go back with it."""
    commit(fought, "answer 1.clash.stance.A.M1 flee", how=desk.CorrectionOptions("misheard", partly=True))

    assert desk.undo(fought, to="1.clash", hard=True).exit == Exit.DONE

    assert verify(fought).finding_lines() == []
    assert CORRECTED in {e.event for e in campaign_of(fought).by_sheet("Events")}


def test_the_result_of_a_battle_that_no_table_fought_is_not_typed() -> None:
    """The assistant writes it into the form's columns itself: an undo leaves it behind."""
    after, before = Campaign(GIGLIO.records), Campaign(GIGLIO.records)
    battles = after.by_sheet("Battles")
    for name, status in (("B1500.1.M7", "auto"), ("B1500.1.M8", "open")):
        battles.add(battles.record(battle=name, turn="1500", winner="a", losses_a=5, status=status))

    assert carry_typed(after, before, {}) == 1
    assert before.by_sheet("Battles").keys() == ["B1500.1.M8"]


@pytest.mark.slow
def test_a_die_without_its_day_is_read_after_any_save(tmp_path: Path) -> None:
    """In The Anarchy day and phase are part of a die's key; typed as a line it waits for the next throw."""
    book = tmp_path / "m.xlsx"
    desk.new_campaign(desk.NewPlan("anarchy", language="en", secret=evenings.SECRET), book)
    take_lines(book, "die activation/M-WE1 31")
    saved_elsewhere(book)
    assert desk.check(book).finding_lines() == []

    desk.resolve(book)
    desk.undo(book)

    assert desk.check(book).finding_lines() == []
    assert verify(book).finding_lines() == []


# --- evenings ---------------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Where evenings begin, by rulebook; made when they are asked for."""
    return {}


def spent(ruleset: str, seed: int, worlds: dict[str, tuple[Path, Path]], place: Path, **more: Any) -> None:
    """Play an evening; one with something wrong is told in as few commands as show it."""
    if ruleset not in worlds:
        worlds[ruleset] = evenings.world(ruleset, place)
    try:
        evenings.evening(ruleset, seed, worlds[ruleset], **more)
    except evenings.Wrong:
        pytest.fail(str(evenings.shortest(ruleset, seed, worlds[ruleset], **more)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_an_evening(seed: int, worlds: dict[str, tuple[Path, Path]], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever an honest referee does, nobody is accused; and whoever cheats is named."""
    spent("tiny", seed, worlds, tmp_path_factory.mktemp("world"), acts=5)


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "seed"), [*(("tiny", n) for n in range(100, 119)),
                                               *(("giglio", n) for n in range(100, 106)),
                                               *(("anarchy", n) for n in range(100, 106))])
def test_many_evenings(ruleset: str, seed: int, worlds: dict[str, tuple[Path, Path]],
                       tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same in all rulebooks."""
    spent(ruleset, seed, worlds, tmp_path_factory.mktemp("world"), acts=10 if ruleset == "tiny" else 6)
