"""Charts of figures over the turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Whole
from assistant.campaign.records import OWNERLESS, Faction
from assistant.pictures.colours import faction_colours
from assistant.pictures.render import template_environment
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

# Charts as SVG: one wide panel, then small ones two abreast, with labels at the ends of the lines.


WIDTH, WIDE, SMALL_HEIGHT, GAP = 640, 250, 180, 18
"""Drawing units: of the whole chart and of its panels' heights."""
TOP, BOTTOM, LEFT = 34, 26, 52
"""Room in a panel above, below and to the left of its lines, for title and axes."""
SIGN, ROW = 7.6, 15
"""The greatest width of a letter in a label, and the height of a row of labels."""
TICKS, LABELS = 4, 8


@dataclass(frozen=True)
class ChartLine:
    """One line. `label`: written at its end; `values`: one per moment, None if unknown; `own`: drawn thick."""

    label: str
    colour: str
    values: tuple[float | None, ...]
    own: bool = False


@dataclass(frozen=True)
class Panel:
    """Lines over the same moments. `number`: formats an amount."""

    title: str
    lines: tuple[ChartLine, ...]
    number: Callable[[float], str]


@dataclass(frozen=True)
class Chart:
    """A whole chart. `moments`: the text below each point, "" for none; the first panel is the wide one."""

    lang: str
    title: str
    moments: tuple[str, ...]
    panels: tuple[Panel, ...]


def chart_svg(chart: Chart) -> str:
    """The chart as SVG, `WIDTH` wide; equal charts give equal texts. Needs at least two moments and one panel."""
    drawn, y, width = [], 0, WIDTH
    for number, panel in enumerate(chart.panels):
        wide = not number
        width = WIDTH if wide else (WIDTH - GAP) // 2
        x = 0 if wide or number % 2 else width + GAP
        drawn.append(_panel(chart, panel, x, y, width, WIDE if wide else SMALL_HEIGHT))
        if wide or not number % 2:
            y += (WIDE if wide else SMALL_HEIGHT) + GAP
    if len(chart.panels) > 1 and not len(chart.panels) % 2:
        y += SMALL_HEIGHT + GAP
    return template_environment().get_template("chart.svg.j2").render(chart=chart, panels=drawn, width=WIDTH, height=y)


@dataclass(frozen=True)
class LineLabel:
    """A label at the end of a line. `x`, `end`: where the line ends; `y`: the height of the label."""

    text: str
    colour: str
    own: bool
    x: float
    end: float
    y: float


@dataclass(frozen=True)
class DrawnPanel:
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
    labels: tuple[LineLabel, ...]


