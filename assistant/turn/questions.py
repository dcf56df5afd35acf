"""What rulebooks ask: kinds of question, what an answer may be, and answers that stand until changed."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import LONGEST_TEXT, NO_WORDS, YES_WORDS, whole_digits
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
    called,
)
from assistant.campaign.tables import natural
from assistant.turn.findings import ERROR_VALUE, FORMULA, TOO_LONG, Finding, Meaning, Message, Where
from assistant.turn.orders.words import fold, meaning

# What an answer is: one of several options, an amount, several codes, an amount shared out, or any text.
#
# Each kind reads what was typed into the value that the phase works with, or says why it cannot.


T_co = TypeVar("T_co", covariant=True)

UNKNOWN, BEYOND, EACH_TIME = "unknown", "beyond", "each time"
"""Why an answer cannot be taken: it is none of what is offered; a number is out of bounds, or does not add up; it
shall stand until it is changed, and its question is put each time.
"""
_NUMBER = re.compile(r"[0-9]{1,9}")
_WITH_AMOUNT = re.compile(r"(.+?)[\s:]+([0-9]{1,9})")
_SHARE = re.compile(r"(\S+?)\s*[=:]\s*([0-9]{1,9})(?=[\s,;]|$)")


class Unfit(Exception):
    """An answer that cannot be taken. `role`: why; `data`: what a finding may tell of it beside the answer."""

    def __init__(self, role: str = UNKNOWN, **data: Any) -> None:
        super().__init__(role)
        self.role = role
        self.data = data


@dataclass(frozen=True)
class Offer:
    """What is known of a question when its answer is read.

    `options`: as the question lists them; `words`: further words -> the option that they mean; `named`: gives for
    codes the names by which people know what they stand for, name -> code.
    """

    options: Sequence[str] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    named: Callable[[Sequence[str]], Mapping[str, str]] = lambda codes: {}

    def find(self, typed: str, among: Sequence[str]) -> str:
        """The code that was typed, by itself, by one of the further words or by name, or without the zeros in front of
        its number; "" for none. The full stop of who answers in sentences (`Sì.`) is no part of it.
        """
        typed = typed.rstrip(" .!")
        wanted = fold(typed)
        flag = "yes" if wanted in YES_WORDS else "no" if wanted in NO_WORDS else ""
        for code in among:
            if wanted in (fold(code), f"to_{fold(code)}"):
                return code
        meant = meaning(typed, {word: code for word, code in self.words.items() if code in among})
        found = meant or {fold(name): code for name, code in self.named(among).items()}.get(wanted, "")
        alike = [] if found else [code for code in among if natural(fold(code)) == natural(wanted)]
        return alike[0] if len(alike) == 1 else found or (flag if wanted and flag in among else "")


def whole(text: str) -> int | None:
    """A whole number of 0 or more as a person types it or a spreadsheet saves it, None for anything else."""
    digits = whole_digits(text.strip())
    return int(digits) if _NUMBER.fullmatch(digits) else None


@dataclass(frozen=True)
class Kind(ABC, Generic[T_co]):
    """A kind of answer. What a declaration leaves open (a bound, the codes) is judged only where it is known."""

    @abstractmethod
    def read(self, text: str, offer: Offer) -> T_co:
        """The value of an answer, which is not blank. Raises `Unfit`."""

    def offered(self, options: Sequence[str]) -> Sequence[str]:
        """What may be typed, for the finding that names it."""
        return options


@dataclass(frozen=True)
class Text(Kind[str]):
    """Any text, trimmed. `reader`: gives it its canonical form, "" for what cannot be."""

    reader: Callable[[str], str] | None = None

    def read(self, text: str, offer: Offer) -> str:
        """The text."""
        found = text.strip() if self.reader is None else self.reader(text.strip())
        if not found:
            raise Unfit
        return found


@dataclass(frozen=True)
class Option(Kind[str]):
    """One of the question's options, by itself, by a further word, or by the name of what it is the code of.

    An option ``buy:5`` takes any amount from 1 to 5 behind its word, ``promise:n`` one within `amounts` (word ->
    least, most). `among`: the options where the question lists none; `reader`: reads what is none of them, as in
    `Text`. A question that offers nothing takes any text.
    """

    among: tuple[str, ...] = ()
    amounts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    reader: Callable[[str], str] | None = None

    def read(self, text: str, offer: Offer) -> str:
        """The option."""
        options = self.among or tuple(offer.options)
        if not options and self.reader is None:
            return text.strip()
        found = offer.find(text, [one for one in options if ":" not in one]) or next(
            (one for one in options if fold(one) == fold(text)), "") or self._with_amount(text, options, offer)
        if not found and self.reader is not None:
            found = self.reader(text.strip())
        if not found:
            raise Unfit
        return found

    def _with_amount(self, text: str, options: Sequence[str], offer: Offer) -> str:
        """``word:n`` within the bounds of its option, "" for anything else."""
        typed = _WITH_AMOUNT.fullmatch(text.strip())
        heads = dict(one.split(":", 1) for one in options if ":" in one)
        word = offer.find(typed[1], list(heads)) if typed else ""
        if typed is None or not word:
            return ""
        amount = whole(heads[word])
        least, most = self.amounts.get(word, (1, 0)) if amount is None else (1, amount)
        return f"{word}:{int(typed[2])}" if least <= int(typed[2]) <= most else ""

    def offered(self, options: Sequence[str]) -> Sequence[str]:
        """Its options."""
        return self.among or options


@dataclass(frozen=True)
class Amount(Kind[int]):
    """A whole number from `least` to `most` (None: not known before the phase), both within. `entire`: the word that
    means the most, where there is one.
    """

    least: int = 0
    most: int | None = None
    entire: str = ""

    def read(self, text: str, offer: Offer) -> int:
        """The number; one that is out of bounds is `BEYOND` with both bounds."""
        found = whole(text)
        if found is None and self.entire and offer.find(text, [self.entire]):
            found = self.least if self.most is None else self.most
        if found is None:
            raise Unfit
        if found < self.least or (self.most is not None and found > self.most):
            raise Unfit(BEYOND, least=self.least, most=self.most)
        return found

    def offered(self, options: Sequence[str]) -> Sequence[str]:
        """The question's options where it lists them, else how the numbers go on."""
        if options or self.most is not None:
            return options or (f"{self.least} … {self.most}",)
        return str(self.least), str(self.least + 1), f"{self.least + 2} …"


