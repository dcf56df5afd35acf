"""Orders in words (digest 5.4): ``V8 F7``, ``120 V8 F7``, ``da V8 a F7``, ``allea P passo 1502: ...``.

A pure function of the text and of the codes that are known. The middle node of a path is not filled
in here: that is the order's check, which knows the map.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.rulesets.giglio.verbs import NEW, canonical_verb, fold, option_code
from assistant.turn.ruleset import Understood

_PIECES = re.compile(
    r"(?P<unit>(?<![^\W_])[A-Za-z]{1,3}-[FSfs]?\d+(?!\w))"
    r"|(?P<node>[A-Za-z]{1,3}\d+(?!\w))"
    r"|(?P<number>(?<!\S)[+-]?\d+(?:[.,]\d+)?(?!\w)|\d+(?!\w))"
    r"|(?P<word>[^\W\d_]+(?:[_'’][^\W\d_]+)*)"
    r"|(?P<gap>\s+|[,;.>→–—-]+)"
    r"|(?P<other>.)")

_FILLERS = frozenset(
    ("da", "dal", "dalla", "from", "a", "ad", "to", "verso", "via", "per", "muovi", "move", "muove", "moves", "armata",
     "army", "in", "al", "alla", "at", "il", "la", "the", "di", "of", "del", "con", "with", "contro", "against",
     "until", "fino", "ducati", "ducats", "ducato", "ducat", "e", "and", "nodo", "node"))
_NEW_WORDS = frozenset({"new", "nuova", "nuovo"})

_CODES: Mapping[str, tuple[str, ...]] = {
    "transfer": ("unit", "target"), "embark": ("unit", "target"), "attach": ("unit", "target"),
    "enlist": ("target",), "assassinate": ("unit", "target"),
}
"""Where the codes of armies, fleets and specialists go, in turn; for all other verbs: unit."""

_NEEDED: Mapping[str, tuple[str, ...]] = {
    "objective": ("option",), "loan": ("amount",), "recruit": ("amount", "target"), "enlist": ("option",),
    "fleet": ("target",), "bid": ("amount",), "fortify": ("target",), "repair": ("target",),
    "garrison": ("target",), "transfer": ("unit", "target"), "split": ("unit", "amount"),
    "attach": ("unit", "target"), "pay": ("partner", "amount"), "ally": ("partner",), "dissolve": ("partner",),
    "move": ("path",), "stay": ("unit",), "come_out": ("unit",), "embark": ("unit", "target"),
    "land": ("unit", "target"), "sail": ("unit", "path"), "assassinate": ("option", "target"),
}
"""What a line must say beside its verb word. A siege is found by its place or by its army."""

_AMOUNT = frozenset({"loan", "recruit", "bid", "transfer", "split", "pay", "ally", "move"})
_PARTNER = frozenset({"objective", "pay", "ally", "dissolve"})
_PLACE = frozenset({"recruit", "enlist", "fleet", "fortify", "repair", "garrison", "attach", "siege", "lift", "land",
                    "assassinate"})


class _Puzzle(Exception):
    """The line says something that has no place in an order."""


@dataclass
class _Line:
    """The pieces of a line, by sort, in the order in which they stand."""

    verb: str = ""
    option: str = ""
    nodes: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    note: str = ""


def understand(text: str, nodes: Container[str], units: Container[str] = (), *, factions: Container[str] = (),
               faction: str = "", at: Mapping[str, str] | None = None) -> Understood:
    """Read one line of shorthand.

    `nodes`, `units`, `factions`: the codes that are known, for those that do not look like codes of
    their sort (unknown ones are kept for the order's check); `faction`: who writes, so that ``A1:`` or
    ``army 1:`` is its first army; `at`: node of each own army and fleet, so that ``sail V-F1 Z7``
    starts where the fleet lies. Returns the order's fields (verb, unit, path, target, amount,
    partner, option, note; path as codes with blanks, amount an int where it is one), or `problem` =
    the line as it stands, for GIG-011.
    """
    try:
        label, rest, note = _parts(text.strip(), nodes, faction)
        line = _read(rest, nodes, units, factions)
        if label:
            line.units.insert(0, label)
        line.note = note
        return Understood(_order(line, at or {}))
    except _Puzzle:
        return Understood(problem=text.strip())


def _parts(text: str, nodes: Container[str], faction: str) -> tuple[str, str, str]:
    """A label before a colon (``A1:``), the order itself, a note after a colon."""
    head, colon, tail = text.partition(":")
    if not colon:
        return "", text, ""
    left = [(m.lastgroup, m[0]) for m in _PIECES.finditer(head)
            if m.lastgroup != "gap" and fold(m[0]) not in _FILLERS]
    if len(left) == 1:
        sort, piece = left[0]
        code = piece.upper()
        number = re.fullmatch(r"A?(\d+)", code)
        if sort == "unit":
            return code, tail, ""
        if sort == "node" and code in nodes:
            return "", f"{head} {tail}", ""
        if sort in ("node", "number"):
            return (f"{faction}-{number[1]}" if number and faction else code), tail, ""
    return "", head, tail.strip()


def _read(text: str, nodes: Container[str], units: Container[str], factions: Container[str]) -> _Line:
    line = _Line()
    words: list[str] = []
    for match in _PIECES.finditer(text):
        sort, piece = match.lastgroup, match[0]
        if sort == "word" and piece.upper() in units:
            sort = "unit"
        elif sort == "word" and piece.upper() not in nodes:
            words.append(piece)
            continue
        if sort == "gap":
            continue
        _words(line, words, factions)
        words = []
        if sort == "unit":
            line.units.append(piece.upper())
        elif sort == "number":
            if line.nodes and not line.verb:
                raise _Puzzle(piece)
            line.numbers.append(piece)
        elif sort == "other":
            raise _Puzzle(piece)
        elif not line.nodes or line.nodes[-1] != piece.upper():
            line.nodes.append(piece.upper())
    _words(line, words, factions)
    return line


def _words(line: _Line, words: list[str], factions: Container[str]) -> None:
    """Sort neighbouring words into verb, option, filler and codes; the longest phrase wins."""
    start = 0
    while start < len(words):
        for end in range(min(len(words), start + 3), start, -1):
            if _phrase(line, words[start:end], factions):
                start = end
                break
        else:
            raise _Puzzle(words[start])


def _phrase(line: _Line, words: list[str], factions: Container[str]) -> bool:
    phrase = "_".join(words)
    if len(words) == 1 and words[0] in factions and (line.verb or words[0].isupper()):
        line.words.append(words[0])
        return True
    option = option_code(phrase, line.verb) if line.verb else ""
    if option and not line.option:
        line.option = option
        return True
    verb = canonical_verb(phrase)
    if verb and not line.verb:
        line.verb = verb
        return True
    kind = option_code(phrase, "enlist")
    if kind and not line.verb:
        line.verb, line.option = "enlist", kind
        return True
    if len(words) > 1:
        return False
    if line.verb == "recruit" and fold(phrase) in _NEW_WORDS:
        line.units.append(NEW)
        return True
    if fold(phrase) in _FILLERS:
        return True
    if line.verb in _PARTNER | {"assassinate"}:
        line.words.append(phrase.upper())
        return True
    return False


def _order(line: _Line, at: Mapping[str, str]) -> dict[str, Any]:
    """The fields of the order. Raises `_Puzzle` for a piece too many or too few."""
    verb = line.verb or "move"
    order: dict[str, Any] = {"verb": verb}
    if line.option:
        order["option"] = line.option
    if line.numbers:
        _one(line.numbers, verb in _AMOUNT)
        order["amount"] = int(line.numbers[0]) if re.fullmatch(r"[+-]?\d+", line.numbers[0]) else line.numbers[0]
    if line.words:
        _one(line.words, verb in _PARTNER or verb == "assassinate")
        order["target" if verb == "assassinate" else "partner"] = line.words[0]
    _codes(order, verb, line.units)
    if verb in ("move", "sail"):
        order.update(_path(verb, line.nodes, at.get(order.get("unit", ""), "")))
    elif line.nodes:
        _one(line.nodes, verb in _PLACE and "target" not in order)
        order["target"] = line.nodes[0]
    if verb == "siege" and "target" not in order:
        order["target"] = at.get(order.get("unit", ""), "")
    if line.note:
        order["note"] = line.note
    if any(order.get(name, "") == "" for name in _NEEDED.get(verb, ())):
        raise _Puzzle(verb)
    if verb in ("siege", "lift") and not (order.get("target") or order.get("unit")):
        raise _Puzzle(verb)
    return {name: value for name, value in order.items() if value != ""}


def _one(pieces: list[str], allowed: bool) -> None:
    if not allowed or len(pieces) > 1:
        raise _Puzzle(pieces[-1])


def _codes(order: dict[str, Any], verb: str, units: list[str]) -> None:
    places = _CODES.get(verb, ("unit",))
    if verb == "assassinate" and (len(units) == 1 and "target" not in order):
        places = ("target",) if "-S" not in units[0] else places
    if len(units) > len(places):
        raise _Puzzle(units[-1])
    for place, unit in zip(places, units, strict=False):
        if place in order:
            raise _Puzzle(unit)
        order[place] = unit


def _path(verb: str, nodes: list[str], start: str) -> dict[str, str]:
    if verb == "sail" and len(nodes) == 1 and start not in ("", nodes[0]):
        nodes = [start, *nodes]
    if len(nodes) < (1 if verb == "sail" else 2):
        raise _Puzzle(verb)
    return {"path": " ".join(nodes)}


__all__ = ["understand"]
