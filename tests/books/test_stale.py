"""Stored results of clubs' formulas: those that a change made old go, and no others, however they are spelled."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import Area, letters_of, place_of
from assistant.workbook.ooxml.sheet import Editing
from tests.books.corpus import with_club_sheet
from tests.books.oracles import by_office
from tests.books.parts import MAIN, Parts
from tests.books.sheetwise import text
from tests.books.spelled import prefixed

THOROUGH = settings(max_examples=200, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
GUESTS = (5, 4)
"""The cell of Armies that is changed, D5."""
Formulas = Mapping[str, str]
"""Address on the sheet Club -> a formula; one that begins with ``<`` is the whole element."""


def written(formulas: Formulas, rest: str = "", book: str = "") -> Parts:
    """The campaign with these formulas on the sheet Club, each with the result 1. `rest`: further cells there;
    `book`: what the workbook's part has more.
    """
    parts = with_club_sheet()
    cells: dict[int, list[tuple[int, str]]] = {}
    for ref, formula in formulas.items():
        row, column = place_of(ref)
        element = formula if formula.startswith("<") else f"<f>{escaped(formula)}</f>"
        cells.setdefault(row, []).append((column, f'<c r="{ref}">{element}<v>1</v></c>'))
    for cell in re.findall(r"<c .*?</c>", rest):
        row, column = place_of(re.search(r'r="(\w+)"', cell)[1])  # type: ignore[index]
        cells.setdefault(row, []).append((column, cell))
    rows = "".join(f'<row r="{n}">{"".join(cell for _, cell in sorted(cells[n]))}</row>' for n in sorted(cells))
    parts.members[parts.sheets()["Club"]] = (
        f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>').encode()
    if book:
        parts.into_book(book)
    return parts


def escaped(formula: str) -> str:
    """A formula as XML."""
    return formula.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def changed(data: bytes, *places: tuple[int, int]) -> bytes:
    """The workbook with other numbers in some cells of Armies (D5 unless told)."""
    editing = Editing(OoxmlBook(data))
    for row, column in places or [GUESTS]:
        editing.sheet("Armies").put(row, column, 77)
    editing.save()
    done = editing.book.package.pack()
    editing.prove(done)
    return done


def emptied(data: bytes, title: str = "Club") -> set[str]:
    """The addresses of the formulas of a sheet that have no result."""
    parts = Parts(data)
    part = parts.members[parts.sheets()[title]].decode()
    cells = re.findall(r'<(?:x:)?c r="(\w+)"[^>]*>(?=<(?:x:)?f)(.*?)</(?:x:)?c>', part)
    return {ref for ref, inside in cells if not re.search(r"<(?:x:)?v", inside)}


def gone(formula: str, rest: str = "", book: str = "") -> bool:
    """Whether a formula in K2 of Club loses its result when D5 of Armies is changed."""
    return emptied(changed(written({"K2": formula}, rest, book).bytes())) == {"K2"}


# --- what reads a changed cell -------------------------------------------------------------------
@pytest.mark.parametrize("formula", [
    "Armies!D5", "armies!$D$5*2", "'Armies'!D5", "SUM(Armies!A1:F9)", "SUM(Armies!D:D)", "SUM(Armies!$5:$5)",
    "SUM(Armies!A1:Armies!F9)", "SUM(Armies!A1:INDEX(Armies!A:F,9,6))", "SUM(tbl_Armies[Guests])",
    "SUM(Factions:Events!D5)", "SUM('Factions:Events'!D5)",
    'IF(A1>3,"x""y",Armies!D5)', "guests+1", "near", "Club!here", "_xlfn.XLOOKUP(1,Armies!A:A,Armies!D:D)", "all"])
def test_what_reads_a_changed_cell_loses_its_result(formula: str) -> None:
    """Places in every spelling, whole columns and rows, tables, several sheets at once, names, also relative ones."""
    club = list(Parts(written({}).bytes()).sheets()).index("Club")
    names = ('<definedNames><definedName name="guests">Armies!$D$5</definedName>'
             '<definedName name="near">Armies!XEX4</definedName>'  # from K2: seven to the left of A, three down
             f'<definedName name="here" localSheetId="{club}">guests*2</definedName>'
             '<definedName name="all">Armies!$A$1:INDEX(Armies!$A:$F,9,6)</definedName></definedNames>')

    assert gone(formula, book=names)


@pytest.mark.parametrize("formula", [
    "Armies!D6", "D5", "Club!D5", "Events!D5", "'[1]Armies'!D5", "[1]Armies!D5", '"Armies!D5"&B1', "SUM(Armies!E:F)",
    "guests", "{1,2;3,4}", "TAX2024*2", "SUM(Armies!D6:D9)", "LOG10(5)", "1E5+Armies!E5", "#REF!+1", "Nowhere!D5"])
def test_what_reads_nothing_of_it_keeps_its_result(formula: str) -> None:
    """Cells beside, other sheets and workbooks, texts that only look like a place."""
    assert not gone(formula)


def test_results_at_second_hand_go_too() -> None:
    """A formula that reads an emptied one, one behind that, and one that reads where an array's results lie."""
    parts = written({"A1": "Armies!D5", "B1": "A1", "C1": "SUM(B:B)", "D1": "C1&A9", "E1": "A9",
                     "A3": '<f t="array" ref="A3:A5">Armies!D5:D7*2</f>', "B3": "A5+1", "C3": "A6+1"})

    assert emptied(changed(parts.bytes())) == {"A1", "B1", "C1", "D1", "A3", "B3"}


