"""What clumsy hands do to a workbook and a command line: each was answered badly once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import hand
from tests.playing import answer, arbitro

pytestmark = pytest.mark.slow  # each makes or changes a whole campaign

CASE = {
    "factions.csv": "faction,treasury\nV,0\nM,0\n",
    "nodes.csv": "node,site,owner\nV0,city,V\nM0,city,M\n",
    "roads.csv": "a,b\nV0,M0\n",
    "desk.csv": "key,value\nyear,1500\nphase,income\nstart_year,1500\n",
}


def folder(place: Path, **files: str) -> Path:
    """A folder of CSVs: `CASE` with some files changed (by stem)."""
    place.mkdir(exist_ok=True)
    for name, text in {**CASE, **{f"{stem}.csv": text for stem, text in files.items()}}.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def codes(book: Path) -> set[str]:
    """Codes of what `check` sees."""
    return {f["code"] for f in answer("check", book)["findings"]}


def desk_cell(book: Path, setting: str, value: object) -> None:
    """Type over a setting of the Desk."""
    workbook = hand.opened(book)
    sheet: Any = workbook["Desk"]
    row = next(row for row in range(1, sheet.max_row + 1) if sheet[f"B{row}"].value == setting)
    sheet[f"C{row}"] = value
    workbook.save(book)


def column_of(sheet: Any, heading: str) -> str:
    """The letter of a column of a table's sheet."""
    return next(str(cell.column_letter) for cell in sheet[4] if str(cell.value).strip() == heading)


@pytest.mark.parametrize(("setting", "value", "code"), [
    ("Phase", None, "ARB-043"), ("Phase", "r11.move", "ARB-043"),
    ("Turn", "abc", "ARB-044"), ("Turn", None, "ARB-044")])
def test_a_clock_that_was_typed_over_stops_everything(
    book: Path, setting: str, value: object, code: str
) -> None:
    """A blank or unknown turn or phase on the Desk is a finding at its cell, and no phase starts."""
    desk_cell(book, setting, value)
    said = answer("resolve", book)
    assert said["exit"] == 1
    assert [(f["code"], f["cell"].split("!")[0]) for f in said["findings"]] == [(code, "Desk")]


@pytest.mark.parametrize(("key", "value"), [("max_armies", "tre"), ("max_armies", 2.5), ("max_armies", -3),
                                            ("fort_timing", "boh")])
def test_a_number_or_switch_that_cannot_be_is_a_finding(book: Path, key: str, value: object) -> None:
    """Rules: the cell, what was seen, what is allowed; the phase does not start."""
    workbook = hand.opened(book)
    sheet: Any = workbook["Rules"]
    row = next(r for r in sheet.iter_rows() if r[0].value == key)
    row[1].value = value
    workbook.save(book)
    said = answer("resolve", book)
    assert (said["exit"], [f["code"] for f in said["findings"]]) == (1, ["ARB-061"])
    assert said["findings"][0]["cell"] == f"Rules!{row[1].coordinate}"


def test_an_unknown_rule_keeps_phases_from_starting(tmp_path: Path) -> None:
    """A key with a value that nobody knows would do nothing; the nearest is named, and the command that helps."""
    path = tmp_path / "a.xlsx"
    said = arbitro("new", "giglio", path, "--from", folder(tmp_path / "in", rules="key,value\nfort_timng,base\n"))
    assert "no phase starts before" in said.stdout
    assert "Did you mean fort_timing? A rule of your own needs code: arbitro house giglio" in said.stderr
    assert answer("resolve", path)["exit"] == 1


@pytest.mark.parametrize(("key", "value", "code"), [
    ("tax_autumn", 20, "ARB-064"), ("loan_base", "the_moon", "ARB-061"), ("storm_on", "1d10", "ARB-061")])
