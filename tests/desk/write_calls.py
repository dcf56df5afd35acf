"""A process that forks commands, each to be stopped at one of its write calls: lines in; how each ended out.

A line is how it is stopped, at which of its write calls (0: at none), and the words of the command. A call is the
opening of a file to be written, each half of what is written into it, and each flushing, linking, renaming, removing
and making of a folder, and each change of places. How: ``kill`` (SIGKILL right before it), ``full`` (from this call on
the disk has no room left), ``denied`` (from this call on nothing may be written), ``once`` (this call fails, as of a
disk that is ill); ``warm`` runs the command in this process, so that all it needs is loaded. Killed are also ``late``,
``alone`` and ``into``, where another program saves what lies there as ``war.late``: into the workbook's place right
after the last look, with a system that lets two files change places and without, and into the old file itself before
its place is taken. Said of each: how it ended, and how many calls it came to.

Run as ``python -m tests.desk.write_calls``.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

ROOMY = ("unlink", "rmdir", "replace", "rename")
"""Calls for which a full disk has room."""
AWAY = ("unlink", "rmdir")
"""Calls that take away what is found later, too; those do not fail."""
LATE = ("late", "alone", "into")
"""How another program saves in between."""


class Calls:
    """Counts the write calls of a process, and stops it at one of them."""

    def __init__(self, how: str, at: int) -> None:
        self.count, self._how, self._at = 0, how, at

    def one(self, name: str) -> None:
        """One more. Raises OSError."""
        self.count += 1
        if not self._at or self.count < self._at:
            return
        if self._how in ("kill", *LATE):
            os.kill(os.getpid(), signal.SIGKILL)
        elif self._how == "denied":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        elif self._how == "full" and name not in ROOMY:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        elif self._how == "once" and self.count == self._at and name not in AWAY:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def before(self, name: str) -> Callable[..., Any]:
        """A function of `os` that is counted."""
        work = getattr(os, name)

        def done(*args: Any, **more: Any) -> Any:
            self.one(name)
            return work(*args, **more)

        return done


def counted(calls: Calls) -> None:
    """Let all write calls of this process be counted from now on."""
    class Halves(io.BufferedWriter):
        def write(self, data: Any) -> int:
            calls.one("write")
            half = len(data) // 2
            super().write(data[:half])
            self.flush()
            calls.one("write")
            super().write(data[half:])
            self.flush()
            return len(data)

    real_open, real_os_open = io.open, os.open

    def opened(file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
        if "r" in mode and "+" not in mode:
            return real_open(file, mode, *args, **more)
        calls.one("open")
        made = real_open(file, mode, *args, **more)
        return Halves(made.detach()) if isinstance(made, io.BufferedWriter) else made

    def os_opened(path: Any, flags: int, *args: Any, **more: Any) -> int:
        if flags & os.O_CREAT and not os.path.exists(path):
            calls.one("open")
        return real_os_open(path, flags, *args, **more)

    builtins.open = io.open = opened
    os.open = os_opened
    for name in ("write", "fsync", "link", "replace", "rename", "unlink", "mkdir", "rmdir", "ftruncate"):
        setattr(os, name, calls.before(name))


def saved_late(calls: Calls, how: str, book: Path) -> None:
    """Let another program save in between, and the changes of places be counted."""
    from assistant import environment

    real, replace, late = environment.swap_function, os.replace, book.with_suffix(".late")
    opened, unlink = io.open, os.unlink  # of the other program nothing is counted

    def exchanging() -> Callable[..., int] | None:
        rename = None if how in ("alone", "into") else real()
        if how in ("late", "alone") and late.exists():
            replace(late, book)
        if rename is None:
            return None

        def exchanged(*args: Any) -> int:
            calls.one("exchange")
            return rename(*args)

        return exchanged

    def replaced(source: Any, target: Any) -> None:
        if how == "into" and target == book and late.exists():
            with opened(book, "wb") as out:
                out.write(late.read_bytes())
            unlink(late)
        replace(source, target)

    environment.swap_function = exchanging
    setattr(os, "replace", replaced)  # noqa: B010 - of fewer words than the real one


def run(words: list[str]) -> int:
    """A command, to its end; its exit code."""
    from assistant.cli import main

    try:
        main(words)
    except SystemExit as ended:
        return int(str(ended.code or 0))
    return 0


def main() -> None:
    """One command for each line; what all of them load is loaded once."""
    said = sys.stdout
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        for line in sys.stdin:
            print(*answered(line), file=said, flush=True)


def answered(line: str) -> tuple[int, int]:
    """How a line's command ended, and how many calls it came to."""
    how, at, *words = line.rstrip("\n").split("\t")
    if how == "warm":
        return run(words), 0
    read, write = os.pipe()
    child, tell = os.fork(), os.write
    if not child:
        code, calls = 70, Calls(how, int(at))
        try:
            saved_late(calls, how, Path(words[1]))
            counted(calls)
            code = run(words)
            tell(write, str(calls.count).encode())
        finally:
            os._exit(code)
    os.close(write)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    count = int(os.read(read, 20).decode() or 0)
    os.close(read)
    return ended, count


if __name__ == "__main__":
    main()
