"""The campaign in the words of the chapters: nations, armies, commanders, wars, and what changes on the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from assistant.campaign.records import TurnDie
from assistant.campaign.tables import Record, in_natural_order, natural
from assistant.rulesets.bloodlust import both, records
from assistant.rulesets.bloodlust.records import MORALE_OF, TURNS, Army, Faction, Leader, Node, Siege, Unit, War, Weapon
from assistant.turn.chapters import Message, QuestionType
from assistant.turn.dice import PUBLIC, Purpose, RangeTable
from assistant.turn.findings import Finding, Where
from assistant.turn.game import Board, Game, One, Sheet, Tables, fresh, next_code
from assistant.turn.questions import AnswerKind, Ask, Option, Told
from assistant.turn.rulings import Count, Limit, Score, highest_thrower

R = TypeVar("R", bound=Record)

# The board.


SEASONS = TURNS.seasons
SUCCESS_UP_TO = 3
NONE, FAR = 0, 99
UNUSED_DIE = "ARB-287"
# 6 and one more by a minor weapon (ST).
MOST_REPUTATION = 7
MERCENARIES = "MER"
COPIED_FIELDS = ("type", "rep", "morale", "mount", "ac", "arm", "skills")
"""What a unit takes over from the row of its troop table."""


FINDINGS = (
    Message("BLD-053", "info", both("No answer from {faction:the} yet; without one: {default}.",
                                    "Manca la risposta {faction:di}; senza: {default}.")),
)


ANSWERS = {row["word"]: row["answer"] for row in records.printed("answers")}
"""What people say for an answer -> its code."""


def question_type(kind: str, text: str, answer: AnswerKind = Option(), **more: Any) -> QuestionType:  # noqa: B008
    """A kind of question to clubs: wrong answers are BLD-050, defaults BLD-053."""
    return QuestionType(kind, text, None, ANSWERS, answer, wrong=Told("BLD-050"),
                        by_default=Told("BLD-053", {"faction": "faction", "default": "default"}), **more)


def whole_year(text: str) -> int:
    """The year of ``988`` or ``988Su``; 0 for none."""
    year = TURNS.year(text)
    return int(year) if year.isdecimal() else NONE


def season_number(turn: str) -> int:
    """The number of a season, counted through the years."""
    return whole_year(turn) * len(SEASONS) + SEASONS.index(TURNS.season(turn))


def two_texts(text: str, text_it: str) -> dict[str, str]:
    """What something is called, as the data of an event or a sentence; `text_it`: "" where one name serves all."""
    return {"text": text, "text_it": text_it} if text_it else {"text": text}


def best_first(unit: Unit) -> tuple[Any, ...]:
    """Sort key: by morale, then REP, the best first."""
    return -MORALE_OF[unit.morale], -unit.rep, natural(unit.unit)


class Land(Tables):
    """The sheets of a campaign: nations, provinces, armies, units, commanders."""

    desk = One(records.Desk)
    nations = Sheet(Faction)
    provinces = Sheet(Node)
    roads = Sheet(records.Road)
    armies = Sheet(Army)
    units = Sheet(Unit)
    leaders = Sheet(Leader)
    weapons = Sheet(Weapon)
    wars = Sheet(War)
    peaces = Sheet(records.Peace)
    alliances = Sheet(records.Alliance)
    relations = Sheet(records.Relation)
    sieges = Sheet(Siege)
    battles = Sheet(records.Battle)
    orders = Sheet(records.Order)
    recruits = Sheet(records.Recruit)

    def fill_in_blanks(self) -> None:
        """Fill in blank morale and reputations."""
        for nation in self.nations.where(lambda faction: faction.morale is None):
            nation.morale = nation.morale_base
        for leader in self.leaders.where(lambda leader: leader.reputation is None):
            # WR and reputation are the same number, but for those who bear a weapon (CC).
            leader.reputation = max(1, leader.wr)

    def count_units(self) -> None:
        """Count the units of each army."""
        # Units are secret under the fog, their number in an army is not: so it stands in the army's row.
        strengths = Counter(unit.army for unit in self.units if unit.active)
        for army in self.armies.where(lambda army: army.units != strengths[army.army]):
            army.units = strengths[army.army]

    def units_in(self, *armies: str) -> list[Unit]:
        """The units of some armies, in natural order."""
        return self.units.where(lambda unit: unit.active and unit.army in armies)

    def open_sieges(self) -> list[Siege]:
        """Sieges that go on, in id order."""
        return self.sieges.where(lambda siege: not siege.ended)

    def siege_at(self, node: str) -> Siege | None:
        """The siege that goes on in a province."""
        return next((siege for siege in self.sieges if not siege.ended and siege.node == node), None)

    def is_besieged(self, node: str) -> bool:
        """Whether a province is besieged."""
        return self.siege_at(node) is not None


class Realm(Land, Board):
    """Nations, provinces, armies, units and commanders of one run of a phase."""

    rules: records.Numbers
    delegated: set[str] = fresh(set)
    """Nations that leave this phase to the rules."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        # Chapters ask for these at every step.
        self.turn = game.turn
        self.season = TURNS.season(game.turn)
        self.year = whole_year(game.turn)
        self.fill_in_blanks()
        self.codes = self.nations.keys_in_file_order()

    def settle(self) -> None:
        """End the phase: report typed dice that were not thrown, and count the units of each army, which all may see.

        Changes that no event has told yet, such as a counter set back, are told to the referee.
        """
        typed = self.campaign.table(TurnDie).of_turn(self.turn, lambda die: die.source == "table", parts=(
            self.game.phase,))
        thrown = {roll.key for roll in self.game.dice.thrown.values()}
        self.game.findings += [Finding(UNUSED_DIE, "info", Where(TurnDie.sheet, die.ident, "key"), {"key": die.key})
                               for die in typed if die.key not in thrown]
        self.count_units()
        if self.campaign.untold_names():
            self.tell("settled")

    def row_like(self, blank: R) -> R:
        """The row with the key of a blank one, or that one itself, not on the sheet."""
        return self.campaign.table(type(blank)).get(blank.ident) or blank

    def kept(self, row: R) -> R:
        """A row, put on its sheet if it is not there yet."""
        table = self.campaign.table(type(row))
        return row if row.ident in table else table.add(row)

    # --- time ---------------------------------------------------------------------------------
    def later(self, seasons: int) -> str:
        """The turn so many seasons from now."""
        year, season = divmod(season_number(self.turn) + seasons, len(SEASONS))
        return f"{year}{SEASONS[season]}"

    def lasts(self, until: str) -> bool:
        """Whether something that lasts until a turn still does."""
        return bool(until) and TURNS.key(until) >= TURNS.key(self.turn)

    def outlasts(self, until: str) -> bool:
        """Whether something that lasts until a turn goes on after this one."""
        return bool(until) and TURNS.key(until) > TURNS.key(self.turn)

    def may_fight(self, nation: Faction) -> bool:
        """Whether a nation may begin a war or invade in this season."""
        return self.season != "Wi" or nation.has_trait("winter_war")

    def holds(self, year: str) -> bool:
        """Whether something that lasts until a year still does."""
        return bool(year) and whole_year(year) >= self.year

    # --- nations ------------------------------------------------------------------------------
    def living(self) -> list[Faction]:
        """The nations in play, in faction order."""
        return [row for code in self.codes if (row := self.nations[code]).alive]

    def nations_at_war(self) -> list[Faction]:
        """The nations in play that have a war, in faction order."""
        return [nation for nation in self.living() if self.enemies(nation.faction)]

    def in_order(self, codes: Iterable[str]) -> list[str]:
        """Nations in faction order, each once."""
        wanted = set(codes)
        return [code for code in self.codes if code in wanted]

    def self_run(self, code: str) -> bool:
        """Whether the rules' own dice decide for a nation in this phase (rulebook: Words)."""
        # A robot is a club: where orders are taken, its order to delegate says so, elsewhere there is none to give.
        by_rules = ("npc",) if self.game.orders_word else ("npc", "robot")
        return self.nations[code].role in by_rules or code in self.delegated

    def of(self, code: str) -> list[Node]:
        """The provinces that a nation owns, in natural order."""
        return self.provinces.where(lambda node: node.owner == code)

    def armies_of(self, code: str) -> list[Army]:
        """The armies that a nation has, in natural order."""
        return self.armies.where(lambda army: army.active and army.faction == code)

    def units_of(self, code: str) -> list[Unit]:
        """The units that serve a nation, in natural order."""
        return self.units.where(lambda unit: unit.active and unit.faction == code)

    def leaders_of(self, code: str, rank: str = "") -> list[Leader]:
        """The leaders of a nation who are neither dead nor gone; of one rank, if it is named."""
        return self.leaders.where(lambda leader: leader.faction == code and leader.there and rank in ("", leader.rank))

    def strength(self, code: str) -> int:
        """Units in play of a nation."""
        return len(self.units_of(code))

    def enemies(self, code: str) -> list[str]:
        """With whom a nation is at war, in faction order."""
        return self.in_order(war.target if war.aggressor == code else war.aggressor
                             for war in self.open_wars() if code in war.parties)

    def open_wars(self) -> list[War]:
        """Wars that go on, in id order."""
        return self.wars.where(lambda war: not war.ended)

    def at_war(self, a: str, b: str) -> bool:
        """Whether two nations are at war."""
        return any(war.between(a, b) for war in self.open_wars())

    def allies(self, code: str) -> list[str]:
        """The allies of a nation, in faction order."""
        return self.in_order(row.b if row.a == code else row.a for row in self.alliances.where(
            lambda row: not row.ended and code in (row.a, row.b)))

    def alliances_of(self, a: str, b: str) -> list[records.Alliance]:
        """The alliances between two nations that hold."""
        return self.alliances.where(lambda row: not row.ended and {row.a, row.b} == {a, b})

    def are_allied(self, a: str, b: str) -> bool:
        """Whether two nations are allied."""
        return b in self.allies(a)

    def friend(self, a: str, b: str) -> bool:
        """Whether b is a itself or an ally."""
        return a == b or self.are_allied(a, b)

    def enforced_peace(self, code: str, other: str) -> records.Peace | None:
        """The enforced peace that forbids a nation to attack another now."""
        anybody = self.rules.enforced_scope == "loser_any"
        return next((peace for peace in self.peaces if self.peace_holds(peace) and (
            {peace.winner, peace.loser} == {code, other} or (anybody and peace.loser == code))), None)

    def peace_holds(self, peace: records.Peace) -> bool:
        """Whether an enforced peace holds now; one that counts seasons names turns."""
        if TURNS.season(peace.until_year):
            return self.lasts(peace.until_year)
        # It begins with the year after the war, yet nobody attacks in what is left of this one.
        return whole_year(peace.from_year) - 1 <= self.year <= whole_year(peace.until_year)

    def feeling(self, of: str, toward: str) -> records.Relation:
        """What one nation feels for another; a blank row, not on the sheet, if there is none."""
        return self.row_like(records.Relation(of=of, toward=toward))

    def relation_row(self, of: str, toward: str) -> records.Relation:
        """The row of what one nation feels for another, made if needed, for a change."""
        return self.kept(self.feeling(of, toward))

    def neighbours(self, code: str) -> list[str]:
        """Nations in play that own a province next to one of a nation's, in faction order."""
        owners = {self.provinces[near].owner for node in self.of(code) for near in self.near(node.node)}
        return [other for other in self.in_order(owners) if other != code and self.nations[other].alive]

    # --- provinces ----------------------------------------------------------------------------
    def near(self, node: str) -> list[str]:
        """The provinces next to one, in natural order."""
        return self.game.map.neighbours(node)

    def owners_near(self, node: str) -> list[str]:
        """Who owns the provinces next to one, once for each of them."""
        return [self.provinces[near].owner for near in self.near(node)]

    def besieging(self, army: str) -> Siege | None:
        """The siege that an army is in, on either side."""
        return next((siege for siege in self.sieges if not siege.ended and army in siege.armies), None)

    def in_siege(self, army: str) -> bool:
        """Whether an army is in a siege, on either side."""
        return self.besieging(army) is not None

    def open_ground(self, code: str, node: str) -> bool:
        """Whether a nation may pass through a province: its own or an ally's, and not besieged."""
        return self.friend(code, self.provinces[node].owner) and not self.is_besieged(node)

    def ways(self, code: str, start: str) -> dict[str, int]:
        """Steps over open ground from a start to each province; the start itself need not be open."""
        allowed = {row.node for row in self.provinces if self.open_ground(code, row.node)}
        far = self.game.map.distances(start, cost=lambda here, there: 1 if there in allowed else None)
        return {node: int(steps) for node, steps in far.items()}

    def capital(self, code: str) -> str:
        """The home capital of a nation, whoever owns it; "" for none."""
        return next((row.node for row in self.provinces if row.capital and row.home == code), "")

    def seat(self, code: str) -> str:
        """Where a nation's Reserve and its leaders without army are (rulebook: Words); "" for a nation without land."""
        own = [row.node for row in self.of(code)]
        # Whoever is sent to a besieged seat would be shut in without having marched there.
        free = [node for node in own if not self.is_besieged(node)]
        capital = self.capital(code)
        return capital if capital in free else next(iter([*free, *own]), "")

    def fall_back(self, code: str, node: str, but: Collection[str] = ()) -> str:
        """Where a nation's army falls back to from a province, `but` for some places; "" if nowhere."""
        # An army falls back toward home; a nation that has lost its capital toward the first province it has.
        goal = self.capital(code)
        if goal not in self.provinces or self.provinces[goal].owner != code:
            goal = next((row.node for row in self.of(code)), "")
        places = [near for near in self.near(node) if near not in but and self.provinces[near].owner == code
                  and not self.is_besieged(near)]
        return min(places, key=lambda place: (self.ways(code, place).get(goal, FAR), natural(place)), default="")

    def is_undefended(self, node: str) -> bool:
        """Whether a province has no army with units of its owner or an ally."""
        owner = self.provinces[node].owner
        return not any(self.friend(owner, army.faction) and self.units_in(army.army) for army in self.standing(node))

    # --- armies and units ---------------------------------------------------------------------
    def standing(self, node: str) -> list[Army]:
        """The armies in a province."""
        return self.armies.where(lambda army: army.active and army.node == node)

    def size(self, army: Army) -> int:
        """How many units an army has."""
        return len(self.units_in(army.army))

    def reserve(self, code: str) -> Army:
        """A nation's Reserve; `prepare` makes sure that it exists."""
        return self.armies[f"{code}-a0"]

    def morale_now(self, unit: Unit) -> int:
        """A unit's morale now, at least 2 (rulebook: Morale and REP)."""
        greedy = self.lasts(unit.greedy_until)
        return max(2, MORALE_OF[unit.morale] - unit.siege_loss - unit.exhausted - greedy)

    # --- commanders ---------------------------------------------------------------------------
    def cincs(self, *armies: str) -> list[Leader]:
        """The active marshals and captains of some armies."""
        return self.leaders.where(lambda leader: leader.commands and bool(leader.army) and leader.army in armies)

    def wr_now(self, leader: Leader | None) -> int:
        """The WR of a commander as it counts now (rulebook: Commander in Chief); of nobody 0."""
        # A captive or wounded commander leads nobody.
        if leader is None or leader.state != "active":
            return 0
        weapon = self.weapons.get(leader.weapon)
        change = leader.wr_change if self.lasts(leader.wr_change_until) else 0
        return max(0, leader.wr + (weapon.wr_bonus if weapon is not None else 0) + change)

    def first_of(self, leaders: Iterable[Leader], *, by_reputation: bool = True) -> Leader | None:
        """The leader with the highest WR now, then reputation, then the first id; who must bear a weapon is found by
        his WR alone (WP).
        """
        return min(leaders, default=None, key=lambda leader: (
            -self.wr_now(leader), -leader.reputation * by_reputation, natural(leader.leader)))

    def lead(self, *armies: str) -> Leader | None:
        """The lead of a side or army; None where it has no commander."""
        return self.first_of(self.cincs(*armies))

    def lead_wr(self, *armies: str) -> int:
        """The WR of the lead of a side or army now; 0 where it has no commander."""
        return self.wr_now(self.lead(*armies))

    def attributes(self, leader: Leader | None) -> list[str]:
        """The attributes of a commander, his weapon's included, each once."""
        if leader is None:
            return []
        weapon = self.weapons.get(leader.weapon)
        return list(dict.fromkeys(f"{leader.attributes} {weapon.attributes if weapon is not None else ''}".split()))

    def any_has(self, attribute: str, *armies: str) -> bool:
        """Whether some commander of an army or side has an attribute that is the army's, whoever leads (ST, WK)."""
        return any(attribute in self.attributes(cinc) for cinc in self.cincs(*armies))

    def national_leader(self, code: str) -> Leader | None:
        """The marshal of a nation, or the foremost captain of one that has none (rulebook: Commander in Chief)."""
        return self.first_of(self.leaders_of(code, self.nations[code].leading_rank))

    # --- what happened this season ------------------------------------------------------------
    def side_of(self, row: records.Battle, code: str) -> str:
        """The side on which a nation fights in a battle; "" for neither."""
        return next((side for side in ("attacker", "defender") if code in self.parties(row, side)), "")

    def parties(self, row: records.Battle, side: str) -> list[str]:
        """The nations of a side of a battle, its head first."""
        head, armies = row.side(side)
        return list(dict.fromkeys([head, *(self.armies[army].faction for army in armies if army in self.armies)]))

    def wins_and_losses(self, code: str) -> tuple[int, int]:
        """Battles that a nation has won and lost this season."""
        fought = [(side, row.winner) for row in self.battles.of_turn(self.turn, lambda row: row.status == "played")
                  if (side := self.side_of(row, code))]
        won = sum(side == winner for side, winner in fought)
        return won, len(fought) - won - sum(winner == "draw" for _, winner in fought)

    def provinces_lost(self, code: str) -> list[Node]:
        """The provinces that a nation has lost this season."""
        return self.provinces.where(lambda node: node.conquered_turn == self.turn and node.lost_by == code)

    # --- questions and dice -------------------------------------------------------------------
    def answers(self, questions: Sequence[Ask]) -> dict[str, str]:
        """The answers, by what was asked about; a missing one is reported with its default (BLD-053)."""
        for ask in questions:
            if not self.game.has_answer(ask):
                row = self.game.row_of(ask)
                self.game.find("BLD-053", Where(row.sheet, row.ident, "answer"), ask.to, faction=ask.to,
                               default=ask.default)
        return dict(zip([ask.about for ask in questions], self.game.choose_all(questions), strict=True))

    def success_test(self, purpose: Purpose, about: Sequence[str], n: int = 2, mods: Mapping[str, int] | None = None,
                     audience: Iterable[str] | str = PUBLIC, *, rows: RangeTable | None = None,
                     again: int = 1) -> Count:
        """A test whose dice succeed on 1 to 3 (rulebook: Words)."""
        limit = SUCCESS_UP_TO
        if self.rules.dice_prefix == "target":  # "2 Loot" read as two dice against 2, not as two dice
            n, limit = 2, n
        return self.count(purpose(*about, n=n, again=again), Limit(limit), mods, audience, rows=rows)

    def rating_test(self, purpose: Purpose, about: Sequence[str], rating: Mapping[str, int],
                    mods: Mapping[str, int] | None = None, audience: Iterable[str] | str = PUBLIC, *,
                    bounds: bool = False, rows: RangeTable | None = None, again: int = 1) -> Count:
        """A test of two dice against a rating (rulebook: Words)."""
        bounds = bounds or self.rules.rating_bounds == "all"
        return self.count(purpose(*about, again=again), Limit.rating(rating, bounds=bounds), mods, audience, rows=rows)

    def highest(self, purpose: Purpose, about: Sequence[str], names: Sequence[str],
                mods: Callable[[str], Mapping[str, int]], audience: Iterable[str] | str = PUBLIC
                ) -> tuple[str, list[Score]]:
        """The name with the highest die; ties throw again without modifiers, and a single name throws nothing."""
        return highest_thrower(names, lambda name, again: self.score(
            # In a throw for a tie the dice alone decide.
            purpose(*about, name, again=again), mods(name) if again == 1 else {}, audience))

    # --- weapons of commanders ----------------------------------------------------------------
    def give_weapon(self, leader: Leader, weapon: Weapon) -> None:
        """Give a commander a weapon, which he must bear."""
        leader.weapon = weapon.weapon
        weapon.state, weapon.bearer, weapon.node, weapon.returns_turn = "borne", leader.leader, "", ""
        if weapon.power == "minor":
            leader.reputation = min(MOST_REPUTATION, leader.reputation + self.rules.weapon_minor_rep)

    def take_weapon(self, leader: Leader) -> None:
        """Take the weapon from a commander."""
        weapon = self.weapons.get(leader.weapon)
        if weapon is not None and weapon.power == "minor":
            leader.reputation = max(1, leader.reputation - self.rules.weapon_minor_rep)
        leader.weapon = ""

    def unplace_weapon(self, leader: Leader, returns: str = "") -> None:
        """Take a commander's weapon out of the world, until a turn if one is given."""
        weapon = self.weapons.get(leader.weapon)
        if weapon is not None:
            self.take_weapon(leader)
            weapon.state, weapon.bearer, weapon.node, weapon.returns_turn = "unplaced", "", "", returns

    # --- changes: units and armies ------------------------------------------------------------
    def names_of_troops(self, row: records.Recruit) -> tuple[str, str]:
        """Name and Italian name of a unit of this row of a troop table; the latter "" where one name serves all."""
        # A campaign that began before there were two columns goes on to name rows in its own language.
        if not any(army.name_it for army in self.armies):
            return row.name_in(self.desk.language), ""
        name = row.name_in("en")
        return name, row.name_it if row.name_it != name else ""

    def enlist(self, code: str, roll: int, army: str, *, table: str = "") -> Unit:
        """Add a unit for a roll on the nation's table, or on another."""
        row = self.recruits[f"{table or code}/{roll}"]  # a table without a row stops the phase (BLD-083)
        name, name_it = self.names_of_troops(row)
        return self.units.add(Unit(
            unit=next_code(self.units, f"{code}-u{{}}"), faction=code, army=army, name=name, name_it=name_it,
            recruited_turn=self.turn, mercenary=table == MERCENARIES,
            **{name: getattr(row, name) for name in COPIED_FIELDS}))

    def remove(self, *units: Unit, state: str = "disbanded") -> None:
        """Remove units as disbanded, lost or merged; their rows keep the army."""
        for unit in units:
            unit.state, unit.left_turn = state, self.turn

    def new_army(self, code: str, node: str, ident: str = "", kind: str = "field") -> Army:
        """A new army of a nation; its name is its id until its club gives it one."""
        letter = "l" if kind == "levy" else "a"
        ident = ident or next_code(self.armies, f"{code}-{letter}{{}}")
        return self.armies.add(Army(army=ident, faction=code, node=node, kind=kind, name=ident))

    def end_army(self, army: Army) -> None:
        """End an army: its leaders have none; a local lord's captain goes home and his weapon leaves the world."""
        army.state, army.left_turn = "gone", self.turn
        for leader in self.leaders.where(lambda leader: leader.army == army.army):
            leader.army = ""  # he is at the seat, and out of every fight
            if army.kind == "levy" and leader.levy and leader.there:
                self.unplace_weapon(leader)
                leader.state = "gone"

    def end_levy(self, army: Army) -> None:
        """Send an ad-hoc army home."""
        self.remove(*self.units_in(army.army))
        self.end_army(army)

    def end_empty_armies(self, *, without_leader: bool = False) -> None:
        """End armies without units, except the Reserve and in sieges; `without_leader`: only those nobody leads."""
        for army in self.armies.where(lambda army: army.active and army.kind != "reserve"):
            led = without_leader and self.cincs(army.army)
            if not self.units_in(army.army) and not self.in_siege(army.army) and not led:
                self.end_army(army)

    def move_reserve_to_seat(self, code: str) -> None:
        """Move the Reserve of a nation to its seat; one without land leaves it where it is."""
        if seat := self.seat(code):
            self.reserve(code).node = seat

    def send_back(self, army: Army, node: str) -> None:
        """Send an army back to a place, or to the seat if that is lost."""
        # Where an ally has taken the place meanwhile, its guest may stay.
        kept = node in self.provinces and self.friend(army.faction, self.provinces[node].owner)
        army.node = node if kept else self.seat(army.faction) or node

    # --- changes: provinces and sieges --------------------------------------------------------
    def conquer(self, node: Node, code: str) -> None:
        """A province changes hands."""
        loser = node.owner
        node.owner, node.conquered_turn, node.lost_by = code, self.turn, loser
        if loser in self.nations and self.reserve(loser).node == node.node:
            self.move_reserve_to_seat(loser)
        self.tell("conquered", faction=code, node=node.node, loser=loser)

    def lay_siege(self, node: str, besieger: str, out: Iterable[str], within: Iterable[str], start: str) -> None:
        """A siege begins."""
        self.sieges.add(Siege(
            siege=next_code(self.sieges, "G{}"), node=node, besieger=besieger, start_node=start, began=self.turn,
            armies_out=" ".join(in_natural_order(out)), armies_in=" ".join(in_natural_order(within))))
        self.tell("siege_begins", besieger=besieger, node=node)

    def end_siege(self, siege: Siege, how: str) -> None:
        """A siege ends: its losses of morale end, an ad-hoc army inside goes home."""
        siege.ended, siege.how = self.turn, how
        for unit in self.units_in(*siege.armies):
            unit.siege_loss = 0
        # A levy that was shut in has missed the end of its battle, with which it would have gone home.
        for army in self.active_armies(siege.armies_in.split()):
            if army.kind == "levy":
                self.end_levy(army)
        self.tell("siege_ends", node=siege.node, besieger=siege.besieger, how=how)

    def lift_siege(self, siege: Siege, how: str = "lifted") -> None:
        """A siege ends, and the besiegers go back to where they came from."""
        for army in self.active_armies(siege.armies_out.split()):
            self.send_back(army, siege.start_node)
        self.end_siege(siege, how)

    def active_armies(self, codes: Iterable[str]) -> list[Army]:
        """Those of some armies that are still there."""
        return [army for code in codes if (army := self.armies.get(code)) is not None and army.active]

    # --- changes: wars and alliances ----------------------------------------------------------
    def open_war(self, aggressor: str, target: str, reason: str, rule: str = "p57") -> War:
        """Begin a war between two nations."""
        war = self.wars.add(War(war=next_code(self.wars, "W{}"), aggressor=aggressor, target=target, reason=reason,
                                began=self.turn))
        self.tell("war", rule=rule, by=aggressor, opponent=target, reason=reason)
        return war

    def free_captives_of(self, holder: str, nations: Collection[str]) -> None:
        """Free the commanders of some nations whom a nation holds."""
        for leader in self.leaders.where(lambda leader: leader.state == "captured" and leader.holder == holder
                                         and leader.faction in nations):
            self.free_captive(leader)

    def free_captive(self, leader: Leader) -> None:
        """Free a captive, wounded or not; he has no army."""
        hurt = self.outlasts(leader.until_turn)
        leader.holder, leader.army, leader.state = "", "", "wounded" if hurt else "active"
        leader.until_turn = leader.until_turn if hurt else ""

    def end_war(self, war: War, how: str) -> None:
        """End a war: sieges between the two end, captives go home, a nation at peace is no longer shaken.

        See rulebook: Will to Fight.
        """
        war.ended, war.how = self.turn, how
        for siege in self.open_sieges():
            if war.between(siege.besieger, self.provinces[siege.node].owner):
                self.lift_siege(siege, "peace")
        for code in war.parties:
            self.free_captives_of(code, war.parties)
        for nation in (self.nations[code] for code in war.parties):
            if nation.shaken and not self.enemies(nation.faction):
                nation.shaken, nation.shaken_turn = 0, ""

    def end_alliance(self, a: str, b: str) -> None:
        """End the alliance of two nations."""
        for row in self.alliances_of(a, b):
            row.ended = self.turn
            self.tell("alliance_ends", by=a, partner=b)


class UnitTests(dict[str, Count]):
    """Tests that units take each by itself, or an army at once (`scope`: unit, army), by unit or army."""

    def __init__(self, scope: str, test: Callable[[Unit], Count]) -> None:
        super().__init__()
        self._scope, self._test = scope, test

    def of(self, unit: Unit) -> Count:
        """The test that counts for a unit, thrown when it is asked for the first time."""
        about = str(getattr(unit, self._scope))
        if about not in self:
            self[about] = self._test(unit)
        return self[about]
