"""Keyed dice: the result of a throw depends only on the turn's secret and on the throw's purpose."""

from __future__ import annotations

import hashlib
import hmac
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from math import comb
from typing import Any, NamedTuple, Protocol, TypeVar

# What dice are thrown for.


_SLOT = re.compile(r"\{([^{}]+)\}")


class Throw(NamedTuple):
    """One throw that is due: the key that a person types for it, and its dice."""

    key: str
    dice: str


class Purpose(NamedTuple):
    """What dice are thrown for. Calling it with the values for its braces, in their order, gives the `Throw`.

    `shape`: how its key is built, ``siege:{Nodes}:{turn}:{n}`` (see `assistant.turn.dice_purposes`); braces with words
    separated by ``|`` stand for one of them; `dice`: "" if each throw names its own, ``d6`` if each says how many;
    `again`: the suffix of the key of a repeated throw, ``:t{n}`` ("": it is never repeated); `faces`: the book looks at
    each die, so a bare total of several dice cannot be typed; `next_turn`: it is thrown in the turn after the one
    in its key, in which something began.
    """

    shape: str
    dice: str = "1d6"
    again: str = ""
    faces: bool = False
    next_turn: bool = False

    @property
    def word(self) -> str:
        """The part before the first colon or slash, by which throws are counted together."""
        return re.split("[:/]", self.shape, maxsplit=1)[0]

    def __call__(self, *about: object, again: int = 1, dice: str = "", n: int | None = None) -> Throw:
        """The throw for these values, in the order of the braces.

        `again`: 2 for the second time; `n`: how many dice (below 1: none). Raises TypeError if there are not as many
        values as braces, or if the throw cannot be repeated.
        """
        pieces = _SLOT.split(self.shape)
        if len(about) != len(pieces) // 2 or (again > 1 and not self.again):
            raise TypeError(f"{self.shape} about {about}, thrown {again} times")
        pieces[1::2] = map(str, about)
        if n is not None:
            dice = f"{max(n, 0)}d{self.dice.partition('d')[2]}"
        return Throw("".join(pieces) + (self.again.format(n=again) if again > 1 else ""), dice or self.dice)

    def shapes(self) -> tuple[str, ...]:
        """The shapes of its keys, one for each word of a choice."""
        pieces = [piece.split("|") if n % 2 and "|" in piece else [f"{{{piece}}}" if n % 2 else piece]
                  for n, piece in enumerate(_SLOT.split(self.shape))]
        return tuple("".join(words) for words in product(*pieces))


class RollKind(NamedTuple):
    """A kind of throw: all throws with the same word before the first colon of their purpose are counted together.

    `title`: what they are, in the plural (msgid); `by`: the parameter of their event that names the faction that
    throws ("": the faction whose code is in the purpose, if any); `dice`: what is thrown ("": only the phase knows);
    `shapes`: all shapes of their purposes (`assistant.turn.dice_purposes`), so that a typed purpose that never comes
    can be reported; () if unknown; `faces`: see `Purpose`; `next_turn`: those of the shapes of which this is true.
    """

    word: str
    title: str
    by: str = ""
    dice: str = ""
    shapes: tuple[str, ...] = ()
    faces: bool = False
    next_turn: tuple[str, ...] = ()

    @classmethod
    def of(cls, title: str, *purposes: Purpose, by: str = "") -> RollKind:
        """The kind for purposes that begin with the same word; where their dice differ, only the phase knows which."""
        plain = [shape for purpose in purposes for shape in purpose.shapes()]
        repeated = [shape + purpose.again for purpose in purposes if purpose.again for shape in purpose.shapes()]
        later = [shape + again for purpose in purposes if purpose.next_turn for shape in purpose.shapes()
                 for again in dict.fromkeys(("", purpose.again))]
        dice = purposes[0].dice if len({purpose.dice for purpose in purposes}) == 1 else ""
        return cls(purposes[0].word, title, by, "" if dice.startswith("d") else dice, (*plain, *repeated),
                   any(purpose.faces for purpose in purposes), tuple(later))


def by_word(*kinds: RollKind) -> dict[str, RollKind]:
    """Kinds of throw by their word, in this order. Raises ValueError if two have the same word."""
    listed = {kind.word: kind for kind in kinds}
    if len(listed) < len(kinds):
        raise ValueError(f"a kind of throw is declared twice: {[kind.word for kind in kinds]}")
    return listed


