"""What Bloodlust nations tells: events in English, the Italian in `bloodlust.po` (rulebook: Events).

Fields in {braces} are the data of the event; {roll} is the ruling. `WORDS` are the codes that a reader sees translated.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.ruleset import EventType
from assistant.turn.texts import keyed

_E = EventType

EVENTS: Mapping[str, EventType] = keyed(
    _E("rolls", "{faction:the} {faction?counts|count} {n} recruiting rolls: TECH {t}, WAR {w}, provinces {p}, "
       "defence {d}, insult {i}.", "money", 3),
    _E("payout", "{loser:the}, beaten, {loser?pays|pay} {n} {n?roll|rolls} to {winner:the}.", "diplomacy", 3,
       means={"loser": "faction"}),
    _E("hero_offer", "A hero of level {n} offers himself to {faction:the}. {roll}.", "news", 2),
    _E("hero_hired", "The hero {leader}, of level {n}, serves {faction:the}.", "news", 3),
    _E("marshal", "{leader} is the new marshal of {faction:the}, WR {n}.", "news", 2),
    _E("captain_hired", "{leader} is a new captain of {faction:the}, WR {n}.", "news", 4),
    _E("bought", "{faction:the} {faction?buys|buy} {n} {n?roll|rolls}.", "money", 4),
    _E("recruited", "{faction:the} {faction?hires|hire} {text} ({unit}). {roll}.", "works", 5),
    _E("not_hired", "Opposed at home: a unit is not hired. {roll}.", "works", 4),
    _E("foraged", "{unit} forages: {roll}.", "supply", 4),
    _E("upkeep", "{faction:the} {faction?pays|pay} {n} for {k} {k?unit|units}.", "money", 3),
    _E("disbanded_unpaid", "{unit} is not paid and goes home.", "supply", 2),
    _E("marched", "{army} marches to {node:the}.", "moves", 4),
    _E("ransomed", "{leader} is free again, for {n}.", "diplomacy", 2,
       variants=("n", {"0": "{leader} is let go for nothing."})),
    _E("war_check", "{faction:the}: {verdict}. {roll}.", "diplomacy", 3),
    _E("war", "{by:the} {by?makes|make} war on {opponent:the} ({reason}).", "diplomacy", 0),
    _E("ally_joined", "{by:the} {by?joins|join} {partner:the} against {opponent:the}.", "diplomacy", 1),
    _E("ally_refused", "{by:the} {by?refuses|refuse} to help {partner:the}; they are allies no more.", "diplomacy", 1),
    _E("white_peace", "{by:the} and {partner:the} make peace.", "diplomacy", 1),
    _E("frontier_peace", "{by:the} and {partner:the} have no frontier any more and make peace.", "diplomacy", 1),
    _E("province_chosen", "{faction:the} {faction?chooses|choose} {node:the}. {roll}.", "moves", 4),
    _E("invasion", "{army} enters {node:the} from {start:the}.", "moves", 1, means={"start": "place"}),
    _E("invaders", "{army} comes first to {node:the}. {roll}.", "moves", 3),
    _E("turned_back", "{army} is turned back from {node:the}.", "moves", 3),
    _E("response", "{faction:the} {faction?answers|answer} {node:at}: {option}. {army}", "battles", 2),
    _E("refused_battle", "{faction:the} {faction?refuses|refuse} battle {node:at}, time {n} this year.", "battles", 2),
    _E("mutual", "{army} {n}, {unit} {m} successes: {row}. {roll}.", "moves", 2, means={"unit": "piece"}),
    _E("levied", "{army} is raised: {n} {n?unit|units}. {roll}.", "works", 4),
    _E("levy_raised", "A lord of {node:the} raises {n} {n?unit|units} under {leader}: {army}.", "battles", 3),
    _E("battle", "Battle {battle} {node:at}: {by:the} against {opponent:the} ({kind}).", "battles", 1,
       means={"battle": "text"}),
    _E("result", "Battle {battle} {node:at} is drawn.", "battles", 0, means={"battle": "text"}, variants=("how", {
        "attacker": "Battle {battle} {node:at} is won by the attacker, {winner:the}.",
        "defender": "Battle {battle} {node:at} is won by the defender, {winner:the}."})),
    _E("clash", "Battle {battle}, not played: {n} against {m} successes. {roll}.", "battles", 3,
       means={"battle": "text"}),
    _E("fate", "{leader}: {outcome}. {roll}.", "battles", 1),
    _E("retreat", "{army} retreats: {row}. {roll}.", "battles", 2),
    _E("recovered", "{unit} recovers. {roll}.", "battles", 4),
    _E("merged", "{unit} joins {group}.", "battles", 4, means={"group": "piece"}),
    _E("unit_lost", "{unit} is lost. {roll}.", "battles", 3),
    _E("promoted", "{unit} is now {level}.", "battles", 3),
    _E("counter_reset", "{unit} has lost its count of victories.", "battles", 5),
    _E("staying", "{unit}, staying at war: {row}. {roll}.", "battles", 4),
    _E("weapon_taken", "{weapon} passes to {leader}.", "news", 1),
    _E("weapon_lost", "{weapon} leaves the world for {n} seasons. {roll}.", "news", 2),
    _E("weapon_placed", "{weapon} lies {node:at}. {roll}.", "news", 1),
    _E("weapon_claimed", "{leader} must bear {weapon}.", "news", 1),
    _E("looted", "{faction:the} {faction?loots|loot} {n}. {roll}.", "money", 2),
    _E("conquered", "{faction:the} {faction?takes|take} {node:the} from {loser:the}.", "battles", 0,
       means={"loser": "faction"}),
    _E("raided", "{faction:the} {faction?raids|raid} {node:the}.", "battles", 1),
    _E("siege_begins", "{besieger:the} {besieger?besieges|besiege} {node:the}.", "sieges", 1),
    _E("siege_ends", "The siege of {node:the} ends: {how}.", "sieges", 1),
    _E("siege_test", "{unit} in the siege: {row}. {roll}.", "sieges", 4),
    _E("morale", "The morale of {faction:the} goes from {a} to {b}.", "news", 2),
    _E("will", "Will to fight of {faction:the}: {row}. {roll}.", "news", 1),
    _E("disaster", "{faction:the} cannot go on: {winner:the} {winner?wins|win}, peace to the end of {year}.",
       "diplomacy", 0),
    _E("enforced_peace", "Enforced peace between {winner:the} and {loser:the} to the end of {year}.", "diplomacy", 1,
       means={"loser": "faction"}),
    _E("disband_tests", "Disband or Not: these go home: {units}. {roll}.", "supply", 3, means={"units": "text"}),
    _E("disband", "{n} {n?unit|units} of {faction:the} {n?goes|go} home, {k} {k?is|are} kept.", "supply", 2),
    _E("kept", "{faction:the} {faction?pays|pay} to keep {n} {n?unit|units}: {units}.", "supply", 3,
       means={"units": "text"}),
    _E("leader_dies", "{leader} of {faction:the} dies. {roll}.", "news", 0),
    _E("trade", "{faction:the} {faction?earns|earn} {n} in {k} {k?province|provinces}. {roll}.", "money", 2),
    _E("tribute", "{faction:the} {faction?pays|pay} {n} to {partner:the}.", "money", 3),
    _E("envoy", "An envoy of {faction:the} paid his respects to {partner:the}.", "diplomacy", 2, variants=("how", {
        "sent": "{faction:the} to {partner:the}, {stance}: {effect}. {roll}.",
        "visit": "An envoy of {faction:the} came to {partner:the}: {stance}."})),
    _E("considered", "{faction:the} {faction?considers|consider} an alliance with {partner:the}. {roll}.",
       "diplomacy", 3),
    _E("alliance", "{by:the} and {partner:the} are allied.", "diplomacy", 0),
    _E("alliance_ends", "{by:the} and {partner:the} are allies no more.", "diplomacy", 1),
    _E("insult", "{faction:the} {faction?has|have} insulted {partner:the}.", "diplomacy", 1),
    _E("eliminated", "{faction:the} {faction?is|are} no more.", "news", 0),
    _E("season_ends", "{text} is over.", "news", 6),
    _E("campaign_ends", "The campaign is over. First: {winners}.", "news", 0),
    _E("settled", "What was counted is set back.", "rulings", 9),
    _E("melee", "Melee {text}: {n} and {m} {m?hit|hits}. {roll}.", "rulings", 5),
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
    "tributary", "old regard", "touches two", "logistic", "advocate", "WR", "lost", "won", "unit destroyed",
    "unit withdrew", "lucky", "offensive units", "defensive units", "temerity", "coward", "few hits", "hits",
    "many hits", "not routed", "people of winter", "mercenaries", "treasure hunter", "siege skill", "season", "morale",
    "won battle", "lost battle", "refused battle", "provinces lost", "reputation", "war next door", "Pole", "unrest",
    "offence", "battles", "leader lost", "hero", "none", "fed", "fed_exhausted", "merge", "veterans_stay",
    "normals_stay")
"""Codes among the data of events that a reader sees translated."""
