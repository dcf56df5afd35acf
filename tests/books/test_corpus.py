"""Every workbook of the corpus lives through a phase: what is not ours stays to the byte, what is ours is right."""

from __future__ import annotations

import zipfile
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from assistant.turn.findings import Finding, Where
from assistant.workbook.file_book import open_book
from tests.books.campaigning import MAY_DIFFER, STALE, stops, wanted, write
from tests.books.corpus import Book, campaign, corpus, each_once, samples
from tests.books.joined import join
from tests.books.oracles import (
    altered,
    by_office,
    canonical,
    cells,
    differing,
    frame,
    joined,
    missing_values,
    new_messages,
    only_grown,
    own_messages,
    read_by,
    rows,
    workbook_frame,
)
from tests.books.parts import Parts, child, rels_of
from tests.once import once
from tests.workbook.feast import loader, plain, wording

BOOKS = corpus()
NOTHING: frozenset[str] = frozenset()
EVERY_BOOK = pytest.mark.parametrize("book", BOOKS, ids=lambda book: str(book.name), scope="module")
"""Of the scope of the module, so that all tests of one book follow each other and its bytes are made once."""
BY_OFFICE = ("plain", "shapes-Armies", "charts-Club", "notes-Dishes", "formulas-Club", "pictures-Armies",
             "old_formats-Armies", "pivot-Club", "showpiece")
OFFICE_STALE = {"formulas-Club": frozenset({"K40", "L40"})}
MARKED = ("Armies!D5", "Dishes!A5", "Dishes!B2", "Desk!C30", "Orders!A5", "Factions!A4")
MARKS = [Finding("ARB-041", "error", Where("Orders", "", "turn"), {"seen": "=x", "near": "1"}, cell=cell)
         for cell in MARKED]


@lru_cache(maxsize=2)
def made(book: Book) -> bytes:
    """A workbook of the corpus."""
    return book.make()


@lru_cache(maxsize=2)
def played(book: Book) -> tuple[bytes, dict[str, Any]]:
    """A workbook of the corpus after the phase, and the rows that were written: once for all tests of the book."""
    with TemporaryDirectory() as place:
        path = Path(place) / "book.xlsx"
        path.write_bytes(made(book))
        _, after = write(path)
        return path.read_bytes(), plain(after)


def allowed(parts: Parts) -> set[str]:
    """The members that may change: our sheets that the phase touches, their tables, workbook, styles, strings."""
    sheets = [parts.sheets()[title] for title in MAY_DIFFER]
    found = {*sheets, parts.book}
    for sheet in sheets:
        found |= {parts.find(target) for _, kind, target in parts.relationships(sheet) if kind == "table"}
    return found | {parts.find(target) for _, kind, target in parts.relationships(parts.book)
                    if kind in ("styles", "sharedStrings")}


