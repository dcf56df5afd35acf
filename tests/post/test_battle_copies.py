"""The form of a battle in clubs' copies: filled in, collected, confirmed, it counts as if the referee had typed it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.records import Question
from assistant.desk.commands.publish import copy_of
from assistant.desk.results import Result
from assistant.desk.workspace.workspace import open_workspace
from assistant.testing.fog import leaking_columns
from assistant.workbook.build_copy import RowsSent
from tests.anarchy import cases as anarchy
from tests.anarchy.test_findings import FIGHT
from tests.bloodlust.scenario import ground
from tests.bloodlust.test_dossiers import BATTLE
from tests.playing import copy_with_folder
from tests.post.filling import SUNDAY
from tests.post.test_collect_office import saved_by_libreoffice
from tests.post.test_copies import copies
from tests.turn.test_club_form import stopped
from tests.turn.test_halves import waiting
from tests.warriors.test_findings import fought

Cells = Mapping[tuple[int, str], Any]
"""Number of a sheet and cell -> what is typed there. In a copy of Bloodlust: 2 Questions, 3 units, 4 commanders."""
SEK: Cells = {(3, "D5"): "attacker none", (4, "C5"): 3, (4, "D5"): "yes", (4, "C6"): 0, (4, "C7"): 1,
              (5, "C5"): "yes"}
VOR: Cells = {(3, "D5"): "attaccante", (4, "C5"): 2, (4, "C6"): 4, (4, "E6"): "sì"}
REPORT = "battle/987Su-1/{}/987Su/battle"
SAID = "attacker none; unit=SEK-u1 hits=3 routed=yes; unit=SEK-u2 hits=0; unit=SEK-u3 hits=1; leader=SEK-m1 down=yes"
"""What SEK reports with these cells."""


@pytest.fixture(scope="module")
def tanaephis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of Bloodlust that waits for the battle of SEK and VOR, and the copies of both and of PIO."""
    book = waiting(tmp_path_factory.mktemp("bloodlust"), "bloodlust", ground("987Su", "battle", Battles=BATTLE))
    assert desk.share(book, book.parent / "out", only=["SEK", "VOR", "PIO"]).exit == desk.Exit.DONE
    return book


