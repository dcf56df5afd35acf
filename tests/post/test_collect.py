"""`arbitro collect`: of what clubs send back the newest counts, nothing is lost in silence, and undo takes it back."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.desk.clubs.collect import collect_all
from assistant.desk.clubs.read_copies import Arrival
from assistant.desk.results import Result
from assistant.desk.workspace.workspace import Workspace, club_codes, open_workspace
from tests import hand
from tests.playing import members
from tests.post.filling import SUNDAY, as_excel_writes, as_google_writes, filled, packed

GO, WAIT = {"Verb": "go", "To": "M1"}, {"Verb": "go", "To": "A1"}
VAI = {"Verbo": "vai", "Verso": "M1"}


def take_arrivals(workspace: Workspace, arrivals: list[Arrival], **how: Any) -> Result:
    """What is said of what has arrived, from wherever."""
    return collect_all(workspace, arrivals, **how)[0]


def collected(book: Path, **how: Any) -> Result:
    """What `collect` says of the folder ``in``."""
    return desk.collect(book, [book.parent / "in"], lang="en", **how)


def orders(book: Path, faction: str = "A") -> list[tuple[str, str, str]]:
    """Number, verb and goal of a faction's orders, those that count first."""
    rows = [row for row in open_workspace(book, "en").campaign.by_sheet("Orders") if row.faction == faction]
    return [(row.order, row.verb, row.target) for row in sorted(rows, key=lambda row: row.seq or 0)]


def codes(result: Result) -> list[str]:
    """The codes of the findings, those of collecting alone."""
    return [finding.code for finding in result.findings if finding.code.startswith("ARB")]


def copy(book: Path, faction: str = "A") -> Path:
    """The copy of a faction as it was sent."""
    return book.parent / "out" / f"war-{faction}.xlsx"


def put(book: Path, name: str, data: bytes, at: int = SUNDAY) -> Path:
    """A file in the folder ``in``."""
    path = book.parent / "in" / name
    path.write_bytes(data)
    os.utime(path, (at, at))
    return path


# --- what counts ------------------------------------------------------------------------------
@pytest.mark.slow
def test_filled_copies_become_their_clubs_orders(book: Path) -> None:
    """Both are taken in one step of the ledger, and each club is answered in its own language."""
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO])
    filled(copy(book, "B"), book.parent / "in" / "war-B.xlsx", [VAI])

    result = collected(book, receipts=book.parent / "receipts", pictures=True)

    assert (result.exit, codes(result)) == (desk.Exit.DONE, [])
    assert orders(book) == [("1-march-A-1", "go", "M1")]
    assert [(row["how"], row["source"]) for row in result.data["taken"]] == [
        ("new", "war-A.xlsx"), ("new", "war-B.xlsx")]
    receipts = result.data["receipts"]
    assert receipts["A"].splitlines() == [
        "Your line counts.", "What came from Ashford: war-A.xlsx, 2026-12-06 09:00", "", "This counts, for 1, March:",
        "- go, To M1 (1-march-A-1)", "", "Nothing is missing."]
    assert receipts["B"].splitlines()[3:] == [
        "Questo conta, per 1, Marcia:", "- vai, Verso M1 (1-march-B-1)", "", "Non manca nulla."]
    assert (book.parent / "receipts" / "war-B-receipt.txt").read_text() == result.data["receipts"]["B"]
    assert {path.suffix for path in (book.parent / "receipts").glob("war-B-receipt.*")} == {".txt", ".png"}


def test_the_newest_counts_and_the_older_is_named(book: Path) -> None:
    """Whatever the files are called; one order each, and the older one's does not stand beside it."""
    filled(copy(book), book.parent / "in" / "z.xlsx", [GO], at=SUNDAY)
    filled(copy(book), book.parent / "in" / "a.xlsx", [WAIT], at=SUNDAY + 600)

    result = collected(book)

    assert orders(book) == [("1-march-A-1", "go", "A1")]
    assert [(f.data["file"], f.data["other"]) for f in result.findings if f.code == "ARB-362"] == [("z.xlsx", "a.xlsx")]
    assert result.exit == desk.Exit.DONE


