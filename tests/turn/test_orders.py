"""A verb is declared once, and reading, refusing, replacing, paying and checking come from that: a tiny book."""

from __future__ import annotations

import pytest

from assistant.environment import shipped_scenario
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing import kit
from assistant.turn.orders.reader import understand
from assistant.turn.orders.requests import Request, role
from assistant.turn.orders.row_columns import OwnUnit, Place
from assistant.turn.orders.taking import judge_later, judge_orders
from assistant.turn.orders.verbs import as_order_book, format_order, order, order_book
from assistant.turn.orders.words import fold
from assistant.turn.rulebooks import load
from tests.turn.ferry import BOOK, FINDINGS, PHASES, SAYS, Boat, Faction, Order, River, cross, game, orders, river


def played(*rows: Order, phase: str = "morning") -> tuple[River, list[tuple[str, str, str]]]:
    """The board after the orders, and what was found: row, column, code."""
    board = River(game(river(*rows), phase))
    orders(board)
    return board, [(f.where.row, f.where.field, f.code) for f in board.game.findings]


def test_words_are_one_whatever_their_case_accents_and_signs() -> None:
    """Capitals, accents, blanks, hyphens, underscores and both apostrophes make no difference."""
    assert {fold(word) for word in ("All'Incontro", "all’incontro", "ALL INCONTRO", "all-incontro", " àll_incontro")} \
        == {"all_incontro"}
    assert BOOK.code("TRAVERSA") == BOOK.code("row") == "cross"
    assert BOOK.code("swim") == ""


@pytest.mark.parametrize(("row", "found"), [
    (Order(verb="swim"), ("o1", "verb", "FER-001")),
    (Order(text="swim to M1"), ("o1", "text", "FER-003")),
    (Order(verb="buy", option="oar"), ("o1", "verb", "FER-002")),
    (Order(verb="cross", unit="A-9", path="I1 M1"), ("o1", "unit", "FER-004")),
    (Order(verb="cross", unit="b-1", path="I1 M1"), ("o1", "unit", "FER-005")),
    (Order(verb="cross", path="M2 M1"), ("o1", "path", "FER-010")),
    (Order(verb="cross", path="M1 I1"), ("o1", "unit", "FER-009")),
    (Order(verb="moor", unit="A-1", target="M9"), ("o1", "target", "FER-006")),
    (Order(verb="moor", unit="A-1", target="M1"), ("o1", "target", "FER-050")),
    (Order(verb="pay", partner="A", amount=1), ("o1", "partner", "FER-008")),
    (Order(verb="pay", partner="N", amount=1), ("o1", "partner", "FER-008")),
    (Order(verb="pay", partner="B", amount="two"), ("o1", "amount", "FER-007")),
    (Order(verb="pay", partner="B"), ("o1", "amount", "FER-007")),
    (Order(verb="pay", partner="B", amount=11), ("o1", "amount", "FER-011")),
    (Order(verb="pay", partner="B", amount=1, faction="N"), ("o1", "faction", "ARB-276")),
])
def test_what_is_wrong_with_a_row_is_said_in_the_books_own_code(row: Order, found: tuple[str, str, str]) -> None:
    """Each role has the code that the book gives it, at the column at fault, and the row is refused."""
    board, seen = played(row)
    assert seen == [found]
    assert board.game.campaign.table(Order)["o1"].status == "refused"


def test_the_books_text_gets_what_the_floor_knows_under_its_own_names() -> None:
    """The brace of the text is the book's, what fills it the floor's."""
    board, _ = played(Order(verb="cross", unit="a-8", path="I1 M1"))
    assert dict(board.game.findings[0].data) == {"unit": "A-8", "list": "A-1 A-2 A-3", "near": "A-3"}


def test_a_hidden_row_of_others_is_none() -> None:
    """What others may not know of is not found by its code, now or ahead."""
    campaign = river(Order(verb="cross", unit="B-1", path="M2 M1"))
    campaign.table(Boat)["B-1"].hidden = True
    board = River(game(campaign))
    orders(board)
    assert [f.code for f in board.game.findings] == ["FER-004"]


