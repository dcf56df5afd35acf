"""What tests of the post share: a tiny campaign with copies of its two clubs, servers on this machine, a user's own
folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant import desk
from assistant.environment import HOME
from assistant.post import mail_server
from assistant.testing import kit
from tests.desk.conftest import SECRET, copied, written
from tests.post.servers import PASSWORD, Machine

ADDRESSES = {"A": "anna@a.test; Deputy <dan@a.test>", "B": "bruno@b.test"}


@pytest.fixture(scope="session", autouse=True)
def plugged_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The tiny rulebook is found by its entry point, which lies in this folder."""
    place = tmp_path_factory.mktemp("plugged-in")
    with kit.plug_in(place, tiny="tests.desk.tiny:TINY"):
        yield place


@pytest.fixture(scope="session")
def villages(tmp_path_factory: pytest.TempPathFactory, plugged_in: Path) -> Path:
    """Two villages before their first march, and the folder ``out`` with their copies."""
    place = written(tmp_path_factory.mktemp("villages"))
    made = desk.new_campaign(desk.NewPlan("tiny", folder=place / "csv", secret=SECRET), place / "war.xlsx")
    assert made.exit == desk.Exit.DONE, made.finding_lines()
    assert desk.share(place / "war.xlsx", place / "out").exit == desk.Exit.DONE
    return place


@pytest.fixture
def book(villages: Path, tmp_path: Path) -> Path:
    """The same campaign, to be changed, with its copies and an empty folder ``in``. The workbook's path."""
    shutil.copytree(villages, tmp_path, dirs_exist_ok=True)
    (tmp_path / "in").mkdir()
    return tmp_path / "war.xlsx"


@pytest.fixture(scope="session")
def machine() -> Iterator[Machine]:
    """A server that takes mails, with nobody's mailbox to be asked."""
    machine = Machine()
    with machine.smtp():
        yield machine
    shutil.rmtree(machine.place, ignore_errors=True)


@pytest.fixture(scope="module")
def both() -> Iterator[Machine]:
    """The server and Dovecot with our mailbox."""
    machine = Machine()
    with machine.smtp(), machine.imap():
        yield machine


@pytest.fixture
def ready(both: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The post set up for both servers in a folder of this test's own."""
    return set_up(both, tmp_path, monkeypatch)


def set_up(machine: Machine, place: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A server with no mail yet, and the post set up for it in a folder."""
    machine.clear()
    monkeypatch.setenv(HOME, str(place / "own"))
    monkeypatch.setenv(mail_server.PASSWORD, PASSWORD)
    mail_server.save_account(machine.post())
    return machine


@pytest.fixture
def server(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The server, with no mail yet, and the post set up for it in a folder of this test's own."""
    return set_up(machine, tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def unplayed(tmp_path_factory: pytest.TempPathFactory, plugged_in: Path) -> Path:
    """A campaign whose clubs have addresses and have ordered nothing yet, to copy from."""
    place = written(tmp_path_factory.mktemp("unplayed"))
    factions = place / "csv" / "factions.csv"
    rows = factions.read_text().splitlines()
    factions.write_text("\n".join([f"{rows[0]},mail", *(f"{row},{ADDRESSES[row[0]]}" for row in rows[1:])]) + "\n")
    assert (
        desk.new_campaign(desk.NewPlan("tiny", folder=place / "csv", secret=SECRET), place / "war.xlsx").exit
        == desk.Exit.DONE
    )
    return place


@pytest.fixture(scope="session")
def with_addresses(tmp_path_factory: pytest.TempPathFactory, unplayed: Path) -> Path:
    """Both armies have marched, and both clubs have addresses, to copy from."""
    place = copied(unplayed, tmp_path_factory.mktemp("addresses")).parent
    desk.take_orders(place / "war.xlsx", [desk.Input(line, text=line) for line in ("A: M1", "B: M1")])
    assert desk.resolve(place / "war.xlsx").exit == desk.Exit.DONE
    return place


@pytest.fixture
def war(with_addresses: Path, tmp_path: Path) -> Path:
    """The campaign, to be changed."""
    return copied(with_addresses, tmp_path / "war")
