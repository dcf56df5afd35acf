"""What a side is shown: the map, what it sees beyond what columns declare, its report with tables and battles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Flag, Ref, Text, Whole, column
from assistant.campaign.tables import Record
from assistant.rulesets.anarchy import battle as battles
from assistant.rulesets.anarchy import both, provisions, sieges
from assistant.rulesets.anarchy import records as sheets
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.realm import MapTables, path_of, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Convoy, Noble, Place, Prisoners, Siege, Train, Wounded
from assistant.rulesets.anarchy.reorganise import CastleNumbers, ransom_of
from assistant.turn.event_types import DeclaredTable, Ending, Said, TableOf, sparse_table, tables_of
from assistant.turn.game import Game
from assistant.turn.map_symbols import BESIEGES, GLYPHS, Looks, Marks, PlaceLook
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.ruleset import Ruleset
from assistant.turn.views import Viewer

# Maps: hexes of five kilometres, places, groups, convoys, trains, rivers.


RIVER, OPEN = "river", "open"
CASTLES_HELD = both("Castles held", "Castelli tenuti")
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
    held = CASTLES_HELD
    marches, marks = MARCHES, MARKS

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """The symbol of a hex: the sign of its greatest place, its own name or the shortest of a place."""
        there = sorted(game.campaign.table(Place).where(lambda place: place.exists and place.node == node.node),
                       key=lambda place: (-SIGNS[place.kind][1], not place.castle, len(place.name)))
        dry = tuple(word for word in self.terrains(node) if word != RIVER) or (OPEN,)  # rivers are drawn as they flow
        if not there:
            return PlaceLook(glyph="", terrain=dry)
        greatest, sieges = there[0], {row.place for row in game.campaign.table(Siege) if row.state == "on"}
        glyph, size = SIGNS[greatest.kind]
        return PlaceLook(
            glyph=glyph, size=size, kind=greatest.kind, terrain=dry, walls="intact" if greatest.castle else "",
            owner=next((place.holder for place in there if place.castle and place.holder), ""),
            besieged=any(place.place in sieges for place in there),
            name=node.name or min((place.name or place.place for place in there), key=len))

    def rivers(self, game: Game) -> Mapping[str, tuple[str, ...]]:
        """The hexes of each river."""
        wet = [node for node in game.campaign.table(sheets.Node) if node.river_name]
        return {name: tuple(node.node for node in wet if node.river_name == name)
                for name in dict.fromkeys(node.river_name for node in wet)}

    def way_ordered(self, request: Request, game: Game) -> tuple[str, ...]:
        """The way of a march as typed: hexes, directions, or straight to far hexes or places."""
        start = self.node_of(request.unit, game.campaign)
        if not (request.path and start):
            return ()
        with suppress(Refused):  # `check` reports a way that cannot be marched
            return (start, *path_of(MapTables(game.campaign), " ".join(request.path), start).hexes)
        return ()

    def strength(self, row: Record, game: Game) -> str:
        """Heads of a group, load of a convoy, engines of a train, if the reader sees them."""
        if not isinstance(row, Army):
            return str((row.engines if isinstance(row, Train) else getattr(row, "cargo", 0)) or "")
        men = row.men or row.size
        nobles = sum(n.army == row.army and n.at_large for n in game.campaign.table(Noble))
        return str(men + nobles) if men else ""

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
        return {sheets.Battle.sheet: self._own_papers, Place.sheet: self._counted_stores}

    def _own_papers(self, row: sheets.Battle, seen: sheets.Battle) -> sheets.Battle:
        """Leave only the side's own papers of a battle."""
        if seen.papers:
            seen = seen.copy()
            seen.papers = {self.side: row.papers[self.side]}
        return seen

    def _counted_stores(self, row: Place, seen: Place) -> Place:
        """Where the side has no group, show the resources that everybody knew after the opening."""
        if not self.knows_stores(row):
            seen.resources = self._opening_resources.get(row.place, row.resources)
        return seen

    # --- asked by the columns' Circles --------------------------------------------------------
    def stands_at(self, node: str) -> bool:
        """Whether a group of the side is in a hex."""
        return node in self._hexes

    def knows_stores(self, place: Place) -> bool:
        """Whether the side sees a place's resources."""
        return bool(self.side) and self.realm.sees_stores(self.side, place)

    def holds(self, place: str) -> bool:
        """Whether a castle is the side's."""
        castle = self.realm.places.get(place)
        return castle is not None and self.owns(castle)

    def fights(self, battle: sheets.Battle) -> bool:
        """Whether the side takes part in a battle."""
        return bool(self.side) and self.side in battle.papers

    def took_part(self, battle: str) -> bool:
        """Whether the side took part in a battle that is counted."""
        row = self.realm.battles.get(battle)
        return row is not None and row.status == "played" and self.fights(row)

    @cached_property
    def _hexes(self) -> frozenset[str]:
        return frozenset(a.node for a in self.realm.active() if self.is_one_of(a.faction))

    @cached_property
    def _opening_resources(self) -> dict[str, int]:
        """Resources of all places after the opening, which are public."""
        told = next((e.data.get("resources") for e in self.campaign.table(base.Event) if e.event == "opened"), None)
        return {str(k): v for k, v in told.items() if isinstance(v, int)} if isinstance(told, dict) else {}


# Reports.


LEGEND = both("K knights, D dismounted knights, S foot, B bowmen, L light foot, P peasants.",
              "K cavalieri, D cavalieri appiedati, S fanti armati, B arcieri, L fanti leggeri, P contadini.")
"""The legend under tables with letters of ranks."""
NO_FOOD_NO_CASTLE = both(
    "A siege uses up a point of food every {n} {n?day|days}; a castle without food surrenders at the close of the day. "
    "Surrenders on day: if no food comes in and the siege goes on. K knights, D dismounted knights, S foot, B bowmen, "
    "L light foot, P peasants.",
    "L'assedio consuma un punto di viveri ogni {n} {n?giorno|giorni}; un castello senza viveri si arrende alla "
    "chiusura della giornata. Si arrende il giorno: se non arrivano viveri e l'assedio continua. K cavalieri, "
    "D cavalieri appiedati, S fanti armati, B arcieri, L fanti leggeri, P contadini.")
