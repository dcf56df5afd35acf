"""What the seasons bring: income and the bank in spring, epidemics in summer, events and the year's end in winter."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from assistant.campaign.records import ALL
from assistant.campaign.tables import natural
from assistant.rulesets.giglio import both, fleets, recruiting
from assistant.rulesets.giglio.alliances import judge_treaties
from assistant.rulesets.giglio.objectives import faction_figures, objective
from assistant.rulesets.giglio.records import (
    ASSUMED,
    DUCATS,
    ENGLISH,
    ROLLS,
    Army,
    Faction,
    Fleet,
    Loan,
    Node,
    by_edition,
)
from assistant.rulesets.giglio.recruiting import set_move_order
from assistant.rulesets.giglio.sieges import end_siege
from assistant.rulesets.giglio.war import IN_SPRING, INCOME, WRONG, Ducats, War, percent_up, table_citation
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import PUBLIC, Roll
from assistant.turn.event_types import EACH_TIME
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.taking import carry_all, take, warn_of_duplicates
from assistant.turn.orders.verbs import order, same
from assistant.turn.questions import Ask, Codes, Invitation, Parts, Told
from assistant.turn.rulings import draw_one

# Spring: taxes and other income, the bank, the order of the spring's rows (2, 2a, table 29).


# What the chapters declare.


class IncomeNumbers(Rules):
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

INCOME_EVENTS = (
    EventType("income.tax",
              both("Taxes {total}: cities {cities}, villages {villages}, fortresses {fortresses}.",
                   "Tasse {total}: città {cities}, villaggi {villages}, fortezze {fortresses}."), "money", 2, "2a t29",
              to="faction"),
    EventType("loan.granted",
              both("The bank lends {amount} {amount?ducat|ducats}; {due} {due?falls|fall} due next spring. In the "
                   "chest now: {balance}.",
                   "La banca presta {amount} {amount?ducato|ducati}: {due} da rendere in primavera. Ora in cassa: "
                   "{balance}."),
              "money", 3, to="faction", blank="balance"),
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

INCOME_FINDINGS = (
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

INCOME_QUESTIONS = (
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
INCOME_CHAPTER = Chapter(
    both("2a Income", "2a Calcolo degli introiti"), (Citation("2a", "2a"), table_citation(29, "taxes")),
    IncomeNumbers, INCOME_EVENTS, INCOME_FINDINGS, INCOME_QUESTIONS)


# Income: works, disasters, taxes, upkeep, repayment of loans (2, 2a table 29, 4 table 36).


def income(war: War) -> None:
    """The takings of the year (2a): the six steps of rulebook: 2a Income."""
    wishes = debtors_choices(war)
    recruiting.finish_works(war, by_year=war.year)
    disasters(war)
    if IncomeNumbers.of(war).first_spring_taxes == "yes" or not war.first_spring():
        taxes(war)
    upkeep(war)
    for loan in due_loans(war):
        collect(war, loan, wishes.get(loan.faction, ()))


def takings(war: War, faction: str, event: int) -> dict[str, int]:
    """Ducats by row of table 29 (city, village, fortress) under an event of table 36 (0: none)."""
    rules, table_36 = IncomeNumbers.of(war), WinterNumbers.of(war)
    # "Fortress City 20" in the English table 29
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
    percent = IncomeNumbers.of(war).army_upkeep_pct
    if not percent:
        return
    for army in [a for a in war.armies if a.is_army and war.factions[a.faction].role != "neutral"]:
        cost = percent_up(army.value, percent)
        paid = max(0, min(cost, war.factions[army.faction].treasury))
        # what the chest cannot pay comes off the army
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
    return {ask.to: war.game.early_answer(ask) or () for ask in confiscation_asks(war)}


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
    # only while a whole fleet is owed: the book asks for goods of equal value (2a)
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
    event = war.factions[faction].pending_event if IncomeNumbers.of(war).loan_base == "cities_after" else 0
    got = takings(war, faction, event)
    base = sum(got.values()) if IncomeNumbers.of(war).loan_base == "all" else got["city"]
    return base * IncomeNumbers.of(war).loan_pct // 100


@order("loan", "prestito", also=("borrow",), when=IN_SPRING, amount=Ducats(), replaces=same("loan"), brings="amount",
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
        if row.confiscated_year == war.year and IncomeNumbers.of(war).confiscate_no_loan == "yes":
            raise Refused("GIG-022", "verb", reason="confiscated")
    cap = loan_cap(war, request.faction)
    if amount > cap or (IncomeNumbers.of(war).loan_amount == "exactly" and amount != cap):
        raise Refused("GIG-021", "amount", amount=amount, cap=cap)
    due = amount + percent_up(amount, IncomeNumbers.of(war).loan_interest_pct)
    row = war.loans.add(Loan(faction=request.faction, year=war.year, amount=amount, due=due))
    war.money(request.faction, "loan", amount, told=False)
    war.tell("loan.granted", faction=request.faction, amount=amount, due=due,
             balance=war.factions[request.faction].treasury)


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


# The opening of summer: the order of movement, and epidemics (3a).


# What the chapter declares.


class EpidemicNumbers(Rules):
    """Whom an epidemic kills."""

    epidemic_kill: Literal["roll46", "all", "off"] = switch(
        both("An epidemic kills {option}.", "Un'epidemia uccide {option}."),
        both("each company on its die", "ogni compagnia secondo il suo dado"),
        both("all troops in the place", "tutte le truppe del luogo"), both("nobody", "nessuno"),
        by_edition=by_edition(ENGLISH, "all", "roll46"), usual=True)
    epidemic_from: int = number(4, both("1d6, this or more", "1d6, questo o più"),
                                both("A company dies of the epidemic on {n} or more.",
                                     "Una compagnia muore nell'epidemia con {n} o più."))
    epidemic_block: int = number(40, DUCATS,
                                 both("Without a club's list a company in an epidemic is worth {n} {n?ducat|ducats}.",
                                      "Senza un elenco del circolo una compagnia nell'epidemia vale {n} "
                                      "{n?ducato|ducati}."), ASSUMED, 1, source="parent")


BLOCKS = ("blocks", "blocchi")
"""Words that leave the question to its default."""
_COMPANIES = Told("GIG-107", {"sum": "sum", "unit": "army", "value": "value"})

EPIDEMIC_EVENTS = (
    EventType("epidemic.drawn",
              both("An epidemic breaks out {node:at} ({faction}).", "Scoppia un'epidemia {node:dove} ({faction})."),
              "news", 2, to=ALL),
    EventType("epidemic.struck", both("An epidemic {node:at}.", "Epidemia {node:dove}."), "news", 1, to=ALL),
    EventType("epidemic.loss", both("{army} loses {lost} {lost?ducat|ducats} to the epidemic.",
                                    "{army} perde {lost} {lost?ducato|ducati} per l'epidemia."),
              "news", 1, to="army"),
    EventType("epidemic.garrison",
              both("The epidemic leaves {node:the} without its garrison.",
                   "L'epidemia lascia {node:il} senza guarnigione."), "news", 2,
              to=lambda war, data: war.garrison_audience(war.nodes[data["node"]].owner)),
)

EPIDEMIC_FINDINGS = (
    Message("GIG-107", "error",
            both("The companies add up to {sum}, {unit} has {value}.", "Le compagnie fanno {sum}, {unit} ha {value}.")),
)

EPIDEMIC_QUESTIONS = (
    QuestionType("companies",
                 both("Epidemic {node:at}: list the companies of {army} ({value}).",
                      "Epidemia {node:dove}: elenca le compagnie {army:di} ({value})."), answer=Parts(instead=BLOCKS),
                 wrong=_COMPANIES),
)

both.words({
    "blocks": "blocchi", "companies": "compagnie", "epidemic": "epidemia",
})

EPIDEMIC_CHAPTER = Chapter(
    both("3a Epidemics", "3a Epidemie"), (Citation("3a", "3a"),), EpidemicNumbers, EPIDEMIC_EVENTS,
    EPIDEMIC_FINDINGS, EPIDEMIC_QUESTIONS)

EPIDEMIC_LOSS = ROLLS.purpose(both("Losses to epidemics", "Perdite per epidemia"), "epidemic:{Armies*}.{n}:{turn}")
EPIDEMIC_GARRISON = ROLLS.purpose("", "epidemic:{Nodes}.garrison:{turn}")


# Summer opens with the order of movement; then the epidemics strike.


def open_summer(war: War) -> None:
    """The order of movement of ten rounds, then the winter's epidemics (rulebook: The Strategos, 3a Epidemics)."""
    if recruiting.Numbers.of(war).order_redraw == "summer":
        set_move_order(war)
    epidemics(war)


