"""The sheet Inbox: whatever came stands there, and what the referee decides at its cell is done.

Mails pass a real mailbox (Dovecot); what is decided is typed into the file as a spreadsheet program saves it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl
import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.campaign.records import InboxRow, Order
from assistant.desk.workspace.workspace import club_codes, open_workspace
from assistant.testing.cases import campaign_of
from assistant.turn.absence import waiting_mail
from assistant.workbook.file_book import read_workbook
from tests.buttons.benches import ExcelBench
from tests.desk.conftest import copied
from tests.fresh import new_campaign
from tests.playing import take_lines
from tests.post.filling import SUNDAY, filled
from tests.post.mails import OTHER, raw, zipped
from tests.post.mails import book as nothing_but_a_zip
from tests.post.servers import Machine
from tests.post.test_collect import GO, WAIT, collected, copy, put
from tests.post.test_mail_door import arrives
from tests.post.test_mail_door import collected as collected_mail
from tests.post.test_sending import YES, read

AUTOMATIC = {"Auto-Submitted": "auto-generated"}


class Row(NamedTuple):
    """What a row says."""

    sender: str
    club: str
    held: str
    verdict: str
    reading: str


def rows(book: Path) -> list[Row]:
    """The rows of the Inbox."""
    return [Row(row.sender, row.club, row.held, row.verdict, row.reading) for row in campaign_of(book).table(InboxRow)]


def verdicts(book: Path) -> list[tuple[str, str]]:
    """Of each row whose it is and what became of it."""
    return [(row.club, row.verdict) for row in rows(book)]


def decide(book: Path, *typed: tuple[int, str], club: str = "") -> None:
    """Words typed into the column Decide (and a club into its own), saved as a program saves a workbook."""
    opened: Any = openpyxl.load_workbook(book)
    sheet = opened["Inbox" if "Inbox" in opened.sheetnames else "Posta"]
    heads = {str(cell.value).strip(): cell.column for cell in sheet[4]}
    number, word, whose = (heads.get(en) or heads[it] for en, it in (
        ("No.", "N."), ("Decide", "Decidi"), ("Club", "Circolo")))
    for row in sheet.iter_rows(min_row=5):
        for no, text in typed:
            if row[number - 1].value == no:
                row[word - 1].value, row[whose - 1].value = text, club or row[whose - 1].value
    opened.save(book)


def orders(book: Path) -> set[tuple[str, str]]:
    """The orders: faction and where they lead."""
    table: Any = campaign_of(book).table(Order)
    return {(row.faction, row.text or row.target) for row in table}


@pytest.fixture
def war(unplayed: Path, tmp_path: Path) -> Path:
    """Nobody has ordered anything yet; both clubs have addresses."""
    return copied(unplayed, tmp_path / "war")


def code(book: Path, faction: str = "A") -> str:
    """The code of a club."""
    return club_codes(open_workspace(book, "en")).now[faction]


def mailed(machine: Machine, book: Path, text: str, subject: str = "{A}", sender: str = "anna@a.test", name: str = "m1",
           **more: Any) -> desk.Result:
    """A mail into the mailbox, and what collecting says. `subject`: with the clubs' codes by their letters."""
    subject = subject.replace("{A}", code(book)).replace("{B}", code(book, "B"))
    headers = {"From": sender, "Message-ID": f"<{name}@club>", **more.pop("headers", {})}
    arrives(machine, raw(text, subject=subject, headers=headers, **more))
    return collected_mail(book)


# --- what stands there ------------------------------------------------------------------------------------
@pytest.mark.slow
def test_automatic_mail_with_a_right_code_waits_for_the_referee_and_gets_no_receipt(ready: Machine, war: Path) -> None:
    """As Power Automate forwards what a club typed into a form; nothing of it counts before he says so."""
    arrives(ready, raw("M1", subject=code(war), headers=AUTOMATIC | {"From": "anna@a.test"}))
    result = collected_mail(war, answering=YES)

    assert rows(war) == [Row("anna@a.test", "A", "M1", "open", "a program sent it by itself")]
    assert (orders(war), ready.mails("anna@a.test"), result.data["waiting"]) == (set(), [], [1])

    decide(war, (1, "counts"))
    assert desk.resolve(war, lang="en").exit == desk.Exit.DONE
    assert orders(war) == {("A", "M1")}
    assert verdicts(war) == [("A", "counts")]


