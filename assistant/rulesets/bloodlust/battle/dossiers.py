"""The dossier of a battle: what a side knows in; sentences for the table out (rulebook: Ambush, Skills, Strength)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from assistant.campaign.records import Event
from assistant.rulesets.bloodlust.battle.forms import ATTACKER, DEFENDER, SIDES, Fought, retreat_mods
from assistant.rulesets.bloodlust.book.printed import in_words
from assistant.rulesets.bloodlust.book.records import Battle
from assistant.rulesets.bloodlust.book.sheets import ArmyType, Attribute, Leader, Recruit, Unit
from assistant.rulesets.bloodlust.realm.change import MERCENARIES
from assistant.rulesets.bloodlust.realm.people import LUCKY_CAPTAIN
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.turn.ruleset import Said
from assistant.turn.texts import N_
from assistant.turn.throws.luck import percent

SEASONS = {"Sp": "spring", "Su": "summer", "Fa": "fall", "Wi": "winter"}
STAKES = {
    "field": N_("A field battle."), "levy": N_("A field battle against a local lord's army."),
    "open": N_("An open battle: if the attacker loses, the defender takes {start:the} as well."),
    "meeting": N_("A meeting: no defensive works, no ambush, no fort; whoever loses here loses his start as well."),
    "relief": N_("A relief: the besiegers defend."),
}
"""What is at stake, by kind of battle."""
GROUNDS = {
    "winter": N_("Winter: one attack die less in melee."),
    "jungle": N_("Jungle: two attack dice less in melee."),
    "swamp": N_("Swamp: three attack dice less in melee."),
}
"""What costs dice (ME), by the skill that ignores it."""
SKILLS = {
    "wood": N_("Wood, no penalty when fighting in woodland: {units}."),
    "swamp": N_("Swamp, no penalty when fighting in a swamp: {units}."),
    "jungle": N_("Jungle, no penalty when fighting in the jungle: {units}."),
    "desert": N_("Desert, no penalty when fighting in the desert: {units}."),
    "desert snow": N_("Desert, no penalty when fighting in winter or snow: {units}."),
    "winter": N_("Winter, no penalty when fighting in winter or snow: {units}."),
    "slow": N_("Slow, movement 1 less: {units}."),
    "fast": N_("Fast, movement 1 more: {units}."),
    "defensive 1": N_("Defensive, may build defences when defending; in melee an attack die less and a defence die "
                      "more: {units}."),
    "defensive -1": N_("Defensive, may build defences when defending; in melee an attack die and a defence die less: "
                       "{units}."),
    "guerilla once": N_("Guerilla, 1 more for an ambush of one's own, once a side: {units}."),
    "guerilla each": N_("Guerilla, 1 more for an ambush of one's own for each unit: {units}."),
    "siege": N_("Siege, REP 1 higher in a siege (where this is one the REP above has it): {units}."),
    "offensive": N_("Offensive, REP 1 higher when the army attacks (then the REP above has it); in melee an attack "
                    "die more and a defence die less: {units}."),
    "armored": N_("Armored, deploys as usual, never in ambush: {units}."),
}
"""What skills do on the table (SK, ME), some by a switch; Light counts in upkeep alone."""
OFF_THE_TABLE = "light"


def dossier(f: Realm, row: Battle, faction: str) -> list[Said]:
    """Both sides' commanders, and of one's own side all that is needed at the table; of the referee's copy both.

    Nothing for a nation that is not there.
    """
    battle = Fought(f, row)
    mine = [side for side in SIDES if not faction or faction in f.parties(row, side)]
    if not mine:
        return []
    return [*_common(f, battle), *(said for side in SIDES for said in _commanders(f, battle, side, known=side in mine)),
            *_zones(f, all_known=len(mine) == len(SIDES)), *(said for side in mine for said in _own(f, battle, side))]


def _common(f: Realm, battle: Fought) -> Iterator[Said]:
    row = battle.row
    node = f.provinces[row.node]
    yield Said(N_("{node:the}, {terrain}, {season}."), {"node": node.node, "terrain": node.terrain,
                                                        "season": SEASONS[f.season]}, N_("Where"))
    yield Said(STAKES[row.kind or "field"], {"start": row.start_node}, N_("At stake"))
    if node.fort and row.kind not in ("meeting", "relief"):
        yield Said(N_("There is a fort, into which an orderly retreat of the defender leads."), {}, N_("At stake"))
    if row.raid:
        yield Said(N_("A raid: whoever wins, the province stays its owner's."), {}, N_("At stake"))
    if row.kind != "meeting" and f.rules.table_roles == "rolled":
        yield Said(N_("Each side throws the WR of its lead, +1 with a Scout; the higher attacks on the table, the "
                      "invader if equal. The other adds +1 for Guerilla, +1 for Ambush, -1 for Ever ready and +1 for "
                      "Never ready on the other side: strictly more is an ambush. Then the attacker deploys in "
                      "sections 2, 5 and 8, the ambusher anywhere but 5, at least 18\" away; Armored units as usual."),
                   {}, N_("Roles"))
    for told in f.campaign.table(Event).where(lambda one: one.event == "arrayed"):
        if told.data["battle"] == row.battle:
            yield Said(N_("The attacker has {n} {n?unit|units}, {m} of them mounted; the defender {k}, {l} of them "
                          "mounted."), {name: told.data[name] for name in "nmkl"}, N_("At stake"))
    yield Said(N_("A commander who falls on the table lies in a coma until the battle is over."), {}, N_("At stake"))


def zone(f: Realm, leader: Leader) -> int:
    """The zone of command of a commander in inches (CC, ST, WK)."""
    rules, has = f.rules, f.attributes(leader)
    factor = rules.zoc_charisma if "charisma" in has else rules.zoc_poor if "poor_charisma" in has else rules.zoc_factor
    return factor * leader.reputation + (rules.zoc_unremarkable if "unremarkable" in has else 0)


def _zone_changes(f: Realm, leader: Leader, label: str) -> Iterator[Said]:
    """What a commander's attributes, as far as they are known, have changed in his zone of command."""
    rules, has = f.rules, f.attributes(leader)
    told = {"leader": leader.leader, "j": rules.zoc_factor}
    if "charisma" in has:
        yield Said(N_("{leader} has Charisma: the zone is {n} {n?time|times} the reputation, not {j}."),
                   {**told, "n": rules.zoc_charisma}, label)
    elif "poor_charisma" in has:
        yield Said(N_("{leader} has Poor charisma: the zone is {n} {n?time|times} the reputation, not {j}."),
                   {**told, "n": rules.zoc_poor}, label)
    if "unremarkable" in has:
        yield Said(N_("{leader} is Unremarkable: {n}\" on the zone."),
                   {"leader": leader.leader, "n": f"{rules.zoc_unremarkable:+d}"}, label)


