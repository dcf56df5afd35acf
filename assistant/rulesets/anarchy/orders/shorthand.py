"""Orders in words: ``MUOVI A-MIL verso Oxford``, ``PROMETTI 12 a M-WE1 con A-ROB`` (rulebook: Orders)."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.words import choice_code
from assistant.rulesets.anarchy.realm.land import Land
from assistant.rulesets.anarchy.realm.references import hex_of
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.shorthand import Understood
from assistant.turn.orders.verbs import OrderBook, Verb
from assistant.turn.orders.words import fold

_WITH, _FROM, _TO = {"con", "with", "by"}, {"da", "dal", "dalla", "from"}, {"a", "ad", "al", "alla", "to", "into", "at"}
_TOWARDS = {"verso", "towards", "toward"}
_FILLERS = {"il", "la", "lo", "the", "di", "of", "in", "e", "and", "via", "->", "→", ":", "punti", "points"}
_NUMBER = re.compile(r"£?(\d+(?:[.,]\d+)?)£?")
_MEN = re.compile(r"[KDSBLP]\d+", re.IGNORECASE)
_FROM_IS_UNIT = ("PAY", "RANSOM", "DETACH")
_TO_IS_UNIT = ("ATTACH",)
DIGITS = 9
_FAR = ("MOVE", "MERCS")
_CHOOSING = ("SUPPLY", "GARRISON", "MOVE")


class _Puzzle(Exception):
    """A word that has no place in the order."""


@dataclass
class _Line:
    order: Verb
    unit: str = ""
    target: str = ""
    node: str = ""
    amount: str = ""
    path: list[str] = field(default_factory=list)
    men: list[str] = field(default_factory=list)
    choice: list[str] = field(default_factory=list)
    note: str = ""

    @property
    def verb(self) -> str:
        """The order word, in English."""
        return self.order.en


def understand(book: OrderBook, campaign: Campaign, text: str) -> Understood:
    """Read one line: the order's fields, or `problem` = the line as it stands."""
    words, verb = _opened(book, text)
    if verb is None:
        return Understood(problem=text.strip())
    line = _Line(verb)
    try:
        _read(Land(campaign), line, words)
    except _Puzzle:
        return Understood(problem=text.strip())
    found: dict[str, Any] = {"verb": line.verb, "unit": line.unit, "target": line.target, "node": line.node,
                             "path": " ".join(line.path), "amount": line.amount, "men": " ".join(line.men),
                             "choice": " ".join(line.choice), "note": line.note}
    if line.amount.isdecimal() and len(line.amount) <= DIGITS:
        found["amount"] = int(line.amount)
    return Understood({name: value for name, value in found.items() if value != ""})


def unknown_word(book: OrderBook, land: Land, text: str) -> tuple[str, str]:
    """The verb in English and the first word of a line that has no place in its order; ("", "") for no order word."""
    words, verb = _opened(book, text)
    try:
        if verb is not None:
            _read(land, _Line(verb), words)
    except _Puzzle as puzzle:
        return verb.en if verb is not None else "", str(puzzle)
    return "", ""


def _opened(book: OrderBook, text: str) -> tuple[list[str], Verb | None]:
    """The words behind the order word, and its verb; None where it is none."""
    words = text.replace("->", " ").replace("→", " ").replace(">", " ").split()
    return words[1:], book.get(book.code(words[0].strip(":"))) if words else None


def _read(land: Land, line: _Line, words: list[str]) -> None:
    names = _names(land)
    role, start = "", 0
    while start < len(words):
        word = words[start].strip(",;:")
        folded = fold(word)
        if not word:
            start += 1
            continue
        if line.verb in _FAR and line.unit and not line.path and (folded in _TOWARDS | _TO):
            line.path = [w.strip(",;:") for w in words[start + 1:]]
            return
        if folded in _WITH | _FROM | _TO and word not in names.values():
            role = "with" if folded in _WITH else "from" if folded in _FROM else "to"
            start += 1
            continue
        if line.verb in _FAR and line.unit and not line.path and _is_place(land, " ".join(words[start:])):
            line.path = words[start:]
            return
        used = _entity(line, names, words[start:], role) or _piece(line, word) or _hex_misspelt(line, word)
        if not used:
            raise _Puzzle(word)
        start, role = start + used, ""


