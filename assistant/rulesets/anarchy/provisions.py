"""The opening, and the morning of a day: muster, wounded, food (8.2, 8.4, 15.7, 18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from assistant.campaign.records import ALL, REFEREE, names_held
from assistant.campaign.tables import natural
from assistant.rulesets.anarchy import VOCABULARY, both, chapter, citation, orders, records
from assistant.rulesets.anarchy.field import Field, PaceNumbers
from assistant.rulesets.anarchy.orders import day_order
from assistant.rulesets.anarchy.realm import PlaceNumbers, Realm, play_one_side, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Place, Wounded
from assistant.rulesets.anarchy.reorganise import DayCount, carry_out_rows
from assistant.turn.chapters import EventType, Message, Rules, number, switch
from assistant.turn.dice import PUBLIC, RangeTable
from assistant.turn.game import Game
from assistant.turn.orders.columns import OneOf, Sentence
from assistant.turn.orders.requests import Request
from assistant.turn.rulings import read_scale


class WeatherNumbers(Rules):
    """The weather of the year."""

    weather: str = switch(both("The weather (off, thrown by dice, or from -3 to 3): {option}.",
                               "Il tempo (senza effetti, tirato ai dadi, o da -3 a 3): {option}."),
                          both("off", "senza effetti"), both("thrown by dice", "tirato ai dadi"),
                          options=("off", "roll"), pattern="off|roll|[+-]?[0-3]", setup=True, source="18.1")
    weather_clamp: Literal["0-10", "1-10"] = switch(both("When the weather changes resources they go {option}.",
                                                         "Quando il tempo le cambia le risorse vanno {option}."),
                                                    both("from 0 to 10", "da 0 a 10"),
                                                    both("from 1 to 10", "da 1 a 10"), source="18.1", usual=True)


SURROUNDINGS_EVENTS = (
    EventType("weather", both("The weather of the year: {n} {n?resource|resources} in every place. {roll}",
                              "Il tempo dell'annata: {n} {n?risorsa|risorse} in ogni luogo. {roll}"), "news", 2, "18.1",
              ("n", {"+0": both("The weather of the year changes no resources. {roll}",
                                "Il tempo dell'annata non cambia le risorse. {roll}")}), to=ALL),
    EventType("season", both("Season: {season}.", "Stagione: {season}."), "news", 2, "18.2", to=ALL),
    EventType("opened",
              both("The resources of all places after the opening are noted.",
                   "Le risorse di tutti i luoghi dopo l'apertura sono annotate."), "rulings", 9, to=REFEREE),
)

SURROUNDINGS_CHAPTER = chapter(both("18 Surroundings", "18 Facoltativo: l'ambiente circostante"), 14, WeatherNumbers,
                               SURROUNDINGS_EVENTS,
                               cites=(citation(both("18.1 Weather", "18.1 La meteorologia"), 14),
                                      citation(both("18.2 Seasons", "18.2 Le stagioni"), 14)))


WEATHER = RangeTable("weather", ((1, 1, "-3"), (2, 2, "-2"), (3, 3, "-1"), (4, 7, "0"), (8, 8, "1"), (9, 9, "2"),
                                 (10, 10, "3")))
SEASONS = RangeTable("season", ((1, 2, "winter"), (3, 4, "spring"), (5, 7, "summer"), (8, 10, "autumn")))


# The opening: weather and season (18).


def opening(game: Game) -> None:
    """Muster groups and garrisons, then throw for the weather and the season of the campaign."""
    realm = Field(game)
    _muster(realm)
    _weather(realm)
    if PaceNumbers.of(realm).season == "roll":  # the season of the whole campaign (18.2)
        reading = read_scale(SEASONS, {}, roll=realm.throw(records.SEASON_OF_YEAR, PUBLIC))
        realm.tell("season", roll=reading.roll, season=reading.verdict)
    realm.count_horsemen()
    realm.tell("opened", resources={p.place: p.resources for p in realm.places})


def _weather(realm: Field) -> None:
    """Change the resources of every place, built or not, by the weather (18.1)."""
    weather = WeatherNumbers.of(realm).weather
    if weather == "off":
        return
    roll, way = None, {"way": "fixed"}
    if weather == "roll":
        reading = read_scale(WEATHER, {}, roll=realm.throw(records.WEATHER_OF_YEAR, PUBLIC))
        weather, roll, way = reading.verdict, reading.roll, {}
    low, high = (0 if WeatherNumbers.of(realm).weather_clamp == "0-10" else 1), PlaceNumbers.of(realm).resources_max
    for place in realm.places:
        place.resources = min(high, max(low, place.resources + int(weather)))
    realm.tell("weather", roll=roll, n=f"{int(weather):+d}", **way)


class MusterNumbers(Rules):
    """Who is there at the start."""

    garrison_start: int = number(10, both("fighters", "combattenti"), both(
        "A castle begins with {n} {n?fighter|fighters}.",
        "Un castello comincia con {n} {n?combattente|combattenti}."), minimum=3, source="5.3")
    merc_knights: Literal["row", "knights_if_all_paid"] = switch(
        both("Mercenaries have knights {option}.", "I mercenari hanno cavalieri {option}."),
        both("as the table of groups says", "come dice la tabella dei gruppi"),
        both("only where all are paid", "solo se tutti sono pagati"), source="11.1")


COMPOSITION_EVENTS = (
    EventType("mustered", both("{unit:the} {unit?musters|muster} {men}.", "{unit}: all'appello {men}."), "news", 7,
              to="unit"),
)

COMPOSITION_CHAPTER = chapter(both("8.2 Composition", "8.2 Effettivi dei gruppi di combattimento"), 7, MusterNumbers,
                              COMPOSITION_EVENTS)


# --- composition (8.2), K/S/L/B by heads ----------------------------------------------------------
# the book has the rows 3 to 12 (8.2); its card is not in our edition, so the figures are ours
_ROWS = {
    "norman": "1110 1111 1211 2211 2221 2321 2322 3322 3422 3432",
    "flemish": "0201 1201 1211 1311 1312 1412 2412 2422 2522 2523",
    "welsh": "0021 0022 0122 0132 0133 1133 1143 1144 1154 1254",
}
COMPOSITION: Mapping[str, Mapping[int, tuple[int, int, int, int]]] = {
    kind: {heads: tuple(map(int, row)) for heads, row in enumerate(rows.split(), 3)}  # type: ignore[misc]
    for kind, rows in _ROWS.items()}


def composition(kind: str, heads: int) -> dict[str, int]:
    """The men of a group by rank (8.2): row 10 for each ten above twelve, then the rest. Raises LookupError below 3."""
    rows = COMPOSITION[kind]
    if heads < min(rows):
        raise LookupError(f"the table starts at {min(rows)}")
    # as many tens as leave twelve or fewer: 22 is 10 + 12, for there is no row 2 to go with 20
    tens = max(0, -(-(heads - max(rows)) // 10))
    total = [tens * ten + rest for ten, rest in zip(rows[10], rows[heads - 10 * tens], strict=True)]
    return dict(zip(("knights", "foot", "light", "bows"), total, strict=True))


def _muster(realm: Field) -> None:
    """Fill in the men of groups that have only a number, and the garrisons of castles (8.2, 5.3)."""
    for army in realm.armies:
        if army.size >= min(COMPOSITION["norman"]) and not army.men and army.state in ("active", "awaited"):
            army.gain_all(composition(army.kind, army.size))
            unpaid = army.mercenary and army.contract != "paid"
            if unpaid and MusterNumbers.of(realm).merc_knights == "knights_if_all_paid":
                army.foot, army.knights = army.foot + army.knights, 0
            realm.tell("mustered", unit=army.army, men=show_ranks(army.ranks))
    for place in realm.places:
        if place.castle and place.holder and not place.garrison:
            # the castle's noble is not one of the ten (5.3)
            place.gain_all(composition(place.garrison_kind or "norman", MusterNumbers.of(realm).garrison_start))
            realm.tell("mustered", rule="5.3", unit=place.place, men=show_ranks(place.ranks))


class WoundNumbers(Rules):
    """Where the wounded may be taken."""

    wounded_march: Literal["must", "free"] = switch(
        both("Groups with hurt men {option}.", "I gruppi con feriti {option}."),
        both("may not go away from care", "non possono allontanarsi dalla cura"),
        both("may go where they like", "possono andare dove vogliono"))


WOUNDED_EVENTS = (
    EventType("healed", both("{who} is healed.", "{who} è guarito."), "news", 5, to="who"),
    EventType("in_care",
              both("{who} is in care {place:at} until day {d}. {roll}",
                   "{who} è in cura {place:dove} fino al giorno {d}. {roll}"), "news", 5, to="who"),
    EventType("wounded_died", both("{who} dies of wounds. {roll}", "{who} muore per le ferite. {roll}"), "news", 3,
              to="who"),
    EventType("left_in_care", both("{who} stays in care {place:at}.", "{who} resta in cura {place:dove}."), "news", 5,
              to="who"),
)

WOUNDED_FINDINGS = (
    Message("ANA-105", "error", both(
        "{unit:the} {unit?has|have} wounded and may not end farther from care ({place}).",
        "{unit:il} {unit?ha feriti: non può|hanno feriti: non possono} allontanarsi dal luogo di cura, {place:il}.")),
)

WOUNDED_CHAPTER = chapter(both("15.7 Wounded", "15.7 Personaggi feriti durante i combattimenti"), 13, WoundNumbers,
                          WOUNDED_EVENTS, WOUNDED_FINDINGS)


# the card of 15.7 is not in our edition: these bands are ours
HEALING = RangeTable("healing", ((None, 1, "dead"), (2, 3, "four days"), (4, 6, "three days"), (7, 8, "two days"),
                                 (9, None, "one day")))
HEALING_DAYS = {"four days": 4, "three days": 3, "two days": 2, "one day": 1}


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
            node, side = realm.whereabouts(row), realm.side(row.faction)
            places = [p for p in realm.places_at(node) if realm.of_side(p, side)] if node else []
            if places:
                _treat(realm, row, places)


def _treat(realm: Field, row: Wounded, places: list[Place]) -> None:
    """Take a hurt man into care in the first of his side's places on his hex."""
    own, who = realm.own(row.faction), row.noble or row.wounded
    walls = any(p.castle for p in places)
    roll = realm.throw(records.HEALING_OF, own, row.wounded)
    reading = read_scale(HEALING, {"castle": int(walls)}, roll=roll, high=10)
    if reading.verdict == "dead":
        realm.bury(row)
        realm.tell("wounded_died", roll=reading, who=who)
        return
    row.state, row.place, row.in_care_since = "in_care", places[0].place, realm.day
    row.back_on = realm.day + HEALING_DAYS[reading.verdict]
    realm.tell("in_care", roll=reading, who=who, place=row.place, d=row.back_on)


