"""A page is walked at a real terminal: what it has one type is typed, and what it shows must then be seen.

Blocks of `sh` are typed, line by line, into a shell in a pseudo-terminal. A block of `text` behind one holds lines
that must be among what its commands have shown, in that order; in one of them a question that ends in `[y/N]` may be
followed by what is typed at it, each time that it is asked.
"""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import textwrap
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 600
READY = "<<ready>>"
NETWORK = re.compile(r"(?i)(PIP|UV|SSL|REQUESTS|CURL)_\w+|\w+_PROXY")
"""What a machine says of its way to the package index; of all else that is set on it an account knows nothing."""
FENCES = re.compile(r"^( *)```(\w+)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
STRANGER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+dac_override",
            "--ambient-caps=+dac_override"] if os.geteuid() == 0 else []
"""Somebody else, who may enter our folders, where the tests are run by the machine's administrator."""
ASKS = re.compile(r"(.*\[[a-z]/[A-Z]\]) (\w+)")


@dataclass
class Step:
    """What one block has one type, what must be seen, and what is typed at the questions that are shown."""

    typed: list[str]
    shown: list[str] = field(default_factory=list)
    answers: list[tuple[str, str]] = field(default_factory=list)


def blocks(text: str) -> list[tuple[str, list[str]]]:
    """The blocks of a page, or of a part of one: language -> lines."""
    return [(kind, textwrap.dedent(body).splitlines()) for _, kind, body in FENCES.findall(text)]


def steps(text: str) -> list[Step]:
    """What a page, or a part of one, has one do in a terminal of Linux."""
    found: list[Step] = []
    for kind, lines in blocks(text):
        if kind == "sh":
            found.append(Step(lines))
        elif kind == "text":
            asked = [match.groups() for line in lines if (match := ASKS.fullmatch(line))]
            found[-1].answers = [(question, answer) for question, answer in asked]
            found[-1].shown = [match[1] if (match := ASKS.fullmatch(line)) else line for line in lines]
    return found


def part_of(page: str, first: str, last: str) -> str:
    """A page from one heading up to another one."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return text[text.index(f"\n{first}\n"):text.index(f"\n{last}\n")]


def new_home(folder: Path) -> Path:
    """The home of an account that was made a moment ago."""
    skeleton = Path("/etc/skel")
    if skeleton.is_dir():
        shutil.copytree(skeleton, folder, dirs_exist_ok=True)
    folder.mkdir(exist_ok=True)
    return folder


def given_to_a_stranger(folder: Path) -> None:
    """A folder is given to somebody else, with all that is in it, where the tests are run by the administrator."""
    if STRANGER:
        subprocess.run(["chown", "-R", "65534:65534", str(folder)], check=True)


class Terminal:
    """A shell at a pseudo-terminal, in a folder, in the account that has this home: nothing else is set."""

    def __init__(self, folder: Path, home: Path, language: str, programs: str = "/usr/local/bin:/usr/bin:/bin",
                 more: Mapping[str, str] = MappingProxyType({}), *, stranger: bool = False) -> None:
        self.ours, theirs = pty.openpty()
        network = {name: value for name, value in os.environ.items() if NETWORK.fullmatch(name)}
        self.shell = subprocess.Popen(
            [*(STRANGER if stranger else ()), "bash", "--noprofile", "--noediting", "-i"], cwd=folder, stdin=theirs,
            stdout=theirs, stderr=theirs, start_new_session=True,
            env={**network, "PATH": programs, "HOME": str(home), "LANG": language, "TERM": "dumb",
                 "ARBITRO_NO_PICTURES": "1", "SHELL": "/bin/bash",
                 "PROMPT_COMMAND": f"PS1='{READY}'", "PS2": "", **more})
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
        shown, left, answered = "", list(step.answers), dict[str, str]()
        for line in step.typed:
            os.write(self.ours, f"{line}\n".encode())
            while True:
                shown += self.until(READY, "/N]")
                if shown.endswith(READY):
                    break
                again = next((one for one in answered if shown.rstrip().endswith(one)), None)
                assert left or again, f"the page knows of no such question: {shown}"
                question, answer = (again, answered[again]) if again else left.pop(0)
                assert question in shown, f"the page has another question, {question}: {shown}"
                answered[question] = answer
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
        yield from faults_of(step, terminal)


def faults_of(step: Step, terminal: Terminal) -> Iterator[str]:
    """The same of one step."""
    shown = terminal.walk(step)
    seen = iter([line.removeprefix(READY).strip() for line in shown.splitlines()])
    for line in step.shown:
        if not any(line.strip() in one for one in seen):
            yield f"after {step.typed}: the page shows {line!r}, the terminal\n{shown}"
    if "Traceback" in shown or "command not found" in shown:
        yield f"{step.typed}\n{shown}"
