"""Writes letters to clubs, searches them for secrets, and delivers the outbox's mails, each exactly once."""

from __future__ import annotations

import contextlib
import hashlib
import html
import io
import os
import re
import smtplib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import lru_cache
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Text
from assistant.campaign.records import NAMES
from assistant.catalogues import LANGUAGES, catalogues_of, texts_in
from assistant.environment import Clock
from assistant.files import user_folder
from assistant.ledger.outbox import DeliveryMark, Mail, MailStage, Outbox, mail_from_json, mail_to_json
from assistant.post.mail_server import (
    PROBLEMS,
    MailAccount,
    ServerTrouble,
    connect_smtp,
    find_sent_mails,
    trouble_of,
)
from assistant.reporting.pages import Group, ReportLine, ReportPage, SpanPage
from assistant.reporting.reader import LEGAL_A_UNIT
from assistant.turn.messages import COMMON, COMMON_EVENTS
from assistant.turn.numbers import Number
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.ruleset import Ruleset

# Letters to clubs: as mails, as short chat messages, and the search for secrets in them.


# The short message for a chat group: whose it is, what is due, the most important news.


MOST_CHARACTERS = 700
"""The greatest length of a message: what a phone shows without a tap."""
LONGEST_LINE = 140
FORM = "chat"
"""The name of this form among those of a report; it is part of the file's name."""
_SIGNS = str.maketrans({"*": "∗", "~": "∼", "`": "'"})
"""Characters that chat programs take for bold, strike-through or monospace, and their replacements."""


def render_chat(page: ReportPage, lines: Sequence[str] = ()) -> str:
    """The message of a page, at most `MOST_CHARACTERS` characters, ending in one line feed.

    `lines`: the ruleset's own sentences; without them the most important ones of the page.
    """
    until = "" if page.band.title.endswith(".") else page.subject.rpartition(page.moment)[2]  # ", by Sunday, 20:00"
    head = [f"{page.name} · {page.moment}", page.band.title + until]
    shown = [_chat_line(line) for line in (lines or _by_importance(page)) if line]
    told = {line.rstrip("."): line for line in shown}.values()  # the preheader has no full stops: compare without them
    kept, left = [], MOST_CHARACTERS - 2 - sum(len(_chat_line(line)) + 1 for line in (*head, page.foot))
    for line in told:
        if len(line) + 3 > left:
            kept.append("…")
            break
        kept.append(f"- {line}")
        left -= len(line) + 3
    return "\n".join((_chat_line(head[0]), _chat_line(head[1]), *kept, _chat_line(page.foot))) + "\n"


def _by_importance(page: ReportPage) -> Iterator[str]:
    """Sentences by importance: those of the preheader, the club's own affairs, battles, public news."""
    yield from (part for part in page.preheader.split(" · ") if part != page.covers)
    yield from page.dues
    if isinstance(page, SpanPage):
        yield from _with_places(page.brief.lines.items)
    yield from _group_lines(page.happened)
    for card in page.battles.items:
        yield from (f"{card.title}: {line.text}" for line in card.lines[-1:])
    yield from _group_lines(page.news)
    yield page.covers


def _group_lines(groups: Iterable[Group]) -> Iterator[str]:
    """The lines of all groups, grave ones first."""
    lines = [line for group in groups for line in group.lines.items]
    yield from _with_places(sorted(lines, key=lambda line: not line.grave))


def _with_places(lines: Iterable[ReportLine]) -> Iterator[str]:
    return (f"{line.place}: {line.text}" if line.place else line.text for line in lines)


def _chat_line(text: str) -> str:
    """A text as one line without chat formatting, cut to `LONGEST_LINE`."""
    line = re.sub(r"(?<!\w)_+|_+(?!\w)", "", " ".join(text.translate(_SIGNS).split()))
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE - 1].rstrip() + "…"


# A letter as a mail. From the same letter and stamp always come the same bytes, so that a mail can be sent again.


