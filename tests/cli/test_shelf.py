"""Where reports lie: their folder, its index, the index of one club, and the reports of before."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from assistant.campaign.records import Event
from assistant.desk.commands.report import Previous, Proofs, faction_file_name, write_reports
from assistant.desk.workspace.workspace import open_workspace
from tests.playing import arbitro

LARGEST = 90_000


@pytest.fixture(scope="module")
def spring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new campaign whose first phase is resolved, to copy from."""
    path = tmp_path_factory.mktemp("spring") / "war.xlsx"
    assert arbitro("--lang", "en", "new", "giglio", path, "--secret", "ab" * 32).exit_code == 0
    assert arbitro("resolve", path, "--yes").exit_code == 0
    return path


@pytest.fixture
def book(spring: Path, tmp_path: Path) -> Path:
    """A campaign of one's own."""
    for name in ("war.xlsx", "war.arbitro"):
        (tmp_path / name).write_bytes(spring.with_name(name).read_bytes())
    return tmp_path / "war.xlsx"


def links(index: Path) -> list[str]:
    """The files that an index leads to, each of which is there."""
    found = [unquote(href) for href in re.findall(r'href="([^"]*)"', index.read_text(encoding="utf-8"))]
    assert found
    assert all((index.parent / name).is_file() for name in found)
    return found


@pytest.mark.slow
def test_reports_lie_beside_the_workbook_and_are_listed(book: Path) -> None:
    """Without a folder: one named after the workbook, which is said; its index has every report, form and size."""
    result = arbitro("--lang", "en", "report", book)
    folder = book.with_name("war-reports")

    assert result.exit_code == 0
    assert str(folder) in result.output
    assert str(folder / "index.html") in result.output
    listed = links(folder / "index.html")
    assert set(listed) == {path.name for path in folder.iterdir() if not path.name.startswith("index")}
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert "for the referee only" in index
    assert "Venice" in index
    assert "Italian" in index or "English" in index
    size = round((folder / "V.html").stat().st_size / 1000)
    assert re.search(rf'href="V.html">page</a> <span[^>]*>{size} KB<', index)


@pytest.mark.slow
def test_the_index_of_a_club_names_its_own_pages_and_the_gazette(book: Path) -> None:
    """No other club, no other file, and the same bytes whatever lies there of others."""
    folder = book.with_name("r")
    assert arbitro("--lang", "en", "report", book, "--out", folder).exit_code == 0
    index = folder / "index-V.html"
    before = index.read_bytes()

    forms = ("html", "txt", "json", "chat.txt")
    assert set(links(index)) == {f"{name}.{form}" for name in ("V", "gazette") for form in forms} | {"V-whole.html"}
    text = index.read_text(encoding="utf-8")
    assert "for your eyes only" in text
    assert not [name for name in ("Milan", "France", "Savoy", "Referee") if name in text]
    for path in folder.glob("M.*"):
        path.unlink()
    assert arbitro("--lang", "en", "report", book, "--out", folder, "--faction", "V").exit_code == 0
    assert index.read_bytes() == before


@pytest.mark.slow
def test_the_index_of_one_club_s_folder_is_that_club_s(book: Path) -> None:
    """Where only its reports were written."""
    folder = book.with_name("r")
    assert arbitro("--lang", "en", "report", book, "--out", folder, "--faction", "M").exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "M-whole.html", "M.chat.txt", "M.html", "M.json", "M.txt", "index.html"]
    assert set(links(folder / "index.html")) == {"M-whole.html", "M.chat.txt", "M.html", "M.json", "M.txt"}
    assert "for your eyes only" in (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_reports_of_before_are_put_aside_and_found_again(book: Path) -> None:
    """A new moment's reports take the names; the old ones lie in a folder named after theirs, under the new in the
    index; written anew at the same moment they take each other's place.
    """
    folder = book.with_name("r")
    assert arbitro("--lang", "en", "report", book, "--out", folder).exit_code == 0
    old = (folder / "V.html").read_bytes()
    assert arbitro("resolve", book, "--yes").exit_code == 0
    for _ in range(2):
        assert arbitro("--lang", "en", "report", book, "--out", folder).exit_code == 0

    assert [path.name for path in folder.iterdir() if path.is_dir()] == ["1500.budget"]
    assert (folder / "1500.budget" / "V.html").read_bytes() == old
    assert (folder / "V.html").read_bytes() != old
    assert links(folder / "index-V.html").index("V.html") < links(folder / "index-V.html").index("1500.budget/V.html")
    assert "Older reports" in (folder / "index.html").read_text(encoding="utf-8")
    assert "1500.budget/M.html" not in links(folder / "index-V.html")


@pytest.mark.slow
def test_what_does_not_fit_a_mail_is_left_to_the_index(book: Path) -> None:
    """The page stays under 90 KB and says where the whole of it lies; the next one that fits leaves none behind."""
    folder = book.with_name("r")
    workspace = open_workspace(book, "en")
    usual = write_reports(workspace.ruleset, workspace.campaign, folder, ["M"], Proofs({}, {}), Previous(0))
    assert not [name for name in usual if "whole" in name]
    swollen = workspace.campaign.copy()
    for number in range(400):
        data = {"army": f"V-{number} " * 100, "amount": number, "lost": number, "left": number, "fleet": "V-F1"}
        for kind in ("army.moved", "army.embarked", "army.recruited", "army.reduced", "epidemic.loss"):
            swollen.table(Event).add(Event(no=len(swollen.table(Event)) + 1, turn="1500", phase="income", audience="M",
                                           event=kind, rule="2", data={**data, "path": "V0 V9", "node": "V0"}))

    written = write_reports(workspace.ruleset, swollen, folder, ["M"], Proofs({}, {}), Previous(0))

    page = (folder / "M.html").read_text(encoding="utf-8")
    assert "M-whole.html" in written
    assert len(page.encode()) < LARGEST < (folder / "M-whole.html").stat().st_size
    assert "M-whole.html" in page
    assert "index-M.html" in page
    assert "M-whole.html" in links(folder / "index-M.html")
    write_reports(workspace.ruleset, workspace.campaign, folder, ["M"], Proofs({}, {}), Previous(0))
    assert not (folder / "M-whole.html").exists()


@pytest.mark.parametrize("code", ["index", "INDEX-V", "V-whole"])
def test_no_faction_s_code_takes_the_place_of_an_index(code: str) -> None:
    """Such a code gets digits of its own, as a code does that is called like the gazette."""
    assert re.fullmatch(rf"{code}-[0-9a-f]{{6}}", faction_file_name(code))
