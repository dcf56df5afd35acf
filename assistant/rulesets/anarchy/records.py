"""The sheets of The Anarchy (rulebook: Records); dice, numbers of no chapter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from assistant.campaign import records as base
from assistant.campaign.columns import (
    Choice,
    Circle,
    Data,
    Flag,
    Moment,
    Parts,
    Ref,
    Text,
    Typed,
    Whole,
    column,
    given,
    noted,
    own,
    public,
    wanted,
)
from assistant.campaign.tables import Record
from assistant.rulesets.anarchy import both
from assistant.turn.chapters import Rules, number, switch
from assistant.turn.dice import Purpose, RollKinds

# Sheets of The Anarchy alone: groups, nobles, places, convoys, trains, captives, sieges, missions.


ROYAL, ANGEVIN, NEUTRAL = "royal", "angevin", "neutral"
SIDES = {ROYAL: "realista", ANGEVIN: "angioino", NEUTRAL: "neutrale"}
RANKS = ("knights", "dismounted", "foot", "bows", "light", "peasants")
"""The fields that count men, from knights down."""
LETTERS = dict(zip("KDSBLP", RANKS, strict=True))
LETTER_OF = {rank: letter for letter, rank in LETTERS.items()}
RISING = ("peasants", "bows", "light", "foot", "dismounted", "knights")
"""Ranks in rising attack value (rulebook: Words)."""
RANK_WORDS = {"knights": "cavalieri", "dismounted": "appiedati", "foot": "fanti armati", "bows": "arcieri",
              "light": "fanti leggeri", "peasants": "contadini", "noble": "nobile"}
HURT_MEN = {"knights": ("a wounded knight", "un cavaliere ferito"),
            "dismounted": ("a wounded dismounted knight", "un cavaliere appiedato ferito"),
            "foot": ("a wounded foot soldier", "un fante armato ferito"),
            "bows": ("a wounded bowman", "un arciere ferito"),
            "light": ("a wounded light foot soldier", "un fante leggero ferito"),
            "peasants": ("a wounded peasant", "un contadino ferito")}
RANK_ALSO = {**{letter.lower(): rank for letter, rank in LETTERS.items()}, "knight": "knights", "bow": "bows",
             "peasant": "peasants"}
KINDS = {"norman": "normanno", "flemish": "fiammingo", "welsh": "gallese"}
KIND_ALSO = {"n": "norman", "f": "flemish", "w": "welsh"}
STANDING_CHOICES = {"attack": "attacca", "pass": "passa", "ask": "chiedi"}
# a peasant is recruited for half a pound (13.1), and all other prices are multiples of it
HALF_POUND = 2
MONEY = Parts(HALF_POUND, 0)
pounds = MONEY.show
"""Half-pounds as pounds for a reader: 25 -> ``12.5``."""
MEN_OF_RANK = Whole(0, 9999)
"""A bound, since each of the men may need a die."""
RANK_IN_REPORTS = {"foot": ("armoured foot", RANK_WORDS["foot"]), "light": ("light foot", RANK_WORDS["light"])}
RANK = Choice(RANK_WORDS, blank=True, also=RANK_ALSO, in_reports=RANK_IN_REPORTS)
SIDE_IN_REPORTS = {ROYAL: ("the King", "il re"), ANGEVIN: ("the Empress", "l'imperatrice"),
                   NEUTRAL: ("neutral", "neutrale")}
SIDE = Choice(SIDES, blank=True, in_reports=SIDE_IN_REPORTS)
CAPTORS = {ROYAL: ("the King", "dal re"), ANGEVIN: ("the Empress", "dall'imperatrice")}
CASTLES = ("castle_stone", "castle_tower", "castle_motte", "counter_castle")
MONASTIC = ("priory", "abbey")
_PLACE_KINDS = {"village": "villaggio", "town": "città", "priory": "priorato", "abbey": "abbazia",
                "castle_stone": "castello in pietra", "castle_tower": "torre", "castle_motte": "motta",
                "counter_castle": "contro-castello"}
_PLACES_IN_REPORTS = {"castle_stone": ("stone castle", "castello in pietra"), "castle_tower": ("tower", "torre"),
                      "castle_motte": ("motte", "motta"), "counter_castle": ("counter-castle", "contro-castello")}


MADE_GROUPS = {"esc": ("escort", "scorta"), "out": ("garrison", "presidio")}
"""What a group is called that the rules have made and nobody has named, by the end of its code."""


class Ranked:
    """Men counted by rank, each rank in a column of its own."""

    prefix: ClassVar[str] = ""
    """The prefix of the rank in the names of these columns."""

    def count(self, rank: str) -> int:
        """Men of a rank that are known of."""
        return int(getattr(self, self.prefix + rank) or 0)

    def gain(self, rank: str, n: int) -> None:
        """Add n men of a rank; a negative n removes them."""
        setattr(self, self.prefix + rank, self.count(rank) + n)

    def gain_all(self, ranks: Mapping[str, int]) -> None:
        """Add men of several ranks."""
        for rank, n in ranks.items():
            self.gain(rank, n)

    def hand_men(self, ranks: Mapping[str, int], to: Ranked) -> None:
        """Men go over to another group, garrison or record."""
        for rank, n in ranks.items():
            self.gain(rank, -n)
            to.gain(rank, n)

    @property
    def ranks(self) -> dict[str, int]:
        """How many men of each rank."""
        return {rank: self.count(rank) for rank in RANKS}

    @property
    def men(self) -> int:
        """Men of all ranks, hurt ones included, without the nobles."""
        return sum(map(self.count, RANKS))


OWNER_AND_THERE = both("its owner, and who has a group in its hex",
                       "chi ne è padrone, e chi ha un gruppo nel suo esagono")
MEN = Circle(OWNER_AND_THERE,
             lambda army, reader: reader.owns(army) or (army.active and reader.stands_at(army.node)))
STORES = Circle(both("its side, and who has a group in its hex; others as it was after the opening",
                     "la sua parte, e chi ha un gruppo nel suo esagono; gli altri com'era dopo l'apertura"),
                lambda place, reader: reader.knows_stores(place))
GARRISON = Circle(OWNER_AND_THERE,
                  lambda place, reader: place.castle and (reader.owns(place) or reader.stands_at(place.node)))
GOODS = Circle(OWNER_AND_THERE, lambda row, reader: reader.owns(row) or reader.stands_at(row.node))


@dataclass(eq=False, repr=False)
class Army(base.TwoNames, Ranked, base.Army, sheet_it="Gruppi"):
    """A group of three or more, a mercenary company, or what is left of one."""

    about_en = "The groups and mercenary companies and where they stand."
    about_it = "I gruppi, le compagnie di mercenari e dove stanno."

    army: str = given(Text(), "Group", "Gruppo", key=True, required=True)
    node: str = public(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    name: str = given(Text(), "Name", "Nome", width=26)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=26, later=True)
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
    starving: bool = own(Flag(), "Starving", "Allo stremo", alias=("affamato",))
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
    on_meeting: str = wanted(Choice(STANDING_CHOICES), "On meeting", "All'incontro", default="ask")
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

    def name_in(self, lang: str) -> str:
        """The name in a language; what it is, for a group that the rules have made."""
        made = re.search(r"-(esc|out)\d*$", self.army)
        return super().name_in(lang) or (MADE_GROUPS[made[1]][lang == "it"] if made else "")

    @property
    def active(self) -> bool:
        """Whether the group is on the map."""
        return self.state == "active"

    @property
    def mercenary(self) -> bool:
        """Whether it is a company of mercenaries."""
        return self.kind != "norman"


@dataclass(eq=False, repr=False)
class Noble(base.TwoNames, Record, sheet="Nobles", sheet_it="Nobili", whose=("faction",)):
    """A lord: his fame, his loyalty, where he is."""

    about_en = "The nobles, their prestige and where they are."
    about_it = "I nobili, il loro prestigio e dove sono."

    noble: str = given(Text(), "Noble", "Nobile", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=24)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=24, later=True)
    faction: str = given(Ref("Factions"), "Faction", "Fazione", required=True)
    player: str = given(Text(), "Player", "Giocatore", width=18)
    prestige: int = public(Whole(), "Prestige", "Prestigio", default=1)
    loyalty: int | None = noted(Whole(blank=True), "Loyalty", "Lealtà")
    army: str = public(Ref("Armies", blank=True), "With", "Con")
    place: str = public(Ref("Places", blank=True), "At", "Presso", width=22)
    state: str = public(Choice({"free": "libero", "wounded": "ferito", "prisoner": "prigioniero", "dead": "morto"}),
                        "State", "Stato", default="free")
    captor: str = public(SIDE, "Captor", "Prigioniero di")
    held_in: str = public(Ref("Prisoners", blank=True, own_finding=True), "Held in", "Detenuto in")

    @property
    def at_large(self) -> bool:
        """Whether he is alive and no prisoner."""
        return self.state in ("free", "wounded")


@dataclass(eq=False, repr=False)
class Place(base.TwoNames, Ranked, Record, sheet="Places", sheet_it="Luoghi", whose=("holder",)):
    """A village, town, monastery or castle."""

    about_en = "Villages, towns, monasteries and castles: loyalty, resources, garrisons."
    about_it = "Villaggi, città, monasteri e castelli: lealtà, risorse, guarnigioni."
    prefix = "g_"

    place: str = given(Text(), "Place", "Luogo", key=True, required=True, width=18)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, later=True)
    node: str = given(Ref("Nodes", own_finding=True), "Hex", "Esagono", required=True)
    kind: str = given(Choice(_PLACE_KINDS, in_reports=_PLACES_IN_REPORTS), "Kind", "Genere", default="village")
    exists: bool = given(Flag(), "Exists", "Esiste", default=True,
                         hint=("no: open ground, not built yet", "no: terreno aperto, non ancora costruito"))
    loyalty: int | None = given(Whole(blank=True), "Loyalty", "Lealtà")
    lord: str = given(Ref("Nobles", blank=True), "Lord", "Signore")
    garrison_kind: str = given(Choice(KINDS, blank=True, also=KIND_ALSO), "Garrison type", "Tipo di guarnigione")
    resources: int = column(Whole(), "Resources", "Risorse", see=STORES)
    holder: str = public(SIDE, "Holder", "Tenuto da")
    g_knights: int = column(MEN_OF_RANK, "Garrison K", "Guarnigione K", see=GARRISON)
    g_dismounted: int = column(MEN_OF_RANK, "Garrison D", "Guarnigione D", see=GARRISON)
    g_foot: int = column(MEN_OF_RANK, "Garrison S", "Guarnigione S", see=GARRISON)
    g_bows: int = column(MEN_OF_RANK, "Garrison B", "Guarnigione B", see=GARRISON)
    g_light: int = column(MEN_OF_RANK, "Garrison L", "Guarnigione L", see=GARRISON)
    g_peasants: int = column(MEN_OF_RANK, "Garrison P", "Guarnigione P", see=GARRISON)
    massacre: bool = noted(Flag(), "Massacred prisoners", "Massacro di prigionieri")

    @property
    def castle(self) -> bool:
        """Whether it is a castle of any kind."""
        return self.kind in CASTLES

    garrison = Ranked.men


@dataclass(eq=False, repr=False)
class Convoy(base.TwoNames, Record, sheet="Convoys", sheet_it="Convogli", whose=("faction",)):
    """Pack animals with food."""

    about_en = "Convoys: where they go and what they carry."
    about_it = "I convogli: dove vanno e che cosa portano."

    convoy: str = given(Text(), "Convoy", "Convoglio", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, later=True)
    faction: str = given(Ref("Factions"), "Owner", "Di", required=True)
    node: str = given(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    home: str = given(Ref("Places", blank=True), "Home", "Partenza", width=22)
    goal: str = given(Ref("Places", blank=True), "Goal", "Arrivo", width=22)
    heading: str = public(Choice({"goal": "arrivo", "home": "partenza"}, blank=True), "Heading", "Direzione")
    escort: str = public(Ref("Armies", blank=True), "Escort", "Scorta")
    came_from: str = public(Text(digits=4), "Came from", "Proviene da")
    animals: int = column(Whole(0), "Animals", "Animali", see=GOODS)
    driver: int = column(Whole(0), "Driver", "Conduttore", see=GOODS)
    cargo: int = column(Whole(0), "Load", "Carico", see=GOODS, hint=("points", "punti"))
    state: str = public(Choice({"active": "attivo", "destroyed": "distrutto"}), "State", "Stato", default="active")


@dataclass(eq=False, repr=False)
class Train(base.TwoNames, Record, sheet="Trains", sheet_it="Macchine", whose=("faction",)):
    """Siege engines on the march."""

    about_en = "Siege trains: engines, engineers, oxen and peasants."
    about_it = "Le macchine d'assedio: ingegneri, buoi e contadini."

    train: str = given(Text(), "Siege train", "Macchine d'assedio", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=22)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=22, later=True)
    faction: str = given(Ref("Factions"), "Owner", "Di", required=True)
    node: str = given(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    escort: str = public(Ref("Armies", blank=True), "Escort", "Scorta")
    came_from: str = public(Text(digits=4), "Came from", "Proviene da")
    rams: int = column(Whole(0), "Rams", "Arieti", see=GOODS)
    galleries: int = column(Whole(0), "Galleries", "Gallerie", see=GOODS)
    towers: int = column(Whole(0), "Towers", "Torri", see=GOODS)
    mangonels: int = column(Whole(0), "Mangonels", "Mangani", see=GOODS)
    engineers: int = column(Whole(0), "Engineers", "Ingegneri", see=GOODS)
    oxen: int = column(Whole(0), "Oxen", "Buoi", see=GOODS)
    peasants: int = column(MEN_OF_RANK, "Peasants", "Contadini", see=GOODS)
    state: str = public(Choice({"active": "attivo", "destroyed": "distrutto"}), "State", "Stato", default="active")

    @property
    def engines(self) -> int:
        """Engines of all kinds that are known of."""
        return sum(n or 0 for n in (self.rams, self.galleries, self.towers, self.mangonels))


@dataclass(eq=False, repr=False)
class Prisoners(Ranked, Record, sheet="Prisoners", sheet_it="Prigionieri", whose=("captor", "faction")):
    """Captives of one battle, siege or refusal, to be brought to a place of the captor."""

    about_en = "Captives on their way, and those who were delivered."
    about_it = "I prigionieri in cammino e quelli consegnati."

    prisoners: str = own(Text(), "Prisoners", "Prigionieri", key=True, required=True)
    faction: str = own(Ref("Factions", blank=True), "Of", "Di")
    captor: str = own(SIDE, "Captor", "Catturati da")
    captor_army: str = own(Ref("Armies", blank=True), "Captor group", "Gruppo")
    node: str = own(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    battle: str = own(Ref("Battles", blank=True, own_finding=True), "Battle", "Battaglia")
    taken_on: int | None = own(Whole(blank=True), "Taken on", "Presi il")
    destination: str = own(Ref("Places", blank=True), "Destination", "Destinazione", width=22)
    escort: str = wanted(Ref("Armies", blank=True), "Escort", "Scorta")
    place: str = own(Ref("Places", blank=True), "Place", "Luogo", width=22)
    knights: int = own(MEN_OF_RANK, "K", "K")
    dismounted: int = own(MEN_OF_RANK, "D", "D")
    foot: int = own(MEN_OF_RANK, "S", "S")
    bows: int = own(MEN_OF_RANK, "B", "B")
    light: int = own(MEN_OF_RANK, "L", "L")
    peasants: int = own(MEN_OF_RANK, "P", "P")
    state: str = own(Choice({"waiting": "in attesa", "escorted": "scortati", "delivered": "consegnati",
                             "freed": "liberati", "massacred": "massacrati"}), "State", "Stato", default="waiting")

    def name_in(self, lang: str) -> str:
        """What they are called, as ``the captives that the King took on day 4``; "" where the day is unknown.

        They are not counted: a sentence may tell of their capture, and some may be gone since.
        """
        if self.taken_on is None:
            return ""
        captor, by = CAPTORS.get(self.captor, ("", ""))
        if lang != "it":
            return f"the captives that {captor} took on day {self.taken_on}" if captor else (
                f"the captives of day {self.taken_on}")
        return " ".join(filter(None, ("i prigionieri presi", by, f"il giorno {self.taken_on}")))

    @property
    def on_their_way(self) -> bool:
        """Whether they are still to be brought to their destination."""
        return self.state in ("waiting", "escorted")

    def put(self, rank: str, n: int) -> None:
        """Men become captives; knights lose their horses (16)."""
        self.gain("dismounted" if rank == "knights" else rank, n)


@dataclass(eq=False, repr=False)
class Wounded(Record, sheet="Wounded", sheet_it="Feriti", whose=("faction",)):
    """One hurt man or noble."""

    about_en = "The wounded: with whom or where they are, and when they are back."
    about_it = "I feriti: con chi o dove sono, e quando tornano."

    wounded: str = own(Text(), "Wounded", "Ferito", key=True, required=True)
    faction: str = own(Ref("Factions", blank=True), "Of", "Di")
    rank: str = own(RANK, "Rank", "Grado")
    noble: str = own(Ref("Nobles", blank=True), "Noble", "Nobile")
    army: str = own(Ref("Armies", blank=True), "With", "Con")
    place: str = own(Ref("Places", blank=True), "At", "Presso", width=22)
    in_care_since: int | None = own(Whole(blank=True), "In care since", "In cura dal")
    back_on: int | None = own(Whole(blank=True), "Back on", "Torna il")
    state: str = own(Choice({"hurt": "ferito", "in_care": "in cura", "healed": "guarito", "dead": "morto",
                             "prisoner": "prigioniero", "dispersed": "disperso"}), "State", "Stato", default="hurt")

    def name_in(self, lang: str) -> str:
        """What he is called, as ``a wounded knight``; "" for a noble, who has a name, and for an unknown rank."""
        return HURT_MEN.get(self.rank, ("", ""))[lang == "it"] if not self.noble else ""


@dataclass(eq=False, repr=False)
class Siege(Record, sheet="Sieges", sheet_it="Assedi",
            whose=Circle(both("the castle's holder", "chi tiene il castello"),
                         lambda siege, reader: reader.holds(siege.place))):
    """A castle and who lies before it."""

    about_en = "The sieges and their days."
    about_it = "Gli assedi e i loro giorni."

    place: str = public(Ref("Places"), "Castle", "Castello", key=True, required=True, width=22)
    besieger: str = public(SIDE, "Besieger", "Assediante")
    started_on: int | None = public(Whole(blank=True), "Since", "Dal")
    days: int = public(Whole(0), "Days", "Giorni")
    resources_at_start: int = own(Whole(), "Resources at start", "Risorse iniziali")
    state: str = public(Choice({"on": "in corso", "lifted": "tolto", "surrendered": "arreso", "stormed": "espugnato"}),
                        "State", "Stato", default="on")


@dataclass(eq=False, repr=False)
class Objective(Record, sheet="Objectives", sheet_it="Obiettivi"):
    """A mission of the scenario."""

    about_en = "What each side is to reach, and what it is worth."
    about_it = "Che cosa deve raggiungere ogni parte, e quanto vale."

    objective: str = given(Text(), "Objective", "Obiettivo", key=True, required=True)
    faction: str = given(Ref("Factions"), "Faction", "Fazione", required=True)
    kind: str = given(Choice({"hold": "tieni", "capture": "cattura", "reach": "raggiungi", "loot": "bottino",
                              "deliver": "consegna", "destroy": "distruggi"}), "Kind", "Tipo", default="hold")
    subject: str = given(Text(), "Subject", "Soggetto")
    place: str = given(Ref("Places", blank=True), "Place", "Luogo", width=22)
    points: int = given(Whole(), "Points", "Punti")
    per: int | None = given(Whole(blank=True), "Per", "Ogni")
    cap: int | None = given(Whole(blank=True), "At most", "Al massimo")
    by_day: int | None = given(Whole(blank=True), "By day", "Entro il")
    text_en: str = given(Text(), "Text", "Testo inglese", width=36)
    text_it: str = given(Text(), "Text (Italian)", "Testo", width=36)
    state: str = public(Choice({"open": "aperto", "done": "raggiunto", "failed": "fallito"}), "State", "Stato",
                        default="open")
    done_on: int | None = public(Whole(blank=True), "Done on", "Raggiunto il")


@dataclass(eq=False, repr=False)
class Sighting(Record, sheet="Sightings", sheet_it="Avvistamenti", whose=("viewer",)):
    """What a side saw of a group when it shared its hex."""

    about_en = "What each side saw of the other's groups when they shared a hex."
    about_it = "Che cosa ha visto ogni parte dei gruppi altrui nello stesso esagono."

    viewer: str = own(SIDE, "Seen by", "Visto da", key=True)
    turn: int = own(Whole(), "Day", "Giorno", key=True, alias=("day", "giorno", "turno"))
    army: str = own(Text(), "Group", "Gruppo", key=True)
    node: str = own(Text(digits=4), "Hex", "Esagono", key=True)
    heads: int = own(Whole(0), "Heads", "Personaggi")
    men: str = own(Text(), "Men", "Uomini", width=20)
    nobles: str = own(Text(), "Nobles", "Nobili", width=20)


# Shared sheets with The Anarchy's columns, and the list of all sheets.


@dataclass(eq=False, repr=False)
class Desk(base.Desk):
    """The day and its phase."""

    turn: str = public(Moment(), "Day", "Giorno", alias=("year", "day", "anno", "turn", "turno"))


@dataclass(eq=False, repr=False)
class Faction(base.Faction):
    """The King's party, the Empress's party, and the neutrals whom the referee runs."""

    side: str = given(SIDE, "Side", "Parte")
    captain: str = given(Text(), "Captain", "Capitano", width=22)
    looted: int = public(Whole(0), "Looted", "Bottino", hint=("points", "punti"))
    delivered: int = public(Whole(0), "Delivered", "Consegnati", hint=("points", "punti"))
    destroyed: int = public(Whole(0), "Groups destroyed", "Gruppi distrutti")
    score: int = public(Whole(), "Score", "Punti")


@dataclass(eq=False, repr=False)
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
        """The terrains of the hex; open ground if the cell is blank."""
        return _terrains_of(self.terrain)


@lru_cache(1024)  # a map has few sorts of hexes, and every phase asks for all of them
def _terrains_of(text: str) -> tuple[str, ...]:
    return tuple(text.replace("+", " ").replace(",", " ").lower().split()) or ("open",)


@dataclass(eq=False, repr=False)
class Road(base.Road):
    """A road, bridge or ford over one side of a hex."""

    a: str = given(Ref("Nodes", own_finding=True), "From", "Da", key=True, alias=("from_node",), required=True)
    b: str = given(Ref("Nodes", own_finding=True), "To", "A", key=True, alias=("to_node",), required=True)
    kind: str = given(Choice({"road": "strada", "bridge": "ponte", "ford": "guado"}), "Kind", "Tipo", default="road")


@dataclass(eq=False, repr=False)
class Order(base.Order):
    """An order of a day (rulebook: Orders)."""

    phase: str = wanted(Text(), "Phase", "Fase", alias=("for", "per"), default="day")
    unit: str = wanted(Text(), "Unit", "Unità", width=14)
    target: str = wanted(Text(), "Target", "Bersaglio", width=18)
    node: str = wanted(Text(), "Hex", "Esagono")
    path: str = wanted(Text(), "Path", "Percorso", width=20,
                       hint=("hexes, directions, one far hex or place, or codes of places in turn",
                             "esagoni, direzioni, una meta lontana, o sigle di più luoghi"))
    amount: int | str = wanted(Typed(), "Amount", "Quantità",
                               hint=("points, or pounds in halves", "punti, o sterline a mezzi"))
    men: str = wanted(Text(), "Men", "Uomini", width=14,
                      hint=("K2 S3 B1, and w:W5 for a wounded man", "K2 S3 B1, e w:W5 per un ferito"))
    choice: str = wanted(Text(), "Choice", "Scelta", width=16)
    note: str = wanted(Text(), "Note", "Nota", width=24)


@dataclass(eq=False, repr=False)
class Question(base.TurnQuestion):
    """A question of the day (rulebook: Questions)."""

    turn: str = own(Moment(), "Day", "Giorno", key=True, alias=("year", "day", "anno", "turno"))


@dataclass(eq=False, repr=False)
class Die(base.TurnDie):
    """A throw of the day."""

    turn: str = noted(Moment(), "Day", "Giorno", key=True, alias=("year", "day", "anno", "turno"))


@dataclass(eq=False, repr=False)
class Battle(base.Battle, whose=Circle(both("the sides that fight it", "le parti che la combattono"),
                                       lambda battle, reader: reader.fights(battle))):
    """A battle for the tactical maps and the form of its result."""

    node: str = public(Ref("Nodes", blank=True, own_finding=True), "Hex", "Esagono")
    kind: str = public(Choice({"field": "campale", "sack": "saccheggio", "assault": "assalto", "sally": "sortita",
                               "revolt": "rivolta"}, blank=True), "Kind", "Genere")
    attackers: str = public(Text(), "Attackers", "Attaccanti", width=22)
    defenders: str = public(Text(), "Defenders", "Difensori", width=22)
    place: str = public(Ref("Places", blank=True), "Place", "Luogo", width=22)
    parties = ("attackers", "defenders")
    outcome: str = given(Choice({"attacker": "attaccante", "defender": "difensore", "draw": "pari"}, blank=True),
                         "Outcome", "Esito")
    how: str = given(
        Choice({"eliminated": "eliminati", "fled": "in fuga", "surrendered": "arresi", "time": "tempo"}, blank=True),
        "How", "Modo")
    turns: int | str = given(Typed(), "Turns", "Turni", hint=("1 to 12", "da 1 a 12"))
    prisoners_freed: int | str = noted(Typed(), "Prisoners freed", "Prigionieri liberati")
    played: str = given(Choice({"table": "tavolo", "auto": "dadi"}, blank=True), "Played", "Giocata")
    note: str = noted(Text(), "Note", "Nota", width=28, free=True)
    status: str = public(
        Choice({"open": "da giocare", "played": "giocata", "void": "annullata", "superseded": "superata"}, blank=True),
        "Status", "Stato", last=True)
    papers: dict[str, Any] = column(
        Data(), "Papers", "Carte", last=True,
        see=Circle(both("the sides that fight it, each its own", "le parti che la combattono, ognuna la sua metà"),
                   lambda battle, reader: reader.fights(battle)))


@dataclass(eq=False, repr=False)
class Loss(base.FormRow, sheet="Losses", sheet_it="Perdite", unique=False):
    """Losses of one unit and rank in a battle, or the fate of a noble: a part of the result form."""

    whose = Circle(both("the sides that fought the battle, once it is counted",
                        "le parti che hanno combattuto la battaglia, quando è conclusa"),
                   lambda loss, reader: reader.took_part(loss.battle))
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
    Desk, Faction, Node, Road, Army, Noble, Place, Convoy, Train, Prisoners,
    Wounded, Siege, Objective, Sighting, Order, Question, Battle, Loss, base.Event, Die, base.FindingRow, base.Rule)


# What declarations of numbers share, and the numbers of no chapter (rulebook: Numbers).


ASSUMED, DERIVED = "ASSUMED", "DERIVED"
MOVEMENT_POINTS = both("movement points", "punti movimento")
PRESTIGE = both("prestige", "prestigio")


def prestige_change(default: int, meaning: str, tag: str = "FOUND") -> int:
    """Declare what something adds to a noble's prestige."""
    return number(default, PRESTIGE, meaning, tag, -9)


