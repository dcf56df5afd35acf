"""Meetings: who has the hand, what both choose, what table 34 makes of it (rulebook: 3c Engagement, Who meets whom)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from string import ascii_lowercase
from typing import Any

from assistant.campaign.order import in_natural_order, natural
from assistant.rulesets.giglio.book.records import Army, Battle, Cell34, Contact, Specialist
from assistant.rulesets.giglio.book.tables import HAND, SIDE, TABLE34
from assistant.rulesets.giglio.spring.treaties import mark
from assistant.rulesets.giglio.war.war import War
from assistant.rulesets.giglio.war.ways import arrived, follow, go_back, previous
from assistant.turn.answers.answer_kinds import Codes
from assistant.turn.game import ALL, REFEREE, Ask
from assistant.turn.throws.among import won
from assistant.turn.throws.dice import Roll


# --- listing (the last step of the marches) -----------------------------------------------------
def list_contacts(war: War) -> None:
    """One contact for each hostile pair in each land node (rulebook: Who meets whom)."""
    found = []
    for place in war.with_markers():
        here = in_natural_order({a.faction for a in war.at(place.node) if war.blocks(a)})
        for a, b in combinations(here if place.land else (), 2):
            if war.hostile(a, b):
                hand = hand_of(war, place.node, a, b)
                other = b if hand == a else a
                found.append(Contact(contact=f"C{war.year}.{war.round}.{place.node}.{hand}-{other}", year=war.year,
                                     round=war.round, node=place.node, hand=hand, other=other))
    for row in sorted(found, key=partial(in_order, war)):
        if row.contact in war.contacts:  # left by hand: as it is now
            war.contacts.remove(row.contact)
        war.contacts.add(row)
        war.tell("contact.met", ALL, touch=[row], node=row.node, hand=row.hand, other=row.other)


def in_order(war: War, row: Contact) -> tuple[object, ...]:
    """Sort key of contacts: rank of the hand, natural order of node, rank of the other."""
    return war.rank(row.hand), natural(row.hand), natural(row.node), war.rank(row.other), natural(row.other)


def hand_of(war: War, node: str, a: str, b: str) -> str:
    """Who is *di mano* (switch hand_side); the lower place in the order of movement comes first."""
    first, second = sorted((a, b), key=lambda f: (war.rank(f), natural(f)))
    about = f"C{war.year}.{war.round}.{node}.{first}-{second}"
    mode = war.rules.hand_side
    if mode == "order":
        return first
    if mode == "umpire":
        return war.game.choose(Ask("hand", REFEREE, about, (first, second), "", {"node": node}))
    if mode == "random":
        winner, rolls = won((first, second), lambda faction, again: war.roll(
            HAND(war.year, war.round, node, first, second, faction, again=again), war.circle(first, second)))
        war.tell("contact.hand", [first, second], roll=rolls, node=node, faction=winner)
        return winner
    entered = [f for f in (first, second) if any(arrived(a)[:2] == (war.year, war.round) for a in war.force(node, f))]
    before = (c.hand for c in war.met(war.round - 1) if c.node == node and {c.hand, c.other} == {a, b})
    return entered[0] if len(entered) == 1 else first if entered else next(before, first)


# --- choices ------------------------------------------------------------------------------------
FIGHTS = {"battle_hand": ("hand", "field"), "battle_other": ("other", "field"), "meeting": ("hand", "meeting"),
          "pursuit_hand": ("hand", "rearguard"), "pursuit_other": ("other", "rearguard")}
"""Outcomes of table 34 that are fought out -> who attacks, and the kind of battle."""
GO_BACK = {"hand_back": ("hand",), "other_back": ("other",), "both_back": ("hand", "other"),
           "hand_back_shut": ("hand",)}
SHUT_IN = ("shut_in", "hand_back_shut")


@dataclass
class Meeting:
    """A contact with both forces, their ways back and what they chose."""

    row: Contact
    forces: dict[str, list[Army]]
    ways: dict[str, dict[str, str]]
    chosen: dict[str, str] = field(default_factory=dict)

    def foe(self, faction: str) -> str:
        """The other side."""
        return self.row.other if faction == self.row.hand else self.row.hand

    def only_diplomats(self, faction: str) -> bool:
        """Whether the force has no army."""
        return all(a.kind == "diplomat" for a in self.forces[faction])

    @property
    def stuck(self) -> set[str]:
        """Who chose to go back and cannot."""
        return {f for f, choice in self.chosen.items() if choice == "retreat" and not all(self.ways[f].values())}


def contact(war: War) -> None:
    """Spies, secret choices, table 34 (rulebook: 3c Engagement)."""
    if not war.met(war.round):
        list_contacts(war)  # a campaign that begins here has not had the marches that list them
    rows = sorted((c for c in war.met(war.round) if not c.outcome), key=partial(in_order, war))
    meetings = [m for m in (_meeting(war, row) for row in rows) if all(m.forces.values())]
    reports = spy(war, meetings)
    _ask_choices(war, [m for m in meetings if not all(m.only_diplomats(f) for f in m.forces)], reports)
    _resolve_all(war, meetings)


def _meeting(war: War, row: Contact) -> Meeting:
    forces = {f: war.force(row.node, f) for f in (row.hand, row.other)}
    ways = {f: _ways(war, force, row.other if f == row.hand else row.hand) for f, force in forces.items()}
    return Meeting(row, forces, ways)


def _ways(war: War, force: list[Army], foe: str) -> dict[str, str]:
    """Each marker's way back, "" for none; a ship takes one of them."""
    found: dict[str, str] = {}
    ships: set[str] = set()
    for army in force:
        node = previous(war, army, foe)
        if node and not war.nodes[node].land:
            node = "" if army.fleet in ships else node
            ships.add(army.fleet)
        found[army.army] = node
    return found


