"""The sheets that all rulebooks share, with the columns of the Fantasy Warriors campaign (rulebook: Records)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Data, Flag, Ref, Square, Text, Typed, Whole, column
from assistant.campaign.record import Hold, Record
from assistant.campaign.see import Circle, When
from assistant.campaign.usual import given, noted, own, public, wanted
from assistant.rulesets.warriors.book import sheets
from assistant.rulesets.warriors.book.words import ORDERS, REACTIONS, SEASONS

TURN = "turn"
"""What stands in the column For of all orders: they are written for a whole turn."""
NAME_IT = ("shown to Italian readers; blank: as Name", "per chi legge in italiano; vuoto: come Nome")


def name_it() -> str:
    """The column for the Italian name beside a column Name."""
    found: str = given(Text(), "Name (Italian)", "Nome italiano", width=20, hint=NAME_IT)
    return found


@dataclass
class Desk(base.Desk):
    """The calendar: the week, and the season of week 1."""

    week: int = public(Whole(1), "Week", "Settimana", default=1)
    start_season: str = given(Choice(SEASONS), "First season", "Prima stagione", default="spring",
                              hint=("season of week 1", "stagione della settimana 1"))


@dataclass
class Faction(base.Faction):
    """An Army of several Forces, and its will to fight."""

    people: str = given(Text(), "People", "Popolo", hint=("picks the price list", "sceglie il listino"))
    status: str = public(Choice({"playing": "in gioco", "out": "fuori"}), "Status", "Stato", default="playing")
    won: int = column(Whole(0), "Won", "Vinte", see=When("fog", "near", "owner", "public"),
                      hint=("battles", "battaglie"))
    lost: int = column(Whole(0), "Lost", "Perse", see=When("fog", "near", "owner", "public"),
                       hint=("battles", "battaglie"))
    drawn: int = column(Whole(0), "Drawn", "Pari", see=When("fog", "near", "owner", "public"),
                        hint=("battles", "battaglie"))
    will_due: str = own(Text(), "Will test due", "Test dovuto", width=24,
                        hint=("reasons for a test of the will to fight", "motivi di un test della volontà"))
    omen: int = own(Whole(-9, 0), "Omen", "Presagio", default=0)
    gone: bool = own(Flag(), "Without Forces", "Senza Forze")

    @property
    def plays(self) -> bool:
        """Whether it is still in the campaign; who owns the places of nobody never was."""
        return self.status == "playing" and self.role not in base.OWNERLESS


@dataclass
class Node(base.Node, sheet_it="Quadrati", whose=("holder",)):
    """A square: its terrain, what stands in it, whose it is."""

    node: str = given(Square(), "Square", "Quadrato", key=True, required=True,
                      hint=("letter of the column, two digits of the row", "lettera della colonna, due cifre di riga"))
    x: int = given(Whole(), "x", "x", hint=("drawing units, to the east", "unità di disegno, verso est"))
    y: int = given(Whole(), "y", "y", hint=("drawing units, to the south", "unità di disegno, verso sud"))
    terrain: str = given(Ref("Terrains", blank=True, own_finding=True), "Terrain", "Terreno", default="open")
    terrain2: str = given(Ref("Terrains", blank=True, own_finding=True), "Second terrain", "Secondo terreno")
    marsh: bool = given(Flag(), "Marsh", "Palude")
    bridge: bool = given(Flag(), "Bridge", "Ponte")
    bridge_cut_until: int = public(Whole(0), "Bridge cut until", "Ponte interrotto fino al",
                                   hint=("turn, this one included", "turno compreso"))
    reefs: bool = given(Flag(), "Reefs, isles", "Scogli, isole, atolli")
    zone: str = given(Ref("Zones", blank=True), "Zone", "Zona")
    territory: str = given(Ref("Factions", blank=True), "Territory", "Territorio")
    domain: str = given(Ref("Nodes", blank=True), "Domain of", "Dominio di",
                        hint=("read only with territory_mode = holder", "conta solo con territory_mode = holder"))
    place: str = given(Choice({"none": "nessuno", "stronghold": "caposaldo", "capital": "capitale"}), "Place", "Luogo",
                       default="none")
    founder: str = given(Ref("Factions", blank=True), "Belongs to", "Appartiene a")
    holder: str = public(Ref("Factions", blank=True), "Held by", "Tenuto da")
    store: int = own(Whole(0), "Store", "Scorta", hint=("points", "punti"))

    @property
    def terrains(self) -> tuple[str, ...]:
        """Its terrains; the same one twice counts once."""
        return tuple(dict.fromkeys(one for one in (self.terrain, self.terrain2) if one))


@dataclass
class Road(sheets.Bilingual, base.Link, sheet_it="Vie"):
    """A road, a caravan track, or a river that flows from a to b."""

    kind: str = given(Choice({"road": "strada", "track": "pista carovaniera", "river": "fiume"},
                             also={"caravan_track": "track", "pista": "track"}, own_finding=True),
                      "Kind", "Tipo", default="road", hint=("a river flows from a to b", "un fiume scorre da a a b"))
    name_it: str = name_it()
    navigable: bool = given(Flag(), "Navigable", "Navigabile", default=True)
    rapids: bool = given(Flag(), "Falls, rapids", "Cascate, rapide")
    cut_until: int = public(Whole(0), "Cut until", "Interrotta fino al",
                            hint=("turn, this one included", "turno compreso"))


@dataclass
class Order(base.Order):
    """An order of a turn (rulebook: Orders to Forces)."""

    phase: str = wanted(Text(), "For", "Per", default=TURN)
    army: str = wanted(Text(), "Force", "Forza", width=16)
    new_order: str = wanted(Text(), "New order", "Nuovo ordine", width=12)
    path: str = wanted(Text(), "Path", "Percorso", width=20,
                       hint=("squares in order, without the start; land at the end of a sail: it lands",
                             "quadrati in ordine, senza la partenza; sbarca in fondo a naviga: sbarca"))
    boat: str = wanted(Text(), "Boats", "Natanti")
    wish: str = wanted(Text(), "Wish", "Preferenza")
    stance: str = wanted(Text(), "If attacked", "Se attaccata", width=14)
    to: str = wanted(Text(), "Step to", "Arretra in")
    place: str = wanted(Text(), "Place", "Luogo")
    type: str = wanted(Text(), "Type", "Tipo", width=14)
    unit: str = wanted(Text(), "Unit", "Unità")
    figures: int | str = wanted(Typed(), "Figures", "Miniature")
    vc: int | str = wanted(Typed(), "V.C.", "V.C.")
    name: str = wanted(Text(), "Name", "Nome", width=18)
    note: str = wanted(Text(), "Note", "Nota", width=24)


@dataclass
class Question(base.TurnQuestion):
    """A question of the turn (rulebook: Questions)."""


@dataclass
class Die(base.TurnDie):
    """A throw of the turn."""


TWO_SIDES = Circle("the two sides", lambda row, reader: reader.fought(row.battle))
SHOWN = Circle("all; with fog near the two sides, and who sees its square",
               lambda row, reader: row.hold != "typed" and reader.knows_battle(row.battle))
COMPLETED = Circle("the two sides, once the battle is laid out",
                   lambda row, reader: row.hold != "typed" and reader.fought(row.battle))


@dataclass
class Battle(base.Battle, whose=TWO_SIDES):
    """A battle for the table and the form of its result."""

    battle: str = column(Text(), "Battle", "Battaglia", key=True, required=True, see=SHOWN)
    attacker: str = public(Ref("Factions", blank=True), "Attacker", "Attaccante")
    defender: str = public(Ref("Factions", blank=True), "Defender", "Difensore")
    explorer: str = own(Choice({"A": "A", "D": "D"}, blank=True), "Explored best", "Ha esplorato meglio",
                        hint=("A: the attacking side", "A: la parte che attacca"))
    band: int | None = own(Whole(0, 3, blank=True), "Advantage", "Vantaggio")
    method: str = noted(Choice({"table": "tavolo", "auto": "dadi"}), "Resolved", "Risolta", default="table")
    night: bool = noted(Flag(), "Night", "Notte")
    outcome: str = given(Choice({"attacker": "attaccante", "defender": "difensore", "stalemate": "stallo"}, blank=True,
                                own_finding=True), "Outcome", "Esito", width=12,
                         hint=("attacker, defender or stalemate", "attaccante, difensore o stallo"))
    day_turns: int | None = given(Whole(0, blank=True), "Game turns", "Turni di gioco")
    note: str = noted(Text(), "Note", "Nota", width=28)
    status: str = public(Choice({"open": "aperta", "fought": "combattuta", "closed": "chiusa", "void": "annullata",
                                 "superseded": "superata"}, blank=True), "Status", "Stato", last=True)
    papers: dict[str, Any] = column(Data(), "Papers", "Carte", last=True, see=Circle(
        "the two sides, each its own", lambda row, reader: reader.fought(row.battle)))


@dataclass
class BattleArmy(base.FormRow, sheet="Battle armies", sheet_it="Forze in battaglia"):
    """A Force in a battle: how it came there; whether its commander fell is told in the form."""

    about_en = "The Forces of each battle. Type whether a commander was killed."
    about_it = "Le Forze di ogni battaglia. Scrivi se un condottiero è stato ucciso."
    file = "battle_armies"
    whose = Circle("its owner", lambda row, reader: reader.owns_army(row.army))

    battle: str = column(Text(), "Battle", "Battaglia", key=True, required=True, edit="referee", see=SHOWN)
    army: str = column(Ref("Armies", own_finding=True), "Force", "Forza", key=True, required=True, edit="referee",
                       see=SHOWN)
    side: str = public(Choice({"A": "A", "D": "D"}, blank=True), "Side", "Parte")
    arrival: int | None = own(Whole(0, blank=True), "Arrival", "Arrivo", hint=("0: was there", "0: era già lì"))
    start_order: str = own(Choice(ORDERS, blank=True), "Order then", "Ordine allora", width=14)
    start_reaction: str = own(Choice(REACTIONS, blank=True), "Reaction then", "Reazione allora", width=14)
    start_vc: int | None = own(Whole(0, blank=True), "V.C. then", "V.C. allora")
    fieldworks: int = own(Whole(0), "Field works", "Opere da campo", hint=("points", "punti"))
    exploration: int | None = own(Whole(0, blank=True), "Exploration", "Esplorazione")
    commander_killed: bool = column(Flag(), "Commander killed", "Condottiero ucciso", edit="referee", see=TWO_SIDES)

    @property
    def hold(self) -> Hold:
        """As a form: people's own until the battle is laid out, their form until it is counted."""
        return "settled" if self.status else "asked" if self.side else "typed"


