"""``arbitro setup excel`` and ``arbitro doctor``: each trouble is found and named with its cure, on any system."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import xlwings

from assistant import desk
from assistant.buttons.adding import add_buttons
from assistant.buttons.conf import interpreter
from assistant.buttons.doctor import doctor
from assistant.buttons.machine import Machine
from assistant.buttons.setup import setup_excel

EXCEL = "SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\App Paths\\excel.exe"


@pytest.fixture
def windows(tmp_path: Path) -> Machine:
    """A Windows computer with Excel, as it should be."""
    return Machine("win32", tmp_path, registry=lambda root, key, name: "excel.exe" if key == EXCEL else None)


@pytest.fixture
def mac(tmp_path: Path) -> Machine:
    """A Mac with Excel."""
    app = tmp_path / "Microsoft Excel.app"
    app.mkdir()
    return Machine("darwin", tmp_path, attribute=lambda path, name: None, mac_excel=app)


@pytest.fixture
def buttons(book: Path) -> Path:
    """The tiny campaign's workbook with buttons."""
    assert add_buttons(book).exit == desk.Exit.DONE
    return book.with_suffix(".xlsm")


def found(machine: Machine, path: Path | None = None) -> list[str]:
    """The codes of what doctor finds."""
    return [f.code for f in doctor(path, machine, lang="en").findings]


def test_a_computer_that_is_as_it_should_be_has_no_findings(windows: Machine, buttons: Path) -> None:
    """Excel, xlwings, the right Python, a workbook with buttons: all is well."""
    result = doctor(buttons, windows, lang="en")

    assert result.findings == []
    assert result.exit == desk.Exit.DONE
    assert result.lines[-1] == "All is well: the buttons can work."


def test_each_trouble_has_its_finding(windows: Machine, buttons: Path, book: Path) -> None:
    """No Excel, no xlwings, another Python, one that is gone, no buttons, macros switched off, old buttons."""
    off = replace(windows, registry=lambda root, key, name: 4 if name == "VBAWarnings" else "x")

    assert found(replace(windows, registry=lambda *_: None)) == ["ARB-198"]
    assert found(replace(windows, xlwings=""), buttons) == ["ARB-197"]
    assert found(replace(windows, python="/another/python"), buttons) == ["ARB-200"]
    assert found(off) == ["ARB-206"]
    assert found(windows, book) == ["ARB-205"]
    assert found(windows, book.with_name("none.xlsm")) == ["ARB-075"]
    assert found(replace(windows, xlwings="99.0"), buttons) == ["ARB-207"]


def test_a_python_that_is_gone_is_named(windows: Machine, book: Path) -> None:
    """The environment was deleted or made anew elsewhere."""
    from assistant.buttons.maker import with_buttons

    path = book.with_suffix(".xlsm")
    path.write_bytes(with_buttons(book.read_bytes(), "en", python="/gone/python"))

    assert found(windows, path) == ["ARB-199"]


def test_the_mark_of_the_web_is_seen_on_both_systems(windows: Machine, mac: Machine, buttons: Path) -> None:
    """A file that came by mail is blocked by Excel without a button to allow it."""
    Path(f"{buttons}:Zone.Identifier").write_text("[ZoneTransfer]\nZoneId=3\n")

    assert found(windows, buttons) == ["ARB-204"]
    setup_excel(mac)
    assert found(replace(mac, attribute=lambda path, name: b"0083"), buttons) == ["ARB-204"]


def test_a_mac_needs_xlwings_script_which_setup_installs_and_takes_away(mac: Machine) -> None:
    """Missing, too old, installed, removed: each is told, and nothing else in that folder is touched."""
    mac.mac_scripts.mkdir(parents=True)
    other = mac.mac_scripts / "club.applescript"
    other.write_text("theirs")
    assert found(mac) == ["ARB-201"]
    (mac.mac_scripts / "xlwings-0.1.0.applescript").write_text("old")
    assert found(mac) == ["ARB-202"]

    done = setup_excel(mac, lang="en")
    script = mac.mac_scripts / f"xlwings-{xlwings.__version__}.applescript"
    assert done.exit == desk.Exit.DONE
    assert sorted(p.name for p in mac.mac_scripts.iterdir()) == ["club.applescript", script.name]
    assert done.data["files"] == [str(script)]
    assert any(str(script) in line for line in done.lines)
    assert found(mac) == []

    undone = setup_excel(mac, undo=True, lang="en")
    assert [p.name for p in mac.mac_scripts.iterdir()] == ["club.applescript"]
    assert undone.data["files"] == [str(script)]
    assert "nothing to take away" in setup_excel(mac, undo=True, lang="en").lines[0]


def test_a_path_that_a_mac_cannot_start_is_named(mac: Machine, windows: Machine) -> None:
    """xlwings' script for macOS puts the path into a shell command as it is."""
    setup_excel(mac)

    assert found(replace(mac, python="/Users/me/my club/bin/python")) == ["ARB-208"]
    assert found(replace(windows, python="C:/my club/python.exe")) == []


def test_setup_on_windows_installs_nothing_and_names_the_python(windows: Machine) -> None:
    """The workbook brings its macros with it."""
    result = setup_excel(windows, lang="en")

    assert (result.exit, result.data["files"]) == (desk.Exit.DONE, [])
    assert any(interpreter() in line for line in result.lines)
    assert setup_excel(windows, undo=True, lang="en").exit == desk.Exit.DONE


def test_setup_without_xlwings_says_how_to_get_it(windows: Machine) -> None:
    """Nothing can call Python then."""
    result = setup_excel(replace(windows, xlwings=""), lang="en")

    assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.REFUSED, ["ARB-197"])


def test_a_folder_that_cannot_be_written_is_named(mac: Machine) -> None:
    """Setup fails in words."""
    mac.mac_scripts.parent.mkdir(parents=True)
    mac.mac_scripts.write_text("a file where the folder should be")

    result = setup_excel(mac, lang="en")

    assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.FILE, ["ARB-079"])
