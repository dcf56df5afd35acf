"""The Anarchy as a ruleset: checks of the data, a new campaign, the orders, the opening, six phases a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.map import adjacent_codes, direction, is_hex
from assistant.campaign.records import Order, Question, Rule
from assistant.campaign.tables import Table
from assistant.rulesets.anarchy import (
    VOCABULARY,
    acts,
    aftermath,
    both,
    convoys,
    encounters,
    field,
    mercenaries,
    movement,
    orders,
    provisions,
    realm,
    reorganise,
    robot,
    sieges,
)
from assistant.rulesets.anarchy import battle as battles
from assistant.rulesets.anarchy import records as sheets
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.records import NEUTRAL, Army, Siege
from assistant.rulesets.anarchy.reports import HUNGRY_GROUPS, LEGEND, AnarchyLooks, AnarchyReports, SideViewer
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.chapters import Message
from assistant.turn.findings import Finding, finding_at, nearest
from assistant.turn.game import Phase, Step
from assistant.turn.messages import COMMON
from assistant.turn.numbers import strip_prefix
from assistant.turn.orders.requests import role
from assistant.turn.orders.verbs import order_book
from assistant.turn.ruleset import Wing
from assistant.turn.texts import keyed
from assistant.turn.views import Chance, draw_unseen

# Checks of the whole workbook before a phase starts (ANA-911 to 915).


PREFIX = "anarchy."
DATA_FINDINGS = (
    Message("ANA-911", "error", both("{field} {x} is outside {lo}–{hi}.", "{field} {x} è fuori da {lo}–{hi}.")),
    Message("ANA-912", "warning",
            both("{unit:the} {unit?has|have} {n} {n?head|heads} and will be no more.",
                 "{unit:il} {unit?ha|hanno} {n} {n?personaggio|personaggi} e {unit?si scioglierà|si scioglieranno}.")),
    Message("ANA-913", "error", both("{unit}: {x} cannot be its {field}.", "{unit}: {x} non può essere {field}.")),
    Message("ANA-914", "error", both("{a}–{b} is not an edge of the map.", "{a}–{b} non è un lato della mappa."),
            ("what",
             {"code": both("'{a}' is not a hex: a hex is its column and its row, two digits each, such as 0605. Did "
                           "you mean {near}?",
                           "'{a}' non è un esagono: un esagono è la sua colonna e la sua riga, due cifre ciascuna, "
                           "come 0605. Intendevi {near}?"),
              "hex": both("'{a}' is not a hex of the map. Did you mean {near}?",
                          "'{a}' non è un esagono della mappa. Intendevi {near}?"),
              "blank": both("Write the hex where this stands, such as 0605.",
                            "Scrivi l'esagono in cui si trova, come 0605.")})),
)
_finding = partial(finding_at, keyed(*DATA_FINDINGS, *battles.FINDINGS))


def _side_findings(f: Field) -> Iterator[Finding]:
    for row in f.factions:
        if f.side(row.faction) not in sheets.SIDES:
            yield _finding("ANA-913", row, "side", unit=row.faction, x=row.side or "-", field="side")


def _level_findings(f: Field) -> Iterator[Finding]:
    spans = {"loyalty": (1, 10), "prestige": (1 if f.rules.prestige_clamp == "1-10" else 0, 10),
             "resources": (0, realm.PlaceNumbers.of(f).resources_max)}
    levels: list[tuple[Any, str]] = [(army, "loyalty") for army in f.armies]
    levels += [(noble, name) for noble in f.nobles if noble.state != "dead" for name in ("prestige", "loyalty")]
    levels += [(place, name) for place in f.places for name in ("loyalty", "resources")]
    for row, name in levels:
        value, (lo, hi) = getattr(row, name), spans[name]
        if value is not None and not lo <= value <= hi:
            yield _finding("ANA-911", row, name, field=name, x=value, lo=lo, hi=hi)


def _group_findings(f: Field) -> Iterator[Finding]:
    for army in [army for army in f.armies if army.state in ("active", "awaited")]:
        heads = army.size if army.size and not army.men else f.heads(army)
        if army.size and not army.men and army.size < min(provisions.COMPOSITION["norman"]):
            yield _finding("ANA-915", army, "size", n=army.size)
        elif 0 < heads < f.rules.group_min and not f.lone(army):
            yield _finding("ANA-912", army, "army", unit=army.army, n=heads)
        noble, chief = f.nobles.get(army.commander), f.armies.get(army.employer)
        if army.commander and (noble is None or noble.army != army.army):
            yield _finding("ANA-913", army, "commander", unit=army.army, x=army.commander, field="commander")
        if army.employer and (chief is None or not army.mercenary or chief.employer or chief is army):
            yield _finding("ANA-913", army, "employer", unit=army.army, x=army.employer, field="employer")


def _ground_findings(nodes: Table[sheets.Node], roads: Table[sheets.Road]) -> list[Finding]:
    findings, hexes = list[Finding](), realm.build_map(nodes, roads)
    for node in nodes:
        # a terrain that no rule knows would silently cost what open ground costs
        findings += [finding_at(COMMON, "ARB-026", node, "terrain", seen=word, near=nearest(word, realm.TERRAINS),
                                allowed=", ".join(realm.TERRAINS))
                     for word in node.terrains if word not in realm.TERRAINS]
        # a letter typed in place of a digit, such as O for 0, is what most such slips are
        meant = node.node.upper().translate(realm.MISREAD)
        if not is_hex(node.node):
            findings.append(_hex_finding(node, "code", meant if is_hex(meant) and meant not in nodes else ""))
        elif node.node not in realm.PRINTED and not any(
                code in realm.PRINTED or code in nodes for code in adjacent_codes(node.node)):
            # a mistyped digit would enlarge the board, and units could march where there is no map
            findings.append(_hex_finding(node, "hex", ""))
    return findings + [_finding("ANA-914", road, "b", a=road.a, b=road.b) for _, road in roads.in_file_order()
                       if road.a not in hexes or road.b not in hexes or not direction(road.a, road.b)]


def _standing_findings(f: Field) -> Iterator[Finding]:
    standing: list[Any] = [*f.armies, *f.places, *f.convoys, *f.trains, *f.prisoners]
    for row in standing:
        in_play = getattr(row, "state", "active") in ("active", "awaited", "waiting", "escorted")
        if row.node not in f.hexes and (row.node or in_play):
            meant = row.node.upper().translate(realm.MISREAD)
            yield _hex_finding(row, "hex" if row.node else "blank",
                               meant if meant in f.nodes else nearest(row.node, f.nodes.keys()))


def _hex_finding(row: Any, what: str, near: str) -> Finding:
    return _finding("ANA-914", row, "node", a=row.node, b=row.node, what=what, near=near)


# Defaults of a new campaign.


def fold_codes(campaign: Campaign) -> None:
    """Remove the book's name from keys of Rules; give factions their sides."""
    rules = campaign.table(Rule)
    strip_prefix(rules, PREFIX, rules.keys())
    _fill_in_sides(campaign)