@pytest.mark.slow
def test_automatic_mail_with_a_copy_as_ods_is_no_silent_loss(ready: Machine, war: Path) -> None:
    """Its code stands in the file alone."""
    ods = zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
                  "content.xml": f"<x>{code(war)}</x>".encode()})
    mailed(ready, war, "", "orders", headers=AUTOMATIC, files=(("war-A.ods", ods),))
    assert verdicts(war) == [("A", "open")]


@pytest.mark.slow
def test_automatic_mail_of_a_club_without_its_code_stands_aside(ready: Machine, war: Path) -> None:
    """It stands there, stops nothing, and spares nobody; so does what has nothing to do with the campaign, with its
    subject alone, what a server says of a mail of ours, and mail of another campaign in the same mailbox.
    """
    mailed(ready, war, "M1", "orders", headers=AUTOMATIC, name="m1")
    mailed(ready, war, "Buy!", "offers", "shop@x.test", headers=AUTOMATIC, name="m2")
    mailed(ready, war, "No such user.", "Undeliverable: orders", "postmaster@x.test", headers=AUTOMATIC, name="m3")
    mailed(ready, war, "Read.", "Read: your report", "anna@a.test", headers=AUTOMATIC, name="m4")
    mailed(ready, war, "muovi V-1", f"Re: [Italia] {OTHER}", "zeno@z.test", name="m5")
    result = collected_mail(war, answering=YES)
    assert rows(war) == [
        Row("anna@a.test", "A", "M1", "aside", "a program sent it by itself"),
        Row("shop@x.test", "", "offers", "aside", "a program sent it by itself; it bears no code"),
        Row("postmaster@x.test", "", "Undeliverable: orders", "aside", "a server says that a mail did not arrive"),
        Row("anna@a.test", "", "Read: your report", "aside", "a program says that a mail arrived or was read"),
        Row("zeno@z.test", "", f"Re: [Italia] {OTHER}", "aside", "its code is of no club of this campaign")]
    assert (orders(war), result.data.get("waiting", []), waiting_mail(campaign_of(war))) == (set(), [], [])
    assert [ready.mails(to) for to in ("anna@a.test", "shop@x.test", "zeno@z.test")] == [[], [], []]


@pytest.mark.slow
def test_who_is_away_does_not_keep_a_phase_waiting(ready: Machine, war: Path) -> None:
    """A program's answer to our report stands there, and nobody has to decide; with an order in it somebody has."""
    away = {"Auto-Submitted": "auto-replied"}
    mailed(ready, war, "I am on holiday.", headers=away, name="m1")
    mailed(ready, war, "M1", headers=away, name="m2")
    assert [(row.held, row.verdict) for row in rows(war)] == [("I am on holiday.", "aside"), ("M1", "open")]


@pytest.mark.slow
def test_what_nobody_understood_waits_and_strangers_stand_aside(ready: Machine, war: Path) -> None:
    """Of mail that has nothing to do with the campaign only the subject; a known address names its club."""
    mailed(ready, war, "We go to the mill, perhaps.", name="m1")
    mailed(ready, war, "The secret minutes.", "Chess club", "carla@c.test", "m2")
    mailed(ready, war, "M1", "orders", "bruno@b.test", "m3")
    result = mailed(ready, war, "M1", "Re: {B}", "someone@else.test", "m4")

    assert [(row.sender, row.club, row.held, row.verdict) for row in rows(war)] == [
        ("anna@a.test", "A", "We go to the mill, perhaps.", "open"),
        ("carla@c.test", "", "Chess club", "aside"),
        ("bruno@b.test", "B", "M1", "aside"),
        ("someone@else.test", "B", "M1", "counts")]
    assert result.data["waiting"] == [1]
    assert "secret minutes" not in "".join(row.held + row.reading for row in rows(war))


@pytest.mark.slow
def test_last_turns_mail_waits_and_may_count(ready: Machine, war: Path) -> None:
    """The marked lines name another turn: a person says whether they count now."""
    text = "\n".join(["#===== ARBITRO: BEGIN =====", f"# Code {code(war)}, turn 7", "M1", "#===== ARBITRO: END ====="])
    mailed(ready, war, text)
    assert [(row.verdict, row.reading) for row in rows(war)] == [("open", "its block is of another turn")]
    decide(war, (1, "counts"))
    assert desk.decide(war, lang="en").exit == desk.Exit.DONE
    assert orders(war) == {("A", "M1")}