"""What decides a siege, under the table of sieges, with the legend of ranks."""
_LEADS = ("commander", "employer", "inside", "besieging")


R = TypeVar("R", bound=Record)


def _shown(record: type[R], row: Record, **more: Any) -> R:
    """A row as a report shows it: what stands on its sheet, and what is reckoned for the reader."""
    return record(**{column.name: getattr(row, column.name) for column in row.columns()} | more)


@dataclass(eq=False, repr=False)
class Muster(Army):
    """A group with its men in shorthand, for six columns of ranks are too wide for a letter; and what food it needs,
    for a small group needs none, whatever its days of hunger so far.
    """

    heads: int = column(Whole(), "Heads", "Personaggi")
    muster: str = column(Text(), "Men", "Uomini")
    hurt: int = column(Whole(), "Wounded among them", "Di cui feriti")
    need: int = column(Whole(), "Needs a day", "Bisogno al giorno")
    starves_next: bool = column(Flag(), "On the next day", "Il giorno dopo")


@dataclass(eq=False, repr=False)
class Captives(Prisoners):
    """Captives, the men in shorthand."""

    muster: str = column(Text(), "Men", "Uomini")
    nobles: str = column(Text(), "Nobles", "Nobili")


@dataclass(eq=False, repr=False)
class Held(Noble):
    """A captive noble of the reader's, with where those are with whom he is held."""

    node: str = column(Ref("Nodes", blank=True), "Hex", "Esagono")
    destination: str = column(Ref("Places", blank=True), "Destination", "Destinazione")
    held_with: str = column(Ref("Prisoners", blank=True), "Held with", "Tenuto con")


@dataclass(eq=False, repr=False)
class Castle(Place):
    """A place, its garrison in shorthand."""

    muster: str = column(Text(), "Garrison", "Guarnigione")


@dataclass(eq=False, repr=False)
class SiegeToday(Siege):
    """A siege, with what the reader sees of the castle: its garrison in shorthand, its food."""

    faction: str = column(Ref("Factions", blank=True), "Besieger", "Assediante")
    muster: str = column(Text(), "Garrison", "Guarnigione")
    resources: int | None = column(Whole(blank=True), "Food left", "Viveri rimasti")
    falls_on: int | None = column(Whole(blank=True), "Surrenders on day", "Si arrende il giorno")


@dataclass(eq=False, repr=False)
class Seen(sheets.Sighting):
    """What was seen of a group in a shared hex: the group by its name."""

    army: str = column(Ref("Armies"), "Group", "Gruppo", key=True)


@dataclass(eq=False, repr=False)
class Enemy(Army):
    """A group of the enemy: where it is, how near, and how strong when it was seen last."""

    away: int = column(Whole(), "Hexes away", "Distanza in esagoni")
    near: str = column(Ref("Armies", blank=True), "From your", "Dal tuo gruppo")
    heads: str = column(Text(), "Heads when last met (day)", "Personaggi all'incontro (giorno)")


WHO_IS_BACK = both("Who is in care at a place has a day of return; the others are still with their group.",
                   "Chi è in cura in un luogo ha un giorno di ritorno; gli altri sono ancora col loro gruppo.")
DAYS_OF_HUNGER = both("Hungry days: days in a row short of food up to now; only a full meal ends them. After {n} "
                      "{n?day|days} a group starves for the whole of the next day, even if it eats then: it marches "
                      "half as far and fights worse (8.4). Under {least} {least?head|heads} it needs nothing and never "
                      "starves. It eats of the places and convoys where it ends the day, or what it has drawn on the "
                      "march (PROVISION). Attached mercenaries eat with {hosts:the}.",
                      "Giorni di fame: giorni di fila con viveri scarsi fino a ora; solo un pasto intero li azzera. "
                      "Dopo {n} {n?giorno|giorni} il gruppo è allo stremo per tutto il giorno seguente, anche se "
                      "allora mangia: marcia la metà e combatte peggio (8.4). Sotto {least} "
                      "{least?personaggio|personaggi} non chiede nulla, e non è mai allo stremo. Mangia dai luoghi e "
                      "dai convogli dove finisce la giornata, o quel che ha preso in marcia (RIFORNISCI). "
                      "I mercenari aggregati mangiano con {hosts:il}.")
WHAT_LOYALTY_IS = both("Loyalty: from 1, all for the Empress, to 10, all for the King; 5 and 6 are for neither.",
                       "Lealtà: da 1, tutta per l'Imperatrice, a 10, tutta per il Re; 5 e 6 non sono di nessuno.")
FIVE_IS_NEUTRAL = both("Loyalty: from 1, all for the Empress, to 10, all for the King; only 5 is for neither.",
                       "Lealtà: da 1, tutta per l'Imperatrice, a 10, tutta per il Re; solo 5 non è di nessuno.")