def test_formulas_that_lead_to_each_other_come_to_an_end() -> None:
    """A circle that a changed cell feeds is emptied once; one beside it keeps its results, and a name that means
    itself means nothing.
    """
    parts = written({"A1": "B1+Armies!D5", "B1": "A1", "A2": "B2", "B2": "A2", "A3": "loop"},
                    book='<definedNames><definedName name="loop">loop+pool</definedName><definedName name="pool">loop'
                         "</definedName></definedNames>")

    assert emptied(changed(parts.bytes())) == {"A1", "B1"}


def test_a_what_if_table_reads_its_margins_and_what_is_put_in() -> None:
    """One whose formula reads a changed cell loses its results, one of the club's own keeps them."""
    table = '<f t="dataTable" ref="{0}2:{0}4" dt2D="0" dtr="0" r1="Z1"/>'
    parts = written({"B1": "Armies!D5*Z1", "B2": table.format("B"), "E1": "7*Z1", "E2": table.format("E")})

    assert emptied(changed(parts.bytes())) == {"B1", "B2"}


# --- filled down ---------------------------------------------------------------------------------
def filled(ref: str, master: str) -> dict[str, str]:
    """A formula of the first cell of an area, filled over all of it."""
    first, _, last = ref.partition(":")
    (top, left), (bottom, right) = place_of(first), place_of(last)
    found = {f"{letters_of(c)}{r}": '<f t="shared" si="3"/>'
             for r in range(top, bottom + 1) for c in range(left, right + 1)}
    return {**found, first: f'<f t="shared" ref="{ref}" si="3">{escaped(master)}</f>'}


@pytest.mark.parametrize(("master", "goes"), [
    ("A1*2", set()), ("Armies!D4", {"K3"}), ("Armies!$D4", {"K3", "L3"}), ("Armies!D$5", {"K2", "K3", "K4"}),
    ("SUM(Armies!$D$2:D3)", {"K4", "L4"}), ("Armies!C4", {"L3"}), ("SUM(Armies!D$5:D5)", {"K2", "K3", "K4"}),
    ('"Armies!D5"&B7', set()), ("guests", {"K2", "K3", "K4", "L2", "L3", "L4"})])
