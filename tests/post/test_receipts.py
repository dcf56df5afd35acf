"""`collect --mail` answers each mail, to its club's own addresses; what came back of ours is read; through Dovecot."""

from __future__ import annotations

import os
import re
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Order
from assistant.desk.workspace.workspace import club_codes, open_workspace
from assistant.ledger import Ledger, path_of_ledger
from tests.desk.conftest import copied
from tests.playing import codes_of
from tests.post.filling import SUNDAY
from tests.post.mails import raw
from tests.post.servers import REFEREE, Delivering, Machine
from tests.post.test_sending import YES, Hour, outbox, read, send, stages

pytestmark = pytest.mark.slow
SENT_BACK = """Content-Type: multipart/report; report-type=delivery-status; boundary="b"
From: MAILER-DAEMON@b.test
To: {us}
Subject: Undelivered Mail Returned to Sender
Message-ID: <failure{number}@b.test>
Auto-Submitted: auto-replied

--b
Content-Type: text/plain

I am sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.b.test

Final-Recipient: rfc822; {address}
Action: failed
Diagnostic-Code: smtp; 550 5.1.1 no such user
--b
Content-Type: message/rfc822-headers

Message-ID: <{ident}>
--b--
"""
PEC_SENT_BACK = """Content-Type: multipart/report; report-type=delivery-status; boundary="b"
From: posta-certificata@pec.b.test
To: {us}
Subject: AVVISO DI MANCATA CONSEGNA: a report
Message-ID: <failure{number}@b.test>
X-Ricevuta: errore-consegna
X-Riferimento-Message-ID: <{ident}>

--b
Content-Type: text/plain

casella inibita alla ricezione
--b
Content-Type: message/delivery-status

Final-Recipient: rfc822; {address}
Action: failed
Diagnostic-Code: smtp; 5.1.1 - Pec - casella inibita
--b--
"""


def collected(book: Path, *, answering: desk.PostOptions | None = YES, **how: Any) -> desk.Result:
    """What the door says, on the evening of the tests."""
    return desk.collect_from_post(book, [], clock=Hour().clock, lang="en", since=date(2020, 1, 1), answering=answering,
                                  **how)


def arrives(machine: Machine, mail: bytes | str, minute: int = 0) -> None:
    """A mail into the referee's mailbox, so many minutes into the evening."""
    before = set((machine.mailboxes / REFEREE).glob("new/*"))
    Delivering(machine.mailboxes, lambda step, to: "").deliver(REFEREE, mail)
    [new] = set((machine.mailboxes / REFEREE).glob("new/*")) - before
    os.utime(new, (SUNDAY + 60 * minute, SUNDAY + 60 * minute))


def written(book: Path, faction: str, text: str, number: int, **headers: str) -> bytes:
    """A mail of a club with its code."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    told = {"From": "bruno@b.test", "Message-ID": f"<{number}@x>", **more}
    return raw(text, subject=club_codes(open_workspace(book, "en")).now[faction], headers=told)


def ordered(book: Path, faction: str) -> list[str]:
    """The words of a faction's orders, those that count first."""
    rows = sorted((row.seq or 0, row.text) for row in open_workspace(book, "en").campaign.table(Order)
                  if row.faction == faction and row.text and not row.status)
    return [text for _, text in rows]


def receipts(machine: Machine, address: str) -> list[str]:
    """The texts of the receipts in a mailbox."""
    mails = [read(mail) for mail in machine.mails(address)]
    return [text_of(mail) for mail in mails if not list(mail.iter_attachments())]


def text_of(mail: EmailMessage) -> str:
    """What a mail says."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


# --- receipts -----------------------------------------------------------------------------------
def test_a_mail_is_answered_once_to_the_clubs_own_addresses(ready: Machine, unplayed: Path, war: Path) -> None:
    """How each line was understood, what is neither order nor ours, in the club's language; never to whom it says."""
    arrives(ready, written(war, "A", "Ciao Master\nM1\n", 1, From="anna@a.test", Reply_To="elsewhere@x.test"))
    first = collected(war)
    second = collected(war)

    assert (first.exit, first.data["answered"]) == (desk.Exit.DONE, ["A"]), first.finding_lines()
    assert second.exit == desk.Exit.DONE
    assert stages(war) == {"A": ["taken", "taken"]}
    assert {address for row in outbox(war) for address in row.marks} == {"anna@a.test", "dan@a.test"}
    [said] = receipts(ready, "anna@a.test")
    assert "M1" in said
    assert "neither an order nor an answer, so it does not count: Ciao Master" in said
    assert club_codes(open_workspace(war, "en")).now["A"] in said
    assert not (ready.mailboxes / "elsewhere@x.test").exists()
    assert ordered(war, "A")[-1] == "M1"


