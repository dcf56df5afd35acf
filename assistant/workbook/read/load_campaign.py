"""Loads a campaign from the grids of all sheets, with findings at cells; checks the rows that people type in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column
from assistant.campaign.columns import ordinal_number as read_number
from assistant.campaign.records import (
    REFEREE,
    Battle,
    Desk,
    Die,
    Faction,
    FormRow,
    Order,
    Question,
    Rule,
    TurnQuestion,
    code_lookup,
)
from assistant.campaign.tables import Record, Table
from assistant.catalogues import LANGUAGES
from assistant.speech import canonical_value
from assistant.turn import codes
from assistant.turn.dice_purposes import spell_purpose, typed_battle_code
from assistant.turn.findings import Where, join_names, nearest
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
    prepare,
    verb_of,
)
from assistant.turn.questions import code_finder, strip_until
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.ooxml.cells import cell_address, letters_of
from assistant.workbook.port import CellMap, UntouchedRows
from assistant.workbook.read.grid import (
    LIKE,
    MUCH_LIKE,
    Heads,
    Notes,
    RowRead,
    TableGrid,
    expected_place,
    nearest_unknown,
    read_rows,
    without_spare_rows,
)

# Rows that people type in: orders, answers, dice, battle forms; unreadable input is set aside.


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
    code = spelled if (spelled := orders.spelling_of(word)) in orders else find(word)
    return (code or typed_battle_code(ruleset, campaign, word)) + again + number


def spell_name(row: Question, campaign: Campaign, ruleset: Ruleset, find: Callable[[str], str]) -> None:
    """Correct the spelling of a question's name that gives its kind and subject in any case, ``response/b2``."""
    if isinstance(row, TurnQuestion) and row.question:
        kind, _, about = row.question.partition("/")
        kind = kinds_in_words(ruleset).get(kind.strip().casefold(), "")
        spelled = spell_subject(about, campaign, ruleset, find)
        if kind:
            row.question = row.name_for("", "", kind, "", spelled if spelled.casefold() == about.casefold() else about)


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
        row.turn = campaign.desk.turn or prepare(ruleset, campaign).desk.turn
    report = ruleset.form is not None and row.kind == ruleset.form.question and row.to not in ("", REFEREE)
    if isinstance(row, TurnQuestion) and row.question and not row.stands:
        row.complete()
    if not (row.turn or row.phase or row.stands):
        row.turn, row.phase = _moment_in_name(row, ruleset)
    says_when = bool(row.phase or (row.question and not isinstance(row, TurnQuestion)))
    if row.kind and not says_when and not row.stands and not strip_until(row.answer)[1]:
        _fill_in_when(row, campaign, ruleset, REFEREE if report else row.to)
    if report and row.about and not row.question and "/" not in row.about:
        row.about = f"{row.about}/{row.to}"
    row.complete()


def _moment_in_name(row: Question, ruleset: Ruleset) -> tuple[str, str]:
    """Turn and phase, where the question's name begins with them: ``1500.r2.contact.choice.V.V8/M``."""
    for phase in ruleset.calendar.phases():
        turn, said, _ = row.question.partition(f".{phase}.")
        if said and row.name_for(turn, phase, "", "", "") == f"{turn}.{phase}":
            return turn, phase
    return "", ""


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
    now = campaign if campaign.desk.turn and campaign.desk.phase else prepare(ruleset, campaign)
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
        order.turn = ruleset.calendar.turns.canonical_turn(order.turn)
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


REQUIRED_SETTINGS = ("turn", "phase")
"""Settings of the Desk without which nothing can be checked."""
LONGEST_NUMBER = 8
"""Most digits in the number of a code."""


@dataclass(eq=False, repr=False)
class LoadedCampaign:
    """The campaign loaded from a workbook's grids. `filled`: cells that were blank and now have a value: (English sheet
    name, row number, field).
    """

    campaign: Campaign
    cells: CellMap
    filled: list[tuple[str, int, str]] = field(default_factory=list)


