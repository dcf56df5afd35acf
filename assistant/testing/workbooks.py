"""A campaign's workbook in; what stands in it out, or a copy of it to play on, or lines handed in as a referee does."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path
from typing import Any

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.workbook.file_book import open_book


def campaign_of(book: Path) -> Campaign:
    """The campaign in a workbook."""
    return open_book(book).read().campaign


def copy_campaign(book: Path, folder: Path) -> Path:
    """The workbook of a campaign in another folder, with its ledger and whatever else is called as it is."""
    for file in book.parent.glob(f"{book.stem}.*"):
        shutil.copyfile(file, folder / file.name)
    return folder / book.name


def copy_with_folder(book: Path, folder: Path) -> Path:
    """The workbook of a campaign in another folder, with all that lies beside it."""
    shutil.copytree(book.parent, folder, dirs_exist_ok=True)
    return folder / book.name


def take(book: Path, *lines: str) -> desk.Result:
    """Lines as somebody types them."""
    return desk.take_orders(book, [desk.Source(line, text=line) for line in lines], lang="en")


def members(data: bytes) -> dict[str, bytes]:
    """The parts of a workbook's file, by their names."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def saved(book: Any) -> bytes:
    """The bytes of an openpyxl workbook."""
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
