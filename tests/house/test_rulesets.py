"""What every ruleset that ships owes to the referee: tested findings, cited rules, declared words."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.commands.help_pages import names_page
from assistant.desk.commands.lint_ruleset import lint_roles
from assistant.rulebook_source import private_uses, public_names
from assistant.turn.messages import COMMON_EVENTS
from assistant.turn.rulebooks import installed_rulesets, load
from assistant.turn.ruleset import Ruleset
from tests.house.source import PACKAGE, ROOT, modules, nodes, tree

OURS = [name for name, place in installed_rulesets().items() if place.startswith("assistant.")]


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


def test_a_ruleset_ships() -> None:
    """Il Giglio is found by its entry point."""
    assert "giglio" in OURS


def test_a_ruleset_that_ships_is_found_where_its_entry_point_says() -> None:
    """Nobody asks what is installed for it, so its place and its name in capitals must be those."""
    assert {name: place for name, place in installed_rulesets().items() if name in OURS} == {
        name: f"assistant.rulesets.{name}.ruleset:{name.upper()}" for name in OURS}
    assert [load(name).id for name in OURS] == OURS


def test_no_ruleset_uses_what_a_plug_in_may_not(ruleset: Ruleset) -> None:
    """The books that ship have no door of their own: what `arbitro help plugins` does not list is shut for both."""
    own = f"assistant.rulesets.{ruleset.id}"

    assert [f"{path.name}, {line}: {name}" for path in modules(wing(ruleset))
            for line, name in private_uses(tree(path), own)] == []


def test_a_use_that_is_not_public_is_noticed() -> None:
    """Of another room, of another wing, of a private name, of a module that is imported as a name."""
    text = ("from assistant.turn.game import Board, Calm\nfrom assistant.reporting.pages import Page\n"
            "from assistant.rulesets.giglio.ruleset import GIGLIO\nfrom assistant.turn.views import _column_groups\n"
            "from assistant.rulesets.mine.map import way\nfrom assistant.campaign import records as base\n"
            "import assistant.environment\nA, B = base.Node, base.readable\n")

    assert sorted(private_uses(ast.parse(text), "assistant.rulesets.mine")) == [
        (1, "assistant.turn.game.Calm"), (2, "assistant.reporting.pages.Page"),
        (3, "assistant.rulesets.giglio.ruleset.GIGLIO"), (4, "assistant.turn.views._column_groups"),
        (7, "assistant.environment"), (8, "assistant.campaign.records.readable")]


def test_every_public_name_says_what_it_is() -> None:
    """In the list of all names, which is derived from the code."""
    rows = [line for line in names_page() if line.startswith("| `")]

    assert [row for row in rows if row.endswith("|  |")] == []
    assert len(rows) == sum(map(len, public_names().values()))


def test_every_finding_of_a_ruleset_is_in_a_test(ruleset: Ruleset) -> None:
    """A code that no test names is a rule that nobody has seen refuse anything."""
    tested = text_of_the_tests()

    assert [code for code in ruleset.findings if code not in tested] == []


def test_no_rule_reads_rows_that_others_may_share(ruleset: Ruleset) -> None:
    """`Table.raw_rows` gives rows of which a change would reach every other copy of the campaign."""
    assert calls(ruleset, "raw_rows") == []


def test_every_event_cites_a_rule_and_says_who_hears_it(ruleset: Ruleset) -> None:
    """Its type says it; a call says only what differs, and never that nothing is cited."""
    assert [event.type for event in ruleset.events.values() if not (event.rule and event.to)] == []
    assert [call.lineno for call in calls(ruleset, "tell") for keyword in call.keywords
            if keyword.arg == "rule" and constants(keyword.value) == [""]] == []


def test_every_event_of_the_desk_cites_a_rule_and_says_who_hears_it() -> None:
    """As those of a rulebook."""
    assert [event.type for event in COMMON_EVENTS.values() if not (event.rule and event.to)] == []


def test_every_event_that_is_told_is_declared(ruleset: Ruleset) -> None:
    """An event without a declared type could not be worded in a report."""
    told = {word for call in calls(ruleset, "tell") for word in constants(call.args[0])}

    assert told
    assert sorted(told - set(ruleset.events)) == []


def test_a_ruleset_is_known_by_its_own_name(ruleset: Ruleset) -> None:
    """The entry point's name, the id on the Desk and the folder are one word."""
    assert ruleset.id in OURS
    assert wing(ruleset).is_dir()


def test_every_brace_of_a_refusal_is_filled(ruleset: Ruleset) -> None:
    """What wrong orders are told names all that its text shows; variants for another role's reasons are not this one's.
    """
    assert [finding.data for finding in lint_roles(ruleset)] == []


@pytest.mark.slow
def test_the_check_for_authors_finds_nothing_wrong_in_our_own(ruleset: Ruleset) -> None:
    """What `arbitro rulesets --check` asks of a plug-in holds for the rulebooks that come with us."""
    assert desk.lint_ruleset(ruleset.id, lang="en").findings == []
