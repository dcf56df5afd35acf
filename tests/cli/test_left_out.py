"""`arbitro rulesets --check ID` names what a ruleset leaves undeclared or missing, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import Result

from tests.playing import arbitro
from tests.plugin.installing import HERE, SMALL, installed_at
from tests.sweeps import fast_among

SOURCE = (HERE / "toll" / "arbitro_toll" / "__init__.py").read_text(encoding="utf-8")
BOTH = "from assistant.turn.texts import Translations\n\nboth = Translations()\n"
BOARD = "\n\n\nclass Land("
SPOILED = {
    "see": ('public(Whole(0), "Pence"', 'column(Whole(0), "Pence"', "Factions: pence does not say who may see it", 1),
    "event": ('land.tell("held"', 'land.tell("hold"', "the event 'hold' is told and not declared", 1),
    "unheard": ('"tolls", to=base.ALL)', '"tolls")', "the event 'held' does not say who hears it", 1),
    "hearers": ('"tolls", to=base.ALL)', '"tolls", to="each time")', "the event 'held' is told, and nobody says", 1),
    "parameter": ('"tolls", to=base.ALL)', '"tolls", to="faction lord")',
                  "the event 'held' goes to whom its 'lord' names, and is told without it", 1),
    "verb": ('when=("turn",)', 'when=("night",)', "'claim' may be given for 'night', which no phase takes", 1),
    "import": ("from assistant.turn.game import Board,",
               "from assistant.wording import format_number  # noqa: F401\nfrom assistant.turn.game import Board,",
               "assistant.wording.format_number is not for rulesets", 1),
    "private": ("from assistant.turn.game import Board,",
                "from assistant.turn.game import Judged  # noqa: F401\nfrom assistant.turn.game import Board,",
                "assistant.turn.game.Judged is not for rulesets", 1),
    "finding": ("    carry_all(land, take(land))",
                '    carry_all(land, take(land))\n    if not len(land.fords):\n        land.game.find("TOL-009", None)',
                "the finding 'TOL-009' is given and not declared", 1),
    "column": ('    target: str = wanted(Ref("Nodes", blank=True), "Where", "Dove")\n', "    pass\n",
               "takes the column target", 1),
    "category": ('categories = {"tolls": "Tolls"}', "categories = {}", "is of the category 'tolls'", 0),
    "rule": ('"Pretese", "2",', '"Pretese", "",', "Claims cites no rule", 0),
    "code": ("TOL-001", "ARB-001", "begins as those of the house", 1),
    "sheet": ("base.FindingRow, ", "", "The sheet Findings is missing", 1),
    "role": ('role("TOL-001"', 'role("TOL-009"',
             "refuse what is `no_such_place` (claim: target) with the finding TOL-009, which is not declared", 1),
    "brace": ('node="word", near="near"', 'near="near"', "has the brace 'node', which nothing fills. Hand it on", 1),
    "translations": (
        BOARD, f'\n\n\n{BOTH}both("{{n}} toll", "{{n}} pedaggio")\nboth("{{n}} toll", "{{n}} dazio"){BOARD}',
        "'{n} toll' has another Italian there than in __init__.py, ", 1),
    "fields": (BOARD, f'\n\n\n{BOTH}both("{{n}} toll", "{{m}} pedaggi"){BOARD}',
               "'{n} toll' has different fields (m, n)", 1),
    "chapter": ("    categories", "    from assistant.turn.chapters import Chapter\n"
                "    chapters = (Chapter('Fords'),)\n    categories",
                "the chapter 'Fords' does not say where it is printed", 1),
    "unfilled": ("node=ford.node", "ford=ford.node", "nothing fills the field node of", 1),
    "question": ('orders="turn", board', 'orders="turn", waits_for=("way",), board', "waits for 'way'", 1),
}
"""Of each plug-in what of The Toll is spoiled, how, what is said of it, and the exit code."""


def checked(name: str, *words: str, lang: str = "en") -> Result:
    """The check of one ruleset."""
    return arbitro("rulesets", "--check", name, *words, lang=lang)


@pytest.fixture(scope="module", autouse=True)
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The two small ones, and The Toll with one thing left out, once for each; `other` has a name of its own."""
    place = tmp_path_factory.mktemp("wanting")
    entries = dict(SMALL)
    for name, (sound, spoiled, _, _) in SPOILED.items():
        text = SOURCE.replace(sound, spoiled).replace('id = "toll"', f'id = "{name}"')
        assert sound in SOURCE
        names = "from assistant.campaign.columns import Ref,"
        text = text.replace(names, f"from assistant.campaign.columns import column  # noqa: F401\n{names}")
        (place / f"wanting_{name}").mkdir()
        (place / f"wanting_{name}" / "__init__.py").write_text(text, encoding="utf-8")
        entries[name] = f"wanting_{name}:TOLL"
    entries["other"] = "wanting_rule:TOLL"
    with installed_at(place, entries):
        yield


