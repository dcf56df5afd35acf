"""Fleets and sieges of a round (3d, fleets)."""

from __future__ import annotations

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.giglio.marches import ally_at, end_siege, is_harbour, is_pinned, lift_idle_sieges
from assistant.rulesets.giglio.records import Army, Fleet, Node, Siege
from assistant.rulesets.giglio.spring import mark_suspect
from assistant.rulesets.giglio.tables import SIEGE, STORM, STORM_FLEET
from assistant.rulesets.giglio.war import War
from assistant.turn.findings import Where
from assistant.turn.orders.requests import Request
from assistant.turn.questions import Ask

# Fleets: sailing, meetings at sea, storms, boarding and landing (fleets).


def board_in_port(war: War) -> None:
    """Put armies aboard fleets in port at once, so that these may sail in this round (rulebook: Fleets)."""
    for unit, act in war.plan.doing("embark").items() if war.rules.embark_rounds == "0" else ():
        army, fleet = war.armies.get(unit), war.fleets.get(act.request.target)
        if army is None or fleet is None or not is_at_sea(war, fleet):
            del war.plan.acts[unit]
            if army is not None and fleet is not None:  # neither has been lost since the order
                _put_aboard(war, army, fleet)


def _put_aboard(war: War, army: Army, fleet: Fleet) -> None:
    army.posture, army.fleet, army.trail, army.node = "aboard", fleet.fleet, "", fleet.node
    fleet.cargo = army.army
    war.tell("army.embarked", [army.faction], touch=[army, fleet], army=army.army, fleet=fleet.fleet)


def is_at_sea(war: War, fleet: Fleet) -> bool:
    """Whether a fleet lies in a sea area."""
    return not war.nodes[fleet.node].land


def sail_all(war: War) -> None:
    """Move all fleets at the same time, one segment each (rulebook: Fleets)."""
    goals = war.plan.sails | war.plan.homeward
    for code in in_natural_order(goals):
        fleet, to = war.fleets[code], goals[code]
        if code in war.plan.homeward:
            war.tell("fleet.homeward", [fleet.faction], touch=[fleet], fleet=fleet.fleet, to=to)
        move_fleet(war, fleet, to, "fleet.sailed")


def steer_homeward(war: War) -> None:
    """Send fleets at sea without orders one step home (GIG-076)."""
    plan = war.plan
    for fleet in war.fleets:
        busy = fleet.cargo in plan.doing("land") or plan.boarded(fleet.fleet)
        if is_at_sea(war, fleet) and fleet.fleet not in plan.sails and not busy:
            home = first_step_home(war, fleet)
            if home:
                plan.homeward[fleet.fleet] = home
                war.find("GIG-076", fleet, "node", fleet=fleet.fleet, node=home)


def move_fleet(war: War, fleet: Fleet, to: str, event: str) -> None:
    """Move a fleet with its cargo; the event is public."""
    fleet.came_from, fleet.node = fleet.node, to
    for army in war.armies.where(lambda one: one.army == fleet.cargo):
        army.node = to
        war.touch(army)
    war.tell(event, ALL, "fleets", touch=[fleet], fleet=fleet.fleet, frm=fleet.came_from, to=to)


def first_step_home(war: War, fleet: Fleet) -> str:
    """The first step of the shortest way over lanes to the nearest own or partner's port.

    Ties are broken by natural order of port, then of step. Without such a port: the first neighbouring sea area
    in natural order, "" if no lane leads on.
    """
    def cost(a: str, b: str) -> float | None:
        passable = a == fleet.node or not war.nodes[a].land
        open_end = not war.nodes[b].land or is_harbour(war, war.nodes[b], fleet.faction)
        return 1 if passable and open_end else None

    far = war.map.distances(fleet.node, "lane", cost=cost)
    ports = [n for n in war.nodes if n.node in far and n.land and n.node != fleet.node]
    steps = [n for n in war.map.neighbours(fleet.node, "lane") if n in far]
    if not ports:
        return next((n for n in steps if not war.nodes[n].land), "")
    goal = min(ports, key=lambda n: far[n.node])  # of equals the first in natural order
    return next(step for step in steps
                if war.map.distances(step, "lane", cost=cost).get(goal.node) == far[goal.node] - 1)


