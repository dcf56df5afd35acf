"""More corners: castles by the dice, refusals, backing away, stand-offs, prizes, draws, running again."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Question
from assistant.turn.phases import resolve
from tests.anarchy.cases import SECRET, anarchy, build, case


# --- castles by the dice (7, auto) -----------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "engines", "percent"), [
    ("castle_stone", "", 300), ("castle_tower", "", 250), ("castle_motte", "", 200), ("counter_castle", "", 150),
    ("castle_stone", "rams=1", 275), ("castle_stone", "galleries=1 mangonels=1", 250),
    ("castle_stone", "towers=1", 250), ("castle_motte", "towers=3", 100), ("counter_castle", "rams=4", 100)])
def test_walls_and_engines_by_the_dice(kind: str, engines: str, percent: int) -> None:
    """7, auto: garrison by the castle's kind, less 25 points an engine and 50 a tower, at least 100 %."""
    worth = 20 * percent // 100
    for value, dice in ((5 * worth, False), (5 * worth - 1, True)):
        men = f"K{value // 5}" + (f" P{value % 5}" if value % 5 else "")
        train = f"T1 a 0605 {engines} engineers=1 oxen=99 peasants=3 escort=A1" if engines else ""
        after = case("movement", armies=f"A1 a 0605 {men} besieging=keep", trains=train, sieges="keep a 2",
                     defaults=True, places=f"keep 0605 {kind} 5 8 holder=r P20", orders="a ASSAULT A1 keep")
        assert bool([key for key in after.throws if key.startswith("auto")]) == dice, (value, after.throws)


def test_a_garrison_that_holds_loses_only_dead() -> None:
    """7, auto: a garrison that holds loses killed only."""
    after = case("movement", armies="A1 a 0605 K8 came_from=0604", places="keep 0605 castle_stone 5 8 holder=r S18 B2",
                 orders="a ASSAULT A1 keep", defaults=True, dice="auto/B3-1/attacker=1, auto/B3-1/defender=10")
    assert after.row("Battles", "B3-1")["outcome"] == "defender"
    assert after.men("keep") in ("S18 B1", "S17 B1")  # 10 % of twenty, of whom half are hurt and live on
    assert not [w for w in after.campaign.by_sheet("Wounded") if w.place == "keep" or w.faction == "royal"]
    assert after.men("P1") == "D2"  # 50 % of eight: two dead, two taken
    assert after.men("A1") == "K4"


def test_a_stormed_garrison_surrenders() -> None:
    """7, auto: a stormed garrison `surrendered`: all survivors are captives, the castle is taken and looted."""
    after = case("movement", armies="A1 a 0605 K40", places="keep 0605 castle_motte 3 8 holder=r S4", defaults=True,
                 nobles="LORD r 4 8 place=keep", orders="a ASSAULT A1 keep")
    assert after.row("Battles", "B3-1")["how"] == "surrendered"
    assert after.get("keep", "holder", "resources") == ("angevin", "0")
    assert after.men("keep") == ""
    assert after.get("LORD", "state", "captor") == ("prisoner", "angevin")
    assert after.get("A1", "money") == "3"
    assert after.row("Factions", "angevin")["looted"] == "3"


def test_the_beaten_levy_is_killed() -> None:
    """7, auto: against a levy all are killed; nobody is taken, nobody is hurt."""
    after = case("movement", armies="A1 a 0605 K30 noble=N1", places="ham 0606 village 10 7",
                 orders="a MOVE A1 0606; a SACK A1 ham 2")
    assert list(after.campaign.by_sheet("Prisoners")) == []
    assert list(after.campaign.by_sheet("Wounded")) == []
    assert after.get("ham", "resources") == "8"


# --- refusals (15.5) ----------------------------------------------------------------------------------------
def all_free(group: str, ranks: dict[str, int], *nobles: str) -> str:
    """Refusal dice of 1 for everybody."""
    names = [*(f"{rank}-{n}" for rank, men in ranks.items() for n in range(1, men + 1)), *nobles]
    return ", ".join(f"refusal/{group}/{name}=1" for name in names)


