"""Changes of a rulebook that no test notices are named; those that a test notices are counted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from assistant.testing import kit, mutants
from assistant.turn.ruleset import INTERFACE

SOURCE = '''def f(a):
    return a + 3 if -a < 2 else [a in (), a == 1]

EVENT = tell("x", to=ALL)
'''
CHANGES = {
    "3 -> 4": "return a + 4 if -a < 2", "2 -> 3": "if -a < 3", "-a -> a": "if a < 2", "a + 3: the other sign": "a - 3",
    "-a < 2: Lt -> LtE": "-a <= 2", "a in (): In -> NotIn": "a not in ()", "a == 1: Eq -> NotEq": "a != 1",
    "1 -> 2": "a == 2", "to=ALL -> referee": "to='referee'"}
BOOK = '''from assistant.turn.ruleset import Ruleset

DAYS = 3


class Tiny(Ruleset):
    id, title, interface = "changeable", "Tiny", INTERFACE

    def last_turn(self, campaign):
        return campaign > DAYS


CHANGEABLE = Tiny()
'''
TEST = "from changeable_book import CHANGEABLE\n\n\ndef test_it_ends():\n    assert CHANGEABLE.last_turn(4)\n"


@pytest.mark.parametrize("what", CHANGES)
def test_each_change_is_made_alone(what: str) -> None:
    """A number, a sign, a comparison, who hears of an event; all the rest stays."""
    tree = ast.parse(SOURCE)
    (mutant,) = [one for one in mutants.mutants_of("x.py", tree) if one.what == what]
    was, made = (ast.unparse(one).splitlines() for one in (tree, mutants.mutate(SOURCE, mutant.number)))
    differing = [after for before, after in zip(was, made, strict=True) if before != after]

    assert len(mutants.mutants_of("x.py", tree)) == len(CHANGES)
    assert len(differing) == 1
    assert CHANGES[what] in differing[0]


@pytest.mark.slow
def test_what_no_test_notices_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A day more is noticed by a test that stands just behind the last; that the day itself is the last one is not."""
    folder = tmp_path / "changeable_book"
    folder.mkdir()
    (folder / "__init__.py").write_text(BOOK.replace("INTERFACE", str(INTERFACE)), encoding="utf-8")
    (tmp_path / "test_book.py").write_text(TEST, encoding="utf-8")
    with kit.plug_in(tmp_path, changeable="changeable_book:CHANGEABLE"):
        mutants.main(["changeable", str(tmp_path / "test_book.py"), "--count", "9", "--seed", "1"])
    *said, sum_up = capsys.readouterr().out.splitlines()

    assert sorted(said) == [
        "SURVIVED __init__.py, 10: campaign > DAYS: Gt -> GtE (1 test)",
        f"SURVIVED __init__.py, 7: {INTERFACE} -> {INTERFACE + 1} (1 test)",
        "noticed  __init__.py, 3: 3 -> 4 (1 test)"]
    assert sum_up.startswith("1 of 3 changes were noticed")
