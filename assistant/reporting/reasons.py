"""Why it turned out this way. A sentence for each battle, siege and test of the reader, from what its view tells.

What decided is taken from the rulings among the events of the view, with the modifiers that stand there. An event
whose ruling the reader may not know has none, and then there is neither margin nor chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from assistant.campaign.records import OWNERLESS, REFEREE, Battle, Event, Faction
from assistant.campaign.tables import grouped
from assistant.reporting.facts import format_fraction
from assistant.reporting.pages import Listing, Reason
from assistant.reporting.reader import Reader, capital
from assistant.reporting.shorten import battle_rank, chapter_title
from assistant.speech import SPOKEN_LANGUAGES
from assistant.turn.battle_results import waiting_battles
from assistant.turn.chances import chance, percent
from assistant.turn.dice import SUM, sides_of, spread
from assistant.turn.rulings import group_throws
from assistant.turn.texts import N_
from assistant.wording import Verbatim

MOST = 7
"""At most so many sentences."""
LEAST_OTHERS = 2
"""So many of them are of sieges and tests, where there are any."""
ALIKE = 2
"""More tests of one kind than these are one sentence."""
TOLD_OF_A_BATTLE = 3
"""So many sentences stand behind the outcome of a battle."""
LIGHTEST = 3
"""Many tests of a kind that weighs less than this are not told together."""
ON_THE_WAY = ("moves", "sea")
"""Who comes where it was sent needs no reason."""
SIDES_OF_BATTLE = ("A", "D")
"""Attacker and defender in the purposes of their throws."""
HEAVIEST = 2
"""Events of a battle that weigh less than this do not decide it."""


def reasons_of(reader: Reader) -> Listing[Reason]:
    """The reasons of the period, battles first, then sieges, then other tests; a gazette's are of public events."""
    fought, rest = dict[str, list[Event]](), list[Event]()
    waiting = {row.battle for row in waiting_battles(reader.ruleset, reader.view)}  # nothing has turned out yet
    for event in reader.period.events:
        battle = reader.battle_of(event)
        if battle is not None and battle.battle not in waiting:
            fought.setdefault(battle.battle, []).append(event)
        elif battle is None and event.roll and _is_for(reader, event):
            rest.append(event)
    battles = _battles(reader, {code: told for code, told in fought.items() if any(_is_for(reader, e) for e in told)})
    others = tuple(dict.fromkeys((*_of_rules(reader), *_places(reader), *_tests(reader, rest))))
    made = tuple(dict.fromkeys(battles))
    first = max(MOST - min(len(others), LEAST_OTHERS), 0)
    made = (*made[:first], *others, *made[first:])
    return Listing(made, 0, reader.wording.text(N_("and {n} more"))).cut(MOST)


def _is_for(reader: Reader, event: Event) -> bool:
    return reader.faction in ("", REFEREE) or reader.concerns(event)


# --- battles ---------------------------------------------------------------------------------------------
def _battles(reader: Reader, fought: Mapping[str, Sequence[Event]]) -> Iterator[Reason]:
    """Battles place by place, in order of time where they are few, else the place with the gravest of them first."""
    rows = {code: reader.view.table(Battle)[code] for code in fought}
    by_place: dict[str, list[tuple[int, ...]]] = {}
    for code, told in fought.items():
        by_place.setdefault(rows[code].node or code, []).append(battle_rank(reader, rows[code], told))
    codes = sorted(fought, key=lambda code: min(by_place[rows[code].node or code])) if len(fought) > MOST else list(
        fought)
    for code in codes:
        row, told = rows[code], fought[code]
        outcome = list(_outcome(reader, row, told))
        decided = _deciding_events(reader, row, told, outcome)
        sentences = list(dict.fromkeys((*outcome, *decided)))
        if sentences and (decided or reader.faction):  # the five lines tell everybody who won
            table = [reader.wording.text(N_("It was fought out at the gaming table."))] if _at_table(
                reader, row, told) else []
            yield Reason(" ".join((*sentences, *table)), code)


