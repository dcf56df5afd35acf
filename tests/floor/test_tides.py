"""What a rulebook of another's hand needs of the floor, by the Tides: seasons, own lines, options, codes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Army, Order
from assistant.desk import Exit
from assistant.testing import kit, robots
from assistant.testing.cases import campaign_of
from tests import hand
from tests.floor.tides import TIDES, opening
from tests.sweeps import slow_among

HEAD = "turn,phase,faction,verb,unit,target,node,option,choice,text\n"


@slow_among("test_every_verb_stands_whoever_orders_it", "test_export_and_import_change_nothing",
            "test_typed_nonsense_is_refused", "test_what_a_faction_may_not_see_changes_no_byte")
class TestTides(kit.Promises):
    """All that the kit asks."""

    ruleset = TIDES
    tried, processes = (3, 6), False

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.folder = opening(tmp_path / "tides")

    def opening(self) -> Campaign:
        """Two crews at three places."""
        return kit.opening(TIDES, self.folder)


@pytest.mark.slow
def test_rows_of_all_seasons_are_read_anew(tmp_path: Path) -> None:
    """What the kit asks of every rulebook."""
    start = kit.with_robots(kit.opening(TIDES, opening(tmp_path / "tides")))
    met = list(robots.seasons(TIDES, start, bytes(32), 8))
    assert [(one.desk.turn, one.desk.phase) for one in met] == [("1A", "sailing"), ("2S", "sailing"), ("2A", "sailing")]
    for campaign in met:
        kit.round_trip(TIDES, campaign)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook at its start."""
    return started(tmp_path, "")


def started(place: Path, rows: str) -> Path:
    """A workbook with these rows of Orders."""
    made = place / "tides.xlsx"
    for ending, content in files(rows).items():
        made.with_suffix(ending).write_bytes(content)
    return made


@cache
def files(rows: str) -> dict[str, bytes]:
    """The same, by the endings of its files; made once for the same rows."""
    with TemporaryDirectory() as name:
        place = Path(name)
        folder = opening(place / "csv")
        if rows:
            (folder / "orders.csv").write_text(HEAD + rows)
        result = desk.new_campaign(desk.NewPlan("tides", folder=folder, secret="5e" * 32), place / "tides.xlsx")
        assert result.exit == Exit.DONE, result.finding_lines()
        return {file.suffix: file.read_bytes() for file in place.glob("tides.*")}


def saved(book: Path) -> Path:
    """As another program saves it: every cell written anew."""
    other = openpyxl.load_workbook(book)
    other.save(book)
    return book


def type_row(book: Path, cells: dict[str, str], *, add: bool = False) -> None:
    """Type into the first row of the sheet Orders, or below what stands there, under the headings of the columns."""
    workbook = hand.opened(book)
    sheet = workbook["Orders"]
    heads = {name: cell for row in sheet.iter_rows(max_row=8) for cell in row
             if (name := str(cell.value).strip()) in cells}
    row = next(iter(heads.values())).row + 1
    while add and sheet.cell(row, heads["Phase"].column).value:
        row += 1
    for name, text in cells.items():
        sheet.cell(row, heads[name].column).value = text or None
    workbook.save(book)


def orders(book: Path) -> dict[str, tuple[str, str, str, str]]:
    """Turn, word, verb and status of each order, by its code."""
    rows = campaign_of(book).table(Order)
    return {row.order: (row.turn, row.phase, row.verb, row.status) for row in rows}


# --- lines -------------------------------------------------------------------------------------------------
def test_a_line_that_only_the_rulebook_understands_is_carried_out(book: Path) -> None:
    """The echo, check and the phase read it alike."""
    taken = desk.take_orders(book, [desk.Input("x", text="N: N-1 / abo")])
    assert ": sail, Crew the army of North (N-1), Where Abo (abo)" in taken.lines[1]
    assert desk.check(book).findings == []
    desk.resolve(book)
    assert {army.army: army.node for army in campaign_of(book).table(Army)}["N-1"] == "abo"


@pytest.mark.parametrize("line", ["sail n-1 to ABO slow", "sail N-1 abo slow", "sail N-1 to Abo slow"])
def test_codes_may_be_typed_in_any_case(book: Path, line: str) -> None:
    """They are told and carried out as their table spells them."""
    taken = desk.take_orders(book, [desk.Input("x", text=f"N: {line}\nS: help S-1 to cee from dun")])
    assert [line.partition("': ")[2] for line in taken.lines[1:3]] == [
        "sail, Crew the army of North (N-1), Where Abo (abo), How slow (1S-tide-N-1)",
        "help, Crew the army of South (S-1), Where Ceehaven (Cee), From Dun (DUN) (1S-tide-S-1)"]
    assert desk.check(book).findings == []


