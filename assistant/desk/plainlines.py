"""Plain lines such as ``V8 F7``, ``V: V8 F7``, ``bribe V8 50``: told apart by their first word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Typed, Unreadable
from assistant.campaign.record import Record
from assistant.campaign.records import Army, Battle, Faction, Question
from assistant.desk.play import Moment, ahead
from assistant.desk.typed import form_fields
from assistant.turn.ruleset import Ruleset

DIE_WORDS = ("die", "dice", "dado", "dadi")
BATTLE_WORDS = ("battle", "battaglia")
_PREFIX = re.compile(r"\s*([^\s:]+)\s*:\s*(\S.*)", re.DOTALL)


@dataclass(frozen=True)
class Line:
    """A line as it was sorted. `kind`: ``order``, ``answer``, ``die`` or ``battle``; `words`: without prefix."""

    kind: str
    faction: str
    words: str


def sort_line(text: str, ruleset: Ruleset, campaign: Campaign, faction: str = "") -> Line:
    """Whose line it is and what it is about.

    A prefix before a colon (a faction's code, or the code of an army or of anything else a faction has)
    says whose; else `faction`; else the only faction with an army where the line begins.
    """
    words = text.strip()
    match = _PREFIX.fullmatch(words)
    if match:
        owner, unit = _owner(campaign, match[1])
        if owner:
            faction, words = owner, match[2].strip()
            if unit and not words.upper().startswith(unit.upper()):
                words = f"{unit} {words}"
    first = words.split()[0].casefold() if words else ""
    if _whole_name(words, ruleset):
        return Line("answer", faction, words)
    if first in DIE_WORDS:
        return Line("die", faction, words)
    if first in BATTLE_WORDS:
        return Line("battle", faction, words)
    if _is_answer(words, ruleset, campaign):
        return Line("answer", faction, words)
    return Line("order", faction or _only_owner(campaign, words), words)


def _whole_name(words: str, ruleset: Ruleset) -> bool:
    """Whether a line begins with a question's kind and subject in one word: ``accept/A-TAL/1307/A-MEU``."""
    kind, slash, _ = (words.split() or [""])[0].partition("/")
    return bool(slash) and kind.casefold() in ruleset.questions


def _is_answer(words: str, ruleset: Ruleset, campaign: Campaign) -> bool:
    """Whether a line answers a question. A word that is an order too is one unless it names what is asked."""
    first, _, rest = words.partition(" ")
    kind = first.casefold()
    if kind not in ruleset.questions:
        return False
    orders = {word.casefold() for verb in ruleset.verbs.values() for word in (verb.en, verb.it)}
    about = (rest.split() or [""])[0].casefold()
    return kind not in orders or any(q.kind == kind and q.status == "open" and q.about.casefold() == about
                                     for q in campaign.table(Question))


def _owner(campaign: Campaign, code: str) -> tuple[str, str]:
    """Faction and unit that a prefix names; ("", "") for none."""
    wanted = code.casefold()
    for faction in campaign.table(Faction):
        if faction.faction.casefold() == wanted:
            return faction.faction, ""
    for table in campaign.tables().values():
        if "faction" in {c.name for c in table.record.columns()} and table.record.unique:
            for key, row in table.items():
                if key.casefold() == wanted:
                    return row.faction, key
    return "", ""


def _only_owner(campaign: Campaign, words: str) -> str:
    """The faction of the first unit that is named, or the only one with an army at the first node; else ""."""
    codes = [word.upper() for word in re.split(r"[\s,>→]+", words) if word]
    for code in codes:
        owner, unit = _owner(campaign, code)
        if unit:
            return owner
        there = {a.faction for a in campaign.table(Army) if a.node.upper() == code.split("-")[0]}
        if there:
            return there.pop() if len(there) == 1 else ""
    return ""


def find_question(words: str, ruleset: Ruleset, campaign: Campaign, faction: str) -> Question | None:
    """The question that ``KIND [ABOUT] ANSWER`` answers, with the answer in it; None if there is none such.

    An open one if it fits; else, with the faction known, the next phase that may ask it.
    """
    kind, _, rest = words.strip().partition(" ")
    if _whole_name(words, ruleset):
        kind, _, about = kind.partition("/")
        rest = f"{about} {rest}"
    kind, rest = kind.casefold(), rest.strip()
    about, _, answer = rest.partition(" ")
    mine = [q for q in campaign.table(Question)
            if q.kind == kind and q.status == "open" and faction in ("", q.to)]
    for question in mine:
        if question.about and about.casefold() == question.about.casefold() and answer:
            return _answered(question, answer)
    bare = [q for q in mine if not q.about] if mine else []
    if len(mine) == 1 or len(bare) == 1:
        return _answered((bare or mine)[0], rest) if rest else None
    moment = _asks(ruleset, campaign, kind)
    if mine or not faction or moment is None or not rest:
        return None
    known = {code for table in campaign.tables().values() for code, _ in table.items()}
    subject = about if answer and about.split("/")[0] in known else ""
    record = campaign.table(Question).record
    ident = record.named(moment.turn, moment.phase, kind, faction, subject)
    row = record(question=ident, turn=moment.turn, phase=moment.phase, kind=kind, to=faction, about=subject)
    return _answered(row, answer if subject else rest)


def _answered(question: Question, answer: str) -> Question:
    fresh = question.copy()
    fresh.answer = answer.strip()
    return fresh


def _asks(ruleset: Ruleset, campaign: Campaign, kind: str) -> Moment | None:
    for moment in ahead(ruleset, campaign):
        if kind in ruleset.phase(moment.phase).waits_for:
            return moment
    return None


def die_parts(words: str) -> tuple[str, str, str] | None:
    """``die KEY VALUE [DICE]`` -> key, value, dice; None if it is not that."""
    parts = words.split()[1:]
    if len(parts) not in (2, 3):
        return None
    return parts[0], parts[1], parts[2] if len(parts) == 3 else "1d6"


def fill_form(words: str, campaign: Campaign) -> Battle | None:
    """``battle ID value …`` or ``battle ID field=value …`` as a row with its form; None if it does not fit.

    Bare values go to the form's columns from left to right, each to the next that can hold it.
    """
    parts = words.split()[1:]
    if len(parts) < 2:
        return None
    record = campaign.table(Battle).record
    old = campaign.table(Battle).get(parts[0])
    row = old.copy() if old else record(battle=parts[0])
    names = form_fields(record)
    left = iter(names)
    for part in parts[1:]:
        name, sign, value = part.partition("=")
        if sign:
            if name not in names or not _put(row, name, value):
                return None
        elif not any(_put(row, name, part) for name in left if _meant(record, name, part)):
            return None
    return row


def _meant(record: type[Record], name: str, raw: str) -> bool:
    """Whether a bare value may be meant for a column: a word is not meant for one of numbers."""
    return not isinstance(record.column(name).kind, Typed) or re.fullmatch(r"[+-]?\d+", raw) is not None


def _put(row: Record, name: str, raw: str) -> bool:
    """Set a column to what was typed, if it can hold it."""
    kind = row.column(name).kind
    try:
        value = kind.read(raw)
    except Unreadable:
        return False
    setattr(row, name, value)
    return True