@pytest.mark.slow
def test_two_copies_in_one_mail_are_two_rows_and_one_of_them_counts(ready: Machine, war: Path) -> None:
    """Each with its name and what it says; the other is closed with it, and nothing is asked again."""
    desk.share(war, war.parent / "out")
    files = tuple((name, filled(copy(war), war.parent / name, [said]).read_bytes())
                  for name, said in (("first.xlsx", GO), ("last.xlsx", WAIT)))
    mailed(ready, war, "Here they are.", files=files)

    found = rows(war)
    assert [(row.club, row.verdict) for row in found] == [("A", "aside"), ("A", "open"), ("A", "open")]
    assert ["first.xlsx" in found[1].held, "A: go, To M1" in found[1].held, "last.xlsx" in found[2].held] == [True] * 3
    decide(war, (2, "counts"))
    result = collected_mail(war)
    assert (result.exit, orders(war), verdicts(war)[1:]) == (
        desk.Exit.DONE, {("A", "M1")}, [("A", "counts"), ("A", "does not")])


def test_two_files_of_one_minute_are_two_rows(book: Path) -> None:
    """Nobody knows which counts until the referee says it; then resolving goes on with that one."""
    for name, said, at in (("x.xlsx", GO, SUNDAY), ("y.xlsx", WAIT, SUNDAY + 20)):
        filled(copy(book), book.parent / "in" / name, [said], at=at)
    assert collected(book).exit == desk.Exit.REFUSED
    first, second = rows(book)
    assert ("x.xlsx" in first.held, "y.xlsx" in first.reading, "y.xlsx" in second.held) == (True, True, True)
    assert [first.verdict, second.verdict] == ["open", "open"]

    decide(book, (2, "counts"))
    result = collected(book)
    assert (result.exit, verdicts(book)) == (desk.Exit.DONE, [("A", "does not"), ("A", "counts")])
    assert orders(book) == {("A", "A1")}


def test_a_file_that_came_is_told_with_what_became_of_it(book: Path) -> None:
    """A copy that counts, its older one, one as it was sent, and what nobody can read."""
    filled(copy(book), book.parent / "in" / "old.xlsx", [WAIT], at=SUNDAY)
    filled(copy(book), book.parent / "in" / "new.xlsx", [GO], at=SUNDAY + 900)
    put(book, "blank.xlsx", copy(book, "B").read_bytes())
    put(book, "map.png", b"\x89PNG\r\n\x1a\n")
    collected(book)
    told = {row.held.split("\n")[0]: row for row in rows(book)}
    assert {name: (row.club, row.verdict) for name, row in told.items()} == {
        "old.xlsx": ("A", "aside"), "new.xlsx": ("A", "counts"), "blank.xlsx": ("B", "aside"), "map.png": ("", "aside")}
    assert told["new.xlsx"].reading == "A: go, To M1"
    assert "new.xlsx" in told["old.xlsx"].reading
    before = rows(book)
    collected(book)
    assert rows(book) == before


def test_a_file_that_the_referee_hands_in_needs_no_code(book: Path) -> None:
    """A line in it that names its club waits as that club's where nobody understood it, and keeps it from being silent;
    one that names none stands aside.
    """
    put(book, "table.txt", b"B: we go to the mill, perhaps\nB: answer whatever 7\nsee you on Thursday\n")
    result = collected(book)
    assert [(row.club, row.held, row.verdict) for row in rows(book) if row.held.split("\n")[0] != "table.txt"] == [
        ("B", "we go to the mill, perhaps", "open"), ("B", "whatever 7", "open"),
        ("", "see you on Thursday", "aside")]
    assert result.data["waiting"] == [row.no for row in campaign_of(book).table(InboxRow) if row.verdict == "open"]
    assert {row.club for row in waiting_mail(campaign_of(book))} == {"B"}


# --- the awkward mails ------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("text", "page"), [
    ("1. M1\n", "<ol><li>M1</li></ol>"), ("a. M1\n", '<ol type="a"><li>M1</li></ol>'), ("*M1*\n", "<p><b>M1</b></p>"),
    ("This mail needs HTML.\n", "<p>M1</p>")])