def test_what_was_filled_down_reads_what_stands_at_its_own_place(master: str, goes: set[str]) -> None:
    """Three rows, two columns: only those go that read the changed cell, dollars and names minded."""
    names = '<definedNames><definedName name="guests">Armies!$D$5</definedName></definedNames>'
    parts = written(filled("K2:L4", master), book=names)

    assert emptied(changed(parts.bytes())) == goes
    prefixed(parts)
    assert emptied(changed(parts.bytes())) == goes


def test_one_that_was_filled_from_nothing_keeps_its_result() -> None:
    """A cell that points to a formula which is not there has a result that nobody can make again."""
    assert emptied(changed(written({"A1": "Armies!D5", "A2": '<f t="shared" si="9"/>'}).bytes())) == {"A1"}


# --- what nobody can judge -----------------------------------------------------------------------
HELD = text("A1", "Armies!D5") + text("A2", "Factions") + text("A3", "hello") + '<c r="A4"><f>"Armies"</f><v>1</v></c>'
NAMED = ('<definedNames><definedName name="ours">Armies!$A$1:$D$9</definedName>'
         '<definedName name="moving">OFFSET(Armies!$A$1,0,0,5,1)</definedName>'
         '<definedName name="own">OFFSET(Club!$A$3,1,1)</definedName></definedNames>')


@pytest.mark.parametrize("formula", [
    'INDIRECT("Armies!D5")', 'INDIRECT("Armies!D"&B1)', "INDIRECT(\"'armies'!D\"&B1)", "INDIRECT(A1)",
    "INDIRECT(A4&B1)",
    'INDIRECT("ours")', 'SUM(INDIRECT("tbl_Armies["&B1&"]"))', "OFFSET(Armies!A1,4,3)", "SUM(OFFSET(ours,1,1))",
    "SUM(moving)",
    "CLUBSCORE(Armies!A1)", "CLUBSCORE(ours)", 'CLUBSCORE("Armies",5)', "[1]!Score(tbl_Armies[Army])",
    "CLUBSCORE(A1:A3)", "Armies!D5+CLUBSCORE(B1)", 'INDIRECT(ADDRESS(5,4,,,"Armies"))', "_xludf.SCORE(Armies!A1)",
    "OFFSET(Armies!A1:INDEX(Armies!A:A,3),1,1)"])
def test_a_function_that_nobody_can_judge_is_believed_when_it_is_given_something_of_ours(formula: str) -> None:
    """A place, table, name or text of a changed sheet, or a cell in which one stands: the result goes."""
    assert emptied(changed(written({"K2": formula}, HELD, NAMED).bytes())) == {"K2"}


@pytest.mark.parametrize("formula", [
    'INDIRECT("Club!A3")', "INDIRECT(A3)", 'INDIRECT("A"&B1)', "OFFSET(A3,1,1)", "SUM(own)", "CLUBSCORE(A3,7)",
    "CLUBSCORE()",
    'CLUBSCORE("Armies2")', "CLUBSCORE(Factions!A5)", "OFFSET(A3,0,0)&Armies!D6", 'IF(Armies!D6>1,CLUBSCORE("x"),2)',
    "[1]!Score(A2)", "CLUBSCORE(A3"])
def test_a_function_that_nobody_can_judge_keeps_its_result_else(formula: str) -> None:
    """Whatever it reads, nothing says that it is of ours; a sheet of ours that was not changed does not, either."""
    assert emptied(changed(written({"K2": formula}, HELD, NAMED).bytes())) == set()


def test_on_a_changed_sheet_a_place_without_a_sheet_is_of_that_sheet() -> None:
    """INDIRECT with an address alone goes there, with one of the club's sheet it stays."""
    parts = written({})
    parts.members[parts.sheets()["Armies"]] = parts.members[parts.sheets()["Armies"]].replace(
        b"</sheetData>", b'<row r="90"><c r="K90"><f>INDIRECT("D"&amp;A1)</f><v>1</v></c><c r="L90">'
        b'<f>INDIRECT("Club!D"&amp;9)</f><v>1</v></c><c r="M90"><f>OFFSET(A1,1,1)</f><v>1</v></c></row></sheetData>')

    assert emptied(changed(parts.bytes()), "Armies") == {"K90", "M90"}


