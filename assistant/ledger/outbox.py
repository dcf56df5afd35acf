"""The outbox: all outgoing mails and what became of each for each address; the codes of club copies.

A mail is recorded with its bytes before a server is asked to take it. For each of its addresses it goes from
``recorded`` to ``begun`` (noted before the server gets the mail's text), then to ``taken`` or ``refused``; if nobody
can tell what became of it, it is ``uncertain``; one that was taken and bounced is ``returned``. ``later`` means that
the server put an address off and that another mail, the next of its line, serves it; ``dropped`` that it was never
sent and is out of date. Neither `undo` nor a correction touches a row: what is known of a mail that went out is never
taken back.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, get_args

from assistant.ledger.file import RecordStore, compress_content, decompress_content, to_json_bytes

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


class DeliveryMark(NamedTuple):
    """What became of a mail for one address. `at`: when, as the front end told; `cause`: the server's words, or ""."""

    stage: MailStage = "recorded"
    at: str = ""
    cause: str = ""


class Mail(NamedTuple):
    """A row of the outbox.

    `ident`: the Message-ID without brackets; `kind`, `faction`: as of a letter; `turn`, `phase`: where the campaign
    stood; `step`: the last change of the ledger's line by then; `code`: of the report; `digest`: of the content,
    without date and reasons; `date`: of its header; `marks`: address -> what became of it.

    `number`: its place in the outbox; `again`: how often the same was deliberately sent before; `part`: the number of
    the mail transaction, where the addresses needed several; `replaces`: the mail that this one replaces, because of
    `cause`, and `why` in the referee's words (a reminder's `cause`: ``plain`` where it holds nothing secret);
    `let_go`: the referee's reason for sending it although suspicious words were found in it; `own`: whether our own
    mailbox gets a copy; `to`: the addresses in its header; `about`: for a receipt the mails that it answers, for a
    reminder whose turn it was.
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
    to: tuple[str, ...] = ()
    about: tuple[str, ...] = ()

    def at_stage(self, *stages: MailStage) -> list[str]:
        """The addresses for which the mail is at one of these stages."""
        return [address for address, mark in self.marks.items() if mark.stage in stages]

    def with_marks(self, marks: Mapping[str, DeliveryMark]) -> Mail:
        """The same row with new marks for some of its addresses."""
        return self._replace(marks={**self.marks, **marks})

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
        return sorted(map(mail_from_json, self._vault.all(MAIL_RECORDS).values()), key=lambda row: row.number)

    def get(self, ident: str) -> Mail | None:
        """A mail by its Message-ID, or None."""
        body = self._vault.get(MAIL_RECORDS, ident)
        return None if body is None else mail_from_json(body)

    def letter(self, ident: str) -> bytes | None:
        """The bytes of a mail that is still open; None for any other."""
        body = self._vault.get(LETTER_RECORDS, ident)
        return None if body is None else decompress_content(body)

    def texts_sent(self, faction: str) -> list[str]:
        """The texts of the last mails of each kind to a faction ("": to everybody), newest first."""
        return [text for kind in ("", *NON_REPORT_KINDS) for text in self._texts(_texts_name(faction, kind))]

    def _texts(self, place: str) -> list[str]:
        body = self._vault.get(TEXT_RECORDS, place)
        return [] if body is None else list(json.loads(decompress_content(body)))

    def record(self, mails: Iterable[tuple[Mail, bytes]], texts: Iterable[tuple[str, str, str]] = ()
               ) -> list[Mail]:
        """Record outgoing mails, all of them or none, and return them with their numbers.

        `texts`: faction, kind and text of each mail.
        """
        recorded = []
        with self._vault.writing():
            # inside the transaction, so that no two mails get the same number
            last = max((row.number for row in self.rows()), default=0)
            for number, (mail, letter) in enumerate(mails, last + 1):
                row = mail._replace(number=number)
                self._vault.put(LETTER_RECORDS, row.ident, compress_content(letter))
                self._put(row)
                recorded.append(row)
            for faction, kind, text in texts:
                place = _texts_name(faction, kind)
                # the newest first, and a text that was sent again only once
                kept = [text, *(line for line in self._texts(place) if line != text)][:TEXTS_KEPT]
                self._vault.put(TEXT_RECORDS, place, compress_content(to_json_bytes(kept)))
        return recorded

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
            rest = rest._replace(number=max(mail.number for mail in self.rows()) + 1)
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
        # two ledgers that know the same: nothing to write, and the file stays as it is
        if new or known:
            number = max((row.number for row in ours.values()), default=0)
            self.mark(*known, *(row._replace(number=number + n) for n, row in enumerate(new, 1)))

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


def mail_as_data(row: Mail) -> dict[str, Any]:
    """A row as plain values."""
    return {**row._asdict(), "marks": {address: mark._asdict() for address, mark in row.marks.items()}}


def mail_to_json(row: Mail) -> bytes:
    """A row as JSON with sorted keys."""
    return to_json_bytes(mail_as_data(row))


def mail_from_json(body: bytes) -> Mail:
    """The row of `mail_to_json`, without the keys of a later Arbitro. Raises ValueError, KeyError, TypeError."""
    record: dict[str, Any] = json.loads(body)
    known = {name: record[name] for name in Mail._fields if name in record}
    known["marks"] = {address: DeliveryMark(**mark) for address, mark in known["marks"].items()}
    known |= {name: tuple(known.get(name, ())) for name in ("to", "about")}
    return Mail(**known)


def _merge_mails(mail: Mail, other: Mail) -> Mail:
    """Merge what two ledgers know of the same mail: the later stage of each address."""
    marks = dict(mail.marks)
    for address, mark in other.marks.items():
        # of two records, that which knows more is right: stages only go forward
        if address not in marks or STAGES.index(mark.stage) > STAGES.index(marks[address].stage):
            marks[address] = mark
    return mail._replace(marks=marks)


def mails_sent_since(rows: Iterable[Mail], first: int) -> Iterator[Mail]:
    """The mails that tell of a change (or a later one) and that somebody may have received."""
    return (row for row in rows if row.step >= first and row.went_out)


# The codes of club copies.
#
# A code says whose orders a copy or a mail brings, whoever sent it. It is derived from the secret, so that the ledger
# only has to store how often it was renewed. Its last two characters are a checksum that catches typing errors.


PREFIX = "ARB"
_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0, 1, I and O, which are easily confused."""
_BODY, _CHECK = 8, 2
_BETWEEN = r"[\s\u00a0\u2010-\u2015.=_-]*"
"""What may be between the characters of a code: blanks, dashes, and what mail programs put at line breaks."""
_LIKE = rf"(?<![A-Z0-9]){_BETWEEN.join([*PREFIX, *['[A-Z0-9]'] * (_BODY + _CHECK)])}(?![A-Z0-9])"


