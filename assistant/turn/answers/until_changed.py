"""Answers that stand until they are changed: ``choice stop until changed`` for every meeting, or for those with M.

Such an answer is a row of Questions without turn and phase. It is in effect wherever a question of its kind is put to
its faction, about its subject where it names one, and no own answer was typed. ``-`` takes it back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Die, Event, Faction, FindingRow, Order, Question, Rule, called
from assistant.turn.answers.answer_kinds import EACH_TIME, Unfit
from assistant.turn.answers.asking import QuestionType, offer_of, options_of, type_of

UNTIL = ("until changed", "until it is changed", "until further notice", "fino a nuovo avviso", "fino a nuovo ordine")
"""What makes an answer stand, behind it, in either language."""
SAID = {"en": UNTIL[0], "it": UNTIL[3]}
"""The one of them that is shown, by language."""
TAKEN_BACK = "-"
ORDERS = "orders"
"""The kind of the row in which a faction's standing orders stand, beside the answers that do."""
BY = "standing"
"""What `Question.asked` of an answered question calls the standing answer that was used."""
_UNTIL = re.compile(r"(.*?)[\s,;:]*\b(?:" + "|".join(UNTIL).replace(" ", r"[\s_]+") + r")[\s.]*",
                    re.IGNORECASE | re.DOTALL)
_NO_SUBJECTS = (Order, Question, Die, Event, FindingRow, Rule, Desk)


def without_until(text: str) -> tuple[str, bool]:
    """An answer without ``until changed``, and whether that stood there."""
    found = _UNTIL.fullmatch(text.strip())
    return (found[1].strip(), True) if found else (text.strip(), False)


def meant(types: Mapping[str, QuestionType], campaign: Campaign, kind: str, text: str) -> tuple[str, str]:
    """Subject ("" for all) and answer of ``[SUBJECT] ANSWER``, without ``until changed``. Raises `Unfit`."""
    words = text.split()
    for end in range(len(words)):
        about = _subject(campaign, " ".join(words[:end])) if end else ""
        if about is None:
            continue
        try:
            return about, taken(types, campaign, kind, " ".join(words[end:]))
        except Unfit as no:
            if no.role == EACH_TIME:
                raise
    raise Unfit


def taken(types: Mapping[str, QuestionType], campaign: Campaign, kind: str, answer: str) -> str:
    """An answer as it stands: an option by its code, else as it was typed. Raises `Unfit`."""
    declared = type_of(types, kind)
    if declared.stands is None:
        raise Unfit(EACH_TIME)
    if answer == TAKEN_BACK:
        return answer
    value = declared.stands.read(answer, offer_of(campaign, declared, declared.stands.offered(())))
    return value if isinstance(value, str) else answer


def answer_of(row: Question) -> str:
    """What an answer that stands says."""
    return without_until(row.answer)[0]


def as_standing(types: Mapping[str, QuestionType], campaign: Campaign, row: Question) -> Question:
    """The row of an answer that was handed in to stand. Raises `Unfit`."""
    about, answer = meant(types, campaign, row.kind, answer_of(row))
    return row_of(type(row), row.kind, row.to, about or _subject(campaign, row.about) or row.about, answer)


def row_of(record: type[Question], kind: str, to: str, about: str, answer: str) -> Question:
    """The row of an answer that stands."""
    return record(question=record.standing_named(kind, to, about), kind=kind, to=to, about=about, answer=answer)


def standing(campaign: Campaign) -> list[Question]:
    """The rows of answers that stand, those that were taken back or emptied too."""
    return campaign.table(Question).open_rows(campaign.desk.turn, lambda row: row.stands, parts=("",))


def holding(rows: Iterable[Question], kind: str, to: str, about: str) -> Question | None:
    """The answer that stands for a question: of several the one whose subject says most of what it is about.

    None where there is none, where it was taken back, or where two that say as much say different things.
    """
    asked = _parts(about)
    fitting = [row for row in rows if (row.kind, row.to) == (kind, to) and answer_of(row)
               and _parts(row.about) <= asked]
    most = max((len(_parts(row.about)) for row in fitting), default=0)
    closest = [row for row in fitting if len(_parts(row.about)) == most]
    if len({answer_of(row).casefold() for row in closest}) != 1 or answer_of(closest[0]) == TAKEN_BACK:
        return None
    return closest[0]


def stands_for(types: Mapping[str, QuestionType], campaign: Campaign, row: Question) -> bool:
    """Whether an answer stands for a question, as its row puts it, which the question can take."""
    found = holding(standing(campaign), row.kind, row.to, row.about)
    declared = type_of(types, row.kind)
    if found is None:
        return False
    try:
        answer = taken(types, campaign, row.kind, answer_of(found))
        declared.answer.read(answer, offer_of(campaign, declared, options_of(row)))
    except Unfit:
        return False
    return True


def _parts(about: str) -> set[str]:
    """What a question is about, part by part: ``V8/M``; a number that tells apart what was asked twice is none."""
    return {part.casefold() for part in re.sub(r"#\d+$", "", about).split("/") if part}


def _subject(campaign: Campaign, words: str) -> str | None:
    """What questions call a subject that was typed by codes or by name, ``V8/M``; None for what nobody knows."""
    found = [code_called(campaign, part) for part in words.split("/")]
    return "/".join(found) if all(found) else None


def code_called(campaign: Campaign, word: str) -> str:
    """The code of what is called so, by its code or its name, in whatever letters; "" for nothing that is there."""
    factions = campaign.table(Faction)
    tables = [factions, *(table for table in campaign.tables().values() if table.record.unique
                          and not issubclass(table.record, (Faction, *_NO_SUBJECTS)))]
    wanted = word.strip().casefold()
    return next((code for table in tables if (code := called(table).get(wanted, ""))), "")
