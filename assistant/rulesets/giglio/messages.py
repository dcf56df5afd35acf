"""The messages of Il Giglio in English: citations, findings, events, questions; the Italian is in `giglio.po`."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import CLUBLESS, Faction
from assistant.campaign.records import Army as SharedArmy
from assistant.campaign.records import Node as SharedNode
from assistant.rulesets.giglio.records import OBJECTIVES, SITES, SPECIALISTS, Army, Battle, Cell34, Node, Work
from assistant.rulesets.giglio.tables import CALENDAR
from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message, citations_by_key
from assistant.turn.questions import Amount, Codes, Option, Parts, QuestionType, Shares, Told
from assistant.turn.texts import Meaning, keyed

# Questions: their wording, their answers, which answers may stand until changed (rulebook: Questions).


# words of an answer -> the option; one form of each verb is enough
CHOICES: Mapping[str, str] = {
    "fermarsi": "stop", "go back": "retreat", "indietreggiare": "retreat", "indietro": "retreat",
    "ritirarsi": "retreat", "ritirata": "retreat",
    "attaccare": "attack", "shut in": "shut_in", "rinchiudersi": "shut_in",
}
ACCEPT: Mapping[str, str] = {
    "accettare": "accept", "yes": "accept", "sì": "accept", "rifiutare": "refuse", "no": "refuse",
}
YES_NO: Mapping[str, str] = {"sì": "yes"}
DRAW, BLOCKS = ("draw", "sorte", "sorteggio"), ("blocks", "blocchi")
"""Words that leave a question to its default."""
OBJECTIVE_WORDS: Mapping[str, str] = {**{italian: code for code, italian in OBJECTIVES.items()}, "none": "no_objective",
                           "nessuno": "no_objective"}

_WRONG = Told("GIG-100")
_NO_WAY_BACK = Told("GIG-109", {"node": "answer", "list": "options"})
_SUM = Told("GIG-108", {"sum": "sum", "loss": "loss"})
_COMPANIES = Told("GIG-107", {"sum": "sum", "unit": "army", "value": "value"})
_MOVE_ORDER = Told("GIG-106", {"missing": "missing"})


def _another_faction(view: Campaign, faction: str) -> str:
    return next((f.faction for f in view.table(Faction) if f.faction != faction and f.role not in CLUBLESS), "")


def _example_meeting(view: Campaign, faction: str) -> str:
    """An example for ``choice``: the node of an own army, and another faction."""
    here = next((a.node for a in view.table(SharedArmy) if a.faction == faction and a.node), "")
    other = _another_faction(view, faction)
    return f"{here}/{other}" if here and other else ""


def _example_siege(view: Campaign, faction: str) -> str:
    """An example for ``bribe``: a place that one besieges, else a place of another faction."""
    own = next((s.node for s in view.by_sheet("Sieges") if s.besieger == faction), "")
    other = _another_faction(view, faction)
    return own or next((n.node for n in view.table(SharedNode) if other in n.owners), "")


QUESTIONS: Mapping[str, QuestionType] = keyed(
    QuestionType("ally_confirm", "{f:the} {f?offers|offer} a treaty until {y}, {passage}: {terms}",
                 ("y", {"-": "{f:the} {f?offers|offer} a treaty without end, {passage}: {terms}"}), ACCEPT,
                 stands=Option(("refuse",)), wrong=_WRONG, means={"f": "faction"}, early=_another_faction),
    QuestionType("move_order", "You are Strategos: in which order do the factions move this summer?",
                 answer=Codes(every=True, instead=DRAW), wrong=_MOVE_ORDER),
    QuestionType("companies", "Epidemic {node:at}: list the companies of {army} ({value}).",
                 answer=Parts(instead=BLOCKS), wrong=_COMPANIES),
    QuestionType("spy", "Your {k} {k?spy|spies} can look at {k} of these: {list}.",
                 ("k", {"1": "Your spy can look at one of these: {list}."}), answer=Codes(), wrong=_WRONG),
    QuestionType("choice", "{node}: you meet {opponent:the}. Your choice: {options}?", answers=CHOICES,
                 stands=Option(("stop", "retreat", "attack", "shut_in")), wrong=_WRONG, early=_example_meeting),
    QuestionType("battle_result",
                 "{a:the} against {b:the} {node:at}: the result of {battle}. Type it on the sheet Battles.",
                 wrong=_WRONG, means={"a": "faction", "b": "faction"}),
    QuestionType("allot", "{loss} {loss?ducat|ducats} lost: from which armies?", answer=Shares(), wrong=_SUM),
    QuestionType("retreat_to", "Where does {army} go back to?", wrong=_NO_WAY_BACK),
    QuestionType("bribe", "Siege of {node:the}: it falls on {target}. Before the die: {mods}. "
                          "How many ducats for bribes, {step} for each +1?",
                 answer=Amount(), stands=Amount(), wrong=_WRONG, early=_example_siege),
    QuestionType("betrayal", "{suspect:the} against {other:the} ({what}): was the treaty betrayed?",
                 ("what", {"attack": "{suspect:the} attacked {other:the}: was the treaty betrayed?"}), YES_NO,
                 wrong=_WRONG, means={"other": "faction"}),
    QuestionType("secret_objective",
                 "Which secret objective does {faction:the} choose? The order objective in the first spring's budget "
                 "does as well.", answers=OBJECTIVE_WORDS, wrong=_WRONG),
    QuestionType("confiscation", "{due} {due?ducat falls due|ducats fall due} to the bank, and the chest will not do."
                                 " What does it take "
                 "first of {faction:the}? Of an army it takes what is owed, of a fleet or of walls all.",
                 answer=Codes(instead=("book_order",)), wrong=_WRONG),
    QuestionType("hand", "Who has the hand {node:at}?", wrong=_WRONG),
)


# Citations, findings and events (rulebook: What is said).
#
# Fields in {braces} are the data of the finding, event or question; `WORDS` are the codes among them that readers see
# translated. A citation is a key, the printed chapter and the heading of docs/rulebooks/giglio.md. It has no page
# number: our source of the book has none.


OURS, OURS_IT = "Arbitro's rule", "regola di Arbitro"
_SIDES: Mapping[str, Meaning] = dict.fromkeys(("a", "b", "frm", "hand", "other"), "faction")
"""Parameters that stand for nations where two of them deal or fight with one another ..."""
_WAY: Mapping[str, Meaning] = dict.fromkeys(("a", "b", "frm", "to"), "place")
"""... and for places where somebody goes from one to another."""


def _book_citation(number: str, about: str) -> Citation:
    """A chapter of the book, or one of its tables."""
    if not number.startswith("t"):
        return Citation(number, number, heading=f"{number} {about}")
    return Citation(number, f"Table {number[1:]}", f"Tabella {number[1:]}", f"Table {number[1:]}: {about}")


CITATIONS = citations_by_key((
    *(_book_citation(number, about) for number, about in (
        ("2", "Spring"), ("2a", "Income"), ("t29", "taxes"), ("2b", "Recruiting"), ("t32", "fortifications"),
        ("t33", "specialists"), ("3a", "Epidemics"), ("3b", "Movement"), ("3c", "Engagement"), ("t34", "meetings"),
        ("3d", "Sieges"), ("t35", "sieges"), ("4", "Winter"), ("t36", "events"))),
    Citation("alliances", "alliances", "alleanze", "Alliances"),
    Citation("fleets", "fleets", "flotte", "Fleets"),
    Citation("objectives", "objectives", "obiettivi", "Objectives"),
    Citation("Armati", "Armati", heading="Armati"),
    Citation("note1", "note 1", "nota 1", "Closing notes"),
    Citation("border", "note on borders", "nota sui confini", "Border"),
    Citation("April", "note on April", "nota su aprile", "April"),
    Citation("Amendments", "Amendments", "Emendamenti", "Amendments"),
    # rules that the book does not print, with the chapter that needs them
    Citation("auto", f"3c, {OURS}", f"3c, {OURS_IT}", "Battles that are not played", was=("8.5",)),
    Citation("rearguard", f"3c, {OURS}", f"3c, {OURS_IT}", "Rearguard actions"),
    Citation("parent", "parent rules", "regolamento d'origine", "Companies"),
    Citation("start", OURS, OURS_IT, "The start"),
))
"""All of them by key, in the order of the book."""

FINDINGS: Mapping[str, Message] = keyed(
    Message("GIG-001", "error", "'{verb}' is not an order. Choose one from the list."),
    Message("GIG-002", "error", "{verb} cannot be ordered in {phase}. Move the row to spring or to a round.",
            ("times", {"budget": "{verb} cannot be ordered in {phase}. Move the row to spring.",
                       "summer": "{verb} cannot be ordered in {phase}. Move the row to a round."})),
    Message("GIG-003", "error", "No unit {unit}. Your units: {list}."),
    Message("GIG-004", "error", "{unit} is not yours. Name one of your units."),
    Message("GIG-005", "error", "'{node}' is not on the map. Did you mean {near}?"),
    Message("GIG-006", "warning", "Replaced by your later row {order}. Delete one of the two."),
    Message("GIG-007", "error",
            "'{amount}' is not a whole number of ducats of 1 or more. Type one, without a point or comma in it.",
            ("what", {"year": "'{amount}' is no year. Type the last year of the treaty as a number, or leave it"
                              " blank."})),
    Message("GIG-008", "ambiguous", "{n} of your armies are {node:at}: {list}. Name the army."),
    Message("GIG-009", "error", "You have no army {node:at}. Check the first coordinate.",
            ("node", {"": "Neither an army nor a place stands in the row. Name the army."})),
    Message("GIG-010", "error", "'{partner}' is no faction you can deal with. Use a code from Factions."),
    Message("GIG-011", "error", "'{text}' was not understood. Write for example 'V8 F7'."),
    Message("GIG-013", "warning", "Two identical purchases: both will be made. Delete one if not meant."),
    Message("GIG-020", "error",
            "Costs {cost}, {left} {left?ducat is left|ducats are left} at this row. Lower it or change the order of"
            " rows."),
    Message("GIG-021", "error", "{amount} is more than half of your city taxes ({cap}). Ask for {cap} or less."),
    Message("GIG-022", "error", "No loan for you this spring: {reason}. Delete the row."),
    Message("GIG-024", "error", "{node:the} is not a city that you control. Recruit in one of {list}."),
    Message("GIG-025", "error", "A hostile army stands {node:at}. Recruit elsewhere."),
    Message("GIG-026", "error", "This would be your {n}th army; {max} {max?is allowed|are allowed}. Join an existing"
                                " one."),
    Message("GIG-027", "ambiguous", "{list} are all {node:at}. Say which one gets the men, or 'new'."),
    Message("GIG-028", "warning", "{amount} {amount?ducat is less|ducats are less} than the cheapest company ({min})."),
    Message("GIG-029", "error", "{node:the} is not a port that you control. Choose one of {list}."),
    Message("GIG-030", "error", "Your nation may own {cap} {cap?fleet|fleets} and has {n}. Delete the row."),
    Message("GIG-031", "error", "'{option}' is no specialist: sapper, diplomat, spy, assassin."),
    Message("GIG-032", "error",
            "A {kind} cannot be posted at '{target}'. Sapper: your army or place; diplomat: your city."),
    Message("GIG-033", "error", "{node:the} is not yours. Works and garrisons need your own place."),
    Message("GIG-034", "error", "{node:the} is already fortified. Delete the row."),
    Message("GIG-035", "error", "The fortifications of {node:the} are damaged: order repair ({cost})."),
    Message("GIG-036", "error", "There is nothing to repair {node:at}."),
    Message("GIG-037", "error", "{node:the} is besieged or an enemy stands there. Wait until it is free."),
    Message("GIG-038", "warning", "No army of yours {node:at}: the works will be ready in January {year}.",
            ("when", {"winter": "The works {node:at} will be ready in the winter of {year}."})),
    Message("GIG-039", "error", "Works are already under way {node:at}, ready {year}."),
    Message("GIG-040", "error", "{node:the} already has a garrison."),
    Message("GIG-041", "error",
            "{unit} is not {node:at} and did not pass it. Give the garrison where the army goes."),
    Message("GIG-042", "error",
            "No garrison can be placed {node:at} without an army or fortifications in this edition.",
            ("lacks", {
                "walls": "{node:the} is not fortified: in this edition garrisons stand in fortified places only.",
                "army": "In this edition an army leaves the garrison {node:at}, not the chest. Name the army.",
                "home": "{node:the} is no home place of yours: an army leaves a garrison there, not the chest. "
                        "Name the army."})),
    Message("GIG-043", "error", "{unit} has {value} {value?ducat|ducats}: too few to leave {cost} behind."),
    Message("GIG-044", "error", "{unit} and {target} are not in the same place."),
    Message("GIG-045", "error", "{unit} has only {value} {value?ducat|ducats}. Lower the amount."),
    Message("GIG-046", "error", "{unit} is a diplomat: it has no men."),
    Message("GIG-048", "warning", "{unit}: type the BP over the core list (1 or more)."),
    Message("GIG-050", "error", "No road leads from {a:the} to {b:the}. From {a:the} roads lead to {list}.",
            means=_WAY),
    Message("GIG-051", "error", "{unit} is {node:at}, not {a:at}. Start the path there.", means=_WAY),
    Message("GIG-052", "error", "{n} {n?node is too far|nodes are too far}: two at home, one abroad."),
    Message("GIG-053", "error", "Crossing the border {a}-{b} must be the whole move. Order {a} {b} alone.", means=_WAY),
    Message("GIG-054", "error", "The road {a} {b} is shut to you until {date}.", means=_WAY),
    Message("GIG-055", "ambiguous", "{a:the} to {b:the} leads over {list}. Name the middle node.", means=_WAY),
    Message("GIG-056", "error", "{unit} is shut in {node:at}: order come_out, or stay."),
    Message("GIG-057", "error", "{unit} faces an enemy {node:at}: it can only go back to {prev:the}."),
    Message("GIG-058", "error", "{unit} is aboard {fleet}: order land."),
    Message("GIG-059", "error", "{unit} lost its commander: {n} node this round."),
    Message("GIG-060", "error", "{unit} cannot go to {node:the}: armies march on land, fleets sail."),
    Message("GIG-065", "error", "{unit} is not in the field {node:at}. A siege begins the round after arrival."),
    Message("GIG-066", "error", "{node:the} cannot be besieged by you (own place or sea)."),
    Message("GIG-067", "error", "{node:the} is open and empty: it falls by itself at the end of the round."),
    Message("GIG-068", "error", "A hostile army faces {unit} {node:at}: no siege now."),
    Message("GIG-069", "error", "You have no siege {node:at}."),
    Message("GIG-070", "warning", "The siege costs {loss} {loss?ducat|ducats} a round and {unit} has {value}."),
    Message("GIG-071", "error", "{unit} is not shut in."),
    Message("GIG-072", "warning", "{owner:the} {owner?is|are} your treaty partner: the referee will judge this."),
    Message("GIG-075", "error", "A fleet moves one segment a round."),
    Message("GIG-076", "warning", "{fleet} may not stay at sea: it sails to {node:the}."),
    Message("GIG-077", "error", "{node:the} is not your port nor a partner's."),
    Message("GIG-078", "error",
            "{unit} cannot board {fleet} {node:at}. Same port, or fleet in the next sea area, empty, yours."),
    Message("GIG-079", "error", "{unit} cannot land {node:at}. Reachable from its fleet: {list}."),
    Message("GIG-080", "error", "{fleet} is busy landing or taking up an army this round."),
    Message("GIG-081", "error", "Between {a:the} and {b:the} there is a beach: for landing only, not for sailing.",
            means=_WAY),
    Message("GIG-085", "error", "{unit} is not an active specialist of yours for this."),
    Message("GIG-086", "error", "'{target}' is no enemy target for {option}."),
    Message("GIG-087", "error", "The sapper must stay in the same node: {list}."),
    Message("GIG-090", "warning", "{partner:the} {partner?has|have} not sent the same treaty: asked to confirm."),
    Message("GIG-091", "error", "You already have a treaty with {partner:the}."),
    Message("GIG-092", "error", "You have no treaty with {partner:the}."),
    Message("GIG-093", "error", "The objective is chosen once, in the first spring. For who has none the referee may "
            "rule one afterwards: 'referee: secret objective V ports'."),
    Message("GIG-094", "error", "'{option}' is no objective of this edition."),
    Message("GIG-095", "error", "Name the enemy faction whose territory you want."),
    Message("GIG-096", "error", "A treaty between {a:the} and {b:the} is not permitted.", means=_SIDES),
    Message("GIG-100", "error", "'{answer}' is not one of {options}."),
    Message("GIG-101", "error", "Bribes come to {sum}, the chest holds {left}. Lower this one."),
    Message("GIG-102", "warning", "Only full steps of {step} count: {rest} {rest?ducat is wasted|ducats are wasted}."),
    Message("GIG-103", "error", "Losses must be whole, from 0 to {max} for {side:the}."),
    Message("GIG-104", "error", "Say who won: a, b or draw."),
    Message("GIG-105", "error",
            "Rearguard figures missing or out of bounds: rearguard {min} to {value}, pursuer up to {max}."),
    Message("GIG-106", "error", "The order must name each faction once: {missing}."),
    Message("GIG-107", "error", "The companies add up to {sum}, {unit} has {value}."),
    Message("GIG-108", "error", "The losses add up to {sum}, not {loss}, or one army has fewer."),
    Message("GIG-109", "error", "{node:the} is not a legal way back: {list}."),
    Message("GIG-110", "error", "{exited} off the table against {lost} lost: {side:the} {side?wins|win}."),
    Message("GIG-120", "error", "The road {a} {b} stands here twice, or leads to itself. Delete the row.", means=_WAY),
    Message("GIG-121", "error",
            "{node}: the code '{value}' in the column {column} is unknown. Type one of Factions or Nodes."),
    Message("GIG-122", "error",
            "{faction:the} {faction?has|have} {n} {n?army|armies}; {max} {max?is|are} allowed. Delete or unite some."),
    Message("GIG-123", "error",
            "{army} is at sea and no fleet carries it alone. Write it as the cargo of one own fleet there."),
    Message("GIG-124", "error",
            "{what} has {value} {value?ducat|ducats}: a chest holds 0 or more, an army 1 or more. Correct the number."),
    Message("GIG-125", "error",
            "{node}: a sea area has no walls, owner or garrison, a road touches no sea. Correct the row."),
)

EVENTS: Mapping[str, EventType] = keyed(
    # --- spring
    EventType("income.tax", "Taxes {total}: cities {cities}, villages {villages}, fortresses {fortresses}.",
              "money", 2, "2a t29"),
    EventType("event.disaster", "Earthquake or flood {node:at}: the walls are gone.", "works", 1, "t36"),
    EventType("works.begun", "Works {node:at}, ready in {ready_year}.", "works", 4, "t32, Amendments"),
    EventType("works.done", "{node:the} is fortified.", "works", 3, "t32, Amendments"),
    EventType("works.lost", "The works {node:at} are lost.", "works", 2, "t32, Amendments"),
    EventType("loan.granted", "The bank lends {amount}, {due} due next spring.", "money", 3, "2a"),
    EventType("loan.repaid", "{amount} repaid to the bank.", "money", 3, "2a"),
    EventType("loan.confiscated", "Taken for the debt: {taken}. Written off: {written_off}.", "money", 1, "2a",
              ("written_off", {"0": "Taken for the debt: {taken}."})),
    EventType("loan.goods", "The bank takes of your goods: {goods}.", "money", 2, "2a"),
    EventType("walls.confiscated", "The bank has the fortifications of {node:the} torn down.", "works", 1, "2a"),
    EventType("money.moved", "{item} {amount}, chest {balance}.", "money", 6, "2"),
    EventType("objective.chosen", "Objective: {option}.", "rulings", 3, "objectives"),
    EventType("army.recruited", "{army} {node:at}: +{amount} {amount?ducat|ducats}.", "money", 4, "2b"),
    EventType("army.reorganised", "{amount} from {from} to {to}.", "moves", 5, "2b"),
    EventType("specialist.enlisted", "{kind} {code} enters service.", "money", 4, "t33"),
    EventType("specialist.expired", "{code} leaves the service.", "news", 6, "t33"),
    EventType("specialist.posted", "{code} is posted at {post}.", "moves", 6, "t33"),
    EventType("garrison.placed", "A garrison of {faction:the} {node:at}.", "works", 4, "2b, Amendments"),
    EventType("fleet.formed", "{fleet} is launched {node:at}.", "sea", 3, "fleets"),
    EventType("strategos.won", "{faction:the} {faction?is|are} Strategos this year.", "rulings", 2, "t33"),
    EventType("strategos.none", "There is no Strategos this year.", "rulings", 3, "t33"),
    EventType("strategos.tied", "Equal bids for the office of Strategos: {roll}", "rulings", 4, "t33",
              ("faction", {"": "Equal bids for the office of Strategos: nobody has it."})),
    EventType("order.set", "Order of movement: {order}.", "rulings", 3, "t33"),
    EventType("alliance.made", "{a:the} and {b:the} have made a treaty.", "diplomacy", 1, "alliances", means=_SIDES),
    EventType("alliance.refused", "The treaty between {a:the} and {b:the} was refused.", "diplomacy", 2, "alliances",
              means=_SIDES),
    EventType("alliance.honoured", "{a:the} and {b:the} kept their treaty to its end.", "diplomacy", 2, "alliances",
              means=_SIDES),
    EventType("alliance.dissolved", "{by:the} {by?ends|end} the treaty between {a:the} and {b:the}.", "diplomacy", 1,
              "alliances", means=_SIDES),
    EventType("alliance.betrayed", "{by:the} betrayed the treaty.", "diplomacy", 0, "alliances"),
    EventType("alliance.suspect",
              "Treaty between {a:the} and {b:the}: {by:the} acted against {by?its|their} partner ({what}).",
              "diplomacy", 1, "alliances", means=_SIDES, variants=("what", {
                  "attack": "Treaty between {a:the} and {b:the}: {by:the} attacked {by?its|their} partner."})),
    EventType("alliance.cleared", "{by:the} {by?is|are} cleared of betraying the treaty between {a:the} and {b:the}.",
              "diplomacy", 3, "alliances", means=_SIDES),
    EventType("epidemic.drawn", "The epidemic of {faction:the} breaks out {node:at}.", "news", 2, "3a"),
    EventType("epidemic.struck", "An epidemic {node:at}.", "news", 1, "3a"),
    EventType("epidemic.garrison", "The epidemic leaves {node:the} without its garrison.", "news", 2, "3a"),
    EventType("epidemic.loss", "{army} loses {lost} to the epidemic.", "news", 1, "3a"),
    # --- summer
    EventType("assassin.success", "Your assassin killed the {kind} of {target}.", "rulings", 1, "t33"),
    EventType("assassin.failed", "Your assassin failed against {target} ({die}).", "rulings", 2, "t33"),
    EventType("assassin.nobody", "Your assassin found nobody at {target}.", "rulings", 2, "t33"),
    EventType("assassin.gone", "{man} was killed before he could strike at {target}.", "rulings", 2, "t33"),
    EventType("assassin.exposed", "An assassin of {by:the} was caught near {target}.", "diplomacy", 1, "t33"),
    EventType("victim.struck", "Your {kind} ({target}) was killed by an assassin.", "rulings", 0, "t33"),
    EventType("fleet.sailed", "{fleet} sails to {to:the}.", "sea", 4, "fleets", means=_WAY),
    EventType("fleet.homeward", "{fleet} had no orders and sails home, to {to:the}.", "sea", 4, "fleets", means=_WAY),
    EventType("fleet.repelled", "{fleet} is thrown back from {frm:the} to {to:the}.", "sea", 2, "fleets", means=_WAY),
    EventType("fleet.locked", "{fleet} is held {node:at}: neither side gives way.", "sea", 3, "fleets"),
    EventType("fleet.lost", "{fleet} is lost {node:at}: {why}.", "sea", 0, "fleets"),
    EventType("storm.none", "The sea is calm ({die}).", "sea", 6, "fleets"),
    EventType("storm.rises", "A storm rises ({die}).", "sea", 2, "fleets"),
    EventType("storm.sinks", "The storm sinks {fleet} ({die}).", "sea", 1, "fleets"),
    EventType("storm.survived", "{fleet} survives the storm ({die}).", "sea", 3, "fleets"),
    EventType("army.embarked", "{army} goes aboard {fleet}.", "sea", 4, "fleets"),
    EventType("army.landed", "{army} lands {node:at}.", "sea", 2, "fleets"),
    EventType("landing.failed", "{army} could not land.", "sea", 2, "fleets"),
    EventType("embark.failed", "{army} could not go aboard.", "sea", 2, "fleets"),
    EventType("move.pinned", "{army} was met {node:at} before it could leave.", "moves", 1, "3b"),
    EventType("move.ally_ahead", "{army} stopped {node:at}, before an ally.", "moves", 3, "3b"),
    EventType("army.released", "{army} is free again.", "moves", 3, "3c"),
    EventType("rearguard.no_further", "{army} could go back no further.", "battles", 3, "3c"),
    EventType("army.moved", "{army}: {path}.", "moves", 4, "3b"),
    EventType("army.came_out", "{army} comes out {node:at}.", "moves", 2, "3b"),
    EventType("army.retreated", "{army} goes back from {frm:the} to {to:the}.", "moves", 2, "3c", means=_WAY),
    EventType("army.shut_in", "{army} shuts itself in {node:at}.", "moves", 2, "3c"),
    EventType("army.lost", "{army} is lost {node:at}: {why}.", "battles", 0, "3c"),
    EventType("contact.met", "{hand:the} and {other:the} meet {node:at}.", "moves", 2, "3c", means=_SIDES),
    EventType("contact.hand", "{node}: {faction:the} {faction?has|have} the hand.", "rulings", 4, "3c"),
    EventType("contact.choices", "{node}: {hand_faction:the} chose to {hand}, {other_faction:the} to {other}.",
              "rulings", 2, "3c t34"),
    EventType("contact.lapsed", "The meeting {node:at} is put off to the next round.", "moves", 4, "3c t34"),
    EventType("spy.report", "{army}: {kind}, {value} {value?ducat|ducats}.", "rulings", 1, "t33"),
    EventType("diplomat.revealed", "{army} is only an envoy.", "moves", 2, "t33"),
    EventType("marker.withdrawn", "{army} leaves the field.", "moves", 4, "t33"),
    EventType("battle.offered", "Battle {battle} {node:at}.", "battles", 1, "3c",
              ("type", {"field": "Field battle {node:at}: {battle}.", "meeting": "Meeting battle {node:at}: {battle}.",
                        "rearguard": "Rearguard action {node:at}: {battle}."})),
    EventType("battle.side", "{faction:the} {faction?chooses|choose} side and terrain of {battle}.", "rulings", 2,
              "3c t34"),
    EventType("battle.dice", "{battle}, umpire's dice: {a} {total_a}, {b} {total_b}.", "rulings", 2, "auto",
              means=_SIDES),
    EventType("battle.result", "{winner:the} {winner?wins|win} {battle}.", "battles", 0, "3c",
              ("winner", {"draw": "{battle} ends in a draw."})),
    EventType("battle.losses", "{battle}: losses {losses_a} of the attacker, {losses_b} of the defender.",
              "battles", 1, "3c"),
    EventType("army.reduced", "{army} loses {lost} {lost?ducat|ducats}; {left} {left?is left|are left}.", "battles",
              2, "3c"),
    EventType("commander.replaced", "{army} has a commander again.", "moves", 5, "t33"),
    EventType("siege.begun", "{besieger:the} {besieger?lays|lay} siege to {node:the}.", "sieges", 1, "3d"),
    EventType("siege.lifted", "The siege of {node:the} is lifted.", "sieges", 1, "3d"),
    EventType("siege.disturbed", "The siege of {node:the} was disturbed: this round does not count.", "sieges", 2,
              "3d"),
    EventType("siege.held", "{node:the} holds against {besieger:the}.", "sieges", 1, "3d"),
    EventType("siege.fell", "{node:the} falls to {besieger:the}.", "sieges", 0, "3d"),
    EventType("siege.roll", "Siege of {node:the}: {roll}", "rulings", 2, "3d t35",
              verdicts=("the place falls", "the place holds")),
    EventType("siege.wear", "The siege costs {army} {lost} {lost?ducat|ducats}.", "sieges", 3, "3d t35"),
    EventType("place.taken", "{by:the} {by?takes|take} {node:the} from {frm:the}.", "sieges", 0, "3d",
              ("frm how", {
                  "walked in": "{by:the} {by?walks|walk} into {node:the} and {by?takes|take} it from {frm:the}.",
                  "siege": "{by:the} {by?takes|take} {node:the} from {frm:the} by siege.",
                  "N": "{by:the} {by?takes|take} {node:the} (neutral until now).",
                  "N walked in": "{by:the} {by?walks|walk} into {node:the} (neutral until now).",
                  "N siege": "{by:the} {by?takes|take} {node:the} by siege (neutral until now)."}), means=_SIDES),
    # --- winter
    EventType("winter.event", "Winter, {faction}: event {event_no} {node}.", "news", 1, "t36", ("event_no", {
        "1": "Winter, {faction:the}: an epidemic breaks out {node:at}.",
        "2": "Winter, {faction:the}: famine in the cities.",
        "3": "Winter, {faction:the}: a poor harvest.",
        "4": "Winter, {faction:the}: a good harvest.",
        "5": "Winter, {faction:the}: a papal indulgence, city taxes rise.",
        "6": "Winter, {faction:the}: earthquake or flood {node:at}."})),
    EventType("winter.quiet", "Winter, {faction:the}: nothing happens ({die}).", "news", 5, "t36"),
    EventType("winter.recap", "The year is over. {table}.", "news", 3, "4"),
    EventType("campaign.end", "{winners:the} {winners?wins|win}. Objectives reached: {reached}. {detail}.", "news", 0,
              "objectives", ("winners", {"": "There is no winner. Objectives reached: {reached}. {detail}."})),
)

_COLUMNS = (Cell34.column("outcome"), Cell34.column("other"), Node.column("walls"), Battle.column("type"),
            Battle.column("mode"), Army.column("kind"), Work.column("kind"))
WORDS: tuple[str, ...] = tuple(dict.fromkeys((
    # what stands in columns; the calendar; questions, and what they are answered with
    *(option for column in _COLUMNS if isinstance(column.kind, Choice) for option in column.kind.options),
    *OBJECTIVES, *SPECIALISTS, *SITES, *(month for month, _ in CALENDAR), *QUESTIONS,
    *(word for one in QUESTIONS.values() for word in one.answers.values()), "no", "draw", "passage", "no_passage",
    "blocks", "confirmed", "in proportion", "first", "nobody", "book_order",
    # why an army or a fleet is lost, and how a place is taken
    "no retreat", "captured with the place", "captured diplomat", "siege wear", "drowned", "epidemic", "confiscated",
    "fleet confiscated", "unpaid", "assassin", "storm", "no way back", "port taken", "walked in", "siege",
    # modifiers of a siege and of the umpire's dice; acts against a partner; outcomes of meetings
    "full rounds besieging", "besieger's sapper", "bribes", "garrison", "defender's sapper", "walls", "superiority",
    "commander killed", "capture", "lapsed", "bluff_both", "diplomat_taken", "diplomat_back", "battle", "commander",
    # dice that differ in their purpose only
    "event", "eventtable", "event2", "lot",
    # items of the accounts, and why there is no loan
    "taxes", "upkeep", "loan", "loan_repaid", "recruit", "fleet", "bid", "pay", "received",
    "one loan is open already", "goods were confiscated this spring",
    # winter, its recapitulation, the verification, the standings
    "famine", "poor harvest", "good harvest", "papal indulgence", "earthquake or flood",
    "faction", "places", "objective", "target", "count", "reached", "army_ducats",
)))
