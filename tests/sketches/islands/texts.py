"""All that is said."""

from __future__ import annotations

from assistant.campaign.records import ALL
from assistant.turn.event_types import EACH_TIME, EventType
from assistant.turn.findings import Message
from assistant.turn.questions import Option, QuestionType
from assistant.turn.texts import keyed

FINDINGS = keyed(
    Message("ISL-001", "error", "'{word}' is no order. Did you mean {near}?"),
    Message("ISL-002", "error", "'{word}' is no squadron of yours. You have {list}."),
    Message("ISL-003", "error", "'{word}' is not on the chart. Did you mean {near}?"),
    Message("ISL-004", "error", "No lane leads from {a} to {b}. From {a} lanes lead to {list}."),
    Message("ISL-005", "error", "{army} would sail {n} lanes, and in this weather it may sail {most}."),
    Message("ISL-006", "error", "'{word}' is no number of ships. Type a whole number from 1."),
    Message("ISL-007", "error", "'{word}' is no house to deal with."),
    Message("ISL-008", "error", "{army} has {have} ships; at least one must stay with it."),
    Message("ISL-009", "error", "A blockade needs {least} ships; {army} has {have}."),
    Message("ISL-010", "error", "Nobody can blockade in a storm."),
    Message("ISL-011", "error", "{node} is not yours."),
    Message("ISL-012", "error", "{node} has no yard."),
    Message("ISL-013", "error", "{cost} gold is needed, and {left} is left."),
    Message("ISL-014", "error", "{node} builds at most {most} ships a season; {had} are ordered already."),
    Message("ISL-015", "error",
            "A convoy goes to a port of your own or of a house at peace with you; {node} is neither."),
    Message("ISL-016", "error", "A house sends at most {most} convoys a season."),
    Message("ISL-017", "error", "A convoy goes from one port to another."),
    Message("ISL-018", "error", "There is no peace with {partner} that could be denounced."),
    Message("ISL-019", "error", "You are at peace with {partner} already."),
    Message("ISL-020", "warning", "Order {order} comes later and takes the place of this one."),
    Message("ISL-021", "error", "{army} and {other} do not lie in the same port."),
    Message("ISL-022", "error", "Type a, b or draw for the winner."),
    Message("ISL-023", "error", "'{seen}' cannot be the losses of side {which}: it had {most} ships."),
    Message("ISL-026", "error", "'{word}' is not yours."),
    Message("ISL-025", "error", "{verb} needs something in the column {column}."),
)
EVENTS = keyed(
    EventType("isl.weather", "The weather of the season: {weather}, {roll}.", "news", 2, "2", to=ALL),
    EventType("isl.sailed", "{army} sails {path}.", "moves", 4, "3", to="army"),
    EventType("isl.stopped", "{army} meets enemies at {node} and stops.", "moves", 3, "3", to="army"),
    EventType("isl.detached", "{army} leaves {n} ships at {node} as {other}.", "moves", 4, "3", to="army"),
    EventType("isl.joined", "{army} joins {other}, which now has {n} ships.", "moves", 4, "3", to="other"),
    EventType("isl.scouted", "{army} looks into {node}: {roll}.", "moves", 3, "4", verdicts=("seen", "nothing seen"),
              to="army"),
    EventType("isl.seen", "{node:at} lies {seen} with {n} ships.", "moves", 2, "4", to=EACH_TIME),
    EventType("isl.laid", "Squadrons of {a} and {b} meet {node:at}.", "battles", 1, "5", to="a b"),
    EventType("isl.battle", "{winner} beats {loser} at sea before {node}.", "battles", 0, "5", to=ALL),
    EventType("isl.draw", "{a} and {b} fight before {node}, and nobody wins.", "battles", 0, "5", to=ALL),
    EventType("isl.dice", "The battle of {node} by dice: {roll}.", "battles", 2, "5", to=EACH_TIME),
    EventType("isl.lost", "{army} loses {n} ships, and has {left} left.", "battles", 2, "5", to=EACH_TIME),
    EventType("isl.fled", "{army} flees to {node}.", "battles", 2, "5", to="army"),
    EventType("isl.sunk", "{army} is lost.", "battles", 1, "5", to=ALL),
    EventType("isl.blocks", "{army} blockades {node}.", "sieges", 3, "6", to="army"),
    EventType("isl.blocked", "{node} is blockaded: nothing comes in or out.", "sieges", 2, "6", to=ALL),
    EventType("isl.taken", "{faction} lands at {node} and takes it.", "sieges", 0, "6", to=ALL),
    EventType("isl.convoy", "A convoy from {start} to {node} brings {n} gold.", "money", 3, "7", to=EACH_TIME),
    EventType("isl.caught", "The convoy from {start} to {node} does not come through.", "money", 2, "7", to=EACH_TIME),
    EventType("isl.prize", "{army} takes a convoy: {n} gold.", "money", 1, "7", to="army"),
    EventType("isl.income", "{faction} collects {n} gold from its ports.", "money", 2, "8", to="faction"),
    EventType("isl.ordered", "{node} lays down {n} ships, ready in {when}.", "works", 3, "9", to=EACH_TIME),
    EventType("isl.launched", "{army} with {n} new ships is ready at {node}.", "works", 2, "9", to="army"),
    EventType("isl.hulls_lost", "{n} unfinished ships at {node} are lost with the port.", "works", 1, "9",
              to=EACH_TIME),
    EventType("isl.peace", "{a} and {b} make peace.", "diplomacy", 1, "10", to="a b"),
    EventType("isl.offered", "{faction} has offered peace to {partner}, who has not done the same.", "diplomacy", 4,
              "10", to="faction"),
    EventType("isl.war", "{faction} denounces the peace with {partner}.", "diplomacy", 1, "10", to="faction partner"),
    EventType("isl.over", "The peace between {a} and {b} is over.", "diplomacy", 1, "10", to="a b"),
    EventType("isl.points", "{faction} comes to {n} points: trade {trade}, ships {ships}, gold {gold}.", "news", 1,
              "11", to=ALL),
    EventType("isl.won", "The five years are over. {winner} has won.", "news", 0, "11", to=ALL),
    EventType("isl.even", "The five years are over, and nobody is ahead alone.", "news", 0, "11", to=ALL),
)
QUESTIONS = keyed(
    QuestionType("mode", "{node}: {a} against {b}. On the table or by dice?", answer=Option(), stands=Option(),
                 answers={"tavolo": "table", "dadi": "dice"}),
    QuestionType("battle_result",
                 "{node}: {a} (a, {ships_a} ships) against {b} (b, {ships_b} ships). Who won, and what "
                 "did each side lose?"),
)
