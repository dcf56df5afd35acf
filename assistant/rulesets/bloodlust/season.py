"""The end of a season: sieges, trade, morale, winter quarters, victory (LS, TC, WF, DN, A)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assistant.campaign.columns import Ref, UnreadableValue, Whole, column
from assistant.campaign.records import Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.bloodlust import both
from assistant.rulesets.bloodlust.orders import codes_in
from assistant.rulesets.bloodlust.realm import (
    Realm,
    end_army,
    end_empty_armies,
    end_siege,
    end_war,
    free_captive,
    give_weapon,
    remove_unit,
    send_back,
    unplace_weapon,
    whole_year,
)
from assistant.rulesets.bloodlust.records import (
    DEATH,
    DISBAND,
    MORALE_OF,
    TRADE,
    WEAPON,
    WEAPON_PROVINCE,
    WILL,
    Faction,
    Node,
    Peace,
    TradeRow,
    Unit,
    War,
)
from assistant.turn.dice import RangeTable
from assistant.turn.event_types import Ending, Said
from assistant.turn.findings import Where
from assistant.turn.game import next_code
from assistant.turn.orders.words import fold
from assistant.turn.questions import AnswerKind, Ask
from assistant.turn.rulings import Count

# Trade and commerce (TC).


TRADE_ROWS = (0, 1, 3, 4, 6, 7)
"""Resources for 0, 1, 2 ... successes."""


def trade(f: Realm) -> None:
    """Every nation earns, then the tributaries pay."""
    rows = sorted((row.successes, str(row.resources)) for row in f.campaign.table(TradeRow))
    table = RangeTable.rising("trade", *(rows or [(0, "0")]))
    for nation in f.living():
        _earn(f, nation, table)
    for row in f.relations:
        payer, to = f.nations[row.of], f.nations[row.toward]
        paid = min(f.rules.tribute, payer.resources)
        if whole_year(row.tribute_until) == f.year and payer.alive and to.alive and paid:
            payer.resources, to.resources = payer.resources - paid, to.resources + paid
            f.tell("tribute", faction=row.of, partner=row.toward, n=paid)


def is_tested(f: Realm, node: Node) -> bool:
    """Whether a province is tested at all."""
    fresh = node.conquered_turn == f.turn and (f.season != "Wi" or f.rules.trade_exclude == "all")
    return not (f.besieged(node.node) or fresh or node.looted_turn == f.turn)


def _earn(f: Realm, nation: Faction, table: RangeTable) -> None:
    code, counts = nation.faction, list[Count]()
    for node in f.of(code):
        if is_tested(f, node):
            counts.append(
                f.counted(TRADE, (node.node,), mods=trade_modifiers(f, nation, node), audience=[code], rows=table)
            )
    income = sum(int(count.verdict) for count in counts)
    nation.resources += income
    if counts:
        f.tell("trade", roll=counts, faction=code, n=income, k=len(counts))


def trade_modifiers(f: Realm, nation: Faction, node: Node) -> dict[str, int]:
    """The modifiers of a province's trade."""
    rules, code = f.rules, nation.faction
    season = {"Sp": rules.trade_mods_Sp, "Su": rules.trade_mods_Su, "Wi": rules.trade_mods_Wi}.get(f.season, 0)
    enemies = f.enemies(code)
    owners = [f.provinces[near].owner for near in f.near(node.node)]
    hostile = sum(owner in enemies for owner in owners)
    offended = any(owner and f.holds(f.feeling(code, owner).backfire_until) for owner in owners)
    return {"season": season, "war next door": rules.trade_mods_war * (
                hostile if rules.trade_war == "each" else bool(hostile)),
            "peace": rules.trade_mods_peace * (not enemies), "Pole": rules.trade_mods_pole * node.pole,
            "capital": rules.trade_mods_capital * (node.capital and not node.pole),
            "unrest": rules.trade_mods_unrest * bool(nation.unrest), "offence": rules.trade_mods_offended * offended}


# Victory.


