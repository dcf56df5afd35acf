"""Chapter 3c: meetings, table 34, the hand, spies and diplomats.

See rulebook: 3c Engagement, Who meets whom, Ways back.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio import records as g
from tests.giglio.cases import SEA_NODES, SEA_ROADS, After, case

ARMIES = "M-1 90 M5, V-1 70 V8 trail=V9"
COMES = "M move M-1 M5 V8"
CODES = ["stop", "retreat", "attack"]


def meet(hand: str = "", other: str = "", play: str = "r3.move r3.contact", **given: Any) -> After:
    """M-1 comes to V8 where V-1 stands; what the two choose."""
    answers = [f"choice M V8/V = {hand}"] * bool(hand) + [f"choice V V8/M = {other}"] * bool(other)
    return case(
        play, **{"armies": ARMIES, "orders": COMES, "answers": "\n".join([*answers, given.pop("more", "")]), **given}
    )


# --- table 34 -------------------------------------------------------------------------------------
TABLE34 = [
    # hand, other, outcome, where M-1 and V-1 then are, kind of battle and its side a
    ("stop", "stop", "stay", "V8", "V8", None),
    ("stop", "retreat", "other_back", "V8", "V9", None),
    ("stop", "attack", "battle_other", "V8", "V8", ("field", "V")),
    ("stop", "shut_in", "shut_in", "V8", "V8", None),
    ("retreat", "stop", "hand_back", "M5", "V8", None),
    ("retreat", "retreat", "both_back", "M5", "V9", None),
    ("retreat", "attack", "pursuit_other", "V8", "V8", ("rearguard", "V")),
    ("retreat", "shut_in", "hand_back_shut", "M5", "V8", None),
    ("attack", "stop", "battle_hand", "V8", "V8", ("field", "M")),
    ("attack", "retreat", "pursuit_hand", "V8", "V8", ("rearguard", "M")),
    ("attack", "attack", "meeting", "V8", "V8", ("meeting", "M")),
    ("attack", "shut_in", "shut_in", "V8", "V8", None),
]


@pytest.mark.parametrize(("hand", "other", "outcome", "m_at", "v_at", "battle"), TABLE34)
def test_table_34(hand: str, other: str, outcome: str, m_at: str, v_at: str, battle: tuple[str, str] | None) -> None:
    """t34: both choose secretly, reveal at once, and the table says what comes of it."""
    after = meet(
        hand,
        other,
        nodes="V8 walls=intact",
        dice={"side:B1500.3.V8:M": 5, "side:B1500.3.V8:V": 2} if outcome == "meeting" else {},
    )
    contact = after.contact("V8")
    assert (contact.contact, contact.hand, contact.other, contact.outcome) == ("C1500.3.V8.M-V", "M", "V", outcome)
    assert (contact.choice_hand, contact.choice_other) == (hand, other)
    assert (after.army("M-1").node, after.army("V-1").node) == (m_at, v_at)
    assert after.army("V-1").posture == ("shut_in" if other == "shut_in" else "field")
    assert [(b.type, b.side_a) for b in after.rows(g.Battle)] == ([battle] if battle else [])
    assert after.audience("contact.choices", node="V8") == {"M", "V"}
    assert after.node("V8").owner == "V"
    assert (after.army("M-1").value, after.army("V-1").value) == (90, 70)


def test_the_cells_of_table_34_are_data() -> None:
    """t34: the referee may type another outcome into the sheet."""
    after = meet("stop", "stop", table34="stop stop battle_other")
    assert after.contact("V8").outcome == "battle_other"
    assert [b.side_a for b in after.rows(g.Battle)] == ["V"]


# --- options --------------------------------------------------------------------------------------
def test_the_options_of_both_sides() -> None:
    """3c: both have the same choices; who has not the hand may shut itself in behind friendly walls."""
    after = meet(nodes="V8 walls=intact", waits=True)
    assert set(after.questions) == {"choice M V8/V", "choice V V8/M"}
    assert after.options("choice M V8/V") == CODES
    assert after.options("choice V V8/M") == [*CODES, "shut_in"]
    assert {q.default for q in after.questions.values()} == {"stop"}


@pytest.mark.parametrize("walls", ["none", "damaged"])
def test_without_intact_walls_nobody_shuts_himself_in(walls: str) -> None:
    """Choices: shutting in needs intact walls."""
    assert meet(nodes=f"V8 walls={walls}", waits=True).options("choice V V8/M") == CODES


def test_behind_the_walls_of_a_partner() -> None:
    """Choices: a partner with passage opens his gates, an enemy does not."""
    given: dict[str, Any] = {"armies": "M-1 90 M5, P-1 70 V8 trail=P8", "nodes": "V8 walls=intact", "waits": True}
    ally = meet(**given, alliances="P V 1502 passage=yes")
    assert ally.options("choice P V8/M") == [*CODES, "shut_in"]
    assert meet(**given, alliances="P V 1502").options("choice P V8/M") == CODES


def test_a_choice_that_is_not_offered_is_asked_again() -> None:
    """Questions: GIG-100; nothing is revealed and nothing happens."""
    after = case(
        "r3.move r3.contact",
        armies=ARMIES,
        orders=COMES,
        waits=True,
        answers="choice M V8/V = shut_in\nchoice V V8/M = attack",
        findings="1500.r3.contact.choice.M.V8/V GIG-100",
    )
    assert "choice M V8/V" in after.questions
    assert not after.rows(g.Battle)


def test_choices_are_understood_in_italian() -> None:
    """Questions: the Italian words are answers, too."""
    for back in ("indietreggiare", "Ritirarsi", "ritirata"):
        assert meet("fermarsi", back).contact("V8").outcome == "other_back"


def test_one_answer_alone_changes_nothing() -> None:
    """3c Engagement: both are asked at once, in secret; until both have answered nothing happens."""
    after = meet("attack", waits=True)
    assert not after.rows(g.Battle)
    assert after.no_event("contact.choices")


# --- the hand -------------------------------------------------------------------------------------
def test_the_side_that_entered_has_the_hand() -> None:
    """3c Engagement mover: the arriving side leads, whatever the order of movement."""
    assert meet("stop", "stop", order="V M F P S").contact("V8").hand == "M"


@pytest.mark.parametrize(("order", "hand"), [("V M F P S", "V"), ("M V F P S", "M")])
def test_if_both_entered_the_order_of_movement_decides(order: str, hand: str) -> None:
    """3c Engagement mover: both came to F7 in this round: the lower move_rank has the hand."""
    after = case("r3.move", order=order, armies="V-1 90 V8, M-1 90 P8", orders="V move V-1 V8 F7\nM move M-1 P8 F7")
    assert after.contact("F7").hand == hand


@pytest.mark.parametrize("order", ["V M F P S", "M V F P S"])
def test_who_still_stand_face_to_face_keep_the_hand_of_last_round(order: str) -> None:
    """3c Engagement mover: neither entered: the side that had the hand in the same pair's last contact."""
    after = case("r3 r4.move r4.contact", order=order, armies=ARMIES, orders=COMES, defaults=True)
    hands = {c.round: c.hand for c in after.rows(g.Contact)}
    assert hands == {3: "M", 4: "M"}


