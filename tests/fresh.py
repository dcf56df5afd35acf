"""A scenario in; a new campaign's workbook and ledger out: made once a process by `desk.new`, then copied.

Nearly every test of a whole evening begins with one, and to build its workbook takes longer than the evening.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook import adoption
from assistant.workbook.port import DeskLines
from assistant.workbook.write.new_workbook import new_workbook_bytes

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


def equal_sheets_once() -> Iterator[None]:
    """For modules that add our sheets to many workbooks: those of equal campaigns, which are equal, are built once."""
    built = dict[str, bytes]()

    def remembered(ruleset: Ruleset, campaign: Campaign, path: Path, wording: Wording, lines: DeskLines,
                   titles: Mapping[str, str] = MappingProxyType({})) -> bytes:
        rows = [row.as_text() for table in campaign.tables().values() for _, row in table.in_file_order()]
        of = repr((ruleset.id, campaign.desk.as_text(), rows, wording.lang, lines, dict(titles)))
        if of not in built:
            built[of] = new_workbook_bytes(ruleset, campaign, path, wording, lines, titles)
        return built[of]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adoption, "new_workbook_bytes", remembered)
        yield
