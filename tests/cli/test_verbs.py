"""`arbitro verbs`: what can be ordered, of a rulebook or of a campaign, with examples that Arbitro understands."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.cli.app import make_app
from assistant.rulesets.giglio.ruleset import GIGLIO
from tests.playing import arbitro


def verbs(*words: str | Path) -> Any:
    """What the command answers as JSON."""
    done = arbitro("verbs", *words, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_rulebook_lists_all_its_verbs() -> None:
    """By its id: each verb once, with what to write and what it costs."""
    found = {verb["verb"]: verb for verb in verbs("giglio")["verbs"]}

    assert set(found) == {verb.en for verb in GIGLIO.verbs.values()}
    assert found["enlist"]["cost"].startswith("sapper 50, spy 50")


@pytest.mark.slow
def test_a_workbook_lists_what_can_still_be_ordered_with_the_clubs_own_codes(book: Path) -> None:
    """In summer nobody borrows any more; Venice's examples are Venice's."""
    assert arbitro("resolve", book, "--until", "r1.contact", "--defaults").exit_code == 0
    now = {verb["verb"]: verb["example"] for verb in verbs(book, "--faction", "v")["verbs"]}
    ever = {verb["verb"] for verb in verbs(book, "--all")["verbs"]}

    assert "V" in now["split"]
    assert now.keys() < ever
    assert {"loan", "objective"} & ever - now.keys()


def test_a_rulebook_without_a_scenario_has_a_card_too(new_wells: Callable[[Path], Path], tmp_path: Path) -> None:
    """Its examples need a campaign: without one there are none, and nothing fails."""
    of_book, of_campaign = verbs("wells")["verbs"], verbs(new_wells(tmp_path))["verbs"]

    assert [one["verb"] for one in of_book] == [one["verb"] for one in of_campaign] == ["dig"]
    assert of_campaign[0]["example"] == "dig W1"


@pytest.mark.parametrize(("words", "said"), [
    (("giglio", "--faction", "Q"), "Q"), (("gigli",), "giglio"),
    (("nowhere.xlsx",), "There is no file nowhere.xlsx")])
def test_what_is_not_there_is_named(words: tuple[str, ...], said: str) -> None:
    """A faction, a rulebook, a file."""
    done = arbitro("verbs", *words)

    assert done.exit_code in (2, 5)
    assert said in done.stderr


def test_json_names_the_command_also_behind_a_language() -> None:
    """What could not be done says what it was."""
    done = arbitro("verbs", "--json")

    assert json.loads(done.stdout)["command"] == "verbs"


@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_help_of_no_command_speaks_of_one_rulebooks_places(lang: str) -> None:
    """Whoever plays The Anarchy is not told of V8 and F7."""
    line = make_app(lang)
    commands = [line.make_command(name) for name in line.makers]

    assert [command.name for command in commands for word in ("V8", "F7") if word in (command.help or "")] == []