def test_the_deed_is_handed_what_its_columns_mean() -> None:
    """A unit that is left out is the only one at the start of the path; the rest arrives as records and numbers."""
    board, seen = played(Order(verb="cross", path="I1 M1"), Order(verb="pay", partner="b", amount=4))
    assert seen == []
    assert board.crossing == [("A-1", "M1")]
    assert board.game.campaign.table(Faction)["A"].coins == 6
    assert {row.status for row in board.game.campaign.table(Order)} == {"accepted"}


def test_the_last_row_about_a_thing_stands() -> None:
    """The earlier one is replaced, and told by which; also where the unit is left out."""
    board, seen = played(Order(verb="moor", unit="A-1", target="I1"), Order(verb="cross", path="I1 M1"))
    assert seen == [("o1", "order", "FER-012")]
    assert board.game.findings[0].data == {"order": "o2"}
    assert board.game.campaign.table(Order)["o1"].status == "replaced"


def test_two_rows_alike_are_both_done_where_the_book_says_so() -> None:
    """With a warning on the later."""
    board, seen = played(Order(verb="pay", partner="B", amount=4), Order(verb="paga", partner="b", amount=4))
    assert seen == [("o2", "verb", "FER-013")]
    assert board.game.campaign.table(Faction)["A"].coins == 2


@pytest.mark.parametrize("turned", [False, True])
def test_which_row_counts_first_is_never_its_place_on_the_sheet(turned: bool) -> None:
    """By the column No., those without after the others, then by the order's code."""
    rows = [Order(order="x10", verb="pay", partner="B", amount=8), Order(order="x9", verb="pay", partner="B", amount=7),
            Order(order="z", seq=1, verb="pay", partner="B", amount=3)]
    board, seen = played(*(reversed(rows) if turned else rows))
    assert seen == [("x10", "amount", "FER-011")]
    assert board.game.campaign.table(Faction)["A"].coins == 0


@pytest.mark.parametrize(("text", "fields"), [
    ("A-1 I1 M1", {"verb": "cross", "unit": "A-1", "path": "I1 M1"}),
    ("row from I1 to M1", {"verb": "cross", "path": "I1 M1"}),
    ("ormeggia A-1 I1", {"verb": "moor", "unit": "A-1", "target": "I1"}),
    ("pay B 4: for the oars", {"verb": "pay", "partner": "B", "amount": 4, "note": "for the oars"}),
    ("pay XX 4", {"verb": "pay", "partner": "XX", "amount": 4}),
    ("vela A-2", {"verb": "buy", "option": "sail", "target": "A-2"}),
    ("buy oars", {"verb": "buy", "option": "oar"}),
    ("moor A-1 I77", {"verb": "moor", "unit": "A-1", "target": "I77"}),
])
def test_a_line_is_read_by_what_the_columns_declare(text: str, fields: dict[str, object]) -> None:
    """Pieces find their columns by their sort; unknown codes are kept for the check. What is shown reads the same."""
    campaign = river()
    assert dict(understand(BOOK, campaign, "A", text).fields) == fields
    for lang in ("en", "it"):
        assert dict(understand(BOOK, campaign, "A", format_order(BOOK, fields, lang)).fields) == fields


@pytest.mark.parametrize("text", ["", "M1", "swim", "pay B", "pay 4 5 B", "moor A-1 A-2 I1", "moor A-1 I1 M1", "buy"])
def test_nothing_is_guessed(text: str) -> None:
    """A piece too many, too few or unknown."""
    assert understand(BOOK, river(), "A", text).problem == text


# --- checking -------------------------------------------------------------------------------------
def test_check_is_the_phase_without_its_dice_and_answers() -> None:
    """A die or an open question ends its step in silence; each faction is judged as if nobody else moved; nothing of
    the campaign changes.
    """
    campaign = river(Order(verb="pay", partner="B", amount=50), Order(order="wet", verb="cross", path="I1 M1"),
                     Order(order="b", faction="B", verb="cross", unit="B-1", path="M2 I1"))
    found = judge_orders(list(PHASES.values()), game, campaign)
    assert [(f.where.row, f.code) for f in found] == [("o1", "FER-011"), ("wet", "FER-052")]
    assert {row.status for row in campaign.table(Order)} == {""}


