"""Who goes to war, invasions, and the defenders' responses (p57, p58, DP, DA)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from assistant.campaign.columns import UnreadableValue
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.bloodlust import both
from assistant.rulesets.bloodlust.orders import (
    ACTS,
    BACK,
    BESIEGE,
    InvasionOption,
    OrderBoard,
    OtherNation,
    OtherNations,
    OwnRows,
    Province,
    full_code,
    parse_invasion_option,
)
from assistant.rulesets.bloodlust.realm import (
    FAR,
    Realm,
    end_alliance,
    end_siege,
    end_war,
    enlist,
    move_army,
    new_army,
    open_war,
    raise_leader,
    send_besiegers_home,
    transfer_units,
)
from assistant.rulesets.bloodlust.records import Army, Faction, Node, Siege, War
from assistant.rulesets.bloodlust.tables import LEVY, PROVINCE, TARGET, TURNS, WAR
from assistant.turn.dice import RangeTable
from assistant.turn.game import Game, next_code
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.verbs import order
from assistant.turn.orders.words import fold
from assistant.turn.questions import AnswerKind, Ask
from assistant.turn.rulings import Score

# Who goes to war: broken alliances, white peace, war checks, targets, allies (p57, p58, DP).


WAR_ROWS = RangeTable.rising("war", (0, "peace"), (1, "maybe"), (2, "war"))


@dataclass
class WarCheck:
    """The result of a nation's war check."""

    nation: Faction
    legal: list[str]
    verdict: str
    rolls: list[Score]
    target: str = ""


class WarBoard(OrderBoard):
    """The board of war and peace."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.wishes: dict[str, list[str]] = {}
        self.offers: dict[str, set[str]] = {}
        self.breaking: set[tuple[str, str]] = set()
        """Alliances that orders of this phase end."""

    def may_fight(self, nation: Faction) -> bool:
        """Whether a nation may begin a war in this season."""
        return self.season != "Wi" or nation.has_trait("winter_war")

    def legal(self, code: str, other: str) -> bool:
        """Whether a neighbour may be attacked."""
        ally = self.allied(code, other) and self.rules.alliance_effect != "join"
        return not (ally or self.at_war(code, other) or self.enforced(code, other) is not None
                    or self.holds(self.feeling(code, other).no_attack_until))

    def rumours(self, code: str) -> list[str]:
        """The nations whose rumours stir a nation up."""
        return [other for other in self.codes if self.holds(self.feeling(code, other).deceit_until)]


def _check_targets(f: WarBoard, request: Request, others: list[Faction], name: str) -> None:
    for other in others:
        _check_target(f, request, other, name)


def _check_target(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    """BLD-004, 030 to 033."""
    code = request.faction
    if not f.may_fight(f.nations[code]):
        raise f.of_spring(request)
    if other.faction not in f.neighbours(code):
        raise Refused("BLD-030", name, nation=other.faction)
    if f.allied(code, other.faction) and f.rules.alliance_effect != "join" and (
            (code, other.faction) not in f.breaking):
        raise Refused("BLD-031", name, nation=other.faction)
    peace = f.enforced(code, other.faction)
    if peace is not None:
        raise Refused("BLD-032", name, nation=other.faction, year=peace.until_year)
    if f.holds(f.feeling(code, other.faction).no_attack_until):
        raise Refused("BLD-033", name, nation=other.faction)


def _check_at_war(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    if not f.at_war(request.faction, other.faction):
        raise Refused("BLD-035", name, nation=other.faction)


def _check_allied(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    if not f.allied(request.faction, other.faction) and (request.faction, other.faction) not in f.breaking:
        raise Refused("BLD-036", name, nation=other.faction)
    f.breaking.add((request.faction, other.faction))


@order("war", "guerra", when=("war",), target=OtherNations(then=(_check_targets,)),
       help=both("Name whom to fight, the dearest first.", "Dire chi attaccare, il preferito per primo."))
def war(f: WarBoard, request: Request, others: list[Faction]) -> None:
    """Several rows, or several nations in one, are preferences."""
    for other in others:
        if f.at_war(request.faction, other.faction):
            request.find(f, "BLD-034", "target", nation=other.faction)
        f.wishes.setdefault(request.faction, []).append(other.faction)


@order("peace", "pace", when=("war",), target=OtherNation(then=(_check_at_war,)),
       help=both("Offer a white peace.", "Offrire una pace bianca."))
def peace(f: WarBoard, request: Request, other: Faction) -> None:
    """A white peace takes both sides."""
    f.offers.setdefault(request.faction, set()).add(other.faction)


@order("break", "rompi", when=("war",), target=OtherNation(then=(_check_allied,)),
       help=both("End an alliance.", "Rompi un'alleanza."))
def break_alliance(f: WarBoard, request: Request, other: Faction) -> None:
    """The alliance ends at once."""
    end_alliance(f, request.faction, other.faction)


def take_war_orders(f: WarBoard) -> None:
    """Take the clubs' orders; alliances are broken first."""
    f.carry(f.taken(("break",), ("peace",), ("war",)))


