"""What a faction may not see changes no byte of what leaves for it, whatever the column: for every ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, InboxRow, Rule
from assistant.campaign.tables import Record
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing.fog import (
    dice_told_too_widely,
    hidden_cells,
    leaking_columns,
    report_package,
    still_hidden_cells,
    with_other_values,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.views import Viewer
from tests.anarchy import test_robots as england_of_robots
from tests.anarchy.scenario import scripted_days
from tests.giglio import test_robots as italy_of_robots
from tests.plugin.wells.arbitro_wells import WELLS
from tests.reporting import feud
from tests.reporting.test_italy import LAST, year
from tests.views import wells

EARLY, LATE = ("1500", "r4.battle"), ("1500", "r8.move")
SEED = bytes(range(32))


def opening_figures(row: Record) -> bool:
    """The Anarchy: what each place had after the opening everybody could count, though its event is the referee's."""
    return getattr(row, "event", "") == "opened"


def with_rules(campaign: Campaign, **rules: str) -> Campaign:
    """The campaign with switches set by hand."""
    other = campaign.copy()
    for key, value in rules.items():
        other.table(Rule).add(Rule(key=key, value=value))
    return other


def with_mail(campaign: Campaign) -> Campaign:
    """The campaign with something on the sheet of what came."""
    other = campaign.copy()
    other.table(InboxRow).add(InboxRow(1, "V", "I march.", "-", decide="ask", turn=other.desk.turn,
                                       when="2026-11-22 21:00", sender="anna@a.test", source="1"))
    return other


def secret_columns(ruleset: Ruleset, whole: Campaign) -> set[tuple[str, str]]:
    """Sheet and field of every column that is not public, except keys."""
    viewer = ruleset.viewer(whole, "")
    return {(record.sheet, name) for record in ruleset.records
            for block in viewer.blocks(record) for name in block.blanks if not record.column(name).key}


@lru_cache(maxsize=1)
def england() -> dict[int, Campaign]:
    """Day -> Wallingford 1139 at its close."""
    return {day: with_mail(campaign) for day, campaign, _ in scripted_days()}


def with_two_clubs(campaign: Campaign) -> Campaign:
    """Wallingford with a second club on the angevin side, to which some of its groups belong."""
    other = campaign.copy()
    factions = other.by_sheet("Factions")
    factions.add(factions.record(faction="west", side="angevin"))
    for army in [a for a in other.by_sheet("Armies") if a.faction == "angevin"][::2]:
        army.faction = "west"
    return other


# --- Il Giglio ----------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("faction", ["V", "HRI", "S", "FR"])
def test_il_giglio_keeps_its_secrets(faction: str) -> None:
    """After the scripted year, with all that has come to pass since August in the report; all clubs are asked in the
    campaign of robots below.
    """
    assert leaking_columns(GIGLIO, with_mail(year()[LAST]), faction, with_mail(year()[LATE])) == []


@pytest.mark.slow
def test_reasons_chances_the_book_of_the_war_and_the_booklet_are_compared_too() -> None:
    """What is compared above holds them: why it came so, how likely it was, the chapters, the rules in force."""
    sent = report_package(GIGLIO, year()[LAST], "M", year()[LATE])

    for said in ("Why it turned out this way", "had a chance of", "The rules at the table", "What is in this book"):
        assert said in sent


@pytest.mark.slow
@pytest.mark.parametrize("rules", [{"garrison_public": "no"}, {"money_public": "yes"}], ids=str)
def test_a_switch_decides_what_is_secret(rules: dict[str, str]) -> None:
    """With hidden garrisons and with open chests, too: what is hidden then is hidden well."""
    now = with_rules(year()[LATE], **rules)
    tried: set[tuple[str, str]] = set()

    assert leaking_columns(GIGLIO, now, "M", with_rules(year()[EARLY], **rules), touched=tried) == []
    assert (("Nodes", "garrison") in tried) is ("garrison_public" in rules)
    assert (("Factions", "treasury") in tried) is ("money_public" not in rules)


def test_every_secret_of_il_giglio_was_tried() -> None:
    """No column that somebody may not see is left out of the comparisons above."""
    now = with_mail(with_rules(year()[LAST], garrison_public="no"))
    tried = {(f.sheet, f.name) for code in ("V", "M") for f in still_hidden_cells(GIGLIO, now, code, list(
        hidden_cells(GIGLIO, now, code, lambda row: False)))}

    assert secret_columns(GIGLIO, now) - tried == set()


# --- The Anarchy --------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("day", "faction"), [(4, "royal"), (8, "angevin"), (8, "neutral")])
def test_the_anarchy_keeps_its_secrets(day: int, faction: str) -> None:
    """In the midst of the scripted days and at their end."""
    assert leaking_columns(ANARCHY, england()[day], faction, england()[day - 1], keep=opening_figures) == []


@pytest.mark.slow
def test_the_clubs_of_a_side_share_and_no_others() -> None:
    """With two clubs on a side each of them learns what the side may, and nothing of the other side's."""
    now, before = with_two_clubs(england()[6]), with_two_clubs(england()[5])

    for faction in ("angevin", "west", "royal"):
        assert leaking_columns(ANARCHY, now, faction, before, keep=opening_figures) == []


def test_every_secret_of_the_anarchy_was_tried() -> None:
    """No column that somebody may not see is left out of the comparisons above."""
    now = england()[8]
    tried = {(f.sheet, f.name) for code in ("royal", "angevin", "neutral") for f in still_hidden_cells(
        ANARCHY, now, code, list(hidden_cells(ANARCHY, now, code, opening_figures)))}

    assert secret_columns(ANARCHY, now) - tried == set()


