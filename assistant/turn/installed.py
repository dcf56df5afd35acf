"""Installed rulesets: found by their entry points, loaded, and known by what the files of their packages say."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from assistant.turn.findings import Finding
from assistant.turn.ruleset import INTERFACE, OURS, Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

# A plug-in is a package whose entry point names an instance of `Ruleset`; nothing else in Arbitro has to change for it.


GROUP = "arbitro.rulesets"
RULESETS_FOLDER = Path(__file__).resolve().parents[1] / "rulesets"
OTHER_INTERFACE, NOT_LOADED = "ARB-285", "ARB-286"


class UnfitRuleset(Exception):
    """An installed ruleset that cannot be used with this Arbitro; `finding` says which, why, and what to do."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.code} {dict(finding.data)}")
        self.finding = finding


@lru_cache(maxsize=1)
def _entries(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of our group; cached by `path`, because finding them means reading every installed package."""
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


def installed_rulesets() -> dict[str, str]:
    """Ids of the installed rulesets and their entry points (``package:object``), sorted."""
    return {e.name: e.value for e in sorted(_entries(tuple(sys.path)), key=lambda e: e.name)}


def load(ruleset_id: str) -> Ruleset:
    """The ruleset of an id. Raises KeyError if it is not installed, and `UnfitRuleset` if it is written for another
    interface or cannot be imported.

    For bundled rulesets the entry points are not read: that would take a tenth of a command's time.
    """
    if ruleset_id.isidentifier() and (RULESETS_FOLDER / ruleset_id / "ruleset.py").is_file():
        own = import_module(f"{OURS}rulesets.{ruleset_id}.ruleset")
        return cast(Ruleset, getattr(own, ruleset_id.upper()))
    for entry in _entries(tuple(sys.path)):
        if entry.name == ruleset_id:
            return _load_entry(entry)
    raise KeyError(ruleset_id)


def _load_entry(entry: EntryPoint) -> Ruleset:
    """The ruleset that an entry point names. Raises `UnfitRuleset`."""
    try:
        ruleset = entry.load()
        if not isinstance(ruleset, Ruleset):
            raise TypeError(f"{entry.value} is no ruleset")
    except Exception as fault:  # a stranger's module may fail in any way when it is imported
        from traceback import extract_tb
        own = [f for f in extract_tb(fault.__traceback__) if entry.module.partition(".")[0] in Path(f.filename).parts]
        place = f" ({Path(own[-1].filename).name}, {own[-1].lineno})" if own else ""
        reason = f"{type(fault).__name__}: {fault}{place}"
        raise UnfitRuleset(Finding(NOT_LOADED, "error", data={**_entry_data(entry), "reason": reason})) from fault
    if ruleset.interface != INTERFACE:
        side = "later" if ruleset.interface > INTERFACE else "earlier"
        data = {**_entry_data(entry), "theirs": ruleset.interface, "ours": INTERFACE, "side": side}
        raise UnfitRuleset(Finding(OTHER_INTERFACE, "error", data=data))
    return ruleset


def _entry_data(entry: EntryPoint) -> dict[str, str]:
    return {"ruleset": entry.name, "package": entry.dist.name if entry.dist else entry.module, "entry": entry.value}


def builds_on(ruleset: Ruleset) -> str:
    """The id of the rulebook on which a package builds; "" for a rulebook that stands by itself."""
    homes = type(ruleset).homes()
    return homes[1].ruleset if len(homes) > 1 and not type(ruleset).__module__.startswith(OURS) else ""


# Which code plays: a package is known by what its files say.


HASHED_ENDINGS = (".py", ".csv", ".json", ".toml")
"""Endings of the files that can change how a phase is resolved."""
CODE_DIGITS = 12


def ruleset_package(module: str) -> str:
    """The package that holds a ruleset's code: its own package in Arbitro, or all that a plug-in brings."""
    parts = module.split(".")
    return ".".join(parts[:3] if parts[0] == "assistant" else parts[:1])


def package_files(package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, or of a single module, sorted by name, with line ends normalized."""
    spec = importlib.util.find_spec(package)
    for place in [] if spec is None else map(Path, spec.submodule_search_locations or [spec.origin or ""]):
        files = {path.relative_to(place).as_posix(): path for path in place.rglob("*")} or {place.name: place}
        for name, path in sorted(files.items()):
            # a package that git has checked out on Windows is the same package
            if name.endswith(HASHED_ENDINGS) and path.is_file():
                yield name, path.read_bytes().replace(b"\r\n", b"\n")


class PackageMark(NamedTuple):
    """A package that builds on a rulebook. `digest`: of its own files, and of those on which it builds if they are
    plug-ins, too.
    """

    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.digest})"


def package_mark(ruleset: Ruleset) -> PackageMark | None:
    """The mark of a package of house rules as it is installed now; None for a rulebook that stands by itself."""
    if not builds_on(ruleset):
        return None
    digest = hashlib.sha256()
    modules = [kind.__module__ for kind in type(ruleset).__mro__ if "id" in vars(kind)]
    for package in dict.fromkeys(ruleset_package(name) for name in modules if not name.startswith(OURS)):
        for name, content in package_files(package):
            # with their lengths, so that no two lists of files can be mistaken for each other
            digest.update(f"{package}/{name}\0{len(content)}\0".encode() + content)
    return PackageMark(ruleset.id, ruleset.version, digest.hexdigest()[:CODE_DIGITS])


def package_text(ruleset: Ruleset) -> str:
    """The mark as the ledger has it, "" for a rulebook that stands by itself."""
    mark = package_mark(ruleset)
    return "" if mark is None else str(mark)
