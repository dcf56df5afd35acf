"""A line of chat or mail in, an order out: ``O1 move D3-E4-F4`` (rulebook: Orders to Forces).

The codes of Forces look as squares do, so the verb says what each word is; what has no place in it makes the line one
that is not understood, and of a line whose verb alone is known the order's own check says what it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import SQUARE, Square
from assistant.rulesets.warriors.book.records import Node
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.book.words import NEW_ORDERS, NEW_ORDERS_ALSO, STANCES, STANCES_ALSO, WISHES
from assistant.turn.orders.shorthand import Understood
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import Words, fold

_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]*)[\"“”«»]")
_FILLERS = ("to", "in", "at", "a", "for", "di", "the", "per", "da", "from", "with", "con", "the")
_LAND = ("land", "sbarca")


def _words_of(options: Mapping[str, str], also: Mapping[str, str] = {}) -> Words:
    return Words({code: (it, *(word for word, meant in also.items() if meant == code)) for code, it in options.items()})


_NEW, _STANCE, _WISH = _words_of(NEW_ORDERS, NEW_ORDERS_ALSO), _words_of(STANCES, STANCES_ALSO), _words_of(WISHES)


def understand(book: OrderBook, campaign: Campaign, faction: str, text: str) -> Understood:
    """Read a line as an order of a faction."""
    line = _without_prefix(campaign, faction, text.strip().rstrip(".!"))
    names = _QUOTED.findall(line)
    words = [word for word in re.split(r"[\s,;:]+", _QUOTED.sub(" ", line)) if word]
    place, verb, length = _verb(book, words)
    if not verb:
        return Understood(problem=text.strip())
    before, after = words[:place], words[place + length:]
    army = _force(campaign, before[0]) if before else ""
    if len(before) > 1:
        return Understood(problem=text.strip())
    fields: dict[str, Any] = {"verb": verb, "army": army}
    left = [word for word in _READERS[verb](campaign, fields, after) if fold(word) not in _FILLERS]
    fields["army"] = _own(campaign, faction, fields["army"])
    if verb == "found" and not names and left:
        names, left = [" ".join(left)], []
    if names:
        fields["name" if verb == "found" else "army" if verb == "raise" else "note"] = names[0].strip()
    if left:
        return Understood(problem=text.strip())
    return Understood({name: value for name, value in fields.items() if value not in ("", None)})


def _without_prefix(campaign: Campaign, faction: str, text: str) -> str:
    """The line without the faction's own code or name before it, with or without a colon."""
    rows = campaign.by_sheet("Factions")
    row = rows.get(faction)
    for word in (faction, *((row.name_en, row.name_it) if row is not None else ())):
        if word and fold(text).startswith(fold(word)) and re.match(rf"{re.escape(word)}\s*[:\s]", text, re.IGNORECASE):
            return text[len(word):].lstrip(" :")
    return text


def _verb(book: OrderBook, words: list[str]) -> tuple[int, str, int]:
    """Where the verb stands, which it is, and of how many words: the first or the second."""
    for place in (0, 1):
        if place < len(words) and (code := book.code(words[place])):
            return place, code, 1
    return 0, "", 0


def _squares(words: list[str]) -> list[str]:
    """Words with squares that are joined by ``-`` or arrows taken apart."""
    return [part for word in words for part in (re.split(r"[-–>→]+", word) if all(
        SQUARE.fullmatch(one) for one in re.split(r"[-–>→]+", word) if one) else [word]) if part]