def token_of(secret: bytes, campaign: str, faction: str, renewed: int = 0) -> str:
    """The code of a faction's copies, such as ``ARB-K7QD-M3XF-9R``. `renewed`: how often it was renewed."""
    text = "\0".join(("arbitro|copy", campaign, faction, str(renewed)))
    body = _encode(hmac.digest(secret, text.encode("utf-8", "surrogatepass"), "sha256"), _BODY)
    return format_code(PREFIX + body + _check_signs(body))


def tokens_in(text: str) -> Iterator[str]:
    """The codes in a text with a correct checksum, as `token_of` writes them. Case, blanks and line breaks inside them
    do not matter. A code with a wrong checksum is skipped, not corrected.
    """
    for match in re.finditer(_LIKE, text, re.I):
        signs = re.sub("[^A-Z0-9]", "", match[0].upper())
        body, check = signs[len(PREFIX):-_CHECK], signs[-_CHECK:]
        if check == _check_signs(body):
            yield format_code(signs)


def format_code(signs: str) -> str:
    """The characters of a code in groups of four, with hyphens."""
    rest = signs[len(PREFIX):]
    return "-".join((PREFIX, *(rest[i:i + 4] for i in range(0, len(rest), 4))))


def _encode(digest: bytes, length: int) -> str:
    number = int.from_bytes(digest, "big")
    return "".join(_SIGNS[number >> 5 * i & 31] for i in range(length))


def _check_signs(body: str) -> str:
    return _encode(hashlib.sha256(f"arbitro|sign|{body}".encode()).digest(), _CHECK)