def white_peaces(f: WarBoard) -> None:
    """End the wars that both sides want to end; for a self-run nation the rules decide."""
    for row in f.open_wars():
        a, b = row.aggressor, row.target
        weary = {code for code in (a, b) if _takes_peace(f, row, code)}
        offers = {code for code, other in ((a, b), (b, a)) if other in f.offers.get(code, ())}
        if f.rules.npc_offer == "weary":
            offers |= weary
        if offers and offers | weary == {a, b}:
            end_war(f, row, "white")
            f.tell("white_peace", by=a, partner=b)


def _takes_peace(f: WarBoard, row: War, code: str) -> bool:
    """Whether a self-run nation takes a peace: with low morale, or after a long war."""
    rules = f.rules
    return f.self_run(code) and (
        f.nations[code].morale <= rules.npc_peace_morale or _seasons(f, row) >= rules.npc_peace_seasons)


def _seasons(f: WarBoard, row: War) -> int:
    """How many seasons a war has lasted."""
    n, turn = 0, row.began
    while TURNS.key(turn) < TURNS.key(f.turn):
        turn, n = TURNS.after(turn), n + 1
    return n


# --- war checks -------------------------------------------------------------------------------------
def check_for_war(f: WarBoard) -> None:
    """Nations at peace check for war and choose targets; all wars open together, then allies are called."""
    checks = [_check(f, nation) for nation in f.living() if f.may_fight(nation) and not f.enemies(nation.faction)]
    for check in checks:
        check.target = _target(f, check)
        f.tell("war_check", roll=check.rolls or None, faction=check.nation.faction, verdict=check.verdict)
    chosen = {check.nation.faction: check.target for check in checks if check.target}
    opened = []
    for code, other in chosen.items():
        if chosen.get(other) == code:
            if not f.at_war(code, other):
                opened.append(open_war(f, code, other, "both"))
        else:
            opened.append(open_war(f, code, other, "check"))
    if f.rules.alliance_effect != "no_attack":
        call_allies(f, opened)


def _check(f: WarBoard, nation: Faction) -> WarCheck:
    code, rules = nation.faction, f.rules
    legal = [other for other in f.neighbours(code) if f.legal(code, other)]
    if not legal:
        return WarCheck(nation, [], "no_neighbour", [])
    if rules.player_war == "choose" and not f.self_run(code):
        return WarCheck(nation, legal, "choice", [])
    wary = rules.intimidate_use == "war_die" and any(_is_intimidated(f, code, other) for other in legal)
    rating = {"war rating": nation.war, "conquest": rules.war_conquest * nation.wants("conquest"),
              "hated neighbour": rules.war_hated * any(f.feeling(code, other).hates for other in legal),
              "low morale": rules.war_low_morale * (nation.morale <= rules.war_low_morale_to),
              "intimidated": -int(wary)}
    stirred = f.rumours(code)
    count = f.rated(WAR, (code,), rating, {"rumours": int(bool(stirred))}, [code], rows=WAR_ROWS)
    if stirred and WAR_ROWS.at(max(0, count.total - 1)) != count.verdict:
        legal = [other for other in legal if other not in stirred or f.feeling(code, other).deceit_kind != "third"]
    return WarCheck(nation, legal, count.verdict, [count])


