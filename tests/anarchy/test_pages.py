"""What a club reads of its side and its day, and what is wrong on the map (2, ANA-914).

See rulebook: Provisions, Movement and encounters, Who may know what.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.reporting.build import build_page
from assistant.wording import Wording
from tests.anarchy.cases import anarchy, build, case

EIGHT = "K2 S2 B1 L2 P1"


def table(title: str, faction: str = "royal", **given: Any) -> list[tuple[str, ...]]:
    """The rows of one of a faction's own tables, as the report words them."""
    campaign = build("provisions", **given)
    page = build_page(anarchy(), anarchy().view(campaign, faction), faction, Wording(anarchy(), "en"), 0, {}, {})
    return [tuple(cell.text for cell in row) for one in page.tables if one.title == title for row in one.rows.items]


def test_a_club_sees_all_its_men() -> None:
    """2: six ranks, the levied peasant among them, and how many are hurt."""
    rows = table("Their men", armies=f"A1 r 0605 {EIGHT} noble=N1:5:8", wounded="W1 r foot A1")
    assert rows == [("A1", "9", EIGHT, "1")]


def test_a_club_sees_its_garrisons_villages_engines_and_wounded_nobles() -> None:
    """2, 8: what is the owner side's to see stands in its report."""
    given = {"places": "keep 0605 castle_motte 3 8 holder=r g_knights=2 g_foot=3, ham 0606 village 4 8, "
                       "den 0607 village 4 2",
             "armies": "A1 r 0605 K3 noble=N1:5:8", "trains": "T1 r 0605 rams=1 mangonels=2",
             "wounded": "W1 r - A1 noble=N1"}
    assert table("Your castles", **given) == [("keep", "0605", "3", "", "K2 S3")]
    assert table("Villages and monasteries of your side", **given) == [("ham", "0606", "village", "4", "8")]
    assert table("Their engines", **given) == [("T1", "1", "0", "0", "2")]
    assert table("Your wounded nobles", **given) == [("W1", "N1", "A1", "", "")]


def test_a_group_that_is_fed_again_is_told_of_once() -> None:
    """8.4: who ate from its bags after a hungry day has eaten; nothing is eaten from nowhere."""
    after = case("provisions", armies="A1 r 0605 S9 noble=N1:5:8 provisions=1 hungry_days=1")
    assert [e.data["source"] for e in after.campaign.table(Event) if e.event == "supplied"] == ["carried food"]
    assert after.get("A1", "provisions", "hungry_days") == ("0", "0")
    small = case("provisions", armies="A1 r 0605 S5 noble=N1:5:8 hungry_days=1")
    (told,) = [e for e in small.campaign.table(Event) if e.event == "supplied"]
    assert Wording(anarchy(), "en").event(told) == "A1 needs no food today."


def test_the_order_of_march_is_of_today_or_blank() -> None:
    """6: yesterday's place in it is gone in the morning; a column in which nothing stands is no column."""
    after = case("provisions", armies="A1 r 0605 S5 noble=N1:5:8 march=3 counter=7")
    assert after.get("A1", "march") == ""
    (counters,) = [t for t in anarchy().sightings(anarchy().view(after.campaign, "royal"), "royal")
                   if t.title.startswith("Counters")]
    assert counters.fields == ("army", "counter", "faction", "cavalry")


def test_the_losses_of_a_battle_are_told_once() -> None:
    """15.6, 15.7: one line for both sides with all of them; it touches whom it names."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1:5:8, E1 a 0606 S5 L4 noble=E:5:1",
                 orders="r MOVE A1 0606 choice=attack", answers="accept/E1/0606/A1 = fight; retreat/E1/0606 = 0607",
                 battles="B3-1 attacker fled 9", losses="B3-1 A1 foot 0 1 0, B3-1 E1 foot 1 0 0")
    (told,) = [e for e in after.campaign.table(Event)
               if e.event == "battle_result" and e.data.get("part") == "losses"]
    assert told.data["list"] == "A1 S 0/1/0; E1 S 1/0/0"
    assert {"Armies/E1", "Wounded/W1"} <= set(told.touched.split())


def test_a_village_in_the_losses_is_its_levy() -> None:
    """7: `levy` is its name in the form; a row that calls it as the map does means the same."""
    given: dict[str, Any] = {"armies": "A1 a 0605 S9 noble=N1:5:1", "places": "ham 0605 village 3 8 name=Ham",
             "orders": "a SACK A1 target=ham amount=1", "battles": "B3-1 attacker fled 9",
             "answers": "battle/B3-1 = entered"}
    for unit in ("levy", "ham", "Ham"):
        case("movement", **given, losses=f"B3-1 {unit} peasants 1 0 0")


@pytest.mark.parametrize(("nodes", "code", "field"), [
    ("0605 swamp", "ARB-026", "terrain"),
    ("0605 forest+swamp", "ARB-026", "terrain"),
    ("9901 open", "ANA-914", "node"),
    ("2501 open, 2502 marsh", "", ""),
    ("0605 forest+river", "", ""),
])
def test_what_is_wrong_with_a_hex(nodes: str, code: str, field: str) -> None:
    """2: terrains are those of the book; a hex far off the map would make the whole board grow as far."""
    found = [f for f in anarchy().check_data(build("movement", nodes=nodes)) if f.stops]
    assert [(f.code, f.where.field) for f in found] == ([(code, field)] if code else [])
    if code == "ARB-026":
        assert Wording(anarchy(), "en").finding(found[0]) == (
            "Terrain: 'swamp' is not in the list. Allowed: open, forest, hill, river, marsh, coast.")


@pytest.mark.parametrize(("counted", "lord", "company"), [("stack", "2", "0"), ("separate", "1", "1")])
def test_the_table_of_provisions_says_who_needs_food(counted: str, lord: str, company: str) -> None:
    """8.4: under ten heads a group needs nothing, however hungry it was; a company counts with its employer, or
    by itself. The figure counts whom the table shows with too little.
    """
    given: dict[str, Any] = {
        "armies": "A1 r 0605 S12 noble=N1:5:8 provisions=1, A2 r 0606 S3 hungry_days=2, "
                  "M1 r 0605 L12 kind=welsh employer=A1", "rules": {"merc_count": counted}}
    assert table("Their provisions", **given) == [
        ("A1", lord, "1", "0", "no"), ("A2", "0", "0", "2", "no"), ("M1", company, "0", "0", "no")]
    page = build_page(anarchy(), anarchy().view(build("provisions", **given), "royal"), "royal",
                      Wording(anarchy(), "en"), 0, {}, {})
    assert {f.label: f.value_text for f in page.glance}["Groups short of food for their next meal"] == "1"


def test_more_hunger_is_no_good_news() -> None:
    """A rise of what is unwelcome takes the colour of a fall."""
    assert "Groups short of food for their next meal" in anarchy().unwelcome
    before, now = (build("provisions", armies=f"A1 r 0605 S12 noble=N1:5:8 provisions={n}") for n in (9, 0))
    page = build_page(anarchy(), anarchy().view(now, "royal"), "royal", Wording(anarchy(), "en"), 0, {}, {},
                      previous=anarchy().view(before, "royal"))
    assert {f.label: f.trend for f in page.glance}["Groups short of food for their next meal"] == "down"
