"""The page of an experiment as plain values: sections of sentences, tables and charts."""

from __future__ import annotations

from dataclasses import dataclass

COLOUR = "#2f4a5a"
"""The colour of its head: that of no faction."""


@dataclass(frozen=True)
class FigureCell:
    """A cell. `number`: it is set to the right; `bar`: a bar of so many per cent behind it, None for none."""

    text: str
    number: bool = False
    bar: int | None = None


@dataclass(frozen=True)
class Grid:
    """A table with a heading for each column, and a sentence below it, "" for none."""

    heads: tuple[str, ...]
    rows: tuple[tuple[FigureCell, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class ChartDrawing:
    """A chart as SVG of our own making. `alt`: what it shows, in words."""

    svg: str
    alt: str


@dataclass(frozen=True)
class ExperimentSection:
    """A part of the page, its sentences before its tables, and its charts last."""

    title: str
    lines: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    drawings: tuple[ChartDrawing, ...] = ()


@dataclass(frozen=True)
class ExperimentPage:
    """The whole page. `name`: what it is, `campaign`: of what; `about`: sentences of its head; `warning`: why it is not
    to be trusted, "" if it is; `foot`: the sentences at its end.
    """

    lang: str
    name: str
    campaign: str
    about: tuple[str, ...]
    warning: str
    sections: tuple[ExperimentSection, ...]
    foot: tuple[str, ...]
    colour: str = COLOUR
    ink: str = "#ffffff"
