"""Where the unit or place of an order is, and what is near to it, on maps of roads, of squares and of hexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from assistant.campaign import hexmap
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref
from assistant.campaign.map import Map
from assistant.campaign.records import Army, Node, Road
from assistant.campaign.squaremap import SquareMap
from assistant.campaign.tables import Record

R = TypeVar("R", bound=Record)
OUT_OF_REACH = 10_000


def place_of_order(campaign: Campaign, fields: Mapping[str, Any]) -> str:
    """Where the first thing stands that an order names: a place itself, that of a row, or that of the army or place
    which a row names; "" for none.
    """
    codes = [code for name, code in fields.items() if name != "verb" and isinstance(code, str) and code]
    return next((place for code in codes if (place := _place_of(campaign, code))), "")


def _place_of(campaign: Campaign, code: str) -> str:
    if code in campaign.table(Node):
        return code
    for record in campaign.records().values():
        row: Any = None if record.grows or record.single else campaign.by_sheet(record.sheet).get(code)
        if row is None:
            continue
        if getattr(row, "node", ""):
            return str(row.node)
        named = [str(getattr(row, column.name)) for column in record.columns()
                 if isinstance(column.kind, Ref) and not column.key]
        place = next((word for word in named if word in campaign.table(Node)), "")
        return place or next((army.node for army in campaign.table(Army) if army.army in named), "")
    return ""


def nearest_first(campaign: Campaign, faction: str, fields: Mapping[str, Any], rows: Iterable[R]) -> list[R]:
    """Rows by how far their places are from what an order names; where nobody knows, those of a faction first."""
    here = place_of_order(campaign, fields)
    far = distance_from(campaign, here)
    return sorted(rows, key=lambda row: far(str(getattr(row, "node", ""))) if here else faction not in row.owners)


def distance_from(campaign: Campaign, here: str) -> Callable[[str], float]:
    """How far it is from a place to another."""
    squares = campaign.derive(SquareMap.of, Node)
    if here in squares:
        return lambda there: squares.distance(here, there) if there in squares else OUT_OF_REACH
    if hexmap.is_hex(here):
        return lambda there: hexmap.distance(here, there) if hexmap.is_hex(there) else OUT_OF_REACH
    far = roads_of(campaign).distances(here) if here else {}
    return lambda there: far.get(there, OUT_OF_REACH)


def neighbours(campaign: Campaign, here: str, kind: str) -> list[str]:
    """The places next to one: by links of a kind ("" for any), or on a map of squares those that touch it."""
    by_road = roads_of(campaign).neighbours(here, *([kind] if kind else []))
    squares = campaign.derive(SquareMap.of, Node)
    return by_road or (squares.neighbours(here) if here in squares else [])


def roads_of(campaign: Campaign) -> Map:
    """The map, built once for all campaigns with the same places and roads."""
    return campaign.derive(Map, Road, by=(tuple(campaign.table(Node).keys_in_file_order()),))


def place_of_unit(campaign: Campaign, fields: Mapping[str, Any], faction: str = "") -> str:
    """Where the unit stands that an order names, "" where it names none or nobody knows. `faction`: whose it must be.
    """
    unit, *_ = [*str(fields.get("unit") or fields.get("army") or fields.get("subject") or "").split(), ""]
    rows: list[Any] = [row for table in campaign.tables().values() if unit and (row := table.get(unit)) is not None]
    rows += [leader for row in rows if (leader := campaign.by_sheet(Army.sheet).get(getattr(row, "army", "")))]
    return next((str(row.node) for row in rows if getattr(row, "node", None) and (
        not faction or faction in row.owners)), "")
