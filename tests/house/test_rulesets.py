"""What every ruleset that ships owes to the referee: tested findings, cited rules, declared words."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from assistant.turn.ruleset import Ruleset, installed, load
from tests.house.source import PACKAGE, ROOT, modules, nodes

# Where the arguments of Game.tell, Game.find stand, beside their names.
TELL = {"event": 0, "audience": 1, "rule": 2}
OURS = [name for name, place in installed().items() if place.startswith("assistant.")]


@pytest.fixture(params=OURS)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    """Each ruleset that ships."""
    return load(request.param)


def wing(ruleset: Ruleset) -> Path:
    """The folder of a ruleset's code."""
    return PACKAGE / "rulesets" / ruleset.id


def calls(ruleset: Ruleset, method: str) -> list[ast.Call]:
    """Every call of a method of that name in a ruleset's code."""
    return [node for path in modules(wing(ruleset)) for node in nodes(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method]


def argument(call: ast.Call, name: str, place: int) -> ast.expr | None:
    """An argument of a call by its name or place."""
    named = [k.value for k in call.keywords if k.arg == name]
    return named[0] if named else call.args[place] if len(call.args) > place else None


def constants(node: ast.expr | None) -> list[str]:
    """The texts that an expression can be, as far as they are written there."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


@cache
def text_of_the_tests() -> str:
    """All tests and their data in one text, without those of this folder."""
    here = Path(__file__).parent
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("*"))
                     if path.suffix in (".py", ".csv", ".json", ".md", ".txt", ".toml") and here not in path.parents)


def _cited_by_type(ruleset: Ruleset, call: ast.Call) -> bool:
    words = constants(argument(call, "event", TELL["event"]))
    return bool(words) and all(word in ruleset.events and ruleset.events[word].rule for word in words)


def test_a_ruleset_ships() -> None:
    """Il Giglio is found by its entry point."""
    assert "giglio" in OURS


def test_a_ruleset_that_ships_is_found_where_its_entry_point_says() -> None:
    """Nobody asks what is installed for it, so its place and its name in capitals must be those."""
    assert {name: place for name, place in installed().items() if name in OURS} == {
        name: f"assistant.rulesets.{name}.ruleset:{name.upper()}" for name in OURS}
    assert [load(name).id for name in OURS] == OURS


def test_every_finding_of_a_ruleset_is_in_a_test(ruleset: Ruleset) -> None:
    """A code that no test names is a rule that nobody has seen refuse anything."""
    tested = text_of_the_tests()

    assert [code for code in ruleset.findings if code not in tested] == []


def test_no_rule_reads_rows_that_others_may_share(ruleset: Ruleset) -> None:
    """`Table.raw_rows` gives rows of which a change would reach every other copy of the campaign."""
    assert calls(ruleset, "raw_rows") == []


def test_every_event_cites_a_rule(ruleset: Ruleset) -> None:
    """Whatever a phase tells, it says on which chapter or table it rests, or the event's type does."""
    told = calls(ruleset, "tell")

    silent = [call.lineno for call in told
              if ((rule := argument(call, "rule", TELL["rule"])) is None and not _cited_by_type(ruleset, call))
              or constants(rule) == [""]]

    assert told
    assert silent == []


def test_every_event_that_is_told_is_declared(ruleset: Ruleset) -> None:
    """An event without a declared type could not be worded in a report."""
    told = {word for call in calls(ruleset, "tell") for word in constants(argument(call, "event", TELL["event"]))}

    assert told
    assert sorted(told - set(ruleset.events)) == []


def test_a_ruleset_is_known_by_its_own_name(ruleset: Ruleset) -> None:
    """The entry point's name, the id on the Desk and the folder are one word."""
    assert ruleset.id in OURS
    assert wing(ruleset).is_dir()
