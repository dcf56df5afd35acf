"""House rules with code: steps, phases, boards, texts and verbs of a rulebook changed; the examples of
docs/house-rules.md; the package by its mark in ledger and reports; `arbitro house`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text, public
from assistant.campaign.records import Die, Event
from assistant.campaign.tables import Record, Table
from assistant.environment import scenario_names, shipped_scenario
from assistant.ledger import Ledger
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.rulesets.giglio.war import War
from assistant.testing import kit
from assistant.testing.cases import must_succeed
from assistant.turn.chapters import Chapter
from assistant.turn.game import Phase, Step
from assistant.turn.numbers import check_rule_rows
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import order
from assistant.turn.phases import Outcome, resolve
from assistant.turn.rulebooks import (
    builds_on,
    load,
    named_steps,
    package_mark,
    public_of,
    rulebook,
    with_board,
    with_options,
    with_phase,
    with_records,
    with_steps,
    with_texts,
    with_verbs,
    with_words,
)
from tests.giglio.cases import build
from tests.playing import answer, arbitro
from tests.plugin.installing import installed_at

BOOKS: dict[str, Any] = {name: load(name) for name in ("anarchy", "bloodlust", "incursio")}
HOUSE = (Path(__file__).parents[2] / "docs" / "house-rules.md").read_text(encoding="utf-8")
PIECE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
MODULES = dict(PIECE.findall(HOUSE))
ENTRIES = dict(re.findall(r'^(\w+) = "(arbitro_\w+:\w+)"$', HOUSE, re.MULTILINE))


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The printed packages, written and installed."""
    folder = tmp_path_factory.mktemp("houses")
    for name, text in MODULES.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
    with installed_at(folder, ENTRIES):
        yield folder


@dataclass(eq=False, repr=False)
class Well(Record, sheet="Wells", sheet_it="Pozzi"):
    """A sheet that a package adds."""

    well: str = public(Text(), "Well", "Pozzo", key=True)


def idle(board: Any) -> None:
    """Nothing."""


# --- the parts that can be changed ------------------------------------------------------------------------
def test_steps_are_put_before_behind_and_instead_of_others() -> None:
    """By their names, in every round where a star stands; a step that replaces another is judged as that was."""
    def march(war: Any) -> None:
        """Another."""

    changed = with_steps(GIGLIO.calendar, replace={"r*.move.march": march}, before={"winter.recapitulate": idle},
                         after={"income.income": idle})
    names = list(named_steps(changed))
    assert names[:2] == ["income.income", "income.idle"]
    assert names[names.index("winter.idle") + 1] == "winter.recapitulate"
    marches = [(name, step) for name, step in named_steps(changed).items() if step.run is march]
    assert [name for name, _ in marches] == [f"r{n}.move.march" for n in range(1, 11)]
    assert {(step.judged, step.follows) for _, step in marches} == {("alone", True)}


@pytest.mark.parametrize("change", [{"before": {"winter.winter": idle}}, {"replace": {"r*.siege.siege": idle}}])
def test_a_step_that_is_not_there_is_a_fault_of_the_package(change: dict[str, Any]) -> None:
    """And the nearest is named."""
    with pytest.raises(ValueError, match=r"there is no step '.*'; did you mean (winter|r)"):
        with_steps(GIGLIO.calendar, **change)


def test_a_phase_comes_where_it_is_put() -> None:
    """Beside one of the turn, on one side of it."""
    phase = Phase("council", "Council", "Concilio", "4", steps=(Step(idle),))
    for where, place in (({"before": "winter"}, -2), ({"after": "winter"}, -1)):
        assert with_phase(GIGLIO.calendar, phase, **where).turn[place] == phase
    for wrong in ({}, {"before": "winter", "after": "winter"}, {"before": "autumn"}):
        with pytest.raises(ValueError, match="no phase"):
            with_phase(GIGLIO.calendar, phase, **wrong)


def test_a_board_takes_the_place_of_that_on_which_it_builds() -> None:
    """In every phase with steps."""
    class Mine(War):
        """As it is."""

    assert {phase.board for phase in with_board(GIGLIO.calendar, Mine).turn} == {Mine}


def test_sentences_are_reworded_with_the_braces_that_are_filled() -> None:
    """Others would be shown as they are."""
    assert with_texts(GIGLIO.events, {"winter.quiet": "Quiet: {faction}."})["winter.quiet"].text == "Quiet: {faction}."
    with pytest.raises(ValueError, match="nobody fills snow"):
        with_texts(GIGLIO.events, {"winter.quiet": "{snow}"})
    with pytest.raises(ValueError, match="did you mean winter"):
        with_texts(GIGLIO.events, {"winter.quite": "Quiet."})


