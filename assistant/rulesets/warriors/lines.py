"""What people say for the orders of Warriors, and what they call its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.rulesets.warriors.records import Army, Boat, Faction, Node, Unit, UnitType
from assistant.turn.orders.phrases import BUILD, COME_IN, GO, PUT, RAISE
from assistant.turn.orders.requests import Refused
from assistant.turn.orders.words import codes_by_name, fold

# What people say in sentences for the verbs and the things.


IF_ATTACKED = ("attacked", "contacted", "attaccata", "attaccato", "attack", "attaccare", "enemy", "nemico", "nemici",
               "meet", "meets", "come", "show up", "appear", "find", "trovare", "qualcuno", "somebody", "anyone",
               "someone", "incontrare", "contact", "se", "if", "when", "quando", "case", "caso", "venire",
               "viene", "do", "fare", "get", "stand", "gets attacked", "under attack", "sotto attacco")
LIKE: Mapping[str, tuple[str, ...]] = {
    "order": (*PUT, "change order", "go over", "cambiare ordine", "passare", "order", "switch", "change", "cambiare",
              "go", "get", "give", "receive", "become", "ricevere", "dare", "diventare", "on", "mettersi", "andare",
              "prepare", "turn", "set about", "start"),
    "move": (*GO, *COME_IN),
    "sail": ("sail", "navigare", "salpare", "embark", "imbarcarsi", "take", "prendere", "row", "remare", "aboard",
             "board", "imbarcare", "by boat", "via acqua", *GO),
    "contact": IF_ATTACKED,
    "initiative": ("move", "go", "muovere", "andare", "act", "agire", "play", "giocare", "giocare", "order",
                   "iniziativa"),
    "raise": (*RAISE, "figures", "figure", "unit", "unità", "join", "buy", "comprare"),
    "refill": ("refill", "reinforce", "replace", "fill up", "top up", "rinforzare", "rimpiazzare", "reintegrare",
               "rimpolpare", "figures", "figure", "men", "uomini", "soldati", "reinforcements", "rinforzi", "add",
               "aggiungere", "più", "in più", "get", "receive",
               "ricevere", "replacement", "rimpiazzo", "rincalzo"),
    "found": (*BUILD, "found a new Force", "new Force", "found", "called", "named", "fondare una nuova Forza",
              "nuova Forza", "fondare", "chiamata", "di nome", "force", "forza", "vc", "v.c", "v.c.", "command",
              "comando", "create", "creare", "command value", "valore di comando", "worth"),
}
"""Verb -> by what else people say it."""


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """Forces by their commanders."""
    for army in campaign.table(Army):
        if army.commander:
            yield army.commander, Army, army.army


COLUMNS: Mapping[type[Record], str] = {Army: "army", Node: "place", Boat: "boat", UnitType: "type", Unit: "unit"}
"""Records with names -> the column for their code."""


def code_of_name(campaign: Campaign, faction: str, records: tuple[type[Record], ...], words: list[str]) -> str:
    """The code of the thing with that name, "" for none; of several the one still on the map.

    Raises `Refused` (ambiguous) if there is more than one.
    """
    name = " ".join(words)
    codes = [
        (code, record)
        for record in records
        for code in campaign.made_of(codes_by_name, record).get(fold(name), ())
        if can_mean(campaign, faction, campaign.table(record)[code])
    ]
    if len(codes) > 1:
        codes = [
            (code, record) for code, record in codes if _is_on_map(campaign, campaign.table(record)[code])
        ] or codes
    if len(codes) > 1:
        told = [code for code, _ in codes]
        raise Refused("ambiguous", COLUMNS[codes[0][1]], word=name, a=told[0], b=told[1], list=" ".join(told))
    return codes[0][0] if codes else ""


def can_mean(campaign: Campaign, faction: str, row: Any) -> bool:
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