"""The same where the switch `neutral_band` says so."""
THEIR_MEN = both("Their men", "I loro uomini")
YOUR_NOBLES = both("Your nobles", "I tuoi nobili")
WHERE_NOBLES_ARE = both("Where they are, or are held", "Dove si trovano, o sono tenuti")
UNARMED_OR_SAFE = both("Without arms, or under safe conduct", "Senz'armi, o con salvacondotto")
WHERE_THEY_GO = both("Where they come from and go", "Da dove vengono e dove vanno")
OWN_TABLES = (
    DeclaredTable(both("Your groups", "I tuoi gruppi"), "groups", Army, "army node commander loyalty money"),
    DeclaredTable(THEIR_MEN, "men", Muster, "army heads muster hurt", LEGEND),
    DeclaredTable(both("Their provisions", "Le loro provviste"), "men", Muster,
                  "army need provisions hungry_days starving starves_next", DAYS_OF_HUNGER),
    sparse_table(both("Where they are, and came from", "Dove si trovano, e da dove vengono"), "groups", Army,
                 "army inside besieging came_from shares_since"),
    sparse_table(both("What they do unasked", "Che cosa fanno senza chiedere"), "groups", Army,
                 "army on_meeting if_attacked joins"),
    sparse_table(both("What they have won, and what is left of their core",
                      "Quanto hanno vinto, e che cosa resta del loro nucleo"), "groups", Army,
                 "army wins core_start core_now"),
    sparse_table(UNARMED_OR_SAFE, "groups", Army, "army unarmed safe_on"),
    sparse_table(both("How your mercenaries are engaged", "Come sono ingaggiati i tuoi mercenari"), "groups", Army,
                 "army kind employer contract promised"),
    sparse_table(both("Your mercenaries' service", "Il servizio dei tuoi mercenari"), "groups", Army,
                 "army hired_on tests grumbles no_promise_to"),
    DeclaredTable(both("Groups still to come", "Gruppi ancora in arrivo"), "awaited", Army, "army node enters_on"),
    DeclaredTable(both("Groups of your side's other clubs", "Gruppi degli altri circoli della tua parte"), "partners",
                  Army, "army faction node commander money"),
    DeclaredTable(THEIR_MEN, "men_of_partners", Muster, "army heads muster hurt", LEGEND),
    DeclaredTable(YOUR_NOBLES, "nobles", Noble, "noble prestige army place state"),
    sparse_table(both("Who holds those taken captive", "Chi tiene quelli prigionieri"), "nobles_held", Held,
                 "noble captor node destination held_with"),
    DeclaredTable(YOUR_NOBLES, "played_nobles", Noble, "noble player prestige army state"),
    sparse_table(WHERE_NOBLES_ARE, "played_nobles", Noble, "noble place captor held_in"),
    DeclaredTable(both("Your castles", "I tuoi castelli"), "garrisons", Castle,
                  "place node resources lord muster", LEGEND),
    sparse_table(both("Their loyalty, and whose men keep them", "La loro lealtà, e quali uomini li presidiano"),
                 "castles", Place, "place loyalty garrison_kind", WHAT_LOYALTY_IS),
    DeclaredTable(both("Villages and monasteries of your side", "Villaggi e monasteri della tua parte"), "villages",
                  Place, "place node kind resources loyalty"),
    DeclaredTable(both("Sieges", "Assedi"), "sieges", SiegeToday, "place faction days muster resources falls_on",
                  NO_FOOD_NO_CASTLE),
    DeclaredTable(both("Your convoys", "I tuoi convogli"), "convoys", Convoy, "convoy node cargo animals escort"),
    sparse_table(WHERE_THEY_GO, "convoys", Convoy, "convoy home goal heading came_from"),
    sparse_table(both("Who drives them", "Chi li conduce"), "convoys", Convoy, "convoy driver"),
    DeclaredTable(both("Your siege trains", "Le tue macchine d'assedio"), "trains", Train,
                  "train node engineers oxen escort"),
    DeclaredTable(both("Their engines", "Le loro macchine"), "armed_trains", Train,
                  "train rams galleries towers mangonels"),
    sparse_table(both("Their peasants, and where they came from", "I loro contadini, e da dove vengono"), "trains",
                 Train, "train peasants came_from"),
    DeclaredTable(both("Captives", "Prigionieri"), "captives", Prisoners,
                  "prisoners captor node destination state"),
    DeclaredTable(both("Who they are, and who guards them", "Chi sono, e chi li sorveglia"), "captive_men", Captives,
                  "prisoners muster nobles captor_army escort taken_on", LEGEND),
    DeclaredTable(both("Your wounded", "I tuoi feriti"), "wounded", Wounded, "wounded rank army place back_on",
                  WHO_IS_BACK),
    DeclaredTable(both("Your wounded nobles", "I tuoi nobili feriti"), "wounded_nobles", Wounded,
                  "wounded noble army place back_on"),
    DeclaredTable(both("Objectives", "Obiettivi"), "aims", sieges.Aim,
                  "faction objective points lacks days", clock=sieges.clock),
)
COUNTERS_AND_THEIR_ORDER = both("Counters, and their order of march", "I segnalini e il loro ordine di marcia")
TABLES_OF_OTHERS = (
    DeclaredTable(both("Enemy groups, the nearest first", "Gruppi nemici, prima i più vicini"), "enemies",
                  Enemy, "army node away near heads"),
    DeclaredTable(both("Groups of others", "Gruppi altrui"), "groups", Army, "army faction node kind cavalry"),
    DeclaredTable(both("Their commanders, and what they are about", "I loro comandanti, e che cosa fanno"), "led", Army,
                  " ".join(("army", *_LEADS))),
    sparse_table(both("Where they came from", "Da dove vengono"), "groups", Army, "army came_from"),
    DeclaredTable(both("Mercenaries whom nobody pays", "Mercenari senza ingaggio"), "unhired", Army,
                  "army node moves_next"),
    DeclaredTable(UNARMED_OR_SAFE, "harmless", Army, "army unarmed safe_on"),
    DeclaredTable(both("Seen last in the same hex", "Visti per ultimo nello stesso esagono"), "seen", Seen,
                  "turn army node heads men", LEGEND),
    DeclaredTable(both("Nobles of others", "Nobili degli altri"), "nobles", Noble, "noble faction prestige army place"),
    DeclaredTable(both("Their wounded, captive and dead nobles", "I loro nobili feriti, prigionieri e morti"),
                  "nobles_out", Noble, "noble state captor held_in"),
    DeclaredTable(both("Castles of others", "Castelli degli altri"), "castles", Place, "place node kind holder lord"),
    DeclaredTable(both("What your groups see of places", "Che cosa vedono i tuoi gruppi nei luoghi"), "places_near",
                  Castle, "place resources muster", LEGEND),
    DeclaredTable(both("Convoys of others", "Convogli altrui"), "convoys", Convoy, "convoy faction node escort"),
    DeclaredTable(WHERE_THEY_GO, "convoys", Convoy, "convoy home goal heading came_from"),
    DeclaredTable(both("What your groups see of them", "Che cosa ne vedono i tuoi gruppi"), "convoys_near", Convoy,
                  "convoy animals driver cargo"),
    DeclaredTable(both("Siege trains of others", "Macchine d'assedio degli altri"), "trains", Train,
                  "train faction node escort came_from"),
    DeclaredTable(both("Engines that your groups see", "Macchine che i tuoi gruppi vedono"), "trains_near", Train,
                  "train rams galleries towers mangonels"),
    DeclaredTable(both("Their crews and oxen", "I loro uomini e buoi"), "trains_near", Train,
                  "train engineers oxen peasants"),
)
GROUPS_ON_THE_MAP = both("Groups on the map", "Gruppi sulla mappa")
MEN_AND_NOBLES = both("Men and nobles", "Uomini e nobili")
POUNDS_IN_THE_PURSES = both("Pounds in the purses", "Sterline nelle casse")
HUNGRY_GROUPS = both("Groups short of food for their next meal", "Gruppi senza cibo per il prossimo pasto")
CAPTIVES_TO_BE_ESCORTED = both("Groups of captives on their way", "Gruppi di prigionieri in cammino")
CASTLE_STARVES = both("{place:the} is besieged and has {n} {n?point|points} of food left: it surrenders at the close "
                      "of {day}, unless the siege is lifted or food comes in.",
                      "{place:il} è sotto assedio, e {n?resta|restano} {n} {n?punto|punti} di viveri: si arrende alla "
                      "chiusura {day}, se l'assedio non è tolto e non arrivano viveri.")
