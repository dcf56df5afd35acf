"""The end of a season: sieges, trade, morale, winter quarters, victory (LS, TC, WF, DN, A)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from assistant.campaign.columns import Ref, UnreadableValue, Whole, column
from assistant.campaign.records import ALL, Event
from assistant.campaign.tables import Record
from assistant.rulesets.bloodlust import ROLLS, both, counted, page, sequence
from assistant.rulesets.bloodlust.orders import codes_in
from assistant.rulesets.bloodlust.realm import Realm, UnitTests, best_first, question_type, whole_year
from assistant.rulesets.bloodlust.records import (
    ASSUMED,
    DIE_1D6,
    DIE_2D6,
    MORALE,
    MORALE_OF,
    POINTS,
    RATING,
    RESOURCES,
    UNIT_OR_ARMY,
    Faction,
    Node,
    Peace,
    TradeRow,
    Unit,
    War,
    added,
    assumed,
    derived,
    successes,
)
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Modifier, Rules, number, switch
from assistant.turn.dice import REFEREE, RangeTable
from assistant.turn.event_types import Ending, Said
from assistant.turn.game import next_code
from assistant.turn.orders.words import fold
from assistant.turn.questions import AnswerKind, Ask
from assistant.turn.rulings import Count

# Trade and commerce (TC).


class TradeNumbers(Rules):
    """What counts in trade, and tribute."""

    trade_mods_Sp: int = successes(  # noqa: N815
        1, both("Spring counts {signed} in trade.", "La primavera vale {signed} nel commercio."), source="TS-Sp14")
    trade_mods_Su: int = successes(  # noqa: N815
        1, both("Summer counts {signed} in trade.", "L'estate vale {signed} nel commercio."), source="TS-Su10")
    trade_mods_Wi: int = successes(  # noqa: N815
        -2, both("Winter counts {signed} in trade.", "L'inverno vale {signed} nel commercio."), source="TS-Wi12")
    trade_mods_war: int = successes(
        -1, both("War next door counts {signed} in trade.", "La guerra alla frontiera vale {signed} nel commercio."))
    trade_mods_peace: int = successes(
        1, both("Peace counts {signed} in trade.", "La pace vale {signed} nel commercio."))
    trade_mods_pole: int = successes(2, both("Pole counts {signed} in trade.", "Pole vale {signed} nel commercio."))
    trade_mods_capital: int = successes(
        1, both("Another capital counts {signed} in trade.", "Un'altra capitale vale {signed} nel commercio."))
    trade_mods_unrest: int = successes(
        -1, both("Unrest counts {signed} in trade.", "I disordini valgono {signed} nel commercio."))
    trade_mods_offended: int = successes(-1, both("An offended neighbour counts {signed} in trade.",
                                                  "Un vicino offeso vale {signed} nel commercio."), source="DP")
    tribute: int = number(1, RESOURCES, both("A tributary pays {n} a season.", "Un tributario paga {n} a stagione."),
                          source="DP")
    trade_exclude: Literal["as_text", "all"] = switch(
        both("In Winter {option} earn nothing.", "In inverno non rendono nulla {option}."),
        both("looted and besieged provinces", "le province saccheggiate e assediate"),
        both("looted, besieged and conquered provinces", "le province saccheggiate, assediate e conquistate"),
        source="TS-Wi12")
    trade_war: Literal["once", "each"] = switch(
        both("War next door counts {option}.", "La guerra alla frontiera conta {option}."), both("once", "una volta"),
        both("for each province", "per ogni provincia"))


TRADE_ROWS = (0, 1, 3, 4, 6, 7)
"""Resources for 0, 1, 2 ... successes."""


TRADE_EVENTS = (
    EventType("trade", both("{faction:the} {faction?earns|earn} {n} in {k} {k?province|provinces}. {roll}.",
                            "{faction:il} {faction?incassa|incassano} {n} da {k} {k?provincia|province}. {roll}."),
              "money", 2, to="faction"),
    EventType("tribute",
              both("{faction:the} {faction?pays|pay} {n} to {partner:the}.",
                   "{faction:il} {faction?paga|pagano} {n} {partner:a}."), "money", 3, "DP", to="faction partner"),
)

TRADE_CHAPTER = Chapter(both("Trade and Commerce", "Commercio"),
                        (Citation("TC", "TC"), sequence("TS-Sp14"), sequence("TS-Su10"), sequence("TS-Wi12")),
                        TradeNumbers, TRADE_EVENTS)


def trade(f: Realm) -> None:
    """Every nation earns, then the tributaries pay."""
    # The referee may have typed another table, in any order; without any nobody earns.
    rows = sorted((row.successes, str(row.resources)) for row in f.campaign.table(TradeRow))
    table = RangeTable.rising("trade", *(rows or [(0, "0")]))
    for nation in f.living():
        _earn(f, nation, table)
    for row in f.relations:
        payer, to = f.nations[row.of], f.nations[row.toward]
        paid = min(TradeNumbers.of(f).tribute, payer.resources)
        # It is due in the one year that the envoy named, not in the Winter in which he came.
        if whole_year(row.tribute_until) == f.year and payer.alive and to.alive and paid:
            payer.resources, to.resources = payer.resources - paid, to.resources + paid
            f.tell("tribute", faction=row.of, partner=row.toward, n=paid)


def wars_beside(f: Realm, nation: Faction, node: Node) -> int:
    """How often war next door counts, by the switch trade_war."""
    enemies = f.enemies(nation.faction)
    hostile = sum(owner in enemies for owner in f.owners_near(node.node))
    return hostile if TradeNumbers.of(f).trade_war == "each" else int(hostile > 0)


def is_offended_beside(f: Realm, nation: Faction, node: Node) -> bool:
    """Whether an offended nation owns a province next to one."""
    return any(owner and f.holds(f.feeling(nation.faction, owner).backfire_until) for owner in f.owners_near(node.node))


TRADE_MODIFIERS: tuple[Modifier[Realm, Faction, Node], ...] = (
    Modifier("season", lambda f, nation, node: f.season != "Fa", lambda f, nation, node: f"trade_mods_{f.season}"),
    Modifier(both.word("war next door", "guerra alla frontiera"), wars_beside, "trade_mods_war"),
    Modifier("peace", lambda f, nation, node: not f.enemies(nation.faction), "trade_mods_peace"),
    Modifier(both.word("Pole", "Pole"), lambda f, nation, node: node.pole, "trade_mods_pole"),
    # What Pole counts includes that it is a capital (TC).
    Modifier("capital", lambda f, nation, node: node.capital and not node.pole, "trade_mods_capital"),
    Modifier(both.word("unrest", "disordini"), lambda f, nation, node: bool(nation.unrest), "trade_mods_unrest"),
    Modifier(both.word("offence", "offesa"), is_offended_beside, "trade_mods_offended"),
)
"""What counts in the trade of a province (TC)."""


def is_tested(f: Realm, node: Node) -> bool:
    """Whether a province is tested at all."""
    # Winter's bullet names the looted and besieged alone, those of the other seasons the just conquered, too.
    fresh = node.conquered_turn == f.turn and (f.season != "Wi" or TradeNumbers.of(f).trade_exclude == "all")
    return not (f.is_besieged(node.node) or fresh or node.looted_turn == f.turn)


TRADE = counted(both("Trade", "Commercio"), "trade/{Nodes}")


def _earn(f: Realm, nation: Faction, table: RangeTable) -> None:
    code = nation.faction
    counts = [f.success_test(TRADE, (node.node,), mods=f.modifiers(TRADE_MODIFIERS, f, nation, node),
                             audience=[code], rows=table) for node in f.of(code) if is_tested(f, node)]
    income = sum(int(count.verdict) for count in counts)
    nation.resources += income
    if counts:
        f.tell("trade", roll=counts, faction=code, n=income, k=len(counts))


# Victory.


class ScoreNumbers(Rules):
    """What counts points."""

    score_province: int = assumed(3, POINTS, both("A province counts {n} {n?point|points}.",
                                                  "Una provincia vale {n} {n?punto|punti}."), usual=True)
    score_capital: int = assumed(5, POINTS, both("A foreign capital counts {n} {n?point|points}.",
                                                 "Una capitale straniera vale {n} {n?punto|punti}."), usual=True)
    score_resources: int = assumed(10, RESOURCES, both("Every {n} {n?resource counts|resources count} a point.",
                                                       "Ogni {n} {n?risorsa vale|risorse valgono} un punto."),
                                   minimum=1)
    score_weapon: int = assumed(2, POINTS, both("A weapon borne counts {n} {n?point|points}.",
                                                "Un'arma portata vale {n} {n?punto|punti}."))
    score_war: int = assumed(
        3, POINTS, both("A war won counts {n} {n?point|points}, one lost as many less.",
                        "Una guerra vinta vale {n} {n?punto|punti}, una persa altrettanti in meno."), usual=True)
    score_conquest: int = assumed(1, POINTS, both("For conquerors a foreign province counts {n} more.",
                                                  "Per i conquistatori una provincia straniera vale {n} in più."))
    score_colonizing: int = assumed(1, POINTS,
                                    both("For colonists a foreign province next to home counts {n} more.",
                                         "Per i coloni una provincia straniera vicina alla patria vale {n} in più."))
    score_loot: int = assumed(5, RESOURCES, both("For looters every {n} looted count a point.",
                                                 "Per i predoni ogni {n} saccheggiate valgono un punto."), minimum=1)
    score_no_interest: int = assumed(
        15, RESOURCES, both("Without interest every {n} {n?resource counts|resources count} a point more.",
                            "Senza interessi ogni {n} {n?risorsa vale|risorse valgono} un punto in più."), minimum=1)


SCORE_EVENTS = (
    EventType("frontier_peace", both("{by:the} and {partner:the} have no frontier any more and make peace.",
                                     "{by:il} e {partner:il} non confinano più e fanno pace."), "diplomacy", 1, to=ALL),
    EventType("eliminated", both("{faction:the} {faction?is|are} no more.", "{faction:il} non {faction?è|sono} più."),
              "news", 0, to=ALL),
    EventType("season_ends", both("The season is over.", "La stagione è finita."), "news", 6, to=ALL),
    EventType("campaign_ends", both("The campaign is over. First: {winners}.",
                                    "La campagna è finita. Primi: {winners}."), "news", 0, to=ALL),
    EventType("settled", both("Totals updated.", "Totali aggiornati."), "rulings", 9, to=REFEREE),
)

SCORE_CHAPTER = Chapter(both("Arbitro's rules", "Regole di Arbitro"),
                        (Citation("A", "Arbitro's rule", "regola di Arbitro"),), ScoreNumbers, SCORE_EVENTS)


@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a nation is from the end: its provinces, how many end it; the points of the reader; the years that are
    left, this one included.
    """

    faction: str = column(Ref("Factions"), "Nation", "Nazione", key=True)
    provinces: int = column(Whole(0), "Provinces", "Province")
    needed: int = column(Whole(0), "Needed to end it", "Per chiuderla ne servono")
    points: int | None = column(Whole(blank=True), "Points now", "Punti adesso")
    years: int = column(Whole(0), "Years left", "Anni rimasti")


