"""Captives who are bought free or change hands, companies that are met, men who go in and out, small orders."""

from __future__ import annotations

from typing import Any

import pytest

from tests.anarchy.cases import case

DEN = "den 0605 castle_motte 3 8 holder=r S9"
SIEGE = "den a 2"
CAPTIVE = "VER a 4 2 state=prisoner captor=r held_in=P1"
PAYER = "E1 a 2001 S5 money=8"


# --- captives (5.3, 5.4; 15.8) ---------------------------------------------------------------------------
@pytest.mark.parametrize("men", ["", "D1", "K1 D1"])
def test_the_escort_is_free_when_nobody_is_left_to_lead(men: str) -> None:
    """Ransom: the noble leaves with his knights; whoever led them away is free to march where it likes."""
    after = case("ransoms..movement", armies=f"A1 r 0605 S6, {PAYER}", nobles=CAPTIVE,
                 prisoners=f"P1 a r 0605 {men} captor_army=A1 escort=A1 state=escorted destination=ham",
                 places="ham 0609 village 5 8", orders="a RANSOM E1 VER; r MOVE A1 0604")
    assert after.get("P1", "state", "escort") == ("freed", "")
    assert after.get("A1", "node") == "0604"
    assert "P1" in str(after.event("ransomed").touched)


def test_men_who_stay_captives_keep_their_escort() -> None:
    """Ransom: two knights go with him, the others are led on."""
    after = case("ransoms", armies=f"A1 r 0605 S6, {PAYER}", nobles=CAPTIVE, orders="a RANSOM E1 VER",
                 prisoners="P1 a r 0605 K1 D1 S1 captor_army=A1 escort=A1 state=escorted destination=ham",
                 places="ham 0609 village 5 8")
    assert after.get("P1", "state", "escort") == ("escorted", "A1")


def test_knights_of_another_record_leave_its_escort_free() -> None:
    """Ransom: knights are taken from other records on the hex; one that they empty needs no escort."""
    after = case("ransoms", armies=f"A1 r 0605 S6, A2 r 0605 S6, {PAYER}", nobles=CAPTIVE, orders="a RANSOM E1 VER",
                 prisoners="""P1 a r 0605 captor_army=A1 escort=A1 state=escorted destination=ham
                 P2 a r 0605 D1 captor_army=A2 escort=A2 state=escorted destination=ham""",
                 places="ham 0609 village 5 8")
    assert after.get("P1", "state") == after.get("P2", "state") == "freed"


def test_nobody_is_asked_for_an_escort_of_nobody() -> None:
    """5.3: captives need an escort; a record that holds none asks nobody and detaches no men."""
    after = case("reorganise", armies="A1 r 0605 S7", prisoners="P1 a r 0605 captor_army=A1 destination=ham",
                 places="ham 0609 village 5 8")
    assert after.get("P1", "escort") == ""
    assert after.men("A1") == "S7"


def test_noble_captives_alone_need_an_escort() -> None:
    """5.3: a noble captive is somebody to lead, though the record counts no men."""
    case("reorganise", armies="A1 r 0605 S7", prisoners="P1 a r 0605 captor_army=A1 destination=ham", nobles=CAPTIVE,
         places="ham 0609 village 5 8", waits="escort/P1")


# --- besieged castles (5.3, 6.7; ANA-104, 210) -------------------------------------------------------------
BESIEGED: dict[str, Any] = {"places": DEN, "sieges": SIEGE}


@pytest.mark.parametrize(("where", "company"), [("inside=den", ""), ("", "inside=den")])
def test_nobody_goes_in_or_out_by_following(where: str, company: str) -> None:
    """ANA-210: besieged: nobody goes in or out, neither companies nor carts that would follow a group."""
    case("reorganise", **BESIEGED, armies=f"""A1 r 0605 S9 {where}, E1 a 0605 S9 besieging=den, A2 r 0605 S9 {company}
         M1 r 0605 L4 kind=welsh {company}""", convoys="C1 r 0605 3", trains="T1 r 0605 rams=1 escort=A2",
         orders="r ATTACH A1 M1; r ATTACH A1 T1" + ("; r ATTACH A1 C1" if where else ""),
         findings="o1 ANA-210, o2 ANA-210" + (", o3 ANA-210" if where else ""), then="")