def test_twins_that_differ_only_in_marks_are_one_order(ready: Machine, war: Path, text: str, page: str) -> None:
    """List numbers, bold, or a text that only says that there is a page."""
    result = mailed(ready, war, text, html=page)
    assert ([one["faction"] for one in result.data["taken"]], verdicts(war)) == (["A"], [("A", "counts")])


@pytest.mark.slow
def test_twins_with_other_orders_are_asked_about(ready: Machine, war: Path) -> None:
    """Each reading is a row of its own; the one that counts closes the other."""
    mailed(ready, war, "M1\n", html="<p>A1</p>")
    assert [(row.held, row.verdict) for row in rows(war)] == [("M1", "open"), ("A1", "open")]
    decide(war, (2, "counts"))
    desk.decide(war)
    assert (orders(war), verdicts(war)) == ({("A", "A1")}, [("A", "does not"), ("A", "counts")])


@pytest.mark.slow
def test_a_zip_of_a_mac_holds_one_copy(ready: Machine, war: Path) -> None:
    """What the Mac puts beside it is no file."""
    desk.share(war, war.parent / "out")
    data = filled(copy(war), war.parent / "a.xlsx", [GO]).read_bytes()
    packed = zipped({"war-A.xlsx": data, "__MACOSX/._war-A.xlsx": nothing_but_a_zip(), "._war-A.xlsx": b"Mac OS X"})
    result = mailed(ready, war, "", "copy", files=(("orders.zip", packed),))
    assert (result.exit, [one["faction"] for one in result.data["taken"]], verdicts(war)) == (
        desk.Exit.DONE, ["A"], [("A", "counts")])


@pytest.mark.slow
@pytest.mark.parametrize("subject", ["both of us", "{A}"])
def test_two_clubs_copies_in_one_mail_count_each_for_its_club(ready: Machine, war: Path, subject: str) -> None:
    """And each club gets its receipt."""
    desk.share(war, war.parent / "out")
    files = (("a.xlsx", filled(copy(war), war.parent / "a.xlsx", [GO]).read_bytes()),
             ("b.xlsx", filled(copy(war, "B"), war.parent / "b.xlsx", [{"Verbo": "vai", "Verso": "B1"}]).read_bytes()))
    arrives(ready, raw("", subject=subject.replace("{A}", code(war)), headers={"From": "anna@a.test"}, files=files))
    result = collected_mail(war, answering=YES)
    assert (orders(war), verdicts(war)) == ({("A", "M1"), ("B", "B1")}, [("A", "counts"), ("B", "counts")])
    assert (result.data["answered"], len(ready.mails("bruno@b.test"))) == (["A", "B"], 1)


@pytest.mark.slow
def test_the_code_may_stand_in_a_text_that_hangs_on_a_mail(ready: Machine, war: Path) -> None:
    """Its lines are those of that club."""
    result = mailed(ready, war, "See the file.", "orders", files=(("orders.txt", f"{code(war)}\nM1\n".encode()),))
    assert ([one["faction"] for one in result.data["taken"]], orders(war)) == (["A"], {("A", "M1")})


@pytest.mark.slow
def test_the_code_in_a_text_is_seen_beside_a_workbook_that_is_no_copy(ready: Machine, war: Path) -> None:
    """The lines count; the workbook is the club's, and waits."""
    files = (("orders.txt", f"{code(war)}\nM1\n".encode()), ("photos.xlsx", nothing_but_a_zip()))
    mailed(ready, war, "", "orders", files=files)
    assert (orders(war), verdicts(war)) == ({("A", "M1")}, [("A", "counts"), ("A", "open")])


@pytest.mark.slow
def test_two_clubs_texts_in_one_mail_are_rows_of_their_clubs(ready: Machine, war: Path) -> None:
    """Each may count for its own."""
    files = tuple((f"{club}.txt", f"{code(war, club)}\n{line}\n".encode()) for club, line in (("A", "M1"), ("B", "B1")))
    mailed(ready, war, "See the files.", "orders", files=files)
    assert [(row.club, row.verdict) for row in rows(war)] == [("", "open"), ("A", "open"), ("B", "open")]
    decide(war, (2, "counts"), (3, "counts"))
    desk.decide(war)
    assert orders(war) == {("A", "M1"), ("B", "B1")}


OTHER_TURN = "\n".join(["#===== ARBITRO: BEGIN =====", "# Code {A}, turn 7", "A1", "#===== ARBITRO: END ====="])


