"""The Anarchy as a ruleset: its orders, the opening, six phases a day, checks of the campaign's data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.hexmap import adjacent_codes, direction, is_hex
from assistant.campaign.records import Order, Question, Rule
from assistant.campaign.tables import Table
from assistant.rulesets.anarchy import movement, provisions, reorganise, robot, sieges
from assistant.rulesets.anarchy.battle import FORM, judge_forms
from assistant.rulesets.anarchy.encounters import buy_food, chests, hire_company, lure_company, promise_loot, take_goods
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.messages import CITATIONS, DAY, EVENTS, FINDINGS, QUESTIONS, WORDS
from assistant.rulesets.anarchy.ordered_moves import (
    assault,
    attack,
    besiege,
    close_movement,
    engineer,
    enter,
    hold,
    lift,
    mercs,
    move,
    provision,
    read_orders,
    recruit,
    sack,
    sally,
)
from assistant.rulesets.anarchy.orders import ANYWHERE, FILLERS, PURSE, SAYS, SHAPES, tell_refused
from assistant.rulesets.anarchy.realm import MISREAD, PRINTED, build_map
from assistant.rulesets.anarchy.records import (
    NEUTRAL,
    RECORDS,
    SIDES,
    Army,
    Convoy,
    Desk,
    Faction,
    Loss,
    Noble,
    Node,
    Place,
    Prisoners,
    Road,
    Siege,
    Train,
)
from assistant.rulesets.anarchy.shown import AnarchyLooks, AnarchyReports, SideViewer
from assistant.rulesets.anarchy.tables import BATTLES, COMPOSITION, ROLLS, TERRAINS, Numbers
from assistant.turn.findings import Finding, found_at, nearest
from assistant.turn.game import Phase, Step
from assistant.turn.messages import COMMON
from assistant.turn.numbers import strip_prefix
from assistant.turn.orders.requests import role
from assistant.turn.orders.verbs import declared
from assistant.turn.ruleset import Calendar, Turns, Wing

# Checks of the whole workbook before a phase starts (ANA-911 to 915).


PREFIX = "anarchy."
_finding = partial(found_at, FINDINGS)


def check_campaign_data(campaign: Campaign, realm: Field) -> list[Finding]:
    """All findings about sides, levels, groups, hexes and roads."""
    sides = [_finding("ANA-913", row, "side", unit=row.faction, x=row.side or "-", field="side")
             for row in realm.factions if realm.side(row.faction) not in SIDES]
    return [*sides, *_level_findings(campaign, realm.rules), *_group_findings(realm), *_map(campaign)]


def _level_findings(campaign: Campaign, rules: Numbers) -> Iterator[Finding]:
    low = 1 if rules.prestige_clamp == "1-10" else 0
    spans = {"loyalty": (1, 10), "prestige": (low, 10), "resources": (0, rules.resources_max)}
    for record, fields in ((Army, ("loyalty",)), (Noble, ("prestige", "loyalty")), (Place, ("loyalty", "resources"))):
        for row in campaign.table(record):
            for field in fields:
                value = getattr(row, field)
                lo, hi = spans[field]
                if value is not None and not lo <= value <= hi and getattr(row, "state", "") != "dead":
                    yield _finding("ANA-911", row, field, field=field, x=value, lo=lo, hi=hi)


def _group_findings(realm: Field) -> Iterator[Finding]:
    least = min(COMPOSITION["norman"])
    for army in realm.armies:
        if army.state not in ("active", "awaited"):
            continue
        heads = army.size if army.size and not army.men else realm.heads(army)
        if army.size and not army.men and army.size < least:
            yield _finding("ANA-915", army, "size", n=army.size)
        elif 0 < heads < realm.rules.group_min and not realm.lone(army):
            yield _finding("ANA-912", army, "army", unit=army.army, n=heads)
        noble, chief = realm.nobles.get(army.commander), realm.armies.get(army.employer)
        if army.commander and (noble is None or noble.army != army.army):
            yield _finding("ANA-913", army, "commander", unit=army.army, x=army.commander, field="commander")
        if army.employer and (chief is None or not army.mercenary or chief.employer or chief is army):
            yield _finding("ANA-913", army, "employer", unit=army.army, x=army.employer, field="employer")


def _ground_findings(nodes: Table[Node], roads: Table[Road]) -> list[Finding]:
    found, hexes = list[Finding](), build_map(nodes, roads)
    for node in nodes:
        # a terrain that no rule knows would silently cost what open ground costs
        found += [found_at(COMMON, "ARB-026", node, "terrain", seen=word, near=nearest(word, TERRAINS),
                           allowed=", ".join(TERRAINS)) for word in node.terrains if word not in TERRAINS]
        meant = node.node.upper().translate(MISREAD)
        if not is_hex(node.node):
            found.append(_hex_finding(node, "code", meant if is_hex(meant) and meant not in nodes else ""))
        elif node.node not in PRINTED and not any(one in PRINTED or one in nodes for one in adjacent_codes(node.node)):
            # a mistyped digit would enlarge the board, and units could march where there is no map
            found.append(_hex_finding(node, "hex", ""))
    return found + [_finding("ANA-914", road, "b", a=road.a, b=road.b) for _, road in roads.in_file_order()
                    if road.a not in hexes or road.b not in hexes or not direction(road.a, road.b)]


def _map(campaign: Campaign) -> Iterator[Finding]:
    yield from campaign.made_of(_ground_findings, Node, Road)
    nodes, hexes = campaign.table(Node), campaign.made_of(build_map, Node, Road)
    standing: list[Any] = [row for record in (Army, Place, Convoy, Train, Prisoners) for row in campaign.table(record)]
    for row in standing:
        in_play = getattr(row, "state", "active") in ("active", "awaited", "waiting", "escorted")
        if row.node not in hexes and (row.node or in_play):
            meant = row.node.upper().translate(MISREAD)
            yield _hex_finding(row, "hex" if row.node else "blank",
                          meant if meant in nodes else nearest(row.node, nodes.keys()))


def _hex_finding(row: Any, what: str, near: str) -> Finding:
    return _finding("ANA-914", row, "node", a=row.node, b=row.node, what=what, near=near)


# Defaults of a new campaign.


def fold_codes(campaign: Campaign) -> None:
    """Remove the book's name from keys of Rules; give factions their sides."""
    rules = campaign.table(Rule)
    strip_prefix(rules, PREFIX, rules.keys())
    _fill_in_sides(campaign)


