"""`orders`: what was handed in in; rows in the campaign out, and how each was understood."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Order
from assistant.desk.intake.in_words import is_early, row_words
from assistant.desk.intake.incoming import Source, known_faction, read_source
from assistant.desk.intake.judging import judge_typed, never_counts, refused_answers
from assistant.desk.intake.merging import Merge, Taken
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.session import at_work
from assistant.desk.sitting.sitting import Sitting, sit
from assistant.desk.sitting.stops import Stop
from assistant.turn.findings import Finding
from assistant.turn.superseded import in_force
from assistant.wording import N_, Wording
from assistant.workbook.codes import ORDER_LATE


def take_orders(path: Path, sources: Iterable[Source], *, faction: str = "", lang: str = "") -> Result:
    """Take orders, answers, battle results and dice into a workbook.

    `faction`: whose lines they are where a line does not say it; of files, only that faction's orders
    and answers are taken. What cannot be taken is named; the rest is taken in one change, and none of it where a die
    or an answer is among them that can never count. Result
    data: ``taken``: a row each with kind, id, faction, turn, phase, words, how, source.
    """
    try:
        return take_into(sit(path, lang), sources, faction)
    except Stop as stopped:
        return stopped.result("orders")


def take_into(sitting: Sitting, sources: Iterable[Source], faction: str = "") -> Result:
    """`take_orders` for a workbook that lies on the desk already. Raises `Stop`."""
    stop_on_data(sitting)
    faction = known_faction(sitting, faction)
    result = Result("orders", wording=sitting.wording)
    after = sitting.campaign.copy()
    merge = Merge(sitting.ruleset, sitting.campaign, after)
    taken: list[tuple[Source, Taken]] = []
    for source in sources:
        incoming = read_source(source, sitting, after, faction)
        # an order that comes too late is reported when it is not taken
        result.find(f for f in incoming.findings if f.code != ORDER_LATE)
        if any(f.stops for f in incoming.findings):
            result.exit = Exit.REFUSED
        bad = {(f.where.table, f.where.row) for f in incoming.findings
               if f.stops and (f.alone or f.where.table == Order.sheet)}
        taken += [(source, merge.take(row, key)) for key, row in incoming.rows()
                  if (row.sheet, row.ident) not in bad]
    never = never_counts(sitting.ruleset, after, [one.row for _, one in taken if one.how in ("new", "changed")])
    if never:
        result.find(never)
        result.exit = Exit.REFUSED
        taken = [(source, replace(one, how="refused", finding=None) if one.how in ("new", "changed") else one)
                 for source, one in taken]
    _report(sitting, after, taken, result)
    if any(one.how in ("new", "changed") for _, one in taken):
        with at_work(sitting, "orders") as session:
            words = sitting.sheet_wording
            lines = desk_lines(sitting.ruleset, after, words, sitting.typed_name, [_sum(words, taken)],
                               refused_answers(result.findings))
            session.commit("orders", after, lines)
        result.find(sitting.second_copies)
        # now the new rows have their cells
        result.findings = sitting.placed(result.findings)
    return result


# --- answering --------------------------------------------------------------------------------
def _report(sitting: Sitting, after: Campaign, taken: list[tuple[Source, Taken]], result: Result) -> None:
    """Say how each row was understood, with the findings that it would get today."""
    rows: list[dict[str, Any]] = []
    asked = _asked(sitting) if any(is_early(one.row) for _, one in taken) else frozenset()
    for source, one in taken:
        words = row_words(one.row, sitting.ruleset, sitting.wording, after)
        if one.finding:
            result.find([one.finding])
        if one.how == "refused":
            result.exit = Exit.REFUSED
        rows.append({"kind": one.kind, "id": one.row.ident, "faction": one.faction,
                     "turn": getattr(one.row, "turn", ""), "phase": getattr(one.row, "phase", ""),
                     "words": words, "how": one.how, "source": source.name})
        result.say(sitting.wording.text(HOW[one.how], id=one.row.ident.rstrip("/"), words=words))
        if one.how != "refused" and is_early(one.row) and one.row.ident not in asked:
            result.say(sitting.wording.text(EARLY))
    result.data["taken"] = rows
    result.find(sitting.placed(judged(sitting, after, [one.row for _, one in taken if one.how != "refused"])))
    result.say(_sum(sitting.wording, taken))


def _asked(sitting: Sitting) -> frozenset[str]:
    """The names of the questions that no phase waits for and that clubs have been asked all the same."""
    campaign = in_force(sitting.campaign)
    if sitting.ruleset.is_over(campaign):
        return frozenset()
    game = sitting.ruleset.game(campaign)
    return frozenset(game.row_of(one.ask).ident for one in sitting.ruleset.invitations(game))


def judged(sitting: Sitting, after: Campaign, rows: list[Record]) -> list[Finding]:
    """The findings that rows which were taken in would get today; of orders of the present phase all."""
    if not rows or sitting.ruleset.is_over(after):
        return []
    desk, taken = after.desk, {(row.sheet, row.ident) for row in rows}
    word = sitting.ruleset.phase(desk.phase).orders
    now = any(isinstance(row, Order) and (row.turn, row.phase) == (desk.turn, word) for row in rows)
    seen = [*(sitting.ruleset.check_orders(in_force(after)) if now else ()), *judge_typed(sitting, after)]
    return [finding for finding in seen if (finding.where.table, finding.where.row) in taken]


HOW = {
    "new": N_("{id}: {words}"),
    "changed": N_("{id}: now {words}"),
    "same": N_("{id}: was there already: {words}"),
    "refused": N_("{id}: not taken: {words}"),
}


EARLY = N_("  Nobody has been asked this yet: the answer waits for the question.")


def _sum(wording: Wording, taken: list[tuple[Source, Taken]]) -> str:
    """How many rows were taken, in one sentence."""
    count = sum(one.how in ("new", "changed") for _, one in taken)
    return wording.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count)
