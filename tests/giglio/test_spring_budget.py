"""Chapter 2b: loans, recruiting, specialists, fleets, the Strategos, payments.

See rulebook: Spring orders, 2b Recruiting, The Strategos, 3a Epidemics.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from assistant.wording import Wording
from tests.giglio.cases import build, case, giglio, quiet_winter

RICH: dict[str, Any] = {"factions": "V 500 fleet_cap=2"}


# --- loans ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("asked", "due"), [(20, 25), (10, 13), (1, 2), (4, 5)])
def test_interest_is_rounded_up(asked: int, due: int) -> None:
    """2a: a loan is repaid with 25%, rounded up to whole ducats."""
    after = case("budget", orders=f"V loan {asked}")
    (said,) = giglio().dues(giglio().view(after.campaign, "V"), "V")
    assert Wording(giglio(), "en").sentence(said.text, said.data).endswith(
        "The bank takes what it is owed from the chest after the taxes, before the budget.")
    assert (after.chest("V"), after.row(g.Loan, "V/1500").due) == (asked, due)
    assert after.event("loan.granted", faction="V", amount=asked, due=due).audience == "V"
    assert after.unchanged_except("V", "V/1500")


@pytest.mark.parametrize(
    ("base", "event", "cap"),
    [
        ("cities_before", 2, 20),
        ("cities_after", 2, 10),
        ("cities_before", 5, 20),
        ("cities_after", 5, 40),
        ("all", 0, 40),
        ("all", 5, 40),
    ],
)
def test_what_the_loan_is_measured_on(base: str, event: int, cap: int) -> None:
    """2a, loan_base: city taxes before events, after them, or the taxes of all places (here 80)."""
    given: dict[str, Any] = {"rules": {"loan_base": base}, "factions": f"V pending_event={event}"}
    assert case("budget", **given, orders=f"V loan {cap}").chest("V") == cap
    case("budget", **given, orders=f"V loan {cap + 1}", findings="o1 GIG-021")


def test_the_cap_is_rounded_down() -> None:
    """4: limits are rounded down: half of 45 is 22."""
    given: dict[str, Any] = {"rules": {"tax_city": 45}}
    assert case("budget", **given, orders="V loan 22").chest("V") == 22
    case("budget", **given, orders="V loan 23", findings="o1 GIG-021")


def test_a_loan_of_exactly_half() -> None:
    """2a, loan_amount exactly: "equal to half" is the only sum."""
    given: dict[str, Any] = {"rules": {"loan_amount": "exactly"}}
    assert case("budget", **given, orders="V loan 20").chest("V") == 20
    case("budget", **given, orders="V loan 19", findings="o1 GIG-021")


def test_without_cities_there_is_no_loan() -> None:
    """2a: half of nothing is nothing."""
    case("budget", nodes="V0 owner=M", orders="V loan 1", findings="o1 GIG-021")


def test_a_loan_repaid_last_spring_does_not_hinder_a_new_one() -> None:
    """2a: only an open loan, or one of this year, stands in the way."""
    after = case("budget", loans="V 1499 20 25 status=repaid", start=1499, orders="V loan 20")
    assert after.chest("V") == 20


# --- recruiting -----------------------------------------------------------------------------------
def test_men_join_the_only_army_there() -> None:
    """2b: recruited men join the army in the city."""
    after = case("budget", **RICH, armies="V-1 40 V0 trail=V9", orders="V recruit 60 V0")
    assert (after.army("V-1").value, after.army("V-1").trail, after.chest("V")) == (100, "V9", 440)
    assert after.event("army.recruited", army="V-1", amount=60, node="V0").audience == "V"
    assert after.unchanged_except("V", "V-1")


def test_a_new_army_gets_the_lowest_free_number() -> None:
    """2b: new men form an army in the field with the lowest number that is free, envoys counted."""
    after = case("budget", **RICH, armies="V-1 40 V8, V-2 0 V8 kind=diplomat, V-4 40 V8", orders="V recruit 60 V0")
    army = after.army("V-3")
    assert (army.value, army.node, army.posture, army.trail, army.kind) == (60, "V0", "field", "", "army")
    assert after.unchanged_except("V", "V-3")


def test_new_makes_a_second_army_beside_the_first() -> None:
    """2b: with `new` the men do not join the army that stands there."""
    after = case("budget", **RICH, armies="V-1 40 V0", orders="V recruit 60 V0 new")
    assert (after.army("V-1").value, after.army("V-2").value) == (40, 60)


def test_a_named_army_gets_the_men() -> None:
    """2b: of several armies in the city the one that is named."""
    after = case("budget", **RICH, armies="V-1 40 V0, V-2 40 V0", orders="V recruit 60 V0 V-2")
    assert (after.army("V-1").value, after.army("V-2").value) == (40, 100)


def test_one_recruits_in_any_city_that_one_controls() -> None:
    """2b: a captured city recruits like one's own; walls and unrest do not matter."""
    after = case("budget", **RICH, nodes="M5 owner=V", orders="V recruit 60 M5")
    assert after.army("V-1").node == "M5"


