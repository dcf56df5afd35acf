"""Who may know what (section 9): every row of the table, and the pairs that must look alike.

A fact is secret from a faction when two campaigns that differ in it alone give that faction the same
view, cell by cell; it is known when the views differ. Nothing is assumed of how a view hides things.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die
from tests.giglio.cases import SEA_NODES, SEA_ROADS, build, case, giglio

ALL = ("V", "M", "P", "")  # two parties, a third, and what everybody may know


def seen(campaign: Campaign, faction: str) -> dict[str, list[tuple[str, dict[str, str]]]]:
    """The view of a faction as texts: sheet -> keys and cells, in the order of the file."""
    view = giglio().view(campaign, faction)
    return {
        sheet: [(key, row.as_text()) for key, row in table.in_file_order()] for sheet, table in view.tables().items()
    }


def knowers(one: Campaign, other: Campaign) -> set[str]:
    """Who of `ALL` can tell the two campaigns apart."""
    return {f for f in ALL if seen(one, f) != seen(other, f)}


SEA: dict[str, Any] = {"factions": "T", "nodes": SEA_NODES, "roads": SEA_ROADS}
EVERYBODY, NOBODY = set(ALL), set[str]()
V_ARMY = "V-1 90 V8 trail=V9 arrived_year=1500 arrived_round=2 arrived_no=1"
BATTLE = (
    "B1500.3.V8 played a {} 20 turn=1500 node=V8 round=3 type=field side_a=M side_b=V armies_a=M-1 armies_b=V-1 "
    "value_a={} value_b=90 status=played"
)
CONTACT = "C1500.3.V8.M-V year=1500 round=3 node=V8 hand=M other=V choice_hand={} choice_other=stop outcome={}"

FACTS: list[tuple[str, dict[str, Any], dict[str, Any], set[str]]] = [
    # what, one campaign, the other, who can tell
    ("owners", {}, {"nodes": "V8 owner=M"}, EVERYBODY),
    ("walls", {}, {"nodes": "V8 walls=intact"}, EVERYBODY),
    ("garrisons", {}, {"nodes": "V8 garrison=yes"}, EVERYBODY),
    ("works", {}, {"works": "V8 V fortify 1501"}, EVERYBODY),
    ("ports", {}, {"nodes": "V8 port=yes"}, EVERYBODY),
    ("bans", {}, {"bans": "V V8 F7 1 2"}, EVERYBODY),
    ("sieges with rounds", {"sieges": "V8 M 1"}, {"sieges": "V8 M 2"}, EVERYBODY),
    ("calendar", {}, {"year": 1501}, EVERYBODY),
    ("order of movement", {}, {"order": "M V F P S"}, EVERYBODY),
    ("name of the Strategos", {}, {"strategos": "V"}, EVERYBODY),
    ("fleets and their nodes", {**SEA, "fleets": "V-F1 Z7"}, {**SEA, "fleets": "V-F1 Z6"}, EVERYBODY),
    ("pending events", {}, {"factions": "V pending_event=3"}, EVERYBODY),
    ("markers on land", {}, {"armies": V_ARMY}, EVERYBODY),
    ("their nodes", {"armies": V_ARMY}, {"armies": V_ARMY.replace("V8", "V0")}, EVERYBODY),
    ("their posture", {"armies": V_ARMY}, {"armies": f"{V_ARMY} posture=shut_in"}, EVERYBODY),
    ("their arrival", {"armies": V_ARMY}, {"armies": V_ARMY.replace("round=2", "round=1")}, EVERYBODY),
    (
        "revealed envoys",
        {"armies": "V-1 0 V8 kind=diplomat"},
        {"armies": "V-1 0 V8 kind=diplomat revealed=yes"},
        EVERYBODY,
    ),
    (
        "winner of a battle",
        {"battles": BATTLE.format(10, 90)},
        {"battles": BATTLE.format(10, 90).replace("played a", "played b")},
        EVERYBODY,
    ),
    (
        "outcome of a meeting",
        {"contacts": CONTACT.format("stop", "stay")},
        {"contacts": CONTACT.format("stop", "battle_hand")},
        EVERYBODY,
    ),
    ("ducats of an army", {"armies": V_ARMY}, {"armies": V_ARMY.replace("90", "20")}, {"V"}),
    ("diplomat or army", {"armies": V_ARMY}, {"armies": V_ARMY.replace("90", "0") + " kind=diplomat"}, {"V"}),
    ("trail", {"armies": V_ARMY}, {"armies": V_ARMY.replace("trail=V9", "trail=V0+V9")}, {"V"}),
    ("dead commander", {"armies": V_ARMY}, {"armies": f"{V_ARMY} leaderless=2"}, {"V"}),
    ("BP over core", {"armies": V_ARMY}, {"armies": f"{V_ARMY} bp_over_core=2"}, {"V"}),
    (
        "the ship that put it ashore",
        {**SEA, "fleets": "V-F1 V0", "armies": V_ARMY},
        {**SEA, "fleets": "V-F1 V0", "armies": f"{V_ARMY} fleet=V-F1"},
        {"V"},
    ),
    (
        "cargo and armies aboard",
        {**SEA, "fleets": "V-F1 Z7"},
        {**SEA, "fleets": "V-F1 Z7 cargo=V-1", "armies": "V-1 90 Z7 posture=aboard fleet=V-F1"},
        {"V"},
    ),
    (
        "which army is aboard",
        {
            **SEA,
            "fleets": "V-F1 Z7 cargo=V-1, V-F2 Z6 cargo=V-2",
            "armies": "V-1 90 Z7 posture=aboard fleet=V-F1, V-2 50 Z6 posture=aboard fleet=V-F2",
        },
        {
            **SEA,
            "fleets": "V-F1 Z7 cargo=V-2, V-F2 Z6 cargo=V-1",
            "armies": "V-2 90 Z7 posture=aboard fleet=V-F1, V-1 50 Z6 posture=aboard fleet=V-F2",
        },
        {"V"},
    ),
    ("chest", {}, {"factions": "V 500"}, {"V"}),
    ("loans", {}, {"loans": "V 1500 10 13"}, {"V"}),
    ("specialists", {}, {"specialists": "V-S1 spy"}, {"V"}),
    ("specialists' fate", {"specialists": "V-S1 spy"}, {"specialists": "V-S1 spy status=dead"}, {"V"}),
    ("orders", {}, {"orders": "V stay V-1"}, {"V"}),
    ("orders in words", {"orders": "V: V8 F7"}, {"orders": "V: V8 V9"}, {"V"}),
    ("objective", {}, {"factions": "V objective=ports"}, {"V"}),
    (
        "its territory",
        {"factions": "V objective=conquer objective_target=M"},
        {"factions": "V objective=conquer objective_target=P"},
        {"V"},
    ),
    ("mail", {}, {"factions": "V mail=a@b.org"}, NOBODY),
    (
        "choices of a contact",
        {"contacts": CONTACT.format("stop", "stay")},
        {"contacts": CONTACT.format("retreat", "stay")},
        {"V", "M"},
    ),
    ("losses of a battle", {"battles": BATTLE.format(10, 90)}, {"battles": BATTLE.format(30, 90)}, {"V", "M"}),
    ("ducats in a battle", {"battles": BATTLE.format(10, 90)}, {"battles": BATTLE.format(10, 50)}, {"M"}),
    ("treaties", {}, {"alliances": "M V 1502"}, {"V", "M"}),
    ("passage, end and terms", {"alliances": "M V 1502"}, {"alliances": "M V 1503 passage=yes terms=x"}, {"V", "M"}),
    ("suspicions", {"alliances": "M V 1502"}, {"alliances": "M V 1502 suspect=V suspect_act=siege"}, NOBODY),
    ("opening figures", {}, {"opening": "V cities=3"}, NOBODY),
]


@pytest.mark.parametrize(("what", "one", "other", "who"), FACTS, ids=[f[0] for f in FACTS])
def test_who_sees_what(what: str, one: dict[str, Any], other: dict[str, Any], who: set[str]) -> None:
    """9: each row of the table: those who may know it can tell, nobody else can."""
    assert knowers(build("r3.move", **one), build("r3.move", **other)) == who, what


def test_garrisons_may_be_hidden() -> None:
    """garrison_public no: only the owner knows."""
    rules = {"garrison_public": "no"}
    one, other = build(rules=rules), build(rules=rules, nodes="V8 garrison=yes")
    assert knowers(one, other) == {"V"}


def test_chests_may_be_open() -> None:
    """money_public yes: all see the chests."""
    rules = {"money_public": "yes"}
    assert knowers(build(rules=rules), build(rules=rules, factions="V 500")) == EVERYBODY


@pytest.mark.parametrize(("public", "audience"), [("yes", "public"), ("no", "M")])
def test_a_hidden_garrison_throws_its_die_in_secret(public: str, audience: str) -> None:
    """4, 9: where garrisons are hidden, the die of an epidemic would tell that there is one, and what became of it."""
    after = case("open", factions="M 10 pending_event=1 pending_node=M4", nodes="M4 site=city garrison=yes",
                 rules={"garrison_public": public}, dice={"epidemic:M4.garrison:1500": 6})
    assert after.row(Die, "epidemic:M4.garrison:1500").audience == audience
    assert after.node("M4").garrison is False


@pytest.mark.parametrize(("rules", "one", "other", "told"), [
    ({}, {}, {"nodes": "V8 garrison=yes"}, True),
    ({}, {}, {"nodes": "V8 walls=damaged"}, True),
    ({}, {}, {"factions": "V 500"}, False),
    ({"garrison_public": "no"}, {}, {"nodes": "V8 garrison=yes"}, False),
    ({"money_public": "yes"}, {}, {"factions": "V 500"}, True),
])
def test_a_report_shows_of_others_what_all_may_see(
    rules: dict[str, str], one: dict[str, Any], other: dict[str, Any], told: bool
) -> None:
    """9: walls and garrisons are for all, and so are chests where the club plays with open ones."""
    def tables(given: dict[str, Any]) -> list[tuple[str, list[list[object]]]]:
        shown = giglio().sightings(giglio().view(build(rules=rules, **given), "P"), "P")
        return [(t.title, [[getattr(row, name) for name in t.fields] for row in t.rows]) for t in shown]
    assert (tables(one) != tables(other)) is told


def test_a_view_is_a_pure_function() -> None:
    """9: the campaign itself is not touched, and twice the same is the same."""
    campaign = build("r3.move", armies=V_ARMY, factions="V 90")
    whole = {sheet: [row.as_text() for row in table] for sheet, table in campaign.tables().items()}
    assert seen(campaign, "P") == seen(campaign, "P")
    assert whole == {sheet: [row.as_text() for row in table] for sheet, table in campaign.tables().items()}
    giglio().view(campaign, "P").table(type(next(iter(campaign.by_sheet("Armies")))))["V-1"].node = "V0"
    assert campaign.by_sheet("Armies")["V-1"].node == "V8"


def test_an_owner_sees_its_own_rows_whole() -> None:
    """9: nothing of one's own is hidden."""
    campaign = build(
        "r3.move", armies=V_ARMY, factions="V 90 objective=ports", specialists="V-S1 spy", orders="V: V8 F7"
    )
    view = seen(campaign, "V")
    for sheet in ("Armies", "Specialists", "Orders"):
        assert view[sheet] == [(k, r.as_text()) for k, r in campaign.by_sheet(sheet).in_file_order()]
    assert dict(view["Factions"])["V"]["treasury"] == "90"