def test_inside_one_follows_whom_one_likes() -> None:
    """5.3: who is inside anyway, with what he leads, may follow another group there."""
    after = case("reorganise", **BESIEGED, armies="""A1 r 0605 S9 inside=den, E1 a 0605 S9 besieging=den
                 A2 r 0605 S9 inside=den, M1 r 0605 L4 kind=welsh inside=den""", convoys="C1 r 0605 3 escort=A2",
                 orders="r ATTACH A1 M1; r ATTACH A1 C1")
    assert after.get("M1", "employer", "inside") == ("A1", "den")
    assert after.get("C1", "escort") == "A1"


def test_into_a_castle_without_siege_one_may_follow() -> None:
    """5.3: a company follows a group into a castle that nobody besieges."""
    after = case("reorganise", places=DEN, armies="A1 r 0605 S9 inside=den, M1 r 0605 L4 kind=welsh",
                 orders="r ATTACH A1 M1")
    assert after.get("M1", "employer", "inside") == ("A1", "den")


# --- hurt men who are named (4) ------------------------------------------------------------------------------
@pytest.mark.parametrize("order", ["SPLIT A1 A2 L3 w:W2", "TRANSFER A1 B1 L2 w:W2", "GARRISON A1 den L1 w:W2",
                                   "ESCORT A1 P1 L3 w:W2"])
def test_a_named_man_is_among_those_counted(order: str) -> None:
    """4: `w:W5` is among the men counted; a hurt foot soldier is not among light foot, and nobody goes."""
    case("reorganise", armies="A1 r 0605 S5 L5, B1 r 0605 S5", wounded="W2 r foot A1", places=DEN,
         prisoners="P1 a r 0605 D1 taken_on=3 captor_army=A1 destination=den", orders=f"r {order}",
         findings="o1 ANA-202", then="")


def test_the_dead_are_not_among_those_who_go() -> None:
    """4: a man who died or was taken since the order was written is no longer with the group."""
    for state in ("dead", "prisoner", "dispersed"):
        case("reorganise", armies="A1 r 0605 S9", wounded=f"W2 r foot A1 state={state}",
             orders="r SPLIT A1 A2 S3 w:W2", findings="o1 ANA-202", then="")


def test_a_man_healed_this_morning_goes_as_he_is_named() -> None:
    """4, 15.7: the order was written while he was hurt; healed he goes along, and takes no fit man's place."""
    after = case("reorganise", armies="A1 r 0605 S9", wounded="W2 r foot A1 state=healed",
                 orders="r SPLIT A1 A2 S3 w:W2")
    assert after.get("W2", "army") == "A2"
    case("reorganise", armies="A1 r 0605 S3 B3", orders="r SPLIT A1 A2 S2 B1 w:W2", findings="o1 ANA-202", then="",
         wounded="W2 r foot A1 state=healed, W3 r foot A1, W4 r foot A1")


def test_one_man_named_twice_is_one_man() -> None:
    """4: a name written twice is one hurt man: the second man asked for must be fit."""
    case("reorganise", armies="A1 r 0605 S2 B6", wounded="W2 r foot A1, W3 r foot A1",
         orders="r SPLIT A1 A2 men=S2+B1+w:W2+w:W2", findings="o1 ANA-202", then="")


# --- free companies (11.1, E1) -----------------------------------------------------------------------------
@pytest.mark.parametrize("only_passes", ["A1 r 0605 S9 noble=N1 money=99", "A1 r 0605 S9 unarmed=yes money=99"])
@pytest.mark.parametrize(("start", "end"), [("0607", "0606"), ("0605", "0604")])
def test_free_companies_do_not_stay_with_who_cannot_hire(only_passes: str, start: str, end: str) -> None:
    """5.6: they stop at a group; an escort or unarmed men hire nobody: back to where they came from, or away."""
    led = "P1 a r 0605 D1 captor_army=A1 escort=A1 state=escorted destination=ham"
    after = case("movement", armies=f"{only_passes}, M1 n 0605 L4 kind=welsh".replace("M1 n 0605", f"M1 n {start}"),
                 prisoners=led if "noble" in only_passes else "", places="ham 0609 village 5 8", orders="r HOLD A1")
    assert after.get("M1", "node", "contract") == (end, "none")
    assert after.event("not_hired").data["group"] == "A1"
    assert after.event("backed_away").data["hex"] == end


