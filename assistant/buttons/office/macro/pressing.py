"""One press of a button, from the click to the outcome."""

from __future__ import annotations

import json
import os
from typing import Any

from .reading import fills, place_of, product, snapshot
from .talking import Arbitro, Ended, Silent
from .writing import Refused, Writer

BUSY: list[str] = []
"""The button that is being carried out; LibreOffice shows its window meanwhile, and a second click may come."""
LONGEST_BOX = 24


def settings() -> dict[str, Any]:
    """What the builder of the extension has written into it: interpreter, patience, texts."""
    with open(os.path.join(os.path.dirname(__file__), "settings.json"), encoding="utf-8") as stream:
        found: dict[str, Any] = json.load(stream)
    return found


class Screen:
    """What a press shows meanwhile; a window overrides it, and without one nobody is shown anything."""

    def tell(self, line: str) -> None:
        """A line in the status bar."""

    def hold(self) -> None:
        """Let the sheet take no keys and clicks, until the press is over."""

    def ask(self, lines: list[str]) -> bool:
        """Lines and, last, a question; whether the answer is yes."""
        return False


class Press:
    """A click on a button of an open workbook."""

    def __init__(self, ctx: Any, doc: Any, verb: str, given: dict[str, Any], lang: str) -> None:
        self._ctx, self._doc, self._verb, self._given, self._texts = ctx, doc, verb, given, given["texts"][lang]
        self._writer = Writer(doc, "Arbitro: " + self._texts[verb])
        self._saved = False

    def run(self, command: list[str], patience: float, host: Screen) -> dict[str, Any]:
        """Carry it out; the outcome as Arbitro gives it: ``lines``, ``select``, ``box``, ``open``, ``exit``.

        `patience`: seconds of silence after which Arbitro is stopped. Where it fails, the workbook is as it was
        before the click, and the lines say so.
        """
        try:
            arbitro = Arbitro(command)
        except OSError as fault:
            return self._sorry([self._text("no_python", python=command[0]), str(fault)])
        try:
            arbitro.say({"verb": self._verb, "lang": "", "book": self.shown()})
            outcome = self._converse(arbitro, patience, host)
            if outcome.get("select"):
                self._writer.point_out(*place_of(outcome["select"]))
            self._writer.close()
            if self._saved:  # a note that was made visible since then is no change of the workbook
                self._doc.setModified(False)
            return outcome
        except Silent:
            return self._back([self._text("silent", n=str(int(patience)))])
        except Ended as end:
            return self._back([self._text("ended"), *str(end).splitlines()[-6:]])
        except Exception as fault:  # whatever LibreOffice refuses: the reader learns what, and nothing is half done
            return self._back([self._text("ended"), _told(fault)])
        finally:
            arbitro.stop(2)

    def _converse(self, arbitro: Arbitro, patience: float, screen: Screen) -> dict[str, Any]:
        shown = [self._text("working", verb=self._text(self._verb))]

        def tick(seconds: float) -> None:
            screen.tell(self._text("so_far", line=shown[0], n=str(int(seconds))))

        while True:
            message = arbitro.hear(patience, tick)
            if "done" in message:
                outcome: dict[str, Any] = message["done"]
                return outcome
            if "say" in message:
                shown[0] = message["say"]
                screen.tell(shown[0])
                self._progress(shown[0])
            elif "ask" in message:
                arbitro.say({"yes": screen.ask([*message.get("lines", ()), message["ask"]])})
            else:
                arbitro.say(self.answer(message))
                screen.hold()  # saving has let go of the window

    def shown(self) -> dict[str, Any]:
        """What the workbook shows."""
        return snapshot(self._doc, product(self._ctx), self._given["mark"])

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """What LibreOffice answers to a request: ``apply``, ``fills`` or ``save``. Raises KeyError for another."""
        if "fills" in message:
            return {"fills": fills(self._doc, message["fills"])}
        try:
            if "save" in message:
                self._save()
            else:
                self._change(message["apply"])
        except Refused as no:
            return {"refused": no.reason, "cell": no.cell}
        except Exception as fault:  # UNO's exceptions have no common ground; what was written has gone back
            return {"failed": _told(fault)}
        return {"ok": True}

    def close(self) -> None:
        """What was changed since the start is one step that can be undone."""
        self._writer.close()

    def _progress(self, line: str) -> None:
        if not self._doc.isReadonly():
            self._saved = False
            self._writer.say(line)

    def _change(self, changes: dict[str, Any]) -> None:
        if self._doc.isReadonly():
            raise RuntimeError(self._text("read_only"))
        self._saved = False
        self._writer.apply(changes)

    def _save(self) -> None:
        if not self._doc.hasLocation():
            raise RuntimeError(self._text("never_saved"))
        if self._doc.isReadonly():
            raise RuntimeError(self._text("read_only"))
        self._doc.store()
        self._saved = True

    def _back(self, lines: list[str]) -> dict[str, Any]:
        self._writer.take_back()
        return self._sorry(lines)

    def _sorry(self, lines: list[str]) -> dict[str, Any]:
        return {"title": "Arbitro", "lines": lines, "exit": 70, "select": "", "box": True, "open": ""}

    def _text(self, name: str, **data: str) -> str:
        text: str = self._texts[name]
        for key, value in data.items():
            text = text.replace("{" + key + "}", value)
        return text


def _told(fault: Exception) -> str:
    """What an exception of LibreOffice says, for people."""
    said = str(getattr(fault, "Message", "") or fault)
    if isinstance(fault, RuntimeError):  # our own words
        return said
    return (type(fault).__name__.rsplit(".", 1)[-1] + ": " + said)[:500]


def shortened(lines: list[str], more: str) -> str:
    """Lines as a box can show them. `more`: the line that stands for the rest, with ``{n}``."""
    if len(lines) <= LONGEST_BOX:
        return "\n".join(lines)
    return "\n".join([*lines[:LONGEST_BOX - 1], more.replace("{n}", str(len(lines) - LONGEST_BOX + 1))])
