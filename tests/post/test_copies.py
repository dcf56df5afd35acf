"""`arbitro share`: a copy holds its club's view and form and nothing else, and what comes back counts as its orders."""

from __future__ import annotations

import io
import re
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk.commands.publish import copy_of
from assistant.desk.workspace.workspace import club_codes, open_workspace
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing.cases import campaign_of
from assistant.testing.fog import leaking_columns
from assistant.turn.ruleset import Ruleset
from assistant.workbook.file_book import open_book
from tests.anarchy.scenario import scripted_days
from tests.fresh import new_campaign
from tests.hand import by_hand
from tests.playing import copy_campaign, take_lines
from tests.reporting.test_italy import year

SECRET = "ab" * 32


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a campaign of Il Giglio in the spring of 1500 and its copies."""
    place = tmp_path_factory.mktemp("shared")
    new_campaign(place / "war.xlsx", language="it")
    assert desk.resolve(place / "war.xlsx", until="income").exit == desk.Exit.DONE
    result = desk.share(place / "war.xlsx", place / "out", by="domenica 6 dicembre")
    assert result.exit == desk.Exit.DONE, result.finding_lines()
    return place


@pytest.fixture
def war(shared: Path, tmp_path: Path) -> Path:
    """The same campaign, to be changed."""
    return copy_campaign(shared / "war.xlsx", tmp_path)


def filled(copy: Path, to: Path, **cells: str | int | None) -> Path:
    """A copy as a club saves it, with cells of its form filled in."""
    book = openpyxl.load_workbook(copy)
    for cell, value in cells.items():
        book.worksheets[1][cell] = value
    book.save(to)
    return to


def orders_of(path: Path, faction: str) -> list[Any]:
    """A faction's orders as they stand in a workbook."""
    return [row for row in open_workspace(path, "en").campaign.table(Order) if row.faction == faction]


# --- what leaves ------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_each_club_gets_its_copy_and_all_get_the_public_one(shared: Path) -> None:
    """Named after the workbook and the faction; the public one has no form and no code."""
    names = {path.name for path in (shared / "out").iterdir()}
    public = openpyxl.load_workbook(shared / "out" / "war-public.xlsx")

    assert names == {f"war-{code}.xlsx" for code in
                     ("CH", "F", "FR", "HRI", "M", "P", "S", "SV", "T", "V", "public")}
    assert "Ordini" not in public.sheetnames
    assert "arbitro_token" not in public.defined_names


@pytest.mark.slow
def test_a_copy_tells_its_club_what_to_do(shared: Path) -> None:
    """Whose it is, its code, the deadline; the form stands beside, with what may be ordered now and is its own."""
    book = openpyxl.load_workbook(shared / "out" / "war-V.xlsx")
    said = {str(cell.value) for row in book.worksheets[0].iter_rows() for cell in row if cell.value}
    lists = {row[0].value: [cell.value for cell in row[1:] if cell.value] for row in book["Elenchi"].iter_cols()}

    assert {"V", "Venezia"} <= said
    assert any("entro domenica 6 dicembre" in one for one in said)
    assert book.worksheets[0]["F6"].value.startswith("ARB-")
    assert book.sheetnames[:3] == ["Banco", "Ordini", "Scheda ordini"]
    assert lists["list_unit"] == ["V-1", "V-2"]
    assert {"arruola", "marcia"} & set(lists["list_verb"])


@pytest.mark.slow
def test_a_copy_offers_no_codes_of_a_sheet_that_it_lacks(shared: Path) -> None:
    """Venice knows of no fleet: a drop-down of places or armies goes on without them, and each list that it names
    stands.
    """
    book = openpyxl.load_workbook(shared / "out" / "war-V.xlsx")
    offered = [str(rule.formula1) for rule in book["Ordini"].data_validations.dataValidation]
    named = {name for formula in offered if "COUNTIF(" in formula for name in re.findall(r"list_\w+", formula)}
    assert named <= set(book.defined_names)
    assert {"list_Nodes", "list_Armies"} <= named
    assert "list_Fleets" not in named


@pytest.mark.slow
def test_a_copy_asks_its_club_alone(shared: Path) -> None:
    """Each form has the questions to its own club, though everybody knows what all are asked."""
    for code in ("V", "M"):
        sheet = openpyxl.load_workbook(shared / "out" / f"war-{code}.xlsx")["Domande"]

        assert {row[0] for row in sheet.iter_rows(min_row=5, values_only=True) if row[0]} == {code}