def test_what_only_code_can_bring_is_never_a_ruling(book: Path, key: str, value: object, code: str) -> None:
    """A key, an option, a die: refused at its cell by every command, in both languages; `revert` puts it back."""
    workbook = hand.opened(book)
    sheet: Any = workbook["Rules"]
    rows = [sheet[f"A{row}"].value for row in range(1, sheet.max_row + 1)]
    row = rows.index(key) + 1 if key in rows else len(rows) + 1
    sheet[f"A{row}"], sheet[f"B{row}"] = key, value
    workbook.save(book)
    before = book.read_bytes()
    cell = f"Rules!{'A' if code == 'ARB-064' else 'B'}{row}"

    for command in (("check", book), ("accept", book, "--all", "--why", "ours"), ("resolve", book)):
        said = answer(*command)
        assert said["exit"] == 1, command
        assert (code, cell) in [(f["code"], f["cell"]) for f in said["findings"]], command
    assert "needs code: arbitro house giglio" in arbitro("accept", book, "--all", "--why", "ours").stderr
    assert "serve codice: arbitro house giglio" in arbitro("accept", book, "--all", "--why", "ours", lang="it").stderr
    changed = [line for line in arbitro("check", book).stdout.splitlines() if "ARB-110" in line]
    assert ["arbitro revert" in line and "arbitro accept" not in line for line in changed] == [True]
    assert book.read_bytes() == before
    assert arbitro("revert", book, "--all").exit_code == 0
    assert answer("check", book)["exit"] == 0


def test_chests_of_nothing_stay_empty(tmp_path: Path) -> None:
    """13: a chest is 0 unless it is typed, and nobody gets an army as a present."""
    path = tmp_path / "a.xlsx"
    assert arbitro("new", "giglio", path, "--from", folder(tmp_path / "in")).exit_code == 0
    assert arbitro("resolve", path).exit_code == 0
    assert arbitro("export", path, "--to", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "armies.csv").read_text().count("\n") == 1
    rows = (tmp_path / "out" / "factions.csv").read_text().splitlines()
    assert [row.split(",")[9] for row in rows[1:3]] == ["40", "40"]


def test_an_opening_that_is_typed_is_given(tmp_path: Path) -> None:
    """4.1: opening_treasury and opening_army are used by `new` where the Rules name them."""
    path = tmp_path / "a.xlsx"
    files = {"rules": "key,value\nopening_treasury,income\nopening_army,300\n",
             "factions": "faction,capital\nV,V0\nM,M0\n"}
    assert arbitro("new", "giglio", path, "--from", folder(tmp_path / "in", **files)).exit_code == 0
    assert arbitro("export", path, "--to", tmp_path / "out").exit_code == 0
    rows = (tmp_path / "out" / "armies.csv").read_text().splitlines()
    assert [row.split(",")[:5] for row in rows[1:]] == [
        ["M-1", "M", "M0", "army", "300"], ["V-1", "V", "V0", "army", "300"]]


def test_unknown_owners_speak_the_rulebooks_code(tmp_path: Path) -> None:
    """GIG-121: the workbook is made, check names the cell, no phase starts."""
    path = tmp_path / "a.xlsx"
    files = {"nodes": "node,site,owner\nV0,city,V\nM0,city,X\n"}
    assert arbitro("new", "giglio", path, "--from", folder(tmp_path / "in", **files)).exit_code == 0
    assert codes(path) == {"GIG-121"}
    assert arbitro("resolve", path).exit_code == 1


def test_an_empty_folder_is_no_campaign(tmp_path: Path) -> None:
    """What is missing is said, nothing is written."""
    (tmp_path / "in").mkdir()
    said = arbitro("new", "giglio", tmp_path / "a.xlsx", "--from", tmp_path / "in")
    assert (said.exit_code, "ARB-101" in said.stderr) == (1, True)
    assert not (tmp_path / "a.xlsx").exists()


def test_a_workbook_has_a_workbooks_name(tmp_path: Path) -> None:
    """`new` refuses a name that Excel would not open."""
    said = arbitro("new", "giglio", tmp_path / "a.txt")
    assert (said.exit_code, "ARB-102" in said.stderr) == (2, True)


