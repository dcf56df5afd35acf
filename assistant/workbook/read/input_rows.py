"""Checks rows that people type in: orders, answers, dice, battle forms; unreadable input is set aside."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping
from functools import lru_cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import ordinal_number as read_number
from assistant.campaign.records import (
    REFEREE,
    Battle,
    Die,
    Faction,
    FormRow,
    Order,
    Question,
    TurnQuestion,
    code_lookup,
)
from assistant.campaign.tables import Record
from assistant.catalogues import LANGUAGES
from assistant.turn import codes
from assistant.turn.dice_purposes import battle_code
from assistant.turn.findings import Where
from assistant.turn.phases import (
    DOUBLE,
    InvalidRows,
    clock_of_orders,
    current_orders_word,
    duplicate_number,
    is_ahead,
    is_emptied,
    is_superseded,
    next_turn_read,
    order_phase,
    order_words,
    past_orders_words,
    phases_ahead,
    prepared,
    verb_of,
)
from assistant.turn.questions import code_finder, strip_until
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.read.grid import Notes, RowRead, TableGrid

# Answers.
# #
# Their kind may be given in words of either language, and turn and phase may be missing.


@lru_cache(maxsize=16)
def kinds_in_words(ruleset: Ruleset) -> dict[str, str]:
    """The words for kinds of question, casefolded -> their codes; a code is never another kind's word."""
    kinds: dict[str, str] = {}
    for lang in LANGUAGES:
        words = Wording(ruleset, lang)
        kinds.update({words.word(kind).casefold(): kind for kind in ruleset.questions})
    return kinds | {kind.casefold(): kind for kind in ruleset.questions}


def spell_subject(about: str, campaign: Campaign, ruleset: Ruleset, find: Callable[[str], str]) -> str:
    """The subject of an answer, each part spelled as in the tables, or as in the rulebook where that names battles.

    `find`: the campaign's `code_finder`.
    """
    return "/".join(_spell_part(part, campaign, ruleset, find) for part in about.split("/")) if about else ""


def _spell_part(part: str, campaign: Campaign, ruleset: Ruleset, find: Callable[[str], str]) -> str:
    """Spell one part; after ``#`` comes its number among questions of the same name."""
    word, again, number = part.partition("#")
    orders = campaign.table(Order)
    code = spelled if (spelled := orders.spelled(word)) in orders else find(word)
    return (code or battle_code(ruleset, campaign, word)) + again + number


def spell_name(row: Question, campaign: Campaign, ruleset: Ruleset, find: Callable[[str], str]) -> None:
    """Correct the spelling of a question's name that gives its kind and subject in any case, ``response/b2``."""
    if isinstance(row, TurnQuestion) and row.question:
        kind, _, about = row.question.partition("/")
        kind = kinds_in_words(ruleset).get(kind.strip().casefold(), "")
        spelled = spell_subject(about, campaign, ruleset, find)
        if kind:
            row.question = row.named("", "", kind, "", spelled if spelled.casefold() == about.casefold() else about)


def name_question(row: Question, campaign: Campaign, ruleset: Ruleset) -> None:
    """Give an answer the name of its question, whatever the case of its parts.

    Without turn and phase it answers the open question of its kind and addressee, and of its subject if it gives one;
    otherwise it is for the next phase that may ask such a question. An answer that stays in force belongs to no phase.
    A club's report on a battle has a name of its own beside the referee's.
    """
    find = code_finder(campaign)
    spell_name(row, campaign, ruleset, find)
    by_fold = code_lookup(campaign.table(Faction))
    by_fold.update({REFEREE: REFEREE, "arbitro": REFEREE})
    row.to = by_fold.get(row.to.casefold(), row.to)
    if not row.question:
        row.kind = kinds_in_words(ruleset).get(row.kind.casefold(), row.kind)
        row.about = spell_subject(row.about, campaign, ruleset, find)
    if row.phase and not row.turn:  # as an order without a turn is for the present one
        row.turn = campaign.desk.turn or prepared(ruleset, campaign).desk.turn
    report = ruleset.form is not None and row.kind == ruleset.form.question and row.to not in ("", REFEREE)
    if isinstance(row, TurnQuestion) and row.question and not row.stands:
        row.complete()
    says_when = bool(row.phase or (row.question and not isinstance(row, TurnQuestion)))
    if row.kind and not says_when and not row.stands and not strip_until(row.answer)[1]:
        _fill_in_when(row, campaign, ruleset, REFEREE if report else row.to)
    if report and row.about and not row.question and "/" not in row.about:
        row.about = f"{row.about}/{row.to}"
    row.complete()


