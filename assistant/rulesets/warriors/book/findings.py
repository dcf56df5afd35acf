"""What the book says of orders, forms, answers and sheets: codes in, English texts out; the Italian in `warriors.po`.

Fields in {braces} are the data of the finding (rulebook: What is refused).
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.findings import Message
from assistant.turn.texts import Meaning, keyed

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
