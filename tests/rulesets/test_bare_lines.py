"""What people put before and around a line is no part of it: a list's mark, quotes, bold, emoji; in every rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import product

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Faction, Order
from assistant.desk.intake.line_parser import TypedLine, classify_line
from assistant.turn.dice_purposes import example_of_battle
from assistant.turn.orders.reader import read_row, read_text
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.orders.words import strip_marks
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.rulesets.test_cards import DECLARED, LANGUAGES, started

ITEMS = ("1. {}", "2) {}", "10. {}", "(3) {}", "1) {}", "- {}", "– {}", "* {}", "+ {}", "• {}", "•{}", "· {}", "▪ {}",
         "1️⃣ {}", "① {}", "👉 {}", "  - {}", "-\t{}")
AROUND = ("*{}*", "**{}**", "_{}_", '"{}"', "“{}”", "„{}“", "«{}»", "« {} »", "‹{}›", "'{}'", "‘{}’", "`{}`", "<<{}>>",
          "{} 👍", "⚔️ {} ⚔️", "🇮🇹{}", "{}\u00a0")
BOTH = tuple(first.format(second) for pair in product(("1. {}", "2) {}", "- {}"), ("*{}*", '"{}"', "«{}»", "{} 👍"))
             for first, second in (pair, pair[::-1]))
MARKS = (*ITEMS, *AROUND, *BOTH)


def examples(ruleset: Ruleset, campaign: Campaign, lang: str) -> Iterator[tuple[str, str]]:
    """Faction and line: all that the cards print for every third faction, a die's line and a battle's."""
    for faction in [*campaign.table(Faction)][::3]:
        for card in ruleset.order_cards(campaign, lang, Wording(ruleset, lang).text, faction.faction):
            if card.example:
                yield faction.faction, card.example
    yield "", f"die {next(iter(ruleset.rolls), 'siege')}:1 5 1d6"
    if ruleset.form is not None:
        heading = campaign.table(Battle).record.column(ruleset.form.line[0]).heading(lang)
        yield "", f"battle {example_of_battle(ruleset, campaign) or 'B1'}: {heading} _"


def understood(ruleset: Ruleset, campaign: Campaign, faction: str, line: str) -> tuple[TypedLine, object, object]:
    """How a line is read at each door: as one that was handed in, as an order, and in the cell of an order's row."""
    read = read_text(ruleset.read, line, campaign, faction)
    row = campaign.table(Order).record(order="x", turn=campaign.desk.turn, faction=faction, text=line)
    request = asdict(read_row(as_order_book(ruleset.verbs), campaign, row, ruleset.read))
    return (classify_line(line, ruleset, campaign, faction), (dict(read.fields), read.problem),
            {name: value for name, value in request.items() if name not in ("row", "problem")})


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), [*product(DECLARED, LANGUAGES)])
def test_a_decorated_line_is_its_undecorated_self(name: str, lang: str) -> None:
    """Each example that the cards print is bare again without each mark of a list, and whatever surrounds it; with one
    of them, by turns, it says the same at each door.
    """
    ruleset = load(name)
    campaign = started(ruleset, lang)
    lines = dict.fromkeys(examples(ruleset, campaign, lang))
    assert len(lines) >= 10
    for number, (faction, line) in enumerate(lines):
        assert strip_marks(line) == line, "no line of the book begins or ends with such a mark"
        assert [mark for mark in MARKS if strip_marks(mark.format(line)) != line] == []
        decorated = MARKS[number % len(MARKS)].format(line)
        said, meant = (understood(ruleset, campaign, faction, text) for text in (decorated, line))
        assert said == meant, (decorated, said, meant)


@pytest.mark.parametrize("line", [
    "17>18", "17 > 18", "1.5", "2", "2.", "1)", "-", "*", "👍", "120 V8 F7", "1: V8 F7", "-5 V8 F7", "1.5 V8 F7",
    "# 1. V8", "1.upkeep.consent.esdef.D1-07 yes", 'found D5 "Golden Hall"', '"Red" raise 5 "Blue"', "V8 F7 l'Aquila'"])
def test_what_is_no_mark_stays(line: str) -> None:
    """Numbers, ways, bare answers, armies before a colon, questions' names and names in quotes are the line's own."""
    assert strip_marks(line) == line


@pytest.mark.parametrize(("line", "left"), [
    ('"found D5 "Golden Hall""', 'found D5 "Golden Hall"'), ('found D5 "Golden Hall" 🏰', 'found D5 "Golden Hall"'),
    ('"V6 V7', "V6 V7"), ('V6 V7"', "V6 V7"), ("**1.** V6 V7", "V6 V7"), ("1.V6 V7", "V6 V7"), ("1)V6 V7", "V6 V7"),
    ("- 2. *V6 V7*", "V6 V7"), ("1. 120 V8 F7", "120 V8 F7"), ("*M:* V6 V7", "M:* V6 V7")])
def test_marks_of_several_kinds_go_together(line: str, left: str) -> None:
    """A number of a list never stays to be taken for an amount, and a quote that runs over lines is nobody's name."""
    assert strip_marks(line) == left