@pytest.mark.slow
@pytest.mark.parametrize(("text", "page"), [(OTHER_TURN, ""), ("M1", "<p>A1</p>")])
def test_a_copy_on_a_mail_that_waits_has_a_row_of_its_own(ready: Machine, war: Path, text: str, page: str) -> None:
    """Whatever its mail waits for; it may count without it."""
    desk.share(war, war.parent / "out")
    data = filled(copy(war), war.parent / "a.xlsx", [GO]).read_bytes()
    mailed(ready, war, text.replace("{A}", code(war)), html=page, files=(("a.xlsx", data),))
    last = rows(war)[-1]
    assert (last.club, last.verdict, last.held.endswith("a.xlsx\nA: go, To M1")) == ("A", "open", True)
    decide(war, (len(rows(war)), "counts"))
    desk.decide(war)
    assert (orders(war), rows(war)[-1].verdict) == ({("A", "M1")}, "counts")


@pytest.mark.slow
def test_what_could_not_be_read_waits_beside_a_copy(ready: Machine, war: Path) -> None:
    """The copy does not say all: what else hangs on the mail may be orders."""
    desk.share(war, war.parent / "out")
    outlook = b"\xd0\xcf\x11\xe0" + "__properties_version1.0".encode("utf-16-le")
    data = filled(copy(war), war.parent / "a.xlsx", [GO]).read_bytes()
    mailed(ready, war, "", files=(("a.xlsx", data), ("x.msg", outlook)))
    assert verdicts(war) == [("A", "open"), ("A", "open")]


def test_a_table_of_which_no_row_is_understood_waits(book: Path) -> None:
    """Where a club's code stands in it; a text of the second club is as much its own as one of the first."""
    put(book, "returned.csv", f"{code(book, 'B')}\nB1\n".encode())
    put(book, "letter.md", f"{code(book, 'B')}\nB1\n".encode())
    collected(book)
    assert verdicts(book) == [("B", "open"), ("B", "open")]


@pytest.mark.slow
def test_an_empty_file_of_a_mail_is_named_in_the_inbox_and_to_its_club(ready: Machine, war: Path) -> None:
    """It is not taken for a mail in which nothing is; a table without headings says which it should have."""
    files = (("empty.txt", b""), ("orders.csv", b"Foo;Bar\n1;2\n"))
    arrives(ready, raw("", subject=code(war), headers={"From": "anna@a.test"}, files=files))
    result = collected_mail(war, answering=YES)
    assert [(row.club, row.verdict, row.held.partition(", ")[2]) for row in rows(war)] == [
        ("A", "open", "empty.txt"), ("A", "open", "orders.csv")]
    assert ["empty.txt is empty" in rows(war)[0].reading, "faction,text" in rows(war)[1].reading] == [True, True]
    assert {one.cell for one in result.findings if one.code == "ARB-263"} == {"'anna@a.test 1, orders.csv'!A1"}
    body = read(ready.mails("anna@a.test")[0]).get_body(("plain",))
    assert body is not None
    assert not [line for line in body.get_content().splitlines() if line.strip() == "-"]


def test_a_table_of_which_every_row_is_refused_says_so(book: Path) -> None:
    """Nothing of it counts; each row says why, and one of nobody keeps nobody waiting."""
    put(book, "orders.csv", b"verb;to\nblah;zzz\n")
    collected(book)
    assert [(row.held, row.verdict) for row in rows(book)] == [
        ("orders.csv\n: blah, To zzz", "aside"), (": blah, To zzz", "aside")]
    assert "stand below" in rows(book)[0].reading


def without_names(book: Any) -> None:
    """As a program writes it that knows no defined names."""
    for name in list(book.defined_names):
        del book.defined_names[name]


def test_a_copy_without_names_is_known_by_its_cells(book: Path) -> None:
    """The code stands on its first sheet, and the form is read as ever."""
    filled(copy(book), book.parent / "in" / "a.xlsx", [GO], change=without_names)
    result = collected(book)
    assert (result.exit, orders(book), verdicts(book)) == (desk.Exit.DONE, {("A", "M1")}, [("A", "counts")])


