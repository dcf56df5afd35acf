"""Invasions, the defenders' responses, ad-hoc armies, and the battles that follow (MV, DA, p58)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, ClassVar, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import ALL
from assistant.campaign.tables import Record, in_natural_order, natural
from assistant.rulesets.bloodlust import ROLLS, VOCABULARY, assumed, both, choice, cites, counted, counting
from assistant.rulesets.bloodlust.aftermath import loot
from assistant.rulesets.bloodlust.battle import clash_dice
from assistant.rulesets.bloodlust.orders import NO_WAY, OrderBoard, OwnRows, Province, full_code
from assistant.rulesets.bloodlust.realm import ANSWERS, FAR, question_type
from assistant.rulesets.bloodlust.records import Army, Battle, Faction, Node, Siege
from assistant.rulesets.bloodlust.recruiting import raise_levy
from assistant.turn.chapters import Chapter, EventType, Message, Modifier, Rules
from assistant.turn.game import fresh
from assistant.turn.orders.columns import Kind, Note, Piece, Sentence
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.verbs import order
from assistant.turn.orders.words import fold
from assistant.turn.questions import AnswerKind, Ask
from assistant.turn.rulings import Contest, Count

# What the chapter declares.


on_die = counting(unit="die", tag="ASSUMED")


class Numbers(Rules):
    """Who may answer, provinces chosen, and what a self-run nation invades and answers."""

    respond_reach: int = assumed(1, "provinces",
                                 both("Armies {n} {n?province|provinces} away may answer.",
                                      "Possono rispondere le armate a {n} {n?provincia|province} di distanza."))
    province_mods_undefended: int = on_die(1, "A province without defence counts", "Una provincia indifesa vale")
    province_mods_touches: int = on_die(1, "A province touching enough of one's own counts",
                                        "Una provincia che confina con abbastanza delle proprie conta")
    province_touches: int = assumed(2, "provinces", both("Touching {n} of one's own provinces is enough.",
                                                         "Basta confinare con {n} delle proprie province."), minimum=1)
    province_mods_capital: int = on_die(-1, "A capital counts {signed}, but not for conquerors",
                                        "Una capitale vale {signed}, ma non per i conquistatori")
    npc_min_units: int = assumed(3, both("units", "reparti"),
                                 both("Self-run nations invade with {n} or more units.",
                                      "Le nazioni autonome invadono con {n} o più reparti."))
    npc_fight_pct: int = assumed(75, both("% of the invader", "% dell'invasore"),
                                 both("Self-run nations fight from {n}% of the invader on.",
                                      "Le nazioni autonome combattono da {n}% dell'invasore in su."))
    npc_bold: str = choice(both("A self-run nation that began one of its wars invades {option}.",
                                "Una nazione autonoma che ha iniziato una delle sue guerre invade {option}."),
                           yes=("however strong its enemies are", "per quanto forti siano i nemici"),
                           no=("only where it is strong enough, too", "anch'essa solo se è abbastanza forte"))
    npc_attack_pct: int = assumed(100, both("% of the units", "% dei reparti"),
                                  both("Another self-run nation invades from {n}% of its enemies' largest army on.",
                                       "Un'altra nazione autonoma invade se ha almeno il {n}% della più grande armata "
                                       "nemica."))
    npc_armies: int = assumed(1, both("armies", "armate"),
                              both("At most {n} {n?army|armies} of a self-run nation {n?enters|enter} the province "
                                   "that it has chosen.",
                                   "Al massimo {n} {n?armata|armate} di una nazione autonoma {n?entra|entrano} nella "
                                   "provincia che ha scelto."), minimum=1)
    npc_siege: str = choice(both("Before a fort the armies of self-run nations {option}.",
                                 "Davanti a un forte le armate delle nazioni autonome {option}."),
                            besiege=("lay a siege", "lo assediano"), back=("turn back", "tornano indietro"),
                            source="LS", usual=True)
    npc_weak: str = choice(both("Too weak to fight a self-run nation {option}.",
                                "Una nazione autonoma troppo debole per combattere {option}."),
                           fort=("goes into the fort, else leaves it to a lord",
                                 "si chiude nel forte, altrimenti lascia fare a un signore"),
                           levy=("leaves it to a lord, else goes into the fort",
                                 "lascia fare a un signore, altrimenti si chiude nel forte"))
    npc_relief: str = choice(both("When a relief comes self-run besiegers {option}.",
                                  "Quando arriva un soccorso gli assedianti autonomi {option}."),
                             fight=("fight", "combattono"), lift=("lift the siege", "tolgono l'assedio"), source="LS")
    move_tie: str = choice(both("Equal successes in movement {option}.", "Successi pari nel movimento {option}."),
                           row0=("are a meeting", "sono un incontro"), reroll=("are thrown again", "si ritirano"),
                           source="MV")


class Response(NamedTuple):
    """A defender's answer: the act, the armies named, and the invader to be met."""

    act: str
    armies: tuple[str, ...] = ()
    invader: str = ""

    @classmethod
    def of(cls, text: str) -> Response:
        """A choice as it is written."""
        said, _, invader = text.partition(" invader ")
        act, *armies = said.split()
        return cls(act, tuple(armies), invader)