@pytest.mark.parametrize("name", fast_among(["giglio", "anarchy", "wells"], "wells"))
def test_nothing_is_left_out_of_the_rulebooks_that_ship_and_of_the_example(name: str) -> None:
    """They are what others are copied from."""
    done = checked(name)
    assert done.exit_code == 0, done.output
    assert "0 wrong, 0 missing" in done.output


def test_the_smallest_lacks_only_who_made_it() -> None:
    """Author and version are declared by nobody else."""
    codes = [one["data"]["what"] for one in json.loads(checked("toll", "--json").stdout)["findings"]]
    assert codes == ["author", "version"]


@pytest.mark.parametrize("name", SPOILED)
def test_what_is_left_out_is_named(name: str) -> None:
    """One sentence for it; exit 1 where it would not play rightly (ARB-321), else 0 (ARB-322)."""
    done = checked(name)
    (line,) = [line for line in done.output.splitlines() if SPOILED[name][2] in line]
    assert line.startswith("ARB-321" if SPOILED[name][3] else "ARB-322")
    assert done.exit_code == SPOILED[name][3], done.output
    if name in ("event", "import", "private", "finding", "unheard", "hearers", "parameter", "translations", "fields",
                "unfilled", "chapter"):
        assert "__init__.py, " in line


def test_a_role_for_which_the_book_has_no_finding_is_named_with_verb_column_and_remedy(tmp_path: Path) -> None:
    """It cannot even be imported; the reason says what to write."""
    (tmp_path / "silent").mkdir()
    sound = ', "no_such_place": role("TOL-001", node="word", near="near")'
    assert sound in SOURCE
    text = SOURCE.replace(sound, "").replace('id = "toll"', 'id = "silent"')
    (tmp_path / "silent" / "__init__.py").write_text(text, encoding="utf-8")
    with installed_at(tmp_path, {"silent": "silent:TOLL"}):
        done = checked("silent")
    assert done.exit_code == 1
    assert done.output.startswith("ARB-286")
    assert "the book has no finding for no_such_place (claim: target)" in done.output
    assert 'says of declared(...): "no_such_place": role("CODE", word="word", near="near")' in done.output


def test_a_name_of_its_own_is_named_and_so_are_scenario_and_italian() -> None:
    """The entry point and the id are one word; what comes along with nothing is told so, in Italian, too."""
    said = checked("other", lang="it").output
    assert "il suo punto d'ingresso 'other'" in said
    assert "arriva senza scenario" in said
    assert "testi non hanno italiano" in said


def test_a_scenario_with_which_nothing_can_begin_is_named(tmp_path: Path) -> None:
    """Its own finding is quoted."""
    home = tmp_path / "brittle"
    (home / "scenarios" / "drowned").mkdir(parents=True)
    (home / "__init__.py").write_text(SOURCE.replace('id = "toll"', 'id = "brittle"'), encoding="utf-8")
    (home / "scenarios" / "drowned" / "factions.csv").write_text("faction,name_en\nA,Ashford\n")
    (home / "scenarios" / "drowned" / "nodes.csv").write_text("node,owner\nF1,Z\n")
    with installed_at(tmp_path, {"brittle": "brittle:TOLL"}):
        done = checked("brittle")
    assert done.exit_code == 1
    assert "the scenario drowned: ARB-030" in done.output


def test_one_that_is_not_installed_is_said() -> None:
    """With those that are."""
    done = checked("nobody")
    assert done.exit_code == 2
    assert "ARB-081" in done.output
