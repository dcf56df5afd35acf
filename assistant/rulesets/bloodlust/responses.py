"""Loot, Staying at War, and the battles that follow from invasions (MV, DA, LO, SW); envoys (DS, DP)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.campaign.records import Faction as BaseFaction
from assistant.campaign.tables import in_natural_order
from assistant.rulesets.bloodlust import both
from assistant.rulesets.bloodlust.orders import OrderBoard, OtherNation
from assistant.rulesets.bloodlust.realm import (
    Realm,
    end_alliance,
    end_siege,
    lay_siege,
    move_army,
    remove_unit,
    send_besiegers_home,
    transfer_units,
    whole_year,
)
from assistant.rulesets.bloodlust.records import MORALE_OF, Alliance, Army, Battle, EnvoyRow, Faction, Unit, War
from assistant.rulesets.bloodlust.season import enforce_peace
from assistant.rulesets.bloodlust.tables import ALLIANCE, DIPLOMACY, DIPLOMAT, INVADERS, LOOT, MOVE, STANCE, STAYING
from assistant.rulesets.bloodlust.war import (
    ArmyEntry,
    InvadingSide,
    Invasion,
    InvasionBoard,
    PlannedBattle,
    Response,
    ResponseKind,
    mark_invaded,
    possible_responses,
    raise_levy,
    self_run_response,
)
from assistant.turn.dice import RangeTable
from assistant.turn.findings import Where
from assistant.turn.game import Game
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.rulings import Contest, Count, Limit, Score

# Loot and Staying at War.


STAYING_ROWS = RangeTable.rising("staying", (0, "home"), (1, "main_army"), (2, "capital"))
VETERAN_MORALE = MORALE_OF["veteran"]


def loot(f: Realm, armies: Sequence[str], code: str, units: Sequence[Unit] = ()) -> None:
    """The armies of a nation loot (LO). `units`: those at the start, if not those of now."""
    rules, nation = f.rules, f.nations[code]
    have = units or f.units_in(*armies)
    mods = {"people of winter": int(rules.piorad_loot) * nation.has_trait("winter_war"),
            "mercenaries": rules.loot_mods_mercenary * any(unit.mercenary for unit in have),
            "treasure hunter": rules.loot_mods_treasure_hunter * f.any_has("treasure_hunter", *armies)}
    count = f.counted(LOOT, (in_natural_order(armies)[0],), f.wr_now(f.lead(*armies)), mods)
    gain = max(0, count.total) * rules.loot_each
    nation.resources, nation.looted = nation.resources + gain, nation.looted + gain
    if count.at_most(0) and f.any_has("greedy", *armies):
        for unit in f.units_in(*armies):
            unit.greedy_until = f.later(1)
    f.tell("looted", roll=count, faction=code, n=gain)


def nearest_army(f: Realm, code: str, nodes: Sequence[str], but: str) -> Army | None:
    """The nation's army with a commander and most units in some provinces; on a tie the first id."""
    own = [army for army in f.armies if army.active and army.faction == code and army.node in nodes
           and army.army != but and army.kind == "field" and f.cincs(army.army)]
    return max(own, key=lambda army: len(f.units_in(army.army)), default=None)


def stay_or_go(f: Realm, army: Army) -> None:
    """Staying at War: every unit of an army is tested (SW)."""
    tests: dict[str, Count] = {}
    for unit in f.units_in(army.army):
        about = army.army if f.rules.staying_scope == "army" else unit.unit
        if about not in tests:
            tests[about] = f.counted(STAYING, (unit.unit,), audience=[unit.faction], rows=STAYING_ROWS)
        row = tests[about].verdict if MORALE_OF[unit.morale] >= VETERAN_MORALE else "home"
        main = nearest_army(f, unit.faction, [army.node, *f.near(army.node)], army.army) if row == "main_army" else None
        if row == "capital":
            transfer_units(f, f.reserve(unit.faction), [unit])
        elif main is not None:
            transfer_units(f, main, [unit])
        else:
            row = "home"
            remove_unit(f, unit, "disbanded")
        f.tell("staying", roll=tests[about], unit=unit.unit, row=row)


