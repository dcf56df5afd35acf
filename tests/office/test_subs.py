"""Each Sub of the buttons' macros, run by LibreOffice's own interpreter of VBA in the workbook that was made.

xlwings' module is not for LibreOffice (it does not compile there), so its `RunPython` is played by one that writes
into a cell what it was given; what that text does in Python is tried in ``tests/buttons/test_macros.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.buttons.press import BUTTONS, Button
from assistant.buttons.vba_project import VbaModule, project_bytes, read_sources
from assistant.buttons.workbook_buttons import OUR_MODULE, XLWINGS_MODULES, module_source, with_buttons
from assistant.workbook.ooxml.book import OoxmlBook
from tests.office.running import Office
from tests.workbook.feast import workbook

PLAYED = """Public Sub RunPython(ByVal command As String)
    ThisWorkbook.Worksheets("Desk").Range("Z90").Value = ThisWorkbook.Worksheets("Desk").Range("Z90").Value & command
End Sub
"""
CELL = "Desk!Z90"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """One LibreOffice for all Subs, with the workbook open in it."""
    folder: Path = tmp_path_factory.mktemp("subs")
    made = with_buttons(workbook(folder / "feast.xlsx").read_bytes(), "en")
    book = OoxmlBook(made)
    part = book.package.linked_part(book.part, "vbaProject")
    documents = [name for name in read_sources(book.package.raw(part)) if name not in (OUR_MODULE, *XLWINGS_MODULES)]
    book.package.put(part, project_bytes([
        *(VbaModule(name, kind="workbook" if name == "ThisWorkbook" else "sheet") for name in documents),
        VbaModule(OUR_MODULE, module_source()), VbaModule(XLWINGS_MODULES[0], PLAYED)]))
    path = folder / "feast.xlsm"
    path.write_bytes(book.package.pack())
    running = Office(folder)
    running.ask("open_with_macros", str(path))
    yield running
    running.stop()


@pytest.mark.slow
@pytest.mark.parametrize("button", BUTTONS, ids=lambda one: one.verb)
def test_each_sub_runs_in_a_real_interpreter_of_vba(button: Button, office: Office) -> None:
    """It hands its own button's command to RunPython, once, and nothing else."""
    office.ask("type", {CELL: None})

    office.ask("macro", f"{OUR_MODULE}.{button.sub}")

    assert office.ask("shown", [CELL])[CELL][0] == f"from assistant.buttons import excel; excel.run('{button.verb}')"
