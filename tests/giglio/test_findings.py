"""Every finding, provoked once at least, and the order in which checks speak (section 5)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.wording import Wording
from tests.giglio.cases import BESIEGED, SEA_NODES, SEA_ROADS, After, build, case, giglio

SEA: dict[str, Any] = {"factions": "T, V 500 fleet_cap=2", "nodes": SEA_NODES, "roads": f"{SEA_ROADS}, Z6 S5 coast"}
RICH: dict[str, Any] = {"factions": "V 500 fleet_cap=2"}


def refused(code: str, play: str, order: str, **given: Any) -> After:
    """The one order is refused with that code, and nothing changes."""
    after = case(play, orders=order, findings=f"o1 {code}", **given)
    assert after.statuses["o1"] == "refused"
    assert after.unchanged_except()
    return after


BUDGET: list[tuple[str, str, dict[str, Any]]] = [
    # code, order, what is given
    ("GIG-001", "V storm target=V8", {}),
    ("GIG-002", "V move V-1 V8 F7", {"armies": "V-1 90 V8"}),
    ("GIG-002", "V siege V-1 V8", {"armies": "V-1 90 V8"}),
    ("GIG-003", "V recruit 50 V0 V-7", {}),
    ("GIG-004", "V recruit 50 V0 M-1", {"armies": "M-1 90 M5"}),
    ("GIG-005", "V recruit 50 V99", {}),
    ("GIG-005", "V fortify V99", {}),
    ("GIG-005", "V fleet X1", {}),
    ("GIG-005", "V garrison X1", {}),
    ("GIG-007", "V loan 0", {}),
    ("GIG-007", "V loan -5", {}),
    ("GIG-007", "V loan 12.5", {}),
    ("GIG-007", "V loan", {}),
    ("GIG-007", "V recruit many V0", {}),
    ("GIG-007", "V bid 0", {}),
    ("GIG-007", "V pay M 0", {}),
    ("GIG-007", "V ally M no_passage 0", {}),
    ("GIG-010", "V pay X 10", {}),
    ("GIG-010", "V pay V 10", {}),
    ("GIG-010", "V pay N 10", {}),
    ("GIG-010", "V ally N no_passage 1502", {}),
    ("GIG-010", "V dissolve X", {}),
    ("GIG-020", "V recruit 501 V0", {}),
    ("GIG-020", "V bid 501", {}),
    ("GIG-020", "V pay M 501", {}),
    ("GIG-020", "V enlist spy", {"factions": "V 49"}),
    ("GIG-020", "V enlist diplomat V0", {"factions": "V 34"}),
    ("GIG-020", "V fleet V0", {"factions": "V 74 fleet_cap=2"}),
    ("GIG-020", "V fortify V8", {"factions": "V 49"}),
    ("GIG-020", "V repair V8", {"factions": "V 29", "nodes": "V8 walls=damaged"}),
    ("GIG-020", "V garrison V8", {"factions": "V 9"}),
    ("GIG-021", "V loan 21", {}),
    ("GIG-022", "V loan 10", {"loans": "V 1500 10 13"}),
    ("GIG-022", "V loan 10", {"loans": "V 1499 10 13"}),
    ("GIG-022", "V loan 10", {"loans": "V 1499 10 13 status=confiscated confiscated_year=1500"}),
    ("GIG-024", "V recruit 50 V8", {}),
    ("GIG-024", "V recruit 50 M5", {}),
    ("GIG-024", "V recruit 50 V11", {}),
    ("GIG-025", "V recruit 50 V0", {"armies": "M-1 90 V0"}),
    ("GIG-026", "V recruit 50 V0", {"armies": "V-1 90 V8, V-2 90 V8, V-3 90 V8"}),
    ("GIG-026", "V recruit 50 V0 new", {"armies": "V-1 90 V0, V-2 90 V8, V-3 90 V8"}),
    ("GIG-026", "V split 30 V-1", {"armies": "V-1 90 V0, V-2 90 V8, V-3 90 V8"}),
    ("GIG-027", "V recruit 50 V0", {"armies": "V-1 90 V0, V-2 90 V0"}),
    ("GIG-029", "V fleet V8", {}),
    ("GIG-029", "V fleet T2", {"nodes": SEA_NODES, "factions": "T, V 500 fleet_cap=2"}),
    ("GIG-030", "V fleet V0", {"factions": "V 500 fleet_cap=1", "fleets": "V-F1 V0"}),
    ("GIG-031", "V enlist captain", {}),
    ("GIG-031", "V enlist", {}),
    ("GIG-032", "V enlist sapper M-1", {"armies": "M-1 90 M5"}),
    ("GIG-032", "V enlist sapper M5", {}),
    ("GIG-032", "V enlist sapper", {}),
    ("GIG-032", "V enlist diplomat V8", {}),
    ("GIG-032", "V enlist diplomat M5", {}),
    ("GIG-033", "V fortify M5", {}),
    ("GIG-033", "V repair M5", {"nodes": "M5 walls=damaged"}),
    ("GIG-033", "V garrison M5", {}),
    ("GIG-033", "V fortify Z7", {"nodes": "Z7 site=sea"}),
    ("GIG-034", "V fortify V11", {}),
    ("GIG-035", "V fortify V8", {"nodes": "V8 walls=damaged"}),
    ("GIG-036", "V repair V8", {}),
    ("GIG-036", "V repair V11", {}),
    ("GIG-037", "V fortify V8", {"armies": "M-1 90 V8"}),
    ("GIG-037", "V repair V8", {"nodes": "V8 walls=damaged", "armies": "M-1 90 V8"}),
    ("GIG-037", "V garrison V8", {"armies": "M-1 90 V8"}),
    ("GIG-037", "V fleet V0", {"armies": "M-1 90 V0"}),
    ("GIG-039", "V fortify V8", {"works": "V8 V fortify 1501"}),
    ("GIG-039", "V repair V8", {"works": "V8 V repair 1501", "nodes": "V8 walls=damaged"}),
    ("GIG-040", "V garrison V0", {}),
    ("GIG-041", "V garrison V8 V-1", {"armies": "V-1 90 V9"}),
    ("GIG-042", "V garrison M4", {"nodes": "M4 owner=V"}),
    ("GIG-042", "V garrison V8", {"edition": "IT"}),
    ("GIG-042", "V garrison V8 V-1", {"edition": "IT", "armies": "V-1 90 V8"}),
    ("GIG-042", "V garrison V11", {"edition": "IT"}),
    ("GIG-043", "V garrison V8 V-1", {"armies": "V-1 10 V8"}),
    ("GIG-044", "V recruit 50 V0 V-1", {"armies": "V-1 90 V8"}),
    ("GIG-044", "V transfer 10 V-1 V-2", {"armies": "V-1 90 V8, V-2 90 V9"}),
    (
        "GIG-044",
        "V transfer 10 V-1 V-2",
        {"armies": "V-1 90 V8, V-2 90 V8 posture=shut_in", "nodes": "V8 walls=intact"},
    ),
    ("GIG-045", "V transfer 91 V-1 V-2", {"armies": "V-1 90 V8, V-2 90 V8"}),
    ("GIG-045", "V split 90 V-1", {"armies": "V-1 90 V8"}),
    ("GIG-046", "V recruit 50 V0 V-1", {"armies": "V-1 0 V0 kind=diplomat"}),
    ("GIG-046", "V transfer 10 V-1 V-2", {"armies": "V-1 0 V8 kind=diplomat, V-2 90 V8"}),
    ("GIG-046", "V split 10 V-1", {"armies": "V-1 0 V8 kind=diplomat"}),
    ("GIG-046", "V garrison V8 V-1", {"armies": "V-1 0 V8 kind=diplomat"}),
    ("GIG-085", "V attach V-S1 V8", {}),
    ("GIG-085", "V attach V-S1 V8", {"specialists": "V-S1 spy"}),
    ("GIG-085", "V attach V-S1 V8", {"specialists": "V-S1 sapper V8 status=dead"}),
    ("GIG-087", "V attach V-S1 V8", {"specialists": "V-S1 sapper V0"}),
    ("GIG-091", "V ally M no_passage 1502", {"alliances": "M V 1502"}),
    ("GIG-092", "V dissolve M", {}),
    ("GIG-092", "V dissolve M", {"alliances": "M V 1502 status=dissolved"}),
    ("GIG-093", "V objective ports", {"year": 1501}),
    ("GIG-093", "V objective ports", {"factions": "V 500 objective=keep"}),
    ("GIG-094", "V objective glory", {}),
    ("GIG-094", "V objective capitals", {"edition": "EN"}),
    ("GIG-095", "V objective conquer", {}),
    ("GIG-095", "V objective conquer V", {}),
    ("GIG-095", "V objective conquer X", {}),
    ("GIG-096", "V ally M no_passage 1502", {"rules": {"ally_matrix": "listed", "ally_forbidden": "V-M M-P"}}),
]


@pytest.mark.parametrize(("code", "order", "given"), BUDGET, ids=[f"{c} {o}" for c, o, _ in BUDGET])
def test_spring_refuses(code: str, order: str, given: dict[str, Any]) -> None:
    """Section 5.2, 5.3: a spring order that fails a check is refused with its code and changes nothing."""
    refused(code, "budget", order, **{**RICH, **given})


@pytest.mark.parametrize(("phase", "order", "there"), [
    ("budget", "V siege V-1 V8", "1500, April I: marches"),
    ("r1.move", "V loan 20", "1501, Budget and recruiting")])
def test_an_order_at_a_wrong_time_names_the_right_one(phase: str, order: str, there: str) -> None:
    """GIG-002 sends a row where its verb may be ordered, and nowhere else."""
    campaign = build(phase, orders=order, **{**RICH, "armies": "V-1 90 V8"})
    findings = [finding for finding in giglio().check_orders(campaign) if finding.code == "GIG-002"]
    assert [Wording(giglio(), "en").finding(finding).partition(". ")[2] for finding in findings] == [
        f"It can be ordered next in {there}: give it for that."]


def test_the_year_of_a_treaty_is_no_sum_of_ducats() -> None:
    """GIG-007 says so, and how it is written, in either language."""
    campaign = build("budget", orders="V ally M no_passage 0", **RICH)
    findings = [finding for finding in giglio().check_orders(campaign) if finding.code == "GIG-007"]
    assert [Wording(giglio(), lang).finding(one).split(".")[0] for one in findings for lang in ("en", "it")] == [
        "'0' is not a year", "'0' non è un anno"]


FACE = "V-1 90 V8 trail=V9, M-1 90 V8 trail=M5"
SUMMER: list[tuple[str, str, dict[str, Any]]] = [
    ("GIG-001", "V attack unit=V-1 target=V8", {"armies": "V-1 90 V8"}),
    ("GIG-002", "V recruit 50 V0", {}),
    ("GIG-002", "V loan 20", {}),
    ("GIG-002", "V bid 20", {}),
    ("GIG-002", "V fleet V0", {}),
    ("GIG-002", "V enlist spy", {}),
    ("GIG-002", "V objective keep", {}),
    ("GIG-003", "V move V-7 V8 F7", {"armies": "V-1 90 V8"}),
    ("GIG-003", "V sail V-F7 V0 Z7", SEA),
    ("GIG-004", "V move M-1 M5 V8", {"armies": "M-1 90 M5"}),
    ("GIG-004", "V sail T-F1 T2 Z6", {**SEA, "fleets": "T-F1 T2"}),
    ("GIG-005", "V move V-1 V8 Q9", {"armies": "V-1 90 V8"}),
    ("GIG-007", "V move V-1 V8 F7 amount=0", {"armies": "V-1 90 V8"}),
    ("GIG-007", "V split x V-1", {"armies": "V-1 90 V8"}),
    ("GIG-008", "V: V8 F7", {"armies": "V-1 90 V8, V-2 50 V8"}),
    ("GIG-008", "V move - V8 F7", {"armies": "V-1 90 V8, V-2 50 V8"}),
    ("GIG-009", "V: V8 F7", {"armies": "V-1 90 V9"}),
    ("GIG-009", "V move - V8 F7", {}),
    ("GIG-009", "V stay", {"armies": "V-1 90 V8"}),
    ("GIG-011", "V: what now", {"armies": "V-1 90 V8"}),
    ("GIG-011", "V move V-1", {"armies": "V-1 90 V8"}),
    ("GIG-026", "V move V-1 V8 F7 amount=30", {"armies": "V-1 90 V8, V-2 50 V9, V-3 50 V0"}),
    ("GIG-045", "V move V-1 V8 F7 amount=91", {"armies": "V-1 90 V8"}),
    ("GIG-046", "V move V-1 V8 F7 amount=10", {"armies": "V-1 0 V8 kind=diplomat"}),
    ("GIG-046", "V siege V-1 F8", {"armies": "V-1 0 F8 kind=diplomat"}),
    ("GIG-050", "V move V-1 V8 P9", {"armies": "V-1 90 V8"}),
    ("GIG-050", "V move V-1 V8 V0 V9", {"armies": "V-1 90 V8"}),
    ("GIG-011", "V move V-1 V8", {"armies": "V-1 90 V8"}),
    ("GIG-011", "V move V-1 target=V9", {"armies": "V-1 90 V8"}),
    ("GIG-051", "V move V-1 V9 V8", {"armies": "V-1 90 V8"}),
    ("GIG-051", "V move V-1 V9", {"armies": "V-1 90 V8"}),
    ("GIG-052", "V move V-1 V8 V9 V0 V9", {"armies": "V-1 90 V8"}),
    ("GIG-052", "V move V-1 F7 F0 S12", {"armies": "V-1 90 F7"}),
    ("GIG-053", "V move V-1 V9 V8 F7", {"armies": "V-1 90 V9"}),
    ("GIG-053", "V move V-1 F7 V8 V9", {"armies": "V-1 90 F7"}),
    ("GIG-054", "V move V-1 V8 F7", {"armies": "V-1 90 V8", "bans": "V V8 F7 1 4"}),
    ("GIG-054", "V move V-1 V8 F7", {"armies": "V-1 90 V8", "bans": "V F7 V8 1 4 both_ways=yes"}),
    ("GIG-055", "V move V-1 V8 V0", {"armies": "V-1 90 V8", "nodes": "V7", "roads": "V7 V8, V7 V0"}),
    ("GIG-056", "V move V-1 V8 F7", {"armies": "V-1 90 V8 posture=shut_in, M-1 90 V8", "nodes": "V8 walls=intact"}),
    ("GIG-057", "V move V-1 V8 F7", {"armies": FACE}),
    ("GIG-060", "V move V-1 V0 Z7", {**SEA, "armies": "V-1 90 V0"}),
    ("GIG-065", "V siege V-1 F8", {"armies": "V-1 90 V8"}),
    ("GIG-066", "V siege V-1 V8", {"armies": "V-1 90 V8"}),
    ("GIG-067", "V siege V-1 F7", {"armies": "V-1 90 F7"}),
    ("GIG-068", "M siege M-1 V8", {"armies": FACE, "nodes": "V8 walls=intact"}),
    ("GIG-069", "V lift V-1", {"armies": "V-1 90 F8"}),
    ("GIG-069", "V lift target=F8", {"armies": "V-1 90 F8"}),
    ("GIG-071", "V come_out V-1", {"armies": "V-1 90 V8"}),
    ("GIG-085", "V assassinate V-S1 commander M-1", {"armies": "M-1 90 M5"}),
    ("GIG-085", "V assassinate V-S1 commander M-1", {"armies": "M-1 90 M5", "specialists": "V-S1 spy"}),
    (
        "GIG-085",
        "V assassinate V-S1 commander M-1",
        {"armies": "M-1 90 M5", "specialists": "V-S1 assassin status=spent"},
    ),
    ("GIG-086", "V assassinate V-S1 commander V-1", {"armies": "V-1 90 V8", "specialists": "V-S1 assassin"}),
    ("GIG-086", "V assassinate V-S1 commander M-9", {"specialists": "V-S1 assassin"}),
    ("GIG-086", "V assassinate V-S1 spy M5", {"specialists": "V-S1 assassin"}),
    ("GIG-086", "V assassinate V-S1 king M", {"specialists": "V-S1 assassin"}),
    ("GIG-078", "V embark V-1 V-F1", {**SEA, "armies": "V-1 90 V8", "fleets": "V-F1 V0"}),
    ("GIG-078", "V embark V-1 T-F1", {**SEA, "armies": "V-1 90 V0", "fleets": "T-F1 T2"}),
    ("GIG-079", "V land V-1 V0", {**SEA, "armies": "V-1 90 V0", "fleets": "V-F1 V0"}),
    (
        "GIG-058",
        "V move V-1 V0 V9",
        {**SEA, "armies": "V-1 90 V0 posture=aboard fleet=V-F1", "fleets": "V-F1 V0 cargo=V-1"},
    ),
    (
        "GIG-005",
        "V land V-1 Q9",
        {**SEA, "armies": "V-1 90 V0 posture=aboard fleet=V-F1", "fleets": "V-F1 V0 cargo=V-1"},
    ),
    (
        "GIG-079",
        "V land V-1 S5",
        {**SEA, "armies": "V-1 90 V0 posture=aboard fleet=V-F1", "fleets": "V-F1 V0 cargo=V-1"},
    ),
    (
        "GIG-078",
        "V embark V-2 V-F1",
        {**SEA, "armies": "V-1 90 V0 posture=aboard fleet=V-F1, V-2 50 V0", "fleets": "V-F1 V0 cargo=V-1"},
    ),
    ("GIG-051", "V sail V-F1 Z7 Z6", {**SEA, "fleets": "V-F1 V0"}),
    ("GIG-005", "V sail V-F1 V0 Q9", {**SEA, "fleets": "V-F1 V0"}),
    ("GIG-075", "V sail V-F1 V0 Z7 Z6", {**SEA, "fleets": "V-F1 V0"}),
    ("GIG-060", "V sail V-F1 V0 V9", {**SEA, "fleets": "V-F1 V0"}),
    ("GIG-050", "V sail V-F1 V0 Z5", {**SEA, "fleets": "V-F1 V0"}),
    ("GIG-037", "V fortify V8", {"armies": "M-1 90 V8"}),
    ("GIG-091", "V ally M no_passage 1502", {"alliances": "M V 1502"}),
]


@pytest.mark.parametrize(("code", "order", "given"), SUMMER, ids=[f"{c} {o}" for c, o, _ in SUMMER])
def test_summer_refuses(code: str, order: str, given: dict[str, Any]) -> None:
    """Spring and summer orders: a summer order that fails a check is refused with its code and changes nothing."""
    refused(code, "r3.move", order, **{**RICH, **given})


AT_SEA: list[tuple[str, str, dict[str, Any]]] = [
    ("GIG-081", "V sail V-F1 Z6 S5", {"fleets": "V-F1 Z6"}),
    ("GIG-077", "V sail V-F1 Z6 T2", {"fleets": "V-F1 Z6"}),
    ("GIG-077", "V sail V-F1 Z6 S4", {"fleets": "V-F1 Z6", "alliances": "S V 1502"}),
    ("GIG-079", "V land V-1 V9", {"fleets": "V-F1 Z6 cargo=V-1", "armies": "V-1 90 Z6 posture=aboard fleet=V-F1"}),
    ("GIG-075", "V sail V-F1 Z6 Z7 V0", {"fleets": "V-F1 Z6"}),
]


@pytest.mark.parametrize(("code", "order", "given"), AT_SEA, ids=[f"{c} {o}" for c, o, _ in AT_SEA])
def test_at_sea_a_refused_order_leaves_the_fleet_sailing_home(code: str, order: str, given: dict[str, Any]) -> None:
    """Orders: a refused row changes nothing, so a fleet at sea has no order and sails home."""
    after = case("r3.move", orders=order, findings=f"o1 {code}, V-F1 GIG-076", **{**SEA, **given})
    assert after.fleet("V-F1").node == "Z7"


# --- precedence -----------------------------------------------------------------------------------
PRECEDENCE: list[tuple[str, str, str, dict[str, Any]]] = [
    # phase, the check that speaks, order that fails several, given
    ("budget", "GIG-007", "V recruit x X9", {"factions": "V 0"}),
    ("budget", "GIG-005", "V recruit 50 X9", {"factions": "V 0"}),
    ("budget", "GIG-024", "V recruit 50 V8", {"factions": "V 0", "armies": "M-1 90 V8"}),
    ("budget", "GIG-025", "V recruit 50 V0 V-9", {"factions": "V 0", "armies": "M-1 90 V0"}),
    ("budget", "GIG-003", "V recruit 50 V0 V-9", {"factions": "V 0"}),
    ("budget", "GIG-027", "V recruit 50 V0", {"factions": "V 0", "armies": "V-1 9 V0, V-2 9 V0"}),
    ("budget", "GIG-026", "V recruit 50 V0 new", {"factions": "V 0", "armies": "V-1 9 V0, V-2 9 V8, V-3 9 V8"}),
    ("budget", "GIG-007", "V loan 0", {"loans": "V 1500 10 13"}),
    ("budget", "GIG-022", "V loan 99", {"loans": "V 1500 10 13"}),
    ("budget", "GIG-093", "V objective glory", {"factions": "V objective=keep"}),
    ("budget", "GIG-031", "V enlist captain V-9", {"factions": "V 0"}),
    ("budget", "GIG-032", "V enlist sapper M5", {"factions": "V 0"}),
    ("budget", "GIG-005", "V fleet X9", {"factions": "V 0"}),
    ("budget", "GIG-029", "V fleet V8", {"factions": "V 0 fleet_cap=0", "armies": "M-1 90 V8"}),
    ("budget", "GIG-037", "V fleet V0", {"factions": "V 0 fleet_cap=0", "armies": "M-1 90 V0"}),
    ("budget", "GIG-030", "V fleet V0", {"factions": "V 0 fleet_cap=0"}),
    ("budget", "GIG-033", "V fortify P8", {"factions": "V 0"}),
    ("budget", "GIG-034", "V fortify V11", {"factions": "V 0", "armies": "M-1 90 V11"}),
    ("budget", "GIG-035", "V fortify V8", {"factions": "V 0", "nodes": "V8 walls=damaged", "armies": "M-1 90 V8"}),
    ("budget", "GIG-039", "V fortify V8", {"factions": "V 0", "works": "V8 V fortify 1501", "armies": "M-1 90 V8"}),
    ("budget", "GIG-037", "V fortify V8", {"factions": "V 0", "armies": "M-1 90 V8"}),
    ("budget", "GIG-033", "V garrison F0", {"factions": "V 0"}),
    ("budget", "GIG-040", "V garrison V0", {"factions": "V 0", "edition": "IT", "armies": "M-1 90 V0"}),
    ("budget", "GIG-042", "V garrison V8", {"factions": "V 0", "edition": "IT", "armies": "M-1 90 V8"}),
    ("budget", "GIG-037", "V garrison V8 V-9", {"factions": "V 0", "armies": "M-1 90 V8"}),
    ("budget", "GIG-003", "V garrison V8 V-9", {"factions": "V 0"}),
    ("budget", "GIG-046", "V garrison V8 V-1", {"armies": "V-1 0 V9 kind=diplomat"}),
    ("budget", "GIG-041", "V garrison V8 V-1", {"armies": "V-1 5 V9"}),
    ("budget", "GIG-003", "V transfer x V-9 V-1", {"armies": "V-1 9 V0"}),
    ("budget", "GIG-046", "V transfer x V-1 V-2", {"armies": "V-1 0 V0 kind=diplomat, V-2 9 V8"}),
    ("budget", "GIG-044", "V transfer x V-1 V-2", {"armies": "V-1 9 V0, V-2 9 V8"}),
    ("budget", "GIG-007", "V transfer x V-1 V-2", {"armies": "V-1 9 V8, V-2 9 V8"}),
    ("budget", "GIG-010", "V pay X 0", {"factions": "V 0"}),
    ("budget", "GIG-007", "V pay M 0", {"factions": "V 0"}),
    ("budget", "GIG-010", "V ally N passage 1502", {"rules": {"ally_matrix": "listed", "ally_forbidden": "V-N"}}),
    (
        "budget",
        "GIG-096",
        "V ally M passage 1502",
        {"rules": {"ally_matrix": "listed", "ally_forbidden": "M-V"}, "alliances": "M V 1502"},
    ),
    ("r3.move", "GIG-007", "V move V-1 V9 Q9 amount=0", {"armies": "V-1 90 V8"}),
    ("r3.move", "GIG-046", "V move V-1 V9 Q9 amount=5", {"armies": "V-1 0 V8 kind=diplomat"}),
    ("r3.move", "GIG-045", "V move V-1 V9 Q9 amount=95", {"armies": "V-1 90 V8"}),
    (
        "r3.move",
        "GIG-056",
        "V move V-1 V9 Q9",
        {"armies": "V-1 90 V8 posture=shut_in, M-1 9 V8", "nodes": "V8 walls=intact"},
    ),
    ("r3.move", "GIG-005", "V move V-1 V9 Q9", {"armies": "V-1 90 V8"}),
    ("r3.move", "GIG-051", "V move V-1 V9 F0", {"armies": "V-1 90 V8"}),
    ("r3.move", "GIG-060", "V move V-1 V8 Z7", {**SEA, "armies": "V-1 90 V8"}),
    ("r3.move", "GIG-050", "V move V-1 V8 P9 V11 V9", {"armies": "V-1 90 V8"}),
    ("r3.move", "GIG-053", "V move V-1 V9 V8 M5 M4", {"armies": "V-1 90 V9"}),
    ("r3.move", "GIG-052", "V move V-1 F7 F0 S12", {"armies": "V-1 90 F7", "bans": "V F7 F0 1 4"}),
    ("r3.move", "GIG-059", "V move V-1 V8 F7", {"armies": "V-1 90 V8 leaderless=2", "bans": "V V8 F7 1 4"}),
    ("r3.move", "GIG-054", "V move V-1 V8 F7", {"armies": FACE, "bans": "V V8 F7 1 4"}),
    ("r3.move", "GIG-057", "V move V-1 V8 F7 amount=30", {"armies": f"{FACE}, V-2 9 V0, V-3 9 V0"}),
    ("r3.move", "GIG-046", "V siege V-1 V8", {"armies": "V-1 0 V9 kind=diplomat"}),
    ("r3.move", "GIG-065", "V siege V-1 V8", {"armies": "V-1 90 V9"}),
    ("r3.move", "GIG-068", "M siege M-1 V8", {"armies": FACE}),
    ("r3.move", "GIG-085", "V assassinate V-S1 king X", {}),
]


@pytest.mark.parametrize(("phase", "code", "order", "given"), PRECEDENCE, ids=[f"{c} {o}" for _, c, o, _ in PRECEDENCE])
def test_the_first_check_that_fails_speaks(phase: str, code: str, order: str, given: dict[str, Any]) -> None:
    """Orders: each row gets at most one error, that of the first check in the book's order."""
    refused(code, phase, order, **given)