def test_carts_and_captives_of_those_who_flee_are_lost() -> None:
    """E6: convoys, trains and prisoners it led fall to the attacker."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 L5 noble=N2:4 if_attacked=refuse",
                 convoys="C1 a 0606 3 escort=A2", trains="T1 a 0606 rams=1 engineers=1 oxen=2 peasants=3 escort=A2",
                 prisoners="P1 r a 0606 S2 captor_army=A2 destination=den",
                 places="den 0609 castle_motte 3 2 holder=a S9",
                 orders="r MOVE A1 0606 choice=attack", defaults=True, dice=all_free("A2", {"light": 5}, "N2"))
    assert after.get("C1", "faction", "escort") == ("royal", "A1")
    assert after.get("T1", "faction", "escort") == ("royal", "A1")
    assert after.get("P1", "state") in ("freed", "waiting", "escorted")
    assert after.get("P1", "state") != "waiting" or after.of("P1")["captor"] != "angevin"
    assert after.get("A2", "node") != "0606"


def test_mercenaries_flee_with_their_employer() -> None:
    """E6: every character rolls, those of the attached company, too."""
    after = case("movement", armies="""A1 r 0605 K9 noble=N1:6, A2 a 0606 L5 noble=N2:4 if_attacked=refuse
        M2 a 0606 B5 kind=welsh employer=A2""", orders="r MOVE A1 0606 choice=attack", defaults=True,
                 dice=", ".join([all_free("A2", {"light": 5}, "N2"), all_free("M2", {"bows": 5}).replace(
                     "bows-1=1", "bows-1=6")]))
    assert after.men("P1") == "B1"
    assert (after.men("M2"), after.get("M2", "node")) == ("B4", after.get("A2", "node"))
    assert after.get("M2", "employer") == "A2"


def test_prestige_is_lost_even_by_the_captive_not_by_the_dead() -> None:
    """E6: commander -1, even if taken, not if killed."""
    given: dict[str, Any] = {
        "armies": "A1 r 0605 K9 noble=N1:6, A2 a 0606 L5 noble=N2:4 if_attacked=refuse",
        "orders": "r MOVE A1 0606 choice=attack", "defaults": True}
    men = all_free("A2", {"light": 5})
    assert case("movement", **given, dice=f"{men}, refusal/A2/N2=8").get("N2", "state", "prestige") == ("prisoner", "3")
    given["armies"] = given["armies"].replace("noble=N2:4", "commander=N2")
    dead = case("movement", **given, nobles="N2 a 4 2 army=A2 state=wounded", wounded="W1 a - A2 noble=N2",
                dice=f"{men}, refusal/A2/N2=10")
    assert dead.get("N2", "state", "prestige") == ("dead", "4")


def test_the_attacker_of_those_who_flee_is_spent() -> None:
    """E6: both spent: the attacker goes no farther."""
    after = case("movement", armies="A1 r 0605 K9 noble=N1:6, A2 a 0606 L5 noble=N2:4 if_attacked=refuse",
                 orders="r MOVE A1 0606 0607 0608 choice=attack", defaults=True,
                 dice=all_free("A2", {"light": 5}, "N2"))
    assert after.get("A1", "node") == "0606"


# --- backing away (rulebook: Backing away) ---------------------------------------------------------------------
@pytest.mark.parametrize(("taken", "where"), [
    ("", "0607"), ("0607", "0507"), ("0607 0507", "0707"), ("0607 0507 0707", "0506"), ("0607 0507 0707 0506", "0706"),
    ("0607 0507 0707 0506 0706", "0605"), ("0607 0507 0707 0506 0706 0605", "0606")])
def test_where_a_neutral_group_gives_way(taken: str, where: str) -> None:
    """Backing away: straight on, then +1 clockwise, -1, +2, -2, back; none free: it stays."""
    others = "".join(f", X{n} n {code} S3 on_meeting=pass" for n, code in enumerate(taken.split()))
    meeting = "A1 r 0605 S15 noble=N1:9 loyalty=9, A2 n 0606 S15 loyalty=4 on_meeting=pass"
    after = case("movement", armies=meeting + others,
                 orders="r MOVE A1 0606 choice=pass", defaults=True)
    assert after.get("A2", "node") == where
    assert after.event("backed_away", "A2").audience == "all"


def test_nobody_backs_into_a_castle() -> None:
    """Backing away: into a neighbour without a castle."""
    after = case("movement", armies="A1 r 0605 S15 noble=N1:9 loyalty=9, A2 n 0606 S15 loyalty=4 on_meeting=pass",
                 places="keep 0607 castle_motte 3 2 holder=a S9", orders="r MOVE A1 0606 choice=pass")
    assert after.get("A2", "node") == "0507"


def test_nobody_backs_off_the_map() -> None:
    """Backing away: at the edge of the map the next direction is taken."""
    after = case("movement", armies="A1 r 0602 S15 noble=N1:9 loyalty=9, A2 n 0601 S15 loyalty=4 on_meeting=pass",
                 orders="r MOVE A1 0601 choice=pass")
    assert after.get("A2", "node") == "0701"


def test_a_besieger_that_backs_away_leaves_the_siege() -> None:
    """Backing away: and keeps its activation: it may come back."""
    after = case("movement close", armies="""A1 r 0604 S26 noble=N1:9 loyalty=9
        A2 a 0605 S15 noble=N2:4 loyalty=3 besieging=keep on_meeting=pass""", sieges="keep a 2",
                 places="keep 0605 castle_motte 3 8 holder=r S9", orders="r MOVE A1 0605 choice=pass", defaults=True)
    assert after.get("A2", "besieging") == ""
    assert after.get("Sieges/keep", "state") == "lifted"


# --- stand-offs (rulebook: Standoffs) ----------------------------------------------------------------------------
def test_who_has_fought_can_only_withdraw() -> None:
    """6.6: spent groups can only withdraw: after shutting in there is no stand-off, after a lost field neither."""
    after = case("movement", armies="""A1 r 0605 S9 noble=N1:9 on_meeting=pass joins=no
        A2 a 0606 S9 noble=N2:4 on_meeting=pass joins=no, A3 a 0607 S9 noble=N3:3 on_meeting=pass joins=no""",
                 orders="r MOVE A1 0606; a MOVE A3 0606",
                 answers="standoff/A3/0606 = withdraw", defaults=True)
    assert not {after.get(a, "node") for a in ("A2", "A3")} & {after.get("A1", "node")} or (
        after.get("A1", "node") != "0606")


def test_friends_may_share_a_hex() -> None:
    """Standoffs: no stand-off among friends."""
    after = case("movement", armies="A1 r 0605 S9 noble=N1, A2 r 0606 S9 noble=N2", orders="r MOVE A1 0606")
    assert after.get("A1", "node") == after.get("A2", "node") == "0606"


# --- prizes and captives (7) ----------------------------------------------------------------------------------------
FIELD = "A1 r 0605 K9 noble=N1:6 joins=no money=1, A2 a 0606 S9 noble=N2:6 if_attacked=fight on_meeting=pass joins=no"
WON: dict[str, Any] = {"armies": FIELD, "orders": "r MOVE A1 0606 choice=attack", "battles": "B3-1 attacker fled 9",
                       "defaults": True}


@pytest.mark.parametrize(("answer", "convoy", "money"), [
    ("take", {"faction": "royal", "escort": "A1", "cargo": "4"}, "1"),
    ("loot:3", {"cargo": "1"}, "4"),
    ("burn", {"state": "destroyed"}, "1")])
def test_a_convoy_whose_guard_is_beaten(answer: str, convoy: dict[str, str], money: str) -> None:
    """14.4, prize: take, loot:n (£1 a point), burn; take is the default."""
    stop = case("movement", **{**WON, "defaults": False}, convoys="C1 a 0606 4 escort=A2",
                waits="prize/A1/C1 retreat/A2/0606")
    assert stop.questions["prize/A1/C1"].default == "take"
    assert stop.questions["prize/A1/C1"].to == "royal"
    after = case("movement", **WON, convoys="C1 a 0606 4 escort=A2", answers=f"prize/A1/C1 = {answer}")
    row = after.of("C1")
    assert {k: row[k] for k in convoy} == convoy
    assert after.get("A1", "money") == money


def test_captives_go_to_the_nearest_own_place() -> None:
    """7: destination the nearest place of the captor's side (hexes, then id); none: they stay with their escort."""
    losses = "B3-1 A2 foot 0 0 2"
    places = """b-ton 0608 village 3 8, a-ton 0604 village 3 8, far 0612 castle_motte 3 8 holder=r S9
        foe 0607 village 3 2"""
    near = case("movement", **WON, losses=losses, places=places)
    assert near.get("P1", "destination", "captor_army", "taken_on") == ("a-ton", "A1", "3")
    none = case("movement", **WON, losses=losses)
    assert none.get("P1", "destination", "node") == ("", "0606")


