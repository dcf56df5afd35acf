"""The dice that a reader may know, and what proves them: promises before the orders, secrets after the turn.

A page is handed hashes and secrets by audience and takes those of its reader only, whatever it is handed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.campaign.order import natural
from assistant.campaign.records import ALL, Die
from assistant.reporting.pages import Cell, Listing, Proof, ReportTable, Rulings, Thrown
from assistant.reporting.reader import Reader
from assistant.turn.superseded import is_superseded
from assistant.turn.throws.dice import PUBLIC, REFEREE, secret_circle, typed_roll
from assistant.wording import Verbatim

Secrets = Mapping[str, Mapping[str, str]]
EVERYBODY = (PUBLIC, ALL)


def rulings(reader: Reader, commitments: Mapping[str, str], secrets: Secrets) -> Rulings | None:
    """The dice that the reader may know, with the hashes and secrets that prove them; None without any, or
    in a game without dice.
    """
    _ = reader.wording.text
    if not reader.view.has(Die.sheet):
        return None
    found = tuple(_proofs(reader, commitments, secrets))
    if not (reader.period.dice or found):
        return None
    how = _("A commitment is the SHA-256 of a secret that the report after the turn shows. With the secret and the "
            "purpose of a throw, anybody can work out the same dice again: docs/verify-dice.md says how.")
    more = _("and {n} more in the form of this report for programs (JSON)")
    return Rulings(_("Dice and rulings"), _table(reader), Listing(found, 0, more), how if found else "",
                   _thrown(reader, set(secrets)))


# --- hashes and secrets -----------------------------------------------------------------------
def _proofs(reader: Reader, commitments: Mapping[str, str], secrets: Secrets) -> Iterator[Proof]:
    """Promises of the coming turn, then the secrets of each turn that is over."""
    _ = reader.wording.text
    turn = reader.view.desk.turn
    title = _("Dice of turn {turn}, commitments", turn=Verbatim(turn))
    for audience in _known(reader, commitments):
        yield Proof("commitment", turn, audience, title, _whose(reader, audience), commitments[audience])
    for turn in sorted(secrets, key=natural):
        title = _("Dice of turn {turn}, secrets", turn=Verbatim(turn))
        for audience in _known(reader, secrets[turn]):
            yield Proof("secret", turn, audience, title, _whose(reader, audience), secrets[turn][audience])


def _known(reader: Reader, audiences: Mapping[str, str]) -> list[str]:
    """The circles that this reader belongs to, the widest and its own first."""
    mine = [one for one in audiences if may_know(reader, one)]
    return sorted(mine, key=lambda one: (one not in EVERYBODY, one != reader.faction, one.count("+"), natural(one)))


def may_know(reader: Reader, audience: str) -> bool:
    """Whether a circle's hashes and revealed secrets are for this reader.

    Everybody's are for all, a circle's for its members; the referee's is for others when the campaign is over.
    """
    if reader.faction == REFEREE or audience in EVERYBODY:
        return True
    if audience == REFEREE:
        return reader.ruleset.is_over(reader.view)
    return bool(reader.faction) and reader.faction in audience.split("+")


def _whose(reader: Reader, audience: str) -> str:
    _ = reader.wording.text
    if audience in EVERYBODY:
        return _("everybody's")
    if audience == REFEREE:
        return _("the referee's")
    if audience == reader.faction:
        return _("your own")
    others = [c for c in audience.split("+") if c != reader.faction]
    if reader.faction == REFEREE:
        return ", ".join(reader.faction_name(c) for c in others)
    return _("with {factions:the}", factions=others)


# --- throws -----------------------------------------------------------------------------------
def _table(reader: Reader) -> ReportTable:
    _ = reader.wording.text
    record = reader.view.table(Die).record
    columns = [c for c in record.columns() if c.key or c.name in ("dice", "value", "source")]
    thrown = sorted(reader.period.dice, key=lambda d: natural(d.ident))
    rows = tuple(tuple(Cell(c.word(getattr(d, c.name), reader.lang)) for c in columns) for d in thrown[:reader.rows])
    more = _("and {n} more on the sheet {sheet}", sheet=reader.sheet(Die))
    return ReportTable("", tuple(c.heading(reader.lang) for c in columns),
                       tuple(c.name == "value" for c in columns),
                       Listing(rows, max(len(thrown) - reader.rows, 0), more),
                       empty=_("No dice were thrown that you may see."))


def _thrown(reader: Reader, proved: set[str]) -> tuple[Thrown, ...]:
    """Every throw of the reader's view that is new, of the present turn, or of a turn whose secrets are shown.

    Throws that a correction has superseded count no more; they stand on the sheet.
    """
    new = {d.ident for d in reader.period.dice}
    turns = {*proved, reader.view.desk.turn}
    dice = [d for d in reader.view.table(Die)
            if d.audience and not is_superseded(d.ident) and (d.ident in new or d.turn in turns)]
    return tuple(Thrown(d.key, d.dice, str(d.value), faces_of(d), d.turn, d.phase, d.source, d.audience,
                        secret_circle(d.audience)) for d in sorted(dice, key=lambda d: natural(d.ident)))


def faces_of(die: Die) -> tuple[int, ...]:
    """Each die of a throw; () where only a total stands there, or what its dice cannot show."""
    try:
        return typed_roll(die.key, die.dice, str(die.value), die.audience).faces
    except ValueError:
        return ()
