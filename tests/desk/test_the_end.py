"""A campaign that is over, of any rulebook: `report`, `status`, `standings` and the Desk say how it ended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk.commands.report import faction_file_name
from assistant.desk.next_steps import desk_lines
from assistant.desk.results import Exit
from assistant.desk.workspace.workspace import open_workspace
from assistant.reporting.build import build_end
from assistant.testing.fog import report_package
from assistant.wording import Wording
from tests.desk.tiny import FOLDER, TINY, Faction

NOBODY = "Nobody is named as the winner; the table shows how all stand."


def founded(place: Path, **files: str) -> Path:
    """A workbook of Two Villages."""
    folder = place / "source"
    folder.mkdir()
    for name, text in {**FOLDER, **{f"{name}.csv": text for name, text in files.items()}}.items():
        (folder / name).write_text(text, encoding="utf-8")
    book = place / "two.xlsx"
    assert desk.new_campaign(desk.NewPlan("tiny", folder=folder), book).exit is Exit.DONE
    return book


def played(place: Path) -> Path:
    """Its three turns, in which both stay at home."""
    book = founded(place)
    assert desk.resolve(book, until="3.fight").data["over"]
    return book


@pytest.mark.slow
def test_report_writes_the_page_of_the_end_beside_the_others(tmp_path: Path) -> None:
    """Once the campaign is over, and not before; as HTML, text and JSON."""
    book = founded(tmp_path)
    assert "end.html" not in desk.report(book, tmp_path / "before").data["files"]
    desk.resolve(book, until="3.fight")
    written = desk.report(book, tmp_path / "out").data["files"]
    assert {"end.html", "end.txt", "end.json"} <= set(written)
    text = (tmp_path / "out" / "end.txt").read_text(encoding="utf-8")
    assert NOBODY in text
    assert "Ashford" in text
    told = json.loads((tmp_path / "out" / "end.json").read_text(encoding="utf-8"))
    assert (told["kind"], told["winners"]) == ("end", [])
    for name in ("A", "gazette", "referee"):
        assert NOBODY in json.loads((tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8"))["band"]["lines"]


@pytest.mark.slow
def test_status_and_standings_say_who_has_won(tmp_path: Path) -> None:
    """The same sentence in both, and on the Desk; programs read the codes of the winners."""
    book = played(tmp_path)
    status, standings = desk.status(book), desk.standings(book)
    assert (status.data["result"], standings.data["result"]) == ([NOBODY], [NOBODY])
    assert (status.data["winners"], standings.data["winners"]) == ([], [])
    assert any(NOBODY in line for line in status.lines)
    assert standings.lines[0] == NOBODY
    lines = desk_lines(TINY, over(book), Wording(TINY, "it"), book.name, [])
    assert lines.next_steps[0] == ("La campagna è finita. Non è indicato nessun vincitore; la tabella mostra la "
                                   "situazione di tutti.")


def test_a_campaign_that_is_over_from_its_start_says_so(tmp_path: Path) -> None:
    """Its Desk stands at the end, and no phase was ever played."""
    book = founded(tmp_path, desk="key,value\nruleset,tiny\nlanguage,en\nturn,3\nphase,over\n")
    assert desk.status(book).data["result"] == [NOBODY]
    assert desk.report(book, tmp_path / "out").exit is Exit.DONE
    assert "It was over before its first phase." in (tmp_path / "out" / "end.txt").read_text(encoding="utf-8")


def test_a_faction_called_end_keeps_its_own_report() -> None:
    """Its code is no name for its files, as the page of the end has that one."""
    assert faction_file_name("END").startswith("END-")
    assert faction_file_name("ENDS") == "ENDS"


@pytest.mark.slow
def test_the_page_of_the_end_tells_no_secret(tmp_path: Path) -> None:
    """What a village has is its own affair: other gold changes nothing of what leaves for the other."""
    book = played(tmp_path)
    campaign = over(book)
    richer = campaign.copy()
    richer.table(Faction)["A"].gold += 7
    assert report_package(TINY, richer, "B") == report_package(TINY, campaign, "B")
    page = build_end(TINY, TINY.view(campaign, ""), Wording(TINY, "it"))
    assert page.headings.dues == "Come si è contato"
    assert page.tables[0].title == "La situazione finale"


def over(book: Path) -> Campaign:
    """The campaign of a workbook."""
    return open_workspace(book, "en").campaign
