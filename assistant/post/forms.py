"""What a club's copy says: a faction and its view in; its form, with what it may order and has to spend, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.reporting.duties import asked, next_orders
from assistant.reporting.reader import Reader
from assistant.reporting.template import units
from assistant.turn.battle_form.club_form import ClubForm, open_forms
from assistant.turn.numbers import Number
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import OrderBook, Verb, book_of
from assistant.turn.ruleset import Ruleset
from assistant.turn.steps import Phase
from assistant.wording import N_, Verbatim, Wording
from assistant.workbook.copies.club_copy import Form
from assistant.workbook.copies.spending import Price, Purse
from assistant.workbook.layout import sheet_title
from assistant.workbook.port import DeskLines


def form_of(ruleset: Ruleset, view: Campaign, faction: str, words: Wording, token: str, where: str,
            by: str = "") -> Form:
    """The form of a faction, "" for everybody's copy. `view`: what it may know; `words`: in its language; `where`:
    where the campaign stands, in these words; `by`: until when its orders are due, as they are told.
    """
    reader = Reader.of(ruleset, view, faction, words)
    if not faction:
        lines = DeskLines(where, (), (words.text(READ_ONLY),), (words.text(TOLD),))
        return Form("", words.text(N_("for everybody")), "", lines)
    phases = [phase.orders for phase in _to_come(ruleset, view) if phase.orders]
    offers = {"verb": _offered(ruleset, view, faction, words), "phase": list(dict.fromkeys(phases)),
              "unit": [row.ident for row in units(reader)]}
    battles = open_forms(ruleset, view, faction)
    lines = DeskLines(where, ((faction, _owed(reader, battles)),), tuple(_steps(reader, battles, by)),
                      (words.text(TOLD),))
    purses = [*filter(None, (purse_of(ruleset, view, faction, words),)), *_chests(ruleset, view, faction, words)]
    return Form(faction, reader.faction_name(faction), token, lines, offers, tuple(purses), tuple(battles))


def _offered(ruleset: Ruleset, view: Campaign, faction: str, words: Wording) -> list[str]:
    """The verbs of the phase that takes orders next, then those that the turn takes later."""
    cards = ruleset.order_cards(view, words.lang, words.text, faction, now=True, brief=True)
    first = next((phase.takes or phase.orders for phase in _to_come(ruleset, view) if phase.orders), "")
    soon = {word for verb in book_of(ruleset.verbs).values() if first in verb.when for word in (verb.en, verb.it)}
    return sorted((card.verb for card in cards), key=lambda verb: verb not in soon)


READ_ONLY = N_("This workbook is only to be read: what everybody may know.")
TOLD = N_("What has happened stands in the report and on the sheet of events.")


def _owed(reader: Reader, battles: Sequence[ClubForm]) -> str:
    """What the faction owes, in a line, and on which battles it may report and has not begun to."""
    _ = reader.wording
    questions = len(asked(reader, {}))
    said = [_.plural(N_("One question waits for your answer"), N_("{n} questions wait for your answer"), questions)
            ] if questions else []
    word, moment = next_orders(reader)
    said += [_.text(N_("Orders for {moment}"), moment=moment)] if word else []
    said += [_.text(N_("Your report on {battle}"), battle=Verbatim(one.battle.battle)) for one in battles
             if not one.begun]
    return "; ".join(said) or _.text(N_("nothing"))


def _steps(reader: Reader, battles: Sequence[ClubForm], by: str) -> Iterator[str]:
    """What to do with the copy, step by step."""
    _ = reader.wording.text
    record = reader.ruleset.record
    yield _(N_("Write your orders on the sheet {sheet}, one a row; the lists offer what may be ordered now."),
            sheet=sheet_title(record(Order.sheet), reader.book_lang))
    if asked(reader, {}):
        yield _(N_("Answer on the sheet {sheet}."), sheet=sheet_title(record(Question.sheet), reader.book_lang))
    for one in battles:
        titles = (sheet_title(sheet, reader.book_lang) for sheet in (record(Question.sheet), *one.sheets))
        yield _(N_("When {battle} is fought, fill in its result on {sheets}."), battle=Verbatim(one.battle.battle),
                sheets=Verbatim(", ".join(titles)))
    yield _(N_("Save the file and send it back by {deadline}."), deadline=by) if by else _(
        N_("Save the file and send it back."))
    yield _(N_("Only the light yellow cells count; whoever has this file and its code orders in your name."))


# --- what is left to spend -----------------------------------------------------------------------------------
def purse_of(ruleset: Ruleset, view: Campaign, faction: str, words: Wording) -> Purse | None:
    """What a faction's orders are paid from; None where a row's unit pays, or the book reckons each price itself."""
    book = book_of(ruleset.verbs)
    phase = next((one for one in _to_come(ruleset, view) if one.orders), None)
    prices = list(_prices(book, ruleset, view))
    if book.purse is None or phase is None or not prices:
        return None
    board = phase.board(ruleset.game(view.copy(), phase.id))
    row = view.table(Order).record(faction=faction)
    if book.purse.whose(board, Request(row, "")) != faction:
        return None
    numbers = {one.key: one.unit for one in ruleset.numbers if isinstance(one, Number)}
    units_of = [numbers[number] for verb in book.values() for number in _numbers(verb).values() if number in numbers]
    return Purse(book.purse.left(board, faction), words.text(units_of[0]) if units_of else "", prices)


def _chests(ruleset: Ruleset, view: Campaign, faction: str, words: Wording) -> Iterator[Purse]:
    """What the phases to come declare that a faction's orders are paid from."""
    book = book_of(ruleset.verbs)
    for phase in _to_come(ruleset, view):
        if phase.chests is None:
            continue
        for chest in phase.chests(phase.board(ruleset.game(view.copy(), phase.id)), faction):
            prices = [Price(_called(book[one.verb]), one.each, one.times, where=one.where, letters=one.letters)
                      for one in chest.spent]
            if prices:
                yield Purse(chest.have, words.text(chest.unit, n=chest.have), prices, chest.of, chest.parts)


def _called(verb: Verb) -> tuple[str, ...]:
    return tuple(dict.fromkeys((verb.en, verb.it, *verb.also)))


def _prices(book: OrderBook, ruleset: Ruleset, view: Campaign) -> Iterator[Price]:
    """What the verbs cost that may still be ordered, as far as it is a number times a column."""
    times = {phase.takes or phase.orders for phase in _to_come(ruleset, view) if phase.orders}
    rules = ruleset.rules(view)
    for verb in book.values():
        cost = verb.cost
        if cost is None or cost.reckoned is not None or verb.deed is None or not times & set(verb.when):
            continue
        called = _called(verb)
        alike: dict[int, list[str]] = {}
        for option, number in _numbers(verb).items():
            words = (option, verb.kinds["option"].words[option]) if option else ()
            alike.setdefault(int(rules[number]) if number else 1, []).extend(words)
        yield from (Price(called, each, cost.times, tuple(dict.fromkeys(words))) for each, words in alike.items())


def _numbers(verb: Verb) -> dict[str, str]:
    """The keys of the numbers that say what a verb costs, by the option where it depends on that."""
    number = verb.cost.number if verb.cost is not None else ""
    options = verb.kinds["option"].words if "{option}" in number else {"": ""}
    return {option: number.format(option=option) for option in options} if verb.cost is not None else {}


def _to_come(ruleset: Ruleset, view: Campaign) -> list[Phase]:
    ids, now = list(ruleset.phase_ids(view)), view.desk.phase
    return [ruleset.phase(name) for name in ids[ids.index(now):]] if now in ids else []
