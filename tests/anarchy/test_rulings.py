"""What the book does not settle is asked of the referee: disputes and missing data.

See rulebook: Questions, Decisions and doubts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from assistant.turn.phases import Outcome, resolve
from tests.anarchy.cases import SECRET, After, anarchy, build, case


def played(answers: Mapping[str, str], **given: Any) -> tuple[After, Outcome]:
    """The movement with answers typed before they are asked; all other questions take their default."""
    campaign = build("movement", **given)
    extra = dict(answers)
    outcome = resolve(anarchy(), campaign, SECRET, extra)
    while not outcome.done:
        fresh = {q.question: q.default or "entered" for q in outcome.questions if q.question not in extra}
        if not fresh:
            break
        extra |= fresh
        outcome = resolve(anarchy(), campaign, SECRET, extra)
    return After(campaign, [outcome]), outcome

HOST = "A1 r 0605 S9 noble=N1:5:8 joins=no money=20"
SACK: dict[str, Any] = {
    "armies": "A1 r 0605 K3 S6 noble=N1:5:8+N3:2:8 money=8", "places": "ham 0605 village 5 5",
    "orders": "r SACK A1 ham", "battles": "B3-1 defender fled 9",
    "losses": "B3-1 A1 foot 0 0 2, B3-1 A1 - 0 0 1 noble=N3"}


# --- captives of a neutral village --------------------------------------------------------------------------
def test_a_neutral_village_frees_its_captives_where_nothing_else_is_ruled() -> None:
    """7: a levy's captives are freed if the village is neutral; the phase does not wait for a ruling."""
    after = case("movement", **SACK, defaults=True, findings="* ANA-903")
    assert after.men("A1") == "K3 S6"
    assert after.get("N3", "state", "army", "captor") == ("free", "A1", "")
    (row,) = [q for q in after.campaign.by_sheet("Questions") if q.kind == "ruling"]
    assert (row.question, row.to, row.options, row.default) == (
        "ruling/B3-1/captives", "referee", "free, held, killed", "free")
    assert not list(after.campaign.by_sheet("Wounded"))


def ruled(answer: str, **more: Any) -> After:
    """The sack with the referee's ruling on its captives."""
    after, outcome = played({"ruling/B3-1/captives": answer}, **{**SACK, **more})
    assert outcome.done, outcome.findings
    return after


@pytest.mark.parametrize("word", ["held", "trattenuti"])
def test_a_neutral_village_may_keep_its_captives(word: str) -> None:
    """13: by ruling it holds them; they wait there for ransom as any captives do."""
    after = ruled(word)
    assert after.men("A1") == "K3 S4"
    assert after.men("P1") == "S2"
    assert after.get("P1", "captor", "destination") == ("neutral", "ham")
    assert after.get("N3", "state", "captor", "held_in") == ("prisoner", "neutral", "P1")
    assert [e.data["choice"] for e in after.events("ruled")] == ["held"]


def test_a_neutral_village_may_kill_its_captives() -> None:
    """13: by ruling they are killed; after a surrender that is everybody who is left."""
    after = ruled("killed")
    assert after.men("A1") == "K3 S4"
    assert after.get("N3", "state") == "dead"
    assert "P1" not in after.campaign.by_sheet("Prisoners")
    beaten = ruled("killed", battles="B3-1 defender surrendered 9", losses="B3-1 A1 foot 1 1 0")
    assert beaten.get("A1", "state") == "destroyed"
    assert beaten.men("A1") == ""
    assert (beaten.get("N1", "state"), beaten.get("N3", "state")) == ("dead", "dead")


def test_a_ruling_that_is_not_offered_is_asked_for_again() -> None:
    """ANA-901: an answer that is none of the options."""
    _, outcome = played({"ruling/B3-1/captives": "sell"}, **SACK)
    assert not outcome.done
    assert [f.code for f in outcome.findings if f.stops] == ["ANA-901"]


def test_no_ruling_where_the_village_takes_sides() -> None:
    """7: a village of a side keeps its captives: nothing is open."""
    after = case("movement", **{**SACK, "places": "ham 0605 village 5 3"}, defaults=True)
    assert after.get("P1", "captor") == "angevin"


# --- battles drawn in one hex -------------------------------------------------------------------------------
DRAWS: dict[str, Any] = {
    "armies": "A1 r 0604 S9 noble=N1:9:8 joins=no, A2 r 0704 S8 noble=N2:5:8 joins=no, "
              "E1 a 0605 S9 noble=E:5:2 joins=no loyalty=1 on_meeting=pass if_attacked=fight, "
              "E2 a 0705 S9 noble=F:7:2 joins=no loyalty=1 if_attacked=fight",
    "orders": "r MOVE A1 0605 choice=attack; a MOVE E2 0605 choice=pass; r MOVE A2 0605 choice=attack",
    "battles": "B3-1 draw time 12, B3-2 draw time 12"}


def test_a_second_drawn_battle_on_a_hex_is_handled_by_itself_unless_ruled() -> None:
    """13: several battles drawn in one hex: each ends as 15.6 says of one, or nobody moves, as the referee rules."""
    plain, _ = played({}, **DRAWS)
    assert {q.question for q in plain.campaign.by_sheet("Questions") if q.kind == "ruling"} == {"ruling/B3-2/draw"}
    assert plain.get("A2", "node") != "0605"
    stays, _ = played({"ruling/B3-2/draw": "stay"}, **DRAWS)
    assert len(stays.events("retreated")) < len(plain.events("retreated"))
    assert [e.data["choice"] for e in stays.events("ruled")] == ["stay"]


