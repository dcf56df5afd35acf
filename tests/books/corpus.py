"""The corpus: club workbooks with one thing more than the campaign's own, each by a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tests.books.bookwise import BOOKWISE
from tests.books.drawn import DRAWN, ON_FREE_SHEETS
from tests.books.joined import join, showpiece
from tests.books.parts import MAIN, SHEETML, Parts
from tests.books.sheetwise import SHEETWISE, text
from tests.books.spelled import SPELLED, shared_strings
from tests.workbook.feast import _bytes

Make = Callable[[], bytes]


@dataclass(frozen=True)
class Book:
    """A workbook of the corpus. `blind`: the oracles that cannot read it even before we touch it."""

    name: str
    make: Make
    blind: frozenset[str] = frozenset()


@lru_cache(maxsize=1)
def campaign() -> bytes:
    """The campaign's workbook as `arbitro new` builds it."""
    return _bytes("en")


def with_club_sheet(spelled: Callable[[Parts], None] | None = None) -> Parts:
    """The campaign's workbook with a plain sheet of the club's own behind; gives the package."""
    parts = Parts(campaign())
    if spelled:
        spelled(parts)
    rows = "".join(f'<row r="{n}">{text(f"A{n}", f"riga {n}")}<c r="B{n}"><v>{n}.5</v></c></row>' for n in range(1, 9))
    name = parts.add("xl/worksheets/club.xml", f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
                     f"{SHEETML}worksheet+xml")
    rid = parts.relate(parts.book, "worksheet", name)
    parts.into_book(f'<sheets><sheet name="Club" sheetId="77" r:id="{rid}"/></sheets>')
    return parts


def _one(feature: Callable[[Parts, str], None], title: str,
         spelled: Callable[[Parts], None] | None = None) -> Make:
    def make() -> bytes:
        parts = with_club_sheet(spelled)
        feature(parts, parts.sheets()[title])
        return parts.bytes()
    return make


def _spelled(how: Callable[[Parts], None]) -> Make:
    def make() -> bytes:
        parts = with_club_sheet()
        how(parts)
        return parts.bytes()
    return make


def everything() -> bytes:
    """Nearly all features in one workbook, most on a sheet of ours."""
    parts = with_club_sheet(shared_strings)
    for feature in (*BOOKWISE, *ON_FREE_SHEETS[1:]):
        if feature.__name__ not in ("pivot", "connections", "epoch"):
            feature(parts, parts.sheets()["Club"])
    for feature in DRAWN[:1] + DRAWN[7:]:
        feature(parts, parts.sheets()["Armies"])
    for feature in SHEETWISE:
        if feature.__name__ not in ("formulas", "arrays", "dynamic_arrays", "data_tables", "filled_down",
                                    "macro_functions", "rich_text", "values", "hyperlinks",
                                    "comments_inside", "merges"):
            feature(parts, parts.sheets()["Armies"])
    return parts.bytes()


def samples() -> Iterator[tuple[str, Path]]:
    """Workbooks that the installed packages carry: (name, path)."""
    import site

    for folder in site.getsitepackages():
        for path in sorted(Path(folder).rglob("*.xls[xm]")):
            yield f"{path.relative_to(folder).parts[0]}-{path.stem}", path


BLIND = {
    "strict": {"openpyxl"}, "backslashed": {"openpyxl", "calamine", "office", "targets"},
    "other_case": {"openpyxl", "office", "schema"}, "rooted": {"openpyxl", "calamine", "office", "targets"},
    "stroked": {"openpyxl", "calamine", "office", "targets"}, "outside": {"openpyxl", "calamine"},
    "declared_twice": {"targets"},
    "wide": {"calamine"}, "elsewhere": {"calamine"}}
"""What the oracles cannot read even before anything is written (measured); `targets`: the schema's oracle does not
find all that relationships lead to.
"""


def corpus() -> list[Book]:
    """All workbooks that must be written, in a fixed order."""
    books = [Book("plain", campaign)]
    for title in ("Club", "Armies"):
        for feature in (*DRAWN, *SHEETWISE, *BOOKWISE):
            books.append(Book(f"{feature.__name__}-{title}", _one(feature, title)))
    for feature in ON_FREE_SHEETS:
        books += [Book(f"{feature.__name__}-{title}", _one(feature, title)) for title in ("Club", "Dishes")]
    for how in SPELLED:
        books.append(Book(how.__name__, _spelled(how), frozenset(BLIND.get(how.__name__, ()))))
    books.append(Book("showpiece", lambda: join(campaign(), showpiece()).bytes()))
    books.append(Book("everything", everything))
    return books


def each_once() -> list[Book]:
    """Of what is put both into a sheet of the campaign's and into the club's own only the former: for who reads or
    adds to all sheets in one way.
    """
    return [book for book in corpus() if not book.name.endswith("-Club")]