def _hex_misspelt(line: _Line, word: str) -> int:
    """On a march a word that is nothing else is a hex or a place: the check will say that there is none such."""
    if line.verb not in _FAR or not line.unit:
        return 0
    line.path.append(word)
    return 1


def _is_place(land: Land, text: str) -> bool:
    """Whether the rest of a line names one far place and no hex."""
    if re.match(r"\s*(\d|[NS][EWO]?(\s|$))", text, re.IGNORECASE):
        return False
    try:
        return bool(hex_of(land, text, "path"))
    except Refused:
        return False


def _names(land: Land) -> dict[str, str]:
    """What may be named: folded id or name -> id."""
    rows: list[Any] = [*land.armies, *land.convoys, *land.trains, *land.places, *land.nobles]
    found = {fold(r.name): r.ident for r in rows if r.name}
    found.update({fold(p.prisoners): p.prisoners for p in land.prisoners})
    found.update({fold(r.ident): r.ident for r in rows})
    return found


def _entity(line: _Line, names: dict[str, str], words: list[str], role: str) -> int:
    """A unit, place or noble at the beginning of the words; how many words it took."""
    for count in range(min(5, len(words)), 0, -1):
        phrase = " ".join(words[:count]).strip(",;:")
        ident = names.get(fold(phrase), "")
        if not ident and count == 1 and re.fullmatch(r"[A-Za-z]+-[\w-]+|P\d+", phrase) and not (
                line.unit and (line.target or line.verb in _FAR)):
            ident = phrase  # one that is not there yet, or is misspelt: the check will say
        if ident and _MEN.fullmatch(phrase) and line.verb != "ESCORT":
            ident = ""
        if ident:
            _put(line, ident, role)
            return count
    return 0


def _put(line: _Line, ident: str, role: str) -> None:
    is_unit = (role == "with" or (role == "from" and line.verb in _FROM_IS_UNIT)
               or (role == "to" and line.verb in _TO_IS_UNIT))
    if is_unit and line.unit and not line.target:
        line.unit, line.target = ident, line.unit
    elif is_unit:
        line.unit = ident
    elif line.verb == "ESCORT" and re.fullmatch(r"P\d+", ident):
        line.target = ident
    elif not line.unit and not (role and line.order.columns[1:2] == ("target",)):
        line.unit = ident
    elif not line.target:
        line.target = ident
    elif not line.unit:
        line.unit = ident
    elif line.verb in ("SPLIT", "TRANSFER", "MERGE"):
        line.choice.append(ident)
    else:
        raise _Puzzle(ident)


def _piece(line: _Line, word: str) -> int:
    """Men, hexes, amounts, choices; how many words it took."""
    if _MEN.fullmatch(word) or word.lower().startswith("w:"):
        line.men.append(word if word.lower().startswith("w:") else word.upper())
    elif re.fullmatch(r"\d{4}", word) or (word.upper() in ("N", "NE", "SE", "S", "SW", "NW", "SO", "NO")
                                          and line.verb in _FAR):
        if line.verb in _FAR:
            line.path.append(word.upper())
        else:
            line.node = word
    elif _NUMBER.fullmatch(word) and not line.amount:
        line.amount = _NUMBER.fullmatch(word)[1]  # type: ignore[index]
    elif "=" in word:
        name, _, value = word.partition("=")
        line.choice.append(f"{choice_code(name)}={choice_code(value)}")
    elif line.verb in _CHOOSING and choice_code(word) in ("in", "out", "place", "convoy", "none", "attack", "pass",
                                                         "ask"):
        line.choice.append(choice_code(word))
    elif fold(word) in _FILLERS:
        return 1
    else:
        return 0
    return 1
