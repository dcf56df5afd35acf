"""What a tired referee types into a workbook, and what the desk must say of it before it is too late."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests import hand
from tests.cli.test_examined import folder
from tests.playing import answer, arbitro

pytestmark = pytest.mark.slow  # each makes or changes a whole campaign


def edit(book: Path, change: Callable[[Any], None]) -> None:
    """Change a workbook as somebody with a program of their own would."""
    workbook = hand.opened(book)
    change(workbook)
    workbook.save(book)


def test_rows_that_a_program_put_in_above_a_table_stay_readable_after_a_phase(book: Path) -> None:
    """What check reads before a phase it reads after it, though the Excel table did not follow its headings."""
    workbook = openpyxl.load_workbook(book)
    workbook["Armies"].insert_rows(1, 4)
    workbook.save(book)
    for command in ("check", "resolve", "check", "undo", "check"):
        said = answer(command, book)
        assert said["exit"] == 0, (command, said["findings"])


def cell(workbook: Any, sheet: str, key: str, heading: str) -> Any:
    """The cell of a row that has this value somewhere, under a heading."""
    rows = list(workbook[sheet].iter_rows())
    head = next(row for row in rows if heading in [str(c.value).strip() for c in row])
    column = next(i for i, c in enumerate(head) if str(c.value).strip() == heading)
    return next(row[column] for row in rows if key in [c.value for c in row])


SIEGE = {
    "factions": "faction,treasury\nV,100\nM,100\n",
    "desk": "key,value\nyear,1500\nphase,r2.siege\nstart_year,1500\nlanguage,en\n",
    "armies": "army,faction,node,value\nV-1,V,M0,200\n",
    "nodes": "node,site,owner,state,garrison\nV0,city,V,intact,no\nM0,city,M,intact,yes\n",
    "sieges": "node,besieger,since_year,since_round,rounds\nM0,V,1500,1,1\n",
}
BRIBE = "1500.r2.siege.bribe.V.M0"


def siege(place: Path, **files: str) -> Path:
    """Venice besieges Milan, and the sieges of April II are to be tested."""
    path = place / "siege.xlsx"
    made = arbitro("--lang", "en", "new", "giglio", path, "--from", folder(place / "in", **{**SIEGE, **files}))
    assert made.exit_code == 0, made.output
    return path


def test_an_answer_that_cannot_be_taken_stays_open_and_is_the_next_step(tmp_path: Path) -> None:
    """Bribes of more than the chest holds: check says so beforehand, and nothing says that nothing is needed."""
    path = siege(tmp_path, questions=f"question,turn,phase,kind,to,about,answer\n"
                                     f"{BRIBE},1500,r2.siege,bribe,V,M0,5000\n")
    early = answer("check", path)
    assert [(f["code"], f["row"]) for f in early["findings"]] == [("GIG-101", BRIBE)]
    assert answer("resolve", path)["exit"] == 3
    place = cell(openpyxl.load_workbook(path), "Questions", BRIBE, "Answer").coordinate
    status = answer("--lang", "en", "status", path)
    assert [a["from"] for a in status["awaited"]] == ["V"]
    assert status["next"][0] == (f"Put right the answer at Questions!{place}: Bribes come to 5,000, the chest holds"
                                 " 100. Lower this one.")
    said = arbitro("--lang", "en", "answers", path)
    assert "1 answer cannot be taken: put it right." in said.output
    shown = {str(c.value) for row in openpyxl.load_workbook(path)["Desk"].iter_rows() for c in row}
    assert f"1.  {status['next'][0]}" in shown
    assert not any("Nothing is needed" in text or "Nobody" in text for text in shown)
    edit(path, lambda workbook: setattr(cell(workbook, "Questions", BRIBE, "Answer"), "value", 25))
    assert "All questions are answered" in arbitro("--lang", "en", "answers", path).output
    assert answer("resolve", path)["exit"] == 0


@pytest.mark.parametrize(("dice", "value", "code"), [
    ("", "9", "ARB-060"), ("", "six", "ARB-060"), ("", "4, 5", "ARB-060"), ("", "0", "ARB-060"),
    ("1d20", "3", "ARB-280"), ("d6", "7", "ARB-060"), ("d6", "3", ""), ("1D6", "3", ""), ("", "3", "")])
def test_a_typed_die_is_tried_before_the_phase(tmp_path: Path, dice: str, value: str, code: str) -> None:
    """As the manual says purpose, value and who threw are enough: the dice are those of the purpose, and no others."""
    path = siege(tmp_path, dice=f'key,dice,value,source\nsiege:M0:1500:2,{dice},"{value}",table\n')
    seen = answer("check", path)["findings"]
    assert [f["code"] for f in seen] == [code] * bool(code)
    if code:
        assert answer("resolve", path, "--defaults")["exit"] == 1
        return
    assert arbitro("resolve", path, "--defaults").exit_code == 0
    arbitro("export", path, "--to", tmp_path / "out")
    assert "siege:M0:1500:2,1d6,3,1500,r2.siege,table" in (tmp_path / "out" / "dice.csv").read_text(encoding="utf-8")


def test_void_is_only_a_report_that_reads_otherwise(tmp_path: Path) -> None:
    """A siege that holds either way: of the reports until the year's end only its own has another die in it."""
    path = siege(tmp_path, dice="key,value\nsiege:M0:1500:2,1\n")
    assert arbitro("resolve", path, "--until", "r3.contact", "--defaults").exit_code == 0
    shown = answer("correct", path, "die siege:M0:1500:2 2")
    assert {m["phase"] for one in shown["void"] for m in one["reports"]} == {"r2.siege"}


