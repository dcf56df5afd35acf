"""The night's spies: who agrees, how well they do, what they report (rulebook: Spying)."""

from __future__ import annotations

from typing import Any

from assistant.campaign.order import natural
from assistant.rulesets.incursio.book.records import SpyChance
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Player
from assistant.rulesets.incursio.book.tables import AMOUNT, PICK, SPY
from assistant.rulesets.incursio.day.actions import acted, agreed
from assistant.rulesets.incursio.orders.judging import said
from assistant.rulesets.incursio.realm.drawing import one_of
from assistant.rulesets.incursio.realm.realm import OTHER, Realm, cell
from assistant.rulesets.incursio.realm.sight import LINES, UNITS, forget, known, observe
from assistant.turn.orders.request import Request

Seen = tuple[str, int | None, str]
"""Kind of sighting, position, and what stands there."""
POWER_BONUS = ((9, 30), (4, 20), (1, 10))
"""From which step of power on demons spy how much better."""
CERTAIN = 100


def spying(realm: Realm) -> None:
    """T7: all on the same state, by faction and player."""
    chosen, _ = agreed(realm, realm.taken, [])
    for request in sorted(chosen, key=lambda one: (one.faction, natural(str(said(one, "player"))))):
        request.came_to("done")
        spied(realm, request)


def is_empty(realm: Realm, side: str, node: str) -> bool:
    """Whether there is nothing of the enemy in a cell: no units, no place, no site, no portal."""
    if realm.camp.at(node, OTHER[side]) or realm.is_home(node, OTHER[side]):
        return False
    return not (realm.is_site(node) if side == VARANNAH else portals_at(realm, node))


def portals_at(realm: Realm, node: str) -> list[str]:
    """The days of the portals that are located in a cell, true and false ones alike."""
    return [row.day for row in realm.portals if row.node == node and row.state == "located"]


def species_of(realm: Realm, player: Player) -> SpyChance:
    """The row of a player's species, or of any other."""
    rows = [row for row in realm.spies if row.faction == player.faction]
    wanted = player.species.strip().casefold()
    return next((row for row in rows if row.species.casefold() == wanted), None) or next(
        row for row in rows if row.species == "*")


def chance(realm: Realm, player: Player, row: SpyChance) -> int:
    """The chance in a hundred, with powers, towers and the night eye."""
    found = row.percent
    if player.faction == VARANNAH:
        found += next((bonus for step, bonus in POWER_BONUS if realm.power >= step), 0)
        eyes = realm.missions.where(lambda one: one.mission == "night_eye" and one.day == realm.game.turn
                                    and one.target_player == player.player)
        found += len(eyes) * (realm.mission_types["night_eye"].value or 0 if eyes else 0)
    else:
        towers = [(structure, value, realm.standing(town.node)[structure]) for town in realm.homes(ESDEF)
                  for structure, value in realm.effects(town.node, "spying_percent").items()]
        each = realm.rules.spy_bonus_scope == "per_tower"
        found += (sum(value * copies for _, value, copies in towers) if each
                  else sum({structure: value for structure, value, _ in towers}.values()))
    return min(found, realm.rules.spy_cap)


def there_is(realm: Realm, side: str, node: str, subject: str) -> list[Seen]:
    """All that a spy may report of a cell, in order."""
    if subject == "structures":
        return [("structure", None, code) for code in sorted(realm.standing(node))]
    found: list[Seen] = []
    if side == VARANNAH:
        found += [("garrison", n, unit.code) for n, unit in enumerate(realm.camp.garrison(node), 1)]
    return found + [("camp", n, unit.code) for n, unit in enumerate(realm.camp.outside(node, OTHER[side]), 1)]


def spied(realm: Realm, request: Request) -> None:
    """One spy: empty for certain, enemies, or so many things."""
    player, node, side = realm.players[str(said(request, "player"))], str(said(request, "node")), request.faction
    about: dict[str, Any] = {"player": player.player, "node": cell(node)}
    touched = [acted(realm, request)]
    if is_empty(realm, side, node):
        observe(realm, side, node, "empty", "spy", player=player.player)
        realm.tell("spy_report", [side], "SPI T7", touch=touched, result="empty", **about)
        return
    row = species_of(realm, player)
    if row.percent < CERTAIN:
        trial = realm.trial(SPY(realm.game.turn, player.player), chance(realm, player, row), {}, [side], at_most=True)
        if not trial.passed:
            if not any(one.seen_on == realm.today for one in known(realm, side, node, *LINES)):
                observe(realm, side, node, "enemies", "spy", player=player.player)
            told = realm.tell("spy_report", [side], "SPI T7", roll=trial, touch=touched, result="enemies",
                              chance=trial.target, **about)
            told.data["roll"] = trial.roll.total
            return
    subject = "" if side == ESDEF else str(said(request, "subject"))
    everything = there_is(realm, side, node, subject)
    amount = realm.roll(AMOUNT(realm.game.turn, player.player, dice=f"1d{row.amount_faces}"), [side]).total
    found = picked(realm, player, everything, amount)
    complete = amount >= len(everything)
    if complete and subject != "structures":
        forget(realm, known(realm, side, node, *UNITS))
    for kind, position, what in found:
        observe(realm, side, node, kind, "spy", position=position, what=what, player=player.player)
    days = portals_at(realm, node) if side == ESDEF else []
    for day in days:
        observe(realm, side, node, "portal", "spy", what=day, player=player.player)
    realm.tell("spy_report", [side], "SPI T7", touch=touched, result="success", amount=amount, complete=complete,
               found=[list(one) for one in found], portal=bool(days) if side == ESDEF else None, **about)


def picked(realm: Realm, player: Player, everything: list[Seen], amount: int) -> list[Seen]:
    """So many of all, drawn without putting back, in the order of the list; all where the die is high enough."""
    if amount >= len(everything):
        return everything
    rest, found = list(everything), []
    for k in range(1, amount + 1):
        one = one_of(rest, lambda dice, k=k: realm.roll(  # type: ignore[misc]
            PICK(realm.game.turn, player.player, k, dice=dice), [player.faction]).total)
        rest.remove(one)
        found.append(one)
    return [one for one in everything if one in found]