def sea_meetings(war: War) -> None:
    """Resolve meetings at sea: the smaller number gives way, equal numbers both go back (rulebook: Fleets)."""
    verdicts: list[tuple[Fleet, str]] = []
    for fleet in war.fleets.where(lambda one: is_at_sea(war, one)):
        together = [f for f in war.fleets if f.node == fleet.node]
        theirs = sum(war.hostile(f.faction, fleet.faction) for f in together)
        ours = len(together) - theirs
        even = ours == theirs or (war.rules.fleet_majority == "only_vs_one" and min(ours, theirs) > 1)
        if theirs and (even or ours < theirs):
            verdicts.append((fleet, "back" if can_go_back(war, fleet) else "locked" if even else "lost"))
    war.plan.held_up = {fleet.fleet for fleet, verdict in verdicts if verdict != "locked"}
    for fleet, verdict in verdicts:
        if verdict == "lost":
            war.lose_fleet(fleet, "no way back", "fleets")
        elif verdict == "locked":
            war.tell("fleet.locked", ALL, fleet=fleet.fleet, node=fleet.node)
        else:
            move_fleet(war, fleet, fleet.came_from, "fleet.repelled")


def can_go_back(war: War, fleet: Fleet) -> bool:
    """Whether a fleet came from an own or partner's port, or a sea area without hostile fleets after sailing."""
    back = war.nodes.get(fleet.came_from)
    if back is None:
        return False
    if back.land:
        return is_harbour(war, back, fleet.faction)
    return not any(f.node == back.node and war.hostile(f.faction, fleet.faction) for f in war.fleets)


def storm(war: War) -> None:
    """1d6 every round; on a 6 each fleet at sea throws, and a 6 sinks it with its cargo (rulebook: Fleets)."""
    roll = war.roll(STORM(war.year, war.round))
    rises = roll.at_least(war.rules.storm_on)
    war.tell("storm.rises" if rises else "storm.none", ALL, roll=roll, die=roll)
    for fleet in war.fleets.where(lambda one: rises and is_at_sea(war, one)):
        test = war.roll(STORM_FLEET(fleet.fleet, war.year, war.round))
        sinks = test.at_least(war.rules.storm_fleet_on)
        war.tell("storm.sinks" if sinks else "storm.survived", ALL, roll=test, fleet=fleet.fleet, die=test,
                 faction=fleet.faction)
        if sinks:
            war.lose_fleet(fleet, "storm", "fleets")


def landings(war: War) -> None:
    """After all marches armies go ashore or aboard, in the order of movement (rulebook: Fleets)."""
    for faction in war.by_rank():
        for army in [a for a in war.armies if a.faction == faction.faction and a.army in war.plan.acts]:
            act = war.plan.acts[army.army]
            if act.verb in ("land", "embark"):
                (_land if act.verb == "land" else _board)(war, army, act.request)


def _land(war: War, army: Army, request: Request) -> None:
    fleet, to = war.fleets.get(army.fleet), request.target
    if fleet is None or fleet.fleet in war.plan.held_up or ally_at(war, army, to):
        war.tell("landing.failed", [army.faction], army=army.army, node=to)
        return
    army.trail = "" if war.nodes[fleet.node].land else fleet.node
    army.posture, army.node, fleet.cargo = "field", to, ""
    war.plan.arrivals += 1
    army.arrived_year, army.arrived_round, army.arrived_no = war.year, war.round, war.plan.arrivals
    war.tell("army.landed", ALL, touch=[army, fleet], army=army.army, faction=army.faction, node=to)


def _board(war: War, army: Army, request: Request) -> None:
    fleet = war.fleets.get(request.target)
    if is_pinned(war, army):
        request.row.status = "pinned"
    elif fleet is not None and fleet.fleet not in war.plan.held_up:
        _put_aboard(war, army, fleet)
        return
    war.tell("embark.failed", [army.faction], touch=[request.row], army=army.army, node=army.node)