class FoodNumbers(Rules):
    """What a stack eats, and what hunger does."""

    supply_from: int = number(10, both("heads of a stack", "personaggi di un gruppo"), both(
        "From {n} {n?head|heads} on a stack eats 1 point a day.",
        "Da {n} {n?personaggio|personaggi} in su un gruppo consuma 1 punto al giorno."), minimum=1)
    supply_second: int = number(20, both("heads of a stack", "personaggi di un gruppo"), both(
        "From {n} {n?head|heads} on a stack eats 2 points a day.",
        "Da {n} {n?personaggio|personaggi} in su un gruppo consuma 2 punti al giorno."), minimum=1)
    hunger_days: int = number(2, both("days unfed in a row", "giorni di fila senza cibo"),
                              both("After {n} {n?day|days} without food a group starves.",
                                   "Dopo {n} {n?giorno|giorni} senza cibo un gruppo è allo stremo."), minimum=1)
    hunger_die: int = number(1, both("added to tactical dice", "aggiunto ai dadi tattici"),
                             both("A starving group adds {signed} to its dice on the table.",
                                  "Un gruppo allo stremo aggiunge {signed} ai suoi dadi sul tavolo."))
    supply_30: Literal["flat2", "per_ten"] = switch(
        both("From 30 heads on a stack eats {option}.", "Da 30 personaggi in su un gruppo consuma {option}."),
        both("2 points a day", "2 punti al giorno"),
        both("a point a day for each ten", "un punto al giorno ogni dieci"))
    starve_growth: Literal["fixed", "growing"] = switch(
        both("What hunger adds to dice {option}.", "Quanto la fame aggiunge ai dadi {option}."),
        both("stays the same", "resta uguale"), both("grows by 1 each further day", "cresce di 1 a ogni giorno in più"))
    siege_supply: Literal["siege_only", "both"] = switch(
        both("A besieged castle is drawn on {option}.", "Un castello assediato si consuma {option}."),
        both("by the siege only", "solo per l'assedio"),
        both("by the siege and every day", "per l'assedio e ogni giorno"), source="16, 8.4")


