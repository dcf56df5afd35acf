"""One press of a button in LibreOffice: the connection to Arbitro's own Python, and forms in a window."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Callable
from typing import Any

import uno

from .document import Refused, Writer, fills, place_of, product, snapshot

# The connection: one JSON object per line, both ways, over the standard streams of Arbitro's Python.


NOT_INHERITED = ("PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
                 "URE_BOOTSTRAP", "UNO_PATH")
"""Variables that LibreOffice sets for its own Python, and that would mislead another one."""
TICK = 0.5
_NO_WINDOW = 0x08000000  # Windows: no black console window


class Silent(Exception):
    """Arbitro was silent for too long, and was stopped."""


class Ended(Exception):
    """Arbitro ended without an outcome; the text is the end of its error output."""


class Arbitro:
    """One run of Arbitro. Raises OSError if its Python cannot be started."""

    def __init__(self, command: list[str]) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        # else Windows would read and write in the code page of its country
        environment["PYTHONUTF8"] = "1"
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
            cwd=os.path.expanduser("~"), creationflags=_NO_WINDOW if os.name == "nt" else 0)
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._complaints: list[bytes] = []
        # both streams are read all the time: a pipe that nobody empties fills up and holds the other side
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
            # whatever the code page between the two, ASCII comes through
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
        """The end of its error output."""
        self.stop(2)
        self._readers[1].join(2)
        return b"".join(self._complaints).decode("utf-8", "replace").strip()

    def stop(self, patience: float = 0) -> None:
        """Make sure that the process has ended, after waiting `patience` seconds."""
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


# One press of a button, from the click to the outcome.


BUSY: list[str] = []
"""The button being carried out, if any. LibreOffice stays responsive meanwhile, so a second click may come."""
LONGEST_BOX = 24


def settings() -> dict[str, Any]:
    """The settings packed into the extension: interpreter, patience, texts."""
    with open(os.path.join(os.path.dirname(__file__), "settings.json"), encoding="utf-8") as stream:
        data: dict[str, Any] = json.load(stream)
    return data


class Screen:
    """What a press shows meanwhile; a window overrides it. This one shows nothing."""

    def tell(self, line: str) -> None:
        """A line in the status bar."""

    def hold(self) -> None:
        """Ignore keys and clicks on the sheet until the press is over."""

    def ask(self, lines: list[str]) -> bool:
        """Show lines, the last one a question; returns whether the answer is yes."""
        return False

    def look(self, cell: str) -> None:
        """Show a cell, for the question that follows."""

    def fill_in(self, form: dict[str, Any]) -> dict[str, str] | None:
        """Show a form; returns what was typed, None where the referee gives up."""
        return None


class Press:
    """A click on a button of an open workbook."""

    def __init__(self, ctx: Any, doc: Any, verb: str, given: dict[str, Any], lang: str) -> None:
        self._ctx, self._doc, self._verb, self._given, self._lang = ctx, doc, verb, given, lang
        self._texts = given["texts"][lang]
        self._writer = Writer(doc, "Arbitro: " + self._texts[verb])
        self._saved = False

    def run(self, command: list[str], patience: float, host: Screen) -> dict[str, Any]:
        """Carry it out; returns the outcome as Arbitro gives it: ``lines``, ``select``, ``box``, ``open``, ``exit``.

        `patience`: seconds of silence after which Arbitro is stopped. If the press fails, the workbook is as it was
        before the click, and the lines say so.
        """
        try:
            arbitro = Arbitro(command)
        except OSError as fault:
            return self._sorry([self._text("no_python", python=command[0]), str(fault)])
        try:
            arbitro.say({"verb": self._verb, "lang": "", "spoken": self._lang, "book": self.snapshot()})
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
            return self._back([self._text("ended"), _fault_message(fault)])
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
                if message.get("look"):
                    screen.look(message["look"])
                arbitro.say({"yes": screen.ask([*message.get("lines", ()), message["ask"]])})
            elif "form" in message:
                arbitro.say({"values": screen.fill_in(message["form"])})
            else:
                arbitro.say(self.answer(message))
                screen.hold()  # saving has let go of the window

    def snapshot(self) -> dict[str, Any]:
        """The snapshot of the workbook."""
        return snapshot(self._doc, product(self._ctx), self._given["mark"])

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request of Arbitro: ``apply``, ``fills`` or ``save``. Raises KeyError for another."""
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
            return {"failed": _fault_message(fault)}
        return {"ok": True}

    def close(self) -> None:
        """Make all changes since the start one step for undo."""
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


def _fault_message(fault: Exception) -> str:
    """The message of an exception of LibreOffice, for people."""
    message = str(getattr(fault, "Message", "") or fault)
    if isinstance(fault, RuntimeError):  # our own words
        return message
    return (type(fault).__name__.rsplit(".", 1)[-1] + ": " + message)[:500]


def shorten(lines: list[str], more: str) -> str:
    """Lines cut to fit a box. `more`: the line for the rest, with ``{n}``."""
    if len(lines) <= LONGEST_BOX:
        return "\n".join(lines)
    return "\n".join([*lines[:LONGEST_BOX - 1], more.replace("{n}", str(len(lines) - LONGEST_BOX + 1))])


# A form in a window: lines to read, fields to fill in or to choose from, OK and Cancel.


