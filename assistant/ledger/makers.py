"""A ruleset in, who resolves its phases now out: the version of Arbitro, of the rules, and the code's fingerprint."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import assistant
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
    for place in [] if spec is None else spec.submodule_search_locations or [spec.origin or ""]:
        found = _below(place) if os.path.isdir(place) else {os.path.basename(place): place}
        for name in sorted(found):
            if name.endswith(COUNTED) and os.path.isfile(found[name]):
                with open(found[name], "rb") as stream:
                    yield name, stream.read().replace(b"\r\n", b"\n")


def _below(place: str) -> dict[str, str]:
    """Name with slashes -> path of all files in a folder and below; every command asks, so without `Path`."""
    found = {}
    for folder, _, names in os.walk(place):
        home = folder[len(place):].replace(os.sep, "/")
        found.update({f"{home}/{name}".lstrip("/"): os.path.join(folder, name) for name in names})
    return found