@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a nation is from the end: provinces, how many more than half of all still want; the points of the reader;
    the years that are left, this one included.
    """

    faction: str = column(Ref("Factions"), "Nation", "Nazione", key=True)
    provinces: int = column(Whole(0), "Provinces", "Province")
    lacks: int = column(Whole(0), "To more than half", "A più di metà")
    points: int | None = column(Whole(blank=True), "Points now", "Punti adesso")
    years: int = column(Whole(0), "Years left", "Anni rimasti")


def aims(f: Realm, reader: str) -> list[Aim]:
    """All nations in play, the reader's first. Resources and loot are secret, and so are the points of others."""
    half = len(f.provinces) // 2
    rows = [Aim(nation.faction, len(f.of(nation.faction)), max(0, half + 1 - len(f.of(nation.faction))),
                points_of(f, nation) if nation.faction == reader else None, max(0, f.desk.last_year - f.year + 1))
            for nation in f.living()]
    return sorted(rows, key=lambda row: row.faction != reader)


def is_last_season(f: Realm) -> bool:
    """Whether the campaign ends with this season: its last Winter, or one nation owns more than half (10)."""
    most = max((len(f.of(nation.faction)) for nation in f.living()), default=0)
    return (f.season == "Wi" and f.year >= f.desk.last_year) or 2 * most > len(f.provinces)


def points_of(f: Realm, nation: Faction) -> int:
    """The points of a nation; one that is out of play has none."""
    if not nation.alive:
        return 0
    rules, code, own = f.rules, nation.faction, f.of(nation.faction)
    foreign = [node for node in own if node.home != code]
    total = rules.score_province * len(own) + rules.score_capital * sum(node.capital for node in foreign)
    total += nation.resources // rules.score_resources
    total += rules.score_weapon * sum(weapon.state == "borne" and weapon.bearer in f.leaders
                                      and f.leaders[weapon.bearer].faction == code for weapon in f.weapons)
    ended = [peace for peace in f.peaces if peace.pays]
    total += rules.score_war * sum((peace.winner == code) - (peace.loser == code) for peace in ended)
    if nation.wants("conquest"):
        total += rules.score_conquest * len(foreign)
    if nation.wants("colonizing"):
        total += rules.score_colonizing * sum(
            any(f.provinces[near].home == code for near in f.near(node.node)) for node in foreign)
    if nation.wants("loot"):
        total += nation.looted // rules.score_loot
    if not nation.interests.split():
        total += nation.resources // rules.score_no_interest
    return total


def score_table(f: Realm) -> list[dict[str, Any]]:
    """A row for each nation with points, provinces and resources, the best first."""
    rows = [{"faction": code, "points": points_of(f, f.nations[code]), "provinces": len(f.of(code)),
             "resources": f.nations[code].resources if f.nations[code].alive else 0} for code in f.codes]
    return sorted(rows, key=lambda row: (-row["points"], -row["provinces"], -row["resources"]))


def tell_score(f: Realm) -> None:
    """Tell the end, and the table of points."""
    rows = score_table(f)
    best = {key: value for key, value in rows[0].items() if key != "faction"}
    winners = f.in_order(row["faction"] for row in rows if all(row[key] == value for key, value in best.items()))
    f.tell("campaign_ends", winners=" ".join(winners), points={row["faction"]: row["points"] for row in rows},
           provinces={row["faction"]: row["provinces"] for row in rows})


WINNERS_WINNERS_WON = both("{winners:the} {winners?has|have} won.", "{winners?Ha|Hanno} vinto {winners}.")
POINTS_POINTS = both("Points: {points}.", "Punti: {points}.")


def ending(view_events: list[Event]) -> Ending:
    """How the campaign ended, from its last event."""
    told = next((event for event in reversed(view_events) if event.event == "campaign_ends"), None)
    if told is None:
        return Ending()
    winners = tuple(str(told.data["winners"]).split())
    counted, land = dict(told.data["points"]), dict(told.data["provinces"])
    rows = [{"faction": code, "points": n, "provinces": land[code]} for code, n in counted.items()]
    verdict = Said(WINNERS_WINNERS_WON, {"winners": " ".join(winners)})
    grounds = Said(POINTS_POINTS, {"points": counted})
    return Ending((verdict,), (grounds,), winners, rows)


# Closing the season: weapons, wars without frontier, nations out of play, counters, wounds (p61).


ENVOY_EFFECTS = ("progress", "deceit_until", "deceit_kind", "no_attack_until", "target_change", "target_until",
         "backfire_until", "tribute_until", "insult_year")


