"""The chances of every throw that the present phase will make, for one reader: in words and as plain values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Desk, Faction, Node, Order, Question
from assistant.campaign.tables import grouped
from assistant.reporting.duties import quote_order
from assistant.reporting.facts import format_fraction
from assistant.reporting.pages import ThrowLine
from assistant.reporting.reader import Reader
from assistant.speech import heading_of, sheet_name
from assistant.turn.chances import Foresees
from assistant.turn.dice import PUBLIC, REFEREE
from assistant.turn.dice_purposes import parts_of_purpose
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import give_robot_orders, robots_of
from assistant.turn.rulings import Contest, Count, Trial
from assistant.turn.texts import N_
from assistant.turn.throw_chances import (
    ALIKE,
    EVENT,
    FAILED,
    NUMBER,
    PASSED,
    PLAYS,
    RARE,
    TANGLED,
    TIE,
    UNTOLD,
    WORD,
    Chances,
    Foretold,
    Label,
    Run,
    ThrowChances,
    foretell,
    phase_player,
)
from assistant.turn.views import playable
from assistant.wording import Verbatim, Wording

DIGITS = 6
"""So exact are chances in JSON."""
MOST_WORDS = 3
"""Of a ruling with more outcomes than this, what a point more would change is only in JSON."""
REASONS = {
    UNTOLD: N_("no report tells of them; each number is as likely as its dice make it"),
    ALIKE: N_("whatever they show, the same is told of them alone"),
    RARE: N_("they come so rarely that none of the plays had them"),
    TANGLED: N_("they are compared now with these throws, now with those"),
}


class Outlook(NamedTuple):
    """The throws of the present phase as a reader will hear of them.

    `faction`: the reader's code, "" for the referee; `foretold`: what the phase may throw; `throws`: those of them that
    the reader will hear of; `assumed`: what was put in the place of hidden values, ``sheet, column: value``;
    `misjudged`: open questions that say more than its view, so that throws about them are left out.
    """

    reader: Reader
    faction: str
    foretold: Foretold
    throws: tuple[ThrowChances, ...]
    assumed: tuple[str, ...] = ()
    misjudged: tuple[Question, ...] = ()


def outlook_of(reader: Reader, plays: int = PLAYS) -> Outlook:
    """The throws of the present phase, from the reader's view alone, with the orders of its robots.

    `plays`: how often the phase is played at most where chances cannot be reckoned exactly.
    """
    faction = "" if reader.faction == REFEREE else reader.faction
    work = playable(reader.view) if faction else reader.view
    own = [code for code in robots_of(work) if faction in ("", code)]
    played, _ = give_robot_orders(reader.ruleset, work, own)
    run = phase_player(reader.ruleset, played)
    foretold = foretell(run, plays)
    wrong = tuple(_misjudged(reader, run)) if faction and foretold.stuck is None else ()
    hidden = {id(throw) for row in wrong for throw in _throws_about(reader, foretold.throws, _named_in(row))}
    return Outlook(reader, faction, foretold,
                   tuple(throw for throw in foretold.throws if _may_know(faction, throw) and id(throw) not in hidden),
                   tuple(_assumptions(reader, work)) if faction else (), wrong)


def _misjudged(reader: Reader, run: Run) -> Iterator[Question]:
    """Open questions that a play of the view puts otherwise than they were put: what decides is not seen there."""
    desk = reader.view.desk
    asked = [row for row in reader.view.table(Question).of_turn(desk.turn, parts=(desk.phase,))
             if row.status == "open" and row.to == reader.faction]
    again = run(b"", {}).outcome.campaign.table(Question) if asked else reader.view.table(Question)
    yield from (row for row in asked if row.ident in again and again[row.ident].asked != row.asked)


def _assumptions(reader: Reader, work: Campaign) -> Iterator[str]:
    """What stands on the playable copy where the view is blank: sheet, column, value."""
    ruleset, words = reader.ruleset, reader.wording
    for sheet, table in reader.view.tables().items():
        rows = work.by_sheet(sheet)
        for column in table.record.columns() if not issubclass(table.record, Desk) else ():
            if any(getattr(row, column.name) != getattr(rows[key], column.name) for key, row in table.raw_rows()):
                value = words.word(column.default) if isinstance(column.default, str) else column.default
                where = sheet_name(ruleset, sheet, words.lang), heading_of(ruleset, sheet, column.name, words.lang)
                yield f"{', '.join(where)}: {value}"


def _may_know(faction: str, throw: ThrowChances) -> bool:
    """Whether a faction will hear of a throw; the referee ("") hears of all."""
    if not faction:
        return True
    if throw.telling is None:
        return throw.audience == PUBLIC or faction in throw.audience.split("+")
    audience = throw.telling.event.audience
    return audience == ALL or faction in audience.split()


# --- what a club reads ------------------------------------------------------------------------------------
class ClubChances(NamedTuple):
    """What a club may read of the throws of the coming phase. `asked`: name of an open question -> lines about what it
    names; `ordered`: number of an order -> the same, each beside one order alone, and `orders`: its words; `others`:
    the throws that neither names; `grounds`: what all rests on.
    """

    asked: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    ordered: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    orders: Mapping[str, str] = MappingProxyType({})
    others: tuple[ThrowLine, ...] = ()
    grounds: tuple[str, ...] = ()


def club_chances(reader: Reader) -> ClubChances:
    """The chances of a club, made of its view alone; none where the Desk does not allow that."""
    view, ruleset = reader.view, reader.ruleset
    if view.desk.chances != "yes" or ruleset.is_over(view):
        return ClubChances()
    outlook = outlook_of(reader)
    taken = ruleset.phase(view.desk.phase).orders
    asked = {row.question: _in_lines(outlook, _throws_about(reader, outlook.throws, _named_in(row)))
             for row in view.table(Question) if row.status == "open" and row.to == reader.faction}
    orders = {row.order: row for row in view.table(Order).of_turn(view.desk.turn) if taken and row.phase in (taken, "")
              and row.faction == reader.faction and not row.status}
    ordered = {key: _in_lines(outlook, throws) for key, throws in _by_order(outlook, orders).items()}
    beside = {id(throw) for throws, _ in (*asked.values(), *ordered.values()) for throw in throws}
    others = tuple(throw for throw in outlook.throws if id(throw) not in beside)
    return ClubChances(
        {key: lines for key, (_, lines) in asked.items() if lines},
        {key: lines for key, (_, lines) in ordered.items() if lines},
        {key: quote_order(row, ruleset, reader.lang) for key, row in orders.items()},
        tuple(throw_lines(outlook._replace(throws=others))),
        tuple(grounds_of(outlook, hidden=False)) if outlook.throws or outlook.misjudged else ())


def _named_in(question: Question) -> str:
    return f"{question.about} {question.asked}"


def _throws_about(reader: Reader, throws: Iterable[ThrowChances], text: str) -> list[ThrowChances]:
    """The throws for a place, an army or the like that a text names."""
    named = set(re.split(r"[^\w.\-]+", text.casefold()))
    return [throw for throw in throws if any(
        code.casefold() in named for key in throw.keys for sheet, code in parts_of_purpose(reader.ruleset, key)
        if sheet not in ("", "turn", "n", Faction.sheet))]


def _by_order(outlook: Outlook, orders: Mapping[str, Order]) -> dict[str, list[ThrowChances]]:
    """The throws beside orders of the present phase, each once: beside that of the unit which it is for, else beside
    the first order that names what it is for.
    """
    reader, found = outlook.reader, dict[int, str]()
    texts = {key: _named_by(reader, row) for key, row in orders.items()}
    for place in (0, 1):
        for key, named in texts.items():
            for throw in _throws_about(reader, outlook.throws, named[place]):
                found.setdefault(id(throw), key)
    return grouped((throw for throw in outlook.throws if id(throw) in found), lambda throw: found[id(throw)])


def _named_by(reader: Reader, order: Order) -> tuple[str, str]:
    """What an order says of the unit that carries it out, and all that it says but its note; of a line that nobody has
    read yet, and of an order that the phase does not take, nothing of the one or of both.
    """
    phase, book = reader.ruleset.phase(reader.view.desk.phase), as_order_book(reader.ruleset.verbs)
    code = book.code(order.verb) if order.verb else ""
    if not code:
        return "", order.text
    verb = book[code]
    cells = order.as_text() if (phase.takes or phase.orders) in verb.when else {}
    return cells.get(verb.actor, ""), " ".join(cells.get(name, "") for name in verb.columns if name != "note")


def _in_lines(outlook: Outlook, throws: Sequence[ThrowChances]) -> tuple[Sequence[ThrowChances], tuple[str, ...]]:
    """Throws, and their lines."""
    return throws, tuple(f"{line.what}: {'; '.join(line.chances)}"
                         for line in throw_lines(outlook._replace(throws=tuple(throws))))


# --- a throw in lines ---------------------------------------------------------------------------------------
def throw_lines(outlook: Outlook) -> list[ThrowLine]:
    """Each throw with its chances; those that are alike in one line."""
    throws = outlook.throws
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    always = {_head(outlook, throw) for throw in throws if throw.made == 1}
    for throw in throws:
        title, what, about = head = _head(outlook, throw)
        if throw.made < 1 and head in always:
            continue  # a tie that is thrown again
        body = (_chances_line(outlook, throw, throw.chances), *_more_lines(outlook, throw))
        alike.setdefault((title, what, body), []).append(about)
    return [ThrowLine(f"{', '.join(dict.fromkeys(filter(None, (title, *things))))}: {what}", body)
            for (title, what, body), things in alike.items()]


def grounds_of(outlook: Outlook, *, hidden: bool) -> list[str]:
    """What the chances rest on. `hidden`: with what stands in the place of hidden values, column by column."""
    words, foretold = outlook.reader.wording, outlook.foretold
    lines = list[str]()
    plays = max((throw.plays for throw in outlook.throws), default=0)
    if plays:
        lines.append(words.text(N_("What has ± hangs on other throws: the phase was played {n} {n?time|times} with"
                                   " other dice, and the number behind ± is the standard error."), n=plays))
    if foretold.answered:
        lines.append(words.plural(N_("{n} open question was answered as a robot would, or by its default."), N_(
            "{n} open questions were answered as a robot would, or by their defaults."), len(foretold.answered)))
    if outlook.faction:
        lines.append(words.text(N_("This is made of what {faction:the} {faction?knows|know} alone: who is not seen is"
                                   " not there, and the others give no orders."), faction=outlook.faction))
    if outlook.misjudged:
        lines.append(words.text(N_("What hangs on {list} is left out: the question reckons with more than is seen."),
                                list=Verbatim(", ".join(row.question for row in outlook.misjudged))))
    if outlook.faction and isinstance(outlook.reader.ruleset, Foresees):
        lines.append(words.text(N_("Battles that the rules fight are left out here: they hang on who is not seen.")))
    if hidden and outlook.assumed:
        lines.append(words.text(N_("Hidden values are at: {list}."), list=Verbatim("; ".join(outlook.assumed))))
    return [*lines, words.text(N_("None of the dice that will fall was thrown."))]


def _head(outlook: Outlook, throw: ThrowChances) -> tuple[str, str, str]:
    return outlook.reader.roll_title(throw.keys[0]), _what(outlook, throw), _about(outlook, throw)


def _about(outlook: Outlook, throw: ThrowChances) -> str:
    """What throws are for, by name; turns and numbers are left out."""
    named = [_parts(outlook, key) for key in throw.keys]
    common = [name for name in named[0] if all(name in other for other in named)]
    rest = [name for parts in named for name in parts if name not in common]
    return ", ".join(dict.fromkeys([*common, *rest]))


def _parts(outlook: Outlook, key: str) -> list[str]:
    words = outlook.reader.wording
    parts = parts_of_purpose(outlook.reader.ruleset, key) or [("", part) for part in re.split("[:/]", key)[1:]]
    return [words.names.text(part, "place") if sheet == Node.sheet
            else words.name_of(part) if sheet else words.word(part)
            for sheet, part in parts if sheet not in ("turn", "n") and not part.isdecimal()]


def _what(outlook: Outlook, throw: ThrowChances) -> str:
    """Dice, modifiers, target: ``1d6, +1 full rounds besieging, -2 garrison, needs 7``."""
    words, telling = outlook.reader.wording, throw.telling
    score = telling.score if telling is not None else None
    if telling is not None and telling.contest is not None:
        return " : ".join(_score_text(outlook, one) for one in telling.contest.scores.values())
    if len(throw.keys) > 1 or score is None:
        return ", ".join(dict.fromkeys(throw.dice))
    parts = [_score_text(outlook, score)]
    if isinstance(score, Trial):
        parts.append(words.text(N_("needs {n}") if score.reach == "at least" else N_("needs {n} or less"),
                                n=score.target))
    return ", ".join(parts)


def _score_text(outlook: Outlook, score: Any) -> str:
    words = outlook.reader.wording
    roll = score.roll if hasattr(score, "roll") else score
    parts = [str(roll.dice)] if roll is not None else []
    if isinstance(score, Count):
        parts = [f"{parts[0] if parts else ''} " + words.text(
            N_("{n} or more") if score.limit.at_least else N_("against {n}"), n=score.limit.number)]
    return ", ".join([*parts, *(f"{outlook.reader.signed_number(n)} {words.word(name)}"
                                for name, n in getattr(score, "modifiers", ()))])


def _chances_line(outlook: Outlook, throw: ThrowChances, chances: Chances) -> str:
    """The outcomes with their chances; of a throw that is not always made, how likely that is."""
    words = outlook.reader.wording
    if throw.typed:
        said = words.text(N_("thrown at the table already"))
    elif all(label[:1] == (NUMBER,) for label in chances):
        said = _numbers_line(outlook, chances)
    else:
        names = _tell_apart(outlook, throw, chances)
        told = [(names[label], _percent(words, part, throw.error.get(label, 0.0)))
                for label, part in _in_order(throw, chances)]
        if any(label[:1] == (EVENT,) for label in chances):
            said = "; ".join(f"{percent}: {name}" for name, percent in told)
        else:
            said = ", ".join(f"{name} {percent}" for name, percent in told)
    if throw.made == 1:
        return said
    return words.text(N_("made with a chance of {chance}, and then: {said}"), said=Verbatim(said),
                      chance=Verbatim(_percent(words, throw.made, throw.made_error)))


def _in_order(throw: ThrowChances, chances: Chances) -> list[tuple[Label, Fraction]]:
    """Outcomes that dice alone tell apart from the lowest number on; all others in the rulebook's order."""
    if all(label[:1] == (WORD,) and label[1].lstrip("-").isdecimal() for label in chances):
        return sorted(chances.items(), key=lambda pair: int(pair[0][1]))
    plain = all(label[:1] in ((), (EVENT,)) for label in chances)
    return sorted(chances.items(), key=lambda pair: throw.numbers.get(pair[0], (0, 0)) if plain else (0, 0))