@pytest.fixture(scope="module")
def england(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The third day of The Anarchy, on which A1 has attacked E1, and the copies of both sides."""
    book = waiting(tmp_path_factory.mktemp("anarchy"), "anarchy", anarchy.build("movement", **FIGHT))
    assert desk.share(book, book.parent / "out", only=["royal", "angevin"]).exit == desk.Exit.DONE
    return book


@pytest.fixture
def war(tanaephis: Path, tmp_path: Path) -> Path:
    """The campaign of Bloodlust, to be changed."""
    return copy_with_folder(tanaephis, tmp_path)


@pytest.fixture
def day(england: Path, tmp_path: Path) -> Path:
    """The day of The Anarchy, to be changed."""
    return copy_with_folder(england, tmp_path)


def filled(book: Path, club: str, cells: Cells, at: int = SUNDAY, out: str = "out") -> Path:
    """A club's copy with these cells filled in, among what came back."""
    opened = openpyxl.load_workbook(book.parent / out / f"war-{club}.xlsx")
    for (sheet, cell), value in cells.items():
        opened.worksheets[sheet][cell] = value
    to = book.parent / "back" / f"war-{club}.xlsx"
    to.parent.mkdir(exist_ok=True)
    opened.save(to)
    os.utime(to, (at, at))
    return to


def collected(book: Path, lang: str = "en") -> Result:
    """What came back, taken in."""
    return desk.collect(book, [book.parent / "back"], receipts=book.parent / "receipts", lang=lang)


def told(result: Result) -> list[tuple[str, str]]:
    """Code and cell of all findings."""
    return [(finding.code, finding.cell.partition(".xlsx ")[2]) for finding in result.findings]


def answer(book: Path, club: str) -> str:
    """What a club reports of the battle of Bloodlust."""
    row = open_workspace(book, "en").campaign.table(Question).get(REPORT.format(club))
    return "-" if row is None else row.answer


def fate(book: Path) -> set[str]:
    """What a battle came to: all rows of units, commanders and the form, as text."""
    campaign = open_workspace(book, "en").campaign
    sheets = ("Battles", "BattleUnits", "BattleLeaders", "Losses", "Battle armies", "Battle units", "Units", "Leaders",
              "Armies", "Nobles")
    return {str(row.as_text()) for sheet in sheets if campaign.has(sheet) for row in campaign.by_sheet(sheet)}


def confirmed(book: Path, *lines: str) -> Result:
    """The phase, once the referee has typed this."""
    taken = desk.take_orders(book, [desk.Input(line, text=line) for line in lines], lang="en")
    assert taken.exit == desk.Exit.DONE, taken.finding_lines()
    return desk.resolve(book, lang="en", defaults=True)


# --- what leaves --------------------------------------------------------------------------------------------
def test_a_copy_shows_the_form_of_its_own_battle(war: Path) -> None:
    """The row of its report, and behind it the sheets of its own units and commanders, a few blank rows for more; its
    own half is to be filled in, nothing else.
    """
    opened = openpyxl.load_workbook(war.parent / "out" / "war-SEK.xlsx")
    assert opened.sheetnames[:7] == ["Desk", "Orders", "Order card", "Questions", "BattleUnits", "BattleLeaders",
                                     "Battles"]
    steps = [str(cell.value) for cell in opened.worksheets[0]["B"]]
    assert any("When 987Su-1 is fought, fill in its result on Questions, BattleUnits, BattleLeaders." in step
               for step in steps)
    asked, units = opened["Questions"], opened["BattleUnits"]
    assert asked["B5"].value.startswith("Your report on 987Su-1 at Castra Nova (V3), in one line: Winner (attacker, ")
    assert asked["C5"].value == "987Su-1: winner _ retreat _"
    assert [[cell.value for cell in row[:5]] for row in units.iter_rows(min_row=5)] == [
        *([["987Su-1", f"SEK-u{n}", None, "no", "no"] for n in (1, 2, 3)]), *[["987Su-1", *[None] * 4]] * 6]
    open_cells = {cell.coordinate for row in units.iter_rows(min_row=5) for cell in row if not cell.protection.locked}
    blank = {f"{c}{n}" for n in range(8, 14) for c in "BCDE"}
    assert open_cells == {f"{c}{n}" for n in (5, 6, 7) for c in "CDE"} | blank
    yellow = {units[cell].fill.fgColor.rgb for cell in open_cells}
    assert yellow == {asked["D5"].fill.fgColor.rgb}
    assert yellow.isdisjoint({units["A5"].fill.fgColor.rgb, units["B5"].fill.fgColor.rgb})
    assert {str(rule.sqref).split(":")[0] for rule in units.data_validations.dataValidation} >= {"D5", "E5"}


@pytest.mark.slow
def test_nobody_else_has_it(war: Path) -> None:
    """A nation that does not fight; of the other half nothing, and everybody's copy has nothing to fill in."""
    workspace = open_workspace(war, "en")
    (war.parent / "out" / "war-public.xlsx").write_bytes(copy_of(workspace.ruleset, workspace.campaign, ""))
    for name in ("PIO", "public"):
        opened = openpyxl.load_workbook(war.parent / "out" / f"war-{name}.xlsx")
        assert {"BattleUnits", "Reparti in battaglia", "Questions", "Domande"}.isdisjoint(opened.sheetnames)
    for name, other in (("SEK", "VOR-u"), ("VOR", "SEK-u")):
        opened = openpyxl.load_workbook(war.parent / "out" / f"war-{name}.xlsx")
        said = [str(cell.value) for sheet in opened.worksheets[3:6] for row in sheet.iter_rows() for cell in row]
        assert not [one for one in said if other in one]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "club"), [("bloodlust", "SEK"), ("bloodlust", "VOR"), ("warriors", "men"),
                                            ("warriors", "orcs"), ("anarchy", "royal"), ("incursio", "esdef")])