def epidemics(war: War) -> None:
    """An epidemic begins with summer in the city that was drawn (3a, t36 row 1)."""
    if EpidemicNumbers.of(war).epidemic_kill == "off":
        return
    struck: list[Node] = []
    for faction in [f for f in war.players() if f.pending_event == EPIDEMIC]:
        if not faction.pending_node and WinterNumbers.of(war).epidemic_draw == "summer":
            place, rolls = draw_lot(war, faction.faction, cities_of(war, faction.faction))
            if place is not None:
                faction.pending_node = place.node
                war.tell("epidemic.drawn", roll=rolls, faction=faction.faction, node=place.node)
        if faction.pending_node:
            struck.append(war.nodes[faction.pending_node])
    victims = [(a, place) for place in struck for a in war.at(place.node) if a.is_army]
    lists = _company_sizes(war, victims) if EpidemicNumbers.of(war).epidemic_kill == "roll46" else {}
    for place in struck:
        war.tell("epidemic.struck", node=place.node)
        for army, where in victims:
            if where is place and army.army in war.armies:
                _sicken(war, army, place, lists.get(army.army))
        _sicken_garrison(war, place)


def _company_sizes(war: War, victims: list[tuple[Army, Node]]) -> dict[str, tuple[int, ...]]:
    asks = [Ask("companies", a.faction, a.army, (), "blocks", {"node": p.node, "army": a.army, "value": a.value},
                answer=Parts(a.value, instead=BLOCKS)) for a, p in victims]
    block = EpidemicNumbers.of(war).epidemic_block  # companies of one size, and a last one of what is left
    return {army.army: sizes or tuple(min(block, army.value - gone) for gone in range(0, army.value, block))
            for (army, _), sizes in zip(victims, war.game.parts_all(asks), strict=True)}


