"""Plays the samples of `tests/samples` with today's commands: a year, or some days, with all that can happen in them.

    python -m tests.desk.sampling RULEBOOK FOLDER

Each has phases that were undone, a change by hand that was kept, a correction, typed dice and thrown ones, answers by
default or by a robot, and waits at a question.
"""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from click.testing import CliRunner

from assistant.cli import main
from assistant.environment import shipped_folder
from tests import hand

Row = Sequence[str]
WAITING = 3


def arbitro(*words: object, code: int = 0) -> None:
    """One command, which must end with that exit code."""
    result = CliRunner().invoke(main, ["--lang", "en", *map(str, words)], catch_exceptions=False)
    assert result.exit_code == code, result.output


def scripted(ruleset: str, scenario: str, place: Path, left_out: Mapping[str, Callable[[Row], bool]]) -> Path:
    """The CSVs of a scenario in a folder, without some of their rows (file -> which)."""
    copy = place / "csv"
    shutil.copytree(shipped_folder("workbook_templates") / ruleset / scenario, copy)
    for file, drop in left_out.items():
        with (copy / file).open(encoding="utf-8-sig", newline="") as source:
            head, *rows = csv.reader(source)
        with (copy / file).open("w", encoding="utf-8", newline="") as target:
            csv.writer(target, lineterminator="\n").writerows([head, *(row for row in rows if not drop(row))])
    return copy


def typed_over(book: Path, sheet: str, key: str, heading: str, more: int) -> str:
    """Add to the number in a cell, as somebody in Excel would; its address."""
    file = hand.opened(book)
    rows = list(file[sheet].iter_rows())
    column = next(c.column for row in rows for c in row if str(c.value).strip() == heading)
    cell = next(file[sheet].cell(row[0].row, column) for row in rows if row[0].value == key)
    cell.value = int(str(cell.value)) + more
    file.save(book)
    return f"{sheet}!{cell.coordinate}"


def giglio(place: Path) -> Path:
    """The year 1500 of Italy, and 1501 up to the question of its Strategos."""
    source = scripted("giglio", "italy-1500", place, {
        "answers.csv": lambda row: list(row[:3]) == ["1501", "open", "move_order"],
        "orders.csv": lambda row: row[3] == "T" and row[2] in ("r6", "r7", "r8", "r9", "r10"),
        "dice.csv": lambda row: row[0].startswith(("storm:1500:", "lot"))})
    book = place / "giglio.xlsx"
    arbitro("new", "giglio", book, "--from", source, "--language", "en", "--secret", "02" * 32)
    arbitro("resolve", book, "--until", "1500.r2.siege")
    arbitro("undo", book, "--to", "1500.r2.move")
    arbitro("orders", book, "die storm:1500:3 4")
    arbitro("accept", book, typed_over(book, "Factions", "V", "Chest", 15), "--why", "a gift of the organisers")
    arbitro("resolve", book, "--until", "1500.r5.siege")
    arbitro("correct", book, "battle B1500.1.M7 a 45 65", "--why", "the slip was misread", "--commit")
    arbitro("resolve", book, "--until", "1501.open", "--robot", "T", code=WAITING)
    return book


def anarchy(place: Path) -> Path:
    """Wallingford 1139, days 0 to 2, and day 3 up to a question to the royal party."""
    source = scripted("anarchy", "wallingford-1139", place, {
        "answers.csv": lambda row: row[2].startswith(("standoff/A-CHE", "convoy/A-MEU/1502")),
        "dice.csv": lambda row: row[2].startswith(("activation/M-WE1", "share/"))})
    book = place / "anarchy.xlsx"
    arbitro("new", "anarchy", book, "--from", source, "--language", "it", "--secret", "03" * 32)
    arbitro("resolve", book, "--until", "1.close")
    arbitro("undo", book, "--to", "1.movement")
    arbitro("accept", book, typed_over(book, "Luoghi", "corsham", "Risorse", 1), "--why", "so the card says")
    arbitro("orders", book, "die activation/M-WE1 31")
    arbitro("resolve", book, "--until", "2.close", "--defaults")
    arbitro("correct", book, "die promise/M-WE1 8", "--why", "the die was misread", "--commit")
    arbitro("resolve", book, "--until", "3.close", code=WAITING)
    return book


