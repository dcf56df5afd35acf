"""A sender that is killed at any instant: every mail arrives once, nobody's twice, and what nobody knows is told."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.ledger import Ledger, Mail, Mark
from assistant.post.out import settings
from assistant.post.out.letters import Letter, Stamp, compose, identity
from tests.post.servers import PASSWORD, REFEREE, Machine
from tests.post.test_sending import read

KILLS, MAILS, UNCERTAIN = 100, 12, 2
DATE = "Sun, 22 Nov 2026 21:00:00 +0100"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def both() -> Iterator[Machine]:
    """The server and Dovecot with our mailbox."""
    machine = Machine()
    with machine.smtp(), machine.imap():
        yield machine


def recorded(place: Path, name: str) -> Path:
    """A ledger whose outbox has mails to two clubs each."""
    ledger = place / f"{name}.arbitro"
    with Ledger.create(ledger, name, bytes(range(32))) as made:
        mails = []
        for number in range(MAILS):
            letter = Letter("report", f"F{number}", f"{name} {number}", "en", f"Report {number}.\n" * 400)
            ident = identity(name, letter.digest, 0, "club.test")
            to = [f"one{number % 4}@club.test", f"two{number % 3}@club.test"]
            row = Mail(ident, "report", letter.faction, "1", "march", 0, letter.digest, DATE, dict.fromkeys(to, Mark()))
            mails.append((row, compose(letter, Stamp(ident, DATE, REFEREE, "", tuple(to)))))
        made.outbox.record(mails)
    return ledger


@pytest.mark.slow
def test_a_hundred_kills_lose_nothing_and_double_nothing(both: Machine, tmp_path: Path,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at random instants and started again until all is sent: each address has each mail once; of all these at
    most two mails stay uncertain.
    """
    monkeypatch.setenv(settings.HOME, str(tmp_path / "own"))
    monkeypatch.setenv(settings.PASSWORD, PASSWORD)
    settings.save(both.post(patience=0.4))
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
            with Ledger.open(ledger, "", write=True) as opened:  # what was cut short is taken back
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