def test_later_orders_are_judged_by_what_nothing_will_put_right() -> None:
    """Whose, where, how many, with whom; not whether it is there or can be paid."""
    rows = [Order(phase="night", verb="pay", partner="B", amount=50), Order(phase="night", verb="pay", amount=5),
            Order(phase="night", verb="cross", path="I1 M1"), Order(phase="night", verb="buy", option="ship")]
    found = judge_later(list(PHASES.values()), game, river(*rows))
    assert [(f.where.row, f.code) for f in found] == [("o3", "FER-002"), ("o2", "FER-008")]


# --- declaring ------------------------------------------------------------------------------------
def test_a_declaration_that_cannot_be_is_refused() -> None:
    """A typing error in a declaration fails as it is imported, not in turn seven."""
    with pytest.raises(ValueError, match="no finding for no_such_place"):
        order_book(order("dig", "scava", when=("day",), target=Place())(lambda board, request, place: None),
                   says={"unknown_verb": role("FER-001")})
    with pytest.raises(ValueError, match="no finding for unknown_verb"):
        order_book(order("rest", "riposa", when=("day",))(lambda board, request: None))
    with pytest.raises(ValueError, match="row means cross and rest"):
        order_book(cross, order("rest", "row", when=("day",))(lambda board, request: None), says=SAYS)
    with pytest.raises(ValueError, match="rest: orders have no column bed"):
        order_book(order("rest", "riposa", when=("day",), bed=Place())(lambda board, request: None), says=SAYS)
    with pytest.raises(ValueError, match="no role sleeping"):
        order_book(says={"sleeping": role("FER-001")})
    with pytest.raises(ValueError, match="no role not_yours colour"):
        order_book(says={"not_yours": role("FER-005", unit="colour")})


def test_a_request_keeps_what_was_typed() -> None:
    """Read in canonical spelling, and as it stood."""
    board, _ = played(Order(verb="cross", unit="a-1", path="i1>m1"))
    request = Request(board.game.campaign.table(Order)["o1"], "cross")
    assert request.typed_text("path") == "i1>m1"
    assert OwnUnit(Boat).read(" a-1 ") == "A-1"
    assert FINDINGS["FER-012"].severity == "warning"


@pytest.mark.parametrize(("book", "typed", "verb"), [
    ("giglio", "fortificare", "fortify"), ("giglio", "Muovere", "move"), ("giglio", "sciogliere", "dissolve"),
    ("giglio", "uscire", "come_out"), ("giglio", "to siege", "siege"), ("anarchy", "SACCHEGGIARE", "SACK"),
    ("anarchy", "arrendersi", "SURRENDER"), ("anarchy", "raccogliere", "COLLECT"), ("incursio", "costruire", "build"),
    ("warriors", "arruolare", "raise"), ("bloodlust", "invadere", "invade"), ("bloodlust", "sciocchezze", ""),
    ("giglio", "mare", ""), ("giglio", "are", "")])
def test_an_orders_verb_may_stand_in_the_infinitive(book: str, typed: str, verb: str) -> None:
    """As words of answers may; a word that is none stays none."""
    assert as_order_book(load(book).verbs).code(typed) == verb


def test_a_line_with_an_infinitive_is_the_line_with_the_imperative() -> None:
    """Whole lines, too, are read alike."""
    campaign = kit.opening(GIGLIO, shipped_scenario("giglio", "italy-1500"))
    for spoken, short in (("muovere V-1 da V6 a V5", "muovi V-1 da V6 a V5"), ("fortificare V8", "fortifica V8")):
        understood = GIGLIO.understand(spoken, campaign, "V")
        assert understood.fields
        assert understood.fields == GIGLIO.understand(short, campaign, "V").fields
