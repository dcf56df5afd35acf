"""Why it came so: a sentence for each battle, siege and test that concerns the reader, from what its view tells.

What decided is taken from the rulings among the events of the view, with the modifiers that stand there. An event
whose ruling the reader may not know has none, and then there is neither margin nor chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from assistant.campaign.records import Battle, Event
from assistant.reporting.pages import Listing, Reason
from assistant.reporting.reader import Reader
from assistant.turn.chances import chance, percent
from assistant.turn.dice import SUM, sides_of, spread
from assistant.turn.texts import N_
from assistant.wording import Verbatim

MOST = 10
"""At most so many sentences."""
ALIKE = 2
"""More tests of one kind than these are one sentence."""
TOLD_OF_A_BATTLE = 3
"""So many sentences stand behind the outcome of a battle."""
HEAVIEST = 2
"""Events of a battle that weigh less than this do not decide it."""


def reasons_of(reader: Reader) -> Listing[Reason]:
    """The reasons of the period, battles first, then sieges, then other tests; a gazette's are of public events."""
    events = [e for e in reader.period.events if reader.faction in ("", "referee") or reader.concerns(e)]
    battles = list(_battles(reader, events))
    told = {id(e) for e in events if reader.battle_of(e) is not None}
    rest = list(_tests(reader, [e for e in events if id(e) not in told and e.roll]))
    made = tuple(dict.fromkeys((*battles, *rest)))
    return Listing(made, 0, reader.wording.text(N_("and {n} more"))).cut(MOST)


# --- battles ---------------------------------------------------------------------------------------------
def _battles(reader: Reader, events: Iterable[Event]) -> Iterator[Reason]:
    by_battle: dict[str, list[Event]] = {}
    for event in events:
        row = reader.battle_of(event)
        if row is not None:
            by_battle.setdefault(row.battle, []).append(event)
    for code, told in by_battle.items():
        row = reader.view.table(Battle)[code]
        sentences = list(dict.fromkeys((*_outcome(reader, row, told), *_decided(reader, row, told))))
        if sentences:
            yield Reason(" ".join(sentences), code)


def _outcome(reader: Reader, row: Battle, told: Sequence[Event]) -> Iterator[str]:
    """Who fought whom, who won, and how strong they were as far as the reader knows."""
    words = reader.wording
    own = list(reader.ruleset.outcomes(reader.view, reader.faction, told)) if reader.faction != "referee" else []
    if own:
        yield from (words.text(said.text, **said.data) for said in own)
        return
    if not (told_so := reader.outcome(row)):
        return
    yield told_so
    a, b = row.sides
    known = [(side, strength) for side, strength in zip((a, b), row.strengths, strict=False) if strength is not None]
    if known:
        listed = ", ".join(f"{words.text('{a}', a=list(side))} {words.number(n)}" for side, n in known)
        yield words.text(N_("Strength: {list}."), list=Verbatim(listed))


def _decided(reader: Reader, row: Battle, told: Sequence[Event]) -> list[str]:
    """What else decided a battle: its weightiest events, those with a ruling with what it came to."""
    chosen = [e for e in told if reader.kind(e).weight <= HEAVIEST and (reader.kind(e).weight > 0 or e.roll)]
    thrown = [e for e in chosen if e.roll]
    kept = sorted((*thrown, *[e for e in chosen if not e.roll])[:TOLD_OF_A_BATTLE], key=lambda e: e.no)
    return [sentence for event in kept for sentence in (_sentence(reader, event),) if sentence]


# --- tests ------------------------------------------------------------------------------------------------
def _tests(reader: Reader, events: Iterable[Event]) -> Iterator[Reason]:
    """Sieges and refusals one by one, other tests of a kind together where they are many; what failed comes first."""
    kinds: dict[str, list[Event]] = {}
    for event in events:
        if _is_test(event.roll):
            kinds.setdefault(event.event, []).append(event)
    ordered = sorted(kinds.values(), key=lambda alike: (min(reader.kind(e).weight for e in alike), alike[0].no))
    for alike in ordered:
        if len(alike) > ALIKE and not any(reader.kind(e).category in ("sieges", "battles") and
                                          reader.kind(e).weight <= 1 for e in alike) and not _places(reader, alike):
            yield Reason(_together(reader, alike))
        else:
            yield from (Reason(_sentence(reader, event)) for event in alike)


