"""Spring, second part: loans, recruiting, specialists, fleets, the auction of the Strategos (2a, 2b)."""

from __future__ import annotations

from dataclasses import replace

from assistant.campaign.order import in_natural_order
from assistant.rulesets.giglio.book.records import OBJECTIVES, SPECIALISTS, Army, Faction, Fleet, Loan, Node, Specialist
from assistant.rulesets.giglio.book.tables import STRATEGOS
from assistant.rulesets.giglio.spring import staff
from assistant.rulesets.giglio.spring.income import first_spring, takings
from assistant.rulesets.giglio.war.orders import ARMY, IN_SPRING, soldiers
from assistant.rulesets.giglio.war.war import War, up
from assistant.turn.board import free_code, next_code
from assistant.turn.game import ALL
from assistant.turn.orders.columns import Amount, Code, Option, Partner, Place
from assistant.turn.orders.purses import Cost
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.taking import afford, carry_all, judged, take, warn_of_twins
from assistant.turn.orders.verbs import order, same
from assistant.turn.throws.among import won
from assistant.turn.throws.dice import Roll


def spring_orders(war: War) -> None:
    """Objectives, then loans, then everything else in the club's own order (2a, 2b)."""
    requests = take(war)
    for first in (objective, loan):
        carry_all(war, requests, first)
    carry_all(war, requests)
    warn_of_twins(war, requests)


# --- objectives and loans -----------------------------------------------------------------------
@order("objective", "obiettivo", when=IN_SPRING, replaces=same("objective"),
       option=Option(OBJECTIVES, {"alleati_rispettati": "allies_kept", "rispettate": "allies_kept",
                                  "alleati_traditi": "allies_betrayed", "tradite": "allies_betrayed",
                                  "territory": "conquer"}),
       partner=Partner(blank=True, only_names=True),
       help="Choose the secret objective; for conquer also the faction whose territory is meant.")
def objective(war: War, request: Request) -> None:
    """The club's one secret aim, chosen in the first spring (objectives)."""
    faction = war.factions[request.faction]
    if not first_spring(war) or faction.objective:
        raise Refused("GIG-093", "verb")
    if request.option not in OBJECTIVES or (request.option, war.rules.objectives_edition) == ("capitals", "EN"):
        raise Refused("GIG-094", "option", option=request.typed("option") or request.option)
    if request.option == "conquer":
        target = war.factions.get(request.partner)
        if target is None or target.role == "neutral" or target.faction == request.faction:
            raise Refused("GIG-095", "partner")
        faction.objective_target = target.faction
    elif request.partner and request.partner not in war.factions:
        raise Refused("no_such_partner", "partner", word=request.typed("partner") or request.partner)
    choose(war, faction, request.option, faction.objective_target)


def choose(war: War, faction: Faction, aim: str, target: str) -> None:
    """The objective stands, and only the faction is told (objectives)."""
    faction.objective, faction.objective_target = aim, target
    war.tell("objective.chosen", [faction.faction], touch=[faction], option=aim, target=target)


def loan_cap(war: War, faction: str) -> int:
    """Half of what the cities pay (2a), rounded down (switch loan_base)."""
    event = war.factions[faction].pending_event if war.rules.loan_base == "cities_after" else 0
    got = takings(war, faction, event)
    base = sum(got.values()) if war.rules.loan_base == "all" else got["city"]
    return base * war.rules.loan_pct // 100


@order("loan", "prestito", also=("borrow",), when=IN_SPRING, amount=Amount(), replaces=same("loan"),
       help="Borrow from the bank, up to half of the city taxes.")
def loan(war: War, request: Request, amount: int) -> None:
    """The bank lends up to the cap; next spring it wants a quarter more (2a)."""
    for row in war.loans:
        if row.faction != request.faction:
            continue
        if row.year == war.year:
            raise Refused("GIG-022", "verb", reason="a loan of this year")
        if row.status == "open":
            raise Refused("GIG-022", "verb", reason="an open loan")
        if row.confiscated_year == war.year and war.rules.confiscate_no_loan == "yes":
            raise Refused("GIG-022", "verb", reason="confiscated this spring")
    cap = loan_cap(war, request.faction)
    if amount > cap or (war.rules.loan_amount == "exactly" and amount != cap):
        raise Refused("GIG-021", "amount", amount=amount, cap=cap)
    due = amount + up(amount, war.rules.loan_interest_pct)
    row = war.loans.add(Loan(faction=request.faction, year=war.year, amount=amount, due=due))
    war.money(request.faction, "loan", amount, told=False)
    war.tell("loan.granted", [request.faction], touch=[row], faction=request.faction, amount=amount, due=due)


# --- spending -----------------------------------------------------------------------------------
@order("recruit", "arruola", also=("recluta", "arruolare"), when=IN_SPRING, amount=Amount(), target=Place(),
       unit=soldiers(replace(ARMY, or_words={"new": ("nuova", "nuovo")}, blank=True, late=True)),
       cost=Cost(times="amount"), twins=True, help="Pay men into an army at an own city; unit: which army, or new.")
def recruit(war: War, request: Request, amount: int, place: Node) -> None:
    """Ducats become men in a city that one controls (2b)."""
    if not _own_city(place, request.faction):
        cities = [n.node for n in war.nodes if _own_city(n, request.faction)]
        raise Refused("GIG-024", "target", node=place.node, list=" ".join(cities) or "-")
    if war.enemies_in_field(place.node, request.faction):
        raise Refused("GIG-025", "target", node=place.node)
    army = _who_gets_the_men(war, request, place)
    if army is None:
        staff.may_raise_another(war, request.faction)
    afford(war, request)
    if amount < war.rules.company_min:
        request.find(war, "GIG-028", "amount", amount=amount, min=war.rules.company_min)
    staff.want_points_over_core(war, request, army)
    war.money(request.faction, "recruit", -amount, place.node)
    if army is None:
        army = war.armies.add(Army(army=war.next_army(request.faction), faction=request.faction, node=place.node))
    army.value += amount
    war.tell("army.recruited", [request.faction], touch=[army], army=army.army, amount=amount, node=place.node)


