"""The printed tables: what the scenario brings, and what a campaign without them gets."""

from __future__ import annotations

from assistant.campaign.campaign import Campaign
from assistant.rulesets.bloodlust.records import PRINTED, Attribute, TradeRow
from assistant.workbook.read.grid import cell_value
from tests.bloodlust.scenario import BLOODLUST, ground, play, row, tanaephis

CALM = {f"hero/{code}": "1" for code in ("VOR", "DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}
FALLEN = {"VOR-m1": {"state": "dead", "army": ""}}


def without_tables() -> Campaign:
    """The scenario without what is printed in the book."""
    campaign = tanaephis()
    for kind in PRINTED:
        table = campaign.table(kind)
        for key in table.keys_in_file_order():
            table.remove(key)
    return campaign


def test_the_scenario_brings_the_printed_tables() -> None:
    """What a campaign without tables gets stands in the scenario's sheets, row by row."""
    campaign = without_tables()
    BLOODLUST.prepare(campaign)
    for kind in PRINTED:
        assert [one.as_text() for one in campaign.table(kind)] == [one.as_text() for one in tanaephis().table(kind)]


def test_a_campaign_without_tables_gets_the_printed_ones() -> None:
    """A folder may leave them out; a table of which it brings a row is its own."""
    campaign = without_tables()
    campaign.table(TradeRow).add(TradeRow.from_values({"successes": "0", "resources": "9"}))
    BLOODLUST.prepare(campaign)
    for kind in PRINTED:
        assert len(campaign.table(kind)) == (1 if kind is TradeRow else len(tanaephis().table(kind)))


def test_effects_stand_in_each_readers_language() -> None:
    """A copy shows what an attribute does in its own language; either is understood, and what somebody wrote stays."""
    effect, (first, *_) = Attribute.column("effect"), tanaephis().table(Attribute)
    assert [cell_value(effect, first.effect, lang) for lang in ("en", "it")] == [
        "forage +1 success", "foraggiamento +1 successo"]
    assert {effect.kind.read(text) for text in ("forage +1 success", "foraggiamento +1 successo")} == {first.effect}
    assert cell_value(effect, effect.kind.read("sees far"), "it") == "sees far"


def test_what_a_weapon_gives_is_thrown_again() -> None:
    """A result that a commander already has, be it by his weapon, is thrown again."""
    dice = {"leader_wr/VOR-m2": "2+1", "attribute/VOR-m2/1": "4+4", "strength/VOR-m2/1": "5+3+3",
            "attribute/VOR-m2/2": "1+1", "weakness/VOR-m2/2": "1+1", "attribute/VOR-m2/3": "1+1",
            "weakness/VOR-m2/3": "1+1", "attribute/VOR-m2/4": "1+1", "weakness/VOR-m2/4": "1+2"}
    outcome = play(ground(Leaders=FALLEN), dice=CALM | dice)
    assert row(outcome, "Weapons", "K6").attributes == "temerity"
    leader = row(outcome, "Leaders", "VOR-m2")
    assert (leader.attributes, leader.reputation, leader.wr) == ("fighting_for_reputation", 2, 1)


def test_tables_that_hold_too_little_end() -> None:
    """Where a club leaves one weakness in the tables, a marshal has that one and no more."""
    campaign = ground(Leaders=FALLEN)
    table = campaign.by_sheet("Attributes")
    for key in [key for key in table.keys_in_file_order() if key != "weakness/7"]:
        table.remove(key)
    outcome = play(campaign, dice=CALM)
    assert row(outcome, "Leaders", "VOR-m2").attributes == "undecided"
