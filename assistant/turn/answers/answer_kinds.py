"""What an answer is: one of several options, an amount, several codes, an amount shared out, or any text.

Each kind reads what was typed into the value that the phase works with, or says why it cannot.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from assistant.campaign.columns import NO_WORDS, YES_WORDS, whole_digits
from assistant.campaign.order import natural
from assistant.turn.orders.words import fold, meaning

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
