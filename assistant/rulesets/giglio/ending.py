"""How a campaign of Il Giglio ends: a campaign in; what an objective lacks, at last the verdict and its grounds, out.

See rulebook: Objectives. What was secret until then (who wanted what) that event has told to all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import Choice, Ref, Whole, column
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import Event
from assistant.rulesets.giglio.book.records import OBJECTIVES, Faction, Opening
from assistant.rulesets.giglio.war.war import War
from assistant.rulesets.giglio.winter import COUNTS, GAINED, figure, wanted
from assistant.turn.texts import N_
from assistant.turn.told import Ending, Said

SECRET = ("ducats", "allies_kept", "allies_betrayed")
"""Objectives for which nobody knows what the others have."""


@dataclass
class Aim(Record, sheet="Objective", sheet_it="Obiettivo"):
    """A faction's own objective: what it counts now, how many it lacks to be reached today, blank where that is others'
    secret; the years that are left, this one included.
    """

    objective: str = column(Choice(OBJECTIVES, blank=True), "Objective", "Obiettivo", key=True)
    target: str = column(Ref("Factions", blank=True), "Territory", "Territorio")
    now: int | None = column(Whole(blank=True), "Now", "Adesso")
    lacks: int | None = column(Whole(0, blank=True), "Still lacks", "Mancano")
    years: int = column(Whole(0), "Years left", "Anni rimasti")


def aim(war: War, faction: Faction) -> Aim:
    """The objective that a faction has chosen, as its owner can count it."""
    last = (war.desk.start_year or war.year) + war.rules.campaign_years - 1
    found = Aim(faction.objective, faction.objective_target, None, None, max(0, last - war.year + 1))
    hidden = war.rules.objective_metric == "gain" and faction.objective in GAINED and (
        war.campaign.table(Opening).get(faction.faction) is None)
    if faction.objective in ("keep", "conquer"):
        places = wanted(war, faction)
        found.now = sum(n.owner == faction.faction for n in places)
        found.lacks = len(places) - found.now
    elif faction.objective in COUNTS and not hidden:
        found.now = figure(war, faction)
        if faction.objective not in SECRET:
            found.lacks = max(0, max(1, *(figure(war, faction, f.faction) for f in war.players())) - found.now)
    return found


def ending(war: War) -> Ending | None:
    """Who has won and why, with everybody's objective; None where no verification was told (objectives)."""
    told = [e for _, e in war.campaign.table(Event).in_file_order() if e.event == "campaign.end"]
    if not told:
        return None
    data = told[-1].data
    winners, reached = tuple(str(data["winners"]).split()), str(data["reached"])
    detail: Mapping[str, Mapping[str, Any]] = data["detail"]
    order = sorted(detail, key=lambda f: (f not in winners, not detail[f]["reached"], -detail[f]["ducats"], natural(f)))
    rows = [{"faction": code, **_row(detail[code])} for code in order]
    if not any(one["target"] for one in rows):
        rows = [{name: value for name, value in one.items() if name != "target"} for one in rows]
    return Ending((_verdict(winners),), tuple(_grounds(war, reached)), winners, rows)


def _row(told: Mapping[str, Any]) -> dict[str, Any]:
    aim = told["objective"]
    return {"objective": aim or "none", "target": told["target"], "count": told["count"] if aim in COUNTS else None,
            "reached": told["reached"], "ducats": told["ducats"]}


def _verdict(winners: tuple[str, ...]) -> Said:
    if not winners:
        return Said(N_("Nobody has won."))
    said = N_("The winner: {winners:the}.") if len(winners) == 1 else N_("The victory is shared: {winners:the}.")
    return Said(said, {"winners": " ".join(winners)})


def _grounds(war: War, reached: str) -> list[Said]:
    """Who reached what was chosen in the first spring, and what decides among several or none (objectives)."""
    rules, most = war.rules, Said(N_("Among them the most ducats in the chest decide; equal ducats share the victory."))
    if not reached:
        nobody = Said(N_("Nobody reached the objective that was chosen in the first spring."))
        decide = Said(N_("Then the most ducats in the chest decide.")) if rules.objective_none == "ducats" else (
            Said(N_("Then there is no winner.")))
        return [nobody, decide]
    said = [Said(N_("The objective of the first spring was reached by: {reached}."), {"reached": reached})]
    if len(reached.split()) > 1:
        said.append(Said(N_("All of them share the victory.")) if rules.objective_tie == "shared" else most)
    return said