def test_a_receipt_shows_the_orders_on_the_clubs_own_map(ready: Machine, unplayed: Path, tmp_path: Path) -> None:
    """As a picture inside the page, with its words; the text says the same as ever."""
    war = copied(unplayed, tmp_path / "war")
    arrives(ready, written(war, "B", "go M1", 1))
    drawn = collected(war, pictures=True)
    [mail] = map(read, ready.mails("bruno@b.test"))
    page = mail.get_body(("html",))

    assert drawn.exit == desk.Exit.DONE
    assert page is not None
    assert re.search('src="cid:orders" width="624" alt="[^"]*Ordini per: ', page.get_content())
    assert [part.get_content()[:4] for part in mail.walk() if part.get_content_type() == "image/png"] == [b"\x89PNG"]
    assert "M1" in text_of(mail)


def test_who_is_answered_and_who_is_not(ready: Machine, war: Path) -> None:
    """A list gets no receipt though its orders count; a machine none, whose orders wait for the referee, and
    `--no-receipts` none for anybody.
    """
    arrives(ready, written(war, "B", "M1", 1, Precedence="bulk"))
    arrives(ready, written(war, "A", "M1", 2, From="anna@a.test", Auto_Submitted="auto-replied"))
    silent = collected(war)
    arrives(ready, written(war, "A", "A1", 3, From="anna@a.test"))
    told_not_to = collected(war, answering=None)
    later = collected(war)

    assert (ordered(war, "B")[-1], ordered(war, "A")[-1]) == ("M1", "A1")
    assert [one.data["waiting"] for one in (silent, told_not_to, later)] == [[2]] * 3
    assert outbox(war) == []


def test_an_unknown_sender_with_the_right_code_counts_and_the_registered_address_is_told(
        ready: Machine, war: Path) -> None:
    """Also where his mail asks for no answer: else nobody would hear of it."""
    arrives(ready, written(war, "B", "M1", 1, From="stranger@x.test", Precedence="bulk"))
    result = collected(war)

    assert codes_of(result) == ["ARB-377"]
    assert ordered(war, "B")[-1] == "M1"
    [said] = receipts(ready, "bruno@b.test")
    assert "stranger@x.test" in said
    assert not (ready.mailboxes / "stranger@x.test").exists()


def test_the_club_is_asked_where_the_referee_is(ready: Machine, war: Path) -> None:
    """Its text and its HTML differ: neither counts, and the receipt shows both."""
    mail = raw(
        "M1", "<p>B1</p>", subject=club_codes(open_workspace(war, "en")).now["B"], headers={"From": "bruno@b.test"}
    )
    arrives(ready, mail)
    result = collected(war)

    assert "ARB-372" in codes_of(result)
    [said] = receipts(ready, "bruno@b.test")
    assert "M1" in said
    assert "B1" in said
    assert desk.collect_from_post(war, [], clock=Hour().clock, since=date(2020, 1, 1), answering=YES).data[
        "receipts"] == {}


def test_the_first_mails_of_a_campaign_are_asked_for(ready: Machine, war: Path) -> None:
    """The orders are taken; the receipts wait for a yes, and then go."""
    arrives(ready, written(war, "B", "M1", 1))
    first = collected(war, answering=desk.PostOptions())
    second = collected(war)

    assert (first.exit, codes_of(first), ordered(war, "B")[-1]) == (desk.Exit.REFUSED, ["ARB-602"], "M1")
    assert (second.exit, second.data["answered"]) == (desk.Exit.DONE, ["B"])
    assert ": c'era già: " in receipts(ready, "bruno@b.test")[0]


def test_a_receipt_that_is_quoted_orders_nothing_and_pushes_no_report_out_of_what_is_known(
        ready: Machine, war: Path) -> None:
    """Four mails are answered; then the quoted first report is still known as ours, and the quoted receipt, too."""
    send(war)
    for number in range(4):
        arrives(ready, written(war, "B", ("M1", "B1")[number % 2], number), 5 * number)
        collected(war)
    report = next(mail for mail in map(read, ready.mails("bruno@b.test")) if list(mail.iter_attachments()))
    last = receipts(ready, "bruno@b.test")[-1]
    quote = "\n".join(f"> {line}" for line in (text_of(report) + last).splitlines())
    before = ordered(war, "B")
    arrives(ready, written(war, "B", f"Grazie\n\n{quote}", 9), 60)
    result = collected(war)

    assert ordered(war, "B") == before
    assert [finding.data["list"] for finding in result.findings if finding.code == "ARB-373"] == ["Grazie"]