def test_without_a_contact_before_the_lower_rank_has_the_hand() -> None:
    """3c Engagement mover: neither entered and no contact before, as after two sides that never met."""
    after = case("r3.move", order="V M F P S", armies="V-1 90 V8, M-1 90 V8")
    assert after.contact("V8").hand == "V"


@pytest.mark.parametrize("order", ["V M F P S", "M V F P S"])
def test_hand_by_order(order: str) -> None:
    """hand_side order: always the lower move_rank."""
    after = case("r3.move", order=order, armies=ARMIES, orders=COMES, rules={"hand_side": "order"})
    assert after.contact("V8").hand == order[0]


def test_hand_by_dice() -> None:
    """hand_side random: 1d6 each, the higher has the hand, ties throw again."""
    key = "hand:C1500.3.V8.{}:{}"
    for contact in ("M-V", "V-M"):
        dice = {key.format(contact, "M") + t: m for t, m in (("", 3), (":t2", 2))}
        dice |= {key.format(contact, "V") + t: v for t, v in (("", 3), (":t2", 5))}
        after = case(
            "r3.move r3.contact",
            order="M V F P S",
            armies=ARMIES,
            orders=COMES,
            rules={"hand_side": "random"},
            dice=dice,
            defaults=True,
            spare_dice=True,
        )
        if all(k in after.throws for k in dice):
            assert after.contact("V8").hand == "V"
            return
    raise AssertionError(f"no hand dice of either contact name: {sorted(after.throws)}")