def test_codes_in_cells_may_be_typed_in_any_case(tmp_path: Path) -> None:
    """As they are in lines."""
    book = started(tmp_path, "1S,tide,N,sail,n-1,ABO,,slow,,\n")
    assert desk.check(book).findings == []


# --- columns -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("row", "code", "field"), [
    ("sail,N-1,abo,,banana,,", "TID-005", "option"),
    ("sail,N-1,abo,,,,", "TID-006", "option"),
    ("sail,N-1,,,slow,,", "TID-006", "target"),
    ("sail,,abo,,slow,,", "TID-006", "unit"),
    ("sail,N-1,DUN,,fast,,", "TID-004", "target"),
    ("help,N-1,abo,,,,", "TID-006", "node"),
])
def test_what_a_verb_needs_is_asked_of_typed_columns(tmp_path: Path, row: str, code: str, field: str) -> None:
    """A word that is none, and a cell in which nothing stands, in check as in the phase."""
    book = started(tmp_path, f"1S,tide,N,{row}\n")
    assert [(finding.code, finding.where.field) for finding in desk.check(book).findings] == [(code, field)]
    desk.resolve(book)
    assert orders(book)["1S-tide-N-1"][3] == "refused"


def test_what_a_rule_demands_of_an_option_is_asked(tmp_path: Path) -> None:
    """Its `then`, when all columns before it stand."""
    book = started(tmp_path, "1S,tide,S,sail,S-1,abo,,slow,,\n")
    assert desk.resolve(book).exit == Exit.DONE
    type_row(book, {"Phase": "tide", "Faction": "S", "Verb": "sail", "Crew": "S-1", "Where": "DUN", "How": "fast"},
             add=True)
    assert [finding.code for finding in desk.check(book).findings] == ["TID-007"]


# --- what such a rulebook has not ---------------------------------------------------------------------------
def test_a_book_in_english_suggests_no_italian_words(tmp_path: Path) -> None:
    """Neither in its findings nor on the orders card."""
    book = started(tmp_path, "1S,tide,N,aiut,N-1,abo,,,,\n")
    assert [(finding.code, finding.data["near"]) for finding in desk.check(book).findings] == [("TID-001", "sail")]
    cards = TIDES.order_cards(campaign_of(book), "en", lambda text, **data: text)
    assert [(card.verb, card.also) for card in cards] == [("sail", ""), ("help", ""), ("gather", "")]


def test_a_game_without_dice_has_no_secrets_of_dice(book: Path) -> None:
    """Who goes back over a turn is not told that its dice will fall again."""
    for _ in range(2):
        assert desk.resolve(book).exit == Exit.DONE
    assert desk.undo(book, steps=2).findings == []


# --- phases that come in some turns only ----------------------------------------------------------------
@pytest.mark.slow
def test_orders_of_a_season_that_is_over_are_read_by_their_word(tmp_path: Path) -> None:
    """A workbook that another program has saved is read anew, every row of it."""
    book = started(tmp_path, "1A,muster,N,gather,N-1\n")
    for _ in range(3):
        assert desk.resolve(book).exit == Exit.DONE
    saved(book)

    assert desk.check(book).finding_lines() == []
    assert desk.resolve(book).exit == Exit.DONE
    assert orders(book)["1A-muster-N-1"][3] == "accepted"


def test_orders_of_a_season_to_come_wait_for_it(tmp_path: Path) -> None:
    """Typed early, with the word alone: the turn is that in which it is read next."""
    book = started(tmp_path, ",muster,N,gather,N-1\n")

    assert desk.check(book).finding_lines() == []
    assert orders(book) == {"1A-muster-N-1": ("1A", "muster", "gather", "")}


def test_an_order_for_a_turn_that_never_reads_its_word_is_named(book: Path) -> None:
    """Else it would wait for ever; one of a turn that is over keeps nobody from playing."""
    row = {"Turn": "1S", "Phase": "muster", "Faction": "N", "Verb": "gather", "Crew": "N-1"}
    type_row(book, row)
    assert [finding.code for finding in desk.check(book).findings] == ["ARB-042"]

    type_row(book, {**row, "Turn": ""})
    assert desk.check(book).findings == []
    for _ in range(3):
        assert desk.resolve(book).exit == Exit.DONE
    type_row(book, {**row, "Turn": "1S"}, add=True)
    assert [finding.code for finding in desk.check(book).findings] == ["ARB-045"]


@pytest.mark.slow
def test_undo_and_redo_over_a_season_keep_the_campaign_playable(tmp_path: Path) -> None:
    """Both write orders of another season into the sheets."""
    book = started(tmp_path, "1A,muster,N,gather,N-1\n")
    for _ in range(3):
        assert desk.resolve(book).exit == Exit.DONE
    desk.undo(book)
    desk.undo(book)
    assert desk.check(saved(book)).findings == []
    desk.redo(book)
    desk.redo(book)

    assert desk.check(saved(book)).findings == []
    assert desk.resolve(book).exit == Exit.DONE
