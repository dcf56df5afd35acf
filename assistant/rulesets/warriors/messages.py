"""Findings, events and questions of Fantasy Warriors in English; the Italian is in `warriors.po`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.rulesets.warriors.records import NATIVES, OUTCOMES, QUALITIES, SEASONS
from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message, citations_by_key
from assistant.turn.questions import Amount, AnswerKind, Option, QuestionType, Told
from assistant.turn.texts import N_, Meaning, keyed

# Events and citations (rulebook: Events).
#
# {roll} is the ruling; a citation is a key, the printed paragraph, the heading of docs/rulebooks/warriors.md. What an
# event rests on is several keys, ``2 crossing``: the phase and the paragraph.


CITATIONS = citations_by_key((
    Citation("Ord", "Orders", "Ordini", "Orders to Forces"),
    Citation("Rea", "Reactions", "Reazioni", "Reactions of Forces"),
    Citation("0", "phase 0", "fase 0", "0 Weather"),
    Citation("1", "phase 1", "fase 1", "1 Orders"),
    Citation("2", "phase 2", "fase 2", "2 Movement"),
    Citation("3", "phase 3", "fase 3", "3 Battle"),
    Citation("4", "phase 4", "fase 4", "4 After the battle"),
    Citation("5", "phase 5", "fase 5", "5 Will to fight"),
    Citation("6", "phase 6", "fase 6", "6 Time"),
    Citation("7", "phase 7", "fase 7", "7 Reinforcements"),
    Citation("8", "phase 8", "fase 8", "8 Random events"),
    Citation("Force", "Force test", "test della Forza", "Force test"),
    Citation("test", "Force test", "test della Forza", "Force test"),
    Citation("movement", "movement", "movimento", "Movement on land"),
    Citation("crossing", "crossing", "attraversamento", "Crossing"),
    Citation("naval", "boats", "natanti", "Movement on water"),
    Citation("exploration", "exploration", "esplorazione", "Exploration"),
    Citation("withdrawal", "withdrawal", "ritirata", "Withdrawal"),
    Citation("wounded", "wounded", "feriti", "Wounded"),
    Citation("deserters", "deserters", "disertori", "Deserters"),
    Citation("after", "after the battle", "dopo la battaglia", "Movement after the battle"),
    Citation("reactions", "reactions", "reazioni", "Reactions after the battle"),
    Citation("end", "Arbitro's rule", "regola di Arbitro", "End and score"),
))
"""All of them by key, in the order of the book."""

_BY: Mapping[str, Meaning] = {"by": "piece"}
_TO: Mapping[str, Meaning] = {"to": "place"}
_AT: Mapping[str, Meaning] = {"at": "place"}
_FIGHT: Mapping[str, Meaning] = {"attacker": "piece", "defenders": "piece"}
_SIDES: Mapping[str, Meaning] = {"attacker": "faction", "defender": "faction"}
_OWNERS: Mapping[str, Meaning] = {"was": "faction", "to": "faction"}
_LINK: Mapping[str, Meaning] = {"a": "place", "b": "place", "road": "text"}
_WHY: Mapping[str, Meaning] = {"why": "word"}

_COMMAND = (
    EventType("weather_set", "{zone}: {weather}.", "news", 4, "0"),
    EventType("weather_held", "{zone}: {weather} (it stays).", "news", 5, "0"),
    EventType("order_given", "{army} {army?takes|take} the order {order}: {roll}", "moves", 2, "1 Force test"),
    EventType("order_defend", "{army} can only defend: {roll}", "moves", 2, "1 Force test"),
    EventType("force_confused", "{army} is {reaction}: {roll}", "moves", 1, "1 Force test"),
    EventType("force_unsteady", "{army} is {reaction}: {roll}", "moves", 1, "1 Force test"),
    EventType("force_lost", "{army} of {faction:the} is no more: {why}.", "battles", 0, "1 Force test", means=_WHY),
    EventType("rolled", "Force test of {army}: {roll}", "moves", 3, "1 Force test"),
    EventType("will_marker", "{army} {army?gets|get} a Will marker.", "moves", 3, "1 Force test"),
    EventType("new_chief", "{army} {army?has|have} the commander-in-chief now.", "news", 2, "1 Force test"),
)
_MARCH = (
    EventType("instructed", "{army}, if it is attacked: {stance}.", "moves", 6, "2 movement",
              ("to", {"": "{army}, if it is attacked: {stance}."}), means=_TO),
    EventType("initiative", "Order of movement: {sequence}.", "moves", 3, "2 movement", means={"sequence": "faction"}),
    EventType("initiative_roll", "A throw for the order of movement: {roll}", "moves", 5, "2 movement"),
    EventType("moved", "{army} {army?goes|go} from {node:the} to {path}. {roll}", "moves", 3, "2 movement"),
    EventType("sailed", "{army} {army?goes|go} by water from {node:the} to {path}. {roll}", "sea", 3, "2 naval"),
    EventType("landed", "{army} {army?is|are} ashore: {at}.", "sea", 3, "2 naval", means=_AT),
    EventType("seen", "{army} {army?goes|go} from {node:the} to {to:the}.", "moves", 4, "2 movement", means=_TO,
              unless=("moved", "sailed", "counter_marched", "retreated", "stepped_back")),
    EventType("move_none", "{army} {army?stays|stay} in {node:the}: {why}. {roll}",
              "moves", 3, "2 movement", means=_WHY),
    EventType("move_cut", "{army} {army?stops|stop} at {at:the}: {why}.",
              "moves", 2, "2 movement", means={**_AT, **_WHY}),
    EventType("move_refused", "{army} {army?stays|stay} in {node:the}: {why}.", "moves", 2, "2 movement", means=_WHY),
    EventType("counter_marched", "{army} {army?steps|step} back from {node:the} to {to:the}: {roll}",
              "moves", 1, "2 movement", means=_TO),
    EventType("counter_march_failed", "{army} {army?does|do} not get away from {node:the}: {roll}",
              "moves", 2, "2 movement"),
    EventType("out_of_wilds", "{army} {army?is|are} out of the wilds.", "supply", 7, "2 crossing"),
    EventType("crossing_losses", "{unit}: {lost} lost in {terrain}, {dead} dead, {wounded} wounded. {roll}", "supply",
              2, "2 crossing", ("lost", {"0": "{unit} loses nobody in {terrain}. {roll}"})),
    EventType("deserted", "{unit}: {count} deserted. {roll}", "supply", 2, "4 deserters"),
    EventType("contact", "{attacker} {attacker?attacks|attack} {defenders} at {node:the}.",
              "battles", 1, "2 movement", means=_FIGHT),
    EventType("collapsed", "{army} of {faction:the} is no more: {why}.", "battles", 0, "2 movement",
              means={**_BY, **_WHY}),
    EventType("dug", "{army} {army?has|have} field works of {points} {points?point|points}.", "works", 4, "Ord",
              ("points", {"0": "{army} {army?has|have} no field works any more."})),
    EventType("standoff", "{armies} face each other at {node:the} without fighting.", "battles", 3, "2 movement",
              means={"armies": "piece"}),
    EventType("battle_set", "Battle {battle} at {node:the}: {attacker:the} {attacker?attacks|attack} {defender:the}.",
              "battles", 0, "2 movement", means={**_SIDES, "battle": "text"}),
)
_WAR = (
    EventType("exploration", "{battle}: attackers {A}, defenders {D}; advantage {band}. {roll}", "battles", 2,
              "3 exploration", ("better", {
        "you": "{battle}: an exploration of {total}, which has advantage {band}.",
        "enemy": "{battle}: an exploration of {total}; the enemy has advantage {band}.",
        "nobody": "{battle}: an exploration of {total}; neither side is better."}), means={"battle": "text"}),
    EventType("auto_result", "{battle} at {node:the} is decided by dice. {roll}", "battles", 2, "3",
              means={"battle": "text"}),
    EventType("battle_result", "{battle} at {node:the}: {outcome}.", "battles", 0, "3", ("outcome", {
        "attacker": "{battle} at {node:the}: the attackers win.",
        "defender": "{battle} at {node:the}: the defenders win.",
        "stalemate": "{battle} at {node:the} is drawn."}), means={"battle": "text"}),
    EventType("aid", "{battle}, General's test of {army} for a withdrawal: {roll}", "battles", 4, "3 withdrawal",
              ("test", {"command": "{battle}, Command test of {army} for a withdrawal: {roll}"}),
              means={"battle": "text", "test": "text"}),
    EventType("losses", "{unit}: {dead} dead, {wounded} wounded, {deserted} deserted, {figures} left. {roll}",
              "battles", 3, "4 wounded"),
    EventType("mercenaries_left", "{unit} leaves: {count} {count?mercenary deserts|mercenaries desert}.", "battles", 2,
              "4 deserters"),
    EventType("commander_wounded", "{commander}, commander of {army}, is wounded until turn {until}. {roll}", "battles",
              1, "4 wounded", means={"commander": "text"}),
    EventType("commander_dead", "{commander}, commander of {army}, is dead. {roll}", "battles", 0, "4 wounded",
              means={"commander": "text"}),
    EventType("force_broken", "{army} of {faction:the} is no more: {why}.", "battles", 0, "4 wounded", means=_WHY),
    EventType("force_destroyed", "{army} of {faction:the} is no more: {why}.", "battles", 0, "4 reactions",
              means=_WHY),
    EventType("no_retreat", "{army} of {faction:the} is no more: {why}.", "battles", 0, "4 movement after",
              means=_WHY),
    EventType("tallied", "{faction:the} {faction?has|have} drawn {battle}.", "battles", 5, "5", ("came", {
        "won": "{faction:the} {faction?has|have} won {battle}.",
        "lost": "{faction:the} {faction?has|have} lost {battle}."}), means={"battle": "text"}),
    EventType("reaction", "{army} is {reaction}.", "battles", 1, "4 reactions"),
    EventType("retreated", "{army} {army?falls|fall} back from {node:the} to {to:the}.",
              "moves", 1, "4 movement after", means=_TO),
    EventType("stepped_back", "{army} {army?steps|step} back from {node:the} to {to:the}.",
              "moves", 2, "4 movement after", means=_TO),
    EventType("stepping_order", "{battle}: the attackers step back first. {roll}", "moves", 5, "4 movement after",
              ("first", {"D": "{battle}: the defenders step back first. {roll}"}),
              means={"battle": "text", "first": "text"}),
    EventType("stays", "{army} {army?stays|stay} at {node:the}: {why}.", "moves", 2, "4 movement after", means=_WHY),
    EventType("place_taken", "{node:the} falls to {to:the}.", "sieges", 0, "4 movement after",
              ("to", {"": "{node:the} is nobody's."}), means=_OWNERS),
    EventType("boats_taken", "{boat} at {node:the} {boat?falls|fall} to {by:the}.", "sea", 1, "4 movement after",
              means={"boat": "piece"}),
    EventType("battle_closed", "What came of {battle} at {node:the} is done.", "battles", 8, "4 movement after",
              means={"battle": "text"}),
)
_YEAR = (
    EventType("without_forces", "{faction:the} {faction?has|have} no Force on the map.", "news", 1, "5"),
    EventType("forces_again", "{faction:the} {faction?has|have} Forces on the map again.", "news", 3, "5"),
    EventType("will_passed", "{faction:the} {faction?fights|fight} on: {roll}", "news", 1, "5",
              means={"reasons": "text"}),
    EventType("will_rolled", "Test of the will of {faction:the}: {roll}", "news", 1, "5"),
    EventType("will_failed", "{faction:the} {faction?gives|give} up the campaign.", "news", 1, "5",
              means={"reasons": "text"}),
    EventType("nothing_left", "{faction:the} {faction?has|have} nothing left and {faction?is|are} out of the campaign.",
              "news", 1, "5"),
    EventType("campaign_ends", "Victory of {winners:the}.", "news", 0, "end",
              ("winners", {"": "Nobody is left."})),
    EventType("week", "Week {week}, month {month}, {season}.", "news", 6, "6"),
    EventType("hero_leaves", "{unit} leaves {army}.", "supply", 3, "6"),
    EventType("wounded_back", "{unit}: {count} wounded are back.", "supply", 3, "7"),
    EventType("force_back", "{army} of {faction:the} is back at {node:the}.", "supply", 1, "7"),
    EventType("commander_back", "{commander} commands {army} again.", "supply", 2, "7", means={"commander": "text"}),
    EventType("muster_points", "{node:the}: +{points}, store {store}.", "money", 4, "7"),
    EventType("muster_blocked", "{node:the} gives nothing: it is watched.", "money", 2, "7"),
    EventType("raised", "{unit}: {figures} {figures?figure|figures} for {cost} {cost?point|points} in {army}.",
              "money", 3, "7"),
    EventType("refilled", "{unit}: {figures} {figures?more figure|more figures} for {cost} {cost?point|points}.",
              "money", 3, "7"),
    EventType("founded", "{army} is founded at {node:the} for {cost} {cost?point|points}.", "money", 2, "7"),
    EventType("new_force", "A new Force of {faction:the} at {node:the}: {army}.", "moves", 3, "7"),
    EventType("muster_refused", "{node:the}: purchase {seq} comes to nothing: {why}.", "money", 2, "7", means=_WHY),
    EventType("fever", "Camp fever: {unit} loses a figure. {roll}", "supply", 2, "8"),
    EventType("omen", "A bad omen: the next Will test has -1.", "news", 2, "8"),
    EventType("cut", "The way between {a:the} and {b:the} is cut through turn {until}.", "works", 2, "8",
              ("b", {"": "The bridge at {a:the} is cut through turn {until}."}), means=_LINK),
    EventType("spoiled_supply", "Spoiled supply: -1 on the next Force test of {army}.", "supply", 2, "8"),
    EventType("revealed", "{army} at {node:the}: order {order}, reaction {reaction}, {figures}"
              " {figures?figure|figures}.", "news", 1, "8", ("order", {
                  "none": "{army} at {node:the}: no order, reaction {reaction}, {figures} {figures?figure|figures}."}),
              means={"to": "faction"}),
    EventType("guides", "{army} {army?has|have} guides: +1 on its next die of movement.", "moves", 3, "8"),
    EventType("levies", "{figures} {figures?levy joins|levies join} {army}. {roll}", "supply", 2, "8"),
    EventType("hero", "A wandering hero joins {army} until turn {until}.", "supply", 2, "8"),
    EventType("mercenaries", "{figures} {figures?mercenary joins|mercenaries join} {army} for {cost}"
              " {cost?point|points}.", "money", 2, "8"),
    EventType("gates_open", "The gates of {node:the} are opened. {roll}", "sieges", 3, "8"),
    EventType("gates_shut", "The gates of {node:the} stay shut. {roll}", "sieges", 3, "8"),
    EventType("event_nothing", "A random event comes to nothing: {event}.", "news", 4, "8", means={"event": "word"}),
)
EVENTS: Mapping[str, EventType] = keyed(*_COMMAND, *_MARCH, *_WAR, *_YEAR)
TITLES: Mapping[str, str] = {
    "sieges": N_("Strongholds"), "moves": N_("Orders and marches"), "money": N_("Points and purchases"),
    "supply": N_("Figures and wounded"), "works": N_("Field works and roads"), "sea": N_("On the water")}
"""Categories of events that have a title of their own in this book."""

WORDS: tuple[str, ...] = (
    *SEASONS, *QUALITIES, *OUTCOMES, *(word for word in NATIVES if word != "none"),
    "march", "explore", "defend", "none", "confused", "unsteady", "routed", "fight", "counter_march", "ask",
    "storm", "rain", "fair", "wind", "fog", "heat", "splendid",
    # modifiers
    "friendly territory", "enemy territory", "Will marker", "spoiled supply", "river", "road", "reaction",
    "forced march", "guides", "contrary wind", "fair wind", "calm", "reefs", "small boats", "barges", "rapids",
    "upstream", "downstream", "bridge", "crossing", "quality", "scouts", "wizard", "night", "superiority",
    "exploration", "stronghold", "field works", "battles won", "battles lost", "strongholds taken",
    "strongholds lost", "capitals taken", "capital lost", "omen", "open", "cultivated", "hill", "forest", "mountain",
    "sea", "lake", "marsh",
    # whose die it is
    "deserter", "commander",
    # why
    "out of control", "collapsed", "nobody is left", "beaten while unsteady", "nowhere to go", "too slow", "gone",
    "in contact", "counter-marched", "aboard", "boats", "ford closed", "peace", "third party", "zone of control",
    "water held", "both defend", "no square", "not held", "watched", "points", "force not here", "above strength",
    "score", "places",
    # random events
    "camp_fever", "bad_omen", "road_cut", "desertion", "spoiled_supply", "order_revealed", "levies", "hero",
    "mercenaries", "open_gates",
    # answers, kinds of question
    "yes", "no", "land", "first", "last", "entered", "auto", "weather", "weeks", "muster", "event", "result",
    "retreat", "step-back", "counter-march", "strength",
)
"""Codes among the data that a reader sees translated."""


# Findings (rulebook: What is refused); fields in {braces} are their data.


_WAY: Mapping[str, Meaning] = {"a": "place", "b": "place"}
_HERE: Mapping[str, Meaning] = {"here": "place", "to": "place", "boat": "piece"}
_WHO: Mapping[str, Meaning] = {"a": "faction", "b": "faction"}
_BOAT: Mapping[str, Meaning] = {"boat": "piece"}

FINDINGS: Mapping[str, Message] = keyed(
    Message("WAR-001", "error",
            "'{verb}' is not an order. Use order, move, sail, contact, initiative, raise, refill or found."),
    Message("WAR-002", "error", "There is no Force '{army}'. Did you mean {near}?"),
    Message("WAR-003", "error", "{army} belongs to another faction. Order only your own Forces."),
    Message("WAR-004", "error", "{army} is no longer on the map ({status}). Delete the row."),
    Message("WAR-005", "error", "{faction:the} {faction?is|are} out of the campaign, or unknown. Delete the row."),
    Message("WAR-006", "error", "'{verb}' needs {columns}. Fill it in."),
    Message("WAR-007", "warning", "'{verb}' does not use {column}; it is ignored. Clear the cell."),
    Message("WAR-008", "warning", "Replaced by No. {seq} for the same Force. Delete one of them."),
    Message("WAR-009", "error", "Two rows No. {seq} contradict each other; neither counts. Keep one."),
    Message("WAR-010", "warning", "Same as No. {seq}; counted once."),
    Message("WAR-011", "error", "Written for turn {turn}, this is turn {now}. Correct the turn or delete it."),
    Message("WAR-012", "error", "'{value}' is not a whole number above 0."),
    Message("WAR-101", "error", "'{new_order}' is not march, explore or defend."),
    Message("WAR-102", "warning", "{army} {army?has|have} this order already: no test is made, so it risks nothing."),
    Message("WAR-201", "error", "There is no square '{node}'. Did you mean {near}?"),
    Message("WAR-202", "error", "{b:the} does not touch {a}. Name every square of the path.", means=_WAY),
    Message("WAR-203", "error", "{node:the} is water. Go round it, or use sail."),
    Message("WAR-204", "warning", "The path begins with the Force's own square; it was left out."),
    Message("WAR-205", "warning", "{n} {n?square cannot|squares cannot} be reached; only the first 3 count."),
    Message("WAR-206", "warning", "{army} is on Defend and will not move. Ask for another order first."),
    Message("WAR-207", "error", "{army} is aboard {boat}. Use sail.", means=_BOAT),
    Message("WAR-208", "error", "Between {a:the} and {b:the} there is only water. Take another way.", means=_WAY),
    Message("WAR-209", "warning", "The path comes back to {node:the}. Is that meant?"),
    Message("WAR-210", "error", "{army} is Routed and cannot go against an enemy in {node:the}."),
    Message("WAR-211", "warning", "The path goes through {terrain}: Units may lose figures there."),
    Message("WAR-212", "error", "{node:the} holds a Force of {faction:the}, with whom you are at peace."),
    Message("WAR-213", "warning",
            "{node:the} has a river and no bridge: rain or storm would stop the Force before it."),
    Message("WAR-301", "error", "There are no boats '{boat}' of yours.", means=_BOAT),
    Message("WAR-302", "error", "{boat} lie in {node:the}, the Force is in {here:the}.", means=_HERE),
    Message("WAR-303", "error", "{n} {n?figure|figures}, {boat} carry {capacity}.", means=_BOAT),
    Message("WAR-304", "error", "{unit} has mounts and {boat} have no barges.", means=_BOAT),
    Message("WAR-305", "error", "{boat} are used by {army}, or {army} is aboard others.", means=_BOAT),
    Message("WAR-306", "error",
            "From {a:the} there is no way by water to {b:the} (or the path goes on after a landing).", means=_WAY),
    Message("WAR-307", "error", "Sea and river in one move. End this move at the river mouth."),
    Message("WAR-308", "error", "Ships do not go on rivers here. Use small boats."),
    Message("WAR-309", "warning", "Only the first 4 squares of the path count, without landing."),
    Message("WAR-310", "error", "The path ends on water: nowhere to land."),
    Message("WAR-311", "error", "The river is not navigable between {a:the} and {b:the}.", means=_WAY),
    Message("WAR-320", "error", "'{stance}' is not fight, counter_march or ask."),
    Message("WAR-321", "warning",
            "{to:the} is no step back from {here:the}; the default place will be used.", means=_HERE),
    Message("WAR-322", "warning", "There is no counter-march in this campaign: {army} will fight."),
    Message("WAR-331", "error", "'{wish}' is not first or last."),
    Message("WAR-401", "error", "{place:the} is no stronghold or capital that you hold."),
    Message("WAR-402", "error", "'{type}' is not on your people's price list."),
    Message("WAR-403", "error", "Costs {cost}; {place} will have {left} left after your earlier rows."),
    Message("WAR-406", "warning", "{unit} would pass its starting strength {n}, wounded included."),
    Message("WAR-407", "error", "V.C. {vc} cannot be bought; 1 to 2."),
    Message("WAR-408", "error", "A new Unit has at least 5 figures."),
    Message("WAR-409", "error", "There is no Unit '{unit}'."),
    Message("WAR-501", "error", "'{outcome}' is not attacker, defender or stalemate."),
    Message("WAR-502", "error", "{unit}: {n} {n?figure lost|figures lost}, {before} {before?was there|were there}."),
    Message("WAR-503", "error", "{unit} was not in {battle}."),
    Message("WAR-504", "warning", "The winner has nobody left on the table. Is the outcome right?"),
    Message("WAR-505", "warning", "The beaten side reports no losses at all. Is that right?"),
    Message("WAR-506", "error", "Losses are whole numbers from 0."),
    Message("WAR-507", "error", "Stalemate, but one side has nobody left. Who won?"),
    Message("WAR-508", "warning", "More than 8 game turns in a day's battle."),
    Message("WAR-601", "error", "'{answer}' is not one of: {options}. The question stays open."),
    Message("WAR-602", "error", "{faction:the} {faction?was|were} not asked this."),
    Message("WAR-603", "warning", "Nobody asked '{question}'; ignored."),
    Message("WAR-701", "error", "Unknown terrain, quality, climate or kind '{value}'."),
    Message("WAR-702", "error", "{a:the} and {b:the} are the same square (x, y).", means=_WAY),
    Message("WAR-703", "error",
            "Link {road}: {a} and {b:the} do not touch, or they are joined twice by the same kind.", means=_WAY),
    Message("WAR-704", "error",
            "{faction:the} {faction?has|have} {n} {n?capital|capitals}; one is needed. A place needs a founder."),
    Message("WAR-705", "error", "{army} stands in water and is not aboard."),
    Message("WAR-706", "warning", "V.C. {vc} is outside 1 to 4."),
    Message("WAR-707", "error", "{a:the} and {b:the} stand twice in Relations.", means=_WHO),
    Message("WAR-708", "error", "{army} has an order and a reaction, or neither."),
    Message("WAR-709", "error", "{faction:the} {faction?has|have} {n} commanders-in-chief; one is needed."),
    Message("WAR-710", "warning",
            "The Forces of {faction:the} cost {n} {n?point|points}, commanders included; {most} {most?is allowed|are"
            " allowed}."),
)


# Questions to clubs and to the referee (rulebook: Questions).


ANSWERS: Mapping[str, str] = {"sì": "yes", "si": "yes", "nessuno": "none", "nessuna": "none", "inserito": "entered",
                              "dadi": "auto", "tempesta": "storm", "bufera": "storm", "blizzard": "storm",
                              "pioggia": "rain", "neve": "rain", "snow": "rain", "sereno": "fair", "vento": "wind",
                              "nebbia": "fog", "caldo": "heat", "splendido": "splendid"}
"""Further words of answers -> the option."""
_WRONG = Told("WAR-601", {"answer": "answer", "options": "options"})
_FOREIGN = Told("WAR-602", {"faction": "faction"})
_PIECES: Mapping[str, Meaning] = {"attacker": "piece", "battle": "text"}


def _question_type(kind: str, text: str, answer: AnswerKind[Any] = Option(), **more: Any) -> QuestionType:  # noqa: B008
    return QuestionType(kind, text, None, ANSWERS, answer, wrong=_WRONG, foreign=_FOREIGN, **more)


QUESTIONS: Mapping[str, QuestionType] = keyed(
    _question_type("weather", "Which weather has {zone}?"),
    _question_type(
        "counter-march",
        "{attacker} {attacker?attacks|attack} {army} at {node:the}: step back?",
        stands=Option(("yes", "no")),
        means=_PIECES,
    ),
    _question_type(
        "result",
        "Who won {battle} at {node:the}, and with what losses? Type the result into the form; auto: the umpire's dice.",
        Option(reader=str.strip),
        means=_PIECES,
    ),
    _question_type("retreat", "{battle} at {node:the} is lost. Where does {army} go?", means=_PIECES),
    _question_type("step-back", "{battle} at {node:the} is drawn. Where does {army} go?", means=_PIECES),
    _question_type("weeks", "How many weeks have passed?", Amount()),
    _question_type("muster", "How many points does {node:the} give?", Amount()),
    _question_type("event", "Which random event befalls {faction:the}?"),
    _question_type("levies", "Which Force do the levies join?"),
    _question_type(
        "mercenaries",
        "{figures} {figures?mercenary for|mercenaries for} {points} {points?point|points} of a place: for which Force?",
    ),
)