# --- the six pairs ------------------------------------------------------------------------------------
def told_apart(play: str, one: dict[str, Any], other: dict[str, Any], **both: Any) -> set[str]:
    """Who can tell the two campaigns apart after the phases were played."""
    return knowers(case(play, **{**both, **one}).campaign, case(play, **{**both, **other}).campaign)


def test_pair_1_anothers_chest() -> None:
    """Non-interference: another's chest of 0 or 500, through a whole spring."""
    assert told_apart("income budget", {"factions": "V 0"}, {"factions": "V 500"}) == {"V"}


def test_pair_2_army_or_diplomat() -> None:
    """Non-interference: until revealed a diplomat looks like an army on the march and after it."""
    rounds = "r3 r4"
    orders = "r3 V move V-1 V8 F7\nr4 V move V-1 F7 V8"
    same = {"orders": orders, "nodes": "F7 garrison=yes"}
    assert told_apart(rounds, {"armies": "V-1 90 V8"}, {"armies": "V-1 0 V8 kind=diplomat"}, **same) == {"V"}


def test_pair_3_a_losing_bid() -> None:
    """Non-interference: V wins with 30; whether M bid 20, 25 or nothing is known to M alone."""
    both: dict[str, Any] = {"factions": "V 50, M 50"}
    one = {"orders": "V bid 30\nM bid 20"}
    assert told_apart("budget", one, {"orders": "V bid 30\nM bid 25"}, **both) == {"M"}
    assert told_apart("budget", one, {"orders": "V bid 30"}, **both) == {"M"}