def _fill_in_sides(campaign: Campaign) -> None:
    for faction in campaign.table(sheets.Faction):
        faction.side = faction.side or (faction.faction if faction.faction in sheets.SIDES else "")
        if NEUTRAL in (faction.side, faction.faction):
            faction.side = faction.role = NEUTRAL


def prepare_campaign(campaign: Campaign) -> None:
    """Fill in day 0 and the opening, the neutral side, hexes of attached units, holders, sieges, commanders."""
    _fill_in_sides(campaign)
    land = realm.MapTables(campaign)
    desk, factions, armies = land.desk, land.factions, land.armies
    desk.turn = desk.turn or "0"
    desk.phase = desk.phase or ("opening" if desk.turn == "0" else "provisions")
    if not any(faction.side == NEUTRAL for faction in factions):
        factions.add(sheets.Faction(faction=NEUTRAL, name_en="Neutrals (referee)", name_it="Neutrali (arbitro)",
                                    side=NEUTRAL, role=NEUTRAL, colour="#8d7068"))
    for row in (*armies, *land.convoys, *land.trains):
        chief = armies.get(row.employer if isinstance(row, Army) else row.escort)
        row.node = row.node or (chief.node if chief is not None else "")
    for place in land.places:  # its lord's side holds a castle (5.3)
        lord = land.nobles.get(place.lord)
        club = factions.get(lord.faction) if lord is not None and place.castle and place.exists else None
        place.holder = place.holder or (club.side if club is not None and club.side != NEUTRAL else "")
    for row in armies:  # who lies before a castle besieges it, also where no siege is listed
        castle = land.places.get(row.besieging)
        if row.active and castle is not None and castle.castle and castle.place not in land.sieges:
            club = factions.get(row.faction)
            land.sieges.add(Siege(place=castle.place, besieger=club.side if club is not None else "",
                                  started_on=int(desk.turn) if desk.turn.isdecimal() else 0, state="on",
                                  resources_at_start=castle.resources))
    for noble in land.nobles:
        army = armies.get(noble.army)
        if army is not None and not army.commander and noble.at_large:
            army.commander = noble.noble


# The orders, the opening, and the six phases of a day (rulebook: The day).


