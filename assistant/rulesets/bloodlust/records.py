"""The sheets of Bloodlust nations (rulebook: Records)."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from assistant.campaign import records as base
from assistant.campaign.columns import (
    Choice,
    Circle,
    Flag,
    Moment,
    Ref,
    Text,
    Typed,
    When,
    Whole,
    column,
    given,
    noted,
    public,
    wanted,
)
from assistant.campaign.records import FormRow
from assistant.campaign.tables import Record
from assistant.rulesets.bloodlust import SEASON_NAMES, assumed, both, choice, cites
from assistant.turn.calendar import Turns
from assistant.turn.chapters import Chapter, Rules, number

# Sheets that no other book has: units, leaders, weapons, wars, sieges, printed tables (rulebook: Records).


FOG = When("fog", "open", "public", "owner")
"""Public if the fog is lifted, else for the nation alone."""
MORALE_OF = {"poor": 3, "normal": 4, "veteran": 5, "elite": 6}
"""Morale as a number (MR)."""
LEVELS = tuple(MORALE_OF)
MORALES = {"poor": "scarso", "normal": "normale", "veteran": "veterano", "elite": "élite"}
MOUNTS = {"foot": "appiedata", "mounted": "montata"}
RANKS = {"marshal": "maresciallo", "captain": "capitano", "hero": "eroe"}
POWERS = {"minor": "minore", "major": "maggiore"}
CODES = ("codes, parted by blanks", "sigle separate da spazi")


@dataclass(eq=False, repr=False)
class SeveralCodes(Text):
    """Codes of one cell, parted by blanks; commas and plus signs part them, too. `small`: in small letters; `italian`:
    code -> its Italian, which may be typed.
    """

    worded: ClassVar[bool] = True
    small: bool = True
    italian: Mapping[str, str] = field(default_factory=dict)

    def read(self, raw: object) -> str:
        """The codes joined by blanks."""
        text = Text.read(self, raw)
        codes = {word: code for code, word in self.italian.items()}
        words = re.split(r"[\s,;+]+", text.lower() if self.small else text)
        return " ".join(codes.get(word, word) for word in words if word)


@dataclass(eq=False, repr=False)
class PrintedText(Text):
    """A text of the book, kept in English and shown in the reader's language; what somebody rewrote stays as it is.

    `italian`: English -> Italian.
    """

    italian: Mapping[str, str] = field(default_factory=dict)

    def read(self, raw: object) -> str:
        """The English text, whichever stands there."""
        text = Text.read(self, raw)
        return next((english for english, italian in self.italian.items() if italian == text), text)

    def word(self, value: Any, lang: str) -> str:
        """The text in a language."""
        return self.italian.get(value, value) if lang == "it" else str(value)


italian_name = partial(column, Text(), "Name (Italian)", "Nome italiano", later=True, hint=(
    "shown to Italian readers; blank: as Name; who renames changes both",
    "per chi legge in italiano; vuoto: come Nome; chi cambia nome li cambia tutti e due"))


@dataclass(eq=False, repr=False)
class Unit(base.TwoNames, Record, sheet="Units", sheet_it="Unità", whose=("faction",)):
    """A unit of troops: one row of a recruiting table, paid, trained and led."""

    about_en = "The units of all nations, their training, morale and army."
    about_it = "I reparti di tutte le nazioni, addestramento, morale e armata."

    unit: str = column(Text(), "Unit", "Unità", key=True, required=True, see=FOG)
    faction: str = column(Ref("Factions"), "Faction", "Nazione", required=True, see=FOG)
    army: str = column(Ref("Armies", blank=True), "Army", "Armata", see=FOG)
    type: str = column(Text(), "Type", "Tipo", see=FOG, width=14)
    name: str = column(Text(), "Name", "Nome", edit="club", see=FOG, width=20)
    name_it: str = italian_name(edit="club", see=FOG, width=20)
    rep: int = column(Whole(1, 6), "REP", "REP", default=4, see=FOG)
    morale: str = column(Choice(MORALES), "Morale", "Morale", default="normal", see=FOG)
    xp: int = column(Whole(0), "Battles won", "Vittorie", alias=("xp",), see=FOG)
    mount: str = column(Choice(MOUNTS), "Mount", "Monta", default="foot", see=FOG)
    ac: int = column(Whole(2, 8), "AC", "CA", default=4, see=FOG)
    arm: str = column(SeveralCodes(), "Arms", "Armamento", alias=("arm",), default="melee", see=FOG, hint=CODES)
    skills: str = column(SeveralCodes(), "Skills", "Abilità", see=FOG, hint=CODES)
    mercenary: bool = column(Flag(), "Mercenary", "Mercenaria", see=FOG)
    siege_loss: int = column(Whole(0), "Siege loss", "Perdite d'assedio", see=FOG)
    exhausted: bool = column(Flag(), "Exhausted", "Esausta", see=FOG)
    greedy_until: str = column(Moment(), "Greedy until", "Scontenta fino a", see=FOG)
    recruited_turn: str = column(Moment(), "Recruited turn", "Arruolata", see=FOG)
    state: str = column(Choice({"active": "attiva", "disbanded": "sciolta", "lost": "persa", "merged": "fusa"}),
                        "State", "Stato", default="active", see=FOG)
    left_turn: str = column(Moment(), "Left turn", "Uscita", see=FOG)

    @property
    def active(self) -> bool:
        """Whether it still serves."""
        return self.state == "active"

    def has(self, skill: str) -> bool:
        """Whether it has a skill (SK)."""
        return skill in self.skills.split()


@dataclass(eq=False, repr=False)
class Leader(base.TwoNames, Record, sheet="Leaders", sheet_it="Comandanti", whose=("faction",), people=True):
    """A marshal, a captain or a hero."""

    about_en = "Marshals, captains and heroes of all nations."
    about_it = "Marescialli, capitani ed eroi di tutte le nazioni."

    leader: str = public(Text(), "Leader", "Comandante", key=True, required=True)
    faction: str = public(Ref("Factions"), "Faction", "Nazione", required=True)
    rank: str = public(Choice(RANKS), "Rank", "Grado", default="captain")
    name: str = column(Text(), "Name", "Nome", edit="club", see="public", width=22)
    name_it: str = italian_name(edit="club", see="public", width=22)
    reputation: int = public(Whole(1, 7, blank=True), "Reputation", "Reputazione", default=None)
    wr: int = public(Whole(0, 6), "WR", "WR", default=3)
    attributes: str = column(SeveralCodes(), "Attributes", "Attributi", see="owner", width=26, hint=CODES)
    army: str = public(Ref("Armies", blank=True), "Army", "Armata")
    weapon: str = public(Ref("Weapons", blank=True, own_finding=True), "Weapon", "Arma")
    state: str = public(Choice({"active": "attivo", "wounded": "ferito", "captured": "prigioniero", "dead": "morto",
                                "gone": "partito"}), "State", "Stato", default="active")
    until_turn: str = public(Moment(), "Until turn", "Fino a")
    holder: str = public(Ref("Factions", blank=True), "Holder", "Carceriere")
    wr_change: int = public(Whole(), "WR change", "Variazione WR")
    wr_change_until: str = public(Moment(), "WR change until", "Variazione fino a")
    levy: bool = public(Flag(), "Levy", "Leva")

    @property
    def there(self) -> bool:
        """Whether he is neither dead nor gone."""
        return self.state not in ("dead", "gone")

    @property
    def commands(self) -> bool:
        """Whether he is a marshal or captain who can lead now."""
        return self.state == "active" and self.rank != "hero"


@dataclass(eq=False, repr=False)
class Weapon(base.TwoNames, Record, sheet="Weapons", sheet_it="Armi"):
    """A god-weapon, which whoever finds it must bear."""

    about_en = "The god-weapons: who bears them, where they lie."
    about_it = "Le armi divine: chi le porta, dove giacciono."

    weapon: str = public(Text(), "Weapon", "Arma", key=True, required=True)
    name: str = public(Text(), "Name", "Nome", width=22)
    name_it: str = italian_name(see="public", width=22)
    power: str = public(Choice(POWERS), "Power", "Potere", default="minor")
    attributes: str = public(SeveralCodes(), "Attributes", "Attributi", width=26, hint=CODES)
    wr_bonus: int = public(Whole(), "WR bonus", "Bonus WR")
    state: str = public(Choice({"borne": "portata", "placed": "deposta", "unplaced": "assente"}), "State", "Stato",
                        default="unplaced")
    bearer: str = public(Ref("Leaders", blank=True, own_finding=True), "Bearer", "Portatore")
    node: str = public(Ref("Nodes", blank=True), "Node", "Provincia")
    returns_turn: str = public(Moment(), "Returns turn", "Ritorna")


@dataclass(eq=False, repr=False)
class War(Record, sheet="Wars", sheet_it="Guerre"):
    """A war between two nations, open or ended."""

    about_en = "Who is at war with whom, since when, and how it ended."
    about_it = "Chi è in guerra con chi, da quando e com'è finita."

    war: str = public(Text(), "War", "Guerra", key=True, required=True)
    aggressor: str = public(Ref("Factions"), "Aggressor", "Aggressore", required=True)
    target: str = public(Ref("Factions"), "Target", "Bersaglio", required=True)
    reason: str = public(Choice({"check": "prova di guerra", "both": "guerra reciproca", "insult": "offesa",
                                 "ally": "alleanza"}, also={"prova": "check", "entrambi": "both"},
                                in_reports={"check": ("war check", "prova di guerra"),
                                            "both": ("both wanted it", "la volevano tutte e due"),
                                            "insult": ("an insult", "un'offesa"),
                                            "ally": ("an alliance", "un'alleanza")}),
                         "Reason", "Motivo", default="check")
    began: str = public(Moment(), "Began", "Inizio")
    ended: str = public(Moment(), "Ended", "Fine")
    how: str = public(Choice({"white": "bianca", "enforced": "imposta", "frontier": "senza confine",
                              "eliminated": "eliminata"}, blank=True), "How", "Esito")

    @property
    def parties(self) -> tuple[str, str]:
        """The two nations."""
        return self.aggressor, self.target

    def between(self, a: str, b: str) -> bool:
        """Whether it is the war of these two."""
        return {*self.parties} == {a, b}


@dataclass(eq=False, repr=False)
class Peace(Record, sheet="Peaces", sheet_it="Paci"):
    """An enforced peace and its years."""

    about_en = "Enforced peaces: who won, who lost, in which years they hold."
    about_it = "Le paci imposte: chi ha vinto, chi ha perso, in quali anni valgono."

    peace: str = public(Text(), "Peace", "Pace", key=True, required=True)
    winner: str = public(Ref("Factions"), "Winner", "Vincitore", required=True)
    loser: str = public(Ref("Factions"), "Loser", "Vinto", required=True)
    from_year: str = public(Moment(), "From year", "Dal")
    until_year: str = public(Moment(), "Until year", "Al")
    pays: bool = public(Flag(), "Pays", "Paga")
    war: str = public(Ref("Wars", blank=True), "War", "Guerra")


@dataclass(eq=False, repr=False)
class Alliance(Record, sheet="Alliances", sheet_it="Alleanze", unique=False):
    """Two nations that are allied, or were."""

    about_en = "Alliances, open and ended."
    about_it = "Le alleanze, in corso e finite."

    a: str = public(Ref("Factions"), "A", "Una", key=True, required=True)
    b: str = public(Ref("Factions"), "B", "L'altra", key=True, required=True)
    since: str = public(Moment(), "Since", "Dal")
    ended: str = public(Moment(), "Ended", "Fine")


PAIR = Circle(both("the two nations", "le due nazioni"), lambda row, reader: reader.is_one_of(row.of, row.toward))
SENDER = Circle(both("the nation that sent the envoy", "la nazione che ha mandato l'inviato"),
                lambda row, reader: reader.is_one_of(row.toward))
RELATION_KNOWN = Circle(
    both("all, where there is hate or insult; else who sent the envoy, and the other what it knows of",
         "tutti, dove c'è odio o insulto; altrimenti chi ha mandato l'inviato, e l'altra nazione per quel che ne sa"),
    lambda row, reader: bool(row.hates or row.insult_year) or reader.is_one_of(row.toward) or (
        reader.is_one_of(row.of) and bool(row.progress or row.backfire_until or row.tribute_until)))


@dataclass(eq=False, repr=False)
class Relation(Record, sheet="Relations", sheet_it="Relazioni"):
    """What one nation feels for another, or what an envoy has made it feel: one row a direction."""

    about_en = "What nations feel for each other, and what envoys have done; one row a direction."
    about_it = "Che cosa provano le nazioni l'una per l'altra e gli effetti degli inviati; una riga per direzione."

    of: str = column(Ref("Factions"), "Of", "Di", key=True, required=True, see=RELATION_KNOWN)
    toward: str = column(Ref("Factions"), "Toward", "Verso", key=True, required=True, see=RELATION_KNOWN)
    hates: bool = public(Flag(), "Hates", "Odia")
    progress: bool = column(Flag(), "Progress", "Progressi", see=PAIR)
    deceit_until: str = column(Moment(), "Deceit until", "Voci fino a", see=SENDER)
    deceit_kind: str = column(Choice({"third": "terzi", "anyone": "chiunque"}, blank=True), "Deceit kind",
                              "Voci contro", see=SENDER)
    no_attack_until: str = column(Moment(), "No attack until", "Non attacca fino a", see=SENDER)
    target_change: int = column(Whole(-1, 1), "Target change", "Dado bersaglio", default=0, see=SENDER)
    target_until: str = column(Moment(), "Target until", "Dado fino a", see=SENDER)
    backfire_until: str = column(Moment(), "Backfire until", "Offesa fino a", see=PAIR)
    tribute_until: str = column(Moment(), "Tribute until", "Tributo fino a", see=PAIR)
    insult_year: str = public(Moment(), "Insult year", "Insulto")


@dataclass(eq=False, repr=False)
class Siege(Record, sheet="Sieges", sheet_it="Assedi"):
    """The siege of a fort, going on or ended."""

    about_en = "Sieges: who besieges what, with which armies, and how it ended."
    about_it = "Gli assedi: chi assedia che cosa, con quali armate, e com'è finita."

    siege: str = public(Text(), "Siege", "Assedio", key=True, required=True)
    node: str = public(Ref("Nodes"), "Node", "Provincia", required=True)
    besieger: str = public(Ref("Factions"), "Besieger", "Assediante", required=True)
    armies_out: str = public(SeveralCodes(small=False), "Armies out", "Assedianti", width=18, hint=CODES)
    armies_in: str = public(SeveralCodes(small=False), "Armies in", "Assediati", width=18, hint=CODES)
    start_node: str = public(Ref("Nodes", blank=True), "Start node", "Partenza")
    began: str = public(Moment(), "Began", "Inizio")
    ended: str = public(Moment(), "Ended", "Fine")
    how: str = public(Choice({"fell": "caduta", "held": "tenuta", "lifted": "tolta", "relieved": "liberata",
                              "peace": "pace"}, blank=True), "How", "Esito")

    @property
    def armies(self) -> list[str]:
        """All armies in it, besiegers first."""
        return [*self.armies_out.split(), *self.armies_in.split()]


OWN_IN_BATTLE = Circle(both("the nation whose unit or commander it is", "la nazione dell'unità o del comandante"),
                       lambda row, reader: reader.is_one_of(row.ident.partition("/")[2].partition("-")[0]))


@dataclass(eq=False, repr=False)
class BattleUnit(FormRow, sheet="BattleUnits", sheet_it="Reparti in battaglia", unique=True):
    """What happened to a unit in a battle: a part of the result form."""

    file = "battle_units"
    whose = OWN_IN_BATTLE
    about_en = "The units of battles: hits taken, routed, destroyed. Part of the result's form."
    about_it = "I reparti delle battaglie: colpi, rotta, distruzione. Parte del modulo dell'esito."

    unit: str = noted(Ref("Units", own_finding=True), "Unit", "Unità", key=True, required=True)
    hits: int | str = noted(Typed(), "Hits", "Colpi", hint=("all hits taken; blank: 0", "tutti i colpi; vuoto: 0"))
    routed: bool = noted(Flag(), "Routed", "In rotta")
    destroyed: bool = noted(Flag(), "Destroyed", "Distrutta")


@dataclass(eq=False, repr=False)
class BattleLeader(FormRow, sheet="BattleLeaders", sheet_it="Comandanti in battaglia", unique=True):
    """What happened to a commander in a battle: a part of the result form."""

    file = "battle_leaders"
    whose = OWN_IN_BATTLE
    about_en = "Part of the result: who is down, what became of his unit."
    about_it = "Parte dell'esito: chi è a terra, che ne è della sua unità."

    leader: str = noted(Ref("Leaders", own_finding=True), "Leader", "Comandante", key=True, required=True)
    down: bool = noted(Flag(), "Down", "A terra")
    unit_fate: str = noted(Choice({"fought": "combatte", "withdrew": "ritirata", "destroyed": "distrutta"}),
                           "Unit fate", "Sua unità", default="fought")


# --- printed tables -------------------------------------------------------------------------------
@dataclass(eq=False, repr=False)
class Recruit(Record, sheet="Recruits", sheet_it="Tabelle truppe"):
    """A row of a nation's recruiting table, or of the mercenaries' (MER)."""

    about_en = "What each roll on a nation's recruiting table raises; MER are mercenaries."
    about_it = "Che cosa leva ogni tiro sulla tabella di una nazione; MER sono i mercenari."

    faction: str = given(Text(), "Faction", "Nazione", key=True, required=True)
    roll: int = given(Whole(1, 6), "Roll", "Tiro", key=True, required=True)
    type: str = given(Text(), "Type", "Tipo")
    name_en: str = given(Text(), "Name (English)", "Nome inglese", width=20)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=20)
    rep: int = given(Whole(1, 6), "REP", "REP", default=4)
    morale: str = given(Choice(MORALES), "Morale", "Morale", default="normal")
    mount: str = given(Choice(MOUNTS), "Mount", "Monta", default="foot")
    ac: int = given(Whole(2, 8), "AC", "CA", default=4)
    arm: str = given(SeveralCodes(), "Arms", "Armamento", alias=("arm",), default="melee", hint=CODES)
    skills: str = given(SeveralCodes(), "Skills", "Abilità", hint=CODES)

    def name_in(self, lang: str) -> str:
        """The name in a language, or the other's."""
        return (self.name_it or self.name_en) if lang == "it" else (self.name_en or self.name_it)