def test_a_phase_that_is_over_is_not_played_a_year_later(book: Path) -> None:
    """`--until r1.move` twice: the second time the next one is named, and nothing happens."""
    assert arbitro("resolve", book, "--until", "r1.move", "--defaults").exit_code == 0
    said = arbitro("resolve", book, "--until", "r1.move", "--defaults")
    assert (said.exit_code, "1501.r1.move" in said.stderr) == (2, True)


def test_what_would_block_the_campaign_is_not_taken(book: Path, tmp_path: Path) -> None:
    """An order of nobody and a die that cannot be are refused; the next phase starts."""
    (tmp_path / "p.csv").write_text("faction,verb,unit,path\nX,move,X-1,V0 V5\n", encoding="utf-8")
    assert arbitro("orders", book, tmp_path / "p.csv").exit_code == 1
    assert arbitro("orders", book, "die storm:1500:1 9").exit_code == 1
    assert arbitro("resolve", book).exit_code == 0


def test_an_order_for_a_phase_that_is_over_is_named(book: Path) -> None:
    """Rows typed too late do not vanish in silence."""
    assert arbitro("resolve", book, "--until", "open", "--defaults").exit_code == 0
    workbook = hand.opened(book)
    sheet = workbook["Orders"]
    late: dict[str, str | int] = {
        "Turn": 1500, "Phase": "budget", "Faction": "V", "No.": 1, "Verb": "loan", "Ducats": 20}
    for name, value in late.items():
        sheet[f"{column_of(sheet, name)}5"] = value
    workbook.save(book)
    assert codes(book) == {"ARB-045"}


def test_dice_without_their_kind_and_typed_by_hand(tmp_path: Path) -> None:
    """A blank `dice` means those of the purpose; `typed` means thrown at the table."""
    path = tmp_path / "a.xlsx"
    desk = "key,value\nyear,1500\nphase,open\nstart_year,1500\n"
    dice = "key,dice,value,source\norder:V:1500,,11,typed\norder:M:1500,,17,\n"
    assert arbitro("new", "giglio", path, "--from", folder(tmp_path / "in", desk=desk, dice=dice)).exit_code == 0
    assert arbitro("resolve", path).exit_code == 0
    assert arbitro("export", path, "--to", tmp_path / "out").exit_code == 0
    assert "order:M:1500,1d20,17,1500,open,table,public" in (tmp_path / "out" / "dice.csv").read_text()


def test_a_die_that_the_phase_cannot_use_stops_it(tmp_path: Path) -> None:
    """A d20 of 21 is found when it is thrown: a finding at its cell, nothing changed."""
    path = tmp_path / "a.xlsx"
    desk = "key,value\nyear,1500\nphase,open\nstart_year,1500\n"
    dice = "key,dice,value,source\norder:V:1500,,21,table\n"
    assert arbitro("new", "giglio", path, "--from", folder(tmp_path / "in", desk=desk, dice=dice)).exit_code == 0
    before = path.read_bytes()
    said = answer("resolve", path)
    assert (said["exit"], [f["code"] for f in said["findings"]]) == (1, ["ARB-060"])
    assert path.read_bytes() == before


def test_wrong_usage_is_json_too(book: Path) -> None:
    """A script that asked for JSON gets JSON."""
    from assistant.cli.app import make_app, run

    assert run(["resolve", str(book), "--boh", "--json"], make_app) == 2


def test_codes_are_quoted_as_they_must_be_typed(book: Path) -> None:
    """The nearest code is a code, not the faction's name."""
    workbook = hand.opened(book)
    sheet = workbook["Armies"]
    sheet[f"{column_of(sheet, 'Faction')}5"] = "SVV"
    workbook.save(book)
    said = arbitro("check", book)
    assert "Did you mean SV?" in said.output
