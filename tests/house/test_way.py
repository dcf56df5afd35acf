"""An order's way, as ARCHITECTURE.md tells it, is the way that an order goes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

from assistant import desk
from assistant.environment import shipped_scenario
from tests.house.source import ROOT

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+) \| ([\w ]+) \| `([\w/]+)` \| `([\w.]+)` \|", re.MULTILINE)


class Stop(NamedTuple):
    """One stop of the way. `code`: of the function that the order passes there."""

    number: int
    name: str
    function: str
    code: CodeType


def code_of(module: str, function: str) -> CodeType:
    """The code of a function, or of a method, that the page names."""
    found: Any = import_module(f"assistant.{module.replace('/', '.')}")
    for part in function.split("."):
        found = getattr(found, part)
    assert isinstance(found, FunctionType)
    return found.__code__


def stops() -> Iterator[Stop]:
    """The stops as the page lists them. Raises ModuleNotFoundError, AttributeError for one that is not there."""
    for number, name, module, function in ROW.findall(PAGE):
        yield Stop(int(number), name, function, code_of(module, function))


def test_every_stop_is_a_function_that_is_there() -> None:
    """The page names one module and one function a stop, numbered from one to the last."""
    listed = list(stops())

    assert len(listed) > 10
    assert [stop.number for stop in listed] == list(range(1, len(listed) + 1))


@pytest.fixture(scope="module")
def passed(tmp_path_factory: pytest.TempPathFactory) -> list[int]:
    """The numbers of the stops in the order in which resolving, and reporting to who gave the order, pass them."""
    place = tmp_path_factory.mktemp("way")
    book = place / "war.xlsx"
    desk.new_campaign(desk.NewPlan("giglio", folder=shipped_scenario("giglio", "italy-1500"), language="en"), book)
    numbers = {stop.code: stop.number for stop in stops()}
    seen: list[int] = []

    def take(frame: FrameType, *_: object) -> None:
        if (number := numbers.get(frame.f_code)) is not None and number not in seen[-1:]:
            seen.append(number)

    before = sys.gettrace()
    sys.settrace(take)
    try:
        resolved = desk.resolve(book, until="r1.move")
        told = desk.report(book, place / "out", faction="V")
    finally:
        sys.settrace(before)
    assert (resolved.exit, told.exit) == (desk.Exit.DONE, desk.Exit.DONE)
    return seen


def test_an_order_goes_that_way(passed: list[int]) -> None:
    """Every stop is passed, one after the other, from the cell to the line."""
    way = iter(passed)

    assert [stop.number for stop in stops() if stop.number not in way] == []


def test_the_watch_is_passed_once(passed: list[int]) -> None:
    """Resolving and reporting look once each for what was changed by hand."""
    [watch] = [stop.number for stop in stops() if stop.name == "edits"]

    assert passed.count(watch) == len(("resolve", "report"))
