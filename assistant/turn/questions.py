"""Kinds of question and of answer, standing answers; who is asked, what a phase gets, and what stays open."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import (
    LONGEST_TEXT,
    NO_WORDS,
    YES_WORDS,
    UnreadableValue,
    ValueKind,
    Whole,
    as_text,
    whole_digits,
)
from assistant.campaign.records import (
    NAMES,
    REFEREE,
    RULES,
    Desk,
    Die,
    Event,
    Faction,
    FindingRow,
    Order,
    Question,
    Rule,
    code_lookup,
)
from assistant.campaign.tables import Table, natural
from assistant.turn.findings import ERROR_VALUE, FORMULA, TOO_LONG, Finding, Message, UniqueFindings, Where
from assistant.turn.orders.words import codes_by_name, fold, meaning_of_word
from assistant.turn.texts import Meaning

# Kinds of answer: each turns typed text into the value with which the phase works, or says why it cannot.


BEYOND, EACH_TIME = "range", "each time"
"""Why an answer is invalid: a number is out of bounds, or numbers do not add up; it was given as a standing answer,
which its kind of question does not allow. Otherwise it is not what the question asks for.
"""
_WITH_AMOUNT = r"(.+?)[\s:]+([0-9]{1,9})"
_SHARE = r"(\S+?)\s*[=:]\s*([0-9]{1,9})(?=[\s,;]|$)"


class AnswerContext(NamedTuple):
    """What is known about a question when its answer is read.

    `options`: as the question lists them; `words`: other words -> the option that they mean; `called`: the codes of
    what has a name.
    """

    options: Sequence[str] = ()
    words: Mapping[str, str] = MappingProxyType({})
    called: Callable[[str], set[str]] = lambda name: set()

    def find(self, typed: str, among: Sequence[str]) -> str:
        """The code that was typed as itself, as another word for it, by name, or without leading zeros; "" for none.

        A full stop after the answer (`Sì.`) is ignored.
        """
        typed = typed.rstrip(" .!")
        wanted = fold(typed)
        flag = "yes" if wanted in YES_WORDS else "no" if wanted in NO_WORDS else ""
        for code in among:
            if wanted in (fold(code), f"to_{fold(code)}"):
                return code
        meant = meaning_of_word(typed, {word: code for word, code in self.words.items() if code in among})
        called = self.called(typed) & set(among)
        named = meant or (called.pop() if len(called) == 1 else "")
        alike = [] if named else [code for code in among if natural(fold(code)) == natural(wanted)]
        return alike[0] if len(alike) == 1 else named or (flag if wanted and flag in among else "")


def parse_whole(text: str) -> int | None:
    """A whole number of 0 or more, as a person types it or a spreadsheet saves it; None for anything else."""
    digits = whole_digits(text.strip())
    return int(digits) if re.fullmatch("[0-9]{1,9}", digits) else None


@dataclass(eq=False, repr=False)
class AnswerKind(ValueKind):
    """A kind of answer. Bounds and codes that a declaration leaves open are only checked once they are known. `offer`:
    what is known of the question that is answered.
    """

    offer: AnswerContext = field(default=AnswerContext(), kw_only=True)

    def possible_answers(self, options: Sequence[str]) -> Sequence[str]:
        """What may be typed, for a finding."""
        return options


@dataclass(eq=False, repr=False)
class Text(AnswerKind):
    """Any text, trimmed. `reader`: returns its canonical form, "" if it is invalid."""

    reader: Callable[[str], str] | None = field(default=None, kw_only=True)

    def read(self, raw: Any) -> str:
        """The text."""
        text = as_text(raw)
        value = text if self.reader is None else self.reader(text)
        if not value:
            raise UnreadableValue
        return value


@dataclass(eq=False, repr=False)
class Option(Text):
    """One of the question's options, typed as its code, another word for it, or the name of what it is the code of.

    An option ``buy:5`` takes an amount from 1 to 5 after its word, ``promise:n`` one within `amounts` (word -> least,
    most). `among`: the options if the question lists none; `reader`: reads anything that is not an option, as in
    `Text`. A question without options takes any text.
    """

    among: tuple[str, ...] = ()
    amounts: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def read(self, raw: Any) -> str:
        """The option."""
        text, options = as_text(raw), self.possible_answers(self.offer.options)
        value = self.offer.find(text, options) or self._with_amount(text, options) or self._about(text, options)
        if not value and options and self.reader is None:
            raise UnreadableValue
        return value or super().read(raw)

    def _with_amount(self, text: str, options: Sequence[str]) -> str:
        """``word:n`` if the amount is within the bounds of its option, else ""."""
        typed = re.fullmatch(_WITH_AMOUNT, text)
        heads = dict(option.split(":", 1) for option in options if ":" in option)
        word = self.offer.find(typed[1], list(heads)) if typed else ""
        if typed is None or not word:
            return ""
        amount = parse_whole(heads[word])
        least, most = self.amounts.get(word, (1, 0)) if amount is None else (1, amount)
        return f"{word}:{int(typed[2])}" if least <= int(typed[2]) <= most else ""

    def _about(self, text: str, options: Sequence[str]) -> str:
        """``conquer:SV`` for its word and a code or name (``conquer Savoy``), or for the name alone; else ""."""
        words = text.replace(":", " ").split()
        about = {option: (word, colon, code) for option in options for word, colon, code in [option.partition(":")]
                 if word not in self.amounts and not code.isdecimal()}
        for n in range(len(words)):
            head, rest = " ".join(words[:n]), " ".join(words[n:])
            fit = [option for option, (word, _, code) in about.items() if code and self.offer.find(rest, [code])
                   and (not head or self.offer.find(head, [word]))]
            if len(fit) == 1:
                return fit[0]
        return ""

    def possible_answers(self, options: Sequence[str]) -> Sequence[str]:
        """Its options."""
        return self.among or options


@dataclass(eq=False, repr=False)
class Amount(AnswerKind):
    """A whole number from `least` to `most`, inclusive (None: not known before the phase). `entire`: a word for all of
    it, if there is one.
    """

    least: int = 0
    most: int | None = None
    entire: str = ""

    def read(self, raw: Any) -> int:
        """The number; out of bounds it is `BEYOND`, with both bounds."""
        if self.entire and self.offer.find(as_text(raw), [self.entire]):
            return self.least if self.most is None else self.most
        return int(Whole(self.least, self.most).read(raw))

    def possible_answers(self, options: Sequence[str]) -> Sequence[str]:
        """The question's options if it lists any, else the range of numbers."""
        if options or self.most is not None:
            return options or (f"{self.least} … {self.most}",)
        return str(self.least), str(self.least + 1), f"{self.least + 2} …"


