"""The pages about rulebooks and `arbitro help plugins` are true: what is printed there is installed and played as
printed, and names exist.
"""

from __future__ import annotations

import re
import shlex
from ast import literal_eval
from collections.abc import Iterator
from importlib import import_module
from inspect import getmembers, isfunction
from pathlib import Path
from shutil import copytree
from types import ModuleType
from typing import Any

import openpyxl
import pytest
from click.testing import Result

from assistant.campaign import columns
from assistant.campaign.campaign import Campaign
from assistant.campaign.map import Map
from assistant.campaign.tables import Head
from assistant.desk.commands.help_pages import fields_of, plugins_page
from assistant.testing import kit
from assistant.testing.cases import campaign_of
from assistant.turn import questions
from assistant.turn.battle_form import BattleForm
from assistant.turn.event_types import CATEGORIES, EventType
from assistant.turn.findings import Citation, Message
from assistant.turn.game import Phase, Step
from assistant.turn.orders import columns as order_columns
from assistant.turn.orders import row_columns
from assistant.turn.orders.requests import ROLES
from assistant.turn.phases import resolve
from assistant.turn.questions import Answering, Ask, QuestionType
from assistant.turn.ruleset import INTERFACE, Ruleset
from tests import playing
from tests.plugin.installing import installed_at

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "\n".join((DOCS / f"{name}.md").read_text(encoding="utf-8")
                 for name in ("new-ruleset", "small-rulebooks", "house-rules"))
REFERENCE = "\n".join(plugins_page())
PIECE = re.compile(r"^\*\*`([^`]+)`\*\*[^\n]*\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^```console\n(?P<console>.*?)^```|^(?P<table>\| Phase \|.*?)\n\n", re.MULTILINE | re.DOTALL)


def printed() -> dict[str, str]:
    """The files of the page, each put together of its pieces."""
    found: dict[str, list[str]] = {}
    for name, text in PIECE.findall(PAGE):
        found.setdefault(name, []).append(text)
    return {name: "\n\n".join(texts) for name, texts in found.items()}


FILES = printed()


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The printed files, written and installed; its pyproject.toml names the entry point."""
    folder = tmp_path_factory.mktemp("printed")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    entries = dict(re.findall(r'(\w+) = "(arbitro_\w+:\w+)"', PAGE))
    assert {"drums", "mild", "pilots", "salt"} < set(entries)
    with installed_at(folder, entries):
        yield folder


def arbitro(line: str) -> Result:
    """A printed command."""
    return playing.arbitro(*shlex.split(line)[1:])


def says(done: Result) -> list[str]:
    """What a command prints: the lines of its result, then what it said beside them."""
    out = done.stdout.splitlines()
    return [line for line in [*out, *(line for line in done.stderr.splitlines() if line not in out)] if line]


def type_row(book: Path, table: str) -> None:
    """Type a printed row into the columns of the sheet Orders, below what stands there."""
    heads, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
    opened = openpyxl.load_workbook(book)
    sheet = opened["Orders"]
    place = {name: cell for line in sheet.iter_rows(max_row=6) for cell in line
             if cell.value is not None and (name := str(cell.value).strip()) in heads}
    free = next(row for row in range(place["Phase"].row + 1, sheet.max_row + 9)
                if not sheet.cell(row, place["Faction"].column or 0).value and sheet.row_dimensions[row].height is None
                and row > place["Phase"].row + 1)
    for row in rows:
        for head, value in zip(heads, row, strict=True):
            sheet.cell(free, place[head].column or 0).value = value
    opened.save(book)


def played(chapter: str, book: str) -> None:
    """Every command of a chapter, in its order, says what is printed under it."""
    start = PAGE.index(chapter)
    for step in STEP.finditer(PAGE, start, PAGE.index("\n# ", start + 1)):
        if step["table"]:
            type_row(Path(book), step["table"])
            continue
        for block in re.split(r"^\$ ", step["console"], flags=re.MULTILINE)[1:]:
            command, *expected = block.strip().splitlines()
            done = arbitro(command)
            assert says(done) == expected, command


def outcomes(book: str) -> dict[str, str]:
    """What the orders came to."""
    return {row.order: row.outcome for row in campaign_of(Path(book)).by_sheet("Orders")}


# --- as printed -------------------------------------------------------------------------------------------
@pytest.mark.slow
def test_salt_is_played_by_lines_and_by_columns_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line, a row of the sheet, a battle, a refusal; and what was buried stands in no page that leaves for others."""
    monkeypatch.chdir(tmp_path)
    played("# An evening", "salt.xlsx")
    (secret,) = re.findall(r"has the sentence `([^`]+)`", PAGE)
    north = (tmp_path / "reports" / "N.txt").read_text(encoding="utf-8")
    assert secret in " ".join(north.split())
    others = [path for path in (tmp_path / "reports").rglob("*") if path.is_file() and path.stem in ("S", "gazette")]
    assert len(others) >= 4
    for path in others:
        text = path.read_text(encoding="utf-8")
        assert "buries" not in text, path
        assert "salt.buried" not in text, path
    campaign = campaign_of(Path("salt.xlsx"))
    assert {row.faction: row.hoard for row in campaign.by_sheet("Factions")} == {"N": 3, "S": 0}
    assert {row.army: (row.men, row.node) for row in campaign.by_sheet("Armies")} == {"N-1": (17, "P1"),
                                                                                      "S-1": (11, "S1")}


