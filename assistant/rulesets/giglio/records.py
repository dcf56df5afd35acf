"""The sheets of Il Giglio (rulebook: Records), and checks of them; numbers of no chapter, printed tables, dice.

Two points on which the book is unclear are data, not switches: `t34_cells` is the sheet Table34 (filled from
`TABLE34`), `node_prefix` is the column Code of the sheet Factions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import Field, dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import (
    Choice,
    Circle,
    Flag,
    Ref,
    Text,
    Typed,
    When,
    Whole,
    column,
    given,
    noted,
    own,
    public,
    wanted,
)
from assistant.campaign.records import Rule
from assistant.campaign.tables import Record, Table
from assistant.rulesets.giglio import WAY, both
from assistant.turn.dice import RollKinds
from assistant.turn.findings import Finding, Message, Where
from assistant.turn.numbers import Rules, number, switch

EDITIONS = ("IT_amended", "IT", "EN", "EN_amended")
OBJECTIVES = {
    "keep": "possedimenti", "conquer": "territorio", "capitals": "capitali", "ducats": "ducati",
    "cities": "città", "fortresses": "fortezze", "villages": "villaggi", "ports": "porti",
    "allies_kept": "alleanze rispettate", "allies_betrayed": "alleanze tradite", "fleets": "flotte",
}
SPECIALISTS = {"sapper": "geniere", "spy": "spia", "assassin": "assassino"}
CODE = r"[A-Z]{1,3}"
SITES = {"village": "villaggio", "fortress": "fortezza", "city": "città", "sea": "mare"}
SITES_ALSO = {"castle": "fortress", "castello": "fortress", "fort": "fortress", "forte": "fortress",
              "rocca": "fortress", "town": "city", "citta": "city", "borgo": "village", "paese": "village"}
"""Other words for the sites, which clubs may type."""
WALLS: Field[str] = public(Choice({"none": "nessuna", "intact": "integre", "damaged": "danneggiate"}), "Fortifications",
                           "Fortificazioni", default="none")


@dataclass(eq=False, repr=False)
class Trail(Text):
    """Codes of nodes, parted by blanks, which readers of a report see by name."""

    worded: ClassVar[bool] = True


@dataclass(eq=False, repr=False)
class Desk(base.Desk):
    """The calendar of the war and who orders the marches."""

    edition: str = given(Choice({e: e for e in EDITIONS}), "Edition", "Edizione", default="IT_amended")
    start_year: int | None = given(Whole(1, blank=True), "Start", "Inizio")
    first_spring: str = given(Choice({"yes": "sì", "no": "no"}, blank=True), "First spring", "Prima primavera",
                              hint=("blank: the spring of the year of start", "vuoto: la primavera dell'anno d'inizio"))
    strategos: str = public(Ref("Factions", blank=True), "Strategos", "Stratega")


@dataclass(eq=False, repr=False)
class Faction(base.Faction):
    """A nation: its chest, its order of march, its secret objective, what winter holds for it."""

    faction: str = given(Text(CODE), "Code", "Sigla", key=True, required=True)
    capital: str = given(Ref("Nodes", blank=True, own_finding=True), "Capital", "Capitale")
    treasury: int = column(Whole(), "Chest", "Cassa", default=0, see=When("money_public", "yes", "public", "owner"),
                           hint=("ducats", "ducati"))
    fleet_cap: int | None = given(Whole(0, blank=True), "Fleets allowed", "Flotte ammesse")
    move_rank: int = public(Whole(0), "Order of movement", "Ordine di mossa")
    objective: str = own(Choice(OBJECTIVES, blank=True), "Objective", "Obiettivo")
    objective_target: str = own(Ref("Factions", blank=True), "Territory", "Territorio")
    pending_event: int = public(
        Whole(0, 6), "Event", "Evento",
        hint=("row of table 36 that acts next spring", "riga della tabella 36 che agisce in primavera"))
    pending_node: str = public(Ref("Nodes", blank=True), "Place of the event", "Luogo dell'evento",
                               alias=("place", "luogo"))


@dataclass(eq=False, repr=False)
class Node(base.Node, whose=("owner",)):
    """A place: its site, walls, owner and garrison."""

    site: str = given(Choice(SITES, also=SITES_ALSO), "Site", "Tipo di luogo", default="village",
                       alias=("kind", "tipo"))
    walls: str = field(default="", metadata=WALLS.metadata)  # blank until `__post_init__` knows the site
    owner: str = public(Ref("Factions", blank=True, own_finding=True), "Controlled by", "Controllato da")
    home: str = given(Ref("Factions", blank=True, own_finding=True), "Territory of", "Territorio di")
    capital: bool = given(Flag(), "Capital", "Capitale")
    port: bool = given(Flag(), "Port", "Porto")
    garrison: bool = column(Flag(), "Garrison", "Guarnigione", see=When("garrison_public", "yes", "public", "owner"))
    like: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Sites that house rules add: site -> the one of the book as which it counts, for taxes, walls and objectives."""

    def __post_init__(self) -> None:
        """Fill in blank walls: a fortress has them, other places have none (rulebook: Records)."""
        self.walls = self.walls or ("intact" if self.counts_as == "fortress" else "none")

    @property
    def counts_as(self) -> str:
        """Its site, or the site of the book as which that counts."""
        return self.like.get(self.site, self.site)

    @property
    def fortified(self) -> bool:
        """Whether the walls stand."""
        return self.walls == "intact"

    @property
    def land(self) -> bool:
        """Whether it is a place on land, not a sea area."""
        return self.counts_as != "sea"