@dataclass(eq=False, repr=False)
class Several(AnswerKind, ABC):
    """Several values. `instead`: words that leave it to the default, for which the value is ()."""

    instead: tuple[str, ...] = field(default=(), kw_only=True)

    def read(self, raw: Any) -> Any:
        """The values."""
        text = as_text(raw)
        return () if self.offer.find(text, self.instead) else self.parse(text)

    @abstractmethod
    def parse(self, text: str) -> Any:
        """The values in a text."""


@dataclass(eq=False, repr=False)
class Codes(Several):
    """Several codes, or names of what they stand for, separated by blanks, commas or arrows.

    `count`: how many different ones, None for any number; `every`: all of them, each once, and the order counts;
    `among`: the codes if the question lists none as options.
    """

    count: int | None = None
    every: bool = False
    among: tuple[str, ...] = ()

    def parse(self, text: str) -> tuple[str, ...]:
        """The codes, each once, in the order typed. With `every` the error names what is ``missing``."""
        known = self.among or tuple(self.offer.options)
        # where commas or arrows part them, a name may have blanks
        pieces = [word.strip() for word in re.split(r"[,;>→]+" if re.search(r"[,;>→]", text) else r"\s+", text)]
        words = [word for piece in pieces if piece
                 for word in ([piece] if not known or self.offer.find(piece, known) else piece.split())]
        picked = [self.offer.find(word, known) or word.upper() for word in words]
        strange = [code for code in picked if code not in known]
        if not known:
            return tuple(picked)
        if self.every and (strange or sorted(picked) != sorted(known)):
            raise UnreadableValue(missing=[code for code in known if picked.count(code) != 1] + strange)
        if not picked or strange or (self.count is not None and len(set(picked)) != self.count):
            raise UnreadableValue
        return tuple(dict.fromkeys(picked))


@dataclass(eq=False, repr=False)
class Parts(Several):
    """An amount in parts, each more than 0: ``80 30 40``. `total`: their sum, None if not known before the phase."""

    total: int | None = None

    def parse(self, text: str) -> tuple[int, ...]:
        """The parts; if they do not add up to the total they are `BEYOND`. The error tells their ``sum``."""
        sizes = [parse_whole(word) or 0 for word in re.split(r"[\s,;+]+", text) if word]
        if 0 in sizes:
            raise UnreadableValue(sum=text)
        if self.total is not None and sum(sizes) != self.total:
            raise UnreadableValue(BEYOND, sum=sum(sizes))
        return tuple(sizes)


@dataclass(eq=False, repr=False)
class Shares(Several):
    """An amount shared out among units: ``V-1=20 V-2=13``.

    `have`: unit -> the most that it can take; `total`: the sum of the shares; None: not known before the phase.
    """

    have: Mapping[str, int] | None = None
    total: int | None = None

    def parse(self, text: str) -> Mapping[str, int]:
        """Unit -> share. The error tells the ``sum`` of what could be read."""
        pairs, have = re.findall(_SHARE, text), self.have
        shares = {(unit.upper() if have is None else self.offer.find(unit, [*have])): int(n) for unit, n in pairs}
        total = sum(shares.values())
        if re.sub(r"[\s,;]+", "", re.sub(_SHARE, "", text)) or not pairs or len(shares) != len(pairs):
            raise UnreadableValue(sum=total)
        if self.total not in (None, total) or (
                have is not None and any(share > have.get(unit, -1) for unit, share in shares.items())):
            raise UnreadableValue(BEYOND, sum=total)
        return shares


