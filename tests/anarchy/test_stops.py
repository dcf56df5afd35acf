"""What is independent is asked at one stop: battles and questions far from each other, escorts on different hexes."""

from __future__ import annotations

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Question
from assistant.turn.phases import resolve
from tests.anarchy.cases import anarchy, case
from tests.played import CAMPAIGNS

WEST = "A1 r 0605 S9 noble=A:9:9 joins=no, E1 a 0606 S9 noble=E:2:2 if_attacked=fight joins=no"
EAST = "A2 r 1605 S9 noble=B:8:9 joins=no, E2 a 1606 S9 noble=F:2:2 if_attacked=fight joins=no"
BOTH = "r MOVE A1 0606 choice=attack; r MOVE A2 1606 choice=attack"


def test_battles_far_from_each_other_are_put_at_one_stop() -> None:
    """6, 15: the second battle does not wait for the first; both keep the numbers of the order of march."""
    case("movement", armies=f"{WEST}, {EAST}", orders=BOTH, referee="", waits="battle/B3-1 battle/B3-2")
    after = case("movement", armies=f"{WEST}, {EAST}", orders=BOTH, defaults=True,
                 battles="B3-1 attacker fled 5, B3-2 defender fled 7")
    assert [after.row("Battles", name)["node"] for name in ("B3-1", "B3-2")] == ["0606", "1606"]


@pytest.mark.parametrize(("second", "waits"), [
    ("A2 r 0609 S9 noble=B:8:9 joins=no, E2 a 0608 S9 noble=F:2:2 if_attacked=fight joins=no", "battle/B3-1"),
    ("A2 r 0615 S9 noble=B:8:9 joins=no, E2 a 0614 S9 noble=F:2:2 if_attacked=fight joins=no",
     "battle/B3-1 battle/B3-2")])
def test_who_could_be_pushed_about_by_a_battle_waits_for_it(second: str, waits: str) -> None:
    """Near a battle groups may join it and fall back from it: nobody marches there before its result."""
    there = "0608" if "0609" in second else "0614"
    case("movement", armies=f"{WEST}, {second}", referee="", waits=waits,
         orders=f"r MOVE A1 0606 choice=attack; r MOVE A2 {there} choice=attack")


def test_a_battle_gets_no_number_while_one_before_it_may_yet_be_fought() -> None:
    """Whether E1 fights or refuses is not known: the battle in the east would be the first or the second of the day."""
    ask = WEST.replace("if_attacked=fight", "if_attacked=ask")
    case("movement", armies=f"{ask}, {EAST}", orders=BOTH, waits="accept/E1/0606/A1")
    hire = "A2 r 1605 S9 noble=B:8:9 money=99, M1 n 1606 L4 kind=welsh moves_next=royal"
    case("movement", armies=f"{ask}, {hire}", orders=BOTH, waits="accept/E1/0606/A1 hire/A2/1606/M1")
    refused = case("movement", armies=f"{ask}, {EAST}", orders=BOTH, answers="accept/E1/0606/A1 = refuse",
                   battles="B3-1 attacker fled 5", defaults=True)
    assert refused.row("Battles", "B3-1")["node"] == "1606"


def test_escorts_on_different_hexes_are_asked_at_once() -> None:
    """15.8: two records on one hex one after the other, those elsewhere beside the first."""
    case("reorganise", armies="A1 r 0605 S9, A2 r 1605 S9",
         prisoners="P1 a r 0605 L2 taken_on=1, P2 a r 0605 L2 taken_on=1, P3 a r 1605 L2 taken_on=1",
         places="keep 0707 castle_motte 3 9 holder=r S9", waits="escort/P1 escort/P3")


def stops(before: Campaign, after: Campaign) -> list[set[str]]:
    """What is asked together when a phase of a campaign whose end is known is played by hand, stop for stop."""
    turn, phase = before.desk.turn, before.desk.phase
    said = {row.question: row.answer for row in after.table(Question) if (row.turn, row.phase) == (turn, phase)}
    campaign, found, given = before.copy(), [], dict[str, str]()
    for row in list(campaign.table(Question)):
        if (row.turn, row.phase) == (turn, phase):
            campaign.table(Question).remove(row.ident)
    forms = {row.battle: row for row in list(campaign.table(Battle)) if row.turn == turn}
    for name in forms:
        campaign.table(Battle).remove(name)
    while not (outcome := resolve(anarchy(), campaign, b"golden", given)).done:
        assert outcome.questions
        found.append({row.question for row in outcome.questions})
        campaign = outcome.campaign.copy()
        for row in outcome.questions:
            given[row.question] = said.get(row.question) or "entered"
            if row.kind == "battle" and row.about in forms:
                form = campaign.table(Battle)[row.about]
                for column in form.columns():
                    if column.edit != "assistant":
                        setattr(form, column.name, getattr(forms[row.about], column.name))
    return found


def test_the_demos_fourth_day_stops_four_times() -> None:
    """Three battles, a refusal and all their questions: thirteen stops one after the other, before."""
    day = next((before, outcome.campaign) for before, outcome in CAMPAIGNS["anarchy-wallingford-1139"]()
               if (outcome.turn, outcome.phase) == ("4", "movement"))
    found = stops(*day)
    assert len(found) == 4
    assert {"battle/B4-1", "battle/B4-2"} <= set().union(*found)
