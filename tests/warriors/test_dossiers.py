"""What a club is handed for a battle: enough to set a table up, and of the enemy what it has explored."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.desk.next_steps import next_steps
from assistant.reporting.reader import Reader
from assistant.rulesets.warriors.records import Battle, Faction
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.rulesets.warriors.will import Aim
from assistant.wording import Wording
from tests.warriors.cases import Case, battle, forces


def case(men: int, **more: Any) -> Case:
    """M1 on defend explores against O1 on march, who is blind."""
    given = Case(turn=2, armies={"M1": {"node": "C03", "order": "defend"}, "O1": {"node": "C03", "order": "march"}},
                 units={"M1a": {"quality": "poor"}, "M1b": {"quality": "elite"},
                        "O1a": {"figures": 27, "name": "Pack"}},
                 battles=battle(), battle_armies={**forces("M1 D defend"), "O1": {
                     **forces("O1 A march")["O1"], "start_vc": 4}}, **more)
    return given.throw({"explore/B2-1/M1": men}).play("explore")


def told(given: Case, faction: str) -> list[tuple[str, dict[str, Any]]]:
    """What a faction reads of the battle, from its view; "" is the referee."""
    view = WARRIORS.view(given.campaign, faction) if faction else given.campaign
    return [(one.text, dict(one.data)) for one in WARRIORS.dossier(view, view.by_sheet("Battles")["B2-1"], faction)]


@pytest.mark.parametrize(("die", "known"), [(1, {"unit", "figures"}), (2, {"unit", "figures", "quality"})])
def test_what_is_known_of_the_enemy_goes_by_the_band(die: int, known: set[str]) -> None:
    """Band 1: Units and figures; from band 2 on their quality and flags as well; their names in both languages."""
    assert {*known, "unit_it"} in [set(data) for _, data in told(case(die), "men") if data.get("unit") == "Pack"]


def test_who_explores_worse_knows_a_number_only() -> None:
    """27 figures: about 30 for who has won nothing; and not the enemy's V.C., in the odds of his tests either."""
    given = case(3)
    assert ("About {n} {n?figure|figures}.", {"n": 20}) in told(given, "orcs")
    assert {data["vc"] for _, data in told(given, "men") if "vc" in data} == {2}
    assert {data["vc"] for _, data in told(given, "orcs") if "vc" in data} == {4}
    assert {data["vc"] for _, data in told(given, "") if "vc" in data} == {2, 4}


def test_units_stand_in_the_order_of_their_quality() -> None:
    """The best first."""
    assert [data["unit"] for _, data in told(case(3), "men") if "points" in data and "unit" in data] == ["M1b", "M1a"]


def test_who_takes_no_part_reads_nothing() -> None:
    """The undead have no dossier."""
    assert told(case(3), "undead") == []


def test_the_odds_of_a_command_test() -> None:
    """V.C. 2: 33, 50, 67 and 83 per cent by the hour of battle (rulebook: Withdrawal)."""
    assert [data["chances"] for _, data in told(case(3), "men") if "chances" in data] == ["33%, 50%, 67%, 83%"]


def test_the_withdrawal_is_told_in_the_words_of_the_book() -> None:
    """General's and Command test are as normal, but for 0, and for -3, -2, -1 by the hour (rulebook: Withdrawal)."""
    wording = Wording(WARRIORS, "en")
    given = case(3)
    view = WARRIORS.view(given.campaign, "men")
    papers = WARRIORS.dossier(view, view.by_sheet("Battles")["B2-1"], "men")
    lines = [wording.sentence(one.text, one.data) for one in papers]
    assert "Command test: as normal, with -3, -2, -1, 0 in hours 1, 2, 3 and later." in lines
    assert ("General's test: as normal; 0: the order is misunderstood, and if it had been laid down it is in hand "
            "again.") in lines