# From invasions to battles: mutual attacks, sides, responses, forts, ad-hoc armies (MV, DA).


# --- mutual attacks ---------------------------------------------------------------------------------
def mutual_attacks(f: InvasionBoard) -> None:
    """Armies of enemies that enter each other's start: the movement test says who is caught (MV)."""
    taken: set[str] = set()
    for x in list(f.entries):
        y = next((other for other in f.entries if other.start == x.node and other.node == x.start
                  and f.at_war(x.faction, other.faction) and other.army.army not in taken), None)
        if y is not None and x in f.entries and x.army.army not in taken:
            taken |= {x.army.army, y.army.army}
            fight_mutual(f, x, y)


def _movement_test(f: InvasionBoard, entry: ArmyEntry, again: int) -> Count:
    army = entry.army.army
    mods = {"advocate": int(f.any_has("movement_advocate", army))}
    return f.counted(MOVE, (army,), f.wr_now(f.lead(army)), mods, again=again)


def fight_mutual(f: InvasionBoard, x: ArmyEntry, y: ArmyEntry) -> None:
    """Two invasions of each other's start become one battle."""
    again = 1
    while True:
        counts = {"x": _movement_test(f, x, again), "y": _movement_test(f, y, again)}
        contest = Contest(counts)
        if contest.winner or f.rules.move_tie == "row0" or not contest.rolls:
            break
        again += 1
    row = "meeting" if not contest.winner else "field" if contest.by(2) else "open"
    f.tell("mutual", roll=contest, army=x.army.army, unit=y.army.army, n=counts["x"].total, m=counts["y"].total,
           row=row)
    if row == "meeting":
        first, second = sorted((x, y), key=lambda entry: f.codes.index(entry.faction))
        mine, theirs = _entering_with(f, first), _entering_with(f, second)
        _lay_out(f, PlannedBattle(row, first.node, first.faction, second.faction, [first, *mine],
                          [second.army, *(entry.army for entry in theirs)], first.start, (second, *theirs)))
        return
    attack, caught = (x, y) if contest.winner == "x" else (y, x)
    more = _entering_with(f, attack)
    owner = f.provinces[attack.node].owner
    there = [army for army in f.standing(attack.node) if army.faction == owner and f.free_army(army)]
    _lay_out(f, PlannedBattle(row, attack.node, attack.faction, caught.faction, [attack, *more], [caught.army, *there],
                      attack.start))


def _entering_with(f: InvasionBoard, entry: ArmyEntry) -> list[ArmyEntry]:
    return [other for other in f.entries if other is not entry and other.node == entry.node
            and f.friend(entry.faction, other.faction)]


def _lay_out(f: InvasionBoard, fight: PlannedBattle) -> None:
    f.fights.append(fight)
    armies = {entry.army.army for entry in (*fight.attackers, *fight.starts)} | {defender.army
                                                                                 for defender in fight.defenders}
    f.busy |= armies
    f.entries = [entry for entry in f.entries if entry.army.army not in armies]


# --- sides and answers ------------------------------------------------------------------------------
def _sides(f: InvasionBoard, node: str) -> list[InvadingSide]:
    """The sides that enter a province; a die with WR decides which is first."""
    sides: list[InvadingSide] = []
    for entry in f.entries:
        if entry.node == node:
            side = next((side for side in sides if f.friend(side.entries[0].faction, entry.faction)), None)
            if side is None:
                sides.append(InvadingSide([entry]))
            else:
                side.entries.append(entry)
    if len(sides) > 1:
        by = {side.head.army.army: side for side in sides}
        first, rolls = f.highest(list(by), lambda army, again: INVADERS(army, again=again),
                                 lambda army: {"WR": f.wr_now(f.lead(*by[army].armies))})
        f.tell("invaders", roll=rolls, army=first, node=node)
        sides.sort(key=lambda side: side.head.army.army != first)
    return sides


