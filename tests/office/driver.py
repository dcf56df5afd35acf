"""Starts LibreOffice and does in it what the tests ask; run by the Python that has ``uno``, not by pytest.

    python3 driver.py FOLDER PROFILE window|headless [WORKBOOK]

FOLDER: where the extension is unpacked, whose own modules are used. Requests come as JSON lines ``[verb, argument]``
on standard input, answers go out as ``{"ok": ...}`` or ``{"failed": ...}``.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

FOLDER, PROFILE, WAY = sys.argv[1:4]
sys.path.insert(0, os.path.join(FOLDER, "pythonpath"))

import uno  # noqa: E402
import unohelper  # noqa: E402
from arbitro_office.press_button import FormDialog, Press, Screen, settings  # noqa: E402
from com.sun.star.document import XDocumentEventListener  # noqa: E402

SECONDS = 120
SHOWING = uno.getConstantByName("com.sun.star.accessibility.AccessibleStateType.SHOWING")
ROLE = "com.sun.star.accessibility.AccessibleRole."
TOOL_TIP, MENU, TABLE = (uno.getConstantByName(ROLE + name) for name in ("TOOL_TIP", "MENU", "TABLE"))


def prop(name: str, value: Any) -> Any:
    """A PropertyValue."""
    made = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    made.Name, made.Value = name, value
    return made


class Office:
    """A soffice of our own."""

    def __init__(self, arguments: list[str]) -> None:
        for left in (4, 3, 2, 1, 0):  # a very first start with a fresh profile sometimes ends at once with status 0
            try:
                self._start(arguments)
                break
            except RuntimeError:
                if not left:
                    raise
                time.sleep(2)
        self.desktop = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", self.ctx)
        self.doc: Any = None
        self.press: Any = None
        self.asked: list[list[str]] = []

    def _start(self, arguments: list[str]) -> None:
        pipe = f"arbitro{os.getpid()}x{time.monotonic_ns()}"
        command = ["soffice", *(["--headless"] if WAY == "headless" else []),
                   "-env:UserInstallation=" + uno.systemPathToFileUrl(PROFILE), "--norestore", "--nologo",
                   "--nofirststartwizard", f"--accept=pipe,name={pipe};urp;StarOffice.ComponentContext", *arguments]
        self.process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                self.ctx = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                return
            except Exception:
                time.sleep(0.3)
            if self.process.poll() is not None:
                raise RuntimeError(f"soffice ended with {self.process.returncode}")
        raise RuntimeError("soffice did not answer")

    def stop(self, _: Any) -> None:
        """End soffice."""
        os.killpg(self.process.pid, signal.SIGTERM)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    # --- a document, with no window ---------------------------------------------------------
    def open(self, path: str, only_read: bool = False) -> None:
        """Open a workbook; the one before is closed."""
        self.close(None)
        how = (prop("Hidden", WAY == "headless"), prop("ReadOnly", only_read))
        self.doc = self.desktop.loadComponentFromURL(uno.systemPathToFileUrl(path), "_blank", 0, how)
        self.begin("check")

    def open_to_read(self, path: str) -> None:
        """Open a workbook for reading only, as LibreOffice does when somebody else has it open."""
        self.open(path, True)

    def open_with_macros(self, path: str) -> None:
        """Open a workbook and let its macros run, as from a trusted folder."""
        self.close(None)
        self.doc = self.desktop.loadComponentFromURL(uno.systemPathToFileUrl(path), "_blank", 0, (
            prop("Hidden", False), prop("MacroExecutionMode", 4)))
        self.begin("check")

    def macro(self, name: str) -> None:
        """Run a Sub of the workbook: ``Module.Sub``."""
        address = f"vnd.sun.star.script:VBAProject.{name}?language=Basic&location=document"
        self.doc.getScriptProvider().getScript(address).invoke((), (), ())

    def begin(self, verb: str) -> None:
        """A press begins: what `answer` changes until the next one is one step."""
        if self.press is not None:
            self.press.close()
        self.press = Press(self.ctx, self.doc, verb, settings(), "en")

    def close(self, _: Any) -> None:
        """Close it without saving."""
        if self.doc is not None:
            self.press.close()
            self.doc.setModified(False)
            self.doc.close(True)
            self.doc = None

    def snapshot(self, _: Any) -> Any:
        """What is on the screen."""
        return self.press.snapshot()

    def answer(self, message: dict[str, Any]) -> Any:
        """What the extension answers to Arbitro."""
        return self.press.answer(message)

    def run(self, arguments: list[Any]) -> Any:
        """A whole press: [verb, command, patience, values of forms]; the answer to all questions is yes."""
        verb, command, patience, forms = arguments
        self.begin(verb)
        screen = Asked(self.ctx, forms)
        outcome = self.press.run(command, patience, screen)
        return {**outcome, "told": screen.told, "asked": screen.asked, "forms": screen.forms}

    # --- what the user does -----------------------------------------------------------------
    def type(self, cells: dict[str, Any]) -> None:
        """Type values into cells: ``Sheet!A1`` -> text, number or ``=formula``; null clears."""
        for place, value in cells.items():
            cell = self._cell(place)
            if isinstance(value, (int, float)):
                cell.setValue(value)
            elif str(value or "").startswith("="):
                cell.setFormula(value)
            else:
                cell.setString(value or "")

    def undo(self, _: Any) -> None:
        """Undo once."""
        self.doc.UndoManager.undo()

    def undoable(self, _: Any) -> Any:
        """What can be undone, the last first."""
        return list((self.doc or self._windowed()).UndoManager.getAllUndoActionTitles())

    def shown(self, places: list[str]) -> Any:
        """What cells show: address -> [text, fill, type]."""
        return {place: [self._cell(place).String, self._cell(place).CellBackColor, self._cell(place).Type.value]
                for place in places}

    def change(self, code: str) -> Any:
        """Run a line of Python on the document ``doc``; what it leaves in ``found``."""
        known = {"doc": self.doc or self._windowed(), "uno": uno, "found": None}
        exec(code, known)
        return known["found"]

    def invalid(self, title: str) -> Any:
        """How many cells of a sheet get a circle because what stands there is not what their drop-down offers."""
        sheet, frame = self.doc.Sheets.getByName(title), self.doc.CurrentController.Frame
        self.doc.CurrentController.setActiveSheet(sheet)
        helper = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", self.ctx)
        helper.executeDispatch(frame, ".uno:ClearArrows", "", 0, ())
        before = sheet.DrawPage.Count
        helper.executeDispatch(frame, ".uno:ShowInvalid", "", 0, ())
        return sheet.DrawPage.Count - before

    def follow(self, place: str) -> Any:
        """Go where a link that is a formula leads, as a click on it would; the address of the cell there."""
        said, controller = self._cell(place).Formula, self.doc.CurrentController
        scratch = self.doc.Sheets.getByIndex(0).getCellRangeByName("Z200")
        scratch.Formula = "=" + said[len("=HYPERLINK("):said.rindex(";")]
        leads = scratch.String
        scratch.Formula = ""
        helper = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", self.ctx)
        helper.executeDispatch(controller.Frame, ".uno:JumpToMark", "", 0, (prop("Bookmark", leads.lstrip("#")),))
        return self.doc.CurrentSelection.AbsoluteName

    def save(self, path: str) -> None:
        """Save as another .xlsx."""
        self.doc.storeToURL(uno.systemPathToFileUrl(path), (prop("FilterName", "Calc MS Excel 2007 XML"),))

    def _cell(self, place: str) -> Any:
        title, _, ref = place.rpartition("!")
        doc = self.doc or self._windowed()
        return doc.Sheets.getByName(title.strip("'")).getCellRangeByName(ref)

    # --- a window ---------------------------------------------------------------------------
    def _windowed(self) -> Any:
        parts = self.desktop.Components.createEnumeration()
        while parts.hasMoreElements():
            part = parts.nextElement()
            if part.supportsService("com.sun.star.sheet.SpreadsheetDocument") and part.CurrentController:
                return part
        return None

    def ready(self, _: Any) -> Any:
        """Whether a workbook is shown in a window."""
        return self._windowed() is not None

    def resting(self, _: Any) -> Any:
        """Whether no press is under way: its step to undo is ended, and the sheet takes clicks and keys again."""
        doc = self._windowed()
        return doc.UndoManager.isUndoPossible() and doc.CurrentController.Frame.ComponentWindow.isEnabled()

    def in_front(self, _: Any) -> Any:
        """Whether the workbook's window is the one that takes keys and clicks."""
        toolkit = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.awt.Toolkit", self.ctx)
        top = toolkit.getActiveTopWindow()
        return top is not None and top == self._windowed().CurrentController.Frame.ContainerWindow

    def where(self, name: str) -> Any:
        """The middle of what a screen reader calls so, in the windows on the screen: [x, y], or null."""
        toolkit = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.awt.Toolkit", self.ctx)
        for i in range(toolkit.getTopWindowCount()):
            context = toolkit.getTopWindow(i).getAccessibleContext()
            if context is None or context.getAccessibleRole() == TOOL_TIP:
                continue
            found = self._find(context, name, 0)
            if found:
                corner, size = found.getLocationOnScreen(), found.getSize()
                return [corner.X + size.Width // 2, corner.Y + size.Height // 2]
        return None

    def _find(self, context: Any, name: str, depth: int) -> Any:
        if context is None:
            return None
        if context.getAccessibleName() == name and context.getSize().Width and showing(context):
            return context
        for inner in shown_inside(context) if depth < 9 else ():
            found = self._find(inner, name, depth + 1)
            if found:
                return found
        return None

    def dispatch(self, address: str) -> Any:
        """What a button's click does, in the window, by the installed extension; the seconds that it takes, and those
        in which LibreOffice saves meanwhile.
        """
        doc, saves = self._windowed(), Saves()
        doc.addDocumentEventListener(saves)
        helper = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", self.ctx)
        start = time.perf_counter()
        helper.executeDispatch(doc.CurrentController.Frame, address, "", 0, ())
        seconds = time.perf_counter() - start
        doc.removeDocumentEventListener(saves)
        return [seconds, saves.seconds()]

    def select(self, place: str) -> None:
        """Select a cell in the window, as a click on it would."""
        doc = self._windowed()
        cell = self._cell(place)
        doc.CurrentController.setActiveSheet(cell.Spreadsheet)
        helper = self.ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", self.ctx)
        helper.executeDispatch(doc.CurrentController.Frame, ".uno:GoToCell", "", 0,
                               (prop("ToPoint", place.rpartition("!")[2]),))
        doc.CurrentController.Frame.ComponentWindow.setFocus()

    def selected(self, _: Any) -> Any:
        """The selected cell as ``Sheet!A1`` with ``$`` left out."""
        return self._windowed().CurrentSelection.AbsoluteName.replace("$", "").replace(".", "!", 1)


def showing(context: Any) -> bool:
    """Whether something can be seen now; the entries of a menu that was closed cannot."""
    states = context.getAccessibleStateSet()
    return bool(states & SHOWING if isinstance(states, int) else states.contains(SHOWING))


def shown_inside(context: Any) -> Iterator[Any]:
    """The parts of what is on the screen; not those of closed menus and of cells, of which there are too many."""
    count = context.getAccessibleChildCount()
    role = context.getAccessibleRole() if count and showing(context) else TABLE
    for i in range(min(count, 40) if role != TABLE else 0):
        try:
            inner = context.getAccessibleChild(i).getAccessibleContext()
        except Exception:
            continue
        if inner is not None:
            if role == MENU and i == 0 and not showing(inner):
                return
            yield inner


class Saves(unohelper.Base, XDocumentEventListener):  # type: ignore[misc]
    """Notes when LibreOffice begins to save a workbook and when it has saved it."""

    def __init__(self) -> None:
        self._at: list[tuple[str, float]] = []

    def documentEventOccured(self, event: Any) -> None:  # noqa: N802 (UNO's name)
        """Something happened to the workbook."""
        if event.EventName in ("OnSave", "OnSaveDone"):
            self._at.append((event.EventName, time.perf_counter()))

    def disposing(self, event: Any) -> None:
        """The workbook is closed."""

    def seconds(self) -> float:
        """How long it saved, all times together."""
        return sum(at if name == "OnSaveDone" else -at for name, at in self._at)


class Asked(Screen):  # type: ignore[misc]
    """Notes what it is told, says yes to everything, and fills in forms."""

    def __init__(self, ctx: Any, values: list[Any]) -> None:
        self.told: list[str] = []
        self.asked: list[list[str]] = []
        self.forms: list[dict[str, Any]] = []
        self._ctx, self._values = ctx, list(values)

    def tell(self, line: str) -> None:
        """A line in the status bar."""
        self.told.append(line)

    def ask(self, lines: list[str]) -> bool:
        """A question."""
        self.asked.append(lines)
        return True

    def fill_in(self, form: dict[str, Any]) -> dict[str, str] | None:
        """A form: the window is made and filled with the next values, as far as they are said; null gives up."""
        self.forms.append(form)
        values = self._values.pop(0) if self._values else None
        dialog = FormDialog(self._ctx, form)
        try:
            return None if values is None else {**dialog.values(), **values}
        finally:
            dialog.close()


def main() -> None:
    """Serve requests until standard input ends."""
    office = Office(sys.argv[4:])
    print(json.dumps({"ok": "started"}), flush=True)
    try:
        for line in sys.stdin:
            verb, argument = json.loads(line)
            serve: Callable[[Any], Any] = getattr(office, verb)
            try:
                print(json.dumps({"ok": serve(argument)}), flush=True)
            except Exception as fault:
                print(json.dumps({"failed": f"{type(fault).__name__}: {fault}"[:2000]}), flush=True)
            if verb == "stop":
                return
    finally:
        if office.process.poll() is None:
            office.stop(None)


if __name__ == "__main__":
    main()
