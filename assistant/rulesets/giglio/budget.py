"""Spring, second part: loans, recruiting, specialists, fleets, the auction of the Strategos (2a, 2b)."""

from __future__ import annotations

from collections.abc import Callable

from assistant.campaign.order import natural
from assistant.rulesets.giglio import staff, treaties
from assistant.rulesets.giglio.income import first_spring, takings
from assistant.rulesets.giglio.records import OBJECTIVES, Army, Fleet, Loan, Node, Specialist
from assistant.rulesets.giglio.requests import (
    Refused,
    Request,
    admitted,
    affordable,
    army_named,
    carry_out,
    node_named,
    rows_of_phase,
    soldiers_only,
    warn_of_twins,
    whole,
    without_replaced,
)
from assistant.rulesets.giglio.war import War, up
from assistant.turn.dice import Roll
from assistant.turn.game import ALL, Game

Deed = Callable[[War, Request], None]


def budget(game: Game) -> None:
    """Objectives, loans, spending in the club's own order, the auction, payments, treaties (6.2)."""
    war = War(game)
    sent, offers = take_orders(war)
    auction(war)
    staff.payments_arrive(war, sent)
    treaties.conclude(war, offers)


def take_orders(war: War) -> tuple[list[tuple[str, str, int]], list[treaties.Offer]]:
    """Steps 1 to 3: everything that the rows alone decide. Returns payments and offers of treaty."""
    requests = without_replaced(war, admitted(war, rows_of_phase(war), "budget"))
    sent: list[tuple[str, str, int]] = []
    offers: list[treaties.Offer] = []
    deeds: dict[str, Deed] = {
        **SPENDING,
        "bid": _bid,
        "pay": lambda w, r: sent.append(staff.pay(w, r)),
        "ally": lambda w, r: offers.append(treaties.offer(w, r)),
    }
    for first in (("objective",), ("loan",)):
        for request in requests:
            if request.verb in first:
                carry_out(war, request, deeds[request.verb])
    for request in requests:
        if request.verb not in ("objective", "loan"):
            carry_out(war, request, deeds[request.verb])
    warn_of_twins(war, requests)
    return sent, offers


# --- objectives and loans -----------------------------------------------------------------------
def objective(war: War, request: Request) -> None:
    """The club's one secret aim, chosen in the first spring (objectives)."""
    faction = war.factions[request.faction]
    if not first_spring(war) or faction.objective:
        raise Refused("GIG-093", "verb")
    known = request.option in OBJECTIVES
    if not known or (request.option == "capitals" and war.rules.objectives_edition == "EN"):
        raise Refused("GIG-094", "option", option=request.row.option or request.option)
    if request.option == "conquer":
        target = war.factions.get(request.partner)
        if target is None or target.role == "neutral" or target.faction == request.faction:
            raise Refused("GIG-095", "partner")
        faction.objective_target = target.faction
    faction.objective = request.option
    war.game.tell("objective.chosen", [request.faction], "objectives", touch=[faction], option=request.option,
                  target=faction.objective_target)


