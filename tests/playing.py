"""Short rows for campaigns of tests, phases played on them and what they came to; commands and workbooks of tests."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from click.testing import CliRunner, Result

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Event, Order, Question
from assistant.campaign.tables import Record
from assistant.cli import main
from assistant.testing.cases import DONE, REFUSED, WAITING, must_succeed, run_command, write_all_rules
from assistant.turn.dice import parse_roll
from assistant.turn.findings import Finding, Where
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.port import DeskLines
from assistant.workbook.read.csv_folder import read_folder, write_folder
from assistant.workbook.save import replace_file
from assistant.workbook.write.new_workbook import new_workbook_bytes, paused_collection

R = TypeVar("R", bound=Record)


# --- short rows -------------------------------------------------------------------------------------------
def split_rows(text: str, parted: str = ",\n") -> Iterator[list[str]]:
    """The words of each row of a text; `chunks_of`: what stands between rows."""
    yield from (words for words in map(str.split, re.split(f"[{parted}]", text)) if words)


def named_fields(words: Iterable[str]) -> dict[str, str]:
    """The words ``field=value`` among others; ``+`` stands for a blank: ``trail=V0+V9``."""
    return {name: value.replace("+", " ") for name, value in (word.split("=", 1) for word in words if "=" in word)}


def short_row(words: Sequence[str], positions: Sequence[str]) -> dict[str, str]:
    """The fields of a row: its first words fill the columns named in `positions`, the rest is ``field=value``.

    ``-`` leaves a column blank; a path takes all the words that are left.
    """
    plain = [word for word in words if "=" not in word]
    if positions[-1:] == ("path",):
        plain[len(positions) - 1:] = [" ".join(plain[len(positions) - 1:])]
    assert len(plain) <= len(positions), f"too many words: {words}"
    return dict(zip(positions, ("" if word == "-" else word for word in plain), strict=False)) | named_fields(words)


def add_row(campaign: Campaign, sheet: str, values: Mapping[str, Any]) -> Any:
    """Add a row of texts or plain values, each of which must be a column of the sheet."""
    table = campaign.by_sheet(sheet)
    strange = set(values) - {column.name for column in table.record.columns()}
    assert not strange, f"{sheet} has no {sorted(strange)}"
    texts = {name: ("yes" if value else "no") if isinstance(value, bool) else str(value)
             for name, value in values.items()}
    return table.add(table.record.from_values(texts))


def add_answer(campaign: Campaign, phase: str, question: str, answer: str, to: str = "referee") -> None:
    """An answer to ``kind/about`` that is given before its question is put."""
    kind, _, about = question.partition("/")
    add_row(campaign, "Questions", {"question": question, "turn": campaign.desk.turn, "phase": phase, "kind": kind,
                                    "about": about, "to": to, "answer": answer})


def named_dice(dice: Mapping[str, Any], words: Mapping[str, Any]) -> dict[str, Any]:
    """Purpose -> figure, of dice by purposes and dice as words: ``move__M1``, two underscores a stroke, one a hyphen.

    Of several figures in a list each has its number behind the purpose.
    """
    named = {**dice, **{word.replace("__", "/").replace("_", "-"): value for word, value in words.items()}}
    return {f"{key}/{number}" if number else key: figure for key, value in named.items()
            for number, figure in (enumerate(value, 1) if isinstance(value, list) else [(0, value)])}


# --- playing ----------------------------------------------------------------------------------------------
def resolve_with(ruleset: Ruleset, campaign: Campaign, secret: bytes,
                 reply: Callable[[Outcome], Mapping[str, str]]) -> Outcome:
    """Resolve the present phase, and again for as long as `reply` has an answer that has not been given."""
    answers: dict[str, str] = {}
    while True:
        outcome = resolve(ruleset, campaign, secret, answers)
        fresh = {} if outcome.done else {name: text for name, text in reply(outcome).items() if name not in answers}
        if not fresh:
            return outcome
        answers |= fresh


def play_script(ruleset: Ruleset, campaign: Campaign, secret: bytes,
                answers: Mapping[str, str] | None = None) -> Iterator[tuple[Campaign, Outcome]]:
    """Play to the end with what has been typed, each phase with the campaign before it.

    Raises AssertionError if a phase does not come to its end.
    """
    while not ruleset.is_over(campaign):
        outcome = resolve(ruleset, campaign, secret, answers)
        asked = [(question.question, question.options) for question in outcome.questions]
        assert outcome.done, f"{outcome.turn} {outcome.phase} asks {asked}, {outcome.findings}"
        yield campaign, outcome
        campaign = outcome.campaign


def play_script_turns(ruleset: Ruleset, campaign: Campaign, secret: bytes, last: str,
                      answers: Mapping[str, str] | None = None) -> Iterator[tuple[str, Campaign, list[Outcome]]]:
    """Play up to a turn with what has been typed: each turn, the campaign at its close, and its phases."""
    outcomes: list[Outcome] = []
    for before, outcome in play_script(ruleset, campaign, secret, answers):
        outcomes.append(outcome)
        if outcome.campaign.desk.turn != before.desk.turn or ruleset.is_over(outcome.campaign):
            yield before.desk.turn, outcome.campaign, outcomes
            outcomes = []
            if before.desk.turn == last:
                return


# --- what it came to --------------------------------------------------------------------------------------
def field_texts(campaign: Campaign) -> dict[tuple[str, str, str], str]:
    """Every field of every sheet as text, by the sheet's file, the row's key and the field."""
    return {(row.file, row.ident, name): text for table in campaign.tables().values() for row in table
            for name, text in row.as_text().items()}


def by_key(record: type[R]) -> Callable[..., R]:
    """A method of a case that gives the row with a key; parts of a key are given one by one."""
    def row(case: PlayedCase, *key: str) -> R:
        return case.campaign.table(record)["/".join(key)]

    return row


def only_row(record: type[R], *fields: str) -> Callable[..., R]:
    """A method of a case that gives the only row with these values in some fields."""
    def row(case: PlayedCase, *values: str) -> R:
        rows = case.campaign.table(record).where(lambda entry: tuple(getattr(entry, name) for name in fields) == values)
        assert len(rows) == 1, rows
        return rows[0]

    return row


class PlayedCase:
    """A campaign, the phases that were played on it, and what they came to."""

    def __init__(self, before: Campaign, outcomes: Sequence[Outcome] = ()) -> None:
        self.before = before
        self.outcomes = list(outcomes)
        self.campaign = outcomes[-1].campaign if outcomes else before

    @property
    def last(self) -> Outcome:
        """What the last phase came to."""
        return self.outcomes[-1]

    def phase(self, name: str) -> Outcome:
        """What a phase came to that was played once."""
        (outcome,) = [outcome for outcome in self.outcomes if outcome.phase == name]
        return outcome

    def row(self, sheet: str | type[Record], key: str) -> Any:
        """A row as it is now. Raises KeyError."""
        return self.campaign.by_sheet(sheet if isinstance(sheet, str) else sheet.sheet)[key]

    @property
    def statuses(self) -> dict[str, str]:
        """Order -> status."""
        return {row.order: row.status for row in self.campaign.table(Order)}

    @property
    def all_findings(self) -> list[Finding]:
        """All findings, in their order."""
        return [finding for outcome in self.outcomes for finding in outcome.findings]

    @property
    def codes(self) -> list[str]:
        """The codes of all findings, sorted."""
        return sorted(finding.code for finding in self.all_findings)

    @property
    def findings(self) -> set[tuple[str, str]]:
        """Row and code of all findings; questions and dice are named without turn and phase."""
        return {(re.sub(r"^\d+/\w+/", "", finding.where.row), finding.code) for finding in self.all_findings}

    def finding(self, code: str) -> Mapping[str, Any]:
        """The data of the only finding of a code."""
        findings = [finding for finding in self.all_findings if finding.code == code]
        assert len(findings) == 1, findings
        return findings[0].data

    def must_find(self, stated: str, quiet: Collection[str] = ()) -> None:
        """Assert exactly these findings: ``o1 GIG-020, * GIG-006`` (at any row). `quiet`: codes that may go unsaid."""
        expected = {(row, code) for row, code in split_rows(stated, ",")}
        anywhere, left_out = ({code for row, code in expected if row == "*"}, {*quiet} - {code for _, code in expected})
        findings = {("*" if code in anywhere else row, code) for row, code in self.findings if code not in left_out}
        assert findings == expected, f"findings {sorted(self.findings)}, stated {sorted(expected)}"

    @property
    def waits(self) -> list[str]:
        """The questions on which the last phase stopped."""
        return [question.question for question in self.last.questions]

    @property
    def questions(self) -> dict[str, Question]:
        """What the last phase stopped on, by its name."""
        return {question.question: question for question in self.last.questions}

    @property
    def throws(self) -> dict[str, int]:
        """Purpose -> what was thrown."""
        return {roll.key: roll.total for outcome in self.outcomes for roll in outcome.rolls}

    def event_data(self, event: str) -> list[dict[str, Any]]:
        """The data of all events of a type."""
        return [dict(told.data) for told in self.events(event)]

    def events(self, event: str = "", *values: object, **fields: object) -> list[Event]:
        """The events of a type, or all, that have these values among their parameters, and these parameters."""
        wanted = {str(value) for value in values}
        return [told for outcome in self.outcomes for told in outcome.events
                if event in ("", told.event) and wanted <= set(_texts(list(told.data.values())))
                and all(told.data.get(name) == value for name, value in fields.items())]

    def event(self, event: str, *values: object, **fields: object) -> Event:
        """The only event of a type with these values or parameters."""
        events = self.events(event, *values, **fields)
        assert len(events) == 1, f"{len(events)} events {event} {values} {fields} among {self.events()}"
        return events[0]


def _texts(value: Any) -> Iterator[str]:
    """A parameter and what it lists, as texts."""
    yield str(value)
    if isinstance(value, str):
        yield from re.split(r"[,\s]+", value)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


# --- a phase through the commands -------------------------------------------------------------------------
class ResolveByCommands:
    """A substitute for `resolve`: plays each phase by new, resolve and export in a folder of its own."""

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
        write_all_rules(ruleset, given)
        write_folder(given, place / "in")
        book = place / "case.xlsx"
        must_succeed("new", ruleset.id, book, "--from", place / "in", "--secret", secret.hex())
        code, text = run_command("resolve", book, "--json")
        assert code in (DONE, REFUSED, WAITING), text
        must_succeed("export", book, "--to", place / "out")
        _, after, findings = read_folder(place / "out", ruleset)
        assert findings == []
        return outcome_of_commands(campaign, after, json.loads(text), code)


def outcome_of_commands(before: Campaign, after: Campaign, data: Mapping[str, Any], code: int) -> Outcome:
    """The output and files of a command as the `Outcome` that `resolve` would have returned."""
    turn, phase = before.desk.turn, before.desk.phase
    findings = [Finding(f["code"], f["severity"], Where(f["sheet"], f["row"], f["field"]), f["data"], f["faction"])
                for f in data["findings"]]
    asked = [q for q in after.table(Question) if q.status == "open" and (q.turn, q.phase) == (turn, phase)]
    events = [e for _, e in after.table(Event).in_file_order()][len(before.table(Event)):]
    dice = [d for d in after.table(Die) if (d.turn, d.phase) == (turn, phase)]
    rolls = [parse_roll(d.key, d.dice, d.value, d.audience) for d in dice]
    return Outcome(after if code != REFUSED else before, turn, phase, code == DONE, asked, findings, events, rolls)


# --- commands and workbooks -------------------------------------------------------------------------------
def arbitro(*words: str | Path, lang: str = "en", typed: str = "") -> Result:
    """Run one command, whatever its exit code. `lang`: "" to leave ``--lang`` out; `typed`: its standard input."""
    option = ["--lang", lang] if lang and "--lang" not in words else []
    return CliRunner().invoke(main, [*option, *map(str, words)], input=typed)


def answer(*words: str | Path, lang: str = "en") -> Any:
    """The JSON output of one command, whatever its exit code."""
    return json.loads(arbitro(*words, "--json", lang=lang).stdout)


def codes_of(told: desk.Result | Outcome) -> list[str]:
    """The codes of the findings of a command or a phase, in their order."""
    return [finding.code for finding in told.findings]


def copy_campaign(book: Path, folder: Path) -> Path:
    """Copy a workbook into another folder, with its ledger and all files of the same stem; returns the copy."""
    for file in book.parent.glob(f"{book.stem}.*"):
        shutil.copyfile(file, folder / file.name)
    return folder / book.name


def copy_with_folder(book: Path, folder: Path) -> Path:
    """Copy a workbook and everything in its folder into another folder; returns the copy."""
    shutil.copytree(book.parent, folder, dirs_exist_ok=True)
    return folder / book.name


def take_lines(book: Path, *lines: str) -> desk.Result:
    """Hand in order lines as the referee types them."""
    return desk.take_orders(book, [desk.Input(line, text=line) for line in lines], lang="en")


def members(data: bytes) -> dict[str, bytes]:
    """The parts of a workbook's zip by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def workbook_bytes(book: Any) -> bytes:
    """The bytes of an openpyxl workbook."""
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def create_workbook(ruleset: Ruleset, campaign: Campaign, path: Path, wording: Wording, desk_lines: DeskLines) -> None:
    """Write a new workbook of a campaign to `path`, replacing any existing file.

    Raises `BookLocked`, and `BookUnsafe` for text too long for a cell.
    """
    with paused_collection():
        data = new_workbook_bytes(ruleset, campaign, path, wording, desk_lines)
    replace_file(path, data)
