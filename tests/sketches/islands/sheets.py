"""What stands on the sheets."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign import records as base
from assistant.campaign.columns import (
    Choice,
    Circle,
    Flag,
    Moment,
    Ref,
    Text,
    Typed,
    Whole,
    column,
    given,
    own,
    public,
    wanted,
)
from assistant.campaign.tables import Record

NEAR = Circle("its owner; who has a port or a squadron there or next to it", lambda row, reader: reader.watches(row))
SIDES = Circle("its two houses", lambda row, reader: reader.is_one_of(row.side_a, row.side_b))
WEATHER = {"storm": "tempesta", "headwind": "vento contrario", "fair": "sereno", "trade_wind": "aliseo"}


@dataclass
class Desk(base.Desk):
    weather: str = public(Choice(WEATHER, blank=True), "Weather", "Tempo")


@dataclass
class Faction(base.Faction):
    gold: int = column(Whole(0), "Gold", "Oro", edit="referee", see="owner")


@dataclass
class Node(base.Node, whose=("owner",)):
    owner: str = given(Ref("Factions", blank=True), "Owner", "Di chi")
    trade: int = given(Whole(0), "Trade", "Commercio", hint=("gold each autumn", "oro ogni autunno"))
    yard: bool = given(Flag(), "Yard", "Cantiere")
    fort: int = given(Whole(0), "Fort", "Forte", hint=("ships needed to land", "navi per sbarcare"))


@dataclass
class Squadron(base.Army):
    army: str = column(Text(), "Squadron", "Squadra", key=True, required=True, see=NEAR)
    faction: str = column(Ref("Factions"), "House", "Casa", required=True, see=NEAR)
    node: str = column(Ref("Nodes", blank=True), "At", "Al porto", see=NEAR)
    ships: int = column(Whole(0), "Ships", "Navi", edit="referee", see="owner")
    since: str = own(Moment(), "There since", "Lì da")
    scouts: str = own(Ref("Nodes", blank=True), "Scouts", "Esplora")
    blocks: str = own(Ref("Nodes", blank=True), "Blockades", "Blocca")


@dataclass
class Order(base.Order):
    unit: str = wanted(Ref("Armies", blank=True), "Squadron", "Squadra")
    path: str = wanted(Text(), "Way", "Rotta")
    target: str = wanted(Ref("Nodes", blank=True), "Port", "Porto")
    node: str = wanted(Ref("Nodes", blank=True), "From", "Da")
    amount: int | str = wanted(Typed(), "Ships", "Navi")
    other: str = wanted(Ref("Armies", blank=True), "Joins", "A chi si unisce")
    partner: str = wanted(Ref("Factions", blank=True), "With", "Con")


@dataclass
class Sighting(Record, sheet="Sightings", sheet_it="Avvistamenti", whose=("faction",)):
    about_en = "What scouts have seen."
    about_it = "Ciò che gli esploratori hanno visto."
    sighting: str = own(Text(), "Sighting", "Avvistamento", key=True, required=True)
    faction: str = own(Ref("Factions"), "Seen by", "Visto da")
    turn: str = own(Moment(), "Turn", "Turno")
    node: str = own(Ref("Nodes"), "Port", "Porto")
    seen: str = own(Text(), "Squadron", "Squadra")
    ships: int = own(Whole(0), "Ships", "Navi")


@dataclass
class Hull(Record, sheet="Hulls", sheet_it="Scafi", whose=("faction",)):
    about_en = "Ships that are being built."
    about_it = "Navi in costruzione."
    hull: str = own(Text(), "Hull", "Scafo", key=True, required=True)
    faction: str = own(Ref("Factions"), "House", "Casa")
    node: str = own(Ref("Nodes"), "Port", "Porto")
    ships: int = own(Whole(0), "Ships", "Navi")
    ready: str = own(Moment(), "Ready", "Pronte")


@dataclass
class Treaty(Record, sheet="Treaties", sheet_it="Trattati", whose=("a", "b")):
    about_en = "Peace between two houses; only they know."
    about_it = "La pace tra due case; la sanno solo loro."
    treaty: str = own(Text(), "Treaty", "Trattato", key=True, required=True)
    a: str = own(Ref("Factions"), "House a", "Casa a")
    b: str = own(Ref("Factions"), "House b", "Casa b")
    since: str = own(Moment(), "Since", "Dal")
    ends: bool = own(Flag(), "Denounced", "Denunciato")


@dataclass
class Account(Record, sheet="Accounts", sheet_it="Conti", whose=("faction",), grows=True):
    about_en = "Each movement of gold."
    about_it = "Ogni movimento di oro."
    entry: str = own(Text(), "Entry", "Voce n.", key=True, required=True)
    faction: str = own(Ref("Factions"), "House", "Casa")
    turn: str = own(Moment(), "Turn", "Turno")
    phase: str = own(Text(), "Phase", "Fase")
    item: str = own(Text(), "Item", "Voce")
    amount: int = own(Whole(), "Amount", "Importo")
    balance: int = own(Whole(), "Balance", "Saldo")


@dataclass
class Battle(base.Battle, whose=("side_a", "side_b")):
    side_a: str = public(Ref("Factions", blank=True), "House a", "Casa a")
    side_b: str = public(Ref("Factions", blank=True), "House b", "Casa b")
    ships_a: int = column(Whole(0), "Ships a", "Navi a", see=SIDES)
    ships_b: int = column(Whole(0), "Ships b", "Navi b", see=SIDES)
    winner: str = given(Text(), "Winner", "Vincitore", hint=("a, b or draw", "a, b o pari"))
    losses_a: int | str = column(Typed(), "Losses a", "Perdite a", edit="referee", see=SIDES)
    losses_b: int | str = column(Typed(), "Losses b", "Perdite b", edit="referee", see=SIDES)
    status: str = public(Choice({"open": "aperta", "fought": "combattuta"}, blank=True), "Status", "Stato")
