"""A slip in one row of Orders: that row is refused or withdrawn, every other one is played, in both rulebooks."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assistant import desk
from assistant.campaign.records import FindingRow, Order
from assistant.testing.cases import campaign_of, must_succeed
from assistant.turn.views import only_addressed
from assistant.workbook.file_book import open_book
from assistant.workbook.read.csv_folder import write_folder
from tests import hand
from tests.anarchy.scenario import PLACE
from tests.giglio import cases
from tests.playing import copy_campaign

FIRST = 6
"""The first row of Orders beneath its headings."""


class Table(NamedTuple):
    """A campaign whose present phase takes orders. `club`, `other`: two factions and an order of each that stands;
    `until`: the phase by which both are judged; `word`: what stands in For.
    """

    book: Path
    club: dict[str, Any]
    other: dict[str, Any]
    until: str
    stem: str


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table]:
    """One of each rulebook."""
    place = tmp_path_factory.mktemp("slips")
    write_folder(cases.build("budget"), place / "giglio")
    must_succeed("new", "giglio", place / "g.xlsx", "--from", place / "giglio", "--secret", cases.SECRET.hex())
    (place / "anarchy").mkdir()
    for file in PLACE.glob("*.csv"):
        if file.stem not in ("answers", "battles", "battle_results", "losses", "expected", "orders", "dice"):
            shutil.copyfile(file, place / "anarchy" / file.name)
    must_succeed("new", "anarchy", place / "a.xlsx", "--from", place / "anarchy")
    must_succeed("resolve", place / "a.xlsx")
    return {
        "giglio": Table(place / "g.xlsx", {"faction": "V", "verb": "loan", "amount": 10},
                        {"faction": "M", "verb": "loan", "amount": 4}, "budget", "1500-budget"),
        "anarchy": Table(place / "a.xlsx", {"faction": "royal", "verb": "DETACH", "unit": "A-YPR", "target": "C-KNG"},
                         {"faction": "angevin", "verb": "PROVISION", "unit": "A-MIL", "target": "cricklade",
                          "node": "1004"},
                         "1.movement", "1-day"),
    }


@pytest.fixture(params=["giglio", "anarchy"])
def table(request: pytest.FixtureRequest, tables: dict[str, Table], tmp_path: Path) -> Table:
    """A copy of one's own."""
    made = tables[request.param]
    return made._replace(book=copy_campaign(made.book, tmp_path))


def typed(book: Path, rows: dict[int, dict[str, Any] | None]) -> None:
    """Type into rows of Orders (from 0 on); None clears every cell but that of the order's number."""
    reading = open_book(book).read()
    letters = reading.cells.letters["Orders"]
    opened = hand.opened(book)
    sheet = opened[reading.cells.titles["Orders"]]
    for number, row in rows.items():
        for name in letters if row is None else row:
            if name != "order" or row is not None:
                sheet[f"{letters[name]}{FIRST + number}"].value = None if row is None else row[name]
    opened.save(book)


def orders(book: Path) -> dict[str, Order]:
    """What stands on Orders, by number."""
    return dict(campaign_of(book).table(Order).in_file_order())


def told(book: Path) -> dict[str, FindingRow]:
    """What the phase found, by the order."""
    return {row.row: row for row in campaign_of(book).table(FindingRow) if row.severity == "error"}


SLIPS: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "an unknown faction": ({"faction": "XX"}, "ARB-040", "not a faction of this campaign", "non è una fazione"),
    "no faction": ({"faction": None}, "ARB-040", "not a faction of this campaign", "non è una fazione"),
    "a formula for a faction": ({"faction": "=A1"}, "ARB-020", "a formula stands", "formula"),
    "an unknown turn": ({"turn": "soon"}, "ARB-041", "not a turn of this campaign", "turno"),
    "an unknown phase": ({"phase": "teatime"}, "ARB-042", "not a phase that takes orders", "fase"),
    "a long note": ({"note": "x" * 5000}, "ARB-034", "5,000 characters", "5.000 caratteri"),
    "long words": ({"text": "y" * 30000}, "ARB-034", "30,000 characters", "30.000 caratteri"),
    "a word for a number": ({"seq": "first"}, "ARB-023", "not a number", "numero"),
    "a part for a number": ({"seq": 1.5}, "ARB-024", "1.5", "1.5"),
    "a formula for a number": ({"seq": "=1+1"}, "ARB-020", "a formula stands", "formula"),
    "another club's number": ({"order": "{stem}-{club}-1"}, "ARB-046", "number of another order",
                              "numero di un altro ordine"),
}


@pytest.mark.slow
def test_each_slip_refuses_its_row_alone(table: Table) -> None:
    """Eleven clubs' slips between two sound orders: `check` names each cell in both languages, the phase plays the
    sound ones, and `verify` finds the same again.
    """
    wrong = [{name: value.format(stem=table.stem, club=table.club["faction"]) if name == "order" else value
              for name, value in cells.items()} for cells, *_ in SLIPS.values()]
    slips = list(enumerate(SLIPS.values(), 1))
    typed(table.book, {0: table.club, **{row: {**table.other, **cells} for row, cells in enumerate(wrong, 1)},
                       len(wrong) + 1: table.other})
    for lang, said in (("en", 2), ("it", 3)):
        checked = desk.check(table.book, lang=lang)
        found = {f.cell[1 + f.cell.index("!") + 1:]: (f.code, line) for f, line in zip(
            checked.findings, checked.finding_lines(), strict=True) if f.stops}
        assert {row: code for row, (code, _) in found.items()} == {
            str(FIRST + row): slip[1] for row, slip in slips}
        assert [slip for row, slip in slips if str(slip[said]) not in found[str(FIRST + row)][1]] == []

    must_succeed("resolve", table.book, "--until", table.until, "--defaults")

    rows, whose = orders(table.book), table.other["faction"]
    accepted = sorted(row.faction for row in rows.values() if row.status == "accepted")
    assert accepted == sorted([table.club["faction"], whose])
    assert rows[f"{table.stem}-{table.club['faction']}-1"].status == "accepted"
    assert len([row for row in rows.values() if row.status == "refused"]) == len(wrong)
    assert sorted((found.code, found.faction) for found in told(table.book).values()) == sorted(
        (slip[1], "" if "faction" in slip[0] else whose) for slip in SLIPS.values())
    assert [f.code for f in desk.check(table.book).findings if f.stops] == []
    must_succeed("verify", table.book)


