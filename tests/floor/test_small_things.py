"""Small things that a book may need: lists as data, keys with a blank part, places with numbers, robots asked anew."""

from __future__ import annotations

import pytest

from assistant.campaign.columns import Data, UnreadableValue
from assistant.campaign.records import Event, Order
from assistant.desk.play_phase import ResolveOptions, with_robot_orders
from assistant.rulesets.incursio.records import Battle, Mission
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.speech import names_of
from assistant.testing import kit
from assistant.turn.findings import nearest
from assistant.turn.orders.requests import Request
from assistant.turn.phases import resolve
from assistant.wording import Wording
from assistant.workbook.read.grid import must_be_filled
from tests.incursio.scenario import SECRET, esdef
from tests.incursio.test_promises import opening


def test_a_column_of_data_may_hold_a_list_of_rows() -> None:
    """Blank is an empty list, and an object is none; each row has a list of its own."""
    kind = Data(rows=True)
    assert (kind.read(""), kind.read('[{"a": 1}]'), kind.show([{"a": 1}]), kind.show([])) == (
        [], [{"a": 1}], '[{"a": 1}]', "[]")
    with pytest.raises(UnreadableValue):
        kind.read('{"a": 1}')
    assert Battle().duels is not Battle().duels


def test_a_part_of_a_key_may_be_blank_where_its_column_says_so() -> None:
    """A mission has no place; it has a player."""
    assert [must_be_filled(Mission, Mission.column(name)) for name in ("player", "target", "target_player")] == [
        True, False, False]


def test_the_very_word_is_never_what_was_meant() -> None:
    """What was typed is known, and still does not do: something else is offered, or nothing; in another case it is
    another word.
    """
    assert [nearest("DDD", known) for known in (["DDD"], ["DDD", "DED"], ["ddd", "DED"])] == ["", "DED", "ddd"]


def test_a_place_whose_code_is_a_number_is_called_by_its_name() -> None:
    """In an event the code may be a number."""
    campaign = esdef()
    words = Wording(INCURSIO, "en", names_of(campaign, "en", INCURSIO.named, INCURSIO.coded))
    event = Event(event="ruin_purified", data={"node": 32})
    assert words.event(event) == "Soldiers purify the ruin of Mirtaia (32)."
    assert "Borgo Vaikra (25)" in words.event(Event(event="portals_located", data={"nodes": [25, 32]}))


def test_a_row_is_called_by_its_name_in_each_language() -> None:
    """A structure has an English and an Italian one."""
    campaign = esdef()
    event = Event(event="work_finished", data={"node": 17, "structure": "09"})
    said = [Wording(INCURSIO, lang, names_of(campaign, lang, INCURSIO.named)).event(event) for lang in ("en", "it")]
    assert ["Arcane study" in said[0], "Studio arcano" in said[1]] == [True, True]


def test_a_column_does_not_hide_what_a_request_can_do() -> None:
    """One that is called `where` is found among the further columns."""
    request = Request(Order(order="x1"), "deploy", more={"where": "open", "player": "E2"})
    assert (request.where("units").row, request.more["where"], getattr(request, "player", "")) == ("x1", "open", "E2")


def test_robots_are_asked_anew_in_each_phase_that_says_so() -> None:
    """Whoever ordered in the morning orders in the evening, too; not twice in one phase."""
    campaign, asked = kit.with_robots(opening()), []
    while campaign.desk.turn == "1":
        campaign, count = with_robot_orders(INCURSIO, campaign, ResolveOptions())
        again, none = with_robot_orders(INCURSIO, campaign, ResolveOptions())
        assert none == 0 or count == 0
        asked += [campaign.desk.phase] if count else []
        campaign = resolve(INCURSIO, again, SECRET).campaign
    assert {"upkeep", "spying"} <= set(asked)
    numbers = [row.order for row in campaign.table(Order)]
    assert len(numbers) == len(set(numbers))
