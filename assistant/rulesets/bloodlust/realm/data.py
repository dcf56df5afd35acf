"""What must hold of the whole workbook before a phase may start (BLD-080 to 085), and a campaign's first filling-in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Rule
from assistant.rulesets.bloodlust.book.messages import FINDINGS
from assistant.rulesets.bloodlust.book.printed import fill_in
from assistant.rulesets.bloodlust.book.records import Army, Desk, Faction, Node, Road
from assistant.rulesets.bloodlust.book.sheets import Leader, Recruit, Unit, Weapon
from assistant.rulesets.bloodlust.realm.change import MERCENARIES
from assistant.rulesets.bloodlust.realm.realm import complete
from assistant.turn.findings import Finding, Where, found_at
from assistant.turn.numbers import unprefixed

PREFIX = "bloodlust."
FACES = range(1, 7)
RESERVE = "Reserve"
_found = partial(found_at, FINDINGS)


def check_data(campaign: Campaign) -> list[Finding]:
    """All findings about nations, weapons, frontiers, troop tables, units and capitals."""
    return [*_marshals(campaign), *_bearers(campaign), *_frontiers(campaign), *_tables(campaign), *_units(campaign),
            *_capitals(campaign)]


def _marshals(campaign: Campaign) -> Iterator[Finding]:
    none = [row.faction for row in campaign.table(Faction) if row.has_trait("no_marshal")]
    count = Counter(one.faction for one in campaign.table(Leader) if one.rank == "marshal" and one.there)
    for row in campaign.table(Faction):
        if count[row.faction] > (row.faction not in none):
            yield _found("BLD-080", row, "faction", faction=row.faction, n=count[row.faction],
                         list=" ".join(none) or "-")


def _bearers(campaign: Campaign) -> Iterator[Finding]:
    weapons = campaign.by_sheet("Weapons")
    bearers = Counter(row.bearer for row in weapons if row.bearer)
    for leader in campaign.table(Leader):
        mine = [row.weapon for row in weapons if row.bearer == leader.leader]
        borne = weapons.get(leader.weapon)
        if bearers[leader.leader] > 1 or (leader.weapon and (
                borne is None or borne.bearer != leader.leader)) or (mine and not leader.weapon):
            yield _found("BLD-081", leader, "weapon", weapon=leader.weapon or mine[0], leader=leader.leader)


def _frontiers(campaign: Campaign) -> Iterator[Finding]:
    seen: set[frozenset[str]] = set()
    for _, row in campaign.table(Road).in_file_order():
        pair = frozenset((row.a, row.b))
        if len(pair) < 2 or pair in seen:
            yield _found("BLD-082", row, "b", a=row.a, b=row.b)
        seen.add(pair)


def _tables(campaign: Campaign) -> Iterator[Finding]:
    have = {(row.faction, row.roll) for row in campaign.table(Recruit)}
    mercenaries = (MERCENARIES,) if any(code == MERCENARIES for code, _ in have) else ()
    for code in (*(row.faction for row in campaign.table(Faction) if row.alive), *mercenaries):
        for roll in FACES:
            if (code, roll) not in have:
                yield Finding("BLD-083", "error", Where(Recruit.sheet, f"{code}/{roll}", "roll"),
                              {"faction": code, "n": roll}, "" if code == MERCENARIES else code)


def _units(campaign: Campaign) -> Iterator[Finding]:
    armies = campaign.table(Army)
    in_play: list[Unit | Leader] = [*campaign.table(Unit).where(lambda unit: unit.active)]
    in_play += campaign.table(Leader).where(lambda leader: leader.there)
    for one in in_play:
        army = armies.get(one.army)
        if army is not None and army.faction != one.faction:
            yield _found("BLD-084", one, "army", unit=one.ident, f1=one.faction, army=army.army, f2=army.faction)


def _capitals(campaign: Campaign) -> Iterator[Finding]:
    homes = {row.home for row in campaign.table(Node) if row.capital}
    for row in campaign.table(Faction):
        if row.alive and row.faction not in homes:
            yield _found("BLD-085", row, "faction", faction=row.faction)


def prepare(campaign: Campaign) -> None:
    """The first season; owners, morale, reputations and armies that are left out; a Reserve for each nation; the
    printed tables where a campaign brings none; keys of rules without the book's name.
    """
    fill_in(campaign)
    rules = campaign.table(Rule)
    unprefixed(rules, PREFIX, rules.keys_in_file_order())
    desk = next(iter(campaign.table(Desk)))
    desk.turn = desk.turn or "987Sp"
    desk.phase = desk.phase or ("call" if desk.turn.endswith("Sp") else "muster" if desk.turn.endswith("Wi") else (
        "recruit"))
    nodes = campaign.table(Node)
    for node in nodes:
        node.owner = node.owner or node.home
        node.home = node.home or node.owner
    armies = campaign.table(Army)
    for nation in campaign.table(Faction):
        own = [node for node in nodes if node.owner == nation.faction]
        seat = next((node.node for node in own if node.capital and node.home == nation.faction),
                    own[0].node if own else "")
        if f"{nation.faction}-a0" not in armies:
            armies.add(Army(army=f"{nation.faction}-a0", faction=nation.faction, name=RESERVE, node=seat,
                            kind="reserve"))
    if desk.language == "it":
        _in_italian(campaign)
    for unit in campaign.table(Unit):
        unit.army = unit.army or f"{unit.faction}-a0"
    _linked(campaign)
    strengths = Counter(unit.army for unit in campaign.table(Unit) if unit.active)
    for army in armies:
        army.units = strengths[army.army]
    complete(campaign)


def _linked(campaign: Campaign) -> None:
    """Weapons that only their own row, or only the bearer's, says to be borne; their state by bearer and place."""
    leaders, weapons = campaign.table(Leader), campaign.table(Weapon)
    for weapon in weapons:
        bearer = leaders.get(weapon.bearer)
        if bearer is not None:
            weapon.state, bearer.weapon = "borne", bearer.weapon or weapon.weapon
        elif weapon.node and weapon.state == "unplaced":
            weapon.state = "placed"
    for leader in leaders:
        borne = weapons.get(leader.weapon)
        if borne is not None and not borne.bearer:
            borne.bearer, borne.state = leader.leader, "borne"


def _in_italian(campaign: Campaign) -> None:
    """What still has the printed English name, a unit or a Reserve, is called in Italian."""
    names = {(row.faction, row.type, row.name_en): row.called("it") for row in campaign.table(Recruit)}
    for unit in campaign.table(Unit):
        table = MERCENARIES if unit.mercenary else unit.faction
        unit.name = names.get((table, unit.type, unit.name), unit.name)
    for army in campaign.table(Army).where(lambda one: one.kind == "reserve" and one.name == RESERVE):
        army.name = "Riserva"
