"""What the floor does for a rulebook that acts before it judges, gives two throws one key, and adds battles' rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign, changes
from assistant.campaign.records import Die
from assistant.campaign.tables import Table
from assistant.testing import kit
from assistant.testing.cases import must_succeed, run_command
from assistant.turn.calendar import Calendar
from assistant.turn.game import Step
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.taking import refuse, take
from assistant.turn.phases import Outcome, resolve
from tests.playing import codes_of
from tests.plugin.quay import DAY, FIGHT, QUAY, SCOUT, TABLES, Battle, Harbour, Order, Quay, meeting

SECRET = bytes(range(32))


@pytest.fixture(autouse=True)
def plugged_in(tmp_path: Path) -> Iterator[None]:
    """As where it is installed."""
    (tmp_path / "lib").mkdir()
    with kit.plug_in(tmp_path / "lib", quay="tests.plugin.quay:QUAY"):
        yield


def folder(place: Path, **tables: str) -> Path:
    """The opening with further tables, as CSVs."""
    place.mkdir()
    for name, text in (TABLES | tables).items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    return place


def after(place: Path, *orders: str) -> Outcome:
    """The day with these orders, ``N sell P2``."""
    campaign = kit.opening(QUAY, folder(place))
    for number, (faction, verb, target) in enumerate(line.split() for line in orders):
        campaign.table(Order).add(Order(order=f"{faction}-{verb}-{target}", turn="1", phase="day", faction=faction,
                                        verb=verb, target=target, seq=number))
    return resolve(QUAY, campaign, SECRET)


def apart_from_orders(before: Campaign, now: Campaign) -> list[str]:
    """What differs, without orders and what was found of them."""
    return [str(change) for change in changes(before, now) if change.sheet not in ("Orders", "Findings")]


# --- a deed that refuses ----------------------------------------------------------------------------------
def test_a_deed_that_refuses_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ships, money, cargo, ports that came and went, the storm's die, the event, the hint, what the board noted."""
    idle, refused = after(tmp_path / "a"), after(tmp_path / "b", "N sell P2")
    assert codes_of(refused) == ["QUA-003"]
    assert apart_from_orders(idle.campaign, refused.campaign) == []
    assert refused.rolls == []
    assert [event.event for event in refused.events] == ["quay.met"]


def test_what_stood_before_and_comes_after_a_refused_deed_counts(tmp_path: Path) -> None:
    """One ship is sold before it, and the order after it finds the campaign as if it had never been."""
    plain, mixed = after(tmp_path / "a", "N sell P1"), after(tmp_path / "b", "N sell P2", "N sell P1", "S sell P2")
    assert codes_of(mixed) == ["QUA-003", "QUA-004", "QUA-003"]
    assert apart_from_orders(plain.campaign, mixed.campaign) == []
    north = mixed.campaign.by_sheet("Factions")["N"]
    assert (north.ships, north.ducats, north.notes) == (2, 15, {"sold": 1})


def test_a_deed_that_a_refused_one_carried_out_has_its_own_turn_again(tmp_path: Path) -> None:
    """South's scout was sent out by a sale that came to nothing; it goes by itself, and once."""
    plain, nested = after(tmp_path / "a", "S scout P3"), after(tmp_path / "b", "N sell P2", "S scout P3")
    assert apart_from_orders(plain.campaign, nested.campaign) == []
    assert {row.order: row.status for row in nested.campaign.table(Order)} == {
        "N-sell-P2": "refused", "S-scout-P3": "accepted"}
    assert [roll.key for roll in nested.rolls] == ["scout:P3:1"]


# --- two throws with one key --------------------------------------------------------------------------------
def test_two_throws_with_one_key_have_a_die_each_and_are_named(tmp_path: Path) -> None:
    """The first keeps its key and what it shows; the later is thrown under the next, and a warning says so."""
    one, two = after(tmp_path / "a", "N scout P1"), after(tmp_path / "b", "N scout P1", "S scout P1")
    assert [roll.key for roll in two.rolls] == ["scout:P1:1", "scout:P1:1#2"]
    assert two.rolls[0] == one.rolls[0]
    assert two.rolls[1].total != two.rolls[0].total
    assert two.done
    assert [(f.code, f.severity, f.where.row, dict(f.data)) for f in two.findings] == [
        ("ARB-289", "warning", "scout:P1:1#2", {"key": "scout:P1:1", "own": "scout:P1:1#2"})]
    assert codes_of(one) == []


def look(harbour: Harbour) -> None:
    """The first port is looked at."""
    harbour.roll(SCOUT("P1", harbour.game.turn))


def test_a_later_phase_does_not_throw_over_an_earlier_one(tmp_path: Path) -> None:
    """What the day has thrown stays on its row, and the fight throws the next die; the phase says so."""
    class Twice(Quay):
        calendar = Calendar((DAY._replace(steps=(Step(look),)), FIGHT._replace(waits_for=(), steps=(Step(look),))))

    day = resolve(Twice(), kit.opening(QUAY, folder(tmp_path / "in")), SECRET)
    fight = resolve(Twice(), day.campaign, SECRET)
    kept = {row.key: (row.phase, row.value) for row in fight.campaign.table(Die)}
    assert kept == {"scout:P1:1": ("day", day.rolls[0].value), "scout:P1:1#2": ("fight", fight.rolls[0].value)}
    assert fight.rolls[0].total != day.rolls[0].total
    assert [codes_of(day), codes_of(fight)] == [[], ["ARB-289"]]


