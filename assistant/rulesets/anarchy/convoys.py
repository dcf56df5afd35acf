"""Convoys and trains: made, loaded, met, taken; what is bought from them (10, 12, 14.4)."""

from __future__ import annotations

from typing import Literal

from assistant.campaign.records import ALL
from assistant.rulesets.anarchy import NAMED, both, chapter, citation, orders
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.mercenaries import mark_accepted, mark_used
from assistant.rulesets.anarchy.orders import act, day_order
from assistant.rulesets.anarchy.provisions import need
from assistant.rulesets.anarchy.realm import PlaceNumbers, asked
from assistant.rulesets.anarchy.records import DERIVED, NEUTRAL, Army, Convoy, Place, Train, pounds
from assistant.turn.chapters import EventType, Message, Rules, number, switch
from assistant.turn.orders.columns import Note
from assistant.turn.orders.requests import Request, refuse_if
from assistant.turn.orders.row_columns import NewCode
from assistant.turn.orders.taking import carry_all, late_meaning
from assistant.turn.orders.verbs import Cost
from assistant.turn.questions import Option


class ConvoyNumbers(Rules):
    """What convoys carry, who may take them, and what is bought from them."""

    convoy_price: int = number(1, both("£ a point", "£ per punto"),
                               both("A point bought from a convoy costs £{n}.",
                                    "Un punto comprato da un convoglio costa {n} £."), DERIVED, source="13.2")
    convoy_animals: int = number(5, both("animals", "animali"),
                                 both("A convoy has {n} {n?animal|animals} at most.",
                                      "Un convoglio ha al massimo {n} {n?animale|animali}."), minimum=1)
    convoy_transfer: int = number(5, both("points a day", "punti al giorno"), both(
        "A convoy moves {n} {n?point|points} a day to or from a place.",
        "Tra un convoglio e un luogo {n?passa|passano} {n} {n?punto|punti} al giorno."), minimum=1)
    convoy_owner: Literal["stays", "guard"] = switch(both("A convoy that nobody escorts may be taken {option}.",
                                                          "Un convoglio senza scorta può prenderlo {option}."),
                                                     both("by any group that meets it", "ogni gruppo che lo incontra"),
                                                     both("by a group that ends its march there",
                                                          "il gruppo che finisce lì la marcia"), source="12, 14.4")
    convoy_unescorted: Literal["ask", "takes"] = switch(
        both("The first group that meets such a convoy {option}.",
             "Il primo gruppo che incontra un tale convoglio {option}."),
        both("is asked whether it takes it", "decide se prenderlo"),
        both("takes it without a question", "lo prende senza domande"), source="14.4", usual=True)
    convoy_buy: Literal["need", "order"] = switch(
        both("From a convoy a group buys {option}.", "Da un convoglio un gruppo compra {option}."),
        both("what tomorrow's food lacks", "ciò che manca al cibo di domani"),
        both("all or a part by order, also of own convoys", "tutto o una parte con un ordine, anche dai propri"),
        source="14.4", usual=True)


FALLS = both("{c:the} {c?falls|fall} into the hands of {group:the}.", "{c:il} {c?cade|cadono} in mano {group:a}.")
EVENTS = (
    EventType("convoy_work",
              both("{c:the} {c?unloads|unload} {n} {n?point|points} {place:at}.",
                   "{c:il} {c?scarica|scaricano} {n} {n?punto|punti} {place:dove}."),
              "supply", 6,
              variants=("work",
                        {"made": both("{c:the} {c?sets|set} out from {place:the} with {n} {n?point|points}.",
                                      "{c:il} {c?si forma|si formano} {place:dove} con {n} {n?punto|punti}."),
                         "loads": both("{c:the} {c?loads|load} {n} {n?point|points} {place:at}.",
                                       "{c:il} {c?carica|caricano} {n} {n?punto|punti} {place:dove}.")}), means=NAMED,
              to=lambda f, data: f.by_convoy(data["c"]), idle="n"),
    EventType("convoy_taken", FALLS, "supply", 3, "14.4", means=NAMED, to=ALL),
    EventType("bought",
              both("{group:the} {group?buys|buy} {n} {n?point|points} of food from {c:the} for £{cost}.",
                   "{group:il} {group?compra|comprano} {n} {n?punto|punti} di viveri {c:da} per £{cost}."), "supply", 5,
              "14.4", means=NAMED, to=lambda f, data: f.here(f.convoys[data["c"]].node)),
    EventType("train_taken", FALLS, "battles", 3, "10",
              ("way", {"burn": both("{c:the} {c?is|are} burnt by {group:the}.",
                                    "{c:il} {c?va|vanno} a fuoco per mano {group:di}.")}), means=NAMED, to=ALL),
)