def spy(war: War, meetings: list[Meeting]) -> dict[str, list[dict[str, Any]]]:
    """What each faction's spies see before any choice is made (table 33): reports by faction."""
    enemies: dict[str, list[Army]] = {}
    for meeting in meetings:
        for faction in meeting.forces:
            seen = enemies.setdefault(faction, [])
            seen += [a for a in meeting.forces[meeting.foe(faction)] if a not in seen]
    spies = {faction: war.active(faction, "spy") for faction in sorted(enemies, key=natural)}
    looks = {faction: enemies[faction][:len(men)] for faction, men in spies.items() if men}
    asks: dict[str, Ask] = {}
    for faction, seen in looks.items():
        names, k = [a.army for a in enemies[faction]], len(seen)
        if len(names) > k:
            asks[faction] = Ask("spy", faction, "", tuple(names), " ".join(names[:k]),
                                {"k": k, "list": " ".join(names)}, answer=Codes(k))
    for faction, chosen in zip(asks, war.game.codes_all(list(asks.values())), strict=True):
        looks[faction] = [a for a in enemies[faction] if a.army in chosen]
    return {faction: _report(war, spies[faction], seen) for faction, seen in looks.items()}


def _report(war: War, men: list[Specialist], seen: list[Army]) -> list[dict[str, Any]]:
    told = []
    for man, army in zip(men, seen, strict=False):
        if war.rules.spy_uses == "once":
            man.status = "spent"
            war.touch(man)
        row = war.tell("spy.report", [man.faction], army=army.army, kind=army.kind, value=army.value)
        told.append({"event": row.event, "data": row.data})
    return told


def options_of(war: War, meeting: Meeting, faction: str) -> tuple[str, ...]:
    """What a side may choose, in the printed order (rulebook: Choices)."""
    row, force = meeting.row, meeting.forces[faction]
    options = ["stop"]
    if all(meeting.ways[faction].values()) or war.rules.retreat_impossible != "stop":
        options.append("retreat")
    if not meeting.only_diplomats(faction) and not any(a.leaderless == war.round for a in force):
        options.append("attack")
    place = war.nodes[row.node]
    if faction == row.other and place.fortified and place.owner and not war.hostile(place.owner, faction):
        options.append("shut_in")
    return tuple(options)


def _ask_choices(war: War, meetings: list[Meeting], reports: dict[str, list[dict[str, Any]]]) -> None:
    sides = [(meeting, faction, meeting.foe(faction)) for meeting in meetings for faction in meeting.forces]
    chosen = war.game.choose_all([
        Ask("choice", faction, f"{meeting.row.node}/{foe}", options_of(war, meeting, faction), "stop",
            {"node": meeting.row.node, "opponent": foe}, tuple(
                r for r in reports.get(faction, []) if r["data"]["army"] in {a.army for a in meeting.forces[foe]}))
        for meeting, faction, foe in sides])
    for (meeting, faction, _), word in zip(sides, chosen, strict=True):
        meeting.chosen[faction] = word


# --- table 34 -----------------------------------------------------------------------------------
def _resolve_all(war: War, meetings: list[Meeting]) -> None:
    engaged: set[tuple[str, str]] = set()
    for meeting in meetings:
        row = meeting.row
        row.choice_hand, row.choice_other = meeting.chosen.get(row.hand, ""), meeting.chosen.get(row.other, "")
        if not engaged.isdisjoint((row.node, faction) for faction in meeting.forces):
            row.outcome = "lapsed"
            war.tell("contact.lapsed", [row.hand, row.other], "3c", touch=[row], node=row.node)
            continue
        if not meeting.chosen:
            row.outcome = "bluff_both"
        else:
            war.tell("contact.choices", [row.hand, row.other], touch=[row], node=row.node, hand=row.choice_hand,
                     other=row.choice_other, hand_faction=row.hand, other_faction=row.other)
            row.outcome = _outcome(war, meeting)
            engaged |= {(row.node, f) for f in _apply(war, meeting)}
        _unmask(war, meeting)


