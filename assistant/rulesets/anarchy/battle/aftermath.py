"""What comes of a battle, in the page's sequence (rulebook: 15.6 End of a battle; chapters 9, 15.6 to 15.8)."""

from __future__ import annotations

from dataclasses import field

from assistant.campaign.hexmap import direction, opposite, step
from assistant.campaign.order import natural
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.battle.fights import ATTACKERS, DEFENDERS, SIDES, Fight, audience, other
from assistant.rulesets.anarchy.battle.forms import HITS, Hit, Result, losses_of
from assistant.rulesets.anarchy.battle.looting import prizes
from assistant.rulesets.anarchy.battle.referee_rules import crews_lost, drawn_before, put_to_the_sword, set_free
from assistant.rulesets.anarchy.book.records import LETTERS, RISING, Army, Battle
from assistant.rulesets.anarchy.book.sheets import Convoy, Noble, Place, Prisoners, Train
from assistant.rulesets.anarchy.realm.asking_referee import may_rule, rule
from assistant.rulesets.anarchy.realm.backing import go, legal, retreat, surrender_group, take_group, take_unit
from assistant.rulesets.anarchy.realm.change import (
    change_prestige,
    count,
    dissolve_small,
    drop_if_empty,
    free_captives,
    hurt_here,
    hurt_man,
    new_captives,
    patients,
    put_captives,
    remove_group,
    strike,
    take_noble,
    take_off,
    take_patients,
)
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import ALL, ANGEVIN, NEUTRAL, ROYAL, pounds
from assistant.turn.board import free_name


@dataclass
class After:
    """A battle with its result while its consequences are drawn."""

    fight: Fight
    result: Result
    row: Battle
    leaders: dict[str, Noble | None]
    booty: list[Convoy | Train]
    guarded: list[Prisoners]
    record: Prisoners | None = None
    gone: list[Army] = field(default_factory=list)
    told: str = ""
    """The losses as the form has them, in the shortest words."""
    held: bool = False
    """Whether a neutral village keeps its captives, by ruling."""


def settle(f: Field, fight: Fight, result: Result, row: Battle) -> None:
    """Draw all consequences of a battle but looting."""
    beaten = fight.units[result.loser] if result.loser else []
    after = After(
        fight, result, row, {a.army: f.commander(a) for a in fight.everybody()},
        [r for a in beaten if a.node == fight.node for r in f.led_goods(a)],
        [p for a in beaten if a.node == fight.node for p in f.led_captives(a)])
    _tell(f, after)
    _village(f, after)
    if result.winner:
        _prisoners_record(f, after)
    _losses(f, after)
    _nobles(f, after)
    _the_beaten(f, after)
    _close_record(f, after)
    _prestige(f, after)
    _wins(f, after)
    _purses(f, after)
    winner = _largest(f, after)
    if winner is not None:
        prizes(f, winner, after.booty)
        _free(f, after, winner)
    _freed_on_the_table(f, after)
    crews_lost(f, fight.ident, result, audience(f, fight))
    dissolve_small(f, fight.everybody())
    _movement(f, after)
    _castle(f, after)


def _tell(f: Field, after: After) -> None:
    row, result = after.row, after.result
    row.outcome, row.how, row.status = result.outcome, result.how, "played"
    row.played = "auto" if result.auto else row.played or "table"
    if result.turns:
        row.turns = result.turns
    counted = [] if result.auto else losses_of(f, row.battle)
    for loss in counted:
        loss.status = "counted"
    f.tell("battle_result", ALL, "15.6", touch=[row, *counted], b=row.battle, outcome=result.outcome, how=result.how,
           turns=str(result.turns or ""), **({"part": "auto"} if result.auto else {}))
    told = [_told(h) for h in result.hits]
    told += [f"{noble} " + "/".join(str(int(fate == name)) for name in HITS) for noble, fate in sorted(
        result.nobles.items())]
    after.told = "; ".join(told)


def _told(hit: Hit) -> str:
    """The losses of a unit and rank, shorter than any words and the same in every language: ``A-ROB L 1/0/0``."""
    letter = next(letter for letter, rank in LETTERS.items() if rank == hit.rank)
    return f"{hit.unit} {letter} {hit.killed}/{hit.wounded}/{hit.captured}"


def _units(after: After) -> dict[str, tuple[str, Army | Place]]:
    found: dict[str, tuple[str, Army | Place]] = {}
    for side in SIDES:
        for army in after.fight.units[side]:
            found[army.army] = (side, army)
        if side in after.fight.castles:
            found[after.fight.castles[side].place] = (side, after.fight.castles[side])
    return found


