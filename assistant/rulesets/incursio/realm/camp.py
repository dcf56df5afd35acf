"""The units on the map, one by one: rows of Armies in; who stands where and in which line; bands out again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from assistant.campaign.table import Table
from assistant.rulesets.incursio.book.sheets import ESDEF, Army
from assistant.rulesets.incursio.realm.units import joined, read_units, split_units


@dataclass(eq=False)
class Unit:
    """One unit. `returns`: the day on whose dusk it goes, None where it stays; `used`: the order that takes it in this
    moment; `driven`: whether it was driven off today; `gone`: an accepted line leads it elsewhere.
    """

    code: str
    faction: str
    node: str
    posture: str = "open"
    returns: int | None = None
    fought: str = ""
    used: str = ""
    driven: bool = False
    gone: bool = False

    @property
    def band(self) -> str:
        """The code of the band to which it belongs: faction, cell, posture, day of return, whether it fought."""
        cell = f"{int(self.node):02}" if self.node.isdecimal() else self.node
        day = f"-r{self.returns}" if self.returns is not None else ""
        return f"{self.faction[:1].upper()}{cell}{self.posture[:1]}{day}{self.fought[:1]}"


def _line_key(unit: Unit) -> tuple[bool, int, bool]:
    """Who stays comes first, then by day of return; inside each those that have not fought."""
    return (unit.returns is not None, unit.returns or 0, bool(unit.fought))


class Camp:
    """All units, in the order in which they came to where they are; a band that was made earlier stands before."""

    def __init__(self, table: Table[Army]) -> None:
        self._table = table
        rows = sorted(table, key=lambda row: row.made or 0)
        self.units = [Unit(code, row.faction, row.node, row.posture if row.faction == ESDEF else "open",
                           row.returns_on, row.fought)
                      for row in rows for code in read_units(row.units, row.faction) or split_units(row.units)]

    # --- who stands where ---------------------------------------------------------------------------
    def at(self, node: str, faction: str) -> list[Unit]:
        """All units of a faction in a cell."""
        return [unit for unit in self.units if unit.node == node and unit.faction == faction]

    def garrison(self, node: str) -> list[Unit]:
        """The garrison of a settlement, position 1 first."""
        return [unit for unit in self.at(node, ESDEF) if unit.posture == "garrison"]

    def outside(self, node: str, faction: str) -> list[Unit]:
        """The outsiders of a faction in a cell, as they stand in defence."""
        return sorted((unit for unit in self.at(node, faction) if unit.posture == "open"), key=_line_key)

    def line(self, node: str, faction: str) -> list[Unit]:
        """Garrison, then outsiders: who can be spied."""
        return [*(self.garrison(node) if faction == ESDEF else ()), *self.outside(node, faction)]

    def cells(self, faction: str) -> set[str]:
        """Where a faction has units."""
        return {unit.node for unit in self.units if unit.faction == faction}

    # --- changes ---------------------------------------------------------------------------------------
    def move(self, units: Iterable[Unit], **where: Any) -> None:
        """Units come somewhere, in this order, at the rear; `where`: the fields that change."""
        moving = list(units)
        self.remove(moving)
        for unit in moving:
            for name, value in where.items():
                setattr(unit, name, value)
            self.units.append(unit)

    def remove(self, units: Iterable[Unit]) -> None:
        """Units are no more."""
        gone = set(map(id, units))
        self.units = [unit for unit in self.units if id(unit) not in gone]

    def make(self, codes: Iterable[str], faction: str, node: str, returns: int | None = None) -> list[Unit]:
        """New units stand outside in a cell."""
        made = [Unit(code, faction, node, returns=returns) for code in codes]
        self.units += made
        return made

    def written(self) -> dict[str, list[Army | str]]:
        """Write the bands as they are now: faction -> the rows that changed, and the names of those that are gone."""
        bands: dict[str, list[Unit]] = {}
        for unit in self.units:
            bands.setdefault(unit.band, []).append(unit)
        changed: dict[str, list[Army | str]] = {}
        made = max((row.made or 0 for row in self._table), default=0)
        for key in list(self._table.keys_in_file_order()):
            if key not in bands:
                row = self._table.remove(key)
                changed.setdefault(row.faction, []).append(f"{Army.sheet}/{key}")
        for key, units in bands.items():
            first, text = units[0], joined(unit.code for unit in units)
            old = self._table.get(key)
            if old is None:
                made += 1
                old = self._table.add(Army(army=key, faction=first.faction, node=first.node, posture=first.posture,
                                           returns_on=first.returns, fought=first.fought, made=made))
            if old.units != text:
                old.units = text
                changed.setdefault(first.faction, []).append(old)
        return changed
