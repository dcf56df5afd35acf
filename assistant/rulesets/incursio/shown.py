"""What each side sees beside what the columns say, and what reports show (rulebook: Who may know what)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Battle, Player, Portal, Work
from assistant.rulesets.incursio.day.ending import Goal, goals, in_reach, score, winner
from assistant.rulesets.incursio.duels_told import (
    LEGEND,
    Deed,
    Pair,
    deeds,
    in_hand,
    language_of,
    pairs,
    powers,
    summary,
)
from assistant.rulesets.incursio.group_text import group_text
from assistant.rulesets.incursio.hand_over import hand_over
from assistant.rulesets.incursio.realm.realm import BOTH, HOME, Realm
from assistant.rulesets.incursio.what_was_seen import Sighting, report_of, sightings
from assistant.turn.orders.cards import Say
from assistant.turn.ruleset import Ending, Ruleset, Said, TableOf
from assistant.turn.texts import N_
from assistant.turn.views import Viewer

SCORE = N_("Score: of the defenders the people of their settlements, refugees among them; of the raiders those whom"
           " they have dragged away.")


class SideViewer(Viewer):
    """A reader of one side; "" for what everybody may know."""

    def faction_of(self, player: str) -> str:
        """Whose player somebody is."""
        row = self.campaign.table(Player).get(player)
        return row.faction if row is not None else ""


class Shown(Ruleset):
    """What the reports ask of the ruleset."""

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """What all may count: settlements, ruins, the sum of their levels, objectives in reach; once it is over, the
        score, too.
        """
        realm = Realm(self.game(campaign))
        rows = [{"faction": side, "settlements": 0, "ruins": 0, f"{HOME[side]}s": len(realm.homes(side)),
                 "levels": sum(place.level for place in realm.homes(side)),
                 "objectives in reach": in_reach(realm, side)} for side in BOTH]
        return [{**row, "score": score(realm, str(row["faction"]))} for row in rows] if self.is_over(campaign) else rows

    def ending(self, view: Campaign) -> Ending:
        """The winner, the settlements and ruins that are left, the score."""
        realm = Realm(self.game(view))
        who = next((str(event.data["winner"]) for event in view.by_sheet("Events")
                    if event.event == "campaign_ended"), winner(realm, evening=True))
        plain = super().ending(view)
        rows = sorted(self.standings(view), key=lambda row: row["faction"] != who)
        return Ending(plain.verdict, (Said(SCORE, {}),), winners=(who,) if who in BOTH else (), rows=rows)

    def places_held(self, view: Campaign, faction: str) -> int:
        """Settlements, or ruins."""
        return len(Realm(self.game(view)).homes(faction)) if faction in BOTH else 0

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The figures on top of a report."""
        realm = Realm(self.game(view))
        if faction == ESDEF:
            towns = realm.homes(ESDEF)
            return [(N_("Settlements"), len(towns)),
                    (N_("Highest level"), max((one.level for one in towns), default=0)),
                    (N_("Soldiers"), len([unit for unit in realm.camp.units if unit.faction == ESDEF])),
                    (N_("Coins"), realm.factions[ESDEF].coins or 0), (N_("Income a day"), sum(realm.income().values())),
                    (N_("Works"), len([work for work in realm.works if work.state == "in_progress"]))]
        if faction == VARANNAH:
            row, day = realm.factions[VARANNAH], realm.days.get(view.desk.turn)
            made = day.attacks_varannah if day is not None else 0
            return [(N_("Ruins"), len(realm.homes(VARANNAH))),
                    (N_("Demons"), len([unit for unit in realm.camp.units if unit.faction == VARANNAH])),
                    (N_("Resources"), row.resources or 0), (N_("Power"), row.power_step or 0),
                    (N_("Attacks left today"), max(0, realm.rules.attacks_per_day - made)),
                    (N_("Portals of tomorrow"), len([one for one in realm.portals if one.state == "located"]))]
        return []

    def outcomes(self, view: Campaign, faction: str, events: Iterable[Event]) -> list[Said]:
        """What came of its battles, and what its spies have seen, a sentence each."""
        told = list(events)
        rows = [view.table(Battle).get(str(event.data["battle"])) for event in told if event.event == "battle_ended"]
        gained = [int(event.data["step"]) for event in told if event.event == "power_gained" and faction == VARANNAH]
        return [*(powers(Realm(self.game(view)), step, step) for step in gained),
                *(summary(row, faction) for row in rows if row is not None and faction in BOTH),
                *(report_of(event) for event in told if event.event == "spy_report" and event.for_faction(faction)
                  and event.data.get("result") == "success")]

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Bands as everywhere; the objectives; who did what; works or portals; the duels of the last day, to be read
        aloud.
        """
        plain = [table for table in super().tables(view, faction) if table.record is not Player]
        if faction not in BOTH:
            return plain
        realm = Realm(self.game(view))
        portals = [row for row in view.table(Portal) if row.state == "located"]
        own = TableOf(N_("Portals of tomorrow"), Portal, ("node", "day", "kind", "number"), portals)
        if faction == ESDEF:
            own = TableOf(N_("Works going on"), Work, ("node", "structure", "builder", "ready_on"),
                          in_hand(realm, faction))
        aims = [] if self.is_over(view) else goals(realm, faction, language_of(realm, faction))
        ends = [TableOf(N_("Objectives"), Goal, ("faction", "aim", "stands", "lacks", "days"), aims)] if aims else []
        told = pairs(realm, faction)
        duels = TableOf(N_("Duels, pair by pair"), Pair, ("battle", "pair", "attacker", "defender", "falls"),
                        told, LEGEND)
        return [*plain, *ends, TableOf(N_("People"), Deed, ("player", "species", "action", "result"),
                                deeds(realm, faction)), own, *([duels] if told else ())]

    def chat(self, view: Campaign, faction: str, say: Say) -> list[str]:
        """What a group is told of the last day on which something happened."""
        return group_text(Realm(self.game(view)), faction, say)

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """What stands of what it has seen, the newest first, and its age."""
        rows = sightings(Realm(self.game(view)), faction) if faction in BOTH else []
        return [TableOf(N_("What you have seen"), Sighting, ("node", "kind", "what", "seen_on", "age"), rows,
                        N_("A sighting stays until something newer is known."))]

    def dossier(self, view: Campaign, battle: Any, faction: str) -> list[Said]:
        """The hand-over of a battle that is played live: each side its own, the Master both."""
        realm = Realm(self.game(view))
        row = realm.battles.get(battle.battle)
        return hand_over(realm, row, faction) if row is not None and row.attacker in BOTH else []