# --- what came back -----------------------------------------------------------------------------
@pytest.mark.parametrize("failure", [SENT_BACK, PEC_SENT_BACK])
def test_a_mail_that_came_back_is_known_to_the_outbox_the_desk_and_status(
        ready: Machine, war: Path, failure: str) -> None:
    """Faction, address and cause; once it has been sent again, no more."""
    send(war)
    row = next(row for row in outbox(war) if row.faction == "A")
    arrives(ready, failure.format(us=REFEREE, number=1, address="dan@a.test", ident=row.ident))
    arrives(ready, failure.format(us=REFEREE, number=2, address="x@y.test", ident="of-somebody-else@y.test"))
    result = collected(war)
    again = collected(war)

    assert sorted(codes_of(result)) == ["ARB-374", "ARB-615"]
    assert codes_of(again) == ["ARB-374"]
    assert next(row for row in outbox(war) if row.faction == "A").marks["dan@a.test"].stage == "returned"
    [told] = desk.status(war, lang="en").data["mails"]
    assert "dan@a.test" in told
    assert "5.1.1" in told
    assert any("dan@a.test" in str(cell) for cell in on_desk(war))
    assert desk.status(war, lang="en").data["sent"] == ["A", "B"]
    send(war, desk.PostOptions(again=("A",), yes=True))
    assert desk.status(war, lang="en").data["mails"] == []


def test_a_mail_of_which_nobody_could_tell_is_settled_by_our_mailbox(ready: Machine, war: Path) -> None:
    """Its copy lies there: `collect` writes it down; until then `status` says what to do."""
    send(war)
    with Ledger.open(path_of_ledger(war), "") as ledger:
        row = next(row for row in ledger.outbox.rows() if row.faction == "B")
        unknown = row.with_marks({one: type(mark)("uncertain", mark.at, "closed") for one, mark in row.marks.items()})
        with ledger.outbox._vault.writing():
            ledger.outbox._vault.drop("mail", row.ident)  # as a ledger knows it whose process was killed
        ledger.outbox.mark(unknown)
    [told] = desk.status(war, lang="en").data["mails"]
    assert "--arrived B" in told
    collected(war)

    assert stages(war)["B"] == ["taken"]
    assert desk.status(war, lang="en").data["mails"] == []


def on_desk(book: Path) -> list[Any]:
    """All that stands on the Desk."""
    sheet = openpyxl.load_workbook(book).worksheets[0]
    return [cell.value for row in sheet.iter_rows() for cell in row if cell.value]


# --- lines and copies ---------------------------------------------------------------------------
def test_the_lists_copy_of_a_mail_counts_once_another_text_under_its_message_id_anew(
        ready: Machine, war: Path) -> None:
    """The same Message-ID and the same orders with another footer; then the same Message-ID with other orders."""
    arrives(ready, written(war, "B", "M1", 7))
    arrives(ready, written(war, "B", "M1\n\n-- \nUnsubscribe: https://list.test/anna", 7, List_Id="<list.test>"), 5)
    once = collected(war)
    arrives(ready, written(war, "B", "B1", 7), 10)
    anew = collected(war)

    assert ([one["how"] for one in once.data["taken"]], codes_of(once)) == (["new"], [])
    assert ([(one["how"], one["source"]) for one in anew.data["taken"]], ordered(war, "B")) == (
        [("new", "bruno@b.test 4")], ["M1", "B1"])


def test_mails_that_no_parser_stands_are_listed_and_the_next_are_read(ready: Machine, war: Path) -> None:
    """Two thousand parts in one another, five thousand beside one another, forty megabytes."""
    code = club_codes(open_workspace(war, "en")).now["B"]
    head = f"Subject: {code}\r\nFrom: bruno@b.test\r\n"
    deep = head + "".join(f'Content-Type: multipart/mixed; boundary="{n}"\r\n\r\n--{n}\r\n' for n in range(2_000))
    many = head + 'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + (
        "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 5_000)
    for number, mail in enumerate((deep, many, head + "\r\n" + ("x" * 76 + "\r\n") * 520_000)):
        arrives(ready, mail, number)
    arrives(ready, written(war, "B", "M1", 1), 60)
    result = collected(war)

    assert codes_of(result) == ["ARB-372"] * 3
    assert [one["words"] for one in result.data["taken"]] != []
    assert ordered(war, "B") == ["M1"]