# Kinds of question, and single questions.


NO_OPTION, NO_STANDING = "ARB-135", "ARB-300"
OF = "of"
"""The key in `Question.asked` for whom the phase has asked, if somebody else answers."""
_ERROR = re.compile(r"#[A-Z][A-Z0-9/_]*[!?]?|Err:\d+")
"""What a spreadsheet shows if a formula fails."""


class Told(NamedTuple):
    """A finding about an answer: its code, and for each brace in its text the value that fills it.

    Values are those of `Ask.asked`, ``answer`` (as it was typed), ``options``, ``question`` (its name), ``default``,
    and what the kind of answer adds. Several codes are separated by blanks, options by commas.
    """

    code: str
    data: Mapping[str, str] = MappingProxyType({"answer": "answer", "options": "options"})


class QuestionType(NamedTuple):
    """A kind of question. `text`: its wording, English (msgid) with {braces}; `variants` and `means` as in `EventType`.

    `answer`: the kind of answer; a single question may narrow it down (`Ask.answer`). `answers`: other words, in either
    language, -> the option that they mean; one form of a verb is enough. `stands`: the kind of standing answer, None if
    it is asked every time. `wrong`: the finding for an invalid answer; `beyond`: for one that is out of bounds or does
    not add up, if it differs; `foreign`: for an answer in another faction's name; `speaks`: whether one faction may
    answer for another; `by_default`: the finding that a default was taken. `subjects`: given a faction's view and
    its code, all that such a question may be about, the likeliest first; None where anything may come.
    `duty`: what several who are asked have still to do, English (msgid), such as ``choose a road``; "": to answer.
    """

    kind: str
    text: str
    variants: tuple[str, Mapping[str, str]] | None = None
    answers: Mapping[str, str] = MappingProxyType({})
    answer: AnswerKind = Option()
    stands: AnswerKind | None = None
    wrong: Told = Told(NO_OPTION)
    beyond: Told | None = None
    foreign: Told | None = None
    speaks: Callable[[Campaign, str, str], bool] = lambda campaign, given, other: given == other
    by_default: Told | None = None
    means: Mapping[str, Meaning] | None = None
    subjects: Callable[[Campaign, str], Iterable[str]] | None = None
    duty: str = ""


class Ask(NamedTuple):
    """A question that a phase needs answered. `to`: the code of a faction or of a person below one, or ``referee``.

    If somebody else answers for them (`stand_ins`), its row is addressed to that faction, and ``of`` in
    the row's details says whom the phase has asked.

    `options`: the allowed words ((): free text); `default`: "" for none; `asked`: fills the braces of the question's
    text; `so_far`: events of this phase that the addressee may know; `terms`: the keys of `asked` to which an answer
    agrees, so that an answer to other terms does not count; `answer`: the kind of answer with this question's bounds
    and codes, None: as its kind declares.
    """

    kind: str
    to: str
    about: str = ""
    options: tuple[str, ...] = ()
    default: str = ""
    asked: Mapping[str, Any] = MappingProxyType({})
    so_far: tuple[Mapping[str, Any], ...] = ()
    terms: tuple[str, ...] = ()
    answer: AnswerKind | None = None

    def ident(self, turn: str, phase: str, record: type[Question] = Question) -> str:
        """The question's name, as the ruleset's record of questions forms it."""
        return record.name_for(turn, phase, self.kind, self.to, self.about)

    def row(self, turn: str, phase: str, record: type[Question] = Question, instead: str = "") -> Question:
        """Its row on the Questions sheet, open and unanswered. `instead`: who answers, if that is somebody else."""
        asked = {**self.asked, OF: self.to} if instead else dict(self.asked)
        return record(question=self.ident(turn, phase, record), turn=turn, phase=phase, kind=self.kind,
                      to=instead or self.to, about=self.about, options=", ".join(self.options), default=self.default,
                      asked=asked,
                      so_far={"events": [dict(e) for e in self.so_far]} if self.so_far else {}, status="open")


class Waiting(Exception):
    """Stops a phase until answers come; `assistant.turn.phases.resolve` catches it."""

    def __init__(self, questions: Sequence[Ask]) -> None:
        super().__init__(f"{len(questions)} questions")
        self.questions = list(questions)


def type_of(types: Mapping[str, QuestionType], kind: str) -> QuestionType:
    """The declaration of a kind of question; a minimal one if the ruleset has none."""
    return types.get(kind) or QuestionType(kind, "{about}")


def codes_of_name(campaign: Campaign, name: str) -> set[str]:
    """The codes of all rows of a name."""
    named = (record for record in campaign.records().values() if any(c.name in NAMES for c in record.columns()))
    return {code for record in named for code in campaign.derive(codes_by_name, record).get(fold(name), ())}


