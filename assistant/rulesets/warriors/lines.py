"""Orders from lines of chat or mail: `O1 move D3-E4-F4`."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import SQUARE, Square
from assistant.campaign.tables import Record
from assistant.rulesets.warriors.records import (
    NEW_ORDERS,
    NEW_ORDERS_ALSO,
    STANCES,
    STANCES_ALSO,
    WISHES,
    Army,
    Boat,
    Faction,
    Node,
    Unit,
    UnitType,
)
from assistant.turn.orders.line_parser import Understood
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.verbs import OrderBook
from assistant.turn.orders.words import LONGEST_NAME, WordIndex, codes_by_name, fold

# Names in lines: each is replaced by its code.
#
# Names may be of several words and the longest counts, as in the lines of other books; a verb, an option or a small
# word alone is never a name. Of Forces, Units and boats the faction's own count, of the price list what its people
# may buy.


Records = tuple[type[Record], ...]

COLUMNS: Mapping[type[Record], str] = {Army: "army", Node: "place", Boat: "boat", UnitType: "type", Unit: "unit"}
"""Records with names -> the column for their code."""
NAMED_RECORDS: Mapping[str, Records] = {
    "order": (Army,), "move": (Army, Node), "sail": (Army, Boat, Node), "contact": (Army, Node), "initiative": (),
    "raise": (UnitType, Node, Army), "refill": (Unit, Node), "found": (Node,)}
"""Verbs -> the records that their lines may name."""
_BEFORE_PLACE = ("at", "in", "a", "ad", "al", "alla")
"""Small words before the place of a new Force, since its own name may contain the name of a place."""


def code_of_name(campaign: Campaign, faction: str, records: Records, words: list[str]) -> str:
    """The code of the thing with that name, "" for none; of several the one still on the map.

    Raises `Refused` (ambiguous) if there is more than one.
    """
    name = " ".join(words)
    codes = [
        (code, record)
        for record in records
        for code in campaign.made_of(codes_by_name, record).get(fold(name), ())
        if _can_mean(campaign, faction, campaign.table(record)[code])
    ]
    if len(codes) > 1:
        codes = [
            (code, record) for code, record in codes if _is_on_map(campaign, campaign.table(record)[code])
        ] or codes
    if len(codes) > 1:
        told = [code for code, _ in codes]
        raise Refused("ambiguous", COLUMNS[codes[0][1]], word=name, a=told[0], b=told[1], list=" ".join(told))
    return codes[0][0] if codes else ""


def _can_mean(campaign: Campaign, faction: str, row: Any) -> bool:
    """Whether a faction's line can mean a row; any faction can mean any place."""
    if isinstance(row, UnitType):
        club = campaign.table(Faction).get(faction)
        return row.people == "any" or (club is not None and row.people == club.people)
    if isinstance(row, Unit):
        army = campaign.table(Army).get(row.army)
        return army is not None and army.faction == faction
    return isinstance(row, Node) or row.faction == faction


def _is_on_map(campaign: Campaign, row: Any) -> bool:
    """Whether a Force, or that of a Unit, is on the map; True for other rows."""
    army = campaign.table(Army).get(row.army) if isinstance(row, Unit) else row
    return not isinstance(army, Army) or army.active


def replace_names(campaign: Campaign, faction: str, verb: str, words: list[str], of_book: Container[str]) -> list[str]:
    """The words after the verb, with codes for names. `of_book`: folded words that alone are not a name.

    Raises `Refused` (ambiguous) for the name of several things.
    """
    if verb == "found" and any(str(Square().read(word)) in campaign.table(Node) for word in words):
        return words  # the place is said: what sounds like one belongs to the new name
    told, start = list[str](), 0
    while start < len(words):
        after = fold(words[start - 1]) if start else ""
        code, count = "", 1
        if verb != "found" or after in _BEFORE_PLACE:
            code, count = _longest(campaign, faction, NAMED_RECORDS[verb], words[start:start + LONGEST_NAME], of_book)
        told.append(code or words[start])
        start += count
    return told


def _longest(campaign: Campaign, faction: str, records: Records, words: list[str],
             of_book: Container[str]) -> tuple[str, int]:
    """The code of the longest name at the beginning of some words, and its number of words; ("", 1) for none."""
    for count in range(len(words), 0, -1):
        if count == 1 and (fold(words[0]) in of_book or _is_code(campaign, records, words[0])):
            break
        code = code_of_name(campaign, faction, records, words[:count])
        if code:
            return code, count
    return "", 1


def _is_code(campaign: Campaign, records: Records, word: str) -> bool:
    tables = [campaign.table(record) for record in records]
    return str(Square().read(word)) in campaign.table(Node) or any(table.spelled(word) in table for table in tables)


# The parser of lines: ``O1 move D3-E4-F4`` (rulebook: Orders to Forces).
#
# Codes of Forces look like squares, so the verb decides what each word is. A word without a place makes the line not
# understood; if only the verb is known, the order's own checks say what is missing.