def resolve_responses(f: InvasionBoard) -> None:
    """Resolve invasions province by province, in natural order; all questions are asked together."""
    fought = {fight.node for fight in f.fights}
    invasions = []
    for node in in_natural_order({entry.node for entry in f.entries}):
        sides = _sides(f, node)
        if node in fought:
            _turn_back(f, sides)
            continue
        invasions.append(Invasion(node, f.provinces[node].owner, sides, [], []))
    for invasion in invasions:
        invasion.standing = [army for army in f.standing(invasion.node) if f.friend(invasion.owner, army.faction)
                        and f.free_army(army)]
        invasion.near = _armies_within_reach(f, invasion)
    offered = {invasion.node: possible_responses(f, invasion) for invasion in invasions}
    sieges = [f.siege_at(node) for node in in_natural_order(f.reliefs)]
    asked = [_question(f, invasion, offered[invasion.node]) for invasion in invasions
             if not f.self_run(invasion.owner) and len(offered[invasion.node].answers()) > 1]
    reliefs = [Ask("relief", siege.besieger, siege.node, ("fight", "lift"), "fight",
                   {"faction": siege.besieger, "node": siege.node,
                    "armies": " ".join(entry.army.army for entry in f.reliefs[siege.node])})
               for siege in sieges if siege is not None and not f.self_run(siege.besieger)]
    answers = dict(zip([ask.about for ask in (*asked, *reliefs)], f.answers([*asked, *reliefs]), strict=True))
    used: dict[str, str] = {}
    plans = [(invasion, _decide(f, invasion, offered[invasion.node], answers.get(invasion.node, ""), used))
             for invasion in invasions]
    for invasion, choice in plans:
        _carry_out_response(f, invasion, choice, invasions)
    for invasion, choice in plans:
        if choice.act == "fort" and f.season != "Wi":
            _begin_siege(f, invasion)
    for siege in sieges:
        if siege is not None:
            _relieve(f, siege.node, answers.get(siege.node, f.rules.npc_relief))


def _armies_within_reach(f: InvasionBoard, invasion: Invasion) -> list[Army]:
    """The owner's armies with a commander within reach of a province (`respond_reach`)."""
    places = {node.node for node in f.of(invasion.owner) if node.node != invasion.node}
    return [army for army in f.armies if army.active and army.faction == invasion.owner and army.node in places
            and f.cincs(army.army) and f.free_army(army)
            and f.game.map.distances(army.node).get(invasion.node, 99) <= f.rules.respond_reach]


def _question(f: InvasionBoard, invasion: Invasion, offered: ResponseKind) -> Ask:
    side = invasion.sides[0]
    lead = f.lead(*side.armies)
    return Ask("response", invasion.owner, invasion.node, offered.answers(), "fight" if invasion.standing else "levy", {
        "faction": invasion.owner, "armies": " ".join(side.armies), "by": side.head.faction,
        "k": len(f.units_in(*side.armies)),
        "leader": lead.leader if lead is not None else "", "w": f.wr_now(lead), "node": invasion.node,
        "start": side.head.start}, answer=offered)


def _decide(f: InvasionBoard, invasion: Invasion, offered: ResponseKind, answer: str, used: dict[str, str]) -> Response:
    """The answer that counts; an army serves one province (BLD-051)."""
    invasion.standing, away = ([army for army in invasion.standing if (army.army in used) is gone]
                               for gone in (False, True))
    if f.self_run(invasion.owner):
        invasion.near = [army for army in invasion.near if army.army not in used]
        choice = self_run_response(f, invasion, possible_responses(f, invasion))
    elif answer:
        choice = Response.of(answer)
    else:
        only = (offered.answers() or ("levy",))[0].split()
        choice = Response(only[0], tuple(only[1:]))
    late = [army for army in choice.armies if army in used]
    for code in dict.fromkeys([*late, *(army.army for army in away)]) if answer else ():
        row = f.game.row_of(Ask("response", invasion.owner, invasion.node))
        f.game.find("BLD-051", Where(row.sheet, row.ident, "answer"), invasion.owner, army=code, a=used[code],
                    b=invasion.node)
    armies = tuple(army for army in choice.armies if army not in late)
    used.update(dict.fromkeys((*armies, *(army.army for army in invasion.standing)), invasion.node))
    act = choice.act
    if (late or away) and not (armies if act == "counter" else invasion.standing or armies):
        act = "fight" if invasion.standing else "levy"
    return Response(act, armies, choice.invader)