def offering(answer: AnswerKind, campaign: Campaign, kind: QuestionType, options: Sequence[str]) -> AnswerKind:
    """A kind of answer with what is known about a question of a kind with these options."""
    return replace(answer, offer=AnswerContext(options, kind.answers, partial(codes_of_name, campaign)))


def unreadable_finding(row: Question) -> Finding | None:
    """The finding for an answer that is unreadable whatever the question: a formula, an error value, too long a text.
    """
    text = row.answer.strip()
    code = FORMULA if text.startswith("=") else ERROR_VALUE if _ERROR.fullmatch(text) else TOO_LONG
    if code == TOO_LONG and len(text) <= LONGEST_TEXT:
        return None
    seen: dict[str, Any] = {"seen": text[:80]}
    if code == TOO_LONG:
        seen = {"seen": text[:40] + "…", "length": len(text), "allowed": LONGEST_TEXT}
    return Finding(code, "error", Where(Question.sheet, row.ident, "answer"), seen, "" if row.to == REFEREE else row.to)


def refusal_finding(
    types: Mapping[str, QuestionType],
    messages: Mapping[str, Message],
    row: Question,
    unfit: UnreadableValue,
    answer: AnswerKind,
) -> Finding:
    """The finding for an invalid answer, at its cell. `row`: the question, with the answer in it."""
    kind = type_of(types, row.kind)
    told = Told(NO_STANDING, {"kind": "kind"}) if unfit.reason == EACH_TIME else (
        kind.beyond if unfit.reason == BEYOND and kind.beyond is not None else kind.wrong)
    return finding_at_answer(told, messages, row, {
        "options": answer.possible_answers(answer.offer.options or options_of(row)), **unfit.data})


def finding_at_answer(told: Told, messages: Mapping[str, Message], row: Question, data: Mapping[str, Any]) -> Finding:
    """A finding at the cell of an answer, its braces filled from the question and `data`.

    Raises KeyError for a code that the ruleset does not declare.
    """
    known = {**row.asked, "answer": row.answer.strip(), "question": row.question, "kind": row.kind,
             "default": row.default, **data}
    filled = {brace: _join(brace, known[source]) for brace, source in told.data.items()}
    severity = "error" if told.code in (NO_OPTION, NO_STANDING) else messages[told.code].severity
    return Finding(told.code, severity, Where(Question.sheet, row.ident, "answer"), filled,
                   "" if row.to == REFEREE else row.to)


