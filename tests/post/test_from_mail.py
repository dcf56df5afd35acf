"""`collect` from a mailbox that a real Dovecot serves: the code decides, the newest counts, nothing is marked."""

from __future__ import annotations

import imaplib
import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from assistant.desk.clubs import collect_mail
from assistant.desk.clubs.send import guessed_post
from assistant.desk.intake import line_parser
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import club_codes, open_workspace
from tests.post.filling import SUNDAY, filled
from tests.post.mails import raw
from tests.post.test_collect import GO, WAIT, codes, copy, orders
from tests.post.test_sending import Hour

DOVECOT = "/usr/lib/dovecot/imap"
ORDINARY = "nobody"
pytestmark = pytest.mark.slow


class Box:
    """A mailbox in a folder of its own, and the server that shows it."""

    def __init__(self) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="arbitro-box-"))
        for name in ("new", "cur", "tmp"):
            (self.place / "box" / name).mkdir(parents=True)
        (self.place / "conf").write_text(f"mail_location = maildir:{self.place}/box\nlog_path = {self.place}/log\n")
        self.count = 0
        self.own()

    def own(self) -> None:
        """Give everything to an ordinary user, as whom the server runs."""
        if os.getuid() == 0:
            for one in (self.place, *self.place.rglob("*")):
                shutil.chown(one, ORDINARY)

    def put(self, mail: bytes, at: int = SUNDAY) -> None:
        """A mail that the server got at a time."""
        self.count += 1
        file = self.place / "box" / "new" / f"{at}.{self.count}.here"
        file.write_bytes(mail)
        os.utime(file, (at, at))
        self.own()

    def open(self) -> imaplib.IMAP4:
        """A connection to it."""
        who = pwd.getpwnam(ORDINARY)
        drop = f"setpriv --reuid={who.pw_uid} --regid={who.pw_gid} --clear-groups " if os.getuid() == 0 else ""
        return imaplib.IMAP4_stream(f"exec {drop}env HOME={self.place} USER={ORDINARY} {DOVECOT} -c {self.place}/conf")

    def flags(self) -> list[str]:
        """What the server says of each mail."""
        box = self.open()
        box.select("INBOX", readonly=True)
        said = [str(one) for one in box.uid("FETCH", "1:*", "(FLAGS)")[1]]
        box.logout()
        return said


@pytest.fixture
def box() -> Iterator[Box]:
    """An empty mailbox."""
    one = Box()
    yield one
    shutil.rmtree(one.place)


def collected(book: Path, box: Box, **how: Any) -> Result:
    """What `collect` says of the mailbox."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(collect_mail, "load_account", lambda: guessed_post("referee@example.org"))
        patched.setattr(collect_mail, "stored_password", lambda post: "secret")
        patched.setattr(collect_mail, "open_mailbox", lambda post, secret: box.open())
        return collect_mail.collect_from_post(book, (), clock=Hour().clock, since=date(2020, 1, 1), lang="en", **how)


def code(book: Path, faction: str = "A") -> str:
    """The code of a faction."""
    return club_codes(open_workspace(book, "en")).now[faction]


def typed(book: Path, row: dict[str, str]) -> bytes:
    """A's copy with one order."""
    return filled(copy(book), book.parent / "filled.xlsx", [row]).read_bytes()


def test_a_line_in_a_mail_is_an_order(book: Path, box: Box) -> None:
    """Whoever sent it; nothing in the mailbox is marked as read, and the same mail read twice counts once."""
    box.put(raw("Ciao\nM1\n", subject=f"Re {code(book)}", headers={"From": "stranger@x.it"}))
    first = collected(book, box)
    second = collected(book, box)

    assert (first.exit, codes(first)) == (Exit.DONE, ["ARB-373"]), first.finding_lines()
    assert [one["how"] for one in first.data["taken"]] == ["new"]
    assert second.data["taken"] == []
    assert len(orders(book)) == 1
    assert not any("Seen" in flag for flag in box.flags())