def _sicken(war: War, army: Army, place: Node, companies: tuple[int, ...] | None) -> None:
    """An epidemic strikes an army. `companies`: their ducats, one die each; None: the whole army dies without dice."""
    # without a list of companies everybody dies, and nothing is thrown
    rolls = [war.roll(EPIDEMIC_LOSS(army.army, i, war.year), war.clubs(army.faction))
             for i in range(1, len(companies or ()) + 1)]
    lost = army.value if companies is None else sum(
        size for size, roll in zip(companies, rolls, strict=True)
        if roll.at_least(EpidemicNumbers.of(war).epidemic_from))
    if lost == army.value:
        _spare_sappers(war, army, place)
    army.value -= lost
    war.tell("epidemic.loss", roll=rolls, army=army.army, lost=lost)
    if lost:
        war.lose_if_empty(army, "epidemic", "3a")


def _spare_sappers(war: War, army: Army, place: Node) -> None:
    """Specialists are not troops: they survive in their own place or with another of their armies there, if any."""
    others = [a.army for a in war.soldiers(place.node, army.faction) if a is not army]
    posts = [place.node] if place.owner == army.faction else others
    for man in war.men_at(army.army):
        man.post = next(iter(posts), "")


def _sicken_garrison(war: War, place: Node) -> None:
    if not place.garrison:
        return
    rolls = []
    if EpidemicNumbers.of(war).epidemic_kill == "roll46":
        hidden = war.rules.garrison_public != "yes"  # a public die would reveal that there is a garrison
        rolls = [war.roll(EPIDEMIC_GARRISON(place.node, war.year), war.clubs(place.owner) if hidden else PUBLIC)]
        if not rolls[0].at_least(EpidemicNumbers.of(war).epidemic_from):
            return
    place.garrison = False
    war.tell("epidemic.garrison", roll=rolls, node=place.node)


# Winter: works and contracts end, table 36, the recapitulation of the year (4).


# What the chapter declares.


