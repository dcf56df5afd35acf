"""Spring: taxes and other income, the bank, the order of the spring's rows (2, 2a, table 29)."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.giglio import both, fleets, recruiting, winter
from assistant.rulesets.giglio.objectives import objective
from assistant.rulesets.giglio.orders import IN_SPRING, INCOME
from assistant.rulesets.giglio.records import ASSUMED, DUCATS, Army, Faction, Fleet, Loan, Node
from assistant.rulesets.giglio.war import WRONG, War, first_spring, percent_up, table_citation
from assistant.rulesets.giglio.winter import FAMINE, FAMINE_TAX, GOOD, INDULGENCE, POOR, disasters
from assistant.turn.answers import Invitation
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.event_types import EACH_TIME
from assistant.turn.orders.columns import Amount
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import carry_all, take, warn_of_duplicates
from assistant.turn.orders.verbs import order, same
from assistant.turn.questions import Ask, Codes

# What the chapters declare.


class Numbers(Rules):
    """Table 29, the bank, and what an army costs."""

    army_upkeep_pct: int = number(0, both("% of the value", "% del valore"),
                                  both("Each army costs {n}% of its value every spring; 25 is the usual option.",
                                       "A primavera ogni armata costa una parte del suo valore: {n}%; quella usuale "
                                       "è 25%."),
                                  ASSUMED, source="2", usual=True)
    tax_village: int = number(10, DUCATS,
                              both("Each village pays {n} {n?ducat|ducats} every spring.",
                                   "Ogni villaggio paga {n} {n?ducato|ducati} a primavera."), source="2a t29")
    tax_fortress: int = number(20, DUCATS,
                               both("Each fortress pays {n} {n?ducat|ducats} every spring.",
                                    "Ogni fortezza paga {n} {n?ducato|ducati} a primavera."), source="2a t29")
    tax_city: int = number(40, DUCATS,
                           both("Each city pays {n} {n?ducat|ducats} every spring.",
                                "Ogni città paga {n} {n?ducato|ducati} a primavera."), source="2a t29")
    loan_pct: int = number(50, both("% of the city taxes", "% delle tasse delle città"),
                           both("The bank lends up to {n}% of the taxes of the cities.",
                                "La banca presta fino al {n}% delle tasse delle città."))
    loan_interest_pct: int = number(25, both("% of the loan", "% del prestito"),
                                    both("A loan costs {n}% interest, due with it next spring, rounded up.",
                                         "Un prestito costa il {n}% di interessi, da rendere con esso a primavera, "
                                         "per eccesso."))
    fortress_income: Literal["fortress", "fortress_city"] = switch(
        both("As a fortress {option}.", "Come fortezza {option}."),
        both("only fortresses pay", "pagano solo le fortezze"),
        both("cities with intact walls pay, too", "pagano anche le città con mura integre"), source="2a t29")
    loan_base: Literal["cities_before", "cities_after", "all"] = switch(
        both("A loan is measured on {option}.", "Il prestito si misura {option}."),
        both("the city taxes before events", "sulle tasse delle città prima degli eventi"),
        both("the city taxes after events", "sulle tasse delle città dopo gli eventi"),
        both("the taxes of all places", "sulle tasse di tutti i luoghi"))
    loan_amount: Literal["up_to", "exactly"] = switch(
        both("The bank lends {option}.", "La banca presta {option}."),
        both("any sum up to the ceiling", "qualunque somma fino al massimo"),
        both("the whole ceiling or nothing", "tutto il massimo o niente"), usual=True)
    confiscate_no_loan: Literal["yes", "no"] = switch(
        both("Who was confiscated this spring {option}.", "Chi ha subìto una confisca in primavera {option}."),
        both("is refused a loan", "non ottiene prestiti"), both("may take a loan", "può chiedere un prestito"))
    first_spring_taxes: Literal["yes", "no"] = switch(both("In the first spring {option}.",
                                                           "Nella prima primavera {option}."),
                                                      both("taxes are taken, too", "le tasse si riscuotono già"),
                                                      both("no taxes are taken", "le tasse non si riscuotono"),
                                                      usual=True)


BOOK_ORDER = "book_order"

EVENTS = (
    EventType("income.tax",
              both("Taxes {total}: cities {cities}, villages {villages}, fortresses {fortresses}.",
                   "Tasse {total}: città {cities}, villaggi {villages}, fortezze {fortresses}."), "money", 2, "2a t29",
              to="faction"),
    EventType("loan.granted",
              both("The bank lends {amount} {amount?ducat|ducats}; {due} {due?falls|fall} due next spring.",
                   "La banca presta {amount} {amount?ducato|ducati}: {due} da rendere in primavera."),
              "money", 3, to="faction"),
    EventType("loan.repaid", both("{amount} {amount?ducat|ducats} repaid to the bank.",
                                  "{amount?Restituito|Restituiti} alla banca {amount} {amount?ducato|ducati}."),
              "money", 3,
              to="faction"),
    EventType("loan.confiscated",
              both("Taken for the debt: {taken}. Written off: {written_off}.",
                   "Confiscati per il debito: {taken}. Condonati: {written_off}."), "money", 1,
              variants=("written_off",
                        {"0": both("Taken for the debt: {taken}.", "Confiscati per il debito: {taken}.")}),
              to="faction"),
    EventType("loan.goods", both("The bank takes of your goods: {goods}.", "La banca prende dei tuoi beni: {goods}."),
              "money", 2, to="faction"),
    EventType("walls.confiscated",
              both("The bank has the fortifications of {node:the} torn down.",
                   "La banca fa abbattere le fortificazioni: {node}."), "works", 1, to=ALL),
)

FINDINGS = (
    Message("GIG-021", "error",
            both("{amount} is more than half of your city taxes ({cap}). Ask for {cap} or less.",
                 "{amount} supera metà delle tasse delle città ({cap}). Chiedi al massimo {cap}.")),
    Message("GIG-022", "error",
            both("No loan for you this spring: you have an open loan. Delete the row.",
                 "Nessun prestito per te questa primavera: ne hai uno aperto. Cancella la riga."),
            variants=("reason",
                      {"this_year": both("No loan for you this spring: you have one of this year. Delete the row.",
                                         "Nessun prestito per te questa primavera: ne hai già uno di quest'anno. "
                                         "Cancella la riga."),
                       "confiscated": both("No loan for you this spring: the bank has confiscated what you owed. "
                                           "Delete the row.",
                                           "Nessun prestito per te questa primavera: la banca ha confiscato ciò "
                                           "che dovevi. Cancella la riga.")})),
)

QUESTIONS = (
    QuestionType("confiscation",
                 both("{faction:the} {faction?owes|owe} the bank {due} {due?ducat|ducats} and cannot pay. What does "
                      "the bank seize first? Of an army it takes what is owed, a fleet or walls it takes whole.",
                      "{faction:il} {faction?deve|devono} alla banca {due} {due?ducato|ducati} e non "
                      "{faction?può|possono} pagare. Che cosa prende per primo la banca? Di un'armata prende il "
                      "dovuto, una flotta o delle mura le prende per intero."),
                 answer=Codes(instead=("book_order",)), wrong=WRONG),
)

both.words({
    "book_order": "nell'ordine del libro", "confiscation": "confisca", "taxes": "tasse", "upkeep": "mantenimento",
    "repayment": "rimborso alla banca", "loan_repaid": "restituzione del prestito",
    "one loan is open already": "un prestito è già aperto",
    "goods were confiscated this spring": "in questa primavera ti sono stati confiscati beni",
    "confiscated": "confiscata", "fleet confiscated": "flotta confiscata", "unpaid": "non pagata",
})

SPRING_CHAPTER = Chapter(both("2 Spring", "2 Primavera"), (Citation("2", "2"),), events=(
    EventType("money.moved", both("{item} {amount}; now {balance} {balance?ducat|ducats} in the chest.",
                                  "{item} {amount}; ora in cassa {balance} {balance?ducato|ducati}."), "money", 6,
              to=EACH_TIME),))
CHAPTER = Chapter(both("2a Income", "2a Calcolo degli introiti"), (Citation("2a", "2a"), table_citation(29, "taxes")),
                  Numbers, EVENTS, FINDINGS, QUESTIONS)


# Income: works, disasters, taxes, upkeep, repayment of loans (2, 2a table 29, 4 table 36).


def income(war: War) -> None:
    """The takings of the year (2a): the six steps of rulebook: 2a Income."""
    wishes = debtors_choices(war)
    recruiting.finish_works(war, by_year=war.year)
    disasters(war)
    if Numbers.of(war).first_spring_taxes == "yes" or not first_spring(war):
        taxes(war)
    upkeep(war)
    for loan in due_loans(war):
        collect(war, loan, wishes.get(loan.faction, ()))


def takings(war: War, faction: str, event: int) -> dict[str, int]:
    """Ducats by row of table 29 (city, village, fortress) under an event of table 36 (0: none)."""
    rules, table_36 = Numbers.of(war), winter.Numbers.of(war)
    walls_tell = rules.fortress_income == "fortress_city"
    count = Counter("fortress" if walls_tell and place.counts_as == "city" and place.fortified else place.counts_as
                    for place in war.nodes if place.owner == faction and place.land)
    cities = count["city"] * rules.tax_city
    if event == FAMINE:
        cities = {"half": cities // 2, "flat20_each": count["city"] * FAMINE_TAX,
                  "flat20_total": min(1, count["city"]) * FAMINE_TAX}[table_36.famine_mode]
    elif event == INDULGENCE:
        cities *= table_36.indulgence_factor
    village = {POOR: table_36.harvest_poor, GOOD: table_36.harvest_good}.get(event, rules.tax_village)
    return {"city": cities, "village": count["village"] * village,
            "fortress": count["fortress"] * rules.tax_fortress}


def taxes(war: War) -> None:
    """Each place under control pays; the event of each faction touches its own takings only."""
    for faction in war.players():
        got = takings(war, faction.faction, faction.pending_event)
        total = sum(got.values())
        if total:
            war.money(faction.faction, "taxes", total, told=False)
            war.tell("income.tax", faction=faction.faction, cities=got["city"], villages=got["village"],
                     fortresses=got["fortress"], total=total)


def upkeep(war: War) -> None:
    """What an army costs each spring (2 says "maintain" without a price: 0 unless the club sets one)."""
    percent = Numbers.of(war).army_upkeep_pct
    if not percent:
        return
    for army in [a for a in war.armies if a.is_army and war.factions[a.faction].role != "neutral"]:
        cost = percent_up(army.value, percent)
        paid = max(0, min(cost, war.factions[army.faction].treasury))
        army.value -= min(cost - paid, army.value)
        war.money(army.faction, "upkeep", -paid, army.army, unpaid=cost - paid)
        war.lose_if_empty(army, "unpaid", "2")


# The bank: loans that fall due, confiscation (2a).


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
    return [Ask("confiscation", code, "", tuple(seized.ident for seized in seizable_goods(war, code)), BOOK_ORDER,
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
        war.tell("loan.repaid", faction=loan.faction, amount=paid)
        return
    if paid:
        war.money(loan.faction, "repayment", -paid, str(loan.year))
    left, taken = confiscate(war, faction, rest, first)
    loan.status, loan.confiscated_year = "confiscated", war.year
    war.tell("loan.confiscated", faction=loan.faction, taken=rest - left, written_off=left)
    if taken:
        war.tell("loan.goods", faction=loan.faction, goods=[seized.ident for seized in taken])


def confiscate(war: War, faction: Faction, owed: int, first: tuple[str, ...]) -> tuple[int, list[Fleet | Army | Node]]:
    """Take goods of equal value: first those that the faction has named, then in the rulebook page's order (a) to (e).

    Returns the ducats that remain unpaid (they are written off) and what was taken.
    """
    code, price = faction.faction, fleets.Numbers.of(war).cost_fleet
    taken: list[Fleet | Army | Node] = []

    def take(seized: Fleet | Army | Node) -> None:
        nonlocal owed
        if owed > 0 and seized.ident in war.campaign.by_sheet(seized.sheet):  # an army aboard goes with its fleet
            owed = max(0, owed - _take(war, seized, owed))
            taken.append(seized)

    named = {seized.ident: seized for seized in seizable_goods(war, code)}
    for ident in first:
        if ident in named:
            take(named[ident])
    for fleet in [f for f in war.fleets if f.faction == code and not war.loads(f)]:
        if owed >= price:
            take(fleet)
    for seized in sorted(seizable_goods(war, code), key=_seizure_key):
        take(seized)
    return owed, taken


def _seizure_key(seized: Fleet | Army | Node) -> tuple[object, ...]:
    """Sort key: armies, the largest first; fleets; walls, those of fortresses last."""
    if isinstance(seized, Army):
        return 0, -seized.value, natural(seized.army)
    return (1, 0, natural(seized.fleet)) if isinstance(seized, Fleet) else (2, seized.counts_as == "fortress",
                                                                            natural(seized.node))


def _take(war: War, seized: Fleet | Army | Node, owed: int) -> int:
    """Take a fleet, as much of an army as is owed, or a place's walls. Returns the ducats that it counts for.

    The loss is public: everybody sees what is gone.
    """
    if isinstance(seized, Fleet):
        war.lose_fleet(seized, "confiscated", "2a", cargo_why="fleet confiscated")
        return fleets.Numbers.of(war).cost_fleet
    if isinstance(seized, Army):
        worth = min(owed, seized.value)
        seized.value -= worth
        war.lose_if_empty(seized, "confiscated", "2a")
        return worth
    seized.walls = "none"
    war.tell("walls.confiscated", node=seized.node)
    return recruiting.Numbers.of(war).cost_fortify


# The order of the spring's rows; loans (2a).


def spring_orders(war: War) -> None:
    """Objectives, then loans, then everything else in the club's own order (2a, 2b)."""
    requests = take(war)
    for first in (objective, loan):
        carry_all(war, requests, first)
    carry_all(war, requests)
    warn_of_duplicates(war, requests)


