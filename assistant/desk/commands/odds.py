"""`odds`: the chances of every throw that the present phase will make, and of battles that a rulebook fights itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Node
from assistant.desk.play_phase import current_phase
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import abort_on_data
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    abort,
    faction_code,
    open_workspace,
)
from assistant.ledger import Ledger, LedgerTrouble, path_of_ledger
from assistant.reporting.facts import format_fraction
from assistant.reporting.reader import Reader
from assistant.speech import heading_of, names_of, sheet_name
from assistant.turn import codes
from assistant.turn.chances import Foresees, LeftOut, NotUnderstood, Odds, Prospect, odds_of
from assistant.turn.dice import PUBLIC, REFEREE
from assistant.turn.dice_purposes import parts_of_purpose
from assistant.turn.phases import refuse_invalid_rows, without_superseded
from assistant.turn.robot_play import give_robot_orders, robots_of
from assistant.turn.ruleset import Ruleset
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


def odds(at: BookPlace, battle: str = "", *, faction: str = "", plays: int = 0, lang: str = "") -> Result:
    """The chances of every throw of the present phase and of every battle that the orders lead to, or of a battle that
    is described. Changes nothing, and throws none of the campaign's dice.

    `faction`: from its view alone; `plays`: how often the phase is played at most where chances cannot be reckoned
    exactly (0: `PLAYS`). Result data: ``battles``: of each what it is, ``dice``, ``chances`` (outcome -> 0 to 1),
    ``expected_losses`` of both sides, ``throws`` (0: all ways were counted) and then ``standard_error`` (outcome -> 0
    to 1); ``left_out``: the orders that lead to no battle as they would be refused, of each ``order``, ``code`` and
    ``text``. Where no battle is described also what `odds_of_phase` has.
    """
    described = bool(battle.strip())
    try:
        sitting = open_workspace(at, lang)
        abort_on_data(sitting)
        code = faction_code(sitting.campaign, faction, sitting.wording)
        if not described:
            _require_ledger(sitting, code)
        prospects = [] if code and not described else _requested_battles(sitting, battle)
    except Abort as stopped:
        return stopped.result("odds")
    result = Result("odds", findings=[] if code else sitting.reading.findings, wording=sitting.wording)
    _tell_battles(result, sitting, prospects)
    if not described:
        told = odds_of_phase(sitting.ruleset, sitting.campaign, code, sitting.lang, plays or PLAYS)
        result.data |= told.data
        result.lines += told.lines
    return result


def _require_ledger(sitting: Workspace, faction: str) -> None:
    """Raise `Abort` for a campaign that is over, and for a club's copy, which has no ledger and does not show all that
    is there, unless it is asked of a faction.
    """
    if sitting.ruleset.is_over(sitting.campaign):
        raise abort(Exit.REFUSED, codes.CAMPAIGN_OVER, sitting.lang, sitting.wording)
    if not faction:
        try:
            with Ledger.open(path_of_ledger(sitting.path), sitting.campaign.desk.campaign_id):
                pass
        except LedgerTrouble as trouble:
            raise sitting.ledger_stop(trouble) from trouble


# Battles that a rulebook fights itself.


def _tell_battles(result: Result, sitting: Workspace, prospects: Sequence[Prospect | LeftOut]) -> None:
    named = names_of(sitting.campaign, sitting.lang, sitting.ruleset.named, sitting.ruleset.coded)
    words = Wording(sitting.ruleset, sitting.lang, named)
    reckoned = [(prospect, odds_of(prospect)) for prospect in prospects if isinstance(prospect, Prospect)]
    refused = [(out.order, out.why.code, words.finding(out.why)) for out in prospects if isinstance(out, LeftOut)]
    result.data["battles"] = [_battle_data(prospect, odds) for prospect, odds in reckoned]
    result.data["left_out"] = [{"order": order, "code": code, "text": why} for order, code, why in refused]
    for prospect, odds in reckoned:
        result.lines += _battle_lines(words, prospect, odds)
    for order, _, why in refused:
        result.say(words.text(N_("Order {order} is left out: {why}"), order=Verbatim(order), why=Verbatim(why)))


def _requested_battles(sitting: Workspace, battle: str) -> list[Prospect | LeftOut]:
    """The battles that are asked for, and the orders that lead to none. Raises `Stop` where there can be none."""
    ruleset, campaign = sitting.ruleset, without_superseded(sitting.campaign).copy()
    if not isinstance(ruleset, Foresees):
        if not battle.strip():
            return []
        raise abort(Exit.REFUSED, codes.NO_ODDS, sitting.lang, sitting.wording, title=sitting.ruleset.title,
                   file=sitting.path.name)
    if not battle.strip():
        misfits = [LeftOut(row.where.row, row) for row in refuse_invalid_rows(sitting.ruleset, campaign)]
        return [*ruleset.battles_ahead(campaign), *misfits]
    typed = ruleset.typed_battle(campaign, battle)
    if isinstance(typed, NotUnderstood):
        too_many = {} if typed.most is None else {"over": "yes", "n": typed.most}
        raise abort(Exit.REFUSED, codes.NOT_UNDERSTOOD, sitting.lang, sitting.wording, text=typed.seen,
                   example=typed.example, **too_many)
    return [typed]


def _battle_lines(words: Wording, prospect: Prospect, odds: Odds) -> list[str]:
    """A battle in lines: what it is, how it may end, what it costs, how that is known."""
    def shown(number: float, places: int = 1) -> str:
        return format_fraction(words, Fraction(number), places)

    title = {name: Verbatim(value) if name in ("units", "order") else value
             for name, value in prospect.title.data.items()}
    ends = ", ".join(f"{words.word(outcome)} {shown(chance * 100)} %" for outcome, chance in odds.chances.items())
    lines = [words.text(prospect.title.text, **title), f"  {ends}"]
    if prospect.dice:
        lines.append("  " + words.text(N_("On average the attackers lose {att} {att?unit|units}, the defenders"
                                          " {others}."),
                                       att=Verbatim(shown(odds.att_lost)), others=Verbatim(shown(odds.def_lost))))
    if odds.throws:
        lines.append("  " + words.text(
            N_("{dice} {dice?die|dice}: thrown {n} {n?time|times}, not counted; the standard error is {error}"
               " {error?point|points} at most."),
            dice=prospect.dice, n=Verbatim(words.number(odds.throws)),
            error=Verbatim(shown(max(odds.error.values()) * 100, 2))))
    return lines


def _battle_data(prospect: Prospect, odds: Odds) -> dict[str, Any]:
    return {**prospect.data, "dice": prospect.dice,
            "chances": {outcome: round(chance, DIGITS) for outcome, chance in odds.chances.items()},
            "expected_losses": {"attackers": round(odds.att_lost, DIGITS), "defenders": round(odds.def_lost, DIGITS)},
            "throws": odds.throws,
            "standard_error": {outcome: round(error, DIGITS) for outcome, error in odds.error.items()}}


# The throws of the phase.


class ReadPhase(NamedTuple):
    """What the phase is played on, and for whom it is told.

    `campaign`: with the orders of robots; of a faction what it knows, made playable; `reader`: who reads it; `faction`:
    its code, "" for the referee; `assumed`: what was put in the place of hidden values.
    """

    ruleset: Ruleset
    campaign: Campaign
    reader: Reader
    faction: str
    assumed: tuple[str, ...] = ()


def odds_of_phase(ruleset: Ruleset, campaign: Campaign, faction: str, lang: str, plays: int = PLAYS) -> Result:
    """The chances of the throws of the present phase. `faction`: from its view alone, "" for the referee.

    Result data: ``throws`` (see `_throw_data`); ``throws_left_out``: of each ``purpose``, ``reason`` and ``text``;
    ``answered``: questions that the assistant answered itself, with its answers; ``assumed``: what stands in the place
    of hidden values; ``plays``: how often the phase was played in all.
    """
    scene = _scene(ruleset, campaign, faction, lang)
    result = Result("odds", wording=scene.reader.wording)
    _tell_throws(result, scene, foretell(phase_player(ruleset, scene.campaign), plays))
    return result


def _scene(ruleset: Ruleset, campaign: Campaign, faction: str, lang: str) -> ReadPhase:
    view = ruleset.view(campaign, faction) if faction else campaign
    work = playable(view) if faction else campaign
    words = Wording(ruleset, lang, names_of(view, lang, ruleset.named, ruleset.coded))
    own = [code for code in robots_of(work) if faction in ("", code)]
    played, _ = give_robot_orders(ruleset, work, own)
    return ReadPhase(ruleset, played, Reader.of(ruleset, view, faction or REFEREE, words), faction,
                 tuple(_assumed(ruleset, view, work, words)) if faction else ())


def _assumed(ruleset: Ruleset, view: Campaign, work: Campaign, words: Wording) -> Iterator[str]:
    """What stands on the playable copy where the view is blank: sheet, column, value."""
    for sheet, table in view.tables().items():
        rows = work.by_sheet(sheet)
        for column in table.record.columns():
            if any(getattr(row, column.name) != getattr(rows[key], column.name) for key, row in table.raw_rows()):
                value = words.word(column.default) if isinstance(column.default, str) else column.default
                where = sheet_name(ruleset, sheet, words.lang), heading_of(ruleset, sheet, column.name, words.lang)
                yield f"{', '.join(where)}: {value}"


def _tell_throws(result: Result, scene: ReadPhase, foretold: Foretold) -> None:
    """The throws as lines and as plain values, and what they rest on."""
    words, reader = scene.reader.wording, scene.reader
    throws = [throw for throw in foretold.throws if _may_know(scene, throw)]
    left_out = {key: why for key, why in foretold.left_out.items() if not scene.faction}
    result.data |= {"throws": [_throw_data(scene, throw) for throw in throws],
                    "throws_left_out": [{"purpose": key, "reason": why, "text": words.text(REASONS[why])}
                                        for key, why in left_out.items()],
                    "answered": dict(foretold.answered) if not scene.faction else {}, "assumed": list(scene.assumed),
                    "plays": foretold.runs}
    here = current_phase(scene.campaign)
    when = Verbatim(scene.ruleset.when(here.turn, here.phase, words.lang))
    if foretold.stuck is not None:
        why = "; ".join(words.finding(finding) for finding in foretold.stuck.findings if finding.stops)
        result.say(words.text(N_("{phase} cannot be played to its end here, so its throws are left out: {why}"),
                              phase=when, why=Verbatim(why or words.text(N_("it waits for an answer")))))
    elif not throws:
        result.say(words.text(N_("{phase}: no throw decides anything as things stand."), phase=when))
    else:
        result.say(words.text(N_("{phase}, as things stand now:"), phase=when))
        result.lines += _throw_lines(scene, throws)
    for why in dict.fromkeys(left_out.values()):
        keys = [key for key, other in left_out.items() if other == why]
        titles = dict.fromkeys(reader.roll_title(key) for key in keys)
        result.say(words.text(N_("Left out: {list} ({n} {n?throw|throws}): {why}."), list=Verbatim("; ".join(titles)),
                              n=len(keys), why=Verbatim(words.text(REASONS[why]))))
    _tell_grounds(result, scene, foretold, throws)


def _tell_grounds(result: Result, scene: ReadPhase, foretold: Foretold, throws: Sequence[ThrowChances]) -> None:
    """What the chances rest on."""
    words = scene.reader.wording
    plays = max((throw.plays for throw in throws), default=0)
    if plays:
        result.say(words.text(N_("What has ± hangs on other throws: the phase was played {n} {n?time|times} with other"
                                 " dice, and the number behind ± is the standard error."), n=plays))
    if foretold.answered:
        result.say(words.plural(N_("{n} open question was answered as a robot would, or by its default."), N_(
            "{n} open questions were answered as a robot would, or by their defaults."), len(foretold.answered)))
    if scene.faction:
        result.say(words.text(N_("This is made of what {faction:the} {faction?knows|know} alone: who is not seen is not"
                                 " there, and the others give no orders."), faction=scene.faction))
    if scene.faction and isinstance(scene.ruleset, Foresees):
        result.say(words.text(N_("Battles that the rules fight are left out here: they hang on who is not seen.")))
    if scene.assumed:
        result.say(words.text(N_("Hidden values stand at: {list}."), list=Verbatim("; ".join(scene.assumed))))
    result.say(words.text(N_("None of the dice that will fall was thrown.")))


def _may_know(scene: ReadPhase, throw: ThrowChances) -> bool:
    """Whether the reader will hear of a throw."""
    if not scene.faction:
        return True
    if throw.telling is None:
        return throw.audience == PUBLIC or scene.faction in throw.audience.split("+")
    audience = throw.telling.event.audience
    return audience == ALL or scene.faction in audience.split()


# --- a throw in lines ---------------------------------------------------------------------------------------
def _throw_lines(scene: ReadPhase, throws: Sequence[ThrowChances]) -> list[str]:
    """Each throw with its chances; those that are alike in one line."""
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    always = {_head(scene, throw) for throw in throws if throw.made == 1}
    for throw in throws:
        if throw.made < 1 and _head(scene, throw) in always:
            continue  # a tie that is thrown again
        title = scene.reader.roll_title(throw.keys[0])
        body = (_chances_line(scene, throw, throw.chances), *_more_lines(scene, throw))
        alike.setdefault((title, _what(scene, throw), body), []).append(_about(scene, throw))
    lines: list[str] = []
    for (title, what, body), about in alike.items():
        names = ", ".join(dict.fromkeys(name for name in about if name))
        lines += [f"- {title}{f', {names}' if names else ''}: {what}", *(f"    {line}" for line in body)]
    return lines


def _head(scene: ReadPhase, throw: ThrowChances) -> tuple[str, str, str]:
    return scene.reader.roll_title(throw.keys[0]), _what(scene, throw), _about(scene, throw)


def _about(scene: ReadPhase, throw: ThrowChances) -> str:
    """What throws are for, by name; turns and numbers are left out."""
    named = [_parts(scene, key) for key in throw.keys]
    common = [name for name in named[0] if all(name in other for other in named)]
    rest = [name for parts in named for name in parts if name not in common]
    return ", ".join(dict.fromkeys([*common, *rest]))


def _parts(scene: ReadPhase, key: str) -> list[str]:
    words = scene.reader.wording
    parts = parts_of_purpose(scene.ruleset, key) or [("", part) for part in re.split("[:/]", key)[1:]]
    return [words.names.text(part, "place") if sheet == Node.sheet
            else words.called(part) if sheet else words.word(part)
            for sheet, part in parts if sheet not in ("turn", "n") and not part.isdecimal()]


def _what(scene: ReadPhase, throw: ThrowChances) -> str:
    """Dice, modifiers, target: ``1d6, +1 full rounds besieging, -2 garrison, needs 7``."""
    words, telling = scene.reader.wording, throw.telling
    score = telling.score if telling is not None else None
    if telling is not None and telling.contest is not None:
        return " : ".join(_scored(scene, one) for one in telling.contest.scores.values())
    if len(throw.keys) > 1 or score is None:
        return ", ".join(dict.fromkeys(throw.dice))
    parts = [_scored(scene, score)]
    if isinstance(score, Trial):
        parts.append(words.text(N_("needs {n}") if score.reach == "at least" else N_("needs {n} or less"),
                                n=score.target))
    return ", ".join(parts)


def _scored(scene: ReadPhase, score: Any) -> str:
    words = scene.reader.wording
    roll = score.roll if hasattr(score, "roll") else score
    parts = [str(roll.dice)] if roll is not None else []
    if isinstance(score, Count):
        parts = [f"{parts[0] if parts else ''} " + words.text(
            N_("{n} or more") if score.limit.at_least else N_("against {n}"), n=score.limit.number)]
    return ", ".join([*parts, *(f"{scene.reader.signed(n)} {words.word(name)}"
                                for name, n in getattr(score, "modifiers", ()))])


def _chances_line(scene: ReadPhase, throw: ThrowChances, chances: Chances) -> str:
    """The outcomes with their chances; of a throw that is not always made, how likely that is."""
    words = scene.reader.wording
    if throw.typed:
        said = words.text(N_("thrown at the table already"))
    elif all(label[:1] == (NUMBER,) for label in chances):
        said = _numbers_line(scene, chances)
    else:
        names = _told_apart(scene, throw, chances)
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


def _numbers_line(scene: ReadPhase, chances: Chances) -> str:
    numbers = {int(label[1]): part for label, part in chances.items()}
    words = scene.reader.wording
    low, high = min(numbers), max(numbers)
    if len(set(numbers.values())) == 1 and len(numbers) > 1:
        return words.text(N_("{low} to {high}, each as likely"), low=low, high=high)
    mean = sum((number * part for number, part in numbers.items()), Fraction(0))
    return words.text(N_("{low} to {high}, on average {mean}"), low=low, high=high,
                      mean=Verbatim(format_fraction(words, mean, 1)))


def _more_lines(scene: ReadPhase, throw: ThrowChances) -> Iterator[str]:
    """What a point more or less would make of it, where that changes anything."""
    words = scene.reader.wording
    labels = dict.fromkeys([*throw.chances, *(label for chances in throw.more.values() for label in chances)])
    if throw.typed or not throw.more or len(labels) > MOST_WORDS or throw.error:
        return
    told = []
    for n, chances in throw.more.items():
        if (n > 0 and chances != throw.chances) or (n < 0 and chances != throw.chances):
            shown = [label for label in labels if label != (FAILED,)]
            what = ", ".join(f"{_named(scene, throw, label)} {_percent(words, chances.get(label, Fraction(0)))}"
                             for label in shown)
            told.append(f"{scene.reader.signed(n)}: {what}")
    contest = throw.telling.contest if throw.telling is not None else None
    if told and contest is not None:
        yield words.text(N_("with points more or less ({side}): {list}"), list=Verbatim("; ".join(told)),
                         side=Verbatim(_side_named(scene, contest, next(iter(contest.scores)))))
    elif told:
        yield words.text(N_("with points more or less: {list}"), list=Verbatim("; ".join(told)))


def _percent(words: Wording, chance: Fraction, error: float = 0.0) -> str:
    text = f"{format_fraction(words, chance * 100, 1)} %"
    return f"{text} (± {format_fraction(words, Fraction(error) * 100, 1)})" if error else text


def _told_apart(scene: ReadPhase, throw: ThrowChances, labels: Iterable[Label]) -> dict[Label, str]:
    """Outcomes in words; to events that would read alike is added what differs in them: *hires THU-u3 (Trappers)*."""
    names = {label: _named(scene, throw, label) for label in labels}
    alike: dict[str, list[Label]] = {}
    for label, name in names.items():
        if label[:1] == (EVENT,):
            alike.setdefault(name, []).append(label)
    for name, several in alike.items():
        samples = [throw.samples[label].data for label in several]
        differing = [key for key in samples[0] if len({str(data.get(key, "")) for data in samples}) > 1]
        for label, data in zip(several, samples, strict=True):
            what = ", ".join(scene.reader.wording.called(str(data[key])) for key in differing if data.get(key))
            names[label] = f"{name} ({what})" if what else name
    return names


def _named(scene: ReadPhase, throw: ThrowChances, label: Label) -> str:
    """An outcome in words."""
    words, telling = scene.reader.wording, throw.telling
    if label in ((PASSED,), (FAILED,)):
        kind = scene.reader.kind(telling.event) if telling is not None else None
        if kind is not None and kind.verdicts is not None:
            return words.text(kind.verdicts[label == (FAILED,)])
        return words.text(N_("succeeds") if label == (PASSED,) else N_("fails"))
    if label == (TIE,):
        return words.text(N_("a tie"))
    if not label:
        return words.text(N_("nothing comes of it"))
    if label[0] == EVENT:
        return _event_named(scene, throw, label)
    if telling is not None and telling.contest is not None:
        return _side_named(scene, telling.contest, label[1])
    return words.called(label[1])


def _side_named(scene: ReadPhase, contest: Contest, side: str) -> str:
    """A side of a comparison: by its name, else by what it throws for."""
    words, score = scene.reader.wording, contest.scores.get(side)
    told = words.called(side)
    if told != side or score is None or score.roll is None or len(side) > 1:
        return told
    return ", ".join(_parts(scene, score.roll.key)) or told


def _event_named(scene: ReadPhase, throw: ThrowChances, label: Label) -> str:
    """The event that tells of an outcome, without its dice, and what they show then."""
    event = throw.samples[label]
    low, high = throw.numbers[label]
    numbers = f"{low}–{high}" if low < high else str(low)
    data = {name: Verbatim(numbers) if throw.telling is not None and name in throw.telling.numbers else value
            for name, value in event.data.items()}
    told = event.copy()
    told.data = data
    return scene.reader.line(told, with_place=False).text.rstrip(" .:")


# --- plain values -------------------------------------------------------------------------------------------
def _throw_data(scene: ReadPhase, throw: ThrowChances) -> dict[str, Any]:
    """A throw as plain values: ``purposes``, ``dice``, ``title``, ``about``, ``what`` in words, ``modifiers``,
    ``target`` (of a trial), ``made`` and ``made_error`` (0 to 1), ``outcomes``, ``plays`` (0: exact), ``typed``, and
    ``more``: points more or less -> outcomes. Of an outcome: ``outcome``, ``text``, ``chance`` and ``error`` (0 to 1).
    """
    score = throw.telling.score if throw.telling is not None else None

    def outcomes(chances: Chances, error: Mapping[Label, float]) -> list[dict[str, Any]]:
        names = _told_apart(scene, throw, chances)
        return [{"outcome": " ".join(label), "text": label[1] if label[:1] == (NUMBER,) else names[label],
                 "chance": round(float(part), DIGITS),
                 "error": round(error.get(label, 0.0), DIGITS)} for label, part in chances.items()]

    target = {"target": score.target, "reach": score.reach} if isinstance(score, Trial) else {}
    return {"purposes": list(throw.keys), "dice": list(throw.dice), "title": scene.reader.roll_title(throw.keys[0]),
            "about": _about(scene, throw), "what": _what(scene, throw),
            "modifiers": [list(m) for m in getattr(score, "modifiers", ())], **target,
            "made": round(float(throw.made), DIGITS), "made_error": round(throw.made_error, DIGITS),
            "outcomes": outcomes(throw.chances, throw.error), "plays": throw.plays if throw.error else 0,
            "typed": throw.typed,
            "more": {f"{n:+d}": outcomes(chances, {}) for n, chances in throw.more.items()} if not throw.error else {}}