def _target(f: WarBoard, check: WarCheck) -> str:
    """Whom a nation fights; "" for nobody."""
    code = check.nation.faction
    wish = next((other for other in f.wishes.get(code, ()) if other in check.legal), "")
    if check.verdict in ("peace", "no_neighbour") or not check.legal:
        return ""
    if not f.self_run(code):
        if check.verdict in ("maybe", "choice") or wish:
            return wish
    elif check.verdict == "maybe" and not _wants_war(f, check):
        return ""
    target, rolls = f.highest(check.legal, lambda other, again: TARGET(code, other, again=again),
                              lambda other: _target_mods(f, check, other), [code])
    check.rolls += rolls
    return target


def _wants_war(f: WarBoard, check: WarCheck) -> bool:
    """Whether a self-run nation wants war when its check says maybe."""
    nation, maybe = check.nation, f.rules.npc_maybe
    if maybe in ("always", "never"):
        return maybe == "always"
    weaker = any(f.strength(other) < f.strength(nation.faction) for other in check.legal)
    richer = any(f.nations[other].resources > nation.resources for other in check.legal)
    return (nation.wants("conquest") or nation.wants("loot")) and (
        (weaker and maybe != "richer") or (richer and maybe != "weaker"))


def _regard(f: WarBoard, code: str, other: str) -> int:
    """How an envoy has changed a nation's regard for another."""
    row = f.feeling(code, other)
    return row.target_change if f.holds(row.target_until) else 0


def _is_intimidated(f: WarBoard, code: str, other: str) -> bool:
    """Whether the change was a threat; a deceiver changes the same die, but leaves rumours as well."""
    row = f.feeling(code, other)
    return _regard(f, code, other) < 0 and row.deceit_until != row.target_until


def _target_mods(f: WarBoard, check: WarCheck, other: str) -> dict[str, int]:
    """The modifiers of the die for a possible target (p58)."""
    rules, nation, code = f.rules, check.nation, check.nation.faction
    land = {rival: len(f.of(rival)) for rival in check.legal}
    money = {rival: f.nations[rival].resources for rival in check.legal}
    mine = {node.node for node in f.of(code)}
    bare = nation.wants("colonizing") and any(
        f.undefended(node.node) and mine & set(f.near(node.node)) for node in f.of(other))
    regard = 0 if rules.intimidate_use == "war_die" and _is_intimidated(f, code, other) else _regard(f, code, other)
    return {"hated": rules.target_mods_hated * f.feeling(code, other).hates,
            "weaker": rules.target_mods_weaker * (f.strength(other) < f.strength(code)),
            "most land": rules.target_mods_most_land * (
                nation.wants("conquest") and land[other] == max(land.values())),
            "richest": rules.target_mods_richest * (nation.wants("loot") and money[other] == max(money.values())),
            "undefended": rules.target_mods_undefended * bare,
            "tributary": rules.target_mods_tributary * f.holds(f.feeling(other, code).tribute_until),
            "old regard": regard}


def call_allies(f: WarBoard, opened: list[War]) -> None:
    """Allies of the attacked join the war, or the alliance ends."""
    called = [(row, ally) for row in opened for ally in f.allies(row.target)
              if ally != row.aggressor and not f.at_war(ally, row.aggressor) and not f.allied(ally, row.aggressor)
              and f.enforced(ally, row.aggressor) is None]
    asked = [(row, ally) for row, ally in called if not f.self_run(ally)]
    answers = dict(zip([(row.war, ally) for row, ally in asked], f.answers([
        Ask("join", ally, f"{row.war}/{ally}", ("yes", "no"), "yes",
            {"faction": ally, "by": row.aggressor, "partner": row.target})
        for row, ally in asked]), strict=True))
    by_rule = "yes" if f.rules.npc_ally == "joins" else "no"
    for row, ally in called:
        if answers.get((row.war, ally), by_rule) == "yes":
            if f.at_war(ally, row.aggressor):
                continue
            f.wars.add(War(war=next_code(f.wars, "W{}"), aggressor=ally, target=row.aggressor, reason="ally",
                           began=f.turn))
            f.tell("ally_joined", by=ally, partner=row.target, opponent=row.aggressor)
        else:
            for row_of in f.alliances.where(lambda alliance: not alliance.ended
                                            and {alliance.a, alliance.b} == {ally, row.target}):  # noqa: B023
                row_of.ended = f.turn
            f.tell("ally_refused", by=ally, partner=row.target)


