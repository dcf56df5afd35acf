"""The dossier of a battle, the form of its result, and battles that are not played."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from assistant.campaign.records import ALL, FormRow
from assistant.campaign.tables import in_natural_order
from assistant.rulesets.bloodlust import ROLLS, VOCABULARY, assumed, both, choice, cites, counted, counting
from assistant.rulesets.bloodlust.realm import Realm
from assistant.rulesets.bloodlust.records import Battle, BattleLeader, BattleUnit, Leader, Unit
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import take_form
from assistant.turn.chapters import Chapter, EventType, Message, Modifier, QuestionType, Rules, number
from assistant.turn.dice import REFEREE, RangeTable
from assistant.turn.questions import Ask, Waiting
from assistant.turn.rulings import Contest

# What the chapter declares.


off_table = partial(number, tag="ASSUMED", source="ME")
"""A number of battles that are not played."""
in_retreat = counting("in a retreat", "nella ritirata")


class Numbers(Rules):
    """Retreats, zones of command, ambushes, battles off the table."""

    zoc_factor: int = number(3, "x reputation",
                             both("The zone of command is {n} {n?time|times} the reputation.",
                                  "La zona di comando è {n} {n?volta|volte} la reputazione."), source="CC")
    zoc_charisma: int = number(4, "x reputation",
                               both("With Charisma the zone is {n} {n?time|times} the reputation.",
                                    "Con Carisma la zona è {n} {n?volta|volte} la reputazione."), source="ST")
    zoc_poor: int = number(2, "x reputation",
                           both("With Poor charisma the zone is {n} {n?time|times} the reputation.",
                                "Con Poco carisma la zona è {n} {n?volta|volte} la reputazione."), source="WK")
    zoc_unremarkable: int = number(-2, both("inches", "pollici"),
                                   both("Unremarkable changes the zone by {signed} {signed?inch|inches}.",
                                        "Anonimo cambia la zona di {signed} {signed?pollice|pollici}."), minimum=-99,
                                   source="WK")
    retreat_mods_offensive: int = in_retreat(-1, "An Offensive unit counts", "Un reparto Offensivo vale")
    retreat_mods_defensive: int = in_retreat(1, "A Defensive unit counts", "Un reparto Difensivo vale")
    retreat_mods_temerity: int = in_retreat(-1, "Temerity counts", "La temerarietà vale")
    retreat_mods_coward: int = in_retreat(1, "A Coward counts", "Un Codardo vale")
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
    auto_down_loser: int = off_table(5, "1d6", both("A beaten commander is down from {n} on.",
                                                    "Un comandante battuto è a terra da {n} in su."))
    auto_down_winner: int = off_table(6, "1d6", both("Another commander is down from {n} on.",
                                                     "Un altro comandante è a terra da {n} in su."))
    npc_retreat_hope: int = assumed(2, "successes",
                                    both("Off the table self-run nations retreat only where half their leader's WR and "
                                         "what counts in a retreat come to {n} or more.",
                                         "Fuori dal tavolo le nazioni autonome si ritirano solo se metà della WR di "
                                         "chi le guida e ciò che conta in una ritirata fanno {n} o più."), minimum=-99)
    # That "failed" means no success at all is read off Coward, the one that tells one success apart (WK).
    attr_fail_at: str = choice(
        both("A test of attributes fails with {option}.", "Una prova degli attributi fallisce {option}."),
        {"0": ("no success", "senza successi"), "1": ("one success or none", "con un successo o nessuno")}, source="WK")
    recovery_boundary: str = choice(both("Hits of exactly two or three times the REP fall into the {option} band.",
                                         "I colpi pari a due o tre volte il REP cadono nella fascia {option}."),
                                    lower=("lower", "inferiore"), higher=("higher", "superiore"), source="RC")
    loser_routed: str = choice(both("Of a side beaten without a retreat {option} routed.",
                                    "Di una parte battuta senza ritirata vanno in rotta {option}."),
                               form=("those are, whom the form names,", "i reparti che dice il modulo"),
                               all=("all units are", "tutti i reparti"), source="RC", usual=True)
    table_roles: str = choice(both("Attacker and defender on the table {option}.",
                                   "Chi attacca e chi difende al tavolo {option}."),
                              rolled=("are rolled", "lo dicono i dadi"),
                              campaign=("are as on the map", "è come sulla mappa"), source="p52", usual=True)
    guerilla_stack: str = choice(both("Guerilla counts {option}.", "La guerriglia conta {option}."),
                                 once=("once a side", "una volta per parte"),
                                 each=("for each unit", "per ogni reparto"), source="AM")


CHAPTER = Chapter(both("Battles", "Battaglie"), cites("RT", "p52", "AM"), Numbers, events=(
    EventType("clash", both("Battle {battle}, not played: {n} against {m} {m?success|successes}. {roll}.",
                            "Battaglia {battle}, non giocata: {n} contro {m} {m?successo|successi}. {roll}."),
              "battles", 3, "ME", means={"battle": "text"}, to=ALL),
), findings=(
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
), questions=(
    QuestionType("battle",
                 both("{about} {node:at}: {by:the} (attacker) against {opponent:the} (defender). Who won, and who "
                      "retreated? Type the form, or auto for the umpire's dice.",
                      "{about} {node:dove}: {by:il} (attaccante) contro {opponent:il} (difensore). Chi ha vinto, e "
                      "chi si è ritirato? Compila il modulo, o rispondi dadi per i dadi dell'arbitro."),
                 means={"about": "text"}),
))


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

    def hit_band(self, unit: Unit) -> int:
        """How many times its REP the hits of a unit come to, 1 to 3 (`recovery_boundary`)."""
        hits, rep = self.hits(unit), unit.rep
        to_two = hits < 2 * rep or (hits == 2 * rep and Numbers.of(self.f).recovery_boundary == "lower")
        return 1 if hits <= rep else 2 if to_two else 3

    def is_destroyed_by(self, unit: Unit, hits: int) -> bool:
        """Whether so many hits destroy a unit: more than three times its REP, or as many (`recovery_boundary`, RC)."""
        most = DESTROYED_ABOVE * unit.rep
        return hits > most or (hits == most and Numbers.of(self.f).recovery_boundary == "higher")

    def is_routed(self, unit: Unit) -> bool:
        """Whether a unit is routed: by the form, or because its side was beaten without a retreat."""
        side = self.side_of(unit.unit)
        # The page routs a beaten side only where it did not retreat in time.
        swept = (Numbers.of(self.f).loser_routed == "all" and side is not None and side.lost
                 and all(side.retreat is None for side in self.sides))
        return self.unit_row(unit).routed or swept

    def mark_forms_counted(self) -> None:
        """Mark the form's rows as counted, so that nobody changes them any more."""
        for record in (BattleUnit, BattleLeader):
            for row in self.f.campaign.table(record).where(lambda row: row.battle == self.row.battle):
                row.status = "counted"


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
        elif battle.is_destroyed_by(units[row.unit], row.hits) and not row.destroyed:
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


