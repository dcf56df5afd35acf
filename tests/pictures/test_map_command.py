"""`arbitro map` as the desk does it: pictures of each reader, for print, and a layout that is undone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Node
from assistant.desk.results import Exit
from assistant.desk.workspace.workspace import open_workspace
from tests.plugin.installing import SMALL, installed_at

SECRET = "11" * 32
PNG = b"\x89PNG"


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tanaephis at the end of its first season's call."""
    book = tmp_path_factory.mktemp("war") / "war.xlsx"
    assert (
        desk.new_campaign(desk.NewPlan("bloodlust", "", None, "en", "", SECRET, False), book, lang="en").exit
        == Exit.DONE
    )
    return book


@pytest.mark.slow
def test_a_map_for_each_reader(war: Path, tmp_path: Path) -> None:
    """Everybody's, a club's close-up, the referee's, and one for print whose text is text."""
    wishes = {"war-map-VOR-near.png": desk.MapOptions("vor", close_up=True),
              "war-map-referee.png": desk.MapOptions(referee=True), "war-map-public.svg": desk.MapOptions(paper=True)}
    before = war.read_bytes()

    for name, wish in wishes.items():
        result = desk.draw_map(war, tmp_path, wish, lang="en")
        content = (tmp_path / name).read_bytes()
        assert (result.exit, result.data["files"]) == (Exit.DONE, [name])
        assert content.startswith(PNG if name.endswith("png") else b"<")
    paper = (tmp_path / "war-map-public.svg").read_text(encoding="utf-8")
    assert re.search('width="(297|420)mm" height="(297|420)mm"', paper)
    assert ">Vorocastra<" in paper
    assert war.read_bytes() == before


@pytest.mark.slow
def test_who_is_not_there_has_no_map(war: Path, tmp_path: Path) -> None:
    """A faction or a turn that nobody knows is wrong usage, and nothing is written."""
    for wish in (desk.MapOptions("nobody"), desk.MapOptions(since="1"), desk.MapOptions(until="1")):
        assert desk.draw_map(war, tmp_path / "maps", wish, lang="en").exit == Exit.USAGE
    assert not (tmp_path / "maps").exists()


@pytest.mark.slow
def test_a_layout_is_written_once_and_undone(tmp_path: Path) -> None:
    """Places get whole numbers, the same each time; undo gives back what stood there, redo the layout."""
    (site := tmp_path / "site").mkdir()
    with installed_at(site, {"wells": SMALL["wells"]}):
        book = tmp_path / "dry.xlsx"
        assert (
            desk.new_campaign(desk.NewPlan("wells", "", None, "en", "", SECRET, False), book, lang="en").exit
            == Exit.DONE
        )
        before = book.read_bytes()
        where = [(row.x, row.y) for row in open_workspace(book).campaign.table(Node)]

        first = desk.lay_out_places(book, lang="en")
        laid = [(row.x, row.y) for row in open_workspace(book).campaign.table(Node)]
        again = desk.lay_out_places(book, lang="en")

        assert (first.exit, again.exit) == (Exit.DONE, Exit.DONE)
        assert first.data["places"] == again.data["places"]
        assert len(set(laid)) == len(laid)
        assert laid != where
        assert desk.verify(book, lang="en").data["verified"]
        assert desk.undo(book, steps=2, lang="en").exit == Exit.DONE
        assert book.read_bytes() == before
        assert desk.redo(book, lang="en").exit == Exit.DONE
        assert [(row.x, row.y) for row in open_workspace(book).campaign.table(Node)] == laid


@pytest.mark.slow
def test_hexes_lie_where_their_codes_say(tmp_path: Path) -> None:
    """There is nothing to lay out, and nothing is changed."""
    book = tmp_path / "england.xlsx"
    assert (
        desk.new_campaign(desk.NewPlan("anarchy", "", None, "en", "", SECRET, False), book, lang="en").exit == Exit.DONE
    )
    before = book.read_bytes()

    assert desk.lay_out_places(book, lang="en").data["places"] == {}
    assert book.read_bytes() == before