@dataclass(eq=False, repr=False)
class ResponseKind(AnswerKind):
    """The answers allowed to one invasion.

    `standing`, `near`: armies; `acts`: acts without armies; `counters`: pairs of the first army of a side and the army
    that may invade back; `invaders`: the first armies of the sides in their order. Without a `faction` only the
    question's list is known: then an answer must begin as one of the list does and go on with codes.
    """

    faction: str = ""
    acts: Sequence[str] = ()
    standing: Sequence[str] = ()
    near: Sequence[str] = ()
    counters: Sequence[tuple[str, str]] = ()
    invaders: Sequence[str] = ()

    def read(self, text: str) -> str:
        """Act, armies, invader. Raises `Unfit` for what does not go together."""
        if not self.faction:
            act, *rest = (ANSWERS.get(fold(word), fold(word)) for word in re.split(r"[\s,;+]+", text.strip()))
            if act not in {option.split()[0] for option in self.offer.options} or any(
                    word != "invader" and not re.search(r"\d", word) for word in rest):
                raise UnreadableValue
            return text
        words, invader = [word for word in re.split(r"[\s,;+]+", text.strip()) if word], ""
        said = [ANSWERS.get(fold(word), fold(word)) for word in words]
        if "invader" in said:  # he is named first or last
            at = said.index("invader")
            named = "".join(words[at + 1:at + 2]).casefold()
            invader = next((code for code in self.invaders if code.casefold() == named), "")
            if not invader or (at and words[at + 2:]):
                raise UnreadableValue
            del words[at:at + 2], said[at:at + 2]
        act = said[0] if said else self.usual if invader else ""
        armies = [full_code(word, self.faction) for word in words[1:]]
        allowed = {"fight": self.standing or armies, "counter": len(armies) == 1 and (
            invader or self.invaders[0], armies[0]) in self.counters}.get(act, act in self.acts and not armies)
        if not allowed or not {*armies} <= {*self.standing, *self.near}:
            raise UnreadableValue
        return " ".join([act, *dict.fromkeys(armies), *(["invader", invader] if invader else [])])

    @property
    def usual(self) -> str:
        """What is done where nobody says anything else: whoever stands there fights."""
        return "fight" if self.standing else "levy"

    def answers(self) -> tuple[str, ...]:
        """The possible answers, for the question's list."""
        return (*(["fight"] if self.standing else []), *(f"fight {army}" for army in self.near), *self.acts,
                *dict.fromkeys(f"counter {army}" for _, army in self.counters),
                *(f"invader {army}" for army in self.invaders if len(self.invaders) > 1))


def _fighters(f: InvasionBoard, data: Mapping[str, Any]) -> list[str]:
    """The nations on both sides of a battle."""
    row = f.battles[data["battle"]]
    return [*f.parties(row, "attacker"), *f.parties(row, "defender")]


CHAPTER = Chapter(both("Invasions", "Invasioni"), cites("p58"), Numbers, events=(
    EventType("province_chosen",
              both("{faction:the} {faction?chooses|choose} {node:the}. {roll}.",
                   "{faction:il} {faction?sceglie|scelgono} {node:il}. {roll}."), "moves", 4, to="faction"),
    EventType("invasion", both("{army} {army?goes|go} from {start:the} towards {node:the}.",
                               "{army:il} {army?va|vanno} {start:da} verso {node:il}."), "moves", 1,
              means={"start": "place"}, to=ALL),
    EventType("invaders",
              both("{army} {army?comes|come} first to {node:the}. {roll}.",
                   "{army:il} {army?arriva per primo|arriva per prima|arrivano per primi|arrivano per prime} "
                   "{node:dove}. {roll}."), "moves", 3, to=ALL),
    EventType("turned_back",
              both("{army} {army?is|are} turned back from {node:the}.",
                   "{army:il} {army?è respinto|è respinta|sono respinti|sono respinte} alla frontiera {node:di}."),
              "moves", 3, to=ALL),
    EventType("response",
              both("{faction:the} {faction?answers|answer} {node:at}: {option}, {army}.",
                   "{faction:il} {faction?risponde|rispondono} {node:dove}: {option}, {army}."), "battles", 2,
              variants=("army",
                        {"": both("{faction:the} {faction?answers|answer} {node:at}: {option}.",
                                  "{faction:il} {faction?risponde|rispondono} {node:dove}: {option}.")}), to=ALL),
    EventType("refused_battle",
              both("{faction:the} {faction?refuses|refuse} battle {node:at} (refusals this year: {n}).",
                   "{faction:il} {faction?rifiuta|rifiutano} battaglia {node:dove} (rifiuti quest'anno: {n})."),
              "battles", 2, "WF", to=ALL),
    EventType("mutual",
              both("{army} and {unit} meet on the frontier: {row} battle ({n} against {m} {m?success|successes}). "
                   "{roll}.",
                   "{army:il} e {unit:il} si incrociano sul confine: battaglia {row} ({n} contro {m} "
                   "{m?successo|successi}). {roll}."), "moves", 2, "MV", means={"unit": "piece"}, to=ALL),
    EventType("battle", both("Battle {battle} {node:at}: {by:the} against {opponent:the} ({kind}).",
                             "Battaglia {battle} {node:dove}: {by:il} contro {opponent:il} ({kind})."), "battles", 1,
              "TS-Sp10", means={"battle": "text"}, to=ALL),
    EventType("arrayed",
              both("Battle {battle}: attacker {n} {n?unit|units} ({m} mounted), defender {k} ({l} mounted).",
                   "Battaglia {battle}: attaccante {n} {n?reparto|reparti} ({m} a cavallo), difensore {k} ({l} a "
                   "cavallo)."), "battles", 2, means={"battle": "text"}, to=_fighters),
), findings=(
    Message("BLD-040", "error",
            both("{army} has no commander able to lead it.", "{army} non ha un comandante in grado di guidarla.")),
    Message("BLD-041", "error", both("{army} has no unit.", "{army} non ha reparti.")),
    Message("BLD-042", "error",
            both("{army} is in a siege. Lift it first.", "{army} è impegnata in un assedio. Prima toglilo.")),
    Message("BLD-043", "error", both("{node:the} is not an enemy's, nor a besieged province of yours or an ally's.",
                                     "{node:il} non è terra nemica, né una provincia tua o alleata sotto assedio.")),
    Message("BLD-044", "error", both("{node:the} needs {k} {k?step|steps} from {from}; {m} {m?is left|are left}.",
                                     "{node:il} è a {k} {k?passo|passi} {from:da}; {m?ne resta|ne restano} {m}."),
            variants=("k", {"": NO_WAY})),
    Message("BLD-045", "error",
            both("{via} is not yours (or an ally's), not next to {node:the}, or besieged.",
                 "{via:il} non è terra tua o alleata, non confina con {node:il}, o è sotto assedio.")),
    Message("BLD-046", "error", both("Only {list} may invade in Winter.", "In inverno può invadere solo {list}."),
            certain=True),
    Message("BLD-047", "error",
            both("{node:the} is besieged by {nation}, not by you.", "{node:il}: l'assedio è {nation:di}, non tuo.")),
    Message("BLD-048", "error", both("You are not besieging {node:the}.", "Non assedi {node:il}.")),
    Message("BLD-051", "warning",
            both("{army} answers in {a} already; in {b} it is left out.", "{army} risponde già a {a}; a {b} è tolta.")),
), questions=(
    question_type("response",
                  both("{armies} of {by:the} ({k} {k?unit|units}, led by {leader}, WR {w}) {by?enters|enter} "
                       "{node:the} from {start:the}. What do you do?",
                       "{armies} {by:di} ({k} {k?reparto|reparti}, guida {leader}, WR {w}) {armies?entra|entrano} "
                       "{node:dove} {start:da}. Che cosa fai?"),
                  ResponseKind(), means={"start": "place", "armies": "piece"}),
    question_type("relief", both("{armies} come to relieve {node:the}. Fight, or lift the siege?",
                                 "{armies} vengono a liberare {node:il}. Combattere, o togliere l'assedio?"),
                  means={"armies": "piece"}),
))


