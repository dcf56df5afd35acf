"""Two clubs tell the result, each its own half of the form; the referee confirms it, and sees where they differ."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk import CorrectionOptions, CorrectionRequest, Exit, Input, NewPlan
from assistant.desk.results import Result
from assistant.testing.cases import campaign_of
from assistant.wording import Wording
from assistant.workbook.read.csv_folder import write_folder
from tests.anarchy import cases as anarchy
from tests.anarchy.test_findings import FIGHT
from tests.desk.test_correct import yes
from tests.giglio import cases as giglio
from tests.hand import type_answer
from tests.playing import copy_with_folder, take_lines

NAME = "B1500.3.V8"
HALF = "1500.r3.battle.battle_result.{}.B1500.3.V8/{}"


def waiting(folder: Path, ruleset: str, campaign: Campaign, until: str = "") -> Path:
    """A workbook of a case that waits for the result of a battle."""
    folder.mkdir(exist_ok=True)
    write_folder(campaign, folder / "in")
    book = folder / "war.xlsx"
    made = desk.new_campaign(NewPlan(ruleset, folder=folder / "in", language="en", secret="cd" * 32), book, lang="en")
    assert made.exit == Exit.DONE, made.finding_lines()
    assert desk.resolve(book, until=until, lang="en").exit == Exit.WAITING
    return book


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Milan (200) attacks Venice (150) at V8; the battle is on the table."""
    campaign = giglio.build(
        "r3", armies="M-1 200 M5, V-1 150 V8 trail=V9", orders="M move M-1 M5 V8",
        answers="choice M V8/V = attack\nchoice V V8/M = stop")
    return waiting(tmp_path_factory.mktemp("giglio"), "giglio", campaign, "r3.battle")


@pytest.fixture(scope="module")
def third_day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A1 has attacked E1 on the third day; the battle is on the table."""
    return waiting(tmp_path_factory.mktemp("anarchy"), "anarchy", anarchy.build("movement", **FIGHT))


@pytest.fixture
def book(first: Path, tmp_path: Path) -> Path:
    """The battle at V8, to report on."""
    return copy_with_folder(first, tmp_path)


@pytest.fixture
def day(third_day: Path, tmp_path: Path) -> Path:
    """The battle of the third day, to report on."""
    return copy_with_folder(third_day, tmp_path)


def told(result: Result) -> list[tuple[str, str]]:
    """Code and column of findings about forms and answers, the column of an answer as whose it is."""
    return [(f.code, f.where.field if f.where.table != "Questions" else f.faction) for f in result.findings
            if f.where.table in ("Battles", "Losses", "Questions")]


def fought(book: Path) -> tuple[object, ...]:
    """The battle's form and status at V8."""
    row: Any = campaign_of(book).by_sheet("Battles")[NAME]
    return row.winner, row.losses_a, row.losses_b, row.status


# --- Il Giglio: columns -----------------------------------------------------------------------------
def test_a_club_s_line_is_its_own_report_and_not_the_result(book: Path) -> None:
    """Who typed it is kept; the form stays empty, and the phase waits for the referee."""
    result = take_lines(book, f"V: battle {NAME} a 26 55")

    assert result.exit == Exit.DONE, result.finding_lines()
    row: Any = campaign_of(book).by_sheet("Questions")[HALF.format("V", "V")]
    assert (row.kind, row.to, row.about, row.answer, row.status) == (
        "battle_result", "V", f"{NAME}/V", "a 26 55", "")
    assert fought(book) == ("", "", "", "open")
    assert desk.resolve(book, lang="en").exit == Exit.WAITING


def test_the_referee_hears_who_has_reported_and_who_has_not(book: Path) -> None:
    """For information, at the form of the battle."""
    take_lines(book, f"V: battle {NAME} a losses_b=55")

    checked = desk.check(book, lang="en")

    assert told(checked) == [("ARB-303", "winner")]
    assert checked.exit == Exit.DONE
    assert checked.finding_lines()[0].endswith(
        "V reports on B1500.3.V8: Winner a, Defender's losses 55. The other side has not reported yet.")
    assert ": Vincitore a, Perdite del difensore 55." in desk.check(book, lang="it").finding_lines()[0]


