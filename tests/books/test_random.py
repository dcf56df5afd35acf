"""Random changes to random workbooks are written and read back, and nothing else differs."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.utils.escape import unescape

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Faction
from assistant.workbook.file_book import open_book
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import letters_of
from assistant.workbook.ooxml.sheet import Editing
from assistant.workbook.ooxml.xml_tree import Unsafe
from tests.books.campaigning import NASTY, stops, wanted
from tests.books.corpus import with_club_sheet
from tests.books.oracles import altered, differing, frame, joined, missing_values, only_grown
from tests.books.parts import Parts
from tests.books.spelled import (
    absolute,
    as_large,
    as_stored,
    as_stream,
    bare,
    marked,
    prefixed,
    shared_strings,
    unnumbered,
)
from tests.workbook.feast import LINES, Army, Dish, Node, Order, loader, plain, wording

MODEST = settings(max_examples=6, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
THOROUGH = settings(MODEST, max_examples=120)
SPELLINGS: tuple[Callable[[Parts], None], ...] = (
    shared_strings, bare, unnumbered, prefixed, marked, absolute, as_stream, as_large, as_stored)
VISIBLE = st.characters(exclude_categories=("Cc", "Cs", "Cf", "Cn", "Co", "Zl", "Zp"))
TEXTS = st.one_of(st.sampled_from(NASTY), st.text(VISIBLE, max_size=40), st.text("=+-@'\"<>&]_x0041\n ", max_size=12),
                  st.text(VISIBLE, max_size=3).map(lambda t: t * 500)).map(str.strip)


# --- through the port ----------------------------------------------------------------------------
def guests(campaign: Campaign, draw: Any) -> None:
    """Numbers and words of an army that is there."""
    army = campaign.table(Army)[draw(st.sampled_from(list(dict(campaign.table(Army).items())))) ]
    army.guests, army.hungry = draw(st.integers(0, 500)), draw(st.booleans())
    army.mood = draw(st.sampled_from(["merry", "sober"]))
    army.seen = draw(st.sampled_from([(), ("T1",), ("T2", "T10")]))


def club(campaign: Campaign, draw: Any) -> None:
    """A text of a faction."""
    campaign.table(Faction)[draw(st.sampled_from("RY"))].club = draw(TEXTS)


def place(campaign: Campaign, draw: Any) -> None:
    """The name of a place."""
    campaign.table(Node)[draw(st.sampled_from(["T1", "T2", "T10"]))].name = draw(TEXTS)


def event(campaign: Campaign, draw: Any) -> None:
    """A new event."""
    number = 1 + max(e.no for e in campaign.table(Event))
    campaign.table(Event).add(Event(no=number, turn="1", phase="serve", audience="all", event="served",
                                    rule=draw(TEXTS), data={"army": draw(TEXTS), "n": draw(st.integers(-9, 10**14))}))


def order(campaign: Campaign, draw: Any) -> None:
    """A new order in words."""
    number = 2 + sum(o.faction == "R" for o in campaign.table(Order))
    campaign.table(Order).add(Order(order=f"1-serve-R-{number}", turn="1", phase="serve", faction="R", seq=number,
                                    verb="eat", note=draw(TEXTS)))


def muster(campaign: Campaign, draw: Any) -> None:
    """A new army."""
    number = 1 + max(int(key.partition("-")[2]) for key in dict(campaign.table(Army).items()))
    campaign.table(Army).add(Army(army=f"R-{number}", faction="R", node="T1", guests=draw(st.integers(0, 9))))


def disband(campaign: Campaign, draw: Any) -> None:
    """An army less, as long as there is another."""
    keys = list(dict(campaign.table(Army).items()))
    if len(keys) > 1:
        campaign.table(Army).remove(draw(st.sampled_from(keys)))


def cook(campaign: Campaign, draw: Any) -> None:
    """A dish more, of which there may be several alike."""
    campaign.table(Dish).add(Dish(dish="Soup", cook="R", price=draw(st.none() | st.integers(-10**9, 10**9))))


OPERATIONS = (guests, club, place, event, order, muster, disband, cook)


def furnished(draw: Any) -> bytes:
    """A workbook of the Feast, furnished by a club: own columns and rows' order, then spelled in some way."""
    book = openpyxl.load_workbook(io.BytesIO(with_club_sheet().bytes()))
    armies = book["Armies"]
    if draw(st.booleans()):
        for column in range(1, 8):
            a, b = armies.cell(5, column), armies.cell(6, column)
            a.value, b.value = b.value, a.value
    if draw(st.booleans()):
        armies["I4"], armies["I5"], armies["J6"] = "Nickname", draw(TEXTS) or None, "=D5*2"
    if draw(st.booleans()):
        book["Nodes"]["Z9"].fill = openpyxl.styles.PatternFill("solid", fgColor="FF00FF")
    if draw(st.booleans()):
        for ws in book.worksheets[4:7]:
            ws.sheet_state = "hidden"
    for cell in armies["I"]:
        if isinstance(cell.value, str) and cell.value.startswith("="):
            cell.data_type = "s"
    out = io.BytesIO()
    book.save(out)
    parts = Parts(out.getvalue())
    chosen = draw(st.lists(st.sampled_from(SPELLINGS), max_size=2, unique=True))
    for how in SPELLINGS:  # in this order, for the first can only read plain spelling
        if how in chosen:
            how(parts)
    return parts.bytes()


