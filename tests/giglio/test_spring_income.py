"""Chapter 2a: taxes, the events of winter, upkeep, loans and confiscation (rulebook: 2a Income)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from tests.giglio.cases import case, giglio

NO_TAX: dict[str, Any] = {"tax_city": 0, "tax_village": 0, "tax_fortress": 0}
TWO_CITIES: dict[str, Any] = {"bare": True, "nodes": "F0 site=city, F3 site=city, F2, F4 site=fortress"}


def test_taxes_come_from_places_controlled_now() -> None:
    """2a t29: what is held pays, wherever it lies and whoever stands before its walls."""
    after = case("income", armies="M-1 90 V11", sieges="V11 M 3", nodes="P9 owner=V, V8 owner=M")
    assert after.chest("V") == 40 + 10 + 10 + 20  # V0; V9 and P9; V11
    assert after.chest("M") == 40 + 40 + 10  # M4, M5; V8
    assert after.siege("V11", "M").rounds == 3
    assert after.unchanged_except("V", "M", "F", "P", "S")


def test_neutral_places_pay_nobody() -> None:
    """2a: only players and robots collect."""
    after = case("income", bare=True, factions="V", nodes="V0 site=city, N1 site=city")
    assert (after.chest("V"), after.chest("N")) == (40, 0)
    assert len(after.events("income.tax")) == 1


def test_each_taking_stands_in_the_accounts() -> None:
    """2a: the accounts hold every movement of the chest with its balance."""
    after = case("income", bare=True, factions="V 7", nodes="V0 site=city")
    line = after.rows(g.Account)[-1]
    assert (line.faction, line.amount, line.balance, line.phase, line.year) == ("V", 40, 47, "income", 1500)


@pytest.mark.parametrize(("mode", "cities"), [("half", 50), ("flat20_each", 40), ("flat20_total", 20)])
def test_famine(mode: str, cities: int) -> None:
    """t36 row 2: half the city tax (Italian), 20 ducats from each city or from all of them (English)."""
    after = case("income", **TWO_CITIES, factions="F pending_event=2", rules={"famine_mode": mode, "tax_city": 50})
    assert after.event("income.tax").data["cities"] == cities
    assert after.chest("F") == cities + 10 + 20


@pytest.mark.parametrize(("edition", "cities"), [("IT", 50), ("IT_amended", 50), ("EN", 40), ("EN_amended", 40)])
def test_famine_by_edition(edition: str, cities: int) -> None:
    """t36 row 2: Italian editions halve, English ones take 20 a city."""
    after = case("income", **TWO_CITIES, edition=edition, factions="F pending_event=2", rules={"tax_city": 50})
    assert after.event("income.tax").data["cities"] == cities


@pytest.mark.parametrize(("event", "total"), [(0, 110), (1, 110), (3, 105), (4, 115), (5, 190)])
def test_the_other_events_of_table_36(event: int, total: int) -> None:
    """t36: poor harvest 5, good harvest 15 a village, indulgence doubles cities, an epidemic takes no tax."""
    after = case("income", **TWO_CITIES, factions=f"F pending_event={event} pending_node={'F0' if event == 1 else ''}")
    assert after.chest("F") == total


def test_an_event_touches_its_own_factions_takings_only() -> None:
    """Table 29: the famine of Florence is no famine of Venice."""
    after = case("income", bare=True, factions="F pending_event=2, V", nodes="F0 site=city, V0 site=city")
    assert (after.chest("F"), after.chest("V")) == (20, 40)


def test_the_event_stays_on_the_sheet_until_winter() -> None:
    """2a Income: pending_event is replaced by the next winter, not by spring."""
    after = case("income budget", **TWO_CITIES, factions="F pending_event=5")
    assert after.faction("F").pending_event == 5


def test_a_disaster_takes_the_walls_of_a_fortress() -> None:
    """t36 row 6: the fortifications are destroyed; the place still pays."""
    after = case("income", **TWO_CITIES, factions="F pending_event=6 pending_node=F4")
    assert (after.node("F4").walls, after.chest("F")) == ("none", 110)


@pytest.mark.parametrize(("mode", "total"), [("fortress", 80), ("fortress_city", 60)])
def test_fortress_city(mode: str, total: int) -> None:
    """t29: in the English table a city with intact walls may count as a fortress and pay 20."""
    after = case(
        "income",
        bare=True,
        factions="V",
        nodes="V0 site=city walls=intact, V1 site=city walls=damaged",
        rules={"fortress_income": mode},
    )
    assert after.chest("V") == total


@pytest.mark.parametrize(("mode", "year", "total"), [("yes", 1500, 47), ("no", 1500, 7), ("no", 1501, 47)])
def test_taxes_of_the_first_spring(mode: str, year: int, total: int) -> None:
    """Table 29: the opening chest is beside, or instead of, the first year's taxes."""
    after = case(
        "income", bare=True, year=year, factions="V 7", nodes="V0 site=city", rules={"first_spring_taxes": mode}
    )
    assert after.chest("V") == total


