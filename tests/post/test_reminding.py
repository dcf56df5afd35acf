"""`arbitro remind`: whom the phase waits for gets a short mail, once; through the real server."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk.clubs import send
from assistant.desk.workspace.workspace import open_workspace
from assistant.environment import HOME, Clock
from tests.desk.conftest import SECRET, copied
from tests.playing import arbitro, codes_of
from tests.post.servers import Machine
from tests.post.test_sending import YES, Hour, outbox, read, stages


def remind(book: Path, wish: desk.PostOptions = YES, **more: Any) -> desk.Result:
    """The command."""
    return desk.remind(book, book.parent / "out", clock=Hour().clock, wish=wish, lang="en", **more)


@pytest.fixture
def march(unplayed: Path, tmp_path: Path) -> Path:
    """Before the march, which waits for the orders of both; A's have come."""
    book = copied(unplayed, tmp_path / "march")
    desk.take_orders(book, [desk.Input("A: M1", text="A: M1")])
    return book


def test_who_is_awaited_is_reminded_once_a_phase(server: Machine, march: Path) -> None:
    """What is awaited and by when, with the code for the answer, in its language; who has ordered gets nothing."""
    result = remind(march, by="domenica, 20:00")

    assert (result.exit, result.data["sent"]) == (desk.Exit.DONE, 1), result.finding_lines()
    assert stages(march) == {"B": ["taken"]}
    mail = read(server.mails("bruno@b.test")[0])
    text = mail.get_body(("plain",))
    assert text is not None
    assert "Rispondi entro domenica, 20:00." in text.get_content()
    assert "ARB-" in str(mail["Subject"])
    assert remind(march, by="Monday").data["sent"] == 0
    assert all(row.code == "" for row in outbox(march))
    assert desk.status(march).data["sent"] == []  # a reminder is no report


@pytest.fixture
def due(unplayed: Path, tmp_path: Path) -> Path:
    """Before the march, due on Sunday at 21:00 with two hours of grace; A has a deputy, and so has B by now."""
    from_csv = tmp_path / "csv"
    desk.export(unplayed / "war.xlsx", from_csv)
    with (from_csv / "desk.csv").open("a") as file:
        file.write("due_day,sunday\ndue_hour,21\ngrace,2\n")
    table = from_csv / "factions.csv"
    rows = list(csv.DictReader(table.read_text().splitlines()))
    for row in rows:
        row |= {"mail": f"{row['faction'].lower()}@club.test", "deputy": f"vice-{row['faction'].lower()}@club.test"}
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    book = tmp_path / "due.xlsx"
    made = desk.new_campaign(desk.NewPlan("tiny", folder=from_csv, secret=SECRET), book)
    assert made.exit == desk.Exit.DONE, made.finding_lines()
    return book


def at(book: Path, hour: datetime, **wish: Any) -> desk.Result:
    """The command at an hour."""
    return desk.remind(book, book.parent / "out", clock=Clock(lambda: hour, lambda seconds: None),
                       wish=replace(YES, **wish), lang="en")


def asked(book: Path) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """Of each reminder its faction, whose turn it is, and its addresses."""
    return [(row.faction, row.about, sorted(row.marks)) for row in outbox(book)]


@pytest.mark.slow
def test_at_the_start_of_a_grace_it_goes_once_more_and_to_the_deputy(server: Machine, due: Path) -> None:
    """To whom it must: the club before its deadline, the club and its deputy once it has passed; each time once."""
    before, grace, over = (datetime(2026, 11, 22, hour, tzinfo=UTC) for hour in (20, 22, 23))

    assert at(due, before).data["sent"] == 2
    assert at(due, before).data["sent"] == 0
    desk.take_orders(due, [desk.Input("A: M1", text="A: M1")])
    late = at(due, grace)
    assert (late.exit, late.data["sent"], late.findings) == (desk.Exit.DONE, 1, [])
    assert at(due, grace).data["sent"] == 0
    assert at(due, over).data["sent"] == 0  # its own turn came before

    assert asked(due) == [("A", (), ["a@club.test"]), ("B", (), ["b@club.test"]),
                          ("B", ("grace",), ["b@club.test", "vice-b@club.test"])]
    said = read(server.mails("vice-b@club.test")[0]).get_body(("plain",))
    assert said is not None
    assert "22 novembre 2026, ore 21:00" in said.get_content()
    assert "22 novembre 2026, ore 23:00" in said.get_content()
    assert "vice" in said.get_content()