DAY_TO_COME = both("day {d}", "del giorno {d}")
THIS_DAY = both("this very day {d}", "di oggi, giorno {d}")
FOOD_IS_MISSING = both("{group:the} {group?needs|need} {food} for day {d}; on the spot: {there}. Short of food for "
                       "{k} {k?day|days} so far. Unless fed, starving on day {s}.",
                       "{group:a} {food} per il giorno {d}; sul posto: {there}. Viveri scarsi da {k} "
                       "{k?giorno|giorni}. Senza cibo, allo stremo il giorno {s}.")
NEAREST_FOOD = both("The nearest food: {list}.", "Il cibo più vicino: {list}.")
FOOD_FOR_GROUP = both("{k} {k?point|points} {hex:at}, {n} {n?hex|hexes} from {group:the}",
                      "{k} {k?punto|punti} {hex:dove}, a {n} {n?esagono|esagoni} {group:da}")
POINTS_OF_FOOD = both("{n} more {n?point|points} of food",
                      "{n?manca|mancano} {n} {n?punto|punti} di cibo")
POINTS_FOR_EACH = both("{n} more {n?point|points} of food each",
                       "{n?manca|mancano} {n} {n?punto|punti} di cibo ciascuno")
FOOD_IN_ALL = both("{n} in all, of {list:the}", "{n} in tutto, {list:di}")
NO_FOOD_THERE = both("nothing", "niente")
NO_FOOD_LEFT = both("nothing more", "nient'altro")
WHERE_FOOD_IS = both("Food for day {d} is had where a group ends day {n}, of a place or convoy there, or drawn on the "
                     "march (PROVISION).",
                     "Il cibo per il giorno {d} si trova dove un gruppo finisce il giorno {n}, da un luogo o da un "
                     "convoglio, o si preleva in marcia (RIFORNISCI).")
ESCORT_IS_MISSING = both("{p:the} need an escort from {hex:the} to {place:the}.",
                         "{p:il} hanno bisogno di una scorta {hex:da} {place:a}.")
GARRISON_IS_WEAK = both("{place:the} has {n} {n?defender|defenders} and needs {min}: {refill}.",
                        "{place:il} ha {n} {n?difensore|difensori} e {min?ne serve|ne servono} {min}: {refill}.")
GARRISON_IS_GONE = both("{place:the} has no defenders and needs {min}: {refill}.",
                        "{place:il} non ha difensori, {min?ne serve|ne servono} {min}: {refill}.")
PUT_THEM_IN = both("put men in from a group on its hex (GARRISON)",
                   "mettici uomini di un gruppo nel suo esagono (GUARNIGIONE)")
OR_IT_TAKES_THEM = both("put men in from a group on its hex (GARRISON), or it takes those of the lowest ranks by "
                        "itself",
                        "mettici uomini di un gruppo nel suo esagono (GUARNIGIONE), altrimenti prende da sé quelli di "
                        "rango più basso")
LOOT_IS_PROMISED = both("You have promised {mercs:the} {n} {n?point|points} of loot: {mercs?it tests its|they test "
                        "their} loyalty every morning until paid.",
                        "Hai promesso {n} {n?punto|punti} di bottino {mercs:a}: finché non {mercs?è pagato|è "
                        "pagata|sono pagati|sono pagate}, ogni mattina si prova la fedeltà.")
GARRISON_OF = both("the garrison of {place:the}", "la guarnigione {place:di}")
RANSOM_OF_NOBLE = both("{side:the} {side?holds|hold} {noble}: ransom £{n}, out of one group's purse (RANSOM).",
                       "{noble} è prigioniero {side:di}: riscatto £{n}, dalla cassa di un gruppo (RISCATTO).")


