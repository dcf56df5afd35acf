"""The worked examples of the book's reading, and what the scripted year does not show, each as a small case."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.turn.phases import Outcome
from tests.bloodlust.scenario import codes, ground, play, row, told

WAR = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}
HOME = {"VOR-a2": {"node": "V1"}}


def no_fort_war(**more: Any) -> Any:
    """VOR and SEK at war; VOR's second army away from V3."""
    return ground("987Su", "invade", Wars=WAR, Armies=HOME | more.pop("Armies", {}), **more)


# --- recruiting and upkeep --------------------------------------------------------------------------
def test_x01_rolls() -> None:
    """X01: TECH 4 + WAR 4 + 7 provinces + 1 for a fort, and 1 more where the nation was invaded."""
    outcome = play(ground(Factions={"VOR": {"invaded_last": True}}))
    assert row(outcome, "Factions", "VOR").rolls == 17


@pytest.mark.parametrize(("rules", "left"), [({}, 0), ({"opposition_cost": "kept"}, 1)])
def test_x02_opposition(rules: dict[str, str], left: int) -> None:
    """X02: a 6 of the opposition die and the unit is not hired; the roll is spent, or kept by the switch."""
    campaign = ground("987Sp", "recruit", rules=rules, Factions={"VOR": {"rolls": 2, "opposition": True}})
    outcome = play(campaign, ["VOR: arruola 2"], {"recruit/VOR/1": "5", "opposition/VOR/1": "6",
                                                  "recruit/VOR/2": "5", "opposition/VOR/2": "4"})
    nation = row(outcome, "Factions", "VOR")
    assert (nation.rolls, nation.opposition) == (left, False)
    new = [unit.unit for unit in outcome.campaign.by_sheet("Units") if unit.recruited_turn == "987Sp"
           and unit.faction == "VOR"]
    assert new == ["VOR-u5"]
    assert [(data["text"], data["text_it"]) for data in told(outcome, "not_hired")] == [("Engineers", "Genieri")]


def _upkeep(resources: int, more: int, *lines: str, rules: dict[str, str] | None = None, turn: str = "987Sp",
            dice: dict[str, str] | None = None) -> Outcome:
    """Three foot, one mounted, one mounted light, and so many light foot of VOR's first army."""
    units = {f"VOR-u{n}": {"army": "VOR-a1", "mount": "mounted" if n in (4, 5) else "foot", "morale": "normal",
                           "rep": 4, "skills": "light" if n > 4 else "", "faction": "VOR", "recruited_turn": "987Su"}
             for n in range(1, 6 + more)}
    campaign = ground(turn, "muster", rules=rules, Factions={"VOR": {"resources": resources}}, Units=units,
                      Leaders={"VOR-m1": {"attributes": ""}})
    return play(campaign, lines, dice)


def test_x03_upkeep() -> None:
    """X03: twelve quarters are three resources; a thirteenth makes the last in the order forage, or go."""
    assert row(_upkeep(3, 0), "Factions", "VOR").resources == 0
    gone = _upkeep(3, 1, dice={"forage/VOR-u6": "6+6"})
    assert [unit.unit for unit in gone.campaign.by_sheet("Units") if unit.left_turn] == ["VOR-u6"]
    found = _upkeep(3, 1, dice={"forage/VOR-u6": "6+1"})
    assert row(found, "Factions", "VOR").resources == 0
    assert row(found, "Units", "VOR-u6").exhausted
    first = _upkeep(3, 1, "VOR: paga prima u6", dice={"forage/VOR-u5": "6+6"})
    assert [unit.unit for unit in first.campaign.by_sheet("Units") if unit.left_turn] == ["VOR-u5"]


@pytest.mark.parametrize(("mode", "turn", "paid"), [
    ("as_written", "987Sp", 3), ("by_type", "987Sp", 3), ("flat", "987Sp", 5),
    ("as_written", "987Su", 5), ("by_type", "987Su", 3), ("as_written", "987Fa", 0)])
def test_modes_of_upkeep(mode: str, turn: str, paid: int) -> None:
    """`upkeep_mode`: by type in Spring, 1 each for Summer's recruits, nothing in Fall; or otherwise."""
    outcome = _upkeep(20, 0, rules={"upkeep_mode": mode}, turn=turn)
    assert row(outcome, "Factions", "VOR").resources == 20 - paid


