"""Where rules of the book meet: what two of them say of one army, one commander, one war."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import REFEREE
from assistant.rulesets.bloodlust.records import Army, Unit
from assistant.turn.phases import Outcome
from tests.bloodlust.scenario import BLOODLUST, codes, ground, play, row, told

WAR = {"W1": {"aggressor": "VOR", "target": "SEK", "began": "987Sp"}}
SIEGE = {"G1": {"node": "V3", "besieger": "SEK", "armies_out": "SEK-a1", "armies_in": "VOR-a2", "start_node": "S3",
                "began": "987Sp"}}
CALM = {f"war/{code}": "6+6" for code in ("VOR", "DER", "PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}


def fights(outcome: Outcome) -> list[tuple[str, str, str]]:
    """Each battle: where, of which kind, and who attacks."""
    return [(one.node, one.kind, one.attacker) for one in outcome.campaign.by_sheet("Battles")]


# --- organising -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "code", "rows"), [
    ("VOR: join u4 a1", "BLD-022", {}),
    ("VOR: join u4 a0", "BLD-023", {"Armies": {"VOR-a0": {"node": "V3"}}}),
    ("VOR: lead c1 a1", "BLD-023", {"Leaders": {"VOR-c1": {"state": "wounded", "until_turn": "988Sp"}}}),
    ("VOR: lead m1 a2", "BLD-023", {"Leaders": {"VOR-m1": {"state": "wounded", "until_turn": "988Sp"}}})])
def test_what_is_refused_first(line: str, code: str, rows: dict[str, Any]) -> None:
    """Of an army in a siege: first that units are elsewhere, then the siege, then the wounded commander."""
    assert codes(play(ground("987Su", "muster", Wars=WAR, Sieges=SIEGE, **rows), [line]), "o1") == [code]


@pytest.mark.parametrize("leaves", [[], ["VOR: comanda m1 a2"]])
def test_a_refused_row_replaces_nothing(leaves: list[str]) -> None:
    """Who is told to go home goes, though a later row that cannot be wants the unit to forage (BLD-025), be it that
    the commander is not there, or that he rides away first.
    """
    there = {} if leaves else {"Leaders": {"VOR-m1": {"army": ""}}}
    outcome = play(ground("987Sp", "muster", **there), ["VOR: congeda u1", "VOR: foraggia u1 u2", *leaves])
    assert (codes(outcome, "o1"), codes(outcome, "o2")) == ([], ["BLD-025"])
    assert [row(outcome, "Units", f"VOR-u{n}").state for n in (1, 2)] == ["disbanded", "active"]


@pytest.mark.parametrize(("rank", "state"), [("hero", "gone"), ("captain", "active")])
def test_an_army_without_units_needs_a_commander(rank: str, state: str) -> None:
    """An empty field army that only a hero is with goes; he serves on, as does a lord's captain who came home once."""
    leaders = {"VOR-h1": {"faction": "VOR", "rank": rank, "army": "VOR-a9", "levy": rank == "captain"}}
    army = {"VOR-a9": {"faction": "VOR", "kind": "field", "node": "V4"}}
    outcome = play(ground("987Su", "muster", Armies=army, Leaders=leaders))
    assert row(outcome, "Armies", "VOR-a9").state == state
    outcome = play(ground("987Su", "battle", Armies=army, Leaders=leaders))
    assert [row(outcome, "Armies", "VOR-a9").state, row(outcome, "Leaders", "VOR-h1").state] == ["gone", "active"]


def test_who_has_gone_home_does_not_hold_up_the_others() -> None:
    """A row that names a unit which an earlier one sends home stands for the other."""
    outcome = play(ground("987Sp", "muster"), ["VOR: congeda u1", "VOR: unisci u1..u2 a2"])
    assert codes(outcome) == []
    assert [row(outcome, "Units", f"VOR-u{n}").army for n in (1, 2)] == ["VOR-a1", "VOR-a2"]


