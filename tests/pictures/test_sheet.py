"""The map in the workbook: on its own sheet, renewed, gone and back with `undo`; a club's own shapes, coloured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction, Node
from assistant.desk.workspace.workspace import open_workspace
from assistant.desk.workspace.writer import open_for_writing
from assistant.ledger import Ledger, path_of_ledger
from assistant.pictures import read_note
from assistant.wording import Wording
from assistant.workbook.map_sheet import add_unplaced_names
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.transplant import (
    add_picture_sheet,
    find_map_picture,
    map_picture_bytes,
    png_size,
    renew_picture,
)
from assistant.workbook.ooxml.xml_tree import Unsafe
from assistant.workbook.port import DeskLines
from tests.books.drawn import PNG, SPACES, anchored, shape
from tests.playing import members

OTHER = PNG[:-12] + b"\0\0\0\4tEXta\0bc" + bytes(4) + PNG[-12:]


def shown(book: Path) -> bytes:
    """The picture that a workbook shows."""
    return map_picture_bytes(OoxmlBook(book.read_bytes()))


def put(book: Path, *, shapes: bool = False) -> desk.Result:
    """`arbitro map --sheet`, or `--shapes`; it is done."""
    result = desk.put_map_sheet(book, shapes=shapes, lang="en")
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    return result


def orders(book: Path) -> None:
    """Both armies are to march to the middle."""
    assert desk.take_orders(book, [desk.Input(line, text=line) for line in ("A: M1", "B: M1")]).exit == desk.Exit.DONE


def march(book: Path) -> None:
    """A phase that moves both armies."""
    orders(book)
    assert desk.resolve(book).exit == desk.Exit.DONE


# --- the sheet ---------------------------------------------------------------------------------------------------
def test_a_new_sheet_leaves_every_other_part_as_it_was(book: Path) -> None:
    """Of the parts that were there only the lists change that name the new ones: sheets, links, kinds of content."""
    before = book.read_bytes()
    made = OoxmlBook(before)
    add_picture_sheet(made, "Mappa", PNG, 'Milano "holds"\n3 & more')
    old, new = members(before), members(made.package.pack())

    assert {name for name in old if new[name] != old[name]} == {
        "[Content_Types].xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"}
    again = OoxmlBook(made.package.pack())
    assert list(again.sheets)[-1] == "Mappa"
    assert map_picture_bytes(again) == PNG
    assert b'descr="Milano &quot;holds&quot;&#10;3 &amp; more"' in new[str(find_map_picture(again)[1])]  # type: ignore[index]


def test_another_picture_changes_two_parts(book: Path) -> None:
    """A picture that is renewed changes its own bytes and its words; where it stands stays as the referee has it."""
    made = OoxmlBook(book.read_bytes())
    add_picture_sheet(made, "Mappa", PNG, "then")
    first = made.package.pack()
    again = OoxmlBook(first)

    assert renew_picture(again, OTHER, "now")
    old, new = members(first), members(again.package.pack())
    assert sorted(name.rpartition("/")[2] for name in old if new[name] != old[name]) == [
        "arbitroDrawing1.xml", "arbitroMap1.png"]


def test_a_club_that_drew_its_own_map_keeps_it(book: Path) -> None:
    """A sheet that is called like ours is nobody's but the club's: nothing is put there."""
    made = OoxmlBook(book.read_bytes())
    add_picture_sheet(made, "Mappa", PNG, "ours")

    with pytest.raises(Unsafe, match="mappa"):
        add_picture_sheet(made, "mappa", PNG, "another")


@pytest.mark.slow
def test_our_map_gets_a_number_beside_a_sheet_of_that_name(book: Path) -> None:
    """The club's own sheet stays as it is, the next phase renews ours, and `undo` gives the very bytes back."""
    made = OoxmlBook(book.read_bytes())
    add_picture_sheet(made, "Map", PNG, "the club's")
    drawing = "xl/drawings/arbitroDrawing1.xml"
    made.package.put(drawing, made.package.raw(drawing).replace(b"Arbitro map", b"Our own map"))
    book.write_bytes(made.package.pack())
    before = book.read_bytes()
    put(book)
    march(book)

    after = OoxmlBook(book.read_bytes())
    assert list(after.sheets)[-2:] == ["Map", "Map 2"]
    assert after.package.raw("xl/media/arbitroMap1.png") == PNG
    assert desk.undo(book, hard=True, snapshot=1).exit == desk.Exit.DONE
    assert book.read_bytes() == before


