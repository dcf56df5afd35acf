"""Fantasy Warriors as a ruleset: the turn, its end, and the checks of its data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Ref
from assistant.campaign.records import Order as SharedOrder
from assistant.campaign.records import Rule, code_lookup
from assistant.campaign.squaremap import misplaced, position_of
from assistant.campaign.tables import Record, Table
from assistant.rulesets.warriors import aftermath, command, lines, movement, robot, year
from assistant.rulesets.warriors import battle as forms
from assistant.rulesets.warriors.battle import FORM, dossiers, explore
from assistant.rulesets.warriors.command import weather
from assistant.rulesets.warriors.land import NO_ORDER, Country
from assistant.rulesets.warriors.messages import CITATIONS, EVENTS, FINDINGS, QUESTIONS, TITLES, WORDS
from assistant.rulesets.warriors.movement import MovementBoard
from assistant.rulesets.warriors.numbers import BATTLES, DEFAULTS, ROLLS, Rules
from assistant.rulesets.warriors.orders import VERBS
from assistant.rulesets.warriors.records import (
    RECORDS,
    TURN,
    Army,
    BattleArmy,
    BattleUnit,
    Boat,
    Climate,
    Desk,
    Node,
    Order,
    Question,
    Relation,
    Road,
    Unit,
    UnitType,
    Zone,
)
from assistant.rulesets.warriors.shown import WarriorsLooks, WarriorsReports, WarriorsViewer
from assistant.rulesets.warriors.year import advance_time, will
from assistant.turn.dice import REFEREE
from assistant.turn.findings import Finding, Where, found_at
from assistant.turn.game import Phase, Step
from assistant.turn.numbers import strip_prefix
from assistant.turn.orders.line_parser import Understood
from assistant.turn.orders.requests import role
from assistant.turn.questions import Ask, Waiting
from assistant.turn.ruleset import OVER, Calendar, Turns, Wing

# Answers without a question, and answers of another faction (WAR-602, 603; rulebook: Questions).


RESULT_QUESTION = "result"
"""Of a battle's result each club has an answer of its own."""


def check_answers(land: Country) -> None:
    """The last step of each phase: an answer by another faction does not count, and its question stays open."""
    table, foreign = land.campaign.table(Question), list[Ask]()
    for ask in land.game.asked:
        name = land.game.name_of(ask)
        row = table.get(Question(question=name, turn=land.game.turn, phase=land.game.phase).ident)
        if (
            row is not None
            and row.answer.strip()
            and ask.kind != RESULT_QUESTION
            and row.to not in ("", ask.to, REFEREE)
        ):
            land.game.find("WAR-602", Where(Question.sheet, row.ident, "answer"), row.to, faction=row.to)
            land.game.outdated.add(name)
            foreign.append(ask)
    if foreign:
        raise Waiting(foreign)
    for one in land.game.unasked():
        land.find("WAR-603", one, "question", one.to, question=one.question)


# Preparation of a new campaign, older forms of its files, and checks of its data (WAR-701 to 710).
#
# See rulebook: Records.


PREFIX = "fantasy."
USUAL_VC = range(1, 5)
SINGLE_ZONE = "all"
"""The zone of squares that name none, temperate."""
FIRST = ("weather", "orders")
"""The phases with which a campaign may begin."""
_finding_at = partial(found_at, FINDINGS)


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
    for record, rows in DEFAULTS:
        table: Table[Any] = campaign.table(record)
        if not len(table):
            for values in rows:
                table.add(record.from_values(values))
            _use_codes(campaign, record, code_lookup(table))
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
    without = campaign.table(Node).where(lambda one: not one.zone)
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


def check_campaign_data(land: Country) -> list[Finding]:
    """All findings about words, squares, links, places, Forces and relations."""
    return [*_words(land), *_squares(land), *_factions(land), *_forces(land), *_relations(land.campaign)]