class AnarchyReports(Ruleset):
    """The methods that reports call on the ruleset."""

    def realm(self, campaign: Campaign) -> Field:
        """The campaign as a phase would see it now."""
        realm: Field = self.board(self.game(campaign))
        return realm

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """A row of public figures for each faction that plays a side."""
        realm = self.realm(campaign)
        return [{"faction": row.faction, "score": row.score, "castles": len(_castles(realm, row.faction)),
                 "looted": row.looted, "groups": len(_groups(realm, row.faction)),
                 "nobles": sum(n.faction == row.faction and n.at_large for n in realm.nobles)}
                for row in realm.factions if row.faction in realm.parties()]

    def ending(self, view: Campaign) -> Ending:
        """The result of the last day, its grounds, the points of each objective (1)."""
        return sieges.ending(self.realm(view), self.standings(view))

    def glance(self, view: Campaign, faction: str) -> Sequence[tuple[str, float]]:
        """Groups, men, pounds, hunger, captives, castles."""
        realm = self.realm(view)
        if faction not in realm.factions:
            return []
        mine = _groups(realm, faction)
        pounds, half = divmod(sum(a.money for a in mine), sheets.HALF_POUND)
        captives = [p for p in realm.prisoners if _is_captor(realm, p, faction) and p.on_their_way]
        return [(GROUPS_ON_THE_MAP, len(mine)),
                (MEN_AND_NOBLES, sum(realm.heads(a) for a in mine)),
                (POUNDS_IN_THE_PURSES, pounds + half / sheets.HALF_POUND if half else pounds),
                (HUNGRY_GROUPS, len(_short_of_food(realm, faction, if_they_stay=True))),
                (CAPTIVES_TO_BE_ESCORTED, len(captives)),
                (CASTLES_HELD, len(_castles(realm, faction)))]

    def places_held(self, view: Campaign, faction: str) -> int:
        """Castles held."""
        return len(_castles(self.realm(view), faction))

    def outcomes(self, view: Campaign, faction: str, events: Iterable[base.Event]) -> list[Said]:
        """Who won the battles of the own side, and their losses."""
        own = SideViewer(self.realm(view), faction)
        return battle_sentences(own.realm, faction, [e for e in events if own.took_part(str(e.data.get("b", "")))])

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Castles that starve, and what is due tomorrow: food, escorts, garrisons, ransoms."""
        realm = self.realm(view)
        lines = [*_siege_dues(realm, faction), *_food_dues(realm, faction)]
        lines += [Said(ESCORT_IS_MISSING, {"p": p.prisoners, "hex": p.node, "place": p.destination})
                  for p in realm.prisoners if p.state == "waiting" and _is_captor(realm, p, faction)
                  and not realm.at_goal(p)]
        lines += [Said(LOOT_IS_PROMISED, {"mercs": a.army, "n": a.promised}) for a in _groups(realm, faction)
                  if a.contract == "promised"]
        numbers = CastleNumbers.of(realm)
        least, refill = numbers.garrison_min, PUT_THEM_IN if numbers.garrison_refill == "warn" else OR_IT_TAKES_THEM
        lines += [Said(GARRISON_IS_WEAK if p.garrison else GARRISON_IS_GONE,
                       {"place": p.place, "n": p.garrison, "min": least, "refill": Said(refill)})
                  for p in _castles(realm, faction) if p.garrison < least]
        # money is kept in half-pounds
        lines += [Said(RANSOM_OF_NOBLE, {"side": n.captor, "noble": n.noble, "n": ransom_of(realm, n) // 2})
                  for n in realm.nobles if n.state == "prisoner" and n.faction == faction]
        return lines

    def own_places(self, view: Campaign, faction: str) -> list[str]:
        """The hexes of its castles."""
        return [place.node for place in _castles(self.realm(view), faction)]

    def foes(self, view: Campaign, faction: str) -> list[str]:
        """The clubs of the other side."""
        realm = self.realm(view)
        side = realm.side(faction)
        return [row.faction for row in realm.factions if realm.side(row.faction) not in (side, NEUTRAL)]

    def foes_seen(self, view: Campaign, faction: str) -> list[tuple[str, Said]]:
        """The garrisons of enemy castles on whose hexes the faction has a group."""
        realm = self.realm(view)
        here, enemy = {army.node for army in _groups(realm, faction)}, realm.foe(realm.side(faction))
        return [(p.node, Said(GARRISON_OF, {"place": p.place})) for p in realm.places
                if p.castle and p.exists and p.holder and p.holder == enemy and p.garrison and p.node in here]

    def steps_from(self, view: Campaign, place: str) -> Callable[[str], int | None]:
        """Hexes, whatever lies between."""
        return partial(Field.distance, place)

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """The dossier of a battle as kept when the phase stopped; for the referee both sides (15)."""
        return battles.kept_dossier(battle, self.realm(view).side(faction)) if isinstance(battle, sheets.Battle) else []

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Groups, nobles, places, convoys, trains, captives, wounded, castles, sieges, objectives."""
        realm = self.realm(view)
        groups, side = _groups(realm, faction), realm.side(faction)
        partners = [a for a in realm.active() if a.faction != faction and realm.side(a.faction) == side]
        nobles, castles = [n for n in realm.nobles if n.faction == faction], _castles(realm, faction)
        trains = [t for t in realm.trains if t.faction == faction and t.state == "active"]
        captives = [p for p in realm.prisoners if p.on_their_way or (p.state == "delivered" and realm.holds(p))]
        hurt = [w for w in realm.wounded if w.faction == faction and w.state in ("hurt", "in_care")]
        made = tables_of(
            OWN_TABLES, groups=groups, men=_men(realm, groups), partners=partners,
            men_of_partners=_men(realm, partners), trains=trains, armed_trains=[t for t in trains if t.engines],
            awaited=[a for a in realm.armies if a.faction == faction and a.state == "awaited"],
            nobles_held=[_held_row(realm, n) for n in nobles if n.state == "prisoner" and not n.player],
            **{"played_nobles" if any(n.player for n in nobles) else "nobles": nobles},
            castles=castles, garrisons=[_castle_row(p, "0") for p in castles],
            villages=[p for p in realm.places if not p.castle and realm.of_side(p, side)],
            sieges=[_siege_row(realm, side, s) for s in realm.sieges if s.state == "on"],
            convoys=[c for c in realm.convoys if c.faction == faction and c.state == "active"], captives=captives,
            captive_men=[_shown(Captives, p, muster=show_ranks(p.ranks), nobles=", ".join(
                n.noble for n in realm.captives(p))) for p in captives],
            wounded=[w for w in hurt if not w.noble], wounded_nobles=[w for w in hurt if w.noble],
            aims=sieges.aims_of(realm, faction))
        food = provisions.FoodNumbers.of(realm)
        hosts = {a.employer for a in groups if realm.is_attached(a) and provisions.is_fed(realm, a)}
        notes = {DAYS_OF_HUNGER: Said(DAYS_OF_HUNGER, {
                     "n": food.hunger_days, "least": food.supply_from,
                     "hosts": " ".join(sorted(hosts))}),
                 NO_FOOD_NO_CASTLE: Said(NO_FOOD_NO_CASTLE, {
                     "n": sieges.SiegeNumbers.of(realm).siege_days_per_point})}
        if realm.rules.neutral_band == "5_only":
            notes[WHAT_LOYALTY_IS] = Said(FIVE_IS_NEUTRAL)
        return [table._replace(note=notes.get(str(table.note), table.note)) for table in made]

    def aims(self, view: Campaign, lang: str) -> list[TableOf]:
        """The objectives of both sides, in the scenario's words, and what they are worth (1)."""
        return [TableOf("", sieges.Aim, ("faction", "objective", "points"), sieges.aims_of(self.realm(view), "", lang))]

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
        counters = TableOf(COUNTERS_AND_THEIR_ORDER, Army, ("army", *count, "faction", "cavalry", *march), marked)
        return [*([counters] if marked else []), *tables_of(
            TABLES_OF_OTHERS, enemies=_enemies(realm, faction), groups=groups,
            led=[a for a in groups if any(getattr(a, name) for name in _LEADS)],
            unhired=[a for a in groups if realm.is_unhired(a)],
            harmless=[a for a in groups if a.unarmed or (a.safe_on is not None and a.safe_on >= realm.day)],
            seen=_seen_of_others(realm, side),
            nobles=[n for n in nobles if n.at_large],
            nobles_out=[n for n in nobles if n.state != "free"], castles=[p for p in places if p.castle],
            places_near=[_castle_row(p) for p in places if p.node in hexes], convoys=convoys, trains=trains,
            convoys_near=[c for c in convoys if c.node in hexes], trains_near=[t for t in trains if t.node in hexes])]


