"""Further rows of a battle's form as they are typed in a line: words in, a row out; and a row in, its words out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text
from assistant.campaign.record import Record
from assistant.campaign.records import FormRow
from assistant.turn.answers.answer_kinds import Unfit
from assistant.turn.battle_form.declaration import BattleForm, holds, named, put


def further_row(form: BattleForm[Any], campaign: Campaign, battle: str, text: str, club: str = "") -> FormRow:
    """A row of one of the form's further sheets, its values from left to right: of the sheet whose table has what is
    named, else of the first that can hold it. `club`: who says it, whose codes may be short. Raises `Unfit`.
    """
    found = [row for sheet in form.sheets if (row := _row_of(sheet, campaign, battle, text, club)) is not None]
    if not found:
        raise Unfit
    known = (row for row in found if any(c.key and isinstance(c.kind, Ref) for c in row.columns()))
    return next(known, found[0])


def _row_of(sheet: type[FormRow], campaign: Campaign, battle: str, text: str, club: str) -> FormRow | None:
    row = sheet(battle=battle)
    names = [c.name for c in row.columns() if c.edit != "assistant" and c.name != "battle"]
    left = iter(names)

    def whole(name: str, typed: str) -> str:
        return whole_code(campaign, sheet, name, typed, club)

    for word in text.split():
        name, value = named(row, word)
        if not (name in names and put(row, name, whole(name, value)) if "=" in word else any(
                holds(sheet, one, whole(one, word), campaign) and put(row, one, whole(one, word)) for one in left)):
            return None
    return None if any(not getattr(row, c.name) for c in row.columns() if c.required) else row


def whole_code(campaign: Campaign, sheet: type[FormRow], name: str, typed: str, club: str) -> str:
    """What was typed into a column: where that names somebody, as the tables spell the code, also one without the
    club's own in front (``u5`` of SEK is SEK-u5).
    """
    c = sheet.column(name) if name else None
    if c is None or not (isinstance(c.kind, Ref) or (c.key and type(c.kind) is Text)):
        return typed
    sheets = [c.kind.table] if isinstance(c.kind, Ref) else [
        one.sheet for one in campaign.records().values() if one.whose and one.unique and not one.grows]
    for said in (typed, *([f"{club}-{typed}"] if club else [])):
        tables = (campaign.by_sheet(one) for one in sheets)
        code = next((code for table in tables if (code := table.spelled(said)) in table), "")
        if code:
            return code
    return typed


def says(row: Record, name: str) -> bool:
    """Whether something stands in a column."""
    return bool(getattr(row, name) != row.column(name).default)


def says_anything(row: FormRow) -> bool:
    """Whether somebody has filled in a further row, beside its key."""
    return any(says(row, name) for name in row.form())


def shown(row: Record, name: str) -> str:
    """What stands in a column, as it may be typed."""
    return row.column(name).kind.show(getattr(row, name))


def in_words(row: FormRow) -> str:
    """A further row as it may be typed, without its battle."""
    names = [c.name for c in row.columns() if c.edit != "assistant" and c.name != "battle" and says(row, c.name)]
    return " ".join(f"{name}={shown(row, name)}" for name in names)


def told(row: Record, names: Iterable[str], about: str = "") -> dict[str, Any]:
    """What stands in some columns of a row, for a finding that says it in words (`under_headings`)."""
    return {"sheet": row.sheet, "about": about, "said": {name: getattr(row, name) for name in names if says(row, name)}}


def under_headings(record: type[Record], found: Mapping[str, Any], lang: str) -> str:
    """What was `told` of a row of a record: what it is about, and each value behind its heading in a language."""
    columns = [(record.column(name), value) for name, value in found["said"].items()]
    said = ", ".join(f"{c.heading(lang)} {c.word(value, lang)}" for c, value in columns)
    return ": ".join(filter(None, (found["about"], said)))


def headed(row: Record, lang: str) -> str:
    """What people have typed into the columns of a row, each behind its heading."""
    return ", ".join(f"{c.heading(lang)} {c.word(getattr(row, c.name), lang)}" for c in row.columns()
                     if c.edit != "assistant" and not c.key and says(row, c.name))