def test_a_form_keeps_the_others_secrets(book: str, club: str) -> None:
    """No byte of a copy differs by what the club may not know of the battle for which the phase waits."""
    ruleset, campaign = stopped(book)
    assert leaking_columns(ruleset, campaign, club, package=copies) == []


# --- what comes back ----------------------------------------------------------------------------------------
@pytest.mark.slow
def test_both_halves_are_confirmed_and_count_as_if_the_referee_had_typed_them(war: Path, tmp_path: Path) -> None:
    """Each club gets its half in words; what becomes of every record is the same, and all of it is verified."""
    typed = tmp_path / "typed"
    shutil.copytree(war.parent, typed)
    filled(war, "SEK", SEK)
    filled(war, "VOR", VOR)
    result = collected(war)
    assert (result.exit, told(result)) == (desk.Exit.DONE, [])
    assert answer(war, "SEK") == SAID
    assert answer(war, "VOR") == "attaccante; unit=VOR-u1 hits=2; unit=VOR-u2 hits=4 destroyed=yes"
    assert "Vincitore attaccante; VOR-u1: Colpi 2; VOR-u2: Colpi 4, Distrutta sì" in (
        war.parent / "receipts" / "war-VOR-receipt.txt").read_text()
    assert [one.code for one in desk.check(war, lang="en").findings if one.code.startswith("ARB-30")] == ["ARB-304"]

    assert confirmed(war, "battle 987Su-1 confirmed").exit == desk.Exit.DONE
    assert desk.verify(war).exit == desk.Exit.DONE
    by_hand = confirmed(typed / "war.xlsx", "battle 987Su-1 attacker none", "battleunits 987Su-1 SEK-u1 3 routed=yes",
                        "battleunits 987Su-1 SEK-u2 0", "battleunits 987Su-1 SEK-u3 1",
                        "battleleaders 987Su-1 SEK-m1 down=yes", "battleunits 987Su-1 VOR-u1 2",
                        "battleunits 987Su-1 VOR-u2 4 destroyed=yes")
    assert by_hand.exit == desk.Exit.DONE, by_hand.finding_lines()
    assert fate(war) == fate(typed / "war.xlsx")

    again = collected(war)
    assert (again.exit, told(again), again.data["taken"]) == (desk.Exit.DONE, [], [])


@pytest.mark.slow
def test_the_anarchy_counts_rows_that_clubs_put_in(day: Path, tmp_path: Path) -> None:
    """Losses of one's own in blank rows, of the other side as one's word against theirs."""
    typed = tmp_path / "typed"
    shutil.copytree(day.parent, typed)
    losses = {**{(4, f"{c}5"): v for c, v in zip("BCEF", ("a1", "foot", 1, 1), strict=True)},
              **{(4, f"{c}7"): v for c, v in zip("BCE", ("E1", "foot", 5), strict=True)}}
    filled(day, "royal", {(3, "D5"): "attacker fled 9", **losses})
    filled(day, "angevin", {(3, "D5"): "attacker fled 9", **{(4, f"{c}5"): v for c, v in zip(
        "BCEFG", ("E1", "foot", 2, 1, 3), strict=True)}, (4, "B6"): "E1", (4, "D6"): "N2", (4, "G6"): 1})
    result = collected(day)
    assert (result.exit, {code for code, _ in told(result)}) == (desk.Exit.DONE, {"ARB-366"})  # orders are due, too
    checked = desk.check(day, lang="en")
    assert [finding.code for finding in checked.findings if finding.code.startswith("ARB-30")] == ["ARB-305"]
    assert "differ in E1 foot: royal: Killed 5; angevin: Killed 2" in (
        " ".join(checked.finding_lines()))

    confirmed(day, "battle B3-1 entered")
    confirmed(typed / "war.xlsx", "battle B3-1 attacker fled 9", "losses B3-1 A1 foot 1 1 0",
              "losses B3-1 E1 foot 2 1 3", "losses B3-1 E1 N2 captured=1", "battle B3-1 entered")
    assert fate(day) == fate(typed / "war.xlsx")


