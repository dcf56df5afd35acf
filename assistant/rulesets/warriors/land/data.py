"""A campaign's first filling-in, older forms of its files, and what must hold before a phase starts (WAR-701 to 710).

See rulebook: Records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref
from assistant.campaign.record import Record
from assistant.campaign.records import Rule, called
from assistant.campaign.squaremap import misplaced, spot
from assistant.campaign.table import Table
from assistant.rulesets.warriors.book.findings import FINDINGS
from assistant.rulesets.warriors.book.records import TURN, Desk, Node, Order, Road
from assistant.rulesets.warriors.book.sheets import Army, Boat, Climate, Relation, Unit, UnitType, Zone
from assistant.rulesets.warriors.book.tables import DEFAULTS
from assistant.rulesets.warriors.land.country import NO_ORDER, Country
from assistant.turn.findings import Finding, found_at
from assistant.turn.numbers import unprefixed

PREFIX = "fantasy."
USUAL_VC = range(1, 5)
ALL_OVER = "all"
"""The zone of squares of which no other is said, temperate."""
FIRST = ("weather", "orders")
"""The phases with which a campaign may begin."""
_found = partial(found_at, FINDINGS)


def fold(campaign: Campaign) -> None:
    """Keys of rules with the book's name before them; rows of Orders without a number, which count as they stand; the
    Italian word for a turn.
    """
    rules = campaign.table(Rule)
    unprefixed(rules, PREFIX, rules.keys())
    last: Counter[tuple[str, str]] = Counter()
    for _, order in campaign.table(Order).in_file_order():
        if order.phase.casefold() in ("", "turno"):
            order.phase = TURN
        whose = (order.turn, order.faction)
        if order.seq is None:
            order.seq = last[whose] + 1
        last[whose] = max(last[whose], order.seq if isinstance(order.seq, int) else 0)


def prepare(campaign: Campaign, first: str) -> None:
    """What a new campaign needs: turn and phase, its tables, places of squares, strengths at the start."""
    desk = next(iter(campaign.table(Desk)))
    desk.turn, desk.phase = desk.turn or "1", desk.phase or first
    for record, rows in DEFAULTS:
        table: Table[Any] = campaign.table(record)
        if not len(table):
            for values in rows:
                table.add(record.from_values(values))
            _by_codes(campaign, record, called(table))
    for node in campaign.table(Node):
        place = spot(node)
        if place is not None:
            node.x, node.y = place
        if node.place != "none":
            node.founder = node.founder or node.territory
            if desk.turn == "1" and not node.holder:
                node.holder = node.founder
    for unit in campaign.table(Unit):
        if unit.figures_start is None:
            unit.figures_start = unit.figures
    without = campaign.table(Node).where(lambda one: not one.zone)
    for node in without:
        node.zone = ALL_OVER
    if without and ALL_OVER not in campaign.table(Zone):
        campaign.table(Zone).add(Zone(zone=ALL_OVER, name="All", name_it="Tutto"))
    for army in campaign.table(Army):
        army.order = army.order or ("explore" if army.reaction == "none" else NO_ORDER)


def _by_codes(campaign: Campaign, of: type[Record], known: dict[str, str]) -> None:
    """Who names rows of a table that was left out by their Italian names means its codes."""
    for record in (Node, Zone):
        for name in (c.name for c in record.columns() if isinstance(c.kind, Ref) and c.kind.table == of.sheet):
            for row in campaign.table(record):
                setattr(row, name, known.get(getattr(row, name).casefold(), getattr(row, name)))


def check_data(land: Country) -> list[Finding]:
    """All findings about words, squares, links, places, Forces and relations."""
    return [*_words(land), *_squares(land), *_factions(land), *_forces(land), *_relations(land.campaign)]


def _words(land: Country) -> Iterator[Finding]:
    """WAR-701: words that no table and no column knows."""
    campaign = land.campaign
    choices: tuple[tuple[type[Record], str], ...] = (
        (Unit, "quality"), (UnitType, "quality"), (Boat, "kind"), (Road, "kind"))
    for record, name in choices:
        kind = record.column(name).kind
        assert isinstance(kind, Choice)
        for row in campaign.table(record):
            if getattr(row, name) not in kind.options:
                yield _found("WAR-701", row, name, value=getattr(row, name))
    terrains = campaign.by_sheet("Terrains")
    for node in land.nodes:
        for name in ("terrain", "terrain2"):
            if getattr(node, name) and getattr(node, name) not in terrains:
                yield _found("WAR-701", node, name, value=getattr(node, name))
    climates = campaign.table(Climate)
    for zone in land.zones:
        if zone.climate not in climates:
            yield _found("WAR-701", zone, "climate", value=zone.climate)
        if zone.weather and zone.weather not in campaign.by_sheet("Weather table"):
            yield _found("WAR-701", zone, "weather", value=zone.weather)


def _squares(land: Country) -> Iterator[Finding]:
    """WAR-702, 703: squares that lie on one another or nowhere, links that join what does not touch."""
    for node, other in misplaced(land.nodes):
        yield _found("WAR-702", node, "x", a=other or node.node, b=node.node)
    seen: Counter[tuple[frozenset[str], str]] = Counter()
    for road in land.roads:
        pair = (frozenset((road.a, road.b)), road.kind)
        seen[pair] += 1
        if not land.map.touch(road.a, road.b) or seen[pair] > 1:
            yield _found("WAR-703", road, "b", road=road.road, a=road.a, b=road.b)


def _factions(land: Country) -> Iterator[Finding]:
    """WAR-704, 709, 710: one capital, one commander-in-chief, a founder for each place; that each has one, and no more
    points than agreed, is asked of a campaign that has not begun, of who has places, where others have theirs.
    """
    begins = land.turn == 1 and land.desk.phase in FIRST
    crowned, led = any(one.place == "capital" for one in land.nodes), any(one.chief for one in land.active())
    for node in land.nodes:
        if node.place != "none" and not node.founder:
            yield _found("WAR-704", node, "founder", faction=node.node, n=0)
    for row in land.players():
        capitals = sum(one.place == "capital" and one.founder == row.faction for one in land.nodes)
        settled = begins and any(one.founder == row.faction and one.place != "none" for one in land.nodes)
        if capitals > 1 or (settled and crowned and not capitals):
            yield _found("WAR-704", row, "faction", faction=row.faction, n=capitals)
        own = [one for one in land.active() if one.faction == row.faction]
        chiefs = sum(one.chief for one in own)
        if chiefs > 1 or (settled and led and own and not chiefs):
            yield _found("WAR-709", row, "faction", faction=row.faction, n=chiefs)
        cost = sum(land.strength(one.army) + one.vc * land.rules.commander_cost for one in own)
        if begins and cost > (land.rules.army_points or cost):
            yield _found("WAR-710", row, "faction", faction=row.faction, n=cost, most=land.rules.army_points)


def _forces(land: Country) -> Iterator[Finding]:
    """WAR-705, 706, 708: Forces in the water, unusual V.C., order and reaction at once."""
    for army in land.armies:
        if army.active and land.map.water(army.node) and not army.aboard:
            yield _found("WAR-705", army, "node", army=army.army)
        if army.vc not in USUAL_VC and army.active:
            yield _found("WAR-706", army, "vc", vc=army.vc)
        both = (army.order == NO_ORDER) != (army.reaction != "none")
        if both and army.active and not (army.reaction != "none" and land.rules.order_under_reaction == "kept"):
            yield _found("WAR-708", army, "reaction", army=army.army)


def _relations(campaign: Campaign) -> Iterator[Finding]:
    """WAR-707: two rows for the same two factions."""
    rows = sorted(campaign.table(Relation), key=lambda row: tuple(sorted((row.a, row.b))))
    for one, other in pairwise(rows):
        if {one.a, one.b} == {other.a, other.b}:
            yield _found("WAR-707", other, "b", a=other.a, b=other.b)