def _siege_dues(realm: Field, faction: str) -> list[Said]:
    """The faction's castles that a siege starves out before the last day is over (16)."""
    mine, last = _castles(realm, faction), sieges.ScenarioNumbers.of(realm).days
    ends = [(place, _falls_on(realm, realm.sieges[place.place])) for place in mine if realm.is_besieged(place.place)]
    return [Said(CASTLE_STARVES, {"place": place.place, "n": place.resources, "day": Said(
        THIS_DAY if day == realm.day else DAY_TO_COME, {"d": day})}, grave=1) for place, day in ends if day <= last]


def _short_of_food(realm: Field, faction: str, *, if_they_stay: bool = False) -> list[tuple[Army, int]]:
    """The groups that must find food for the next meal themselves, and how many points: of this morning's what is left
    when their side has eaten on the spot (8.4), of tomorrow's only `if_they_stay`.
    """
    day, left, missing = _next_meal(realm), dict[str, int](), dict[str, int]()
    for army in realm.by_rank(a for a in realm.active() if realm.side(a.faction) == realm.side(faction)):
        points = provisions.own_need(realm, army) - army.provisions
        for source in provisions.food_sources(realm, army, "place") if points > 0 and (
                if_they_stay or day == realm.day) else ():
            eaten = min(points, left.setdefault(source.ident, _stock(source)))
            left[source.ident], points = left[source.ident] - eaten, points - eaten
        missing[army.army] = points
    is_over = day > sieges.ScenarioNumbers.of(realm).days
    return [(army, points) for army in _groups(realm, faction) if (points := missing[army.army]) > 0 and not is_over]


def _next_meal(realm: Field) -> int:
    """The day of the next meal, which is eaten in the morning before anybody marches."""
    return realm.day if realm.game.phase == "provisions" else realm.day + 1


def _stock(source: Place | Convoy) -> int:
    return source.cargo if isinstance(source, Convoy) else source.resources


def _food_dues(realm: Field, faction: str) -> list[Said]:
    """Who needs how much food for the next meal, groups in the same plight in one sentence, what food is there, and
    where tomorrow's is to be had.
    """
    short: dict[tuple[int, int, tuple[str, ...], int], list[str]] = {}
    for army, points in _short_of_food(realm, faction):
        there = provisions.food_sources(realm, army, "place")
        about = points, army.hungry_days, tuple(source.ident for source in there), sum(map(_stock, there))
        short.setdefault(about, []).append(army.army)
    day, most = _next_meal(realm), provisions.FoodNumbers.of(realm).hunger_days
    lines = [Said(FOOD_IS_MISSING, {
        "group": groups if groups[1:] else groups[0], "k": days or "",
        "s": day + most - days if 0 < days < most else "",
        "food": Said(POINTS_FOR_EACH if groups[1:] else POINTS_OF_FOOD, {"n": points}),
        "there": Said(NO_FOOD_THERE) if not there else Said(NO_FOOD_LEFT) if day == realm.day else
        Said(FOOD_IN_ALL, {"n": stock, "list": list(there)}),
        "d": day,
    }) for (points, days, there, stock), groups in short.items()]
    if not lines or day == realm.day:
        return lines
    near = [said for about, groups in short.items() if not about[2]
            for group in groups if (said := _nearest_food(realm, realm.armies[group])) is not None]
    nearest = [Said(NEAREST_FOOD, {"list": near})] if near else []
    return [*lines, Said(WHERE_FOOD_IS, {"d": day, "n": realm.day}), *nearest]


def _nearest_food(realm: Field, army: Army) -> Said | None:
    """Where the nearest food is that a group may take, of what its side sees; None without any."""
    side = realm.side(army.faction)
    open_to = [(realm.distance(army.node, p.node), -p.resources, p) for p in realm.places
               if p.resources > 0 and realm.open_to(p, side) and realm.sees_stores(side, p)
               and not realm.is_besieged(p.place) and not realm.is_shut_in(army)]
    away, _, place = min(open_to, key=lambda one: one[:2], default=(0, 0, None))
    return None if place is None else Said(FOOD_FOR_GROUP, {"group": army.army, "hex": place.node, "n": away,
                                                            "k": place.resources})


def _men(realm: Field, groups: list[Army]) -> list[Muster]:
    return [_shown(Muster, a, heads=realm.heads(a), muster=show_ranks(a.ranks), hurt=len(realm.hurt_men(a)),
                   need=provisions.own_need(realm, a), starves_next=provisions.will_starve(realm, a)) for a in groups]


def _seen_of_others(realm: Field, side: str) -> list[Seen]:
    """What the side saw last of each group that is not its own by now, such as a company that it has hired since."""
    last = {s.army: _shown(Seen, s) for s in sorted(realm.sightings, key=lambda s: s.turn) if s.viewer == side}
    return sorted((row for row in last.values() if (army := realm.armies.get(row.army)) is None
                   or realm.side(army.faction) != side), key=lambda row: (-row.turn, row.army))


