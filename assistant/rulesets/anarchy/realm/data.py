"""What must hold of the whole workbook before a phase may start (ANA-911 to 915), and a campaign's first filling-in."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.hexmap import beside, direction, is_hex
from assistant.campaign.record import Record
from assistant.campaign.records import Rule
from assistant.campaign.table import Table
from assistant.rulesets.anarchy.book.findings import FINDINGS
from assistant.rulesets.anarchy.book.records import SIDES, Army, Desk, Faction, Node, Road
from assistant.rulesets.anarchy.book.sheets import Convoy, Noble, Place, Prisoners, Train
from assistant.rulesets.anarchy.book.tables import COMPOSITION, TERRAINS, Numbers
from assistant.rulesets.anarchy.realm.land import board, on_board
from assistant.rulesets.anarchy.realm.realm import Realm
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.messages.house import COMMON

PREFIX = "anarchy."
_LOOKS_LIKE = str.maketrans("OoIl", "0011")
"""Letters that are taken for digits."""
SPANS = {"loyalty": (1, 10), "prestige": (1, 10), "resources": (0, 10)}


def _found(code: str, row: Record, at: str, **data: Any) -> Finding:
    faction = str(getattr(row, "faction", ""))
    return Finding(code, FINDINGS[code].severity, Where(row.sheet, row.ident, at), data, faction)


def check_data(campaign: Campaign, realm: Realm) -> list[Finding]:
    """All findings about levels, groups, hexes and roads."""
    return [*_sides(realm), *_levels(campaign, realm.rules), *_groups(realm), *_map(campaign)]


def _sides(realm: Realm) -> list[Finding]:
    """Every faction plays one of the two sides, or is neutral; where the side is blank its code must say it."""
    return [_found("ANA-913", row, "side", unit=row.faction, x=row.side or "-", field="side")
            for row in realm.factions if realm.side(row.faction) not in SIDES]


def _levels(campaign: Campaign, rules: Numbers) -> list[Finding]:
    found = []
    low = 1 if rules.prestige_clamp == "1-10" else 0
    spans = {**SPANS, "prestige": (low, 10), "resources": (0, rules.resources_max)}
    for record, fields in ((Army, ("loyalty",)), (Noble, ("prestige", "loyalty")), (Place, ("loyalty", "resources"))):
        for row in campaign.table(record):
            for field in fields:
                value = getattr(row, field)
                lo, hi = spans[field]
                if value is not None and not lo <= value <= hi and getattr(row, "state", "") != "dead":
                    found.append(_found("ANA-911", row, field, field=field, x=value, lo=lo, hi=hi))
    return found


def _groups(realm: Realm) -> list[Finding]:
    found = []
    least = min(COMPOSITION["norman"])
    for army in realm.armies:
        if army.state not in ("active", "awaited"):
            continue
        waiting = not army.men and army.size
        if waiting and army.size < least:
            found.append(_found("ANA-915", army, "size", n=army.size))
        heads = army.size if waiting else realm.heads(army)
        if 0 < heads < realm.rules.group_min and not realm.lone(army) and not (waiting and army.size < least):
            found.append(_found("ANA-912", army, "army", unit=army.army, n=heads))
        found += _attachments(realm, army)
    return found


def _attachments(realm: Realm, army: Army) -> list[Finding]:
    found = []
    noble = realm.nobles.get(army.commander) if army.commander else None
    if army.commander and (noble is None or noble.army != army.army):
        found.append(_found("ANA-913", army, "commander", unit=army.army, x=army.commander, field="commander"))
    if army.employer:
        chief = realm.armies.get(army.employer)
        if chief is None or not army.mercenary or chief.employer or chief.army == army.army:
            found.append(_found("ANA-913", army, "employer", unit=army.army, x=army.employer, field="employer"))
    return found


def _ground(nodes: Table[Node], roads: Table[Road]) -> list[Finding]:
    found, hexes = [], board(nodes, roads)
    for node in nodes:
        found += _terrains(node)
        if not is_hex(node.node):
            meant = node.node.translate(_LOOKS_LIKE)
            free = is_hex(meant) and meant not in nodes
            found.append(_found("ANA-914", node, "node", a=node.node, b=node.node, what="code",
                                near=meant if free else ""))
        elif _far_away(node.node, nodes):
            found.append(_found("ANA-914", node, "node", a=node.node, b=node.node, what="hex", near=""))
    for _, road in roads.in_file_order():
        good = is_hex(road.a) and is_hex(road.b) and road.a in hexes and road.b in hexes and direction(road.a, road.b)
        if not good:
            found.append(_found("ANA-914", road, "b", a=road.a, b=road.b))
    return found


def _map(campaign: Campaign) -> list[Finding]:
    found, hexes = list(campaign.made_of(_ground, Node, Road)), campaign.made_of(board, Node, Road)
    for row in (*campaign.table(Army), *campaign.table(Place), *campaign.table(Convoy), *campaign.table(Train),
                *campaign.table(Prisoners)):
        if row.node not in hexes and (row.node or _on_the_map(row)):
            found.append(_found("ANA-914", row, "node", a=row.node, b=row.node, what="hex" if row.node else "blank",
                                near=_hex_meant(row.node, campaign)))
    return found


def _far_away(code: str, nodes: Table[Node]) -> bool:
    """Whether a hex is neither of the printed board nor next door to one that is listed or of the board.

    The board would grow as far as it: one mistyped digit, and all may march where there is no map.
    """
    if on_board(code):
        return False
    near = beside(code)
    return not any(on_board(one) or one in nodes for one in near)


def _terrains(node: Node) -> list[Finding]:
    """Terrains that no rule knows would cost what open ground costs (ARB-026)."""
    return [Finding("ARB-026", COMMON["ARB-026"].severity, Where(Node.sheet, node.node, "terrain"),
                    {"seen": word, "near": nearest(word, TERRAINS), "allowed": ", ".join(TERRAINS)})
            for word in node.terrains if word not in TERRAINS]


def _hex_meant(typed: str, campaign: Campaign) -> str:
    """The hex that was probably meant by a code that is none."""
    nodes, meant = campaign.table(Node), typed.translate(_LOOKS_LIKE)
    return meant if meant in nodes else nearest(typed, nodes.keys())


def _on_the_map(row: Record) -> bool:
    """Whether a row must stand on a hex: groups and goods in play, captives who wait, every place."""
    return getattr(row, "state", "active") in ("active", "awaited", "waiting", "escorted")


# --- a new campaign -----------------------------------------------------------------------------
def fold(campaign: Campaign) -> None:
    """Keys of Rules lose the book's name, the neutrals' faction is known by its side."""
    rules = campaign.table(Rule)
    for key, row in rules.items():
        if key.startswith(PREFIX):
            rules.remove(key)
            row.key = key.removeprefix(PREFIX)
            if row.key not in rules:
                rules.add(row)
    for faction in campaign.table(Faction):
        _sided(faction)


def _sided(faction: Faction) -> None:
    faction.side = faction.side or (faction.faction if faction.faction in ("royal", "angevin", "neutral") else "")
    if faction.side == "neutral" or faction.faction == "neutral":
        faction.side, faction.role = "neutral", "neutral"


def prepare(campaign: Campaign) -> None:
    """Day 0 and the opening, the three sides, the attached where their employers stand."""
    desk = next(iter(campaign.table(Desk)))
    desk.turn = desk.turn or "0"
    desk.phase = desk.phase or ("opening" if desk.turn == "0" else "provisions")
    factions = campaign.table(Faction)
    for faction in factions:
        _sided(faction)
    if not any(f.side == "neutral" for f in factions):
        factions.add(Faction(faction="neutral", name_en="Neutrals (referee)", name_it="Neutrali (arbitro)",
                             side="neutral", role="neutral", colour="#8D6E63"))
    armies = campaign.table(Army)
    for row in (*armies, *campaign.table(Convoy), *campaign.table(Train)):
        chief = armies.get(row.employer if isinstance(row, Army) else row.escort)
        row.node = row.node or (chief.node if chief is not None else "")
    for noble in campaign.table(Noble):
        army = campaign.table(Army).get(noble.army)
        if army is not None and not army.commander and noble.state in ("free", "wounded"):
            army.commander = noble.noble
