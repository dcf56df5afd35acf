"""Invasions: orders and the rules' own choice in; who enters what from where, and who joins or relieves a siege, out.

See rulebook: Invasions and responses.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.order import natural
from assistant.rulesets.bloodlust.book.records import Army, Faction, Node
from assistant.rulesets.bloodlust.book.sheets import Siege
from assistant.rulesets.bloodlust.book.tables import PROVINCE
from assistant.rulesets.bloodlust.orders.columns import Own, Province, parts_of
from assistant.rulesets.bloodlust.orders.taking import Orders
from assistant.rulesets.bloodlust.realm.change import besiegers_home, end_siege, join, move, new_army
from assistant.rulesets.bloodlust.realm.realm import ALL, FAR
from assistant.turn.game import Game
from assistant.turn.orders.columns import Note
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import order

BESIEGE, BACK = "besiege", "back"
ACTS = {"besiege": BESIEGE, "assedia": BESIEGE, "assediare": BESIEGE, "back": BACK, "indietro": BACK, "torna": BACK,
        "via": "", "from": "", "da": ""}


@dataclass
class Entry:
    """An army that enters a province from its start. `besiege`: whether it stays before a fort."""

    army: Army
    node: str
    start: str
    besiege: bool = True

    @property
    def faction(self) -> str:
        """Whose army it is."""
        return self.army.faction


@dataclass
class Fight:
    """A battle as it is laid out, before it has its number."""

    kind: str
    node: str
    attacker: str
    defender: str
    attackers: list[Entry]
    defenders: list[Army]
    start: str = ""
    starts: tuple[Entry, ...] = ()


class Frontier(Orders):
    """The board of invasions and responses."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.entries: list[Entry] = []
        self.reliefs: dict[str, list[Entry]] = {}
        self.fights: list[Fight] = []
        self.lifting: set[str] = set()
        self.invaded: set[str] = set()
        self.busy: set[str] = set()
        """Armies that have their fight or their invasion already."""

    def steps_left(self, army: Army) -> int:
        """How many provinces an army may still go."""
        return 1 if army.posted_turn == self.turn else self.rules.march_steps

    def staging(self, army: Army, node: str) -> dict[str, int]:
        """Whence an army may enter a province: place -> steps in all."""
        ways = self.ways(army.faction, army.node)
        return {near: min(FAR, ways.get(near, FAR) + 1) for near in self.near(node)
                if self.open_ground(army.faction, near)}

    def invades(self, nation: Faction) -> bool:
        """Whether a nation may invade in this season."""
        return self.season != "Wi" or nation.has_trait("winter_war")

    def free_army(self, army: Army) -> bool:
        """Whether an army stands where it is: it has units, is in no siege, invades nothing and fights nowhere."""
        return army.army not in self.busy and self.besieging(army.army) is None and bool(self.units_in(army.army))


# --- checks -----------------------------------------------------------------------------------------
def _ready(f: Frontier, request: Request, army: Army, name: str) -> None:
    """BLD-040 to 042."""
    if not f.cincs(army.army):
        raise Refused("BLD-040", name, army=army.army)
    if not f.units_in(army.army):
        raise Refused("BLD-041", name, army=army.army)
    siege = f.besieging(army.army)
    if siege is not None and siege.siege not in f.lifting:
        raise Refused("BLD-042", name, army=army.army)


def _hostile(f: Frontier, request: Request, node: Node, name: str) -> None:
    """BLD-043 to 047."""
    army, code = ARMY.judge(f, request, "subject"), request.faction
    siege = f.siege_at(node.node)
    relief = siege is not None and siege.siege not in f.lifting and f.friend(code, node.owner)
    if not (relief or f.at_war(code, node.owner)):
        raise Refused("BLD-043", name, node=node.node)
    via, _, strange = parts_of(request.option, f.campaign, ACTS)
    places = f.staging(army, node.node)
    named = via or strange
    steps, left = places.get(named) or min(places.values(), default=FAR), f.steps_left(army)
    start = f.besieging(army.army)
    if steps > left and not (start is not None and start.start_node in places):
        raise Refused("BLD-044", name, **{"node": node.node, "k": steps if steps < FAR else "", "from": army.node,
                                          "m": left})
    if named and named not in places:
        raise Refused("BLD-045", "option", via=named, node=node.node)
    if not f.invades(f.nations[code]):
        winterly = [row.faction for row in f.living() if row.has_trait("winter_war")]
        raise Refused("BLD-046", "verb", list=" ".join(winterly) or "-")
    if siege is not None and not relief and siege.besieger != code:
        raise Refused("BLD-047", name, node=node.node, nation=siege.besieger)


def _mine(f: Frontier, request: Request, node: Node, name: str) -> None:
    siege = f.siege_at(node.node)
    if siege is None or siege.besieger != request.faction:
        raise Refused("BLD-048", name, node=node.node)
    f.lifting.add(siege.siege)


ARMY = Own(Army, "army", then=(_ready,))


@order("lift", "togli", when=("invade",), also=("togli assedio", "lift siege"), target=Province(then=(_mine,)),
       help="End one's own siege.")
def lift(f: Frontier, request: Request, node: Node) -> None:
    """The armies return, and may invade from there."""
    siege = f.siege_at(node.node)
    if siege is not None:
        besiegers_home(f, siege)
        end_siege(f, siege, "lifted")


