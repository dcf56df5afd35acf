"""A letter and what its reader may know in; words in it out that stand nowhere in that, though the campaign has them.

The last look before a mail leaves. Pages and copies are made of a view and cannot hold more; where a fault of ours lets
a name or a code through all the same, it is found here, as whole words of three letters or more.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from gettext import GNUTranslations

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Column, Ref, Text
from assistant.campaign.records import NAMES
from assistant.catalogues import LANGUAGES, catalogues_of
from assistant.post.out.letters import Letter
from assistant.turn.messages.house import COMMON, COMMON_EVENTS
from assistant.turn.numbers import Number
from assistant.turn.orders.verbs import book_of
from assistant.turn.ruleset import Ruleset

LETTERS = 3
"""A word that counts has so many letters at least."""
AROUND = 30
"""So many characters of the place are shown before and after a word."""
_APART = re.compile(r"[,;:/+|]")
"""What stands between several in one cell: codes of two factions, a sheet and a row, the options of a question."""
_LONG = re.compile(rf"[^\W\d_]{{{LETTERS},}}")
_WORD = re.compile(r"[^\W_]+")
_UNSEEN = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL | re.IGNORECASE)
_ATTRIBUTE = re.compile(r'\b(?:alt|title|href|src|content|name|displayName|descr|sheet|ref)="([^"]*)"')
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Hit:
    """A word that the reader may not know. `place`: in which part of the mail; `around`: with what stands beside it."""

    word: str
    place: str
    around: str


def words_of_text(text: str) -> str:
    """A text as its words, in small letters with one blank before and after each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def secrets_of(campaign: Campaign, further: Iterable[str] = ()) -> dict[str, str]:
    """What a whole campaign calls things: words -> as it is written. `further`: secrets that stand in no cell."""
    found, seen = dict[str, str](), set[str]()
    for table in campaign.tables().values():
        columns = [one for one in table.record.columns() if _names(one)]
        for _, row in table.in_file_order():
            for column in columns:
                value = getattr(row, column.name)
                for text in value if isinstance(value, tuple) else (value,):
                    if isinstance(text, str) and len(text) >= LETTERS and text not in seen:
                        seen.add(text)
                        found |= {words_of_text(one): one.strip() for one in _APART.split(text) if _LONG.search(one)}
    return found | {words_of_text(one): one for one in further}


def _names(column: Column) -> bool:
    """Whether a column holds names, codes or texts that people type: not what the program itself puts together."""
    made = column.edit == "assistant" and not column.key and column.name not in NAMES
    return isinstance(column.kind, (Ref, Codes)) or (isinstance(column.kind, Text) and not made)


def leaked(letter: Letter, secrets: dict[str, str], ruleset: Ruleset, views: Iterable[Campaign],
           said: Iterable[str] = ()) -> list[Hit]:
    """The words of a letter that are `secrets` and stand nowhere in what its reader may know.

    `views`: that reader's, of now and of before; `said`: what the referee tells it, such as the deadline. Each word
    once, with the first place where it stands.
    """
    parts = [(place, text, words_of_text(text)) for place, text in parts_of(letter)]
    whole = "".join(words for _, _, words in parts)
    tokens = set(whole.split())
    there = [words for words in secrets if tokens.issuperset(words.split()) and words in whole]
    views = list(views)
    seen = set[str]().union(*map(secrets_of, views))
    there = [words for words in there if words not in seen]
    if not there:
        return []
    known = "".join((_of_program(ruleset), *map(words_of_text, said), *map(_of_view, views),
                     *_examples(ruleset, views[:1], letter.faction)))
    return [_hit(words, secrets[words], parts) for words in there
            if words not in known and not _says_nothing(words, _of_program(ruleset))]


def _says_nothing(words: str, program: str) -> bool:
    """Whether words are numbers and words of the program: an order ``captain 1`` reads like a row of any table."""
    tokens = words.split()
    return any(map(str.isdecimal, tokens)) and all(one.isdecimal() or f" {one} " in program for one in tokens)


def _hit(words: str, written: str, parts: list[tuple[str, str, str]]) -> Hit:
    place, text, _ = next(part for part in parts if words in part[2])
    flat = " ".join(text.split())
    found = re.search(r"[\W_]+".join(map(re.escape, words.split())), flat, re.IGNORECASE)
    start, end = found.span() if found else (0, 0)
    return Hit(written, place, flat[max(0, start - AROUND):end + AROUND])


# --- what leaves --------------------------------------------------------------------------------------------
def parts_of(letter: Letter) -> Iterator[tuple[str, str]]:
    """Every part of a letter that somebody could read, with what it is called."""
    yield "subject", letter.subject
    yield "text", letter.text
    yield "page", readable(letter.html)
    for name, data in letter.attached:
        yield name, name
        with zipfile.ZipFile(io.BytesIO(data)) as book:
            for part in book.namelist():
                yield f"{name}: {part}", f"{part} {readable(book.read(part).decode('utf-8', 'replace'))}"


def readable(markup: str) -> str:
    """What HTML or XML says: its text and the attributes that hold texts."""
    seen = _UNSEEN.sub(" ", markup)
    return html.unescape(" \n ".join((_TAG.sub(" ", seen), *_ATTRIBUTE.findall(seen))))


# --- what may be known --------------------------------------------------------------------------------------
def _examples(ruleset: Ruleset, views: Iterable[Campaign], faction: str) -> Iterator[str]:
    """The examples of the orders card, which somebody else may have ordered word by word."""
    for view in views:
        for lang in LANGUAGES:
            yield from (words_of_text(card.example) for card in ruleset.order_cards(
                view, lang, lambda text, **_: text, faction))


def _of_view(view: Campaign) -> str:
    """Everything that stands in a view."""
    return words_of_text("\n".join(
        f"{key} {' '.join(row.as_text().values())}" for table in view.tables().values()
        for key, row in table.in_file_order()))


@lru_cache(maxsize=8)
def _of_program(ruleset: Ruleset) -> str:
    """The words of the program and of the rulebook, which everybody may know, in both languages."""
    texts: list[str] = [ruleset.id, ruleset.title, ruleset.author, "arbitro"]
    for lang in LANGUAGES:
        for one in catalogues_of(ruleset, lang):
            if isinstance(one, GNUTranslations):
                catalogue: dict[object, str] = getattr(one, "_catalog", {})
                texts += [" ".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in catalogue]
                texts += catalogue.values()
    for record in ruleset.records:
        texts += [record.sheet, record.sheet_it, record.about_en, record.about_it]
        for column in record.columns():
            texts += [column.name, column.en, column.it, column.hint_en, column.hint_it, *column.alias]
            if isinstance(column.kind, Choice):
                texts += [word for pair in column.kind.options.items() for word in pair]
    for verb in book_of(ruleset.verbs).values():
        texts += [verb.en, verb.it, *verb.also, verb.help]
        texts += [word for options in verb.options().values() for pair in options.items() for word in pair]
    texts += [word for one in ruleset.numbers if isinstance(one, Number) for word in (one.key, one.unit)]
    events = (*ruleset.events.values(), *COMMON_EVENTS.values())
    texts += [text for event in events for text in (event.type, event.text)]
    texts += [message.text for message in (*COMMON.values(), *ruleset.findings.values())]
    texts += [text for phase in ruleset.calendar.phases().values() for text in (phase.id, phase.name_en,
                                                                                        phase.name_it)]
    texts += [str(citation) for citation in ruleset.citations.values()]
    return words_of_text("\n".join(texts))