@dataclass(eq=False, repr=False)
class Name(base.TwoNames, Record, sheet="Names", sheet_it="Nomi", unique=False):
    """A name that the next new commander or weapon gets."""

    about_en = "Names for new commanders and weapons, in the order of use."
    about_it = "Nomi per nuovi comandanti e armi, nell'ordine in cui si danno."

    faction: str = given(Text(), "Faction", "Nazione", key=True)
    kind: str = given(Choice({"leader": "comandante", "weapon": "arma"}), "Kind", "Genere", key=True, default="leader")
    order: int = given(Whole(0), "Order", "Ordine", key=True, required=True)
    name: str = given(Text(), "Name", "Nome", width=24)
    name_it: str = italian_name(edit="referee", see="public", width=24)


TABLES = Path(__file__).with_name("tables")


def printed(table: str) -> list[dict[str, str]]:
    """The rows of a printed table, as they stand in the folder `tables`."""
    with (TABLES / f"{table}.csv").open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))


ATTRIBUTES = printed("attributes")
EFFECTS = {row["effect"]: row["effect_it"] for row in ATTRIBUTES}
"""What each attribute does: English -> Italian."""
# Words among the data of events, findings and questions; in English they are what they are.
both.codes |= {row["word"]: row["it"] for row in printed("words")}
both.codes |= {row["code"]: row["name_it"].lower() for row in ATTRIBUTES}
both.codes |= {row["row"]: row["row_it"] for row in printed("envoy_table")}


