"""Envoys: where they go, their stance, their successes and effects (DS, DP)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.records import ALL
from assistant.campaign.records import Faction as BaseFaction
from assistant.rulesets.bloodlust.orders import OrderBoard, OtherNation
from assistant.rulesets.bloodlust.realm import end_alliance, whole_year
from assistant.rulesets.bloodlust.records import Alliance, EnvoyRow, Faction, War
from assistant.rulesets.bloodlust.season import enforce_peace
from assistant.rulesets.bloodlust.tables import ALLIANCE, DIPLOMACY, DIPLOMAT, STANCE
from assistant.turn.findings import Where
from assistant.turn.game import Game
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.rulings import Count, Limit, Score

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
    """The board of envoys."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.sent: dict[str, str] = {}


@order("envoy", "inviato", when=("envoys",), target=OtherNation(code="BLD-070"), help="Send an envoy to a nation.")
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
    for one in made:
        if one.stance == FRIENDLY and one.total <= 0:
            _end_friendship(f, one)
    for one in made:
        one.progress = f.feeling(one.sender, one.receiver).progress
        one.allied = f.allied(one.sender, one.receiver)
    agreed = _ask_alliances(f, [one for one in made if one.stance == FRIENDLY and one.total >= 2 and not one.progress
                             and not one.allied and one.war is None])
    for one in made:
        if one.progress:
            f.written(one.sender, one.receiver).progress = False
        EFFECTS[one.stance](f, one, agreed.get((one.sender, one.receiver), True))
        _tell(f, one)


def _visit(f: EnvoyBoard, nation: Faction) -> Visit | None:
    code = nation.faction
    near = f.neighbours(code) or [one.faction for one in f.living() if one.faction != code]
    if not near:
        return None
    other, rolls = f.sent.get(code, ""), list[Score]()
    if not other:
        other, rolls = f.highest(near, lambda one, again: DIPLOMAT(code, one, again=again), lambda one: {}, [code])
    one = Visit(code, other, rolls, war=next((war for war in f.open_wars() if war.between(code, other)), None))
    stance = f.score(STANCE(code), _stance_mods(f, code, other), [code])
    shown = stance.total if f.rules.stance_clamp == "none" else min(6, max(1, stance.total))
    one.stance = FRIENDLY if shown <= 2 else DECEIVING if shown == 3 else INTIMIDATING if shown == 4 else DOMINATING
    count = _diplomacy(f, one)
    one.total = count.total
    one.rolls += [stance, count]
    return one


def _stance_mods(f: EnvoyBoard, code: str, other: str) -> dict[str, int]:
    """Modifiers of the stance: battles this year, a leader lost, a hero of the other nation (DS)."""
    won = lost = 0
    for row in f.battles.where(lambda one: one.status == "played" and whole_year(one.turn) == f.year):
        sides = {"attacker": f.parties(row, "attacker"), "defender": f.parties(row, "defender")}
        mine = next((side for side in sides if code in sides[side]), "")
        theirs = next((side for side in sides if other in sides[side]), "")
        if mine and theirs and mine != theirs:
            won, lost = won + (row.winner == mine), lost + (row.winner == theirs)
    hero = bool(f.leaders.where(lambda one: one.faction == other and one.rank == "hero" and one.state == "active"))
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
    found = {(visit.sender, visit.receiver): answer == "yes" for visit, answer in zip(asked, answers, strict=True)}
    for visit in visits:
        if (visit.sender, visit.receiver) not in found:
            count = f.count(ALLIANCE(visit.sender, visit.receiver), Limit(f.rules.npc_alliance_to), None,
                            [visit.receiver])
            found[visit.sender, visit.receiver] = count.at_least(1)
            f.tell("considered", [visit.receiver], "DP", roll=count, faction=visit.receiver, partner=visit.sender)
    return found


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
    f.tell("alliance", ALL, "DP", touch=[row], by=first, partner=second)


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
        f.tell("insult", ALL, "DP", touch=[row], faction=visit.sender, partner=visit.receiver)


EFFECTS = {FRIENDLY: _friendly, DECEIVING: _deceiving, INTIMIDATING: _intimidating, DOMINATING: _dominating}


def _tell(f: EnvoyBoard, visit: Visit) -> None:
    """Tell the sender everything; the receiver learns of the visit, and its stance unless deceit or without effect."""
    f.tell("envoy", [visit.sender], "DS DP", roll=visit.rolls, faction=visit.sender, partner=visit.receiver, how="sent",
           stance=visit.stance, effect=visit.effect)
    hidden = visit.stance == DECEIVING or (visit.stance != FRIENDLY and visit.effect == "nothing")
    if hidden:
        f.tell("envoy", [visit.receiver], "DS", faction=visit.sender, partner=visit.receiver, how="respects")
    else:
        f.tell("envoy", [visit.receiver], "DS", faction=visit.sender, partner=visit.receiver, how="visit",
               stance=visit.stance)