def test_an_envoy_does_not_count_among_the_three_armies() -> None:
    """2b, t33: the three armies are armies."""
    after = case("budget", **RICH, armies="V-1 9 V8, V-2 9 V8, V-3 0 V8 kind=diplomat", orders="V recruit 60 V0")
    assert after.army("V-4").value == 60


def test_two_rows_for_one_new_army() -> None:
    """Orders: rows are taken in order, so the second row joins the army that the first made."""
    after = case("budget", **RICH, orders="V recruit 60 V0\nV recruit 30 V0")
    assert after.army("V-1").value == 90


def test_a_besieged_city_recruits_while_no_enemy_stands_in_the_field() -> None:
    """2b: a shut in enemy does not keep the men away."""
    after = case("budget", **RICH, armies="M-1 50 V0 posture=shut_in", orders="V recruit 60 V0")
    assert after.army("V-1").value == 60


def test_a_partner_with_passage_in_the_city_does_not_hinder() -> None:
    """Words of the map: hostile is who is not a partner with passage."""
    after = case("budget", **RICH, armies="M-1 50 V0", alliances="M V 1502 passage=yes", orders="V recruit 60 V0")
    assert after.army("V-1").value == 60
    case("budget", **RICH, armies="M-1 50 V0", alliances="M V 1502", orders="V recruit 60 V0", findings="o1 GIG-025")


# --- specialists ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "cost", "post"), [("sapper", 50, "V-1"), ("sapper", 50, "V8"), ("spy", 50, ""), ("assassin", 50, "")]
)
def test_specialists_are_hired_for_a_year(kind: str, cost: int, post: str) -> None:
    """t33: sapper, spy and assassin cost 50 ducats; numbers of the past are not used again."""
    after = case(
        "budget",
        **RICH,
        armies="V-1 40 V0",
        specialists="V-S1 spy status=expired year=1499",
        orders=f"V enlist {kind} {post}",
    )
    man = after.specialist("V-S2")
    assert (man.kind, man.post, man.year, man.status) == (kind, post, 1500, "active")
    assert after.chest("V") == 500 - cost
    assert after.audience("specialist.enlisted", kind=kind) == {"V"}
    assert after.unchanged_except("V", "V-S2")


@pytest.mark.parametrize(("kind", "post"), [("sapper", "V8"), ("spy", "")])
def test_only_who_has_a_post_is_told_to_have_one(kind: str, post: str) -> None:
    """t33: a spy whose order names a place serves everywhere all the same."""
    after = case("budget", **RICH, armies="V-1 40 V0", orders=f"V enlist {kind} V8")
    assert after.event("specialist.enlisted", kind=kind).data["post"] == after.specialist("V-S1").post == post


def test_a_diplomat_is_a_marker_like_an_army() -> None:
    """t33: he costs 35 and stands on the map as if he were an army."""
    after = case("budget", **RICH, armies="V-1 40 V8", orders="V enlist diplomat V0")
    man = after.army("V-2")
    assert (man.kind, man.value, man.node, man.posture, man.revealed) == ("diplomat", 0, "V0", "field", False)
    assert after.chest("V") == 465
    assert after.unchanged_except("V", "V-2")


