"""Lines over turns in; a chart as SVG out: one wide panel, then small ones two abreast, with labels at the lines' ends.

Everything is worded already, and nothing is drawn that does not stand in the `Chart`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assistant.pictures.templates import environment

WIDTH, WIDE, SMALL, GAP = 640, 250, 180, 18
"""Drawing units: of the whole chart and of its panels' heights."""
TOP, BOTTOM, LEFT = 34, 26, 52
"""Room in a panel above, below and to the left of its lines, for title and axes."""
SIGN, ROW = 7.6, 15
"""How wide a sign of a label is at most, and how high a row of labels."""
TICKS, LABELS = 4, 8


@dataclass(frozen=True)
class Line:
    """One line. `label`: what stands at its end; `values`: one a moment, None where it is not known; `own`: thick."""

    label: str
    colour: str
    values: tuple[int | None, ...]
    own: bool = False


@dataclass(frozen=True)
class Panel:
    """Lines over the same moments. `number`: how an amount is written."""

    title: str
    lines: tuple[Line, ...]
    number: Callable[[int], str]


@dataclass(frozen=True)
class Chart:
    """A whole chart: `moments`: what is written below each point, "" for nothing; the first panel is the wide one."""

    lang: str
    title: str
    moments: tuple[str, ...]
    panels: tuple[Panel, ...]


def chart_svg(chart: Chart) -> str:
    """The chart as SVG, `WIDTH` wide; equal charts give equal texts. It needs at least two moments and one panel."""
    drawn, y, width = [], 0, WIDTH
    for number, panel in enumerate(chart.panels):
        wide = not number
        width = WIDTH if wide else (WIDTH - GAP) // 2
        x = 0 if wide or number % 2 else width + GAP
        drawn.append(_panel(chart, panel, x, y, width, WIDE if wide else SMALL))
        if wide or not number % 2:
            y += (WIDE if wide else SMALL) + GAP
    if len(chart.panels) > 1 and not len(chart.panels) % 2:
        y += SMALL + GAP
    return environment().get_template("chart.svg.j2").render(chart=chart, panels=drawn, width=WIDTH, height=y)


@dataclass(frozen=True)
class Label:
    """A label at the end of a line: where the line ends, and where its words stand."""

    text: str
    colour: str
    own: bool
    x: float
    end: float
    y: float


@dataclass(frozen=True)
class Drawn:
    """A panel ready for the template. `grid`, `feet`: place and words; `paths`: path, colour, whether it is own."""

    title: str
    x: int
    y: int
    left: float
    right: float
    bottom: float
    grid: tuple[tuple[float, str], ...]
    feet: tuple[tuple[float, str], ...]
    paths: tuple[tuple[str, str, bool], ...]
    labels: tuple[Label, ...]


def _panel(chart: Chart, panel: Panel, x: int, y: int, width: int, height: int) -> Drawn:
    known = [value for line in panel.lines for value in line.values if value is not None]
    ticks = _ticks(min([0, *known]), max([0, *known]))
    ends = [f"{line.label} {panel.number(_last(line))}".strip() for line in panel.lines]
    right = width - 24 - SIGN * max(map(len, ends), default=0)
    bottom, count = height - BOTTOM, len(chart.moments)
    span = ticks[-1] - ticks[0]

    def across(moment: int) -> float:
        return round(LEFT + (right - LEFT) * moment / (count - 1), 1)

    def up(value: int) -> float:
        return round(bottom - (bottom - TOP) * (value - ticks[0]) / span, 1)

    lines = sorted(panel.lines, key=lambda one: one.own)  # the own line lies above all others
    paths = tuple((_path([None if value is None else (across(n), up(value)) for n, value in enumerate(line.values)]),
                   line.colour, line.own) for line in lines)
    labels = _spread([Label(text, line.colour, line.own, across(_when(line)), up(_last(line)), up(_last(line)))
                      for line, text in zip(panel.lines, ends, strict=True)], TOP, bottom)
    feet = [(across(n), text) for n, text in enumerate(chart.moments) if text]
    return Drawn(panel.title, x, y, LEFT, right, bottom, tuple((up(one), panel.number(one)) for one in ticks),
                 tuple(feet[::-(-len(feet) // (LABELS if width == WIDTH else LABELS // 2)) or 1]), paths, labels)


def _when(line: Line) -> int:
    """The number of the last moment at which a line is known; 0 for none."""
    return max((n for n, value in enumerate(line.values) if value is not None), default=0)


def _last(line: Line) -> int:
    return line.values[_when(line)] or 0


def _ticks(low: int, high: int) -> list[int]:
    """Round numbers, the lowest at or below `low` and the highest at or above `high`, a few between."""
    step, size = 1, max(high - low, 1)
    while size > step * TICKS:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    first = low // step * step
    return list(range(first, first + step * max(1, -(-(high - first) // step)) + 1, step))


def _path(points: Sequence[tuple[float, float] | None]) -> str:
    """The line through points that are known; a gap where one is not."""
    found, pen = [], "M"
    for point in points:
        if point is None:
            pen = "M"
            continue
        found.append(f"{pen}{point[0]:g} {point[1]:g}")
        pen = "L"
    return " ".join(found)


def _spread(labels: list[Label], top: float, bottom: float) -> tuple[Label, ...]:
    """Labels one below the other, none over another, each as near to its line's end as that leaves it."""
    placed: list[Label] = []
    for one in sorted(labels, key=lambda label: (label.y, label.text)):
        above = placed[-1].y + ROW if placed else top
        placed.append(_at(one, max(one.y, above)))
    below = max(bottom, top + ROW * (len(placed) - 1))
    for number in range(len(placed) - 1, -1, -1):
        placed[number] = _at(placed[number], min(placed[number].y, below))
        below = placed[number].y - ROW
    return tuple(placed)


def _at(label: Label, y: float) -> Label:
    return Label(label.text, label.colour, label.own, label.x, label.end, round(y, 1))
