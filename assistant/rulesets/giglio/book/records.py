"""The sheets of Il Giglio: what it adds to the shared ones, and its own (rulebook: Records)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Flag, Moment, Ref, Text, Typed, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.see import Circle, When, Whose

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
"""What clubs call the sites."""


@dataclass
class Desk(base.Desk):
    """The calendar of the war and who orders the marches."""

    edition: str = column(Choice({e: e for e in EDITIONS}), "Edition", "Edizione", default="IT_amended",
                          edit="referee", see="public")
    start_year: int | None = column(Whole(1, blank=True), "Start", "Inizio", edit="referee", see="public")
    first_spring: str = column(
        Choice({"yes": "sì", "no": "no"}, blank=True), "First spring", "Prima primavera", edit="referee", see="public",
        hint=("blank: the spring of the year of start", "vuoto: la primavera dell'anno d'inizio"))
    strategos: str = column(Ref("Factions", blank=True), "Strategos", "Stratega", see="public")


@dataclass
class Faction(base.Faction):
    """A nation: its chest, its order of march, its secret objective, what winter holds for it."""

    faction: str = column(Text(CODE), "Code", "Sigla", key=True, edit="referee", see="public", required=True)
    capital: str = column(Ref("Nodes", blank=True, checked=True), "Capital", "Capitale", edit="referee", see="public")
    treasury: int = column(Whole(), "Chest", "Cassa", default=0, see=When("money_public", "yes", "public", "owner"),
                           hint=("ducats", "ducati"))
    fleet_cap: int | None = column(Whole(0, blank=True), "Fleets allowed", "Flotte ammesse", edit="referee",
                                   see="public")
    move_rank: int = column(Whole(0), "Order of movement", "Ordine di mossa", see="public")
    objective: str = column(Choice(OBJECTIVES, blank=True), "Objective", "Obiettivo", see="owner")
    objective_target: str = column(Ref("Factions", blank=True), "Territory", "Territorio", see="owner")
    pending_event: int = column(Whole(0, 6), "Event", "Evento", see="public",
                                hint=("row of table 36 that acts next spring",
                                      "riga della tabella 36 che agisce in primavera"))
    pending_node: str = column(Ref("Nodes", blank=True), "Place of the event", "Luogo dell'evento", see="public")


@dataclass
class Node(base.Node):
    """A place: its site, walls, owner and garrison."""

    whose: ClassVar[Whose] = ("owner",)

    site: str = column(Choice(SITES, also=SITES_ALSO), "Site", "Tipo di luogo", default="village", edit="referee",
                       see="public")
    walls: str = column(Choice({"none": "nessuna", "intact": "integre", "damaged": "danneggiate"}),
                        "Fortifications", "Fortificazioni", default="none", see="public")
    owner: str = column(Ref("Factions", blank=True, checked=True), "Controlled by", "Controllato da", see="public")
    home: str = column(Ref("Factions", blank=True, checked=True), "Territory of", "Territorio di", edit="referee",
                       see="public")
    capital: bool = column(Flag(), "Capital", "Capitale", edit="referee", see="public")
    port: bool = column(Flag(), "Port", "Porto", edit="referee", see="public")
    garrison: bool = column(Flag(), "Garrison", "Guarnigione", see=When("garrison_public", "yes", "public", "owner"))

    @classmethod
    def from_values(cls, values: dict[str, Any]) -> Self:
        """As `Record.from_values`; a fortress whose walls are not mentioned has them (rulebook: Records)."""
        place = super().from_values(values)
        if not str(values.get("walls") or "").strip() and place.site == "fortress":
            place.walls = "intact"
        return place

    @property
    def fortified(self) -> bool:
        """Whether the walls stand."""
        return self.walls == "intact"

    @property
    def land(self) -> bool:
        """Whether it is no sea area."""
        return self.site != "sea"


@dataclass
class Road(base.Road):
    """A road, a sea lane, or a beach."""

    kind: str = column(Choice({"road": "strada", "lane": "rotta", "coast": "costa"}), "Kind", "Tipo",
                       default="road", edit="referee", see="public",
                       hint=("road: armies; lane: fleets; coast: landings only",
                             "strada: armate; rotta: flotte; costa: solo sbarchi"))


@dataclass
class Army(base.Army):
    """A sum of ducats under arms, or a diplomat who looks like one (rulebook: Records)."""

    army: str = column(
        Text(CODE + r"-\d+"), "Army", "Armata", key=True, required=True,
        see=Circle("all; its owner alone while it is aboard",
                   lambda army, reader: army.posture != "aboard" or reader.owns(army)))
    kind: str = column(
        Choice({"army": "armata", "diplomat": "diplomatico"}), "Kind", "Tipo", default="army",
        see=Circle("its owner; all, once it is revealed", lambda army, reader: army.revealed or reader.owns(army)))
    node: str = column(Ref("Nodes"), "At", "Al nodo", see="public", required=True)
    value: int = column(Whole(), "Ducats", "Ducati", default=0, see="owner")
    posture: str = column(Choice({"field": "in campo", "shut_in": "rinchiusa", "aboard": "imbarcata"}),
                          "Posture", "Posizione", default="field", see="public")
    fleet: str = column(Ref("Fleets", blank=True), "Fleet", "Flotta", see="owner")
    trail: str = column(Text(), "Came from", "Proviene da", see="owner",
                        hint=("up to four nodes, the last is the previous position",
                              "fino a quattro nodi, l'ultimo è la posizione precedente"))
    arrived_year: int = column(Whole(0), "Arrived: year", "Arrivo: anno", see="public")
    arrived_round: int = column(Whole(0), "Arrived: round", "Arrivo: fase", see="public")
    arrived_no: int = column(Whole(0), "Arrived: no.", "Arrivo: n.", see="public")
    leaderless: int = column(Whole(0, 10), "Commander killed in round", "Comandante ucciso nella fase",
                             see="owner")
    revealed: bool = column(Flag(), "Revealed", "Scoperto", see="public")
    bp_over_core: int | None = column(Whole(blank=True), "BP over core", "BP oltre il core", edit="club",
                                      see="owner", hint=("only with armati_core_rule", "solo con armati_core_rule"))

    @property
    def nodes_back(self) -> list[str]:
        """The trail as a list, the previous position last."""
        return self.trail.split()


@dataclass
class Order(base.Order):
    """An order of spring or of a round of summer (rulebook: Orders)."""

    unit: str = column(Text(), "Unit", "Unità", edit="club", see="owner")
    path: str = column(Text(), "Path", "Percorso", edit="club", see="owner", width=16,
                       hint=("nodes from first to last, for example V8 F7",
                             "nodi dal primo all'ultimo, per esempio V8 F7"))
    target: str = column(Text(), "Target", "Bersaglio", edit="club", see="owner")
    amount: int | str = column(Typed(), "Ducats", "Ducati", edit="club", see="owner")
    partner: str = column(Text(), "Partner", "Alleato", edit="club", see="owner")
    option: str = column(Text(), "Option", "Opzione", edit="club", see="owner", width=14)
    note: str = column(Text(), "Note", "Nota", edit="club", see="owner", width=32)


ATTACKER = Circle("the attacker", lambda row, reader: reader.is_one_of(row.side_a))
DEFENDER = Circle("the defender", lambda row, reader: reader.is_one_of(row.side_b))


@dataclass
class Battle(base.Battle):
    """A battle and the form of its result (rulebook: The form of a result)."""

    whose: ClassVar[Whose] = ("side_a", "side_b")

    round: int = column(Whole(0), "Round", "Fase", see="public")
    type: str = column(Choice({"field": "campale", "meeting": "d'incontro", "rearguard": "retroguardia"}, blank=True),
                       "Type", "Tipo", see="public", width=14)
    side_a: str = column(Ref("Factions", blank=True), "Attacker", "Attaccante", see="public")
    side_b: str = column(Ref("Factions", blank=True), "Defender", "Difensore", see="public")
    armies_a: str = column(Text(), "Attacker's armies", "Armate dell'attaccante", see=ATTACKER)
    armies_b: str = column(Text(), "Defender's armies", "Armate del difensore", see=DEFENDER)
    value_a: int | None = column(Whole(0, blank=True), "Attacker's ducats", "Ducati dell'attaccante", see=ATTACKER)
    value_b: int | None = column(Whole(0, blank=True), "Defender's ducats", "Ducati del difensore", see=DEFENDER)
    side_pick: str = column(Ref("Factions", blank=True), "Chooses side and terrain", "Sceglie lato e terreno",
                            see="public")
    mode: str = column(Choice({"played": "giocata", "auto": "dadi"}, blank=True), "How", "Come", edit="referee",
                       see="public",
                       hint=("played on the table, or auto: the umpire's dice",
                             "giocata sul tavolo, o dadi: i dadi dell'arbitro"))
    winner: str = column(Text(), "Winner", "Vincitore", edit="referee", see="public",
                         hint=("a, b or draw", "a, b o draw"))
    losses_a: int | str = column(Typed(), "Attacker's losses", "Perdite dell'attaccante", edit="referee", see="owner",
                                 hint=("ducats", "ducati"))
    losses_b: int | str = column(Typed(), "Defender's losses", "Perdite del difensore", edit="referee", see="owner",
                                 hint=("ducats", "ducati"))
    rearguard_value: int | str = column(Typed(), "Rearguard", "Retroguardia", edit="referee", see="owner",
                                        hint=("ducats on the table", "ducati sul tavolo"))
    pursuer_value: int | str = column(Typed(), "Pursuer", "Inseguitore", edit="referee", see="owner",
                                      hint=("ducats on the table", "ducati sul tavolo"))
    units_exited: int | str = column(Typed(), "Units off the table", "Unità uscite", edit="referee", see="owner")
    units_lost: int | str = column(Typed(), "Units lost", "Unità perse", edit="referee", see="owner")
    status: str = column(Choice({"open": "da giocare", "played": "giocata", "auto": "dadi", "void": "annullata",
                                 "superseded": "superata"}, blank=True), "Status", "Stato", see="public")


@dataclass
class Ban(Record):
    """A road that is shut to somebody for some rounds (April)."""

    sheet: ClassVar[str] = "Bans"
    sheet_it: ClassVar[str] = "Divieti"
    file: ClassVar[str] = "bans"
    unique: ClassVar[bool] = False
    about_en: ClassVar[str] = "Roads that are shut to a faction in some rounds."
    about_it: ClassVar[str] = "Strade chiuse a una fazione in certe fasi."

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True, edit="referee", see="public")
    a: str = column(Ref("Nodes"), "From", "Da", key=True, edit="referee", see="public")
    b: str = column(Ref("Nodes"), "To", "A", key=True, edit="referee", see="public")
    first_round: int = column(Whole(1, 10), "First round", "Prima fase", edit="referee", see="public")
    last_round: int = column(Whole(1, 10), "Last round", "Ultima fase", default=10, edit="referee", see="public")
    both_ways: bool = column(Flag(), "Both ways", "Nei due sensi", edit="referee", see="public")
    note: str = column(Text(), "Note", "Nota", edit="referee", see="public", width=30)


@dataclass
class Fleet(Record):
    """A fleet: where it lies, where it came from, what it carries."""

    sheet: ClassVar[str] = "Fleets"
    sheet_it: ClassVar[str] = "Flotte"
    file: ClassVar[str] = "fleets"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "The fleets, in port or at sea."
    about_it: ClassVar[str] = "Le flotte, in porto o in mare."

    fleet: str = column(Text(CODE + r"-F\d+"), "Fleet", "Flotta", key=True, see="public", required=True)
    faction: str = column(Ref("Factions"), "Faction", "Fazione", see="public", required=True)
    node: str = column(Ref("Nodes"), "At", "Al nodo", see="public", required=True)
    came_from: str = column(Ref("Nodes", blank=True), "Came from", "Proviene da", see="public")
    cargo: str = column(Ref("Armies", blank=True), "Cargo", "Carico", see="owner")


@dataclass
class Specialist(Record):
    """A hired man (table 33). Diplomats stand among the Armies."""

    sheet: ClassVar[str] = "Specialists"
    sheet_it: ClassVar[str] = "Specialisti"
    file: ClassVar[str] = "specialists"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "Sappers, spies and assassins in service, and those of the past."
    about_it: ClassVar[str] = "Genieri, spie e assassini in servizio, e quelli del passato."

    specialist: str = column(Text(CODE + r"-S\d+"), "Specialist", "Specialista", key=True, see="owner", required=True)
    faction: str = column(Ref("Factions"), "Faction", "Fazione", see="owner", required=True)
    kind: str = column(Choice(SPECIALISTS), "Kind", "Tipo", default="sapper", see="owner")
    post: str = column(Text(), "Post", "Posto", see="owner",
                       hint=("army or node; sappers only", "armata o nodo; solo genieri"))
    year: int = column(Whole(0), "Year", "Anno", see="owner")
    status: str = column(Choice({"active": "attivo", "spent": "impiegato", "dead": "morto", "expired": "congedato"}),
                         "Status", "Stato", default="active", see="owner")


@dataclass
class Work(Record):
    """Fortification or repair under way or ended (table 32, Amendments)."""

    sheet: ClassVar[str] = "Works"
    sheet_it: ClassVar[str] = "Lavori"
    file: ClassVar[str] = "works"
    unique: ClassVar[bool] = False
    about_en: ClassVar[str] = "Fortifications being built or repaired."
    about_it: ClassVar[str] = "Fortificazioni in costruzione o in riparazione."

    node: str = column(Ref("Nodes"), "Node", "Nodo", key=True, see="public")
    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True, see="public")
    kind: str = column(Choice({"fortify": "fortifica", "repair": "ripara"}), "Kind", "Tipo", default="fortify",
                       see="public")
    cost: int = column(Whole(0), "Cost", "Costo", see="public", hint=("ducats", "ducati"))
    ordered: str = column(Text(), "Ordered", "Ordinato", key=True, see="public", width=16)
    ready_year: int = column(Whole(0), "Ready", "Pronto", see="public",
                             hint=("January of that year; base edition: its winter",
                                                                "gennaio di quell'anno; edizione base: il suo inverno"))
    status: str = column(Choice({"under_way": "in corso", "done": "finito", "lost": "perduto"}), "Status", "Stato",
                         default="under_way", see="public")


@dataclass
class Loan(Record):
    """A loan of the bank: one a faction and year (2a)."""

    sheet: ClassVar[str] = "Loans"
    sheet_it: ClassVar[str] = "Prestiti"
    file: ClassVar[str] = "loans"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "What the banks lent and what is due."
    about_it: ClassVar[str] = "Quanto hanno prestato le banche e quanto si deve."

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True, see="owner")
    year: int = column(Whole(0), "Year", "Anno", key=True, see="owner")
    amount: int = column(Whole(0), "Lent", "Prestato", see="owner", hint=("ducats", "ducati"))
    due: int = column(Whole(0), "Due", "Dovuto", see="owner", hint=("ducats, next spring", "ducati, in primavera"))
    status: str = column(Choice({"open": "aperto", "repaid": "restituito", "confiscated": "confiscato"}),
                         "Status", "Stato", default="open", see="owner")
    confiscated_year: int | None = column(Whole(0, blank=True), "Confiscated in", "Confiscato nel", see="owner")


@dataclass
class Alliance(Record):
    """A secret treaty between two factions; a comes before b in natural order."""

    sheet: ClassVar[str] = "Alliances"
    sheet_it: ClassVar[str] = "Alleanze"
    file: ClassVar[str] = "alliances"
    whose: ClassVar[Whose] = ("a", "b")
    unique: ClassVar[bool] = False
    about_en: ClassVar[str] = "Secret treaties: only the two parties and the referee know them."
    about_it: ClassVar[str] = "Patti segreti: li conoscono solo le due parti e l'arbitro."

    a: str = column(Ref("Factions"), "Party", "Parte", key=True, see="owner")
    b: str = column(Ref("Factions"), "Other party", "Altra parte", key=True, see="owner")
    since: int = column(Whole(0), "Since", "Dal", key=True, see="owner")
    until: int | None = column(Whole(0, blank=True), "Until", "Fino al", see="owner")
    passage: bool = column(Flag(), "Passage", "Passo", see="owner")
    terms: str = column(Text(), "Terms", "Condizioni", see="owner", width=34)
    status: str = column(Choice({"active": "attivo", "honoured": "rispettato", "dissolved": "sciolto",
                                 "betrayed": "tradito"}), "Status", "Stato", default="active", see="owner")
    suspect: str = column(Ref("Factions", blank=True), "Suspect", "Sospetto", see="referee")
    betrayed_by: str = column(Ref("Factions", blank=True), "Betrayed by", "Tradito da", see="owner")
    dissolved_by: str = column(Ref("Factions", blank=True), "Dissolved by", "Sciolto da", see="owner")
    dissolved_year: int | None = column(Whole(0, blank=True), "Dissolved in", "Sciolto nel", see="owner")
    suspect_act: str = column(Text(), "Act", "Atto", see="referee")

    def joins(self, one: str, another: str) -> bool:
        """Whether it is a treaty of these two, in whatever order a person typed them."""
        return {self.a, self.b} == {one, another}


@dataclass
class Siege(Record):
    """A siege that is going on (3d)."""

    sheet: ClassVar[str] = "Sieges"
    sheet_it: ClassVar[str] = "Assedi"
    file: ClassVar[str] = "sieges"
    about_en: ClassVar[str] = "Sieges that are going on, and how many rounds were tested."
    about_it: ClassVar[str] = "Assedi in corso, e quante fasi sono state provate."

    node: str = column(Ref("Nodes"), "Node", "Nodo", key=True, see="public")
    besieger: str = column(Ref("Factions"), "Besieger", "Assediante", key=True, see="public")
    since_year: int = column(Whole(0), "Since: year", "Dal: anno", see="public")
    since_round: int = column(Whole(0), "Since: round", "Dal: fase", see="public")
    rounds: int = column(Whole(0), "Full rounds", "Fasi intere", see="public")


@dataclass
class Contact(Record):
    """A meeting of two hostile forces in a node (3c)."""

    sheet: ClassVar[str] = "Contacts"
    sheet_it: ClassVar[str] = "Incontri"
    file: ClassVar[str] = "contacts"
    whose: ClassVar[Whose] = ("hand", "other")
    time: ClassVar[str] = "year"
    about_en: ClassVar[str] = "Who met whom, who had the hand, what both chose."
    about_it: ClassVar[str] = "Chi ha incontrato chi, chi era di mano, che cosa hanno scelto."

    contact: str = column(Text(), "Contact", "Incontro", key=True, see="public", width=20)
    year: int = column(Whole(0), "Year", "Anno", see="public")
    round: int = column(Whole(0), "Round", "Fase", see="public")
    node: str = column(Ref("Nodes"), "At", "Al nodo", see="public")
    hand: str = column(Ref("Factions"), "Hand", "Di mano", see="public")
    other: str = column(Ref("Factions"), "Other", "L'altro", see="public")
    choice_hand: str = column(Text(), "Hand's choice", "Scelta della mano", see="owner")
    choice_other: str = column(Text(), "Other's choice", "Scelta dell'altro", see="owner")
    outcome: str = column(Text(), "Outcome", "Esito", see="public", width=16)


@dataclass
class Account(Record):
    """One movement of money."""

    sheet: ClassVar[str] = "Accounts"
    sheet_it: ClassVar[str] = "Conti"
    file: ClassVar[str] = "accounts"
    whose: ClassVar[Whose] = ("faction",)
    unique: ClassVar[bool] = False
    grows: ClassVar[bool] = True
    about_en: ClassVar[str] = "Every ducat that came or went."
    about_it: ClassVar[str] = "Ogni ducato entrato o uscito."

    year: int = column(Whole(0), "Year", "Anno", key=True, see="owner")
    phase: str = column(Text(), "Phase", "Passo", key=True, see="owner")
    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True, see="owner")
    item: str = column(Text(), "Item", "Voce", key=True, see="owner", width=18)
    amount: int = column(Whole(), "Ducats", "Ducati", see="owner", hint=("out: below 0", "uscite: sotto 0"))
    balance: int = column(Whole(), "Chest", "Cassa", see="owner")
    ref: str = column(Text(), "For", "Per", see="owner", width=18)


@dataclass
class Cell34(Record):
    """One cell of table 34, which we know as a picture only; the referee may type it over."""

    sheet: ClassVar[str] = "Table34"
    sheet_it: ClassVar[str] = "Tabella 34"
    file: ClassVar[str] = "table34"
    about_en: ClassVar[str] = "What comes of two choices. The outcomes may be typed over."
    about_it: ClassVar[str] = "Che cosa nasce da due scelte. Gli esiti si possono riscrivere."

    hand: str = column(Choice({"stop": "fermarsi", "retreat": "indietreggiare", "attack": "attaccare"}),
                       "Hand", "Di mano", key=True, default="stop", edit="referee", see="public")
    other: str = column(Choice({"stop": "fermarsi", "retreat": "indietreggiare", "attack": "attaccare",
                                "shut_in": "rinchiudersi"}), "Other", "L'altro", key=True, default="stop",
                        edit="referee", see="public")
    outcome: str = column(Choice({
        "stay": "fermi", "other_back": "altro_indietro", "battle_other": "battaglia_altro", "shut_in": "rinchiuso",
        "hand_back": "mano_indietro", "both_back": "entrambi_indietro", "pursuit_other": "insegue_altro",
        "hand_back_shut": "mano_indietro_rinchiuso", "battle_hand": "battaglia_mano", "pursuit_hand": "insegue_mano",
        "meeting": "incontro"}), "Outcome", "Esito", default="stay", edit="referee", see="public", width=24)


@dataclass
class Opening(Record):
    """What each faction had at the start, for the objectives of the English edition."""

    sheet: ClassVar[str] = "Opening"
    sheet_it: ClassVar[str] = "Partenza"
    file: ClassVar[str] = "opening"
    about_en: ClassVar[str] = "What each faction had at the start (English edition: most gained)."
    about_it: ClassVar[str] = "Che cosa aveva ciascuno alla partenza (edizione inglese: chi ha guadagnato di più)."

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

__all__ = ["CODE", "EDITIONS", "OBJECTIVES", "RECORDS", "SPECIALISTS", "Moment"]