@pytest.mark.parametrize("hand", ["V", "M"])
def test_hand_by_umpire(hand: str) -> None:
    """hand_side umpire: the referee is asked; there is no default."""
    given: dict[str, Any] = {"armies": ARMIES, "orders": COMES, "rules": {"hand_side": "umpire"}}
    asked = case("r3.move", **given, waits=True)
    (question,) = asked.questions.values()
    assert (question.kind, question.to, question.default) == ("hand", "referee", "")
    assert set(asked.options(f"hand referee {question.about}")) == {"M", "V"}
    after = case("r3.move r3.contact", **given, answers=f"hand referee {question.about} = {hand}", defaults=True)
    assert {c.hand for c in after.rows(g.Contact) if c.outcome} == {hand}


# --- several parties ------------------------------------------------------------------------------
def test_who_fights_is_engaged_and_its_later_contacts_lapse() -> None:
    """Table 34: V fights M at V8; the contact of P with V is put off, and P with M too."""
    after = case(
        "r3.move r3.contact",
        order="M P V F S",
        armies="M-1 90 M5, V-1 70 V8 trail=V9, P-1 60 P8",
        orders="M move M-1 M5 V8\nP move P-1 P8 V8",
        answers="""choice M V8/V = attack
                            choice V V8/M = stop
                            choice P V8/V = attack
                            choice V V8/P = stop
                            choice M V8/P = attack
                            choice P V8/M = stop""",
    )
    outcomes = {(c.hand, c.other): c.outcome for c in after.rows(g.Contact)}
    assert outcomes == {("M", "P"): "battle_hand", ("M", "V"): "lapsed", ("P", "V"): "lapsed"}
    assert [b.battle for b in after.rows(g.Battle)] == ["B1500.3.V8"]
    assert len(after.events("contact.lapsed")) == 2


def test_two_battles_in_one_node_have_two_names() -> None:
    """Records: two pairs who only fight each other: B1500.3.V8 and B1500.3.V8b."""
    partners = "F M 1502 passage=yes, M S 1502 passage=yes, F V 1502 passage=yes, S V 1502 passage=yes"
    after = case(
        "r3.move r3.contact",
        armies="M-1 90 V8, V-1 70 V8, F-1 60 V8, S-1 50 V8",
        alliances=partners,
        rules={"ally_stack": "with_consent"},
        answers="""choice V V8/M = attack
                            choice M V8/V = stop
                            choice F V8/S = attack
                            choice S V8/F = stop""",
    )
    assert [(b.battle, b.side_a, b.side_b) for b in after.rows(g.Battle)] == [
        ("B1500.3.V8", "V", "M"),
        ("B1500.3.V8b", "F", "S"),
    ]


def test_a_force_is_all_markers_of_a_faction() -> None:
    """Words of the map: armies of one faction in a node choose and fight together."""
    after = meet(
        "attack",
        "stop",
        armies="M-1 90 M5, M-2 30 M5, V-1 70 V8 trail=V9, V-2 40 V8 trail=V9",
        orders=f"{COMES}\nM move M-2 M5 V8",
    )
    battle = after.battle("B1500.3.V8")
    assert (battle.armies_a.replace(",", "").split(), battle.value_a) == (["M-1", "M-2"], 120)
    assert (battle.armies_b.replace(",", "").split(), battle.value_b) == (["V-1", "V-2"], 110)