def load_campaign(ruleset: Ruleset, desk: Record, grids: Mapping[str, TableGrid], notes: Notes, *, new: bool = False,
           codes_then: str = "", club: str = "") -> LoadedCampaign:
    """Read all grids (by English sheet name) into a campaign of the ruleset's records.

    `new`: the Desk may still lack its turn and phase, which `Ruleset.prepare` will set; `codes_then`: the
    `codes_fingerprint` for which the references of remembered tables were checked, "" if not known; `club`: whose copy
    it is, which owns orders that do not name a faction.
    """
    if club:
        grids = {sheet: without_spare_rows(grid) for sheet, grid in grids.items()}
    campaign = Campaign(ruleset.records)
    campaign.by_sheet(Desk.sheet).add(desk)
    got = LoadedCampaign(campaign, CellMap())
    meant = referred_tables(ruleset)
    whole = {sheet for sheet, grid in grids.items() if sheet in meant or grid.known is None
             or not grid.record.unique}
    read = {sheet: [] if grid.keyless or sheet not in whole else read_rows(grid, notes)
            for sheet, grid in grids.items() if sheet != Desk.sheet}
    codes_of = {sheet: _codes(rows) for sheet, rows in read.items() if sheet in meant and not grids[sheet].keyless}
    as_then = codes_then == codes_fingerprint({sheet: set(known.values()) for sheet, known in codes_of.items()})
    for sheet in [sheet for sheet in read if sheet not in whole]:
        if not (as_then or _references_up_to_date(grids[sheet], codes_of)):
            read[sheet] = read_rows(grids[sheet], notes)
        elif sheet == Order.sheet:
            read[sheet] = read_rows(_without_judged(grids[sheet]), notes)
    if new and Faction.sheet in codes_of:  # a faction that is nowhere may be one that the rulebook adds: the neutrals
        codes_of[Faction.sheet] = code_lookup(prepare(ruleset, campaign).table(Faction)) | codes_of[Faction.sheet]
    _canonical_settings(desk, codes_of, notes)
    for sheet, rows in read.items():
        canonical_references(grids[sheet], rows, codes_of, notes)
        canonical_moments(grids[sheet].record, rows, ruleset)
        if issubclass(grids[sheet].record, Rule):
            canonical_rules(rows, ruleset)
    if new:  # turn and phase as somebody typed them who begins a campaign
        campaign.desk.turn = ruleset.calendar.turns.canonical_turn(campaign.desk.turn)
        campaign.desk.phase = ruleset.calendar.phase_id(campaign.desk.phase)
    else:
        set_aside_unreadable(grids, read, notes)
    order = {sheet: place for place, sheet in enumerate(read)}
    for sheet in sorted(read.keys() - {Order.sheet},
                        key=lambda sheet: (is_named_in_play(grids[sheet].record), order[sheet])):
        spell_made_names(ruleset, campaign, read[sheet])
        got.filled += _rename_questions(ruleset, campaign, grids[sheet], read[sheet])
        add_rows(campaign, grids[sheet], read[sheet], notes, got.cells)
    known_phase = check_clock(ruleset, campaign, notes, new=new)
    if Order.sheet in read:
        if known_phase and not any(grid.keyless for grid in grids.values()):
            got.filled += _settle(ruleset, campaign, grids[Order.sheet], read[Order.sheet], notes, new=new, club=club)
        add_rows(campaign, grids[Order.sheet], read[Order.sheet], notes, got.cells)
    return got


def _settle(ruleset: Ruleset, campaign: Campaign, grid: TableGrid, rows: Sequence[RowRead], notes: Notes, *, new: bool,
             club: str) -> list[tuple[str, int, str]]:
    """Fill in what orders leave out; returns the filled cells: the sheet, the row's number, the column."""
    blanks = any(not entry.row.turn or not entry.row.phase for entry in rows)
    desk_then = prepare(ruleset, campaign) if new and blanks else campaign
    for entry in rows:
        if club and not is_emptied(entry.row):
            entry.row.faction = entry.row.faction or club
    filled = settle_orders(rows, desk_then, ruleset, grid.address, notes, untouched=grid.known is not None)
    return [(Order.sheet, number, name) for number, name in filled]


