"""What LibreOffice calls for a click on a button: a handler of the addresses ``arbitro.buttons:VERB``."""

from __future__ import annotations

import os
from typing import Any

import uno
import unohelper
from arbitro_office.document import place_of
from arbitro_office.press_button import BUSY, LONGEST_BOX, FormDialog, Press, Screen, settings, shorten
from com.sun.star.frame import XDispatch, XDispatchProvider
from com.sun.star.lang import XInitialization, XServiceInfo

IMPLEMENTATION = "arbitro.libreoffice.Buttons"
SERVICES = ("com.sun.star.frame.ProtocolHandler",)
PROTOCOL = "arbitro.buttons:"
WORKBOOKS = (".xlsx", ".xlsm")
OK, YES_NO, YES = 1, 3, 2  # com.sun.star.awt.MessageBoxButtons and MessageBoxResults


class Buttons(unohelper.Base, XServiceInfo, XInitialization, XDispatchProvider, XDispatch):  # type: ignore[misc]
    """The buttons of one window."""

    def __init__(self, ctx: Any, *arguments: Any) -> None:
        self._ctx = ctx
        self._frame: Any = None

    # --- what UNO wants to know -------------------------------------------------------------
    def initialize(self, arguments: Any) -> None:
        """The frame, from LibreOffice."""
        if arguments:
            self._frame = arguments[0]

    def getImplementationName(self) -> str:  # noqa: N802 (UNO's name)
        """Our name in the registry."""
        return IMPLEMENTATION

    def supportsService(self, name: str) -> bool:  # noqa: N802 (UNO's name)
        """Whether we provide a service."""
        return name in SERVICES

    def getSupportedServiceNames(self) -> tuple[str, ...]:  # noqa: N802 (UNO's name)
        """The services that we provide."""
        return SERVICES

    def queryDispatch(self, address: Any, target: str, flags: int) -> Any:  # noqa: N802 (UNO's name)
        """Ourselves, for our own addresses."""
        return self if address.Protocol == PROTOCOL else None

    def queryDispatches(self, requests: Any) -> Any:  # noqa: N802 (UNO's name)
        """The same for several."""
        return tuple(self.queryDispatch(r.FeatureURL, r.FrameName, r.SearchFlags) for r in requests)

    def addStatusListener(self, listener: Any, address: Any) -> None:  # noqa: N802 (UNO's name)
        """Nothing to do: the buttons can always be clicked."""

    def removeStatusListener(self, listener: Any, address: Any) -> None:  # noqa: N802 (UNO's name)
        """Nothing to do."""

    # --- a click ----------------------------------------------------------------------------
    def dispatch(self, address: Any, arguments: Any) -> None:
        """A button was clicked."""
        given = settings()
        lang = "it" if self._language().startswith("it") else "en"
        texts = given["texts"][lang]
        if BUSY:
            self._show([texts["busy"].replace("{verb}", texts[BUSY[0]])], texts)
            return
        BUSY.append(address.Path)
        try:
            outcome = self._press(address.Path, given, lang)
        finally:
            BUSY.clear()
        self._end(outcome, texts)

    def _press(self, verb: str, given: dict[str, Any], lang: str) -> dict[str, Any]:
        """Carry it out, with the window locked and progress in the status bar."""
        window = self._frame.ComponentWindow
        indicator = self._frame.createStatusIndicator()
        texts = given["texts"][lang]
        indicator.start(texts["working"].replace("{verb}", texts[verb]), 0)
        screen = _Window(self, indicator, window)
        screen.hold()
        try:
            press = Press(self._ctx, self._frame.Controller.Model, verb, given, lang)
            command = [given["python"], *given["arguments"]]
            outcome: dict[str, Any] = press.run(command, given["patience"], screen)
            if outcome.get("select"):
                self.select(outcome["select"])
            return outcome
        finally:
            window.setEnable(True)
            indicator.end()

    def _end(self, outcome: dict[str, Any], texts: dict[str, str]) -> None:
        """Show the result: a page, a box; the cell to look at is selected already."""
        lines = [line for line in outcome["lines"] if line.strip()]
        if outcome.get("open", "").endswith(WORKBOOKS):
            self._show(lines, texts)
            self._open_workbook(outcome["open"])
            return
        if outcome.get("open") and not self._open(outcome["open"]):
            lines.append(texts["look_there"].replace("{path}", outcome["open"]))
            outcome["box"] = True
        if outcome.get("box") and lines:
            self._show(lines, texts)
        self._frame.ComponentWindow.setFocus()  # what is typed next goes into the sheet

    def select(self, cell: str) -> None:
        """Go to a cell, its row from the beginning."""
        title, place = place_of(cell)
        controller = self._frame.Controller
        sheets = controller.Model.Sheets
        if sheets.hasByName(title):
            controller.setActiveSheet(sheets.getByName(title))
            to = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
            to.Name, to.Value = "ToPoint", place
            # not controller.select: what that marks holds the cursor, and Return would not go down
            helper = self._ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", self._ctx)
            helper.executeDispatch(self._frame, ".uno:GoToCell", "", 0, (to,))
            show_row(controller, _reach(sheets.getByName(title), place))

    def _open(self, place: str) -> bool:
        """Open a folder or a page in its program; returns whether there was one."""
        shell = self._ctx.ServiceManager.createInstanceWithContext("com.sun.star.system.SystemShellExecute", self._ctx)
        try:
            shell.execute(place if "://" in place else uno.systemPathToFileUrl(os.path.abspath(place)), "", 0)
        except Exception:  # no browser: the reader is told where the page lies
            return False
        return True

    def _open_workbook(self, place: str) -> None:
        """Open a workbook in a window of its own."""
        desktop = self._ctx.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", self._ctx)
        desktop.loadComponentFromURL(uno.systemPathToFileUrl(place), "_blank", 0, ())

    def _show(self, lines: list[str], texts: dict[str, str]) -> None:
        self.box("MESSAGEBOX", OK, shorten(lines, texts["more"]))

    def box(self, kind: str, buttons: int, text: str) -> int:
        """Show a box over the window and return the button that was clicked."""
        window = self._frame.ContainerWindow
        box = window.Toolkit.createMessageBox(window, uno.Enum("com.sun.star.awt.MessageBoxType", kind), buttons,
                                              "Arbitro", text)
        try:
            return int(box.execute())
        finally:
            box.dispose()

    def fill_in(self, form: dict[str, Any]) -> dict[str, str] | None:
        """Show a form over the window; what was typed, None where it was given up."""
        dialog = FormDialog(self._ctx, form)
        try:
            values: dict[str, str] | None = dialog.run(self._frame.ContainerWindow)
            return values
        finally:
            dialog.close()

    def _language(self) -> str:
        provider = self._ctx.ServiceManager.createInstanceWithContext(
            "com.sun.star.configuration.ConfigurationProvider", self._ctx)
        node = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
        node.Name, node.Value = "nodepath", "/org.openoffice.Setup/L10N"
        access = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationAccess", (node,))
        return str(access.getByName("ooLocale"))