class RollKinds(dict[str, RollKind]):
    """The kinds of throw of a book by their word, in the order in which their purposes are declared."""

    def __init__(self) -> None:
        super().__init__()
        self._purposes: dict[str, list[Purpose]] = {}

    def purpose(self, title: str, shape: str, dice: str = "1d6", again: str = "", *, faces: bool = False,
                by: str = "", next_turn: bool = False) -> Purpose:
        """Declare a purpose and its kind of throw; see `Purpose` and `RollKind`.

        A further purpose with the same word has no `title` of its own. Raises ValueError if it has one.
        """
        purpose = Purpose(shape, dice, again, faces, next_turn)
        known = self.get(purpose.word)
        if (known is None) != bool(title):
            raise ValueError(f"the kind of throw {purpose.word} is declared twice, or has no title")
        self._purposes.setdefault(purpose.word, []).append(purpose)
        self[purpose.word] = RollKind.of(known.title if known else title, *self._purposes[purpose.word],
                                         by=known.by if known else by)
        return purpose


# How the dice of a throw are read.


class ReadMode(NamedTuple):
    """How a throw is read: its ``sum``, its ``highest`` die, its number of ``successes``, or its ``faces`` themselves.

    `low`, `high`: the lowest and the highest face that is a success.
    """

    how: str
    low: int = 0
    high: int = 0

    def of(self, faces: tuple[int, ...]) -> Any:
        """The value of these faces: a number, or for ``faces`` the faces themselves."""
        if self.how == "successes":
            return sum(self.low <= face <= self.high for face in faces)
        if self.how == "faces":
            return faces
        return sum(faces) if self.how == "sum" else max(faces)


SUM, HIGHEST, FACES = ReadMode("sum"), ReadMode("highest"), ReadMode("faces")
"""A roll counts as the sum of its dice, as the highest of them, or as each die by itself."""


def successes(sides: int, limit: int, *, at_least: bool = False, bounds: bool = False) -> ReadMode:
    """Count the dice that show `limit` or less (`at_least`: or more). `bounds`: the best face always succeeds, and the
    worst never does.
    """
    if bounds:
        limit = min(max(limit, 2), sides) if at_least else min(max(limit, 1), sides - 1)
    return ReadMode("successes", limit, sides) if at_least else ReadMode("successes", 1, limit)


@lru_cache(maxsize=256)
def ways(count: int, sides: int) -> tuple[int, ...]:
    """In how many ways `count` dice can add up to `count`, `count` + 1, ... `count` * `sides`."""
    counts: tuple[int, ...] = (1,)
    for _ in range(count):
        counts = tuple(sum(counts[max(at - sides + 1, 0):at + 1]) for at in range(len(counts) + sides - 1))
    return counts


@lru_cache(maxsize=256)
def spread(count: int, sides: int, read: ReadMode) -> tuple[tuple[Any, int], ...]:
    """The possible values of `count` dice, each with the number of throws that give it."""
    if read.how == "sum":
        return tuple(enumerate(ways(count, sides), count))
    if read.how == "highest":
        return tuple((top, top**count - (top - 1)**count) for top in range(1, sides + 1))
    if read.how == "faces":
        return tuple((faces, 1) for faces in product(range(1, sides + 1), repeat=count))
    good = len(range(max(read.low, 1), min(read.high, sides) + 1))
    weights = ((n, comb(count, n) * good**n * (sides - good)**(count - n)) for n in range(count + 1))
    return tuple((n, number) for n, number in weights if number)


# Keyed dice.
#
# An answer, a correction or another army's order never changes an unrelated die, and a phase that is run again throws
# the same. Dice that were thrown at the table and typed in take precedence.


A = TypeVar("A")
NO_DICE = "0d"
"""How an expression for no dice at all begins: ``0d6``."""
PUBLIC = "public"
"""The audience of a die that all may know."""
REFEREE = "referee"
"""The audience of a die that only the referee may know."""
_DICE = re.compile(r"(\d+)d(\d+)")
_TYPED = re.compile(r"(\d*)\s*[dD]\s*(\d+)")
_OPEN = re.compile(r"\d*\s*[dD]\s*[nN]")
_BETWEEN = re.compile(r"\s*[+,;]\s*|\s+")