def test_pair_3_the_winning_bid() -> None:
    """The Strategos: winner public, prices secret."""
    assert told_apart("budget", {"orders": "V bid 30"}, {"orders": "V bid 40"}, factions="V 50") == {"V"}


def test_pair_4_a_treaty_between_two_others() -> None:
    """Non-interference: a treaty of V and M, made and asked for, is nothing to P."""
    orders = "V ally M passage 1502\nM ally V passage 1502"
    assert told_apart("budget", {}, {"orders": orders}) == {"V", "M"}
    asked = {"orders": "V ally M passage 1502", "answers": "ally_confirm M V = refuse", "findings": "o1 GIG-090"}
    assert told_apart("budget", {}, asked) == {"V", "M"}


def test_pair_4_a_betrayal_between_two_others() -> None:
    """9: suspect and winter rulings: referee, then the parties."""
    dice = {f"event:{f}:1500": 1 for f in "VMFPS"}
    yes, no = ({"answers": f"betrayal referee M/V/M = {word}"} for word in ("yes", "no"))
    assert told_apart("winter", yes, no, dice=dice, alliances="M V 1502 suspect=M") == {"V", "M"}


def test_pair_5_a_spied_army() -> None:
    """Non-interference: a spy's report is its owner's; the spied army and all others learn nothing."""
    both: dict[str, Any] = {
        "armies": "M-1 90 M5, V-1 70 V8 trail=V9",
        "orders": "M move M-1 M5 V8",
        "answers": "choice M V8/V = stop\nchoice V V8/M = stop",
    }
    assert told_apart("r3.move r3.contact", {}, {"specialists": "V-S1 spy"}, **both) == {"V"}


