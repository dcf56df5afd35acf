"""Bloodlust nations as a ruleset: four seasons a year, nations of clubs and of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Any, cast

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Event, Order, Question, Rule
from assistant.campaign.tables import Record
from assistant.rulesets.bloodlust import (
    ROLLS,
    SEASON_NAMES,
    VOCABULARY,
    aftermath,
    battle,
    both,
    dossier,
    envoys,
    invasions,
    orders,
    organising,
    realm,
    records,
    recruiting,
    season,
    war,
)
from assistant.rulesets.bloodlust.realm import MERCENARIES, Land, Realm
from assistant.rulesets.bloodlust.records import TURNS, Army, Leader, Node, Unit
from assistant.turn.calendar import Calendar
from assistant.turn.chapters import Message, Rules
from assistant.turn.event_types import DeclaredTable, Ending, Said, TableOf, sparse_table, tables_of
from assistant.turn.findings import Finding, Where, finding_at
from assistant.turn.game import Game, Phase, Step
from assistant.turn.map_symbols import BESIEGES, ForceLook, Looks, Marks, PlaceLook
from assistant.turn.numbers import strip_prefix
from assistant.turn.orders.columns import Note
from assistant.turn.orders.requests import Request, role
from assistant.turn.orders.verbs import Shapes, order, order_book
from assistant.turn.ruleset import Wing, fill_in_tables
from assistant.turn.texts import keyed
from assistant.turn.views import Chance, draw_unseen

# Checks of the whole workbook (BLD-080 to 085), and the preparation of a new campaign.


FINDINGS = (
    Message("BLD-080", "error",
            both("{faction:the} {faction?has|have} {n} {n?marshal|marshals}; one is allowed (none for {list}).",
                 "{faction:il} {faction?ha|hanno} {n} {n?maresciallo|marescialli}; uno solo (nessuno per {list}).")),
    Message("BLD-081", "error", both("{weapon} has two bearers, or {leader} two weapons.",
                                     "{weapon} ha due portatori, o {leader} due armi.")),
    Message("BLD-082", "error", both("Frontier {a}-{b} is written twice, or joins a province to itself.",
                                     "Confine {a}-{b} doppio, o di una provincia con se stessa.")),
    Message("BLD-083", "error",
            both("Troop table of {faction:the} lacks roll {n}.", "Nella tabella {faction:di} manca il tiro {n}.")),
    Message("BLD-084", "error",
            both("{unit} of {f1} is in army {army} of {f2}.", "{unit}, {f1:di}, è nell'armata {army}, {f2:di}.")),
    Message("BLD-085", "warning", both("{faction:the} {faction?has|have} no capital of its own on the map.",
                                       "{faction:il} non {faction?ha|hanno} capitale sulla mappa.")),
)


PREFIX = "bloodlust."
RESERVE, RESERVE_IT = "Reserve", "Riserva"
_finding_at = partial(finding_at, keyed(*FINDINGS))


def _check_people(land: Land) -> Iterator[Finding]:
    """Marshals, and bearers of weapons."""
    none = [row.faction for row in land.nations if row.leading_rank != "marshal"]
    count = Counter(leader.faction for leader in land.leaders if leader.rank == "marshal" and leader.there)
    for row in land.nations:
        if (n := count[row.faction]) > (row.faction not in none):
            yield _finding_at("BLD-080", row, "faction", faction=row.faction, n=n, list=" ".join(none) or "-")
    for leader in land.leaders:
        borne = [row.weapon for row in land.weapons if row.bearer == leader.leader]
        if borne != [leader.weapon] * bool(leader.weapon):
            yield _finding_at("BLD-081", leader, "weapon", weapon=leader.weapon or borne[0], leader=leader.leader)


def _check_land(land: Land) -> Iterator[Finding]:
    """Frontiers, troop tables, armies of others with own units or commanders, capitals."""
    seen: set[frozenset[str]] = set()
    for _, road in land.roads.in_file_order():
        pair = frozenset((road.a, road.b))
        if len(pair) < 2 or pair in seen:
            yield _finding_at("BLD-082", road, "b", a=road.a, b=road.b)
        seen.add(pair)
    alive, have = [row for row in land.nations if row.alive], {(row.faction, row.roll) for row in land.recruits}
    tables = [*(row.faction for row in alive), *{code for code, _ in have if code == MERCENARIES}]
    for code, roll in product(tables, range(1, 7)):
        if (code, roll) not in have:
            yield Finding("BLD-083", "error", Where(records.Recruit.sheet, f"{code}/{roll}", "roll"),
                          {"faction": code, "n": roll}, "" if code == MERCENARIES else code)
    pieces: list[Unit | Leader] = [*land.units.where(lambda unit: unit.active)]
    for piece in (*pieces, *land.leaders.where(lambda leader: leader.there)):
        army = land.armies.get(piece.army)
        if army is not None and army.faction != piece.faction:
            yield _finding_at("BLD-084", piece, "army", unit=piece.ident, f1=piece.faction, army=army.army,
                              f2=army.faction)
    homes = {row.home for row in land.provinces if row.capital}
    for row in alive:
        if row.faction not in homes:
            yield _finding_at("BLD-085", row, "faction", faction=row.faction)


def prepare_campaign(campaign: Campaign) -> None:
    """Fill in what a new campaign leaves out: season, owners, morale, reputations, armies, printed tables.

    Each nation gets a Reserve, and keys of rules lose the book's name.
    """
    fill_in_tables(campaign, records.PRINTED, records.TABLES)
    land, rules = Land(campaign), campaign.table(Rule)
    strip_prefix(rules, PREFIX, rules.keys_in_file_order())
    land.desk.turn = land.desk.turn or "987Sp"
    # Each season begins with its own first phase: only Spring has a call, and Winter no recruiting.
    first = {"Sp": "call", "Wi": "muster"}.get(TURNS.season(land.desk.turn), "recruit")
    land.desk.phase = land.desk.phase or first
    for node in land.provinces:
        # A map may give either; who owns a province at the start is at home there.
        node.owner = node.owner or node.home
        node.home = node.home or node.owner
    for code in land.nations.keys_in_file_order():
        own = [node for node in land.provinces if node.owner == code]
        seats = [*(node.node for node in own if node.capital and node.home == code), *(node.node for node in own), ""]
        if f"{code}-a0" not in land.armies:
            land.armies.add(Army(army=f"{code}-a0", faction=code, name=RESERVE, kind="reserve", node=seats[0]))
    _name_in_both_languages(land)
    for unit in land.units:
        unit.army = unit.army or f"{unit.faction}-a0"
    _link_weapons(land)
    land.count_units()
    land.fill_in_blanks()


def _link_weapons(land: Land) -> None:
    """Complete weapons and bearers where only one of the two rows names the other, and the weapons' state."""
    for weapon in land.weapons:
        bearer = land.leaders.get(weapon.bearer)
        if bearer is not None:
            weapon.state, bearer.weapon = "borne", bearer.weapon or weapon.weapon
        elif weapon.node and weapon.state == "unplaced":
            weapon.state = "placed"
    for leader in land.leaders:
        borne = land.weapons.get(leader.weapon)
        if borne is not None and not borne.bearer:
            borne.bearer, borne.state = leader.leader, "borne"


