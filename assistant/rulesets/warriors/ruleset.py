"""Fantasy Warriors as a ruleset: what is shown of it, the turn, its end, and the checks of its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref
from assistant.campaign.map import misplaced_nodes, position_of
from assistant.campaign.records import REFEREE, Event, Rule, code_lookup
from assistant.campaign.records import Order as SharedOrder
from assistant.campaign.tables import Record
from assistant.rulesets.warriors import (
    ROLLS,
    VOCABULARY,
    WAY,
    aftermath,
    book,
    both,
    land,
    marches,
    movement,
    muster,
    orders,
    records,
    robot,
    will,
)
from assistant.rulesets.warriors import battle as battles
from assistant.rulesets.warriors.land import NO_ORDER, Country, Skies, skies_over
from assistant.rulesets.warriors.records import (
    BATTLES,
    PRINTED,
    RECORDS,
    TURN,
    Army,
    Battle,
    BattleArmy,
    BattleUnit,
    Boat,
    Desk,
    Node,
    Numbers,
    Order,
    Question,
    Relation,
    Road,
    Terrain,
    Unit,
    UnitType,
    Wounded,
    Zone,
)
from assistant.turn.calendar import OVER, Calendar, Turns
from assistant.turn.event_types import DeclaredTable, Ending, Said, TableOf, codes_in, sparse_table, tables_of
from assistant.turn.findings import Finding, Where, finding_at
from assistant.turn.game import Game, Phase, Step
from assistant.turn.map_symbols import NONE, UNCOUNTED, Looks, Marks, Visibility
from assistant.turn.numbers import strip_prefix
from assistant.turn.orders.requests import role
from assistant.turn.orders.verbs import order_book
from assistant.turn.questions import Ask, Waiting
from assistant.turn.ruleset import Ruleset, Wing, fill_in_tables
from assistant.turn.texts import keyed
from assistant.turn.views import Chance, Viewer, draw_unseen

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
        units = game.campaign.table(Unit).where(lambda unit: unit.army == row.ident)
        return str(sum(unit.figures for unit in units) or "")

    def unseen_places(self, game: Game, faction: str) -> Mapping[str, tuple[Visibility, str]]:
        """Squares out of the reader's sight, with the turn in which they were last seen."""
        land = Country(game)
        if faction in ("", REFEREE) or land.rules.fog == "open":
            return NONE
        eyes, sight = land.eyes(faction), land.rules.sight
        stood, looked = _last_seen(land, faction)
        squares: dict[str, tuple[Visibility, str]] = {}
        for row in land.nodes:
            if not any(land.map.distance(eye, row.node) <= sight for eye in eyes):
                turns = [turn for eye, turn in stood.items() if land.map.distance(eye, row.node) <= sight]
                turns += [looked[row.node]] if row.node in looked else []
                squares[row.node] = "earlier", max(turns, key=int, default="")
        return squares


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
            side = next((army.side for army in self.land.battle_armies if army.battle == row.battle
                         and self.owns_army(army.army)), "")
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
        by_boat: dict[str, list[Army]] = {}
        for army in self.land.active():
            by_boat.setdefault(army.aboard, []).append(army)
        return by_boat

    @cached_property
    def _fought_battles(self) -> set[str]:
        return {row.battle for row in self.land.battle_armies if row.side and self.owns_army(row.army)} | {
            row.battle for row in self.land.battles if self.is_one_of(row.attacker, row.defender)}

    def took_part(self, battle: str) -> bool:
        """Whether the reader has a part in a battle."""
        return battle in self._fought_battles

    def knows_battle(self, battle: str) -> bool:
        """Whether the reader may know of a battle."""
        row = self.land.battles.get(battle)
        return row is not None and (self.land.rules.fog == "open" or self.took_part(battle) or self._near(row.node))


FORCES_ON_THE_MAP = both("Forces on the map", "Forze sulla mappa")
FIGURES = both("Figures", "Miniature")
WOUNDED = both("Wounded", "Feriti")
PLACES_HELD = both("Places held", "Luoghi tenuti")
POINTS_IN_STORE = both("Points in store", "Punti in scorta")
WILL_TO_FIGHT = both("Will to fight", "Volontà di combattere")
OMEN_IN_FORCE = both("A bad omen takes {n} from the next test of the will.",
                     "Un cattivo presagio toglie {n} al prossimo test della volontà.")
WHEN_IT_ENDS = both("It ends when those who are left are at war with nobody: they have won. If not, it ends after the "
                    "last turn, and the best score wins. Score: battles won less those lost, strongholds taken less "
                    "those lost, {n} for each enemy capital, {m} less if one's own is lost. It is also added to the "
                    "die of the will to fight: below zero, one is out.",
                    "Finisce quando chi resta non è più in guerra con nessuno: ha vinto. Altrimenti finisce dopo "
                    "l'ultimo turno, e vince il punteggio migliore. Punteggio: battaglie vinte meno quelle perse, "
                    "capisaldi presi meno quelli perduti, {n} per ogni capitale nemica, {m} in meno se è perduta la "
                    "propria. Si aggiunge anche al dado della volontà di combattere: chi scende sotto zero è fuori.")
