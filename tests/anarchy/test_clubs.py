"""Several clubs on one side: each orders its own, is asked of its own, sees what its side sees.

See rulebook: 1 The game, Who may know what.
"""

from __future__ import annotations

import pytest

from assistant.campaign.records import Faction, Question
from assistant.reporting.reader import Reader
from assistant.turn.phases import resolve
from assistant.turn.questions import check_answer
from assistant.wording import Wording
from tests.anarchy.cases import SECRET, After, anarchy, build, case
from tests.anarchy.scenario import days, expected, values, wallingford

CLUBS = "royal, west side=royal, angevin, neutral side=neutral"
"""A second club on the King's side."""
FRIENDS = "A1 r 0605 K2 S4 noble=N1:5:8 money=10, A2 west 0605 K1 S4 noble=N2:6:8 money=10 loyalty=8"


def asked(after: After) -> dict[str, str]:
    """Question -> to whom it is put."""
    return {name: q.to for name, q in after.questions.items()}


def given(play: str, **more: object) -> After:
    """A case with a second royal club; its nobles and groups have a loyalty of 8."""
    return case(play, factions=CLUBS, **more)  # type: ignore[arg-type]


def test_a_club_orders_its_own_groups_alone() -> None:
    """4, ANA-003: a unit of another faction, also where both clubs are of one side."""
    after = given("movement", armies=FRIENDS, orders="r MOVE A2 0606; west MOVE A1 0606; west MOVE A2 0604",
                  findings="o1 ANA-003, o2 ANA-003")
    assert after.get("A1", "node") == "0605"
    assert after.get("A2", "node") == "0604"
    assert [f.data["owner"] for o in after.outcomes for f in o.findings if f.code == "ANA-003"] == ["west", "royal"]


def test_nobody_elses_row_takes_the_place_of_the_owners() -> None:
    """4: of duplicates the last stands: among the rows of who commands the unit."""
    for stranger in ("a", "west"):
        after = given("provisions..movement", armies=f"{FRIENDS}, E1 a 1010 S9",
                      orders=f"r MOVE A1 0606; {stranger} MOVE A1 0604; {stranger} HOLD A1",
                      findings="o2 ANA-005, o3 ANA-003")
        assert after.get("A1", "node") == "0606"
        assert after.statuses == {"o1": "accepted", "o2": "replaced", "o3": "refused"}


def test_nobody_elses_row_counts_down_a_purse() -> None:
    """4: money is counted down per purse over the orders of who commands it; nobody learns how much is left."""
    after = given("provisions", armies=f"{FRIENDS}, M1 r 0605 L4 kind=welsh employer=A1 contract=promised",
                  orders="a TRANSFER A1 A2 £99; west TRANSFER A1 A2 £9; r PAY A1 M1")
    assert [f.code for o in after.outcomes for f in o.findings if f.code != "ANA-010"] == []
    assert after.statuses == {"o1": "", "o2": "", "o3": ""}


def test_two_rows_are_duplicates_however_the_unit_is_named() -> None:
    """4: same verb, unit and target twice: by its id or by its name."""
    after = case("movement", armies="A1 r 0605 S9 name=The+Host", orders="r MOVE A1 0606; r MOVE - 0604 unit=The+Host",
                 findings="o1 ANA-005")
    assert after.get("A1", "node") == "0604"


def test_each_club_is_asked_of_its_own_groups() -> None:
    """5: attack, accept and join are put to the club whose group it is."""
    foes = "E1 a 0606 K3 S6 noble=E:5:2 loyalty=1"
    after = given("movement", armies=f"A2 west 0605 S6 loyalty=8 noble=N2:6:8, {foes}", orders="west MOVE A2 0606",
                  waits="attack/A2/0606/E1 contest/E1/0606/A2")
    assert asked(after) == {"attack/A2/0606/E1": "west", "contest/E1/0606/A2": "angevin"}
    joining = given("movement", armies=f"{FRIENDS}, {foes}", orders="r MOVE A1 0606 choice=attack; west HOLD A2",
                    answers="accept/E1/0606/A1 = fight", waits="join/A2/B3-1")
    assert asked(joining) == {"join/A2/B3-1": "west"}