def _turn_back(f: InvasionBoard, sides: list[InvadingSide]) -> None:
    for side in sides:
        for entry in side.entries:
            f.tell("turned_back", army=entry.army.army, node=entry.node)


def _carry_out_response(f: InvasionBoard, invasion: Invasion, choice: Response, invasions: list[Invasion]) -> None:
    """Carry out a response; in a province that has a battle already the invaders turn back."""
    if any(fight.node == invasion.node for fight in f.fights):
        _turn_back(
            f, [InvadingSide([entry for side in invasion.sides for entry in side.entries if entry in f.entries])]
        )
        return
    if choice.invader:
        invasion.sides.sort(key=lambda side: side.head.army.army != choice.invader)
    side = invasion.sides[0]
    f.tell("response", faction=invasion.owner, node=invasion.node, option=choice.act, army=" ".join(choice.armies))
    _turn_back(f, invasion.sides[1:])
    if choice.act == "fight":
        named = [f.armies[code] for code in choice.armies]
        there = list({army.army: army for army in (*invasion.standing, *named)}.values())
        _fight_in_field(f, invasion, side, there)
    elif choice.act == "fort":
        _retire_into_fort(f, invasion, side)
    elif choice.act == "counter":
        _counter(f, invasion, f.armies[choice.armies[0]], invasions)
    else:
        _fall_back(f, invasion)
        _fight_levy(f, invasion.node, invasion.owner, side.entries)


def _fight_in_field(f: InvasionBoard, invasion: Invasion, side: InvadingSide, there: list[Army]) -> None:
    for army in there:
        move_army(f, army, invasion.node)
    _lay_out(
        f,
        PlannedBattle("field", invasion.node, side.head.faction, invasion.owner, side.entries, there, side.head.start),
    )


def _fight_levy(f: InvasionBoard, node: str, owner: str, entries: list[ArmyEntry]) -> None:
    levy = raise_levy(f, owner, node)
    head = InvadingSide(entries).head
    _lay_out(f, PlannedBattle("levy", node, head.faction, owner, entries, [levy], head.start))


def refuse_battle(f: InvasionBoard, code: str, node: str) -> None:
    """Count a refused battle against the people's will (WF)."""
    nation = f.nations[code]
    nation.refused_season, nation.refused_year = nation.refused_season + 1, nation.refused_year + 1
    f.tell("refused_battle", faction=code, node=node, n=nation.refused_year)


def _retire_into_fort(f: InvasionBoard, invasion: Invasion, side: InvadingSide) -> None:
    """The defenders shut themselves in; in Winter the invaders loot and go."""
    refuse_battle(f, invasion.owner, invasion.node)
    f.busy |= {army.army for army in invasion.standing}
    head = side.head
    if f.season == "Wi":
        f.provinces[invasion.node].looted_turn = f.turn
        loot(f, side.armies, head.faction)
        f.tell("raided", faction=head.faction, node=invasion.node)


def _begin_siege(f: InvasionBoard, invasion: Invasion) -> None:
    """Begin a siege, after all responses; an army that was to go back stays at its start."""
    staying = [entry for entry in invasion.sides[0].entries if entry.besiege]
    for entry in staying:
        move_army(f, entry.army, invasion.node)
    if staying:
        side = InvadingSide(staying)
        lay_siege(f, invasion.node, side.head.faction, side.armies, [army.army for army in invasion.standing],
                  side.head.start)