def test_to_an_address_nobody_agreed_to_it_goes_without_code_and_questions(server: Machine, due: Path) -> None:
    """By a timer it goes at once, and the address stays as unknown as before; who agrees sends it whole."""
    before, grace = (datetime(2026, 11, 22, hour, tzinfo=UTC) for hour in (20, 22))
    at(due, before)

    late = at(due, grace)

    assert any("no code and no question" in line for line in late.lines)
    plain, whole = (read(server.mails(f"{who}@club.test")[0]) for who in ("vice-a", "a"))
    assert ("ARB-" in str(plain["Subject"]), "ARB-" in str(whole["Subject"])) == (False, True)
    text = plain.get_body(("plain",))
    assert text is not None
    assert "ARB-" not in text.get_content()
    asked_for: list[str] = []

    def agree(lines: Sequence[str], question: str) -> bool:
        asked_for.extend(lines)
        return True

    at(due, grace, yes=False, again=("A", "B"), agree=agree)

    assert [line.split(" has gone to ")[1] for line in asked_for] == [
        "vice-a@club.test before.", "vice-b@club.test before."]
    assert "ARB-" in str(read(server.mails("vice-a@club.test")[1])["Subject"])


def test_who_is_away_is_not_asked_but_his_deputy(server: Machine, due: Path) -> None:
    """From the first reminder on; without a deputy nobody is. Standing orders are nothing that is owed."""
    before = datetime(2026, 11, 22, 20, tzinfo=UTC)
    campaign = open_workspace(due, "en").campaign
    away, alone = campaign.copy(), campaign.copy()
    away.table(Faction)["A"].holidays = alone.table(Faction)["A"].holidays = "2026-11-20..2026-11-30"
    alone.table(Faction)["A"].deputy = ""
    workspace = open_workspace(due, "en")

    def called(now: datetime, there: Campaign) -> list[tuple[str, tuple[str, ...], str]]:
        workspace.campaign = there
        return [(club.faction, club.to, club.turn) for club in send.awaited_clubs(workspace, now)]

    assert called(before, away) == [("A", ("vice-a@club.test",), "deputy"), ("B", ("b@club.test",), "")]
    assert called(before, alone) == [("B", ("b@club.test",), "")]
    desk.take_orders(due, [desk.Input("A", text="A: M1 until changed")])
    workspace = open_workspace(due, "en")
    assert called(before, workspace.campaign) == [("B", ("b@club.test",), "")]


@pytest.mark.slow
def test_without_a_post_it_says_who_is_awaited(march: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1; a dry run writes the mails all the same."""
    monkeypatch.setenv(HOME, str(tmp_path / "nothing"))

    assert codes_of(remind(march)) == ["ARB-614"]
    assert remind(march, desk.PostOptions(dry=True)).exit == desk.Exit.DONE


@pytest.mark.slow
def test_nobody_is_reminded_where_nobody_owes_anything(server: Machine, march: Path) -> None:
    """It says so and ends well."""
    desk.take_orders(march, [desk.Input("B: M1", text="B: M1")])

    result = remind(march)

    assert (result.exit, result.lines, server.steps) == (desk.Exit.DONE, ["No club still has to answer."], [])


@pytest.mark.slow
def test_the_commands_name_yes_where_nobody_can_be_asked(server: Machine, war: Path) -> None:
    """Exit code 1 without it, and nothing leaves; 0 with it."""
    refused = arbitro("send", war)
    assert (refused.exit_code, "ARB-602" in refused.output, "--yes" in refused.output, server.steps) == (
        1, True, True, [])
    assert arbitro("send", war, "--yes", "--only", "B").exit_code == 0
    assert arbitro("send", war, "--dry-run", "--out", war.parent / "eml").exit_code == 0
    assert sorted(path.name for path in (war.parent / "eml").iterdir()) == ["A.eml", "B.eml", "gazette.eml"]
