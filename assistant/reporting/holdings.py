"""What a reader has, owes and sees: figures, money, tables of own and of others."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.columns import Parts, Whole
from assistant.campaign.records import Battle
from assistant.reporting.pages import Cell, Dossier, Figure, Group, Line, Listing, Money, ReportTable
from assistant.reporting.reader import Reader
from assistant.turn.battle_form.club_form import report_headed
from assistant.turn.battle_form.halves import reports_on
from assistant.turn.ruleset import TableOf
from assistant.wording import N_, Verbatim


def figures(reader: Reader) -> tuple[Figure, ...]:
    """The four to six numbers that the report opens with, against those of the last report."""
    before = reader.period.previous
    was = {} if before is None else dict(reader.ruleset.glance(before, reader.faction))
    made = []
    for label, value in reader.ruleset.glance(reader.view, reader.faction):
        change = value - was[label] if label in was else None
        made.append(Figure(reader.wording.figure(label), value, reader.wording.number(value), change,
                           "" if change is None else reader.signed(change), label in reader.ruleset.unwelcome))
    return tuple(made)


def dues(reader: Reader) -> tuple[str, ...]:
    """What the reader owes and by when."""
    return tuple(reader.wording.text(said.text, **said.data)
                 for said in reader.ruleset.dues(reader.view, reader.faction))


def outcomes(reader: Reader) -> tuple[Group, ...]:
    """What the new events came to for the reader, in sentences, before all else."""
    said = reader.ruleset.outcomes(reader.view, reader.faction, reader.period.events)
    lines = tuple(Line(reader.wording.text(one.text, **one.data)) for one in said)
    return (Group(reader.wording.text(N_("How it went")), Listing(lines)),) if lines else ()


def money(reader: Reader) -> Money | None:
    """Opening balance, movements by item (what came in first), closing balance; None without any account."""
    _ = reader.wording.text
    everything = reader.ruleset.bookings(reader.view, reader.faction)
    if not everything:
        return None
    new = reader.period.new_bookings(everything, reader.faction)
    opening = new[0].balance - new[0].amount if new else everything[-1].balance
    sums: dict[str, int] = {}
    for booking in new:
        sums[booking.item] = sums.get(booking.item, 0) + booking.amount
    items = [(reader.wording.word(item), Cell(reader.signed(amount), amount))
             for item, amount in sorted(sums.items(), key=lambda one: one[1] < 0)]
    return Money(_("Money"), (_("Item"), _("Amount")), (_("Opening balance"), reader.number(opening)),
                  Listing(tuple(items)), (_("Closing balance"), reader.number(everything[-1].balance)))


def tables(reader: Reader, declared: Iterable[TableOf], empty: str) -> tuple[ReportTable, ...]:
    """Tables as the ruleset declares them, with headings and words in the language of the page."""
    return tuple(_table(reader, one, empty) for one in declared)


def _table(reader: Reader, declared: TableOf, empty: str) -> ReportTable:
    # a place is shown by name and code, so its name needs no column of its own
    columns = [declared.record.column(name) for name in declared.fields
               if not (name == "name" and "node" in declared.fields)]
    sheet = declared.record.sheet
    rows = tuple(tuple(reader.cell(c, getattr(row, c.name), sheet) for c in columns)
                 for row in declared.rows[:reader.rows])
    more = reader.wording.text(N_("and {n} more on the sheet {sheet}"), sheet=reader.sheet(declared.record))
    return ReportTable(
        reader.wording.text(declared.title), tuple(c.heading(reader.lang) for c in columns),
        tuple(isinstance(c.kind, (Whole, Parts)) for c in columns),
        Listing(rows, max(len(declared.rows) - reader.rows, 0), more),
        reader.wording.text(declared.note) if declared.note else "", empty)


def dossiers(reader: Reader, factions: Iterable[str]) -> tuple[Dossier, ...]:
    """The open battles that wait for the table, one copy for each of the factions that takes part."""
    made = []
    for battle in reader.view.table(Battle):
        if reader.ruleset.battle_is_reported(battle) or getattr(battle, "status", "open") not in ("open", ""):
            continue
        for faction in factions:
            said = reader.ruleset.dossier(reader.view, battle, faction)
            if said:
                title = f"{battle.battle}, {reader.place(battle.node)}" if battle.node else battle.battle
                made.append(Dossier(title, reader.faction_name(faction), (*(
                    (reader.wording.text(s.label) if s.label else "", reader.wording.text(s.text, **s.data))
                    for s in said), *_form_lines(reader, battle, faction))))
    return tuple(made)


def _form_lines(reader: Reader, battle: Battle, faction: str) -> list[tuple[str, str]]:
    """What is to be told of a battle when it is fought, and what the faction has told already."""
    _, form = reader.wording.text, reader.ruleset.form
    if form is None:
        return []
    columns = [battle.column(entry.name) for entry in form.entries if entry.name in form.line or entry.expected(battle)]
    told = [f"{c.heading(reader.lang)} ({c.hint(reader.lang)})" if c.hint(reader.lang) else c.heading(reader.lang)
            for c in columns]
    told += [one.sheet_it if reader.lang == "it" else one.sheet for one in form.sheets]
    lines = [(_("To be reported"), ", ".join(told))]
    said = [(";" in q.answer and report_headed(form, reader.view, q, reader.lang)) or q.answer.strip()
            for q in reports_on(reader.view, form.question, battle.battle) if q.to == faction]
    return lines + [(_("Reported so far"), _("{text} (it counts when the referee confirms it)", text=Verbatim(one)))
                    for one in said]