def test_pair_6_a_garrison_from_chest_or_army() -> None:
    """Non-interference: who paid for the garrison is nobody else's business."""
    both: dict[str, Any] = {"factions": "V 50", "armies": "V-1 90 V8"}
    assert told_apart("budget", {"orders": "V garrison V8"}, {"orders": "V garrison V8 V-1"}, **both) == {"V"}


# --- more of the same ------------------------------------------------------------------------------------
def test_events_reach_their_audience_only() -> None:
    """9: a faction's view holds the events for all and those addressed to it, without gaps that tell."""
    after = case("budget", factions="V 500, M 500", orders="V enlist spy\nM enlist spy\nP bid 1", findings="o3 GIG-020")
    for faction in ALL:
        view = giglio().view(after.campaign, faction)
        assert {e.event for e in view.by_sheet("Events")} == {
            e.event for e in after.events() if e.audience == "all" or faction in e.audience.split()
        }


def test_findings_and_questions_are_the_owners() -> None:
    """9: findings of a resolved phase and open questions are seen by whom they concern."""
    bad = {"orders": "V recruit 50 V8", "findings": "o1 GIG-024"}
    assert told_apart("budget", {}, bad, factions="V 500") == {"V"}
    asked = case("open", strategos="V", waits=True).campaign
    assert [q.question for q in giglio().view(asked, "V").by_sheet("Questions")]
    assert not [q.question for q in giglio().view(asked, "P").by_sheet("Questions")]


def test_dice_are_seen_by_their_audience() -> None:
    """4: the assassin's die is its sender's, whether he failed with 2 or 3."""
    both: dict[str, Any] = {
        "armies": "M-1 90 M5",
        "specialists": "V-S1 assassin",
        "orders": "V assassinate V-S1 commander M-1",
    }
    two, three = ({"dice": {"assassin:V-S1:1500:3": n}} for n in (2, 3))
    assert told_apart("r3.move", two, three, **both) == {"V"}