class Numbers(Rules):
    """The numbers and switches of no chapter, and those that the board itself reads."""

    group_min: int = number(3, both("heads", "personaggi"),
                            both("The smallest group has {n} {n?head|heads}.",
                                 "Il gruppo minimo ha {n} {n?personaggio|personaggi}."), minimum=1, source="8.1")
    neutral_band: Literal["5-6", "5_only"] = switch(
        both("Neutral {option}.", "Neutrale {option}."), both("is loyalty 5 or 6", "è la lealtà 5 o 6"),
        both("is loyalty 5 only", "è solo la lealtà 5"), source="7")
    head_count: Literal["fighters", "all"] = switch(
        both("As heads count {option}.", "Come personaggi contano {option}."),
        both("fighters only", "solo i combattenti"), both("drivers and engineers, too", "anche conduttori e ingegneri"),
        source="8.4")
    merc_count: Literal["stack", "separate"] = switch(
        both("For food, loyalty and order attached mercenaries count {option}.",
             "Per cibo, lealtà e ordine i mercenari aggregati contano {option}."),
        both("with their employer", "con chi li paga"), both("by themselves", "per conto loro"), source="8.4")
    prestige_clamp: Literal["1-10", "0-10"] = switch(
        both("Prestige goes {option}.", "Il prestigio va {option}."), both("from 1 to 10", "da 1 a 10"),
        both("from 0 to 10", "da 0 a 10"), source="9")
    noble_alone: Literal["stays", "leaves"] = switch(
        both("The noble of a dissolved group {option}.", "Il nobile di un gruppo disperso {option}."),
        both("stays as a lone noble", "resta da solo"), both("leaves the campaign", "lascia la campagna"), source="8.1",
        usual=True)
    purse_captured: Literal["yes", "no"] = switch(
        both("The purse of the beaten {option}.", "La cassa degli sconfitti {option}."),
        both("goes to the victor", "va al vincitore"), both("is lost", "è perduta"), source="15.6", usual=True)
    period: Literal["I", "II", "III"] = switch(
        both("The campaign is of period {option}.", "La campagna è del periodo {option}."),
        both("I (1139 to 1141)", "I (1139-1141)"), both("II (1142 to 1147)", "II (1142-1147)"),
        both("III (1148 to 1153)", "III (1148-1153)"), setup=True, source="card5")
    start_date: str = switch(both("The date of the first day (year-month-day): {option}.",
                                  "La data del primo giorno (anno-mese-giorno): {option}."), both("none", "nessuna"),
                             options=("",), free=True, setup=True, source="scenario")
    codes: Literal["together", "apart"] = switch(
        both("Captives and the wounded are numbered {option}.", "I prigionieri e i feriti sono numerati {option}."),
        both("all together", "tutti insieme"), both("apart for each faction", "separatamente per ogni fazione"),
        begins="apart", source="15.7, 15.8")


