"""Spring: income, the bank, recruiting, specialists, fleets, the Strategos, alliances (2, 2a, 2b)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.giglio import orders
from assistant.rulesets.giglio.orders import ARMY, IN_BOTH, IN_SPRING, SPRING, soldiers_column
from assistant.rulesets.giglio.records import (
    OBJECTIVES,
    SPECIALISTS,
    Alliance,
    Army,
    Faction,
    Fleet,
    Loan,
    Node,
    Specialist,
)
from assistant.rulesets.giglio.tables import STRATEGOS
from assistant.rulesets.giglio.war import TreatyOffer, War, percent_up
from assistant.turn.answers import Invitation
from assistant.turn.dice import REFEREE, Roll
from assistant.turn.game import Game, free_code, next_code
from assistant.turn.orders.columns import Amount, Code, Note, Partner, Place
from assistant.turn.orders.columns import Option as ColumnOption
from assistant.turn.orders.requests import HasGame, Refused, Request
from assistant.turn.orders.taking import afford, carry_all, judged, take, warn_of_duplicates
from assistant.turn.orders.verbs import Cost, order, same
from assistant.turn.questions import Ask, Option
from assistant.turn.rulings import won

# The bank: loans that fall due, confiscation (2a).


BOOK_ORDER = "book_order"


def due_loans(war: War) -> list[Loan]:
    """The loans of earlier years that are still open, in natural order of faction."""
    return [loan for loan in sorted(war.loans, key=lambda row: (natural(row.faction), row.year))
            if loan.status == "open" and loan.year < war.year]


# --- what the bank takes first --------------------------------------------------------------------
def seizable_goods(war: War, faction: str) -> list[Fleet | Army | Node]:
    """What the bank may take of a faction: its fleets, its armies, its places with intact walls."""
    return [*(f for f in war.fleets if f.faction == faction), *(a for a in war.armies_of(faction) if a.value),
            *(p for p in war.nodes if p.owner == faction and p.fortified)]


def confiscation_asks(war: War) -> list[Ask]:
    """Ask each debtor what the bank is to take first if the chest cannot pay; no phase waits for the answer."""
    owed: dict[str, int] = {}
    for loan in due_loans(war):
        owed[loan.faction] = owed.get(loan.faction, 0) + loan.due
    return [Ask("confiscation", code, "", tuple(one.ident for one in seizable_goods(war, code)), BOOK_ORDER,
                {"faction": code, "due": amount}) for code, amount in owed.items()]


def debtors_choices(war: War) -> dict[str, tuple[str, ...]]:
    """The goods that each debtor has named, in that order; () for a debtor who has named none."""
    return {ask.to: war.game.given_to(ask) or () for ask in confiscation_asks(war)}


# --- collecting -----------------------------------------------------------------------------------
def collect(war: War, loan: Loan, first: tuple[str, ...] = ()) -> None:
    """A loan falls due: the chest pays, and what it cannot pay is confiscated (2a)."""
    faction = war.factions[loan.faction]
    paid = max(0, min(loan.due, faction.treasury))
    rest = loan.due - paid
    if rest == 0:
        war.money(loan.faction, "repayment", -paid, str(loan.year), told=False)
        loan.status = "repaid"
        war.tell("loan.repaid", [loan.faction], touch=[loan], faction=loan.faction, amount=paid)
        return
    if paid:
        war.money(loan.faction, "repayment", -paid, str(loan.year))
    loan.status, loan.confiscated_year = "confiscated", war.year
    left, taken = confiscate(war, faction, rest, first)
    war.tell("loan.confiscated", [loan.faction], touch=[loan, *taken], faction=loan.faction, taken=rest - left,
             written_off=left)
    if taken:
        war.tell("loan.goods", [loan.faction], faction=loan.faction, goods=[one.ident for one in taken])


def confiscate(war: War, faction: Faction, owed: int, first: tuple[str, ...]) -> tuple[int, list[Fleet | Army | Node]]:
    """Take goods of equal value: first those that the faction has named, then in the rulebook page's order (a) to (e).

    Returns the ducats that remain unpaid (they are written off) and what was taken.
    """
    code, price = faction.faction, war.rules.cost_fleet
    taken: list[Fleet | Army | Node] = []

    def take(one: Fleet | Army | Node) -> None:
        nonlocal owed
        if owed > 0 and one.ident in war.campaign.by_sheet(one.sheet):  # an army aboard goes with its fleet
            owed = max(0, owed - _take(war, one, owed))
            taken.append(one)

    named = {one.ident: one for one in seizable_goods(war, code)}
    for ident in first:
        if ident in named:
            take(named[ident])
    for fleet in [f for f in war.fleets if f.faction == code and not f.cargo]:
        if owed >= price:
            take(fleet)
    for one in sorted(seizable_goods(war, code), key=_seizure_key):
        take(one)
    return owed, taken


def _seizure_key(one: Fleet | Army | Node) -> tuple[object, ...]:
    """Sort key: armies, the largest first; fleets; walls, those of fortresses last."""
    if isinstance(one, Army):
        return 0, -one.value, natural(one.army)
    return (1, 0, natural(one.fleet)) if isinstance(one, Fleet) else (2, one.site == "fortress", natural(one.node))


def _take(war: War, one: Fleet | Army | Node, owed: int) -> int:
    """Take a fleet, as much of an army as is owed, or a place's walls. Returns the ducats that it counts for.

    The loss is public: everybody sees what is gone.
    """
    if isinstance(one, Fleet):
        war.lose_fleet(one, "confiscated", "2a", cargo_why="fleet confiscated")
        return war.rules.cost_fleet
    if isinstance(one, Army):
        worth = min(owed, one.value)
        war.wear(one, worth, "confiscated", "2a")
        return worth
    one.walls = "none"
    war.tell("walls.confiscated", ALL, touch=[one], node=one.node)
    return war.rules.cost_fortify


# Income: works, disasters, taxes, upkeep, repayment of loans (2, 2a table 29, 4 table 36).


EPIDEMIC, FAMINE, POOR, GOOD, INDULGENCE, DISASTER = range(1, 7)
FAMINE_TAX = 20  # "Collected 20 Ducati from the city", English table 36 row 2


def income(war: War) -> None:
    """The takings of the year (2a): the six steps of rulebook: 2a Income."""
    wishes = debtors_choices(war)
    finish_works(war, by_year=war.year)
    disasters(war)
    if war.rules.first_spring_taxes == "yes" or not first_spring(war):
        taxes(war)
    upkeep(war)
    for loan in due_loans(war):
        collect(war, loan, wishes.get(loan.faction, ()))


def first_spring(war: War) -> bool:
    """Whether this is the spring in which the campaign begins."""
    said = war.desk.first_spring
    return said == "yes" if said else war.year == war.desk.start_year


def finish_works(war: War, by_year: int) -> None:
    """Finish the works that are due: walls stand only if the builder still holds the place (2b, Amendments)."""
    for work in war.works:
        if work.status != "under_way" or work.ready_year > by_year:
            continue
        place = war.nodes[work.node]
        if place.owner == work.faction:
            work.status, place.walls = "done", "intact"
            war.tell("works.done", ALL, touch=[work, place], node=work.node)
        else:
            work.status = "lost"
            war.tell("works.lost", ALL, touch=[work], node=work.node)


def disasters(war: War) -> None:
    """Row 6 of table 36: the walls of the place that was drawn are gone."""
    for faction in war.players():
        if faction.pending_event == DISASTER and faction.pending_node:
            place = war.nodes[faction.pending_node]
            place.walls = "none"
            war.tell("event.disaster", ALL, touch=[place], faction=faction.faction, node=place.node)


def takings(war: War, faction: str, event: int) -> dict[str, int]:
    """Ducats by row of table 29 (city, village, fortress) under an event of table 36 (0: none)."""
    rules = war.rules
    walls_tell = rules.fortress_income == "fortress_city"
    count = Counter("fortress" if walls_tell and place.site == "city" and place.fortified else place.site
                    for place in war.nodes if place.owner == faction and place.land)
    cities = count["city"] * rules.tax_city
    if event == FAMINE:
        cities = {"half": cities // 2, "flat20_each": count["city"] * FAMINE_TAX,
                  "flat20_total": min(1, count["city"]) * FAMINE_TAX}[rules.famine_mode]
    elif event == INDULGENCE:
        cities *= rules.indulgence_factor
    village = {POOR: rules.harvest_poor, GOOD: rules.harvest_good}.get(event, rules.tax_village)
    return {"city": cities, "village": count["village"] * village,
            "fortress": count["fortress"] * rules.tax_fortress}


def taxes(war: War) -> None:
    """Each place under control pays; the event of each faction touches its own takings only."""
    for faction in war.players():
        got = takings(war, faction.faction, faction.pending_event)
        total = sum(got.values())
        if total:
            war.money(faction.faction, "taxes", total, told=False)
            war.tell("income.tax", [faction.faction], faction=faction.faction, cities=got["city"],
                     villages=got["village"], fortresses=got["fortress"], total=total)


def upkeep(war: War) -> None:
    """What an army costs each spring (2 says "maintain" without a price: 0 unless the club sets one)."""
    percent = war.rules.army_upkeep_pct
    if not percent:
        return
    for army in [a for a in war.armies if a.kind == "army" and war.factions[a.faction].role != "neutral"]:
        cost = percent_up(army.value, percent)
        paid = max(0, min(cost, war.factions[army.faction].treasury))
        war.touch(army)
        war.money(army.faction, "upkeep", -paid, army.army, unpaid=cost - paid)
        war.wear(army, cost - paid, "unpaid", "2")


# Budget and recruiting: objectives, loans, specialists, fleets, the auction of the Strategos (2a, 2b).


def spring_orders(war: War) -> None:
    """Objectives, then loans, then everything else in the club's own order (2a, 2b)."""
    requests = take(war)
    for first in (objective, loan):
        carry_all(war, requests, first)
    carry_all(war, requests)
    warn_of_duplicates(war, requests)