def test_italian_words_are_taken_in_the_columns() -> None:
    """Spring orders: verbs and options are understood in both languages."""
    after = case(
        "budget", **RICH, orders="V ingaggia option=spia\nV recluta amount=60 target=V0\nV obiettivo option=porti"
    )
    assert after.specialist("V-S1").kind == "spy"
    assert after.army("V-1").value == 60
    assert after.faction("V").objective == "ports"


# --- fleets ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("mode", "made"), [("cap", False), ("initial", True), ("both", False)])
def test_the_number_of_fleets(mode: str, made: bool) -> None:
    """fleets: the number per nation is a ceiling, a starting number, or both."""
    after = case(
        "budget",
        factions="V 500 fleet_cap=1",
        fleets="V-F1 V0",
        rules={"fleet_limit_mode": mode},
        orders="V fleet V0",
        findings="" if made else "o1 GIG-030",
    )
    assert after.gone("V-F2") is not made
    assert after.chest("V") == (425 if made else 500)


def test_a_fleet_costs_75_and_lies_in_port() -> None:
    """fleets: forming a fleet costs 75 ducats."""
    after = case("budget", **RICH, fleets="V-F2 V0", orders="V fleet V0")
    assert (after.fleet("V-F1").node, after.fleet("V-F1").cargo, after.chest("V")) == ("V0", "", 425)
    assert after.event("fleet.formed", fleet="V-F1", node="V0").audience == "all"


# --- the Strategos --------------------------------------------------------------------------------
@pytest.mark.parametrize(("mode", "loser"), [("keep", 50), ("pay", 30)])
def test_the_highest_bid_wins_and_pays(mode: str, loser: int) -> None:
    """t33: who pays most is Strategos; the others keep, or lose, their bids."""
    after = case("budget", bare=True, factions="V 50, S 50", orders="V bid 25\nS bid 20", rules={"strategos_pay": mode})
    assert (after.chest("V"), after.chest("S"), after.clock.strategos) == (25, loser, "V")
    told = [e for e in after.events() if e.audience == "all"]
    assert [e.event for e in told] == ["strategos.won"]
    assert "25" not in str(told[0].data)


def test_equal_bids_may_leave_the_place_empty() -> None:
    """strategos_tie no_one: nobody is Strategos and nobody pays."""
    after = case(
        "budget", bare=True, factions="V 50, S 50", orders="V bid 25\nS bid 25", rules={"strategos_tie": "no_one"}
    )
    assert (after.chest("V"), after.chest("S"), after.clock.strategos) == (50, 50, "")
    assert after.no_event("strategos.won")
    assert after.audience("strategos.tied", faction="") == {"V", "S"}, "who bid is told why nothing came of it"


def test_without_bids_there_is_no_strategos() -> None:
    """t33: last year's Strategos is not this year's."""
    assert case("budget", bare=True, factions="V 50, S 50", strategos="S", year=1501).clock.strategos == ""


def test_a_bid_is_set_aside_from_its_row_on() -> None:
    """Orders: the bid of 60 leaves 40 for the rows after it, also if it loses."""
    after = case(
        "budget",
        factions="V 100, S 100",
        orders="V bid 60\nV recruit 50 V0\nV recruit 40 V0\nS bid 70",
        findings="o2 GIG-020",
    )
    assert (after.chest("V"), after.army("V-1").value, after.clock.strategos) == (60, 40, "S")


def test_a_bid_moves_no_money_before_the_auction() -> None:
    """Orders, Records: only the winner's bid is a row of Accounts, and every balance is what is in the chest."""
    after = case("budget", factions="V 100, M 100", orders="V bid 30\nV recruit 50 V0\nM bid 40\nM recruit 50 M5")
    told = [(e.data["item"], e.data["amount"], e.data["balance"]) for e in after.events("money.moved")]
    assert sorted(told) == [("bid", -40, 10), ("recruit", -50, 50), ("recruit", -50, 50)]
    assert (after.chest("V"), after.chest("M")) == (50, 10)