"""The note below it, with the numbers of the sheet of rules."""
OWN_TABLES = (
    DeclaredTable(both("Your Forces", "Le tue Forze"), "forces", Army, "army node order reaction vc",
                  both("Order march: a forced march. V.C.: the commander's command value, added to the Force's tests. "
                       "Reaction: how the last battle or a failed test has left it until it takes a new order. "
                       "Confused, it begins a battle disorganised; unsteady, demoralised too; routed, it collapses "
                       "where an enemy comes.",
                       "V.C.: valore di comando del condottiero, si aggiunge ai test della Forza. Reazione: come "
                       "l'hanno lasciata l'ultima battaglia o un test fallito, finché non riceve un nuovo ordine. "
                       "Confusa, inizia una battaglia disorganizzata; instabile, anche demoralizzata; in rotta, crolla "
                       "dove arriva un nemico.")),
    sparse_table(both("Their commanders", "I loro condottieri"), "forces", Army,
                 "army commander chief commander_state commander_back"),
    sparse_table(both("Their state", "Il loro stato"), "forces", Army, "army aboard fieldworks",
                 both("Field works: points of defences on the table, lost when the Force leaves.",
                      "Opere da campo: punti di difese sul tavolo, perduti quando la Forza si sposta.")),
    sparse_table(both("For their next tests and moves", "Per i loro prossimi test e movimenti"), "forces", Army,
                 "army will_marker supply_mod guides",
                 both("Will marker and supply: taken from the next Force test. Guides: added to the next die of "
                      "movement.",
                      "Segnalino volontà e viveri: si tolgono al prossimo test della Forza. Guide: si aggiungono al "
                      "prossimo dado di movimento.")),
    sparse_table(both("If they are attacked", "Se vengono attaccate"), "may_step_back", Army,
                 "army on_contact retreat_to",
                 both("Counter march: it steps back without a battle if its test succeeds. The others fight.",
                      "Contromarcia: arretra senza battaglia se il test riesce. Le altre combattono.")),
    DeclaredTable(both("The weather where they are", "Il tempo dove si trovano"), "weather", Skies,
                  "zone land_mod explore_mod missiles fords_closed",
                  both("Movement, exploration: added to their dice.",
                       "Movimento, esplorazione: si aggiungono ai loro dadi.")),
    DeclaredTable(both("Your Units", "Le tue Unità"), "units", Unit, "unit army figures figures_start points",
                  both("At start: the most figures it may have again, wounded included. Points: what each figure costs "
                       "and counts. Quality is average where nothing else is said.",
                       "All'inizio: fino a quante miniature può tornare ad avere, feriti compresi. Punti: quanto costa "
                       "e quanto vale ogni miniatura. La qualità è media se non è detto altro.")),
    sparse_table(both("What some of them are", "Che cosa sono alcune di loro"), "units", Unit,
                 "unit quality mounted mercenary scouts"),
    sparse_table(both("More about some of them", "Altro su alcune di loro"), "units", Unit,
                 "unit wizard native_of leaves crossing_lost"),
    DeclaredTable(both("Your wounded", "I tuoi feriti"), "wounded", Wounded, "unit count due",
                  both("Back in turn: with the reinforcements of that turn they fight again.",
                       "Rientrano con i rinforzi di quel turno.")),
    DeclaredTable(both("Your places", "I tuoi luoghi"), "places", Node, "node place founder store",
                  both("Belongs to: whose it was at the beginning; you hold all of these. Store: points for "
                       "reinforcements.",
                       "Appartiene a: di chi era all'inizio; adesso li tieni tutti tu. Scorta: punti per i rinforzi.")),
    DeclaredTable(both("Your boats", "I tuoi natanti"), "boats", Boat, "boat node kind barges capacity"),
    DeclaredTable(both("What you may raise", "Che cosa puoi arruolare"), "types", UnitType,
                  "name quality points mounted"),
    DeclaredTable(both("What ends the campaign", "Che cosa chiude la campagna"), "ends", will.Aim,
                  "faction at_war score turns", clock=will.clock),
)
UNDEFENDED = both("There was no battle: no Force of who held it stood there.",
                  "Non c'è stata battaglia: sul posto non c'era nessuna Forza di chi teneva il luogo.")
STEPPED_BACK = both("It stepped back before {army:the}, and its own turn to march was still to come.",
                    "È arretrata davanti {army:a}: il suo turno di marciare doveva ancora venire.")
