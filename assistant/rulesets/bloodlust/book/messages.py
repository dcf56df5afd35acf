"""What Bloodlust nations says of orders, results and data, and what it cites: findings in English (rulebook: Findings).

A citation is a key: a season and bullet of the turn sequence (TS-Sp1), a section, or a page (p58).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.citations import Citation, citations
from assistant.turn.findings import Message
from assistant.turn.texts import N_, keyed

_SEQUENCE = ("TS-Sp1", "TS-Sp2", "TS-Sp3", "TS-Sp5", "TS-Sp10", "TS-Sp12", "TS-Sp14", "TS-Su3", "TS-Su10",
             "TS-Fa1", "TS-Wi5", "TS-Wi10", "TS-Wi12")
_SECTIONS = {
    "DN": "Disband or Not", "TC": "Trade and Commerce", "DS": "Diplomatic stance", "DP": "Diplomacy",
    "WF": "Will to Fight", "DA": "Defensive Army", "RT": "Retreating", "SW": "Staying at War", "LS": "Laying a Siege",
    "AM": "Ambush", "MR": "Morale and REP", "SK": "Skills", "LO": "Loot", "MV": "Movement",
    "FO": "Foraging", "ME": "Melee", "RC": "Recovery", "CC": "Commander in Chief", "MF": "Marshal's fate",
    "MA": "Marshal Attribute", "ST": "Strength", "WK": "Weakness", "WP": "Weapons"}
_PAGES = ("p50", "p52", "p57", "p58", "p59", "p60", "p61")

CITATIONS = citations((
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
