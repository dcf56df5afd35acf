"""Folders that somebody has typed by hand: what a row says wrongly is that row's affair."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk import Exit
from assistant.rulesets.bloodlust.book.records import Order
from assistant.turn.rows.misfits import keeps_phase
from assistant.workbook.read.csvfolder import read_folder
from tests.bloodlust.scenario import BLOODLUST, PLACE
from tests.desk.test_resolving import campaign_of

TYPED = ("answers", "dice", "expected", "battle_", "orders")


def folder(place: Path, orders: str) -> Path:
    """Tanaephis at its beginning, with other orders."""
    place.mkdir()
    for file in PLACE.glob("*.csv"):
        if not file.name.startswith(TYPED):
            (place / file.name).write_bytes(file.read_bytes())
    (place / "orders.csv").write_text(orders, encoding="utf-8")
    return place


def read(place: Path, orders: str) -> tuple[Campaign, list[str]]:
    """The campaign of a folder, and the codes of its findings, none of which may keep a phase from starting."""
    _, campaign, findings = read_folder(folder(place, orders), BLOODLUST)
    assert not [one for one in findings if keeps_phase(one)]
    return campaign, [one.code for one in findings]


@pytest.mark.parametrize(("turn", "meant", "found"), [
    ("987Sp", "987Sp", []), ("987sp", "987Sp", []), ("988 WI", "988Wi", ["BLD-004"]), ("987xx", "987xx", ["ARB-041"]),
    ("Sp", "Sp", ["ARB-041"])])
def test_a_turn_is_typed_in_any_case(tmp_path: Path, turn: str, meant: str, found: list[str]) -> None:
    """`987sp` and `987 Sp` are 987Sp; no season but the four is one, and a Winter recruits nobody (BLD-004)."""
    campaign, codes = read(tmp_path / "in", f"turn,phase,faction,verb,amount\n{turn},recruit,VOR,buy,1\n")
    assert ([row.turn for row in campaign.table(Order)], codes) == ([meant], found)


def test_orders_are_headed_as_the_book_has_it(tmp_path: Path) -> None:
    """Nazione, Passo and Testo, as on the other sheets and as clubs call them."""
    campaign, codes = read(tmp_path / "in", "Turno,Passo,Nazione,Testo\n987Sp,recruit,VOR,compra 2\n")
    assert codes == []
    assert [(row.turn, row.phase, row.faction, row.text) for row in campaign.table(Order)] == [
        ("987Sp", "recruit", "VOR", "compra 2")]


def test_codes_of_a_cell_are_parted_somehow(tmp_path: Path) -> None:
    """Blanks, commas and plus signs part skills, attributes, interests and armies alike, in any case."""
    place = folder(tmp_path / "in", "turn,phase,faction,text\n")
    for name, old, new in (("units", "desert light", '"Desert, LIGHT"'),
                           ("leaders", "courage logistic", "courage+Logistic"),
                           ("factions", "conquest colonizing", '"Conquista, colonizing"')):
        file = place / f"{name}.csv"
        file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    (place / "sieges.csv").write_text('siege,node,besieger,armies_out,armies_in,start_node,began\n'
                                      'G1,V3,SEK,"SEK-a1, SEK-a2",VOR-a2,S3,986Fa\n', encoding="utf-8")
    _, campaign, _ = read_folder(place, BLOODLUST)
    assert [campaign.by_sheet(sheet)[key].as_text()[field] for sheet, key, field in (
        ("Units", "BAT-u2", "skills"), ("Leaders", "VOR-m1", "attributes"), ("Factions", "VOR", "interests"),
        ("Sieges", "G1", "armies_out"))] == ["desert light", "courage logistic", "conquest colonizing", "SEK-a1 SEK-a2"]


@pytest.mark.slow
def test_a_row_for_another_season_does_not_hold_up_the_campaign(tmp_path: Path) -> None:
    """BLD-004: an envoy of Spring stands in a folder; the campaign begins, its row is refused, and stays so."""
    place = folder(tmp_path / "in", "order,turn,phase,faction,verb,target\nX,987Sp,envoys,VOR,envoy,DER\n")
    book = tmp_path / "tanaephis.xlsx"
    assert desk.new(desk.Plan("bloodlust", folder=place, secret="ab" * 32), book).exit == Exit.DONE
    assert desk.resolve(book, until="call", lang="en").exit == Exit.DONE
    assert desk.resolve(book, until="recruit", lang="en").exit == Exit.DONE
    assert campaign_of(book).table(Order)["X"].status == "refused"
    assert "ARB-048" not in [one.code for one in desk.check(book, lang="en").findings]