def test_the_strategos_sets_the_order_of_movement() -> None:
    """t33: he decides the order in which the factions move this summer."""
    after = case("open", strategos="F", answers="move_order F = S P F M V")
    assert [after.faction(f).move_rank for f in ("S", "P", "F", "M", "V")] == [1, 2, 3, 4, 5]
    assert after.event("order.set").audience == "all"
    assert not after.throws


def test_the_strategos_is_asked() -> None:
    """t33: without his word the summer does not begin; who keeps silent lets the dice decide."""
    after = case("open", strategos="F", waits=True)
    assert list(after.questions) == ["move_order F"]
    assert after.questions["move_order F"].default == "draw"
    drawn = case("open", strategos="F", answers="move_order F = draw")
    assert set(drawn.throws) == {f"order:{f}:1500" for f in "VMFPS"}


@pytest.mark.parametrize("answer", ["S P F M", "S P F M V V", "S P F M X", "S P F M V N"])
def test_the_order_must_name_each_faction_once(answer: str) -> None:
    """t33: GIG-106, and the Strategos is asked again."""
    after = case(
        "open", strategos="F", answers=f"move_order F = {answer}", waits=True, findings="1500.open.move_order.F GIG-106"
    )
    assert list(after.questions) == ["move_order F"]
    assert after.unchanged_except()


@pytest.mark.parametrize("dice", [{"V": 5, "M": 20, "F": 12, "P": 13, "S": 1}])
def test_the_order_is_drawn_at_the_start_of_summer(dice: dict[str, int]) -> None:
    """t33: otherwise the sequence is random and stays valid for the ten rounds."""
    after = case("open", dice={f"order:{f}:1500": n for f, n in dice.items()})
    assert [after.faction(f).move_rank for f in ("M", "P", "F", "V", "S")] == [1, 2, 3, 4, 5]
    assert after.all_dice_given
    assert {r.audience for r in after.last.rolls} == {"public"}


def test_ties_in_the_draw_keep_their_places_as_a_group() -> None:
    """6.6: three throw 10 and again; two tie on that and throw a third time; S stays last, P first."""
    after = case(
        "open",
        dice={
            "order:P:1500": 15,
            "order:S:1500": 2,
            "order:V:1500": 10,
            "order:M:1500": 10,
            "order:F:1500": 10,
            "order:V:1500:t2": 7,
            "order:M:1500:t2": 20,
            "order:F:1500:t2": 7,
            "order:V:1500:t3": 1,
            "order:F:1500:t3": 2,
        },
    )
    assert [after.faction(f).move_rank for f in ("P", "M", "F", "V", "S")] == [1, 2, 3, 4, 5]
    assert after.all_dice_given


# --- payments and the running balance -------------------------------------------------------------
def test_money_received_is_spent_from_the_next_phase_on() -> None:
    """Orders: V pays M 30; M cannot recruit with them in the same spring."""
    after = case("budget", factions="V 50, M 10", orders="V pay M 30\nM recruit 30 M4", findings="o2 GIG-020")
    assert (after.chest("V"), after.chest("M")) == (20, 40)
    assert after.unchanged_except("V", "M")


def test_rows_are_taken_by_number_not_as_they_stand() -> None:
    """Orders: seq decides which purchase the chest can pay; arrival order is irrelevant."""
    after = case("budget", factions="V 60", orders="V recruit 40 V0 seq=2\nV enlist spy seq=1", findings="o1 GIG-020")
    assert (after.chest("V"), after.specialist("V-S1").kind) == (10, "spy")


def test_loans_come_before_all_spending() -> None:
    """Orders: the loan is taken first, whatever its row."""
    after = case("budget", factions="V 30", orders="V enlist spy\nV loan 20")
    assert (after.chest("V"), after.specialist("V-S1").kind) == (0, "spy")