@dataclass
class ArmyEntry:
    """An army that enters a province from its start. `besiege`: whether it would lay siege to a fort."""

    army: Army
    node: str
    start: str
    besiege: bool = True

    @property
    def code(self) -> str:
        """The army's code."""
        return self.army.army

    @property
    def faction(self) -> str:
        """Whose army it is."""
        return self.army.faction


@dataclass
class PlannedBattle:
    """A battle that will be fought, before it has its number.

    `first`: the entry that names the attacker, the province and his start; `starts`: entries of the defender, who in a
    meeting has a start, too.
    """

    kind: str
    first: ArmyEntry
    defender: str
    attackers: list[ArmyEntry]
    defenders: list[Army]
    starts: Sequence[ArmyEntry] = ()

    @property
    def node(self) -> str:
        """Where it will be fought."""
        return self.first.node


class InvasionBoard(OrderBoard):
    """The board of invasions and responses."""

    entries: list[ArmyEntry] = fresh(list)
    reliefs: dict[str, list[ArmyEntry]] = fresh(dict)
    fights: list[PlannedBattle] = fresh(list)
    lifting: set[str] = fresh(set)
    """Sieges that orders of this phase lift."""
    invaded: set[str] = fresh(set)
    busy: set[str] = fresh(set)
    """Armies that already have a fight or an invasion."""

    def steps_left(self, army: Army) -> int:
        """How many provinces an army may still go."""
        return 1 if army.posted_turn == self.turn else self.rules.march_steps

    def staging(self, army: Army, node: str) -> dict[str, int]:
        """The provinces from which an army may enter another -> steps in all, the shortest way first."""
        ways = self.ways(army.faction, army.node)
        # By `FAR` a check tells no way at all from one that is too long.
        places = {near: min(FAR, ways.get(near, FAR) + 1) for near in self.near(node)
                  if self.open_ground(army.faction, near)}
        return dict(sorted(places.items(), key=lambda place: (place[1], natural(place[0]))))

    def within_reach(self, army: Army, node: str) -> list[str]:
        """The provinces from which an army can enter another in this season, the shortest way first."""
        return [place for place, n in self.staging(army, node).items() if n <= self.steps_left(army)]

    def free_army(self, army: Army) -> bool:
        """Whether an army can defend where it is: it has units, is in no siege, and neither invades nor fights yet."""
        return army.army not in self.busy and not self.in_siege(army.army) and bool(self.units_in(army.army))


BESIEGE, BACK = "besiege", "back"
ACTS = VOCABULARY["invasion"]
"""What an invading army does when it has arrived: act -> words."""
LEAD_IN = ("via", "from", "da")
IN_ITALIAN: Mapping[str, str] = {BESIEGE: "assedia", BACK: "torna"}


class InvasionOption(Note):
    """Via which province an army enters, and whether it besieges or comes back."""

    record: ClassVar[type[Record]] = Node
    takes_several: ClassVar[bool] = True

    def word_lists(self) -> Mapping[str, tuple[str, ...]]:
        """What it does there."""
        return {act: tuple(words) for act, words in ACTS.items()}

    def in_words(self, value: Any, campaign: Campaign, lang: str) -> Any:
        """What it does there in the reader's language; a province is its code."""
        return " ".join(IN_ITALIAN.get(word, word) for word in str(value).split()) if value and lang == "it" else value

    def pieces(self, sentence: Sentence, start: int) -> Iterator[tuple[int, Any]]:
        """A province, or an act."""
        yield from Kind.pieces(self, sentence, start)

    def join(self, pieces: Sequence[Piece], sentence: Sentence, fields: Mapping[str, Any]) -> Any:
        """The province, only behind ``via`` or ``from``, and the act."""
        places = [piece for piece in pieces if piece.value not in (BESIEGE, BACK)]
        if len(places) > 1 or any(not sentence.exact and not piece.roles & {"by", "from"} for piece in places):
            return None
        return " ".join(str(piece.value) for piece in [*places, *(piece for piece in pieces if piece not in places)])