@pytest.mark.slow
def test_fantasy_warriors_counts_the_rows_that_it_has_laid_out(tmp_path: Path) -> None:
    """Of one's own Units and Forces in light yellow; what is typed of the other side is one's word against theirs."""
    book = waiting(tmp_path / "war", "warriors", fought("", "M1a 10", "O1a 10").campaign)
    typed = tmp_path / "typed"
    shutil.copytree(book.parent, typed)
    assert desk.share(book, book.parent / "out", only=["men", "orcs"]).exit == desk.Exit.DONE
    units = openpyxl.load_workbook(book.parent / "out" / "war-men.xlsx").worksheets[5]
    assert {cell.coordinate for row in units.iter_rows(min_row=5) for cell in row if not cell.protection.locked} == {
        "D5", "E5", "F5"}
    filled(book, "men", {(3, "D5"): "attacker 4", (5, "D5"): 3, (5, "D6"): 7})
    filled(book, "orcs", {(3, "D5"): "attacker 4", (5, "D5"): 2, (4, "J5"): "yes"})
    assert {code for code, _ in told(collected(book))} == {"ARB-366"}  # orders for the rest of the turn
    checked = desk.check(book, lang="en")
    assert [finding.code for finding in checked.findings if finding.code.startswith("ARB-30")] == ["ARB-305"]

    assert confirmed(book, "battle B2-1 entered").exit == desk.Exit.DONE
    confirmed(typed / "war.xlsx", "battle B2-1 attacker 4", "battle_units B2-1 M1a killed=3",
              "battle_units B2-1 O1a killed=2", "battle_armies B2-1 O1 commander_killed=yes", "battle B2-1 entered")
    assert fate(book) == fate(typed / "war.xlsx")


@pytest.mark.slow
def test_rows_alone_are_a_part_of_the_half(war: Path) -> None:
    """A club that types no result: the other's counts, with the rows of both."""
    filled(war, "SEK", {cell: value for cell, value in SEK.items() if cell[0] != 3})
    filled(war, "VOR", VOR)
    assert collected(war).exit == desk.Exit.DONE
    assert answer(war, "SEK").startswith("unit=SEK-u1 hits=3")
    assert confirmed(war, "battle 987Su-1 confirmed").exit == desk.Exit.DONE
    row: Any = open_workspace(war, "en").campaign.by_sheet("BattleUnits")["987Su-1/SEK-u1"]
    assert (row.hits, row.routed, row.status) == (3, True, "counted")


@pytest.mark.slow
def test_of_two_rows_of_one_unit_the_first_counts(war: Path) -> None:
    """ARB-031 names the second and the first; the receipt says that the second was not taken, and what was."""
    filled(war, "SEK", {(3, "D5"): "attacker none", (4, "C5"): 3, (4, "B8"): "SEK-u1", (4, "C8"): 1})
    assert told(collected(war)) == [("ARB-031", "BattleUnits!A8")]
    assert answer(war, "SEK") == "attacker none; unit=SEK-u1 hits=3"