def test_orders_of_other_phases_wait() -> None:
    """2: a row for r3 is not touched in spring."""
    after = case("budget", **RICH, armies="V-1 90 V8", orders="budget V enlist spy\nr3 V move V-1 V8 F7")
    assert (after.army("V-1").node, after.statuses["o2"]) == ("V8", "")


# --- objectives -----------------------------------------------------------------------------------
def test_the_objective_is_chosen_in_the_first_spring_and_secret() -> None:
    """objectives: the choice is recorded and told to nobody else."""
    after = case("budget", orders="V objective conquer M\nF objective keep\nM objective keep")
    assert (after.faction("V").objective, after.faction("V").objective_target) == ("conquer", "M")
    assert (after.faction("F").objective, after.faction("M").objective) == ("keep", "keep")
    assert [e.audience for e in after.events("objective.chosen")] == ["F", "M", "V"]
    assert after.unchanged_except("V", "F", "M")


@pytest.mark.parametrize(
    "option",
    [
        "keep",
        "conquer",
        "capitals",
        "ducats",
        "cities",
        "fortresses",
        "villages",
        "ports",
        "allies_kept",
        "allies_betrayed",
        "fleets",
    ],
)
@pytest.mark.parametrize("edition", ["IT", "EN"])
def test_eleven_objectives_in_italian_ten_in_english(option: str, edition: str) -> None:
    """objectives: the English list has no capitals."""
    bad = option == "capitals" and edition == "EN"
    after = case(
        "budget",
        edition=edition,
        orders=f"V objective {option} {'M' if option == 'conquer' else ''}",
        findings="o1 GIG-094" if bad else "",
    )
    assert after.faction("V").objective == ("" if bad else option)


def test_nothing_ordered_nothing_done() -> None:
    """Orders: in spring without orders nothing happens and nothing is told."""
    after = case("budget")
    assert after.unchanged_except()
    assert not after.events()
    assert not after.throws
    assert after.next == "open"


# --- epidemics (3a) -------------------------------------------------------------------------------
SICK: dict[str, Any] = {
    "bare": True,
    "factions": "F pending_event=1 pending_node=F3, V",
    "nodes": "F3 site=city garrison=yes, V1",
    "strategos": "V",
    "armies": "F-1 100 F3, V-1 50 F3, F-2 30 V1, V-2 0 F3 kind=diplomat",
}
ORDER = "move_order V = V F\n"


def test_all_troops_in_the_city_are_tested_company_by_company() -> None:
    """3a: a list of companies counts, 4 to 6 kills each; enemies and the garrison suffer like the owners."""
    after = case(
        "open",
        **SICK,
        answers=ORDER + "companies F F-1 = 60 40\ncompanies V V-1 = blocks",
        dice={
            "epidemic:F-1.1:1500": 4,
            "epidemic:F-1.2:1500": 3,
            "epidemic:V-1.1:1500": 3,
            "epidemic:V-1.2:1500": 6,
            "epidemic:F3.garrison:1500": 5,
        },
    )
    assert (after.army("F-1").value, after.army("V-1").value, after.army("F-2").value) == (40, 40, 30)
    assert not after.node("F3").garrison
    assert after.audience("epidemic.loss", army="F-1", lost=60) == {"F"}
    assert after.audience("epidemic.loss", army="V-1", lost=10) == {"V"}
    assert after.event("epidemic.garrison", node="F3").audience == "all"
    assert after.all_dice_given
    assert {r.key: r.audience for r in after.last.rolls}["epidemic:V-1.1:1500"] == "V"
    assert after.changed - {"V", "F"} == {"F-1", "V-1", "F3"}


def test_an_army_all_of_whose_companies_die_is_lost() -> None:
    """3a: no company left, no army."""
    after = case(
        "open",
        **SICK,
        answers=ORDER + "companies F F-1 = 100\ncompanies V V-1 = 50",
        dice={"epidemic:F-1.1:1500": 1, "epidemic:V-1.1:1500": 6, "epidemic:F3.garrison:1500": 3},
    )
    assert after.gone("V-1")
    assert after.army("F-1").value == 100
    assert after.event("army.lost", army="V-1", why="epidemic")
    assert after.node("F3").garrison