def _enemies(realm: Field, faction: str) -> list[Enemy]:
    """The groups of the other side, how far they are from the faction's nearest group, and their heads as last seen."""
    side, own = realm.side(faction), [a for a in _groups(realm, faction) if not realm.is_attached(a)]
    seen = {row.army: f"{row.heads} ({row.turn})" for row in _seen_of_others(realm, side)}
    rows = []
    for army in realm.active():
        if own and realm.side(army.faction) not in (side, NEUTRAL):
            near = min(own, key=lambda mine: realm.distance(army.node, mine.node))
            rows.append(_shown(Enemy, army, away=realm.distance(army.node, near.node), near=near.army,
                               heads=seen.get(army.army, "")))
    return sorted(rows, key=lambda row: row.away)


def _castle_row(place: Place, nobody: str = "") -> Castle:
    return _shown(Castle, place, muster=show_ranks(place.ranks) or nobody)


def _siege_row(realm: Field, side: str, siege: Siege) -> SiegeToday:
    """A siege with what the view shows of the castle."""
    castle = realm.places[siege.place]
    seen = realm.sees_stores(side, castle)
    return _shown(SiegeToday, siege, faction=realm.faction_of(siege.besieger), muster=show_ranks(castle.ranks),
                  resources=castle.resources if seen else None, falls_on=_falls_on(realm, siege) if seen else None)


def _falls_on(realm: Field, siege: Siege) -> int:
    """The day at whose close a besieged castle has no food left if none comes in (16; rulebook: The close)."""
    castle, day, days = realm.places[siege.place], realm.day, siege.days + 1
    each = sieges.SiegeNumbers.of(realm).siege_days_per_point
    eaten = sum(provisions.own_need(realm, a) for a in realm.at(castle.node) if a.inside == castle.place)
    left = castle.resources - eaten * (_next_meal(realm) == day)
    while (left := left - (days % each == 0)) > 0:
        day, days, left = day + 1, days + 1, left - eaten
    return day


def _held_row(realm: Field, noble: Noble) -> Held:
    """A captive noble with what the view shows of those with whom he is held."""
    record = realm.prisoners.get(noble.held_in)
    return _shown(Held, noble, held_with=noble.held_in,
                  **{"node": record.node, "destination": record.destination} if record is not None else {})


def _groups(realm: Field, faction: str) -> list[Army]:
    return [a for a in realm.active() if a.faction == faction]


def _castles(realm: Field, faction: str) -> list[Place]:
    return [p for p in realm.places if p.castle and p.exists and p.holder and realm.wardens(p)[0] == faction]


def _is_captor(realm: Field, record: Prisoners, faction: str) -> bool:
    """Whether captives are a faction's: its group guards or took them; without such a group they are the side's."""
    keeper = realm.armies.get(record.escort) or realm.armies.get(record.captor_army)
    own = keeper is not None and realm.side(keeper.faction) == record.captor
    return keeper.faction == faction if own and keeper is not None else record.captor == realm.side(faction)


# The result of a battle for one side, in its report.


_HIT = r"(\S+)(?: \w)? (\d+)/(\d+)/(\d+)"
"""Losses in the form's shorthand: ``A-BOH K 0/1/0``, ``TAL 0/0/1``."""
WON, LOST, DRAWN = range(3)
OUTCOME = both("{how}. Your allies fought it without you: {own}. Losses of your side: {lost}; the enemy's: {fallen}.",
               "{how}. Hanno combattuto i tuoi alleati, senza di te: {own}. Perdite della tua parte: {lost}; quelle "
               "nemiche: {fallen}.")
"""A battle as a side reads it: how it went, then its price."""
HOW_IT_WENT: Mapping[tuple[str, bool], tuple[str, str, str]] = {
    # groups on both sides
    ("field", True): (
        both("Your side won {battle:the} against {armies:the}",
             "La tua parte ha vinto {battle:il} contro {armies:il}"),
        both("Your side lost {battle:the} against {armies:the}",
             "La tua parte ha perso {battle:il} contro {armies:il}"),
        both("Your side drew {battle:the} against {armies:the}",
             "La tua parte ha pareggiato {battle:il} contro {armies:il}")),
    # how it went for those who attacked a place that no group held
    ("assault", True): (
        both("Your side took {place:the}", "La tua parte ha preso {place:il}"),
        both("Your side failed to take {place:the}", "La tua parte non è riuscita a prendere {place:il}"),
        both("Your side has not taken {place:the}: the fight was a draw",
             "La tua parte non ha preso {place:il}: lo scontro è finito pari")),
    # how it went for those whose place it is
    ("assault", False): (
        both("{place:the} held out against {armies:the}", "{place:il} ha resistito {armies:a}"),
        both("Your side lost {place:the} to {armies:the}",
             "{armies:il} {armies?ha|hanno} preso {place:il} alla tua parte"),
        both("{place:the} held out against {armies:the}: the fight was a draw",
             "{place:il} ha resistito {armies:a}: lo scontro è finito pari")),
    # how it went for those who sacked a place: it changes no owner
    ("sack", True): (
        both("Your side beat the people of {place:the} and sacked it",
             "La tua parte ha battuto la gente {place:di} e ha saccheggiato tutto"),
        both("The people of {place:the} drove your side off", "La gente {place:di} ha respinto la tua parte"),
        both("Your side fought the people of {place:the}, and it was a draw",
             "La tua parte ha combattuto la gente {place:di}, ed è finita pari")),
    # how it went for the side of the people who were sacked
    ("sack", False): (
        both("The people of {place:the} drove off {armies:the}", "La gente {place:di} ha respinto {armies:il}"),
        both("Your side could not keep {armies:the} from sacking {place:the}",
             "{armies:il} {armies?ha|hanno} battuto la gente {place:di} e {armies?ha|hanno} saccheggiato tutto"),
        both("The people of {place:the} fought {armies:the}, and it was a draw",
             "La gente {place:di} ha combattuto {armies:il}, ed è finita pari")),
    # how it went for the side whose garrison sallied alone
    ("sally", False): (
        both("The garrison of {place:the} sallied and beat {armies:the}",
             "La guarnigione {place:di} ha fatto una sortita e ha battuto {armies:il}"),
        both("The garrison of {place:the} sallied and was beaten by {armies:the}",
             "La guarnigione {place:di} ha fatto una sortita ed è stata battuta {armies:da}"),
        both("The garrison of {place:the} sallied, and the fight with {armies:the} was a draw",
             "La guarnigione {place:di} ha fatto una sortita, e lo scontro con {armies:il} è finito pari")),
    # how it went for those against whom a garrison sallied alone
    ("sally", True): (
        both("Your side beat off a sally of the garrison of {place:the}",
             "La tua parte ha respinto una sortita della guarnigione {place:di}"),
        both("A sally of the garrison of {place:the} beat {besiegers:the}",
             "Una sortita della guarnigione {place:di} ha battuto {besiegers:il}"),
        both("A sally of the garrison of {place:the} ended in a draw",
             "Una sortita della guarnigione {place:di} è finita pari")),
}
"""Sort of battle, and whether the side had a group in it -> what is told of it if it was won, lost, drawn."""
LOSSES = (both("{n} killed", "{n} {n?ucciso|uccisi}"), both("{n} wounded", "{n} {n?ferito|feriti}"),
          both("{n} captured", "{n} {n?prigioniero|prigionieri}"))