FINDINGS = (
    Message("ANA-601", "error", both("{c:the} carries at most {n}.", "{c} porta al massimo {n}.")),
    Message("ANA-602", "error",
            both("At most {n} {n?point|points} between a convoy and a place in a day, and one new convoy a place.",
                 "Al massimo {n} {n?punto|punti} al giorno tra convoglio e luogo, e un convoglio nuovo per luogo.")),
    Message("ANA-603", "error",
            both("{place:the} is not open to your convoys.",
                 "{place:il} non è apert{place?o|a|i|e} ai tuoi convogli.")),
    Message("ANA-604", "error", both("{place:the} has {n} left.", "{place:dove} {n?resta|restano} {n}.")),
    Message("ANA-605", "warning",
            both("{place:the} takes {n}, up to {max}.", "{place:il} ne accoglie {n}, fino a {max}.")),
    Message("ANA-606", "error", both("{c:the} belongs to {side:the}.", "{c} è {side:di}.")),
)

QUESTIONS = (
    asked("convoy",
          both("{unit:the} {unit?meets|meet} the convoy {convoy} with {cargo} {cargo?point|points} {hex:at}: buy, "
               "take, or pass?",
               "{unit:il} {unit?incontra|incontrano} il convoglio {convoy} con {cargo} {cargo?punto|punti} "
               "{hex:dove}: comprare, prendere o lasciar passare?"),
          ("offered",
           {"buy, pass": both("{unit:the} {unit?meets|meet} the convoy {convoy} with {cargo} {cargo?point|points} "
                              "{hex:at}: buy, or pass?",
                              "{unit:il} {unit?incontra|incontrano} il convoglio {convoy} con {cargo} "
                              "{cargo?punto|punti} {hex:dove}: comprare o lasciar passare?"),
            "take, pass": both("{unit:the} {unit?meets|meet} the convoy {convoy} with {cargo} {cargo?point|points} "
                               "{hex:at}: take, or pass?",
                               "{unit:il} {unit?incontra|incontrano} il convoglio {convoy} con {cargo} "
                               "{cargo?punto|punti} {hex:dove}: prendere o lasciar passare?")}),
          stands=Option(("take", "pass"))),
    asked("train",
          both("{unit:the} {unit?meets|meet} the siege train {train} {hex:at}: take, burn, or pass?",
               "{unit:il} {unit?incontra|incontrano} le macchine {train} {hex:dove}: prendere, bruciare o lasciar "
               "passare?"), stands=Option(("take", "burn", "pass"))),
)

both.words({
    "buy:": "compra:", "train": "macchine",
})

CHAPTER = chapter(both("12 Convoys", "12 Convogli di rifornimento"), 9, ConvoyNumbers, EVENTS, FINDINGS, QUESTIONS,
                  cites=(citation(both("14.4 Convoys met", "14.4 Incontro con un convoglio di rifornimento"), 10),))


# Convoys and transfers of resources (chapter 12; rulebook: 12 Convoys).


# --- neutral carriers -----------------------------------------------------------------------------
def turn_shuttles(realm: Field) -> None:
    """Neutral convoys unload at their goal and turn home, load at home and turn to their goal."""
    for convoy in _shuttle_convoys(realm):
        goal, home = realm.places.get(convoy.goal), realm.places.get(convoy.home)
        if goal is not None and convoy.node == goal.node and convoy.heading != "home":
            convoy.heading, n = "home", min(convoy.cargo, PlaceNumbers.of(realm).resources_max - goal.resources)
            _carry(realm, convoy, goal, -max(0, n) if _is_reachable(realm, goal) else 0, "unloads")
        elif home is not None and convoy.node == home.node:
            # a neutral convoy leaves its home a point
            convoy.heading, n = "goal", min(convoy.animals - convoy.cargo, home.resources - 1)
            _carry(realm, convoy, home, max(0, n) if _is_reachable(realm, home) else 0, "loads")