def test_captives_freed_on_the_table() -> None:
    """7: `prisoners_freed`: they join the other side's largest group."""
    after = case("movement", armies=FIELD, orders="r MOVE A1 0606 choice=attack", defaults=True,
                 prisoners="P1 r a 0606 S3 captor_army=A2 destination=den taken_on=2",
                 places="den 0612 castle_motte 3 2 holder=a S9", battles="B3-1 defender fled 9 prisoners_freed=2")
    assert after.men("A1") == "K9 S2"
    assert after.men("P1") == "S1"


def test_a_hurt_noble_marches_with_his_men() -> None:
    """7: nobles' fates: a wounded noble is a row of the wounded; he is free again when healed."""
    after = case("movement", **WON, losses="B3-1 A1 - 0 1 0 noble=N1")
    assert after.get("N1", "state", "army", "prestige") == ("wounded", "A1", "7")
    assert after.get("W1", "noble", "army", "state") == ("N1", "A1", "hurt")
    healed = case("provisions", day=5, armies="A1 r 0605 S4 commander=N1", places="ham 0605 village 3 8",
                  nobles="N1 r 5 8 army=A1 state=wounded", wounded="W1 r - A1 noble=N1 state=in_care back_on=5")
    assert healed.get("N1", "state") == "free"
    assert healed.get("W1", "state") == "healed"


