"""One cell: a raw value and its column in; the field's value out, or what is wrong with it; and the way back."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from assistant.campaign.columns import (
    LONGEST_TEXT,
    Choice,
    Codes,
    Column,
    Data,
    Flag,
    Moment,
    Ordinal,
    Parts,
    Ref,
    Rows,
    Text,
    Typed,
    Unreadable,
    Whole,
    as_text,
)
from assistant.turn.findings import Severity, nearest
from assistant.workbook import codes

REMARKED = {"text": "fed", "answer": "d"}
"""Columns in which clubs write words -> what is no word and is named there; of answers the question judges the rest."""
LONGEST_CELL = 32_767
LARGEST = 10**15
ALIKE = 0.6
"""How much a word must be like one of a list to be offered for it; else the list speaks for itself."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_INVISIBLE = re.compile(
    "[\x80-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e00ff]|(?<![^\x00-\u02af])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u02af])")
"""Signs that cannot be seen or that turn text around. Joiners stay between signs that need them (emoji, Persian)."""
_DIGITS = re.compile(r"-?(0|[1-9]\d{0,14})", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+|(?:['’\s]\d{3})+)")
_REASONS = {"number": codes.NOT_NUMBER, "whole": codes.NOT_WHOLE, "range": codes.OUT_OF_RANGE,
            "choice": codes.NOT_CHOICE, "flag": codes.NOT_FLAG, "pattern": codes.BAD_PATTERN, "data": codes.BAD_DATA}


class Raw(NamedTuple):
    """A value with openpyxl's letter for its type: s text, n number, b truth, f formula, e error, d date."""

    value: Any
    data_type: str = "s"


def readable(text: str) -> str:
    """A text as people see it: without the signs of `visible`, and without control characters."""
    return text if text.isprintable() else _CONTROL.sub("", visible(text))


class Trouble(Exception):
    """A cell that its column cannot take; the reader makes a finding of it. `kept`: what the row gets."""

    def __init__(self, code: str, data: Mapping[str, Any], kept: Any = None, severity: Severity = "error") -> None:
        super().__init__(code)
        self.code, self.data, self.kept, self.severity = code, dict(data), kept, severity


def visible(text: str) -> str:
    """A text without the signs that cannot be seen or that turn it around; most texts have none."""
    if text.isprintable():
        return text
    while (less := _INVISIBLE.sub("", text)) != text:  # what is left may stand beside other signs now
        text = less
    return text


def plain_text(value: Any) -> str:
    """A raw cell of any type as trimmed text: formulas as typed, dates as ISO, line ends as LF."""
    if isinstance(value, (dt.datetime, dt.date)):
        midnight = isinstance(value, dt.datetime) and value.time() == dt.time()
        return value.date().isoformat() if midnight and isinstance(value, dt.datetime) else value.isoformat(" ") \
            if isinstance(value, dt.datetime) else value.isoformat()
    text = as_text(getattr(value, "text", None) if hasattr(value, "text") else value)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_value(column: Column, value: Any, data_type: str, lang: str, lenient: bool = False) -> Any:
    """The field's value of a raw cell that is not blank.

    `lenient`: a club's order or answer, where text columns take whatever stands there, so that the ruleset
    refuses and quotes it; of a date or formula in its words a remark says what it is. Raises `Trouble`.
    """
    kind = column.kind
    takes_all = lenient and isinstance(kind, (Text, Typed, Ref, Ordinal))
    if data_type in "fed" and (not takes_all or data_type in REMARKED.get(column.name, "")):
        code = {"f": codes.FORMULA, "e": codes.ERROR_VALUE, "d": codes.DATE}[data_type]
        seen = plain_text(value)
        raise Trouble(code, {"seen": seen}, seen if takes_all else None, "warning" if takes_all else "error")
    text = plain_text(value)
    if not text.isprintable() and _CONTROL.search(text):
        cleaned = _CONTROL.sub("", text)
        if lenient:
            kept = read_value(column, cleaned, "s", lang, lenient) if visible(cleaned).strip() else None
            raise Trouble(codes.CONTROL, {"seen": cleaned[:80]}, kept, "warning")
        raise Trouble(codes.CONTROL, {"seen": cleaned[:80]}, kept=cleaned if isinstance(kind, Text) else None)
    seen = visible(text)
    if seen != text and not isinstance(kind, Data):
        kept = read_value(column, seen, "s", lang, lenient) if seen.strip() else None
        raise Trouble(codes.INVISIBLE, {"seen": seen[:80]}, kept, "warning")
    if lenient and not column.key:
        text = text[:LONGEST_CELL]
    longest = LONGEST_CELL if isinstance(kind, (Data, Rows)) or (lenient and not column.key) else LONGEST_TEXT
    if len(text) > longest:
        kept = text[:longest] if isinstance(kind, Text) else None
        raise Trouble(codes.TOO_LONG, {"seen": text[:40] + "…", "length": len(text), "allowed": longest}, kept)
    try:
        found = kind.read(text)
    except Unreadable as no:
        raise _trouble(column, no, text, lang) from None
    if isinstance(found, int) and abs(found) > LARGEST:
        raise Trouble(codes.OUT_OF_RANGE, {"seen": text[:40], "allowed": f"<= {LARGEST}"})
    if isinstance(kind, Data) and "\\ud" in text.lower() and _CONTROL.search(json.dumps(found, ensure_ascii=False)):
        raise Trouble(codes.BAD_DATA, {"seen": text[:80], "allowed": "JSON"})
    return found


def _trouble(column: Column, no: Unreadable, text: str, lang: str) -> Trouble:
    data: dict[str, Any] = {"seen": text[:80], "allowed": no.allowed}
    if isinstance(column.kind, Choice):
        words = [column.word(code, lang) for code in column.kind.options]
        data.update(allowed=", ".join(words), near=nearest(text, words, ALIKE))
    if isinstance(column.kind, Flag):
        data["allowed"] = "sì, no" if lang == "it" else "yes, no"
    if no.reason in ("number", "whole") and _THOUSANDS.fullmatch(text):
        return Trouble(codes.THOUSANDS, {"seen": text[:80], "plain": re.sub(r"[^\d+-]", "", text)})
    if no.reason == "whole" and isinstance(column.kind, Parts):
        return Trouble(codes.NOT_IN_STEPS, {"seen": text[:80], "step": column.kind.show(1)})
    if no.reason == "pattern":
        data["allowed"] = _example(no.allowed)
    return Trouble(_REASONS[no.reason], data, kept=text if isinstance(column.kind, Text) else None)


def _example(pattern: str) -> str:
    """A pattern as a referee reads it: ``[A-Z]{1,3}-\\d+`` -> ``ABC-1``."""
    shown = re.sub(r"#\[0-9A-Fa-f\]\{6\}", "#1f6f8b", pattern)
    shown = re.sub(r"\[A-Z\](\{1,3\}|\+)?", "V", shown)
    return re.sub(r"\\d(\+|\{[\d,]+\})?", "1", shown)


def cell_value(column: Column, value: Any, lang: str) -> float | str | None:
    """What a cell shows of a field: numbers as numbers, words in the language, None for nothing.

    Raises OverflowError for text that no cell can hold.
    """
    kind = column.kind
    if isinstance(kind, (Whole, Typed)):
        return value if isinstance(value, int) or value is None else (str(value) or None)
    if isinstance(kind, Parts):
        return value if value is None else value // kind.per if value % kind.per == 0 else value / kind.per
    if isinstance(kind, Moment):
        return int(value) if _DIGITS.fullmatch(value) else (value or None)
    if isinstance(kind, (Flag, Choice)):
        return column.word(value, lang) or None
    text = kind.show(value) if isinstance(kind, (Codes, Data, Ref)) else as_text(value)
    if len(text) > LONGEST_CELL:
        raise OverflowError(f"{column.name}: {len(text)} characters do not fit into a cell")
    return text or None