@pytest.mark.slow
@pytest.mark.parametrize("inside", [False, True])
def test_a_copy_as_ods_is_answered_with_a_plain_sentence(ready: Machine, war: Path, inside: bool) -> None:
    """What to do with it stands in the row and in the receipt, wherever its code is: in the mail, or in it alone."""
    ods = zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
                  "content.xml": f"<x>{code(war) if inside else ''}</x>".encode()})
    arrives(ready, raw("", subject="orders" if inside else code(war), headers={"From": "anna@a.test"},
                       files=(("war-A.ods", ods),)))
    collected_mail(war, answering=YES)
    [row] = rows(war)
    body = read(ready.mails("anna@a.test")[0]).get_body(("plain",))
    assert (row.verdict, "save it as .xlsx" in row.reading) == ("open", True)
    assert body is not None
    assert ".xlsx" in body.get_content()


# --- resolving --------------------------------------------------------------------------------------------
def asked(lines: list[list[str]], answer: bool) -> Callable[[Any, str], bool]:
    """Answers a question, and keeps what was shown."""
    def confirm(shown: Any, question: str) -> bool:
        lines.append([*shown, question])
        return answer
    return confirm


@pytest.mark.slow
def test_resolve_names_open_rows_and_asks_before_it_goes_on(ready: Machine, war: Path) -> None:
    """No leaves everything as it was; with --auto nobody is asked, and it ends as waiting."""
    mailed(ready, war, "We go to the mill, perhaps.")
    take_lines(war, "B: M1")
    shown: list[list[str]] = []
    before = war.read_bytes()
    result = desk.resolve(war, lang="en", confirm=asked(shown, False))

    assert (result.exit, war.read_bytes() == before) == (desk.Exit.REFUSED, True)
    assert "to the mill" in shown[0][0]
    assert "ARB-350" in shown[0][0]
    now = datetime(2026, 12, 7, tzinfo=UTC)
    auto = desk.resolve(war, lang="en", timing=desk.Timing(now + timedelta(days=30), auto=True))
    assert (auto.exit, [one.code for one in auto.findings]) == (desk.Exit.WAITING, ["ARB-350"])
    copied(war.parent, war.parent / "other")
    alone = desk.resolve(war.parent / "other" / "war.xlsx", lang="en")
    assert (alone.exit, "ARB-350" in [one.code for one in alone.findings]) == (desk.Exit.DONE, True)
    assert desk.resolve(war, lang="en", confirm=asked(shown, True)).exit == desk.Exit.DONE
    assert verdicts(war) == [("A", "open")]


@pytest.mark.slow
def test_strangers_and_mail_without_a_code_stop_nothing(ready: Machine, war: Path) -> None:
    """Nor do they spare a club from being silent."""
    mailed(ready, war, "M1", "orders", "anna@a.test")
    take_lines(war, "A: M1", "B: M1")
    auto = desk.resolve(war, timing=desk.Timing(datetime.now(UTC) + timedelta(days=30), auto=True))
    assert (auto.exit, auto.data["resolved"]) == (desk.Exit.DONE, [{"turn": "1", "phase": "march"}])


@pytest.mark.slow
def test_a_club_whose_mail_waits_is_not_silent(ready: Machine, war: Path) -> None:
    """Its time is up, and no robot plays it; one that sent nothing that has its code is played."""
    opened: Any = openpyxl.load_workbook(war)
    for label, setting in opened["Desk"].iter_rows(min_col=2, max_col=3):
        if label.value in ("Due on", "For the silent"):
            setting.value = "sunday" if label.value == "Due on" else "robot"
    opened.save(war)
    mailed(ready, war, "We go to the mill, perhaps.", "{A}", "anna@a.test", "m1")
    mailed(ready, war, "We, too, perhaps.", "no code", "bruno@b.test", "m2")
    call = desk.status(war, clock=datetime(2027, 1, 1, tzinfo=UTC)).data
    assert call["silent"] == ["B"]

    later = desk.Timing(datetime(2027, 1, 1, tzinfo=UTC), yes=True)
    assert desk.accept(war, [], everything=True, why="a new year").exit == desk.Exit.DONE
    desk.resolve(war, timing=later)
    robots = {row.faction for row in campaign_of(war).table(Order) if "-robot-" in row.order}
    assert robots == {"B"}


