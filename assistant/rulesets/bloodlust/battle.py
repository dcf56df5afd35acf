"""The dossier of a battle, the form of its result, and battles that are not played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import comb
from typing import Literal

from assistant.campaign.records import ALL, Event, FormRow
from assistant.campaign.tables import Record, in_natural_order
from assistant.rulesets.bloodlust import ROLLS, SEASON_NAMES, VOCABULARY, both, counted, melee, page
from assistant.rulesets.bloodlust.realm import MERCENARIES, Realm, two_texts
from assistant.rulesets.bloodlust.records import (
    ASSUMED,
    DIE_1D6,
    SUCCESSES,
    X_REPUTATION,
    ArmyType,
    Attribute,
    Battle,
    BattleLeader,
    BattleUnit,
    Leader,
    Recruit,
    Unit,
    assumed,
    successes,
)
from assistant.rulesets.bloodlust.recruiting import LUCKY_CAPTAIN
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import take_form
from assistant.turn.chances import percent
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Modifier, QuestionType, Rules, number, switch
from assistant.turn.dice import REFEREE, RangeTable
from assistant.turn.event_types import Said
from assistant.turn.game import Game
from assistant.turn.questions import Ask, Waiting
from assistant.turn.rulings import Contest

# What the chapter declares.


off_table = partial(number, tag=ASSUMED, source="ME")
"""A number of battles that are not played."""


class Numbers(Rules):
    """Retreats, zones of command, ambushes, battles off the table."""

    zoc_factor: int = number(3, X_REPUTATION,
                             both("The zone of command is {n} {n?time|times} the reputation.",
                                  "La zona di comando è {n} {n?volta|volte} la reputazione."), source="CC")
    zoc_charisma: int = number(4, X_REPUTATION,
                               both("With Charisma the zone is {n} {n?time|times} the reputation.",
                                    "Con Carisma la zona è {n} {n?volta|volte} la reputazione."), source="ST")
    zoc_poor: int = number(2, X_REPUTATION,
                           both("With Poor charisma the zone is {n} {n?time|times} the reputation.",
                                "Con Poco carisma la zona è {n} {n?volta|volte} la reputazione."), source="WK")
    zoc_unremarkable: int = number(-2, both("inches", "pollici"),
                                   both("Unremarkable changes the zone by {signed} {signed?inch|inches}.",
                                        "Anonimo cambia la zona di {signed} {signed?pollice|pollici}."), minimum=-99,
                                   source="WK")
    retreat_mods_offensive: int = successes(-1, both("An Offensive unit counts {signed} in a retreat.",
                                                     "Un reparto Offensivo vale {signed} nella ritirata."))
    retreat_mods_defensive: int = successes(
        1, both("A Defensive unit counts {signed} in a retreat.", "Un reparto Difensivo vale {signed} nella ritirata."))
    retreat_mods_temerity: int = successes(
        -1, both("Temerity counts {signed} in a retreat.", "La temerarietà vale {signed} nella ritirata."))
    retreat_mods_coward: int = successes(
        1, both("A Coward counts {signed} in a retreat.", "Un Codardo vale {signed} nella ritirata."))
    npc_retreat_pct: int = number(50, both("% of the units", "% dei reparti"),
                                  both("Self-run nations may retreat with {n}% lost.",
                                       "Le nazioni autonome possono ritirarsi con il {n}% perduto."))
    auto_die_rep: int = off_table(4, both("REP", "REP"),
                                  both("Off the table {n} REP of a side's units are a die.",
                                       "Fuori dal tavolo {n} REP dei reparti di una parte valgono un dado."), minimum=1)
    auto_rout_rep: int = off_table(
        1, both("x REP", "x REP"),
        both("Off the table a beaten unit is routed by more hits than {n} {n?time|times} its REP.",
             "Fuori dal tavolo un reparto sconfitto va in rotta con più colpi di {n} {n?volta|volte} la sua REP."))
    auto_hit_cap: int = off_table(3, both("hits", "colpi"),
                                  both("Off the table the margin changes hits by {n} at most.",
                                       "Fuori dal tavolo lo scarto cambia i colpi al massimo di {n}."))
    auto_down_loser: int = off_table(5, DIE_1D6, both("A beaten commander is down from {n} on.",
                                                      "Un comandante battuto è a terra da {n} in su."))
    auto_down_winner: int = off_table(6, DIE_1D6, both("Another commander is down from {n} on.",
                                                       "Un altro comandante è a terra da {n} in su."))
    npc_retreat_hope: int = assumed(2, SUCCESSES,
                                    both("Off the table self-run nations retreat only where half their leader's WR and "
                                         "what counts in a retreat come to {n} or more.",
                                         "Fuori dal tavolo le nazioni autonome si ritirano solo se metà della WR di "
                                         "chi le guida e ciò che conta in una ritirata fanno {n} o più."), minimum=-99)
    # That "failed" means no success at all is read off Coward, the one that tells one success apart (WK).
    attr_fail_at: Literal["0", "1"] = switch(
        both("A test of attributes fails with {option}.", "Una prova degli attributi fallisce {option}."),
        both("no success", "senza successi"), both("one success or none", "con un successo o nessuno"), source="WK")
    recovery_boundary: Literal["lower", "higher"] = switch(
        both("Hits of exactly two or three times the REP fall into the {option} band.",
             "I colpi pari a due o tre volte il REP cadono nella fascia {option}."), both("lower", "inferiore"),
        both("higher", "superiore"), source="RC")
    loser_routed: Literal["form", "all"] = switch(
        both("Of a side beaten without a retreat {option} routed.",
             "Di una parte battuta senza ritirata vanno in rotta {option}."),
        both("those are, whom the form names,", "i reparti che dice il modulo"),
        both("all units are", "tutti i reparti"), source="RC", usual=True)
    table_roles: Literal["rolled", "campaign"] = switch(
        both("Attacker and defender on the table {option}.", "Chi attacca e chi difende al tavolo {option}."),
        both("are rolled", "lo dicono i dadi"), both("are as on the map", "è come sulla mappa"), source="p52",
        usual=True)
    guerilla_stack: Literal["once", "each"] = switch(both("Guerilla counts {option}.", "La guerriglia conta {option}."),
                                                     both("once a side", "una volta per parte"),
                                                     both("for each unit", "per ogni reparto"), source="AM")


EVENTS = (
    EventType("clash", both("Battle {battle}, not played: {n} against {m} {m?success|successes}. {roll}.",
                            "Battaglia {battle}, non giocata: {n} contro {m} {m?successo|successi}. {roll}."),
              "battles", 3, "ME", means={"battle": "text"}, to=ALL),
)

FINDINGS = (
    Message("BLD-060", "error",
            both('"{seen}" cannot have won battle {battle}. Type attacker, defender or draw.',
                 '"{seen}" non può aver vinto la battaglia {battle}. Scrivi attaccante, difensore o pari.'),
            variants=("seen",
                      {"": both("Battle {battle} has no winner. Type attacker, defender or draw.",
                                "La battaglia {battle} non ha vincitore. Scrivi attaccante, difensore o pari.")})),
    Message("BLD-061", "error", both("The winner cannot be the side that retreats, nor is there a retreat in a draw.",
                                     "Chi si ritira non vince; in parità non c'è ritirata.")),
    Message("BLD-062", "error", both("{id} is not in battle {battle}. Put the code right, or clear the row.",
                                     "{id} non è nella battaglia {battle}. Correggi la sigla o svuota la riga.")),
    Message("BLD-063", "error",
            both('Hits: "{n}" is not a whole number of 0 or more.', 'Colpi: "{n}" non è un numero intero da 0 in su.')),
    Message("BLD-064", "warning", both("{unit} has no row, or no hits in it: that is 0 hits.",
                                       "Manca la riga, o i colpi, per {unit}: sono 0 colpi.")),
    Message("BLD-065", "info", both("{side:the} lost without a retreat: all {side?its|their} units count as routed.",
                                    "{side:il} {side?ha|hanno} perso senza ritirata: tutti i reparti sono in rotta.")),
    Message("BLD-066", "info", both("{hits} {hits?hit is above|hits are above} 3 x REP {rep}: {unit} is destroyed.",
                                    "{hits} {hits?colpo supera|colpi superano} 3 x REP {rep}: {unit} non c'è più.")),
)

QUESTIONS = (
    QuestionType("battle",
                 both("{about} {node:at}: {by:the} (attacker) against {opponent:the} (defender). Who won, and who "
                      "retreated? Type the form, or auto for the umpire's dice.",
                      "{about} {node:dove}: {by:il} (attaccante) contro {opponent:il} (difensore). Chi ha vinto, e "
                      "chi si è ritirato? Compila il modulo, o rispondi dadi per i dadi dell'arbitro."),
                 means={"about": "text"}),
)

both.words({
    "battle": "battaglia",
    "orderly": "in ordine", "elite_only": "restano solo i reparti d'élite", "disbands": "si scioglie",
    "season": "stagione", "spring": "primavera", "summer": "estate", "winter": "inverno", "siege": "assedio",
    "guerilla": "guerriglia", "defensive": "difensivo", "offensive": "offensivo", "slow": "lento", "fast": "veloce",
    "armored": "corazzato",
})

CHAPTER = Chapter(both("Battles", "Battaglie"),
                  (Citation("RT", "RT", heading=both("Retreating", "Ritirata")), page("p52"),
                   Citation("AM", "AM", heading=both("Ambush", "Imboscata"))), Numbers, EVENTS, FINDINGS, QUESTIONS)


# The result form: columns of Battles, rows of units and commanders, and its checks (rulebook: Forms).


ATTACKER, DEFENDER, DRAW = "attacker", "defender", "draw"
SIDES = (ATTACKER, DEFENDER)
WINNERS = {ATTACKER: ATTACKER, "attaccante": ATTACKER, DEFENDER: DEFENDER, "difensore": DEFENDER, DRAW: DRAW,
           "pari": DRAW, "pareggio": DRAW}
DESTROYED_ABOVE = 3
"""A unit survives hits up to this many times its REP."""


class BattleSide:
    """One side of a battle: its armies, units and commanders as the battle began."""

    def __init__(self, battle: FoughtBattle, name: str) -> None:
        # Fates, retreats and loot count who was there at the start, whoever is left when their turn comes.
        f = self.f = battle.f
        self.battle, self.name = battle, name
        self.head, armies = battle.row.side(name)
        self.armies = [code for code in armies if code in f.armies]
        self.units = f.units_in(*self.armies)
        self.leaders = f.leaders.where(lambda leader: leader.state == "active" and leader.army in self.armies)
        # Heroes fight in the army, but a CinC is a marshal or a captain (CC).
        self.cincs = [leader for leader in self.leaders if leader.rank != "hero"]
        self.lead = f.lead(*self.armies)
        self.lead_wr = f.wr_now(self.lead)
        self.wr = {leader.leader: f.wr_now(leader) for leader in self.leaders}
        self.retreat_mods = f.modifiers(RETREAT_MODIFIERS, self)
        self.retreat: int | None = None
        """The successes of the retreat that it has made, if it has made one."""

    @property
    def foe(self) -> BattleSide:
        """The other side."""
        return self.battle.defender if self.name == ATTACKER else self.battle.attacker

    @property
    def won(self) -> bool:
        """Whether it has won the battle."""
        return self.battle.winner == self.name

    @property
    def lost(self) -> bool:
        """Whether it has lost the battle."""
        return self.foe.won

    @property
    def fights_in_siege(self) -> bool:
        """Whether skills of siege count for it: in a relief, and in a fort under siege."""
        row = self.battle.row
        return row.kind == "relief" or (self.name == DEFENDER and self.f.is_besieged(row.node))

    def skill_count(self, skill: str) -> int:
        """How many units have a skill."""
        return sum(unit.has(skill) for unit in self.units)

    def attribute_count(self, attribute: str) -> int:
        """How many commanders have an attribute."""
        return sum(attribute in self.f.attributes(cinc) for cinc in self.cincs)


RETREAT_MODIFIERS: tuple[Modifier[BattleSide], ...] = (
    Modifier(both.word("offensive units", "reparti offensivi"), lambda side: side.skill_count("offensive"),
             "retreat_mods_offensive"),
    Modifier(both.word("defensive units", "reparti difensivi"), lambda side: side.skill_count("defensive"),
             "retreat_mods_defensive"),
    Modifier("temerity", lambda side: side.attribute_count("temerity"), "retreat_mods_temerity"),
    Modifier("coward", lambda side: side.attribute_count("coward"), "retreat_mods_coward"),
)
"""What counts in a retreat, of units and commanders at the start (RT): the dossier and the test read it."""
RETREAT_ROWS = RangeTable.rising("retreat", (0, "disbands"), (1, "elite_only"), (2, "orderly"))


class FoughtBattle:
    """A battle with both sides as it began, and the form of its result."""

    def __init__(self, f: Realm, row: Battle) -> None:
        self.f, self.row = f, row
        self.attacker, self.defender = BattleSide(self, ATTACKER), BattleSide(self, DEFENDER)
        self.sides = (self.attacker, self.defender)

    @property
    def winner(self) -> str:
        """The side that won, or draw."""
        return WINNERS[str(self.row.winner).strip().casefold()]

    @property
    def winning(self) -> BattleSide | None:
        """The side that won; None in a draw."""
        return next((side for side in self.sides if side.won), None)

    def clubs(self) -> Clubs:
        """Who may report for each side: the nations whose armies fight in it."""
        return {side: self.f.parties(self.row, side) for side in SIDES}

    def side_of(self, code: str) -> BattleSide | None:
        """The side of a unit or commander; None if it is not in the battle."""
        return next((side for side in self.sides if code in (
            *(unit.unit for unit in side.units), *(leader.leader for leader in side.leaders))), None)

    def unit_row(self, unit: Unit) -> BattleUnit:
        """The form's row for a unit; a blank row if there is none."""
        return self.f.row_like(BattleUnit(battle=self.row.battle, unit=unit.unit))

    def leader_row(self, leader: Leader) -> BattleLeader:
        """The form's row for a commander; a blank row if there is none."""
        return self.f.row_like(BattleLeader(battle=self.row.battle, leader=leader.leader))

    def hits(self, unit: Unit) -> int:
        """The hits that a unit has taken."""
        hits = self.unit_row(unit).hits
        return hits if isinstance(hits, int) else 0

    def is_routed(self, unit: Unit) -> bool:
        """Whether a unit is routed: by the form, or because its side was beaten without a retreat."""
        side = self.side_of(unit.unit)
        # The page routs a beaten side only where it did not retreat in time.
        swept = (Numbers.of(self.f).loser_routed == "all" and side is not None and side.lost
                 and all(side.retreat is None for side in self.sides))
        return self.unit_row(unit).routed or swept