def _fall_back(f: InvasionBoard, invasion: Invasion) -> None:
    """The defenders leave the province, which counts as a refused battle."""
    if not invasion.standing:
        return
    refuse_battle(f, invasion.owner, invasion.node)
    for army in invasion.standing:
        place = f.fall_back(army.faction, invasion.node, f.invaded) or next(
            (near for near in f.near(invasion.node) if near not in f.invaded and f.open_ground(army.faction, near)), "")
        if place:
            move_army(f, army, place)
            f.tell("marched", rule="p58", army=army.army, node=place)
        f.busy.add(army.army)


def _counter(f: InvasionBoard, invasion: Invasion, army: Army, invasions: list[Invasion]) -> None:
    """Invade back: a mutual attack from the province itself, else an invasion of the invader's start."""
    side = invasion.sides[0]
    start = side.head.start
    back = ArmyEntry(army, start, army.node)
    f.tell("invasion", army=army.army, node=start, start=army.node)
    f.busy.add(army.army)
    mark_invaded(f, start)
    elsewhere = _entries_into(f, start, invasions)
    beside = bool(elsewhere) and f.friend(elsewhere[0].faction, army.faction)
    if army.node == invasion.node and elsewhere and not (beside and elsewhere[0] in f.entries):
        _turn_back(f, [InvadingSide([back])])
        _fight_in_field(f, invasion, side, invasion.standing)
        return
    if army.node == invasion.node:
        fight_mutual(f, side.head, back)
        caught = [entry for entry in side.entries if entry in f.entries and entry.start == f.fights[-1].node]
        f.fights[-1].defenders += [entry.army for entry in caught]
        f.entries = [entry for entry in f.entries if entry not in caught]
        _turn_back(f, [InvadingSide([entry for entry in side.entries if entry in f.entries])])
        return
    owner = f.provinces[start].owner
    there = [other for other in f.standing(start) if f.friend(owner, other.faction) and f.free_army(other)]
    if beside:
        elsewhere.append(back)
    elif elsewhere:
        _turn_back(f, [InvadingSide([back])])
    elif there:
        _lay_out(f, PlannedBattle("field", start, army.faction, owner, [back], there, back.start))
    else:
        _fight_levy(f, start, owner, [back])
    _fall_back(f, invasion)
    _fight_levy(f, invasion.node, invasion.owner, side.entries)


def _entries_into(f: InvasionBoard, node: str, invasions: list[Invasion]) -> list[ArmyEntry]:
    """The entries that already fight in a province this season: one battle a province (6)."""
    sides = [fight.attackers for fight in f.fights if fight.node == node]
    return next(iter([*sides, *(invasion.sides[0].entries for invasion in invasions if invasion.node == node)]), [])


def _relieve(f: InvasionBoard, node: str, option: str) -> None:
    """The besieger fights those who come to relieve, or lifts the siege."""
    siege, entries = f.siege_at(node), f.reliefs[node]
    if siege is None:
        return
    f.tell("response", rule="LS", faction=siege.besieger, node=node, option=option, army="")
    if option == "lift":
        refuse_battle(f, siege.besieger, node)
        send_besiegers_home(f, siege)
        end_siege(f, siege, "lifted")
        for entry in entries:
            move_army(f, entry.army, node)
            f.tell("marched", rule="LS", army=entry.army.army, node=node)
        return
    head = InvadingSide(entries).head
    _lay_out(f, PlannedBattle("relief", node, head.faction, siege.besieger, entries,
                      [f.armies[code] for code in siege.armies_out.split() if code in f.armies], head.start))