def test_upkeep_is_rounded_up_and_what_is_missing_comes_off_the_army() -> None:
    """2: 25% of 90 is 23, of 50 is 13; the chest of 30 pays 23 and 7, the rest comes off V-2."""
    after = case(
        "income",
        bare=True,
        factions="V 30",
        nodes="V1",
        rules={**NO_TAX, "army_upkeep_pct": 25},
        armies="V-1 90 V1, V-2 50 V1, V-3 0 V1 kind=diplomat",
    )
    assert after.chest("V") == 0
    assert (after.army("V-1").value, after.army("V-2").value) == (90, 44)
    assert after.unchanged_except("V", "V-2")


def test_an_army_that_nobody_pays_goes_home() -> None:
    """2: an army whose upkeep eats it up is lost."""
    after = case(
        "income", bare=True, factions="V", nodes="V1", rules={**NO_TAX, "army_upkeep_pct": 100}, armies="V-1 30 V1"
    )
    assert after.gone("V-1")
    assert after.event("army.lost", army="V-1", why="unpaid")


def test_without_a_price_armies_are_free() -> None:
    """2: "maintain" has no price in the book: nothing is paid."""
    after = case("income", bare=True, factions="V 30", nodes="V1", rules=NO_TAX, armies="V-1 90 V1")
    assert after.chest("V") == 30


# --- loans and confiscation -----------------------------------------------------------------------
def confiscated(due: int, chest: int = 0, **given: Any) -> Any:
    """A debt of the year before that the chest cannot pay, with no taxes to help."""
    return case(
        "income", bare=True, start=1499, rules=NO_TAX, factions=f"V {chest}", loans=f"V 1499 {due} {due}", **given
    )


def test_confiscation_takes_whole_fleets_first() -> None:
    """2a (a): fleets without cargo go while a whole fleet's worth is due, in natural order."""
    after = confiscated(150, nodes="V0 port=yes", fleets="V-F10 V0, V-F2 V0, V-F3 V0", armies="V-1 90 V0")
    assert after.gone("V-F2", "V-F3")
    assert after.fleet("V-F10").node == "V0"
    assert after.army("V-1").value == 90
    assert after.unchanged_except("V-F2", "V-F3", "V/1499")


def test_confiscation_then_takes_armies_by_value_and_code() -> None:
    """2a (b): the greater army first, of equal ones the first by code, each as much as is asked."""
    after = confiscated(75 + 50, nodes="V0 port=yes", fleets="V-F1 V0", armies="V-10 40 V0, V-2 40 V0, V-3 30 V0")
    assert after.gone("V-F1", "V-2")
    assert (after.army("V-10").value, after.army("V-3").value) == (30, 30)
    assert after.event("army.lost", army="V-2", why="confiscated")
    assert after.event("fleet.lost", fleet="V-F1", why="confiscated").audience == "all"
    assert after.unchanged_except("V-F1", "V-2", "V-10", "V/1499")


def test_confiscation_takes_a_fleet_for_a_rest_when_no_army_is_left() -> None:
    """2a (c): a fleet worth more than the rest is taken, too; the excess is lost."""
    after = confiscated(60, nodes="V0 port=yes", fleets="V-F1 V0", armies="V-1 20 V0")
    assert after.gone("V-1", "V-F1")
    assert after.event("loan.confiscated").data["written_off"] == 0
    assert after.chest("V") == 0


def test_confiscation_then_razes_walls_of_cities_and_villages_before_fortresses() -> None:
    """2a (d): intact walls of cities and villages in natural order, then of fortresses."""
    after = confiscated(
        60, nodes="V3 site=fortress, V0 site=city walls=intact, V8 walls=intact, V9 site=city walls=damaged"
    )
    assert [after.node(n).walls for n in ("V0", "V8", "V9", "V3")] == ["none", "none", "damaged", "intact"]
    assert after.event("loan.confiscated").data["written_off"] == 0
    assert after.unchanged_except("V0", "V8", "V/1499")