def _name_in_both_languages(land: Land) -> None:
    """Give armies, Reserves and units that have the printed English name their Italian one, too; a campaign that was
    begun with one name for all readers keeps to it.
    """
    # Names that reports have used stay: whoever reads an old one must find its unit.
    if len(land.campaign.table(Event)):
        return
    for army in land.armies:  # as the title of a campaign, a name may be typed in both languages
        army.name, _, italian = army.name.partition(" / ")
        reserve = army.kind == "reserve" and army.name == RESERVE
        army.name_it = army.name_it or italian or (RESERVE_IT if reserve else "")
    names = {(row.faction, row.type, row.name_en): row.name_it for row in land.recruits}
    for unit in land.units:
        table = MERCENARIES if unit.mercenary else unit.faction
        unit.name_it = unit.name_it or names.get((table, unit.type, unit.name), "")


# The map: provinces with capitals and forts, armies, invasions, conquests, sieges.


MARCHES = {"invasion": ("army", "start", "node"), "marched": ("army", "node")}
MARKS = {"result": Marks("battle", owner="winner"), "battle": Marks("battle", owner="by"),
         "conquered": Marks("captured", owner="faction"), "raided": Marks("razed", owner="faction"),
         "siege_begins": Marks("siege", owner="besieger")}


class BloodlustLooks(Looks):
    """Armies are counters that all see; how many units they hold is known where the fog is lifted, and of one's own."""

    ways = {"": "border"}  # noqa: RUF012
    revolt = both("In unrest", "Disordini")
    marches = MARCHES
    marks = MARKS
    ordered = {"invade": ("subject", "target"), "post": ("subject", "target")}  # noqa: RUF012

    def place(self, node: base.Node, game: Game) -> PlaceLook:
        """A capital, a fort, or open land; in unrest as long as its nation is (rulebook: Will to Fight)."""
        look = super().place(node, game)
        kind = "capital" if look.capital else "fort" if look.walls else "province"
        glyph, size = {"capital": ("city", 3), "fort": ("fortress", 2)}.get(kind, ("dot", 1))
        land = Land(game.campaign)
        unrest = look.owner in land.nations and land.nations[look.owner].unrest > 0
        return look._replace(kind=kind, glyph=glyph, size=size, besieged=land.is_besieged(node.node), revolt=unrest)

    def strength(self, row: Record, game: Game) -> str:
        """Units of an army, as far as they are seen."""
        return str(len(Land(game.campaign).units_in(row.ident)) or "")

    def standing(self, game: Game, faction: str) -> Iterator[ForceLook]:
        """As by default; one's own army without a unit shows 0."""
        for look in super().standing(game, faction):
            yield look if look.strength or faction not in (look.owner, base.REFEREE) else look._replace(strength="0")

    def stance(self, row: Record, game: Game) -> str:
        """An army before a fort besieges it."""
        sieges = Land(game.campaign).open_sieges() if isinstance(row, Army) else []
        return BESIEGES if any(row.ident in siege.armies_out.split() for siege in sieges) else ""