@pytest.mark.slow
def test_salt_takes_a_battle_that_was_typed_before_the_bands_met(place: Path, tmp_path: Path,
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    """Its result stands in the CSVs from which the campaign is made: nobody is asked, and it counts."""
    monkeypatch.chdir(tmp_path)
    copytree(place / "arbitro_salt" / "scenarios" / "pans", "in")
    Path("in/battles.csv").write_text("battle,winner,losses_a,losses_b\nB1.P1,b,4,1\n", encoding="utf-8")
    for line in ("arbitro new salt x.xlsx --from in", "arbitro orders x.xlsx 'N: march N-1 to P1' 'S: march S-1 to P1'",
                 "arbitro resolve x.xlsx --until fight", "arbitro export x.xlsx --to out", "arbitro verify x.xlsx"):
        assert arbitro(line).exit_code == 0, line
    assert Path("out/battles.csv").read_text(encoding="utf-8").splitlines()[1].startswith("B1.P1,1,P1,N-1,S-1,b,4,1,")
    campaign = campaign_of(Path("x.xlsx"))
    assert {row.army: (row.men, row.node) for row in campaign.by_sheet("Armies")} == {"N-1": (16, "N1"),
                                                                                      "S-1": (19, "P1")}


@pytest.mark.slow
def test_drums_is_played_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two against two bounces; who is attacked does not cut the support against him; the beaten retreats."""
    monkeypatch.chdir(tmp_path)
    played("# Orders that are judged all at once", "ring.xlsx")
    assert outcomes("ring.xlsx") == {"1S-moves-N-1": "bounced", "1S-moves-N-2": "", "1S-moves-S-1": "",
                                     "1F-moves-N-1": "", "1F-moves-N-2": "", "1F-moves-S-1": "bounced",
                                     "1F-moves-S-2": ""}
    where = {row.army: row.node for row in campaign_of(Path("ring.xlsx")).by_sheet("Armies")}
    assert where == {"N-1": "C1", "N-2": "D1", "S-1": "B1", "S-2": "A1"}


@pytest.mark.parametrize(("orders", "stands", "came_to"), [
    (("N: march N-1 to B1", "S: march S-2 to A1"), "A1 D1 C1 B1", "bounced - - bounced"),
    (("N: march N-1 to B1", "S: march S-2 to C1", "S: march S-1 to A1"), "B1 D1 A1 C1", "- - - -"),
    (("N: march N-2 to C1", "N: support N-1 to C1 from D1", "S: march S-2 to A1"), "A1 D1 C1 B1",
     "cut bounced - bounced"),
    (("N: support N-1 to C1 from D1",), "A1 D1 C1 B1", "void - - -"),
    (("N: march N-1 to B1", "S: march S-1 to B1", "S: march S-2 to C1"), "A1 D1 C1 B1", "bounced - bounced bounced"),
], ids=["no change of places", "a ring", "cut", "nobody to support", "two for one place"])
def test_drums_judges_all_at_once(orders: tuple[str, ...], stands: str, came_to: str, tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """By the sentences of the page: bands N-1, N-2, S-1, S-2 start at A1, D1, C1, B1."""
    monkeypatch.chdir(tmp_path)
    for line in ("arbitro new drums x.xlsx", shlex.join(["arbitro", "orders", "x.xlsx", *orders]),
                 "arbitro resolve x.xlsx"):
        assert arbitro(line).exit_code == 0, line
    campaign = campaign_of(Path("x.xlsx"))
    assert [row.node for row in campaign.by_sheet("Armies")] == stands.split()
    said = {row.text.split()[1]: row.outcome or "-" for row in campaign.by_sheet("Orders")}
    assert [said.get(army, "-") for army in ("N-1", "N-2", "S-1", "S-2")] == came_to.split()


def promises(name: str, folder: Path) -> Any:
    """The printed class of tests, or the same for a ruleset that the page prints none for."""
    if name == "salt":
        module = ModuleType("test_salt")
        module.__file__ = str(folder / "tests" / "test_salt.py")
        exec(compile(FILES["tests/test_salt.py"], module.__file__, "exec"), vars(module))
        return vars(module)["TestSalt"]()
    drums = import_module("arbitro_drums").DRUMS

    class Drums(kit.Promises):
        """Of the ring."""

        ruleset = drums
        processes = False

        def opening(self) -> Campaign:
            """As printed."""
            return kit.opening(drums, folder / "arbitro_drums" / "scenarios" / "ring")

    return Drums()


@pytest.mark.slow
@pytest.mark.parametrize("promise", [name for name, _ in getmembers(kit.Promises, isfunction)
                                     if name.startswith("test_")])
@pytest.mark.parametrize("name", ["salt", "drums"])
def test_the_printed_rulebooks_keep_what_every_ruleset_promises(name: str, promise: str, place: Path) -> None:
    """Salt by its printed tests."""
    getattr(promises(name, place), promise)()


def test_what_the_page_confirms_is_what_all_see_of_salt() -> None:
    """Beside its secrets, by its printed attribute."""
    (confirmed,) = re.findall(r"confirmed = (\(.*?\))", PAGE)
    assert list(literal_eval(confirmed)) == kit.public_items(import_module("arbitro_salt").SALT)


def test_salt_is_as_short_as_the_page_promises() -> None:
    """Three verbs, a map, a battle and a secret, each text in both languages, in less than 220 lines, its scenario and
    pyproject.toml among them.
    """
    lines = [line for name, text in FILES.items() if name.startswith(("arbitro_salt/", "pyproject"))
             for line in text.splitlines()]
    assert len(lines) < 220
    assert max(map(len, lines)) <= 120


# --- where others have stumbled ---------------------------------------------------------------------------
CHART = {"desk": "key,value\nruleset,pilots\n", "factions": "faction,name_en,gold\nN,North,5\nS,South,5\n",
         "nodes": "node,name,x,y\nA1,Abo,0,0\nB1,Bay,40,0\nC1,Cape,80,0\nD1,Dun,120,0\n",
         "roads": "a,b\nA1,B1\nB1,C1\nC1,D1\n", "armies": "army,faction,node,sailors\nN-1,N,A1,3\nS-1,S,D1,3\n"}


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    """Four ports in a row, a boat at each end."""
    folder = tmp_path / "chart"
    folder.mkdir()
    for name, text in CHART.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def test_pilots_do_what_the_page_says_of_them(chart: Path) -> None:
    """A notation of its own, a way without its start, one word for two phases, a hidden boat, a purse, bookings."""
    ruleset = import_module("arbitro_pilots").PILOTS
    campaign = kit.opening(ruleset, chart)
    read = ruleset.read("N-1 > B1 C1", campaign, "N").fields
    assert read == {"verb": "sail", "unit": "N-1", "path": "B1 C1"}
    rows = [("n1", "N", read), ("n2", "N", {"verb": "hire", "unit": "N-1", "amount": 2}),
            ("s1", "S", {"verb": "sail", "unit": "N-1", "path": "B1"}),
            ("s2", "S", {"verb": "sail", "unit": "N-9", "path": "B1"}),
            ("s3", "S", {"verb": "hire", "unit": "S-1", "amount": 9})]
    table = campaign.by_sheet("Orders")
    for number, (name, faction, fields) in enumerate(rows, 1):
        table.add(table.record(order=name, turn="1", phase="day", faction=faction, seq=number, **fields))
    sailed = resolve(ruleset, campaign, kit.SECRET)
    assert {f.where.row: (f.code, f.data.get("word")) for f in sailed.findings} == {
        "s1": ("PIL-002", "N-1"), "s2": ("PIL-002", "N-9")}
    assert {row.order for row in sailed.campaign.by_sheet("Orders") if not row.status} == {"n2", "s3"}
    port = resolve(ruleset, sailed.campaign, kit.SECRET)
    assert [(f.where.row, f.code, f.data["cost"], f.data["left"]) for f in port.findings] == [("s3", "PIL-006", 18, 5)]
    booked = ruleset.bookings(ruleset.view(port.campaign, "N"), "N")
    assert [(one.item, one.amount, one.balance) for one in booked] == [("sailors", -4, 1)]
    assert [row.army for row in ruleset.view(port.campaign, "N").by_sheet("Armies")] == ["N-1"]
    assert [table.title for table in ruleset.sightings(port.campaign, "N")] == ["Armies of others", "Ports"]


@pytest.mark.slow
@pytest.mark.parametrize("promise", ["test_all_is_declared", "test_what_a_faction_sees_gives_nothing_hidden_away",
                                     "test_check_refuses_what_resolve_refuses", "test_typed_nonsense_is_refused",
                                     "test_refused_orders_leave_nothing_behind", "test_robots_play_to_the_end"])
def test_pilots_keep_what_every_ruleset_promises(promise: str, chart: Path) -> None:
    """As far as it bears on what the page shows with them."""
    class Pilots(kit.Promises):
        """Of the chart."""

        ruleset = import_module("arbitro_pilots").PILOTS

        def opening(self) -> Campaign:
            """As above."""
            return kit.opening(self.ruleset, chart)

    getattr(Pilots(), promise)()


# --- the reference ----------------------------------------------------------------------------------------
def own_names(kind: type) -> set[str]:
    """What a class offers under names of its own."""
    return {name for name in vars(kind) if not name.startswith("_")}


def kinds_in(module: ModuleType, kinds: Any) -> set[str]:
    """The classes of a module that are one of some kinds."""
    return {name for name, one in vars(module).items() if isinstance(one, type) and issubclass(one, kinds)}


USUAL = {"public", "given", "own", "noted", "wanted"}
ASKED = ("ask", "choose", "may", "amount", "codes", "parts", "shares")
PARTS: dict[str, set[str]] = {
    "Ruleset": own_names(Ruleset), "Phase": fields_of(Phase), "Step": fields_of(Step), "Turns": {"number", "seasons"},
    "Calendar": {"before", "after", "start"}, "EventType": fields_of(EventType), "Message": fields_of(Message),
    "QuestionType": fields_of(QuestionType), "Ask": fields_of(Ask), "Citation": fields_of(Citation),
    "BattleForm": fields_of(BattleForm) - {"confirmed"}, "roles": set(ROLES), "categories": set(CATEGORIES),
    "column": set(columns.column.__kwdefaults__ or ()), "usual": set(vars(columns)) & USUAL,
    "columns": kinds_in(columns, columns.ValueKind), "records": set(Head.__annotations__),
    "Record": {"hold", "about_en", "about_it", "file"},
    "answers": kinds_in(questions, questions.AnswerKind) - {"Several"},
    "order columns": kinds_in(order_columns, order_columns.Kind) | kinds_in(row_columns, order_columns.Kind),
    "Game": {name for name in own_names(Answering) if name.startswith(ASKED)}, "Map": own_names(Map),
    "kit": set(kit.__all__) - {"Change", "cases", "must_be_installed", "with_robots"},
}
"""What a ruleset may declare or call, by where it belongs."""


@pytest.mark.parametrize("part", PARTS)
def test_each_part_of_the_interface_stands_in_the_page(part: str) -> None:
    """In a span of code or a block of it, of the tutorial or the reference."""
    code = " ".join(re.findall(r"```.*?```|`[^`]+`", PAGE + REFERENCE, re.DOTALL))
    assert sorted(name for name in PARTS[part] if not re.search(rf"\b{name}\b", code)) == []


def found(dotted: str) -> bool:
    """Whether a dotted name is a module, or stands in one."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing: Any = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            if not hasattr(thing, name) and name not in getattr(thing, "__annotations__", {}):
                return False
            thing = getattr(thing, name, None)
        return True
    return False


def test_each_name_of_a_module_in_the_page_exists() -> None:
    """`assistant.turn.game.Board` and the like; imports of blocks as well, those of Wells left to its own tests."""
    both = f"{PAGE}\n{REFERENCE}"
    today = both[:both.index("## What changed in the interface")]
    named = set(re.findall(r"\bassistant(?:\.\w+)+", today))
    imported = {f"{module}.{name.strip().split(' as ')[0]}" for module, names in re.findall(
        r"^from (assistant[\w.]*) import ([^\n]+)$", both, re.MULTILINE) for name in names.split(",")}
    assert sorted(one for one in named | imported if not found(one)) == []
    assert not found("assistant.turn.game.Bord")
    kits = set(re.findall(r"`kit\.(\w+)", both))
    assert sorted(name for name in kits if not hasattr(kit, name)) == []


def test_the_page_is_of_todays_interface() -> None:
    """What is printed is written for it, and what changed to it stands at the end."""
    assert set(re.findall(r"interface(?:, title)? = (?:\"\w+\", )?(\d+)", "".join(FILES.values()))) <= {str(INTERFACE)}
    assert f"\n### {INTERFACE}\n" in REFERENCE[REFERENCE.index("## What changed in the interface"):]
