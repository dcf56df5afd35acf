"""How a campaign of Incursio ends: a campaign in; who has won, what each side still lacks, out (rulebook: The end)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.columns import Ref, Text, Whole, column
from assistant.campaign.record import Record
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Objective
from assistant.rulesets.incursio.realm.realm import Realm

DRAW = "draw"
FORTRESS = 6
AIMS = {"settlements_at_least": ("settlements: {n} or more", "insediamenti: almeno {n}"),
        "level_6_at_least": ("Fortresses: {n} or more", "Fortezze: almeno {n}"),
        "resources_at_least": ("resources: {n} or more", "risorse: almeno {n}"),
        "settlements_below": ("settlements: fewer than {n}", "insediamenti: meno di {n}")}
"""An objective in words, English and Italian."""


@dataclass
class Goal(Record, sheet="Objectives", sheet_it="Obiettivi"):
    """An objective, where it stands and what it lacks, blank where the reader does not know; the days that are left,
    today's included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    aim: str = column(Text(), "Objective", "Obiettivo", key=True)
    stands: int | None = column(Whole(0, blank=True), "Now", "Adesso")
    lacks: int | None = column(Whole(0, blank=True), "Still lacks", "Mancano")
    days: int | None = column(Whole(0, blank=True), "Days left", "Giorni rimasti")


def winner(realm: Realm, *, evening: bool) -> str:
    """Who has won at the end of this day: a faction, a draw, or nobody yet (""). `evening`: the day is over."""
    rules, towns = realm.rules, realm.homes(ESDEF)
    if rules.play_on == "yes" or not evening:
        return ""
    raiders = ((realm.factions[VARANNAH].resources or 0) >= rules.resources_to_win
               or len(towns) < rules.settlements_to_lose)
    over = realm.today >= rules.campaign_days
    defenders = over and (len(towns) >= rules.settlements_to_win or any(town.level >= FORTRESS for town in towns))
    if raiders and defenders:
        return DRAW
    return VARANNAH if raiders else ESDEF if defenders else DRAW if over else ""


def score(realm: Realm, side: str) -> int:
    """What the chronicle counts: people of settlements and refugees, or resources."""
    if side == VARANNAH:
        return realm.factions[side].resources or 0
    return sum(realm.level(town).population + town.refugees for town in realm.homes(ESDEF))


def _figures(realm: Realm) -> dict[str, int | None]:
    """What objectives of each kind are measured by; None for what the reader does not know."""
    towns, resources = realm.homes(ESDEF), realm.factions[VARANNAH].resources
    return {"settlements_at_least": len(towns), "settlements_below": len(towns),
            "level_6_at_least": sum(town.level >= FORTRESS for town in towns), "resources_at_least": resources}


def _lacks(row: Objective, now: int) -> int:
    """How much is missing; of settlements that are to fall how many."""
    return max(0, now - row.value + 1 if row.kind == "settlements_below" else row.value - now)


def in_reach(realm: Realm, side: str) -> int:
    """How many objectives of a side hold today, as far as the reader knows; two that are joined count once."""
    figures = _figures(realm)
    held = [row for row in realm.campaign.table(Objective) if row.faction == side
            and not _lacks(row, figures[row.kind] or 0)]
    return len({_group(row) for row in held})


def _group(row: Objective) -> str:
    """What two objectives share of which either is enough."""
    return min(row.objective, row.joined_to or row.objective)


def goals(realm: Realm, reader: str, language: str) -> list[Goal]:
    """The objectives of both sides, one's own first, those of which either is enough one behind the other."""
    found, before = list[Goal](), ""
    figures, last = _figures(realm), None if realm.rules.play_on == "yes" else realm.rules.campaign_days
    if reader == VARANNAH:
        figures["resources_at_least"] = figures["resources_at_least"] or 0
    for row in sorted(realm.campaign.table(Objective), key=lambda row: (row.faction != reader, row.faction,
                                                                         _group(row), row.objective)):
        now, by_day = figures[row.kind], row.by_day or last
        aim = AIMS[row.kind][language == "it"].format(n=row.value)
        other = {"it": "oppure "}.get(language, "or ") if _group(row) == before else ""
        found.append(Goal(row.faction, other + aim, now, None if now is None else _lacks(row, now),
                          None if by_day is None else max(0, by_day - realm.today + 1)))
        before = _group(row)
    return found