def close_season(f: Realm) -> None:
    """The phase, step by step."""
    _claim_weapons(f)
    for war in f.open_wars():
        landed = f.of(war.aggressor) and f.of(war.target)
        if landed and war.target not in f.neighbours(war.aggressor):
            end_war(f, war, "frontier")
            f.tell("frontier_peace", by=war.aggressor, partner=war.target)
    for nation in f.living():
        if not f.of(nation.faction):
            _eliminate(f, nation)
    _stray_armies(f)
    for nation in f.living():
        _reset_counters(f, nation)
    for leader in f.leaders.where(lambda leader: leader.state == "wounded" and not (
            f.lasts(leader.until_turn) and leader.until_turn != f.turn)):
        leader.state, leader.until_turn = "active", ""
    f.tell("season_ends", text=f.turn)
    if is_last_season(f):
        tell_score(f)


def _claim_weapons(f: Realm) -> None:
    """A commander in a weapon's province must bear it (WP)."""
    for weapon in f.weapons.where(lambda weapon: weapon.state == "placed"):
        armies = [army.army for army in f.standing(weapon.node)]
        bearer = f.worthiest(cinc for cinc in f.cincs(*armies) if not cinc.weapon)
        if bearer is not None:
            give_weapon(f, bearer, weapon)
            f.tell("weapon_claimed", weapon=weapon.weapon, leader=bearer.leader)


def _eliminate(f: Realm, nation: Faction) -> None:
    """A nation without a province is out of play."""
    code = nation.faction
    nation.alive = False
    for war in f.open_wars():
        if code in (war.aggressor, war.target):
            end_war(f, war, "eliminated")
    for siege in f.sieges.where(lambda siege: not siege.ended and siege.besieger == code):
        end_siege(f, siege, "lifted")
    for unit in f.units.where(lambda unit: unit.active and unit.faction == code):
        remove_unit(f, unit, "disbanded")
    for leader in f.leaders.where(lambda leader: leader.state == "captured" and leader.holder == code):
        free_captive(f, leader)
    for leader in f.leaders.where(lambda leader: leader.faction == code and leader.there):
        if leader.weapon:
            unplace_weapon(f, leader)
        leader.state, leader.army, leader.holder = "gone", "", ""
    for army in f.armies.where(lambda army: army.active and army.faction == code):
        end_army(f, army)
    for row in f.relations.where(lambda relation: code in (relation.of, relation.toward)):
        blank = f.relations.record(of=row.of, toward=row.toward)
        for name in ENVOY_EFFECTS:
            setattr(row, name, getattr(blank, name))
    for ally in f.alliances.where(lambda alliance: not alliance.ended and code in (alliance.a, alliance.b)):
        ally.ended = f.turn
    f.tell("eliminated", faction=code)


def _stray_armies(f: Realm) -> None:
    """Armies on ground that is neither theirs, nor an ally's, nor besieged by them go to the seat."""
    for army in f.armies.where(lambda army: army.active):
        node = f.provinces.get(army.node)
        if node is None or not (f.friend(army.faction, node.owner) or f.besieging(army.army) is not None):
            send_back(f, army, "")


def _reset_counters(f: Realm, nation: Faction) -> None:
    """Reset the counters of the season, in Winter those of the year too."""
    nation.unrest = max(0, nation.unrest - 1)
    nation.refused_season = nation.bought = 0
    if f.season == "Wi":
        nation.invaded_last, nation.invaded_now = nation.invaded_now, False
        nation.refused_year = nation.leaders_lost = 0
        if f.rules.opposition_when == "next_season" and nation.shaken_turn != f.turn:
            nation.opposition = False
        if not f.enemies(nation.faction):
            step, gap = f.rules.nm_rest_step, nation.morale_base - nation.morale
            nation.morale += max(-step, min(step, gap))


# National morale (WF).


MORALE_ROWS = RangeTable.rising("will", (0, "disaster"), (1, "shaken"), (2, "carry_on"))
REFUSALS = 3
"""Refused battles count from the third on."""


@dataclass
class MoraleCheck:
    """The result of a nation's morale check."""

    nation: Faction
    total: int
    count: Count


def will(f: Realm) -> None:
    """Adjustment and check of all nations at war."""
    nations = [nation for nation in f.living() if f.enemies(nation.faction)]
    if f.rules.nm_adjust_mode == "permanent":
        for nation in nations:
            _adjust(f, nation)
    check_morale(f, nations)


def _adjust(f: Realm, nation: Faction) -> None:
    """The season changes morale for good (TS-Sp12)."""
    rules, code, was = f.rules, nation.faction, nation.morale
    won, lost = f.fought(code)
    capital = f.capital(code)
    change = rules.nm_won * bool(won) + rules.nm_lost * bool(lost)
    change += sum(rules.nm_capital if node.node == capital else rules.nm_province for node in f.lost_now(code))
    change += rules.nm_collapse * any(code in row.collapsed.split() for row in f.battles.of_turn(f.turn))
    nation.morale = min(rules.nm_max, max(rules.nm_min, was + change))
    if nation.morale != was:
        f.tell("morale", faction=code, a=was, b=nation.morale)


