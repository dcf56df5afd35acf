"""Objectives: a campaign at the close in; points, at last who has won, out (1; rulebook: Objectives and the end)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import Ref, Text, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.records import Event
from assistant.rulesets.anarchy.book.sheets import ANGEVIN, ROYAL, Objective
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.game import ALL
from assistant.turn.texts import N_
from assistant.turn.told import Ending, Said

VICTORIES = {"decisive": (8, N_("A decisive victory: {winners}.")), "clear": (4, N_("A clear victory: {winners}.")),
             "narrow": (1, N_("A narrow victory: {winners}."))}
"""By how many points at least a victory is what, and how it is told; below the last it is a draw."""


@dataclass
class Aim(Record, sheet="Missions", sheet_it="Missioni"):
    """An objective as a report shows it: the points that it brings as things stand, how many more it can bring (blank
    where it has no end), the days that are left for it, today included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    objective: str = column(Text(), "Objective", "Obiettivo", key=True)
    points: int = column(Whole(), "Points now", "Punti adesso")
    lacks: int | None = column(Whole(0, blank=True), "Still to be had", "Ancora da avere")
    days: int = column(Whole(0), "Days left", "Giorni rimasti")


def aims(realm: Field, reader: str) -> list[Aim]:
    """The objectives of all, those of the reader's side first; one that can be reached no more has nothing to give."""
    row, side = realm.factions.get(reader), realm.side(reader)
    italian, found = row is not None and row.language == "it", list[Aim]()
    for one in sorted(realm.objectives, key=lambda one: realm.side(one.faction) != side):
        last = min(realm.rules.days, one.by_day or realm.rules.days) if one.kind == "reach" else realm.rules.days
        once = one.kind in ("hold", "reach") or (one.kind == "capture" and one.subject in realm.nobles)
        now, most = _worth(realm, one), one.points if once else one.cap
        left = max(0, last - max(realm.day, 1) + 1) if one.state == "open" else 0
        found.append(Aim(one.faction, (italian and one.text_it) or one.text_en or one.objective, now,
                         None if most is None else max(0, most - now) if left else 0, left))
    return found


def objectives(realm: Field, the_end: bool = False) -> None:
    """What was reached today for good, and on the last day the score; `the_end`: the referee ends the campaign now."""
    the_end = the_end or last_day(realm)
    for row in realm.objectives:
        if row.kind == "reach" and row.state == "open" and _reached(realm, row):
            row.state, row.done_on = "done", realm.day
            if not the_end:  # the score names them all
                _told(realm, row, row.points)
    if not the_end:
        return
    totals = dict.fromkeys((ROYAL, ANGEVIN), 0)
    for row in realm.objectives:
        points, side = _worth(realm, row), realm.side(row.faction)
        if side in totals:
            totals[side] += points
        if row.state == "open":
            row.state = "done" if points else "failed"
            row.done_on = realm.day if points else row.done_on
        _told(realm, row, points)
    for faction in realm.factions:
        if realm.side(faction.faction) in totals:
            faction.score = totals[realm.side(faction.faction)]
            realm.tell("score", ALL, "1", touch=[faction], text=faction.faction, points=faction.score,
                       result=_result(realm, totals))


def _told(realm: Field, row: Objective, points: int) -> None:
    """The mission in the scenario's words, in both languages where it has both."""
    italian = {"text_it": row.text_it} if row.text_it else {}
    realm.tell("objective", ALL, "1", touch=[row], points=points, objective=row.objective,
               text=row.text_en or row.objective, **italian)


def last_day(realm: Field) -> bool:
    """Whether this is the last day, or a side has no noble left."""
    return realm.day >= realm.rules.days or bool(headless(realm))


def headless(realm: Field) -> list[str]:
    """The sides whose nobles are all dead or captive; such a side has lost."""
    lords = {side: {n.state for n in realm.nobles if realm.side(n.faction) == side} for side in (ROYAL, ANGEVIN)}
    return [side for side, states in lords.items() if states and states <= {"dead", "prisoner"}]


