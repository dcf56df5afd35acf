"""The sheets of The Anarchy that all rulebooks share, with its columns; all its sheets (rulebook: Records)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Data, Moment, Parts, Ref, Text, Typed, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.see import Circle
from assistant.campaign.usual import given, noted, own, public, wanted
from assistant.rulesets.anarchy.book import sheets
from assistant.rulesets.anarchy.book.sheets import MEN_OF_RANK, RANK, SIDE


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
        return _terrains_of(self.terrain)


@lru_cache(1024)  # a map has few sorts of hexes, and every phase asks for all of them
def _terrains_of(text: str) -> tuple[str, ...]:
    return tuple(text.replace("+", " ").replace(",", " ").lower().split()) or ("open",)


@dataclass
class Road(base.Road):
    """A road, bridge or ford over one side of a hex."""

    a: str = given(Ref("Nodes", own_finding=True), "From", "Da", key=True, alias=("from_node",), required=True)
    b: str = given(Ref("Nodes", own_finding=True), "To", "A", key=True, alias=("to_node",), required=True)
    kind: str = given(Choice({"road": "strada", "bridge": "ponte", "ford": "guado"}), "Kind", "Tipo", default="road")


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
class Question(base.TurnQuestion):
    """A question of the day (rulebook: Questions)."""

    turn: str = own(Moment(), "Day", "Giorno", key=True, alias=("year", "day", "anno", "turno"))


@dataclass
class Die(base.TurnDie):
    """A throw of the day."""

    turn: str = noted(Moment(), "Day", "Giorno", key=True, alias=("year", "day", "anno", "turno"))


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


RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, sheets.Army, sheets.Noble, sheets.Place, sheets.Convoy, sheets.Train, sheets.Prisoners,
    sheets.Wounded, sheets.Siege, sheets.Objective, sheets.Sighting, Order, Question, Battle, Loss, base.Event, Die,
    base.FindingRow, base.Rule)