def is_destroyed_by(f: Realm, unit: Unit, hits: int) -> bool:
    """Whether so many hits destroy a unit: more than three times its REP, or as many (`recovery_boundary`, RC)."""
    most = DESTROYED_ABOVE * unit.rep
    return hits > most or (hits == most and Numbers.of(f).recovery_boundary == "higher")


# --- checks of the form -----------------------------------------------------------------------------
def _retreat_fault(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """BLD-061: who retreats does not win."""
    winner, retreat = filled["winner"], filled.raw_value("retreat")
    if winner and retreat != "none" and (winner in (retreat, DRAW)):
        yield Fault("BLD-061", "retreat")


def _row_faults(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """BLD-062 to 066: rows of units."""
    battle, told = filled.battle, set[str]()
    units = {unit.unit: unit for side in battle.sides for unit in side.units}
    for key, row in filled.rows:
        assert isinstance(row, BattleUnit)
        if row.unit not in units:
            yield Fault("BLD-062", "unit", {"id": row.unit, "battle": row.battle}, key)
        elif row.hits in ("", None):  # nobody counts the hits of a unit that is destroyed
            told |= {row.unit} if row.destroyed else set()
            continue
        elif not isinstance(row.hits, int) or row.hits < 0:
            yield Fault("BLD-063", "hits", {"n": str(row.hits)}, key)
        elif is_destroyed_by(battle.f, units[row.unit], row.hits) and not row.destroyed:
            yield Fault("BLD-066", "hits", {"hits": row.hits, "rep": units[row.unit].rep, "unit": row.unit}, key)
        told.add(row.unit)
    for side in battle.sides:
        if left := in_natural_order({unit.unit for unit in side.units} - told):
            yield Fault("BLD-064", "winner", {"unit": " ".join(left)})
    if Numbers.of(battle.f).loser_routed == "all" and filled.raw_value("retreat") == "none":
        for side in battle.sides:
            if filled["winner"] == side.foe.name:
                yield Fault("BLD-065", "winner", {"side": side.head})


def _winner_side(filled: Filled[FoughtBattle], typed: str) -> str:
    """The side of the nation that the form names as winner, by code or name."""
    battle = filled.battle
    for side in battle.sides:
        nation = battle.f.nations[side.head]
        if typed.casefold() in {nation.faction.casefold(), nation.name_en.casefold(), nation.name_it.casefold()}:
            return side.name
    return ""


def _side_of_row(battle: FoughtBattle, row: FormRow) -> str:
    side = battle.side_of(row.leader if isinstance(row, BattleLeader) else str(getattr(row, "unit", "")))
    return side.name if side is not None else ""


def _fighters(battle: FoughtBattle) -> Iterator[tuple[FormRow, object]]:
    for side in battle.sides:
        yield from ((BattleUnit(battle=battle.row.battle, unit=unit.unit), "") for unit in side.units)
        yield from ((BattleLeader(battle=battle.row.battle, leader=leader.leader), "") for leader in side.leaders)


def _battle_and_clubs(game: Game, row: Battle) -> tuple[FoughtBattle, Clubs]:
    battle = FoughtBattle(Realm(game), row)
    return battle, battle.clubs()


FORM: BattleForm[FoughtBattle] = BattleForm(
    "battle",
    (Entry("winner", told="BLD-060", words=WINNERS, reads=_winner_side,
           facts=lambda filled: {"battle": filled.row.battle, "seen": filled.raw_value("winner")}),
     Entry("retreat")),
    line=("winner", "retreat"),
    dice=("played", "auto"),
    decisive=("winner",),
    rows=BattleUnit,
    besides=(BattleLeader,),
    checks=("winner", _retreat_fault, _row_faults),
    owner=_side_of_row,
    fighters=_fighters,
    seen=_battle_and_clubs,
    won="winner",
    like=VOCABULARY["battle"])


def open_battles(f: Realm) -> list[Battle]:
    """The battles of this turn that are to be fought, in id order."""
    return f.battles.of_turn(f.turn, lambda row: row.status == "open")


def read_forms(f: Realm) -> list[FoughtBattle]:
    """Read the form of every open battle; hand out and ask for those that are missing or wrong.

    Raises `Waiting` until all are in.
    """
    battles, missing = [], []
    for row in open_battles(f):
        battle = FoughtBattle(f, row)
        ask = Ask("battle", REFEREE, row.battle, asked={"node": row.node, "by": row.attacker, "opponent": row.defender})
        taken = take_form(f.game, FORM, ask, battle, row, battle.clubs())
        # A commander who was not there would change nothing, but whoever typed him meant another.
        strange = taken.state != "dice" and _find_strangers(battle)
        if taken.state == "filled":
            row.winner = taken.filled["winner"]
        if taken.state in ("missing", "wrong") or strange:
            missing.append(ask)
            _hand_out(battle)
        battles.append(battle)
    if missing:
        raise Waiting(missing)
    return battles


def check_forms(f: Realm) -> None:
    """Check what is typed into the forms of open battles; blanks may still be filled in."""
    for row in open_battles(f):
        if row.played != "auto" and str(row.winner).strip():
            ask = Ask("battle", REFEREE, row.battle)
            battle = FoughtBattle(f, row)
            take_form(f.game, FORM, ask, battle, row, battle.clubs())
            _find_strangers(battle)


def _find_strangers(battle: FoughtBattle) -> bool:
    """Report rows of commanders who are not in the battle (BLD-062); return whether there are any."""
    f, known = battle.f, {leader.leader for side in battle.sides for leader in side.leaders}
    wrong = [row for row in f.campaign.table(BattleLeader) if row.battle == battle.row.battle
             and row.leader not in known]
    for row in wrong:
        f.find("BLD-062", row, "leader", id=row.leader, battle=row.battle)
    return bool(wrong)


def _hand_out(battle: FoughtBattle) -> None:
    """Hand out the form's rows that do not exist yet."""
    rows: list[Record] = [battle.row]
    for side in battle.sides:
        rows += [*map(battle.unit_row, side.units), *map(battle.leader_row, side.cincs)]
    for row in rows:
        battle.f.game.hand_out(row)


def mark_forms_counted(f: Realm, battle: FoughtBattle) -> None:
    """Mark the form's rows as counted, so that nobody changes them any more."""
    for record in (BattleUnit, BattleLeader):
        for row in f.campaign.table(record).where(lambda row: row.battle == battle.row.battle):
            row.status = "counted"


# The dossier of a battle.


ARMY_TYPES: Mapping[str, str] = {
    "A": "PC PC PC PC HA EF", "B": "DE DE DE FF EF EF", "C": "PC SD SD HA EF CA", "D": "FF DE DE CA CA EF"}
"""The labels of each letter, die 1 to 6."""
STAKES = {
    "field": both("A field battle.", "Battaglia campale."),
    "levy": both("A field battle against a local lord's army.",
                 "Battaglia campale contro l'armata di un signore locale."),
    "open": both("An open battle: if the attacker loses, the defender takes {start:the} as well.",
                 "Battaglia aperta: se l'attaccante perde, il difensore prende anche {start:il}."),
    "meeting": both("A meeting: no defensive works, no ambush, no fort; whoever loses here loses his start as well.",
                    "Un incontro: niente difese, niente imboscata, niente forte; chi perde qui perde anche la sua "
                    "partenza."),
    "relief": both("A relief: the besiegers defend.", "Un soccorso: gli assedianti difendono."),
}
"""What is at stake, by kind of battle."""
GROUNDS = {"winter": both("Winter: one attack die less in melee.", "Inverno: un dado d'attacco in meno in mischia."),
           "jungle": both("Jungle: two attack dice less in melee.", "Giungla: due dadi d'attacco in meno in mischia."),
           "swamp": both("Swamp: three attack dice less in melee.", "Palude: tre dadi d'attacco in meno in mischia.")}
"""Seasons and grounds that cost dice (ME), by the skill that ignores them."""
SKILLS = {
    "wood": both("Wood, no penalty when fighting in woodland: {units}.",
                 "Bosco, nessuna penalità nel combattere nei boschi: {units}."),
    "swamp": both("Swamp, no penalty when fighting in a swamp: {units}.",
                  "Palude, nessuna penalità nel combattere nelle paludi: {units}."),
    "jungle": both("Jungle, no penalty when fighting in the jungle: {units}.",
                   "Giungla, nessuna penalità nel combattere nella giungla: {units}."),
    "desert": both("Desert, no penalty when fighting in the desert: {units}.",
                   "Deserto, nessuna penalità nel combattere nel deserto: {units}."),
    "desert snow": both("Desert, no penalty when fighting in winter or snow: {units}.",
                        "Deserto, nessuna penalità nel combattere d'inverno o nella neve: {units}."),
    "winter": both("Winter, no penalty when fighting in winter or snow: {units}.",
                   "Inverno, nessuna penalità nel combattere d'inverno o nella neve: {units}."),
    "slow": both("Slow, movement 1 less: {units}.", "Lento, movimento 1 in meno: {units}."),
    "fast": both("Fast, movement 1 more: {units}.", "Veloce, movimento 1 in più: {units}."),
    "defensive 1": both("Defensive, may build defences when defending; in melee an attack die less and a defence die "
                        "more: {units}.",
                        "Difensivo, può costruire difese quando si difende; in mischia un dado d'attacco in meno e uno "
                        "di difesa in più: {units}."),
    "defensive -1": both("Defensive, may build defences when defending; in melee an attack die and a defence die less: "
                         "{units}.",
                         "Difensivo, può costruire difese quando si difende; in mischia un dado d'attacco e uno di "
                         "difesa in meno: {units}."),
    "guerilla once": both("Guerilla, 1 more for an ambush of one's own, once a side: {units}.",
                          "Guerriglia, 1 in più per un'imboscata propria, una volta per parte: {units}."),
    "guerilla each": both("Guerilla, 1 more for an ambush of one's own for each unit: {units}.",
                          "Guerriglia, 1 in più per un'imboscata propria per ogni reparto: {units}."),
    "siege": both("Siege, REP 1 higher in a siege (where this is one the REP above has it): {units}.",
                  "Assedio, REP più alta di 1 in un assedio (se questo lo è, è già nella REP qui sopra): {units}."),
    "offensive": both("Offensive, REP 1 higher when the army attacks (then the REP above has it); in melee an attack "
                      "die more and a defence die less: {units}.",
                      "Offensivo, REP più alta di 1 quando l'armata attacca (in quel caso è già nella REP qui sopra); "
                      "in mischia un dado d'attacco in più e uno di difesa in meno: {units}."),
    "armored": both("Armored, deploys as usual, never in ambush: {units}.",
                    "Corazzato, schiera come al solito, mai in imboscata: {units}."),
}
"""What skills do on the table (SK, ME), some by a switch; Light counts in upkeep alone."""
UPKEEP_SKILL = "light"


def dossier(f: Realm, row: Battle, faction: str) -> list[Said]:
    """Both sides' commanders, and all that the reader's side needs at the table; the referee's copy has both sides.

    Empty for a nation that is not in the battle.
    """
    battle = FoughtBattle(f, row)
    mine = [side for side in battle.sides if not faction or faction in f.parties(row, side.name)]
    if not mine:
        return []
    return [
        *_common_lines(battle),
        *(line._replace(label=SIDE_LABELS[side.name])
          for side in battle.sides for line in _commanders(side, known=side in mine)),
        *(line._replace(label=ZONE_OF_COMMAND) for line in _zones(f, all_known=len(mine) == len(SIDES))),
        *(line._replace(label=YOUR_SIDE) for side in mine for line in _own_side_lines(side)),
    ]


# The result of a battle for one nation, in its report.


OUTCOME = both("{how}. {who}. You lost {k} of your {n} {n?unit|units}. You lost none of your {all} {all?unit|units}.",
               "{how}. {who}. Hai perso {k} {k?reparto|reparti} su {n}. Non hai perso nessuno dei tuoi {all} "
               "{all?reparto|reparti}.")
"""A battle as a nation reads it; without losses the last sentence stands instead of the one before."""
HOW_IT_WENT = {
    "won": both("You won {battle:the} against {enemies:the}", "Hai vinto {battle:il} contro {enemies:il}"),
    "lost": both("You lost {battle:the} against {enemies:the}", "Hai perso {battle:il} contro {enemies:il}"),
    DRAW: both("You drew {battle:the} against {enemies:the}", "Hai pareggiato {battle:il} contro {enemies:il}"),
}
WHO_ATTACKED = {ATTACKER: both("You attacked", "Attaccavi tu"), DEFENDER: both("You were attacked", "Eri in difesa")}
FALLS_BACK = both("{army} {army?falls|fall} back to {node:the}.", "{army:il} {army?ripiega|ripiegano} {node:dove}.")
AT_GAMING_TABLE = both(
    "It was fought out at the gaming table (ground: {ground}). Hits on your units: {hits}.",
    "L'ha decisa il gioco al tavolo (terreno: {ground}). Colpi subìti dai tuoi reparti: {hits}.")
BY_RULES = both("{enemies:the} attacked, played by the rules",
                "{enemies:il}, in mano alle regole, {enemies?attaccava|attaccavano}")


def outcomes(f: Realm, faction: str, events: Iterable[Event]) -> Iterator[Said]:
    """Sentences for each battle of a nation among the events: how it went, how many units it cost, where a beaten
    army went, and what decided it where people fought it out.
    """
    for event in events:
        row = f.battles.get(str(event.data.get("battle", ""))) if event.event == "result" else None
        side = f.side_of(row, faction) if row is not None else ""
        if row is None or not side:
            continue
        winner = str(event.data["how"])
        how = DRAW if winner == DRAW else "won" if winner == side else "lost"
        units = [unit for part in f.campaign.table(BattleUnit) if part.battle == row.battle
                 and (unit := f.units.get(part.unit)) is not None and unit.faction == faction]
        states = ("lost", "merged", "disbanded") if how == "lost" else ("lost", "merged")  # a levy that wins goes home
        lost = sum(unit.state in states and unit.left_turn == event.turn for unit in units)
        enemies = row.defender if side == ATTACKER else row.attacker
        ruled = side == DEFENDER and enemies in f.nations and f.is_run_by_rules(enemies)
        yield Said(OUTCOME, {
            "how": Said(HOW_IT_WENT[how], {"battle": row.battle, "enemies": enemies}),
            "who": Said(BY_RULES, {"enemies": enemies}) if ruled else Said(WHO_ATTACKED[side]),
            "k": lost or "", "n": len(units),
            "all": len(units) if units and not lost else ""})
        if how == "lost" and event.turn == f.game.turn:  # later it may have marched
            yield from (Said(FALLS_BACK, {"army": army.army, "node": army.node})
                        for army in f.active_armies(row.side(side)[1])
                        if army.faction == faction and army.units and army.node not in ("", row.node))
        if row.played == "table":
            yield _at_gaming_table(f, row, units)


def _at_gaming_table(f: Realm, row: Battle, units: list[Unit]) -> Said:
    """Why a battle went as it did, as far as a nation knows it: the ground, and what its own units took."""
    forms = [part for part in f.campaign.table(BattleUnit)
             if part.battle == row.battle and f.units.get(part.unit) in units]
    return Said(AT_GAMING_TABLE, {
        "ground": f.provinces[row.node].terrain,
        "hits": sum(part.hits for part in forms if isinstance(part.hits, int))}, why=True)


PLACE_AND_SEASON = both("{node:the}, {terrain}, {season}.", "{node:il}, {terrain}, {season}.")
WHERE = both("Where", "Dove")
AT_STAKE = both("At stake", "In gioco")
FORT_THERE = both("There is a fort, into which an orderly retreat of the defender leads.",
                  "C'è un forte, in cui porta una ritirata ordinata del difensore.")
RAID = both("A raid: whoever wins, the province stays its owner's.",
            "Una razzia: chiunque vinca, la provincia resta di chi la possiede.")
HOW_ROLES_ARE_THROWN = both(
    "Each side throws the WR of its lead, +1 with a Scout; the higher attacks on the table, the invader if equal. The "
    "other adds +1 for Guerilla, +1 for Ambush, -1 for Ever ready and +1 for Never ready on the other side: strictly "
    'more is an ambush. Then the attacker deploys in sections 2, 5 and 8, the ambusher anywhere but 5, at least 18" '
    "away; Armored units as usual.",
    "Ogni parte tira la WR di chi la guida, +1 con un Esploratore; al tavolo attacca chi ha di più, l'invasore se "
    "pari. L'altro aggiunge +1 per la guerriglia, +1 per Imboscata, -1 per Sempre pronto e +1 per Mai pronto "
    "dell'avversario: se supera è un'imboscata. Allora l'attaccante schiera nelle sezioni 2, 5 e 8, chi tende "
    "l'imboscata ovunque tranne la 5, ad almeno 18\"; i reparti Corazzati come al solito.")
ROLES = both("Roles", "Ruoli")
UNITS_OF_BOTH_SIDES = both(
    "The attacker has {n} {n?unit|units}, {m} of them mounted; the defender {k}, {l} of them mounted.",
    "L'attaccante ha {n} {n?reparto|reparti}, di cui {m} a cavallo; il difensore {k}, di cui {l} a cavallo.")
COMA = both("A commander who falls on the table lies in a coma until the battle is over.",
            "Un comandante che cade al tavolo resta in coma fino alla fine della battaglia.")


def _common_lines(battle: FoughtBattle) -> Iterator[Said]:
    f, row = battle.f, battle.row
    node = f.provinces[row.node]
    yield Said(PLACE_AND_SEASON,
               {"node": node.node, "terrain": node.terrain, "season": SEASON_NAMES[f.season][0].lower()}, WHERE)
    yield Said(STAKES[row.kind or "field"], {"start": row.start_node}, AT_STAKE)
    # In a relief the besiegers defend, and the fort is not theirs.
    if node.fort and row.kind not in ("meeting", "relief"):
        yield Said(FORT_THERE, {}, AT_STAKE)
    if row.raid:
        yield Said(RAID, {}, AT_STAKE)
    if row.kind != "meeting" and Numbers.of(f).table_roles == "rolled":
        yield Said(HOW_ROLES_ARE_THROWN, {}, ROLES)
    # Units are their nation's secret, and their number is told by the event alone.
    for told in f.campaign.table(Event).where(lambda event: event.event == "arrayed"):
        if told.data["battle"] == row.battle:
            yield Said(UNITS_OF_BOTH_SIDES, {name: told.data[name] for name in "nmkl"}, AT_STAKE)
    yield Said(COMA, {}, AT_STAKE)


def zone_of_command(f: Realm, leader: Leader) -> int:
    """The zone of command of a commander in inches (CC, ST, WK)."""
    rules, has = Numbers.of(f), f.attributes(leader)
    factor = rules.zoc_charisma if "charisma" in has else rules.zoc_poor if "poor_charisma" in has else rules.zoc_factor
    return factor * leader.reputation + (rules.zoc_unremarkable if "unremarkable" in has else 0)


ZONE_WITH_CHARISMA = both("{leader} has Charisma: the zone is {n} {n?time|times} the reputation, not {j}.",
                          "{leader} ha Carisma: la zona è {n} {n?volta|volte} la reputazione invece di {j}.")
ZONE_WITH_POOR_CHARISMA = both("{leader} has Poor charisma: the zone is {n} {n?time|times} the reputation, not {j}.",
                               "{leader} ha Poco carisma: la zona è {n} {n?volta|volte} la reputazione invece di {j}.")
ZONE_OF_UNREMARKABLE = both('{leader} is Unremarkable: {n}" on the zone.', '{leader} è Anonimo: {n}" alla zona.')


def _zone_changes(f: Realm, leader: Leader) -> Iterator[Said]:
    """How a commander's known attributes change his zone of command."""
    rules, has = Numbers.of(f), f.attributes(leader)
    told = {"leader": leader.leader, "j": rules.zoc_factor}
    if "charisma" in has:
        yield Said(ZONE_WITH_CHARISMA, {**told, "n": rules.zoc_charisma})
    elif "poor_charisma" in has:
        yield Said(ZONE_WITH_POOR_CHARISMA, {**told, "n": rules.zoc_poor})
    if "unremarkable" in has:
        yield Said(ZONE_OF_UNREMARKABLE, {"leader": leader.leader, "n": f"{rules.zoc_unremarkable:+d}"})


ZONE_OF_COMMAND = both("Zone of command", "Zona di comando")
WHAT_ZONE_DOES = both("Units within the zone of command of their commander add 1 to their morale tests.",
                      "I reparti nella zona di comando del loro comandante aggiungono 1 alle prove di morale.")
WHAT_MAY_CHANGE_ZONE = both("Charisma makes it {n} {n?time|times} the reputation, not {j}, Poor charisma {m}; "
                            'Unremarkable counts {c}". Of the other side you see only what its weapons give.',
                            "Con Carisma è {n} {n?volta|volte} la reputazione, non {j}, con Poco carisma {m}; Anonimo "
                            'conta {c}". Della parte avversa vedi solo ciò che danno le sue armi.')


def _zones(f: Realm, *, all_known: bool) -> Iterator[Said]:
    """What a zone of command does, and which hidden attributes may change it."""
    rules = Numbers.of(f)
    yield Said(WHAT_ZONE_DOES)
    if not all_known:
        yield Said(WHAT_MAY_CHANGE_ZONE, {"n": rules.zoc_charisma, "j": rules.zoc_factor, "m": rules.zoc_poor,
                                          "c": f"{rules.zoc_unremarkable:+d}"})


SIDE_LABELS = {ATTACKER: both("Attacker", "Attaccante"), DEFENDER: both("Defender", "Difensore")}
ARMIES_OF_SIDE = both("{faction:the}: {armies}.", "{faction:il}: {armies}.")
WHERE_ARMY_COMES_FROM = both("{army} comes from {start:the}.", "{army} viene da {start}.")
COMMANDER_LINE = both('{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}".',
                      '{leader}, {rank}: reputazione {n}, WR {w}, zona di comando {z}".')
COMMANDER_LINE_IF_UNKNOWN = both(
    '{leader}, {rank}: reputation {n}, WR {w}, zone of command {z}" unless attributes that you do not know change it.',
    '{leader}, {rank}: reputazione {n}, WR {w}, zona di comando {z}", se non la cambiano attributi che non conosci.')
MARSHAL_IS_STAR = both("{leader} is a Star and Larger than Life, as every marshal.",
                       "{leader} è una Stella e Più grande della vita, come ogni maresciallo.")


def _commanders(side: BattleSide, *, known: bool) -> Iterator[Said]:
    """The armies of a side with their starts, and its commanders. `known`: whether their attributes are known."""
    f = side.f
    yield Said(ARMIES_OF_SIDE, {"faction": side.head, "armies": " ".join(side.armies)})
    for army, _, start in (word.partition("=") for word in side.battle.row.starts.split()):
        if army in side.armies and start:
            yield Said(WHERE_ARMY_COMES_FROM, {"army": army, "start": start})
    for leader in side.cincs:
        yield Said(COMMANDER_LINE if known else COMMANDER_LINE_IF_UNKNOWN,
                   {"leader": leader.leader, "rank": leader.rank, "n": leader.reputation, "w": f.wr_now(leader),
                    "z": zone_of_command(f, leader)})
        yield from _zone_changes(f, leader)
        if leader.rank == "marshal":
            yield Said(MARSHAL_IS_STAR, {"leader": leader.leader})


YOUR_SIDE = both("Your side", "La tua parte")
UNIT_LINE = both("{unit}: REP {n}, morale {m}, AC {c}, {arms}.", "{unit}: REP {n}, morale {m}, CA {c}, {arms}.")
NAMED_UNIT_LINE = both("{unit}, {text}: REP {n}, morale {m}, AC {c}, {arms}.",
                       "{unit}, {text}: REP {n}, morale {m}, CA {c}, {arms}.")
LARGER_THAN_LIFE = both("{leader} is Larger than Life.", "{leader} è Più grande della vita.")
ATTRIBUTE_LINE = both("{leader}, {text}.", "{leader}, {text}.")
WHEN_ATTRIBUTE_TESTS_FAIL = both("A test of an attribute with one success has failed, too.",
                                 "Una prova di un attributo con un solo successo è fallita anch'essa.")
ARMY_TYPE_BY_DIE = both("Army type {text}, by a die.", "Tipo d'esercito {text}, con un dado.")
WHEN_RULES_RETREAT = both("Once {n}% of its units are routed or destroyed {faction:the} may order it.",
                          "Quando il {n}% delle sue unità è in rotta o distrutto, {faction:il} può ordinarla.")


def _own_side_lines(side: BattleSide) -> Iterator[Said]:
    f = side.f
    yield from _unit_lines(side)
    yield from _skills(f, side.units)
    yield from _handicap_lines(side)
    yield from _roles(side)
    yield from _attribute_lines(side)
    types = {army_type.roll: army_type for army_type in f.campaign.table(ArmyType)}
    letter = f.nations[side.head].army_type
    if types:
        by_die = ", ".join(f"{roll} {getattr(types[roll], letter)}" for roll in sorted(types))
        yield Said(ARMY_TYPE_BY_DIE, {"text": f"{letter}: {by_die}"})
    yield _retreat_odds(side)
    if f.self_run(side.head):
        yield Said(WHEN_RULES_RETREAT, {"n": Numbers.of(f).npc_retreat_pct, "faction": side.head})


def _attribute_lines(side: BattleSide) -> Iterator[Said]:
    """What the attributes of each commander do on the table."""
    f = side.f
    known = {attribute.code: attribute for attribute in f.campaign.table(Attribute)}
    for leader in side.cincs:
        for code in f.attributes(leader):
            row = known.get(code)
            if code == LUCKY_CAPTAIN:
                yield Said(LARGER_THAN_LIFE, {"leader": leader.leader})
            else:
                told = two_texts(row.told_in("en"), row.told_in("it")) if row else {"text": code}
                yield Said(ATTRIBUTE_LINE, {"leader": leader.leader, **told})
    if Numbers.of(f).attr_fail_at != "0" and any(f.attributes(leader) for leader in side.cincs):
        yield Said(WHEN_ATTRIBUTE_TESTS_FAIL)


def _unit_lines(side: BattleSide) -> Iterator[Said]:
    """Each unit with its REP for this battle; a unit with a name of its own is called by its type, too."""
    f = side.f
    printed = {(recruit.faction, recruit.type): f.names_of_troops(recruit) for recruit in f.campaign.table(Recruit)}
    for unit in side.units:
        kind, kind_it = printed.get((MERCENARIES if unit.mercenary else unit.faction, unit.type), (unit.type, ""))
        rep = unit.rep + (side.fights_in_siege and unit.has("siege")) + (
            side.name == ATTACKER and unit.has("offensive"))
        unexplained = [part for part in unit.skills.split() if not _skill_key(f, part)]
        yield Said(UNIT_LINE if unit.name == kind else NAMED_UNIT_LINE,
                   {"unit": unit.unit, **two_texts(kind, kind_it), "n": rep, "m": f.morale_now(unit), "c": unit.ac,
                    "arms": [*unit.arm.split(), *unexplained]})


def _skill_key(f: Realm, skill: str) -> str:
    """The key of a skill's text in `SKILLS`; "" for a skill that somebody made up."""
    dice = melee.Numbers.of(f)
    by_switch = {"defensive": f"defensive {dice.def_unit_dice}", "guerilla": f"guerilla {Numbers.of(f).guerilla_stack}",
                 "desert": "desert snow" if dice.desert_skill == "snow" else "desert"}
    key = by_switch.get(skill, skill)
    return key if key in SKILLS or key == UPKEEP_SKILL else ""


def _skills(f: Realm, units: list[Unit]) -> Iterator[Said]:
    """What the units' skills do on the table, and who has each."""
    known = {_skill_key(f, skill): skill for unit in units for skill in unit.skills.split()}
    for key, text in SKILLS.items():
        if key in known:
            yield Said(text, {"units": " ".join(unit.unit for unit in units if unit.has(known[key]))})


EXHAUSTED_UNITS = both("Exhausted, with one morale less: {units}.", "Esauste, con un punto di morale in meno: {units}.")
DICE_LOST_IN_DESERT = both("Desert: {n} attack {n?die|dice} less in melee.",
                           "Deserto: {n} {n?dado|dadi} d'attacco in meno in mischia.")


def _handicap_lines(side: BattleSide) -> Iterator[Said]:
    """Exhausted units, and dice lost to season and terrain."""
    f, terrain = side.f, side.f.provinces[side.battle.row.node].terrain
    tired = " ".join(unit.unit for unit in side.units if unit.exhausted)
    if tired:
        yield Said(EXHAUSTED_UNITS, {"units": tired})
    for skill in ("winter",) * (f.season == "Wi") + (terrain,):
        if skill in GROUNDS:
            yield Said(GROUNDS[skill])
    desert_dice = melee.Numbers.of(f).desert_dice
    if desert_dice and terrain == "desert":
        yield Said(DICE_LOST_IN_DESERT, {"n": desert_dice})


def lead_rep_bonus(side: BattleSide) -> int:
    """What a side's lead adds to the REP of the unit he is with (ST, WK)."""
    has = side.f.attributes(side.lead)
    by_side = {ATTACKER: ("attack_expert" in has) - ("lazy_attacker" in has), DEFENDER: int("defensive_expert" in has)}
    return by_side[side.name] + (side.fights_in_siege and "siege_master" in has)


def ambush(side: BattleSide) -> dict[str, int]:
    """What a side brings to the throws before a battle: `dice`, `scout`; `own`, what it adds to an ambush of its own,
    and `theirs`, to one of the other side (AM).
    """
    has = {code for leader in side.cincs for code in side.f.attributes(leader)}
    guerilla = side.skill_count("guerilla")
    if Numbers.of(side.f).guerilla_stack == "once":
        guerilla = min(1, guerilla)
    return {"dice": side.lead_wr, "scout": int("scout" in has), "own": guerilla + ("ambush" in has),
            "theirs": ("never_ready" in has) - ("ever_ready" in has)}


REP_WITH_LEAD = both("The unit that {leader} is with fights with {n} to its REP.",
                     "Il reparto con cui sta {leader} combatte con {n} alla REP.")
DICE_FOR_ROLES = both("{faction:the}, for who attacks: {n} {n?die|dice}, {m} added.",
                      "{faction:il}, per chi attacca: {n} {n?dado|dadi}, {m} in aggiunta.")
NO_AMBUSH = both("All units are Armored: no ambush.", "Tutti i reparti sono corazzati: niente imboscata.")
AMBUSH_BONUSES = both("An ambush of one's own: {n} added; one of the other side: {m}.",
                      "Un'imboscata propria: {n} in aggiunta; una della parte avversa: {m}.")


def _roles(side: BattleSide) -> Iterator[Said]:
    """The side's dice for roles and ambush, and the REP of its lead's unit."""
    more, has = lead_rep_bonus(side), ambush(side)
    if side.lead is not None and more:
        yield Said(REP_WITH_LEAD, {"leader": side.lead.leader, "n": f"{more:+d}"})
    # In a meeting nobody has what a defender has (MV), so who attacks does not matter.
    if side.battle.row.kind == "meeting":
        return
    if Numbers.of(side.f).table_roles == "rolled":
        yield Said(DICE_FOR_ROLES, {"faction": side.head, "n": has["dice"], "m": has["scout"]})
    if side.units and side.skill_count("armored") == len(side.units):
        yield Said(NO_AMBUSH)
    else:
        yield Said(AMBUSH_BONUSES, {"n": has["own"], "m": has["theirs"]})


RETREAT_ODDS = both("A retreat of {faction:the}: {n} {n?die|dice}, {m} {m?success|successes} added; in order {a}, "
                    "only the Elite {b}, disbands {c}.",
                    "Ritirata {faction:di}: {n} {n?dado|dadi}, {m} {m?successo aggiunto|successi aggiunti}; in ordine "
                    "{a}, solo i reparti d'élite {b}, si scioglie {c}.")


def _retreat_odds(side: BattleSide) -> Said:
    """The odds of each row of the retreat table (RT)."""
    n, change = side.lead_wr, sum(side.retreat_mods.values())
    ways = Counter[str]()
    for hits in range(n + 1):
        ways[RETREAT_ROWS.at(hits + change)] += comb(n, hits)
    orderly, elite, none = (percent(Fraction(ways[row], 2 ** n)) for row in ("orderly", "elite_only", "disbands"))
    return Said(RETREAT_ODDS, {"faction": side.head, "n": n, "m": change, "a": orderly, "b": elite, "c": none})


# Battles that are not played: dice fill in the form (rulebook: Melee).


def clash_dice(f: Realm, *armies: str) -> int:
    """The strength of a side off the table: WR of its lead, a die for so much REP, its best hero (rulebook: Melee)."""
    heroes = f.leaders.where(lambda leader: leader.rank == "hero" and leader.state == "active"
                             and leader.army in armies)
    return (f.lead_wr(*armies) + sum(unit.rep for unit in f.units_in(*armies)) // Numbers.of(f).auto_die_rep
            + max((hero.wr for hero in heroes), default=0))


TYPE = ROLLS.purpose(both("Army types", "Tipi d'esercito"), "army_type/{Armies*}")
ATTACKING = counted(both("Who attacks on the table", "Chi attacca al tavolo"), "attacking/{Armies*}", dice="d6")
"""Thrown at the table, where somebody types them."""
CLASH = counted(both("Battles off the table", "Battaglie non giocate"),
                "clash/{Battles*}/{attacker|defender}", dice="d6")


def fill_in_by_dice(f: Realm, battle: FoughtBattle) -> None:
    """Fill in winner, hits, routs, commanders down, and the retreat of a self-run nation."""
    row, ident = battle.row, battle.row.battle
    counts = {side.name: f.success_test(CLASH, (ident, side.name), clash_dice(f, *side.armies))
              for side in battle.sides}
    contest = Contest(counts)
    row.winner = contest.winner or DRAW
    margin = min(Numbers.of(f).auto_hit_cap, contest.margin)
    f.tell("clash", roll=contest, battle=ident, n=counts[ATTACKER].total, m=counts[DEFENDER].total)
    for side in battle.sides:
        _hits(side, margin)
        _throw_commanders_down(side)
    # Of a club's side none is ordered: it is the club's to decide, and nobody asks it.
    for side in battle.sides:
        if side.lost and f.self_run(side.head) and _orders_retreat(side):
            row.retreat = side.name


HITS = ROLLS.purpose(both("Hits off the table", "Colpi fuori dal tavolo"), "hits/{Units*}")


def _hits(side: BattleSide, margin: int) -> None:
    f = side.f
    change = margin if side.lost else -margin if side.won else 0
    for unit in side.units:
        row = f.kept(side.battle.unit_row(unit))
        row.hits = max(0, f.roll(HITS(unit.unit)).total + change)
        row.routed = side.lost and row.hits > Numbers.of(f).auto_rout_rep * unit.rep


LEADER_HIT = ROLLS.purpose(both("Commanders hit off the table", "Comandanti colpiti fuori dal tavolo"),
                           "leader_hit/{Leaders*}")


def _throw_commanders_down(side: BattleSide) -> None:
    f = side.f
    least = Numbers.of(f).auto_down_loser if side.lost else Numbers.of(f).auto_down_winner
    for leader in side.cincs:
        row = f.kept(side.battle.leader_row(leader))
        row.down, row.unit_fate = f.roll(LEADER_HIT(leader.leader)).at_least(least), "fought"


def _orders_retreat(side: BattleSide) -> bool:
    """Whether a beaten self-run nation orders the retreat (RT)."""
    battle, rules = side.battle, Numbers.of(side.f)
    broken = sum(battle.unit_row(unit).routed or is_destroyed_by(side.f, unit, battle.hits(unit))
                 for unit in side.units)
    # Half of the dice succeed on the average: with that many the upper row of RT is to be expected.
    hope = side.lead_wr // 2 + sum(side.retreat_mods.values())
    return broken * 100 >= rules.npc_retreat_pct * len(side.units) and hope >= rules.npc_retreat_hope
