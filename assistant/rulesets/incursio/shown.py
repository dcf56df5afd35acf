"""What reports and maps show of Incursio."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref, Text, Whole, column
from assistant.campaign.records import Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.incursio.battle_reports import (
    LEGEND,
    Deed,
    Pair,
    deeds,
    group_text,
    hand_over,
    language_of,
    pairs,
    powers,
    summary,
    works_in_progress,
)
from assistant.rulesets.incursio.messages import RUINS, TOWNS
from assistant.rulesets.incursio.realm import BOTH, HOME, OTHER, Realm, split_units
from assistant.rulesets.incursio.records import (
    ESDEF,
    SEEN_KINDS,
    VARANNAH,
    Army,
    Battle,
    Node,
    Observation,
    Player,
    Portal,
    Work,
)
from assistant.rulesets.incursio.upkeep import Goal, goals, objectives_reached, score, winner
from assistant.turn.event_types import Ending, Said, TableOf
from assistant.turn.game import Game
from assistant.turn.map_symbols import NONE, ForceLook, Looks, Marks, PlaceLook, Visibility
from assistant.turn.orders.verbs import Translate
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import Viewer

# Sightings and spies in a report.


MAY_HAVE_CHANGED = ",_the_order_may_have_changed"
AGES = {"fresh": "fresca", "dated": "datata", "old": "vecchia",
        f"dated{MAY_HAVE_CHANGED}": "datata, l'ordine può essere cambiato",
        f"old{MAY_HAVE_CHANGED}": "vecchia, l'ordine può essere cambiato"}


@dataclass
class Sighting(Record, sheet="Observations", sheet_it="Osservazioni"):
    """Something that was seen, and how far it may be trusted."""

    node: str = column(Ref("Nodes"), "Cell", "Casella", key=True)
    kind: str = column(Choice(SEEN_KINDS), "Kind", "Tipo", key=True, default="enemies")
    what: str = column(Text(), "What", "Che cosa", key=True)
    seen_on: int = column(Whole(0), "Seen on", "Visto il", key=True)
    age: str = column(Choice(AGES), "Age", "Età", default="fresh")


def sighting_age(realm: Realm, row: Observation) -> str:
    """How old a sighting is.

    A garrison may also have been reordered since, on a day when Esdef was first; everybody knows those days.
    """
    days = realm.today - row.seen_on
    if days <= 0:
        return "fresh"
    told = "old" if days >= realm.rules.spy_stale_after else "dated"
    reordered = row.faction == VARANNAH and row.kind == "garrison" and any(
        day.first == ESDEF and int(day.turn) > row.seen_on for day in realm.days)
    return f"{told}{MAY_HAVE_CHANGED}" if reordered else told


def sightings(realm: Realm, faction: str) -> list[Sighting]:
    """The current sightings of a side, the newest first."""
    rows = [row for row in realm.seen if row.state == "current" and row.faction == faction]
    rows.sort(key=lambda row: (-row.seen_on, natural(row.node), row.kind, row.position or 0, row.what))
    language = language_of(realm, faction)
    return [
        Sighting(row.node, row.kind, _sighting_text(realm, row, language), row.seen_on, sighting_age(realm, row))
        for row in rows
    ]


def _sighting_text(realm: Realm, row: Observation, language: str) -> str:
    """A unit with its position, a structure with its name, a portal's day."""
    kind = realm.types.get(row.what) if row.kind == "structure" else None
    name = f" {kind.called(language)}" if kind is not None else ""
    return f"{row.what}{name}" if row.position is None else f"{row.position} = {row.what}"


# --- spies ----------------------------------------------------------------------------------------------------
ALL_SOLDIERS = N_("{player} {node:at}: the whole garrison: {garrison}; outside: {outside}.")
SOME_SOLDIERS = {
    (True, False): N_("{player} {node:at}: {n} {n?position|positions} of an unknown number: garrison {garrison}."),
    (False, True): N_("{player} {node:at}: {n} {n?position|positions} of an unknown number: outside {outside}."),
    (True, True): N_("{player} {node:at}: {n} {n?position|positions} of an unknown number: garrison {garrison}; outside"
                     " {outside}.")}
STRUCTURES = {True: N_("{player} {node:at}: structures seen: {text} (all of them)."),
              False: N_("{player} {node:at}: structures seen: {text} (not all).")}
DEMONS = {(True, True): N_("{player} {node:at}: demons: {outside} (all of them); a portal."),
          (True, False): N_("{player} {node:at}: demons: {outside} (all of them); no portal."),
          (False, True): N_("{player} {node:at}: positions {outside} (not all); a portal."),
          (False, False): N_("{player} {node:at}: positions {outside} (not all); no portal.")}
NOTHING = N_("{player} {node:at}: nothing of what was looked for.")
NOBODY = "nobody"


