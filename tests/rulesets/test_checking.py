"""Checking is the phase itself: what *check* refuses resolve refuses, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import kit
from assistant.testing.robots import play_spoiled
from assistant.workbook.read.csv_folder import write_folder
from tests.bloodlust.scenario import BLOODLUST, ground
from tests.incursio.test_promises import opening as incursio
from tests.playing import answer, arbitro
from tests.rulesets.openings import OPENINGS
from tests.warriors.test_promises import opening as warriors

BY_OTHERS = {"GIG-041"}
"""What others' marches decide, and *check* says as if nobody else moved (docs/rulebooks/giglio.md)."""
SEEDS = [pytest.param(name, seed, marks=[] if seed < few else pytest.mark.slow)
         for name, few, many in (("giglio", 2, 24), ("anarchy", 1, 12), ("wells", 1, 3)) for seed in range(many)]
LATER = {"incursio": lambda folder: (INCURSIO, kit.with_robots(incursio())),
         "warriors": lambda folder: (WARRIORS, kit.with_robots(warriors())),
         "bloodlust": lambda folder: (BLOODLUST, kit.with_robots(ground()))}
"""The books of which `tests/NAME/test_promises.py` asks whether check equals resolve."""
PHASES = {"giglio": 28, "anarchy": 8, "wells": 4}


@pytest.mark.parametrize(("name", "seed"), SEEDS)
def test_check_refuses_what_resolve_refuses_and_nothing_else(name: str, seed: int, tmp_path: Path) -> None:
    """Whoever is told nothing before the phase is refused nothing by it, unless others' moves or a die decide."""
    said = kit.check_equals_resolve(*OPENINGS[name](tmp_path), seed=seed, phases=PHASES[name], by_others=BY_OTHERS,
                                    not_done="act_not_done")
    assert len(said) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["giglio", "anarchy", *LATER])
def test_the_campaigns_secret_changes_no_word_of_check(name: str, tmp_path: Path) -> None:
    """What is said of orders before the phase can rest on no die: with another secret it is the same."""
    (tmp_path / "start").mkdir()
    ruleset, campaign = (OPENINGS | LATER)[name](tmp_path / "start")
    last = max(play_spoiled(ruleset, campaign, 5, 4), key=lambda one: len(ruleset.check_orders(one.before)))
    write_folder(last.before, tmp_path / "now")
    heard = []
    for secret in ("ab" * 32, "cd" * 32):
        book = tmp_path / f"{secret[:2]}.xlsx"
        made = arbitro("new", name, book, "--from", tmp_path / "now", "--secret", secret)
        assert made.exit_code == 0, made.output
        checked = answer("check", book)
        heard.append(checked["findings"])
    assert heard[0] == heard[1]
    assert len(heard[0]) > 3
