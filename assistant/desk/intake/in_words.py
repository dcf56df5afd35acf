"""A row that was handed in; out how it was understood, in the words of a language."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Die, Order, Question
from assistant.turn.absence.club_words import READY, WAIT, says
from assistant.turn.battle_form.club_form import report_headed
from assistant.turn.battle_form.form_rows import headed
from assistant.turn.orders.reading import read_text
from assistant.turn.orders.verbs import book_of
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Verbatim, Wording

_OF_CLUB = {READY: N_("ready: no more comes"), WAIT: N_("wait: more is to come")}


def row_words(row: Record, ruleset: Ruleset, wording: Wording, after: Campaign) -> str:
    """A row as it was understood, in these words. `after`: the campaign with the row."""
    if isinstance(row, Order):
        return _order_words(row, ruleset, wording.lang, after)
    if isinstance(row, Question):
        if row.kind == READY and says(row.answer):
            return wording.text(_OF_CLUB[says(row.answer)])
        told = report_headed(ruleset.form, after, row, wording.lang) or row.answer
        said = f"{wording.word(row.kind)} {row.about}: {told}".replace(" :", ":")
        return wording.text(N_("{text}, until it is changed"), text=Verbatim(said)) if row.stands else said
    if isinstance(row, Die):
        return f"{row.dice} = {row.value}"
    return headed(row, wording.lang)


def is_early(row: Record) -> bool:
    """Whether it answers a question for which no phase has stopped yet."""
    return isinstance(row, Question) and not (row.status or row.stands or row.kind == READY)


def _order_words(row: Order, ruleset: Ruleset, lang: str, after: Campaign) -> str:
    """An order: its verb, then what stands in the columns, each with its heading."""
    values: dict[str, Any] = {c.name: getattr(row, c.name) for c in row.columns()}
    if not row.verb and row.text:
        understood = read_text(ruleset.understand, row.text, after, row.faction)
        if understood.problem:
            return row.text
        values.update(understood.fields)
    book = book_of(ruleset.verbs)
    verb = book.get(book.code(str(values["verb"])))
    said = [verb.word(lang) if verb else str(values["verb"])]
    for name, kind in verb.kinds.items() if verb else ():
        if kind.spelled_by() and values[name]:
            meant = kind.understood(after, values[name])
            values[name] = " ".join(meant) if isinstance(meant, list) else meant
    for name, kind in verb.kinds.items() if verb and lang == "it" else ():
        values[name] = kind.words.get(str(kind.read(values[name])), values[name])
    common = {c.name for c in Order.columns()}
    said += [f"{c.heading(lang)} {c.word(values[c.name], lang)}"
             for c in row.columns() if c.name not in common and values[c.name] not in ("", None, c.default)]
    return f"{row.faction}: " + ", ".join(said)
