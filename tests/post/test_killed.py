"""A sender or a collector that is killed at any instant: every mail and order counts once, and none is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from assistant.campaign.records import Order
from assistant.desk.workspace.workspace import club_codes, open_workspace
from assistant.environment import HOME
from assistant.ledger import DeliveryMark, Ledger, Mail
from assistant.post import mail_server
from assistant.post.letters import Letter, Stamp, compose, message_id
from tests.desk.conftest import copied
from tests.post.mails import raw
from tests.post.servers import PASSWORD, REFEREE, Delivering, Machine
from tests.post.test_sending import read

KILLS, MAILS, UNCERTAIN = 100, 12, 2
COLLECTORS, KILLS_EACH = 6, 6
"""So many evenings, in each of which the collector is killed so often; together with the sender far over a hundred."""
DATE = "Sun, 22 Nov 2026 21:00:00 +0100"
ROOT = Path(__file__).parents[2]


def recorded(place: Path, name: str) -> Path:
    """A ledger whose outbox has mails to two clubs each."""
    ledger = place / f"{name}.arbitro"
    with Ledger.create(ledger, name, bytes(range(32))) as made:
        mails = []
        for number in range(MAILS):
            letter = Letter("report", f"F{number}", f"{name} {number}", "en", f"Report {number}.\n" * 400)
            ident = message_id(name, letter.digest, 0, "club.test")
            to = [f"one{number % 4}@club.test", f"two{number % 3}@club.test"]
            row = Mail(
                ident, "report", letter.faction, "1", "march", 0, letter.digest, DATE, dict.fromkeys(to, DeliveryMark())
            )
            mails.append((row, compose(letter, Stamp(ident, DATE, REFEREE, "", tuple(to)))))
        made.outbox.record(mails)
    return ledger


@pytest.mark.slow
def test_a_hundred_kills_lose_nothing_and_double_nothing(both: Machine, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at random instants and started again until all is sent: each address has each mail once; of all these at
    most two mails stay uncertain.
    """
    monkeypatch.setenv(HOME, str(tmp_path / "own"))
    monkeypatch.setenv(mail_server.PASSWORD, PASSWORD)
    mail_server.save_account(both.post(patience=0.4))
    chance, kills, campaigns, longest = random.Random(14), 0, 0, 0.6
    sender = subprocess.Popen([sys.executable, "-m", "tests.post.sender"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert sender.stdin is not None
    assert sender.stdout is not None
    uncertain, killed_in = 0, Counter[str]()
    while kills < KILLS:
        campaigns += 1
        ledger = recorded(tmp_path, f"campaign{campaigns}")
        ended = -1
        while ended:
            sender.stdin.write(f"{ledger}\n")
            sender.stdin.flush()
            child, begun = int(sender.stdout.readline()), time.monotonic()
            time.sleep(chance.uniform(0, longest))
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                longest = max(0.1, (longest + time.monotonic() - begun) / 2)
            ended = int(sender.stdout.readline())
            assert ended in (0, 1, -signal.SIGKILL)
            kills += ended == -signal.SIGKILL
            with Ledger.open(ledger, "") as opened:  # what was cut short is taken back
                rows = opened.outbox.rows()
            if ended == -signal.SIGKILL:
                killed_in.update(mark.stage for row in rows for mark in row.marks.values() if mark.stage == "begun")
        uncertain += sum(bool(row.at_stage("uncertain")) for row in rows)
    sender.stdin.close()
    sender.wait(timeout=20)

    assert uncertain <= UNCERTAIN
    assert killed_in["begun"] > 0  # some were killed where it matters
    wanted = Counter((address, f"campaign{c + 1} {n}") for c in range(campaigns) for n in range(MAILS)
                     for address in (f"one{n % 4}@club.test", f"two{n % 3}@club.test", REFEREE))
    arrived = Counter((address, str(read(mail)["Subject"])) for address in dict(wanted.keys())
                      for mail in both.mails(address))
    assert arrived == wanted


@pytest.mark.slow
def test_a_collector_that_is_killed_loses_nothing_and_doubles_nothing(
        both: Machine, with_addresses: Path, plugged_in: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at moments all over its work and started again: each order stands once, each club has its receipt once.
    """
    monkeypatch.setenv(HOME, str(tmp_path / "own"))
    monkeypatch.setenv(mail_server.PASSWORD, PASSWORD)
    monkeypatch.setenv("PYTHONPATH", str(plugged_in))
    mail_server.save_account(both.post(patience=0.2))
    codes = club_codes(open_workspace(with_addresses / "war.xlsx", "en")).now
    collector = subprocess.Popen([sys.executable, "-m", "tests.post.collector"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def run(book: Path, home: Path, last: int) -> tuple[int, int]:
        assert collector.stdin is not None
        assert collector.stdout is not None
        collector.stdin.write(f"{book}\t{home}\t{last}\n")
        collector.stdin.flush()
        ended, count = collector.stdout.readline().split()
        return int(ended), int(count)

    chance, kills, moments = random.Random(15), 0, 1_000
    for evening in range(COLLECTORS + 1):
        book, home = copied(with_addresses, tmp_path / f"evening{evening}"), tmp_path / f"home{evening}"
        shutil.copytree(tmp_path / "own", home)
        both.clear()
        for club, sender, line in (("A", "anna@a.test", "A1"), ("B", "b@x.test", "B1")):
            mail = raw(f"{line}\nCiao", subject=codes[club], headers={"From": sender, "Message-ID": f"<{club}@x>"})
            Delivering(both.mailboxes, lambda step, to: "").deliver(REFEREE, mail)
        for turn in range(KILLS_EACH if evening else 0):
            first = moments * turn // KILLS_EACH
            kills += run(book, home, chance.randint(first, first + moments // KILLS_EACH) + 1)[0] == -signal.SIGKILL
        ended, count = run(book, home, 0)
        moments = moments if evening else count
        standing = sorted(
            (row.faction, row.text) for row in open_workspace(book, "en").campaign.table(Order) if not row.status
        )
        arrived = {one: len(both.mails(one)) for one in ("anna@a.test", "dan@a.test", "bruno@b.test")}
        assert (ended, standing) == (0, [("A", "A1"), ("B", "B1")]), evening
        assert arrived == dict.fromkeys(arrived, 1), evening
        assert len(both.mails(REFEREE)) == 4  # what the clubs wrote, and a copy of each receipt
    assert collector.stdin is not None
    collector.stdin.close()
    collector.wait(timeout=20)
    assert kills > COLLECTORS * KILLS_EACH // 2, (kills, moments)
