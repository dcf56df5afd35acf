"""What a club may order now, and a text that it fills in and sends back: its armies, questions, early answers.

Both are made from the club's view and from what the verbs and kinds of question declare. As it stands the text orders
nothing: all its lines are blank or remarks (`assistant.turn.orders.marks`).
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from assistant.campaign.record import Record
from assistant.campaign.records import Army, Node, Question
from assistant.reporting.duties import next_orders, still_open
from assistant.reporting.pages import Listing, Orderable
from assistant.reporting.reader import Reader
from assistant.turn.answers.asking import QuestionType, options_of
from assistant.turn.answers.until_changed import SAID
from assistant.turn.findings import Finding
from assistant.turn.orders.marks import MARKS
from assistant.wording import N_

WIDTH = 70
"""So long is a line at most: mail programs break longer ones, also when they quote them."""
ONE_BY_ONE = 6
"""Of so many options each has a line of its own."""


def orderable(reader: Reader) -> Listing[Orderable]:
    """What the phases to come of this turn take, verb by verb, with the club's own codes."""
    words = reader.wording
    if reader.ruleset.is_over(reader.view):
        return Listing()
    cards = reader.ruleset.order_cards(reader.view, reader.lang, words.text, reader.faction, now=True, brief=True)
    return Listing(tuple(Orderable(card.verb, card.when, card.help, card.example, card.cost) for card in cards), 0,
                   words.text(N_("and {n} more on the orders card")))


def template(reader: Reader, refused: Mapping[str, Finding]) -> tuple[str, ...]:
    """The lines of the text, marks included; () where nothing is to be ordered or answered.

    `refused`: as for `duties.asked`.
    """
    if reader.ruleset.is_over(reader.view):
        return ()
    mine = [q for q in (*still_open(reader, refused), *(q for one, q in reader.ruleset.invited(reader.view)
                                                        if not one.quiet)) if q.to == reader.faction]
    parts = [*_of_units(reader), *(_of_question(reader, q) for q in mine)]
    early = _early(reader)
    if not parts and not early:
        return ()
    first, last = MARKS[reader.lang]
    _ = reader.wording.text
    head = _told(_("{name}: write under these lines, one order or answer a line, and send the text back with its two"
                   " marked lines. A line with # or ; in front does not count.",
                   name=reader.faction_name(reader.faction)))
    lines = [first, *head]
    for part in (*parts, early):
        lines += ["", *part] if part else []
    return (*lines, "", last)


def _told(text: str) -> list[str]:
    """A text as remarks, broken where a mail program will not break it again."""
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False,
                         break_on_hyphens=False)


# --- armies -----------------------------------------------------------------------------------------------
def _of_units(reader: Reader) -> Iterator[list[str]]:
    """Until when orders are for, then each unit with its place; nothing where none are taken this turn."""
    _ = reader.wording.text
    word, moment = next_orders(reader)
    if not word:
        return
    yield _told(_("Orders for {moment}:", moment=moment))
    for row in units(reader):
        name = str(getattr(row, "name", ""))
        called = f"{row.ident} {name}".strip() if name != row.ident else row.ident
        yield _told(f"{called}, {reader.place(str(getattr(row, 'node', '')))}")


def units(reader: Reader) -> list[Record]:
    """The reader's units that stand somewhere: rows of the sheets with places that verbs name in the column Unit, else
    armies (a Fantasy Warriors Unit stands where its Force does).
    """
    sheets = dict.fromkeys(record.sheet for verb in reader.ruleset.verbs.values() if "unit" in verb.kinds
                           for record in verb.kinds["unit"].tables()
                           if not issubclass(record, Node) and any(c.name == "node" for c in record.columns()))
    return [row for sheet in sheets or (Army.sheet,) if reader.view.has(sheet) for row in reader.view.by_sheet(sheet)
            if getattr(row, "faction", "") == reader.faction and getattr(row, "node", "")]


# --- answers ----------------------------------------------------------------------------------------------
def _of_question(reader: Reader, question: Question) -> list[str]:
    """A question with a line for each of its options, or with one where it has many, or none.

    Of an option with a number behind it (``promise:n``) the line has one that may stand there.
    """
    said = [reader.wording.options(re.sub(":n$", ":1", one)) for one in options_of(question)]
    default = reader.wording.options(question.default)
    lines = _told(reader.wording.question(question))
    if len(said) > ONE_BY_ONE:
        lines += _told(reader.wording.text(N_("One of: {options}"), options=", ".join(said)))
        said = [default or said[0]]
    return [*lines, *_answers(reader, question.kind, question.about,
                              said or [default or "?"])]


def _answers(reader: Reader, kind: str, about: str, said: Sequence[str], until: str = "") -> list[str]:
    word = reader.wording.word(kind)
    return [f"#{' '.join(part for part in (word, about, one, until) if part)}" for one in said]


def _early(reader: Reader) -> list[str]:
    """Answers that may come together with the orders: to one question of a kind, or to all until that is changed."""
    asked = reader.ruleset.questions
    kinds = [asked[kind] for kind in _to_come(reader) if kind in asked]
    lines = [line for kind in kinds for line in _answer_ahead(reader, kind)]
    if not lines:
        return []
    return [*_told(reader.wording.text(N_("What may be answered before it is asked, together with the orders; take the"
                                          " # away, and put your own codes and words in:"))), *lines]


def _to_come(reader: Reader) -> list[str]:
    """The kinds of question that the phases to come of this turn may put."""
    ids = list(reader.ruleset.phase_ids(reader.view))
    now = reader.view.desk.phase
    phases = map(reader.ruleset.phase, ids[ids.index(now):] if now in ids else [])
    return list(dict.fromkeys(kind for phase in phases for kind in phase.waits_for))


def _answer_ahead(reader: Reader, kind: QuestionType) -> list[str]:
    """What may be answered, then a line for one case where the book says what that is like, and one for all."""
    if kind.stands is None:
        return []
    words = [reader.wording.options(one) for one in kind.stands.offered(())]
    about = kind.early(reader.view, reader.faction) if kind.early is not None else ""
    return [*_told(f"{reader.wording.word(kind.kind)}: {', '.join(words)}"),
            *(_answers(reader, kind.kind, about, words[:1]) if about else ()),
            *_answers(reader, kind.kind, "", words[:1], SAID[reader.lang])]