@dataclass(frozen=True)
class Codes(Kind[tuple[str, ...]]):
    """Several codes in a line, parted by blanks, commas or arrows; the names of what they stand for do as well.

    `count`: how many different ones, None: as many as one likes; `every`: each of them once, and the order counts;
    `among`: the codes where the question lists none as options; `instead`: words that leave it to the default, for
    which the value is ().
    """

    count: int | None = None
    every: bool = False
    among: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()

    def read(self, text: str, offer: Offer) -> tuple[str, ...]:
        """The codes, each once, in the order typed. Of `every` one a fault names what is ``missing``."""
        known = self.among or tuple(offer.options)
        if offer.find(text, self.instead):
            return ()
        pieces = [one.strip() for one in re.split(r"[,;>→]+" if re.search(r"[,;>→]", text) else r"\s+", text)]
        words = [word for piece in pieces if piece
                 for word in ([piece] if not known or offer.find(piece, known) else piece.split())]
        if not known:
            return tuple(word.upper() for word in words)
        found = [offer.find(word, known) or word.upper() for word in words]
        strange = [code for code in found if code not in known]
        if self.every and (strange or sorted(found) != sorted(known)):
            raise Unfit(missing=[code for code in known if found.count(code) != 1] + strange)
        if not found or strange or (self.count is not None and len(set(found)) != self.count):
            raise Unfit
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class Parts(Kind[tuple[int, ...]]):
    """An amount in parts, each more than 0: ``80 30 40``. `total`: what they come to, None: not known before the phase;
    `instead` as in `Codes`.
    """

    total: int | None = None
    instead: tuple[str, ...] = ()

    def read(self, text: str, offer: Offer) -> tuple[int, ...]:
        """The parts; those that do not come to the total are `BEYOND`. The fault tells their ``sum``."""
        if offer.find(text, self.instead):
            return ()
        words = [word for word in re.split(r"[\s,;+]+", text) if word]
        found = [size for word in words if (size := whole(word))]
        if len(found) != len(words):
            raise Unfit(sum=text)
        if self.total is not None and sum(found) != self.total:
            raise Unfit(BEYOND, sum=sum(found))
        return tuple(found)