# --- spies ----------------------------------------------------------------------------------------
SPIED = "M-1 90 M5, M-2 30 M5, V-1 70 V8 trail=V9"
TWO_COME = f"{COMES}\nM move M-2 M5 V8"


def test_a_spy_looks_at_one_enemy_army_a_round() -> None:
    """t33: with one spy and two enemy markers one is asked which; the first by default."""
    asked = meet(armies=SPIED, orders=TWO_COME, specialists="V-S1 spy", waits=True)
    assert list(asked.questions) == ["spy V"]
    assert asked.options("spy V") == ["M-1", "M-2"]
    assert asked.questions["spy V"].default == "M-1"
    after = meet("stop", "stop", armies=SPIED, orders=TWO_COME, specialists="V-S1 spy", more="spy V = M-2")
    assert after.event("spy.report").data | {} == {"army": "M-2", "kind": "army", "value": 30}
    assert after.specialist("V-S1").status == "active"


def test_two_spies_see_two_armies() -> None:
    """t33: with at least as many spies as markers all are revealed, and nothing is asked."""
    after = meet("stop", "stop", armies=SPIED, orders=TWO_COME, specialists="V-S1 spy, V-S2 spy")
    assert {e.data["army"] for e in after.events("spy.report")} == {"M-1", "M-2"}
    assert {e.audience for e in after.events("spy.report")} == {"V"}


def test_a_spy_reports_before_the_choice_is_made() -> None:
    """t33: the master reveals the size of an army before the choice in table 34."""
    after = meet(specialists="V-S1 spy", waits=True)
    seen = after.questions["choice V V8/M"].so_far
    assert "spy.report" in str(seen)
    assert "90" in str(seen)
    assert "spy.report" not in str(after.questions["choice M V8/V"].so_far)


def test_a_spy_may_serve_once_only() -> None:
    """spy_uses once: after one report he is spent."""
    after = meet("stop", "stop", specialists="V-S1 spy", rules={"spy_uses": "once"})
    assert after.specialist("V-S1").status == "spent"
    idle = case("r3.move r3.contact", armies="V-1 70 V8", specialists="V-S1 spy", rules={"spy_uses": "once"})
    assert idle.specialist("V-S1").status == "active"


@pytest.mark.parametrize("man", ["V-S1 spy status=dead", "V-S1 spy status=expired", "V-S1 assassin"])
def test_only_an_active_spy_reports(man: str) -> None:
    """Table 33: k counts active spies."""
    assert meet("stop", "stop", specialists=man).no_event("spy.report")


def test_a_wrong_name_for_the_spy_is_asked_again() -> None:
    """Questions: GIG-100 for an army that is not among the options."""
    meet(
        armies=SPIED,
        orders=TWO_COME,
        specialists="V-S1 spy",
        more="spy V = V-1",
        waits=True,
        findings="1500.r3.contact.spy.V GIG-100",
    )


# --- diplomats ------------------------------------------------------------------------------------
ENVOY = "M-1 0 M5 kind=diplomat, V-1 70 V8 trail=V9"


def test_an_envoy_cannot_attack() -> None:
    """Choices: attack is offered unless the force is only diplomats."""
    after = meet(armies=ENVOY, waits=True)
    assert after.options("choice M V8/V") == ["stop", "retreat"]
    assert after.options("choice V V8/M") == CODES


