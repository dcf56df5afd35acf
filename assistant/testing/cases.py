"""Test cases from files and folders, played through the command line."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import FindingRow, Rule
from assistant.campaign.tables import Record
from assistant.cli import main
from assistant.desk.commands.rulesets import scenarios_of
from assistant.testing.robots import finding_text
from assistant.turn.findings import nearest
from assistant.turn.numbers import starting_values, write_values
from assistant.turn.phases import Outcome, resolve
from assistant.turn.rulebooks import GROUP, installed_rulesets, load
from assistant.turn.ruleset import Ruleset
from assistant.workbook.file_book import open_book
from assistant.workbook.read.csv_folder import read_folder, unguard, write_folder

# Running commands, and whole phases by commands alone.


SECRET = "ab" * 32
DONE, REFUSED, WAITING = 0, 1, 3


def run_command(*words: str | Path) -> tuple[int, str]:
    """Exit code and standard output of one command."""
    result = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)
    return result.exit_code, result.stdout


def must_succeed(*words: str | Path) -> str:
    """The standard output of a command that has to succeed. Raises AssertionError with its output otherwise."""
    result = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)
    assert result.exit_code == DONE, (f"arbitro {' '.join(map(str, words))} ended with {result.exit_code}:\n"
                                      f"{result.stdout}{result.stderr}")
    return result.stdout


@contextmanager
def plug_in(place: Path, **objects: str) -> Iterator[None]:
    """Make rulesets available as if they were installed: id -> ``module:OBJECT``. `place`: an empty folder.

    Not needed if your package is installed (``pip install -e .``).
    """
    name = "_".join(("arbitro_plugged_in", *objects))  # Python sees only the first of two packages of one name
    info = place / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    lines = "".join(f"{name} = {where}\n" for name, where in objects.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}", encoding="utf-8")
    sys.path.insert(0, str(place))
    invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(place))
        invalidate_caches()


def must_be_installed(ruleset_id: str) -> None:
    """Raises AssertionError, saying what to do, if the command line cannot find a ruleset."""
    assert ruleset_id in installed_rulesets(), (
        f"The command line knows no rulebook {ruleset_id}, only {', '.join(sorted(installed_rulesets()))}. Install its "
        f"package (pip install -e .), with an entry point {ruleset_id} in the group {GROUP}.")


def write_all_rules(ruleset: Ruleset, campaign: Campaign) -> None:
    """Write the values in force into the Rules where `new` would begin with others (`begins` of a switch), and put the
    rows into the order of the sheet.
    """
    rules, table = ruleset.rules(campaign), campaign.table(Rule)
    write_values(table, {key: rules[key] for key in starting_values(ruleset.numbers, ruleset.typed_rules(table))})
    order = [number.key for number in ruleset.numbers]
    rows = sorted(table, key=lambda row: order.index(row.key) if row.key in order else len(order))
    for row in rows:
        table.remove(row.key)
    for row in rows:
        table.add(row)


# --- round trip -----------------------------------------------------------------------------------------
def round_trip_faults(ruleset: Ruleset, campaign: Campaign, place: Path) -> list[str]:
    """How a campaign changes when its CSVs become a workbook and are exported again; [] if it does not.

    `place`: an empty folder.
    """
    must_be_installed(ruleset.id)
    given, exported, book = place / "given", place / "exported", place / "campaign.xlsx"
    campaign = campaign.copy()
    write_all_rules(ruleset, campaign)
    desk = campaign.desk  # what `new` fills in where it is blank
    desk.campaign_id, desk.title = desk.campaign_id or "given", desk.title or ruleset.title
    write_folder(campaign, given)
    must_succeed("new", ruleset.id, book, "--from", given, "--secret", SECRET)
    must_succeed("export", book, "--to", exported)
    return [f"{file.name} is another when it comes out: {_first_difference(file, exported / file.name)}. What a column "
            "shows must be read as what it holds: look at its kind, and at prepare and fold."
            for file in sorted(given.glob("*.csv")) if file.read_bytes() != (exported / file.name).read_bytes()]


def _first_difference(one: Path, other: Path) -> str:
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (one, other)]
    for number in range(max(map(len, lines))):
        was, now = (text[number] if number < len(text) else "" for text in lines)
        if was != now:
            return f"line {number + 1} was '{was}' and is '{now}'"
    return "its line ends differ"


def campaign_of(book: Path) -> Campaign:
    """The campaign in a workbook."""
    return open_book(book).read().campaign


# Case files: one JSON case per line, each played through the commands.
#
# `arbitro help plugins` lists the keys of a case, with an example of each kind.


GIVEN = ("name", "rulebook", "scenario", "tables", "orders", "answers", "dice", "until", "expected")
EXPECTED_KEYS = ("rows", "gone", "findings", "events", "questions")
PLAYED_TABLES = ("orders", "answers", "dice")
"""What players do in a case; each replaces that table of the scenario."""
REMEDY = "Put the rule right, or the case."
Case = Mapping[str, Any]
Row = Mapping[str, Any]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file. Raises AssertionError, naming the first bad line."""
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
        wrong = [*_unknown_keys(case, GIVEN), *_unknown_keys(case.get("expected", {}), EXPECTED_KEYS)]
        start = ("tables",) if "scenario" not in case else ()
        missing = [key for key in ("name", "rulebook", *start, "expected") if not case.get(key)]
        assert not wrong, f"{here}: {'; '.join(wrong)}."
        assert not missing, f"{here}: there is no {', no '.join(missing)}. A case has at least these."
        cases.append(case)
    assert cases, f"{path.name} holds no case. Write one JSON object a line."
    return cases