def test_all_see_which_walls_the_bank_razes_and_the_club_what_it_takes() -> None:
    """2a (d): walls are public, and so is their end; the list of goods is the debtor's."""
    after = confiscated(60, nodes="V0 site=city walls=intact, V8 walls=intact")
    assert [(e.data["node"], e.audience) for e in after.events("walls.confiscated")] == [("V0", "all"), ("V8", "all")]
    assert (after.event("loan.goods").data["goods"], after.event("loan.goods").audience) == (["V0", "V8"], "V")


def test_the_club_says_what_is_taken_first() -> None:
    """2a: goods of equal value: what the club names, in its order, then the fixed order; of an army what is owed."""
    after = confiscated(80, nodes="V0 port=yes, V8 walls=intact", fleets="V-F1 V0", armies="V-1 90 V0",
                        answers="income confiscation V = V8 V-1")
    assert after.node("V8").walls == "none"
    assert (after.army("V-1").value, after.fleet("V-F1").node) == (60, "V0")
    assert after.event("loan.goods").data["goods"] == ["V8", "V-1"]


def test_an_army_aboard_a_fleet_that_is_named_goes_with_it() -> None:
    """2a (c): it is destroyed, and cannot be taken for itself any more."""
    after = confiscated(140, nodes="V0 port=yes", fleets="V-F1 V0 cargo=V-1",
                        armies="V-1 90 V0 posture=aboard, V-2 90 V0", answers="income confiscation V = V-F1 V-1")
    assert after.gone("V-F1", "V-1")
    assert after.event("army.lost", army="V-1", why="fleet confiscated")
    assert after.army("V-2").value == 90 - (140 - 75)


def test_the_bank_is_expected_where_chest_and_takings_will_not_do() -> None:
    """2a: only then the debtor is asked what goes first, and nothing waits for it."""
    told = [case("winter", bare=True, factions=f"V {chest}", nodes="V0 site=city", loans="V 1500 80 100",
                 armies="V-1 90 V0", dice={"event:V:1500": 1}).campaign for chest in (59, 60)]
    asked = [[row.kind for _, row in giglio().open_invitations(one) if row.kind == "confiscation"] for one in told]
    assert asked == [["confiscation"], []]


def test_what_cannot_be_taken_is_written_off() -> None:
    """2a (e): with one fortress for 100 ducats, 50 are written off."""
    after = confiscated(100, nodes="V3 site=fortress")
    assert after.node("V3").walls == "none"
    assert after.event("loan.confiscated").data["written_off"] == 50
    assert after.row(g.Loan, "V/1499").status == "confiscated"


def test_the_chest_pays_first() -> None:
    """2a: what the chest holds is paid before anything is taken."""
    after = confiscated(50, chest=49, nodes="V0", armies="V-1 90 V0")
    assert (after.chest("V"), after.army("V-1").value) == (0, 89)


def test_a_loan_of_this_year_is_not_due_yet() -> None:
    """2a: a loan is granted for one year and repaid in the next spring."""
    after = case("income", bare=True, factions="V 100", nodes="V0", rules=NO_TAX, loans="V 1500 20 25")
    assert (after.chest("V"), after.row(g.Loan, "V/1500").status) == (100, "open")


@pytest.mark.parametrize(("mode", "lent"), [("yes", False), ("no", True)])
def test_no_loan_in_the_spring_of_a_confiscation(mode: str, lent: bool) -> None:
    """confiscate_no_loan: who was confiscated this spring gets no loan, or may get one."""
    after = case(
        "income budget",
        bare=True,
        start=1499,
        factions="V",
        nodes="V0 site=city",
        rules={"confiscate_no_loan": mode, "tax_city": 40},
        loans="V 1499 40 90",
        armies="V-1 200 V0",
        orders="V loan 20",
        findings="" if lent else "o1 GIG-022",
    )
    assert after.chest("V") == (20 if lent else 0)
    assert after.army("V-1").value == 150


# --- works ----------------------------------------------------------------------------------------
def test_works_of_a_later_year_are_not_touched() -> None:
    """2a Income: only works that are due are done."""
    after = case("income", works="V8 V fortify 1501")
    assert (after.work("V8").status, after.node("V8").walls) == ("under_way", "none")


def test_repairs_are_done_in_january_too() -> None:
    """2a Income: a damaged wall under repair stands again."""
    after = case("income", nodes="V8 walls=damaged", works="V8 V repair 1500")
    assert (after.work("V8").status, after.node("V8").walls) == ("done", "intact")