# The order of play: verbs, and the phases of the four seasons (rulebook: The year).


@order("delegate", "delega", when=("recruit", "muster", "war", "invade", "envoys"), note=Note(),
       help=both("Leave the phase to the rules' own dice.", "Lascia il passo ai dadi del regolamento."))
def delegate(f: Realm, request: Request) -> None:
    """Does nothing itself: it counts when the rows of a phase are taken (`orders`)."""


VERBS = order_book(
    recruiting.buy, recruiting.captain, recruiting.hero, recruiting.mercenary, recruiting.recruit,
    organising.form, organising.send_units, organising.lead, organising.dismiss, organising.forage,
    organising.pay_first, organising.ransom, organising.release, organising.post,
    war.war, war.peace, war.break_alliance, invasions.invade, invasions.lift, envoys.envoy, delegate,
    says=orders.FINDING_ROLES, cells=("subject",),
    shapes=Shapes(unit=r"(?:[A-Za-z]{2,4}-)?[aulmchAULMCH]\d+", place=r"[A-Za-z]\d+"),
    fillers=("a", "to", "in", "da", "from", "via", "and", "e", "ed", "roll", "rolls", "tiro", "tiri", "unit", "units",
             "unita"),
    like=VOCABULARY["verbs"], names=orders.further_names)


def _phase(name: str, en: str, it: str, about: str, rule: str, board: Callable[[Any], Any],
           *steps: Step | Callable[[Any], None], orders: bool = False, **more: Any) -> Phase:
    """A phase and what happens in it; at its end melees are calculated and totals settled."""
    done = (*steps, dossier.calculate_melees, Realm.settle)
    return Phase(name, en, it, rule, orders=name if orders else "", board=board, about=about,
                 steps=tuple(step if isinstance(step, Step) else Step(step) for step in done), **more)


def _carry(*groups: str) -> Step:
    """The step in which the clubs' orders are carried out, in this order of verbs."""
    return Step(lambda f: f.carry(*groups), "together")


