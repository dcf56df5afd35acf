"""What others have stumbled over is named by `rulesets --check`, or cannot happen: planted in the printed rulebooks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.turn.dice import RangeTable
from assistant.turn.ruleset import INTERFACE
from tests.playing import arbitro
from tests.plugin.installing import installed_at
from tests.plugin.test_page import CHART, FILES

PILOTS = FILES["arbitro_pilots/__init__.py"]
SALT = FILES["arbitro_salt/__init__.py"]
ACCOUNT = "    item: str = own(Text(), \"Item\", \"Voce\")\n"
LAST = "    def last_turn(self, campaign: Campaign)"
TIME = '        "missing": role("PIL-007"'
LIKE = next(line for line in SALT.splitlines() if line.startswith("LIKE = "))
PLANTED = {
    "path": (PILOTS, 'over="", step=lane', "step=lane", "'sail' goes over roads of the kind 'road', of which", "321"),
    "cost": (PILOTS, 'Cost("sailor"', 'Cost("sailer"', "'hire' costs `sailer`, which is not a number", "321"),
    "times": (PILOTS, 'cost=Cost("sailor", "amount")', 'cost=Cost("sailor", "path")',
              "'hire' costs something for each path, which is not a column of it", "321"),
    "purse": (PILOTS, "purse=PURSE, ", "", "'hire' costs something, and nothing pays for it", "321"),
    "accounts": (PILOTS, ACCOUNT, "", "the sheet Accounts has no item", "321"),
    "time": (PILOTS, TIME, f'        "wrong_time": role("PIL-007", verb="verb"),\n{TIME}',
             "The phases sail, port share the word 'day' and take different verbs", "321"),
    "like": (PILOTS, "Amount(usual=(1, 5))", 'Amount(usual=(1, 5), like="five")',
             "'five', the example of the column amount, is not a number", "321"),
    "sightings": (SALT, LAST, f"    def sightings(self, view, faction):\n        return []\n\n{LAST}",
                  "`sightings` leaves out the armies of others", "322"),
    "words": (SALT, 'words={"a": "a", "b": "b"}', 'words={"a": "a", "b": "b", "draw": "draw"}',
              "the form takes draw in English only", "322"),
    "brace": (SALT, "{b} (b)", "{c} (b)", "nothing fills the field c", "321"),
    "verb": (SALT, 'LIKE = {"march"', 'LIKE = {"marhc"', "there are words for 'marhc', which is not a verb", "322"),
    "file": (SALT, LIKE, "from pathlib import Path as Here\nfrom assistant.turn.orders.words import WordFile\n"
             'LIKE = WordFile(Here(__file__).with_name("words.toml"))["verbs"]', "words.toml: there is no such file",
             "321"),
}
"""What was stumbled over: a rulebook of the page, what is spoiled in it and how, what is said of it, and its code."""
WITH_LINE = {"path", "cost", "times", "purse", "accounts", "like", "sightings", "words", "brace"}


@pytest.fixture(scope="module", autouse=True)
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package for each, with a chart of its own."""
    place, entries = tmp_path_factory.mktemp("stumbles"), dict[str, str]()
    for name, (text, sound, spoiled, _, _) in {**PLANTED, "sound": (PILOTS, "", "", "", "")}.items():
        assert sound in text, name
        home = place / f"stumbles_{name}"
        (home / "scenarios" / "chart").mkdir(parents=True)
        book, const = ("pilots", "PILOTS") if text == PILOTS else ("salt", "SALT")
        planted = text.replace(sound, spoiled).replace(f'= "{book}", {INTERFACE}', f'= "{name}", {INTERFACE}')
        (home / "__init__.py").write_text(planted, encoding="utf-8")
        pans = {file.rpartition("/")[2]: rows for file, rows in FILES.items() if file.startswith("arbitro_salt/scen")}
        chart = {f"{table}.csv": rows for table, rows in CHART.items()}
        for table, rows in (chart if book == "pilots" else pans).items():
            (home / "scenarios" / "chart" / table).write_text(rows.replace(f"ruleset,{book}", f"ruleset,{name}"))
        entries[name] = f"stumbles_{name}:{const}"
    with installed_at(place, entries):
        yield


@pytest.mark.parametrize("name", PLANTED)
def test_what_was_stumbled_over_is_named_with_its_place(name: str) -> None:
    """In a sentence, where one stands with its file and line."""
    lines = [line for line in arbitro("rulesets", "--check", name).output.splitlines() if PLANTED[name][3] in line]
    assert [line[:7] for line in lines] == [f"ARB-{PLANTED[name][4]}"]
    assert name not in WITH_LINE or "__init__.py, " in lines[0]


def test_the_sound_rulebook_raises_no_alarm() -> None:
    """As it is printed."""
    assert arbitro("rulesets", "--check", "sound").stdout.endswith(": 0 wrong, 0 missing.\n")


def test_a_table_that_does_not_rise_is_none() -> None:
    """It could never say its later rows."""
    with pytest.raises(ValueError, match="do not rise"):
        RangeTable.rising("reach", (1, "1"), (6, "3"), (3, "2"))
