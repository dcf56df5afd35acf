"""What must hold of the whole workbook before a phase may start (ANA-911 to 915), and a campaign's first filling-in."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.hexmap import beside, direction, is_hex
from assistant.campaign.records import Rule
from assistant.campaign.table import Table
from assistant.rulesets.anarchy.book.messages import FINDINGS
from assistant.rulesets.anarchy.book.records import Desk, Faction, Node, Road
from assistant.rulesets.anarchy.book.sheets import NEUTRAL, SIDES, Army, Convoy, Noble, Place, Prisoners, Siege, Train
from assistant.rulesets.anarchy.book.tables import COMPOSITION, TERRAINS, Numbers
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.land import MISREAD, PRINTED, board
from assistant.turn.findings import Finding, found_at, nearest
from assistant.turn.messages.house import COMMON
from assistant.turn.numbers import unprefixed

PREFIX = "anarchy."
_found = partial(found_at, FINDINGS)


def check_data(campaign: Campaign, realm: Field) -> list[Finding]:
    """All findings about sides, levels, groups, hexes and roads."""
    sides = [_found("ANA-913", row, "side", unit=row.faction, x=row.side or "-", field="side")
             for row in realm.factions if realm.side(row.faction) not in SIDES]
    return [*sides, *_levels(campaign, realm.rules), *_groups(realm), *_map(campaign)]


def _levels(campaign: Campaign, rules: Numbers) -> Iterator[Finding]:
    low = 1 if rules.prestige_clamp == "1-10" else 0
    spans = {"loyalty": (1, 10), "prestige": (low, 10), "resources": (0, rules.resources_max)}
    for record, fields in ((Army, ("loyalty",)), (Noble, ("prestige", "loyalty")), (Place, ("loyalty", "resources"))):
        for row in campaign.table(record):
            for field in fields:
                value = getattr(row, field)
                lo, hi = spans[field]
                if value is not None and not lo <= value <= hi and getattr(row, "state", "") != "dead":
                    yield _found("ANA-911", row, field, field=field, x=value, lo=lo, hi=hi)


def _groups(realm: Field) -> Iterator[Finding]:
    least = min(COMPOSITION["norman"])
    for army in realm.armies:
        if army.state not in ("active", "awaited"):
            continue
        heads = army.size if army.size and not army.men else realm.heads(army)
        if army.size and not army.men and army.size < least:
            yield _found("ANA-915", army, "size", n=army.size)
        elif 0 < heads < realm.rules.group_min and not realm.lone(army):
            yield _found("ANA-912", army, "army", unit=army.army, n=heads)
        noble, chief = realm.nobles.get(army.commander), realm.armies.get(army.employer)
        if army.commander and (noble is None or noble.army != army.army):
            yield _found("ANA-913", army, "commander", unit=army.army, x=army.commander, field="commander")
        if army.employer and (chief is None or not army.mercenary or chief.employer or chief is army):
            yield _found("ANA-913", army, "employer", unit=army.army, x=army.employer, field="employer")


def _ground(nodes: Table[Node], roads: Table[Road]) -> list[Finding]:
    found, hexes = list[Finding](), board(nodes, roads)
    for node in nodes:
        # a terrain that no rule knows would cost what open ground costs
        found += [found_at(COMMON, "ARB-026", node, "terrain", seen=word, near=nearest(word, TERRAINS),
                           allowed=", ".join(TERRAINS)) for word in node.terrains if word not in TERRAINS]
        meant = node.node.upper().translate(MISREAD)
        if not is_hex(node.node):
            found.append(_no_hex(node, "code", meant if is_hex(meant) and meant not in nodes else ""))
        elif node.node not in PRINTED and not any(one in PRINTED or one in nodes for one in beside(node.node)):
            # the board would grow as far as it: one mistyped digit, and all may march where there is no map
            found.append(_no_hex(node, "hex", ""))
    return found + [_found("ANA-914", road, "b", a=road.a, b=road.b) for _, road in roads.in_file_order()
                    if road.a not in hexes or road.b not in hexes or not direction(road.a, road.b)]


def _map(campaign: Campaign) -> Iterator[Finding]:
    yield from campaign.made_of(_ground, Node, Road)
    nodes, hexes = campaign.table(Node), campaign.made_of(board, Node, Road)
    standing: list[Any] = [row for record in (Army, Place, Convoy, Train, Prisoners) for row in campaign.table(record)]
    for row in standing:
        in_play = getattr(row, "state", "active") in ("active", "awaited", "waiting", "escorted")
        if row.node not in hexes and (row.node or in_play):
            meant = row.node.upper().translate(MISREAD)
            yield _no_hex(row, "hex" if row.node else "blank",
                          meant if meant in nodes else nearest(row.node, nodes.keys()))


def _no_hex(row: Any, what: str, near: str) -> Finding:
    return _found("ANA-914", row, "node", a=row.node, b=row.node, what=what, near=near)


# --- a new campaign -----------------------------------------------------------------------------
def fold(campaign: Campaign) -> None:
    """Keys of Rules lose the book's name, the neutrals' faction is known by its side."""
    rules = campaign.table(Rule)
    unprefixed(rules, PREFIX, rules.keys())
    _take_sides(campaign)


def _take_sides(campaign: Campaign) -> None:
    for faction in campaign.table(Faction):
        faction.side = faction.side or (faction.faction if faction.faction in SIDES else "")
        if NEUTRAL in (faction.side, faction.faction):
            faction.side = faction.role = NEUTRAL


def prepare(campaign: Campaign) -> None:
    """Day 0 and the opening, the three sides, the attached where their employers stand."""
    desk = next(iter(campaign.table(Desk)))
    desk.turn = desk.turn or "0"
    desk.phase = desk.phase or ("opening" if desk.turn == "0" else "provisions")
    factions = campaign.table(Faction)
    _take_sides(campaign)
    if not any(f.side == "neutral" for f in factions):
        factions.add(Faction(faction="neutral", name_en="Neutrals (referee)", name_it="Neutrali (arbitro)",
                             side="neutral", role="neutral", colour="#8d7068"))
    armies = campaign.table(Army)
    for row in (*armies, *campaign.table(Convoy), *campaign.table(Train)):
        chief = armies.get(row.employer if isinstance(row, Army) else row.escort)
        row.node = row.node or (chief.node if chief is not None else "")
    for place in campaign.table(Place):  # its lord's side holds a castle (5.3)
        lord = campaign.table(Noble).get(place.lord)
        club = factions.get(lord.faction) if lord is not None and place.castle and place.exists else None
        place.holder = place.holder or (club.side if club is not None and club.side != NEUTRAL else "")
    for row in armies:  # who lies before a castle besieges it, also where no siege is listed
        castle = campaign.table(Place).get(row.besieging)
        if row.active and castle is not None and castle.castle and castle.place not in campaign.table(Siege):
            club = factions.get(row.faction)
            campaign.table(Siege).add(Siege(place=castle.place, besieger=club.side if club is not None else "",
                                            started_on=int(desk.turn) if desk.turn.isdecimal() else 0, state="on",
                                            resources_at_start=castle.resources))
    for noble in campaign.table(Noble):
        army = campaign.table(Army).get(noble.army)
        if army is not None and not army.commander and noble.state in ("free", "wounded"):
            army.commander = noble.noble
