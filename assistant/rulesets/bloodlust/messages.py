"""Events, findings and questions of Bloodlust nations in English; the Italian is in `bloodlust.po`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.rulesets.bloodlust.season import KeptUnits
from assistant.rulesets.bloodlust.war import ResponseKind
from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message, citations_by_key
from assistant.turn.questions import AnswerKind, Option, QuestionType, Told
from assistant.turn.texts import N_, keyed

# Events (rulebook: Events).
#
# Fields in {braces} are the data of the event; {roll} is the ruling. `WORDS` are the codes that a reader sees
# translated.


_E = EventType

EVENTS: Mapping[str, EventType] = keyed(
    _E("rolls", "{faction:the} {faction?counts|count} {n} recruiting rolls: TECH {t}, WAR {w}, provinces {p}, "
       "defence {d}, insult {i}.", "money", 3, "TS-Sp1"),
    _E("payout", "{loser:the}, beaten, {loser?pays|pay} {n} {n?roll|rolls} to {winner:the}.", "diplomacy", 3, "TS-Sp3",
       means={"loser": "faction"}),
    _E("hero_offer", "A hero of level {n} offers himself to {faction:the}. {roll}.", "news", 2, "p50"),
    _E("hero_hired", "The hero {leader}, of level {n}, serves {faction:the}.", "news", 3, "p50"),
    _E("marshal", "{leader} is the new marshal of {faction:the}, WR {n}.", "news", 2, "CC"),
    _E("captain_hired", "{leader} is a new captain of {faction:the}, WR {n}.", "news", 4, "CC"),
    _E("bought", "{faction:the} {faction?buys|buy} {n} {n?roll|rolls}.", "money", 4, "TS-Sp2"),
    _E("recruited", "{faction:the} {faction?hires|hire} {unit}. {roll}.", "works", 5, "TS-Sp5"),
    _E("not_hired", "Opposed at home: {text} is not hired. {roll}.", "works", 4, "WF"),
    _E("foraged", "{unit} forages: {roll}.", "supply", 4, "FO"),
    _E("upkeep", "{faction:the} {faction?pays|pay} {n} for {k} {k?unit|units}.", "money", 3, "TS-Sp5"),
    _E("disbanded_unpaid", "{unit} is not paid and goes home.", "supply", 2, "TS-Sp5"),
    _E("marched", "{army} marches to {node:the}.", "moves", 4, "A"),
    _E("ransomed", "{leader} is free again, for {n}.", "diplomacy", 2, "A",
       variants=("n", {"0": "{leader} is let go for nothing."})),
    _E("war_check", "{faction:the}, whether to go to war: {roll}.", "diplomacy", 3, "p57", variants=("verdict", {
        "no_neighbour": "{faction:the} {faction?has|have} no neighbour against whom to go to war.",
        "choice": "{faction:the} {faction?chooses|choose} for {faction?itself|themselves} whether to go to war."})),
    _E("war", "{by:the} {by?makes|make} war on {opponent:the}.", "diplomacy", 0, "p57", variants=("reason", {
        "both": "{by:the} and {opponent:the} make war on each other.",
        "insult": "{by:the} {by?makes|make} war on {opponent:the} for an insult.",
        "ally": "{by:the} {by?makes|make} war on {opponent:the} beside an ally."})),
    _E("ally_joined", "{by:the} {by?joins|join} {partner:the} against {opponent:the}.", "diplomacy", 1, "DP"),
    _E("ally_refused", "{by:the} {by?refuses|refuse} to help {partner:the}; they are allies no more.",
       "diplomacy", 1, "DP"),
    _E("white_peace", "{by:the} and {partner:the} make peace.", "diplomacy", 1, "A"),
    _E("frontier_peace", "{by:the} and {partner:the} have no frontier any more and make peace.", "diplomacy", 1, "A"),
    _E("province_chosen", "{faction:the} {faction?chooses|choose} {node:the}. {roll}.", "moves", 4, "p58"),
    _E("invasion", "{army} enters {node:the} from {start:the}.", "moves", 1, "p58", means={"start": "place"}),
    _E("invaders", "{army} comes first to {node:the}. {roll}.", "moves", 3, "p58"),
    _E("turned_back", "{army} is turned back from {node:the}.", "moves", 3, "p58"),
    _E("response", "{faction:the} {faction?answers|answer} {node:at}: {option}, {army}.", "battles", 2, "p58",
       variants=("army", {"": "{faction:the} {faction?answers|answer} {node:at}: {option}."})),
    _E("refused_battle", "{faction:the} {faction?refuses|refuse} battle {node:at}, time {n} this year.",
       "battles", 2, "WF"),
    _E("mutual", "{army} and {unit} enter each other's start, {n} against {m} {m?success|successes}: {row}. {roll}.",
       "moves", 2, "MV", means={"unit": "piece"}),
    _E("levied", "{army} is raised: {n} {n?unit|units}. {roll}.", "works", 4, "DA"),
    _E("levy_raised", "A lord of {node:the} raises {n} {n?unit|units} under {leader}: {army}.", "battles", 3, "DA"),
    _E("battle", "Battle {battle} {node:at}: {by:the} against {opponent:the} ({kind}).", "battles", 1, "TS-Sp10",
       means={"battle": "text"}),
    _E("arrayed", "Battle {battle}: {n} {n?unit|units}, {m} of them mounted, against {k}, {l} of them mounted.",
       "battles", 2, "p58", means={"battle": "text"}),
    _E("result", "Battle {battle} {node:at} is drawn.",
       "battles", 0, "TS-Sp10", means={"battle": "text"}, variants=("how", {
        "attacker": "Battle {battle} {node:at} is won by the attacker, {winner:the}.",
        "defender": "Battle {battle} {node:at} is won by the defender, {winner:the}."})),
    _E("clash", "Battle {battle}, not played: {n} against {m} {m?success|successes}. {roll}.", "battles", 3, "ME",
       means={"battle": "text"}),
    _E("fate", "{leader}: {outcome}. {roll}.", "battles", 1, "MF"),
    _E("retreat", "{army} retreats: {roll}.", "battles", 2, "RT"),
    _E("recovered", "{unit}: {roll}.", "battles", 4, "RC"),
    _E("merged", "{unit} joins {group}.", "battles", 4, "RC", means={"group": "piece"}),
    _E("unit_lost", "{unit} is lost. {roll}.", "battles", 3, "RC"),
    _E("promoted", "{unit} is now {level}.", "battles", 3, "MR"),
    _E("experience", "{n} {n?unit|units} of {faction:the} {n?has|have} won once more.", "battles", 5, "MR"),
    _E("counter_reset", "{unit} has lost its count of victories.", "battles", 5, "MR"),
    _E("staying", "{unit}, staying at war: {row}. {roll}.", "battles", 4, "SW"),
    _E("weapon_taken", "{weapon} passes to {leader}.", "news", 1, "WP"),
    _E("weapon_lost", "{weapon} leaves the world for {n} {n?season|seasons}. {roll}.", "news", 2, "WP"),
    _E("weapon_placed", "{weapon} lies {node:at}. {roll}.", "news", 1, "p61"),
    _E("weapon_claimed", "{leader} must bear {weapon}.", "news", 1, "p61"),
    _E("looted", "{faction:the} {faction?loots|loot} {n}. {roll}.", "money", 2, "LO"),
    _E("conquered", "{faction:the} {faction?takes|take} {node:the} from {loser:the}.", "battles", 0, "p58",
       means={"loser": "faction"}),
    _E("raided", "{faction:the} {faction?raids|raid} {node:the}.", "battles", 1, "TS-Wi5"),
    _E("siege_begins", "{besieger:the} {besieger?besieges|besiege} {node:the}.", "sieges", 1, "LS"),
    _E("siege_ends", "The siege of {node:the} ends: {how}.", "sieges", 1, "LS"),
    _E("siege_test", "{unit} in the siege: {row}. {roll}.", "sieges", 4, "LS"),
    _E("morale", "The morale of {faction:the} goes from {a} to {b}.", "news", 2, "p59"),
    _E("will", "Will to fight of {faction:the}: {roll}.", "news", 1, "WF"),
    _E("disaster", "{faction:the} cannot go on: {winner:the} {winner?wins|win}, peace to the end of {year}.",
       "diplomacy", 0, "WF"),
    _E("enforced_peace", "Enforced peace between {winner:the} and {loser:the} to the end of {year}.",
       "diplomacy", 1, "p59",
       means={"loser": "faction"}),
    _E("disband_tests", "Disband or Not: these go home: {units}. {roll}.", "supply", 3, "DN", means={"units": "text"}),
    _E("disband", "{n} {n?unit|units} of {faction:the} {n?goes|go} home, {k} {k?is|are} kept.", "supply", 2, "DN"),
    _E("kept", "{faction:the} {faction?pays|pay} to keep {n} {n?unit|units}: {units}.", "supply", 3, "DN",
       means={"units": "text"}),
    _E("leader_dies", "{leader} of {faction:the} dies. {roll}.", "news", 0, "p60"),
    _E("trade", "{faction:the} {faction?earns|earn} {n} in {k} {k?province|provinces}. {roll}.", "money", 2, "TC"),
    _E("tribute", "{faction:the} {faction?pays|pay} {n} to {partner:the}.", "money", 3, "DP"),
    _E("envoy", "An envoy of {faction:the} paid his respects to {partner:the}.",
       "diplomacy", 2, "DS DP", variants=("how", {
        "sent": "The envoy of {faction:the} to {partner:the}, {stance}: {effect}. {roll}.",
        "visit": "An envoy of {faction:the} came to {partner:the}: {stance}."})),
    _E("considered", "{faction:the} {faction?considers|consider} an alliance with {partner:the}. {roll}.",
       "diplomacy", 3, "DP"),
    _E("alliance", "{by:the} and {partner:the} are allied.", "diplomacy", 0, "DP"),
    _E("alliance_ends", "{by:the} and {partner:the} are allies no more.", "diplomacy", 1, "DP"),
    _E("insult", "{faction:the} {faction?has|have} insulted {partner:the}.", "diplomacy", 1, "DP"),
    _E("eliminated", "{faction:the} {faction?is|are} no more.", "news", 0, "A"),
    _E("season_ends", "{text} is over.", "news", 6, "A"),
    _E("campaign_ends", "The campaign is over. First: {winners}.", "news", 0, "A"),
    _E("settled", "What is counted is up to date again.", "rulings", 9, "A"),
    _E("melee", "Melee {text}: {n} and {m} {m?hit|hits}. {roll}.", "rulings", 5, "ME"),
)
"""All events by type."""

WORDS = (
    "peace", "maybe", "war", "no_neighbour", "choice", "check", "both", "insult", "ally", "field", "levy", "open",
    "meeting", "relief", "fight", "fort", "counter", "lift", "dead", "captured", "captured_wounded", "recovered",
    "wounded", "shaken", "gone", "orderly", "elite_only", "disbands", "home", "main_army", "capital", "steady",
    "loses_heart", "leaves", "fell", "held", "lifted", "relieved", "disaster", "carry_on", "poor", "normal", "veteran",
    "elite", "friendly", "deceiving", "intimidating", "dominating", "blow", "alliance", "progress", "stirred",
    "seen_through", "impressed", "offended", "tribute", "nothing", "unit", "army", "leader", "province", "nation",
    "field army", "points", "provinces", "resources", "target_conquest", "self_conquest", "target_colonizing",
    "self_colonizing", "target_loot", "self_loot", "target_at_war", "self_at_war", "target_at_peace", "self_at_peace",
    "target_richer", "self_richer", "target_more_land", "target_less_land", "rows", "war rating", "conquest",
    "hated neighbour", "low morale", "intimidated", "rumours", "hated", "weaker", "most land", "richest", "undefended",
    "tributary", "old regard", "own land beside", "logistic", "advocate", "WR", "lost", "won", "unit destroyed",
    "unit withdrew", "lucky", "offensive units", "defensive units", "temerity", "coward", "few hits", "hits",
    "many hits", "not routed", "people of winter", "mercenaries", "treasure hunter", "siege skill", "season", "morale",
    "won battle", "lost battle", "refused battle", "provinces lost", "reputation", "war next door", "Pole", "unrest",
    "offence", "battles", "leader lost", "hero", "none", "fed", "fed_exhausted", "merge", "veterans_stay",
    "normals_stay", "spring", "summer", "fall", "winter", "hero_level", "fate", "wound", "fate_weakness", "opposition",
    "stance", "diplomacy", "weapon_province", "melee", "spear", "pike", "missile", "skirmish", "shock", "combined",
    "terror", "frenzy", "fanatic", "siege", "wood", "swamp", "jungle", "desert", "guerilla", "defensive", "offensive",
    "slow", "fast", "light", "armored",
    # attributes of commanders and skills of units, in their tables
    "courage", "siege_master", "attack_expert", "scout", "charisma", "defensive_expert", "movement_advocate",
    "treasure_hunter", "minor_weapon", "major_weapon", "ambush", "foes_foe", "hammer_anvil", "favored",
    "ever_ready", "fighting_for_reputation", "greedy", "poor_charisma", "lazy_attacker", "undecided",
    "heavy_drinker", "gut_feeling", "unremarkable", "never_ready",
    "touches two")  # as campaigns of rules 1 tell it
"""Codes among the data of events that a reader sees translated."""


# Findings and citations (rulebook: Findings).
#
# A citation is a key: a season and bullet of the turn sequence (TS-Sp1), a section, or a page (p58).


_SEQUENCE = ("TS-Sp1", "TS-Sp2", "TS-Sp3", "TS-Sp5", "TS-Sp10", "TS-Sp12", "TS-Sp14", "TS-Su3", "TS-Su10",
             "TS-Fa1", "TS-Wi5", "TS-Wi10", "TS-Wi12")
_SECTIONS = {
    "DN": "Disband or Not", "TC": "Trade and Commerce", "DS": "Diplomatic stance", "DP": "Diplomacy",
    "WF": "Will to Fight", "DA": "Defensive Army", "RT": "Retreating", "SW": "Staying at War", "LS": "Laying a Siege",
    "AM": "Ambush", "MR": "Morale and REP", "SK": "Skills", "LO": "Loot", "MV": "Movement",
    "FO": "Foraging", "ME": "Melee", "RC": "Recovery", "CC": "Commander in Chief", "MF": "Marshal's fate",
    "MA": "Marshal Attribute", "ST": "Strength", "WK": "Weakness", "WP": "Weapons"}
_PAGES = ("p50", "p52", "p57", "p58", "p59", "p60", "p61")

CITATIONS = citations_by_key((
    *(Citation(key, key, heading="Turn sequence") for key in _SEQUENCE),
    *(Citation(key, key, heading=heading) for key, heading in _SECTIONS.items()),
    *(Citation(key, key, heading="Missing pages") for key in _PAGES),
    Citation("A", "Arbitro's rule", "regola di Arbitro", "Arbitro's rules"),
))
"""All of them by key."""

NO_WAY = N_("No way through provinces of your own or an ally's leads from {from:the} to {node:the}.")
FINDINGS: Mapping[str, Message] = keyed(
    Message("BLD-001", "error", '"{verb}" is not an order of {phase}. Use one of {list}.',
            variants=("verb", {"": "The row names no order. Use one of {list}."})),
    Message("BLD-002", "error", '"{id}" is no {kind} in play. Did you mean {near}?',
            variants=("id", {"": "Nothing is named here. Write a code or a name."})),
    Message("BLD-003", "error", "{id} belongs to {owner:the}. Order your own."),
    Message("BLD-004", "error",
            '{faction:the} cannot order "{verb}" in {phase} of {season}. Move the row to {next}.'),
    Message("BLD-005", "error", '"{amount}" is not a whole number above 0. Type a number.',
            variants=("amount", {"": "How many is missing. Type a whole number above 0."})),
    Message("BLD-006", "info", "Same as no. {n}. It counts once."),
    Message("BLD-007", "warning", "No. {n} orders {id} otherwise; the later no. {m} counts.",
            variants=("id", {"delegate": "No. {n} leaves the phase to the rules, but no. {m} is an order: your orders "
                                         "count, no. {n} does not."})),
    Message("BLD-008", "error", "{turn} is already played."),
    Message("BLD-009", "error", "{faction:the} {faction?is|are} out of play."),
    Message("BLD-010", "warning", "{n} {n?roll|rolls} wanted, {k} may be bought: in a season at most as many as TECH, "
            "here {m}. The book names no limit; the referee sets it as buy_rr_cap on the sheet Rules.",
            variants=("cap", {"one": "{n} {n?roll|rolls} wanted, {k} may be bought: in a season at most one, as the "
                                     "referee has set it (buy_rr_cap on the sheet Rules)."})),
    Message("BLD-011", "warning", "{n} {n?resource needed|resources needed}, {k} in hand: {m} done."),
    Message("BLD-012", "error", "Rolls are bought in Spring and Summer only."),
    Message("BLD-013", "error", "No hero offers himself this Spring (or the offer is used)."),
    Message("BLD-014", "warning", "{n} {n?roll|rolls} needed, {k} left: {m} recruited."),
    Message("BLD-015", "warning", "{k} {k?roll stays unspent and lapses|rolls stay unspent and lapse} after this"
                                  " Fall."),
    Message("BLD-016", "error",
            "{faction:the} {faction?is|are} run by the rules' dice and {faction?takes|take} no orders. Set its "
            "role to player first."),
    Message("BLD-020", "error", "Army id {id} is taken or not of the form {like}."),
    Message("BLD-021", "error", "{node:the} is not yours, or is besieged."),
    Message("BLD-022", "error",
            "{unit} is in {node:the}, {army} in {node2}. Outside Spring both must be in one province."),
    Message("BLD-023", "error", "{id} is in a siege and cannot be reorganised."),
    Message("BLD-024", "error", "{leader} is {state} until {turn}."),
    Message("BLD-025", "error", "{unit} has no commander in its army: it cannot forage."),
    Message("BLD-026", "info", "{unit} owes nothing this season."),
    Message("BLD-027", "error", "{leader} is not a captive of another nation."),
    Message("BLD-028", "error", "{node:the} is {k} {k?step away|steps away}; {m} {m?is allowed|are allowed}.",
            variants=("k", {"": NO_WAY})),
    Message("BLD-029", "error", "{node:the} is not yours or an ally's, or is besieged."),
    Message("BLD-030", "error", "{nation} has no frontier with you."),
    Message("BLD-031", "error", "{nation} is your ally. Break the alliance first."),
    Message("BLD-032", "error", "Enforced peace with {nation} until the end of {year}."),
    Message("BLD-033", "error", "Your people will hear of no war against {nation} this year."),
    Message("BLD-034", "info", "Already at war with {nation}."),
    Message("BLD-035", "error", "Not at war with {nation}."),
    Message("BLD-036", "error", "Not allied to {nation}."),
    Message("BLD-040", "error", "{army} has no commander able to lead it."),
    Message("BLD-041", "error", "{army} has no unit."),
    Message("BLD-042", "error", "{army} is in a siege. Lift it first."),
    Message("BLD-043", "error", "{node:the} is not an enemy's, nor a besieged province of yours or an ally's."),
    Message("BLD-044", "error", "{node:the} needs {k} {k?step|steps} from {from}; {m} {m?is left|are left}.",
            variants=("k", {"": NO_WAY})),
    Message("BLD-045", "error", "{via} is not yours (or an ally's), not next to {node:the}, or besieged."),
    Message("BLD-046", "error", "Only {list} may invade in Winter."),
    Message("BLD-047", "error", "{node:the} is besieged by {nation}, not by you."),
    Message("BLD-048", "error", "You besiege nothing in {node:the}."),
    Message("BLD-050", "error", '"{answer}" is not one of the answers offered: {options}.'),
    Message("BLD-051", "warning", "{army} answers in {a} already; in {b} it is left out."),
    Message("BLD-052", "warning", "{k} {k?unit named|units named}, money for {m}: the first {m} {m?is kept|are kept}."),
    Message("BLD-053", "info", "No answer from {faction:the} yet; without one: {default}."),
    Message("BLD-060", "error", '"{seen}" cannot have won battle {battle}. Type attacker, defender or draw.',
            variants=("seen", {"": "Battle {battle} has no winner. Type attacker, defender or draw."})),
    Message("BLD-061", "error", "The winner cannot be the side that retreats, nor is there a retreat in a draw."),
    Message("BLD-062", "error", "{id} is not in battle {battle}. Put the code right, or clear the row."),
    Message("BLD-063", "error", 'Hits "{n}" is not a whole number of 0 or more.'),
    Message("BLD-064", "warning", "No row, or no hits in it: {unit}. That is 0 hits."),
    Message("BLD-065", "info",
            "{side:the} lost without a retreat: all its units count as routed (`loser_routed` all)."),
    Message("BLD-066", "info", "{hits} {hits?hit is above|hits are above} 3 x REP {rep}: {unit} is destroyed."),
    Message("BLD-070", "error", "An envoy goes to another nation in play."),
    Message("BLD-071", "warning", "One envoy a Winter: no. {m} counts."),
    Message("BLD-072", "info", "No envoy named: the dice choose the nation."),
    Message("BLD-080", "error", "{faction:the} {faction?has|have} {n} {n?marshal|marshals}; one is allowed (none for"
                                " {list})."),
    Message("BLD-081", "error", "{weapon} has two bearers, or {leader} two weapons."),
    Message("BLD-082", "error", "Frontier {a}-{b} is written twice, or joins a province to itself."),
    Message("BLD-083", "error", "Troop table of {faction:the} lacks roll {n}."),
    Message("BLD-084", "error", "{unit} of {f1} is in army {army} of {f2}."),
    Message("BLD-085", "warning", "{faction:the} {faction?has|have} no capital of its own on the map."),
    Message("BLD-090", "info", "{melee}: a attacks with {n} {n?die|dice} against {m}, b with {k} against {l}. Hits to"
                               " be "
                               "expected on a {x}, on b {y}; a does more: {more}. The next phase writes it down."),
)
"""All findings by code."""


# Questions (rulebook: Questions).


ANSWERS: Mapping[str, str] = {
    "si": "yes", "combatti": "fight", "combatte": "fight", "togli": "lift", "toglie": "lift",
    "toglie l'assedio": "lift", "togli l'assedio": "lift", "coraggio": "courage",
    "logistica": "logistic", "nessuno": "none", "nessuna": "none"}
"""Italian words of answers -> the code."""


def _question_type(kind: str, text: str, answer: AnswerKind[Any] = Option(), **more: Any) -> QuestionType:  # noqa: B008
    return QuestionType(kind, text, None, ANSWERS, answer, wrong=Told("BLD-050"),
                        by_default=Told("BLD-053", {"faction": "faction", "default": "default"}), **more)


QUESTIONS: Mapping[str, QuestionType] = keyed(
    _question_type("strength", "{leader} throws 3 on the strength table: Courage or Logistic?"),
    _question_type(
        "join", "{by:the} {by?has|have} attacked your ally {partner:the}. Do you join? Refusing ends the alliance."
    ),
    _question_type(
        "response",
        "{armies} of {by:the} ({k} {k?unit|units}, led by {leader}, WR {w}) {by?enters|enter} "
        "{node:the} from {start:the}. What do you do?",
        ResponseKind(),
        means={"start": "place", "armies": "piece"},
    ),
    _question_type(
        "relief", "{armies} come to relieve {node:the}. Fight, or lift the siege?", means={"armies": "piece"}
    ),
    _question_type(
        "keep",
        "Disband or Not: {units} may be kept for 1 resource each; {m} in hand.",
        KeptUnits(),
        means={"units": "text"},
    ),
    _question_type("alliance", "The envoy of {by:the} offers an alliance. Yes or no?"),
    QuestionType(
        "battle",
        "{about} {node:at}: {by:the} (attacker) against {opponent:the} (defender). Who won, and who "
        "retreated? Type the form, or auto for the umpire's dice.",
        means={"about": "text"},
    ),
)
"""All kinds of question."""