def _join(brace: str, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (", " if brace == "options" else " ").join(value)
    return value


def options_of(row: Question) -> list[str]:
    """The options that a row of Questions lists."""
    return [option.strip() for option in row.options.split(",") if option.strip()]


# Standing answers: ``choice stop until changed``, for every meeting or for those with M.
#
# Such an answer is a row of Questions without turn and phase. It applies whenever a question of its kind, about its
# subject if it names one, is asked of its faction and gets no answer of its own. ``-`` takes it back.


UNTIL = ("until changed", "until it is changed", "until further notice", "fino a nuovo avviso", "fino a nuovo ordine")
"""The words after an answer that make it a standing one, in either language."""
SHOWN_UNTIL = {"en": UNTIL[0], "it": UNTIL[3]}
"""The one that is shown to readers, by language."""
TAKEN_BACK = "-"
ORDERS = "orders"
"""The kind of the Questions row that holds a faction's standing orders."""
BY = "standing"
"""The key in `Question.asked` for the standing answer that was used."""
_UNTIL = r"(?is)(.*?)[\s,;:]*\b(?:" + "|".join(UNTIL).replace(" ", r"[\s_]+") + r")[\s.]*"
_NO_SUBJECTS = (Order, Question, Die, Event, FindingRow, Rule, Desk)


def strip_until(text: str) -> tuple[str, bool]:
    """An answer without ``until changed``, and whether it had those words."""
    match = re.fullmatch(_UNTIL, text.strip())
    return (match[1].strip(), True) if match else (text.strip(), False)


def parse_standing_answer(
    types: Mapping[str, QuestionType], campaign: Campaign, kind: str, text: str
) -> tuple[str, str]:
    """Subject ("" for all) and answer of ``[SUBJECT] ANSWER``, without ``until changed``. Raises `UnreadableValue`."""
    words = text.split()
    for end in range(len(words)):
        about = _subject(campaign, " ".join(words[:end])) if end else ""
        if about is None:
            continue
        try:
            return about, read_standing_answer(types, campaign, kind, " ".join(words[end:]))
        except UnreadableValue as no:
            if no.reason == EACH_TIME:
                raise
    raise UnreadableValue


def read_standing_answer(types: Mapping[str, QuestionType], campaign: Campaign, kind: str, answer: str) -> str:
    """The text of a standing answer: an option by its code, else as it was typed. Raises `UnreadableValue`."""
    declared = type_of(types, kind)
    if declared.stands is None:
        raise UnreadableValue(EACH_TIME)
    if answer == TAKEN_BACK:
        return answer
    value = offering(declared.stands, campaign, declared, declared.stands.possible_answers(())).read(answer)
    return value if isinstance(value, str) else answer


def standing_text(row: Question) -> str:
    """The text of a standing answer, without ``until changed``."""
    return strip_until(row.answer)[0]


def make_standing(types: Mapping[str, QuestionType], campaign: Campaign, row: Question) -> Question:
    """The row for a standing answer that was handed in. Raises `UnreadableValue`."""
    about, answer = parse_standing_answer(types, campaign, row.kind, standing_text(row))
    return standing_row(type(row), row.kind, row.to, about or _subject(campaign, row.about) or row.about, answer)


def standing_row(record: type[Question], kind: str, to: str, about: str, answer: str) -> Question:
    """The row of a standing answer."""
    return record(question=record.standing_name(kind, to, about), kind=kind, to=to, about=about, answer=answer)


def standing_rows(campaign: Campaign) -> list[Question]:
    """The rows of all standing answers, including those that were taken back or emptied."""
    return campaign.table(Question).open_rows(campaign.desk.turn, lambda row: row.stands, parts=("",))


def applicable_row(rows: Iterable[Question], kind: str, to: str, about: str) -> Question | None:
    """The standing answer that applies to a question: of several the one with the most specific subject.

    None if there is none, if it was taken back, or if two equally specific ones differ.
    """
    asked = subject_parts(about)
    fitting = [row for row in rows if (row.kind, row.to) == (kind, to) and standing_text(row)
               and subject_parts(row.about) <= asked]
    most = max((len(subject_parts(row.about)) for row in fitting), default=0)
    closest = [row for row in fitting if len(subject_parts(row.about)) == most]
    if len({standing_text(row).casefold() for row in closest}) != 1 or standing_text(closest[0]) == TAKEN_BACK:
        return None
    return closest[0]


def has_standing_answer(types: Mapping[str, QuestionType], campaign: Campaign, row: Question) -> bool:
    """Whether a valid standing answer applies to the question in a row."""
    standing = applicable_row(standing_rows(campaign), row.kind, row.to, row.about)
    declared = type_of(types, row.kind)
    if standing is None:
        return False
    try:
        answer = read_standing_answer(types, campaign, row.kind, standing_text(standing))
        offering(declared.answer, campaign, declared, options_of(row)).read(answer)
    except UnreadableValue:
        return False
    return True


def subject_parts(about: str) -> set[str]:
    """What a question is about, part by part, in whichever order they are told."""
    return {part.casefold() for part in re.sub(r"#\d+$", "", about).split("/") if part}


def _subject(campaign: Campaign, words: str) -> str | None:
    """A subject typed by codes or names in the form that questions use, ``V8/M``; None if it is unknown."""
    parts = [find_code(campaign, part) for part in words.split("/")]
    return "/".join(parts) if all(parts) else None


def find_code(campaign: Campaign, word: str) -> str:
    """The code of whatever has this code or name, in any case of letters; "" if nothing has."""
    return code_finder(campaign)(word)


def code_finder(campaign: Campaign) -> Callable[[str], str]:
    """`find_code` for many words, as long as the tables stay as they are."""
    sheets = [Faction.sheet, *(sheet for sheet, record in campaign.records().items()
                               if record.unique and not issubclass(record, (Faction, *_NO_SUBJECTS)))]
    codes = cache(lambda sheet: code_lookup(campaign.by_sheet(sheet)))

    def find(word: str) -> str:
        wanted = word.strip().casefold()
        return next((code for sheet in sheets if (code := codes(sheet).get(wanted, ""))), "")
    return find

# Who is asked or told on behalf of a code.
#
# A faction that the rules play has no club, so the referee is asked and told in its place. For one of the people below
# a faction it is that faction.


def roles_of(campaign: Campaign) -> Mapping[str, str]:
    """The code of each faction -> its role, in natural order."""
    return campaign.derive(_roles, Faction)


def _roles(factions: Table[Faction]) -> dict[str, str]:
    return {row.faction: row.role for row in factions}


def stand_ins(campaign: Campaign) -> Mapping[str, str]:
    """Code of whoever is not asked directly -> the faction (or the referee) that is asked instead."""
    takers = {}
    for record in campaign.records().values():
        if record.persons:
            takers.update({row.ident: str(getattr(row, "faction", "")) or REFEREE for row in campaign.table(record)})
    factions = {code: REFEREE if role == RULES else code for code, role in roles_of(campaign).items()}
    people = {code: factions.get(faction, faction) for code, faction in takers.items() if code not in factions}
    return people | {code: REFEREE for code, whom in factions.items() if whom == REFEREE}


def recipients_of(codes: Iterable[str], instead: Mapping[str, str]) -> list[str]:
    """The factions that receive what is addressed to these codes; the referee, who sees everything, is left out."""
    return [code for code in dict.fromkeys(instead.get(code, code) for code in codes) if code != REFEREE]


# The questions of a phase and their answers.


T = TypeVar("T")

OUTDATED, OF_ANOTHER = "ARB-275", "ARB-308"
DEFAULTS = ("default", "predefinita", "predefinito")
"""Words that take the default of a question."""


class AnswerValue(NamedTuple):
    """The value of a valid answer; a class of its own because the value may itself be None or empty."""

    value: Any


def answers_of(campaign: Campaign) -> dict[str, str]:
    """The answers to questions of the present phase: name -> trimmed text, blanks left out."""
    desk = campaign.desk
    turns, phases = ("", desk.turn), ("", desk.phase)
    given = campaign.table(Question).open_rows(desk.turn, lambda q: bool(
        q.answer and q.turn in turns and q.phase in phases and q.answer.strip() and not q.stands), parts=phases)
    return {q.question: q.answer.strip() for q in given}


class Answering:
    """The questions of one run of a phase. `types`: how the ruleset declares its kinds; `answers`: name -> text."""

    def __init__(self, campaign: Campaign, phase: str, messages: Mapping[str, Message],
                 types: Mapping[str, QuestionType], answers: Mapping[str, str] | None = None) -> None:
        self.campaign = campaign
        self.phase = phase
        self.turn = campaign.desk.turn
        self.findings: list[Finding] = []
        self._once = UniqueFindings(self.findings)
        self.asked: list[Ask] = []
        self._alike: dict[str, list[Ask]] = {}
        """The questions asked so far, by name."""
        self.outdated: set[str] = set()
        self.heard: set[str] = set()
        """Keys of rows with a valid answer that no question of the phase asked for."""
        self.stood: dict[str, Question] = {}
        """Name of a question -> the standing answer that was used for it."""
        self.messages = messages
        self._types = types
        self._given_answers = answers
        self._questions: type[Question] = campaign.records()[Question.sheet]  # type: ignore[assignment]

    @cached_property
    def _answers(self) -> dict[str, str]:
        return dict(answers_of(self.campaign) if self._given_answers is None else self._given_answers)

    # --- what a phase asks --------------------------------------------------------------------
    def ask(self, question: Ask) -> str:
        """The answer as text: an option by its code, anything else as it was typed.

        Without a valid answer the phase stops here and is run again once there is one.
        """
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[Ask]) -> list[str]:
        """The answers to independent questions, as `ask`; the phase stops once for all that are still open."""
        values = self._all(questions)
        return [value if isinstance(value, str) else self._text_of(question)
                for question, value in zip(questions, values, strict=True)]

    choose, choose_all = ask, ask_all
    """The same, of questions that list options: the codes of those chosen."""

    def may_choose(self, question: Ask) -> str:
        """The chosen option, or the default if there is no answer: the phase does not wait for one."""
        if self.has_answer(question):
            return self.choose(question)
        self._mark(question)
        self._say_default(question)
        return question.default

    def amount(self, question: Ask) -> int:
        """The number given as the answer."""
        return self.amounts([question])[0]

    def amounts(self, questions: Sequence[Ask]) -> list[int]:
        """The numbers given as answers to independent questions."""
        return cast("list[int]", self._all(questions, Amount))

    def codes(self, question: Ask) -> tuple[str, ...]:
        """The codes given as the answer; () for a word that leaves it to the default."""
        return self.codes_all([question])[0]

    def codes_all(self, questions: Sequence[Ask]) -> list[tuple[str, ...]]:
        """The codes given as answers to independent questions."""
        return cast("list[tuple[str, ...]]", self._all(questions, Codes))

    def parts_all(self, questions: Sequence[Ask]) -> list[tuple[int, ...]]:
        """The parts of amounts given as answers to independent questions; () as in `codes`."""
        return cast("list[tuple[int, ...]]", self._all(questions, Parts))

    def shares_all(self, questions: Sequence[Ask]) -> list[Mapping[str, int]]:
        """How amounts are shared out (unit -> share), as answered to independent questions."""
        return cast("list[Mapping[str, int]]", self._all(questions, Shares))

    def answer_to(self, question: Ask) -> str:
        """The answer as `ask` gives it, "" if there is none; the question counts as asked.

        An invalid answer stops the phase.
        """
        self._mark(question)
        return self.ask(question) if self.has_answer(question) else ""

    def has_answer(self, question: Ask) -> bool:
        """Whether there is a typed or a standing answer; the question does not count as asked."""
        return bool(self._text_of(question)) or self._standing_value(question) is not None

    def early_answer(self, question: Ask) -> Any:
        """The answer to a question for which no phase waits; None if there is none: then it does not count as asked.

        An invalid answer gets a finding at its cell and has no effect.
        """
        given = self._own_value(question) if self.has_answer(question) else None
        if given is None and question in self.asked:
            self.asked.remove(question)
            self._alike[self.name_of(question)].remove(question)
        return None if given is None else given.value

    def ask_again(self, question: Ask, code: str, **data: Any) -> None:
        """Reject an answer that conflicts with others: it gets a finding at its cell, and the question stays open."""
        self._note(
            finding_at_answer(Told(code, {name: name for name in data}), self.messages, self._row(question), data)
        )
        raise Waiting([question])

    def row_of(self, question: Ask) -> Question:
        """The question's row, open and unanswered, addressed to whoever answers it."""
        return question.row(self.turn, self.phase, self._questions, self.instead.get(question.to, ""))

    @cached_property
    def instead(self) -> Mapping[str, str]:
        """Who is asked and told instead of others; see `stand_ins`."""
        return stand_ins(self.campaign)

    def _answerer(self, question: Ask) -> str:
        return self.instead.get(question.to, question.to)

    def name_of(self, question: Ask) -> str:
        """The question's name on this ruleset's Questions sheet."""
        return question.ident(self.turn, self.phase, self._questions)

    def unasked_questions(self) -> list[Question]:
        """Rows with answers typed for this phase to questions that it did not ask."""
        asked = {self.name_of(ask) for ask in self.asked}
        return self.campaign.table(Question).of_turn(
            self.turn, lambda row: bool(row.answer.strip()) and row.question not in asked
            and row.ident not in self.heard, parts=(self.phase,))

    # --- how answers are taken ------------------------------------------------------------------
    def _all(self, questions: Sequence[Ask], kind: type[AnswerKind] | None = None) -> list[Any]:
        """The values of all answers. Invalid ones get their findings at once, not only when the others have come."""
        for question in questions:
            if kind is not None and not isinstance(self._kind(question), kind):
                raise TypeError(f"the answer to {question.kind} is declared as {type(self._kind(question)).__name__}")
        answers = [self._own_value(question) for question in questions]
        missing = [question for question, given in zip(questions, answers, strict=True) if given is None]
        if missing:
            raise Waiting(missing)
        return [given.value for given in answers if given is not None]

    def _own_value(self, question: Ask) -> AnswerValue | None:
        """The value of the addressee's own or standing answer; None if the question stays open."""
        self._mark(question)
        text, kind = self._text_of(question), self._kind(question)
        if not text:
            return self._standing_value(question)
        wrong = unreadable_finding(self._row(question))
        if wrong is not None:
            self._note(wrong)
            return None
        try:
            plain, by_default = plain_answer(self._types, self.campaign, self._row(question))
            if by_default:
                self._say_default(question)
            return AnswerValue(kind.read(question.default if by_default else plain))
        except UnreadableValue as unfit:
            self._note(refusal_finding(self._types, self.messages, self._row(question), unfit, kind))
            return None

    def _standing_value(self, question: Ask) -> AnswerValue | None:
        """The value of the standing answer, if it is valid here; else the question is asked as if there were none."""
        row = applicable_row(self._standing, question.kind, self._answerer(question), question.about)
        if row is None or self._text_of(question):
            return None
        try:
            given = AnswerValue(
                self._kind(question).read(
                    read_standing_answer(self._types, self.campaign, row.kind, standing_text(row))
                )
            )
        except UnreadableValue:
            return None
        self.stood[self.name_of(question)] = row
        return given

    @cached_property
    def _standing(self) -> list[Question]:
        """All standing answers; those typed for this phase replace older ones."""
        made = {row.ident for row in self.new_standing}
        return [*self.new_standing, *(row for row in standing_rows(self.campaign) if row.ident not in made)]

    @cached_property
    def new_standing(self) -> list[Question]:
        """The standing answers that follow from answers of this phase typed with ``until changed``."""
        standing: dict[str, Question] = {}
        for row in self.campaign.table(Question).of_turn(
                self.turn, lambda row: bool(row.answer) and strip_until(row.answer)[1], parts=(self.phase,)):
            try:
                fresh = make_standing(self._types, self.campaign, replace(row, about=""))
            except UnreadableValue:
                continue  # the finding is made where the question is asked
            standing[fresh.ident] = fresh
        return list(standing.values())

    # --- what belongs to a question --------------------------------------------------------------
    def _kind(self, question: Ask) -> AnswerKind:
        declared = type_of(self._types, question.kind)
        return offering(question.answer or declared.answer, self.campaign, declared, question.options)

    def _text_of(self, question: Ask) -> str:
        return self._answers.get(self.name_of(question), "").strip()

    def _row(self, question: Ask) -> Question:
        return replace(self.row_of(question), answer=self._text_of(question))

    def _mark(self, question: Ask) -> None:
        """Count the question as asked, and drop an answer that was given to other terms."""
        name = self.name_of(question)
        alike = self._alike.setdefault(name, [])
        if question not in alike:
            alike.append(question)
            self.asked.append(question)
        if name in self._answers:
            self._drop_if_anothers(question, name)
        if question.terms and name in self._answers:
            self._drop_if_outdated(question, name)

    def _drop_if_anothers(self, question: Ask, name: str) -> None:
        """Drop an answer typed in advance in another faction's name, unless the ruleset has a finding of its own."""
        row = self.campaign.table(Question).get(self._questions(question=name, turn=self.turn, phase=self.phase).ident)
        kind = type_of(self._types, question.kind)
        if row is None or row.hold != "typed" or kind.foreign is not None:
            return
        faction = code_lookup(self.campaign.table(Faction)).get(row.to.casefold(), "")
        if faction in ("", self._answerer(question)) or kind.speaks(self.campaign, faction, question.to):
            return
        del self._answers[name]
        self.outdated.add(name)
        self._note(Finding(OF_ANOTHER, "error", Where(Question.sheet, row.ident, "answer"),
                           {"answer": row.answer.strip(), "faction": faction}))

    def _drop_if_outdated(self, question: Ask, name: str) -> None:
        """Drop an answer that was given to other terms than the question has now.

        One that came before the question was ever asked, or with a correction, stays: whoever gives it accepts the
        terms as they will be.
        """
        row = self._questions(question=name, turn=self.turn, phase=self.phase)
        put = self.campaign.table(Question).get(row.ident)
        if put is None or not put.asked or put.answer.strip() != self._answers[name]:
            return
        if all(str(put.asked.get(term, "")) == str(question.asked.get(term, "")) for term in question.terms):
            return
        del self._answers[name]
        self.outdated.add(name)
        self._note(Finding(OUTDATED, "warning", Where(Question.sheet, row.ident, "answer"),
                           {"answer": put.answer.strip()}, "" if put.to == REFEREE else put.to))

    def _say_default(self, question: Ask) -> None:
        """Make the ruleset's finding, if it has one, that a question's default was taken."""
        told = type_of(self._types, question.kind).by_default
        if told is not None:
            self._note(finding_at_answer(told, self.messages, self._row(question), {}))

    def note(self, findings: Iterable[Finding]) -> None:
        """Add findings made elsewhere, each once."""
        for finding in findings:
            self._note(finding)

    def _note(self, finding: Finding) -> None:
        self._once.add(finding)