def _positions(event: Event, kind: str) -> str:
    return ", ".join(f"{position} = {what}" for one, position, what in event.data.get("found", ()) if one == kind)


def _line(event: Event, kind: str) -> str:
    return " ".join(str(what) for one, _, what in event.data.get("found", ()) if one == kind) or NOBODY


def spy_sentence(event: Event) -> Said:
    """A sentence about what a successful spy has found, and whether that was all."""
    data = event.data
    complete, found = bool(data.get("complete")), data.get("found", ())
    about = {"player": data["player"], "node": data["node"]}
    garrison, outside = _positions(event, "garrison"), _positions(event, "camp")
    if data.get("portal") is not None:
        return Said(DEMONS[complete, bool(data["portal"])], {**about, "outside": outside or NOBODY})
    if not found:
        return Said(NOTHING, about)
    if any(one[0] == "structure" for one in found):
        return Said(STRUCTURES[complete], {**about, "text": ", ".join(str(one[2]) for one in found)})
    if complete:
        return Said(ALL_SOLDIERS, {**about, "garrison": _line(event, "garrison"), "outside": _line(event, "camp")})
    return Said(SOME_SOLDIERS[bool(garrison), bool(outside)],
                {**about, "n": len(found), "garrison": garrison, "outside": outside})


# The map: settlements and ruins by level, own bands, sightings of the others.


GLYPHS = ("village", "village", "town", "town", "city", "city", "fortress")
NUMERALS = ("", "I", "II", "III", "IV", "V", "VI")
SIDES = {"settlement": ESDEF, "ruin": VARANNAH}
UNKNOWN = "?!"
"""The mark on a map for units of unknown number."""
TROOPS = ("enemies", "camp", "garrison")
MARKS = {"battle_ended": Marks("battle", "battle"), "settlement_fell": Marks("captured"),
         "ruin_purified": Marks("captured"), "settlement_founded": Marks("built"), "site_razed": Marks("razed")}


