"""A ruleset in, who resolves its phases now out: the version of Arbitro, of the rules, and the code's fingerprint."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import assistant
from assistant.dataclass import dataclass
from assistant.turn.ruleset import Ruleset

FLOOR = ("assistant.campaign", "assistant.turn")
"""What every ruleset stands on."""
COUNTED = (".py", ".csv", ".json", ".toml")
"""Files that say how a phase is resolved."""
DIGITS = 12


@dataclass(frozen=True)
class Maker:
    """Who resolved a phase. `arbitro`, `rules`: versions; `code`: fingerprint of the code that a phase runs through.

    All are "" for one that left no note.
    """

    arbitro: str = ""
    rules: str = ""
    code: str = ""

    @classmethod
    def of(cls, noted: Mapping[str, Any]) -> Maker:
        """The maker of a note as `note` gave it; of another one what it says."""
        return cls(*(str(noted.get(name, "")) for name in ("arbitro", "rules", "code")))

    @property
    def note(self) -> dict[str, str]:
        """Plain values for the ledger."""
        return asdict(self)


def maker_of(ruleset: Ruleset) -> Maker:
    """The code that runs now, with this ruleset."""
    return Maker(assistant.__version__, ruleset.version, _code(home_of(type(ruleset).__module__)))


def home_of(module: str) -> str:
    """The package whose code is a ruleset's: its wing of the house, or all that a plug-in brings."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[0] == "assistant" else parts[:1])


@lru_cache(maxsize=16)
def _code(home: str) -> str:
    """The fingerprint of the floor's code and a ruleset's, the same wherever it is installed."""
    digest = hashlib.sha256()
    for package in (*FLOOR, home):
        for name, content in _files(package):
            digest.update(f"{package}/{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:DIGITS]


def _files(package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, or of a module alone, by name; line ends as on every system."""
    spec = importlib.util.find_spec(package)
    places = [] if spec is None else [Path(one) for one in spec.submodule_search_locations or [spec.origin or ""]]
    for place in places:
        found = {one.relative_to(place).as_posix(): one for one in place.rglob("*")} if place.is_dir() else {
            place.name: place}
        for name in sorted(found):
            if found[name].suffix in COUNTED and found[name].is_file():
                yield name, found[name].read_bytes().replace(b"\r\n", b"\n")