@pytest.mark.slow
def test_a_newer_copy_changes_and_withdraws_what_was_collected(book: Path) -> None:
    """An order that says the same stays, another takes the place of one that is gone, the rest are withdrawn."""
    filled(copy(book), book.parent / "in" / "1.xlsx", [GO, WAIT, {"In words": "M1"}])
    collected(book)
    filled(copy(book), book.parent / "in" / "2.xlsx", [WAIT, {"In words": "A1"}], at=SUNDAY + 600)

    result = collected(book)

    assert {row["id"]: row["how"] for row in result.data["taken"]} == {
        "1-march-A-2": "same", "1-march-A-1": "changed", "1-march-A-3": "withdrawn"}
    rows = open_workspace(book, "en").campaign.by_sheet("Orders")
    assert [(row.order, row.target, row.text, row.seq) for row in sorted(rows, key=lambda row: row.seq or 9)] == [
        ("1-march-A-2", "A1", "", 1), ("1-march-A-1", "", "A1", 2), ("1-march-A-3", "", "", None)]


def test_what_the_referee_took_otherwise_stays(book: Path) -> None:
    """An order that came by telephone is not withdrawn by a copy in which it never stood."""
    desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [WAIT])

    collected(book)

    assert [row[0] for row in orders(book)] == ["1-march-A-1", "1-march-A-2"]


@pytest.mark.slow
def test_what_stood_in_a_copy_and_was_taken_out_is_withdrawn(book: Path) -> None:
    """The referee had typed it, the copy went out with it, and its club has deleted the row."""
    desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])
    desk.share(book, book.parent / "out", only=["A"])

    def without_first(workbook: Any) -> None:
        workbook.worksheets[1].delete_rows(5)

    filled(copy(book), book.parent / "in" / "war-A.xlsx", [WAIT], change=without_first)
    result = collected(book)

    assert [row["how"] for row in result.data["taken"]] == ["changed"]
    assert orders(book) == [("1-march-A-1", "go", "A1")]


def test_two_of_one_minute_that_differ_are_shown_and_neither_is_taken(book: Path) -> None:
    """The other club's is taken all the same; when one of the two is gone, the other counts."""
    filled(copy(book), book.parent / "in" / "one.xlsx", [GO], at=SUNDAY)
    filled(copy(book), book.parent / "in" / "two.xlsx", [WAIT], at=SUNDAY + 59)
    filled(copy(book, "B"), book.parent / "in" / "war-B.xlsx", [VAI])

    result = collected(book)

    assert (result.exit, orders(book), len(orders(book, "B"))) == (desk.Exit.REFUSED, [], 1)
    assert "ARB-363" in codes(result)
    assert [line for line in result.lines if line.startswith("  A:")] == ["  A: go, To M1", "  A: go, To A1"]
    (book.parent / "in" / "two.xlsx").unlink()
    assert (collected(book).exit, orders(book)) == (desk.Exit.DONE, [("1-march-A-1", "go", "M1")])


def test_the_same_twice_counts_once(book: Path) -> None:
    """Also within a minute, and saved with other bytes."""
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO])
    put(book, "war-A (1).xlsx", as_google_writes((book.parent / "in" / "war-A.xlsx").read_bytes()), SUNDAY + 5)

    result = collected(book)

    assert (result.exit, len(orders(book)), codes(result)) == (desk.Exit.DONE, 1, ["ARB-367", "ARB-361"])


def test_collecting_again_changes_nothing(book: Path) -> None:
    """What the referee has changed since in the workbook stays as it is."""
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO])
    collected(book)
    desk.take_orders(book, [desk.Input("A: A1", text="A: A1")])
    before = book.read_bytes()

    result = collected(book)

    assert (result.exit, result.data["taken"], book.read_bytes() == before) == (desk.Exit.DONE, [], True)
    assert "Ashford: war-A.xlsx was taken before." in result.lines


def test_an_untouched_copy_replaces_nothing(book: Path) -> None:
    """It came after the filled one: what was ordered stands, and it is named."""
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO])
    put(book, "thanks.xlsx", copy(book).read_bytes(), SUNDAY + 6_000)

    result = collected(book)

    assert orders(book) == [("1-march-A-1", "go", "M1")]
    assert codes(result) == ["ARB-360"]


