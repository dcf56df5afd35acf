"""Taking orders, answers, results and dice from lines, CSVs and workbooks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Order
from assistant.desk import Exit, Input
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing.cases import campaign_of
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.verbs import as_order_book
from tests import hand
from tests.desk.test_resolving import everything
from tests.fresh import new_campaign
from tests.playing import take_lines
from tests.sweeps import fast_among


def test_a_line_is_shown_as_it_was_understood(book: Path) -> None:
    """Number, faction, phase and words."""
    result = take_lines(book, "A: M1")

    assert result.exit == Exit.DONE
    assert result.data["taken"] == [{
        "kind": "order", "id": "1-march-A-1", "faction": "A", "turn": "1", "phase": "march",
        "words": "A: go, To M1", "how": "new", "source": "A: M1"}]


@pytest.mark.parametrize("line", ["A: M1", "a: M1", "A-1: M1", "A-1 M1", "A : go M1"])
def test_whose_line_it_is_stands_in_front(book: Path, line: str) -> None:
    """A faction's code, an army's code before the colon, or the army's code alone."""
    take_lines(book, line)

    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["A"]


@pytest.mark.parametrize("lines", [["withdraw 1-march-A-1"], ["A: ritira 1-march-A-1."], ["A: annulla tutto"]])
def test_a_typed_line_withdraws_an_order(book: Path, lines: list[str]) -> None:
    """As one that comes by mail does: the order is emptied and said as it stood; the others' stay, and once is enough.
    """
    take_lines(book, "A: M1", "B: M1")

    result = take_lines(book, *lines)

    assert result.exit == Exit.DONE
    assert [(row["how"], row["id"], row["words"]) for row in result.data["taken"]] == [
        ("withdrawn", "1-march-A-1", "A: go, To M1")]
    assert [(order.order, order.faction, order.verb or order.text) for order in campaign_of(book).by_sheet("Orders")
            ] == [("1-march-A-1", "", ""), ("1-march-B-1", "B", "M1")]
    assert [row["how"] for row in take_lines(book, "A: withdraw 1-march-A-1").data["taken"]] == ["same"]


def test_the_option_says_whose_lines_they_are(book: Path) -> None:
    """--faction, in any case of letters."""
    desk.take_orders(book, [Input("x", text="M1")], faction="b")

    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["B"]


def test_nobodys_line_is_not_taken(book: Path) -> None:
    """Exit code 1, a finding, nothing changed."""
    before = everything(book)

    result = take_lines(book, "go M1")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-088"])
    assert everything(book) == before


def test_a_line_that_is_not_understood_is_named_and_the_rest_is_taken(book: Path) -> None:
    """One bad line does not hold up the others."""
    result = take_lines(book, "A: what is this", "B: M1")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-089"])
    assert [o.faction for o in campaign_of(book).by_sheet("Orders")] == ["B"]


def test_a_taken_order_says_at_once_what_will_be_refused(book: Path) -> None:
    """The finding of the check stands beside it."""
    result = take_lines(book, "A: B1")

    assert [f.code for f in result.findings] == ["TIN-001"]


def test_a_csv_is_taken_once(book: Path, tmp_path: Path) -> None:
    """The same file again changes nothing."""
    mail = tmp_path / "mail.csv"
    mail.write_text("faction;verb;target\nA;go;M1\nB;go;M1\n", encoding="utf-8-sig")
    assert [t["how"] for t in desk.take_orders(book, [Input("mail", path=mail)]).data["taken"]] == ["new", "new"]
    before = everything(book)

    again = desk.take_orders(book, [Input("mail", path=mail)])

    assert [t["how"] for t in again.data["taken"]] == ["same", "same"]
    assert everything(book) == before


def test_an_order_may_be_changed_until_its_phase(book: Path, tmp_path: Path) -> None:
    """The same number with other words: changed; after the phase: too late."""
    mail = tmp_path / "orders.csv"
    mail.write_text("order,turn,phase,faction,verb,target\nmine,1,march,A,go,B1\n")
    desk.take_orders(book, [Input("m", path=mail)])
    mail.write_text("order,turn,phase,faction,verb,target\nmine,1,march,A,go,M1\n")

    assert desk.take_orders(book, [Input("m", path=mail)]).data["taken"][0]["how"] == "changed"

    desk.resolve(book)
    mail.write_text("order,turn,phase,faction,verb,target\nmine,1,march,A,go,A1\n")
    late = desk.take_orders(book, [Input("m", path=mail)])
    assert (late.exit, [f.code for f in late.findings]) == (Exit.REFUSED, ["ARB-090"])