def aims(f: Realm, reader: str) -> list[Aim]:
    """All nations in play, the reader's first. Resources and loot are secret, and so are the points of others."""
    # All know the land; of points each knows its own, as resources are secret.
    half = len(f.provinces) // 2
    rows = [Aim(nation.faction, len(f.of(nation.faction)), half + 1,
                points_of(f, nation) if nation.faction == reader else None, max(0, f.desk.last_year - f.year + 1))
            for nation in f.living()]
    return sorted(rows, key=lambda row: row.faction != reader)


def is_last_season(f: Realm) -> bool:
    """Whether the campaign ends with this season: its last Winter, or one nation owns more than half (10)."""
    # The book names no winner and no end of a campaign: both are ours.
    most = max((len(f.of(nation.faction)) for nation in f.living()), default=0)
    return (f.season == "Wi" and f.year >= f.desk.last_year) or 2 * most > len(f.provinces)


def points_of(f: Realm, nation: Faction) -> int:
    """The points of a nation; one that is out of play has none."""
    if not nation.alive:
        return 0
    rules, code, own = ScoreNumbers.of(f), nation.faction, f.of(nation.faction)
    foreign = [node for node in own if node.home != code]
    bearers = [f.leaders.get(weapon.bearer) for weapon in f.weapons if weapon.state == "borne"]
    total = rules.score_province * len(own) + rules.score_capital * sum(node.capital for node in foreign)
    total += nation.resources // rules.score_resources
    total += rules.score_weapon * sum(bearer is not None and bearer.faction == code for bearer in bearers)
    # A peace without a loser pays nothing: its winner stands there only because the column wants a nation.
    total += rules.score_war * sum((peace.winner == code) - (peace.loser == code) for peace in f.peaces if peace.pays)
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
    # Who is equal in points, provinces and resources shares the first place.
    rows = score_table(f)
    best = {key: value for key, value in rows[0].items() if key != "faction"}
    winners = f.in_order(row["faction"] for row in rows if all(row[key] == value for key, value in best.items()))
    f.tell("campaign_ends", winners=" ".join(winners), points={row["faction"]: row["points"] for row in rows},
           provinces={row["faction"]: row["provinces"] for row in rows})