def test_an_assassins_hit_is_seen_by_sender_and_victim() -> None:
    """9: the victim sees the effect, nobody else anything."""
    both: dict[str, Any] = {
        "armies": "M-1 90 M5",
        "specialists": "V-S1 assassin",
        "orders": "V assassinate V-S1 commander M-1",
    }
    miss, hit = ({"dice": {"assassin:V-S1:1500:3": n}} for n in (3, 6))
    assert told_apart("r3.move", miss, hit, **both) == {"V", "M"}
    caught = {"dice": {"assassin:V-S1:1500:3": 1}}
    assert told_apart("r3.move", miss, caught, **both) == EVERYBODY


def test_a_siege_die_is_seen_by_both_sides() -> None:
    """9: all see that the place holds; the die only besieger and owner."""
    both: dict[str, Any] = {
        "factions": "M 200",
        "armies": "M-1 90 V8",
        "nodes": "V8 walls=intact",
        "sieges": "V8 M 1",
        "answers": "bribe M V8 = 0",
    }
    one, two = ({"dice": {"siege:V8:1500:4": n}} for n in (1, 2))
    assert told_apart("r4.siege", one, two, **both) == {"V", "M"}


def test_bribe_ducats_are_the_besiegers_the_points_the_owners_too() -> None:
    """9: the other sees the +n: 50 or 60 ducats look alike to the owner, 50 and 75 do not."""
    both: dict[str, Any] = {
        "factions": "M 200",
        "armies": "M-1 90 V8",
        "nodes": "V8 walls=intact",
        "sieges": "V8 M 1",
        "dice": {"siege:V8:1500:4": 1},
    }
    fifty, sixty, more = ({"answers": f"bribe M V8 = {n}"} for n in (50, 60, 75))
    sixty["findings"] = "1500.r4.siege.bribe.M.V8 GIG-102"
    assert told_apart("r4.siege", fifty, sixty, **both) == {"M"}
    assert told_apart("r4.siege", fifty, more, **both) == {"V", "M"}


def test_companies_lost_to_an_epidemic_are_the_owners() -> None:
    """9: the place is public, the losses are not."""
    both: dict[str, Any] = {
        "factions": "V pending_event=1 pending_node=V0",
        "armies": "V-1 80 V0",
        "strategos": "M",
        "nodes": "V0 garrison=no",
        "answers": "move_order M = V M F P S\ncompanies V V-1 = 40 40",
    }
    one = {"dice": {"epidemic:V-1.1:1500": 1, "epidemic:V-1.2:1500": 1}}
    two = {"dice": {"epidemic:V-1.1:1500": 6, "epidemic:V-1.2:1500": 1}}
    assert told_apart("open", one, two, **both) == {"V"}


def test_a_transfer_is_the_owners() -> None:
    """9: two markers stay two markers."""
    both: dict[str, Any] = {"armies": "V-1 90 V8, V-2 50 V8"}
    assert told_apart("r3.move", {}, {"orders": "V transfer 10 V-1 V-2"}, **both) == {"V"}


def test_losses_of_a_siege_are_the_besiegers() -> None:
    """9: the ducats of an army are its owner's."""
    both: dict[str, Any] = {
        "factions": "M 200",
        "armies": "M-1 90 V8",
        "nodes": "V8 walls=intact",
        "sieges": "V8 M 1",
        "answers": "bribe M V8 = 0",
        "dice": {"siege:V8:1500:4": 1},
    }
    assert told_apart("r4.siege", {}, {"rules": {"siege_loss": 5}}, **both) - EVERYBODY == set()
    one = case("r4.siege", **both).campaign
    assert "siege.wear" not in str(seen(one, "V")["Events"])


def test_what_a_spy_told_is_never_updated() -> None:
    """9: a spy's report is dated; V does not see that M-1 has fewer men later."""
    both: dict[str, Any] = {
        "armies": "M-1 90 M5, M-2 30 M5, V-1 70 V8 trail=V9",
        "specialists": "V-S1 spy",
        "answers": "r3.contact choice M V8/V = stop\nr3.contact choice V V8/M = retreat",
    }
    orders = "r3 M move M-1 M5 V8\n{}"
    later = told_apart(
        "r3 r4.move", {"orders": orders.format("")}, {"orders": orders.format("r4 M split 40 M-1")}, **both
    )
    assert "M" in later
    one = seen(case("r3 r4.move", orders=orders.format(""), **both).campaign, "V")
    assert "90" in str([e for e in one["Events"] if "spy.report" in str(e)])