def sides_of(dice: str) -> tuple[int, int]:
    """``2d6`` -> (2, 6). Raises ValueError for anything else."""
    match = _DICE.fullmatch(dice)
    if match is None or not int(match[1]) or not int(match[2]):
        raise ValueError(f"{dice!r} is no dice expression such as 2d6")
    return int(match[1]), int(match[2])


def normalize_dice(typed: str) -> str:
    """Dice as people write them (``d6``, ``2D6``) in canonical form.

    ``1dN``, whose sides only the phase knows, gives ""; text that is no dice expression is returned as it is.
    """
    if _OPEN.fullmatch(typed.strip()):
        return ""
    match = _TYPED.fullmatch(typed.strip())
    return f"{match[1] or 1}d{match[2]}" if match else typed


class RangeTable(NamedTuple):
    """A printed table: rows of (lowest, highest, outcome), None for an open end."""

    name: str
    rows: tuple[tuple[int | None, int | None, str], ...]

    def at(self, number: int) -> str:
        """The outcome for a number. Raises LookupError if the table has a gap there."""
        for low, high, outcome in self.rows:
            if (low is None or number >= low) and (high is None or number <= high):
                return outcome
        raise LookupError(f"table {self.name} has no row for {number}")

    @classmethod
    def rising(cls, name: str, *rows: tuple[int, str]) -> RangeTable:
        """A table from the lowest number of each row, rising; the first row extends downwards, the last upwards.

        Raises ValueError if the numbers do not rise.
        """
        if any(after[0] <= before[0] for before, after in pairwise(rows)):
            raise ValueError(f"table {name}: the lowest numbers of its rows do not rise: {[row[0] for row in rows]}")
        ends = [row[0] - 1 for row in rows[1:]]
        return cls(name, tuple(zip((None, *(low for low, _ in rows[1:])), (*ends, None),
                                   (outcome for _, outcome in rows), strict=True)))


class DiceNumber(ABC):
    """A number that dice decide. A rule asks the question that the book asks rather than for the number.

    That way one function both resolves the phase and gives the chances (`assistant.turn.chances`): a question has few
    answers to try, whereas a rule that takes the number must be run with every number.
    """

    __slots__ = ()

    @abstractmethod
    def ask(self, question: Callable[[int], A]) -> A:
        """The answer of a question about the number."""

    @abstractmethod
    def as_data(self) -> dict[str, Any]:
        """Plain values for an event."""

    @property
    def total(self) -> int:
        """The number, if the rule needs it. For an event pass the ruling itself to `tell`."""
        return self.ask(int)

    def at_least(self, number: int) -> bool:
        """Whether the number is at least this."""
        return self.ask(number.__le__)

    def at_most(self, number: int) -> bool:
        """Whether the number is at most this."""
        return self.ask(number.__ge__)

    def row(self, table: RangeTable) -> str:
        """The outcome in a printed table. Raises LookupError if the table has a gap there."""
        return self.ask(table.at)


class UnthrownDice(Protocol):
    """Dice that are not thrown because the chances are wanted; `assistant.turn.chances` implements it."""

    def ask(self, question: Callable[..., A], parts: Sequence[tuple[Roll, ReadMode]]) -> A:
        """One of the answers that these throws can give."""

    def alike(self, rolls: Sequence[Roll]) -> bool:
        """Whether these are all the same dice and nothing is known about any yet; only then ranks may be asked for."""

    def highest(self, rolls: Sequence[Roll]) -> int:
        """The index of the highest throw; ties are thrown again."""

    def ranking(self, rolls: Sequence[Roll]) -> tuple[int, ...]:
        """The indices from the highest throw to the lowest; ties are thrown again."""

    def order(self, rolls: Sequence[Roll]) -> tuple[int, ...]:
        """The indices from the highest throw to the lowest; of equals the first in the list comes first."""


