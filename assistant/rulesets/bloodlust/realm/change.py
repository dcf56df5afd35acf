"""What changes on the map: units leave, armies end, provinces fall, sieges begin and end, wars begin and end.

In go the board and rows; the rows are changed, and what all may know is told.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.order import in_natural_order
from assistant.rulesets.bloodlust.book.records import Army, Node
from assistant.rulesets.bloodlust.book.sheets import Leader, Recruit, Siege, Unit, War
from assistant.rulesets.bloodlust.realm.people import unplace
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.turn.board import next_code

COPIED = ("type", "rep", "morale", "mount", "ac", "arm", "skills")
MERCENARIES = "MER"


# --- units and armies -------------------------------------------------------------------------------
def troop(f: Realm, table: str, roll: int) -> Recruit | None:
    """The row of a troop table that a roll picks; None where the table lacks it."""
    return f.campaign.table(Recruit).get(Recruit(faction=table, roll=roll).ident)


def enlist(f: Realm, code: str, roll: int, army: str, *, table: str = "") -> Unit | None:
    """A new unit of a nation by a roll on a table, its own or another; None where the table lacks it."""
    row = troop(f, table or code, roll)
    if row is None:
        return None
    unit = f.units.add(Unit(
        unit=next_code(f.units, f"{code}-u{{}}"), faction=code, army=army, name=row.called(f.desk.language),
        recruited_turn=f.turn, mercenary=table == MERCENARIES, **{name: getattr(row, name) for name in COPIED}))
    f.touch(unit)
    return unit


def leave(f: Realm, unit: Unit, state: str) -> None:
    """A unit leaves: disbanded, lost or merged; it keeps its army."""
    unit.state, unit.left_turn = state, f.turn
    f.touch(unit)


def join(f: Realm, army: Army, units: Iterable[Unit]) -> None:
    """Units go into an army."""
    for unit in units:
        if unit.army != army.army:
            unit.army = army.army
            f.touch(unit)


def move(f: Realm, army: Army, node: str) -> None:
    """An army stands elsewhere."""
    if army.node != node:
        army.node = node
        f.touch(army)


def new_army(f: Realm, code: str, node: str, ident: str = "", kind: str = "field") -> Army:
    """A new army of a nation; its name is its id until its club gives it one."""
    letter = "l" if kind == "levy" else "a"
    ident = ident or next_code(f.armies, f"{code}-{letter}{{}}")
    army = f.armies.add(Army(army=ident, faction=code, node=node, kind=kind, name=ident))
    f.touch(army)
    return army


def end_army(f: Realm, army: Army) -> None:
    """An army is no more: its leaders have none, a lord's captain goes home and his weapon is away."""
    army.state, army.left_turn = "gone", f.turn
    f.touch(army)
    for leader in f.leaders.where(lambda one: one.army == army.army):
        leader.army = ""
        f.touch(leader)
        if army.kind == "levy" and leader.levy and leader.there:
            if leader.weapon:
                unplace(f, leader)
            leader.state = "gone"


def end_levy(f: Realm, army: Army) -> None:
    """An ad-hoc army goes home."""
    for unit in f.units_in(army.army):
        leave(f, unit, "disbanded")
    end_army(f, army)


def end_empty(f: Realm, *, without_leader: bool = False) -> None:
    """Armies without units end, the Reserve and sieges aside; `without_leader`: only those without commander."""
    for army in f.armies.where(lambda one: one.active and one.kind != "reserve"):
        led = without_leader and f.cincs(army.army)
        if not f.units_in(army.army) and f.besieging(army.army) is None and not led:
            end_army(f, army)


def at_seat(f: Realm, code: str) -> None:
    """The Reserve of a nation moves to its seat."""
    seat = f.seat(code)
    if seat:
        move(f, f.reserve(code), seat)


def go_back(f: Realm, army: Army, node: str) -> None:
    """An army returns to a place, or to the seat where that is lost."""
    kept = node in f.provinces and f.friend(army.faction, f.provinces[node].owner)
    move(f, army, node if kept else f.seat(army.faction) or node)