# The end of a round: open places, sieges (3d table 35; rulebook: 3d Sieges).


def resolve_sieges(war: War) -> None:
    """Take open places, test each siege, close the round.

    A besieger who was in any contact there in this round neither throws nor pays (rulebook: 3d Sieges).
    """
    lift_idle_sieges(war)
    take_open_places(war)
    met = {(c.node, faction) for c in war.met(war.round) for faction in (c.hand, c.other)}
    for row in war.sieges:
        if (row.node, row.besieger) in met:
            war.tell("siege.disturbed", ALL, node=row.node, besieger=row.besieger)
    for row, bribe in ask_bribes(war, [row for row in war.sieges if (row.node, row.besieger) not in met]):
        if row.ident in war.sieges:
            roll_siege(war, row, bribe)
    close_round(war)


def take_open_places(war: War) -> None:
    """A place without walls and garrison falls to the only faction with an army there (rulebook: Open places)."""
    for place in [p for p in war.with_markers() if p.land and not p.fortified and not p.garrison]:
        soldiers = {a.faction for a in war.at(place.node) if a.kind == "army" and a.posture == "field"}
        if len(soldiers) != 1:
            continue
        taker = soldiers.pop()
        free = not war.enemies_in_field(place.node, taker) and not war.inside(place.node, taker)
        if free and (not place.owner or war.hostile(taker, place.owner)):
            capture_place(war, place, taker, "walked in")


# --- bribes -------------------------------------------------------------------------------------
def ask_bribes(war: War, rows: list[Siege]) -> list[tuple[Siege, int]]:
    """Ask all besiegers at once for bribes, just before the dice, and take them. Returns each siege with its ducats."""
    step = int(war.rules.siege_bribe_step)
    asks = [Ask("bribe", r.besieger, r.node, (), "0",
                {"node": r.node, "mods": {name: n for name, n in siege_modifiers(war, r, r.rounds + 1, 0).items() if n},
                 "target": war.rules.siege_target, "step": step}) for r in rows]
    spent: dict[str, int] = {}
    found = list(zip(rows, war.game.amounts(asks), strict=True))
    for ask, (row, ducats) in zip(asks, found, strict=True):
        chest = war.factions[row.besieger].treasury
        total = spent.get(row.besieger, 0) + ducats
        if total > max(0, chest):
            war.game.ask_again(ask, "GIG-101", sum=total, left=chest)
        spent[row.besieger] = total
        if ducats % step:
            where = Where("Questions", ask.ident(war.game.turn, war.game.phase), "answer")
            war.game.find("GIG-102", where, row.besieger, step=step, rest=ducats % step)
    for row, ducats in found:
        if ducats:
            war.money(row.besieger, "bribe", -ducats, row.node)
    return found


# --- the die ------------------------------------------------------------------------------------
def siege_modifiers(war: War, row: Siege, rounds: int, bribe: int) -> dict[str, int]:
    """The modifiers of table 35, named as on the rulebook page; those that do not apply are 0."""
    rules, place = war.rules, war.nodes[row.node]
    full = rounds if rules.siege_first_bonus == "yes" else rounds - 1
    besiegers = war.soldiers(row.node, row.besieger)
    inside = war.inside(row.node, row.besieger)
    held = place.garrison or (rules.shut_army_counts == "yes" and any(a.kind == "army" for a in inside))
    posts = [row.node, *(a.army for a in inside)]
    mine = any(war.sappers_with(a.army) for a in besiegers)
    theirs = any(s.faction != row.besieger for post in posts for s in war.sappers_with(post))
    return {
        "full rounds besieging": full * rules.siege_round,
        "besieger's sapper": rules.siege_sapper if mine else 0,
        "bribes": bribe // int(rules.siege_bribe_step),
        "garrison": rules.siege_garrison if held else 0,
        "defender's sapper": rules.siege_def_sapper if theirs else 0,
        "walls": rules[f"siege_{place.site}"] if place.fortified else 0,
    }