@pytest.mark.parametrize(
    ("envoy", "other", "outcome", "m_at"),
    [
        ("stop", "stop", "stay", "V8"),
        ("retreat", "stop", "hand_back", "M5"),
        ("stop", "attack", "diplomat_taken", None),
        ("retreat", "attack", "diplomat_back", "M5"),
    ],
)
def test_what_becomes_of_an_envoy(envoy: str, other: str, outcome: str, m_at: str | None) -> None:
    """Table 33: stands and is attacked: taken, no battle; goes back: back, no pursuit; then all know him."""
    after = meet(envoy, other, armies=ENVOY)
    assert after.contact("V8").outcome == outcome
    assert not after.rows(g.Battle)
    if m_at is None:
        assert after.gone("M-1")
        assert after.event("army.lost", why="captured diplomat")
    else:
        assert (after.army("M-1").node, after.army("M-1").revealed) == (m_at, True)
        assert after.event("diplomat.revealed", army="M-1").audience == "all"
    assert after.army("V-1").node == "V8"


def test_a_revealed_envoy_meets_nobody_any_more() -> None:
    """Table 33: from then on he neither stops nor meets anybody, and both stand in one node."""
    after = case("r3 r4.move", armies=ENVOY, orders=COMES, answers="choice M V8/V = stop\nchoice V V8/M = stop")
    assert [c.round for c in after.rows(g.Contact)] == [3]


def test_two_envoys_are_revealed_without_a_question() -> None:
    """Choices: a contact of diplomats only is not asked: both are revealed."""
    after = meet(armies="M-1 0 M5 kind=diplomat, V-1 0 V8 kind=diplomat")
    assert after.contact("V8").outcome == "bluff_both"
    assert after.army("M-1").revealed
    assert after.army("V-1").revealed


def test_an_envoy_beside_an_army_goes_where_it_goes_and_does_not_fight() -> None:
    """Table 33: he takes no part in battles and retreats with the army; he is revealed by the contact."""
    after = meet(
        "attack",
        "stop",
        "r3",
        armies="M-1 90 M5, V-1 70 V8 trail=V9, V-2 0 V8 kind=diplomat trail=V9",
        battles="B1500.3.V8 played a 5 10",
    )
    assert after.battle("B1500.3.V8").value_b == 70
    assert (after.army("V-1").node, after.army("V-2").node) == ("V9", "V9")
    assert after.army("V-2").revealed


def test_an_envoy_goes_back_with_its_army() -> None:
    """Table 33: a retreat of the force takes the envoy along."""
    after = meet("stop", "retreat", armies="M-1 90 M5, V-1 70 V8 trail=V9, V-2 0 V8 kind=diplomat trail=V9")
    assert (after.army("V-1").node, after.army("V-2").node, after.army("V-2").revealed) == ("V9", "V9", True)


@pytest.mark.parametrize("known", ["no", "yes"])
def test_an_envoy_goes_back_by_his_armys_road(known: str) -> None:
    """Table 33: each came by a road of his own and the army from V9: he goes where the army goes, known or not."""
    after = meet("stop", "retreat", armies="M-1 90 M5, V-1 0 V8 kind=diplomat trail=F7, V-2 70 V8 trail=V9, "
                 f"V-3 0 V8 kind=diplomat trail=P8 revealed={known}")
    assert (after.army("V-1").node, after.army("V-2").node, after.army("V-3").node) == ("V9", "V9", "V9")


def test_an_envoy_whose_army_goes_aboard_takes_his_own_road() -> None:
    """Ways back: the ship has room for the army alone; he goes back to where he came from."""
    after = case("r3.move r3.contact", nodes=SEA_NODES, roads=f"{SEA_ROADS}, Z7 V9 coast", fleets="V-F1 Z7 cargo=V-1",
                 armies="V-1 90 Z7 posture=aboard fleet=V-F1, V-2 0 V9 kind=diplomat trail=V0, P-1 50 V9 trail=V11",
                 orders="V land V-1 V9", answers="choice V V9/P = retreat\nchoice P V9/V = stop")
    assert (after.army("V-1").node, after.army("V-1").posture, after.army("V-2").node) == ("Z7", "aboard", "V0")


def test_an_envoy_shuts_himself_in_with_the_army() -> None:
    """Table 33: an envoy beside an army goes where the army goes, behind the walls too."""
    after = meet(
        "stop",
        "shut_in",
        nodes="V8 walls=intact",
        armies="M-1 90 M5, V-1 70 V8 trail=V9, V-2 0 V8 kind=diplomat trail=V9",
    )
    assert (after.army("V-1").posture, after.army("V-2").posture) == ("shut_in", "shut_in")


