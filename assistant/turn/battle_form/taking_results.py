"""Taking the result of a battle: from the form, from the referee's answer, or from what the clubs report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Literal

from assistant.campaign.records import Battle, FormRow, Question
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.answers.asking import Ask
from assistant.turn.battle_form.declaration import BattleForm, C, Clubs, Fault, Filled
from assistant.turn.battle_form.form_rows import told
from assistant.turn.battle_form.halves import (
    NO_PART,
    NOT_READ,
    Halves,
    parts,
    read_half,
    reports_on,
    state,
    undecided,
    unfit,
)
from assistant.turn.findings import Finding, Where
from assistant.turn.game import Game
from assistant.turn.orders.words import meaning

State = Literal["missing", "wrong", "dice", "filled"]
TWICE = "ARB-310"
CONFIRMED = {"confirmed": "confirmed", "confirm": "confirmed", "confermare": "confirmed", "confermato": "confirmed"}
"""Words with which the referee confirms what the clubs report."""


@dataclass(frozen=True)
class Taken(Generic[C]):
    """What came of a form. `state`: nothing is there yet; something is wrong with it, which was said; the umpire's dice
    decide; it is `filled`.
    """

    state: State
    filled: Filled[C]


def confirms(form: BattleForm[Any], answer: str) -> bool:
    """Whether an answer of the referee says that the clubs' reports count."""
    return answer in form.confirmed or bool(meaning(answer, CONFIRMED))


def take_form(game: Game, form: BattleForm[C], ask: Ask, battle: C, row: Battle, clubs: Clubs) -> Taken[C]:
    """Read and check a battle's form. `ask`: the question that waits for it; `row`: the battle's, into which an answer
    in a line or confirmed reports are put.
    """
    answer = game.answered(ask)
    confirmed = confirms(form, answer)
    wrong, origin = False, dict[str, Where]()
    if answer and not confirmed and not form.reported(row):
        line, rows = parts(form, game.campaign, row.battle, answer)
        form.fill(row, line)
        origin = dict(_put_row(game, one, game.row_of(ask).ident) for one in rows)
    if not form.is_dice(row):
        wrong, reported = _reports(game, form, battle, row, clubs, confirmed=confirmed)
        origin |= reported
    filled = Filled(form, battle, row, further_rows(game, form, row.battle))
    if wrong:
        return Taken("wrong", filled)
    if form.is_dice(row):
        return Taken("dice", filled)
    if not form.reported(row) and not confirmed:
        return Taken("missing", filled)
    return Taken("filled" if judge(game, filled, origin) else "wrong", filled)


def judge(game: Game, filled: Filled[C], origin: Mapping[str, Where] = MappingProxyType({})) -> bool:
    """Say what is wrong with a form; whether it can be taken. `origin`: key of a further row -> where it was typed."""
    found = [game.find(fault.code, _where(filled.form, filled.row, fault, origin), **fault.data)
             for fault in filled.form.faults(filled)]
    good = not any(finding.stops for finding in found)
    game.note(_said_twice(filled, origin) if good else ())
    return good


def _said_twice(filled: Filled[C], origin: Mapping[str, Where]) -> Iterator[Finding]:
    """What is said of further rows that say the very same, and all count: perhaps one was typed once too often."""
    alike: dict[str, dict[str, FormRow]] = {}
    for key, row in filled.rows:
        alike.setdefault(str(row.as_text()), {})[key] = row
    for rows in (one for one in alike.values() if len(one) > 1):
        *_, (key, row) = rows.items()
        about = [c.name for c in row.columns() if c.key and c.name != "battle"]
        yield Finding(TWICE, "warning", origin.get(key) or Where(row.sheet, key, about[0]), {
            "text": [told(row, about)], "n": len(rows), "battle": row.battle})


def further_rows(game: Game, form: BattleForm[C], battle: str) -> list[tuple[str, FormRow]]:
    """The form's further rows with their keys, in the order of the sheet."""
    return _rows_on(game, (form.rows,) if form.rows is not None else (), battle)


def _rows_on(game: Game, sheets: Iterable[type[FormRow]], battle: str) -> list[tuple[str, FormRow]]:
    return [(key, one) for sheet in sheets for key, one in game.campaign.table(sheet).in_file_order()
            if one.battle == battle]


def _where(form: BattleForm[C], row: Battle, fault: Fault, origin: Mapping[str, Where]) -> Where:
    if not fault.row or form.rows is None:
        return Where(Battle.sheet, row.battle, fault.column)
    return origin.get(fault.row) or Where(fault.sheet or form.rows.sheet, fault.row, fault.column)


def _reports(game: Game, form: BattleForm[C], battle: C, row: Battle, clubs: Clubs, *,
             confirmed: bool) -> tuple[bool, dict[str, Where]]:
    """What the clubs report: put into the form where it is confirmed, else said.

    Whether something keeps it from counting, and of rows that were put into the form where they come from.
    """
    halves = Halves(form, battle, row, [])
    for question in reports_on(game.campaign, form.question, row.battle):
        side = next((side for side, codes in clubs.items() if question.to in codes), "")
        game.heard.add(question.ident)
        try:
            if not side:
                game.note([unfit(NO_PART, question, row.battle)])
            else:
                halves.halves.append(read_half(form, game.campaign, question, side))
        except Unfit:
            game.note([unfit(NOT_READ, question, row.battle)])
    if not halves.halves:
        return False, {}
    if not confirmed:
        game.note(() if form.reported(row) else state(halves, clubs))
        return False, {}
    open_still = undecided(halves)
    game.note(open_still)
    return (True, {}) if open_still else (False, _put_in(game, form, row, halves))


def _put_in(game: Game, form: BattleForm[C], row: Battle, halves: Halves[C]) -> dict[str, Where]:
    """Put confirmed reports into the form; of further rows: key -> the answer that they come from."""
    for entry in form.entries:
        value = halves.counting(entry)
        if value is not None:
            setattr(row, entry.name, value)
    if any(form.is_dice(half.row) for half in halves.halves) and not form.reported(row):
        setattr(row, *form.dice)
    return dict(_put_row(game, one, half.question.ident) for half, one in list(
        halves.counting_rows([one for _, one in _rows_on(game, form.sheets, row.battle)])))


def _put_row(game: Game, one: FormRow, question: str) -> tuple[str, Where]:
    """Put a further row into its sheet, or into the one that was handed out: its key, and the answer it comes from."""
    table = game.campaign.table(type(one))
    there = table.get(one.ident) if one.unique else None
    if there is not None:
        for name in one.form():
            setattr(there, name, getattr(one, name))
        return there.ident, Where(Question.sheet, question, "answer")
    before = set(table.keys_in_file_order())
    table.add(one.copy())
    (key,) = set(table.keys_in_file_order()) - before
    return key, Where(Question.sheet, question, "answer")


__all__ = ["CONFIRMED", "Taken", "confirms", "further_rows", "judge", "take_form"]
