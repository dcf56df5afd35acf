"""Il Giglio as a ruleset: its orders, the phases of the year, checks of the campaign's data."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question, Rule
from assistant.campaign.tables import Record, Table, natural
from assistant.rulesets.giglio import battle as battles
from assistant.rulesets.giglio import records, robot, spring
from assistant.rulesets.giglio.battle import FORM, list_contacts, resolve_contacts
from assistant.rulesets.giglio.marches import (
    assassinate,
    besiege,
    come_out,
    embark,
    fix_actions,
    land,
    lift,
    lift_idle_sieges,
    march,
    move,
    open_summer,
    redraw_move_order,
    resolve_early_shots,
    sail,
    staff_work,
    stay,
)
from assistant.rulesets.giglio.messages import CITATIONS, EVENTS, FINDINGS, QUESTIONS, WORDS
from assistant.rulesets.giglio.orders import (
    FILLERS,
    PURSE,
    SAYS,
    SHAPES,
    SPRING,
    SUMMER,
    attach,
    deliver_payments,
    fortify,
    garrison,
    pay,
    repair,
    split,
    transfer,
)
from assistant.rulesets.giglio.records import (
    EDITIONS,
    RECORDS,
    Alliance,
    Army,
    Battle,
    Desk,
    Faction,
    Fleet,
    Node,
    Opening,
    Road,
)
from assistant.rulesets.giglio.shown import GiglioLooks, GiglioReports
from assistant.rulesets.giglio.sieges import (
    board_in_port,
    landings,
    resolve_sieges,
    sail_all,
    sea_meetings,
    steer_homeward,
    storm,
)
from assistant.rulesets.giglio.spring import (
    ally,
    auction,
    bid,
    conclude_treaties,
    dissolve,
    enlist,
    first_spring,
    fleet,
    income,
    launch_fleet,
    loan,
    objective,
    recruit,
    spring_orders,
    takings,
)
from assistant.rulesets.giglio.tables import BATTLES, CALENDAR, MONTHS, ROLLS, TABLE34, Numbers, fleets_allowed
from assistant.rulesets.giglio.war import War
from assistant.rulesets.giglio.winter import opening_row, verify_objectives, winter
from assistant.turn.answers import Invitation
from assistant.turn.findings import Finding, Where
from assistant.turn.game import Game, Phase, Step
from assistant.turn.numbers import typed_values
from assistant.turn.orders.verbs import declared
from assistant.turn.ruleset import Calendar, Turns, Wing

# The orders of Il Giglio, in the order of the rulebook page (5).


VERBS = declared(
    objective, loan, recruit, enlist, fleet, bid,
    fortify, repair, garrison, transfer, split, attach, pay, ally, dissolve,
    move, stay, besiege, lift, come_out, embark, land, sail, assassinate,
    says=SAYS, bare=move, fillers=FILLERS, shapes=SHAPES, purse=PURSE)


# Checks of the whole workbook before a phase starts (GIG-120 to 125).


START_YEAR = 1500


def _finding(code: str, row: Record, field: str, key: str = "", **data: Any) -> Finding:
    where = Where(row.sheet, key or row.ident, field)
    return Finding(code, FINDINGS[code].severity, where, data, str(data.get("faction", "")))


def check_campaign_data(campaign: Campaign, rules: Numbers) -> list[Finding]:
    """All findings about the edition, roads, places, armies, fleets and chests."""
    land_and_sea = campaign.made_of(_land_and_sea, Node)
    return [*_edition_findings(campaign), *campaign.made_of(_road_findings, Road, by=land_and_sea),
            *campaign.made_of(_place_findings, Node, Faction),
            *campaign.made_of(_army_findings, Faction, Army, by=(rules.max_armies,)),
            *campaign.made_of(_findings_afloat, Army, Fleet, Node), *campaign.made_of(_chest_findings, Faction, Army)]


def _edition_findings(campaign: Campaign) -> list[Finding]:
    """Report an edition among the Rules that is not the Desk's: only the Desk's counts (ARB-277)."""
    row = campaign.table(Rule).get("edition")
    counts = campaign.desk.edition
    if row is None or row.value == counts or row.value not in records.EDITIONS:
        return []
    return [Finding("ARB-277", "warning", Where(Rule.sheet, row.key, "value"),
                    {"seen": str(row.value), "edition": counts})]


def _land_and_sea(nodes: Table[Node]) -> tuple[frozenset[str], frozenset[str]]:
    sea = frozenset(place.node for place in nodes.where(lambda place: not place.land))
    return frozenset(nodes.keys()) - sea, sea


def _road_findings(land: frozenset[str], sea: frozenset[str], roads: Table[Road]) -> list[Finding]:
    """Roads that are doubled, lead to themselves, or are of the wrong kind (GIG-120, 125)."""
    found, seen = [], set()
    for ident, road in roads.in_file_order():
        pair = (*sorted((road.a, road.b)), road.kind)
        if road.a == road.b or pair in seen:
            found.append(_finding("GIG-120", road, "b", ident, a=road.a, b=road.b))
        seen.add(pair)
        if not {road.a, road.b} <= land | sea:
            continue
        ashore = {road.a, road.b} <= land
        if (road.kind == "road" and not ashore) or (road.kind == "lane" and ashore):
            found.append(_finding("GIG-125", road, "kind", ident, node=f"{road.a}-{road.b}"))
    return found


def _place_findings(nodes: Table[Node], factions: Table[Faction]) -> list[Finding]:
    found, codes = [], frozenset(factions.keys())
    for place in nodes.where(lambda one: one.owner not in codes or one.home not in codes or not one.land):
        for field in ("owner", "home"):
            code = getattr(place, field)
            if code not in codes and (code or place.land):
                found.append(_finding("GIG-121", place, field, node=place.node, value=code))
        if not place.land and (place.fortified or place.owner or place.garrison):
            found.append(_finding("GIG-125", place, "site", node=place.node))
    for row in factions.where(lambda one: bool(one.capital) and one.capital not in nodes):
        found.append(_finding("GIG-121", row, "capital", node=row.capital, value=row.capital))
    return found


def _army_findings(most: int, factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    counts = Counter(army.faction for army in armies if army.kind == "army")
    return [_finding("GIG-122", row, "faction", faction=row.faction, n=counts[row.faction], max=most)
            for row in factions.where(lambda row: counts[row.faction] > most and row.role != "neutral")]


def _findings_afloat(armies: Table[Army], fleets: Table[Fleet], nodes: Table[Node]) -> list[Finding]:
    found = []
    sea = _land_and_sea(nodes)[1]
    afloat = armies.where(lambda army: army.posture == "aboard" or army.node in sea)
    loads = Counter(a.fleet for a in afloat if a.posture == "aboard")
    for army in afloat:
        ships = [f for f in fleets if f.cargo == army.army]
        carried = (len(ships) == 1 and army.posture == "aboard" and loads[army.fleet] <= 1
                   and (ships[0].node, ships[0].faction) == (army.node, army.faction))
        if not carried:
            found.append(_finding("GIG-123", army, "node", faction=army.faction, unit=army.army, army=army.army,
                                node=army.node, fleet=army.fleet))
    return found


def _chest_findings(factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    return [*(_finding("GIG-124", row, "treasury", what=row.faction, value=row.treasury, faction=row.faction)
              for row in factions.where(lambda row: row.treasury < 0)),
            *(_finding("GIG-124", army, "value", what=army.army, value=army.value, faction=army.faction)
              for army in armies.where(lambda army: army.kind == "army" and army.value <= 0))]


# Defaults of a new campaign.


def fold_codes(campaign: Campaign) -> None:
    """Normalise what a folder's files say.

    The edition among the Rules goes to the Desk, the parties of a treaty into natural order, and lists of codes are
    separated by blanks. A battle of the phase with which the campaign begins is open unless it says otherwise.
    """
    rules = campaign.table(Rule)
    row = rules.get("edition")
    if row is not None:
        if str(row.value) in records.EDITIONS and campaign.desk.edition == records.EDITIONS[0]:
            campaign.desk.edition = str(row.value)
        if row.value in ("", campaign.desk.edition):  # what contradicts the Desk stays, and is named
            rules.remove("edition")
    treaties = [row for _, row in campaign.table(Alliance).in_file_order()]
    for treaty in treaties:
        treaty.a, treaty.b = sorted((treaty.a, treaty.b), key=natural)
    campaign.put(Table(Alliance, treaties))
    for army in campaign.table(Army).where(lambda row: bool(row.trail)):
        army.trail = " ".join(re.findall(r"[^\s,;>→-]+", army.trail))
    for battle in campaign.table(Battle).where(lambda row: bool(row.side_a and row.side_b)):
        battle.armies_a = re.sub(r"[\s,;]+", " ", battle.armies_a)
        battle.armies_b = re.sub(r"[\s,;]+", " ", battle.armies_b)
        now = campaign.desk.phase == f"r{battle.round}.battle" and battle.turn in ("", campaign.desk.turn)
        battle.status = battle.status or ("open" if now else "")


def prepare_desk(desk: Desk) -> None:
    """Fill in the calendar: year 1500 and the first phase."""
    desk.turn = desk.turn or str(desk.start_year or START_YEAR)
    desk.phase = desk.phase or "income"
    if desk.start_year is None:
        year = int(desk.turn) if desk.turn.isdigit() else START_YEAR
        in_first_campaign = START_YEAR <= year < START_YEAR + 5 and desk.first_spring != "yes"
        desk.start_year = START_YEAR if in_first_campaign else year


def prepare_places(campaign: Campaign) -> None:
    """Fill in the neutral faction, fleets allowed, the order of movement, homes and owners of places, table 34."""
    factions = campaign.table(Faction)
    if not any(f.role == "neutral" for f in factions):
        row = factions.get("N") or factions.add(Faction(faction="N", name_en="Neutral places",
                                                        name_it="Luoghi neutrali", colour="#ffffff"))
        row.role = "neutral"
    for row in factions:
        if row.fleet_cap is None and row.role != "neutral":
            row.fleet_cap = fleets_allowed(row.faction)
    if campaign.desk.phase.startswith("r") and not any(f.move_rank for f in factions):
        players = [row for _, row in factions.in_file_order() if row.role != "neutral"]
        for rank, row in enumerate(players, 1):
            row.move_rank = rank
    for place in campaign.table(Node):
        if place.land:
            code = re.sub(r"[^A-Za-z].*", "", place.node).upper()
            place.home = place.home or (code if code in factions else place.owner)
            place.owner = place.owner or place.home
    table = campaign.table(records.Cell34)
    for (hand, other), outcome in TABLE34.items():
        if f"{hand}/{other}" not in table:
            table.add(records.Cell34(hand=hand, other=other, outcome=outcome))


def prepare_forces(war: War) -> None:
    """Fill in opening chests and armies if the Rules set them, the first fleets, and the sheet Opening."""
    opening = first_spring(war) and war.desk.phase == "income"
    typed = typed_values(war.campaign.table(Rule))
    for faction in war.players() if opening else ():
        if "opening_treasury" in typed and not faction.treasury:
            said = war.rules.opening_treasury
            faction.treasury = int(said) if said.isdigit() else sum(takings(war, faction.faction, 0).values())
        if "opening_army" in typed and not war.armies_of(faction.faction) and faction.capital in war.nodes:
            war.armies.add(Army(army=war.next_army(faction.faction), faction=faction.faction,
                                value=war.rules.opening_army, node=faction.capital))
        if war.rules.fleet_limit_mode != "cap":
            ports = [n.node for n in war.nodes if n.owner == faction.faction and n.port]
            have = sum(1 for f in war.fleets if f.faction == faction.faction)
            for _ in range((faction.fleet_cap or 0) - have if ports else 0):
                launch_fleet(war, faction.faction, ports[0])
    start = war.campaign.table(Opening)
    for faction in war.players():
        if faction.faction not in start:
            start.add(opening_row(war, faction.faction))


# The phases of the year (rulebook: The year).


ROUNDS = range(1, 11)
BUDGET = (
    Step(spring_orders, "together"), Step(auction), Step(deliver_payments), Step(conclude_treaties, "together"),
)
MOVE = (
    Step(redraw_move_order), Step(staff_work, "together"), Step(deliver_payments), Step(conclude_treaties, "together"),
    Step(fix_actions, "together"), Step(resolve_early_shots), Step(board_in_port, "together"),
    Step(steer_homeward, "together"), Step(sail_all), Step(sea_meetings), Step(storm), Step(march, "alone"),
    Step(landings), Step(lift_idle_sieges), Step(list_contacts),
)
"""A round's marches (rulebook: The marches, step by step)."""
BATTLE = (Step(battles.check_forms, "forms"), Step(battles.resolve_battles))


