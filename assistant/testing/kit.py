"""Checks that every ruleset must pass, as functions and as a class of tests; cases in memory, of short rows."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign, Change
from assistant.campaign.records import CLUBLESS, OWNERLESS, Event, Faction, Order, Question, Rule
from assistant.campaign.tables import Record, natural
from assistant.desk.commands.lint_ruleset import public_items
from assistant.testing import robots
from assistant.testing.cases import (
    RowAsText,
    case_file_faults,
    golden_faults,
    must_be_installed,
    opening,
    plug_in,
    round_trip_faults,
)
from assistant.testing.fog import Keep, faults_of_phase, fog_faults, package_faults
from assistant.testing.hostile import Allowed, hostile_faults, other_process_faults, past_faults
from assistant.turn.findings import Finding
from assistant.turn.numbers import starting_values, write_values
from assistant.turn.orders.legal import plausible_fields
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import INTERFACE, Ruleset
from assistant.turn.views import secrecy_faults
from assistant.wording import Wording

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


# Incomplete declarations, each described in a sentence with what to do.


def undeclared_faults(ruleset: Ruleset) -> list[str]:
    """What the declarations of a ruleset lack; [] if they are complete."""
    faults = [f"{column}. Say it with see and whose ('arbitro help plugins', What may be seen)."
              for column in secrecy_faults(ruleset.records, ruleset.numbers)]
    if ruleset.interface != INTERFACE:
        faults.append(f"It is written for interface {ruleset.interface}, and this Arbitro has {INTERFACE}. Change what "
                      "'arbitro help plugins' names, and the number.")
    worded = {**{f"finding {code}": finding.text for code, finding in ruleset.findings.items()},
              **{f"event {name}": event_type.text for name, event_type in ruleset.events.items()},
              **{f"question {name}": question_type.text for name, question_type in ruleset.questions.items()},
              **{f"number {rule.key}": rule.meaning for rule in ruleset.numbers}}
    faults += [f"The {name} says nothing. Give it a sentence." for name, text in worded.items() if not text.strip()]
    faults += [f"The number {rule.key} names no source. Say where it stands in the book." for rule in ruleset.numbers
               if not rule.source]
    faults += [f"The number {rule.key} had another default until version {version}, which is not before today's "
               f"{ruleset.version or 'none'}. Raise version." for rule in ruleset.numbers for version in rule.was or ()
               if natural(version) >= natural(ruleset.version)]
    return faults


def card_faults(ruleset: Ruleset, campaign: Campaign, lang: str = "en") -> list[str]:
    """Examples of the orders card that are not read as the orders they show, and verbs without help or card."""
    book, faults = as_order_book(ruleset.verbs), list[str]()
    if not book.carried_out:
        return faults
    cards = ruleset.order_cards(campaign, lang, Wording(ruleset, lang).text)
    for card in cards:
        verb = book[book.code(card.verb)]
        fields = plausible_fields(verb, campaign)
        line = card.example or (order_line(book, campaign, fields, lang) if fields else "")
        read = ruleset.understand(line, campaign, "")
        lacking = set(verb.needed_columns()) - set(read.fields)
        if read.fields.get("verb") != verb.en or lacking:
            faults.append(f"The example '{line}' is not understood as {verb.en}: {dict(read.fields)}, "
                          f"lacks {', '.join(sorted(lacking)) or 'its verb'}. Look at its columns, shapes and fillers.")
        if not card.help:
            faults.append(f"The card does not say what {verb.en} is for. Give its order help.")
    shown = {book.code(card.verb) for card in cards}
    return faults + [f"The verb {verb} is on no card. Declare it with order, for a time that a phase takes."
                     for verb in ruleset.verbs if verb not in shown]


# The checks. Each returns None, or raises an AssertionError that says what differs, where, and what to do.
#
# A test module needs no more than a subclass of `Promises`::
#
#     class TestWells(Promises):
#         ruleset = WELLS
#
#         def opening(self) -> Campaign:
#             return opening(WELLS, Path(__file__).with_name("start"))


MOST_SHOWN = 20
SECRET = bytes(range(32))

__all__ = [
    "Change",
    "Promises",
    "battles_may_be_typed_early",
    "cases",
    "check_declarations",
    "check_equals_resolve",
    "every_verb",
    "fog",
    "fog_of_play",
    "golden",
    "in_another_process",
    "mails",
    "must_be_installed",
    "no_throws_share_a_key",
    "nonsense_is_refused",
    "opening",
    "plug_in",
    "public_items",
    "refused_orders_leave_nothing",
    "robots_play",
    "round_trip",
    "undo_and_redo",
    "with_robots",
]


def _assert_none(what: str, faults: Sequence[str]) -> None:
    """Raises AssertionError with the first faults if there are any."""
    more = f"\n... and {len(faults) - MOST_SHOWN} more" if len(faults) > MOST_SHOWN else ""
    assert not faults, f"{what}:\n" + "\n".join(faults[:MOST_SHOWN]) + more


def check_declarations(ruleset: Ruleset, campaign: Campaign | None = None) -> None:
    """Every column says who may see it and no text is missing; with a campaign, every example of the orders card is
    understood in both languages.
    """
    _assert_none(f"{ruleset.title} does not declare all", undeclared_faults(ruleset))
    if campaign is not None:
        _assert_none("The orders card is wrong", [
            fault for lang in ("en", "it") for fault in card_faults(ruleset, campaign, lang)])


def fog(ruleset: Ruleset, campaign: Campaign, before: Campaign | None = None, *,
        keep: Keep = lambda row: False) -> None:
    """What a faction may not see changes no byte of its reports. `before`: the campaign at its last report; `keep`:
    rows to leave alone, because all may know them.
    """
    _assert_none(f"{ruleset.title} tells secrets", fog_faults(ruleset, campaign, before, keep=keep))


def fog_of_play(ruleset: Ruleset, campaign: Campaign, *, secret: bytes = SECRET, phases: int = 8) -> None:
    """While robots play, nothing that a faction sees moves together with something hidden from it, and no code that it
    sees reveals how much others have. Switches not in the campaign's Rules are set as in new campaigns.
    """
    start = with_robots(campaign)
    write_values(start.table(Rule), starting_values(ruleset.numbers, ruleset.typed_rules(start.table(Rule))))
    for before, outcome in islice(robots.play(ruleset, start, secret), phases):
        _assert_none(f"{ruleset.title} gives secrets away in {outcome.turn} {outcome.phase}",
              faults_of_phase(ruleset, before, outcome, secret))


def mails(ruleset: Ruleset, campaign: Campaign, before: Campaign | None = None, *, keep: Keep = lambda row: False,
          factions: Collection[str] = ()) -> None:
    """What a faction may not see changes no byte of its mails, with workbook and file names. `before`, `keep`: as for
    `fog`; `factions`: only these.
    """
    for code in factions or [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]:
        _assert_none(f"{ruleset.title} mails secrets", package_faults(ruleset, campaign, code, before, keep=keep))


def check_equals_resolve(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 8,
                         by_others: Collection[str] = (), not_done: str = "") -> set[str]:
    """With orders spoiled at random, *check* refuses what the phase refuses. Returns the codes that were found.

    `by_others`, `not_done`: see `assistant.testing.robots.disagreements`.
    """
    codes = set[str]()
    for played in robots.play_spoiled(ruleset, campaign, seed, phases):
        _assert_none("check and resolve say different things",
              robots.disagreements(played, by_others=by_others, not_done=not_done))
        codes |= {code for _, code in robots.refusals(played.outcome.findings)}
    return codes


def nonsense_is_refused(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 8) -> None:
    """Nonsense in any column of any verb, or as an answer, gets a finding, crashes nothing and changes nothing. Columns
    of free words and of new codes are left out.
    """
    with tempfile.TemporaryDirectory() as place:
        _assert_none("Typed nonsense is not refused",
              list(robots.nonsense_faults(ruleset, with_robots(campaign), seed, phases, Path(place))))


def refused_orders_leave_nothing(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 8,
                                 aside: robots.Aside = lambda change: False) -> None:
    """With orders spoiled at random, a phase ends as it would without those that it refuses. `aside`: changes that a
    refused order may make.
    """
    _assert_none("Refused orders leave something behind", [
        fault for played in robots.play_spoiled(ruleset, with_robots(campaign), seed, phases)
        for fault in robots.leftovers(played, aside)])


def no_throws_share_a_key(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 8) -> None:
    """No two throws of a phase have the same key: with spoiled orders, and when all clubs order the same verb."""
    keys = robots.shared_keys(ruleset, with_robots(campaign), seed, phases)
    _assert_none("Throws share a key", list(dict.fromkeys(keys)))


def battles_may_be_typed_early(ruleset: Ruleset, campaign: Campaign, *, secret: bytes = SECRET,
                               phases: int = 40) -> None:
    """A battle stays the same if its row was typed before it was laid out."""
    _assert_none("Battles cannot be typed early", [
        fault for before, outcome in islice(robots.play(ruleset, with_robots(campaign), secret), phases)
        for fault in robots.early_battles(ruleset, before, outcome, secret)])


def every_verb(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 0, most: int = 100,
               by_others: Collection[str] = (), not_done: str = "",
               aside: robots.Aside = lambda change: False) -> None:
    """Every verb stands, whoever orders it: each phase is tried without orders, with each verb by itself, with all
    units at once and with orders that nobody has judged, all made from what the verbs declare. Nothing crashes; each
    change is told by an event of its own; texts have no brace left; *check* refuses what the phase refuses, and what
    is refused leaves nothing; a second run, dice and answers and battles that were typed early change nothing; nobody
    learns of hidden units, rows and answers.

    `phases`: 0 for those of a year; `most`: how many orders are tried by themselves in a phase; `aside`, `by_others`,
    `not_done`: as in `robots_play` and `check_equals_resolve`.
    """
    _assert_none(f"{ruleset.title} does not stand what people may order", hostile_faults(
        ruleset, with_robots(campaign), seed, phases, most, Allowed(by_others, not_done, aside)))


def in_another_process(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 8) -> None:
    """Two processes, in which Python orders sets differently, come to the same."""
    with tempfile.TemporaryDirectory() as place:
        _assert_none("Another process plays it otherwise",
              other_process_faults(ruleset, with_robots(campaign), seed, phases, Path(place)))


def undo_and_redo(ruleset: Ruleset, campaign: Campaign, *, seed: int = 0, phases: int = 3) -> None:
    """By the commands: each phase is played, undone and redone, with orders of all clubs as lines; then *verify* plays
    it all again. It ends before a phase that waits for an answer without a default.
    """
    with tempfile.TemporaryDirectory() as place:
        _assert_none("Its past does not stand",
              list(past_faults(ruleset, with_robots(campaign), seed, phases, Path(place))))


def robots_play(ruleset: Ruleset, campaign: Campaign, *, secret: bytes = SECRET, phases: int = 1000,
                aside: robots.Aside = lambda change: False) -> None:
    """Robots play a campaign to its end: their orders are legal, every change has a declared event that cites its rule,
    and records are valid after each phase. Every faction becomes a robot. `aside`: changes that need no event.
    """
    _assert_none("Robots cannot play it", robots.campaign_faults(
        ruleset, with_robots(campaign), secret, phases=phases, aside=aside))


def with_robots(campaign: Campaign) -> Campaign:
    """A copy of the campaign in which robots play all factions."""
    new = campaign.copy()
    for faction in new.table(Faction):
        if faction.role not in OWNERLESS:
            faction.role = "robot"
    return new


def round_trip(ruleset: Ruleset, campaign: Campaign) -> None:
    """A campaign made into a workbook and exported again, by the real commands, has the same CSVs, byte by byte."""
    with tempfile.TemporaryDirectory() as place:
        _assert_none("Export and import change it", round_trip_faults(ruleset, campaign, Path(place)))


def golden(ruleset: Ruleset, folder: Path, *, secret: bytes = SECRET, shown: RowAsText = Record.as_text) -> None:
    """A folder of CSVs with orders, answers and dice leads to the results in its expected.csv."""
    _assert_none(f"{folder.name} is played to something else", golden_faults(ruleset, folder, secret, shown))


def cases(*files: Path) -> None:
    """The cases in files, one JSON object per line, played by the real commands, end as expected."""
    for number, file in enumerate(files):
        with tempfile.TemporaryDirectory() as place:
            _assert_none(file.name, case_file_faults(file, Path(place) / str(number)))


class Promises:
    """All checks as a class of tests: inherit from it, give `ruleset` and `opening`, and run pytest.

    `seeds`: of campaigns with spoiled orders; `golden_folders`, `case_files`: your own; `by_others`, `not_done`,
    `keep`, `aside`: as in the functions of the kit; `tried`: how many phases are tried with every verb (0: those of a
    year), and how many orders by themselves in each; `processes`: whether it is played in other processes and by
    commands as well, which takes seconds; `confirmed`: what all may see beside secrets, None where nobody has looked
    yet.
    """

    ruleset: Ruleset
    seeds: Sequence[int] = range(3)
    phases: int = 8
    golden_folders: Sequence[Path] = ()
    case_files: Sequence[Path] = ()
    by_others: Collection[str] = ()
    not_done: str = ""
    tried: tuple[int, int] = (0, 100)
    processes: bool = True
    confirmed: Collection[str] | None = None

    def opening(self) -> Campaign:
        """A campaign at its start, with factions that can play."""
        raise AssertionError("Give the class of tests a method opening(self) that returns a campaign.")

    def keep(self, row: Record) -> bool:
        """Whether all may know a row although its sheet hides it."""
        return False

    def aside(self, change: Change) -> bool:
        """Whether a change needs no event."""
        return False

    def test_all_is_declared(self) -> None:
        """Visibility and texts are declared, and the orders card can be typed."""
        check_declarations(self.ruleset, self.opening())

    def test_what_a_faction_may_not_see_changes_no_byte(self) -> None:
        """At the opening and after some phases played by robots."""
        start = with_robots(self.opening())
        fog(self.ruleset, start, keep=self.keep)
        last = start
        for _, outcome in islice(robots.play(self.ruleset, start, SECRET), self.phases):
            last = outcome.campaign
        fog(self.ruleset, last, start, keep=self.keep)
        mails(self.ruleset, last, start, keep=self.keep)

    def test_what_a_faction_sees_gives_nothing_hidden_away(self) -> None:
        """Neither by what moves with it nor by numbers that count it."""
        fog_of_play(self.ruleset, self.opening(), phases=self.phases)

    def test_check_refuses_what_resolve_refuses(self) -> None:
        """An order that *check* accepts is not refused by the phase."""
        for seed in self.seeds:
            check_equals_resolve(self.ruleset, with_robots(self.opening()), seed=seed, phases=self.phases,
                                 by_others=self.by_others, not_done=self.not_done)

    def test_refused_orders_leave_nothing_behind(self) -> None:
        """Neither rows nor money, dice or events."""
        for seed in self.seeds:
            refused_orders_leave_nothing(self.ruleset, self.opening(), seed=seed, phases=self.phases)

    def test_no_throws_share_a_key(self) -> None:
        """Each throw has its own die, which can be typed."""
        no_throws_share_a_key(self.ruleset, self.opening(), phases=self.phases)

    def test_battles_may_be_typed_before_they_are_laid_out(self) -> None:
        """What was typed early is used."""
        battles_may_be_typed_early(self.ruleset, self.opening())

    def test_typed_nonsense_is_refused(self) -> None:
        """In orders and answers, as a referee might mistype them, or a spreadsheet."""
        for seed in self.seeds:
            nonsense_is_refused(self.ruleset, self.opening(), seed=seed, phases=self.phases)

    def test_every_verb_stands_whoever_orders_it(self) -> None:
        """As people might, and not as the robots do."""
        phases, most = self.tried
        every_verb(self.ruleset, self.opening(), phases=phases, most=most, by_others=self.by_others,
                   not_done=self.not_done, aside=self.aside)

    def test_another_process_plays_the_same(self) -> None:
        """Nothing hangs on how Python orders a set."""
        if self.processes:
            in_another_process(self.ruleset, self.opening(), phases=min(self.phases, self.tried[0] or self.phases))

    def test_undo_and_redo_lead_to_the_same(self) -> None:
        """By the commands, and *verify* finds it so."""
        if self.processes:
            undo_and_redo(self.ruleset, self.opening())

    def test_what_all_see_is_confirmed(self) -> None:
        """Where its author has looked at it, it is still that."""
        if self.confirmed is not None:
            new = [name for name in public_items(self.ruleset) if name not in self.confirmed]
            _assert_none("Seen by all beside secrets, and not among `confirmed`", new)

    def test_robots_play_to_the_end(self) -> None:
        """Every change has an event, and every event cites its rule."""
        robots_play(self.ruleset, self.opening(), aside=self.aside)

    def test_export_and_import_change_nothing(self) -> None:
        """After the first phase, with orders, events and dice; and in each season, with orders of those before."""
        for after in robots.seasons(self.ruleset, with_robots(self.opening()), SECRET, self.phases):
            round_trip(self.ruleset, after)

    def test_golden_folders_are_played_as_they_expect(self) -> None:
        """Each of them."""
        for folder in self.golden_folders:
            golden(self.ruleset, folder)

    def test_case_files_go_through_the_commands(self) -> None:
        """Each of them."""
        cases(*self.case_files)
