"""What `send` and `remind` do alike: packages in; listed, asked for and carried out, or only written into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from assistant.desk import codes
from assistant.desk.mailing.counter import Counter, at_the_counter
from assistant.desk.mailing.outgoing import Going
from assistant.desk.mailing.packages import Package
from assistant.desk.mailing.told_of_mails import held_back, listed, summed_up
from assistant.desk.results import Exit, Result
from assistant.wording import N_
from assistant.workbook.safe.saving import write_files


def hand_over(counter: Counter, result: Result, packages: Sequence[Package], folder: Path) -> None:
    """Carry the mails of packages, each once, and tell what became of them in `result`. `folder`: for a dry run.

    Raises `Stop`, OSError.
    """
    sitting, wish, words = counter.sitting, counter.wish, counter.sitting.wording
    with at_the_counter(counter, result.command) as (office, box):
        result.find(sitting.second_copies)
        goings = [office.going(one) for one in packages]
        for line in listed(goings, words):
            result.say(line)
        result.find(held_back(goings, sitting))
        if wish.dry:
            written = {f"{one.row.faction or one.row.kind}.eml": one.letter for one in goings}
            write_files(folder, written)
            result.data.update(sent=0, folder=str(folder), files=list(written), mails=_as_data(goings))
            result.say(words.plural(N_("{n} mail was written to {folder}; nothing was sent."),
                                    N_("{n} mails were written to {folder}; nothing was sent."), len(goings),
                                    folder=str(folder)))
            return
        may = counter.may(result, office)
        if may:
            rows = counter.carried(goings, office, box)
            result.data["mails"] = [asdict(row) for row in rows]
            before = frozenset(row.ident for row in office.rows if row.at_stage("taken"))
            summed_up(result, sitting, rows, counter.troubles, before)
    if not may:
        result.exit = Exit.REFUSED
        result.find([codes.finding(codes.NOBODY_ASKED)])
        result.data.update(sent=0, mails=_as_data(goings))


def _as_data(goings: Sequence[Going]) -> list[dict[str, object]]:
    return [{"kind": one.row.kind, "faction": one.row.faction, "to": list(one.package.to), "size": len(one.letter),
             "held": one.held, "replaces": one.row.replaces} for one in goings]
