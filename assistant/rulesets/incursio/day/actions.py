"""What each player does with the one action of a day: BUILD, MISSION, SPY, judged and agreed to (rulebook: Actions)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from assistant.rulesets.incursio.book.questions import CONSENT
from assistant.rulesets.incursio.book.records import StructureType
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH
from assistant.rulesets.incursio.day.moves import DAY
from assistant.rulesets.incursio.orders import columns
from assistant.rulesets.incursio.orders.judging import (
    PERSONAL,
    actions_of,
    canonical,
    in_names,
    lines,
    phase_of,
    priority,
    said,
    take_lines,
    take_one,
)
from assistant.rulesets.incursio.realm.realm import OTHER, Realm
from assistant.turn.answers.asking import Ask
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import order

FOUNDING = ("02", "01")
"""What a new settlement needs, in the order in which it is begun."""
FREED = ("11", "18", "19")
"""Structures whose level does not count where level 3 asks for a signal tower."""


# --- one action a day ---------------------------------------------------------------------------------------
def is_proposal(request: Request) -> bool:
    """Whether the general writes for somebody else."""
    return said(request, "issuer") not in ("", said(request, "player"))


def acting(request: Request) -> tuple[Any, ...]:
    """Whose line counts first: one's own before proposals, then priority, then BUILD, MISSION, SPY."""
    return (is_proposal(request), priority(request), PERSONAL.index(request.verb), canonical(request))


def busy(realm: Realm, request: Request, *, extra: bool = False) -> None:
    """Refuse a second action (INC-058); where a command centre stands a mission may be one (INC-072), but not of a
    player who spies.
    """
    player = str(said(request, "player"))
    others = {one.row.order: one for one in (*actions_of(realm, realm.game.turn), *realm.plans.get("acting", ()))
              if said(one, "player") == player and one.row.order != request.row.order}
    if not others:
        return
    centres = sum(count for node in realm.homes(ESDEF) if request.faction == ESDEF
                  for structure, count in realm.standing(node.node).items()
                  if structure in realm.effects(node.node, "extra_missions"))
    if not (extra and centres) or any(one.verb == "spy" for one in others.values()):
        raise Refused("INC-058", "player", player=player, other=" ".join(others))
    used = realm.plans.get("extra_missions", 0)
    if used >= centres or len(others) > 1:
        raise Refused("INC-072", "player")
    realm.plans["extra_missions"] = used + 1


def take_actions(realm: Realm) -> None:
    """Judge the actions of the evening; of spies only who is busy with it, for they are judged at night."""
    if not realm.is_next:
        return
    every = [request for request in lines(realm) if request.verb in PERSONAL]
    realm.plans["building"] = [request for request in every if request.verb == "build"]
    for request in sorted(every, key=acting):
        if request.verb == "spy":
            try:
                spying_at(realm, request)
                busy(realm, request)
            except Refused:
                continue  # told at night
            realm.plans.setdefault("acting", []).append(request)
        elif phase_of(realm, request) == realm.game.phase and take_one(realm, request):
            realm.plans.setdefault("acting", []).append(request)
    builds = [request for request in realm.taken if request.verb == "build"]
    _money(realm, builds)


def take_spies(realm: Realm) -> None:
    """Judge the lines of spies."""
    take_lines(realm, "spy", order=acting)


# --- building -------------------------------------------------------------------------------------------------
@order("build", "costruisci", when=DAY, structure=columns.STRUCTURE, node=columns.CELL, player=columns.PLAYER,
       issuer=columns.SOMEBODY, priority=columns.NUMBER,
       shown=("build {structure} @{node} ({player})", "costruisci {structure} a {node} ({player})"),
       help="Begin a structure; it is ready tomorrow, and is the player's action of the day.")
def build(realm: Realm, request: Request) -> None:
    """In the order of the book's checks; works that are due tonight count as finished."""
    if not _second_of_founding(realm, request):
        busy(realm, request)
    if said(request, "structure") not in realm.types:
        raise Refused("INC-050", "structure", id=str(said(request, "structure"))[:40])
    buildable(realm, request, forecast=True)
    node = str(said(request, "node"))
    ordered = {said(one, "structure") for one in realm.plans.get("building", ()) if said(one, "node") == node}
    there = {*realm.standing(node), *(work.structure for work in realm.in_work(node)), *ordered}
    if realm.nodes[node].kind == "empty" and there & set(FOUNDING) and not set(FOUNDING) <= there:
        request.find(realm, "INC-056", "structure", one=next(iter(there & set(FOUNDING))))


