"""Copies share what does not differ, and nothing else: for every rulebook that ships, and for the smallest one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Data, Flag, Parts, Typed, Whole
from assistant.campaign.records import OWNERLESS, Die, Faction, Rule
from assistant.campaign.tables import Record
from assistant.desk.inputs import check_ahead
from assistant.desk.play_phase import ResolveOptions, decide_phase, with_robot_orders
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.render import render_json
from assistant.testing.robots import SECRET, play_spoiled
from assistant.turn.phases import next_version, resolve, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.read.csv_folder import table_csv
from tests.rulesets.openings import OPENINGS, SMALL

PHASES = {"giglio": 12, "anarchy": 8, **dict.fromkeys(SMALL, 4)}
STEP = 3
"""Every so many phases all that can be done with a campaign is done."""


def export(campaign: Campaign) -> str:
    """All tables as CSV."""
    return "".join(table_csv(campaign, table.record) for table in campaign.tables().values())


def clubs(campaign: Campaign) -> list[str]:
    """Codes of the factions, and "" for everybody."""
    return ["", *(row.faction for row in campaign.table(Faction) if row.role not in OWNERLESS)]


def broken(ruleset: Ruleset, campaign: Campaign) -> None:
    """A phase that breaks off with its first die, or ends if it throws none."""
    try:
        resolve(ruleset, campaign, None)  # type: ignore[arg-type]
    except TypeError:
        return


def forbidden(ruleset: Ruleset, campaign: Campaign) -> None:
    """A phase that a number of the rulebook forbids."""
    work = campaign.copy()
    work.table(Rule).add(Rule(key=next(iter(ruleset.numbers)).key, value="rubbish"))
    assert not resolve(ruleset, work, SECRET).done


def with_bad_die(ruleset: Ruleset, campaign: Campaign) -> None:
    """A phase with a typed die that cannot be, and that nobody throws: it is named."""
    work = campaign.copy()
    dice = work.table(Die)
    dice.add(dice.record(key="no:such:die", dice="1d6", value="9", source="table"))
    assert [finding.code for finding in resolve(ruleset, work, SECRET).findings if finding.alone] == ["ARB-060"]


def reported(ruleset: Ruleset, campaign: Campaign) -> None:
    """Every report, from the views."""
    words = Wording(ruleset, "it")
    for code in clubs(campaign):
        view = ruleset.view(campaign, code)
        render_json(build_page(ruleset, view, code, words) if code else build_gazette(ruleset, view, words))
    render_json(build_referee(ruleset, campaign, words))


def replied(ruleset: Ruleset, campaign: Campaign) -> None:
    """The phase with what robots order and answer."""
    decide_phase(ruleset, campaign, SECRET, ResolveOptions(robots=frozenset(clubs(campaign)) - {""}, defaults=True))


DEEDS: Mapping[str, Callable[[Ruleset, Campaign], object]] = {
    "a phase that ends or waits": lambda ruleset, campaign: resolve(ruleset, campaign, SECRET),
    "a phase that breaks off": broken,
    "a phase that a number forbids": forbidden,
    "a phase beside a die that cannot be": with_bad_die,
    "check": lambda ruleset, campaign: (ruleset.check_orders(campaign), check_ahead(ruleset, campaign),
                                        ruleset.check_data(campaign)),
    "reports": reported,
    "robots": replied,
    "orders of robots": lambda ruleset, campaign: with_robot_orders(ruleset, campaign, ResolveOptions()),
    "standings": lambda ruleset, campaign: ruleset.standings(campaign),
}


def moments(name: str, folder: Path) -> Iterator[tuple[Ruleset, Campaign, Campaign]]:
    """Rulebook, the campaign before a phase and the one after it, now and then."""
    for number, played in enumerate(play_spoiled(*OPENINGS[name](folder), 1, PHASES[name])):
        if number % STEP == 0:
            yield played.ruleset, played.before, played.outcome.campaign


@pytest.mark.slow
@pytest.mark.parametrize("name", list(OPENINGS))
def test_whatever_is_done_with_a_campaign_leaves_it_as_it_was(name: str, tmp_path: Path) -> None:
    """A phase that ended, waits, broke off or was forbidden, check, robots and reports: its bytes stay the same."""
    for ruleset, before, _ in moments(name, tmp_path):
        as_it_was = export(before)
        for deed, do in DEEDS.items():
            do(ruleset, before)
            assert export(before) == as_it_was, (deed, before.desk)


def spoil(row: Record) -> None:
    """Change every value of a row, also those that can be changed in place."""
    for column in row.columns():
        old = getattr(row, column.name)
        if isinstance(column.kind, Data):
            old["spoilt"] = True
            for one in old.values():
                if isinstance(one, dict):
                    one["spoilt"] = True
                if isinstance(one, list):
                    one.append("spoilt")
        elif isinstance(column.kind, Flag):
            setattr(row, column.name, not old)
        elif isinstance(column.kind, (Whole, Parts)):
            setattr(row, column.name, 77)
        elif isinstance(column.kind, Codes):
            setattr(row, column.name, ("spoilt",))
        elif isinstance(column.kind, Choice):
            setattr(row, column.name, next(iter(column.kind.options)))
        else:
            setattr(row, column.name, 77 if isinstance(column.kind, Typed) else "spoilt")


def kin(ruleset: Ruleset, before: Campaign, after: Campaign) -> dict[str, Campaign]:
    """Campaigns that have rows in common."""
    with_corrected = before.copy()
    for row in list(with_corrected.by_sheet("Orders"))[:2]:
        with_corrected.by_sheet("Orders").add(next_version(with_corrected.by_sheet("Orders"), row))
    faction = clubs(before)[1]
    return {"before": before, "after": after, "copy": before.copy(), "copy of the copy": before.copy().copy(),
            "view": ruleset.view(before, faction), "another view": ruleset.view(before, faction),
            "view of all": ruleset.view(after, ""), "waits": resolve(ruleset, before, SECRET).campaign,
            "corrected": with_corrected, "in force": without_superseded(with_corrected.copy())}


@pytest.mark.parametrize("name", [pytest.param(one, marks=() if one == "wells" else pytest.mark.slow)
                                  for one in OPENINGS])
def test_a_row_that_is_changed_anywhere_changes_no_other_campaign(name: str, tmp_path: Path) -> None:
    """Copies, views, what came of a phase: every row of one is spoilt, and all others export to the same bytes."""
    for ruleset, before, after in moments(name, tmp_path):
        for spoilt in kin(ruleset, before, after):
            campaigns = kin(ruleset, before.copy(), after.copy())
            held = {key: [row for table in one.tables().values() for row in table]
                    for key, one in campaigns.items() if key in ("before", spoilt)}
            as_they_were = {key: export(one) for key, one in campaigns.items() if key != spoilt}
            for row in held[spoilt]:
                spoil(row)
            changed = [key for key, text in as_they_were.items() if export(campaigns[key]) != text]
            assert changed == [], (spoilt, before.desk)


@pytest.mark.parametrize("name", list(OPENINGS))
def test_a_view_shows_the_moment_in_which_it_was_made(name: str, tmp_path: Path) -> None:
    """Also what nobody has looked at before the campaign was changed."""
    for ruleset, before, _ in moments(name, tmp_path):
        faction = clubs(before)[1]
        as_it_was = export(ruleset.view(before, faction))
        changed = before.copy()
        view = ruleset.view(changed, faction)
        for row in [row for table in changed.tables().values() for row in table]:
            spoil(row)
        assert export(view) == as_it_was, before.desk


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name == "giglio" else [])
                                  for name in OPENINGS])
def test_no_row_is_handed_out_by_two_campaigns(name: str, tmp_path: Path) -> None:
    """Whoever has got a row of one of them has got none of another."""
    for ruleset, before, after in moments(name, tmp_path):
        known: dict[int, str] = {}
        campaigns = kin(ruleset, before, after)
        for key, one in campaigns.items():
            for table in one.tables().values():
                for row in table:
                    assert known.setdefault(id(row), key) == key, (known[id(row)], key, row)