def test_a_dead_commander_loses_no_prestige() -> None:
    """7: prestige of each beaten or winning group's commander at the start, unless dead; the next noble leads."""
    after = case("movement", armies=FIELD.replace("noble=N2:6", "noble=N2:6+N3:4"), battles="B3-1 attacker fled 9",
                 orders="r MOVE A1 0606 choice=attack", losses="B3-1 A2 - 1 0 0 noble=N2", defaults=True)
    assert after.get("N2", "state", "prestige", "army") == ("dead", "6", "")
    assert after.get("N3", "prestige") == "4"
    assert after.get("A2", "commander") in ("N3", "")


# --- draws (rulebook: Retreats) -----------------------------------------------------------------------------------
def test_a_draw_sends_both_away() -> None:
    """Retreats: who entered goes first to the side it came from; who was there to the hex opposite."""
    after = case("movement", armies=FIELD, orders="r MOVE A1 0606 choice=attack", battles="B3-1 draw time 12",
                 answers="retreat/A1/0606 = 0605", defaults=True)
    assert (after.get("A1", "node"), after.get("A2", "node")) == ("0605", "0607")
    assert after.get("N1", "prestige") == after.get("N2", "prestige") == "6"


def test_a_sack_that_ends_in_a_draw() -> None:
    """Retreats: the mover of a SACK counts as having entered: it leaves, nothing is looted."""
    after = case("movement", armies="A1 a 0605 K9 noble=N1:6", places="ham 0606 village 6 7", defaults=True,
                 orders="a MOVE A1 0606; a SACK A1 ham 2", battles="B3-1 draw time 12")
    assert after.get("A1", "node") != "0606"
    assert after.get("ham", "resources") == "6"
    assert after.get("N1", "prestige") == "6"


