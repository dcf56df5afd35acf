"""Muster and provisions: healing, promises, food (digest 5.2; chapters 8.4, 11.4, 11.6, 15.7)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.anarchy.backing import back_away
from assistant.rulesets.anarchy.change import bury, desert
from assistant.rulesets.anarchy.orders import Request, carry_out, count_money, of_today, own_requests, take
from assistant.rulesets.anarchy.realm import NEUTRAL, Realm
from assistant.rulesets.anarchy.records import Army, Order
from assistant.rulesets.anarchy.references import Refused
from assistant.rulesets.anarchy.sheets import Convoy, Place, Wounded
from assistant.rulesets.anarchy.tables import HEALING, HEALING_DAYS, LOOT_LOYALTY
from assistant.rulesets.anarchy.verbs import choice_code
from assistant.turn.dice import RangeTable
from assistant.turn.findings import Where
from assistant.turn.game import ALL, Game
from assistant.turn.scales import Reading, read_scale

SOURCES = ("place", "convoy", "none")
TREATED_LEVEL = 7
"""What a company counts as where promise tests go by level (switch merc_test)."""


def provisions(game: Game) -> None:
    """The morning: the wounded, the promised, the hungry. Orders that the day's purses cannot pay are told now."""
    realm = Realm(game)
    wishes = supply_orders(realm, take(realm, "provisions"))
    count_money(realm, own_requests(realm))
    idle(realm)
    healing(realm)
    promises(realm)
    feed(realm, wishes)


def supply_orders(realm: Realm, requests: list[Request]) -> dict[str, str]:
    """Where each group wants to eat: group -> place, convoy or none."""
    wishes: dict[str, str] = {}

    def wish(realm: Realm, request: Request) -> None:
        code = choice_code(request.choice)
        if code not in SOURCES:
            raise Refused("ANA-901", "choice", x=request.choice, options=", ".join(SOURCES))
        wishes[request.unit] = code

    for request in requests:
        carry_out(realm, request, wish)
    return wishes


def idle(realm: Realm) -> None:
    """Groups that nobody gave an order to (ANA-010)."""
    ordered = {r.unit.casefold() for r in realm.campaign.table(Order).of_turn(realm.game.turn) if r.unit}
    ordered |= {r.unit.casefold() for r in of_today(realm)}
    for army in realm.active():
        named = {army.army.casefold(), army.name.casefold()}
        if realm.side(army.faction) != NEUTRAL and not realm.attached(army) and not ordered & named:
            realm.game.find("ANA-010", Where(Army.sheet, army.army, "army"), army.faction, unit=army.army)


# --- 1. the wounded (15.7) ------------------------------------------------------------------------
def healing(realm: Realm) -> None:
    """Men in care come back on their day; hurt men who reach a place of their side are taken in."""
    for row in realm.wounded:
        if row.state == "in_care" and row.back_on is not None and row.back_on <= realm.day:
            row.state = "healed"
            noble = realm.nobles.get(row.noble)
            if noble is not None and noble.state == "wounded":
                noble.state = "free"
            realm.tell("healed", realm.own(row.faction), "15.7", touch=[row, *([noble] if noble else [])],
                       who=name_of(realm, row))
    for row in realm.wounded:
        if row.state == "hurt":
            place = care_place(realm, row)
            if place is not None:
                _treat(realm, row, place)


def name_of(realm: Realm, row: Wounded) -> str:
    """How a hurt man is named: the noble, or his number."""
    return row.noble or row.wounded


def care_place(realm: Realm, row: Wounded) -> Place | None:
    """The place of his own side where a hurt man is, the lowest id first."""
    army = realm.armies.get(row.army)
    at = realm.places.get(row.place)
    node = army.node if army is not None and army.active else at.node if at is not None else ""
    side = realm.side(row.faction)
    return next((p for p in realm.places_at(node) if realm.of_side(p, side)), None) if node else None


def _treat(realm: Realm, row: Wounded, place: Place) -> None:
    own = realm.own(row.faction)
    roll = realm.roll(f"healing/{row.wounded}", own)
    side = realm.side(row.faction)
    walls = any(p.castle and realm.of_side(p, side) for p in realm.places_at(place.node))
    reading = read_scale(HEALING, {"castle": int(walls)}, roll=roll, high=10)
    if reading.verdict == "dead":
        touched = bury(realm, row)
        realm.tell("wounded_died", own, "15.7", roll=reading, touch=touched, who=name_of(realm, row))
        return
    row.state, row.place, row.in_care_since = "in_care", place.place, realm.day
    row.back_on = realm.day + HEALING_DAYS[reading.verdict]
    realm.tell("in_care", own, "15.7", roll=reading, touch=[row], who=name_of(realm, row), place=place.place,
               d=row.back_on)


# --- 2. promises (11.4, 11.6) ---------------------------------------------------------------------
def promises(realm: Realm) -> None:
    """Companies who were promised loot test each morning after the day of their hiring."""
    rules = realm.rules
    for company in realm.active():
        hired_before = company.hired_on is None or company.hired_on < realm.day
        if not (company.mercenary and company.contract == "promised" and hired_before):
            continue
        own = realm.own(company.faction)
        if company.grumbles:
            roll = realm.roll(f"grumble/{company.army}", own)
            reading = read_scale(LOOT_LOYALTY, {"grumbling": -1}, roll=roll, low=3, high=10)
            _after_grumbling(realm, company, reading)
            continue
        modifiers = {"tests made": int(rules.promise_step) * company.tests}
        roll = realm.roll(f"promise/{company.army}", own)
        table = promise_table(int(rules.promise_desert_at))
        reading = read_scale(table, modifiers, roll=roll, level=TREATED_LEVEL if rules.merc_test == "level" else None)
        company.tests += 1
        if reading.verdict == "deserts":
            _go(realm, company, reading)
        else:
            realm.tell("promise_kept", own, "11.4", roll=reading, touch=[company], mercs=company.army)


