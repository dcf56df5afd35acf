"""Meetings and battles: contacts, choices, table 34, the form of a result, losses, retreats (3c)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from string import ascii_lowercase
from typing import Any, Literal

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, code_lookup
from assistant.campaign.tables import in_natural_order, natural
from assistant.rulesets.giglio import PARTIES, WAY, both, recruiting
from assistant.rulesets.giglio.alliances import mark_suspect
from assistant.rulesets.giglio.records import (
    ASSUMED,
    GO_BACK,
    PERCENT_OF_THE_DUCATS_ENGAGED,
    ROLLS,
    TABLE34,
    TIED,
    UDM,
    Army,
    Battle,
    Cell34,
    Contact,
    Specialist,
)
from assistant.rulesets.giglio.war import WRONG, War, arrival_key, near, other_factions, percent_up, table_citation
from assistant.turn.battle_form import BattleForm, Clubs, Entry, Fault, Filled
from assistant.turn.battle_results import FormResult, take_form
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import REFEREE, Roll
from assistant.turn.event_types import EACH_TIME
from assistant.turn.game import Game
from assistant.turn.questions import Ask, Codes, Option, Shares, Told, Waiting
from assistant.turn.rulings import Contest, highest_thrower

# What the chapter declares.


class Numbers(Rules):
    """Who has the hand, ways back, rearguard actions, the umpire's dice."""

    udm_cm: int = number(4, both("cm", "cm"),
                         both("One udm on the table is {n} cm (the English text: 4 udm are 16 cm).",
                              "Un udm sul tavolo misura {n} cm (testo inglese: 4 udm sono 16 cm)."), minimum=1,
                         usual=True)
    rearguard_deploy: int = number(4, UDM,
                                   both("The pursuer deploys within {n} udm of one short side.",
                                        "L'inseguitore schiera entro {n} udm da un lato corto."))
    rearguard_from: int = number(6, UDM,
                                 both("The rearguard deploys from {n} udm of that side on ...",
                                      "La retroguardia schiera da {n} udm da quel lato ..."))
    rearguard_to: int = number(10, UDM, both("... and up to {n} udm.", "... fino a {n} udm."))
    rearguard_pct: int = number(25, both("% of the army", "% dell'armata"),
                                both("The rearguard is at least {n}% of its army.",
                                     "La retroguardia è almeno il {n}% della sua armata."), ASSUMED, source="rearguard")
    rearguard_pursuer_x: int = number(2, both("times the rearguard", "volte la retroguardia"),
                                      both("The pursuer fields at most {n} {n?time|times} the rearguard.",
                                           "L'inseguitore schiera al massimo {n} {n?volta|volte} la retroguardia."),
                                      ASSUMED, source="rearguard")
    rearguard_lost_pct: int = number(10, both("% of the value before", "% del valore di prima"),
                                     both("With a beaten rearguard the pursued army loses {n}% more.",
                                          "Se la retroguardia è battuta l'armata inseguita perde un altro {n}%."),
                                     ASSUMED, source="rearguard")
    rearguard_extra_node: int = number(1, both("nodes", "nodi"),
                                       both("It then goes back {n} {n?node|nodes} farther.",
                                            "Arretra poi di {n} {n?altro nodo|altri nodi}."), ASSUMED,
                                       source="rearguard")
    auto_step_pct: int = number(25, both("% of superiority", "% di superiorità"),
                                both("Umpire's dice: each {n}% of superiority counts +1.",
                                     "Dadi dell'arbitro: ogni {n}% di superiorità vale +1."), ASSUMED, 1, source="auto")
    auto_max: int = number(4, both("added to the dice", "sommato ai dadi"),
                           both("Umpire's dice: superiority counts {signed} at most.",
                                "Dadi dell'arbitro: la superiorità vale al massimo {signed}."), ASSUMED, source="auto")
    auto_win_pct: int = number(10, PERCENT_OF_THE_DUCATS_ENGAGED,
                               both("Umpire's dice: the winner, or each side of a draw, loses {n}%.",
                                    "Dadi dell'arbitro: il vincitore, o ognuno in parità, perde il {n}%."), ASSUMED,
                               source="auto")
    auto_lose_pct: int = number(30, PERCENT_OF_THE_DUCATS_ENGAGED,
                                both("Umpire's dice: the loser loses {n}%.",
                                     "Dadi dell'arbitro: lo sconfitto perde il {n}%."), ASSUMED, source="auto")
    auto_rout_pct: int = number(50, PERCENT_OF_THE_DUCATS_ENGAGED,
                                both("Umpire's dice: a routed side loses {n}%.",
                                     "Dadi dell'arbitro: chi va in rotta perde il {n}%."), ASSUMED, source="auto")
    auto_rout_margin: int = number(5, both("points", "punti"),
                                   both("Umpire's dice: beaten by {n} {n?point|points} or more is a rout.",
                                        "Dadi dell'arbitro: chi è battuto di {n} {n?punto|punti} o più va in rotta."),
                                   ASSUMED, source="auto")
    hand_side: Literal["mover", "order", "random", "umpire"] = switch(
        both("The hand has {option}.", "È di mano {option}."), both("who entered", "chi è entrato"),
        both("who comes first in the order of movement", "chi muove prima"),
        both("whom the dice name", "chi dicono i dadi"), both("whom the umpire names", "chi dice l'arbitro"),
        usual=True)
    retreat_impossible: Literal["stop", "battle", "destroyed"] = switch(
        both("Going back with no way back {option}.", "Indietreggiare senza ritirata {option}."),
        both("is not offered", "non si offre"), both("is a battle", "porta a una battaglia"),
        both("destroys the force", "distrugge la forza"), usual=True)
    loser_no_retreat: Literal["destroyed", "half"] = switch(
        both("Who is beaten with no way back {option}.", "Chi è battuto senza ritirata {option}."),
        both("is destroyed", "è distrutto"), both("loses half and stays", "perde metà e resta"))