# --- ways back (rulebook: Ways back) --------------------------------------------------------------
def offered(armies: str, **given: Any) -> bool:
    """Whether V at V8 may choose Retreat."""
    after = case("r3.move r3.contact", **{"armies": armies, "orders": COMES, "waits": True, **given})
    return "retreat" in after.options("choice V V8/M")


BY_V9 = "trail=V9 arrived_year=1500 arrived_round=2 arrived_no=1"
WAYS: list[tuple[str, str, dict[str, Any], bool]] = [
    ("a previous position is needed", "M-1 90 M5, V-1 70 V8", {}, False),
    ("and it is enough", ARMIES, {}, True),
    ("also when it is foreign", "M-1 90 M5, V-1 70 V8 trail=F7", {}, True),
    ("the last of the trail counts", "M-1 90 M5, V-1 70 V8 trail=P9+V9", {}, True),
    ("it must be joined by road", "M-1 90 M5, V-1 70 V8 trail=V0", {}, False),
    ("no army of another faction in it", f"{ARMIES}, P-1 10 V9", {}, False),
    ("a partner's army is one, too", f"{ARMIES}, P-1 10 V9", {"alliances": "P V 1502 passage=yes"}, False),
    ("an own army is none", f"{ARMIES}, V-2 10 V9", {}, True),
    ("an unrevealed envoy is one", f"{ARMIES}, P-1 0 V9 kind=diplomat", {}, False),
    ("a revealed one is none", f"{ARMIES}, P-1 0 V9 kind=diplomat revealed=yes", {}, True),
    ("no hostile garrison", ARMIES, {"nodes": "V9 owner=P garrison=yes"}, False),
    ("hostile walls alone do not bar", ARMIES, {"nodes": "V9 owner=P walls=intact"}, True),
    (
        "no hostile army shut in there",
        f"{ARMIES}, P-1 10 V9 posture=shut_in",
        {"nodes": "V9 owner=P walls=intact"},
        False,
    ),
    (
        "a known envoy shut in there bars nobody",
        f"{ARMIES}, P-1 0 V9 kind=diplomat posture=shut_in revealed=yes",
        {"nodes": "V9 owner=P walls=intact"},
        True,
    ),
    ("the road by which a later enemy came is closed", "M-1 90 M5, V-1 70 V8 trail=M5", {}, False),
    ("also where that enemy is an envoy", f"{ARMIES}, M-2 0 V8 kind=diplomat {BY_V9}", {}, False),
    ("an envoy who is known closes none", f"{ARMIES}, M-2 0 V8 kind=diplomat revealed=yes {BY_V9}", {}, True),
    ("each marker needs its way back", f"{ARMIES}, V-2 10 V8", {}, False),
    ("each by its own road", f"{ARMIES}, V-2 10 V8 trail=F7", {}, True),
    ("an envoy counts as a marker", f"{ARMIES}, V-2 0 V8 kind=diplomat", {}, False),
]


@pytest.mark.parametrize(("why", "armies", "given", "legal"), WAYS, ids=[w[0] for w in WAYS])
def test_retreat_is_offered_only_with_a_legal_way_back(
    why: str, armies: str, given: dict[str, Any], legal: bool
) -> None:
    """Ways back: for each marker of the force the previous position must exist and be free."""
    assert offered(armies, **given) is legal, why


def test_a_later_arrival_by_the_same_road_closes_it_for_the_earlier_only() -> None:
    """Ways back: M came later from M5 and may go back there; V, who came from M5 before, may not."""
    after = meet(armies="M-1 90 M5, V-1 70 V8 trail=M5 arrived_year=1500 arrived_round=2 arrived_no=4", waits=True)
    assert after.options("choice M V8/V") == CODES
    assert after.options("choice V V8/M") == ["stop", "attack"]