def _at_table(reader: Reader, row: Battle, told: Sequence[Event]) -> bool:
    """Whether a battle came to its result by the play of people, whom no ruling explains: no dice stand beside the
    result, and nothing says how it ended, nor does the rulebook.
    """
    results = [e for e in told if reader.kind(e).category == "battles" and not reader.kind(e).weight]
    phases = {(e.turn, e.phase) for e in results}
    return (row.winner_side is not None and reader.ruleset.form is not None and bool(results)
            and not any(said.why for said in reader.ruleset.outcomes(reader.view, reader.faction, told))
            and not any(reader.how(e) or (e.roll and (e.turn, e.phase) in phases) for e in told))


def _outcome(reader: Reader, row: Battle, told: Sequence[Event]) -> Iterator[str]:
    """Who fought whom, who won, and how strong they were as far as the reader knows."""
    words = reader.wording
    own = list(reader.ruleset.outcomes(reader.view, reader.faction, told)) if reader.faction != REFEREE else []
    if all(said.why for said in own):
        yield from _plain_outcome(reader, row, told)
    yield from (words.sentence(said.text, said.data) for said in own)


def _plain_outcome(reader: Reader, row: Battle, told: Sequence[Event]) -> Iterator[str]:
    """The same where the rulebook has no sentence of its own."""
    words = reader.wording
    if not (told_so := reader.outcome(row)):
        return
    yield told_so
    a, b = row.sides
    if not row.forces and not any(map(reader.how, told)):  # else each side stands with its strength, or as attacker
        yield words.text(N_("{a:the} attacked, played by the rules.") if any(map(reader.is_run_by_rules, a)) else N_(
            "{a:the} attacked."), a=list(a))
    strengths = list(zip((a, b), row.strengths, strict=False))
    if any(strength is not None for _, strength in strengths):
        listed = "; ".join(f"{', '.join(map(words.names.text, side))} " + (
            words.text(N_("not known")) if n is None else str(words.number(n))) for side, n in strengths)
        yield words.text(N_("Strength: {list}."), list=Verbatim(listed))


def _deciding_events(reader: Reader, row: Battle, told: Sequence[Event], outcome: Collection[str]) -> list[str]:
    """What else decided a battle: events with a ruling or with figures, with what they came to, without its name and
    without what its `outcome` has said.
    """
    chosen = [e for e in told if reader.kind(e).weight <= HEAVIEST and (e.roll or _has_figures(e) or reader.how(e))]
    kept = sorted(sorted(chosen, key=lambda e: not (e.roll or reader.how(e)))[:TOLD_OF_A_BATTLE], key=lambda e: e.no)
    name = reader.wording.names.text(row.battle)
    if not outcome:
        return [_sentence(reader, event) for event in kept]
    sentences = [reader.how(event) or _without_name(_sentence(reader, event), name) for event in kept]
    return [text for text in sentences if text]


def _has_figures(event: Event) -> bool:
    return any(isinstance(value, int) and not isinstance(value, bool) for value in event.data.values())


def _without_name(text: str, name: str) -> str:
    """A sentence about a battle whose name has just been said."""
    text = text.removeprefix(f"{capital(name)}: ").removeprefix(f"{capital(name)}, ")
    return capital(text.replace(f" ({name})", ""))


# --- nations that the rules play --------------------------------------------------------------------------
def _of_rules(reader: Reader) -> Iterator[Reason]:
    """What nations that the rules play did to the reader; the event itself tells the reason, such as an insult, and
    the dice of such a nation are the referee's.
    """
    for event in reader.period.events:
        actor, words = str(event.data.get("by") or event.data.get("faction") or ""), reader.wording
        hit = reader.faction in (value for value in event.data.values() if value != actor)
        if not (hit and reader.faction and reader.is_run_by_rules(actor)) or event.roll or reader.battle_of(event):
            continue
        yield Reason(" ".join(filter(None, (
            words.text(N_("{text} The rules play {x:the}: the dice decide."),
                       text=Verbatim(words.event(event)), x=actor),
            _cause(reader, event)))))