_QUOTED = re.compile(r"[\"“”«»]([^\"“”«»]*)[\"“”«»]")
_FILLERS = ("to", "in", "at", "a", "ad", "al", "alla", "for", "di", "the", "per", "da", "from", "with", "con")
_AT = ("at", "a", "ad", "al", "alla")
"""Small words before the place of a purchase, if another is before the Force (``at F7 in M1``)."""
_LAND = ("land", "sbarca")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
"""Meant as a number of figures, even if it cannot be one."""


def _words_of(options: Mapping[str, str], also: Mapping[str, str] = {}) -> WordIndex:
    return WordIndex(
        {code: (it, *(word for word, meant in also.items() if meant == code)) for code, it in options.items()}
    )


_NEW, _STANCE, _WISH = _words_of(NEW_ORDERS, NEW_ORDERS_ALSO), _words_of(STANCES, STANCES_ALSO), _words_of(WISHES)
_OF_BOOK = frozenset(fold(word) for word in (
    *_FILLERS, *_LAND, "vc", "v.c.", *NEW_ORDERS, *NEW_ORDERS.values(), *NEW_ORDERS_ALSO, *STANCES, *STANCES.values(),
    *STANCES_ALSO, *WISHES, *WISHES.values()))
"""Words that alone are never a name."""


def understand(book: OrderBook, campaign: Campaign, faction: str, text: str) -> Understood:
    """Parse a line into an order of a faction; an ambiguous name becomes the reason of the problem."""
    try:
        fields = _fields(book, campaign, faction, _without_prefix(book, campaign, faction, text.strip().rstrip(".!")))
    except Refused as why:
        return Understood(problem=text.strip(), why=why)
    return Understood({name: value for name, value in fields.items() if value not in ("", None)},
                      "" if fields else text.strip())


def _fields(book: OrderBook, campaign: Campaign, faction: str, line: str) -> dict[str, Any]:
    """The fields of a line; {} if a word has no place. Raises `Refused` (ambiguous)."""
    names, words = _QUOTED.findall(line), _words(line)
    army, verb, after = _verb(book, campaign, faction, words)
    if not verb:
        return {}
    fields: dict[str, Any] = {"verb": verb, "army": army}
    left = _READERS[verb](campaign, fields, replace_names(campaign, faction, verb, after, _OF_BOOK))
    fields["army"] = _own_force_code(campaign, faction, fields["army"])
    if verb == "found" and not names:
        names, left = [_trimmed_name(left)], []
    if verb == "raise" and names:
        fields["army"] = code_of_name(campaign, faction, (Army,), names[:1]) or names[0].strip()
    elif names:
        fields["name" if verb == "found" else "note"] = names[0].strip()
    return {} if any(fold(word) not in _FILLERS for word in left) else fields


def _words(line: str) -> list[str]:
    return [word for word in re.split(r"[\s,;:]+", _QUOTED.sub(" ", line)) if word]


def _without_prefix(book: OrderBook, campaign: Campaign, faction: str, text: str) -> str:
    """The line without the faction's own code or name before it, with or without a colon.

    It is unchanged if that prefix begins the name of an own Force.
    """
    rows = campaign.by_sheet("Factions")
    if _verb(book, campaign, faction, _words(text))[0] in campaign.table(Army):
        return text
    row = rows.get(faction)
    for word in (faction, *((row.name_en, row.name_it) if row is not None else ())):
        if word and fold(text).startswith(fold(word)) and re.match(rf"{re.escape(word)}\s*[:\s]", text, re.IGNORECASE):
            return text[len(word):].lstrip(" :")
    return text


def _verb(book: OrderBook, campaign: Campaign, faction: str, words: list[str]) -> tuple[str, str, list[str]]:
    """Split off the Force and the verb: Force, verb, words after the verb.

    The Force is one word, or the name of an own Force. Raises `Refused` (ambiguous).
    """
    for length in range(min(LONGEST_NAME, len(words) - 1), 0, -1):
        if (code := book.code(words[length])) and (length > 1 or not _is_force(campaign, words[0])):
            army = code_of_name(campaign, faction, (Army,), words[:length])
            if army:
                return army, code, words[length + 1:]
    for place in (0, 1):
        if place < len(words) and (code := book.code(words[place])):
            return _force_code(campaign, words[0]) if place else "", code, words[place + 1:]
    return "", "", []


def _squares(words: list[str]) -> list[str]:
    return [part for word in words for part in (re.split(r"[-–>→]+", word) if all(
        SQUARE.fullmatch(one) for one in re.split(r"[-–>→]+", word) if one) else [word]) if part]


