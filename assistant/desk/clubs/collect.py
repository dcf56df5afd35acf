"""`collect`: takes in what clubs sent back, and answers how each line was understood."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order, Question
from assistant.campaign.tables import natural
from assistant.desk.clubs.diff_copies import (
    CollectMemory,
    CopyMerge,
    Part,
    RowChange,
    Selection,
    choose,
    note_collected,
    part_names,
    read_memory,
    unreadable_orders,
)
from assistant.desk.clubs.read_copies import Arrival, OpenedArrival, files_in, locked_cell_edits, open_arrival
from assistant.desk.commands.map_pictures import draw_orders
from assistant.desk.commands.report import named_wording
from assistant.desk.commands.share_and_export import copy_name
from assistant.desk.intake.check_inputs import refused_answers
from assistant.desk.intake.take_orders import findings_on_rows, row_words
from assistant.desk.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.version_check import abort_on_data
from assistant.desk.workspace.workspace import Abort, BookPlace, Workspace, club_codes, folder_abort, open_workspace
from assistant.desk.workspace.writer import open_for_writing
from assistant.ledger import COLLECT, Ledger, LedgerTrouble, path_of_ledger
from assistant.reporting.duties import next_orders, open_questions
from assistant.reporting.reader import Reader
from assistant.turn import codes
from assistant.turn.absence import READY, readiness_by_faction
from assistant.turn.battle_results import NOT_READ, WITH_IT, open_forms
from assistant.turn.findings import Finding
from assistant.turn.phases import is_emptied, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.save import write_files

# The receipt that a club gets.


OUTCOMES = {
    "new": N_("{id}: {words}"),
    "changed": N_("{id}: now {words}"),
    "same": N_("{id}: as before: {words}"),
    "withdrawn": N_("{id}: withdrawn: {words}"),
    "refused": N_("{id}: not taken: {words}"),
}


@dataclass(frozen=True)
class MailAnswer:
    """A mail to be answered. `when` it came; `stranger`: its sender where its club has no such address; `listed`:
    its lines that are neither order nor ours nor a signature; `asked`: why nothing of it is taken, as texts for
    `Wording.text`; `rivals`: the lines between which its club is asked; `findings`: what is said of files in it that
    do not count; `older`, `unfilled`: what it brought came before a newer copy, or is the form as it was sent.
    """

    when: str
    stranger: str = ""
    listed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    findings: tuple[Finding, ...] = ()
    older: bool = False
    unfilled: bool = False


@dataclass(frozen=True)
class Receipt:
    """The answer to a club. `missing`: what it still owes, in its own words; `text`: the whole answer."""

    faction: str
    missing: tuple[str, ...]
    text: str


WHY_NOT = N_("Your mail of {when} does not count as it is: {why}.")
EITHER, OR = N_("Either: {text}"), N_("or: {text}")
ONCE_MORE = N_("Write in one mail what is to count.")
NO_ORDER = N_("neither an order nor an answer, so it does not count: {text}")
OLDER = N_("Your mail of {when} was followed by a newer copy, and counts no more.")
UNFILLED = N_("The form in your mail of {when} came back as it was sent: nothing was filled in, and what you"
              " ordered before stands.")
STRANGER = N_("The mail of {when} came from {address}, which is no address that we know of you. It bears your code, and"
              " so it counts. If it was none of yours, tell the referee at once: he makes you a new code.")
HOW_BACK = N_("Lines are added to what you sent before and take nothing of it back; whether one order replaces another"
              " is for the rulebook. To take an order back, answer with a line like: withdraw {id}. With this one you"
              " take back all that you sent: withdraw all")


def build_receipt(ruleset: Ruleset, after: Campaign, faction: str, parts: Sequence[Part], rows: Sequence[RowChange],
               mails: Sequence[MailAnswer] = ()) -> Receipt:
    """The answer to a club, made of its view alone. `parts`: what was taken of it; `rows`: what became of their rows;
    `mails`: those that are answered, none where files are.

    `after`: the campaign with these rows in it.
    """
    view = ruleset.view(without_superseded(after), faction)
    club = after.table(Faction).get(faction)
    words = named_wording(ruleset, view, (club.language if club is not None else "") or after.desk.language)
    reader = Reader.of(ruleset, view, faction, words)
    missing = tuple(_missing_items(reader))
    lines = [line for one in mails if one.stranger for line in (words.text(
        STRANGER, when=Verbatim(one.when), address=Verbatim(one.stranger)), "")]
    lines += _row_lines(ruleset, view, parts, rows, reader)
    lines += ["- " + words.text(N_("not understood, so it does not count: {text}"), text=Verbatim(text))
              for text in dict.fromkeys(_unread_lines(parts))]
    lines += [f"- {one}" for one in dict.fromkeys(_unread_battle_cells(parts, ruleset, words))]
    for one in mails:
        lines += _mail_lines(one, words)
    lines += _earlier_orders(ruleset, view, faction, [one.row for one in rows if isinstance(one.row, Order)], words)
    lines += [words.text(N_("Still missing:")), *(f"- {one}" for one in missing)] if missing else [
        words.text(N_("Nothing is missing."))]
    numbers = [one.row.ident for one in rows if isinstance(one.row, Order) and one.how not in ("withdrawn", "refused")]
    if mails and numbers:
        lines += ["", words.text(HOW_BACK, id=Verbatim(numbers[0]))]
    return Receipt(faction, missing, "\n".join(lines) + "\n")


def _row_lines(ruleset: Ruleset, view: Campaign, parts: Sequence[Part], rows: Sequence[RowChange], reader: Reader
             ) -> Iterator[str]:
    """How each row was understood."""
    words = reader.wording
    if not parts:
        return
    files = part_names(parts)
    yield words.text(N_("{whom}: what came counts so ({file}, {when}):"), file=Verbatim(files),
                     whom=Verbatim(reader.faction_name(reader.faction)), when=Verbatim(parts[-1].when))
    wrong = _order_findings(ruleset, view, {one.row.ident for one in rows})
    for one in rows:
        yield "- " + row_line(one, ruleset, words, view)
        yield from (f"  {words.finding(finding)}" for finding in wrong.get(one.row.ident, ()))
        yield from [f"  {words.finding(one.finding)}"] if one.finding is not None else []
    if not rows:
        yield "- " + words.text(N_("nothing"))


def _mail_lines(one: MailAnswer, words: Wording) -> Iterator[str]:
    """Lines about what of a mail does not count, and why."""
    when = Verbatim(one.when)
    for why in one.asked:
        yield words.text(WHY_NOT, when=when, why=Verbatim(words.text(why)))
    for number, rival in enumerate(one.rivals):
        yield "- " + words.text(OR if number else EITHER, text=Verbatim("; ".join(rival)))
    yield from (f"- {words.finding(finding)}" for finding in one.findings)
    if one.older:
        yield words.text(OLDER, when=when)
    if one.unfilled:
        yield words.text(UNFILLED, when=when)
    yield from ("- " + words.text(NO_ORDER, text=Verbatim(line)) for line in dict.fromkeys(one.listed))
    if one.asked or one.rivals:
        yield words.text(ONCE_MORE)


def _earlier_orders(ruleset: Ruleset, view: Campaign, faction: str, rows: Sequence[Order], words: Wording) -> list[str]:
    """The club's orders of the same turns that stand beside those rows."""
    told = {row.order for row in rows}
    standing = [row for turn in dict.fromkeys([view.desk.turn, *(row.turn for row in rows)])
                for row in view.table(Order).of_turn(turn) if row.faction == faction and not row.status
                and row.order not in told and not is_emptied(row)]
    return [words.text(N_("From before there counts besides:")), *(
        "- " + words.text(OUTCOMES["new"], id=Verbatim(row.order), words=Verbatim(row_words(row, ruleset, words, view)))
        for row in sorted(standing, key=lambda row: natural(row.order)))] if standing else []