# --- decisions --------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_proposal_that_waits_can_be_taken_at_the_cell(ready: Machine, tmp_path: Path) -> None:
    """In both languages: *vale* in the Italian sheet Posta takes what was proposed, and *non vale* closes."""
    war = new_campaign(tmp_path / "war.xlsx", "giglio", "it")
    words = "r1: V-1 moves V6 V5 rubbish\nr1: V-2 moves V9 rubbish"
    arrives(ready, raw(words, subject=code(war, "V"), headers={"From": "anna@a.test"}))
    collected_mail(war)
    found = rows(war)
    assert [(row.club, row.verdict) for row in found] == [("V", "open")] * len(found)
    assert "V-1" in found[0].held
    assert openpyxl.load_workbook(war, read_only=True).sheetnames.count("Posta") == 1

    decide(war, (1, "vale"), *((no, "non vale") for no in range(2, len(found) + 1)))
    result = desk.decide(war, lang="it")
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    assert [one["faction"] for one in result.data["taken"]] == ["V"]
    assert [row.verdict for row in rows(war)] == ["counts", *["does not"] * (len(found) - 1)]


@pytest.mark.slow
def test_ask_sends_the_question_back_with_the_next_receipts_once(ready: Machine, war: Path) -> None:
    """In the club's words, to the club's address; then the row waits no more."""
    mailed(ready, war, "We go to the mill, perhaps.", headers=AUTOMATIC)
    decide(war, (1, "ask"))
    collected_mail(war, answering=YES)
    [letter] = ready.mails("anna@a.test")
    body = read(letter).get_body(("plain",))
    assert body is not None
    assert "We go to the mill, perhaps." in body.get_content()
    assert verdicts(war) == [("A", "asked")]
    collected_mail(war, answering=YES)
    assert len(ready.mails("anna@a.test")) == 1


@pytest.mark.slow
def test_what_cannot_be_done_is_said_at_its_cell(ready: Machine, war: Path) -> None:
    """A word that is none, a row of nobody, and one in which nothing is an order stay open."""
    mailed(ready, war, "We go to the mill, perhaps.", name="m1")
    mailed(ready, war, "M1", "orders", "carla@c.test", "m2")
    decide(war, (1, "counts"), (2, "counts"))
    result = desk.decide(war, lang="en")
    assert {one.code: one.cell for one in result.findings} == {"ARB-353": "Inbox!F5", "ARB-352": "Inbox!B6"}
    decide(war, (1, "perhaps"))
    assert "ARB-351" in [one.code for one in desk.decide(war, lang="en").findings]
    decide(war, (2, "counts"), club="B")
    desk.decide(war, lang="en")
    assert orders(war) == {("B", "M1")}


@pytest.mark.slow
def test_undo_keeps_the_rows_and_the_next_collect_takes_them_again(ready: Machine, war: Path) -> None:
    """What a decision brought goes with its step; the row and the word stay, also over a phase."""
    mailed(ready, war, "M1", headers=AUTOMATIC)
    decide(war, (1, "counts"))
    desk.decide(war)
    take_lines(war, "B: M1")
    desk.resolve(war)
    mailed(ready, war, "The mill!", name="m2")
    kept = rows(war)
    assert desk.undo(war).exit == desk.Exit.DONE
    assert rows(war) == kept
    assert desk.undo(war).exit == desk.Exit.DONE
    assert (rows(war), orders(war)) == (kept, {("B", "M1")})
    collected_mail(war)
    assert orders(war) == {("A", "M1"), ("B", "M1")}
    assert desk.verify(war).exit == desk.Exit.DONE


@pytest.mark.slow
def test_a_correction_leaves_the_rows_as_they_are(ready: Machine, war: Path) -> None:
    """A past that is played anew had no other mail."""
    take_lines(war, "A: M1", "B: M1")
    desk.resolve(war)
    mailed(ready, war, "The mill!")
    kept = rows(war)
    request = desk.CorrectionRequest((desk.Input("B: B1", text="B: B1"),), at="1.march")
    done = desk.correct(war, request, desk.CorrectionOptions("forgotten"), confirm=lambda result: True, lang="en")
    assert (done.exit, rows(war)) == (desk.Exit.DONE, kept), done.finding_lines()
    assert desk.verify(war).exit == desk.Exit.DONE


# --- who may know, and hostile texts ----------------------------------------------------------------------
HOSTILE = "=HYPERLINK(\"http://x\")\n+1+1 @SUM(A1)\x07\u202egnp.exe\n" + "long " * 9_000