def test_who_owes_nothing_does_not_forage() -> None:
    """Foraging stands instead of paying: without anything to pay it brings nothing (BLD-026)."""
    outcome = play(ground("987Fa", "muster"), ["VOR: foraggia u1"])
    assert codes(outcome, "o1") == ["BLD-026"]
    assert row(outcome, "Factions", "VOR").resources == 20
    assert [roll.key for roll in outcome.rolls] == []


def test_the_reserve_stays_at_the_seat() -> None:
    """A nation of the rules whose marshal is with the Reserve musters in its field army, at the frontier in war."""
    war = {"W1": {"aggressor": "GAD", "target": "VOR", "began": "987Sp"}}
    outcome = play(ground("987Sp", "muster", Wars=war, Leaders={"GAD-m1": {"army": "GAD-a0"}}))
    assert [row(outcome, "Armies", code).node for code in ("GAD-a0", "GAD-a1")] == ["G1", "G2"]
    assert row(outcome, "Leaders", "GAD-m1").army == "GAD-a1"


# --- recruiting -------------------------------------------------------------------------------------
def test_the_limit_of_bought_rolls_is_everybodys() -> None:
    """`buy_rr_cap` one: a nation of the rules at war buys no more than a club might."""
    war = {"W1": {"aggressor": "GAD", "target": "VOR", "began": "987Sp"}}
    outcome = play(ground("987Sp", "recruit", {"buy_rr_cap": "one"}, Wars=war, Factions={"GAD": {"resources": 9}}))
    assert row(outcome, "Factions", "GAD").bought == 1


def test_captains_and_mercenaries_that_cannot_be_had() -> None:
    """BLD-011 beyond the limit of captains; BLD-083 where the mercenaries have no table, and no roll is spent."""
    limited = play(ground("987Sp", "recruit", rules={"captain_limit": 1}), ["VOR: capitano 3"])
    assert (codes(limited, "o1"), row(limited, "Factions", "VOR").resources) == (["BLD-011"], 19)
    campaign = ground("987Su", "recruit", Factions={"VOR": {"rolls": 4}})
    for n in range(1, 7):
        campaign.by_sheet("Recruits").remove(f"MER/{n}")
    outcome = play(campaign, ["VOR: mercenari 2"])
    assert (codes(outcome, "o1"), row(outcome, "Factions", "VOR").rolls) == (["BLD-083"], 4)


@pytest.mark.slow
@pytest.mark.parametrize(("wanted", "least", "kept"), [(12, 13, ""), (9, 2, "courage minor_weapon lucky")])
def test_attributes_end_when_the_tables_do(wanted: int, least: int, kept: str) -> None:
    """A captain who has all that his throws can give throws no more; Lucky is Larger than Life for him."""
    campaign = ground("987Fa", "recruit", rules={"ma_strength_from": least, "attributes_captain": wanted})
    for one in campaign.by_sheet("Attributes"):
        if kept and one.code not in kept.split():
            one.code = ""
    outcome = play(campaign, ["VOR: capitano"], answers={"strength/VOR-c2": ("VOR", "courage")})
    captain = row(outcome, "Leaders", "VOR-c2")
    weapon = row(outcome, "Weapons", captain.weapon).attributes if captain.weapon else ""
    has = {*captain.attributes.split(), *weapon.split()}
    assert has == {"courage", "logistic", "larger_than_life"} if kept else len(has) == 11


# --- war --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("rumours", "war"), [("", False), ("987", True)])
def test_a_threat_weighs_on_the_war_rating(rumours: str, war: bool) -> None:
    """`intimidate_use` war_die: a threat takes one from the rating; a deceiver's -1 stays on the target's die."""
    feeling = {"SEK/VOR": {"hates": True, "target_change": -1, "target_until": "987", "deceit_until": rumours}}
    outcome = play(ground("987Sp", "war", rules={"intimidate_use": "war_die"}, Relations=feeling), ["SEK: war VOR"],
                   CALM | {"war/SEK": "5+5"})
    assert bool(list(outcome.campaign.by_sheet("Wars"))) is war


# --- invasions --------------------------------------------------------------------------------------
TWO = {"Leaders": {"SEK-c1": {"army": "SEK-a2"}}, "Units": {"SEK-u3": {"army": "SEK-a2"}}}