def parse_invasion_option(options: str, campaign: Campaign) -> tuple[str, str, str]:
    """Split the option of an invasion: staging province, ``besiege`` or ``back``, and a word that is neither."""
    nodes, text, place, act, strange = campaign.table(Node), options.strip(), "", "", ""
    names = {str(row.name).casefold(): row.node for row in nodes if row.name}
    # A name may have several words, and one name may be a part of another: the longest is looked for first.
    longest_first = sorted(names, key=lambda name: (-len(name), natural(name)))
    if name := next((name for name in longest_first if name in text.casefold()), ""):
        at = text.casefold().index(name)
        text, place = f"{text[:at]} {text[at + len(name):]}", names[name]
    for word in filter(None, re.split(r"[\s,;+]+", text)):
        if word.upper() in nodes:
            place = word.upper()
        elif meant := [known for known in ACTS if word.casefold() in ACTS[known]]:
            act = meant[0]
        elif word.casefold() not in LEAD_IN:
            strange = word
    return place, act, strange


# --- checks -----------------------------------------------------------------------------------------
def _check_army_ready(f: InvasionBoard, request: Request, army: Army, name: str) -> None:
    """BLD-040 to 042."""
    refuse_if(not f.cincs(army.army), "BLD-040", name, army=army.army)
    refuse_if(not f.units_in(army.army), "BLD-041", name, army=army.army)
    siege = f.besieging(army.army)
    refuse_if(siege is not None and siege.siege not in f.lifting, "BLD-042", name, army=army.army)


def _check_invasion(f: InvasionBoard, request: Request, node: Node, name: str) -> None:
    """BLD-043 to 047."""
    army, code = ARMY.judge(f, request, "subject"), request.faction
    siege, own_siege = f.siege_at(node.node), f.besieging(army.army)
    relief = siege is not None and siege.siege not in f.lifting and f.friend(code, node.owner)
    refuse_if(not (relief or f.at_war(code, node.owner)), "BLD-043", name, node=node.node)
    via, _, strange = parse_invasion_option(request.option, f.campaign)
    places, named = f.staging(army, node.node), via or strange
    steps = places.get(named) or next(iter(places.values()), FAR)
    # An army whose siege is lifted first will be back at its start.
    if steps > f.steps_left(army) and not (own_siege is not None and own_siege.start_node in places):
        raise _too_far(f, army, node, steps)
    refuse_if(named and named not in places, "BLD-045", "option", via=named, node=node.node)
    winterly = [row.faction for row in f.living() if row.has_trait("winter_war")]
    refuse_if(not f.may_fight(f.nations[code]), "BLD-046", "verb", list=" ".join(winterly) or "-")
    if siege is not None and not relief and siege.besieger != code:
        raise Refused("BLD-047", name, node=node.node, nation=siege.besieger)


def _too_far(f: InvasionBoard, army: Army, node: Node, steps: int) -> Refused:
    """The refusal of a province that is out of reach, or to which no way leads (BLD-044)."""
    return Refused("BLD-044", "target", **{"node": node.node, "k": steps if steps < FAR else "", "from": army.node,
                                           "m": f.steps_left(army)})


def _check_own_siege(f: InvasionBoard, request: Request, node: Node, name: str) -> None:
    siege = f.siege_at(node.node)
    if siege is None or siege.besieger != request.faction:
        raise Refused("BLD-048", name, node=node.node)
    f.lifting.add(siege.siege)


ARMY = OwnRows(Army, "army", then=(_check_army_ready,))


@order("lift", "togli", when=("invade",), also=("togli assedio", "lift siege"),
       target=Province(then=(_check_own_siege,)), help=both("End your own siege.", "Togli un tuo assedio."))
def lift(f: InvasionBoard, request: Request, node: Node) -> None:
    """The armies return, and may invade from there."""
    siege = f.siege_at(node.node)
    if siege is not None:
        f.lift_siege(siege)


@order("invade", "invadi", when=("invade",), subject=ARMY, target=Province(then=(_check_invasion,)),
       option=InvasionOption(title=both("How", "Come")),
       help=both("Enter an enemy's province, join your own siege, or relieve your own fort. Option: via which "
                 "province; back, to lay no siege.",
                 "Entra in una provincia nemica, unisciti a un tuo assedio o soccorri un tuo forte. Opzione: da "
                 "quale provincia; indietro, per non porre assedio."))
def invade(f: InvasionBoard, request: Request, army: Army, node: Node) -> None:
    """Note the entry; armies move to their starts once all entries are known."""
    via, act, _ = parse_invasion_option(request.option, f.campaign)
    places = f.staging(army, node.node)
    start = via or next(iter(places), "")
    if places.get(start, FAR) > f.steps_left(army):
        raise _too_far(f, army, node, places.get(start, FAR))
    f.entries.append(ArmyEntry(army, node.node, start, act != BACK))


