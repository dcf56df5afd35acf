"""Who goes to war: alliances broken, white peaces, war checks, targets, allies called (p57, p58, DP)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.rulesets.bloodlust.book.records import Faction
from assistant.rulesets.bloodlust.book.sheets import War
from assistant.rulesets.bloodlust.book.tables import TARGET, TURNS, WAR
from assistant.rulesets.bloodlust.orders.columns import Nation, Nations
from assistant.rulesets.bloodlust.orders.taking import Orders
from assistant.rulesets.bloodlust.realm.change import end_alliance, end_war, open_war
from assistant.rulesets.bloodlust.realm.realm import ALL
from assistant.turn.answers.asking import Ask
from assistant.turn.board import next_code
from assistant.turn.game import Game
from assistant.turn.orders.refusal import Refused
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import order
from assistant.turn.throws.dice import RangeTable
from assistant.turn.throws.rulings import Score

ROWS = RangeTable.rising("war", (0, "peace"), (1, "maybe"), (2, "war"))


@dataclass
class Check:
    """What came of a nation's war check."""

    nation: Faction
    legal: list[str]
    verdict: str
    rolls: list[Score]
    target: str = ""


class Diplomacy(Orders):
    """The board of war and peace."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.wishes: dict[str, list[str]] = {}
        self.offers: dict[str, set[str]] = {}
        self.breaking: set[tuple[str, str]] = set()
        """Alliances that orders of this phase end."""

    def may_fight(self, nation: Faction) -> bool:
        """Whether a nation may begin a war in this season."""
        return self.season != "Wi" or nation.has_trait("winter_war")

    def legal(self, code: str, other: str) -> bool:
        """Whether a neighbour may be attacked."""
        ally = self.allied(code, other) and self.rules.alliance_effect != "join"
        return not (ally or self.at_war(code, other) or self.enforced(code, other) is not None
                    or self.holds(self.feeling(code, other).no_attack_until))

    def rumours(self, code: str) -> list[str]:
        """Who has stirred a nation up."""
        return [other for other in self.codes if self.holds(self.feeling(code, other).deceit_until)]


def _all_legal(f: Diplomacy, request: Request, others: list[Faction], name: str) -> None:
    for other in others:
        _legal(f, request, other, name)


def _legal(f: Diplomacy, request: Request, other: Faction, name: str) -> None:
    """BLD-004, 030 to 033."""
    code = request.faction
    if not f.may_fight(f.nations[code]):
        raise f.of_spring(request)
    if other.faction not in f.neighbours(code):
        raise Refused("BLD-030", name, nation=other.faction)
    if f.allied(code, other.faction) and f.rules.alliance_effect != "join" and (
            (code, other.faction) not in f.breaking):
        raise Refused("BLD-031", name, nation=other.faction)
    peace = f.enforced(code, other.faction)
    if peace is not None:
        raise Refused("BLD-032", name, nation=other.faction, year=peace.until_year)
    if f.holds(f.feeling(code, other.faction).no_attack_until):
        raise Refused("BLD-033", name, nation=other.faction)


def _at_war(f: Diplomacy, request: Request, other: Faction, name: str) -> None:
    if not f.at_war(request.faction, other.faction):
        raise Refused("BLD-035", name, nation=other.faction)


def _allied(f: Diplomacy, request: Request, other: Faction, name: str) -> None:
    if not f.allied(request.faction, other.faction) and (request.faction, other.faction) not in f.breaking:
        raise Refused("BLD-036", name, nation=other.faction)
    f.breaking.add((request.faction, other.faction))


@order("war", "guerra", when=("war",), target=Nations(then=(_all_legal,)),
       help="Name whom to fight, the dearest first.")
def war(f: Diplomacy, request: Request, others: list[Faction]) -> None:
    """Several rows, or several nations in one, are preferences."""
    for other in others:
        if f.at_war(request.faction, other.faction):
            request.find(f, "BLD-034", "target", nation=other.faction)
        f.wishes.setdefault(request.faction, []).append(other.faction)


@order("peace", "pace", when=("war",), target=Nation(then=(_at_war,)), help="Offer a white peace.")
def peace(f: Diplomacy, request: Request, other: Faction) -> None:
    """It takes both."""
    f.offers.setdefault(request.faction, set()).add(other.faction)


@order("break", "rompi", when=("war",), target=Nation(then=(_allied,)), help="End an alliance.")
def breaking(f: Diplomacy, request: Request, other: Faction) -> None:
    """It ends at once."""
    end_alliance(f, request.faction, other.faction)


def wishing(f: Diplomacy) -> None:
    """The clubs' orders: alliances are broken first."""
    f.carry(f.taken(("break",), ("peace",), ("war",)))