def _village(f: Field, after: After) -> None:
    """A neutral village frees its captives; what else it may do with those of a table battle is ruled (section 13)."""
    fight, result = after.fight, after.result
    if fight.levy is None or result.auto or result.winner != DEFENDERS or fight.side_of(f, DEFENDERS) != NEUTRAL:
        return
    if not (any(h.captured for h in result.hits) or "captured" in result.nobles.values()
            or result.how == "surrendered"):
        return
    choice = may_rule(f, f"{fight.ident}/captives", ("free", "held", "killed"), "captives", battle=fight.ident,
                      place=fight.place)
    after.held = choice == "held"
    if choice == "killed":
        put_to_the_sword(f, fight, result)
    if choice != "free":
        f.tell("ruled", audience(f, fight), "15.8", x=fight.ident, choice=choice)


# --- losses ---------------------------------------------------------------------------------------
def _prisoners_record(f: Field, after: After) -> None:
    """One record for all captives of the battle; a neutral levy keeps none."""
    fight, result = after.fight, after.result
    captor = fight.side_of(f, result.winner)
    if captor == NEUTRAL and not after.held:
        return
    stormed = fight.kind == "assault" and result.winner == ATTACKERS
    by_levy = fight.levy is not None and result.winner != ATTACKERS
    goal = fight.place if stormed or by_levy else ""
    faction = _beaten(f, after)
    after.record = new_captives(f, faction, captor, None, fight.node, fight.ident, goal)


def _beaten(f: Field, after: After) -> str:
    """Whose men the captives are: those of the largest beaten group, else of the castle."""
    side = after.result.loser
    first = f.largest(after.fight.groups[side])
    if first is not None:
        return first.faction
    castle = after.fight.castles.get(side)
    return f.wardens(castle)[0] if castle is not None else f.faction_of(after.fight.side_of(f, side))


def _losses(f: Field, after: After) -> None:
    """Killed, wounded and captured men, in the sequence of the form."""
    units = _units(after)
    for hit in after.result.hits:
        _, unit = units[hit.unit]
        if hit.killed:
            take_off(f, unit, hit.rank, hit.killed, "dead")
        if hit.captured and (after.record is not None or after.result.winner == ""):
            take_off(f, unit, hit.rank, hit.captured, "prisoner")
            if after.record is not None:
                put_captives(after.record, hit.rank, hit.captured)
                f.touch(after.record)
        fresh = min(hit.wounded, count(unit, hit.rank) - len(hurt_here(f, unit, hit.rank)))
        for _ in range(fresh):
            hurt_man(f, unit, hit.rank)
    if after.told:
        f.tell("battle_result", audience(f, after.fight), "15.6", touch=[after.row], b=after.row.battle, part="losses",
               list=after.told)


def _nobles(f: Field, after: After) -> None:
    for ident, fate in after.result.nobles.items():
        noble = f.nobles[ident]
        if fate != "captured":
            strike(f, noble, fate, "15.7, 15.8")
        elif after.record is None:  # who is neutral keeps nobody
            f.tell("freed", audience(f, after.fight), "15.7", p=ident)
        else:
            take_noble(f, noble, after.record, "15.7, 15.8")


def _the_beaten(f: Field, after: After) -> None:
    """Surrendered: all survivors are captives; eliminated: the group is gone; a stormed garrison is taken."""
    fight, result = after.fight, after.result
    if not result.loser:
        return
    castle = fight.castles.get(result.loser)
    stormed = castle is not None and fight.kind == "assault" and castle.place == fight.place
    for army in fight.units[result.loser]:
        if result.how == "surrendered" and after.record is not None and army.active:
            _surrendered(f, after, army, after.record)
        elif result.how == "eliminated" and army.active:
            best = _largest(f, after)
            by = best.faction if best is not None else ""
            remove_group(f, army, "destroyed", by)
            f.tell("dissolved", ALL, "15.6", x=army.army)
            after.gone.append(army)
    if castle is not None and (stormed or result.how == "surrendered"):
        take_patients(f, castle, after.record)
        take_unit(f, castle, after.record)
    if fight.levy is not None and result.winner == ATTACKERS:
        _take_the_sick(f, after, fight.levy)


def _surrendered(f: Field, after: After, army: Army, record: Prisoners) -> None:
    """Who gave up on the table is taken; of a group that has nobody left nothing but its end is told."""
    alive = f.heads(army)
    take_group(f, army, record, "")
    after.gone.append(army)
    if not alive:
        f.tell("dissolved", ALL, "15.6", x=army.army)


