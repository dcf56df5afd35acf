"""Alliances: how treaties are made, kept, dissolved and betrayed (rulebook: Alliances, 4 Winter)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Question
from assistant.rulesets.giglio import records as g
from assistant.turn.phases import resolve
from tests.giglio.cases import SECRET, build, case, giglio, quiet_winter

TWO = "V ally P passage 1502 note=peace\nP ally V {} {}"


# --- made -----------------------------------------------------------------------------------------
def test_the_same_row_of_both_makes_a_treaty() -> None:
    """alliances: secret and told to the referee by both: same passage, same last year."""
    after = case("budget", orders=TWO.format("passage", 1502))
    treaty = after.treaty("P", "V")
    assert (treaty.since, treaty.until, treaty.passage, treaty.status) == (1500, 1502, True, "active")
    assert after.audience("alliance.made") == {"P", "V"}
    assert after.no_event("alliance.refused")
    assert after.unchanged_except("P/V/1500")


def test_a_treaty_may_have_no_end() -> None:
    """alliances: no restrictions to the terms: the last year may be blank."""
    after = case("budget", orders="V ally P no_passage\nP ally V no_passage")
    assert after.treaty("P", "V").until is None


@pytest.mark.parametrize(("option", "year"), [("no_passage", 1502), ("passage", 1503), ("passage", "")])
def test_rows_that_differ_are_put_to_both(option: str, year: object) -> None:
    """Alliances: two rows that name each other but differ: the first to be accepted stands, the other is not asked."""
    orders = TWO.format(option, year)
    given: dict[str, Any] = {"orders": orders, "findings": "o1 GIG-090, o2 GIG-090"}
    first = case("budget", **given, answers="ally_confirm V P = accept")
    treaty = first.treaty("P", "V")
    assert (treaty.passage, treaty.until) == (option == "passage", year or None)
    second = case("budget", **given, answers="ally_confirm V P = refuse\nally_confirm P V = accept")
    treaty = second.treaty("P", "V")
    assert (treaty.passage, treaty.until) == (True, 1502)
    neither = case("budget", **given, answers="ally_confirm V P = refuse\nally_confirm P V = refuse")
    assert not neither.rows(g.Alliance)
    assert len(neither.events("alliance.refused")) == 2


def test_a_partner_without_a_row_is_asked() -> None:
    """Questions ally_confirm: accept or refuse, by default refuse."""
    orders = "V ally P passage 1502"
    asked = case("budget", orders=orders, waits=True, findings="o1 GIG-090")
    assert asked.options("ally_confirm P V") == ["accept", "refuse"]
    assert asked.questions["ally_confirm P V"].default == "refuse"
    after = case("budget", orders=orders, findings="o1 GIG-090", answers="ally_confirm P V = accept")
    assert after.treaty("P", "V").passage


def test_any_other_answer_is_asked_again() -> None:
    """Questions: GIG-100."""
    case(
        "budget",
        orders="V ally P passage 1502",
        waits=True,
        answers="ally_confirm P V = perhaps",
        findings="o1 GIG-090, 1500.budget.ally_confirm.P.V GIG-100",
    )


@pytest.mark.parametrize(("later", "stands"), [
    ("P ally V passage 1502", True),
    ("P ally V no_passage 1502", False),
    ("P ally V passage 1500", False),
    ("P ally V passage 1502 note=and+Ferrara", False),
])
def test_an_answer_holds_for_the_terms_that_were_asked(later: str, stands: bool) -> None:
    """Alliances: the partner is asked on this row's terms: those of a later row it has not accepted (ARB-275)."""
    asked = case("budget", orders="P ally V passage 1502", waits=True, findings="o1 GIG-090").campaign
    asked.table(Question)["1500.budget.ally_confirm.V.P"].answer = "accept"
    (row,) = build("budget", orders=later).table(g.Order)
    row.order = "o2"
    asked.table(g.Order).add(row)
    after = resolve(giglio(), asked, SECRET)
    assert after.done is stands
    if not stands:
        (question,) = after.questions
        assert (question.answer, question.status) == ("", "open")
        assert ("1500.budget.ally_confirm.V.P", "ARB-275") in {(f.where.row, f.code) for f in after.findings}
        question.answer = "accept"
        after = resolve(giglio(), after.campaign, SECRET)
    (treaty,) = after.campaign.table(g.Alliance)
    assert (treaty.passage, treaty.until, treaty.terms) == (row.option == "passage", row.amount, row.note)