EVENTS = (
    EventType("supplied",
              both("{group:the} {group?eats|eat} {n} {n?point|points} of food from {source}.",
                   "{group:il} {group?consuma|consumano} {n} {n?punto|punti} di cibo {source:da}."), "supply", 7,
              variants=("source",
                        {"none": both("{group:the} {group?needs|need} no food today.",
                                      "{group:il} oggi non {group?ha|hanno} bisogno di cibo."),
                         "carried food": both("{group:the} {group?eats|eat} {n} {n?point|points} of carried food.",
                                              "{group:il} {group?consuma|consumano} {n} {n?punto|punti} delle "
                                              "proprie provviste.")}), to="group"),
    EventType("hungry", both(
        "{group:the} went hungry: {n} {n?point|points} short, no more to be had on the spot (day {k} of hunger).",
        "{group}: viveri scarsi da {k} {k?giorno|giorni}, {n?manca|mancano} {n} {n?punto|punti} e sul posto non c'è "
        "altro."), "supply", 4,
              variants=("way",
                        {"ordered": both("{group:the} went hungry as ordered: {n} {n?point|points} of food short, day "
                                         "{k} of hunger.",
                                         "{group}: a digiuno per ordine da {k} {k?giorno|giorni}, {n?manca|mancano} "
                                         "{n} {n?punto|punti}.")}), to="group"),
    EventType("starving",
              both("{group:the} {group?starves|starve} all day, even if fed now: +{n} on the dice, half movement. "
                   "Cause: {k} {k?day|days} short of food before this one.",
                   "{group:il} {group?è|sono} allo stremo per tutto il giorno, anche se ora {group?mangia|mangiano}: "
                   "+{n} ai dadi, metà movimento. Causa: {k} {k?giorno|giorni} di viveri scarsi prima di questo."),
              "supply", 2, to="group", blank="k"),
)