# Ad-hoc armies (DA).


def levy_size(f: Realm) -> int:
    """How many rolls an ad-hoc army has in this season."""
    rules = f.rules
    change = {"Wi": rules.levy_season_Wi, "Fa": rules.levy_season_Fa, "Su": rules.levy_season_Su}
    return max(0, rules.levy_rolls + change.get(f.season, 0))


def raise_levy(f: Realm, code: str, node: str) -> Army:
    """A local lord raises an army on his nation's table, under a captain of his own."""
    army = new_army(f, code, node, kind="levy")
    rolls = [f.roll(LEVY(army.army, i), [code]) for i in range(1, levy_size(f) + 1)]
    units = [unit for roll in rolls if (unit := enlist(f, code, roll.total, army.army)) is not None]
    f.tell("levied", roll=rolls, army=army.army, n=len(units))
    leader = raise_leader(f, code, "captain", army.army, levy=True)
    f.tell("levy_raised", node=node, n=len(units), leader=leader.leader, army=army.army)
    return army


# Invasions (rulebook: Invasions and responses).


@dataclass
class ArmyEntry:
    """An army that enters a province from its start. `besiege`: whether it would lay siege to a fort."""

    army: Army
    node: str
    start: str
    besiege: bool = True

    @property
    def faction(self) -> str:
        """Whose army it is."""
        return self.army.faction


@dataclass
class PlannedBattle:
    """A battle that will be fought, before it has its number."""

    kind: str
    node: str
    attacker: str
    defender: str
    attackers: list[ArmyEntry]
    defenders: list[Army]
    start: str = ""
    starts: tuple[ArmyEntry, ...] = ()


class InvasionBoard(OrderBoard):
    """The board of invasions and responses."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.entries: list[ArmyEntry] = []
        self.reliefs: dict[str, list[ArmyEntry]] = {}
        self.fights: list[PlannedBattle] = []
        self.lifting: set[str] = set()
        self.invaded: set[str] = set()
        self.busy: set[str] = set()
        """Armies that already have a fight or an invasion."""

    def steps_left(self, army: Army) -> int:
        """How many provinces an army may still go."""
        return 1 if army.posted_turn == self.turn else self.rules.march_steps

    def staging(self, army: Army, node: str) -> dict[str, int]:
        """The provinces from which an army may enter another -> steps in all."""
        ways = self.ways(army.faction, army.node)
        return {near: min(FAR, ways.get(near, FAR) + 1) for near in self.near(node)
                if self.open_ground(army.faction, near)}

    def invades(self, nation: Faction) -> bool:
        """Whether a nation may invade in this season."""
        return self.season != "Wi" or nation.has_trait("winter_war")

    def free_army(self, army: Army) -> bool:
        """Whether an army can defend where it is: it has units, is in no siege, and neither invades nor fights yet."""
        return army.army not in self.busy and self.besieging(army.army) is None and bool(self.units_in(army.army))


# --- checks -----------------------------------------------------------------------------------------
def _check_army_ready(f: InvasionBoard, request: Request, army: Army, name: str) -> None:
    """BLD-040 to 042."""
    if not f.cincs(army.army):
        raise Refused("BLD-040", name, army=army.army)
    if not f.units_in(army.army):
        raise Refused("BLD-041", name, army=army.army)
    siege = f.besieging(army.army)
    if siege is not None and siege.siege not in f.lifting:
        raise Refused("BLD-042", name, army=army.army)


def _check_invasion(f: InvasionBoard, request: Request, node: Node, name: str) -> None:
    """BLD-043 to 047."""
    army, code = ARMY.judge(f, request, "subject"), request.faction
    siege = f.siege_at(node.node)
    relief = siege is not None and siege.siege not in f.lifting and f.friend(code, node.owner)
    if not (relief or f.at_war(code, node.owner)):
        raise Refused("BLD-043", name, node=node.node)
    via, _, strange = parse_invasion_option(request.option, f.campaign, ACTS)
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


def _check_own_siege(f: InvasionBoard, request: Request, node: Node, name: str) -> None:
    siege = f.siege_at(node.node)
    if siege is None or siege.besieger != request.faction:
        raise Refused("BLD-048", name, node=node.node)
    f.lifting.add(siege.siege)


ARMY = OwnRows(Army, "army", then=(_check_army_ready,))


@order("lift", "togli", when=("invade",), also=("togli assedio", "lift siege"),
       target=Province(then=(_check_own_siege,)), help=both("End one's own siege.", "Togliere il proprio assedio."))
def lift(f: InvasionBoard, request: Request, node: Node) -> None:
    """The armies return, and may invade from there."""
    siege = f.siege_at(node.node)
    if siege is not None:
        send_besiegers_home(f, siege)
        end_siege(f, siege, "lifted")


@order("invade", "invadi", when=("invade",), subject=ARMY, target=Province(then=(_check_invasion,)),
       option=InvasionOption(),
       help=both("Enter an enemy's province, join one's own siege, or relieve one's own fort. Option: via which "
                 "province; back, to lay no siege.",
                 "Entrare in una provincia nemica, unirsi al proprio assedio o soccorrere un proprio forte. Opzione: "
                 "da quale provincia; indietro, per non porre assedio."))
def invade(f: InvasionBoard, request: Request, army: Army, node: Node) -> None:
    """Note the entry; armies move to their starts once all entries are known."""
    via, act, _ = parse_invasion_option(request.option, f.campaign, ACTS)
    places = f.staging(army, node.node)
    start = via or min(places, key=lambda place: (places[place], natural(place)), default="")
    if not start or places[start] > f.steps_left(army):
        raise Refused("BLD-044", "target", **{"node": node.node, "k": places.get(start, ""), "from": army.node,
                                              "m": f.steps_left(army)})
    f.entries.append(ArmyEntry(army, node.node, start, act != BACK))


def take_invasions(f: InvasionBoard) -> None:
    """Take the clubs' orders; sieges are lifted first."""
    f.carry(f.taken(("lift",), ("invade",)))


