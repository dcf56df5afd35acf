"""`collect --mail`: the mailbox of `post setup`, through a real Dovecot; what keeps it from being read is told."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.records import Order
from assistant.desk.clubs.collect import collect_all
from assistant.desk.clubs.collect_mail import first_day, read_mails
from assistant.desk.clubs.read_copies import Arrival, open_arrival
from assistant.desk.results import Result
from assistant.desk.workspace.workspace import Workspace, club_codes, open_workspace
from assistant.environment import HOME
from assistant.ledger import Ledger, path_of_ledger
from assistant.post import mail_server
from assistant.post.club_form import SentTexts
from assistant.post.mail_server import FetchedMail
from assistant.turn.orders.words import MARKS
from tests.playing import codes_of
from tests.post.filling import filled
from tests.post.mails import CODE, multipart, raw
from tests.post.servers import REFEREE, Delivering, Machine
from tests.post.test_sending import START, Hour, read, send

ENDS = [f"> {last}" for _, last in MARKS.values()]


def take_arrivals(workspace: Workspace, arrivals: list[Arrival], **how: Any) -> Result:
    """What is said of what has arrived, from wherever."""
    return collect_all(workspace, arrivals, **how)[0]


def collected(book: Path, *places: Path, **how: Any) -> desk.Result:
    """What the door says, on the evening of the tests."""
    return desk.collect_from_post(book, places, clock=Hour().clock, lang="en", since=date(2020, 1, 1), **how)


def arrives(machine: Machine, mail: bytes) -> None:
    """A mail into the referee's mailbox."""
    Delivering(machine.mailboxes, lambda step, to: "").deliver(REFEREE, mail)


def ordered(book: Path) -> set[tuple[str, str]]:
    """The orders: faction and words."""
    campaign = open_workspace(book, "en").campaign
    return {(row.faction, row.text) for row in campaign.table(Order)}


def answer(machine: Machine, address: str, line: str, *, inside: bool) -> bytes:
    """The reply to a club's report, which stands quoted below, with an order on top, or inside the marked lines."""
    report = read(machine.mails(address)[0])
    body = report.get_body(("plain",))
    assert body is not None
    quote = [f"> {line}" for line in body.get_content().splitlines()]
    [end] = [number for number, one in enumerate(quote) if one in ENDS]
    below = [*quote[:end], f"> {line}", *quote[end:]] if inside else quote
    top = [] if inside else [line, ""]
    return raw("\n".join([*top, "On Sunday the referee wrote:", *below]), subject=f"Re: {report['Subject']}", headers={
        "Message-ID": f"<reply.{address}>", "From": address})


@pytest.mark.slow
def test_an_evening_from_sending_to_collecting(ready: Machine, war: Path) -> None:
    """One club answers above its quoted report, one in the form of its report: both lines count, and nothing that we
    sent is told again; our own copies in the mailbox are nobody's orders.
    """
    assert send(war).exit == desk.Exit.DONE
    before = ordered(war)
    arrives(ready, answer(ready, "anna@a.test", "A1", inside=False))
    arrives(ready, answer(ready, "bruno@b.test", "B1", inside=True))

    shown = collected(war, dry_run=True)
    assert ordered(war) == before
    result = collected(war)

    assert (result.exit, codes_of(result)) == (desk.Exit.DONE, []), result.finding_lines()
    assert [(one["faction"], one["how"]) for one in result.data["taken"]] == [("A", "new"), ("B", "new")]
    assert [one["words"] for one in shown.data["taken"]] == [one["words"] for one in result.data["taken"]]
    assert ordered(war) - before == {("A", "A1"), ("B", "B1")}
    assert result.data["mails"] == 5
    assert "since 2020-01-01" in result.lines[-1]


@pytest.mark.slow
def test_a_quote_is_known_as_what_was_sent_though_the_campaign_went_on(ready: Machine, war: Path) -> None:
    """Not as the report would be now; and the block of a mail says whose it is, and of which turn."""
    assert send(war).exit == desk.Exit.DONE
    late = answer(ready, "anna@a.test", "A1", inside=False)
    desk.take_orders(war, [desk.Input("B: B1", text="B: B1")])
    assert desk.resolve(war).exit == desk.Exit.WAITING
    workspace = open_workspace(war, "en")
    with Ledger.open(path_of_ledger(war), workspace.campaign.desk.campaign_id) as ledger:
        [said] = ledger.outbox.texts_sent("A")
    arrives(ready, late)
    result = collected(war)

    assert f"# Code {club_codes(workspace).now['A']}, turn " in said
    assert "ARB-373" not in codes_of(result), result.finding_lines()