LEFT_ALONE = both("Whoever takes a place must leave a Force in it.", "Chi prende un luogo deve lasciarci una Forza.")
WHAT_A_UNIT_NEEDS = both("Points: for each figure, from the store of the place. A new Unit has at least {n} "
                         "{n?figure|figures}. In the order raise a type is called by its name.",
                         "Punti: per ogni miniatura, dalla scorta del luogo. Una nuova Unità ha almeno {n} "
                         "{n?miniatura|miniature}. Nell'ordine arruola un tipo si chiama con il suo nome.")
"""The note below the types, with the number of figures that is typed on the sheet of rules."""
TABLES_OF_OTHERS = (
    DeclaredTable(both("Forces of others", "Forze altrui"), "forces", Army, "army faction node aboard"),
    DeclaredTable(both("Units of allies", "Unità degli alleati"), "units", Unit, "unit army quality figures"),
    DeclaredTable(both("Places of others", "Luoghi altrui"), "places", Node, "node place founder holder"),
    DeclaredTable(both("Boats of others", "Natanti altrui"), "boats", Boat, "boat faction node kind"),
)


class WarriorsReports(Ruleset):
    """What the reports ask of the ruleset."""

    def country(self, campaign: Campaign) -> Country:
        """The campaign as a phase would see it now."""
        land: Country = self.board(self.game(campaign))
        return land

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """A row for each faction with what all may count, best score first; no score if the fog hides its parts."""
        land = self.country(campaign)
        rows = [(None if row.won is None else will.score(land, row.faction) if row.plays else 0, row.faction)
                for row in land.factions if row.role not in base.OWNERLESS]
        return [{"faction": code, "score": points, "places": self.places_held(campaign, code),
                 "Forces": sum(army.faction == code for army in land.active())}
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
        own = land.active(faction)
        units = {unit.unit for army in land.armies if army.faction == faction for unit in land.units_of(army.army)}
        return [(FORCES_ON_THE_MAP, len(own)),
                (FIGURES, sum(land.figures(army.army) for army in own)),
                (WOUNDED, sum(row.count for row in land.wounded if row.unit in units)),
                (PLACES_HELD, self.places_held(view, faction)),
                (POINTS_IN_STORE, sum(node.store for node in land.nodes if node.holder == faction)),
                (WILL_TO_FIGHT, sum(will.will_modifiers(land, faction).values()))]

    def places_held(self, view: Campaign, faction: str) -> int:
        """Strongholds and capitals held."""
        return len(self.country(view).places(faction))

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """A test of the will that is due, an omen, markers."""
        land = self.country(view)
        row = land.factions.get(faction)
        omen = row.omen if row is not None else 0
        due = [will.test_ahead(land, row)] if row is not None and row.will_due else []
        return [*due, *([Said(OMEN_IN_FORCE, {"n": -omen})] if omen else [])]

    def outcomes(self, view: Campaign, faction: str, events: Iterable[base.Event]) -> list[Said]:
        """What its battles cost both sides at the table, and its Forces in the end; the battle itself tells who won."""
        return list(aftermath.costs(self.country(view), faction, events))

    def dossier(self, view: Campaign, battle: base.Battle, faction: str) -> list[Said]:
        """The hand-over of a battle to one side, or to the referee (rulebook: Dossier)."""
        return battles.dossier(self.country(view), battle, faction) if isinstance(battle, Battle) else []

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Own Forces, Units, wounded, places, boats."""
        land = self.country(view)
        own = [army for army in land.armies if army.faction == faction and army.left]
        units = [unit for army in own for unit in land.units_of(army.army)]
        known, plays = {unit.unit for unit in units}, faction in land.factions and not self.is_over(view)
        made = tables_of(
            OWN_TABLES, forces=own,
            may_step_back=own if marches.MarchNumbers.of(land).counter_march == "on" else [],
            weather=skies_over(land, own) if view.desk.phase != "weather" else [],  # which throws a new one
            units=units,
            wounded=[row for row in land.wounded if row.unit in known],
            places=land.places(faction),
            boats=[boat for boat in land.boats if boat.faction == faction],
            types=[kind for kind in land.types if plays and kind.is_for(land.factions[faction].people)],
            ends=will.aims(land, faction) if plays else [])
        rules = will.WillNumbers.of(land)
        notes = {UnitType: Said(WHAT_A_UNIT_NEEDS, {"n": muster.MusterNumbers.of(land).unit_min}),
                 will.Aim: Said(WHEN_IT_ENDS, {"n": rules.will_capital_taken, "m": -rules.will_capital_lost})}
        return [table._replace(note=notes.get(table.record, table.note)) for table in made]

    def foes(self, view: Campaign, faction: str) -> list[str]:
        """The factions in play with which one is at war."""
        land = self.country(view)
        return [row.faction for row in land.players() if land.hostile(row.faction, faction)]

    def is_bound(self, view: Campaign, a: str, b: str) -> bool:
        """Whoever is not at war with the other."""
        return not self.country(view).hostile(a, b)

    def die_came_to(self, view: Campaign, key: str, total: int) -> Said | None:
        """Whether a random event comes, and which; what it brings its own event tells."""
        word = key.partition("/")[0]
        if word == muster.EVENT.word:
            on = muster.RandomEventNumbers.of(self.country(view)).event_on
            return Said(muster.EVENT_COMES if total >= on else muster.NO_EVENT)
        row = next((row for row in view.table(records.RandomEvent) if row.roll == total), None)
        if word != muster.EVENT_TABLE.word or row is None:
            return None
        return Said(muster.WHICH_EVENT, {"name": row.name, "name_it": row.name_it or row.name})

    def cause_of(self, view: Campaign, faction: str, event: base.Event) -> Said | None:
        """Why a Force was seen to go from where one's own came, and why a place fell to or from the faction without a
        battle; none where a Force gave way, which is told itself: who took the place only sees one that counter-marched
        go.
        """
        if event.event == "seen":
            before = marches.gave_way_to(self.country(view), faction, event)
            return Said(STEPPED_BACK, {"army": before}) if before else None
        gave_way = ("collapsed", "counter_marched" if faction == event.data.get("was") else "seen")
        if event.event != "place_taken" or faction not in (event.data["was"], event.data["to"]) or any(
                (row.turn, row.node) == (event.turn, event.data["node"]) for row in view.table(Battle)) or any(
                (told.turn, told.data.get("node")) == (event.turn, event.data["node"])
                for told in view.table(base.Event) if told.event in gave_way):
            return None
        return Said(UNDEFENDED if event.data["to"] else LEFT_ALONE)

    def steps_from(self, view: Campaign, place: str) -> Callable[[str], int | None]:
        """Squares, whatever lies between."""
        land = self.country(view)
        known = place in land.nodes
        return lambda there: land.map.distance(place, there) if known and there in land.nodes else None

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Forces, places and boats of others; of allies what they share."""
        land = self.country(view)
        others = [army for army in land.active() if army.faction != faction]
        return tables_of(
            TABLES_OF_OTHERS, forces=others,
            units=[unit for army in others for unit in land.units_of(army.army) if unit.figures],
            places=[place for place in land.places() if place.holder != faction],
            boats=[boat for boat in land.boats if boat.faction != faction])


# Answers without a question, and answers of another faction (WAR-602, 603; rulebook: Questions).


ANSWER_FINDINGS = (
    book.error("WAR-601", "'{answer}' is not one of: {options}. The question stays open.",
               "'{answer}' non è tra: {options}. La domanda resta aperta."),
    book.error("WAR-602", "{faction:the} {faction?was|were} not asked this.", "La domanda non era per {faction:il}."),
    book.warning("WAR-603", "Nobody asked '{question}'; ignored.", "Nessuno ha chiesto '{question}': ignorata."),
)
RESULT_QUESTION = "result"
"""Of a battle's result each club has an answer of its own."""


def check_answers(land: Country) -> None:
    """The last step of each phase: an answer by another faction does not count, and its question stays open."""
    table, foreign = land.campaign.table(Question), list[Ask]()
    for ask in land.game.asked:
        name = land.game.name_of(ask)
        row = table.get(Question(question=name, turn=land.game.turn, phase=land.game.phase).ident)
        if row is not None and row.answer.strip() and ask.kind != RESULT_QUESTION and (
                row.to not in ("", ask.to, REFEREE)):
            land.game.find("WAR-602", Where(Question.sheet, row.ident, "answer"), row.to, faction=row.to)
            land.game.outdated.add(name)
            foreign.append(ask)
    if foreign:
        raise Waiting(foreign)
    for question in land.game.unasked_questions():
        land.find("WAR-603", question, "question", question.to, question=question.question)


# Preparation of a new campaign, older forms of its files, and checks of its data (WAR-701 to 710).
#
# See rulebook: Records.


PREFIX = "fantasy."
USUAL_VC = range(1, 5)
SINGLE_ZONE = "all"
"""The zone of squares that name none, temperate."""
FIRST = ("weather", "orders")
"""The phases with which a campaign may begin."""
DATA_FINDINGS = (
    book.error("WAR-701", "Unknown terrain, quality, climate or kind '{value}'.",
               "Terreno, qualità, clima o tipo '{value}' sconosciuto."),
    book.error("WAR-702", "{a:the} and {b:the} are the same square (x, y).",
               "{a:il} e {b:il} sono lo stesso quadrato (x, y).", means=WAY),
    book.error("WAR-703", "Link {road}: {a} and {b:the} do not touch, or they are joined twice by the same kind.",
               "Via {road}: {a:il} e {b:il} non confinano, o sono uniti due volte dallo stesso tipo.", means=WAY),
    book.error("WAR-704",
               "{faction:the} {faction?has|have} {n} {n?capital|capitals}; one is needed. A place needs a founder.",
               "{faction:il} {faction?ha|hanno} {n} {n?capitale|capitali}: ne serve una. Un luogo deve avere un "
               "fondatore."),
    book.error("WAR-705", "{army} stands in water and is not aboard.",
               "{army:il} {army?è|sono} in acqua e non a bordo."),
    book.warning("WAR-706", "V.C. {vc} is outside 1 to 4.", "V.C. {vc} fuori da 1-4."),
    book.error("WAR-707", "{a:the} and {b:the} stand twice in Relations.",
               "{a:il} e {b:il} sono due volte in Rapporti.", means={"a": "faction", "b": "faction"}),
    book.error("WAR-708", "{army} has an order and a reaction, or neither.",
               "{army:il} {army?ha|hanno} un ordine e una reazione, o nessuno dei due."),
    book.error("WAR-709", "{faction:the} {faction?has|have} {n} commanders-in-chief; one is needed.",
               "{faction:il} {faction?ha|hanno} {n} comandanti supremi: ne serve uno."),
    book.warning("WAR-710",
                 "The Forces of {faction:the} cost {n} {n?point|points}, commanders included; {most} {most?is "
                 "allowed|are allowed}.",
                 "Le Forze {faction:di} costano {n} {n?punto|punti}, condottieri compresi; {most?se ne può avere|se ne "
                 "possono avere} {most}."),
)
_finding_at = partial(finding_at, keyed(*DATA_FINDINGS))


def normalise_rows(campaign: Campaign) -> None:
    """Bring older forms of files up to date.

    Keys of rules lose the book's name, rows of Orders without a number get one, the Italian word for a turn its code.
    """
    rules = campaign.table(Rule)
    strip_prefix(rules, PREFIX, rules.keys())
    last: Counter[tuple[str, str]] = Counter()
    for _, order in campaign.table(Order).in_file_order():
        if order.phase.casefold() in ("", "turno"):
            order.phase = TURN
        whose = (order.turn, order.faction)
        if order.seq is None:
            order.seq = last[whose] + 1
        last[whose] = max(last[whose], order.seq if isinstance(order.seq, int) else 0)


def prepare_campaign(campaign: Campaign, first: str) -> None:
    """Fill in what a new campaign needs: turn and phase, tables, places of squares, strengths at the start."""
    desk = next(iter(campaign.table(Desk)))
    desk.turn, desk.phase = desk.turn or "1", desk.phase or first
    for table in fill_in_tables(campaign, PRINTED, Path(__file__).with_name("tables")):
        _use_codes(campaign, table.record, code_lookup(table))
    for node in campaign.table(Node):
        place = position_of(node)
        if place is not None:
            node.x, node.y = place
        if node.place != "none":
            node.founder = node.founder or node.territory
            if desk.turn == "1" and not node.holder:
                node.holder = node.founder
    for unit in campaign.table(Unit):
        if unit.figures_start is None:
            unit.figures_start = unit.figures
    without = campaign.table(Node).where(lambda node: not node.zone)
    for node in without:
        node.zone = SINGLE_ZONE
    if without and SINGLE_ZONE not in campaign.table(Zone):
        campaign.table(Zone).add(Zone(zone=SINGLE_ZONE, name="All", name_it="Tutto"))
    for army in campaign.table(Army):
        army.order = army.order or ("explore" if army.reaction == "none" else NO_ORDER)


def _use_codes(campaign: Campaign, of: type[Record], known: dict[str, str]) -> None:
    """Replace Italian names of a default table's rows by their codes in the columns that refer to it."""
    for record in (Node, Zone):
        for name in (c.name for c in record.columns() if isinstance(c.kind, Ref) and c.kind.table == of.sheet):
            for row in campaign.table(record):
                setattr(row, name, known.get(getattr(row, name).casefold(), getattr(row, name)))


def _words(land: Country) -> Iterator[Finding]:
    """WAR-701: words that no table and no column knows."""
    for record in (Unit, UnitType, Boat, Road, Node, Zone):
        for column in record.columns():
            if isinstance(column.kind, Choice | Ref) and column.kind.own_finding:
                known = (column.kind.options if isinstance(column.kind, Choice)
                         else land.campaign.by_sheet(column.kind.table))
                for row in land.campaign.table(record):
                    if (value := getattr(row, column.name)) and value not in known:
                        yield _finding_at("WAR-701", row, column.name, value=value)


def _squares(land: Country) -> Iterator[Finding]:
    """WAR-702, 703: squares that lie on one another or nowhere, links that join what does not touch."""
    for node, other in misplaced_nodes(land.nodes):
        yield _finding_at("WAR-702", node, "x", a=other or node.node, b=node.node)
    seen: Counter[tuple[frozenset[str], str]] = Counter()
    for road in land.roads:
        pair = (frozenset((road.a, road.b)), road.kind)
        seen[pair] += 1
        if not land.map.touch(road.a, road.b) or seen[pair] > 1:
            yield _finding_at("WAR-703", road, "b", road=road.road, a=road.a, b=road.b)


def _factions(land: Country) -> Iterator[Finding]:
    """WAR-704, 709, 710: one capital, one commander-in-chief, a founder for each place; that each has one, and no more
    points than agreed, is asked of a campaign that has not begun, of who has places, where others have theirs.
    """
    begins = land.turn == 1 and land.desk.phase in FIRST
    crowned, led = any(node.place == "capital" for node in land.nodes), any(army.chief for army in land.active())
    for place in land.places():
        if not place.founder:
            yield _finding_at("WAR-704", place, "founder", faction=place.node, n=0)
    for row in land.players():
        founded = [place.place for place in land.places() if place.founder == row.faction]
        capitals, settled = founded.count("capital"), begins and bool(founded)
        if capitals > 1 or (settled and crowned and not capitals):
            yield _finding_at("WAR-704", row, "faction", faction=row.faction, n=capitals)
        own = land.active(row.faction)
        chiefs = sum(army.chief for army in own)
        if chiefs > 1 or (settled and led and own and not chiefs):
            yield _finding_at("WAR-709", row, "faction", faction=row.faction, n=chiefs)
        rules = muster.MusterNumbers.of(land)
        cost, most = sum(land.strength(army.army) + army.vc * rules.commander_cost for army in own), rules.army_points
        if begins and cost > (most or cost):
            yield _finding_at("WAR-710", row, "faction", faction=row.faction, n=cost, most=most)


def _forces(land: Country) -> Iterator[Finding]:
    """WAR-705, 706, 708: Forces in the water, unusual V.C., order and reaction at once."""
    for army in land.armies:
        if army.active and land.map.water(army.node) and not army.aboard:
            yield _finding_at("WAR-705", army, "node", army=army.army)
        if army.vc not in USUAL_VC and army.active:
            yield _finding_at("WAR-706", army, "vc", vc=army.vc)
        two = (army.order == NO_ORDER) != (army.reaction != "none")
        if two and army.active and not (army.reaction != "none" and land.rules.order_under_reaction == "kept"):
            yield _finding_at("WAR-708", army, "reaction", army=army.army)


def _relations(campaign: Campaign) -> Iterator[Finding]:
    """WAR-707: two rows for the same two factions."""
    rows = sorted(campaign.table(Relation), key=lambda row: tuple(sorted((row.a, row.b))))
    for relation, other in pairwise(rows):
        if {relation.a, relation.b} == {other.a, other.b}:
            yield _finding_at("WAR-707", other, "b", a=other.a, b=other.b)


# The verbs, in the order of the rulebook page (rulebook: Orders to Forces).


VERBS = order_book(
    orders.change_order, marches.order_march, movement.order_voyage, marches.on_contact, movement.wish_of_place,
    muster.raise_unit, muster.refill_unit, muster.found_force,
    bare=marches.order_march, fillers=("to", "in", "at", "a", "the", "force", "forza", "vc", "v.c", "square",
                                           "squares", "quadrato", "quadrati", "casella", "caselle"),
    like=VOCABULARY["verbs"], names=orders.further_names,
    incomplete=True,
    cells=("army", "new_order", "boat", "wish", "stance", "to", "place", "type", "unit", "figures", "vc", "name"),
    says={
        "no_faction": role("WAR-005", faction="faction"),
        "unknown_verb": role("WAR-001", verb="word"),
        "no_such_unit": role("WAR-002", army="word", near="near"),
        "not_yours": role("WAR-003", army="word"),
        "missing": role("WAR-006", verb="verb", columns="column"),
        "not_an_amount": role("WAR-012", value="word"),
        "no_such_place": role("WAR-201", node="word", near="near"),
        "futile": role("WAR-406", unit="unit", n="n"),
    })


# The order of play: nine phases, two of which are optional (rulebook: The turn).


def close_without_events(land: Country) -> None:
    """Without random events the turn is closed after the purchases."""
    if muster.RandomEventNumbers.of(land).phase8 == "off":
        will.close_turn(land)


UNSENT = both("One sheet of orders is for the whole turn. A Force without any stays where it is with the order that it "
              "has, and nothing is bought.",
              "Gli ordini valgono per tutto il turno. Una Forza senza ordini nuovi resta dov'è con quello che ha, e "
              "non si compra nulla.")


def _phase(name: str, en: str, it: str, rule: str, about: str, about_it: str, board: Any, *steps: Any,
           asks: tuple[str, ...] = (), takes: str = "", **more: Any) -> Phase:
    """A phase with its steps, of which `Step` says more than the function; the last one checks answers."""
    made = tuple(step if isinstance(step, Step) else Step(step) for step in (*steps, check_answers))
    return Phase(name, en, it, rule, waits_for=asks, board=board, steps=made, takes=takes,
                 orders=TURN if takes else "", about=book.both(about, about_it), unsent=UNSENT if takes else "", **more)


CALENDAR = Calendar((
    _phase("weather", "Weather", "Tempo meteorologico", "0",
           "The weather of each zone is thrown.", "Si tira il tempo di ogni zona.", Country, land.weather,
           asks=("weather",)),
    _phase("orders", "Orders", "Cambio degli ordini e riconfigurazione", "1 Force test",
           "Forces are tested on whether they take their new orders.",
           "Le Forze fanno la prova per ricevere gli ordini nuovi.", orders.CommandBoard,
           Step(orders.read_rows, "together"), orders.force_tests, takes="orders"),
    _phase("move", "Movement", "Movimento", "2 movement",
           "In the order of movement Forces march, cross rivers and meet the enemy.",
           "Nell'ordine di movimento le Forze marciano, passano i fiumi e incontrano il nemico.", marches.MovementBoard,
           Step(movement.read_rows, "together"), Step(movement.move, follows=True), movement.close_movement,
           asks=("counter-march",), takes="move"),
    _phase("explore", "Exploration", "Esplorazione", "3 exploration",
           "Who stands near the enemy finds out what is there, and battles are prepared.",
           "Chi è vicino al nemico scopre che cosa ha davanti, e si preparano le battaglie.", Country, battles.explore),
    _phase("battle", "Battle", "Battaglia", "3",
           "The battles are played at the table, or decided by dice.",
           "Le battaglie si giocano al tavolo, oppure le decidono i dadi.", Country, Step(battles.check_forms, "forms"),
           battles.take_results, battles.log_aids, asks=("result",)),
    _phase("after", "After the battle", "Dopo la battaglia", "4 movement after",
           "Wounded and deserters are counted, the beaten retreat, and places change hands.",
           "Si contano feriti e disertori, chi ha perso si ritira e i luoghi cambiano padrone.", Country,
           aftermath.test_figures, aftermath.tally, aftermath.reactions, aftermath.retreats, aftermath.step_back,
           aftermath.take_places, aftermath.take_boats, asks=("retreat", "step-back")),
    _phase("will", "Will to fight", "Volontà di combattere", "5",
           "Factions that have suffered are tested on whether they fight on.",
           "Le fazioni provate dalla guerra tirano per sapere se continuano.", Country, will.will),
    _phase("time", "Time", "Tempo", "6",
           "The calendar goes on.", "Il calendario va avanti.", Country, land.advance_time, asks=("weeks",)),
    _phase("muster", "Reinforcements", "Rinforzi", "7",
           "Wounded come back, and points buy new figures and Units.",
           "I feriti tornano, e con i punti si comprano miniature e Unità.", muster.MusterBoard,
           Step(muster.read_rows, "together"), muster.return_wounded, muster.give_points, muster.carry_out_purchases,
           close_without_events, asks=("muster",), takes="muster", chests=muster.chests),
    _phase("events", "Random events", "Eventi casuali", "8",
           "Whoever throws a six has a random event, and the turn ends.",
           "Chi fa sei ha un evento casuale, e il turno finisce.", muster.RandomEventBoard, muster.events,
           will.close_turn, asks=("event", "levies", "mercenaries")),
), Turns())
BOOK = (land.WEATHER_CHAPTER, orders.CHAPTER, marches.CHAPTER, marches.CROSSING_CHAPTER, movement.CHAPTER,
        movement.VOYAGE_CHAPTER, battles.EXPLORATION_CHAPTER, battles.CHAPTER, battles.WITHDRAWAL_CHAPTER,
        aftermath.WOUNDED_CHAPTER,
        aftermath.DESERTERS_CHAPTER, aftermath.CHAPTER, will.WILL_CHAPTER, land.TIME_CHAPTER, muster.CHAPTER,
        muster.RANDOM_CHAPTER, will.END_CHAPTER)
"""The chapters as they are printed."""
TITLES: Mapping[str, str] = {"sieges": both("Strongholds", "Capisaldi"),
                             "moves": both("Orders and marches", "Ordini e marce"),
                             "money": both("Points and purchases", "Punti e acquisti"),
                             "supply": both("Figures and wounded", "Miniature e feriti"),
                             "works": both("Field works and roads", "Opere da campo e strade"),
                             "sea": both("On the water", "Sull'acqua")}
"""Categories of events that have a title of their own in this book."""

OPTIONAL = {"weather": "phase0", "events": "phase8"}
"""Phases that a campaign may leave out -> their switch."""


# The ruleset.


PUBLIC: Mapping[str, Any] = MappingProxyType({
    "Country": Country, "weather_of": land.weather_of, "season_of": land.season_of, "will": will.will,
    "score": will.score, "WEATHER": land.WEATHER, "WILL": will.WILL, "EVENT": muster.EVENT,
    "EVENT_TABLE": muster.EVENT_TABLE,
    **{kind.__name__: kind for kind in RECORDS if kind.__module__ == records.__name__}})
"""What house rules with code may use."""


class Warriors(WarriorsReports, Wing[Numbers]):
    """The Fantasy Warriors campaign, all switches."""

    id = "warriors"
    interface = 6
    title = "Fantasy Warriors"
    tempers = robot.TEMPERS
    author = "Nick Lund's Fans Team"
    version = "2"
    translations = both
    records = RECORDS
    form = battles.FORM
    forms = (BattleArmy, BattleUnit)
    rules_of = Numbers
    calendar = CALENDAR
    findings = keyed(*ANSWER_FINDINGS, *DATA_FINDINGS)
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = WarriorsLooks()
    chapters = BOOK
    public = PUBLIC
    counted = (TURN, "turno")
    late = role("WAR-011", turn="turn", now="now")
    prefix = PREFIX
    categories = TITLES
    shared = both("Where of allies one sees all they have, an ally sees Forces and Units, too.",
                  "Se degli alleati si vede tutto, anche un alleato vede Forze e Unità.")
    unwelcome = ("Wounded",)
    named = ("Nodes", "Zones", "Roads")
    coded = ("Armies", "Units", "Boats", "Unit types")

    # --- the calendar -----------------------------------------------------------------------
    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """The phases of a turn, without those that the campaign leaves out."""
        rules = self.rules(campaign)
        return tuple(phase.id for phase in CALENDAR.turn
                     if phase.id not in OPTIONAL or rules[OPTIONAL[phase.id]] != "off")

    def advance(self, campaign: Campaign) -> None:
        """Go to the next phase that is played; the campaign may be over after the will to fight or the last turn."""
        desk, ids = campaign.desk, list(self.phase_ids(campaign))
        every = [phase.id for phase in CALENDAR.turn]
        later = [name for name in ids if every.index(name) > every.index(desk.phase)]
        if desk.phase == "will" and not self.country(campaign).at_war():
            desk.phase = OVER
        elif later:
            desk.phase = later[0]
        elif self.last_turn(campaign):
            desk.phase = OVER
        else:
            desk.turn, desk.phase = str(int(desk.turn) + 1), ids[0]

    def last_turn(self, campaign: Campaign) -> bool:
        """Whether this is the last turn by the limit, or the campaign is over."""
        turn = campaign.desk.turn
        return campaign.desk.phase == OVER or (turn.isdecimal() and int(turn) >= self.rules(campaign)["max_turns"])

    # --- data and orders --------------------------------------------------------------------
    fold = staticmethod(normalise_rows)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the rulebook page gives a default for."""
        prepare_campaign(campaign, self.phase_ids(campaign)[0])

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """WAR-701 to 710."""
        land = self.country(campaign)
        return [*_words(land), *_squares(land), *_factions(land), *_forces(land), *_relations(campaign)]

    def foresee_orders(self, campaign: Campaign) -> list[Finding]:
        """As in the base class; what a store lacks, no order of an earlier phase brings, whichever Force both name."""
        return [finding._replace(later=finding.later._replace(order=""))
                if finding.code == "WAR-403" and finding.later is not None else finding
                for finding in super().foresee_orders(campaign)]

    # --- what is seen -----------------------------------------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> WarriorsViewer:
        """See rulebook: Visibility."""
        return WarriorsViewer(self.country(campaign), faction)

    # --- absent clubs -----------------------------------------------------------------------
    def draw(self, view: Campaign, faction: str, chance: Chance) -> Campaign:
        """Forces like those that it sees whole, each with the Units of one of these, the first under the chief; stores
        like those that it knows.
        """
        viewer = self.viewer(view, faction)
        drawn = draw_unseen(viewer, chance, {"Nodes": ("store",), "Armies": ("vc", "order", "on_contact")})
        units, by_force = drawn.table(Unit), dict[str, list[Unit]]()
        for row in units:
            by_force.setdefault(row.army, []).append(row)
        led = {army.faction for army in drawn.table(Army) if army.chief}
        for army in [row for row in drawn.table(Army) if row.active and by_force and row.army not in by_force]:
            army.chief = army.chief or army.faction not in led
            led.add(army.faction)
            for row in by_force[chance.choice(list(by_force))]:
                unit = f"{army.army}{row.unit.removeprefix(row.army)}"
                units.add(row.with_values({"unit": unit, "army": army.army, "native_of": "none"}))
        return drawn

    def robot_orders(self, view: Campaign, faction: str) -> list[SharedOrder]:
        """See rulebook: The robot."""
        return self.orders_by_temper(view, faction, "")

    def orders_by_temper(self, view: Campaign, faction: str, temper: str) -> list[SharedOrder]:
        """See rulebook: The robot."""
        return list(robot.orders(self.country(view), faction, temper))


WARRIORS = Warriors()
