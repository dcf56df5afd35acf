"""The contract of the port, over a workbook that is open in a running LibreOffice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.buttons.press import PipeHost
from assistant.workbook.open_book import LiveBook
from assistant.workbook.port import Book
from tests.office.running import Office, Shown
from tests.workbook.contract import LiveContract, Opening, Prepare, made
from tests.workbook.feast import loader


class OfficeBench:
    """A workbook open in LibreOffice."""

    def __init__(self, office: Office, path: Path) -> None:
        self.path, self._office = path, office
        self._open: Shown | None = None

    def _shown(self) -> Shown:
        """The open workbook; opened again after it was closed."""
        if self._open is None:
            self._open = self._office.open(self.path)
        return self._open

    def book(self) -> Book:
        """The live adapter, as the extension's other end has it."""
        shown = self._shown()
        shown.begin()
        host = PipeHost(shown.snapshot(), lambda message: shown.ask(dict(message)), lambda message: None)
        return LiveBook(host, loader)

    def type(self, title: str, ref: str, value: Any) -> None:
        """Type into the open workbook."""
        self._shown()
        self._office.ask("type", {f"{title}!{ref}": value})

    def fill(self, title: str, ref: str) -> str:
        """A cell's colour."""
        self._shown()
        colour = int(self._office.ask("shown", [f"{title}!{ref}"])[f"{title}!{ref}"][1])
        return "" if colour < 0 else f"{colour:06X}"

    def note(self, title: str, ref: str) -> str:
        """A cell's note."""
        self._shown()
        return str(self._office.ask("change", f"found = doc.Sheets[{title!r}][{ref!r}].Annotation.String"))

    def saved(self) -> Path:
        """The workbook, saved and closed, so that the file is nobody's."""
        shown = self._shown()
        assert shown.ask({"save": True}) == {"ok": True}
        shown.close()
        self._open = None
        return self.path


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """One LibreOffice for all tests here."""
    running = Office(tmp_path_factory.mktemp("office"))
    yield running
    running.stop()


@pytest.mark.slow
class TestOffice(LiveContract):
    """The suite over LibreOffice."""

    @pytest.fixture
    def opening(self, office: Office, tmp_path: Path) -> Opening:
        """Opens the Feast's workbook, prepared."""
        def opened(prepare: Prepare | None = None) -> OfficeBench:
            return OfficeBench(office, made(tmp_path, prepare))

        return opened