def show_row(controller: Any, column: int) -> None:
    """Scroll back towards the beginning of the row while the column (from 0) stays in sight.

    LibreOffice puts a distant cell into the middle of the window, and the first columns of its row out of sight.
    """
    pane = controller.getByIndex(controller.Count - 1)
    there = pane.FirstVisibleColumn
    for first in range(controller.SplitColumn if controller.hasFrozenPanes() else 0, there):
        pane.FirstVisibleColumn = first
        if column <= pane.VisibleRange.EndColumn:
            return
    pane.FirstVisibleColumn = there


def _reach(sheet: Any, place: str) -> int:
    """The last column (from 0) that a cell and the note shown beside it cover."""
    cell = sheet.getCellRangeByName(place)
    column: int = cell.RangeAddress.EndColumn
    if cell.Annotation.IsVisible:
        note = cell.Annotation.AnnotationShape
        while note.Position.X + note.Size.Width > sheet.getCellByPosition(column + 1, 0).Position.X:
            column += 1
    return column


class _Window(Screen):  # type: ignore[misc]
    """The window of a frame while a press is under way."""

    def __init__(self, buttons: Buttons, indicator: Any, sheet: Any) -> None:
        self._buttons, self._indicator, self._sheet = buttons, indicator, sheet

    def hold(self) -> None:
        self._sheet.setEnable(False)

    def tell(self, line: str) -> None:
        self._indicator.setText(line)

    def ask(self, lines: list[str]) -> bool:
        return self._buttons.box("QUERYBOX", YES_NO, "\n".join(lines[-LONGEST_BOX:])) == YES

    def look(self, cell: str) -> None:
        self._buttons.select(cell)

    def fill_in(self, form: dict[str, Any]) -> dict[str, str] | None:
        values: dict[str, str] | None = self._buttons.fill_in(form)
        return values


g_ImplementationHelper = unohelper.ImplementationHelper()  # noqa: N816 (UNO's name)
g_ImplementationHelper.addImplementation(Buttons, IMPLEMENTATION, SERVICES)