CHOICES: Mapping[str, str] = {
    "fermarsi": "stop", "go back": "retreat", "indietreggiare": "retreat", "indietro": "retreat",
    "ritirarsi": "retreat", "ritirata": "retreat",
    "attaccare": "attack", "shut in": "shut_in", "rinchiudersi": "shut_in",
}
_NO_WAY_BACK = Told("GIG-109", {"node": "answer", "list": "options"})
_SUM = Told("GIG-108", {"sum": "sum", "loss": "loss"})


def _meetings_to_come(view: Campaign, faction: str) -> Iterator[str]:
    """What ``choice`` may be about: a place, first those of one's armies, and whom one may meet there, first those who
    stand within a step.
    """
    armies, clubs = view.table(base.Army), other_factions(view, faction)
    here = [a.node for a in armies if a.faction == faction and a.node]
    met = [f.faction for f in view.table(base.Faction) if f.faction != faction]
    for node in [*here, *view.table(base.Node).keys()]:
        around = near(view, {node})
        beside = {a.faction for a in armies if a.node in around}
        yield from (f"{node}/{other}" for other in sorted(met, key=lambda code: (
            code not in clubs, code not in beside)))


EVENTS = (
    EventType("contact.met",
              both("{hand:the} and {other:the} meet {node:at}.", "{hand:il} e {other:il} si incontrano {node:dove}."),
              "moves", 2, means=PARTIES, to=ALL),
    EventType("contact.hand",
              both("{node}: {faction:the} {faction?has|have} the hand.",
                   "{node}: {faction:il} {faction?è|sono} di mano."), "rulings", 4, to=EACH_TIME),
    EventType("contact.choices",
              both("{node}: {hand_faction:the} chose to {hand}, {other_faction:the} to {other}.",
                   "{node}: {hand_faction:il} {hand_faction?ha|hanno} scelto di {hand}, {other_faction:il} di "
                   "{other}."),
              "rulings", 2, "3c t34", to="hand_faction other_faction"),
    EventType("contact.lapsed",
              both("The meeting {node:at} is put off to the next round.",
                   "L'incontro {node:dove} è rinviato alla prossima fase d'estate."), "moves", 4, to=EACH_TIME),
    EventType("spy.report",
              both("Your spy reports: {marker} is only a diplomat.",
                   "La tua spia riferisce: {marker} è solo un diplomatico."), "rulings", 1, "t33",
              ("kind marker",
               {"army": both("Your spy reports: {army} {army?has|have} {value} {value?ducat|ducats}.",
                             "La tua spia riferisce: {army:il} {army?ha|hanno} {value} {value?ducato|ducati}."),
                "diplomat": both("Your spy reports: {army} is no army, but a diplomat.",  # as it was once told
                                 "La tua spia riferisce: {army} non è un'armata, ma un diplomatico.")}),
              means={"marker": "text"}, to=EACH_TIME),
    EventType("diplomat.revealed", both("{army} is only an envoy.", "{army} è solo un ambasciatore."), "moves", 2,
              "t33", to=ALL),
    EventType("army.retreated",
              both("{army} goes back from {frm:the} to {to:the}.", "{army} indietreggia {frm:da} {to:a}."), "moves", 2,
              means=WAY, to=ALL),
    EventType("army.shut_in", both("{army} shuts itself in {node:at}.", "{army} si rinchiude {node:dove}."), "moves", 2,
              to=ALL),
    EventType("army.came_out",
              both("{army} comes out {node:at}.", "{army} esce dalle mura e scende in campo {node:dove}."), "moves", 2,
              to=ALL),
    EventType("army.released", both("{army} is free again.", "{army} è di nuovo libera."), "moves", 3, to="army"),
    EventType("battle.offered", both("Battle {battle} {node:at}.", "Battaglia {battle} {node:dove}."), "battles", 3,
              variants=("type",
                        {"field": both("{side_a:the} {side_a?attacks|attack} {side_b:the} {node:at}: a field battle.",
                                       "{side_a:il} {side_a?attacca|attaccano} {side_b:il} {node:dove}: battaglia "
                                       "campale."),
                         "meeting": both("{side_a:the} and {side_b:the} clash {node:at}: a meeting battle.",
                                         "{side_a:il} e {side_b:il} si scontrano {node:dove}: battaglia d'incontro."),
                         "rearguard": both("{side_a:the} {side_a?pursues|pursue} {side_b:the} {node:at}: a rearguard "
                                           "action.",
                                           "{side_a:il} {side_a?insegue|inseguono} {side_b:il} {node:dove}: azione di "
                                           "retroguardia.")}), to=ALL),
    EventType("battle.side",
              both("{faction:the} {faction?chooses|choose} side and terrain of {battle}.",
                   "{faction:il} {faction?sceglie|scelgono} lato e terreno della battaglia {battle}."), "rulings", 2,
              "3c t34", to="battle"),
    EventType("battle.dice",
              both("{battle}, umpire's dice: {a} {total_a}, {b} {total_b}.",
                   "{battle}, dadi dell'arbitro: {a} {total_a}, {b} {total_b}."), "rulings", 2, "auto", means=PARTIES,
              to="a b"),
    EventType("battle.result",
              both("{winner:the} {winner?wins|win} {battle}.", "{winner:il} {winner?vince|vincono} {battle}."),
              "battles", 0,
              variants=("winner",
                        {"draw": both("{battle} ends in a draw.", "La battaglia {battle} finisce in parità.")}),
              to=ALL),
    EventType("battle.losses",
              both("{battle}: {side_a:the} {side_a?loses|lose} {losses_a} {losses_a?ducat|ducats}, {side_b:the} "
                   "{losses_b}.",
                   "{battle}: {side_a:il} {side_a?perde|perdono} {losses_a} {losses_a?ducato|ducati}, {side_b:il} "
                   "{losses_b}."), "battles", 1,
              to="side_a side_b"),
    EventType("army.reduced",
              both("{army} loses {lost} {lost?ducat|ducats}; {left} {left?is left|are left}.",
                   "{army} perde {lost} {lost?ducato|ducati}; {left?gliene resta|gliene restano} {left}."), "battles",
              3, to="army"),
    EventType("army.lost", both("{army} is lost {node:at}: {why}.", "{army} è perduta {node:dove}: {why}."), "battles",
              0, to=ALL),
    EventType("rearguard.no_further", both("{army} could go back no further.", "{army} non può arretrare oltre."),
              "battles",
              3, to="army"),
)