def _shuttle_convoys(realm: Field) -> list[Convoy]:
    return [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) == NEUTRAL and not c.escort]


def _is_reachable(realm: Field, place: Place) -> bool:
    return place.exists and not realm.is_besieged(place.place)


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
    refuse_if(not good or f.is_besieged(place.place), "ANA-603", field, place=place.place)


CONVOY = orders.ActingUnit((Convoy,))
STORES = orders.a_place(
    lambda f, request, place, field: orders.check_same_hex(f.convoys[request.unit], place, field), check_friendly)
"""A friendly place where the convoy is."""


def _points_today(f: Field, convoy: Convoy, place: Place, n: int) -> int:
    """Points moved between them today; refuse n more if that is too much for a day (ANA-602)."""
    done = f.carried.get((convoy.convoy, place.place), 0)
    most = ConvoyNumbers.of(f).convoy_transfer
    refuse_if(n + done > most, "ANA-602", "amount", n=most)
    return done


def _is_unsure(f: Field, place: Place) -> bool:
    # shuttles work before the orders, so a check before the phase cannot know what they leave
    return f.game.dice.shut and any(
        c.node == place.node and place.place in (c.goal, c.home) for c in _shuttle_convoys(f))


def has_room(f: Field, request: Request) -> bool:
    """Whether the place takes all that is to be unloaded, as things stand."""
    return f.places[request.target].resources + int(request.amount) <= PlaceNumbers.of(f).resources_max


def _check_in_store(f: Field, place: Place, n: int) -> None:
    refuse_if(n > place.resources and not _is_unsure(f, place), "ANA-604", "amount", place=place.place,
              n=place.resources)


@day_order("UNLOAD", "SCARICA", "convoys", unit=CONVOY, target=STORES, amount=orders.Points(), offered=has_room,
           help=both("Unload points from a convoy at a place.", "Scarica punti da un convoglio in un luogo."))
def unload(f: Field, request: Request, convoy: Convoy, place: Place, wanted: int) -> None:
    """Unload up to five points a day, never above what a place holds (ANA-605)."""
    done, most = _points_today(f, convoy, place, wanted), PlaceNumbers.of(f).resources_max
    n = min(wanted, max(0, most - place.resources))
    refuse_if(wanted > convoy.cargo, "ANA-604", "amount", place=convoy.convoy, n=convoy.cargo)
    if n < wanted and not _is_unsure(f, place):
        request.find(f, "ANA-605", "amount", place=place.place, n=n, max=most)
    f.carried[convoy.convoy, place.place] = n + done
    _carry(f, convoy, place, -n, "unloads")
    # for missions to deliver: only what reaches a place of the own side counts
    if n and f.of_side(place, f.side(convoy.faction)):
        f.factions[convoy.faction].delivered += n


@day_order("LOAD", "CARICA", "convoys", unit=CONVOY, target=STORES, amount=orders.Points(),
           help=both("Load points from a place into a convoy.", "Carica punti da un luogo in un convoglio."))
def load(f: Field, request: Request, convoy: Convoy, place: Place, wanted: int) -> None:
    """Load up to five points a day, as much as the animals carry (ANA-601)."""
    done = _points_today(f, convoy, place, wanted)
    refuse_if(convoy.cargo + wanted > convoy.animals, "ANA-601", "amount", c=convoy.convoy, n=convoy.animals)
    _check_in_store(f, place, wanted)
    f.carried[convoy.convoy, place.place] = wanted + done
    _carry(f, convoy, place, wanted, "loads")


@day_order("CONVOY", "CONVOGLIO", "convoys",
           unit=NewCode((Army, Convoy, Train, Place), taken="ANA-207", like="C-NEW", late=True),
           target=orders.a_place(after=("at", "from")), amount=orders.Points(late=True), note=Note(),
           help=both("Make a convoy (unit: its code) at a place; where it goes is a MOVE of its own.",
                     "Forma un convoglio (unità: la sua sigla) in un luogo; dove va lo dice un suo MUOVI."))
