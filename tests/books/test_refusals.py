"""What cannot be read or written without harm is refused before anything is touched, with reason and way out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assistant.workbook.file_book import open_book
from assistant.workbook.screening import BookUnsafe
from tests.books.campaigning import phase, stops
from tests.books.refused import UNREADABLE, UNWRITABLE, Bad
from tests.workbook.feast import LINES, loader, wording


def listing(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


@pytest.mark.slow
@pytest.mark.parametrize("bad", UNREADABLE, ids=[b.name for b in UNREADABLE])
def test_what_is_no_sound_workbook_is_a_finding(tmp_path: Path, bad: Bad) -> None:
    """Read, it gives a finding that stops, and the folder stays as it was."""
    path = tmp_path / "book.xlsx"
    path.write_bytes(bad.make())
    before = listing(tmp_path)
    book = open_book(path, loader)
    reading = book.read()

    assert list(stops(reading)) != []
    assert listing(tmp_path) == before


@pytest.mark.parametrize("bad", UNWRITABLE, ids=[b.name for b in UNWRITABLE])
def test_what_would_be_harmed_is_refused_before_anything_is_touched(tmp_path: Path, bad: Bad) -> None:
    """The campaign can be read; writing says why it cannot be, and the folder is to the byte as it was."""
    path = tmp_path / "book.xlsx"
    path.write_bytes(bad.make())
    before = listing(tmp_path)
    book = open_book(path, loader)
    reading = book.read()
    after = reading.campaign.copy()
    phase(after)
    assert list(stops(reading)) == []
    with pytest.raises(BookUnsafe) as no:
        book.write(reading.campaign, after, wording(), LINES)

    assert str(no.value)
    assert listing(tmp_path) == before
