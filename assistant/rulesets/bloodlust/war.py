"""Who goes to war, invasions, and the defenders' responses (p57, p58, DP, DA)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.records import Faction as BaseFaction
from assistant.rulesets.bloodlust import both
from assistant.rulesets.bloodlust.orders import (
    OrderBoard,
    OtherNation,
    OtherNations,
)
from assistant.rulesets.bloodlust.realm import (
    end_alliance,
    end_war,
    open_war,
    whole_year,
)
from assistant.rulesets.bloodlust.records import (
    ALLIANCE,
    DIPLOMACY,
    DIPLOMAT,
    STANCE,
    TARGET,
    TURNS,
    WAR,
    Alliance,
    EnvoyRow,
    Faction,
    War,
)
from assistant.rulesets.bloodlust.season import enforce_peace
from assistant.turn.dice import RangeTable
from assistant.turn.findings import Where
from assistant.turn.game import Game, next_code
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.rulings import Count, Limit, Score

# Who goes to war: broken alliances, white peace, war checks, targets, allies (p57, p58, DP).


WAR_ROWS = RangeTable.rising("war", (0, "peace"), (1, "maybe"), (2, "war"))


@dataclass
class WarCheck:
    """The result of a nation's war check."""

    nation: Faction
    legal: list[str]
    verdict: str
    rolls: list[Score]
    target: str = ""


class WarBoard(OrderBoard):
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
        """The nations whose rumours stir a nation up."""
        return [other for other in self.codes if self.holds(self.feeling(code, other).deceit_until)]


def _check_targets(f: WarBoard, request: Request, others: list[Faction], name: str) -> None:
    for other in others:
        _check_target(f, request, other, name)


def _check_target(f: WarBoard, request: Request, other: Faction, name: str) -> None:
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