class IncursioLooks(Looks):
    """What is not one's own is known by sightings, each with its day."""

    numbered = True
    ways = {"grey": "line", "red": "barred"}  # noqa: RUF012
    forces = {Army.sheet: "band"}  # noqa: RUF012
    marches = {"units_moved": ("node", "node", "to_node")}  # noqa: RUF012
    marks = MARKS
    ordered = {"move": ("node", "to_node"), "attack": ("node", "to_node")}  # noqa: RUF012

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """A settlement of the defenders, a ruin of the raiders, or a known portal."""
        assert isinstance(node, Node)
        called, glyph, size = {
            "settlement": (TOWNS[node.level], GLYPHS[node.level], 1 + node.level // 3),
            "ruin": (RUINS[min(node.level, len(RUINS) - 1)], "ruin", 1 + node.level // 2),
        }.get(node.kind, (node.kind, "dot", 1))
        mine = game.campaign.table(Portal).where(lambda row: row.state in ("located", "open"))
        known = [row.node for row in mine if natural(row.day) >= natural(game.turn)]
        known += [row.node for row in _current(game) if row.kind == "portal"]
        portal = node.node in known
        kind = "portal" if portal and node.kind == "empty" else called
        return PlaceLook(kind, "portal" if kind == "portal" else glyph, size, SIDES.get(node.kind, ""),
                         terrain=self.terrains(node), note=_cell_note(Realm(game), node))

    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """Own units cell by cell, garrison first, outsiders after a plus; of the others the last sightings.

        See rulebook: Who may know what.
        """
        bands = defaultdict[tuple[str, str], list[Army]](list)
        for look in super().standing(game, faction):
            bands[look.owner, look.place].append(game.campaign.table(Army)[look.code])
        for (owner, place), rows in bands.items():
            inside, outside = ("".join(row.units for row in rows if (row.posture == "garrison") is kept)
                               for kept in (True, False))
            yield ForceLook(f"{owner}-{place}", owner, place, str(len(split_units(inside + outside))), "band",
                            f"{inside} +{outside}" if inside and outside else inside or outside)
        seen = defaultdict[str, list[str]](list)
        uncounted = set[str]()
        for row in _current(game):
            if row.faction == faction and row.kind in TROOPS:
                seen[row.node] += split_units(row.what) or [UNKNOWN]
                uncounted |= set() if row.what else {row.node}
        for place, units in seen.items():
            yield ForceLook(f"seen-{place}", OTHER.get(faction, ""), place,
                            "" if place in uncounted else f"~{len(units)}", "band", "".join(units))

    def unseen(self, game: Game, faction: str) -> Mapping[str, tuple[Visibility, str]]:
        """Cells without own units: the day of the last sighting."""
        if faction not in OTHER:
            return NONE
        own = {row.node for row in game.campaign.table(Army)}
        days = {row.node: str(row.seen_on) for row in _current(game) if row.faction == faction}
        return {node.node: ("earlier" if node.node in days else "never", days.get(node.node, ""))
                for node in game.campaign.table(Node) if node.node not in own and SIDES.get(node.kind) != faction}


def _cell_note(realm: Realm, node: Node) -> str:
    """The note of a cell: its level, and more for its own side (rulebook: Who may know what).

    The defenders read coins a day, how full the garrison is, and works with their day; the raiders when demons go home.
    """
    found = [NUMERALS[node.level]] if node.kind in SIDES else []
    if node.kind == "settlement" and realm.camp.at(node.node, ESDEF):
        found += [f"+{realm.income()[node.node]}", f"{len(realm.camp.garrison(node.node))}/{realm.room(node.node)}"]
        found += [f"{one.structure}→{one.ready_on}" for one in realm.in_work(node.node)]
    bands = realm.game.campaign.table(Army).where(lambda row: row.node == node.node)
    return " · ".join([*found, *(f"→{day}" for day in sorted({row.returns_on or 0 for row in bands} - {0}))])


def _current(game: Game) -> list[Observation]:
    return game.campaign.table(Observation).where(lambda row: row.state == "current")


# Views and reports (rulebook: Who may know what).


SCORE = N_("Score: of the defenders the people of their settlements, refugees among them; of the raiders those whom"
           " they have dragged away.")


class SideViewer(Viewer):
    """The viewer of one side; "" for what everybody may know."""

    def faction_of(self, player: str) -> str:
        """Whose player somebody is."""
        row = self.campaign.table(Player).get(player)
        return row.faction if row is not None else ""


class IncursioReports(Ruleset):
    """What the reports ask of the ruleset."""

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """What all may count: settlements, ruins, the sum of their levels, objectives in reach.

        Once the campaign is over also the score.
        """
        realm = Realm(self.game(campaign))
        rows = [{"faction": side, "settlements": 0, "ruins": 0, f"{HOME[side]}s": len(realm.homes(side)),
                 "levels": sum(place.level for place in realm.homes(side)),
                 "objectives in reach": objectives_reached(realm, side)} for side in BOTH]
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
        """A sentence for each of its battles, new powers, and successful spies."""
        told = list(events)
        rows = [view.table(Battle).get(str(event.data["battle"])) for event in told if event.event == "battle_ended"]
        gained = [int(event.data["step"]) for event in told if event.event == "power_gained" and faction == VARANNAH]
        return [*(powers(Realm(self.game(view)), step, step) for step in gained),
                *(summary(row, faction) for row in rows if row is not None and faction in BOTH),
                *(spy_sentence(event) for event in told if event.event == "spy_report" and event.for_faction(faction)
                  and event.data.get("result") == "success")]

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """The default tables; objectives; who did what; works or portals; the last day's duels, to be read aloud."""
        plain = [table for table in super().tables(view, faction) if table.record is not Player]
        if faction not in BOTH:
            return plain
        realm = Realm(self.game(view))
        portals = [row for row in view.table(Portal) if row.state == "located"]
        own = TableOf(N_("Portals of tomorrow"), Portal, ("node", "day", "kind", "number"), portals)
        if faction == ESDEF:
            own = TableOf(N_("Works going on"), Work, ("node", "structure", "builder", "ready_on"),
                          works_in_progress(realm, faction))
        aims = [] if self.is_over(view) else goals(realm, faction, language_of(realm, faction))
        ends = [TableOf(N_("Objectives"), Goal, ("faction", "aim", "stands", "lacks", "days"), aims)] if aims else []
        told = pairs(realm, faction)
        duels = TableOf(N_("Duels, pair by pair"), Pair, ("battle", "pair", "attacker", "defender", "falls"),
                        told, LEGEND)
        return [*plain, *ends, TableOf(N_("People"), Deed, ("player", "species", "action", "result"),
                                deeds(realm, faction)), own, *([duels] if told else ())]

    def chat(self, view: Campaign, faction: str, say: Translate) -> list[str]:
        """What a group is told of the last day on which something happened."""
        return group_text(Realm(self.game(view)), faction, say)

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Its current sightings, the newest first, with their age."""
        rows = sightings(Realm(self.game(view)), faction) if faction in BOTH else []
        return [TableOf(N_("What you have seen"), Sighting, ("node", "kind", "what", "seen_on", "age"), rows,
                        N_("A sighting stays until something newer is known."))]

    def dossier(self, view: Campaign, battle: Any, faction: str) -> list[Said]:
        """The hand-over of a battle that is played live: each side its own, the Master both."""
        realm = Realm(self.game(view))
        row = realm.battles.get(battle.battle)
        return hand_over(realm, row, faction) if row is not None and row.attacker in BOTH else []
