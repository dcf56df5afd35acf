"""Spring, first part: works, disasters, taxes, upkeep, the banks (2, 2a table 29, 4 table 36)."""

from __future__ import annotations

from assistant.campaign.order import natural
from assistant.rulesets.giglio.book.records import Faction, Loan, Node
from assistant.rulesets.giglio.war.war import War, up
from assistant.turn.game import ALL

EPIDEMIC, FAMINE, POOR, GOOD, INDULGENCE, DISASTER = range(1, 7)
FAMINE_TAX = 20  # "Collected 20 Ducati from the city", English table 36 row 2


def income(war: War) -> None:
    """The takings of the year (2a): the six steps of rulebook: 2a Income."""
    finish_works(war, by_year=war.year)
    disasters(war)
    if war.rules.first_spring_taxes == "yes" or not first_spring(war):
        taxes(war)
    upkeep(war)
    for loan in sorted(war.loans, key=lambda row: (natural(row.faction), row.year)):
        if loan.status == "open" and loan.year < war.year:
            collect(war, loan)


def first_spring(war: War) -> bool:
    """Whether this is the spring in which the campaign begins."""
    said = war.desk.first_spring
    return said == "yes" if said else war.year == war.desk.start_year


def finish_works(war: War, by_year: int) -> None:
    """Works that are ready: the walls stand if the builder still holds the place (2b, Amendments)."""
    for work in war.works:
        if work.status != "under_way" or work.ready_year > by_year:
            continue
        place = war.nodes[work.node]
        if place.owner == work.faction:
            work.status, place.walls = "done", "intact"
            war.game.tell("works.done", ALL, "t32, Amendments", touch=[work, place], node=work.node)
        else:
            work.status = "lost"
            war.game.tell("works.lost", ALL, "t32, Amendments", touch=[work], node=work.node)


def disasters(war: War) -> None:
    """Row 6 of table 36: the walls of the place that was drawn are gone."""
    for faction in war.players():
        if faction.pending_event == DISASTER and faction.pending_node:
            place = war.nodes[faction.pending_node]
            place.walls = "none"
            war.game.tell("event.disaster", ALL, "t36", touch=[place], faction=faction.faction, node=place.node)


def taxed_as(war: War, place: Node) -> str:
    """The row of table 29 for a place (switch fortress_income)."""
    if place.site == "city" and war.rules.fortress_income == "fortress_city" and place.fortified:
        return "fortress"
    return place.site


def takings(war: War, faction: str, event: int) -> dict[str, int]:
    """Ducats by row of table 29 (city, village, fortress) under an event of table 36 (0: none)."""
    count = {"city": 0, "village": 0, "fortress": 0}
    for place in war.nodes:
        if place.owner == faction and place.land:
            count[taxed_as(war, place)] += 1
    rules = war.rules
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
            account = war.money(faction.faction, "taxes", total, told=True)
            war.game.tell("income.tax", [faction.faction], "2a t29", touch=[faction, account],
                          faction=faction.faction, cities=got["city"], villages=got["village"],
                          fortresses=got["fortress"], total=total)


def upkeep(war: War) -> None:
    """What an army costs each spring (2 says "maintain" without a price: 0 unless the club sets one)."""
    percent = war.rules.army_upkeep_pct
    if not percent:
        return
    for army in war.armies:
        if army.kind != "army" or war.factions[army.faction].role == "neutral":
            continue
        cost = up(army.value, percent)
        paid = max(0, min(cost, war.factions[army.faction].treasury))
        account = war.money(army.faction, "upkeep", -paid, army.army, told=True)
        war.game.tell("money.moved", [army.faction], "2", touch=[army, war.factions[army.faction], account],
                      item="upkeep", amount=-paid, balance=account.balance, ref=army.army, unpaid=cost - paid)
        war.wear(army, cost - paid, "unpaid", "2")


def collect(war: War, loan: Loan) -> None:
    """A loan falls due: the chest pays, and what it cannot pay is confiscated (2a)."""
    faction = war.factions[loan.faction]
    paid = max(0, min(loan.due, faction.treasury))
    rest = loan.due - paid
    if rest == 0:
        account = war.money(loan.faction, "repayment", -paid, str(loan.year), told=True)
        loan.status = "repaid"
        war.game.tell("loan.repaid", [loan.faction], "2a", touch=[loan, faction, account],
                      faction=loan.faction, amount=paid)
        return
    if paid:
        war.money(loan.faction, "repayment", -paid, str(loan.year))
    loan.status, loan.confiscated_year = "confiscated", war.year
    left, touched = confiscate(war, faction, rest)
    war.game.tell("loan.confiscated", [loan.faction], "2a", touch=[loan, *touched], faction=loan.faction,
                  taken=rest - left, written_off=left)


def confiscate(war: War, faction: Faction, due: int) -> tuple[int, list[str]]:
    """Goods in equal value, in the rulebook page's order (a) to (e).

    Returns the ducats that have to be written off and the records touched (``Sheet/key``).
    """
    code, touched = faction.faction, []
    price = war.rules.cost_fleet
    for fleet in [f for f in war.fleets if f.faction == code and not f.cargo]:
        if due >= price:
            touched += [f"Armies/{a.army}" for a in war.forget_fleet(fleet)]
            touched.append(f"Fleets/{fleet.fleet}")
            due -= price
    for army in sorted(war.armies_of(code), key=lambda a: (-a.value, natural(a.army))):
        taken = min(due, army.value)
        if taken:
            due -= taken
            touched.append(f"Armies/{army.army}")
            war.wear(army, taken, "confiscated", "2a")
    for fleet in [f for f in war.fleets if f.faction == code]:
        if due > 0:
            touched.append(f"Fleets/{fleet.fleet}")
            cargo = war.armies.get(fleet.cargo)
            if cargo is not None:
                war.lose_army(cargo, "fleet confiscated", "2a")
            touched += [f"Armies/{a.army}" for a in war.forget_fleet(fleet)]
            due = max(0, due - price)
    walled = [p for p in war.nodes if p.owner == code and p.fortified]
    for place in sorted(walled, key=lambda p: (p.site == "fortress", natural(p.node))):
        if due > 0:
            place.walls = "none"
            touched.append(f"Nodes/{place.node}")
            due = max(0, due - war.rules.cost_fortify)
    return due, touched