def _outcome(war: War, meeting: Meeting) -> str:
    """The cell of table 34, after retreats that cannot be made (switch retreat_impossible)."""
    row, stuck = meeting.row, meeting.stuck
    for faction, choice in meeting.chosen.items():
        if choice == "attack":
            mark(war, faction, meeting.foe(faction), "attack")
    if stuck and war.rules.retreat_impossible == "battle":
        return "battle_other" if row.hand in stuck else "battle_hand"
    if war.rules.retreat_impossible == "destroyed":  # whatever the other side chose; `_back` does it
        if row.hand in stuck and row.choice_other not in ("retreat", "shut_in"):
            return "hand_back"
        if row.other in stuck and row.choice_hand != "retreat":
            return "other_back"
    cell = war.campaign.table(Cell34).get(f"{row.choice_hand}/{row.choice_other}")
    return cell.outcome if cell is not None else TABLE34[row.choice_hand, row.choice_other]


def _apply(war: War, meeting: Meeting) -> set[str]:
    """Carry out the outcome; returns the factions that are engaged by it."""
    row, outcome = meeting.row, meeting.row.outcome
    if outcome in FIGHTS:
        side, kind = FIGHTS[outcome]
        attacker = getattr(row, side)
        return _fight(war, meeting, attacker, meeting.foe(attacker), kind)
    engaged: set[str] = set()
    for side in GO_BACK.get(outcome, ()):
        engaged |= _back(war, meeting, getattr(row, side))
    if outcome in SHUT_IN:
        for army in [*meeting.forces[row.other], *war.envoys(row.node, row.other)]:
            army.posture = "shut_in"
            war.tell("army.shut_in", ALL, touch=[army], army=army.army, faction=row.other, node=row.node)
        engaged.add(row.other)
    return engaged


def _back(war: War, meeting: Meeting, faction: str) -> set[str]:
    """A force goes back, or is lost without a way; envoys go with armies (rulebook: Table 33: specialists)."""
    force, ways = meeting.forces[faction], meeting.ways[faction]
    if not all(ways.values()):  # offered only where retreat_impossible is "destroyed"
        for army in force:
            war.lose_army(army, "no retreat", "3c")
        return {faction}
    armies = [a for a in force if a.kind == "army"]
    by_land = any(war.nodes[ways[a.army]].land for a in armies)
    led = [a for a in force if a.kind == "diplomat" and by_land]
    for army in force:
        if army not in led:
            go_back(war, army, ways[army.army], "3c t34")
    for envoy in [*led, *war.envoys(meeting.row.node, faction)]:
        follow(war, envoy, armies or force, "3c t34")
    return {faction}


def _fight(war: War, meeting: Meeting, attacker: str, defender: str, kind: str) -> set[str]:
    """A battle for the table, unless the side that is attacked is diplomats only (rulebook: Table 33: specialists)."""
    row = meeting.row
    if meeting.only_diplomats(defender):
        if kind == "rearguard":
            row.outcome = "diplomat_back"
            return _back(war, meeting, defender)
        row.outcome = "diplomat_taken"
        for army in meeting.forces[defender]:
            war.lose_army(army, "captured diplomat", "t33")
        return {defender}
    rolls: list[Roll] = []
    ident, pick = next_battle(war, row.node), ""
    if kind == "meeting":
        circle = war.circle(attacker, defender)
        pick, rolls = won((attacker, defender), lambda faction, again: war.roll(
            SIDE(ident, faction, again=again), circle))
        attacker, defender = pick, meeting.foe(pick)
    sides = {f: [a for a in meeting.forces[f] if a.kind == "army"] for f in (attacker, defender)}
    battle = war.battles.get(ident) or war.battles.add(Battle(battle=ident))
    battle.turn, battle.node, battle.round, battle.type = war.game.turn, row.node, war.round, kind
    battle.side_a, battle.side_b, battle.side_pick, battle.status = attacker, defender, pick, "open"
    battle.armies_a, battle.armies_b = (" ".join(a.army for a in sides[f]) for f in (attacker, defender))
    battle.value_a, battle.value_b = (sum(a.value for a in sides[f]) for f in (attacker, defender))
    if rolls:
        war.tell("battle.side", [attacker, defender], roll=rolls, battle=ident, faction=pick)
    war.tell("battle.offered", ALL, touch=[battle], battle=ident, node=row.node, type=kind, side_a=attacker,
             side_b=defender)
    return {attacker, defender}


def next_battle(war: War, node: str) -> str:
    """``B<year>.<round>.<node>``, with b, c … for later battles at the same node in the round."""
    idents = (f"B{war.year}.{war.round}.{node}{letter}" for letter in ["", *ascii_lowercase[1:]])
    return next(ident for ident in idents if ident not in war.battles or not war.battles[ident].status)


def _unmask(war: War, meeting: Meeting) -> None:
    """Every diplomat who was in a resolved contact is known to all from then on."""
    for army in [a for force in meeting.forces.values() for a in force]:
        if army.kind == "diplomat" and army.army in war.armies and not army.revealed:
            army.revealed = True
            war.tell("diplomat.revealed", ALL, touch=[army], army=army.army, faction=army.faction, node=army.node)