@dataclass(eq=False, repr=False)
class Attribute(Record, sheet="Attributes", sheet_it="Attributi"):
    """A row of the tables of strengths and weaknesses."""

    about_en = "The printed tables of strengths and weaknesses of commanders."
    about_it = "Le tabelle dei punti di forza e di debolezza dei comandanti."

    table: str = given(Choice({"strength": "forza", "weakness": "debolezza"}), "Table", "Tabella", key=True,
                       default="strength")
    roll: int = given(Whole(2, 18), "Roll", "Tiro", key=True, required=True)
    code: str = given(Text(), "Code", "Sigla", width=18)
    name_en: str = given(Text(), "Name (English)", "Nome inglese", width=20)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=20)
    effect: str = given(PrintedText(italian=EFFECTS), "Effect", "Effetto", width=40)

    def told_in(self, lang: str) -> str:
        """Its name and effect in a language."""
        name = (self.name_it if lang == "it" else self.name_en) or self.code
        return f"{name}: {self.column('effect').word(self.effect, lang)}"


@dataclass(eq=False, repr=False)
class EnvoyRow(Record, sheet="EnvoyTable", sheet_it="Tabella degli inviati"):
    """A row of the envoy modifiers."""

    file = "envoy_table"
    about_en = "What the two nations are like adds to an envoy's successes."
    about_it = "Che cosa aggiunge ai successi dell'inviato lo stato delle due nazioni."

    row: str = given(Text(), "Row", "Riga", key=True, required=True, width=20)
    friendly: int = given(Whole(), "Friendly", "Amichevole")
    deceiving: int = given(Whole(), "Deceiving", "Ingannevole")
    intimidating: int = given(Whole(), "Intimidating", "Minaccioso")
    dominating: int = given(Whole(), "Dominating", "Imperioso")