XLSX = ("application", "vnd.openxmlformats-officedocument.spreadsheetml.sheet")
OWN_HEADER = "X-Arbitro-Mail"
"""Repeats the Message-ID, because some providers replace it."""
_POLICY = SMTP.clone(max_line_length=78)


@dataclass(frozen=True)
class InlinePicture:
    """An inline picture. `cid`: its name in the HTML, as in ``cid:map``; `png`: its bytes."""

    cid: str
    png: bytes


@dataclass(frozen=True)
class Letter:
    """A letter to one club or to all. `kind`: ``report``, ``gazette``, ``end`` or ``reminder``; `faction`: "" for all;
    `text` and `html` ("" for none): the same content twice; `pictures`: those in the HTML; `attached`: name and bytes
    of workbooks; `code`: of the report, "" for none.
    """

    kind: str
    faction: str
    subject: str
    lang: str
    text: str
    html: str = ""
    pictures: tuple[InlinePicture, ...] = ()
    attached: tuple[tuple[str, bytes], ...] = ()
    code: str = ""

    @property
    def digest(self) -> str:
        """A hash of the content, independent of addresses and date. Pictures are left out: they repeat the words, and
        another version of a library may draw them differently.
        """
        parts: list[bytes] = [part.encode("utf-8", "surrogatepass") for part in (
            self.kind, self.faction, self.subject, self.lang, self.text, self.html)]
        parts += [name.encode() + b"\0" + data for name, data in self.attached]
        whole = hashlib.sha256()
        for part in parts:
            whole.update(f"{len(part)}:".encode() + part)
        return whole.hexdigest()


@dataclass(frozen=True)
class Stamp:
    """What makes a letter a mail. `ident`: Message-ID without brackets; `date`: as in a mail header; `sender`, `name`:
    our address and name; `to`: the visible recipients, none for letters to all.
    """

    ident: str
    date: str
    sender: str
    name: str = ""
    to: tuple[str, ...] = field(default=())


def message_id(campaign: str, digest: str, again: int, domain: str) -> str:
    """The Message-ID of a letter, without brackets. It follows from the campaign, the content and how often it was
    sent again on purpose, so that a ledger restored from a backup finds the mail in our mailbox. `domain`: of our
    address.
    """
    text = f"arbitro|mail|{campaign}|{digest}|{again}"
    return f"{hashlib.sha256(text.encode()).hexdigest()[:32]}@{domain}"


def compose(letter: Letter, stamp: Stamp) -> bytes:
    """The mail's bytes: text and HTML (with its pictures) as alternatives, then the workbooks.

    Raises ValueError for a line break in the subject or a name.
    """
    mail = EmailMessage(policy=_POLICY)
    sender = Address(stamp.name, addr_spec=stamp.sender)
    mail["From"] = sender
    mail["To"] = tuple(Address(addr_spec=address) for address in stamp.to) or sender
    mail["Subject"] = letter.subject
    mail["Date"] = stamp.date
    mail["Message-ID"] = f"<{stamp.ident}>"
    mail[OWN_HEADER] = stamp.ident
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(letter.text, cte="quoted-printable")
    if letter.html:
        mail.add_alternative(letter.html, subtype="html", cte="quoted-printable")
        page = list(mail.iter_parts())[-1]
        for picture in letter.pictures:
            page.add_related(picture.png, "image", "png", cid=f"<{picture.cid}>", filename=f"{picture.cid}.png",
                             disposition="inline")
    for name, data in letter.attached:
        mail.add_attachment(data, *XLSX, filename=name)
    mail["Content-Language"] = letter.lang  # last, as setting the content removes such headers
    for number, part in enumerate(_nests(mail)):
        part.set_boundary(f"=_{hashlib.sha256(stamp.ident.encode()).hexdigest()[:24]}_{number}")
    return mail.as_bytes()


