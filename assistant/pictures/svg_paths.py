"""The `d` of an SVG's path in; the lines that it draws as points, curves and arcs among them, out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

Point = tuple[float, float]
_TOKEN = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([\s,]+)")
_FLAG = re.compile(r"()([01])|([\s,]+)")
"""A flag of an arc, which may stand before the next number without a blank."""
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
CURVE = 6
"""So many points a curve becomes, and an arc of a quarter of its ellipse."""


def lines_of(text: str, most: int) -> list[list[Point]]:
    """The lines of a path. Raises ValueError for what is none, OverflowError for more than `most` numbers."""
    words = _words(text, most)
    pen, command, place = _Pen(), "", 0
    while place < len(words):
        if words[place].isalpha():
            command, place = words[place], place + 1
        count = _NUMBERS.get(command.upper(), -1)
        numbers = words[place:place + count] if count > 0 else []
        if count < 0 or len(numbers) < count:
            raise ValueError(command)
        pen.draw(command, [float(word) for word in numbers])
        place += count
        command = {"M": "L", "m": "l", "Z": "", "z": ""}.get(command, command)
    return pen.lines


def _words(text: str, most: int) -> list[str]:
    """Commands and numbers, in their order."""
    words: list[str] = []
    at, arc, count = 0, False, 0
    while at < len(text):
        match = (_FLAG if arc and count % 7 in (3, 4) else _TOKEN).match(text, at)
        if match is None:
            raise ValueError(text[at:at + 9])
        at = match.end()
        if match[1]:
            arc, count = match[1] in "Aa", -1
        if match[1] or match[2]:
            words.append(match[0])
            count += 1
        if len(words) > most:
            raise OverflowError
    return words


class _Pen:
    """Where a path's pen stands, what pulled its last curve, and the lines that it has drawn."""

    def __init__(self) -> None:
        self.lines: list[list[Point]] = []
        self.at: Point = (0.0, 0.0)
        self._last, self._pull = "", self.at

    def draw(self, command: str, numbers: Sequence[float]) -> None:
        """One command with its numbers."""
        (x, y), what = self.at, command.upper()
        dx, dy = (x, y) if command.islower() else (0.0, 0.0)
        if what == "Z":
            if self.lines:
                self.lines[-1].append(self.lines[-1][0])
                self.at = self.lines[-1][0]
        elif what in "HV":
            self._to([(numbers[0] + dx, y) if what == "H" else (x, numbers[0] + dy)])
        elif what == "A":
            self._to(_arc(self.at, (numbers[5] + dx, numbers[6] + dy), numbers))
        else:
            points = [(a + dx, b + dy) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
            if what in "ST":  # the first pull mirrors the last one of a curve of the same kind
                like = self._last in {"S": "CS", "T": "QT"}[what]
                points.insert(0, (2 * x - self._pull[0], 2 * y - self._pull[1]) if self._last and like else self.at)
            if what == "M":
                self.lines.append([])
                self._last = what
            self._pull = points[-2] if what in "CSQT" else points[-1]
            self._to(_on_curve([self.at, *points]) if what in "CSQT" else points)
        self._last = what

    def _to(self, points: Sequence[Point]) -> None:
        if not self.lines or self._last == "Z":
            self.lines.append([self.at])
        self.lines[-1] += points
        self.at = points[-1]


def _on_curve(pulls: Sequence[Point]) -> list[Point]:
    """Points on a Bezier curve, by de Casteljau's way."""
    found = []
    for n in range(1, CURVE + 1):
        t, row = n / CURVE, list(pulls)
        while len(row) > 1:
            row = [((1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1]) for a, b in pairwise(row)]
        found.append(row[0])
    return found


def _arc(start: Point, end: Point, numbers: Sequence[float]) -> list[Point]:
    """Points on an elliptical arc, from its ends to its middle as SVG 1.1 has it (appendix F.6.5, F.6.6)."""
    rx, ry, turn = abs(numbers[0]), abs(numbers[1]), math.radians(numbers[2] % 360)
    if not (rx and ry) or start == end:
        return [end]
    cos, sin = math.cos(turn), math.sin(turn)
    hx, hy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = (cos * hx + sin * hy) / rx, (cos * hy - sin * hx) / ry
    far = x * x + y * y
    grown = max(1.0, math.sqrt(far))  # an ellipse that is too small for its ends grows
    rx, ry, x, y, far = rx * grown, ry * grown, x / grown, y / grown, min(far, 1.0)
    aside = math.sqrt(max(0.0, 1 / far - 1)) * (-1 if numbers[3] == numbers[4] else 1)
    mx, my = aside * y, -aside * x
    first = math.atan2(y - my, x - mx)
    sweep = (math.atan2(-y - my, -x - mx) - first) % math.tau
    sweep -= 0 if numbers[4] else math.tau
    steps = max(1, math.ceil(abs(sweep) / (math.pi / 2) * CURVE))
    return [*_round(first, sweep, steps, (rx, ry, cos, sin), (
        cos * rx * mx - sin * ry * my + (start[0] + end[0]) / 2,
        sin * rx * mx + cos * ry * my + (start[1] + end[1]) / 2)), end]


def _round(first: float, sweep: float, steps: int, shape: tuple[float, float, float, float], middle: Point
           ) -> Iterator[Point]:
    """The points of an ellipse between two angles, without its ends."""
    rx, ry, cos, sin = shape
    for n in range(1, steps):
        angle = first + sweep * n / steps
        x, y = rx * math.cos(angle), ry * math.sin(angle)
        yield cos * x - sin * y + middle[0], sin * x + cos * y + middle[1]