VERBS = order_book(
    provisions.supply, *reorganise.SEQUENCE, reorganise.ransom,
    convoys.make_convoy, convoys.load, convoys.unload, movement.move, movement.hold, movement.mercs,
    acts.recruit, acts.engineer, acts.provision, convoys.buy_food, convoys.take_goods,
    mercenaries.hire_company, mercenaries.promise_loot, mercenaries.lure_company, acts.attack,
    acts.sack, sieges.besiege, acts.assault, acts.enter, movement.sally, sieges.lift,
    sieges.give_up,
    says=orders.SAYS, purse=orders.PURSE, shapes=orders.SHAPES, fillers=orders.FILLERS, anywhere=orders.ANYWHERE,
    refused=orders.tell_refused, neutrals=True, bare=movement.move, like=VOCABULARY["verbs"],
    names=orders.further_names, incomplete=True)


UNSENT = both("One sheet of orders is for the whole day. A group without any stands still, or besieges on, and eats.",
              "Gli ordini sono per tutto il giorno. Chi non ne ha resta fermo, o continua l'assedio, e mangia.")


def _phase(name: str, en: str, it: str, rule: str, about: str, *steps: Step, waits_for: tuple[str, ...] = (),
           **more: Any) -> Phase:
    return Phase(name, en, it, rule, orders=realm.DAY, takes=name, waits_for=waits_for, board=Field, steps=steps,
                 about=about, unsent=UNSENT, **more)


ANSWER_FINDINGS = (
    Message("ANA-901", "error", both("'{x}' is not one of {options}.", "'{x}' non è tra {options}.")),
    Message("ANA-902", "warning", both("{question} was not asked today.", "{question} non è stata posta oggi.")),
    Message("ANA-903", "info",
            both("{question}: no answer, {default} used.", "{question}: nessuna risposta, vale {default}.")),
)
BOOK = (
    sieges.GAME_CHAPTER, realm.MAP_CHAPTER, realm.PLACES_CHAPTER, reorganise.CASTLES_CHAPTER, movement.CHAPTER,
    movement.TURN_CHAPTER, encounters.LOYALTY_CHAPTER, reorganise.CHAPTER, provisions.COMPOSITION_CHAPTER,
    field.CHAPTER, provisions.CHAPTER, aftermath.NOBLES_CHAPTER, acts.TRAINS_CHAPTER, mercenaries.CHAPTER,
    convoys.CHAPTER, acts.RECRUITING_CHAPTER, battles.LOOTING_CHAPTER, encounters.CHAPTER, battles.CHAPTER,
    encounters.REFUSAL_CHAPTER, aftermath.CHAPTER, provisions.WOUNDED_CHAPTER, reorganise.CAPTIVES_CHAPTER,
    sieges.CHAPTER, provisions.SURROUNDINGS_CHAPTER, orders.CHAPTER,
)
"""The chapters as they are printed."""


CALENDAR = Calendar(
    before=(Phase("opening", "Opening", "Apertura", "8.2, 18", provisions.opening),), start="0",
    turns=Turns(r"\d{1,3}"), turn=(
        _phase("provisions", "Muster and provisions", "Appello e provviste", "6, 8.4, 11.4, 15.7",
               both("The wounded heal, promises to mercenaries fall due, and every group eats.",
                    "I feriti guariscono, scadono le promesse ai mercenari e ogni gruppo mangia."),
               Step(provisions.morning_orders, "together"), Step(provisions.find_idle_groups, "together"),
               Step(provisions.healing), Step(mercenaries.promises), Step(provisions.feed)),
        _phase("reorganise", "Reorganisation", "Riorganizzazione", "5.3, 8.1, 15.8",
               both("Groups on the same hex are joined and divided, and garrisons and escorts told off.",
                    "I gruppi nello stesso esagono si uniscono e si dividono; si assegnano guarnigioni e scorte."),
               Step(reorganise.reorganise, "together"), Step(reorganise.assign_escorts),
               Step(Field.dissolve_small), Step(Field.report_unasked), waits_for=("escort",)),
        _phase("ransoms", "Ransoms", "Riscatti", "15.8",
               both("Prisoners go free for money.", "I prigionieri tornano liberi per denaro."),
               Step(reorganise.pay_ransoms, "together"), Step(Field.report_unasked), waits_for=("ruling",)),
        _phase("convoys", "Convoys and transfers", "Convogli e trasferimenti", "12",
               both("Convoys are loaded and unloaded and go on their way.",
                    "I convogli caricano, scaricano e si mettono in viaggio."),
               Step(convoys.turn_shuttles), Step(convoys.convoy_orders, "together")),
        _phase("movement", "Movement and encounters", "Movimenti e incontri", "6, 7, 8.3, 10, 11, 13, 14, 15",
               both("Groups march one by one; those who meet fight, refuse battle or change sides.",
                    "I gruppi marciano uno alla volta; chi si incontra combatte, rifiuta la battaglia o cambia "
                    "partito."),
               Step(battles.judge_forms, "forms"), Step(movement.enter_awaited, "together"),
               Step(movement.read_orders, "together"), Step(movement.activate_all, follows=True),
               Step(movement.standoffs), Step(movement.close_movement), chests=acts.chests, waits_for=(
                   "attack", "contest", "accept", "join", "battle", "retreat", "standoff", "hire", "lure", "convoy",
                   "train", "prize", "loot", "share", "name", "move", "ruling")),
        _phase("close", "Siege day and close", "Giornata d'assedio e chiusura", "8.1, 15.8, 16",
               both("Besieged places hold out another day or surrender, objectives are counted, and the next day "
                    "begins.",
                    "Le piazze assediate resistono un altro giorno o si arrendono, si contano gli obiettivi e "
                    "comincia il giorno dopo."),
               Step(reorganise.carry_out_rows, "together"), Step(sieges.siege_day), Step(sieges.deliver_captives),
               Step(Field.dissolve_small), Step(sieges.stacking), Step(sieges.score_objectives),
               Step(sieges.next_day), remarks_before=("ANA-412",))),
    early=(Phase("score", "The score", "Il punteggio", "1", board=Field,
                 steps=(Step(partial(sieges.score_objectives, the_end=True)),)),))