def roll_siege(war: War, row: Siege, bribe: int) -> None:
    """Throw 1d6 with table 35; 7 or more takes the place and all inside (rulebook: Table 35: sieges)."""
    place, besieger = war.nodes[row.node], row.besieger
    row.rounds += 1
    circle = war.circle(besieger, place.owner)
    trial = war.trial(SIEGE(row.node, war.year, war.round), war.rules.siege_target,
                      siege_modifiers(war, row, row.rounds, bribe), circle)
    war.tell("siege.roll", circle, roll=trial, touch=[row], node=row.node, besieger=besieger, die=trial.roll,
             modifiers=dict(trial.modifiers), total=trial, target=trial.target,
             verdict="fell" if trial.passed else "held")
    war.tell("siege.fell" if trial.passed else "siege.held", ALL, "3d", node=row.node, besieger=besieger)
    if trial.passed:
        for army in war.inside(row.node, besieger):
            why = "captured diplomat" if army.kind == "diplomat" else "captured with the place"
            war.lose_army(army, why, "3d")
        capture_place(war, place, besieger, "siege")
    if trial.passed or war.rules.siege_loss_when == "always":
        _wear_down(war, row)
    if row.ident in war.sieges and not war.soldiers(row.node, besieger):
        end_siege(war, row)


def _wear_down(war: War, row: Siege) -> None:
    """A tested round costs the besieger's strongest army ten ducats (3d)."""
    there = sorted(war.soldiers(row.node, row.besieger), key=lambda a: (-a.value, natural(a.army)))
    if there:
        lost = min(war.rules.siege_loss, there[0].value)
        war.tell("siege.wear", [row.besieger], "3d", touch=[there[0]], army=there[0].army, lost=lost, node=row.node)
        war.wear(there[0], lost, "siege wear", "3d")


# --- capture ------------------------------------------------------------------------------------
def capture_place(war: War, place: Node, by: str, how: str) -> None:
    """A place changes hands; its garrison, works, sappers and foreign fleets are lost (rulebook: Fall and capture)."""
    frm = place.owner
    place.owner, place.garrison = by, False
    if how == "siege" and place.fortified:
        place.walls = "damaged"
    for man in war.sappers_with(place.node):
        if man.faction != by:
            man.status = "dead"
            war.touch(man)
    war.touch(*(war.sieges.remove(row.ident) for row in war.besieged(place.node)))  # a partner's siege beside, too
    war.tell("place.taken", ALL, "3d" if how == "siege" else "3c", touch=[place], node=place.node, by=by, frm=frm,
             how=how)
    for work in war.works:
        if work.node == place.node and work.status == "under_way":
            work.status = "lost"
            war.tell("works.lost", ALL, touch=[work], node=place.node)
    for fleet in [f for f in war.fleets if f.node == place.node and war.hostile(f.faction, by)]:
        _drive_out_of_port(war, fleet)
    mark_suspect(war, by, frm, "capture")


def _drive_out_of_port(war: War, fleet: Fleet) -> None:
    """A fleet is lost with its port, or flees to the first free sea area beside it (switch port_fleet)."""
    free = [n for n in war.map.neighbours(fleet.node, "lane") if not war.nodes[n].land
            and not any(f.node == n and war.hostile(f.faction, fleet.faction) for f in war.fleets)]
    if war.rules.port_fleet == "flee" and free:
        move_fleet(war, fleet, free[0], "fleet.repelled")
    else:
        war.lose_fleet(fleet, "port taken", "fleets")


def close_round(war: War) -> None:
    """Free shut-in armies that nobody watches; replace commanders killed in earlier rounds (step 8)."""
    for army in war.armies:
        watched = any(a.kind == "army" and a.posture == "field" and war.hostile(a.faction, army.faction)
                      for a in war.at(army.node))
        if army.posture == "shut_in" and not watched:
            army.posture = "field"
            war.tell("army.released", [army.faction], touch=[army], army=army.army, node=army.node)
        if army.leaderless and army.leaderless < war.round:
            army.leaderless = 0
            war.tell("commander.replaced", [army.faction], touch=[army], army=army.army)