@pytest.mark.slow
def test_each_phase_renews_the_map_and_undo_gives_the_very_bytes_back(book: Path) -> None:
    """The ledger keeps no picture: what `undo` brings back was drawn again, and no byte of the file differs."""
    bare = book.read_bytes()
    put(book)
    first = shown(book)
    orders(book)
    ordered = book.read_bytes()
    assert desk.resolve(book).exit == desk.Exit.DONE
    marched, second = book.read_bytes(), shown(book)

    assert png_size(first)[0] == 1600
    assert first != second
    with Ledger.open(path_of_ledger(book), open_workspace(book).campaign.desk.campaign_id) as ledger:
        kept = [ledger.book(step.id) for step in ledger.steps() if step.verb == "resolve"]
    assert kept
    assert all(first[:200] not in one for one in kept)
    assert desk.undo(book).exit == desk.Exit.DONE
    assert book.read_bytes() == ordered
    assert desk.redo(book, hard=True).exit == desk.Exit.DONE
    assert book.read_bytes() == marched
    assert desk.undo(book, steps=2, hard=True).exit == desk.Exit.DONE
    assert book.read_bytes() == bare


@pytest.mark.slow
def test_undo_takes_the_sheet_out_again(book: Path) -> None:
    """The sheet is a change like any other: undone, the file is what it was."""
    bare = book.read_bytes()
    put(book)

    assert shown(book)
    assert desk.undo(book).exit == desk.Exit.DONE
    assert book.read_bytes() == bare


@pytest.mark.slow
def test_undo_takes_the_sheet_out_also_where_something_was_typed_since(book: Path) -> None:
    """What was typed stays, the sheet and all its parts go, and no phase draws it any more; `redo` puts it back."""
    bare = book.read_bytes()
    put(book)
    orders(book)

    result = desk.undo(book, lang="en")

    assert result.lines == ["Undone: the map is taken out of the workbook again, or the shapes have the colours that"
                            " they had.", "Kept 2 rows typed since."]
    assert result.findings == []
    assert set(members(book.read_bytes())) == set(members(bare))
    assert list(OoxmlBook(book.read_bytes()).sheets) == list(OoxmlBook(bare).sheets)
    assert len(open_workspace(book).campaign.by_sheet("Orders")) == 2
    assert desk.redo(book, lang="en").exit == desk.Exit.DONE
    assert shown(book)
    assert desk.undo(book, lang="en").exit == desk.Exit.DONE
    assert desk.resolve(book).exit == desk.Exit.DONE
    assert shown(book) == b""


@pytest.mark.slow
def test_a_sheet_in_front_goes_too(book: Path) -> None:
    """Where the map is what the referee looks at another sheet comes to the front."""
    put(book)
    made = OoxmlBook(book.read_bytes())
    number = list(made.sheets).index(str(find_map_picture(made)[0]))  # type: ignore[index]
    made.package.put(made.part, re.sub(rb"<workbookView[^>]*/>", b'<workbookView activeTab="%d"/>' % number,
                                       made.package.text(made.part)))
    book.write_bytes(made.package.pack())
    orders(book)

    assert desk.undo(book, lang="en").exit == desk.Exit.DONE
    again = OoxmlBook(book.read_bytes())
    assert find_map_picture(again) is None
    assert b'activeTab="%d"' % number not in again.package.text(again.part)