def _numbers_line(outlook: Outlook, chances: Chances) -> str:
    numbers = {int(label[1]): part for label, part in chances.items()}
    words = outlook.reader.wording
    low, high = min(numbers), max(numbers)
    if len(set(numbers.values())) == 1 and len(numbers) > 1:
        return words.text(N_("{low} to {high}, each as likely"), low=low, high=high)
    mean = sum((number * part for number, part in numbers.items()), Fraction(0))
    return words.text(N_("{low} to {high}, on average {mean}"), low=low, high=high,
                      mean=Verbatim(format_fraction(words, mean, 1)))


def _more_lines(outlook: Outlook, throw: ThrowChances) -> Iterator[str]:
    """What a point more or less would make of it, where that changes anything."""
    words = outlook.reader.wording
    labels = dict.fromkeys([*throw.chances, *(label for chances in throw.more.values() for label in chances)])
    if throw.typed or not throw.more or len(labels) > MOST_WORDS or throw.error:
        return
    told = []
    for n, chances in throw.more.items():
        if chances != throw.chances:
            shown = [label for label in labels if label != (FAILED,)]
            what = ", ".join(f"{_label_text(outlook, throw, label)} {_percent(words, chances.get(label, Fraction(0)))}"
                             for label in shown)
            told.append(f"{outlook.reader.signed_number(n)}: {what}")
    contest = throw.telling.contest if throw.telling is not None else None
    if told and contest is not None:
        yield words.text(N_("with points more or less ({side}): {list}"), list=Verbatim("; ".join(told)),
                         side=Verbatim(_side_name(outlook, contest, next(iter(contest.scores)))))
    elif told:
        yield words.text(N_("with points more or less: {list}"), list=Verbatim("; ".join(told)))