@pytest.mark.slow
def test_an_untouched_copy_with_orders_in_it_replaces_nothing_either(book: Path) -> None:
    """It went out with one order; since then another has been collected."""
    desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])
    desk.share(book, book.parent / "out", only=["A"])
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [WAIT])
    collected(book)
    put(book, "thanks.xlsx", copy(book).read_bytes(), SUNDAY + 6_000)

    assert codes(collected(book)) == ["ARB-360"]
    assert len(orders(book)) == 2


def test_an_older_file_that_comes_later_does_not_count(book: Path) -> None:
    """What was collected is newer: the file is named, and nothing of it is taken."""
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO], at=SUNDAY + 600)
    collected(book)
    (book.parent / "in" / "war-A.xlsx").unlink()
    filled(copy(book), book.parent / "in" / "late.xlsx", [WAIT], at=SUNDAY)

    result = collected(book)

    assert (codes(result), orders(book)) == (["ARB-362"], [("1-march-A-1", "go", "M1")])


@pytest.mark.slow
def test_rows_count_in_the_order_in_which_they_stand(book: Path) -> None:
    """The club has swapped two rows: the same orders, in the other order."""
    filled(copy(book), book.parent / "in" / "1.xlsx", [GO, WAIT])
    collected(book)
    filled(copy(book), book.parent / "in" / "2.xlsx", [WAIT, GO], at=SUNDAY + 600)

    result = collected(book)

    assert [row[2] for row in orders(book)] == ["A1", "M1"]
    assert [row["how"] for row in result.data["taken"]] == ["changed", "changed"]


# --- a look beforehand, and back --------------------------------------------------------------
def test_a_dry_run_shows_and_writes_nothing(book: Path) -> None:
    """Line by line what stood and what would count; workbook and ledger keep their bytes."""
    filled(copy(book), book.parent / "in" / "1.xlsx", [GO])
    collected(book)
    filled(copy(book), book.parent / "in" / "2.xlsx", [WAIT], at=SUNDAY + 600)
    before = {path.name: path.read_bytes() for path in book.parent.iterdir() if path.is_file()}

    result = collected(book, dry_run=True, receipts=book.parent / "receipts")

    assert "  1-march-A-1: stood: A: go, To M1; would count: A: go, To A1" in result.lines
    assert {path.name: path.read_bytes() for path in book.parent.iterdir() if path.is_file()} == before
    assert not (book.parent / "receipts").exists()


def table_rows(book: Path) -> dict[str, list[dict[str, str]]]:
    """All rows of a workbook by their sheets, without the marks of changes."""
    campaign = open_workspace(book, "en").campaign
    campaign.desk.marks = ""
    return {sheet: [row.as_text() for row in table] for sheet, table in campaign.tables().items()}


@pytest.mark.slow
def test_undo_takes_back_what_was_collected(book: Path) -> None:
    """The orders are as they were, and what came stays on its sheet; redo brings the orders back, and after undo the
    folder counts anew.
    """
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO])
    before = {sheet: rows for sheet, rows in table_rows(book).items() if sheet != "Inbox"}
    collected(book)

    undone = desk.undo(book, lang="en")

    after = table_rows(book)
    assert (undone.exit, len(after.pop("Inbox")), after == before) == (desk.Exit.DONE, 1, True)
    assert desk.redo(book).exit == desk.Exit.DONE
    assert orders(book) == [("1-march-A-1", "go", "M1")]
    desk.undo(book)
    assert [row["how"] for row in collected(book).data["taken"]] == ["new"]


@pytest.mark.slow
def test_undo_keeps_what_was_typed_since(book: Path) -> None:
    """A line of the referee's, and a collected order that was typed over."""
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO, WAIT])
    collected(book)
    workbook = hand.opened(book)
    cells = {str(cell.value): cell for row in workbook["Orders"].iter_rows() for cell in row}
    heads = {str(cell.value).strip(): place for row in workbook["Orders"].iter_rows()
             for place, cell in enumerate(row, 1) if cell.value}
    workbook["Orders"].cell(cells["1-march-A-2"].row or 0, heads["To"]).value = "B1"
    workbook.save(book)
    desk.take_orders(book, [desk.Input("B: M1", text="B: M1")])

    desk.undo(book)

    assert (orders(book), [row[0] for row in orders(book, "B")]) == ([("1-march-A-2", "go", "B1")], ["1-march-B-1"])


