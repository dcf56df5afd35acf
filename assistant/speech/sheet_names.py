"""Sheets and columns: an English name or a field in; what a sheet or its heading is called in a language out."""

from __future__ import annotations

from assistant.campaign.records import BASE
from assistant.turn.ruleset import Ruleset


def sheet_name(ruleset: Ruleset | None, sheet: str, lang: str) -> str:
    """The name of a sheet in a language, by its English one."""
    for record in (*(ruleset.records if ruleset else ()), *BASE):
        if record.sheet == sheet:
            return record.sheet_it if lang == "it" else record.sheet
    return sheet


def heading_of(ruleset: Ruleset, sheet: str, field: str, lang: str) -> str:
    """The heading of a column in a language, by its field; the field itself where nobody knows it."""
    for record in ruleset.records:
        if record.sheet == sheet:
            for column in record.columns():
                if column.name == field:
                    return column.heading(lang)
    return field
