"""Which changes of a rulebook no test notices: ``python -m assistant.testing.mutants giglio --count 20 --seed 1``.

One thing is changed at a time, in memory and in a process of its own: a number, a sign, a comparison, who hears of an
event. Only tests that reach the line are run, the quickest first; of a line outside of functions all are. It needs the
extra ``mutants`` (coverage and pytest).
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_loader
from pathlib import Path
from time import monotonic
from types import CodeType
from typing import Any, NamedTuple

from assistant.rulebook_source import source_folder
from assistant.turn.rulebooks import load

MUTANT, REACH = "ARBITRO_MUTANT", "ARBITRO_REACH"
"""Where the process of the tests finds the change to make, or the file for what each test reaches."""
LONGEST = 300
"""How many seconds the tests of one change may take; a change that makes them endless is noticed."""
HEARD = "referee"
"""Who hears of an event instead of all."""
COMPARED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
SIGNS: Mapping[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}


class Mutant(NamedTuple):
    """A change of a module. `number`: which of the changes that are possible there; `inside`: within a function."""

    file: str
    number: int
    line: int
    what: str
    inside: bool


# --- what can be changed ------------------------------------------------------------------------------------
def mutants_of(file: str, tree: ast.Module) -> list[Mutant]:
    """The changes that are possible in a module, in the order of its nodes."""
    inside = {id(node) for function in ast.walk(tree) if isinstance(function, ast.FunctionDef)
              for part in function.body for node in ast.walk(part)}
    return [Mutant(file, number, node.lineno, what, id(node) in inside)
            for number, (node, what) in enumerate(_changeable(tree))]


def _changeable(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Each node that can be changed, and what it then says."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield node, f"{node.value} -> {node.value + 1}"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node, f"{ast.unparse(node)} -> {ast.unparse(node.operand)}"
        elif isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
            yield node, f"{ast.unparse(node)}: the other sign"
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
            yield node, f"{ast.unparse(node)}: {type(node.ops[0]).__name__} -> {COMPARED[type(node.ops[0])].__name__}"
        elif isinstance(node, ast.Call):
            yield from ((keyword.value, f"to={ast.unparse(keyword.value)} -> {HEARD}") for keyword in node.keywords
                        if keyword.arg == "to" and ast.unparse(keyword.value) not in (f"'{HEARD}'", "REFEREE"))


def mutate(source: str, number: int) -> ast.Module:
    """A module with one of its changes made."""
    tree = ast.parse(source)
    node, _ = list(_changeable(tree))[number]
    if isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
    elif isinstance(node, ast.Compare):
        node.ops[0] = COMPARED[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
        node.op = SIGNS[type(node.op)]()
    else:
        new = node.operand if isinstance(node, ast.UnaryOp) else ast.copy_location(ast.Constant(HEARD), node)
        tree = _Replacing(node, new).visit(tree)
    return tree


class _Replacing(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        """The node, or the one that takes its place."""
        return self._new if node is self._old else super().visit(node)


# --- in the process of the tests: a plug-in of pytest ---------------------------------------------------------
class _Changed(SourceFileLoader):
    """Loads a module with one of its changes made."""

    def __init__(self, name: str, path: str, number: int) -> None:
        super().__init__(name, path)
        self._number = number

    def get_code(self, fullname: str) -> CodeType:
        """Compiled anew, whatever lies beside the source."""
        return compile(mutate(Path(self.path).read_text(encoding="utf-8"), self._number), self.path, "exec")


class _Finder(MetaPathFinder):
    """Finds the module that is changed before anybody else does."""

    def __init__(self, name: str, path: str, number: int) -> None:
        self._name, self._path, self._number = name, path, number

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The changed module, of its own name alone."""
        if fullname != self._name:
            return None
        package = Path(self._path).name == "__init__.py"
        return spec_from_loader(fullname, _Changed(fullname, self._path, self._number), is_package=package)


class _Reach:
    """Notes which lines of a rulebook each test reaches, and how long it takes."""

    def __init__(self, folder: str, into: str) -> None:
        from coverage import Coverage

        self._coverage, self._into = Coverage(data_file=None, include=[f"{folder}/*"]), into
        self._seconds: dict[str, float] = {}
        self._begun, self._name = 0.0, ""
        self._coverage.start()

    def pytest_runtest_setup(self, item: Any) -> None:
        """A test begins."""
        self._name = "::".join([str(item.path), *item.nodeid.split("::")[1:]])
        self._coverage.switch_context(self._name)
        self._begun = monotonic()

    def pytest_runtest_teardown(self, item: Any) -> None:
        """A test has ended."""
        self._seconds[self._name] = monotonic() - self._begun

    def pytest_sessionfinish(self) -> None:
        """All have ended."""
        self._coverage.stop()
        data = self._coverage.get_data()
        lines = {file: {line: [name for name in names if name] for line, names in
                        data.contexts_by_lineno(file).items()} for file in data.measured_files()}
        Path(self._into).write_text(json.dumps({"lines": lines, "seconds": self._seconds}), encoding="utf-8")


