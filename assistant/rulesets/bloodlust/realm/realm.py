"""The campaign as the chapters speak of it: tables by name in; who owns, leads, fights, besieges what, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.campaign.records import TurnDie
from assistant.rulesets.bloodlust.book import sheets
from assistant.rulesets.bloodlust.book.records import Army, Battle, Desk, Faction, Node, Order
from assistant.rulesets.bloodlust.book.sheets import MORALE_OF, Leader, Relation, Siege, Unit, Weapon
from assistant.rulesets.bloodlust.book.tables import TURNS, Numbers
from assistant.turn.answers.asking import Ask
from assistant.turn.board import Board, One, Sheet
from assistant.turn.findings import Finding, Where
from assistant.turn.game import ALL, PUBLIC, REFEREE, Game
from assistant.turn.throws.among import won
from assistant.turn.throws.dice import RangeTable, Roll
from assistant.turn.throws.kinds import Purpose
from assistant.turn.throws.rulings import Count, Limit, Score

SEASONS = TURNS.seasons
SUCCESS_UP_TO = 3
NONE, FAR = 0, 99
UNUSED_DIE = "ARB-287"


def whole_year(text: str) -> int:
    """The year of a moment, 0 for none: ``988``, ``988Su``."""
    year = TURNS.year(text)
    return int(year) if year.isdecimal() else NONE


def complete(campaign: Campaign) -> list[Record]:
    """Fill in morale and reputations that are blank, at rest and by WR; the rows that were."""
    nations = campaign.table(Faction).where(lambda one: one.morale is None)
    leaders = campaign.table(Leader).where(lambda one: one.reputation is None)
    for nation in nations:
        nation.morale = nation.morale_base
    for leader in leaders:
        leader.reputation = max(1, leader.wr)
    return [*nations, *leaders]


class Realm(Board):
    """Nations, provinces, armies, units and commanders of one run of a phase."""

    rules: Numbers
    desk = One(Desk)
    nations = Sheet(Faction)
    provinces = Sheet(Node)
    armies = Sheet(Army)
    units = Sheet(Unit)
    leaders = Sheet(Leader)
    weapons = Sheet(Weapon)
    wars = Sheet(sheets.War)
    peaces = Sheet(sheets.Peace)
    alliances = Sheet(sheets.Alliance)
    relations = Sheet(Relation)
    sieges = Sheet(Siege)
    battles = Sheet(Battle)
    orders = Sheet(Order)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.turn = game.turn
        self.season = TURNS.season(game.turn)
        self.year = whole_year(game.turn)
        self.touch(*complete(game.campaign))
        self.codes = self.nations.keys_in_file_order()
        self.delegated: set[str] = set()
        """Who has left this phase to the rules."""

    def settle(self) -> None:
        """The end of a phase: what has changed and was not told yet, such as a counter set back; how many units each
        army has, which all may see; dice that were typed for this phase and that it has not thrown, which stay.
        """
        typed = self.campaign.table(TurnDie).of_turn(self.turn, lambda die: die.source == "table", parts=(
            self.game.phase,))
        thrown = {roll.key for roll in self.game.dice.thrown.values()}
        self.game.findings += [Finding(UNUSED_DIE, "info", Where(TurnDie.sheet, die.ident, "key"), {"key": die.key})
                               for die in typed if die.key not in thrown]
        strengths = Counter(unit.army for unit in self.units if unit.active)
        for army in self.armies.where(lambda one: one.units != strengths[one.army]):
            army.units = strengths[army.army]
            self.touch(army)
        if self._untold:
            self.tell("settled", REFEREE, "A")

    # --- time ---------------------------------------------------------------------------------
    def later(self, seasons: int) -> str:
        """The turn so many seasons from now."""
        place = self.year * len(SEASONS) + SEASONS.index(self.season) + seasons
        return f"{place // len(SEASONS)}{SEASONS[place % len(SEASONS)]}"

    def lasts(self, until: str) -> bool:
        """Whether something that is so until a turn is so now."""
        return bool(until) and TURNS.key(until) >= TURNS.key(self.turn)

    def holds(self, year: str) -> bool:
        """Whether something that is so until a year is so now."""
        return bool(year) and whole_year(year) >= self.year

    # --- nations ------------------------------------------------------------------------------
    def living(self) -> list[Faction]:
        """The nations in play, in faction order."""
        return [row for code in self.codes if (row := self.nations[code]).alive]

    def in_order(self, codes: Iterable[str]) -> list[str]:
        """Nations in faction order, each once."""
        wanted = set(codes)
        return [code for code in self.codes if code in wanted]

    def self_run(self, code: str) -> bool:
        """Whether the rules' own dice decide for a nation in this phase (rulebook: Words)."""
        role = self.nations[code].role
        return role == "npc" or code in self.delegated or (role == "robot" and not self.game.orders_word)

    def of(self, code: str) -> list[Node]:
        """The provinces that a nation owns, in natural order."""
        return self.provinces.where(lambda node: node.owner == code)

    def strength(self, code: str) -> int:
        """Units in play of a nation."""
        return len(self.units.where(lambda unit: unit.active and unit.faction == code))

    def enemies(self, code: str) -> list[str]:
        """With whom a nation is at war, in faction order."""
        found = [war.target if war.aggressor == code else war.aggressor for war in self.open_wars()
                 if code in (war.aggressor, war.target)]
        return self.in_order(found)

    def open_wars(self) -> list[sheets.War]:
        """Wars that go on, in id order."""
        return self.wars.where(lambda war: not war.ended)

    def at_war(self, a: str, b: str) -> bool:
        """Whether two nations are at war."""
        return any(war.between(a, b) for war in self.open_wars())

    def allies(self, code: str) -> list[str]:
        """The allies of a nation, in faction order."""
        return self.in_order(row.b if row.a == code else row.a for row in self.alliances.where(
            lambda row: not row.ended and code in (row.a, row.b)))

    def allied(self, a: str, b: str) -> bool:
        """Whether two nations are allied."""
        return b in self.allies(a)

    def friend(self, a: str, b: str) -> bool:
        """Whether b is a itself or an ally."""
        return a == b or self.allied(a, b)

    def enforced(self, code: str, other: str) -> sheets.Peace | None:
        """The enforced peace that forbids a nation to attack another now."""
        for peace in self.peaces:
            pair = {peace.winner, peace.loser} == {code, other}
            if self.peace_holds(peace) and (pair or (peace.loser == code and self.rules.enforced_scope == "loser_any")):
                return peace
        return None

    def peace_holds(self, peace: sheets.Peace) -> bool:
        """Whether an enforced peace holds now; one that counts seasons names turns."""
        if TURNS.season(peace.until_year):
            return self.lasts(peace.until_year)
        return whole_year(peace.from_year) - 1 <= self.year <= whole_year(peace.until_year)

    def feeling(self, of: str, toward: str) -> Relation:
        """What one nation feels for another; a blank row, which stands on no sheet, where nothing is written."""
        return self.relations.get(Relation(of=of, toward=toward).ident) or Relation(of=of, toward=toward)

    def written(self, of: str, toward: str) -> Relation:
        """The row of what one nation feels for another, to be changed; it is touched."""
        row = self.feeling(of, toward)
        if row.ident not in self.relations:
            row = self.relations.add(row)
        self.touch(row)
        return row

    def neighbours(self, code: str) -> list[str]:
        """Nations in play that own a province next to one of a nation's, in faction order."""
        found = {self.provinces[near].owner for node in self.of(code) for near in self.near(node.node)}
        return [other for other in self.in_order(found) if other != code and self.nations[other].alive]

    # --- provinces ----------------------------------------------------------------------------
    def near(self, node: str) -> list[str]:
        """The provinces next to one, in natural order."""
        return self.game.map.neighbours(node)

    def siege_at(self, node: str) -> Siege | None:
        """The siege that goes on in a province."""
        return next((siege for siege in self.sieges if not siege.ended and siege.node == node), None)

    def besieged(self, node: str) -> bool:
        """Whether a province is besieged."""
        return self.siege_at(node) is not None

    def besieging(self, army: str) -> Siege | None:
        """The siege that an army is in, on either side."""
        return next((siege for siege in self.sieges if not siege.ended and army in siege.armies), None)

    def open_ground(self, code: str, node: str) -> bool:
        """Whether ways of a nation lead through a province: its own or an ally's, and not besieged."""
        return self.friend(code, self.provinces[node].owner) and not self.besieged(node)

    def ways(self, code: str, start: str) -> dict[str, int]:
        """How many steps by own way each province is from a start, which itself is not looked at."""
        allowed = {row.node for row in self.provinces if self.open_ground(code, row.node)}
        far, last = {start: 0}, [start]
        while last:
            last = [there for here in last for there in self.near(here)
                    if there in allowed and there not in far and far.setdefault(there, far[here] + 1)]
        return far

    def capital(self, code: str) -> str:
        """The home capital of a nation, whoever owns it; "" for none."""
        return next((row.node for row in self.provinces if row.capital and row.home == code), "")

    def seat(self, code: str) -> str:
        """Where a nation's Reserve and its leaders without army are (rulebook: Words); "" for a nation without land."""
        own = [row.node for row in self.of(code)]
        free = [node for node in own if not self.besieged(node)]
        capital = self.capital(code)
        return capital if capital in free else next(iter([*free, *own]), "")

    def fall_back(self, code: str, node: str, but: Collection[str] = ()) -> str:
        """The fall-back place of a nation's army in a province, but for some; "" where it has none."""
        goal = self.capital(code)
        if goal not in self.provinces or self.provinces[goal].owner != code:
            goal = next((row.node for row in self.of(code)), "")
        places = [near for near in self.near(node) if near not in but and self.provinces[near].owner == code
                  and not self.besieged(near)]
        return min(places, key=lambda place: (self.ways(code, place).get(goal, FAR), natural(place)), default="")

    def undefended(self, node: str) -> bool:
        """Whether no army of its owner or an ally of his with units stands in a province."""
        owner = self.provinces[node].owner
        return not any(self.friend(owner, army.faction) and self.units_in(army.army) for army in self.standing(node))

    # --- armies and units ---------------------------------------------------------------------
    def standing(self, node: str) -> list[Army]:
        """The armies in a province."""
        return self.armies.where(lambda army: army.active and army.node == node)

    def units_in(self, *armies: str) -> list[Unit]:
        """The units of some armies, in natural order."""
        return self.units.where(lambda unit: unit.state == "active" and unit.army in armies)

    def reserve(self, code: str) -> Army:
        """A nation's Reserve, which `prepare` has made sure of."""
        return self.armies[f"{code}-a0"]

    def morale_now(self, unit: Unit) -> int:
        """What a unit's morale is now, at least 2 (rulebook: Morale and REP)."""
        greedy = self.lasts(unit.greedy_until)
        return max(2, MORALE_OF[unit.morale] - unit.siege_loss - unit.exhausted - greedy)

    # --- commanders ---------------------------------------------------------------------------
    def cincs(self, *armies: str) -> list[Leader]:
        """The active marshals and captains of some armies."""
        return self.leaders.where(lambda one: one.commands and bool(one.army) and one.army in armies)

    def wr_now(self, leader: Leader | None) -> int:
        """The WR of a commander as it counts now (rulebook: Commander in Chief); of nobody 0."""
        if leader is None or leader.state != "active":
            return 0
        weapon = self.weapons.get(leader.weapon)
        change = leader.wr_change if self.lasts(leader.wr_change_until) else 0
        return max(0, leader.wr + (weapon.wr_bonus if weapon is not None else 0) + change)

    def first_of(self, leaders: Iterable[Leader]) -> Leader | None:
        """Who would lead: the highest WR now, then reputation, then the first id."""
        return min(leaders, key=lambda one: (-self.wr_now(one), -one.reputation, natural(one.leader)), default=None)

    def worthiest(self, leaders: Iterable[Leader]) -> Leader | None:
        """Who must bear a weapon: the highest WR now, then the first id (WP)."""
        return min(leaders, key=lambda one: (-self.wr_now(one), natural(one.leader)), default=None)

    def lead(self, *armies: str) -> Leader | None:
        """The lead of a side or army; None where it has no commander."""
        return self.first_of(self.cincs(*armies))

    def attributes(self, leader: Leader | None) -> list[str]:
        """The attributes of a commander, his weapon's included, each once."""
        if leader is None:
            return []
        weapon = self.weapons.get(leader.weapon)
        return list(dict.fromkeys(f"{leader.attributes} {weapon.attributes if weapon is not None else ''}".split()))

    def any_has(self, attribute: str, *armies: str) -> bool:
        """Whether some commander of an army or side has an attribute that is the army's, whoever leads (ST, WK)."""
        return any(attribute in self.attributes(one) for one in self.cincs(*armies))

    def national_leader(self, code: str) -> Leader | None:
        """The marshal of a nation, or the foremost captain of one that has none (rulebook: Commander in Chief)."""
        rank = "captain" if self.nations[code].has_trait("no_marshal") else "marshal"
        return self.first_of(self.leaders.where(lambda one: one.faction == code and one.rank == rank and one.there))

    # --- what happened this season ------------------------------------------------------------
    def fought(self, code: str, *, turns: Callable[[str], bool] | None = None) -> tuple[int, int]:
        """Battles that a nation has won and lost this season, or in the turns that are meant."""
        meant = turns or (lambda turn: turn == self.turn)
        won_, lost = 0, 0
        for row in self.battles.where(lambda one: one.status == "played" and meant(one.turn)):
            side = "attacker" if code in self.parties(row, "attacker") else (
                "defender" if code in self.parties(row, "defender") else "")
            won_ += side == row.winner
            lost += bool(side) and row.winner not in (side, "draw")
        return won_, lost

    def parties(self, row: Battle, side: str) -> list[str]:
        """The nations of a side of a battle, its head first."""
        armies = (row.attacker_armies if side == "attacker" else row.defender_armies).split()
        head = row.attacker if side == "attacker" else row.defender
        return list(dict.fromkeys([head, *(self.armies[army].faction for army in armies if army in self.armies)]))

    def lost_now(self, code: str) -> list[Node]:
        """The provinces that a nation has lost this season."""
        return self.provinces.where(lambda node: node.conquered_turn == self.turn and node.lost_by == code)

    # --- answers ------------------------------------------------------------------------------
    def answers(self, questions: Sequence[Ask]) -> list[str]:
        """The options that were chosen; whose answer is still missing is told, with the default (BLD-053)."""
        for ask in questions:
            if not self.game.has_answer(ask):
                row = self.game.row_of(ask)
                self.game.find("BLD-053", Where(row.sheet, row.ident, "answer"), ask.to, faction=ask.to,
                               default=ask.default)
        return self.game.choose_all(questions)

    # --- dice ---------------------------------------------------------------------------------
    def counted(self, purpose: Purpose, about: Sequence[str], n: int = 2, mods: Mapping[str, int] | None = None,
                audience: Iterable[str] | str = PUBLIC, *, rows: RangeTable | None = None, again: int = 1) -> Count:
        """A test whose dice succeed on 1 to 3 (rulebook: Words)."""
        limit = SUCCESS_UP_TO
        if self.rules.dice_prefix == "target":
            n, limit = 2, n
        return self.count(purpose(*about, n=n, again=again), Limit(limit), mods, audience, rows=rows)

    def rated(self, purpose: Purpose, about: Sequence[str], rating: Mapping[str, int],
              mods: Mapping[str, int] | None = None, audience: Iterable[str] | str = PUBLIC, *, bounds: bool = False,
              rows: RangeTable | None = None, again: int = 1) -> Count:
        """A test of two dice against a rating (rulebook: Words)."""
        bounds = bounds or self.rules.rating_bounds == "all"
        return self.count(purpose(*about, again=again), Limit.rating(rating, bounds=bounds), mods, audience, rows=rows)

    def highest(self, names: Sequence[str], throw: Callable[[str, int], Any], mods: Callable[[str], Mapping[str, int]],
                audience: Iterable[str] | str = PUBLIC) -> tuple[str, list[Score]]:
        """Whose die is highest; those who tie throw again without modifiers; a single one throws nothing."""
        return won(names, lambda name, again: self.score(
            throw(name, again), mods(name) if again == 1 else {}, audience))

    def tell_dice(self, event: str, code: str, rule: str, rolls: Sequence[Roll | Score], **data: Any) -> None:
        """Tell a nation's own dice, where any were thrown."""
        if rolls:
            self.tell(event, [code], rule, roll=rolls, **data)


__all__ = ["ALL", "FAR", "SEASONS", "Realm", "complete", "whole_year"]
