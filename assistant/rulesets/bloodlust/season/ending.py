"""The end of a season: weapons claimed, wars without frontier, nations out of play, counters, wounds, the end (p61)."""

from __future__ import annotations

from assistant.rulesets.bloodlust.book.records import Faction
from assistant.rulesets.bloodlust.realm.change import end_army, end_siege, end_war, free, go_back, leave
from assistant.rulesets.bloodlust.realm.people import arm, unplace
from assistant.rulesets.bloodlust.realm.realm import ALL, Realm
from assistant.rulesets.bloodlust.season.points import ends, tell_score

MARKS = ("progress", "deceit_until", "deceit_kind", "no_attack_until", "target_change", "target_until",
         "backfire_until", "tribute_until", "insult_year")


def close(f: Realm) -> None:
    """The phase, step by step."""
    _claim_weapons(f)
    for war in f.open_wars():
        landed = f.of(war.aggressor) and f.of(war.target)
        if landed and war.target not in f.neighbours(war.aggressor):
            end_war(f, war, "frontier")
            f.tell("frontier_peace", ALL, "A", touch=[war], by=war.aggressor, partner=war.target)
    for nation in f.living():
        if not f.of(nation.faction):
            _eliminate(f, nation)
    _stray_armies(f)
    for nation in f.living():
        _count(f, nation)
    for leader in f.leaders.where(lambda one: one.state == "wounded" and not (
            f.lasts(one.until_turn) and one.until_turn != f.turn)):
        leader.state, leader.until_turn = "active", ""
        f.touch(leader)
    f.tell("season_ends", ALL, "A", text=f.turn)
    if ends(f):
        tell_score(f)


def _claim_weapons(f: Realm) -> None:
    """Whoever commands where a weapon lies must bear it (WP)."""
    for weapon in f.weapons.where(lambda one: one.state == "placed"):
        armies = [army.army for army in f.standing(weapon.node)]
        bearer = f.worthiest(one for one in f.cincs(*armies) if not one.weapon)
        if bearer is not None:
            arm(f, bearer, weapon)
            f.tell("weapon_claimed", ALL, "p61", weapon=weapon.weapon, leader=bearer.leader)


def _eliminate(f: Realm, nation: Faction) -> None:
    """A nation without a province is out of play."""
    code = nation.faction
    nation.alive = False
    for war in f.open_wars():
        if code in (war.aggressor, war.target):
            end_war(f, war, "eliminated")
    for siege in f.sieges.where(lambda one: not one.ended and one.besieger == code):
        end_siege(f, siege, "lifted")
    for unit in f.units.where(lambda one: one.active and one.faction == code):
        leave(f, unit, "disbanded")
    for leader in f.leaders.where(lambda one: one.state == "captured" and one.holder == code):
        free(f, leader)
    for leader in f.leaders.where(lambda one: one.faction == code and one.there):
        if leader.weapon:
            unplace(f, leader)
        leader.state, leader.army, leader.holder = "gone", "", ""
        f.touch(leader)
    for army in f.armies.where(lambda one: one.active and one.faction == code):
        end_army(f, army)
    for row in f.relations.where(lambda one: code in (one.of, one.toward)):
        blank = type(row)(of=row.of, toward=row.toward)
        for name in MARKS:
            setattr(row, name, getattr(blank, name))
        f.touch(row)
    for ally in f.alliances.where(lambda one: not one.ended and code in (one.a, one.b)):
        ally.ended = f.turn
        f.touch(ally)
    f.tell("eliminated", ALL, "A", touch=[nation], faction=code)


def _stray_armies(f: Realm) -> None:
    """Armies on ground that is neither theirs, nor an ally's, nor besieged by them go to the seat."""
    for army in f.armies.where(lambda one: one.active):
        node = f.provinces.get(army.node)
        if node is None or not (f.friend(army.faction, node.owner) or f.besieging(army.army) is not None):
            go_back(f, army, "")


def _count(f: Realm, nation: Faction) -> None:
    """Counters of the season, and in Winter of the year."""
    was = nation.copy()
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
    if nation != was:
        f.touch(nation)
