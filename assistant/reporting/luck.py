"""How the dice fell: of the throws that a reader may know and that concern it, expected against rolled."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.campaign.order import natural
from assistant.campaign.records import ALL, Die, Event, Faction
from assistant.reporting.pages import Cell, Listing, Luck, LuckRow, ReportTable
from assistant.reporting.period import Moment
from assistant.reporting.reader import Reader
from assistant.turn.ruleset import RollKind
from assistant.turn.superseded import is_superseded
from assistant.turn.throws.dice import REFEREE, sides_of, typed_roll
from assistant.turn.throws.luck import Tally
from assistant.wording import N_, Wording

OWN, OTHER = "own", "other"
PARTS = re.compile("[:/#]")
"""What parts the words of a purpose."""


class Kind(NamedTuple):
    """What is counted together: the word before the first colon of the purpose, and whose throw."""

    word: str
    side: str


def of_years(reader: Reader) -> tuple[Luck, ...]:
    """The luck of each year that ended in the period; of a campaign that is over that of all its years, too.

    A rulebook that plays within one year has it counted at the end only.
    """
    _ = reader.wording.text
    year, over = reader.ruleset.year, reader.ruleset.is_over(reader.view)
    moments = dict.fromkeys((e.turn, e.phase) for _, e in reader.view.table(Event).in_file_order())
    now = "" if over else year(reader.view.desk.turn)
    ended = dict.fromkeys(year(turn) for turn, _ in reader.period.moments if year(turn) not in (now, ""))
    found = [luck(reader, {m for m in moments if year(m[0]) == one}, _("Your luck in {year}", year=one))
             for one in ended]
    if over and (len({year(turn) for turn, _ in moments}) > 1 or not year(reader.view.desk.turn)):
        found.append(luck(reader, set(moments), _("Your luck in the whole campaign")))
    return tuple(one for one in found if one is not None)


def luck(reader: Reader, moments: Container[Moment], title: str) -> Luck | None:
    """The luck of a reader in some phases; None where no die concerns it. The referee's: that of all dice."""
    tallies: dict[Kind, Tally] = {}
    for kind, roll in _counted(reader, moments):
        tallies.setdefault(kind, Tally()).add(roll)
    if not tallies:
        return None
    kinds = sorted(tallies, key=lambda kind: (natural(_title(reader, kind)), kind))
    total = Tally()
    for kind in kinds:
        total += tallies[kind]
    rows = tuple(_row(kind, tallies[kind]) for kind in kinds)
    return Luck(title, _said(reader, total), _table(reader, kinds, tallies), rows)


# --- which throws -----------------------------------------------------------------------------
def _counted(reader: Reader, moments: Container[Moment]) -> Iterator[tuple[Kind, Mapping[str, Any]]]:
    """Every throw that counts, once, with its kind."""
    seen: set[str] = set()
    record = reader.view.table(Die).record
    everything = reader.faction == REFEREE
    for _, event in reader.view.table(Event).in_file_order():
        if (event.turn, event.phase) not in moments or not (everything or reader.concerns(event)):
            continue
        for roll in event.roll.get("rolls", [event.roll]):
            kind = kind_of(reader, event, roll)
            if kind is None:
                continue
            row = record(key=str(roll["key"]), turn=event.turn, phase=event.phase).ident
            if row not in seen:
                seen.add(row)
                yield kind, roll
    if everything:
        yield from _untold(reader, moments, seen)


def _untold(reader: Reader, moments: Container[Moment], seen: set[str]) -> Iterator[tuple[Kind, Mapping[str, Any]]]:
    """Throws of which no event tells; the referee's report alone can know whom they concern."""
    for die in reader.view.table(Die):
        if die.ident in seen or is_superseded(die.ident) or not die.audience or (die.turn, die.phase) not in moments:
            continue
        try:
            roll = typed_roll(die.key, die.dice, str(die.value), die.audience)
        except ValueError:  # a cell of the Dice sheet that was changed by hand
            continue
        data = {**roll.as_data(), "typed": die.source == "table"}
        yield Kind(word_of(die.key), ""), data