CALENDAR = Calendar((
    _phase("call", "Recruiting rolls", "Tiri di reclutamento",
           both("Each nation's recruiting rolls for the year are counted.",
                "Si contano i tiri di reclutamento che ogni nazione ha per l'anno."),
           "TS-Sp1", Realm, recruiting.spring_call, waits_for=("strength",), only=("Sp",)),
    _phase("recruit", "Recruiting", "Reclutamento",
           both("Rolls bring units, captains and mercenaries.", "I tiri portano reparti, capitani e mercenari."),
           "TS-Sp2", recruiting.RecruitingBoard, Step(recruiting.take_plans, "together"),
           Step(recruiting.hire_all, follows=True), orders=True, waits_for=("strength",), only=("Sp", "Su", "Fa"),
           chests=recruiting.chests,
           unsent=both("Who sends nothing recruits nobody; rolls that are left lapse in Fall.",
                       "Chi non manda nulla non arruola nessuno; i tiri che restano scadono in autunno.")),
    _phase("muster", "Organising and upkeep", "Organizzazione e mantenimento",
           both("Armies are formed and paid, ransoms settled, and armies march in their own land.",
                "Le armate si formano e si pagano, si saldano i riscatti, e si marcia in casa propria."),
           "TS-Sp5", organising.OrganisingBoard,
           _carry("dismiss", "form", "join lead", "forage pay_first", "ransom release", "post"), organising.pay_all,
           organising.pay_ransoms, Step(organising.marches, follows=True),
           partial(Realm.end_empty_armies, without_leader=True), orders=True,
           unsent=both("Who sends nothing: units, commanders and armies stay where they are, and are paid.",
                       "Chi non manda nulla: reparti, comandanti e armate restano dove sono, e si pagano.")),
    _phase("war", "Who goes to war", "Chi va in guerra",
           both("Each nation is tested on whether it goes to war, and against whom.",
                "Ogni nazione fa la prova per sapere se va in guerra, e contro chi."),
           "p57", war.WarBoard, _carry("break", "peace", "war"), war.white_peaces, war.check_for_war,
           orders=True, waits_for=("join",),
           unsent=both("Who sends nothing names nobody: whether and against whom it goes to war the rules say.",
                       "Chi non manda nulla non indica nessuno: se e contro chi va in guerra lo dicono le regole.")),
    _phase("invade", "Invasions and responses", "Invasioni e risposte",
           both("Armies enter enemy provinces, and the invaded answer.",
                "Le armate entrano nelle province nemiche, e chi è invaso risponde."),
           "p58", invasions.InvasionBoard, _carry("lift", "invade"), invasions.choose_invasions,
           Step(invasions.enter_provinces, follows=True), invasions.mutual_attacks, invasions.resolve_responses,
           invasions.list_battles, orders=True, waits_for=("response", "relief"),
           unsent=both("Who sends nothing invades nobody, and sieges go on.",
                       "Chi non manda nulla non invade nessuno, e gli assedi continuano.")),
    _phase("battle", "Battles", "Battaglie",
           both("The battles are played at the table, or decided by dice.",
                "Le battaglie si giocano al tavolo, oppure le decidono i dadi."),
           "TS-Sp10", Realm, Step(battle.check_forms, "forms"), aftermath.resolve_battles, waits_for=("battle",)),
    _phase("siege", "Sieges", "Assedi",
           both("Forts under siege hold out or fall.", "I forti assediati resistono o cadono."),
           "LS", Realm, season.test_sieges),
    _phase("will", "National Morale", "Morale nazionale",
           both("National morale rises or falls, and nations at war are tested on whether they fight on.",
                "Il morale nazionale sale o scende, e chi è in guerra tira per sapere se continua."),
           "WF", Realm, war.will),
    _phase("winter", "Winter quarters", "Quartieri d'inverno",
           both("Units go home or stay for the winter.", "I reparti tornano a casa o restano per l'inverno."),
           "DN", Realm, season.winter, waits_for=("keep",), only=("Wi",)),
    _phase("trade", "Trade and commerce", "Commercio", both("Trade brings resources.", "Il commercio porta risorse."),
           "TC", Realm, season.trade),
    _phase("envoys", "Diplomacy", "Diplomazia",
           both("Envoys are sent: alliances are made, and offences given.",
                "Partono gli ambasciatori: nascono alleanze, e offese."),
           "DS", envoys.EnvoyBoard, Step(envoys.take_envoys, "together"), envoys.resolve_visits, orders=True,
           waits_for=("alliance",), only=("Wi",),
           unsent=both("For who sends nothing the dice choose whom its envoy visits.",
                       "Per chi non manda nulla i dadi dicono da chi va l'inviato.")),
    _phase("close", "End of season", "Fine stagione", both("The season is closed.", "La stagione si chiude."),
           "A", Realm, season.close_season),
), TURNS)


# The ruleset.


BOOK = (recruiting.CHAPTER, recruiting.COMMANDER_CHAPTER, organising.CHAPTER, war.CHAPTER, invasions.CHAPTER,
        recruiting.LEVY_CHAPTER, battle.CHAPTER, dossier.CHAPTER, aftermath.FATE_CHAPTER, aftermath.RECOVERY_CHAPTER,
        aftermath.EXPERIENCE_CHAPTER, aftermath.LOOT_CHAPTER, aftermath.STAYING_CHAPTER, aftermath.CHAPTER,
        season.SIEGE_CHAPTER, war.MORALE_CHAPTER, season.WINTER_CHAPTER, season.TRADE_CHAPTER,
        envoys.CHAPTER, season.SCORE_CHAPTER, records.BOARD_CHAPTER)
"""Its chapters in the order of the year."""


FIGURES: tuple[tuple[str, Callable[[Realm, records.Faction], int]], ...] = (
    (both("Provinces", "Province"), lambda f, nation: len(f.of(nation.faction))),
    (both("National morale", "Morale nazionale"), lambda f, nation: nation.morale),
    (both("Resources", "Risorse"), lambda f, nation: nation.resources),
    (both("Units", "Reparti"), lambda f, nation: f.strength(nation.faction)),
    (both("Recruiting rolls", "Tiri di reclutamento"), lambda f, nation: nation.rolls),
    (both("Wars", "Guerre"), lambda f, nation: len(f.enemies(nation.faction))))
"""What a nation's report shows at a glance."""
LEGEND_OF_UNITS = both("REP: how well a unit fights, higher is better. Battles won: with enough of them its morale "
                       "rises a level; a lost battle puts them back to 0.",
                       "REP: quanto vale un reparto in combattimento, più è alta meglio è. Vittorie: quando bastano il "
                       "morale sale di un livello; una sconfitta le riporta a 0.")