# --- warnings -------------------------------------------------------------------------------------
def test_gig_006_the_later_loan_bid_objective_or_treaty_stands() -> None:
    """Orders: the loan, the bid, the objective and the treaty with one partner are one thing each."""
    after = case(
        "budget",
        **RICH,
        findings="o1 GIG-006, o3 GIG-006, o5 GIG-006, o7 GIG-006, o8 GIG-090",
        answers="ally_confirm M V = refuse",
        orders="""
        V loan 10
        V loan 20
        V bid 30
        V bid 40
        V objective keep
        V objective ports
        V ally M passage 1501
        V ally M no_passage 1501""",
    )
    assert after.chest("V") == 500 + 20 - 40
    assert after.faction("V").objective == "ports"


def test_gig_013_two_identical_purchases_are_both_made() -> None:
    """Orders: two purchase rows alike in every cell are both carried out, with a warning."""
    after = case("budget", **RICH, findings="o2 GIG-013", orders="V enlist spy\nV enlist spy")
    assert after.chest("V") == 400
    assert after.unchanged_except("V", "V-S1", "V-S2")


def test_two_fleets_in_rows_alike_are_nothing_strange() -> None:
    """Orders, fleets: who may own two may launch both in one port; there is no other way to write it, so no GIG-013."""
    after = case("budget", **RICH, orders="V fleet V0\nV fleet V0")
    assert after.chest("V") == 350