def _first_code(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    """Take the Force from the words, if the line names it after the verb; return the rest."""
    if words and not fields["army"]:
        fields["army"] = _force_code(campaign, words[0])
        return words[1:]
    return words


def _option(fields: dict[str, Any], column: str, known: WordIndex, words: list[str]) -> list[str]:
    """Put the first word, or the first two, into a column as an option, else as typed; return the rest."""
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
    """Read figures, type or Unit, place and Force in any order, each known by its look or its table.

    Unknown words go into columns that are still missing, for the findings that quote them.
    """
    unknown, either = list[tuple[str, str]](), list[tuple[str, str]]()
    for before, word in _phrases(campaign, words):
        if _NUMBER.fullmatch(word) and "figures" not in fields:
            fields["figures"] = int(word) if word.isdecimal() else word
        elif code := _code_of(campaign, "Unit types", word):
            fields["type"] = code
        elif code := _code_of(campaign, "Units", word):
            fields["unit"] = code
        elif _is_square(campaign, word) and fields["verb"] == "raise" and _is_force(campaign, word):
            either.append((before, word))
        elif _is_place(campaign, fields, word):
            fields["place"] = str(Square().read(word))
        elif not fields["army"] and fields["verb"] == "raise" and _is_force(campaign, word):
            fields["army"] = _force_code(campaign, word)
        else:
            unknown.append((before, word))
    at = any(before in _AT for before, _ in unknown)
    for before, word in either:  # ``in O2`` is the Force, also where there is a square O02, if the place is said
        column = "army" if "place" in fields or (at and before not in _AT) else "place"
        if fields.get(column):
            unknown.append((before, word))
        else:
            fields[column] = _force_code(campaign, word) if column == "army" else str(Square().read(word))
    columns = ("type", "place", "army") if fields["verb"] == "raise" else ("unit", "place")
    missing = [name for name in (*columns, "figures") if fields.get(name) in ("", None)]
    fields |= zip(missing, (word for _, word in unknown), strict=False)
    return [word for _, word in unknown[len(missing):]]


def _phrases(campaign: Campaign, words: list[str]) -> Iterator[tuple[str, str]]:
    """Codes and numbers singly, other words joined up to the next small word; each with the small word before it."""
    before, phrase = "", list[str]()
    for word in words:
        small = fold(word) in _FILLERS
        known = _NUMBER.fullmatch(word) or _is_square(campaign, word) or _is_force(campaign, word) or any(
            _code_of(campaign, sheet, word) for sheet in ("Unit types", "Units"))
        if (small or known) and phrase:
            yield before, " ".join(phrase)
            before, phrase = "", []
        if small:
            before = fold(word)
        elif known:
            yield before, word
            before = ""
        else:
            phrase.append(word)
    if phrase:
        yield before, " ".join(phrase)


def _code_of(campaign: Campaign, sheet: str, word: str) -> str:
    """The code of a row as its table spells it; "" if there is none."""
    table = campaign.by_sheet(sheet)
    return table.spelled(word) if table.spelled(word) in table else ""


def _is_square(campaign: Campaign, word: str) -> bool:
    return str(Square().read(word)) in campaign.table(Node)


def _is_place(campaign: Campaign, fields: Mapping[str, Any], word: str) -> bool:
    return "place" not in fields and _is_square(campaign, word)


def _is_force(campaign: Campaign, word: str) -> bool:
    return _force_code(campaign, word) in campaign.table(Army)


def _force_code(campaign: Campaign, word: str) -> str:
    """The code of a Force as its table spells it, also with leading zeros; an unknown one as typed."""
    table = campaign.table(Army)
    plain = table.spelled(re.sub(r"(?<=\D)0+(?=\d)", "", word))
    return plain if plain in table else table.spelled(word)


def _own_force_code(campaign: Campaign, faction: str, word: str) -> str:
    """The code of the faction's Force with a number, if the line gives the number alone; else the word."""
    own = [army.army for army in campaign.table(Army) if word.isdecimal() and army.faction == faction
           and re.fullmatch(rf"\D+0*{int(word)}", army.army)]
    return own[0] if len(own) == 1 else word


def _read_found(campaign: Campaign, fields: dict[str, Any], words: list[str]) -> list[str]:
    """Read V.C., place and order; the words left are the name, with its small words."""
    left: list[str] = []
    for place, word in enumerate(words):
        if fold(word).replace(".", "") == "vc":
            continue
        if place and fold(words[place - 1]).replace(".", "") == "vc":
            fields["vc"] = int(word) if word.isdecimal() else word
        elif _is_place(campaign, fields, word):
            fields["place"] = str(Square().read(word))
        elif _NEW.code(word.replace("-", "_")):
            fields["new_order"] = _NEW.code(word.replace("-", "_"))
        else:
            left.append(word)
    return left


def _trimmed_name(words: list[str]) -> str:
    """A new name without small words before and after it."""
    inside = [place for place, word in enumerate(words) if fold(word) not in _FILLERS]
    return " ".join(words[inside[0]:inside[-1] + 1]) if inside else ""


_READERS: Mapping[str, Callable[[Campaign, dict[str, Any], list[str]], list[str]]] = {
    "order": _order, "move": _move, "sail": _sail, "contact": _contact, "initiative": _initiative,
    "raise": _purchase, "refill": _purchase, "found": _read_found}
