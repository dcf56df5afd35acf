"""Phase 2: the standing instructions, and who moves first (2 movement)."""

from __future__ import annotations

from assistant.campaign.columns import number
from assistant.campaign.order import natural
from assistant.rulesets.warriors.book.tables import INITIATIVE
from assistant.rulesets.warriors.march.moves import Moves
from assistant.turn.game import ALL
from assistant.turn.orders.request import Request
from assistant.turn.throws.rulings import Contest, Score


def standing(land: Moves) -> None:
    """Rows `contact` are written to their Forces."""
    for request in land.requests:
        if request.verb == "contact":
            army = land.armies[str(request.more["army"])]
            to = str(request.more["to"])
            army.on_contact = str(request.more["stance"])
            # who stands in the square now does not matter: whether it is free is asked when the Force is attacked
            army.retreat_to = to if land.map.land_step(army.node, to) else ""
            land.told("instructed", army, stance=army.on_contact, to=army.retreat_to)


def initiative(land: Moves) -> None:
    """1d6 and the chief's V.C. rank the factions; going down, each takes the lowest place free, or the highest."""
    factions = [row.faction for row in land.players() if any(one.faction == row.faction for one in land.active())]
    if not factions:
        return
    wishes = {request.faction: str(request.more["wish"]) for request in land.requests if request.verb == "initiative"}
    order, rolls = _ranking(land, factions)
    places: dict[int, str] = {}
    for faction in order:
        free = [n for n in range(len(order)) if n not in places]
        places[free[-1] if wishes.get(faction) == "last" else free[0]] = faction
    land.sequence = [places[n] for n in sorted(places)]
    bare = [score.roll for scores in rolls.values() for score in scores if score.roll is not None]
    land.tell("initiative", ALL, "2 movement", roll=bare, sequence=list(land.sequence))
    for faction, scores in rolls.items():  # what a chief is worth is his faction's secret
        land.tell("initiative_roll", land.own(faction), "2 movement", roll=scores, faction=faction)


def _ranking(land: Moves, factions: list[str], again: int = 1) -> tuple[list[str], dict[str, list[Score]]]:
    """From the highest to the lowest, equals throwing again among themselves; and what each has thrown."""
    if len(factions) < 2:
        return factions, {}
    scores = {one: land.score(INITIATIVE(one, again), {"V.C.": _chief(land, one)}) for one in factions}
    order, thrown, left = list[str](), {one: [score] for one, score in scores.items()}, dict(scores)
    while left:
        equals, more = _ranking(land, list(Contest(left).highest), again + 1)
        order += equals
        for one, further in more.items():
            thrown[one] += further
        left = {one: score for one, score in left.items() if one not in equals}
    return order, thrown


def _chief(land: Moves, faction: str) -> int:
    """The V.C. of the commander-in-chief; where no Force has him, the best there is."""
    own = [one for one in land.active() if one.faction == faction]
    chiefs = [one for one in own if one.chief] or sorted(own, key=lambda one: (-land.vc(one), natural(one.army)))
    return land.vc(chiefs[0])


def in_turn(land: Moves) -> list[Request]:
    """The rows of moves in the order in which they are carried out: faction by faction, or one each in turn."""
    def key(request: Request) -> tuple[object, ...]:
        seq = number(request.row.seq)
        return (seq is None, seq or 0, natural(str(request.more["army"])))

    own = {one: sorted((r for r in land.requests if r.faction == one and r.verb in ("move", "sail")), key=key)
           for one in land.sequence}
    if land.rules.move_method == "A":
        return [request for one in land.sequence for request in own[one]]
    rounds = max(map(len, own.values()), default=0)
    return [own[one][n] for n in range(rounds) for one in land.sequence if n < len(own[one])]