# --- places ---------------------------------------------------------------------------------------------
def _places(reader: Reader) -> Iterator[Reason]:
    """Places that the reader lost, took or saved without battle or throw, and what else the book has a cause for."""
    if reader.faction in ("", REFEREE):
        return
    events = [(event, reader.places_in(event)) for event in reader.period.events]
    decided = {(event.turn, event.phase, place) for event, places in events for place in places
               if _is_test(event.roll) or reader.battle_of(event)}
    told = {places: event for event, places in events if reader.kind(event).theme in ("place", "siege")
            and reader.names_own(event) and reader.battle_of(event) is None
            and decided.isdisjoint((event.turn, event.phase, place) for place in places)}
    said = {id(event) for event in told.values()}  # of a place that changed hands more than once the last time
    for event, _ in events:
        cause = "" if reader.is_run_by_rules(str(event.data.get("faction", ""))) else _cause(reader, event)
        if cause or id(event) in said:
            yield Reason(f"{_sentence(reader, event, dated=True)} {cause}".rstrip())


def _cause(reader: Reader, event: Event) -> str:
    """Why something came so, where the rulebook knows more than the event's sentence; else ""."""
    cause = reader.ruleset.cause_of(reader.view, reader.faction, event)
    if isinstance(cause, Event):
        return _why(reader, cause)
    return "" if cause is None else reader.wording.sentence(cause.text, cause.data)


# --- tests ------------------------------------------------------------------------------------------------
def _tests(reader: Reader, events: Iterable[Event]) -> Iterator[Reason]:
    """Tests of places one by one, others of a kind together where they are many; the weightiest first."""
    kinds = grouped((e for e in events if _is_test(e.roll) and not (
        _has_passed(e) and reader.kind(e).category in ON_THE_WAY)), lambda e: e.event)
    ordered = sorted(kinds.values(), key=lambda alike: (min(reader.kind(e).weight for e in alike), alike[0].no))
    for alike in ordered:
        if len(alike) <= ALIKE or all("node" in e.data and "target" in e.roll for e in alike):
            yield from (Reason(_sentence(reader, event, dated=True)) for event in _decisive_first(reader, alike)
                        if _why(reader, event))
        elif reader.kind(alike[0]).weight <= LIGHTEST and (text := _together(reader, alike)):
            yield Reason(text)


def _decisive_first(reader: Reader, alike: Sequence[Event]) -> list[Event]:
    """Tests of one kind: those by which a place changed hands, then what the reader itself tried, then the last that
    each place withstood; earlier ones that a place withstood, and all before it fell, are left out. Those of one
    place follow one another in time.
    """
    def place(event: Event) -> str:
        return str(event.data.get("node", event.no))

    def rank(event: Event) -> tuple[bool, bool, int]:
        return not _has_passed(event), not _is_about_reader(reader, event), event.no

    last = {place(event): event for event in alike}
    told = [event for event in alike if _has_passed(event) or event is (end := last[place(event)])
            or (_is_about_reader(reader, event) and not _has_passed(end))]
    first: dict[str, tuple[bool, bool, int]] = {}
    for event in sorted(told, key=rank):
        first.setdefault(place(event), rank(event))
    return sorted(told, key=lambda event: (first[place(event)], event.no))


def _has_passed(event: Event) -> bool:
    return bool(event.roll.get("passed"))


def _is_about_reader(reader: Reader, event: Event) -> bool:
    """Whether an event names the reader, and tells of nobody else's man."""
    return event.data.get("faction", reader.faction) == reader.faction and any(
        value == reader.faction for value in event.data.values())


def _is_test(roll: Mapping[str, Any]) -> bool:
    return any("target" in one or "verdict" in one for one in roll.get("rolls", [roll]))


def _together(reader: Reader, alike: Sequence[Event]) -> str:
    """Many tests of one kind: how many came to what, and how many fair dice would have passed; "" if all came to the
    same.
    """
    words = reader.wording
    rolls = [one for event in alike for one in event.roll.get("rolls", [event.roll])]
    title = reader.roll_title(str(rolls[0].get("key", "")))
    aimed = [one for one in rolls if "target" in one and "dice" in one]
    if len(aimed) == len(rolls):
        passed = sum(bool(one["passed"]) for one in aimed)
        fair = sum((_trial_chance(one) for one in aimed), Fraction(0))
        return words.text(N_("{what}: {n} of {all} {all?throw|throws} reached what {all?it|they} needed, {fair} was to "
                             "be expected."), what=Verbatim(title), n=passed, all=len(aimed),
                          fair=Verbatim(format_fraction(words, fair, 1)))
    verdicts = Counter(words.word(str(one["verdict"])) for one in rolls if "verdict" in one)
    if len(verdicts) < 2 or not rolls[0].get("key") or all(word.isdecimal() for word in verdicts):
        return ""  # amounts, such as what trade brought, need no reason
    listed = ", ".join(f"{n} × {word}" for word, n in verdicts.items())
    return words.text(N_("{what}, {n} tests: {list}."), what=Verbatim(title), n=len(rolls), list=Verbatim(listed))