def test_there_is_no_limit_to_the_number_of_treaties() -> None:
    """alliances: no restrictions on their number."""
    after = case("budget", orders="\n".join(f"V ally {f} no_passage 1502\n{f} ally V no_passage 1502" for f in "MFPS"))
    assert len(after.rows(g.Alliance)) == 4


def test_a_new_treaty_may_follow_an_old_one() -> None:
    """Spring and summer orders: only an active treaty stands in the way."""
    after = case(
        "budget",
        orders="V ally P no_passage 1502\nP ally V no_passage 1502",
        year=1501,
        first="no",
        alliances="P V 1500 since=1500 status=honoured",
    )
    assert [t.status for t in after.rows(g.Alliance)] == ["honoured", "active"]


def test_only_the_permitted_parties() -> None:
    """ally_matrix listed: pairs in ally_forbidden may not, all others may."""
    rules = {"ally_matrix": "listed", "ally_forbidden": "V-T M-FR"}
    after = case(
        "budget",
        rules=rules,
        factions="T",
        orders="V ally P no_passage 1502\nP ally V no_passage 1502\nT ally V no_passage 1502",
        findings="o3 GIG-096",
    )
    assert len(after.rows(g.Alliance)) == 1


def test_a_treaty_in_summer_holds_before_the_marches() -> None:
    """The marches, step by step: made in this round, the passage prevents the meeting."""
    after = case(
        "r3.move",
        armies="M-1 90 M5, V-1 70 V8",
        orders="M ally V passage 1502\nV ally M passage 1502\nM move M-1 M5 V8",
    )
    assert after.army("M-1").node == "M5"
    assert not after.rows(g.Contact)
    assert after.treaty("M", "V").passage


# --- dissolved -------------------------------------------------------------------------------------
def test_a_treaty_is_dissolved_at_once() -> None:
    """Spring and summer orders: it ends at once, and with it the passage."""
    after = case(
        "r3.move",
        armies="M-1 90 M5, V-1 70 V8",
        alliances="M V 1502 passage=yes",
        orders="V dissolve M\nM move M-1 M5 V8",
    )
    treaty = after.treaty("M", "V")
    assert (treaty.status, treaty.dissolved_by, treaty.dissolved_year) == ("dissolved", "V", 1500)
    assert after.army("M-1").node == "V8"
    assert after.contact("V8").hand == "M"
    assert after.audience("alliance.dissolved", by="V") == {"M", "V"}


def test_a_dissolved_treaty_in_spring() -> None:
    """Spring and summer orders: in spring, too."""
    after = case("budget", alliances="M V 1502", orders="M dissolve V")
    assert (after.treaty("M", "V").status, after.treaty("M", "V").dissolved_by) == ("dissolved", "M")
    assert after.unchanged_except("M/V/1500")


# --- acts against a partner -----------------------------------------------------------------------------
MEET: dict[str, Any] = {
    "armies": "M-1 90 M5, V-1 70 V8 trail=V9",
    "orders": "M move M-1 M5 V8",
    "alliances": "M V 1502",
}


@pytest.mark.parametrize(
    ("m", "v", "suspect"),
    [
        ("attack", "stop", "M"),
        ("stop", "attack", "V"),
        ("attack", "retreat", "M"),
        ("stop", "stop", ""),
        ("retreat", "stop", ""),
    ],
)
def test_an_attack_on_a_partner_makes_suspect(m: str, v: str, suspect: str) -> None:
    """Alliances: an attack, also as pursuit, marks the treaty; the referee is told, nobody else."""
    after = case("r3.move r3.contact", **MEET, answers=f"choice M V8/V = {m}\nchoice V V8/M = {v}")
    assert after.treaty("M", "V").suspect == suspect
    told = after.events("alliance.suspect")
    assert [(e.audience, e.data["by"], e.data["what"]) for e in told] == [("referee", suspect, "attack")] * bool(
        suspect
    )
    assert after.treaty("M", "V").status == "active"


