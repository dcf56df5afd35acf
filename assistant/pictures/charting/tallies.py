"""Views of one reader at several moments in; the chart of how figures went, and the same in words, out.

Of others it shows what everybody may know and counts it in what everybody sees; of the reader what its report opens
with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Whole
from assistant.campaign.records import OWNERLESS, Faction
from assistant.pictures.charting.charts import Chart, Line, Panel
from assistant.pictures.hues import worn
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim, Wording

POINTS, SMALL = 48, 6
"""So many moments and so many small panels a chart has at most."""
GREY = "#6b6b6b"
Values = tuple[int | None, ...]


class Then(NamedTuple):
    """What was known at a moment. `public`: the view of everybody; `own`: the reader's, the same for the gazette."""

    turn: str
    phase: str
    public: Campaign
    own: Campaign


class Counted(NamedTuple):
    """What everybody may count at some moments, by faction: places held, and other figures by their headings."""

    held: Mapping[str, Values]
    others: Mapping[str, Mapping[str, Values]]


def thinned(moments: Sequence[int]) -> list[int]:
    """At most `POINTS` of these numbers, evenly spread, the first and the last among them."""
    count = len(moments)
    if count <= POINTS:
        return list(moments)
    return [moments[round(n * (count - 1) / (POINTS - 1))] for n in range(POINTS)]


def counted(ruleset: Ruleset, public: Sequence[Campaign]) -> Counted:
    """What is in every reader's chart. `public`: the views of everybody, the earliest first."""
    return Counted(_held(ruleset, public), _public(ruleset, public))


def course(ruleset: Ruleset, past: Sequence[Then], faction: str, wording: Wording,
           known: Counted | None = None) -> Chart | None:
    """The chart of a faction, "" for everybody's; None where there are fewer than two moments or nothing is counted.

    `past`: the earliest first, today last; `known`: what `counted` says of it, where somebody has asked already.
    """
    if len(past) < 2:
        return None
    held, others = known or counted(ruleset, [one.public for one in past])
    panels = [_of_all(wording.text(N_("Places")), held, past, faction, wording)] if held else []
    own = _own(ruleset, past, faction)
    panels += [Panel(wording.figure(label), (Line("", _colour(past, faction), values, own=True),), wording.number)
               for label, values in own.items() if values != held.get(faction)][:SMALL]
    public = [_of_all(wording.figure(label), by_faction, past, faction, wording)
              for label, by_faction in others.items() if label not in own]
    panels += public[:max(0, SMALL + 1 - len(panels))]
    if not panels:
        return None
    turns = [one.turn for one in past]
    return Chart(wording.lang, wording.text(N_("How it went so far")),
                 tuple(turn if turn not in turns[:n] else "" for n, turn in enumerate(turns)), tuple(panels))


def in_words(chart: Chart, wording: Wording) -> str:
    """What a chart shows, in words: of each line where it began and where it stands."""
    said = []
    for panel in chart.panels:
        ends = [_line_in_words(panel, line, wording) for line in panel.lines]
        said.append(wording.text(N_("{title}: {list}."), title=panel.title, list=Verbatim(", ".join(ends))))
    return " ".join(said)


def _line_in_words(panel: Panel, line: Line, wording: Wording) -> str:
    known = [value for value in line.values if value is not None]
    first, last = (panel.number(known[n]) for n in (0, -1))
    told = last if first == last else wording.text(N_("{now} (at first {then})"), now=Verbatim(last),
                                                   then=Verbatim(first))
    return f"{wording.names.text(line.label)} {told}".strip()


def _clubs(public: Sequence[Campaign]) -> list[str]:
    return [row.faction for row in public[-1].table(Faction) if row.role not in OWNERLESS]


def _held(ruleset: Ruleset, public: Sequence[Campaign]) -> dict[str, Values]:
    """How many places each faction held, as everybody may count; {} where nobody ever held any."""
    found = {code: tuple(ruleset.places_held(one, code) if code in one.table(Faction) else None
                         for one in public) for code in _clubs(public)}
    return found if any(any(values) for values in found.values()) else {}


def _own(ruleset: Ruleset, past: Sequence[Then], faction: str) -> dict[str, Values]:
    """The figures of the reader's own report, by label; those that were never anything are left out."""
    if not faction:
        return {}
    glances: list[Mapping[str, int]] = [
        dict(ruleset.glance(one.own, faction)) if faction in one.own.table(Faction) else {} for one in past]
    found = {label: tuple(one.get(label) for one in glances) for label in glances[-1]}
    return {label: values for label, values in found.items() if any(values)}


def _public(ruleset: Ruleset, public: Sequence[Campaign]) -> dict[str, dict[str, Values]]:
    """Numbers of factions that everybody sees, by which the book compares them and that have ever changed: heading ->
    faction -> values.
    """
    found: dict[str, dict[str, Values]] = {}
    compared = {name for row in ruleset.standings(public[-1]) for name in row}
    columns = [c for c in public[-1].table(Faction).record.columns() if compared & {c.name, c.en}
               and isinstance(c.kind, Whole) and not c.kind.blank and c.see == "public"]
    for column in columns:
        lines = {code: tuple(getattr(row, column.name) if (row := one.table(Faction).get(code)) else None
                             for one in public) for code in _clubs(public)}
        if any(len(set(values)) > 1 for values in lines.values()):
            found[column.en] = lines
    return found


def _of_all(title: str, values: Mapping[str, Values], past: Sequence[Then], faction: str, wording: Wording) -> Panel:
    lines = tuple(Line(code, _colour(past, code), one, own=code == faction)
                  for code, one in values.items() if any(value is not None for value in one))
    return Panel(title, lines, wording.number)


def _colour(past: Sequence[Then], code: str) -> str:
    """A faction's colour as a line on white paper can have it."""
    return worn(past[-1].public.table(Faction)).get(code, GREY)
