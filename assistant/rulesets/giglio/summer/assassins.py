"""Assassins: one mission, on a commander, a diplomat or a specialist (2b table 33)."""

from __future__ import annotations

from assistant.rulesets.giglio.book.records import Army, Faction, Node, Specialist
from assistant.rulesets.giglio.book.tables import ASSASSIN
from assistant.rulesets.giglio.spring.budget import ENVOYS, HIRED
from assistant.rulesets.giglio.spring.treaties import mark
from assistant.rulesets.giglio.war.orders import IN_SUMMER
from assistant.rulesets.giglio.war.plan import Shot
from assistant.rulesets.giglio.war.war import War
from assistant.turn.game import ALL
from assistant.turn.orders.columns import Code, Option
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import order, same
from assistant.turn.throws.dice import Roll

ON_ARMY = ("commander", "diplomat", "sapper")
ON_FACTION = ("spy", "assassin")


@order("assassinate", "uccidi", also=("kill", "assassina"), when=IN_SUMMER, replaces=same("shot", "unit"),
       unit=Code((Specialist,), r".*-S\d+", blank=True), target=Code((Army, Node, Faction), of_others=True),
       option=Option({"commander": "comandante", **HIRED}, ENVOYS),
       shown=("assassinate {unit} {option} {target}", "uccidi {unit} {option} {target}"),
       help="Send an assassin against a commander, diplomat, sapper, spy or assassin.")
def assassinate(war: War, request: Request) -> None:
    """An order to kill, kept for its time (GIG-085, 086)."""
    mine = [s for s in war.active(request.faction, "assassin") if all(s is not shot.man for shot in war.plan.shots)]
    man = next((s for s in mine if s.specialist == request.unit or not request.unit), None)
    if man is None:
        raise Refused("GIG-085", "unit", unit=request.unit or "-")
    victim = _victim(war, request)
    if not victim or victim == request.faction:
        raise Refused("GIG-086", "target", target=request.target, option=request.option or "-")
    war.plan.shots.append(Shot(man, request.option, request.target, victim))


def _victim(war: War, request: Request) -> str:
    army = war.armies.get(request.target)
    if request.option in ON_ARMY and army is not None and army.posture != "aboard":
        return army.faction
    if request.option == "sapper" and request.target in war.nodes:
        return war.nodes[request.target].owner
    faction = war.factions.get(request.target)
    if request.option in ON_FACTION and faction is not None and faction.role != "neutral":
        return faction.faction
    return ""


def strike_before_all(war: War) -> None:
    """Where assassins may act at any time, all do before anybody moves (switch assassin_timing)."""
    if war.rules.assassin_timing == "any":
        shots, war.plan.shots = war.plan.shots, []
        strike(war, shots)


def strike(war: War, shots: list[Shot]) -> None:
    """All throw, each is spent; then the hits are told in the same order (rulebook: Table 33: specialists)."""
    thrown: list[tuple[Shot, Roll]] = []
    for shot in shots:
        if shot.man.status == "active":
            thrown.append((shot, war.roll(ASSASSIN(shot.man.specialist, war.year, war.round), [shot.man.faction])))
            shot.man.status = "spent"
        else:
            war.tell("assassin.gone", [shot.man.faction], man=shot.man.specialist, target=shot.target, kind=shot.kind)
    for shot, roll in thrown:
        _resolve(war, shot, roll)


def _resolve(war: War, shot: Shot, roll: Roll) -> None:
    sender, at = shot.man.faction, {"target": shot.target, "kind": shot.kind}
    if not roll.at_least(war.rules.assassin_hits):
        war.tell("assassin.failed", [sender], roll=roll, touch=[shot.man], die=roll, **at)
        if roll.at_most(1):
            war.tell("assassin.exposed", ALL, by=sender, target=shot.target)
            mark(war, sender, shot.victim, "assassin")
    elif (killed := _kill(war, shot)) is None:
        war.tell("assassin.nobody", [sender], roll=roll, touch=[shot.man], **at)
    else:
        war.tell("assassin.success", [sender], roll=roll, touch=[shot.man], **at)
        war.tell("victim.struck", [shot.victim], touch=[killed], **at)


def _kill(war: War, shot: Shot) -> Army | Specialist | None:
    """Who dies, or loses his commander; None when there is nobody."""
    army = war.armies.get(shot.target)
    if shot.kind in ("commander", "diplomat") and army is not None:
        if army.kind == "diplomat":
            war.lose_army(army, "assassin", "t33")
        elif shot.kind == "commander" and army.leaderless != war.round:
            army.leaderless = war.round
        else:
            return None
        return army
    men = war.active(shot.target, shot.kind) if shot.kind != "sapper" else [
        s for s in war.sappers_with(shot.target) if s.faction != shot.man.faction]
    for man in men[:1]:
        man.status = "dead"
    return next(iter(men), None)