@dataclass(eq=False, repr=False)
class Road(base.Road):
    """A road, a sea lane, or a beach."""

    kind: str = given(
        Choice({"road": "strada", "lane": "rotta", "coast": "costa"}), "Kind", "Tipo", default="road",
        hint=("road: armies; lane: fleets; coast: landings only", "strada: armate; rotta: flotte; costa: solo sbarchi"))


@dataclass(eq=False, repr=False)
class Army(base.Army):
    """A sum of ducats under arms, or a diplomat who looks like one (rulebook: Records)."""

    army: str = column(
        Text(CODE + r"-\d+"), "Army", "Armata", key=True, required=True,
        see=Circle(both("all; its owner alone while it is aboard", "tutti; solo il padrone mentre è a bordo"),
                   lambda army, reader: army.posture != "aboard" or reader.owns(army), by_owner=True))
    kind: str = column(
        Choice({"army": "armata", "diplomat": "diplomatico"}), "Kind", "Tipo", default="army",
        see=Circle(both("its owner; all, once it is revealed", "il padrone; tutti, quando è rivelata"),
                   lambda army, reader: army.revealed or reader.owns(army), by_owner=True))
    node: str = public(Ref("Nodes"), "At", "Al nodo", required=True, alias=("nodo",))
    value: int = own(Whole(), "Ducats", "Ducati", default=0)
    posture: str = public(Choice({"field": "in campo", "shut_in": "rinchiusa", "aboard": "imbarcata"}), "Posture",
                          "Posizione", default="field")
    fleet: str = own(Ref("Fleets", blank=True), "Fleet", "Flotta")
    trail: str = own(Trail(), "Came from", "Proviene da",
                     hint=("up to four nodes, the last is the previous position",
                           "fino a quattro nodi, l'ultimo è la posizione precedente"))
    arrived_year: int = public(Whole(0), "Arrived: year", "Arrivo: anno")
    arrived_round: int = public(Whole(0), "Arrived: round", "Arrivo: fase")
    arrived_no: int = public(Whole(0), "Arrived: no.", "Arrivo: n.")
    leaderless: int = own(Whole(0, 10), "Commander killed in round", "Comandante ucciso nella fase")
    revealed: bool = public(Flag(), "Revealed", "Scoperto")
    bp_over_core: int | None = wanted(Whole(blank=True), "BP over core", "BP oltre il core",
                                      hint=("only with armati_core_rule", "solo con armati_core_rule"))

    @property
    def is_army(self) -> bool:
        """Whether it is an army proper, of whatever kind, and no diplomat."""
        return self.kind != "diplomat"

    @property
    def nodes_back(self) -> list[str]:
        """The trail as a list, the previous position last."""
        return self.trail.split()


@dataclass(eq=False, repr=False)
class Order(base.Order):
    """An order of spring or of a round of summer (rulebook: Orders)."""

    unit: str = wanted(Text(), "Unit", "Unità")
    path: str = wanted(
        Text(), "Path", "Percorso", width=16,
        hint=("nodes from first to last, for example V8 F7", "nodi dal primo all'ultimo, per esempio V8 F7"))
    target: str = wanted(Text(), "Target", "Bersaglio")
    amount: int | str = wanted(Typed(), "Ducats", "Ducati")
    partner: str = wanted(Text(), "Partner", "Alleato")
    option: str = wanted(Text(), "Option", "Opzione", width=14)
    note: str = wanted(Text(), "Note", "Nota", width=32)