WHO_WON = both("{winners:the} {winners?has|have} won.", "{winners?Ha|Hanno} vinto {winners}.")
ALL_POINTS = both("Points: {points}.", "Punti: {points}.")


def ending(view_events: list[Event]) -> Ending:
    """How the campaign ended, from its last event."""
    told = next((event for event in reversed(view_events) if event.event == "campaign_ends"), None)
    if told is None:
        return Ending()
    winners = tuple(str(told.data["winners"]).split())
    counted, land = dict(told.data["points"]), dict(told.data["provinces"])
    rows = [{"faction": code, "points": n, "provinces": land[code]} for code, n in counted.items()]
    verdict = Said(WHO_WON, {"winners": " ".join(winners)})
    grounds = Said(ALL_POINTS, {"points": counted})
    return Ending((verdict,), (grounds,), winners, rows)


# Closing the season: weapons, wars without frontier, nations out of play, counters, wounds (p61).


def close_season(f: Realm) -> None:
    """The phase, step by step."""
    _claim_weapons(f)
    for war in f.open_wars():
        # A nation without land has no frontier either, but is eliminated below, which is another end of its wars.
        landed = f.of(war.aggressor) and f.of(war.target)
        if landed and war.target not in f.neighbours(war.aggressor):
            f.end_war(war, "frontier")
            f.tell("frontier_peace", by=war.aggressor, partner=war.target)
    for nation in f.living():
        if not f.of(nation.faction):
            _eliminate(f, nation)
    _stray_armies(f)
    for nation in f.living():
        _reset_counters(f, nation)
    for leader in f.leaders.where(lambda leader: leader.state == "wounded" and not f.outlasts(leader.until_turn)):
        leader.state, leader.until_turn = "active", ""
    f.tell("season_ends", text=f.turn)
    if is_last_season(f):
        tell_score(f)


def _claim_weapons(f: Realm) -> None:
    """A commander in a weapon's province must bear it (WP)."""
    for weapon in f.weapons.where(lambda weapon: weapon.state == "placed"):
        there = f.cincs(*(army.army for army in f.standing(weapon.node)))
        bearer = f.worthiest(cinc for cinc in there if not cinc.weapon)
        if bearer is not None:
            f.give_weapon(bearer, weapon)
            f.tell("weapon_claimed", weapon=weapon.weapon, leader=bearer.leader)


def _eliminate(f: Realm, nation: Faction) -> None:
    """A nation without a province is out of play."""
    code = nation.faction
    nation.alive = False
    # Wars first: their ends free captives and lift sieges as any peace does.
    for war in f.open_wars():
        if code in war.parties:
            f.end_war(war, "eliminated")
    for siege in f.open_sieges():
        if siege.besieger == code:
            f.end_siege(siege, "lifted")
    for unit in f.units_of(code):
        f.remove_unit(unit)
    f.free_captives_of(code, f.codes)
    for leader in f.leaders_of(code):
        f.unplace_weapon(leader)
        leader.state, leader.army, leader.holder = "gone", "", ""
    for army in f.armies_of(code):
        f.end_army(army)
    for row in f.relations.where(lambda relation: code in (relation.of, relation.toward)):
        for known in row.columns():  # what envoys have done goes, hate stays
            if not known.key and known.name != "hates":
                setattr(row, known.name, known.default)
    for ally in f.alliances.where(lambda alliance: not alliance.ended and code in (alliance.a, alliance.b)):
        ally.ended = f.turn
    f.tell("eliminated", faction=code)


def _stray_armies(f: Realm) -> None:
    """Armies on ground that is neither theirs, nor an ally's, nor besieged by them go to the seat."""
    for army in f.armies.where(lambda army: army.active):
        node = f.provinces.get(army.node)
        if node is None or not (f.friend(army.faction, node.owner) or f.in_siege(army.army)):
            f.send_back(army, "")


