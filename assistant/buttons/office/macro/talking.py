"""The conversation with Arbitro's own Python: one JSON object a line, both ways, over its standard streams."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable
from typing import Any

NOT_INHERITED = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
                 "URE_BOOTSTRAP", "UNO_PATH")
"""What LibreOffice sets for its own Python, and what would lead another one astray."""
TICK = 0.5
_NO_WINDOW = 0x08000000  # Windows: no black console window


class Silent(Exception):
    """Arbitro has not said anything for too long, and was stopped."""


class Ended(Exception):
    """Arbitro ended without an outcome; the text is what it complained of."""


class Arbitro:
    """One run of Arbitro. Raises OSError where its Python cannot be started."""

    def __init__(self, command: list[str]) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        environment["PYTHONUTF8"] = "1"
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
            cwd=os.path.expanduser("~"), creationflags=_NO_WINDOW if os.name == "nt" else 0)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._complaints: list[bytes] = []
        self._readers = [threading.Thread(target=self._read, daemon=True),
                         threading.Thread(target=self._listen, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _listen(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._complaints = [*self._complaints[-19:], line]

    def say(self, message: dict[str, Any]) -> None:
        """Send one object. Raises `Ended`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=True).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:  # it has gone; why, its last words tell
            raise Ended(self.last_words()) from None

    def hear(self, patience: float, tick: Callable[[float], None]) -> dict[str, Any]:
        """The next object; `tick` is given the seconds since the last one. Raises `Ended`, `Silent`."""
        waited = 0.0
        while True:
            try:
                line = self._lines.get(timeout=TICK)
                break
            except queue.Empty:
                waited += TICK
            if waited >= patience:
                raise Silent
            tick(waited)
        if not line:
            raise Ended(self.last_words())
        try:
            message = json.loads(line.decode("utf-8"))
        except ValueError:
            raise Ended(line.decode("utf-8", "replace").strip()) from None
        if not isinstance(message, dict):
            raise Ended(str(message))
        return message

    def last_words(self) -> str:
        """What it complained of at its end."""
        self.stop(2)
        self._readers[1].join(2)
        return b"".join(self._complaints).decode("utf-8", "replace").strip()

    def stop(self, patience: float = 0) -> None:
        """See that the process is gone, after a while of patience (seconds)."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
