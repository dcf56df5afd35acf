"""`arbitro remind`: whom the phase waits for gets a short mail, once; through the real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant import desk
from assistant.cli import main
from assistant.post.out import settings
from tests.desk.conftest import copied
from tests.post.servers import Machine
from tests.post.test_sending import YES, Hour, codes, outbox, read, stages


def remind(book: Path, wish: desk.PostWish = YES, **more: Any) -> desk.Result:
    """The command."""
    return desk.remind(book, book.parent / "out", clock=Hour().clock, wish=wish, lang="en", **more)


@pytest.fixture
def march(unplayed: Path, tmp_path: Path) -> Path:
    """Before the march, which waits for the orders of both; A's have come."""
    book = copied(unplayed, tmp_path / "march")
    desk.take_orders(book, [desk.Source("A: M1", text="A: M1")])
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


@pytest.mark.slow
def test_without_a_post_it_says_who_is_awaited(march: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1; a dry run writes the mails all the same."""
    monkeypatch.setenv(settings.HOME, str(tmp_path / "nothing"))

    assert codes(remind(march)) == ["ARB-614"]
    assert remind(march, desk.PostWish(dry=True)).exit == desk.Exit.DONE


@pytest.mark.slow
def test_nobody_is_reminded_where_nobody_owes_anything(server: Machine, march: Path) -> None:
    """It says so and ends well."""
    desk.take_orders(march, [desk.Source("B: M1", text="B: M1")])

    result = remind(march)

    assert (result.exit, result.lines, server.steps) == (desk.Exit.DONE, ["No club is awaited."], [])


def test_the_commands_name_yes_where_nobody_can_be_asked(server: Machine, war: Path) -> None:
    """Exit code 1 without it, and nothing leaves; 0 with it."""
    def arbitro(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, ["--lang", "en", *words])
        return done.exit_code, done.output

    code, said = arbitro("send", str(war))
    assert (code, "ARB-602" in said, "--yes" in said, server.steps) == (1, True, True, [])
    assert arbitro("send", str(war), "--yes", "--only", "B")[0] == 0
    assert arbitro("send", str(war), "--dry-run", "--out", str(war.parent / "eml"))[0] == 0
    assert sorted(one.name for one in (war.parent / "eml").iterdir()) == ["A.eml", "B.eml", "gazette.eml"]
