"""The buttons that make a campaign: of a scenario, or of a club's own workbook, in a file of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant import desk
from assistant.buttons.excel import press_on
from assistant.desk.results import Form
from assistant.desk.workspace.workspace import open_workspace
from assistant.ledger import path_of_ledger
from tests.buttons.benches import ExcelBench
from tests.buttons.test_press import bench, through_pipe
from tests.cli.test_adopt_clubs import QUESTIONS, club_book
from tests.fresh import equal_sheets_once

__all__ = ["bench"]
sheets_once = pytest.fixture(scope="module", autouse=True)(equal_sheets_once)


class Filler:
    """Somebody at the windows, who leaves what is proposed. `gives_up`: at which window, from 0; -1: at none."""

    def __init__(self, gives_up: int = -1, **typed: str) -> None:
        self.forms: list[Form] = []
        self._gives_up, self._typed = gives_up, typed

    def __call__(self, form: Form) -> Mapping[str, str] | None:
        """Fill in one form."""
        self.forms.append(form)
        if len(self.forms) - 1 == self._gives_up:
            return None
        return {field.name: self._typed.get(field.name, field.value) for field in form.fields}


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(place): place.read_bytes() for place in sorted(folder.rglob("*")) if place.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("club", QUESTIONS)
def test_a_clubs_workbook_is_adopted_in_windows(tmp_path: Path, club: str, lang: str) -> None:
    """The file, then a question a window with the club's own rows, then what was read as what; the club's own file
    stays as it is, and a phase is played on the new one.
    """
    book = club_book(tmp_path, club)
    before = book.read_bytes()
    referee = Filler()

    done = desk.adopt_by_form(book, referee, lang=lang)

    assert done.exit == 0, done.finding_lines()
    made = Path(done.data["path"])
    assert made.name == f"{club}-{'campaign' if lang == 'en' else 'campagna'}.xlsx"
    first, *questions, last = referee.forms
    assert (first.fields[0].value, len(questions), last.fields) == (str(book), QUESTIONS[club], ())
    assert all(len(question.lines) > 1 for question in questions if not question.fields[0].options)
    assert len(last.lines) > 3
    assert book.read_bytes() == before
    assert path_of_ledger(made).is_file()
    assert desk.resolve(made).exit == 0


@pytest.mark.slow
@pytest.mark.parametrize("club", QUESTIONS)
def test_who_gives_up_in_any_window_has_changed_nothing(tmp_path: Path, club: str) -> None:
    """In the first, at each question, and when it is shown what was read."""
    book = club_book(tmp_path, club)
    before = files(tmp_path)

    for window in range(QUESTIONS[club] + 2):
        referee = Filler(gives_up=window)
        done = desk.adopt_by_form(book, referee, lang="it")
        assert (done.exit, done.lines, len(referee.forms)) == (1, ["Non è cambiato niente."], window + 1)
        assert files(tmp_path) == before


def test_a_file_that_cannot_be_is_asked_for_again(tmp_path: Path) -> None:
    """With what is wrong with it above, and what was typed still there."""
    nothing = str(tmp_path / "nothing.xlsx")
    shown: list[Form] = []

    def fill_in(form: Form) -> Mapping[str, str] | None:
        shown.append(form)
        return {field.name: field.value for field in form.fields} | {"file": nothing} if len(shown) == 1 else None

    done = desk.adopt_by_form(tmp_path, fill_in, lang="en")

    assert (done.exit, done.lines) == (1, ["Nothing was changed."])
    assert "nothing.xlsx" in shown[1].lines[0]
    assert shown[1].fields[0].value == nothing


def test_a_new_campaign_opens_and_has_buttons_where_the_old_one_has(bench: ExcelBench, book: Path) -> None:
    """The workbook in which it was clicked stays as it was; a name that is taken is asked for again."""
    before = book.read_bytes()
    path = book.with_name("italy")

    done = through_pipe(bench, "new", {"with": "Il Giglio: Italy 1500", "file": str(book), "title": "Ours"},
                        {"file": str(path)})

    assert done["exit"] == 0, done["lines"]
    assert (done["open"], done["box"]) == (str(path.with_suffix(".xlsx")), True)
    assert book.read_bytes() == before
    made = open_workspace(path.with_suffix(".xlsx"))
    assert (made.campaign.desk.title, made.campaign.desk.ruleset) == ("Ours", "giglio")


def test_who_gives_up_has_no_new_campaign(bench: ExcelBench, book: Path) -> None:
    """No file is written."""
    there = files(book.parent)
    for verb in ("new", "adopt"):
        assert through_pipe(bench, verb, None)["lines"] == ["Nothing was changed."]
    assert files(book.parent) == there
    assert press_on(bench.open, "status").exit == 0
