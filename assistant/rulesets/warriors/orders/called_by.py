"""Words of a line in, the same words out with a code for each thing that the line calls by its name.

Names may be of several words and the longest counts, as in the lines of other books; a verb, an option or a small word
alone is never a name. Of Forces, Units and boats the faction's own count, of the price list what its people may buy.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Square
from assistant.campaign.record import Record
from assistant.rulesets.warriors.book.records import Faction, Node
from assistant.rulesets.warriors.book.sheets import Army, Boat, Unit, UnitType
from assistant.turn.orders.naming import LONGEST_NAME, by_names
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.words import fold

Records = tuple[type[Record], ...]

COLUMNS: Mapping[type[Record], str] = {Army: "army", Node: "place", Boat: "boat", UnitType: "type", Unit: "unit"}
"""What may be called by its name -> the column in which it is said."""
NAMED: Mapping[str, Records] = {
    "order": (Army,), "move": (Army, Node), "sail": (Army, Boat, Node), "contact": (Army, Node), "initiative": (),
    "raise": (UnitType, Node, Army), "refill": (Unit, Node), "found": (Node,)}
"""Verbs -> the records that a line of each may call by name."""
_BEFORE_PLACE = ("at", "in", "a", "ad", "al", "alla")
"""Small words before the place of a Force that is founded, whose own name may hold that of a place."""


def called_so(campaign: Campaign, faction: str, records: Records, words: list[str]) -> str:
    """The code of the one thing whose name some words are, "" for none; of several that which is still on the map.

    Raises `Refused` (ambiguous) where that does not tell them apart.
    """
    name = " ".join(words)
    codes = [(code, record) for record in records for code in campaign.made_of(by_names, record).get(fold(name), ())
             if _meant(campaign, faction, campaign.table(record)[code])]
    if len(codes) > 1:
        codes = [(code, record) for code, record in codes if _lives(campaign, campaign.table(record)[code])] or codes
    if len(codes) > 1:
        told = [code for code, _ in codes]
        raise Refused("ambiguous", COLUMNS[codes[0][1]], word=name, a=told[0], b=told[1], list=" ".join(told))
    return codes[0][0] if codes else ""


def _meant(campaign: Campaign, faction: str, row: Any) -> bool:
    """Whether a faction's line can mean a row: places are everybody's."""
    if isinstance(row, UnitType):
        club = campaign.table(Faction).get(faction)
        return row.people == "any" or (club is not None and row.people == club.people)
    if isinstance(row, Unit):
        army = campaign.table(Army).get(row.army)
        return army is not None and army.faction == faction
    return isinstance(row, Node) or row.faction == faction


def _lives(campaign: Campaign, row: Any) -> bool:
    """Whether a Force, or that of a Unit, is on the map; true of all else."""
    army = campaign.table(Army).get(row.army) if isinstance(row, Unit) else row
    return not isinstance(army, Army) or army.active


def with_codes(campaign: Campaign, faction: str, verb: str, words: list[str], of_book: Container[str]) -> list[str]:
    """The words behind the verb, with codes for names. `of_book`: the folded words that alone are no name.

    Raises `Refused` (ambiguous) for the name of several things.
    """
    if verb == "found" and any(str(Square().read(word)) in campaign.table(Node) for word in words):
        return words  # the place is said: what sounds like one belongs to the new name
    told, start = list[str](), 0
    while start < len(words):
        after = fold(words[start - 1]) if start else ""
        code, count = "", 1
        if verb != "found" or after in _BEFORE_PLACE:
            code, count = _longest(campaign, faction, NAMED[verb], words[start:start + LONGEST_NAME], of_book)
        told.append(code or words[start])
        start += count
    return told


def _longest(campaign: Campaign, faction: str, records: Records, words: list[str],
             of_book: Container[str]) -> tuple[str, int]:
    """The code of the longest name with which some words begin, and of how many words it is; ("", 1) for none."""
    for count in range(len(words), 0, -1):
        if count == 1 and (fold(words[0]) in of_book or _is_code(campaign, records, words[0])):
            break
        code = called_so(campaign, faction, records, words[:count])
        if code:
            return code, count
    return "", 1


def _is_code(campaign: Campaign, records: Records, word: str) -> bool:
    tables = [campaign.table(record) for record in records]
    return str(Square().read(word)) in campaign.table(Node) or any(table.spelled(word) in table for table in tables)
