"""``arbitro setup excel`` and ``arbitro doctor``: each trouble is found and named with its cure, on any system."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
import xlwings

from assistant import desk
from assistant.buttons import macro
from assistant.buttons.excel import run
from assistant.buttons.excel_setup import Machine, doctor, setup_excel
from assistant.buttons.libreoffice import NO_EXTENSION, NO_OFFICE, OTHER_PYTHON
from assistant.buttons.vba_project import VbaModule, project_bytes
from assistant.buttons.workbook_buttons import add_buttons, interpreter
from assistant.turn.codes import finding
from assistant.turn.findings import Finding
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.port import HostFailed

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
    return Machine("darwin", tmp_path, attribute=lambda path, name: None, preference=lambda domain, key: None,
                   mac_excel=app)


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
    assert result.lines[-1] == "All is well: the buttons can work in Excel and in LibreOffice."


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_python_that_is_gone_is_named(windows: Machine, book: Path) -> None:
    """The environment was deleted or made anew elsewhere."""
    from assistant.buttons.workbook_buttons import with_buttons

    path = book.with_suffix(".xlsm")
    path.write_bytes(with_buttons(book.read_bytes(), "en", python="/gone/python"))

    assert found(windows, path) == ["ARB-199"]


NONE_THERE = [finding(NO_OFFICE, variable="ARBITRO_LIBREOFFICE")]
NOT_SET_UP = [finding(NO_EXTENSION)]


@pytest.mark.parametrize("office", [NONE_THERE, NOT_SET_UP])
def test_excel_alone_is_enough(office: list[Finding], windows: Machine, buttons: Path) -> None:
    """Whoever plays in Excel needs no LibreOffice: that it is not there is said, and all is well."""
    result = doctor(buttons, windows, lang="en", office=office)

    assert [(f.code, f.severity) for f in result.findings] == [(office[0].code, "info")]
    assert (result.exit, result.data["doors"]) == (desk.Exit.DONE, ["Excel"])
    assert result.lines[-1] == "All is well: the buttons can work in Excel."


def test_libreoffice_alone_is_enough(tmp_path: Path, book: Path) -> None:
    """On Linux with the extension a plain workbook is all that is needed, and xlwings is not missed either."""
    result = doctor(book, Machine("linux", tmp_path, xlwings=""), lang="en")

    assert [(f.code, f.severity) for f in result.findings] == [("ARB-198", "info"), ("ARB-205", "info")]
    assert (result.exit, result.data["doors"]) == (desk.Exit.DONE, ["LibreOffice"])
    assert result.lines[-1] == "All is well: the buttons can work in LibreOffice."


def test_a_computer_without_either_is_refused(tmp_path: Path, windows: Machine) -> None:
    """Buttons can work nowhere then, whatever the findings are called; nor with a door that is broken."""
    neither = doctor(None, Machine("linux", tmp_path), lang="en", office=NOT_SET_UP)
    broken = doctor(None, windows, lang="en", office=[finding(OTHER_PYTHON, seen="/gone", python="/here", gone="")])

    assert (neither.exit, [f.code for f in neither.findings]) == (desk.Exit.REFUSED, ["ARB-198", "ARB-211"])
    assert "neither" in neither.lines[-1]
    assert broken.exit == desk.Exit.REFUSED


def test_macros_that_are_blocked_are_found_on_both_systems(windows: Machine, mac: Machine) -> None:
    """Excel says nothing then: all switched off, or all that nobody has signed."""
    setup_excel(mac)

    for value in (3, 4):
        assert found(replace(windows, registry=lambda root, key, name, value=value: (  # type: ignore[misc]
            value if name == "VBAWarnings" else "x"))) == ["ARB-206"]
    said = {"com.microsoft.office": "DisabledWithoutWarnings"}
    assert found(replace(mac, preference=lambda domain, key: said.get(domain))) == ["ARB-206"]
    assert found(replace(mac, preference=lambda domain, key: "DisabledWithWarnings")) == []


def test_doctor_says_on_a_mac_that_only_a_click_shows_the_permission(mac: Machine, windows: Machine) -> None:
    """macOS tells nobody beforehand whether Excel may be controlled; where to allow it is said."""
    setup_excel(mac)

    assert any("Privacy & Security, Automation" in line for line in doctor(None, mac, lang="en").lines)
    assert not any("macOS" in line for line in doctor(None, windows, lang="en").lines)


def test_a_click_that_macos_refused_is_found_until_one_is_let_through(
        mac: Machine, windows: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Excel answers nobody then; what a click met is noted, and doctor finds the note."""
    def refused() -> None:
        raise HostFailed("Not authorized to send Apple events to Microsoft Excel. (-1743)", "ARB-203")

    setup_excel(mac)
    monkeypatch.setattr("assistant.buttons.excel.Machine", lambda: mac)
    monkeypatch.setattr("assistant.buttons.excel._caller", refused)
    with pytest.raises(SystemExit, match="ARB-203"):
        run("status")
    assert found(mac) == ["ARB-203"]

    monkeypatch.setattr("assistant.buttons.excel._caller", lambda: None)
    monkeypatch.setattr("assistant.buttons.excel.press_on", lambda book, verb: None)
    run("status")
    assert found(mac) == []

    windows.note_click(allowed=False)
    assert not windows.refused_click.exists()


