"""What is left to spend: of each rulebook, what a form counts is what its phase would take out of the chest."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.desk.commands.publish import copy_of
from assistant.environment import shipped_folder
from assistant.post.club_form import form_of
from assistant.testing import cases
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.build_copy import FormPrice, FormPurse, purse_formula, total_cost
from tests.post.filling import filled
from tests.post.test_collect_office import saved_by_libreoffice
from tests.post.test_copies import england


def scenario(ruleset_id: str, name: str) -> tuple[Ruleset, Campaign]:
    """A scenario at its beginning, with no order typed."""
    ruleset = load(ruleset_id)
    campaign = cases.opening(ruleset, shipped_folder("workbook_templates") / ruleset_id / name)
    table = campaign.table(Order)
    for key in table.keys_in_file_order():
        table.remove(key)
    return ruleset, campaign


def purses(ruleset: Ruleset, campaign: Campaign, faction: str) -> Sequence[FormPurse]:
    """What a faction's form counts."""
    return form_of(ruleset, ruleset.view(campaign, faction), faction, Wording(ruleset, "en"), "ARB", "here").purses


def row(campaign: Campaign, verb: str, **cells: Any) -> Order:
    """A row as a club fills it in."""
    return campaign.table(Order).record(verb=verb, **cells)


def price(ruleset: Ruleset, campaign: Campaign, key: str) -> int:
    """A number of the rules."""
    return int(ruleset.rules(campaign)[key] or 0)


def left(purse: FormPurse, *rows: Order) -> float:
    """What is left in a purse, in whole units."""
    return purse.whole(purse.have - total_cost(purse, rows))


@pytest.mark.slow
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


@pytest.mark.parametrize(("have", "unit"), [(1, "recruiting roll"), (2, "recruiting rolls")])
def test_a_purse_of_one_is_told_as_one(have: int, unit: str) -> None:
    """The copy's line above the form reads *of 1 recruiting roll*."""
    ruleset, campaign = scenario("bloodlust", "tanaephis")
    campaign.desk.phase = "recruit"
    campaign.by_sheet("Factions")["BAT"].rolls = have

    assert [(purse.have, purse.unit) for purse in purses(ruleset, campaign, "BAT")][1] == (have, unit)


@pytest.mark.slow
def test_the_anarchys_pounds_are_counted_in_halves() -> None:
    """All groups of a side together; an engineer, and recruits by the letters of their ranks."""
    ruleset, campaign = load("anarchy"), england()
    [pounds] = purses(ruleset, campaign, "angevin")
    mine = sum(army.money for army in campaign.by_sheet("Armies") if army.faction == "angevin")

    assert left(pounds) == mine / 2
    assert left(pounds) - left(pounds, row(campaign, "ENGINEER")) == price(
        ruleset, campaign, "engineer_price")
    assert left(pounds) - left(pounds, row(campaign, "RECLUTA", men="p3+L2")) == 2 * price(
        ruleset, campaign, "recruit_light") + 3 * 0.5


RANKS = {"L2 P3": 7, "p3 l2": 7, "l2+P12": 16, " P1,L10 ; ": 21, "L1 P1 L2": 7, "L02 P0": 4, "L99": 198,
         "": 0, "L2P3": 0, "L2 K1": 0, "L2 x": 0, "L100": 0, "L 2": 0, "P": 0, "2": 0, "L#2": 0, "L2 w:W1": 0}
"""Men as somebody may type them, and what they cost at 2 for a light man and 1 for a peasant."""
MEN = FormPrice(("RECRUIT", "RECLUTA"), 1, "men", letters=(("L", 2), ("P", 1)))


@pytest.mark.parametrize("typed", RANKS)
def test_letters_with_counts_cost_what_each_letter_does(typed: str) -> None:
    """In any order and case, parted by blanks or signs; a text that cannot be read costs nothing."""
    campaign = Campaign(load("anarchy").records)

    assert total_cost(FormPurse(100, "pounds", (MEN,)), [row(campaign, "Recluta", men=typed)]) == RANKS[typed]


@pytest.mark.slow
def test_libreoffice_counts_letters_as_we_do(tmp_path: Path) -> None:
    """A formula for each text alone, one for all of them; in a copy, what is typed comes off beside what stood."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    areas = {"verb": "$A${0}:$A${1}", "status": "$B${0}:$B${1}", "men": "$C${0}:$C${1}"}
    purse, last = FormPurse(1000, "pounds", (MEN,)), len(RANKS)
    for line, typed in enumerate([*RANKS, "L5", "L5"], 1):
        reach = (line, line) if line <= last else (1, last + 2)
        counted = purse_formula(purse, {name: area.format(*reach) for name, area in areas.items()})
        verb, status = ("recluta" if line <= last else "MOVE"), ("void" if line == last + 2 else None)
        sheet.append(["RECRUIT" if status else verb, status, typed, f"={counted}"])
    book.save(tmp_path / "texts.xlsx")
    ruleset, campaign = load("anarchy"), england().copy()
    stands = campaign.table(Order).add(row(campaign, "RECRUIT", order="4-1", turn=campaign.desk.turn,
                                           faction="angevin", phase="movement", men="L1 P3"))
    (tmp_path / "copy.xlsx").write_bytes(copy_of(ruleset, campaign, "angevin", "ARB-2222-2222-22"))
    copy = filled(tmp_path / "copy.xlsx", tmp_path / "filled.xlsx",
                  [{"Verb": "RECRUIT", "Men": typed} for typed in RANKS])
    saved_by_libreoffice([tmp_path / "texts.xlsx", copy], tmp_path)
    texts, form = (cells_of(tmp_path / "in" / name) for name in ("texts.xlsx", "filled.xlsx"))
    begun, [pounds], total = cells_of(tmp_path / "copy.xlsx"), purses(ruleset, campaign, "angevin"), sum(RANKS.values())
    place = next(place for place, value in enumerate(begun[1][2]) if isinstance(value, int | float))

    assert [row[3] for row in texts[0]] == [*(1000 - worth for worth in RANKS.values()), 1000 - total, 1000 - total]
    assert [one[1][2][place] for one in (begun, form)] == [left(pounds, stands), left(pounds, stands) - total / 2]
    assert left(pounds, stands) == left(pounds) - 2.5


def cells_of(path: Path) -> list[list[tuple[Any, ...]]]:
    """What the cells of each sheet show."""
    return [list(sheet.iter_rows(values_only=True)) for sheet in openpyxl.load_workbook(path, data_only=True)]


@pytest.mark.slow
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

    assert [shown[place].value for place in counted] == [left(purse) for purse in purses(ruleset, campaign, faction)]
    assert all(len(str(formulas[place].value)) < 8192 for place in counted)


def test_the_list_of_verbs_begins_with_those_of_the_phase_that_is_next() -> None:
    """In winter's budget a club finds loan and recruit before the marches of the summer."""
    ruleset, campaign = scenario("giglio", "italy-1500")
    campaign.desk.phase = "budget"
    form = form_of(ruleset, ruleset.view(campaign, "V"), "V", Wording(ruleset, "en"), "ARB", "here")
    soon = [verb for verb in as_order_book(ruleset.verbs).values() if "budget" in verb.when]
    assert list(form.offers["verb"])[:len(soon)] == [verb.en for verb in soon]
    assert "move" in list(form.offers["verb"])[len(soon):]
