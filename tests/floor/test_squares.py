"""Maps of squares: who touches whom, what a corner does, ways, and squares at every door of the house."""

from __future__ import annotations

import pytest

from assistant import desk
from assistant.campaign.columns import Square
from assistant.campaign.map import (
    SQUARE_DIRECTIONS,
    SquareMap,
    Steps,
    affordable_path,
    is_square,
    misplaced_nodes,
    square_code,
    square_column_row,
)
from assistant.campaign.records import Army, Node, Road
from assistant.desk import Exit, Input
from assistant.desk.play_phase import ResolveOptions, with_robot_orders
from assistant.testing.cases import campaign_of
from assistant.turn.questions import AnswerContext, Option
from assistant.wording import Wording
from tests.floor.conftest import Made
from tests.floor.fens import FENS, Order


def board(columns: int = 5, rows: int = 5, steps: Steps | None = None, gaps: tuple[str, ...] = ()) -> SquareMap:
    """A rectangle of squares with gaps."""
    codes = [square_code(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1)]
    return SquareMap.of([Node(node=code) for code in codes if code not in gaps], (), steps)


def one(a: str, b: str) -> int:
    """A step costs 1."""
    return 1


# --- codes ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("typed", "code"), [
    ("c3", "C03"), ("C 3", "C03"), ("C03", "C03"), ("c003", "C03"), ("Z99", "Z99"), ("C00", "C00"), ("C100", "C100"),
    ("CC3", "CC3"), ("3", "3"),
])
def test_a_square_is_put_right_and_what_is_none_stays(typed: str, code: str) -> None:
    """Letter and two digits; no row 0 and no third digit is made of something else."""
    assert Square().read(typed) == code
    assert is_square(code) is (code in ("C03", "Z99"))


def test_codes_are_columns_and_rows() -> None:
    """Both ways, and nothing beyond the letters."""
    assert square_column_row("C07") == (3, 7)
    assert square_code(3, 7) == "C07"
    assert square_code(27, 1) == square_code(0, 1) == square_code(1, 100) == ""
    with pytest.raises(ValueError, match="C07"):
        square_column_row("0307")


# --- who touches whom -----------------------------------------------------------------------------
def test_eight_squares_touch_or_four() -> None:
    """In natural order; at the rim and beside a gap there are fewer."""
    assert board().neighbours("B02") == ["A01", "A02", "A03", "B01", "B03", "C01", "C02", "C03"]
    assert board(steps=Steps(corners=False)).neighbours("B02") == ["A02", "B01", "B03", "C02"]
    assert board(gaps=("A02",)).neighbours("A01") == ["B01", "B02"]


def test_every_step_can_be_taken_back() -> None:
    """One step and the opposite one lead home, in all eight directions."""
    squares = board()
    around = [squares.step("C03", d) for d in SQUARE_DIRECTIONS]
    assert around == ["C02", "D02", "D03", "D04", "C04", "B04", "B03", "B02"]
    assert [squares.direction("C03", there) for there in around] == list(SQUARE_DIRECTIONS)
    back = SQUARE_DIRECTIONS[4:] + SQUARE_DIRECTIONS[:4]
    assert all(squares.step(there, d) == "C03" for d, there in zip(back, around, strict=True))
    assert (squares.step("A01", "W"), squares.direction("A01", "C01")) == ("", "")


def test_distances_count_squares() -> None:
    """Over corners where these touch, else round them; what lies between does not matter."""
    assert board().distance("A01", "C04") == board(gaps=("B02",)).distance("A01", "C04") == 3
    assert board(steps=Steps(corners=False)).distance("A01", "C04") == 5
    assert board().within("A01", 1) == ["A01", "A02", "B01", "B02"]
    assert board(steps=Steps(corners=False)).within("A01", 1) == ["A01", "A02", "B01"]


def test_squares_may_have_codes_of_their_own_with_x_and_y() -> None:
    """Geometry uses columns and rows alone."""
    squares = SquareMap.of([Node(node="Ford", x=2, y=1), Node(node="A01"), Node(node="Mill", x=1, y=2)])
    assert squares.neighbours("Ford") == ["A01", "Mill"]
    assert squares.at("A01") == (1, 1)


