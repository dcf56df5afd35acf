"""`arbitro send`: each mail once, whatever the server says, with what the referee is told; through a real server."""

from __future__ import annotations

import email
import email.policy
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.environment import HOME, Clock
from assistant.ledger import Ledger, Mail, path_of_ledger
from assistant.post import mail_server
from assistant.reporting.render import LARGEST
from tests import hand
from tests.playing import codes_of
from tests.post.servers import PASSWORD, REFEREE, Machine

START = datetime(2026, 11, 22, 21, 0, tzinfo=timezone(timedelta(hours=1)))
YES = desk.PostOptions(yes=True)


class Hour:
    """A clock that stands still but for who waits."""

    def __init__(self) -> None:
        self.hour = START
        self.waited: list[float] = []

    def sleep(self, seconds: float) -> None:
        """It is so much later now."""
        self.waited.append(seconds)
        self.hour += timedelta(seconds=seconds)

    @property
    def clock(self) -> Clock:
        """For a door."""
        return Clock(lambda: self.hour, self.sleep)


def send(book: Path, wish: desk.PostOptions = YES, **more: Any) -> desk.Result:
    """The command, with a clock that nobody waits for."""
    return desk.send(book, book.parent / "out", clock=Hour().clock, wish=wish, lang="en", **more)


def outbox(book: Path) -> list[Mail]:
    """The rows of the outbox."""
    with Ledger.open(path_of_ledger(book), "") as ledger:
        return ledger.outbox.rows()


def stages(book: Path) -> dict[str, list[str]]:
    """Faction or kind of each mail -> the stages of its addresses."""
    return {row.faction or row.kind: [mark.stage for mark in row.marks.values()] for row in outbox(book)}


def read(data: bytes) -> EmailMessage:
    """A mail as a program reads it."""
    found = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


