"""What holds for all tests, and what a stranger installs: the wheel, made once a run."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from assistant.environment import GC_THRESHOLDS
from tests.cli.walking import Terminal, faults, new_home, part_of
from tests.once import once

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""What Python has compiled is kept, whatever the machine says: every worker imports all tests, some start processes."""

os.environ["ARBITRO_HOME"] = tempfile.mkdtemp(prefix="arbitro-home-")
os.environ.pop("ARBITRO_POST_PASSWORD", None)
"""No test finds the post of whoever runs it, nor leaves anything in their folder."""

os.environ["ARBITRO_NO_PICTURES"] = "1"
"""Commands draw no maps in tests that are about something else."""

os.environ["PIP_NO_COMPILE"] = "0"
"""Whoever is told to install compiles no library whole: most modules of the large ones are never imported. (It is pip
that has it the wrong way round: 0 means yes.)
"""

os.fsync = lambda fd: None
"""No test cuts the power: that a file reached the disk is never seen. Who stops a command at a call has it run in a
process of its own, which waits for the disk.
"""

gc.set_threshold(*GC_THRESHOLDS)
"""As the commands have it: what one test leaves behind is little beside what all modules hold."""

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("assistant", "reports", "workbook_templates", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE",
           "dev.py")
PYTHON = f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin"
"""Where the machine has its programs, and the Python that runs the tests."""
NEXT = "0.2.0"
"""The version that the manuals take for a newer one."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded by now is never looked through for garbage."""
    gc.freeze()


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds no more than a fresh clone, where README's line for the wheel was typed: once for this
    version, which lies in ``dist``, once for the next one, which lies in ``next``.
    """
    def make(home: Path) -> None:
        source, home = home / "source", new_home(home / "home")
        source.mkdir()
        for name in SOURCES:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("*.mo", "__pycache__"))
            else:
                shutil.copy(ROOT / name, source / name)
        _type_wheel(source, home)
        ours = shutil.copytree(source / "dist", source / "ours")
        version = source / "assistant" / "__init__.py"
        told = version.read_text(encoding="utf-8")
        version.write_text(told.replace('__version__ = "0.1.0"', f'__version__ = "{NEXT}"'), encoding="utf-8")
        _type_wheel(source, home)
        version.write_text(told, encoding="utf-8")
        (source / "dist").rename(source / "next")
        ours.rename(source / "dist")

    return once(tmp_path_factory, "checkout", make) / "source"


def _type_wheel(source: Path, home: Path) -> None:
    terminal = Terminal(source, home, "C.UTF-8", PYTHON)
    assert list(faults(terminal, part_of("README.md", "## Install", "## Two commands"))) == []
    terminal.close()


@pytest.fixture(scope="session")
def wheel(checkout: Path) -> Path:
    """The file from which Arbitro is installed."""
    (made,) = (checkout / "dist").glob("*.whl")
    return made