def _check_at_war(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    if not f.at_war(request.faction, other.faction):
        raise Refused("BLD-035", name, nation=other.faction)


def _check_allied(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    if not f.allied(request.faction, other.faction) and (request.faction, other.faction) not in f.breaking:
        raise Refused("BLD-036", name, nation=other.faction)
    f.breaking.add((request.faction, other.faction))


@order("war", "guerra", when=("war",), target=OtherNations(then=(_check_targets,)),
       help=both("Name whom to fight, the dearest first.", "Dire chi attaccare, il preferito per primo."))
def war(f: WarBoard, request: Request, others: list[Faction]) -> None:
    """Several rows, or several nations in one, are preferences."""
    for other in others:
        if f.at_war(request.faction, other.faction):
            request.find(f, "BLD-034", "target", nation=other.faction)
        f.wishes.setdefault(request.faction, []).append(other.faction)


@order("peace", "pace", when=("war",), target=OtherNation(then=(_check_at_war,)),
       help=both("Offer a white peace.", "Offrire una pace bianca."))
def peace(f: WarBoard, request: Request, other: Faction) -> None:
    """A white peace takes both sides."""
    f.offers.setdefault(request.faction, set()).add(other.faction)


@order("break", "rompi", when=("war",), target=OtherNation(then=(_check_allied,)),
       help=both("End an alliance.", "Rompi un'alleanza."))
def break_alliance(f: WarBoard, request: Request, other: Faction) -> None:
    """The alliance ends at once."""
    end_alliance(f, request.faction, other.faction)


def take_war_orders(f: WarBoard) -> None:
    """Take the clubs' orders; alliances are broken first."""
    f.carry(f.taken(("break",), ("peace",), ("war",)))


def white_peaces(f: WarBoard) -> None:
    """End the wars that both sides want to end; for a self-run nation the rules decide."""
    for row in f.open_wars():
        a, b = row.aggressor, row.target
        weary = {code for code in (a, b) if _takes_peace(f, row, code)}
        offers = {code for code, other in ((a, b), (b, a)) if other in f.offers.get(code, ())}
        if f.rules.npc_offer == "weary":
            offers |= weary
        if offers and offers | weary == {a, b}:
            end_war(f, row, "white")
            f.tell("white_peace", by=a, partner=b)


def _takes_peace(f: WarBoard, row: War, code: str) -> bool:
    """Whether a self-run nation takes a peace: with low morale, or after a long war."""
    rules = f.rules
    return f.self_run(code) and (
        f.nations[code].morale <= rules.npc_peace_morale or _seasons(f, row) >= rules.npc_peace_seasons)


def _seasons(f: WarBoard, row: War) -> int:
    """How many seasons a war has lasted."""
    n, turn = 0, row.began
    while TURNS.key(turn) < TURNS.key(f.turn):
        turn, n = TURNS.after(turn), n + 1
    return n


# --- war checks -------------------------------------------------------------------------------------
def check_for_war(f: WarBoard) -> None:
    """Nations at peace check for war and choose targets; all wars open together, then allies are called."""
    checks = [_check(f, nation) for nation in f.living() if f.may_fight(nation) and not f.enemies(nation.faction)]
    for check in checks:
        check.target = _target(f, check)
        f.tell("war_check", roll=check.rolls or None, faction=check.nation.faction, verdict=check.verdict)
    chosen = {check.nation.faction: check.target for check in checks if check.target}
    opened = []
    for code, other in chosen.items():
        if chosen.get(other) == code:
            if not f.at_war(code, other):
                opened.append(open_war(f, code, other, "both"))
        else:
            opened.append(open_war(f, code, other, "check"))
    if f.rules.alliance_effect != "no_attack":
        call_allies(f, opened)


def _check(f: WarBoard, nation: Faction) -> WarCheck:
    code, rules = nation.faction, f.rules
    legal = [other for other in f.neighbours(code) if f.legal(code, other)]
    if not legal:
        return WarCheck(nation, [], "no_neighbour", [])
    if rules.player_war == "choose" and not f.self_run(code):
        return WarCheck(nation, legal, "choice", [])
    wary = rules.intimidate_use == "war_die" and any(_is_intimidated(f, code, other) for other in legal)
    rating = {"war rating": nation.war, "conquest": rules.war_conquest * nation.wants("conquest"),
              "hated neighbour": rules.war_hated * any(f.feeling(code, other).hates for other in legal),
              "low morale": rules.war_low_morale * (nation.morale <= rules.war_low_morale_to),
              "intimidated": -int(wary)}
    stirred = f.rumours(code)
    count = f.rated(WAR, (code,), rating, {"rumours": int(bool(stirred))}, [code], rows=WAR_ROWS)
    if stirred and WAR_ROWS.at(max(0, count.total - 1)) != count.verdict:
        legal = [other for other in legal if other not in stirred or f.feeling(code, other).deceit_kind != "third"]
    return WarCheck(nation, legal, count.verdict, [count])


def _target(f: WarBoard, check: WarCheck) -> str:
    """Whom a nation fights; "" for nobody."""
    code = check.nation.faction
    wish = next((other for other in f.wishes.get(code, ()) if other in check.legal), "")
    if check.verdict in ("peace", "no_neighbour") or not check.legal:
        return ""
    if not f.self_run(code):
        if check.verdict in ("maybe", "choice") or wish:
            return wish
    elif check.verdict == "maybe" and not _wants_war(f, check):
        return ""
    target, rolls = f.highest(check.legal, lambda other, again: TARGET(code, other, again=again),
                              lambda other: _target_mods(f, check, other), [code])
    check.rolls += rolls
    return target


def _wants_war(f: WarBoard, check: WarCheck) -> bool:
    """Whether a self-run nation wants war when its check says maybe."""
    nation, maybe = check.nation, f.rules.npc_maybe
    if maybe in ("always", "never"):
        return maybe == "always"
    weaker = any(f.strength(other) < f.strength(nation.faction) for other in check.legal)
    richer = any(f.nations[other].resources > nation.resources for other in check.legal)
    return (nation.wants("conquest") or nation.wants("loot")) and (
        (weaker and maybe != "richer") or (richer and maybe != "weaker"))


def _regard(f: WarBoard, code: str, other: str) -> int:
    """How an envoy has changed a nation's regard for another."""
    row = f.feeling(code, other)
    return row.target_change if f.holds(row.target_until) else 0


def _is_intimidated(f: WarBoard, code: str, other: str) -> bool:
    """Whether the change was a threat; a deceiver changes the same die, but leaves rumours as well."""
    row = f.feeling(code, other)
    return _regard(f, code, other) < 0 and row.deceit_until != row.target_until


def _target_mods(f: WarBoard, check: WarCheck, other: str) -> dict[str, int]:
    """The modifiers of the die for a possible target (p58)."""
    rules, nation, code = f.rules, check.nation, check.nation.faction
    land = {rival: len(f.of(rival)) for rival in check.legal}
    money = {rival: f.nations[rival].resources for rival in check.legal}
    mine = {node.node for node in f.of(code)}
    bare = nation.wants("colonizing") and any(
        f.undefended(node.node) and mine & set(f.near(node.node)) for node in f.of(other))
    regard = 0 if rules.intimidate_use == "war_die" and _is_intimidated(f, code, other) else _regard(f, code, other)
    return {"hated": rules.target_mods_hated * f.feeling(code, other).hates,
            "weaker": rules.target_mods_weaker * (f.strength(other) < f.strength(code)),
            "most land": rules.target_mods_most_land * (
                nation.wants("conquest") and land[other] == max(land.values())),
            "richest": rules.target_mods_richest * (nation.wants("loot") and money[other] == max(money.values())),
            "undefended": rules.target_mods_undefended * bare,
            "tributary": rules.target_mods_tributary * f.holds(f.feeling(other, code).tribute_until),
            "old regard": regard}


def call_allies(f: WarBoard, opened: list[War]) -> None:
    """Allies of the attacked join the war, or the alliance ends."""
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
            f.wars.add(War(war=next_code(f.wars, "W{}"), aggressor=ally, target=row.aggressor, reason="ally",
                           began=f.turn))
            f.tell("ally_joined", by=ally, partner=row.target, opponent=row.aggressor)
        else:
            for row_of in f.alliances.where(lambda alliance: not alliance.ended
                                            and {alliance.a, alliance.b} == {ally, row.target}):  # noqa: B023
                row_of.ended = f.turn
            f.tell("ally_refused", by=ally, partner=row.target)


# Envoys: where they go, their stance, their successes and effects (DS, DP).


ENVOYS = (
    ("target_conquest", -1, 1, 0, 0),
    ("self_conquest", 1, 0, 1, 1),
    ("target_colonizing", -1, 0, 0, 0),
    ("self_colonizing", 1, -1, 1, 0),
    ("target_loot", -1, 2, 0, 0),
    ("self_loot", 1, 0, 1, -1),
    ("target_at_war", 1, 0, 1, 0),
    ("self_at_war", -1, -1, 1, -1),
    ("target_at_peace", 1, -1, 1, -1),
    ("self_at_peace", 1, 1, 0, -2),
    ("target_richer", 1, 0, 0, -1),
    ("self_richer", 1, 0, 1, -1),
    ("target_more_land", 1, 0, -1, -1),
    ("target_less_land", 0, 1, -1, -1),
)
"""What an envoy's successes gain by row: Friendly, Deceiving, Intimidating, Dominating."""
FRIENDLY, DECEIVING, INTIMIDATING, DOMINATING = "friendly", "deceiving", "intimidating", "dominating"


@dataclass
class Visit:
    """An envoy of one nation to another.

    `progress`, `allied`: what is left after the blows of this Winter; `war`: the war between the two before it.
    """

    sender: str
    receiver: str
    rolls: list[Score]
    stance: str = ""
    total: int = 0
    progress: bool = False
    allied: bool = False
    war: War | None = None
    effect: str = "nothing"


class EnvoyBoard(OrderBoard):
    """The orders of a Winter's envoys: who sends one, and to whom."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.sent: dict[str, str] = {}


@order("envoy", "inviato", when=("envoys",), target=OtherNation(code="BLD-070"),
       help=both("Send an envoy to a nation.", "Mandare un inviato a una nazione."))
def envoy(f: EnvoyBoard, request: Request, other: Faction) -> None:
    """One a Winter."""
    f.sent[request.faction] = other.faction


def take_envoys(f: EnvoyBoard) -> None:
    """Take the clubs' envoys; for a nation that names none the dice choose (BLD-072)."""
    f.carry(f.taken(("envoy",)))
    for nation in f.living():
        if nation.faction not in f.sent and not f.self_run(nation.faction):
            f.game.find("BLD-072", Where(BaseFaction.sheet, nation.faction, "faction"), nation.faction)


def resolve_visits(f: EnvoyBoard) -> None:
    """Throw for all visits on the state before; blows undo friendship first, then the effects apply."""
    made = [visit for nation in f.living() if (visit := _visit(f, nation)) is not None]
    for call in made:
        if call.stance == FRIENDLY and call.total <= 0:
            _end_friendship(f, call)
    for call in made:
        call.progress = f.feeling(call.sender, call.receiver).progress
        call.allied = f.allied(call.sender, call.receiver)
    agreed = _ask_alliances(f,
                            [call for call in made if call.stance == FRIENDLY and call.total >= 2 and not call.progress
                          and not call.allied and call.war is None])
    for call in made:
        if call.progress:
            f.written(call.sender, call.receiver).progress = False
        EFFECTS[call.stance](f, call, agreed.get((call.sender, call.receiver), True))
        _tell(f, call)


def _visit(f: EnvoyBoard, nation: Faction) -> Visit | None:
    code = nation.faction
    near = f.neighbours(code) or [faction.faction for faction in f.living() if faction.faction != code]
    if not near:
        return None
    other, rolls = f.sent.get(code, ""), list[Score]()
    if not other:
        other, rolls = f.highest(near, lambda neighbour, again: DIPLOMAT(code, neighbour, again=again),
                                 lambda neighbour: {}, [code])
    visit = Visit(code, other, rolls, war=next((war for war in f.open_wars() if war.between(code, other)), None))
    stance = f.score(STANCE(code), _stance_mods(f, code, other), [code])
    shown = stance.total if f.rules.stance_clamp == "none" else min(6, max(1, stance.total))
    visit.stance = FRIENDLY if shown <= 2 else DECEIVING if shown == 3 else INTIMIDATING if shown == 4 else DOMINATING
    count = _diplomacy(f, visit)
    visit.total = count.total
    visit.rolls += [stance, count]
    return visit


def _stance_mods(f: EnvoyBoard, code: str, other: str) -> dict[str, int]:
    """Modifiers of the stance: battles this year, a leader lost, a hero of the other nation (DS)."""
    won = lost = 0
    for row in f.battles.where(lambda battle: battle.status == "played" and whole_year(battle.turn) == f.year):
        sides = {"attacker": f.parties(row, "attacker"), "defender": f.parties(row, "defender")}
        mine = next((side for side in sides if code in sides[side]), "")
        theirs = next((side for side in sides if other in sides[side]), "")
        if mine and theirs and mine != theirs:
            won, lost = won + (row.winner == mine), lost + (row.winner == theirs)
    hero = bool(f.leaders.where(lambda leader: leader.faction == other and leader.rank == "hero"
                                and leader.state == "active"))
    return {"battles": (won > lost) - (won < lost), "leader lost": int(f.nations[other].leaders_lost > 0),
            "hero": -int(hero)}


def applicable_rows(f: EnvoyBoard, code: str, other: str) -> list[str]:
    """The rows of the envoy table that apply between two nations."""
    me, them = f.nations[code], f.nations[other]
    mine, theirs = len(f.of(code)), len(f.of(other))
    holds = {f"{who}_{interest}": row.wants(interest) for interest in ("conquest", "colonizing", "loot")
             for who, row in (("target", them), ("self", me))}
    holds |= {"target_at_war": bool(f.enemies(other)), "self_at_war": bool(f.enemies(code)),
              "target_at_peace": not f.enemies(other), "self_at_peace": not f.enemies(code),
              "target_richer": them.resources > me.resources, "self_richer": me.resources > them.resources,
              "target_more_land": theirs > mine, "target_less_land": theirs < mine}
    return [row for row, is_so in holds.items() if is_so]


def _diplomacy(f: EnvoyBoard, visit: Visit) -> Count:
    table, cap = f.campaign.table(EnvoyRow), f.rules.diplo_cap
    mods = {row: int(getattr(table[row], visit.stance)) for row in applicable_rows(f, visit.sender, visit.receiver)
            if row in table}
    whole = sum(mods.values())
    if cap and abs(whole) > cap:
        mods = {"rows": cap if whole > 0 else -cap}
    n = 2
    if f.rules.diplo_mod_kind == "dice":
        n, mods = n + sum(mods.values()), {}
    return f.counted(DIPLOMACY, (visit.sender,), n, mods, [visit.sender])


# --- effects ----------------------------------------------------------------------------------------
def _ask_alliances(f: EnvoyBoard, visits: list[Visit]) -> dict[tuple[str, str], bool]:
    """Whether each nation takes the alliance offered to it: clubs are asked, self-run nations throw."""
    asked = [visit for visit in visits if not f.self_run(visit.receiver)]
    answers = f.answers([Ask("alliance", visit.receiver, f"{visit.sender}/{visit.receiver}", ("yes", "no"), "no",
                                     {"faction": visit.receiver, "by": visit.sender}) for visit in asked])
    alliances = {(visit.sender, visit.receiver): answer == "yes" for visit, answer in zip(asked, answers, strict=True)}
    for visit in visits:
        if (visit.sender, visit.receiver) not in alliances:
            count = f.count(ALLIANCE(visit.sender, visit.receiver), Limit(f.rules.npc_alliance_to), None,
                            [visit.receiver])
            alliances[visit.sender, visit.receiver] = count.at_least(1)
            f.tell("considered", roll=count, faction=visit.receiver, partner=visit.sender)
    return alliances


def _end_friendship(f: EnvoyBoard, visit: Visit) -> None:
    """All progress and any alliance between the two are lost."""
    for a, b in ((visit.sender, visit.receiver), (visit.receiver, visit.sender)):
        if f.feeling(a, b).progress:
            f.written(a, b).progress = False
    end_alliance(f, visit.sender, visit.receiver)
    visit.effect = "blow"


def _friendly(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    a, b = visit.sender, visit.receiver
    if visit.total <= 0:
        return
    if visit.war is not None or not (visit.progress or (visit.total >= 2 and agreed and not visit.allied)):
        f.written(a, b).progress = True
        visit.effect = "progress"
    elif not visit.allied:
        visit.effect = "alliance"
        if not f.allied(a, b):
            _ally(f, a, b)


def _ally(f: EnvoyBoard, a: str, b: str) -> None:
    """Two nations are allied from now on."""
    first, second = f.in_order((a, b))
    row = Alliance(a=first, b=second, since=f.turn)
    old = f.alliances.get(row.ident)
    if old is not None:
        f.alliances.remove(row.ident)
    row = f.alliances.add(row)
    f.tell("alliance", by=first, partner=second)


def _deceiving(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    row, year = f.written(visit.receiver, visit.sender), str(f.year + 1)
    row.deceit_until = year
    row.deceit_kind = "third" if f.rules.deceive_war == "by_row" and visit.total >= 1 else "anyone"
    if visit.total >= 2:
        row.no_attack_until = year
    else:
        row.target_change, row.target_until = -1 if visit.total == 1 else 1, year
    visit.effect = "stirred" if visit.total >= 1 else "seen_through"


def _intimidating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    year = str(f.year + 1)
    if visit.total >= 2:
        row = f.written(visit.receiver, visit.sender)
        row.target_change, row.target_until = -1, year
        visit.effect = "impressed"
    elif visit.total <= 0:
        if f.rules.intimidate_backfire in ("sender", "both"):
            f.written(visit.sender, visit.receiver).backfire_until = year
        if f.rules.intimidate_backfire in ("target", "both"):
            f.written(visit.receiver, visit.sender).backfire_until = year
        visit.effect = "offended"


def _dominating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    year, war = str(f.year + 1), visit.war
    if visit.total >= 2 and war is not None and war.ended:
        return
    if visit.total >= 2 and war is not None:
        morale = {code: f.nations[code].morale + (f.wr_now(f.national_leader(code))
                  if f.rules.nm_test_rating == "nm_plus_wr" else 0) for code in (visit.sender, visit.receiver)}
        enforce_peace(f, war, visit.sender, visit.receiver, morale[visit.sender] - morale[visit.receiver], broken=False)
        visit.effect = "peace"
    elif visit.total >= 2:
        f.written(visit.receiver, visit.sender).tribute_until = year
        visit.effect = "tribute"
    elif visit.total <= 0 and war is None:
        row = f.written(visit.receiver, visit.sender)
        row.insult_year = year
        visit.effect = "insult"
        f.tell("insult", faction=visit.sender, partner=visit.receiver)


EFFECTS = {FRIENDLY: _friendly, DECEIVING: _deceiving, INTIMIDATING: _intimidating, DOMINATING: _dominating}


def _tell(f: EnvoyBoard, visit: Visit) -> None:
    """Tell the sender everything; the receiver learns of the visit, and its stance unless deceit or without effect."""
    f.tell("envoy", [visit.sender], roll=visit.rolls, faction=visit.sender, partner=visit.receiver, how="sent",
           stance=visit.stance, effect=visit.effect)
    hidden = visit.stance == DECEIVING or (visit.stance != FRIENDLY and visit.effect == "nothing")
    if hidden:
        f.tell("envoy", rule="DS", faction=visit.sender, partner=visit.receiver, how="respects")
    else:
        f.tell("envoy", rule="DS", faction=visit.sender, partner=visit.receiver, how="visit", stance=visit.stance)