FINDINGS = (
    Message("GIG-103", "error",
            both("Losses must be whole numbers, from 0 to {max} for {side:the}.",
                 "Le perdite sono numeri interi, da 0 a {max} per {side:il}.")),
    Message("GIG-104", "error", both("Say who won: a, b or draw.", "Indica chi ha vinto: a, b o pari.")),
    Message("GIG-105", "error",
            both("Rearguard figures missing or out of bounds: rearguard {min} to {value}, pursuer up to {max}.",
                 "Dati di retroguardia mancanti o fuori limite: retroguardia {min}-{value}, inseguitore fino a "
                 "{max}.")),
    Message("GIG-108", "error",
            both("The losses add up to {sum}, not {loss}, or one army has fewer.",
                 "Le perdite fanno {sum}, non {loss}, o un'armata ne ha meno.")),
    Message("GIG-109", "error",
            both("{node:the} is not a legal way back: {list}.", "{node:il} non è una ritirata valida: {list}.")),
    Message("GIG-110", "error",
            both("{exited} off the table against {lost} lost: {side:the} {side?wins|win}.",
                 "{exited} usciti dal tavolo contro {lost} perduti: {side?vince|vincono} {side:il}.")),
)

QUESTIONS = (
    QuestionType("hand", both("Who has the hand {node:at}?", "Chi è di mano {node:dove}?"), wrong=WRONG),
    QuestionType("spy",
                 both("Your {k} {k?spy|spies} can look at {k} of these: {list}.",
                      "{k?La tua spia può|Le tue spie possono} vederne {k}: {list}."),
                 ("k",
                  {"1": both("Your spy can look at one of these: {list}.", "La tua spia può vederne una: {list}.")}),
                 answer=Codes(), wrong=WRONG),
    QuestionType("choice",
                 both("{node}: you meet {opponent:the}. Your choice: {options}?",
                      "{node}: hai davanti {opponent:il}. Che cosa fai: {options}?"), answers=CHOICES,
                 stands=Option(("stop", "retreat", "attack", "shut_in")), wrong=WRONG, subjects=_meetings_to_come),
    QuestionType("battle_result",
                 both("{a:the} against {b:the} {node:at}: the result of {battle}. Type it on the sheet Battles.",
                      "{a:il} contro {b:il} {node:dove}: l'esito della battaglia {battle}. Scrivilo nel foglio "
                      "Battaglie."), wrong=WRONG, means={"a": "faction", "b": "faction"}),
    QuestionType("allot",
                 both("{loss} {loss?ducat|ducats} lost: from which armies?",
                      "{loss} {loss?ducato perso|ducati persi}: da quali armate?"), answer=Shares(), wrong=_SUM),
    QuestionType("retreat_to", both("Where does {army} go back to?", "Dove indietreggia {army}?"), wrong=_NO_WAY_BACK),
)

both.words({
    "confirmed": "confermato",
    "hand": "mano", "choice": "scelta", "battle": "battaglia", "battle_result": "esito della battaglia",
    "allot": "ripartizione delle perdite", "in proportion": "in proporzione", "first": "il primo",
    "retreat_to": "ritirata", "no retreat": "senza ritirata", "superiority": "superiorità",
    "commander killed": "comandante ucciso", "lapsed": "rinviato", "bluff_both": "due ambasciatori",
    "diplomat_taken": "ambasciatore catturato", "diplomat_back": "ambasciatore in ritirata",
    "battle_hand": "battaglia, attacca la mano", "battle_other": "battaglia, attacca l'altro",
    "both_back": "entrambi indietreggiano", "hand_back": "la mano indietreggia",
    "hand_back_shut": "la mano indietreggia, l'altro si rinchiude", "other_back": "l'altro indietreggia",
    "pursuit_hand": "la mano insegue", "pursuit_other": "l'altro insegue", "shut_in": "rinchiudersi",
    "auto": "dadi dell'arbitro", "field": "campale", "rearguard": "di retroguardia",
})

CHAPTER = Chapter(both("3c Engagement", "3c Ingaggio del nemico"),
                  (Citation("3c", "3c"), table_citation(34, "meetings")), Numbers, EVENTS, FINDINGS, QUESTIONS)

HAND = ROLLS.purpose(both("Who has the hand", "Chi ha la mano"),
                     "hand:C{turn}.{n}.{Nodes}.{Factions}-{Factions}:{Factions}", again=TIED)
SIDE = ROLLS.purpose(both("Choice of side and terrain", "Scelta del lato e del terreno"),
                     "side:{Battles*}:{Factions}", again=TIED)
AUTO = ROLLS.purpose(both("Umpire's dice in battles", "Dadi dell'arbitro in battaglia"),
                     "auto:{Battles*}:{Factions}", "2d6")


# Meetings: contacts, the hand, both choices, table 34 (rulebook: 3c Engagement, Who meets whom).


# --- listing (the last step of the marches) -----------------------------------------------------
def list_contacts(war: War) -> None:
    """One contact for each hostile pair in each land node (rulebook: Who meets whom)."""
    contacts = []
    blocking: dict[str, set[str]] = {}
    for army in war.armies:
        if war.blocks(army):
            blocking.setdefault(army.node, set()).add(army.faction)
    for place in war.with_markers():
        here = blocking.get(place.node, ()) if place.land else ()
        for a, b in combinations(in_natural_order(here), 2):
            if war.hostile(a, b):
                hand = hand_of(war, place.node, a, b)
                other = b if hand == a else a
                contacts.append(Contact(contact=f"C{war.year}.{war.round}.{place.node}.{hand}-{other}", year=war.year,
                                        round=war.round, node=place.node, hand=hand, other=other))
    for row in sorted(contacts, key=partial(contact_sort_key, war)):
        if row.contact in war.contacts:  # entered by hand: replaced by what is on the map now
            war.contacts.remove(row.contact)
        war.contacts.add(row)
        war.tell("contact.met", node=row.node, hand=row.hand, other=row.other)


