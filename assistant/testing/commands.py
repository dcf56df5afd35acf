"""Words of a command line in; what the real command said and wrote out; and a phase that commands alone play."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Event, Question, Rule
from assistant.cli import main
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import begun_with, put_values
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import GROUP, Ruleset, installed
from assistant.turn.throws.dice import typed_roll
from assistant.workbook.read.csvfolder import read_folder, write_folder

SECRET = "ab" * 32
DONE, REFUSED, WAITING = 0, 1, 3


def arbitro(*words: str | Path, lang: str = "en", typed: str = "") -> Result:
    """One call of the program, however it ends. `lang`: "" where nobody says it; `typed`: what comes in on its
    standard input.
    """
    said = ["--lang", lang] if lang and "--lang" not in words else []
    return CliRunner().invoke(main, [*said, *map(str, words)], input=typed)


def answer(*words: str | Path, lang: str = "en") -> Any:
    """What one call of the program answers in JSON, however it ends."""
    return json.loads(arbitro(*words, "--json", lang=lang).stdout)


def command(*words: str | Path) -> tuple[int, str]:
    """Exit code and standard output of one command."""
    result = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)
    return result.exit_code, result.stdout


def must(*words: str | Path) -> str:
    """The standard output of a command that has to succeed. Raises AssertionError with what it said instead."""
    result = CliRunner().invoke(main, list(map(str, words)), catch_exceptions=False)
    assert result.exit_code == DONE, (f"arbitro {' '.join(map(str, words))} ended with {result.exit_code}:\n"
                                      f"{result.stdout}{result.stderr}")
    return result.stdout


@contextmanager
def plugged_in(place: Path, **objects: str) -> Iterator[None]:
    """Rulesets that are not installed, as if they were: id -> ``module:OBJECT``. `place`: an empty folder.

    Who has installed the own package (``pip install -e .``) needs none of this.
    """
    name = "_".join(("arbitro_plugged_in", *objects))  # of two packages of one name Python would see the first only
    info = place / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", encoding="utf-8")
    lines = "".join(f"{one} = {where}\n" for one, where in objects.items())
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}", encoding="utf-8")
    sys.path.insert(0, str(place))
    invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(place))
        invalidate_caches()


def must_be_installed(ruleset_id: str) -> None:
    """Raises AssertionError with what to do where the command line would not find a ruleset."""
    assert ruleset_id in installed(), (
        f"The command line knows no rulebook {ruleset_id}, only {', '.join(sorted(installed()))}. Install its package "
        f"(pip install -e .), with an entry point {ruleset_id} in the group {GROUP}.")


def say_all(ruleset: Ruleset, campaign: Campaign) -> None:
    """Let the Rules of a campaign say what holds in it where `new` would begin with something else."""
    rules, table = ruleset.rules(campaign), campaign.table(Rule)
    put_values(table, {key: rules[key] for key in begun_with(ruleset.numbers, ruleset.typed_rules(table))})


# --- out and in again -----------------------------------------------------------------------------------
def round_trip_faults(ruleset: Ruleset, campaign: Campaign, place: Path) -> list[str]:
    """Where a campaign is another after its CSVs were made a workbook and exported from it; [] where it is the same.

    `place`: an empty folder.
    """
    must_be_installed(ruleset.id)
    given, exported, book = place / "given", place / "exported", place / "campaign.xlsx"
    campaign = campaign.copy()
    say_all(ruleset, campaign)
    desk = campaign.desk  # what `new` fills in where it is blank
    desk.campaign_id, desk.title = desk.campaign_id or "given", desk.title or ruleset.title
    write_folder(campaign, given)
    must("new", ruleset.id, book, "--from", given, "--secret", SECRET)
    must("export", book, "--to", exported)
    return [f"{file.name} is another when it comes out: {_first_difference(file, exported / file.name)}. What a column "
            "shows must be read as what it holds: look at its kind, and at prepare and fold."
            for file in sorted(given.glob("*.csv")) if file.read_bytes() != (exported / file.name).read_bytes()]


def _first_difference(one: Path, other: Path) -> str:
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (one, other)]
    for number in range(max(map(len, lines))):
        was, now = (text[number] if number < len(text) else "" for text in lines)
        if was != now:
            return f"line {number + 1} was '{was}' and is '{now}'"
    return "its line ends differ"


# --- a phase through the commands -------------------------------------------------------------------------
class Commands:
    """Stands where `resolve` stands: each phase is played by new, resolve and export in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0

    def __call__(self, ruleset: Ruleset, campaign: Campaign, secret: bytes,
                 filled: Mapping[str, str] | None = None) -> Outcome:
        """As `assistant.turn.phases.resolve`."""
        self.runs += 1
        place, given = self.folder / str(self.runs), campaign.copy()
        table = given.table(Question)
        for name, answer in (filled or {}).items():
            row = table.record(question=name, turn=campaign.desk.turn, phase=campaign.desk.phase)
            row = table.get(row.ident) or table.add(row)
            row.answer = answer
        place.mkdir()
        say_all(ruleset, given)
        write_folder(given, place / "in")
        book = place / "case.xlsx"
        must("new", ruleset.id, book, "--from", place / "in", "--secret", secret.hex())
        code, text = command("resolve", book, "--json")
        assert code in (DONE, REFUSED, WAITING), text
        must("export", book, "--to", place / "out")
        _, after, findings = read_folder(place / "out", ruleset)
        assert findings == []
        return outcome(campaign, after, json.loads(text), code)


def outcome(before: Campaign, after: Campaign, said: Mapping[str, Any], code: int) -> Outcome:
    """What the command said and wrote, as `resolve` would have returned it."""
    turn, phase = before.desk.turn, before.desk.phase
    found = [Finding(f["code"], f["severity"], Where(f["sheet"], f["row"], f["field"]), f["data"], f["faction"])
             for f in said["findings"]]
    asked = [q for q in after.table(Question) if q.status == "open" and (q.turn, q.phase) == (turn, phase)]
    events = [e for _, e in after.table(Event).in_file_order()][len(before.table(Event)):]
    dice = [d for d in after.table(Die) if (d.turn, d.phase) == (turn, phase)]
    rolls = [typed_roll(d.key, d.dice, d.value, d.audience) for d in dice]
    return Outcome(after if code != REFUSED else before, turn, phase, code == DONE, asked, found, events, rolls)
