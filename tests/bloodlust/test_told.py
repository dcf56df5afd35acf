"""What a nation reads: of a levy that went home, of the dice of a battle, of its wars, peaces and armies."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.turn.event_types import Said, TableOf
from assistant.wording import Wording
from tests.bloodlust.scenario import BLOODLUST, ground, play

WAR = {"W1": {"aggressor": "SEK", "target": "DER", "began": "987Sp"}}


def sentences(said: list[Said], lang: str = "en") -> list[str]:
    """Sentences of the rulebook as they are worded."""
    words = Wording(BLOODLUST, lang)
    return [words.sentence(one.text, one.data) for one in said]


def tables(campaign: Campaign, nation: str) -> dict[str, TableOf]:
    """The tables of a nation's report by their titles."""
    return {table.title: table for table in BLOODLUST.tables(BLOODLUST.view(campaign, nation), nation)}


def beaten_levy() -> Campaign:
    """After a battle that was not played, in which the levy of D2 was beaten."""
    campaign = ground("987Su", "invade", Wars=WAR, Armies={"SEK-a1": {"node": "S2"}, "DER-a1": {"node": "D4"}})
    invaded = play(campaign, ["SEK: invade a1 D2 via S2"], {"leader_wr/DER-c2": "1+1"},
                   {"response/D2": ("DER", "levy")}).campaign
    for row in invaded.by_sheet("Battles"):
        row.played = "auto"
    first, second = [unit.unit for unit in invaded.by_sheet("Units") if unit.army == "DER-l1"][:2]
    return play(invaded, dice={"clash/987Su-1/defender": "+".join("6" * 9), f"recovery/{first}": "6+6",
                               f"recovery/{second}": "6+6"}).campaign


def test_a_beaten_levy_goes_home_and_is_not_lost() -> None:
    """Lost are those that recovery took; the others go home. What all see of the enemy stands there, too (RC, DA)."""
    view = BLOODLUST.view(beaten_levy(), "DER")
    units = [unit for unit in view.by_sheet("Units") if unit.army == "DER-l1"]
    lost = [unit for unit in units if unit.state in ("lost", "merged")]
    said = sentences(BLOODLUST.outcomes(view, "DER", [*view.by_sheet("Events")]))
    text = " ".join(said)

    assert f"You lost {len(lost)} of your {len(units)} units." in text
    assert f"DER-l1 goes home. {len(units) - len(lost)} units go with it." in text
    assert "The enemy has " in text
    assert "a die of 3 or less is one." in text


@pytest.mark.parametrize(("wars", "told"), [
    (WAR, "While you are at war with SEK you begin no other war; you may invade there. The next time for it: 988, "
     "Spring, Invasions and responses."),
    ({}, "As things stand you may go to war with: ")])
def test_a_nation_at_war_begins_no_other_war(wars: dict[str, Any], told: str) -> None:
    """Who has an open war makes no war check, and in Winter nobody invades but peoples of winter (p57)."""
    note = tables(ground("987Fa", "siege", Wars=wars), "DER")["Your provinces"].note

    assert isinstance(note, Said)
    assert told in sentences([note])[0]


def test_peaces_and_armies_that_are_cut_off_stand_in_the_tables() -> None:
    """A peace that holds; an army beyond land of others (p59)."""
    campaign = ground("987Fa", "siege", Armies={"DER-a1": {"node": "T3"}}, Peaces={
        "E1": {"winner": "DER", "loser": "GAD", "from_year": "988", "until_year": "989", "pays": "yes"},
        "E2": {"winner": "VOR", "loser": "GAD", "from_year": "988", "until_year": "989", "pays": "yes"}})
    made = tables(campaign, "DER")

    assert [row.ident for row in made["Your enforced peaces"].rows] == ["E1"]
    note = made["Your armies"].note
    assert isinstance(note, Said)
    assert "DER-a1" in sentences([note])[0]
    assert not tables(ground("987Fa", "siege"), "DER")["Your armies"].note


def test_a_commander_leads_as_he_does_at_present() -> None:
    """A change of WR counts while it lasts, and is not shown when it is over."""
    for until, wr, change in (("987Wi", 2, -1), ("987Sp", 3, 0)):
        campaign = ground("987Fa", "siege", Leaders={"DER-m1": {"wr": 3, "wr_change": -1, "wr_change_until": until}})
        row: Any
        (row,) = [row for row in tables(campaign, "DER")["Your commanders"].rows if row.ident == "DER-m1"]
        assert (row.wr, row.wr_change) == (wr, change)