@pytest.mark.parametrize(("speaker", "counts"), [("royal", True), ("west", True), ("angevin", False)])
def test_clubs_of_one_side_answer_for_each_other(speaker: str, counts: bool) -> None:
    """1, ARB-308: an answer typed beforehand is that of the club that is asked, or of another of its side."""
    campaign = build("movement", factions=CLUBS, orders="west MOVE A2 0606",
                     armies="A2 west 0605 S6 loyalty=8 noble=N2:6:8, E1 a 0606 K3 S6 noble=E:5:2 loyalty=1")
    table = campaign.by_sheet("Questions")
    table.add(table.record(question="attack/A2/0606/E1", turn="3", phase="movement", to=speaker, answer="pass"))
    outcome = resolve(anarchy(), campaign, SECRET)
    assert ("attack/A2/0606/E1" not in [q.question for q in outcome.questions]) is counts
    assert ("ARB-308" in [found.code for found in outcome.findings]) is not counts


def test_an_answer_is_the_addressees() -> None:
    """8: both clubs see what their side sees; the events of the phase so far go with the question to its club."""
    after = given("movement", armies=f"{FRIENDS}, M1 n 0606 L4 kind=welsh", orders="west MOVE A2 0606",
                  waits="hire/A2/0606/M1")
    (question,) = after.questions.values()
    assert question.to == "west"
    assert {e["event"] for e in question.so_far["events"]} >= {"order_of_march", "moved"}


def test_both_clubs_share_what_their_side_sees() -> None:
    """8: both sides' clubs share their side's view, events among it; the other side's club does not."""
    after = given("provisions", armies="A1 r 0605 S9 B3, A2 west 0703 S9 loyalty=8 provisions=1, E1 a 1010 S9")
    audiences = {e.audience for o in after.outcomes for e in o.events if e.event in ("hungry", "supplied")}
    assert audiences == {"royal west"}
    mine, theirs = (anarchy().view(after.campaign, f) for f in ("royal", "west"))
    for view in (mine, theirs):
        assert [(a.army, a.men) for a in view.by_sheet("Armies")] == [("A1", 12), ("A2", 9), ("E1", 0)]
    assert {e.event for e in anarchy().view(after.campaign, "angevin").by_sheet("Events")} == set()


def test_a_report_is_the_clubs_own() -> None:
    """8: what a club has stands apart from what the other club of its side has."""
    campaign = build("movement", factions=CLUBS, armies=FRIENDS, nobles="N3 west 3 8 state=prisoner captor=a",
                     places="keep 0612 castle_motte 3 8 holder=r lord=N2 S3, fort 0613 castle_motte 3 8 holder=r S3")
    tables = {f: {t.title: [r.ident for r in t.rows] for t in anarchy().tables(anarchy().view(campaign, f), f)}
              for f in ("royal", "west")}
    assert tables["royal"]["Your groups"] == tables["west"]["Groups of your side's other clubs"] == ["A1"]
    assert tables["west"]["Your groups"] == tables["royal"]["Groups of your side's other clubs"] == ["A2"]
    assert (tables["royal"]["Your castles"], tables["west"]["Your castles"]) == (["fort"], ["keep"])
    owed = {f: [{k: v for k, v in said.data.items() if k != "refill"}
                for said in anarchy().dues(anarchy().view(campaign, f), f)] for f in ("royal", "west")}
    assert {"place": "fort", "n": 3, "min": 5} in owed["royal"]
    assert {"place": "keep", "n": 3, "min": 5} in owed["west"]
    assert {"side": "angevin", "noble": "N3", "n": 6} in owed["west"]
    assert {"side": "angevin", "noble": "N3", "n": 6} not in owed["royal"]
    assert [(r["faction"], r["castles"], r["groups"]) for r in anarchy().standings(campaign)] == [
        ("angevin", 0, 0), ("royal", 1, 1), ("west", 1, 1)]


