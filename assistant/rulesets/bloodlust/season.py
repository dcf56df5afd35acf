"""A season after its battles: sieges, winter quarters, trade, the close and victory (LS, DN, TC, A)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.campaign.columns import Ref, UnreadableValue, Whole, column
from assistant.campaign.records import ALL, Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.bloodlust import ROLLS, assumed, both, choice, cites, counted, counting, derived, unit_or_army
from assistant.rulesets.bloodlust.orders import codes_in
from assistant.rulesets.bloodlust.realm import Realm, UnitTests, best_first, question_type, whole_year
from assistant.rulesets.bloodlust.records import MORALE_OF, Faction, Node, Siege, TradeRow, Unit
from assistant.rulesets.bloodlust.war import MoraleNumbers, check_morale
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Modifier, Rules, number
from assistant.turn.dice import REFEREE, RangeTable
from assistant.turn.event_types import EACH_TIME, Ending, Said
from assistant.turn.orders.words import fold
from assistant.turn.questions import AnswerKind, Ask
from assistant.turn.rulings import Count

# Siege tests (LS).


in_siege = counting("in a siege", "in un assedio")


class SiegeNumbers(Rules):
    """What counts in a siege test, when it is made, and who is captured."""

    siege_mods_siege: int = in_siege(1, "The Siege skill counts", "L'abilità Assedio vale")
    siege_mods_Wi: int = in_siege(-1, "Winter counts", "L'inverno vale")  # noqa: N815
    siege_mods_Su: int = in_siege(1, "Summer counts", "L'estate vale")  # noqa: N815
    siege_scope: str = unit_or_army(both("A siege is tested by {option}.", "La prova d'assedio si fa per {option}."))
    siege_first_test: str = choice(both("A siege is first tested in the {option} season.",
                                        "Un assedio si prova la prima volta nella stagione {option}."),
                                   next_season=("next", "successiva"), same=("same", "stessa"), usual=True)
    siege_cinc: str = choice(both("Commanders in a fort that falls {option}.",
                                  "I comandanti in un forte che cade {option}."),
                             captured=("are captured", "sono catturati"), escapes=("escape", "fuggono"), usual=True)


SIEGE_CHAPTER = Chapter(both("Laying a Siege", "Porre un assedio"), cites("LS"), SiegeNumbers, events=(
    EventType("siege_begins", both("{besieger:the} {besieger?besieges|besiege} {node:the}.",
                                   "{besieger:il} {besieger?assedia|assediano} {node:il}."), "sieges", 1, to=ALL),
    EventType("siege_ends", both("The siege of {node:the} ends: {how}.", "L'assedio {node:di} finisce: {how}."),
              "sieges", 1, variants=("how", {
                  "fell": both("{node:the} falls to {besieger:the} after a siege.",
                               "Dopo un assedio {node:il} cade in mano {besieger:a}."),
                  "held": both("{node:the} holds out: {besieger:the} {besieger?has|have} no unit left in the siege.",
                               "{node:il} resiste: {besieger:a} non restano reparti nell'assedio."),
                  "lifted": both("{besieger:the} {besieger?lifts|lift} the siege of {node:the}.",
                                 "{besieger:il} {besieger?toglie|tolgono} l'assedio {node:a}."),
                  "relieved": both("{node:the} is relieved: the siege by {besieger:the} is over.",
                                   "{node:il} riceve soccorso: è finito l'assedio {besieger:di}."),
                  "peace": both("Peace ends the siege of {node:the} by {besieger:the}.",
                                "La pace mette fine all'assedio {besieger:di} {node:a}.")}),
              to=ALL),
    EventType("siege_test", both("{unit} in the siege: {row}. {roll}.", "{unit} nell'assedio: {row}. {roll}."),
              "sieges", 4,
              variants=("row",
                        {"steady": both("{unit} {unit?stays|stay} steady in the siege. {roll}.",
                                        "{unit:il} nell'assedio {unit?resta saldo|resta salda|restano saldi|restano "
                                        "salde}. {roll}."),
                         "loses_heart": both("{unit} {unit?loses|lose} heart in the siege. {roll}.",
                                             "{unit:il} {unit?si scoraggia|si scoraggiano} nell'assedio. {roll}."),
                         "leaves": both("{unit} {unit?leaves|leave} the siege. {roll}.",
                                        "{unit:il} {unit?lascia|lasciano} l'assedio. {roll}.")}),
              to=EACH_TIME, tries="unit"),
))


SIEGE_ROWS = RangeTable.rising("siege", (0, "leaves"), (1, "loses_heart"), (2, "steady"))
POOR = MORALE_OF["poor"]


SIEGE_MODIFIERS: tuple[Modifier[Realm, Unit], ...] = (
    Modifier(both.word("siege skill", "abilità d'assedio"), lambda f, unit: unit.has("siege"), "siege_mods_siege"),
    Modifier("season", lambda f, unit: f.season in ("Wi", "Su"), lambda f, unit: f"siege_mods_{f.season}"),
)
"""What counts in a siege test (LS)."""


def test_sieges(f: Realm) -> None:
    """Test each siege that began earlier, in the order of provinces."""
    at_once = SiegeNumbers.of(f).siege_first_test == "same"
    for siege in sorted(f.open_sieges(), key=lambda siege: natural(siege.node)):
        if at_once or siege.began != f.turn:
            _test_siege(f, siege)
    f.end_empty_armies()


SIEGE = counted(both("Siege tests", "Prove d'assedio"), "siege/{Units*}")


def _test_siege(f: Realm, siege: Siege) -> None:
    parties = [siege.besieger, f.provinces[siege.node].owner]
    tests = UnitTests(SiegeNumbers.of(f).siege_scope, lambda unit: f.success_test(
        SIEGE, (unit.unit,), mods=f.modifiers(SIEGE_MODIFIERS, f, unit), audience=parties, rows=SIEGE_ROWS))
    # All are tested before anybody leaves.
    for unit, count in [(unit, tests.of(unit)) for unit in f.units_in(*siege.armies)]:
        row = count.verdict
        if row == "loses_heart" and MORALE_OF[unit.morale] - unit.siege_loss <= POOR:
            row = "leaves"
        if row == "leaves":
            f.remove(unit)
        elif row == "loses_heart":
            unit.siege_loss += 1
        f.tell("siege_test", parties, roll=count, unit=unit.unit, row=row)
    # Where both sides have melted away the owner keeps the province (LS).
    if not f.units_in(*siege.armies_out.split()):
        f.end_siege(siege, "held")
    elif not f.units_in(*siege.armies_in.split()):
        _fort_falls(f, siege)


def _fort_falls(f: Realm, siege: Siege) -> None:
    """The fort falls, and whoever commanded in it is captured."""
    for leader in f.cincs(*siege.armies_in.split()):
        leader.army = ""
        if SiegeNumbers.of(f).siege_cinc == "captured":
            leader.state, leader.holder = "captured", siege.besieger
    f.end_siege(siege, "fell")
    f.conquer(f.provinces[siege.node], siege.besieger)


# Trade and commerce (TC).


in_trade = counting("in trade", "nel commercio")


class TradeNumbers(Rules):
    """What counts in trade, and tribute."""

    trade_mods_Sp: int = in_trade(1, "Spring counts", "La primavera vale", "TS-Sp14")  # noqa: N815
    trade_mods_Su: int = in_trade(1, "Summer counts", "L'estate vale", "TS-Su10")  # noqa: N815
    trade_mods_Wi: int = in_trade(-2, "Winter counts", "L'inverno vale", "TS-Wi12")  # noqa: N815
    trade_mods_war: int = in_trade(-1, "War next door counts", "La guerra alla frontiera vale")
    trade_mods_peace: int = in_trade(1, "Peace counts", "La pace vale")
    trade_mods_pole: int = in_trade(2, "Pole counts", "Pole vale")
    trade_mods_capital: int = in_trade(1, "Another capital counts", "Un'altra capitale vale")
    trade_mods_unrest: int = in_trade(-1, "Unrest counts", "I disordini valgono")
    trade_mods_offended: int = in_trade(-1, "An offended neighbour counts", "Un vicino offeso vale", "DP")
    tribute: int = number(1, "resources", both("A tributary pays {n} a season.", "Un tributario paga {n} a stagione."),
                          source="DP")
    trade_exclude: str = choice(both("In Winter {option} earn nothing.", "In inverno non rendono nulla {option}."),
                                as_text=("looted and besieged provinces", "le province saccheggiate e assediate"),
                                all=("looted, besieged and conquered provinces",
                                     "le province saccheggiate, assediate e conquistate"), source="TS-Wi12")
    trade_war: str = choice(both("War next door counts {option}.", "La guerra alla frontiera conta {option}."),
                            once=("once", "una volta"), each=("for each province", "per ogni provincia"))


TRADE_CHAPTER = Chapter(
    both("Trade and Commerce", "Commercio"), cites("TC", "TS-Sp14", "TS-Su10", "TS-Wi12"), TradeNumbers, events=(
    EventType("trade", both("{faction:the} {faction?earns|earn} {n} in {k} {k?province|provinces}. {roll}.",
                            "{faction:il} {faction?incassa|incassano} {n} da {k} {k?provincia|province}. {roll}."),
              "money", 2, to="faction"),
    EventType("tribute",
              both("{faction:the} {faction?pays|pay} {n} to {partner:the}.",
                   "{faction:il} {faction?paga|pagano} {n} {partner:a}."), "money", 3, "DP", to="faction partner"),
))


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


TRADE_MODIFIERS: tuple[Modifier[Realm, Faction, Node], ...] = (
    Modifier("season", lambda f, nation, node: f.season != "Fa", lambda f, nation, node: f"trade_mods_{f.season}"),
    Modifier(both.word("war next door", "guerra alla frontiera"), wars_beside, "trade_mods_war"),
    Modifier("peace", lambda f, nation, node: not f.enemies(nation.faction), "trade_mods_peace"),
    Modifier(both.word("Pole", "Pole"), lambda f, nation, node: node.pole, "trade_mods_pole"),
    # What Pole counts includes that it is a capital (TC).
    Modifier("capital", lambda f, nation, node: node.capital and not node.pole, "trade_mods_capital"),
    Modifier(both.word("unrest", "disordini"), lambda f, nation, node: bool(nation.unrest), "trade_mods_unrest"),
    Modifier(both.word("offence", "offesa"), lambda f, nation, node: any(
        owner and f.holds(f.feeling(nation.faction, owner).backfire_until) for owner in f.owners_near(node.node)),
             "trade_mods_offended"),
)
"""What counts in the trade of a province (TC)."""


TRADE = counted(both("Trade", "Commercio"), "trade/{Nodes}")


def _earn(f: Realm, nation: Faction, table: RangeTable) -> None:
    code = nation.faction
    # Winter's bullet excludes the looted and besieged alone, those of the other seasons the just conquered, too.
    conquered = f.season != "Wi" or TradeNumbers.of(f).trade_exclude == "all"
    counts = [f.success_test(TRADE, (node.node,), mods=f.modifiers(TRADE_MODIFIERS, f, nation, node),
                             audience=[code], rows=table) for node in f.of(code)
              if not (f.is_besieged(node.node) or node.looted_turn == f.turn
                      or (conquered and node.conquered_turn == f.turn))]
    income = sum(int(count.verdict) for count in counts)
    nation.resources += income
    if counts:
        f.tell("trade", roll=counts, faction=code, n=income, k=len(counts))


# Victory.


def points(default: int, what: str, cosa: str, *, usual: bool = False) -> int:
    """Declare how many points something counts."""
    return assumed(default, "points", both.made(f"{what} counts {{n}} {{n?point|points}}.",
                                                f"{cosa} vale {{n}} {{n?punto|punti}}."), usual=usual)


class ScoreNumbers(Rules):
    """What counts points."""

    score_province: int = points(3, "A province", "Una provincia", usual=True)
    score_capital: int = points(5, "A foreign capital", "Una capitale straniera", usual=True)
    score_resources: int = assumed(10, "resources", both("Every {n} {n?resource counts|resources count} a point.",
                                                         "Ogni {n} {n?risorsa vale|risorse valgono} un punto."),
                                   minimum=1)
    score_weapon: int = points(2, "A weapon borne", "Un'arma portata")
    score_war: int = assumed(
        3, "points", both("A war won counts {n} {n?point|points}, one lost as many less.",
                          "Una guerra vinta vale {n} {n?punto|punti}, una persa altrettanti in meno."), usual=True)
    score_conquest: int = assumed(1, "points", both("For conquerors a foreign province counts {n} more.",
                                                    "Per i conquistatori una provincia straniera vale {n} in più."))
    score_colonizing: int = assumed(1, "points",
                                    both("For colonists a foreign province next to home counts {n} more.",
                                         "Per i coloni una provincia straniera vicina alla patria vale {n} in più."))
    score_loot: int = assumed(5, "resources", both("For looters every {n} looted count a point.",
                                                   "Per i predoni ogni {n} saccheggiate valgono un punto."), minimum=1)
    score_no_interest: int = assumed(
        15, "resources", both("Without interest every {n} {n?resource counts|resources count} a point more.",
                              "Senza interessi ogni {n} {n?risorsa vale|risorse valgono} un punto in più."), minimum=1)


SCORE_CHAPTER = Chapter(
    both("Arbitro's rules", "Regole di Arbitro"), (Citation("A", "Arbitro's rule", "regola di Arbitro"),),
    ScoreNumbers, events=(
    EventType("frontier_peace", both("{by:the} and {partner:the} have no frontier any more and make peace.",
                                     "{by:il} e {partner:il} non confinano più e fanno pace."), "diplomacy", 1, to=ALL),
    EventType("eliminated", both("{faction:the} {faction?is|are} no more.", "{faction:il} non {faction?è|sono} più."),
              "news", 0, to=ALL),
    EventType("season_ends", both("The season is over.", "La stagione è finita."), "news", 6, to=ALL),
    EventType("campaign_ends", both("The campaign is over. First: {winners}.",
                                    "La campagna è finita. Primi: {winners}."), "news", 0, to=ALL),
    EventType("settled", both("Totals updated.", "Totali aggiornati."), "rulings", 9, to=REFEREE),
))


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


ON_THE_WAY = both("Provinces {provinces}; {needed} end the campaign at once. Points {points}. {years} "
                  "{years?year|years} left.",
                  "Province {provinces}; con {needed} finisce subito. Punti {points}. {years?Resta|Restano} {years} "
                  "{years?anno|anni}.")


def clock(aim: Aim) -> Said:
    """How many provinces a nation owns and how many end the campaign, its points, and how long it has."""
    return Said(ON_THE_WAY, {"provinces": aim.provinces, "needed": aim.needed, "points": aim.points or 0,
                             "years": aim.years})


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
    total = rules.score_province * len(own) + rules.score_capital * sum(node.capital for node in foreign)
    total += nation.resources // rules.score_resources
    own_leaders = {leader.leader for leader in f.leaders if leader.faction == code}
    total += rules.score_weapon * sum(weapon.state == "borne" and weapon.bearer in own_leaders for weapon in f.weapons)
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


def tell_score(f: Realm) -> None:
    """Tell the end, and the table of points, the best first."""
    # Who is equal in points, provinces and resources shares the first place.
    scores = {code: (points_of(f, nation), len(f.of(code)), nation.resources if nation.alive else 0)
              for code in f.codes for nation in [f.nations[code]]}
    ranked = sorted(f.codes, key=lambda code: scores[code], reverse=True)
    winners = [code for code in f.codes if scores[code] == scores[ranked[0]]]
    f.tell("campaign_ends", winners=" ".join(winners), points={code: scores[code][0] for code in ranked},
           provinces={code: scores[code][1] for code in ranked})


WHO_WON = both("{winners:the} {winners?has|have} won.", "{winners?Ha|Hanno} vinto {winners}.")
ALL_POINTS = both("Points: {points}.", "Punti: {points}.")


def ending(view_events: list[Event]) -> Ending:
    """How the campaign ended, from its last event."""
    told = next((event.data for event in reversed(view_events) if event.event == "campaign_ends"), None)
    if told is None:
        return Ending()
    rows = [{"faction": code, "points": n, "provinces": told["provinces"][code]} for code, n in told["points"].items()]
    return Ending((Said(WHO_WON, {"winners": told["winners"]}),), (Said(ALL_POINTS, {"points": told["points"]}),),
                  tuple(told["winners"].split()), rows)


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
        bearer = f.first_of((cinc for cinc in there if not cinc.weapon), by_reputation=False)
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
    f.remove(*f.units_of(code))
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


# Winter quarters: Disband or Not, deaths of leaders, second check, weapons (DN, p60, p61).


in_disbanding = counting("in Disband or Not", "nella prova di congedo")


class WinterNumbers(Rules):
    """Who goes home in Winter, who dies, which weapons appear."""

    weapon_on: int = assumed(6, "1d6", both("A weapon that is away appears on {n} or more.",
                                            "Un'arma assente appare con {n} o più."), minimum=1, source="p61")
    death_from: int = derived(11, "2d6", both("A national leader dies in Winter from {n} on.",
                                              "Un capo nazionale muore in inverno da {n} in su."), source="p60")
    disband_rep_high: int = in_disbanding(1, "A great commander counts", "Un grande comandante vale")
    disband_rep_low: int = in_disbanding(-1, "A poor commander counts", "Un comandante mediocre vale")
    keep_price: int = number(1, "resources", both("Keeping a unit that would leave costs {n}.",
                                                  "Tenere un reparto che se ne andrebbe costa {n}."))
    npc_keep_floor: int = assumed(5, "resources", both("Self-run nations keep units while they have more than {n}.",
                                                       "Le nazioni autonome tengono reparti finché hanno più di {n}."))
    npc_keep: str = choice(both("In Winter self-run nations pay to keep units that are {option}.",
                                "In inverno le nazioni autonome pagano per tenere i reparti {option}."),
                           normal=("normal or better", "normali o migliori"),
                           poor=("of any morale", "di qualsiasi morale"),
                           veteran=("veteran or better", "veterani o migliori"), elite=("elite", "d'élite"))
    winter_nm_checks: str = choice(
        both("In Winter {option}.", "In inverno {option}."),
        two=("all nations at war check twice", "tutte le nazioni in guerra provano due volte"),
        leader_died=("only those whose leader died check twice", "provano due volte solo quelle il cui capo è morto"),
        one=("there is one check", "c'è una sola prova"), source="TS-Wi10", usual=True)
    disband_scope: str = unit_or_army(
        both("Disband or Not is tested by {option}.", "La prova di congedo si fa per {option}."))
    disband_pay: str = choice(both("In Winter a resource {option}.", "In inverno una risorsa {option}."),
                              save_unit=("keeps a unit that would leave", "tiene un reparto che se ne andrebbe"),
                              survivors_pay=("is due for each unit that stays", "è dovuta per ogni reparto che resta"),
                              none=("keeps nobody", "non tiene nessuno"), usual=True)
    rep_threshold: str = choice(
        both("A reputation counts {option}.", "Una reputazione conta {option}."), {
            "as_text": ("above 6 and below 2", "sopra 6 e sotto 2"),
            "5_2": ("from 5 on and up to 2", "da 5 in su e fino a 2")})


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


WINTER_CHAPTER = Chapter(
    both("Disband or Not", "Congedo invernale"), cites("DN", "p60", "p61", "TS-Wi10"), WinterNumbers, events=(
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
), findings=(
    Message("BLD-052", "warning",
            both("{k} {k?unit named|units named}, money for {m}: the first {m} {m?is kept|are kept}.",
                 "{k} {k?reparto indicato|reparti indicati}, denaro per {m}: {m?si tiene il primo|si tengono i "
                 "primi} ({m}).")),
), questions=(
    question_type("keep", both("Disband or Not: {units} may be kept for 1 resource each; {m} in hand.",
                               "Congedo invernale: si possono tenere {units} a 1 risorsa ciascuno; in cassa {m}."),
                  KeptUnits(), means={"units": "piece"}),
))


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
        code = quarters.nation.faction
        if pays == "save_unit":
            _keep(f, quarters, named.get(code, ""))
        elif pays == "survivors_pay":
            _pay(f, quarters)
        if quarters.counts:
            f.remove(*quarters.leaving)
            home = " ".join(unit.unit for unit in quarters.leaving)
            f.tell("disband_tests", roll=quarters.counts, faction=code, units=home)
            f.tell("disband", faction=code, n=len(quarters.leaving), k=f.strength(code))


DISBAND = counted(both("Disband or Not", "Congedo invernale"), "disband/{Units*}")


def _test_nation(f: Realm, nation: Faction) -> Quarters:
    code = nation.faction
    tests = UnitTests(WinterNumbers.of(f).disband_scope, lambda unit: f.success_test(
        DISBAND, (unit.unit,), mods=_reputation(f, unit), audience=[code], rows=DISBAND_ROWS))
    units = [unit for unit in f.units_of(code) if not f.in_siege(unit.army)]  # the page exempts both sides of a siege
    leaving = [unit for unit in units if MORALE_OF[unit.morale] < STAYS_FROM[tests.of(unit).verdict]]
    # On 0 successes a unit leaves whatever is paid for it (DN).
    keepable = [unit for unit in leaving if tests.of(unit).at_least(1)]
    return Quarters(nation, units, list(tests.values()), leaving, keepable)


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
