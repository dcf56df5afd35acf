"""What nobody should have to read: codes, raw keys, values of the program, and words of the other language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from lxml import html

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import Event, Faction, Order
from assistant.edit_catalogue import italian_catalogues
from assistant.reporting.reader import behind_colon
from assistant.turn.orders.words import MARKS
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset

# --- the words of each language --------------------------------------------------------------------------------


WORDS = re.compile(r"(?<![\d_])\b[^\W\d_]{2,}(?![\d_])")
OTHERS = 4
"""A word is of the other language if its texts have it at least so many times as often as ours."""
CODE = re.compile(r"[A-Z]{2,3}|[A-Z][a-z]")
"""A code, which is not read as a word: ``REP``; ``As`` for a kind of demons, of which the legend tells."""
ALLOWED = {
    "en": {"come": "the verb, which Italian sentences have for 'as'", "via": "by way of, in Italian a street",
           "state": "a condition, in Italian a verb", "due": "expected by a date, in Italian two"},
    "it": {"no": "the answer, which English sentences have more often", "all": "all'arbitro"},
}
"""Words that are right in a language although the other one's texts have them more often: word -> why."""
_BRACE = re.compile(r"\{[^}?]*\??([^}]*)\}")


@cache
def foreign(book: str, lang: str) -> frozenset[str]:
    """The words of the other language: those that all texts of both, the house's and the book's, have there and not
    here, or hardly ever here.
    """
    said: dict[str, Counter[str]] = {"en": Counter(), "it": Counter()}
    for english, italian in _both_sides(load(book)):
        for told, text in ((said["en"], english), (said["it"], italian)):
            told.update({word.casefold() for word in WORDS.findall(_BRACE.sub(r" \1 ", text))})
    ours, theirs = said[lang], said["en" if lang == "it" else "it"]
    return frozenset(word for word, n in theirs.items() if n >= OTHERS * ours[word]) - ALLOWED[lang].keys()


@cache
def plurals(book: str, lang: str) -> frozenset[str]:
    """The words that agree with a number and are never said of one: ``{n} {n?ducat|ducats}``."""
    one, many = set[str](), set[str]()
    for sides in _both_sides(load(book)):
        for first, second in re.findall(r"\{n\??[^}]*\} \{n\?(\w+)\|(\w+)\}", sides[lang == "it"]):
            one.add(first)
            many.add(second)
    return frozenset(many - one)


def _both_sides(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """All that has an English and an Italian side: sentences, and what sheets, columns, options, phases and verbs are
    called.
    """
    for catalogue, _ in italian_catalogues([ruleset]):
        for message in catalogue:
            english, italian = ((one,) if isinstance(one, str) else one or () for one in (message.id, message.string))
            yield " ".join(english), " ".join(italian)
    for record in ruleset.records:
        yield record.sheet, record.sheet_it
        for column in record.columns():
            yield f"{column.en} {column.hint_en}", f"{column.it} {column.hint_it}"
            if isinstance(column.kind, Choice):
                yield from _options(column.kind.options)
                yield from column.kind.in_reports.values()
    for verb in ruleset.verbs.values():
        yield from _options({verb.word("en"): verb.word("it")})
        for options in verb.options().values():
            yield from _options(options)
    yield from ((phase.name("en"), phase.name("it")) for phase in ruleset.calendar.phases().values())
    yield from ruleset.calendar.chapters.values()


def _options(options: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from ((code.replace("_", " "), italian.replace("_", " ")) for code, italian in options.items())


# --- the names of a campaign -----------------------------------------------------------------------------------


_CODE_OF_WORDS = re.compile(r"[a-z]+(?:-[a-z]+)+")
"""A code made of words, as orders name a place: ``castle-combe``."""


def names_of(ruleset: Ruleset, *states: Campaign) -> re.Pattern[str]:
    """The allowed names: what people, places, units, clubs and sides are called, in either language, the sheets and
    the rulebook; and what clubs noted on their orders.
    """
    found = {value for campaign in states for table in campaign.tables().values()
             if not issubclass(table.record, Event) for row in table for column in table.record.columns()
             if isinstance(value := getattr(row, column.name), str) and len(value) > 3 and value[:1].isupper()}
    found |= {row.faction for campaign in states for row in campaign.table(Faction) if len(row.faction) > 3}
    found |= {ruleset.title, *(name for record in ruleset.records for name in (record.sheet, record.sheet_it))}
    found |= {behind_colon(name) for name in found}
    found |= {row.ident for campaign in states for table in campaign.tables().values() for row in table
              if _CODE_OF_WORDS.fullmatch(row.ident)}
    found |= {note for campaign in states for order in campaign.table(Order) if (note := getattr(order, "note", ""))}
    found |= {name.upper() for name in found if len(name.split()) > 1}
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(found, key=len, reverse=True)))})(?!\w)")


# --- texts of a page -------------------------------------------------------------------------------------------


QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`|«[^»]*»|(?<!\w)'[^']*'(?!\w)")
"""An order as its club wrote it, a word or a command to be typed."""
SMALL_PRINT = re.compile(rf" \[[^\]]*\]$|^ *\[[^\]]*\]|{QUOTED.pattern}")
"""Further in a text: the code behind a reason or a question."""
SMALL = ("muted", "tag", "roll", "proofs", "quote", "small")
"""What of a page is small print: codes, notes, dice, orders as their club wrote them."""
CARD = {"it": "TUTTI I TIPI DI ORDINE", "en": "ALL KINDS OF ORDER"}
"""The heading above orders as they are typed."""
_ENDS = re.compile(r"</(?:p|li|h[1-6]|td|th|tr|summary|div|title|figcaption|dt|dd|section)>|<br/?>")
_BLANKS = re.compile(r"\s+")


class ReadPage(NamedTuple):
    """The lines of a page of HTML as its reader sees them, without the form: all of them; and without small print."""

    whole: list[str]
    large: list[str]


def read_page(page: str) -> ReadPage:
    """What a page of HTML says."""
    tree = html.document_fromstring(page)
    _drop(tree, "//style|//script|//pre|//title")
    whole = _lines(tree)
    _drop(tree, "//small|" + "|".join(f"//*[contains(concat(' ', @class, ' '), ' {kind} ')]" for kind in SMALL))
    return ReadPage(whole, _lines(tree))


def _drop(tree: html.HtmlElement, where: str) -> None:
    for gone in tree.xpath(where):
        gone.drop_tree()


def _lines(tree: html.HtmlElement) -> list[str]:
    marked = _ENDS.sub(r"\g<0>\n", html.tostring(tree, encoding="unicode").replace("\n", " "))
    text = str(html.document_fromstring(marked).xpath("string()"))
    return [line for line in (_BLANKS.sub(" ", one).strip() for one in text.split("\n")) if line]


def sentences(text: str, lang: str) -> list[str]:
    """The lines of a page as text that people read: without the form, the card of orders, and small print."""
    first, last = MARKS[lang]
    text = re.sub(rf"{re.escape(first)}.*?{re.escape(last)}", "", text, flags=re.DOTALL)
    text = re.sub(rf"{CARD[lang]}\n-+\n.*?\n\n\n?", "", text, flags=re.DOTALL)
    return [SMALL_PRINT.sub("", line) for line in re.sub(r"\n  +(?=\S)", " ", text).splitlines()]


# --- faults ----------------------------------------------------------------------------------------------------


BATTLE = re.compile(r"\bB\d+\.\w+\.\w+\b|(?<![\w-])B\d+-\d+\b(?!-)|\b\d{3}(?:Sp|Su|Fa|Wi)-\d+\b|"
                    r"\b\d+[EV]-\d+-\d+-\d+\b")
"""The bare code of a battle in any rulebook; not a part of the code of a report, ``EF9B-B348-6831``."""
KEY = re.compile(r"\b[A-Za-z]\w*(?:/[\w.-]+){2,}")
"""A raw key, such as ``deserter/B2-1/O3a/8``."""
UNDERSCORE = re.compile(r"\w*[^\W_]_[^\W_]\w*")
PROGRAM = re.compile(r"\b(?:True|nan|NaN)\b|\bFalse\b(?! portal)|\bNone\b(?! of|\.)|\b\w+\((?:'|\"|\w+=)"
                     r"|[\[{(]['\"]\w+['\"][:,]|\[\]"
                     r"|[{}]|<\w+(?:\.\w+| object)|%\(\w+\)")
"""A value as the program has it, and a brace that nobody filled."""
SIGNS = re.compile(r",,|;;|::|(?<![.\w])\.\.(?![.\w])|\(\)|\( | \)|(?<=[^\s…(\[«|—–-]) [,;:.](?=\s|$)|[,;:]\.(?!\w)|  ")
"""Two signs where one belongs, a blank before one, two blanks."""
HYPHEN = re.compile(r"(?<![\w)\]/.’'-])[-–](?=\d)|(?<=\d )[-–](?= \d)")
"""A hyphen where a number has its minus."""
ONE = re.compile(r"(?<![\d.,:/+−–-])\b1 (\w+)\b")
CODES = {"code": BATTLE, "key": KEY, "underscore": UNDERSCORE}
VALUES = {"program": PROGRAM, "signs": SIGNS, "minus": HYPHEN}


def code_faults(line: str) -> list[str]:
    """What of a line is a code for the program."""
    line = PAIR.sub("…", line)
    return [f"{found}: {line}" for pattern in CODES.values() for found in pattern.findall(line)]


PAIR = re.compile(r"\b\w+=\w+")
"""A standing choice as it is typed: ``si_aggiunge=chiedi``."""
ROW = re.compile(r"\b\d\w*-\w+-\w+-\d+\b|\b[\dA-F]{4}-[\dA-F]{4}-[\dA-F]{4}\b")
"""The name of a row of orders: ``1500-r1-F-1``; the code of a report: ``CEDE-0249-F1EC``."""
KEY_ALONE = re.compile(r"\S*[./_]\S*\d\S*|\S*\d\S*[./_]\S*")
"""A line that is a key and nothing else: that of a question, in small print, for who has to quote it."""


def word_faults(line: str, book: str, lang: str, names: re.Pattern[str]) -> list[str]:
    """What of a line is of the other language, a value of the program, or ill written."""
    line = "" if KEY_ALONE.fullmatch(line) else ROW.sub("…", QUOTED.sub("…", line))
    told = [f"{found[0]}: {line}" for pattern in VALUES.values() for found in pattern.finditer(line)]
    told += [f"1 {word}: {line}" for word in ONE.findall(line) if word in plurals(book, lang)]
    return told + [f"{word}: {line}" for word in WORDS.findall(names.sub("", line))
                   if word.casefold() in foreign(book, lang) and not CODE.fullmatch(word)]