GREAT_PRESTIGE = 7
"""Prestige from which a noble's name helps in a siege, in sharing loot and in a battle that is not played."""


# Purposes of dice.


_EACH_MAN = f"{{{'|'.join(RANKS)}}}-{{n}}"


ROLLS = RollKinds()


def _d10(title: str, shape: str, dice: str = "1d10") -> Purpose:
    return ROLLS.purpose(title, shape, dice, "#{n}")


WEATHER_OF_YEAR = _d10(both("Weather of the year", "Tempo dell'annata"), "weather")
SEASON_OF_YEAR = _d10(both("Season of the year", "Stagione dell'anno"), "season")
HEALING_OF = _d10(both("The wounded in care", "I feriti in cura"), "healing/{Wounded*}")
PROMISE_KEPT = _d10(both("Mercenaries who wait for their loot", "Mercenari in attesa del bottino"), "promise/{Armies*}")
GRUMBLING = _d10(both("Mercenaries who grumble", "Mercenari di malumore"), "grumble/{Armies*}")
SHARE_OF_LOOT = _d10(both("Mercenaries content with their share", "Mercenari contenti della loro parte"),
                     "share/{Armies*}")
MARCHING_FIRST = _d10(both("Order of march among equals", "Ordine di marcia a parità"), "activation/{Armies*}", "1d100")
LOYALTY_TO = _d10(both("Loyalty", "Lealtà"), "loyalty/{Armies*}/{Armies*}")
REFUSAL_OF_MAN = _d10(both("Refusals to fight", "Rifiuti di combattere"), "refusal/{Armies*}/" + _EACH_MAN)
REFUSAL_OF_NOBLE = _d10("", "refusal/{Armies*}/{Nobles}")
UMPIRE_OF_SIDE = _d10(both("Umpire's dice in battles", "Dadi dell'arbitro in battaglia"),
                      "auto/{Battles*}/{attacker|defender}")
UMPIRE_OF_NOBLE = _d10("", "auto/{Battles*}/{Nobles}")
SURRENDER_OF = _d10(both("Castles that surrender", "Castelli che si arrendono"), "surrender/{Places*}")
MASSACRE_OF_MAN = _d10(both("Defenders put to the sword", "Difensori passati a fil di spada"),
                       "massacre/{Places*}/" + _EACH_MAN)
MASSACRE_OF_NOBLE = _d10("", "massacre/{Places*}/{Nobles}")
BATTLES = ("B{turn}-{n}",)
"""Codes of battles: numbered through the day."""


# Words of columns, dice and tables.


both.words({
    "an engine": "una macchina", "activation": "attivazione", "groups": "gruppi", "castles": "castelli",
})