def _unknown_keys(keys: Iterable[str], known: Sequence[str]) -> list[str]:
    return [f"no case has the key {key}; did you mean {nearest(key, known) or ', '.join(known)}"
            for key in keys if key not in known]


def case_faults(case: Case, place: Path) -> list[str]:
    """Where a case ends otherwise than expected, after `new`, `orders`, `resolve` and `export`. `place`: a new
    folder's path.
    """
    must_be_installed(case["rulebook"])
    _write_tables(case, place / "in")
    book, findings = place / "case.xlsx", []
    must_succeed("new", case["rulebook"], book, "--from", place / "in", "--secret", SECRET)
    lines = [line for line in case.get("orders", ()) if isinstance(line, str)]
    if lines:
        findings += json.loads(run_command("orders", book, *lines, "--json")[1])["findings"]
    code, text = run_command("resolve", book, "--json", *(("--until", case["until"]) if case.get("until") else ()))
    printed = json.loads(text)
    findings += printed["findings"]
    must_succeed("export", book, "--to", place / "out")
    wanted = case["expected"]
    places = {(finding["code"], finding["sheet"], finding["row"], finding["field"]): finding for finding in findings}
    faults = [*_rows_faults(case["rulebook"], wanted.get("rows", {}), place / "out"),
              *_gone_faults(case["rulebook"], wanted.get("gone", {}), place / "out"),
              *_events_faults(wanted.get("events", ()), place / "out"),
              *_list_faults("finding", wanted.get("findings", ()), list(places.values())),
              *_list_faults("question", wanted.get("questions", ()), printed["questions"])]
    if code not in (DONE, WAITING) and not findings:
        faults.append(f"resolve ended with {code}: {' '.join(printed['lines'])}")
    return [f"{case['name']}: {fault} {REMEDY}" for fault in faults]


def case_file_faults(path: Path, place: Path) -> list[str]:
    """Where the cases of a file end otherwise than expected. `place`: an empty folder."""
    return [fault for number, case in enumerate(read_cases(path), 1)
            for fault in case_faults(case, place / str(number))]


