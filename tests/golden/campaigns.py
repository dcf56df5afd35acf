"""The campaigns that are kept, two of every rulebook: its scripted scenario, and the same scenario among robots.

A campaign is made, played and asked about by the commands alone, so that nothing here names a module of the product.
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from click.testing import CliRunner

TEMPLATES = Path(__file__).resolve().parents[2] / "workbook_templates"
SCRIPT = ("orders.csv", "answers.csv", "battle_results.csv", "dice.csv")
"""What people do, turn by turn: it is handed in by `orders`."""
TURN_NAMES = ("turn", "year", "day")
FOUGHT = ("battle", "losses", "expected")
"""How the files begin that tell of battles to come and of what is expected of play: robots have others."""
BOOK = Path("war.xlsx")
DONE, WAITING = 0, 3
MOST_ASKED = 20
"""So often at most a phase asks among robots; more often it would ask the same again."""
Rows = list[list[str]]


@dataclass(frozen=True)
class Plan:
    """One campaign: how it is begun and how far it is played.

    `seed`: of the dice's secret; `language`: of the workbook and of all messages; `phases`: how many are played;
    `robots`: whether they play all factions; `desk` and `rules`: what else these tables say.
    """

    ruleset: str
    seed: int
    language: str
    phases: int
    robots: bool = False
    desk: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def source(self) -> Path:
        """The folder of the scenario, the only one that its rulebook ships."""
        (place,) = (path for path in (TEMPLATES / self.ruleset).iterdir() if path.is_dir())
        return place


CAMPAIGNS: Mapping[str, Plan] = {
    "giglio-scripted": Plan("giglio", 1, "it", 47),
    "giglio-robots": Plan("giglio", 2, "en", 24, robots=True, desk={"edition": "EN_amended"}, rules={
        "edition": "EN_amended", "first_spring_taxes": "no", "money_public": "yes", "garrison_public": "no"}),
    "anarchy-scripted": Plan("anarchy", 3, "en", 49),
    "anarchy-robots": Plan("anarchy", 4, "it", 27, robots=True, rules={
        "loyalty_effect": "encounter", "season": "summer", "wounded_march": "free", "siege_supply": "both",
        "garrison_refill": "warn", "siege_min": "equal", "prestige_clamp": "1-10", "noble_alone": "leaves"}),
    "incursio-scripted": Plan("incursio", 5, "it", 45),
    "incursio-robots": Plan("incursio", 6, "en", 27, robots=True),
    "warriors-scripted": Plan("warriors", 7, "en", 60),
    "warriors-robots": Plan("warriors", 8, "it", 27, robots=True),
    "bloodlust-scripted": Plan("bloodlust", 9, "it", 38),
    "bloodlust-robots": Plan("bloodlust", 10, "en", 27, robots=True),
}


@dataclass(frozen=True)
class Said:
    """How a command ended, and all that it said."""

    code: int
    text: str


class Game:
    """One campaign in a folder of its own, where all files have short names; `with` goes there and comes back."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.log: list[str] = []
        (script,) = entry_points(group="console_scripts", name="arbitro")
        self._app: Any = script.load()

    def __enter__(self) -> Game:
        self._folder = tempfile.TemporaryDirectory(prefix="golden-")
        self.place = Path(self._folder.name).resolve()
        self._there = chdir(self.place)
        self._there.__enter__()
        return self

    def __exit__(self, *why: object) -> None:
        self._there.__exit__(*why)
        self._folder.cleanup()

    def arbitro(self, *words: object, pictures: bool = False) -> Said:
        """One command, in the campaign's language; what it says is added to the log."""
        typed = ["--lang", self.plan.language, *map(str, words)]
        environment = {"ARBITRO_HOME": str(self.place / "home"), "COLUMNS": "120", "LC_ALL": "C.UTF-8",
                       "ARBITRO_NO_PICTURES": None if pictures else "1"}
        result = CliRunner().invoke(self._app, typed, env=environment, catch_exceptions=False)
        said = result.output.replace(str(self.place) + os.sep, "")
        self.log.append(f"$ arbitro {' '.join(typed)}\n{said}[{result.exit_code}]\n")
        return Said(result.exit_code, said)

    def must(self, *words: object) -> None:
        """One command that has to succeed. Raises AssertionError with what it said instead."""
        said = self.arbitro(*words)
        assert said.code == DONE, self.log[-1]

    def taken_log(self) -> str:
        """What was said since it was last taken."""
        text, self.log = "".join(self.log), []
        return text

    # --- playing --------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Make the workbook, of the scenario without its script."""
        source = Path("source")
        source.mkdir()
        for file in sorted(self.plan.source.glob("*.csv")):
            if file.name not in SCRIPT and not (self.plan.robots and file.name.startswith(FOUGHT)):
                (source / file.name).write_bytes(file.read_bytes())
        if self.plan.robots:
            among_robots(source / "factions.csv")
        for name, said in (("desk", self.plan.desk), ("rules", self.plan.rules)):
            if said:
                put_keys(source / f"{name}.csv", said)
        self.must("new", self.plan.ruleset, BOOK, "--from", source, "--language", self.plan.language,
                  "--secret", f"{self.plan.seed:064x}")

    def hand_in(self, turn: str) -> None:
        """What is scripted for a turn, as a referee hands it in."""
        folder = Path("script")
        folder.mkdir(exist_ok=True)
        given = []
        for name in SCRIPT:
            if (self.plan.source / name).is_file():
                head, *rows = read_rows(self.plan.source / name)
                column = next(number for number, word in enumerate(head) if word in TURN_NAMES)
                meant = [row for row in rows if row[column] == turn]
                if meant:
                    write_rows(folder / name, [head, *meant])
                    given.append(folder / name)
        if given:
            self.arbitro("orders", BOOK, *given)

    def resolve(self) -> None:
        """The present phase to its end. Raises AssertionError where it is refused, or waits for what nobody answers."""
        words = ("resolve", BOOK, "--yes", *(("--defaults",) if self.plan.robots else ()))
        said, asked = self.arbitro(*words), 0
        while said.code == WAITING and self.plan.robots and asked < MOST_ASKED:
            self.must("orders", BOOK, *self.answers())
            said, asked = self.arbitro(*words), asked + 1
        assert said.code == DONE, "".join(self.log[-3:])

    def answers(self) -> list[str]:
        """Lines that answer what is still asked among robots: battles by the dice, else the first option."""
        found = []
        for row in self.rows("questions"):
            if row["status"] == "open":
                options = [word.strip() for word in row["options"].split(",")]
                found.append(f"answer {row['question']} {'auto' if 'auto' in options else options[0] or 'auto'}")
        return found

    # --- looking --------------------------------------------------------------------------------------
    def tables(self) -> dict[str, str]:
        """Every table as CSV, by the name of its file."""
        folder = Path("tables")
        self.must("export", BOOK, "--to", folder)
        self.log.pop()
        return {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.csv"))}

    def rows(self, table: str) -> list[dict[str, str]]:
        """The rows of one table."""
        return list(csv.DictReader(io.StringIO(self.tables()[f"{table}.csv"], newline="")))


# --- CSVs -------------------------------------------------------------------------------------------------
def read_rows(path: Path) -> Rows:
    """The rows of a CSV, the headings first."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def write_rows(path: Path, rows: Rows) -> None:
    """A CSV of rows, the headings first."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def put_keys(path: Path, said: Mapping[str, str]) -> None:
    """Let a CSV of keys and values say these."""
    head, *rows = read_rows(path)
    write_rows(path, [head, *([key, value] for key, value in {**dict(rows), **said}.items())])


def among_robots(path: Path) -> None:
    """Let robots play every faction that a club would play."""
    head, *rows = read_rows(path)
    if "role" not in head:
        head.append("role")
        rows = [[*row, "neutral" if row[0] == "neutral" else "player"] for row in rows]
    at = head.index("role")
    write_rows(path, [head, *([*row[:at], "robot" if row[at] == "player" else row[at], *row[at + 1:]] for row in rows)])
