"""The form that a club fills in, in its copy or in a mail: its code, its content, and which lines count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.post.mail_text import DoubtKind, MailLine, ReceivedMail, TextPart, plain_characters
from assistant.reporting.chances import club_chances
from assistant.reporting.duties import next_orders, open_questions, own_units
from assistant.reporting.reader import Reader
from assistant.turn.battle_results import ClubForm, open_forms
from assistant.turn.numbers import Number
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import OrderBook, Verb, as_order_book
from assistant.turn.orders.words import MARKS, is_remark, strip_marks
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.build_copy import CopyForm, FormPrice, FormPurse
from assistant.workbook.layout import sheet_title
from assistant.workbook.port import DeskLines

# The content of a club's copy.


def form_of(ruleset: Ruleset, view: Campaign, faction: str, words: Wording, token: str, where: str,
            by: str = "") -> CopyForm:
    """The form of a faction, "" for the public copy. `view`: the faction's view; `words`: in its language; `where`: the
    present moment of the campaign in words; `by`: the deadline in words.
    """
    reader = Reader.of(ruleset, view, faction, words)
    if not faction:
        lines = DeskLines(where, (), (words.text(READ_ONLY),), (words.text(READ_REPORT),))
        return CopyForm("", words.text(N_("for everybody")), "", lines)
    phases = [phase.orders for phase in ruleset.phases_left(view) if phase.orders]
    offers = {"verb": [verb.word(words.lang) for verb in ruleset.verbs_left(view, faction)],
              "phase": list(dict.fromkeys(phases)), "unit": [row.ident for row in own_units(reader)]}
    battles = open_forms(ruleset, view, faction)
    told = club_chances(reader)
    chances = [f"{line.what}: {'; '.join(line.chances)}" for line in told.others]
    lines = DeskLines(where, ((faction, _owed_line(reader, battles)),), tuple(_steps(reader, battles, by)),
                      (words.text(READ_REPORT), *chances, *told.grounds))
    purses = [*filter(None, (purse_of(ruleset, view, faction, words),)), *_chest_purses(ruleset, view, faction, words)]
    return CopyForm(faction, reader.faction_name(faction), token, lines, offers, tuple(purses), tuple(battles),
                    reader.legal, {name: "\n".join(lines) for name, lines in {**told.asked, **told.ordered}.items()})


READ_ONLY = N_("This workbook is only to be read: what everybody may know.")
READ_REPORT = N_("What happened is in the report and on the sheet of events.")


def _owed_line(reader: Reader, battles: Sequence[ClubForm]) -> str:
    """What the faction still has to do, in a line: questions, orders, battles without a report."""
    _ = reader.wording
    questions = len(open_questions(reader, {}))
    owed = [_.plural(N_("One question waits for your answer"), N_("{n} questions wait for your answer"), questions)
            ] if questions else []
    word, moment = next_orders(reader)
    owed += [_.text(N_("Orders for {moment}"), moment=moment)] if word else []
    owed += [_.text(N_("Your report on {battle}"), battle=Verbatim(club_form.battle.battle)) for club_form in battles
             if not club_form.begun]
    return "; ".join(owed) or _.text(N_("nothing"))


def _steps(reader: Reader, battles: Sequence[ClubForm], by: str) -> Iterator[str]:
    """Instructions for the copy, step by step."""
    _ = reader.wording.text
    record = reader.ruleset.record
    yield _(N_("Write your orders on the sheet {sheet}, one a row; the lists offer what may be ordered now."),
            sheet=sheet_title(record(Order.sheet), reader.book_lang))
    if open_questions(reader, {}):
        yield _(N_("Answer on the sheet {sheet}."), sheet=sheet_title(record(Question.sheet), reader.book_lang))
    for form in battles:
        titles = (sheet_title(sheet, reader.book_lang) for sheet in (record(Question.sheet), *form.sheets))
        yield _(N_("When {battle} is fought, fill in its result on {sheets}."), battle=Verbatim(form.battle.battle),
                sheets=Verbatim(", ".join(titles)))
    yield _(N_("Save the file as .xlsx and send it back by {deadline}."), deadline=by) if by else _(
        N_("Save the file as .xlsx and send it back."))
    yield _(N_("Only the light yellow cells count; whoever has this file and its code orders in your name."))


# --- what is left to spend -----------------------------------------------------------------------------------
def purse_of(ruleset: Ruleset, view: Campaign, faction: str, words: Wording) -> FormPurse | None:
    """What a faction's orders are paid from; None if the unit of a row pays, or the rules compute each price."""
    book = as_order_book(ruleset.verbs)
    phase = next((ahead for ahead in ruleset.phases_left(view) if ahead.orders), None)
    prices = list(_prices(book, ruleset, view))
    if book.purse is None or phase is None or not prices:
        return None
    board = phase.board(ruleset.game(view.copy(), phase.id))
    row = view.table(Order).record(faction=faction)
    # where another pays, what is left there is none of the faction's business
    if book.purse.whose(board, Request(row, "")) != faction:
        return None
    numbers = {number.key: number.unit for number in ruleset.numbers if isinstance(number, Number)}
    units_of = [numbers[number] for verb in book.values() for number in _price_keys(verb).values() if number in numbers]
    return FormPurse(book.purse.left(board, faction), words.text(units_of[0], n=2) if units_of else "", prices)