def test_gig_028_fewer_ducats_than_a_company() -> None:
    """Spring orders: recruiting less than the cheapest company is carried out with an advice."""
    after = case("budget", **RICH, findings="o1 GIG-028", orders="V recruit 27 V0")
    assert after.army("V-1").value == 27
    assert case("budget", **RICH, orders="V recruit 28 V0").army("V-1").value == 28


@pytest.mark.parametrize("play", ["budget", "r3.move"])
def test_gig_048_armati_wants_points_over_the_core(play: str) -> None:
    """Armati: an army without BP over the core may be split, with the reminder."""
    split: dict[str, Any] = {"orders": "V split 40 V-1", "rules": {"armati_core_rule": "on"}}
    after = case(play, armies="V-1 90 V8", **split, findings="o1 GIG-048")
    assert after.army("V-2").value == 40
    assert case(play, armies="V-1 90 V8 bp_over_core=1", **split).army("V-2").value == 40
    assert case(play, armies="V-1 90 V8", orders="V split 40 V-1").army("V-2").value == 40


def test_gig_048_at_recruiting() -> None:
    """Armati: an army is allowed only when it has one BP over the core; recruiting says so."""
    after = case("budget", **RICH, rules={"armati_core_rule": "on"}, orders="V recruit 40 V0", findings="o1 GIG-048")
    assert after.army("V-1").value == 40
    given: dict[str, Any] = {"armies": "V-1 40 V0 bp_over_core=1", "rules": {"armati_core_rule": "on"}}
    assert case("budget", **RICH, **given, orders="V recruit 40 V0").army("V-1").value == 80


