"""The kit works for rulebooks that others wrote, and says in plain words what is wrong with a bad one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Text, column
from assistant.rulebook_source import PAGE
from assistant.testing import cases, kit
from assistant.turn.calendar import Calendar
from assistant.turn.game import Phase, Step
from assistant.turn.orders.columns import Option
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import order, order_book
from tests.desk.tiny import FOLDER, TINY
from tests.plugin.wells.arbitro_wells import DIG, WELLS, Desert, Faction, Order, Wells, counting, digging
from tests.reporting.feud import campaign as feud
from tests.sketches.realms import REALMS
from tests.sweeps import slow_among
from tests.turn.raid import Raid, raid
from tests.views.test_fog import Talkative

HERE = Path(__file__).parent
START, GOLDEN = (HERE / "wells" / "tests" / name for name in ("start", "golden"))
MANUAL = PAGE


@slow_among("test_case_files_go_through_the_commands", "test_every_verb_stands_whoever_orders_it",
            "test_what_a_faction_may_not_see_changes_no_byte")
class TestTwoVillages(kit.Promises):
    """A rulebook whose verbs are plain words, with questions and a battle on the table."""

    ruleset = TINY
    phases = 2  # march and clash: a fight needs a winner on the sheet, whom no answer gives
    case_files = (HERE / "villages.jsonl",)
    tried, processes = (2, 6), False

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        for name, text in FOLDER.items():
            (tmp_path / name).write_text(text)
        self.folder = tmp_path

    def opening(self) -> Campaign:
        """Two villages and the middle between them."""
        return kit.opening(TINY, self.folder)

    def aside(self, change: kit.Change) -> bool:
        """The form of a battle is handed out, and filled in, without an event."""
        return change.sheet == "Battles"


class OneDay(Raid):
    """A raid that ends with its first day."""

    def last_turn(self, campaign: Campaign) -> bool:
        """Each is."""
        return True


@pytest.mark.slow
class TestRaid(kit.Promises):
    """A rulebook of dice only."""

    ruleset = OneDay()
    processes = False

    def opening(self) -> Campaign:
        """Two bands and a keep."""
        return raid("assault")


# --- what the kit says of a bad rulebook ------------------------------------------------------------------
def wells(ruleset: Wells = WELLS) -> Campaign:
    """Two camps and two wells."""
    return kit.opening(ruleset, START)


def with_steps(*steps: Step, rule: str = "2") -> Wells:
    """The Wells with other steps, of a phase that rests on a chapter."""
    class Other(Wells):
        calendar = Calendar((Phase("dig", "Digging", "Scavo", rule, orders="day", board=Desert, steps=steps),))

    return Other()


def silently(desert: Desert) -> None:
    """Water for everybody, and not a word."""
    for camp in desert.camps:
        camp.barrels += 1


def too_late(desert: Desert) -> None:
    """Told of first and done afterwards."""
    for camp in desert.camps:
        desert.game.tell("well.found", faction=camp.faction, node="W1")
        camp.barrels += 1


def idly(desert: Desert) -> None:
    """An event that stands nowhere and rests on nothing."""
    desert.game.tell("well.poisoned")


@dataclass
class Forgetful(Faction):
    """A camp with a secret that does not say whose it is."""

    plan: str = column(Text(), "Plan", "Piano")


class Secretive(Wells):
    """With a column that does not say who may see it."""

    records = (base.Desk, Forgetful, *Wells.records[2:])


@order("guess", "tira", when=("day",), target=Option({"left": "sinistra"}), help="Guess where water is.")
def guess(desert: Desert, request: Request) -> None:
    """Whatever was typed, somebody gets a barrel."""
    desert.camps[request.faction].barrels += 1
    desert.game.tell("well.found", faction=request.faction, node="W1")


class Credulous(Wells):
    """Which looks at no place."""

    verbs = order_book(guess, says=Wells.verbs.says)


class Blind(Wells):
    """Whose robots dig where no place is."""

    def robot_orders(self, view: Campaign, faction: str) -> list[base.Order]:
        """Nowhere."""
        return [Order(verb="dig", target="W99")]


class Endless(Wells):
    """Which never ends."""

    def last_turn(self, campaign: Campaign) -> bool:
        """There is always another day."""
        return False


class Growing(Wells):
    """Whose camps find a barrel each time they are read."""

    def prepare(self, campaign: Campaign) -> None:
        """One more."""
        super().prepare(campaign)
        for camp in campaign.table(Faction):
            camp.barrels += 1


GROWING = Growing()
BAD: list[tuple[Callable[[], Any], str]] = [
    (lambda: kit.check_declarations(Secretive()),
     r"Factions: plan does not say who may see it\. Say it with see and whose"),
    (lambda: kit.fog(Talkative(), feud()), r"What leaves for R is not the same when Armies\.men says something else"),
    (lambda: kit.check_equals_resolve(
        with_steps(Step(digging)), kit.with_robots(wells()), seed=1),
     r"1 dig: the phase refuses order x\d+ with WEL-00\d, and check does not: .*Mark the step"),
    (lambda: kit.nonsense_is_refused(Credulous(), wells()),
     r"guess with target '.*' is neither refused nor found\. Judge that column of the verb"),
    (lambda: kit.nonsense_is_refused(Credulous(), wells()), r"nonsense among the orders changed Factions N\.barrels"),
    (lambda: kit.robots_play(with_steps(Step(silently)), wells()), r"Factions N\.barrels: 0 -> 1 is told by no event"),
    (lambda: kit.robots_play(with_steps(Step(too_late)), wells()), r"Factions S\.barrels: 0 -> 1 is told by no event"),
    (lambda: kit.robots_play(with_steps(Step(idly)), wells()),
     r"well\.poisoned is told and not declared\. Add its EventType"),
    (lambda: kit.robots_play(with_steps(Step(idly), rule=""), wells()),
     r"well\.poisoned cites no rule\. Say with its type or phase on what it rests"),
    (lambda: kit.robots_play(Blind(), wells()), r"check refuses a robot's order: WEL-001 at Orders/1-day-N-robot-1"),
    (lambda: kit.robots_play(Endless(), wells(), phases=5), r"After 5 phases at most the campaign is 6 dig\. Let "),
    (lambda: kit.round_trip(GROWING, wells()), r"factions\.csv is another when it comes out: line 2 was .*,0'"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "said"), BAD, ids=[
    "declared", "fog", "check", "nonsense", "nonsense counts", "untold", "told too early", "undeclared", "uncited",
    "robots", "endless", "round trip"])
def test_what_is_wrong_is_said_with_its_place_and_a_remedy(
    asked: Callable[[], Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bad rulebook of each kind."""
    with kit.plug_in(tmp_path, wells=f"{__name__}:GROWING"), pytest.raises(AssertionError, match=said):
        asked()


