"""What a club may not see changes no byte of the receipt that it gets for its orders, in every rulebook."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Faction, Order
from assistant.desk.clubs.collect import build_receipt
from assistant.desk.clubs.diff_copies import RowChange
from assistant.desk.intake.incoming import not_understood, phase_of_order
from assistant.testing import robots
from assistant.testing.fog import leaking_columns
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.rulesets.openings import OPENINGS
from tests.rulesets.test_checking import LATER
from tests.rulesets.wrong_orders import WRONG_ORDERS
from tests.views.test_fog import opening_figures

BOOKS = ("giglio", "anarchy", "incursio", "warriors", "bloodlust")
MOST_OF_EACH = 12
"""How many right and how many wrong lines a club sends."""


def lines_of(ruleset: Ruleset, view: Campaign, faction: str, chance: random.Random) -> list[str]:
    """What a club might send: orders that it may give, and lines that are plainly wrong."""
    book = as_order_book(ruleset.verbs)
    right = [order_line(book, view, order.fields, "en") for order in ruleset.legal_orders(view, faction, ahead=True)]
    wrong = [line.partition(" | ")[0].partition(": ")[2] for line in WRONG_ORDERS[ruleset.id].strip().splitlines()]
    return [*chance.sample(right, min(MOST_OF_EACH, len(right))), *chance.sample(wrong, MOST_OF_EACH)]


def handed_in(ruleset: Ruleset, campaign: Campaign, faction: str, lines: list[str]) -> list[Any]:
    """The orders of these lines, put into the campaign, and what is said of those that are none."""
    told: list[Any] = []
    for number, line in enumerate(lines, 1):
        read = ruleset.read(line, campaign, faction)
        moment = phase_of_order(ruleset, campaign, read.fields, "")
        if read.problem or moment is None:
            told.append(not_understood(ruleset, campaign, faction, line, read))
            continue
        table = campaign.table(Order)
        said = read.fields if read.is_sentence else {"text": line}
        row = table.record.from_values({**said, "order": f"{moment[0]}-{moment[1]}-{faction}-{900 + number}",
                                        "turn": moment[0], "phase": moment[1], "faction": faction, "seq": number})
        table.add(row)
        told.append(row)
    return told


def receipt_package(lines: list[str]) -> Any:
    """Makes the receipt of a club for these lines, with the findings on those that are no orders."""
    def package(ruleset: Ruleset, whole: Campaign, faction: str, before: Campaign | None) -> bytes:
        after = whole.copy()
        told = handed_in(ruleset, after, faction, lines)
        rows = [RowChange("new", "order", row) for row in told if isinstance(row, Order)]
        words = Wording(ruleset, "en")
        unread = [words.finding(finding) for finding in told if not isinstance(finding, Order)]
        return "\n".join([build_receipt(ruleset, after, faction, [], rows).text, *unread]).encode()

    return package


def with_orders_of_all(ruleset: Ruleset, campaign: Campaign, but: str) -> Campaign:
    """The campaign in which all others have ordered something."""
    whole = campaign.copy()
    for faction in [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS and row.faction != but]:
        book, view = as_order_book(ruleset.verbs), ruleset.view(campaign, faction)
        handed_in(ruleset, whole, faction, [order_line(book, view, order.fields, "en") for order in islice(
            ruleset.legal_orders(view, faction, ahead=True), MOST_OF_EACH)])
    return whole


def positions(name: str, folder: Path, seed: int, phases: int, every: int) -> Iterator[tuple[Ruleset, Campaign, str]]:
    """A campaign of robots before some phases, and one of its clubs by chance."""
    ruleset, campaign = (OPENINGS | LATER)[name](folder)
    chance, whole = random.Random(seed), campaign
    for number, (_, outcome) in enumerate(islice(robots.play(ruleset, campaign, seed.to_bytes(32, "big")), phases)):
        if number % every == 0 and not ruleset.is_over(whole):
            yield ruleset, whole, chance.choice([row.faction for row in whole.table(Faction)
                                                 if row.role not in CLUBLESS])
        whole = outcome.campaign


@pytest.mark.parametrize(("name", "seed", "phases", "every"), [
    ("bloodlust", 1, 1, 1), *(pytest.param(name, 2, 45, 20, marks=pytest.mark.slow) for name in BOOKS)])
def test_no_secret_of_others_is_in_a_receipt(name: str, seed: int, phases: int, every: int, tmp_path: Path) -> None:
    """Others' orders, hidden units, strengths and money, and rows that are not there for the club."""
    chance, others, texts = random.Random(seed), 0, 0
    for ruleset, campaign, faction in positions(name, tmp_path, seed, phases, every):
        whole = with_orders_of_all(ruleset, campaign, faction)
        lines = lines_of(ruleset, ruleset.view(whole, faction), faction, chance)
        package = receipt_package(lines)
        texts += len(package(ruleset, whole, faction, None))
        others += sum(row.faction != faction for row in whole.table(Order))
        assert leaking_columns(ruleset, whole, faction, keep=opening_figures, package=package) == []
    assert (texts > 1000, others > 0) == (True, True)
