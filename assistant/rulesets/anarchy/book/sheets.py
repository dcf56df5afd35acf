"""The Anarchy's own sheets: nobles, places, convoys, trains, prisoners, wounded, sieges, objectives, sightings."""

from __future__ import annotations

from typing import ClassVar

from assistant.campaign import records as base
from assistant.campaign.columns import Choice, Flag, Ref, Text, Whole, column
from assistant.campaign.record import Record
from assistant.campaign.see import Circle, Whose
from assistant.dataclass import dataclass
from assistant.rulesets.anarchy.book.records import (
    KIND_ALSO,
    KINDS,
    MOST_MEN,
    RANK_ALSO,
    RANK_WORDS,
    RANKS,
    SIDES,
    Army,
    Battle,
    Desk,
    Die,
    Faction,
    Loss,
    Node,
    Order,
    Question,
    Road,
)

CASTLES = ("castle_stone", "castle_tower", "castle_motte", "counter_castle")
MONASTIC = ("priory", "abbey")
_PLACE_KINDS = {"village": "villaggio", "town": "città", "priory": "priorato", "abbey": "abbazia",
                "castle_stone": "castello in pietra", "castle_tower": "torre", "castle_motte": "motta",
                "counter_castle": "contro-castello"}


STORES = Circle("its side, and who has a group in its hex; others as it was after the opening",
                lambda place, reader: reader.knows_stores(place))
GARRISON = Circle("its owner, and who has a group in its hex",
                  lambda place, reader: place.castle and (reader.owns(place) or reader.stands_at(place.node)))
GOODS = Circle("its owner, and who has a group in its hex",
               lambda row, reader: reader.owns(row) or reader.stands_at(row.node))


@dataclass
class Noble(Record):
    """A lord: his fame, his loyalty, where he is."""

    sheet: ClassVar[str] = "Nobles"
    sheet_it: ClassVar[str] = "Nobili"
    file: ClassVar[str] = "nobles"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "The nobles, their prestige and where they are."
    about_it: ClassVar[str] = "I nobili, il loro prestigio e dove sono."

    noble: str = column(Text(), "Noble", "Nobile", key=True, edit="referee", see="public", required=True)
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=24)
    faction: str = column(Ref("Factions"), "Faction", "Fazione", edit="referee", see="public", required=True)
    player: str = column(Text(), "Player", "Giocatore", edit="referee", see="public", width=18)
    prestige: int = column(Whole(), "Prestige", "Prestigio", default=1, see="public")
    loyalty: int | None = column(Whole(blank=True), "Loyalty", "Lealtà", see="owner", edit="referee")
    army: str = column(Ref("Armies", blank=True), "With", "Con", see="public")
    place: str = column(Ref("Places", blank=True), "At", "Presso", see="public", width=22)
    state: str = column(Choice({"free": "libero", "wounded": "ferito", "prisoner": "prigioniero", "dead": "morto"}),
                        "State", "Stato", default="free", see="public")
    captor: str = column(Choice(SIDES, blank=True), "Captor", "Prigioniero di", see="public")
    held_in: str = column(Ref("Prisoners", blank=True, checked=True), "Held in", "Detenuto in", see="public")