def chests(copy: Path) -> dict[str, Any]:
    """What a copy says of the chests, by faction, as its cells hold it."""
    rows = openpyxl.load_workbook(copy)["Fazioni"].iter_rows(values_only=True)
    heads = next(heads for row in rows if "Sigla" in (heads := [str(cell).strip() for cell in row]))
    return {str(row[heads.index("Sigla")]): row[heads.index("Cassa")] for row in rows if row[heads.index("Sigla")]}


@pytest.mark.slow
def test_numbers_that_a_club_may_not_see_are_blank(shared: Path) -> None:
    """Venice's copy shows its own chest and nothing in those of the others, where a 0 would say that they are empty."""
    for code in ("V", "public"):
        told = chests(shared / "out" / f"war-{code}.xlsx")
        assert {faction for faction, ducats in told.items() if ducats is not None} == {code} - {"public"}
        assert len(told) >= 10


@pytest.mark.slow
def test_what_is_left_is_counted_and_carries_its_result(shared: Path) -> None:
    """The formula is Venice's chest less what its orders cost; a program that does not reckon shows the chest."""
    reckoned = openpyxl.load_workbook(shared / "out" / "war-V.xlsx", data_only=True).worksheets[1]["C3"].value
    formula = openpyxl.load_workbook(shared / "out" / "war-V.xlsx").worksheets[1]["C3"].value

    assert formula.startswith(f"={reckoned}-SUMPRODUCT(")
    assert len(formula) < 8192
    assert reckoned == open_workspace(shared / "war.xlsx", "en").campaign.by_sheet("Factions")["V"].treasury


@pytest.mark.slow
def test_the_same_campaign_gives_the_same_bytes(shared: Path, tmp_path: Path) -> None:
    """As mails are made again after a crash."""
    desk.share(shared / "war.xlsx", tmp_path, by="domenica 6 dicembre", only=["V"])

    assert (tmp_path / "war-V.xlsx").read_bytes() == (shared / "out" / "war-V.xlsx").read_bytes()


@lru_cache(maxsize=1)
def england() -> Campaign:
    """Wallingford 1139 at the end of its third day."""
    return next(campaign for day, campaign, _ in scripted_days() if day == 3)


def copies(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None = None) -> bytes:
    """All bytes of what a faction gets as workbooks, unpacked: its copy and everybody's."""
    found = []
    for one in (faction, ""):
        with zipfile.ZipFile(io.BytesIO(copy_of(ruleset, whole, one, "ARB-2222-2222-22"))) as archive:
            found += [name.encode() + archive.read(name) for name in archive.namelist()]
    return b"".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("faction", ["V", "M", "F", "P", "HRI", "SV", "S", "FR", "T", "CH"])
def test_a_copy_of_il_giglio_keeps_the_others_secrets(faction: str) -> None:
    """In the middle of the summer: no byte of any part differs by what the club may not know."""
    assert leaking_columns(GIGLIO, year()["1500", "r4.battle"], faction, package=copies) == []


@pytest.mark.slow
@pytest.mark.parametrize("faction", ["royal", "angevin"])
def test_a_copy_of_the_anarchy_keeps_the_others_secrets(faction: str) -> None:
    """After three days, with captives, hidden purses and orders of both sides."""
    assert leaking_columns(ANARCHY, england(), faction, package=copies,
                 keep=lambda row: getattr(row, "event", "") == "opened") == []


@pytest.mark.slow
def test_chances_stand_beside_the_order(tmp_path: Path) -> None:
    """Where the Desk allows it: in a copy and in a report what the Force test of an order needs, from the club's view
    alone; such a copy comes back without a finding. Else the copy has no such column.
    """
    book = new_campaign(tmp_path / "war.xlsx", "warriors")
    assert desk.resolve(book, until="weather", lang="en").exit is desk.Exit.DONE
    taken = take_lines(book, "dwarfs: D1 order march")
    assert taken.exit is desk.Exit.DONE, taken.finding_lines()
    for shown in (None, "yes"):
        by_hand(book, ("Desk", "Chances in reports", "Value", shown))
        assert desk.share(book, tmp_path / "out", lang="en").exit is desk.Exit.DONE
        sheet = openpyxl.load_workbook(tmp_path / "out" / "war-dwarfs.xlsx")["Orders"]
        told = [str(cell.value) for row in sheet.iter_rows() for cell in row if "given" in str(cell.value)]
        assert any(cell.value == "How likely" for row in sheet.iter_rows() for cell in row) == bool(shown)
        assert bool(told) == bool(shown), told
    again = desk.take_orders(book, [desk.Input("war-dwarfs.xlsx", tmp_path / "out" / "war-dwarfs.xlsx")], lang="en")
    assert (again.exit, again.findings) == (desk.Exit.DONE, [])
    campaign = campaign_of(book)
    assert leaking_columns(WARRIORS, campaign, "dwarfs", package=copies) == []


