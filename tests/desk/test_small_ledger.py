"""A ledger keeps each piece of its workbooks once: it is small, and gives the very bytes back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import changes
from assistant.campaign.records import Faction
from assistant.desk.past.phase_chain import campaign_before, campaign_from_content
from assistant.desk.results import Exit
from assistant.desk.workspace.fingerprints import LedgerCampaigns
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import Ledger, PlannedStep, path_of_ledger
from assistant.ledger.file import MEMBER_START, ROW_END, SEAM, split_into_pieces
from tests.desk.conftest import copied
from tests.playing import take_lines

SHARE = 1 / 3
"""The most that a ledger of the first year weighs beside the workbooks that it keeps; in the fifth it is a seventh."""


def test_the_campaigns_of_the_past_are_those_of_the_workbooks(first_turn: Path, tmp_path: Path) -> None:
    """What is made of the ledger's rows is what its workbooks hold, also what somebody had typed."""
    book = copied(first_turn, tmp_path)
    take_lines(book, "A: B1")
    desk.resolve(book, defaults=True)
    records = {record.sheet: record for record in open_workspace(book).ruleset.records}

    with Ledger.open(path_of_ledger(book), "") as ledger:
        steps = [step.id for step in ledger.steps() if step.sha_before]
        assert all(ledger.manifest_found(step) for step in steps)
        for step in steps:
            kept = campaign_before(ledger, step, book.name, kept=LedgerCampaigns(ledger, records))
            assert changes(kept, campaign_from_content(ledger.book(step), book.name)) == []


def test_a_new_row_shifts_no_later_piece() -> None:
    """Members, seams and rows are cut at the same places in two states, and the pieces make the whole again."""
    rng = random.Random(5)
    members = [rng.randbytes(300) + SEAM + rng.randbytes(300) for _ in range(9)]
    rows = [f'"{number}","{rng.random()}"'.encode() for number in range(2000)]
    was = MEMBER_START + MEMBER_START.join(members) + MEMBER_START + ROW_END.join(rows)
    now = MEMBER_START + MEMBER_START.join(members) + MEMBER_START + ROW_END.join([*rows[:700], b'"new"', *rows[700:]])
    before, after = list(split_into_pieces(was)), list(split_into_pieces(now))

    assert (b"".join(before), b"".join(after), list(split_into_pieces(b""))) == (was, now, [])
    assert len(before) > 50
    assert len({*after} - {*before}) <= 2


@pytest.mark.slow
def test_any_bytes_come_back_in_any_order(tmp_path: Path) -> None:
    """Snapshots that are alike, that are not, that are empty: forwards, backwards, and after one was forgotten."""
    rng = random.Random(4)
    books = [b"", b"x", rng.randbytes(300_000)]
    for _ in range(40):
        last = bytearray(books[-1])
        at = rng.randrange(len(last))
        last[at:at + rng.randrange(2000)] = rng.randbytes(rng.randrange(2000))
        books.append(bytes(last) if rng.random() < 0.9 else rng.randbytes(200_000))

    def refused() -> None:
        raise PermissionError

    with Ledger.create(tmp_path / "war.arbitro", "one", bytes(32)) as ledger:
        for content in books:
            with pytest.raises(PermissionError):
                ledger.change([PlannedStep("mark", "1", "a")], content[::-1], "", meanwhile=refused)
            ledger.change([PlannedStep("mark", "1", "a")], content, "")
    with Ledger.open(tmp_path / "war.arbitro", "one") as ledger:
        for number in [*range(len(books)), *reversed(range(len(books))), *rng.sample(range(len(books)), 20)]:
            assert ledger.book(number + 1) == books[number]


@pytest.mark.slow
def test_a_year_of_robots_is_small_and_quick_to_verify(tmp_path: Path) -> None:
    """The ledger weighs less than a third of the workbooks before each of its changes, and holds them all."""
    book, seen = tmp_path / "italy.xlsx", list[bytes]()
    assert desk.new_campaign(desk.NewPlan("giglio", scenario="italy-1500"), book).exit == Exit.DONE
    clubs = [row.faction for row in open_workspace(book).campaign.table(Faction)]
    for _ in range(80):
        seen.append(book.read_bytes())
        result = desk.resolve(book, robots=clubs, defaults=True)
        for question in result.questions:
            seen.append(book.read_bytes())
            take_lines(book, f"battle {question.about} auto")
        if result.data["turn"] == "1501":
            break

    with Ledger.open(path_of_ledger(book), "") as ledger:
        kept = [ledger.book(step.id) for step in ledger.steps()]
    assert kept == seen
    assert path_of_ledger(book).stat().st_size < SHARE * sum(map(len, seen))
    assert desk.verify(book).data["verified"]