def _sentence(reader: Reader, event: Event, *, dated: bool = False) -> str:
    """An event in words without its dice, and what decided them; `dated`: with its month, if there are several."""
    line = reader.line(event, with_place=False)
    text = (line.text if event.roll else reader.wording.event(event)).rstrip(" .:")
    whole = line.text.endswith(".")  # it says what it came to in words of its own, and the roll stands behind
    came = reader.came_to(event) if line.roll and not whole else ""
    text = f"{text}: {came}" if came and not text.endswith(f" {came}") else text
    if dated and reader.rounds > 1 and (month := chapter_title(reader, event)):
        text = f"{text} ({month})"
    why = _why(reader, event)
    return f"{text}. {why}" if why else f"{text}."


# --- what decided ---------------------------------------------------------------------------------------------
def _why(reader: Reader, event: Event) -> str:
    """What decided a ruling; "" for one that says so by itself or whose modifiers the reader does not know."""
    roll = event.roll
    if "rolls" in roll:
        return _contest(reader, event) or _first_of_several(reader, roll["rolls"])
    if "target" in roll:
        return _trial(reader, event)
    if "limit" in roll:
        return _with_rows(reader, roll, _success_text(reader, roll))
    if "verdict" in roll:
        return _with_rows(reader, roll, _reading_text(reader, event))
    return ""


def _with_rows(reader: Reader, roll: Mapping[str, Any], text: str) -> str:
    """What a reading came to, and how far it was from the rows of the table beside it, where the event says so."""
    words, of_dice = reader.wording, "successes" in roll
    more = N_("with {n} more {n?success|successes}: {outcome}") if of_dice else N_(
        "with {n} more {n?point|points}: {outcome}")
    less = N_("with {n} {n?success|successes} less: {outcome}") if of_dice else N_(
        "with {n} {n?point|points} less: {outcome}")
    beside = [words.text(said, n=roll[name][1], outcome=Verbatim(_outcome_name(reader, str(roll[name][0]))))
              for name, said in (("above", more), ("below", less)) if name in roll]
    return f"{text.rstrip('.')}; {', '.join(beside)}." if text and beside else text


def _outcome_name(reader: Reader, outcome: str) -> str:
    """A table's outcome: the name of who is meant; of those whom nobody plays only that they are neutral."""
    row = reader.view.table(Faction).get(outcome)
    nobodys = row is not None and row.role in OWNERLESS
    return reader.wording.word(outcome) if nobodys else reader.wording.name_of(outcome)


def _first_of_several(reader: Reader, rolls: Sequence[Mapping[str, Any]]) -> str:
    return _success_text(reader, rolls[0]) if "limit" in rolls[0] and "limit" not in rolls[1] else ""


def _reading_text(reader: Reader, event: Event) -> str:
    """What was looked up in a table, and of what it is made; a level that nothing changes says so by itself."""
    roll, parts = event.roll, _parts(reader, event)
    if "dice" not in roll and not roll["modifiers"]:
        return f"{capital(parts)}."
    return reader.wording.text(N_("It came to {n}: {parts}."), n=_plain(reader, roll["total"]), parts=Verbatim(parts))


def _parts(reader: Reader, event: Event) -> str:
    """``level of loyalty 8, 4 by 1d6, full rounds +1, garrison −2``."""
    words, roll, what = reader.wording, event.roll, reader.kind(event).level
    level = [f"{words.word(what)} {roll['level']}" if what else words.text(N_("level {n}"), n=roll["level"])
             ] if "level" in roll else []
    thrown = [words.text(N_("{n} by {dice}"), n=roll["value"],
                         dice=Verbatim(str(roll["dice"])))] if "dice" in roll else []
    return ", ".join(filter(None, (*level, *thrown, _modifiers(reader, roll))))