FINDINGS = (
    Message("ANA-411", "info",
            both("{unit:the} {unit?needs|need} no food from {place:the}.",
                 "{unit:il} non {unit?ha|hanno} bisogno di provviste {place:da}."),
            ("place", {"": both("{unit:the} {unit?needs|need} no food today.",
                                "{unit:il} oggi non {unit?ha|hanno} bisogno di cibo.")})),
)

both.words({
    "castle": "castello", "carried food": "provviste", "weather": "tempo", "healing": "guarigione",
    "flemish": "fiamminghi", "four days": "quattro giorni", "norman": "normanni", "one day": "un giorno",
    "three days": "tre giorni", "two days": "due giorni", "welsh": "gallesi",
})

CHAPTER = chapter(both("8.4 Food", "8.4 Rifornimento dei gruppi di combattimento"), 8, FoodNumbers, EVENTS, FINDINGS)


def need(realm: Realm, army: Army) -> int:
    """Points that a stack eats in a day (8.4)."""
    rules, heads = FoodNumbers.of(realm), realm.stack_heads(army)
    if heads < rules.supply_from:
        return 0
    if rules.supply_30 == "per_ten":
        return heads // rules.supply_from
    return 2 if heads >= rules.supply_second else 1


def is_fed(realm: Realm, army: Army) -> bool:
    """Whether a group need not find food: its employer eats for both, or a siege feeds it."""
    with_employer = realm.is_attached(army) and realm.rules.merc_count == "stack"
    return with_employer or (realm.is_shut_in(army) and FoodNumbers.of(realm).siege_supply != "both")


def own_need(realm: Realm, army: Army) -> int:
    """Points that a group must find in a day."""
    return 0 if is_fed(realm, army) else need(realm, army)


def finds_food(f: Field, request: Request) -> bool:
    """Whether there is food of the kind that an order names on the group's hex; for none, whether there is any."""
    army = f.armies[request.unit]
    kinds = {"place": (Place,), "convoy": (Convoy,)}.get(request.choice, (Place, Convoy))
    return any(isinstance(source, kinds) for source in food_sources(f, army, "place"))


class FoodFrom(OneOf):
    """Where food comes from; a convoy may be named."""

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """One of the words, or a convoy of the own side."""
        yield from super().pieces(sentence, start)
        campaign = sentence.campaign
        yield from ((count, "convoy") for count, code in sentence.rows(start, (Convoy,))
                    if play_one_side(campaign, campaign.table(Convoy)[code].faction, sentence.faction))


@day_order("SUPPLY", "PROVVISTE", "provisions", also=("supplies",), unit=orders.GROUP, offered=finds_food,
           choice=orders.one_of("place", "convoy", "none", like=VOCABULARY["food"], kind=FoodFrom),
           help=both("Where a group eats first: place, convoy, or none.",
                     "Dove mangia prima un gruppo: luogo, convoglio o niente."))
def supply(f: Field, request: Request, army: Army, source: str) -> None:
    """Where a group wants to eat today; a group that follows another eats with it (ANA-106)."""
    if f.rules.merc_count == "stack":
        orders.check_by_itself(f, request, army, "unit")
    f.wishes[army.army] = source, request


