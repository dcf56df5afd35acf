"""What a club says beside its orders: ``wait``, ``ready``, orders that stand until changed; rows of Questions out.

``wait`` asks the referee to wait for more of this club; ``ready`` says that no more comes, also where it orders
nothing. Orders that stand are carried out in each phase for which the club has sent none.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.turn.answers.until_changed import ORDERS, TAKEN_BACK, answer_of, standing, without_until
from assistant.turn.orders.reading import read_text
from assistant.turn.orders.verbs import book_of
from assistant.turn.ruleset import Ruleset

READY = "ready"
"""The kind of the row in which a club says whether it is ready."""
WAIT = "wait"
_SAID = {"wait": WAIT, "aspetta": WAIT, "aspettate": WAIT, "attendi": WAIT, "attendere": WAIT,
         "ready": READY, "pronto": READY, "pronta": READY, "pronti": READY}
_ORDERS_WORDS = ("orders", "ordini")
_BETWEEN = "; "
STANDING_MARK = "-standing-"
"""What stands in the numbers of orders that were made of standing ones."""


def says(words: str) -> str:
    """``wait`` or ``ready`` where a line says nothing but that, in either language; else ""."""
    return _SAID.get(words.strip().rstrip(".!").casefold(), "")


def standing_order(words: str) -> str | None:
    """What an order says that shall stand, ``-`` where all are taken back; None for any line without ``until changed``.
    """
    plain, until = without_until(words)
    first, _, rest = plain.partition(" ")
    if first.casefold() in _ORDERS_WORDS:
        plain = rest.strip()
    return plain if until and plain else None


def row_of_words(words: str, record: type[Question], faction: str, when: tuple[str, str]) -> Question | None:
    """The row of a line that says ``wait``, ``ready`` or an order that shall stand; None for any other line.

    `when`: turn and phase of which the first two are said.
    """
    if said := says(words):
        turn, phase = when
        return record(question=record.named(turn, phase, READY, faction, ""), turn=turn, phase=phase, kind=READY,
                      to=faction, answer=said)
    line = standing_order(words)
    return None if line is None else record(question=record.standing_named(ORDERS, faction, ""), kind=ORDERS,
                                            to=faction, answer=line)


def with_line(said: str, line: str) -> str:
    """The standing orders of a club with one more; `line`: ``-`` takes all of them back."""
    if line == TAKEN_BACK or said in ("", TAKEN_BACK):
        return line
    known = said.split(_BETWEEN)
    return said if line in known else _BETWEEN.join([*known, line])


def said_in_phase(campaign: Campaign) -> dict[str, str]:
    """What clubs have said of the present phase: faction -> ``wait`` or ``ready``."""
    desk = campaign.desk
    rows = campaign.table(Question).of_turn(desk.turn, lambda row: row.kind == READY, parts=(desk.phase,))
    return {row.to: said for row in rows if (said := says(row.answer))}


def standing_lines(campaign: Campaign, faction: str) -> tuple[str, ...]:
    """The standing orders of a faction, a line each."""
    said = next((answer_of(row) for row in standing(campaign) if (row.kind, row.to) == (ORDERS, faction)), "")
    return tuple(line.strip() for line in said.split(";") if line.strip()) if said != TAKEN_BACK else ()


def standing_now(ruleset: Ruleset, campaign: Campaign, faction: str) -> tuple[str, ...]:
    """Those of a faction's standing orders that the present phase reads, or a later one of the turn out of the same
    orders, and those that nobody can read any more: these are refused, and so told. () where it takes no orders.
    """
    word, ids = ruleset.phase(campaign.desk.phase).orders, list(ruleset.phase_ids(campaign))
    if not word:
        return ()
    to_come = [ruleset.phase(one) for one in ids[ids.index(campaign.desk.phase):]]
    book, times = book_of(ruleset.verbs), {one.takes or word for one in to_come if one.orders == word}
    found = []
    for line in standing_lines(campaign, faction):
        verb = book.get(book.code(str(read_text(ruleset.understand, line, campaign, faction).fields.get("verb", ""))))
        if verb is None or times & set(verb.when):
            found.append(line)
    return tuple(found)


def as_orders(ruleset: Ruleset, campaign: Campaign, faction: str, lines: Iterable[str]) -> list[Order]:
    """Rows of Orders of the present phase, one for each standing order."""
    desk, record = campaign.desk, campaign.table(Order).record
    word = ruleset.phase(desk.phase).orders
    return [record(order=f"{desk.turn}-{word}-{faction}{STANDING_MARK}{number}", turn=desk.turn, phase=word,
                   faction=faction, seq=number, text=line) for number, line in enumerate(lines, 1)]
