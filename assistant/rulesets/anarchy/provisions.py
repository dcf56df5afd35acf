"""The opening, muster and provisions, convoys (chapters 8, 11, 12, 15.7, 18)."""

from __future__ import annotations

from assistant.campaign.records import ALL, names_held
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import both, tables
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import (
    GROUP,
    ActingUnit,
    Points,
    a_place,
    check_by_itself,
    check_same_hex,
    count_money,
    day_order,
    one_of,
    rows_of_day,
    take_rows,
)
from assistant.rulesets.anarchy.realm import show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Place, Train, Wounded
from assistant.turn.dice import PUBLIC, RangeTable
from assistant.turn.game import Game
from assistant.turn.orders.columns import Note
from assistant.turn.orders.named_columns import NewCode
from assistant.turn.orders.requests import Request, refuse_if
from assistant.turn.orders.taking import carry_all, judged
from assistant.turn.rulings import read_scale

# The opening: groups and garrisons, weather, season (5.3, 8.2, 18).


def opening(game: Game) -> None:
    """Muster groups and garrisons, then throw for the weather and the season of the campaign."""
    realm = Field(game)
    _muster(realm)
    _weather(realm)
    if realm.rules.season == "roll":  # the season of the whole campaign (18.2)
        reading = read_scale(tables.SEASONS, {}, roll=realm.throw(tables.SEASON_OF_YEAR, PUBLIC))
        realm.tell("season", roll=reading.roll, season=reading.verdict)
    realm.count_horsemen()
    realm.tell("opened", resources={p.place: p.resources for p in realm.places})


def _muster(realm: Field) -> None:
    """Fill in the men of groups that have only a number, and the garrisons of castles (8.2, 5.3)."""
    for army in realm.armies:
        if army.size >= min(tables.COMPOSITION["norman"]) and not army.men and army.state in ("active", "awaited"):
            for rank, n in tables.composition(army.kind, army.size).items():
                army.gain(rank, n)
            if realm.rules.merc_knights == "knights_if_all_paid" and army.mercenary and army.contract != "paid":
                army.foot, army.knights = army.foot + army.knights, 0
            realm.tell("mustered", unit=army.army, men=show_ranks(army.ranks))
    for place in realm.places:
        if place.castle and place.holder and not place.garrison:
            for rank, n in tables.composition(place.garrison_kind or "norman", realm.rules.garrison_start).items():
                place.gain(rank, n)
            realm.tell("mustered", rule="5.3", unit=place.place, men=show_ranks(place.ranks))


def _weather(realm: Field) -> None:
    """Change the resources of every place, built or not, by the weather (18.1)."""
    weather = realm.rules.weather
    if weather == "off":
        return
    roll, way = None, {"way": "fixed"}
    if weather == "roll":
        reading = read_scale(tables.WEATHER, {}, roll=realm.throw(tables.WEATHER_OF_YEAR, PUBLIC))
        weather, roll, way = reading.verdict, reading.roll, {}
    low, high = (0 if realm.rules.weather_clamp == "0-10" else 1), realm.rules.resources_max
    for place in realm.places:
        now = min(high, max(low, place.resources + int(weather)))
        if now != place.resources:
            place.resources = now
    realm.tell("weather", roll=roll, n=f"{int(weather):+d}", **way)


# Muster and provisions of a day: wishes, healing, promises, food (8.4, 11, 15.7).


PROMISE_LEVEL = 7
"""The level of a company if promises are tested by level (switch merc_test)."""


@day_order("SUPPLY", "PROVVISTE", "provisions", also=("supplies",), unit=GROUP,
           choice=one_of("place", "convoy", "none"),
           help=both("Where a group eats first: place, convoy, or none.",
                     "Dove mangia prima un gruppo: luogo, convoglio o niente."))
def supply(f: Field, request: Request, army: Army, source: str) -> None:
    """Where a group wants to eat today; a group that follows another eats with it (ANA-106)."""
    if f.rules.merc_count == "stack":
        check_by_itself(f, request, army, "unit")
    f.wishes[army.army] = source, request


def morning_orders(f: Field) -> None:
    """Carry out the morning's orders; report now all orders of the day that purses cannot pay."""
    for army in f.armies:  # yesterday's order of march is over, today's is fixed in the movement phase
        army.march = None
    carry_all(f, take_rows(f))
    count_money(f, rows_of_day(f))