# --- companies of the other side ------------------------------------------------------------------------------------
def test_a_company_alone_may_be_attacked() -> None:
    """E3: `attack` among the options: a battle against the company."""
    after = case("movement", armies="""A1 a 0605 K20 noble=N1
        M1 r 0606 S4 kind=flemish on_meeting=pass if_attacked=fight""",
                 orders="a MOVE A1 0606", answers="lure/A1/0606/M1 = attack", defaults=True)
    assert after.row("Battles", "B3-1")["outcome"] == "attacker"
    assert after.get("N1", "prestige") == "6"


def test_hired_mercenaries_march_alone() -> None:
    """5.3: hired mercenaries alone act as a group without noble."""
    case("movement", armies="M1 r 0605 L4 kind=welsh", orders="r MOVE M1 0606 0607", then="M1 node=0607")


def test_a_detached_company_and_an_attached_one() -> None:
    """ATTACH puts it under a group, DETACH frees it."""
    case("reorganise", armies="A1 r 0605 S9, M1 r 0605 L4 kind=welsh", orders="r ATTACH A1 M1", then="M1 employer=A1")
    case("reorganise", armies="A1 r 0605 S9, M1 r 0605 L4 kind=welsh employer=A1", orders="r DETACH A1 M1",
         then="M1 employer=")


# --- sieges ---------------------------------------------------------------------------------------------------------
def test_surrender_needs_a_siege() -> None:
    """SURRENDER of a castle that nobody besieges is refused, and nothing happens."""
    after = case("close", armies="A1 a 0905 S9", places="keep 0605 castle_motte 4 8 holder=r S9",
                 orders="r SURRENDER keep", findings="o1 ANA-412")
    assert after.get("keep", "holder") == "royal"


def test_all_live_through_a_massacre_of_sixes() -> None:
    """16: one pass, nobles last; who throws 6 or more lives: all are prisoners."""
    dice = ", ".join(f"massacre/keep/{who}=6" for who in ("light-1", "light-2", "foot-1", "N2", "LORD"))
    after = case("close", armies="A1 r 0605 S9 noble=N1 besieging=keep, A2 a 0605 L2 noble=N2 inside=keep",
                 nobles="LORD a 3 3 place=keep", places="keep 0605 castle_motte 0 3 holder=a S1", sieges="keep r 3",
                 dice=f"surrender/keep=3, {dice}")
    assert after.men("P1") == "S1 L2"
    assert {after.get(n, "state") for n in ("N2", "LORD")} == {"prisoner"}


def test_a_massacre_reaches_the_nobles_last() -> None:
    """16: nobles are tested when not half of all are dead before."""
    dice = ("massacre/keep/light-1=6, massacre/keep/light-2=6, massacre/keep/foot-1=6, massacre/keep/LORD=1, "
            "massacre/keep/N2=1")
    after = case("close", armies="A1 r 0605 S9 noble=N1 besieging=keep, A2 a 0605 L2 noble=N2 inside=keep",
                 nobles="LORD a 3 3 place=keep", places="keep 0605 castle_motte 0 3 holder=a S1", sieges="keep r 3",
                 dice=f"surrender/keep=4, {dice}")
    assert [after.get(n, "state") for n in ("LORD", "N2")] == ["dead", "dead"]
    assert after.men("P1") == "S1 L2"


def test_those_who_march_out_unarmed_are_armed_again_at_home() -> None:
    """The close: `unarmed` ends at a close in a village or castle of its side."""
    case("close", armies="A1 a 0605 D2 S3 unarmed=yes", places="ham 0605 village 3 2", then="A1 unarmed=no")
    case("close", armies="A1 a 0605 D2 S3 unarmed=yes", places="ham 0605 village 3 8", then="")


# --- running again (5) ---------------------------------------------------------------------------------------------
def test_an_answer_moves_no_unrelated_die() -> None:
    """5: each phase is a pure function: whatever is answered here, the dice there are the same."""
    armies = """A1 r 0605 K9 noble=N1:9, A2 a 0606 S9 noble=N2:3 on_meeting=pass if_attacked=fight joins=no
        B1 r 1605 K6 noble=N3:8, B2 a 1606 K5 S1 noble=N4:3 on_meeting=pass if_attacked=fight joins=no"""
    orders = "r MOVE A1 0606; r MOVE B1 1606 choice=attack"
    thrown = []
    for answer in ("attack", "pass"):
        after = case("movement", armies=armies, orders=orders, answers=f"attack/A1/0606/A2 = {answer}", defaults=True)
        number = 2 if answer == "attack" else 1
        thrown.append({k.replace(f"B3-{number}", "B"): v for k, v in after.throws.items()
                       if k.startswith(f"auto/B3-{number}/") and "N" not in k})
    assert len(thrown[0]) == len(thrown[1]) == 2