# --- nations that the rules play ---------------------------------------------------------------------
def choose_invasions(f: InvasionBoard) -> None:
    """Self-run nations at war choose what to invade, all before anybody moves."""
    for nation in f.living():
        code = nation.faction
        if f.self_run(code) and f.enemies(code) and f.invades(nation):
            f.entries += _choose(f, nation)
    f.entries.sort(key=lambda entry: f.codes.index(entry.faction))


def _choose(f: InvasionBoard, nation: Faction) -> list[ArmyEntry]:
    """The province that the largest army enters, and further armies beside it (`npc_armies`)."""
    code, rules = nation.faction, f.rules
    able = [army for army in f.armies if army.active and army.faction == code and f.cincs(army.army)
            and len(f.units_in(army.army)) >= rules.npc_min_units and f.besieging(army.army) is None]
    if not able:
        return []
    able.sort(key=lambda army: -len(f.units_in(army.army)))
    enemies = f.enemies(code)
    largest = max((len(f.units_in(army.army)) for army in f.armies if army.active and army.faction in enemies),
                  default=0)
    bold = rules.npc_bold == "yes" and any(row.aggressor == code for row in f.open_wars())
    if not bold and len(f.units_in(able[0].army)) * 100 < rules.npc_attack_pct * largest:
        return []
    reach = [node.node for node in f.provinces if node.owner in enemies and not f.besieged(node.node)
             and _within_reach(f, able[0], node.node)]
    if not reach:
        return []
    target, rolls = f.highest(reach, lambda node, again: PROVINCE(code, node, again=again),
                              lambda node: _province_mods(f, nation, node), [code])
    if rolls:
        f.tell("province_chosen", roll=rolls, faction=code, node=target)
    going = [(army, places) for army in able[:rules.npc_armies] if (places := _within_reach(f, army, target))]
    return [ArmyEntry(army, target, min(places, key=lambda place: (places[place], natural(place))),
                  rules.npc_siege == BESIEGE) for army, places in going]


def _within_reach(f: InvasionBoard, army: Army, node: str) -> dict[str, int]:
    return {place: n for place, n in f.staging(army, node).items() if n <= f.steps_left(army)}


def _province_mods(f: InvasionBoard, nation: Faction, node: str) -> dict[str, int]:
    rules, row = f.rules, f.provinces[node]
    own = sum(f.provinces[near].owner == nation.faction for near in f.near(node))
    return {"undefended": rules.province_mods_undefended * f.undefended(node),
            "own land beside": rules.province_mods_touches * (own >= rules.province_touches),
            "capital": rules.province_mods_capital * (row.capital and not nation.wants("conquest"))}