@pytest.mark.slow
def test_a_report_of_which_nothing_was_taken_is_missing(war: Path) -> None:
    """The receipt names it, as the copy does, until something of it counts."""
    receipt = war.parent / "receipts" / "war-SEK-receipt.txt"
    filled(war, "SEK", {(3, "D5"): "what a fight", (4, "C5"): 3})
    assert told(collected(war)) == [("ARB-302", "Questions!D5"), ("ARB-309", "Questions!D5")]
    assert "cannot be read, 1 further row of the report does not count either" in receipt.read_text(encoding="utf-8")
    assert receipt.read_text(encoding="utf-8").splitlines()[-2:] == ["Still missing:", "- Your report on 987Su-1"]
    filled(war, "SEK", {(3, "D5"): "attacker none"}, SUNDAY + 60)
    assert told(collected(war)) == []
    assert receipt.read_text(encoding="utf-8").splitlines()[-1] == "Nothing is missing."


@pytest.mark.slow
@pytest.mark.parametrize(("said", "line"), [
    ("we won, VOR retreats", "winner=attacker retreat=defender"), ("abbiamo vinto noi", "winner=attacker")])
def test_a_cell_is_read_as_a_mail_is(war: Path, said: str, line: str) -> None:
    """What people tell in their own words stands beside the rows of the sheets."""
    filled(war, "SEK", {(3, "D5"): said, (4, "C5"): 3})
    assert told(collected(war)) == []
    assert answer(war, "SEK") == f"{line}; unit=SEK-u1 hits=3"


@pytest.mark.slow
def test_the_newest_copy_counts_as_a_whole(war: Path) -> None:
    """A new copy shows what was reported; what is changed there is changed, what is emptied is withdrawn, and one that
    comes back as it was sent changes nothing.
    """
    filled(war, "SEK", SEK)
    assert collected(war).exit == desk.Exit.DONE
    before = answer(war, "SEK")
    assert desk.share(war, war.parent / "new", only=["SEK"]).exit == desk.Exit.DONE
    units = openpyxl.load_workbook(war.parent / "new" / "war-SEK.xlsx").worksheets[4]
    assert [cell.value for cell in units[5][:5]] == ["987Su-1", "SEK-u1", 3, "yes", "no"]

    filled(war, "SEK", {}, SUNDAY + 3600, "new")
    assert told(collected(war)) == [("ARB-360", "")]
    assert answer(war, "SEK") == before

    filled(war, "SEK", {(3, "D5"): "draw", (4, "C5"): None, (4, "D5"): "no", (4, "C6"): 2}, SUNDAY + 7200, "new")
    assert collected(war).exit == desk.Exit.DONE
    assert answer(war, "SEK") == "draw; unit=SEK-u2 hits=2; unit=SEK-u3 hits=1; leader=SEK-m1 down=yes"

    nothing = dict.fromkeys([(3, "D5"), (4, "C5"), (4, "D5"), (4, "C6"), (4, "C7"), (5, "C5")])
    filled(war, "SEK", nothing, SUNDAY + 9000, "new")
    result = collected(war)
    assert [row["how"] for row in result.data["taken"]] == ["withdrawn"]
    assert answer(war, "SEK") == ""


@pytest.mark.slow
def test_a_line_behind_a_copy_is_added_to_it(war: Path) -> None:
    """As one mail to another; a result in a line takes the place of all that was told."""
    filled(war, "SEK", SEK)
    mail = war.parent / "back" / "mail.txt"
    code = openpyxl.load_workbook(war.parent / "out" / "war-SEK.xlsx").worksheets[0]["F6"].value
    mail.write_text(f"{code}\nbattleunits 987Su-1 u3 hits=2\n")
    os.utime(mail, (SUNDAY + 3600, SUNDAY + 3600))
    assert collected(war).exit == desk.Exit.DONE
    assert answer(war, "SEK").startswith("attacker none; unit=SEK-u1 hits=3")
    assert answer(war, "SEK").endswith("; u3 hits=2")
    assert confirmed(war, "battle 987Su-1 confirmed").exit == desk.Exit.DONE
    row: Any = open_workspace(war, "en").campaign.by_sheet("BattleUnits")["987Su-1/SEK-u3"]
    assert row.hits == 2