# --- nations that the rules play ---------------------------------------------------------------------
PROVINCE_MODIFIERS: tuple[Modifier[InvasionBoard, Faction, Node], ...] = (
    Modifier("undefended", lambda f, nation, node: f.is_undefended(node.node), "province_mods_undefended"),
    Modifier(both.word("own land beside", "terre proprie accanto"), lambda f, nation, node:
             f.owners_near(node.node).count(nation.faction) >= Numbers.of(f).province_touches, "province_mods_touches"),
    Modifier("capital", lambda f, nation, node: node.capital and not nation.wants("conquest"), "province_mods_capital"),
)
"""What counts on the die of a province to invade (p58)."""


def choose_invasions(f: InvasionBoard) -> None:
    """Self-run nations at war choose what to invade, all before anybody moves."""
    for nation in f.nations_at_war():
        if f.self_run(nation.faction) and f.may_fight(nation):
            f.entries += _choose(f, nation)
    f.entries.sort(key=lambda entry: f.codes.index(entry.faction))


PROVINCE = ROLLS.purpose(both("Provinces to invade", "Province da invadere"),
                         "province/{Factions}/{Nodes}", again="/{n}")


def _choose(f: InvasionBoard, nation: Faction) -> list[ArmyEntry]:
    """The province that the largest army enters, and further armies beside it (`npc_armies`)."""
    code, rules, enemies = nation.faction, Numbers.of(f), f.enemies(nation.faction)
    able = [army for army in f.armies_of(code) if f.cincs(army.army) and not f.in_siege(army.army)
            and f.size(army) >= rules.npc_min_units]
    able.sort(key=f.size, reverse=True)  # of equals the first id, as the sort is stable
    largest = max((f.size(army) for enemy in enemies for army in f.armies_of(enemy)), default=0)
    bold = rules.npc_bold == "yes" and any(row.aggressor == code for row in f.open_wars())
    strong = able and (bold or f.size(able[0]) * 100 >= rules.npc_attack_pct * largest)
    reach = [node.node for node in f.provinces if strong and node.owner in enemies and not f.is_besieged(node.node)
             and f.within_reach(able[0], node.node)]
    if not reach:
        return []
    target, rolls = f.highest(PROVINCE, (code,), reach, lambda node: f.modifiers(
        PROVINCE_MODIFIERS, f, nation, f.provinces[node]), [code])
    if rolls:
        f.tell("province_chosen", roll=rolls, faction=code, node=target)
    return [ArmyEntry(army, target, places[0], rules.npc_siege == BESIEGE) for army in able[:rules.npc_armies]
            if (places := f.within_reach(army, target))]


# --- moves ------------------------------------------------------------------------------------------
def enter_provinces(f: InvasionBoard) -> None:
    """Move armies to their starts; join sieges, note reliefs, mark invaded nations, call out Reserves."""
    left = []
    for entry in f.entries:
        entry.army.node = entry.start  # the way there ends before the frontier, which it crosses with its battle
        f.busy.add(entry.code)
        siege = f.siege_at(entry.node)
        if siege is None:
            left.append(entry)
        elif f.friend(entry.faction, f.provinces[entry.node].owner):
            f.reliefs.setdefault(entry.node, []).append(entry)
        else:
            entry.army.node = siege.node
            siege.armies_out = f"{siege.armies_out} {entry.code}".strip()
        f.tell("invasion", army=entry.code, node=entry.node, start=entry.start)
    f.entries = left
    for entry in left:
        mark_invaded(f, entry.node)


def mark_invaded(f: InvasionBoard, node: str) -> None:
    """Mark a province and its owner as invaded; a Reserve there becomes an army without a commander."""
    f.invaded.add(node)
    owner = f.provinces[node].owner
    f.nations[owner].invaded_now = True
    reserve = f.reserve(owner)
    if reserve.node == node and (units := f.units_in(reserve.army)):
        army = f.new_army(owner, node)
        for unit in units:
            unit.army = army.army


# Responses to invasions: what a defender may answer, how it is read, what self-run nations do (p58, DA).


Side = list[ArmyEntry]
"""Armies of one nation or of allies that enter a province together."""


def head_of(side: Side) -> ArmyEntry:
    """The entry of the army first in natural order, which names its side."""
    return min(side, key=lambda entry: natural(entry.code))


def codes_of(side: Side) -> list[str]:
    """The codes of a side's armies."""
    return [entry.code for entry in side]


@dataclass
class Invasion:
    """A province that is invaded, the sides in their order, who can defend it, and what he may answer."""

    node: str
    owner: str
    sides: list[Side]
    standing: list[Army]
    near: list[Army]

    @property
    def side(self) -> Side:
        """The side that meets the defence; the others are turned back."""
        return self.sides[0]


def possible_responses(f: InvasionBoard, invasion: Invasion) -> ResponseKind:
    """The responses that an invasion allows."""
    owner, heads = invasion.owner, [head_of(side) for side in invasion.sides]
    standing, near = ([army.army for army in armies] for armies in (invasion.standing, invasion.near))
    fort = ("fort",) if f.provinces[invasion.node].fort and standing else ()
    levy = ("levy",) if not standing or f.fall_back(owner, invasion.node, f.invaded) else ()
    counters = [(head.code, army.army) for army in (*invasion.standing, *invasion.near) for head in heads
                if army.faction == owner and head.start in f.near(army.node) and f.cincs(army.army)
                and f.may_fight(f.nations[owner])]
    return ResponseKind(owner, (*fort, *levy), standing, near, counters, [head.code for head in heads])