def _first_code(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    """The Force, where the line names it after the verb."""
    if words and not fields["army"]:
        fields["army"] = _force(campaign, words[0])
        return words[1:]
    return words


def _option(fields: dict[str, Any], column: str, known: Words, words: list[str]) -> list[str]:
    """The first word, or the first two together, that is one of a few; one that is none as it was typed."""
    for length in (2, 1):
        code = known.code("_".join(words[:length]).replace("-", "_")) if len(words) >= length else ""
        if code:
            fields[column] = code
            return words[length:]
    if words:
        fields[column] = words[0]
    return words[1:]


def _order(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    return _option(fields, "new_order", _NEW, _first_code(campaign, fields, words))


def _move(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    path = [word for word in _squares(_first_code(campaign, fields, words)) if fold(word) not in _FILLERS]
    fields["path"] = " ".join(str(Square().read(word)) for word in path)
    return []


def _sail(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    words = _first_code(campaign, fields, words)
    fields["boat"] = campaign.by_sheet("Boats").spelled(words[0]) if words else ""
    lands = any(word.lower() in _LAND for word in words[1:])
    _move(campaign, fields, [word for word in words[1:] if word.lower() not in _LAND])
    fields["path"] = " ".join([*fields["path"].split(), *(["land"] if lands else [])])
    return []


def _contact(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    left = _option(fields, "stance", _STANCE, _first_code(campaign, fields, words))
    left = [word for word in left if fold(word) not in _FILLERS]
    if left:
        fields["to"] = str(Square().read(left[0]))
    return left[1:]


def _initiative(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    return _option(fields, "wish", _WISH, words)


def _purchase(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    """Figures, type or Unit, place and Force, in whatever order: each is known by its look or its table."""
    left = []
    for word in _told(words):
        if word.isdecimal() and "figures" not in fields:
            fields["figures"] = int(word)
        elif campaign.by_sheet("Unit types").get(campaign.by_sheet("Unit types").spelled(word)) is not None:
            fields["type"] = campaign.by_sheet("Unit types").spelled(word)
        elif campaign.by_sheet("Units").get(campaign.by_sheet("Units").spelled(word)) is not None:
            fields["unit"] = campaign.by_sheet("Units").spelled(word)
        elif _is_place(campaign, fields, word):
            fields["place"] = str(Square().read(word))
        elif not fields["army"] and fields["verb"] == "raise" and ("type" in fields or _is_force(campaign, word)):
            fields["army"] = _force(campaign, word)
        elif fields["verb"] == "raise" and "type" not in fields:
            fields["type"] = word
        elif fields["verb"] == "refill" and "unit" not in fields:
            fields["unit"] = word
        else:
            left.append(word)
    return left


def _is_place(campaign: Campaign, fields: Mapping[str, Any], word: str) -> bool:
    return "place" not in fields and str(Square().read(word)) in campaign.table(Node)


def _is_force(campaign: Campaign, word: str) -> bool:
    return _force(campaign, word) in campaign.table(Army)


def _force(campaign: Campaign, word: str) -> str:
    """The code of a Force as its table spells it, also with zeros before its number; of none such as it was typed."""
    table = campaign.table(Army)
    plain = table.spelled(re.sub(r"(?<=\D)0+(?=\d)", "", word))
    return plain if plain in table else table.spelled(word)


def _own(campaign: Campaign, faction: str, word: str) -> str:
    """The code of the faction's own Force of which the line says the number alone; else what it says."""
    own = [army.army for army in campaign.table(Army) if word.isdecimal() and army.faction == faction
           and re.fullmatch(rf"\D+0*{int(word)}", army.army)]
    return own[0] if len(own) == 1 else word


def _told(words: list[str]) -> Iterator[str]:
    yield from (word for word in words if fold(word) not in _FILLERS)


def _found(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    left, told = [], list(_told(words))
    for place, word in enumerate(told):
        if fold(word).replace(".", "") == "vc":
            continue
        if place and fold(told[place - 1]).replace(".", "") == "vc":
            fields["vc"] = int(word) if word.isdecimal() else word
        elif _is_place(campaign, fields, word):
            fields["place"] = str(Square().read(word))
        elif _NEW.code(word.replace("-", "_")):
            fields["new_order"] = _NEW.code(word.replace("-", "_"))
        else:
            left.append(word)
    return left


_READERS: Mapping[str, Callable[[Campaign, dict[str, Any], list[str]], list[str]]] = {
    "order": _order, "move": _move, "sail": _sail, "contact": _contact, "initiative": _initiative,
    "raise": _purchase, "refill": _purchase, "found": _found}