def _leader_faults(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """BLD-062: a commander who was not there would change nothing, but whoever typed him meant another."""
    battle, form = filled.battle, filled.battle.f.campaign.table(BattleLeader)
    for row in form.where(lambda row: row.battle == battle.row.battle and battle.side_of(row.leader) is None):
        yield Fault("BLD-062", "leader", {"id": row.leader, "battle": row.battle}, row.ident, row.sheet)


def _fighters(battle: FoughtBattle) -> Iterator[tuple[FormRow, object]]:
    for side in battle.sides:
        yield from ((BattleUnit(battle=battle.row.battle, unit=unit.unit), "") for unit in side.units)
        yield from ((BattleLeader(battle=battle.row.battle, leader=leader.leader), "") for leader in side.leaders)


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
    checks=("winner", _retreat_fault, _row_faults, _leader_faults),
    owner=lambda battle, row: getattr(battle.side_of(row.ident.partition("/")[2]), "name", ""),
    fighters=_fighters,
    seen=lambda game, row: (battle := FoughtBattle(Realm(game), row), battle.clubs()),
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
        if taken.state == "filled":
            row.winner = taken.filled["winner"]
        elif taken.state != "dice":
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
            battle = FoughtBattle(f, row)
            take_form(f.game, FORM, Ask("battle", REFEREE, row.battle), battle, row, battle.clubs())


def _hand_out(battle: FoughtBattle) -> None:
    """Hand out the form's rows that do not exist yet."""
    battle.f.game.hand_out(battle.row)
    for side in battle.sides:
        for row in (*map(battle.unit_row, side.units), *map(battle.leader_row, side.cincs)):
            battle.f.game.hand_out(row)


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
    broken = sum(battle.unit_row(unit).routed or battle.is_destroyed_by(unit, battle.hits(unit)) for unit in side.units)
    # Half of the dice succeed on the average: with that many the upper row of RT is to be expected.
    hope = side.lead_wr // 2 + sum(side.retreat_mods.values())
    return broken * 100 >= rules.npc_retreat_pct * len(side.units) and hope >= rules.npc_retreat_hope
