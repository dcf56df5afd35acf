"""The sheets of The Anarchy that all rulebooks share, with its columns, and the groups (rulebook: Records)."""

from __future__ import annotations

from typing import Any, ClassVar

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Data, Flag, Moment, Parts, Ref, Text, Typed, Whole, column
from assistant.campaign.see import Circle
from assistant.campaign.usual import given, noted, own, public, wanted
from assistant.dataclass import dataclass

SIDES = {"royal": "realista", "angevin": "angioino", "neutral": "neutrale"}
RANKS = ("knights", "dismounted", "foot", "bows", "light", "peasants")
"""The fields that count men, from knights down."""
LETTERS = dict(zip("KDSBLP", RANKS, strict=True))
RISING = ("peasants", "bows", "light", "foot", "dismounted", "knights")
"""Ranks in rising attack value (rulebook: Words)."""
RANK_WORDS = {"knights": "cavalieri", "dismounted": "appiedati", "foot": "fanti armati", "bows": "arcieri",
              "light": "fanti leggeri", "peasants": "contadini", "noble": "nobile"}
RANK_ALSO = {**{letter.lower(): rank for letter, rank in LETTERS.items()}, "knight": "knights", "bow": "bows",
             "peasant": "peasants"}
KINDS = {"norman": "normanno", "flemish": "fiammingo", "welsh": "gallese"}
KIND_ALSO = {"n": "norman", "f": "flemish", "w": "welsh"}
STANDING = {"attack": "attacca", "pass": "passa", "ask": "chiedi"}
HALF_POUND = 2
MOST_MEN = 9999
"""More men of one rank than any club owns; each of them may be thrown for."""
MEN_OF_RANK = Whole(0, MOST_MEN)
KIND = Choice(KINDS, blank=True, also=KIND_ALSO)
RANK = Choice(RANK_WORDS, blank=True, also=RANK_ALSO)
SIDE = Choice(SIDES, blank=True)


class Ranked:
    """Men counted by rank, each rank in a column of its own."""

    prefix: ClassVar[str] = ""
    """What stands before the rank in the names of these columns."""

    def count(self, rank: str) -> int:
        """Men of a rank."""
        return int(getattr(self, self.prefix + rank))

    def gain(self, rank: str, n: int) -> None:
        """So many more men of a rank; fewer, where n is below 0."""
        setattr(self, self.prefix + rank, self.count(rank) + n)

    @property
    def ranks(self) -> dict[str, int]:
        """How many men of each rank."""
        return {rank: self.count(rank) for rank in RANKS}

    @property
    def men(self) -> int:
        """Men of all ranks, hurt ones included, without the nobles."""
        return sum(map(self.count, RANKS))


@dataclass
class Desk(base.Desk):
    """The day and its phase."""

    turn: str = public(Moment(), "Day", "Giorno", alias=("year", "day", "anno", "turn", "turno"))


@dataclass
class Faction(base.Faction):
    """The King's party, the Empress's party, and the neutrals whom the referee runs."""

    side: str = given(SIDE, "Side", "Parte")
    captain: str = given(Text(), "Captain", "Capitano", width=22)
    looted: int = public(Whole(0), "Looted", "Bottino", hint=("points", "punti"))
    delivered: int = public(Whole(0), "Delivered", "Consegnati", hint=("points", "punti"))
    destroyed: int = public(Whole(0), "Groups destroyed", "Gruppi distrutti")
    score: int = public(Whole(), "Score", "Punti")