# --- real commands, CSVs in and out -------------------------------------------------------------------------
def rows(place: Path, table: str) -> list[dict[str, str]]:
    """An exported table."""
    with (place / f"{table}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def played(place: Path, *phases: str, **tables: str) -> tuple[Path, str, Any]:
    """The campaign made of CSVs, so many phases resolved, and exported: the folder, what was said, the workbook."""
    book = place / "quay.xlsx"
    must_succeed("new", "quay", book, "--from", folder(place / "in", **tables))
    said = "".join(must_succeed("resolve", book, *words.split()) for words in phases)
    must_succeed("export", book, "--to", place / "out")
    return place / "out", said, book


HEAD = "order,turn,phase,faction,seq,verb,target\n"


def test_commands_keep_what_a_refused_order_would_have_cost(tmp_path: Path) -> None:
    """And `verify` is content with the campaign as it is."""
    out, said, book = played(tmp_path, "", orders=f"{HEAD}n1,1,day,N,1,sell,P2\nn2,1,day,N,2,sell,P1\n")
    assert "1 order was refused" in said
    assert [(row["faction"], row["ships"], row["ducats"]) for row in rows(out, "factions")] == [
        ("N", "2", "15"), ("S", "3", "5")]
    assert [row["key"] for row in rows(out, "dice")] == ["storm:N:1"]
    assert [row["event"] for row in rows(out, "events")] == ["quay.sold", "quay.bound", "quay.met"]
    assert run_command("verify", book)[0] == 0


def test_commands_go_on_where_two_throws_have_one_key(tmp_path: Path) -> None:
    """Each has its row; what the table threw is typed under the key of each."""
    orders = f"{HEAD}n1,1,day,N,1,scout,P1\ns1,1,day,S,1,scout,P1\n"
    out, said, book = played(tmp_path, "", orders=orders, dice="key,value\nscout:P1:1,7\nSCOUT:p1:1#2,70\n")
    assert "1, Day: resolved" in said
    assert [row["code"] for row in rows(out, "findings")] == ["ARB-289"]
    assert [(row["key"], row["value"], row["source"]) for row in rows(out, "dice")] == [
        ("scout:P1:1", "7", "table"), ("scout:P1:1#2", "70", "table")]
    assert run_command("verify", book)[0] == 0


def test_commands_take_a_battle_that_was_typed_before_it_is_laid_out(tmp_path: Path) -> None:
    """Its row is the battle's, with who won as it was typed, and nobody is asked."""
    out, said, book = played(tmp_path, "", "", battles="battle,winner\nB1,S\n")
    assert "resolved" in said
    assert [(row["battle"], row["node"], row["winner"], row["status"]) for row in rows(out, "battles")] == [
        ("B1", "P1", "S", "played")]
    assert run_command("verify", book)[0] == 0


def test_a_battle_that_is_laid_out_twice_is_a_fault_of_its_rulebook(tmp_path: Path) -> None:
    """Only a row that people have typed gives way."""
    table = after(tmp_path / "a").campaign.table(Battle)
    with pytest.raises(KeyError, match="B1 is there already"):
        table.add(Battle(battle="B1", turn="1", node="P2", status="open"))


# --- what the kit says ----------------------------------------------------------------------------------------
def with_steps(*steps: Step) -> Quay:
    """The Quay with other steps of its day."""
    class Other(Quay):
        calendar = Calendar((DAY._replace(steps=steps), FIGHT))

    return Other()


def heedless(harbour: Harbour) -> None:
    """A ship for every order, and only then a look at what it says; by hand, so that nothing is undone."""
    for request in take(harbour):
        house = harbour.houses[request.faction]
        house.ships -= 1
        harbour.tell("quay.sold", faction=house.faction, node=request.target)
        if request.verb == "sell":
            refuse(harbour, request, Refused("QUA-003", "target", node=request.target))


def shy(harbour: Harbour) -> None:
    """No battle where its row is there already."""
    if "B1" not in harbour.battles:
        meeting(harbour)


def test_the_kit_finds_what_the_floor_cannot_help(tmp_path: Path) -> None:
    """Orders that are carried out past their deeds, throws that share a key, battles that shy away from typed rows."""
    start = kit.opening(QUAY, folder(tmp_path / "in"))
    told = r"1 day: refused orders have left Factions [NS]\.ships: -?\d -> -?\d behind\. Refuse them in their deeds"
    with pytest.raises(AssertionError, match=told):
        kit.refused_orders_leave_nothing(with_steps(Step(heedless, "together")), start, seed=1)
    with pytest.raises(AssertionError, match=r"1 day: two throws have the key scout:P1:1 when all scout\. Name in"):
        kit.no_throws_share_a_key(QUAY, start)
    with pytest.raises(AssertionError, match=r"a battle that was typed before it is laid out \(B1\) makes Battles B1"):
        kit.battles_may_be_typed_early(with_steps(Step(shy)), start)
    for seed in range(4):
        kit.refused_orders_leave_nothing(QUAY, start, seed=seed)
    kit.battles_may_be_typed_early(QUAY, start)


def test_a_battle_without_a_status_may_be_typed_early(tmp_path: Path) -> None:
    """There a row that has no turn yet was not laid out."""
    table = Table(base.Battle, [base.Battle(battle="B1")])
    assert table.add(base.Battle(battle="B1", turn="1", node="P1")) is table["B1"]
    with pytest.raises(KeyError, match="B1 is there already"):
        table.add(base.Battle(battle="B1", turn="1", node="P2"))