# Judging an answer by its row alone: the kind of question, its options, and what was typed.


def check_answer(types: Mapping[str, QuestionType], messages: Mapping[str, Message], campaign: Campaign,
               row: Question) -> Finding | None:
    """The finding for an invalid answer; None if it may be valid.

    Options that only the phase knows are left to it: an answer in advance is judged where it is an amount. A standing
    answer is only checked for whether its kind of question allows one.
    """
    declared, text = types.get(row.kind), row.answer.strip()
    wrong = unreadable_finding(row)
    if wrong is not None or not text or row.kind == ORDERS or not (row.stands or declared is not None):
        return wrong
    kind, options = declared or QuestionType(row.kind, ""), options_of(row)
    if not (row.stands or options or isinstance(kind.answer, Amount)):
        return None
    answer = kind.stands or kind.answer if row.stands else offering(kind.answer, campaign, kind, options)
    try:
        if row.stands:
            read_standing_answer(types, campaign, row.kind, standing_text(row))
            return None
        plain, by_default = plain_answer(types, campaign, row)
        if not by_default:
            answer.read(plain)
    except UnreadableValue as unfit:
        return refusal_finding(types, messages, row, unfit, answer)
    return None


def plain_answer(types: Mapping[str, QuestionType], campaign: Campaign, row: Question) -> tuple[str, bool]:
    """The answer in a row without ``until changed``, and whether it leaves it to the question's default. Raises
    `UnreadableValue`.
    """
    plain, until = strip_until(row.answer)
    if until:
        plain = parse_standing_answer(types, campaign, row.kind, plain)[1]
    return plain, fold(plain) in DEFAULTS and bool(row.default or not row.status)