TITLE = "Arbitro"
WIDTH, LABEL, LETTERS, LINE, GAP = 330, 120, 4, 9, 5
"""In LibreOffice's units for dialogs: width of the window and of the labels, of a letter, height of a line, margin."""
FIELD, BUTTON, TALLEST = 14, 50, 280
OFFERED = 20
"""How many options a list shows at once."""
OK, CANCEL, POSITION = 1, 2, 3  # com.sun.star.awt.PushButtonType and PosSize


class FormDialog:
    """A form, as Arbitro asks for it: ``lines`` and ``fields``."""

    def __init__(self, ctx: Any, form: dict[str, Any]) -> None:
        self._ctx, self._form = ctx, form
        self._model = self._make("UnoControlDialogModel")
        self._model.Title, self._model.Width, self._model.Moveable, self._model.Closeable = TITLE, WIDTH, True, True
        top = self._lines(form["lines"], TALLEST - (len(form["fields"]) + 2) * (FIELD + GAP))
        for number, field in enumerate(form["fields"]):
            bottom = self._text(f"label{number}", field["label"], GAP, top + 2, LABEL)
            self._field(f"field{number}", field, top)
            top = max(bottom, top + FIELD + 3)
        self._buttons(top + GAP)
        self._model.Height = top + 2 * GAP + FIELD + GAP
        self._dialog: Any = None

    def run(self, window: Any) -> dict[str, str] | None:
        """Show it over a window until it is closed; what stands in its fields then, None where it was given up."""
        self._dialog = self._make("UnoControlDialog")
        self._dialog.setModel(self._model)
        self._dialog.createPeer(window.Toolkit, window)
        behind, size = window.getPosSize(), self._dialog.getPosSize()
        self._dialog.setPosSize((behind.Width - size.Width) // 2, (behind.Height - size.Height) // 3, 0, 0, POSITION)
        return self.values() if self._dialog.execute() else None

    def values(self) -> dict[str, str]:
        """What stands in the fields now."""
        return {field["name"]: self._value(f"field{number}", field)
                for number, field in enumerate(self._form["fields"])}

    def close(self) -> None:
        """Take the window away."""
        (self._dialog or self._model).dispose()

    # --- parts ------------------------------------------------------------------------------
    def _make(self, name: str) -> Any:
        return self._ctx.ServiceManager.createInstanceWithContext("com.sun.star.awt." + name, self._ctx)

    def _put(self, kind: str, name: str, place: tuple[int, int, int, int], **properties: Any) -> Any:
        model = self._model.createInstance(f"com.sun.star.awt.UnoControl{kind}Model")
        model.PositionX, model.PositionY, model.Width, model.Height = place
        for key, value in properties.items():
            setattr(model, key, value)
        self._model.insertByName(name, model)
        return model

    def _lines(self, lines: list[str], room: int) -> int:
        """The lines to read, where they end. If the screen has no room for them, all but the first stand in a box that
        scrolls.
        """
        long = sum(map(self._height, lines)) > room
        top = GAP
        for number, line in enumerate(lines[:1] if long else lines):
            top = self._text(f"line{number}", line, GAP, top, WIDTH - 2 * GAP)
        if long:
            self._put("Edit", "rest", (GAP, top, WIDTH - 2 * GAP, room - top), Text="\n".join(lines[1:]),
                      MultiLine=True, ReadOnly=True, VScroll=True)
            top = room + 2
        return top

    @staticmethod
    def _height(text: str, width: int = WIDTH - 2 * GAP) -> int:
        return sum(1 + len(part) * LETTERS // width for part in text.split("\n")) * LINE + 2

    def _text(self, name: str, text: str, left: int, top: int, width: int) -> int:
        """A text that wraps; where it ends."""
        height = self._height(text, width)
        self._put("FixedText", name, (left, top, width, height - 2), Label=text, MultiLine=True)
        return top + height

    def _field(self, name: str, field: dict[str, Any], top: int) -> None:
        place = (LABEL + 2 * GAP, top, WIDTH - LABEL - 3 * GAP, FIELD)
        options = tuple(field["options"])
        if options:
            chosen = (options.index(field["value"]),) if field["value"] in options else ()
            self._put("ListBox", name, place, Dropdown=True, LineCount=OFFERED, StringItemList=options,
                      SelectedItems=uno.Any("[]short", chosen), HelpText=field["label"])
        elif field["file"]:
            self._put("FileControl", name, place, Text=field["value"], HelpText=field["label"])
        else:
            self._put("Edit", name, place, Text=field["value"], EchoChar=ord("*") if field["secret"] else 0,
                      HelpText=field["label"])

    def _buttons(self, top: int) -> None:
        self._put("Button", "ok", (WIDTH - 2 * (BUTTON + GAP), top, BUTTON, FIELD), PushButtonType=OK,
                  DefaultButton=True, Label="OK")
        self._put("Button", "cancel", (WIDTH - BUTTON - GAP, top, BUTTON, FIELD), PushButtonType=CANCEL)

    def _value(self, name: str, field: dict[str, Any]) -> str:
        model = self._model.getByName(name)
        if not field["options"]:
            return str(model.Text)
        chosen = tuple(model.SelectedItems)
        return str(field["options"][chosen[0]]) if chosen else ""
