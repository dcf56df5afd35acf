"""Correcting the past: what would differ is shown first, the later phases keep their dice and orders."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk import CorrectionOptions, CorrectionRequest, Exit, Input
from assistant.desk.past.amendments import AmendmentFinder
from assistant.desk.past.phase_chain import PhaseChain
from assistant.desk.past.replay import Replay
from assistant.desk.play_phase import ResolveOptions
from assistant.desk.results import Result
from assistant.desk.workspace.workspace import open_workspace
from assistant.desk.workspace.writer import open_for_writing
from assistant.ledger import CORRECT, Ledger, PlannedStep, path_of_ledger, sha256
from assistant.testing.cases import campaign_of
from tests import hand
from tests.desk.conftest import copied
from tests.desk.ledgers import crashed
from tests.desk.test_resolving import everything
from tests.desk.test_upgrades import SAMPLES
from tests.playing import take_lines
from tests.rulesets.test_sharing import export, spoil

WHY = "the mail was misread"


def yes(result: Result) -> bool:
    """Write it."""
    return True


def wish(*lines: str, **rest: Any) -> CorrectionRequest:
    """A wish of plain lines."""
    return CorrectionRequest(tuple(Input(line, text=line) for line in lines), **rest)


def show(book: Path, *lines: str, how: CorrectionOptions | None = None, **rest: Any) -> Result:
    """What would differ; nothing is written."""
    return desk.correct(book, wish(*lines, **rest), how or CorrectionOptions(), lang="en")


def commit(book: Path, *lines: str, how: CorrectionOptions | None = None, **rest: Any) -> Result:
    """Correct, and write it."""
    return desk.correct(book, wish(*lines, **rest), how or CorrectionOptions(WHY), confirm=yes, lang="en")


def gold(book: Path) -> dict[str, int]:
    """Who has how much."""
    return {side.faction: side.gold for side in campaign_of(book).by_sheet("Factions")}


def events(campaign: Campaign, kind: str) -> list[dict[str, Any]]:
    """The data of all events of a type."""
    return [e.data for e in campaign.by_sheet("Events") if e.event == kind]


def seen(result: Result, sheet: str) -> set[tuple[str, str]]:
    """Row and field of all differences on a sheet."""
    return {(d["row"], d["field"]) for d in result.data["differences"] if d["sheet"] == sheet}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """Two turns, each with a battle at M1: A won the first, B the second. A's order for turn 3 is there."""
    book = copied(fresh, tmp_path_factory.mktemp("played"))
    take_lines(book, "A: M1", "B: M1")
    assert desk.resolve(book, until="clash", defaults=True).exit == Exit.DONE
    take_lines(book, "battle B1.M1 A 3")
    assert desk.resolve(book).exit == Exit.DONE
    desk.resolve(book, until="2.clash", defaults=True)
    take_lines(book, "battle B2.M1 B 1")
    assert desk.resolve(book).exit == Exit.DONE
    take_lines(book, "A: A1")
    return book.parent


@pytest.fixture
def played(campaign: Path, tmp_path: Path) -> Path:
    """The two turns, to correct."""
    return copied(campaign, tmp_path)


# --- showing --------------------------------------------------------------------------------------
def test_only_what_differs_is_listed_and_nothing_is_written(played: Path) -> None:
    """The winner's gold changes sides; the file and the ledger stay as they were."""
    before = everything(played)

    result = show(played, "battle B1.M1 B 3")

    assert result.exit == Exit.DONE, result.finding_lines()
    spoils = int(campaign_of(played).by_sheet("Dice")["spoils:B1.M1"].value)
    assert [(d["sheet"], d["row"], d["field"], d["new"] - d["old"]) for d in result.data["differences"]
            if d["sheet"] == "Factions"] == [("Factions", "A", "gold", -spoils), ("Factions", "B", "gold", spoils)]
    assert {d["sheet"] for d in result.data["differences"]} == {"Factions", "Events"}
    assert result.data["committed"] is False
    assert result.data["from"] == {"turn": "1", "phase": "fight"}
    assert everything(played) == before


