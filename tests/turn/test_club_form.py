"""What a club's copy has of open battles, for every rulebook: the row of its report, the further rows of its half."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.reporting.facts import battle_dossiers
from assistant.reporting.reader import Reader
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.bloodlust.battle import FoughtBattle
from assistant.rulesets.bloodlust.realm import Realm
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.battle_form import row_as_line
from assistant.turn.battle_results import (
    BattleReports,
    ClubForm,
    format_report,
    open_forms,
    parse_report,
    report_row,
)
from assistant.turn.phases import resolve
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.anarchy import cases as anarchy
from tests.anarchy.test_findings import FIGHT
from tests.bloodlust.scenario import ground
from tests.bloodlust.test_dossiers import BATTLE
from tests.giglio import cases as giglio
from tests.incursio.cases import Case as Raid
from tests.warriors.test_findings import fought

SECRET = b"a battle"
ALLIED = {"987Su-1": BATTLE["987Su-1"] | {"attacker_armies": "SEK-a1 BAT-a1", "starts": "SEK-a1=S3 BAT-a1=G5"}}
STARTS: Mapping[str, tuple[Ruleset, Callable[[], Campaign]]] = {
    "giglio": (GIGLIO, lambda: giglio.build(
        "r3", armies="M-1 200 M5, V-1 150 V8 trail=V9", orders="M move M-1 M5 V8",
        answers="choice M V8/V = attack\nchoice V V8/M = stop")),
    "anarchy": (ANARCHY, lambda: anarchy.build("movement", **FIGHT)),
    "bloodlust": (BLOODLUST, lambda: ground("987Su", "battle", Battles=ALLIED)),
    "warriors": (WARRIORS, lambda: fought("", "M1a 10", "O1a 10").campaign),
    "incursio": (INCURSIO, lambda: _live().campaign),
}
"""Campaigns on their way to a battle."""


def _live() -> Raid:
    case = Raid("first_assault", "1-2", day=3, towns={1: 1}, ruins={2: 0}, soldiers={1: "F/FFAC"}, demons={2: "Tr As"})
    return case.order("attack 1>2 FFAC", live=True)


@cache
def stopped(book: str) -> tuple[Ruleset, Campaign]:
    """A campaign that waits for the result of a battle."""
    ruleset, campaign = STARTS[book][0], STARTS[book][1]()
    for _ in range(6):
        outcome = resolve(ruleset, campaign, SECRET)
        campaign = outcome.campaign
        if not outcome.done:
            break
    assert ruleset.form is not None
    assert [question.kind for question in outcome.questions] == [ruleset.form.question], outcome.findings
    return ruleset, campaign


def offered(book: str, club: str, campaign: Campaign | None = None) -> list[ClubForm]:
    """What the copy of a club has, made of its view."""
    ruleset, whole = stopped(book)
    return open_forms(ruleset, ruleset.view(campaign or whole, club), club)


def shown(one: ClubForm) -> tuple[str, list[str], list[str]]:
    """The battle; the further rows by what they name; the sheets that take more."""
    named = [" ".join(str(getattr(row, c.name)) for c in row.columns() if c.key and c.name != "battle")
             for row in one.rows]
    return one.battle.battle, named, [sheet.sheet for sheet in one.takes]


@pytest.mark.parametrize(("book", "club", "battle", "rows", "takes"), [
    ("giglio", "M", "B1500.3.V8", [], []), ("giglio", "V", "B1500.3.V8", [], []),
    ("anarchy", "royal", "B3-1", [], ["Losses"]), ("anarchy", "angevin", "B3-1", [], ["Losses"]),
    ("bloodlust", "SEK", "987Su-1", ["SEK-u1", "SEK-u2", "SEK-u3", "SEK-m1"], ["BattleUnits", "BattleLeaders"]),
    ("bloodlust", "VOR", "987Su-1", ["VOR-u1", "VOR-u2", "VOR-m1"], ["BattleUnits", "BattleLeaders"]),
    ("warriors", "men", "B2-1", ["M1a", "M1"], []), ("warriors", "orcs", "B2-1", ["O1a", "O1"], []),
    ("incursio", "esdef", "3E-1-2-1", [], []), ("incursio", "varannah", "3E-1-2-1", [], [])])
def test_each_side_has_the_form_of_its_half(book: str, club: str, battle: str, rows: list[str], takes: list[str]
                                            ) -> None:
    """In every rulebook: its own units and commanders; sheets that the phase has laid out take no more rows."""
    (one,) = offered(book, club)
    assert shown(one) == (battle, rows, takes)
    assert (one.question.to, one.question.about, one.question.answer) == (club, f"{battle}/{club}", "")


@pytest.mark.parametrize(("book", "club"), [("giglio", "P"), ("bloodlust", "PIO"), ("warriors", "undead"),
                                            ("giglio", ""), ("anarchy", "")])
def test_who_does_not_fight_has_none(book: str, club: str) -> None:
    """Nor has everybody's copy."""
    assert offered(book, club) == []