def breaches(before: Parts, after: Parts, stale: frozenset[str] = frozenset()) -> list[str]:
    """All that differs and should not. `stale`: formulas on some sheet that are to lose their results, no others."""
    titles = {part: title for title, part in before.sheets().items()}
    changed = altered(before, after)
    may = allowed(before) | {part for part in titles if stale}
    found = [f"{name} is {how}" for name, how in changed.items() if name not in may]
    emptied = set()
    for title in [titles[part] for part in titles if part in changed]:
        may_here = MAY_DIFFER.get(title, set())
        others = differing(before, after, title) - may_here
        emptied |= {ref for ref in others if lost_result(before, after, title, ref)}
        found += [f"{title}!{ref} differs" for ref in sorted(others - (emptied & stale))]
        if frame(before, title) != frame(after, title):
            found.append(f"{title}: something around the cells differs")
        touched = {int(ref.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for ref in may_here}
        old, new = rows(before, title), rows(after, title)
        found += [f"{title}: row {n} has other attributes" for n in old if n not in touched and old[n] != new.get(n)]
    found += [f"{ref} keeps a result that is wrong now" for ref in sorted(stale - emptied)]
    if workbook_frame(before) != workbook_frame(after):
        found.append("the workbook part differs")
    for _, kind, target in before.relationships(before.book):
        if kind in ("styles", "sharedStrings"):
            found += only_grown(before, after, target)
    return found


def lost_result(before: Parts, after: Parts, title: str, ref: str) -> bool:
    """Whether a cell differs only in that its formula has no result any more."""
    old, new = cells(before, title)[ref], cells(after, title).get(ref)
    return new is not None and old[1] == (*new[1], old[1][-1]) and old[2:] == new[2:] and "<f" in new[1][0]


@pytest.mark.slow
@EVERY_BOOK
def test_a_phase_changes_nothing_but_its_own_cells(tmp_path: Path, book: Book) -> None:
    """Foreign parts are the same bytes, foreign cells the same cells, and the campaign is read back."""
    path = tmp_path / "book.xlsx"
    data, (written, rows_written) = made(book), played(book)
    path.write_bytes(written)
    again = open_book(path, loader).read()
    expected = dict(rows_written)
    expected["Dishes"] = [("Soup/R", row) for _, row in expected["Dishes"]]

    stale = STALE.get(book.name.partition("-")[0], NOTHING)
    assert joined(breaches(Parts(data), Parts(written), stale)) == ""
    assert joined(stops(again)) == ""
    assert plain(again.campaign) == expected
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None


@pytest.mark.slow
@EVERY_BOOK
def test_a_phase_brings_no_message_of_the_schema(tmp_path: Path, book: Book) -> None:
    """Validated before and after, part by part: nothing new is said, nor of marks on cells, and nothing at all of
    the parts that are ours, not even before.
    """
    path = tmp_path / "book.xlsx"
    data = made(book)
    path.write_bytes(played(book)[0])
    if "schema" not in book.blind:
        open_book(path, loader).mark(MARKS, wording())
    after = path.read_bytes()

    assert joined(new_messages(data, after)) == ""
    if not book.blind & {"schema", "targets"}:
        ours = Parts(campaign()).members
        assert joined(own_messages(data, ours)) == ""
        assert joined(own_messages(after, ours)) == ""


@pytest.mark.slow
@EVERY_BOOK
def test_marks_come_and_go_without_a_trace(tmp_path: Path, book: Book) -> None:
    """Findings on cells, and the next check without any: parts of clubs and all cells are as they were."""
    path = tmp_path / "book.xlsx"
    data = made(book)
    path.write_bytes(data)
    open_book(path, loader).mark(MARKS, wording())
    marked = path.read_bytes()
    open_book(path, loader).mark([], wording())
    before, between, after = Parts(data), Parts(marked), Parts(path.read_bytes())

    assert differing(before, between, "Armies") == {"D5"}
    assert looks(before) == looks(after)
    mine = parts_of_marks(before)
    for one in (between, after):
        assert joined(f"{name} is {how}" for name, how in altered(before, one).items()
                      if name in before.members and name not in mine) == ""


def test_checks_without_end_leave_a_workbook_as_large_as_it_is(tmp_path: Path) -> None:
    """Marks that come and go at every check pile nothing up."""
    path = tmp_path / "book.xlsx"
    path.write_bytes(BOOKS[0].make())
    sizes = []
    for _ in range(4):
        mark = Finding("ARB-041", "error", Where("Orders"), {"seen": "=x", "near": "1"}, cell="Armies!D5")
        open_book(path, loader).mark([mark], wording())
        open_book(path, loader).mark([], wording())
        sizes.append(len(path.read_bytes()))

    assert sizes[1:] == sizes[:-1]


def looks(parts: Parts) -> dict[str, dict[str, object]]:
    """Sheet by sheet the cells with their styles as they are, not by number."""
    styles = parts.xml(parts.of_kind(parts.book, "styles"))
    fills = [canonical(fill) for fill in child(styles, "fills")]
    formats = [{**{k: v for k, v in xf.attrib.items() if k != "applyFill"}, "fillId": fills[int(xf.get("fillId", "0"))]}
               for xf in child(styles, "cellXfs")]
    return {title: {ref: (*cell[:2], formats[int(cell[2])]) for ref, cell in cells(parts, title).items()}
            for title in parts.sheets()}


def parts_of_marks(parts: Parts) -> set[str]:
    """The members that marks may change: our sheets, their notes, styles, the lists of parts."""
    mine = {parts.book, "[Content_Types].xml", parts.of_kind(parts.book, "styles")}
    for title in {cell.partition("!")[0] for cell in MARKED}:
        sheet = parts.sheets()[title]
        mine |= {sheet, parts.find(rels_of(sheet))}
        mine |= {parts.find(target) for _, kind, target in parts.relationships(sheet)
                 if kind in ("comments", "vmlDrawing")}
    return mine


@pytest.mark.slow
def test_the_samples_of_installed_packages_live_through_a_phase(tmp_path: Path) -> None:
    """The campaign's sheets joined into every workbook that the installed packages carry."""
    found = []
    for name, sample in samples():
        data = join(BOOKS[0].make(), sample.read_bytes()).bytes()
        path = tmp_path / f"{name}.xlsm"
        path.write_bytes(data)
        write(path)
        found += [f"{name}: {said}" for said in [*breaches(Parts(data), Parts(path.read_bytes())),
                                                 *new_messages(data, path.read_bytes())]]

    assert joined(found) == ""


@pytest.fixture(scope="module")
def after_a_phase(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Book, Path]]:
    """Every workbook of the corpus with something in a sheet that is written, written."""
    def make(folder: Path) -> None:
        for book in each_once():
            path = folder / f"{book.name}.xlsx"
            path.write_bytes(book.make())
            write(path)

    folder = once(tmp_path_factory, "corpus", make)
    return {f"{book.name}.xlsx": (book, folder / f"{book.name}.xlsx") for book in each_once()}


