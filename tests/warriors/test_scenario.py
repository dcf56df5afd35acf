"""The Borderlands, turns 1 to 6: every value of expected.csv and no other, every event, die, answer and finding."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from assistant.campaign.records import Event, Faction
from assistant.reporting.reader import Period
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.findings import cited_keys
from assistant.turn.phases import Outcome
from tests.playing import field_texts
from tests.warriors.scenario import LAST_TURN, PLACE, Value, borderlands, data_of, expected, rows, turns

SHEETS = {"factions", "nodes", "roads", "zones", "armies", "units", "wounded", "boats"}
Played = dict[int, tuple[set[Value], set[tuple[str, str]], list[Outcome]]]


@pytest.fixture(scope="module")
def played() -> Played:
    """Turn -> what is new at its close, which rows are, and the phases of the turn."""
    campaign, found = borderlands(), {}
    was = field_texts(campaign)
    for turn, state, outcomes in turns(campaign):
        now = field_texts(state)
        new = {(*key, value) for key, value in now.items() if key[0] in SHEETS and value != was.get(key, "")}
        before, after = {key[:2] for key in was}, {key[:2] for key in now}
        gone = {(*key, "(row)", "removed") for key in before - after if key[0] in SHEETS}
        fresh = after - before
        found[turn] = (new | gone, fresh, outcomes)
        was = now
    return found


@pytest.mark.parametrize("turn", range(1, LAST_TURN + 1))
def test_every_value_of_the_turn_is_as_expected(played: Played, turn: int) -> None:
    """Each row of expected.csv holds at the close of its turn."""
    instead = {value[:3]: value[3] for value in played[turn][0]}
    assert [(row, instead.get(row[:3], "as before")) for row in sorted(expected()[turn] - played[turn][0])] == []


@pytest.mark.parametrize("turn", range(1, LAST_TURN + 1))
def test_nothing_else_is_new_that_turn(played: Played, turn: int) -> None:
    """expected.csv lists every field that differs; of a new row those that are not blank, and it has no Italian."""
    stated, fresh = {row[:3] for row in expected()[turn]}, played[turn][1]
    more = {row for row in played[turn][0] if row[:3] not in stated}
    plain = {row for row in more if row[:2] in fresh and (
        row[3] in ("", "0", "no", "none") or row[2] == "name_it" or row[1] == row[3])}
    assert sorted(more - plain) == []


@pytest.mark.parametrize("turn", range(1, LAST_TURN + 1))
def test_every_event_of_the_turn_is_told(played: Played, turn: int) -> None:
    """expected_events.csv: code, subject and data."""
    told = [(o.phase, e.event, e.data) for o in played[turn][2] for e in o.events]
    missing = [row for row in rows("expected_events.csv") if row["turn"] == str(turn) and not any(
        (phase, event) == (row["phase"], row["event"])
        and (not row["subject"] or row["subject"] in map(str, data.values()))
        and all(data.get(name) == value for name, value in data_of(row["data"]).items())
        for phase, event, data in told)]
    assert missing == []


def test_every_scripted_die_is_thrown_and_no_other(played: Played) -> None:
    """dice.csv: every die that comes up, thrown at the table."""
    thrown = [(o.turn, o.phase, r.key, r.typed) for *_, outcomes in played.values() for o in outcomes for r in o.rolls]
    assert [roll for roll in thrown if not roll[3]] == []
    assert {roll[:3] for roll in thrown} == {(row["turn"], row["phase"], row["key"]) for row in rows("dice.csv")}


def test_every_scripted_answer_is_asked_for(played: Played) -> None:
    """answers.csv: names and addressees of all questions."""
    asked = {(o.turn, o.phase, q.question, q.to) for *_, outcomes in played.values() for o in outcomes
             for q in o.campaign.by_sheet("Questions") if q.status == "answered"}
    scripted = {(row["turn"], row["phase"], row["question"], row["to"]) for row in rows("answers.csv")}
    assert scripted - asked == set()


def test_the_findings_are_those_that_were_meant(played: Played) -> None:
    """expected_findings.csv: each row of orders by faction and number, and no other."""
    orders = {row.order: row for row in borderlands().by_sheet("Orders")}
    said = {(o.turn, o.phase, orders[f.where.row].faction, str(orders[f.where.row].seq), f.code, f.severity)
            for *_, outcomes in played.values() for o in outcomes for f in o.findings}
    assert said == {tuple(row.values()) for row in rows("expected_findings.csv")}


def test_events_cite_their_rules(played: Played) -> None:
    """Every event cites a paragraph, and nothing that the ruleset does not declare."""
    events = [e for *_, outcomes in played.values() for o in outcomes for e in o.events]
    assert [e.event for e in events if not e.rule] == []
    assert sorted({key for e in events for key in cited_keys(e.rule)} - set(WARRIORS.citations)) == []


@pytest.mark.slow
def test_the_order_of_the_rows_does_not_matter(tmp_path: Path) -> None:
    """All files upside down: the first two turns come out the same."""
    for file in PLACE.glob("*.csv"):
        head, *lines = file.read_text(encoding="utf-8").splitlines()
        lines = lines if file.name == "desk.csv" else lines[::-1]
        (tmp_path / file.name).write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    plain, turned = turns(borderlands()), turns(borderlands(tmp_path))
    for _ in range(2):
        assert {key: value for key, value in field_texts(next(plain)[1]).items() if key[0] in SHEETS} == {
            key: value for key, value in field_texts(next(turned)[1]).items() if key[0] in SHEETS}


@pytest.mark.slow
def test_the_referee_reads_each_march_once() -> None:
    """What others see of a march is no second one; who is told of it as one of them reads it all the same."""
    campaign = next(iter(turns(borderlands())))[2][-1].campaign
    marched = [event for event in campaign.table(Event) if event.event in ("moved", "sailed")]
    read = Counter(event.event for event in Period(WARRIORS, campaign, 0).events)
    assert marched
    assert (read["moved"] + read["sailed"], read["seen"]) == (len(marched), 0)
    others = [Period(WARRIORS, WARRIORS.view(campaign, row.faction), 0).events for row in campaign.table(Faction)]
    assert any(event.event == "seen" for events in others for event in events)