def _percent(words: Wording, chance: Fraction, error: float = 0.0) -> str:
    text = f"{format_fraction(words, chance * 100, 1)} %"
    return f"{text} (± {format_fraction(words, Fraction(error) * 100, 1)})" if error else text


def _tell_apart(outlook: Outlook, throw: ThrowChances, labels: Iterable[Label]) -> dict[Label, str]:
    """Outcomes in words; to events that would read alike is added what differs in them: *hires THU-u3 (Trappers)*."""
    names = {label: _label_text(outlook, throw, label) for label in labels}
    alike = grouped((label for label in names if label[:1] == (EVENT,)), names.__getitem__)
    for name, several in alike.items():
        samples = [throw.samples[label].data for label in several]
        differing = [key for key in samples[0] if len({str(data.get(key, "")) for data in samples}) > 1]
        for label, data in zip(several, samples, strict=True):
            what = ", ".join(outlook.reader.wording.name_of(str(data[key])) for key in differing if data.get(key))
            names[label] = f"{name} ({what})" if what else name
    return names


def _label_text(outlook: Outlook, throw: ThrowChances, label: Label) -> str:
    """An outcome in words."""
    words, telling = outlook.reader.wording, throw.telling
    if label in ((PASSED,), (FAILED,)):
        kind = outlook.reader.kind(telling.event) if telling is not None else None
        if kind is not None and kind.verdicts is not None:
            return words.text(kind.verdicts[label == (FAILED,)])
        return words.text(N_("succeeds") if label == (PASSED,) else N_("fails"))
    if label == (TIE,):
        return words.text(N_("a tie"))
    if not label:
        return words.text(N_("nothing comes of it"))
    if label[0] == EVENT:
        return _event_name(outlook, throw, label)
    if telling is not None and telling.contest is not None:
        return _side_name(outlook, telling.contest, label[1])
    return words.name_of(label[1])


