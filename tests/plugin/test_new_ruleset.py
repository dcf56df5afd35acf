"""`arbitro rulesets --new`: what is asked, what is refused, and that what is written installs, plays and passes."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from assistant.draft_ruleset import QUESTIONS, names_of, new_package, read_answer_file, read_answers
from assistant.testing import kit
from assistant.testing.cases import must_succeed
from assistant.turn.rulebooks import load
from tests.playing import answer, arbitro

ANSWERS = {
    "plain": "",  # what is usual: places with roads, days, dice, gold, two languages, robots
    "marsh": "map: hexes\nfactions: 4\nturns: Spring/Primavera Autumn/Autunno\nlength: 1\nrounds: 2\nsecret: all\n"
             "battles: table\ndice: none\nmoney: none\n",
    "city_states": "---\n# quotation marks as in YAML\ntitle: 'City states'\nmap: squares\nturns: week\nsecret: tutti\n"
                   "battles: dadi\ndice: 2d6\nmoney: crowns\nlanguages: en\nfactions: 3\n"}


def packed(typed: str, name: str = "dunes") -> dict[str, str]:
    """The files that come of a file of answers."""
    told, wrong = read_answers(read_answer_file(typed)[0], name.capitalize())
    assert wrong == []
    return new_package(name, told)


# --- answers ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("line", "key"), [
    ("map: sphere", "map"), ("factions: 7", "factions"), ("factions: two", "factions"),
    ("turns: Spring Offspring", "turns"), ("turns: day day", "turns"), ("length: 0", "length"),
    ("rounds: 9", "rounds"), ("secret: some", "secret"),
    ("battles: chess", "battles"), ("dice: d6", "dice"), ("dice: none", "dice"), ("money: 12", "money"),
    ("languages: it", "languages"), ("robots: perhaps", "robots"), ("title: a\\b", "title")])
def test_an_answer_that_cannot_stand_is_named(line: str, key: str) -> None:
    """By its key; battles by dice need dice."""
    told, strange = read_answer_file(line)
    assert strange == []
    assert [one.key for one in read_answers(told, "Dunes")[1]] == [key]


def test_a_line_that_is_no_answer_is_named() -> None:
    """Also one with a key that nobody asks for; blank lines and remarks are left out."""
    read = read_answer_file("# a remark\n\nmap: hexes\nMAP\nmaps: hexes\n")
    assert read == ({"map": "hexes"}, ["MAP", "maps: hexes"])


@pytest.mark.parametrize(("board", "battles", "secret"), list(product(
    ("nodes", "hexes", "squares"), ("table", "dice"), ("none", "all"))))
def test_every_kind_of_book_is_python_that_needs_all_it_imports(board: str, battles: str, secret: str) -> None:
    """With and without money, robots, seasons and Italian, in turn."""
    odd = (board == "hexes") != (battles == "table") != (secret == "all")
    more = "money: none\nrobots: no\nlanguages: en\n" if odd else "turns: Spring Autumn\nrounds: 2\nfactions: 6\n"
    files = packed(f"map: {board}\nbattles: {battles}\nsecret: {secret}\n{more}")
    for path, text in files.items():
        assert "{%" not in text, path
        if path.endswith(".py"):
            tree = ast.parse(text, path)
            bound = {alias.asname or alias.name for node in ast.walk(tree)
                     if isinstance(node, ast.ImportFrom | ast.Import) for alias in node.names}
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert bound - used == set() if "tests/" not in path else bound, path


def test_one_chapter_a_module_within_what_somebody_reads_in_an_evening() -> None:
    """Each is short, and the whole book is less than 500 lines of Python."""
    lengths = {path: len(text.splitlines()) for path, text in packed("").items() if path.endswith(".py")}
    assert {"marches", "battles", "money", "victory"} <= {Path(path).stem for path in lengths}
    assert max(lengths.values()) <= 130
    assert sum(lengths.values()) < 500


# --- the command --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "code", "exit_code"), [
    ("giglio", "ARB-691", 2), ("json", "ARB-691", 2), ("Dunes", "ARB-690", 2), ("class", "ARB-690", 2),
    ("two words", "ARB-690", 2), ("../up", "ARB-690", 2), ("", "ARB-690", 2), ("taken", "ARB-692", 5)])
def test_what_cannot_be_is_refused_before_anything_is_written(
    name: str, code: str, exit_code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that is taken or none of Python's, a folder that is there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    (tmp_path / "a.txt").write_text("")
    done = arbitro("rulesets", "--new", name, "--answers", "a.txt")
    assert (done.exit_code, done.stderr.split()[0]) == (exit_code, code)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.txt", "taken"]


def test_a_wrong_answer_writes_nothing_and_the_listed_questions_are_a_file_of_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In both languages; what is listed can be given back as it is, and then it is written whole."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("map: sphere\n")
    done = arbitro("rulesets", "--new", "dunes", "--answers", "a.txt", lang="it")
    assert (done.exit_code, "'sphere' non può essere la risposta a map" in done.stderr) == (1, True)
    for lang in ("it", "en"):
        listed = arbitro("rulesets", "--new", "dunes", lang=lang)
        assert listed.exit_code == 3
        lines = listed.stdout.splitlines()[1:-1]
        assert [line.partition(":")[0] for line in lines[1::2]] == [question.key for question in QUESTIONS]
        (tmp_path / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    said = answer("rulesets", "--new", "dunes", "--answers", "a.txt")
    assert said["exit"] == 0
    assert sorted(said["files"]) == sorted(str(path.relative_to("dunes")) for path in Path("dunes").rglob("*.*")
                                           if path.is_file())


# --- as it is installed ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Three rulebooks, written by the command and plugged in by the entry points of their pyproject.toml."""
    place, before = tmp_path_factory.mktemp("new"), list(sys.path)
    entries: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name, typed in ANSWERS.items():
            (place / f"{name}.txt").write_text(typed)
            must_succeed("rulesets", "--new", name, "--answers", f"{name}.txt")
            project = (place / name / "pyproject.toml").read_text(encoding="utf-8")
            entries |= dict(re.findall(rf'^({name}) = "([\w.]+:\w+)"$', project, re.MULTILINE))
    sys.path[:0] = [str(place / name) for name in ANSWERS]
    (place / "entries").mkdir()
    with kit.plug_in(place / "entries", **entries):
        yield place
    sys.path[:] = before