def test_beside_an_escort_another_group_is_asked() -> None:
    """5.6: `hire` is put to the groups there that may hire, even where an escort of greater fame stands by."""
    after = case("movement", armies="""A1 r 0605 S9 noble=N1:9 money=99, A2 r 0605 S9 noble=N2:3 money=99
                 M1 n 0607 L4 kind=welsh""", places="ham 0609 village 5 8", orders="r HOLD A1; r HOLD A2",
                 prisoners="P1 a r 0605 D1 captor_army=A1 escort=A1 state=escorted destination=ham",
                 answers="hire/A2/0605/M1 = pay")
    assert after.get("M1", "employer", "node") == ("A2", "0605")


# --- a group that goes over (E4, loyalty_effect) --------------------------------------------------------------
def test_captives_among_friends_are_free() -> None:
    """E4, `lasting`: a group that goes over holds no captives of the side that is now its own; it leads the others."""
    armies = "A1 r 0605 S14 noble=N1:9:8, X1 a 0606 S7 noble=X:4:6 loyalty=6"
    captives = """P1 r a 0606 S2 captor_army=X1 destination=ham
               P2 r a 0606 B1 captor_army=X1 escort=X1 state=escorted destination=ham"""
    after = case("movement", armies=armies, rules={"loyalty_effect": "lasting"}, prisoners=captives,
                 nobles="R r 4 8 state=prisoner captor=a held_in=P1", places="ham 0609 village 5 2",
                 orders="r MOVE A1 0606")
    assert after.get("X1", "faction") == "royal"
    assert after.men("X1") == "S9 B1"
    assert after.get("R", "state", "captor", "held_in", "army") == ("free", "", "", "X1")
    assert after.get("P1", "state") == after.get("P2", "state") == "freed"
    stays = case("movement", armies=armies.replace("loyalty=6", "loyalty=1"), prisoners=captives, defaults=True,
                 rules={"loyalty_effect": "lasting"}, places="ham 0609 village 5 2",
                 orders="r MOVE A1 0606 choice=pass")
    assert stays.get("P1", "state") == "waiting"


# --- food in a besieged castle (8.4, 16; switch siege_supply) ----------------------------------------------------
def test_the_besieged_eat_as_others_do() -> None:
    """siege_supply both: carried food first, then the castle; two days short starve, and who eats is told of it."""
    given: dict[str, Any] = {**BESIEGED, "rules": {"siege_supply": "both"}}
    armies = "A1 r 0605 S12 inside=den hungry_days=2 provisions=1, E1 a 0605 S9 besieging=den"
    after = case("provisions", **given, armies=armies, then="A1 starving=yes provisions=0 hungry_days=0")
    assert after.event("starving").data["group"] == "A1"
    assert after.event("supplied", "carried food").data["n"] == 1
    case("provisions", **given, armies=armies.replace("provisions=1", ""),
         then="A1 starving=yes hungry_days=0, den resources=2")
    case("provisions", **given, armies=armies, orders="r SUPPLY A1 choice=none",
         then="A1 starving=yes provisions=0 hungry_days=0")
    case("provisions", **BESIEGED, armies=armies, then="")


def test_nothing_outside_the_walls_feeds_the_besieged() -> None:
    """siege_supply both: they draw on the castle and the carts that are in it, not on a village or carts outside."""
    places = DEN.replace("3 8", "0 8") + ", ham 0605 village 5 8"
    case("provisions", places=places, sieges=SIEGE, rules={"siege_supply": "both"}, convoys="C1 r 0605 3",
         armies="A1 r 0605 S12 inside=den, E1 a 0605 S9 besieging=den", then="A1 hungry_days=1")
    case("provisions", places=places, sieges=SIEGE, rules={"siege_supply": "both"}, convoys="C1 r 0605 3 escort=A1",
         armies="A1 r 0605 S12 inside=den, E1 a 0605 S9 besieging=den", then="C1 cargo=2")