def test_gig_059_a_dead_commander_costs_a_node() -> None:
    """A legal path: after its commander was killed an army marches one node at home, none abroad."""
    two = case("r3.move", armies="V-1 90 V8 leaderless=2", orders="V move V-1 V8 V9 V0", findings="o1 GIG-059")
    assert two.army("V-1").node == "V8"
    one = case("r3.move", armies="V-1 90 V8 leaderless=2", orders="V move V-1 V8 V9")
    assert one.army("V-1").node == "V9"
    abroad = case("r3.move", armies="V-1 90 V8 leaderless=2", orders="V move V-1 V8 F7", findings="o1 GIG-059")
    assert abroad.army("V-1").node == "V8"


def test_gig_070_a_siege_may_eat_up_the_army() -> None:
    """3d: an army of ten ducats or less may besiege, with a warning."""
    after = case("r3.move", armies="V-1 10 F8", orders="V siege V-1 F8", findings="o1 GIG-070")
    assert after.siege("F8", "V").rounds == 0
    assert case("r3.move", armies="V-1 11 F8", orders="V siege V-1 F8").siege("F8", "V").rounds == 0


def test_gig_072_a_siege_against_a_partner_will_be_judged() -> None:
    """Alliances: besieging a partner's place is carried out, with a warning, and will be judged in winter."""
    after = case("r3.move", armies="V-1 90 F8", alliances="F V 1502", orders="V siege V-1 F8", findings="o1 GIG-072")
    assert after.siege("F8", "V").besieger == "V"
    assert (after.treaty("F", "V").status, after.treaty("F", "V").suspect) == ("active", "V")