PDF, PNG = b"%PDF-1.7", b"\x89PNG\r\n\x1a\n"
SHOWN = multipart("related", ("Content-Type: text/html", b"<img src='cid:a'>"), (
    "Content-Type: image/png\r\nContent-ID: <a>\r\nContent-Disposition: inline; filename=a.png", PNG))
TAKEN = {"rows": "taken"}
BROUGHT = {
    "a PDF with a code": (raw("Ecco.", subject="{A}", files=(("m.pdf", PDF),)), {
        "ARB-379": "error", "ARB-373": "info"}),
    "a PDF beside an order": (raw("M1", subject="{A}", files=(("m.pdf", PDF),)), TAKEN | {"ARB-379": "info"}),
    "a page that is a picture": (SHOWN.replace(CODE.encode(), b"{A}"), {"ARB-379": "error"}),
    "a picture below an order": (SHOWN.replace(CODE.encode(), b"{A}").replace(b"<img", b"M1<img"), TAKEN),
    "no code, of a club, no order": (raw("I march.", subject="x", headers={"From": "dan@a.test"}), {"ARB-372": "info"}),
    "no code, of a club, an order": (raw("M1", subject="x", headers={"From": "dan@a.test"}), {"ARB-372": "error"}),
    "no code, of a club, a PDF": (raw("", subject="x", headers={"From": "dan@a.test"}, files=(("m.pdf", PDF),)), {
        "ARB-372": "error"}),
    "no code, about the campaign": (raw("I march.", subject="Re: [Due villaggi] x"), {"ARB-372": "info"}),
    "no code, of somebody": (raw("The minutes.", subject="x", files=(("m.pdf", PDF),)), {}),
    "a code of another campaign": (raw("M1", subject="[Italia] " + CODE), {"ARB-372": "info"}),
    "a code that is none of this campaign's": (raw("M1", subject="[Due villaggi] " + CODE), {"ARB-372": "error"}),
    "codes of two clubs": (raw("M1", subject="{A} " + CODE), {"ARB-372": "error"}),
    "that its club asks to be waited for": (raw("Aspetta!", subject="{A}"), TAKEN),
    "the order of an unknown number": (raw("withdraw 1-march-A-9", subject="{A}"), TAKEN),
    "the order of another club": (raw("withdraw 1-march-B-9", subject="{A}"), {"ARB-373": "info"}),
}


@pytest.mark.parametrize("name", BROUGHT)
def test_nothing_that_a_club_sent_is_passed_over(with_addresses: Path, name: str) -> None:
    """What is none of its orders is named: a file that nobody can read, a mail without a code, a number of nothing."""
    mail, wanted = BROUGHT[name]
    workspace = open_workspace(with_addresses / "war.xlsx", "en")
    known = club_codes(workspace)
    raw_mail = mail.replace(b"{A}", known.now["A"].encode())
    brought = read_mails([FetchedMail("INBOX/1/1", 1, raw_mail)], workspace, known, lambda faction: SentTexts())
    found = [open_arrival(arrival, workspace, workspace.campaign, known) for arrival in brought.arrivals]

    said = {finding.code: finding.severity for some in found for finding in some.findings}
    assert said | (TAKEN if any(one.incoming is not None for one in found) else {}) == wanted
    assert bool(brought.aside) == (not wanted)


def test_the_code_in_a_copy_is_that_of_the_lines_beside_it(book: Path) -> None:
    """They are added after its rows; a line for another club is none of its club's and nobody's."""
    workspace = open_workspace(book, "en")
    copy = filled(book.parent / "out" / "war-A.xlsx", book.parent / "a.xlsx", [{"Verb": "go", "To": "A1"}])
    mail = raw("M1\nB: B1", subject="x", files=(("a.xlsx", copy.read_bytes()),))
    brought = read_mails([FetchedMail("INBOX/1/1", 1, mail)], workspace, club_codes(workspace),
                         lambda faction: SentTexts())
    result = take_arrivals(workspace, brought.arrivals)

    assert [(one["faction"], one["words"]) for one in result.data["taken"]] == [("A", "A: go, To A1"), (
        "A", "A: go, To M1")]
    assert [finding.data["list"] for finding in result.findings if finding.code == "ARB-373"] == ["B: B1"]


