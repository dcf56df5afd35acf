"""The sheets that Bloodlust nations shares with all rulebooks, with its columns; all its sheets (rulebook: Records)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Flag, Moment, Ref, Text, Typed, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.usual import given, public, wanted
from assistant.rulesets.bloodlust.book.sheets import CODES, FOG, SHEETS, Several

INTERESTS = {"conquest": "conquista", "colonizing": "colonizzazione", "loot": "bottino"}
LETTERS = {letter: letter for letter in "ABCD"}


@dataclass
class Desk(base.Desk):
    """The season, its phase, and the last year."""

    last_year: int = given(Whole(1), "Last year", "Ultimo anno", default=991)


@dataclass
class Faction(base.Nation):
    """A nation of Tanaephis, played by a club, a robot, or the rules' own dice."""

    about_en = "The nations: their ratings, morale, resources and recruiting rolls."
    about_it = "Le nazioni: valori, morale, risorse e tiri di reclutamento."

    faction: str = given(Text(), "Code", "Nazione", alias=("sigla",), key=True, required=True)
    war: int = given(Whole(0, 6), "War", "Guerra", default=3)
    tech: int = given(Whole(0, 6), "Tech", "Tecnologia", default=3)
    morale: int = public(Whole(0, blank=True), "Morale now", "Morale", default=None)
    morale_base: int = given(Whole(0, 5), "Morale at rest", "Morale di base", default=3)
    interests: str = given(Several(words=INTERESTS), "Interests", "Interessi", width=20,
                           hint=(" ".join(INTERESTS), " ".join(INTERESTS.values())))
    army_type: str = given(Choice(LETTERS), "Army type", "Tipo d'esercito", default="A")
    traits: str = given(Several(), "Traits", "Tratti", width=14,
                        hint=("winter_war no_marshal", "winter_war no_marshal"))
    resources: int = column(Whole(0), "Resources", "Risorse", see=FOG)
    rolls: int = column(Whole(0), "Rolls left", "Tiri", see=FOG)
    bought: int = column(Whole(0), "Bought", "Comprati", see=FOG)
    hero_offer: int = column(Whole(0, 3), "Hero", "Eroe", see=FOG)
    shaken: int = public(Whole(0), "Shaken", "Scosso")
    shaken_turn: str = public(Moment(), "Shaken in", "Scosso in")
    opposition: bool = public(Flag(), "Opposition", "Opposizione")
    unrest: int = public(Whole(0), "Unrest", "Disordini")
    invaded_last: bool = public(Flag(), "Invaded last year", "Invasa l'anno scorso")
    invaded_now: bool = public(Flag(), "Invaded this year", "Invasa quest'anno")
    refused_season: int = public(Whole(0), "Refused this season", "Rifiutate nella stagione")
    refused_year: int = public(Whole(0), "Refused this year", "Rifiutate nell'anno")
    leaders_lost: int = public(Whole(0), "Leaders lost", "Capi perduti")
    looted: int = column(Whole(0), "Loot", "Bottino", see=FOG)
    alive: bool = public(Flag(), "In play", "In gioco", default=True)

    def has_trait(self, trait: str) -> bool:
        """Whether the nation is so (winter_war, no_marshal)."""
        return trait in self.traits.split()

    def wants(self, interest: str) -> bool:
        """Whether it has an interest (conquest, colonizing, loot)."""
        return interest in self.interests.split()


@dataclass
class Node(base.Node, sheet_it="Province", whose=("owner",)):
    """A province of Tanaephis."""

    about_en = "The provinces: who owns them, where the capitals and forts are."
    about_it = "Le province: di chi sono, dove stanno capitali e forti."

    node: str = given(Text(), "Province", "Provincia", key=True, required=True)
    owner: str = public(Ref("Factions", blank=True), "Owner", "Possessore")
    home: str = given(Ref("Factions", blank=True), "Home", "Origine")
    capital: bool = given(Flag(), "Capital", "Capitale")
    pole: bool = given(Flag(), "Pole", "Pole")
    fort: bool = given(Flag(), "Fort", "Forte")
    terrain: str = given(Choice({"plain": "pianura", "wood": "bosco", "hills": "colline", "swamp": "palude",
                                 "jungle": "giungla", "desert": "deserto", "snow": "neve"}), "Terrain", "Terreno",
                         default="plain")
    conquered_turn: str = public(Moment(), "Conquered", "Conquistata")
    lost_by: str = public(Ref("Factions", blank=True), "From", "Tolta a", alias=("a",))
    looted_turn: str = public(Moment(), "Looted", "Saccheggiata")