def contact_sort_key(war: War, row: Contact) -> tuple[object, ...]:
    """Sort key of contacts: rank of the hand, natural order of node, rank of the other."""
    return war.rank(row.hand), natural(row.hand), natural(row.node), war.rank(row.other), natural(row.other)


def hand_of(war: War, node: str, a: str, b: str) -> str:
    """Who is *di mano* (switch hand_side); the factions are compared in the order of movement."""
    first, second = sorted((a, b), key=lambda f: (war.rank(f), natural(f)))
    about = f"C{war.year}.{war.round}.{node}.{first}-{second}"
    mode = Numbers.of(war).hand_side
    if mode == "order":
        return first
    if mode == "umpire":
        return war.game.choose(Ask("hand", REFEREE, about, (first, second), "", {"node": node}))
    if mode == "random":
        winner, rolls = highest_thrower((first, second), lambda faction, again: war.roll(
            HAND(war.year, war.round, node, first, second, faction, again=again), war.clubs(first, second)))
        war.tell("contact.hand", [first, second], roll=rolls, node=node, faction=winner)
        return winner
    now = (war.year, war.round)
    # who marched in, landed or came out has entered; who only went back has not
    entered = [f for f in (first, second) if any(arrival_key(a)[:2] == now for a in war.force(node, f))]
    # neither entered: the hand stays with whoever had it when these two met here in the last round
    before = (c.hand for c in war.contacts_of(war.round - 1) if c.node == node and {c.hand, c.other} == {a, b})
    return entered[0] if len(entered) == 1 else first if entered else next(before, first)


# --- choices ------------------------------------------------------------------------------------
FIGHTS = {"battle_hand": ("hand", "field"), "battle_other": ("other", "field"), "meeting": ("hand", "meeting"),
          "pursuit_hand": ("hand", "rearguard"), "pursuit_other": ("other", "rearguard")}
"""Outcomes of table 34 that are fought out -> who attacks, and the kind of battle."""
SHUT_IN = ("shut_in", "hand_back_shut")


@dataclass
class Meeting:
    """A contact with both forces, their ways back and their choices."""

    row: Contact
    forces: dict[str, list[Army]]
    ways: dict[str, dict[str, str]]
    chosen: dict[str, str] = field(default_factory=dict)

    def foe(self, faction: str) -> str:
        """The other side."""
        return self.row.other if faction == self.row.hand else self.row.hand

    def only_diplomats(self, faction: str) -> bool:
        """Whether the force has no army."""
        return all(a.kind == "diplomat" for a in self.forces[faction])

    @property
    def stuck_factions(self) -> set[str]:
        """Who chose to go back and cannot."""
        return {f for f, choice in self.chosen.items() if choice == "retreat" and not all(self.ways[f].values())}


def resolve_contacts(war: War) -> None:
    """Spies, secret choices, table 34 (rulebook: 3c Engagement)."""
    if not war.contacts_of(war.round):
        list_contacts(war)  # a campaign that begins here has not had the marches that list them
    rows = sorted((c for c in war.contacts_of(war.round) if not c.outcome), key=partial(contact_sort_key, war))
    meetings = [m for m in (_meeting_of(war, row) for row in rows) if all(m.forces.values())]
    reports = spy_reports(war, meetings)
    # where only diplomats meet nobody is asked: both are revealed (t34)
    _ask_choices(war, [m for m in meetings if not all(m.only_diplomats(f) for f in m.forces)], reports)
    _resolve_meetings(war, meetings)


def _meeting_of(war: War, row: Contact) -> Meeting:
    forces = {f: war.force(row.node, f) for f in (row.hand, row.other)}
    ways = {f: _ways_back(war, force, row.other if f == row.hand else row.hand) for f, force in forces.items()}
    return Meeting(row, forces, ways)


def _ways_back(war: War, force: list[Army], foe: str) -> dict[str, str]:
    """Each marker's way back, "" for none; a ship has room for one marker."""
    ways: dict[str, str] = {}
    ships: set[str] = set()
    for army in force:
        # a ship has room for one army: of two that came by it only the first can go back aboard
        node = war.previous_position(army, foe)
        if node and not war.nodes[node].land:
            node = "" if army.fleet in ships else node
            ships.add(army.fleet)
        ways[army.army] = node
    return ways


def spy_reports(war: War, meetings: list[Meeting]) -> dict[str, list[dict[str, Any]]]:
    """Reports by faction of what its spies see before any choice is made (table 33)."""
    enemies: dict[str, list[Army]] = {}
    for meeting in meetings:
        for faction in meeting.forces:
            seen = enemies.setdefault(faction, [])
            seen += [a for a in meeting.forces[meeting.foe(faction)] if a not in seen]
    spies = {faction: war.active(faction, "spy") for faction in sorted(enemies, key=natural)}
    looks = {faction: enemies[faction][:len(men)] for faction, men in spies.items() if men}
    asks: dict[str, Ask] = {}
    for faction, seen in looks.items():
        names, k = [a.army for a in enemies[faction]], len(seen)
        if len(names) > k:
            asks[faction] = Ask("spy", faction, "", tuple(names), " ".join(names[:k]),
                                {"k": k, "list": " ".join(names)}, answer=Codes(k))
    for faction, chosen in zip(asks, war.game.codes_all(list(asks.values())), strict=True):
        looks[faction] = [a for a in enemies[faction] if a.army in chosen]
    return {faction: _tell_spy_reports(war, spies[faction], seen) for faction, seen in looks.items()}


def _tell_spy_reports(war: War, men: list[Specialist], seen: list[Army]) -> list[dict[str, Any]]:
    told = []
    for man, army in zip(men, seen, strict=False):
        if recruiting.Numbers.of(war).spy_uses == "once":
            man.status = "spent"
        marker = {"marker": army.army} if army.kind == "diplomat" else {}
        row = war.tell("spy.report", [man.faction], army=army.army, kind=army.kind, value=army.value, **marker)
        told.append({"event": row.event, "data": row.data})
    return told