def _nests(mail: EmailMessage) -> Iterator[EmailMessage]:
    return (part for part in mail.walk() if isinstance(part, EmailMessage) and part.is_multipart())


# The search for secrets: words of the campaign in a letter that its reader's view does not contain.
#
# A last check before a mail leaves. Reports and copies are made from a view and cannot contain more; should a bug of
# ours let a name or a code through all the same, it is found here, as whole words of three letters or more.


LETTERS = 3
"""Shorter words are not searched for."""
AROUND = 30
"""Characters shown before and after a word that was found."""
_APART = re.compile(r"[,;:/+|]")
"""What separates several items in one cell: codes of factions, sheet and row, the options of a question."""
_LONG = re.compile(rf"[^\W\d_]{{{LETTERS},}}")
_WORD = re.compile(r"[^\W_]+")
_INVISIBLE = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_ATTRIBUTE = re.compile(r'\b(?:alt|title|href|src|content|name|displayName|descr|sheet|ref)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class LeakedWord:
    """A word that the reader may not know. `place`: the part of the mail; `around`: the word in its context."""

    word: str
    place: str
    around: str


def normalized_words(text: str) -> str:
    """The words of a text in lower case, with one blank before and after each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def secrets_of(campaign: Campaign, further: Iterable[str] = ()) -> dict[str, str]:
    """All names, codes and texts of a campaign: normalized words -> as written. `further`: secrets not in any cell."""
    secrets, seen = dict[str, str](), set[str]()
    for table in campaign.tables().values():
        columns = [column for column in table.record.columns() if _holds_names(column)]
        for _, row in table.in_file_order():
            for column in columns:
                value = getattr(row, column.name)
                for text in value if isinstance(value, tuple) else (value,):
                    if isinstance(text, str) and len(text) >= LETTERS and text not in seen:
                        seen.add(text)
                        secrets |= {normalized_words(piece): piece.strip()
                                    for piece in _APART.split(text) if _LONG.search(piece)}
    return secrets | {normalized_words(secret): secret for secret in further}


def _holds_names(column: Column) -> bool:
    """Whether a column holds names, codes or typed texts, rather than what the program itself composes."""
    made = column.edit == "assistant" and not column.key and column.name not in NAMES
    return bool(column.kind.table) or (isinstance(column.kind, Text) and not made)


def find_leaks(letter: Letter, secrets: dict[str, str], ruleset: Ruleset, views: Iterable[Campaign],
           public: Iterable[str] = ()) -> list[LeakedWord]:
    """The `secrets` in a letter that are in nothing its reader may know; each once, with its first place.

    `views`: the reader's views, of now and of before; `public`: what the referee tells it, such as the deadline.
    """
    parts = [(place, text, normalized_words(text)) for place, text in parts_of(letter)]
    whole = "".join(words for _, _, words in parts)
    tokens = set(whole.split())
    there = [words for words in secrets if tokens.issuperset(words.split()) and words in whole]
    views = list(views)
    seen = set[str]().union(*map(secrets_of, views))
    there = [words for words in there if words not in seen]
    if not there:
        return []
    known = "".join((_program_words(ruleset), *map(normalized_words, public), *map(_view_words, views),
                     *_examples(ruleset, views[:1], letter.faction)))
    return [_leaked_word(words, secrets[words], parts) for words in there
            if words not in known and not _is_generic(words, _program_words(ruleset))]


def _is_generic(words: str, program: str) -> bool:
    """Whether words are only numbers and words of the program: ``captain 1`` may be a row of any table."""
    tokens = words.split()
    return any(map(str.isdecimal, tokens)) and all(token.isdecimal() or f" {token} " in program for token in tokens)


def _leaked_word(words: str, written: str, parts: list[tuple[str, str, str]]) -> LeakedWord:
    place, text, _ = next(part for part in parts if words in part[2])
    flat = " ".join(text.split())
    match = re.search(r"[\W_]+".join(map(re.escape, words.split())), flat, re.IGNORECASE)
    start, end = match.span() if match else (0, 0)
    return LeakedWord(written, place, flat[max(0, start - AROUND):end + AROUND])


# --- the letter ---------------------------------------------------------------------------------------------
def parts_of(letter: Letter) -> Iterator[tuple[str, str]]:
    """Every readable part of a letter: name and text."""
    yield "subject", letter.subject
    yield "text", letter.text
    yield "page", visible_text(letter.html)
    for name, data in letter.attached:
        yield name, name
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            for part in book.namelist():
                yield f"{name}: {part}", f"{part} {visible_text(book.read(part).decode('utf-8', 'replace'))}"


def visible_text(markup: str) -> str:
    """The text of HTML or XML, with the attributes that hold texts."""
    seen = _INVISIBLE.sub(" ", markup)
    return html.unescape(" \n ".join((_TAG.sub(" ", seen), *_ATTRIBUTE.findall(seen))))


# --- what the reader may know -------------------------------------------------------------------------------
def _examples(ruleset: Ruleset, views: Iterable[Campaign], faction: str) -> Iterator[str]:
    """The orders that are offered: another club may have ordered one of them word for word."""
    book = as_order_book(ruleset.verbs)
    for view in views:
        orders = list(ruleset.legal_orders(view, faction, limit=LEGAL_A_UNIT)) if faction else []
        for lang in LANGUAGES:
            yield from (normalized_words(order_line(book, view, order.fields, lang)) for order in orders)
            yield from (normalized_words(card.example) for card in ruleset.order_cards(
                view, lang, lambda text, **_: text, faction, known=orders))


def _view_words(view: Campaign) -> str:
    return normalized_words("\n".join(
        f"{key} {' '.join(row.as_text().values())}" for table in view.tables().values()
        for key, row in table.in_file_order()))


@lru_cache(maxsize=8)
def _program_words(ruleset: Ruleset) -> str:
    """The words of program and rulebook in both languages, which everybody may know."""
    texts: list[str] = [ruleset.id, ruleset.title, ruleset.author, "arbitro"]
    for lang in LANGUAGES:
        for translations in catalogues_of(ruleset, lang):
            texts += texts_in(translations)
    for record in ruleset.records:
        texts += [record.sheet, record.sheet_it, record.about_en, record.about_it]
        for column in record.columns():
            texts += [column.name, column.en, column.it, column.hint_en, column.hint_it, *column.alias]
            texts += [word for pair in column.kind.words.items() for word in pair]
    for verb in as_order_book(ruleset.verbs).values():
        texts += [verb.en, verb.it, *verb.also, verb.help]
        texts += [word for options in verb.options().values() for pair in options.items() for word in pair]
    texts += [word for number in ruleset.numbers if isinstance(number, Number) for word in (number.key, number.unit)]
    events = (*ruleset.events.values(), *COMMON_EVENTS.values())
    texts += [text for event in events for text in (event.type, event.text)]
    texts += [message.text for message in (*COMMON.values(), *ruleset.findings.values())]
    texts += [text for phase in ruleset.calendar.phases().values() for text in (phase.id, phase.name_en,
                                                                                        phase.name_it)]
    texts += [str(citation) for citation in ruleset.citations.values()]
    return normalized_words("\n".join(texts))


# Time, handed in by the caller, so that tests need not wait.


# The journal: a second record of what became of each mail, in the user's own folder.
#
# A ledger restored from a backup learns from it which mails went out since. One append-only file per campaign; each
# line is a row of the outbox without its letter. It contains addresses but no reports, and only its owner may read it.


class Journal:
    """The journal of a campaign. All methods may raise OSError."""

    def __init__(self, campaign: str) -> None:
        self.path: Path = user_folder() / "mails" / f"{re.sub('[^0-9A-Za-z]', '_', campaign)}.jsonl"

    def add(self, rows: Iterable[Mail]) -> None:
        """Append the current state of rows."""
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(number, "ab") as file:
            file.write(b"".join(b"\n" + mail_to_json(row) for row in rows))  # ends a line that a crash cut short
            file.flush()
            os.fsync(file.fileno())

    def rows(self) -> list[Mail]:
        """The last known state of each mail; lines cut short by a crash are skipped."""
        if not self.path.is_file():
            return []
        mails: dict[str, Mail] = {}
        for line in self.path.read_bytes().splitlines():
            try:
                row = mail_from_json(line)
            except (ValueError, KeyError, TypeError):
                continue
            mails[row.ident] = row
        return list(mails.values())


# Delivery.
#
# Before the server gets a mail's text, the row is marked ``begun``; once the server has accepted it, ``taken``. A copy
# of each mail goes to our own address in the same transaction. So a mail that was begun when the connection broke can
# be looked up in our mailbox by its Message-ID: if it is there, it was taken; if it has not appeared after
# `Post.patience` seconds, nobody got it and the very same bytes are sent again. Without a mailbox to look into it
# stays ``uncertain``.


ROUNDS = 3
"""How often addresses with a temporary failure are tried in one run."""
LOOKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)
"""Seconds between looks into our mailbox; the last one repeats."""
OK, TRY_LATER, CLOSING = (250, 251), range(400, 500), 421
TOO_LARGE = 552
FOUND, NOT_FOUND = "found", "not found"
"""Our own causes, beside those of servers: whether the mail is in our mailbox."""


Tell = Callable[[str, Mail, Sequence[str]], None]
"""Called with a stage (or ``waits``, ``looking``), the mail, and the addresses that it is about."""


@dataclass
class MailDelivery:
    """Delivers mails. `secret`: the password; `troubles`: why a server could not be used."""

    box: Outbox
    journal: Journal | None
    post: MailAccount
    secret: str
    clock: Clock
    tell: Tell
    troubles: list[ServerTrouble] = field(default_factory=list)
    _line: smtplib.SMTP | None = None

    def deliver(self, rows: Iterable[Mail]) -> None:
        """Settle mails that were begun, send those that are recorded, and retry addresses with a temporary failure.

        Raises `LedgerTrouble` and OSError when the outcome cannot be recorded.
        """
        pending = self._unsent(self.settle([row for row in rows if row.open]))
        try:
            for number in range(ROUNDS):
                pending = [again for row in pending for again in self._send(row)]
                if not pending or self.troubles:
                    break
                if number < ROUNDS - 1:
                    for row in pending:
                        self.tell("waits", row, row.at_stage("recorded"))
                    self.clock.sleep(self.post.pause)
        finally:
            self._hang_up()

    # --- what became of it ------------------------------------------------------------------
    def settle(self, rows: Sequence[Mail]) -> list[Mail]:
        """The rows, with the fate of those that were begun as far as our mailbox shows it."""
        open_ones = [row for row in rows if row.at_stage("begun", "uncertain")]
        if not open_ones:
            return list(rows)
        look, looked = self._look(open_ones)
        settled = {}
        for row in open_ones:
            at_stake = row.at_stage("begun", "uncertain")
            stage: MailStage = "taken" if row.ident in look else "recorded" if looked and row.own else "uncertain"
            cause = FOUND if stage == "taken" else NOT_FOUND if stage == "recorded" else row.marks[at_stake[0]].cause
            at = self._now() if stage != "uncertain" else row.marks[at_stake[0]].at
            settled[row.ident] = row.marked(dict.fromkeys(at_stake, DeliveryMark(stage, at, cause)))
            if stage != "recorded":
                self.tell(stage, settled[row.ident], at_stake)
        self._write(*settled.values())
        return [settled.get(row.ident, row) for row in rows]

    def _look(self, rows: Sequence[Mail]) -> tuple[set[str], bool]:
        """Which of these are in our mailbox, and whether we waited long enough to be sure of the others."""
        if self.post.imap is None:
            return set(), False
        begun = max(datetime.fromisoformat(row.marks[address].at) for row in rows
                    for address in row.at_stage("begun", "uncertain"))
        until, present, looks = begun + timedelta(seconds=self.post.patience), set[str](), iter(LOOKS)
        wanted = [row.ident for row in rows]
        while True:
            try:
                present |= find_sent_mails(self.post, self.secret,
                                             [ident for ident in wanted if ident not in present])
            except ServerTrouble as trouble:
                self.troubles.append(trouble)
                return present, False
            left = (until - self.clock.now()).total_seconds()
            if len(present) == len(wanted) or left <= 0:
                return present, True
            if left > LOOKS[-1] / 2:
                self.tell("looking", rows[0], [])
            self.clock.sleep(max(0.01, min(left, next(looks, LOOKS[-1]))))

    def _unsent(self, rows: Sequence[Mail]) -> list[Mail]:
        """Those to send: without mails that are in our mailbox already, which a restored ledger does not know of."""
        pending = [row for row in rows if row.at_stage("recorded")]
        if self.post.imap is None or not pending:
            return pending
        try:
            sent_mails = find_sent_mails(self.post, self.secret, [row.ident for row in pending])
        except ServerTrouble as trouble:
            self.troubles.append(trouble)
            return []
        known = [row.marked(dict.fromkeys(row.at_stage("recorded"), DeliveryMark("taken", self._now(), FOUND)))
                 for row in pending if row.ident in sent_mails]
        self._write(*known)
        for row in known:
            self.tell("taken", row, row.at_stage("taken"))
        return [row for row in pending if row.ident not in sent_mails]

    # --- sending ----------------------------------------------------------------------------
    def _send(self, row: Mail) -> list[Mail]:
        """Send one mail; returns the rows to try again. Without a server the row stays as it is."""
        letter = self.box.letter(row.ident)
        assert letter is not None, row.ident
        if self.troubles:
            return [row]
        try:
            line = self._connected()
        except ServerTrouble as trouble:
            self.troubles.append(trouble)
            return [row]
        try:
            replies, own = self._addressed(line, row, len(letter))
        except PROBLEMS as problem:  # nothing was sent yet
            self._hang_up()
            return [self._put_off(row, trouble_of(problem, self.post.smtp).detail)]
        return self._begun(line, row, replies, own, letter)

    def _addressed(self, line: smtplib.SMTP, row: Mail, size: int) -> tuple[dict[str, tuple[int, str]], bool]:
        """The server's reply for each address, and whether it accepts a copy for ours."""
        wanted = row.at_stage("recorded")
        limit = line.esmtp_features.get("size", "")
        if limit.isdecimal() and 0 < int(limit) < size:
            return dict.fromkeys(wanted, (TOO_LARGE, f"{size} > {limit}")), False
        code, reply = line.mail(self.post.address, [f"size={size}"] if line.has_extn("size") else [])
        if code not in OK:
            return dict.fromkeys(wanted, (code, _text(reply))), False
        replies = {}
        for address in wanted:
            code, reply = line.rcpt(address)
            replies[address] = (code, _text(reply))
        ours = self.post.address.casefold()
        own = any(address.casefold() == ours and replies[address][0] in OK for address in wanted)
        if not own and any(code in OK for code, _ in replies.values()):
            own = line.rcpt(self.post.address)[0] in OK
        return replies, own

    def _begun(self, line: smtplib.SMTP, row: Mail, replies: dict[str, tuple[int, str]], own: bool,
               letter: bytes) -> list[Mail]:
        """Record the replies, and hand over the mail for the accepted addresses."""
        now = self._now()
        marks = {address: DeliveryMark("refused", now, f"{code} {reply}") for address, (code, reply) in replies.items()
                 if code not in (*OK, *TRY_LATER)}
        late = {address: DeliveryMark("recorded", now, f"{code} {reply}") for address, (code, reply) in replies.items()
                if code in TRY_LATER}
        going = [address for address, (code, _) in replies.items() if code in OK]
        if marks:
            self.tell("refused", row.marked(marks), list(marks))
        if any(code == CLOSING for code, _ in replies.values()):
            self._hang_up()
            going = []
        if not going:
            with contextlib.suppress(*PROBLEMS):
                line.rset()
            row = row.marked({**marks, **late})
            self._write(row)
            return [row] if late else []
        begun = row.marked({**marks, **dict.fromkeys(going, DeliveryMark("begun", now))})._replace(own=own)
        again = [self._divided(begun, late, letter)] if late else []
        if late:
            begun = begun.marked({address: mark._replace(stage="later") for address, mark in late.items()})
        else:
            self._write(begun)
        return [*self._handed_over(line, begun, going, letter), *again]

    def _divided(self, row: Mail, late: dict[str, DeliveryMark], letter: bytes) -> Mail:
        """Move addresses with a temporary failure to a mail of their own, with its own Message-ID."""
        rest = row._replace(ident=next_ident(row.ident), part=row.part + 1, marks=late)
        left = row.marked({address: mark._replace(stage="later") for address, mark in late.items()})
        rest = self.box.divide(left, rest, with_message_id(letter, row.ident, rest.ident))
        if self.journal is not None:
            self.journal.add([left, rest])
        return rest

    def _handed_over(self, line: smtplib.SMTP, row: Mail, going: Sequence[str], letter: bytes) -> list[Mail]:
        """Hand over the mail's text; returns the row if it has to be tried again."""
        try:
            code, reply = line.data(letter)
        except smtplib.SMTPDataError as no:
            code, reply = no.smtp_code, no.smtp_error if isinstance(no.smtp_error, bytes) else no.smtp_error.encode()
        except PROBLEMS:
            self._hang_up()
            (row,) = self.settle([row])
            return [row] if row.at_stage("recorded") else []
        stage: MailStage = "taken" if code in OK else "recorded" if code in TRY_LATER else "refused"
        if code == CLOSING:
            self._hang_up()
        row = row.marked(dict.fromkeys(going, DeliveryMark(stage, self._now(), "" if stage == "taken" else
                                                   f"{code} {_text(reply)}")))
        self._write(row)
        if stage != "recorded":
            self.tell(stage, row, going)
        return [row] if stage == "recorded" else []

    def _put_off(self, row: Mail, cause: str) -> Mail:
        row = row.marked(dict.fromkeys(row.at_stage("recorded"), DeliveryMark("recorded", self._now(), cause)))
        self._write(row)
        return row

    # --- the line ---------------------------------------------------------------------------
    def _connected(self) -> smtplib.SMTP:
        if self._line is None:
            self._line = connect_smtp(self.post, self.secret)
        return self._line

    def _hang_up(self) -> None:
        if self._line is not None:
            with contextlib.suppress(*PROBLEMS):
                self._line.quit()
            self._line.close()
            self._line = None

    def _now(self) -> str:
        return self.clock.now().isoformat()

    def _write(self, *rows: Mail) -> None:
        if rows:
            self.box.mark(*rows)
            if self.journal is not None:
                self.journal.add(rows)


def next_ident(ident: str) -> str:
    """The Message-ID of the follow-up mail for addresses with a temporary failure."""
    name, _, domain = ident.partition("@")
    stem, _, number = name.partition(".")
    return f"{stem}.{int(number or 0) + 1}@{domain}"


def with_message_id(letter: bytes, ident: str, other: str) -> bytes:
    """A mail's bytes under another Message-ID."""
    head, blank, body = letter.partition(b"\r\n\r\n")
    return head.replace(ident.encode(), other.encode()) + blank + body


def _text(reply: bytes) -> str:
    return " ".join(reply.decode(errors="replace").split())
