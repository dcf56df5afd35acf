"""The dossier of a battle: from which a table can be set up without a question (rulebook: Dossier; 3 withdrawal).

It is made when a battle has been explored, and kept on its row: for each side what it may know, for the referee all.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from assistant.rulesets.warriors.book.records import Battle, BattleArmy
from assistant.rulesets.warriors.book.sheets import Unit
from assistant.rulesets.warriors.land.country import Country
from assistant.rulesets.warriors.war.explore import forces_of
from assistant.turn.books.kept_papers import REFEREE_COPY, Line, read, said
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_

NO_ORDER = "none"
QUALITY_ORDER = ("elite", "veteran", "average", "unpredictable", "poor")
FLAGS = ("mounted", "mercenary", "scouts", "wizard")
NEAREST = 10
SPOKEN = {
    "{army}: field equipment worth {points} points.":
        N_("{army}: field equipment worth {points} {points?point|points}."),
    "About {n} figures.": N_("About {n} {n?figure|figures}."),
    "{unit}: {figures} figures": N_("{unit}: {figures} {figures?figure|figures}"),
    "{unit}: {figures} figures, {quality}": N_("{unit}: {figures} {figures?figure|figures}, {quality}"),
    "{unit}: {figures} figures, {quality}; {flags}":
        N_("{unit}: {figures} {figures?figure|figures}, {quality}; {flags}"),
    "{unit}: {figures} figures, {quality}, {points} points each":
        N_("{unit}: {figures} {figures?figure|figures}, {quality}, {points} {points?point|points} each"),
    "{unit}: {figures} figures, {quality}, {points} points each, {flags}":
        N_("{unit}: {figures} {figures?figure|figures}, {quality}, {points} {points?point|points} each, {flags}")}
"""Sentences as workbooks keep them, so that a campaign replays to the same row, and as they are said."""


def papers(land: Country, battle: Battle) -> dict[str, list[Line]]:
    """The dossiers of both sides and of the referee."""
    rows = forces_of(land, battle.battle)
    sides = {side: [row for row in rows if row.side == side] for side in ("A", "D")}
    common = _common(land, battle, rows)
    own = {side: _own(land, battle, side, sides[side]) for side in sides}
    found = {side: [*common, *own[side], *_enemy(land, battle, side, sides["D" if side == "A" else "A"]),
                    *_withdrawal(land, sides[side])] for side in sides}
    return {**found, REFEREE_COPY: [*common, *own["A"], *own["D"], *_withdrawal(land, rows)]}


def _common(land: Country, battle: Battle, rows: Iterable[BattleArmy]) -> list[Line]:
    node, weather = land.nodes[battle.node], land.weather(battle.node)
    where, rules = N_("Where"), N_("The day")
    lines = [said(N_("{node}: {terrain}"), where, node=node.node, terrain=", ".join(node.terrains))]
    if land.map.river(node.node):
        lines.append(said(N_("A river with a bridge.") if land.bridge(node.node) else N_("A river without a bridge."),
                          where))
    if node.marsh:
        lines.append(said(N_("A marsh."), where))
    if node.place != "none":
        held = N_("A {place_kind} held by {holder:the}.") if node.holder else N_("A {place_kind} of nobody.")
        lines.append(said(held, where, place_kind=node.place, holder=node.holder))
    lines.append(said(N_("{weather}; missiles: {missiles}."), rules, weather=weather.weather,
                      missiles=weather.missiles))
    lines.append(said(N_("A battle by night.") if battle.night else
                      N_("A battle by day: at most 8 game turns of two hours."), rules))
    for side, faction in (("A", battle.attacker), ("D", battle.defender)):
        there = sorted((row for row in rows if row.side == side), key=lambda row: row.arrival or 0)
        names = [row.army for row in there]  # those that came first stand first
        lines.append(said(N_("Attacker {faction:the}: {army}") if side == "A" else N_(
            "Defender {faction:the}: {army}"), N_("The sides"), faction=faction, army=names))
    return lines


# --- one's own part -------------------------------------------------------------------------------
def _own(land: Country, battle: Battle, side: str, rows: list[BattleArmy]) -> list[Line]:
    lines, label = list[Line](), N_("Forces")
    for row in rows:
        army = land.armies[row.army]
        text = (N_("{army}: {commander}, V.C. {vc}; no order, reaction {reaction}")
                if row.start_order == NO_ORDER else
                N_("{army}: {commander}, V.C. {vc}; order {order}, reaction {reaction}"))
        lines.append(said(text, label, army=row.army, commander=army.commander or "-", vc=row.start_vc,
                          order=row.start_order, reaction=row.start_reaction))
        lines.append(said(N_("{army} came this turn.") if row.arrival else N_("{army} was there already."), label,
                          army=row.army))
        if row.start_reaction == "confused":
            lines.append(said(N_("{army}: all Units begin disorganised."), label, army=row.army))
        if row.start_reaction == "unsteady":
            lines.append(said(N_("{army}: all Units begin demoralised and disorganised."), label, army=row.army))
        if row.fieldworks:
            lines.append(said("{army}: field equipment worth {points} points.", label, army=row.army,
                              points=row.fieldworks))
        lines += [_unit(unit, N_("Units")) for unit in _in_order(land, row.army)]
    best = max((row.exploration or 0 for row in rows), default=0)
    lines.append(said(N_("Your exploration comes to {total}."), N_("Exploration"), total=best))
    won = battle.band if battle.explorer == side else 0
    for step, text in enumerate((
            N_("You pick your side of the table."), N_("The enemy deploys half his Units first."),
            N_("You pick the time of day, and lay one ambush.")), 1):
        if (won or 0) >= step:
            lines.append(said(text, N_("Exploration")))
    if battle.band and battle.explorer != side:
        lines.append(said(N_("The enemy has explored better: advantage {band}."), N_("Exploration"), band=battle.band))
    return lines


def _in_order(land: Country, army: str) -> list[Unit]:
    """The Units of a Force with figures, the best first."""
    units = [one for one in land.units_of(army) if one.figures]
    return sorted(units, key=lambda one: QUALITY_ORDER.index(one.quality) if one.quality in QUALITY_ORDER else 9)


def _flags(unit: Unit) -> str:
    """What a Unit has or is besides, "" for nothing."""
    return " ".join(name for name in FLAGS if getattr(unit, name))


def _unit(unit: Unit, label: str) -> Line:
    if flags := _flags(unit):
        return said("{unit}: {figures} figures, {quality}, {points} points each, {flags}", label, unit=unit.unit,
                    figures=unit.figures, quality=unit.quality, points=unit.points, flags=flags)
    return said("{unit}: {figures} figures, {quality}, {points} points each", label, unit=unit.unit,
                figures=unit.figures, quality=unit.quality, points=unit.points)


# --- what is known of the enemy -------------------------------------------------------------------
def _enemy(land: Country, battle: Battle, side: str, rows: list[BattleArmy]) -> list[Line]:
    """By the band that was won: the whole number, then Units, then their quality, then what their Forces are about."""
    label, band = N_("The enemy"), (battle.band or 0) if battle.explorer == side else 0
    figures = sum(land.figures(row.army) for row in rows)
    if not band:
        return [said("About {n} figures.", label, n=(figures + NEAREST // 2) // NEAREST * NEAREST)]
    lines = list[Line]()
    for row in rows:
        for unit in _in_order(land, row.army):
            known: dict[str, Any] = {"unit": unit.name or unit.unit, "unit_it": unit.name_it or unit.name or unit.unit,
                                     "figures": unit.figures}
            text = "{unit}: {figures} figures"
            if band > 1:
                known["quality"], text = unit.quality, "{unit}: {figures} figures, {quality}"
            if band > 1 and (flags := _flags(unit)):
                known["flags"], text = flags, "{unit}: {figures} figures, {quality}; {flags}"
            lines.append(said(text, label, **known))
        if band >= len(("side", "half", "ambush")):
            text = (N_("{army}: no order, reaction {reaction}, field works {points}")
                    if row.start_order == NO_ORDER else
                    N_("{army}: order {order}, reaction {reaction}, field works {points}"))
            lines.append(said(text, label,
                              army=row.army, order=row.start_order, reaction=row.start_reaction, points=row.fieldworks))
    return lines


# --- withdrawal -----------------------------------------------------------------------------------
def hours(land: Country) -> list[int]:
    """The modifiers of the Command test, by hour of battle; the last for all later ones."""
    return [int(one) for one in land.rules.withdraw_hours.split(",")]


def odds(needed: int) -> int:
    """The chance of a die to show that or more, in per cent."""
    return round(Fraction(100 * max(0, min(6, 7 - needed)), 6))


def _withdrawal(land: Country, rows: list[BattleArmy]) -> list[Line]:
    label, rules = N_("Withdrawal"), land.rules
    halt = N_("A Unit told to withdraw goes at full speed to its side's line of deployment, and may halt before the "
              "enemy.") if rules.withdraw_halt == "yes" else N_(
        "A Unit told to withdraw goes at full speed to its side's line of deployment, and may halt before the enemy "
        "if the referee agrees.")
    lines = [said(halt, label), said(N_(
        "It does not move to engage, nor slow down for bad ground, nor stop to reorganise; it leaves the table as soon "
        "as a figure crosses the base line (in the form: left by order); if it is engaged it is demoralised."), label),
        said(N_("Missile Units may shoot, but not darken the sky."), label),
        said(N_("General's test: as normal; 0: the order is misunderstood, and if it had been laid down it is in hand "
                "again."), label),
        said(N_("Command test: as normal, with {hours} in hours 1, 2, 3 and later."), label,
             hours=", ".join(f"{hour:+d}" if hour else "0" for hour in hours(land))),
        said(N_("Who has not the rules of these tests at hand may take ours:"), label),
        said(N_("General's test: 1d6, V.C., {first} and {second}; 0 or less: the order is misunderstood, and in hand "
                "again; 1 or 2: a game turn late; 3 or more: obeyed."), label, first=rules.general_minus,
             second=rules.general_withdraw)]
    for vc in sorted({row.start_vc or 0 for row in rows}):
        chances = ", ".join(f"{odds(rules.command_tn - vc - hour)}%" for hour in hours(land))
        lines.append(said(N_("Command test with V.C. {vc}, {needed} or more, in hours 1, 2, 3 and later: {chances}"),
                          label, vc=vc, needed=rules.command_tn, chances=chances))
    return lines


def dossier(land: Country, battle: Battle, faction: str) -> list[Said]:
    """The sentences for a faction's side, or for the referee ("")."""
    if not faction:
        return read(battle.papers.get(REFEREE_COPY), SPOKEN)
    side = next((row.side for row in forces_of(land, battle.battle) if land.faction_of(row.army) == faction), "")
    return read(battle.papers.get(side), SPOKEN)