def self_run_response(f: InvasionBoard, invasion: Invasion) -> Response:
    """The response of a self-run nation (rulebook: Nations that the rules play)."""
    standing = [army.army for army in invasion.standing]
    if everybody := [*standing, *(army.army for army in invasion.near)]:
        best = max(everybody, key=lambda army: clash_dice(f, army))
        fighting, against = dict.fromkeys([*standing, best]), clash_dice(f, *codes_of(invasion.side))
        if clash_dice(f, *fighting) * 100 >= Numbers.of(f).npc_fight_pct * against:
            return Response("fight", tuple(fighting))
    # Too weak to fight it tries first what `npc_weak` says, then the other.
    acts = sorted(possible_responses(f, invasion).acts, key=lambda act: act != Numbers.of(f).npc_weak)
    return Response(acts[0]) if acts else Response("fight", tuple(standing))


# From invasions to battles: mutual attacks, sides, responses, forts, ad-hoc armies (MV, DA).


# --- mutual attacks ---------------------------------------------------------------------------------
def mutual_attacks(f: InvasionBoard) -> None:
    """Armies of enemies that enter each other's start: the movement test says who is caught (MV)."""
    for x in list(f.entries):
        y = next((other for other in f.entries if x in f.entries and other.start == x.node and other.node == x.start
                  and f.at_war(x.faction, other.faction)), None)
        if y is not None:
            fight_mutual(f, x, y)


MOVE = counted(both("Army movements", "Movimenti d'armata"), "move/{Armies*}", dice="d6", again="/{n}")


def _movement_test(f: InvasionBoard, entry: ArmyEntry, again: int) -> Count:
    mods = {"advocate": int(f.any_has("movement_advocate", entry.code))}
    return f.success_test(MOVE, (entry.code,), f.lead_wr(entry.code), mods, again=again)


def fight_mutual(f: InvasionBoard, x: ArmyEntry, y: ArmyEntry) -> None:
    """Two invasions of each other's start become one battle."""
    for again in count(1):
        counts = {"x": _movement_test(f, x, again), "y": _movement_test(f, y, again)}
        contest = Contest(counts)
        if contest.winner or Numbers.of(f).move_tie == "row0" or not contest.rolls:
            break
    # Two successes more catch the other in the field; with one more the attack is open to a stroke back.
    row = "meeting" if not contest.winner else "field" if contest.by(2) else "open"
    f.tell("mutual", roll=contest, army=x.code, unit=y.code, n=counts["x"].total, m=counts["y"].total, row=row)
    if row == "meeting":
        # Nobody defends in a meeting; its place is that of the nation that comes first.
        first, second = sorted((x, y), key=lambda entry: f.codes.index(entry.faction))
        theirs = _entering_with(f, second)
        _lay_out(f, row, first, second.faction, [first, *_entering_with(f, first)],
                 [second.army, *(entry.army for entry in theirs)], (second, *theirs))
    else:
        attack, caught = (x, y) if contest.winner == "x" else (y, x)
        owner = f.provinces[attack.node].owner
        there = [army for army in f.standing(attack.node) if army.faction == owner and f.free_army(army)]
        _lay_out(f, row, attack, caught.faction, [attack, *_entering_with(f, attack)], [caught.army, *there])


def _entering_with(f: InvasionBoard, entry: ArmyEntry) -> list[ArmyEntry]:
    return [other for other in f.entries if other is not entry and other.node == entry.node
            and f.friend(entry.faction, other.faction)]


def _lay_out(f: InvasionBoard, kind: str, first: ArmyEntry, defender: str, attackers: list[ArmyEntry],
             defenders: list[Army], starts: Sequence[ArmyEntry] = ()) -> None:
    """Plan a battle; whose armies fight in it has nothing else to do."""
    fight = PlannedBattle(kind, first, defender, attackers, defenders, starts)
    f.fights.append(fight)
    armies = {*(entry.code for entry in (*fight.attackers, *fight.starts)), *(army.army for army in fight.defenders)}
    f.busy |= armies
    f.entries = [entry for entry in f.entries if entry.code not in armies]


# --- sides and answers ------------------------------------------------------------------------------
INVADERS = ROLLS.purpose(both("Order of invaders", "Ordine degli invasori"), "invaders/{Armies*}", again="/{n}")


def _sides(f: InvasionBoard, node: str) -> list[Side]:
    """The sides that enter a province; a die with WR decides which is first."""
    sides: list[Side] = []
    for entry in [entry for entry in f.entries if entry.node == node]:
        side = next((side for side in sides if f.friend(side[0].faction, entry.faction)), None)
        if side is None:
            sides.append([entry])
        else:
            side.append(entry)
    if len(sides) > 1:
        by = {head_of(side).code: side for side in sides}
        first, rolls = f.highest(INVADERS, (), list(by), lambda army: {"WR": f.lead_wr(*codes_of(by[army]))})
        f.tell("invaders", roll=rolls, army=first, node=node)
        sides.sort(key=lambda side: head_of(side).code != first)
    return sides