@dataclass(eq=False, repr=False)
class TradeRow(Record, sheet="TradeTable", sheet_it="Tabella del commercio"):
    """A row of the table of trade."""

    file = "trade_table"
    about_en = "Earnings by successes."
    about_it = "Rendita per successi."

    successes: int = given(Whole(0), "Successes", "Successi", key=True, required=True)
    resources: int = given(Whole(0), "Resources", "Risorse")


@dataclass(eq=False, repr=False)
class ArmyType(Record, sheet="ArmyTypes", sheet_it="Tipi d'esercito"):
    """A row of the army types."""

    file = "army_types"
    about_en = "What army a die makes of a nation's letter."
    about_it = "Che esercito fa il dado secondo la lettera della nazione."

    roll: int = given(Whole(1, 6), "Roll", "Tiro", key=True, required=True)
    A: str = given(Text(), "A", "A")
    B: str = given(Text(), "B", "B")
    C: str = given(Text(), "C", "C")
    D: str = given(Text(), "D", "D")


# Sheets that all rulebooks share, with Bloodlust's columns (rulebook: Records).


INTERESTS = {"conquest": "conquista", "colonizing": "colonizzazione", "loot": "bottino"}
LETTERS = {letter: letter for letter in "ABCD"}


@dataclass(eq=False, repr=False)
class Desk(base.Desk):
    """The season, its phase, and the last year."""

    last_year: int = given(Whole(1), "Last year", "Ultimo anno", default=991)