def test_verbs_are_added_to_those_of_the_book() -> None:
    """With all that the book says of orders; a word that it has already is a fault."""
    @order("pray", "prega", when=("spring",), help="Pray.")
    def pray(war: Any, request: Request) -> None:
        """Nothing comes of it."""

    more = with_verbs(GIGLIO.verbs, pray)
    assert (list(more)[:-1], list(more)[-1]) == (list(GIGLIO.verbs), "pray")
    for part in ("says", "cells", "fillers", "purse", "anywhere", "neutrals", "like", "bare", "shapes"):
        assert getattr(more, part) == getattr(GIGLIO.verbs, part), part
    with pytest.raises(ValueError, match="pray"):
        with_verbs(more, order("beg", "prega", when=("spring",), help="Pray.")(idle))


def test_columns_and_verbs_take_more_words() -> None:
    """The book's own keep theirs; what holds no words, or is not there, is a fault of the package."""
    node = with_words(GIGLIO.public["Node"], site={"pass": "passo"})
    assert (node.column("site").kind.read("passo"), node.column("site").kind.read("castello")) == ("pass", "fortress")
    assert "pass" not in GIGLIO.public["Node"].column("site").kind.words
    assert node(node="A1").site == "village"
    records = with_records(GIGLIO.records, node, Well)
    assert [record.sheet for record in records] == [*(record.sheet for record in GIGLIO.records), "Wells"]
    assert (node in records, GIGLIO.public["Node"] in records) == (True, False)
    more = with_options(GIGLIO.verbs, "enlist", option={"bridger": "pontiere"})
    assert list(more) == list(GIGLIO.verbs)
    assert more["enlist"].options()["option"]["bridger"] == "pontiere"
    assert "bridger" not in GIGLIO.verbs["enlist"].options()["option"]
    for wrong in (lambda: with_words(node, owner={"x": "y"}), lambda: with_options(more, "enlist", target={"x": "y"}),
                  lambda: with_options(more, "enlst", option={"x": "y"})):
        with pytest.raises(ValueError, match=r"one of a few words|did you mean enlist"):
            wrong()


def test_a_row_of_the_book_becomes_one_of_the_package() -> None:
    """With the defaults of what that adds, also in the hands of whoever made it."""
    fleet: Any = load("transports").record("Fleets")
    table: Table[Any] = Table(fleet)
    row = table.add(GIGLIO.public["Fleet"](fleet="F-F1", faction="F", node="F1"))
    assert (type(row), row.second) == (fleet, "")


# --- the examples of the page -----------------------------------------------------------------------------
MAP: dict[str, Any] = {"bare": True, "factions": "F 50, M 50", "nodes": "F0 site=city, F1, M0 site=city"}


def at(phase: str, **given: Any) -> Campaign:
    """Florence with a city and a village, Milan with a city; before a phase near winter."""
    campaign = build("winter", **{**MAP, **given})
    campaign.desk.phase = phase
    return campaign


def played(name: str, phase: str, answers: dict[str, str] | None = None, **given: Any) -> Outcome:
    """A phase by the house rules of a package."""
    outcome = resolve(load(name), at(phase, **given), bytes(32), answers)
    assert outcome.findings == []
    return outcome


def chests(outcome: Outcome) -> dict[str, int]:
    """Ducats by faction."""
    return {code: outcome.campaign.by_sheet("Factions")[code].treasury for code in "FM"}


def told(outcome: Outcome, event: str) -> list[Event]:
    """The events of a type."""
    return [row for row in outcome.events if row.event == event]


def test_each_example_is_a_package_of_forty_lines_at_most() -> None:
    """And says on which book it builds."""
    assert sorted(ENTRIES) == ["autumn", "bridges", "coast", "council", "horse", "mild", "passes", "tens", "transports"]
    assert {name: builds_on(load(name)) for name in ENTRIES} == dict.fromkeys(ENTRIES, "giglio")
    assert max(len(text.splitlines()) for text in MODULES.values()) <= 40
    assert max(len(line) for text in MODULES.values() for line in text.splitlines()) <= 120


