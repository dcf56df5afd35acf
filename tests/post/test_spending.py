"""What is left to spend: of each rulebook, what a form counts is what its phase would take out of the chest."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk.evening.sharing import copy_of
from assistant.post.forms import form_of
from assistant.resources import folder
from assistant.turn.ruleset import Ruleset, load
from assistant.wording import Wording
from assistant.workbook.copies.spending import Purse, paid
from assistant.workbook.read.csvfolder import read_folder
from tests.post.test_copies import england


def scenario(ruleset_id: str, name: str) -> tuple[Ruleset, Campaign]:
    """A scenario at its beginning, with no order typed."""
    ruleset = load(ruleset_id)
    _, campaign, _ = read_folder(folder("workbook_templates") / ruleset_id / name, ruleset)
    ruleset.fold(campaign)
    ruleset.prepare(campaign)
    table = campaign.table(Order)
    for key in table.keys_in_file_order():
        table.remove(key)
    return ruleset, campaign


def purses(ruleset: Ruleset, campaign: Campaign, faction: str) -> Sequence[Purse]:
    """What a faction's form counts."""
    return form_of(ruleset, ruleset.view(campaign, faction), faction, Wording(ruleset, "en"), "ARB", "here").purses


def row(campaign: Campaign, verb: str, **cells: Any) -> Order:
    """A row as a club fills it in."""
    return campaign.table(Order).record(verb=verb, **cells)


def price(ruleset: Ruleset, campaign: Campaign, key: str) -> int:
    """A number of the rules."""
    return int(ruleset.rules(campaign)[key] or 0)


def left(purse: Purse, *rows: Order) -> float:
    """What is left in a purse, in whole units."""
    return purse.whole(purse.have - paid(purse, rows))


def test_what_incursios_defenders_build_comes_off_their_coins() -> None:
    """Coins and tonight's income, less the price of each structure; the raiders build nothing."""
    ruleset, campaign = scenario("incursio", "esdef-beginning")
    [coins] = purses(ruleset, campaign, "esdef")
    prices = {one.structure: one.cost for one in campaign.by_sheet("StructureTypes") if one.cost}
    code = next(iter(prices))

    assert left(coins) > int(campaign.by_sheet("Factions")["esdef"].coins)
    assert left(coins) - left(coins, row(campaign, "build", structure=code)) == prices[code]
    assert left(coins, row(campaign, "costruisci", structure=code), row(campaign, "move")) == left(coins) - prices[code]
    assert list(purses(ruleset, campaign, "varannah")) == []


def test_what_is_mustered_comes_off_the_store_of_its_place() -> None:
    """Of each place that a faction holds by itself: figures at their points, a commander at his grade."""
    ruleset, campaign = scenario("warriors", "borderlands")
    found = purses(ruleset, campaign, "men")
    here, there = found[0], found[1]
    kind = next(one for one in campaign.by_sheet("Unit types") if one.points and one.people in ("any", "men"))
    ordered = row(campaign, "raise", place=here.of, type=kind.type, figures=10)

    assert [one.of for one in found] == [one.node for one in campaign.by_sheet("Nodes")
                                         if one.holder == "men" and one.place != "none"]
    assert left(here) - left(here, ordered) == 10 * kind.points
    assert left(there, ordered) == left(there)
    assert left(here) > left(here, row(campaign, "found", place=here.of, vc=2))


def test_rolls_that_are_bought_are_there_to_be_spent() -> None:
    """Of the Bloodlust nations: resources for rolls and captains, rolls for units; a blank amount is one."""
    ruleset, campaign = scenario("bloodlust", "tanaephis")
    campaign.desk.phase = "recruit"
    resources, rolls = purses(ruleset, campaign, "BAT")
    buy = row(campaign, "buy", amount=2)

    assert (left(resources) - left(resources, buy), left(rolls, buy) - left(rolls)) == (
        2 * price(ruleset, campaign, "buy_price"), 2)
    assert left(resources) - left(resources, row(campaign, "captain")) == price(
        ruleset, campaign, "captain_price")
    assert left(rolls, buy, row(campaign, "recruit", amount=2)) == left(rolls, buy) - 2 * price(
        ruleset, campaign, "recruit_cost")


@pytest.mark.slow
def test_the_anarchys_pounds_are_counted_in_halves() -> None:
    """All groups of a side together; what recruits cost stands in words and is not counted."""
    ruleset, campaign = load("anarchy"), england()
    [pounds] = purses(ruleset, campaign, "angevin")
    mine = sum(army.money for army in campaign.by_sheet("Armies") if army.faction == "angevin")

    assert left(pounds) == mine / 2
    assert left(pounds) - left(pounds, row(campaign, "ENGINEER")) == price(
        ruleset, campaign, "engineer_price")


@pytest.mark.parametrize(("ruleset_id", "name", "faction"), [
    pytest.param("incursio", "esdef-beginning", "esdef", marks=pytest.mark.slow), ("warriors", "borderlands", "men"),
    pytest.param("bloodlust", "tanaephis", "BAT", marks=pytest.mark.slow)])
def test_the_copy_shows_what_the_form_counts(ruleset_id: str, name: str, faction: str) -> None:
    """A formula a purse on the line above the form, short enough for every program, with what it comes to."""
    ruleset, campaign = scenario(ruleset_id, name)
    data = copy_of(ruleset, campaign, faction, "ARB-2222-2222-22")
    formulas, shown = (openpyxl.load_workbook(io.BytesIO(data), data_only=values).worksheets[1][3]
                       for values in (False, True))
    counted = [place for place, cell in enumerate(formulas) if str(cell.value).startswith("=")]

    assert [shown[place].value for place in counted] == [left(one) for one in purses(ruleset, campaign, faction)]
    assert all(len(str(formulas[place].value)) < 8192 for place in counted)
