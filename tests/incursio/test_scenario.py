"""Esdef, the beginning: five scripted days come out as every row of the expected files says, and as no other."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from assistant.campaign.records import Order
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.turn.phases import Outcome, resolve
from tests.incursio.scenario import LAST_DAY, SECRET, days, esdef, plain, rows, values

Played = dict[int, tuple[set[tuple[str, str, str, str]], list[Outcome]]]
DAYS = range(1, LAST_DAY + 1)


@pytest.fixture(scope="module")
def played() -> Played:
    """Day -> what stands at its close, and its phases."""
    return {day: (values(campaign), outcomes) for day, campaign, outcomes in days(esdef())}


@pytest.mark.parametrize("day", DAYS)
def test_every_value_at_the_close_of_a_day_is_as_expected(played: Played, day: int) -> None:
    """expected.csv: what is listed stands there, and what is not listed does not."""
    stated = {(row["sheet"], row["key"], row["field"], row["value"]) for row in rows("expected.csv")
              if row["turn"] == str(day)}
    assert (sorted(stated - played[day][0]), sorted(played[day][0] - stated)) == ([], [])


@pytest.mark.parametrize("day", DAYS)
def test_every_order_came_to_what_is_expected(played: Played, day: int) -> None:
    """expected_orders.csv: status, outcome and the codes of its findings."""
    outcomes = played[day][1]
    codes: dict[str, list[str]] = {}
    for outcome in outcomes:
        for finding in outcome.findings:
            codes.setdefault(finding.where.row, []).append(finding.code)
    now = {row.order: row for row in outcomes[-1].campaign.table(Order)}
    for row in (row for row in rows("expected_orders.csv") if row["turn"] == str(day)):
        order = now[row["order"]].as_text()
        assert (row["order"], order["status"], order["outcome"], " ".join(codes.get(row["order"], []))) == (
            row["order"], row["status"], row["outcome"], row["findings"])


@pytest.mark.parametrize("day", DAYS)
def test_every_event_is_told_and_no_other(played: Played, day: int) -> None:
    """expected_events.csv: phase, audience, type and data, in their order."""
    told = [(o.phase, e.audience, e.event, plain(e.data)) for o in played[day][1] for e in o.events]
    stated = [(row["phase"], row["audience"], row["event"], json.loads(row["data"]))
              for row in rows("expected_events.csv") if row["turn"] == str(day)]
    assert told == stated


def test_every_battle_is_told_pair_by_pair(played: Played) -> None:
    """expected_battles.csv: lines before and after, outcome, passes, captives, each duel."""
    now = {row.ident: row for row in played[LAST_DAY][1][-1].campaign.by_sheet("Battles")}
    stated = rows("expected_battles.csv")
    assert set(now) == {row["battle"] for row in stated}
    for row in stated:
        text = now[row["battle"]].as_text()
        assert {name: text[name] for name in row if name != "duels"} == {
            name: value for name, value in row.items() if name != "duels"}
        assert plain(now[row["battle"]].duels) == json.loads(row["duels"])


def test_every_scripted_die_is_thrown_and_no_other(played: Played) -> None:
    """dice.csv: key, dice, phase; nothing is left to the secret."""
    thrown = Counter((o.turn, o.phase, r.key, r.dice) for _, outcomes in played.values() for o in outcomes
                     for r in o.rolls)
    assert thrown == Counter((row["turn"], row["phase"], row["key"], row["dice"]) for row in rows("dice.csv"))
    assert all(r.typed for _, outcomes in played.values() for o in outcomes for r in o.rolls)


def test_every_scripted_answer_is_asked_for(played: Played) -> None:
    """answers.csv: kind, whom, about which order."""
    asked = {(q.turn, q.phase, q.kind, q.to, q.about) for _, outcomes in played.values() for o in outcomes
             for q in o.campaign.by_sheet("Questions") if q.status == "answered" and q.kind == "consent"}
    assert asked == {(row["turn"], row["phase"], row["kind"], row["to"], row["about"]) for row in rows("answers.csv")}


@pytest.mark.slow
def test_check_finds_what_the_phases_find() -> None:
    """At the first moves of a day nothing is said of later phases but what nothing will put right."""
    found = {}
    campaign = esdef()
    for day, after, outcomes in days(esdef()):
        begun = resolve(INCURSIO, campaign, SECRET).campaign
        found[day] = {(finding.where.row, finding.code) for finding in INCURSIO.check_orders(begun)}
        campaign = outcomes[-1].campaign
        assert campaign.desk.turn == after.desk.turn
    assert found == {1: set(), 2: {("D2-03", "INC-027")}, 3: {("D3-16", "INC-003")},
                     4: {("D4-04", "INC-007"), ("D4-05", "INC-032")}, 5: set()}


@pytest.mark.slow
def test_the_order_of_the_rows_makes_no_difference(played: Played) -> None:
    """Neither do the numbers in the column No.; of equal lines the smaller number counts."""
    campaign = esdef()
    orders = campaign.table(Order)
    shuffled = [orders.remove(key) for key in orders.keys()]  # noqa: SIM118 - rows go as we walk
    random.Random(3).shuffle(shuffled)
    for number, row in enumerate(shuffled):
        row.seq = number + 1
        orders.add(row)
    assert [values(after) for _, after, _ in days(campaign)] == [played[day][0] for day in DAYS]


@pytest.mark.slow
def test_lines_typed_as_text_are_the_same_orders(played: Played) -> None:
    """Each order of the demo given in words alone comes to the same."""
    campaign = esdef()
    for row in campaign.table(Order):
        for column in row.columns():
            if column.edit == "club" and column.name not in ("order", "turn", "phase", "faction", "text", "issuer",
                                                             "priority", "note"):
                setattr(row, column.name, column.default)
    assert [values(after) for _, after, _ in days(campaign)] == [played[day][0] for day in DAYS]


def test_a_campaign_without_tables_has_the_printed_ones() -> None:
    """Levels, structures and all others, as the demo brings them."""
    whole, bare = esdef(), esdef()
    names = ("Levels", "StructureTypes", "RuinLevels", "Powers", "SpyChances", "Advantages", "UnitTypes",
             "MissionTypes")
    for name in names:
        table = bare.by_sheet(name)
        for key in list(table.keys_in_file_order()):
            table.remove(key)
    INCURSIO.prepare(bare)
    for name in names:
        assert [row.as_text() for row in bare.by_sheet(name)] == [row.as_text() for row in whole.by_sheet(name)]
