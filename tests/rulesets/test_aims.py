"""What ends a campaign, what each still lacks and how long it goes on stand in the report of every club (15)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.turn.event_types import Said
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.bloodlust.scenario import ground
from tests.rulesets.openings import OPENINGS
from tests.rulesets.test_checking import LATER

BOOKS = OPENINGS | LATER
TITLES = ("Objectives", "Your objective", "What ends the campaign")


def aims(ruleset: Ruleset, campaign: Campaign, faction: str) -> list[tuple[Any, ...]]:
    """The rows of that table in a club's report."""
    (table,) = [table for table in ruleset.tables(ruleset.view(campaign, faction), faction) if table.title in TITLES]
    return [tuple(getattr(row, name) for name in table.fields) for row in table.rows]


@pytest.mark.parametrize("name", ["giglio", "anarchy", "incursio", "warriors", "bloodlust"])
def test_each_club_reads_what_ends_the_campaign_until_it_is_over(name: str, tmp_path: Path) -> None:
    """Every club of a scenario, with the time that is left."""
    ruleset, campaign = BOOKS[name](tmp_path)
    clubs = [row.faction for row in campaign.by_sheet("Factions") if getattr(row, "mail", "")]
    assert clubs
    assert all(aims(ruleset, campaign, club)[0][-1] for club in clubs)


def test_an_objective_of_il_giglio_lacks_what_its_owner_can_count(tmp_path: Path) -> None:
    """Cities are all men's to see; of ducats the owner knows his own alone; nobody else reads the objective."""
    ruleset, campaign = BOOKS["giglio"](tmp_path)
    campaign.desk.turn, venice = "1502", campaign.by_sheet("Factions")["V"]
    cities = {row.faction: sum(n.owner == row.faction and n.site == "city" and n.land
                               for n in campaign.by_sheet("Nodes")) for row in campaign.by_sheet("Factions")}
    venice.objective = "cities"
    lead = max(cities.values())
    assert aims(ruleset, campaign, "V") == [("cities", "", cities["V"], lead - cities["V"], 3)]
    venice.objective, venice.treasury = "ducats", 70
    assert aims(ruleset, campaign, "V") == [("ducats", "", 70, None, 3)]
    assert aims(ruleset, campaign, "M") == [("", "", None, None, 3)]
    venice.objective, venice.objective_target = "conquer", "M"
    home = [n for n in campaign.by_sheet("Nodes") if n.home == "M" and n.land]
    home[0].owner = "V"
    assert aims(ruleset, campaign, "V") == [("conquer", "M", 1, len(home) - 1, 3)]


def test_missions_of_the_anarchy_say_what_they_can_still_bring(tmp_path: Path) -> None:
    """Loot counts by full fives up to four points; what had to be reached by a day that is over brings no more."""
    ruleset, campaign = BOOKS["anarchy"](tmp_path)
    campaign.desk.turn, campaign.desk.phase = "10", "morning"
    campaign.by_sheet("Factions")["angevin"].looted = 11
    reach = next(row for row in campaign.by_sheet("Objectives") if row.kind == "reach")
    reach.by_day = 9
    rows = {text: rest for _, text, *rest in aims(ruleset, campaign, "angevin")}
    assert rows["Every full 5 points looted (at most 4)"] == [2, 2, 5]
    assert rows[reach.text_en] == [0, 0, 0]
    assert rows["The Empress is the King's prisoner on the last day"] == [0, 6, 5]
    assert aims(ruleset, campaign, "angevin")[0][0] == "angevin"
    assert aims(ruleset, campaign, "royal")[0][0] == "royal"


def test_scores_of_others_are_blank_in_the_fog_of_warriors(tmp_path: Path) -> None:
    """The campaign ends when no two are at war, or after its turns by the score; in the fog battles are not counted."""
    ruleset, campaign = BOOKS["warriors"](tmp_path)
    campaign.by_sheet("Factions")["men"].won = 2
    assert [row[:3] for row in aims(ruleset, campaign, "men")][:2] == [
        ("men", ("orcs", "undead"), 2), ("dwarfs", ("orcs", "undead"), 0)]
    fog = campaign.table(Rule).get("fog") or campaign.table(Rule).add(Rule(key="fog"))
    fog.value = "near"
    assert [row[2] for row in aims(ruleset, campaign, "orcs")] == [0, None, None, None]


def test_points_of_bloodlust_are_the_readers_own() -> None:
    """All see provinces, and how many are more than half of all; resources of others are secret."""
    campaign = ground("989Su", "will", Factions={"VOR": {"resources": 40}})
    row, other = aims(BLOODLUST, campaign, "VOR")[:2]
    assert (row[0], row[2], row[4]) == ("VOR", len(campaign.by_sheet("Nodes")) // 2 + 1, 3)
    campaign.by_sheet("Factions")["VOR"].resources = 50
    assert aims(BLOODLUST, campaign, "VOR")[0][3] == row[3] + 1
    assert other[3] is None


@pytest.mark.parametrize(("name", "rules", "told"), [
    ("anarchy", {}, "; 5 and 6 are for neither."),
    ("anarchy", {"neutral_band": "5_only"}, "; only 5 is for neither."),
    ("warriors", {}, "3 for each enemy capital, 3 less if one's own is lost."),
    ("warriors", {"will_capital_taken": "4", "will_capital_lost": "-2"}, "4 for each enemy capital, 2 less if one's"),
    ("bloodlust", {}, "for a war won and as many less for a war lost, 1 for every 10 resources"),
    ("bloodlust", {}, "ends at once when a nation owns more than half of the provinces; the most points win.")])
def test_the_notes_below_tables_say_what_the_rules_say(name: str, rules: dict[str, str], told: str,
                                                       tmp_path: Path) -> None:
    """By the switches and numbers that are set; of the score, that it alone decides who wins."""
    ruleset, campaign = BOOKS[name](tmp_path)
    for key, value in rules.items():
        if key in campaign.by_sheet("Rules"):
            campaign.by_sheet("Rules").remove(key)
        campaign.by_sheet("Rules").add(ruleset.record("Rules").from_values({"key": key, "value": value}))
    club = next(row.faction for row in campaign.by_sheet("Factions") if getattr(row, "mail", ""))
    words, view = Wording(ruleset, "en"), ruleset.view(campaign, club)
    notes = [words.text(note.text, **note.data) if isinstance(note, Said) else words.text(note)
             for note in (table.note for table in ruleset.tables(view, club)) if note]
    assert any(told in note for note in notes), notes