def test_x04_foraging() -> None:
    """X04: a success brings a resource; one exhausts; none leaves the unit to pay, or to go."""
    campaign = ground("987Sp", "muster")
    dice = {"forage/VOR-u1": "1+5", "forage/VOR-u4": "6+6"}
    outcome = play(campaign, ["VOR: foraggia u1", "VOR: foraggia u4 o congeda"], dice)
    assert not row(outcome, "Units", "VOR-u1").exhausted
    assert row(outcome, "Units", "VOR-u4").state == "disbanded"
    covers = ground("987Sp", "muster", rules={"forage_gain": "covers"})
    fed = play(covers, ["VOR: foraggia u1"], {"forage/VOR-u1": "1+1"})
    plain = play(covers)
    assert row(fed, "Factions", "VOR").resources >= row(plain, "Factions", "VOR").resources


def test_ransom_and_release() -> None:
    """A captive is paid for where his holder lets him go; alone a release is free."""
    held = {"VOR-m1": {"state": "captured", "holder": "SEK", "army": "", "until_turn": "988Sp"}}
    campaign = ground("987Su", "muster", Leaders=held)
    assert row(play(campaign, ["VOR: riscatta m1"]), "Leaders", "VOR-m1").state == "captured"
    paid = play(campaign, ["VOR: riscatta m1", "SEK: rilascia VOR-m1"])
    assert (row(paid, "Leaders", "VOR-m1").state, row(paid, "Leaders", "VOR-m1").holder) == ("wounded", "")
    assert row(paid, "Factions", "SEK").resources == row(play(campaign), "Factions", "SEK").resources + 4
    free = play(campaign, ["SEK: release VOR-m1"])
    assert row(free, "Factions", "SEK").resources == row(play(campaign), "Factions", "SEK").resources
    assert told(free, "ransomed") == [{"leader": "VOR-m1", "n": 0}]