# --- writing the CSVs -----------------------------------------------------------------------------------
def _write_tables(case: Case, place: Path) -> None:
    place.mkdir(parents=True)
    tables = _scenario_tables(case)
    desk = {row["key"]: row["value"] for row in tables.pop("desk", [])}
    changed: Mapping[str, Any] = case.get("tables", {})
    desk |= {"ruleset": case["rulebook"], "title": case["name"], "language": "en", **changed.get("desk", {})}
    for name, rows in changed.items():
        if name != "desk":
            tables[name] = _overlay_rows(case["rulebook"], name, tables.get(name, []), rows)
    tables["desk"] = [{"key": key, "value": value} for key, value in desk.items()]
    given = {"orders": [row for row in case.get("orders", ()) if not isinstance(row, str)],
             "answers": _rows_of(case.get("answers", ()), "question", "answer"),
             "dice": [{"source": "table", **row} for row in _rows_of(case.get("dice", ()), "key", "value")]}
    for name, rows in given.items():
        tables[name] = [*tables.get(name, ()), *rows]
    for name, rows in tables.items():
        if rows:
            heads = list(dict.fromkeys(head for row in rows for head in row))
            with (place / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(heads)
                writer.writerows([_text(row.get(head)) for head in heads] for row in rows)


def _scenario_tables(case: Case) -> dict[str, list[Row]]:
    """The tables of a case's scenario, without the `PLAYED_TABLES` ones that the case has itself.

    Raises AssertionError for a scenario that the ruleset does not have.
    """
    name = case.get("scenario", "")
    if not name:
        return {}
    brought = scenarios_of(load(case["rulebook"]))
    assert name in brought, (f"{case['name']}: there is no scenario {name}; {case['rulebook']} has "
                             f"{', '.join(brought) or 'none'}. Put the case right.")
    return {file.stem: list(_read(file)) for file in sorted(brought[name].glob("*.csv"))
            if not (file.stem in PLAYED_TABLES and file.stem in case)}


def _overlay_rows(rulebook: str, name: str, rows: Sequence[Row], given: Sequence[Row]) -> list[Row]:
    """Rows with those of a case on top: a row with the same key only changes the fields that it names."""
    keys = _keys(rulebook, name)
    laid: dict[Any, Row] = {}
    for number, row in enumerate([*rows, *given]):
        ident = tuple(_text(row.get(key)) for key in keys)
        known = ident if ident and all(ident) else number
        laid[known] = {**laid.get(known, {}), **row}
    return list(laid.values())


def _keys(rulebook: str, name: str) -> list[str]:
    return [column.name for record in load(rulebook).records if record.file == name
            for column in record.columns() if column.key]


def _rows_of(given: Mapping[str, Any] | Sequence[Row], key: str, value: str) -> list[Row]:
    return [{key: name, value: text} for name, text in given.items()] if isinstance(given, Mapping) else list(given)


def _text(value: Any) -> str:
    """A JSON value as text in a CSV."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else " ".join(map(_text, value)) if isinstance(value, list) else str(value)


# --- comparing the CSVs ---------------------------------------------------------------------------------
def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: unguard(text) for name, text in row.items()} for row in csv.DictReader(file)]


def _differences(wanted: Row, row: Row) -> list[str]:
    return [f"{name} is {_text(row[name])!r} and not {_text(value)!r}" if name in row else f"there is no {name}"
            for name, value in wanted.items() if name not in row or _text(row[name]) != _text(value)]


def _rows_faults(rulebook: str, wanted: Mapping[str, Any], place: Path) -> list[str]:
    faults = []
    for name, expected in wanted.items():
        keys, rows = _table(rulebook, name, place)
        if rows is None:
            faults.append(_no_table(rulebook, name))
            continue
        for part in [expected] if isinstance(expected, dict) else expected:
            alike = [row for row in rows if all(_text(row[key]) == _text(part[key]) for key in keys if key in part)]
            if not any(_differences(part, row) == [] for row in alike):
                shown = " ".join(_text(part[key]) for key in keys if key in part)
                fault = ", ".join(_differences(part, alike[0])) if alike else "is not there"
                faults.append(f"{name} {shown}: {fault}.")
    return faults


def _gone_faults(rulebook: str, wanted: Mapping[str, Sequence[Row]], place: Path) -> list[str]:
    """Rows that should be gone but are not. An unknown column is a fault, too: no row would ever match it."""
    faults = []
    for name, expected in wanted.items():
        rows = _table(rulebook, name, place)[1]
        if rows is None:
            faults.append(_no_table(rulebook, name))
            continue
        known = {column.name for record in load(rulebook).records if record.file == name for column in record.columns()}
        for gone in expected:
            strange = [column for column in gone if column not in known]
            if strange or not gone:
                faults.append(f"{name} has no {', '.join(strange) or 'row that is meant by nothing'}; its columns are "
                              f"{', '.join(sorted(known))}.")
            elif any(_differences(gone, row) == [] for row in rows):
                faults.append(f"{name}: there is still a row with {_row_text(gone)}.")
    return faults


def _table(rulebook: str, name: str, place: Path) -> tuple[list[str], list[dict[str, str]] | None]:
    """The key columns of a table and its exported rows; None for a table that the ruleset does not have."""
    record = next((record for record in load(rulebook).records if record.file == name), None)
    if record is None:
        return [], None
    rows = _read(place / f"{name}.csv")
    return _keys(rulebook, name), [{row["key"]: row["value"] for row in rows}] if record.single else rows


def _no_table(rulebook: str, name: str) -> str:
    names = sorted(record.file for record in load(rulebook).records)
    return f"there is no table {name}; its tables are {', '.join(names)}."


def _events_faults(wanted: Sequence[Row], place: Path) -> list[str]:
    told = [{**row, **json.loads(row["data"] or "{}")} for row in _read(place / "events.csv")]
    faults = []
    for event in wanted:
        alike = [row for row in told if row["event"] == event.get("event")]
        if not any(_differences(event, row) == [] for row in told):
            near = "; ".join(", ".join(_differences(event, row)) for row in alike) if alike else _names(told)
            faults.append(f"no event was told with {_row_text(event)}; told were {near}.")
    return faults


def _names(told: Sequence[Row]) -> str:
    return ", ".join(dict.fromkeys(row["event"] for row in told)) or "none"


def _row_text(row: Row) -> str:
    return ", ".join(f"{name} {_text(value)!r}" for name, value in row.items())


def _list_faults(what: str, wanted: Sequence[Row], seen: Sequence[Row]) -> list[str]:
    """Differences between expected and actual items; of each only the keys in the case are compared."""
    left, faults = list(seen), []
    for item in wanted:
        same = next((row for row in left if _differences(item, row) == []), None)
        if same is None:
            faults.append(f"there is no {what} with {_row_text(item)}.")
        else:
            left.remove(same)
    names = ("code", "sheet", "row", "field", "question", "text")
    return faults + [f"there is a {what} that is not expected: {_row_text({n: row[n] for n in names if n in row})}."
                     for row in left]


# Golden folders: CSVs with orders, answers and dice, and expected.csv with the results.
#
# ``read_expected.csv`` has ``checkpoint,table,key,field,value``. A checkpoint is ``TURN after PHASE``, or ``TURN``
# for its
# end (the column may be called ``turn``, and ``table`` ``sheet``). Rows of the table Findings list all findings about
# orders: the checkpoint is ``TURN PHASE``, the key the order's, the field the code, the value the severity.


RowAsText = Callable[[Record], Mapping[str, str]]


class ExpectedValue(NamedTuple):
    """One value that is expected at a checkpoint."""

    checkpoint: str
    table: str
    key: str
    field: str
    value: str


def read_expected(folder: Path) -> list[ExpectedValue]:
    """The rows of a folder's expected.csv. Raises AssertionError where a column is missing, OSError."""
    with (folder / "expected.csv").open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        also = {"turn": "checkpoint", "sheet": "table"}
        rows = [{also.get(name, name): text for name, text in row.items()} for row in reader]
    heads = {also.get(name, name) for name in reader.fieldnames or ()}
    missing = [name for name in ExpectedValue._fields if name not in heads]
    assert not missing, f"expected.csv has no column {', '.join(missing)}; it has {','.join(ExpectedValue._fields)}."
    return [ExpectedValue(**row) for row in rows]


def unmet_values(rows: Iterable[ExpectedValue], campaign: Campaign, shown: RowAsText = Record.as_text) -> list[str]:
    """Which values differ in a campaign. A key may leave out its last parts; then the last matching row is meant.

    `shown`: gives the fields of a row as text; it may add derived ones.
    """
    tables = {name: table for table in campaign.tables().values() for name in (table.record.sheet, table.record.file)}
    faults = []
    for wanted in rows:
        assert wanted.table in tables, f"expected.csv names {wanted.table}; there are {', '.join(sorted(tables))}."
        alike = [row for row in tables[wanted.table] if f"{row.ident}/".startswith(f"{wanted.key}/")]
        seen = shown(alike[-1]).get(wanted.field, "no column") if alike else "not there"
        if seen != wanted.value:
            faults.append(f"{wanted.checkpoint}: {wanted.table} {wanted.key} {wanted.field} is {seen!r} and not "
                          f"{wanted.value!r}")
    return faults


def unlike_findings(rows: Iterable[ExpectedValue], campaign: Campaign) -> list[str]:
    """Findings about orders that are unexpected or missing."""
    wanted = Counter((expected.checkpoint, expected.key, expected.field, expected.value) for expected in rows)
    seen = Counter((f"{f.turn} {f.phase}", f.row, f.code, f.severity) for f in campaign.table(FindingRow))
    return [*(f"{when}: {code} ({severity}) was not found at {row}" for when, row, code, severity in wanted - seen),
            *(f"{when}: {code} ({severity}) was found at {row}" for when, row, code, severity in seen - wanted)]


def opening(ruleset: Ruleset, folder: Path) -> Campaign:
    """The campaign in a folder of CSVs, at its start. Raises AssertionError if it cannot be read."""
    _, campaign, findings = read_folder(folder, ruleset)
    bad = [finding_text(finding) for finding in findings if finding.stops]
    assert not bad, f"{folder.name} cannot be read: {'; '.join(bad)}. Put its CSVs right."
    ruleset.fold(campaign)
    ruleset.prepare(campaign)
    return campaign


def golden_faults(ruleset: Ruleset, folder: Path, secret: bytes = bytes(32),
                  shown: RowAsText = Record.as_text) -> list[str]:
    """Where play differs from a folder's expected.csv, up to its last checkpoint."""
    rows = read_expected(folder)
    about_findings = [expected for expected in rows if expected.table == FindingRow.sheet]
    left: dict[str, list[ExpectedValue]] = {}
    for expected in rows:
        if expected not in about_findings:
            left.setdefault(expected.checkpoint, []).append(expected)
    campaign, faults = opening(ruleset, folder), []
    last: Outcome | None = None
    while left:
        turn = campaign.desk.turn
        if last is not None and (last.turn != turn or ruleset.is_over(campaign)):
            faults += unmet_values(left.pop(last.turn, ()), campaign, shown)
        if not left or ruleset.is_over(campaign):
            break
        last = resolve(ruleset, campaign, secret)
        if not last.done:
            asked = ", ".join(question.question for question in last.questions)
            return [*faults, f"{last.turn} {last.phase} waits: {asked or '; '.join(map(finding_text, last.findings))}. "
                             "Write the answers into answers.csv, results of battles into battle_results.csv."]
        campaign = last.campaign
        faults += unmet_values(left.pop(f"{last.turn} after {last.phase}", ()), campaign, shown)
    faults += [f"{name}: play never comes there" for name in left]
    faults += unlike_findings(about_findings, campaign)
    return [f"{fault}. Put the rule right, or expected.csv." for fault in faults]
