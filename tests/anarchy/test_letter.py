"""Battles, surrenders and what is told of them, where an examiner found the letter of the rulebook page broken."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import case

BESIEGED: dict[str, Any] = {
    "armies": "A1 r 0605 S9 noble=N1 besieging=keep, E1 a 0605 K2 L1 noble=N2 inside=keep",
    "places": "keep 0605 castle_motte 0 3 holder=a S1, ham 0605 village 5 2", "sieges": "keep r 3",
}


# --- a castle that surrenders (16) -----------------------------------------------------------------------
@pytest.mark.parametrize(("first", "second", "state", "captives"), [
    (5, 6, "dead", "D1 S1 L1"), (6, 5, "prisoner", "D1 S1 L1"), (6, 6, "prisoner", "D2 S1 L1")])
def test_the_hurt_are_tested_first_in_a_massacre(first: int, second: int, state: str, captives: str) -> None:
    """The close: each defender by rising rank, hurt first: the die of ``knights-1`` is the hurt man's own."""
    after = case("close", **BESIEGED, wounded="W1 a knights E1", dice=f"""surrender/keep=3, massacre/keep/light-1=6,
        massacre/keep/foot-1=6, massacre/keep/knights-1={first}, massacre/keep/knights-2={second},
        massacre/keep/N2=6""")
    assert (after.get("W1", "state"), after.men("P1")) == (state, captives)


def test_the_hurt_man_of_the_garrison_dies_before_a_fit_one_inside() -> None:
    """The close: hurt first, whoever they are with: garrison and groups inside are one pool."""
    after = case("close", **BESIEGED | {"places": "keep 0605 castle_motte 0 3 holder=a K1"},
                 wounded="W1 a knights - place=keep",
                 dice="""surrender/keep=3, massacre/keep/light-1=1, massacre/keep/knights-1=5, massacre/keep/N2=6,
                     massacre/keep/knights-2=6, massacre/keep/knights-3=6""")
    assert (after.get("W1", "state"), after.men("P1")) == ("dead", "D2")


@pytest.mark.parametrize(("die", "rank", "men"), [(8, "dismounted", "D2 S1 L1"), (10, "knights", "K2 S1 L1")])
def test_a_hurt_knight_marches_out_like_the_others(die: int, rank: str, men: str) -> None:
    """5.7.2 and 5.2.1: who leaves unarmed is K to D, the hurt too; if he dies, he leaves the column that he is in."""
    after = case("close", **BESIEGED, wounded="W1 a knights E1", dice=f"surrender/keep={die}")
    assert after.get("W1", "rank", "army", "state") == (rank, "keep-out", "hurt")
    assert after.men("keep-out") == men


@pytest.mark.parametrize("wound", ["W1 a noble E1 noble=N2", "W1 a noble E1 noble=N2 state=in_care back_on=9"])
def test_a_hurt_noble_marches_out_with_his_wound(wound: str) -> None:
    """15.7: he is hurt wherever his group goes."""
    given = BESIEGED | {"armies": "A1 r 0605 S9 noble=N1 besieging=keep, E1 a 0605 S4 inside=keep commander=LORD"}
    after = case("close", **given, nobles="LORD a 5 3 army=E1 state=wounded",
                 wounded=wound.replace("N2", "LORD"), dice="surrender/keep=10")
    assert after.get("W1", "army", "state") == ("keep-out", "hurt")


# --- companies that are divided (8.1, 11.3, 11.6) ------------------------------------------------------------
PROMISED = "contract=promised promised=8 tests=1 hired_on=1 grumbles=yes no_promise_to=a"


def test_a_part_of_a_company_serves_on_the_same_terms() -> None:
    """11.3, 11.6: hired for the campaign, each company apart: a part keeps contract, promise, tests and grudges."""
    after = case("reorganise", armies=f"A1 r 0605 S9 noble=N1, M1 r 0605 S4 L4 kind=flemish {PROMISED}",
                 orders="r SPLIT M1 M2 S2 L2")
    fields = ("contract", "promised", "tests", "hired_on", "grumbles", "no_promise_to")
    assert after.get("M2", *fields) == after.get("M1", *fields) == ("promised", "8", "1", "1", "yes", "angevin")


def test_a_part_of_a_promised_company_may_be_paid() -> None:
    """11.4: what was promised may be paid later, for each part by itself, on the day of the split, too."""
    after = case("reorganise", armies=f"""A1 r 0605 S6 noble=N1 money=20
        M1 r 0605 S4 L4 kind=flemish {PROMISED}""", orders="r SPLIT M1 M2 S2 L2; r PAY A1 M2")
    assert after.get("M2", "contract", "promised", "tests") == ("paid", "0", "0")
    assert after.get("M1", "contract", "promised", "tests") == ("promised", "8", "1")
    assert after.get("A1", "money") == "12"