def test_gig_080_a_fleet_that_lands_its_army_is_busy() -> None:
    """Fleets: the ship of an army that lands this round may not sail."""
    after = case(
        "r3.move",
        **SEA,
        armies="V-1 90 Z6 posture=aboard fleet=V-F1",
        fleets="V-F1 Z6 cargo=V-1",
        orders="V land V-1 S5\nV sail V-F1 Z6 Z7",
        findings="o2 GIG-080",
    )
    assert (after.army("V-1").node, after.fleet("V-F1").node) == ("S5", "Z6")


def test_gig_080_a_fleet_that_takes_up_an_army_from_shore_is_busy() -> None:
    """Fleets: embarking from a shore takes the whole round."""
    after = case(
        "r3.move",
        **SEA,
        armies="V-1 90 S5",
        fleets="V-F1 Z6",
        orders="V embark V-1 V-F1\nV sail V-F1 Z6 Z7",
        findings="o2 GIG-080",
    )
    assert (after.army("V-1").posture, after.fleet("V-F1").node) == ("aboard", "Z6")


def test_gig_102_only_full_steps_of_a_bribe_count() -> None:
    """3d: of 60 ducats two steps of 25 count, ten are wasted, and all 60 are spent."""
    after = case(
        "r4.siege",
        factions="M 100",
        **BESIEGED,
        answers="bribe M V8 = 60",
        dice={"siege:V8:1500:4": 1},
        findings="1500.r4.siege.bribe.M.V8 GIG-102",
    )
    assert after.chest("M") == 40
    assert after.modifiers("V8") == {"full rounds besieging": 2, "bribes": 2, "walls": -1}
    assert after.finding("GIG-102")["rest"] == 10