def _unread_lines(parts: Sequence[Part]) -> Iterator[str]:
    """The lines of a club's own text that were not understood, in its own words."""
    for part in parts:
        for one in part.opened:
            for finding in one.incoming.findings if one.incoming is not None and one.club else ():
                if finding.stops and "text" in finding.data and not finding.where.table:
                    yield str(finding.data["text"])


def _unread_battle_cells(parts: Sequence[Part], ruleset: Ruleset, words: Wording) -> Iterator[str]:
    """The cells of a copy that should tell of a battle and cannot be read, each with why."""
    sheets = {sheet.sheet for sheet in ruleset.forms}
    for one in (one for part in parts for one in part.opened if one.reading is not None):
        for finding in one.incoming.findings if one.incoming is not None else ():
            if finding.stops and (finding.where.table in sheets or finding.code in (NOT_READ, WITH_IT)):
                yield words.text(OUTCOMES["refused"], id=Verbatim(finding.cell), words=Verbatim(words.finding(finding)))


def row_line(one: RowChange, ruleset: Ruleset, words: Wording, campaign: Campaign) -> str:
    """A row and what became of it, in a line."""
    shown = one.before if one.how == "withdrawn" and one.before is not None else one.row
    text = words.text(OUTCOMES[one.how], id=Verbatim(one.row.ident.rstrip("/")),
                      words=Verbatim(row_words(shown, ruleset, words, campaign)))
    return text.removeprefix(": ")  # what was not taken may have no number