def test_each_difference_says_which_event_and_rule_cause_it(played: Path) -> None:
    """B's gold is there because B wins; A's is gone because A does not win any more."""
    result = show(played, "battle B1.M1 B 3")

    causes = {d["row"]: (d["event"], d["happens"], d["rule"])
              for d in result.data["differences"] if d["sheet"] == "Factions"}
    assert causes == {"A": ("won", False, "3"), "B": ("won", True, "3")}
    assert any(line.startswith("  Factions Brook: Gold ") and "Brook wins and takes" in line and line.endswith("[3])")
               for line in result.lines)


def test_what_the_workbook_says_already_is_no_correction(played: Path) -> None:
    """The same result once more: nothing would be different."""
    result = show(played, "battle B1.M1 A 3")

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-125"]


def test_an_order_takes_anothers_place(played: Path) -> None:
    """Had A not marched there would be no battle; the typed results are of battles that were not fought."""
    result = show(played, "A: A1", order="1-march-A-1")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert result.data["from"] == {"turn": "1", "phase": "march"}
    assert {("A", "gold"), ("B", "gold")} <= seen(result, "Factions")
    assert seen(result, "Orders") == {("1-march-A-1", "status")}
    assert seen(result, "Armies") == {("A-1", "node")}
    assert {("B1.M1", "status"), ("B2.M1", "status")} <= seen(result, "Battles")


def test_void_are_the_reports_of_those_who_would_read_something_else(played: Path) -> None:
    """In turn 1 the fight is told to all; from then on A's and B's gold is another, which each sees of its own."""
    result = show(played, "battle B1.M1 B 3")

    void = {one["faction"]: [f"{m['turn']}.{m['phase']}" for m in one["reports"]] for one in result.data["void"]}
    later = ["1.fight", "2.march", "2.clash", "2.fight"]
    assert void == {"": ["1.fight"], "A": later, "B": later}


# --- writing --------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_commit_writes_what_was_shown_and_one_undo_brings_the_very_bytes_back(played: Path) -> None:
    """One step of the history, taken back as one."""
    before, was = played.read_bytes(), gold(played)
    shown = show(played, "battle B1.M1 B 3")

    result = commit(played, "battle B1.M1 B 3")

    assert (result.exit, result.data["committed"]) == (Exit.DONE, True), result.finding_lines()
    assert result.data["differences"] == shown.data["differences"]
    assert {d["row"]: d["new"] for d in shown.data["differences"] if d["sheet"] == "Factions"} == gold(played) != was
    assert desk.undo(played).exit == Exit.DONE
    assert played.read_bytes() == before
    assert desk.redo(played).exit == Exit.DONE
    assert gold(played) != was


@pytest.mark.slow
def test_the_superseded_row_stays_on_its_sheet_and_names_the_one_that_counts(played: Path) -> None:
    """``B1.M1~1`` holds what stood there; the phases do not see it."""
    commit(played, "battle B1.M1 B 2")

    battles = campaign_of(played).by_sheet("Battles")
    assert (battles["B1.M1"].winner, battles["B1.M1"].losses) == ("B", 2)
    assert (battles["B1.M1~1"].winner, battles["B1.M1~1"].losses) == ("A", 3)
    commit(played, "battle B1.M1 A 1")
    assert campaign_of(played).by_sheet("Battles")["B1.M1~2"].winner == "B"


def test_a_superseded_order_is_visible_and_not_carried_out(played: Path) -> None:
    """The old line stands beside the new one with its status; only the new one moves the army."""
    result = commit(played, "A: B1", order="1-march-A-1")

    orders = campaign_of(played).by_sheet("Orders")
    assert result.data["committed"], result.finding_lines()
    assert [(o.order, o.text, o.status) for o in orders if o.order.startswith("1-march-A")] == [
        ("1-march-A-1", "B1", "refused"), ("1-march-A-1~1", "M1", "superseded")]
    assert campaign_of(played).by_sheet("Armies")["A-1"].node == "A1"


def test_the_events_say_what_was_corrected_why_and_whose_reports_are_void(played: Path) -> None:
    """Told where the campaign stands now, so that the next reports say so; each reads of its own reports."""
    commit(played, "A: B1", order="1-march-A-1")

    campaign = campaign_of(played)
    [ruling] = events(campaign, "ruling.corrected")
    assert (ruling["sheet"], ruling["row"], ruling["old"], ruling["new"], ruling["why"]) == (
        "Orders", "1-march-A-1", "M1", "B1", WHY)
    [row] = [e for e in campaign.by_sheet("Events") if e.event == "ruling.corrected"]
    assert (row.audience, row.turn, row.phase) == ("A", "3", "march")
    assert {e.audience for e in campaign.by_sheet("Events") if e.event == "reports.void"} == {"all", "A", "B"}