# --- the whole workbook ---------------------------------------------------------------------------
DATA: list[tuple[str, dict[str, Any]]] = [
    ("GIG-120", {"roads": "V8 V9"}),
    ("GIG-120", {"roads": "V9 V8"}),
    ("GIG-120", {"roads": "V8 V8"}),
    ("GIG-121", {"nodes": "V8 owner=X"}),
    ("GIG-121", {"nodes": "V8 home=X owner=V"}),
    ("GIG-121", {"factions": "V capital=X9"}),
    ("GIG-122", {"armies": "V-1 90 V8, V-2 90 V8, V-3 90 V8, V-4 90 V8"}),
    ("GIG-123", {"nodes": "Z7 site=sea", "armies": "V-1 90 Z7"}),
    (
        "GIG-123",
        {
            "nodes": "Z7 site=sea",
            "roads": "Z7 V0 lane",
            "fleets": "V-F1 Z7 cargo=V-1",
            "armies": "V-1 90 Z7 posture=aboard fleet=V-F1, V-2 90 Z7 posture=aboard fleet=V-F1",
        },
    ),
    ("GIG-124", {"factions": "V -1"}),
    ("GIG-124", {"armies": "V-1 0 V8"}),
    ("GIG-125", {"nodes": "Z7 site=sea walls=intact"}),
    ("GIG-125", {"nodes": "Z7 site=sea owner=V"}),
    ("GIG-125", {"nodes": "Z7 site=sea garrison=yes"}),
    ("GIG-125", {"roads": "V8 P9 lane"}),
    ("GIG-125", {"nodes": "Z7 site=sea", "roads": "Z7 V0 road"}),
]


