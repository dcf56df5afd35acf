"""A whole turn out for ten clubs of Italy 1500, to mailboxes that a real Dovecot serves, and read there again."""

from __future__ import annotations

import imaplib
import ssl
from dataclasses import replace
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Faction
from assistant.desk import Form
from assistant.desk.results import FillIn
from assistant.desk.workspace.workspace import factions_with_reports, open_workspace
from assistant.ledger.outbox import tokens_in
from assistant.post import mail_server
from assistant.post.mail_server import find_sent_mails
from assistant.reporting.render import LARGEST
from tests.post.servers import PASSWORD, REFEREE, Machine
from tests.post.test_sending import YES, outbox, read, send

SECRET = "ab" * 32
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def italy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Italy in the spring of 1500; each club has an address, Venice two."""
    place = tmp_path_factory.mktemp("italy")
    book = place / "italy.xlsx"
    assert (
        desk.new_campaign(desk.NewPlan("giglio", secret=SECRET, language="it"), place / "plain.xlsx").exit
        == desk.Exit.DONE
    )
    desk.export(place / "plain.xlsx", place / "csv")
    table = place / "csv" / "factions.csv"
    lines = [line.split(",") for line in table.read_text(encoding="utf-8").splitlines()]
    column = lines[0].index("mail")
    for line in lines[1:]:
        line[column] = f"{line[0].lower()}@club.test" + ("; vice-v@club.test" if line[0] == "V" else "")
    table.write_text("\n".join(map(",".join, lines)) + "\n", encoding="utf-8")
    made = desk.new_campaign(desk.NewPlan("giglio", folder=place / "csv", secret=SECRET, language="it"), book)
    assert made.exit == desk.Exit.DONE, made.finding_lines()
    assert desk.resolve(book, until="income").exit == desk.Exit.DONE
    return book


def fetched(machine: Machine, login: str) -> list[bytes]:
    """All mails of a mailbox, as Dovecot gives them out."""
    context = ssl.create_default_context(cafile=str(machine.authority))
    with imaplib.IMAP4_SSL("127.0.0.1", machine.imap_port, ssl_context=context) as box:
        box.login(login, PASSWORD)
        box.select(readonly=True)
        numbers = box.search(None, "ALL")[1][0].split()
        return [part[1] for number in numbers for part in box.fetch(number, "(BODY.PEEK[])")[1]
                if isinstance(part, tuple)]


def test_a_whole_turn_goes_out_to_ten_clubs(ready: Machine, italy: Path) -> None:
    """Each mailbox holds its report and the gazette, of one code alone, its page below 90 KB; ours holds them all."""
    campaign = open_workspace(italy, "en").campaign
    clubs = factions_with_reports(campaign)

    result = send(italy, by="domenica 6 dicembre")

    assert (result.exit, result.data["sent"], len(clubs)) == (desk.Exit.DONE, 11, 10), result.finding_lines()
    codes: dict[str, set[str]] = {}
    for code in clubs:
        deputy = ["vice-v@club.test"] if code == "V" else []
        boxes = [fetched(ready, one) for one in (f"{code.lower()}@club.test", *deputy)]
        assert all(len(mails) == 2 for mails in boxes)
        assert sorted(boxes[0]) == sorted(boxes[-1])
        gazette, report = sorted(map(read, boxes[0]), key=lambda mail: "ARB-" in str(mail["Subject"]))
        codes[code] = set(tokens_in(str(report["Subject"])))
        text, page = (report.get_body((kind,)) for kind in ("plain", "html"))
        assert text is not None
        assert page is not None
        assert set(tokens_in(text.get_content())) == codes[code]
        assert len(page.get_content().encode()) <= LARGEST
        assert [part.get_filename() for part in report.iter_attachments()] == [f"italy-{code}.xlsx"]
        assert not list(tokens_in(str(gazette)))
        assert str(report["Content-Language"]) == campaign.table(Faction)[code].language
    assert all(len(one) == 1 for one in codes.values())
    assert len(set.union(*codes.values())) == 10
    assert len(fetched(ready, REFEREE)) == 11
    assert find_sent_mails(ready.post(), PASSWORD, [row.ident for row in outbox(italy)]) == {
        row.ident for row in outbox(italy)}
    assert send(italy, by="domenica 6 dicembre").data["sent"] == 0


def test_a_mail_whose_line_broke_is_found_in_our_mailbox(ready: Machine, war: Path) -> None:
    """The server had it and could not say so: it counts as taken, and nobody gets it twice."""
    ready.reply = lambda step, to: "drop" if step == "DATA" and "bruno@b.test" in to and len(to) == 2 else ""

    result = send(war)

    assert (result.exit, result.data["sent"]) == (desk.Exit.DONE, 3), result.finding_lines()
    assert [mark.cause for row in outbox(war) if row.faction == "B" for mark in row.marks.values()] == ["found"]
    assert len(ready.mails("bruno@b.test")) == 2


def test_a_mail_that_did_not_arrive_is_sent_again(ready: Machine, war: Path) -> None:
    """The server lost it when the line broke: it does not lie in our mailbox, and goes once more, the same bytes."""
    lost: list[list[str]] = []

    def losing(step: str, to: list[str]) -> str:
        if step == "DATA" and "bruno@b.test" in to and len(to) == 2 and not lost:
            lost.append(to)
            return "451 lost"
        return ""

    ready.reply = losing
    assert send(war).exit == desk.Exit.DONE
    assert len(ready.mails("bruno@b.test")) == 2


def test_a_ledger_from_a_backup_learns_from_our_mailbox_alone(ready: Machine, war: Path, tmp_path: Path) -> None:
    """Also where the journal is gone: on another computer."""
    backup = war.with_suffix(".arbitro").read_bytes()
    send(war)
    war.with_suffix(".arbitro").write_bytes(backup)
    for path in (tmp_path / "own" / "mails").iterdir():
        path.unlink()

    result = send(war, YES)

    assert (result.exit, len(ready.mails("bruno@b.test"))) == (desk.Exit.DONE, 2)
    assert {mark.cause for row in outbox(war) for mark in row.marks.values()} == {"found"}


def test_setting_up_the_post_tries_both_servers(ready: Machine, tmp_path: Path) -> None:
    """What lets us in is kept; what does not is told in words, and nothing is."""
    (tmp_path / "own" / "post.json").unlink()
    post = ready.post()
    given = {"address": REFEREE, "name": "The referee", "authority": post.authority,
             "smtp": f"127.0.0.1:{post.smtp.port}", "imap": f"127.0.0.1:{ready.imap_port}:tls"}

    wrong = desk.set_up_post({**given, "login": "somebody"}, lang="en")
    good = desk.set_up_post(given, lang="en")

    assert [finding.code for finding in wrong.findings] == ["ARB-603"]
    assert (good.exit, good.data["kept"]) == (desk.Exit.DONE, "environment")
    assert mail_server.load_account() == replace(post, patience=90, pause=60)
    nobody = desk.set_up_post({**given, "address": "nobody"}, lang="en")
    assert [finding.code for finding in nobody.findings] == ["ARB-601"]
    assert [finding.code for finding in desk.set_up_post({**given, "smtp": "a:b"}, lang="en").findings] == ["ARB-613"]


def test_the_post_is_set_up_in_windows_that_try_and_ask_again(ready: Machine, tmp_path: Path,
                                                              monkeypatch: pytest.MonkeyPatch) -> None:
    """The address, then what its provider needs; what is wrong stands above the fields of the next window, and what was
    typed is still there. Who gives up keeps what was kept before.
    """
    monkeypatch.delenv(mail_server.PASSWORD)
    before = (tmp_path / "own" / "post.json").read_bytes()
    seen: list[Form] = []

    def typing(*typed: dict[str, str] | None) -> FillIn:
        waiting = list(typed)

        def fill_in(form: Form) -> dict[str, str] | None:
            seen.append(form)
            values = waiting.pop(0)
            return None if values is None else {field.name: field.value for field in form.fields} | values

        return fill_in

    given_up = desk.set_up_post_by_form(typing({}, {"secret": "wrong"}, None), lang="en")
    assert (given_up.exit, (tmp_path / "own" / "post.json").read_bytes()) == (desk.Exit.REFUSED, before)
    seen.clear()

    done = desk.set_up_post_by_form(typing({"name": "The referee"}, {"secret": "wrong"}, {"secret": PASSWORD}),
                                    lang="en")

    assert (done.exit, done.data["address"]) == (desk.Exit.DONE, REFEREE)
    assert [field.name for field in seen[0].fields] == ["address", "name"]
    assert [field.secret for field in seen[1].fields] == [False] * 5 + [True]
    assert seen[2].lines[0].startswith("ARB-60")
    assert next(field.value for field in seen[2].fields if field.name == "name") == "The referee"
    account = mail_server.load_account()
    assert account is not None
    assert account.name == "The referee"
    assert mail_server.stored_password(account) == PASSWORD