def test_squares_without_a_place_or_on_each_other_are_told() -> None:
    """For the ruleset's own finding."""
    rows = [Node(node="B02"), Node(node="Ford", x=2, y=2), Node(node="Nowhere")]
    assert [(row.node, other) for row, other in misplaced_nodes(rows)] == [("Ford", "B02"), ("Nowhere", "")]


# --- corners ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("wet", "barred"), [((), False), (("B01",), False), (("A02",), False), (("A02", "B01"), True)])
def test_a_corner_between_two_waters_is_barred(wet: tuple[str, ...], barred: bool) -> None:
    """One passable square beside it is enough."""
    found = board().extra("A01", "B02", lambda square: square not in wet)
    assert found == (None if barred else 0)


def test_a_gap_beside_a_corner_helps_nobody() -> None:
    """What is not on the board does not count; without any square beside it a corner is free."""
    def wet(square: str) -> bool:
        return False

    assert board(gaps=("A02",)).extra("A01", "B02", wet) is None
    assert board(gaps=("A02", "B01")).extra("A01", "B02", wet) == 0


def test_corners_may_cost_more() -> None:
    """Always, or between two squares that cannot be passed; for whoever is stopped by nothing they are no obstacle."""
    squares = board(steps=Steps(dearer=1, pinched=2))

    assert squares.extra("A01", "B01") == 0
    assert squares.extra("A01", "B02", lambda square: True) == 1
    assert squares.extra("A01", "B02", lambda square: False) == 3
    assert squares.extra("A01", "B02") == 1
    assert squares.price("A01", ["B02", "B03"], one, lambda square: False) == 5
    assert board().price("A01", ["B02", "B03"], one, lambda square: False) is None


# --- ways -------------------------------------------------------------------------------------------
def test_a_way_is_walked_as_far_as_it_can_be_paid_for() -> None:
    """Not one step that costs more than is left, and never past one that is barred."""
    prices = {("A01", "B01"): 2, ("B01", "C01"): 1, ("C01", "D01"): None, ("D01", "E01"): 1}
    way = ["B01", "C01", "D01", "E01"]

    def cost(here: str, there: str) -> int | None:
        return prices[here, there]

    assert [affordable_path("A01", way, points, cost) for points in (1, 2, 9)] == [[], ["B01"], ["B01", "C01"]]


def test_the_cheapest_way_is_one_and_the_same() -> None:
    """Least cost, then fewest squares, then the smallest codes; round a pinched corner."""
    wet = {"B02", "A02"}
    squares = board()

    def dry(a: str, b: str) -> int | None:
        return None if b in wet else 1

    assert squares.way("A01", ["A03"], dry, lambda code: code not in wet) == ("B01", "C02", "B03", "A03")
    assert squares.way("A01", ["C03"], one) == ("B02", "C03")
    assert board(steps=Steps(dearer=2)).way("A01", ["C03"], one) == ("A02", "A03", "B03", "C03")
    assert squares.way("A01", ["A01"], one) == ()
    assert squares.way("A01", ["E05"], lambda a, b: None) == ()


def test_the_nearest_is_told_by_squares_then_by_code() -> None:
    """What is off the board is not near."""
    assert board().nearest("A01", [("b10", "C03"), ("b9", "C01"), ("x", "")]) == "b9"
    assert board().nearest("A01", []) == ""


def test_links_lie_on_the_same_board() -> None:
    """Roads and rivers are asked by kind, beside the squares that touch."""
    squares = SquareMap.of([Node(node="A01"), Node(node="C01")], [Road(a="A01", b="C01", kind="road")])
    assert squares.links.has_link("A01", "C01", "road")
    assert squares.neighbours("A01") == []