def _side_name(outlook: Outlook, contest: Contest, side: str) -> str:
    """A side of a comparison: by its name, else by what it throws for."""
    words, score = outlook.reader.wording, contest.scores.get(side)
    told = words.name_of(side)
    if told != side or score is None or score.roll is None or len(side) > 1:
        return told
    return ", ".join(_parts(outlook, score.roll.key)) or told


def _event_name(outlook: Outlook, throw: ThrowChances, label: Label) -> str:
    """The event that tells of an outcome, without its dice, and what they show then."""
    event = throw.samples[label]
    low, high = throw.numbers[label]
    numbers = f"{low}–{high}" if low < high else str(low)
    data = {name: Verbatim(numbers) if throw.telling is not None and name in throw.telling.numbers else value
            for name, value in event.data.items()}
    told = event.copy()
    told.data = data
    return outlook.reader.line(told, with_place=False).text.rstrip(" .:")


# --- plain values -------------------------------------------------------------------------------------------
def throw_data(outlook: Outlook, throw: ThrowChances) -> dict[str, Any]:
    """A throw as plain values: ``purposes``, ``dice``, ``title``, ``about``, ``what`` in words, ``modifiers``,
    ``target`` (of a trial), ``made`` and ``made_error`` (0 to 1), ``outcomes``, ``plays`` (0: exact), ``typed``, and
    ``more``: points more or less -> outcomes. Of an outcome: ``outcome``, ``text``, ``chance`` and ``error`` (0 to 1).
    """
    score = throw.telling.score if throw.telling is not None else None

    def outcomes(chances: Chances, error: Mapping[Label, float]) -> list[dict[str, Any]]:
        names = _tell_apart(outlook, throw, chances)
        return [{"outcome": " ".join(label), "text": label[1] if label[:1] == (NUMBER,) else names[label],
                 "chance": round(float(part), DIGITS),
                 "error": round(error.get(label, 0.0), DIGITS)} for label, part in chances.items()]

    target = {"target": score.target, "reach": score.reach} if isinstance(score, Trial) else {}
    return {"purposes": list(throw.keys), "dice": list(throw.dice), "title": outlook.reader.roll_title(throw.keys[0]),
            "about": _about(outlook, throw), "what": _what(outlook, throw),
            "modifiers": [list(m) for m in getattr(score, "modifiers", ())], **target,
            "made": round(float(throw.made), DIGITS), "made_error": round(throw.made_error, DIGITS),
            "outcomes": outcomes(throw.chances, throw.error), "plays": throw.plays if throw.error else 0,
            "typed": throw.typed,
            "more": {f"{n:+d}": outcomes(chances, {}) for n, chances in throw.more.items()} if not throw.error else {}}
