"""End of a round: open places fall, sieges are tested (3d table 35; rulebook: 3d Sieges)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.giglio.book.records import Fleet, Node, Siege
from assistant.rulesets.giglio.book.tables import SIEGE
from assistant.rulesets.giglio.spring.treaties import mark
from assistant.rulesets.giglio.summer.actions import end_siege
from assistant.rulesets.giglio.summer.marches import lift_idle_sieges
from assistant.rulesets.giglio.summer.sea import shift
from assistant.rulesets.giglio.war.war import War
from assistant.turn.findings import Where
from assistant.turn.game import ALL, Ask


def siege(war: War) -> None:
    """Open places taken, each siege tested, the round closed.

    A besieger who was in any contact there this round neither throws nor pays (rulebook: 3d Sieges).
    """
    lift_idle_sieges(war)
    open_places(war)
    met = {(c.node, faction) for c in war.met(war.round) for faction in (c.hand, c.other)}
    for row in war.sieges:
        if (row.node, row.besieger) in met:
            war.tell("siege.disturbed", ALL, node=row.node, besieger=row.besieger)
    for row, bribe in bribes(war, [row for row in war.sieges if (row.node, row.besieger) not in met]):
        if row.ident in war.sieges:
            test(war, row, bribe)
    close_round(war)


def open_places(war: War) -> None:
    """A place without walls and garrison falls to the only army there (rulebook: Open places)."""
    for place in [p for p in war.with_markers() if p.land and not p.fortified and not p.garrison]:
        soldiers = {a.faction for a in war.at(place.node) if a.kind == "army" and a.posture == "field"}
        if len(soldiers) != 1:
            continue
        taker = soldiers.pop()
        free = not war.enemies_in_field(place.node, taker) and not war.inside(place.node, taker)
        if free and (not place.owner or war.hostile(taker, place.owner)):
            capture(war, place, taker, "walked in")


# --- bribes -------------------------------------------------------------------------------------
def bribes(war: War, rows: list[Siege]) -> list[tuple[Siege, int]]:
    """Sieges with the ducats for bribes, asked just before the dice, all at once; they are spent whatever comes."""
    step = int(war.rules.siege_bribe_step)
    asks = [Ask("bribe", r.besieger, r.node, (), "0",
                {"node": r.node, "mods": {name: n for name, n in modifiers(war, r, r.rounds + 1, 0).items() if n},
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
def modifiers(war: War, row: Siege, rounds: int, bribe: int) -> dict[str, int]:
    """Table 35, named as the rulebook page names them; those that do not apply are 0."""
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


def test(war: War, row: Siege, bribe: int) -> None:
    """1d6 and table 35; 7 or more takes the place and all inside (rulebook: Table 35: sieges)."""
    place, besieger = war.nodes[row.node], row.besieger
    row.rounds += 1
    circle = war.circle(besieger, place.owner)
    trial = war.trial(SIEGE(row.node, war.year, war.round), war.rules.siege_target,
                      modifiers(war, row, row.rounds, bribe), circle)
    war.tell("siege.roll", circle, roll=trial, touch=[row], node=row.node, besieger=besieger, die=trial.roll,
             modifiers=dict(trial.modifiers), total=trial, target=trial.target,
             verdict="fell" if trial.passed else "held")
    war.tell("siege.fell" if trial.passed else "siege.held", ALL, "3d", node=row.node, besieger=besieger)
    if trial.passed:
        for army in war.inside(row.node, besieger):
            why = "captured diplomat" if army.kind == "diplomat" else "captured with the place"
            war.lose_army(army, why, "3d")
        capture(war, place, besieger, "siege")
    if trial.passed or war.rules.siege_loss_when == "always":
        _wear_down(war, row)
    if row.ident in war.sieges and not war.soldiers(row.node, besieger):
        end_siege(war, row)


def _wear_down(war: War, row: Siege) -> None:
    """Each tested round costs the besieger's strongest army ten ducats (3d)."""
    there = sorted(war.soldiers(row.node, row.besieger), key=lambda a: (-a.value, natural(a.army)))
    if there:
        lost = min(war.rules.siege_loss, there[0].value)
        war.tell("siege.wear", [row.besieger], "3d", touch=[there[0]], army=there[0].army, lost=lost, node=row.node)
        war.wear(there[0], lost, "siege wear", "3d")


# --- capture ------------------------------------------------------------------------------------
def capture(war: War, place: Node, by: str, how: str) -> None:
    """The place changes hands; garrison, works, sappers, foreign fleets in it are lost (rulebook: Fall and capture)."""
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
        _out_of_port(war, fleet)
    mark(war, by, frm, "capture")


def _out_of_port(war: War, fleet: Fleet) -> None:
    """Switch port_fleet: lost with the port, or out to the first free sea area beside."""
    free = [n for n in war.map.neighbours(fleet.node, "lane") if not war.nodes[n].land
            and not any(f.node == n and war.hostile(f.faction, fleet.faction) for f in war.fleets)]
    if war.rules.port_fleet == "flee" and free:
        shift(war, fleet, free[0], "fleet.repelled")
    else:
        war.lose_fleet(fleet, "port taken", "fleets")


def close_round(war: War) -> None:
    """Shut-in armies that nobody watches are free; dead commanders of earlier rounds are replaced (step 8)."""
    for army in war.armies:
        watched = any(a.kind == "army" and a.posture == "field" and war.hostile(a.faction, army.faction)
                      for a in war.at(army.node))
        if army.posture == "shut_in" and not watched:
            army.posture = "field"
            war.tell("army.released", [army.faction], touch=[army], army=army.army, node=army.node)
        if army.leaderless and army.leaderless < war.round:
            army.leaderless = 0
            war.tell("commander.replaced", [army.faction], touch=[army], army=army.army)