def test_commands_repeat_the_path_that_was_typed(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are copied from the screen; what stands in the workbook itself is read in any folder."""
    (book.parent / "of club").mkdir()
    for name in ("war.xlsx", "war.arbitro"):
        (book.parent / name).rename(book.parent / "of club" / name)
    monkeypatch.chdir(book.parent)
    said = arbitro("--lang", "en", "status", "of club/war.xlsx").output
    assert 'arbitro resolve "of club/war.xlsx"' in said
    assert arbitro("--lang", "en", "resolve", "of club/war.xlsx").exit_code == 0
    shown = [str(c.value) for row in openpyxl.load_workbook("of club/war.xlsx")["Desk"].iter_rows() for c in row]
    assert any("war.xlsx" in text for text in shown)
    assert not any("of club" in text for text in shown)


@pytest.mark.parametrize(("text", "codes"), [("V0 M0", []), ("v0, m0", []), ("V0 V9", ["ARB-282"]), ("a note", [])])
def test_an_order_that_contradicts_itself_is_told(tmp_path: Path, text: str, codes: list[str]) -> None:
    """The columns count; where the words say something else somebody may have meant them."""
    path = tmp_path / "a.xlsx"
    nodes = "node,site,owner\nV0,city,V\nV9,village,V\nM0,city,M\n"
    orders = f'order,turn,phase,faction,verb,unit,path,text\no-1,1500,r1,V,move,V-1,V0 M0,"{text}"\n'
    desk = "key,value\nyear,1500\nphase,open\nstart_year,1500\n"
    armies = "army,faction,node,value\nV-1,V,V0,200\n"
    made = arbitro("new", "giglio", path, "--from", folder(tmp_path / "in", nodes=nodes, orders=orders, desk=desk,
                                                          armies=armies, roads="a,b\nV0,M0\nV0,V9\n"))
    assert made.exit_code == 0, made.output
    assert [f["code"] for f in answer("check", path)["findings"]] == codes


def test_what_stops_something_is_told_before_remarks(tmp_path: Path) -> None:
    """One order that is refused, among others of which something is only remarked."""
    path = siege(tmp_path, dice="key,value\nsige:M0:1500:2,4\n",
                 questions=f"question,turn,phase,kind,to,about,answer\n{BRIBE},1500,r2.siege,bribe,V,M0,5000\n")
    lines = arbitro("--lang", "en", "check", path).output.splitlines()
    assert ["GIG-101" in lines[0], "ARB-254" in lines[1]] == [True, True], lines
    assert "1 of them is a remark and stops nothing." in lines
    assert "1 of them is a remark and stops nothing." in arbitro("--lang", "en", "status", path).output


def test_an_amount_goes_in_steps(tmp_path: Path) -> None:
    """A purse of half-pounds does not hold 12.3; the finding says in which steps it goes."""
    path = tmp_path / "a.xlsx"
    assert arbitro("--lang", "en", "new", "anarchy", path).exit_code == 0
    places: list[str] = []

    def change(workbook: Any) -> None:
        sheet = next(s for s in workbook if any(c.value == "Purse £" for row in s.iter_rows() for c in row))
        head = next(c for row in sheet.iter_rows() for c in row if c.value == "Purse £")
        sheet.cell(head.row + 1, head.column).value = 12.3
        places.append(f"!{sheet.cell(head.row + 1, head.column).coordinate}")

    edit(path, change)
    found = answer("--lang", "en", "check", path)["findings"]
    here = {f["code"]: f["text"] for f in found if f["cell"].endswith(places[0])}
    assert here["ARB-283"] == "Purse £: 12.3 cannot stand here: it goes in steps of 0.5."