def _fill_in_sides(campaign: Campaign) -> None:
    for faction in campaign.table(Faction):
        faction.side = faction.side or (faction.faction if faction.faction in SIDES else "")
        if NEUTRAL in (faction.side, faction.faction):
            faction.side = faction.role = NEUTRAL


def prepare_campaign(campaign: Campaign) -> None:
    """Fill in day 0 and the opening, the neutral side, hexes of attached units, holders, sieges, commanders."""
    desk = next(iter(campaign.table(Desk)))
    desk.turn = desk.turn or "0"
    desk.phase = desk.phase or ("opening" if desk.turn == "0" else "provisions")
    factions = campaign.table(Faction)
    _fill_in_sides(campaign)
    if not any(f.side == "neutral" for f in factions):
        factions.add(Faction(faction="neutral", name_en="Neutrals (referee)", name_it="Neutrali (arbitro)",
                             side="neutral", role="neutral", colour="#8d7068"))
    armies = campaign.table(Army)
    for row in (*armies, *campaign.table(Convoy), *campaign.table(Train)):
        chief = armies.get(row.employer if isinstance(row, Army) else row.escort)
        row.node = row.node or (chief.node if chief is not None else "")
    for place in campaign.table(Place):  # its lord's side holds a castle (5.3)
        lord = campaign.table(Noble).get(place.lord)
        club = factions.get(lord.faction) if lord is not None and place.castle and place.exists else None
        place.holder = place.holder or (club.side if club is not None and club.side != NEUTRAL else "")
    for row in armies:  # who lies before a castle besieges it, also where no siege is listed
        castle = campaign.table(Place).get(row.besieging)
        if row.active and castle is not None and castle.castle and castle.place not in campaign.table(Siege):
            club = factions.get(row.faction)
            campaign.table(Siege).add(Siege(place=castle.place, besieger=club.side if club is not None else "",
                                            started_on=int(desk.turn) if desk.turn.isdecimal() else 0, state="on",
                                            resources_at_start=castle.resources))
    for noble in campaign.table(Noble):
        army = campaign.table(Army).get(noble.army)
        if army is not None and not army.commander and noble.state in ("free", "wounded"):
            army.commander = noble.noble


# The orders, the opening, and the six phases of a day (rulebook: The day).