# --- told apart -------------------------------------------------------------------------------
def swollen(data: bytes, declared: int, real: int) -> bytes:
    """A workbook with a part of zeros that is `real` bytes long, and says of itself that it is `declared`."""
    packed_whole = bytearray(packed({**members(data), "xl/media/blob.bin": bytes(real)}))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = packed_whole.rfind(mark, 0, packed_whole.rfind(b"xl/media/blob.bin") if mark == b"PK\x03\x04"
                                else len(packed_whole))
        at = packed_whole.find(mark) if at < 0 else at
        while packed_whole[at:at + 4] != mark or b"xl/media/blob.bin" not in packed_whole[at:at + 80]:
            at = packed_whole.rfind(mark, 0, at)
        struct.pack_into("<I", packed_whole, at + place, declared)
    return bytes(packed_whole)


def with_macros(data: bytes) -> bytes:
    """A workbook to which somebody has added a VBA project."""
    parts = members(data)
    rels = parts["xl/_rels/workbook.xml.rels"]
    parts["xl/vbaProject.bin"] = b"\xd0\xcf\x11\xe0"
    parts["xl/_rels/workbook.xml.rels"] = rels.replace(b"</Relationships>", (
        b'<Relationship Id="rIdVba" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject"'
        b' Target="vbaProject.bin"/></Relationships>'))
    return packed(parts)


TOLD = {
    "ARB-155": ("war-A.xlsm", with_macros),
    "ARB-002": ("war-A.xlsx", lambda data: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode(
        "utf-16-le") + bytes(500)),
    "ARB-003": ("war-A.xlsx", lambda data: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1_000)),
    "ARB-005": ("war-A.xlsx", lambda data: swollen(data, 1_000, 129 * 2**20)),
    "ARB-284": ("war-A.xlsx", lambda data: data[:len(data) // 2]),
    "ARB-150": ("war-A.xlsx", lambda data: packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
                                                   "content.xml": b"<a/>"})),
    "ARB-379": ("photo.jpg", lambda data: b"\xff\xd8\xff"),
}


@pytest.mark.parametrize("code", [pytest.param(code, marks=pytest.mark.slow) if code == "ARB-005" else code
                                  for code in TOLD])
def test_what_cannot_be_taken_is_told_apart(book: Path, code: str) -> None:
    """By its content, whatever it is called; the other file of the folder is taken all the same."""
    name, made = TOLD[code]
    put(book, name, made(copy(book).read_bytes()))
    filled(copy(book, "B"), book.parent / "in" / "war-B.xlsx", [VAI])

    result = collected(book)

    assert (result.exit, codes(result), len(orders(book, "B"))) == (desk.Exit.REFUSED, [code], 1)
    assert name in "".join(result.finding_lines())


def test_a_size_is_what_is_really_inflated(book: Path) -> None:
    """A file of no size that declares one of 300 MB is damaged, not too large."""
    put(book, "war-A.xlsx", swollen(copy(book).read_bytes(), 300 * 2**20, 10))

    assert codes(collected(book)) == ["ARB-284"]


