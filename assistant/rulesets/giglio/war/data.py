"""What must hold of the whole workbook before a phase may start (GIG-120 to 125), and a campaign's first filling-in."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import Rule
from assistant.campaign.table import Table
from assistant.rulesets.giglio.book import records
from assistant.rulesets.giglio.book.messages import FINDINGS
from assistant.rulesets.giglio.book.records import Alliance, Army, Battle, Desk, Faction, Fleet, Node, Opening, Road
from assistant.rulesets.giglio.book.tables import TABLE34, Numbers, fleets_allowed
from assistant.rulesets.giglio.spring.budget import launch
from assistant.rulesets.giglio.spring.income import first_spring, takings
from assistant.rulesets.giglio.war.war import War
from assistant.rulesets.giglio.winter import opening_row
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import typed_values

START_YEAR = 1500


def _found(code: str, row: Record, field: str, key: str = "", **data: Any) -> Finding:
    where = Where(row.sheet, key or row.ident, field)
    return Finding(code, FINDINGS[code].severity, where, data, str(data.get("faction", "")))


def check_data(campaign: Campaign, rules: Numbers) -> list[Finding]:
    """All findings about the edition, roads, places, armies, fleets and chests."""
    land_and_sea = campaign.made_of(_land_and_sea, Node)
    return [*_edition(campaign), *campaign.made_of(_roads, Road, by=land_and_sea),
            *campaign.made_of(_places, Node, Faction),
            *campaign.made_of(_armies, Faction, Army, by=(rules.max_armies,)),
            *campaign.made_of(_afloat, Army, Fleet, Node), *campaign.made_of(_chests, Faction, Army)]


def _edition(campaign: Campaign) -> list[Finding]:
    """An edition among the Rules that is not the Desk's: only the Desk's counts, and the row says so (ARB-277)."""
    row = campaign.table(Rule).get("edition")
    counts = campaign.desk.edition
    if row is None or row.value == counts or row.value not in records.EDITIONS:
        return []
    return [Finding("ARB-277", "warning", Where(Rule.sheet, row.key, "value"),
                    {"seen": str(row.value), "edition": counts})]


def _land_and_sea(nodes: Table[Node]) -> tuple[frozenset[str], frozenset[str]]:
    sea = frozenset(place.node for place in nodes.where(lambda place: not place.land))
    return frozenset(nodes.keys()) - sea, sea


def _roads(land: frozenset[str], sea: frozenset[str], roads: Table[Road]) -> list[Finding]:
    """About roads between these places: made anew where there are others, not where one is taken."""
    found, seen = [], set()
    for ident, road in roads.in_file_order():
        pair = (*sorted((road.a, road.b)), road.kind)
        if road.a == road.b or pair in seen:
            found.append(_found("GIG-120", road, "b", ident, a=road.a, b=road.b))
        seen.add(pair)
        if not {road.a, road.b} <= land | sea:
            continue
        ashore = {road.a, road.b} <= land
        if (road.kind == "road" and not ashore) or (road.kind == "lane" and ashore):
            found.append(_found("GIG-125", road, "kind", ident, node=f"{road.a}-{road.b}"))
    return found


def _places(nodes: Table[Node], factions: Table[Faction]) -> list[Finding]:
    found, codes = [], frozenset(factions.keys())
    for place in nodes.where(lambda one: one.owner not in codes or one.home not in codes or not one.land):
        for field in ("owner", "home"):
            code = getattr(place, field)
            if code not in codes and (code or place.land):
                found.append(_found("GIG-121", place, field, node=place.node, value=code))
        if not place.land and (place.fortified or place.owner or place.garrison):
            found.append(_found("GIG-125", place, "site", node=place.node))
    for row in factions.where(lambda one: bool(one.capital) and one.capital not in nodes):
        found.append(_found("GIG-121", row, "capital", node=row.capital, value=row.capital))
    return found


def _armies(most: int, factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    counts = Counter(army.faction for army in armies if army.kind == "army")
    return [_found("GIG-122", row, "faction", faction=row.faction, n=counts[row.faction], max=most)
            for row in factions.where(lambda row: counts[row.faction] > most and row.role != "neutral")]


def _afloat(armies: Table[Army], fleets: Table[Fleet], nodes: Table[Node]) -> list[Finding]:
    found = []
    sea = _land_and_sea(nodes)[1]
    afloat = armies.where(lambda army: army.posture == "aboard" or army.node in sea)
    loads = Counter(a.fleet for a in afloat if a.posture == "aboard")
    for army in afloat:
        ships = [f for f in fleets if f.cargo == army.army]
        carried = (len(ships) == 1 and army.posture == "aboard" and loads[army.fleet] <= 1
                   and (ships[0].node, ships[0].faction) == (army.node, army.faction))
        if not carried:
            found.append(_found("GIG-123", army, "node", faction=army.faction, unit=army.army, army=army.army,
                                node=army.node, fleet=army.fleet))
    return found


def _chests(factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    return [*(_found("GIG-124", row, "treasury", what=row.faction, value=row.treasury, faction=row.faction)
              for row in factions.where(lambda row: row.treasury < 0)),
            *(_found("GIG-124", army, "value", what=army.army, value=army.value, faction=army.faction)
              for army in armies.where(lambda army: army.kind == "army" and army.value <= 0))]


# --- a new campaign -----------------------------------------------------------------------------
def fold(campaign: Campaign) -> None:
    """Of a folder the edition among the Rules goes to the Desk, the parties of a treaty into natural order, codes in a
    row are parted by blanks; a battle of the phase that it begins with is open where nothing else is said.
    """
    rules = campaign.table(Rule)
    row = rules.get("edition")
    if row is not None:
        if str(row.value) in records.EDITIONS and campaign.desk.edition == records.EDITIONS[0]:
            campaign.desk.edition = str(row.value)
        if row.value in ("", campaign.desk.edition):  # what contradicts the Desk stays, and is named
            rules.remove("edition")
    treaties = [row for _, row in campaign.table(Alliance).in_file_order()]
    for treaty in treaties:
        treaty.a, treaty.b = sorted((treaty.a, treaty.b), key=natural)
    campaign.put(Table(Alliance, treaties))
    for army in campaign.table(Army).where(lambda row: bool(row.trail)):
        army.trail = " ".join(re.findall(r"[^\s,;>→-]+", army.trail))
    for battle in campaign.table(Battle).where(lambda row: bool(row.side_a and row.side_b)):
        battle.armies_a = re.sub(r"[\s,;]+", " ", battle.armies_a)
        battle.armies_b = re.sub(r"[\s,;]+", " ", battle.armies_b)
        now = campaign.desk.phase == f"r{battle.round}.battle" and battle.turn in ("", campaign.desk.turn)
        battle.status = battle.status or ("open" if now else "")


def prepare_desk(desk: Desk) -> None:
    """The calendar's blanks: year 1500, and the first phase."""
    desk.turn = desk.turn or str(desk.start_year or START_YEAR)
    desk.phase = desk.phase or "income"
    if desk.start_year is None:
        year = int(desk.turn) if desk.turn.isdigit() else START_YEAR
        in_first_campaign = START_YEAR <= year < START_YEAR + 5 and desk.first_spring != "yes"
        desk.start_year = START_YEAR if in_first_campaign else year


