"""Nothing that a faction may not see changes a byte of what is mailed to it: every ruleset, whole campaigns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.desk.clubs import outgoing
from assistant.desk.commands import publish
from assistant.desk.commands.report import faction_file_name
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.edit_catalogue import shipped_rulesets
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.bloodlust.ruleset import BLOODLUST
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import kit
from assistant.testing.fog import package_faults, pieces
from assistant.testing.robots import play
from assistant.turn.phases import resolve
from assistant.turn.ruleset import Ruleset
from tests.bloodlust.scenario import ground, tanaephis
from tests.incursio.scenario import days, esdef
from tests.incursio.test_promises import opening as incursio_opening
from tests.plugin.wells.arbitro_wells import WELLS
from tests.reporting.test_italy import year
from tests.rulesets.openings import OPENINGS, SMALL
from tests.views.test_fog import england, opening_figures
from tests.warriors.scenario import borderlands, turns
from tests.warriors.test_promises import opening as warriors_opening

SEED = bytes(range(32))
PLAYED: dict[str, Callable[[Path], tuple[Ruleset, Campaign]]] = {
    **OPENINGS,
    "incursio": lambda folder: (INCURSIO, kit.with_robots(incursio_opening())),
    "warriors": lambda folder: (WARRIORS, kit.with_robots(warriors_opening())),
    "bloodlust": lambda folder: (BLOODLUST, kit.with_robots(ground())),
}
EVERY = {"giglio": 45, "anarchy": 15, "incursio": 9, "warriors": 10, "bloodlust": 12, **dict.fromkeys(SMALL, 9)}
MOMENTS = 4
"""So many of a campaign's moments: a package of ten clubs takes its time."""
LATER_ONES = slice(1, MOMENTS, 2)
"""The moments of robots in the wings, whose beginnings are asked in their scripted campaigns."""


def of_robots(name: str, place: Path) -> Iterator[tuple[Campaign, Campaign]]:
    """Some moments of a campaign that robots play, each with the one before it."""
    ruleset, last = PLAYED[name](place)
    for number, (_, outcome) in enumerate(play(ruleset, last, SEED), 1):
        if number % EVERY[name] == 2:
            yield last, outcome.campaign
            last = outcome.campaign


def test_every_installed_ruleset_is_asked() -> None:
    """A wing that is new has to be given an opening."""
    assert {ruleset.id for ruleset in shipped_rulesets()} <= set(PLAYED)


@pytest.mark.parametrize("name", ["wells", "realms"])
def test_a_small_campaign_mails_no_secret(name: str, tmp_path: Path) -> None:
    """Soon after its start."""
    ruleset = OPENINGS[name](tmp_path)[0]
    for before, now in islice(of_robots(name, tmp_path), 1):
        assert package_faults(ruleset, now, factions_with_reports(now)[0], before, keep=opening_figures) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PLAYED))
def test_campaigns_of_robots_mail_no_secret(name: str, tmp_path: Path) -> None:
    """Every so many phases, the factions in turn."""
    ruleset = PLAYED[name](tmp_path)[0]
    moments = list(islice(of_robots(name, tmp_path), MOMENTS))
    for number, (before, now) in enumerate(moments if name in SMALL else moments[LATER_ONES]):
        clubs = factions_with_reports(now)
        faction = clubs[number % len(clubs)]
        assert package_faults(ruleset, now, faction, before, keep=opening_figures) == [], (now.desk, faction)


@pytest.mark.slow
def test_the_scripted_year_of_italy_mails_no_secret() -> None:
    """From its spring to its winter, the ten clubs in turn."""
    moments = list(year().values())[::12]
    for number, (before, now) in enumerate(pairwise(moments)):
        clubs = factions_with_reports(now)
        faction = clubs[number % len(clubs)]
        assert package_faults(GIGLIO, now, faction, before) == [], (now.desk, faction)


@pytest.mark.slow
def test_the_scripted_days_of_wallingford_mail_no_secret() -> None:
    """Each side in turn."""
    for day in list(england())[1::2]:
        now, before = england()[day], england()[day - 1]
        clubs = factions_with_reports(now)
        assert package_faults(ANARCHY, now, clubs[day // 2 % len(clubs)], before, keep=opening_figures) == [], day


def _nations() -> Iterator[Campaign]:
    """The scripted year of Tanaephis after each season's envoys."""
    campaign = tanaephis()
    yield campaign
    while campaign.desk.turn != "988Sp":
        asked, campaign = campaign.desk.phase, resolve(BLOODLUST, campaign, kit.SECRET).campaign
        if asked == "envoys":
            yield campaign


SCRIPTED: dict[str, tuple[Ruleset, Callable[[], Iterator[Campaign]]]] = {
    "incursio": (INCURSIO, lambda: (campaign for _, campaign, _ in days(esdef()))),
    "warriors": (WARRIORS, lambda: (campaign for _, campaign, _ in turns(borderlands()))),
    "bloodlust": (BLOODLUST, _nations)}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SCRIPTED))
def test_the_other_scripted_campaigns_mail_no_secret(name: str) -> None:
    """Turn by turn, the clubs in turn."""
    ruleset, states = SCRIPTED[name]
    for number, (before, now) in enumerate(islice(pairwise(states()), MOMENTS - 1)):
        clubs = factions_with_reports(now)
        assert package_faults(ruleset, now, clubs[number % len(clubs)], before, keep=opening_figures) == [], now.desk


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SCRIPTED))
def test_what_is_compared_says_why_and_holds_both_books(name: str) -> None:
    """Some package of each rulebook gives reasons; each up to it holds the book of the war and the rules booklet."""
    ruleset, states = SCRIPTED[name]
    reasons = 0
    for number, (before, now) in enumerate(islice(pairwise(states()), MOMENTS - 1)):
        clubs = factions_with_reports(now)
        sent = dict(pieces(ruleset, now, faction := clubs[number % len(clubs)], before))
        reasons += len(json.loads(sent[f"{faction_file_name(faction)}.json"])["reasons"]["items"])
        assert all(len(sent[one]) > 1000 for one in ("chronicle.html", "rules.html"))
        if reasons:
            break

    assert reasons


@pytest.mark.slow
def test_the_gate_can_say_no(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbook whose deadline depends on how long addresses are is noticed, and the column is named."""
    before, now = next(iter(of_robots("wells", tmp_path)))
    made = publish.copy_of

    def leaking(ruleset: Ruleset, campaign: Campaign, faction: str, token: str = "", by: str = "",
                shown: tuple[bytes, str] | None = None) -> bytes:
        length = sum(len(row.mail) for row in campaign.table(Faction))
        return made(ruleset, campaign, faction, token, f"{by} {length}", shown)

    monkeypatch.setattr(outgoing, "copy_of", leaking)

    assert any("Factions.mail" in one for one in package_faults(WELLS, now, factions_with_reports(now)[0], before))