@pytest.mark.slow
def test_new_reports_say_that_the_old_ones_are_void(played: Path, tmp_path: Path) -> None:
    """The next report tells of the correction and of the reports that are void, and not of the superseded row."""
    commit(played, "A: B1", order="1-march-A-1")
    take_lines(played, "B: B1")
    desk.resolve(played)

    desk.report(played, tmp_path / "out", lang="en")

    told = {code: " ".join((tmp_path / "out" / f"{code}.txt").read_text(encoding="utf-8").split()) for code in "AB"}
    assert f"Corrected in 1, March: Orders 1-march-A-1: Brook (B1) instead of Middle (M1). Reason: {WHY}" in told["A"]
    assert "The reports from 1, March, to 2, Fight, are void" in told["A"]
    assert "The reports from 1, March, to 2, Fight, are void" in told["B"]
    assert "1-march-A-1~1" not in told["A"]


def test_orders_of_phases_to_come_stay_as_they_were_typed(played: Path) -> None:
    """A's order for turn 3 is there, unjudged, and is carried out by the next phase."""
    commit(played, "battle B1.M1 B 3")

    assert campaign_of(played).by_sheet("Orders")["3-march-A-1"].status == ""
    desk.resolve(played)
    assert campaign_of(played).by_sheet("Armies")["A-1"].node == "A1"


@pytest.mark.slow
def test_what_was_typed_after_a_correction_survives_its_undo(played: Path) -> None:
    """The order that came in since is kept, the correction itself is not."""
    commit(played, "battle B1.M1 B 3")
    take_lines(played, "B: B1")

    result = desk.undo(played)

    campaign = campaign_of(played)
    assert (result.exit, result.data["kept"]) == (Exit.DONE, 1)
    assert campaign.by_sheet("Battles")["B1.M1"].winner == "A"
    assert "3-march-B-1" in campaign.by_sheet("Orders")
    assert events(campaign, "ruling.corrected") == []


def test_going_back_to_a_phase_keeps_the_correction(played: Path) -> None:
    """Undo before a phase that was replayed: the corrected past stands, and is still told of."""
    commit(played, "battle B1.M1 B 3")

    assert desk.undo(played, to="2.fight").exit == Exit.DONE

    campaign = campaign_of(played)
    assert campaign.by_sheet("Battles")["B1.M1"].winner == "B"
    assert len(events(campaign, "ruling.corrected")) == 1


def test_undo_counts_a_correction_as_one_step(played: Path) -> None:
    """Two steps back: the correction, and the phase before it as it was."""
    commit(played, "battle B1.M1 B 3")

    assert desk.undo(played, steps=2).exit == Exit.DONE

    campaign = campaign_of(played)
    assert (campaign.desk.turn, campaign.desk.phase) == ("2", "fight")
    assert campaign.by_sheet("Battles")["B1.M1"].winner == "A"


# --- orders: added, withdrawn ---------------------------------------------------------------------
def test_a_forgotten_order_is_added(played: Path) -> None:
    """B had sent an order for turn 2; it gets the next number and its status."""
    result = commit(played, "B: B1", at="2.march")

    assert result.data["committed"], result.finding_lines()
    assert result.data["corrections"][0]["how"] == "added"
    campaign = campaign_of(played)
    assert campaign.by_sheet("Orders")["2-march-B-1"].status == "accepted"
    assert campaign.by_sheet("Armies")["B-1"].node == "B1"


def test_an_order_that_was_never_given_is_withdrawn(played: Path) -> None:
    """Its row stays with that status under its number; the army did not move."""
    result = commit(played, withdraw=("1-march-A-1",))

    assert result.data["committed"], result.finding_lines()
    orders = campaign_of(played).by_sheet("Orders")
    assert "1-march-A-1" not in orders
    assert orders["1-march-A-1~1"].status == "withdrawn"
    assert campaign_of(played).by_sheet("Armies")["A-1"].node == "A1"


