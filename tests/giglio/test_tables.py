"""The numbers, switches and printed tables of Il Giglio (rulebook: Numbers)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.giglio.fleets import fleets_allowed
from assistant.rulesets.giglio.records import CALENDAR, EDITIONS, TABLE34, Cell34
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.turn.numbers import Number, Switch

NUMBERS = GIGLIO.numbers


def rules(edition: str, **typed: object) -> Any:
    """The numbers of an edition, with what is typed in Rules."""
    return GIGLIO.rules_of(NUMBERS, edition, typed)


def test_every_number_says_where_it_comes_from() -> None:
    """Each number and switch has a key of its own, a source and a sentence; numbers a unit and a tag."""
    assert len({number.key for number in NUMBERS}) == len(NUMBERS)
    for one in NUMBERS:
        assert one.source, one.key
        assert one.meaning.endswith((".", "...")), one.key
        if isinstance(one, Number):
            assert one.unit, one.key
            assert one.tag.startswith(("FOUND", "DERIVED", "ASSUMED")), one.key
            assert one.default >= one.minimum, one.key
        else:
            assert one.options, one.key


def test_the_first_option_is_that_of_the_amended_italian_edition() -> None:
    """Switches: the default edition is IT_amended, and it is what the switches show without a word of the club."""
    plain = {number.key: number.default for number in NUMBERS if isinstance(number, Switch)}
    amended = rules(EDITIONS[0]).values()
    assert {key: amended[key] for key in plain} == plain
    assert [one.options for one in NUMBERS if isinstance(one, Switch) and one.key == "edition"] == [EDITIONS]


def test_editions_preset_their_switches() -> None:
    """4.2, presets: what IT, EN and EN_amended change; a value typed in Rules beats them."""
    assert (rules("IT").fort_timing, rules("IT").garrison_treasury, rules("IT").garrison_where) == (
        "base", "no", "fortified")
    english = rules("EN")
    assert (english.siege_bribe_step, english.famine_mode, english.epidemic_kill) == ("30", "flat20_each", "all")
    assert (english.objectives_edition, english.objective_metric, english.fort_timing) == ("EN", "gain", "base")
    both = rules("EN_amended")
    assert (both.fort_timing, both.fort_paid, both.amend_free, both.garrison_where) == ("amended", "free", "yes", "any")
    assert both.siege_bribe_step == "30"
    assert rules("EN", siege_bribe_step="25").siege_bribe_step == "25"


def test_presets_are_options_of_their_switches() -> None:
    """No edition presets a switch to a word that the switch does not have."""
    for number in NUMBERS:
        if isinstance(number, Switch) and number.by_edition:
            assert set(number.by_edition.values()) <= set(number.options), number.key
            assert set(number.by_edition) == set(EDITIONS), number.key


def test_taxes_and_prices_are_those_of_the_book() -> None:
    """Tables 29, 32, 33 and 35 as printed."""
    book = rules("IT_amended")
    assert (book.tax_city, book.tax_fortress, book.tax_village) == (40, 20, 10)
    assert (book.cost_fortify, book.cost_repair, book.garrison_cost, book.cost_fleet) == (50, 30, 10, 75)
    assert (book.cost_sapper, book.cost_diplomat, book.cost_spy, book.cost_assassin) == (50, 35, 50, 50)
    assert (book.siege_city, book.siege_fortress, book.siege_village, book.siege_garrison) == (-2, -3, -1, -2)
    assert (book.siege_target, book.siege_loss, book.move_own, book.move_foreign) == (7, 10, 2, 1)


def test_table_34_has_its_twelve_cells() -> None:
    """3c: three choices of the hand against four of the other, each with an outcome that the sheet knows."""
    hands, others, outcomes = (set(Cell34.column(name).kind.words)
                               for name in ("hand", "other", "outcome"))
    assert set(TABLE34) == {(hand, other) for hand in hands for other in others}
    assert set(TABLE34.values()) == outcomes
    assert TABLE34["attack", "attack"] == "meeting"


def test_fleets_of_the_nations() -> None:
    """Chapter fleets: Venezia, Turchia and Spagna two, five nations none, all others one."""
    assert [fleets_allowed(f) for f in ("V", "T", "S")] == [2, 2, 2]
    assert [fleets_allowed(f) for f in ("CH", "HRI", "M", "F", "SV")] == [0] * 5
    assert [fleets_allowed(f) for f in ("P", "FR", "N")] == [1] * 3


def test_summer_has_ten_rounds_with_names() -> None:
    """The calendar: April I to October II in both languages."""
    assert len(CALENDAR) == 10
    assert (CALENDAR[0], CALENDAR[9]) == (("April I", "aprile I"), ("October II", "ottobre II"))