def _reset_counters(f: Realm, nation: Faction) -> None:
    """Reset the counters of the season, in Winter those of the year too."""
    nation.unrest = max(0, nation.unrest - 1)
    nation.refused_season = nation.bought = 0
    if f.season == "Wi":  # a year runs from Spring to the end of its own Winter (DS)
        nation.invaded_last, nation.invaded_now = nation.invaded_now, False
        nation.refused_year = nation.leaders_lost = 0
        if MoraleNumbers.of(f).opposition_when == "next_season" and nation.shaken_turn != f.turn:
            nation.opposition = False
        if not f.enemies(nation.faction):
            step, gap = MoraleNumbers.of(f).nm_rest_step, nation.morale_base - nation.morale
            nation.morale += max(-step, min(step, gap))


# National morale (WF).


def morale_change(default: int, meaning: str) -> int:
    """Declare by how much something changes national morale for good."""
    return added(default, MORALE, meaning, ASSUMED, source="p59")


def will_mod(default: int, meaning: str) -> int:
    """Declare what counts in the morale check."""
    return added(default, RATING, meaning)


class MoraleNumbers(Rules):
    """National morale, its check, disasters and enforced peaces."""

    nm_min: int = assumed(0, MORALE, both("National morale is at least {n}.", "Il morale nazionale è almeno {n}."),
                          source="p59")
    nm_max: int = assumed(5, MORALE, both("National morale is at most {n}.", "Il morale nazionale è al massimo {n}."),
                          source="p59")
    nm_shaken_cap: int = number(0, both("times", "volte"),
                                both("A nation is shaken {n} {n?time|times} at most; 0 is no limit.",
                                     "Una nazione è scossa al massimo {n} {n?volta|volte}; con 0 non c'è limite."))
    nm_won: int = morale_change(1, both("A battle won changes morale by {signed}.",
                                        "Una battaglia vinta cambia il morale di {signed}."))
    nm_lost: int = morale_change(-1, both("A battle lost changes morale by {signed}.",
                                          "Una battaglia persa cambia il morale di {signed}."))
    nm_province: int = morale_change(-1, both("A province lost changes morale by {signed}.",
                                              "Una provincia persa cambia il morale di {signed}."))
    nm_capital: int = morale_change(-2, both("The own capital lost changes morale by {signed} instead.",
                                             "La propria capitale persa cambia invece il morale di {signed}."))
    nm_collapse: int = morale_change(-2, both("An army destroyed changes morale by {signed}.",
                                              "Un'armata distrutta cambia il morale di {signed}."))
    nm_rest_step: int = assumed(1, MORALE, both("At peace morale moves by {n} a year toward rest.",
                                                "In pace il morale torna di {n} l'anno verso la base."), source="p59")
    will_mods_won: int = will_mod(1, both("A battle won counts {signed} in the morale check.",
                                          "Una battaglia vinta vale {signed} nella prova di morale."))
    will_mods_lost: int = will_mod(-1, both("A battle lost counts {signed} in the morale check.",
                                            "Una battaglia persa vale {signed} nella prova di morale."))
    will_mods_refused: int = will_mod(-1, both("From the third battle refused on {signed}.",
                                               "Dalla terza battaglia rifiutata {signed}."))
    will_mods_province: int = will_mod(-1, both("A province lost counts {signed} in the morale check.",
                                                "Una provincia persa vale {signed} nella prova di morale."))
    will_mods_shaken: int = will_mod(-1, both("Each time shaken counts {signed} in the morale check.",
                                              "Ogni volta che si è scossi vale {signed} nella prova di morale."))
    unrest_seasons: int = assumed(4, both("seasons", "stagioni"), both("Unrest lasts {n} {n?season|seasons}.",
                                                                       "I disordini durano {n} {n?stagione|stagioni}."))
    peace_min: int = derived(1, both("years", "anni"), both("An enforced peace lasts {n} {n?year|years} at least.",
                                                            "Una pace imposta dura almeno {n} {n?anno|anni}."),
                             minimum=1, source="p59")
    peace_cap: int = assumed(8, both("years", "anni"), both("An enforced peace lasts {n} {n?year|years} at most.",
                                                            "Una pace imposta dura al massimo {n} {n?anno|anni}."),
                             minimum=1, source="p59")
    wtf_mod_kind: Literal["rating", "successes"] = switch(both("Modifiers of the morale check change {option}.",
                                                               "I modificatori della prova di morale cambiano "
                                                               "{option}."), both("the rating", "il valore"),
                                                          both("the successes", "i successi"))
    nm_test_rating: Literal["nm", "nm_plus_wr"] = switch(
        both("The morale check is taken against {option}.", "La prova di morale si fa contro {option}."),
        both("the national morale", "il morale nazionale"),
        both("morale and the leader's WR", "il morale più la WR del capo"))
    nm_adjust_mode: Literal["permanent", "off"] = switch(
        both("The adjustment of morale {option}.", "L'aggiustamento del morale {option}."),
        both("is permanent", "è permanente"), both("is left out", "non si fa"), source="TS-Sp12")
    disaster_scope: Literal["all_wars", "one_war"] = switch(
        both("A disaster loses {option}.", "Con un disastro si {option}."), both("all wars", "perdono tutte le guerre"),
        both("the war with the strongest enemy", "perde la guerra con il nemico più forte"))
    peace_unit: Literal["years", "seasons"] = switch(
        both("Enforced peaces are counted in {option}.", "Le paci imposte si contano in {option}."),
        both("years", "anni"), both("seasons", "stagioni"), source="p59", usual=True)
    opposition_when: Literal["next_recruiting", "next_season"] = switch(
        both("Opposition counts in {option}.", "L'opposizione conta {option}."),
        both("the next recruiting", "al prossimo reclutamento"),
        both("the next season only", "solo nella stagione dopo"))
    refuse_window: Literal["year", "season"] = switch(both("Refused battles are counted in a {option}.",
                                                           "Le battaglie rifiutate si contano {option}."),
                                                      both("year", "nell'anno"), both("season", "stagione"))


