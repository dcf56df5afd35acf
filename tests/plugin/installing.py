"""Plug-ins as if they were installed: names and modules in; what an installation writes of them out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

HERE = Path(__file__).parent
SMALL = {"wells": "arbitro_wells:WELLS", "toll": "arbitro_toll:TOLL"}
"""The two that are kept here, each in the folder of its name."""


@contextmanager
def installed_at(place: Path, entries: Mapping[str, str]) -> Iterator[None]:
    """Rulesets by id with the object that each entry point names; packages lie in `place`, or are kept here."""
    folders = [place, *(HERE / name for name in entries if (HERE / name).is_dir())]
    for name, target in entries.items():
        info = place / f"arbitro_{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: arbitro-{name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[arbitro.rulesets]\n{name} = {target}\n")
    before = list(sys.path)
    sys.path[:0] = [str(folder) for folder in folders]
    invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = before
        invalidate_caches()
