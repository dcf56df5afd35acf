"""A process that forks collectors, each to be killed at a moment of its work: lines in; how each ended out.

A line is a workbook's path, the folder of the user's own, and at which of its moments the collector is killed (0: at
none). A moment is right before or after it opens, replaces or flushes a file, or says something to the mail server or
hears of it. Said of each: how it ended, and how many moments it came to.

Run as ``python -m tests.post.collector``; where our mailbox is, and its password, is in the environment.
"""

from __future__ import annotations

import os
import signal
import smtplib
import sys
import time
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from assistant import desk
from assistant.environment import HOME, Clock

EVENTS = ("open", "os.rename", "os.remove", "os.mkdir", "socket.connect")


class Moments:
    """Counts the moments of a process, and ends it at one of them."""

    def __init__(self, last: int) -> None:
        self.count, self._last = 0, last

    def one(self) -> None:
        """One more."""
        self.count += 1
        if self.count == self._last:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same, with a moment before and one after."""
        def done(*args: Any, **more: Any) -> Any:
            self.one()
            found = work(*args, **more)
            self.one()
            return found
        return done

    def watch(self) -> None:
        """From now on."""
        sys.addaudithook(lambda event, args: self.one() if event in EVENTS else None)
        os.fsync = self.around(os.fsync)
        for name in ("send", "getreply"):
            setattr(smtplib.SMTP, name, self.around(getattr(smtplib.SMTP, name)))


def collect(book: Path, last: int, told: int) -> int:
    """What `arbitro collect --mail` does, and its exit code. `told`: where to say how many moments there were."""
    moments = Moments(last)
    moments.watch()
    clock = Clock(lambda: datetime.now().astimezone(), time.sleep)
    result = desk.collect_from_post(book, [], clock=clock, since=date(2020, 1, 1), answering=desk.PostOptions(yes=True))
    os.write(told, str(moments.count).encode())
    return int(result.exit)


def main() -> None:
    """One collector for each line; what all of them load is loaded once."""
    warm = False
    for line in sys.stdin:
        book, home, last = line.rstrip("\n").split("\t")
        if not warm:
            clock = Clock(lambda: datetime.now().astimezone(), time.sleep)
            desk.collect_from_post(Path(book), [], clock=clock, since=date(2020, 1, 1), dry_run=True)
            warm = True
        read, write = os.pipe()
        child = os.fork()
        if not child:
            code = 70
            try:
                os.environ[HOME] = home
                code = collect(Path(book), int(last), write)
            finally:
                os._exit(code)
        os.close(write)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(ended, os.read(read, 20).decode() or 0, flush=True)
        os.close(read)


if __name__ == "__main__":
    main()