@dataclass
class Node(base.Node, sheet_it="Esagoni"):
    """A hex of five kilometres."""

    node: str = given(Text(digits=4), "Hex", "Esagono", key=True, required=True,
                      hint=("column and row, 0605", "colonna e riga, 0605"))
    x: int = given(Parts(100), "x km", "x", hint=("kilometres to the east", "chilometri verso est"))
    y: int = given(Parts(100), "y km", "y", hint=("kilometres to the south", "chilometri verso sud"))
    terrain: str = given(
        Text(), "Terrain", "Terreno", default="open", width=16,
        hint=("open forest hill marsh river coast, joined by +", "open forest hill marsh river coast, uniti da +"))
    river_name: str = given(Text(), "River", "Fiume", width=16)

    @property
    def terrains(self) -> tuple[str, ...]:
        """The terrains of the hex; open ground where nothing is said."""
        found = tuple(word for word in self.terrain.replace("+", " ").replace(",", " ").lower().split() if word)
        return found or ("open",)


@dataclass
class Road(base.Road):
    """A road, bridge or ford over one side of a hex."""

    kind: str = given(Choice({"road": "strada", "bridge": "ponte", "ford": "guado"}), "Kind", "Tipo", default="road")


MEN = Circle("its owner, and who has a group in its hex",
             lambda army, reader: reader.owns(army) or (army.active and reader.stands_at(army.node)))


