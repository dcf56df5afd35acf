"""A row that was handed in; out how it was understood, in the words of a language."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import Die, Order, Question
from assistant.turn.absence.club_words import READY, WAIT, says
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.battle_form.club_form import is_report
from assistant.turn.battle_form.halves import read_half
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
        told = _report_words(row, ruleset, wording.lang, after) if is_report(ruleset.form, row, row.to) else ""
        said = f"{wording.word(row.kind)} {row.about}: {told or row.answer}".replace(" :", ":")
        return wording.text(N_("{text}, until it is changed"), text=Verbatim(said)) if row.stands else said
    if isinstance(row, Die):
        return f"{row.dice} = {row.value}"
    return _columns_in_words(row, wording.lang)


def _columns_in_words(row: Record, lang: str) -> str:
    """What people have typed into the columns of a row, each behind its heading."""
    names = [c for c in row.columns() if c.edit != "assistant" and not c.key]
    return ", ".join(f"{c.heading(lang)} {c.word(getattr(row, c.name), lang)}"
                     for c in names if getattr(row, c.name) != c.default)


def _report_words(row: Question, ruleset: Ruleset, lang: str, after: Campaign) -> str:
    """What a club reports of a battle: the result, then what befell whom; "" where it is no report."""
    if ruleset.form is None:
        return ""
    try:
        half = read_half(ruleset.form, after, row, "")
    except Unfit:
        return ""
    said = [_columns_in_words(half.row, lang)]
    for one in half.rows:
        keys = [c.word(getattr(one, c.name), lang) for c in one.columns() if c.key and c.name != "battle"]
        said.append(f"{' '.join(filter(None, keys))}: {_columns_in_words(one, lang)}")
    return "; ".join(filter(None, said))


def is_early(row: Record) -> bool:
    """Whether it answers a question that nobody has put yet."""
    return isinstance(row, Question) and not (row.status or row.stands or row.kind == READY)


def _order_words(row: Order, ruleset: Ruleset, lang: str, after: Campaign) -> str:
    """An order: its verb, then what stands in the columns, each with its heading."""
    values: dict[str, Any] = {c.name: getattr(row, c.name) for c in row.columns()}
    if not row.verb and row.text:
        understood = ruleset.understand(row.text, after, row.faction)
        if understood.problem:
            return row.text
        values.update(understood.fields)
    book = book_of(ruleset.verbs)
    verb = book.get(book.code(str(values["verb"])))
    said = [(verb.it if lang == "it" else verb.en) if verb else str(values["verb"])]
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