@dataclass
class Place(Record):
    """A village, town, monastery or castle."""

    sheet: ClassVar[str] = "Places"
    sheet_it: ClassVar[str] = "Luoghi"
    file: ClassVar[str] = "places"
    whose: ClassVar[Whose] = ("holder",)
    about_en: ClassVar[str] = "Villages, towns, monasteries and castles: loyalty, resources, garrisons."
    about_it: ClassVar[str] = "Villaggi, città, monasteri e castelli: lealtà, risorse, guarnigioni."

    place: str = column(Text(), "Place", "Luogo", key=True, edit="referee", see="public", required=True, width=18)
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=22)
    node: str = column(Ref("Nodes", checked=True), "Hex", "Esagono", edit="referee", see="public", required=True)
    kind: str = column(Choice(_PLACE_KINDS), "Kind", "Genere", default="village", edit="referee", see="public")
    exists: bool = column(Flag(), "Exists", "Esiste", default=True, edit="referee", see="public",
                          hint=("no: open ground, not built yet", "no: terreno aperto, non ancora costruito"))
    loyalty: int | None = column(Whole(blank=True), "Loyalty", "Lealtà", edit="referee", see="public")
    lord: str = column(Ref("Nobles", blank=True), "Lord", "Signore", edit="referee", see="public")
    garrison_kind: str = column(Choice(KINDS, blank=True, also=KIND_ALSO), "Garrison type", "Tipo di guarnigione",
                                edit="referee", see="public")
    resources: int = column(Whole(), "Resources", "Risorse", see=STORES)
    holder: str = column(Choice(SIDES, blank=True), "Holder", "Tenuto da", see="public")
    g_knights: int = column(Whole(0, MOST_MEN), "Garrison K", "Guarnigione K", see=GARRISON)
    g_dismounted: int = column(Whole(0, MOST_MEN), "Garrison D", "Guarnigione D", see=GARRISON)
    g_foot: int = column(Whole(0, MOST_MEN), "Garrison S", "Guarnigione S", see=GARRISON)
    g_bows: int = column(Whole(0, MOST_MEN), "Garrison B", "Guarnigione B", see=GARRISON)
    g_light: int = column(Whole(0, MOST_MEN), "Garrison L", "Guarnigione L", see=GARRISON)
    g_peasants: int = column(Whole(0, MOST_MEN), "Garrison P", "Guarnigione P", see=GARRISON)
    massacre: bool = column(Flag(), "Massacred prisoners", "Massacro di prigionieri", see="owner", edit="referee")

    @property
    def castle(self) -> bool:
        """Whether it is a castle of any kind."""
        return self.kind in CASTLES

    @property
    def garrison(self) -> int:
        """Men of the garrison."""
        return sum(int(getattr(self, f"g_{rank}")) for rank in RANKS)


@dataclass
class Convoy(Record):
    """Pack animals with food."""

    sheet: ClassVar[str] = "Convoys"
    sheet_it: ClassVar[str] = "Convogli"
    file: ClassVar[str] = "convoys"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "Convoys: where they go and what they carry."
    about_it: ClassVar[str] = "I convogli: dove vanno e che cosa portano."

    convoy: str = column(Text(), "Convoy", "Convoglio", key=True, edit="referee", see="public", required=True)
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=22)
    faction: str = column(Ref("Factions"), "Owner", "Di", edit="referee", see="public", required=True)
    node: str = column(Ref("Nodes", blank=True, checked=True), "Hex", "Esagono", edit="referee", see="public")
    home: str = column(Ref("Places", blank=True), "Home", "Partenza", edit="referee", see="public", width=22)
    goal: str = column(Ref("Places", blank=True), "Goal", "Arrivo", edit="referee", see="public", width=22)
    heading: str = column(Choice({"goal": "arrivo", "home": "partenza"}, blank=True), "Heading", "Direzione",
                          see="public")
    escort: str = column(Ref("Armies", blank=True), "Escort", "Scorta", see="public")
    came_from: str = column(Text(digits=4), "Came from", "Proviene da", see="public")
    animals: int = column(Whole(0), "Animals", "Animali", see=GOODS)
    driver: int = column(Whole(0), "Driver", "Conduttore", see=GOODS)
    cargo: int = column(Whole(0), "Load", "Carico", see=GOODS, hint=("points", "punti"))
    state: str = column(Choice({"active": "attivo", "destroyed": "distrutto"}), "State", "Stato", default="active",
                        see="public")


@dataclass
class Train(Record):
    """Siege engines on the march."""

    sheet: ClassVar[str] = "Trains"
    sheet_it: ClassVar[str] = "Macchine"
    file: ClassVar[str] = "trains"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "Siege trains: engines, engineers, oxen and peasants."
    about_it: ClassVar[str] = "Le macchine d'assedio: ingegneri, buoi e contadini."

    train: str = column(Text(), "Siege train", "Macchine d'assedio", key=True, edit="referee", see="public",
                        required=True)
    name: str = column(Text(), "Name", "Nome", edit="referee", see="public", width=22)
    faction: str = column(Ref("Factions"), "Owner", "Di", edit="referee", see="public", required=True)
    node: str = column(Ref("Nodes", blank=True, checked=True), "Hex", "Esagono", edit="referee", see="public")
    escort: str = column(Ref("Armies", blank=True), "Escort", "Scorta", see="public")
    came_from: str = column(Text(digits=4), "Came from", "Proviene da", see="public")
    rams: int = column(Whole(0), "Rams", "Arieti", see=GOODS)
    galleries: int = column(Whole(0), "Galleries", "Gallerie", see=GOODS)
    towers: int = column(Whole(0), "Towers", "Torri", see=GOODS)
    mangonels: int = column(Whole(0), "Mangonels", "Mangani", see=GOODS)
    engineers: int = column(Whole(0), "Engineers", "Ingegneri", see=GOODS)
    oxen: int = column(Whole(0), "Oxen", "Buoi", see=GOODS)
    peasants: int = column(Whole(0, MOST_MEN), "Peasants", "Contadini", see=GOODS)
    state: str = column(Choice({"active": "attivo", "destroyed": "distrutto"}), "State", "Stato", default="active",
                        see="public")

    @property
    def engines(self) -> int:
        """Engines of all kinds."""
        return self.rams + self.galleries + self.towers + self.mangonels


