"""What reports and maps show of the Fantasy Warriors campaign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Event
from assistant.campaign.tables import Record
from assistant.rulesets.warriors.battle import dossier
from assistant.rulesets.warriors.land import Country
from assistant.rulesets.warriors.records import Army, Battle, Boat, Node, Terrain, Unit, Wounded
from assistant.rulesets.warriors.year import Aim, aims, score, will_modifiers
from assistant.turn.event_types import Ending, Said, TableOf, besides, nonempty_tables
from assistant.turn.game import Game
from assistant.turn.map_symbols import NONE, UNCOUNTED, Looks, Marks, Visibility, codes_in
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import Viewer

# The map: squares, Forces, boats, and what is out of sight.


MARCHES = {"moved": ("army", "node", "path"), "sailed": ("army", "node", "path"),
           **dict.fromkeys(("seen", "counter_marched", "retreated", "stepped_back"), ("army", "node", "to"))}
LOST = ("force_lost", "collapsed", "force_broken", "force_destroyed", "no_retreat")
MARKS = {"battle_set": Marks("battle", owner="attacker"), "battle_result": Marks("battle"),
         "place_taken": Marks("captured", owner="to")}


class WarriorsLooks(Looks):
    """With fog near the reader sees around its own."""

    kind = "place"
    glyphs = {"none": ("", 1), "stronghold": ("fortress", 2), "capital": ("castle", 3)}  # noqa: RUF012
    forces = {Army.sheet: "army", Boat.sheet: "fleet"}  # noqa: RUF012
    marches = MARCHES
    marks = MARKS

    def terrain_names(self, game: Game, lang: str) -> Mapping[str, str]:
        """As the sheet of terrains calls them."""
        return {row.terrain: row.name_it for row in game.campaign.table(Terrain) if lang == "it" and row.name_it}

    def strength(self, row: Record, game: Game) -> str:
        """Figures, of Forces whose Units the reader sees."""
        if isinstance(row, Boat):
            return UNCOUNTED
        units = game.campaign.table(Unit).where(lambda one: one.army == row.ident)
        return str(sum(one.figures for one in units) or "")

    def unseen(self, game: Game, faction: str) -> Mapping[str, tuple[Visibility, str]]:
        """Squares out of the reader's sight, with the turn in which they were last seen."""
        land = Country(game)
        if faction in ("", REFEREE) or land.rules.fog == "open":
            return NONE
        eyes, sight = land.eyes(faction), land.rules.sight
        stood, looked = _last_seen(land, faction)
        found: dict[str, tuple[Visibility, str]] = {}
        for row in land.nodes:
            if not any(land.map.distance(eye, row.node) <= sight for eye in eyes):
                turns = [turn for eye, turn in stood.items() if land.map.distance(eye, row.node) <= sight]
                turns += [looked[row.node]] if row.node in looked else []
                found[row.node] = "earlier", max(turns, key=int, default="")
        return found