class Looked(kit.Promises):
    """What all see of the Realms, but for a column that its author has not seen yet."""

    ruleset = REALMS
    confirmed: Collection[str] | None = tuple(name for name in kit.public_items(REALMS) if name != "Nodes.fort")


def test_what_all_see_and_nobody_has_confirmed_is_named() -> None:
    """A column of the book's own, beside secrets; nothing where nobody has looked, or at all of it."""
    with pytest.raises(AssertionError, match=r"not among `confirmed`:\nNodes\.fort$"):
        Looked().test_what_all_see_is_confirmed()
    for confirmed in (None, kit.public_items(REALMS)):
        looked = Looked()
        looked.confirmed = confirmed
        looked.test_what_all_see_is_confirmed()
    assert kit.public_items(WELLS) == []


def test_good_steps_pass_where_bad_ones_do_not() -> None:
    """What the comparisons above refuse are the steps, not that they were put together anew."""
    good = with_steps(Step(digging, "together"), Step(counting))
    kit.robots_play(good, wells(good))
    assert kit.check_equals_resolve(good, kit.with_robots(wells(good)), seed=1) >= {"WEL-001"}
    assert DIG.steps


@pytest.mark.parametrize(("was", "now", "said"), [
    ("1,Factions,N,barrels,1", "1,Factions,N,barrels,2", "1: Factions N barrels is '1' and not '2'"),
    ("2 after dig,Factions,S", "2 after dig,Factions,Q", "2 after dig: Factions Q barrels is 'not there' and not '1'"),
    ("1 dig,Findings,s1,WEL-001,error\n", "", r"1 dig: WEL-001 \(error\) was found at s1"),
    ("1 dig,Findings,s1,WEL-001", "1 dig,Findings,s1,WEL-002", r"1 dig: WEL-002 \(error\) was not found at s1"),
    ("3,Factions", "4,Factions", "4: play never comes there"),
    ("checkpoint,", "point,", "expected.csv has no column checkpoint"),
])
def test_a_golden_folder_says_what_is_otherwise(was: str, now: str, said: str, tmp_path: Path) -> None:
    """Values, rows, findings, checkpoints, columns."""
    for file in GOLDEN.iterdir():
        (tmp_path / file.name).write_text(file.read_text().replace(was, now))
    with pytest.raises(AssertionError, match=said):
        kit.golden(WELLS, tmp_path)


