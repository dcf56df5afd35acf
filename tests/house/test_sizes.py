"""What is read by people fits on their screens: functions, modules and folders."""

from __future__ import annotations

from tests.house.source import PACKAGE, ROOT, functions, modules

OURS = [*modules(PACKAGE), *modules(ROOT / "benchmarks"), ROOT / "dev.py"]
LONGEST_FUNCTION = 50
LONGEST_MODULE = 450
FULLEST_FOLDER = 16


def test_every_function_fits_on_a_screen() -> None:
    """No function is longer than fifty lines, its docstring included."""
    long = [f"{path.relative_to(ROOT)}:{f.lineno} {f.name}: {length} lines"
            for path in OURS for f in functions(path)
            if (length := (f.end_lineno or f.lineno) - f.lineno + 1) > LONGEST_FUNCTION]

    assert long == []


def test_every_module_can_be_read_in_one_sitting() -> None:
    """A module is a chapter: none is longer than four hundred and fifty lines."""
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in OURS}

    assert {name: n for name, n in lengths.items() if n > LONGEST_MODULE} == {}


def test_every_folder_is_seen_at_a_glance() -> None:
    """No folder of the package holds more than sixteen modules, its `__init__.py` counted."""
    full = {folder.relative_to(ROOT).as_posix(): count for folder in {path.parent for path in modules()}
            if (count := len(list(folder.glob("*.py")))) > FULLEST_FOLDER}

    assert full == {}
