"""A scenario in; a new campaign's workbook and ledger out: made once a process by `desk.new`, then copied.

Nearly every test of a whole evening begins with one, and to build its workbook takes longer than the evening.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant import desk

SECRET = "5e" * 32


def new_campaign(book: Path, ruleset: str = "giglio", language: str = "en", secret: str = SECRET) -> Path:
    """The campaign of a rulebook's scenario, moved to the place of `book`; its Desk calls it ``war.xlsx`` as yet."""
    for ending, content in campaign_bytes(ruleset, language, secret).items():
        book.with_suffix(ending).write_bytes(content)
    return book


@cache
def campaign_bytes(ruleset: str, language: str = "en", secret: str = SECRET) -> dict[str, bytes]:
    """The files of a campaign, by their endings."""
    with TemporaryDirectory() as place:
        made = desk.new_campaign(desk.NewPlan(ruleset, language=language, secret=secret), Path(place) / "war.xlsx")
        assert made.exit is desk.Exit.DONE, made.finding_lines()
        return {file.suffix: file.read_bytes() for file in Path(place).iterdir()}