# --- the list of battles ----------------------------------------------------------------------------
def list_battles(f: InvasionBoard) -> None:
    """Number the battles by province; a result that came early is kept."""
    order = {node: n for n, node in enumerate(in_natural_order({fight.node for fight in f.fights}))}
    for n, fight in enumerate(sorted(f.fights, key=lambda battle: order[battle.node]), 1):
        ident = f"{f.turn}-{n}"
        row = f.battles.get(ident) or f.battles.add(Battle(battle=ident))
        row.turn, row.node, row.kind, row.status = f.turn, fight.node, fight.kind, "open"
        row.attacker, row.defender, row.start_node = fight.attacker, fight.defender, fight.start
        row.attacker_armies = " ".join(in_natural_order(entry.army.army for entry in fight.attackers))
        row.defender_armies = " ".join(in_natural_order(army.army for army in fight.defenders))
        row.starts = " ".join(f"{entry.army.army}={entry.start}" for entry in (*fight.attackers, *fight.starts))
        row.back = " ".join(in_natural_order(entry.army.army for entry in fight.attackers if not entry.besiege))
        row.raid = f.season == "Wi" and fight.kind != "relief" and f.nations[fight.attacker].has_trait("winter_war")
        f.tell("battle", battle=ident, node=fight.node, by=fight.attacker, opponent=fight.defender,
               kind=fight.kind)
        ours, theirs = f.units_in(*row.attacker_armies.split()), f.units_in(*row.defender_armies.split())
        f.tell("arrayed", battle=ident, n=len(ours), m=sum(unit.mount == "mounted" for unit in ours), k=len(theirs),
               l=sum(unit.mount == "mounted" for unit in theirs))


# Envoys: where they go, their stance, their successes and effects (DS, DP).


FRIENDLY, DECEIVING, INTIMIDATING, DOMINATING = "friendly", "deceiving", "intimidating", "dominating"


@dataclass
class Visit:
    """An envoy of one nation to another.

    `progress`, `allied`: what is left after the blows of this Winter; `war`: the war between the two before it.
    """

    sender: str
    receiver: str
    rolls: list[Score]
    stance: str = ""
    total: int = 0
    progress: bool = False
    allied: bool = False
    war: War | None = None
    effect: str = "nothing"


class EnvoyBoard(OrderBoard):
    """The orders of a Winter's envoys: who sends one, and to whom."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.sent: dict[str, str] = {}


@order("envoy", "inviato", when=("envoys",), target=OtherNation(code="BLD-070"),
       help=both("Send an envoy to a nation.", "Mandare un inviato a una nazione."))
def envoy(f: EnvoyBoard, request: Request, other: Faction) -> None:
    """One a Winter."""
    f.sent[request.faction] = other.faction


def take_envoys(f: EnvoyBoard) -> None:
    """Take the clubs' envoys; for a nation that names none the dice choose (BLD-072)."""
    f.carry(f.taken(("envoy",)))
    for nation in f.living():
        if nation.faction not in f.sent and not f.self_run(nation.faction):
            f.game.find("BLD-072", Where(BaseFaction.sheet, nation.faction, "faction"), nation.faction)


def resolve_visits(f: EnvoyBoard) -> None:
    """Throw for all visits on the state before; blows undo friendship first, then the effects apply."""
    made = [visit for nation in f.living() if (visit := _visit(f, nation)) is not None]
    for call in made:
        if call.stance == FRIENDLY and call.total <= 0:
            _end_friendship(f, call)
    for call in made:
        call.progress = f.feeling(call.sender, call.receiver).progress
        call.allied = f.allied(call.sender, call.receiver)
    agreed = _ask_alliances(f,
                            [call for call in made if call.stance == FRIENDLY and call.total >= 2 and not call.progress
                          and not call.allied and call.war is None])
    for call in made:
        if call.progress:
            f.written(call.sender, call.receiver).progress = False
        EFFECTS[call.stance](f, call, agreed.get((call.sender, call.receiver), True))
        _tell(f, call)


def _visit(f: EnvoyBoard, nation: Faction) -> Visit | None:
    code = nation.faction
    near = f.neighbours(code) or [faction.faction for faction in f.living() if faction.faction != code]
    if not near:
        return None
    other, rolls = f.sent.get(code, ""), list[Score]()
    if not other:
        other, rolls = f.highest(near, lambda neighbour, again: DIPLOMAT(code, neighbour, again=again),
                                 lambda neighbour: {}, [code])
    visit = Visit(code, other, rolls, war=next((war for war in f.open_wars() if war.between(code, other)), None))
    stance = f.score(STANCE(code), _stance_mods(f, code, other), [code])
    shown = stance.total if f.rules.stance_clamp == "none" else min(6, max(1, stance.total))
    visit.stance = FRIENDLY if shown <= 2 else DECEIVING if shown == 3 else INTIMIDATING if shown == 4 else DOMINATING
    count = _diplomacy(f, visit)
    visit.total = count.total
    visit.rolls += [stance, count]
    return visit