@pytest.mark.parametrize("answer", ["60 30", "60 50", "100 0", "sixty forty", "60.5 39.5"])
def test_the_companies_must_add_up(answer: str) -> None:
    """3a: GIG-107, and the club is asked again."""
    after = case(
        "open",
        **SICK,
        answers=ORDER + f"companies F F-1 = {answer}\ncompanies V V-1 = blocks",
        waits=True,
        findings="1500.open.companies.F.F-1 GIG-107",
    )
    assert "companies F F-1" in after.questions
    assert after.unchanged_except()


def test_both_owners_are_asked_at_once() -> None:
    """6: every step that needs a person asks all its questions at once."""
    after = case("open", **SICK, answers=ORDER, waits=True)
    assert set(after.questions) == {"companies F F-1", "companies V V-1"}
    assert {q.default for q in after.questions.values()} == {"blocks"}


def test_in_english_all_are_swept_away() -> None:
    """3a English: all the troops that are within the city die, without dice and questions."""
    after = case("open", **SICK, edition="EN", answers=ORDER)
    assert after.gone("F-1", "V-1")
    assert not after.node("F3").garrison
    assert (after.army("F-2").value, after.army("V-2").kind) == (30, "diplomat")
    assert after.audience("epidemic.loss", army="F-1", lost=100) == {"F"}


def test_specialists_are_no_troops() -> None:
    """3a Epidemics: a sapper outlives the army: in the own city, with another army, or without a post till winter."""
    sappers = "F-S1 sapper F-1, V-S1 sapper V-1, F-S2 sapper F3"
    after = case("open", **SICK, edition="EN", answers=ORDER, specialists=sappers)
    assert after.gone("F-1", "V-1")
    assert [(after.specialist(s).status, after.specialist(s).post) for s in ("F-S1", "V-S1", "F-S2")] == [
        ("active", "F3"), ("active", ""), ("active", "F3")]
    assert case("winter", specialists="V-S1 sapper", dice=quiet_winter()).specialist("V-S1").status == "expired"


def test_clubs_may_play_without_epidemics() -> None:
    """epidemic_kill off: nothing happens."""
    after = case("open", **SICK, rules={"epidemic_kill": "off"}, answers=ORDER)
    assert (after.army("F-1").value, after.army("V-1").value, after.node("F3").garrison) == (100, 50, True)


def test_who_is_aboard_is_not_in_the_city() -> None:
    """The Strategos, 3a Epidemics: an army aboard a fleet in the port of the city is spared."""
    after = case(
        "open",
        bare=True,
        factions="F pending_event=1 pending_node=F3, V",
        strategos="V",
        answers=ORDER,
        nodes="F3 site=city port=yes",
        armies="F-1 90 F3 posture=aboard fleet=F-F1",
        fleets="F-F1 F3 cargo=F-1",
    )
    assert after.army("F-1").value == 90


def test_epidemics_drawn_in_summer() -> None:
    """3a, epidemic_draw summer: the city is drawn at the opening of summer, not in winter."""
    after = case(
        "open",
        bare=True,
        factions="F pending_event=1, V",
        strategos="V",
        answers=ORDER,
        nodes="F0 site=city, F1, F3 site=city, F5 site=city",
        rules={"epidemic_draw": "summer"},
        armies="F-1 40 F3, F-2 40 F0",
        dice={"lot3=lot:F:1500": 2, "epidemic:F-1.1:1500": 5},
        defaults=True,
    )
    assert after.gone("F-1")
    assert after.army("F-2").value == 40
    assert after.event("epidemic.struck", node="F3")


# --- numbers of the table (P5) --------------------------------------------------------------------
def test_p5_distances_of_a_rearguard_action() -> None:
    """P5: 4 udm are 16 cm; 6 to 10 udm are 24 to 40 cm."""
    rules = giglio().rules(build())
    in_cm = [n * rules.udm_cm for n in (rules.rearguard_deploy, rules.rearguard_from, rules.rearguard_to)]
    assert in_cm == [16, 24, 40]