# --- objectives and loans -----------------------------------------------------------------------
@order("objective", "obiettivo", when=IN_SPRING, replaces=same("objective"),
       option=ColumnOption(OBJECTIVES, {"alleati_rispettati": "allies_kept", "rispettate": "allies_kept",
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
    set_objective(war, faction, request.option, faction.objective_target)


def set_objective(war: War, faction: Faction, aim: str, target: str) -> None:
    """Record the objective; only the faction itself is told (objectives)."""
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
    """The bank lends up to the cap and wants it back next spring with interest (2a)."""
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
    due = amount + percent_up(amount, war.rules.loan_interest_pct)
    row = war.loans.add(Loan(faction=request.faction, year=war.year, amount=amount, due=due))
    war.money(request.faction, "loan", amount, told=False)
    war.tell("loan.granted", [request.faction], touch=[row], faction=request.faction, amount=amount, due=due)


# --- spending -----------------------------------------------------------------------------------
@order("recruit", "arruola", also=("recluta", "arruolare"), when=IN_SPRING, amount=Amount(), target=Place(),
       unit=soldiers_column(replace(ARMY, or_words={"new": ("nuova", "nuovo")}, blank=True, late=True)),
       cost=Cost(times="amount"), twins=True, help="Pay men into an army at an own city; unit: which army, or new.")
def recruit(war: War, request: Request, amount: int, place: Node) -> None:
    """Ducats become men in a city that one controls (2b)."""
    if not _own_city(place, request.faction):
        cities = [n.node for n in war.nodes if _own_city(n, request.faction)]
        raise Refused("GIG-024", "target", node=place.node, list=" ".join(cities) or "-")
    if war.enemies_in_field(place.node, request.faction):
        raise Refused("GIG-025", "target", node=place.node)
    army = _receiving_army(war, request, place)
    if army is None:
        orders.check_can_raise_army(war, request.faction)
    afford(war, request)
    if amount < war.rules.company_min:
        request.find(war, "GIG-028", "amount", amount=amount, min=war.rules.company_min)
    orders.advise_points_over_core(war, request, army)
    war.money(request.faction, "recruit", -amount, place.node)
    if army is None:
        army = war.armies.add(Army(army=war.next_army(request.faction), faction=request.faction, node=place.node))
    army.value += amount
    war.tell("army.recruited", [request.faction], touch=[army], army=army.army, amount=amount, node=place.node)


def _own_city(place: Node, faction: str) -> bool:
    return place.owner == faction and place.site == "city"


def _receiving_army(war: War, request: Request, place: Node) -> Army | None:
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


HIREABLE = {**SPECIALISTS, "diplomat": "diplomatico"}
"""Who may be hired, and be an assassin's victim: code -> Italian."""
HIREABLE_ALSO = {"ambasciatore": "diplomat", "envoy": "diplomat"}


@order("enlist", "ingaggia", also=("hire",), when=IN_SPRING, option=ColumnOption(HIREABLE, HIREABLE_ALSO, opens=True),
       target=Code((Army, Node), blank=True), cost=Cost("cost_{option}"), twins=True,
       help="Hire a sapper, diplomat, spy or assassin; target: the post.")
def enlist(war: War, request: Request) -> None:
    """A specialist of table 33: sapper, diplomat, spy, assassin."""
    kind, code = request.option, request.faction
    if kind not in HIREABLE:
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


@order("fleet", "flotta", when=IN_SPRING, target=Place(), cost=Cost("cost_fleet"),
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
    launch_fleet(war, code, place.node)


def launch_fleet(war: War, faction: str, node: str) -> Fleet:
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
    war.plan.set_aside[request.faction] = amount  # not booked yet: losing bids usually cost nothing


def auction(war: War) -> None:
    """The highest bidder orders the marches of the summer (table 33); dice decide ties."""
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


# Questions for which no phase waits: secret objectives, what the bank takes first (objectives, 2a).
#
# See rulebook: Objectives, Loans and confiscation.


NO_OBJECTIVE = "no_objective"
INCOME = "income"


def objective_invitations(war: War) -> list[Invitation]:
    """Clubs without an objective may choose in the first spring; afterwards the referee may rule one (objectives)."""
    open_to_clubs = first_spring(war) and war.game.phase in (INCOME, SPRING)
    return [_objective_invitation(war, faction, open_to_clubs) for faction in war.players()
            if not faction.objective and faction.role != "robot"]


def _objective_invitation(war: War, faction: Faction, open_to_clubs: bool) -> Invitation:
    code = faction.faction
    aims = [aim for aim in OBJECTIVES if aim != "conquer" and (aim, war.rules.objectives_edition) != ("capitals", "EN")]
    aims += [f"conquer:{other.faction}" for other in war.players() if other is not faction]
    ask = Ask("secret_objective", code if open_to_clubs else REFEREE, "" if open_to_clubs else code,
              (*aims, NO_OBJECTIVE), NO_OBJECTIVE, {"faction": code},
              answer=Option(reader=partial(_conquest_option, aims)))
    return Invitation(ask, (war.game.turn, SPRING), partial(_set_answered_objective, code), quiet=not open_to_clubs)


def confiscation_invitations(war: War) -> list[Invitation]:
    """Debtors whose chest and takings will not suffice may say what the bank takes first (2a)."""
    open_now = war.game.phase == INCOME
    return [Invitation(ask, (war.game.turn, INCOME)) for ask in (confiscation_asks(war) if open_now else ())
            if ask.options and war.factions[ask.to].role != "robot" and _expected_funds(war, ask.to) < ask.asked["due"]]


def _expected_funds(war: War, code: str) -> int:
    """What the chest is expected to hold when the bank comes."""
    faction = war.factions[code]
    return faction.treasury + sum(takings(war, code, faction.pending_event).values())


def _conquest_option(aims: list[str], text: str) -> str:
    """Read ``conquer F`` as the option ``conquer:F``; "" if it is none of the aims."""
    word, _, code = text.partition(" ")
    wanted = f"conquer:{code.strip()}" if word.casefold() in ("conquer", "territory", "territorio") else ""
    return next((aim for aim in aims if aim.casefold() == wanted.casefold()), "")


def _set_answered_objective(code: str, game: Game, answer: str) -> None:
    """Set the objective that was answered, unless the answer is to have none."""
    if answer != NO_OBJECTIVE:
        war = War(game)
        aim, _, target = answer.partition(":")
        set_objective(war, war.factions[code], aim, target)


# Alliances (alliances). Treaties are secret: only the two parties and the referee know them.


PASSAGE = ColumnOption({"passage": "passo", "no_passage": "senza_passo"}, {
    "passaggio": "passage", "con_passo": "passage", "with_passage": "passage", "no_passo": "no_passage",
    "senza_passaggio": "no_passage", "without_passage": "no_passage"}, blank=True)


@dataclass(frozen=True, kw_only=True)
class LastYear(Amount):
    """The last year of a treaty; GIG-007 words it as a year, not as ducats."""

    def ahead(self, board: HasGame, request: Request, name: str) -> None:
        """Judge the year at once: nothing that happens until then can change it."""
        self._meant(board, request, name)

    def _meant(self, board: HasGame, request: Request, name: str) -> int | None:
        try:
            return super()._meant(board, request, name)
        except Refused:
            raise Refused("GIG-007", name, amount=getattr(request, name), what="year") from None


@order("ally", "allea", also=("alleati", "alleanza", "treaty"), when=IN_BOTH, partner=Partner(), option=PASSAGE,
       amount=LastYear(blank=True, late=True), note=Note(), replaces=same("ally", "partner"),
       help="Offer a treaty: passage or no_passage, last year, terms in the note.")
def ally(war: War, request: Request, other: Faction) -> None:
    """Offer a treaty: it is made if the partner has sent the same offer or says yes (GIG-096, 091)."""
    partner = other.faction
    forbidden = {frozenset(pair.upper().split("-")) for pair in str(war.rules.ally_forbidden).split()}
    if war.rules.ally_matrix == "listed" and frozenset((request.faction, partner)) in forbidden:
        raise Refused("GIG-096", "partner", a=request.faction, b=partner)
    if war.treaty(request.faction, partner) is not None:
        raise Refused("GIG-091", "partner", partner=partner)
    judged(war, request, "option")
    until = judged(war, request, "amount")
    war.plan.offers.append(TreatyOffer(request, request.faction, partner, request.option or "no_passage", until))


@order("dissolve", "sciogli", when=IN_BOTH, partner=Partner(), help="End a treaty at once.")
def dissolve(war: War, request: Request, other: Faction) -> None:
    """End a treaty, and its passage with it (GIG-092)."""
    partner = other.faction
    row = war.treaty(request.faction, partner)
    if row is None:
        raise Refused("GIG-092", "partner", partner=partner)
    row.status, row.dissolved_by, row.dissolved_year = "dissolved", request.faction, war.year
    war.tell("alliance.dissolved", [request.faction, partner], touch=[row], a=row.a, b=row.b, by=request.faction)


def conclude_treaties(war: War) -> None:
    """Make a treaty of two equal offers; of every other offer ask the partner (rulebook: Alliances).

    If two offers cross on different terms, the second is asked about only if the first was refused.
    """
    offers = {(o.by, o.to): o for o in sorted(war.plan.offers, key=lambda o: natural(o.by))}
    alone: dict[tuple[str, str], TreatyOffer] = {}
    for (by, to), one in offers.items():
        twin = offers.get((to, by))
        if twin is None or (twin.passage, twin.until) != (one.passage, one.until):
            alone[by, to] = one
        elif natural(by) < natural(to):
            _make_treaty(war, one)
    for one in alone.values():
        one.request.find(war, "GIG-090", "partner", partner=one.to)
    first: dict[tuple[str, str], TreatyOffer] = {}
    for pair, one in alone.items():
        if pair[::-1] not in first:
            first[pair] = one
    answers = dict(zip(first, _ask_partners(war, first.values()), strict=True))
    later = {pair: one for pair, one in alone.items() if answers.get(pair[::-1]) == "refuse"}
    answers.update(zip(later, _ask_partners(war, later.values()), strict=True))
    for pair, one in alone.items():
        if answers.get(pair) == "accept":
            _make_treaty(war, one)
        elif pair in answers:
            war.tell("alliance.refused", [one.by, one.to], a=one.by, b=one.to)


def _ask_partners(war: War, offers: Iterable[TreatyOffer]) -> list[str]:
    return war.game.choose_all([
        Ask("ally_confirm", o.to, o.by, ("accept", "refuse"), "refuse",
            {"f": o.by, "y": o.until or "-", "passage": o.passage, "terms": o.request.note},
            terms=("y", "passage", "terms")) for o in offers])


def _make_treaty(war: War, one: TreatyOffer) -> None:
    a, b = sorted((one.by, one.to), key=natural)
    row = war.alliances.add(Alliance(a=a, b=b, since=war.year, until=one.until, passage=one.passage == "passage",
                                     terms=one.request.note))
    war.tell("alliance.made", [one.by, one.to], touch=[row], a=one.by, b=one.to, until=one.until, passage=one.passage)


def mark_suspect(war: War, actor: str, partner: str, what: str) -> None:
    """Note an act against a partner: the first one makes the actor suspect and ends passage (rulebook: Alliances).

    One act breaks one treaty: the active one, else the last that the actor dissolved this year.
    """
    theirs = [row for row in war.alliances if row.joins(actor, partner)]
    broken = [row for row in theirs if row.status == "active"] or [
        row for row in theirs
        if row.status == "dissolved" and row.dissolved_by == actor and row.dissolved_year == war.year]
    if not broken or broken[-1].suspect:
        return
    row = broken[-1]
    row.suspect, row.suspect_act = actor, what
    war.tell("alliance.suspect", REFEREE, touch=[row], a=row.a, b=row.b, by=actor, what=what)


def _treaty_labels(suspected: list[Alliance]) -> list[str]:
    """Label each treaty ``M/V/M``; a second one of the same pair and suspect is ``M/V/M/2``."""
    names = ["/".join([*sorted((row.a, row.b), key=natural), row.suspect]) for row in suspected]
    counts = [names[:i + 1].count(name) for i, name in enumerate(names)]
    return [name if n == 1 else f"{name}/{n}" for name, n in zip(names, counts, strict=True)]


def judge_treaties(war: War) -> None:
    """In winter the referee rules for each suspect whether the treaty was betrayed (rulebook: Alliances)."""
    suspected = [row for row in war.alliances if row.suspect and row.status in ("active", "dissolved")]
    asks = [Ask("betrayal", REFEREE, about, ("yes", "no"), "yes",
                {"suspect": r.suspect, "what": r.suspect_act or "attack",
                 "other": r.b if r.suspect == r.a else r.a})
            for r, about in zip(suspected, _treaty_labels(suspected), strict=True)]
    for row, word in zip(suspected, war.game.choose_all(asks), strict=True):
        if word == "yes":
            row.status, row.betrayed_by = "betrayed", row.suspect
            war.tell("alliance.betrayed", [row.a, row.b], touch=[row], a=row.a, b=row.b, by=row.suspect)
        else:
            by = row.suspect
            row.suspect = row.suspect_act = ""
            war.tell("alliance.cleared", REFEREE, touch=[row], a=row.a, b=row.b, by=by)
    for row in war.alliances:
        if row.status == "active" and row.until is not None and row.until <= war.year:
            row.status = "honoured"
            war.tell("alliance.honoured", [row.a, row.b], touch=[row], a=row.a, b=row.b)