# --- provinces and sieges ---------------------------------------------------------------------------
def conquer(f: Realm, node: Node, code: str) -> None:
    """A province changes hands."""
    loser = node.owner
    node.owner, node.conquered_turn, node.lost_by = code, f.turn, loser
    if loser in f.nations:
        reserve = f.reserve(loser)
        if reserve.node == node.node:
            at_seat(f, loser)
    f.tell("conquered", ALL, "p58", touch=[node], faction=code, node=node.node, loser=loser)


def lay_siege(f: Realm, node: str, besieger: str, out: Iterable[str], within: Iterable[str], start: str) -> Siege:
    """A siege begins."""
    siege = f.sieges.add(Siege(
        siege=next_code(f.sieges, "G{}"), node=node, besieger=besieger, armies_out=" ".join(in_natural_order(out)),
        armies_in=" ".join(in_natural_order(within)), start_node=start, began=f.turn))
    f.tell("siege_begins", ALL, "LS", touch=[siege], besieger=besieger, node=node)
    return siege


def end_siege(f: Realm, siege: Siege, how: str) -> None:
    """A siege ends: its losses of morale end, an ad-hoc army inside goes home."""
    siege.ended, siege.how = f.turn, how
    for unit in f.units_in(*siege.armies):
        if unit.siege_loss:
            unit.siege_loss = 0
            f.touch(unit)
    for code in siege.armies_in.split():
        if code in f.armies and f.armies[code].active and f.armies[code].kind == "levy":
            end_levy(f, f.armies[code])
    f.tell("siege_ends", ALL, "LS", touch=[siege], node=siege.node, besieger=siege.besieger, how=how)


def besiegers_home(f: Realm, siege: Siege) -> None:
    """The besiegers return to where they came from."""
    for code in siege.armies_out.split():
        if code in f.armies and f.armies[code].active:
            go_back(f, f.armies[code], siege.start_node)


# --- wars -------------------------------------------------------------------------------------------
def open_war(f: Realm, aggressor: str, target: str, reason: str, rule: str = "p57") -> War:
    """Two nations are at war from now on."""
    war = f.wars.add(War(war=next_code(f.wars, "W{}"), aggressor=aggressor, target=target, reason=reason, began=f.turn))
    f.tell("war", ALL, rule, touch=[war], by=aggressor, opponent=target, reason=reason)
    return war


def free(f: Realm, leader: Leader) -> None:
    """A captive is his own man again, wounded or not, without an army."""
    leader.holder, leader.army = "", ""
    leader.state = "wounded" if leader.until_turn and f.lasts(leader.until_turn) and leader.until_turn != f.turn else (
        "active")
    if leader.state == "active":
        leader.until_turn = ""
    f.touch(leader)


def end_war(f: Realm, war: War, how: str) -> None:
    """A war ends, however: sieges between the two are over, captives go home, who has peace is not shaken.

    See rulebook: Will to Fight.
    """
    war.ended, war.how = f.turn, how
    pair = (war.aggressor, war.target)
    f.touch(war)
    for siege in f.sieges.where(lambda one: not one.ended and {one.besieger, f.provinces[one.node].owner} == {*pair}):
        besiegers_home(f, siege)
        end_siege(f, siege, "peace")
    for leader in f.leaders.where(lambda one: one.state == "captured" and one.holder in pair and one.faction in pair):
        free(f, leader)
    for code in pair:
        nation = f.nations[code]
        if not f.enemies(code) and nation.shaken:
            nation.shaken, nation.shaken_turn = 0, ""
            f.touch(nation)


def end_alliance(f: Realm, a: str, b: str, rule: str = "DP") -> None:
    """Two nations are allied no more."""
    for row in f.alliances.where(lambda one: not one.ended and {one.a, one.b} == {a, b}):
        row.ended = f.turn
        f.tell("alliance_ends", ALL, rule, touch=[row], by=a, partner=b)