def loan_cap(war: War, faction: str) -> int:
    """Half of what the cities pay (2a), rounded down (switch loan_base)."""
    event = war.factions[faction].pending_event if Numbers.of(war).loan_base == "cities_after" else 0
    got = takings(war, faction, event)
    base = sum(got.values()) if Numbers.of(war).loan_base == "all" else got["city"]
    return base * Numbers.of(war).loan_pct // 100


@order("loan", "prestito", also=("borrow",), when=IN_SPRING, amount=Amount(), replaces=same("loan"),
       help=both("Borrow from the bank, up to half of the city taxes.",
                 "Chiedi un prestito alla banca, fino a metà delle tasse delle città."))
def loan(war: War, request: Request, amount: int) -> None:
    """The bank lends up to the cap and wants it back next spring with interest (2a)."""
    for row in war.loans:
        if row.faction != request.faction:
            continue
        if row.year == war.year:
            raise Refused("GIG-022", "verb", reason="this_year")
        if row.status == "open":
            raise Refused("GIG-022", "verb", reason="open")
        if row.confiscated_year == war.year and Numbers.of(war).confiscate_no_loan == "yes":
            raise Refused("GIG-022", "verb", reason="confiscated")
    cap = loan_cap(war, request.faction)
    if amount > cap or (Numbers.of(war).loan_amount == "exactly" and amount != cap):
        raise Refused("GIG-021", "amount", amount=amount, cap=cap)
    due = amount + percent_up(amount, Numbers.of(war).loan_interest_pct)
    row = war.loans.add(Loan(faction=request.faction, year=war.year, amount=amount, due=due))
    war.money(request.faction, "loan", amount, told=False)
    war.tell("loan.granted", faction=request.faction, amount=amount, due=due)


# A question for which no phase waits: what the bank takes first (2a).
#
# See rulebook: Loans and confiscation.


def confiscation_invitations(war: War) -> list[Invitation]:
    """Debtors whose chest and takings will not suffice may say what the bank takes first (2a)."""
    open_now = war.game.phase == INCOME
    return [Invitation(ask, (war.game.turn, INCOME)) for ask in (confiscation_asks(war) if open_now else ())
            if ask.options and war.factions[ask.to].role != "robot" and _expected_funds(war, ask.to) < ask.asked["due"]]


def _expected_funds(war: War, code: str) -> int:
    """What the chest is expected to hold when the bank comes."""
    faction = war.factions[code]
    return faction.treasury + sum(takings(war, code, faction.pending_event).values())