@dataclass
class Road(base.Road, sheet_it="Confini"):
    """A frontier between two provinces."""

    about_en = "Which provinces touch. One row serves both directions."
    about_it = "Quali province confinano. Una riga vale nei due sensi."

    a: str = given(Ref("Nodes"), "Province", "Provincia", key=True, alias=("from_node",), required=True)
    b: str = given(Ref("Nodes"), "Next to", "Confina con", key=True, alias=("to_node",), required=True)


@dataclass
class Army(base.Army):
    """A field army, a nation's Reserve, or an ad-hoc army of a local lord."""

    army: str = public(Text(), "Army", "Armata", key=True, required=True)
    faction: str = public(Ref("Factions"), "Faction", "Nazione", alias=("fazione",), required=True)
    node: str = public(Ref("Nodes", blank=True), "At", "Provincia", alias=("al nodo",))
    name: str = column(Text(), "Name", "Nome", edit="club", see="public", width=22)
    kind: str = public(Choice({"field": "campale", "reserve": "riserva", "levy": "leva"}), "Kind", "Tipo",
                       default="field")
    posted_turn: str = public(Moment(), "Marched", "Spostata")
    state: str = public(Choice({"active": "in campo", "gone": "sciolta"}), "State", "Stato", default="active")
    left_turn: str = public(Moment(), "Left", "Uscita")
    units: int = public(Whole(0), "Units", "Reparti", last=True, later=True)

    @property
    def active(self) -> bool:
        """Whether it is still there."""
        return self.state == "active"


@dataclass
class Order(base.Order):
    """What a nation wants done in a phase (rulebook: Orders)."""

    subject: str = wanted(Text(), "Subject", "Soggetto", width=20,
                          hint=("own codes, a1 or VOR-a1, u5..u9", "sigle proprie, a1 o VOR-a1, u5..u9"))
    target: str = wanted(Text(), "Target", "Bersaglio", width=14)
    amount: int | str = wanted(Typed(), "Amount", "Quantità")
    option: str = wanted(Text(), "Option", "Opzione", width=16)
    note: str = wanted(Text(), "Note", "Nota", width=24)


@dataclass
class Battle(base.Battle):
    """A battle and the form of its result."""

    node: str = public(Ref("Nodes", blank=True), "At", "Provincia", alias=("al nodo",))
    kind: str = public(Choice({"field": "campale", "levy": "leva", "open": "aperta", "meeting": "incontro",
                               "relief": "soccorso"}, blank=True), "Kind", "Genere")
    raid: bool = public(Flag(), "Raid", "Razzia")
    attacker: str = public(Ref("Factions", blank=True), "Attacker", "Attaccante")
    defender: str = public(Ref("Factions", blank=True), "Defender", "Difensore")
    attacker_armies: str = public(Text(), "Attacker's armies", "Armate dell'attaccante", width=18, hint=CODES)
    defender_armies: str = public(Text(), "Defender's armies", "Armate del difensore", width=18, hint=CODES)
    start_node: str = public(Ref("Nodes", blank=True), "Start", "Partenza")
    starts: str = public(Text(), "Starts", "Partenze", width=18, hint=("army=province", "armata=provincia"))
    played: str = given(Choice({"table": "tavolo", "auto": "dadi"}), "Played", "Giocata", default="table")
    winner: str = given(Choice({"attacker": "attaccante", "defender": "difensore", "draw": "pari"}, blank=True,
                               own_finding=True), "Winner", "Vincitore", hint=("attacker, defender or draw",
                                                                               "attaccante, difensore o pari"))
    retreat: str = given(Choice({"none": "nessuna", "attacker": "attaccante", "defender": "difensore"}), "Retreat",
                         "Ritirata", default="none")
    back: str = column(Text(), "Going back", "Tornano indietro", see="referee", last=True, quiet=True, width=18,
                       hint=CODES)
    collapsed: str = public(Text(), "Destroyed", "Distrutte", last=True, hint=CODES)
    status: str = public(
        Choice({"open": "da giocare", "played": "giocata", "void": "annullata", "superseded": "superata"}, blank=True),
        "Status", "Stato", last=True)


RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Army, *SHEETS[:8], Order, base.TurnQuestion, Battle, *SHEETS[8:], base.Event,
    base.TurnDie, base.FindingRow, base.Rule)