def test_the_same_run_again_is_the_same() -> None:
    """5: asked and answered one by one, or all at once: the same campaign."""
    armies = "A1 r 0605 K9 noble=N1:9, A2 a 0606 S9 noble=N2:3, A3 a 0607 S5 noble=N3:2"
    start = build("movement", armies=armies, orders="r MOVE A1 0606")
    step = resolve(anarchy(), start, SECRET)
    answers: dict[str, str] = {}
    seen = []
    while not step.done:
        for question in step.questions:
            words = question.options.split(", ")
            answers[question.question] = "auto" if question.kind == "battle" else words[0]
            seen.append(question.question)
        row_wise = step.campaign
        for question in step.questions:
            row_wise.table(Question)[question.ident].answer = answers[question.question]
        step = resolve(anarchy(), row_wise, SECRET)
    at_once = resolve(anarchy(), start, SECRET, answers)
    assert at_once.done
    assert len(seen) > 3
    for sheet, table in step.campaign.tables().items():
        assert [r.as_text() for r in table] == [r.as_text() for r in at_once.campaign.by_sheet(sheet)], sheet


def test_so_far_tells_a_side_what_it_may_know() -> None:
    """2, Questions: `so_far` is what the addressee has seen of this phase, no more."""
    armies = """A0 a 0301 S9 noble=N0:9 money=9, M9 n 0302 L3 kind=welsh
        A1 r 0605 S9 noble=N1:4 on_meeting=ask, A2 a 0606 S9 noble=N2:3 on_meeting=pass"""
    after = case("movement", armies=armies, orders="a MOVE A0 0302; r MOVE A1 0606",
                 answers="hire/A0/0302/M9 = pay", waits="attack/A1/0606/A2")
    told = after.questions["attack/A1/0606/A2"].so_far["events"]
    assert any(e["event"] == "hired" for e in told)
    assert not any(e["event"] == "hired" and "terms" in e["data"] for e in told)


# --- what is independent is asked at once -----------------------------------------------------------------
ROUTED: dict[str, Any] = {
    "armies": """A1 r 0605 S20 noble=N1 joins=no, E1 a 0606 S9 noble=N2 if_attacked=fight joins=yes
        E2 a 0606 S9 noble=N3 if_attacked=fight joins=yes""",
    "convoys": "C1 a 0606 3 escort=E1, C2 a 0606 2 escort=E2", "orders": "r MOVE A1 0606 choice=attack",
    "battles": "B3-1 attacker fled 5"}


def test_all_that_fell_to_the_winner_is_asked_about_at_once() -> None:
    """14.4, 15.6: the use of one convoy does not depend on that of another, nor on where the beaten fall back."""
    stop = case("movement", **ROUTED, waits="prize/A1/C1 prize/A1/C2 retreat/E1/0606 retreat/E2/0606")
    prizes = {q.options for q in stop.questions.values() if q.kind == "prize"}
    assert prizes == {"take, loot:3, burn", "take, loot:2, burn"}


def test_all_the_beaten_are_asked_at_once_where_they_go() -> None:
    """15.6: friends do not stand in each other's way, and each goes where it was sent."""
    prizes = "prize/A1/C1 = burn; prize/A1/C2 = take"
    case("movement", **ROUTED, answers=prizes, waits="retreat/E1/0606 retreat/E2/0606")
    after = case("movement", **ROUTED, answers=f"{prizes}; retreat/E1/0606 = 0607; retreat/E2/0606 = 0707")
    assert (after.of("E1")["node"], after.of("E2")["node"]) == ("0607", "0707")
    assert (after.of("C1")["state"], after.of("C2")["escort"]) == ("destroyed", "A1")
