"""Public case files, one JSON case a line, in; what is not as they expect out, after each went through the commands.

The keys of a case stand in docs/new-ruleset.md, with one example of each kind.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.campaign.record import Record
from assistant.testing.commands import DONE, SECRET, WAITING, command, must, must_be_installed
from assistant.turn.findings import nearest
from assistant.turn.ruleset import load
from assistant.workbook.read.csvfolder import unguarded

GIVEN = ("name", "rulebook", "tables", "orders", "answers", "dice", "until", "expected")
EXPECTED = ("rows", "findings", "events", "questions")
REMEDY = "Put the rule right, or the case."
Case = Mapping[str, Any]
Row = Mapping[str, Any]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file. Raises AssertionError that names the first line that is none."""
    cases: list[Case] = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except json.JSONDecodeError as bad:
            raise AssertionError(f"{path.name}, line {number}: no JSON ({bad}). Write a whole case on it.") from bad
        here = f"{path.name}, line {number}"
        assert isinstance(case, dict), f"{here}: a case is an object, with its keys in braces."
        wrong = [*_unknown(case, GIVEN), *_unknown(case.get("expected", {}), EXPECTED)]
        missing = [key for key in ("name", "rulebook", "tables", "expected") if not case.get(key)]
        assert not wrong, f"{here}: {'; '.join(wrong)}."
        assert not missing, f"{here}: there is no {', no '.join(missing)}. A case has at least these."
        cases.append(case)
    assert cases, f"{path.name} holds no case. Write one JSON object a line."
    return cases


def _unknown(keys: Iterable[str], known: Sequence[str]) -> list[str]:
    return [f"no case has the key {key}; did you mean {nearest(key, known) or ', '.join(known)}"
            for key in keys if key not in known]


def case_faults(case: Case, place: Path) -> list[str]:
    """What is not as a case expects, after `new`, `orders`, `resolve` and `export`; [] where all is. `place`: a folder
    that is made.
    """
    must_be_installed(case["rulebook"])
    _write_tables(case, place / "in")
    book, findings = place / "case.xlsx", []
    must("new", case["rulebook"], book, "--from", place / "in", "--secret", SECRET)
    lines = [line for line in case.get("orders", ()) if isinstance(line, str)]
    if lines:
        findings += json.loads(command("orders", book, *lines, "--json")[1])["findings"]
    code, text = command("resolve", book, "--json", *(("--until", case["until"]) if case.get("until") else ()))
    said = json.loads(text)
    findings += said["findings"]
    must("export", book, "--to", place / "out")
    wanted = case["expected"]
    places = {(one["code"], one["sheet"], one["row"], one["field"]): one for one in findings}
    found = [*_rows_faults(case["rulebook"], wanted.get("rows", {}), place / "out"),
             *_events_faults(wanted.get("events", ()), place / "out"),
             *_same_faults("finding", wanted.get("findings", ()), list(places.values())),
             *_same_faults("question", wanted.get("questions", ()), said["questions"])]
    if code not in (DONE, WAITING) and not findings:
        found.append(f"resolve ended with {code}: {' '.join(said['lines'])}")
    return [f"{case['name']}: {one} {REMEDY}" for one in found]


def case_file_faults(path: Path, place: Path) -> list[str]:
    """What is not as the cases of a file expect. `place`: an empty folder."""
    return [fault for number, case in enumerate(read_cases(path), 1)
            for fault in case_faults(case, place / str(number))]


# --- CSV in ---------------------------------------------------------------------------------------------
def _write_tables(case: Case, place: Path) -> None:
    place.mkdir(parents=True)
    desk = {"ruleset": case["rulebook"], "title": case["name"], "language": "en", **case["tables"].get("desk", {})}
    tables: dict[str, list[Row]] = {"desk": [{"key": key, "value": value} for key, value in desk.items()]}
    tables |= {name: rows for name, rows in case["tables"].items() if name != "desk"}
    tables["orders"] = [*tables.get("orders", ()), *(row for row in case.get("orders", ()) if not isinstance(row, str))]
    tables["answers"] = _named(case.get("answers", ()), "question", "answer")
    tables["dice"] = [{"source": "table", **row} for row in _named(case.get("dice", ()), "key", "value")]
    for name, rows in tables.items():
        if rows:
            heads = list(dict.fromkeys(head for row in rows for head in row))
            with (place / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(heads)
                writer.writerows([_text(row.get(head)) for head in heads] for row in rows)


def _named(given: Mapping[str, Any] | Sequence[Row], key: str, value: str) -> list[Row]:
    """Rows, or one row for each name and what it says."""
    return [{key: name, value: text} for name, text in given.items()] if isinstance(given, Mapping) else list(given)


def _text(value: Any) -> str:
    """A value of JSON as a CSV has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else " ".join(map(_text, value)) if isinstance(value, list) else str(value)


# --- CSV out --------------------------------------------------------------------------------------------
def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: unguarded(text) for name, text in row.items()} for row in csv.DictReader(file)]


def _differs(wanted: Row, row: Row) -> list[str]:
    return [f"{name} is {_text(row[name])!r} and not {_text(value)!r}" if name in row else f"there is no {name}"
            for name, value in wanted.items() if name not in row or _text(row[name]) != _text(value)]


def _rows_faults(rulebook: str, wanted: Mapping[str, Any], place: Path) -> list[str]:
    records: dict[str, type[Record]] = {record.file: record for record in load(rulebook).records}
    found = []
    for name, expected in wanted.items():
        if name not in records:
            found.append(f"there is no table {name}; its tables are {', '.join(sorted(records))}.")
            continue
        keys = [column.name for column in records[name].columns() if column.key]
        rows = _read(place / f"{name}.csv")
        if records[name].single:
            rows = [{row["key"]: row["value"] for row in rows}]
        for one in [expected] if isinstance(expected, dict) else expected:
            alike = [row for row in rows if all(_text(row[key]) == _text(one[key]) for key in keys if key in one)]
            if not any(_differs(one, row) == [] for row in alike):
                shown = " ".join(_text(one[key]) for key in keys if key in one)
                found.append(f"{name} {shown}: {', '.join(_differs(one, alike[0])) if alike else 'is not there'}.")
    return found


def _events_faults(wanted: Sequence[Row], place: Path) -> list[str]:
    told = [{**row, **json.loads(row["data"] or "{}")} for row in _read(place / "events.csv")]
    found = []
    for one in wanted:
        alike = [row for row in told if row["event"] == one.get("event")]
        if not any(_differs(one, row) == [] for row in told):
            found.append(f"no event was told with {_shown(one)}; told were "
                         f"{'; '.join(', '.join(_differs(one, row)) for row in alike) if alike else _names(told)}.")
    return found


def _names(told: Sequence[Row]) -> str:
    return ", ".join(dict.fromkeys(row["event"] for row in told)) or "none"


def _shown(row: Row) -> str:
    return ", ".join(f"{name} {_text(value)!r}" for name, value in row.items())


def _same_faults(what: str, wanted: Sequence[Row], seen: Sequence[Row]) -> list[str]:
    """Where what was said is not exactly what is expected: each one once, of each the keys that the case names."""
    left, found = list(seen), []
    for one in wanted:
        same = next((row for row in left if _differs(one, row) == []), None)
        if same is None:
            found.append(f"there is no {what} with {_shown(one)}.")
        else:
            left.remove(same)
    names = ("code", "sheet", "row", "field", "question", "text")
    return found + [f"there is a {what} that is not expected: {_shown({n: row[n] for n in names if n in row})}."
                    for row in left]