VERBS = declared(
    provisions.supply, *reorganise.SEQUENCE, reorganise.ransom,
    provisions.make_convoy, provisions.load, provisions.unload, move, hold, mercs,
    recruit, engineer, provision, buy_food, take_goods, hire_company, promise_loot, lure_company,
    attack, sack, besiege, assault, enter, sally, lift, sieges.give_up,
    says=SAYS, purse=PURSE, shapes=SHAPES, fillers=FILLERS, anywhere=ANYWHERE, refused=tell_refused, neutrals=True)


def _phase(name: str, en: str, it: str, rule: str, *steps: Step, waits_for: tuple[str, ...] = (), **more: Any
           ) -> Phase:
    return Phase(name, en, it, rule, orders=DAY, takes=name, waits_for=waits_for, board=Field, steps=steps, **more)


CALENDAR = Calendar(
    before=(Phase("opening", "Opening", "Apertura", "8.2, 18", provisions.opening),), start="0",
    turns=Turns(r"\d{1,3}"), turn=(
        _phase("provisions", "Muster and provisions", "Appello e provviste", "6, 8.4, 11.4, 15.7",
               Step(provisions.morning_orders, "together"), Step(provisions.find_idle_groups, "together"),
               Step(provisions.healing), Step(provisions.promises), Step(provisions.feed)),
        _phase("reorganise", "Reorganisation", "Riorganizzazione", "5.3, 8.1, 15.8",
               Step(reorganise.reorganise, "together"), Step(reorganise.assign_escorts),
               Step(Field.dissolve_small), Step(Field.unasked), waits_for=("escort",)),
        _phase("ransoms", "Ransoms", "Riscatti", "15.8", Step(reorganise.pay_ransoms, "together"), Step(Field.unasked),
               waits_for=("ruling",)),
        _phase("convoys", "Convoys and transfers", "Convogli e trasferimenti", "12",
               Step(provisions.turn_shuttles), Step(provisions.convoy_orders, "together")),
        _phase("movement", "Movement and encounters", "Movimenti e incontri", "6, 7, 8.3, 10, 11, 13, 14, 15",
               Step(judge_forms, "forms"), Step(movement.enter_awaited, "together"), Step(read_orders, "together"),
               Step(movement.activate_all), Step(movement.standoffs), Step(close_movement),
               waits_for=tuple(kind for kind in QUESTIONS if kind != "escort"), chests=chests),
        _phase("close", "Siege day and close", "Giornata d'assedio e chiusura", "8.1, 15.8, 16",
               Step(sieges.take_surrenders, "together"), Step(sieges.siege_day), Step(sieges.deliver_captives),
               Step(Field.dissolve_small), Step(sieges.stacking), Step(sieges.score_objectives),
               Step(sieges.next_day))),
    early=(Phase("score", "The score", "Il punteggio", "1", board=Field,
                 steps=(Step(partial(sieges.score_objectives, the_end=True)),)),))


class Anarchy(AnarchyReports, Wing[Numbers]):
    """The Anarchy, all switches."""

    id = "anarchy"
    interface = 4
    title = "The Anarchy"
    author = "Buxeria, Historic'One"
    version = "2"
    catalogue_domain = "anarchy"
    records = RECORDS
    form = FORM
    forms = (Loss,)
    rules_of = Numbers
    calendar = CALENDAR
    closing = CALENDAR.early[0].id
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = AnarchyLooks()
    words = WORDS
    shared = "What one club of a side sees, all clubs of that side see."
    citations = CITATIONS
    counted = (DAY, "giorno")
    late = role("ANA-004", t="turn", d="now")
    prefix = PREFIX
    unwelcome = ("Hungry groups",)
    named = ("Nodes", "Places", "Nobles")
    coded = ("Armies", "Convoys", "Trains", "Battles")

    def last_turn(self, campaign: Campaign) -> bool:
        """The last day of the scenario, or a side without nobles."""
        return sieges.is_last_day(self.realm(campaign))

    fold = staticmethod(fold_codes)
    prepare = staticmethod(prepare_campaign)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """ANA-911 to 915."""
        return check_campaign_data(campaign, self.realm(campaign))

    def viewer(self, campaign: Campaign, faction: str) -> SideViewer:
        """See rulebook: Who may know what."""
        return SideViewer(self.realm(campaign), faction)

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.realm(view), faction, self.check_orders))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.realm(view), faction, question)


ANARCHY = Anarchy()
