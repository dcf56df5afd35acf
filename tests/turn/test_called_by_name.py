"""Places and factions by their names, in lines and in columns: the codes that are understood; names that two have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Node, Order
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing import kit
from assistant.turn.orders.reader import read_row
from assistant.turn.orders.verbs import as_order_book
from tests.fresh import new_campaign
from tests.playing import arbitro

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"


def italy() -> Campaign:
    """At its first budget, without orders."""
    campaign = kit.opening(GIGLIO, TEMPLATES / "giglio" / "italy-1500")
    campaign.desk.phase = "budget"
    for row in list(campaign.table(Order)):
        campaign.table(Order).remove(row.order)
    return campaign


def ordered(campaign: Campaign, **fields: Any) -> Campaign:
    """With one order of Venice's, or of another."""
    table = campaign.table(Order)
    table.add(table.record.from_values({"order": "x", "turn": campaign.desk.turn, "phase": "budget", "faction": "V",
                                        **fields}))
    return campaign


@pytest.mark.parametrize(("line", "fields"), [
    ("V-2 Chioggia Ravenna", {"unit": "V-2", "path": "V9 V11"}),
    ("muovi V-2 da chioggia a RAVENNA", {"unit": "V-2", "path": "V9 V11"}),
    ("V-2 V9-Ravenna", {"unit": "V-2", "path": "V9 V11"}),
    ("FR-1 Valenza sul Rodano > chambery", {"unit": "FR-1", "path": "FR3 SV1"}),
    ("S-1 Bari l’aquila", {"unit": "S-1", "path": "S4 S3"}),
    ("recluta 30 a Venezia", {"amount": 30, "target": "V0"}),
    ("fleet venezia", {"target": "V0"}),
    ("allea Milano passo 1502", {"partner": "M", "option": "passage", "amount": 1502}),
    ("ally Swiss League", {"partner": "CH"}),
])
def test_a_line_names_places_and_factions(line: str, fields: dict[str, Any]) -> None:
    """In either language, of several words, whatever case and accents; Milan is a city, too, and an ally is none."""
    said = dict(GIGLIO.understand(line, italy(), "V").fields)
    del said["verb"]
    assert said == fields


@pytest.mark.parametrize(("cells", "meant"), [
    ({"verb": "recruit", "amount": 30, "target": "venezia"}, {"target": "V0"}),
    ({"verb": "move", "unit": "v-2", "path": "Chioggia, ravenna"}, {"unit": "V-2", "path": ["V9", "V11"]}),
    ({"verb": "move", "path": "Valenza sul Rodano chambéry SV2"}, {"path": ["FR3", "SV1", "SV2"]}),
    ({"verb": "siege", "target": "L'Aquila"}, {"target": "S3"}),
    ({"verb": "ally", "partner": "Papal State"}, {"partner": "P"}),
    ({"verb": "recruit", "amount": 30, "target": "Atlantis"}, {"target": "ATLANTIS"}),
])
def test_a_column_names_places_and_factions(cells: dict[str, Any], meant: dict[str, Any]) -> None:
    """So that two rows about one place are known to be; what nobody is called stays as it is."""
    campaign = ordered(italy(), **cells)
    request = read_row(as_order_book(GIGLIO.verbs), campaign, campaign.table(Order)["x"])
    assert {name: getattr(request, name) for name in meant} == meant


@pytest.mark.parametrize("cells", [
    {"verb": "recruit", "amount": 30, "target": "castel nuovo"}, {"text": "recruit 30 Castel Nuovo"},
    {"text": "recluta 30 a castel-nuovo"}])
def test_a_name_that_several_have_is_found_with_their_codes(cells: dict[str, Any]) -> None:
    """Il Giglio has no finding of its own for it, so the house's stands there; the codes still do."""
    campaign = ordered(italy(), **cells)
    for code in ("V9", "V11", "V5"):
        campaign.table(Node)[code].name = "Castel Nuovo"
    (finding,) = GIGLIO.check_orders(campaign)
    assert (finding.code, finding.where.row, finding.where.field) == ("ARB-331", "x", "target")
    assert finding.data == {"word": "Castel Nuovo", "list": "V5 V9 V11"}
    campaign.table(Order)["x"].text = "recruit 30 V9" if not campaign.table(Order)["x"].verb else ""
    vars(campaign.table(Order)["x"])["target"] = "V9"
    assert "ARB-331" not in [finding.code for finding in GIGLIO.check_orders(campaign)]


def test_a_way_over_a_name_that_several_have_is_refused_with_their_codes() -> None:
    """In the column of the path, and in a line."""
    for cells in ({"verb": "move", "unit": "V-2", "path": "V9 castel nuovo"}, {"text": "V-2 V9 Castel Nuovo"}):
        campaign = ordered(italy(), phase="r1", **cells)
        for code in ("V11", "V5"):
            campaign.table(Node)[code].name = "Castel Nuovo"
        found = GIGLIO.check_ahead(campaign)
        assert [(one.code, one.where.field, one.data["list"]) for one in found] == [("ARB-331", "path", "V5 V11")]


def test_the_anarchy_takes_no_name_that_two_have_for_one_of_them() -> None:
    """A line calls nobles by name, and says whom two of a name could mean (ANA-009)."""
    campaign = kit.opening(ANARCHY, TEMPLATES / "anarchy" / "wallingford-1139")
    one, other = [row for row in campaign.by_sheet("Armies") if row.faction == "angevin"][:2]
    one.name = other.name = "Great Host"
    campaign.desk.turn, campaign.desk.phase = "1", "movement"
    ordered(campaign, phase=ANARCHY.phase("movement").orders, faction="angevin", text="hold great host")
    findings = [finding for finding in ANARCHY.check_orders(campaign) if finding.where.row == "x"]
    assert [(finding.code, finding.data) for finding in findings] == [
        ("ANA-009", {"x": "Great Host", "a": one.army, "b": other.army})]


def test_what_was_understood_is_echoed_with_codes(tmp_path: Path) -> None:
    """Of a line and of a row with columns alike."""
    book = new_campaign(tmp_path / "italy.xlsx")
    rows = tmp_path / "rows.csv"
    rows.write_text("phase,faction,verb,unit,path\nr1,V,move,V-2,Chioggia Ravenna\n", encoding="utf-8")
    for source in (str(rows), "V: V-2 Chioggia Ravenna"):
        said = arbitro("orders", book, source).output
        assert "move, Unit the army of Venice (V-2), Path Chioggia (V9) → Ravenna (V11)" in said, said