def _chest_purses(ruleset: Ruleset, view: Campaign, faction: str, words: Wording) -> Iterator[FormPurse]:
    """The purses that the phases to come declare for a faction's orders."""
    book = as_order_book(ruleset.verbs)
    for phase in ruleset.phases_left(view):
        if phase.chests is None:
            continue
        for chest in phase.chests(phase.board(ruleset.game(view.copy(), phase.id)), faction):
            prices = [FormPrice(_verb_words(book[spent.verb]), spent.each, spent.times, where=spent.where,
                                letters=spent.letters) for spent in chest.spent]
            if prices:
                yield FormPurse(chest.have, words.text(chest.unit, n=chest.have), prices, chest.of, chest.parts)


def _verb_words(verb: Verb) -> tuple[str, ...]:
    return tuple(dict.fromkeys((verb.en, verb.it, *verb.also)))


def _prices(book: OrderBook, ruleset: Ruleset, view: Campaign) -> Iterator[FormPrice]:
    """The prices of verbs that may still be ordered, if they are a number times a column."""
    times = {phase.takes or phase.orders for phase in ruleset.phases_left(view) if phase.orders}
    rules = ruleset.rules(view)
    for verb in book.values():
        cost = verb.cost
        if cost is None or cost.reckoned is not None or verb.deed is None or not times & set(verb.when):
            continue
        called = _verb_words(verb)
        alike: dict[int, list[str]] = {}
        for option, number in _price_keys(verb).items():
            words = (option, verb.kinds["option"].words[option]) if option else ()
            alike.setdefault(int(rules[number]) if number else 1, []).extend(words)
        yield from (FormPrice(called, each, cost.times, tuple(dict.fromkeys(words))) for each, words in alike.items())


def _price_keys(verb: Verb) -> dict[str, str]:
    """Option -> key of the number that is a verb's price; the option is "" if the price does not depend on it."""
    number = verb.cost.number if verb.cost is not None else ""
    options = verb.kinds["option"].words if "{option}" in number else {"": ""}
    return {option: number.format(option=option) for option in options} if verb.cost is not None else {}


# The order block of a mail: writing it, and finding it again in an answer.
#
# The block is between two marker lines (`assistant.turn.orders.words`), in either language. We only write comments
# into it, so that it orders nothing until somebody removes a ``#`` or adds a line.


_NO_LETTERS = re.compile(r"[\W_]+")
_TURN = re.compile(r"^[#;]\s*(?:Code|Codice) ARB\S+, (?:turn|turno) (\S+?)\.?$", re.IGNORECASE)


def _letters_only(text: str) -> str:
    return _NO_LETTERS.sub("", text).upper()


_BEGINS = frozenset(_letters_only(first) for first, _ in MARKS.values())
_ENDS = frozenset(_letters_only(last) for _, last in MARKS.values())


def order_block(template: Sequence[str], words: Wording, code: str, turn: str) -> tuple[str, ...]:
    """The lines of a mail's order block: those of the template, with the club's code and the turn after the first
    marker. () for a club that has nothing to order or answer.
    """
    if not template:
        return ()
    told = "# " + words.text(N_("Code {code}, turn {turn}"), code=Verbatim(code), turn=Verbatim(turn))
    return (template[0], told, *template[1:])


@dataclass(frozen=True)
class Blocks:
    """The lines of a mail inside and outside of order blocks. `filled`: of each block the lines that are no comments,
    without empty blocks; `outside`: all other lines with their position; `turns`: the turns that blocks name.
    """

    filled: tuple[tuple[MailLine, ...], ...]
    outside: tuple[tuple[int, MailLine], ...]
    turns: tuple[str, ...] = ()


