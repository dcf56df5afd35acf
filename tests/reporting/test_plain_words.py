"""No code, raw key or word of the other language stands in what people read, in any rulebook's demo."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import pytest

from assistant.campaign.records import Event, Faction
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.edit_catalogue import italian_catalogues
from assistant.post.letters import render_chat
from assistant.reporting.reader import behind_colon
from assistant.reporting.render import render_text
from assistant.turn.orders.words import MARKS
from assistant.turn.ruleset import load
from tests.reporting.played import LAST, WAITING, moment, reports, states, waiting

MOMENTS = 2
"""So many moments of each demo are read in each language, by another club each time."""
BATTLE = re.compile(r"\bB\d+\.\w+\.\w+\b|(?<![\w-])B\d+-\d+\b(?!-)|\b\d{3}(?:Sp|Su|Fa|Wi)-\d+\b|"
                    r"\b\d+[EV]-\d+-\d+-\d+\b")
"""The bare code of a battle in any rulebook; not a part of the code of a report, ``EF9B-B348-6831``."""
KEY = re.compile(r"\b[A-Za-z]\w*(?:/[\w.-]+){2,}")
"""A raw key, such as ``deserter/B2-1/O3a/8``."""
UNDERSCORE = re.compile(r"\w*[^\W_]_[^\W_]\w*")
SMALL_PRINT = re.compile(r" \[[^\]]*\]$|^ *\[[^\]]*\]|\"[^\"]*\"")
"""The code behind a reason or a question; and an order as its club wrote it."""
LETTERS = re.compile(r"[^\W\d_]{3,}")
CARD = {"it": "TUTTI I TIPI DI ORDINE", "en": "ALL KINDS OF ORDER"}
"""The heading above orders as they are typed."""


@cache
def foreign(book: str, lang: str) -> frozenset[str]:
    """The words of the other language: all words of its texts, the house's and the book's, that none in `lang` has."""
    said: dict[str, set[str]] = {"en": set(), "it": set()}
    for catalogue, _ in (*italian_catalogues([load(book)]), *italian_catalogues([], house=True)):
        for message in catalogue:
            for language, texts in (("en", message.id), ("it", message.string)):
                for text in (texts,) if isinstance(texts, str) else texts or ():
                    said[language] |= set(LETTERS.findall(re.sub(r"\{[^}?]*\}", " ", text)))
    return frozenset(said["en" if lang == "it" else "it"] - said[lang])


@lru_cache(maxsize=5)
def names_of(book: str) -> re.Pattern[str]:
    """The allowed names: what people, places, units, clubs and sides are called in the demo, in either language, and
    the sheets of its workbook.
    """
    first, last = states(book)[1][0], states(book)[1][-1]
    found = {value for campaign in (first, last) for table in campaign.tables().values()
             if not issubclass(table.record, Event) for row in table for column in table.record.columns()
             if isinstance(value := getattr(row, column.name), str) and len(value) > 3 and value[:1].isupper()}
    found |= {row.faction for row in first.table(Faction) if len(row.faction) > 3}
    found |= {name for record in states(book)[0].records for name in (record.sheet, record.sheet_it)}
    found |= {behind_colon(name) for name in found}
    return re.compile("|".join(map(re.escape, sorted(found, key=len, reverse=True))))


def sentences(text: str, lang: str) -> list[str]:
    """The lines of a page as text that people read: without the form, the card of orders, and small print."""
    first, last = MARKS[lang]
    text = re.sub(rf"{re.escape(first)}.*?{re.escape(last)}", "", text, flags=re.DOTALL)
    text = re.sub(rf"{CARD[lang]}\n-+\n.*?\n\n\n?", "", text, flags=re.DOTALL)
    return [SMALL_PRINT.sub("", line) for line in re.sub(r"\n  +(?=\S)", " ", text).splitlines()]


def faults(text: str, book: str, lang: str) -> list[str]:
    """What of a text nobody should have to read, each with its line."""
    told = []
    for line in sentences(text, lang):
        plain = names_of(book).sub("", line)
        told += [f"{found}: {line}" for pattern in (BATTLE, KEY, UNDERSCORE) for found in pattern.findall(line)]
        told += [f"{word}: {line}" for word in LETTERS.findall(plain) if word in foreign(book, lang)]
    return told


@pytest.mark.parametrize(("line", "lang", "found"), [
    ("- B2-1 was won.", "en", "B2-1"), ("- deserter/B2-1/O3a/8", "en", "deserter/B2-1/O3a/8"),
    ("- Posture: shut_in", "en", "shut_in"), ("- No passage: senza_passo", "en", "senza_passo"),
    ("- Milano holds the field.", "it", "the"), ("- Milan tiene contro la Svizzera.", "en", "contro")])
def test_what_nobody_should_have_to_read_is_found(line: str, lang: str, found: str) -> None:
    """A code, a key, an underscore, a word of the other language."""
    assert any(fault.startswith(f"{found}:") for fault in faults(line, "giglio", lang))


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", LAST)
def test_reports_gazettes_and_chats_hold_only_plain_words(book: str, lang: str) -> None:
    """A report, the gazette and their chat texts at some moments of each demo."""
    _, made = states(book)
    clubs = factions_with_reports(made[0])
    for turn in range(MOMENTS):
        number = len(made) * (2 * turn + 1 + (lang == "it")) // (2 * MOMENTS + 1)
        told = [*reports(book, number, (clubs[turn % len(clubs)],), lang, public=True),
                *(waiting(book, *WAITING[book], lang) if turn == 0 and book in WAITING else ())]
        for built in told:
            phases = "\n".join(one.when for one in built.page.orderable.items)
            text = f"{render_text(built.page)}\n{render_chat(built.page, built.chat)}\n{phases}"
            assert not re.search(r"\br\d", phases)
            assert faults(text, book, lang) == [], (moment(made[number]), built.stem)