def _modifiers(reader: Reader, roll: Mapping[str, Any]) -> str:
    """``full rounds +1, garrison −2``; "" for none."""
    return ", ".join(f"{reader.wording.word(name)} {reader.signed_number(n)}" for name, n in roll["modifiers"])


def _plain(reader: Reader, number: int) -> Verbatim:
    return Verbatim(reader.signed_number(number) if number < 0 else reader.wording.number(number))


def _thrown(reader: Reader, roll: Mapping[str, Any]) -> Verbatim:
    """What fell: ``4``, of several dice with their sum: ``2 and 3 (5)``, for single ones without it."""
    faces = SPOKEN_LANGUAGES[reader.lang].listed([str(face) for face in roll.get("faces", ())])
    if len(roll.get("faces", ())) > 1:
        return Verbatim(faces if "limit" in roll else f"{faces} ({roll['value']})")
    return Verbatim(str(roll["value"]))


def _trial(reader: Reader, event: Event) -> str:
    """Against which number was thrown and what fell; with modifiers what it came to and what would have been enough;
    and how likely it was.
    """
    words, roll = reader.wording, event.roll
    by, low = reader.kind(event).tries, roll.get("reach") == "at most"
    needed = N_("Needed {target} or less, threw {thrown}") if low else N_("Needed {target}, threw {thrown}")
    told = [words.text(needed, target=roll["target"], thrown=_thrown(reader, roll))]
    came = [words.text(N_("with {parts} it comes to {total}"), parts=Verbatim(_modifiers(reader, roll)),
                       total=_plain(reader, roll["total"]))] if roll["modifiers"] else []
    fair = _trial_chance(roll)
    if came and not roll["passed"]:
        came.append(words.text(N_("{n} too many") if low else N_("{n} short"), n=abs(roll["total"] - roll["target"])))
        if fair:
            came.append(words.text(N_("{n} would have been enough"), n=_enough(roll, low=low)))
    told += [", ".join(came)] if came else []
    tries = str(event.data.get(f"{by}_{reader.lang}") or event.data.get(by, ""))
    return f"{'; '.join((*told, _likely(reader, fair, tries)))}."


def _enough(roll: Mapping[str, Any], *, low: bool) -> int:
    """The least that had to fall, with `low` the most; no more than the dice can show, where a best face always does.
    """
    count, sides = sides_of(str(roll["dice"]))
    wanted = int(roll["target"]) - sum(int(n) for _, n in roll["modifiers"])
    return max(wanted, count) if low else min(wanted, count * sides)


def _trial_chance(roll: Mapping[str, Any]) -> Fraction:
    bonus = sum(n for _, n in roll["modifiers"])
    return chance(str(roll["dice"]), bonus, int(roll["target"]), at_most=roll.get("reach") == "at most",
                  natural=tuple(roll.get("natural", ())))


def _percent(chance: Fraction) -> str:
    return percent(chance).replace(" ", "")


def _likely(reader: Reader, fair: Fraction, tries: str) -> str:
    """How likely a throw was to succeed, as the chance of who tried it; `tries`: its code, "" if nobody did."""
    words, n = reader.wording, Verbatim(_percent(fair))
    if fair == 0:
        return words.text(N_("no throw could have done it"))
    if fair == 1:
        return words.text(N_("no throw could have failed"))
    if tries and tries == reader.faction:
        return words.text(N_("you had a chance of {n}"), n=n)
    if tries:
        return words.text(N_("{x:the} had a chance of {n}"), x=tries, n=n)
    return words.text(N_("chance of the throw: {n}"), n=n)