def _reached(realm: Field, row: Objective) -> bool:
    noble, place = realm.nobles.get(row.subject), realm.places.get(row.place)
    in_time = row.by_day is None or realm.day <= row.by_day
    if noble is None or place is None or noble.state not in ("free", "wounded") or not in_time:
        return False
    army, at = realm.armies.get(noble.army), realm.places.get(noble.place)
    node = army.node if army is not None and army.active else at.node if at is not None else ""
    return node == place.node


def _worth(realm: Field, row: Objective) -> int:
    """Points that an objective brings as things stand."""
    side = realm.side(row.faction)
    if row.kind == "hold":
        place = realm.places.get(row.place)
        return row.points if place is not None and realm.of_side(place, side) else 0
    if row.kind == "reach":
        return row.points if row.state == "done" else 0
    if row.kind == "capture":
        done = sum(n.state == "prisoner" and n.captor == side and row.subject in (n.noble, "any", "")
                   for n in realm.nobles)
    else:
        field = {"loot": "looted", "deliver": "delivered", "destroy": "destroyed"}[row.kind]
        done = sum(int(getattr(realm.factions[code], field)) for code in realm.clubs(side) if code in realm.factions)
    found = done // (row.per or 1) * row.points
    return found if row.cap is None else min(row.cap, found)


def _result(realm: Field, totals: dict[str, int]) -> str:
    """Who has won and how clearly: ``royal narrow``, ``draw``."""
    lost = headless(realm)
    if len(lost) == 1:  # where neither has a noble left the points decide
        return f"{realm.foe(lost[0])} decisive"
    lead = totals[ROYAL] - totals[ANGEVIN]
    word = next((word for word, (least, _) in VICTORIES.items() if abs(lead) >= least), "")
    return f"{ROYAL if lead > 0 else ANGEVIN} {word}" if word else "draw"


# --- how it has ended -----------------------------------------------------------------------------
def ending(realm: Field, figures: list[dict[str, Any]]) -> Ending:
    """Who has won, how it was counted, and the figures with the winner's first; all of it is public."""
    told = [e for _, e in realm.campaign.table(Event).in_file_order() if e.event in ("score", "objective")]
    last = [e for e in told if (e.turn, e.phase) == (told[-1].turn, told[-1].phase)]
    scores = {str(e.data["text"]): int(e.data["points"]) for e in last if e.event == "score"}
    result = next((str(e.data["result"]) for e in last if e.event == "score"), "") or (
        _result(realm, dict.fromkeys((ROYAL, ANGEVIN), 0)) if len(headless(realm)) == 1 else "")
    side, _, how = result.partition(" ")
    winners = tuple(row.faction for row in realm.factions if how and realm.side(row.faction) == side)
    verdict = Said(VICTORIES[how][1], {"winners": " ".join(winners)}) if how else Said(N_("It is a draw."))
    counted: list[Said | Event] = [*_grounds(realm, scores), *(e for e in last if e.event == "objective")]
    rows = sorted(figures, key=lambda row: (row["faction"] not in winners, -row["score"]))
    return Ending((verdict,) if result else (), tuple(counted), winners, rows)


def _grounds(realm: Field, scores: dict[str, int]) -> list[Said]:
    """What decided: that a side has lost all its nobles, or the points."""
    lost = headless(realm)
    said = []
    if len(lost) == 1:
        codes = " ".join(row.faction for row in realm.factions if realm.side(row.faction) == lost[0])
        said = [Said("All nobles are dead or captive: {losers}. Such a side has lost at once and decisively, whatever"
                     " the points.", {"losers": codes})]
    if scores:
        said.append(Said("Points of the objectives: {points}.", {"points": scores}))
        if len(lost) != 1:
            said.append(Said("A lead of 1 to 3 points is a narrow victory, of 4 to 7 a clear one, of 8 or more a"
                             " decisive one; equal points are a draw."))
    return said