def _take_the_sick(f: Field, after: After, village: Place) -> None:
    """Who was in care in a village that is sacked is taken."""
    sick = patients(f, village)
    n = take_patients(f, village, after.record)
    if sick and after.record is not None:
        after.record.faction = sick[0].faction
        f.tell("prisoners", f.both(ROYAL, ANGEVIN), "15.7", touch=[after.record], n=n,
               side=after.record.captor, p=after.record.prisoners)


def _close_record(f: Field, after: After) -> None:
    """The captor is the winner's largest group; an empty record is no record."""
    record = after.record
    if record is None:
        return
    winner = _largest(f, after)
    record.captor_army = winner.army if winner is not None else ""
    if drop_if_empty(f, record):
        after.record = None
        return
    f.tell("prisoners", f.both(ROYAL, ANGEVIN), "15.8", touch=[record],
           n=record.men + len(f.captives(record)), side=record.captor, p=record.prisoners)


def _largest(f: Field, after: After) -> Army | None:
    """The winner's largest group."""
    winner = after.result.winner
    leaders = [a for a in after.fight.groups[winner] if a.active] if winner else []
    return f.largest(leaders)


# --- fame -----------------------------------------------------------------------------------------
def _prestige(f: Field, after: After) -> None:
    for side in SIDES if after.result.winner else ():
        won = side == after.result.winner
        by = int(f.rules.prestige_win if won else f.rules.prestige_lost)
        for army in after.fight.groups[side]:
            change_prestige(f, after.leaders[army.army], by, "battle won" if won else "battle lost")


def _wins(f: Field, after: After) -> None:
    """Groups without a noble count their victories; the second makes one (9)."""
    if not after.result.winner:
        return
    for army in after.fight.groups[after.result.winner]:
        if army.mercenary or not army.active or after.leaders[army.army] is not None or f.with_them(army):
            continue
        army.wins += 1
        if army.wins == 1:
            army.core_start = army.core_now = f.heads(army)
        elif army.wins >= f.rules.new_noble_wins:
            if army.core_now * 100 >= f.rules.new_noble_core * army.core_start:
                _new_noble(f, army)
                continue
            army.wins, army.core_start, army.core_now = 1, f.heads(army), f.heads(army)
        f.tell("counted", f.own(army.faction), "9", touch=[army], group=army.army, n=army.wins)


def _new_noble(f: Field, army: Army) -> None:
    rank = next((r for r in reversed(RISING) if count(army, r) > len(hurt_here(f, army, r))), "")
    rank = rank or next(r for r in reversed(RISING) if count(army, r))
    asked = f.question("name", army.faction, army.army, (), f"A knight of {army.army}", group=army.army)
    name = f.game.ask(asked)
    ident = free_name(f.nobles, f"N-{army.army}")
    noble = f.nobles.add(Noble(noble=ident, name=name, faction=army.faction, prestige=f.rules.new_noble_prestige,
                               loyalty=army.loyalty, army=army.army, state="free"))
    setattr(army, rank, count(army, rank) - 1)
    army.commander, army.wins, army.core_start, army.core_now = ident, 0, 0, 0
    f.tell("new_noble", ALL, "9", touch=[noble, army], name=name, n=noble.prestige, group=army.army)


def _purses(f: Field, after: After) -> None:
    """What the eliminated and the surrendered carried goes to the winner's largest group."""
    winner = _largest(f, after)
    for army in after.gone:
        if army.money and f.rules.purse_captured == "yes" and winner is not None:
            winner.money += army.money
            f.tell("purse", audience(f, after.fight), "15.6", touch=[winner, army], group=winner.army,
                   n=pounds(army.money), x=army.army)
        army.money = 0


# --- captives freed -------------------------------------------------------------------------------
def _free(f: Field, after: After, winner: Army) -> None:
    """Captives whom the beaten led are freed into the winner's group."""
    for record in after.guarded:
        if record.state in ("waiting", "escorted") and record is not after.record:
            free_captives(f, record, winner)


def _freed_on_the_table(f: Field, after: After) -> None:
    """Captives set free during the game join the other side's largest group."""
    left = after.result.freed
    held: list[tuple[Prisoners, Army]] = []
    for side in SIDES:
        rescuer = f.largest(a for a in after.fight.groups[other(side)] if a.active)
        led = [p for a in after.fight.units[side] for p in f.led_captives(a)] if rescuer is not None else []
        held += [(p, rescuer) for p in led if p.state != "freed" and p is not after.record and rescuer is not None]
    everybody = sum(p.men + len(f.captives(p)) for p, _ in held)
    first = "men"
    if 0 < left < everybody and any(f.captives(p) for p, _ in held):
        first = rule(f, f"{after.fight.ident}/freed", ("men", "nobles"), "freed", battle=after.fight.ident, n=left,
                     all=everybody)
    for record, rescuer in held:
        left -= set_free(f, record, rescuer, left, nobles_first=first == "nobles")


