"""Organising armies, upkeep, foraging and ransoms (TS-Sp5, 6, FO)."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import Any

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.bloodlust import VOCABULARY, assumed, both, choice, cites, counted, unit_or_army
from assistant.rulesets.bloodlust.orders import NO_WAY, NewArmy, OrderBoard, OwnRows, Province
from assistant.rulesets.bloodlust.realm import FAR, Realm, UnitTests, best_first
from assistant.rulesets.bloodlust.records import Army, Faction, Leader, Node, Unit
from assistant.turn.chapters import Chapter, EventType, Message, Rules, number
from assistant.turn.dice import RangeTable
from assistant.turn.game import fresh
from assistant.turn.orders.columns import Option
from assistant.turn.orders.requests import Request, refuse_if
from assistant.turn.orders.verbs import Cost, order

# What the chapter declares.


class Numbers(Rules):
    """Upkeep, foraging, ransoms, and how the rules organise a nation."""

    upkeep_mounted: int = number(4, "quarters", both("A mounted unit costs {n} {n?quarter|quarters} of a resource.",
                                                     "Un reparto montato costa {n} {n?quarto|quarti} di risorsa."))
    upkeep_foot: int = number(2, "quarters", both("A foot unit costs {n} {n?quarter|quarters} of a resource.",
                                                  "Un reparto appiedato costa {n} {n?quarto|quarti} di risorsa."))
    upkeep_flat: int = number(4, "quarters", both("The flat price of a unit is {n} {n?quarter|quarters} of a resource.",
                                                  "Il prezzo fisso di un reparto è {n} {n?quarto|quarti} di risorsa."),
                              source="TS-Su3")
    light_divisor: int = number(2, both("divisor", "divisore"),
                                both("The price of a Light unit is divided by {n}.",
                                     "Il prezzo di un reparto Leggero si divide per {n}."), minimum=1, source="SK")
    forage_gain_resources: int = number(
        1, "resources", both("A unit that forages well brings {n} {n?resource|resources}.",
                             "Un reparto che foraggia bene porta {n} {n?risorsa|risorse}."), source="FO")
    npc_army: str = choice(both("In Spring a self-run nation {option}.", "In primavera una nazione autonoma {option}."),
                           one=("gathers all it has in one army", "riunisce tutto in una sola armata"),
                           standing=("leaves its armies as they are and sends its Reserve to its leader's",
                                     "lascia le armate come sono e manda la Riserva a quella del suo capo"))
    npc_stand: str = choice(both("In Spring the main army of a self-run nation at war stands {option}.",
                                 "In primavera l'armata principale di una nazione autonoma in guerra sta {option}."),
                            frontier=("on the enemy's frontier nearest to the capital",
                                      "sul confine nemico più vicino alla capitale"),
                            seat=("at the capital", "nella capitale"))
    npc_ransom: str = choice(both("Self-run nations {option} ransoms for their captives.",
                                  "Le nazioni autonome {option} riscatti per i loro prigionieri."),
                             takes=("take", "accettano"), refuses=("refuse", "rifiutano"), source="A", usual=True)
    ransom_each: int = assumed(1, both("{n?resource|resources}", "{n?risorsa|risorse}"),
                               both("A ransom is {n} {n?resource|resources} for each point of WR.",
                                    "Un riscatto è di {n} {n?risorsa|risorse} per ogni punto di WR."), source="A")
    ransom_least: int = assumed(1, "resources", both("A ransom is at least {n} {n?resource|resources}.",
                                                     "Un riscatto è di almeno {n} {n?risorsa|risorse}."), source="A")
    upkeep_mode: str = choice(both("Upkeep is due {option}.", "Il mantenimento si paga {option}."),
                              as_written=("by type in Spring, flat for Summer's recruits",
                                          "per tipo in primavera, fisso per le reclute d'estate"),
                              by_type=("by type in all seasons", "per tipo in tutte le stagioni"),
                              flat=("flat in all seasons", "fisso in tutte le stagioni"), usual=True)
    forage_scope: str = unit_or_army(both("Foraging is tested by {option}.", "Si foraggia per {option}."), source="FO")
    forage_gain: str = choice(both("A success in foraging {option}.", "Un successo nel foraggiare {option}."),
                              plus_one=("brings a resource", "porta una risorsa"),
                              covers=("feeds that unit and no more", "nutre quel reparto e basta"), source="FO")


CHAPTER = Chapter(
    both("Organising and upkeep", "Riorganizzazione e mantenimento"), cites("TS-Sp5", "TS-Su3", "FO"), Numbers, events=(
    EventType("foraged", both("{unit} {unit?forages|forage}: {roll}.", "{unit:il} {unit?foraggia|foraggiano}: {roll}."),
              "supply", 4, "FO",
              ("found", {
                  "fed": both("{unit} {unit?forages and finds|forage and find} enough. {roll}",
                              "{unit:il} {unit?foraggia e trova|foraggiano e trovano} di che nutrirsi. {roll}"),
                  "fed_exhausted": both("{unit} {unit?forages and finds|forage and find} enough, but {unit?is|are} "
                                        "exhausted. {roll}",
                                        "{unit:il} {unit?foraggia e trova|foraggiano e trovano} di che nutrirsi, ma "
                                        "{unit?resta esausto|resta esausta|restano esausti|restano esauste}. {roll}"),
                  "none": both("{unit} {unit?forages and finds|forage and find} nothing. {roll}",
                               "{unit:il} {unit?foraggia e non trova|foraggiano e non trovano} nulla. {roll}")}),
              to="faction"),
    EventType("upkeep",
              both("{faction:the} {faction?pays|pay} {n} for {k} {k?unit that is|units that are} due this season.",
                   "{faction:il} {faction?paga|pagano} {n} per {k} {k?reparto a cui tocca|reparti a cui tocca} in "
                   "questa stagione."), "money", 3, to="faction"),
    EventType("disbanded_unpaid", both("{unit} {unit?is not paid and goes|are not paid and go} home.",
                                       "{unit:il} non {unit?ha|hanno} avuto la paga e {unit?torna|tornano} a casa."),
              "supply", 2, to="faction"),
    EventType("marched", both("{army} {army?marches|march} to {node:the}.",
                              "{army:il} {army?si sposta|si spostano} {node:dove}."), "moves", 4, "A", to=ALL),
    EventType("ransomed", both("{leader} is free again, for {n}.", "{leader} è di nuovo libero, per {n}."), "diplomacy",
              2, "A",
              variants=("n", {"0": both("{leader} is let go for nothing.",
                                        "{leader} è lasciato andare senza riscatto.")}),
              to=ALL),
), findings=(
    Message("BLD-021", "error",
            both("{node:the} is not yours, or is besieged.", "{node:il} non è terra tua, o è sotto assedio.")),
    Message("BLD-022", "error",
            both("{unit} is in {node:the}, {army} in {node2}. Outside Spring both must be in one province.",
                 "{unit} è {node:dove}, {army} {node2:dove}. Fuori dalla primavera devono essere nella stessa "
                 "provincia.")),
    Message("BLD-023", "error",
            both("{id} is in a siege and cannot be reorganised.", "{id} è in un assedio: non si riorganizza.")),
    Message("BLD-024", "error", both("{leader} is {state} until {turn}.", "{leader} è {state} fino a {turn}.")),
    Message("BLD-025", "error", both("{unit} has no commander in its army: it cannot forage.",
                                     "{unit} non ha comandante: non può foraggiare."),
            ("cause", {"leaves": both("By your own order {leader} leaves the army of {unit}: without a commander it "
                                      "cannot forage.",
                                      "Per un tuo ordine {leader} lascia l'armata di {unit}: senza comandante non può "
                                      "foraggiare.")})),
    Message("BLD-026", "info", both("{unit} owes nothing this season.", "{unit} non deve nulla in questa stagione.")),
    Message("BLD-027", "error",
            both("{leader} is not a captive of another nation.", "{leader} non è prigioniero di altri.")),
    Message("BLD-028", "error", both("{node:the} is {k} {k?step away|steps away}; {m} {m?is allowed|are allowed}.",
                                     "{node:il} è a {k} {k?passo|passi}; {m?ne è permesso|ne sono permessi} {m}."),
            variants=("k", {"": NO_WAY})),
    Message("BLD-029", "error", both("{node:the} is not yours or an ally's, or is besieged.",
                                     "{node:il} non è terra tua o alleata, o è sotto assedio.")),
))


# Organising: forming armies, sending units and commanders to them, marches in own land (TS-Sp6; CC).


FORAGE_ELSE = {"or_pay": "o paga", "or_disband": "o congeda"}


class OrganisingBoard(OrderBoard):
    """The board of organising and upkeep, with orders that are carried out after upkeep."""

    formed_at: dict[str, str] = fresh(dict)
    bound: dict[str, str] = fresh(dict)
    """Unit or commander -> the army to which it is sent."""
    foraging: dict[str, str] = fresh(dict)
    """Unit -> what becomes of it if it finds nothing."""
    pay_first: list[str] = fresh(list)
    ransoms: list[tuple[Request, Leader]] = fresh(list)
    releases: set[str] = fresh(set)
    posts: list[tuple[Army, Node]] = fresh(list)

    def due(self, unit: Unit) -> int:
        """What a unit costs this season, in quarters of a resource (rulebook: Turn sequence)."""
        # The turn sequence has no upkeep in Fall and Winter; other modes ask Fall's recruits, too.
        mode = Numbers.of(self).upkeep_mode
        everybody = self.season == "Sp"
        recruits = self.season == "Su" or (self.season == "Fa" and mode != "as_written")
        asked = everybody or (recruits and unit.recruited_turn == self.turn)
        return _price(self, unit, everybody=everybody) if asked else 0

    def kept_rows(self, request: Request, rows: list[Any]) -> list[Any]:
        """The active rows of an order that no later order overrides."""
        return [row for row in rows if row.active and row.ident not in self.dropped.get(request.row.order, ())]


def _price(f: Realm, unit: Unit, *, everybody: bool) -> int:
    """The upkeep of a unit in quarters of a resource; a levy costs nothing. `everybody`: in Spring, all are paid."""
    rules = Numbers.of(f)
    if unit.army in f.armies and f.armies[unit.army].kind == "levy":
        return 0
    by_type = rules.upkeep_mode == "by_type" or (rules.upkeep_mode == "as_written" and everybody)
    flat = rules.upkeep_mounted if unit.mount == "mounted" else rules.upkeep_foot
    price = flat if by_type else rules.upkeep_flat
    return price // rules.light_divisor if unit.has("light") else price


def spring_upkeep(f: Realm, units: Iterable[Unit]) -> int:
    """What units cost in resources in Spring, when all are paid."""
    return ceil(sum(_price(f, unit, everybody=True) for unit in units) / QUARTERS_IN_A_RESOURCE)


def ransom_of(f: Realm, leader: Leader) -> int:
    """The ransom of a captive commander."""
    return max(Numbers.of(f).ransom_least, Numbers.of(f).ransom_each * leader.wr)


def _ransom_asked(f: Realm, request: Request) -> int:
    """What the commander costs whom a row names."""
    leader = f.leaders.get(str(request.more["subject"]))
    return ransom_of(f, leader) if leader is not None else Numbers.of(f).ransom_least


# --- checks -----------------------------------------------------------------------------------------
def _check_new_army(f: OrganisingBoard, request: Request, node: Node, name: str) -> None:
    refuse_if(node.owner != request.faction or f.is_besieged(node.node), "BLD-021", name, node=node.node)
    f.formed_at[NEW.same(f, request, "subject")] = node.node


def _check_outside_sieges(f: OrganisingBoard, request: Request, rows: Any, name: str) -> None:
    for row in rows if isinstance(rows, list) else [rows]:
        army, ident = (row, row) if isinstance(row, str) else (row.army, row.ident)
        refuse_if(army and f.in_siege(army), "BLD-023", name, id=ident)


def _check_same_province(f: OrganisingBoard, request: Request, army: Army | str, name: str) -> None:
    """BLD-022, 023: outside Spring units and their new army must be in one province; neither may be in a siege."""
    code, node = (army, f.formed_at.get(army, "")) if isinstance(army, str) else (army.army, army.node)
    units = OWN_UNITS.judge(f, request, "subject")
    for unit in units if f.season != "Sp" else ():
        here = f.armies[unit.army].node if unit.army in f.armies else f.seat(request.faction)
        refuse_if(here != node, "BLD-022", "subject", unit=unit.unit, node=here, army=code, node2=node)
    _check_outside_sieges(f, request, units, "subject")
    _check_outside_sieges(f, request, code, name)
    f.bound |= dict.fromkeys((unit.unit for unit in units), code)


def _check_leader_active(f: OrganisingBoard, request: Request, army: Army | str, name: str) -> None:
    """BLD-024, after the sieges of both (BLD-023)."""
    leader = LEADER.judge(f, request, "subject")
    refuse_if(leader.state != "active", "BLD-024", "subject", leader=leader.leader, state=leader.state,
              turn=leader.until_turn or "-")
    f.bound[leader.leader] = army if isinstance(army, str) else army.army


def _check_led(f: OrganisingBoard, request: Request, units: list[Unit], name: str) -> None:
    """BLD-025, judged as if units and commanders had reached the armies they are sent to."""
    # Orders to join and lead are carried out before upkeep, whichever row stands first.
    led = {f.bound.get(leader.leader, leader.army) for leader in f.leaders if leader.commands}
    for unit, army in [(unit, f.bound.get(unit.unit, unit.army)) for unit in units]:
        left = {"cause": "leaves", "leader": leader.leader} if (leader := next(iter(f.cincs(army)), None)) else {}
        refuse_if(army not in led, "BLD-025", name, unit=unit.unit, **left)


def _check_field_army(f: OrganisingBoard, request: Request, army: Army | str, name: str) -> None:
    if not isinstance(army, str):
        refuse_if(army.kind == "reserve", "BLD-002", name, id=army.army, kind="field army", near="")


def _check_march(f: OrganisingBoard, request: Request, node: Node, name: str) -> None:
    """BLD-028, 029: distance, and open ground."""
    army = MARCHING_ARMY.judge(f, request, "subject")
    here = f.formed_at[army] if isinstance(army, str) else army.node
    if f.season != "Sp":
        # One step is kept for the frontier, which the army may still cross this season.
        steps, most = f.ways(request.faction, here).get(node.node, FAR), f.rules.march_steps - 1
        refuse_if(steps > most, "BLD-028", name, **{"node": node.node, "from": here, "m": most,
                                                    "k": steps if steps < FAR else ""})
    refuse_if(not f.open_ground(request.faction, node.node), "BLD-029", name, node=node.node)
    _check_outside_sieges(f, request, army, "subject")


def _check_captive(f: OrganisingBoard, request: Request, leader: Leader, name: str) -> None:
    mine = leader.faction == request.faction if request.verb == "ransom" else leader.holder == request.faction
    refuse_if(leader.state != "captured" or not mine or leader.holder in ("", leader.faction), "BLD-027", name,
              leader=leader.leader)


NEW = NewArmy(title=both("New army", "Nuova armata"))
UNITS = OwnRows(Unit, "unit", many=True, then=(_check_outside_sieges,))
OWN_UNITS = OwnRows(Unit, "unit", many=True)
LEADER = OwnRows(Leader, "leader", then=(_check_outside_sieges,))
MARCHING_ARMY = OwnRows(Army, "army", awaited=True, then=(_check_field_army,))


# --- verbs ------------------------------------------------------------------------------------------
@order("form", "forma", when=("muster",), subject=NEW,
       target=Province(then=(_check_new_army,), title=both("Province", "Provincia")),
       help=both("Form a new army.", "Forma una nuova armata."))
def form(f: OrganisingBoard, request: Request, code: str, node: Node) -> None:
    """A new army, to which units and commanders are sent."""
    f.new_army(request.faction, node.node, code)


@order("join", "unisci", when=("muster",), subject=OWN_UNITS,
       target=OwnRows(Army, "army", awaited=True, then=(_check_same_province,), title=both("Army", "Armata")),
       help=both("Send units to an army.", "Manda dei reparti a un'armata."))
def send_units(f: OrganisingBoard, request: Request, units: list[Unit], army: Army) -> None:
    """In Spring from anywhere, else within a province."""
    for unit in f.kept_rows(request, units):
        unit.army = army.army


@order("lead", "comanda", when=("muster",), also=("guida",), subject=LEADER,
       target=OwnRows(Army, "army", awaited=True, then=(_check_outside_sieges, _check_leader_active),
                      title=both("Army", "Armata")),
       help=both("Send a commander or hero to an army.", "Manda un comandante o un eroe a un'armata."))
def lead(f: OrganisingBoard, request: Request, leader: Leader, army: Army) -> None:
    """Leaders ride to any own army, in any season."""
    leader.army = army.army


@order("dismiss", "congeda", when=("muster",), subject=UNITS, help=both("Send units home.", "Congeda dei reparti."))
def dismiss(f: OrganisingBoard, request: Request, units: list[Unit]) -> None:
    """They leave before upkeep."""
    for unit in f.kept_rows(request, units):
        f.remove(unit)
        f.dismissed.add(unit.unit)


@order("forage", "foraggia", when=("muster",), subject=OwnRows(Unit, "unit", many=True, then=(_check_led,)),
       option=Option(FORAGE_ELSE, blank=True, further=VOCABULARY["forage_else"]),
       help=both("Let units forage; without success they pay, or go.",
                 "Fa' foraggiare dei reparti; senza successo pagano, o se ne vanno."))
def forage(f: OrganisingBoard, request: Request, units: list[Unit]) -> None:
    """Units that owe no upkeep need not forage (BLD-026)."""
    for unit in f.kept_rows(request, units):
        if f.due(unit):
            f.foraging[unit.unit] = request.option or "or_pay"
        else:
            request.find(f, "BLD-026", "subject", unit=unit.unit)


@order("pay_first", "paga_prima", when=("muster",), also=("pay first", "paga prima"), subject=OWN_UNITS,
       help=both("Pay these units before others.", "Paga questi reparti prima degli altri."))
def pay_first(f: OrganisingBoard, request: Request, units: list[Unit]) -> None:
    """In the order of the rows."""
    f.pay_first += [unit.unit for unit in units]


@order("ransom", "riscatta", when=("muster",), subject=OwnRows(Leader, "leader", then=(_check_captive,)),
       cost=Cost("ransom_each", reckoned=_ransom_asked, told=both("for each point of WR", "per ogni punto di WR")),
       help=both("Pay for a captive commander, if his holder lets him go.",
                 "Paga per un comandante prigioniero, se chi lo tiene lo lascia."))
def ransom(f: OrganisingBoard, request: Request, leader: Leader) -> None:
    """The ransom is paid after upkeep."""
    f.ransoms.append((request, leader))


@order("release", "rilascia", when=("muster",), also=("libera",),
       subject=OwnRows(Leader, "leader", anybody=True, then=(_check_captive,)),
       help=both("Let a captive go, for a ransom where one is offered.",
                 "Lascia andare un prigioniero, per il riscatto se è offerto."))
def release(f: OrganisingBoard, request: Request, leader: Leader) -> None:
    """Without a ransom he goes for nothing."""
    f.releases.add(leader.leader)


@order("post", "sposta", when=("muster",), subject=MARCHING_ARMY,
       target=Province(then=(_check_march,), title=both("To", "A")),
       help=both("Let an army march within own or allied land.", "Sposta un'armata in terra tua o alleata."))
def post(f: OrganisingBoard, request: Request, army: Army, node: Node) -> None:
    """The army marches after upkeep."""
    f.posts.append((army, node))


def marches(f: OrganisingBoard) -> None:
    """Armies march; in Spring freely, which is no movement."""
    for army, node in f.posts:
        if army.active:
            # In Spring armies are placed, which is no march.
            army.node, army.posted_turn = node.node, f.turn if f.season != "Sp" else army.posted_turn
            f.tell("marched", army=army.army, node=node.node)


# Upkeep, foraging and ransoms, and how the rules organise a self-run nation (TS-Sp5, FO).


FORAGE_ROWS = RangeTable.rising("forage", (0, "none"), (1, "fed_exhausted"), (2, "fed"))
QUARTERS_IN_A_RESOURCE = 4
FORAGE = counted(both("Foraging", "Foraggiamento"), "forage/{Units*}")


class UpkeepPurse:
    """The upkeep of one nation."""

    def __init__(self, f: OrganisingBoard, nation: Faction) -> None:
        self.f, self.nation = f, nation
        self.tests = UnitTests(Numbers.of(f).forage_scope, lambda unit: f.success_test(
            FORAGE, (unit.unit,), mods={"logistic": int(f.any_has("logistic", unit.army))},
            audience=[nation.faction], rows=FORAGE_ROWS))
        self.foraged: dict[str, bool] = {}
        """Unit -> whether it has found anything."""
        self.free: set[str] = set()
        """Units without upkeep, since they fed themselves (`forage_gain` covers)."""

    def forage(self, unit: Unit) -> bool:
        """Let a unit forage; return whether it found anything."""
        rules, count = Numbers.of(self.f), self.tests.of(unit)
        enough = self.foraged[unit.unit] = count.at_least(1)
        if enough and rules.forage_gain == "plus_one":
            self.nation.resources += rules.forage_gain_resources
        elif enough:
            self.free.add(unit.unit)
        if count.verdict == "fed_exhausted":
            unit.exhausted = True
        self.f.tell("foraged", roll=count, faction=self.nation.faction, unit=unit.unit, n=count.total,
                    found=count.verdict)
        return enough

    def away(self, unit: Unit) -> None:
        """Disband a unit that is not paid."""
        self.f.remove(unit)
        self.f.tell("disbanded_unpaid", faction=self.nation.faction, unit=unit.unit)

    def payers(self, units: Iterable[Unit]) -> list[Unit]:
        """The units to be paid, in order: the fed, those to be paid first, then the best."""
        # What the fed have brought always pays for them, and what is over helps the others: so they come first.
        fed = [code for code, enough in self.foraged.items() if enough]
        ahead = {code: place for place, code in enumerate(dict.fromkeys([*fed, *self.f.pay_first]))}
        return sorted((unit for unit in units if unit.active and self.f.due(unit) and unit.unit not in self.free),
                      key=lambda unit: (ahead.get(unit.unit, len(ahead)), *best_first(unit)))

    def pay(self, units: list[Unit]) -> None:
        """Let those forage that were ordered to; then pay down the list while the money lasts; units that cannot be
        paid forage, too, or go home.
        """
        f, spent, paid = self.f, 0, 0
        for unit in units:
            otherwise = f.foraging.get(unit.unit)
            if otherwise is not None and not self.forage(unit) and otherwise == "or_disband":
                self.away(unit)
        for unit in self.payers(units):
            price = f.due(unit)
            # Rounded up once for all that the nation pays, not for each unit: four foot are two resources.
            if ceil((spent + price) / QUARTERS_IN_A_RESOURCE) <= self.nation.resources:
                spent, paid = spent + price, paid + 1
            # A unit forages once a season, led by somebody.
            elif unit.unit not in self.foraged and f.cincs(unit.army) and self.forage(unit):
                if unit.unit not in self.free:
                    spent, paid = spent + price, paid + 1
            else:
                self.away(unit)
        if paid:
            cost = ceil(spent / QUARTERS_IN_A_RESOURCE)
            self.nation.resources -= cost
            f.tell("upkeep", rule="TS-Sp5" if f.season == "Sp" else "TS-Su3", faction=self.nation.faction, n=cost,
                   k=paid)


def pay_all(f: OrganisingBoard) -> None:
    """Pay upkeep nation by nation; self-run nations are organised first."""
    for nation in f.living():
        if f.self_run(nation.faction):
            _organise_nation(f, nation.faction)
        UpkeepPurse(f, nation).pay(f.units_of(nation.faction))


# --- nations that the rules play ---------------------------------------------------------------------
def _chief(f: OrganisingBoard, code: str) -> Leader | None:
    """Who commands a self-run nation: its national leader, else its first active captain."""
    foremost = f.national_leader(code)
    return next((leader for leader in (foremost, *f.leaders_of(code)) if leader is not None and leader.commands), None)


def _main_army(f: OrganisingBoard, code: str, chief: Leader) -> Army:
    if chief.army and f.armies[chief.army].kind == "field":
        return f.armies[chief.army]
    own = (army for army in f.armies_of(code) if army.kind == "field" and not f.in_siege(army.army))
    return next(own, None) or f.new_army(code, f.seat(code))


def _organise_nation(f: OrganisingBoard, code: str) -> None:
    """Organise a self-run nation.

    In Spring it has one army under its chief (`npc_army`), at the capital or on the frontier (`npc_stand`); in other
    seasons the Reserve joins him if he is at the seat.
    """
    reserve, seat = f.reserve(code).army, f.seat(code)
    chief = _chief(f, code)
    if chief is None or not seat or (chief.army and f.in_siege(chief.army)):
        return
    if f.season != "Sp":
        joined = f.armies.get(chief.army)
        for unit in f.units_in(reserve) if joined is not None and joined.node == seat else ():
            unit.army = chief.army
        return
    army, gathers = _main_army(f, code, chief), Numbers.of(f).npc_army == "one"
    for unit in f.units_of(code):
        if (gathers or unit.army == reserve) and not f.in_siege(unit.army):
            unit.army = army.army
    for leader in f.leaders_of(code):
        if (gathers or leader.army in ("", reserve)) and leader.state == "active" and not f.in_siege(leader.army):
            leader.army = army.army
    place = _frontier_place(f, code)
    if army.node != place:
        army.node = place
        f.tell("marched", army=army.army, node=place)


def _frontier_place(f: OrganisingBoard, code: str) -> str:
    """Where the army stands: at war the frontier province nearest to the capital, else the seat."""
    seat, enemies = f.seat(code), f.enemies(code) if Numbers.of(f).npc_stand == "frontier" else []
    ways = {node.node: f.ways(code, node.node).get(f.capital(code) or seat, FAR) for node in f.of(code)
            if not f.is_besieged(node.node) and any(owner in enemies for owner in f.owners_near(node.node))}
    return min(ways, key=lambda node: (ways[node], natural(node)), default=seat)


# --- ransoms ----------------------------------------------------------------------------------------
def pay_ransoms(f: OrganisingBoard) -> None:
    """Ransom captives, or let them go for nothing (BLD-011)."""
    for request, leader in f.ransoms:
        holder, nation, price = f.nations[leader.holder], f.nations[request.faction], ransom_of(f, leader)
        takes = f.self_run(holder.faction) and Numbers.of(f).npc_ransom == "takes"
        if not (takes or leader.leader in f.releases):
            continue
        if nation.resources < price:
            request.find(f, "BLD-011", "subject", n=price, k=nation.resources, m=0)
            continue
        nation.resources, holder.resources = nation.resources - price, holder.resources + price
        _let_go(f, leader, price)
    # Whose ransom was too dear is let go for nothing, if his holder said so.
    for leader in (f.leaders[code] for code in in_natural_order(f.releases)):
        if leader.state == "captured":
            _let_go(f, leader, 0)


def _let_go(f: OrganisingBoard, leader: Leader, price: int) -> None:
    f.free_captive(leader)
    f.tell("ransomed", leader=leader.leader, n=price)