def blocks_of(lines: Iterable[MailLine]) -> Blocks:
    """The order blocks in the lines of a mail, quoted or not. A block without its end marker ends with its quote."""
    filled, outside, turns = list[tuple[MailLine, ...]](), list[tuple[int, MailLine]](), list[str]()
    now: list[MailLine] | None = None
    depth = 0
    for place, line in enumerate(lines):
        # a long line that merely mentions the marker is a sentence of somebody's
        mark = _letters_only(line.text) if "ARBITRO" in line.text.upper() and len(line.text) < 80 else ""
        if now is not None and line.depth < depth - 1:  # a line added to a quoted block is at most one level out
            filled, now = [*filled, tuple(now)], None
        if mark in _BEGINS:
            filled += [tuple(now)] if now else []
            now, depth = [], line.depth
        elif mark in _ENDS:
            filled += [tuple(now)] if now else []
            now = None
        elif now is None:
            outside.append((place, line))
        elif is_remark(line.text):
            turns += [match[1]] if (match := _TURN.match(line.text)) else []
        else:
            now.append(line)
    filled += [tuple(now)] if now else []
    return Blocks(tuple(block for block in filled if block), tuple(outside), tuple(dict.fromkeys(turns)))


# Which lines of a mail count as orders.
#
# The filled block counts; without one, the club's own lines; without these, its lines in a quote or below a signature.
# Text of ours that came back unchanged never counts. Where two different things might count, the referee is asked.


_ATTRIBUTION = re.compile(
    r"(?:On|Il giorno|Il|Le|Am)\b.{0,300}\b(?:wrote|ha scritto|a écrit|schrieb)\s*:?|"
    r".{0,200}\b(?:ha scritto|wrote)\s*:", re.IGNORECASE)
_RULED = re.compile(r"[-_=*\s]{5,}|[-_\s]*(?:original message|messaggio originale|forwarded message|"
                    r"messaggio inoltrato|begin forwarded message|inizio messaggio (?:inoltrato|reindirizzato))"
                    r"[-_:\s]*", re.IGNORECASE)
_HEADER = re.compile(r"(?P<name>from|da|sent|inviato|date|data|to|a|cc|subject|oggetto|reply-to|rispondi a|"
                     r"importance|priorità)\s*:\s.*", re.IGNORECASE)
_DEVICE = re.compile(r"(?:sent from|inviato da|sent with|inviato con|get outlook for|scarica outlook|ottieni outlook)\b"
                     r".{0,80}", re.IGNORECASE)
_SIGNATURE = frozenset(("--", "-- ", "-", "___"))
_FEWEST_HEADERS = 3
IsOrder = Callable[[str], bool]


