"""What is wrong with the data of a campaign, and what a new one needs filled in (rulebook: Findings)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import bad_links
from assistant.rulesets.incursio.book import sheets
from assistant.rulesets.incursio.book.printed import complete
from assistant.rulesets.incursio.book.records import MissionType, StructureType
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Day, Faction, Mission, Node, Road, Structure
from assistant.rulesets.incursio.orders.choosing import codes
from assistant.rulesets.incursio.realm.camp import Camp
from assistant.rulesets.incursio.realm.realm import BOTH, Realm
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.orders.naming import as_named

UNKNOWN_REF = "ARB-030"
"""What all rulebooks call a code that is not on its sheet."""


def prepare(campaign: Campaign) -> None:
    """The book's tables where a campaign brings none, a row of the day, the figures of both sides."""
    complete(campaign)
    missions = campaign.table(Mission)
    for begun in [missions.remove(key) for key in list(missions.keys_in_file_order())]:
        begun.mission = as_named(campaign, (MissionType,), begun.mission)  # named before there was a table of names
        missions.add(begun)
    for seen in campaign.table(sheets.Observation).where(lambda row: row.kind == "structure"):
        seen.what = Structure.column("structure").kind.read(seen.what)
    bands = campaign.table(sheets.Army)
    if any(row.army.isdecimal() for row in bands):  # they came without their codes
        Camp(bands).written()
    table = campaign.table(Day)
    if campaign.desk.turn not in table:
        table.add(Day(turn=campaign.desk.turn))
    for row in campaign.table(Faction):
        if row.faction == ESDEF:
            row.coins = row.coins or 0
        elif row.faction == VARANNAH:
            row.side, row.resources, row.power_step = "raiders", row.resources or 0, row.power_step or 0


def check_data(realm: Realm) -> list[Finding]:
    """INC-101 to 109, and structures that are none; these, the last ones and 107 keep every phase from starting."""
    fatal = [*_sides(realm), *_lines(realm), *_kinds(realm)]
    return fatal or [*_places(realm), *_copies(realm), *_pieces(realm)]


def _find(realm: Realm, code: str, sheet: str, row: str, field: str, **data: object) -> Finding:
    return realm.game.find(code, Where(sheet, row, field), **data)


def _sides(realm: Realm) -> Iterator[Finding]:
    """INC-109."""
    sides = {row.faction: row.side for row in realm.factions if row.role != "neutral"}
    generals = [row.faction for row in realm.campaign.table(sheets.Player) if row.role == "general"]
    if sides != {ESDEF: "defenders", VARANNAH: "raiders"} or sorted(generals) != sorted(BOTH):
        yield _find(realm, "INC-109", Faction.sheet, "", "side")


def _lines(realm: Realm) -> Iterator[Finding]:
    """INC-107."""
    rows = list(realm.campaign.table(Road))
    for row, why in bad_links(replace(row, kind="grey") for row in rows):  # a grey one beside a red one is one too many
        yield _find(realm, "INC-107", Road.sheet, row.ident, "b", a=row.a, b=row.b, why=why)
    for row in rows:
        if row.a not in realm.nodes or row.b not in realm.nodes:
            yield _find(realm, "INC-107", Road.sheet, row.ident, "b", a=row.a, b=row.b, why="nowhere")


def _places(realm: Realm) -> Iterator[Finding]:
    """INC-101 to 105."""
    for place in realm.nodes:
        node = place.node
        garrison = codes(realm.camp.garrison(node))
        if place.kind == "settlement":
            if realm.overfull(node, garrison):
                yield _find(realm, "INC-101", Node.sheet, node, "kind", node=node, want=len(garrison),
                            limit=realm.room(node))
            if realm.no_stables(node, garrison):
                yield _find(realm, "INC-102", Node.sheet, node, "kind", node=node)
            if not realm.camp.at(node, ESDEF):
                yield _find(realm, "INC-103", Node.sheet, node, "kind", node=node)
            level = realm.level_of(realm.standing(node))
            if level != place.level:
                yield _find(realm, "INC-105", Node.sheet, node, "level", node=node, level=place.level, want=level)
        elif place.kind == "ruin":
            if not realm.camp.at(node, VARANNAH):
                yield _find(realm, "INC-104", Node.sheet, node, "kind", node=node)
            if str(place.level) not in realm.ruins:
                highest = int(realm.ruin(place).level)
                yield _find(realm, "INC-105", Node.sheet, node, "level", node=node, level=place.level, want=highest)


def _kinds(realm: Realm) -> Iterator[Finding]:
    """ARB-030: what stands or is built is on the sheet of structures."""
    known = realm.types.keys()
    for row in (*realm.structures, *realm.works):
        if row.structure not in realm.types:
            yield Finding(UNKNOWN_REF, "error", Where(row.sheet, row.ident, "structure"), {
                "seen": row.structure, "near": nearest(row.structure, known), "table": StructureType.sheet})


def _copies(realm: Realm) -> Iterator[Finding]:
    """INC-106."""
    for row in realm.structures:
        kind = realm.types.get(row.structure)
        if kind is not None and row.copies > kind.limit:
            yield _find(realm, "INC-106", Structure.sheet, row.ident, "copies", structure=row.structure, k=row.copies,
                        node=row.node, limit=kind.limit)


def _pieces(realm: Realm) -> Iterator[Finding]:
    """INC-108."""
    cells = realm.nodes.keys()
    near = realm.game.map.distances(cells[0]) if cells else {}
    away = next((node for node in cells if node not in near), "")
    if away:
        yield _find(realm, "INC-108", Road.sheet, "", "a", a=cells[0], b=away)