ATTACKER = Circle(both("the attacker", "l'attaccante"), lambda row, reader: reader.is_one_of(row.side_a))
DEFENDER = Circle(both("the defender", "il difensore"), lambda row, reader: reader.is_one_of(row.side_b))


@dataclass(eq=False, repr=False)
class Battle(base.Battle, whose=("side_a", "side_b")):
    """A battle and the form of its result (rulebook: The form of a result)."""

    round: int = public(Whole(0), "Round", "Fase d'estate", alias=("fase",))
    type: str = public(Choice({"field": "campale", "meeting": "d'incontro", "rearguard": "retroguardia"}, blank=True),
                       "Type", "Tipo", width=14)
    side_a: str = public(Ref("Factions", blank=True), "Attacker", "Attaccante")
    side_b: str = public(Ref("Factions", blank=True), "Defender", "Difensore")
    armies_a: str = column(Text(), "Attacker's armies", "Armate dell'attaccante", see=ATTACKER)
    armies_b: str = column(Text(), "Defender's armies", "Armate del difensore", see=DEFENDER)
    value_a: int | None = column(Whole(0, blank=True), "Attacker's ducats", "Ducati dell'attaccante", see=ATTACKER)
    value_b: int | None = column(Whole(0, blank=True), "Defender's ducats", "Ducati del difensore", see=DEFENDER)
    parties = ("side_a", "side_b")
    forces = ("value_a", "value_b")
    side_pick: str = public(Ref("Factions", blank=True), "Chooses side and terrain", "Sceglie lato e terreno")
    mode: str = given(
        Choice({"played": "giocata", "auto": "dadi"}, blank=True), "How", "Come",
        hint=("played on the table, or auto: the umpire's dice", "giocata sul tavolo, o dadi: i dadi dell'arbitro"))
    winner: str = given(Text(), "Winner", "Vincitore", hint=("a, b or draw", "a, b o draw"))
    losses_a: int | str = noted(Typed(), "Attacker's losses", "Perdite dell'attaccante", hint=("ducats", "ducati"))
    losses_b: int | str = noted(Typed(), "Defender's losses", "Perdite del difensore", hint=("ducats", "ducati"))
    rearguard_value: int | str = noted(Typed(), "Rearguard", "Retroguardia",
                                       hint=("ducats on the table", "ducati sul tavolo"))
    pursuer_value: int | str = noted(Typed(), "Pursuer", "Inseguitore",
                                     hint=("ducats on the table", "ducati sul tavolo"))
    units_exited: int | str = noted(Typed(), "Units off the table", "Unità uscite")
    units_lost: int | str = noted(Typed(), "Units lost", "Unità perse")
    status: str = public(Choice({"open": "da giocare", "played": "giocata", "auto": "dadi", "void": "annullata",
                                 "superseded": "superata"}, blank=True), "Status", "Stato")


@dataclass(eq=False, repr=False)
class Ban(Record, sheet="Bans", sheet_it="Divieti", unique=False):
    """A road that is shut to somebody for some rounds (April)."""

    about_en = "Roads that are shut to a faction in some rounds."
    about_it = "Strade chiuse a una fazione in certe fasi."

    faction: str = given(Ref("Factions"), "Faction", "Fazione", key=True)
    a: str = given(Ref("Nodes"), "From", "Da", key=True)
    b: str = given(Ref("Nodes"), "To", "A", key=True)
    first_round: int = given(Whole(1, 10), "First round", "Prima fase")
    last_round: int = given(Whole(1, 10), "Last round", "Ultima fase", default=10)
    both_ways: bool = given(Flag(), "Both ways", "Nei due sensi")
    note: str = given(Text(), "Note", "Nota", width=30, free=True)


@dataclass(eq=False, repr=False)
class Fleet(Record, sheet="Fleets", sheet_it="Flotte", whose=("faction",)):
    """A fleet: where it lies, where it came from, what it carries."""

    about_en = "The fleets, in port or at sea."
    about_it = "Le flotte, in porto o in mare."

    fleet: str = public(Text(CODE + r"-F\d+"), "Fleet", "Flotta", key=True, required=True)
    faction: str = public(Ref("Factions"), "Faction", "Fazione", required=True)
    node: str = public(Ref("Nodes"), "At", "Al nodo", required=True)
    came_from: str = public(Ref("Nodes", blank=True), "Came from", "Proviene da")
    cargo: str = own(Ref("Armies", blank=True), "Cargo", "Carico")