def _fill_in_when(row: Question, campaign: Campaign, ruleset: Ruleset, to: str) -> None:
    """Fill in the turn and phase of an answer, and its subject if only one open question can be meant.

    `to`: who was asked, "" if the row does not say. If it cannot be told, the row stays as it is.
    """
    alike = campaign.table(Question).open_rows(campaign.desk.turn, lambda question: (
        (question.status, question.kind) == ("open", row.kind) and to in ("", question.to)
        and row.turn in ("", question.turn)))
    asked = [question for question in alike if row.about.casefold() in ("", question.about.casefold())]
    if len(asked) == 1:
        row.turn, row.phase, row.about = asked[0].turn, asked[0].phase, asked[0].about
        row.to = row.to or asked[0].to
        return
    now = campaign if campaign.desk.turn and campaign.desk.phase else prepared(ruleset, campaign)
    coming = (when for when in phases_ahead(ruleset, now) if row.kind in ruleset.phase(when[1]).waits_for)
    turn, phase = next(coming, ("", "")) if row.about or not asked else ("", "")
    if row.turn in ("", turn):
        row.turn, row.phase = turn, phase


# Orders.


Address = Callable[[str, int], str]
_CODE = r"[A-Za-z]+[0-9]+-[0-9]+"
_JUDGED = ("refused", "withdrawn")
"""What became of rows that may say what nobody can read: it was told then."""


def settle_orders(rows: Iterable[RowRead], campaign: Campaign, ruleset: Ruleset, address: Address, notes: Notes,
           known: Mapping[str, Order] | None = None, untouched: bool = False) -> list[tuple[int, str]]:
    """Fill in and check Orders rows; returns (row number, field) of the blank cells that were filled.

    A faction may be given by its name. Blank turn and phase: those of the next phase that reads the verb, else the
    Desk's, or the next turn's if this one reads no orders; blank No.: after the row above of the same faction, turn and
    phase; blank id: `<turn>-<phase>-<faction>-<n>`, n after the highest so far. `known`: orders that the campaign
    already has; `untouched`: nobody has changed the sheet since it was written, so what was judged then is not checked
    again.
    `untouched`: nobody has changed the sheet since it was written, so what was judged then is not checked again.
    """
    rows = list(rows)
    filled: list[tuple[int, str]] = []
    factions = code_lookup(campaign.table(Faction))
    words = order_words(ruleset, campaign)
    coming = clock_of_orders(ruleset, campaign)
    word_now = current_orders_word(ruleset, coming)

    def fill(entry: RowRead, name: str, value: Any) -> None:
        setattr(entry.row, name, value)
        if name not in entry.unread:
            filled.append((entry.number, name))

    for entry in rows:
        order: Order = entry.row
        order.faction = factions.get(order.faction.casefold(), order.faction)
        order.phase = words.get(order.phase.casefold(), order.phase)
        order.turn = ruleset.calendar.turns.meant(order.turn)
        if not order.order and isinstance(order.seq, str) and re.fullmatch(_CODE, order.seq):
            fill(entry, "order", order.seq)  # some rulebooks head the codes of their orders so
            order.seq = None
        if is_emptied(order):
            continue
        if not (order.turn or order.phase) and not entry.unread & {"turn", "phase"} and (
                coming_phase := _phase_of_verb(order, campaign, ruleset)):
            fill(entry, "turn", coming_phase[0])
            fill(entry, "phase", coming_phase[1])
        if not order.turn and "turn" not in entry.unread:
            fill(entry, "turn", next_turn_read(ruleset, campaign, coming.desk.turn, order.phase))
        if not order.phase and word_now and "phase" not in entry.unread:
            fill(entry, "phase", word_now)
    misfits = InvalidRows(ruleset, campaign)
    if not untouched:
        _drop_typed_verdicts(rows, ruleset, campaign, address, notes)
    _renumber_clashes(rows, misfits, fill)
    _number_orders(rows, known or {}, fill)
    _judge(rows, campaign, ruleset, misfits, address, notes, untouched)
    return filled


def _phase_of_verb(order: Order, campaign: Campaign, ruleset: Ruleset) -> tuple[str, str] | None:
    """Turn and word of the next phase that reads an order's verb; None where its verb is not known."""
    begun = campaign.desk.phase in ruleset.phase_ids(campaign)
    verb = verb_of(ruleset, campaign, order) if begun else ""
    coming = order_phase(ruleset, campaign, verb) if verb else None
    return None if coming is None else (coming[0], coming[1].orders)