def test_taxes_of_autumn_are_a_part_of_those_of_spring() -> None:
    """A fifth of 40 + 10 and of 40; the number is on the sheet Rules, by which the book itself knows it not."""
    outcome = played("autumn", "winter", dice={"event:F:1500": 1, "event:M:1500": 1})
    assert chests(outcome) == {"F": 60, "M": 58}
    assert [(row.audience, row.data["total"]) for row in told(outcome, "autumn.tax")] == [("F", 10), ("M", 8)]
    more = at("winter", rules={"tax_autumn": 50})
    assert chests(resolve(load("autumn"), more, bytes(32))) == {"F": 75, "M": 70}
    rows = more.by_sheet("Rules")
    assert [f.code for f in check_rule_rows(load("autumn").numbers, rows, "autumn")] == []
    assert [f.code for f in check_rule_rows(GIGLIO.numbers, rows, "giglio")] == ["ARB-064"]


@pytest.mark.parametrize(("votes", "left"), [(("yes", "yes"), {"F": 40, "M": 60}), (("yes", "no"), {"F": 50, "M": 50})])
def test_a_council_is_held_before_winter(votes: tuple[str, str], left: dict[str, int]) -> None:
    """The phase waits for both clubs; half is not most."""
    ruleset = load("council")
    waits = resolve(ruleset, at("council"), bytes(32))
    names = [question.question for question in waits.questions]
    assert (waits.done, len(names)) == (False, 2)
    outcome = played("council", "council", dict(zip(names, votes, strict=True)))
    assert chests(outcome) == left
    assert outcome.campaign.desk.phase == "winter"


@pytest.mark.parametrize(("die", "event"), [(1, 2), (2, 3), (3, 3), (4, 4), (5, 4), (6, 5)])
def test_mild_winters_have_a_table_of_their_own(die: int, event: int) -> None:
    """Of the book's table six would be an earthquake."""
    outcome = played("mild", "winter", dice={"event:F:1500": 6, "eventtable:F:1500": die, "event:M:1500": 1})
    assert [outcome.campaign.by_sheet("Factions")[code].pending_event for code in "FM"] == [event, 0]
    assert load("mild").events["winter.quiet"].text == "A mild winter for {faction:the}."


def test_a_die_of_ten_decides_sieges() -> None:
    """It is thrown under the book's key, and one that was typed is read as such."""
    given = {"armies": "F-1 100 M0", "sieges": "M0 F 0", "nodes": "F0 site=city, M0 site=city walls=intact",
             "answers": "bribe F M0 = 0"}
    campaign = build("r4.siege", **{**MAP, **given})
    thrown = resolve(load("tens"), campaign, bytes(32))
    assert [(roll.key, roll.dice) for roll in thrown.rolls] == [("siege:M0:1500:4", "1d10")]
    campaign.table(Die).add(campaign.table(Die).record(key="siege:M0:1500:4", value="10", source="table"))
    (fell,) = told(resolve(load("tens"), campaign, bytes(32)), "siege.roll")
    assert (fell.data["die"], fell.data["verdict"]) == (10, "fell")


@pytest.mark.parametrize(("key", "value"), [("siege_target", 8), ("move_own", 3), ("loan_pct", 0)])
def test_what_the_page_says_of_the_sheet_is_allowed_there(key: str, value: int) -> None:
    """Those house rules need no code."""
    assert f"`{key}` is {value} |" in HOUSE
    campaign = build(rules={key: value})
    assert check_rule_rows(GIGLIO.numbers, campaign.by_sheet("Rules"), "giglio") == []
    assert GIGLIO.rules(campaign)[key] == value


@pytest.mark.slow
def test_what_the_packages_add_is_played_by_the_commands() -> None:
    """An army type, a terrain, a specialist, an objective, a second army aboard: a case each."""
    kit.cases(Path(__file__).with_name("house_rules.jsonl"))


# --- the other books -----------------------------------------------------------------------------------------
def book_of(base: str, **parts: Any) -> Any:
    """A package on top of a book, with parts of its own; `board`: methods of its board."""
    book: Any = rulebook(base)
    if board := parts.pop("board", None):
        name, methods = board
        mine = type(f"My{name}", (public_of(base)[name],), methods)
        parts["calendar"] = with_board(parts.get("calendar", book.calendar), mine)
    return type("Mine", (book,), {"id": f"my_{base}", "title": "Mine", **parts})()


def opened(ruleset: Any, base: str) -> Campaign:
    """The first scenario of a book."""
    return kit.opening(ruleset, shipped_scenario(base, scenario_names(base)[0]))


def one_farther(field: Any, unit: Any) -> int:
    """One point of movement more than by the book."""
    return int(public_of("anarchy")["Field"].points_today(field, unit)) + 1