def _places(reader: Reader, events: Iterable[Event]) -> bool:
    """Whether the tests are about places that fall or hold."""
    return all("node" in event.data and event.roll.get("target") for event in events)


def _is_test(roll: Mapping[str, Any]) -> bool:
    """Whether a ruling decided something: it had a target, or a table with a verdict."""
    return any("target" in one or "verdict" in one for one in roll.get("rolls", [roll]))


def _together(reader: Reader, alike: Sequence[Event]) -> str:
    """Many tests of one kind: how many came to what, and how many fair dice would have passed."""
    words = reader.wording
    rolls = [one for event in alike for one in event.roll.get("rolls", [event.roll])]
    title = reader.roll_title(str(rolls[0].get("key", "")))
    aimed = [one for one in rolls if "target" in one and "dice" in one]
    if len(aimed) == len(rolls):
        passed = sum(bool(one["passed"]) for one in aimed)
        fair = sum((_trial_chance(one) for one in aimed), Fraction(0))
        return words.text(N_("{what}: {n} of {all} {all?throw|throws} reached what {all?it|they} needed, {fair} was to "
                             "be expected."), what=Verbatim(title), n=passed, all=len(aimed),
                          fair=Verbatim(reader.fraction(fair)))
    verdicts = Counter(words.word(str(one["verdict"])) for one in rolls if "verdict" in one)
    listed = ", ".join(f"{n} × {word}" for word, n in verdicts.items())
    return words.text(N_("{what}, {n} tests: {list}."), what=Verbatim(title), n=len(rolls), list=Verbatim(listed))


def _sentence(reader: Reader, event: Event) -> str:
    """An event in words without its dice, and what decided them."""
    line = reader.line(event)
    text = line.text.rstrip(" .:")
    came = reader.wording.verdict(event.roll, reader.kind(event).verdicts) if line.roll else ""
    text = f"{text}: {came}" if came and not text.endswith(f" {came}") else text
    why = _why(reader, event.roll)
    return f"{text}. {why}" if why else f"{text}."


# --- what decided ---------------------------------------------------------------------------------------------
def _why(reader: Reader, roll: Mapping[str, Any]) -> str:
    """What decided a ruling; "" for one that says so by itself or that the reader does not know."""
    if "rolls" in roll:
        return _contest(reader, roll["rolls"])
    if "target" in roll:
        return _trial(reader, roll)
    if "limit" in roll:
        return _counted(reader, roll)
    if "verdict" in roll:
        return reader.wording.text(N_("It came to {n}: {parts}."), n=roll["total"], parts=Verbatim(_parts(reader, roll)))
    return ""


def _parts(reader: Reader, roll: Mapping[str, Any]) -> str:
    """``4 by the die, +1 full rounds, −2 garrison``."""
    words = reader.wording
    level = [words.text(N_("level {n}"), n=roll["level"])] if "level" in roll else []
    dice = [words.text(N_("{n} by {dice}"), n=roll["value"], dice=Verbatim(str(roll["dice"])))] if "dice" in roll else []
    return ", ".join([*level, *dice, *(f"{reader.signed(n)} {words.word(name)}" for name, n in roll["modifiers"])])


