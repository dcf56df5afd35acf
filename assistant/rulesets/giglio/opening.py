"""Opening of summer: the order of movement, epidemics (2b table 33, 3a)."""

from __future__ import annotations

import re

from assistant.rulesets.giglio.income import EPIDEMIC
from assistant.rulesets.giglio.records import Army, Faction, Node, Specialist
from assistant.rulesets.giglio.war import War, digits
from assistant.turn.dice import Roll
from assistant.turn.game import ALL, PUBLIC, Ask, Game


def opening(game: Game) -> None:
    """The order of movement for ten rounds, then the epidemics of the winter's table (6.6)."""
    war = War(game)
    if war.rules.order_redraw == "summer":
        set_order(war)
    epidemics(war)


def set_order(war: War) -> None:
    """The Strategos says it, or 1d20 each, highest first; equals throw again among themselves."""
    order = _from_strategos(war) if war.desk.strategos else []
    rolls: list[Roll] = []
    if not order:
        order = _drawn(war, [f.faction for f in war.players()], 1, rolls)
    for rank, code in enumerate(order, 1):
        war.factions[code].move_rank = rank
    war.game.tell("order.set", ALL, "t33", roll=rolls, touch=[war.factions[c] for c in order],
                  order=" ".join(order), strategos=war.desk.strategos)


def _from_strategos(war: War) -> list[str]:
    names = [f.faction for f in war.players()]
    ask = Ask("move_order", war.desk.strategos, "", (), "draw", {"list": " ".join(names)})
    text = war.game.ask(ask).strip()
    if text.lower() in ("draw", "sorte", "sorteggio"):
        return []
    order = [word for word in re.split(r"[\s,;>]+", text.upper()) if word]
    if sorted(order) != sorted(names):
        missing = [n for n in names if order.count(n) != 1] + [w for w in order if w not in names]
        war.game.ask_again(ask, "GIG-106", missing=" ".join(missing))
    return order


def _drawn(war: War, names: list[str], again: int, rolls: list[Roll]) -> list[str]:
    when = f"{war.year}:{war.round}" if war.round else f"{war.year}"
    mark = f":t{again}" if again > 1 else ""
    thrown = {n: war.game.roll(f"order:{n}:{when}{mark}", "1d20") for n in names}
    rolls += thrown.values()
    order: list[str] = []
    for total in sorted({r.total for r in thrown.values()}, reverse=True):
        group = [n for n in names if thrown[n].total == total]
        order += group if len(group) == 1 else _drawn(war, group, again + 1, rolls)
    return order


def cities_of(war: War, faction: str) -> list[Node]:
    """Cities under control, in natural order."""
    return [n for n in war.nodes if n.owner == faction and n.site == "city"]


def draw_lot(war: War, faction: str, places: list[Node]) -> tuple[Node | None, list[Roll]]:
    """One of the places by ``lot``; no die for a single one, None for none."""
    if len(places) < 2:
        return (places[0] if places else None), []
    roll = war.game.roll(f"lot:{faction}:{war.year}", f"1d{len(places)}")
    return places[roll.total - 1], [roll]


def epidemics(war: War) -> None:
    """An epidemic begins with summer in the city that was drawn (3a, t36 row 1)."""
    if war.rules.epidemic_kill == "off":
        return
    struck: list[tuple[Faction, Node]] = []
    for faction in war.players():
        if faction.pending_event != EPIDEMIC:
            continue
        if not faction.pending_node and war.rules.epidemic_draw == "summer":
            place, rolls = draw_lot(war, faction.faction, cities_of(war, faction.faction))
            if place is not None:
                faction.pending_node = place.node
                war.game.tell("epidemic.drawn", ALL, "3a", roll=rolls, touch=[faction], faction=faction.faction,
                              node=place.node)
        if faction.pending_node:
            struck.append((faction, war.nodes[faction.pending_node]))
    victims = [(a, place) for _, place in struck for a in war.at(place.node) if a.kind == "army"]
    lists = _companies(war, victims) if war.rules.epidemic_kill == "roll46" else {}
    for _, place in struck:
        war.game.tell("epidemic.struck", ALL, "3a", node=place.node)
        for army, where in victims:
            if where is place and army.army in war.armies:
                _sicken(war, army, place, lists.get(army.army))
        _sick_garrison(war, place)


def _companies(war: War, victims: list[tuple[Army, Node]]) -> dict[str, list[int]]:
    asks = [Ask("companies", a.faction, a.army, (), "blocks", {"node": p.node, "army": a.army, "value": a.value})
            for a, p in victims]
    found = {}
    for ask, (army, _), text in zip(asks, victims, war.game.ask_all(asks), strict=True):
        if text.strip().lower() in ("blocks", "blocchi"):
            block = war.rules.epidemic_block
            rest = army.value % block
            found[army.army] = [block] * (army.value // block) + ([rest] if rest else [])
            continue
        words = [word for word in re.split(r"[\s,;+]+", text) if word]
        sizes = [size for word in words if (size := digits(word))]
        if len(sizes) != len(words) or sum(sizes) != army.value:
            total = sum(sizes) if len(sizes) == len(words) else text
            war.game.ask_again(ask, "GIG-107", sum=total, unit=army.army, value=army.value)
        found[army.army] = sizes
    return found


def _sicken(war: War, army: Army, place: Node, companies: list[int] | None) -> None:
    """`companies`: their ducats, one die each; None: the whole army dies without dice."""
    rolls = [war.game.roll(f"epidemic:{army.army}.{i}:{war.year}", "1d6", war.circle(army.faction))
             for i in range(1, len(companies or ()) + 1)]
    lost = army.value if companies is None else sum(
        size for size, roll in zip(companies, rolls, strict=True) if roll.total >= war.rules.epidemic_from)
    spared = _spare_sappers(war, army, place) if lost == army.value else []
    war.game.tell("epidemic.loss", [army.faction], "3a", roll=rolls, touch=[army, *spared] if lost else [],
                  army=army.army, lost=lost)
    if lost:
        war.wear(army, lost, "epidemic", "3a")


def _spare_sappers(war: War, army: Army, place: Node) -> list[Specialist]:
    """Specialists are not troops: they outlive their army, in the own place or with an own army there, if there is."""
    others = [a.army for a in war.soldiers(place.node, army.faction) if a is not army]
    posts = [place.node] if place.owner == army.faction else others
    men = war.sappers_with(army.army)
    for man in men:
        man.post = posts[0] if posts else ""
    return men


def _sick_garrison(war: War, place: Node) -> None:
    if not place.garrison:
        return
    rolls = []
    if war.rules.epidemic_kill == "roll46":
        hidden = war.rules.garrison_public != "yes"  # then the die alone would tell that there is a garrison
        rolls = [war.game.roll(f"epidemic:{place.node}.garrison:{war.year}", "1d6",
                               war.circle(place.owner) if hidden else PUBLIC)]
        if rolls[0].total < war.rules.epidemic_from:
            return
    place.garrison = False
    war.game.tell("epidemic.garrison", war.garrison_audience(place.owner), "3a", roll=rolls, touch=[place],
                  node=place.node)