def unseen(engine: str, grids: dict[str, object], books: dict[str, tuple[Book, Path]]) -> list[str]:
    """What an engine does not see as it was written."""
    found = []
    for name, (book, path) in books.items():
        if engine not in book.blind:
            again = open_book(path, loader).read()
            missing = missing_values(grids[name], wanted(again, again.campaign))  # type: ignore[arg-type]
            found += [f"{name}: {one}" for one in missing[:3]]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["openpyxl", "calamine"])
def test_other_readers_see_what_was_written(after_a_phase: dict[str, tuple[Book, Path]], engine: str) -> None:
    """Every value of every table, in every workbook, by a library that we did not write."""
    grids = read_by(engine, [path for _, path in after_a_phase.values()])

    assert joined(unseen(engine, dict(grids), after_a_phase)) == ""


@pytest.mark.slow
def test_workbooks_that_libreoffice_has_saved_live_through_a_phase(tmp_path: Path) -> None:
    """LibreOffice spells nearly everything otherwise; what it saved is changed no less carefully."""
    sources = [book for book in BOOKS if book.name in BY_OFFICE]
    for book in sources:
        (tmp_path / f"{book.name}.xlsx").write_bytes(book.make())
    by_office([tmp_path / f"{book.name}.xlsx" for book in sources], tmp_path)
    found = []
    for book in sources:
        path = tmp_path / "office" / f"{book.name}.xlsx"
        data = path.read_bytes()
        _, after = write(path)
        again = open_book(path, loader).read()
        problems = [*breaches(Parts(data), Parts(path.read_bytes()), OFFICE_STALE.get(book.name, NOTHING)),
                    *stops(again), *new_messages(data, path.read_bytes(), kinds=True)]
        if plain(again.campaign)["Events"] != plain(after)["Events"]:
            problems.append("the events are not read back")
        found += [f"{book.name}: {problem}" for problem in problems]

    assert len(sources) == len(BY_OFFICE)
    assert joined(found) == ""


@pytest.mark.slow
def test_libreoffice_sees_what_was_written(after_a_phase: dict[str, tuple[Book, Path]], tmp_path: Path) -> None:
    """LibreOffice opens every workbook and shows every value."""
    grids = by_office([path for _, path in after_a_phase.values()], tmp_path)

    assert joined(unseen("office", dict(grids), after_a_phase)) == ""
