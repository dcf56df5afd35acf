"""No code, raw key, value of the program or word of the other language stands in what people read of any demo: pages,
mails, chat texts, receipts, reminders, copies, the book of the war and the rules booklet.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice
from zlib import crc32

import openpyxl
import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order
from assistant.desk.clubs.collect import build_receipt
from assistant.desk.clubs.diff_copies import RowChange
from assistant.desk.commands.report import BuiltPage
from assistant.desk.next_steps import list_blocking, position_text
from assistant.desk.workspace.workspace import factions_with_reports
from assistant.post.letters import Letter, render_chat
from assistant.reporting.booklet import build_booklet
from assistant.reporting.chronicle import build_chronicle, disclose, render_chronicle
from assistant.reporting.pages import as_plain_values
from assistant.reporting.reader import one_minus
from assistant.reporting.render import render_booklet, render_html, render_text
from assistant.testing.fog import letters_of
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.phases import without_superseded
from assistant.wording import Wording, named_wording
from assistant.workbook.layout import HEADING_ROW
from tests.reporting.plain_words import SMALL_PRINT, code_faults, names_of, read_page, sentences, word_faults
from tests.reporting.played import LAST, WAITING, moment, reports, states, waiting
from tests.views.test_receipts import handed_in

EVERY = 9
"""One phase in so many is read by all clubs, the others by one of them each."""
NO_TEXTS = re.compile(r"\.(?:template|ident|code|faction|turn|phase|kind|lang|colour|ink|severity|more_text|quote"
                      r"|example|form|map_src|when|expected|chance|side)$|\.thrown|\.proofs|\.luck\.rows")
"""Parts of a page's data that a program reads, or that a club typed or is to type."""
SMALL_PARTS = re.compile(r"\.(?:row|roll|rule|to)$|\.rulings\.")
"""Parts of a page's data that it shows as small print."""
_SENTENCE = re.compile(r"^[^={].* .*[.:;!?](?:\s|$)", re.DOTALL)
_ITEM = re.compile(r"^\s*(?:\d+\.|-)\s+")
"""What stands before an item of a list."""
BY = "Sunday, 20:00"
"""The deadline of the letters, which is the referee's own word."""
LINES = 12
"""So many orders of each kind, right and wrong, stand in a receipt."""


@lru_cache(maxsize=5)
def names(book: str) -> re.Pattern[str]:
    """The names of a demo at its beginning and at its end."""
    ruleset, made = states(book)
    return names_of(ruleset, made[0], made[-1])