def everything_made(place: Path) -> bytes:
    """The bytes of all files in a folder, those inside of workbooks, too."""
    found = b""
    for path in sorted(place.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            found += data
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(io.BytesIO(data)) as archive:
                    found += b"".join(archive.read(name) for name in archive.namelist())
    return found


@pytest.mark.slow
def test_no_copy_view_or_report_holds_the_inbox(ready: Machine, war: Path) -> None:
    """Neither its sheet nor a word of it."""
    mailed(ready, war, "Zanzibar whispers, perhaps.", headers=AUTOMATIC)
    out = war.parent / "made"
    desk.share(war, out / "copies")
    desk.report(war, out / "reports", lang="en")
    desk.publish(war, out / "site", lang="en")
    desk.export(war, out / "csv", lang="en")
    assert b"Zanzibar" in everything_made(war.parent)
    assert b"Zanzibar" not in everything_made(out)
    assert not list(out.rglob("inbox*"))
    for path in (out / "copies").glob("*.xlsx"):
        assert "Inbox" not in read_workbook(path.name, path.read_bytes()).cells.titles
    workspace = open_workspace(war, "en")
    for club in ("", "A", "B"):
        assert list(workspace.ruleset.view(workspace.campaign, club).table(InboxRow)) == []


@pytest.mark.slow
def test_hostile_words_are_plain_text_and_cut(ready: Machine, war: Path) -> None:
    """No formula, no sign that nobody sees, no more than a cell takes; read again they are the same."""
    mailed(ready, war, HOSTILE, headers=AUTOMATIC)
    [row] = rows(war)
    assert (len(row.held), row.held[-1], row.held.startswith("=HYPERLINK")) == (2_000, "…", True)
    assert not set(row.held) & {"\x07", "\u202e"}
    sheet = openpyxl.load_workbook(war)["Inbox"]
    assert {cell.data_type for line in sheet.iter_rows() for cell in line} <= {"s", "n", "inlineStr"}
    assert desk.check(war).exit in (desk.Exit.DONE, desk.Exit.REFUSED)


def test_the_same_files_leave_the_same_rows(book: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Byte for byte, wherever they lie."""
    other = copied(book.parent, tmp_path_factory.mktemp("twin"))
    for place in (book, other):
        filled(copy(place), place.parent / "in" / "a.xlsx", [GO])
        put(place, "b.txt", f"{code(place, 'B')}\nwe go to the mill\n".encode())
        collected(place)
    assert rows(book) == rows(other)
    assert book.read_bytes() == other.read_bytes()


# --- workbooks of before ----------------------------------------------------------------------------------
def test_a_workbook_of_before_gets_the_sheet_with_its_next_change(book: Path) -> None:
    """Whatever that is; all else in it stays."""
    opened = openpyxl.load_workbook(book)
    del opened["Inbox"]
    opened.save(book)
    assert "Inbox" not in openpyxl.load_workbook(book, read_only=True).sheetnames
    assert desk.check(book).exit == desk.Exit.DONE
    assert take_lines(book, "A: M1").exit == desk.Exit.DONE
    assert "Inbox" in openpyxl.load_workbook(book, read_only=True).sheetnames
    put(book, "b.txt", f"{code(book, 'B')}\nwe go to the mill\n".encode())
    collected(book)
    assert verdicts(book)[-1] == ("B", "open")


@pytest.mark.slow
def test_the_button_writes_the_rows_into_the_open_workbook_and_a_word_typed_there_is_done(book: Path) -> None:
    """As a referee does it who never leaves the workbook."""
    place = book.parent / "war-returned"
    place.mkdir()
    (place / "a.txt").write_text(f"{code(book)}\nwe go to the mill\n")
    bench = ExcelBench(book, None)
    shown = press_on(bench.open, "collect")
    sheet, _, place_shown = shown.select.rpartition("!")
    assert str(bench.open.sheets[sheet].range(f"{place_shown[0]}4").value).strip() == "Decide"
    bench.close()
    assert [(row.club, row.held, row.verdict) for row in rows(book)][-1] == ("A", "we go to the mill", "open")

    decide(book, (len(rows(book)), "does not"))
    bench = ExcelBench(book, None)
    press_on(bench.open, "collect")
    bench.close()
    assert verdicts(book)[-1] == ("A", "does not")