@dataclass(eq=False, repr=False)
class Specialist(Record, sheet="Specialists", sheet_it="Specialisti", whose=("faction",)):
    """A hired man (table 33). Diplomats are rows of Armies."""

    about_en = "Sappers, spies and assassins in service, and those of the past."
    about_it = "Genieri, spie e assassini in servizio, e quelli del passato."

    specialist: str = own(Text(CODE + r"-S\d+"), "Specialist", "Specialista", key=True, required=True)
    faction: str = own(Ref("Factions"), "Faction", "Fazione", required=True)
    kind: str = own(Choice(SPECIALISTS), "Kind", "Tipo", default="sapper")
    post: str = own(Text(), "Post", "Posto", hint=("army or node; sappers only", "armata o nodo; solo genieri"))
    year: int = own(Whole(0), "Year", "Anno")
    status: str = own(Choice({"active": "attivo", "spent": "impiegato", "dead": "morto", "expired": "congedato"}),
                      "Status", "Stato", default="active")


@dataclass(eq=False, repr=False)
class Work(Record, sheet="Works", sheet_it="Lavori", unique=False):
    """Fortification or repair under way or ended (table 32, Amendments)."""

    about_en = "Fortifications being built or repaired."
    about_it = "Fortificazioni in costruzione o in riparazione."

    node: str = public(Ref("Nodes"), "Node", "Nodo", key=True)
    faction: str = public(Ref("Factions"), "Faction", "Fazione", key=True)
    kind: str = public(Choice({"fortify": "fortifica", "repair": "ripara"}), "Kind", "Tipo", default="fortify")
    cost: int = public(Whole(0), "Cost", "Costo", hint=("ducats", "ducati"))
    ordered: str = public(Text(), "Ordered", "Ordinato", key=True, width=16)
    ready_year: int = public(
        Whole(0), "Ready", "Pronto",
        hint=("January of that year; base edition: its winter", "gennaio di quell'anno; edizione base: il suo inverno"))
    status: str = public(Choice({"under_way": "in corso", "done": "finito", "lost": "perduto"}), "Status", "Stato",
                         default="under_way")


@dataclass(eq=False, repr=False)
class Loan(Record, sheet="Loans", sheet_it="Prestiti", whose=("faction",)):
    """A loan of the bank: one a faction and year (2a)."""

    about_en = "What the banks lent and what is due."
    about_it = "Quanto hanno prestato le banche e quanto si deve."

    faction: str = own(Ref("Factions"), "Faction", "Fazione", key=True)
    year: int = own(Whole(0), "Year", "Anno", key=True)
    amount: int = own(Whole(0), "Lent", "Prestato", hint=("ducats", "ducati"))
    due: int = own(Whole(0), "Due", "Dovuto", hint=("ducats, next spring", "ducati, in primavera"))
    status: str = own(Choice({"open": "aperto", "repaid": "restituito", "confiscated": "confiscato"}), "Status",
                      "Stato", default="open")
    confiscated_year: int | None = own(Whole(0, blank=True), "Confiscated in", "Confiscato nel")


@dataclass(eq=False, repr=False)
class Alliance(Record, sheet="Alliances", sheet_it="Alleanze", whose=("a", "b"), unique=False):
    """A secret treaty between two factions; a comes before b in natural order."""

    about_en = "Secret treaties: only the two parties and the referee know them."
    about_it = "Patti segreti: li conoscono solo le due parti e l'arbitro."

    a: str = own(Ref("Factions"), "Party", "Parte", key=True)
    b: str = own(Ref("Factions"), "Other party", "Altra parte", key=True)
    since: int = own(Whole(0), "Since", "Dal", key=True)
    until: int | None = own(Whole(0, blank=True), "Until", "Fino al")
    passage: bool = own(Flag(), "Passage", "Passo")
    terms: str = own(Text(), "Terms", "Condizioni", width=34)
    status: str = own(
        Choice({"active": "attivo", "honoured": "rispettato", "dissolved": "sciolto", "betrayed": "tradito"}), "Status",
        "Stato", default="active")
    suspect: str = column(Ref("Factions", blank=True), "Suspect", "Sospetto", see="referee")
    betrayed_by: str = own(Ref("Factions", blank=True), "Betrayed by", "Tradito da")
    dissolved_by: str = own(Ref("Factions", blank=True), "Dissolved by", "Sciolto da")
    dissolved_year: int | None = own(Whole(0, blank=True), "Dissolved in", "Sciolto nel")
    suspect_act: str = column(Text(), "Act", "Atto", see="referee")

    def joins(self, one: str, another: str) -> bool:
        """Whether it is a treaty of these two factions, in either order."""
        return {self.a, self.b} == {one, another}


