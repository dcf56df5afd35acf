"""A line as a club sends it in: an order's columns out, or that it was not understood (rulebook: Orders)."""

from __future__ import annotations

import re

from assistant.turn.orders.shorthand import Understood
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import fold

COUNTED = ("buy", "captain", "mercenary", "recruit")
BY_UNITS = ("dismiss", "pay_first", "ransom", "release")
TARGETS = ("war", "peace", "break", "envoy", "lift", "hero")
PAIRS = ("form", "lead", "join")
STOPS = ("via", "from", "da", "besiege", "assedia", "back", "indietro", "torna")
IDLE = ("to", "a", "ad", "in", "verso", "all", "alla")
ELSE = {"paga": "or_pay", "pay": "or_pay", "or_pay": "or_pay", "congeda": "or_disband", "disband": "or_disband",
        "or_disband": "or_disband"}


def understand(book: OrderBook, text: str) -> Understood:
    """The fields of a line, or the line itself as the problem."""
    words = [word for word in re.split(r"[\s,;+>→]+", text.strip()) if word]
    for n in (2, 1):
        verb = book.code(fold(" ".join(words[:n]))) if len(words) >= n else ""
        if verb:
            rest = words[n:]
            fields = _fields(verb, rest if verb in COUNTED else [word for word in rest if fold(word) not in IDLE])
            return Understood({"verb": verb, **fields}) if fields is not None else Understood(problem=text.strip())
    return Understood(problem=text.strip())


def _fields(verb: str, rest: list[str]) -> dict[str, object] | None:
    """What the words behind a verb are; None for words that have no place."""
    if verb == "delegate":
        return {} if not rest else None
    if verb in COUNTED:
        if len(rest) > 1 or (rest and not rest[0].lstrip("-").isdecimal()):
            return None
        return {"amount": int(rest[0])} if rest else {}
    if not rest:
        return None
    if verb in BY_UNITS:
        return {"subject": " ".join(rest)}
    if verb in TARGETS:
        return {"target": " ".join(rest)}
    if verb == "forage":
        return _foraging(rest)
    if len(rest) < 2:
        return None
    if verb in PAIRS:
        return {"subject": " ".join(rest[:-1]), "target": rest[-1]}
    return _movement(verb, rest)


def _foraging(rest: list[str]) -> dict[str, object] | None:
    at = next((n for n, word in enumerate(rest) if fold(word) in ELSE), len(rest))
    units = [word for word in rest[:at] if fold(word) not in ("o", "or")]
    if not units or len(rest) > at + 1:
        return None
    return {"subject": " ".join(units), **({"option": ELSE[fold(rest[at])]} if at < len(rest) else {})}


def _movement(verb: str, rest: list[str]) -> dict[str, object]:
    """An army, where to, and how."""
    at = next((n for n, word in enumerate(rest) if n > 1 and fold(word) in STOPS), len(rest))
    options = [word for word in rest[at:] if fold(word) not in STOPS[:3]]
    return {"subject": rest[0], "target": " ".join(rest[1:at]), **({"option": " ".join(options)} if options else {})}