def prepare_places(campaign: Campaign) -> None:
    """Neutral faction, homes by prefix, owners by home, walls of fortresses, order of movement, fleets allowed."""
    factions = campaign.table(Faction)
    if not any(f.role == "neutral" for f in factions):
        row = factions.get("N") or factions.add(Faction(faction="N", name_en="Neutral places",
                                                        name_it="Luoghi neutrali", colour="#ffffff"))
        row.role = "neutral"
    for row in factions:
        if row.fleet_cap is None and row.role != "neutral":
            row.fleet_cap = fleets_allowed(row.faction)
    if campaign.desk.phase.startswith("r") and not any(f.move_rank for f in factions):
        players = [row for _, row in factions.in_file_order() if row.role != "neutral"]
        for rank, row in enumerate(players, 1):
            row.move_rank = rank
    for place in campaign.table(Node):
        if place.land:
            code = re.sub(r"[^A-Za-z].*", "", place.node).upper()
            place.home = place.home or (code if code in factions else place.owner)
            place.owner = place.owner or place.home
    table = campaign.table(records.Cell34)
    for (hand, other), outcome in TABLE34.items():
        if f"{hand}/{other}" not in table:
            table.add(records.Cell34(hand=hand, other=other, outcome=outcome))


def prepare_forces(war: War) -> None:
    """Opening chests and armies where the Rules say so, first fleets, what each has at the start."""
    opening = first_spring(war) and war.desk.phase == "income"
    typed = typed_values(war.campaign.table(Rule))
    for faction in war.players() if opening else ():
        if "opening_treasury" in typed and not faction.treasury:
            said = war.rules.opening_treasury
            faction.treasury = int(said) if said.isdigit() else sum(takings(war, faction.faction, 0).values())
        if "opening_army" in typed and not war.armies_of(faction.faction) and faction.capital in war.nodes:
            war.armies.add(Army(army=war.next_army(faction.faction), faction=faction.faction,
                                value=war.rules.opening_army, node=faction.capital))
        if war.rules.fleet_limit_mode != "cap":
            ports = [n.node for n in war.nodes if n.owner == faction.faction and n.port]
            have = sum(1 for f in war.fleets if f.faction == faction.faction)
            for _ in range((faction.fleet_cap or 0) - have if ports else 0):
                launch(war, faction.faction, ports[0])
    start = war.campaign.table(Opening)
    for faction in war.players():
        if faction.faction not in start:
            start.add(opening_row(war, faction.faction))