def test_both_clubs_may_report_and_the_referee_confirms() -> None:
    """Each tells its half; what agrees counts with the answer entered."""
    given = case(3, battle_units={one: {"battle": "B2-1", "unit": one, "before": n} for one, n in (
        ("M1a", 10), ("M1b", 10), ("O1a", 27))})
    for club, text in (("men", "defender 5; M1a killed=2"), ("orcs", "defender 5; O1a killed=4 routed=1")):
        given.answer("battle", f"result/B2-1/{club}", text, to=club)
    given.answer("battle", "result/B2-1", "entered").play("battle", whole=False)
    assert given.codes == []
    lost = {row.unit: (row.killed, row.routed) for row in given.campaign.by_sheet("Battle units")}
    assert lost == {"M1a": (2, 0), "M1b": (0, 0), "O1a": (4, 1)}


def test_before_battles_the_next_step_is_their_forms() -> None:
    """Status and Desk say so as long as a form is blank, in the phase that reads it and in no other."""
    campaign, say = case(1).campaign, Wording(WARRIORS, "en")
    laid_out = ("1 battle is laid out: its form on the sheet Battles may be filled in now; resolving asks for what is "
                "missing.")

    campaign.desk.phase = "battle"
    open_now = next_steps(WARRIORS, campaign, say, "war.xlsx"), next_steps(WARRIORS, campaign, say, "")
    campaign.desk.phase = "will"
    elsewhere = next_steps(WARRIORS, campaign, say, "war.xlsx")
    campaign.desk.phase = "battle"
    next(iter(campaign.table(Battle))).outcome = "draw"
    filled_in = next_steps(WARRIORS, campaign, say, "war.xlsx")

    assert open_now[0] == [laid_out, "Then resolve: arbitro resolve war.xlsx"]
    assert open_now[1][:2] == [laid_out, "Then click Resolve phase."]
    assert elsewhere == filled_in == ["Nothing is needed. Resolve the phase: arbitro resolve war.xlsx"]


def test_the_table_of_the_end_calls_enemies_by_their_names() -> None:
    """A cell with several codes shows the names of all, as one with a single code does."""
    given = case(3)
    for faction in given.campaign.table(Faction):
        faction.name_en = f"Army of the {faction.faction}"
    reader = Reader.of(WARRIORS, given.campaign, "men", Wording(WARRIORS, "en"))
    tables = {table.title: table for table in WARRIORS.tables(reader.view, "men")}
    (men, *_) = tables["What ends the campaign"].rows
    assert isinstance(men, Aim)
    assert men.at_war == ("dwarfs", "orcs", "undead")
    assert reader.cell(men.column("at_war"), men.at_war).text == (
        "Army of the dwarfs, Army of the orcs, Army of the undead")


def test_who_was_there_and_who_came_is_said_in_words() -> None:
    """No bare count of arrivals: a Force was there, or came this turn; on a side those that came first stand first."""
    given = Case(turn=2, armies={name: {"node": "C03"} for name in ("M1", "M2", "O1")},
                 units={"M1a": {}, "M2a": {}, "O1a": {}}, battles=battle(),
                 battle_armies={**forces("M1 D explore", "M2 D explore", "O1 A march")})
    for name, arrival in (("M1", 3), ("O1", 1)):
        given.campaign.by_sheet("Battle armies")[f"B2-1/{name}"].arrival = arrival
    given.throw({"explore/B2-1/M1": 3, "explore/B2-1/M2": 3}).play("explore")
    texts = [(text, data.get("army")) for text, data in told(given, "men")]
    assert [text for text in texts if "came this turn" in text[0] or "was there" in text[0]] == [
        ("{army} came this turn.", "M1"), ("{army} was there already.", "M2")]
    assert ("Defender {faction:the}: {army}", ["M2", "M1"]) in texts


def test_what_a_unit_is_stands_as_text_on_the_row_and_is_shown_as_words() -> None:
    """Papers of older campaigns keep it as one text, so it stays one; a report names each word."""
    given = case(3)
    papers = given.campaign.table(Battle)["B2-1"].papers
    assert not any(isinstance(line[1].get("flags"), list) for lines in papers.values() for line in lines)
    papers["D"] = [["{unit}: {flags}", {"unit": "M1a", "flags": "mounted scouts"}, ""]]
    assert ("{unit}: {flags}", {"unit": "M1a", "flags": ["mounted", "scouts"]}) in told(given, "men")