def own_tests(name: str, place: Path) -> kit.Promises:
    """The class of the tests that were written."""
    module = ModuleType(f"test_{name}")
    file = place / name / "tests" / f"test_{name}.py"
    module.__file__ = str(file)
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), vars(module))
    promised: kit.Promises = vars(module)[f"Test{names_of(name)['cls']}"]()
    return promised


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_a_book_that_was_written_is_checked_begun_and_played_for_a_year(
    name: str, written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`rulesets --check` has nothing to say; a campaign begins, and robots play it by the commands to its end."""
    monkeypatch.chdir(tmp_path)
    checked = arbitro("rulesets", "--check", name)
    assert (checked.exit_code, checked.stdout.rpartition(": ")[2]) == (0, "0 wrong, 0 missing.\n")
    began = answer("new", name, "x.xlsx")
    robots = [word for faction in began["factions"] for word in ("--robot", faction)]
    calendar = load(name).calendar
    for turn in [began["turn"], *(f"1{season}" for season in calendar.turns.seasons[1:])]:
        must_succeed("resolve", "x.xlsx", *robots, "--defaults", "--until", f"{turn}.{calendar.turn[-1].id}")
    assert arbitro("verify", "x.xlsx").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "promise"), [(name, promise) for name in ANSWERS for promise in vars(kit.Promises)
                                               if promise.startswith("test_") and (
    name == "plain" or "changes_no_byte" not in promise)])
def test_a_book_that_was_written_passes_its_own_tests(name: str, promise: str, written: Path) -> None:
    """What all rulebooks promise, and the worked examples that came along; what takes longest with one of them."""
    getattr(own_tests(name, written), promise)()


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_a_book_that_was_written_imports_only_what_a_plug_in_may(name: str, written: Path) -> None:
    """And is loaded from where it was written."""
    module = import_module(f"arbitro_{name}")
    assert str(module.__file__).startswith(str(written))
    for file in (written / name).rglob("*.py"):
        own = set(re.findall(r"^from (assistant\.\w+)", file.read_text(encoding="utf-8"), re.MULTILINE))
        kit_too = {"assistant.testing"} if "tests" in file.parts else set()
        assert own <= {"assistant.campaign", "assistant.turn", *kit_too}


# --- the page -------------------------------------------------------------------------------------------------
PAGE = (Path(__file__).parents[2] / "docs" / "new-ruleset.md").read_text(encoding="utf-8")
START = PAGE[PAGE.index("# A start that plays"):PAGE.index("# From there to your own book")]


(TYPED,) = re.findall(r"^```text\n(.*?)^```", START, re.MULTILINE | re.DOTALL)


def named_first(text: str) -> list[str]:
    """What stands as code in the first column of the tables of a text."""
    lines = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    return [name for line in lines for name in re.findall(r"`([^`]+)`", line)]


def test_the_page_names_every_answer_and_every_file() -> None:
    """Its example can be given back as it is, and its tour goes through what is written."""
    files = set(packed(TYPED)) - {"README.md"}
    table, tour = START.split("# A tour")
    assert set(named_first(table)) == {question.key for question in QUESTIONS}
    named = named_first(tour.partition("## ")[0])
    assert sorted(file for file in files if not any(file.startswith(name) for name in named)) == []
    assert sorted(name for name in named if not any(file.startswith(name) for file in files)) == []


def test_the_tour_shows_what_is_written() -> None:
    """Each piece of code stands so in a file of the package that its answers give."""
    files = packed(TYPED)
    shown = re.findall(r"^```python\n(.*?)^```", START, re.MULTILINE | re.DOTALL)
    assert len(shown) >= 8
    assert [piece for piece in shown if not any(piece in text for text in files.values())] == []


@pytest.mark.slow
def test_the_tour_is_played_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command says what stands below it."""
    monkeypatch.chdir(tmp_path)
    for path, text in packed(TYPED).items():
        (tmp_path / "dunes" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "dunes" / path).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "dunes"))
    (tmp_path / "entries").mkdir()
    (printed,) = re.findall(r"^```console\n(.*?)^```", START, re.MULTILINE | re.DOTALL)
    with kit.plug_in(tmp_path / "entries", dunes="arbitro_dunes:DUNES"):
        for block in printed.split("$ ")[1:]:
            command, *expected = block.strip().splitlines()
            assert arbitro(*shlex.split(command)[1:]).stdout.splitlines() == expected, command
