"""The numbers of a rulebook, declared as attributes of its own `Rules`."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from assistant.campaign.records import Rule
from assistant.campaign.tables import Table
from assistant.turn.findings import Finding
from assistant.turn.messages import RULING, add_common_event
from assistant.turn.numbers import (
    DICE,
    Number,
    Rules,
    Switch,
    check_rule_rows,
    house_rules,
    is_allowed,
    number,
    starting_values,
    switch,
)
from assistant.turn.phases import check_campaign, resolve
from assistant.turn.rulebooks import load
from tests.turn.raid import RAID, raid


class Numbers(Rules):
    """Two numbers and two switches."""

    march: int = number(5, "miles", "3.1", "The march of a day.", minimum=1)
    camp: int = number(2, "tents", "3.2", "Tents of a camp.")
    stacking: Literal["never", "always"] = switch("4", "Whether friends stack.", by_edition={"second": "always"})
    weather: str = switch("5", "Weather.", options=("off",), pattern=r"off|\d")


def test_attributes_are_the_declaration() -> None:
    """Keys are the attributes' names, options those of the annotation, in the order of the class."""
    assert Numbers.declared == (
        Number("march", 5, "miles", "3.1", "The march of a day.", minimum=1),
        Number("camp", 2, "tents", "3.2", "Tents of a camp."),
        Switch("stacking", ("never", "always"), "4", "Whether friends stack.", {"second": "always"}),
        Switch("weather", ("off",), "5", "Weather.", pattern=r"off|\d"))


def test_what_is_typed_beats_the_edition_and_the_edition_the_default() -> None:
    """Values that a number cannot have are not taken."""
    rules = Numbers(Numbers.declared, "second", {"march": 7, "camp": -1, "weather": 3, "unknown": 1})

    assert (rules.march, rules.camp, rules.stacking, rules.weather) == (7, 2, "always", "3")
    assert Numbers(Numbers.declared, "").stacking == "never"
    assert rules["march"] == 7
    assert list(rules.values()) == ["march", "camp", "stacking", "weather"]


def test_a_number_that_nobody_declared_is_a_fault_of_the_program() -> None:
    """It has no value, not even none."""
    with pytest.raises(AttributeError, match="swim"):
        _ = Rules((), "").swim  # type: ignore[attr-defined]


def test_a_new_campaign_begins_with_what_a_switch_says_and_that_is_no_house_rule() -> None:
    """Where something else is typed that counts; what holds where nothing is typed is the default as ever."""
    class Later(Rules):
        codes: Literal["together", "apart"] = switch("6", "Codes are {option}.", begins="apart")
        tents: Literal["few", "many"] = switch("7", "Tents are {option}.")

    assert starting_values(Later.declared, {}) == {"codes": "apart"}
    assert starting_values(Later.declared, {"codes": "together", "tents": "many"}) == {}
    assert Later(Later.declared, "").codes == "together"
    assert house_rules(Later.declared, "", {"codes": "apart", "tents": "many"}) == ["tents"]


def test_a_campaign_cannot_begin_with_what_is_no_option() -> None:
    """It is seen as soon as the rulebook is loaded."""
    with pytest.raises(ValueError, match="codes begins with 'alone', which is none of its options"):
        class Wrong(Rules):
            codes: Literal["together", "apart"] = switch("6", "Codes are {option}.", begins="alone")


def rows(*typed: tuple[str, object]) -> Table[Rule]:
    """A sheet Rules."""
    return Table(Rule, [Rule(key=key, value=value) for key, value in typed])


def said(found: list[Finding]) -> list[tuple[str, str, str, str]]:
    """Code, severity, row and column of findings."""
    return [(f.code, f.severity, f.where.row, f.where.field) for f in found]


def test_a_key_that_the_book_does_not_know_is_refused_where_it_has_a_value() -> None:
    """Not so a row without one, a key of an earlier version, and one that was accepted before."""
    typed = rows(("tax_autumn", 20), ("tax_winter", ""), ("tents", 3), ("ours", 1), ("x.camp", 4))
    found = check_rule_rows(Numbers.declared, typed, "toy", retired=("tents",), prefix="x.", ruled=("ours",))
    assert sorted(said(found)) == [*(("ARB-062", "warning", key, "key") for key in ("ours", "tax_winter", "tents")),
                                   ("ARB-064", "error", "tax_autumn", "key")]


@pytest.mark.parametrize("key", ["node_prefix", "t34_cells"])
def test_a_switch_that_a_sheet_holds_by_now_stops_nothing(key: str) -> None:
    """Il Giglio's twelve cells of table 34 are a sheet, the prefixes of places the codes of the factions."""
    giglio = load("giglio")
    found = check_rule_rows(giglio.numbers, rows((key, "printed")), "giglio", retired=giglio.retired)
    assert said(found) == [("ARB-062", "warning", key, "key")]


@pytest.mark.parametrize(("key", "value", "what"), [
    ("stacking", "sometimes", "option"), ("march", "1d10", "die"), ("march", "d6", "die"), ("march", -1, ""),
    ("march", "far", ""), ("weather", "fog", "")])
def test_another_option_or_die_needs_code(key: str, value: object, what: str) -> None:
    """And a number that is out of range, or text of another form, does not: there the allowed values say enough."""
    (found,) = check_rule_rows(Numbers.declared, rows((key, value)), "toy")
    assert (found.code, found.data["code"], found.data["ruleset"]) == ("ARB-061", what, "toy")


def test_a_ruling_of_before_goes_on_and_what_was_played_is_replayed() -> None:
    """A campaign that has accepted such a key is warned, and a phase that was begun with one is not stopped by it."""
    campaign = raid("assault")
    campaign.table(Rule).add(Rule(key="tax_autumn", value=20))
    assert ("ARB-064", "error", "tax_autumn", "key") in said(check_campaign(RAID, campaign))
    assert resolve(RAID, campaign, bytes(32)).done
    add_common_event(campaign, RULING, {"sheet": "Rules", "row": "tax_autumn"}, "all", touched="", at=campaign.desk)
    assert ("ARB-062", "warning", "tax_autumn", "key") in said(check_campaign(RAID, campaign))


@pytest.mark.parametrize(("typed", "taken"), [
    ("1d6", True), ("3d4", True), ("12d1", True), ("0d6", False), ("1d0", False), ("2d", False), ("999999d6", False)])
def test_dice_of_a_switch_can_be_thrown(typed: str, taken: bool) -> None:
    """One die at least, with one face at least; what may be typed besides the default is not listed as if it were
    all.
    """
    class Dice(Rules):
        wound: str = switch("6", "A wound lasts {option} seasons.", options=("1d6",), pattern=DICE)

    found = check_rule_rows(Dice.declared, Table(Rule, [Rule(key="wound", value=typed)]))

    assert [(f.code, f.data["allowed"]) for f in found] == ([] if taken else [("ARB-061", "1d6, …")])


@pytest.mark.parametrize("book", ["anarchy", "bloodlust", "giglio", "incursio", "warriors"])
def test_no_rulebook_takes_dice_that_nobody_can_throw(book: str) -> None:
    """Dice of a house rule have a die and a face."""
    dice = [rule for rule in load(book).numbers if isinstance(rule, Switch) and re.fullmatch(DICE, rule.default)]
    assert not [(rule.key, typed) for rule in dice for typed in ("0d6", "1d0") if is_allowed(rule, typed)]