@pytest.mark.slow
def test_a_row_that_was_copied_with_its_number_is_refused_alone(table: Table) -> None:
    """The first keeps the number; the copy, whatever its club changed in it, is told."""
    number = f"{table.stem}-{table.club['faction']}-1"
    typed(table.book, {0: {**table.club, "order": number}, 1: {**table.club, "order": number.upper()}, 2: table.other})

    must_succeed("resolve", table.book, "--until", table.until, "--defaults")

    assert {key: row.status for key, row in orders(table.book).items()} == {
        number: "accepted", f"{number.upper()} (2)": "refused", f"{table.stem}-{table.other['faction']}-1": "accepted"}
    assert told(table.book)[f"{number.upper()} (2)"].code == "ARB-046"
    must_succeed("verify", table.book)


@pytest.mark.slow
def test_an_emptied_row_counts_as_withdrawn(table: Table, tmp_path: Path) -> None:
    """Nothing but its grey number is left: the phase plays the others, and nothing of it needs an explanation."""
    typed(table.book, {0: table.club})
    (tmp_path / "late.csv").write_text(",".join(table.other) + "\n" + ",".join(map(str, table.other.values())) + "\n")
    must_succeed("orders", table.book, tmp_path / "late.csv")
    number = f"{table.stem}-{table.other['faction']}-1"
    assert orders(table.book)[number].verb
    typed(table.book, {1: None})
    checked = desk.check(table.book, lang="en")
    assert [f.code for f in checked.findings if f.code in ("ARB-047", "ARB-040")] == ["ARB-047"]
    before = table.book.read_bytes()

    must_succeed("resolve", table.book, "--until", table.until, "--defaults")

    rows = orders(table.book)
    assert (rows[number].status, rows[number].verb, rows[number].faction) == ("withdrawn", "", "")
    assert rows[f"{table.stem}-{table.club['faction']}-1"].status == "accepted"
    assert number not in told(table.book)
    must_succeed("verify", table.book)
    must_succeed("undo", table.book)
    if table.until == "budget":  # one phase, one step back
        assert table.book.read_bytes() == before


@pytest.mark.slow
def test_a_row_that_is_nobodys_is_told_to_the_referee_alone(table: Table, tmp_path: Path) -> None:
    """Neither the row nor its finding is in what any faction may know, or in its report; the referee reads both."""
    secret = "Kunigunde"
    typed(table.book, {0: table.club, 1: {**table.other, "faction": secret, "note": "Edeltraud"}})
    must_succeed("resolve", table.book, "--until", table.until, "--defaults")
    reading = open_book(table.book).read()
    assert reading.ruleset is not None
    clubs = [row.faction for row in reading.campaign.by_sheet("Factions")]
    for club in ["", *clubs]:
        view = reading.ruleset.view(reading.campaign, club)
        seen = [*view.table(Order), *view.table(FindingRow),
                *only_addressed(reading.ruleset.viewer(reading.campaign, club)).table(Order)]
        assert not [row for row in seen if secret in json.dumps(row.as_text())]
    must_succeed("report", table.book, "--out", tmp_path / "out")
    pages = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "out").rglob("*.html")}
    assert pages
    assert all(secret not in text and "Edeltraud" not in text for name, text in pages.items() if "referee" not in name)
    assert [name for name, text in pages.items() if secret in text] == [
        name for name in pages if "referee" in name]


@pytest.mark.slow
def test_strict_stops_for_such_a_row(table: Table) -> None:
    """With `--strict` it is refused before anything is changed."""
    typed(table.book, {0: table.club, 1: {**table.other, "faction": "XX"}})
    before = table.book.read_bytes()

    result = desk.resolve(table.book, until=table.until, defaults=True, strict=True)

    assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.REFUSED, ["ARB-040"])
    assert table.book.read_bytes() == before


@pytest.mark.slow
def test_a_correction_comes_to_the_same_with_slips_in_its_past(table: Table, tmp_path: Path) -> None:
    """The replayed phase refuses the same row, and withdraws the same."""
    club, other = f"{table.stem}-{table.club['faction']}-1", f"{table.stem}-{table.other['faction']}-1"
    typed(table.book, {0: table.club, 1: {**table.other, "note": "x" * 5000}, 2: {"order": f"{table.stem}-old"}})
    must_succeed("resolve", table.book, "--until", table.until, "--defaults")
    before = {key: row.status for key, row in orders(table.book).items()}
    assert before == {club: "accepted", other: "refused", f"{table.stem}-old": "withdrawn"}

    must_succeed("correct", table.book, "--withdraw", club, "--why", "typo", "--commit")

    after = {key: row.status for key, row in orders(table.book).items()}
    assert (after[other], after[f"{table.stem}-old"], after.get(club)) == ("refused", "withdrawn", None)
    must_succeed("verify", table.book)
