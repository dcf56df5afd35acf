"""Findings, events and questions of Incursio in English; the Italian is in `incursio.po`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from assistant.rulesets.incursio import records
from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message, citations_by_key
from assistant.turn.questions import QuestionType, Text, Told
from assistant.turn.texts import N_, Meaning, keyed

# Findings, events and citations.
#
# A citation is a key, the chapter of the printed text, the heading of docs/rulebooks/incursio.md. Fields in {braces}
# are the data of the finding or event. `WORDS` are the codes among the data that a reader sees translated.


_CHAPTERS = (
    *((f"T{n}", f"order of the turn, {n}", f"ordine del turno, {n}", "The day") for n in range(1, 10)),
    *((f"M{n}", f"upkeep, {n}", f"mantenimento, {n}", "Upkeep") for n in range(1, 8)),
    ("PAN", "Overview", "Panoramica", "The end"), ("GUA", "Garrisons", "Guarnigioni", "Garrisons"),
    ("COS", "Buildings", "Costruzioni", "Building"), ("POT", "Demon powers", "Poteri demoniaci", "Ruins and powers"),
    ("POR", "Portals", "Portali", "Portals"), ("COM", "Combat", "Combattimento", "Battles"),
    ("MOV", "Movement", "Movimento", "Movement"), ("FON", "Founding", "Fondare", "Building"),
    ("SPI", "Spying", "Spionaggio", "Spying"), ("CON", "Conclusions", "Conclusioni", "The people"),
    ("TL", "table of levels", "tabella dei livelli", "Levels"),
    ("TS", "table of structures", "tabella delle strutture", "Structures"),
    ("TR", "table of ruins", "tabella delle rovine", "Ruins and powers"),
    ("TD", "table of spies", "tabella delle spie", "Spying"),
)
CITATIONS = citations_by_key(Citation(key, en, it, heading) for key, en, it, heading in _CHAPTERS)
"""All of them by key."""

FINDINGS: Mapping[str, Message] = keyed(
    Message("INC-001", "error", "'{verb}' is not an order. Pick one from the list.", means={"verb": "text"}),
    Message("INC-002", "error", "Day {d} is over. Write it for day {now}."),
    Message("INC-003", "error", "{faction:the} cannot give {verb}. Delete the line."),
    Message("INC-004", "error", "There is no cell {node} on the map."),
    Message("INC-005", "error", "'{units}' cannot be read. Use {codes}, left = first.",
            means={"units": "text", "codes": "text"}),
    Message("INC-006", "error", "{who} cannot give this order for {faction:the}. Army orders are the general's.",
            means={"who": "piece"}),
    Message("INC-007", "warning", "The same line as {order}: counted once.", means={"order": "text"}),
    Message("INC-008", "error", "{column} is empty and {verb} needs it."),
    Message("INC-009", "warning", "{verb} does not use {column}: ignored."),
    Message("INC-010", "error", "{column}: '{seen}' cannot be read. Allowed: {allowed}."),
    Message("INC-011", "error", "{verb} was for {phase}, which is over today."),
    Message("INC-020", "error", "No line joins {a:the} and {b:the}. Neighbours: {list}.",
            means={"a": "place", "b": "place", "list": "place"}),
    Message("INC-021", "error", "The line {a}–{b} is red: demons only.", means={"a": "place", "b": "place"}),
    Message("INC-022", "error", "{node:at} there are {have}, ordered {want}.",
            ("have", {"–": "{node:at} there are no {want}."}), means={"have": "text", "want": "text"}),
    Message("INC-023", "error", "These units are already used by {order}.", means={"order": "text"}),
    Message("INC-024", "error", "{units} {node:at} fought today: no {verb} any more.", means={"units": "text"}),
    Message("INC-025", "error", "{node:the} would be left with nobody. Leave one unit."),
    Message("INC-026", "error", "{node:the} is an enemy place. ATTACK it."),
    Message("INC-027", "warning", "You saw enemies {node:at} on day {d}: the move may be stopped."),
    Message("INC-029", "error", "They are in garrison. LEAVE first, march next time."),
    Message("INC-030", "error", "{node:the} is not a settlement of yours."),
    Message("INC-031", "error", "The garrison of {node:the} holds {limit}; it would be {want}.",
            means={"want": "text"}),
    Message("INC-032", "error", "Cavalry needs stables (06) to be in garrison {node:at}."),
    Message("INC-033", "error", "The new order must use exactly {have}.", means={"have": "text"}),
    Message("INC-034", "error", "Garrisons may be reordered only on a day when Esdef is first."),
    Message("INC-035", "error", "{units} are not in the garrison of {node:the}.", means={"units": "text"}),
    Message("INC-040", "error", "{b:the} is neither {a:the} nor one line away.", means={"a": "place", "b": "place"}),
    Message("INC-041", "warning",
            "{units} also go in attack {order}: who is left and was not driven off goes in this one.",
            means={"order": "text", "units": "text"}),
    Message("INC-042", "error", "Three attacks a day: this is the fourth."),
    Message("INC-043", "error", "Attack {no} is there twice."),
    Message("INC-044", "warning", "With the repeats the day has {sum} {sum?attack|attacks}: after the third none is"
                                  " made."),
    Message("INC-045", "error", "repeat must be 1, 2 or 3."),
    Message("INC-046", "warning", "Fury needs power 5: ignored."),
    Message("INC-047", "warning", "You know of no enemies {node:at}: the attack may find nobody and still count."),
    Message("INC-048", "error", "{node:the} is yours."),
    Message("INC-049", "error", "The attackers are in garrison. LEAVE first."),
    Message("INC-050", "error", "Structure '{id}' does not exist.", means={"id": "text"}),
    Message("INC-051", "error", "{structure} needs level {need}; {node:the} has {level}.",
            means={"structure": "piece"}),
    Message("INC-052", "error", "{structure} needs {missing} {node:at} first.",
            means={"structure": "piece", "missing": "piece"}),
    Message("INC-053", "error",
            "{structure} stands or is being built {k} {k?time|times} {node:at}: the limit is {limit}.",
            means={"structure": "piece"}),
    Message("INC-054", "warning", "{cost} {cost?coin|coins}, {left} left: not started."),
    Message("INC-055", "error",
            "You cannot build {node:at}: a settlement of yours, or an empty cell with your soldiers and no enemies, is"
            " needed."),
    Message("INC-056", "warning", "A new settlement needs both 01 and 02; only {one} is ordered.",
            means={"one": "text"}),
    Message("INC-058", "error", "{player} already acts today: {other}.", means={"player": "piece", "other": "text"}),
    Message("INC-060", "error", "Say what to spy: soldiers or structures."),
    Message("INC-061", "warning", "Defenders need not say what they spy: ignored."),
    Message("INC-062", "error", "{node:the} is your own place."),
    Message("INC-070", "error", "'{mission}' is not a mission of {faction:the}.", means={"mission": "piece"}),
    Message("INC-071", "error", "The mission needs {target}.", ("target", {
        "settlement": "The mission needs a settlement.", "cell": "The mission needs a cell.",
        "player": "The mission needs a player."})),
    Message("INC-072", "error", "No extra mission is left today."),
    Message("INC-073", "error", "{other} is already on this mission ({target}).",
            means={"other": "piece", "target": "any"}),
    Message("INC-080", "error", "Soldiers deploy only in your settlements."),
    Message("INC-090", "error", "{units} survive but only {before} went in.",
            means={"units": "text", "before": "text"}),
    Message("INC-091", "error", "Nobody survives on either side: a place is never empty."),
    Message("INC-092", "error", "The garrison's order changed: {after} does not follow {before}.",
            means={"after": "text", "before": "text"}),
    Message("INC-093", "error", "This form is for battle {b}, which is {state}.", means={"b": "text", "state": "word"}),
    # about the data
    Message("INC-101", "warning", "The garrison of {node:the} has {want} {want?unit|units} and holds {limit}."),
    Message("INC-102", "warning", "There is cavalry in the garrison of {node:the}, and no stables (06)."),
    Message("INC-103", "warning", "{node:the} is a settlement, and nobody is there."),
    Message("INC-104", "warning", "{node:the} is a ruin, and no demon is there."),
    Message("INC-105", "warning", "{node:the} has level {level}; its structures give level {want}."),
    Message("INC-106", "warning", "{structure} stands {k} {k?time|times} {node:at}: the limit is {limit}.",
            means={"structure": "piece"}),
    Message("INC-107", "error", "The line {a}–{b} cannot be.", ("why", {
        "loop": "The line {a}–{b} leads to itself. Delete the row.",
        "double": "The line {a}–{b} is there twice. Delete one of the rows.",
        "nowhere": "The line {a}–{b} leads to a cell that is not on the map. Correct the row."}),
        means={"a": "place", "b": "place"}),
    Message("INC-108", "warning", "No line leads from {a:the} to {b:the}: the map is in pieces.",
            means={"a": "place", "b": "place"}),
    Message("INC-109", "error", "There must be two factions, esdef and varannah, one of each side, with one general"
            " each. Correct the sheets Factions and Players."),
)

_TEXT: Mapping[str, Meaning] = MappingProxyType(dict.fromkeys(("units", "garrison"), "text"))
_PIECE: Mapping[str, Meaning] = MappingProxyType(dict.fromkeys(("structure", "mission", "player"), "piece"))
_SPIED = {
    "empty": "{player} {node:at}: empty.",
    "enemies": "{player} {node:at}: enemies, nothing more.",
    "success": "{player} {node:at}: the spying succeeds.",
}
_WHY = {"money": "{node}: {structure} does not begin, the coins are not enough.",
        "requirements": "{node}: {structure} does not begin, its requirements are missing.",
        "limit": "{node}: {structure} does not begin, there are as many as there may be."}

EVENTS: Mapping[str, EventType] = keyed(
    EventType("initiative", "Initiative: {rolls}, {first:the} {first?is|are} first.", "news", 1, "T1",
              means={"first": "faction"}),
    EventType("units_moved", "{node:the} → {to_node:the}: {units}.", "moves", 3, "MOV", means=_TEXT),
    EventType("move_blocked", "{node:the} → {to_node:the}: {units} stopped, enemies.", "moves", 1, "MOV", means=_TEXT),
    EventType("garrison_reordered", "{node}: garrison {garrison}.", "moves", 3, "COM", means=_TEXT),
    EventType("garrison_entered", "{node}: {units} in garrison.", "moves", 3, "MOV", means=_TEXT),
    EventType("garrison_left", "{node}: {units} out of the garrison.", "moves", 3, "MOV", means=_TEXT),
    EventType("battle_ended", "{battle}: {outcome}.", "battles", 1, "COM", means={"outcome": "word"}),
    EventType("attack_found_nobody", "{node:the} → {to_node:the}: nobody there.", "battles", 2, "T3"),
    EventType("attack_not_made", "{node:the} → {to_node:the}: attack not made, {reason}.", "battles", 2, "T3",
              means={"reason": "word"}),
    EventType("settlement_fell", "{node:the} falls: now ruins.", "sieges", 0, "POT"),
    EventType("ruin_purified", "{node}: purified.", "sieges", 0, "FON"),
    EventType("settlement_founded", "{node}: a settlement is founded.", "works", 0, "FON"),
    EventType("level_rose", "{node}: now level {level}.", "works", 1, "TL"),
    EventType("ruin_rose", "{node}: ruin of level {level}.", "works", 1, "POT"),
    EventType("captives_taken", "{node}: +{resources} {resources?resource|resources}.", "money", 1, "POT"),
    EventType("ruin_yield", "+{resources} {resources?resource|resources}.", "money", 3, "POT M1"),
    EventType("power_gained", "Power {step}.", "news", 0, "POT M3"),
    EventType("income", "+{coins} {coins?coin|coins}.", "money", 2, "M1"),
    EventType("work_started", "{node}: {structure} begins, {cost} {cost?coin|coins}.", "works", 3, "COS"
                                                                                                   " M5", means=_PIECE),
    EventType("work_not_started", "{node}: {structure} does not begin, {reason}.", "works", 1, "COS M5",
              ("reason", _WHY), means={**_PIECE, "reason": "text"}),
    EventType("work_finished", "{node}: {structure} is ready.", "works", 2, "COS M3", means=_PIECE),
    EventType("work_delayed", "{node}: {structure} is late by a day.", "works", 1, "COS M2", means=_PIECE),
    EventType("work_lost", "{node}: {structure} is lost.", "works", 1, "COS", means=_PIECE),
    EventType("site_razed", "{node}: the site is razed.", "works", 1, "COS"),
    EventType("consent_refused", "{player} does not agree to {order}.", "works", 2, "COS CON",
              means={**_PIECE, "order": "text"}),
    EventType("mission_started", "{player}: {mission} begins.", "works", 3, "M4", means=_PIECE),
    EventType("mission_ended", "{player}: {mission}, {result}.", "works", 2, "M2",
              means={**_PIECE, "result": "word"}),
    EventType("portals_located", "Portals of tomorrow: {nodes}.", "news", 1, "M6 POR"),
    EventType("portal_foreseen", "{node}: a portal (foreseen by the mages).", "news", 0, "POR M6"),
    EventType("portal_seen", "{node}: a portal (seen by the soldiers).", "news", 0, "POR T9"),
    EventType("portal_opened", "{node}: {units} come out.", "moves", 2, "POR T9", means=_TEXT),
    EventType("demons_made", "{node}: the ruin makes {units}.", "moves", 2, "TR", means=_TEXT),
    EventType("demons_returned", "{node}: {units} return.", "moves", 2, "POR MOV", means=_TEXT),
    EventType("portal_sealed", "{node}: portal sealed.", "news", 0, "POR T9"),
    EventType("seal_tried", "{player}: no portal to seal.", "news", 2, "POR T9",
              ("result", {"failed": "{player} {node:at}: the seal failed."}), means=_PIECE),
    EventType("spy_report", "{player} {node:at}: {result}.", "news", 1, "SPI T7",
              ("result", _SPIED), means={**_PIECE, "result": "word"}),
    EventType("mustered", "{node}: {units} mustered.", "works", 3, "GUA T9", means=_TEXT),
    EventType("deployed", "{node}: {units} deployed.", "moves", 3, "GUA T9", means=_TEXT),
    EventType("campaign_ended", "The end: {winner:the} {winner?wins|win}.", "news", 0, "PAN",
              ("winner", {"draw": "The end: a truce, nobody wins."})),
)

TITLES: Mapping[str, str] = MappingProxyType({"money": N_("Coins, captives and resources")})
"""Categories of events that have a title of their own in this book."""

TOWNS = ("settlement", "settlement", "village", "outpost", "stronghold", "bastion", "fortress")
RUINS = ("ruins", "infested ruins", "demon rampart", "infernal stronghold")
"""What levels are called in the legend of a map."""
WORDS: tuple[str, ...] = (
    *TOWNS[2:], *RUINS,
    *records.OUTCOMES, *records.SEEN_KINDS, *records.CAME_TO, "nobody_left", "cap_reached", "success", "over", "failed",
    "yes", "no", "soldiers", "structures", "garrison", "open", "initial", "final", "extra",
    "played", "auto", "void", "superseded", "money", "settlement", "cell", "player", "power 2", "power 9", "watch",
    "night eye", "power", "towers", "initiative", "battle", "mission", "portal", "ruin", "foresight", "spy", "muster",
    "consent", "free", "battle_result", "deploy",
    # figures that are compared
    "settlements", "ruins", "levels", "objectives in reach", "score",
)


# Questions (rulebook: Questions).


CONSENT, FREE, RESULT, DEPLOY = "consent", "free", "battle_result", "deploy"
YES_NO = {"sì": "yes", "si": "yes", "s": "yes", "y": "yes", "ok": "yes", "accetto": "yes", "accept": "yes", "n": "no",
          "rifiuto": "no", "decline": "no"}
SUCCESS = {**{word: {"yes": "success", "no": "failed"}[means] for word, means in YES_NO.items()}, "yes": "success",
           "no": "failed", "riuscita": "success", "riuscito": "success", "successo": "success", "fallita": "failed",
           "fallito": "failed", "failure": "failed"}

QUESTIONS: Mapping[str, QuestionType] = keyed(
    QuestionType(CONSENT, "{character}, the general asks you: {action}. Do you accept?", answers=YES_NO,
                 means={"character": "text", "action": "text"}),
    QuestionType(FREE, "{character} is back from “{note}”. Success?", means={"character": "text"},
                 answers=SUCCESS),
    QuestionType(RESULT, "Battle {about} {place:at}: type what is left of each line.", means={"about": "text"}),
    QuestionType(DEPLOY, "Reinforcements {pool}: where?", means={"pool": "text"}, answer=Text(str),
                 wrong=Told("INC-010", {"column": "kind", "seen": "answer", "allowed": "options"})),
)