def _references_up_to_date(grid: TableGrid, codes_of: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether all references of a remembered table are still spelled as in their tables."""
    rows = [row for _, row in grid.known.wake()] if grid.known is not None else []
    whose = [grid.record.column("faction")] if issubclass(grid.record, Order) else []
    for c in _reference_columns(grid.record) + whose:
        known = codes_of.get(c.kind.table)
        if known is not None and c.name in grid.heads.fields:
            seen = set(map(attrgetter(c.name), rows))
            words = {word for value in seen for word in (value if isinstance(value, tuple) else (value,))}
            if any(word and known.get(word.casefold()) != word for word in words):
                return False
    return True


def _without_judged(grid: TableGrid) -> TableGrid:
    """A remembered table of orders without those that were judged when their phase was resolved."""
    rows = grid.known.awake() if grid.known is not None else []
    left = [(number, row) for number, row in rows if row.hold != "settled"]
    return replace(grid, known=UntouchedRows([number for number, _ in left], [[row for _, row in left]]))


def referred_tables(ruleset: Ruleset) -> set[str]:
    """The English names of the sheets that columns of the ruleset's records refer to."""
    return {c.kind.table for record in ruleset.records for c in _reference_columns(record)}


def codes_fingerprint(codes_of: Mapping[str, Iterable[str]]) -> str:
    """A fingerprint of the codes of all tables that are referred to, by English sheet name."""
    text = repr([(sheet, sorted(codes_of[sheet])) for sheet in sorted(codes_of)])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def codes_fingerprint_after(ruleset: Ruleset, before: Campaign, after: Campaign) -> str:
    """The `codes_fingerprint` of a campaign that is being written; "" if a code is gone to which old rows may refer."""
    codes: dict[str, list[str]] = {}
    for sheet in referred_tables(ruleset) & after.tables().keys():
        table = after.by_sheet(sheet)
        if any(key not in table for key in before.by_sheet(sheet).keys_in_file_order()):
            return ""
        codes[sheet] = table.keys_in_file_order()
    return codes_fingerprint(codes)


def check_clock(ruleset: Ruleset, campaign: Campaign, notes: Notes, *, new: bool) -> bool:
    """Whether the Desk's turn and phase exist in the ruleset; findings if not.

    `new`: blanks are left to `Ruleset.prepare`.
    """
    turn, phase = campaign.desk.turn, campaign.desk.phase
    if any(f.code == codes.NO_SETTING and f.where.field in REQUIRED_SETTINGS for f in notes.findings):
        return False
    if not (new and not turn) and not re.fullmatch(ruleset.turn_pattern, turn):
        notes.add(codes.DESK_TURN, Where(Desk.sheet, campaign.desk.ident, "turn"), "", {"seen": turn})
        return False
    if new and not (turn and phase):
        return True
    known = list(ruleset.phase_ids(campaign))
    if phase in (*known, ruleset.closing) or ruleset.is_over(campaign):
        return True
    notes.add(codes.DESK_PHASE, Where(Desk.sheet, campaign.desk.ident, "phase"), "",
              {"seen": phase, "near": nearest(phase, known) or join_names(known, 6)})
    return False


def add_rows(campaign: Campaign, grid: TableGrid, rows: Iterable[RowRead], notes: Notes, cells: CellMap) -> None:
    """Add rows to the campaign's table; a repeated key is a finding at its cell."""
    record = grid.record
    if grid.known is not None and record.unique:
        _add_untouched_rows(campaign, grid, cells)
        return
    table: Table[Any] = Table(record)
    numbers: list[int] = []
    seen: dict[str, int] = {}
    virtual: dict[str, int] = {}
    key = next((c.name for c in record.columns() if c.key), "")
    for entry in rows:
        ident = entry.row.ident
        if issubclass(record, Rule) and entry.row.value == "":
            virtual.setdefault(ident, entry.number)  # a line of the rulebook that this campaign leaves as it is
            continue
        if record.unique and ident.casefold() in seen:
            notes.add(codes.TWO_KEYS, Where(record.sheet, ident, key), grid.address(key, entry.number),
                      {"seen": ident, "first": grid.address(key, seen[ident.casefold()]).rpartition("!")[2]},
                      str(getattr(entry.row, "faction", "")))
            cells.doubled.setdefault(record.sheet, []).append((entry.number, entry.row))
            continue
        seen[ident.casefold()] = entry.number
        table.add(entry.row)
        numbers.append(entry.number)
    campaign.put(table)
    keys = (k for k, _ in table.in_file_order())
    record_places(grid, cells, {**virtual, **dict(zip(keys, numbers, strict=True))})


def _add_untouched_rows(campaign: Campaign, grid: TableGrid, cells: CellMap) -> None:
    """Add the rows of a sheet that nobody has changed to the campaign, as one table."""
    assert grid.known is not None
    table: Table[Any] = Table.partly_asleep(grid.record, grid.known.parts)
    campaign.put(table)
    record_places(grid, cells, dict(zip(table.keys_in_file_order(), grid.known.numbers, strict=True)))


def record_places(grid: TableGrid, cells: CellMap, rows: dict[str, int]) -> None:
    """Record where a sheet's rows and columns are. `rows`: key -> row number."""
    sheet = grid.record.sheet
    cells.titles[sheet] = grid.title
    cells.headings[sheet] = grid.heading_row
    cells.letters[sheet] = {name: letters_of(i) for name, i in grid.heads.fields.items()}
    cells.rows[sheet] = rows


def _codes(rows: Iterable[RowRead]) -> dict[str, str]:
    return code_lookup(entry.row for entry in rows)


def _reference_columns(record: type[Record]) -> list[Column]:
    skip = {"faction"} if issubclass(record, Order) else set()
    return [c for c in record.columns() if c.kind.table and c.name not in skip]


def canonical_moments(record: type[Record], rows: Iterable[RowRead], ruleset: Ruleset) -> None:
    """Replace names of phases by their ids in dice and answers."""
    if issubclass(record, (Die, Question)):
        called_so = cache(ruleset.calendar.phase_id)
        for row in (entry.row for entry in rows if entry.row.phase):
            row.phase = called_so(row.phase)


def is_named_in_play(record: type[Record]) -> bool:
    """Whether the rulebook makes the names of a table's rows: dice, battles with their forms, and questions about them.
    """
    return issubclass(record, (Die, Battle, FormRow, Question))


def spell_made_names(ruleset: Ruleset, campaign: Campaign, rows: Iterable[RowRead]) -> None:
    """Spell purposes of typed dice and codes of battles as the rulebook does, if known; even after their phase, because
    the cell stays as typed. The campaign already has all other tables.
    """
    for row in (entry.row for entry in rows if isinstance(entry.row, (Die, Battle, FormRow))):
        if not isinstance(row, Die):
            row.battle = typed_battle_code(ruleset, campaign, row.battle)
        elif row.source == "table":
            row.key = spell_purpose(ruleset, campaign, row.key) or row.key


def _rename_questions(ruleset: Ruleset, campaign: Campaign, grid: TableGrid, rows: Iterable[RowRead]) -> Iterator[tuple[
        str, int, str]]:
    """Correct the names of questions that were typed with an early answer; returns the cells to rewrite."""
    if not issubclass(grid.record, Question) or grid.known is not None:
        return
    find = code_finder(campaign)
    for entry in rows:
        was = entry.row.question
        if entry.row.hold == "typed":
            spell_name(entry.row, campaign, ruleset, find)
        if entry.row.question != was:
            yield grid.record.sheet, entry.number, "question"


def canonical_rules(rows: Iterable[RowRead], ruleset: Ruleset) -> None:
    """Spell keys, and options of switches typed in words of any language, as the rulebook does."""
    declared = {number.key: number for number in ruleset.numbers}
    keys = {key.casefold(): key for key in declared}
    for entry in rows:
        entry.row.key = keys.get(entry.row.key.casefold(), entry.row.key)
        entry.row.value = canonical_value(declared, entry.row, lambda: [Wording(ruleset, lang) for lang in LANGUAGES])


def canonical_references(grid: TableGrid, rows: Iterable[RowRead], codes_of: Mapping[str, Mapping[str, str]],
                         notes: Notes) -> None:
    """Spell references as in their table; an unknown one is a finding at its cell.

    `codes_of`: sheet -> names of its rows, casefolded -> their codes. References in a club's orders are left to the
    rulebook, which refuses the row and not the workbook.
    """
    columns = [c for c in _reference_columns(grid.record) if c.name in grid.heads.fields]
    for entry in rows:
        for c in columns:
            if c.name not in entry.present:
                continue
            known = codes_of.get(c.kind.table)
            if known is None:
                continue
            value = getattr(entry.row, c.name)
            if isinstance(value, tuple):
                setattr(entry.row, c.name, tuple(spell_code(v, known) or v for v in value))
                missing = [v for v in value if not spell_code(v, known)]
            else:
                setattr(entry.row, c.name, spell_code(value, known) or value)
                missing = [value] if value and not spell_code(value, known) else []
            if (issubclass(grid.record, Order) and c.edit == "club") or c.kind.own_finding:
                continue
            for seen in missing:
                where = Where(grid.record.sheet, entry.row.ident, c.name)
                entry.told.append(len(notes.findings))
                notes.add(codes.UNKNOWN_REF, where, grid.address(c.name, entry.number),
                          unknown_code_data(c, seen, known), str(getattr(entry.row, "faction", "")))


def spell_code(seen: str, known: Mapping[str, str]) -> str:
    """A code as its table spells it, even if a spreadsheet removed its leading zeros, or a person left out those before
    its number (``C3`` for ``C03``) or added some (``09`` for ``9``); "" if it is unknown.
    """
    code = known.get(seen.casefold(), "")
    number = re.fullmatch(r"(\D*)(\d+)", seen)
    if code or number is None:
        return code
    head, digits = number[1].casefold(), number[2]
    bare = digits.lstrip("0") or "0"
    written = (head + bare.zfill(n) for n in range(len(bare), max(len(digits), LONGEST_NUMBER) + 1))
    alike = [known[word] for word in written if word in known]
    return alike[0] if len(alike) == 1 else ""


def unknown_code_data(c: Column, seen: str, known: Mapping[str, str]) -> dict[str, str]:
    """The data of a finding about an unknown reference."""
    return {"seen": seen, "near": nearest(seen, known.values()), "table": c.kind.table}


def _canonical_settings(desk: Record, codes_of: Mapping[str, Mapping[str, str]], notes: Notes) -> None:
    for c in _reference_columns(type(desk)):
        value, known = getattr(desk, c.name), codes_of.get(c.kind.table)
        if not value or known is None:
            continue
        if value.casefold() in known:
            setattr(desk, c.name, known[value.casefold()])
        else:
            notes.add(codes.UNKNOWN_REF, Where(Desk.sheet, desk.ident, c.name), "", unknown_code_data(c, value, known))


def check_headings(grid: TableGrid, notes: Notes) -> None:
    """Findings for headings that are missing, renamed or repeated; sets `TableGrid.keyless`."""
    record, heads = grid.record, grid.heads
    grid.keyless = lacks_key(grid)
    for name, i, text in heads.twice:
        notes.add(codes.TWO_HEADINGS, Where(record.sheet, "", name),
                  cell_address(grid.title, letters_of(i), grid.heading_row),
                  {"seen": text, "first": letters_of(heads.fields[name]) + str(grid.heading_row)})
    for c in record.columns():
        if c.name in heads.fields:
            continue
        near = nearest_unknown(record, c.name, heads, MUCH_LIKE if c.quiet else LIKE)
        place = near if near is not None or c.quiet else expected_place(record, c.name, heads)
        data = {"heading": c.heading(notes.lang), "seen": heads.unknown.get(place or 0, "")}
        if c.later and not data["seen"]:
            continue  # a workbook of before: it gets the column when something is to stand there
        code = codes.NO_HEADING if not data["seen"] else codes.OTHER_HEADING if near is None else codes.RENAMED_HEADING
        notes.add(code, Where(record.sheet, "", c.name),
                  cell_address(grid.title, letters_of(place or 1), grid.heading_row), data)


def check_settings(record: type[Record], heads: Heads, title: str, column: str, notes: Notes) -> None:
    """Findings for settings of the Desk whose label is gone: those that are required, and any other in whose place
    there is something else. The Desk of an earlier version lacks some.
    """
    for c in record.columns():
        if c.name in heads.fields:
            continue
        near = nearest_unknown(record, c.name, heads)
        place = expected_place(record, c.name, heads) if near is None else near
        if place in heads.unknown or c.name in REQUIRED_SETTINGS:
            notes.add(codes.NO_SETTING, Where(record.sheet, "", c.name), cell_address(title, column, place or 1),
                      {"heading": c.heading(notes.lang), "text": heads.unknown.get(place or 0, "")})


def lacks_key(grid: TableGrid) -> bool:
    """Whether a heading of the key is missing, or the one that says whose an order is."""
    whose = issubclass(grid.record, Order)
    return any((c.key or (whose and c.required)) and c.name not in grid.heads.fields for c in grid.record.columns())