def options_of(war: War, meeting: Meeting, faction: str) -> tuple[str, ...]:
    """What a side may choose, in the printed order (rulebook: Choices)."""
    row, force = meeting.row, meeting.forces[faction]
    options = ["stop"]
    if all(meeting.ways[faction].values()) or Numbers.of(war).retreat_impossible != "stop":
        options.append("retreat")
    # an army whose commander was killed in this round does not attack
    if not meeting.only_diplomats(faction) and not any(a.leaderless == war.round for a in force):
        options.append("attack")
    place = war.nodes[row.node]
    # only the side without the hand may withdraw behind its walls (3c)
    if faction == row.other and place.fortified and place.owner and not war.hostile(place.owner, faction):
        options.append("shut_in")
    return tuple(options)


def _ask_choices(war: War, meetings: list[Meeting], reports: dict[str, list[dict[str, Any]]]) -> None:
    sides = [(meeting, faction, meeting.foe(faction)) for meeting in meetings for faction in meeting.forces]
    chosen = war.game.choose_all([
        Ask("choice", faction, f"{meeting.row.node}/{foe}", options_of(war, meeting, faction), "stop",
            {"node": meeting.row.node, "opponent": foe}, tuple(
                r for r in reports.get(faction, []) if r["data"]["army"] in {a.army for a in meeting.forces[foe]}))
        for meeting, faction, foe in sides])
    for (meeting, faction, _), word in zip(sides, chosen, strict=True):
        meeting.chosen[faction] = word


# --- table 34 -----------------------------------------------------------------------------------
def _resolve_meetings(war: War, meetings: list[Meeting]) -> None:
    engaged: set[tuple[str, str]] = set()
    for meeting in meetings:
        row = meeting.row
        row.choice_hand, row.choice_other = meeting.chosen.get(row.hand, ""), meeting.chosen.get(row.other, "")
        # whoever has fought, gone back or shut itself in here meets nobody else in this round
        if not engaged.isdisjoint((row.node, faction) for faction in meeting.forces):
            row.outcome = "lapsed"
            war.tell("contact.lapsed", [row.hand, row.other], node=row.node)
            continue
        if not meeting.chosen:
            row.outcome = "bluff_both"
        else:
            war.tell("contact.choices", node=row.node, hand=row.choice_hand, other=row.choice_other,
                     hand_faction=row.hand, other_faction=row.other)
            row.outcome = _table34_outcome(war, meeting)
            engaged |= {(row.node, f) for f in _apply(war, meeting)}
        _reveal_diplomats(war, meeting)


def _table34_outcome(war: War, meeting: Meeting) -> str:
    """The cell of table 34, after retreats that cannot be made (switch retreat_impossible)."""
    row, stuck = meeting.row, meeting.stuck_factions
    for faction, choice in meeting.chosen.items():
        # the deed counts, whatever comes of it
        if choice == "attack":
            mark_suspect(war, faction, meeting.foe(faction), "attack")
    if stuck and Numbers.of(war).retreat_impossible == "battle":
        return "battle_other" if row.hand in stuck else "battle_hand"
    if Numbers.of(war).retreat_impossible == "destroyed":  # whatever the other side chose; `_retreat_force` does it
        if row.hand in stuck and row.choice_other not in ("retreat", "shut_in"):
            return "hand_back"
        if row.other in stuck and row.choice_hand != "retreat":
            return "other_back"
    cell = war.campaign.table(Cell34).get(f"{row.choice_hand}/{row.choice_other}")
    return cell.outcome if cell is not None else TABLE34[row.choice_hand, row.choice_other]


def _apply(war: War, meeting: Meeting) -> set[str]:
    """Carry out the outcome. Returns the factions that are engaged by it."""
    row, outcome = meeting.row, meeting.row.outcome
    if outcome in FIGHTS:
        side, kind = FIGHTS[outcome]
        attacker = getattr(row, side)
        return _open_battle(war, meeting, attacker, meeting.foe(attacker), kind)
    engaged: set[str] = set()
    for side in GO_BACK.get(outcome, ()):
        engaged |= _retreat_force(war, meeting, getattr(row, side))
    if outcome in SHUT_IN:
        for army in [*meeting.forces[row.other], *war.envoys(row.node, row.other)]:
            army.posture = "shut_in"
            war.tell("army.shut_in", army=army.army, faction=row.other, node=row.node)
        engaged.add(row.other)
    return engaged


def _retreat_force(war: War, meeting: Meeting, faction: str) -> set[str]:
    """A force goes back, or is lost if it cannot; envoys go with armies (rulebook: Table 33: specialists)."""
    force, ways = meeting.forces[faction], meeting.ways[faction]
    if not all(ways.values()):  # offered only where retreat_impossible is "destroyed"
        for army in force:
            war.lose_army(army, "no retreat", "3c")
        return {faction}
    armies = [a for a in force if a.is_army]
    by_land = any(war.nodes[ways[a.army]].land for a in armies)
    led = [a for a in force if a.kind == "diplomat" and by_land]
    for army in force:
        if army not in led:
            war.go_back(army, ways[army.army], "3c t34")
    for envoy in [*led, *war.envoys(meeting.row.node, faction)]:
        war.follow_armies(envoy, armies or force, "3c t34")
    return {faction}


def _open_battle(war: War, meeting: Meeting, attacker: str, defender: str, kind: str) -> set[str]:
    """Open a battle, unless the attacked side is diplomats only (rulebook: Table 33: specialists)."""
    row = meeting.row
    # envoys fight no battle: attacked they are taken, in flight nobody pursues them
    if meeting.only_diplomats(defender):
        if kind == "rearguard":
            row.outcome = "diplomat_back"
            return _retreat_force(war, meeting, defender)
        row.outcome = "diplomat_taken"
        for army in meeting.forces[defender]:
            war.lose_army(army, "captured diplomat", "t33")
        return {defender}
    rolls: list[Roll] = []
    ident, pick = next_battle_code(war, row.node), ""
    if kind == "meeting":
        circle = war.clubs(attacker, defender)
        pick, rolls = highest_thrower((attacker, defender), lambda faction, again: war.roll(
            SIDE(ident, faction, again=again), circle))
        # in a meeting battle the die gives side and terrain to one of the two: it counts as the attacker
        attacker, defender = pick, meeting.foe(pick)
    sides = {f: [a for a in meeting.forces[f] if a.is_army] for f in (attacker, defender)}
    # its result may have been typed before
    battle = war.battles.get(ident) or war.battles.add(Battle(battle=ident))
    battle.side_a, battle.side_b, battle.side_pick = attacker, defender, pick
    if rolls:
        war.tell("battle.side", roll=rolls, battle=ident, faction=pick)
    battle.turn, battle.node, battle.round, battle.type = war.game.turn, row.node, war.round, kind
    battle.status = "open"
    battle.armies_a, battle.armies_b = (" ".join(a.army for a in sides[f]) for f in (attacker, defender))
    battle.value_a, battle.value_b = (sum(a.value for a in sides[f]) for f in (attacker, defender))
    war.tell("battle.offered", battle=ident, node=row.node, type=kind, side_a=attacker, side_b=defender)
    return {attacker, defender}