def _drop_typed_verdicts(rows: list[RowRead], ruleset: Ruleset, campaign: Campaign, address: Address,
                      notes: Notes) -> None:
    """Discard what clubs type into the Status of orders that are not judged yet: those without a number, or for a later
    phase.
    """
    ahead: dict[tuple[str, str], bool] = {}
    for entry in rows:
        row, told = entry.row, [n for n in entry.told if notes.findings[n].where.field == "status"]
        when = row.turn, row.phase
        if (row.status or told) and when not in ahead:
            ahead[when] = is_ahead(ruleset, campaign, *when)
        if not (row.status or told) or (row.order and not ahead[when]) or is_emptied(row) or is_superseded(row.order):
            continue
        if told:
            seen = str(notes.findings[told[0]].data.get("seen", ""))
            notes.findings[told[0]] = notes.findings[told[0]]._replace(
                code=codes.STATUS_TYPED, severity="warning", data={"seen": seen})
        else:
            notes.add(codes.STATUS_TYPED, Where(Order.sheet, row.order, "status"), address("status", entry.number),
                      {"seen": row.column("status").word(row.status, notes.lang)}, row.faction, "warning")
            row.status = ""


def _judge(rows: list[RowRead], campaign: Campaign, ruleset: Ruleset, misfits: InvalidRows, address: Address,
           notes: Notes, untouched: bool) -> None:
    """Find invalid rows among those not judged yet, and those that come too late."""
    known, words = code_lookup(campaign.table(Faction)), order_words(ruleset, campaign)
    over, before = past_orders_words(ruleset, campaign), ruleset.calendar.turns.key
    for entry in rows:
        row = entry.row
        if row.status in _JUDGED or (untouched and row.status) or is_superseded(row.order):
            continue
        if is_emptied(row):
            notes.emptied.append(address("order", entry.number))
            continue
        for finding in misfits.of(row):
            if finding.code != codes.TOO_LONG or finding.where.field not in entry.unread:
                notes.add(finding.code, finding.where, address(finding.where.field, entry.number), finding.data,
                          finding.faction,
                          finding.severity, finding.alone)
        late = before(row.turn) < before(campaign.desk.turn) or (
            row.turn == campaign.desk.turn and row.phase in over)
        if late and ruleset.late_order(row, campaign) is not None and not ruleset.is_over(campaign):
            continue  # the book's own phases say so
        if late and not row.status and row.faction in known.values() and row.phase in words.values():
            notes.add(codes.ORDER_LATE, Where(Order.sheet, row.order, "phase"), address("phase", entry.number),
                      {"when": f"{row.turn} {row.phase}"}, row.faction, severity="warning")


def _renumber_clashes(rows: list[RowRead], misfits: InvalidRows, fill: Callable[[RowRead, str, Any], None]) -> None:
    """Renumber rows whose number belongs to another row or another club; they are refused under the new number."""
    numbered = [entry for entry in rows if entry.row.order]
    taken = {entry.row.order.casefold() for entry in numbered}
    holders: dict[str, RowRead] = {}
    for entry in sorted(numbered, key=lambda entry: (not entry.row.status, is_emptied(entry.row), entry.number)):
        if entry.row.status or is_emptied(entry.row) or not misfits.is_others(entry.row):
            holders.setdefault(entry.row.order.casefold(), entry)
    for entry in numbered:
        if holders.get(entry.row.order.casefold()) is not entry and not DOUBLE.fullmatch(entry.row.order):
            entry.row.status = ""  # it was copied with its row
            fill(entry, "order", duplicate_number(entry.row.order, taken))
            taken.add(entry.row.order.casefold())


def _number_orders(rows: list[RowRead], known: Mapping[str, Order], fill: Callable[[RowRead, str, Any], None]) -> None:
    highest: dict[str, int] = {}
    last_seq: dict[str, int] = {}
    for order in (*known.values(), *(entry.row for entry in rows)):
        stem, _, digits = order.order.rpartition("-")
        if digits.isascii() and digits.isdigit():
            highest[stem] = max(highest.get(stem, 0), int(digits))
    for order in known.values():
        group = _group(order)
        last_seq[group] = max(last_seq.get(group, 0), read_number(order.seq) or 0)
    for entry in rows:
        if is_emptied(entry.row):
            continue
        group = _group(entry.row)
        if entry.row.seq is None:
            fill(entry, "seq", last_seq.get(group, 0) + 1)
        if (place := read_number(entry.row.seq)) is not None:
            last_seq[group] = place
        if not entry.row.order:
            highest[group] = highest.get(group, 0) + 1
            fill(entry, "order", f"{group}-{highest[group]}")