def test_a_workbook_whose_macros_are_gone_is_named(windows: Machine, buttons: Path) -> None:
    """The buttons are there, and a project too, but not the Subs that they call."""
    book = OoxmlBook(buttons.read_bytes())
    book.package.put(
        "xl/vbaProject.bin", project_bytes([VbaModule("ThisWorkbook"), VbaModule("Module1", "Sub Mine()\nEnd Sub")])
    )
    buttons.write_bytes(book.package.pack())

    result = doctor(buttons, windows, lang="en")

    assert [f.code for f in result.findings] == ["ARB-250"]
    assert "Arbitro_ResolvePhase" in result.finding_lines()[0]


def test_a_workbook_that_is_no_campaign_is_named(windows: Machine, tmp_path: Path) -> None:
    """Its buttons, if it had any, would find nothing."""
    shop = tmp_path / "shop.xlsx"
    openpyxl.Workbook().save(shop)

    assert found(windows, shop) == ["ARB-004"]


def test_doctor_leads_to_the_later_of_two_workbooks(windows: Machine, book: Path, buttons: Path) -> None:
    """Never to make the old one anew over the campaign that has gone on."""
    assert desk.resolve(buttons).exit == desk.Exit.DONE

    assert found(windows, book) == ["ARB-248"]


def test_the_mark_of_the_web_is_seen_on_both_systems(windows: Machine, mac: Machine, buttons: Path) -> None:
    """A file that came by mail is blocked by Excel without a button to allow it; each system has its own cure."""
    Path(f"{buttons}:Zone.Identifier").write_text("[ZoneTransfer]\nZoneId=3\n")

    assert found(windows, buttons) == ["ARB-204"]
    setup_excel(mac)
    quarantined = doctor(buttons, replace(mac, attribute=lambda path, name: b"0083"), lang="en")
    assert [f.code for f in quarantined.findings] == ["ARB-252"]
    assert f'xattr -d com.apple.quarantine "{buttons}"' in quarantined.finding_lines()[0]


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
    assert done.data["files"] == [str(script), str(mac.home / "Arbitro.xlsm")]
    assert any(str(script) in line for line in done.lines)
    assert found(mac) == []

    undone = setup_excel(mac, undo=True, lang="en")
    assert [p.name for p in mac.mac_scripts.iterdir()] == ["club.applescript"]
    assert undone.data["files"] == [str(script), str(mac.home / "Arbitro.xlsm")]
    assert "nothing to take away" in setup_excel(mac, undo=True, lang="en").lines[0]


def test_a_path_that_a_mac_cannot_start_is_named(mac: Machine, windows: Machine) -> None:
    """xlwings' script for macOS puts the path into a shell command as it is."""
    setup_excel(mac)

    assert found(replace(mac, python="/Users/me/my club/bin/python")) == ["ARB-208"]
    assert found(replace(windows, python="C:/my club/python.exe")) == []


def test_setup_on_windows_leaves_the_start_workbook_and_names_the_python(windows: Machine) -> None:
    """A workbook brings its macros with it."""
    result = setup_excel(windows, lang="en")

    assert (result.exit, result.data["files"]) == (desk.Exit.DONE, [str(windows.home / "Arbitro.xlsm")])
    assert any(interpreter() in line for line in result.lines)
    assert setup_excel(windows, undo=True, lang="en").exit == desk.Exit.DONE


def test_what_was_installed_is_taken_away_also_when_xlwings_and_excel_are_gone(mac: Machine) -> None:
    """It is only a file that has to go."""
    setup_excel(mac)
    mac.mac_excel.rmdir()

    undone = setup_excel(replace(mac, xlwings=""), undo=True, lang="en")

    assert (undone.exit, undone.findings, len(undone.data["files"])) == (desk.Exit.DONE, [], 2)
    assert list(mac.mac_scripts.iterdir()) == []


def test_setup_without_excel_is_refused(tmp_path: Path, windows: Machine) -> None:
    """As without LibreOffice: there is nothing that could be made ready."""
    for machine in (Machine("linux", tmp_path), replace(windows, registry=lambda *_: None)):
        result = setup_excel(machine, lang="en")
        assert (result.exit, [f.code for f in result.findings]) == (desk.Exit.REFUSED, ["ARB-198"])


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


def test_the_extension_imports_what_its_modules_have() -> None:
    """LibreOffice loads them under another package's name, where no type checker looks."""
    folder = Path(str(macro.__file__)).parent
    for node in ast.parse((folder / "component.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("arbitro_office."):
            module = ast.parse((folder / f"{str(node.module).partition('.')[2]}.py").read_text(encoding="utf-8"))
            there = {name for one in module.body for name in _names_made(one)}
            assert {alias.name for alias in node.names} <= there


def _names_made(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
