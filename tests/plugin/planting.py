"""Rulebooks of which one line was changed: the source of a sound one with a fault planted, imported beside it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module, invalidate_caches
from pathlib import Path
from shutil import copytree, ignore_patterns

from assistant.campaign.campaign import Campaign
from assistant.desk.commands.rulesets import scenarios_of
from assistant.testing import kit
from assistant.turn.ruleset import Ruleset

TESTS = Path(__file__).parents[1]
HOSTS = {"wells": TESTS / "plugin" / "wells" / "arbitro_wells", "toll": TESTS / "plugin" / "toll" / "arbitro_toll",
         "waters": TESTS / "sketches" / "waters", "walls": TESTS / "sketches" / "walls",
         "realms": TESTS / "sketches" / "realms"}
"""Rulebooks of one module each, with scenarios beside it."""
Replaced = Sequence[tuple[str, str]]
"""What stands in the source once, and what shall stand there."""


@contextmanager
def planted(host: str, place: Path, replaced: Replaced = ()) -> Iterator[Ruleset]:
    """A copy of a rulebook with other lines, installed under the name of the sound one. `place`: an empty folder.

    Raises AssertionError for a line that does not stand in the source exactly once.
    """
    name = f"planted_{place.name.replace('-', '_')}_{host}"
    copytree(HOSTS[host], place / name, ignore=ignore_patterns("__pycache__"))
    module = place / name / "__init__.py"
    source = module.read_text(encoding="utf-8")
    for was, now in replaced:
        assert source.count(was) == 1, f"{host} has {source.count(was)} times: {was}"
        source = source.replace(was, now)
    module.write_text(source, encoding="utf-8")
    with kit.plug_in(place, **{host: f"{name}:{host.upper()}"}):
        invalidate_caches()
        try:
            yield getattr(import_module(name), host.upper())
        finally:
            sys.modules.pop(name, None)


def opening(ruleset: Ruleset) -> Campaign:
    """Its scenario as it begins, played by robots."""
    return kit.with_robots(kit.opening(ruleset, next(iter(scenarios_of(ruleset).values()))))