# --- what a mail holds ------------------------------------------------------------------------------------
def test_each_club_gets_its_package_and_everybody_the_gazette_once(server: Machine, war: Path) -> None:
    """Each of its addresses, the deputy's too; text, page, order form and code; a copy of each comes to us."""
    result = send(war)

    assert (result.exit, result.data["sent"]) == (desk.Exit.DONE, 3), result.finding_lines()
    boxes = {one: [read(mail) for mail in server.mails(one)] for one in
             ("anna@a.test", "dan@a.test", "bruno@b.test", REFEREE)}
    assert {one: len(mails) for one, mails in boxes.items()} == {
        "anna@a.test": 2, "dan@a.test": 2, "bruno@b.test": 2, REFEREE: 3}
    report = boxes["dan@a.test"][0]
    assert str(report["To"]) == "anna@a.test, dan@a.test"
    assert str(report["From"]) == f"The referee <{REFEREE}>"
    assert [part.get_content_type().rpartition("/")[2] for part in report.walk()] == [
        "mixed", "alternative", "plain", "html", "vnd.openxmlformats-officedocument.spreadsheetml.sheet"]
    text, page = (report.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert page is not None
    code = str(report["Subject"]).split()[-1]
    assert code.startswith("ARB-")
    assert code in text.get_content()
    assert code in page.get_content()
    assert len(page.get_content().encode()) <= LARGEST
    assert [part.get_filename() for part in report.iter_attachments()] == ["war-A.xlsx"]
    gazette = boxes["bruno@b.test"][1]
    assert str(gazette["To"]) == f"The referee <{REFEREE}>"  # nobody's address is shown to others
    assert b"anna@a.test" not in server.mails("bruno@b.test")[1]


@pytest.mark.slow
def test_what_went_out_does_not_go_out_again(server: Machine, war: Path) -> None:
    """A second `send` says so; `--again` sends it once more to whom it is to, under another Message-ID."""
    send(war)
    before = outbox(war)

    again = send(war)
    assert (again.exit, again.data["sent"]) == (desk.Exit.DONE, 0)
    assert outbox(war) == before
    assert send(war, desk.PostOptions(only=("b",), again=("B",))).data["sent"] == 1

    assert len(server.mails("bruno@b.test")) == 3
    assert len({row.ident for row in outbox(war)}) == 4


@pytest.mark.slow
def test_a_mail_that_is_made_again_is_the_same_bytes(server: Machine, war: Path) -> None:
    """Its time and its Message-ID are kept with its row: a dry run weeks later writes what was sent."""
    send(war)
    later = Clock(lambda: START + timedelta(days=30), lambda _: None)

    result = desk.send(war, war.parent / "eml", clock=later, wish=desk.PostOptions(dry=True))

    assert result.data["files"] == ["A.eml", "B.eml", "gazette.eml"]
    assert (war.parent / "eml" / "B.eml").read_bytes() == server.mails("bruno@b.test")[0]


@pytest.mark.slow
def test_a_dry_run_sends_nothing_and_needs_no_post(war: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mails lie in the folder, the list names sizes, nothing is noted."""
    monkeypatch.setenv(HOME, str(tmp_path / "nothing"))

    result = send(war, desk.PostOptions(dry=True))

    assert result.exit == desk.Exit.DONE
    assert any("Ashford: anna@a.test, dan@a.test; " in line and " KB; to be sent" in line for line in result.lines)
    assert outbox(war) == []
    assert not (tmp_path / "nothing").exists()


@pytest.mark.slow
def test_to_me_is_a_rehearsal(server: Machine, war: Path) -> None:
    """Every mail comes to us and to nobody else, nothing is asked or noted."""
    result = send(war, desk.PostOptions(to_me=True))

    assert (result.exit, result.data["sent"]) == (desk.Exit.DONE, 3)
    assert len(server.mails(REFEREE)) == 3
    assert server.mails("anna@a.test") == []
    assert outbox(war) == []


@pytest.mark.slow
def test_the_first_mails_of_a_campaign_are_asked_for(server: Machine, war: Path) -> None:
    """With the list; without a yes nothing leaves, it ends with 1 and names --yes. Later ones are not asked for."""
    asked: list[str] = []

    def refuse(lines: Sequence[str], question: str) -> bool:
        asked.extend([*lines, question])
        return False

    no = send(war, desk.PostOptions(agree=refuse))

    assert (no.exit, codes_of(no)) == (desk.Exit.REFUSED, ["ARB-602"])
    assert "--yes" in no.finding_lines()[0]
    assert asked[-1] == "Send these mails? [y/N]"
    assert (server.steps, outbox(war)) == ([], [])
    assert send(war, desk.PostOptions(agree=lambda lines, question: True)).data["sent"] == 3
    assert send(war, desk.PostOptions(only=("A",), again=("A",))).data["sent"] == 1


def to_address(book: Path, address: str) -> None:
    """Type another address for Brook onto the sheet Factions."""
    hand.by_hand(book, ("Factions", "B", "Mail", address))


def secret_mails(server: Machine, address: str) -> list[bytes]:
    """What an address got that is not for everybody."""
    return [mail for mail in server.mails(address) if "gazette" not in str(read(mail)["Subject"])]


@pytest.mark.slow
def test_an_address_that_was_changed_is_named_and_asked_for_once(server: Machine, war: Path) -> None:
    """Whoever may type into the workbook may type an address; nothing secret goes there before the referee agrees."""
    asked: list[list[str]] = []

    def answer(lines: Sequence[str], question: str, *, yes: bool) -> bool:
        asked.append([*lines, question])
        return yes

    send(war)
    to_address(war, "mallory@b.test")
    refused = send(war, desk.PostOptions(agree=lambda lines, question: answer(lines, question, yes=False)))

    assert asked == [["Brook: none of its mails has gone to mallory@b.test before.",
                      "Are these addresses right? [y/N]"]]
    assert (refused.exit, codes_of(refused)) == (desk.Exit.REFUSED, ["ARB-616"])
    assert secret_mails(server, "mallory@b.test") == []
    assert send(war).exit == desk.Exit.REFUSED  # --yes agrees to no address
    assert secret_mails(server, "mallory@b.test") == []
    agreed = send(war, desk.PostOptions(agree=lambda lines, question: answer(lines, question, yes=True)))
    assert (agreed.exit, len(secret_mails(server, "mallory@b.test"))) == (desk.Exit.DONE, 1), agreed.finding_lines()
    assert send(war, desk.PostOptions(again=("B",))).exit == desk.Exit.DONE  # it is known now
    assert len(asked) == 2


@pytest.mark.slow
def test_a_changed_address_is_let_go_with_a_reason_where_nobody_can_be_asked(server: Machine, war: Path) -> None:
    """By the same option that lets any other mail go that was held back."""
    send(war)
    to_address(war, "new@b.test")

    result = send(war, desk.PostOptions(yes=True, let_go=("B",), why="Bruno told me"))

    assert (result.exit, len(secret_mails(server, "new@b.test"))) == (desk.Exit.DONE, 1), result.finding_lines()


@pytest.mark.slow
def test_the_list_is_shown_before_anything_leaves(server: Machine, war: Path) -> None:
    """Also where nobody is asked: who gets what, with sizes, and only then the first mail."""
    told: list[tuple[str, int]] = []

    send(war, replace(YES, tell=lambda line: told.append((line, len(server.steps)))))

    assert [steps for line, steps in told if " KB; " in line] == [0, 0, 0]
    assert told[-1] == ("everybody (gazette): sent to anna@a.test, bruno@b.test, dan@a.test.", len(server.steps))


@pytest.mark.slow
def test_only_one_faction(server: Machine, war: Path) -> None:
    """Its mail, and not the gazette."""
    send(war, replace(YES, only=("b",)))

    assert stages(war) == {"B": ["taken"]}


@pytest.mark.slow
def test_a_club_without_an_address_is_named(server: Machine, with_addresses: Path, war: Path) -> None:
    """And what stands there and is no address; both at the cell. The others get their mails."""

    book = hand.opened(war)
    cell = next(one for row in book["Factions"].iter_rows() for one in row if one.value == "bruno@b.test")
    cell.value = "bruno at home"
    book.save(war)
    desk.accept(war, [], everything=True, why="moved")

    result = send(war)

    assert [(finding.code, finding.cell) for finding in result.findings] == [
        (code, f"Factions!{cell.coordinate}") for code in ("ARB-601", "ARB-600")]
    assert stages(war) == {"A": ["taken", "taken"], "gazette": ["taken", "taken"]}


# --- corrected reports ------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_corrected_report_says_which_one_it_replaces_and_why(server: Machine, war: Path) -> None:
    """Undo, another order, resolve: the club's new mail names the old one's code; who has the old one is told first."""
    send(war)
    first = {row.faction: row.code for row in outbox(war)}
    asked: list[str] = []
    refused = desk.undo(war, lang="en")
    def agree(told: str, questions: Sequence[str]) -> bool:
        asked.append(told)
        return True

    undone = desk.undo(war, agree=agree, lang="en")
    desk.take_orders(war, [desk.Input("B: B1", text="B: B1")])
    assert desk.resolve(war).exit == desk.Exit.DONE

    result = send(war, desk.PostOptions(why="the mail of Brook was overlooked"))

    assert codes_of(refused) == ["ARB-345"]
    assert undone.exit == desk.Exit.DONE
    assert "Ashford" in asked[0]
    assert "ARB-608" in codes_of(result)
    new = {row.faction: row for row in outbox(war) if row.replaces}
    text = read(server.mails("bruno@b.test")[2]).get_body(("plain",))
    assert text is not None
    said = " ".join(text.get_content().split())
    assert new["B"].cause == "undone"
    assert f"sostituisce il bollettino {first['B']}" in said
    assert "the mail of Brook was overlooked" in said


@pytest.mark.slow
def test_undo_redo_and_a_ledger_from_a_backup_do_not_forget_that_a_mail_went_out(server: Machine, war: Path) -> None:
    """The outbox only grows; the user's own journal teaches a ledger that was put back."""
    backup = path_of_ledger(war).read_bytes()
    send(war)
    sent = outbox(war)
    path_of_ledger(war).write_bytes(backup)
    assert outbox(war) == []

    result = send(war)
    assert (result.exit, result.data["sent"], len(server.mails("bruno@b.test"))) == (desk.Exit.DONE, 0, 2)
    assert outbox(war) == sent
    desk.undo(war, agree=lambda *_: True)
    assert outbox(war) == sent
    desk.redo(war)
    assert outbox(war) == sent
    assert codes_of(desk.undo(war)) == ["ARB-345"]


@pytest.mark.slow
@pytest.mark.parametrize("anew", ["rescue", "renew"])
def test_a_new_ledger_knows_what_went_out(server: Machine, war: Path, anew: str) -> None:
    """Rescued from a damaged one or started anew."""
    send(war)
    sent = {row.ident: row.marks for row in outbox(war)}

    result = desk.rescue_ledger(war) if anew == "rescue" else desk.renew_ledger(war)

    assert result.exit == desk.Exit.DONE
    assert {row.ident: row.marks for row in outbox(war)} == sent


# --- what servers say -------------------------------------------------------------------------------------
def refusing(address: str, reply: str) -> Callable[[str, list[str]], str]:
    """A server that says that to one address."""
    return lambda step, to: reply if step == "RCPT" and to[-1] == address else ""


@pytest.mark.slow
def test_an_address_that_is_refused_keeps_nobody_else_from_his_mail(server: Machine, war: Path) -> None:
    """It is named with the server's words; the club's other address has the mail."""
    server.reply = refusing("dan@a.test", "550 no such user")

    result = send(war)

    assert result.exit == desk.Exit.REFUSED
    assert codes_of(result).count("ARB-604") == 2
    assert "550 no such user" in "".join(result.finding_lines())
    assert stages(war) == {"A": ["taken", "refused"], "B": ["taken"], "gazette": ["taken", "taken", "refused"]}


@pytest.mark.slow
def test_an_address_that_is_put_off_is_waited_for(server: Machine, war: Path) -> None:
    """Greylisting: the others have theirs at once, it gets its own in the next round, once; then nothing is open."""
    tries: list[str] = []

    def grey(step: str, to: list[str]) -> str:
        if step != "RCPT" or to[-1] != "dan@a.test":
            return ""
        tries.append(to[-1])
        return "450 4.2.0 greylisted, come back" if len(tries) <= 2 else ""

    server.reply = grey
    result = send(war)

    assert (result.exit, result.data["sent"]) == (desk.Exit.DONE, 5), result.finding_lines()
    assert {one: len(server.mails(one)) for one in ("anna@a.test", "dan@a.test", "bruno@b.test")} == {
        "anna@a.test": 2, "dan@a.test": 2, "bruno@b.test": 2}


@pytest.mark.slow
def test_who_is_put_off_for_long_is_told_and_gets_it_with_the_next_send(server: Machine, war: Path) -> None:
    """After three rounds it is left to the referee; the mail is kept."""
    server.reply = lambda step, to: "451 4.7.1 too many mails in an hour" if step == "MAIL" else ""
    result = send(war)

    assert (result.exit, set(codes_of(result)), result.data["sent"]) == (desk.Exit.REFUSED, {"ARB-605"}, 0)
    assert stages(war)["A"] == ["recorded", "recorded"]
    server.reply = lambda step, to: ""
    assert send(war).data["sent"] == 3
    assert len(server.mails("dan@a.test")) == 2


@pytest.mark.slow
def test_a_line_that_breaks_when_the_mail_was_handed_over_leaves_it_uncertain(server: Machine, war: Path) -> None:
    """Without a mailbox of ours nobody can tell; it is not sent again by itself, and both ways out are named."""
    server.reply = lambda step, to: "drop" if step == "DATA" and "bruno@b.test" in to and len(to) == 2 else ""
    result = send(war)

    assert result.exit == desk.Exit.REFUSED
    assert stages(war)["B"] == ["uncertain"]
    line = next(one for one in result.finding_lines() if "ARB-606" in one)
    assert "--arrived B" in line
    assert "--again B" in line
    server.reply = lambda step, to: ""
    assert stages(war)["B"] == ["uncertain"]
    assert send(war).exit == desk.Exit.REFUSED  # still nobody knows
    assert send(war, desk.PostOptions(arrived=("B",))).exit == desk.Exit.DONE
    assert stages(war)["B"] == ["taken"]
    assert codes_of(send(war, desk.PostOptions(arrived=("B",)))) == ["ARB-610"]
    assert len(server.mails("bruno@b.test")) == 2


@pytest.mark.slow
def test_a_server_that_says_no_after_the_text_is_believed(server: Machine, war: Path) -> None:
    """A spam filter refuses one mail: it is refused, and not sent again."""
    server.reply = lambda step, to: "554 looks like spam" if step == "DATA" and to[0] == "bruno@b.test" else ""

    send(war)

    assert stages(war) == {"A": ["taken", "taken"], "B": ["refused"], "gazette": ["taken", "taken", "taken"]}


@pytest.mark.slow
def test_a_mail_that_is_larger_than_the_server_takes_is_told(war: Path, tmp_path: Path,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    """With both sizes, and nothing of it is handed over."""
    monkeypatch.setenv(HOME, str(tmp_path / "own"))
    monkeypatch.setenv(mail_server.PASSWORD, PASSWORD)
    small = Machine()
    with small.smtp(size=20_000):
        mail_server.save_account(small.post())
        result = send(war)

    assert {mark.cause.split()[0] for row in outbox(war) if row.faction for mark in row.marks.values()} == {"552"}
    assert result.exit == desk.Exit.REFUSED


# --- what keeps us from a server --------------------------------------------------------------------------
@pytest.mark.slow
def test_a_server_that_cannot_be_used_is_told_in_words(server: Machine, war: Path,
                                                       monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong password, a certificate that nobody vouches for, no server, no such host; each mail stays recorded."""
    post = server.post()
    for wrong, word in ((replace(post, login="somebody"), "login"), (replace(post, authority=""), "certificate"),
                        (replace(post, smtp=replace(post.smtp, port=1)), "refused"),
                        (replace(post, smtp=replace(post.smtp, host="nowhere.invalid")), "no_host")):
        mail_server.save_account(wrong)
        result = send(war)
        assert [(finding.code, finding.data["fault"]) for finding in result.findings] == [("ARB-603", word)]
        assert result.exit == desk.Exit.REFUSED
    assert stages(war)["B"] == ["recorded"]
    monkeypatch.delenv(mail_server.PASSWORD)
    assert codes_of(send(war)) == ["ARB-609"]


@pytest.mark.slow
def test_no_secret_is_written_anywhere(server: Machine, war: Path, tmp_path: Path) -> None:
    """Not into workbook, ledger, exports, mails, the settings or what the command says."""
    result = send(war)
    desk.export(war, war.parent / "export")

    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [one for one in kept if PASSWORD.encode() in one.read_bytes()] == []
    assert PASSWORD not in json.dumps(result.as_json())
    if os.name == "posix":
        assert {oct(path.stat().st_mode & 0o077) for path in (tmp_path / "own").rglob("*") if path.is_file()} == {"0o0"}


# --- words that may not leave -----------------------------------------------------------------------------
@pytest.mark.slow
def test_a_mail_with_a_word_that_its_reader_may_not_know_is_held_back(server: Machine, war: Path,
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """Word and place are shown, the others leave; it goes with a reason, which is kept."""
    from assistant.desk.clubs import outgoing
    from assistant.desk.commands import report as reports

    made = reports.faction_page

    def leaking(*args: Any, **named: Any) -> Any:
        found = made(*args, **named)
        page = replace(found.page, dues=("Beware of ashford's friend anna@a.test!",))
        return found._replace(page=page) if args[2] == "B" else found

    monkeypatch.setattr(outgoing, "faction_page", leaking)
    result = send(war)

    assert result.exit == desk.Exit.REFUSED
    held = next(finding for finding in result.findings if finding.code == "ARB-607")
    assert (held.data["faction"], held.data["place"]) == ("B", "text")
    assert "anna@a.test" in str(held.data["word"])
    assert sorted(stages(war)) == ["A", "gazette"]
    assert codes_of(send(war, desk.PostOptions(let_go=("B",)))) == ["ARB-612"]
    assert send(war, desk.PostOptions(let_go=("B",), why="she told it herself")).data["sent"] == 1
    assert [row.let_go for row in outbox(war) if row.faction == "B"] == ["she told it herself"]
