"""The past of campaigns by the real commands: verified, undone and played again, corrected, it comes out the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import TurnQuestion
from assistant.desk import Exit
from assistant.testing.cases import campaign_of
from tests.bloodlust.scenario import PLACE

pytestmark = pytest.mark.slow
SCRIPT = ("orders", "answers", "dice", "expected", "battle_")
STATE = tuple(f"{name}.csv" for name in (
    "desk", "factions", "nodes", "armies", "units", "leaders", "weapons", "wars", "peaces", "alliances", "relations",
    "sieges", "battles"))


def exported(book: Path, folder: Path) -> dict[str, list[str]]:
    """The CSVs of a workbook, in whatever order their rows stand."""
    assert desk.export(book, folder).exit == Exit.DONE
    return {file.name: sorted(file.read_text(encoding="utf-8").splitlines()) for file in folder.glob("*.csv")}


def clean(book: Path) -> bool:
    """Whether verify finds nothing that stops."""
    verified = desk.verify(book, lang="en")
    return verified.exit == Exit.DONE and not [finding for finding in verified.findings if finding.stops]


def test_the_demo_can_be_verified_undone_and_corrected(tmp_path: Path) -> None:
    """The scripted year; back to the middle and forth again; a die of a Fall's battle corrected, which moves nothing
    but money, is what the rules make of it, and can be taken back.
    """
    book = tmp_path / "tanaephis.xlsx"
    assert desk.new_campaign(desk.NewPlan("bloodlust", folder=PLACE, secret="ab" * 32), book).exit == Exit.DONE
    assert desk.resolve(book, until="987Wi.close", lang="en").exit == Exit.DONE
    first = exported(book, tmp_path / "first")
    assert desk.undo(book, to="987Fa.battle", lang="en").exit == Exit.DONE
    assert desk.resolve(book, until="987Wi.close", lang="en").exit == Exit.DONE
    assert exported(book, tmp_path / "second") == first
    found = desk.correct(
        book,
        desk.CorrectionRequest((desk.Input("a die", text="die loot/VOR-a2 1+5+6"),), at="987Fa.battle"),
        desk.CorrectionOptions("misread"),
        confirm=lambda _: True,
        lang="en",
    )
    assert found.exit == Exit.DONE, found.finding_lines()
    third = exported(book, tmp_path / "third")
    assert {name for name in STATE if third[name] != first[name]} == {"factions.csv"}
    assert clean(book)
    assert desk.undo(book, steps=1, lang="en").exit == Exit.DONE
    assert exported(book, tmp_path / "fourth") == first


def test_a_year_of_robots_can_be_verified(tmp_path: Path) -> None:
    """Robots play a year by the real commands, their battles answered by dice: verify finds nothing."""
    book, folder = tmp_path / "robots.xlsx", tmp_path / "folder"
    folder.mkdir()
    for file in PLACE.glob("*.csv"):
        if not file.name.startswith(SCRIPT):
            text = file.read_text(encoding="utf-8")
            (folder / file.name).write_text(text.replace(",player,", ",robot,"), encoding="utf-8")
    assert desk.new_campaign(desk.NewPlan("bloodlust", folder=folder, secret="cd" * 32), book).exit == Exit.DONE
    battles = 0
    while desk.resolve(book, until="987Wi.close", lang="en").exit != Exit.DONE:
        open_now = [row.question for row in campaign_of(book).table(TurnQuestion) if not row.answer]
        battles += len(open_now)
        lines = [desk.Input(line, text=line) for line in (f"answer {question} auto" for question in open_now)]
        assert desk.take_orders(book, lines, lang="en").exit == Exit.DONE
    assert battles
    assert clean(book)
