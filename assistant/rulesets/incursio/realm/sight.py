"""What each side has seen: sightings in; rows of Observations out, older ones superseded (rulebook: Knowledge)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.rulesets.incursio.book.sheets import Observation
from assistant.rulesets.incursio.realm.realm import Realm

LINES = ("camp", "garrison")
UNITS = ("enemies", *LINES)
_ENDS = {"empty": (*UNITS, "portal"), "enemies": ("empty", "enemies"), "camp": ("empty", "enemies"),
         "garrison": ("empty", "enemies"), "portal": ("empty",), "structure": ("empty",)}
"""What a new sighting of a kind supersedes in its cell, beside an older one of the same thing."""


def known(realm: Realm, faction: str, node: str, *kinds: str) -> list[Observation]:
    """The sightings of a cell that stand, of some kinds or of all, the oldest first."""
    return realm.seen.where(lambda row: row.faction == faction and row.node == node and row.state == "current"
                            and (not kinds or row.kind in kinds))


def known_of(realm: Realm, faction: str, *kinds: str) -> list[Observation]:
    """All sightings of a faction that stand, of some kinds."""
    return realm.seen.where(lambda row: row.faction == faction and row.state == "current" and row.kind in kinds)


def forget(realm: Realm, rows: Iterable[Observation]) -> None:
    """Sightings that do not stand any more; the next event of the phase tells of them."""
    for row in rows:
        row.state = "superseded"
        realm.touch(row)


def observe(realm: Realm, faction: str, node: str, kind: str, source: str, *, position: int | None = None,
            what: str = "", player: str = "", day: int | None = None) -> None:
    """A faction sees something now, and what it knew otherwise is superseded; `day`: of which an older sighting is."""
    forget(realm, (row for row in known(realm, faction, node)
                   if row.kind in _ENDS[kind] or (row.kind, row.position, row.kind == "structure" and row.what)
                   == (kind, position, kind == "structure" and what)))
    number = int(next(realm.seen.from_the_last(), "0")) + 1
    realm.touch(realm.seen.add(Observation(
        no=number, faction=faction, node=node, kind=kind, position=position, what=what,
        seen_on=realm.today if day is None else day, source=source, player=player)))


def move_forward(realm: Realm, faction: str, node: str, line: str, thrown: Iterable[int], dead: int) -> None:
    """After a battle: what was believed of positions that threw is gone, the rest moves forward by the dead."""
    rows = known(realm, faction, node, line)
    threw = set(thrown)
    forget(realm, rows)
    for row in rows:
        if row.position not in threw and (row.position or 0) - dead > 0:
            observe(realm, faction, node, line, row.source, position=(row.position or 0) - dead, what=row.what,
                    player=row.player, day=row.seen_on)


def changed_hands(realm: Realm, node: str) -> None:
    """A place that changes hands: all that was seen of it before is superseded."""
    forget(realm, realm.seen.where(lambda row: row.node == node and row.state == "current"))