def _missing_items(reader: Reader) -> Iterator[str]:
    """What the reader owes: answers to open questions, reports on battles that it has not begun, orders for
    the next phase that takes some.
    """
    _ = reader.wording.text
    for question in open_questions(reader, {}):
        yield _(N_("answer: {question}"), question=Verbatim(question.text))
    for one in open_forms(reader.ruleset, reader.view, reader.faction):
        if not one.begun:
            yield _(N_("Your report on {battle}"), battle=Verbatim(one.battle.battle))
    word, moment = next_orders(reader)
    turn = reader.view.desk.turn
    ready = readiness_by_faction(reader.view).get(reader.faction) == READY
    if word and not ready and not any(row.faction == reader.faction and row.phase == word
                                      for row in reader.view.table(Order).of_turn(turn)):
        yield _(N_("orders for {phase}"), phase=Verbatim(moment))


def _order_findings(ruleset: Ruleset, view: Campaign, rows: set[str]) -> dict[str, list[Finding]]:
    """What the present phase would say of a club's orders, as far as the club can know it. Key of a row -> findings."""
    found: dict[str, list[Finding]] = {}
    if ruleset.is_over(view) or not ruleset.phase(view.desk.phase).orders:
        return found
    for finding in ruleset.check_orders(view):
        if finding.where.table == Order.sheet and finding.where.row in rows:
            found.setdefault(finding.where.row, []).append(replace(finding, cell=""))
    return found


def is_half_filled(parts: Sequence[Part], receipt: Receipt) -> bool:
    """Whether a club sent something and still owes something: a form that is only partly filled in."""
    return bool(receipt.missing) and any(isinstance(row, (Order, Question)) for part in parts for row in part.rows)


# `collect`.
#
# The core is `collect_all`: it takes arrivals (a time, a name and bytes each), wherever they came from.


@dataclass
class CollectRun:
    """What a collection came to. `rows`: by faction what became of each row; `receipts`: the answers to the clubs."""

    opened: list[OpenedArrival]
    chosen: Selection
    after: Campaign
    rows: dict[str, list[RowChange]] = field(default_factory=dict)
    taken: list[tuple[Part, list[RowChange]]] = field(default_factory=list)
    """The parts that were taken now, each with what became of its rows."""
    receipts: list[Receipt] = field(default_factory=list)
    known: list[Part] = field(default_factory=list)
    """Parts that were taken before, and are left as they were."""
    moved: bool = False
    """Whether anything of the campaign differs now."""

    def parts_of(self, faction: str) -> list[Part]:
        """What counts of a faction and was taken now."""
        return [part for part, _ in self.taken if part.faction == faction]


def collect(
    at: BookPlace,
    places: Sequence[Path],
    *,
    dry_run: bool = False,
    receipts: Path | None = None,
    lang: str = "",
    pictures: bool = False,
) -> Result:
    """Take in what the clubs sent back and lies in these folders, or is one of these files.

    Of each club the newest counts. `dry_run`: only show what stood and what would count; `receipts`: a folder for the
    answers to the clubs, a text each, and with `pictures` the club's orders on its map. Result data: ``sources``,
    ``taken`` (a row each with kind, id, faction, turn, phase, words, before, how, source), ``receipts`` (faction ->
    text), ``missing`` (faction -> what it owes).
    """
    try:
        sitting = open_workspace(at, lang)
        abort_on_data(sitting)
        return collect_all(sitting, files_in(places, sitting), dry_run=dry_run, receipts=receipts, pictures=pictures)[0]
    except Abort as stopped:
        return stopped.result("collect")