def test_a_filled_workbook_is_taken(book: Path, tmp_path: Path) -> None:
    """A copy of the workbook, filled in by a club and sent back."""
    copy = tmp_path / "copy.xlsx"
    shutil.copyfile(book, copy)
    filled = hand.opened(copy)
    sheet = filled["Orders"]
    rows = list(sheet.iter_rows())
    heading = next(row for row in rows if any(str(cell.value).strip() == "Faction" for cell in row))
    place = {str(cell.value).strip(): cell.column for cell in heading if cell.value}
    first = int(heading[0].row or 0) + 1
    for name, value in (("Faction", "A"), ("In words", "M1")):
        sheet.cell(first, place[name]).value = value
    filled.save(copy)

    result = desk.take_orders(book, [Input("club", path=copy)], faction="A")

    assert result.exit == Exit.DONE, result.finding_lines()
    assert [(t["faction"], t["how"]) for t in result.data["taken"]] == [("A", "new")]


def test_another_campaigns_workbook_is_refused(book: Path, tmp_path: Path) -> None:
    """Its orders are meant for another game."""
    other = tmp_path / "other.xlsx"
    desk.new_campaign(desk.NewPlan("tiny", folder=tmp_path / "csv", secret="77" * 32), other)

    result = desk.take_orders(book, [Input("other", path=other)])

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-099"])


def test_a_die_of_the_table_wins(book: Path) -> None:
    """Typed before the phase, it is what the phase throws; after it, it comes too late."""
    take_lines(book, "A: M1", "B: M1", "die spoils:B1.M1 6")
    desk.resolve(book, until="clash", defaults=True)
    take_lines(book, "battle B1.M1 winner=A")
    desk.resolve(book)

    assert campaign_of(book).by_sheet("Factions")["A"].gold == 6
    late = take_lines(book, "die spoils:B1.M1 5")
    assert (late.exit, [f.code for f in late.findings]) == (Exit.REFUSED, ["ARB-096"])


def test_answers_may_come_early(book: Path) -> None:
    """An answer to a question that is not asked yet lets the phase go through."""
    take_lines(book, "A: M1", "B: M1", "A: stance M1 stand", "B: stance M1 flee")

    assert desk.resolve(book, until="clash").exit == Exit.DONE


def test_an_answer_to_nothing_is_named(book: Path) -> None:
    """Nobody is asked, and nobody is said to answer."""
    result = take_lines(book, "stance M1 stand")

    assert (result.exit, [f.code for f in result.findings]) == (Exit.REFUSED, ["ARB-092"])


@pytest.mark.parametrize("line", ["referee: battle/B1.M1 winner=A", "answer battle/B1.M1 winner=A"])
def test_an_answer_about_a_battle_to_come_says_how_to_tell_it_now(book: Path, line: str) -> None:
    """What it says can be typed back."""
    [told] = take_lines(book, line).findings
    assert (told.code, told.data["now"]) == ("ARB-092", "battle")
    done = take_lines(book, str(told.data["example"]))
    assert (done.exit, [one["words"] for one in done.data["taken"]]) == (Exit.DONE, ["Winner A"])


def test_a_source_that_is_not_there_is_said(book: Path) -> None:
    """Exit code 5."""
    result = desk.take_orders(book, [Input("no.csv", path=book.parent / "no.csv")])

    assert (result.exit, [f.code for f in result.findings]) == (Exit.FILE, ["ARB-075"])


LISTED = ("1. V6 V7", "2) V8 V9", "- V9 V10", "• *V10 V11*", "“V11 V12”", "3. 20 V12 V13")
BARE = ("V6 V7", "V8 V9", "V9 V10", "V10 V11", "V11 V12", "20 V12 V13")


@pytest.fixture
def italy(tmp_path: Path) -> Path:
    """A new campaign of Il Giglio, whose lines may begin with the Ducats of an order."""
    return new_campaign(tmp_path / "m.xlsx")


