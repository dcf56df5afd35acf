"""A campaign's past sleeps: what is settled is not unpacked, and nothing shows whether it was.

The chunks in which the past sleeps and the pieces in which long sheets are packed are made small here, so that
a few phases are a long campaign.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Order
from assistant.campaign.tables import Table
from assistant.desk.workspace import fingerprints
from assistant.desk.workspace.fingerprints import SheetCache
from assistant.desk.workspace.workspace import open_workspace
from assistant.workbook.ooxml import package

SECRET = "5e" * 32


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four rows are a chunk and a piece, and every sheet is a long one."""
    monkeypatch.setattr(fingerprints, "CHUNK_ROWS", 4)
    monkeypatch.setattr(package, "PIECE", 4)
    monkeypatch.setattr(package, "LARGE", 2**11)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every row of every sheet each time, as if the ledger remembered nothing."""
    monkeypatch.setattr(SheetCache, "known_rows", lambda self, prints: {})


def begun(place: Path, ruleset: str, scenario: str) -> tuple[Path, list[str]]:
    """A fresh campaign of a scenario whose clubs are all robots, and their codes."""
    book = place / "campaign.xlsx"
    made = desk.new_campaign(desk.NewPlan(ruleset, scenario=scenario, secret=SECRET), book)
    assert made.exit == desk.Exit.DONE, made.finding_lines()
    return book, [row.faction for row in open_workspace(book).campaign.by_sheet("Factions") if row.role == "player"]


def play(book: Path, robots: Sequence[str], phases: int) -> list[bytes]:
    """So many phases by robots and defaults: the workbook after each."""
    seen: list[bytes] = []
    for _ in range(phases):
        while (done := desk.resolve(book, robots=robots, defaults=True)).exit == desk.Exit.WAITING:
            told = "\n".join(f"{question.kind} {question.about} auto" for question in done.questions)
            if desk.take_orders(book, [desk.Input("answers", text=told)]).exit != desk.Exit.DONE:
                return seen  # something that only a person can say
        assert done.exit == desk.Exit.DONE, done.finding_lines()
        seen.append(book.read_bytes())
    return seen


def asleep(campaign: Campaign, sheet: str) -> int:
    """How many rows of a table nobody has asked for."""
    return sum(len(block.keys) for block in campaign.by_sheet(sheet).asleep())


def compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruleset: str, scenario: str, phases: int) -> Path:
    """The campaign, played once with its past asleep and once with all of it read: the same bytes each time."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    book, robots = begun(tmp_path / "one", ruleset, scenario)
    sleeping = play(book, robots, phases)
    with monkeypatch.context() as patch:
        forget(patch)
        other, _ = begun(tmp_path / "other", ruleset, scenario)
        reading = play(other, robots, phases)
    assert len(sleeping) > 3
    for number, (one, two) in enumerate(zip(sleeping, reading, strict=True)):
        assert one == two, f"phase {number + 1}"
    return book


@pytest.mark.slow
def test_nothing_shows_whether_the_past_was_asleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some phases of Il Giglio: the same bytes, most of the past asleep, and no change by hand is told."""
    book = compared(tmp_path, monkeypatch, "giglio", "italy-1500", 5)

    campaign = open_workspace(book).campaign
    assert asleep(campaign, "Events") > 80
    assert asleep(campaign, "Orders") > 10
    assert desk.status(book).findings == []
    assert desk.verify(book).exit == desk.Exit.DONE


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "scenario"), [("giglio", "italy-1500"), ("anarchy", "wallingford-1139")])
def test_a_long_game_shows_nothing_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ruleset: str,
                                          scenario: str) -> None:
    """Both rulebooks by robots, as long as nobody is asked something that only a person can say."""
    book = compared(tmp_path, monkeypatch, ruleset, scenario, 14)

    assert asleep(open_workspace(book).campaign, "Orders") > 10
    assert desk.verify(book).exit == desk.Exit.DONE


@pytest.mark.slow
def test_what_was_undone_comes_again_as_it_was(tmp_path: Path) -> None:
    """Undo wakes nothing for good: the phase resolved again gives the same bytes."""
    book, robots = begun(tmp_path, "giglio", "italy-1500")
    seen = play(book, robots, 4)

    assert desk.undo(book).exit == desk.Exit.DONE
    assert play(book, robots, 1) == [seen[-1]]


@pytest.mark.slow
def test_one_sign_changed_by_hand_wakes_the_sheet_and_is_told(tmp_path: Path) -> None:
    """An old event that somebody rewrites is read and named like any other."""
    from openpyxl import load_workbook

    book, robots = begun(tmp_path, "giglio", "italy-1500")
    play(book, robots, 4)
    club = load_workbook(book)
    sheet = club["Events"]
    head = next(row[0].row for row in sheet.iter_rows(max_col=1, max_row=20) if row[0].value == "No.")
    sheet.cell(head + 2, 4).value = "FR"
    club.save(book)

    told = desk.check(book).findings

    assert [(f.where.table, f.where.row, f.where.field) for f in told if f.code == "ARB-110"] == [
        ("Events", "2", "audience")]
    assert asleep(open_workspace(book).campaign, "Events") == 0


@pytest.mark.slow
def test_a_table_wakes_where_somebody_walks_over_it(tmp_path: Path) -> None:
    """One row, the rows of a turn, the keys: the rest sleeps on; walking, changing and copying are as ever."""
    book, robots = begun(tmp_path, "giglio", "italy-1500")
    play(book, robots, 4)
    events: Table[Event] = open_workspace(book).campaign.table(Event)
    count, slept = len(events), sum(len(block.keys) for block in events.asleep())
    assert slept

    assert events["3"].no == 3
    assert "3" in events
    assert events.keys()[:3] == ["1", "2", "3"]
    assert events.of_turn("9999") == []
    assert sum(len(block.keys) for block in events.asleep()) == slept - 4
    twin = events.copy()
    assert [event.no for event in twin] == list(range(1, count + 1))
    assert events.asleep()
    assert not twin.asleep()
    assert events.remove("6").no == 6
    assert "6" not in events
    assert events.get("6") is None
    assert [key for key, _ in events.in_file_order()] == [str(n) for n in range(1, count + 1) if n != 6]


@pytest.mark.slow
def test_orders_that_nobody_has_judged_do_not_sleep(tmp_path: Path) -> None:
    """An order for a round to come stays awake among the settled ones."""
    book, robots = begun(tmp_path, "giglio", "italy-1500")
    play(book, robots, 3)
    orders = open_workspace(book).campaign.table(Order)

    assert all(order.status for block in orders.asleep() for order in block.load())