def entering(*lines: str, answers: Any = None, dice: Any = None, node: str = "S1", **armies: str) -> Outcome:
    """Two armies of SEK at war with VOR, whose armies stand in V2 and V3."""
    at: dict[str, Any] = {"VOR-a1": {"node": armies.get("a1", "V2")}, "VOR-a2": {"node": "V3"},
                          "SEK-a2": {"faction": "SEK", "node": node}}
    return play(ground("987Su", "invade", Wars=WAR, Armies=at, **TWO), lines, dice, answers)


def test_an_army_fights_once() -> None:
    """Of two pairs that attack each other's start the first battle takes all who go the same way."""
    outcome = entering("VOR: invade a1 S3", "VOR: invade a2 S3", "SEK: invade a1 V3", "SEK: invade a2 V3", node="S3",
                       a1="V3", dice={"move/VOR-a1": "1+1+1+1", "move/SEK-a1": "6+6+6+6"})
    assert fights(outcome) == [("S3", "field", "VOR"), ("V3", "levy", "SEK")]
    first = row(outcome, "Battles", "987Su-1")
    assert (first.attacker_armies, first.defender_armies) == ("VOR-a1 VOR-a2", "SEK-a1")


@pytest.mark.parametrize("answer", ["fight", "contrattacca a2"])
def test_who_was_called_next_door_is_gone(answer: str) -> None:
    """BLD-051: an army that was named for one province does not stand in its own any more."""
    outcome = entering("SEK: invade a1 V3", "SEK: invade a2 V2",
                       answers={"response/V2": ("VOR", "fight a2"), "response/V3": ("VOR", answer)})
    assert codes(outcome) == ["BLD-051"]
    assert [fight[:2] for fight in fights(outcome)] == [("V2", "field"), ("V3", "levy")]


def test_the_whole_side_is_caught_at_its_start() -> None:
    """Who invades back from the province itself, and is the quicker, meets all of the side that set out from there."""
    outcome = entering("SEK: invade a1 V3 via S3", "SEK: invade a2 V3", node="S3", answers={
        "response/V3": ("VOR", "counter a1")}, a1="V3", dice={"move/VOR-a1": "1+1+1+1", "move/SEK-a1": "6+6+6+6"})
    assert fights(outcome) == [("S3", "field", "VOR")]
    assert row(outcome, "Battles", "987Su-1").defender_armies == "SEK-a1 SEK-a2"


@pytest.mark.parametrize(("place", "allied", "armies", "kind"), [
    ("V2", False, "PIO-a1", "levy"), ("V2", True, "PIO-a1 VOR-a1", "levy"), ("V3", False, "PIO-a1", "field"),
    ("V3", True, "PIO-a1", "field")])
def test_who_invades_back_where_others_invade(place: str, allied: bool, armies: str, kind: str) -> None:
    """One battle a province: with allies who come there, too, he fights beside them, else he is turned back, and
    fights where he stands.
    """
    rows: dict[str, Any] = {"Alliances": {"VOR/PIO": {"since": "986Wi"}}} if allied else {}
    war = {"W2": {"aggressor": "PIO", "target": "SEK", "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=WAR | war, Roads={"S3/V2": {}, "P2/S3": {}}, **rows, Armies={
        "VOR-a1": {"node": place}, "VOR-a2": {"node": "V6"}, "PIO-a1": {"node": "P2"}})
    outcome = play(campaign, ["SEK: invade a1 V3", "PIO: invade a1 S3"], answers={
        "response/V3": ("VOR", "counter a1"), "response/S3": ("SEK", "levy")})
    assert [fight[:2] for fight in fights(outcome)] == [("S3", "levy"), ("V3", kind)]
    assert row(outcome, "Battles", "987Su-1").attacker_armies == armies
    assert [event["army"] for event in told(outcome, "turned_back")] == (["VOR-a1"] if armies == "PIO-a1" else [])