def readers(book: str, campaign: Campaign, lang: str) -> tuple[str, ...]:
    """Who reads a phase: all clubs, or one of them; the name of the phase decides."""
    clubs = factions_with_reports(campaign)
    lot = crc32(f"{moment(campaign)} {lang}".encode())
    return tuple(clubs) if lot % EVERY == 0 else (clubs[lot // EVERY % len(clubs)],)


def pages(book: str, lang: str) -> Iterator[tuple[str, BuiltPage]]:
    """The pages of the phases of a demo, with the moment, each phase in one of the languages, as pages take long; also
    of battles that wait to be played.
    """
    made = states(book)[1]
    for number, campaign in enumerate(made[1:], 1):
        if crc32(f"{moment(campaign)} language".encode()) % 2 != (lang == "it"):
            continue
        for built in reports(book, number, readers(book, campaign, lang), lang, public=True):
            yield moment(campaign), built
    if book in WAITING:
        yield from ((WAITING[book][0], built) for built in waiting(book, *WAITING[book], lang))


def texts(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """All texts in the data of a page, each with the way to it."""
    if isinstance(value, dict):
        for name, entry in value.items():
            yield from texts(entry, f"{path}.{name}")
    elif isinstance(value, list):
        for entry in value:
            yield from texts(entry, path)
    elif isinstance(value, str) and value:
        yield path, value


def faults_of(built: BuiltPage, book: str, lang: str, seen: set[tuple[str, bool]]) -> Iterator[str]:
    """What is wrong with the data, the page, the text and the chat text of a report. `seen`: lines that were read
    before, and whether as small print.
    """
    page = read_page(render_html(built.page))
    data = [(text, SMALL_PARTS.search(path) is not None) for path, text in texts(as_plain_values(built.page))
            if not NO_TEXTS.search(path)]
    chat = render_chat(built.page, built.chat)
    words = dict.fromkeys([*(text for text, _ in data), *page.whole, *chat.splitlines()])
    plain = dict.fromkeys([*(text for text, small in data if not small), *page.large, *sentences(chat, lang),
                           *sentences(render_text(built.page), lang)])
    for line in words:
        if (line, True) not in seen:
            yield from word_faults(line, book, lang, names(book))
    for line in plain:
        if (line, False) not in seen:
            yield from code_faults(line)
    seen.update(*([(line, small) for line in lines] for lines, small in ((words, True), (plain, False))))


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", LAST)
def test_reports_gazettes_and_chats_hold_only_plain_words(book: str, lang: str) -> None:
    """Every phase: as data, as page, as text and as chat text."""
    seen, found = set[tuple[str, bool]](), dict[str, str]()
    for when, built in pages(book, lang):
        for fault in faults_of(built, book, lang, seen):
            found.setdefault(fault, f"{when} {built.stem}")
    assert found == {}


# --- mails, copies and books -----------------------------------------------------------------------------------
def spoken(campaign: Campaign, lang: str) -> Campaign:
    """The campaign with clubs and a referee who read this language."""
    heard = campaign.copy()
    heard.desk.language = lang
    for row in heard.table(Faction):
        row.language = lang
    return heard


def mailed(book: str, lang: str) -> list[Letter]:
    """The mails to a club and to all, in English in the midst of a demo and in Italian at its end; they tell all since
    the beginning.
    """
    ruleset, made = states(book)
    return letters_of(ruleset, spoken(made[-1 if lang == "it" else len(made) // 2], lang))


OTHER_LANGUAGE = re.compile(r"\((?:English|Italian)\)|in inglese|inglese$|in italiano|italiano$")
"""In the heading of a column: it holds what the other language says."""
AS_MADE = ("Attributes", "Attributi")
"""Printed tables that a workbook holds in the language in which it was made, whoever gets a copy."""


def cells_of(data: bytes) -> Iterator[str]:
    """The sentences in the cells of a workbook that are not hidden; not its codes, formulas and lists of words that are
    understood. Its minus is the hyphen, as every program shows it in cells with numbers.
    """
    for sheet in openpyxl.load_workbook(io.BytesIO(data)):
        if sheet.sheet_state != "visible" or sheet.title in AS_MADE:
            continue
        hidden = {number for one in sheet.column_dimensions.values() if one.hidden
                  for number in range(one.min or 0, (one.max or 0) + 1)}
        hidden |= {cell.column or 0 for cell in sheet[HEADING_ROW] if OTHER_LANGUAGE.search(str(cell.value))}
        yield sheet.title
        yield from (one_minus(_ITEM.sub("", cell.value)) for row in sheet.iter_rows() for cell in row
                    if cell.column not in hidden and isinstance(cell.value, str) and _SENTENCE.search(cell.value))


@cache
def offered(book: str, number: int, faction: str) -> list[Mapping[str, object]]:
    """The first orders that a faction may give at a state; they are the same in both languages."""
    ruleset, made = states(book)
    legal = ruleset.legal_orders(ruleset.view(made[number], faction), faction, ahead=True)
    return [order.fields for order in islice(legal, LINES)]


def receipts(book: str, lang: str) -> Iterator[str]:
    """What a club is told of its lines, right ones and wrong ones, in the first phase that takes orders, and in the
    midst of a demo.
    """
    ruleset, made = states(book)
    order_book = as_order_book(ruleset.verbs)
    taking = [number for number, campaign in enumerate(made[:-1]) if ruleset.phase(campaign.desk.phase).orders]
    for number in (taking[0], taking[len(taking) // 2]):
        whole = spoken(made[number], lang)
        for faction in factions_with_reports(whole):
            view = ruleset.view(whole, faction)
            right = [order_line(order_book, view, fields, lang) for fields in offered(book, number, faction)]
            after = whole.copy()
            told = handed_in(ruleset, after, faction, [*right, *(re.sub(r"\d+", "99", line) for line in right)])
            words = named_wording(ruleset, view, lang)
            yield build_receipt(ruleset, after, faction, [], [
                RowChange("new", "order", row) for row in told if isinstance(row, Order)]).text
            yield "\n".join(words.finding(finding) for finding in told if not isinstance(finding, Order))


def awaited(book: str, lang: str) -> Iterator[str]:
    """What a reminder says is awaited, phase by phase."""
    ruleset, made = states(book)
    for campaign in made[:-1]:
        for faction in factions_with_reports(campaign):
            view = ruleset.view(without_superseded(campaign), faction)
            words = named_wording(ruleset, view, lang)
            yield from (one.what for one in list_blocking(ruleset, view, words))
            yield position_text(ruleset, view, words)


def books(book: str, lang: str) -> Iterator[str]:
    """The book of the war for everybody and with every secret, and the rules booklet."""
    ruleset, made = states(book)
    last, words = without_superseded(made[-1]), Wording(ruleset, lang)
    public = ruleset.view(last, "")
    yield render_chronicle(build_chronicle(ruleset, public, lang, public=public), (), ())
    yield render_chronicle(build_chronicle(ruleset, disclose(last), lang, public=public, revealed=True), (), ())
    yield render_booklet(build_booklet(ruleset, last, words, {}))


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", LAST)
def test_mails_and_copies_hold_only_plain_words(book: str, lang: str) -> None:
    """Subject, text and page of each mail, and the cells of the copy that comes with it."""
    found = dict[str, str]()
    for letter in mailed(book, lang):
        page = read_page(letter.html)
        read = {"page": page.whole, "subject": [letter.subject],
                **{name: list(cells_of(data)) for name, data in letter.attached}}
        for where, lines in read.items():
            found |= {fault: where for line in lines
                      for fault in word_faults(line.replace(BY, "20:00"), book, lang, names(book))}
        for line in (*page.large, *sentences(letter.text, lang)):
            found |= dict.fromkeys(code_faults(line), letter.kind)
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", LAST)
def test_receipts_and_reminders_hold_only_plain_words(book: str, lang: str) -> None:
    """How each line was understood, what is missing, and what the phase waits for."""
    lines = dict.fromkeys(_ITEM.sub("", line).strip() for text in (*receipts(book, lang), *awaited(book, lang))
                          for line in text.splitlines())
    found = [fault for line in lines
             for fault in (*word_faults(line, book, lang, names(book)), *code_faults(SMALL_PRINT.sub("", line)))]
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", LAST)
def test_the_book_of_the_war_and_the_booklet_hold_only_plain_words(book: str, lang: str) -> None:
    """What everybody may read, and what is told when all is over."""
    found = []
    for page in map(read_page, books(book, lang)):
        found += [fault for line in page.whole for fault in word_faults(line, book, lang, names(book))]
        found += [fault for line in page.large for fault in code_faults(line)]
    assert found == []
