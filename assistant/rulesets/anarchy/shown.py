"""The Anarchy in reports and on the map, as a side sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Whole, column
from assistant.campaign.tables import Record
from assistant.rulesets.anarchy import records, sieges
from assistant.rulesets.anarchy.aftermath import KEPT_SENTENCES, battle_sentences
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.realm import MapTables, path_of, show_ranks
from assistant.rulesets.anarchy.records import (
    CASTLES,
    Army,
    Battle,
    Convoy,
    Noble,
    Node,
    Place,
    Prisoners,
    Siege,
    Train,
    Wounded,
)
from assistant.turn.event_types import Ending, Said, TableOf, besides, nonempty_tables
from assistant.turn.game import Game
from assistant.turn.map_symbols import BESIEGES, GLYPHS, Looks, Marks, PlaceLook
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.ruleset import REFEREE_COPY, Ruleset, read
from assistant.turn.texts import N_
from assistant.turn.views import Viewer

# Maps: hexes of five kilometres, places, groups, convoys, trains, rivers.


RIVER, OPEN = "river", "open"
SIGNS = {**GLYPHS, "castle_motte": ("castle", 2), "castle_tower": ("castle", 2), "castle_stone": ("castle", 3),
         "counter_castle": ("fortress", 1)}
MARCHES = {"moved": ("unit", "path"), **dict.fromkeys(("retreated", "backed_away", "advanced"), ("x", "hex"))}
MARKS = {"attack": Marks("battle", "hex"), "battle_opened": Marks("battle", "hex"),
         "battle_result": Marks("battle", "b"),
         "castle_taken": Marks("captured", "place", "side"), "surrendered": Marks("captured", "place", "side"),
         "siege_begun": Marks("siege", "place", "side"), "looted": Marks("razed", "place"),
         "revolt": Marks("revolt", "group")}


class AnarchyLooks(Looks):
    """Map symbols: hexes with terrain, each with the sign of its greatest place."""

    forces = {Army.sheet: "army", Convoy.sheet: "convoy", Train.sheet: "train"}  # noqa: RUF012
    sites = (Place.sheet,)
    cell = (5, "km")
    marches, marks = MARCHES, MARKS

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """The symbol of a hex: the sign of its greatest place, its own name or the shortest of a place."""
        there = sorted(game.campaign.table(Place).where(lambda one: one.exists and one.node == node.node),
                       key=lambda one: (-SIGNS[one.kind][1], one.kind not in CASTLES, len(one.name)))
        dry = tuple(word for word in self.terrains(node) if word != RIVER) or (OPEN,)  # rivers are drawn as they flow
        look = PlaceLook(glyph="", terrain=dry)
        if not there:
            return look
        held = next((one.holder for one in there if one.kind in CASTLES and one.holder), "")
        sieges = {row.place for row in game.campaign.table(Siege) if row.state == "on"}
        return look._replace(
            kind=there[0].kind, glyph=SIGNS[there[0].kind][0], size=SIGNS[there[0].kind][1], owner=held,
            walls="intact" if there[0].kind in CASTLES else "", besieged=any(one.place in sieges for one in there),
            name=node.name or min((one.name or one.place for one in there), key=len))

    def rivers(self, game: Game) -> Mapping[str, tuple[str, ...]]:
        """The hexes of each river."""
        found: dict[str, list[str]] = {}
        for node in game.campaign.table(Node):
            if node.river_name:
                found.setdefault(node.river_name, []).append(node.node)
        return {name: tuple(codes) for name, codes in found.items()}

    def way_ordered(self, request: Request, game: Game) -> tuple[str, ...]:
        """The way of a march as typed: hexes, directions, or straight to one far hex or place."""
        start = self.node_of(request.unit, game.campaign)
        if not (request.path and start):
            return ()
        with suppress(Refused):  # `check` reports a way that cannot be marched
            return (start, *path_of(MapTables(game.campaign), " ".join(request.path), start).hexes)
        return ()

    def strength(self, row: Record, game: Game) -> str:
        """Fighters of a group, animals of a convoy, engines of a train, if the reader sees them."""
        if isinstance(row, Train):
            return str(row.engines or "")
        return str(row.men or row.size or "") if isinstance(row, Army) else str(getattr(row, "animals", 0) or "")

    def stance(self, row: Record, game: Game) -> str:
        """Mark a group that besieges a castle."""
        return BESIEGES if isinstance(row, Army) and row.besieging else ""


# What a side may see beyond what the columns declare (rulebook: Who may know what).


class SideViewer(Viewer):
    """The view of a club, which sees what its side sees; without a faction what everybody may know."""

    def __init__(self, realm: Field, faction: str) -> None:
        super().__init__(realm.campaign, realm.rules, faction)
        self.realm = realm
        self.side = realm.side(faction) if faction else ""

    def is_one_of(self, *codes: str) -> bool:
        """Whether one of these factions or sides is of the reader's side."""
        return bool(self.side) and any(self.realm.side(code) == self.side for code in codes)

    def exceptions(self) -> Mapping[str, Callable[[Any, Any], Record]]:
        """The sheets whose rows are altered for the view: papers of battles, resources of places."""
        return {Battle.sheet: self._own_papers, Place.sheet: self._counted_stores}

    def _own_papers(self, row: Battle, seen: Battle) -> Battle:
        """Leave only the side's own papers of a battle."""
        if seen.papers:
            seen = seen.copy()
            seen.papers = {self.side: row.papers[self.side]}
        return seen

    def _counted_stores(self, row: Place, seen: Place) -> Place:
        """Where the side has no group, show the resources that everybody knew after the opening."""
        if not self.knows_stores(row):
            seen.resources = self._counted.get(row.place, row.resources)
        return seen

    # --- asked by the columns' Circles --------------------------------------------------------
    def stands_at(self, node: str) -> bool:
        """Whether a group of the side is in a hex."""
        return node in self._hexes

    def knows_stores(self, place: Place) -> bool:
        """Whether the side sees a place's resources."""
        return (bool(self.side) and self.realm.of_side(place, self.side)) or self.stands_at(place.node)

    def holds(self, place: str) -> bool:
        """Whether a castle is the side's."""
        castle = self.realm.places.get(place)
        return castle is not None and self.owns(castle)

    def fights(self, battle: Battle) -> bool:
        """Whether the side takes part in a battle."""
        return bool(self.side) and self.side in battle.papers

    def fought(self, battle: str) -> bool:
        """Whether the side took part in a battle that is counted."""
        row = self.realm.battles.get(battle)
        return row is not None and row.status == "played" and self.fights(row)

    @cached_property
    def _hexes(self) -> frozenset[str]:
        return frozenset(a.node for a in self.realm.active() if self.is_one_of(a.faction))

    @cached_property
    def _counted(self) -> dict[str, int]:
        """Resources of all places after the opening, which are public."""
        told = next((e.data.get("resources") for e in self.campaign.table(base.Event) if e.event == "opened"), None)
        return {str(k): v for k, v in told.items() if isinstance(v, int)} if isinstance(told, dict) else {}