@pytest.mark.slow
def test_copies_of_others_and_of_other_times_are_told_apart(book: Path, tmp_path: Path) -> None:
    """No code of this campaign, one that was renewed, another turn; the public copy; a whole workbook."""
    def no_code(workbook: Any) -> None:
        workbook.worksheets[0]["F6"] = "ARB-2222-2222-22"

    def old_turn(workbook: Any) -> None:
        sheet = workbook.worksheets[0]
        row = next(row for row in sheet.iter_rows() if str(row[1].value).strip() == "Turn")
        row[2].value = "0"

    into = book.parent / "in"
    filled(copy(book, "B"), into / "renewed.xlsx", [VAI])
    desk.share(book, tmp_path / "new", renew="B")
    filled(copy(book), into / "foreign.xlsx", [GO], change=no_code)
    filled(copy(book), into / "stale.xlsx", [GO], change=old_turn)
    shutil.copy(copy(book, "public"), into / "war-public.xlsx")
    shutil.copy(book, into / "whole.xlsx")

    result = collected(book)

    assert {f.data["file"]: f.code for f in result.findings} == {
        "foreign.xlsx": "ARB-340", "renewed.xlsx": "ARB-341", "stale.xlsx": "ARB-342", "war-public.xlsx": "ARB-368",
        "whole.xlsx": "ARB-369"}
    assert (result.exit, orders(book), orders(book, "B")) == (desk.Exit.REFUSED, [], [])


def test_a_cell_that_is_no_input_and_came_back_changed_is_named(book: Path) -> None:
    """With its place, what stands there and what was sent; the orders are taken."""
    def richer(workbook: Any) -> None:
        sheet = workbook["Factions"]
        gold = next(cell.column for row in sheet.iter_rows(max_row=12) for cell in row if cell.value == "Gold")
        sheet.cell(next(row[0].row for row in sheet.iter_rows() if row[0].value == "A"), gold).value = 500

    filled(copy(book), book.parent / "in" / "war-A.xlsx", [GO], change=richer)

    result = collected(book)

    assert [(f.code, f.data["seen"], f.data["was"]) for f in result.findings] == [("ARB-364", "500", "0")]
    assert str(result.findings[0].data["cell"]).startswith("Factions!")
    assert (result.exit, len(orders(book))) == (desk.Exit.DONE, 1)


def test_a_copy_of_an_earlier_phase_is_not_accused(book: Path) -> None:
    """The armies have marched since it was sent: it shows what its club knew then, and comes too late."""
    desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    desk.resolve(book)
    filled(copy(book), book.parent / "in" / "war-A.xlsx", [WAIT])

    result = collected(book)

    assert (result.exit, codes(result)) == (desk.Exit.REFUSED, ["ARB-090"])


# --- answers, texts, CSVs ---------------------------------------------------------------------
@pytest.fixture
def asked(book: Path) -> Path:
    """Both armies met, both clubs are asked whether they stand, and have copies with that question."""
    desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    assert desk.resolve(book, until="clash").exit == desk.Exit.WAITING
    assert desk.share(book, book.parent / "out").exit == desk.Exit.DONE
    return book


def answering(*answers: str | None) -> Any:
    """A club types its answers into the sheet of questions."""
    def change(workbook: Any) -> None:
        sheet = next(one for one in workbook if one.title in ("Questions", "Domande"))
        head, column = next((cell.row, cell.column) for row in sheet.iter_rows(max_row=12) for cell in row
                            if str(cell.value).strip() in ("Answer", "Risposta"))
        for number, answer in enumerate(answers, head + 1):
            sheet.cell(number, column).value = answer

    return change


def answer_of(book: Path, faction: str) -> str:
    """What a faction has answered."""
    return str(
        next(row.answer for row in open_workspace(book, "en").campaign.by_sheet("Questions") if row.to == faction)
    )


@pytest.mark.slow
def test_answers_come_back_and_are_withdrawn(asked: Path) -> None:
    """A newer copy in which the answer is blank again takes it back: the club is asked still."""
    filled(copy(asked), asked.parent / "in" / "1.xlsx", change=answering("flee"))
    first = collected(asked)
    given = answer_of(asked, "A")
    filled(copy(asked), asked.parent / "in" / "2.xlsx", [GO | {"To": "B1"}], at=SUNDAY + 600)

    second = collected(asked)

    assert ([row["how"] for row in first.data["taken"]], given) == (["new"], "flee")
    assert ("withdrawn", answer_of(asked, "A")) == (second.data["taken"][0]["how"], "")