# --- many ----------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("formula", ["A{0}+1", "SUM(A$1:A{0})", "SUM(A{0}:C{0})"])
def test_a_chain_of_formulas_is_followed_in_one_go(formula: str) -> None:
    """Ten thousand rows, each reading the one above: a second or two, where every pair of them would take hours."""
    parts = written({"A1": "Armies!D5", **{f"A{n}": formula.format(n - 1) for n in range(2, 10_001)}})
    data = parts.bytes()
    start = time.process_time()
    done = changed(data)

    assert time.process_time() - start < 10
    assert len(emptied(done)) == 10_000


class Sketch:
    """Random formulas on Club, rows 1 to 14, columns A to H, and what each of them reads, known from its making."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.cells: dict[str, str] = {}
        self.reads: dict[tuple[int, int], list[tuple[str, Area]]] = {}
        self._fills = 0
        for _ in range(self._chance.randint(1, 25)):
            self._fill() if self._chance.random() < 0.3 else self._one()

    def _one(self) -> None:
        place = self._chance.randint(1, 14), self._chance.randint(1, 8)
        if place not in self.reads:
            formula, refs = self._formula(place)
            self._put(place, formula, refs, place)
            self.cells[_ref(place)] = formula

    def _fill(self) -> None:
        """A formula over an area, of which all but the first cell only point to it."""
        top, left = self._chance.randint(1, 12), self._chance.randint(1, 6)
        area = [(r, c) for r in range(top, min(14, top + self._chance.randint(1, 5)) + 1)
                for c in range(left, left + self._chance.randint(1, 2))]
        if any(place in self.reads for place in area):
            return
        self._fills += 1
        formula, refs = self._formula(area[0])
        for place in area:
            self._put(place, formula, refs, area[0])
            self.cells[_ref(place)] = f'<f t="shared" si="{self._fills}"/>'
        self.cells[_ref(area[0])] = (f'<f t="shared" ref="{_ref(area[0])}:{_ref(area[-1])}" si="{self._fills}">'
                                     f"{escaped(formula)}</f>")

    def _put(self, place: tuple[int, int], formula: str, refs: list[Drawn], start: tuple[int, int]) -> None:
        self.reads[place] = [(sheet, _moved(corners, place[0] - start[0], place[1] - start[1]))
                             for sheet, corners in refs]

    def _formula(self, place: tuple[int, int]) -> tuple[str, list[Drawn]]:
        refs = [self._drawn() for _ in range(self._chance.randint(1, 3))]
        shown = [f"{sheet if sheet == 'Armies' else ''}{'!' if sheet == 'Armies' else ''}{_shown(corners)}"
                 for sheet, corners in refs]
        return "+".join(f"SUM({one})" for one in shown), refs

    def _drawn(self) -> Drawn:
        sheet = "Armies" if self._chance.random() < 0.3 else "Club"
        top, left = self._chance.randint(1, 14), self._chance.randint(1, 8)
        bottom, right = (top, left) if self._chance.random() < 0.5 else (
            top + self._chance.randint(0, 9), left + self._chance.randint(0, 4))
        fixed = [self._chance.random() < 0.3 for _ in range(4)]
        return sheet, ((top, fixed[0]), (left, fixed[1]), (bottom, fixed[2]), (right, fixed[3]))

    def old(self) -> set[str]:
        """The formulas that read D5 of Armies, looked for in the plainest way."""
        dirty = {("Armies", *GUESTS)}
        while True:
            more = {("Club", *place) for place, areas in self.reads.items()
                    if any(title == sheet and area.has(row, column) for sheet, area in areas
                           for title, row, column in dirty)} - dirty
            if not more:
                return {_ref(place) for title, *place in dirty if title == "Club"}
            dirty |= more

    def circular(self) -> bool:
        """Whether a formula reads itself, at first or at second hand."""
        below: dict[tuple[int, int], set[tuple[int, int]]] = {
            place: {other for other in self.reads for sheet, area in areas if sheet == "Club" and area.has(*other)}
            for place, areas in self.reads.items()}
        for middle, further in below.items():
            for found in below.values():
                if middle in found:
                    found |= further
        return any(place in found for place, found in below.items())


Drawn = tuple[str, tuple[tuple[int, bool], tuple[int, bool], tuple[int, bool], tuple[int, bool]]]
"""A sheet and top, left, bottom and right, each with whether it has a dollar."""


def _ref(place: Sequence[int]) -> str:
    return f"{letters_of(place[1])}{place[0]}"


def _shown(corners: Sequence[tuple[int, bool]]) -> str:
    (top, a), (left, b), (bottom, c), (right, d) = corners
    one = f"{'$' * b}{letters_of(left)}{'$' * a}{top}"
    other = f"{'$' * d}{letters_of(right)}{'$' * c}{bottom}"
    return one if (top, left) == (bottom, right) and (a, b) == (c, d) else f"{one}:{other}"


def _moved(corners: Sequence[tuple[int, bool]], rows: int, columns: int) -> Area:
    top, left, bottom, right = (n if fixed else n + by
                                for (n, fixed), by in zip(corners, (rows, columns) * 2, strict=True))
    return Area(min(left, right), min(top, bottom), max(left, right), max(top, bottom))


@pytest.mark.slow
@THOROUGH
@given(seed=st.integers(0, 10**9))
def test_random_formulas_lose_their_results_exactly_where_they_read_a_change(seed: int) -> None:
    """Single, filled over areas, on two sheets, with dollars, in circles: as the plainest search has it."""
    sketch = Sketch(seed)

    assert emptied(changed(written(sketch.cells).bytes())) == sketch.old()


@pytest.mark.slow
def test_libreoffice_shows_no_result_that_a_change_made_old(tmp_path: Path) -> None:
    """What LibreOffice shows after a change is what it works out where the file has no results at all."""
    sketches = [one for one in map(Sketch, range(600)) if one.old() and not one.circular()][:6]
    first = {}
    for number, sketch in enumerate(sketches):
        first[tmp_path / f"before{number}.xlsx"] = without_results(written(sketch.cells).bytes())
    before = shown(first, tmp_path / "before")
    later = {}
    for number, sketch in enumerate(sketches):
        parts = written(sketch.cells)
        club = parts.sheets()["Club"]
        for ref, value in before[f"before{number}.xlsx"].items():
            parts.members[club] = re.sub(rf'(<c r="{ref}">.*?<v>)1</v>'.encode(), rf"\g<1>{value}</v>".encode(),
                                         parts.members[club], count=1)
        done = changed(parts.bytes())
        later[tmp_path / f"kept{number}.xlsx"] = done
        later[tmp_path / f"bare{number}.xlsx"] = without_results(done)
    after = shown(later, tmp_path / "after")

    assert len(sketches) > 5
    for number in range(len(sketches)):
        assert after[f"kept{number}.xlsx"] == after[f"bare{number}.xlsx"], number
    assert any(after[f"kept{n}.xlsx"] != before[f"before{n}.xlsx"] for n in range(len(sketches)))


def without_results(data: bytes) -> bytes:
    """A workbook whose formulas on Club have no results."""
    parts = Parts(data)
    club = parts.sheets()["Club"]
    parts.members[club] = re.sub(rb"<v>[^<]*</v>", b"", parts.members[club])
    return parts.bytes()


def shown(books: Mapping[Path, bytes], folder: Path) -> dict[str, dict[str, object]]:
    """What LibreOffice shows on the sheet Club of workbooks: name -> address -> value."""
    folder.mkdir()
    for path, data in books.items():
        path.write_bytes(data)
    grids = by_office(list(books), folder)
    return {name: dict(grid["Club"]) for name, grid in grids.items() if not isinstance(grid, str)}