@dataclass
class Army(Ranked, base.Army, sheet_it="Gruppi"):
    """A group of three or more, a mercenary company, or what is left of one."""

    about_en = "The groups and mercenary companies and where they stand."
    about_it = "I gruppi, le compagnie di mercenari e dove stanno."

    army: str = given(Text(), "Group", "Gruppo", key=True, required=True)
    node: str = public(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    name: str = given(Text(), "Name", "Nome", width=26)
    kind: str = given(Choice(KINDS, also=KIND_ALSO), "Type", "Tipo", default="norman")
    commander: str = column(Ref("Nobles", blank=True), "Commander", "Comandante", edit="club", see="public")
    loyalty: int | None = noted(Whole(blank=True), "Loyalty", "Lealtà",
                                hint=("1 Empress to 10 King; Normans only", "da 1 Imperatrice a 10 re; solo normanni"))
    size: int = noted(
        MEN_OF_RANK, "Fighters", "Combattenti",
        hint=("read by the opening when all ranks are blank", "letto dall'apertura se tutti i gradi sono vuoti"))
    knights: int = column(MEN_OF_RANK, "K", "K", see=MEN, hint=("knights", "cavalieri"))
    dismounted: int = column(MEN_OF_RANK, "D", "D", see=MEN, hint=("dismounted knights", "cavalieri appiedati"))
    foot: int = column(MEN_OF_RANK, "S", "S", see=MEN, hint=("armoured foot", "fanti in armatura"))
    bows: int = column(MEN_OF_RANK, "B", "B", see=MEN, hint=("bows", "arcieri"))
    light: int = column(MEN_OF_RANK, "L", "L", see=MEN, hint=("light foot", "fanti leggeri"))
    peasants: int = column(MEN_OF_RANK, "P", "P", see=MEN, hint=("peasants", "contadini"))
    money: int = own(Parts(HALF_POUND), "Purse £", "Cassa £", hint=("pounds, in halves", "sterline, a mezzi"))
    provisions: int = own(Whole(0), "Carried food", "Provviste")
    hungry_days: int = own(Whole(0), "Hungry days", "Giorni di fame")
    starving: bool = own(Flag(), "Starving", "Affamato")
    employer: str = column(Ref("Armies", blank=True), "Attached to", "Aggregato a", edit="club", see="public")
    contract: str = own(Choice({"none": "nessuno", "paid": "pagato", "promised": "promesso"}), "Contract", "Ingaggio",
                        default="none")
    promised: int = own(Whole(0), "Promised points", "Bottino promesso")
    tests: int = own(Whole(0), "Tests made", "Test fatti")
    hired_on: int | None = own(Whole(blank=True), "Hired on", "Assunti il")
    grumbles: bool = own(Flag(), "Grumbles", "Malumore")
    no_promise_to: str = own(SIDE, "No promise to", "Niente promesse a")
    moves_next: str = public(SIDE, "Moved next by", "Mosso da")
    inside: str = column(Ref("Places", blank=True), "In castle", "Nel castello", edit="club", see="public", width=22)
    besieging: str = column(Ref("Places", blank=True), "Besieges", "Assedia", edit="club", see="public", width=22)
    came_from: str = public(Text(digits=4), "Came from", "Proviene da")
    on_meeting: str = wanted(Choice(STANDING), "On meeting", "All'incontro", default="ask")
    if_attacked: str = wanted(
        Choice({"fight": "combatte", "refuse": "rifiuta", "shut_in": "si chiude", "ask": "chiedi"}), "If attacked",
        "Se attaccato", default="ask")
    joins: str = wanted(Choice({"yes": "sì", "no": "no", "ask": "chiedi"}), "Joins battles", "Si aggiunge",
                        default="ask")
    wins: int = own(Whole(0), "Battles won", "Vittorie")
    core_start: int = own(Whole(0), "Core at first win", "Nucleo iniziale")
    core_now: int = own(Whole(0), "Core now", "Nucleo attuale")
    shares_since: int | None = own(Whole(blank=True), "Shares hex since", "Condivide dal")
    safe_on: int | None = public(Whole(blank=True), "Safe conduct on", "Salvacondotto il")
    enters_on: int | None = noted(Whole(blank=True), "Enters on", "Entra il")
    unarmed: bool = public(Flag(), "Unarmed", "Disarmato")
    state: str = public(Choice({"active": "attivo", "awaited": "atteso", "merged": "unito", "dissolved": "disperso",
                                "destroyed": "distrutto", "captured": "catturato"}), "State", "Stato", default="active")
    march: int | None = public(Whole(blank=True), "March no.", "Ordine di marcia", last=True,
                               hint=("place in today's order of march", "posto nell'ordine di movimento di oggi"))
    counter: int | None = given(
        Whole(blank=True), "Counter no.", "N. d'ordine", last=True,
        hint=("the red number printed on the group's counter", "il numero rosso stampato sul segnalino del gruppo"))
    cavalry: bool = public(
        Flag(), "Cavalry", "Cavalleria", last=True,
        hint=("only knights: all see it on the counter", "solo cavalieri: tutti lo vedono sul segnalino"))

    @property
    def active(self) -> bool:
        """Whether the group is on the map."""
        return self.state == "active"

    @property
    def mercenary(self) -> bool:
        """Whether it is a company of mercenaries."""
        return self.kind != "norman"


@dataclass
class Order(base.Order):
    """An order of a day (rulebook: Orders)."""

    phase: str = wanted(Text(), "For", "Per", default="day")
    unit: str = wanted(Text(), "Unit", "Unità", width=14)
    target: str = wanted(Text(), "Target", "Bersaglio", width=18)
    node: str = wanted(Text(), "Hex", "Esagono")
    path: str = wanted(Text(), "Path", "Percorso", width=20,
                       hint=("hexes, directions, or one far hex or place", "esagoni, direzioni, o una meta lontana"))
    amount: int | str = wanted(Typed(), "Amount", "Quantità",
                               hint=("points, or pounds in halves", "punti, o sterline a mezzi"))
    men: str = wanted(Text(), "Men", "Uomini", width=14,
                      hint=("K2 S3 B1, and w:W5 for a wounded man", "K2 S3 B1, e w:W5 per un ferito"))
    choice: str = wanted(Text(), "Choice", "Scelta", width=16)
    note: str = wanted(Text(), "Note", "Nota", width=24)


@dataclass
class Question(base.Question):
    """A question of the day; its name says what it is about and is asked again each day."""

    question: str = own(Text(), "Question", "Domanda", key=True, width=30, required=True)
    turn: str = own(Moment(), "Day", "Giorno", key=True, alias=("year", "day", "anno", "turno"))
    phase: str = own(Text(), "Phase", "Passo", key=True, width=12)

    @classmethod
    def named(cls, turn: str, phase: str, kind: str, to: str, about: str) -> str:
        """``<kind>/<about>``, as the rulebook page names questions (rulebook: Questions)."""
        return f"{kind}/{about}" if about else kind

    def complete(self) -> None:
        """The name from kind and subject, or these from the name."""
        super().complete()
        if not self.kind:
            self.kind, _, self.about = self.question.partition("/")


@dataclass
class Die(base.Die):
    """A throw of the day; its purpose may come again on another day."""

    turn: str = noted(Moment(), "Day", "Giorno", key=True, alias=("year", "day", "anno", "turno"))
    phase: str = noted(Text(), "Phase", "Passo", key=True, width=12)


@dataclass
class Battle(base.Battle, whose=Circle("the sides that fight it", lambda battle, reader: reader.fights(battle))):
    """A battle for the tactical maps and the form of its result."""

    node: str = public(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    kind: str = public(Choice({"field": "campale", "sack": "saccheggio", "assault": "assalto", "sally": "sortita",
                               "revolt": "rivolta"}, blank=True), "Kind", "Genere")
    attackers: str = public(Text(), "Attackers", "Attaccanti", width=22)
    defenders: str = public(Text(), "Defenders", "Difensori", width=22)
    place: str = public(Ref("Places", blank=True), "Place", "Luogo", width=22)
    outcome: str = given(Choice({"attacker": "attaccante", "defender": "difensore", "draw": "pari"}, blank=True),
                         "Outcome", "Esito")
    how: str = given(
        Choice({"eliminated": "eliminati", "fled": "in fuga", "surrendered": "arresi", "time": "tempo"}, blank=True),
        "How", "Modo")
    turns: int | str = given(Typed(), "Turns", "Turni", hint=("1 to 12", "da 1 a 12"))
    prisoners_freed: int | str = noted(Typed(), "Prisoners freed", "Prigionieri liberati")
    played: str = given(Choice({"table": "tavolo", "auto": "dadi"}, blank=True), "Played", "Giocata")
    note: str = noted(Text(), "Note", "Nota", width=28)
    status: str = public(
        Choice({"open": "da giocare", "played": "giocata", "void": "annullata", "superseded": "superata"}, blank=True),
        "Status", "Stato", last=True)
    papers: dict[str, Any] = column(
        Data(), "Papers", "Carte", last=True,
        see=Circle("the sides that fight it, each its own", lambda battle, reader: reader.fights(battle)))


@dataclass
class Loss(base.FormRow, sheet="Losses", sheet_it="Perdite", unique=False):
    """Losses of one unit and rank in a battle, or the fate of a noble: a part of the result form."""

    whose = Circle("the sides that fought the battle, once it is counted",
                   lambda loss, reader: reader.fought(loss.battle))
    about_en = "The losses of battles: a row for each unit and rank, and one for each noble hit."
    about_it = "Le perdite delle battaglie: una riga per unità e grado, e una per nobile colpito."

    unit: str = noted(Text(), "Unit", "Unità", key=True, required=True, width=18,
                      hint=("a group, a castle, levy, or a siege train (its engineers, without a rank)",
                            "un gruppo, un castello, levy, o delle macchine (gli ingegneri, senza grado)"))
    rank: str = noted(RANK, "Rank", "Grado", key=True)
    noble: str = noted(Ref("Nobles", blank=True, own_finding=True), "Noble", "Nobile", key=True)
    killed: int = noted(MEN_OF_RANK, "Killed", "Uccisi")
    wounded: int = noted(MEN_OF_RANK, "Wounded", "Feriti")
    captured: int = noted(MEN_OF_RANK, "Captured", "Catturati")


FIRST_SHEETS = (Desk, Faction, Node, Road, Army)
LAST_SHEETS = (Order, Question, Battle, Loss, base.Event, Die, base.FindingRow, base.Rule)