@dataclass(eq=False, repr=False)
class Faction(base.Nation):
    """A nation of Tanaephis, played by a club, a robot, or the rules' own dice."""

    about_en = "The nations: their ratings, morale, resources and recruiting rolls."
    about_it = "Le nazioni: valori, morale, risorse e tiri di reclutamento."

    faction: str = given(Text(), "Code", "Nazione", alias=("sigla",), key=True, required=True)
    war: int = given(Whole(0, 6), "War", "Guerra", default=3)
    tech: int = given(Whole(0, 6), "Tech", "Tecnologia", default=3)
    morale: int = public(Whole(0, blank=True), "Morale now", "Morale", default=None)
    morale_base: int = given(Whole(0, 5), "Morale at rest", "Morale di base", default=3)
    interests: str = given(SeveralCodes(italian=INTERESTS), "Interests", "Interessi", width=20,
                           hint=(" ".join(INTERESTS), " ".join(INTERESTS.values())))
    army_type: str = given(Choice(LETTERS), "Army type", "Tipo d'esercito", default="A")
    traits: str = given(SeveralCodes(), "Traits", "Tratti", width=14,
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

    @property
    def leading_rank(self) -> str:
        """The rank of its national leader (CC)."""
        return "captain" if self.has_trait("no_marshal") else "marshal"

    def wants(self, interest: str) -> bool:
        """Whether it has an interest (conquest, colonizing, loot)."""
        return interest in self.interests.split()


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
class Road(base.Road, sheet_it="Confini"):
    """A frontier between two provinces."""

    about_en = "Which provinces touch. One row serves both directions."
    about_it = "Quali province confinano. Una riga vale nei due sensi."

    a: str = given(Ref("Nodes"), "Province", "Provincia", key=True, alias=("from_node",), required=True)
    b: str = given(Ref("Nodes"), "Next to", "Confina con", key=True, alias=("to_node",), required=True)


@dataclass(eq=False, repr=False)
class Army(base.TwoNames, base.Army):
    """A field army, a nation's Reserve, or an ad-hoc army of a local lord."""

    army: str = public(Text(), "Army", "Armata", key=True, required=True)
    faction: str = public(Ref("Factions"), "Faction", "Nazione", alias=("fazione",), required=True)
    node: str = public(Ref("Nodes", blank=True), "At", "Provincia", alias=("al nodo",))
    name: str = column(Text(), "Name", "Nome", edit="club", see="public", width=22)
    name_it: str = italian_name(edit="club", see="public", width=22)
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


@dataclass(eq=False, repr=False)
class Order(base.Order):
    """What a nation wants done in a phase (rulebook: Orders)."""

    subject: str = wanted(Text(), "Subject", "Soggetto", width=20,
                          hint=("own codes, a1 or VOR-a1, u5..u9", "sigle proprie, a1 o VOR-a1, u5..u9"))
    target: str = wanted(Text(), "Target", "Bersaglio", width=14)
    amount: int | str = wanted(Typed(), "Amount", "Quantità")
    option: str = wanted(Text(), "Option", "Opzione", width=16)
    note: str = wanted(Text(), "Note", "Nota", width=24)


@dataclass(eq=False, repr=False)
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

    def side(self, name: str) -> tuple[str, list[str]]:
        """The nation that leads a side, and the armies of that side."""
        if name == "attacker":
            return self.attacker, self.attacker_armies.split()
        return self.defender, self.defender_armies.split()


PRINTED: tuple[type[Record], ...] = (Attribute, EnvoyRow, TradeRow, ArmyType)
"""The tables of the book, whose rows stand in the folder `tables`, a CSV file each."""
RECORDS: tuple[type[Record], ...] = (
    Desk, Faction, Node, Road, Army, Unit, Leader, Weapon, War, Peace, Alliance, Relation, Siege, Order,
    base.TurnQuestion, Battle, BattleUnit, BattleLeader, Recruit, Name, *PRINTED)


# Turns, and the codes of battles.


TURNS = Turns(r"\d{1,4}", tuple(SEASON_NAMES))
"""A turn is a season of a year: 987Sp."""


BATTLES = ("{turn}-{n}",)


# The numbers of no chapter (rulebook: Numbers).


class Numbers(Rules):
    """The numbers and switches that the board itself reads, or several chapters."""

    march_steps: int = assumed(3, "provinces", both("An army moves {n} {n?province|provinces} a season.",
                                                    "Un'armata muove di {n} {n?provincia|province} a stagione."),
                               minimum=1, usual=True)
    weapon_minor_rep: int = number(1, both("reputation", "reputazione"),
                                   both("A minor weapon brings {signed} reputation.",
                                        "Un'arma minore porta {signed} reputazione."), source="ST")
    dice_prefix: str = choice(both("The figure before a test is {option}.", "La cifra davanti a una prova è {option}."),
                              dice=("the number of dice", "il numero di dadi"),
                              target=("the rating of two dice", "il valore per due dadi"), source="TS-Sp1")
    rating_bounds: str = choice(both("That 1 always and 6 never succeeds holds {option}.",
                                     "Che 1 riesca sempre e 6 mai vale {option}."),
                                nm_only=("for national morale alone", "solo per il morale nazionale"),
                                all=("for all ratings", "per tutti i valori"), source="WF")
    enforced_scope: str = choice(both("In an enforced peace {option}.", "In una pace imposta {option}."),
                                 pair=("the two may not attack each other", "i due non si possono attaccare"),
                                 loser_any=("the beaten may attack nobody", "il vinto non può attaccare nessuno"),
                                 source="p59")
    fog: str = choice(both("Others see {option}.", "Gli altri vedono {option}."),
                      roster=("what stands on the map", "quello che sta sulla mappa"),
                      open=("units and resources, too", "anche reparti e risorse"), source="A", usual=True)


BOARD_CHAPTER = Chapter(both("Movement", "Movimento"), cites("MV"), Numbers)
"""The numbers of no chapter, in their places among the others."""
