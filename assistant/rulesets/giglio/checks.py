"""Checks of the whole workbook before a phase starts: edition, roads, places, armies, fleets, chests."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.campaign.tables import Record, Table
from assistant.rulesets.giglio import WAY, both
from assistant.rulesets.giglio.records import EDITIONS, Army, Faction, Fleet, Node, Road
from assistant.turn.findings import Finding, Message, Where

FINDINGS = (
    Message("GIG-120", "error",
            both("The road {a} {b} stands here twice, or leads to itself. Delete the row.",
                 "La strada fra {a:il} e {b:il} compare due volte, o torna da dove parte. Cancella la riga."),
            means=WAY),
    Message("GIG-121", "error",
            both("{node}: the code '{value}' in the column {column} is unknown. Type one of Factions or Nodes.",
                 "{node}: la sigla '{value}' nella colonna {column} è sconosciuta. Scrivine una di Fazioni o Nodi.")),
    Message("GIG-122", "error",
            both("{faction:the} {faction?has|have} {n} {n?army|armies}; {max} {max?is|are} allowed. Delete or unite "
                 "some.",
                 "{faction:il} {faction?ha|hanno} {n} {n?armata|armate}; il massimo è {max}. Cancellane o uniscine.")),
    Message("GIG-123", "error",
            both("{army} is at sea and no fleet carries it alone. Write it as the cargo of one own fleet there.",
                 "{army} è in mare e nessuna flotta la porta da sola. Scrivila come carico di una flotta tua lì.")),
    Message("GIG-124", "error",
            both("{what} has {value} {value?ducat|ducats}: a chest holds 0 or more, an army 1 or more. Correct the "
                 "number.",
                 "{what} ha {value} {value?ducato|ducati}: una cassa ne ha da 0 in su, un'armata da 1 in su. "
                 "Correggi il numero.")),
    Message("GIG-125", "error",
            both("{node}: a sea area has no walls, owner or garrison, a road touches no sea. Correct the row.",
                 "{node}: un mare non ha mura, padrone né guarnigione, e una strada non tocca il mare. Correggi la "
                 "riga.")),
)


def _finding(code: str, row: Record, field: str, key: str = "", **data: Any) -> Finding:
    where = Where(row.sheet, key or row.ident, field)
    return Finding(code, "error", where, data, str(data.get("faction", "")))


def check_campaign_data(campaign: Campaign, max_armies: int, holds: tuple[str, ...]) -> list[Finding]:
    """All findings about the edition, roads, places, armies, fleets and chests. `holds`: as of the board."""
    land_and_sea = campaign.made_of(_land_and_sea, Node)
    return [*_edition_findings(campaign), *campaign.made_of(_road_findings, Road, by=land_and_sea),
            *campaign.made_of(_place_findings, Node, Faction),
            *campaign.made_of(_army_findings, Faction, Army, by=(max_armies,)),
            *campaign.made_of(_findings_afloat, Army, Fleet, Node, by=(holds,)),
            *campaign.made_of(_chest_findings, Faction, Army)]


def _edition_findings(campaign: Campaign) -> list[Finding]:
    """Report an edition among the Rules that is not the Desk's: only the Desk's counts (ARB-277)."""
    row = campaign.table(Rule).get("edition")
    counts = campaign.desk.edition
    if row is None or row.value == counts or row.value not in EDITIONS:
        return []
    return [Finding("ARB-277", "warning", Where(Rule.sheet, row.key, "value"),
                    {"seen": str(row.value), "edition": counts})]


def _land_and_sea(nodes: Table[Node]) -> tuple[frozenset[str], frozenset[str]]:
    sea = frozenset(place.node for place in nodes.where(lambda place: not place.land))
    return frozenset(nodes.keys()) - sea, sea


def _road_findings(land: frozenset[str], sea: frozenset[str], roads: Table[Road]) -> list[Finding]:
    """Roads that are doubled, lead to themselves, or are of the wrong kind (GIG-120, 125)."""
    findings, seen = [], set()
    for ident, road in roads.in_file_order():
        pair = (*sorted((road.a, road.b)), road.kind)
        if road.a == road.b or pair in seen:
            findings.append(_finding("GIG-120", road, "b", ident, a=road.a, b=road.b))
        seen.add(pair)
        if not {road.a, road.b} <= land | sea:
            continue
        ashore = {road.a, road.b} <= land
        if (road.kind == "road" and not ashore) or (road.kind == "lane" and ashore):
            findings.append(_finding("GIG-125", road, "kind", ident, node=f"{road.a}-{road.b}"))
    return findings


def _place_findings(nodes: Table[Node], factions: Table[Faction]) -> list[Finding]:
    findings, codes = [], frozenset(factions.keys())
    for place in nodes.where(lambda node: node.owner not in codes or node.home not in codes or not node.land):
        for field in ("owner", "home"):
            code = getattr(place, field)
            if code not in codes and (code or place.land):
                findings.append(_finding("GIG-121", place, field, node=place.node, value=code))
        if not place.land and (place.fortified or place.owner or place.garrison):
            findings.append(_finding("GIG-125", place, "site", node=place.node))
    for row in factions.where(lambda faction: bool(faction.capital) and faction.capital not in nodes):
        findings.append(_finding("GIG-121", row, "capital", node=row.capital, value=row.capital))
    return findings


def _army_findings(most: int, factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    counts = Counter(army.faction for army in armies if army.is_army)
    return [_finding("GIG-122", row, "faction", faction=row.faction, n=counts[row.faction], max=most)
            for row in factions.where(lambda row: counts[row.faction] > most and row.role != "neutral")]


def _findings_afloat(
    holds: tuple[str, ...], armies: Table[Army], fleets: Table[Fleet], nodes: Table[Node]
) -> list[Finding]:
    findings = []
    sea = _land_and_sea(nodes)[1]
    afloat = armies.where(lambda army: army.posture == "aboard" or army.node in sea)
    loads = Counter(a.fleet for a in afloat if a.posture == "aboard")
    for army in afloat:
        ships = [fleet for fleet in fleets for hold in holds if getattr(fleet, hold) == army.army]
        carried = (len(ships) == 1 and army.posture == "aboard" and loads[army.fleet] <= len(holds)
                   and (ships[0].node, ships[0].faction) == (army.node, army.faction))
        if not carried:
            findings.append(_finding("GIG-123", army, "node", faction=army.faction, unit=army.army, army=army.army,
                                   node=army.node, fleet=army.fleet))
    return findings


def _chest_findings(factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    return [*(_finding("GIG-124", row, "treasury", what=row.faction, value=row.treasury, faction=row.faction)
              for row in factions.where(lambda row: row.treasury < 0)),
            *(_finding("GIG-124", army, "value", what=army.army, value=army.value, faction=army.faction)
              for army in armies.where(lambda army: army.is_army and army.value <= 0))]