def _stance_mods(f: EnvoyBoard, code: str, other: str) -> dict[str, int]:
    """Modifiers of the stance: battles this year, a leader lost, a hero of the other nation (DS)."""
    won = lost = 0
    for row in f.battles.where(lambda battle: battle.status == "played" and whole_year(battle.turn) == f.year):
        sides = {"attacker": f.parties(row, "attacker"), "defender": f.parties(row, "defender")}
        mine = next((side for side in sides if code in sides[side]), "")
        theirs = next((side for side in sides if other in sides[side]), "")
        if mine and theirs and mine != theirs:
            won, lost = won + (row.winner == mine), lost + (row.winner == theirs)
    hero = bool(f.leaders.where(lambda leader: leader.faction == other and leader.rank == "hero"
                                and leader.state == "active"))
    return {"battles": (won > lost) - (won < lost), "leader lost": int(f.nations[other].leaders_lost > 0),
            "hero": -int(hero)}


def applicable_rows(f: EnvoyBoard, code: str, other: str) -> list[str]:
    """The rows of the envoy table that apply between two nations."""
    me, them = f.nations[code], f.nations[other]
    mine, theirs = len(f.of(code)), len(f.of(other))
    holds = {f"{who}_{interest}": row.wants(interest) for interest in ("conquest", "colonizing", "loot")
             for who, row in (("target", them), ("self", me))}
    holds |= {"target_at_war": bool(f.enemies(other)), "self_at_war": bool(f.enemies(code)),
              "target_at_peace": not f.enemies(other), "self_at_peace": not f.enemies(code),
              "target_richer": them.resources > me.resources, "self_richer": me.resources > them.resources,
              "target_more_land": theirs > mine, "target_less_land": theirs < mine}
    return [row for row, is_so in holds.items() if is_so]


def _diplomacy(f: EnvoyBoard, visit: Visit) -> Count:
    table, cap = f.campaign.table(EnvoyRow), f.rules.diplo_cap
    mods = {row: int(getattr(table[row], visit.stance)) for row in applicable_rows(f, visit.sender, visit.receiver)
            if row in table}
    whole = sum(mods.values())
    if cap and abs(whole) > cap:
        mods = {"rows": cap if whole > 0 else -cap}
    n = 2
    if f.rules.diplo_mod_kind == "dice":
        n, mods = n + sum(mods.values()), {}
    return f.counted(DIPLOMACY, (visit.sender,), n, mods, [visit.sender])


# --- effects ----------------------------------------------------------------------------------------
def _ask_alliances(f: EnvoyBoard, visits: list[Visit]) -> dict[tuple[str, str], bool]:
    """Whether each nation takes the alliance offered to it: clubs are asked, self-run nations throw."""
    asked = [visit for visit in visits if not f.self_run(visit.receiver)]
    answers = f.answers([Ask("alliance", visit.receiver, f"{visit.sender}/{visit.receiver}", ("yes", "no"), "no",
                                     {"faction": visit.receiver, "by": visit.sender}) for visit in asked])
    alliances = {(visit.sender, visit.receiver): answer == "yes" for visit, answer in zip(asked, answers, strict=True)}
    for visit in visits:
        if (visit.sender, visit.receiver) not in alliances:
            count = f.count(ALLIANCE(visit.sender, visit.receiver), Limit(f.rules.npc_alliance_to), None,
                            [visit.receiver])
            alliances[visit.sender, visit.receiver] = count.at_least(1)
            f.tell("considered", roll=count, faction=visit.receiver, partner=visit.sender)
    return alliances