def _trial(reader: Reader, roll: Mapping[str, Any]) -> str:
    """What was needed, what it came to, by how much it missed, and how likely it was."""
    words = reader.wording
    data = {"target": roll["target"], "total": roll["total"], "parts": Verbatim(_parts(reader, roll)),
            "n": abs(roll["total"] - roll["target"]), "chance": Verbatim(_likely(reader, _trial_chance(roll)))}
    low = roll.get("reach") == "at most"
    if roll["passed"]:
        text = N_("At most {target} was needed, and it came to {total} ({parts}); {chance}.") if low else N_(
            "{target} was needed, and it came to {total} ({parts}); {chance}.")
    else:
        text = N_("At most {target} was needed, but it came to {total} ({parts}): {n} too many; {chance}.")
        if not low:
            text = N_("{target} was needed, but it came to {total} ({parts}): {n} short; {chance}.")
    return words.text(text, **data)


def _trial_chance(roll: Mapping[str, Any]) -> Fraction:
    bonus = sum(n for _, n in roll["modifiers"])
    return chance(str(roll["dice"]), bonus, int(roll["target"]), at_most=roll.get("reach") == "at most",
                  natural=tuple(roll.get("natural", ())))


def _likely(reader: Reader, fair: Fraction) -> str:
    """The chance of success in words."""
    if fair == 0:
        return reader.wording.text(N_("no throw could have done it"))
    if fair == 1:
        return reader.wording.text(N_("no throw could have failed"))
    return reader.wording.text(N_("the chance of success was {n}"), n=Verbatim(percent(fair)))


def _counted(reader: Reader, roll: Mapping[str, Any]) -> str:
    """How many dice succeeded, and how likely each was to."""
    words = reader.wording
    made = ", ".join(f"{words.word(name)} {n if not place else reader.signed(n)}"
                     for place, (name, n) in enumerate(roll["made_of"]))
    extra = ", ".join(f"{reader.signed(n)} {words.word(name)}" for name, n in roll["modifiers"])
    parts = []
    if "dice" in roll:
        sides = sides_of(str(roll["dice"]))[1]
        limit = max(0, min(sides, sides + 1 - roll["limit"] if roll["reach"] == "at least" else roll["limit"]))
        if roll["bounds"]:
            limit = max(1, min(sides - 1, limit))
        parts.append(words.text(N_("each die of {dice} had a chance of {n} ({made})") if made else N_(
            "each die of {dice} had a chance of {n}"), dice=Verbatim(str(roll["dice"])),
            n=Verbatim(percent(Fraction(limit, sides))), made=Verbatim(made)))
        parts.append(words.text(N_("{n} {n?succeeded|succeeded}"), n=roll["successes"]))
    if extra:
        parts.append(words.text(N_("with {extra} it came to {n}"), extra=Verbatim(extra), n=roll["total"]))
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _contest(reader: Reader, rolls: Sequence[Mapping[str, Any]]) -> str:
    """Two sides compared: both totals, the margin, and how often fair dice would have made the same side the higher."""
    pair = [one for one in rolls if "total" in one or "value" in one][:2]
    if len(pair) != 2 or len(rolls) < 2 or any("target" in one or "verdict" in one or "dice" not in one
                                               for one in pair) or pair[0]["dice"] != pair[1]["dice"]:
        return ""
    first, second = (int(one.get("total", one["value"])) for one in pair)
    if first == second:
        return ""
    fair = _higher(pair) if first > second else _higher(pair[::-1])
    text = N_("It was {n} against {m}; the chance of that side to be the higher was {chance}.")
    return "" if fair is None else reader.wording.text(
        text, n=max(first, second), m=min(first, second), chance=Verbatim(percent(fair)))


def _higher(pair: Sequence[Mapping[str, Any]]) -> Fraction | None:
    """The chance that the first of two totals is the higher; None if the dice are too many to count."""
    totals = []
    for one in pair:
        count, sides = sides_of(str(one["dice"]))
        bonus = sum(n for _, n in one.get("modifiers", ()))
        totals.append([(value + bonus, ways) for value, ways in spread(count, sides, SUM)])
    every = sum(a * b for (_, a), (_, b) in product(*totals))
    return Fraction(sum(a * b for (x, a), (y, b) in product(*totals) if x > y), every)
