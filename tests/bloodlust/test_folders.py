"""Folders that somebody has typed by hand: what a row says wrongly is that row's affair."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import TurnQuestion
from assistant.desk import Exit
from assistant.rulesets.bloodlust.records import Order
from assistant.testing.cases import campaign_of
from assistant.turn.phases import blocks_phase
from assistant.workbook.read.csv_folder import read_folder
from tests.bloodlust.scenario import BLOODLUST, PLACE

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
    assert not [finding for finding in findings if blocks_phase(finding)]
    return campaign, [finding.code for finding in findings]


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


@pytest.mark.parametrize(("name", "row"), [
    ("answers", "question,turn,phase,to,answer\nresponse/b2,987Sp,invade,BAT,levy\n"),
    ("questions", "question,turn,phase,to,answer\nresponse/b2,987Sp,invade,BAT,levy\n"),
    ("answers", "question,to,answer\nRESPONSE/b2,bat,levy\n"),
    ("questions", "Tipo,A chi,Riguardo a,Risposta\nResponse,bat,b2,levy\n")])
def test_an_answer_names_its_question_in_any_letters(tmp_path: Path, name: str, row: str) -> None:
    """Kind and province, with or without season and phase, in either file."""
    place = folder(tmp_path / "in", "turn,phase,faction,text\n")
    (place / f"{name}.csv").write_text(row, encoding="utf-8")
    _, campaign, findings = read_folder(place, BLOODLUST)
    assert not [finding for finding in findings if finding.stops]
    assert [(row.question, row.turn, row.phase, row.answer) for row in campaign.table(TurnQuestion)] == [
        ("response/B2", "987Sp", "invade", "levy")]


@pytest.mark.parametrize(("turn", "phase", "meant"), [
    ("987su", "Reclutamento", ("987Su", "recruit")), ("987 WI", "Winter quarters", ("987Wi", "winter")),
    ("988Sp", "CALL", ("988Sp", "call"))])
def test_a_campaign_begins_where_its_desk_says(tmp_path: Path, turn: str, phase: str, meant: tuple[str, str]) -> None:
    """The turn in any case, the phase by its id or its name in either language."""
    place = folder(tmp_path / "in", "turn,phase,faction,text\n")
    (place / "desk.csv").write_text(f"key,value\nruleset,bloodlust\nturn,{turn}\nphase,{phase}\n", encoding="utf-8")
    _, campaign, findings = read_folder(place, BLOODLUST)
    assert not [finding for finding in findings if finding.stops]
    assert (campaign.desk.turn, campaign.desk.phase) == meant


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
    assert desk.new_campaign(desk.NewPlan("bloodlust", folder=place, secret="ab" * 32), book).exit == Exit.DONE
    assert desk.resolve(book, until="call", lang="en").exit == Exit.DONE
    assert desk.resolve(book, until="recruit", lang="en").exit == Exit.DONE
    assert campaign_of(book).table(Order)["X"].status == "refused"
    assert "ARB-048" not in [finding.code for finding in desk.check(book, lang="en").findings]
