"""Where a Force may step back to, and where it does when nobody says (rulebook: Words with one meaning)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.warriors.book.sheets import Army
from assistant.rulesets.warriors.land.country import FRIENDLY, NEUTRAL, Country


def legal(land: Country, army: Army, *, boats: bool = True) -> list[str]:
    """The legal retreat squares of a Force, in natural order; to water where own boats can take it aboard.

    `boats`: after a battle only.
    """
    found = [node for node in land.map.board.neighbours(army.node)
             if land.map.land_step(army.node, node) and _free(land, army, node)]
    if boats and land.carriers(army):
        found += [node for node in land.map.board.neighbours(army.node) if land.map.water(node)
                  and _free(land, army, node)]
    return sorted(found, key=natural)


def fall_back(land: Country, army: Army) -> list[str]:
    """Where a beaten Force may go: legal squares as far off as `retreat_squares` says, or as far as there are any."""
    start, found = army.node, legal(land, army)
    for steps in range(2, land.rules.retreat_squares + 1):
        further = {node for here in found if not land.map.water(here) for node in land.map.board.neighbours(here)
                   if land.map.distance(start, node) == steps and land.map.land_step(here, node)
                   and _free(land, army, node)}
        found = sorted(further, key=natural) or found
    return found


def _free(land: Country, army: Army, node: str) -> bool:
    return all(land.friendly(one.faction, army.faction) for one in land.at(node))


def default_place(land: Country, army: Army, options: list[str]) -> str:
    """The default place among legal squares, "" for none: land first, out of hostile zones, on friendly ground, near
    the own capital, then by id.
    """
    capital = next((one.node for one in land.nodes if one.place == "capital" and one.founder == army.faction), "")

    def rank(node: str) -> tuple[object, ...]:
        kind = land.territory(node, army.faction)
        ground = 0 if kind == FRIENDLY else 1 if kind == NEUTRAL else 2
        return (land.map.water(node), bool(land.in_zone(node, army.faction, but=army.node)), ground,
                land.map.distance(node, capital) if capital else 0, natural(node))

    return min(options, key=rank) if options else ""