@pytest.mark.slow
def test_an_answer_that_can_never_count_is_refused_alone(asked: Path) -> None:
    """The other club's answer is taken; what is missing is said to both, to the referee and to the club."""
    filled(copy(asked), asked.parent / "in" / "war-A.xlsx", change=answering("run"))
    filled(copy(asked, "B"), asked.parent / "in" / "war-B.xlsx", change=answering("stand"))

    result = collected(asked)

    assert (result.exit, answer_of(asked, "A"), answer_of(asked, "B")) == (desk.Exit.REFUSED, "", "stand")
    assert result.data["missing"] == {"A": ["answer: Middle (M1): stand or flee?"], "B": []}
    assert [f.faction for f in result.findings if f.code == "ARB-366"] == [""]
    assert "- answer: Middle (M1): stand or flee?" in result.data["receipts"]["A"].splitlines()


def test_texts_and_csvs_are_collected_too(book: Path) -> None:
    """A text with the club's code needs no name before its lines; a CSV says whose its rows are."""
    code = club_codes(open_workspace(book, "en")).now["A"]
    put(book, "whatsapp.txt", f"Ecco gli ordini\n\ncodice: {code.lower()}\nM1\n".encode("utf-16"))
    put(book, "orders.csv", b"faction;verb;target\nB;go;M1\n")

    result = collected(book)

    assert [row["source"] for row in result.data["taken"]] == ["whatsapp.txt", "orders.csv"]
    assert codes(result) == ["ARB-089"]
    receipt = result.data["receipts"]["A"].splitlines()
    assert receipt[0] == "1 of 2 lines counts."
    assert receipt[3:5] == ["This does not count yet:", "- 1. 'Ecco gli ordini' was not understood."]
    assert (len(orders(book)), orders(book, "B")) == (1, [("1-march-B-1", "go", "M1")])


def test_a_number_that_a_csv_gives_twice_is_one_order(book: Path) -> None:
    """The second row says what counts; nothing fails over it."""
    put(book, "orders.csv", b"order;faction;verb;target\nX;A;go;M1\nX;A;go;M1\nY;A;go;A1\n")

    collected(book)

    assert {row[2] for row in orders(book)} == {"M1", "A1"}


def test_a_text_with_two_codes_is_asked(book: Path) -> None:
    """Nobody can say whose its lines are; with a code, no line counts for another club."""
    known = club_codes(open_workspace(book, "en")).now
    put(book, "both.txt", f"{known['A']}\n{known['B']}\nM1\n".encode())
    put(book, "other.txt", f"{known['A']}\nB: M1\n".encode())

    assert codes(collected(book)) == ["ARB-370", "ARB-330"]
    assert (orders(book), orders(book, "B")) == ([], [])


def test_what_came_in_one_piece_is_one(book: Path) -> None:
    """As a mail brings a copy and lines: the lines are added after the copy's rows."""
    code = club_codes(open_workspace(book, "en")).now["A"]
    data = filled(copy(book), book.parent / "x.xlsx", [GO]).read_bytes()

    result = take_arrivals(open_workspace(book, "en"), [Arrival("mail 7", SUNDAY, f"{code}\nA1".encode(), "7"),
                                       Arrival("war-A.xlsx", SUNDAY, data, "7")])

    assert (result.exit, [row["how"] for row in result.data["taken"]]) == (desk.Exit.DONE, ["new", "new"])
    assert [row[2] for row in orders(book)] == ["M1", ""]


def lines(book: Path, text: str, minute: int, faction: str = "A") -> Arrival:
    """Lines of a club, as a mail brings them, so many minutes into the evening."""
    code = club_codes(open_workspace(book, "en")).now[faction]
    return Arrival(f"mail {minute}", SUNDAY + 60 * minute, f"{code}\n{text}".encode(), str(minute))


