"""The objectives after five years, and who wins (10)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rulesets.giglio.objectives import aim_of, clock
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.rulesets.giglio.war import War
from assistant.wording import Wording
from tests.giglio.cases import After, build, case

TIES = (
    "V0 site=city capital=yes port=yes, V1, V2 site=fortress, M0 site=city capital=yes port=yes, M1, M2 site=fortress"
)


def final(**given: Any) -> After:
    """The verification."""
    return case("final", **{"bare": True, "year": 1504, "nodes": TIES, **given})


def reached(after: After) -> set[str]:
    """Factions that reached their objective."""
    return codes(after.event("campaign.end").data["reached"])


def winners(after: After) -> set[str]:
    """The winners."""
    return codes(after.event("campaign.end").data["winners"])


def codes(value: Any) -> set[str]:
    """Factions named in a parameter, whether it is a list or a line."""
    words = " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
    return {w for w in words.replace(",", " ").replace(":", " ").split() if w in ("V", "M", "F", "P", "S")}


def alone(objective: str, **given: Any) -> bool:
    """Whether V reaches the objective; M has chosen none."""
    target = given.pop("target", "")
    factions = f"V {given.pop('v', 5)} objective={objective} objective_target={target}, M {given.pop('m', 5)}"
    return "V" in reached(final(factions=factions, **given))


MORE: list[tuple[str, dict[str, Any]]] = [
    ("capitals", {"nodes": f"{TIES}, M3 owner=V capital=yes"}),
    ("ducats", {"v": 6}),
    ("cities", {"nodes": f"{TIES}, N1 owner=V site=city"}),
    ("fortresses", {"nodes": f"{TIES}, N1 owner=V site=fortress"}),
    ("villages", {"nodes": f"{TIES}, N1 owner=V"}),
    ("ports", {"nodes": f"{TIES}, N1 owner=V port=yes"}),
    ("fleets", {"fleets": "V-F1 V0, V-F2 V0, M-F1 M0"}),
]
LESS: list[tuple[str, dict[str, Any]]] = [
    ("capitals", {"nodes": f"{TIES}, V3 owner=M capital=yes"}),
    ("ducats", {"m": 6}),
    ("cities", {"nodes": f"{TIES}, N1 owner=M site=city"}),
    ("fortresses", {"nodes": f"{TIES}, N1 owner=M site=fortress"}),
    ("villages", {"nodes": f"{TIES}, N1 owner=M"}),
    ("ports", {"nodes": f"{TIES}, N1 owner=M port=yes"}),
    ("fleets", {"fleets": "V-F1 V0, M-F1 M0, M-F2 M0"}),
]
EQUAL: list[tuple[str, dict[str, Any]]] = [(o, {}) for o, _ in MORE[:-1]] + [("fleets", {"fleets": "V-F1 V0, M-F1 M0"})]


@pytest.mark.parametrize(
    ("objective", "given", "hit"),
    [*((o, x, True) for o, x in MORE), *((o, x, True) for o, x in EQUAL), *((o, x, False) for o, x in LESS)],
)
def test_most_of_a_kind(objective: str, given: dict[str, Any], hit: bool) -> None:
    """Objectives: "most" is over all players and robots, and ties count as reached."""
    assert alone(objective, **given) is hit


@pytest.mark.parametrize(
    "objective",
    ["capitals", "ducats", "cities", "fortresses", "villages", "ports", "fleets", "allies_kept", "allies_betrayed"],
)
def test_most_is_at_least_one(objective: str) -> None:
    """Objectives: nobody has most of what nobody has."""
    assert alone(objective, nodes="V0 owner=N, M0 owner=N", v=0, m=0) is False


def test_robots_count_and_neutrals_do_not() -> None:
    """Objectives: over all players and robots."""
    given: dict[str, Any] = {"nodes": "V1, M1, M2, N1, N2, N3"}
    assert reached(final(**given, factions="V objective=villages, M role=robot")) == set()
    assert reached(final(**given, factions="V, M role=robot objective=villages")) == {"M"}


@pytest.mark.parametrize(
    ("nodes", "hit"), [(TIES, True), (f"{TIES}, V9 owner=M", False), (f"{TIES}, M9 owner=V", True)]
)
def test_keep_the_original_possessions(nodes: str, hit: bool) -> None:
    """Objectives keep: every node with home = own is controlled."""
    assert alone("keep", nodes=nodes) is hit


@pytest.mark.parametrize(
    ("nodes", "hit"),
    [
        ("V0, M0 owner=V capital=yes, M1 owner=V, M2 owner=V", True),
        ("V0, M0 owner=M capital=yes, M1 owner=V, M2 owner=V", False),
        ("V0, M0 owner=V capital=yes, M1 owner=V, M2 owner=F", False),
        ("V0, M0 owner=V home=V capital=yes, M1 owner=V, M2 owner=V", True),
        ("V0, M0 owner=M home=V capital=yes, M1 owner=V, M2 owner=V", False),
    ],
)
def test_conquer_a_whole_enemy_territory(nodes: str, hit: bool) -> None:
    """Objectives conquer: every node with home = target is controlled, its capital too."""
    factions = "V 5 objective=conquer objective_target=M, M 5 capital=M0, F 5"
    assert ("V" in reached(final(factions=factions, nodes=nodes))) is hit


@pytest.mark.parametrize(
    ("treaties", "hit"),
    [
        ("M V 1502 status=honoured", True),
        ("M V 1510", True),
        ("M V 1502 status=betrayed betrayed_by=M", False),
        ("M V 1502 status=dissolved", False),
        ("M V 1502 status=honoured, F M 1502 status=honoured", False),
        ("M V 1502 status=honoured since=1500, M V 1510 since=1503, F M 1502", False),
        ("M V 1502 status=honoured since=1500, M V 1510 since=1503, F V 1502, F M 1502", True),
    ],
)
def test_most_treaties_honoured(treaties: str, hit: bool) -> None:
    """Objectives allies_kept: honoured, or still active at the end."""
    after = final(factions="V objective=allies_kept, M, F", alliances=treaties)
    assert ("V" in reached(after)) is hit


@pytest.mark.parametrize(
    ("treaties", "hit"),
    [
        ("M V 1502 status=betrayed betrayed_by=V", True),
        ("M V 1502 status=betrayed betrayed_by=M", False),
        ("M V 1502 status=honoured", False),
        (
            "M V 1502 status=betrayed betrayed_by=V, F M 1502 status=betrayed betrayed_by=M, "
            "M P 1502 status=betrayed betrayed_by=M",
            False,
        ),
    ],
)
def test_most_treaties_betrayed(treaties: str, hit: bool) -> None:
    """Objectives allies_betrayed: most with betrayed_by = self."""
    assert ("V" in reached(final(factions="V objective=allies_betrayed, M, F, P", alliances=treaties))) is hit


# --- who wins -------------------------------------------------------------------------------------
def test_among_several_the_most_ducats_win() -> None:
    """Objectives: those who reached theirs are compared by ducats in the chest."""
    after = final(factions="V 5 objective=keep, M 9 objective=keep, F 99 objective=ports")
    assert (reached(after), winners(after)) == ({"V", "M"}, {"M"})


def test_equal_ducats_share() -> None:
    """Objectives: equal ducats share the victory."""
    assert winners(final(factions="V 9 objective=keep, M 9 objective=keep, F 99")) == {"V", "M"}


def test_armies_and_fleets_are_no_ducats() -> None:
    """objectives: no materials such as armies and fleets."""
    after = final(factions="V 9 objective=keep, M 8 objective=keep", armies="M-1 900 M0", fleets="M-F1 M0")
    assert winners(after) == {"V"}


def test_the_victory_may_be_shared_by_all_who_hit() -> None:
    """objective_tie shared."""
    after = final(factions="V 5 objective=keep, M 9 objective=keep", rules={"objective_tie": "shared"})
    assert winners(after) == {"V", "M"}


@pytest.mark.parametrize(("mode", "who"), [("nobody", set()), ("ducats", {"F"})])
def test_nobody_reached_anything(mode: str, who: set[str]) -> None:
    """objective_none: no winner, or the richest."""
    after = final(factions="V 5 objective=fleets, M 9 objective=fleets, F 99", rules={"objective_none": mode})
    assert (reached(after), winners(after)) == (set(), who)


def test_the_end_is_told_to_all_and_nothing_is_left() -> None:
    """Objectives: the objectives are shown to all at the end; then the campaign is over."""
    after = final(factions="V 5 objective=keep, M 9 objective=ports")
    assert after.event("campaign.end").audience == "all"
    assert after.next == "over"
    assert after.unchanged_except()
    from tests.giglio.cases import giglio

    assert giglio().is_over(after.campaign)


# --- English objectives ----------------------------------------------------------------------------------
GAIN: dict[str, Any] = {
    "nodes": "V0 site=city, V1 site=city, V2 site=city, M0 site=city, N1 site=city owner=M",
    "factions": "V 30 objective=cities, M 20 objective=cities",
}


@pytest.mark.parametrize(
    ("edition", "who"), [("IT", {"V"}), ("EN", {"M"}), ("IT_amended", {"V"}), ("EN_amended", {"M"})]
)
def test_gain_the_most_in_the_english_editions(edition: str, who: set[str]) -> None:
    """objective_metric: own the most (Italian), or gain most more than at the start (English)."""
    after = final(**GAIN, edition=edition, opening="V cities=3, M cities=1")
    assert reached(after) == who


def test_gained_ducats() -> None:
    """objective_metric gain: the number minus that at the start."""
    after = final(
        factions="V 300 objective=ducats, M 200 objective=ducats",
        rules={"objective_metric": "gain"},
        opening="V ducats=280, M ducats=100",
    )
    assert reached(after) == {"M"}


def test_treaties_are_never_a_gain() -> None:
    """Objectives: gain does not touch treaties."""
    after = final(
        factions="V objective=allies_kept, M, F",
        edition="EN",
        alliances="F V 1502 status=honoured",
        opening="V cities=1, M, F",
    )
    assert "V" in reached(after)


@pytest.mark.parametrize(("objective", "nodes", "says"), [
    ("cities", f"{TIES}, N1 owner=V site=city, N2 owner=V site=city",
     "cities: you have 3, and as things stand 1 is needed; 1 year left, this one included."),
    ("cities", f"{TIES}, N1 owner=M site=city", "cities: you have 1, and as things stand 2 are needed; 1 year left, "
     "this one included."),
    ("keep", f"{TIES}, V3 owner=M", "Your own territory: you hold 3 of its 4 places; 1 year left, this one included."),
    ("conquer", TIES, "Territory of M: you hold 0 of its 3 places; 1 year left, this one included.")])
def test_an_aim_says_what_is_needed_and_whose_land_is_meant(objective: str, nodes: str, says: str) -> None:
    """Who has more than is needed reads no higher number for it."""
    target = "M" if objective == "conquer" else ""
    campaign = build("final", bare=True, year=1504, nodes=nodes,
                     factions=f"V 5 objective={objective} objective_target={target}, M 5")
    war = War(GIGLIO.game(campaign))
    said = clock(aim_of(war, war.factions["V"]))
    assert Wording(None, "en").text(said.text, **said.data).casefold() == says.casefold()