PUBLIC: Mapping[str, Any] = MappingProxyType({
    "Field": Field, "need": provisions.need, "feed": provisions.feed, "HEALING": sheets.HEALING_OF,
    "LOYALTY": sheets.LOYALTY_TO, "SURRENDER": sheets.SURRENDER_OF, "SHARE": sheets.SHARE_OF_LOOT,
    **{kind.__name__: kind for kind in sheets.RECORDS if kind.__module__ == sheets.__name__}})
"""What house rules with code may use."""


class Anarchy(AnarchyReports, Wing[sheets.Numbers]):
    """The Anarchy, all switches."""

    id = "anarchy"
    interface = 6
    title = "The Anarchy"
    tempers = robot.TEMPERS
    author = "Buxeria, Historic'One"
    version = "2"
    translations = both
    records = sheets.RECORDS
    form = battles.FORM
    forms = (sheets.Loss,)
    rules_of = sheets.Numbers
    calendar = CALENDAR
    closing = CALENDAR.early[0].id
    findings = keyed(*ANSWER_FINDINGS, *DATA_FINDINGS)
    verbs = VERBS
    rolls = sheets.ROLLS
    battles = sheets.BATTLES
    looks = AnarchyLooks()
    shared = both("What one club of a side sees, all clubs of that side see.",
                  "Quello che vede un circolo di una parte lo vedono tutti i circoli di quella parte.")
    chapters = BOOK
    public = PUBLIC
    counted = (realm.DAY, "giorno")
    late = role("ANA-004", t="turn", d="now")
    prefix = PREFIX
    unwelcome = (HUNGRY_GROUPS,)
    named = ("Nodes", "Places", "Nobles")
    coded = ("Armies", "Convoys", "Trains", "Battles", "Wounded", "Prisoners")
    legend = LEGEND

    def last_turn(self, campaign: Campaign) -> bool:
        """The last day of the scenario, or a side without nobles."""
        return sieges.is_last_day(self.realm(campaign))

    fold = staticmethod(fold_codes)
    prepare = staticmethod(prepare_campaign)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """Sides, levels, groups, hexes and roads (ANA-911 to 915)."""
        f = self.realm(campaign)
        return [*_side_findings(f), *_level_findings(f), *_group_findings(f),
                *campaign.derive(_ground_findings, sheets.Node, sheets.Road), *_standing_findings(f)]

    def viewer(self, campaign: Campaign, faction: str) -> SideViewer:
        """See rulebook: Who may know what."""
        return SideViewer(self.realm(campaign), faction)

    def draw(self, view: Campaign, faction: str, chance: Chance) -> Campaign:
        """Groups, garrisons, convoys and loyalties like those that it sees whole."""
        return draw_unseen(self.viewer(view, faction), chance, {
            "Armies": ("size", *sheets.RANKS, "money", "provisions", "core_start", "core_now"),
            "Places": [f"g_{rank}" for rank in sheets.RANKS], "Nobles": ("loyalty",),
            "Convoys": ("animals", "driver", "cargo")})

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return self.orders_by_temper(view, faction, "")

    def orders_by_temper(self, view: Campaign, faction: str, temper: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.realm(view), faction, self.check_orders, temper))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.realm(view), faction, question)


# the titles of scenarios
both("Wallingford 1139", "Wallingford 1139")
ANARCHY = Anarchy()