def _group(order: Order) -> str:
    return f"{order.turn}-{order.phase}-{order.faction}"


# Unreadable input in answers, dice and battle forms.
# #
# A mistake in one row concerns that row alone (decision 27): it does not count, and all others do.


INPUT_RECORDS = (Question, Die, Battle, FormRow)
"""Records that people type in; orders are checked by their content instead (see `turn`)."""
ARBITRO_FIELDS = ("status", "asked", "so_far")
"""Columns that are not typed by the author of a row: unreadable content there means that somebody overwrote it."""


def set_aside_unreadable(
        grids: Mapping[str, TableGrid], read: MutableMapping[str, list[RowRead]], notes: Notes) -> None:
    """Remove unreadable rows from each sheet (English name), and mark their findings as concerning that row alone.

    A typed row is left out. A typed die keeps its purpose and loses its value, so that the phase that rolls it stops; a
    form that a phase waits for does not count, so that it goes on waiting. Unreadable content in Arbitro's own columns
    stops every phase, as usual.
    """
    sheets = [sheet for sheet, grid in grids.items()
              if sheet in read and issubclass(grid.record, INPUT_RECORDS) and grid.known is None]
    broken: set[str] = set()
    if any(issubclass(grids[sheet].record, Battle) for sheet in sheets):  # else nobody can say whose form it is
        for sheet in [sheet for sheet in sheets if issubclass(grids[sheet].record, FormRow)]:
            slipped = [entry for entry in read[sheet] if entry.row.hold == "typed" and _set_row_aside(entry, notes)]
            broken.update(entry.row.battle.casefold() for entry in slipped)
            read[sheet] = [entry for entry in read[sheet] if entry not in slipped]
    for sheet in [sheet for sheet in sheets if not issubclass(grids[sheet].record, FormRow)]:
        sound = [entry for entry in read[sheet] if _row_counts(entry, notes, broken)]
        read[sheet] = list(_drop_duplicates(grids[sheet], sound, notes))


def _row_counts(entry: RowRead, notes: Notes, broken: Collection[str]) -> bool:
    """Whether a row counts; unreadable fields are removed from one that does. `broken`: battles whose form is
    unreadable.
    """
    row: Record = entry.row
    if isinstance(row, Battle) and row.hold in ("asked", "typed"):
        of_form = (*row.form(), *(c.name for c in row.columns() if row.hold == "typed"))
        if _set_row_aside(entry, notes, of_form) or row.ident.casefold() in broken:
            for name in row.form():
                setattr(row, name, row.column(name).default)
            return row.hold == "asked"
    elif isinstance(row, Die) and row.hold == "typed" and _set_row_aside(entry, notes):
        row.value = ""
        return bool(row.key) and "key" not in entry.unread
    elif isinstance(row, Question) and row.hold == "typed":
        return not _set_row_aside(entry, notes)
    return True


def _set_row_aside(entry: RowRead, notes: Notes, fields: Collection[str] | None = None) -> bool:
    """Whether something in a row (in `fields`, if given) cannot be read; the finding is then marked as concerning it
    alone.

    Not if one of Arbitro's own columns is affected.
    """
    told = [number for number in entry.told if notes.findings[number].stops]
    seen = {notes.findings[number].where.field for number in told}
    if not told or seen & set(ARBITRO_FIELDS) or (fields is not None and seen - set(fields)):
        return False
    for number in told:
        notes.findings[number] = notes.findings[number]._replace(alone=True)
    return True


def _drop_duplicates(grid: TableGrid, rows: list[RowRead], notes: Notes) -> Iterator[RowRead]:
    """The rows without duplicates: of rows with the same key Arbitro's own counts, or else the first.

    If two typed dice for one roll differ, neither counts: whoever rolls has to choose.
    """
    holders: dict[str, RowRead] = {}
    for entry in sorted(rows, key=lambda entry: (entry.row.hold == "typed", entry.number)):
        holders.setdefault(entry.row.ident.casefold(), entry)
    key = next((c.name for c in grid.record.columns() if c.key), "")
    for entry in rows:
        first = holders[entry.row.ident.casefold()]
        if entry is first or entry.row.hold != "typed" or not grid.record.unique:
            yield entry
            continue
        if isinstance(entry.row, Die) and first.row.hold == "typed" and entry.row.value != first.row.value:
            first.row.value = ""
        notes.add(codes.TWO_KEYS, Where(grid.record.sheet, entry.row.ident, key), grid.address(key, entry.number),
                  {"seen": entry.row.ident, "first": grid.address(key, first.number).rpartition("!")[2]},
                  str(getattr(entry.row, "faction", "")), alone=True)