# --- squares at every door ----------------------------------------------------------------------------
def test_a_folder_may_spell_squares_as_people_do(make: Made) -> None:
    """Keys and references come out in one spelling."""
    campaign = campaign_of(make())

    assert campaign.table(Node).keys()[:3] == ["A01", "A02", "A03"]
    assert {army.army: army.node for army in campaign.table(Army)} == {"N1": "A01", "S1": "D04"}


@pytest.mark.parametrize(("line", "ends"), [
    ("N: N1 march A1-B1-C2", "C02"), ("N: march N1 a2 a3", "A03"), ("N: N1 B01 > C02", "C02"),
    ("N: marcia N1 A01→A02", "A02"),
])
def test_a_line_names_squares_joined_by_hyphens(make: Made, line: str, ends: str) -> None:
    """With or without zeros, in either language; the path is walked."""
    book = make()
    assert desk.take_orders(book, [Input(line, text=line)]).exit == Exit.DONE
    assert desk.resolve(book).exit == Exit.DONE

    assert campaign_of(book).table(Army)["N1"].node == ends


@pytest.mark.parametrize(("path", "code"), [("B4", "FEN-003"), ("C4-A3", "FEN-003"), ("C4-E9", "FEN-001")])
def test_a_path_that_cannot_be_walked_is_refused(make: Made, path: str, code: str) -> None:
    """Leaps, and squares that do not exist, in the book's own words."""
    book = make()
    desk.take_orders(book, [Input("x", text=f"S: S1 march {path}")])

    assert [f.code for f in desk.check(book).findings if f.where.table == "Orders"] == [code]


@pytest.mark.slow
def test_a_corner_between_two_waters_stops_an_army(make: Made) -> None:
    """From C02 one cannot go to B03, between B02 and C03."""
    book = make(armies="army,faction,node\nN1,N,C2\nS1,S,D4\n")
    desk.take_orders(book, [Input("x", text="N: N1 march B3")])

    findings = [f for f in desk.check(book).findings if f.where.table == "Orders"]
    assert [(f.code, dict(f.data)) for f in findings] == [("FEN-003", {"a": "C02", "b": "B03"})]


def test_two_squares_in_one_place_forbid_to_start(make: Made) -> None:
    """The ruleset's own finding, at the cell."""
    book = make(nodes="node,x,y\nA1,0,0\nB1,0,0\nFord,2,1\n", roads="road,a,b\n",
                armies="army,faction,node\nN1,N,A1\nS1,S,B1\n")
    result = desk.resolve(book)

    assert (result.exit, [(f.code, f.where.row) for f in result.findings]) == (Exit.REFUSED, [("FEN-005", "Ford")])


def test_a_robot_finds_its_way_over_squares(make: Made) -> None:
    """Round the waters, towards the nearest other army."""
    campaign = campaign_of(make())
    work, rows = with_robot_orders(FENS, campaign, ResolveOptions(frozenset({"N"})))

    assert rows == 1
    assert [row.path for row in work.table(Order)] == ["A02"]


def test_the_card_shows_a_march_between_squares_that_touch(make: Made) -> None:
    """Also where no road is on the sheet."""
    campaign = campaign_of(make(roads="road,a,b\n"))
    line = next(card.example for card in FENS.order_cards(campaign, "en", Wording(FENS, "en").text, "N"))

    assert FENS.understand(line, campaign, "N").fields["path"] == "A01 A02"


def test_an_answer_may_leave_the_zeros_out() -> None:
    """A square among the options of a question is known without its zero; two that are alike are not guessed."""
    assert Option(offer=AnswerContext(("C03", "C13"))).read("c3") == "C03"
    assert Option(("C03", "C003")).read("C03") == "C03"


def test_a_report_names_squares(make: Made) -> None:
    """As any other place: by code, or by name where it has one."""
    book = make()
    desk.take_orders(book, [Input("x", text="N: N1 march A2")])
    desk.resolve(book)
    result = desk.report(book, book.parent / "out")

    assert result.exit == Exit.DONE
    pages = [path.read_text() for path in (book.parent / "out").rglob("*.txt")]
    assert any("N1" in page and "A02" in page for page in pages)
