"""What is wrong with an answer as far as its row alone tells: its kind, what it offers, what is typed."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Question
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.answers.asking import QuestionType, offer_of, options_of, refusal, unread
from assistant.turn.answers.phase_questions import DEFAULTS
from assistant.turn.answers.until_changed import ORDERS, meant, taken, without_until
from assistant.turn.findings import Finding, Message
from assistant.turn.orders.words import fold


def bad_answer(types: Mapping[str, QuestionType], messages: Mapping[str, Message], campaign: Campaign,
               row: Question) -> Finding | None:
    """The finding for an answer that its question, or no question at all, can take; None where it may be good.

    What a question takes that lists no options only its phase knows. Of an answer that stands until it is changed:
    whether it may.
    """
    kind, text = types.get(row.kind), row.answer.strip()
    wrong = unread(row)
    if wrong is not None or not text or row.kind == ORDERS or not (
            row.stands or (row.options.strip() and kind is not None)):
        return wrong
    kind = kind or QuestionType(row.kind, "")
    answer = kind.stands or kind.answer if row.stands else kind.answer
    try:
        plain, until = without_until(text)
        if row.stands:
            taken(types, campaign, row.kind, plain)
            return None
        if until:
            plain = meant(types, campaign, row.kind, plain)[1]
        if not (fold(plain) in DEFAULTS and row.default):
            answer.read(plain, offer_of(campaign, kind, options_of(row)))
    except Unfit as unfit:
        return refusal(types, messages, row, unfit, answer)
    return None