@pytest.mark.parametrize(("name", "data", "wanted"), [
    ("o.txt", b"B: B1\nM1\n", [("A", "A: go, To M1")]), ("o.csv", b"verb,target\ngo,M1\n", [("A", "A: go, To M1")]),
    ("o.csv", b"faction,verb,target\nB,go,M1\n", []), ("battle_results.csv", b"battle,winner\nB1.1,A\n", [])])
def test_a_file_in_a_clubs_mail_orders_for_that_club_alone(
        book: Path, name: str, data: bytes, wanted: list[tuple[str, str]]) -> None:
    """Also where it names another, and where it names none; beside a workbook without a code for nobody."""
    workspace = open_workspace(book, "en")
    known = club_codes(workspace)
    whole = (book.parent / "out" / "war-public.xlsx").read_bytes()
    mails = [raw("", subject=known.now["A"], files=((name, data),)),
             raw("", subject="no code", files=(("a.xlsx", whole), (name, data)))]
    of_club, of_nobody = (
        take_arrivals(
            workspace,
            read_mails([FetchedMail("INBOX/1/1", 1, mail)], workspace, known, lambda faction: SentTexts()).arrivals,
            dry_run=True,
        )
        for mail in mails
    )

    assert [(one["faction"], one["words"]) for one in of_club.data["taken"] if one["how"] == "new"] == wanted
    assert of_nobody.data["taken"] == []
    assert "ARB-372" in [finding.code for finding in of_nobody.findings]


def test_without_a_mailbox_or_its_password_nothing_is_taken(
        book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says which is missing."""
    monkeypatch.setenv(HOME, str(tmp_path / "nothing"))
    monkeypatch.delenv(mail_server.PASSWORD, raising=False)
    none = collected(book)
    mail_server.save_account(Machine().post())
    no_box = collected(book)

    assert [(one.exit, codes_of(one)) for one in (none, no_box)] == [(desk.Exit.REFUSED, ["ARB-376"])] * 2


@pytest.mark.slow
def test_a_server_that_lets_nobody_in_is_told(
        ready: Machine, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The password is wrong, or nobody listens: nothing is taken, what lies in a folder neither."""
    (book.parent / "in" / "a.txt").write_text(f"{club_codes(open_workspace(book, 'en')).now['A']}\nM1\n")
    monkeypatch.setenv(mail_server.PASSWORD, "wrong")
    wrong = collected(book, book.parent / "in")
    ready_port = ready.imap_port
    ready.imap_port = 1
    mail_server.save_account(ready.post())
    ready.imap_port = ready_port
    nobody = collected(book, book.parent / "in")

    assert [(one.exit, codes_of(one)) for one in (wrong, nobody)] == [(desk.Exit.REFUSED, ["ARB-603"])] * 2
    assert ordered(book) == set()


@pytest.mark.slow
def test_mails_and_a_folder_are_taken_together(ready: Machine, book: Path) -> None:
    """One club by mail, another by a file, in one step; a mail about something else is no affair of ours, and is not
    fetched again.
    """
    known = club_codes(open_workspace(book, "en")).now
    (book.parent / "in" / "a.txt").write_text(f"{known['A']}\nM1\n")
    arrives(ready, raw("M1", subject=known["B"]))
    arrives(ready, raw("The minutes.", subject="Club", headers={"Message-ID": "<2@x>"}, files=(
        ("m.pdf", b"%PDF-1.7"),)))
    result = collected(book, book.parent / "in")
    again = collected(book, book.parent / "in")

    assert (result.exit, codes_of(result)) == (desk.Exit.DONE, []), result.finding_lines()
    assert ordered(book) == {("A", "M1"), ("B", "M1")}
    assert (result.data["mails"], again.data["mails"]) == (2, 1)
    assert "anna@club.it" in result.lines[-1]


@pytest.mark.slow
def test_mails_are_read_from_the_day_before_the_last_turns_mails_went_out(server: Machine, war: Path) -> None:
    """Clubs may answer a copy that they got by hand long before this turn's first mail; thirty days are the most."""
    assert first_day(open_workspace(war, "en"), START) == date(2026, 10, 23)
    send(war)

    assert first_day(open_workspace(war, "en"), START.replace(year=2027)) == date(2026, 10, 23)
    with Ledger.open(path_of_ledger(war), open_workspace(war, "en").campaign.desk.campaign_id) as ledger:
        ledger.outbox.take_over([ledger.outbox.rows()[0]._replace(ident="earlier@club.test", turn="0",
                                         date="Sun, 15 Nov 2026 20:00:00 +0100")])
    assert first_day(open_workspace(war, "en"), START.replace(year=2027)) == date(2026, 11, 14)
