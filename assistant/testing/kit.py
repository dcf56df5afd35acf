"""Checks that every ruleset must pass, as functions and as a class of tests; cases in memory, of short rows."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path

from assistant.campaign.campaign import Campaign, Change
from assistant.campaign.records import CLUBLESS, OWNERLESS, Faction, Rule
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
from assistant.turn.numbers import starting_values, write_values
from assistant.turn.orders.legal import plausible_fields
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.ruleset import INTERFACE, Ruleset
from assistant.turn.views import secrecy_faults
from assistant.wording import Wording

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