@dataclass(eq=False, repr=False)
class Siege(Record, sheet="Sieges", sheet_it="Assedi"):
    """A siege that is going on (3d)."""

    about_en = "Sieges that are going on, and how many rounds were tested."
    about_it = "Assedi in corso, e quante fasi sono state provate."

    node: str = public(Ref("Nodes"), "Node", "Nodo", key=True)
    besieger: str = public(Ref("Factions"), "Besieger", "Assediante", key=True)
    since_year: int = public(Whole(0), "Since: year", "Dal: anno")
    since_round: int = public(Whole(0), "Since: round", "Dal: fase")
    rounds: int = public(Whole(0), "Full rounds", "Fasi intere")


@dataclass(eq=False, repr=False)
class Contact(Record, sheet="Contacts", sheet_it="Incontri", whose=("hand", "other"), time="year", part="round"):
    """A meeting of two hostile forces in a node (3c)."""

    about_en = "Who met whom, who had the hand, what both chose."
    about_it = "Chi ha incontrato chi, chi era di mano, che cosa hanno scelto."

    contact: str = public(Text(), "Contact", "Incontro", key=True, width=20)
    year: int = public(Whole(0), "Year", "Anno")
    round: int = public(Whole(0), "Round", "Fase d'estate", alias=("fase",))
    node: str = public(Ref("Nodes"), "At", "Al nodo")
    hand: str = public(Ref("Factions"), "Hand", "Di mano")
    other: str = public(Ref("Factions"), "Other", "L'altro")
    choice_hand: str = own(Text(), "Hand's choice", "Scelta della mano")
    choice_other: str = own(Text(), "Other's choice", "Scelta dell'altro")
    outcome: str = public(Text(), "Outcome", "Esito", width=16)


@dataclass(eq=False, repr=False)
class Account(Record, sheet="Accounts", sheet_it="Conti", whose=("faction",), unique=False, grows=True):
    """One movement of money."""

    about_en = "Every ducat that came or went."
    about_it = "Ogni ducato entrato o uscito."

    year: int = own(Whole(0), "Year", "Anno", key=True)
    phase: str = own(Text(), "Phase", "Fase", alias=("passo",), key=True)
    faction: str = own(Ref("Factions"), "Faction", "Fazione", key=True)
    item: str = own(Text(), "Item", "Voce", key=True, width=18)
    amount: int = own(Whole(), "Ducats", "Ducati", hint=("out: below 0", "uscite: sotto 0"))
    balance: int = own(Whole(), "Chest", "Cassa")
    ref: str = own(Text(), "For", "Per", width=18)


@dataclass(eq=False, repr=False)
class Cell34(Record, sheet="Table34", sheet_it="Tabella 34"):
    """One cell of table 34; the referee may change it, for our outcomes are derived."""

    about_en = "What comes of two choices; the outcomes may be changed."
    about_it = "Che cosa nasce da due scelte. Gli esiti si possono riscrivere."

    hand: str = given(Choice({"stop": "fermarsi", "retreat": "indietreggiare", "attack": "attaccare"}), "Hand",
                      "Di mano", key=True, default="stop")
    other: str = given(
        Choice({"stop": "fermarsi", "retreat": "indietreggiare", "attack": "attaccare", "shut_in": "rinchiudersi"}),
        "Other", "L'altro", key=True, default="stop")
    outcome: str = given(Choice({
        "stay": "fermi", "other_back": "altro_indietro", "battle_other": "battaglia_altro", "shut_in": "rinchiuso",
        "hand_back": "mano_indietro", "both_back": "entrambi_indietro", "pursuit_other": "insegue_altro",
        "hand_back_shut": "mano_indietro_rinchiuso", "battle_hand": "battaglia_mano", "pursuit_hand": "insegue_mano",
        "meeting": "incontro"}), "Outcome", "Esito", default="stay", width=24)