NO_LOSSES = both("none", "nessuna")


def battle_sentences(realm: Field, faction: str, events: Iterable[base.Event]) -> list[Said]:
    """A sentence for each battle of the faction's side among the events, in their order."""
    told = [event for event in events if event.event == "battle_result"]
    sentences, side = [], realm.side(faction)
    for event in told:
        row = realm.battles.get(str(event.data.get("b", "")))
        if row is None or "outcome" not in event.data:
            continue
        mine, winner = _side_in_battle(realm, row, side), battles.WINNER.get(str(event.data["outcome"]), "")
        how = DRAWN if not winner else WON if winner == mine else LOST
        lists = [str(e.data.get("list", "")) for e in told if e.data.get("b") == row.battle
                 and e.data.get("part") == "losses"]
        lost, fallen = (_losses(realm, row, part, lists) for part in (mine, battles.other_side(mine)))
        sentences.append(Said(OUTCOME, {
            "how": Said(_texts(row, mine)[how], {
                "battle": row.battle, "place": row.place, "armies": str(getattr(row, battles.other_side(mine))),
                "besiegers": str(getattr(row, mine))}),
            "own": _allies_alone(realm, row, mine, faction), "lost": lost, "fallen": fallen}))
        sentences += _men_on_both_sides(row, side, mine) + _booty(realm, row, event)
    return sentences


BOOTY = both("The winner's booty: {list}.", "Bottino del vincitore: {list}.")


def _booty(realm: Field, row: sheets.Battle, result: base.Event) -> list[Said]:
    """The convoys and trains that the winner of a battle took along; a group fights once a day."""
    fell = [str(e.data["x"]) for e in realm.events if e.event == "prize" and e.data.get("choice") == "take"
            and e.turn == result.turn and e.data.get("group") in f"{row.attackers} {row.defenders}".split()]
    return [Said(BOOTY, {"list": fell}, why=True)] if fell else []


MEN_ON_BOTH_SIDES = both("{n} {n?man|men} of yours against {m}.", "{n} {n?uomo|uomini} dei tuoi contro {m}.")
MEN_AGAINST_MORE = both("{n} {n?man|men} of yours against at least {m}.",
                        "{n} {n?uomo|uomini} dei tuoi contro almeno {m}.")


def _men_on_both_sides(row: sheets.Battle, side: str, mine: str) -> list[Said]:
    """How many men fought, by the dossier of a side; [] where it says nothing of the enemy's."""
    men, unseen = {True: 0, False: 0}, False
    for line in battles.kept_dossier(row, side):
        enemy = line.label == battles.THE_ENEMY or (line.label == battles.THE_LEVY and bool(getattr(row, mine)))
        if "men" in line.data and line.text != battles.CAPTIVES_LED:
            men[enemy] += sum(map(int, re.findall(r"\d+", str(line.data["men"]))))
        unseen |= line.text == battles.ENEMY_GROUP
    text = MEN_AGAINST_MORE if unseen else MEN_ON_BOTH_SIDES
    return [Said(text, {"n": men[False], "m": men[True]}, why=True)] if men[True] else []


def _texts(row: sheets.Battle, mine: str) -> tuple[str, str, str]:
    """The texts for a battle, by who fought whom: a garrison or a levy has no group."""
    alone = row.kind if row.kind in ("sally", "sack") else "assault"
    return HOW_IT_WENT["field" if row.attackers and row.defenders else alone, bool(getattr(row, mine))]


def _allies_alone(realm: Field, row: sheets.Battle, mine: str, faction: str) -> str:
    """The groups of a side in a battle where none of them is the faction's own; "" where one is, or where there are
    none.
    """
    units = str(getattr(row, mine)).split()
    owners = {army.faction for unit in units if (army := realm.armies.get(unit)) is not None}
    return "" if faction in owners else " ".join(units)


def _side_in_battle(realm: Field, row: sheets.Battle, side: str) -> str:
    """Whether a side is attackers or defenders; the part without a group is the castle's or village's."""
    for part in battles.SIDES:
        groups = [realm.armies.get(unit) for unit in str(getattr(row, part)).split()]
        if any(army is not None and realm.side(army.faction) == side for army in groups):
            return part
    return battles.ATTACKERS if not row.attackers else battles.DEFENDERS


def _losses(realm: Field, row: sheets.Battle, part: str, lists: list[str]) -> list[Said] | str:
    """What a part of a battle lost: ``4 killed, 1 captured``; "" if no losses were listed."""
    if not lists:
        return ""
    counts = [0] * len(LOSSES)
    for who, *hits in (match for text in lists for match in re.findall(_HIT, text)):
        if _side_of_hit(realm, row, who) == part:
            counts = [before + int(n) for before, n in zip(counts, hits, strict=True)]
    return [Said(text, {"n": n}) for text, n in zip(LOSSES, counts, strict=True) if n] or [Said(NO_LOSSES)]


def _side_of_hit(realm: Field, row: sheets.Battle, who: str) -> str:
    """Whether a group, castle, levy, noble or train fought for the attackers or defenders."""
    for part in battles.SIDES:
        if who in str(getattr(row, part)).split():
            return part
    owner = realm.nobles.get(who) or realm.trains.get(who)
    if owner is not None:
        return _side_in_battle(realm, row, realm.side(owner.faction))
    return battles.ATTACKERS if row.kind == "sally" else battles.DEFENDERS