# --- moves ------------------------------------------------------------------------------------------
def enter_provinces(f: InvasionBoard) -> None:
    """Move armies to their starts; join sieges, note reliefs, mark invaded nations, call out Reserves."""
    left = []
    for entry in f.entries:
        move_army(f, entry.army, entry.start)
        f.busy.add(entry.army.army)
        siege = f.siege_at(entry.node)
        if siege is None:
            left.append(entry)
        elif f.friend(entry.faction, f.provinces[entry.node].owner):
            f.reliefs.setdefault(entry.node, []).append(entry)
        else:
            _join_siege(f, entry, siege)
        f.tell("invasion", army=entry.army.army, node=entry.node, start=entry.start)
    f.entries = left
    for entry in left:
        mark_invaded(f, entry.node)


def _join_siege(f: InvasionBoard, entry: ArmyEntry, siege: Siege) -> None:
    move_army(f, entry.army, siege.node)
    siege.armies_out = f"{siege.armies_out} {entry.army.army}".strip()


def mark_invaded(f: InvasionBoard, node: str) -> None:
    """Mark a province and its owner as invaded; a Reserve there becomes an army without a commander."""
    f.invaded.add(node)
    owner = f.provinces[node].owner
    nation = f.nations[owner]
    if not nation.invaded_now:
        nation.invaded_now = True
    reserve = f.reserve(owner)
    units = f.units_in(reserve.army) if reserve.node == node else []
    if units:
        transfer_units(f, new_army(f, owner, node), units)


# Responses to invasions: what a defender may answer, how it is read, what self-run nations do (p58, DA).


REFUSING = {"fort": ("fort", "levy"), "levy": ("levy", "fort")}
"""What a self-run nation too weak to fight tries, in order (`npc_weak`)."""
RESPONSE_WORDS = {
    "combatti": "fight",
    "combatte": "fight",
    "combattere": "fight",
    "forte": "fort",
    "contrattacca": "counter",
    "contrattacco": "counter",
    "leva": "levy",
    "invasore": "invader",
    "battle": "fight",
}


class Response(NamedTuple):
    """A defender's answer: the act, the armies named, and the invader to be met."""

    act: str
    armies: tuple[str, ...] = ()
    invader: str = ""

    def __str__(self) -> str:
        return " ".join([self.act, *self.armies, *(["invader", self.invader] if self.invader else [])])

    @classmethod
    def of(cls, text: str) -> Response:
        """A choice as it is written."""
        act, *rest = text.split()
        invader = rest.pop() if "invader" in rest else ""
        return cls(act, tuple(word for word in rest if word != "invader"), invader)


@dataclass(eq=False, repr=False)
class ResponseKind(AnswerKind):
    """The answers allowed to one invasion.

    `standing`, `near`: armies; `acts`: acts without armies; `counters`: pairs of the first army of a side and the army
    that may invade back; `invaders`: the first armies of the sides in their order. Without a `faction` only the
    question's list is known: then an answer must begin as one of the list does and go on with codes.
    """

    faction: str = ""
    acts: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    counters: tuple[tuple[str, str], ...] = ()
    invaders: tuple[str, ...] = ()

    def read(self, text: str) -> str:
        """Act, armies, invader. Raises `Unfit` for what does not go together."""
        if not self.faction:
            typed, *rest = (RESPONSE_WORDS.get(fold(word), fold(word)) for word in re.split(r"[\s,;+]+", text.strip()))
            if typed not in {option.split()[0] for option in self.offer.options} or any(
                    word != "invader" and not re.search(r"\d", word) for word in rest):
                raise UnreadableValue
            return text
        act, armies, invader, mode = "", list[str](), "", ""
        for word in re.split(r"[\s,;+]+", text.strip()):
            typed = RESPONSE_WORDS.get(fold(word), fold(word))
            code = full_code(word, self.faction)
            if typed in ("fight", "fort", "counter", "levy") and not act:
                act, mode = typed, "armies"
            elif typed == "invader" and not invader:
                mode = "invader"
            elif mode == "invader" and self._invader(word):
                invader, mode = self._invader(word), ""
            elif mode == "armies" and code in (*self.standing, *self.near):
                armies.append(code)
            elif word:
                raise UnreadableValue
        if invader and not act:
            act = "fight" if self.standing else "levy"
        if mode == "invader" or not self._allowed(act, armies, invader):
            raise UnreadableValue
        return str(Response(act, tuple(dict.fromkeys(armies)), invader))

    def _invader(self, word: str) -> str:
        return next((code for code in self.invaders if code.casefold() == word.casefold()), "")

    def _allowed(self, act: str, armies: list[str], invader: str) -> bool:
        if act == "fight":
            return bool(self.standing or armies)
        if act == "counter":
            return len(armies) == 1 and (invader or self.invaders[0], armies[0]) in self.counters
        return act in self.acts and not armies

    def answers(self) -> tuple[str, ...]:
        """The possible answers, for the question's list."""
        fights = ["fight"] if self.standing else []
        return (*fights, *(f"fight {army}" for army in self.near), *self.acts,
                *dict.fromkeys(f"counter {army}" for _, army in self.counters),
                *(f"invader {army}" for army in self.invaders if len(self.invaders) > 1))