def test_an_escort_of_mercenaries_is_still_hired() -> None:
    """15.8, 11.3: three men whom a company detaches as escort are in the same pay."""
    after = case("reorganise", armies="A1 r 0705 S9 noble=N1, M1 r 0605 S4 L4 kind=flemish hired_on=1",
                 places="ham 0608 village 5 8", prisoners="P7 a r 0605 S2 captor_army=M1 destination=ham",
                 defaults=True)
    assert after.get("M1-esc7", "contract", "hired_on", "faction") == ("paid", "1", "royal")
    assert after.men("M1-esc7") == "L3"


# --- the form of a battle (7) ---------------------------------------------------------------------------------
FIGHT: dict[str, Any] = {"armies": "A1 r 0605 K1 S4 noble=N1:5, E1 a 0606 S4 noble=E if_attacked=fight on_meeting=pass",
         "orders": "r MOVE A1 0606 choice=attack", "waits": "battle/B3-1", "answers": "battle/B3-1 = entered",
         "then": ""}


@pytest.mark.parametrize(("form", "losses", "codes"), [
    ("attacker eliminated -", "B3-1 E1 foot 3 0 0", "801 804"),
    ("attacker eliminated 5", "B3-1 E1 foot 3 0 0, B3-1 A1 foot 0 0 1", "804 805"),
    ("attacker - 0", "", "801 803"), ("- fled 13", "", "801 803"), ("- fled 9", "B3-1 E1 foot 0 0 1", "801"),
    ("attacker fled 13", "B3-1 ZZ foot 1 0 0", "803 806"), ("attacker eliminated 13", "B3-1 E1 foot 3 0 0", "803 804"),
    ("attacker eliminated 5", "B3-1 E1 foot 3 0 0, B3-1 E1 light 1 0 0", "802 804"),
    ("attacker eliminated 5", "B3-1 E1 foot 5 0 0, B3-1 E1 - 1 0 0 noble=E", "802"),
    ("attacker eliminated 5", "B3-1 E1 foot 4 0 0, B3-1 E1 - 1 0 1 noble=E", "802"),
    ("attacker surrendered 14", "B3-1 E1 foot 1 0 0", "803 808"), ("draw - 9", "", "803"), ("draw - -", "", "801")])
def test_what_is_wrong_with_a_form_is_told_all_at_once(form: str, losses: str, codes: str) -> None:
    """7: checks ANA-801 to 808, all listed at once: one fault hides no other, and accuses nobody for another."""
    found = ", ".join(f"* ANA-{code}" for code in codes.split())
    case("movement", **FIGHT, battles=f"B3-1 {form}", losses=losses, findings=found)


@pytest.mark.parametrize(("form", "losses", "codes"), [
    ("defender fled 4", "B3-1 levy peasants 3 0 0, B3-1 levy peasants 3 0 0", "802"),
    ("defender fled 4", "B3-1 levy light 0 0 2", "805"), ("draw time 12", "B3-1 levy light 0 0 1", "805"),
    ("defender fled 4", "B3-1 levy - 1 0 0", "801"), ("defender fled 4", "B3-1 levy knights 1 0 0", "802"),
    ("attacker fled 4", "B3-1 levy peasants 2 0 1, B3-1 levy peasants 0 2 0, B3-1 levy light 0 0 2", "")])
def test_the_rows_of_a_levy_are_checked_like_all_others(form: str, losses: str, codes: str) -> None:
    """7: ANA-802 adds up rows of a rank, ANA-805 lets only the beaten leave captives: six points call 5 P and 2 L."""
    given: dict[str, Any] = {"waits": "battle/B3-1", "then": ""} if codes else {"defaults": True}
    case("movement", armies="A1 r 0605 K4 S8 noble=N1", places="ham 0605 village 6 2", orders="r SACK A1 ham",
         battles=f"B3-1 {form}", losses=losses, findings=", ".join(f"* ANA-{code}" for code in codes.split()), **given)