@pytest.mark.slow
def test_what_cannot_be_read_is_told_at_its_cell(war: Path) -> None:
    """In the club's language; the rest of the half counts."""
    filled(war, "VOR", {**VOR, (4, "C5"): "tanti", (4, "D6"): "boh", (4, "C8"): 1, (4, "B9"): "u 2", (4, "C9"): 1})
    result = collected(war)
    assert result.exit == desk.Exit.REFUSED
    assert sorted(told(result)) == [("ARB-027", "'Reparti in battaglia'!D6"), ("ARB-032", "'Reparti in battaglia'!B8"),
                                    ("ARB-302", "'Reparti in battaglia'!B9"), ("BLD-063", "'Reparti in battaglia'!C5")]
    assert answer(war, "VOR") == "attaccante"
    receipt = (war.parent / "receipts" / "war-VOR-receipt.txt").read_text()
    assert receipt.startswith("1 riga su 5 conta.\n")
    assert "'Reparti in battaglia'!D6\n  In rotta: 'boh' non è né sì né no." in receipt
    assert "'Reparti in battaglia'!C5\n" in receipt

    filled(war, "VOR", {(3, "D5"): "attaccante nessuna 7"}, SUNDAY + 3600)
    result = collected(war)
    assert told(result) == [("ARB-302", "Domande!D5")]
    assert answer(war, "VOR") == "attaccante"


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "value"), [
    ((4, "B6"), "SEK-u9"), ((4, "A5"), "987Su-9"), ((4, "F5"), "contata"), ((6, "F5"), "VOR")])
def test_every_other_cell_is_no_input_still(war: Path, cell: tuple[int, str], value: str) -> None:
    """ARB-364 for the battle, the unit and the status of a row that stood there, and for the sheet of battles."""
    filled(war, "SEK", {**SEK, cell: value})
    assert "ARB-364" in [code for code, _ in told(collected(war))]


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [{"J5": "battle/987Su-1/VOR"}, {
    "J5": "battle/987Su-1/VOR", "I5": "987Su-1/VOR"}, {"J5": "battle/987Su-1"}, {"I5": "987Su-1/VOR"},
    {"L5": "VOR"}, {"J5": "battle/987Su-9/SEK", "I5": "987Su-9/SEK"}])
def test_a_club_reports_in_no_other_ones_row(war: Path, hidden: Mapping[str, str]) -> None:
    """Whatever stands in the folded columns: nothing of it is taken, ARB-364 names the row, the receipt says so
    (ARB-309), and the other's stays.
    """
    line = desk.Input("line", text="VOR: battle 987Su-1 draw")
    assert desk.take_orders(war, [line]).exit == desk.Exit.DONE
    filled(war, "SEK", {(3, "D5"): "attacker", **{(3, cell): value for cell, value in hidden.items()}})
    result = collected(war)
    assert {("ARB-364", ""), ("ARB-309", "Questions!D5")} <= set(told(result))
    assert result.data["taken"] == []
    assert "Questions!D5\n  'attacker' does not count" in (
        war.parent / "receipts" / "war-SEK-receipt.txt").read_text(encoding="utf-8")
    rows = open_workspace(war, "en").campaign.table(Question)
    assert [(row.to, row.answer) for row in rows if row.answer] == [("VOR", "draw")]


