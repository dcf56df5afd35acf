"""What a reader has, owes and sees: figures, money, tables of own and of others, dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.campaign.columns import Parts, Whole
from assistant.campaign.order import natural
from assistant.campaign.records import Battle, Die
from assistant.reporting.pages import Cell, Dossier, Figure, Ledger, Listing, Proof, ReportTable, Rulings
from assistant.reporting.reader import Reader
from assistant.turn.ruleset import TableOf
from assistant.wording import N_

Secrets = Mapping[str, Mapping[str, str]]


def figures(reader: Reader) -> tuple[Figure, ...]:
    """The four to six numbers that the report opens with, against those of the last report."""
    before = reader.period.previous
    was = {} if before is None else dict(reader.ruleset.glance(before, reader.faction))
    made = []
    for label, value in reader.ruleset.glance(reader.view, reader.faction):
        change = value - was[label] if label in was else None
        made.append(Figure(reader.wording.text(label), value, reader.wording.number(value), change,
                           "" if change is None else reader.signed(change)))
    return tuple(made)


def dues(reader: Reader) -> tuple[str, ...]:
    """What the reader owes and by when."""
    return tuple(reader.wording.text(said.text, **said.data)
                 for said in reader.ruleset.dues(reader.view, reader.faction))


def ledger(reader: Reader) -> Ledger | None:
    """Opening balance, movements by item (what came in first), closing balance; None without any account."""
    _ = reader.wording.text
    everything = reader.ruleset.ledger(reader.view, reader.faction)
    if not everything:
        return None
    new = reader.period.new_bookings(everything, reader.faction)
    opening = new[0].balance - new[0].amount if new else everything[-1].balance
    sums: dict[str, int] = {}
    for booking in new:
        sums[booking.item] = sums.get(booking.item, 0) + booking.amount
    items = [(reader.wording.word(item), Cell(reader.signed(amount), amount))
             for item, amount in sorted(sums.items(), key=lambda one: one[1] < 0)]
    return Ledger(_("Money"), (_("Item"), _("Amount")), (_("Opening balance"), reader.number(opening)),
                  Listing(tuple(items)), (_("Closing balance"), reader.number(everything[-1].balance)))


def tables(reader: Reader, declared: Iterable[TableOf], empty: str) -> tuple[ReportTable, ...]:
    """Tables as the ruleset declares them, with headings and words in the language of the page."""
    return tuple(_table(reader, one, empty) for one in declared)


def _table(reader: Reader, declared: TableOf, empty: str) -> ReportTable:
    # a place is shown by name and code, so its name needs no column of its own
    columns = [declared.record.column(name) for name in declared.fields
               if not (name == "name" and "node" in declared.fields)]
    rows = tuple(tuple(reader.cell(c, getattr(row, c.name)) for c in columns) for row in declared.rows[:reader.rows])
    more = reader.wording.text(N_("and {n} more on the sheet {sheet}"), n="{n}", sheet=reader.sheet(declared.record))
    return ReportTable(
        reader.wording.text(declared.title), tuple(c.heading(reader.lang) for c in columns),
        tuple(isinstance(c.kind, (Whole, Parts)) for c in columns),
        Listing(rows, max(len(declared.rows) - reader.rows, 0), more), empty=empty)


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
                made.append(Dossier(title, reader.faction_name(faction), tuple(
                    (reader.wording.text(s.label) if s.label else "", reader.wording.text(s.text, **s.data))
                    for s in said)))
    return tuple(made)


def rulings(reader: Reader, commitments: Mapping[str, str], secrets: Secrets) -> Rulings | None:
    """The dice that the reader may know, with the hashes and secrets that prove them; None without any."""
    _ = reader.wording.text
    proofs = [Proof("commitment", _("Turn {turn}, {whose}: commitment", turn=reader.view.desk.turn,
                                    whose=_whose(reader, audience)), digits)
              for audience, digits in _known(reader, commitments)]
    proofs += [Proof("secret", _("Turn {turn}, {whose}: secret", turn=turn, whose=_whose(reader, audience)), digits)
               for turn in sorted(secrets, key=natural) for audience, digits in _known(reader, secrets[turn])]
    if not (reader.period.dice or proofs):
        return None
    how = _("A commitment is the SHA-256 of a secret that is shown in a later report. "
            "With the secret and the purpose of a throw, anybody can work out the same dice again.")
    return Rulings(_("Dice and rulings"), _dice(reader), Listing(tuple(proofs)), how if proofs else "")


def _dice(reader: Reader) -> ReportTable:
    _ = reader.wording.text
    columns = [Die.column(name) for name in ("key", "dice", "value", "source")]
    thrown = sorted(reader.period.dice, key=lambda d: natural(d.key))
    rows = tuple(tuple(Cell(c.word(getattr(d, c.name), reader.lang)) for c in columns) for d in thrown[:reader.rows])
    more = _("and {n} more on the sheet {sheet}", n="{n}", sheet=reader.sheet(Die))
    return ReportTable("", tuple(c.heading(reader.lang) for c in columns), (False, False, True, False),
                       Listing(rows, max(len(thrown) - reader.rows, 0), more),
                       empty=_("No dice were thrown that you may see."))


def _known(reader: Reader, by_audience: Mapping[str, str]) -> list[tuple[str, str]]:
    """What of a table by audience this reader may know: the public's, and circles that it belongs to."""
    return [(audience, digits) for audience, digits in sorted(by_audience.items(), key=lambda one: natural(one[0]))
            if reader.faction == "referee" or audience in ("public", "all") or reader.faction in audience.split("+")]


def _whose(reader: Reader, audience: str) -> str:
    _ = reader.wording.text
    if audience in ("public", "all"):
        return _("public dice")
    if audience == reader.faction:
        return _("your own dice")
    if audience == "referee":
        return _("the referee's dice")
    return _("dice of {factions}", factions=", ".join(reader.faction_name(c) for c in audience.split("+")))