MORALE_EVENTS = (
    EventType("morale", both("The season (battles, provinces lost, armies that collapsed) moves the morale of "
                             "{faction:the} from {a} to {b}.",
                             "La stagione (battaglie, province perdute, armate crollate) porta il morale {faction:di} "
                             "da {a} a {b}."), "news", 2, "p59", to=ALL),
    EventType("will", both("Will to fight of {faction:the}: {roll}.", "Volontà di combattere {faction:di}: {roll}."),
              "news", 1,
              variants=("n", {"2": both("Will to fight of {faction:the}, second check of the winter: {roll}.",
                                        "Volontà di combattere {faction:di}, seconda prova dell'inverno: {roll}.")}),
              to=ALL, tries="faction"),
    EventType("disaster",
              both("{faction:the} {faction?collapses|collapse}: {winner:the} {winner?wins|win}, peace until the end "
                   "of {year}.",
                   "{faction:il} {faction?crolla|crollano}: {winner?vince|vincono} {winner:il}, pace fino alla fine "
                   "del {year}."), "diplomacy", 0, to=ALL),
    EventType("enforced_peace", both("Enforced peace between {winner:the} and {loser:the} to the end of {year}.",
                                     "Pace imposta fra {winner:il} e {loser:il} fino alla fine del {year}."),
              "diplomacy", 1, "p59", means={"loser": "faction"}, to=ALL),
)

both.words({
    "keep": "congedo invernale",
    "disaster": "crollo", "carry_on": "la guerra continua", "points": "punti", "provinces": "province",
    "resources": "risorse", "reputation": "reputazione", "veterans_stay": "restano i veterani",
    "normals_stay": "restano i normali",
})

MORALE_CHAPTER = Chapter(both("Will to Fight", "Volontà di combattere"),
                         (Citation("WF", "WF"), page("p59"), sequence("TS-Sp12")), MoraleNumbers, MORALE_EVENTS)


MORALE_ROWS = RangeTable.rising("will", (0, "disaster"), (1, "shaken"), (2, "carry_on"))
REFUSALS = 3
"""Refused battles count from the third on."""


def will(f: Realm) -> None:
    """Adjustment and check of all nations at war."""
    nations = f.nations_at_war()
    if MoraleNumbers.of(f).nm_adjust_mode == "permanent":
        for nation in nations:
            _adjust(f, nation)
    check_morale(f, nations)


def _adjust(f: Realm, nation: Faction) -> None:
    """The season changes morale for good (TS-Sp12)."""
    rules, code, was = MoraleNumbers.of(f), nation.faction, nation.morale
    # The turn sequence has an adjustment and a check: a defeat counts in both (`nm_adjust_mode` leaves this one out).
    won, lost = f.wins_and_losses(code)
    change = rules.nm_won * bool(won) + rules.nm_lost * bool(lost)
    change += sum(rules.nm_capital if node.node == f.capital(code) else rules.nm_province
                  for node in f.provinces_lost(code))
    change += rules.nm_collapse * any(code in row.collapsed.split() for row in f.battles.of_turn(f.turn))
    nation.morale = min(rules.nm_max, max(rules.nm_min, was + change))
    if nation.morale != was:
        f.tell("morale", faction=code, a=was, b=nation.morale)


def _leader_in_morale(f: Realm, nation: Faction) -> int:
    """The WR of the national leader, if it counts in the morale check (`nm_test_rating`)."""
    counts = MoraleNumbers.of(f).nm_test_rating == "nm_plus_wr"
    return f.wr_now(f.national_leader(nation.faction)) if counts else 0


def total_morale(f: Realm, nation: Faction) -> int:
    """National morale, with its leader where he counts in the check."""
    return nation.morale + _leader_in_morale(f, nation)


def has_refused_too_often(f: Realm, nation: Faction) -> bool:
    """Whether a battle was refused this season, and the third one or more by the switch refuse_window."""
    refused = nation.refused_season if MoraleNumbers.of(f).refuse_window == "season" else nation.refused_year
    # The third refusal of the window counts, and each one after it, in the season in which it happens.
    return nation.refused_season > 0 and refused >= REFUSALS


MORALE_PARTS: tuple[Modifier[Realm, Faction], ...] = (
    Modifier("morale", lambda f, nation: nation.morale),
    Modifier("leader", _leader_in_morale),
    Modifier(both.word("won battle", "battaglia vinta"),
             lambda f, nation: f.wins_and_losses(nation.faction)[0] > 0, "will_mods_won"),
    Modifier(both.word("lost battle", "battaglia persa"),
             lambda f, nation: f.wins_and_losses(nation.faction)[1] > 0, "will_mods_lost"),
    Modifier(both.word("refused battle", "battaglia rifiutata"), has_refused_too_often, "will_mods_refused"),
    Modifier(both.word("provinces lost", "province perse"),
             lambda f, nation: len(f.provinces_lost(nation.faction)), "will_mods_province"),
    # What shook the nation this season counts in the tests of the next: it matters in Winter, which tests twice.
    Modifier("shaken", lambda f, nation: nation.shaken - (nation.shaken_turn == f.turn), "will_mods_shaken"),
)
"""The parts of a nation's total in the morale check (WF)."""