def _last_seen(land: Country, faction: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Squares from which the reader has looked, and squares where it saw others pass, each with its last turn.

    It has looked from where its Forces and allies' moved or were lost, and from places before they fell.
    """
    stood: dict[str, str] = {}
    looked: dict[str, str] = {}
    at: dict[str, str] = {}
    for event in land.campaign.table(Event):
        army, node = str(event.data.get("army", "")), str(event.data.get("node", ""))
        if event.event == "seen" and not land.friendly(land.faction_of(army), faction):
            looked[str(event.data["to"])] = event.turn
        elif event.event in MARCHES:
            at[army] = codes_in(event.data[MARCHES[event.event][-1]])[-1]
            stood |= {node: event.turn, at[army]: event.turn}
        elif event.event in LOST and army in at:
            stood[at[army]] = event.turn
        elif event.event == "place_taken" and land.friendly(str(event.data["was"]), faction):
            stood[node] = event.turn
    return stood, looked


# Views and reports (rulebook: Visibility).


class WarriorsViewer(Viewer):
    """A faction and what it knows of Forces, Units and battles; "" for what everybody may know."""

    def __init__(self, land: Country, faction: str) -> None:
        super().__init__(land.campaign, land.rules, faction)
        self.land = land

    def exceptions(self) -> Mapping[str, Callable[[Any, Any], Record]]:
        """Of the papers of a battle each side sees its own."""
        return {Battle.sheet: self._own_papers}

    def _own_papers(self, row: Battle, seen: Battle) -> Battle:
        if seen.papers:
            side = next((one.side for one in self.land.battle_armies if one.battle == row.battle
                         and self.owns_army(one.army)), "")
            seen.papers = {side: row.papers[side]} if side in row.papers else {}
        return seen

    @cached_property
    def _eyes(self) -> set[str]:
        return self.land.eyes(self.code) if self.code else set()

    def _near(self, node: str) -> bool:
        return any(self.land.map.distance(eye, node) <= self.land.rules.sight for eye in self._eyes)

    def on_side_of(self, faction: str) -> bool:
        """Whether the reader is that faction, or its ally."""
        return bool(self.code) and self.land.friendly(self.code, faction)

    def shares(self, faction: str) -> bool:
        """Whether the reader sees what a faction has: it is the reader's own, or an ally's that shares all."""
        return self.is_one_of(faction) or (self.land.rules.allies_share == "full" and self.on_side_of(faction))

    def faction_of(self, army: str) -> str:
        """Whose a Force is."""
        return self.land.faction_of(army)

    def owns_army(self, army: str) -> bool:
        """Whether a Force is the reader's own."""
        return self.is_one_of(self.faction_of(army))

    def owns_unit(self, unit: str) -> bool:
        """Whether a Unit is the reader's own."""
        row = self.land.units.get(unit)
        return row is not None and self.owns_army(row.army)

    def sees_army(self, army: Army) -> bool:
        """Whether the reader may know of a Force, by the switch of the fog."""
        return self.land.rules.fog == "open" or self.on_side_of(army.faction) or (army.active and self._near(army.node))

    def sees_boat(self, boat: Boat) -> bool:
        """Whether the reader may know of boats: they are seen as the Force is that they carry."""
        return self.on_side_of(boat.faction) or all(map(self.sees_army, self._aboard.get(boat.boat, ())))

    @cached_property
    def _aboard(self) -> dict[str, list[Army]]:
        """The Forces on the map that are aboard, by their boats."""
        found: dict[str, list[Army]] = {}
        for army in self.land.active():
            found.setdefault(army.aboard, []).append(army)
        return found

    @cached_property
    def _fought(self) -> set[str]:
        return {row.battle for row in self.land.battle_armies if row.side and self.owns_army(row.army)} | {
            row.battle for row in self.land.battles if self.is_one_of(row.attacker, row.defender)}

    def fought(self, battle: str) -> bool:
        """Whether the reader has a part in a battle."""
        return battle in self._fought

    def knows_battle(self, battle: str) -> bool:
        """Whether the reader may know of a battle."""
        row = self.land.battles.get(battle)
        return row is not None and (self.land.rules.fog == "open" or self.fought(battle) or self._near(row.node))


class WarriorsReports(Ruleset):
    """What the reports ask of the ruleset."""

    def country(self, campaign: Campaign) -> Country:
        """The campaign as a phase would see it now."""
        return Country(self.game(campaign))

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """A row for each faction with what all may count, best score first; no score if the fog hides its parts."""
        land = self.country(campaign)
        rows = [(None if row.won is None else score(land, row.faction) if row.plays else 0, row.faction)
                for row in land.factions if row.role not in base.OWNERLESS]
        return [{"faction": code, "score": points, "places": self.places_held(campaign, code),
                 "Forces": sum(one.faction == code for one in land.active())}
                for points, code in sorted(rows, key=lambda row: -(row[0] or 0))]

    def ending(self, view: Campaign) -> Ending:
        """Who is left, or has the best score."""
        told = [event for event in view.table(base.Event) if event.event == "campaign_ends"]
        winners = tuple(str(told[-1].data.get("winners", "")).split()) if told else ()
        return Ending(verdict=tuple(told[-1:]), winners=winners, rows=self.standings(view))

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Forces, figures, wounded, places, points in the stores, the will."""
        land = self.country(view)
        if faction not in land.factions:
            return []
        own = [one for one in land.active() if one.faction == faction]
        units = {unit.unit for army in land.armies if army.faction == faction for unit in land.units_of(army.army)}
        return [(N_("Forces on the map"), len(own)), (N_("Figures"), sum(land.figures(one.army) for one in own)),
                (N_("Wounded"), sum(row.count for row in land.wounded if row.unit in units)),
                (N_("Places held"), self.places_held(view, faction)),
                (N_("Points in store"), sum(one.store for one in land.nodes if one.holder == faction)),
                (N_("Will to fight"), sum(will_modifiers(land, faction).values()))]

    def places_held(self, view: Campaign, faction: str) -> int:
        """Strongholds and capitals held."""
        return sum(one.place != "none" and one.holder == faction for one in view.table(Node))

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """A test of the will that is due, an omen, markers."""
        land = self.country(view)
        row = land.factions.get(faction)
        said = []
        if row is not None and row.will_due:
            said.append(Said(N_("A test of the will to fight is due.")))
        if row is not None and row.omen:
            said.append(Said(N_("A bad omen takes {n} from the next test of the will."), {"n": -row.omen}))
        return said

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """The hand-over of a battle to one side, or to the referee (rulebook: Dossier)."""
        return dossier(self.country(view), battle, faction) if isinstance(battle, Battle) else []

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Own Forces, Units, wounded, places, boats."""
        land = self.country(view)
        own = [one for one in land.armies if one.faction == faction and one.status in ("active", "broken")]
        codes = {one.army for one in own}
        every = [one for one in land.units if one.army in codes]
        units, known = [one for one in every if one.figures], {one.unit for one in every}
        ends = aims(land, faction) if faction in land.factions and not self.is_over(view) else []
        return nonempty_tables(
            TableOf("Your Forces", Army, ("army", "node", "order", "reaction", "vc"), own),
            besides("Their commanders", Army, ("army", "commander", "chief", "commander_state", "commander_back"), own),
            besides("Their state", Army, ("army", "aboard", "fieldworks"), own),
            besides("For their next tests and moves", Army, ("army", "will_marker", "supply_mod", "guides"), own),
            *([besides("If they are attacked", Army, ("army", "on_contact", "retreat_to"), own)]
              if land.rules.counter_march == "on" else []),
            TableOf("Your Units", Unit, ("unit", "army", "quality", "figures", "points"), units),
            besides("What some of them are", Unit, ("unit", "mounted", "mercenary", "scouts", "wizard"), units),
            besides("Where they are at home, and when they leave", Unit, ("unit", "native_of", "leaves"), units),
            TableOf("Units that are not as strong as at the start", Unit,
                    ("unit", "figures", "figures_start", "crossing_lost"),
                    [one for one in every if one.crossing_lost or one.figures_start not in (None, one.figures)]),
            TableOf("Your wounded", Wounded, ("unit", "count", "due"), [r for r in land.wounded if r.unit in known]),
            TableOf("Your places", Node, ("node", "place", "founder", "store"),
                    [one for one in land.nodes if one.place != "none" and one.holder == faction]),
            TableOf("Your boats", Boat, ("boat", "node", "kind", "barges", "capacity"),
                    [one for one in land.boats if one.faction == faction]),
            TableOf("What ends the campaign", Aim, ("faction", "at_war", "score", "turns"), ends))

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Forces, places and boats of others; of allies what they share."""
        land = self.country(view)
        others = [one for one in land.active() if one.faction != faction]
        codes = {one.army for one in others}
        return nonempty_tables(
            TableOf("Forces of others", Army, ("army", "faction", "node", "aboard"), others),
            TableOf("Units of allies", Unit, ("unit", "army", "quality", "figures"),
                    [one for one in land.units if one.army in codes and one.figures]),
            TableOf("Places of others", Node, ("node", "place", "founder", "holder"),
                    [one for one in land.nodes if one.place != "none" and one.holder != faction]),
            TableOf("Boats of others", Boat, ("boat", "faction", "node", "kind"),
                    [one for one in land.boats if one.faction != faction]))