def loan_cap(war: War, faction: str) -> int:
    """Half of what the cities pay (2a), rounded down (switch loan_base)."""
    event = war.factions[faction].pending_event if war.rules.loan_base == "cities_after" else 0
    got = takings(war, faction, event)
    base = sum(got.values()) if war.rules.loan_base == "all" else got["city"]
    return int(base * war.rules.loan_pct // 100)


def loan(war: War, request: Request) -> None:
    """The bank lends up to the cap; next spring it wants a quarter more (2a)."""
    amount = whole(request) or 0
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
    account = war.money(request.faction, "loan", amount, told=True)
    war.game.tell("loan.granted", [request.faction], "2a",
                  touch=[row, account, war.factions[request.faction]], faction=request.faction, amount=amount, due=due)


# --- spending -----------------------------------------------------------------------------------
def recruit(war: War, request: Request) -> None:
    """Ducats become men in a city that one controls (2b)."""
    amount = whole(request) or 0
    place = node_named(war, request.target)
    if not _own_city(place, request.faction):
        cities = [n.node for n in war.nodes if _own_city(n, request.faction)]
        raise Refused("GIG-024", "target", node=place.node, list=" ".join(cities) or "-")
    if war.enemies_in_field(place.node, request.faction):
        raise Refused("GIG-025", "target", node=place.node)
    army = _who_gets_the_men(war, request, place)
    if army is None:
        staff.may_raise_another(war, request.faction)
    affordable(war, request, amount)
    if amount < war.rules.company_min:
        request.warn(war, "GIG-028", "amount", amount=amount, min=war.rules.company_min)
    staff.want_points_over_core(war, request, army)
    war.money(request.faction, "recruit", -amount, place.node)
    if army is None:
        army = war.armies.add(Army(army=war.next_army(request.faction), faction=request.faction, node=place.node))
    army.value += amount
    war.game.tell("army.recruited", [request.faction], "2b", touch=[army], army=army.army, amount=amount,
                  node=place.node)


def _own_city(place: Node, faction: str) -> bool:
    return place.owner == faction and place.site == "city"


def _who_gets_the_men(war: War, request: Request, place: Node) -> Army | None:
    if request.unit == "NEW":
        return None
    if request.unit:
        army = army_named(war, request, request.unit)
        soldiers_only(army)
        if army.node != place.node or army.posture == "aboard":
            raise Refused("GIG-044", "unit", unit=army.army, target=place.node)
        return army
    there = [a for a in war.at(place.node) if a.faction == request.faction and a.kind == "army"]
    if len(there) > 1:
        raise Refused("GIG-027", "unit", node=place.node, list=" ".join(a.army for a in there))
    return there[0] if there else None


def enlist(war: War, request: Request) -> None:
    """A specialist of table 33: sapper, diplomat, spy, assassin."""
    kind, code = request.option, request.faction
    if kind not in ("sapper", "diplomat", "spy", "assassin"):
        raise Refused("GIG-031", "option", option=request.row.option or kind)
    if kind in ("sapper", "diplomat") and not _fit_post(war, request):
        raise Refused("GIG-032", "target", kind=kind, target=request.target)
    cost = war.rules[f"cost_{kind}"]
    affordable(war, request, cost)
    war.money(code, kind, -cost, request.target)
    if kind == "diplomat":
        marker = war.armies.add(Army(army=war.next_army(code), faction=code, kind="diplomat", node=request.target))
        war.game.tell("specialist.enlisted", [code], "t33", touch=[marker], kind=kind, code=marker.army)
        return
    numbers = [int(s.specialist.rsplit("-S", 1)[1]) for s in war.specialists if s.faction == code]
    man = war.specialists.add(Specialist(
        specialist=f"{code}-S{max(numbers, default=0) + 1}", faction=code, kind=kind, year=war.year,
        post=request.target if kind == "sapper" else ""))
    war.game.tell("specialist.enlisted", [code], "t33", touch=[man], kind=kind, code=man.specialist)


def _fit_post(war: War, request: Request) -> bool:
    place = war.nodes.get(request.target)
    if request.option == "diplomat":
        return place is not None and _own_city(place, request.faction)
    army = war.armies.get(request.target)
    with_army = army is not None and army.faction == request.faction and army.kind == "army"
    return with_army or (place is not None and place.owner == request.faction and place.land)


def fleet(war: War, request: Request) -> None:
    """A fleet is built in an own port, within the nation's number (fleets)."""
    code = request.faction
    place = node_named(war, request.target)
    if place.owner != code or not place.port:
        ports = [n.node for n in war.nodes if n.owner == code and n.port]
        raise Refused("GIG-029", "target", node=place.node, list=" ".join(ports) or "-")
    if war.troubled(place.node, code):
        raise Refused("GIG-037", "target", node=place.node)
    count = len([f for f in war.fleets if f.faction == code])
    cap = war.factions[code].fleet_cap or 0
    if war.rules.fleet_limit_mode != "initial" and count >= cap:
        raise Refused("GIG-030", "verb", cap=cap, n=count)
    affordable(war, request, war.rules.cost_fleet)
    war.money(code, "fleet", -war.rules.cost_fleet, place.node)
    launch(war, code, place.node)


def launch(war: War, faction: str, node: str) -> Fleet:
    """A new fleet with the lowest free number."""
    n = 1
    while f"{faction}-F{n}" in war.fleets:
        n += 1
    row = war.fleets.add(Fleet(fleet=f"{faction}-F{n}", faction=faction, node=node))
    war.game.tell("fleet.formed", ALL, "fleets", touch=[row], fleet=row.fleet, node=node)
    return row


def _garrison(war: War, request: Request) -> None:
    staff.garrison(war, request)


SPENDING: dict[str, Deed] = {
    "objective": objective, "loan": loan, "recruit": recruit, "enlist": enlist, "fleet": fleet,
    "fortify": staff.fortify, "repair": staff.repair, "transfer": staff.transfer, "split": staff.split,
    "attach": staff.attach, "dissolve": treaties.dissolve,
    "garrison": _garrison,
}


# --- the Strategos ------------------------------------------------------------------------------
def _bid(war: War, request: Request) -> None:
    amount = whole(request) or 0
    affordable(war, request, amount)
    war.set_aside[request.faction] = amount  # most bids come back: the chest is left as its accounts say


def auction(war: War) -> None:
    """Who pays most orders the marches of the summer (table 33); ties are thrown for."""
    bids, war.set_aside = war.set_aside, {}
    before, war.desk.strategos = war.desk.strategos, ""
    if not bids:
        _nobody(war, before)
        return
    best = max(bids.values())
    tied = sorted((f for f, amount in bids.items() if amount == best), key=natural)
    rolls: list[Roll] = []
    winner = tied[0] if len(tied) == 1 else _throw_for_it(war, tied, rolls)
    for faction in sorted(bids, key=natural):
        if faction == winner or war.rules.strategos_pay == "pay":
            war.money(faction, "bid", -bids[faction])
    if winner:
        war.desk.strategos = winner
        war.game.tell("strategos.won", ALL, "t33", touch=[war.desk], faction=winner)
    else:
        _nobody(war, before)
    if rolls:
        war.game.tell("strategos.tied", tied, "t33", roll=rolls, tied=" ".join(tied), faction=winner)


def _nobody(war: War, before: str) -> None:
    if before:
        war.game.tell("strategos.none", ALL, "t33", touch=[war.desk])


def _throw_for_it(war: War, tied: list[str], rolls: list[Roll]) -> str:
    if war.rules.strategos_tie == "no_one":
        return ""
    circle, again = list(tied), 1
    while len(tied) > 1:
        mark = f":t{again}" if again > 1 else ""
        thrown = {f: war.game.roll(f"strategos:{f}:{war.year}{mark}", "1d6", circle) for f in tied}
        rolls += thrown.values()
        top = max(r.total for r in thrown.values())
        tied = [f for f in tied if thrown[f].total == top]
        again += 1
    return tied[0]
