"""What is lost: sites that demons come upon, settlements that fall, ruins that are purified (rulebook: Battles)."""

from __future__ import annotations

from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Node, Structure
from assistant.rulesets.incursio.realm.realm import BOTH, Realm, cell

AT_THE_PLACE = ("refugees", "drill", "watch")
"""Missions that end with the settlement where they are."""
TENTH = 10
"""The share of the people, in a hundred, that the captives of the table of levels are."""


def raze(realm: Realm, node: str) -> None:
    """Demons stand on bare ground: what the defenders have or build there is destroyed."""
    if realm.is_site(node):
        _destroyed(realm, node)
        realm.tell("site_razed", list(BOTH), "COS", node=cell(node))


def _destroyed(realm: Realm, node: str) -> None:
    """Structures are gone, works lost; half of their cost comes back where the switch says so."""
    for row in realm.structures.where(lambda row: row.node == node):
        realm.structures.remove(row.ident)
        realm.touch(row)
    chest = realm.factions[ESDEF]
    for work in realm.in_work(node):
        work.state = "lost"
        chest.coins = (chest.coins or 0) + (work.cost // 2 if realm.rules.build_refund == "half" else 0)
        realm.touch(work, chest)


def fall(realm: Realm, place: Node, battle: str = "") -> int:
    """A settlement falls to demons: captives at once, and ruins whatever its level was; the captives."""
    level = place.level
    captives = captives_of(realm, place)
    _destroyed(realm, place.node)
    for mission in realm.missions.where(lambda row: row.target == place.node and row.state in ("running", "due")
                                        and row.mission in AT_THE_PLACE):
        mission.state = "failed"
        realm.tell("mission_ended", [ESDEF], "M2", touch=[mission], player=mission.player, mission=mission.mission,
                   result="failed")
    place.kind, place.level, place.refugees = "ruin", 1 if realm.power >= 7 else 0, 0
    place.ruined_on = realm.today
    raiders = realm.factions[VARANNAH]
    raiders.resources = (raiders.resources or 0) + captives
    realm.tell("settlement_fell", "all", "POT", touch=[place], node=cell(place.node), level=level)
    realm.tell("captives_taken", [VARANNAH], "POT", touch=[raiders], node=cell(place.node), resources=captives)
    return captives


def captives_of(realm: Realm, place: Node) -> int:
    """What the level's row says; where the switch says another share than the printed tenth, that share of its people,
    half up.
    """
    row, percent = realm.level(place), realm.rules.capture_percent
    return row.captives if percent == TENTH else (row.population * percent + 50) // 100


def purify(realm: Realm, place: Node) -> None:
    """Soldiers take a ruin: it is bare ground again, and no settlement."""
    place.kind, place.level, place.ruined_on = "empty", 0, None
    realm.tell("ruin_purified", "all", "FON", touch=[place], node=cell(place.node))


def stand(realm: Realm, node: str, structure: str) -> Structure:
    """One more copy of a structure stands in a cell."""
    row = realm.structures.get(f"{node}/{structure}")
    if row is None:
        return realm.structures.add(Structure(node=node, structure=structure, copies=1))
    row.copies += 1
    return row