def promise_table(desert_at: int) -> RangeTable:
    """What a promise test comes to: deserts on this or less."""
    return RangeTable("promise", ((None, desert_at, "deserts"), (desert_at + 1, None, "stays")))


def _after_grumbling(realm: Realm, company: Army, reading: Reading) -> None:
    verdict = reading.verdict
    if verdict == "desert":
        _go(realm, company, reading)
    elif verdict == "loyal":
        company.grumbles, company.contract = False, "paid"
        realm.tell("loyal", realm.own(company.faction), "11.6", roll=reading, touch=[company], mercs=company.army)
    else:
        realm.tell("grumbles", realm.own(company.faction), "11.6", roll=reading, touch=[company], mercs=company.army)


def _go(realm: Realm, company: Army, reading: Reading) -> None:
    """They leave: all see it, their lord sees the test, and they back away."""
    own, side = realm.own(company.faction), realm.side(company.faction)
    touched = desert(realm, company)
    realm.tell("deserted", own, "11.4", roll=reading, touch=touched, mercs=company.army, side=side)
    others = [f for f in realm.both("royal", "angevin") if f not in own]
    realm.tell("deserted", others or ALL, "11.4", touch=touched, mercs=company.army, side=side)
    back_away(realm, company, "N")


# --- 3. food (8.4) --------------------------------------------------------------------------------
def need(realm: Realm, army: Army) -> int:
    """Points that a stack eats in a day."""
    rules, heads = realm.rules, realm.stack_heads(army)
    if heads < int(rules.supply_from):
        return 0
    if rules.supply_30 == "per_ten":
        return heads // int(rules.supply_from)
    return 2 if heads >= int(rules.supply_second) else 1


def feed(realm: Realm, wishes: dict[str, str]) -> None:
    """Stacks by prestige, heads, id: carried food, then places and convoys on the hex."""
    rules = realm.rules
    stacks = [a for a in realm.active() if realm.side(a.faction) != NEUTRAL
              and not (realm.attached(a) and rules.merc_count == "stack")]
    for army in realm.by_rank(stacks):
        if realm.shut(army) and rules.siege_supply != "both":
            continue
        army.starving = army.hungry_days >= int(rules.hunger_days) and realm.stack_heads(army) >= int(rules.supply_from)
        if army.starving:
            growing = rules.starve_growth == "growing"
            extra = army.hungry_days - int(rules.hunger_days) if growing else 0
            realm.tell("starving", realm.own(army.faction), "8.4", touch=[army], group=army.army,
                       n=int(rules.hunger_die) + extra)
        _eat(realm, army, wishes.get(army.army, "place"))


def _eat(realm: Realm, army: Army, wish: str) -> None:
    due = need(realm, army)
    own = realm.own(army.faction)
    carried = min(due, army.provisions)
    had = army.provisions
    army.provisions = 0
    if carried:
        realm.tell("supplied", own, "8.4", touch=[army], group=army.army, n=carried, source="carried food")
    left = due - carried
    for source in sources(realm, army, wish):
        left -= _draw(realm, army, source, left)
    if left > 0:
        army.hungry_days += 1
        realm.tell("hungry", own, "8.4", touch=[army], group=army.army, n=left, k=army.hungry_days)
    elif army.hungry_days or (had and not carried):
        army.hungry_days = 0
        realm.tell("supplied", own, "8.4", touch=[army], group=army.army, n=due, source="place" if due else "none")


def sources(realm: Realm, army: Army, wish: str) -> list[Place | Convoy]:
    """Where a stack may eat on its hex, in the sequence of digest 5.2.3."""
    if wish == "none":
        return []
    side, shut = realm.side(army.faction), realm.shut(army)
    here = [realm.places[army.inside]] if shut else [p for p in realm.places_at(army.node) if realm.open_to(p, side)]
    places: list[Place | Convoy] = [*sorted(
        (p for p in here if p.resources > 0), key=lambda p: (p.castle, -p.resources, natural(p.place)))]
    convoys: list[Place | Convoy] = [c for c in realm.convoys if c.state == "active" and c.node == army.node
                                     and realm.side(c.faction) == side and c.cargo > 0
                                     and (not shut or _inside(realm, c) == army.inside)]
    return [*convoys, *places] if wish == "convoy" else [*places, *convoys]


def _inside(realm: Realm, convoy: Convoy) -> str:
    """The castle in which a convoy is with those who lead it."""
    leader = realm.armies.get(convoy.escort)
    return leader.inside if leader is not None else ""


def _draw(realm: Realm, army: Army, source: Place | Convoy, wanted: int) -> int:
    """Points eaten from a place or convoy."""
    field = "resources" if isinstance(source, Place) else "cargo"
    eaten = max(0, min(wanted, int(getattr(source, field))))
    if eaten:
        setattr(source, field, int(getattr(source, field)) - eaten)
        realm.tell("supplied", realm.own(army.faction), "8.4", touch=[army, source], group=army.army, n=eaten,
                   source=source.ident)
    return eaten


__all__ = ["care_place", "feed", "healing", "name_of", "need", "promises", "provisions", "sources"]
