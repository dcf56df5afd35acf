"""Answers as files bring them: a row in; out the same with the name of its question, from kind, addressee and subject.

The kind may be said in its words of either language; turn and phase may be left out.
"""

from __future__ import annotations

from functools import lru_cache

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Faction, Order, Question, TurnQuestion, called
from assistant.catalogues import LANGUAGES
from assistant.turn.answers.until_changed import code_called, without_until
from assistant.turn.rows.when_meant import phases_ahead, prepared
from assistant.turn.ruleset import Ruleset
from assistant.turn.throws.purposes import battle_meant
from assistant.wording import Wording


@lru_cache(maxsize=16)
def kinds_in_words(ruleset: Ruleset) -> dict[str, str]:
    """What kinds of question are called, casefolded -> their codes; a code is never another kind's word."""
    found: dict[str, str] = {}
    for lang in LANGUAGES:
        words = Wording(ruleset, lang)
        found.update({words.word(kind).casefold(): kind for kind in ruleset.questions})
    return found | {kind.casefold(): kind for kind in ruleset.questions}


def subject_spelled(about: str, campaign: Campaign, ruleset: Ruleset) -> str:
    """What an answer is about, part by part, as the tables spell it, or the rulebook where battles are named."""
    return "/".join(_spelled(part, campaign, ruleset) for part in about.split("/")) if about else ""


def _spelled(part: str, campaign: Campaign, ruleset: Ruleset) -> str:
    """One part; behind ``#`` stands its number among questions of one name."""
    word, again, number = part.partition("#")
    orders = campaign.table(Order)
    code = spelled if (spelled := orders.spelled(word)) in orders else code_called(campaign, word)
    return (code or battle_meant(ruleset, campaign, word)) + again + number


def spell_name(row: Question, campaign: Campaign, ruleset: Ruleset) -> None:
    """The name of a question that says its kind and its subject in any letters, ``response/b2``, as it is spelled."""
    if isinstance(row, TurnQuestion) and row.question:
        kind, _, about = row.question.partition("/")
        kind = kinds_in_words(ruleset).get(kind.strip().casefold(), "")
        spelled = subject_spelled(about, campaign, ruleset)
        if kind:
            row.question = row.named("", "", kind, "", spelled if spelled.casefold() == about.casefold() else about)


def name_question(row: Question, campaign: Campaign, ruleset: Ruleset) -> None:
    """Give an answer the name of its question, whatever letters its parts have.

    One that does not say when answers the open question of its kind and addressee, about its subject where it names
    one; else it is for the next phase that may put such a question. One that stands until it is changed is of none.
    What a club tells of a battle has a name of its own beside the referee's.
    """
    spell_name(row, campaign, ruleset)
    by_fold = called(campaign.table(Faction))
    by_fold.update({REFEREE: REFEREE, "arbitro": REFEREE})
    row.to = by_fold.get(row.to.casefold(), row.to)
    if not row.question:
        row.kind = kinds_in_words(ruleset).get(row.kind.casefold(), row.kind)
        row.about = subject_spelled(row.about, campaign, ruleset)
    if row.phase and not row.turn:  # as an order without a turn is for the present one
        row.turn = campaign.desk.turn or prepared(ruleset, campaign).desk.turn
    report = ruleset.form is not None and row.kind == ruleset.form.question and row.to not in ("", REFEREE)
    if isinstance(row, TurnQuestion) and row.question and not row.stands:
        row.complete()
    says_when = bool(row.phase or (row.question and not isinstance(row, TurnQuestion)))
    if row.kind and not says_when and not row.stands and not without_until(row.answer)[1]:
        _say_when(row, campaign, ruleset, REFEREE if report else row.to)
    if report and row.about and not row.question and "/" not in row.about:
        row.about = f"{row.about}/{row.to}"
    row.complete()


def _say_when(row: Question, campaign: Campaign, ruleset: Ruleset, to: str) -> None:
    """Fill in turn and phase of an answer, and its subject where only one question is open that it can be meant for.

    `to`: who was asked, "" where the row does not say. Where nobody can say, the row stays as it is.
    """
    alike = campaign.table(Question).open_rows(campaign.desk.turn, lambda one: (
        (one.status, one.kind) == ("open", row.kind) and to in ("", one.to) and row.turn in ("", one.turn)))
    asked = [one for one in alike if row.about.casefold() in ("", one.about.casefold())]
    if len(asked) == 1:
        row.turn, row.phase, row.about = asked[0].turn, asked[0].phase, asked[0].about
        row.to = row.to or asked[0].to
        return
    now = campaign if campaign.desk.turn and campaign.desk.phase else prepared(ruleset, campaign)
    coming = (when for when in phases_ahead(ruleset, now) if row.kind in ruleset.phase(when[1]).waits_for)
    turn, phase = next(coming, ("", "")) if row.about or not asked else ("", "")
    if row.turn in ("", turn):
        row.turn, row.phase = turn, phase