def _words(land: Country) -> Iterator[Finding]:
    """WAR-701: words that no table and no column knows."""
    campaign = land.campaign
    choices: tuple[tuple[type[Record], str], ...] = (
        (Unit, "quality"), (UnitType, "quality"), (Boat, "kind"), (Road, "kind"))
    for record, name in choices:
        kind = record.column(name).kind
        assert isinstance(kind, Choice)
        for row in campaign.table(record):
            if getattr(row, name) not in kind.options:
                yield _finding_at("WAR-701", row, name, value=getattr(row, name))
    terrains = campaign.by_sheet("Terrains")
    for node in land.nodes:
        for name in ("terrain", "terrain2"):
            if getattr(node, name) and getattr(node, name) not in terrains:
                yield _finding_at("WAR-701", node, name, value=getattr(node, name))
    climates = campaign.table(Climate)
    for zone in land.zones:
        if zone.climate not in climates:
            yield _finding_at("WAR-701", zone, "climate", value=zone.climate)
        if zone.weather and zone.weather not in campaign.by_sheet("Weather table"):
            yield _finding_at("WAR-701", zone, "weather", value=zone.weather)


def _squares(land: Country) -> Iterator[Finding]:
    """WAR-702, 703: squares that lie on one another or nowhere, links that join what does not touch."""
    for node, other in misplaced(land.nodes):
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
    crowned, led = any(one.place == "capital" for one in land.nodes), any(one.chief for one in land.active())
    for node in land.nodes:
        if node.place != "none" and not node.founder:
            yield _finding_at("WAR-704", node, "founder", faction=node.node, n=0)
    for row in land.players():
        capitals = sum(one.place == "capital" and one.founder == row.faction for one in land.nodes)
        settled = begins and any(one.founder == row.faction and one.place != "none" for one in land.nodes)
        if capitals > 1 or (settled and crowned and not capitals):
            yield _finding_at("WAR-704", row, "faction", faction=row.faction, n=capitals)
        own = [one for one in land.active() if one.faction == row.faction]
        chiefs = sum(one.chief for one in own)
        if chiefs > 1 or (settled and led and own and not chiefs):
            yield _finding_at("WAR-709", row, "faction", faction=row.faction, n=chiefs)
        cost = sum(land.strength(one.army) + one.vc * land.rules.commander_cost for one in own)
        if begins and cost > (land.rules.army_points or cost):
            yield _finding_at("WAR-710", row, "faction", faction=row.faction, n=cost, most=land.rules.army_points)


def _forces(land: Country) -> Iterator[Finding]:
    """WAR-705, 706, 708: Forces in the water, unusual V.C., order and reaction at once."""
    for army in land.armies:
        if army.active and land.map.water(army.node) and not army.aboard:
            yield _finding_at("WAR-705", army, "node", army=army.army)
        if army.vc not in USUAL_VC and army.active:
            yield _finding_at("WAR-706", army, "vc", vc=army.vc)
        both = (army.order == NO_ORDER) != (army.reaction != "none")
        if both and army.active and not (army.reaction != "none" and land.rules.order_under_reaction == "kept"):
            yield _finding_at("WAR-708", army, "reaction", army=army.army)


def _relations(campaign: Campaign) -> Iterator[Finding]:
    """WAR-707: two rows for the same two factions."""
    rows = sorted(campaign.table(Relation), key=lambda row: tuple(sorted((row.a, row.b))))
    for one, other in pairwise(rows):
        if {one.a, one.b} == {other.a, other.b}:
            yield _finding_at("WAR-707", other, "b", a=other.a, b=other.b)


# The order of play: nine phases, two of which are optional (rulebook: The turn).


def write_dossiers(land: Country) -> None:
    """Write the dossiers of the battles that have just been explored."""
    for battle in land.battles.of_turn(land.game.turn, lambda row: row.status == "open" and not row.papers):
        battle.papers = dossiers(land, battle)


def close_without_events(land: Country) -> None:
    """Without random events the turn is closed after the purchases."""
    if land.rules.phase8 == "off":
        year.close_turn(land)


def _phase(name: str, en: str, it: str, rule: str, board: Any, *steps: Step, asks: tuple[str, ...] = (),
           takes: str = "", **more: Any) -> Phase:
    return Phase(name, en, it, rule, waits_for=asks, board=board, steps=(*steps, Step(check_answers)), takes=takes,
                 orders=TURN if takes else "", **more)


