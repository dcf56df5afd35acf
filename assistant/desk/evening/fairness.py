"""`luck`: a campaign and a span of it in; expected against rolled out, for one faction from its view or for all."""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.records import Event
from assistant.desk import codes
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop, club_of, stop
from assistant.reporting.luck import luck as counted
from assistant.reporting.pages import plain
from assistant.reporting.reader import Reader
from assistant.reporting.render import columns
from assistant.turn.findings import nearest
from assistant.turn.throws.dice import REFEREE
from assistant.wording import N_

Moment = tuple[str, str]


def luck(path: Path, *, faction: str = "", since: str = "", until: str = "", lang: str = "") -> Result:
    """Expected against rolled, by kind of throw. Changes nothing.

    `faction`: only what concerns it and what it may know (default: all dice); `since`, `until`: the first and
    the last turn, or ``turn.phase``, that are counted (default: all). Result data: ``faction``, ``since``,
    ``until``, ``throws``: one object a kind of throw and side, as `assistant.reporting.pages.LuckRow` says.
    """
    try:
        sitting = sit(path, lang)
        code = club_of(sitting.campaign, faction, sitting.wording)
        moments = _span(sitting, since, until)
    except Stop as stopped:
        return stopped.result("luck")
    ruleset, words = sitting.ruleset, sitting.wording
    view = ruleset.view(sitting.campaign, code) if code else sitting.campaign
    reader = Reader.of(ruleset, view, code or REFEREE, words)
    whose = reader.faction_name(code) if code else words.text(N_("all dice"))
    found = counted(reader, set(moments), words.text(N_("Luck: {whose}"), whose=whose))
    result = Result("luck", findings=sitting.reading.findings, wording=words)
    result.data.update(faction=code, since=".".join(moments[0]) if moments else "",
                       until=".".join(moments[-1]) if moments else "", throws=plain(found.rows) if found else [])
    if found is None:
        result.say(words.text(N_("No dice were thrown that count here.")))
        return result
    result.say(found.title)
    result.lines += [*found.said, "",
                     *columns(found.table.rows.items, found.table.headings, found.table.numeric).splitlines(),
                     "", found.table.note]
    return result


def _span(sitting: Sitting, since: str, until: str) -> list[Moment]:
    """The phases with events from the first to the last that are asked for. Raises `Stop`."""
    told = list(dict.fromkeys((e.turn, e.phase) for _, e in sitting.campaign.table(Event).in_file_order()))
    first = _places(sitting, told, since)[0] if since else 0
    last = _places(sitting, told, until)[-1] if until else len(told) - 1
    return told[first:last + 1]


def _places(sitting: Sitting, told: list[Moment], asked: str) -> list[int]:
    """Where the phases of a turn, or a phase of it, stand among those told of. Raises `Stop` for none."""
    found = [place for place, moment in enumerate(told) if asked in (moment[0], ".".join(moment))]
    if not found:
        raise stop(Exit.USAGE, codes.NO_SUCH_PHASE, sitting.lang, sitting.wording, phase=asked,
                   near=nearest(asked, [".".join(moment) for moment in told]))
    return found