def find_idle_groups(f: Field) -> None:
    """Report groups without any order (ANA-010)."""
    ordered = {r.unit.casefold() for r in f.orders.of_turn(f.game.turn) if r.unit}
    ordered |= {r.unit.casefold() for r in rows_of_day(f)} | {unit.ident.casefold() for unit in f.taken.values()}
    for army in f.active():
        named = {name.casefold() for name in (army.army, *names_held(army))}
        if f.side(army.faction) != NEUTRAL and not f.attached(army) and not ordered & named:
            f.find("ANA-010", army, "army", unit=army.army)


# --- 1. the wounded (15.7) ------------------------------------------------------------------------
def healing(realm: Field) -> None:
    """Men in care come back on their day; hurt men who reach a place of their side are taken in."""
    for row in realm.wounded:
        if row.state == "in_care" and row.back_on is not None and row.back_on <= realm.day:
            row.state = "healed"
            noble = realm.nobles.get(row.noble)
            if noble is not None and noble.state == "wounded":
                noble.state = "free"
            realm.tell("healed", who=row.noble or row.wounded)
    for row in realm.wounded:
        if row.state == "hurt":
            army, at = realm.armies.get(row.army), realm.places.get(row.place)
            node = army.node if army is not None and army.active else at.node if at is not None else ""
            side = realm.side(row.faction)
            places = [p for p in realm.places_at(node) if realm.of_side(p, side)] if node else []
            if places:
                _treat(realm, row, places)


def _treat(realm: Field, row: Wounded, places: list[Place]) -> None:
    """Take a hurt man into care in the first of his side's places on his hex."""
    own, who = realm.own(row.faction), row.noble or row.wounded
    walls = any(p.castle for p in places)
    roll = realm.throw(tables.HEALING_OF, own, row.wounded)
    reading = read_scale(tables.HEALING, {"castle": int(walls)}, roll=roll, high=10)
    if reading.verdict == "dead":
        realm.bury(row)
        realm.tell("wounded_died", roll=reading, who=who)
        return
    row.state, row.place, row.in_care_since = "in_care", places[0].place, realm.day
    row.back_on = realm.day + tables.HEALING_DAYS[reading.verdict]
    realm.tell("in_care", roll=reading, who=who, place=row.place, d=row.back_on)


# --- 2. promises (11.4, 11.6) ---------------------------------------------------------------------
def promises(realm: Field) -> None:
    """Test companies that were promised loot, each morning after the day of their hiring."""
    rules = realm.rules
    for company in realm.active():
        hired_before = company.hired_on is None or company.hired_on < realm.day
        if not (company.mercenary and company.contract == "promised" and hired_before):
            continue
        own = realm.own(company.faction)
        if company.grumbles:
            roll = realm.throw(tables.GRUMBLING, own, company.army)
            reading = read_scale(tables.LOOT_LOYALTY, {"grumbling": -1}, roll=roll, low=3, high=10)
            event, rule = ("loyal" if reading.verdict == "loyal" else "grumbles"), "11.6"
            if event == "loyal":
                company.grumbles, company.contract = False, "paid"
        else:
            level = PROMISE_LEVEL if rules.merc_test == "level" else None
            promise = RangeTable("promise", ((None, rules.promise_desert_at, "deserts"),
                                             (rules.promise_desert_at + 1, None, "stays")))
            thrown = realm.throw(tables.PROMISE_KEPT, own, company.army) if level is None else None
            reading = read_scale(promise, {"tests made": rules.promise_step * company.tests}, roll=thrown, level=level)
            event, rule = "promise_kept", "11.4"
            company.tests += 1
        if reading.verdict in ("desert", "deserts"):
            side = realm.desert(company)  # everybody sees them leave, only their employer's side the test
            realm.tell("deserted", own, roll=reading, mercs=company.army, side=side)
            others = [f for f in realm.parties() if f not in own]
            realm.tell("deserted", others or ALL, mercs=company.army, side=side)
            realm.back_away(company, "N")
        else:
            realm.tell(event, rule=rule, roll=reading, mercs=company.army)


# --- 3. food (8.4) --------------------------------------------------------------------------------
def feed(realm: Field) -> None:
    """Feed stacks by prestige, heads, id: from carried food, then places and convoys on the hex."""
    rules = realm.rules
    stacks = [a for a in realm.active() if realm.side(a.faction) != NEUTRAL
              and not (realm.attached(a) and rules.merc_count == "stack")]
    for army in realm.by_rank(stacks):
        if realm.shut(army) and rules.siege_supply != "both":
            continue
        army.starving = army.hungry_days >= rules.hunger_days and realm.stack_heads(army) >= rules.supply_from
        if army.starving:
            extra = army.hungry_days - rules.hunger_days if rules.starve_growth == "growing" else 0
            realm.tell("starving", group=army.army, n=rules.hunger_die + extra)
        _eat(realm, army, realm.wishes[army.army][0] if army.army in realm.wishes else "place")
    for army in realm.active():
        if army.army in realm.wishes and ((realm.shut(army) and rules.siege_supply != "both") or not realm.need(army)):
            realm.wishes[army.army][1].find(realm, "ANA-411", "unit", unit=army.army, place="")