# --- engines without engineer -------------------------------------------------------------------------------
TRAIN: dict[str, Any] = {
    "armies": f"{HOST}, E1 a 0606 S9 noble=E:5:2 loyalty=1 if_attacked=fight on_meeting=pass",
    "trains": "T1 r 0605 escort=A1 rams=1 engineers=1 oxen=2 peasants=3", "orders": "r MOVE A1 0606 choice=attack",
    "battles": "B3-1 attacker fled 9", "defaults": True}


@pytest.mark.parametrize(("answer", "escort", "state"), [
    ("stay", "A1", "active"), ("abbandonate", "", "active"), ("burn", "", "destroyed")])
def test_engines_whose_last_engineer_dies(answer: str, escort: str, state: str) -> None:
    """13: what becomes of a train when its engineer dies is the referee's to rule; the phase waits for him."""
    form = {**TRAIN, "losses": "B3-1 T1 - 1 0 0, B3-1 T1 peasants 1 0 0"}
    waiting = case("movement", **form, waits="ruling/B3-1/T1")
    assert waiting.questions["ruling/B3-1/T1"].options == "stay, abandon, burn"
    assert waiting.questions["ruling/B3-1/T1"].default == ""
    after = case("movement", **form, answers=f"ruling/B3-1/T1 = {answer}")
    assert after.get("T1", "engineers", "peasants", "escort", "state") == ("0", "2", escort, state)


def test_another_engineer_carries_on() -> None:
    """13: nothing is open while an engineer is left, or without a loss."""
    two = {**TRAIN, "trains": TRAIN["trains"].replace("engineers=1", "engineers=2")}
    assert case("movement", **two, losses="B3-1 T1 - 1 0 0").get("T1", "engineers", "escort") == ("1", "A1")
    assert case("movement", **TRAIN).get("T1", "engineers") == "1"


@pytest.mark.parametrize(("row", "code"), [
    ("B3-1 T1 - 2 0 0", "ANA-802"), ("B3-1 T1 - 0 1 0", "ANA-802"), ("B3-1 T1 knights 1 0 0", "ANA-801"),
    ("B3-1 T9 - 1 0 0", "ANA-806")])
def test_a_crew_cannot_lose_what_it_has_not(row: str, code: str) -> None:
    """ANA-801, 802, 806: of a train only engineers and peasants fall, as many as there are."""
    after = case("movement", **TRAIN, losses=row, findings=None, waits="battle/B3-1", referee="")
    assert code in {f[1] for f in after.findings}


# --- captives freed on the table ----------------------------------------------------------------------------
FREED: dict[str, Any] = {
    "armies": f"{HOST}, E1 a 0606 S9 noble=E:5:2 loyalty=1 if_attacked=fight on_meeting=pass",
    "prisoners": "P1 r a 0606 S2 captor_army=E1 taken_on=2", "nobles": "N9 r 4 8 state=prisoner captor=a held_in=P1",
    "orders": "r MOVE A1 0606 choice=attack", "defaults": True}


def test_all_captives_freed_are_men_and_nobles() -> None:
    """7: who is set free on the table joins the other side's largest group, nobles too."""
    after = case("movement", **FREED, battles="B3-1 defender fled 9 prisoners_freed=3")
    assert after.men("A1") == "S11"
    assert after.get("N9", "state", "army") == ("free", "A1")
    assert after.get("P1", "state") == "freed"


@pytest.mark.parametrize(("answer", "men", "noble"), [("men", "S11", "prisoner"), ("nobles", "S10", "free")])
def test_which_captives_were_freed_is_ruled(answer: str, men: str, noble: str) -> None:
    """5, missing data: the form says how many; where nobles are among them the referee says who."""
    form = {**FREED, "battles": "B3-1 defender fled 9 prisoners_freed=2"}
    case("movement", **form, waits="ruling/B3-1/freed")
    after = case("movement", **form, answers=f"ruling/B3-1/freed = {answer}")
    assert after.men("A1") == men
    assert after.get("N9", "state") == noble


def test_more_captives_than_there_are_cannot_be_freed() -> None:
    """ANA-802: three captives were led into the battle."""
    after = case("movement", **FREED, battles="B3-1 defender fled 9 prisoners_freed=4", findings="* ANA-802",
                 waits="battle/B3-1", referee="")
    assert after.finding("ANA-802")["have"] == 3


# --- missing data -------------------------------------------------------------------------------------------
def test_a_group_without_loyalty_is_the_referees_to_say() -> None:
    """5, missing data: a Norman group whose sheet and commander say no loyalty; a commander's own is taken first."""
    groups = "A1 r 0605 S9 noble=N1:5:8, E1 a 0606 S9 loyalty=+ on_meeting=pass if_attacked=fight"
    waiting = case("movement", armies=groups, orders="r MOVE A1 0606 choice=pass", waits="ruling/loyalty/E1/A1")
    assert waiting.questions["ruling/loyalty/E1/A1"].to == "referee"
    after = case("movement", armies=groups, orders="r MOVE A1 0606 choice=pass", answers="ruling/loyalty/E1/A1 = 5")
    assert after.event("backed_away", "E1")
    led = case("movement", armies=f"{HOST}, E1 a 0606 S9 loyalty=+ commander=E", nobles="E a 5 6 army=E1",
               orders="r MOVE A1 0606 choice=pass")
    assert led.questions == {}


def test_where_a_captive_is_held_is_the_referees_to_say() -> None:
    """5, missing data: a captive noble without a record, of a side that has no place to hold him."""
    given: dict[str, Any] = {"armies": HOST, "nobles": "N9 r 4 8 state=prisoner captor=a", "orders": "r RANSOM A1 N9"}
    case("ransoms", **given, waits="ruling/N9")
    after = case("ransoms", **given, answers="ruling/N9 = 0808")
    assert after.get("N9-R", "node", "knights") == ("0808", "2")