def pytest_configure(config: Any) -> None:
    """Make the change, or begin to note what is reached, before any test is imported."""
    if mutant := os.environ.get(MUTANT):
        name, path, number = json.loads(mutant)
        sys.meta_path.insert(0, _Finder(name, path, number))
    if reach := os.environ.get(REACH):
        config.pluginmanager.register(_Reach(*json.loads(reach)))


# --- the run ------------------------------------------------------------------------------------------------
class Noticed(NamedTuple):
    """What came of a change. `by`: how many tests reach it; `noticed`: whether one of them failed."""

    mutant: Mutant
    by: int
    noticed: bool


def _run_tests(tests: Sequence[str], seconds: int | None, **environment: str) -> int:
    """Run tests in a process of their own and return its exit code; 1 where they take too long."""
    alone = ["-n0"] if find_spec("xdist") else []
    command = [sys.executable, "-m", "pytest", "-q", "-x", *alone, "-p", "no:cacheprovider", "-p", __spec__.name]
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    try:
        return subprocess.run([*command, *tests], env=known, timeout=seconds, check=False, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return 1


def reach_of(folder: Path, tests: Sequence[str]) -> tuple[dict[str, dict[int, list[str]]], dict[str, float]]:
    """File -> line -> the tests that reach it, and the seconds of each test. Raises RuntimeError where a test fails."""
    with tempfile.TemporaryDirectory() as place:
        into = Path(place) / "reach.json"
        code = _run_tests(tests, None, **{REACH: json.dumps([str(folder), str(into)])})
        if code or not into.is_file():
            raise RuntimeError(f"pytest ended with {code} before anything was changed; all tests must pass first")
        told = json.loads(into.read_text(encoding="utf-8"))
    first = min(told["seconds"], key=lambda name: float(told["seconds"][name]))
    if _run_tests([first], LONGEST):
        raise RuntimeError(f"{first} fails when it is run alone; it must pass first")
    return {file: {int(line): names for line, names in lines.items()} for file, lines in told["lines"].items()}, told[
        "seconds"]


def try_mutants(ruleset_id: str, tests: Sequence[str], count: int, seed: int) -> Iterator[Noticed]:
    """Change a rulebook in so many ways, chosen by the seed among those that some test may notice."""
    ruleset = load(ruleset_id)
    folder, package = source_folder(ruleset), type(ruleset).__module__.rpartition(".")[0]
    assert folder is not None
    if Path(str(sys.modules[type(ruleset).__module__].__file__)).name == "__init__.py":
        package = type(ruleset).__module__
    lines, seconds = reach_of(folder, tests)
    known = [mutant for path in sorted(folder.rglob("*.py"))
             for mutant in mutants_of(str(path), ast.parse(path.read_text(encoding="utf-8")))]
    reaching = [(mutant, set(lines.get(mutant.file, {}).get(mutant.line, ())) if mutant.inside else {*seconds})
                for mutant in known]  # what is declared outside of functions any test may hang on
    reached = [(mutant, names) for mutant, names in reaching if names]
    for mutant, some in random.Random(seed).sample(reached, min(count, len(reached))):
        names = sorted(some, key=lambda name: (seconds.get(name, 0.0), name))
        parts = Path(mutant.file).relative_to(folder).with_suffix("").parts
        module = ".".join((package, *(part for part in parts if part != "__init__")))
        code = _run_tests(names, LONGEST, **{MUTANT: json.dumps([module, mutant.file, mutant.number])})
        yield Noticed(mutant, len(names), code != 0)


def main(words: Sequence[str] | None = None) -> None:
    """Say of each change whether a test has noticed it."""
    reader = argparse.ArgumentParser(prog="python -m assistant.testing.mutants", description=(__doc__ or "").partition(
        "\n")[0])
    reader.add_argument("ruleset", help="the id of an installed ruleset")
    reader.add_argument("tests", nargs="*", help="what pytest runs; by default tests/ID, else tests")
    reader.add_argument("--count", type=int, default=20, help="how many changes are tried")
    reader.add_argument("--seed", type=int, default=0, help="which ones")
    given = reader.parse_args(words)
    own = Path("tests") / given.ruleset
    begun, noticed, all_of_them = monotonic(), 0, 0
    for one in try_mutants(given.ruleset, given.tests or [str(own if own.is_dir() else own.parent)], given.count,
                           given.seed):
        noticed, all_of_them = noticed + one.noticed, all_of_them + 1
        where = f"{Path(one.mutant.file).name}, {one.mutant.line}: {one.mutant.what}"
        print(f"{'noticed ' if one.noticed else 'SURVIVED'} {where} ({one.by} test{'s' * (one.by != 1)})", flush=True)
    print(f"{noticed} of {all_of_them} changes were noticed, in {monotonic() - begun:.0f} seconds.")


if __name__ == "__main__":
    main()