def morning_orders(f: Field) -> None:
    """Carry out the morning's orders; report now all orders of the day that purses cannot pay."""
    for army in f.armies.where(lambda a: a.march is not None):  # yesterday's; the movement phase fixes today's
        army.march = None
    carry_out_rows(f)
    DayCount(f, orders.rows_of_day(f), refuses=False).count()


def find_idle_groups(f: Field) -> None:
    """Report groups without any order (ANA-010)."""
    ordered = {r.unit.casefold() for r in f.orders.of_turn(f.game.turn) if r.unit}
    ordered |= {r.unit.casefold() for r in orders.rows_of_day(f)} | {unit.ident.casefold() for unit in f.taken.values()}
    for army in f.active():
        named = {name.casefold() for name in (army.army, *names_held(army))}
        if f.side(army.faction) != NEUTRAL and not f.is_attached(army) and not ordered & named:
            f.find("ANA-010", army, "army", unit=army.army)


def hunger_dice(realm: Realm, army: Army) -> int:
    """What hunger adds to the dice of a starving group on the table (8.4)."""
    rules = FoodNumbers.of(realm)
    return rules.hunger_die + (
        max(0, army.hungry_days - rules.hunger_days) if rules.starve_growth == "growing" else 0)


def will_starve(realm: Realm, army: Army) -> bool:
    """Whether a group starves on the day of the next meal (8.4)."""
    rules = FoodNumbers.of(realm)
    return (army.hungry_days >= rules.hunger_days and realm.stack_heads(army) >= rules.supply_from
            and not is_fed(realm, army))


def feed(realm: Field) -> None:
    """Feed stacks by prestige, heads, id: from carried food, then places and convoys on the hex."""
    for army in realm.by_rank(a for a in realm.active() if realm.side(a.faction) != NEUTRAL and not is_fed(realm, a)):
        # decided before it eats: two hungry days are paid for on the third, fed or not (8.4)
        army.starving = will_starve(realm, army)
        if army.starving:
            realm.tell("starving", group=army.army, n=hunger_dice(realm, army), k=army.hungry_days)
        _eat(realm, army, realm.wishes[army.army][0] if army.army in realm.wishes else "place")
    for army in realm.active():
        if army.army in realm.wishes and not own_need(realm, army):
            realm.wishes[army.army][1].find(realm, "ANA-411", "unit", unit=army.army, place="")


def _eat(realm: Field, army: Army, wish: str) -> None:
    due = need(realm, army)
    # what is carried never outlasts this morning: nobody keeps a stock beyond a day (8.4)
    had, army.provisions = army.provisions, 0
    left, meals = due - min(due, had), list[tuple[Place | Convoy, str, int]]()
    for source in food_sources(realm, army, wish):
        field = "resources" if isinstance(source, Place) else "cargo"
        eaten = max(0, min(left, int(getattr(source, field))))
        if eaten:
            left -= eaten
            meals.append((source, field, eaten))
    hungry = army.hungry_days
    if left <= 0:
        army.hungry_days = 0  # before the first meal is told, whose event then says that this has changed
    if due and had:
        realm.tell("supplied", group=army.army, n=min(due, had), source="carried food")
    for source, field, eaten in meals:
        setattr(source, field, int(getattr(source, field)) - eaten)
        realm.tell("supplied", group=army.army, n=eaten, source=source.ident)
    # the points that were there are eaten, and the day counts as hungry all the same
    if left > 0:
        army.hungry_days += 1
        realm.tell("hungry", group=army.army, n=left, k=army.hungry_days,
                   **({"way": "ordered"} if wish == "none" else {}))
    elif not due and (hungry or had):  # a group that ate was told so already
        realm.tell("supplied", group=army.army, n=0, source="none")


def food_sources(realm: Field, army: Army, wish: str) -> list[Place | Convoy]:
    """Places and convoys where a stack may eat on its hex, in sequence (rulebook: 8.4 Food)."""
    if wish == "none":
        return []
    side, shut = realm.side(army.faction), realm.is_shut_in(army)
    here = [realm.places[army.inside]] if shut else [p for p in realm.places_at(army.node) if realm.open_to(p, side)]
    places: list[Place | Convoy] = [*sorted(
        (p for p in here if p.resources > 0), key=lambda p: (p.castle, -p.resources, natural(p.place)))]
    # the besieged eat only from convoys that are shut in with them
    leaders = {a.army for a in realm.armies if a.inside == army.inside}
    convoys: list[Place | Convoy] = [c for c in realm.convoys if c.state == "active" and c.node == army.node
                                     and realm.side(c.faction) == side and c.cargo > 0
                                     and (not shut or c.escort in leaders)]
    return [*convoys, *places] if wish == "convoy" else [*places, *convoys]