@dataclass(frozen=True)
class SiftedLines:
    """What counts in a mail. `lines`: the orders; `listed`: other lines of the club; `doubts`: questions to the
    referee, before whose decision nothing counts; `rivals`: the alternatives to choose from; `turns`: the turns that
    blocks name.
    """

    lines: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    doubts: tuple[DoubtKind, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = field(default=())
    turns: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    """Where some orders are struck out: these and the others."""


class SentTexts:
    """The texts that we sent to a club, to recognize pieces of them however mail programs wrap and quote them."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        lines = [_normalize(line) for text in texts for line in text.splitlines()]
        self._said, self._lines = f" {' '.join(lines)} ", frozenset(lines)

    def holds(self, *lines: str) -> bool:
        """Whether a line, or several consecutive ones, are from our texts."""
        return f" {' '.join(_normalize(line) for line in lines)} " in self._said

    def wrote(self, line: str, above: str, below: str) -> bool:
        """Whether a line that reads like an order is ours: a whole line of ours, or part of one together with the line
        above or below. By itself a fragment does not prove it: the club may have ordered what our example says.
        """
        return _normalize(line) in self._lines or bool(above and self.holds(above, line)) or bool(
            below and self.holds(line, below))


def _normalize(line: str) -> str:
    """A line in lower case with single blanks, without a comment mark at its head."""
    words = plain_characters(line).casefold().split()
    return " ".join(words[1:] if words[:1] in (["#"], [";"]) else words)


@dataclass(frozen=True)
class _MailForm:
    """The content of one form of a mail: of its plain text or of its HTML."""

    blocks: tuple[tuple[str, ...], ...] = ()
    own: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()

    @property
    def all_counting(self) -> frozenset[str]:
        """All lines that might count, to compare the two forms."""
        return frozenset(_normalize(line) for some in (*self.blocks, self.own, self.other) for line in some)


def sift_mail(mail: ReceivedMail, sent: SentTexts, counts: IsOrder) -> SiftedLines:
    """The lines of a mail that count. `sent`: our texts to its club; `counts`: whether a line is an order or answer."""
    counts = cache(counts)  # one line may be asked about in several forms
    if mail.kind != "person":
        return SiftedLines()
    texts = [line for part in mail.words for line in _text_of(part)]
    pages = [line for part in mail.words for line in (part.text if _is_blank(part.html) else part.html) or ()]
    text, page = _read_form(texts, sent, counts), _read_form(pages, sent, counts)
    if text.all_counting != page.all_counting:  # one of them may have broken what is one line in the other
        text, page = (_read_form(_unwrap(lines, twin, counts), sent, counts)
                      for lines, twin in ((texts, pages), (pages, texts)))
    if text.all_counting != page.all_counting:
        return SiftedLines((), page.listed, ("text_and_html",), (_all_lines(text), _all_lines(page)), text.turns)
    if page.struck:
        return SiftedLines((), page.listed, ("struck_out",), (page.struck,), text.turns,
                           _all_lines(page))
    return _choose_lines(text)


_MARKED_UP = re.compile(r"^(?:(?:\d{1,3}|[a-z]|[ivx]{2,5})[.)]|[-*+•·])\s+|[*_]+", re.IGNORECASE)
"""What a program writes into the plain twin of a page for its lists and its bold words."""
_NEEDS_HTML = re.compile(r".*\bhtml\b.*", re.IGNORECASE)
_LONGEST_NOTE = 3
"""Lines of a plain twin that only says that the mail is a page."""


def _text_of(part: TextPart) -> Sequence[MailLine]:
    """The plain lines of a part; where its page has the same line without list numbers and marks of bold, that one. The
    page's own where there are none, or they only say that one needs a program that shows HTML.
    """
    lines = [line for line in part.text or () if line.text]
    if not lines or part.html is None or _is_blank(part.html):
        return (part.html if not lines else part.text) or ()
    if len(lines) <= _LONGEST_NOTE and any(_NEEDS_HTML.fullmatch(line.text) for line in lines):
        return part.html
    shown = {_bare(line.text): line.text for line in part.html}
    return [replace(line, text=shown.get(_bare(line.text), line.text)) for line in part.text or ()]


_MOST_WRAPPED, _WRAPS_AT = 6, 60
"""Into how many lines a program breaks one, and after how many signs at the earliest."""


def _unwrap(lines: Sequence[MailLine], twin: Sequence[MailLine], counts: IsOrder) -> list[MailLine]:
    """The lines of one form of a mail; those that are broken elsewhere in its twin, or not at all, in one."""
    # compared without marks and list numbers, since only one of the two forms has them
    shown = {_bare(_in_one(some).text) for place in range(len(twin)) for some in _stretches(twin, place, counts)}
    whole, place = list[MailLine](), 0
    while place < len(lines):
        some = next((some for some in _stretches(lines, place, counts) if _bare(_in_one(some).text) in shown),
                    lines[place:place + 1])
        whole.append(_in_one(some))
        place += len(some)
    return whole


def _stretches(lines: Sequence[MailLine], place: int, counts: IsOrder) -> Iterator[Sequence[MailLine]]:
    """The line at a place, then it with those below it, as far as a program may have broken one into them: lines that
    are full, or of which none is an order by itself.
    """
    for end in range(place + 1, min(place + _MOST_WRAPPED, len(lines)) + 1):
        some = lines[place:end]
        if end - place > 1 and not (some[-1].text and (some[-1].depth, some[-1].nested) == (
                some[0].depth, some[0].nested)):
            return
        full = all(len(f"{one.text} {below.text.split()[0]}") > _WRAPS_AT for one, below in pairwise(some))
        if full or not (is_remark(some[0].text) or any(counts(one.text) for one in some)):
            yield some
        if not some[0].text:
            return


def _in_one(lines: Sequence[MailLine]) -> MailLine:
    return replace(lines[0], text=" ".join(line.text for line in lines), struck=any(line.struck for line in lines))


def _bare(line: str) -> str:
    return " ".join(_MARKED_UP.sub("", line).split())


def _is_blank(lines: Sequence[MailLine] | None) -> bool:
    return not any(line.text for line in lines or ())


def _all_lines(half: _MailForm) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for some in (*half.blocks, half.own, half.other) for line in some))


def _choose_lines(half: _MailForm) -> SiftedLines:
    """The filled block, else the club's own lines, else its lines elsewhere; or a doubt."""
    blocks = list({tuple(map(_normalize, block)): block for block in half.blocks}.values())
    # two blocks that say the same are one: answers often quote their own block below
    if len(blocks) > 1:
        return SiftedLines((), half.listed, ("two_blocks",), tuple(blocks), half.turns)
    chosen = blocks[0] if blocks else half.own or half.other
    counted = {_normalize(line) for line in chosen}
    if blocks and not {_normalize(line) for line in half.own} <= counted:
        return SiftedLines((), half.listed, ("block_and_lines",), (blocks[0], half.own), half.turns)
    rest = () if chosen is half.other else tuple(line for line in half.other if _normalize(line) not in counted)
    return SiftedLines(chosen, half.listed + rest, (), (), half.turns)


# --- the lines of one form --------------------------------------------------------------------------------
def _read_form(lines: Sequence[MailLine], sent: SentTexts, counts: IsOrder) -> _MailForm:
    parts = blocks_of(lines)
    blocks = tuple(kept for block in parts.filled if (kept := _block_lines(block, sent, counts)))
    own, other, listed = list[str](), list[str](), list[str]()
    struck = [line.text for block in parts.filled for line in block if line.struck]
    placed = list(_locate_lines(parts.outside))
    texts = ["", *(line.text for _, line in placed), ""]
    for number, (place, line) in enumerate(placed):
        # an order of ours (an example, or one already taken) that is quoted below was not given by the club
        if is_remark(line.text) or (place != "own" and sent.wrote(line.text, texts[number], texts[number + 2])):
            continue
        if order := _order_in(line.text, counts):
            (own if place == "own" else other).append(order)
            # who strikes a line through may mean to delete it or to mark it: the referee is asked
            struck += [line.text] if line.struck else []
        elif place != "quiet" and not sent.holds(line.text):
            listed.append(line.text)
    return _MailForm(blocks, tuple(own), tuple(other), tuple(listed), tuple(struck), parts.turns)


def _block_lines(lines: Iterable[MailLine], sent: SentTexts, counts: IsOrder) -> tuple[str, ...]:
    """The lines of a filled block, without the wrapped ends of our own comments."""
    orders = ((line.text, _order_in(line.text, counts)) for line in lines)
    return tuple(order or text for text, order in orders if order or not sent.holds(text))


def _order_in(line: str, counts: IsOrder) -> str:
    """The order in a line, also after a list mark; "" for none."""
    bare = strip_marks(line)
    return bare if counts(bare) else ""


def _locate_lines(lines: Sequence[tuple[int, MailLine]]) -> Iterator[tuple[str, MailLine]]:
    """Each line with its place: ``own``; ``elsewhere``: in a quote or an attached or forwarded mail; ``quiet``:
    signatures and what mail programs insert. Nothing is dropped just because it follows what looks like a header.
    """
    plain = [line for _, line in lines]
    below, signed = False, False
    headers = _header_lines(plain)
    for number, line in enumerate(plain):
        quoted = line.depth > 0 or line.nested
        if not line.text:
            continue
        if number in headers or _RULED.fullmatch(line.text) or _begins_quote(plain, number):
            below, signed = below or number in headers or bool(_RULED.fullmatch(line.text)), False
            yield "quiet", line
        elif quoted:
            signed = False
            yield "elsewhere", line
        elif line.text in _SIGNATURE and not below:
            signed = True
        elif _DEVICE.fullmatch(line.text):
            yield "quiet", line
        elif signed:
            yield "quiet", line  # a signature; an order in it is still one
        else:
            yield ("elsewhere" if below else "own"), line


def _begins_quote(lines: Sequence[MailLine], number: int) -> bool:
    """Whether a line, alone or joined with a neighbour, is an attribution such as ``On … X wrote:``."""
    line = lines[number].text
    after = lines[number + 1].text if number + 1 < len(lines) else ""
    before = lines[number - 1].text if number else ""
    sentences = [line, *(f"{begun} {other}" for begun, other in ((line, after), (before, line))
                    if begun.casefold().startswith(("on ", "il ")))]
    return any(_ATTRIBUTION.fullmatch(sentence) for sentence in sentences)


def _header_lines(lines: Sequence[MailLine]) -> set[int]:
    """The lines of a mail header above a quote: at least three in a row with different names."""
    headers, run, names = set[int](), list[int](), set[str]()
    for number, line in enumerate([*lines, MailLine("")]):
        match = _HEADER.fullmatch(line.text.lstrip("*_ ").replace("*", ""))
        if match:
            run.append(number)
            names.add(match["name"].casefold())
            continue
        if len(names) >= _FEWEST_HEADERS:
            headers |= set(run)
        if line.text or len(lines) == number:
            run, names = [], set()
    return headers
