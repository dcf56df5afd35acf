"""`odds`: the chances of every throw that the present phase will make, and of battles that a rulebook fights itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from assistant.campaign.campaign import Campaign
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
from assistant.reporting.chances import DIGITS, REASONS, Outlook, grounds_of, outlook_of, throw_data, throw_lines
from assistant.reporting.facts import format_fraction
from assistant.reporting.reader import Reader
from assistant.speech import names_of
from assistant.turn import codes
from assistant.turn.chances import Foresees, LeftOut, NotUnderstood, Odds, Prospect, odds_of
from assistant.turn.dice import REFEREE
from assistant.turn.phases import refuse_invalid_rows, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.throw_chances import PLAYS
from assistant.wording import Verbatim, Wording


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
        workspace = open_workspace(at, lang)
        abort_on_data(workspace)
        code = faction_code(workspace.campaign, faction, workspace.wording)
        if not described:
            _require_ledger(workspace, code)
        prospects = [] if code and not described else _requested_battles(workspace, battle)
    except Abort as stopped:
        return stopped.result("odds")
    result = Result("odds", findings=[] if code else workspace.reading.findings, wording=workspace.wording)
    _tell_battles(result, workspace, prospects)
    if not described:
        told = odds_of_phase(workspace.ruleset, workspace.campaign, code, workspace.lang, plays or PLAYS)
        result.data |= told.data
        result.lines += told.lines
    return result


def _require_ledger(workspace: Workspace, faction: str) -> None:
    """Raise `Abort` for a campaign that is over, and for a club's copy, which has no ledger and does not show all that
    is there, unless it is asked of a faction.
    """
    if workspace.ruleset.is_over(workspace.campaign):
        raise abort(Exit.REFUSED, codes.CAMPAIGN_OVER, workspace.lang, workspace.wording)
    if not faction:
        try:
            with Ledger.open(path_of_ledger(workspace.path), workspace.campaign.desk.campaign_id):
                pass
        except LedgerTrouble as trouble:
            raise workspace.ledger_stop(trouble) from trouble


# Battles that a rulebook fights itself.


def _tell_battles(result: Result, workspace: Workspace, prospects: Sequence[Prospect | LeftOut]) -> None:
    named = names_of(workspace.campaign, workspace.lang, workspace.ruleset.named, workspace.ruleset.coded)
    words = Wording(workspace.ruleset, workspace.lang, named)
    reckoned = [(prospect, odds_of(prospect)) for prospect in prospects if isinstance(prospect, Prospect)]
    refused = [(out.order, out.why.code, words.finding(out.why)) for out in prospects if isinstance(out, LeftOut)]
    result.data["battles"] = [_battle_data(prospect, odds) for prospect, odds in reckoned]
    result.data["left_out"] = [{"order": order, "code": code, "text": why} for order, code, why in refused]
    for prospect, odds in reckoned:
        result.lines += _battle_lines(words, prospect, odds)
    for order, _, why in refused:
        result.say(words.text(N_("Order {order} is left out: {why}"), order=Verbatim(order), why=Verbatim(why)))


def _requested_battles(workspace: Workspace, battle: str) -> list[Prospect | LeftOut]:
    """The battles that are asked for, and the orders that lead to none. Raises `Abort` where there can be none."""
    ruleset, campaign = workspace.ruleset, without_superseded(workspace.campaign).copy()
    if not isinstance(ruleset, Foresees):
        if not battle.strip():
            return []
        raise abort(Exit.REFUSED, codes.NO_ODDS, workspace.lang, workspace.wording, title=workspace.ruleset.title,
                   file=workspace.path.name)
    if not battle.strip():
        misfits = [LeftOut(row.where.row, row) for row in refuse_invalid_rows(workspace.ruleset, campaign)]
        return [*ruleset.battles_ahead(campaign), *misfits]
    typed = ruleset.typed_battle(campaign, battle)
    if isinstance(typed, NotUnderstood):
        too_many = {} if typed.most is None else {"over": "yes", "n": typed.most}
        raise abort(Exit.REFUSED, codes.NOT_UNDERSTOOD, workspace.lang, workspace.wording, text=typed.seen,
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


def odds_of_phase(ruleset: Ruleset, campaign: Campaign, faction: str, lang: str, plays: int = PLAYS) -> Result:
    """The chances of the throws of the present phase. `faction`: from its view alone, "" for the referee.

    Result data: ``throws`` (see `throw_data`); ``throws_left_out``: of each ``purpose``, ``reason`` and ``text``;
    ``answered``: questions that the assistant answered itself, with its answers; ``assumed``: what stands in the place
    of hidden values; ``plays``: how often the phase was played in all.
    """
    view = ruleset.view(campaign, faction) if faction else campaign
    words = Wording(ruleset, lang, names_of(view, lang, ruleset.named, ruleset.coded))
    outlook = outlook_of(Reader.of(ruleset, view, faction or REFEREE, words), plays)
    result = Result("odds", wording=words)
    _tell_throws(result, outlook)
    result.lines += grounds_of(outlook, hidden=True)
    return result


def _tell_throws(result: Result, outlook: Outlook) -> None:
    """The throws as lines and as plain values."""
    reader, foretold = outlook.reader, outlook.foretold
    words, desk = reader.wording, reader.view.desk
    left_out = {key: why for key, why in foretold.left_out.items() if not outlook.faction}
    result.data |= {"throws": [throw_data(outlook, throw) for throw in outlook.throws],
                    "throws_left_out": [{"purpose": key, "reason": why, "text": words.text(REASONS[why])}
                                        for key, why in left_out.items()],
                    "answered": dict(foretold.answered) if not outlook.faction else {},
                    "assumed": list(outlook.assumed), "plays": foretold.runs}
    when = Verbatim(reader.ruleset.when(desk.turn, desk.phase, words.lang))
    if foretold.stuck is not None:
        why = "; ".join(words.finding(finding) for finding in foretold.stuck.findings if finding.stops)
        result.say(words.text(N_("{phase} cannot be played to its end here, so its throws are left out: {why}"),
                              phase=when, why=Verbatim(why or words.text(N_("it waits for an answer")))))
    elif not outlook.throws:
        result.say(words.text(N_("{phase}: no throw decides anything as things stand."), phase=when))
    else:
        result.say(words.text(N_("{phase}, as things stand now:"), phase=when))
        for throw in throw_lines(outlook):
            result.lines += [f"- {throw.what}", *(f"    {line}" for line in throw.chances)]
    for why in dict.fromkeys(left_out.values()):
        keys = [key for key, other in left_out.items() if other == why]
        titles = dict.fromkeys(reader.roll_title(key) for key in keys)
        result.say(words.text(N_("Left out: {list} ({n} {n?throw|throws}): {why}."), list=Verbatim("; ".join(titles)),
                              n=len(keys), why=Verbatim(words.text(REASONS[why]))))