LEGEND_OF_ARMS = both("AC: armour class, from 2 to 8, higher is better.",
                      "CA: classe d'armatura, da 2 a 8, più è alta meglio è.")
LEGEND_OF_COMMANDERS = both("WR: war rating, how well a commander leads; what a weapon adds comes on top.",
                            "WR: valore di guerra, quanto bene comanda un comandante; il bonus di un'arma si aggiunge.")
OWN_TABLES = (
    DeclaredTable(both("Your armies", "Le tue armate"), "armies", Army, "army node kind units posted_turn"),
    DeclaredTable(both("Your units", "I tuoi reparti"), "units", Unit, "unit army rep morale xp", LEGEND_OF_UNITS),
    DeclaredTable(both("How they fight", "Come combattono"), "units", Unit, "unit mount ac arm skills", LEGEND_OF_ARMS),
    sparse_table(both("Mercenaries, and who is not at his best", "Mercenari, e chi non è al meglio"), "units", Unit,
                 "unit mercenary siege_loss exhausted greedy_until"),
    DeclaredTable(both("Your commanders", "I tuoi comandanti"), "leaders", Leader, "leader rank reputation wr army",
                  LEGEND_OF_COMMANDERS),
    sparse_table(both("Their attributes and weapons", "I loro attributi e le loro armi"), "leaders", Leader,
                 "leader attributes weapon wr_change wr_change_until",
                 both("The WR above counts the change already.", "La WR qui sopra conta già la variazione.")),
    DeclaredTable(both("What their weapons do", "Che cosa fanno le loro armi"), "weapons", records.Weapon,
                  "weapon bearer wr_bonus attributes"),
    sparse_table(both("Those who cannot lead now", "Chi ora non può comandare"), "leaders", Leader,
                 "leader state until_turn holder"),
    DeclaredTable(both("Your provinces", "Le tue province"), "provinces", Node,
                  "node terrain fort conquered_turn looted_turn"),
    DeclaredTable(both("Open wars", "Guerre in corso"), "wars", records.War, "aggressor target reason began",
                  both("War check: a nation's throw on whether it goes to war; whom, it chooses by its orders, or else "
                       "dice do. Where both wanted it, each had chosen the other, and one of the two counts as the "
                       "aggressor.",
                       "Prova di guerra: il tiro che dice se una nazione va in guerra; contro chi lo sceglie con i "
                       "suoi ordini, o altrimenti i dadi. Se la volevano tutte e due, si erano scelte a vicenda, e una "
                       "delle due vale come aggressore.")),
    DeclaredTable(both("Your enforced peaces", "Le tue paci imposte"), "peaces", records.Peace,
                  "winner loser until_year",
                  both("Until then the two wage no war on each other.", "Fino ad allora le due non si fanno guerra.")),
    DeclaredTable(both("Sieges", "Assedi"), "sieges", records.Siege, "node besieger began armies_out armies_in"),
    DeclaredTable(both("What ends the campaign", "Che cosa chiude la campagna"), "aims", season.Aim,
                  "faction provinces needed points years", clock=season.clock),
)
NEXT_TO_YOU = both("Next to you: {others:the}. As things stand you may go to war with: {legal:the}. While you are at "
                   "war with {enemies:the} you begin no other war; you may invade there. The next time for it: {when}.",
                   "Confini con: {others:il}. Per ora puoi muovere guerra a: {legal:il}. Finché sei in guerra con "
                   "{enemies:il} non cominci altre guerre; lì puoi invadere. La prossima volta: {when}.")
NO_WAR_NOW = both("Next to you: {others:the}. You may go to war with none of them now.",
                  "Confini con: {others:il}. Adesso non puoi muovere guerra a nessuno di loro.")
CUT_OFF = both("Cut off from your other provinces, with no way through open land of yours or of allies: {armies}. In "
               "Spring an army may be posted to any of them all the same.",
               "Tagliate fuori dalle altre tue province, senza una via per terra libera tua o alleata: {armies}. In "
               "primavera si può comunque spostare un'armata in una qualsiasi di esse.")
WHAT_COUNTS = both("Points: {province} for a province, {capital} for a foreign capital, {war} for a war won and as "
                   "many less for a war lost, 1 for every {resources} {resources?resource|resources}, and more for "
                   "weapons and for what your nation is keen on. The campaign ends at once when a nation owns more "
                   "than half of the provinces; the most points win.",
                   "Punti: {province} per provincia, {capital} per capitale straniera, {war} per guerra vinta e "
                   "altrettanti in meno per guerra persa, 1 ogni {resources} {resources?risorsa|risorse}, e altri per "
                   "le armi e per ciò che interessa alla tua nazione. La campagna finisce subito quando una nazione "
                   "possiede più di metà delle province; vince chi ha più punti.")