def next_battle_code(war: War, node: str) -> str:
    """``B<year>.<round>.<node>``, with b, c … for later battles at the same node in the round."""
    idents = (f"B{war.year}.{war.round}.{node}{letter}" for letter in ["", *ascii_lowercase[1:]])
    # a row without a status is only a result that was typed before
    return next(ident for ident in idents if ident not in war.battles or not war.battles[ident].status)


def _reveal_diplomats(war: War, meeting: Meeting) -> None:
    """Reveal to all every diplomat who was in a resolved contact."""
    for army in [a for force in meeting.forces.values() for a in force]:
        if army.kind == "diplomat" and army.army in war.armies and not army.revealed:
            army.revealed = True
            war.tell("diplomat.revealed", army=army.army, faction=army.faction, node=army.node)


# Battles and the form of their results (3c; rulebook: Battles on the table, The form of a result).
#
# The form is checked in the order GIG-105, 110, 104, 103: in a rearguard action the figures decide who has won.


OTHER_SIDE = {"a": "b", "b": "a"}
SIDES = tuple(OTHER_SIDE)
REARGUARD_FIELDS = ("rearguard_value", "pursuer_value", "units_exited", "units_lost")


@dataclass
class FoughtBattle:
    """A battle with its armies and its result."""

    row: Battle
    armies: dict[str, list[Army]]
    rules: Numbers
    called: Mapping[str, str]
    winner: str = ""
    losses: dict[str, int] = field(default_factory=dict)

    @property
    def rearguard(self) -> bool:
        """Whether it is a rearguard action: side a pursues, side b tries to escape."""
        return _is_rearguard(self.row)

    def faction(self, side: str) -> str:
        """The code of side a or b."""
        return self.row.side_a if side == "a" else self.row.side_b

    def value(self, side: str) -> int:
        """Ducats of the side when it made its choice."""
        return int((self.row.value_a if side == "a" else self.row.value_b) or 0)


def _ducats_engaged(filled: Filled[FoughtBattle], side: str) -> int:
    """The ducats that a side had on the table, and so can lose."""
    if not filled.battle.rearguard:
        return filled.battle.value(side)
    # in a rearguard action only a part of each army is on the table
    engaged = filled.raw_value("pursuer_value" if side == "a" else "rearguard_value")
    return engaged if isinstance(engaged, int) else filled.battle.value(side)


def _loss_entry(side: str) -> Entry[FoughtBattle]:
    def facts(filled: Filled[FoughtBattle]) -> Mapping[str, Any]:
        return {"max": _ducats_engaged(filled, side), "side": filled.battle.faction(side)}

    return Entry(f"losses_{side}", side, "GIG-103", facts, before=lambda filled: filled.battle.value(side) or "",
                 most=partial(_ducats_engaged, side=side))


def _is_rearguard(row: base.Battle) -> bool:
    return getattr(row, "type", "") == "rearguard"


# --- who has won ----------------------------------------------------------------------------------
def _rearguard_winner(filled: Filled[FoughtBattle]) -> str:
    return "b" if int(filled.raw_value("units_exited")) > int(filled.raw_value("units_lost")) else "a"


def _side_of_word(filled: Filled[FoughtBattle], typed: str) -> str:
    """The side whose faction's code or name was typed; "" for none."""
    code = filled.battle.called.get(typed.casefold(), "")
    return next((side for side in SIDES if code and filled.battle.faction(side) == code), "")


class _WinnerEntry(Entry[FoughtBattle]):
    """Who has won: as typed, or in a rearguard action by the figures."""

    def value(self, filled: Filled[FoughtBattle]) -> str | None:
        """a, b or draw."""
        told = filled.battle.rearguard and all(filled[name] is not None for name in REARGUARD_FIELDS)
        return _rearguard_winner(filled) if told else super().value(filled)


