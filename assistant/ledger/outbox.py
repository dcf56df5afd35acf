"""The outbox: all outgoing mails and what became of each for each address; it only grows.

A mail is recorded with its bytes before a server is asked to take it. For each of its addresses it goes from
``recorded`` to ``begun`` (noted before the server gets the mail's text), then to ``taken`` or ``refused``; if nobody
can tell what became of it, it is ``uncertain``; one that was taken and bounced is ``returned``. ``later`` means that
the server put an address off and that another mail, the next of its line, serves it; ``dropped`` that it was never
sent and is out of date. Neither `undo` nor a correction touches a row: what is known of a mail that went out is never
taken back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from assistant.ledger.file import RecordStore
from assistant.ledger.history import compress_content, decompress_content, to_json_bytes

MailStage = Literal["recorded", "begun", "uncertain", "later", "dropped", "refused", "taken", "returned"]
STAGES: tuple[MailStage, ...] = get_args(MailStage)
UNSETTLED_STAGES: tuple[MailStage, ...] = ("recorded", "begun", "uncertain")
"""The stages after which something remains to be done or found out."""
SENT_STAGES: tuple[MailStage, ...] = ("begun", "uncertain", "taken")
"""The stages of a mail that somebody may have received."""
MAIL_RECORDS, LETTER_RECORDS, TEXT_RECORDS = "mail", "letter", "said"
TEXTS_KEPT = 3
"""How many of the last texts of a kind are kept for each reader, to recognize quotes of them in replies."""
NON_REPORT_KINDS = ("reminder", "receipt")
"""Kinds of mails that are not reports; their texts are kept separately, so that they do not push reports out."""


@dataclass(frozen=True)
class DeliveryMark:
    """What became of a mail for one address. `at`: when, as the front end told; `cause`: the server's words, or ""."""

    stage: MailStage = "recorded"
    at: str = ""
    cause: str = ""


@dataclass(frozen=True)
class Mail:
    """A row of the outbox.

    `ident`: the Message-ID without brackets; `kind`, `faction`: as of a letter; `turn`, `phase`: where the campaign
    stood; `step`: the last change of the ledger's line by then; `code`: of the report; `digest`: of the content,
    without date and reasons; `date`: of its header; `marks`: address -> what became of it.

    `number`: its place in the outbox; `again`: how often the same was deliberately sent before; `part`: the number of
    the mail transaction, where the addresses needed several; `replaces`: the mail that this one replaces, because of
    `cause`, and `why` in the referee's words; `let_go`: the referee's reason for sending it although suspicious words
    were found in it; `own`: whether our own mailbox gets a copy; `to`: the addresses in its header; `about`: for a
    receipt the mails that it answers, for a reminder whose turn it was.
    """

    ident: str
    kind: str
    faction: str
    turn: str
    phase: str
    step: int
    digest: str
    date: str
    marks: Mapping[str, DeliveryMark]
    number: int = 0
    code: str = ""
    again: int = 0
    part: int = 0
    replaces: str = ""
    cause: str = ""
    why: str = ""
    let_go: str = ""
    own: bool = True
    to: tuple[str, ...] = field(default=())
    about: tuple[str, ...] = field(default=())

    def at_stage(self, *stages: MailStage) -> list[str]:
        """The addresses for which the mail is at one of these stages."""
        return [address for address, mark in self.marks.items() if mark.stage in stages]

    def marked(self, marks: Mapping[str, DeliveryMark]) -> Mail:
        """The same row with new marks for some of its addresses."""
        return replace(self, marks={**self.marks, **marks})

    def only(self, marks: Mapping[str, DeliveryMark]) -> Mail:
        """The same row with only these marks. Not to be stored."""
        return replace(self, marks=marks)

    @property
    def went_out(self) -> bool:
        """Whether somebody has, or may have, received it."""
        return bool(self.at_stage(*SENT_STAGES))

    @property
    def has_left(self) -> bool:
        """Whether it was sent, even if it bounced."""
        return bool(self.at_stage(*SENT_STAGES, "returned"))

    @property
    def open(self) -> bool:
        """Whether something remains to be done or found out."""
        return bool(self.at_stage(*UNSETTLED_STAGES))


