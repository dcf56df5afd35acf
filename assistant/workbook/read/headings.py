"""Headings: a row of texts in; which column is which field out, in either language, as field name or alias."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from assistant.campaign.columns import Ref
from assistant.campaign.record import Record
from assistant.campaign.records import Order
from assistant.turn.findings import nearest
from assistant.workbook.layout import DERIVED
from assistant.workbook.read.values import plain_text

LIKE, MUCH_LIKE = 0.3, 0.8
"""How much of a heading must be like that of a missing field, from 0 to 1: of any, and of one that may be missing."""


@lru_cache(maxsize=4096)
def folded(heading: str) -> str:
    """A heading without case, accents, underscores, double blanks and closing colon or star."""
    plain = unicodedata.normalize("NFKD", heading.replace("_", " ").rstrip(" :*"))
    return " ".join("".join(ch for ch in plain if not unicodedata.combining(ch)).casefold().split())


@dataclass
class Heads:
    """What a heading row said. `fields`: field -> column index; `twice`: (field, column index, text);
    `unknown`: column index -> text; `exact`: how many headings were known.
    """

    fields: dict[str, int] = field(default_factory=dict)
    twice: list[tuple[str, int, str]] = field(default_factory=list)
    unknown: dict[int, str] = field(default_factory=dict)

    @property
    def known(self) -> int:
        """How many headings were understood."""
        return len(self.fields)


_SCHEMES: dict[type[Record], tuple[dict[str, str], ...]] = {}


def _schemes(record: type[Record]) -> tuple[dict[str, str], ...]:
    """Word -> field: as field names and aliases, English, Italian; then the same three folded."""
    if record in _SCHEMES:
        return _SCHEMES[record]
    names: dict[str, str] = {}
    for c in record.columns():
        names.update(dict.fromkeys((*c.alias, c.name), c.name))
    schemes = [names, {c.en: c.name for c in record.columns()}, {c.it: c.name for c in record.columns()}]
    _SCHEMES[record] = (*schemes, *({folded(k): v for k, v in scheme.items()} for scheme in schemes))
    return _SCHEMES[record]


def _derived_words(record: type[Record]) -> set[str]:
    return {folded(word) for d in DERIVED.get(record.sheet, ()) for word in (d.en, d.it)}


def match(record: type[Record], row: Mapping[int, object]) -> Heads:
    """Match a row of raw values (column index -> value) against a record's headings.

    A word that means two columns (``A`` is a field and an Italian heading) is read in the scheme
    that most of the row's other headings speak.
    """
    texts = {i: text for i, raw in sorted(row.items()) if (text := plain_text(raw))}
    schemes = _schemes(record)
    weight = []
    for number in range(3):
        exact, loose = schemes[number], schemes[number + 3]
        weight.append(sum(2 * (t in exact) + (folded(t) in loose) for t in texts.values()))
    order = sorted(range(3), key=lambda n: -weight[n])
    heads = Heads()
    derived = _derived_words(record)
    for i, text in texts.items():
        name = next((schemes[n][text] for n in order if text in schemes[n]), "") or next(
            (schemes[n + 3][folded(text)] for n in order if folded(text) in schemes[n + 3]), "")
        if not name:
            if folded(text) not in derived:
                heads.unknown[i] = text
        elif name in heads.fields:
            heads.twice.append((name, i, text))
        else:
            heads.fields[name] = i
    if issubclass(record, Order):
        _order_is_verb(heads, texts)
    _second_of_a_pair(record, heads)
    return heads


def _second_of_a_pair(record: type[Record], heads: Heads) -> None:
    """Of rows that join two of a kind, `a` and `b`, both columns may bear the heading of the first."""
    kinds = [c.kind for c in record.columns() if c.name in ("a", "b") and c.key]
    again = [one for one in heads.twice if one[0] == "a"]
    if len(kinds) == 2 and isinstance(kinds[0], Ref) and kinds[0] == kinds[1] and len(again) == 1 and (
            "b" not in heads.fields):
        heads.fields["b"] = again[0][1]
        heads.twice.remove(again[0])


def _order_is_verb(heads: Heads, texts: Mapping[int, str]) -> None:
    """Order over a sheet that has neither verb nor line is what is ordered, as some rulebooks head it; not the key. Of
    two columns of that name the first is the key.
    """
    at = heads.fields.get("order")
    if at is None or texts[at] == "order" or not heads.fields.keys().isdisjoint({"verb", "text"}):
        return
    second = next((one for one in heads.twice if one[0] == "order"), None)
    if second is None:
        heads.fields["verb"] = heads.fields.pop("order")
    else:
        heads.fields["verb"] = second[1]
        heads.twice.remove(second)


def find_row(record: type[Record], rows: Iterable[tuple[int, Mapping[int, object]]]) -> tuple[int, Heads] | None:
    """The row that knows most headings of a record, or None when no row knows two (or all) of them."""
    best: tuple[int, Heads] | None = None
    for number, row in rows:
        heads = match(record, row)
        if heads.known > (best[1].known if best else 0):
            best = (number, heads)
    enough = min(2, len(record.columns()))
    return best if best is not None and best[1].known >= enough else None


def nearest_unknown(record: type[Record], name: str, heads: Heads, least: float = LIKE) -> int | None:
    """The column whose unknown heading looks most like a missing field, or None where none is `least` alike."""
    c = record.column(name)
    for word in (c.it, c.en, c.name, *c.alias):
        near = nearest(folded(word), (folded(t) for t in heads.unknown.values()), least)
        if near:
            return next(i for i, t in heads.unknown.items() if folded(t) == near)
    return None


def expected_place(record: type[Record], name: str, heads: Heads) -> int | None:
    """Where a missing field is expected: beside the fields between which Arbitro puts it, where nothing known
    stands. None where that is not told by them.
    """
    names = [c.name for c in record.columns()]
    at = names.index(name)
    before = heads.fields.get(names[at - 1]) if at else None
    after = heads.fields.get(names[at + 1]) if at + 1 < len(names) else None
    if before is not None and before + 1 in heads.unknown:
        return before + 1
    if after is not None and after - 1 in heads.unknown:
        return after - 1
    return before + 1 if before is not None and after == before + 2 else None
