"""`collect`: what came back from the clubs in; the newest of each in the campaign out, and an answer to each.

The core is `take_in`: it knows arrivals, each with a time, a name and bytes, wherever they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.desk import codes
from assistant.desk.collecting.arriving import Arrival, lying_in
from assistant.desk.collecting.newest import Chosen, Part, choose, names_of
from assistant.desk.collecting.opening_copies import Opened, open_arrival
from assistant.desk.collecting.receipts import Receipt, is_half, receipt_of, said
from assistant.desk.collecting.remembered import Memory, memory_of, note
from assistant.desk.collecting.replacing import Replacing, Row, unreadable
from assistant.desk.collecting.tampering import tampered
from assistant.desk.depicting.pictured import orders_drawn
from assistant.desk.evening.sharing import copy_name
from assistant.desk.intake.handing_in import judged
from assistant.desk.intake.in_words import row_words
from assistant.desk.intake.judging import refused_answers
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import codes_of
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.session import at_work
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop, folder_stop
from assistant.ledger import COLLECT, Ledger, LedgerTrouble, path_of
from assistant.wording import N_, Verbatim
from assistant.workbook.safe.saving import write_files


@dataclass
class Collected:
    """What was made of what came. `rows`: by faction what became of each row; `receipts`: the answers to the clubs."""

    opened: list[Opened]
    chosen: Chosen
    after: Campaign
    rows: dict[str, list[Row]] = field(default_factory=dict)
    taken: list[tuple[Part, list[Row]]] = field(default_factory=list)
    """The parts that were taken now, each with what became of its rows."""
    receipts: list[Receipt] = field(default_factory=list)
    known: list[Part] = field(default_factory=list)
    """Parts that were taken before, and are left as they were."""
    moved: bool = False
    """Whether anything of the campaign differs now."""

    def parts_of(self, faction: str) -> list[Part]:
        """What counts of a faction and was taken now."""
        return [part for part, _ in self.taken if part.faction == faction]


def collect(at: At, places: Sequence[Path], *, dry_run: bool = False, receipts: Path | None = None, lang: str = "",
            pictures: bool = False) -> Result:
    """Take in what the clubs sent back and lies in these folders, or is one of these files.

    Of each club the newest counts. `dry_run`: only show what stood and what would count; `receipts`: a folder for the
    answers to the clubs, a text each, and with `pictures` the club's orders on its map. Result data: ``sources``,
    ``taken`` (a row each with kind, id, faction, turn, phase, words, before, how, source), ``receipts`` (faction ->
    text), ``missing`` (faction -> what it owes).
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        return taken_in(sitting, lying_in(places, sitting), dry_run=dry_run, receipts=receipts, pictures=pictures)[0]
    except Stop as stopped:
        return stopped.result("collect")


def take_in(sitting: Sitting, arrivals: Sequence[Arrival], *, dry_run: bool = False, receipts: Path | None = None
            ) -> Result:
    """`collect` for what has arrived, from wherever. Raises `Stop`."""
    return taken_in(sitting, arrivals, dry_run=dry_run, receipts=receipts)[0]


def taken_in(sitting: Sitting, arrivals: Sequence[Arrival], *, dry_run: bool = False, receipts: Path | None = None,
             pictures: bool = False) -> tuple[Result, Collected]:
    """`take_in`, and what was made of each arrival. `pictures`: as of `collect`."""
    result = Result("collect", wording=sitting.wording)
    try:
        def ledger() -> Ledger:
            return Ledger.open(path_of(sitting.path), sitting.campaign.desk.campaign_id)

        with ledger() as open_ledger:
            memory = memory_of(open_ledger, sitting.campaign.desk.turn)
        known = codes_of(sitting)
        opened = [open_arrival(one, sitting, sitting.campaign, known) for one in arrivals]
        done = Collected(opened, choose(opened, sitting.campaign, memory, sitting.path.name), sitting.campaign.copy())
        _take(sitting, done, memory)
        _find(sitting, done, result, ledger)
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    _say(sitting, done, result, dry_run=dry_run)
    if done.moved and not dry_run:
        _commit(sitting, done, result)
    result.data.update(dry_run=dry_run, receipts={one.faction: one.text for one in done.receipts},
                       missing={one.faction: list(one.missing) for one in done.receipts})
    if receipts is not None and not dry_run:
        _write(sitting, done, receipts, result, pictures=pictures)
    return result, done