def resolve_responses(f: InvasionBoard) -> None:
    """Resolve invasions province by province, in natural order; all questions are asked together."""
    fought, invasions = {fight.node for fight in f.fights}, list[Invasion]()
    for node in in_natural_order({entry.node for entry in f.entries}):
        sides = _sides(f, node)
        # A province sees one battle a season: who comes where one is fought already is turned back.
        if node in fought:
            _turn_back(f, chain(*sides))
        else:
            invasions.append(_invasion(f, node, sides))
    offered = {invasion.node: possible_responses(f, invasion) for invasion in invasions}
    sieges = [siege for node in in_natural_order(f.reliefs) if (siege := f.siege_at(node)) is not None]
    answers = f.answers([
        *(_question(f, invasion, offered[invasion.node]) for invasion in invasions
          if not f.self_run(invasion.owner) and len(offered[invasion.node].answers()) > 1),
        *(Ask("relief", siege.besieger, siege.node, ("fight", "lift"), "fight",
              {"faction": siege.besieger, "node": siege.node,
               "armies": " ".join(entry.code for entry in f.reliefs[siege.node])})
          for siege in sieges if not f.self_run(siege.besieger))])
    used: dict[str, str] = {}
    plans = [(invasion, _decide(f, invasion, offered[invasion.node], answers.get(invasion.node, ""), used))
             for invasion in invasions]
    for invasion, response in plans:
        _carry_out_response(f, invasion, response, invasions)
    # A siege closes the ways through its province: what one answers may not depend on whose answer comes first.
    for invasion, response in plans:
        if response.act == "fort" and f.season != "Wi":
            _begin_siege(f, invasion)
    for siege in sieges:
        _relieve(f, siege, answers.get(siege.node, Numbers.of(f).npc_relief))


def _invasion(f: InvasionBoard, node: str, sides: list[Side]) -> Invasion:
    """An invasion with those who can defend: who stands there, and the owner's armies within `respond_reach`."""
    owner = f.provinces[node].owner
    standing = [army for army in f.standing(node) if f.friend(owner, army.faction) and f.free_army(army)]
    places = {place.node for place in f.of(owner) if place.node != node}
    near = [army for army in f.armies_of(owner) if army.node in places and f.cincs(army.army) and f.free_army(army)
            and f.game.map.distances(army.node).get(node, FAR) <= Numbers.of(f).respond_reach]
    return Invasion(node, owner, sides, standing, near)


def _question(f: InvasionBoard, invasion: Invasion, offered: ResponseKind) -> Ask:
    head, armies = head_of(invasion.side), codes_of(invasion.side)
    lead = f.lead(*armies)
    return Ask("response", invasion.owner, invasion.node, offered.answers(), offered.usual, {
        "faction": invasion.owner, "armies": " ".join(armies), "by": head.faction, "k": len(f.units_in(*armies)),
        "leader": lead.leader if lead is not None else "", "w": f.wr_now(lead), "node": invasion.node,
        "start": head.start}, answer=offered)


def _decide(f: InvasionBoard, invasion: Invasion, offered: ResponseKind, answer: str, used: dict[str, str]) -> Response:
    """The answer that counts; an army serves one province (BLD-051)."""
    away = [army for army in invasion.standing if army.army in used]
    invasion.standing = [army for army in invasion.standing if army.army not in used]
    if f.self_run(invasion.owner):
        invasion.near = [army for army in invasion.near if army.army not in used]
        response = self_run_response(f, invasion)
    else:
        response = Response.of(answer or (offered.answers() or ("levy",))[0])
    late = [army for army in response.armies if army in used]
    for code in dict.fromkeys([*late, *(army.army for army in away)]) if answer else ():
        row = f.game.row_of(Ask("response", invasion.owner, invasion.node))
        f.find("BLD-051", row, "answer", invasion.owner, army=code, a=used[code], b=invasion.node)
    armies = tuple(army for army in response.armies if army not in late)
    used.update(dict.fromkeys((*armies, *(army.army for army in invasion.standing)), invasion.node))
    act = response.act
    if (late or away) and not (armies if act == "counter" else invasion.standing or armies):
        act = "fight" if invasion.standing else "levy"
    return Response(act, armies, response.invader)


def _turn_back(f: InvasionBoard, entries: Iterable[ArmyEntry]) -> None:
    for entry in entries:
        f.tell("turned_back", army=entry.code, node=entry.node)


def _carry_out_response(f: InvasionBoard, invasion: Invasion, response: Response, invasions: list[Invasion]) -> None:
    """Carry out a response; in a province that has a battle already the invaders turn back."""
    if any(fight.node == invasion.node for fight in f.fights):
        _turn_back(f, [entry for entry in chain(*invasion.sides) if entry in f.entries])
        return
    if response.invader:
        invasion.sides.sort(key=lambda side: head_of(side).code != response.invader)
    f.tell("response", faction=invasion.owner, node=invasion.node, option=response.act, army=" ".join(response.armies))
    _turn_back(f, chain(*invasion.sides[1:]))
    if response.act == "fight":
        named = [f.armies[code] for code in response.armies]
        _fight_in_field(f, invasion, list({army.army: army for army in (*invasion.standing, *named)}.values()))
    elif response.act == "fort":
        _retire_into_fort(f, invasion)
    elif response.act == "counter":
        _counter(f, invasion, f.armies[response.armies[0]], invasions)
    else:
        _fall_back(f, invasion)
        _fight_levy(f, invasion.owner, invasion.side)


def _fight_in_field(f: InvasionBoard, invasion: Invasion, there: list[Army]) -> None:
    for army in there:
        army.node = invasion.node
    _lay_out(f, "field", head_of(invasion.side), invasion.owner, invasion.side, there)


def _fight_levy(f: InvasionBoard, owner: str, side: Side) -> None:
    head = head_of(side)
    _lay_out(f, "levy", head, owner, side, [raise_levy(f, owner, head.node)])


def refuse_battle(f: InvasionBoard, code: str, node: str) -> None:
    """Count a refused battle against the people's will (WF)."""
    nation = f.nations[code]
    nation.refused_season, nation.refused_year = nation.refused_season + 1, nation.refused_year + 1
    f.tell("refused_battle", faction=code, node=node, n=nation.refused_year)


