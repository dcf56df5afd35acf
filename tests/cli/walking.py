"""A page is walked at a real terminal: what it has one type is typed, and what it shows must then be seen.

Blocks of `sh` are typed, line by line, into a shell in a pseudo-terminal. A block of `text` behind one holds lines
that must be among what its commands have shown, in that order; in one of them a question that ends in `[y/N]` may be
followed by what is typed at it.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LONGEST = 180
READY = "<<ready>>"
ASKS = re.compile(r"(.*\[[a-z]/[A-Z]\]) (\w+)")


@dataclass
class Step:
    """What one block has one type, what must be seen, and what is typed at the questions that are shown."""

    typed: list[str]
    shown: list[str] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)


def steps(text: str) -> list[Step]:
    """The blocks of a page, or of a part of one."""
    found: list[Step] = []
    for kind, body in re.findall(r"^```(sh|text)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        lines = body.splitlines()
        if kind == "sh":
            found.append(Step(lines))
            continue
        asked = [match.groups() for line in lines if (match := ASKS.fullmatch(line))]
        found[-1].answers = [(question, answer) for question, answer in asked]
        found[-1].shown = [match[1] if (match := ASKS.fullmatch(line)) else line for line in lines]
    return found


class Terminal:
    """A shell at a pseudo-terminal, in a folder, with nobody's settings."""

    def __init__(self, folder: Path, programs: Path, language: str) -> None:
        home = folder / "home"
        home.mkdir()
        self.ours, theirs = pty.openpty()
        self.shell = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "--noediting", "-i"], cwd=folder, stdin=theirs, stdout=theirs,
            stderr=theirs, start_new_session=True,
            env={"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(home), "LANG": language, "TERM": "dumb",
                 "PS1": READY, "PS2": ""})
        os.close(theirs)
        self.until(READY)

    def until(self, *awaited: str) -> str:
        """What is shown until one of these stands at its end. Raises AssertionError when none ever does."""
        seen, ends = "", time.monotonic() + LONGEST
        while not seen.rstrip(" ").endswith(awaited):
            ready, _, _ = select.select([self.ours], [], [], max(0.0, ends - time.monotonic()))
            assert ready, f"nothing more after: {seen}"
            seen += os.read(self.ours, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
        return seen

    def walk(self, step: Step) -> str:
        """Type the lines of a step, and the answers at its questions; what was shown."""
        shown, left = "", list(step.answers)
        for line in step.typed:
            os.write(self.ours, f"{line}\n".encode())
            while True:
                shown += self.until(READY, "/N]")
                if shown.endswith(READY):
                    break
                assert left, f"the page knows of no such question: {shown}"
                question, answer = left.pop(0)
                assert question in shown, f"the page has another question, {question}: {shown}"
                os.write(self.ours, f"{answer}\n".encode())
        assert not left, f"never asked: {left}"
        return shown

    def close(self) -> None:
        """Hang up."""
        self.shell.kill()
        self.shell.wait()
        os.close(self.ours)


def faults(terminal: Terminal, part: str) -> Iterator[str]:
    """Walk a part of a page: its lines that the terminal does not show, its commands that are none or crash."""
    for step in steps(part):
        shown = terminal.walk(step)
        seen = iter([line.removeprefix(READY).strip() for line in shown.splitlines()])
        for line in step.shown:
            if not any(line.strip() in one for one in seen):
                yield f"after {step.typed}: the page shows {line!r}, the terminal\n{shown}"
        if "Traceback" in shown or "command not found" in shown:
            yield f"{step.typed}\n{shown}"