def _take(sitting: Sitting, done: Collected, memory: Memory) -> None:
    """Put what counts into the campaign, and make the answers."""
    taking = Replacing(sitting.ruleset, sitting.campaign, done.after)
    anew: set[tuple[str, str]] = set()
    for part in done.chosen.parts:
        if (part.faction, part.kind) not in anew and _was_taken(part, memory):
            done.known.append(part)  # what the referee has changed since stays
            continue
        if part.stands:
            anew.add((part.faction, part.kind))  # and so the lines behind it count once more
        rows = taking.take(part, memory.rows(part.faction, part.kind, part.at), unreadable(part))
        done.rows.setdefault(part.faction, []).extend(rows)
        done.taken.append((part, rows))
    for one in done.opened:
        incoming = one.incoming
        if incoming is not None:
            others = [*incoming.dice, *incoming.battles]
            rows = [taking.other(row, key) for key, row in [*((row.ident, row) for row in others), *incoming.forms]]
            if rows:
                done.rows.setdefault("", []).extend(rows)
    done.moved = any(one.how in ("new", "changed", "withdrawn") for rows in done.rows.values()
                                     for one in rows)
    for faction in done.rows:
        if faction:
            done.receipts.append(receipt_of(sitting.ruleset, done.after, faction, done.parts_of(faction),
                                            done.rows[faction]))


def _was_taken(part: Part, memory: Memory) -> bool:
    """Whether a part was collected before, and nothing since that stands for its club."""
    last = memory.last(part.faction, part.kind)
    if part.stands:
        return last is not None and last.said == part.said and last.at >= part.at
    return any(one.said == part.said and one.at >= part.at for one in memory.kept.get((part.faction, part.kind), ())
               if not one.stands or last is None or one is last)


def _find(sitting: Sitting, done: Collected, result: Result, ledger: Callable[[], Ledger]) -> None:
    """Name what does not count, and why; what came back changed; what is missing."""
    for one in done.opened:
        result.find(one.findings)
        incoming = one.incoming
        if incoming is None:
            continue
        result.find(incoming.findings)
        if one.reading is not None:
            named = Path(one.arrival.name).name == copy_name(sitting.path.stem, one.club)
            taken = any(one in part.opened for part in done.chosen.parts if part not in done.known)
            if taken and not named:
                result.find([codes.finding(codes.RENAMED, file=one.arrival.name, faction=one.club)])
            if one.untouched:
                result.find([codes.finding(codes.UNTOUCHED, file=one.arrival.name, faction=one.club)])
            if taken or one.untouched:
                result.find(tampered(one, sitting, ledger))
    result.find(done.chosen.findings)
    for receipt in done.receipts:
        parts = done.parts_of(receipt.faction)
        if is_half(parts, receipt):
            result.find([codes.finding(codes.HALF_FILLED, file=names_of(parts),
                                       faction=receipt.faction, list=Verbatim("; ".join(receipt.missing)))])
    rows = [one for rows in done.rows.values() for one in rows]
    result.find(one.finding for one in rows if one.finding is not None)
    if not done.opened:
        result.find([codes.finding(codes.NOTHING_CAME)])
    if any(finding.stops for finding in result.findings) or any(one.how == "refused" for one in rows):
        result.exit = Exit.REFUSED
    result.find(sitting.placed(judged(sitting, done.after, [one.row for one in rows if one.how in (
        "new", "changed", "same")])))