@dataclass
class InvadingSide:
    """Armies of one nation or of allies that enter a province together."""

    entries: list[ArmyEntry]

    @property
    def head(self) -> ArmyEntry:
        """The entry of the army first in natural order, which names the side."""
        first = in_natural_order(entry.army.army for entry in self.entries)[0]
        return next(entry for entry in self.entries if entry.army.army == first)

    @property
    def armies(self) -> list[str]:
        """Their codes."""
        return [entry.army.army for entry in self.entries]


@dataclass
class Invasion:
    """A province that is invaded, the sides in their order, and who can defend it."""

    node: str
    owner: str
    sides: list[InvadingSide]
    standing: list[Army]
    near: list[Army]


def clash_dice(f: Realm, *armies: str) -> int:
    """The strength of a side off the table: WR of its lead, a die for so much REP, its best hero (rulebook: Melee)."""
    heroes = f.leaders.where(lambda leader: leader.rank == "hero" and leader.state == "active"
                             and leader.army in armies)
    return (f.wr_now(f.lead(*armies)) + sum(unit.rep for unit in f.units_in(*armies)) // f.rules.auto_die_rep
            + max((hero.wr for hero in heroes), default=0))


def possible_responses(f: InvasionBoard, invasion: Invasion) -> ResponseKind:
    """The responses that an invasion allows."""
    node, owner = f.provinces[invasion.node], invasion.owner
    fort = ("fort",) if node.fort and invasion.standing else ()
    levy = ("levy",) if not invasion.standing or may_fall_back(f, owner, invasion.node) else ()
    heads = [side.head for side in invasion.sides]
    counters = [(head.army.army, army.army) for army in (*invasion.standing, *invasion.near) for head in heads
                if army.faction == owner and head.start in f.near(army.node) and f.cincs(army.army)
                and f.invades(f.nations[owner])]
    return ResponseKind(owner, (*fort, *levy), tuple(army.army for army in invasion.standing),
                     tuple(army.army for army in invasion.near), tuple(counters),
                     tuple(head.army.army for head in heads))


def may_fall_back(f: InvasionBoard, code: str, node: str) -> bool:
    """Whether those who stand in a province could leave it for one that is not invaded."""
    return any(f.provinces[near].owner == code and not f.besieged(near) and near not in f.invaded
               for near in f.near(node))


def self_run_response(f: InvasionBoard, invasion: Invasion, offered: ResponseKind) -> Response:
    """The response of a self-run nation (rulebook: Nations that the rules play)."""
    standing = [army.army for army in invasion.standing]
    everybody = [*invasion.standing, *invasion.near]
    against = clash_dice(f, *invasion.sides[0].armies)
    if everybody:
        best = max(everybody, key=lambda army: clash_dice(f, army.army)).army
        fighting = list(dict.fromkeys([*standing, best]))
        if clash_dice(f, *fighting) * 100 >= f.rules.npc_fight_pct * against:
            return Response("fight", tuple(fighting))
    act = next((act for act in REFUSING[f.rules.npc_weak] if act in offered.acts), "")
    return Response(act) if act else Response("fight", tuple(standing))