def make_convoy(f: Field, request: Request, place: Place) -> None:
    """Make a convoy with a driver and an animal for each point; one a day at each place."""
    ident = late_meaning(f, request, "unit")
    check_friendly(f, request, place, "target")
    wanted, rules = late_meaning(f, request, "amount"), ConvoyNumbers.of(f)
    most = min(rules.convoy_animals, rules.convoy_transfer)
    refuse_if(place.place in f.made, "ANA-602", "target", n=most)
    refuse_if(wanted > rules.convoy_animals, "ANA-601", "amount", c=ident, n=rules.convoy_animals)
    refuse_if(wanted > most, "ANA-602", "amount", n=most)
    _check_in_store(f, place, wanted)
    name, name_it = orders.both_names(request.note)
    convoy = f.convoys.add(Convoy(convoy=ident, name=name, name_it=name_it, faction=request.faction, node=place.node,
                                  animals=max(1, wanted), driver=1, state="active"))
    f.made.add(place.place)
    _carry(f, convoy, place, wanted, "made")


def convoy_orders(f: Field) -> None:
    """Carry out UNLOAD, then LOAD and CONVOY together by number: the later one overdraws (rulebook: Orders)."""
    requests = orders.take_rows(f)
    carry_all(f, requests, unload)
    carry_all(f, requests, load, make_convoy)


# Convoys and trains that are met (10, 14.4).


def may_deal(f: Field, army: Army, row: Convoy | Train) -> bool:
    """Whether a group may deal with a convoy or train: on its hex, without escort, not of its own side."""
    return (row.state == "active" and row.node == army.node and not row.escort
            and army.active and not f.is_attached(army) and not army.inside and not f.limit_of(army)
            and not f.safe(army) and f.side(army.faction) not in (NEUTRAL, f.side(row.faction)))


def meet_convoy(f: Field, army: Army, convoy: Convoy, *, ends: bool, asked: bool = True) -> str:
    """A group meets a convoy; of an own or escorted one it may only buy, and by order. Returns ``buy``, ``take``, or ""
    if it passes.

    `ends`: the group's march ends here, or the convoy came to it; `asked`: ask if there is no order.
    """
    f.meets(army, convoy)
    rules, free, most = ConvoyNumbers.of(f), may_deal(f, army, convoy), _points_for_sale(f, army, convoy)
    may_take = free and (rules.convoy_owner == "stays" or ends)
    options = [*([f"buy:{most}"] if most else []), *(["take"] if may_take else []), "pass"]
    choice = _ordered_deal(f, army, convoy, most, may_take)
    if asked and free and not choice:
        if rules.convoy_unescorted == "takes":
            choice = "take" if may_take else "pass"
        elif len(options) > 1:
            choice = f.game.choose(f.meeting_question("convoy", army, convoy, options, "take" if ends else "pass",
                                                      "convoy", cargo=convoy.cargo))
    what, _, number = choice.partition(":")
    if what == "buy" and number.isdecimal() and (free or int(number)):
        n, cost = int(number), price_of_food(f, int(number))
        army.money, army.provisions, convoy.cargo = army.money - cost, army.provisions + n, convoy.cargo - n
        f.tell("bought", n=n, cost=pounds(cost), c=convoy.convoy, group=army.army)
        return "buy" if n else ""
    if choice == "take":
        f.fall_to(army, convoy, choice)
        f.tell("convoy_taken", c=convoy.convoy, group=army.army)
        return "take"
    return ""


def price_of_food(f: Field, n: int) -> int:
    """What points of food cost, in half-pounds."""
    return 2 * ConvoyNumbers.of(f).convoy_price * n