def campaign_read_back(data: Any) -> None:
    """Draw a workbook and changes to it, write them one after the other, and look."""
    content = furnished(data.draw)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.xlsx"
        path.write_bytes(content)
        book = open_book(path, loader)
        reading = book.read()
        assert joined(stops(reading)) == ""
        before = reading.campaign
        for _ in range(data.draw(st.integers(1, 2))):
            after = before.copy()
            for change in data.draw(st.lists(st.sampled_from(OPERATIONS), min_size=1, max_size=8)):
                change(after, data.draw)
            book.write(before, after, wording(), LINES)
            before = after
        again = open_book(path, loader).read()
        result = path.read_bytes()

    assert joined(stops(again)) == ""
    assert plain(again.campaign) == plain(after)
    old, new = Parts(content), Parts(result)
    club_part = old.sheets()["Club"]
    assert club_part not in altered(old, new)
    assert {name for name, how in altered(old, new).items() if how != "changed"} == set()
    assert joined(missing_values(everything_in(result), wanted(again, after))) == ""


def everything_in(data: bytes) -> dict[str, dict[str, Any]]:
    """All values as openpyxl has them."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    return {ws.title: {cell.coordinate: unescape(cell.value) if isinstance(cell.value, str) else cell.value
                       for cell in ws._cells.values() if cell.value is not None} for ws in book.worksheets}


# --- cells of any sheet ---------------------------------------------------------------------------
PLACES = st.tuples(st.one_of(st.integers(1, 60), st.integers(1, 1_048_576)), st.one_of(st.integers(1, 30),
                                                                                        st.integers(1, 16_384)))
VALUES = st.one_of(TEXTS.filter(bool), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
                   st.integers(-10**15, 10**15), st.booleans(), st.none(),
                   st.floats(allow_nan=False, allow_infinity=False))


def cells_read_back(cells: dict[tuple[int, int], Any], title: str, how: list[Callable[[Parts], None]]) -> None:
    """Set cells of a sheet, however the workbook is spelled, and look."""
    parts = with_club_sheet()
    for spelled in how:
        spelled(parts)
    content = parts.bytes()
    book = OoxmlBook(content)
    editing = Editing(book)
    sheet = editing.sheet(title)
    done: dict[tuple[int, int], Any] = {}
    for (row, column), value in cells.items():
        try:
            sheet.put(row, column, value)
        except Unsafe:
            continue  # inside joined cells of the Desk
        done[row, column] = value
    editing.save()
    result = book.package.pack()
    editing.prove(result)
    seen = OoxmlBook(result).rows(title)

    for (row, column), value in done.items():
        cell = seen.get(row, {}).get(column)
        assert (cell.value if cell else None) == (value if value != "" else None)
    old, new = Parts(content), Parts(result)
    assert differing(old, new, title) <= {f"{letters_of(column)}{row}" for row, column in done}
    assert frame(old, title) == frame(new, title)
    own_link = old.sheets()["Desk"]  # whose result goes where it may have become another
    assert set(altered(old, new)) <= {old.sheets()[title], own_link, old.of_kind(old.book, "styles")}
    assert joined(only_grown(old, new, old.of_kind(old.book, "styles"))) == ""


ANY_CELLS = given(st.dictionaries(PLACES, VALUES, min_size=1, max_size=12),
                  st.sampled_from(["Club", "Armies", "Orders", "Desk"]),
                  st.lists(st.sampled_from(SPELLINGS), max_size=1))


# --- few in the fast part, many in the slow --------------------------------------------------------
def test_random_cells_of_any_sheet_are_read_back() -> None:
    """Any value at any place: what was set is there, no other cell differs, nothing around them does."""
    MODEST(ANY_CELLS(cells_read_back))()


@pytest.mark.slow
def test_random_changes_to_a_campaign_are_read_back() -> None:
    """What was changed is there, by our reader and by openpyxl; no part of the club's differs."""
    settings(MODEST, max_examples=40)(given(st.data())(campaign_read_back))()


@pytest.mark.slow
def test_many_random_cells_of_any_sheet_are_read_back() -> None:
    """The same, hundreds of times."""
    THOROUGH(ANY_CELLS(cells_read_back))()
