"""`rehearse`: the rest of the turn on throw-away copies, a page beside the workbook, and nothing else changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Faction
from assistant.desk.commands.odds_rehearse import rehearsal
from assistant.ledger import path_of_ledger
from assistant.reporting.render import render_rehearsal
from assistant.testing import fog
from assistant.turn.phases import give_robot_orders, resolve, robots_of
from assistant.turn.rulebooks import load
from assistant.turn.throw_chances import FEWEST, TURN_PLAYS, new_battles, played_turns, plays_for, spread_of_numbers
from tests.fresh import new_campaign
from tests.playing import answer, arbitro
from tests.turn.test_throw_chances import BOOKS, unscripted

FEW = 4


@pytest.mark.slow
def test_nothing_changes_and_no_die_that_will_fall_is_used(tmp_path: Path) -> None:
    """Two campaigns that differ in the secret of their dice alone get the same page; workbook and ledger stay."""
    books = []
    for place, secret in (("a", "5e"), ("b", "a1")):
        (tmp_path / place).mkdir()
        books.append(new_campaign(tmp_path / place / "war.xlsx", "incursio", secret=secret * 32))
    before = [(book.read_bytes(), path_of_ledger(book).read_bytes()) for book in books]
    one, other = (desk.rehearse(book, plays=FEW, lang="en") for book in books)

    assert one.exit is other.exit is desk.Exit.DONE
    assert [(book.read_bytes(), path_of_ledger(book).read_bytes()) for book in books] == before
    pages = [book.with_name("war-rehearsal.html").read_text("utf-8") for book in books]
    assert pages[0] == pages[1]
    assert "What mostly happens" in pages[0]
    assert {file.name for file in (tmp_path / "a").iterdir()} == {"war.xlsx", "war.arbitro", "war-rehearsal.html"}


@pytest.mark.slow
def test_a_campaign_for_a_year(tmp_path: Path) -> None:
    """As the command line has it: robots are named, every faction's figures have a range, JSON says the same."""
    book = new_campaign(tmp_path / "war.xlsx", "warriors")
    told = answer("rehearse", book, "--plays", str(FEW))
    (one, *_) = next(iter(told["figures"].values())).values()

    assert told["plays"] == FEW
    assert told["robots"]
    assert one["low"] <= one["middle"] <= one["high"]
    assert Path(told["file"]).is_file()
    shown = arbitro("rehearse", book, "--plays", str(FEW), lang="it")
    assert "Che cosa succede quasi sempre" in shown.stdout
    assert arbitro("rehearse", book, "--for", "nobody").exit_code == desk.Exit.USAGE
    assert arbitro("rehearse", tmp_path / "none.xlsx").exit_code == desk.Exit.FILE
    path_of_ledger(book).unlink()
    assert arbitro("rehearse", book).exit_code == desk.Exit.LEDGER
    code = next(iter(told["figures"]))
    assert arbitro("rehearse", book, "--for", code, "--plays", str(FEW)).exit_code == desk.Exit.DONE
    assert book.with_name(f"war-rehearsal-{code}.html").is_file()


@pytest.mark.slow
def test_what_happens_always_and_what_does_not() -> None:
    """Shares are those of the plays: what is certain has 1, and a play is the phases themselves with other dice."""
    ruleset = load("incursio")
    campaign = unscripted(ruleset)
    told = rehearsal(ruleset, campaign, "", "en", FEW).data
    played = list(played_turns(ruleset, campaign, FEW))

    assert {row["share"] for row in told["events"]} <= {0.25, 0.5, 0.75, 1.0}
    assert all(play.campaign.desk.turn != campaign.desk.turn for play in played)
    assert sum(row["share"] for row in told["battles"]) > 0
    assert any(new_battles(campaign, play.campaign) for play in played)


@pytest.mark.slow
def test_a_turn_of_many_phases_is_played_less_often() -> None:
    """Some ten seconds are aimed at, whatever the turn; at least twenty plays."""
    assert plays_for(load("anarchy"), unscripted(load("anarchy"))) == TURN_PLAYS
    year = plays_for(load("giglio"), unscripted(load("giglio")))
    assert FEWEST <= year < TURN_PLAYS


def test_the_range_of_many_plays() -> None:
    """Nine in ten are not below the one end, nine in ten not above the other."""
    assert spread_of_numbers(range(20)) == (2, 10, 17)
    assert spread_of_numbers([7]) == (7, 7, 7)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_the_rehearsal_of_a_view_hangs_on_nothing_hidden(book: str) -> None:
    """What a faction may not know changes no byte of its page."""
    ruleset = load(book)
    campaign = unscripted(ruleset)
    code = next(row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS)
    for _ in range(2):
        whole, _ = give_robot_orders(ruleset, campaign, robots_of(campaign))
        facts = list(fog.hidden_cells(ruleset, whole, code, lambda row: False))
        other = fog.with_other_values(whole, fog.still_hidden_cells(ruleset, whole, code, facts))

        def page(known: Campaign) -> str:
            return render_rehearsal(rehearsal(ruleset, known, code, "it", 1).page)

        assert page(whole) == page(other)
        campaign = resolve(ruleset, whole, bytes(32)).campaign
