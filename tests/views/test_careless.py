"""A plug-in that forgets its secrets cannot tell them: what is addressed to one camp stays there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, FindingRow, Question
from assistant.desk.commands.report import Previous, Proofs, write_reports
from assistant.reporting.build import build_gazette, build_page, build_referee
from assistant.reporting.facts import luck_section
from assistant.reporting.reader import Reader
from assistant.reporting.render import render_html, render_json, render_text
from assistant.turn.game import Game, Phase
from assistant.wording import Wording
from tests.plugin.wells.arbitro_wells import Order, Wells
from tests.views import wells

SECRETS = ("CANARY", "canary")


def whisper(game: Game) -> None:
    """North alone learns what it found, by a die that is North's alone; then everybody hears of something."""
    trial = game.trial(f"canary:{game.turn}", "1d6", 4, {}, "N")
    game.tell("well.found", "N", roll=trial, faction="N", node="CANARY")
    game.tell("well.found", "referee", faction="CANARY", node="W1")
    game.tell("wells.over", winners=f"nobody on day {game.turn}")


class Careless(Wells):
    """The Wells with a view that hides nothing."""

    def phase(self, phase_id: str) -> Phase:
        """A day of whispers."""
        return Phase("dig", "Digging", "Scavo", "2", whisper, orders="day")

    def is_over(self, campaign: Campaign) -> bool:
        """It goes on."""
        return False

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """Everything for everybody."""
        return campaign.copy()


CARELESS = Careless()


@pytest.fixture
def told() -> Campaign:
    """Two days of whispers, with an order, a question and a finding of North's."""
    first = wells.played(CARELESS, wells.camps(CARELESS), 2)
    first.table(Order).add(Order(order="x", turn="2", phase="day", faction="N", verb="dig", target="CANARY",
                                 status="refused"))
    first.table(Question).add(Question(question="q", turn="2", phase="dig", kind="canary", to="N", about="CANARY",
                                       asked={"node": "CANARY"}, status="open"))
    first.table(FindingRow).add(FindingRow(turn="2", phase="dig", table="Orders", row="x", code="WEL-001",
                                           faction="N", data={"node": "CANARY", "near": "W1"}))
    return first


def forms(whole: Campaign, faction: str, previous: Campaign | None = None) -> dict[str, str]:
    """A club's report, or the gazette for "", in its three forms."""
    words, view = Wording(CARELESS, "en"), CARELESS.view(whole, faction)
    page = build_page(CARELESS, view, faction, words, previous=previous) if faction else build_gazette(
        CARELESS, view, words, previous=previous)
    return {"html": render_html(page), "text": render_text(page), "json": render_json(page)}


@pytest.mark.parametrize("faction", ["S", ""])
@pytest.mark.parametrize("known", [False, True], ids=["first", "later"])
def test_what_is_told_to_one_camp_is_in_no_other_report(told: Campaign, faction: str, known: bool) -> None:
    """Neither event nor die nor order, question or finding of North's, in no form, whatever the last report was."""
    previous = CARELESS.view(wells.played(CARELESS, wells.camps(CARELESS), 1), faction) if known else None
    for form, text in forms(told, faction, previous).items():
        assert not [word for word in SECRETS if word in text], form
        assert "nobody on day 2" in text


def test_north_reads_all_that_is_for_north(told: Campaign) -> None:
    """The comparison compares something: each of these stands in North's own report, but for the referee's."""
    text = forms(told, "N")["text"]

    assert "digs at CANARY" in text
    assert "Canary" in text
    assert "canary:2" in forms(told, "N")["json"]
    assert "CANARY digs" not in text
    assert len(json.loads(forms(told, "N")["json"])["asked"]) == 1


def test_the_referee_reads_everything(told: Campaign) -> None:
    """The referee's report is made of everything."""
    text = render_text(build_referee(CARELESS, told, Wording(CARELESS, "en")))

    assert "CANARY digs" in text


def test_luck_counts_the_dice_of_others_for_nobody_else(told: Campaign) -> None:
    """South's luck knows nothing of North's die."""
    counted = {}
    for camp in ("N", "S"):
        reader = Reader.of(CARELESS, CARELESS.view(told, camp), camp, Wording(CARELESS, "en"))
        found = luck_section(reader, {("1", "dig"), ("2", "dig")}, "Luck")
        counted[camp] = sum(row.dice for row in found.rows) if found else 0

    assert counted == {"N": 2, "S": 0}


def test_what_is_new_is_counted_without_what_is_for_others(told: Campaign, tmp_path: Path) -> None:
    """Where the last report is not known, South's next one still tells all that is new to South."""
    first = max(event.no for event in told.table(Event) if event.turn == "1")
    write_reports(CARELESS, told, tmp_path, ["S"], Proofs({}, {}), Previous(first))

    for name in ("S.txt", "gazette.txt"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "nobody on day 2" in text
        assert "nobody on day 1" not in text
        assert "CANARY" not in text