def morale_parts(f: Realm, nation: Faction) -> dict[str, int]:
    """The parts of a nation's total (WF)."""
    rules, code = f.rules, nation.faction
    won, lost = f.fought(code)
    refused = nation.refused_season if rules.refuse_window == "season" else nation.refused_year
    shaken = nation.shaken - (nation.shaken_turn == f.turn)
    leader = f.national_leader(code) if rules.nm_test_rating == "nm_plus_wr" else None
    return {"morale": nation.morale, "leader": f.wr_now(leader), "won battle": rules.will_mods_won * bool(won),
            "lost battle": rules.will_mods_lost * bool(lost),
            "refused battle": rules.will_mods_refused * (nation.refused_season > 0 and refused >= REFUSALS),
            "provinces lost": rules.will_mods_province * len(f.lost_now(code)),
            "shaken": rules.will_mods_shaken * shaken}


def check_morale(f: Realm, nations: list[Faction], again: int = 1) -> None:
    """Check the morale of some nations on the same state, and end the wars of the broken."""
    tested = [_morale_test(f, nation, again) for nation in nations]
    totals = {
        nation.faction: sum(morale_parts(f, nation).values()) for nation in f.living() if f.enemies(nation.faction)
    }
    broken = [check.nation.faction for check in tested if check.count.verdict == "disaster"]
    for check in tested:
        _apply(f, check)
    end_wars(f, broken, totals)


def _morale_test(f: Realm, nation: Faction, again: int) -> MoraleCheck:
    made_of = morale_parts(f, nation)
    rating, mods = made_of, dict[str, int]()
    if f.rules.wtf_mod_kind == "successes":
        rating = {name: made_of[name] for name in ("morale", "leader")}
        mods = {name: n for name, n in made_of.items() if name not in rating}
    count = f.rated(WILL, (nation.faction,), rating, mods, bounds=True, rows=MORALE_ROWS, again=again)
    return MoraleCheck(nation, sum(made_of.values()), count)


def _apply(f: Realm, result: MoraleCheck) -> None:
    nation, verdict, cap = result.nation, result.count.verdict, f.rules.nm_shaken_cap
    if verdict == "shaken":
        nation.opposition = True
        if not cap or nation.shaken < cap:
            nation.shaken, nation.shaken_turn = nation.shaken + 1, f.turn
    else:
        nation.shaken, nation.shaken_turn = 0, ""
    if verdict == "disaster":
        nation.unrest = f.rules.unrest_seasons
    f.tell("will", roll=result.count, faction=nation.faction, row=verdict)


# --- the ends of wars -------------------------------------------------------------------------------
def end_wars(f: Realm, broken: list[str], totals: dict[str, int]) -> None:
    """End the wars of broken nations, in id order."""
    lost = [(war, losers) for war in f.open_wars()
            if (losers := [code for code in broken if _loses(f, war, code, totals)])]
    for war, losers in lost:
        pair = (war.aggressor, war.target)
        a, b = (totals[code] for code in pair)
        if len(losers) == 1:
            loser = losers[0]
        else:
            loser = "" if a == b else pair[a > b]
        winner = next(code for code in pair if code != (loser or war.target))
        other = war.target if winner == war.aggressor else war.aggressor
        enforce_peace(f, war, winner, other, totals[winner] - totals[other], equal=not loser)


def _loses(f: Realm, war: War, code: str, totals: dict[str, int]) -> bool:
    """Whether a broken nation loses a war (`disaster_scope`)."""
    if code not in (war.aggressor, war.target):
        return False
    enemies = f.enemies(code)
    strongest = max(enemies, key=lambda enemy: totals.get(enemy, 0), default="")
    return f.rules.disaster_scope == "all_wars" or strongest in (war.aggressor, war.target)