# --- the other side's companies (11.5, 14.3; E3) -------------------------------------------------------------
def test_who_wants_no_fight_is_asked_whether_he_buys() -> None:
    """E3: `lure` is asked on meeting the other side's mercenaries alone; pass and attack only say about fighting."""
    given: dict[str, Any] = {"armies": """A1 r 0605 S9 noble=N1 money=12 on_meeting=pass
                             M1 a 0606 L4 kind=welsh on_meeting=pass"""}
    for order in ("r MOVE A1 0606", "r MOVE A1 0606 choice=pass"):
        asked = case("movement", **given, orders=order, waits="lure/A1/0606/M1")
        assert (asked.questions["lure/A1/0606/M1"].options, asked.questions["lure/A1/0606/M1"].default) == (
            "pay, attack, pass", "pass")
    after = case("movement", **given, orders="r MOVE A1 0606", answers="lure/A1/0606/M1 = pay")
    assert after.get("M1", "faction", "employer") == ("royal", "A1")


def test_who_cannot_buy_and_wants_no_fight_passes() -> None:
    """E3, E5: without the money only fighting is left to choose, and that the march has said."""
    armies = "A1 r 0605 S9 noble=N1 money=11, M1 a 0606 L4 kind=welsh on_meeting=pass"
    after = case("movement", armies=armies, orders="r MOVE A1 0606 choice=pass; r MOVE A1 0606 0607 choice=pass",
                 findings="o1 ANA-005")
    assert after.event("passed").data["b"] == "M1"
    assert after.get("M1", "faction") == "angevin"


# --- small orders (4) ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("order", [
    "RECRUIT A1 ham L1", "SACK A1 ham", "PROVISION A1 ham", "ENTER A1 den", "ATTACK A1 E1", "TAKE A1 C1", "BUY A1 C1 1",
    "HIRE A1 M1", "MOVE A1 0606", "LIFT A1"])
def test_inside_a_besieged_castle_there_is_only_the_sally(order: str) -> None:
    """5.6: inside a besieged castle only SALLY is possible: every act is ANA-104, as MOVE is, and names the castle."""
    after = case("movement", places=DEN + ", ham 0605 village 5 8", sieges=SIEGE, convoys="C1 n 0605 3", defaults=True,
                 armies="""A1 r 0605 S9 noble=N1 money=50 inside=den, E1 a 0605 S9 besieging=den on_meeting=pass
                 M1 n 0101 L4 kind=welsh""", orders=f"r {order}", findings="o1 ANA-104")
    assert after.finding("ANA-104")["place"] == "den"
    assert after.statuses == {"o1": "refused"}


def test_nobody_attacks_his_own() -> None:
    """4: an attack on a group of one's own side is refused for what it is, not as a group that is another's."""
    for target in ("A2", "M1"):
        case("movement", armies="A1 r 0605 S9, A2 r 0605 S9, M1 r 0605 L4 kind=welsh", orders=f"r ATTACK A1 {target}",
             findings="o1 ANA-404")


def test_who_besieges_nothing_lifts_nothing() -> None:
    """LIFT gives up a siege: without one it is told, and a siege by others goes on."""
    after = case("movement close", places=DEN, sieges=SIEGE, orders="a LIFT A1; a LIFT A2",
                 findings="o1 ANA-412, o2 ANA-011", armies="A1 a 0606 S9, A2 a 0605 S9, E1 a 0605 S9 besieging=den")
    assert after.finding("ANA-412")["place"] == "0606"
    assert after.get("Sieges/den", "state") == "on"


def test_where_nobody_is_healed_that_is_told() -> None:
    """15.7: COLLECT where nobody is healed yet says so."""
    for places in ("ham 0605 village 5 8", ""):
        after = case("reorganise", armies="A1 r 0605 S9", places=places, orders="r COLLECT A1", then="")
        data = after.event("collected").data
        assert (data["list"], data["place"]) == ("", "ham" if places else "0605")


def test_a_question_with_one_answer_is_not_put() -> None:
    """5: who can neither pay nor promise is not asked, and no convoy stops the march of who may only pass it."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1, M1 n 0606 L4 kind=welsh no_promise_to=r",
                 orders="r MOVE A1 0606")
    assert after.get("M1", "contract") == "none"
    assert after.events("not_hired")
    after = case("movement", armies="A1 r 0605 S9", convoys="C1 a 0606 3", rules={"convoy_owner": "guard"},
                 orders="r MOVE A1 0606 0607")
    assert after.get("C1", "faction") == "angevin"