@pytest.mark.slow
def test_lines_are_added_and_withdraw_nothing(book: Path) -> None:
    """A later mail of lines leaves the copy's orders as they are, taken before or with it; a line that comes once more
    counts last; a newer copy stands for all of them.
    """
    data = filled(copy(book), book.parent / "x.xlsx", [GO]).read_bytes()
    form, first, again = Arrival("war-A.xlsx", SUNDAY, data, "0"), lines(book, "A1", 5), lines(book, "M1", 10)

    together = take_arrivals(open_workspace(book, "en"), [form, first])
    seen_again = take_arrivals(open_workspace(book, "en"), [form, first])
    third = take_arrivals(open_workspace(book, "en"), [again, lines(book, "A1", 15)])
    rows = sorted(open_workspace(book, "en").campaign.by_sheet("Orders"), key=lambda row: row.seq or 0)
    words = [row.text or row.target for row in rows]
    newest = filled(copy(book), book.parent / "y.xlsx", [WAIT]).read_bytes()
    at_last = take_arrivals(
        open_workspace(book, "en"), [form, first, again, Arrival("new.xlsx", SUNDAY + 6000, newest, "9")]
    )

    assert [one["how"] for one in together.data["taken"]] == ["new", "new"]
    assert seen_again.data["taken"] == []
    assert [one["how"] for one in third.data["taken"]] == ["new", "changed"]
    assert words == ["M1", "M1", "A1"]
    assert [order[1:] for order in orders(book) if order[1]] == [("go", "A1")]
    assert codes(at_last).count("ARB-362") == 3


@pytest.mark.slow
def test_a_line_takes_back_an_order_or_all(book: Path) -> None:
    """``withdraw`` with an order's number, or ``annulla tutto``; what the referee took otherwise stays."""
    desk.take_orders(book, [desk.Input("telephone", text="A: M1")])
    take_arrivals(open_workspace(book, "en"), [lines(book, "A1", 0)])
    [mine] = [row[0] for row in orders(book) if row[0] != "1-march-A-1"]

    one = take_arrivals(open_workspace(book, "en"), [lines(book, f"Ritira {mine.upper()}.", 5)])
    take_arrivals(open_workspace(book, "en"), [lines(book, "B1", 10)])
    every = take_arrivals(open_workspace(book, "en"), [lines(book, "annulla tutto\nM1", 15)])

    assert [row["how"] for row in one.data["taken"]] == ["withdrawn"]
    assert sorted(row["how"] for row in every.data["taken"]) == ["same", "withdrawn"]
    left = [row.text for row in open_workspace(book, "en").campaign.by_sheet("Orders") if row.text]
    assert left == ["M1"]


@pytest.mark.slow
def test_an_order_that_was_taken_back_stays_so_where_all_is_collected_anew(book: Path) -> None:
    """`undo` has taken both back, and they come again in one step; of two that are taken back each counts, and a number
    under which nothing stood is told.
    """
    code = club_codes(open_workspace(book, "en")).now["A"]
    put(book, "1.txt", f"{code}\nM1\n".encode())
    collected(book)
    [mine] = [row[0] for row in orders(book)]
    put(book, "2.txt", f"{code}\nwithdraw {mine}\n".encode(), SUNDAY + 600)
    collected(book)
    again = collected(book)
    assert desk.undo(book, steps=2).exit == desk.Exit.DONE
    anew = collected(book)
    put(book, "3.txt", f"{code}\nwithdraw 1-march-A-9\n".encode(), SUNDAY + 1200)

    assert (again.data["taken"], codes(again)) == ([], [])
    assert [(row["how"], row["before"]) for row in anew.data["taken"]] == [("new", ""), ("withdrawn", "A: go, To M1")]
    assert [row.text for row in open_workspace(book, "en").campaign.by_sheet("Orders")] == [""]
    assert "ARB-384" in codes(collected(book))


@pytest.mark.parametrize("form", [as_google_writes, as_excel_writes])
def test_what_other_programs_write_is_read_like_any_other(book: Path, form: Any) -> None:
    """In the forms of Google Sheets and of Excel, which were made by hand."""
    data = filled(copy(book), book.parent / "x.xlsx", [GO]).read_bytes()
    put(book, "war-A.xlsx", form(data))

    result = collected(book)

    assert (result.exit, codes(result), orders(book)) == (desk.Exit.DONE, [], [("1-march-A-1", "go", "M1")])


def test_an_empty_folder_and_none_at_all(book: Path) -> None:
    """Nothing came: 0, and it is said; a folder that is not there: 5."""
    assert [(one.exit, codes(one)) for one in (collected(book), desk.collect(book, [book.parent / "nowhere"]))] == [
        (desk.Exit.DONE, ["ARB-371"]), (desk.Exit.FILE, ["ARB-251"])]
