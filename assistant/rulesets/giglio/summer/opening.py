"""Opening of summer: the order of movement, epidemics (2b table 33, 3a)."""

from __future__ import annotations

from functools import partial

from assistant.rulesets.giglio.book.questions import BLOCKS, DRAW
from assistant.rulesets.giglio.book.records import Army, Node
from assistant.rulesets.giglio.book.tables import EPIDEMIC_GARRISON, EPIDEMIC_LOSS, LOT, ORDER, ORDER_OF_ROUND
from assistant.rulesets.giglio.spring.income import EPIDEMIC
from assistant.rulesets.giglio.war.war import War
from assistant.turn.answers.answer_kinds import Codes, Parts
from assistant.turn.game import ALL, PUBLIC, Ask
from assistant.turn.throws.among import drawn, ranked
from assistant.turn.throws.dice import Roll


def opening(war: War) -> None:
    """The order of movement of ten rounds, then the winter's epidemics (rulebook: The Strategos, 3a Epidemics)."""
    if war.rules.order_redraw == "summer":
        set_order(war)
    epidemics(war)


def set_order(war: War) -> None:
    """The Strategos says it, or 1d20 each, highest first; equals throw again among themselves."""
    names, order, rolls = [f.faction for f in war.players()], list[str](), list[Roll]()
    if war.desk.strategos:
        order = list(war.game.codes(Ask("move_order", war.desk.strategos, "", (), "draw", {"list": " ".join(names)},
                                        answer=Codes(every=True, among=tuple(names), instead=DRAW))))
    if not order:
        order, rolls = ranked(names, partial(_throw_for_place, war))
    for rank, code in enumerate(order, 1):
        war.factions[code].move_rank = rank
    war.tell("order.set", ALL, roll=rolls, touch=[war.factions[c] for c in order], order=" ".join(order),
             strategos=war.desk.strategos)


def _throw_for_place(war: War, faction: str, again: int) -> Roll:
    return war.roll(ORDER_OF_ROUND(faction, war.year, war.round, again=again) if war.round else
                    ORDER(faction, war.year, again=again))


def cities_of(war: War, faction: str) -> list[Node]:
    """Cities under control, in natural order."""
    return [n for n in war.nodes if n.owner == faction and n.site == "city"]


def draw_lot(war: War, faction: str, places: list[Node]) -> tuple[Node | None, list[Roll]]:
    """One of the places by ``lot``; no die for a single one, None for none."""
    return drawn(places, lambda dice: war.roll(LOT(faction, war.year, dice=dice)))


def epidemics(war: War) -> None:
    """An epidemic begins with summer in the city that was drawn (3a, t36 row 1)."""
    if war.rules.epidemic_kill == "off":
        return
    struck: list[Node] = []
    for faction in [f for f in war.players() if f.pending_event == EPIDEMIC]:
        if not faction.pending_node and war.rules.epidemic_draw == "summer":
            place, rolls = draw_lot(war, faction.faction, cities_of(war, faction.faction))
            if place is not None:
                faction.pending_node = place.node
                war.tell("epidemic.drawn", ALL, roll=rolls, touch=[faction], faction=faction.faction, node=place.node)
        if faction.pending_node:
            struck.append(war.nodes[faction.pending_node])
    victims = [(a, place) for place in struck for a in war.at(place.node) if a.kind == "army"]
    lists = _companies(war, victims) if war.rules.epidemic_kill == "roll46" else {}
    for place in struck:
        war.tell("epidemic.struck", ALL, node=place.node)
        for army, where in victims:
            if where is place and army.army in war.armies:
                _sicken(war, army, place, lists.get(army.army))
        _sick_garrison(war, place)


def _companies(war: War, victims: list[tuple[Army, Node]]) -> dict[str, tuple[int, ...]]:
    asks = [Ask("companies", a.faction, a.army, (), "blocks", {"node": p.node, "army": a.army, "value": a.value},
                answer=Parts(a.value, BLOCKS)) for a, p in victims]
    block = war.rules.epidemic_block  # companies of one size, and a last one of what is left
    return {army.army: sizes or tuple(min(block, army.value - gone) for gone in range(0, army.value, block))
            for (army, _), sizes in zip(victims, war.game.parts_all(asks), strict=True)}


def _sicken(war: War, army: Army, place: Node, companies: tuple[int, ...] | None) -> None:
    """`companies`: their ducats, one die each; None: the whole army dies without dice."""
    rolls = [war.roll(EPIDEMIC_LOSS(army.army, i, war.year), war.circle(army.faction))
             for i in range(1, len(companies or ()) + 1)]
    lost = army.value if companies is None else sum(
        size for size, roll in zip(companies, rolls, strict=True) if roll.at_least(war.rules.epidemic_from))
    if lost == army.value:
        _spare_sappers(war, army, place)
    war.tell("epidemic.loss", [army.faction], roll=rolls, touch=[army] if lost else [], army=army.army, lost=lost)
    if lost:
        war.wear(army, lost, "epidemic", "3a")


def _spare_sappers(war: War, army: Army, place: Node) -> None:
    """Specialists are not troops: they outlive their army, in the own place or with an own army there, if there is."""
    others = [a.army for a in war.soldiers(place.node, army.faction) if a is not army]
    posts = [place.node] if place.owner == army.faction else others
    for man in war.sappers_with(army.army):
        man.post = next(iter(posts), "")
        war.touch(man)


def _sick_garrison(war: War, place: Node) -> None:
    if not place.garrison:
        return
    rolls = []
    if war.rules.epidemic_kill == "roll46":
        hidden = war.rules.garrison_public != "yes"  # then the die alone would tell that there is a garrison
        rolls = [war.roll(EPIDEMIC_GARRISON(place.node, war.year), war.circle(place.owner) if hidden else PUBLIC)]
        if not rolls[0].at_least(war.rules.epidemic_from):
            return
    place.garrison = False
    war.tell("epidemic.garrison", war.garrison_audience(place.owner), roll=rolls, touch=[place], node=place.node)