@pytest.mark.slow
def test_what_the_referee_has_typed_is_not_the_clubs_word(war: Path) -> None:
    """It stands in the copy; as long as the club leaves it, it reports nothing of it, and what it types instead stands
    behind the referee's.
    """
    line = desk.Input("line", text="battleunits 987Su-1 SEK-u1 7 routed=yes")
    assert desk.take_orders(war, [line]).exit == desk.Exit.DONE
    assert desk.share(war, war.parent / "new", only=["SEK"]).exit == desk.Exit.DONE
    filled(war, "SEK", {(4, "C6"): 1}, out="new")
    assert told(collected(war)) == []
    assert answer(war, "SEK") == "unit=SEK-u2 hits=1"
    filled(war, "SEK", {(4, "C5"): 2}, SUNDAY + 3600, "new")
    assert told(collected(war)) == []
    assert answer(war, "SEK") == "unit=SEK-u1 hits=2 routed=yes"
    assert confirmed(war, "battle 987Su-1 attacker none").exit == desk.Exit.DONE
    row: Any = open_workspace(war, "en").campaign.by_sheet("BattleUnits")["987Su-1/SEK-u1"]
    assert row.hits == 7


@pytest.mark.slow
def test_a_form_of_a_battle_that_is_settled_comes_too_late(war: Path) -> None:
    """It is told, and what the battle came to stays."""
    assert confirmed(war, "battle 987Su-1 auto").exit == desk.Exit.DONE
    filled(war, "SEK", SEK)
    result = collected(war)
    assert result.exit == desk.Exit.REFUSED
    assert [code for code, _ in told(result)] == ["ARB-097"]
    assert answer(war, "SEK") == "-"
    receipt = (war.parent / "receipts" / "war-SEK-receipt.txt").read_text()
    assert "not taken: battle 987Su-1/SEK: Winner attacker; SEK-u1: Hits 3, Routed yes" in receipt


@pytest.mark.slow
def test_a_copy_of_the_version_before_is_taken_as_ever(war: Path) -> None:
    """It has no row to report in: what stands in its sheets is no input, and what was reported by mail stays."""
    assert desk.take_orders(war, [desk.Input("l", text="SEK: battle 987Su-1 attacker none")]).exit == desk.Exit.DONE
    old = war.parent / "out" / "war-SEK.xlsx"
    opened = openpyxl.load_workbook(old)
    opened["Questions"].delete_rows(5)
    opened.worksheets[0][_line_of(opened)] = re.sub(" #.*", "", str(opened.worksheets[0][_line_of(opened)].value))
    opened.save(old)
    filled(war, "SEK", {(4, "C5"): 3, (1, "B5"): "peace"})
    result = collected(war)
    assert ("ARB-364", "") in told(result)
    assert answer(war, "SEK") == "attacker none"


def _line_of(opened: Any) -> str:
    """The cell that says what stood in a copy as it was sent."""
    return str(opened.defined_names["arbitro_rows"].attr_text).partition("!")[2].replace("$", "")


@pytest.mark.parametrize(("line", "known"), [
    ("a-1…2 #12345678 =aaaaaaaa =bbbbbbbb", RowsSent(frozenset({"a-1", "a-2"}), "12345678",
                                                      frozenset({"aaaaaaaa", "bbbbbbbb"}))),
    ("- #12345678 =aaaaaaaa ~cccccccc", RowsSent(frozenset(), "12345678", frozenset({"aaaaaaaa"}), "cccccccc")),
    ("- #12345678 ~cccccccc", RowsSent(frozenset(), "12345678", laid="cccccccc")),
    ("- #12345678", RowsSent(frozenset(), "12345678"))])
def test_the_line_of_what_was_sent_is_read_again(line: str, known: RowsSent) -> None:
    """With what the referee had typed into further rows, and without."""
    assert RowsSent.of(line) == known


@pytest.mark.slow
def test_a_form_that_libreoffice_saved_counts_like_any_other(war: Path) -> None:
    """No cell seems changed, and the report is the same."""
    filled(war, "SEK", SEK)
    place = war.parent / "office"
    place.mkdir()
    saved_by_libreoffice([war.parent / "back" / "war-SEK.xlsx", war.parent / "out" / "war-VOR.xlsx"], place)
    result = desk.collect(war, [place / "in"], lang="en")
    assert (result.exit, told(result)) == (desk.Exit.DONE, [("ARB-360", "")])
    assert answer(war, "SEK") == SAID