def test_an_ally_reports_of_its_own_units_as_well() -> None:
    """BAT fights for SEK: its copy has its own units, and its report counts for the attackers."""
    ruleset, campaign = stopped("bloodlust")
    (one,) = offered("bloodlust", "BAT")
    assert {str(getattr(row, "unit", "") or getattr(row, "leader", "")).split("-")[0] for row in one.rows} == {"BAT"}
    battle = FoughtBattle(Realm(ruleset.game(campaign.copy())), campaign.by_sheet("Battles")["987Su-1"])
    assert battle.clubs() == {"attacker": ["SEK", "BAT"], "defender": ["VOR"]}


@pytest.mark.parametrize(("change", "there"), [({}, 1), ({"winner": "attacker"}, 0), ({"status": "fought"}, 0),
                                               ({"played": "auto"}, 0)])
def test_a_battle_that_waits_no_more_is_not_offered(change: dict[str, str], there: int) -> None:
    """The referee has typed its result, left it to the dice, or it is over."""
    campaign = stopped("bloodlust")[1].copy()
    for name, value in change.items():
        setattr(campaign.by_sheet("Battles")["987Su-1"], name, value)
    assert len(offered("bloodlust", "SEK", campaign)) == there


@pytest.mark.parametrize("phase", ["call", "invade", "over"])
def test_no_other_phase_offers_it(phase: str) -> None:
    """Only the one that waits for the form."""
    campaign = stopped("bloodlust")[1].copy()
    campaign.desk.phase = phase
    assert offered("bloodlust", "SEK", campaign) == []


def told(book: str, club: str, answer: str) -> Campaign:
    """A campaign in which a club has reported this."""
    ruleset, campaign = stopped(book)
    campaign = campaign.copy()
    assert ruleset.form is not None
    battle = next(iter(campaign.by_sheet("Battles")))
    row = report_row(campaign, ruleset.form, battle.battle, club)
    row.answer = answer
    campaign.by_sheet("Questions").add(row)
    return campaign


@pytest.mark.parametrize(("book", "club", "answer", "line", "rows"), [
    ("bloodlust", "SEK", "attacker none; SEK-u1 hits=3 routed=yes; leader=SEK-m1 down=yes", "attacker none",
     {"unit=SEK-u1 hits=3 routed=yes", "leader=SEK-m1 down=yes"}),
    ("bloodlust", "SEK", "unit=U2 hits=0; unit=u2 hits=4; VOR-u1 9", "", {"unit=SEK-u2 hits=4", "unit=VOR-u1 hits=9"}),
    ("anarchy", "royal", "attacker fled 9; A1 foot 1 1 0; E1 foot 2", "attacker fled 9",
     {"unit=A1 rank=foot killed=1 wounded=1", "unit=E1 rank=foot killed=2"}),
    ("warriors", "men", "attacker 4; m1a 2 1; army=m1 commander_killed=yes", "attacker 4",
     {"unit=M1a killed=2 routed=1", "army=M1 commander_killed=yes"}),
    ("warriors", "men", "attacker 4; unit=O1a killed=2", "attacker 4; unit=O1a killed=2", set()),
    ("warriors", "men", "attacker 4; O1a 2", "attacker 4; unit=O1a killed=2", set()),
    ("giglio", "V", "a losses_b=55", "a losses_b=55", set())])
