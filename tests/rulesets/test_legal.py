"""What a faction may order is what *check* does not refuse, asked of its own view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.post.club_form import form_of
from assistant.testing import kit, robots
from assistant.turn.findings import Finding
from assistant.turn.orders.legal import LegalOrder
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.build_copy import build_copy
from assistant.workbook.write.sheet_style import LONGEST
from tests.rulesets.openings import OPENINGS
from tests.rulesets.printed import POSITIONS, some_positions
from tests.rulesets.test_cards import started
from tests.rulesets.test_checking import LATER

GIGLIO = load("giglio")
BOOKS = ("giglio", "anarchy", "incursio", "warriors", "bloodlust")
UNKNOWN_TO_CLUB = 0.05
"""The most that may be refused for what the club cannot know, of all that is offered: else offers are of no use."""

REMARKS = {"ANA-103", "BLD-010", "BLD-011", "BLD-014", "GIG-028", "GIG-038", "GIG-090", "INC-027", "INC-047", "WAR-204",
           "WAR-206", "WAR-211", "WAR-213"}
"""Warnings with which an order may be offered: something of it is done all the same, or with another order beside it.
A new one is put here by whoever has looked that it is so: of an order that comes to nothing no warning is enough.
"""
IDLE = {"ANA-406"}
"""Warnings of orders that come to nothing and are offered still: to sack a place in which nothing is left."""



def summer() -> Campaign:
    """Italy 1500 as Venice sees it, at the first marches."""
    campaign = kit.with_robots(started(GIGLIO, "en"))
    for row in list(campaign.table(Order)):
        campaign.table(Order).remove(row.ident)
    campaign.desk.turn, campaign.desk.phase = "1500", "r1.move"
    return GIGLIO.view(campaign, "V")


@pytest.mark.parametrize(("fields", "legal"), [
    ({"verb": "move", "unit": "V-1", "path": "V6 V5"}, True),
    ({"verb": "muovi", "unit": "V-1", "path": "V6 V5"}, True),
    ({"verb": "move", "unit": "V-1", "path": "V6 M0"}, False),
    ({"verb": "move", "unit": "M-1", "path": "M0 M1"}, False),
    ({"verb": "stay", "unit": "V-1"}, True),
    ({"verb": "split", "unit": "V-1", "amount": 20}, True),
    ({"verb": "split", "unit": "V-1", "amount": 2000}, False),
    ({"verb": "bid", "amount": 1}, True),
    ({"verb": "dance", "unit": "V-1"}, False),
])
def test_an_order_is_legal_where_check_would_not_refuse_it(fields: dict[str, Any], legal: bool) -> None:
    """Orders of later phases, such as the bid of next spring, are judged as if their phase were the next."""
    view = summer()
    before = view.copy()
    assert GIGLIO.is_legal(view, "V", fields) is legal
    assert [row.as_text() for row in view.table(Order)] == [row.as_text() for row in before.table(Order)]


def test_what_was_ordered_already_counts() -> None:
    """The chest pays once."""
    view = summer()
    money = view.by_sheet("Factions")["V"].treasury
    pay = {"verb": "pay", "partner": "M", "amount": money}
    assert GIGLIO.is_legal(view, "V", pay)
    order: Any = view.table(Order).record
    view.table(Order).add(order(order="1500-r1-V-1", turn="1500", phase="r1", faction="V", verb="pay", partner="M",
                                amount=1, seq=1))
    assert not GIGLIO.is_legal(view, "V", pay)


# --- what is offered --------------------------------------------------------------------------------
def typed(ruleset: Ruleset, campaign: Campaign, faction: str, order: LegalOrder, how: str) -> list[Finding]:
    """What *check* says of an order in the referee's own campaign: typed into the columns, or as a line in a language.
    """
    trial = campaign.copy()
    table = trial.table(Order)
    for row in table.of_turn(order.turn, lambda row: not row.status):
        table.remove(row.ident)
    view, name = ruleset.view(campaign, faction), f"{order.turn}-{order.phase}-{faction}-1"
    cells = order.fields if how == "columns" else {
        "text": order_line(as_order_book(ruleset.verbs), view, order.fields, how)}
    table.add(table.record.from_values({**cells, "order": name, "turn": order.turn, "phase": order.phase,
                                        "faction": faction, "seq": 1}))
    return [one for one in [*ruleset.check_orders(trial), *ruleset.check_ahead(trial)] if one.where.row == name]


def faults(findings: Iterable[Finding], order: LegalOrder) -> list[Finding]:
    """What speaks against an order that is offered; a remark that is known when it is offered does not."""
    known = REMARKS | IDLE if order.warned else set[str]()
    return [one for one in findings if one.stops or (one.severity == "warning" and one.code not in known)]


@pytest.mark.parametrize(("name", "number"), [
    ("giglio", 4), *(pytest.param(name, max(POSITIONS, 16), marks=pytest.mark.slow) for name in BOOKS)])
def test_no_order_that_is_offered_is_refused(name: str, number: int, tmp_path: Path) -> None:
    """In any position, of any club, in columns or as a line in either language: what is refused all the same is so for
    what the club cannot know, as nothing speaks against it in the club's own view; and that is rare.
    """
    ruleset, campaign = (OPENINGS | LATER)[name](tmp_path)
    phases, unknown, refused, offered = Counter[str](), Counter[str](), list[str](), 0
    for at, (here, faction) in enumerate(some_positions(ruleset, campaign, number)):
        view = ruleset.view(here, faction)
        phases[here.desk.phase] += 1
        for way, order in enumerate(ruleset.legal_orders(view, faction, limit=2), at):
            how = ("columns", "en", "it")[way % 3]
            found = faults(typed(ruleset, here, faction, order, how), order)
            offered += 1
            if found and not faults(typed(ruleset, view, faction, order, how), order):
                unknown.update([f"{order.verb} {found[0].code}"])
            elif found:
                refused.append(f"{here.desk.turn} {here.desk.phase} {faction}: {dict(order.fields)}: "
                               f"{'; '.join(map(robots.finding_text, found))}")
    print(f"{name}: {number} positions in {len(phases)} phases, {offered} orders, {len(refused)} refused, "
          f"{unknown.total()} for what the club cannot know {dict(unknown)}")
    assert refused == []
    assert offered > number
    assert unknown.total() <= UNKNOWN_TO_CLUB * offered


def test_a_copy_lists_what_each_unit_may_have_in_a_column(tmp_path: Path) -> None:
    """The hidden sheet has a key of verb and unit beside each choice, and the drop-down of the column looks there."""
    view, words = summer(), Wording(GIGLIO, "en")
    form = form_of(GIGLIO, view, "V", words, "ARB-1", "1500")
    path = tmp_path / "copy.xlsx"
    path.write_bytes(build_copy(GIGLIO, view, form, path, words))
    book = openpyxl.load_workbook(path)
    place = book.defined_names["list_legal_path"].attr_text
    title, _, area = str(place).rpartition("!")
    keys = book[title.strip("'")][area.replace("$", "")]
    offered = {(key.value, key.offset(0, 1).value) for key, in keys}
    assert {("move|V-1", "V6 V5"), ("move|V-2", "V0 V1")} <= offered
    assert all(value.startswith("V6 ") for key, value in offered if key == "move|V-1")
    formulas = [str(rule.formula1) for rule in book["Orders"].data_validations.dataValidation]
    assert any("list_legal_path" in formula for formula in formulas)
    assert all(len(formula) <= LONGEST for formula in formulas)