@pytest.mark.slow
def test_two_that_agree_are_confirmed(book: Path) -> None:
    """Each its own half: the winner by either, of the losses each its own."""
    take_lines(book, f"V: battle {NAME} M losses_b=55", f"M: battle {NAME} a 26")
    checked = desk.check(book, lang="en")
    assert told(checked) == [("ARB-304", "winner")]
    assert "Winner a, Attacker's losses 26; Winner M, Defender's losses 55" in checked.finding_lines()[0]
    assert "answer its question with confirmed" in checked.finding_lines()[0]

    take_lines(book, f"battle {NAME} confirmed")

    assert told(desk.check(book)) == []
    resolved = desk.resolve(book, lang="en")
    assert resolved.exit == Exit.DONE, resolved.finding_lines()
    assert fought(book) == ("a", 26, 55, "played")
    rows = campaign_of(book).by_sheet("Questions")
    assert {rows[HALF.format(code, code)].status for code in "VM"} == {"answered"}
    assert desk.verify(book, lang="en").exit == Exit.DONE


@pytest.mark.slow
@pytest.mark.parametrize("word", ["confirmed", "Confermato", "confermo", "to confirm", "confermare"])
def test_the_referee_confirms_in_either_language(book: Path, word: str) -> None:
    """As the answer to the question that waits for the form."""
    take_lines(book, f"V: battle {NAME} a 26 55")
    key = next(q.question for q in campaign_of(book).by_sheet("Questions") if q.to == "referee" and q.status == "open")
    type_answer(book, key, word)

    assert desk.resolve(book, lang="en").exit == Exit.DONE
    assert fought(book) == ("a", 26, 55, "played")


@pytest.mark.slow
def test_where_they_differ_the_referee_is_shown_both(book: Path) -> None:
    """Of the losses each side's own report counts; who has won the referee must say."""
    take_lines(book, f"V: battle {NAME} b 80 20", f"M: battle {NAME} a 26 55")

    checked = desk.check(book, lang="en")
    assert told(checked) == [("ARB-305", "winner"), ("ARB-305", "losses_a"), ("ARB-305", "losses_b")]
    assert any("differ in Winner: M: a, V: b" in line for line in checked.finding_lines()), checked.finding_lines()
    assert checked.exit == Exit.DONE

    take_lines(book, f"battle {NAME} confirmed")
    stopped = desk.resolve(book, lang="en")
    assert (stopped.exit, told(stopped)) == (Exit.WAITING, [("ARB-306", "winner")])
    assert fought(book) == ("", "", "", "open")

    take_lines(book, f"battle {NAME} winner=b")
    assert desk.resolve(book, lang="en").exit == Exit.DONE
    assert fought(book) == ("b", 26, 20, "played")


@pytest.mark.slow
def test_what_the_referee_types_goes_before_all_reports(book: Path) -> None:
    """His form alone is a result, as ever."""
    take_lines(book, f"V: battle {NAME} b 80 20", f"M: battle {NAME} a 26 55", f"battle {NAME} draw 1 2")

    assert told(desk.check(book)) == []
    assert desk.resolve(book).exit == Exit.DONE
    assert fought(book) == ("draw", 1, 2, "played")


@pytest.mark.slow
def test_confirmed_reports_are_checked_like_any_form(book: Path) -> None:
    """GIG-103: more than there were; the question stays open."""
    take_lines(book, f"V: battle {NAME} a losses_b=999", f"M: battle {NAME} a 26", f"battle {NAME} confirmed")

    for result in (desk.check(book, lang="en"), desk.resolve(book, lang="en")):
        assert told(result) == [("GIG-103", "losses_b")]
    assert fought(book) == ("", "", "", "open")


@pytest.mark.parametrize(("line", "code"), [
    (f"V: battle {NAME} a 1 2 3", "ARB-302"), (f"V: battle {NAME} loot=3", "ARB-302"),
    ("V: battle B1500.3.Q1 a 1 2", "ARB-253")])
def test_what_is_no_report_is_refused_when_it_is_typed(book: Path, line: str, code: str) -> None:
    """A club's words that fit no form, a battle that cannot be."""
    result = take_lines(book, line)

    assert [f.code for f in result.findings] == [code]
    assert [q for q in campaign_of(book).by_sheet("Questions") if q.to == "V" and q.kind == "battle_result"] == []


@pytest.mark.slow
def test_who_did_not_fight_does_not_report(book: Path) -> None:
    """Found at its answer; it neither counts nor keeps the others from counting."""
    take_lines(book, f"P: battle {NAME} a 1 2", f"V: battle {NAME} a 26 55")
    assert ("ARB-301", "P") in told(desk.check(book))

    take_lines(book, f"battle {NAME} confirmed")
    assert desk.resolve(book).exit == Exit.DONE
    assert fought(book) == ("a", 26, 55, "played")