# --- what comes back --------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_filled_copy_comes_back_as_its_clubs_orders(shared: Path, war: Path, tmp_path: Path) -> None:
    """Turn, phase, faction and number are filled in; what was ordered stands in the workbook."""
    copy = filled(shared / "out" / "war-V.xlsx", tmp_path / "back.xlsx", B5="arruola", E5="V8", F5=40, I6="flotta V8")

    result = desk.take_orders(war, [desk.Input(copy.name, copy)])

    assert result.exit == desk.Exit.DONE, result.finding_lines()
    assert [(o.order, o.phase, o.verb, o.target, o.amount, o.text) for o in orders_of(war, "V")] == [
        ("1500-budget-V-1", "budget", "arruola", "V8", 40, ""), ("1500-budget-V-2", "budget", "", "", "", "flotta V8")]


@pytest.mark.slow
def test_the_code_decides_whose_orders_they_are(shared: Path, war: Path, tmp_path: Path) -> None:
    """Venice writes Milan into its form: the rows are Venice's, and are judged as Venice's."""
    copy = filled(shared / "out" / "war-V.xlsx", tmp_path / "back.xlsx", B5="flotta", E5="V8", L5="M")

    desk.take_orders(war, [desk.Input(copy.name, copy)])

    assert orders_of(war, "M") == []
    assert len(orders_of(war, "V")) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("code", "wanted"), [
    (None, "ARB-340"), ("ARB-2222-2222-22", "ARB-340"), ("not a code", "ARB-340"), ("{V} {M}", "ARB-370")])
def test_a_copy_without_its_code_is_refused(shared: Path, war: Path, tmp_path: Path, code: str | None,
                                            wanted: str) -> None:
    """So is one with those of two clubs. Nothing of it is taken, and the finding says what to do."""
    copy = filled(shared / "out" / "war-V.xlsx", tmp_path / "back.xlsx", B5="flotta", E5="V8")
    book = openpyxl.load_workbook(copy)
    book.worksheets[0]["F6"] = code and code.format_map(club_codes(open_workspace(war, "en")).now)
    book.save(copy)

    result = desk.take_orders(war, [desk.Input(copy.name, copy)])

    assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.REFUSED, [wanted])
    assert orders_of(war, "V") == []


@pytest.mark.slow
def test_a_renewed_code_makes_the_old_one_worthless(shared: Path, war: Path, tmp_path: Path) -> None:
    """`share --renew V`: only Venice's copy is written, with another code; the old copy is refused, the new taken."""
    desk.share(war, tmp_path / "new", renew="v")
    old = filled(shared / "out" / "war-V.xlsx", tmp_path / "old.xlsx", B5="flotta", E5="V8")
    new = filled(tmp_path / "new" / "war-V.xlsx", tmp_path / "back.xlsx", B5="flotta", E5="V8")

    refused = desk.take_orders(war, [desk.Input("old.xlsx", old)])
    taken = desk.take_orders(war, [desk.Input("back.xlsx", new)])

    assert [path.name for path in (tmp_path / "new").iterdir()] == ["war-V.xlsx"]
    assert [f.code for f in refused.findings] == ["ARB-341"]
    assert taken.exit == desk.Exit.DONE
    assert len(orders_of(war, "V")) == 1


@pytest.mark.slow
def test_a_copy_of_another_turn_is_refused(shared: Path, war: Path, tmp_path: Path) -> None:
    """It is named with both turns."""
    copy = filled(shared / "out" / "war-V.xlsx", tmp_path / "back.xlsx", B5="flotta", E5="V8")
    book = openpyxl.load_workbook(copy)
    next(cell for row in book.worksheets[0].iter_rows() for cell in row if str(cell.value) == "1500").value = 1499
    book.save(copy)

    result = desk.take_orders(war, [desk.Input(copy.name, copy)])

    assert [(f.code, f.data["seen"], f.data["turn"]) for f in result.findings] == [("ARB-342", "1499", "1500")]


@pytest.mark.slow
def test_an_untouched_copy_orders_nothing(shared: Path, war: Path) -> None:
    """It is read without a finding."""
    copy = shared / "out" / "war-M.xlsx"

    result = desk.take_orders(war, [desk.Input(copy.name, copy)])

    assert (result.exit, result.findings, result.data["taken"]) == (desk.Exit.DONE, [], [])
    assert open_book(copy).read().findings == []