def _zones(f: Realm, *, all_known: bool) -> Iterator[Said]:
    """What a zone of command does, and what may have changed those of commanders whose attributes are not known."""
    rules, label = f.rules, N_("Zone of command")
    yield Said(N_("Units within the zone of command of their commander add 1 to their morale tests."), {}, label)
    if not all_known:
        yield Said(N_("Charisma makes it {n} {n?time|times} the reputation, not {j}, Poor charisma {m}; "
                      "Unremarkable counts {c}\". Of the other side you see only what its weapons give."),
                   {"n": rules.zoc_charisma, "j": rules.zoc_factor, "m": rules.zoc_poor,
                    "c": f"{rules.zoc_unremarkable:+d}"}, label)


def _commanders(f: Realm, battle: Fought, side: str, *, known: bool) -> Iterator[Said]:
    """The armies of a side with their starts, and its commanders. `known`: whether their attributes are."""
    label = N_("Attacker") if side == ATTACKER else N_("Defender")
    yield Said(N_("{faction:the}: {armies}."), {"faction": battle.head[side], "armies": " ".join(battle.armies[side])},
               label)
    for army, _, start in (word.partition("=") for word in battle.row.starts.split()):
        if army in battle.armies[side] and start:
            yield Said(N_("{army} comes from {start:the}."), {"army": army, "start": start}, label)
    text = N_("{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}\".") if known else N_(
        "{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}\" unless attributes that you do not know "
        "change it.")
    for leader in battle.cincs[side]:
        yield Said(text, {"leader": leader.leader, "rank": leader.rank, "n": leader.reputation, "w": f.wr_now(leader),
                          "z": zone(f, leader)}, label)
        yield from _zone_changes(f, leader, label)
        if leader.rank == "marshal":
            yield Said(N_("{leader} is a Star and Larger than Life, as every marshal."), {"leader": leader.leader},
                       label)