# --- saying it --------------------------------------------------------------------------------
def _say(sitting: Sitting, done: Collected, result: Result, *, dry_run: bool) -> None:
    """Say how each row was understood; in a dry run beside it what stood there."""
    words = sitting.wording
    data: list[dict[str, Any]] = []
    for faction, rows in done.rows.items():
        parts = done.parts_of(faction)
        name = names_of(parts)
        if parts:
            saved = dict.fromkeys(one.program for part in parts for one in part.opened if one.program == "LibreOffice")
            told = N_("{faction:the}: {file} of {when}, saved by {program}") if saved else N_(
                "{faction:the}: {file} of {when}")
            result.say(words.text(told, faction=faction, file=Verbatim(name), when=Verbatim(parts[-1].when),
                                  program=Verbatim(", ".join(saved))))
        for one in rows:
            before = "" if one.before is None else row_words(one.before, sitting.ruleset, words, sitting.campaign)
            after = "" if one.how == "withdrawn" else row_words(one.row, sitting.ruleset, words, done.after)
            data.append({"kind": one.kind, "id": one.row.ident, "faction": faction, "how": one.how, "source": name,
                         "turn": getattr(one.row, "turn", ""), "phase": getattr(one.row, "phase", ""),
                         "words": after, "before": before})
            result.say("  " + (_both(sitting, one, before, after) if dry_run else said(
                one, sitting.ruleset, words, done.after)))
    for faction, name in dict.fromkeys((part.faction, part.name) for part in done.known if part.rows):
        result.say(words.text(N_("{faction:the}: {file} was taken before."), faction=faction, file=Verbatim(name)))
    for pair in done.chosen.rivals:
        for part in pair:
            result.say(words.text(N_("{faction:the}: {file} of {when} is not taken; it says:"), faction=part.faction,
                                  file=Verbatim(part.name), when=Verbatim(part.when)))
            for row in part.rows:
                result.say("  " + row_words(row, sitting.ruleset, words, sitting.campaign))
    count = sum(one["how"] in ("new", "changed", "withdrawn") for one in data)
    result.data.update(taken=data, sources=[_source(one, done) for one in done.opened])
    result.say(words.plural(N_("{n} row would change; nothing was written."),
                            N_("{n} rows would change; nothing was written."), count) if dry_run else
               words.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count))


def _both(sitting: Sitting, one: Row, before: str, after: str) -> str:
    """What stood under a number, and what would count."""
    nothing = sitting.wording.text(N_("nothing"))
    if one.how == "refused":
        return sitting.wording.text(N_("{id}: stood: {before}; not taken: {words}"), id=Verbatim(one.row.ident),
                                    before=Verbatim(before or nothing), words=Verbatim(after))
    return sitting.wording.text(N_("{id}: stood: {before}; would count: {words}"), before=Verbatim(before or nothing),
                                id=Verbatim(one.row.ident.rstrip("/")), words=Verbatim(after or nothing))


def _source(one: Opened, done: Collected) -> dict[str, Any]:
    counts = any(one in part.opened for part in done.chosen.parts)
    return {"file": one.arrival.name, "at": one.arrival.at, "when": one.arrival.when, "faction": one.club,
            "program": one.program, "counts": counts}


# --- writing it -------------------------------------------------------------------------------
def _commit(sitting: Sitting, done: Collected, result: Result) -> None:
    """Write the campaign, and note in the ledger what was collected. Raises `Stop`."""
    entries = []
    for part, rows in done.taken:
        record = Order if part.kind == "orders" else Question
        keys = [one.row.ident for one in rows if isinstance(one.row, record) and one.how in ("new", "changed", "same")]
        entries.append({"faction": part.faction, "kind": part.kind, "rows": keys, "at": part.at, "said": part.said,
                        "name": part.name, "stands": part.stands})
    with at_work(sitting, "collect") as session:
        words = sitting.sheet_wording
        count = sum(one.how in ("new", "changed", "withdrawn") for rows in done.rows.values() for one in rows)
        told = words.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count)
        lines = desk_lines(sitting.ruleset, done.after, words, sitting.typed_name, [told],
                           refused_answers(result.findings))
        note(session.ledger, entries)
        session.commit(COLLECT, done.after, lines)
    result.find(sitting.second_copies)
    result.findings = sitting.placed(result.findings)  # now the new rows have their cells


def _write(sitting: Sitting, done: Collected, folder: Path, result: Result, *, pictures: bool) -> None:
    """Write the answers to the clubs, a text each, and their orders on their maps. Raises `Stop`."""
    answers = {one.faction: f"{Path(copy_name(sitting.path.stem, one.faction)).stem}-receipt" for one in done.receipts}
    files = {f"{answers[one.faction]}.txt": one.text.encode() for one in done.receipts}
    if pictures:
        shown, unmade = orders_drawn(sitting.ruleset, done.after, list(answers))
        result.find(unmade)
        files |= {f"{answers[faction]}.png": png for faction, made in shown.items() for _, png in made}
    try:
        write_files(folder, files)
    except OSError as fault:
        raise folder_stop(fault, folder, N_("the answers to the clubs"), sitting.lang, sitting.wording) from fault
    result.data["files"] = list(files)
    result.say(sitting.wording.plural(N_("{n} answer to a club was written to {folder}."),
                                      N_("{n} answers to clubs were written to {folder}."), len(answers),
                                      folder=str(folder)))
