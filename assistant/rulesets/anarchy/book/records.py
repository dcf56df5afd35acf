"""The sheets of The Anarchy that all rulebooks share, with its columns, and the groups (rulebook: Records)."""

from __future__ import annotations

from typing import Any, ClassVar

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Data, Flag, Moment, Parts, Ref, Text, Typed, Whole, column
from assistant.campaign.see import Circle, Whose
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


@dataclass
class Desk(base.Desk):
    """The day and its phase."""

    turn: str = column(Moment(), "Day", "Giorno", see="public", alias=("year", "day", "anno", "turn", "turno"))


@dataclass
class Faction(base.Faction):
    """The King's party, the Empress's party, and the neutrals whom the referee runs."""

    side: str = column(Choice(SIDES, blank=True), "Side", "Parte", edit="referee", see="public")
    captain: str = column(Text(), "Captain", "Capitano", edit="referee", see="public", width=22)
    looted: int = column(Whole(0), "Looted", "Bottino", see="public", hint=("points", "punti"))
    delivered: int = column(Whole(0), "Delivered", "Consegnati", see="public", hint=("points", "punti"))
    destroyed: int = column(Whole(0), "Groups destroyed", "Gruppi distrutti", see="public")
    score: int = column(Whole(), "Score", "Punti", see="public")


@dataclass
class Node(base.Node):
    """A hex of five kilometres."""

    sheet_it: ClassVar[str] = "Esagoni"

    node: str = column(Text(digits=4), "Hex", "Esagono", key=True, edit="referee", see="public", required=True,
                       hint=("column and row, 0605", "colonna e riga, 0605"))
    x: int = column(Parts(100), "x km", "x", edit="referee", see="public",
                    hint=("kilometres to the east", "chilometri verso est"))
    y: int = column(Parts(100), "y km", "y", edit="referee", see="public",
                    hint=("kilometres to the south", "chilometri verso sud"))
    terrain: str = column(Text(), "Terrain", "Terreno", default="open", edit="referee", see="public", width=16,
                          hint=("open forest hill marsh river coast, joined by +",
                                "open forest hill marsh river coast, uniti da +"))
    river_name: str = column(Text(), "River", "Fiume", edit="referee", see="public", width=16)

    @property
    def terrains(self) -> tuple[str, ...]:
        """The terrains of the hex; open ground where nothing is said."""
        found = tuple(word for word in self.terrain.replace("+", " ").replace(",", " ").lower().split() if word)
        return found or ("open",)


@dataclass
class Road(base.Road):
    """A road, bridge or ford over one side of a hex."""

    kind: str = column(Choice({"road": "strada", "bridge": "ponte", "ford": "guado"}), "Kind", "Tipo",
                       default="road", edit="referee", see="public")


MEN = Circle("its owner, and who has a group in its hex",
             lambda army, reader: reader.owns(army) or (army.active and reader.stands_at(army.node)))