def test_the_other_invader_is_met_by_name_alone() -> None:
    """X12: `invader PIO-a1` without more leaves the rest at the default."""
    wars = {"W1": {"aggressor": "PIO", "target": "DER", "began": "987Sp"},
            "W2": {"aggressor": "SEK", "target": "DER", "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=wars, Armies={"SEK-a1": {"node": "S2"}, "DER-a1": {"node": "D4"}})
    outcome = play(campaign, ["PIO: invade a1 D2 via P4", "SEK: invade a1 D2 via S2"],
                   {"invaders/PIO-a1": "1", "invaders/SEK-a1": "4"}, {"response/D2": ("DER", "invasore PIO-a1")})
    assert fights(outcome) == [("D2", "levy", "PIO")]


def test_who_leaves_goes_where_nobody_invades() -> None:
    """Of the places that are not invaded the one nearest to the capital, though another comes first by name."""
    roads: dict[str, Any] = {road: {} for road in ("V0/V5", "V0/V6", "S3/V1", "S3/V5")}
    campaign = ground("987Su", "invade", Wars=WAR, Roads=roads, Nodes={
        "V0": {"owner": "VOR", "home": "VOR"}, "V3": {"owner": "DER"}}, Armies={
        "VOR-a1": {"node": "V5"}, "SEK-a2": {"faction": "SEK", "node": "S3"}}, **TWO)
    outcome = play(campaign, ["SEK: invade a1 V5", "SEK: invade a2 V1"], answers={
        "response/V5": ("VOR", "levy"), "response/V1": ("VOR", "levy")})
    assert row(outcome, "Armies", "VOR-a1").node == "V7"


def test_an_ally_defends_the_start() -> None:
    """Who invades back from next door meets all who stand there, allies of the invader, too."""
    war = {"W1": {"aggressor": "PIO", "target": "DER", "began": "987Sp"}}
    campaign = ground("987Su", "invade", Wars=war, Alliances={"PIO/THU": {"since": "986Wi"}},
                      Armies={"DER-a1": {"node": "D3"}, "THU-a1": {"node": "P4"}})
    outcome = play(campaign, ["PIO: invade a1 D2"], answers={"response/D2": ("DER", "counter a1")})
    assert fights(outcome) == [("D2", "levy", "PIO"), ("P4", "field", "DER")]


# --- battles ----------------------------------------------------------------------------------------
def fought(dice: Any = None, rules: Any = None, turn: str = "987Su", rows: Any = None, **fields: Any) -> Outcome:
    """A battle that SEK-a1 has won in V3, or otherwise."""
    battle = {"turn": turn, "node": "V3", "kind": "field", "attacker": "SEK", "defender": "VOR", "winner": "attacker",
              "attacker_armies": "SEK-a1", "defender_armies": "VOR-a2", "start_node": "S3", "starts": "SEK-a1=S3",
              "status": "open"} | fields
    return play(ground(turn, "battle", rules=rules, Battles={f"{turn}-1": battle},
                       **{"Wars": WAR, "Armies": {"VOR-a2": {"node": "V3"}}} | (rows or {})), dice=dice)


def test_nobody_is_driven_from_a_raided_province() -> None:
    """After a retreat with one success the Elite stay where the raid was."""
    outcome = fought({"retreat/SEK-a1": "1+1+6+6"}, turn="987Wi", attacker="PIO", defender="SEK", node="S1", raid=True,
                     attacker_armies="PIO-a2", defender_armies="SEK-a1", start_node="P2", starts="PIO-a2=P2",
                     retreat="defender", rows={"Armies": {"SEK-a1": {"node": "S1"}}, "Units": {
                         "SEK-u1": {"morale": "elite"}}})
    assert [(row(outcome, "Units", f"SEK-u{n}").state, row(outcome, "Units", f"SEK-u{n}").army) for n in (1, 2)] == [
        ("active", "SEK-a1"), ("disbanded", "SEK-a1")]
    assert row(outcome, "Armies", "SEK-a1").node == "S1"


def test_relieved_besiegers_go_where_this_siege_began() -> None:
    """Not where an earlier siege of the same fort was begun from."""
    sieges = {"G1": SIEGE["G1"] | {"start_node": "S1", "ended": "986Fa", "how": "lifted"}, "G2": SIEGE["G1"]}
    outcome = fought(kind="relief", attacker="VOR", defender="SEK", attacker_armies="VOR-a1", defender_armies="SEK-a1",
                     starts="VOR-a1=V5", start_node="V5", rows={"Sieges": sieges, "Armies": {
                         "SEK-a1": {"node": "V3"}, "VOR-a2": {"node": "V3"}}})
    assert row(outcome, "Sieges", "G2").how == "relieved"
    assert [row(outcome, "Armies", code).node for code in ("SEK-a1", "VOR-a1")] == ["S3", "V3"]


def test_hits_on_the_upper_edge_destroy() -> None:
    """`recovery_boundary` higher: three times the REP destroys, and the form says so (BLD-066)."""
    hit = {"BattleUnits": {"987Su-1/VOR-u4": {"hits": 9}}, "Armies": {"VOR-a2": {"node": "V3"}}}
    outcome = fought(rules={"recovery_boundary": "higher"}, rows=hit)
    assert "BLD-066" in codes(outcome)
    assert row(outcome, "Units", "VOR-u4").state == "lost"
    assert "BLD-066" not in codes(fought(rows=hit))


def test_a_battle_without_starts() -> None:
    """Where a row names only the start of the battle, the beaten attackers go back there."""
    outcome = fought(winner="defender", starts="")
    assert row(outcome, "Armies", "SEK-a1").node == "S3"


# --- peace and the close ----------------------------------------------------------------------------
@pytest.mark.parametrize(("before", "after"), [("no", "yes"), ("yes", "no")])
def test_a_friendly_visit_to_an_ally(before: str, after: str) -> None:
    """It leaves the marker of progress like any other, or uses it up; the alliance goes on."""
    rows = {"Alliances": {"VOR/DER": {"since": "987Sp"}}, "Relations": {"VOR/DER": {"progress": before}}}
    dice = {f"stance/{code.removeprefix('war/')}": "3" for code in CALM} | {"stance/VOR": "1", "diplomacy/VOR": "1+1"}
    outcome = play(ground("987Wi", "envoys", **rows), ["VOR: inviato DER", "DER: inviato BAT"], dice)
    assert row(outcome, "Relations", "VOR/DER").as_text()["progress"] == after
    assert row(outcome, "Alliances", "VOR/DER").ended == ""


def test_two_who_dominate_each_other_make_one_peace() -> None:
    """All visits are judged on the state before: the second envoy finds the war ended, and brings no tribute."""
    table = {one.row: {"dominating": 0} for one in ground().by_sheet("EnvoyTable")}
    war = {"W1": {"aggressor": "DER", "target": "VOR", "began": "987Sp"}}
    lines = ["VOR: envoy DER", "DER: envoy VOR", "BAT: envoy DER", "PIO: envoy THU", "SEK: envoy ALW"]
    dice = {f"stance/{code}": "3" for code in ("PIO", "THU", "BAT", "GAD", "SEK", "HYS", "ALW")}
    for code in ("VOR", "DER"):
        dice |= {f"stance/{code}": "5", f"diplomacy/{code}": "1+1"}
    outcome = play(ground("987Wi", "envoys", Wars=war, EnvoyTable=table), lines, dice)
    assert [peace.winner for peace in outcome.campaign.by_sheet("Peaces")] == ["VOR"]
    assert [one.ident for one in outcome.campaign.by_sheet("Relations") if one.tribute_until] == []
    assert (len(told(outcome, "enforced_peace")), told(outcome, "disaster")) == (1, [])


def test_how_a_war_ends_that_has_no_frontier() -> None:
    """`eliminated` with a nation that has no land left, whose captives go home; `frontier` between two that have."""
    land = {"A1": {"owner": "SEK"}, "A2": {"owner": "SEK"}}
    wars = {"W1": {"aggressor": "SEK", "target": "ALW", "began": "987Sp"},
            "W2": {"aggressor": "VOR", "target": "HYS", "began": "987Sp"}}
    outcome = play(ground("987Su", "close", Nodes=land, Wars=wars, Leaders={
        "VOR-m1": {"state": "captured", "holder": "ALW", "army": ""}}))
    assert [row(outcome, "Wars", code).how for code in wars] == ["eliminated", "frontier"]
    assert row(outcome, "Leaders", "VOR-m1").state == "active"


def test_who_must_bear_a_weapon() -> None:
    """The highest WR, then the first id; a reputation counts nothing."""
    siege = {"G1": SIEGE["G1"] | {"armies_in": ""}}
    outcome = play(ground("987Su", "close", Wars=WAR, Sieges=siege, Weapons={"K4": {"state": "placed", "node": "V3"}},
                          Armies={"VOR-a1": {"node": "V3"}, "VOR-a2": {"node": "V1"}, "SEK-a1": {"node": "V3"}},
                          Leaders={"VOR-m1": {"reputation": 7}}))
    assert row(outcome, "Weapons", "K4").bearer == "SEK-m1"
    famous = play(ground("987Su", "close", Leaders={"VOR-m1": {"reputation": 7}},
                         Weapons={"K5": {"state": "placed", "node": "V5"}}))
    assert (row(famous, "Weapons", "K5").bearer, row(famous, "Leaders", "VOR-m1").reputation) == ("VOR-m1", 7)


# --- folders in Italian -----------------------------------------------------------------------------
def test_interests_and_keys_in_the_words_of_a_folder() -> None:
    """`conquista` is an interest, too; a rule's key may carry the book's name; the Reserve has a name in
    each language.
    """
    campaign = ground("987Su", "siege", rules={"bloodlust.desert_dice": 1}, Factions={
        "VOR": {"interests": "Conquista, bottino"}})
    assert BLOODLUST.rules(campaign)["desert_dice"] == 1
    assert campaign.by_sheet("Rules").keys_in_file_order() == ["desert_dice"]
    nation: Any = campaign.by_sheet("Factions")["VOR"]
    assert [nation.wants(one) for one in ("conquest", "colonizing", "loot")] == [True, False, True]
    campaign.by_sheet("Armies").remove("VOR-a0")
    BLOODLUST.prepare(campaign)
    reserve: Any = campaign.by_sheet("Armies")["VOR-a0"]
    assert [reserve.name_in(lang) for lang in ("en", "it")] == ["Reserve", "Riserva"]


def test_what_a_folder_leaves_out() -> None:
    """A unit without an army stands in the Reserve; a weapon is borne where either row says so; a commander in
    another nation's army is found (BLD-084).
    """
    campaign = ground(Units={"VOR-u1": {"army": ""}}, Leaders={"VOR-m1": {"weapon": "K5"}, "PIO-m1": {"weapon": ""}},
                      Weapons={"K1": {"state": "unplaced"}, "K3": {"state": "unplaced"}})
    assert campaign.by_sheet("Units")["VOR-u1"].as_text()["army"] == "VOR-a0"
    assert campaign.by_sheet("Weapons")["K5"].as_text()["bearer"] == "VOR-m1"
    assert campaign.by_sheet("Leaders")["PIO-m1"].as_text()["weapon"] == "K1"
    states = [campaign.by_sheet("Weapons")[code].as_text()["state"] for code in ("K1", "K3", "K4")]
    assert states == ["borne", "placed", "unplaced"]
    assert [finding.code for finding in BLOODLUST.check_data(campaign)] == []
    strayed = BLOODLUST.check_data(ground(Leaders={"VOR-m1": {"army": "SEK-a1"}}))
    assert [(one.code, one.where.row) for one in strayed] == [("BLD-084", "VOR-m1")]


def test_what_somebody_has_cleared() -> None:
    """A morale that was cleared is at rest again; a reputation is the commander's WR."""
    campaign = ground("987Su", "will", Wars=WAR)
    setattr(campaign.by_sheet("Factions")["VOR"], "morale", None)  # noqa: B010
    setattr(campaign.by_sheet("Leaders")["VOR-m1"], "reputation", None)  # noqa: B010
    outcome = play(campaign, dice={"will/VOR": "1+1", "will/SEK": "1+1"})
    assert (row(outcome, "Factions", "VOR").morale, row(outcome, "Leaders", "VOR-m1").reputation) == (4, 4)


@pytest.mark.parametrize(("sheet", "heading", "field"), [
    ("Factions", "Nazione", "faction"), ("Armies", "Nazione", "faction"), ("Armies", "Provincia", "node"),
    ("Battles", "Provincia", "node"), ("Nodes", "A", "lost_by")])
def test_headings_that_the_book_has_otherwise(sheet: str, heading: str, field: str) -> None:
    """A folder may be headed with the book's own Italian words where the shared sheets have others."""
    column = next(column for column in BLOODLUST.record(sheet).columns() if column.name == field)
    assert heading.casefold() in {name.casefold() for name in (column.it, *column.alias)}


def test_what_a_club_sees_of_others() -> None:
    """Armies that stand somewhere with so many units, and commanders; no army that is gone, no unit of theirs."""
    campaign = ground("987Su", "siege", Armies={"SEK-l1": {"faction": "SEK", "node": "S1", "state": "gone"}})
    outcome = play(ground("987Fa", "will", Units={"SEK-u3": {"state": "lost"}}))
    assert [row(outcome, "Armies", code).units for code in ("SEK-a1", "SEK-a0")] == [2, 0]
    tables: Any = BLOODLUST.sightings(BLOODLUST.view(campaign, "VOR"), "VOR")
    armies, leaders = ([one for one in table.rows if one.faction == "SEK"] for table in tables)
    assert [(army.army, army.units) for army in armies] == [("SEK-a1", 3)]
    assert [leader.leader for leader in leaders] == ["SEK-c1", "SEK-m1"]


def test_names_are_in_the_readers_language() -> None:
    """A unit that is called as its table prints it goes by the table's Italian for Italian readers, one with a name of
    its own keeps it; so do armies, commanders and weapons of the scenario.
    """
    campaign = ground(Units={"VOR-u1": {"name": "Legio IX", "name_it": ""}})
    for lang, said in (("en", ["Legio IX", "Legionaries", "First Army", "Yshara the Red", "Hailcaller"]),
                       ("it", ["Legio IX", "Legionari", "Prima Armata", "Yshara la Rossa", "Chiamagrandine"])):
        rows: list[Any] = [campaign.by_sheet(sheet)[code] for sheet, code in (
            ("Units", "VOR-u1"), ("Units", "VOR-u2"), ("Armies", "VOR-a1"), ("Leaders", "SEK-m1"), ("Weapons", "K1"))]
        assert [row.name_in(lang) for row in rows] == said


def test_a_campaign_with_one_name_for_all_readers_names_new_units_in_its_own_language() -> None:
    """One that began before there were Italian names besides: its next unit has no second name, either."""
    campaign = ground("987Sp", "recruit", Factions={"VOR": {"rolls": 1}})
    for army in campaign.table(Army):
        army.name_it = ""
    old = row(play(campaign, ["VOR: arruola 1"], {"recruit/VOR/1": "5"}), "Units", "VOR-u5")
    new = row(play(ground("987Sp", "recruit", Factions={"VOR": {"rolls": 1}}), ["VOR: arruola 1"],
                   {"recruit/VOR/1": "5"}), "Units", "VOR-u5")
    assert [(one.name, one.name_it) for one in (old, new)] == [("Genieri", ""), ("Engineers", "Genieri")]


# --- maps -------------------------------------------------------------------------------------------
def test_an_own_army_without_units_is_empty_on_the_map_and_not_unknown() -> None:
    """Of one's own Reserve, and to the referee of everybody's, no unit is none; of others nobody knows how many."""
    campaign = ground()
    for unit in campaign.table(Unit).where(lambda unit: unit.army == "GAD-a0"):
        unit.army = ""
    for faction, strength in (("GAD", "0"), (REFEREE, "0"), ("VOR", "")):
        view = BLOODLUST.view(campaign, faction) if faction != REFEREE else campaign
        found = [look.strength for look in BLOODLUST.looks.standing(BLOODLUST.game(view), faction)
                 if look.code == "GAD-a0"]
        assert found == [strength], faction