def _eat(realm: Field, army: Army, wish: str) -> None:
    due = realm.need(army)
    had, army.provisions = army.provisions, 0
    left, meals = due - min(due, had), list[tuple[Place | Convoy, str, int]]()
    for source in _food_sources(realm, army, wish):
        field = "resources" if isinstance(source, Place) else "cargo"
        eaten = max(0, min(left, int(getattr(source, field))))
        if eaten:
            left -= eaten
            meals.append((source, field, eaten))
    hungry = army.hungry_days
    if left <= 0:
        army.hungry_days = 0
    if due and had:
        realm.tell("supplied", group=army.army, n=min(due, had), source="carried food")
    for source, field, eaten in meals:
        setattr(source, field, int(getattr(source, field)) - eaten)
        realm.tell("supplied", group=army.army, n=eaten, source=source.ident)
    if left > 0:
        army.hungry_days += 1
        realm.tell("hungry", group=army.army, n=left, k=army.hungry_days)
    elif not due and (hungry or had):  # a group that ate was told so already
        realm.tell("supplied", group=army.army, n=0, source="none")


def _food_sources(realm: Field, army: Army, wish: str) -> list[Place | Convoy]:
    """Places and convoys where a stack may eat on its hex, in sequence (rulebook: 8.4 Food)."""
    if wish == "none":
        return []
    side, shut = realm.side(army.faction), realm.shut(army)
    here = [realm.places[army.inside]] if shut else [p for p in realm.places_at(army.node) if realm.open_to(p, side)]
    places: list[Place | Convoy] = [*sorted(
        (p for p in here if p.resources > 0), key=lambda p: (p.castle, -p.resources, natural(p.place)))]
    leaders = {a.army for a in realm.armies if a.inside == army.inside}
    convoys: list[Place | Convoy] = [c for c in realm.convoys if c.state == "active" and c.node == army.node
                                     and realm.side(c.faction) == side and c.cargo > 0
                                     and (not shut or c.escort in leaders)]
    return [*convoys, *places] if wish == "convoy" else [*places, *convoys]


# Convoys and transfers of resources (chapter 12; rulebook: 12 Convoys).


# --- neutral carriers -----------------------------------------------------------------------------
def turn_shuttles(realm: Field) -> None:
    """Neutral convoys unload at their goal and turn home, load at home and turn to their goal."""
    for convoy in _shuttle_convoys(realm):
        goal, home = realm.places.get(convoy.goal), realm.places.get(convoy.home)
        if goal is not None and convoy.node == goal.node and convoy.heading != "home":
            convoy.heading, n = "home", min(convoy.cargo, realm.rules.resources_max - goal.resources)
            _carry(realm, convoy, goal, -max(0, n) if _is_reachable(realm, goal) else 0, "unloads")
        elif home is not None and convoy.node == home.node:
            convoy.heading, n = "goal", min(convoy.animals - convoy.cargo, home.resources - 1)
            _carry(realm, convoy, home, max(0, n) if _is_reachable(realm, home) else 0, "loads")


def _shuttle_convoys(realm: Field) -> list[Convoy]:
    return [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) == NEUTRAL and not c.escort]


def _is_reachable(realm: Field, place: Place) -> bool:
    return place.exists and not realm.besieged(place.place)


def _carry(realm: Field, convoy: Convoy, place: Place, n: int, work: str) -> None:
    """Move points from a place into a convoy (n > 0) or back."""
    convoy.cargo += n
    place.resources -= n
    realm.tell("convoy_work", c=convoy.convoy, work=work, n=abs(n), place=place.place)


# --- orders ---------------------------------------------------------------------------------------
def check_friendly(f: Field, request: Request, place: Place, field: str) -> None:
    """Refuse a place that is not open to the side or is besieged; a neutral village needs an own group (ANA-603)."""
    side = f.side(request.faction)
    good = f.open_to(place, side)
    if good and not place.castle and f.band(place.loyalty) == NEUTRAL:
        good = any(f.side(a.faction) == side for a in f.at(place.node))
    refuse_if(not good or f.besieged(place.place), "ANA-603", field, place=place.place)


