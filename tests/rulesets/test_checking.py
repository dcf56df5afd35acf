"""Checking is the phase itself: what *check* refuses resolve refuses, and the other way round."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.campaign.records import Order
from assistant.cli import main
from assistant.turn.findings import Finding
from assistant.workbook.read.csvfolder import write_folder
from tests.rulesets.campaigns import OPENINGS, Played, spoiled

BY_OTHERS = {"GIG-041"}
"""What others' marches decide, and *check* says as if nobody else moved (digest of Il Giglio, 5.1)."""
SEEDS = [pytest.param(name, seed, marks=[] if seed < few else pytest.mark.slow)
         for name, few, many in (("giglio", 2, 24), ("anarchy", 1, 12), ("wells", 1, 3)) for seed in range(many)]
PHASES = {"giglio": 28, "anarchy": 8, "wells": 4}


def refusals(findings: list[Finding]) -> set[tuple[str, str]]:
    """Rows of Orders that are refused, with the code."""
    return {(f.where.row, f.code) for f in findings if f.stops and f.where.table == Order.sheet}


def undone(played: Played) -> set[str]:
    """Orders that were not carried out because of what came of the march, which is told by an event of its own."""
    return {str(event.data["order"]) for event in played.outcome.events if event.event == "act_not_done"}


@pytest.mark.parametrize(("name", "seed"), SEEDS)
def test_check_refuses_what_resolve_refuses_and_nothing_else(name: str, seed: int, tmp_path: Path) -> None:
    """Whoever is told nothing before the phase is refused nothing by it, unless others' moves or a die decide."""
    said: Counter[str] = Counter()
    for played in spoiled(*OPENINGS[name](tmp_path), seed, PHASES[name]):
        checked = refusals(played.ruleset.check_orders(played.before))
        refused = refusals(played.outcome.findings)
        after = played.outcome.campaign.table(Order)
        open_still = {row.ident for row in after if not row.status}
        alone = {one for one in checked if one[0] not in open_still and one[1] not in BY_OTHERS}
        told = {one for one in refused if one[0] not in undone(played) and one[1] not in BY_OTHERS}

        assert alone <= refused, (played.outcome.turn, played.outcome.phase)
        assert told <= checked, (played.outcome.turn, played.outcome.phase)
        said.update(code for _, code in refused)
    assert len(said) > 1


@pytest.mark.parametrize("name", ["giglio", "anarchy"])
def test_the_campaigns_secret_changes_no_word_of_check(name: str, tmp_path: Path) -> None:
    """What is said of orders before the phase can rest on no die: with another secret it is the same."""
    (tmp_path / "start").mkdir()
    ruleset, campaign = OPENINGS[name](tmp_path / "start")
    *_, last = spoiled(ruleset, campaign, 5, 4)
    write_folder(last.before, tmp_path / "now")
    heard = []
    for secret in ("ab" * 32, "cd" * 32):
        book = tmp_path / f"{secret[:2]}.xlsx"
        made = CliRunner().invoke(main, ["new", name, str(book), "--from", str(tmp_path / "now"), "--secret", secret])
        assert made.exit_code == 0, made.output
        checked = json.loads(CliRunner().invoke(main, ["check", str(book), "--json"]).stdout)
        heard.append(checked["findings"])
    assert heard[0] == heard[1]
    assert len(heard[0]) > 3
