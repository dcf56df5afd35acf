"""Incursio as a ruleset: nine phases a day, and the checks of its data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import bad_links
from assistant.campaign.records import Order, Question
from assistant.rulesets.incursio import (
    VOCABULARY,
    actions,
    battle_chances,
    battles,
    both,
    orders,
    records,
    robot,
    upkeep,
)
from assistant.rulesets.incursio.orders import BOOK_COLUMNS, DEFENDERS_ONLY, codes_of, further_names, lines_of_day
from assistant.rulesets.incursio.realm import Camp, Realm
from assistant.rulesets.incursio.records import (
    BATTLES,
    BOTH,
    ESDEF,
    RECORDS,
    ROLLS,
    VARANNAH,
    Day,
    Faction,
    Mission,
    MissionType,
    Road,
    Structure,
    StructureType,
)
from assistant.rulesets.incursio.shown import LETTERS, IncursioLooks, IncursioReports
from assistant.turn.chapters import Citation, Message, Rules
from assistant.turn.findings import Finding, Later, Where, citations_by_key, nearest
from assistant.turn.game import Phase, Step
from assistant.turn.orders.requests import role
from assistant.turn.orders.taking import as_remark
from assistant.turn.orders.verbs import Shapes, order_book
from assistant.turn.orders.words import resolve_name
from assistant.turn.ruleset import Calendar, Turns, Wing, fill_in_tables
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
    missions = campaign.table(Mission)
    for begun in [missions.remove(key) for key in list(missions.keys_in_file_order())]:
        begun.mission = resolve_name(campaign, (MissionType,), begun.mission)  # named before there was a table of names
        missions.add(begun)
    for seen in campaign.table(records.Observation).where(lambda row: row.kind == "structure"):
        seen.what = Structure.column("structure").kind.read(seen.what)
    bands = campaign.table(records.Army)
    if any(row.army.isdecimal() for row in bands):  # they came without their codes
        Camp(bands).write()
    table = campaign.table(Day)
    if campaign.desk.turn not in table:
        table.add(Day(turn=campaign.desk.turn))
    for row in campaign.table(Faction):
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
    generals = [row.faction for row in realm.campaign.table(records.Player) if row.role == "general"]
    if sides != {ESDEF: "defenders", VARANNAH: "raiders"} or sorted(generals) != sorted(BOTH):
        yield realm.game.find("INC-109", Where(Faction.sheet, "", "side"))


def _lines(realm: Realm) -> Iterator[Finding]:
    """INC-107."""
    rows = list(realm.campaign.table(Road))
    for row, why in bad_links(replace(row, kind="grey") for row in rows):  # a grey one beside a red one is one too many
        yield realm.find("INC-107", row, "b", a=row.a, b=row.b, why=why)
    for row in rows:
        if row.a not in realm.nodes or row.b not in realm.nodes:
            yield realm.find("INC-107", row, "b", a=row.a, b=row.b, why="nowhere")


def _places(realm: Realm) -> Iterator[Finding]:
    """INC-101 to 105."""
    for place in realm.nodes:
        node = place.node
        garrison = codes_of(realm.camp.garrison(node))
        if place.kind == "settlement":
            if realm.overfull(node, garrison):
                yield realm.find("INC-101", place, "kind", node=node, want=len(garrison),
                                 limit=realm.room(node))
            if realm.no_stables(node, garrison):
                yield realm.find("INC-102", place, "kind", node=node)
            if not realm.camp.at(node, ESDEF):
                yield realm.find("INC-103", place, "kind", node=node)
            level = realm.level_of(realm.standing(node))
            if level != place.level:
                yield realm.find("INC-105", place, "level", node=node, level=place.level, want=level)
        elif place.kind == "ruin":
            if not realm.camp.at(node, VARANNAH):
                yield realm.find("INC-104", place, "kind", node=node)
            if str(place.level) not in realm.ruins:
                highest = int(realm.ruin(place).level)
                yield realm.find("INC-105", place, "level", node=node, level=place.level, want=highest)


def _kinds(realm: Realm) -> Iterator[Finding]:
    """ARB-030: structures and works must be of a type on the sheet of structures."""
    known = realm.types.keys()
    for row in (*realm.structures, *realm.works):
        if row.structure not in realm.types:
            yield Finding(UNKNOWN_REF, "error", Where(row.sheet, row.ident, "structure"), {
                "seen": row.structure, "near": nearest(row.structure, known), "table": StructureType.sheet})


def _copies(realm: Realm) -> Iterator[Finding]:
    """INC-106."""
    for row in realm.structures:
        kind = realm.types.get(row.structure)
        if kind is not None and row.copies > kind.limit:
            yield realm.find("INC-106", row, "copies", structure=row.structure, k=row.copies, node=row.node,
                             limit=kind.limit)


def _pieces(realm: Realm) -> Iterator[Finding]:
    """INC-108."""
    cells = realm.nodes.keys()
    near = realm.game.map.distances(cells[0]) if cells else {}
    away = next((node for node in cells if node not in near), "")
    if away:
        yield realm.game.find("INC-108", Where(Road.sheet, "", "a"), a=cells[0], b=away)


# The order of play: verbs, and the nine phases of a day (rulebook: The day).


WORD = "day"
VERBS = order_book(
    actions.move, actions.enter, actions.leave, actions.reorder, battles.attack, actions.build, actions.mission,
    actions.spy, upkeep.deploy, cells=BOOK_COLUMNS,
    shapes=Shapes(unit=r"[A-Za-z]{1,3}-\d+", place=r"\d+"), fillers=(
        "cell", "cella", "n", "no", "mission", "missione", "dal", "vivo", "live", "other", "others"),
    like=VOCABULARY["verbs"], names=further_names, incomplete=True, silent=actions.move,
    says={"unknown_verb": role("INC-001", "verb", verb="word", list="list", why="why"),
          "unreadable": role("INC-010", column="column", seen="text", allowed="example", sheet="sheet")})


UNSENT = both("One sheet of orders is for the whole day, whichever side is first. Who sends nothing moves, attacks and "
              "builds nothing.",
              "Gli ordini valgono per tutto il giorno, chiunque sia il primo. Chi non manda nulla non muove, non "
              "attacca "
              "e non costruisce.")


def _phase(name: str, en: str, it: str, rule: str, about: str, *steps: Step, asks: tuple[str, ...] = (),
           word: str = WORD, **more: Any) -> Phase:
    return Phase(name, en, it, rule, orders=word, waits_for=asks, board=Realm, steps=steps, robots_anew=True,
                 about=about, unsent=UNSENT, **more)


MOVES = (Step(actions.side_moves, "together"),)
ASSAULT = (Step(battles.check_forms, "forms"), Step(battles.take_attacks, "together"), Step(battles.assault))
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
           chests=upkeep.chests),
    _phase("spying", "Spying", "Spionaggio", "T7 SPI",
           both("The raiders spy out the settlements.", "Gli incursori spiano gli insediamenti."),
           Step(actions.take_spies, "together"), Step(actions.resolve_spying), asks=(actions.CONSENT,)),
    _phase("final_moves", "Final moves", "Movimenti finali", "T8 MOV",
           both("Last moves, the first side before the second.",
                "Gli ultimi movimenti, prima una parte e poi l'altra."),
           Step(actions.final_moves, "together")),
    _phase("arrivals", "Arrivals", "Rinforzi e schieramento", "T9",
           both("Portals open, new units are deployed, and the day ends.",
                "Si aprono i portali, si schierano le unità nuove e il giorno finisce."),
           Step(upkeep.take_deployment, "together"), Step(upkeep.arrivals), asks=(upkeep.DEPLOY,)),
), Turns(r"[1-9]\d{0,2}"))


# The ruleset.


CITATIONS = citations_by_key((*(Citation(f"T{n}", f"order of the turn, {n}", f"ordine del turno, {n}",
                                         "The day") for n in range(2, 9) if n != 3),
                              *(Citation(f"M{n}", f"upkeep, {n}", f"mantenimento, {n}",
                                         both("Upkeep", "Mantenimento")) for n in range(1, 8) if n != 6)))
"""What is in no chapter: the steps of the turn and of upkeep."""
BOOK = (upkeep.INITIATIVE_CHAPTER, actions.CHAPTER, battles.CHAPTER, upkeep.CHAPTER, actions.ACTION_CHAPTER,
        actions.BUILDING_CHAPTER, upkeep.PORTAL_CHAPTER, actions.SPYING_CHAPTER, upkeep.MUSTER_CHAPTER,
        upkeep.END_CHAPTER, records.BOARD_CHAPTER)
"""Its chapters in the order of the day."""
TITLES: Mapping[str, str] = MappingProxyType({"money": both("Coins, captives and resources",
                                                            "Monete, prigionieri e risorse")})
"""Categories of events that have a title of their own in this book."""


PUBLIC: Mapping[str, Any] = MappingProxyType({
    "Realm": Realm, "Camp": Camp, "initiative": upkeep.initiative, "score": upkeep.score, "winner": upkeep.winner,
    "SEAL": upkeep.SEAL, "SABOTAGE": upkeep.SABOTAGE, "RITE": upkeep.RITE, "SPY": actions.SPY,
    **{kind.__name__: kind for kind in RECORDS if kind.__module__ == records.__name__}})
"""What house rules with code may use."""


class Incursio(IncursioReports, Wing[Rules]):
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
    legend = LETTERS
    quotes_lines = True

    # --- the calendar -------------------------------------------------------------------------------
    def last_turn(self, campaign: Campaign) -> bool:
        """Whether somebody has won, or the days are over."""
        return bool(upkeep.winner(self.board(self.game(campaign)), evening=True))

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