# --- what is told (rulebook: Who may know what) -----------------------------------------------------------------
def test_only_who_has_no_way_out_is_said_to_have_none() -> None:
    """5.8: `no_retreat` is for a retreat that is barred; a surrender on the table is in the result and the captives."""
    given = FIGHT | {"waits": "", "then": None}
    after = case("movement", **given, battles="B3-1 attacker surrendered 5", losses="B3-1 E1 foot 1 0 0", defaults=True)
    assert after.silent("no_retreat", "dissolved")
    assert after.get("E1", "state") == "captured"
    assert "Armies/E1" in after.event("prisoners").touched.split()
    dead = case("movement", **given, battles="B3-1 attacker surrendered 5", defaults=True,
                losses="B3-1 E1 foot 4 0 0, B3-1 E1 - 1 0 0 noble=E")
    assert dead.event("dissolved", "E1")
    assert dead.silent("no_retreat", "prisoners")


def test_only_companies_have_a_share() -> None:
    """5.8: `share` is of mercenaries; what the noble keeps is money in his purse, and his side's to know."""
    after = case("movement", armies="""A1 a 0605 K4 S8 noble=N1
        M1 a 0605 L4 kind=welsh contract=promised promised=2 employer=A1 hired_on=1""",
                 places="ham 0605 village 6 8", orders="a SACK A1 ham 6", answers="share/A1/M1 = 4",
                 battles="B3-1 attacker fled 5")
    assert [e.data["mercs"] for e in after.events("share")] == ["M1"]
    kept = after.event("purse", "A1")
    assert (kept.audience, kept.data["n"], after.get("A1", "money")) == ("angevin", "2", "2")


@pytest.mark.parametrize(("choice", "faction", "state"), [
    ("take", "royal", "active"), ("burn", "angevin", "destroyed")])
def test_a_train_that_nobody_guards_is_told_once(choice: str, faction: str, state: str) -> None:
    """Who may know what: `train_taken` of one that is found, `prize` of one whose escort was beaten."""
    after = case("movement", armies="A1 r 0605 S9", trains="T1 a 0606 rams=1 engineers=1 oxen=2 peasants=3",
                 orders="r MOVE A1 0606", answers=f"train/A1/0606/T1 = {choice}")
    assert after.event("train_taken", "T1", choice)
    assert after.silent("prize")
    assert after.get("T1", "faction", "escort", "state") == (faction, "A1" if choice == "take" else "", state)


def test_an_objective_reached_on_the_last_day_is_told_once() -> None:
    """Who may know what, 9: with the score each objective is told once more, and not twice that day."""
    given: dict[str, Any] = {"armies": "E1 a 0909 S6 noble=N1", "places": "oxford 0909 town 3 5",
                             "objectives": "O1 a reach N1 oxford 5 by_day=14"}
    last = case("close", **given, day=14)
    assert [e.data["points"] for e in last.events("objective")] == [5]
    assert last.get("O1", "state", "done_on") == ("done", "14")
    assert len(case("close", **given, day=9).events("objective", "O1")) == 1


def test_a_forced_merge_rests_on_the_chapter_of_groups() -> None:
    """Who may know what: `forced_merge` is 8.1, as merging is."""
    after = case("close", armies="A1 r 0605 S6 shares_since=2, A2 r 0605 S3 shares_since=2")
    assert after.event("forced_merge").rule == "8.1"


@pytest.mark.parametrize("play", ["refusal", "table", "surrender", "form", "castle"])
def test_a_noble_in_the_enemys_hands_is_taken(play: str) -> None:
    """Who may know what: `noble_lost`: taken, killed, wounded; with one word for each, wherever it happens."""
    given: dict[str, Any] = FIGHT | {"waits": "", "then": None}
    if play == "refusal":
        given |= {"answers": "", "armies": given["armies"].replace("=fight", "=refuse"), "dice": "refusal/E1/E=9"}
    elif play == "castle":
        given = BESIEGED | {"dice": "surrender/keep=5"}
    else:
        how = "surrendered" if play == "surrender" else "fled"
        losses = "" if play == "surrender" else "B3-1 E1 - 0 0 1 noble=E"
        given |= {"battles": f"B3-1 attacker {how} 5", "losses": losses}
    after = case("close" if play == "castle" else "movement", **given, defaults=True)
    assert [e.data["fate"] for e in after.events("noble_lost")] == ["taken"]


@pytest.mark.parametrize("order", ["r BESIEGE A1 keep", "r BESIEGE A1 keep node=0607"])
def test_an_act_that_came_to_nothing_names_the_hex(order: str) -> None:
    """ANA-114: who was held up on the way is told which hex was not reached, also where only the castle was named."""
    given = FIGHT | {"answers": "", "waits": "", "then": None}
    given["orders"] = f"r MOVE A1 0606 0607 choice=attack; {order}"
    after = case("movement", **given, places="keep 0607 castle_motte 3 2 holder=a S9", findings="o2 ANA-114",
                 defaults=True)
    assert after.finding("ANA-114")["hex"] == "0607"