def test_several_forces_that_go_back_to_one_node_meet_there_next_round() -> None:
    """Ways back: both went back to F7; they meet there in the next round."""
    after = case(
        "r3 r4.move",
        armies="M-1 90 V8 trail=F7, V-1 70 V8 trail=F7",
        answers="r3.contact choice M V8/V = retreat\nr3.contact choice V V8/M = retreat",
    )
    assert (after.army("M-1").node, after.army("V-1").node) == ("F7", "F7")
    assert [(c.round, c.node) for c in after.rows(g.Contact)] == [(3, "V8"), (4, "F7")]


def test_going_back_is_not_marching() -> None:
    """Ways back: it does not change the arrival and crosses borders freely."""
    after = meet(
        "stop", "retreat", armies="M-1 90 M5, V-1 70 V8 trail=V0+F7 arrived_year=1500 arrived_round=1 arrived_no=2"
    )
    army = after.army("V-1")
    assert (army.node, army.trail, army.arrived_round, army.arrived_no) == ("F7", "V0", 1, 2)


NO_WAY = "M-1 90 M5, V-1 70 V8"


def test_retreat_without_a_way_is_not_offered() -> None:
    """retreat_impossible stop: stop and attack are left."""
    assert not offered(NO_WAY)


def test_retreat_without_a_way_may_become_a_battle() -> None:
    """retreat_impossible battle: offered, and the other side attacks, whatever it chose."""
    for hand in ("stop", "attack"):
        after = meet(hand, "retreat", armies=NO_WAY, rules={"retreat_impossible": "battle"})
        assert [(b.type, b.side_a, b.side_b) for b in after.rows(g.Battle)] == [("field", "M", "V")]


def test_retreat_without_a_way_may_be_the_end() -> None:
    """retreat_impossible destroyed: the force is destroyed."""
    after = meet("stop", "retreat", armies=NO_WAY, rules={"retreat_impossible": "destroyed"})
    assert after.gone("V-1")
    assert not after.rows(g.Battle)
    assert after.event("army.lost", army="V-1", why="no retreat")


# --- where there is no meeting --------------------------------------------------------------------
@pytest.mark.parametrize(
    "given",
    [
        {"nodes": "V8 garrison=yes", "armies": "M-1 90 M5"},
        {"nodes": "V8 walls=intact", "armies": "M-1 90 M5"},
        {"nodes": "V8 walls=intact", "armies": "M-1 90 M5, V-1 70 V8 posture=shut_in"},
        {"nodes": "V8 owner=N garrison=yes", "armies": "M-1 90 M5"},
        {"armies": "M-1 90 M5, V-1 0 V8 kind=diplomat revealed=yes"},
    ],
)
def test_an_army_before_a_garrison_or_walls_has_no_contact(given: dict[str, Any]) -> None:
    """Who meets whom: it may besiege, stay or go on by its next orders."""
    after = case("r3.move r3.contact", **given, orders=COMES)
    assert after.army("M-1").node == "V8"
    assert not after.rows(g.Contact)


# --- a commander killed ---------------------------------------------------------------------------
def test_without_its_commander_an_army_does_not_attack() -> None:
    """Table 33: this round Attack is not offered; next round it may attack and marches a node less."""
    given: dict[str, Any] = {
        "armies": f"{ARMIES}, P-1 40 P8",
        "specialists": "P-S1 assassin",
        "orders": f"{COMES}\nP assassinate P-S1 commander V-1",
    }
    after = case("r3.move r3.contact", **given, dice={"assassin:P-S1:1500:3": 5}, waits=True)
    assert after.army("V-1").leaderless == 3
    assert after.options("choice V V8/M") == ["stop", "retreat"]
    later = case(
        "r3 r4.move r4.contact",
        **given,
        dice={"assassin:P-S1:1500:3": 5},
        waits=True,
        answers="r3.contact choice V V8/M = stop\nr3.contact choice M V8/V = stop",
    )
    assert later.options("choice V V8/M") == CODES