def _second_of_founding(realm: Realm, request: Request) -> bool:
    """Whether the player begins the other half of a founding, where one may begin both."""
    if realm.rules.builder_rule != "per_site" or said(request, "structure") not in FOUNDING:
        return False
    mine = [one for one in realm.plans.get("acting", ()) if said(one, "player") == said(request, "player")]
    return len(mine) == 1 and mine[0].verb == "build" and said(mine[0], "node") == said(request, "node") and (
        {said(mine[0], "structure"), said(request, "structure")} == set(FOUNDING))


def buildable(realm: Realm, request: Request, *, forecast: bool) -> StructureType:
    """What may be begun in a cell: INC-055, 051, 052, 053. `forecast`: works due tonight count as finished."""
    node, code = str(said(request, "node")), str(said(request, "structure"))
    kind, place = realm.types[code], realm.nodes[node]
    soldiers = bool(realm.camp.at(node, ESDEF)) and not realm.camp.at(node, VARANNAH)
    if not (place.kind == "settlement" or (place.kind == "empty" and soldiers)):
        raise Refused("INC-055", "node", node=node)
    there, working = realm.standing(node), Counter[str]()
    for work in realm.in_work(node):
        due = forecast and (work.ready_on or 0) <= realm.today
        (there if due else working)[work.structure] += 1
    level = max(place.level if place.kind == "settlement" else 0, realm.level_of(there))
    if kind.level > level and not (realm.rules.lvl3_req == "19_ignore_levels" and code in FREED):
        raise Refused("INC-051", "structure", structure=code, need=kind.level, node=node, level=level)
    present = set(there) | (_founded_beside(realm, node, working, forecast=forecast) if level == 0 else set())
    missing = [one for one in kind.requires.split() if one not in present]
    if missing:
        raise Refused("INC-052", "structure", structure=code, missing=" ".join(missing), node=node)
    # a proposal may still be declined: whether it takes the last place, or loses it, shows when works begin
    begun = [one for one in realm.plans.get("acting", ()) if forecast and one.verb == "build"
             and said(one, "structure") == code and not is_proposal(one) and by_need(one) < by_need(request)]
    count = there[code] + working[code] + sum(said(one, "node") == node for one in begun)
    if realm.rules.build_limit_scope == "map":
        count = len(begun) + sum(row.copies for row in realm.structures if row.structure == code) + sum(
            work.structure == code for work in realm.works if work.state == "in_progress")
    if count >= kind.limit:
        raise Refused("INC-053", "structure", structure=code, k=count, node=node, limit=kind.limit)
    return kind


def _founded_beside(realm: Realm, node: str, working: Counter[str], *, forecast: bool) -> set[str]:
    """What is begun beside it where a settlement is founded and both halves may be built together."""
    if realm.rules.founding_parallel == "serial":
        return set()
    ordered = {str(said(one, "structure")) for one in realm.plans.get("building", ())
               if forecast and said(one, "node") == node}
    return (set(working) | ordered) & {FOUNDING[0]}


def by_need(request: Request) -> tuple[Any, ...]:
    """In which order works are paid: priority, cell, 02 first, then structure, player."""
    code = str(said(request, "structure"))
    return (priority(request), columns.natural_blank(said(request, "node")), code != FOUNDING[0], code,
            columns.natural_blank(said(request, "player")))


def _money(realm: Realm, builds: list[Request]) -> None:
    """INC-054: what coins and the income of tonight will not pay."""
    left = (realm.factions[ESDEF].coins or 0) + sum(realm.income().values())
    for request in sorted(builds, key=by_need):
        cost = realm.types[str(said(request, "structure"))].cost
        if cost > left:
            request.find(realm, "INC-054", "structure", cost=cost, left=left)
        else:
            left -= cost


# --- missions and spies ---------------------------------------------------------------------------------------
@order("mission", "missione", when=DAY, mission=columns.MISSION, player=columns.PLAYER, node=columns.Cell(blank=True),
       target_player=columns.FOR_WHOM, issuer=columns.SOMEBODY, priority=columns.NUMBER,
       shown=("mission {mission}[ at {node}][ for {target_player}] ({player})",
              "missione {mission}[ a {node}][ per {target_player}] ({player})"),
       help="Send a player on a mission; it is the player's action of the day.")
