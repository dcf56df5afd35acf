"""Spring, first part: works, disasters, taxes, upkeep, the banks (2, 2a table 29, 4 table 36)."""

from __future__ import annotations

from collections import Counter

from assistant.rulesets.giglio.spring import bank
from assistant.rulesets.giglio.war.war import War, up
from assistant.turn.game import ALL

EPIDEMIC, FAMINE, POOR, GOOD, INDULGENCE, DISASTER = range(1, 7)
FAMINE_TAX = 20  # "Collected 20 Ducati from the city", English table 36 row 2


def income(war: War) -> None:
    """The takings of the year (2a): the six steps of rulebook: 2a Income."""
    wishes = bank.wishes(war)
    finish_works(war, by_year=war.year)
    disasters(war)
    if war.rules.first_spring_taxes == "yes" or not first_spring(war):
        taxes(war)
    upkeep(war)
    for loan in bank.due(war):
        bank.collect(war, loan, wishes.get(loan.faction, ()))


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
        cost = up(army.value, percent)
        paid = max(0, min(cost, war.factions[army.faction].treasury))
        war.touch(army)
        war.money(army.faction, "upkeep", -paid, army.army, unpaid=cost - paid)
        war.wear(army, cost - paid, "unpaid", "2")