def take_arrivals(
    sitting: Workspace, arrivals: Sequence[Arrival], *, dry_run: bool = False, receipts: Path | None = None
) -> Result:
    """`collect` for what has arrived, from wherever. Raises `Stop`."""
    return collect_all(sitting, arrivals, dry_run=dry_run, receipts=receipts)[0]


def collect_all(sitting: Workspace, arrivals: Sequence[Arrival], *, dry_run: bool = False, receipts: Path | None = None,
             pictures: bool = False) -> tuple[Result, CollectRun]:
    """`take_arrivals`, and what was made of each arrival. `pictures`: as of `collect`."""
    result = Result("collect", wording=sitting.wording)
    try:
        def ledger() -> Ledger:
            return Ledger.open(path_of_ledger(sitting.path), sitting.campaign.desk.campaign_id)

        with ledger() as open_ledger:
            memory = read_memory(open_ledger, sitting.campaign.desk.turn)
        known = club_codes(sitting)
        opened = [open_arrival(one, sitting, sitting.campaign, known) for one in arrivals]
        done = CollectRun(opened, choose(opened, sitting.campaign, memory, sitting.path.name), sitting.campaign.copy())
        _take_parts(sitting, done, memory)
        _add_findings(sitting, done, result, ledger)
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    _say_rows(sitting, done, result, dry_run=dry_run)
    if done.moved and not dry_run:
        _commit(sitting, done, result)
    result.data.update(dry_run=dry_run, receipts={one.faction: one.text for one in done.receipts},
                       missing={one.faction: list(one.missing) for one in done.receipts})
    if receipts is not None and not dry_run:
        _write_receipts(sitting, done, receipts, result, pictures=pictures)
    return result, done


def _take_parts(sitting: Workspace, done: CollectRun, memory: CollectMemory) -> None:
    """Put what counts into the campaign, and make the answers."""
    taking = CopyMerge(sitting.ruleset, sitting.campaign, done.after)
    anew: set[tuple[str, str]] = set()
    for part in done.chosen.parts:
        if (part.faction, part.kind) not in anew and _was_collected(part, memory):
            done.known.append(part)  # what the referee has changed since stays
            continue
        if part.stands:
            anew.add((part.faction, part.kind))  # and so the lines behind it count once more
        rows = taking.take(part, memory.rows(part.faction, part.kind, part.at), unreadable_orders(part))
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
            done.receipts.append(build_receipt(sitting.ruleset, done.after, faction, done.parts_of(faction),
                                            done.rows[faction]))


def _was_collected(part: Part, memory: CollectMemory) -> bool:
    """Whether a part was collected before, and nothing since that stands for its club."""
    last = memory.last(part.faction, part.kind)
    if part.stands:
        return last is not None and last.said == part.said and last.at >= part.at
    return any(one.said == part.said and one.at >= part.at for one in memory.kept.get((part.faction, part.kind), ())
               if not one.stands or last is None or one is last)


def _add_findings(sitting: Workspace, done: CollectRun, result: Result, ledger: Callable[[], Ledger]) -> None:
    """Add findings: what does not count and why, what came back changed, what is missing."""
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
                result.find(locked_cell_edits(one, sitting, ledger))
    result.find(done.chosen.findings)
    for receipt in done.receipts:
        parts = done.parts_of(receipt.faction)
        if is_half_filled(parts, receipt):
            result.find([codes.finding(codes.HALF_FILLED, file=part_names(parts),
                                       faction=receipt.faction, list=Verbatim("; ".join(receipt.missing)))])
    rows = [one for rows in done.rows.values() for one in rows]
    result.find(one.finding for one in rows if one.finding is not None)
    if not done.opened:
        result.find([codes.finding(codes.NOTHING_CAME)])
    if any(finding.stops for finding in result.findings) or any(one.how == "refused" for one in rows):
        result.exit = Exit.REFUSED
    result.find(sitting.placed(findings_on_rows(sitting, done.after, [one.row for one in rows if one.how in (
        "new", "changed", "same")])))