def _points_for_sale(f: Field, army: Army, convoy: Convoy) -> int:
    """Points that a group may buy and can pay: from a neutral convoy what is missing of tomorrow's food.

    With the switch convoy_buy on ``order``: all that it carries, and also from an own convoy.
    """
    by_order, price = ConvoyNumbers.of(f).convoy_buy == "order", price_of_food(f, 1)
    if f.side(convoy.faction) != NEUTRAL and not (by_order and f.friends(convoy, army)):
        return 0
    most = min(convoy.cargo if by_order else max(0, need(f, army) - army.provisions), convoy.cargo)
    return min(most, army.money // price if price else most)


def may_buy_unmet(f: Field, army: Army, convoy: Convoy) -> bool:
    """Whether a group may buy by order from a convoy that it does not meet: an own or an escorted one."""
    return (ConvoyNumbers.of(f).convoy_buy == "order" and convoy.state == "active" and convoy.node == army.node
            and f.able(army) and not army.inside and not f.limit_of(army)
            and f.side(convoy.faction) in (f.side(army.faction), NEUTRAL))


def _ordered_deal(f: Field, army: Army, convoy: Convoy, most: int, may_take: bool) -> str:
    take, buy = f.meeting_order(army, "TAKE", convoy), f.meeting_order(army, "BUY", convoy)
    if take is not None and may_take:
        return mark_used(take, "take")
    if buy is None or not most:
        return ""
    return mark_used(buy, f"buy:{min(most, orders.ANY_POINTS.judge(f, buy, 'amount') or 0)}")


# --- trains ---------------------------------------------------------------------------------------
def meet_train(f: Field, army: Army, train: Train) -> bool:
    """A group meets an unescorted enemy train. Returns whether it is taken or burnt."""
    f.meets(army, train)
    take = f.meeting_order(army, "TAKE", train)
    choice = mark_used(take, "take") if take is not None else f.game.choose(
        f.meeting_question("train", army, train, ("take", "burn", "pass"), "take", "train"))
    if choice != "pass":
        f.fall_to(army, train, choice)
        f.tell("train_taken", c=train.train, group=army.army, way=choice)
    return choice != "pass"


def meet_goods(f: Field, army: Army, ends: bool) -> None:
    """A group meets the convoys, then the trains on its hex, by id."""
    for convoy in f.convoys:
        if may_buy_unmet(f, army, convoy) or (may_deal(f, army, convoy) and f.able(army)):
            meet_convoy(f, army, convoy, ends=ends)
    for train in f.trains:
        if may_deal(f, army, train) and f.able(army) and f.side(train.faction) != NEUTRAL:
            meet_train(f, army, train)


FOR_SALE = orders.Goods((Army, Convoy, Train), kinds=(Convoy,))


def check_for_sale(f: Field, request: Request, wanted: int, field: str) -> None:
    """Refuse an enemy convoy: food is bought from neutral or own ones (ANA-606)."""
    row = FOR_SALE.judge(f, request, "target")
    owner = f.side(row.faction)
    refuse_if(owner not in (f.side(request.faction), NEUTRAL), "ANA-606", "target", c=row.ident, side=owner)


@act("BUY", "COMPRA", FOR_SALE, unit=orders.WALKER, amount=orders.Points(then=(check_for_sale,)),
     cost=Cost("convoy_price", reckoned=lambda f, request: price_of_food(
         f, orders.ANY_POINTS.judge(f, request, "amount") or 0)),
     help=both("Buy food from a neutral convoy that is met.", "Compra viveri da un convoglio neutrale incontrato."))
def buy_food(f: Field, request: Request, army: Army, row: Army | Convoy | Train, wanted: int) -> None:
    """Buy from a convoy on the group's hex (14.4)."""
    mark_accepted(request, isinstance(row, Convoy) and _deal_with_convoy(f, army, row))


@act("TAKE", "PRENDI", orders.Goods((Army, Convoy, Train), kinds=(Convoy, Train)), unit=orders.WALKER,
     help=both("Take an unescorted convoy or train that is met.", "Prendi un convoglio o delle macchine senza scorta."))
def take_goods(f: Field, request: Request, army: Army, row: Army | Convoy | Train) -> None:
    """Take a convoy or train on the group's hex (10, 14.4)."""
    mark_accepted(request, _deal_with_convoy(f, army, row) if isinstance(row, Convoy) else (
        isinstance(row, Train) and f.side(row.faction) != NEUTRAL and meet_train(f, army, row)))


def _deal_with_convoy(f: Field, army: Army, convoy: Convoy) -> bool:
    return meet_convoy(f, army, convoy, ends=army.army in f.staying, asked=False) != ""