def test_orders_come_from_a_csv_too(played: Path, tmp_path: Path) -> None:
    """Rows that say what stands there already are left alone; the one that differs is the correction."""
    with (tmp_path / "orders.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["order", "turn", "phase", "faction", "seq", "verb", "target", "text"],
                                    ["1-march-A-1", "1", "march", "A", "1", "", "", "M1"],
                                    ["1-march-B-1", "1", "march", "B", "1", "go", "A1", ""]])

    result = desk.correct(
        played, CorrectionRequest((Input("orders.csv", path=tmp_path / "orders.csv"),)), CorrectionOptions(), lang="en"
    )

    assert [(c["how"], c["row"]) for c in result.data["corrections"]] == [("changed", "1-march-B-1")]
    assert seen(result, "Orders") == {("1-march-B-1", "status")}


def test_a_filled_workbook_is_a_source(played: Path, tmp_path: Path) -> None:
    """Somebody's copy of the workbook, in which a result of the past is put right."""
    copy = tmp_path / "copy" / "theirs.xlsx"
    copy.parent.mkdir()
    book = hand.opened(played)
    sheet = book["Battles"]
    cells = {str(c.value): c for row in sheet.iter_rows() for c in row if c.value is not None}
    cells["A"].value = "B"
    book.save(copy)

    result = desk.correct(played, CorrectionRequest((Input("theirs.xlsx", path=copy),)), CorrectionOptions(), lang="en")

    assert [(c["sheet"], c["row"], c["old"], c["new"]) for c in result.data["corrections"]] == [
        ("Battles", "B1.M1", "A", "B")], result.finding_lines()


# --- answers and dice -----------------------------------------------------------------------------
def test_an_answer_of_an_earlier_phase_is_corrected(played: Path) -> None:
    """A had written that it flees: there is no battle in turn 1, and the superseded answer stays."""
    result = commit(played, "A: stance M1 flee", at="1.clash")

    assert result.data["committed"], result.finding_lines()
    questions = campaign_of(played).by_sheet("Questions")
    assert questions["1.clash.stance.A.M1"].answer == "flee"
    assert (questions["1.clash.stance.A.M1~1"].answer, questions["1.clash.stance.A.M1~1"].status) == (
        "stand", "superseded")
    assert campaign_of(played).by_sheet("Battles")["B1.M1"].status == ""


def test_a_question_goes_by_its_number_too(played: Path) -> None:
    """``answer QUESTION TEXT`` needs no phase."""
    result = show(played, "choice 2.clash.stance.B.M1 flee")

    assert result.data["from"] == {"turn": "2", "phase": "clash"}


@pytest.mark.slow
def test_a_die_of_the_table_is_typed_for_a_past_phase_and_untyped_again(played: Path) -> None:
    """The assistant's throw stands beside it; without the typed die the assistant throws what it threw."""
    dice = campaign_of(played).by_sheet("Dice")
    thrown, was = dice["spoils:B1.M1"].value, gold(played)["A"]
    other = "1" if thrown != "1" else "2"

    result = commit(played, f"die spoils:B1.M1 {other}")
    assert result.data["committed"], result.finding_lines()
    dice = campaign_of(played).by_sheet("Dice")
    assert (dice["spoils:B1.M1"].value, dice["spoils:B1.M1"].source) == (other, "table")
    assert (dice["spoils:B1.M1~1"].value, dice["spoils:B1.M1~1"].source) == (thrown, "superseded")
    assert gold(played)["A"] == was + int(other) - int(thrown)

    result = commit(played, untype=("spoils:B1.M1",))
    assert result.data["committed"], result.finding_lines()
    dice = campaign_of(played).by_sheet("Dice")
    assert (dice["spoils:B1.M1"].value, dice["spoils:B1.M1"].source) == (thrown, "assistant")
    assert gold(played)["A"] == was


def test_other_dice_stay_as_they_were(played: Path) -> None:
    """Typed dice survive, and what the assistant threw does not move."""
    take_lines(played, "B: M1", "die spoils:B3.M1 4")
    before = {d.key: d.value for d in campaign_of(played).by_sheet("Dice")}

    commit(played, "A: stance M1 flee", at="1.clash")

    after = {d.key: d.value for d in campaign_of(played).by_sheet("Dice")}
    assert {key: before[key] for key in after} == after
    assert after["spoils:B3.M1"] == "4"