@dataclass(frozen=True)
class Shares(Kind[Mapping[str, int]]):
    """An amount shared out among units: ``V-1=20 V-2=13``.

    `have`: unit -> the most that it can bear, `total`: what the shares come to; None: not known before the phase.
    """

    have: Mapping[str, int] | None = None
    total: int | None = None

    def read(self, text: str, offer: Offer) -> Mapping[str, int]:
        """Unit -> share. A fault tells the ``sum`` of what could be read."""
        pairs = _SHARE.findall(text)
        known = list(self.have or ())
        found = {(offer.find(unit, known) if self.have is not None else unit.upper()): int(n) for unit, n in pairs}
        total = sum(found.values())
        if re.sub(r"[\s,;]+", "", _SHARE.sub("", text)) or not pairs or len(found) != len(pairs):
            raise Unfit(sum=total)
        if self.have is not None and any(share > self.have.get(unit, -1) for unit, share in found.items()):
            raise Unfit(BEYOND, sum=total)
        if self.total is not None and total != self.total:
            raise Unfit(BEYOND, sum=total)
        return found


# What a question is: how its kind is worded and answered, what one question of it asks of whom.


NO_OPTION, NO_STANDING = "ARB-135", "ARB-300"
OF = "of"
"""What `Question.asked` calls whom the phase has asked, where somebody else answers."""
_ERROR = re.compile(r"#[A-Z][A-Z0-9/_]*[!?]?|Err:\d+")
"""What a spreadsheet shows where a formula fails."""


@dataclass(frozen=True)
class Told:
    """The finding under which something of an answer is told: its code, and for each brace of its text what fills it.

    That may be anything of `Ask.asked`, ``answer`` (as it was typed), ``options``, ``question`` (its name),
    ``default``, and what the kind of answer adds (`answer_kinds`). Several codes are parted by blanks, options by
    commas.
    """

    code: str
    data: Mapping[str, str] = field(default_factory=lambda: {"answer": "answer", "options": "options"})


@dataclass(frozen=True)
class QuestionType:
    """A kind of question. `text`: how it is worded, English (msgid) with {braces}; `variants` and `means` as in
    `EventType`.

    `answer`: what its answer is; one question may say it more closely (`Ask.answer`). `answers`: further words, in
    either language, -> the option that they mean; of verbs one form will do. `stands`: what an answer is that holds
    until it is changed, None: it is put each time. `wrong`: how an answer is told that cannot be taken, `beyond`: one
    that is out of bounds or does not add up, where that is told otherwise; `foreign`: an answer that says it is
    another faction's; `speaks`: whether one faction may answer for another, where some may; `by_default`: that a
    default was taken.
    `early`: what such a question might be about, of a faction's view and its code, for the example of an answer that
    comes before it; "" where it has nothing to name.
    """

    kind: str
    text: str
    variants: tuple[str, Mapping[str, str]] | None = None
    answers: Mapping[str, str] = field(default_factory=dict)
    answer: Kind[Any] = Option()
    stands: Kind[Any] | None = None
    wrong: Told = Told(NO_OPTION)
    beyond: Told | None = None
    foreign: Told | None = None
    speaks: Callable[[Campaign, str, str], bool] = lambda campaign, one, other: one == other
    by_default: Told | None = None
    means: Mapping[str, Meaning] | None = None
    early: Callable[[Campaign, str], str] | None = None


@dataclass(frozen=True)
class Ask:
    """A question that a phase needs answered: to a faction's code, to a person's below one, or to ``referee``.

    Its row is addressed to who answers for them (`assistant.turn.answers`); ``of`` among the row's details is then
    whom the phase has asked.

    `options`: the words allowed ((): free text); `default` "" means that there is none; `asked` fills
    the braces of the question's wording; `so_far`: events of this phase that the addressee may know;
    `terms`: what of `asked` an answer agrees to, so that an answer to other terms does not count; `answer`: what its
    answer is, with the bounds and codes of this one; None: as its kind declares.
    """

    kind: str
    to: str
    about: str = ""
    options: tuple[str, ...] = ()
    default: str = ""
    asked: Mapping[str, Any] = field(default_factory=dict)
    so_far: tuple[Mapping[str, Any], ...] = ()
    terms: tuple[str, ...] = ()
    answer: Kind[Any] | None = None

    def ident(self, turn: str, phase: str, record: type[Question] = Question) -> str:
        """The question's name, as the ruleset's record of questions gives it."""
        return record.named(turn, phase, self.kind, self.to, self.about)

    def row(self, turn: str, phase: str, record: type[Question] = Question, instead: str = "") -> Question:
        """Its row on the Questions sheet, open and without an answer. `instead`: who answers, where that is another."""
        asked = {**self.asked, OF: self.to} if instead else dict(self.asked)
        return record(question=self.ident(turn, phase, record), turn=turn, phase=phase, kind=self.kind,
                      to=instead or self.to, about=self.about, options=", ".join(self.options), default=self.default,
                      asked=asked,
                      so_far={"events": [dict(e) for e in self.so_far]} if self.so_far else {}, status="open")