def test_a_report_may_come_in_a_csv(book: Path, tmp_path: Path) -> None:
    """As an answer to the question that waits for the form, of a club."""
    file = tmp_path / "answers.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([("turn", "phase", "kind", "to", "about", "answer"),
                                   ("1500", "r3.battle", "battle_result", "V", NAME, "a 26 55"),
                                   ("1500", "r3.battle", "battle_result", "referee", NAME, "confirmed")])

    result = desk.take_orders(book, [Input(file.name, file)], lang="en")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert campaign_of(book).by_sheet("Questions")[HALF.format("V", "V")].answer == "a 26 55"
    assert desk.resolve(book, lang="en").exit == Exit.DONE
    assert fought(book) == ("a", 26, 55, "played")


@pytest.mark.slow
def test_a_correction_of_a_report_changes_the_battle(book: Path) -> None:
    """The half of the one club, confirmed as it was."""
    take_lines(book, f"V: battle {NAME} a losses_b=55", f"M: battle {NAME} a 26", f"battle {NAME} confirmed")
    assert desk.resolve(book).exit == Exit.DONE

    wish = CorrectionRequest((Input("line", text=f"answer {HALF.format('M', 'M')} a 30"),))
    result = desk.correct(book, wish, CorrectionOptions("the mail was misread"), confirm=yes, lang="en")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert fought(book) == ("a", 30, 55, "played")
    assert desk.verify(book).exit == Exit.DONE


@pytest.mark.slow
def test_after_an_undo_the_reports_are_there_still(book: Path) -> None:
    """They are what people typed."""
    take_lines(book, f"V: battle {NAME} a losses_b=55", f"M: battle {NAME} a 26", f"battle {NAME} confirmed")
    assert desk.resolve(book).exit == Exit.DONE

    assert desk.undo(book, lang="en").exit == Exit.DONE

    assert campaign_of(book).by_sheet("Questions")[HALF.format("M", "M")].answer == "a 26"
    assert desk.resolve(book).exit == Exit.DONE
    assert fought(book) == ("a", 26, 55, "played")


@pytest.mark.slow
def test_the_hand_over_says_what_to_report_and_what_one_has(book: Path, tmp_path: Path) -> None:
    """To each side its own report and not the other's."""
    take_lines(book, f"V: battle {NAME} a 26 55")
    assert desk.report(book, tmp_path / "reports", lang="en").exit == Exit.DONE

    pages = {who: json.loads((tmp_path / "reports" / f"{who}.json").read_text()) for who in ("V", "M", "P")}
    lines = {who: [(label, text) for one in page["dossiers"] for label, text in one["lines"] if "eported" in label]
             for who, page in pages.items()}
    expected = "To be reported", "Winner (a, b or draw), Attacker's losses (ducats), Defender's losses (ducats)"
    assert lines["V"] == [expected, ("Reported so far", "a 26 55 (it counts when the referee confirms it)")]
    assert lines["M"] == [expected]
    assert lines["P"] == []


# --- The Anarchy: columns and rows ------------------------------------------------------------------
def loss(book: Path) -> set[tuple[object, ...]]:
    """The rows of Losses."""
    return {(row.unit, row.rank, row.noble, row.killed, row.wounded, row.captured, row.status)
            for row in campaign_of(book).by_sheet("Losses")}


@pytest.mark.slow
def test_each_side_tells_its_own_losses(day: Path) -> None:
    """The result in one line, each row of losses in one more; ``entered`` confirms them."""
    result = take_lines(day, "royal: battle B3-1 attacker fled 9", "royal: losses B3-1 A1 foot 1 1 0",
                  "angevin: battle B3-1 attacker fled 9", "angevin: losses B3-1 E1 foot 2 1 3",
                  "angevin: losses B3-1 E1 N2 captured=1")
    assert result.exit == Exit.DONE, result.finding_lines()
    assert told(desk.check(day)) == [("ARB-304", "outcome")]
    assert loss(day) == set()

    take_lines(day, "battle B3-1 entered")
    resolved = desk.resolve(day, lang="en")

    assert resolved.exit == Exit.DONE or [q.kind for q in resolved.questions] == ["retreat"], resolved.finding_lines()
    desk.resolve(day, defaults=True)
    assert loss(day) == {("A1", "foot", "", 1, 1, 0, "counted"), ("E1", "foot", "", 2, 1, 3, "counted"),
                         ("E1", "", "N2", 0, 0, 1, "counted")}
    assert desk.verify(day).exit == Exit.DONE