def kind_of(reader: Reader, event: Event, roll: Mapping[str, Any]) -> Kind | None:
    """The kind of a throw of an event; None for what is no throw, or in public news somebody else's throw."""
    try:
        key = str(roll["key"])
        sides_of(str(roll["dice"]))
    except (KeyError, ValueError):
        return None
    side = "" if reader.faction == REFEREE else _side(reader, event, key)
    return None if side == OTHER and event.audience == ALL else Kind(word_of(key), side)


def word_of(key: str) -> str:
    """The kind of throw that a purpose begins with: ``siege`` of ``siege:V8:1500:3`` or ``siege/V8``."""
    return PARTS.split(key, 1)[0]


def _side(reader: Reader, event: Event, key: str) -> str:
    """Whose throw it is: whom the ruleset's parameter of the event names, else the purpose; "" for nobody's."""
    by = _declared(reader, word_of(key)).by
    named = {str(event.data[by])} if by and event.data.get(by) else set(PARTS.split(key)[1:])
    factions = named & {f.faction for f in reader.view.table(Faction)}
    if not factions:
        return ""
    return OWN if reader.faction in factions else OTHER


def _declared(reader: Reader, word: str) -> RollKind:
    return reader.ruleset.rolls.get(word) or RollKind(word, reader.wording.word(word).capitalize())


# --- how it is told ---------------------------------------------------------------------------
def _title(reader: Reader, kind: Kind) -> str:
    _ = reader.wording.text
    title = _(_declared(reader, kind.word).title)
    if kind.side == OWN:
        return _("{kind}: yours", kind=title)
    return _("{kind}: the other side", kind=title) if kind.side == OTHER else title


def _said(reader: Reader, total: Tally) -> tuple[str, ...]:
    words, n = reader.wording, total.dice
    rolled, expected = words.number(total.rolled), decimal(words, total.expected, 1)
    if reader.faction == REFEREE:
        said = [words.plural(N_("{n} die was thrown: it came to {rolled}, {expected} was to be expected."),
                             N_("{n} dice were thrown: they came to {rolled}, {expected} was to be expected."), n,
                             rolled=rolled, expected=expected)]
    else:
        said = [words.plural(N_("{n} die concerns you: it came to {rolled}, {expected} was to be expected."),
                             N_("{n} dice concern you: they came to {rolled}, {expected} was to be expected."), n,
                             rolled=rolled, expected=expected)]
    if total.trials:
        said.append(words.plural(
            N_("{n} throw had to reach a target: {passed} did, {expected} was to be expected."),
            N_("{n} throws had to reach a target: {passed} did, {expected} was to be expected."), total.trials,
            passed=words.number(total.passed), expected=decimal(words, total.chance, 1)))
    if total.typed:
        said.append(words.plural(N_("{n} of the dice was thrown at the table."),
                                 N_("{n} of the dice were thrown at the table."), total.typed))
    return tuple(said)


def _table(reader: Reader, kinds: list[Kind], tallies: Mapping[Kind, Tally]) -> ReportTable:
    _ = reader.wording.text
    rows = []
    for kind in kinds:
        one, words = tallies[kind], reader.wording
        passed = f"{words.number(one.passed)}/{words.number(one.trials)} ({decimal(words, one.chance, 1)})"
        rows.append((Cell(_title(reader, kind)), reader.number(one.dice),
                     Cell(decimal(words, one.expected / one.dice, 2)),
                     Cell(decimal(words, Fraction(one.rolled, one.dice), 2)), Cell(passed if one.trials else "–")))
    headings = (_("Throws"), _("Dice"), _("Expected"), _("Rolled"), _("Target reached"))
    note = _("Expected and rolled are the average of one die. Target reached: how many of how many throws, and in "
             "brackets how many to expect of fair dice with the same modifiers. A few dice say little.")
    return ReportTable("", headings, (False, True, True, True, True), Listing(tuple(rows)), note)


def _row(kind: Kind, one: Tally) -> LuckRow:
    return LuckRow(kind.word, kind.side, one.dice, one.typed, one.rolled, str(one.expected), one.trials,
                   one.passed, str(one.chance))


def decimal(words: Wording, value: Fraction, places: int) -> str:
    """A fraction, 0 or more, rounded to some places behind the comma of the language; halves are rounded up."""
    whole, rest = divmod(int(value * 10**places + Fraction(1, 2)), 10**places)
    return f"{words.number(whole)}{',' if words.lang == 'it' else '.'}{rest:0{places}}"