def _check_rearguard_figures(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """GIG-105: the figures of a rearguard action are complete and within their bounds."""
    fight, rules = filled.battle, filled.battle.rules
    if not fight.rearguard:
        return
    there = all(filled[name] is not None for name in REARGUARD_FIELDS)
    least = percent_up(fight.value("b"), rules.rearguard_pct)
    rear = filled["rearguard_value"] if there else 0
    # before its figure is typed: at most what all of the army as rearguard would allow
    most, ever = (min(fight.value("a"), rules.rearguard_pursuer_x * n) for n in (rear, fight.value("b")))
    if not (there and least <= rear <= fight.value("b") and filled["pursuer_value"] <= most):
        yield Fault("GIG-105", "rearguard_value", {"min": least, "value": fight.value("b"), "max": most or ever})


def _check_rearguard_winner(filled: Filled[FoughtBattle]) -> Iterator[Fault]:
    """GIG-110: a typed winner agrees with the figures of a rearguard action."""
    if not filled.battle.rearguard:
        return
    side, typed = _rearguard_winner(filled), str(filled.raw_value("winner")).strip().lower()
    if typed not in ("", side) and _side_of_word(filled, typed) != side:
        yield Fault("GIG-110", "winner",
                    {"exited": filled.raw_value("units_exited"), "lost": filled.raw_value("units_lost"),
                     "side": side})


def _battle_and_clubs(game: Game, row: Battle) -> tuple[FoughtBattle, Clubs]:
    return _fought_battle(War(game), row), _clubs_by_side(row)


def _clubs_by_side(row: Battle) -> Clubs:
    return {"a": (row.side_a,), "b": (row.side_b,)}


FORM: BattleForm[FoughtBattle] = BattleForm(
    "battle_result",
    (_WinnerEntry("winner", told="GIG-104", words={"a": "a", "b": "b", "draw": "draw", "pari": "draw"},
             reads=_side_of_word),
     _loss_entry("a"), _loss_entry("b"), *(Entry(name, "a" if name == "pursuer_value" else "b", when=_is_rearguard)
                                    for name in REARGUARD_FIELDS)),
    line=("winner", "losses_a", "losses_b"),
    dice=("mode", "auto"),
    decisive=("mode", "winner", "losses_a", "losses_b", *REARGUARD_FIELDS),
    checks=(_check_rearguard_figures, _check_rearguard_winner, "winner", "losses_a", "losses_b"),
    first_only=True,
    offers=lambda row, lang: (row.side_a, row.side_b, "pari" if lang == "it" else "draw"),
    seen=_battle_and_clubs,
    won="winner")


def resolve_battles(war: War) -> None:
    """Ask for all results at once, then resolve battle after battle (rulebook: After the battle)."""
    fights = [_fought_battle(war, row) for row in _open_battles(war)]
    # all results are asked for before any is carried out
    waiting = [ask for fight in fights for ask in _take_result(war, fight)]
    if waiting:
        raise Waiting(waiting)
    for fight in fights:
        _tell_result(war, fight)
    allot_losses(war, [(f.armies[s], f.faction(s), f.losses[s], f"{f.row.battle}/{s}") for f in fights for s in SIDES])
    for fight in fights:
        if fight.rearguard:
            _after_rearguard(war, fight)
        elif fight.winner != "draw":
            _fall_back(war, fight, OTHER_SIDE[fight.winner])


def check_forms(war: War) -> None:
    """Report faults of results in forms or answers; no die is thrown (rulebook: The form of a result)."""
    for row in _open_battles(war):
        _take_form(war, _fought_battle(war, row))


def _take_result(war: War, fight: FoughtBattle) -> list[Ask]:
    """Take the form's result or throw the umpire's dice. Returns the question if it stays open."""
    taken = _take_form(war, fight)
    if taken.state in ("missing", "wrong"):
        return [_ask_result(fight)]
    if taken.state == "dice":
        _throw_umpires_dice(war, fight)
    else:
        fight.winner = taken.filled["winner"]
        fight.losses = {side: taken.filled[f"losses_{side}"] for side in SIDES}
    return []


def _take_form(war: War, fight: FoughtBattle) -> FormResult[FoughtBattle]:
    row = fight.row
    return take_form(war.game, FORM, _ask_result(fight), fight, row, _clubs_by_side(row))


def _ask_result(fight: FoughtBattle) -> Ask:
    row = fight.row
    return Ask("battle_result", REFEREE, row.battle, (), "",
               {"battle": row.battle, "type": row.type, "node": row.node, "a": row.side_a, "b": row.side_b})


def _open_battles(war: War) -> list[Battle]:
    def key(row: Battle) -> tuple[object, ...]:
        met = (c for c in war.contacts_of(row.round) if c.node == row.node
               and {c.hand, c.other} == {row.side_a, row.side_b})
        return contact_sort_key(war, next(met, Contact(node=row.node, hand=row.side_a, other=row.side_b)))
    return sorted(war.battles.where(lambda row: row.status == "open"), key=key)


def _fought_battle(war: War, row: Battle) -> FoughtBattle:
    sides = {"a": row.armies_a, "b": row.armies_b}
    return FoughtBattle(row, {s: [war.armies[c] for c in text.split() if c in war.armies] for s, text in sides.items()},
                  Numbers.of(war), code_lookup(war.factions))


# --- the umpire's dice (rulebook: Battles that are not played) ------------------------------------
def _throw_umpires_dice(war: War, fight: FoughtBattle) -> None:
    row, rules = fight.row, fight.rules
    value = {s: fight.value(s) for s in SIDES}
    if row.type == "rearguard":
        value["b"] = percent_up(value["b"], rules.rearguard_pct)
        value["a"] = min(value["a"], rules.rearguard_pursuer_x * value["b"])
    big, small = ("a", "b") if value["a"] >= value["b"] else ("b", "a")
    extra = (value[big] - value[small]) * 100 // max(1, value[small] * rules.auto_step_pct)
    circle = war.clubs(row.side_a, row.side_b)
    scores = {side: war.score(AUTO(row.battle, fight.faction(side)), {
        "strength": min(rules.auto_max, extra) if side == big else 0,
        "commander": -int(any(a.leaderless == war.round for a in fight.armies[side]))}, circle) for side in SIDES}
    dice = Contest(scores)
    # equal dice: a rearguard that is not beaten has got away
    fight.winner = dice.winner or ("b" if row.type == "rearguard" else "draw")
    share = {"a": rules.auto_win_pct, "b": rules.auto_win_pct}
    if fight.winner != "draw":
        rout = dice.by(rules.auto_rout_margin)
        share[OTHER_SIDE[fight.winner]] = rules.auto_rout_pct if rout else rules.auto_lose_pct
    fight.losses = {s: percent_up(value[s], share[s]) for s in SIDES}
    war.tell("battle.dice", roll=dice.rolls, battle=row.battle, a=row.side_a, b=row.side_b, total_a=scores["a"],
             total_b=scores["b"])


# --- after the battle (rulebook: After the battle) ----------------------------------------------
def _tell_result(war: War, fight: FoughtBattle) -> None:
    row, losses = fight.row, fight.losses
    row.mode = row.mode or "played"
    row.status = "auto" if row.mode == "auto" else "played"
    row.winner = fight.winner
    winner = "draw" if fight.winner == "draw" else fight.faction(fight.winner)
    war.tell("battle.result", battle=row.battle, node=row.node, winner=winner, status=row.status)
    row.losses_a, row.losses_b = losses["a"], losses["b"]
    war.tell("battle.losses", battle=row.battle, losses_a=row.losses_a, losses_b=row.losses_b,
             side_a=row.side_a, side_b=row.side_b)


def allot_losses(war: War, due: list[tuple[list[Army], str, int, str]]) -> None:
    """Take losses off armies. `due`: (armies, owner, ducats, about); among several armies the owner allots them."""
    # no army loses more than it has left: another fight may have cost it something
    due = [(armies, owner, min(lost, sum(a.value for a in armies)), about) for armies, owner, lost, about in due]
    asks = {about: Ask("allot", owner, about, (), _shares_text(proportional_losses(armies, lost)),
                       {"loss": lost, "list": _shares_text({a.army: a.value for a in armies})},
                       answer=Shares({a.army: a.value for a in armies}, lost))
            for armies, owner, lost, about in due if len(armies) > 1 and lost}
    got = dict(zip(asks, war.game.shares_all(list(asks.values())), strict=True))
    for armies, _, lost, about in due:
        shares = got.get(about) or {a.army: min(lost, a.value) for a in armies[:1]}
        for army in armies:
            if shares.get(army.army):
                _reduce(war, army, shares[army.army], about.split("/")[0], "battle")


def _reduce(war: War, army: Army, lost: int, battle: str, why: str) -> None:
    army.value -= lost
    war.tell("army.reduced", army=army.army, lost=lost, left=army.value, battle=battle)
    war.lose_if_empty(army, why, "3c")


def proportional_losses(armies: list[Army], lost: int) -> dict[str, int]:
    """Losses in proportion to value: rounded down, odd ducats to the largest fractions, ties by code."""
    total = sum(a.value for a in armies)
    lost = min(lost, total)
    shares = {a.army: lost * a.value // total for a in armies}
    rest = lost - sum(shares.values())
    by_fraction = sorted(armies, key=lambda a: (-(lost * a.value % total), natural(a.army)))
    for army in by_fraction[:rest]:
        shares[army.army] += 1
    return shares


def _shares_text(shares: dict[str, int]) -> str:
    return " ".join(f"{code}={n}" for code, n in shares.items())


def _surviving_armies(war: War, fight: FoughtBattle, side: str) -> list[Army]:
    return [a for a in fight.armies[side] if a.army in war.armies]


def _fall_back(war: War, fight: FoughtBattle, side: str) -> tuple[list[Army], list[Army]]:
    """Each beaten army goes back one node or is destroyed (3c); diplomats go where the armies go.

    Returns the armies that have gone, and the envoys who were with them.
    """
    loser, foe = fight.faction(side), fight.faction(OTHER_SIDE[side])
    armies = _surviving_armies(war, fight, side)
    goals = _retreat_goals(war, loser, {a.army: war.retreat_nodes(a, foe) for a in armies}, fight.row.battle)
    envoys = [a for a in war.at(fight.row.node) if (a.faction, a.kind, a.posture) == (loser, "diplomat", "field")]
    for army in armies:
        if goals[army.army]:
            war.go_back(army, goals[army.army], "3c")
        elif Numbers.of(war).loser_no_retreat == "half":
            _reduce(war, army, percent_up(army.value, 50), fight.row.battle, "no retreat")
        else:
            war.lose_army(army, "no retreat", "3c")
    left = [a for a in armies if a.army in war.armies]
    for envoy in envoys:
        if left:
            war.follow_armies(envoy, left, "3c")
        else:
            war.lose_army(envoy, "captured diplomat", "t33")
    return [a for a in left if a.node != fight.row.node], [e for e in envoys if e.army in war.armies]


def _retreat_goals(war: War, loser: str, ways: dict[str, list[str]], battle: str, again: str = "") -> dict[str, str]:
    """Where each army goes, "" for nowhere; the loser chooses among several nodes, asked all at once."""
    asks = {code: Ask("retreat_to", loser, f"{battle}/{code}{again}", tuple(nodes), nodes[0], {"army": code})
            for code, nodes in ways.items() if len(nodes) > 1}
    chosen = dict(zip(asks, war.game.choose_all(list(asks.values())), strict=True))
    return {code: chosen.get(code) or next(iter(nodes), "") for code, nodes in ways.items()}


def _after_rearguard(war: War, fight: FoughtBattle) -> None:
    """The pursued go back anyway; a beaten rearguard costs more ducats and nodes (rulebook: Rearguard actions)."""
    # the pursued go back one node, whoever has won (3c)
    gone, envoys = _fall_back(war, fight, "b")
    if fight.winner == "b":
        return
    left = _surviving_armies(war, fight, "b")
    if left:
        # of the value before the action, not of what the losses have left of it
        lost = percent_up(fight.value("b"), Numbers.of(war).rearguard_lost_pct)
        allot_losses(war, [(left, fight.faction("b"), lost, f"{fight.row.battle}/b+")])
    gone = [a for a in gone if a.army in war.armies]
    for _ in range(Numbers.of(war).rearguard_extra_node):
        # noted before the armies go on: whom each envoy accompanies
        beside = [(envoy, [a for a in gone if a.node == envoy.node]) for envoy in envoys]
        # first the armies, so that the envoys find where their own has gone
        _one_node_more(war, fight, gone)
        for envoy, armies in beside:
            war.follow_armies(envoy, armies, "3c")


def _one_node_more(war: War, fight: FoughtBattle, gone: list[Army]) -> None:
    loser, ways = fight.faction("b"), dict[str, list[str]]()
    for army in gone:
        # along the way it came, but never through the node of the battle
        trail = [n for n in army.nodes_back[-1:]
                 if n != fight.row.node and n in war.nodes and war.is_free_for(army, n)]
        ways[army.army] = [] if army.posture != "field" else trail or (
            war.own_free_neighbours(army, fight.faction("a"), but=fight.row.node))
    goals = _retreat_goals(war, loser, ways, fight.row.battle, "/2")
    for army in gone:
        if goals[army.army]:
            war.go_back(army, goals[army.army], "3c")
        else:
            war.tell("rearguard.no_further", army=army.army, node=army.node)