def test_a_case_says_all_that_is_otherwise(tmp_path: Path) -> None:
    """A value, a row and a table that are not there, an event, a finding too many and one too few."""
    case = cases.read_cases(HERE / "wells" / "tests" / "cases.jsonl")[1]
    rows = {"orders": [{"order": "n1", "status": "accepted"}, {"order": "n2"}], "wagons": []}
    expected = {"rows": rows, "events": [{"event": "well.found"}], "findings": [{"code": "WEL-002"}]}
    found = cases.case_faults({**case, "expected": expected}, tmp_path / "case")
    assert [one.removeprefix(f"{case['name']}: ").removesuffix(f" {cases.REMEDY}") for one in found] == [
        "orders n1: status is 'refused' and not 'accepted'.", "orders n2: is not there.",
        "there is no table wagons; its tables are armies, battles, desk, dice, events, factions, findings, inbox, "
        "nodes, orders, outlines, questions, roads, rules.",
        "no event was told with event 'well.found'; told were none.",
        "there is no finding with code 'WEL-002'.",
        "there is a finding that is not expected: code 'WEL-001', sheet 'Orders', row 'n1', field 'target', text "
        "\"'W9' is not on the map. Did you mean W2?\"."]


def test_rows_that_should_be_gone_are_named_where_they_stand(tmp_path: Path) -> None:
    """A row that is there, a table and a column of which there are none; the row laid over the scenario's is one row,
    and a row of another key one more.
    """
    case = cases.read_cases(HERE / "wells" / "tests" / "cases.jsonl")[-1]
    tables = {"nodes": [{"node": "W1", "damp": False}, {"node": "W7"}]}
    gone = {"orders": [{"faction": "A", "status": "accepted"}, {"status": "refused"}, {"seller": "A"}, {}],
            "nodes": [{"node": "W7"}, {"name": "New well", "damp": True}], "wagons": []}
    expected = {"rows": {"nodes": [{"node": "W1", "damp": False}, {"node": "W2", "name": "New well"}]}, "gone": gone}
    found = cases.case_faults({**case, "tables": tables, "expected": expected}, tmp_path / "case")
    said = [one.removeprefix(f"{case['name']}: ").removesuffix(f" {cases.REMEDY}") for one in found]
    assert [one.partition(";")[0] for one in said] == [
        "orders: there is still a row with faction 'A', status 'accepted'.", "orders has no seller",
        "orders has no row that is meant by nothing", "nodes: there is still a row with node 'W7'.",
        "there is no table wagons"]


def test_a_case_without_orders_of_its_own_plays_those_of_its_scenario(tmp_path: Path) -> None:
    """The two that the oasis has; a scenario that is not there is named with those that are."""
    case = {"name": "as it comes", "rulebook": "wells", "scenario": "oasis",
            "expected": {"rows": {"orders": [{"faction": "A", "status": "accepted"},
                                             {"faction": "B", "status": "accepted"}]}}}
    assert cases.case_faults(case, tmp_path / "case") == []
    with pytest.raises(AssertionError, match="as it comes: there is no scenario desert; wells has oasis"):
        cases.case_faults({**case, "scenario": "desert"}, tmp_path / "other")


@pytest.mark.parametrize(("line", "said"), [
    ("{not json", "mine.jsonl, line 2: no JSON"),
    ('{"name": "x", "rulebok": "wells", "tables": {"a": []}, "expected": {"rows": {}}}',
     "line 2: no case has the key rulebok; did you mean rulebook"),
    ('{"name": "x", "rulebook": "wells", "expected": {"rows": {}}}', "line 2: there is no tables"),
    ('["x"]', "line 2: a case is an object"),
])
def test_a_line_that_is_no_case_is_named(line: str, said: str, tmp_path: Path) -> None:
    """By the number of its line."""
    (tmp_path / "mine.jsonl").write_text(f"\n{line}\n")
    with pytest.raises(AssertionError, match=said):
        kit.cases(tmp_path / "mine.jsonl")


def test_a_rulebook_that_is_not_installed_is_named() -> None:
    """With what to do."""
    with pytest.raises(AssertionError, match=r"knows no rulebook feud, only .*wells\. Install its package"):
        kit.must_be_installed("feud")


# --- the manual -------------------------------------------------------------------------------------------
def test_every_case_that_is_printed_is_one_that_is_played() -> None:
    """`arbitro help plugins` has an example of each key, and each is in a file that goes through the commands."""
    blocks = re.findall(r"```json\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
    printed = [json.loads(line) for block in blocks for line in block.splitlines()]
    played = [case for file in (HERE / "wells" / "tests" / "cases.jsonl", HERE / "villages.jsonl")
              for case in cases.read_cases(file)]
    assert [case["name"] for case in printed if case not in played] == []
    assert {key for case in printed for key in case} == set(cases.GIVEN)
    assert {key for case in printed for key in case["expected"]} == set(cases.EXPECTED_KEYS)


def test_the_kit_needs_no_pytest() -> None:
    """A plug-in's author may use what he likes: no module of the kit imports it."""
    kits = Path(kit.__file__).parent.glob("*.py")
    assert [path.name for path in kits if "import pytest" in path.read_text(encoding="utf-8")] == []