def _own(f: Realm, battle: Fought, side: str) -> Iterator[Said]:
    row, label = battle.row, N_("Your side")
    inside = side == DEFENDER and f.besieged(row.node)
    printed = {(one.faction, one.type): one.called(f.desk.language) for one in f.campaign.table(Recruit)}
    for unit in battle.units[side]:
        kind = printed.get((MERCENARIES if unit.mercenary else unit.faction, unit.type), unit.type)
        text = N_("{unit}: REP {n}, morale {m}, AC {c}, {arms}.") if unit.name == kind else N_(
            "{unit}, {text}: REP {n}, morale {m}, AC {c}, {arms}.")
        rep = unit.rep + (unit.has("siege") and (row.kind == "relief" or inside)) + (
            unit.has("offensive") and side == ATTACKER)
        yield Said(text, {"unit": unit.unit, "text": kind, "n": rep, "m": f.morale_now(unit), "c": unit.ac,
                          "arms": [*unit.arm.split(), *(one for one in unit.skills.split() if not _explained(f, one))]},
                   label)
    yield from _skills(f, battle.units[side], label)
    yield from _hampered(f, battle, side)
    yield from _roles(f, battle, side)
    known = {one.code: one for one in f.campaign.table(Attribute)}
    for leader in battle.cincs[side]:
        for code in f.attributes(leader):
            if code == LUCKY_CAPTAIN:
                yield Said(N_("{leader} is Larger than Life."), {"leader": leader.leader}, label)
                continue
            trait = known.get(code)
            told = {"text": in_words(trait, "en"), "text_it": in_words(trait, "it")} if trait else {"text": code}
            yield Said(N_("{leader}, {text}."), {"leader": leader.leader, **told}, label)
    if f.rules.attr_fail_at != "0" and any(f.attributes(leader) for leader in battle.cincs[side]):
        yield Said(N_("A test of an attribute with one success has failed, too."), {}, label)
    types = {one.roll: one for one in f.campaign.table(ArmyType)}
    letter = f.nations[battle.head[side]].army_type
    if types:
        yield Said(N_("Army type {text}, by a die."), {"text": f"{letter}: " + ", ".join(
            f"{roll} {getattr(types[roll], letter)}" for roll in sorted(types))}, label)
    yield _retreat(f, battle, side)
    if f.self_run(battle.head[side]):
        yield Said(N_("Once {n}% of its units are routed or destroyed {faction:the} may order it."),
                   {"n": f.rules.npc_retreat_pct, "faction": battle.head[side]}, label)


def _explained(f: Realm, skill: str) -> str:
    """The key of the text that says what a skill does; "" for one that somebody has typed and no book knows."""
    by_switch = {"defensive": f"defensive {f.rules.def_unit_dice}", "guerilla": f"guerilla {f.rules.guerilla_stack}",
                 "desert": "desert snow" if f.rules.desert_skill == "snow" else "desert"}
    key = by_switch.get(skill, skill)
    return key if key in SKILLS or key == OFF_THE_TABLE else ""


def _skills(f: Realm, units: list[Unit], label: str) -> Iterator[Said]:
    """What the skills of some units do on the table, and who has each."""
    known = {_explained(f, skill): skill for unit in units for skill in unit.skills.split()}
    for key, text in SKILLS.items():
        if key in known:
            yield Said(text, {"units": " ".join(unit.unit for unit in units if unit.has(known[key]))}, label)