class Roll(DiceNumber):
    """One throw. `faces`: each die; () if the total of several dice was typed as one number.

    `box`: the undecided dice to which it belongs if the chances are wanted; then nothing is thrown.
    """

    __slots__ = ("_faces", "_total", "audience", "box", "dice", "key", "typed")

    def __init__(self, key: str, dice: str, total: int, faces: tuple[int, ...], audience: str, typed: bool = False,
                 box: UnthrownDice | None = None) -> None:
        self.key, self.dice, self.audience, self.typed, self.box = key, dice, audience, typed, box
        self._total, self._faces = total, faces

    def _all(self) -> tuple[object, ...]:
        return self.key, self.dice, self._total, self._faces, self.audience, self.typed, self.box

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Roll) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Roll{self._all()}"

    def ask(self, question: Callable[[int], A]) -> A:
        """The answer of a question about the sum of the dice."""
        return ask_dice(question, (self, SUM))

    def read(self, read: ReadMode) -> Any:
        """The value of the dice as the book reads them. Raises `BadThrow` for a bare total where each die counts."""
        if read.how == "sum":
            return self._total
        if not self._faces:
            raise BadThrow(self.key, self.dice, self.value, EACH)
        return read.of(self._faces)

    @property
    def faces(self) -> tuple[int, ...]:
        """Each die, for rules that look at faces. Raises `BadThrow` for a bare total."""
        return ask_dice(tuple, (self, FACES))

    @property
    def value(self) -> str:
        """The text for the Dice sheet: the total, or the faces joined by ``+``."""
        return "+".join(map(str, self._faces)) if len(self._faces) > 1 else str(self._total)

    def as_data(self) -> dict[str, Any]:
        """Plain values for an event."""
        return {"key": self.key, "dice": self.dice, "value": self._total, "faces": list(self._faces),
                "typed": self.typed}


def ask_dice(question: Callable[..., A], *parts: tuple[Roll, ReadMode]) -> A:
    """The answer of a question about the values of some throws, each with the way to read it."""
    box = next((roll.box for roll, _ in parts if roll.box is not None), None)
    if box is not None:
        return box.ask(question, parts)
    return question(*(roll.read(read) for roll, read in parts))


COUNT, FACE, EACH = "count", "face", "each"


class BadThrow(ValueError):
    """A typed value that its dice cannot show.

    `why`: ``count`` for another number of dice, ``face`` for a face that none of them has, ``each`` for one number
    where the book looks at each die, "" for anything else.
    """

    def __init__(self, key: str, dice: str, value: str, why: str = "", face: int = 0) -> None:
        super().__init__(f"{key}: {dice} cannot show {value} {why}".rstrip())
        self.key, self.dice, self.value, self.why, self.face = key, dice, value, why, face

    def as_data(self) -> dict[str, Any]:
        """The values for the braces of its finding."""
        data: dict[str, Any] = {"value": self.value, "dice": self.dice}
        if self.why:
            count, sides = sides_of(self.dice)
            example = "+".join(str((4 * n + 3) % sides + 1) for n in range(count))
            data |= {"why": self.why, "n": count, "seen": len(_parts(self.value)), "face": self.face,
                     "example": example}
        return data


def parse_roll(key: str, dice: str, value: str, audience: str, *, faces: bool = False) -> Roll:
    """Parse a throw as the referee typed it: ``5``, ``9`` for two dice, or each die, ``4+5`` or ``4 5``.

    `faces`: the book looks at each die, so a bare total of several is not enough. Raises `BadThrow` if these dice
    cannot show the value, and ValueError if `dice` is no dice expression.
    """
    count, sides = sides_of(dice)
    try:
        # a die with ten or a hundred faces shows 0 for its highest
        shown = [sides if int(part) == 0 and sides in (10, 100) else int(part) for part in _parts(value)]
    except ValueError:
        raise BadThrow(key, dice, value) from None
    if len(shown) == 1 < count:
        if not count <= shown[0] <= count * sides:
            raise BadThrow(key, dice, value)
        if faces:
            raise BadThrow(key, dice, value, EACH)
        return Roll(key, dice, shown[0], (), audience, typed=True)
    if len(shown) != count:
        raise BadThrow(key, dice, value, COUNT)
    wrong = next((face for face in shown if not 1 <= face <= sides), None)
    if wrong is not None:
        raise BadThrow(key, dice, value, FACE if count > 1 else "", wrong)
    return Roll(key, dice, sum(shown), tuple(shown), audience, typed=True)


def _parts(value: str) -> list[str]:
    return _BETWEEN.split(value.strip())


def turn_secret_of(campaign_secret: bytes, turn: str) -> bytes:
    """The secret of a turn, from that of a whole campaign."""
    return hmac.digest(campaign_secret, f"arbitro|turn|{turn}".encode(), "sha256")