def subjects_instead(kind: QuestionType, view: Campaign, row: Question) -> list[str]:
    """What a question of the next phase that puts such could be about instead, if the one answered in advance will
    never be put; else [].
    """
    if row.status or kind.subjects is None or not row.about or row.to not in view.table(Faction):
        return []
    subjects = list(kind.subjects(view, row.to))
    return [] if subject_parts(row.about) in map(subject_parts, subjects) else list(dict.fromkeys(subjects))


# Questions that no phase waits for.
#
# Such a question is asked again in each phase until it is answered or its deadline has passed; until then its default
# applies.


class Invitation(NamedTuple):
    """A question for which the present phase does not wait.

    `take`: carries an answer out, given the run of the phase and the answer's value; None: the phase itself looks at it
    (`Answering.early_answer`). `until`: the last phase that accepts an answer, as (turn, phase). `quiet`: nobody is
    reminded to answer.
    """

    ask: Ask
    until: tuple[str, str] = ("", "")
    take: Callable[[Any, Any], None] | None = None
    quiet: bool = False


class OpenInvitation(NamedTuple):
    """An invitation and its row for the Questions sheet."""

    invitation: Invitation
    row: Question


def take_answers(game: Answering, invitations: Iterable[Invitation]) -> None:
    """Carry out the answers before the phase is played; an invalid answer has no effect."""
    for invitation in invitations:
        value = game.early_answer(invitation.ask) if invitation.take is not None else None
        if invitation.take is not None and value is not None:
            invitation.take(game, value)


def open_invitations(game: Answering, invitations: Iterable[Invitation]) -> list[OpenInvitation]:
    """The invitations that nobody has answered yet, with their rows."""
    return [OpenInvitation(invitation, game.row_of(invitation.ask))
            for invitation in invitations if not game.has_answer(invitation.ask)]