def _phase(name: str, en: str, it: str, rule: str, *steps: Step, asks: tuple[str, ...] = (), **how: Any) -> Phase:
    return Phase(name, en, it, rule, waits_for=asks, board=War, steps=steps, **how)


def _round(n: int) -> tuple[Phase, ...]:
    en, it = CALENDAR[n - 1]
    return (
        _phase(f"r{n}.move", f"{en}: marches", f"{it}: spostamenti", "3b, t33, fleets, border, April", *MOVE,
               asks=("ally_confirm", "move_order", "hand"), orders=f"r{n}", takes=SUMMER),
        _phase(f"r{n}.contact", f"{en}: meetings", f"{it}: incontri", "3c t34", Step(resolve_contacts),
               asks=("spy", "choice")),
        _phase(f"r{n}.battle", f"{en}: battles", f"{it}: battaglie", "3c", *BATTLE,
               asks=("battle_result", "allot", "retreat_to")),
        _phase(f"r{n}.siege", f"{en}: sieges", f"{it}: assedi", "3d t35", Step(resolve_sieges), asks=("bribe",)),
    )


YEAR = (
    _phase("income", "Income", "Riscossione", "2, 2a t29, 4 t36, Amendments", Step(income)),
    _phase("budget", "Budget and recruiting", "Bilancio e arruolamento", "2a, 2b t32 t33, alliances", *BUDGET,
           asks=("ally_confirm",), orders=SPRING),
    _phase("open", "Opening of summer", "Apertura dell'estate", "2b t33, 3a", Step(open_summer),
           asks=("move_order", "companies")),
    *(phase for n in ROUNDS for phase in _round(n)),
    _phase("winter", "Winter", "Inverno", "4 t36", Step(winter), asks=("betrayal",)),
)
FINAL = _phase("final", "Verification", "Verifica", "objectives", Step(verify_objectives))
CHAPTERS = {
    **dict.fromkeys(("income", "budget", "open"), ("Spring", "primavera")),
    **{phase.id: MONTHS[n - 1] for n in ROUNDS for phase in _round(n)},
    "winter": ("Winter", "inverno"), "final": ("Verification", "verifica"),
}
ROUND_WORDS = {phase.orders for phase in YEAR if phase.takes == SUMMER}


