"""`odds` and `luck`: the chances of battles to come, and how the dice have fallen."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from assistant.campaign.records import Event
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.version_check import abort_on_data
from assistant.desk.workspace.workspace import Abort, Workspace, abort, faction_code, open_workspace
from assistant.ledger import Ledger, LedgerTrouble, path_of_ledger
from assistant.reporting.facts import format_fraction
from assistant.reporting.facts import luck_section as counted
from assistant.reporting.pages import as_plain_values
from assistant.reporting.reader import Reader
from assistant.reporting.render import text_table
from assistant.speech import names_of
from assistant.turn import codes
from assistant.turn.chances import Foresees, LeftOut, NotUnderstood, Odds, Prospect, odds_of
from assistant.turn.dice import REFEREE
from assistant.turn.findings import nearest
from assistant.turn.phases import refuse_invalid_rows, without_superseded
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

# `odds`.


DIGITS = 6
"""So exact are chances in JSON."""


def odds(path: Path, battle: str = "", *, lang: str = "") -> Result:
    """The chances of every battle that the present orders lead to, or of one that is described. Changes nothing.

    Result data: ``battles``: of each what it is, ``dice``, ``chances`` (outcome -> 0 to 1), ``expected_losses`` of
    both sides, ``throws`` (0: all ways were counted) and then ``standard_error`` (outcome -> 0 to 1); ``left_out``: the
    orders that lead to no battle as they would be refused, of each ``order``, ``code`` and ``text``.
    """
    try:
        sitting = open_workspace(path, lang)
        abort_on_data(sitting)
        prospects = _requested_battles(sitting, battle)
    except Abort as stopped:
        return stopped.result("odds")
    named = names_of(sitting.campaign, sitting.lang, sitting.ruleset.named, sitting.ruleset.coded)
    words = Wording(sitting.ruleset, sitting.lang, named)
    result = Result("odds", findings=sitting.reading.findings, wording=sitting.wording)
    reckoned = [(prospect, odds_of(prospect)) for prospect in prospects if isinstance(prospect, Prospect)]
    refused = [(out.order, out.why.code, words.finding(out.why)) for out in prospects if isinstance(out, LeftOut)]
    result.data["battles"] = [_battle_data(prospect, odds) for prospect, odds in reckoned]
    result.data["left_out"] = [{"order": order, "code": code, "text": why} for order, code, why in refused]
    if not reckoned:
        result.say(words.text(N_("No order leads to a battle now. A battle can also be described, in quotation marks"
                                 " behind the file: arbitro odds --help")))
    for prospect, odds in reckoned:
        result.lines += _battle_lines(words, prospect, odds)
    for order, _, why in refused:
        result.say(words.text(N_("Order {order} is left out: {why}"), order=Verbatim(order), why=Verbatim(why)))
    return result


def _requested_battles(sitting: Workspace, battle: str) -> list[Prospect | LeftOut]:
    """The battles that are asked for, and the orders that lead to none. Raises `Stop` where there can be none."""
    ruleset, campaign = sitting.ruleset, without_superseded(sitting.campaign).copy()
    if not isinstance(ruleset, Foresees):
        raise abort(Exit.REFUSED, codes.NO_ODDS, sitting.lang, sitting.wording, title=sitting.ruleset.title,
                   file=sitting.path.name)
    if not battle.strip():
        try:  # a club's copy, which has none, does not show all who stand there
            with Ledger.open(path_of_ledger(sitting.path), sitting.campaign.desk.campaign_id):
                pass
        except LedgerTrouble as trouble:
            raise sitting.ledger_stop(trouble) from trouble
        misfits = [LeftOut(one.where.row, one) for one in refuse_invalid_rows(sitting.ruleset, campaign)]
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


# `luck`.


TurnAndPhase = tuple[str, str]


def luck(path: Path, *, faction: str = "", since: str = "", until: str = "", lang: str = "") -> Result:
    """Expected against rolled, by kind of throw. Changes nothing.

    `faction`: only what concerns it and what it may know (default: all dice); `since`, `until`: the first and
    the last turn, or ``turn.phase``, that are counted (default: all). Result data: ``faction``, ``since``,
    ``until``, ``throws``: one object a kind of throw and side, as `assistant.reporting.pages.LuckRow` says.
    """
    try:
        sitting = open_workspace(path, lang)
        code = faction_code(sitting.campaign, faction, sitting.wording)
        moments = _phases_between(sitting, since, until)
    except Abort as stopped:
        return stopped.result("luck")
    ruleset, words = sitting.ruleset, sitting.wording
    view = ruleset.view(sitting.campaign, code) if code else sitting.campaign
    reader = Reader.of(ruleset, view, code or REFEREE, words)
    whose = reader.faction_name(code) if code else words.text(N_("all dice"))
    section = counted(reader, set(moments), words.text(N_("Luck: {whose}"), whose=whose))
    result = Result("luck", findings=sitting.reading.findings, wording=words)
    result.data.update(
        faction=code,
        since=".".join(moments[0]) if moments else "",
        until=".".join(moments[-1]) if moments else "",
        throws=as_plain_values(section.rows) if section else [],
    )
    if section is None:
        result.say(words.text(N_("No dice were thrown that count here.")))
        return result
    result.say(section.title)
    result.lines += [*section.said, "",
                     *text_table(section.table.rows.items, section.table.headings, section.table.numeric).splitlines(),
                     "", section.table.note]
    return result


def _phases_between(sitting: Workspace, since: str, until: str) -> list[TurnAndPhase]:
    """The phases with events from the first to the last that are asked for. Raises `Stop`."""
    told = list(dict.fromkeys((e.turn, e.phase) for _, e in sitting.campaign.table(Event).in_file_order()))
    first = _phase_indexes(sitting, told, since)[0] if since else 0
    last = _phase_indexes(sitting, told, until)[-1] if until else len(told) - 1
    return told[first:last + 1]


def _phase_indexes(sitting: Workspace, told: list[TurnAndPhase], asked: str) -> list[int]:
    """Where the phases of a turn, or a phase of it, stand among those told of. Raises `Stop` for none."""
    found = [place for place, moment in enumerate(told) if asked in (moment[0], ".".join(moment))]
    if not found:
        raise abort(Exit.USAGE, codes.NO_SUCH_PHASE, sitting.lang, sitting.wording, phase=asked,
                   near=nearest(asked, [".".join(moment) for moment in told]))
    return found
