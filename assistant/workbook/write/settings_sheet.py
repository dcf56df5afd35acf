"""A sheet of settings for a program: names and values in; a workbook with that sheet out, hidden from all menus."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.workbook.write.fixed_bytes import workbook_bytes


def settings_workbook(title: str, settings: Mapping[str, str | bool]) -> bytes:
    """A workbook with that sheet, to be taken into another (`ooxml.whole_sheets`); its other sheet stays behind."""
    from openpyxl import Workbook

    made = Workbook()
    sheet = made.create_sheet(title)
    sheet.sheet_state = "veryHidden"
    for row, (key, value) in enumerate(settings.items(), 1):
        sheet.cell(row, 1).value, sheet.cell(row, 2).value = key, value
        sheet.cell(row, 2).data_type = "s" if isinstance(value, str) else "b"
    return workbook_bytes(made)