class Giglio(GiglioReports, Wing[Numbers]):
    """Il Giglio, all editions and switches."""

    id = "giglio"
    interface = 4
    demo_rank = 1
    title = "Il Giglio"
    author = "Free Wargamers, Rules & Games"
    version = "2"
    editions = EDITIONS
    calendar = Calendar(YEAR, Turns(r"[1-9]\d{0,3}"), after=(FINAL,), chapters=CHAPTERS)
    closing = FINAL.id
    catalogue_domain = "giglio"
    records = RECORDS
    form = FORM
    rules_of = Numbers
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = GiglioLooks()
    words = WORDS
    citations = CITATIONS

    def last_turn(self, campaign: Campaign) -> bool:
        """Whether objectives are verified after this year's winter."""
        desk = next(iter(campaign.table(Desk)))
        start = desk.start_year or int(desk.turn)
        return int(desk.turn) >= start + self.rules(campaign).campaign_years - 1

    def advance(self, campaign: Campaign) -> None:
        """Go on to the next phase; the first spring ends with its year."""
        desk = next(iter(campaign.table(Desk)))
        year = desk.turn
        super().advance(campaign)
        if desk.turn != year:
            desk.first_spring = "no" if desk.first_spring else ""

    def phase_word(self, word: str, lang: str) -> str:
        """Name a round (``r1`` in orders) by its date in the calendar."""
        if word in ROUND_WORDS:
            return CALENDAR[int(word[1:]) - 1][lang == "it"]
        return super().phase_word(word, lang)

    fold = staticmethod(fold_codes)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the rulebook page gives a default for."""
        prepare_desk(next(iter(campaign.table(Desk))))
        prepare_places(campaign)
        prepare_forces(self.war(campaign))

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """GIG-120 to 125."""
        return check_campaign_data(campaign, self.rules(campaign))

    def invitations(self, game: Game) -> list[Invitation]:
        """Secret objectives that are not chosen yet, and what the bank takes first."""
        war = War(game)
        return [*spring.objective_invitations(war), *spring.confiscation_invitations(war)]

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.war(view), faction))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.war(view, question.phase), faction, question)


GIGLIO = Giglio()