class Outbox:
    """The mails in a ledger. Every method may raise `LedgerTrouble`."""

    def __init__(self, vault: RecordStore) -> None:
        self._vault = vault

    def rows(self) -> list[Mail]:
        """All mails, in the order in which they were recorded."""
        return sorted(
            (_mail_from_record(ident, body) for ident, body in self._vault.all(MAIL_RECORDS).items()),
            key=lambda row: row.number,
        )

    def get(self, ident: str) -> Mail | None:
        """A mail by its Message-ID, or None."""
        body = self._vault.get(MAIL_RECORDS, ident)
        return None if body is None else _mail_from_record(ident, body)

    def letter(self, ident: str) -> bytes | None:
        """The bytes of a mail that is still open; None for any other."""
        body = self._vault.get(LETTER_RECORDS, ident)
        return None if body is None else decompress_content(body)

    def said(self, faction: str) -> list[str]:
        """The texts of the last mails of each kind to a faction ("": to everybody), newest first."""
        return [text for kind in ("", *NON_REPORT_KINDS) for text in self._said(_texts_name(faction, kind))]

    def _said(self, place: str) -> list[str]:
        body = self._vault.get(TEXT_RECORDS, place)
        return [] if body is None else list(json.loads(decompress_content(body)))

    def record(self, mails: Iterable[tuple[Mail, bytes]], said: Iterable[tuple[str, str, str]] = ()
               ) -> list[Mail]:
        """Record outgoing mails, all of them or none, and return them with their numbers.

        `said`: faction, kind and text of each mail.
        """
        found = []
        with self._vault.writing():
            last = max((row.number for row in self.rows()), default=0)
            for number, (mail, letter) in enumerate(mails, last + 1):
                row = replace(mail, number=number)
                self._vault.put(LETTER_RECORDS, row.ident, compress_content(letter))
                self._put(row)
                found.append(row)
            for faction, kind, text in said:
                place = _texts_name(faction, kind)
                kept = [text, *(one for one in self._said(place) if one != text)][:TEXTS_KEPT]
                self._vault.put(TEXT_RECORDS, place, compress_content(to_json_bytes(kept)))
        return found

    def mark(self, *rows: Mail) -> None:
        """Store what became of mails, in one transaction; new ones are added."""
        with self._vault.writing():
            for row in rows:
                self._put(row)
                if not row.open:
                    self._vault.drop(LETTER_RECORDS, row.ident)

    def divide(self, row: Mail, rest: Mail, letter: bytes) -> Mail:
        """Store a mail that leaves some addresses to a new mail, and the new one with its bytes."""
        with self._vault.writing():
            rest = replace(rest, number=max(one.number for one in self.rows()) + 1)
            self._put(row)
            self._vault.put(LETTER_RECORDS, rest.ident, compress_content(letter))
            self._put(rest)
        return rest

    def take_over(self, rows: Iterable[Mail]) -> None:
        """Merge the mails of another ledger of this campaign: unknown mails, and later stages of known ones."""
        rows = list(rows)
        ours = {row.ident: row for row in self.rows()}
        new = [row for row in rows if row.ident not in ours]
        known = [joined for row in rows if row.ident in ours if (joined := _merge_mails(ours[row.ident], row)) != ours[
            row.ident]]
        if new or known:
            number = max((row.number for row in ours.values()), default=0)
            self.mark(*known, *(replace(row, number=number + n) for n, row in enumerate(new, 1)))

    def _put(self, row: Mail) -> None:
        """Store a row. Raises AssertionError if that would forget an address, or that a mail went out."""
        old = self.get(row.ident)
        if old is not None:
            lost = set(old.marks) - set(row.marks)
            undone = [address for address in old.at_stage("taken", "returned")
                      if STAGES.index(row.marks[address].stage) < STAGES.index("taken")]
            forgotten = [*sorted(lost), *undone]
            assert forgotten == [], (row.ident, forgotten)
        self._vault.put(MAIL_RECORDS, row.ident, mail_to_json(row))


def _texts_name(faction: str, kind: str) -> str:
    return f"{faction} {kind}" if kind in NON_REPORT_KINDS else faction


def mail_to_json(row: Mail) -> bytes:
    """A row as JSON with sorted keys."""
    return to_json_bytes(asdict(row))


def mail_from_json(body: bytes) -> Mail:
    """The row of `mail_to_json`, without the keys of a later Arbitro. Raises ValueError, KeyError, TypeError."""
    said: dict[str, Any] = json.loads(body)
    known = {name: said[name] for name in Mail.__dataclass_fields__ if name in said}
    known["marks"] = {address: DeliveryMark(**mark) for address, mark in known["marks"].items()}
    known |= {name: tuple(known.get(name, ())) for name in ("to", "about")}
    return Mail(**known)


def _mail_from_record(ident: str, body: bytes) -> Mail:
    return replace(mail_from_json(body), ident=ident)


def _merge_mails(one: Mail, other: Mail) -> Mail:
    """Merge what two ledgers know of the same mail: the later stage of each address."""
    marks = dict(one.marks)
    for address, mark in other.marks.items():
        if address not in marks or STAGES.index(mark.stage) > STAGES.index(marks[address].stage):
            marks[address] = mark
    return replace(one, marks=marks)


def mails_sent_since(rows: Iterable[Mail], first: int) -> Iterator[Mail]:
    """The mails that tell of a change (or a later one) and that somebody may have received."""
    return (row for row in rows if row.step >= first and row.went_out)
