"""A rulebook that was written for another interface is refused by name, and nothing is done with it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.desk.results import Result
from assistant.turn.rulebooks import UnfitRuleset, installed_rulesets, load
from assistant.turn.ruleset import INTERFACE, Ruleset
from tests import hand
from tests.desk.conftest import written

WELLS = Path(__file__).parents[1] / "plugin" / "wells" / "arbitro_wells" / "__init__.py"
DECLARED = re.compile(r"    interface = \d+\n")
PLUGINS = {
    "old": ("", "ARB-285"),
    "second": ("    interface = 2\n", "ARB-285"),
    "later": (f"    interface = {INTERFACE + 1}\n", "ARB-285"),
    "broken": ("    interface = no_such_name\n", "ARB-286"),
}
"""What stands in the class of each plug-in where today's Wells declare their interface, and how it is refused."""


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The Wells several times, as packages that are installed."""
    place = tmp_path_factory.mktemp("strangers")
    today = WELLS.read_text(encoding="utf-8")
    for name, (declares, _) in PLUGINS.items():
        source = DECLARED.sub(declares, today).replace('id = "wells"', f'id = "{name}"')
        (place / f"strange_{name}.py").write_text(source, encoding="utf-8")
        info = place / f"strange_{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: strange-{name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[arbitro.rulesets]\n{name} = strange_{name}:WELLS\n")
    sys.path.insert(0, str(place))
    invalidate_caches()
    yield
    sys.path.remove(str(place))
    invalidate_caches()


def told(result: Result, name: str) -> None:
    """That a result refuses a plug-in by its name and leads to the page, in words."""
    (finding,) = result.findings
    assert finding.code == PLUGINS[name][1]
    (line,) = result.finding_lines()
    assert f"strange-{name}" in line
    assert f"strange_{name}:WELLS" in line
    if name == "later":
        assert f"{INTERFACE + 1}" in line
    else:
        assert "'arbitro help plugins'" in line


@pytest.mark.parametrize("lang", ["en", "it"])
@pytest.mark.parametrize("name", PLUGINS)
def test_no_campaign_is_begun_with_it(name: str, lang: str, tmp_path: Path) -> None:
    """Said in either language; nothing is written."""
    folder = written(tmp_path) / "csv"
    (folder / "desk.csv").write_text(f"key,value\nruleset,{name}\n")
    book = tmp_path / "war.xlsx"

    result = desk.new_campaign(desk.NewPlan(name, folder=folder), book, lang=lang)

    assert result.exit == Exit.REFUSED
    told(result, name)
    assert not book.exists()


@pytest.mark.parametrize("name", PLUGINS)
def test_no_campaign_of_it_is_touched(name: str, book: Path) -> None:
    """A workbook that names it is neither read as a campaign nor resolved."""
    file = hand.opened(book)
    cell = next(c for row in file["Desk"].iter_rows() for c in row if c.value == "tiny")
    cell.value = name
    file.save(book)
    before = book.read_bytes()

    for result in (desk.status(book, lang="en"), desk.check(book, lang="en"), desk.resolve(book, lang="en")):
        assert result.exit == Exit.FILE
        told(result, name)
    assert book.read_bytes() == before


def test_the_others_are_listed_beside_it() -> None:
    """One that cannot be used keeps nobody from the rest."""
    result = desk.rulesets(lang="en")

    assert {one["id"] for one in result.data["rulesets"]} == set(installed_rulesets()) - set(PLUGINS)
    assert {finding.data["ruleset"] for finding in result.findings} == set(PLUGINS)


def test_what_is_no_ruleset_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point that names something else, whatever that declares."""
    (tmp_path / "strange_thing.py").write_text(f"class Thing:\n    interface = {INTERFACE}\n\n\nTHING = Thing()\n")
    info = tmp_path / "strange_thing-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-thing\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[arbitro.rulesets]\nthing = strange_thing:THING\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(UnfitRuleset) as caught:
        load("thing")
    assert caught.value.finding.code == "ARB-286"


def test_all_that_ship_declare_todays_interface() -> None:
    """Each says so itself, by its number, so that a change of the interface is a change of each of them."""
    for name, place in installed_rulesets().items():
        if place.startswith("assistant."):
            assert vars(type(load(name)))["interface"] == INTERFACE
    assert Ruleset.interface == 1