@dataclass
class Army(base.Army):
    """A group of three or more, a mercenary company, or what is left of one."""

    sheet_it: ClassVar[str] = "Gruppi"
    about_en: ClassVar[str] = "The groups and mercenary companies and where they stand."
    about_it: ClassVar[str] = "I gruppi, le compagnie di mercenari e dove stanno."

    army: str = column(Text(), "Group", "Gruppo", key=True, required=True, edit="referee", see="public")
    node: str = column(Ref("Nodes", blank=True, checked=True), "Hex", "Esagono", see="public")
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=26)
    kind: str = column(Choice(KINDS, also=KIND_ALSO), "Type", "Tipo", default="norman", edit="referee", see="public")
    commander: str = column(Ref("Nobles", blank=True), "Commander", "Comandante", edit="club", see="public")
    loyalty: int | None = column(Whole(blank=True), "Loyalty", "Lealtà", see="owner", edit="referee",
                                 hint=("1 Empress to 10 King; Normans only", "da 1 Imperatrice a 10 re; solo normanni"))
    size: int = column(Whole(0, MOST_MEN), "Fighters", "Combattenti", see="owner", edit="referee",
                       hint=("read by the opening when all ranks are blank",
                             "letto dall'apertura se tutti i gradi sono vuoti"))
    knights: int = column(Whole(0, MOST_MEN), "K", "K", see=MEN, hint=("knights", "cavalieri"))
    dismounted: int = column(Whole(0, MOST_MEN), "D", "D", see=MEN,
                             hint=("dismounted knights", "cavalieri appiedati"))
    foot: int = column(Whole(0, MOST_MEN), "S", "S", see=MEN, hint=("armoured foot", "fanti in armatura"))
    bows: int = column(Whole(0, MOST_MEN), "B", "B", see=MEN, hint=("bows", "arcieri"))
    light: int = column(Whole(0, MOST_MEN), "L", "L", see=MEN, hint=("light foot", "fanti leggeri"))
    peasants: int = column(Whole(0, MOST_MEN), "P", "P", see=MEN, hint=("peasants", "contadini"))
    money: int = column(Parts(HALF_POUND), "Purse £", "Cassa £", see="owner",
                        hint=("pounds, in halves", "sterline, a mezzi"))
    provisions: int = column(Whole(0), "Carried food", "Provviste", see="owner")
    hungry_days: int = column(Whole(0), "Hungry days", "Giorni di fame", see="owner")
    starving: bool = column(Flag(), "Starving", "Affamato", see="owner")
    employer: str = column(Ref("Armies", blank=True), "Attached to", "Aggregato a", edit="club", see="public")
    contract: str = column(Choice({"none": "nessuno", "paid": "pagato", "promised": "promesso"}),
                           "Contract", "Ingaggio", default="none", see="owner")
    promised: int = column(Whole(0), "Promised points", "Bottino promesso", see="owner")
    tests: int = column(Whole(0), "Tests made", "Test fatti", see="owner")
    hired_on: int | None = column(Whole(blank=True), "Hired on", "Assunti il", see="owner")
    grumbles: bool = column(Flag(), "Grumbles", "Malumore", see="owner")
    no_promise_to: str = column(Choice(SIDES, blank=True), "No promise to", "Niente promesse a", see="owner")
    moves_next: str = column(Choice(SIDES, blank=True), "Moved next by", "Mosso da", see="public")
    inside: str = column(Ref("Places", blank=True), "In castle", "Nel castello", edit="club", see="public", width=22)
    besieging: str = column(Ref("Places", blank=True), "Besieges", "Assedia", edit="club", see="public", width=22)
    came_from: str = column(Text(digits=4), "Came from", "Proviene da", see="public")
    on_meeting: str = column(Choice(STANDING), "On meeting", "All'incontro", default="ask", see="owner", edit="club")
    if_attacked: str = column(Choice({"fight": "combatte", "refuse": "rifiuta", "shut_in": "si chiude",
                                      "ask": "chiedi"}),
                             "If attacked", "Se attaccato", default="ask", see="owner", edit="club")
    joins: str = column(Choice({"yes": "sì", "no": "no", "ask": "chiedi"}), "Joins battles", "Si aggiunge",
                        default="ask", see="owner", edit="club")
    wins: int = column(Whole(0), "Battles won", "Vittorie", see="owner")
    core_start: int = column(Whole(0), "Core at first win", "Nucleo iniziale", see="owner")
    core_now: int = column(Whole(0), "Core now", "Nucleo attuale", see="owner")
    shares_since: int | None = column(Whole(blank=True), "Shares hex since", "Condivide dal", see="owner")
    safe_on: int | None = column(Whole(blank=True), "Safe conduct on", "Salvacondotto il", see="public")
    enters_on: int | None = column(Whole(blank=True), "Enters on", "Entra il", see="owner", edit="referee")
    unarmed: bool = column(Flag(), "Unarmed", "Disarmato", see="public")
    state: str = column(Choice({"active": "attivo", "awaited": "atteso", "merged": "unito", "dissolved": "disperso",
                                "destroyed": "distrutto", "captured": "catturato"}), "State", "Stato",
                        default="active", see="public")
    march: int | None = column(Whole(blank=True), "March no.", "Ordine di marcia", see="public", last=True,
                               hint=("place in today's order of march", "posto nell'ordine di movimento di oggi"))
    counter: int | None = column(Whole(blank=True), "Counter no.", "N. d'ordine", last=True, edit="referee",
                                 see="public",
                                 hint=("the red number printed on the group's counter",
                                       "il numero rosso stampato sul segnalino del gruppo"))
    cavalry: bool = column(Flag(), "Cavalry", "Cavalleria", see="public", last=True,
                           hint=("only knights: all see it on the counter",
                                 "solo cavalieri: tutti lo vedono sul segnalino"))

    @property
    def men(self) -> int:
        """Men of all ranks, hurt ones included, without the nobles."""
        return sum(int(getattr(self, rank)) for rank in RANKS)

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

    phase: str = column(Text(), "For", "Per", default="day", edit="club", see="owner")
    unit: str = column(Text(), "Unit", "Unità", edit="club", see="owner", width=14)
    target: str = column(Text(), "Target", "Bersaglio", edit="club", see="owner", width=18)
    node: str = column(Text(), "Hex", "Esagono", edit="club", see="owner")
    path: str = column(Text(), "Path", "Percorso", edit="club", see="owner", width=20,
                       hint=("hexes, directions, or one far hex or place", "esagoni, direzioni, o una meta lontana"))
    amount: int | str = column(Typed(), "Amount", "Quantità", edit="club", see="owner",
                               hint=("points, or pounds in halves", "punti, o sterline a mezzi"))
    men: str = column(Text(), "Men", "Uomini", edit="club", see="owner", width=14,
                      hint=("K2 S3 B1, and w:W5 for a wounded man", "K2 S3 B1, e w:W5 per un ferito"))
    choice: str = column(Text(), "Choice", "Scelta", edit="club", see="owner", width=16)
    note: str = column(Text(), "Note", "Nota", edit="club", see="owner", width=24)