def _own_city(place: Node, faction: str) -> bool:
    return place.owner == faction and place.site == "city"


def _who_gets_the_men(war: War, request: Request, place: Node) -> Army | None:
    army: Army | None = judged(war, request, "unit")
    if army is not None:
        if army.node != place.node or army.posture == "aboard":
            raise Refused("GIG-044", "unit", unit=army.army, target=place.node)
        return army
    if request.unit == "new":
        return None
    there = [a for a in war.at(place.node) if a.faction == request.faction and a.kind == "army"]
    if len(there) > 1:
        raise Refused("GIG-027", "unit", node=place.node, list=" ".join(a.army for a in there))
    return there[0] if there else None


HIRED = {**SPECIALISTS, "diplomat": "diplomatico"}
"""Whom one may hire, and send an assassin against: code -> Italian."""
ENVOYS = {"ambasciatore": "diplomat", "envoy": "diplomat"}


@order("enlist", "ingaggia", also=("hire",), when=IN_SPRING, option=Option(HIRED, ENVOYS, opens=True),
       target=Code((Army, Node), blank=True), cost=Cost("cost_{option}"), twins=True,
       help="Hire a sapper, diplomat, spy or assassin; target: the post.")
def enlist(war: War, request: Request) -> None:
    """A specialist of table 33: sapper, diplomat, spy, assassin."""
    kind, code = request.option, request.faction
    if kind not in HIRED:
        raise Refused("GIG-031", "option", option=request.typed("option") or kind)
    if kind in ("sapper", "diplomat") and not _fit_post(war, request):
        raise Refused("GIG-032", "target", kind=kind, target=request.target)
    war.money(code, kind, -afford(war, request), request.target)
    man: Army | Specialist
    if kind == "diplomat":
        man = war.armies.add(Army(army=war.next_army(code), faction=code, kind=kind, node=request.target))
    else:
        man = war.specialists.add(Specialist(
            specialist=next_code(war.specialists, f"{code}-S{{}}"), faction=code, kind=kind, year=war.year,
            post=request.target if kind == "sapper" else ""))
    war.tell("specialist.enlisted", [code], touch=[man], kind=kind, code=man.ident)


def _fit_post(war: War, request: Request) -> bool:
    place = war.nodes.get(request.target)
    if request.option == "diplomat":
        return place is not None and _own_city(place, request.faction)
    army = war.armies.get(request.target)
    with_army = army is not None and army.faction == request.faction and army.kind == "army"
    return with_army or (place is not None and place.owner == request.faction and place.land)


@order("fleet", "flotta", when=IN_SPRING, target=Place(), cost=Cost("cost_fleet"), twins=True,
       help="Launch a fleet in an own port.")
def fleet(war: War, request: Request, place: Node) -> None:
    """A fleet is built in an own port, within the nation's number (fleets)."""
    code = request.faction
    if place.owner != code or not place.port:
        ports = [n.node for n in war.nodes if n.owner == code and n.port]
        raise Refused("GIG-029", "target", node=place.node, list=" ".join(ports) or "-")
    if war.troubled(place.node, code):
        raise Refused("GIG-037", "target", node=place.node)
    count = len([f for f in war.fleets if f.faction == code])
    cap = war.factions[code].fleet_cap or 0
    if war.rules.fleet_limit_mode != "initial" and count >= cap:
        raise Refused("GIG-030", "verb", cap=cap, n=count)
    war.money(code, "fleet", -afford(war, request), place.node)
    launch(war, code, place.node)


def launch(war: War, faction: str, node: str) -> Fleet:
    """A new fleet with the lowest free number."""
    row = war.fleets.add(Fleet(fleet=free_code(war.fleets, f"{faction}-F{{}}"), faction=faction, node=node))
    war.tell("fleet.formed", ALL, touch=[row], fleet=row.fleet, node=node)
    return row


# --- the Strategos ------------------------------------------------------------------------------
@order("bid", "stratega", also=("strategos", "stratego", "offerta"), when=IN_SPRING, amount=Amount(),
       cost=Cost(times="amount"), replaces=same("bid"), help="Bid for the office of Strategos.")
def bid(war: War, request: Request, amount: int) -> None:
    """What is bid is set aside until the auction (table 33)."""
    afford(war, request)
    war.plan.set_aside[request.faction] = amount  # most bids come back: the chest is left as its accounts say


def auction(war: War) -> None:
    """Who pays most orders the marches of the summer (table 33); ties are thrown for."""
    bids, war.plan.set_aside = war.plan.set_aside, {}
    best, winner, rolls = max(bids.values(), default=0), "", list[Roll]()
    tied = in_natural_order(f for f, amount in bids.items() if amount == best)
    if len(tied) == 1 or (tied and war.rules.strategos_tie == "reroll"):
        winner, rolls = won(tied, lambda faction, again: war.roll(STRATEGOS(faction, war.year, again=again), tied))
    for faction in in_natural_order(bids):
        if faction == winner or war.rules.strategos_pay == "pay":
            war.money(faction, "bid", -bids[faction])
    before, war.desk.strategos = war.desk.strategos, winner
    if winner:
        war.tell("strategos.won", ALL, touch=[war.desk], faction=winner)
    elif before:
        war.tell("strategos.none", ALL, touch=[war.desk])
    if len(tied) > 1:
        war.tell("strategos.tied", tied, roll=rolls, tied=" ".join(tied), faction=winner)
