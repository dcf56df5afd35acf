"""Kinds of question, kinds of answer, and standing answers."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple

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
from assistant.campaign.tables import natural
from assistant.turn.findings import ERROR_VALUE, FORMULA, TOO_LONG, Finding, Message, Where
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

    If somebody else answers for them (`assistant.turn.answers`), its row is addressed to that faction, and ``of`` in
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