@dataclass
class Question(base.Question):
    """A question of the day; its name says what it is about and is asked again each day."""

    question: str = column(Text(), "Question", "Domanda", key=True, see="owner", width=30, required=True)
    turn: str = column(Moment(), "Day", "Giorno", key=True, see="owner", alias=("year", "day", "anno", "turno"))
    phase: str = column(Text(), "Phase", "Passo", key=True, see="owner", width=12)

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

    turn: str = column(Moment(), "Day", "Giorno", key=True, edit="referee", see="owner",
                       alias=("year", "day", "anno", "turno"))
    phase: str = column(Text(), "Phase", "Passo", key=True, edit="referee", see="owner", width=12)


@dataclass
class Battle(base.Battle):
    """A battle for the tactical maps and the form of its result."""

    whose: ClassVar[Whose] = Circle("the sides that fight it", lambda battle, reader: reader.fights(battle))

    node: str = column(Ref("Nodes", blank=True, checked=True), "Hex", "Esagono", see="public")
    kind: str = column(Choice({"field": "campale", "sack": "saccheggio", "assault": "assalto", "sally": "sortita",
                               "revolt": "rivolta"}, blank=True), "Kind", "Genere", see="public")
    attackers: str = column(Text(), "Attackers", "Attaccanti", see="public", width=22)
    defenders: str = column(Text(), "Defenders", "Difensori", see="public", width=22)
    place: str = column(Ref("Places", blank=True), "Place", "Luogo", see="public", width=22)
    outcome: str = column(Choice({"attacker": "attaccante", "defender": "difensore", "draw": "pari"}, blank=True),
                          "Outcome", "Esito", edit="referee", see="public")
    how: str = column(Choice({"eliminated": "eliminati", "fled": "in fuga", "surrendered": "arresi", "time": "tempo"},
                             blank=True), "How", "Modo", edit="referee", see="public")
    turns: int | str = column(Typed(), "Turns", "Turni", edit="referee", see="public", hint=("1 to 12", "da 1 a 12"))
    prisoners_freed: int | str = column(Typed(), "Prisoners freed", "Prigionieri liberati", edit="referee", see="owner")
    played: str = column(Choice({"table": "tavolo", "auto": "dadi"}, blank=True), "Played", "Giocata",
                         edit="referee", see="public")
    note: str = column(Text(), "Note", "Nota", edit="referee", see="owner", width=28)
    status: str = column(Choice({"open": "da giocare", "played": "giocata", "void": "annullata",
                                 "superseded": "superata"}, blank=True),
                         "Status", "Stato", see="public", last=True)
    papers: dict[str, Any] = column(
        Data(), "Papers", "Carte", last=True,
        see=Circle("the sides that fight it, each its own", lambda battle, reader: reader.fights(battle)))


@dataclass
class Loss(base.FormRow):
    """Losses of one unit and rank in a battle, or the fate of a noble: a part of the result form."""

    sheet: ClassVar[str] = "Losses"
    sheet_it: ClassVar[str] = "Perdite"
    file: ClassVar[str] = "losses"
    whose: ClassVar[Whose] = Circle("the sides that fought the battle, once it is counted",
                                    lambda loss, reader: reader.fought(loss.battle))
    unique: ClassVar[bool] = False
    about_en: ClassVar[str] = "The losses of battles: a row for each unit and rank, and one for each noble hit."
    about_it: ClassVar[str] = "Le perdite delle battaglie: una riga per unità e grado, e una per nobile colpito."

    unit: str = column(Text(), "Unit", "Unità", key=True, edit="referee", see="owner", required=True, width=18,
                       hint=("a group, a castle, levy, or a siege train (its engineers, without a rank)",
                             "un gruppo, un castello, levy, o delle macchine (gli ingegneri, senza grado)"))
    rank: str = column(Choice(RANK_WORDS, blank=True, also=RANK_ALSO), "Rank", "Grado", key=True, edit="referee",
                       see="owner")
    noble: str = column(Ref("Nobles", blank=True, checked=True), "Noble", "Nobile", key=True, edit="referee",
                        see="owner")
    killed: int = column(Whole(0, MOST_MEN), "Killed", "Uccisi", edit="referee", see="owner")
    wounded: int = column(Whole(0, MOST_MEN), "Wounded", "Feriti", edit="referee", see="owner")
    captured: int = column(Whole(0, MOST_MEN), "Captured", "Catturati", edit="referee", see="owner")