def test_a_capture_from_a_partner_makes_suspect() -> None:
    """Alliances: capture of a place of his."""
    after = case("r3.siege", armies="M-1 90 V8", alliances="M V 1502")
    assert after.treaty("M", "V").suspect == "M"
    assert after.event("alliance.suspect").data["what"] == "capture"


def test_a_siege_order_against_a_partner_makes_suspect_and_ends_the_passage() -> None:
    """Alliances: passage between them ends at once: in the next round the two meet."""
    after = case(
        "r3 r4.move",
        armies="M-1 90 V8, V-1 50 V9",
        nodes="V8 walls=intact",
        alliances="M V 1502 passage=yes",
        orders="r3 M siege M-1 V8\nr4 V move V-1 V9 V8",
        findings="o1 GIG-072",
        answers="r3.siege bribe M V8 = 0",
        spare_dice=True,
    )
    assert after.treaty("M", "V").suspect == "M"
    assert after.event("alliance.suspect").data["what"] == "siege"
    assert after.contact("V8").hand == "V"


@pytest.mark.parametrize(("die", "suspect"), [(1, "V"), (2, ""), (6, "")])
def test_an_exposed_assassin_makes_suspect(die: int, suspect: str) -> None:
    """Alliances: only one who was caught is known."""
    after = case(
        "r3",
        armies="M-1 90 M5",
        alliances="M V 1502",
        specialists="V-S1 assassin",
        orders="V assassinate V-S1 commander M-1",
        dice={"assassin:V-S1:1500:3": die},
    )
    assert after.treaty("M", "V").suspect == suspect


def test_who_dissolves_and_strikes_in_one_year_is_suspect() -> None:
    """Alliances: also if the treaty was dissolved by the actor in the same year."""
    for by, suspect in (("M", "M"), ("V", "")):
        given = {**MEET, "alliances": f"M V 1502 status=dissolved dissolved_by={by} dissolved_year=1500"}
        after = case("r3.move r3.contact", **given, answers="choice M V8/V = attack\nchoice V V8/M = stop")
        assert after.treaty("M", "V").suspect == suspect
    given = {**MEET, "alliances": "M V 1502 since=1498 status=dissolved dissolved_by=M dissolved_year=1499"}
    later = case("r3.move r3.contact", **given, answers="choice M V8/V = attack\nchoice V V8/M = stop")
    assert later.treaty("M", "V").suspect == ""


def test_only_the_first_act_counts() -> None:
    """Alliances: M struck first; what V then does is defence."""
    given = {**MEET, "alliances": "M V 1502 suspect=M"}
    after = case("r3.move r3.contact", **given, answers="choice M V8/V = stop\nchoice V V8/M = attack")
    assert after.treaty("M", "V").suspect == "M"
    assert after.no_event("alliance.suspect")


def test_one_act_betrays_one_treaty() -> None:
    """Alliances: of a treaty dissolved this year and the one made since, the attack breaks the one that holds."""
    given = {**MEET, "alliances": "M V 1501 since=1499 status=dissolved dissolved_by=M dissolved_year=1500, M V 1503"}
    after = case("r3.move r3.contact", **given, answers="choice M V8/V = attack\nchoice V V8/M = stop")
    assert [(t.since, t.status, t.suspect) for t in after.rows(g.Alliance)] == [
        (1499, "dissolved", ""), (1500, "active", "M")]
    assert len(after.events("alliance.suspect")) == 1


@pytest.mark.parametrize("pair", ["M V", "V M"])
def test_the_parties_may_be_typed_in_any_order(pair: str) -> None:
    """Records: a treaty joins its two parties, also where a referee did not mind the natural order."""
    given = {**MEET, "alliances": f"{pair} 1502 passage=yes"}
    assert case("r3.move", **given).no_event("contact.met")
    again = case("budget", orders="M ally V passage 1503\nV dissolve M", alliances=f"{pair} 1502",
                 findings="o1 GIG-091")
    assert again.rows(g.Alliance)[0].status == "dissolved"
    judged = case("winter", alliances=f"{pair} 1505 suspect=M", answers="betrayal referee M/V/M = yes",
                  dice=quiet_winter())
    assert judged.rows(g.Alliance)[0].betrayed_by == "M"