def mission(realm: Realm, request: Request) -> None:
    """In the order of the book's checks."""
    kind = realm.mission_types.get(str(said(request, "mission")))
    if kind is None or kind.who == OTHER[request.faction]:
        raise Refused("INC-070", "mission", mission=str(said(request, "mission"))[:40], faction=request.faction)
    node, other = str(said(request, "node")), str(said(request, "target_player"))
    settled = bool(node) and realm.nodes[node].kind == "settlement"
    needs = {"settlement": settled, "cell": bool(node), "player": bool(other)}
    if not needs.get(kind.target, True):
        raise Refused("INC-071", "target_player" if kind.target == "player" else "node", target=kind.target)
    for name in ("node", "target_player"):
        if said(request, name) and (name == "node") is (kind.target in ("none", "player")):
            request.find(realm, "INC-009", name, verb=request.verb, column=name, sheet="Orders")
    same = [one for one in realm.plans.get("acting", ()) if one.verb == "mission" and one.faction == request.faction
            and said(one, "mission") == kind.mission and said(one, "node") == node]
    mine = [one for one in same if said(one, "player") == said(request, "player")
            and said(one, "target_player") == other]
    alike = mine or (same if node and kind.mission != "free" else [])
    if alike:
        raise Refused("INC-073", "mission", other=str(said(alike[0], "player")), target=node or other or "–")
    busy(realm, request, extra=True)


@order("spy", "spia", when=DAY, node=columns.CELL, player=columns.PLAYER, subject=columns.SUBJECT,
       issuer=columns.SOMEBODY, priority=columns.NUMBER,
       shown=("spy {node}[ {subject}] ({player})", "spia {node}[ {subject}] ({player})"),
       help="Spy a cell by night; raiders say whether soldiers or structures. It is the player's action of the day.")
def spy(realm: Realm, request: Request) -> None:
    """In the order of the book's checks."""
    spying_at(realm, request)
    busy(realm, request)
    realm.plans.setdefault("acting", []).append(request)
    if request.faction == ESDEF and said(request, "subject"):
        request.find(realm, "INC-061", "subject")


def spying_at(realm: Realm, request: Request) -> None:
    """INC-062, 060."""
    node = str(said(request, "node"))
    if realm.is_home(node, request.faction):
        raise Refused("INC-062", "node", node=node)
    if request.faction == VARANNAH and not said(request, "subject"):
        raise Refused("INC-060", "subject")


# --- consents -------------------------------------------------------------------------------------------------
def consent(realm: Realm, request: Request) -> Ask:
    """The question whether a player agrees to what the general proposes."""
    player = realm.players[str(said(request, "player"))]
    lang = realm.factions[request.faction].language
    other = "it" if lang == "en" else "en"  # whose workbook is in the other language reads it there
    what = " ".join(str(said(request, name)) for name in ("structure", "mission", "target_player", "subject")
                    if said(request, name))
    return Ask(CONSENT, request.faction, request.row.order, ("yes", "no"), "no",
               {"order": request.row.order, "player": player.player, "character": player.name or player.player,
                "action": in_names(realm, request, lang), f"action_{other}": in_names(realm, request, other),
                "place": str(said(request, "node")), "object": what},
               terms=("player", "action", "place", "object"))


def agreed(realm: Realm, requests: Iterable[Request], more: list[Ask]) -> tuple[list[Request], list[str]]:
    """The lines to which their players agree, after asking all at once, and the answers to further questions."""
    listed = list(requests)
    proposals = [request for request in listed if is_proposal(request)]
    answers = realm.game.choose_all([*(consent(realm, request) for request in proposals), *more])
    refused = {id(request) for request, answer in zip(proposals, answers, strict=False) if answer == "no"}
    for request in listed:
        if id(request) in refused:
            request.came_to("declined")
            realm.tell("consent_refused", [request.faction], "COS CON", order=request.row.order,
                       player=said(request, "player"))
    return [request for request in listed if id(request) not in refused], answers[len(proposals):]


def acted(realm: Realm, request: Request) -> Any:
    """Note that a player has acted today; his row."""
    player = realm.players[str(said(request, "player"))]
    player.acted_on = realm.today
    return player