@pytest.mark.slow
def test_a_sheet_with_something_of_the_referees_own_stays_and_that_is_said(book: Path) -> None:
    """Nobody's drawing is thrown away: the sheet stays, and what to do is said (ARB-465)."""
    put(book)
    made = OoxmlBook(book.read_bytes())
    drawing = find_map_picture(made)[1]  # type: ignore[index]
    text = made.package.text(drawing)
    made.package.put(drawing, text.replace(b"</xdr:wsDr>", anchored(shape(9, "star5")).encode() + b"</xdr:wsDr>"))
    book.write_bytes(made.package.pack())
    orders(book)

    result = desk.undo(book, lang="en")

    assert result.lines[0] == "Undone, but for the map: not all of it could be taken back."
    assert [(finding.code, finding.data) for finding in result.findings] == [("ARB-465", {"sheet": "Map"})]
    assert shown(book)


@pytest.mark.slow
def test_the_map_can_be_left_for_once(book: Path) -> None:
    """A phase that is told to draws no map; the next change of the workbook draws it; and `undo` gives either back."""
    put(book)
    first = shown(book)
    orders(book)
    assert desk.resolve(book, draws=False).exit == desk.Exit.DONE
    left = book.read_bytes()
    assert shown(book) == first
    assert desk.resolve(book, defaults=True).exit in (desk.Exit.DONE, desk.Exit.WAITING)
    assert shown(book) != first
    assert desk.undo(book, hard=True).exit == desk.Exit.DONE
    assert book.read_bytes() == left


@pytest.mark.slow
def test_names_stay_where_they_were(book: Path) -> None:
    """A picture says where its names stand, and the next one begins with that."""
    put(book)
    first = read_note(shown(book))
    march(book)
    second = read_note(shown(book))

    assert first is not None
    assert second is not None
    assert first.placed
    assert second.before == first.placed


@pytest.mark.slow
def test_the_referees_own_map_is_drawn_only_where_the_desk_says_so(book: Path, tmp_path: Path) -> None:
    """Everybody's map stands in a workbook, unless only the referee has it; `share` never carries the referee's."""
    put(book)
    first = read_note(shown(book))
    workspace = open_workspace(book)
    mine = workspace.campaign.copy()
    mine.desk.map_for = REFEREE
    with open_for_writing(workspace, "map") as session:
        session.commit("mark", mine)
    second = read_note(shown(book))

    assert first is not None
    assert second is not None
    assert (first.whose, second.whose) == ("", REFEREE)
    assert open_workspace(book).campaign.desk.map_for == REFEREE
    assert desk.share(book, tmp_path / "copies").exit == desk.Exit.DONE
    copies = sorted((tmp_path / "copies").glob("*.xlsx"))
    assert len(copies) == 3
    assert all(shown(copy) for copy in copies)
    assert all(read_note(shown(copy)) is None for copy in copies)


def test_a_workbook_without_the_sheet_gets_none(book: Path) -> None:
    """Who has not asked for a map has none after any phase."""
    march(book)

    assert shown(book) == b""


def without_room(book: Path) -> list[str]:
    """What the Desk says of names without room."""
    made = OoxmlBook(book.read_bytes())
    return [str(cell.value) for row in made.rows("Desk").values() for cell in row.values()
            if str(cell.value).endswith(".") and "No room" in str(cell.value)]


@pytest.mark.slow
def test_the_desk_lists_the_names_that_found_no_room(book: Path) -> None:
    """With each writing that draws the map, behind what is to be done next; a very long name is cut there."""
    put(book)
    workspace = open_workspace(book)
    mine = workspace.campaign.copy()
    mine.table(Node)["M1"].name = "Middle of nowhere " * 30
    with open_for_writing(workspace, "map") as session:
        session.commit("mark", mine)
    assert without_room(book) == ["4.  No room on the map for: Middle of nowhere Middle of nowhere Middle of nowhere…."]
    march(book)

    assert [told[1:] for told in without_room(book)] == [
        ".  No room on the map for: Middle of nowhere Middle of nowhere Middle of nowhere…."]


