"""A form in a window of LibreOffice: lines to read, fields to fill in or to choose from, OK and Cancel."""

from __future__ import annotations

from typing import Any

import uno

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