def white_peaces(f: Diplomacy) -> None:
    """Wars that both sides, or one and the rules, let end."""
    for row in f.open_wars():
        a, b = row.aggressor, row.target
        weary = {code for code in (a, b) if _weary(f, row, code)}
        offers = {code for code, other in ((a, b), (b, a)) if other in f.offers.get(code, ())}
        if f.rules.npc_offer == "weary":
            offers |= weary
        if offers and offers | weary == {a, b}:
            end_war(f, row, "white")
            f.tell("white_peace", ALL, "A", touch=[row], by=a, partner=b)


def _weary(f: Diplomacy, row: War, code: str) -> bool:
    """Whether a self-run nation takes a peace: of little morale, or after a long war."""
    rules = f.rules
    return f.self_run(code) and (
        f.nations[code].morale <= rules.npc_peace_morale or _seasons(f, row) >= rules.npc_peace_seasons)


def _seasons(f: Diplomacy, row: War) -> int:
    """How many seasons a war has lasted."""
    n, turn = 0, row.began
    while TURNS.key(turn) < TURNS.key(f.turn):
        turn, n = TURNS.after(turn), n + 1
    return n


# --- war checks -------------------------------------------------------------------------------------
def checks(f: Diplomacy) -> None:
    """Nations at peace check for war; those who go choose a target; all wars are opened together; allies are called."""
    found = [_check(f, nation) for nation in f.living() if f.may_fight(nation) and not f.enemies(nation.faction)]
    for one in found:
        one.target = _target(f, one)
        f.tell("war_check", [one.nation.faction], "p57", roll=one.rolls or None, faction=one.nation.faction,
               verdict=one.verdict)
    chosen = {one.nation.faction: one.target for one in found if one.target}
    opened = []
    for code, other in chosen.items():
        if chosen.get(other) == code:
            if not f.at_war(code, other):
                opened.append(open_war(f, code, other, "both"))
        else:
            opened.append(open_war(f, code, other, "check"))
    if f.rules.alliance_effect != "no_attack":
        call_allies(f, opened)


def _check(f: Diplomacy, nation: Faction) -> Check:
    code, rules = nation.faction, f.rules
    legal = [other for other in f.neighbours(code) if f.legal(code, other)]
    if not legal:
        return Check(nation, [], "no_neighbour", [])
    if rules.player_war == "choose" and not f.self_run(code):
        return Check(nation, legal, "choice", [])
    wary = rules.intimidate_use == "war_die" and any(_cowed(f, code, other) for other in legal)
    rating = {"war rating": nation.war, "conquest": rules.war_conquest * nation.wants("conquest"),
              "hated neighbour": rules.war_hated * any(f.feeling(code, other).hates for other in legal),
              "low morale": rules.war_low_morale * (nation.morale <= rules.war_low_morale_to),
              "intimidated": -int(wary)}
    stirred = f.rumours(code)
    count = f.rated(WAR, (code,), rating, {"rumours": int(bool(stirred))}, [code], rows=ROWS)
    if stirred and ROWS.at(max(0, count.total - 1)) != count.verdict:
        legal = [other for other in legal if other not in stirred or f.feeling(code, other).deceit_kind != "third"]
    return Check(nation, legal, count.verdict, [count])


def _target(f: Diplomacy, one: Check) -> str:
    """Whom a nation fights; "" for nobody."""
    code = one.nation.faction
    wish = next((other for other in f.wishes.get(code, ()) if other in one.legal), "")
    if one.verdict in ("peace", "no_neighbour") or not one.legal:
        return ""
    if not f.self_run(code):
        if one.verdict in ("maybe", "choice") or wish:
            return wish
    elif one.verdict == "maybe" and not _tempted(f, one):
        return ""
    target, rolls = f.highest(one.legal, lambda other, again: TARGET(code, other, again=again),
                              lambda other: _target_mods(f, one, other), [code])
    one.rolls += rolls
    return target


