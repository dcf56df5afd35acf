"""The commands about buttons, as they are typed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import main
from tests.playing import copy_with_folder

pytestmark = pytest.mark.slow  # each makes a workbook with buttons


def run(*words: str) -> tuple[int, dict[str, Any]]:
    """A command's exit code and its JSON."""
    done = CliRunner().invoke(main, ["--lang", "en", *words, "--json"], standalone_mode=False)
    return int(done.return_value), json.loads(done.stdout)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new campaign with buttons, to copy from."""
    path = tmp_path_factory.mktemp("fresh") / "italy.xlsm"
    code, said = run("new", "giglio", str(path))
    assert (code, said["file"]) == (0, "italy.xlsm")
    return path


@pytest.fixture
def italy(tmp_path: Path, fresh: Path) -> Path:
    """A new campaign with buttons."""
    return copy_with_folder(fresh, tmp_path)


def test_new_makes_a_workbook_with_buttons_of_a_name_that_says_so(italy: Path) -> None:
    """``arbitro new giglio italy.xlsm``, which every other command reads and writes as ever."""
    with zipfile.ZipFile(italy) as archive:
        project = archive.read("xl/vbaProject.bin")

    assert run("check", str(italy))[0] == 0
    assert run("resolve", str(italy))[0] in (0, 3)
    with zipfile.ZipFile(italy) as archive:
        assert archive.read("xl/vbaProject.bin") == project


def test_doctor_looks_at_a_workbook(italy: Path) -> None:
    """Whether it has buttons, and which Python they call."""
    code, said = run("doctor", str(italy))

    assert said["buttons"] is True
    assert [f["code"] for f in said["findings"] if f["code"] in ("ARB-199", "ARB-200", "ARB-205", "ARB-207")] == []
    assert code in (0, 1)


def test_buttons_are_put_into_a_workbook_that_has_none(tmp_path: Path) -> None:
    """``arbitro buttons italy.xlsx`` makes italy.xlsm; a second time it asks for --force."""
    book = tmp_path / "italy.xlsx"
    run("new", "giglio", str(book))

    assert run("doctor", str(book))[1]["buttons"] is False
    assert run("buttons", str(book))[1]["file"] == "italy.xlsm"
    assert run("buttons", str(book))[0] == 5
    assert run("buttons", str(book), "--force")[0] == 0


def test_setup_says_what_it_did(tmp_path: Path) -> None:
    """On a computer without Excel it says that, and nothing is made ready."""
    code, said = run("setup", "excel")

    assert (code, bool(said["lines"])) in ((0, True), (1, False))
    assert code == (1 if "ARB-198" in [f["code"] for f in said["findings"]] else 0)


def test_send_is_a_command_that_says_that_it_is_not_built_yet(italy: Path, tmp_path: Path) -> None:
    """As its button: the reports are written, nothing leaves the computer, and the exit code does not say done."""
    code, said = run("send", str(italy))

    assert (code, said["command"], said["sent"]) == (1, "send", 0)
    assert [f["code"] for f in said["findings"]] == ["ARB-193"]
    assert (italy.with_name("italy-reports") / "referee.html").is_file()
    assert run("send", str(italy), "--out", str(tmp_path / "mail"))[1]["folder"] == str(tmp_path / "mail")


def test_a_folder_that_is_missing_is_told_as_a_folder(italy: Path, tmp_path: Path) -> None:
    """Never as a file that cannot be found, least of all the very file that is to be written."""
    nowhere, file = tmp_path / "nodir", tmp_path / "file"
    file.touch()

    for words in (("new", "giglio", nowhere / "k.xlsx"), ("buttons", italy, "--plain", nowhere / "c.xlsx"),
                  ("report", italy, "--out", file / "reports"), ("send", italy, "--out", file / "reports"),
                  ("export", italy, "--to", file / "tables"), ("demo", "giglio", "--out", file / "demo")):
        code, said = run(*map(str, words))
        assert (code, [f["code"] for f in said["findings"]]) == (5, ["ARB-251"]), words
    assert not nowhere.exists()
    missing = run("buttons", str(tmp_path / "gone.xlsm"), "--plain", str(tmp_path / "c.xlsx"))[1]["findings"][0]
    assert missing["text"].startswith("There is no file gone.xlsm.")


def test_answers_lists_what_is_open(italy: Path) -> None:
    """Nothing at first."""
    code, said = run("answers", str(italy))

    assert (code, said["open"]) == (0, 0)
    assert said["lines"] == ["No question is open."]