class WinterNumbers(Rules):
    """When winter brings an event, and what table 36 does to the taxes."""

    event_on: int = number(6, both("1d6", "1d6"),
                           both("A winter event happens on {n} or more.", "Un evento d'inverno accade con {n} o più."))
    event_trigger: Literal["one", "two"] = switch(
        both("Winter brings an event {option}.", "L'inverno porta un evento {option}."),
        both("when one die shows it", "quando un dado lo mostra"),
        both("when two dice show it", "quando due dadi lo mostrano"))
    famine_mode: Literal["half", "flat20_each", "flat20_total"] = switch(
        both("In a famine {option}.", "In una carestia {option}."),
        both("the city taxes are halved", "le tasse delle città si dimezzano"),
        both("each city pays 20 ducats", "ogni città paga 20 ducati"),
        both("all cities together pay 20 ducats", "tutte le città insieme pagano 20 ducati"),
        by_edition=by_edition(ENGLISH, "flat20_each", "half"), source="4 t36")
    harvest_poor: int = number(5, both("ducats a village", "ducati a villaggio"),
                               both("After a poor harvest each village pays {n} {n?ducat|ducats}.",
                                    "Dopo un raccolto scarso ogni villaggio paga {n} {n?ducato|ducati}."),
                               source="4 t36")
    harvest_good: int = number(15, both("ducats a village", "ducati a villaggio"),
                               both("After a good harvest each village pays {n} {n?ducat|ducats}.",
                                    "Dopo un buon raccolto ogni villaggio paga {n} {n?ducato|ducati}."), source="4 t36")
    indulgence_factor: int = number(2, both("times the city tax", "volte la tassa delle città"),
                                    both("A papal indulgence makes the city taxes {n} {n?time|times} as much.",
                                         "Un'indulgenza papale moltiplica per {n} le tasse delle città."),
                                    source="4 t36")
    epidemic_draw: Literal["winter", "summer"] = switch(
        both("The city of an epidemic is drawn {option}.", "La città di un'epidemia si sorteggia {option}."),
        both("in winter", "in inverno"), both("in summer", "in estate"), source="4 t36, 3a")
    winter_sieges: Literal["lifted", "kept"] = switch(
        both("At the end of round 10 sieges {option}.", "Alla fine della fase 10 gli assedi {option}."),
        both("are lifted", "sono tolti"), both("go on", "continuano"))


WINTER_EVENTS = (
    EventType("winter.event",
              both("Winter, {faction}: event {event_no} {node}.", "Inverno, {faction}: evento {event_no} {node}."),
              "news", 1, "t36",
              ("node event_no",
               {"1": both("An epidemic breaks out {node:at}, held by {faction:the}: it strikes whoever is there when "
                          "summer opens.",
                          "Scoppia un'epidemia {node:dove}, in mano {faction:a}: colpisce chi vi si trova quando si "
                          "apre l'estate."),
                " 1": both("An epidemic is coming to a city of {faction:the}; which one is drawn in summer.",
                           "Un'epidemia è in arrivo in una città {faction:di}; quale, si sorteggia in estate."),
                "2": both("Famine in the cities of {faction:the}: they pay less at the next income.",
                          "Carestia nelle città {faction:di}: alla prossima riscossione rendono meno."),
                "3": both("A poor harvest for {faction:the}: the villages pay less at the next income.",
                          "Raccolto scarso per {faction:il}: alla prossima riscossione i villaggi rendono meno."),
                "4": both("A good harvest for {faction:the}: the villages pay more at the next income.",
                          "Buon raccolto per {faction:il}: alla prossima riscossione i villaggi rendono di più."),
                "5": both("A papal indulgence for {faction:the}: the cities pay more at the next income.",
                          "Indulgenza papale per {faction:il}: alla prossima riscossione le città rendono di più."),
                "6": both("Earthquake or flood {node:at}, held by {faction:the}: the walls fall at the next income.",
                          "Terremoto o alluvione {node:dove}, in mano {faction:a}: le mura cadono alla prossima "
                          "riscossione.")}), to=ALL),
    EventType("winter.quiet",
              both("A quiet winter for {faction:the}.", "Inverno tranquillo per {faction:il}."),
              "news", 5, "t36", to=ALL),
    EventType("winter.recap", both("The year is over. {table}.", "L'anno è finito. {table}."), "news", 3, to=ALL),
    EventType("event.disaster",
              both("Earthquake or flood {node:at}: the walls are gone.",
                   "Terremoto o alluvione {node:dove}: le mura sono distrutte."), "works", 1, "t36", to=ALL),
)

both.words({
    "event": "evento", "eventtable": "tabella degli eventi", "event2": "conferma dell'evento", "lot": "sorteggio",
    "famine": "carestia", "poor harvest": "raccolto scarso", "good harvest": "buon raccolto",
    "papal indulgence": "indulgenza papale", "earthquake or flood": "terremoto o alluvione",
})

WINTER_CHAPTER = Chapter(both("4 Winter", "4 Inverno"), (Citation("4", "4"), table_citation(36, "events")),
                         WinterNumbers, WINTER_EVENTS)

EVENT = ROLLS.purpose(both("Whether winter brings something", "Se l'inverno porta qualcosa"), "event:{Factions}:{turn}")
EVENT_AGAIN = ROLLS.purpose(both("Whether winter brings something more", "Se l'inverno porta altro"),
                            "event2:{Factions}:{turn}")
EVENT_TABLE = ROLLS.purpose(both("What winter brings", "Che cosa porta l'inverno"), "eventtable:{Factions}:{turn}")
LOT = ROLLS.purpose(both("Where misfortune strikes", "Dove colpisce la sventura"), "lot:{Factions}:{turn}", "")