def incursio(place: Path) -> Path:
    """Day 1 of Esdef, and day 2 up to the consents of its players."""
    source = scripted("incursio", "esdef-beginning", place, {
        "answers.csv": lambda row: row[4] in ("D1-06", "D2-07"),
        "dice.csv": lambda row: row[0] == "battle/1V-39-32-1/1/garrison/att/1" or row[0].startswith("initiative/2/")})
    book = place / "incursio.xlsx"
    arbitro("new", "incursio", book, "--from", source, "--language", "en", "--secret", "04" * 32)
    arbitro("resolve", book, "--until", "1.upkeep", "--defaults")
    arbitro("undo", book, "--to", "1.first_assault")
    arbitro("orders", book, "die battle/1V-39-32-1/1/garrison/att/1 6")
    arbitro("accept", book, typed_over(book, "Factions", "esdef", "Coins", 100), "--why", "a gift of the organisers")
    arbitro("resolve", book, "--until", "2.initiative", "--defaults")
    arbitro("correct", book, "die battle/1V-26-19-1/1/garrison/def/1 6", "--why", "the die was misread", "--commit")
    arbitro("resolve", book, "--until", "3.initiative", code=WAITING)
    return book


def warriors(place: Path) -> Path:
    """Turn 1 of the Borderlands with its map on a sheet, and turn 2 up to the question where a beaten army goes."""
    source = scripted("warriors", "borderlands", place, {
        "answers.csv": lambda row: row[2] == "retreat/B2-1/O3",
        "dice.csv": lambda row: row[2] == "force-test/O4" or row[:2] == ["2", "weather"]})
    book = place / "warriors.xlsx"
    arbitro("new", "warriors", book, "--from", source, "--language", "it", "--secret", "05" * 32)
    arbitro("map", book, "--sheet")
    arbitro("resolve", book, "--until", "1.events")
    arbitro("undo", book, "--to", "1.orders")
    arbitro("orders", book, "die force-test/O4 1")
    arbitro("accept", book, typed_over(book, "Unità", "M1b", "Miniature", 2), "--why", "so the roster says")
    arbitro("resolve", book, "--until", "2.weather", "--robot", "undead")
    arbitro("correct", book, "die force-test/D1 3", "--why", "the die was misread", "--commit")
    arbitro("resolve", book, "--until", "3.weather", code=WAITING)
    return book


def bloodlust(place: Path) -> Path:
    """The spring of 987, and its summer up to the question whether a siege is relieved."""
    source = scripted("bloodlust", "tanaephis", place, {
        "answers.csv": lambda row: row[2] == "response/B3" or list(row[:3]) == ["987Su", "invade", "relief/V3"],
        "dice.csv": lambda row: row[0] == "hero/DER" or list(row[3:5]) == ["987Sp", "trade"]})
    book = place / "bloodlust.xlsx"
    arbitro("new", "bloodlust", book, "--from", source, "--language", "en", "--secret", "06" * 32)
    arbitro("resolve", book, "--until", "987Sp.recruit")
    arbitro("undo", book)
    arbitro("orders", book, "die hero/DER 1")
    arbitro("accept", book, typed_over(book, "Factions", "VOR", "Resources", 3), "--why", "a gift of the organisers")
    arbitro("resolve", book, "--until", "987Sp.war")
    arbitro("correct", book, "die hero/VOR 5", "--why", "the die was misread", "--commit")
    arbitro("resolve", book, "--until", "987Fa.recruit", "--robot", "BAT", code=WAITING)
    return book


MADE = {"giglio": giglio, "anarchy": anarchy, "incursio": incursio, "warriors": warriors, "bloodlust": bloodlust}

if __name__ == "__main__":
    print(MADE[sys.argv[1]](Path(sys.argv[2])))