UPKEEP_NOW = both("This Spring {n} {n?unit|units} of yours will cost {k} {k?resource|resources}. You have {m}. "
                  "{most}",
                  "Questa primavera {n} {n?tuo reparto costerà|tuoi reparti costeranno} {k} {k?risorsa|risorse}. "
                  "Ne hai {m}. {most}")
UPKEEP_AHEAD = both("Next Spring {n} {n?unit|units} of yours will cost {k} {k?resource|resources}. You have {m}. "
                  "{most}",
                    "In primavera {n} {n?reparto costa|reparti costano} {k} {k?risorsa|risorse}. Ne hai {m}. "
                    "{most}")
AT_MOST_BOUGHT = both("You may buy at most {n} {n?roll|rolls} a season.",
                      "Al massimo {n} {n?tiro comprato|tiri comprati} a stagione.")
UNTIL_PAID = ("call", "recruit", "muster")
"""The phases of Spring up to that in which upkeep is paid."""
OWN_CAPTIVE = both("{leader} is held by {faction:the}. The ransom is {n}: order ransom in the next muster.",
                   "{leader} è in mano {faction:a}. Il riscatto è di {n}: ordina riscatta alla prossima "
                   "riorganizzazione.")
CAPTIVE_HELD = both("You hold {leader} of {faction:the}. The ransom would be {n}: order release in the next muster to "
                    "let the captive go.",
                    "Tieni in prigionia {leader}, {faction:di}. Il riscatto sarebbe di {n}: per lasciare libero chi "
                    "tieni ordina rilascia alla prossima riorganizzazione.")
TRIBUTE = both("You pay tribute to {partner:the} until {year}.", "Paghi un tributo {partner:a} fino al {year}.")
ROLLS_OWED = both("By the enforced peace you cede recruiting rolls to {winner:the} until the end of {year}.",
                  "Per la pace imposta cedi tiri di reclutamento {winner:a} fino alla fine del {year}.")
ARMIES_OF_OTHERS = both("Armies of others", "Armate altrui")
COMMANDERS_OF_OTHERS = both("Commanders of others", "Comandanti altrui")


PUBLIC: Mapping[str, Any] = MappingProxyType({
    "Realm": Realm, "trade": season.trade, "check_morale": war.check_morale,
    "end_empty_armies": Realm.end_empty_armies, "RECRUIT": recruiting.RECRUIT, "TRADE": season.TRADE,
    "FATE": aftermath.FATE,
    **{kind.__name__: kind for kind in records.RECORDS if kind.__module__ == records.__name__}})
"""What house rules with code may use."""


def _next_to(f: war.WarBoard, faction: str) -> Said:
    """Who borders on a nation, its wars, and on whom it might make war: only a nation at peace begins one."""
    others, enemies = f.neighbours(faction), f.enemies(faction)
    legal = [other for other in others if f.legal(faction, other)]
    when = _next_time(f, faction, "invade" if enemies else "war")
    return Said("") if not others else Said(NEXT_TO_YOU if enemies or legal else NO_WAR_NOW, {
        "others": others, "legal": "" if enemies else legal, "enemies": enemies or "", "when": when})


def _next_time(f: Realm, faction: str, phase: str) -> str:
    """The next turn in which a nation may act in a phase of war, and that phase; "" for none before the end."""
    phases = [row.id for row in CALENDAR.turn]
    past = f.game.phase in phases and phases.index(f.game.phase) > phases.index(phase)
    turns = [f.later(n) for n in range(past, len(SEASON_NAMES) + 1)]
    fights = f.nations[faction].has_trait("winter_war")
    return next((f"{turn} {phase}" for turn in turns if (fights or TURNS.season(turn) != "Wi")
                 and int(TURNS.year(turn)) <= f.desk.last_year), "")


def _cut_off(f: Realm, faction: str) -> Said | str:
    """The armies in the field from which no way leads to another province of their nation."""
    own = {node.node for node in f.of(faction)}
    armies = [army.army for army in f.armies_of(faction) if army.kind == "field" and not f.in_siege(army.army)
              and own - {army.node} and own.isdisjoint({*f.ways(faction, army.node)} - {army.node})]
    return Said(CUT_OFF, {"armies": " ".join(armies)}) if armies else ""


def _as_they_lead(f: Realm, leaders: Iterable[Leader]) -> list[Leader]:
    """Commanders with the WR that they have at present, without what a weapon adds, and no change that is over."""
    return [row.with_values({"wr": max(0, row.wr + row.wr_change)} if f.lasts(row.wr_change_until) else
                            {"wr_change": 0, "wr_change_until": ""}) for row in leaders]


