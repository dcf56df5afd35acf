"""Victory: the campaign in; points of each nation, what each still lacks, and at last who has won, out (A)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import Ref, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.records import Event
from assistant.rulesets.bloodlust.book.records import Faction
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.turn.texts import N_
from assistant.turn.told import Ending, Said


@dataclass
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a nation is from the end: provinces, how many more than half of all still want; the points of the reader;
    the years that are left, this one included.
    """

    faction: str = column(Ref("Factions"), "Nation", "Nazione", key=True)
    provinces: int = column(Whole(0), "Provinces", "Province")
    lacks: int = column(Whole(0), "To more than half", "A più di metà")
    points: int | None = column(Whole(blank=True), "Points now", "Punti adesso")
    years: int = column(Whole(0), "Years left", "Anni rimasti")


def aims(f: Realm, reader: str) -> list[Aim]:
    """All nations in play, the reader's first. Resources and loot are secret, and so are the points of others."""
    half = len(f.provinces) // 2
    rows = [Aim(nation.faction, len(f.of(nation.faction)), max(0, half + 1 - len(f.of(nation.faction))),
                points(f, nation) if nation.faction == reader else None, max(0, f.desk.last_year - f.year + 1))
            for nation in f.living()]
    return sorted(rows, key=lambda row: row.faction != reader)


def ends(f: Realm) -> bool:
    """Whether the campaign ends with this season: its last Winter, or one nation owns more than half (10)."""
    most = max((len(f.of(nation.faction)) for nation in f.living()), default=0)
    return (f.season == "Wi" and f.year >= f.desk.last_year) or 2 * most > len(f.provinces)


def points(f: Realm, nation: Faction) -> int:
    """The points of a nation; one that is out of play has none."""
    if not nation.alive:
        return 0
    rules, code, own = f.rules, nation.faction, f.of(nation.faction)
    foreign = [node for node in own if node.home != code]
    total = rules.score_province * len(own) + rules.score_capital * sum(node.capital for node in foreign)
    total += nation.resources // rules.score_resources
    total += rules.score_weapon * sum(weapon.state == "borne" and weapon.bearer in f.leaders
                                      and f.leaders[weapon.bearer].faction == code for weapon in f.weapons)
    ended = [peace for peace in f.peaces if peace.pays]
    total += rules.score_war * sum((peace.winner == code) - (peace.loser == code) for peace in ended)
    if nation.wants("conquest"):
        total += rules.score_conquest * len(foreign)
    if nation.wants("colonizing"):
        total += rules.score_colonizing * sum(
            any(f.provinces[near].home == code for near in f.near(node.node)) for node in foreign)
    if nation.wants("loot"):
        total += nation.looted // rules.score_loot
    if not nation.interests.split():
        total += nation.resources // rules.score_no_interest
    return total


def table(f: Realm) -> list[dict[str, Any]]:
    """A row a nation with what is compared: points, provinces, resources; the best first."""
    rows = [{"faction": code, "points": points(f, f.nations[code]), "provinces": len(f.of(code)),
             "resources": f.nations[code].resources if f.nations[code].alive else 0} for code in f.codes]
    return sorted(rows, key=lambda row: (-row["points"], -row["provinces"], -row["resources"]))


def tell_score(f: Realm) -> None:
    """The end, and the table of points."""
    rows = table(f)
    best = {key: value for key, value in rows[0].items() if key != "faction"}
    winners = f.in_order(row["faction"] for row in rows if all(row[key] == value for key, value in best.items()))
    f.tell("campaign_ends", ALL, "A", winners=" ".join(winners),
           points={row["faction"]: row["points"] for row in rows},
           provinces={row["faction"]: row["provinces"] for row in rows})


def ending(view_events: list[Event]) -> Ending:
    """How the campaign has ended, as its last event tells it."""
    told = next((event for event in reversed(view_events) if event.event == "campaign_ends"), None)
    if told is None:
        return Ending()
    winners = tuple(str(told.data["winners"]).split())
    counted, land = dict(told.data["points"]), dict(told.data["provinces"])
    rows = [{"faction": code, "points": n, "provinces": land[code]} for code, n in counted.items()]
    verdict = Said(N_("{winners:the} {winners?has|have} won."), {"winners": " ".join(winners)})
    grounds = Said(N_("Points: {points}."), {"points": counted})
    return Ending((verdict,), (grounds,), winners, rows)
