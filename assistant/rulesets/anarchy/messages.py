"""The messages of The Anarchy in English: findings, events, questions; the Italian is in `anarchy.po`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from assistant.campaign.campaign import Campaign
from assistant.rulesets.anarchy.records import KINDS, RANK_WORDS, SIDES, Faction
from assistant.rulesets.anarchy.tables import ENTRY, HEALING, LOOT_LOYALTY, REFUSAL, SEASONS, SURRENDER
from assistant.turn.event_types import EventType
from assistant.turn.findings import Citation, Message, citations_by_key
from assistant.turn.orders.words import fold
from assistant.turn.questions import Amount, Option, QuestionType, Text, Told
from assistant.turn.texts import Meaning, keyed

# Citations, findings and events.
#
# A citation is a key, the printed chapter and page, the heading of docs/rulebooks/anarchy.md. Fields in {braces} are
# the data of the finding or event; {roll} is the ruling. `WORDS` are the codes among the data that a reader sees
# translated.


_PAGES = {
    4: ("1 The game", "2 The map", "2.1 Terrain", "4 Counters"),
    5: ("5.1 Villages", "5.2 Monasteries", "5.3 Castles"),
    6: ("6 The turn", "7 Loyalty"),
    7: ("8.1 Groups", "8.2 Composition", "8.3 Movement"),
    8: ("8.4 Food", "9 Nobles", "10 Siege trains"),
    9: ("11 Mercenaries", "11.1 Unhired companies", "11.2 Hiring", "11.3 Price", "11.4 Promises", "11.5 Luring",
        "11.6 Shares of loot", "12 Convoys"),
    10: ("13 Money", "13.1 Recruiting", "13.2 Looting", "14 Encounters", "14.2 Groups of different sides",
         "14.4 Convoys met", "14.5 Entering a village"),
    11: ("15 Battle", "15.1 Size and sides of the table"),
    12: ("15.3 Who takes part", "15.4 Deployment", "15.5 Refusing battle"),
    13: ("15.6 End of a battle", "15.7 Wounded", "15.8 Captives", "16 Sieges"),
    14: ("18 Surroundings", "18.1 Weather", "18.2 Seasons"),
}
"""The headings that the code cites, by the page on which their chapter stands in the printed table of contents."""

CITATIONS = citations_by_key((
    *(Citation(heading.split()[0], heading.split()[0], heading=heading, page=page)
      for page, headings in _PAGES.items() for heading in headings),
    Citation("card5", "card 5", "scheda 5", "Resources and loyalty by period"),
    Citation("scenario", "scenario", heading="The scenario"),
    # rules that the book does not print, with the chapter that needs them
    Citation("orders", "6", heading="Orders", page=6),
    Citation("auto", "15.6, Arbitro's rule", "15.6, regola di Arbitro", "Battles that are not played", 13),
))
"""All of them by key, in the order of the book."""


_NAMED: Mapping[str, Meaning] = MappingProxyType(dict.fromkeys(("a", "b", "c", "m", "x"), "piece"))
"""Letters that stand for a group, a company, a convoy, a train, a noble or a place."""
_BY_CODE: Mapping[str, Meaning] = MappingProxyType({"b": "text"})
"""A battle whose place is named beside it is shown by its code."""

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
    Message("ANA-101", "error", "{hex:the} is not on the map."),
    Message("ANA-102", "error", "{a} and {b} do not touch. Give every hex, or only the last."),
    Message("ANA-103", "warning", "The path costs {c}, {unit} has {pm}: it will stop {hex:at}."),
    Message("ANA-104", "error", "{unit} is shut in {place:the}: SALLY or wait."),
    Message("ANA-105", "error", "{unit} has wounded: it may not end farther from care ({place})."),
    Message("ANA-106", "error", "{unit} moves with {employer}. DETACH it first."),
    Message("ANA-107", "error", "{unit} has no driver and stays."),
    Message("ANA-108", "error", "{unit} needs {list} to move."),
    Message("ANA-109", "error", "{unit} escorts {p}: the path must end nearer to {place:the}."),
    Message("ANA-110", "error", "{unit} is moved by {side:the} today."),
    Message("ANA-111", "warning", "{path} does not near the closest group: the default way is used."),
    Message("ANA-112", "warning", "{a} and {b} share {hex:the}: they become one at the close unless one leaves.",
            means=_NAMED),
    Message("ANA-113", "info", "Way chosen: {path}, {c} PM."),
    Message("ANA-114", "warning", "{verb} {hex:at} was not done: {unit} did not get there.",
            ("why", {"over": "{verb} {hex:at} was not done: the day of {unit} was over before.",
                     "unmet": "{verb} was not done: {unit} did not meet {b}.",
                     "parted": "{verb} was not done: {unit} met {b}, and they went their ways."}), means=_NAMED),
    Message("ANA-201", "error", "{unit} would leave {n} {n?head|heads}: a group needs {min}."),
    Message("ANA-202", "error", "{unit} has {have} {rank}, asked {n}."),
    Message("ANA-203", "error", "{a} is at {x}, {b} at {y}.", means=_NAMED),
    Message("ANA-204", "error", "Mercenaries do not merge: ATTACH them."),
    Message("ANA-205", "error", "{place:the} must keep {min}: {n} may leave."),
    Message("ANA-206", "error", "{place:the} is not a castle of yours in this hex."),
    Message("ANA-207", "error", "The id {x} is taken."),
    Message("ANA-208", "warning", "{place:the} has {n} of {min} {min?defender|defenders}: reinforce it first."),
    Message("ANA-209", "error", "{x} cannot follow {unit}: {reason}."),
    Message("ANA-210", "error", "{place:the} is besieged: nobody goes in or out."),
    Message("ANA-301", "error", "Needs £{need}; {unit} has £{have} left."),
    Message("ANA-401", "error", "{place:the} (loyalty {l}) will not help {side:the}."),
    Message("ANA-402", "error", "{place:the} can give {l} L and {p} P today."),
    Message("ANA-403", "error", "Only a noble or knight recruits, in a village or monastery."),
    Message("ANA-404", "error", "{place:the} is on your side."),
    Message("ANA-405", "error", "{place:the} is a castle: BESIEGE or ASSAULT."),
    Message("ANA-406", "warning", "{place:the} has nothing left to take."),
    Message("ANA-407", "error", "{place:the} does not exist yet."),
    Message("ANA-408", "error", "{place:the} is not an enemy castle."),
    Message("ANA-409", "error", "Engineers are hired in towns open to you."),
    Message("ANA-410", "info", "Looting {place:the} costs {noble} {n} prestige."),
    Message("ANA-411", "info", "{unit} needs no food from {place:the}.",
            ("place", {"": "{unit} needs no food today."})),
    Message("ANA-412", "error", "{place:the} is not besieged."),
    Message("ANA-413", "error", "{place:the} is not yours, not here, or besieged."),
    Message("ANA-501", "error", "Only a group led by a noble hires mercenaries."),
    Message("ANA-502", "error", "{m} take only money from {side:the} now."),
    Message("ANA-503", "error", "{x} is {n} {n?hex|hexes} from {m}: luring needs {d} or more."),
    Message("ANA-504", "error", "{m} are {contract}."),
    Message("ANA-505", "error", "Unhired mercenaries cannot be attacked."),
    Message("ANA-601", "error", "{c} carries at most {n}."),
    Message("ANA-602", "error", "At most {n} {n?point|points} between a convoy and a place in a day."),
    Message("ANA-603", "error", "{place:the} is not open to your convoys."),
    Message("ANA-604", "error", "{place:the} has {n} left."),
    Message("ANA-605", "warning", "{place:the} takes {n}, up to {max}."),
    Message("ANA-606", "error", "{c} belongs to {side:the}."),
    Message("ANA-701", "error", "{noble} is not your prisoner abroad."),
    Message("ANA-702", "error", "{unit} cannot escort: {n} fit heads, {min} needed."),
    Message("ANA-703", "warning", "Nobody can escort {p}: they will be massacred."),
    Message("ANA-801", "error", "Battle {b} lacks {column}."),
    Message("ANA-802", "error", "{b}: {unit} had {have} {rank}, lost {n}."),
    Message("ANA-803", "error", "{b}: {outcome} after {turns} {turns?turn|turns} is not possible."),
    Message("ANA-804", "error", "{b}: {n} of {unit} {n?is|are} not accounted for."),
    Message("ANA-805", "error", "{b}: only the beaten side leaves prisoners."),
    Message("ANA-806", "error", "{b}: {x} did not fight there.",
            ("how", {"elsewhere": "{b}: {x} did not fight with {unit}."})),
    Message("ANA-807", "warning", "{b} is not fought any more; its result is kept aside."),
    Message("ANA-808", "info", "{b}: {n} {n?survivor|survivors} of {unit} {n?becomes a prisoner|become prisoners}."),
    Message("ANA-901", "error", "'{x}' is not one of {options}."),
    Message("ANA-902", "warning", "{question} was not asked today."),
    Message("ANA-903", "info", "{question}: no answer, {default} used."),
    Message("ANA-904", "error", "{n} {n?point|points} to share, {x} given."),
    Message("ANA-911", "error", "{field} {x} is outside {lo}–{hi}."),
    Message("ANA-912", "warning", "{unit} has {n} {n?head|heads} and will be no more."),
    Message("ANA-913", "error", "{unit}: {x} cannot be its {field}."),
    Message("ANA-914", "error", "{a}–{b} is not an edge of the map.", ("what", {
        "code": "'{a}' is no hex: a hex is its column and its row, two digits each, such as 0605. Did you mean {near}?",
        "hex": "'{a}' is no hex of the map. Did you mean {near}?",
        "blank": "Write the hex where this stands, such as 0605."})),
    Message("ANA-915", "error", "{n} {n?fighter|fighters}: the table starts at 3."),
)


EVENTS: Mapping[str, EventType] = keyed(
    # the morning
    EventType("weather", "Weather {roll}: resources {n}.", "news", 2, "18.1",
              ("way", {"fixed": "Weather: resources {n}."})),
    EventType("season", "Season: {season}.", "news", 2, "18.2"),
    EventType("opened", "The resources of all places after the opening are noted.", "rulings", 9, "18"),
    EventType("mustered", "{unit} musters {men}.", "news", 7, "8.2"),
    EventType("arrived", "{unit} enters the map {hex:at}.", "moves", 4, "6"),
    EventType("healed", "{who} is healed.", "news", 5, "15.7"),
    EventType("in_care", "{who} is in care {place:at} until day {d}. {roll}", "news", 5, "15.7"),
    EventType("wounded_died", "{who} dies of wounds. {roll}", "news", 3, "15.7"),
    EventType("left_in_care", "{who} stays in care {place:at}.", "news", 5, "15.7"),
    EventType("promise_kept", "{mercs}: {roll}: they stay.", "money", 5, "11.4"),
    EventType("grumbles", "{mercs}: {roll}: they grumble.", "money", 4, "11.6"),
    EventType("loyal", "{mercs}: {roll}: they are content.", "money", 5, "11.6"),
    EventType("deserted", "{mercs} leave {side:the}. {roll}", "money", 2, "11.4"),
    EventType("supplied", "{group} eats {n} {n?point|points} of food from {source}.", "supply", 7, "8.4",
              ("source", {"none": "{group} needs no food today.",
                          "carried food": "{group} eats {n} {n?point|points} of the food that it carries."})),
    EventType("hungry", "{group} lacks {n} {n?point|points} of food: day {k} of hunger.", "supply", 4, "8.4"),
    EventType("starving", "{group} starves: +{n} on the dice, half movement.", "supply", 2, "8.4"),
    EventType("posture", "{group}: on meeting {on_meeting}, if attacked {if_attacked}, joins {joins}.", "works", 8,
              "14.2"),
    EventType("split", "{a} forms {b}.", "works", 5, "8.1", means=_NAMED),
    EventType("transferred", "{a} hands over to {b}: {men} £{n}.", "works", 6, "8.1", means=_NAMED),
    EventType("collected", "{group} takes back the healed {place:at}: {list}.", "works", 6, "15.7",
              ("list", {"": "{group} finds nobody {place:at} who is healed and waits."})),
    EventType("merged", "{a} joins {b}.", "works", 5, "8.1", means=_NAMED),
    EventType("forced_merge", "{a} and {b} spent two nights together {hex:at} and are one now.", "works", 3, "8.1",
              means=_NAMED),
    EventType("garrison", "{men} go into {place:the}, which has {n} {n?defender|defenders} now.", "works", 5, "5.3",
              ("way", {"out": "{men} come out of {place:the}, which has {n} {n?defender|defenders} now."})),
    EventType("attached", "{x} follows {group}.", "works", 6, "11.2, 12",
              ("way", {"detached": "{x} no longer follows {group}."}), means=_NAMED),
    EventType("paid", "{mercs} are paid £{n}.", "money", 5, "11.4"),
    EventType("escort_set", "The captives {p} go to {place:the} with {group}.", "works", 4, "15.8"),
    EventType("delivered", "The captives {p} arrive {place:at}.", "news", 3, "15.8"),
    EventType("massacred", "The prisoners {p}, whom nobody escorts, are massacred.", "battles", 0, "15.8"),
    EventType("ransomed", "{noble} is freed for £{n} with two knights.", "money", 1, "15.8"),
    EventType("convoy_work", "{c} unloads {n} {n?point|points} {place:at}.", "supply", 6, "12",
              ("work", {"made": "{c} sets out from {place:the} with {n} {n?point|points}.",
                        "loads": "{c} loads {n} {n?point|points} {place:at}."}),
              means=_NAMED),
    # the march
    EventType("order_of_march", "Order of march: {list}.", "moves", 6, "6"),
    EventType("moved", "{unit}: {path}.", "moves", 5, "8.3"),
    EventType("stopped_short", "{unit} stops {hex:at}.", "moves", 5, "8.3"),
    EventType("entered", "{unit} enters {place:the}.", "moves", 4, "5.3",
              ("way", {"left": "{unit} leaves {place:the}."})),
    EventType("met", "{a} meets {b} {hex:at}: {composition}.", "moves", 3, "8.1, 14", means=_NAMED),
    EventType("loyalty_tested", "Loyalty of {x}: {roll}.", "diplomacy", 3, "7", means=_NAMED),
    EventType("sided", "{x} declares for {side:the}.", "diplomacy", 1, "7", means=_NAMED),
    EventType("backed_away", "{x} backs away to {hex:the}.", "moves", 3, "8.3", ("hex", {"": "{x} cannot back away."}),
              means=_NAMED),
    EventType("passed", "{a} and {b} let each other be.", "moves", 5, "14.2", means=_NAMED),
    EventType("hired", "{mercs} take service with {group}.", "money", 2, "11.2",
              ("terms", {"paid": "{mercs} are hired for £{n}.",
                         "promised": "{mercs} are promised {n} {n?point|points} of loot."})),
    EventType("not_hired", "{mercs} find no employer.", "money", 4, "11.2"),
    EventType("lured", "{mercs} are won over by {group}.", "money", 1, "11.5"),
    EventType("convoy_taken", "{c} falls into the hands of {group}.", "supply", 3, "14.4", means=_NAMED),
    EventType("bought", "{n} {n?point of food is bought|points of food are bought} for £{cost}.", "supply", 5, "14.4",
              ("n", {"1": "{n} point of food is bought for £{cost}."})),
    EventType("train_taken", "{c} falls into the hands of {group}.", "battles", 3, "10",
              ("way", {"burn": "{c} is burnt by {group}."}), means=_NAMED),
    EventType("recruited", "{group} recruits {men} for £{n}.", "money", 5, "13.1"),
    EventType("engineer_hired", "{group} hires an engineer.", "money", 5, "10"),
    EventType("provisioned", "{group} is given {n} {n?point|points} of food {place:at}.", "supply", 6, "14.5",
              ("n", {"1": "{group} is given {n} point of food {place:at}."})),
    EventType("attack", "{a} attacks {b} {hex:at}.", "battles", 1, "14.2", means=_NAMED),
    EventType("joined", "{x} joins the battle.", "battles", 2, "15.3", means=_NAMED),
    EventType("shut_in", "{b} shuts itself up in {place:the}.", "battles", 2, "14.2", means=_NAMED),
    EventType("refused", "{b} refuses battle: {n} got away, {p} taken, {w} wounded, {k} killed. {roll}", "battles", 1,
              "15.5",
              ("part", {"fact": "{b} refuses battle."}), means=_NAMED),
    EventType("act_not_done", "{order}: {finding}", "rulings", 3, "orders"),
    EventType("ruled", "{x}: the referee rules: {choice}.", "rulings", 2, "6"),
    EventType("order_refused", "{order}: {finding}", "rulings", 3, "orders"),
    # battles, sieges and what comes of them
    EventType("battle_opened", "{b}: {sides}; {n} {n?character|characters}, {m} {m?map|maps}.", "battles", 1, "15.1",
              ("part", {"fact": "Battle {b} is fought {hex:at}."}), means=_BY_CODE),
    EventType("battle_result", "{b}: {outcome}, {how}, {turns} {turns?turn|turns}.", "battles", 0, "15.6",
              ("part outcome how", {
                  "auto draw time": "Drawn {b:at}.",
                  "draw time": "Drawn {b:at}: time ran out after {turns} {turns?turn|turns}.",
                  "attacker eliminated":
                      "The attackers win {b:at}: the enemy was wiped out after {turns} {turns?turn|turns}.",
                  "attacker fled": "The attackers win {b:at}: the enemy fled after {turns} {turns?turn|turns}.",
                  "attacker surrendered":
                      "The attackers win {b:at}: the enemy surrendered after {turns} {turns?turn|turns}.",
                  "defender eliminated":
                      "The defenders win {b:at}: the attackers were wiped out after {turns} {turns?turn|turns}.",
                  "defender fled": "The defenders win {b:at}: the attackers fled after {turns} {turns?turn|turns}.",
                  "defender surrendered":
                      "The defenders win {b:at}: the attackers surrendered after {turns} {turns?turn|turns}.",
                  "auto attacker fled": "The attackers win {b:at}: the enemy fled.",
                  "auto attacker surrendered": "The attackers win {b:at}: the enemy surrendered.",
                  "auto defender fled": "The defenders win {b:at}: the attackers fled.",
                  "losses": "{b}, killed/wounded/captured: {list}.",
                  "dice": "{b}: {roll}: {first} to {second}."}), means={"b": "place"}),
    EventType("prestige", "{noble}: prestige from {old} to {new} ({why}).", "news", 3, "9"),
    EventType("counted", "{group} has won {n} {n?battle|battles} so far.", "news", 7, "9"),
    EventType("new_noble", "{name} makes a name for himself: prestige {n}.", "news", 1, "9"),
    EventType("retreated", "{x} falls back to {hex:the}.", "moves", 2, "15.6", means=_NAMED),
    EventType("advanced", "{x} moves up to {hex:the}.", "moves", 4, "15.3", means=_NAMED),
    EventType("no_retreat", "{x} has no way out and surrenders.", "battles", 1, "15.6", means=_NAMED),
    EventType("prisoners", "{n} prisoners are taken by {side:the}.", "battles", 2, "15.8",
              ("n", {"1": "{n} prisoner is taken by {side:the}."})),
    EventType("noble_lost", "{noble} is taken prisoner.", "battles", 0, "15.7, 15.8",
              ("fate", {"killed": "{noble} is killed.", "wounded": "{noble} is wounded."})),
    EventType("purse", "{group} takes a purse of £{n}.", "money", 4, "15.6",
              ("way", {"loot": "{group} turns its loot from {x} into £{n}."}), means=_NAMED),
    EventType("prize", "{x} falls into the hands of {group}.", "battles", 3, "14.4",
              ("choice", {"burn": "{group} burns {x}.",
                          "loot": "{group} takes {n} {n?point|points} of loot from {x}."}),
              means=_NAMED),
    EventType("freed", "{p}: set free.", "battles", 2, "15.8"),
    EventType("looted", "{place:the} is sacked: loot of {n} {n?point|points}.", "battles", 2, "13.2"),
    EventType("share", "{mercs} get {n} of {k}: {roll}.", "money", 3, "11.6",
              ("enough", {"yes": "{mercs} get {n} of {k} and are content."})),
    EventType("revolt", "{mercs} rise against {group}!", "battles", 0, "11.6"),
    EventType("siege_begun", "{side:the} {side?besieges|besiege} {place:the}.", "sieges", 1, "16"),
    EventType("siege_day", "Day {d} of the siege of {place:the}.", "sieges", 3, "16",
              ("part", {"supplies": "{place:the} has {n} {n?point|points} of food left."})),
    EventType("siege_left", "{group} gives up the siege of {place:the}.", "sieges", 2, "16"),
    EventType("siege_lifted", "The siege of {place:the} is lifted.", "sieges", 1, "16"),
    EventType("surrendered", "{place:the} surrenders to {side:the}: {roll}.", "sieges", 0, "16"),
    EventType("castle_taken", "{place:the} is stormed.", "sieges", 0, "16",
              ("way", {"surrendered": "{place:the} is handed over to {side:the}."})),
    EventType("massacre", "{n} of {m} {m?defender is put|defenders are put} to the sword. {roll}", "sieges", 1, "16"),
    EventType("marched_out", "{group} marches out of {place:the}.", "sieges", 2, "16"),
    EventType("dissolved", "{x} is no more.", "news", 2, "8.1", means=_NAMED),
    EventType("day_over", "The day is over.", "news", 9, "6"),
    EventType("objective", "{text}: {points}.", "news", 1, "1"),
    EventType("score", "{text}: {points}.", "news", 0, "1", ("result", {
        "draw": "{text}: {points}. It is a draw.",
        "royal narrow": "{text}: {points}. A narrow victory of the King's side.",
        "royal clear": "{text}: {points}. A clear victory of the King's side.",
        "royal decisive": "{text}: {points}. A decisive victory of the King's side.",
        "angevin narrow": "{text}: {points}. A narrow victory of the Empress's side.",
        "angevin clear": "{text}: {points}. A clear victory of the Empress's side.",
        "angevin decisive": "{text}: {points}. A decisive victory of the Empress's side."}), means={"text": "faction"}),
)

WORDS: tuple[str, ...] = (
    *SIDES, *KINDS, *RANK_WORDS,
    # what a test came to
    *(word for table in (REFUSAL, HEALING, SURRENDER, LOOT_LOYALTY) for _, _, word in table.rows), "stays", "deserts",
    *(word for _, _, word in SEASONS.rows),
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


# Questions (rulebook: Questions), and the words of choices and answers.


DAY = "day"
"""The column For of all orders: they are written for a whole day."""
CHOICES: Mapping[str, str] = {
    "attacca": "attack", "attacco": "attack", "passa": "pass", "chiedi": "ask", "combatte": "fight",
    "combatti": "fight", "rifiuta": "refuse", "si_chiude": "shut_in", "chiudi": "shut_in", "chiuditi": "shut_in",
    "si": "yes", "entra": "in", "esce": "out", "esci": "out", "dentro": "in", "fuori": "out", "luogo": "place",
    "convoglio": "convoy", "nessuno": "none", "niente": "none", "nessuna": "none", "prendi": "take", "brucia": "burn",
    "paga": "pay", "ritirati": "withdraw", "ritira": "withdraw", "inserito": "entered", "giocata": "entered",
    "incontro": "on_meeting", "all_incontro": "on_meeting", "se_attaccato": "if_attacked", "attaccato": "if_attacked",
    "si_aggiunge": "joins", "aggiunge": "joins", "compra": "buy", "prometti": "promise", "promette": "promise",
    "promessa": "promise",
    "bottino": "loot", "saccheggia": "loot", "stacca": "detach", "liberi": "free", "libera": "free", "liberati": "free",
    "uccisi": "killed", "uccide": "killed", "trattenuti": "held", "trattiene": "held", "restano": "stay",
    "via": "give_way", "cedono": "give_way", "abbandonate": "abandon", "bruciano": "burn",
    "dadi": "auto", "si_ritira": "withdraw", "prende": "take", "resta": "hold", "libero": "free", "ucciso": "killed",
    "tutto": "all", "tutti": "all",
    "prima_gli_uomini": "men", "uomini": "men", "prima_i_nobili": "nobles", "nobili": "nobles",
}
"""Italian words of choices and answers -> the code."""


def choice_code(word: str) -> str:
    """The code of a choice in either language; any other word comes back folded."""
    folded = fold(word)
    return CHOICES.get(folded, folded)


MOST_PROMISED = 999
BY_CODE: Mapping[str, Meaning] = MappingProxyType({"battle": "text"})
"""A battle whose place is named beside it is shown by its code."""


def play_one_side(campaign: Campaign, one: str, other: str) -> bool:
    """Whether two factions play one side, so that their clubs answer for each other."""
    sides = {row.faction: row.side or row.faction for row in campaign.table(Faction)}
    return sides.get(one, one) == sides.get(other, other)


_asked = partial(QuestionType, answers=CHOICES, speaks=play_one_side,
                 wrong=Told("ANA-901", {"x": "answer", "options": "options"}),
                 by_default=Told("ANA-903", {"question": "question", "default": "default"}))
"""A kind of question, answered in either language, by a number or with ``default``."""

QUESTIONS: Mapping[str, QuestionType] = keyed(
    _asked("attack", "{unit} meets {met} {hex:at}: attack, or pass?", stands=Option(("attack", "pass"))),
    _asked("contest", "{met} comes upon {unit} {hex:at}: attack, or let it pass?", stands=Option(("attack", "pass"))),
    _asked("accept", "{unit} is attacked by {met} {hex:at}: fight, refuse, or shut itself in?",
           ("offered", {"fight, refuse": "{unit} is attacked by {met} {hex:at}: fight, or refuse?"}),
           stands=Option(("fight", "refuse", "shut_in"))),
    _asked("join", "{unit} may join {battle} {hex:at}: yes or no?", stands=Option(("yes", "no")), means=BY_CODE),
    _asked("battle", "{battle} {hex:at}: {attackers} against {defenders}. Type the result and answer entered, "
                     "or auto for the umpire's dice.", means=BY_CODE),
    _asked("retreat", "Where does {unit} fall back to from {hex:the}?"),
    _asked("standoff", "{unit} shares {hex:the} with an enemy: attack {met}, or withdraw?",
           stands=Option(("attack", "withdraw"))),
    _asked("hire", "{unit} meets {mercs} {hex:at}: pay £{cost}, promise loot, or neither?", ("offered", {
        "pay, no": "{unit} meets {mercs} {hex:at}: pay £{cost}, or not?",
        "promise, no": "{unit} meets {mercs} {hex:at}: promise loot, or not? For £{cost} the money is lacking."}),
           answer=Option(amounts={"promise": (0, MOST_PROMISED)}), stands=Option(("pay", "no"))),
    _asked("lure", "{unit} meets {mercs} in enemy pay {hex:at}: win them over for £{cost}, attack, or pass?",
           ("offered", {"attack, pass": "{unit} meets {mercs} in enemy pay {hex:at}: attack, or pass?"}),
           stands=Option(("pay", "attack", "pass"))),
    _asked("convoy", "{unit} meets the convoy {convoy} with {cargo} {cargo?point|points} {hex:at}: buy, take, or pass?",
           ("offered", {
               "buy, pass": "{unit} meets the convoy {convoy} with {cargo} {cargo?point|points} {hex:at}: buy, or"
                            " pass?",
               "take, pass": "{unit} meets the convoy {convoy} with {cargo} {cargo?point|points} {hex:at}: take, or"
                             " pass?"}),
           stands=Option(("take", "pass"))),
    _asked("train", "{unit} meets the siege train {train} {hex:at}: take, burn, or pass?",
           stands=Option(("take", "burn", "pass"))),
    _asked("prize", "{x} fell to {unit}: take, loot, or burn?",
           ("offered", {"take, burn": "{x} fell to {unit}: take, or burn?"}), stands=Option(("take", "burn"))),
    _asked("loot", "How many of the {n} {n?point|points} of {place:the} does {unit}"
                   " loot?", answer=Amount(entire="all")),
    _asked("share", "How many of the {n} looted points go to {mercs} ({heads} {heads?man|men})?", answer=Amount(),
           beyond=Told("ANA-904", {"n": "most", "x": "answer"})),
    _asked("escort", "The captives {p} ({n}) {hex:at} need an escort to {place:the}: which group?", answer=Text()),
    _asked("name", "{group} has won twice: what is its new noble called?"),
    _asked("move", "{unit} has no order: which way does it go? Answer hexes, or hold."),
    _asked("ruling", "The book is silent on {x}: what do you rule?", ("matter", {
        "side": "{x} takes a side that several factions play ({list}): whose group is it from now on?",
        "captives": "{battle}: {place:the} has taken captives. The book lets a neutral village free them; what does "
                    "it do?",
        "draw": "{battle} is drawn where a battle was drawn today already, {hex:at}: do all give way as after "
                "any drawn battle, or do they stay?",
        "engines": "{battle}: the last engineer of {x} is dead. Do its engines stay with {unit}, are they left "
                   "standing, or do they burn?",
        "freed": "{battle}: {n} of {all} {all?captive was freed|captives were freed} on the table. The men first, or"
                 " the nobles first?",
        "loyalty": "{x} has no loyalty on its sheet and meets {met} {hex:at}: which level has it, 1 to 10?",
        "held": "Nothing says where {x} is held: on which hex, or at which place?",
    }), answer=Text(), means=BY_CODE),
)
