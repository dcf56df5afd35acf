"""A line in a book that calls rows as people do: ``MUOVI A-MIL verso Oxford``, ``PROMETTI 12 a M-WE1 con A-ROB``.

In go its words, out come the fields of the order. Codes and names of rows go to the column that takes such rows, or
where the word before them says, or in turn; any other word to the first column in which it may stand (`Kind.piece`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.record import Record
from assistant.campaign.records import names_held
from assistant.turn.findings import nearest
from assistant.turn.orders.columns import Kind
from assistant.turn.orders.named import NewCode, Route
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.orders.words import fold

LEAD_IN = {**dict.fromkeys(("con", "with", "by"), "with"), **dict.fromkeys(("da", "dal", "dalla", "from"), "from"),
           **dict.fromkeys(("a", "ad", "al", "alla", "to", "into", "at"), "to")}
"""What the words before a row say of it; after `with` comes the unit."""
TOWARDS = ("verso", "towards", "toward")
LONGEST = 5
"""Words of the longest name."""
DIGITS = 9


@dataclass
class _Line:
    """One line as far as it is read."""

    book: OrderBook
    verb: Verb
    campaign: Campaign
    fields: dict[str, str]

    @cached_property
    def known(self) -> dict[str, tuple[str, type[Record] | None]]:
        """What may be named: names, then codes -> the row's code and its table; a name that two rows of one table have
        stays as it is, for the column to say so.
        """
        tables = dict.fromkeys(record for verb in self.book.values() for kind in verb.kinds.values()
                               for record in kind.tables())
        rows = [(row, record) for record in tables for row in self.campaign.by_sheet(record.sheet)]
        named: dict[str, tuple[str, type[Record] | None]] = {}
        for row, record in rows:
            for name in names_held(row):
                ident, other = named.get(name, (row.ident, record))
                named[name] = (row.ident if other is not record or ident == row.ident else name, record)
        return named | {row.ident: (row.ident, record) for row, record in rows if row.ident}

    @cached_property
    def folded(self) -> dict[str, tuple[str, type[Record] | None]]:
        """The same by folded words."""
        return {fold(name): meant for name, meant in self.known.items()}

    def on_its_way(self) -> Route | None:
        """The column of the unit's way, if that may come next."""
        way = self.verb.kinds.get("path")
        return way if isinstance(way, Route) and "unit" in self.fields and "path" not in self.fields else None

    def add(self, name: str, said: str) -> int:
        """Write into a column, behind what stands there."""
        self.fields[name] = f"{self.fields.get(name, '')} {said}".strip()
        return 1

    def row(self, words: list[str], lead_in: str) -> int:
        """A row at the beginning of the words; how many words it took."""
        kinds = self.verb.kinds
        men, target = kinds.get("men", Kind()), kinds.get("target", Kind())
        for count in range(min(LONGEST, len(words)), 0, -1):
            phrase = " ".join(words[:count])
            ident, record = self.folded.get(fold(phrase), ("", None))
            if not ident and count == 1 and re.fullmatch(self.book.shapes.unit, phrase) and not (
                    "unit" in self.fields and ("target" in self.fields or "path" in kinds)):
                ident = phrase  # one that is not there yet, or is misspelt: the check will say
            takers = [name for name in ("unit", "target", "choice") if name in kinds and record in kinds[name].tables()]
            if men.piece(phrase) and not any(name in takers and name not in self.fields and not isinstance(
                    kinds[name], NewCode) for name in ("unit", "target")):
                ident, takers = (ident, ["target"]) if men.piece(target.like) else ("", [])
            if ident:
                self._put(ident, lead_in, takers)
                return count
        return 0

    def _put(self, ident: str, lead_in: str, takers: list[str]) -> None:
        """Give a row its column. Raises `Refused` where there is none left."""
        kinds, fields = self.verb.kinds, self.fields
        if lead_in and lead_in in ("with", kinds["unit"].lead_in):
            if "unit" in fields:
                fields.setdefault("target", fields["unit"])
            fields["unit"] = ident
            return
        turns = ["target", "unit"] if lead_in and self.verb.columns[1:2] == ("target",) else ["unit", "target"]
        free = [name for name in [*(takers if len(takers) == 1 else []), *turns] if name not in fields]
        if not free and not ("choice" in kinds and kinds["choice"].takes("unit")):
            raise self.astray(ident)
        self.add(free[0] if free else "choice", ident)

    def piece(self, word: str) -> int:
        """A word that a column takes, a number only where nothing else does; whether there is one."""
        columns = [*self.verb.kinds.items(), *self.book.anywhere.items()]
        for name, kind in sorted(columns, key=lambda column: column[1].takes("number")):
            said = kind.piece(word)
            if said and not (name in self.fields and kind.takes("number")):
                return self.add(name, said)
        return 0

    def astray(self, word: str) -> Refused:
        """A word that has no place in the order."""
        return Refused("no_such_place", "text", word=word, near=nearest(word, self.known))


def _place(way: Route, campaign: Campaign, words: list[str]) -> int:
    """How many words name one far place: ``Oxford NE2 attack`` has two, and a word about what to do there."""
    return next((count for count in range(len(words), 0, -1) if way.is_rest(campaign, " ".join(words[:count]))), 0)


def read_words(book: OrderBook, campaign: Campaign, text: str) -> dict[str, Any]:
    """The fields of the order, {} for a line without a verb. Raises `Refused` for a word that has no place in it."""
    first, *words = [word.strip(",;:") for word in re.split(r"(?:\s|->|→|>)+", text.strip())]
    verb = book.get(book.code(first))
    if verb is None:
        return {}
    line, lead_in = _Line(book, verb, campaign, {}), ""
    words = [word for word in words if word]
    while words:
        folded, way = fold(words[0]), line.on_its_way()
        if way is not None and (folded in TOWARDS or LEAD_IN.get(folded) == "to"):
            count = _place(way, campaign, words[1:]) or len(words)
            line.add("path", " ".join(words[1:1 + count]))
            words = words[1 + count:]
            continue
        if folded in LEAD_IN and line.folded.get(folded, ("",))[0] != words[0]:
            lead_in, words = LEAD_IN[folded], words[1:]
            continue
        if way is not None and (count := _place(way, campaign, words)):
            line.add("path", " ".join(words[:count]))
            words, lead_in = words[count:], ""
            continue
        used = line.row(words, lead_in) or line.piece(words[0]) or int(folded in book.fillers)
        if not used and "path" in verb.kinds and "unit" in line.fields:
            used = line.add("path", words[0])  # a hex or a place: the check will say that there is none such
        if not used:
            raise line.astray(words[0])
        words, lead_in = words[used:], ""
    fields: dict[str, Any] = {"verb": verb.en, **{name: said for name, said in line.fields.items() if said}}
    amount = line.fields.get("amount", "")
    return {**fields, "amount": int(amount)} if amount.isdecimal() and len(amount) <= DIGITS else fields