# Reports.


LEGEND = N_("K knights, D dismounted knights, S foot, B bowmen, L light foot, P peasants.")
"""The legend under tables with letters of ranks."""
_ENGINES = ("rams", "galleries", "towers", "mangonels")
_LEADS = ("commander", "employer", "inside", "besieging")


@dataclass
class Muster(Record, sheet=Army.sheet, sheet_it=Army.sheet_it):
    """A group's men as a report shows them, in shorthand: six columns of ranks are too wide for a letter."""

    army: str = column(Text(), "Group", "Gruppo", key=True)
    heads: int = column(Whole(), "Heads", "Personaggi")
    men: str = column(Text(), "Men", "Uomini")
    hurt: int = column(Whole(), "Wounded among them", "Di cui feriti")


@dataclass
class Captives(Record, sheet=Prisoners.sheet, sheet_it=Prisoners.sheet_it):
    """Captives as a report shows them, the men in shorthand."""

    prisoners: str = column(Text(), "Prisoners", "Prigionieri", key=True)
    men: str = column(Text(), "Men", "Uomini")
    captor_army: str = column(Ref("Armies", blank=True), "Captor group", "Gruppo")
    escort: str = column(Ref("Armies", blank=True), "Escort", "Scorta")
    taken_on: int | None = column(Whole(blank=True), "Taken on", "Presi il")


