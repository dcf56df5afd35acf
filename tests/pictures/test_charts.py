"""Line charts: labels that keep off one another, the own line thick, of others nothing that is not public."""

from __future__ import annotations

import re
from itertools import pairwise

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Army, Faction, Node
from assistant.pictures.charts import (
    POINTS,
    ROW,
    Chart,
    ChartLine,
    Panel,
    PastView,
    chart_in_words,
    chart_svg,
    history_chart,
    pick_moments,
)
from assistant.speech import names_of
from assistant.wording import Wording
from tests.reporting.feud import FEUD, campaign


def a_chart(count: int, values: tuple[int | None, ...] = (3, 5, 4)) -> Chart:
    """So many lines that end at the same value, the first one the reader's own."""
    lines = tuple(ChartLine(f"F{n}", "#0c6993", values, own=not n) for n in range(count))
    return Chart("en", "So far", ("1", "", "2"), (Panel("Places", lines, str),))


def test_labels_at_the_ends_of_lines_keep_off_one_another() -> None:
    """Ten lines that end at one value have ten labels, each a row below the one before, and inside the picture."""
    drawn = chart_svg(a_chart(10))
    rows = sorted(float(y) for y in re.findall(r'y="([\d.]+)" fill="#1d1a14"', drawn))

    assert len(rows) == 10
    assert all(below - above >= ROW - 0.01 for above, below in pairwise(rows))
    assert rows[0] > 0
    assert rows[-1] < 268


def test_the_own_line_is_thick_and_its_label_bold() -> None:
    """One line of a chart is the reader's: it is drawn last and thickest, and its label is bold."""
    drawn = chart_svg(a_chart(3))
    widths = re.findall(r'stroke="#0c6993" stroke-width="([\d.]+)"/>\n</g>', drawn)

    assert widths == ["4"]
    assert drawn.count('font-weight="bold">F0 4<') == 1
    assert 'font-weight="bold">F1' not in drawn


def test_a_line_has_a_gap_where_nothing_is_known() -> None:
    """A value that is not known is no zero: the line is broken there."""
    drawn = chart_svg(a_chart(1, (3, None, 4)))

    assert re.search(r'd="M[\d.]+ [\d.]+ M[\d.]+ [\d.]+"', drawn)


def test_equal_charts_are_equal_bytes_and_hostile_names_stay_text() -> None:
    """A name that a club typed is text in the picture, whatever it holds."""
    name = '<script>&"'
    chart = Chart("en", name, ("1", "2"), (Panel(name, (ChartLine(name, "#0c6993", (1, 2)),), str),))

    assert chart_svg(chart) == chart_svg(chart)
    assert "<script" not in chart_svg(chart)


def views(faction: str) -> list[PastView]:
    """The feud at two moments: Reds take Ponte, and everybody's chest has changed."""
    found = []
    for turn in ("3", "4"):
        whole = campaign()
        whole.desk.turn = turn
        for row in whole.table(Faction):
            vars(row)["chest"] = 100 * int(turn)
        if turn == "4":
            vars(whole.table(Node)["K2"])["owner"] = "R"
        found.append(PastView(turn, "march", FEUD.view(whole, ""), FEUD.view(whole, faction)))
    return found


def worded(view: Campaign) -> Wording:
    return Wording(FEUD, "en", names_of(view, "en", FEUD.named, FEUD.coded))


def test_of_others_there_are_public_figures_only() -> None:
    """The places of all factions, of oneself also what the report opens with; for everybody no chest at all."""
    own, public = views("R"), views("")
    mine, all_of_us = (
        history_chart(FEUD, own, "R", worded(own[-1].own)),
        history_chart(FEUD, public, "", worded(public[-1].own)),
    )

    assert mine is not None
    assert all_of_us is not None
    assert [line.label for line in mine.panels[0].lines] == ["B", "G", "R"]
    assert [(line.label, line.values) for line in mine.panels[0].lines if line.own] == [("R", (1, 2))]
    assert all(len(panel.lines) == 1 and panel.lines[0].own for panel in mine.panels[1:])
    assert any(panel.lines[0].values == (300, 400) for panel in mine.panels[1:])
    assert not any(400 in line.values for panel in all_of_us.panels for line in panel.lines)


def test_a_chart_is_told_in_words() -> None:
    """Who reads without pictures reads where each line began and where it stands: factions by name, and a number is no
    cell of that number.
    """
    past = views("R")
    chart = history_chart(FEUD, past, "R", worded(past[-1].own))
    names = {"R": "Reds", **{str(n): f"Cell {n}" for n in (1, 2, 300, 400)}}

    assert chart is not None
    assert "Reds 2 (at first 1)" in chart_in_words(chart, Wording(FEUD, "en", names))
    assert "Cell" not in chart_in_words(chart, Wording(FEUD, "en", names))


def test_one_moment_is_no_course() -> None:
    """A campaign that has just begun has no chart; one of a thousand phases has as many points as can be told apart."""
    assert history_chart(FEUD, views("R")[:1], "R", worded(campaign())) is None
    assert len(pick_moments(range(1000))) == POINTS
    assert (pick_moments(range(1000))[0], pick_moments(range(1000))[-1]) == (0, 999)


def test_what_never_changed_is_not_drawn() -> None:
    """A figure that stayed the same has no panel, and where none changed there is no chart."""
    now = FEUD.view(campaign(), "R")
    flat = [PastView(turn, "march", FEUD.view(campaign(), ""), now) for turn in ("3", "4")]
    mine = history_chart(FEUD, views("R"), "R", worded(now))

    assert history_chart(FEUD, flat, "R", worded(now)) is None
    assert mine is not None
    assert all(any(len(set(line.values)) > 1 for line in panel.lines) for panel in mine.panels)


def test_armies_of_others_are_no_public_figure() -> None:
    """What a public view does not hold is not counted: the chart of everybody is the same with or without an army."""
    there, gone = campaign(), campaign()
    gone.table(Army).remove("B-1")
    charts = [history_chart(FEUD, [views("")[1], PastView("5", "march", FEUD.view(c, ""), FEUD.view(c, ""))], "",
                     worded(c)) for c in (there, gone)]

    assert charts[0] is not None
    assert charts[1] is not None
    assert chart_svg(charts[0]) == chart_svg(charts[1])
