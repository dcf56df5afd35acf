"""The opening of summer: the order of movement, and epidemics (3a)."""

from __future__ import annotations

from typing import Literal

from assistant.campaign.records import ALL
from assistant.rulesets.giglio import both, recruiting, winter
from assistant.rulesets.giglio.records import (
    ASSUMED,
    DUCATS,
    ENGLISH,
    EPIDEMIC_GARRISON,
    EPIDEMIC_LOSS,
    Army,
    Node,
    by_edition,
)
from assistant.rulesets.giglio.recruiting import set_move_order
from assistant.rulesets.giglio.war import War
from assistant.rulesets.giglio.winter import EPIDEMIC, cities_of, draw_lot
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import PUBLIC
from assistant.turn.questions import Ask, Parts, Told

# What the chapter declares.


class Numbers(Rules):
    """Whom an epidemic kills."""

    epidemic_kill: Literal["roll46", "all", "off"] = switch(
        both("An epidemic kills {option}.", "Un'epidemia uccide {option}."),
        both("each company on its die", "ogni compagnia secondo il suo dado"),
        both("all troops in the place", "tutte le truppe del luogo"), both("nobody", "nessuno"),
        by_edition=by_edition(ENGLISH, "all", "roll46"), usual=True)
    epidemic_from: int = number(4, both("1d6, this or more", "1d6, questo o più"),
                                both("A company dies of the epidemic on {n} or more.",
                                     "Una compagnia muore nell'epidemia con {n} o più."))
    epidemic_block: int = number(40, DUCATS,
                                 both("Without a club's list a company in an epidemic is worth {n} {n?ducat|ducats}.",
                                      "Senza un elenco del circolo una compagnia nell'epidemia vale {n} "
                                      "{n?ducato|ducati}."), ASSUMED, 1, source="parent")


BLOCKS = ("blocks", "blocchi")
"""Words that leave the question to its default."""
_COMPANIES = Told("GIG-107", {"sum": "sum", "unit": "army", "value": "value"})

EVENTS = (
    EventType("epidemic.drawn",
              both("An epidemic breaks out {node:at} ({faction}).", "Scoppia un'epidemia {node:dove} ({faction})."),
              "news", 2, to=ALL),
    EventType("epidemic.struck", both("An epidemic {node:at}.", "Epidemia {node:dove}."), "news", 1, to=ALL),
    EventType("epidemic.loss", both("{army} loses {lost} {lost?ducat|ducats} to the epidemic.",
                                    "{army} perde {lost} {lost?ducato|ducati} per l'epidemia."),
              "news", 1, to="army"),
    EventType("epidemic.garrison",
              both("The epidemic leaves {node:the} without its garrison.",
                   "L'epidemia lascia {node:il} senza guarnigione."), "news", 2,
              to=lambda war, data: war.garrison_audience(war.nodes[data["node"]].owner)),
)

FINDINGS = (
    Message("GIG-107", "error",
            both("The companies add up to {sum}, {unit} has {value}.", "Le compagnie fanno {sum}, {unit} ha {value}.")),
)

QUESTIONS = (
    QuestionType("companies",
                 both("Epidemic {node:at}: list the companies of {army} ({value}).",
                      "Epidemia {node:dove}: elenca le compagnie di {army} ({value})."), answer=Parts(instead=BLOCKS),
                 wrong=_COMPANIES),
)

both.words({
    "blocks": "blocchi", "companies": "compagnie", "epidemic": "epidemia",
})

CHAPTER = Chapter(both("3a Epidemics", "3a Epidemie"), (Citation("3a", "3a"),), Numbers, EVENTS, FINDINGS, QUESTIONS)


# Summer opens with the order of movement; then the epidemics strike.


def open_summer(war: War) -> None:
    """The order of movement of ten rounds, then the winter's epidemics (rulebook: The Strategos, 3a Epidemics)."""
    if recruiting.Numbers.of(war).order_redraw == "summer":
        set_move_order(war)
    epidemics(war)


def epidemics(war: War) -> None:
    """An epidemic begins with summer in the city that was drawn (3a, t36 row 1)."""
    if Numbers.of(war).epidemic_kill == "off":
        return
    struck: list[Node] = []
    for faction in [f for f in war.players() if f.pending_event == EPIDEMIC]:
        if not faction.pending_node and winter.Numbers.of(war).epidemic_draw == "summer":
            place, rolls = draw_lot(war, faction.faction, cities_of(war, faction.faction))
            if place is not None:
                faction.pending_node = place.node
                war.tell("epidemic.drawn", roll=rolls, faction=faction.faction, node=place.node)
        if faction.pending_node:
            struck.append(war.nodes[faction.pending_node])
    victims = [(a, place) for place in struck for a in war.at(place.node) if a.is_army]
    lists = _company_sizes(war, victims) if Numbers.of(war).epidemic_kill == "roll46" else {}
    for place in struck:
        war.tell("epidemic.struck", node=place.node)
        for army, where in victims:
            if where is place and army.army in war.armies:
                _sicken(war, army, place, lists.get(army.army))
        _sicken_garrison(war, place)


def _company_sizes(war: War, victims: list[tuple[Army, Node]]) -> dict[str, tuple[int, ...]]:
    asks = [Ask("companies", a.faction, a.army, (), "blocks", {"node": p.node, "army": a.army, "value": a.value},
                answer=Parts(a.value, instead=BLOCKS)) for a, p in victims]
    block = Numbers.of(war).epidemic_block  # companies of one size, and a last one of what is left
    return {army.army: sizes or tuple(min(block, army.value - gone) for gone in range(0, army.value, block))
            for (army, _), sizes in zip(victims, war.game.parts_all(asks), strict=True)}


def _sicken(war: War, army: Army, place: Node, companies: tuple[int, ...] | None) -> None:
    """An epidemic strikes an army. `companies`: their ducats, one die each; None: the whole army dies without dice."""
    rolls = [war.roll(EPIDEMIC_LOSS(army.army, i, war.year), war.clubs(army.faction))
             for i in range(1, len(companies or ()) + 1)]
    lost = army.value if companies is None else sum(
        size for size, roll in zip(companies, rolls, strict=True) if roll.at_least(Numbers.of(war).epidemic_from))
    if lost == army.value:
        _spare_sappers(war, army, place)
    army.value -= lost
    war.tell("epidemic.loss", roll=rolls, army=army.army, lost=lost)
    if lost:
        war.lose_if_empty(army, "epidemic", "3a")


def _spare_sappers(war: War, army: Army, place: Node) -> None:
    """Specialists are not troops: they survive in their own place or with another of their armies there, if any."""
    others = [a.army for a in war.soldiers(place.node, army.faction) if a is not army]
    posts = [place.node] if place.owner == army.faction else others
    for man in war.men_at(army.army):
        man.post = next(iter(posts), "")


def _sicken_garrison(war: War, place: Node) -> None:
    if not place.garrison:
        return
    rolls = []
    if Numbers.of(war).epidemic_kill == "roll46":
        hidden = war.rules.garrison_public != "yes"  # a public die would reveal that there is a garrison
        rolls = [war.roll(EPIDEMIC_GARRISON(place.node, war.year), war.clubs(place.owner) if hidden else PUBLIC)]
        if not rolls[0].at_least(Numbers.of(war).epidemic_from):
            return
    place.garrison = False
    war.tell("epidemic.garrison", roll=rolls, node=place.node)