# Quarters of winter (rulebook: 4 Winter).


def finish_winter_works(war: War) -> None:
    """Works end in winter where the edition says so (step 2)."""
    if recruiting.Numbers.of(war).fort_timing == "base":
        recruiting.finish_works(war, by_year=war.year)


def lift_winter_sieges(war: War) -> None:
    """Sieges end with the summer (step 3)."""
    if WinterNumbers.of(war).winter_sieges == "lifted":
        for row in war.sieges:
            end_siege(war, row)


def dismiss_specialists(war: War) -> None:
    """Specialists' contracts end, diplomats leave, commanders are replaced (step 5)."""
    for man in war.specialists:
        if man.status == "active":
            man.status = "expired"
            war.tell("specialist.expired", code=man.specialist, kind=man.kind)
    for army in war.armies:
        if army.leaderless:
            army.leaderless = 0
            war.tell("commander.replaced", army=army.army)
        if army.kind == "diplomat":
            war.take_off(army)
            war.tell("marker.withdrawn", army=army.army, faction=army.faction)


# On a 6, table 36; what it brings acts in the next spring.


EPIDEMIC, FAMINE, POOR, GOOD, INDULGENCE, DISASTER = range(1, 7)
FAMINE_TAX = 20  # "Collected 20 Ducati from the city", English table 36 row 2


def draw_events(war: War) -> None:
    """Each faction throws for an event."""
    for faction in war.players():
        draw_event(war, faction)


def draw_event(war: War, faction: Faction) -> None:
    """On a 6 throw on table 36; the event acts next spring (step 6)."""
    code = faction.faction
    faction.pending_event, faction.pending_node = 0, ""
    first = war.roll(EVENT(code, war.year))
    rolls = [first]
    opened = first.at_least(WinterNumbers.of(war).event_on)
    # the English text asks for a second 6
    if opened and WinterNumbers.of(war).event_trigger == "two":
        rolls.append(war.roll(EVENT_AGAIN(code, war.year)))
        opened = rolls[-1].at_least(WinterNumbers.of(war).event_on)
    if opened:
        rolls.append(war.roll(EVENT_TABLE(code, war.year)))
        faction.pending_event, faction.pending_node, lot = _event_and_place(war, code, rolls[-1].total)
        rolls += lot
    if faction.pending_event:
        war.tell("winter.event", roll=rolls, faction=code, event_no=faction.pending_event, node=faction.pending_node)
    else:
        war.tell("winter.quiet", roll=rolls, faction=code, die=first)


def _event_and_place(war: War, code: str, number: int) -> tuple[int, str, list[Roll]]:
    """The event (0 for none), its place and dice; without a place to strike, no epidemic or disaster happens."""
    # the others strike all places of the faction
    if number not in (EPIDEMIC, DISASTER):
        return number, "", []
    places = cities_of(war, code) if number == EPIDEMIC else [n for n in war.nodes if n.owner == code and n.fortified]
    # by 3a the city is drawn only when summer opens, by table 36 in winter
    if number == EPIDEMIC and WinterNumbers.of(war).epidemic_draw == "summer":
        return (number if places else 0), "", []
    place, rolls = draw_lot(war, code, places)
    return (number, place.node, rolls) if place else (0, "", rolls)


def cities_of(war: War, faction: str) -> list[Node]:
    """Cities under control, in natural order."""
    return [n for n in war.nodes if n.owner == faction and n.counts_as == "city"]


def draw_lot(war: War, faction: str, places: list[Node]) -> tuple[Node | None, list[Roll]]:
    """Draw one of the places by ``lot``; a single place needs no die, None if there is none."""
    return draw_one(places, lambda dice: war.roll(LOT(faction, war.year, dice=dice)))


def disasters(war: War) -> None:
    """Row 6 of table 36: the walls of the place that was drawn are gone."""
    for faction in war.players():
        if faction.pending_event == DISASTER and faction.pending_node:
            place = war.nodes[faction.pending_node]
            place.walls = "none"
            war.tell("event.disaster", faction=faction.faction, node=place.node)


def recapitulate(war: War) -> None:
    """Publish everybody's places, capitals and ports at the end of the year (step 7)."""
    now = [faction_figures(war, faction.faction) for faction in war.players()]
    war.tell("winter.recap",
             table={ row["faction"]: {name: row[name] for name in ("places", "capitals", "ports")} for row in now})


WINTER_STEPS = (judge_treaties, finish_winter_works, lift_winter_sieges, dismiss_specialists, draw_events, recapitulate)
"""The steps of winter in their order; the new year begins when the phase is closed."""