def check_morale(f: Realm, nations: list[Faction], again: int = 1) -> None:
    """Check the morale of some nations on the same state, and end the wars of the broken."""
    # The totals of all at war decide who loses; house rules may test a nation at peace, too.
    parts = {nation.faction: f.modifiers(MORALE_PARTS, f, nation) for nation in (*f.nations_at_war(), *nations)}
    tested = [(nation, _morale_test(f, nation, parts[nation.faction], again)) for nation in nations]
    for nation, count in tested:
        _apply(f, nation, count, again)
    end_wars(f, [nation.faction for nation, count in tested if count.verdict == "disaster"],
             {code: sum(made_of.values()) for code, made_of in parts.items()})


WILL = counted(both("Morale checks", "Prove di morale"), "will/{Factions}", again="/{n}")


def _morale_test(f: Realm, nation: Faction, made_of: dict[str, int], again: int) -> Count:
    rating, mods = made_of, dict[str, int]()
    if MoraleNumbers.of(f).wtf_mod_kind == "successes":
        rating = {name: made_of[name] for name in ("morale", "leader")}
        mods = {name: n for name, n in made_of.items() if name not in rating}
    # Of all ratings only this one has the bounds in print: a 1 always succeeds, a 6 never (WF).
    return f.rating_test(WILL, (nation.faction,), rating, mods, bounds=True, rows=MORALE_ROWS, again=again)


def _apply(f: Realm, nation: Faction, count: Count, again: int) -> None:
    rules, verdict = MoraleNumbers.of(f), count.verdict
    if verdict == "shaken":  # its recruits are opposed at home, until it has recruited
        nation.opposition = True
        if not rules.nm_shaken_cap or nation.shaken < rules.nm_shaken_cap:
            nation.shaken, nation.shaken_turn = nation.shaken + 1, f.turn
    else:
        nation.shaken, nation.shaken_turn = 0, ""
    if verdict == "disaster":
        nation.unrest = rules.unrest_seasons
    f.tell("will", roll=count, faction=nation.faction, row=verdict, **({"n": again} if again > 1 else {}))


# --- the ends of wars -------------------------------------------------------------------------------
def end_wars(f: Realm, broken: list[str], totals: dict[str, int]) -> None:
    """End the wars of broken nations, in id order; of two that break the one with the lower total loses."""
    # Who loses is settled before any war ends: the enemies of a nation are those of this moment.
    lost = [(war, losers) for war in f.open_wars()
            if (losers := [code for code in broken if _loses(f, war, code, totals)])]
    for war, losers in lost:
        a, b = (totals[code] for code in war.parties)
        equal = len(losers) > 1 and a == b
        # Of two that broke, the lower total has lost; of equals nobody has, but the peace's columns want two nations.
        loser = war.target if equal else losers[0] if len(losers) == 1 else war.parties[a > b]
        winner = next(code for code in war.parties if code != loser)
        enforce_peace(f, war, winner, loser, totals[winner] - totals[loser], equal=equal)


def _loses(f: Realm, war: War, code: str, totals: dict[str, int]) -> bool:
    """Whether a broken nation loses a war (`disaster_scope`)."""
    strongest = max(f.enemies(code), key=lambda enemy: totals.get(enemy, 0), default="")
    return code in war.parties and (MoraleNumbers.of(f).disaster_scope == "all_wars" or strongest in war.parties)


def enforce_peace(f: Realm, war: War, winner: str, loser: str, margin: int, *, equal: bool = False,
                  broken: bool = True) -> None:
    """Enforce a peace of so many years. `broken`: the loser's people broke, and now hates the winner."""
    rules = MoraleNumbers.of(f)
    years = rules.peace_min if equal else min(rules.peace_cap, max(rules.peace_min, margin))
    first, last = (f.later(1), f.later(years)) if rules.peace_unit == "seasons" else (
        str(f.year + 1), str(f.year + years))
    f.peaces.add(Peace(peace=next_code(f.peaces, "E{}"), winner=winner, loser=loser, war=war.war, pays=not equal,
                       from_year=first, until_year=last))
    beaten = broken and not equal
    if beaten:
        f.relation_row(loser, winner).hates = True
    f.end_war(war, "enforced")
    if beaten:
        f.tell("disaster", faction=loser, winner=winner, year=last)
    f.tell("enforced_peace", winner=winner, loser=loser, year=last)


# Winter quarters: Disband or Not, deaths of leaders, second check, weapons (DN, p60, p61).


class WinterNumbers(Rules):
    """Who goes home in Winter, who dies, which weapons appear."""

    weapon_on: int = assumed(6, DIE_1D6, both("A weapon that is away appears on {n} or more.",
                                              "Un'arma assente appare con {n} o più."), minimum=1, source="p61")
    death_from: int = derived(11, DIE_2D6, both("A national leader dies in Winter from {n} on.",
                                                "Un capo nazionale muore in inverno da {n} in su."), source="p60")
    disband_rep_high: int = successes(1, both("A great commander counts {signed} in Disband or Not.",
                                              "Un grande comandante vale {signed} nella prova di congedo."))
    disband_rep_low: int = successes(-1, both("A poor commander counts {signed} in Disband or Not.",
                                              "Un comandante mediocre vale {signed} nella prova di congedo."))
    keep_price: int = number(1, RESOURCES, both("Keeping a unit that would leave costs {n}.",
                                                "Tenere un reparto che se ne andrebbe costa {n}."))
    npc_keep_floor: int = assumed(5, RESOURCES, both("Self-run nations keep units while they have more than {n}.",
                                                     "Le nazioni autonome tengono reparti finché hanno più di {n}."))
    npc_keep: Literal["normal", "poor", "veteran", "elite"] = switch(
        both("In Winter self-run nations pay to keep units that are {option}.",
             "In inverno le nazioni autonome pagano per tenere i reparti {option}."),
        both("normal or better", "normali o migliori"), both("of any morale", "di qualsiasi morale"),
        both("veteran or better", "veterani o migliori"), both("elite", "d'élite"))
    winter_nm_checks: Literal["two", "leader_died", "one"] = switch(
        both("In Winter {option}.", "In inverno {option}."),
        both("all nations at war check twice", "tutte le nazioni in guerra provano due volte"),
        both("only those whose leader died check twice", "provano due volte solo quelle il cui capo è morto"),
        both("there is one check", "c'è una sola prova"), source="TS-Wi10", usual=True)
    disband_scope: Literal["unit", "army"] = switch(
        both("Disband or Not is tested by {option}.", "La prova di congedo si fa per {option}."), *UNIT_OR_ARMY)
    disband_pay: Literal["save_unit", "survivors_pay", "none"] = switch(
        both("In Winter a resource {option}.", "In inverno una risorsa {option}."),
        both("keeps a unit that would leave", "tiene un reparto che se ne andrebbe"),
        both("is due for each unit that stays", "è dovuta per ogni reparto che resta"),
        both("keeps nobody", "non tiene nessuno"), usual=True)
    rep_threshold: Literal["as_text", "5_2"] = switch(
        both("A reputation counts {option}.", "Una reputazione conta {option}."),
        both("above 6 and below 2", "sopra 6 e sotto 2"), both("from 5 on and up to 2", "da 5 in su e fino a 2"))


