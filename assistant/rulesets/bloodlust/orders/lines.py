"""A line as a club sends it in: an order's columns out, or that it was not understood (rulebook: Orders)."""

from __future__ import annotations

import re

from assistant.turn.orders.shorthand import Understood
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import fold

COUNTED = ("buy", "captain", "mercenary", "recruit")
BY_UNITS = ("dismiss", "pay_first", "ransom", "release")
TARGETS = ("war", "peace", "break", "envoy", "lift", "hero")
PAIRS = ("lead", "join")
STOPS = ("via", "from", "da", "besiege", "assedia", "back", "indietro", "torna")
IDLE = ("to", "a", "ad", "in", "verso", "all", "alla", "on", "with", "against", "con", "contro", "presso")
"""Words that stand before a place, an army or a nation; within a name they are its own."""
ALSO = ("and", "e", "ed")
UNITS_OF = ("roll", "rolls", "tiro", "tiri", "unit", "units", "unita")
"""What may stand behind a number."""
ALL_OF = (["all"], ["tutti"], ["tutte"], ["tutto"])
ELSE = {"paga": "or_pay", "pay": "or_pay", "or_pay": "or_pay", "congeda": "or_disband", "disband": "or_disband",
        "or_disband": "or_disband"}


def understand(book: OrderBook, text: str) -> Understood:
    """The fields of a line, or the line itself as the problem."""
    words = [word for word in re.split(r"[\s,;+>→]+", text.strip()) if word]
    for n in (2, 1):
        verb = book.code(fold(" ".join(words[:n]))) if len(words) >= n else ""
        if verb:
            fields = _fields(verb, words[n:])
            return Understood({"verb": verb, **fields}) if fields is not None else Understood(problem=text.strip())
    return Understood(problem=text.strip())


def _fields(verb: str, rest: list[str]) -> dict[str, object] | None:
    """What the words behind a verb are; None for words that have no place."""
    if verb == "delegate":
        return {} if not rest else None
    if verb in COUNTED:
        return _counted(rest)
    rest = _bare(rest)
    if not rest:
        return None
    if verb in BY_UNITS:
        return {"subject": " ".join(word for word in rest if fold(word) not in ALSO)}
    if verb in TARGETS:
        return {"target": " ".join(rest)}
    if verb == "forage":
        return _foraging(rest)
    if len(rest) < 2:
        return None
    if verb in PAIRS:
        subject = [word for word in rest[:-1] if verb == "lead" or fold(word) not in ALSO]
        while len(subject) > 1 and fold(subject[-1]) in IDLE:
            subject.pop()
        return {"subject": " ".join(subject), "target": rest[-1]}
    if verb == "form":
        return {"subject": rest[0], "target": " ".join(_bare(rest[1:]))}
    return _movement(rest)


def _bare(words: list[str]) -> list[str]:
    """Words without those that only lead to them."""
    return words[next((n for n, word in enumerate(words) if fold(word) not in IDLE), len(words)):]


def _counted(rest: list[str]) -> dict[str, object] | None:
    """How many; figures that are no number are the order's to refuse (BLD-005)."""
    if len(rest) == 2 and fold(rest[1]) in UNITS_OF:
        rest = rest[:1]
    if len(rest) == 1 and rest[0].lstrip("-").isdecimal():
        return {"amount": int(rest[0])}
    if any(c.isdigit() for word in rest for c in word) or [fold(word) for word in rest] in ALL_OF:
        return {"amount": " ".join(rest)}
    return {} if not rest else None


def _foraging(rest: list[str]) -> dict[str, object] | None:
    at = next((n for n, word in enumerate(rest) if fold(word) in ELSE), len(rest))
    units = [word for word in rest[:at] if fold(word) not in ("o", "or", *ALSO)]
    if not units or len(rest) > at + 1:
        return None
    return {"subject": " ".join(units), **({"option": ELSE[fold(rest[at])]} if at < len(rest) else {})}


def _movement(rest: list[str]) -> dict[str, object]:
    """An army, where to, and how."""
    at = next((n for n, word in enumerate(rest) if n > 1 and fold(word) in STOPS), len(rest))
    options = [word for word in rest[at:] if fold(word) not in STOPS[:3]]
    target = _bare(rest[1:at - 1] if fold(rest[at - 1]) in ALSO else rest[1:at])
    return {"subject": rest[0], "target": " ".join(target), **({"option": " ".join(options)} if options else {})}