def test_the_servers_time_says_which_is_the_newest(book: Path, box: Box) -> None:
    """Not the Date header, which may lie in the future."""
    box.put(raw("x", subject="Re", headers={"Date": "Thu, 01 Jan 2099 10:00:00 +0000", "Message-ID": "<1@x>"}, files=(
        ("a.xlsx", typed(book, WAIT)),)), SUNDAY)
    box.put(raw("x", subject="Re", headers={"Message-ID": "<2@x>"}, files=(("a.xlsx", typed(book, GO)),)),
            SUNDAY + 600)
    result = collected(book, box)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert [order[1:] for order in orders(book)] == [("go", "M1")]
    assert "ARB-362" in codes(result)


def test_a_mail_without_orders_replaces_nothing(book: Path, box: Box) -> None:
    """Thanks, an empty mail and the untouched form."""
    box.put(raw("M1", subject=code(book), headers={"Message-ID": "<1@x>"}))
    collected(book, box)
    before = orders(book)
    for number, mail in enumerate((raw("Thanks!", subject=code(book)), raw("", subject=code(book)),
                                   raw("x", subject=code(book), files=(("a.xlsx", copy(book).read_bytes()),)))):
        box.put(mail.replace(b"<m1@", f"<n{number}@".encode()), SUNDAY + 600 * (number + 1))
    collected(book, box)

    assert before == orders(book) != []


@pytest.mark.parametrize(("mail", "wanted"), [
    (raw("M1", subject="Re: no code"), "ARB-372"),
    (raw("M1", "<p>A1</p>", subject="{code}"), "ARB-372"),
    (raw("M1", subject="{code}", headers={"X-Ricevuta": "mancata-consegna"}), "ARB-374")])
def test_what_nobody_can_know_is_asked_of_the_referee(book: Path, box: Box, mail: bytes, wanted: str) -> None:
    """It is listed with its reason, and the other mails are read."""
    box.put(mail.replace(b"{code}", code(book).encode()))
    box.put(raw("M1", subject=code(book, "B"), headers={"Message-ID": "<2@x>"}))
    result = collected(book, box)

    assert wanted in codes(result), result.finding_lines()
    assert (len(orders(book)), len(orders(book, "B"))) == (0, 1)


def test_a_copy_with_another_clubs_code_than_its_mail_is_not_taken(book: Path, box: Box) -> None:
    """Two codes: who sent it is asked."""
    box.put(raw("", subject=code(book, "B"), files=(("a.xlsx", typed(book, GO)),)))
    result = collected(book, box)

    assert (result.exit, codes(result)) == (Exit.REFUSED, ["ARB-375"])
    assert orders(book) == []


def test_a_dry_run_takes_nothing(book: Path, box: Box) -> None:
    """And a broken mail beside it hides nothing."""
    box.put(b"\0" * 100)
    box.put(raw("M1", subject=code(book)))
    shown = collected(book, box, dry_run=True)

    assert len(shown.data["taken"]) == 1
    assert orders(book) == []


def test_lines_beside_a_copy_are_added_after_its_rows(book: Path, box: Box) -> None:
    """One mail, one piece: the copy's order counts first."""
    box.put(raw("M1", subject=code(book), files=(("a.xlsx", typed(book, WAIT)),)))
    result = collected(book, box)

    assert result.exit == Exit.DONE, result.finding_lines()
    assert [order[1:] for order in orders(book)] == [("go", "A1"), ("", "")]


@pytest.mark.parametrize(("line", "agrees"), [
    ("yes", True), ("Sì, grazie!", True), ("ok", True), ("OK thanks", True), ("va bene", True), ("d'accordo", True),
    ("yes, but V-2 stays", False), ("no", False), ("yesterday", False)])
def test_a_line_agrees_to_what_was_proposed(line: str, agrees: bool) -> None:
    """With a yes in either language and a courtesy, and with nothing else."""
    assert line_parser.is_agreement(line) is agrees