# --- going to war -----------------------------------------------------------------------------------
def _war(dice: dict[str, str], *lines: str, rules: dict[str, str] | None = None, **rows: Any) -> Outcome:
    calm = {f"war/{code}": "6+6" for code in ("VOR", "DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}
    return play(ground("987Sp", "war", rules=rules, **rows), lines, calm | dice)


def _wars(outcome: Outcome) -> list[tuple[str, str, str]]:
    return [(war.aggressor, war.target, war.reason) for war in outcome.campaign.by_sheet("Wars")]


def test_x05_maybe_and_both() -> None:
    """X05: two nations that choose each other have one war; who has one success goes where its row says."""
    outcome = _war({"war/VOR": "3+4", "war/SEK": "6+2"}, "VOR: guerra SEK DER", "SEK: war VOR")
    assert _wars(outcome) == [("VOR", "SEK", "both")]
    assert _wars(_war({"war/SEK": "6+2"})) == []


def test_x06_rumours() -> None:
    """X06: rumours make a maybe a war, against anyone; by row not against who spread them."""
    by_vor = {"SEK/VOR": {"deceit_until": "987", "deceit_kind": "anyone"}}
    assert _wars(_war({"war/SEK": "6+2"}, "SEK: war VOR", Relations=by_vor)) == [("SEK", "VOR", "check")]
    third = {"SEK/VOR": {"deceit_until": "987", "deceit_kind": "third"}}
    assert ("SEK", "VOR", "check") not in _wars(_war({"war/SEK": "6+2"}, "SEK: war VOR", Relations=third))
    assert _wars(_war({"war/SEK": "2+3"}, "SEK: war VOR", Relations=third)) == [("SEK", "VOR", "check")]


def test_x07_a_single_target_is_forced() -> None:
    """X07: Thunk's only neighbour is Piorad: no die."""
    outcome = _war({"war/THU": "1+3"})
    assert _wars(outcome) == [("THU", "PIO", "check")]
    assert [roll.key for roll in outcome.rolls if roll.key.startswith("target/")] == []


def test_allies_are_called() -> None:
    """Who is asked and refuses is an ally no more; who joins has a war of its own."""
    pact = {"VOR/DER": {"since": "986Wi"}}
    asked = _war({"war/SEK": "1+1"}, "SEK: war VOR", Alliances=pact)
    assert [question.question for question in asked.questions] == ["join/W1/DER"]
    for answer, wars, ended in (("yes", 2, ""), ("no", 1, "987Sp")):
        campaign = ground("987Sp", "war", Alliances=pact)
        calm = {f"war/{code}": "6+6" for code in ("VOR", "DER", "PIO", "THU", "BAT", "GAD", "HYS", "ALW")}
        outcome = play(campaign, ["SEK: war VOR"], {**calm, "war/SEK": "1+1"}, {"join/W1/DER": ("DER", answer)})
        assert len(_wars(outcome)) == wars
        assert row(outcome, "Alliances", "VOR/DER").ended == ended


def test_white_peace() -> None:
    """Both want it, or one does and the rules are weary."""
    assert _ended(play(ground("987Su", "war", Wars=WAR), ["VOR: pace SEK"])) == ""
    assert _ended(play(ground("987Su", "war", Wars=WAR), ["VOR: pace SEK", "SEK: peace VOR"])) == "white"
    npc = {"SEK": {"role": "npc", "morale": 2}}
    assert _ended(play(ground("987Su", "war", Wars=WAR, Factions=npc), ["VOR: pace SEK"])) == "white"


def _ended(outcome: Outcome) -> str:
    return str(row(outcome, "Wars", "W1").how)


def test_a_club_chooses_freely_where_the_switch_says_so() -> None:
    """`player_war` choose: no check; the first legal row is war."""
    outcome = _war({}, "VOR: war SEK", rules={"player_war": "choose"})
    assert _wars(outcome) == [("VOR", "SEK", "check")]
    assert "war/VOR" not in {roll.key for roll in outcome.rolls}


# --- invasions --------------------------------------------------------------------------------------
def _battles(outcome: Outcome) -> list[tuple[str, str, str, str]]:
    return [(one.node, one.kind, one.attacker, one.defender) for one in outcome.campaign.by_sheet("Battles")]


CROSSING = {"VOR-a1": {"node": "V3"}, "SEK-a1": {"node": "S3"}}


@pytest.mark.parametrize(("vor", "sek", "expected"), [
    ("1+1+1+6", "6+6+6+6", ("S3", "field", "VOR", "SEK")), ("6+6+6+6", "1+6+6+6", ("V3", "field", "SEK", "VOR")),
    ("1+1+6+6", "6+6+6+6", ("S3", "open", "VOR", "SEK")), ("1+1+6+6", "1+6+6+6", ("V3", "meeting", "VOR", "SEK"))])
def test_mutual_attacks(vor: str, sek: str, expected: tuple[str, str, str, str]) -> None:
    """X09 to X11: two successes more attack, one more risks the start, equal successes meet (SEK has an advocate)."""
    outcome = play(no_fort_war(Armies=CROSSING), ["VOR: invade a1 S3", "SEK: invade a1 V3"],
                   {"move/VOR-a1": vor, "move/SEK-a1": sek})
    if expected[1] == "meeting":
        expected = ("S3", *expected[1:])
    assert _battles(outcome) == [expected]


def test_x12_two_invaders() -> None:
    """X12: the higher die and WR meets the defence; an answer may name the other."""
    wars = {"W1": {"aggressor": "PIO", "target": "DER", "began": "987Sp"},
            "W2": {"aggressor": "SEK", "target": "DER", "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=wars, Armies={"SEK-a1": {"node": "S2"}, "DER-a1": {"node": "D4"}})
    lines = ["PIO: invade a1 D2 via P4", "SEK: invade a1 D2 via S2"]
    dice = {"invaders/PIO-a1": "1", "invaders/SEK-a1": "4"}
    first = play(campaign, lines, dice, {"response/D2": ("DER", "levy")})
    assert _battles(first) == [("D2", "levy", "SEK", "DER")]
    assert told(first, "turned_back") == [{"army": "PIO-a1", "node": "D2"}]
    other = play(campaign, lines, dice, {"response/D2": ("DER", "levy invader PIO-a1")})
    assert _battles(other) == [("D2", "levy", "PIO", "DER")]


def test_into_the_fort() -> None:
    """A battle refused; the invader besieges, or goes back where his row says so."""
    inside = {"VOR-a2": {"node": "V3"}, "VOR-a1": {"node": "V5"}, "SEK-a1": {"node": "S3"}}
    campaign = ground("987Su", "invade", Wars=WAR, Armies=inside)
    answer = {"response/V3": ("VOR", "fort")}
    besieged = play(campaign, ["SEK: invadi a1 V3 assedia"], answers=answer)
    siege = row(besieged, "Sieges", "G1")
    assert (siege.besieger, siege.armies_out, siege.armies_in, siege.start_node) == ("SEK", "SEK-a1", "VOR-a2", "S3")
    assert row(besieged, "Armies", "SEK-a1").node == "V3"
    assert row(besieged, "Factions", "VOR").refused_year == 1
    back = play(campaign, ["SEK: invade a1 V3 back"], answers=answer)
    assert list(back.campaign.by_sheet("Sieges")) == []
    assert row(back, "Armies", "SEK-a1").node == "S3"


def test_invading_back() -> None:
    """From the province itself it is a mutual attack; from next door an invasion of the start, and a levy."""
    here = {"VOR-a1": {"node": "V3"}, "SEK-a1": {"node": "S3"}}
    outcome = play(no_fort_war(Armies=here), ["SEK: invade a1 V3"],
                   {"move/VOR-a1": "1+1+1+1", "move/SEK-a1": "6+6+6+6"}, {"response/V3": ("VOR", "contrattacca a1")})
    assert _battles(outcome) == [("S3", "field", "VOR", "SEK")]
    near = {"VOR-a1": {"node": "V2"}, "SEK-a1": {"node": "S1"}, "VOR-a2": {"node": "V3"}}
    asked = play(no_fort_war(Armies=near), ["SEK: invade a1 V2"])
    assert "counter VOR-a1" in asked.questions[0].options


def test_relief_that_is_not_fought() -> None:
    """The besieger lifts the siege: a battle refused, and the relievers are in."""
    siege = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2", "start_node": "S3",
                    "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=WAR, Sieges=siege,
                      Armies={"VOR-a1": {"node": "V5"}, "VOR-a2": {"node": "V3"}, "SEK-a1": {"node": "V3"}})
    outcome = play(campaign, ["VOR: invade a1 V3"], answers={"relief/V3": ("SEK", "lift")})
    assert row(outcome, "Sieges", "G1").how == "lifted"
    assert [row(outcome, "Armies", code).node for code in ("SEK-a1", "VOR-a1")] == ["S3", "V3"]
    assert row(outcome, "Factions", "SEK").refused_season == 1


def test_x16_a_levy_in_winter() -> None:
    """X16: 8 - 2 rolls in Winter, a captain of one WR less, and nothing refused where nobody stands."""
    wars = {"W1": {"aggressor": "PIO", "target": "SEK", "began": "987Wi"}}
    campaign = ground("987Wi", "invade", Wars=wars, Armies={"SEK-a1": {"node": "S3"}})
    outcome = play(campaign, ["PIO: invade a2 S2 via P2"], {"leader_wr/SEK-c2": "5+5"},
                   {"response/S2": ("SEK", "levy")})
    levy = [unit for unit in outcome.campaign.by_sheet("Units") if unit.army == "SEK-l1"]
    assert len(levy) == 6
    assert row(outcome, "Leaders", "SEK-c2").wr == 3
    assert row(outcome, "Factions", "SEK").refused_year == 0
    assert row(outcome, "Battles", "987Wi-1").raid


# --- sieges, morale, winter -------------------------------------------------------------------------
def _siege(dice: dict[str, str], rules: dict[str, str] | None = None, **units: Any) -> Outcome:
    siege = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2", "start_node": "S3",
                    "began": "987Sp"}}
    return play(ground("987Fa", "siege", rules=rules, Wars=WAR, Sieges=siege, Units=units,
                       Armies={"VOR-a2": {"node": "V3"}, "SEK-a1": {"node": "V3"}}), dice=dice)


def test_a_fort_falls() -> None:
    """Without defenders the province is the besieger's, and who commanded inside is captured."""
    calm = {f"siege/SEK-u{n}": "1+1" for n in (1, 2, 3)}
    ground_units = [unit.unit for unit in ground().by_sheet("Units") if unit.army == "VOR-a2"]
    outcome = _siege(calm | {f"siege/{unit}": "6+6" for unit in ground_units},
                     **{unit: {"skills": ""} for unit in ground_units})
    assert row(outcome, "Sieges", "G1").how == "fell"
    assert row(outcome, "Nodes", "V3").owner == "SEK"
    assert row(outcome, "Leaders", "VOR-c1").state == "captured"
    assert row(outcome, "Leaders", "VOR-c1").holder == "SEK"


def test_a_fort_holds() -> None:
    """Without besiegers the siege is over."""
    outcome = _siege({f"siege/SEK-u{n}": "6+6" for n in (1, 2, 3)})
    assert row(outcome, "Sieges", "G1").how == "held"
    assert row(outcome, "Nodes", "V3").owner == "VOR"


@pytest.mark.parametrize(("morale", "winner", "loser", "until", "pays"), [
    ({"VOR": 3, "SEK": 1}, "VOR", "SEK", "989", True), ({"VOR": 1, "SEK": 5}, "SEK", "VOR", "991", True),
    ({"VOR": 2, "SEK": 2}, "VOR", "SEK", "988", False)])
def test_x28_both_break(morale: dict[str, int], winner: str, loser: str, until: str, pays: bool) -> None:
    """X28: the lower total loses for as many years as it is lower; equal totals nobody pays for."""
    campaign = ground("987Su", "will", Wars=WAR, Factions={code: {"morale": n} for code, n in morale.items()})
    outcome = play(campaign, dice={"will/VOR": "6+6", "will/SEK": "6+6"})
    peace = row(outcome, "Peaces", "E1")
    assert (peace.winner, peace.loser, peace.until_year, peace.pays) == (winner, loser, until, pays)
    assert {row(outcome, "Factions", code).unrest for code in morale} == {4}


def test_x27_the_one_always_passes() -> None:
    """X27: against a rating below 0 a 1 still is a success, and a 6 never is."""
    campaign = ground("987Su", "will", Wars=WAR, Factions={"VOR": {"morale": 0, "shaken": 2, "shaken_turn": "987Sp"},
                                                          "SEK": {"morale": 5}})
    outcome = play(campaign, dice={"will/VOR": "1+6", "will/SEK": "5+6"})
    assert (row(outcome, "Factions", "VOR").shaken, row(outcome, "Factions", "SEK").shaken) == (3, 1)
    assert row(outcome, "Factions", "VOR").opposition


@pytest.mark.parametrize(("reputation", "morale", "dice", "state"), [
    (3, "normal", "2+6", "disbanded"), (3, "veteran", "2+6", "active"), (3, "elite", "4+5", "disbanded"),
    (7, "veteran", "4+5", "active"), (1, "veteran", "2+6", "disbanded"), (3, "poor", "1+1", "disbanded"),
    (3, "normal", "1+1", "active")])
def test_x29_disband_or_not(reputation: int, morale: str, dice: str, state: str) -> None:
    """X29: what each row lets stay, and what a great or a poor commander changes."""
    campaign = ground("987Wi", "winter", rules={"winter_nm_checks": "one"}, Units={"VOR-u4": {"morale": morale}},
                      Leaders={"VOR-c1": {"reputation": reputation}})
    answers = {f"keep/{code}": (code, "none") for code in ("VOR", "DER", "PIO", "BAT", "SEK")}
    outcome = play(campaign, dice={"disband/VOR-u4": dice}, answers=answers)
    while not outcome.done and codes(outcome) == []:
        asked = {question.question for question in outcome.questions}
        outcome = play(campaign, dice={"disband/VOR-u4": dice},
                       answers={name: to for name, to in answers.items() if name in asked} | answers)
    assert row(outcome, "Units", "VOR-u4").state == state


def test_x31_a_weapon_is_claimed() -> None:
    """X31: who commands where a weapon lies must bear it."""
    campaign = ground("987Wi", "close", Weapons={"K4": {"state": "placed", "node": "V3"}},
                      Armies={"VOR-a1": {"node": "V3"}, "VOR-a2": {"node": "V2"}})
    outcome = play(campaign)
    assert (row(outcome, "Leaders", "VOR-m1").weapon, row(outcome, "Weapons", "K4").bearer) == ("K4", "VOR-m1")


@pytest.mark.parametrize(("turn", "wars", "unrest", "node", "earned"), [
    ("987Sp", {}, 0, "D1", 7), ("987Sp", {"W1": {"aggressor": "PIO", "target": "DER", "began": "987Sp"}}, 0, "D1", 7),
    ("987Wi", {}, 2, "D4", 0)])
def test_x32_trade(turn: str, wars: Any, unrest: int, node: str, earned: int) -> None:
    """X32: Pole in Spring, at peace and at war, and a plain province in a Winter of unrest."""
    campaign = ground(turn, "trade", Wars=wars, Factions={"DER": {"unrest": unrest}})
    for one in campaign.by_sheet("Nodes"):
        if one.owner == "DER" and one.node != node:
            one.looted_turn = turn
    before = campaign.by_sheet("Factions")["DER"].resources
    outcome = play(campaign, dice={f"trade/{node}": "1+2"})
    assert row(outcome, "Factions", "DER").resources - before == earned


def test_a_nation_without_land_is_out() -> None:
    """Its units, armies, leaders and wars end."""
    land = {"A1": {"owner": "SEK"}, "A2": {"owner": "SEK"}}
    war = {"W1": {"aggressor": "SEK", "target": "ALW", "began": "987Sp"}}
    outcome = play(ground("987Su", "close", Nodes=land, Wars=war))
    assert not row(outcome, "Factions", "ALW").alive
    assert row(outcome, "Wars", "W1").how in ("eliminated", "frontier")
    assert {one.state for one in outcome.campaign.by_sheet("Leaders") if one.faction == "ALW"} == {"gone"}
    assert [one for one in outcome.campaign.by_sheet("Units") if one.faction == "ALW" and one.state == "active"] == []


def test_the_end_of_the_campaign() -> None:
    """The Winter of the last year ends it, with points for everybody."""
    campaign = ground("991Wi", "close")
    outcome = play(campaign)
    assert outcome.campaign.desk.phase == "over"
    (end,) = told(outcome, "campaign_ends")
    assert end["points"]["VOR"] == 3 * 7 + 20 // 10 + 2
    assert end["winners"]


# --- envoys -----------------------------------------------------------------------------------------
def _envoy(stance: str, faces: str, *, rules: dict[str, str] | None = None, answers: Any = None,
           **rows: Any) -> Outcome:
    lines = ["VOR: envoy DER", "DER: envoy BAT", "BAT: envoy DER", "PIO: envoy THU", "SEK: envoy ALW"]
    quiet = {f"stance/{code}": "3" for code in ("DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}
    return play(ground("987Wi", "envoys", rules=rules, **rows), lines,
                quiet | {"stance/VOR": stance, "diplomacy/VOR": faces}, answers)


def test_x33_an_insult_becomes_war() -> None:
    """X33: a Dominating visit that fails insults; next Spring it is war, and free rolls."""
    insulted = _envoy("5", "6+6")
    assert row(insulted, "Relations", "DER/VOR").insult_year == "988"
    assert row(insulted, "Relations", "DER/VOR").target_change == 0
    campaign = ground("988Sp", "call", Relations={"DER/VOR": {"insult_year": "988"}})
    spring = play(campaign, dice={"insult/DER/VOR": "4"})
    plain = play(ground("988Sp", "call"))
    assert _wars(spring) == [("DER", "VOR", "insult")]
    assert row(spring, "Factions", "DER").rolls == row(plain, "Factions", "DER").rolls + 4


def test_a_friendly_visit() -> None:
    """Two successes offer an alliance; refused it is progress, with progress the next one is an alliance."""
    asked = _envoy("1", "1+1")
    assert [question.question for question in asked.questions] == ["alliance/VOR/DER"]
    no = _envoy("1", "1+1", answers={"alliance/VOR/DER": ("DER", "no")})
    assert row(no, "Relations", "VOR/DER").progress
    later = _envoy("1", "6+1", Relations={"VOR/DER": {"progress": True}})
    assert row(later, "Alliances", "VOR/DER").since == "987Wi"
    assert not row(later, "Relations", "VOR/DER").progress


def test_what_the_receiver_hears() -> None:
    """Of a deceiver no more than that he paid his respects, in the words of a fruitless visit."""
    outcome = _envoy("3", "1+1")
    heard = [event for event in outcome.events if event.event == "envoy" and event.audience == "DER"
             and event.data["faction"] == "VOR"]
    assert [event.data for event in heard] == [{"faction": "VOR", "partner": "DER", "how": "respects"}]
    assert [event.roll for event in heard] == [{}]


# --- battles off the table --------------------------------------------------------------------------
def test_x39_a_retreat_by_the_rules() -> None:
    """X39: a beaten side of the rules with half of its units routed orders the retreat where that promises well."""
    battle = {"987Su-1": {"turn": "987Su", "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR",
                          "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3",
                          "starts": "SEK-a1=S3", "status": "open", "played": "auto"}}
    campaign = ground("987Su", "battle", Wars=WAR, Battles=battle, Factions={"VOR": {"role": "npc"}},
                      Units={"VOR-u4": {"skills": "defensive"}, "VOR-u3": {"skills": "defensive"}},
                      Armies={"VOR-a2": {"node": "V3"}})
    n = len([unit for unit in campaign.by_sheet("Units") if unit.army == "VOR-a2"])
    dice = {f"hits/VOR-u{k}": "6" for k in range(1, 6)} | {"leader_hit/VOR-c1": "1"}
    outcome = play(campaign, dice=dice)
    assert outcome.done
    assert n
    fought = row(outcome, "Battles", "987Su-1")
    assert fought.winner in ("attacker", "defender", "draw")
    if fought.winner == "attacker":
        assert fought.retreat == "defender"


def test_delegate_leaves_a_phase_to_the_rules() -> None:
    """A row `delegate` alone; beside other rows it is replaced."""
    outcome = play(ground("987Sp", "recruit", Factions={"VOR": {"rolls": 5}}), ["VOR: delega"])
    assert row(outcome, "Orders", "o1").status == "accepted"
    assert row(outcome, "Factions", "VOR").rolls == 0
    beside = play(ground("987Sp", "recruit", Factions={"VOR": {"rolls": 5}}), ["VOR: delega", "VOR: recruit 1"])
    assert codes(beside, "o1") == ["BLD-007"]
    assert row(beside, "Factions", "VOR").rolls == 4


def test_a_near_army_invades_back() -> None:
    """It enters the invader's start, whose owner is invaded, too; lords defend both provinces."""
    war = {"W1": {"aggressor": "PIO", "target": "DER", "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=war, Armies={"DER-a1": {"node": "D3"}})
    outcome = play(campaign, ["PIO: invade a1 D2"], answers={"response/D2": ("DER", "counter a1")})
    assert _battles(outcome) == [("D2", "levy", "PIO", "DER"), ("P4", "levy", "DER", "PIO")]
    assert row(outcome, "Factions", "PIO").invaded_now
    assert row(outcome, "Battles", "987Su-2").start_node == "D3"


def test_a_siege_is_lifted_and_its_armies_invade() -> None:
    """They return to their start first, and may go on from there."""
    siege = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2", "start_node": "S3",
                    "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=WAR, Sieges=siege,
                      Armies={"VOR-a1": {"node": "V1"}, "VOR-a2": {"node": "V3"}, "SEK-a1": {"node": "V3"}})
    outcome = play(campaign, ["SEK: togli assedio V3", "SEK: invadi a1 V2 da S1"],
                   answers={"response/V2": ("VOR", "levy")})
    assert row(outcome, "Sieges", "G1").how == "lifted"
    assert _battles(outcome) == [("V2", "levy", "SEK", "VOR")]
    assert row(outcome, "Battles", "987Su-1").starts == "SEK-a1=S1"
