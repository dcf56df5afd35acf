"""Setup and doctor with the real LibreOffice of this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.office.window import ARBITRO, as_user, new_profile

pytestmark = pytest.mark.slow


@pytest.fixture
def user() -> Iterator[Path]:
    """A user's folder with new settings of LibreOffice."""
    with tempfile.TemporaryDirectory(prefix="arbitro-") as made:
        folder = Path(made)
        folder.chmod(0o755)
        new_profile(folder / "profile", "en")
        (folder / "home").mkdir()
        yield folder


def arbitro(user: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as that user."""
    return as_user([str(ARBITRO), "--lang", "en", *words], home=user / "home", profile=user / "profile", **environment)


def codes(user: Path) -> set[str]:
    """What the doctor finds of LibreOffice."""
    found: dict[str, Any] = json.loads(arbitro(user, "doctor", "--json").stdout)
    return {f["code"] for f in found["findings"] if "ARB-210" <= f["code"] <= "ARB-219"}


def test_the_buttons_are_installed_renewed_and_taken_out(user: Path) -> None:
    """Setup says what it did; the doctor sees it each time; taking out twice changes nothing."""
    assert codes(user) == {"ARB-211"}

    first = arbitro(user, "setup", "libreoffice")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "The buttons were installed in LibreOffice" in first.stdout
    assert codes(user) == set()

    assert "The buttons in LibreOffice were renewed." in arbitro(user, "setup", "libreoffice").stdout
    assert "taken out" in arbitro(user, "setup", "libreoffice", "--undo").stdout
    assert codes(user) == {"ARB-211"}
    assert "nothing was changed" in arbitro(user, "setup", "libreoffice", "--undo").stdout


def test_another_python_that_comes_first_does_not_harm_libreoffice(user: Path) -> None:
    """pyenv and conda put their Python before the machine's: LibreOffice's own would look for its library there."""
    path = f"{sys.base_prefix}/bin{os.pathsep}{os.environ['PATH']}"

    done = arbitro(user, "setup", "libreoffice", PATH=path, PYTHONHOME=sys.base_prefix)

    assert done.returncode == 0, done.stdout + done.stderr
    assert codes(user) == set()
