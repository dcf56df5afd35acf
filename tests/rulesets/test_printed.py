"""Whatever is printed for a club to write is typed back as that club, and *check* refuses none of it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from assistant.testing import robots
from tests.rulesets.openings import OPENINGS
from tests.rulesets.printed import POSITIONS, printed_lines, said_of, some_positions
from tests.rulesets.test_checking import LATER
from tests.rulesets.test_legal import BOOKS, UNKNOWN_TO_CLUB

MOST_TYPED = 30
"""How many different lines of a position are typed back, besides all of those that are seldom printed."""
SELDOM = ("proposal", "hint")


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_no_line_that_is_printed_is_refused(name: str, tmp_path: Path) -> None:
    """Of reports, forms, cards, lists of verbs, hints and proposals, in either language, in positions by chance: what
    is refused all the same is so for what the club cannot know, as nothing speaks against it in its own view.
    """
    ruleset, campaign = (OPENINGS | LATER)[name](tmp_path)
    tried, unknown, refused = Counter[str](), Counter[str](), list[str]()
    for number, (here, faction) in enumerate(some_positions(ruleset, campaign)):
        chance, lang, view = random.Random(number), ("en", "it")[number % 2], ruleset.view(here, faction)
        lines = list(printed_lines(ruleset, view.copy(), faction, lang, chance))
        printed = {line.text: line for line in reversed(lines)}
        rare = [line for line in printed.values() if line.sort in SELDOM]
        usual = [line for line in printed.values() if line.sort not in SELDOM]
        for line in [*rare, *chance.sample(usual, min(MOST_TYPED, len(usual)))]:
            tried[line.sort] += 1
            if not said_of(here, faction, line.text, ruleset):
                continue
            if findings := said_of(view, faction, line.text, ruleset):
                refused.append(f"{here.desk.turn} {here.desk.phase} {faction}, {line.where}: {line.text}: "
                               f"{'; '.join(map(robots.finding_text, findings))}")
            else:
                unknown[line.sort] += 1
    print(f"{name}: {POSITIONS} positions, {tried.total()} lines ({dict(tried)}), {len(refused)} refused, "
          f"{unknown.total()} for what the club cannot know")
    assert refused == []
    assert tried.total() > 5 * POSITIONS
    assert unknown.total() <= UNKNOWN_TO_CLUB * tried.total()