def test_a_new_copy_shows_what_was_reported(book: str, club: str, answer: str, line: str, rows: set[str]) -> None:
    """The result in the answer, further rows on their sheets, codes spelled out; of a sheet that takes no more rows
    what is said of the other half stays in the answer.
    """
    (one,) = offered(book, club, told(book, club, answer))
    assert one.question.answer == line
    assert {said for row in one.rows if "=" in (said := row_as_line(row)).partition(" ")[2]} == rows


@pytest.mark.parametrize(("typed", "known"), [
    ("m1", "SEK-m1"), ("M1", "SEK-m1"), ("sek-M1", "SEK-m1"), ("VOR-M1", "VOR-m1"), ("m77", "m77")])
def test_short_codes_in_a_half_are_spelled_out(typed: str, known: str) -> None:
    """As in orders: in whatever letters, and without the nation's own in front."""
    ruleset, campaign = stopped("bloodlust")
    assert ruleset.form is not None
    row = report_row(campaign, ruleset.form, "987Su-1", "SEK")
    row.answer = f"leader={typed} down=yes"
    (found,) = parse_report(ruleset.form, campaign, row, "attacker").rows
    assert getattr(found, "leader", "") == known


@pytest.mark.parametrize("part", ["unit=SEK-u1 status=counted", "unit=SEK-u1 battle=B9 hits=1", "unit=SEK-u1 loot=3"])
def test_a_part_says_nothing_of_what_is_not_the_clubs(part: str) -> None:
    """Whether it is counted, or of which battle it is."""
    ruleset, campaign = stopped("bloodlust")
    assert ruleset.form is not None
    row = report_row(campaign, ruleset.form, "987Su-1", "SEK")
    row.answer = f"attacker; {part}"
    with pytest.raises(UnreadableValue):
        parse_report(ruleset.form, campaign, row, "attacker")


def test_two_clubs_of_one_side_count_once_and_their_difference_is_told() -> None:
    """Of a unit of which both tell the first one's word counts, so that no losses are counted twice."""
    ruleset, campaign = stopped("anarchy")
    form, row = ruleset.form, campaign.by_sheet("Battles")["B3-1"]
    assert form is not None
    assert form.seen is not None
    battle, clubs = form.seen(ruleset.game(campaign.copy()), row)
    assert {side: list(codes) for side, codes in clubs.items()} == {"attackers": ["royal"], "defenders": ["angevin"]}
    halves = []
    for club, losses in (("one", 2), ("two", 3)):
        question = report_row(campaign, form, "B3-1", club)
        question.answer = f"attacker fled 9; A1 foot {losses}; A1 light 1"
        halves.append(parse_report(form, campaign, question, "attackers"))
    both: BattleReports[Any] = BattleReports(form, battle, row, halves)
    assert [(half.club, row_as_line(one)) for half, one in both.counting_rows([])] == [
        ("one", "unit=A1 rank=foot killed=2"), ("one", "unit=A1 rank=light killed=1")]
    assert [{club: row["said"] for club, row in one.said.items()} for one in both.row_differences()] == [
        {"one": {"killed": 2}, "two": {"killed": 3}}]


@pytest.mark.parametrize(("lang", "said"), [
    ("en", "Winner attacker; SEK-u1: Hits 3, Routed yes; SEK-m1: Down yes"),
    ("it", "Vincitore attaccante; SEK-u1: Colpi 3, In rotta sì; SEK-m1: A terra sì")])
def test_a_report_is_told_behind_its_headings(lang: str, said: str) -> None:
    """In the receipt, and in the hand-over of the club's own report."""
    ruleset, _ = stopped("bloodlust")
    view = ruleset.view(told("bloodlust", "SEK", "attacker none; u1 hits=3 routed=yes; leader=m1 down=yes"), "SEK")
    (row,) = view.by_sheet("Questions").where(lambda one: one.to == "SEK")
    assert format_report(ruleset.form, view, row, lang) == said
    (one,) = battle_dossiers(Reader.of(ruleset, view, "SEK", Wording(ruleset, lang)), ["SEK"])
    assert any(text.startswith(f"{said} (") for _, text in one.lines)