def _tempted(f: Diplomacy, one: Check) -> bool:
    """Whether a self-run nation wants war where its people leave it open."""
    nation, maybe = one.nation, f.rules.npc_maybe
    if maybe in ("always", "never"):
        return maybe == "always"
    weaker = any(f.strength(other) < f.strength(nation.faction) for other in one.legal)
    richer = any(f.nations[other].resources > nation.resources for other in one.legal)
    return (nation.wants("conquest") or nation.wants("loot")) and (
        (weaker and maybe != "richer") or (richer and maybe != "weaker"))


def _regard(f: Diplomacy, code: str, other: str) -> int:
    """What an envoy has changed in a nation's regard for another."""
    row = f.feeling(code, other)
    return row.target_change if f.holds(row.target_until) else 0


def _cowed(f: Diplomacy, code: str, other: str) -> bool:
    """Whether that was a threat: a deceiver, who changes the same die, has left rumours beside it."""
    row = f.feeling(code, other)
    return _regard(f, code, other) < 0 and row.deceit_until != row.target_until


def _target_mods(f: Diplomacy, one: Check, other: str) -> dict[str, int]:
    """What counts on the die of a possible target (p58)."""
    rules, nation, code = f.rules, one.nation, one.nation.faction
    land = {rival: len(f.of(rival)) for rival in one.legal}
    money = {rival: f.nations[rival].resources for rival in one.legal}
    mine = {node.node for node in f.of(code)}
    bare = nation.wants("colonizing") and any(
        f.undefended(node.node) and mine & set(f.near(node.node)) for node in f.of(other))
    regard = 0 if rules.intimidate_use == "war_die" and _cowed(f, code, other) else _regard(f, code, other)
    return {"hated": rules.target_mods_hated * f.feeling(code, other).hates,
            "weaker": rules.target_mods_weaker * (f.strength(other) < f.strength(code)),
            "most land": rules.target_mods_most_land * (
                nation.wants("conquest") and land[other] == max(land.values())),
            "richest": rules.target_mods_richest * (nation.wants("loot") and money[other] == max(money.values())),
            "undefended": rules.target_mods_undefended * bare,
            "tributary": rules.target_mods_tributary * f.holds(f.feeling(other, code).tribute_until),
            "old regard": regard}


def call_allies(f: Diplomacy, opened: list[War]) -> None:
    """Allies of those who are attacked join, or are allies no more."""
    called = [(row, ally) for row in opened for ally in f.allies(row.target)
              if ally != row.aggressor and not f.at_war(ally, row.aggressor) and not f.allied(ally, row.aggressor)
              and f.enforced(ally, row.aggressor) is None]
    asked = [(row, ally) for row, ally in called if not f.self_run(ally)]
    answers = dict(zip([(row.war, ally) for row, ally in asked], f.answers([
        Ask("join", ally, f"{row.war}/{ally}", ("yes", "no"), "yes",
            {"faction": ally, "by": row.aggressor, "partner": row.target})
        for row, ally in asked]), strict=True))
    by_rule = "yes" if f.rules.npc_ally == "joins" else "no"
    for row, ally in called:
        if answers.get((row.war, ally), by_rule) == "yes":
            if f.at_war(ally, row.aggressor):
                continue
            mine = f.wars.add(War(war=next_code(f.wars, "W{}"), aggressor=ally, target=row.aggressor, reason="ally",
                                  began=f.turn))
            f.tell("ally_joined", ALL, "DP", touch=[mine], by=ally, partner=row.target, opponent=row.aggressor)
        else:
            for row_of in f.alliances.where(lambda one: not one.ended and {one.a, one.b} == {ally, row.target}):  # noqa: B023
                row_of.ended = f.turn
                f.touch(row_of)
            f.tell("ally_refused", ALL, "DP", by=ally, partner=row.target)