def _hampered(f: Realm, battle: Fought, side: str) -> Iterator[Said]:
    """Who is exhausted, and where season and terrain cost dice."""
    units, label = battle.units[side], N_("Your side")
    tired = " ".join(unit.unit for unit in units if unit.exhausted)
    if tired:
        yield Said(N_("Exhausted, with one morale less: {units}."), {"units": tired}, label)
    for skill in ("winter",) * (f.season == "Wi") + (f.provinces[battle.row.node].terrain,):
        if skill in GROUNDS:
            yield Said(GROUNDS[skill], {}, label)
    if f.rules.desert_dice and f.provinces[battle.row.node].terrain == "desert":
        yield Said(N_("Desert: {n} attack {n?die|dice} less in melee."), {"n": f.rules.desert_dice}, label)


def lead_rep(f: Realm, battle: Fought, side: str) -> int:
    """What the lead of a side adds to the REP of the unit that he is with (ST, WK)."""
    has, row = f.attributes(battle.lead[side]), battle.row
    siege = row.kind == "relief" or (side == DEFENDER and f.besieged(row.node))
    by_side = {ATTACKER: ("attack_expert" in has) - ("lazy_attacker" in has), DEFENDER: int("defensive_expert" in has)}
    return by_side[side] + (siege and "siege_master" in has)


def ambush(f: Realm, battle: Fought, side: str) -> dict[str, int]:
    """What a side brings to the throws before a battle: `dice`, `scout`; `own`, what it adds to an ambush of its own,
    and `theirs`, to one of the other side (AM).
    """
    has = {code for leader in battle.cincs[side] for code in f.attributes(leader)}
    guerilla = sum(unit.has("guerilla") for unit in battle.units[side])
    if f.rules.guerilla_stack == "once":
        guerilla = min(1, guerilla)
    return {"dice": battle.lead_wr(side), "scout": int("scout" in has), "own": guerilla + ("ambush" in has),
            "theirs": ("never_ready" in has) - ("ever_ready" in has)}


def _roles(f: Realm, battle: Fought, side: str) -> Iterator[Said]:
    """What the side's own throws for the roles and an ambush come to, and its lead's unit."""
    label, more, lead = N_("Your side"), lead_rep(f, battle, side), battle.lead[side]
    if lead is not None and more:
        text = (N_("The unit that {leader} is with fights with REP {n} higher.") if more > 0 else
                N_("The unit that {leader} is with fights with REP {n} lower."))
        yield Said(text, {"leader": lead.leader, "n": abs(more)}, label)
    if battle.row.kind == "meeting":
        return
    has = ambush(f, battle, side)
    if f.rules.table_roles == "rolled":
        yield Said(N_("{faction:the}, for who attacks: {n} {n?die|dice}, {m} added."), {
            "faction": battle.head[side], "n": has["dice"], "m": has["scout"]}, label)
    if battle.units[side] and all(unit.has("armored") for unit in battle.units[side]):
        yield Said(N_("All units are Armored: no ambush."), {}, label)
    else:
        yield Said(N_("An ambush of one's own: {n} added; one of the other side: {m}."), {
            "n": has["own"], "m": has["theirs"]}, label)


def _retreat(f: Realm, battle: Fought, side: str) -> Said:
    """The odds of a retreat, by its rows (RT)."""
    n, change = battle.lead_wr(side), sum(retreat_mods(f, battle.units[side], battle.cincs[side]).values())
    odds = {"orderly": 0, "elite_only": 0, "disbands": 0}
    for hits in range(n + 1):
        row = "orderly" if hits + change >= 2 else "elite_only" if hits + change == 1 else "disbands"
        odds[row] += comb(n, hits)
    shown = {row: percent(Fraction(ways, 2 ** n)) for row, ways in odds.items()}
    return Said(N_("A retreat of {faction:the}: {n} {n?die|dice}, {m} {m?success|successes} added; in order {a},"
                   " only the Elite {b}, disbands {c}."),
                {"faction": battle.head[side], "n": n, "m": change, "a": shown["orderly"], "b": shown["elite_only"],
                 "c": shown["disbands"]}, N_("Your side"))


__all__ = ["ambush", "dossier", "lead_rep", "zone"]