# --- messages ---------------------------------------------------------------------------------
def _say_rows(sitting: Workspace, done: CollectRun, result: Result, *, dry_run: bool) -> None:
    """Say how each row was understood; in a dry run beside it what stood there."""
    words = sitting.wording
    data: list[dict[str, Any]] = []
    for faction, rows in done.rows.items():
        parts = done.parts_of(faction)
        name = part_names(parts)
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
            result.say("  " + (_before_and_after(sitting, one, before, after) if dry_run else row_line(
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
    result.data.update(taken=data, sources=[_source_data(one, done) for one in done.opened])
    result.say(words.plural(N_("{n} row would change; nothing was written."),
                            N_("{n} rows would change; nothing was written."), count) if dry_run else
               words.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count))


def _before_and_after(sitting: Workspace, one: RowChange, before: str, after: str) -> str:
    """What a row says now, and what would count, for a dry run."""
    nothing = sitting.wording.text(N_("nothing"))
    if one.how == "refused":
        return sitting.wording.text(N_("{id}: stood: {before}; not taken: {words}"), id=Verbatim(one.row.ident),
                                    before=Verbatim(before or nothing), words=Verbatim(after))
    return sitting.wording.text(N_("{id}: stood: {before}; would count: {words}"), before=Verbatim(before or nothing),
                                id=Verbatim(one.row.ident.rstrip("/")), words=Verbatim(after or nothing))


def _source_data(one: OpenedArrival, done: CollectRun) -> dict[str, Any]:
    counts = any(one in part.opened for part in done.chosen.parts)
    return {"file": one.arrival.name, "at": one.arrival.at, "when": one.arrival.when, "faction": one.club,
            "program": one.program, "counts": counts}


# --- writing ----------------------------------------------------------------------------------
def _commit(sitting: Workspace, done: CollectRun, result: Result) -> None:
    """Write the campaign, and note in the ledger what was collected. Raises `Stop`."""
    entries = []
    for part, rows in done.taken:
        record = Order if part.kind == "orders" else Question
        keys = [one.row.ident for one in rows if isinstance(one.row, record) and one.how in ("new", "changed", "same")]
        entries.append({"faction": part.faction, "kind": part.kind, "rows": keys, "at": part.at, "said": part.said,
                        "name": part.name, "stands": part.stands})
    with open_for_writing(sitting, "collect") as session:
        words = sitting.sheet_wording
        count = sum(one.how in ("new", "changed", "withdrawn") for rows in done.rows.values() for one in rows)
        told = words.plural(N_("{n} row was taken."), N_("{n} rows were taken."), count)
        lines = desk_lines(sitting.ruleset, done.after, words, sitting.typed_name, [told],
                           refused_answers(result.findings))
        note_collected(session.ledger, entries)
        session.commit(COLLECT, done.after, lines)
    result.find(sitting.second_copies)
    result.findings = sitting.placed(result.findings)  # now the new rows have their cells


def _write_receipts(sitting: Workspace, done: CollectRun, folder: Path, result: Result, *, pictures: bool) -> None:
    """Write the answers to the clubs, a text each, and their orders on their maps. Raises `Stop`."""
    answers = {one.faction: f"{Path(copy_name(sitting.path.stem, one.faction)).stem}-receipt" for one in done.receipts}
    files = {f"{answers[one.faction]}.txt": one.text.encode() for one in done.receipts}
    if pictures:
        shown, unmade = draw_orders(sitting.ruleset, done.after, list(answers))
        result.find(unmade)
        files |= {f"{answers[faction]}.png": png for faction, made in shown.items() for _, png in made}
    try:
        write_files(folder, files)
    except OSError as fault:
        raise folder_abort(fault, folder, N_("the answers to the clubs"), sitting.lang, sitting.wording) from fault
    result.data["files"] = list(files)
    result.say(sitting.wording.plural(N_("{n} answer to a club was written to {folder}."),
                                      N_("{n} answers to clubs were written to {folder}."), len(answers),
                                      folder=str(folder)))
