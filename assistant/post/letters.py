"""Letters to clubs: as mails, as short chat messages, and the search for secrets in them."""

from __future__ import annotations

import hashlib
import html
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from functools import lru_cache

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Column, Text
from assistant.campaign.records import NAMES
from assistant.catalogues import LANGUAGES, catalogues_of, texts_in
from assistant.reporting.facts import NOTHING_BUT_ORDERS
from assistant.reporting.pages import Group, ReportLine, ReportPage
from assistant.reporting.reader import LEGAL_A_UNIT
from assistant.turn.messages import COMMON, COMMON_EVENTS
from assistant.turn.numbers import Number
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording

# The short message for a chat group: whose it is, what is due, the most important news.


MOST_CHARACTERS = 700
"""The greatest length of a message: what a phone shows without a tap."""
LONGEST_LINE = 140
MOST_REASONS = 2
"""So many sentences why something came as it did stand in a message, each of which ..."""
LONGEST_REASON = 280
"""... is at most so long."""
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
    why = [_chat_line(_first_sentences(one.text), LONGEST_REASON) for one in page.reasons.items[:MOST_REASONS]]
    said = [_chat_line(line) for line in (lines or _by_importance(page)) if line]
    shown = [*said, *why] if lines else [*why, *said]  # what the book itself says has been weighed already
    told = [line for line in {line.rstrip("."): line for line in shown}.values()  # the preheader has no full stops
            if not any(line.rstrip(".…") in reason and line != reason for reason in why)]
    tail = [page.foot] if not _uses_letters(told, page.legend) else [page.legend, page.foot]
    kept, left = [], MOST_CHARACTERS - 2 - sum(len(_chat_line(line)) + 1 for line in (*head, *tail))
    for line in told:
        if len(line) + 3 <= left:  # a shorter one may still have room
            kept.append(f"- {line}")
            left -= len(line) + 3
    kept += ["…"] if len(kept) < len(told) else []
    return "\n".join((_chat_line(head[0]), _chat_line(head[1]), *kept, *map(_chat_line, tail))) + "\n"


def _uses_letters(lines: Sequence[str], legend: str) -> bool:
    """Whether letters stand there that the legend explains: ``CFAC`` or ``K2`` for ``C cavalry, F foot, K knights``."""
    letters = "|".join(re.findall(r"(?:^|[,;] )([A-Z][a-z]?) (?=\w)", legend))
    return bool(letters) and re.search(rf"\b(?:(?:{letters}){{2,}}|(?:{letters})\d+)\b", " ".join(lines)) is not None


def _by_importance(page: ReportPage) -> Iterator[str]:
    """Sentences by importance: the five lines and what is owed; without these lines those of the preheader, the club's
    own affairs, battles, public news.
    """
    if page.brief.lines.items:
        yield from _with_places(page.brief.lines.items)
        yield from _dues(page)
        return
    yield from (part if part.endswith((".", "!", "?")) else f"{part}." for part in page.preheader.split(" · ")
                if part and part != page.covers)
    yield from _dues(page)
    yield from _group_lines(page.happened)
    for card in page.battles.items:
        yield from (f"{card.title}: {line.text}" for line in card.lines[-1:])
    yield from _group_lines(page.news)
    yield page.covers


def _dues(page: ReportPage) -> Iterator[str]:
    """What is owed, but for the sentence that makes sense below its heading only."""
    nothing = Wording(None, page.lang).text(NOTHING_BUT_ORDERS)
    return (due for due in page.dues if due != nothing)


def _group_lines(groups: Iterable[Group]) -> Iterator[str]:
    """The lines of all groups, grave ones first."""
    lines = [line for group in groups for line in group.lines.items]
    yield from _with_places(sorted(lines, key=lambda line: not line.grave))


def _with_places(lines: Iterable[ReportLine]) -> Iterator[str]:
    return (f"{line.place}: {line.text}" if line.place else line.text for line in lines)


def _first_sentences(text: str) -> str:
    """The first sentences of a text that have room in a line; the first in any case."""
    kept, *more = re.split(r"(?<=\.) (?=[^a-z])", text)
    for sentence in more:
        if len(kept) + 1 + len(sentence) > LONGEST_REASON:
            break
        kept = f"{kept} {sentence}"
    return kept


def _chat_line(text: str, longest: int = LONGEST_LINE) -> str:
    """A text as one line without chat formatting, cut to its `longest`: before a part, or else before a word."""
    # underscores make italics in a chat if they stand at the edge of a word, inside of one they are just signs
    line = re.sub(r"(?<!\w)_+|_+(?!\w)", "", " ".join(text.translate(_SIGNS).split()))
    if len(line) <= longest:
        return line
    heads = (line[:longest - 1].rpartition(sign)[0] for sign in (";", ",", " "))
    return next((head for head in heads if len(head) > longest // 2), line[:longest - 1]) + "…"


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
        # with its length before each part, text cannot move from one part to the next and leave the hash the same
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
    # without receivers the mail is a draft to oneself: a mail without "To" is refused or taken for spam
    mail["To"] = tuple(Address(addr_spec=address) for address in stamp.to) or sender
    mail["Subject"] = letter.subject
    mail["Date"] = stamp.date
    mail["Message-ID"] = f"<{stamp.ident}>"
    mail[OWN_HEADER] = stamp.ident
    # so says RFC 3834: absence notes and other programs do not answer such a mail
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
    # Python would draw a boundary anew for each mail, and the bytes would never be the same twice
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
    # most secrets share no word with the letter; looking for each in its whole text would take long
    there = [words for words in secrets if tokens.issuperset(words.split()) and words in whole]
    views = list(views)
    seen = set[str]().union(*map(secrets_of, views))
    there = [words for words in there if words not in seen]
    if not there:
        return []
    # the words of program and rulebook may stand in names of the campaign too: they tell nobody anything
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