def ducats(book: Path) -> dict[str, object]:
    """What each line of Orders pays, as its phase reads it."""
    campaign = campaign_of(book)
    return {row.text: read_row(as_order_book(GIGLIO.verbs), campaign, row).amount for row in campaign.table(Order)}


@pytest.mark.parametrize("door", fast_among(["typed", "text", "csv"], "text"))
def test_no_ducats_come_from_the_number_of_a_list(italy: Path, tmp_path: Path, door: str) -> None:
    """A numbered line pays what it says behind its number; as typed, in a text file, and in the column of words."""
    file = tmp_path / f"mail.{'csv' if door == 'csv' else 'txt'}"
    file.write_text("faction;text\n" + "\n".join(f'V;"{line}"' for line in LISTED) if door == "csv" else
                    "\n".join(LISTED), encoding="utf-8")
    typed = Input("mail", text="\n".join(LISTED)) if door == "typed" else Input("mail", path=file)

    taken = desk.take_orders(italy, [typed], faction="V", lang="en").data["taken"]

    said = [one["words"] for one in taken]
    assert len(said) == len(BARE)
    assert [line for line in said if "Ducats" in line] == said[-1:]
    assert "Ducats 20" in said[-1]
    assert sorted(map(str, ducats(italy).values())) == [*[""] * 5, "20"]


@pytest.mark.slow
def test_a_line_is_the_same_with_its_number_and_without(italy: Path) -> None:
    """Whoever sends his list again without the numbers has sent nothing new."""
    desk.take_orders(italy, [Input("mail", text="\n".join(LISTED))], faction="V")

    again = desk.take_orders(italy, [Input("mail", text="\n".join(BARE))], faction="V")

    assert {one["how"] for one in again.data["taken"]} == {"same"}


def test_a_mark_may_stand_behind_whose_line_it_is(book: Path) -> None:
    """``A: 1. M1``, and the club in bold letters."""
    take_lines(book, "A: 1) M1", "*B:* M1", "1. die spoils:B1.M1 6")

    assert [(o.faction, o.text) for o in campaign_of(book).by_sheet("Orders")] == [("A", "M1"), ("B", "M1")]
    assert campaign_of(book).by_sheet("Dice")["spoils:B1.M1"].value == "6"


@pytest.mark.slow
def test_an_early_answer_by_its_name_alone_waits_for_its_phase(italy: Path, tmp_path: Path) -> None:
    """A file that gives only name and answer is for the phase that the name says, not for the present one; for a phase
    that is over it is refused.
    """
    file = tmp_path / "answers.csv"
    file.write_text("question,answer\n1500.open.move_order.V,draw\n1500.r1.siege.bribe.V.F8,25\n", encoding="utf-8")
    given = desk.take_orders(italy, [Input("answers", path=file)])
    desk.resolve(italy, until="budget")
    late = desk.take_orders(italy, [Input("answers", path=_written(file, "1500.budget.ally_confirm.V.P,accept"))])

    assert [(row["phase"], row["how"]) for row in given.data["taken"]] == [("open", "new"), ("r1.siege", "new")]
    assert (late.exit, [f.code for f in late.findings]) == (Exit.REFUSED, ["ARB-093"])


def _written(file: Path, *rows: str) -> Path:
    file.write_text("\n".join(["question,answer", *rows]) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("heading", ["V:", "Venezia:", "**v :**"])
def test_a_heading_says_whose_the_lines_below_are(italy: Path, heading: str) -> None:
    """A code or a name with a colon and nothing else, until the next one; a line with its own beginning is its own."""
    lines = [heading, "loan 30", "F: loan 20", "V6 V7", "", "referee:", "die event:V:1500 3"]

    result = take_lines(italy, "\n".join(lines))

    assert (result.exit, [row["faction"] for row in result.data["taken"]]) == (Exit.DONE, ["V", "F", "V", ""])


@pytest.mark.parametrize("lines", [["V:"], ["V:", "F:", "loan 20"]])
def test_a_heading_with_nothing_below_is_named(italy: Path, lines: list[str]) -> None:
    """It says whose, but not what."""
    result = take_lines(italy, "\n".join(lines))

    assert (result.exit, [(f.code, str(f.data["text"])) for f in result.findings if f.stops]) == (
        Exit.REFUSED, [("ARB-089", "V:")])