def test_a_castle_is_its_lords_clubs() -> None:
    """5.3, 16: who commands a castle speaks for it; where nobody of the side does, either club may."""
    castle = "keep 0605 castle_motte 3 8 holder=r lord=N2 S6, fort 0613 castle_motte 3 8 holder=r S6"
    given("close", armies="A2 west 0703 S3 noble=N2:5:8 loyalty=8, E1 a 0605 S9 besieging=keep, E2 a 0613 S9 "
          "besieging=fort", places=castle, sieges="keep a 1 resources_at_start=4, fort a 1 resources_at_start=4",
          orders="r SURRENDER keep; r SURRENDER fort", findings="o1 ANA-003")
    after = given("movement", armies="A2 west 0703 S3 noble=N2:5:8 loyalty=8, A1 r 0605 S9, E1 a 0604 S5 loyalty=1",
                  places=castle, orders="a MOVE E1 0605 choice=attack", answers="accept/A1/0605/E1 = fight",
                  waits="join/keep/B3-1")
    assert asked(after) == {"join/keep/B3-1": "west"}


def test_captives_are_the_business_of_the_club_that_took_them() -> None:
    """15.8: the captor is asked for the escort, with its own groups to choose from."""
    after = given("reorganise", armies=FRIENDS, prisoners="P1 a r 0605 S2 captor_army=A2 destination=keep",
                  places="keep 0612 castle_motte 3 8 holder=r S9", waits="escort/P1")
    (question,) = after.questions.values()
    assert (question.to, question.options) == ("west", "detach:A2:S3, A2")


def test_an_uncommitted_lord_goes_to_the_club_that_met_him() -> None:
    """7: who declares for the mover's side goes to the mover's club; for a side of several clubs the referee rules."""
    lord = "U1 n 0606 S6 noble=U:5:6 loyalty=6"
    won = given("movement", armies=f"A2 west 0605 S9 noble=N2:7:8 loyalty=8, {lord}", orders="west MOVE A2 0606")
    assert won.get("U1", "faction") == "west"
    assert won.get("U", "faction") == "west"
    lost = {"armies": f"E1 a 0605 S6 noble=E:1:2 on_meeting=pass, {lord} on_meeting=pass", "orders": "a MOVE E1 0606",
            "defaults": True}
    waiting = given("movement", **lost, waits="ruling/sided/U1")
    (question,) = waiting.questions.values()
    assert (question.to, question.options, question.default) == ("referee", "royal, west", "")
    ruled = given("movement", **lost, answers="ruling/sided/U1 = west")
    assert ruled.get("U1", "faction") == "west"


def test_a_new_group_is_its_nobles_clubs() -> None:
    """8.1: who is split off under a noble of the side's other club is that club's from then on."""
    after = given("reorganise", armies="A1 r 0605 S9 noble=N1:5:8+N2:4:8",
                  orders="r SPLIT A1 A9 S3 choice=N2; r SPLIT A1 A8 S3", nobles="N9 west 1 8")
    assert after.get("A8", "faction") == "royal"
    assert after.get("A9", "faction") == "royal"
    mixed = given("reorganise", armies="A1 r 0605 S9 noble=N1:5:8", nobles="N2 west 4 8 army=A1",
                  orders="r SPLIT A1 A9 S3 choice=N2")
    assert mixed.get("A9", "faction") == "west"


def test_missions_count_for_the_side() -> None:
    """9: what both clubs of a side looted counts for its mission; both have the side's score."""
    after = case("close", factions="royal looted=3, west side=royal looted=4, angevin, neutral side=neutral",
                 armies="A1 r 0605 S5 noble=N1:5:8, E1 a 1010 S5 noble=E:5:2",
                 objectives="O1 west loot - - 2 per=5 cap=9", rules={"days": "3"})
    assert [after.row("Factions", f)["score"] for f in ("royal", "west", "angevin")] == ["2", "2", "0"]