def audience_secret(turn_secret: bytes, turn: str, audience: str) -> bytes:
    """The secret of one turn and audience (``public``, a code, two codes joined by ``+``, ``referee``)."""
    return hmac.digest(turn_secret, f"arbitro|{turn}|{audience}".encode(), "sha256")


def secret_circle(audience: str) -> str:
    """Whose secret a die is derived from: that of its audience, or the referee's for three factions or more.

    Commitments to the secrets of the public, of each faction and of each pair are printed before orders are due. There
    are too many larger circles to print; their dice can be verified once the referee's secret is revealed.
    """
    return audience if audience.count("+") < 2 else REFEREE


def commitment(secret: bytes) -> str:
    """The commitment that is printed before orders are due: the SHA-256 of the secret in hexadecimal digits."""
    return hashlib.sha256(secret).hexdigest()


def keyed_faces(secret: bytes, key: str, dice: str) -> tuple[int, ...]:
    """The faces of keyed dice. Each face is drawn without bias from HMAC-SHA256(secret, key#n.try)."""
    count, sides = sides_of(dice)
    return tuple(_face(secret, f"{key}#{number}", sides) for number in range(1, count + 1))


def _face(secret: bytes, key: str, sides: int) -> int:
    # Numbers from the incomplete last block of `sides` are rejected, else low faces would be slightly more likely.
    limit = (1 << 64) - (1 << 64) % sides
    attempt = 0
    while True:
        digest = hmac.digest(secret, f"{key}.{attempt}".encode(), "sha256")
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            return number % sides + 1
        attempt += 1


class Dice:
    """The dice of one turn: typed ones by key, all others from the turn's secret.

    `shut`: none can be thrown, because the phase is only checked; `open`: none is thrown, because the chances are
    wanted; `spent`: tells whether an earlier phase has thrown for a purpose.
    """

    shut = False
    open = False
    telling = False
    """Whether an event is being recorded, which asks the dice for numbers that decide nothing."""

    def __init__(self, turn: str, turn_secret: bytes, typed: Mapping[str, str] | None = None,
                 spent: Callable[[str], bool] = lambda key: False) -> None:
        self.turn, self._spent = turn, spent
        self._secret = turn_secret
        self._typed = dict(typed or {})
        self._secrets: dict[str, bytes] = {}
        self.thrown: dict[str, Roll] = {}
        self.twice: list[tuple[str, str]] = []
        """Throws for a key that was already used: that key, and the one that the later throw got."""

    def roll(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        """The throw for this purpose.

        Each call is a throw of its own. If this phase or an earlier one has used the key already, the throw gets the
        next free one, ``scout:P1#2``, so that no two throws share a die, and the phase reports it. `audience`:
        ``public``, ``referee``, or the codes of the factions that may know it. Raises `BadThrow` for a typed value that
        the dice cannot show.
        """
        own, n = key, 1
        while own in self.thrown or self._spent(own):
            n += 1
            own = f"{key}#{n}"
        if own != key:
            self.twice.append((key, own))
        self.thrown[own] = self._throw(own, dice, audience)
        return self.thrown[own]

    def note_event(self, event: Any, ruling: Any, numbers: Sequence[str]) -> None:
        """An event with a ruling was recorded; `numbers`: those of its data that dice have decided.

        Nothing comes of it here; dice that are watched note what was thrown for what (`assistant.turn.throw_chances`).
        """

    def _throw(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        circle = audience if isinstance(audience, str) else "+".join(sorted(audience)) or REFEREE
        if key in self._typed:
            return parse_roll(key, dice, self._typed[key], circle)
        keeper = secret_circle(circle)
        if keeper not in self._secrets:
            self._secrets[keeper] = audience_secret(self._secret, self.turn, keeper)
        faces = keyed_faces(self._secrets[keeper], key, dice)
        return Roll(key, dice, sum(faces), faces, circle)


class NotThrown(Exception):
    """A throw is needed where none may be made."""


class ShutDice(Dice):
    """Dice for checking a phase before it is resolved: none is thrown."""

    shut = True

    def __init__(self, turn: str) -> None:
        super().__init__(turn, b"")

    def roll(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        """Raises `NotThrown`."""
        raise NotThrown(key)