def enforce_peace(f: Realm, war: War, winner: str, loser: str, margin: int, *, equal: bool = False,
            broken: bool = True) -> None:
    """Enforce a peace of so many years. `broken`: the loser's people broke, and now hates the winner."""
    rules = f.rules
    years = rules.peace_min if equal else min(rules.peace_cap, max(rules.peace_min, margin))
    seasons = rules.peace_unit == "seasons"
    peace = f.peaces.add(Peace(
        peace=next_code(f.peaces, "E{}"), winner=winner, loser=loser, war=war.war, pays=not equal,
        from_year=f.later(1) if seasons else str(f.year + 1),
        until_year=f.later(years) if seasons else str(f.year + years)))
    if not equal and broken:
        f.written(loser, winner).hates = True
    end_war(f, war, "enforced")
    if not equal and broken:
        f.tell("disaster", faction=loser, winner=winner, year=peace.until_year)
    f.tell("enforced_peace", winner=winner, loser=loser, year=peace.until_year)


# Winter quarters: Disband or Not, deaths of leaders, second check, weapons (DN, p60, p61).


DISBAND_ROWS = RangeTable.rising("disband", (0, "leaves"), (1, "veterans_stay"), (2, "normals_stay"))
NOBODY = ("none", "nessuna", "nessuno", "niente")
ALL_OF_THEM = ("all", "tutte", "tutti")
STAYS_FROM = {"leaves": 99, "veterans_stay": MORALE_OF["veteran"], "normals_stay": MORALE_OF["normal"]}


@dataclass(eq=False, repr=False)
class KeptUnits(AnswerKind):
    """Some of the units that may be kept, in the order named, or none."""

    faction: str = ""

    def read(self, text: str) -> str:
        """Their codes. Raises `Unfit`."""
        if fold(text.strip()) in NOBODY:
            return NOBODY[0]
        if fold(text.strip()) in ALL_OF_THEM:
            return " ".join(code for code in self.offer.options if code != NOBODY[0])
        codes = codes_in(text, self.faction or next(iter(self.offer.options), "").partition("-")[0])
        if not codes or any(code not in self.offer.options for code in codes):
            raise UnreadableValue
        return " ".join(codes)


@dataclass
class Quarters:
    """One nation's units in winter."""

    nation: Faction
    counts: list[Count]
    leaving: list[Unit]
    keepable: list[Unit]


def winter(f: Realm) -> None:
    """The phase, step by step."""
    _disband(f)
    died = _deaths(f)
    if f.rules.winter_nm_checks != "one":
        check_morale(f, [nation for nation in f.living() if f.enemies(nation.faction) and (
            f.rules.winter_nm_checks == "two" or nation.faction in died)], again=2)
    _weapons(f)
    end_empty_armies(f)


# --- Disband or Not ---------------------------------------------------------------------------------
def _disband(f: Realm) -> None:
    every = [_test_nation(f, nation) for nation in f.living()]
    pays = f.rules.disband_pay
    asked = [quarters for quarters in every
             if pays == "save_unit" and quarters.keepable and not f.self_run(quarters.nation.faction)]
    answers = f.answers([_question(f, quarters) for quarters in asked])
    named = dict(zip([quarters.nation.faction for quarters in asked], answers, strict=True))
    for quarters in every:
        if pays == "save_unit":
            _keep(f, quarters, named.get(quarters.nation.faction, ""))
        elif pays == "survivors_pay":
            _pay(f, quarters)
        _send_home(f, quarters)


def _test_nation(f: Realm, nation: Faction) -> Quarters:
    code, quarters = nation.faction, Quarters(nation, [], [], [])
    tests: dict[str, Count] = {}
    for unit in f.units.where(lambda unit: unit.active and unit.faction == code and f.besieging(unit.army) is None):
        about = unit.army if f.rules.disband_scope == "army" else unit.unit
        if about not in tests:
            tests[about] = f.counted(DISBAND, (unit.unit,), mods=_reputation(f, unit), audience=[code],
                                     rows=DISBAND_ROWS)
            quarters.counts.append(tests[about])
        count = tests[about]
        if MORALE_OF[unit.morale] < STAYS_FROM[count.verdict]:
            quarters.leaving.append(unit)
            if count.at_least(1):
                quarters.keepable.append(unit)
    return quarters


def _reputation(f: Realm, unit: Unit) -> dict[str, int]:
    """The modifier for the reputation of the army's lead."""
    lead, rules = f.lead(unit.army), f.rules
    if lead is None:
        return {}
    great, poor = (lead.reputation > 6, lead.reputation < 2) if rules.rep_threshold == "as_text" else (
        lead.reputation >= 5, lead.reputation <= 2)
    return {"reputation": rules.disband_rep_high * great + rules.disband_rep_low * poor}