CALENDAR = Calendar(
    (
        _phase("weather", "Weather", "Tempo meteorologico", "0", Country, Step(weather), asks=("weather",)),
        _phase(
            "orders",
            "Orders",
            "Cambio degli ordini e riconfigurazione",
            "1 Force test",
            command.CommandBoard,
            Step(command.read_rows, "together"),
            Step(command.force_tests),
            takes="orders",
        ),
        _phase(
            "move",
            "Movement",
            "Movimento",
            "2 movement",
            MovementBoard,
            Step(movement.read_rows, "together"),
            Step(movement.move),
            Step(movement.close_movement),
            asks=("counter-march",),
            takes="move",
        ),
        _phase("explore", "Exploration", "Esplorazione", "3 exploration", Country, Step(explore), Step(write_dossiers)),
        _phase(
            "battle",
            "Battle",
            "Battaglia",
            "3",
            Country,
            Step(forms.check_forms, "forms"),
            Step(forms.take_results),
            Step(forms.log_aids),
            asks=("result",),
        ),
        _phase(
            "after",
            "After the battle",
            "Dopo la battaglia",
            "4 movement after",
            aftermath.Aftermath,
            Step(aftermath.test_figures),
            Step(aftermath.tally),
            Step(aftermath.reactions),
            Step(aftermath.retreats),
            Step(aftermath.step_back),
            Step(aftermath.take_places),
            Step(aftermath.take_boats),
            asks=("retreat", "step-back"),
        ),
        _phase("will", "Will to fight", "Volontà di combattere", "5", Country, Step(will)),
        _phase("time", "Time", "Tempo", "6", Country, Step(advance_time), asks=("weeks",)),
        _phase(
            "muster",
            "Reinforcements",
            "Rinforzi",
            "7",
            year.MusterBoard,
            Step(year.read_rows, "together"),
            Step(year.return_wounded),
            Step(year.give_points),
            Step(year.carry_out_purchases),
            Step(close_without_events),
            asks=("muster",),
            takes="muster",
            chests=year.chests,
        ),
        _phase(
            "events",
            "Random events",
            "Eventi casuali",
            "8",
            year.RandomEventBoard,
            Step(year.events),
            Step(year.close_turn),
            asks=("event", "levies", "mercenaries"),
        ),
    ),
    Turns(),
)
OPTIONAL = {"weather": "phase0", "events": "phase8"}
"""Phases that a campaign may leave out -> their switch."""


# The ruleset.


class Warriors(WarriorsReports, Wing[Rules]):
    """The Fantasy Warriors campaign, all switches."""

    id = "warriors"
    interface = 4
    title = "Fantasy Warriors"
    author = "Nick Lund's Fans Team"
    version = "2"
    catalogue_domain = "warriors"
    records = RECORDS
    form = FORM
    forms = (BattleArmy, BattleUnit)
    rules_of = Rules
    calendar = CALENDAR
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = WarriorsLooks()
    words = WORDS
    citations = CITATIONS
    counted = (TURN, "turno")
    late = role("WAR-011", turn="turn", now="now")
    prefix = PREFIX
    categories = TITLES
    shared = "With allies_share = full an ally sees Forces and Units, too."
    unwelcome = ("Wounded",)
    named = ("Nodes", "Zones", "Boats", "Roads")
    coded = ("Armies", "Units")

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
        return campaign.desk.phase == OVER or (turn.isdecimal() and int(turn) >= self.rules(campaign).max_turns)

    # --- data and orders --------------------------------------------------------------------
    fold = staticmethod(normalise_rows)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the rulebook page gives a default for."""
        prepare_campaign(campaign, self.phase_ids(campaign)[0])

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """WAR-701 to 710."""
        return check_campaign_data(self.country(campaign))

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """One line of an order, in either language."""
        return lines.understand(VERBS, campaign, faction, text)

    # --- what is seen -----------------------------------------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> WarriorsViewer:
        """See rulebook: Visibility."""
        return WarriorsViewer(self.country(campaign), faction)

    # --- absent clubs -----------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[SharedOrder]:
        """See rulebook: The robot."""
        return robot.orders(self.country(view), faction)


WARRIORS = Warriors()
