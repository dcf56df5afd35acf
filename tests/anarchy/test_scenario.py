"""Wallingford 1139, days 0 to 8: every value of expected.csv, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.turn.findings import cited_keys
from assistant.turn.phases import Outcome
from tests.anarchy.scenario import LAST_DAY, PLACE, Value, expected, scripted_days, values, wallingford

Played = dict[int, tuple[set[Value], list[Outcome]]]
SAID = {  # findings that the scenario makes on purpose
    (3, "D3-06", "ANA-403"),
}


@pytest.fixture(scope="module")
def played() -> Played:
    """Day -> what is new at its close, in the fields that expected.csv knows; and the phases of the day."""
    fields = {(sheet, field) for rows in expected().values() for sheet, _, field, _ in rows}
    found, was = {}, values(wallingford())
    for day, state, outcomes in scripted_days():
        now = values(state)
        new = {(*key, value) for key, value in now.items()
               if (key[0], key[2]) in fields and value != was.get(key, "") and (key in was or value not in ("0", ""))}
        found[day] = (new, outcomes)
        was = now
    return found


@pytest.mark.parametrize("day", range(LAST_DAY + 1))
def test_every_value_of_the_day_is_as_expected(played: Played, day: int) -> None:
    """Each row of expected.csv holds at the close of its day."""
    missing = sorted(expected()[day] - played[day][0])
    instead = {key[:3]: key[3] for key in played[day][0]}
    assert [(row, instead.get(row[:3], "as before")) for row in missing] == []


@pytest.mark.parametrize("day", range(LAST_DAY + 1))
def test_nothing_else_is_new_that_day(played: Played, day: int) -> None:
    """expected.csv lists every field that must differ from the day before."""
    stated = {row[:3] for row in expected()[day]}
    created = {(row[0], row[1]) for row in played[day][0]} - {
        (sheet, key) for d in range(day) for sheet, key, _, _ in played[d][0]}
    more = sorted(row for row in played[day][0] if row[:3] not in stated and (row[0], row[1]) not in created)
    freed = [row for row in more if row[2:] == ("captor", "")]  # who is free again has no captor
    assert [row for row in more if row not in freed and not _gone(played, day, row)] == []


def _gone(played: Played, day: int, row: Value) -> bool:
    """Whether the row is of a group that is no more: what is left of it is not listed."""
    now = {r[:3]: r[3] for d in range(day + 1) for r in sorted(played[d][0])}
    return now.get((row[0], row[1], "state"), "active") in ("merged", "captured", "destroyed", "dissolved")


def test_the_folder_needs_no_desk(tmp_path: Path) -> None:
    """The files of the scenario alone, as somebody else would write them, begin at the opening of day 0."""
    for file in PLACE.glob("*.csv"):
        if file.name not in ("desk.csv", "expected.csv"):
            text = file.read_text(encoding="utf-8")
            (tmp_path / file.name).write_text(text.replace(",day,royal,", ",,royal,"), encoding="utf-8")
    campaign = wallingford(tmp_path)
    assert (campaign.desk.turn, campaign.desk.phase) == ("0", "opening")
    assert {order.phase for order in campaign.by_sheet("Orders")} == {"day"}


def test_every_scripted_die_is_thrown_and_no_other(played: Played) -> None:
    """dice.csv: every die that comes up, thrown at the table."""
    rolls = [(o.turn, o.phase, r.key, r.typed) for _, outcomes in played.values() for o in outcomes for r in o.rolls]
    assert [roll for roll in rolls if not roll[3]] == []
    scripted = {(d.turn, d.phase, d.key) for d in wallingford().by_sheet("Dice")}
    assert {roll[:3] for roll in rolls} == scripted


def test_every_scripted_answer_is_asked_for(played: Played) -> None:
    """answers.csv: the keys of section 5."""
    asked = {(o.turn, o.phase, q.question) for _, outcomes in played.values() for o in outcomes
             for q in o.campaign.by_sheet("Questions")
             if q.status == "answered" and (q.turn, q.phase) == (o.turn, o.phase)}
    scripted = {(q.turn, q.phase, q.question) for q in wallingford().by_sheet("Questions")}
    assert scripted - asked == set()


def test_the_findings_are_those_that_were_meant(played: Played) -> None:
    """README: a recruiting order refused (ANA-403), and nothing else."""
    said = {(int(o.turn), f.where.row, f.code) for _, outcomes in played.values() for o in outcomes for f in o.findings
            if f.stops}
    assert said == SAID


def test_ex07_the_order_of_march_of_day_1(played: Played) -> None:
    """EX-07: by prestige, heads, die and id; A-BOH before the leaderless; trains, then convoys."""
    (event,) = [e for o in played[1][1] for e in o.events if e.event == "order_of_march"]
    listed = event.data["list"]
    names = listed if isinstance(listed, list) else re.findall(r"[ACMT]-\w+", str(listed))
    assert names == ["A-STE", "A-ROB", "A-MIL", "A-YPR", "A-MEU", "A-BRI", "A-MAR", "A-CHE", "A-BOH", "M-WE1", "A-BLK",
                     "M-FL2", "T-DEV", "C-BAT", "C-DOR", "C-KNG", "C-OXF", "C-REA"]


@pytest.mark.parametrize(("day", "characters", "maps"), [(4, {51, 41}, {2}), (7, {68}, {4})])
def test_the_size_of_the_battles(played: Played, day: int, characters: set[int], maps: set[int]) -> None:
    """EX-15 to EX-17: 51 and 41 characters on two maps, 68 on four."""
    told = [{str(v) for v in e.data.values()} for o in played[day][1] for e in o.events if e.event == "battle_opened"]
    for number in characters | maps:
        assert any(str(number) in data for data in told), told


def test_events_cite_their_rules(played: Played) -> None:
    """Every event cites a rule, and nothing that the ruleset does not declare."""
    events = [e for _, outcomes in played.values() for o in outcomes for e in o.events]
    assert len(events) > 200
    assert [e.event for e in events if not e.rule] == []
    assert sorted({key for e in events for key in cited_keys(e.rule)} - set(ANARCHY.citations)) == []