@order("invade", "invadi", when=("invade",), subject=ARMY, target=Province(then=(_hostile,)),
       option=Note(), help="Enter an enemy's province, join one's own siege, or relieve one's own fort. "
                           "Option: via which province; back, to lay no siege.")
def invade(f: Frontier, request: Request, army: Army, node: Node) -> None:
    """It moves to its staging province at once."""
    via, act, _ = parts_of(request.option, f.campaign, ACTS)
    places = f.staging(army, node.node)
    start = via or min(places, key=lambda place: (places[place], natural(place)), default="")
    if not start or places[start] > f.steps_left(army):
        raise Refused("BLD-044", "target", **{"node": node.node, "k": places.get(start, ""), "from": army.node,
                                              "m": f.steps_left(army)})
    f.entries.append(Entry(army, node.node, start, act != BACK))


def invading(f: Frontier) -> None:
    """The clubs' orders: sieges are lifted first."""
    f.carry(f.taken(("lift",), ("invade",)))


# --- nations that the rules play ---------------------------------------------------------------------
def choosing(f: Frontier) -> None:
    """Self-run nations at war choose what to invade; all are judged before anybody moves."""
    for nation in f.living():
        code = nation.faction
        if f.self_run(code) and f.enemies(code) and f.invades(nation):
            f.entries += _choose(f, nation)
    f.entries.sort(key=lambda entry: f.codes.index(entry.faction))


def _choose(f: Frontier, nation: Faction) -> list[Entry]:
    """The province that the largest army enters, and further armies beside it (`npc_armies`)."""
    code, rules = nation.faction, f.rules
    able = [army for army in f.armies if army.active and army.faction == code and f.cincs(army.army)
            and len(f.units_in(army.army)) >= rules.npc_min_units and f.besieging(army.army) is None]
    if not able:
        return []
    able.sort(key=lambda one: -len(f.units_in(one.army)))
    enemies = f.enemies(code)
    largest = max((len(f.units_in(one.army)) for one in f.armies if one.active and one.faction in enemies), default=0)
    bold = rules.npc_bold == "yes" and any(row.aggressor == code for row in f.open_wars())
    if not bold and len(f.units_in(able[0].army)) * 100 < rules.npc_attack_pct * largest:
        return []
    reach = [node.node for node in f.provinces if node.owner in enemies and not f.besieged(node.node)
             and _within_reach(f, able[0], node.node)]
    if not reach:
        return []
    target, rolls = f.highest(reach, lambda node, again: PROVINCE(code, node, again=again),
                              lambda node: _province_mods(f, nation, node), [code])
    f.tell_dice("province_chosen", code, "p58", rolls, faction=code, node=target)
    going = [(army, places) for army in able[:rules.npc_armies] if (places := _within_reach(f, army, target))]
    return [Entry(army, target, min(places, key=lambda place: (places[place], natural(place))),
                  rules.npc_siege == BESIEGE) for army, places in going]


def _within_reach(f: Frontier, army: Army, node: str) -> dict[str, int]:
    """Whence an army that moves no more than it may can enter a province: place -> steps in all."""
    return {place: n for place, n in f.staging(army, node).items() if n <= f.steps_left(army)}


def _province_mods(f: Frontier, nation: Faction, node: str) -> dict[str, int]:
    rules, row = f.rules, f.provinces[node]
    own = sum(f.provinces[near].owner == nation.faction for near in f.near(node))
    return {"undefended": rules.province_mods_undefended * f.undefended(node),
            "own land beside": rules.province_mods_touches * (own >= rules.province_touches),
            "capital": rules.province_mods_capital * (row.capital and not nation.wants("conquest"))}


# --- they move --------------------------------------------------------------------------------------
def entering(f: Frontier) -> None:
    """Armies stand at their starts; sieges are joined, reliefs noted, invaded nations marked, Reserves called out."""
    left = []
    for entry in f.entries:
        move(f, entry.army, entry.start)
        f.busy.add(entry.army.army)
        siege = f.siege_at(entry.node)
        if siege is None:
            left.append(entry)
        elif f.friend(entry.faction, f.provinces[entry.node].owner):
            f.reliefs.setdefault(entry.node, []).append(entry)
        else:
            _join_siege(f, entry, siege)
        f.tell("invasion", ALL, "p58", touch=[entry.army], army=entry.army.army, node=entry.node, start=entry.start)
    f.entries = left
    for entry in left:
        mark_invaded(f, entry.node)


def _join_siege(f: Frontier, entry: Entry, siege: Siege) -> None:
    move(f, entry.army, siege.node)
    siege.armies_out = f"{siege.armies_out} {entry.army.army}".strip()
    f.touch(siege)


def mark_invaded(f: Frontier, node: str) -> None:
    """Its owner is invaded; a Reserve that stands there becomes an army without a commander."""
    f.invaded.add(node)
    owner = f.provinces[node].owner
    nation = f.nations[owner]
    if not nation.invaded_now:
        nation.invaded_now = True
        f.touch(nation)
    reserve = f.reserve(owner)
    units = f.units_in(reserve.army) if reserve.node == node else []
    if units:
        join(f, new_army(f, owner, node), units)