@dataclass(eq=False, repr=False)
class Opening(Record, sheet="Opening", sheet_it="Partenza"):
    """What each faction had at the start, for the objectives of the English edition."""

    about_en = "What each faction had at the start (English edition: most gained)."
    about_it = "Che cosa aveva ciascuno alla partenza (edizione inglese: chi ha guadagnato di più)."

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True, see="referee")
    cities: int = column(Whole(0), "Cities", "Città", see="referee")
    villages: int = column(Whole(0), "Villages", "Villaggi", see="referee")
    fortresses: int = column(Whole(0), "Fortresses", "Fortezze", see="referee")
    ports: int = column(Whole(0), "Ports", "Porti", see="referee")
    capitals: int = column(Whole(0), "Capitals", "Capitali", see="referee")
    fleets: int = column(Whole(0), "Fleets", "Flotte", see="referee")
    ducats: int = column(Whole(), "Ducats", "Ducati", default=0, see="referee")


RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Army, Order, base.Question, Battle, base.Event, base.Die, base.FindingRow,
    base.Rule, Ban, Fleet, Specialist, Work, Loan, Alliance, Siege, Contact, Account, Cell34, Opening)


# What declarations of numbers share, and the numbers of no chapter (rulebook: Numbers).


ASSUMED = "ASSUMED"

AMENDED, ENGLISH, ENGLISH_AMENDED = ("IT_amended", "EN_amended"), ("EN", "EN_amended"), ("EN_amended",)


def by_edition(editions: tuple[str, ...], there: str, elsewhere: str) -> dict[str, str]:
    """The default of a switch in these editions, and in the others."""
    return {edition: there if edition in editions else elsewhere for edition in EDITIONS}


DUCATS = both("ducats", "ducati")
ADDED_TO_THE_DIE = both("added to the die", "sommato al dado")
UDM = both("udm", "udm")
PERCENT_OF_THE_DUCATS_ENGAGED = both("% of the ducats engaged", "% dei ducati impegnati")


class Numbers(Rules):
    """The numbers and switches of no chapter, and those that the board itself reads."""

    edition: str = switch("Amendments",
                          both("{option} is played, and presets what the editions decide.",
                               "Si gioca {option}, che predispone ciò che dipende dall'edizione."),
                          both("the Italian text with the Amendments", "il testo italiano con gli Emendamenti"),
                          both("the Italian text", "il testo italiano"), both("the English text", "il testo inglese"),
                          both("the English text with the Amendments", "il testo inglese con gli Emendamenti"),
                          options=EDITIONS, by_edition={edition: edition for edition in EDITIONS}, setup=True)
    opening_treasury: str = switch("start",
                                   both("In its chest `arbitro new` gives each faction at the start, where this is "
                                        "typed: {option}.",
                                        "Nella cassa di ogni fazione `arbitro new` mette alla partenza, se è scritto "
                                        "qui: {option}."), both("the taxes of a year", "le tasse di un anno"),
                                   options=("income",), pattern=r"income|[0-9]{1,6}", setup=True)
    opening_army: int = number(300, DUCATS, "start",
                               both("`arbitro new` gives {n} {n?ducat|ducats} of army at the start, where this is "
                                    "typed.",
                                    "`arbitro new` dà {n} {n?ducato|ducati} d'armata alla partenza, se sono scritti "
                                    "qui."), ASSUMED, setup=True)
    own_territory: Literal["controlled", "home"] = switch(
        "3b", both("Own territory for marching is {option}.", "Per marciare il proprio territorio è {option}."),
        both("what one controls", "quello controllato"), both("the home territory", "quello di casa"), usual=True)
    diplomat_contact: Literal["yes", "no"] = switch(
        "2b t33",
        both("Before he is revealed a diplomat {option}.", "Prima di essere scoperto un diplomatico {option}."),
        both("stops an enemy once", "ferma il nemico una volta"), both("stops nobody", "non ferma nessuno"))
    garrison_public: Literal["yes", "no"] = switch(
        "note1", both("Where garrisons are {option}.", "Dove sono le guarnigioni {option}."),
        both("all see", "lo vedono tutti"), both("only the owner sees", "lo vede solo il proprietario"), usual=True)
    money_public: Literal["no", "yes"] = switch(
        "note1", both("What is in a chest {option}.", "Che cosa c'è in una cassa {option}."),
        both("only the owner sees", "lo vede solo il proprietario"), both("all see", "lo vedono tutti"), usual=True)
    armati_core_rule: Literal["off", "on"] = switch(
        "Armati", both("An army counts {option}.", "Un'armata conta {option}."),
        both("whatever its core", "qualunque sia il suo core"),
        both("only with 1 BP or more over the core", "solo con almeno 1 BP oltre il core"), usual=True)