CONVOY = ActingUnit((Convoy,))
STORES = a_place(lambda f, request, place, field: check_same_hex(f.convoys[request.unit], place, field), check_friendly)
"""A friendly place where the convoy is."""


def _carried_today(f: Field, convoy: Convoy, place: Place, n: int) -> int:
    """Points moved between them today; refuse n more if that is too much for a day (ANA-602)."""
    done = f.carried.get((convoy.convoy, place.place), 0)
    refuse_if(n + done > f.rules.convoy_transfer, "ANA-602", "amount", n=f.rules.convoy_transfer)
    return done


def _is_unsure(f: Field, place: Place) -> bool:
    return f.game.dice.shut and any(
        c.node == place.node and place.place in (c.goal, c.home) for c in _shuttle_convoys(f))


def _check_in_store(f: Field, place: Place, n: int) -> None:
    refuse_if(n > place.resources and not _is_unsure(f, place), "ANA-604", "amount", place=place.place,
              n=place.resources)


@day_order("UNLOAD", "SCARICA", "convoys", unit=CONVOY, target=STORES, amount=Points(),
           help=both("Unload points from a convoy at a place.", "Scarica punti da un convoglio in un luogo."))
def unload(f: Field, request: Request, convoy: Convoy, place: Place, wanted: int) -> None:
    """Unload up to five points a day, never above what a place holds (ANA-605)."""
    done, n = _carried_today(f, convoy, place, wanted), min(wanted, max(0, f.rules.resources_max - place.resources))
    refuse_if(wanted > convoy.cargo, "ANA-604", "amount", place=convoy.convoy, n=convoy.cargo)
    if n < wanted and not _is_unsure(f, place):
        request.find(f, "ANA-605", "amount", place=place.place, n=n, max=f.rules.resources_max)
    f.carried[convoy.convoy, place.place] = n + done
    _carry(f, convoy, place, -n, "unloads")
    if n and f.of_side(place, f.side(convoy.faction)):
        f.factions[convoy.faction].delivered += n


@day_order("LOAD", "CARICA", "convoys", unit=CONVOY, target=STORES, amount=Points(),
           help=both("Load points from a place into a convoy.", "Carica punti da un luogo in un convoglio."))
def load(f: Field, request: Request, convoy: Convoy, place: Place, wanted: int) -> None:
    """Load up to five points a day, as much as the animals carry (ANA-601)."""
    done = _carried_today(f, convoy, place, wanted)
    refuse_if(convoy.cargo + wanted > convoy.animals, "ANA-601", "amount", c=convoy.convoy, n=convoy.animals)
    _check_in_store(f, place, wanted)
    f.carried[convoy.convoy, place.place] = wanted + done
    _carry(f, convoy, place, wanted, "loads")


@day_order("CONVOY", "CONVOGLIO", "convoys",
           unit=NewCode((Army, Convoy, Train, Place), taken="ANA-207", like="C-NEW", late=True), target=a_place(),
           amount=Points(late=True), note=Note(),
           help=both("Make a convoy (unit: its id) at a place.",
                     "Forma un convoglio (unità: la sua sigla) in un luogo."))
def make_convoy(f: Field, request: Request, place: Place) -> None:
    """Make a convoy with a driver and an animal for each point; one a day at each place."""
    ident = judged(f, request, "unit")
    check_friendly(f, request, place, "target")
    wanted = judged(f, request, "amount")
    most = min(f.rules.convoy_animals, f.rules.convoy_transfer)
    refuse_if(place.place in f.made, "ANA-602", "target", n=most)
    refuse_if(wanted > f.rules.convoy_animals, "ANA-601", "amount", c=ident, n=f.rules.convoy_animals)
    refuse_if(wanted > most, "ANA-602", "amount", n=most)
    _check_in_store(f, place, wanted)
    convoy = f.convoys.add(Convoy(convoy=ident, name=request.note, faction=request.faction, node=place.node,
                                  animals=max(1, wanted), driver=1, state="active"))
    f.made.add(place.place)
    _carry(f, convoy, place, wanted, "made")


def convoy_orders(f: Field) -> None:
    """Carry out UNLOAD, then LOAD and CONVOY together by number: the later one overdraws (rulebook: Orders)."""
    requests = take_rows(f)
    carry_all(f, requests, unload)
    carry_all(f, requests, load, make_convoy)
