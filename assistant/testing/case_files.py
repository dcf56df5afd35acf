"""Public case files, one JSON case a line, in; what is not as they expect out, after each went through the commands.

The keys of a case stand in `arbitro help plugins`, with one example of each kind.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.desk.founding.rulebooks import scenarios_of
from assistant.testing.commands import DONE, SECRET, WAITING, command, must, must_be_installed
from assistant.turn.findings import nearest
from assistant.turn.ruleset import load
from assistant.workbook.read.csvfolder import unguarded

GIVEN = ("name", "rulebook", "scenario", "tables", "orders", "answers", "dice", "until", "expected")
EXPECTED = ("rows", "gone", "findings", "events", "questions")
PLAYED = ("orders", "answers", "dice")
"""What a case has players do; it stands in place of what a scenario brings along of it."""
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
        start = ("tables",) if "scenario" not in case else ()
        missing = [key for key in ("name", "rulebook", *start, "expected") if not case.get(key)]
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
             *_gone_faults(case["rulebook"], wanted.get("gone", {}), place / "out"),
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
    tables = _of_scenario(case)
    desk = {row["key"]: row["value"] for row in tables.pop("desk", [])}
    changed: Mapping[str, Any] = case.get("tables", {})
    desk |= {"ruleset": case["rulebook"], "title": case["name"], "language": "en", **changed.get("desk", {})}
    for name, rows in changed.items():
        if name != "desk":
            tables[name] = _laid_over(case["rulebook"], name, tables.get(name, []), rows)
    tables["desk"] = [{"key": key, "value": value} for key, value in desk.items()]
    given = {"orders": [row for row in case.get("orders", ()) if not isinstance(row, str)],
             "answers": _named(case.get("answers", ()), "question", "answer"),
             "dice": [{"source": "table", **row} for row in _named(case.get("dice", ()), "key", "value")]}
    for name, rows in given.items():
        tables[name] = [*tables.get(name, ()), *rows]
    for name, rows in tables.items():
        if rows:
            heads = list(dict.fromkeys(head for row in rows for head in row))
            with (place / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(heads)
                writer.writerows([_text(row.get(head)) for head in heads] for row in rows)


def _of_scenario(case: Case) -> dict[str, list[Row]]:
    """The tables of the scenario with which a case starts, without what the case itself has players do.

    Raises AssertionError for a scenario that the ruleset does not bring along.
    """
    name = case.get("scenario", "")
    if not name:
        return {}
    brought = scenarios_of(load(case["rulebook"]))
    assert name in brought, (f"{case['name']}: there is no scenario {name}; {case['rulebook']} has "
                             f"{', '.join(brought) or 'none'}. Put the case right.")
    return {file.stem: list(_read(file)) for file in sorted(brought[name].glob("*.csv"))
            if not (file.stem in PLAYED and file.stem in case)}


def _laid_over(rulebook: str, name: str, rows: Sequence[Row], given: Sequence[Row]) -> list[Row]:
    """Rows with those of a case laid over them: one of the same key changes in the fields that it names."""
    keys = _keys(rulebook, name)
    laid: dict[Any, Row] = {}
    for number, row in enumerate([*rows, *given]):
        ident = tuple(_text(row.get(key)) for key in keys)
        known = ident if ident and all(ident) else number
        laid[known] = {**laid.get(known, {}), **row}
    return list(laid.values())


def _keys(rulebook: str, name: str) -> list[str]:
    """The columns by which rows of a file are told apart; none for one that is no table."""
    return [column.name for record in load(rulebook).records if record.file == name
            for column in record.columns() if column.key]


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
    found = []
    for name, expected in wanted.items():
        keys, rows = _table(rulebook, name, place)
        if rows is None:
            found.append(_no_table(rulebook, name))
            continue
        for one in [expected] if isinstance(expected, dict) else expected:
            alike = [row for row in rows if all(_text(row[key]) == _text(one[key]) for key in keys if key in one)]
            if not any(_differs(one, row) == [] for row in alike):
                shown = " ".join(_text(one[key]) for key in keys if key in one)
                found.append(f"{name} {shown}: {', '.join(_differs(one, alike[0])) if alike else 'is not there'}.")
    return found


def _gone_faults(rulebook: str, wanted: Mapping[str, Sequence[Row]], place: Path) -> list[str]:
    """Rows that should not be there; one that names a column of which there is none would be gone for ever."""
    found = []
    for name, expected in wanted.items():
        rows = _table(rulebook, name, place)[1]
        if rows is None:
            found.append(_no_table(rulebook, name))
            continue
        known = {column.name for record in load(rulebook).records if record.file == name for column in record.columns()}
        for one in expected:
            strange = [column for column in one if column not in known]
            if strange or not one:
                found.append(f"{name} has no {', '.join(strange) or 'row that is meant by nothing'}; its columns are "
                             f"{', '.join(sorted(known))}.")
            elif any(_differs(one, row) == [] for row in rows):
                found.append(f"{name}: there is still a row with {_shown(one)}.")
    return found


def _table(rulebook: str, name: str, place: Path) -> tuple[list[str], list[dict[str, str]] | None]:
    """The key of a table and its rows as they came out; None for a table that the ruleset has not."""
    record = next((one for one in load(rulebook).records if one.file == name), None)
    if record is None:
        return [], None
    rows = _read(place / f"{name}.csv")
    return _keys(rulebook, name), [{row["key"]: row["value"] for row in rows}] if record.single else rows


def _no_table(rulebook: str, name: str) -> str:
    return f"there is no table {name}; its tables are {', '.join(sorted(one.file for one in load(rulebook).records))}."


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
