"""Incursio as a ruleset: what is shown of it, nine phases a day, and the checks of its data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.map import bad_links
from assistant.campaign.records import Event, Order, Question
from assistant.campaign.tables import Record, natural
from assistant.rulesets.incursio import (
    BOTH,
    ESDEF,
    VARANNAH,
    VOCABULARY,
    actions,
    battle_chances,
    battles,
    both,
    evening,
    movement,
    orders,
    records,
    reports,
    robot,
    upkeep,
)
from assistant.rulesets.incursio.evening import EndNumbers, Goal, clock, goals, objectives_reached, score, winner
from assistant.rulesets.incursio.orders import BOOK_COLUMNS, DEFENDERS_ONLY, further_names, lines_of_day
from assistant.rulesets.incursio.realm import OTHER, Camp, Realm, codes_of, split_units
from assistant.rulesets.incursio.records import BATTLES, RECORDS, ROLLS, Army, Node, Observation, Portal
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.chapters import Citation, Message, Rules
from assistant.turn.event_types import DeclaredTable, Ending, Said, TableOf, tables_of
from assistant.turn.findings import Finding, Later, Where, citations_by_key, nearest
from assistant.turn.game import Game, Phase, Step
from assistant.turn.map_symbols import NONE, ForceLook, Looks, Marks, PlaceLook, Visibility
from assistant.turn.orders.requests import role
from assistant.turn.orders.taking import as_remark
from assistant.turn.orders.verbs import Shapes, Translate, order_book
from assistant.turn.orders.words import resolve_name
from assistant.turn.ruleset import Wing, fill_in_tables
from assistant.turn.texts import keyed

# Checks of a campaign's data, and the preparation of a new one (rulebook: Findings).


FINDINGS = (
    Message("INC-101", "warning",
            both("The garrison of {node:the} has {want} {want?unit|units} and holds {limit}.",
                 "La guarnigione {node:di} ha {want} {want?unità|unità} e può averne al massimo {limit}.")),
    Message("INC-102", "warning",
            both("There is cavalry in the garrison of {node:the}, and no stables (06).",
                 "Nella guarnigione {node:di} c'è cavalleria, senza scuderie (06).")),
    Message("INC-103", "warning",
            both("{node:the} is a settlement, and nobody is there.",
                 "{node:il} {node?è|sono} un insediamento, e non c'è nessuno.")),
    Message("INC-104", "warning",
            both("{node:the} is a ruin, and no demon is there.",
                 "{node:il} {node?è|sono} una rovina, e non c'è nessun demone.")),
    Message("INC-105", "warning",
            both("{node:the} has level {level}; its structures give level {want}.",
                 "{node:il} {node?ha|hanno} livello {level}; le strutture danno livello {want}.")),
    Message("INC-106", "warning",
            both("{structure} stands {k} {k?time|times} {node:at}: the limit is {limit}.",
                 "{structure} {node:dove} c'è {k} {k?volta|volte}: il limite è {limit}."),
            means={"structure": "piece"}),
    Message("INC-107", "error", both("The line {a}–{b} cannot be.", "La linea {a}–{b} non può esserci."),
            ("why",
             {"loop": both("The line {a}–{b} leads to itself. Delete the row.",
                           "La linea {a}–{b} porta a sé stessa. Cancella la riga."),
              "double": both("The line {a}–{b} is there twice. Delete one of the rows.",
                             "La linea {a}–{b} c'è due volte. Cancella una delle righe."),
              "nowhere": both("The line {a}–{b} leads to a cell that is not on the map. Correct the row.",
                              "La linea {a}–{b} porta a una casella che non esiste. Correggi la riga.")}),
            means={"a": "place", "b": "place"}),
    Message("INC-108", "warning",
            both("No line leads from {a:the} to {b:the}: the map is in pieces.",
                 "Nessuna linea porta {a:da} {b:a}: la mappa è a pezzi."), means={"a": "place", "b": "place"}),
    Message("INC-109", "error",
            both("There must be two factions, esdef and varannah, one of each side, with one general each. Correct "
                 "the sheets Factions and Players.",
                 "Servono due fazioni, una per parte: esdef e varannah, con un generale ciascuna. Correggi i fogli "
                 "Fazioni e Giocatori.")),
)


UNKNOWN_REF = "ARB-030"
"""The finding of all rulebooks for a code that is not on its sheet."""


def prepare_campaign(campaign: Campaign) -> None:
    """Fill in the printed tables if missing, a row of the day, the figures of both sides."""
    fill_in_tables(campaign, records.PRINTED, Path(__file__).with_name("tables"))
    missions = campaign.table(records.Mission)
    for begun in [missions.remove(key) for key in list(missions.keys_in_file_order())]:
        # named before there was a table of names
        begun.mission = resolve_name(campaign, (records.MissionType,), begun.mission)
        missions.add(begun)
    for seen in campaign.table(records.Observation).where(lambda row: row.kind == "structure"):
        seen.what = records.Structure.column("structure").kind.read(seen.what)
    bands = campaign.table(records.Army)
    if any(row.army.isdecimal() for row in bands):  # they came without their codes
        Camp(bands).write()
    table = campaign.table(records.Day)
    if campaign.desk.turn not in table:
        table.add(records.Day(turn=campaign.desk.turn))
    for row in campaign.table(records.Faction):
        if row.faction == ESDEF:
            row.coins = row.coins or 0
        elif row.faction == VARANNAH:
            row.side, row.resources, row.power_step = "raiders", row.resources or 0, row.power_step or 0


def check_campaign_data(realm: Realm) -> list[Finding]:
    """INC-101 to 109, and unknown structures; with 107, 109 or unknown structures the others are not checked."""
    fatal = [*_sides(realm), *_lines(realm), *_kinds(realm)]
    return fatal or [*_places(realm), *_copies(realm), *_pieces(realm)]


def _sides(realm: Realm) -> Iterator[Finding]:
    """INC-109."""
    sides = {row.faction: row.side for row in realm.factions if row.role != "neutral"}
    generals = [row.faction for row in realm.players if row.role == "general"]
    if sides != {ESDEF: "defenders", VARANNAH: "raiders"} or sorted(generals) != sorted(BOTH):
        yield realm.game.find("INC-109", Where(records.Faction.sheet, "", "side"))


def _lines(realm: Realm) -> Iterator[Finding]:
    """INC-107."""
    rows = list(realm.campaign.table(records.Road))
    wrong = [*bad_links(replace(row, kind="grey") for row in rows),  # a grey one beside a red one is one too many
             *((row, "nowhere") for row in rows if row.a not in realm.nodes or row.b not in realm.nodes)]
    yield from (realm.find("INC-107", row, "b", a=row.a, b=row.b, why=why) for row, why in wrong)


def _places(realm: Realm) -> Iterator[Finding]:
    """INC-101 to 105."""
    for place in realm.nodes:
        node = place.node
        if place.kind == "settlement":
            garrison = codes_of(realm.camp.garrison(node))
            if realm.overfull(node, garrison):
                yield realm.find("INC-101", place, "kind", node=node, want=len(garrison), limit=realm.room(node))
            if realm.no_stables(node, garrison):
                yield realm.find("INC-102", place, "kind", node=node)
            if not realm.camp.at(node, ESDEF):
                yield realm.find("INC-103", place, "kind", node=node)
        elif place.kind == "ruin" and not realm.camp.at(node, VARANNAH):
            yield realm.find("INC-104", place, "kind", node=node)
        level = place.level
        if place.kind == "settlement":
            level = realm.level_of(realm.standing(node))
        elif place.kind == "ruin":
            level = min(level, realm.ruin(place).level)
        if level != place.level:
            yield realm.find("INC-105", place, "level", node=node, level=place.level, want=level)


def _kinds(realm: Realm) -> Iterator[Finding]:
    """ARB-030: structures and works must be of a type on the sheet of structures."""
    for row in (*realm.structures, *realm.works):
        if row.structure not in realm.types:
            yield Finding(UNKNOWN_REF, "error", Where(row.sheet, row.ident, "structure"), {
                "seen": row.structure, "near": nearest(row.structure, realm.types.keys()),
                "table": records.StructureType.sheet})


def _copies(realm: Realm) -> Iterator[Finding]:
    """INC-106."""
    for row in realm.structures:
        limit = realm.types[row.structure].limit
        if row.copies > limit:
            yield realm.find("INC-106", row, "copies", structure=row.structure, k=row.copies, node=row.node,
                             limit=limit)


def _pieces(realm: Realm) -> Iterator[Finding]:
    """INC-108."""
    cells = realm.nodes.keys()
    near = realm.game.map.distances(cells[0]) if cells else {}
    for node in [node for node in cells if node not in near][:1]:
        yield realm.game.find("INC-108", Where(records.Road.sheet, "", "a"), a=cells[0], b=node)


# The order of play: verbs, and the nine phases of a day (rulebook: The day).


WORD = "day"
VERBS = order_book(
    movement.move, movement.enter, movement.leave, movement.reorder, movement.attack, actions.build, actions.mission,
    actions.spy, evening.deploy, cells=BOOK_COLUMNS,
    shapes=Shapes(unit=r"[A-Za-z]{1,3}-\d+", place=r"\d+"), fillers=(
        "cell", "cella", "n", "no", "mission", "missione", "dal", "vivo", "live", "other", "others", "linea", "rossa"),
    like=VOCABULARY["verbs"], names=further_names, incomplete=True, silent=movement.move,
    says={"unknown_verb": role("INC-001", "verb", verb="word", list="list", why="why"),
          "unreadable": role("INC-010", column="column", seen="text", allowed="example", sheet="sheet")})


UNSENT = both("One sheet of orders is for the whole day, whichever side is first. Who sends nothing moves, attacks and "
              "builds nothing.",
              "Gli ordini valgono per tutto il giorno, chiunque sia il primo. Chi non manda nulla non muove, non "
              "attacca e non costruisce.")
UNSENT_IN_THE_EVENING = both(
    "One sheet of orders is for the whole day, and what is left of it is the evening: people's actions, spies, final "
    "moves, and for the defenders where new soldiers go. Who sends nothing does none of this.",
    "Gli ordini valgono per tutto il giorno, e ne resta la sera: le azioni dei personaggi, le spie, i movimenti finali "
    "e, per i difensori, dove vanno i nuovi soldati. Chi non manda nulla non fa niente di tutto questo.")


def _phase(name: str, en: str, it: str, rule: str, about: str, *steps: Step, asks: tuple[str, ...] = (),
           word: str = WORD, unsent: str = UNSENT, **more: Any) -> Phase:
    return Phase(name, en, it, rule, orders=word, waits_for=asks, board=Realm, steps=steps, robots_anew=True,
                 about=about, unsent=unsent, **more)


MOVES = (Step(movement.side_moves, "together"),)
ASSAULT = (Step(battles.check_forms, "forms"), Step(movement.take_attacks, "together"), Step(movement.assault))
"""The steps of either side."""
CALENDAR = Calendar((
    _phase("initiative", "Initiative", "Iniziativa", "T1",
           both("Both sides throw for who is first today.", "Le due parti tirano per chi è il primo oggi."),
           Step(upkeep.initiative), word=""),
    _phase("first_move", "First side's moves", "Movimenti del primo", "T2 MOV",
           both("Each unit of the first side may move once.", "Ogni unità della prima parte può muovere una volta."),
           *MOVES),
    _phase("first_assault", "First side's assault", "Assalto del primo", "T3 COM",
           both("The first side attacks, and the battles are fought pair by pair.",
                "La prima parte attacca, e le battaglie si combattono coppia per coppia."),
           *ASSAULT, asks=(battles.RESULT,)),
    _phase("second_move", "Second side's moves", "Movimenti del secondo", "T4 MOV",
           both("Each unit of the other side that has not fought may move once.",
                "Ogni unità dell'altra parte che non ha combattuto può muovere una volta."), *MOVES),
    _phase("second_assault", "Second side's assault", "Assalto del secondo", "T5 COM",
           both("The other side attacks.", "L'altra parte attacca."), *ASSAULT, asks=(battles.RESULT,)),
    _phase("upkeep", "Upkeep", "Mantenimento", "T6 M7",
           both("Income comes in, missions and works end and begin, and tomorrow's portals are drawn.",
                "Arrivano le entrate, finiscono e cominciano missioni e lavori, e si sorteggiano i portali di domani."),
           Step(actions.take_actions, "together"), Step(upkeep.upkeep), asks=(actions.CONSENT, upkeep.FREE),
           chests=upkeep.chests, unsent=UNSENT_IN_THE_EVENING),
    _phase("spying", "Spying", "Spionaggio", "T7 SPI",
           both("The spies of both sides look at what they were sent to see.",
                "Le spie delle due parti guardano dove sono state mandate."),
           Step(actions.take_spies, "together"), Step(actions.resolve_spying), asks=(actions.CONSENT,)),
    _phase("final_moves", "Final moves", "Movimenti finali", "T8 MOV",
           both("Last moves, the first side before the second.",
                "Gli ultimi movimenti, prima una parte e poi l'altra."),
           Step(movement.final_moves, "together")),
    _phase("arrivals", "Arrivals", "Rinforzi e schieramento", "T9",
           both("Portals open, new units are deployed, and the day ends.",
                "Si aprono i portali, si schierano le unità nuove e il giorno finisce."),
           Step(evening.take_deployment, "together"), Step(evening.arrivals), asks=(evening.DEPLOY,)),
), Turns(r"[1-9]\d{0,2}"))


# The map: settlements and ruins by level, own bands, sightings of the others.


TOWNS = ("settlement", "settlement", "village", "outpost", "stronghold", "bastion", "fortress")
RUINS = ("ruins", "infested ruins", "demon rampart", "infernal stronghold")
"""What levels are called in the legend of a map."""
GLYPHS = ("village", "village", "town", "town", "city", "city", "fortress")
both.words({
    "bastion": "bastione", "demon rampart": "baluardo demoniaco", "fortress": "fortezza",
    "infernal stronghold": "roccaforte infernale", "infested ruins": "rovine infestate", "outpost": "avamposto",
    "stronghold": "presidio", "village": "villaggio",
    # figures that are compared
    "levels": "somma dei livelli", "objectives in reach": "obiettivi a portata", "power": "potere", "ruins": "rovine",
    "score": "punteggio", "settlements": "insediamenti", "soldiers": "soldati",
})
NUMERALS = ("", "I", "II", "III", "IV", "V", "VI")
UNKNOWN = "?!"
"""The mark on a map for units of unknown number."""
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
        return PlaceLook(kind, "portal" if kind == "portal" else glyph, size, next(iter(node.owners), ""),
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
        for place, sighted in reports.enemies_by_place(Realm(game), faction).items():
            _, units = reports.newest_seen(sighted)
            yield ForceLook(f"seen-{place}", OTHER.get(faction, ""), place,
                            f"~{len(split_units(units))}" if units else "", "band", units or UNKNOWN)

    def unseen_places(self, game: Game, faction: str) -> Mapping[str, tuple[Visibility, str]]:
        """Cells without own units: the day of the last sighting."""
        if faction not in OTHER:
            return NONE
        own = {row.node for row in game.campaign.table(Army)}
        days = {row.node: str(row.seen_on) for row in _current(game) if row.faction == faction}
        return {node.node: ("earlier" if node.node in days else "never", days.get(node.node, ""))
                for node in game.campaign.table(Node) if node.node not in own and faction not in node.owners}


def _cell_note(realm: Realm, node: Node) -> str:
    """The note of a cell: its level, and more for its own side (rulebook: Who may know what).

    The defenders read coins a day, how full the garrison is, and works with their day; the raiders when demons go home.
    """
    parts = [NUMERALS[node.level]] if node.owners else []
    if node.kind == "settlement" and realm.camp.at(node.node, ESDEF):
        parts += [f"+{realm.income()[node.node]}", f"{len(realm.camp.garrison(node.node))}/{realm.room(node.node)}"]
        parts += [f"{work.structure}→{work.ready_on}" for work in realm.in_work(node.node)]
    bands = realm.game.campaign.table(Army).where(lambda row: row.node == node.node)
    return " · ".join([*parts, *(f"→{day}" for day in sorted({row.returns_on or 0 for row in bands} - {0}))])


def _current(game: Game) -> list[Observation]:
    return game.campaign.table(Observation).where(lambda row: row.state == "current")


# Views and reports (rulebook: Who may know what).


SCORE = both("Score: of the defenders the people of their settlements, refugees among them; of the raiders those whom "
             "they have dragged away.",
             "Punteggio: per i difensori la popolazione dei loro insediamenti con i profughi; per gli incursori i "
             "mortali che hanno trascinato via.")


RUINS_COUNTED = both("Ruins", "Rovine")
GLANCE: Mapping[str, tuple[tuple[str, Callable[[Realm], int]], ...]] = {
    ESDEF: (
        (both("Settlements", "Insediamenti"), lambda realm: len(realm.homes(ESDEF))),
        (both("Highest level", "Livello più alto"),
         lambda realm: max((town.level for town in realm.homes(ESDEF)), default=0)),
        (both("Soldiers", "Soldati"), lambda realm: len(realm.camp.of(ESDEF))),
        (both("Coins", "Monete"), lambda realm: realm.factions[ESDEF].coins or 0),
        (both("Income a day", "Introiti al giorno"), lambda realm: sum(realm.income().values())),
        (both("Works", "Cantieri"), lambda realm: len([work for work in realm.works if work.state == "in_progress"])),
    ),
    VARANNAH: (
        (RUINS_COUNTED, lambda realm: len(realm.homes(VARANNAH))),
        (both("Demons", "Demoni"), lambda realm: len(realm.camp.of(VARANNAH))),
        (both("Resources", "Risorse"), lambda realm: realm.factions[VARANNAH].resources or 0),
        (both("Power", "Potere"), lambda realm: realm.power),
        (both("Attacks left today", "Attacchi rimasti oggi"), lambda realm: max(
            0, movement.AssaultNumbers.of(realm).attacks_per_day - _attacks_made(realm))),
    ),
}
"""The figures on top of a report, by faction."""


def _attacks_made(realm: Realm) -> int:
    day = realm.days.get(realm.game.turn)
    return day.attacks_varannah if day is not None else 0


def _portals_of_tomorrow(realm: Realm) -> list[Portal]:
    """None before the upkeep."""
    return [portal for portal in realm.portals if portal.state == "located"]


PORTALS_OF_TOMORROW = both("Portals of tomorrow", "Portali di domani")
PORTALS_ARE_DRAWN = both("They are drawn in each day's upkeep, and not known before.",
                         "Si sorteggiano nel mantenimento di ogni giorno; prima non si conoscono.")
WORKS_GOING_ON = both("Works going on", "Cantieri in corso")
OBJECTIVES = both("Objectives", "Obiettivi")
WHEN_BANDS_RETURN = both("Returns: the day on which demons that came by a portal go home.",
                         "Torna il: il giorno in cui i demoni venuti da un portale rientrano.")
OWN_TABLES = (
    DeclaredTable(RUINS_COUNTED, "ruins", reports.Ruin, "node level room", both(
        "Demons of portals stay in a ruin as long as it has room for them beside those who live there.",
        "I demoni dei portali restano in una rovina finché ha posto oltre a quelli che ci vivono.")),
    DeclaredTable(OBJECTIVES, "aims", Goal, "faction aim stands lacks days", both(
        "One is enough: the raiders win on the evening on which one of theirs is met, the defenders if one of theirs "
        "is met on the last evening. With 0 in Still lacks it is met now; blank: you do not know. A Fortress is a "
        "settlement of level 6.",
        "Ne basta uno: gli incursori vincono la sera in cui ne raggiungono uno dei loro, i difensori se l'ultima sera "
        "ne hanno raggiunto uno dei loro. Con 0 in Mancano è raggiunto adesso; vuoto: non lo sai. Una Fortezza è un "
        "insediamento di livello 6."), clock),
    DeclaredTable(OBJECTIVES, "aims_without_end", Goal, "faction aim stands lacks days", clock=clock),
    DeclaredTable(both("People", "Persone"), "people", reports.Deed, "player species action result"),
)
FURTHER_TABLES = (
    DeclaredTable(both("Your settlements", "I tuoi insediamenti"), "towns", reports.Town,
                  "node level structures garrison"),
    DeclaredTable(both("Structures that you can pay for", "Strutture che puoi pagare"), "prices", reports.Price,
                  "structure cost level requires"),
    DeclaredTable(both("Duels, pair by pair", "I duelli, coppia per coppia"), "duels", reports.Pair,
                  "battle pair attacker defender falls", reports.LEGEND),
)
"""What stands behind the works or portals."""
SIGHTINGS_MEAN = both.joined(
    both("A sighting stays until something newer is known, also in a place of your own; demons that came by a portal "
         "go home the next day. Age: fresh is of today, dated of the days before, old from {n} {n?day|days} on; gone: "
         "they are there no more, for your own units have passed since, or a portal had brought them.",
         "Un avvistamento resta finché non si sa qualcosa di più recente, anche in un luogo tuo; i demoni venuti da un "
         "portale rientrano il giorno dopo. Età: fresca è di oggi, datata dei giorni prima, vecchia da {n} {n?giorno|"
         "giorni} in su; non c'è più: da allora ci sono passate unità tue, oppure veniva da un portale."),
    reports.LETTERS)
SIGHTINGS = TableOf(both("What you have seen", "Che cosa hai visto"), reports.Sighting,
                    ("node", "kind", "what", "seen_on", "age"), ())
THEY_GO_HOME = both("{units} {node:at} can act on day {d} and {n?goes|go} home that evening, unless in a ruin that "
                    "has room or in a settlement {n?it has|they have} taken.",
                    "{units} {node:dove}: {n?agisce|agiscono} il giorno {d} e la sera {n?rientra|rientrano}, se non in "
                    "una rovina che ha posto o in un insediamento conquistato.")


# The ruleset.


CITATIONS = citations_by_key((*(Citation(f"T{n}", f"order of the turn, {n}", f"ordine del turno, {n}",
                                         "The day") for n in range(2, 9) if n != 3),
                              *(Citation(f"M{n}", f"upkeep, {n}", f"mantenimento, {n}",
                                         both("Upkeep", "Mantenimento")) for n in range(1, 8) if n != 6)))
"""What is in no chapter: the steps of the turn and of upkeep."""
BOOK = (upkeep.INITIATIVE_CHAPTER, movement.CHAPTER, movement.ASSAULT_CHAPTER, battles.CHAPTER, upkeep.CHAPTER,
        actions.ACTION_CHAPTER, actions.BUILDING_CHAPTER, upkeep.PORTAL_CHAPTER, actions.SPYING_CHAPTER,
        evening.MUSTER_CHAPTER, evening.END_CHAPTER, records.BOARD_CHAPTER)
"""Its chapters in the order of the day."""
TITLES: Mapping[str, str] = MappingProxyType({"money": both("Coins, captives and resources",
                                                            "Monete, prigionieri e risorse")})
"""Categories of events that have a title of their own in this book."""


PUBLIC: Mapping[str, Any] = MappingProxyType({
    "Realm": Realm, "Camp": Camp, "initiative": upkeep.initiative, "score": evening.score, "winner": evening.winner,
    "SEAL": upkeep.SEAL, "SABOTAGE": upkeep.SABOTAGE, "RITE": upkeep.RITE, "SPY": actions.SPY,
    **{kind.__name__: kind for kind in RECORDS if kind.__module__ == records.__name__}})
"""What house rules with code may use."""


class Incursio(Wing[Rules]):
    """Incursio, campaign mode "Beginning", all switches."""

    id = "incursio"
    interface = 6
    demo_rank = 50
    title = "Incursio"
    tempers = robot.TEMPERS
    author = "Incursio"
    version = "2"
    editions = ("beginning-club",)
    translations = both
    records = RECORDS
    form = battles.FORM
    rules_of = Rules
    calendar = CALENDAR
    findings = keyed(*orders.FINDINGS, *FINDINGS)
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = IncursioLooks()
    categories = TITLES
    citations = CITATIONS
    chapters = BOOK
    public = PUBLIC
    counted = (WORD, "giorno")
    shared = both("The defenders see what is the defenders', the raiders what is the raiders'.",
                  "I difensori vedono ciò che è dei difensori, gli incursori ciò che è degli incursori.")
    named = ("Nodes", "Players", "StructureTypes", "MissionTypes")
    coded = ("Battles",)
    legend = reports.LETTERS
    quotes_lines = True

    # --- the calendar -------------------------------------------------------------------------------
    def last_turn(self, campaign: Campaign) -> bool:
        """Whether somebody has won, or the days are over."""
        return bool(winner(self.board(self.game(campaign)), evening=True))

    # --- data and orders ----------------------------------------------------------------------------
    def prepare(self, campaign: Campaign) -> None:
        """Fill in what a new campaign needs before its first phase."""
        super().prepare(campaign)
        prepare_campaign(campaign)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """INC-101 to 109."""
        return check_campaign_data(self.board(self.game(campaign)))

    def may_order(self, faction: str, verb: str) -> bool:
        """The raiders do without the orders of the defenders."""
        return faction != VARANNAH or verb not in DEFENDERS_ONLY

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """As by default; before the initiative also what is wrong with a line on any day."""
        check_ahead = super().check_ahead(campaign)
        if campaign.desk.phase == "initiative":
            realm = self.board(self.game(campaign.copy(), "first_move"))
            lines_of_day(realm)
            later = Later(campaign.desk.turn, "first_move", certain=True)
            told = {(finding.code, finding.where) for finding in check_ahead}
            check_ahead += [as_remark(finding, later) for finding in realm.game.findings
                            if (finding.code, finding.where) not in told]
        return check_ahead

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """INC-002; an order late on its own day is reported as by default."""
        if order.turn == campaign.desk.turn or not order.turn.isdecimal():
            return None
        return self.finding("INC-002", Where(Order.sheet, order.order, "turn"), order.faction, d=int(order.turn),
                            now=int(campaign.desk.turn))

    # --- what is shown (rulebook: Who may know what) -------------------------------------------------
    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """What all may count: settlements, ruins, the sum of their levels, objectives in reach.

        Once the campaign is over also the score.
        """
        realm = self.board(self.game(campaign))
        homes = {side: realm.homes(side) for side in BOTH}
        rows = [{"faction": side, "settlements": len(homes[side]) if side == ESDEF else 0,
                 "ruins": len(homes[side]) if side == VARANNAH else 0,
                 "levels": sum(place.level for place in homes[side]),
                 "objectives in reach": objectives_reached(realm, side)} for side in BOTH]
        return [{**row, "score": score(realm, str(row["faction"]))} for row in rows] if self.is_over(campaign) else rows

    def ending(self, view: Campaign) -> Ending:
        """The winner, the settlements and ruins that are left, the score."""
        realm = self.board(self.game(view))
        who = next((str(event.data["winner"]) for event in view.by_sheet("Events")
                    if event.event == "campaign_ended"), winner(realm, evening=True))
        plain = super().ending(view)
        rows = sorted(self.standings(view), key=lambda row: row["faction"] != who)
        return Ending(plain.verdict, (Said(SCORE, {}),), winners=(who,) if who in BOTH else (), rows=rows)

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """The figures on top of a report."""
        realm = self.board(self.game(view))
        figures = [(label, count(realm)) for label, count in GLANCE.get(faction, ())]
        portals = len(_portals_of_tomorrow(realm)) if faction == VARANNAH else 0
        return [*figures, *([(PORTALS_OF_TOMORROW, portals)] if portals else [])]

    def outcomes(self, view: Campaign, faction: str, events: Iterable[Event]) -> list[Said]:
        """A sentence for each of its battles, new powers, and successful spies."""
        told = list(events)
        battle = view.table(records.Battle)
        rows = [battle.get(str(event.data["battle"])) for event in told if event.event == "battle_ended"]
        gained = [int(event.data["step"]) for event in told if event.event == "power_gained" and faction == VARANNAH]
        spied = [event for event in told if event.event == "spy_report" and event.for_faction(faction)
                 and event.data.get("result") == "success"]
        realm = self.board(self.game(view))
        return [*(reports.powers(realm, step, step) for step in gained),
                *(said for row in rows if row is not None and faction in BOTH
                  for said in reports.summary(realm, row, faction)),
                *(reports.spy_sentence(realm, event) for event in spied)]

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Which of its bands go home, and when."""
        bands = [band for band in view.table(Army) if band.faction == faction and band.returns_on]
        return [Said(THEY_GO_HOME, {"node": band.node, "d": band.returns_on, "n": len(split_units(band.units)),
                                    **reports.in_both("units", partial(reports.units_in_words, band.units))})
                for band in bands]

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """The default tables; objectives; who did what; works or portals; the last day's duels, to be read aloud."""
        plain = [table._replace(fields=tuple(name for name in table.fields if name != "army"),
                                note=WHEN_BANDS_RETURN if "returns_on" in table.fields else "")
                 for table in super().tables(view, faction) if table.record is not records.Player]
        if faction not in BOTH:
            return plain
        realm, esdef = self.board(self.game(view)), faction == ESDEF
        aims = "aims" if EndNumbers.of(realm).play_on == "no" else "aims_without_end"
        capped, acts = upkeep.Numbers.of(realm).ruin_demons == "cap", reports.last_actions(realm, faction)
        rows: dict[str, Sequence[Record]] = {
            aims: () if self.is_over(view) else goals(realm, faction, reports.language_of(realm, faction)),
            "ruins": reports.ruins(realm) if capped and not esdef else (),
            "people": reports.deeds(realm, faction, acts), "duels": reports.pairs(realm, faction),
            "prices": reports.prices(realm, faction) if esdef else (),
            "towns": reports.towns(realm, faction) if esdef else ()}
        notes: dict[type[Record], Said | str] = {reports.Deed: reports.day_of_deeds(realm, acts),
                                                 reports.Price: reports.coins_for_works(realm) if esdef else ""}
        own = TableOf(WORKS_GOING_ON, reports.UnderWay, ("node", "structure", "builder", "ready_on"),
                      reports.works_in_progress(realm, faction)) if esdef else TableOf(
            PORTALS_OF_TOMORROW, Portal, ("node", "day", "kind", "number"), _portals_of_tomorrow(realm),
            PORTALS_ARE_DRAWN)
        made = [*plain, *tables_of(OWN_TABLES, **rows), own, *tables_of(FURTHER_TABLES, **rows)]
        return [table._replace(note=notes.get(table.record, table.note)) for table in made]

    def aims(self, view: Campaign, lang: str) -> list[TableOf]:
        """The objectives of both sides and where they stand, as far as the view tells it."""
        return [TableOf("", Goal, ("faction", "aim", "stands", "lacks"), goals(self.board(self.game(view)), "", lang))]

    def chat(self, view: Campaign, faction: str, say: Translate) -> list[str]:
        """What a group is told of the last day on which something happened."""
        return reports.group_text(self.board(self.game(view)), faction, say)

    def pieces_in_words(self, letters: str, lang: str, *, in_line: bool = False) -> str:
        """Soldiers and demons by what they are called."""
        return reports.units_in_words(letters, lang, in_line=in_line) or letters

    def foes(self, view: Campaign, faction: str) -> list[str]:
        """The other side."""
        return [OTHER[faction]] if faction in BOTH else []

    def foes_seen(self, view: Campaign, faction: str) -> list[tuple[str, Said]]:
        """The places where a side has seen enemies, and the day of the newest sighting."""
        places = reports.enemies_by_place(self.board(self.game(view)), faction)
        return [(node, reports.enemies_seen(rows)) for node, rows in places.items()]

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Its current sightings, the newest first, with their age."""
        realm = self.board(self.game(view))
        return [SIGHTINGS._replace(rows=reports.sightings(realm, faction) if faction in BOTH else [], note=Said(
            SIGHTINGS_MEAN, {"n": actions.SpyingNumbers.of(realm).spy_stale_after}))]

    def dossier(self, view: Campaign, battle: Any, faction: str) -> list[Said]:
        """The hand-over of a battle that is played live: each side its own, the Master both."""
        realm = self.board(self.game(view))
        row = realm.battles.get(battle.battle)
        return reports.hand_over(realm, row, faction) if row is not None and row.attacker in BOTH else []

    # --- odds of battles ----------------------------------------------------------------------------
    battles_ahead = battle_chances.battles_ahead
    typed_battle = battle_chances.typed_battle

    # --- absent clubs -------------------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return self.orders_by_temper(view, faction, "")

    def orders_by_temper(self, view: Campaign, faction: str, temper: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.board(self.game(view)), faction, self.check_orders, temper))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(question)


# the titles of scenarios
both("Esdef, the beginning", "Esdef, l'inizio")

INCURSIO = Incursio()