# --- where everybody goes -------------------------------------------------------------------------
def _movement(f: Field, after: After) -> None:
    if not after.result.winner:
        _draw(f, after)
        return
    fight, loser = after.fight, after.result.loser
    stormed = fight.place if fight.kind == "assault" and loser != ATTACKERS else ""
    for army in _leaders(f, fight, loser):
        behind_walls = army.inside and army.inside != stormed
        from_next_door = fight.joined.get(army.army, fight.node) != fight.node
        stays = behind_walls or army.node != fight.node or from_next_door
        if not stays:
            _fall_back(f, after, army, f.heading.get(fight.mover, "") if loser != _side_of_mover(fight) else "")
    for army in _leaders(f, fight, after.result.winner):
        if army.army in fight.joined and army.node != fight.node:
            start = army.node
            go(f, army, fight.node)
            f.heading[army.army] = direction(start, fight.node)
            f.tell("advanced", ALL, "15.3", x=army.army, hex=fight.node)


def _side_of_mover(fight: Fight) -> str:
    return next((s for s in SIDES if any(a.army == fight.mover for a in fight.units[s])), ATTACKERS)


def _leaders(f: Field, fight: Fight, side: str) -> list[Army]:
    """Groups of a side that are still there and follow nobody, the largest first."""
    found = [a for a in fight.units[side] if a.active and not f.attached(a)]
    return sorted(found, key=lambda a: (-f.heads(a), natural(a.army)))


def _fall_back(f: Field, after: After, army: Army, towards: str, first: str = "") -> str:
    """Retreat, or surrender where there is no way; the hex reached."""
    goal = retreat(f, army, towards, first)
    side = f.side(army.faction)
    if goal or side == NEUTRAL:
        return goal
    captor = f.foe(side)
    taker = f.largest(a for s in SIDES for a in after.fight.groups[s] if a.active and f.side(a.faction) == captor)
    if taker is None and after.fight.levy is not None:
        return ""
    captured = f.stack(army)
    record = after.record
    for one in captured:
        record = surrender_group(f, one, captor, taker, after.fight.ident, record)
        if taker is not None and f.rules.purse_captured == "yes":
            taker.money += one.money
        one.money = 0
    after.record = record
    return ""


def _draw(f: Field, after: After) -> None:
    """Who entered or joined goes first; who was there goes the opposite way (15.6)."""
    fight = after.fight
    if drawn_before(f, fight.ident, fight.node) and may_rule(
            f, f"{fight.ident}/draw", ("give_way", "stay"), "draw", battle=fight.ident, hex=fight.node) == "stay":
        f.tell("ruled", audience(f, fight), "15.6", x=fight.ident, choice="stay")
        return
    side = _side_of_mover(fight)
    entered = [a for a in _leaders(f, fight, side) if a.node == fight.node and not a.inside
               and a.army not in fight.joined]
    taken = ""
    for army in entered:
        goal = _fall_back(f, after, army, "")
        if goal and not taken:
            taken = direction(fight.node, goal)
    if not entered:
        return  # those inside stay there, and those outside before the walls
    for army in _leaders(f, fight, other(side)):
        if army.node == fight.node and not army.inside and army.army not in fight.joined:
            _give_way(f, after, army, taken)


def _give_way(f: Field, after: After, army: Army, taken: str) -> None:
    if not taken:
        _fall_back(f, after, army, "")
        return
    away = opposite(taken)
    there = step(army.node, away)
    if legal(f, army, there):
        go(f, army, there)
        f.tell("retreated", ALL, "15.6", x=army.army, hex=there)
    else:
        _fall_back(f, after, army, "", away)


def _castle(f: Field, after: After) -> None:
    """A stormed castle changes hands (15.6, 16)."""
    fight = after.fight
    if fight.kind != "assault" or after.result.winner != ATTACKERS:
        return
    place = f.places[fight.place]
    siege = f.sieges.get(place.place)
    place.holder, place.lord = fight.side_of(f, ATTACKERS), ""
    if siege is not None and siege.state == "on":
        siege.state = "stormed"
        f.touch(siege)
    for army in f.active():
        if army.besieging == place.place:
            army.besieging = ""
            f.touch(army)
    f.tell("castle_taken", ALL, "16", touch=[place], place=place.place, side=place.holder)