@dataclass
class BattleUnit(base.FormRow, sheet="Battle units", sheet_it="Unità in battaglia"):
    """A Unit in a battle: its figures before, and what the form says became of them."""

    about_en = "The losses of each battle, a row for each Unit: killed, left in rout, left by order."
    about_it = "Le perdite di ogni battaglia, una riga per Unità: uccise, fuggite in rotta, uscite per ordine."
    file = "battle_units"
    whose = Circle("its owner", lambda row, reader: reader.owns_unit(row.unit))

    battle: str = column(Text(), "Battle", "Battaglia", key=True, required=True, edit="referee", see=COMPLETED)
    unit: str = column(Ref("Units", own_finding=True), "Unit", "Unità", key=True, required=True, edit="referee",
                       see=COMPLETED)
    before: int | None = own(Whole(0, blank=True), "Before", "Prima", hint=("figures", "miniature"))
    killed: int | str = column(Typed(), "Killed", "Uccise", default=0, edit="referee", see=TWO_SIDES,
                               hint=("figures", "miniature"))
    routed: int | str = column(Typed(), "Left in rout", "Fuggite in rotta", default=0, edit="referee", see=TWO_SIDES)
    withdrawn: int | str = column(Typed(), "Left by order", "Uscite per ordine", default=0, edit="referee",
                                  see=TWO_SIDES)
    dead: int = own(Whole(0), "Dead", "Morte")
    wounded: int = own(Whole(0), "Wounded", "Ferite")
    deserted: int = own(Whole(0), "Deserted", "Disertori")

    @property
    def hold(self) -> Hold:
        """As a form: people's own until the battle is laid out, their form until it is counted."""
        return "settled" if self.status else "asked" if self.before is not None else "typed"


RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, sheets.Terrain, sheets.Zone, sheets.Relation, sheets.Army, sheets.Unit, sheets.Wounded,
    sheets.Boat, sheets.UnitType, Order, Question, Battle, BattleArmy, BattleUnit, base.Event, Die, base.FindingRow,
    base.Rule, sheets.Weather, sheets.Climate, sheets.RandomEvent)