def alms(realm: Any) -> None:
    """Each nation gets two resources."""
    for nation in realm.living():
        nation.resources += 2


def two_more_coins(realm: Any) -> None:
    """For the defenders, each day."""
    for faction in realm.factions.where(lambda row: row.coins is not None):
        faction.coins += 2


def always_fair(land: Any) -> None:
    """The sun shines."""
    for zone in land.zones:
        zone.weather = "fair"
        land.tell("weather_set", zone=zone.zone, weather="fair")


def test_anarchy_marches_farther_on_a_board_of_its_own() -> None:
    """Whoever asks the board of any phase, of reports and robots is told so."""
    mine = book_of("anarchy", board=("Field", {"points_today": one_farther}))
    campaign = opened(mine, "anarchy")
    by_book, by_house = BOOKS["anarchy"].realm(campaign), mine.realm(campaign)
    army = next(iter(by_book.active()))
    assert by_house.points_today(army) == by_book.points_today(army) + 1
    assert all(issubclass(phase.board, type(by_house)) for phase in mine.calendar.turn if phase.steps)


def test_each_nation_of_bloodlust_gets_alms_in_spring() -> None:
    """A step behind one of the book's; the phases with boards of their own keep them."""
    calendar = with_steps(rulebook("bloodlust").calendar, after={"call.spring_call": alms})
    mine = book_of("bloodlust", calendar=calendar, board=("Realm", {"later": lambda realm, seasons: "9Sp"}))
    campaign = opened(mine, "bloodlust")
    assert campaign.desk.phase == "call"
    by_book, by_house = (resolve(one, campaign.copy(), bytes(32)).campaign.by_sheet("Factions")
                         for one in (BOOKS["bloodlust"], mine))
    gained = {row.faction: row.resources - by_book[row.faction].resources for row in by_house if row.alive}
    assert set(gained.values()) == {2}
    recruit = mine.phase("recruit").board
    assert [kind.__name__ for kind in recruit.__mro__[1:3]] == ["MyRealm", "RecruitingBoard"]


def test_the_defenders_of_incursio_find_two_coins_a_day() -> None:
    """A step before one of the book's."""
    mine = book_of("incursio", calendar=with_steps(rulebook("incursio").calendar,
                                                   before={"first_move.side_moves": two_more_coins}))
    campaign = opened(mine, "incursio")
    campaign.desk.phase = "first_move"
    by_book, by_house = (resolve(one, campaign.copy(), bytes(32)).campaign.by_sheet("Factions")
                         for one in (BOOKS["incursio"], mine))
    gained = {row.faction: row.coins - by_book[row.faction].coins for row in by_house if row.coins is not None}
    assert set(gained.values()) == {2}


def test_the_weather_of_warriors_is_always_fair() -> None:
    """A step in place of one of the book's: no die is thrown for it."""
    mine = book_of("warriors", calendar=with_steps(rulebook("warriors").calendar,
                                                   replace={"weather.weather": always_fair}))
    campaign = opened(mine, "warriors")
    assert campaign.desk.phase == "weather"
    outcome = resolve(mine, campaign, bytes(32))
    assert {row.weather for row in outcome.campaign.by_sheet("Zones")} == {"fair"}
    assert outcome.rolls == []
    assert {row.event for row in outcome.events} == {"weather_set"}


# --- the mark of a package ----------------------------------------------------------------------------------
def test_a_rulebook_that_stands_by_itself_has_no_mark() -> None:
    """Nor has a wing."""
    assert package_mark(GIGLIO) is None
    assert rulebook("giglio") is type(GIGLIO)