@pytest.mark.slow
def test_where_all_names_have_room_the_desk_says_nothing_of_them(book: Path) -> None:
    """Nothing is listed that need not be."""
    put(book)
    march(book)

    assert without_room(book) == []


@pytest.mark.parametrize(("many", "end"), [(2, "N0, N1."), (12, "N10, N11."), (13, "N11, and 1 more."),
                                           (40, "N11, and 28 more.")])
def test_a_long_list_of_names_is_cut(many: int, end: str) -> None:
    """At most twelve names stand on the Desk, and how many more there are."""
    campaign = Campaign([Node])
    for n in range(many):
        campaign.table(Node).add(Node(f"P{n}", f"N{n}"))
    lines = add_unplaced_names(
        DeskLines(next_steps=("Rest.",)), campaign.table(Node).keys(), campaign, Wording(None, "en")
    )

    assert lines.next_steps[0] == "Rest."
    assert lines.next_steps[1].endswith(end)


# --- a club's own shapes ---------------------------------------------------------------------------------------------
def with_shapes(book: Path) -> None:
    """A club's own map on its own sheet: a shape for A1, one for B1 by its alternative text, one that is no place."""
    made = OoxmlBook(book.read_bytes())
    add_picture_sheet(made, "Our map", PNG, "")
    drawing = "xl/drawings/arbitroDrawing1.xml"
    drawn = [shape(2, "rect", "Ashford").replace('name="Forma 2"', 'name="A1"'),
             shape(3, "ellipse").replace('name="Forma 3"', 'name="Forma 3" descr="b1 (Brook)"'),
             shape(4, "star5", "M1")]
    made.package.put(drawing, f'<xdr:wsDr {SPACES}>{"".join(map(anchored, drawn))}</xdr:wsDr>'.encode())
    book.write_bytes(made.package.pack())


def test_shapes_that_bear_a_code_take_its_owners_colour_and_nothing_else_changes(book: Path) -> None:
    """By name or alternative text; the fill and the border change, and no other byte of the drawing."""
    with_shapes(book)
    drawing = "xl/drawings/arbitroDrawing1.xml"
    before = members(book.read_bytes())[drawing].decode()
    result = put(book, shapes=True)
    after = members(book.read_bytes())[drawing].decode()

    assert result.data["shapes"] == 2
    found = re.findall(r'<xdr:sp .*?</xdr:sp>', after)
    assert ["<a:solidFill>" in one for one in found] == [True, True, False]
    assert all('<a:ln w="9525">' in one for one in found[:2])
    plain = re.sub(r'<a:ln .*?</a:ln>|<a:solidFill>.*?</a:solidFill>', "", after)
    assert plain == before
    again = book.read_bytes()
    put(book, shapes=True)
    assert members(book.read_bytes())[drawing] == members(again)[drawing]


def test_where_no_shape_bears_a_code_nothing_is_changed(book: Path) -> None:
    """It is said, and the workbook stays as it was."""
    before = book.read_bytes()

    assert desk.put_map_sheet(book, shapes=True).exit == desk.Exit.REFUSED
    assert members(book.read_bytes()) == members(before)
    assert open_workspace(book).campaign.table(Faction)


def test_undo_after_typing_says_that_shapes_keep_their_colours(book: Path) -> None:
    """Nobody has kept what they looked like before: it is said (ARB-466), and no phase colours them any more."""
    with_shapes(book)
    put(book, shapes=True)
    orders(book)

    result = desk.undo(book, lang="en")

    assert result.lines[0] == "Undone, but for the map: not all of it could be taken back."
    assert [finding.code for finding in result.findings] == ["ARB-466"]
    coloured = members(book.read_bytes())["xl/drawings/arbitroDrawing1.xml"]
    assert desk.resolve(book, until="clash", defaults=True).exit in (desk.Exit.DONE, desk.Exit.WAITING)
    assert members(book.read_bytes())["xl/drawings/arbitroDrawing1.xml"] == coloured
    assert b"arbitro_shapes" not in members(book.read_bytes())["xl/workbook.xml"]