NOBODY = ("none", "nessuna", "nessuno", "niente")
ALL_OF_THEM = ("all", "tutte", "tutti")


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


WINTER_EVENTS = (
    EventType("weapon_placed", both("The weapon {weapon} lies {node:at}. {roll}.",
                                    "L'arma {weapon} giace {node:dove}. {roll}."), "news", 1, "p61", to=ALL),
    EventType("weapon_claimed", both("{leader} must bear the weapon {weapon}.", "A {leader} tocca l'arma {weapon}."),
              "news", 1, "p61", to=ALL),
    EventType("disband_tests",
              both("Disband or Not: these go home: {units}. {roll}.",
                   "Congedo invernale: tornano a casa {units}. {roll}."), "supply", 3,
              variants=("units", {"": both("Disband or Not: nobody goes home. {roll}.",
                                           "Congedo invernale: non torna a casa nessuno. {roll}.")}),
              means={"units": "piece"}, to="faction"),
    EventType("disband", both("{n} {n?unit|units} of {faction:the} {n?goes|go} home, {k} {k?is|are} kept.",
                              "{n} {n?reparto|reparti} {faction:di} {n?torna|tornano} a casa, {k} {k?resta|restano}."),
              "supply", 2, to=ALL),
    EventType("kept", both("{faction:the} {faction?pays|pay} to keep {n} {n?unit|units}: {units}.",
                           "{faction:il} {faction?paga|pagano} per tenere {n} {n?reparto|reparti}: {units}."), "supply",
              3, means={"units": "piece"}, to="faction"),
    EventType("leader_dies", both("{leader} of {faction:the} dies. {roll}.", "Muore {leader}, {faction:di}. {roll}."),
              "news", 0, "p60", to=ALL),
)

WINTER_FINDINGS = (
    Message("BLD-052", "warning",
            both("{k} {k?unit named|units named}, money for {m}: the first {m} {m?is kept|are kept}.",
                 "{k} {k?reparto indicato|reparti indicati}, denaro per {m}: {m?si tiene il primo|si tengono i "
                 "primi} ({m}).")),
)

WINTER_QUESTIONS = (
    question_type("keep", both("Disband or Not: {units} may be kept for 1 resource each; {m} in hand.",
                               "Congedo invernale: si possono tenere {units} a 1 risorsa ciascuno; in cassa {m}."),
                  KeptUnits(), means={"units": "piece"}),
)

WINTER_CHAPTER = Chapter(both("Disband or Not", "Congedo invernale"),
                         (Citation("DN", "DN"), page("p60"), page("p61"), sequence("TS-Wi10")), WinterNumbers,
                         WINTER_EVENTS, WINTER_FINDINGS, WINTER_QUESTIONS)


DISBAND_ROWS = RangeTable.rising("disband", (0, "leaves"), (1, "veterans_stay"), (2, "normals_stay"))
STAYS_FROM = {"leaves": 99, "veterans_stay": MORALE_OF["veteran"], "normals_stay": MORALE_OF["normal"]}


@dataclass
class Quarters:
    """One nation's units in winter: those tested, those that leave, and which of these may be kept."""

    nation: Faction
    units: list[Unit]
    counts: list[Count]
    leaving: list[Unit]
    keepable: list[Unit]


def winter(f: Realm) -> None:
    """The phase, step by step."""
    _disband(f)
    died, checks = _deaths(f), WinterNumbers.of(f).winter_nm_checks
    if checks != "one":  # Winter's list of steps has the check twice, before and after leaders may die
        check_morale(f, [nation for nation in f.nations_at_war() if checks == "two" or nation.faction in died], again=2)
    _weapons(f)
    f.end_empty_armies()


# --- Disband or Not ---------------------------------------------------------------------------------
def _disband(f: Realm) -> None:
    every = [_test_nation(f, nation) for nation in f.living()]
    pays = WinterNumbers.of(f).disband_pay
    named = f.answers([_question(quarters) for quarters in every if pays == "save_unit" and quarters.keepable
                       and not f.self_run(quarters.nation.faction)])
    for quarters in every:
        if pays == "save_unit":
            _keep(f, quarters, named.get(quarters.nation.faction, ""))
        elif pays == "survivors_pay":
            _pay(f, quarters)
        _send_home(f, quarters)


DISBAND = counted(both("Disband or Not", "Congedo invernale"), "disband/{Units*}")


