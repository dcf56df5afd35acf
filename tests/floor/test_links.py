"""Links between places: several between one pair, by kind and direction, in graphs, on sheets and in orders."""

from __future__ import annotations

import pytest

from assistant import desk
from assistant.campaign.map import DirectedLink, Map, bad_links
from assistant.campaign.records import Army, Link, Road
from assistant.desk import Exit, Input
from assistant.testing.cases import campaign_of
from tests.floor.conftest import Made
from tests.floor.fens import Road as FenRoad
from tests.sweeps import all_slow


def ford() -> Map:
    """A road and a river between A and B, rapids from B down to C, a long road from A to C."""
    return Map("ABCD", [
        FenRoad(road="r1", a="A", b="B", kind="road"), FenRoad(road="w1", a="B", b="A", kind="river"),
        FenRoad(road="w10", a="B", b="C", kind="river", one_way=True),
        FenRoad(road="r2", a="A", b="C", kind="road"), FenRoad(road="r3", a="C", b="E", kind="road")])


def ways(links: list[DirectedLink]) -> list[tuple[str, str, bool]]:
    """Row, where it leads and whether along it."""
    return [(link.road.ident, link.end, link.along) for link in links]


def test_two_links_join_one_pair() -> None:
    """Each is found, with its kind and its direction."""
    board = ford()

    assert ways(board.links("A", "B")) == [("r1", "B", True), ("w1", "B", False)]
    assert ways(board.links("B", "A", "river")) == [("w1", "A", True)]
    assert ways(board.leaving("A")) == [("r1", "B", True), ("w1", "B", False), ("r2", "C", True)]


def test_a_one_way_link_does_not_lead_back() -> None:
    """Nor does it make neighbours of its ends from below."""
    board = ford()

    assert board.has_link("B", "C", "river")
    assert not board.has_link("C", "B")
    assert board.neighbours("C") == ["A"]
    assert board.between("A", "B") == ["C"]


def test_neighbours_are_told_by_kind_and_direction() -> None:
    """Downstream and upstream of B."""
    board = ford()

    assert board.neighbours("B", "river") == board.along("B", "river") == ["A", "C"]
    assert board.along("A", "river") == []
    assert board.against("A", "river") == ["B"]
    assert board.along("A") == ["B", "C"]


def test_the_cheapest_link_of_each_step_counts() -> None:
    """Upstream a river costs 3, a road 2 and, from A to C, 5."""
    def price(link: DirectedLink) -> int | None:
        if link.road.kind == "river":
            return 1 if link.along else 3
        return 5 if link.road.ident == "r2" else 2

    board = ford()

    assert board.way("A", ["C"], price) == ("B", "C")
    assert board.way("A", ["C"], price, "road") == ("C",)
    assert board.way("C", ["B"], price, "river") == ()
    assert board.way("A", ["C"]) == ("C",)
    assert board.way("A", ["B"], lambda link: None if link.road.kind == "road" else 1) == ("B",)
    assert board.distances("C") == {"C": 0, "A": 1, "B": 2}


def test_rows_of_rulebooks_without_directions_lead_both_ways() -> None:
    """As ever."""
    board = Map("AB", [Road(a="A", b="B", kind="road")])

    assert board.has_link("B", "A", "road")
    assert ways(board.links("B", "A")) == [("A/B", "A", False)]


@pytest.mark.parametrize(("row", "what"), [
    (FenRoad(road="x", a="B", b="A", kind="road"), "double"),
    (FenRoad(road="x", a="A", b="B", kind="road", one_way=True), "double"),
    (FenRoad(road="x", a="A", b="A", kind="road"), "loop"),
    (FenRoad(road="x", a="A", b="B", kind="river"), ""),
    (FenRoad(road="x", a="C", b="B", kind="fall", one_way=True), ""),
    (FenRoad(road="x", a="B", b="C", kind="fall", one_way=True), "double"),
])
def test_a_link_that_is_there_already_is_told(row: Link, what: str) -> None:
    """Of one kind and in one direction there is one link."""
    rows = [FenRoad(road="r", a="A", b="B", kind="road"), FenRoad(road="f", a="B", b="C", kind="fall", one_way=True)]

    assert [(one.ident, said) for one, said in bad_links([*rows, row])] == ([("x", what)] if what else [])


# --- on the sheets --------------------------------------------------------------------------------------
def test_links_keep_their_codes_through_workbook_and_export(make: Made) -> None:
    """Two rows with the same ends stay two, the code stands first, and the export is taken back unchanged."""
    book = make()
    assert desk.export(book, book.parent / "out").exit == Exit.DONE

    assert campaign_of(book).by_sheet("Roads").keys() == ["R1", "W1", "W2", "W3"]
    assert (book.parent / "out" / "roads.csv").read_text() == (
        "road,a,b,kind,name,one_way\nR1,A01,B01,road,,no\nW1,A01,B01,river,,no\nW2,B01,C01,river,,yes\n"
        "W3,D01,C01,river,,no\n")


def test_the_plain_sheet_of_roads_stays_as_it_was() -> None:
    """Ends are its key, and no column is new."""
    assert [(c.name, c.key) for c in Road.columns()] == [("a", True), ("b", True), ("kind", False), ("name", False)]
    assert [c.name for c in Link.columns()] == ["road", "a", "b", "kind", "name"]


def test_two_links_of_one_code_are_a_finding_at_the_cell(make: Made) -> None:
    """As with any key."""
    with pytest.raises(AssertionError, match="ARB-0"):
        make(roads="road,a,b,kind\nR1,A1,B1,road\nR1,B1,C1,road\n")


def test_a_double_link_forbids_to_start(make: Made) -> None:
    """The ruleset's own finding at the row of the second, though its ends stand the other way round."""
    book = make(roads="road,a,b,kind\nR1,A1,B1,road\nR2,B1,A1,road\n")
    result = desk.resolve(book)

    assert (result.exit, [(f.code, f.where.row) for f in result.findings]) == (Exit.REFUSED, [("FEN-006", "R2")])


@pytest.mark.parametrize(("start", "goal", "ends"), [
    ("A1", "C1", "C01"),  # two stretches with the current
    ("C1", "B1", "C01"),  # nobody comes back over the falls
    *all_slow([
        ("B1", "A1", "A01"),  # against it, two of three
        ("A1", "D1", "A01")])])  # two with the current and one against it: four
def test_orders_go_along_rivers(make: Made, start: str, goal: str, ends: str) -> None:
    """The same two squares are joined by a road, and by a river that has a direction."""
    book = make(armies=f"army,faction,node\nN1,N,{start}\nS1,S,D4\n")
    desk.take_orders(book, [Input("x", text=f"N: N1 drift {goal}")])
    assert desk.resolve(book).exit == Exit.DONE

    assert campaign_of(book).table(Army)["N1"].node == ends