def _success_text(reader: Reader, roll: Mapping[str, Any]) -> str:
    """Against which number each die was thrown, how many succeeded, and how likely each was to."""
    words = reader.wording
    made = ", ".join(f"{words.word(name)} {_plain(reader, n) if not place else reader.signed_number(n)}"
                     for place, (name, n) in enumerate(roll["made_of"]))
    extra = ", ".join(f"{words.word(name)} {reader.signed_number(n)}" for name, n in roll["modifiers"])
    parts = []
    if "dice" in roll:
        sides, high = sides_of(str(roll["dice"]))[1], roll["reach"] == "at least"
        good = max(0, min(sides, sides + 1 - roll["limit"] if high else roll["limit"]))
        # the best face succeeds and the worst fails, whatever the modifiers
        if roll["bounds"]:
            good = max(1, min(sides - 1, good))
        limit = words.text(N_("{n} or more") if high else N_("{n} or less"), n=sides + 1 - good if high else good)
        parts.append(words.text(
            N_("Each die needed {limit} ({made}), threw {thrown}: {x} {x?success|successes}") if made else
            N_("Each die needed {limit}, threw {thrown}: {x} {x?success|successes}"), limit=Verbatim(limit),
            made=Verbatim(made), thrown=_thrown(reader, roll), x=roll["successes"]))
    if extra:
        parts.append(words.text(N_("with {extra} it came to {n}"), extra=Verbatim(extra),
                                n=_plain(reader, roll["total"])))
    if "dice" in roll:
        parts.append(words.text(N_("chance of each die: {n}"), n=Verbatim(_percent(Fraction(good, sides)))))
    return f"{capital('; '.join(parts))}." if parts else ""


def _contest(reader: Reader, event: Event) -> str:
    """Two sides compared: both totals, and how often fair dice would have made each of them the higher.

    Throws without a total are bare: either they count as they are, and then the event says so, or their modifiers are
    hidden from the reader.
    """
    rolls, words = event.roll["rolls"], reader.wording
    pair = rolls[:2]
    if len(rolls) < 2 or any("target" in one or "verdict" in one or "dice" not in one for one in pair):
        return ""
    if any("total" not in one and one["value"] not in event.data.values() for one in pair):
        return ""
    first, second = (int(one.get("total", one["value"])) for one in pair)
    if first == second or pair[0]["dice"] != pair[1]["dice"]:
        return ""
    chances = (_higher(pair), _higher(pair[::-1]))
    p, q, even = (Verbatim(_percent(fair)) for fair in (*chances, 1 - chances[0] - chances[1]))
    sides = _sides_of(reader, event, pair)
    if not sides:
        high = max(zip((first, second), (p, q), strict=True))
        return words.text(N_("It was {n} against {m}; the higher side had a chance of {p}, the lower of {q}; a tie "
                             "{even}."), n=max(first, second), m=min(first, second), p=high[1],
                          q=q if high[1] is p else p, even=even)
    return words.sentence(N_("{x:the} had a chance of {p}, {y:the} of {q}; a tie {even}."), {
        "x": sides[0], "y": sides[1], "p": p, "q": q, "even": even}) if {first, second} <= {
            value for value in event.data.values() if isinstance(value, int)} else words.sentence(
        N_("{x:the} {n}, {y:the} {m}; chances {p} to {q}, a tie {even}."), {
            "x": sides[0], "y": sides[1], "n": first, "m": second, "p": p, "q": q, "even": even})


def _sides_of(reader: Reader, event: Event, pair: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Who threw which of two throws, by the part of their purposes that differs: the two sides of the battle, or two
    codes; [] where neither tells it.
    """
    battle = reader.battle_of(event)
    codes = [parts[-1] if parts else "" for parts, _ in group_throws(pair)]
    if battle is not None and set(codes) == set(SIDES_OF_BATTLE) and all(battle.sides):
        return [list(battle.sides[SIDES_OF_BATTLE.index(code)]) for code in codes]
    sides = [[code] for code in codes if not code.isdecimal() and reader.wording.names.row_name(code) is not None]
    return sides if len(sides) == 2 and sides[0] != sides[1] else []


def _higher(pair: Sequence[Mapping[str, Any]]) -> Fraction:
    """The chance that the first of two totals is the higher."""
    totals = []
    for one in pair:
        count, sides = sides_of(str(one["dice"]))
        bonus = sum(n for _, n in one.get("modifiers", ()))
        totals.append([(value + bonus, ways) for value, ways in spread(count, sides, SUM)])
    every = sum(a * b for (_, a), (_, b) in product(*totals))
    return Fraction(sum(a * b for (x, a), (y, b) in product(*totals) if x > y), every)