@dataclass
class Prisoners(Record):
    """Captives of one battle, siege or refusal, who are brought to a place of the captor."""

    sheet: ClassVar[str] = "Prisoners"
    sheet_it: ClassVar[str] = "Prigionieri"
    file: ClassVar[str] = "prisoners"
    whose: ClassVar[Whose] = ("captor", "faction")
    about_en: ClassVar[str] = "Captives on their way, and those who were delivered."
    about_it: ClassVar[str] = "I prigionieri in cammino e quelli consegnati."

    prisoners: str = column(Text(), "Prisoners", "Prigionieri", key=True, see="owner", required=True)
    faction: str = column(Ref("Factions", blank=True), "Of", "Di", see="owner")
    captor: str = column(Choice(SIDES, blank=True), "Captor", "Catturati da", see="owner")
    captor_army: str = column(Ref("Armies", blank=True), "Captor group", "Gruppo", see="owner")
    node: str = column(Ref("Nodes", blank=True, checked=True), "Hex", "Esagono", see="owner")
    battle: str = column(Ref("Battles", blank=True, checked=True), "Battle", "Battaglia", see="owner")
    taken_on: int | None = column(Whole(blank=True), "Taken on", "Presi il", see="owner")
    destination: str = column(Ref("Places", blank=True), "Destination", "Destinazione", see="owner", width=22)
    escort: str = column(Ref("Armies", blank=True), "Escort", "Scorta", edit="club", see="owner")
    place: str = column(Ref("Places", blank=True), "Place", "Luogo", see="owner", width=22)
    knights: int = column(Whole(0, MOST_MEN), "K", "K", see="owner")
    dismounted: int = column(Whole(0, MOST_MEN), "D", "D", see="owner")
    foot: int = column(Whole(0, MOST_MEN), "S", "S", see="owner")
    bows: int = column(Whole(0, MOST_MEN), "B", "B", see="owner")
    light: int = column(Whole(0, MOST_MEN), "L", "L", see="owner")
    peasants: int = column(Whole(0, MOST_MEN), "P", "P", see="owner")
    state: str = column(Choice({"waiting": "in attesa", "escorted": "scortati", "delivered": "consegnati",
                                "freed": "liberati", "massacred": "massacrati"}), "State", "Stato", default="waiting",
                        see="owner")

    @property
    def men(self) -> int:
        """Common men among the captives."""
        return sum(int(getattr(self, rank)) for rank in RANKS)


@dataclass
class Wounded(Record):
    """One hurt man or noble."""

    sheet: ClassVar[str] = "Wounded"
    sheet_it: ClassVar[str] = "Feriti"
    file: ClassVar[str] = "wounded"
    whose: ClassVar[Whose] = ("faction",)
    about_en: ClassVar[str] = "The wounded: with whom or where they are, and when they are back."
    about_it: ClassVar[str] = "I feriti: con chi o dove sono, e quando tornano."

    wounded: str = column(Text(), "Wounded", "Ferito", key=True, see="owner", required=True)
    faction: str = column(Ref("Factions", blank=True), "Of", "Di", see="owner")
    rank: str = column(Choice(RANK_WORDS, blank=True, also=RANK_ALSO), "Rank", "Grado", see="owner")
    noble: str = column(Ref("Nobles", blank=True), "Noble", "Nobile", see="owner")
    army: str = column(Ref("Armies", blank=True), "With", "Con", see="owner")
    place: str = column(Ref("Places", blank=True), "At", "Presso", see="owner", width=22)
    in_care_since: int | None = column(Whole(blank=True), "In care since", "In cura dal", see="owner")
    back_on: int | None = column(Whole(blank=True), "Back on", "Torna il", see="owner")
    state: str = column(Choice({"hurt": "ferito", "in_care": "in cura", "healed": "guarito", "dead": "morto",
                                "prisoner": "prigioniero", "dispersed": "disperso"}), "State", "Stato",
                        default="hurt", see="owner")


