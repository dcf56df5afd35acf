"""What The Anarchy says, tells and cites: findings and events in English, the Italian in `anarchy.po`.

A citation is a key, the printed chapter and page, the heading of docs/rulebooks/anarchy.md; pages are those of the
printed table of contents. Fields in {braces} are the data of the finding or event; {roll} is the ruling. `WORDS` are
the codes among the data that a reader sees translated. See rulebook: Orders, Questions.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rulesets.anarchy.book.sheets import KINDS, RANK_WORDS, SIDES
from assistant.rulesets.anarchy.book.tables import ENTRY
from assistant.turn.citations import Citation, citations
from assistant.turn.findings import Message
from assistant.turn.ruleset import EventType
from assistant.turn.texts import keyed

_CHAPTERS = (
    ("1", 4, "1 The game"), ("2", 4, "2 The map"), ("2.1", 4, "2.1 Terrain"), ("4", 4, "4 Counters"),
    ("5.1", 5, "5.1 Villages"), ("5.2", 5, "5.2 Monasteries"), ("5.3", 5, "5.3 Castles"),
    ("6", 6, "6 The turn"), ("7", 6, "7 Loyalty"),
    ("8.1", 7, "8.1 Groups"), ("8.2", 7, "8.2 Composition"), ("8.3", 7, "8.3 Movement"), ("8.4", 8, "8.4 Food"),
    ("9", 8, "9 Nobles"), ("10", 8, "10 Siege trains"), ("11", 9, "11 Mercenaries"),
    ("11.1", 9, "11.1 Unhired companies"), ("11.2", 9, "11.2 Hiring"), ("11.3", 9, "11.3 Price"),
    ("11.4", 9, "11.4 Promises"), ("11.5", 9, "11.5 Luring"), ("11.6", 9, "11.6 Shares of loot"),
    ("12", 9, "12 Convoys"), ("13", 10, "13 Money"), ("13.1", 10, "13.1 Recruiting"), ("13.2", 10, "13.2 Looting"),
    ("14", 10, "14 Encounters"), ("14.2", 10, "14.2 Groups of different sides"), ("14.4", 10, "14.4 Convoys met"),
    ("14.5", 10, "14.5 Entering a village"),
    ("15", 11, "15 Battle"), ("15.1", 11, "15.1 Size and sides of the table"), ("15.3", 12, "15.3 Who takes part"),
    ("15.4", 12, "15.4 Deployment"), ("15.5", 12, "15.5 Refusing battle"), ("15.6", 13, "15.6 End of a battle"),
    ("15.7", 13, "15.7 Wounded"), ("15.8", 13, "15.8 Captives"),
    ("16", 13, "16 Sieges"), ("18", 14, "18 Surroundings"), ("18.1", 14, "18.1 Weather"), ("18.2", 14, "18.2 Seasons"),
)

CITATIONS = citations((
    *(Citation(key, key, heading=heading, page=page) for key, page, heading in _CHAPTERS),
    Citation("card5", "card 5", "scheda 5", "Resources and loyalty by period"),
    Citation("scenario", "scenario", heading="The scenario"),
    # what the book does not print, and the chapter that needs it
    Citation("orders", "6", heading="Orders", page=6),
    Citation("auto", "15.6, Arbitro's rule", "15.6, regola di Arbitro", "Battles that are not played", 13),
))
"""All of them by key, in the order of the book."""


FINDINGS: Mapping[str, Message] = keyed(
    Message("ANA-001", "error", "'{verb}' is not an order here. Did you mean {near}?"),
    Message("ANA-002", "error", "There is no '{x}'. Did you mean {near}?"),
    Message("ANA-003", "error", "{unit} is not yours ({owner})."),
    Message("ANA-004", "error", "This order is for day {t}; today is day {d}."),
    Message("ANA-005", "warning", "{unit} has two orders {verb}; the last one ({order}) counts."),
    Message("ANA-006", "error", "{unit} is {state} and cannot act."),
    Message("ANA-007", "error", "{verb} needs {column}."),
    Message("ANA-008", "error", "'{x}' is not an amount: use whole points, or pounds in halves."),
    Message("ANA-009", "error", "'{x}' could be {a} or {b}. Write the id."),
    Message("ANA-010", "info", "{unit} has no orders and will hold."),
    Message("ANA-011", "error", "{unit} cannot {verb}: {reason}."),
    Message("ANA-101", "error", "{hex} is not on the map."),
    Message("ANA-102", "error", "{a} and {b} do not touch. Give every hex, or only the last."),
    Message("ANA-103", "warning", "The path costs {c}, {unit} has {pm}: it will stop at {hex}."),
    Message("ANA-104", "error", "{unit} is shut in {place}: SALLY or wait."),
    Message("ANA-105", "error", "{unit} has wounded: it may not end farther from care ({place})."),
    Message("ANA-106", "error", "{unit} moves with {employer}. DETACH it first."),
    Message("ANA-107", "error", "{unit} has no driver and stays."),
    Message("ANA-108", "error", "{unit} needs {list} to move."),
    Message("ANA-109", "error", "{unit} escorts {p}: the path must end nearer to {place}."),
    Message("ANA-110", "error", "{unit} is moved by {side} today."),
    Message("ANA-111", "warning", "{path} does not near the closest group: the default way is used."),
    Message("ANA-112", "warning", "{a} and {b} share {hex}: merged at the close unless one leaves."),
    Message("ANA-113", "info", "Way chosen: {path}, {c} PM."),
    Message("ANA-114", "warning", "{verb} at {hex} not done: {unit} did not get there."),
    Message("ANA-201", "error", "{unit} would leave {n} heads: a group needs {min}."),
    Message("ANA-202", "error", "{unit} has {have} {rank}, asked {n}."),
    Message("ANA-203", "error", "{a} is at {x}, {b} at {y}."),
    Message("ANA-204", "error", "Mercenaries do not merge: ATTACH them."),
    Message("ANA-205", "error", "{place} must keep {min}: {n} may leave."),
    Message("ANA-206", "error", "{place} is not a castle of yours in this hex."),
    Message("ANA-207", "error", "The id {x} is taken."),
    Message("ANA-208", "warning", "{place} has {n} of {min} defenders: reinforce it first."),
    Message("ANA-209", "error", "{x} cannot follow {unit}: {reason}."),
    Message("ANA-210", "error", "{place} is besieged: nobody goes in or out."),
    Message("ANA-301", "error", "Needs £{need}; {unit} has £{have} left."),
    Message("ANA-401", "error", "{place} (loyalty {l}) will not help {side}."),
    Message("ANA-402", "error", "{place} can give {l} L and {p} P today."),
    Message("ANA-403", "error", "Only a noble or knight recruits, in a village or monastery."),
    Message("ANA-404", "error", "{place} is on your side."),
    Message("ANA-405", "error", "{place} is a castle: BESIEGE or ASSAULT."),
    Message("ANA-406", "warning", "{place} has nothing left to take."),
    Message("ANA-407", "error", "{place} does not exist yet."),
    Message("ANA-408", "error", "{place} is not an enemy castle."),
    Message("ANA-409", "error", "Engineers are hired in towns open to you."),
    Message("ANA-410", "info", "Looting {place} costs {noble} {n} prestige."),
    Message("ANA-411", "info", "{unit} needs no food from {place}."),
    Message("ANA-412", "error", "{place} is not besieged."),
    Message("ANA-413", "error", "{place} is not yours, not here, or besieged."),
    Message("ANA-501", "error", "Only a group led by a noble hires mercenaries."),
    Message("ANA-502", "error", "{m} take only money from {side} now."),
    Message("ANA-503", "error", "{x} is {n} hexes from {m}: luring needs {d} or more."),
    Message("ANA-504", "error", "{m} are {contract}."),
    Message("ANA-505", "error", "Unhired mercenaries cannot be attacked."),
    Message("ANA-601", "error", "{c} carries at most {n}."),
    Message("ANA-602", "error", "At most {n} points between a convoy and a place in a day."),
    Message("ANA-603", "error", "{place} is not open to your convoys."),
    Message("ANA-604", "error", "{place} has {n} left."),
    Message("ANA-605", "warning", "{place} takes {n}, up to {max}."),
    Message("ANA-606", "error", "{c} belongs to {side}."),
    Message("ANA-701", "error", "{noble} is not your prisoner abroad."),
    Message("ANA-702", "error", "{unit} cannot escort: {n} fit heads, {min} needed."),
    Message("ANA-703", "warning", "Nobody can escort {p}: they will be massacred."),
    Message("ANA-801", "error", "Battle {b} lacks {column}."),
    Message("ANA-802", "error", "{b}: {unit} had {have} {rank}, lost {n}."),
    Message("ANA-803", "error", "{b}: {outcome} after {turns} turns is not possible."),
    Message("ANA-804", "error", "{b}: {n} of {unit} are not accounted for."),
    Message("ANA-805", "error", "{b}: only the beaten side leaves prisoners."),
    Message("ANA-806", "error", "{b}: {x} did not fight there.",
            ("how", {"elsewhere": "{b}: {x} did not fight with {unit}."})),
    Message("ANA-807", "warning", "{b} is not fought any more; its result is kept aside."),
    Message("ANA-808", "info", "{b}: {n} survivors of {unit} become prisoners."),
    Message("ANA-901", "error", "'{x}' is not one of {options}."),
    Message("ANA-902", "warning", "{question} was not asked today."),
    Message("ANA-903", "info", "{question}: no answer, {default} used."),
    Message("ANA-904", "error", "{n} points to share, {x} given."),
    Message("ANA-911", "error", "{field} {x} is outside {lo}–{hi}."),
    Message("ANA-912", "warning", "{unit} has {n} heads and will dissolve."),
    Message("ANA-913", "error", "{unit}: {x} cannot be its {field}."),
    Message("ANA-914", "error", "{a}–{b} is not an edge of the map.", ("what", {
        "code": "'{a}' is no hex: a hex is its column and its row, two digits each, such as 0605. Did you mean {near}?",
        "hex": "'{a}' is no hex of the map. Did you mean {near}?",
        "blank": "Write the hex where this stands, such as 0605."})),
    Message("ANA-915", "error", "{n} fighters: the table starts at 3."),
)


_MORNING = (
    EventType("weather", "Weather {roll}: resources {n}.", "news", 2, "18.1",
              ("way", {"fixed": "Weather: resources {n}."})),
    EventType("season", "Season: {season}.", "news", 2, "18.2"),
    EventType("opened", "The resources of all places after the opening are noted.", "rulings", 9, "18"),
    EventType("mustered", "{unit} musters {men}.", "news", 7, "8.2"),
    EventType("arrived", "{unit} enters the map at {hex}.", "moves", 4, "6"),
    EventType("healed", "{who} is healed.", "news", 5, "15.7"),
    EventType("in_care", "{who} is in care at {place} until day {d}. {roll}", "news", 5, "15.7"),
    EventType("wounded_died", "{who} dies of wounds. {roll}", "news", 3, "15.7"),
    EventType("left_in_care", "{who} stays in care at {place}.", "news", 5, "15.7"),
    EventType("promise_kept", "{mercs}: {roll}: they stay.", "money", 5, "11.4"),
    EventType("grumbles", "{mercs}: {roll}: they grumble.", "money", 4, "11.6"),
    EventType("loyal", "{mercs}: {roll}: they are content.", "money", 5, "11.6"),
    EventType("deserted", "{mercs} leave {side}. {roll}", "money", 2, "11.4"),
    EventType("supplied", "{group} eats {n} from {source}.", "supply", 7, "8.4",
              ("source", {"none": "{group} needs no food today."})),
    EventType("hungry", "{group} lacks {n}, day {k}.", "supply", 4, "8.4"),
    EventType("starving", "{group} starves: +{n} on dice, half movement.", "supply", 2, "8.4"),
    EventType("posture", "{group}: on meeting {on_meeting}, if attacked {if_attacked}, joins {joins}.", "works", 8,
              "14.2"),
    EventType("split", "{a} forms {b}.", "works", 5, "8.1"),
    EventType("transferred", "{a} hands over to {b}: {men} £{n}.", "works", 6, "8.1"),
    EventType("collected", "{group} takes back the healed at {place}: {list}.", "works", 6, "15.7",
              ("list", {"": "{group} finds nobody at {place} who is healed and waits there."})),
    EventType("merged", "{a} joins {b}.", "works", 5, "8.1"),
    EventType("forced_merge", "{a} and {b} shared {hex} two nights and are one.", "works", 3, "8.1"),
    EventType("garrison", "{men} in at {place}: {n} defenders.", "works", 5, "5.3",
              ("way", {"out": "{men} out at {place}: {n} defenders."})),
    EventType("attached", "{x} follows {group}.", "works", 6, "11.2, 12",
              ("way", {"detached": "{x} no longer follows {group}."})),
    EventType("paid", "{mercs} are paid £{n}.", "money", 5, "11.4"),
    EventType("escort_set", "{p} go to {place} with {group}.", "works", 4, "15.8"),
    EventType("delivered", "{p} arrive at {place}.", "news", 3, "15.8"),
    EventType("massacred", "Prisoners {p} without escort are massacred.", "battles", 0, "15.8"),
    EventType("ransomed", "{noble} is freed for £{n} with two knights.", "money", 1, "15.8"),
    EventType("convoy_work", "{c} unloads {n} at {place}.", "supply", 6, "12",
              ("work", {"made": "{c} made with {n} at {place}.", "loads": "{c} loads {n} at {place}."})),
)

_MARCH = (
    EventType("order_of_march", "Order of march: {list}.", "moves", 6, "6"),
    EventType("moved", "{unit}: {path}.", "moves", 5, "8.3"),
    EventType("stopped_short", "{unit} stops at {hex}.", "moves", 5, "8.3"),
    EventType("entered", "{unit} enters {place}.", "moves", 4, "5.3", ("way", {"left": "{unit} leaves {place}."})),
    EventType("met", "{a} meets {b} at {hex}: {composition}.", "moves", 3, "8.1, 14"),
    EventType("loyalty_tested", "Loyalty of {x}: {roll}.", "diplomacy", 3, "7"),
    EventType("sided", "{x} declares for {side}.", "diplomacy", 1, "7"),
    EventType("backed_away", "{x} backs away to {hex}.", "moves", 3, "8.3", ("hex", {"": "{x} cannot back away."})),
    EventType("passed", "{a} and {b} let each other be.", "moves", 5, "14.2"),
    EventType("hired", "{mercs} join {group}.", "money", 2, "11.2",
              ("terms", {"paid": "{mercs} are hired for £{n}.",
                         "promised": "{mercs} are promised {n} points of loot."})),
    EventType("not_hired", "{mercs} find no employer.", "money", 4, "11.2"),
    EventType("lured", "{mercs} are won over by {group}.", "money", 1, "11.5"),
    EventType("convoy_taken", "{c} falls to {group}.", "supply", 3, "14.4"),
    EventType("bought", "{n} points bought for £{cost}.", "supply", 5, "14.4",
              ("n", {"1": "{n} point bought for £{cost}."})),
    EventType("train_taken", "{c} falls to {group}.", "battles", 3, "10",
              ("way", {"burn": "{c} is burnt by {group}."})),
    EventType("recruited", "{group}: {men} for £{n}.", "money", 5, "13.1"),
    EventType("engineer_hired", "{group}: an engineer.", "money", 5, "10"),
    EventType("provisioned", "{group}: {n} points of food at {place}.", "supply", 6, "14.5",
              ("n", {"1": "{group}: {n} point of food at {place}."})),
    EventType("attack", "{a} attacks {b} at {hex}.", "battles", 1, "14.2"),
    EventType("joined", "{x} joins.", "battles", 2, "15.3"),
    EventType("shut_in", "{b} shuts itself up in {place}.", "battles", 2, "14.2"),
    EventType("refused", "{b} refuses: {n} away, {p} taken, {w} wounded, {k} killed. {roll}", "battles", 1, "15.5",
              ("part", {"fact": "{b} refuses battle."})),
    EventType("act_not_done", "{order}: {finding}", "rulings", 3, "orders"),
    EventType("ruled", "{x}: the referee rules: {choice}.", "rulings", 2, "6"),
    EventType("order_refused", "{order}: {finding}", "rulings", 3, "orders"),
)

_WAR = (
    EventType("battle_opened", "{b}: {sides}, {n} characters, {m} map(s).", "battles", 1, "15.1",
              ("part", {"fact": "{b} is fought at {hex}."})),
    EventType("battle_result", "{b}: {outcome}, {how}, {turns} turns.", "battles", 0, "15.6",
              ("part", {"auto": "{b}: {outcome}, {how}.", "losses": "{b}, killed/wounded/captured: {list}.",
                        "dice": "{b}: {roll}: {first} to {second}."})),
    EventType("prestige", "{noble}: prestige {old} to {new} ({why}).", "news", 3, "9"),
    EventType("counted", "{group}: {n} battles won.", "news", 7, "9"),
    EventType("new_noble", "{name} makes his name: prestige {n}.", "news", 1, "9"),
    EventType("retreated", "{x} falls back to {hex}.", "moves", 2, "15.6"),
    EventType("advanced", "{x} moves up to {hex}.", "moves", 4, "15.3"),
    EventType("no_retreat", "{x} has no way out and surrenders.", "battles", 1, "15.6"),
    EventType("prisoners", "{n} prisoners to {side}.", "battles", 2, "15.8",
              ("n", {"1": "{n} prisoner to {side}."})),
    EventType("noble_lost", "{noble} is taken.", "battles", 0, "15.7, 15.8",
              ("fate", {"killed": "{noble} is killed.", "wounded": "{noble} is wounded."})),
    EventType("purse", "{group} takes a purse of £{n}.", "money", 4, "15.6",
              ("way", {"loot": "{group} makes £{n} of its loot from {x}."})),
    EventType("prize", "{x} falls to {group}.", "battles", 3, "14.4",
              ("choice", {"burn": "{group} burns {x}.", "loot": "{group} loots {n} from {x}."})),
    EventType("freed", "{p} are freed.", "battles", 2, "15.8"),
    EventType("looted", "{place} looted: {n}.", "battles", 2, "13.2"),
    EventType("share", "{mercs} get {n} of {k}: {roll}.", "money", 3, "11.6",
              ("enough", {"yes": "{mercs} get {n} of {k} and are content."})),
    EventType("revolt", "{mercs} rise against {group}!", "battles", 0, "11.6"),
    EventType("siege_begun", "{side} besieges {place}.", "sieges", 1, "16"),
    EventType("siege_day", "Siege of {place}: day {d}.", "sieges", 3, "16",
              ("part", {"supplies": "{place} has {n} points left."})),
    EventType("siege_left", "{group} gives up the siege of {place}.", "sieges", 2, "16"),
    EventType("siege_lifted", "The siege of {place} is lifted.", "sieges", 1, "16"),
    EventType("surrendered", "{place} surrenders to {side}: {roll}.", "sieges", 0, "16"),
    EventType("castle_taken", "{place} is stormed.", "sieges", 0, "16",
              ("way", {"surrendered": "{place} is handed over to {side}."})),
    EventType("massacre", "{n} of {m} defenders are put to the sword. {roll}", "sieges", 1, "16"),
    EventType("marched_out", "{group} marches out of {place}.", "sieges", 2, "16"),
    EventType("dissolved", "{x} disperses.", "news", 2, "8.1"),
    EventType("day_over", "The day ends.", "news", 9, "6"),
    EventType("objective", "{text}: {points}.", "news", 1, "1"),
    EventType("score", "{text}: {points}.", "news", 0, "1"),
)

EVENTS: Mapping[str, EventType] = keyed(*_MORNING, *_MARCH, *_WAR)

WORDS: tuple[str, ...] = (
    *SIDES, *KINDS, *RANK_WORDS,
    # what a test came to
    "free", "prisoner", "wounded", "killed", "dead", "four days", "three days", "two days", "one day", "all killed",
    "half massacred", "prisoners", "unarmed", "armed", "revolt", "desert", "grumble", "loyal", "stays", "deserts",
    "winter", "spring", "summer", "autumn",
    # modifiers
    "prestige", "numbers", "swing", "knight", "armour", "noble", "hurt", "forest", "mounted pursuers", "castle",
    "tests made", "grumbling", "supplies left", "massacre", "short share", "broken promise", "superiority", "hunger",
    # how and why
    "battle won", "battle lost", "battle refused", "shut in", "village looted", "monastery looted", "castle looted",
    "attacker", "defender", "draw", "eliminated", "fled", "surrendered", "time", "assistant", "table",
    # answers
    "attack", "pass", "ask", "fight", "refuse", "shut_in", "yes", "no", "entered", "auto", "withdraw", "pay", "take",
    "burn", "hold", "convoy", "place", "none", "held", "give_way", "stay", "abandon",
    # answers before an amount, a group or men
    "promise:", "buy:", "loot:", "detach:",
    # sources of food
    "carried food",
    # why an act may not be done
    "a lone noble", "unarmed", "an escort", "another side", "another hex", "not mercenaries, a convoy or a train",
    "it besieges nothing", "it is the same group", "fewer than the besieged", "the place is neutral",
    "an engineer", "oxen", "peasants", "an engine", "engineers", "hired",
    # kinds of question
    "contest", "accept", "join", "battle", "retreat", "standoff", "hire", "lure", "train", "prize", "loot", "share",
    "escort", "name", "move", "ruling",
    # dice
    "weather", "season", "healing", "promise", "activation", "loyalty", "refusal", "surrender",
    # the table top
    *dict.fromkeys(side for sides in ENTRY.values() for side in sides), "open", "hill", "marsh", "river", "coast",
    # figures
    "score", "looted", "groups", "men", "nobles", "castles",
)