def _test_nation(f: Realm, nation: Faction) -> Quarters:
    code = nation.faction
    tests = UnitTests(WinterNumbers.of(f).disband_scope, lambda unit: f.success_test(
        DISBAND, (unit.unit,), mods=_reputation(f, unit), audience=[code], rows=DISBAND_ROWS))
    units = [unit for unit in f.units_of(code) if not f.in_siege(unit.army)]  # the page exempts both sides of a siege
    leaving = [unit for unit in units if MORALE_OF[unit.morale] < STAYS_FROM[tests.of(unit).verdict]]
    # On 0 successes a unit leaves whatever is paid for it (DN).
    return Quarters(nation, units, list(tests.thrown.values()), leaving,
                    [unit for unit in leaving if tests.of(unit).at_least(1)])


def _reputation(f: Realm, unit: Unit) -> dict[str, int]:
    """The modifier for the reputation of the army's lead."""
    lead, rules = f.lead(unit.army), WinterNumbers.of(f)
    if lead is None:
        return {}
    poor_to, great_from = (1, 7) if rules.rep_threshold == "as_text" else (2, 5)  # as text: below 2, above 6
    return {"reputation": rules.disband_rep_high * (lead.reputation >= great_from)
            + rules.disband_rep_low * (lead.reputation <= poor_to)}


def _question(quarters: Quarters) -> Ask:
    code = quarters.nation.faction
    units = tuple(unit.unit for unit in quarters.keepable)
    asked = {"faction": code, "units": " ".join(units), "m": quarters.nation.resources}
    return Ask("keep", code, code, (*units, "none"), "none", asked, answer=KeptUnits(code))


def worth_keeping(f: Realm, nation: Faction, units: list[Unit]) -> list[Unit]:
    """The units that a self-run nation keeps: good ones (`npc_keep`), the best first, while it can spare the money."""
    rules = WinterNumbers.of(f)
    good = [unit for unit in sorted(units, key=best_first) if MORALE_OF[unit.morale] >= MORALE_OF[rules.npc_keep]]
    spare, price = max(0, nation.resources - rules.npc_keep_floor), rules.keep_price
    return good[:-(-spare // price) if price else len(good)]  # the last may take it below what it keeps back


def _keep(f: Realm, quarters: Quarters, named: str) -> None:
    """Keep units that would leave, for a resource each, while money lasts (BLD-052)."""
    nation, price, kept = quarters.nation, WinterNumbers.of(f).keep_price, list[Unit]()
    if named:
        wanted = [f.units[code] for code in named.split() if code in f.units]
        kept = wanted[:nation.resources // price if price else len(wanted)]
        if len(kept) < len(wanted):
            row = f.game.row_of(Ask("keep", nation.faction, nation.faction))
            f.find("BLD-052", row, "answer", nation.faction, k=len(wanted), m=len(kept))
    elif f.self_run(nation.faction):
        kept = worth_keeping(f, nation, quarters.keepable)
    nation.resources = max(0, nation.resources - price * len(kept))
    quarters.leaving = [unit for unit in quarters.leaving if unit not in kept]
    if kept:
        f.tell("kept", faction=nation.faction, units=" ".join(unit.unit for unit in kept), n=len(kept))


def _pay(f: Realm, quarters: Quarters) -> None:
    """Units that stay must be paid for (`disband_pay` survivors_pay)."""
    nation, price = quarters.nation, WinterNumbers.of(f).keep_price
    staying = sorted((unit for unit in quarters.units if unit not in quarters.leaving), key=best_first)
    paid = min(len(staying), nation.resources // price) if price else len(staying)
    nation.resources -= paid * price
    quarters.leaving += staying[paid:]


def _send_home(f: Realm, quarters: Quarters) -> None:
    if not quarters.counts:
        return
    code, leaving = quarters.nation.faction, quarters.leaving
    for unit in leaving:
        f.remove_unit(unit)
    f.tell("disband_tests", roll=quarters.counts, faction=code, units=" ".join(unit.unit for unit in leaving))
    f.tell("disband", faction=code, n=len(leaving), k=f.strength(code))


# --- deaths and weapons -----------------------------------------------------------------------------
DEATH = ROLLS.purpose(both("Deaths of leaders", "Morti dei capi"), "death/{Factions}", "2d6")


def _deaths(f: Realm) -> list[str]:
    """National leaders may die; return the nations whose leader did (p60)."""
    died = []
    for nation in f.living():
        # A leader who is wounded or a captive is tested, too: he leads until he is dead or gone.
        leader = f.national_leader(nation.faction)
        if leader is None:
            continue
        roll = f.roll(DEATH(nation.faction))
        if roll.at_least(WinterNumbers.of(f).death_from):
            died.append(nation.faction)
            nation.leaders_lost += 1
            leader.state, leader.army, leader.holder = "dead", "", ""
            f.unplace_weapon(leader)
            f.tell("leader_dies", roll=roll, faction=nation.faction, leader=leader.leader)
    return died


WEAPON = ROLLS.purpose(both("Weapons that appear", "Armi che appaiono"), "weapon/{Weapons*}")
WEAPON_PROVINCE = ROLLS.purpose(both("Where weapons appear", "Dove appaiono le armi"),
                                "weapon_province/{Weapons*}", "d36")


def _weapons(f: Realm) -> None:
    """Weapons that are away may appear somewhere (p61)."""
    nodes = list(f.provinces.keys())
    for weapon in f.weapons.where(lambda weapon: weapon.state == "unplaced" and not f.outlasts(weapon.returns_turn)):
        roll = f.roll(WEAPON(weapon.weapon))
        if roll.at_least(WinterNumbers.of(f).weapon_on):
            where = f.roll(WEAPON_PROVINCE(weapon.weapon, dice=f"1d{len(nodes)}"))
            weapon.state, weapon.node, weapon.returns_turn = "placed", nodes[where.total - 1], ""
            f.tell("weapon_placed", roll=[roll, where], weapon=weapon.weapon, node=weapon.node)