class Waiting(Exception):
    """Stops a phase until answers come; caught by `assistant.turn.phases.resolve`, never seen outside."""

    def __init__(self, questions: Sequence[Ask]) -> None:
        super().__init__(f"{len(questions)} questions")
        self.questions = list(questions)


def type_of(types: Mapping[str, QuestionType], kind: str) -> QuestionType:
    """The declaration of a kind of question; the plainest one where the ruleset has none."""
    return types.get(kind) or QuestionType(kind, "{about}")


def names_in(campaign: Campaign, codes: Sequence[str]) -> dict[str, str]:
    """What people call the rows of which these are the codes, name -> code; names that two of them have are left out.

    Of a table that knows none of the codes nothing is taken.
    """
    found: dict[str, set[str]] = {}
    for table in campaign.tables().values():
        called = [c.name for c in table.record.columns() if c.name in NAMES]
        for code in codes if called else ():
            row = table.get(code)
            for name in (str(getattr(row, one)).strip() for one in called if row is not None):
                found.setdefault(name, set()).add(code)
    return {name: next(iter(of)) for name, of in found.items() if name and len(of) == 1}


def offer_of(campaign: Campaign, kind: QuestionType, options: Sequence[str]) -> Offer:
    """What is known of a question of a kind with these options when its answer is read."""
    return Offer(options, kind.answers, lambda codes: names_in(campaign, codes))


def unread(row: Question) -> Finding | None:
    """The finding for an answer that nobody can read, whatever its question takes: a formula, the error of one, a text
    that is too long.
    """
    text = row.answer.strip()
    code = FORMULA if text.startswith("=") else ERROR_VALUE if _ERROR.fullmatch(text) else TOO_LONG
    if code == TOO_LONG and len(text) <= LONGEST_TEXT:
        return None
    seen: dict[str, Any] = {"seen": text[:80]}
    if code == TOO_LONG:
        seen = {"seen": text[:40] + "…", "length": len(text), "allowed": LONGEST_TEXT}
    return Finding(code, "error", Where(Question.sheet, row.ident, "answer"), seen, "" if row.to == REFEREE else row.to)


def refusal(types: Mapping[str, QuestionType], messages: Mapping[str, Message], row: Question, unfit: Unfit,
            answer: Kind[Any]) -> Finding:
    """The finding for an answer that cannot be taken, at its cell. `row`: the question, with the answer in it."""
    kind = type_of(types, row.kind)
    told = Told(NO_STANDING, {"kind": "kind"}) if unfit.role == EACH_TIME else (
        kind.wrong if unfit.role == UNKNOWN or kind.beyond is None else kind.beyond)
    return tell(told, messages, row, {"options": answer.offered(options_of(row)), **unfit.data})


def tell(told: Told, messages: Mapping[str, Message], row: Question, data: Mapping[str, Any]) -> Finding:
    """A finding at the cell of an answer, its braces filled from the question and `data`.

    Raises KeyError for a code that the ruleset does not have.
    """
    known = {**row.asked, "answer": row.answer.strip(), "question": row.question, "kind": row.kind,
             "default": row.default, **data}
    filled = {brace: _joined(brace, known[source]) for brace, source in told.data.items()}
    severity = "error" if told.code in (NO_OPTION, NO_STANDING) else messages[told.code].severity
    return Finding(told.code, severity, Where(Question.sheet, row.ident, "answer"), filled,
                   "" if row.to == REFEREE else row.to)


def _joined(brace: str, value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (", " if brace == "options" else " ").join(value)
    return value


def options_of(row: Question) -> list[str]:
    """The options that a row of Questions lists."""
    return [option.strip() for option in row.options.split(",") if option.strip()]


# Answers that stand until they are changed: ``choice stop until changed`` for every meeting, or for those with M.
#
# Such an answer is a row of Questions without turn and phase. It is in effect wherever a question of its kind is put
# to its faction, about its subject where it names one, and no own answer was typed. ``-`` takes it back.


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