def _question(f: Realm, quarters: Quarters) -> Ask:
    code = quarters.nation.faction
    units = tuple(unit.unit for unit in quarters.keepable)
    asked = {"faction": code, "units": " ".join(units), "m": quarters.nation.resources}
    return Ask("keep", code, code, (*units, "none"), "none", asked, answer=KeptUnits(code))


def _best_first(units: list[Unit]) -> list[Unit]:
    return sorted(units, key=lambda unit: (-MORALE_OF[unit.morale], -unit.rep, natural(unit.unit)))


def worth_keeping(f: Realm, nation: Faction, units: list[Unit]) -> list[Unit]:
    """The units that a self-run nation keeps: good ones (`npc_keep`), the best first, while it can spare the money."""
    good = [unit for unit in _best_first(units) if MORALE_OF[unit.morale] >= MORALE_OF[f.rules.npc_keep]]
    spare, price = max(0, nation.resources - f.rules.npc_keep_floor), f.rules.keep_price
    return good[:-(-spare // price) if price else len(good)]


def _keep(f: Realm, quarters: Quarters, named: str) -> None:
    """Keep units that would leave, for a resource each, while money lasts (BLD-052)."""
    nation, price = quarters.nation, f.rules.keep_price
    if named:
        wanted = [f.units[code] for code in named.split() if code in f.units]
        kept = wanted[:nation.resources // price if price else len(wanted)]
        if len(kept) < len(wanted):
            row = f.game.row_of(Ask("keep", nation.faction, nation.faction))
            f.game.find("BLD-052", Where(row.sheet, row.ident, "answer"), nation.faction, k=len(wanted), m=len(kept))
    elif f.self_run(nation.faction):
        kept = worth_keeping(f, nation, quarters.keepable)
    else:
        kept = []
    nation.resources = max(0, nation.resources - price * len(kept))
    quarters.leaving = [unit for unit in quarters.leaving if unit not in kept]
    if kept:
        f.tell("kept", faction=nation.faction, units=" ".join(unit.unit for unit in kept), n=len(kept))


def _pay(f: Realm, quarters: Quarters) -> None:
    """Units that stay must be paid for (`disband_pay` survivors_pay)."""
    code, price = quarters.nation.faction, f.rules.keep_price
    staying = _best_first(f.units.where(lambda unit: unit.active and unit.faction == code
                                        and f.besieging(unit.army) is None and unit not in quarters.leaving))
    paid = min(len(staying), quarters.nation.resources // price) if price else len(staying)
    quarters.nation.resources -= paid * price
    quarters.leaving += staying[paid:]


def _send_home(f: Realm, quarters: Quarters) -> None:
    if not quarters.counts:
        return
    code = quarters.nation.faction
    for unit in quarters.leaving:
        remove_unit(f, unit, "disbanded")
    stayed = f.strength(code)
    f.tell("disband_tests", roll=quarters.counts, faction=code, units=" ".join(unit.unit for unit in quarters.leaving))
    f.tell("disband", faction=code, n=len(quarters.leaving), k=stayed)


# --- deaths and weapons -----------------------------------------------------------------------------
def _deaths(f: Realm) -> list[str]:
    """National leaders may die; return the nations whose leader did (p60)."""
    died = []
    for nation in f.living():
        leader = f.national_leader(nation.faction)
        if leader is None:
            continue
        roll = f.roll(DEATH(nation.faction))
        if roll.at_least(f.rules.death_from):
            died.append(nation.faction)
            nation.leaders_lost += 1
            leader.state, leader.army, leader.holder = "dead", "", ""
            unplace_weapon(f, leader)
            f.tell("leader_dies", roll=roll, faction=nation.faction, leader=leader.leader)
    return died


def _weapons(f: Realm) -> None:
    """Weapons that are away may appear somewhere (p61)."""
    nodes = list(f.provinces.keys())
    for weapon in f.weapons.where(lambda weapon: weapon.state == "unplaced" and not (
            f.lasts(weapon.returns_turn) and weapon.returns_turn != f.turn)):
        roll = f.roll(WEAPON(weapon.weapon))
        if roll.at_least(f.rules.weapon_on):
            where = f.roll(WEAPON_PROVINCE(weapon.weapon, dice=f"1d{len(nodes)}"))
            weapon.state, weapon.node, weapon.returns_turn = "placed", nodes[where.total - 1], ""
            f.tell("weapon_placed", roll=[roll, where], weapon=weapon.weapon, node=weapon.node)