def test_a_new_campaign_has_the_parties_in_natural_order() -> None:
    """Records: a, b (natural order), whatever a folder of CSVs says."""
    campaign = build("budget", alliances="V M 1502, V F 1503 status=dissolved, F V 1504")
    giglio().fold(campaign)
    assert campaign.table(g.Alliance).keys_in_file_order() == ["M/V/1500", "F/V/1500", "F/V/1500#2"]


# --- judged in winter -------------------------------------------------------------------------------------
def test_the_referee_judges_in_winter() -> None:
    """Alliances: question betrayal, yes or no, by default yes."""
    asked = case("winter", alliances="M V 1502 suspect=M", waits=True)
    assert list(asked.questions) == ["betrayal referee M/V/M"]
    assert asked.options("betrayal referee M/V/M") == ["yes", "no"]
    assert asked.questions["betrayal referee M/V/M"].default == "yes"


def test_two_treaties_of_one_pair_are_judged_apart() -> None:
    """6.7.1: for each treaty with a suspect: the one that was dissolved after an act, and the next that was broken."""
    after = case("winter", dice=quiet_winter(),
                 alliances="M V 1501 since=1499 status=dissolved dissolved_by=M dissolved_year=1500 suspect=M, "
                           "M V 1502 suspect=M",
                 answers="betrayal referee M/V/M = no\nbetrayal referee M/V/M/2 = yes")
    assert [t.status for t in after.rows(g.Alliance)] == ["dissolved", "betrayed"]


def test_a_betrayed_treaty() -> None:
    """Alliances yes: betrayed, and by whom; the parties are told."""
    after = case("winter", alliances="M V 1500 suspect=M", answers="betrayal referee M/V/M = yes", dice=quiet_winter())
    treaty = after.treaty("M", "V")
    assert (treaty.status, treaty.betrayed_by) == ("betrayed", "M")
    assert after.audience("alliance.betrayed", by="M") == {"M", "V"}
    assert after.no_event("alliance.honoured")


@pytest.mark.parametrize(("until", "status"), [("1500", "honoured"), ("1501", "active"), ("", "active")])
def test_a_suspicion_that_is_cleared(until: str, status: str) -> None:
    """Alliances no: the suspect is cleared; then the treaty may end honoured."""
    after = case(
        "winter", alliances=f"M V {until} suspect=M", answers="betrayal referee M/V/M = no", dice=quiet_winter()
    )
    treaty = after.treaty("M", "V")
    assert (treaty.status, treaty.suspect, treaty.betrayed_by) == (status, "", "")


@pytest.mark.parametrize(
    ("until", "status"), [("1499", "honoured"), ("1500", "honoured"), ("1501", "active"), ("", "active")]
)
def test_treaties_that_are_kept_to_their_end(until: str, status: str) -> None:
    """4 Winter: active treaties with until up to this year are honoured."""
    after = case("winter", alliances=f"M V {until}", dice=quiet_winter())
    assert after.treaty("M", "V").status == status
    if status == "honoured":
        assert after.audience("alliance.honoured") == {"M", "V"}


def test_a_dissolved_treaty_may_be_judged_betrayed() -> None:
    """Alliances: dissolved and struck in the same year."""
    after = case(
        "winter",
        alliances="M V 1502 status=dissolved dissolved_by=M dissolved_year=1500 suspect=M",
        answers="betrayal referee M/V/M = yes",
        dice=quiet_winter(),
    )
    assert (after.treaty("M", "V").status, after.treaty("M", "V").betrayed_by) == ("betrayed", "M")


# --- payments under a treaty ---------------------------------------------------------------------------------
def test_ducats_change_hands_in_summer_too() -> None:
    """pay: terms of treaties are free; what arrives in a round is spent from the next phase on."""
    after = case("r3.move", factions="V 50, M 0", orders="V pay M 30\nM garrison M4", findings="o2 GIG-020")
    assert (after.chest("V"), after.chest("M")) == (20, 30)
    assert after.unchanged_except("V", "M")


def test_check_orders_knows_of_treaties_that_both_have_sent() -> None:
    """Orders: the treaty holds before the marches, so M-1 is not in contact with V-1 and may march on."""
    after = case(
        "r3.move",
        armies="M-1 90 V8 trail=M5, V-1 70 V8 trail=V9",
        orders="M ally V passage 1502\nV ally M passage 1502\nM move M-1 V8 F7",
    )
    assert after.army("M-1").node == "F7"