def test_a_robot_plays_its_own_club_alone() -> None:
    """10: its orders are for its own groups; every one of them passes the checks."""
    campaign = build("provisions", factions=CLUBS, armies=FRIENDS)
    for faction, group in (("royal", "A1"), ("west", "A2")):
        rows = anarchy().robot_orders(anarchy().view(campaign, faction), faction)
        assert {row.unit for row in rows} == {group}


@pytest.mark.slow
def test_the_scripted_days_are_the_same_with_two_clubs_on_a_side() -> None:
    """The scenario with Ypres and Meulan in the hands of a second club: every value of the days is as expected."""
    campaign = wallingford()
    factions = campaign.by_sheet("Factions")
    second = factions["royal"].copy()
    second.faction, second.mail = "west", "west@example.org"
    factions.add(second)
    theirs = {"A-YPR", "A-MEU", "M-FL1", "YPR", "MEU"}
    for sheet in ("Armies", "Nobles"):
        for row in campaign.by_sheet(sheet):
            row.faction = "west" if row.ident in theirs else row.faction
    theirs |= {"A-CHE", "C-OXF", "A-YP2"}  # what Meulan wins on the way, and what Ypres leads in the end
    for row in campaign.by_sheet("Orders"):
        row.faction = "west" if row.unit in theirs else row.faction
    last: dict[tuple[str, str, str], str] = {}
    for day, state, outcomes in days(campaign):
        assert [f for o in outcomes for f in o.findings if f.stops and f.where.row != "D3-06"] == [], day
        last |= {row[:3]: row[3] for row in expected()[day]}
        now = values(state)
        gone = {a.army for a in state.by_sheet("Armies") if a.state != "active"}
        wrong = {k: (v, now.get(k)) for k, v in last.items() if now.get(k) != v and k[1] not in gone
                 and k[0] != "wounded"}  # a second club's are numbered for themselves
        assert {k: both for k, both in wrong.items() if k[2] not in ("captor", "faction") and k[0] != "factions"} == {}


def test_valid_answers_are_not_called_wrong() -> None:
    """5: an answer in either language, with a number, or `default` is one of the options; another is not."""
    campaign = build("movement", armies="A1 r 0605 S9 noble=N1 money=50, M1 n 0606 L4 B4 kind=welsh",
                     orders="r MOVE A1 0606")
    stopped = resolve(anarchy(), campaign, SECRET).campaign
    (row,) = [q for q in stopped.by_sheet("Questions") if isinstance(q, Question)]
    good = ["pay", "Paga", "promise:8", "promise 8", "prometti:8", "default", "predefinita"]
    for answer in (*good, "maybe", "promise", "buy:2", "promise:many"):
        row.answer = answer
        assert (check_answer(anarchy().questions, anarchy().findings, stopped, row) is None) == (answer in good), answer


def test_every_faction_plays_a_side() -> None:
    """1, ANA-913: royal, angevin or neutral; a third side there is not."""
    campaign = build("provisions", factions="royal, west, angevin, neutral side=neutral", armies="A1 r 0605 S9")
    assert [(f.code, f.where.row, f.where.field) for f in anarchy().check_data(campaign)] == [
        ("ANA-913", "west", "side")]


@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_objectives_are_told_in_the_language_of_the_page(lang: str) -> None:
    """Whatever language a club reads otherwise, tables that its rulebook words itself follow the page."""
    campaign = wallingford()
    reader = Reader.of(anarchy(), campaign, "royal", Wording(anarchy(), lang))
    (table,) = [table for table in anarchy().tables(reader.view, "royal") if table.title == "Objectives"]
    assert [row.as_text()["objective"] for row in table.rows[:1]] == [
        {"en": "Malmesbury Castle is the King's on the last day",
         "it": "Il castello di Malmesbury è del re l'ultimo giorno"}[lang]]
    assert campaign.table(Faction)["royal"].language == "it"