@pytest.mark.slow
def test_a_campaign_goes_on_with_its_own_house_rules_only(installed: Path, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """Ledger and reports name the package; another or a missing one begins nothing, until the referee accepts it."""
    monkeypatch.chdir(tmp_path)
    must_succeed("new", "mild", "x.xlsx")
    mark = package_mark(load("mild"))
    assert mark is not None
    with Ledger.open(Path("x.arbitro"), "") as ledger:
        assert ledger.package == str(mark) == f"mild 1.0 ({mark.digest})"
    assert answer("ledger", "x.xlsx")["package"] == str(mark)
    must_succeed("report", "x.xlsx", "--out", "reports")
    for page in ("gazette", "referee", "F"):
        text = " ".join(Path("reports", f"{page}.txt").read_text(encoding="utf-8").split())
        assert str(mark) in text, page
    module, book = installed / "arbitro_mild" / "__init__.py", Path("x.xlsx").read_bytes()
    text = module.read_text(encoding="utf-8")
    module.write_text(f"{text}\n# changed\n", encoding="utf-8")
    for command in ("resolve", "check", "status", "report"):
        said = answer(command, "x.xlsx")
        assert (said["exit"], [f["code"] for f in said["findings"]]) == (1, ["ARB-695"]), command
    assert Path("x.xlsx").read_bytes() == book
    line = re.search(r"arbitro (house x\.xlsx --accept)", arbitro("resolve", "x.xlsx").stderr)
    assert line is not None
    must_succeed(*line[1].split())
    assert answer("check", "x.xlsx")["exit"] == 0
    module.write_text(text, encoding="utf-8")
    assert answer("resolve", "x.xlsx")["exit"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(("name", "begins"), [("council", "council"), ("autumn", "winter"), ("mild", "winter")])
def test_a_campaign_with_house_rules_is_played_and_verified(name: str, begins: str, tmp_path: Path,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """To the end of its winter by the commands; undone, it comes to the same."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for table, text in {"factions": "faction,treasury\nV,50\nM,50\n", "roads": "a,b\nV0,M0\n",
                        "nodes": "node,site,owner\nV0,city,V\nM0,city,M\n",
                        "desk": f"key,value\nyear,1500\nphase,{begins}\nstart_year,1500\n"}.items():
        (tmp_path / "in" / f"{table}.csv").write_text(text)
    must_succeed("new", name, "x.xlsx", "--from", "in")
    said = [must_succeed("resolve", "x.xlsx", "--until", "winter", "--defaults")]
    assert arbitro("verify", "x.xlsx").exit_code == 0
    must_succeed("undo", "x.xlsx", "--steps", "2" if begins == "council" else "1")
    said.append(must_succeed("resolve", "x.xlsx", "--until", "winter", "--defaults"))
    assert said[0] == said[1]
    assert arbitro("verify", "x.xlsx").exit_code == 0


@pytest.mark.slow
def test_a_campaign_without_its_package_begins_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, with its version and digest."""
    monkeypatch.chdir(tmp_path)
    must_succeed("new", "tens", "x.xlsx")
    mark = package_mark(load("tens"))
    monkeypatch.setattr("assistant.turn.rulebooks._entries", lambda path: ())
    said = arbitro("resolve", "x.xlsx")
    assert (said.exit_code, said.stderr.split()[0]) == (1, "ARB-694")
    assert str(mark) in said.stderr


# --- the command ----------------------------------------------------------------------------------------------
def test_the_command_lists_what_may_be_changed() -> None:
    """The steps of alike rounds once, what is public with what it is, and a line that can be typed."""
    said = answer("house", "giglio")
    assert (said["exit"], said["public"].keys()) == (0, GIGLIO.public.keys())
    assert "r*.siege.resolve_sieges" in said["steps"]
    assert "winter.draw_events" in said["steps"]
    assert said["lines"][-1].endswith("arbitro house giglio mine")
    assert arbitro("house", "gigglio").exit_code == 2
    assert arbitro("house", "giglio", "giglio").exit_code in (2, 5)


@pytest.mark.slow
@pytest.mark.parametrize("base", ["giglio", "anarchy", "bloodlust", "incursio", "warriors"])
def test_a_package_that_was_written_plays_by_the_book(base: str, tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    """It is checked and begins a campaign; its tests pass; and it may be changed at once."""
    monkeypatch.chdir(tmp_path)
    name = f"my_{base}"
    must_succeed("house", base, name)
    project = Path(name, "pyproject.toml").read_text(encoding="utf-8")
    (target,) = re.findall(rf'^{name} = "(.+)"$', project, re.MULTILINE)
    monkeypatch.syspath_prepend(str(tmp_path / name))
    (tmp_path / "entries").mkdir()
    with installed_at(tmp_path / "entries", {name: target}):
        assert arbitro("rulesets", "--check", name).stdout.endswith(": 0 wrong, 0 missing.\n")
        file = tmp_path / name / "tests" / f"test_{name}.py"
        tests: dict[str, Any] = {"__file__": str(file)}
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), tests)
        for test in [test for word, test in tests.items() if word.startswith("test_")]:
            test()
        assert isinstance(tests[name.upper()].chapters[-1], Chapter)
    done = arbitro("house", base, name)
    assert (done.exit_code, done.stderr.split()[0]) == (5, "ARB-692")