@dataclass
class Castle(Record, sheet=Place.sheet, sheet_it=Place.sheet_it):
    """A place as a report shows it, its garrison in shorthand."""

    place: str = column(Text(), "Place", "Luogo", key=True)
    node: str = column(Ref("Nodes"), "Hex", "Esagono")
    resources: int = column(Whole(), "Resources", "Risorse")
    lord: str = column(Ref("Nobles", blank=True), "Lord", "Signore")
    garrison: str = column(Text(), "Garrison", "Guarnigione")


def _group_tables(realm: Field, faction: str, groups: list[Army]) -> list[TableOf]:
    return [
        TableOf("Your groups", Army, ("army", "node", "commander", "loyalty", "money"), groups),
        _men_table(realm, groups),
        TableOf("Their provisions", Army, ("army", "provisions", "hungry_days", "starving"), groups),
        besides("Where they are, and came from", Army, ("army", "inside", "besieging", "came_from", "shares_since"),
                groups),
        besides("What they do unasked", Army, ("army", "on_meeting", "if_attacked", "joins"), groups),
        besides("What they have won, and what is left of their core", Army,
                ("army", "wins", "core_start", "core_now"), groups),
        besides("Without arms, or under safe conduct", Army, ("army", "unarmed", "safe_on"), groups),
        besides("How your mercenaries are engaged", Army, ("army", "kind", "employer", "contract", "promised"),
                groups),
        besides("What your mercenaries think of it", Army,
                ("army", "hired_on", "tests", "grumbles", "no_promise_to"), groups),
        TableOf("Groups still to come", Army, ("army", "node", "enters_on"),
                [a for a in realm.armies if a.faction == faction and a.state == "awaited"])]


