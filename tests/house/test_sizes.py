"""What is read by people fits on their screens."""

from __future__ import annotations

from tests.house.source import PACKAGE, ROOT, functions, modules

OURS = [*modules(PACKAGE), *modules(ROOT / "benchmarks"), ROOT / "dev.py"]
LONGEST_FUNCTION = 50


def test_every_function_fits_on_a_screen() -> None:
    """No function is longer than fifty lines, its docstring included."""
    long = [f"{path.relative_to(ROOT)}:{f.lineno} {f.name}: {length} lines"
            for path in OURS for f in functions(path)
            if (length := (f.end_lineno or f.lineno) - f.lineno + 1) > LONGEST_FUNCTION]

    assert long == []