class Bloodlust(Wing[Rules]):
    """Bloodlust nations, all switches."""

    id = "bloodlust"
    interface = 6
    title = "Bloodlust nations"
    author = "House rules on a published campaign system"
    version = "2"
    translations = both
    form = battle.FORM
    forms = (records.BattleUnit, records.BattleLeader)
    battles = records.BATTLES
    records = (*records.RECORDS, dossier.Melee, base.Event, base.TurnDie, base.FindingRow, base.Rule)
    rules_of = Rules
    calendar = CALENDAR
    findings = keyed(*orders.FINDINGS, *realm.FINDINGS, *FINDINGS)
    verbs = VERBS
    rolls = ROLLS
    treaties = envoys.TREATIES
    tempers = war.TEMPERS
    looks = BloodlustLooks()
    chapters = BOOK
    public = PUBLIC
    late = role("BLD-008", turn="turn")
    prefix = PREFIX
    named = ("Nodes", "Leaders", "Weapons")
    coded = ("Armies", "Units")
    shared = ""
    unwelcome = ("Shaken", "Unrest")
    unheard = "BLD-004"

    def realm(self, campaign: Campaign) -> Realm:
        """The campaign as a phase would see it now."""
        realm: Realm = self.board(self.game(campaign))
        return realm

    # --- the calendar -----------------------------------------------------------------------
    def last_turn(self, campaign: Campaign) -> bool:
        """The Winter of the last year, or one nation owns more than half of the land."""
        return season.is_last_season(self.realm(campaign))

    def turn_name(self, turn: str, lang: str) -> str:
        """Year and season: ``987, Spring``."""
        season = SEASON_NAMES.get(TURNS.season(turn))
        return f"{TURNS.year(turn)}, {season[lang == 'it']}" if season else turn

    # --- data and orders --------------------------------------------------------------------
    prepare = staticmethod(prepare_campaign)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """What is wrong with the workbook, and what is to be expected of melees that do not say it yet."""
        melees = dossier.odds_to_tell(self.realm(campaign)) if len(campaign.table(dossier.Melee)) else []
        return [*_check_people(Land(campaign)), *_check_land(Land(campaign)), *melees]

    # --- the end ----------------------------------------------------------------------------
    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """What all may count: provinces, morale, wars."""
        f = self.realm(campaign)
        return [{"faction": code, "provinces": len(f.of(code)), "morale": f.nations[code].morale,
                 "wars": len(f.enemies(code))} for code in f.codes]

    def ending(self, view: Campaign) -> Ending:
        """The points that the last close told."""
        return season.ending([event for _, event in view.table(Event).in_file_order()])

    # --- what reports show -------------------------------------------------------------------
    def outcomes(self, view: Campaign, faction: str, events: Iterable[Event]) -> list[Said]:
        """Who won the nation's battles, and how many units they cost it."""
        f = self.realm(view)
        return list(dossier.outcomes(f, faction, events)) if faction in f.nations else []

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Upkeep ahead, captives on either side, tribute, recruiting rolls to be ceded."""
        f = self.realm(view)
        nation = f.nations.get(faction)
        if nation is None or not nation.alive or self.is_over(view):
            return []
        units = f.units_of(faction)
        cost = organising.spring_upkeep(f, units)
        # In Spring and Summer the recruiting phases tell what may still be bought.
        most = {"max_tech": nation.tech, "one": 1}.get(str(f.rules["buy_rr_cap"]))
        bought = "" if most is None or f.season not in ("Fa", "Wi") else Said(AT_MOST_BOUGHT, {"n": most})
        due = UPKEEP_NOW if f.season == "Sp" and view.desk.phase in UNTIL_PAID else UPKEEP_AHEAD
        captives = [(row, {"leader": row.leader, "n": organising.ransom_of(f, row)})
                    for row in f.leaders if row.state == "captured"]
        return [
            *([Said(due, {"n": len(units), "k": cost, "m": nation.resources, "most": bought})] if cost else []),
            *(Said(OWN_CAPTIVE, {**told, "faction": row.holder}) for row, told in captives if row.faction == faction),
            *(Said(CAPTIVE_HELD, {**told, "faction": row.faction}) for row, told in captives if row.holder == faction),
            *(Said(TRIBUTE, {"partner": row.toward, "year": row.tribute_until})
              for row in f.relations if row.of == faction and f.holds(row.tribute_until)),
            *(Said(ROLLS_OWED, {"winner": peace.winner, "year": peace.until_year})
              for peace in f.peaces if peace.loser == faction and peace.pays and f.peace_holds(peace))]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Provinces, morale, resources, units, recruiting rolls, open wars."""
        f = self.realm(view)
        return [(label, figure(f, f.nations[faction])) for label, figure in FIGURES if faction in f.nations]

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """The hand-over of a battle, of what its side may know."""
        return dossier.dossier(self.realm(view), cast(records.Battle, battle), faction)

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Own armies, units, commanders, provinces; what all know of wars, sieges and weapons stands there too."""
        f = self.realm(view)
        made = tables_of(
            OWN_TABLES, armies=f.armies_of(faction), units=f.units_of(faction),
            leaders=_as_they_lead(f, f.leaders_of(faction)),
            weapons=[row for leader in f.leaders_of(faction) if (row := f.weapons.get(leader.weapon)) is not None],
            provinces=f.of(faction), wars=f.open_wars(),
            peaces=[row for row in f.peaces if faction in (row.winner, row.loser) and f.peace_holds(row)],
            sieges=f.open_sieges(),
            aims=season.aims(f, faction) if faction in f.nations and not self.is_over(view) else [])
        worth = season.ScoreNumbers.of(f)
        points = {name: getattr(worth, f"score_{name}") for name in ("province", "capital", "war", "resources")}
        notes = {season.Aim: Said(WHAT_COUNTS, points), Node: _next_to(war.WarBoard(f.game), faction),
                 Army: _cut_off(f, faction)}
        return [table._replace(note=notes.get(table.record, table.note)) for table in made]

    def cause_of(self, view: Campaign, faction: str, event: Event) -> Event | Said | None:
        """Of a collapse the throw of the nation's will, of a unit that merges or finds no other its dice."""
        if event.event in ("merged", "unit_lost"):
            return dossier.why_gone(self.realm(view), event)
        events = view.table(Event) if event.event == "disaster" else ()
        return next((told for told in events if told.event == "will" and (
            told.turn, told.phase, told.data["faction"]) == (event.turn, event.phase, event.data["faction"])), None)

    def foes(self, view: Campaign, faction: str) -> list[str]:
        """The nations with which one has an open war."""
        f = self.realm(view)
        return f.enemies(faction) if faction in f.nations else []

    def is_bound(self, view: Campaign, a: str, b: str) -> bool:
        """Without a war, whoever could not even begin one: neither may attack the other."""
        f = self.phase("war").board(self.game(view, "war"))
        return not (f.at_war(a, b) or f.legal(a, b) or f.legal(b, a))

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """The armies of others that have units, and the commanders of others."""
        f = self.realm(view)
        armies = f.armies.where(lambda army: army.active and army.units > 0 and army.faction != faction)
        leaders = f.leaders.where(lambda leader: leader.there and leader.faction != faction)
        return [TableOf(ARMIES_OF_OTHERS, Army, ("army", "faction", "node", "units"), armies),
                TableOf(COMMANDERS_OF_OTHERS, Leader, ("leader", "faction", "rank", "wr", "army"), leaders)]

    # --- absent clubs -----------------------------------------------------------------------
    def draw(self, view: Campaign, faction: str, chance: Chance) -> Campaign:
        """Chests and rolls like its own, commanders like those that it knows; in each army of others so many units as
        everybody counts, each like one of its own.
        """
        drawn = draw_unseen(self.viewer(view, faction), chance, {
            "Factions": ("resources", "rolls", "bought", "looted"), "Leaders": ("attributes",)})
        units = drawn.table(Unit)
        own = [row for row in units if row.faction == faction and row.active]
        for army in [row for row in drawn.table(Army) if row.active and own and row.faction != faction]:
            here = sum(row.army == army.army for row in units)
            for n in range(here + 1, army.units + 1):
                unit = chance.choice(own).with_values({"unit": f"{army.army}-u{n}", "faction": army.faction,
                                                       "army": army.army})
                units.add(unit)
        return drawn

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """An absent club leaves its phases to the rules (11)."""
        nation = view.table(records.Faction).get(faction)
        return [records.Order(verb="delegate")] if nation is not None and nation.alive else []

    def orders_by_temper(self, view: Campaign, faction: str, temper: str) -> list[Order]:
        """As `robot_orders`; a bold or careful robot says itself whom it fights."""
        rows = self.robot_orders(view, faction)
        if rows and temper in ("bold", "careful") and view.desk.phase == "war":
            return list(war.orders_by_temper(war.WarBoard(self.game(view)), faction, temper))
        return rows

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """The default; of units that may be kept the best, as the rules keep them."""
        if question.kind != "keep":
            return question.default
        f = self.realm(view)
        units = [f.units[code] for code in question.options.replace(",", " ").split() if code in f.units]
        return " ".join(unit.unit for unit in season.worth_keeping(f, f.nations[faction], units)) or question.default


# the titles of scenarios
both("Tanaephis 987", "Tanaephis 987")

BLOODLUST = Bloodlust()