def _panel(chart: Chart, panel: Panel, x: int, y: int, width: int, height: int) -> DrawnPanel:
    known = [value for line in panel.lines for value in line.values if value is not None]
    ticks = _ticks(floor(min([0, *known])), ceil(max([0, *known])))
    ends = [f"{line.label} {panel.number(_last_value(line))}".strip() for line in panel.lines]
    right = width - 24 - SIGN * max(map(len, ends), default=0)
    bottom, count = height - BOTTOM, len(chart.moments)
    span = ticks[-1] - ticks[0]

    def across(moment: int) -> float:
        return round(LEFT + (right - LEFT) * moment / (count - 1), 1)

    def up(value: float) -> float:
        return round(bottom - (bottom - TOP) * (value - ticks[0]) / span, 1)

    lines = sorted(panel.lines, key=lambda line: line.own)  # the own line lies above all others
    paths = tuple((_path([None if value is None else (across(n), up(value)) for n, value in enumerate(line.values)]),
                   line.colour, line.own) for line in lines)
    labels = _spread_labels(
        [
            LineLabel(
                text, line.colour, line.own, across(_last_known(line)), up(_last_value(line)), up(_last_value(line))
            )
            for line, text in zip(panel.lines, ends, strict=True)
        ],
        TOP,
        bottom,
    )
    feet = [(across(n), text) for n, text in enumerate(chart.moments) if text]
    return DrawnPanel(panel.title, x, y, LEFT, right, bottom, tuple((up(tick), panel.number(tick)) for tick in ticks),
                 tuple(feet[::-(-len(feet) // (LABELS if width == WIDTH else LABELS // 2)) or 1]), paths, labels)


def _last_known(line: ChartLine) -> int:
    return max((n for n, value in enumerate(line.values) if value is not None), default=0)


def _last_value(line: ChartLine) -> float:
    return line.values[_last_known(line)] or 0


def _ticks(low: int, high: int) -> list[int]:
    """A few round numbers from `low` or below to `high` or above."""
    step, size = 1, max(high - low, 1)
    while size > step * TICKS:
        # 1, 2, 5, 10, 20, 50 and so on
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    first = low // step * step
    return list(range(first, first + step * max(1, -(-(high - first) // step)) + 1, step))


def _path(points: Sequence[tuple[float, float] | None]) -> str:
    """The path through the known points, with a gap at each unknown one."""
    parts, pen = [], "M"
    for point in points:
        if point is None:
            pen = "M"
            continue
        parts.append(f"{pen}{point[0]:g} {point[1]:g}")
        pen = "L"
    return " ".join(parts)


def _spread_labels(labels: list[LineLabel], top: float, bottom: float) -> tuple[LineLabel, ...]:
    """Labels moved apart so that none covers another, each as near as possible to the end of its line."""
    placed: list[LineLabel] = []
    for label in sorted(labels, key=lambda label: (label.y, label.text)):
        above = placed[-1].y + ROW if placed else top
        placed.append(replace(label, y=round(max(label.y, above), 1)))
    below = max(bottom, top + ROW * (len(placed) - 1))
    # and back from below: what was pushed out at the bottom pushes those above it up
    for number in range(len(placed) - 1, -1, -1):
        placed[number] = replace(placed[number], y=round(min(placed[number].y, below), 1))
        below = placed[number].y - ROW
    return tuple(placed)


# The chart of a reader's figures over the turns.
#
# Figures of other factions are counted in the public view, so that the chart gives nothing away. The reader's own
# figures are those at the top of its report.


POINTS, SMALL_PANELS = 48, 6
"""At most so many moments and so many small panels."""
GREY = "#6b6b6b"
Values = tuple[float | None, ...]


class PastView(NamedTuple):
    """What was known at one moment. `public`: everybody's view; `own`: the reader's, for the gazette the same."""

    turn: str
    phase: str
    public: Campaign
    own: Campaign


class PublicFigures(NamedTuple):
    """Public figures at several moments, by faction: places held, and other figures by their headings."""

    held: Mapping[str, Values]
    others: Mapping[str, Mapping[str, Values]]


def pick_moments(moments: Sequence[int]) -> list[int]:
    """At most `POINTS` of these numbers, evenly spread, the first and the last among them."""
    count = len(moments)
    if count <= POINTS:
        return list(moments)
    return [moments[round(n * (count - 1) / (POINTS - 1))] for n in range(POINTS)]


def public_figures(ruleset: Ruleset, public: Sequence[Campaign]) -> PublicFigures:
    """The figures in every reader's chart. `public`: everybody's views, the earliest first."""
    return PublicFigures(_places_held(ruleset, public), _compared_figures(ruleset, public))


def history_chart(ruleset: Ruleset, past: Sequence[PastView], faction: str, wording: Wording,
           known: PublicFigures | None = None) -> Chart | None:
    """The chart for a faction, "" for the public one; None with fewer than two moments, and where no line moves.

    `past`: the earliest first, today last; `known`: the result of `public_figures`, if it has been computed already.
    """
    if len(past) < 2:
        return None
    held, others = known or public_figures(ruleset, [view.public for view in past])
    panels = [_comparison_panel(wording.text(N_("Places")), held, past, faction, wording)] if held else []
    own = _own_figures(ruleset, past, faction)
    panels += [Panel(wording.figure(label), (ChartLine("", _colour(past, faction), values, own=True),), wording.number)
               for label, values in own.items() if values != held.get(faction)][:SMALL_PANELS]
    public = [_comparison_panel(wording.figure(label), by_faction, past, faction, wording)
              for label, by_faction in others.items() if label not in own]
    panels += public[:max(0, SMALL_PANELS + 1 - len(panels))]
    if not panels:
        return None
    turns = [view.turn for view in past]
    return Chart(wording.lang, wording.text(N_("How it went so far")),
                 tuple(turn if turn not in turns[:n] else "" for n, turn in enumerate(turns)), tuple(panels))


def chart_in_words(chart: Chart, wording: Wording) -> str:
    """The chart in words: the first and the last value of each line."""
    sentences = []
    for panel in chart.panels:
        ends = [_line_in_words(panel, line, wording) for line in panel.lines]
        sentences.append(wording.text(N_("{title}: {list}."), title=panel.title, list=Verbatim(", ".join(ends))))
    return " ".join(sentences)


def _line_in_words(panel: Panel, line: ChartLine, wording: Wording) -> str:
    known = [value for value in line.values if value is not None]
    first, last = (panel.number(known[n]) for n in (0, -1))
    told = last if first == last else wording.text(N_("{now} (at first {then})"), now=Verbatim(last),
                                                   then=Verbatim(first))
    return f"{wording.names.text(line.label)} {told}".strip()


def _faction_codes(public: Sequence[Campaign]) -> list[str]:
    return [row.faction for row in public[-1].table(Faction) if row.role not in OWNERLESS]


def _moves(values: Values) -> bool:
    """Whether a line is not flat; what never changed needs no picture."""
    return len({*values} - {None}) > 1


def _places_held(ruleset: Ruleset, public: Sequence[Campaign]) -> dict[str, Values]:
    """How many places each faction held, by the public views; {} if that never changed."""
    held: dict[str, Values] = {
        code: tuple(ruleset.places_held(campaign, code) if code in campaign.table(Faction) else None
                    for campaign in public) for code in _faction_codes(public)}
    return held if any(map(_moves, held.values())) else {}


def _own_figures(ruleset: Ruleset, past: Sequence[PastView], faction: str) -> dict[str, Values]:
    """The figures of the reader's own report, by label, without those that were always the same."""
    if not faction:
        return {}
    glances: list[Mapping[str, float]] = [
        dict(ruleset.glance(view.own, faction)) if faction in view.own.table(Faction) else {} for view in past]
    figures = {label: tuple(glance.get(label) for glance in glances) for label in glances[-1]}
    return {label: values for label, values in figures.items() if _moves(values)}


def _compared_figures(ruleset: Ruleset, public: Sequence[Campaign]) -> dict[str, dict[str, Values]]:
    """Public numbers by which the book compares factions, if they have ever changed: heading -> faction -> values."""
    figures: dict[str, dict[str, Values]] = {}
    compared = {name for row in ruleset.standings(public[-1]) for name in row}
    columns = [c for c in public[-1].table(Faction).record.columns() if compared & {c.name, c.en}
               and isinstance(c.kind, Whole) and not c.kind.blank and c.see == "public"]
    for column in columns:
        lines = {code: tuple(getattr(row, column.name) if (row := campaign.table(Faction).get(code)) else None
                             for campaign in public) for code in _faction_codes(public)}
        if any(map(_moves, lines.values())):
            figures[column.en] = lines
    return figures


def _comparison_panel(
    title: str, values: Mapping[str, Values], past: Sequence[PastView], faction: str, wording: Wording
) -> Panel:
    lines = tuple(ChartLine(code, _colour(past, code), series, own=code == faction)
                  for code, series in values.items() if any(value is not None for value in series))
    return Panel(title, lines, wording.number)


def _colour(past: Sequence[PastView], code: str) -> str:
    return faction_colours(past[-1].public.table(Faction)).get(code, GREY)