@pytest.mark.parametrize(("code", "tables"), DATA, ids=[f"{c} {t}" for c, t in DATA])
def test_data_that_cannot_be_played_stops_the_phase(code: str, tables: dict[str, Any]) -> None:
    """Records: a finding about the whole workbook stands before the phase, which does not start."""
    campaign = build("r3.move", **tables)
    assert {f.code for f in giglio().check_data(campaign) if f.stops} == {code}
    after = case(
        "r3.move",
        waits=True,
        findings=", ".join(f"{f.where.row} {f.code}" for f in giglio().check_data(campaign)),
        **tables,
    )
    assert after.unchanged_except()
    assert not after.questions


def test_sound_data_have_no_findings() -> None:
    """Records: three armies, diplomats beside them, fleets and lanes are in order."""
    campaign = build(
        "r3.move",
        **{
            **SEA,
            "armies": "V-1 90 V8, V-2 90 V8, V-3 90 Z7 posture=aboard fleet=V-F1, V-4 0 V8 kind=diplomat",
            "fleets": "V-F1 Z7 cargo=V-3",
        },
    )
    assert giglio().check_data(campaign) == []


def test_every_code_of_the_book_is_provoked_somewhere() -> None:
    """What is said: no code of the catalogue is without a test."""
    from pathlib import Path

    here = Path(__file__).parent
    written = "".join(path.read_text(encoding="utf-8") for path in sorted(here.glob("test_*.py")))
    assert {code for code in giglio().findings if f"{code}" not in written} == set()
