"""`odds`: a campaign, or a battle that somebody describes, in; what each battle may come to, in percent, out."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop, stop
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.reporting.luck import decimal
from assistant.speech.names import names_of
from assistant.turn.rows.misfits import refuse_misfits
from assistant.turn.superseded import in_force
from assistant.turn.throws.prospects import Foresees, LeftOut, NotUnderstood, Odds, Prospect, odds_of
from assistant.wording import N_, Verbatim, Wording

DIGITS = 6
"""So exact are chances in JSON."""


def odds(path: Path, battle: str = "", *, lang: str = "") -> Result:
    """The chances of every battle that the present orders lead to, or of one that is described. Changes nothing.

    Result data: ``battles``: of each what it is, ``dice``, ``chances`` (outcome -> 0 to 1), ``expected_losses`` of
    both sides, ``throws`` (0: all ways were counted) and then ``standard_error`` (outcome -> 0 to 1); ``left_out``: the
    orders that lead to no battle as they would be refused, of each ``order``, ``code`` and ``text``.
    """
    try:
        sitting = sit(path, lang)
        stop_on_data(sitting)
        found = _prospects(sitting, battle)
    except Stop as stopped:
        return stopped.result("odds")
    named = names_of(sitting.campaign, sitting.lang, sitting.ruleset.named, sitting.ruleset.coded)
    words = Wording(sitting.ruleset, sitting.lang, named)
    result = Result("odds", findings=sitting.reading.findings, wording=sitting.wording)
    reckoned = [(prospect, odds_of(prospect)) for prospect in found if isinstance(prospect, Prospect)]
    refused = [(one.order, one.why.code, words.finding(one.why)) for one in found if isinstance(one, LeftOut)]
    result.data["battles"] = [_plain(prospect, odds) for prospect, odds in reckoned]
    result.data["left_out"] = [{"order": order, "code": code, "text": why} for order, code, why in refused]
    if not reckoned:
        result.say(words.text(N_("No order leads to a battle now. A battle can also be described, in quotation marks"
                                 " behind the file: arbitro odds --help")))
    for prospect, odds in reckoned:
        result.lines += _said(words, prospect, odds)
    for order, _, why in refused:
        result.say(words.text(N_("Order {order} is left out: {why}"), order=Verbatim(order), why=Verbatim(why)))
    return result


def _prospects(sitting: Sitting, battle: str) -> list[Prospect | LeftOut]:
    """The battles that are asked for, and the orders that lead to none. Raises `Stop` where there can be none."""
    ruleset, campaign = sitting.ruleset, in_force(sitting.campaign).copy()
    if not isinstance(ruleset, Foresees):
        raise stop(Exit.REFUSED, codes.NO_ODDS, sitting.lang, sitting.wording, title=sitting.ruleset.title,
                   file=sitting.path.name)
    if not battle.strip():
        try:  # a club's copy, which has none, does not show all who stand there
            with Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id):
                pass
        except LedgerTrouble as trouble:
            raise sitting.ledger_stop(trouble) from trouble
        misfits = [LeftOut(one.where.row, one) for one in refuse_misfits(sitting.ruleset, campaign)]
        return [*ruleset.battles_ahead(campaign), *misfits]
    typed = ruleset.typed_battle(campaign, battle)
    if isinstance(typed, NotUnderstood):
        too_many = {} if typed.most is None else {"over": "yes", "n": typed.most}
        raise stop(Exit.REFUSED, codes.NOT_UNDERSTOOD, sitting.lang, sitting.wording, text=typed.seen,
                   example=typed.example, **too_many)
    return [typed]


def _said(words: Wording, prospect: Prospect, odds: Odds) -> list[str]:
    """A battle in lines: what it is, how it may end, what it costs, how that is known."""
    def shown(number: float, places: int = 1) -> str:
        return decimal(words, Fraction(number), places)

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


def _plain(prospect: Prospect, odds: Odds) -> dict[str, Any]:
    return {**prospect.data, "dice": prospect.dice,
            "chances": {outcome: round(chance, DIGITS) for outcome, chance in odds.chances.items()},
            "expected_losses": {"attackers": round(odds.att_lost, DIGITS), "defenders": round(odds.def_lost, DIGITS)},
            "throws": odds.throws,
            "standard_error": {outcome: round(error, DIGITS) for outcome, error in odds.error.items()}}