TABLE34: Mapping[tuple[str, str], str] = {
    ("stop", "stop"): "stay", ("stop", "retreat"): "other_back",
    ("stop", "attack"): "battle_other", ("stop", "shut_in"): "shut_in",
    ("retreat", "stop"): "hand_back", ("retreat", "retreat"): "both_back",
    ("retreat", "attack"): "pursuit_other", ("retreat", "shut_in"): "hand_back_shut",
    ("attack", "stop"): "battle_hand", ("attack", "retreat"): "pursuit_hand",
    ("attack", "attack"): "meeting", ("attack", "shut_in"): "shut_in",
}
"""Table 34 (3c; its cells are DERIVED, the picture is missing): (hand, other) -> outcome."""
GO_BACK = {"hand_back": ("hand",), "other_back": ("other",), "both_back": ("hand", "other"),
           "hand_back_shut": ("hand",)}
"""Outcomes of table 34 after which somebody goes back -> who."""

CALENDAR: tuple[tuple[str, str], ...] = tuple((en, both.codes[en]) for en in both.words({
    "April I": "aprile I", "April II": "aprile II", "May I": "maggio I", "May II": "maggio II", "June": "giugno",
    "July": "luglio", "August": "agosto", "September": "settembre", "October I": "ottobre I",
    "October II": "ottobre II"}))
"""The ten rounds of summer in English and Italian; only April is FOUND, the rest is ASSUMED."""
MONTHS: tuple[tuple[str, str], ...] = tuple((en.split()[0], it.split()[0]) for en, it in CALENDAR)
"""The month of each round."""

TIED = ":t{n}"
"""Suffix of the key when equal throws are repeated."""

ROLLS = RollKinds()
"""The kinds of throw by their word."""

BATTLES = ("B{turn}.{n}.{Nodes}", "B{turn}.{n}.{Nodes}{b}")
"""Codes of battles: the second at one node in a round gets a b, the third a c."""


# Checks of the whole workbook before a phase starts: edition, roads, places, armies, fleets, chests.


DATA_FINDINGS = (
    Message("GIG-120", "error",
            both("The road {a} {b} stands here twice, or leads to itself. Delete the row.",
                 "La strada fra {a:il} e {b:il} compare due volte, o torna da dove parte. Cancella la riga."),
            means=WAY),
    Message("GIG-121", "error",
            both("{node}: the code '{value}' in the column {column} is unknown. Type one of Factions or Nodes.",
                 "{node}: la sigla '{value}' nella colonna {column} è sconosciuta. Scrivine una di Fazioni o Nodi.")),
    Message("GIG-122", "error",
            both("{faction:the} {faction?has|have} {n} {n?army|armies}; {max} {max?is|are} allowed. Delete or unite "
                 "some.",
                 "{faction:il} {faction?ha|hanno} {n} {n?armata|armate}; il massimo è {max}. Cancellane o uniscine.")),
    Message("GIG-123", "error",
            both("{army} is at sea and no fleet carries it alone. Write it as the cargo of one own fleet there.",
                 "{army} è in mare e nessuna flotta la porta da sola. Scrivila come carico di una flotta tua lì.")),
    Message("GIG-124", "error",
            both("{what} has {value} {value?ducat|ducats}: a chest holds 0 or more, an army 1 or more. Correct the "
                 "number.",
                 "{what} ha {value} {value?ducato|ducati}: una cassa ne ha da 0 in su, un'armata da 1 in su. "
                 "Correggi il numero.")),
    Message("GIG-125", "error",
            both("{node}: a sea area has no walls, owner or garrison, a road touches no sea. Correct the row.",
                 "{node}: un mare non ha mura, padrone né guarnigione, e una strada non tocca il mare. Correggi la "
                 "riga.")),
)


def _finding(code: str, row: Record, field: str, key: str = "", **data: Any) -> Finding:
    where = Where(row.sheet, key or row.ident, field)
    return Finding(code, "error", where, data, str(data.get("faction", "")))