def _retire_into_fort(f: InvasionBoard, invasion: Invasion) -> None:
    """The defenders shut themselves in; in Winter the invaders loot and go."""
    refuse_battle(f, invasion.owner, invasion.node)
    f.busy |= {army.army for army in invasion.standing}
    # In Winter nobody lies before a fort: the raiders loot without a battle and go home (TS-Wi5).
    if f.season == "Wi":
        invader = head_of(invasion.side).faction
        f.provinces[invasion.node].looted_turn = f.turn
        loot(f, codes_of(invasion.side), invader)
        f.tell("raided", faction=invader, node=invasion.node)


def _begin_siege(f: InvasionBoard, invasion: Invasion) -> None:
    """Begin a siege, after all responses; an army that was to go back stays at its start."""
    staying = [entry for entry in invasion.side if entry.besiege]
    for entry in staying:
        entry.army.node = invasion.node
    if staying:
        head = head_of(staying)
        f.lay_siege(invasion.node, head.faction, codes_of(staying), [army.army for army in invasion.standing],
                    head.start)


def _fall_back(f: InvasionBoard, invasion: Invasion) -> None:
    """The defenders leave the province, which counts as a refused battle."""
    if invasion.standing:
        refuse_battle(f, invasion.owner, invasion.node)
    for army in invasion.standing:
        place = f.fall_back(army.faction, invasion.node, f.invaded) or next(
            (near for near in f.near(invasion.node) if near not in f.invaded and f.open_ground(army.faction, near)), "")
        if place:
            army.node = place
            f.tell("marched", rule="p58", army=army.army, node=place)
        f.busy.add(army.army)


def _counter(f: InvasionBoard, invasion: Invasion, army: Army, invasions: list[Invasion]) -> None:
    """Invade back: a mutual attack from the province itself, else an invasion of the invader's start."""
    side, head = invasion.side, head_of(invasion.side)
    start = head.start
    back = ArmyEntry(army, start, army.node)
    f.tell("invasion", army=back.code, node=start, start=back.start)
    f.busy.add(back.code)
    mark_invaded(f, start)
    # Others may invade the same province, and it sees one battle.
    elsewhere = next(iter([*(fight.attackers for fight in f.fights if fight.node == start),
                           *(other.side for other in invasions if other.node == start)]), list[ArmyEntry]())
    beside = bool(elsewhere) and f.friend(elsewhere[0].faction, back.faction)
    if army.node == invasion.node and elsewhere and not (beside and elsewhere[0] in f.entries):
        _turn_back(f, [back])
        _fight_in_field(f, invasion, invasion.standing)
    elif army.node == invasion.node:
        fight_mutual(f, head, back)
        caught = [entry for entry in side if entry in f.entries and entry.start == f.fights[-1].node]
        f.fights[-1].defenders += [entry.army for entry in caught]
        f.entries = [entry for entry in f.entries if entry not in caught]
        _turn_back(f, [entry for entry in side if entry in f.entries])
    else:
        owner = f.provinces[start].owner
        there = [other for other in f.standing(start) if f.friend(owner, other.faction) and f.free_army(other)]
        if beside:
            elsewhere.append(back)
        elif elsewhere:
            _turn_back(f, [back])
        elif there:
            _lay_out(f, "field", back, owner, [back], there)
        else:
            _fight_levy(f, owner, [back])
        # Who strikes back at another place leaves the invaded province to a local lord (DA).
        _fall_back(f, invasion)
        _fight_levy(f, invasion.owner, side)


def _relieve(f: InvasionBoard, siege: Siege, option: str) -> None:
    """The besieger fights those who come to relieve, or lifts the siege."""
    node, entries = siege.node, f.reliefs[siege.node]
    f.tell("response", rule="LS", faction=siege.besieger, node=node, option=option, army="")
    if option == "lift":
        refuse_battle(f, siege.besieger, node)
        f.lift_siege(siege)
        for entry in entries:
            entry.army.node = node
            f.tell("marched", rule="LS", army=entry.code, node=node)
    else:
        _lay_out(f, "relief", head_of(entries), siege.besieger, entries,
                 [f.armies[code] for code in siege.armies_out.split() if code in f.armies])


# --- the list of battles ----------------------------------------------------------------------------
def list_battles(f: InvasionBoard) -> None:
    """Number the battles by province; a result that came early is kept."""
    for n, fight in enumerate(sorted(f.fights, key=lambda fight: natural(fight.node)), 1):
        ident = f"{f.turn}-{n}"
        # Its result may have been typed before the battle was listed.
        row = f.battles.get(ident) or f.battles.add(Battle(battle=ident))
        row.turn, row.node, row.kind, row.status = f.turn, fight.node, fight.kind, "open"
        row.attacker, row.defender, row.start_node = fight.first.faction, fight.defender, fight.first.start
        row.attacker_armies = " ".join(in_natural_order(entry.code for entry in fight.attackers))
        row.defender_armies = " ".join(in_natural_order(army.army for army in fight.defenders))
        row.starts = " ".join(f"{entry.code}={entry.start}" for entry in (*fight.attackers, *fight.starts))
        row.back = " ".join(in_natural_order(entry.code for entry in fight.attackers if not entry.besiege))
        row.raid = f.season == "Wi" and fight.kind != "relief" and f.nations[row.attacker].has_trait("winter_war")
        f.tell("battle", battle=ident, node=row.node, by=row.attacker, opponent=row.defender, kind=row.kind)
        ours, theirs = f.units_in(*row.attacker_armies.split()), f.units_in(*row.defender_armies.split())
        f.tell("arrayed", battle=ident, n=len(ours), m=sum(unit.mount == "mounted" for unit in ours), k=len(theirs),
               l=sum(unit.mount == "mounted" for unit in theirs))