@dataclass
class Siege(Record):
    """A castle and who lies before it."""

    sheet: ClassVar[str] = "Sieges"
    sheet_it: ClassVar[str] = "Assedi"
    file: ClassVar[str] = "sieges"
    whose: ClassVar[Whose] = Circle("the castle's holder", lambda siege, reader: reader.holds(siege.place))
    about_en: ClassVar[str] = "The sieges and their days."
    about_it: ClassVar[str] = "Gli assedi e i loro giorni."

    place: str = column(Ref("Places"), "Castle", "Castello", key=True, see="public", required=True, width=22)
    besieger: str = column(Choice(SIDES, blank=True), "Besieger", "Assediante", see="public")
    started_on: int | None = column(Whole(blank=True), "Since", "Dal", see="public")
    days: int = column(Whole(0), "Days", "Giorni", see="public")
    resources_at_start: int = column(Whole(), "Resources at start", "Risorse iniziali", see="owner")
    state: str = column(Choice({"on": "in corso", "lifted": "tolto", "surrendered": "arreso", "stormed": "espugnato"}),
                        "State", "Stato", default="on", see="public")


@dataclass
class Objective(Record):
    """A mission of the scenario."""

    sheet: ClassVar[str] = "Objectives"
    sheet_it: ClassVar[str] = "Obiettivi"
    file: ClassVar[str] = "objectives"
    about_en: ClassVar[str] = "What each side is to reach, and what it is worth."
    about_it: ClassVar[str] = "Che cosa deve raggiungere ogni parte, e quanto vale."

    objective: str = column(Text(), "Objective", "Obiettivo", key=True, edit="referee", see="public", required=True)
    faction: str = column(Ref("Factions"), "Faction", "Fazione", edit="referee", see="public", required=True)
    kind: str = column(Choice({"hold": "tieni", "capture": "cattura", "reach": "raggiungi", "loot": "bottino",
                               "deliver": "consegna", "destroy": "distruggi"}), "Kind", "Tipo", default="hold",
                       edit="referee", see="public")
    subject: str = column(Text(), "Subject", "Soggetto", edit="referee", see="public")
    place: str = column(Ref("Places", blank=True), "Place", "Luogo", edit="referee", see="public", width=22)
    points: int = column(Whole(), "Points", "Punti", edit="referee", see="public")
    per: int | None = column(Whole(blank=True), "Per", "Ogni", edit="referee", see="public")
    cap: int | None = column(Whole(blank=True), "At most", "Al massimo", edit="referee", see="public")
    by_day: int | None = column(Whole(blank=True), "By day", "Entro il", edit="referee", see="public")
    text_en: str = column(Text(), "Text", "Testo inglese", edit="referee", see="public", width=36)
    text_it: str = column(Text(), "Text (Italian)", "Testo", edit="referee", see="public", width=36)
    state: str = column(Choice({"open": "aperto", "done": "raggiunto", "failed": "fallito"}), "State", "Stato",
                        default="open", see="public")
    done_on: int | None = column(Whole(blank=True), "Done on", "Raggiunto il", see="public")


@dataclass
class Sighting(Record):
    """What a side saw of a group when it shared its hex."""

    sheet: ClassVar[str] = "Sightings"
    sheet_it: ClassVar[str] = "Avvistamenti"
    file: ClassVar[str] = "sightings"
    whose: ClassVar[Whose] = ("viewer",)
    about_en: ClassVar[str] = "What each side saw of the other's groups when they shared a hex."
    about_it: ClassVar[str] = "Che cosa ha visto ogni parte dei gruppi altrui nello stesso esagono."

    viewer: str = column(Choice(SIDES, blank=True), "Seen by", "Visto da", key=True, see="owner")
    turn: int = column(Whole(), "Day", "Giorno", key=True, see="owner", alias=("day", "giorno", "turno"))
    army: str = column(Text(), "Group", "Gruppo", key=True, see="owner")
    node: str = column(Text(digits=4), "Hex", "Esagono", key=True, see="owner")
    heads: int = column(Whole(0), "Heads", "Personaggi", see="owner")
    men: str = column(Text(), "Men", "Uomini", see="owner", width=20)
    nobles: str = column(Text(), "Nobles", "Nobili", see="owner", width=20)


RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Army, Noble, Place, Convoy, Train, Prisoners, Wounded, Siege, Objective, Sighting,
    Order, Question, Battle, Loss, base.Event, Die, base.FindingRow, base.Rule)