def check_campaign_data(campaign: Campaign, max_armies: int, holds: tuple[str, ...]) -> list[Finding]:
    """All findings about the edition, roads, places, armies, fleets and chests. `holds`: as of the board."""
    land_and_sea = campaign.derive(_land_and_sea, Node)
    return [*_edition_findings(campaign), *campaign.derive(_road_findings, Road, by=land_and_sea),
            *campaign.derive(_place_findings, Node, Faction),
            *campaign.derive(_army_findings, Faction, Army, by=(max_armies,)),
            *campaign.derive(_findings_afloat, Army, Fleet, Node, by=(holds,)),
            *campaign.derive(_chest_findings, Faction, Army)]


def _edition_findings(campaign: Campaign) -> list[Finding]:
    """Report an edition among the Rules that is not the Desk's: only the Desk's counts (ARB-277)."""
    row = campaign.table(Rule).get("edition")
    counts = campaign.desk.edition
    if row is None or row.value == counts or row.value not in EDITIONS:
        return []
    return [Finding("ARB-277", "warning", Where(Rule.sheet, row.key, "value"),
                    {"seen": str(row.value), "edition": counts})]


def _land_and_sea(nodes: Table[Node]) -> tuple[frozenset[str], frozenset[str]]:
    sea = frozenset(place.node for place in nodes.where(lambda place: not place.land))
    return frozenset(nodes.keys()) - sea, sea


def _road_findings(land: frozenset[str], sea: frozenset[str], roads: Table[Road]) -> list[Finding]:
    """Roads that are doubled, lead to themselves, or are of the wrong kind (GIG-120, 125)."""
    findings, seen, places = [], set(), land | sea
    for ident, road in roads.in_file_order():
        pair = (*sorted((road.a, road.b)), road.kind)
        if road.a == road.b or pair in seen:
            findings.append(_finding("GIG-120", road, "b", ident, a=road.a, b=road.b))
        seen.add(pair)
        if not {road.a, road.b} <= places:
            continue
        ashore = {road.a, road.b} <= land
        if (road.kind == "road" and not ashore) or (road.kind == "lane" and ashore):
            findings.append(_finding("GIG-125", road, "kind", ident, node=f"{road.a}-{road.b}"))
    return findings


def _place_findings(nodes: Table[Node], factions: Table[Faction]) -> list[Finding]:
    findings, codes = [], frozenset(factions.keys())
    for place in nodes.where(lambda node: node.owner not in codes or node.home not in codes or not node.land):
        for name in ("owner", "home"):
            code = getattr(place, name)
            if code not in codes and (code or place.land):
                findings.append(_finding("GIG-121", place, name, node=place.node, value=code))
        if not place.land and (place.fortified or place.owner or place.garrison):
            findings.append(_finding("GIG-125", place, "site", node=place.node))
    for row in factions.where(lambda faction: bool(faction.capital) and faction.capital not in nodes):
        findings.append(_finding("GIG-121", row, "capital", node=row.capital, value=row.capital))
    return findings


def _army_findings(most: int, factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    counts = Counter(army.faction for army in armies if army.is_army)
    return [_finding("GIG-122", row, "faction", faction=row.faction, n=counts[row.faction], max=most)
            for row in factions.where(lambda row: counts[row.faction] > most and row.role != "neutral")]


def _findings_afloat(holds: tuple[str, ...], armies: Table[Army], fleets: Table[Fleet],
                     nodes: Table[Node]) -> list[Finding]:
    findings = []
    sea = _land_and_sea(nodes)[1]
    afloat = armies.where(lambda army: army.posture == "aboard" or army.node in sea)
    loads = Counter(a.fleet for a in afloat if a.posture == "aboard")
    for army in afloat:
        ships = [fleet for fleet in fleets for hold in holds if getattr(fleet, hold) == army.army]
        carried = (len(ships) == 1 and army.posture == "aboard" and loads[army.fleet] <= len(holds)
                   and (ships[0].node, ships[0].faction) == (army.node, army.faction))
        if not carried:
            findings.append(_finding("GIG-123", army, "node", faction=army.faction, unit=army.army, army=army.army,
                                   node=army.node, fleet=army.fleet))
    return findings


def _chest_findings(factions: Table[Faction], armies: Table[Army]) -> list[Finding]:
    return [*(_finding("GIG-124", row, "treasury", what=row.faction, value=row.treasury, faction=row.faction)
              for row in factions.where(lambda row: row.treasury < 0)),
            *(_finding("GIG-124", army, "value", what=army.army, value=army.value, faction=army.faction)
              for army in armies.where(lambda army: army.is_army and army.value <= 0))]