# --- others -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("faction", ["N", "S"])
def test_a_plug_in_keeps_its_secrets_without_a_line_about_them(faction: str) -> None:
    """The Wells says no more than who sees each column."""
    day_two = wells.played(WELLS, wells.camps(), 1)

    assert leaking_columns(WELLS, wells.played(WELLS, day_two, 1), faction, day_two) == []


@pytest.mark.parametrize("faction", ["R", "B", "G"])
def test_a_feud_keeps_its_secrets(faction: str) -> None:
    """A small book with chests, men, money and plots."""
    assert leaking_columns(feud.FEUD, feud.campaign(), faction) == []


@pytest.mark.parametrize("states", ["italy", "england"])
def test_no_event_tells_a_die_to_whom_the_die_is_not_for(states: str) -> None:
    """The dice in an event's sentence are those that its readers may know."""
    rules, now = (GIGLIO, year()[LAST]) if states == "italy" else (ANARCHY, england()[8])

    assert dice_told_too_widely(rules, now) == []


def shown_row_by_row(viewer: Viewer, record: type[Record]) -> dict[str, dict[str, object]]:
    """What a reader sees of a sheet, asked about each row and column by itself."""
    return {key: {c.name: getattr(row, c.name) if viewer.sees(row, c.name) else c.hidden for c in record.columns()}
            for key, row in viewer.campaign.by_sheet(record.sheet).in_file_order()
            if all(viewer.sees(row, c.name) for c in record.columns() if c.key)}


BOOKS: dict[str, Callable[[], tuple[Ruleset, Campaign]]] = {
    "italy": lambda: (GIGLIO, year()[LATE]),
    "hidden garrisons": lambda: (GIGLIO, with_rules(year()[LATE], garrison_public="no")),
    "england": lambda: (ANARCHY, with_two_clubs(england()[6])),
    "feud": lambda: (feud.FEUD, feud.campaign()),
}


@pytest.mark.parametrize("book", BOOKS)
def test_a_view_shows_of_each_row_what_its_columns_say(book: str) -> None:
    """Also where the rows that a faction sees are taken from what owners and others see, made once for all."""
    rules, now = BOOKS[book]()
    by_sides = set()
    for faction in ["", *now.by_sheet("Factions").keys()]:
        view, viewer = rules.view(now, faction), rules.viewer(now.copy(), faction)
        for sheet, record in now.records().items():
            if sheet not in viewer.exceptions() and not issubclass(record, Event):
                seen = {key: {c.name: getattr(row, c.name) for c in record.columns()}
                        for key, row in view.by_sheet(sheet).in_file_order()}
                assert seen == shown_row_by_row(viewer, record), (faction, sheet)
                by_sides |= {sheet} if viewer.sides(record) is not None else set()

    assert {"Desk", "Armies"} <= by_sides or book != "italy"


# --- the comparison compares something ------------------------------------------------------------------
class Talkative(feud.Feud):
    """A feud in which everybody is shown how many men all others have."""

    class Eyes(Viewer):
        """A viewer to whom bands look as they are."""

        def exceptions(self):  # type: ignore[no-untyped-def]
            """Bands, as they are."""
            return {"Armies": lambda row, seen: row}

    def viewer(self, campaign: Campaign, faction: str) -> Viewer:
        """With eyes for bands."""
        return Talkative.Eyes(campaign, self.rules(campaign), faction)

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The men of all."""
        return [("Men", sum(army.men for army in view.table(feud.Army)))]


@pytest.mark.slow
def test_a_leak_is_named() -> None:
    """A book that shows what its columns hide is told which column it is."""
    assert leaking_columns(Talkative(), feud.campaign(), "R") == ["Armies.men"]


def test_what_a_faction_may_see_is_never_changed() -> None:
    """The facts that are changed are others' only: red's view of the changed campaign is that of the old one."""
    whole = feud.campaign()
    facts = list(hidden_cells(feud.FEUD, whole, "R", lambda row: False))
    one, other = (feud.FEUD.view(c, "R") for c in (whole, with_other_values(whole, facts)))

    assert {(f.sheet, f.key) for f in facts} >= {("Armies", "B-1"), ("Factions", "B"), ("Events", "4")}
    for sheet, table in one.tables().items():
        assert [row.as_text() for row in table] == [row.as_text() for row in other.by_sheet(sheet)]


# --- whole campaigns ------------------------------------------------------------------------------------
def moments(ruleset: Ruleset, place: Path) -> Iterator[tuple[Campaign, Campaign]]:
    """Some moments of a campaign of robots, each with the one before it."""
    robots, every = (italy_of_robots, 180) if ruleset is GIGLIO else (england_of_robots, 22)
    last = robots.opening(place)
    for number, (_, outcome) in enumerate(robots.play(robots.opening(place), SEED), 1):
        if number % every == 0:
            yield last, outcome.campaign
            last = outcome.campaign


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", [GIGLIO, ANARCHY], ids=lambda one: one.id)
def test_campaigns_of_robots_keep_their_secrets(ruleset: Ruleset, tmp_path: Path) -> None:
    """Every few phases of a whole campaign, for every faction."""
    for before, now in moments(ruleset, tmp_path):
        assert dice_told_too_widely(ruleset, now) == []
        for faction in (row.faction for row in now.by_sheet("Factions")):
            assert leaking_columns(ruleset, now, faction, before, keep=opening_figures) == [], (now.desk, faction)