# --- while the present phase waits ----------------------------------------------------------------
@pytest.mark.slow
def test_a_phase_that_waits_goes_on_waiting_with_the_answers_that_came(book: Path) -> None:
    """The clash of turn 2 has asked both, and A has answered: after a correction of turn 1 it is still so."""
    take_lines(book, "A: M1", "B: M1")
    desk.resolve(book, until="clash", defaults=True)
    take_lines(book, "battle B1.M1 A 3")
    desk.resolve(book, until="2.march")
    assert desk.resolve(book).exit == Exit.WAITING
    take_lines(book, "A: stance M1 flee")

    result = commit(book, "battle B1.M1 B 3")

    assert (result.exit, result.data["committed"]) == (Exit.DONE, True), result.finding_lines()
    assert seen(result, "Questions") == set()
    questions = campaign_of(book).by_sheet("Questions")
    assert [(q.to, q.answer, q.status) for q in questions if q.turn == "2"] == [
        ("A", "flee", "open"), ("B", "", "open")]
    assert desk.verify(book, lang="en").finding_lines() == []


@pytest.mark.slow
def test_a_phase_that_has_nothing_to_ask_any_more_asks_nothing(book: Path) -> None:
    """Had A stayed at home in turn 1 nobody would be asked: the open questions go, the typed answer stays."""
    take_lines(book, "A: M1", "B: M1")
    desk.resolve(book)
    assert desk.resolve(book).exit == Exit.WAITING
    take_lines(book, "A: stance M1 flee")

    result = commit(book, withdraw=("1-march-A-1",))

    assert (result.exit, result.data["committed"]) == (Exit.DONE, True), result.finding_lines()
    assert "1.clash.stance.B.M1" not in campaign_of(book).by_sheet("Questions")
    assert campaign_of(book).by_sheet("Questions")["1.clash.stance.A.M1"].answer == "flee"
    assert desk.resolve(book).exit == Exit.DONE
    assert desk.verify(book, lang="en").finding_lines() == []