@pytest.mark.slow
def test_what_the_other_side_says_of_one_s_losses_is_shown_and_does_not_count(day: Path) -> None:
    """Unless the own side says nothing at all."""
    take_lines(day, "royal: battle B3-1 attacker fled 9", "royal: losses B3-1 E1 foot 5 0 0",
         "angevin: battle B3-1 attacker fled 9", "angevin: losses B3-1 E1 foot 2 1 3")
    checked = desk.check(day, lang="en")
    assert told(checked) == [("ARB-305", "outcome")]
    assert "differ in E1 foot: royal: Killed 5; angevin: Killed 2, Wounded 1" in (
        checked.finding_lines()[0])

    take_lines(day, "battle B3-1 entered")
    desk.resolve(day, defaults=True)
    assert loss(day) == {("E1", "foot", "", 2, 1, 3, "counted")}


def test_one_side_alone_may_be_confirmed(day: Path) -> None:
    """Then it counts for both."""
    take_lines(day, "royal: battle B3-1 attacker fled 9", "royal: losses B3-1 E1 foot 5 0 0", "battle B3-1 entered")
    desk.resolve(day, defaults=True)

    assert loss(day) == {("E1", "foot", "", 5, 0, 0, "counted")}


@pytest.mark.slow
def test_faults_of_confirmed_rows_stand_at_the_report_that_they_come_from(day: Path) -> None:
    """ANA-802, 806: all at once, at the club's own answer, which is the cell in which they can be put right."""
    take_lines(day, "royal: battle B3-1 attacker fled 15", "angevin: battle B3-1 attacker fled 15",
               "battle B3-1 entered")
    type_answer(day, "battle/B3-1/royal", "attacker fled 15; A7 foot 1 0 0")
    type_answer(day, "battle/B3-1/angevin", "attacker fled 15; E1 foot 9 0 0")

    for result in (desk.check(day, lang="en"), desk.resolve(day, lang="en")):
        found = {(f.code, f.where.table, f.where.row) for f in result.findings if f.stops}
        assert found == {("ANA-803", "Battles", "B3-1"), ("ANA-806", "Questions", "battle/B3-1/royal/3/movement"),
                         ("ANA-802", "Questions", "battle/B3-1/angevin/3/movement")}
        assert all(f.cell for f in result.findings if f.stops)


def test_reports_are_asked_for_by_nobody_and_yet_no_stray_answers(day: Path) -> None:
    """ANA-902 is for answers that nobody wants."""
    take_lines(day, "royal: battle B3-1 attacker fled 9", "battle B3-1 entered")
    result = desk.resolve(day, defaults=True, lang="en")

    assert "ANA-902" not in {f.code for f in result.findings}


@pytest.mark.slow
def test_a_report_leaves_the_dice_to_the_referee(day: Path) -> None:
    """``auto`` beats what was reported."""
    take_lines(day, "royal: battle B3-1 attacker fled 9", "battle B3-1 auto")
    assert desk.resolve(day, defaults=True, lang="en").exit == Exit.DONE
    row: Any = campaign_of(day).by_sheet("Battles")["B3-1"]
    assert row.played == "auto"


@pytest.mark.slow
def test_a_club_does_not_answer_for_the_referee(day: Path) -> None:
    """Whose question it is counts, also where its name does not say so."""
    result = take_lines(day, "royal: battle/B3-1 entered")

    assert result.exit == Exit.REFUSED
    assert not campaign_of(day).by_sheet("Questions")["battle/B3-1/3/movement"].answer


def test_two_rows_that_say_the_same_are_remarked() -> None:
    """ARB-310: both count, as rows of one rank always do; whoever has typed one too many is told."""
    after = anarchy.case("movement", **FIGHT, battles="B3-1 attacker fled 9", answers="battle/B3-1 = entered",
                         losses="B3-1 E1 foot 2 0 0, B3-1 A1 foot 1 0 0, B3-1 A1 foot 1 1 0, B3-1 E1 foot 2 0 0",
                         findings="* ARB-310", defaults=True)
    (finding,) = (finding for outcome in after.outcomes for finding in outcome.findings if finding.code == "ARB-310")
    assert (finding.severity, finding.where.row, finding.data["n"]) == ("warning", "B3-1/E1/foot/#2", 2)
    assert Wording(anarchy.anarchy(), "it").finding(finding).startswith("Unità E1, Grado fanti armati: lo stesso")
    assert after.outcomes[0].done
