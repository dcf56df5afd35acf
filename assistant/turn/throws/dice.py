"""Keyed dice: what a throw shows depends on the turn's secret and on its purpose alone.

So an answer, a correction or another army's order never moves an unrelated die, and a phase that is
run again throws the same. Dice thrown at the table are typed in and win.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from typing import Literal

from assistant.dataclass import dataclass

PUBLIC = "public"
REFEREE = "referee"
_DICE = re.compile(r"(\d+)d(\d+)")
_TYPED = re.compile(r"(\d*)\s*[dD]\s*(\d+)")


def sides_of(dice: str) -> tuple[int, int]:
    """``2d6`` -> (2, 6). Raises ValueError for anything else."""
    match = _DICE.fullmatch(dice)
    if match is None or not int(match[1]) or not int(match[2]):
        raise ValueError(f"{dice!r} is no dice expression such as 2d6")
    return int(match[1]), int(match[2])


def plain_dice(typed: str) -> str:
    """Dice as people write them (``d6``, ``2D6``) in the plain form; what is none stays as it is."""
    match = _TYPED.fullmatch(typed.strip())
    return f"{match[1] or 1}d{match[2]}" if match else typed


@dataclass(frozen=True)
class Roll:
    """One throw. `faces`: each die; for a typed total of several dice they are not known: ()."""

    key: str
    dice: str
    total: int
    faces: tuple[int, ...]
    audience: str
    typed: bool = False

    @property
    def value(self) -> str:
        """As the Dice sheet holds it: the total, or the faces joined by ``+``."""
        return "+".join(map(str, self.faces)) if len(self.faces) > 1 else str(self.total)


class BadThrow(ValueError):
    """A typed value that the dice of its purpose cannot show: `key`, `dice`, `value`."""

    def __init__(self, key: str, dice: str, value: str) -> None:
        super().__init__(f"{key}: {dice} cannot show {value}")
        self.key, self.dice, self.value = key, dice, value


def typed_roll(key: str, dice: str, value: str, audience: str) -> Roll:
    """A throw as the referee typed it: ``5``, ``9`` for two dice, or ``4+5``.

    Raises ValueError when these dice cannot show that.
    """
    count, sides = sides_of(dice)
    # a die with ten or a hundred faces shows 0 for its highest
    parts = [sides if int(part) == 0 and sides in (10, 100) else int(part) for part in value.split("+")]
    single = len(parts) == 1
    if single and count > 1:
        if not count <= parts[0] <= count * sides:
            raise ValueError(f"{dice} cannot show {value}")
        return Roll(key, dice, parts[0], (), audience, typed=True)
    if len(parts) != count or not all(1 <= part <= sides for part in parts):
        raise ValueError(f"{dice} cannot show {value}")
    return Roll(key, dice, sum(parts), tuple(parts), audience, typed=True)


def audience_secret(turn_secret: bytes, turn: str, audience: str) -> bytes:
    """The secret of one turn and audience (``public``, a code, two codes joined by ``+``, ``referee``)."""
    return hmac.digest(turn_secret, f"arbitro|{turn}|{audience}".encode(), "sha256")


def secret_circle(audience: str) -> str:
    """Whose secret makes a die: its audience's own, but the referee's for three factions or more.

    The secrets of public, of each faction and of each pair are committed to before orders are due; larger
    circles are too many to print, and their dice can be verified when the referee's secret is revealed.
    """
    return audience if audience.count("+") < 2 else REFEREE


def commitment(secret: bytes) -> str:
    """What is printed before orders are due: the SHA-256 of the secret, in hexadecimal digits."""
    return hashlib.sha256(secret).hexdigest()


def throw(secret: bytes, key: str, dice: str) -> tuple[int, ...]:
    """The faces of keyed dice. Each face is drawn without bias from HMAC-SHA256(secret, key#n.try)."""
    count, sides = sides_of(dice)
    return tuple(_face(secret, f"{key}#{number}", sides) for number in range(1, count + 1))


def _face(secret: bytes, key: str, sides: int) -> int:
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

    `shut`: none can be thrown, because a phase is only judged and not resolved.
    """

    shut = False

    def __init__(self, turn: str, turn_secret: bytes, typed: Mapping[str, str] | None = None) -> None:
        self.turn = turn
        self._secret = turn_secret
        self._typed = dict(typed or {})
        self._secrets: dict[str, bytes] = {}
        self.thrown: dict[str, Roll] = {}

    def roll(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        """The throw for this purpose; asked twice, the same.

        `audience`: ``public``, ``referee``, or the codes of the factions that may know it.
        Raises `BadThrow` for a typed value that the dice cannot show.
        """
        if key not in self.thrown:
            circle = audience if isinstance(audience, str) else "+".join(sorted(audience)) or REFEREE
            if key in self._typed:
                try:
                    self.thrown[key] = typed_roll(key, dice, self._typed[key], circle)
                except ValueError as no:
                    raise BadThrow(key, dice, self._typed[key]) from no
            else:
                keeper = secret_circle(circle)
                if keeper not in self._secrets:
                    self._secrets[keeper] = audience_secret(self._secret, self.turn, keeper)
                faces = throw(self._secrets[keeper], key, dice)
                self.thrown[key] = Roll(key, dice, sum(faces), faces, circle)
        return self.thrown[key]


class NotThrown(Exception):
    """A die is asked for where none may be thrown."""


class ShutDice(Dice):
    """Dice before their phase: none is thrown."""

    shut = True

    def __init__(self, turn: str) -> None:
        super().__init__(turn, b"")

    def roll(self, key: str, dice: str, audience: Iterable[str] | str) -> Roll:
        """Raises `NotThrown`."""
        raise NotThrown(key)


@dataclass(frozen=True)
class Check:
    """A throw with named modifiers against a target: everything that a report shows of a ruling."""

    roll: Roll
    modifiers: tuple[tuple[str, int], ...]
    total: int
    target: int
    reach: Literal["at least", "at most"]

    @property
    def passed(self) -> bool:
        """Whether the target is reached."""
        return self.total >= self.target if self.reach == "at least" else self.total <= self.target

    def as_data(self) -> dict[str, object]:
        """For an event: plain values."""
        return {**roll_data(self.roll), "modifiers": [list(m) for m in self.modifiers],
                "total": self.total, "target": self.target, "reach": self.reach,
                "passed": self.passed}


def roll_data(*rolls: Roll) -> dict[str, object]:
    """Throws for an event as plain values: one flat, several as a list under ``rolls``."""
    flat = [{"key": r.key, "dice": r.dice, "value": r.total, "faces": list(r.faces), "typed": r.typed}
            for r in rolls]
    return dict(flat[0]) if len(flat) == 1 else {"rolls": flat}


def hits(roll: Roll, at_least: int) -> int:
    """How many dice of the throw show that much or more (rulebooks that count successes).

    Raises ValueError for a throw that was typed as a bare total.
    """
    if not roll.faces:
        raise ValueError(f"{roll.key}: type each die of {roll.dice}, joined by +")
    return sum(face >= at_least for face in roll.faces)


@dataclass(frozen=True)
class RangeTable:
    """A printed table: rows of (lowest, highest, outcome); None leaves an end open."""

    name: str
    rows: tuple[tuple[int | None, int | None, str], ...]

    def at(self, number: int) -> str:
        """The outcome for a number. Raises LookupError where the table has a gap."""
        for low, high, outcome in self.rows:
            if (low is None or number >= low) and (high is None or number <= high):
                return outcome
        raise LookupError(f"table {self.name} has no row for {number}")