# --- a replay that waits --------------------------------------------------------------------------
@pytest.fixture(scope="module")
def peace(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """Three phases in which only A marched: no battle in turn 1; B marched in turn 2 and fled."""
    book = copied(fresh, tmp_path_factory.mktemp("peace"))
    take_lines(book, "A: M1")
    desk.resolve(book, until="fight")
    take_lines(book, "B: M1")
    desk.resolve(book)
    desk.resolve(book)
    take_lines(book, "A: stance M1 stand", "B: stance M1 flee")
    assert desk.resolve(book, until="2.fight").exit == Exit.DONE
    take_lines(book, "B: B1")
    return book.parent


@pytest.fixture
def peaceful(peace: Path, tmp_path: Path) -> Path:
    """The phases without a battle, to correct."""
    return copied(peace, tmp_path)


def test_a_replay_that_needs_answers_says_which_and_writes_nothing(peaceful: Path) -> None:
    """Had B marched in turn 1 they would have met: exit code 3, also when it was to be written."""
    before = everything(peaceful)

    result = commit(peaceful, "B: M1", at="1.march")

    assert result.exit == Exit.WAITING
    assert [q.question for q in result.questions] == ["1.clash.stance.A.M1", "1.clash.stance.B.M1"]
    assert result.data["waits"] == {"turn": "1", "phase": "clash"}
    assert [f"{m['turn']}.{m['phase']}" for m in result.data["left"]] == ["1.clash", "1.fight", "2.march", "2.clash",
                                                                         "2.fight"]
    assert everything(peaceful) == before


@pytest.mark.slow
def test_it_is_written_up_to_the_phase_that_waits_when_that_is_wished(peaceful: Path) -> None:
    """The campaign stands at the clash of turn 1; later orders and answers stay typed; one undo takes it back."""
    before = peaceful.read_bytes()

    result = commit(peaceful, "B: M1", at="1.march", how=CorrectionOptions(WHY, partly=True))

    assert (result.exit, result.data["committed"]) == (Exit.WAITING, True)
    campaign = campaign_of(peaceful)
    assert (campaign.desk.turn, campaign.desk.phase) == ("1", "clash")
    assert [q.status for q in campaign.by_sheet("Questions") if q.turn == "1"] == ["open", "open"]
    assert campaign.by_sheet("Questions")["2.clash.stance.B.M1"].answer == "flee"
    assert {o.order: o.status for o in campaign.by_sheet("Orders")} == {
        "1-march-A-1": "accepted", "1-march-B-1": "accepted", "2-march-B-1": "", "3-march-B-1": ""}
    take_lines(peaceful, "A: stance M1 flee", "B: stance M1 flee")
    assert desk.resolve(peaceful, until="2.march").exit == Exit.DONE
    assert desk.verify(peaceful, lang="en").finding_lines() == []
    assert desk.undo(peaceful, steps=4, hard=True).exit == Exit.DONE
    assert peaceful.read_bytes() == before


@pytest.mark.slow
def test_the_missing_answers_may_come_with_the_correction(peaceful: Path) -> None:
    """By their numbers, or as defaults, or from a robot."""
    given = ("answer 1.clash.stance.A.M1 stand", "answer 1.clash.stance.B.M1 flee")

    assert show(peaceful, "B: M1", *given, at="1.march").exit == Exit.DONE
    assert show(peaceful, "B: M1", at="1.march", how=CorrectionOptions(robots=frozenset("AB"))).exit == Exit.DONE
    waiting = show(peaceful, "B: M1", at="1.march", how=CorrectionOptions(defaults=True))
    assert [q.question for q in waiting.questions] == ["1.fight.battle_result.referee.B1.M1"]
    result = commit(peaceful, "B: M1", "battle B1.M1 B 2", at="1.march", how=CorrectionOptions(WHY, defaults=True))
    assert (result.exit, result.data["committed"]) == (Exit.DONE, True), result.finding_lines()
    assert gold(peaceful)["B"] > 0


SPOILS, FOUGHT = "spoils:B1.M1", ("B: M1", "battle B1.M1 B 2")
"""A die that nobody threw, and what makes it be thrown in a phase that is over."""


def type_die(book: Path, *values: tuple[str, str | None]) -> None:
    """Type into the first row of the sheet Dice: heading and value each."""
    file = hand.opened(book)
    heads = {str(cell.value).strip(): cell for row in file["Dice"].iter_rows() for cell in row if cell.value}
    for heading, value in values:
        file["Dice"].cell(heads[heading].row + 1, heads[heading].column).value = value
    file.save(book)


@pytest.mark.slow
@pytest.mark.parametrize("last", ["6", "5"])
def test_a_die_that_comes_before_its_forgotten_order_is_the_one_that_is_thrown(peaceful: Path, last: str) -> None:
    """Its purpose says for which throw it is: with the order it counts, as it was typed last, and nobody is accused."""
    take_lines(peaceful, f"die {SPOILS} 6")
    desk.resolve(peaceful, defaults=True)
    take_lines(peaceful, f"die {SPOILS} {last}")

    result = commit(peaceful, *FOUGHT, at="1.march", how=CorrectionOptions(WHY, defaults=True))

    assert result.data["committed"], result.finding_lines()
    die = campaign_of(peaceful).by_sheet("Dice")[SPOILS]
    assert (die.value, die.source, die.turn, die.phase) == (last, "table", "1", "fight")
    assert gold(peaceful)["B"] == int(last)
    assert desk.verify(peaceful, lang="en").finding_lines() == []
    desk.resolve(peaceful, defaults=True)
    assert desk.verify(peaceful, lang="en").finding_lines() == []
    assert desk.undo(peaceful, steps=2).exit == Exit.DONE
    assert campaign_of(peaceful).by_sheet("Dice")[SPOILS].hold == "typed"
    assert desk.verify(peaceful, lang="en").finding_lines() == []


@pytest.mark.slow
def test_a_die_that_was_typed_before_its_phase_and_changed_since_counts_as_it_is_now(book: Path) -> None:
    """The correction begins before it was typed anew, and uses what was typed last all the same."""
    take_lines(book, "A: M1", f"die {SPOILS} 6")
    assert desk.resolve(book, until="fight").exit == Exit.DONE
    take_lines(book, f"die {SPOILS} 5")

    commit(book, *FOUGHT, at="1.march", how=CorrectionOptions(WHY, defaults=True))

    assert (campaign_of(book).by_sheet("Dice")[SPOILS].value, gold(book)["B"]) == ("5", 5)
    assert desk.verify(book, lang="en").finding_lines() == []


@pytest.mark.slow
@pytest.mark.parametrize("when", [(), (("Turn", "1"), ("Phase", "fight"))])
def test_a_die_on_its_sheet_counts_like_a_line(peaceful: Path, when: tuple[tuple[str, str], ...]) -> None:
    """Purpose and value alone, or with a moment that is over."""
    type_die(peaceful, ("Purpose", SPOILS), ("Value", "4"), *when)

    commit(peaceful, *FOUGHT, at="1.march", how=CorrectionOptions(WHY, defaults=True))

    assert gold(peaceful)["B"] == 4
    assert desk.verify(peaceful, lang="en").finding_lines() == []


@pytest.mark.slow
def test_what_a_correction_has_used_up_is_not_typed_over(peaceful: Path) -> None:
    """A die that lay there for a while and was taken away again is none; what the phase has thrown instead stays."""
    take_lines(peaceful, f"die {SPOILS} 6")
    desk.resolve(peaceful, defaults=True)
    type_die(peaceful, *((heading, None) for heading in ("Purpose", "Dice", "Value", "Turn", "Phase", "Thrown by")))
    desk.resolve(peaceful, defaults=True)
    assert SPOILS not in campaign_of(peaceful).by_sheet("Dice")

    commit(peaceful, *FOUGHT, at="1.march", how=CorrectionOptions(WHY, defaults=True))

    die = campaign_of(peaceful).by_sheet("Dice")[SPOILS]
    assert (die.source, gold(peaceful)["B"]) == ("assistant", int(die.value))
    assert desk.verify(peaceful, lang="en").finding_lines() == []


def test_an_answer_that_cannot_be_is_named(peaceful: Path) -> None:
    """The phase refuses it as it would have then; nothing is written."""
    before = everything(peaceful)

    result = commit(peaceful, "answer 2.clash.stance.A.M1 hide")

    assert "ARB-135" in {f.code for f in result.findings}
    assert not result.data["committed"]
    assert everything(peaceful) == before


# --- what cannot be corrected ---------------------------------------------------------------------
@pytest.mark.parametrize(("lines", "rest", "code", "exit_code"), [
    (("A: A1",), {"at": "1.mrch"}, "ARB-120", Exit.USAGE),
    (("A: A1",), {"order": "1-march-A-7"}, "ARB-121", Exit.USAGE),
    ((), {"withdraw": ("1-march-A-7",)}, "ARB-121", Exit.REFUSED),
    ((), {"withdraw": ("3-march-A-1",)}, "ARB-122", Exit.REFUSED),
    ((), {"untype": ("spoils:B1.M1",)}, "ARB-124", Exit.REFUSED),
    (("A: somewhere nice",), {}, "ARB-089", Exit.REFUSED),
    (("answer 9.clash.stance.A.M1 stand",), {}, "ARB-092", Exit.REFUSED),
    (("die spoils:B1.M1 9",), {}, "ARB-060", Exit.REFUSED),
    (("die foo 3",), {}, "ARB-281", Exit.REFUSED),
    (("die spoils:B1.M9 3",), {}, "ARB-281", Exit.REFUSED),
])
def test_what_cannot_be_meant_is_said(played: Path, lines: tuple[str, ...], rest: dict[str, Any], code: str,
                                      exit_code: Exit) -> None:
    """Each with its own finding; nothing is written."""
    before = everything(played)

    result = commit(played, *lines, **rest)

    assert [f.code for f in result.findings if f.stops] == [code]
    assert result.exit == exit_code
    assert everything(played) == before


def test_without_a_past_there_is_nothing_to_correct(book: Path) -> None:
    """No phase was resolved: what is to be different is typed into the workbook."""
    assert [f.code for f in show(book, "A: M1").findings] == ["ARB-123"]


def test_a_change_by_hand_is_decided_first(played: Path) -> None:
    """As for resolve: while a cell was changed by hand and nobody has decided, nothing is replayed."""
    book = hand.opened(played)
    cells = [c for row in book["Nodes"].iter_rows() for c in row if c.value == "Middle"]
    cells[0].value = "Muddle"
    book.save(played)

    result = commit(played, "battle B1.M1 B 3")

    assert result.exit == Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-110"]


@pytest.mark.slow
def test_an_accepted_ruling_is_made_again_in_the_replay(played: Path) -> None:
    """A village that was renamed by a ruling keeps its new name when the past is replayed."""
    book = hand.opened(played)
    cells = [c for row in book["Nodes"].iter_rows() for c in row if c.value == "Middle"]
    cells[0].value = "Muddle"
    book.save(played)
    assert desk.accept(played, [], why="so the map says", everything=True).exit == Exit.DONE
    take_lines(played, "B: B1")
    desk.resolve(played)

    result = commit(played, "battle B1.M1 B 3")

    campaign = campaign_of(played)
    assert result.data["committed"], result.finding_lines()
    assert seen(result, "Nodes") == set()
    assert campaign.by_sheet("Nodes")["M1"].name == "Muddle"
    assert len(events(campaign, "ruling.accepted")) == 1
    assert desk.verify(played, lang="en").finding_lines() == []


def test_a_crash_after_the_workbook_was_replaced_loses_nothing(played: Path) -> None:
    """The next command finds the correction made, with all its phases, as one step."""
    with Ledger.open(path_of_ledger(played), "") as ledger:
        way, first = ledger.line, len(ledger.steps()) + 1
        stages = [PlannedStep(CORRECT, "3", "march"), PlannedStep("resolve", "2", "clash", records=b"{}"),
                  PlannedStep("resolve", "2", "fight", records=b"{}")]
    crashed(path_of_ledger(played), stages, played.read_bytes(), sha256(b"another workbook"), line=way[:4], redo=())
    with Ledger.open(path_of_ledger(played), "") as ledger:
        ledger.settle(b"another workbook")

        assert ledger.line == (*way[:4], first + 1, first + 2, first)
        step = ledger.step(first)
        assert step is not None
        assert (step.line, step.state) == (way, "done")


def test_the_ledger_knows_the_corrected_phases_as_steps(played: Path) -> None:
    """The line is as long as before, with the correction at its end; what was promised of dice stays."""
    with Ledger.open(path_of_ledger(played), "") as ledger:
        before, promised = ledger.line, ledger.commitments()

    commit(played, "battle B1.M1 B 3")

    with Ledger.open(path_of_ledger(played), "") as ledger:
        verbs = [step.verb for number in ledger.line if (step := ledger.step(number))]
        assert verbs == ["resolve"] * len(before) + ["correct"]
        assert ledger.line[:2] == before[:2]
        assert ledger.commitments() == promised


# --- what the past is handed in for -------------------------------------------------------------------
class Held(PhaseChain):
    """A chain that hands out the same campaigns again and again."""

    def before(self, number: int) -> Campaign:
        """The campaign before a phase, read once."""
        known: dict[int, Campaign] = self.__dict__.setdefault("known", {})
        if number not in known:
            known[number] = super().before(number)
        return known[number]


@pytest.mark.parametrize(("name", "line"), [
    ("", "battle B1.M1 B 3"), pytest.param("anarchy-days", "die promise/M-WE1 9", marks=pytest.mark.slow),
    pytest.param("giglio-year", "battle B1500.1.M7 a 45 60", marks=pytest.mark.slow)])
def test_a_correction_leaves_the_campaigns_of_the_past_as_they_were(name: str, line: str, campaign: Path,
                                                                    tmp_path: Path) -> None:
    """Of the smallest rulebook and of those that ship: before each phase, and as it stands; and what came of the
    correction has no row in common with them that could be changed.
    """
    source = SAMPLES / name if name else campaign
    book = next(copied(source, tmp_path).parent.glob("*.xlsx"))
    workspace = open_workspace(book, "en")
    with open_for_writing(workspace, "correct") as session:
        chain = Held(workspace, session.ledger, session.watch)
        amendments = AmendmentFinder(workspace, chain, wish(line)).read().found
        handed_in = [chain.before(number) for number in range(len(chain) + 1)]
        as_they_were = [export(one) for one in handed_in]
        first = min(amendment.start for amendment in amendments if amendment.start is not None)

        replayed = Replay(chain, amendments, ResolveOptions(defaults=True), workspace.sheet_wording).run(first)

        assert export(replayed.campaign) != as_they_were[-1]
        assert [export(one) for one in handed_in] == as_they_were
        for row in [row for table in replayed.campaign.tables().values() for row in table]:
            spoil(row)
        assert [export(one) for one in handed_in] == as_they_were