class AnarchyReports(Ruleset):
    """The methods that reports call on the ruleset."""

    def realm(self, campaign: Campaign) -> Field:
        """The campaign as a phase would see it now."""
        return Field(self.game(campaign))

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """A row of public figures for each faction that plays a side."""
        realm = self.realm(campaign)
        return [{"faction": row.faction, "score": row.score, "castles": len(_castles(realm, row.faction)),
                 "looted": row.looted, "groups": len(_groups(realm, row.faction)),
                 "nobles": sum(n.faction == row.faction and n.state in ("free", "wounded") for n in realm.nobles)}
                for row in realm.factions if row.faction in realm.parties()]

    def ending(self, view: Campaign) -> Ending:
        """The result of the last day, its grounds, the points of each objective (1)."""
        return sieges.ending(self.realm(view), self.standings(view))

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Groups, men, pounds, hunger, captives, castles."""
        realm = self.realm(view)
        if faction not in realm.factions:
            return []
        mine = _groups(realm, faction)
        captives = [p for p in realm.prisoners if _is_captor(realm, p, faction) and p.state in ("waiting", "escorted")]
        return [(N_("Groups on the map"), len(mine)), (N_("Men and nobles"), sum(realm.heads(a) for a in mine)),
                (N_("Pounds in the purses"), sum(a.money for a in mine) // records.HALF_POUND),
                (N_("Hungry groups"), sum(bool(a.hungry_days) for a in mine)),
                (N_("Captives to be escorted"), len(captives)), (N_("Castles held"), len(_castles(realm, faction)))]

    def places_held(self, view: Campaign, faction: str) -> int:
        """Castles held."""
        return len(_castles(self.realm(view), faction))

    def outcomes(self, view: Campaign, faction: str, events: Iterable[base.Event]) -> list[Said]:
        """Who won the battles of the own side, and their losses."""
        own = SideViewer(self.realm(view), faction)
        return battle_sentences(own.realm, own.side, [e for e in events if own.fought(str(e.data.get("b", "")))])

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """What is due tomorrow: food, escorts, garrisons, ransoms."""
        realm, said = self.realm(view), []
        for army in _groups(realm, faction):
            points = realm.need(army) - army.provisions
            if points > 0 and not realm.attached(army) and not realm.shut(army):
                said.append(Said("{group} needs {n} {n?point|points} of food tomorrow (hungry days: {k}).",
                                 {"group": army.army, "n": points, "k": army.hungry_days}))
        said += [Said("The captives {p} need an escort to {place:the}.", {"p": p.prisoners, "place": p.destination})
                 for p in realm.prisoners if p.state == "waiting" and _is_captor(realm, p, faction)]
        least, price = realm.rules.garrison_min, realm.rules.ransom_per_prestige
        said += [Said("{place:the} has {n} {n?defender|defenders} and needs {min}.",
                      {"place": p.place, "n": p.garrison, "min": least})
                 for p in _castles(realm, faction) if p.garrison < least]
        said += [Said("The ransom of {noble} is £{n}.", {"noble": n.noble, "n": price * n.prestige})
                 for n in realm.nobles if n.state == "prisoner" and n.faction == faction]
        return said

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """The dossier of a battle as kept when the phase stopped; for the referee both sides (15)."""
        side = self.realm(view).side(faction) if faction else REFEREE_COPY
        return read(battle.papers.get(side), KEPT_SENTENCES) if isinstance(battle, Battle) else []

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Groups, nobles, places, convoys, trains, captives, wounded, castles, sieges, objectives."""
        realm = self.realm(view)
        groups, side = _groups(realm, faction), realm.side(faction)
        rest = [a for a in realm.active() if a.faction != faction and realm.side(a.faction) == side]
        nobles = [n for n in realm.nobles if n.faction == faction]
        played = any(n.player for n in nobles)
        trains = [t for t in realm.trains if t.faction == faction and t.state == "active"]
        convoys = [c for c in realm.convoys if c.faction == faction and c.state == "active"]
        captives = [p for p in realm.prisoners if p.state in ("waiting", "escorted")]
        hurt = [w for w in realm.wounded if w.faction == faction and w.state in ("hurt", "in_care")]
        return nonempty_tables(
            *_group_tables(realm, faction, groups),
            TableOf("Groups of your side's other clubs", Army, ("army", "faction", "node", "commander", "money"), rest),
            _men_table(realm, rest),
            TableOf("Your nobles", Noble, ("noble", "player", "prestige", "army", "state") if played
                    else ("noble", "prestige", "army", "place", "state"), nobles),
            besides("Where they are, or are held", Noble, ("noble", *["place"] * played, "captor", "held_in"),
                    nobles),
            TableOf("Your castles", Castle, ("place", "node", "resources", "lord", "garrison"),
                    [_castle_row(p, "0") for p in _castles(realm, faction)], LEGEND),
            besides("Their loyalty, and what men keep them", Place, ("place", "loyalty", "garrison_kind"),
                    _castles(realm, faction)),
            TableOf("Villages and monasteries of your side", Place, ("place", "node", "kind", "resources", "loyalty"),
                    [p for p in realm.places if not p.castle and realm.of_side(p, side)]),
            TableOf("Sieges", Siege, ("place", "besieger", "days", "state"),
                    [s for s in realm.sieges if s.state == "on"]),
            TableOf("Your convoys", Convoy, ("convoy", "node", "cargo", "animals", "escort"), convoys),
            besides("Where they go", Convoy, ("convoy", "home", "goal", "heading", "came_from"), convoys),
            besides("Who drives them", Convoy, ("convoy", "driver"), convoys),
            TableOf("Your siege trains", Train, ("train", "node", "engineers", "oxen", "escort"), trains),
            TableOf("Their engines", Train, ("train", *_ENGINES), [t for t in trains if t.engines]),
            besides("Their peasants, and where they came from", Train, ("train", "peasants", "came_from"), trains),
            TableOf("Captives", Prisoners, ("prisoners", "captor", "node", "destination", "state"), captives),
            TableOf("The men among them", Captives, ("prisoners", "men", "captor_army", "escort", "taken_on"),
                    [Captives(p.prisoners, show_ranks(p.ranks), p.captor_army, p.escort, p.taken_on)
                     for p in captives], LEGEND if captives else ""),
            TableOf("Your wounded", Wounded, ("wounded", "rank", "army", "place", "back_on"),
                    [w for w in hurt if not w.noble]),
            TableOf("Your wounded nobles", Wounded, ("wounded", "noble", "army", "place", "back_on"),
                    [w for w in hurt if w.noble]),
            TableOf("Objectives", sieges.Aim, ("faction", "objective", "points", "lacks", "days"),
                    sieges.aims_of(realm, faction)))

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Others' markers, what is public about them, and what was seen in shared hexes.

        Villages' loyalty and lords never change, and their opening resources are known: both are left out.
        """
        realm = self.realm(view)
        side, active = realm.side(faction), realm.active()
        marked = sorted((a for a in active if a.counter is not None or a.march is not None),
                        key=lambda a: (a.march is None, a.march or 0))
        count, march = ([name] if any(getattr(a, name) is not None for a in marked) else []
                        for name in ("counter", "march"))
        hexes = {a.node for a in active if realm.side(a.faction) == side}
        groups = [a for a in active if realm.side(a.faction) != side]
        nobles = [n for n in realm.nobles if realm.side(n.faction) != side]
        convoys = [c for c in realm.convoys if c.state == "active" and realm.side(c.faction) != side]
        trains = [t for t in realm.trains if t.state == "active" and realm.side(t.faction) != side]
        places = [p for p in realm.places if p.exists and not realm.of_side(p, side)]
        near = [t for t in trains if t.node in hexes]
        return nonempty_tables(
            TableOf("Counters, and their order of march", Army, ("army", *count, "faction", "cavalry", *march), marked),
            TableOf("Groups of others", Army, ("army", "faction", "node", "kind", "cavalry"), groups),
            TableOf("Their commanders, and what they are about", Army, ("army", *_LEADS),
                    [a for a in groups if any(getattr(a, name) for name in _LEADS)]),
            TableOf("Where they came from", Army, ("army", "came_from"), [a for a in groups if a.came_from]),
            TableOf("Mercenaries whom nobody pays", Army, ("army", "node", "moves_next"),
                    [a for a in groups if realm.unhired(a)]),
            TableOf("Without arms, or under safe conduct", Army, ("army", "unarmed", "safe_on"),
                    [a for a in groups if a.unarmed or (a.safe_on is not None and a.safe_on >= realm.day)]),
            TableOf("Seen in the same hex", records.Sighting, ("turn", "army", "node", "heads", "men"),
                    [s for s in realm.sightings if s.viewer == side], LEGEND),
            TableOf("Nobles of others", Noble, ("noble", "faction", "prestige", "army", "place"),
                    [n for n in nobles if n.state in ("free", "wounded")]),
            TableOf("Their wounded, captive and dead nobles", Noble, ("noble", "state", "captor", "held_in"),
                    [n for n in nobles if n.state != "free"]),
            TableOf("Castles of others", Place, ("place", "node", "kind", "holder", "lord"),
                    [p for p in places if p.castle]),
            TableOf("What your groups see of places", Castle, ("place", "resources", "garrison"),
                    [_castle_row(p) for p in places if p.node in hexes], LEGEND),
            TableOf("Convoys of others", Convoy, ("convoy", "faction", "node", "escort"), convoys),
            TableOf("Where they go", Convoy, ("convoy", "home", "goal", "heading", "came_from"), convoys),
            TableOf("What your groups see of them", Convoy, ("convoy", "animals", "driver", "cargo"),
                    [c for c in convoys if c.node in hexes]),
            TableOf("Siege trains of others", Train, ("train", "faction", "node", "escort", "came_from"), trains),
            TableOf("Engines that your groups see", Train, ("train", *_ENGINES), near),
            TableOf("Their crews and oxen", Train, ("train", "engineers", "oxen", "peasants"), near))


def _men_table(realm: Field, groups: list[Army]) -> TableOf:
    return TableOf("Their men", Muster, ("army", "heads", "men", "hurt"), [
        Muster(a.army, realm.heads(a), show_ranks(a.ranks), len(realm.hurt(a))) for a in groups], LEGEND)


def _castle_row(place: Place, nobody: str = "") -> Castle:
    return Castle(place.place, place.node, place.resources, place.lord, show_ranks(place.ranks) or nobody)


def _groups(realm: Field, faction: str) -> list[Army]:
    return [a for a in realm.active() if a.faction == faction]


def _castles(realm: Field, faction: str) -> list[Place]:
    return [p for p in realm.places if p.castle and p.exists and p.holder and realm.wardens(p)[0] == faction]


def _is_captor(realm: Field, record: Prisoners, faction: str) -> bool:
    """Whether captives are a faction's: its group guards or took them; without such a group they are the side's."""
    keeper = realm.armies.get(record.escort) or realm.armies.get(record.captor_army)
    own = keeper is not None and realm.side(keeper.faction) == record.captor
    return keeper.faction == faction if own and keeper is not None else record.captor == realm.side(faction)