def _end_friendship(f: EnvoyBoard, visit: Visit) -> None:
    """All progress and any alliance between the two are lost."""
    for a, b in ((visit.sender, visit.receiver), (visit.receiver, visit.sender)):
        if f.feeling(a, b).progress:
            f.written(a, b).progress = False
    end_alliance(f, visit.sender, visit.receiver)
    visit.effect = "blow"


def _friendly(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    a, b = visit.sender, visit.receiver
    if visit.total <= 0:
        return
    if visit.war is not None or not (visit.progress or (visit.total >= 2 and agreed and not visit.allied)):
        f.written(a, b).progress = True
        visit.effect = "progress"
    elif not visit.allied:
        visit.effect = "alliance"
        if not f.allied(a, b):
            _ally(f, a, b)


def _ally(f: EnvoyBoard, a: str, b: str) -> None:
    """Two nations are allied from now on."""
    first, second = f.in_order((a, b))
    row = Alliance(a=first, b=second, since=f.turn)
    old = f.alliances.get(row.ident)
    if old is not None:
        f.alliances.remove(row.ident)
    row = f.alliances.add(row)
    f.tell("alliance", by=first, partner=second)


def _deceiving(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    row, year = f.written(visit.receiver, visit.sender), str(f.year + 1)
    row.deceit_until = year
    row.deceit_kind = "third" if f.rules.deceive_war == "by_row" and visit.total >= 1 else "anyone"
    if visit.total >= 2:
        row.no_attack_until = year
    else:
        row.target_change, row.target_until = -1 if visit.total == 1 else 1, year
    visit.effect = "stirred" if visit.total >= 1 else "seen_through"


def _intimidating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    year = str(f.year + 1)
    if visit.total >= 2:
        row = f.written(visit.receiver, visit.sender)
        row.target_change, row.target_until = -1, year
        visit.effect = "impressed"
    elif visit.total <= 0:
        if f.rules.intimidate_backfire in ("sender", "both"):
            f.written(visit.sender, visit.receiver).backfire_until = year
        if f.rules.intimidate_backfire in ("target", "both"):
            f.written(visit.receiver, visit.sender).backfire_until = year
        visit.effect = "offended"


def _dominating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    year, war = str(f.year + 1), visit.war
    if visit.total >= 2 and war is not None and war.ended:
        return
    if visit.total >= 2 and war is not None:
        morale = {code: f.nations[code].morale + (f.wr_now(f.national_leader(code))
                  if f.rules.nm_test_rating == "nm_plus_wr" else 0) for code in (visit.sender, visit.receiver)}
        enforce_peace(f, war, visit.sender, visit.receiver, morale[visit.sender] - morale[visit.receiver], broken=False)
        visit.effect = "peace"
    elif visit.total >= 2:
        f.written(visit.receiver, visit.sender).tribute_until = year
        visit.effect = "tribute"
    elif visit.total <= 0 and war is None:
        row = f.written(visit.receiver, visit.sender)
        row.insult_year = year
        visit.effect = "insult"
        f.tell("insult", faction=visit.sender, partner=visit.receiver)


EFFECTS = {FRIENDLY: _friendly, DECEIVING: _deceiving, INTIMIDATING: _intimidating, DOMINATING: _dominating}


def _tell(f: EnvoyBoard, visit: Visit) -> None:
    """Tell the sender everything; the receiver learns of the visit, and its stance unless deceit or without effect."""
    f.tell("envoy", [visit.sender], roll=visit.rolls, faction=visit.sender, partner=visit.receiver, how="sent",
           stance=visit.stance, effect=visit.effect)
    hidden = visit.stance == DECEIVING or (visit.stance != FRIENDLY and visit.effect == "nothing")
    if hidden:
        f.tell("envoy", rule="DS", faction=visit.sender, partner=visit.receiver, how="respects")
    else:
        f.tell("envoy", rule="DS", faction=visit.sender, partner=visit.receiver, how="visit", stance=visit.stance)
