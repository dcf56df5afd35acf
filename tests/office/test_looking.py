"""What the doctor says of the LibreOffice door, and what setup refuses; on folders made to look like LibreOffice's."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from assistant import __version__
from assistant.buttons import libreoffice
from assistant.buttons import libreoffice as looking
from assistant.buttons.libreoffice import SETTINGS
from assistant.buttons.workbook_buttons import SetupTrouble
from assistant.wording import Wording

LISTED = ('<?xml version="1.0"?>\n<ext:extension-backend-db xmlns:ext="urn:x"><extension url="vnd.sun.star.expand:'
          '$UNO_USER_PACKAGES_CACHE/uno_packages/lu1.tmp_/arbitro.oxt"{more}/></ext:extension-backend-db>')


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the programs of a LibreOffice that has its Python, and no profile yet."""
    folder = tmp_path / "office" / "program"
    folder.mkdir(parents=True)
    for name in ("unopkg", "unopkg.com", "pythonloader.py"):
        (folder / name).touch()
    monkeypatch.setenv(libreoffice.PROGRAM, str(folder.parent))
    monkeypatch.setenv(libreoffice.PROFILE, str(tmp_path / "profile"))
    return folder


def install(profile: Path, python: str = sys.executable, version: str = __version__, more: str = "") -> None:
    """What LibreOffice leaves in a profile when the extension was installed."""
    listed = profile / libreoffice.DEPLOYED
    listed.parent.mkdir(parents=True)
    listed.write_text(LISTED.format(more=more), encoding="utf-8")
    settings = profile / "user/uno_packages/cache/uno_packages/lu1.tmp_/arbitro.oxt" / SETTINGS
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"python": python, "version": version}), encoding="utf-8")


def seen() -> list[str]:
    """The codes of what the doctor finds; each has its words in both languages."""
    found = looking.office_findings()
    for lang in ("en", "it"):
        assert all(Wording(None, lang).finding(f) and "{" not in Wording(None, lang).finding(f) for f in found)
    return [f.code for f in found]


def refused() -> str:
    """The code with which setup refuses."""
    with pytest.raises(SetupTrouble) as told:
        libreoffice.install_extension("en")
    return told.value.code


def test_no_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is none, that is said, and nothing can be installed."""
    monkeypatch.setenv(libreoffice.PROGRAM, str(tmp_path))

    assert seen() == ["ARB-210"]
    assert refused() == "ARB-210"


def test_the_extension_is_not_installed(program: Path) -> None:
    """LibreOffice is there, the buttons are not."""
    assert seen() == ["ARB-211"]


def test_all_is_well(program: Path, tmp_path: Path) -> None:
    """This Python, this version, switched on: nothing is found."""
    install(tmp_path / "profile")

    assert seen() == []


def test_another_python_is_named_and_one_that_is_gone(program: Path, tmp_path: Path) -> None:
    """The buttons start what is not there any more, and the doctor says which."""
    install(tmp_path / "profile", python=str(tmp_path / "old" / "python"))

    assert seen() == ["ARB-212"]
    assert "is not there any more" in Wording(None, "en").finding(looking.office_findings()[0])


def test_another_python_that_works_is_not_said_to_be_gone(program: Path, tmp_path: Path) -> None:
    """Then only the difference is told."""
    (tmp_path / "python").touch()
    install(tmp_path / "profile", python=str(tmp_path / "python"))

    assert "any more" not in Wording(None, "en").finding(looking.office_findings()[0])


def test_an_older_extension(program: Path, tmp_path: Path) -> None:
    """After an update of Arbitro the buttons are to be renewed."""
    install(tmp_path / "profile", version="0.0.1")

    assert seen() == ["ARB-213"]


def test_the_extension_is_switched_off(program: Path, tmp_path: Path) -> None:
    """In the extension manager somebody has disabled it."""
    install(tmp_path / "profile", more=' revoked="true"')

    assert seen() == ["ARB-219"]


def test_libreoffice_without_its_python(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux distributions pack it apart."""
    monkeypatch.setattr(sys, "platform", "linux")
    (program / "pythonloader.py").unlink()

    assert seen() == ["ARB-215", "ARB-211"]
    assert refused() == "ARB-215"


def test_a_caged_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came as a Flatpak may start no other program."""
    monkeypatch.setenv(libreoffice.PROGRAM, str(tmp_path / "flatpak" / "exports" / "bin"))

    assert seen() == ["ARB-216"]
    assert refused() == "ARB-216"


def test_an_open_libreoffice_and_root_are_told_before_anything_is_done(
        program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lock file is named; and the administrator is sent away."""
    (tmp_path / "profile").mkdir()
    (tmp_path / "profile" / ".lock").touch()
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert refused() == "ARB-214"

    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert refused() == "ARB-218"


def test_what_libreoffice_refuses_is_told_in_its_words(
        program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installer of extensions ends with a fault, and its last words are shown."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    (program / "unopkg").write_text("#!/bin/sh\necho ERROR: no room >&2\nexit 1\n")
    (program / "unopkg").chmod(0o755)

    with pytest.raises(SetupTrouble) as told:
        libreoffice.install_extension("en")

    assert (told.value.code, told.value.data["reason"]) == ("ARB-217", "ERROR: no room")


def test_an_installer_that_fails_once_is_asked_again(
        program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a new profile LibreOffice's installer sometimes fails while it ends; the second time it goes well."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    (program / "unopkg").write_text(f"#!/bin/sh\nmkdir '{tmp_path}/once' && exit 1\nexit 0\n")
    (program / "unopkg").chmod(0o755)

    assert libreoffice.install_extension("en")[0].startswith("The buttons were installed")


def test_what_was_taken_out_is_not_said_to_have_failed(
        program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installer took the buttons out and failed after that; where they are still there it is told."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    install(tmp_path / "profile")
    (program / "unopkg").write_text("#!/bin/sh\nexit 1\n")
    (program / "unopkg").chmod(0o755)
    with pytest.raises(SetupTrouble):
        libreoffice.remove_extension("en")

    (program / "unopkg").write_text(f"#!/bin/sh\nrm -r '{tmp_path}/profile/user'\nexit 1\n")

    assert libreoffice.remove_extension("en")[0].startswith("The buttons were taken out")
