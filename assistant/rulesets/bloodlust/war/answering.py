"""Responses to invasions: what each defender may answer, how an answer is read, what self-run nations do (p58, DA)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.campaign.order import in_natural_order
from assistant.rulesets.bloodlust.book.records import Army
from assistant.rulesets.bloodlust.orders.columns import full
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.rulesets.bloodlust.war.invading import Entry, Frontier
from assistant.turn.answers.answer_kinds import Kind, Offer, Unfit
from assistant.turn.orders.words import fold

REFUSING = {"fort": ("fort", "levy"), "levy": ("levy", "fort")}
"""What a self-run nation does that is too weak to fight, the first that it can (`npc_weak`)."""
WORDS = {"combatti": "fight", "combatte": "fight", "combattere": "fight", "forte": "fort", "contrattacca": "counter",
         "contrattacco": "counter", "leva": "levy", "invasore": "invader", "battle": "fight"}


@dataclass(frozen=True)
class Choice:
    """What a defender answers: the act, the armies named, and the invader whom he means to meet."""

    act: str
    armies: tuple[str, ...] = ()
    invader: str = ""

    def __str__(self) -> str:
        return " ".join([self.act, *self.armies, *(["invader", self.invader] if self.invader else [])])

    @classmethod
    def of(cls, text: str) -> Choice:
        """A choice as it is written."""
        act, *rest = text.split()
        invader = rest.pop() if "invader" in rest else ""
        return cls(act, tuple(word for word in rest if word != "invader"), invader)


@dataclass(frozen=True)
class Responses(Kind[str]):
    """The answers to one invasion. `standing`, `near`: armies; `acts`: those allowed; `counters`: who may invade back,
    each behind the first army of the side; `invaders`: the first armies of the sides in their order. Without a
    `faction` only the question's list is known: good may be what begins as one of it does and goes on with codes.
    """

    faction: str = ""
    acts: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    counters: tuple[tuple[str, str], ...] = ()
    invaders: tuple[str, ...] = ()

    def read(self, text: str, offer: Offer) -> str:
        """Act, armies, invader. Raises `Unfit` for what does not go together."""
        if not self.faction:
            said, *rest = (WORDS.get(fold(word), fold(word)) for word in re.split(r"[\s,;+]+", text.strip()))
            if said not in {option.split()[0] for option in offer.options} or any(
                    word != "invader" and not re.search(r"\d", word) for word in rest):
                raise Unfit
            return text
        act, armies, invader, mode = "", list[str](), "", ""
        for word in re.split(r"[\s,;+]+", text.strip()):
            said = WORDS.get(fold(word), fold(word))
            code = full(word, self.faction)
            if said in ("fight", "fort", "counter", "levy") and not act:
                act, mode = said, "armies"
            elif said == "invader" and not invader:
                mode = "invader"
            elif mode == "invader" and self._invader(word):
                invader, mode = self._invader(word), ""
            elif mode == "armies" and code in (*self.standing, *self.near):
                armies.append(code)
            elif word:
                raise Unfit
        if invader and not act:
            act = "fight" if self.standing else "levy"
        if mode == "invader" or not self._allowed(act, armies, invader):
            raise Unfit
        return str(Choice(act, tuple(dict.fromkeys(armies)), invader))

    def _invader(self, word: str) -> str:
        return next((code for code in self.invaders if code.casefold() == word.casefold()), "")

    def _allowed(self, act: str, armies: list[str], invader: str) -> bool:
        if act == "fight":
            return bool(self.standing or armies)
        if act == "counter":
            return len(armies) == 1 and (invader or self.invaders[0], armies[0]) in self.counters
        return act in self.acts and not armies

    def words(self) -> tuple[str, ...]:
        """What may be answered, for the question's list."""
        fights = ["fight"] if self.standing else []
        return (*fights, *(f"fight {army}" for army in self.near), *self.acts,
                *dict.fromkeys(f"counter {army}" for _, army in self.counters),
                *(f"invader {army}" for army in self.invaders if len(self.invaders) > 1))


@dataclass
class Side:
    """Armies of one nation or of allies that enter a province together."""

    entries: list[Entry]

    @property
    def head(self) -> Entry:
        """The army first in natural order, by which the side is called."""
        first = in_natural_order(entry.army.army for entry in self.entries)[0]
        return next(entry for entry in self.entries if entry.army.army == first)

    @property
    def armies(self) -> list[str]:
        """Their codes."""
        return [entry.army.army for entry in self.entries]


@dataclass
class Invasion:
    """A province that is invaded, the sides in their order, and who can defend it."""

    node: str
    owner: str
    sides: list[Side]
    standing: list[Army]
    near: list[Army]


def clash_dice(f: Realm, *armies: str) -> int:
    """The strength of a side off the table: WR of its lead, a die for so much REP, its best hero (rulebook: Melee)."""
    heroes = f.leaders.where(lambda one: one.rank == "hero" and one.state == "active" and one.army in armies)
    return (f.wr_now(f.lead(*armies)) + sum(unit.rep for unit in f.units_in(*armies)) // f.rules.auto_die_rep
            + max((hero.wr for hero in heroes), default=0))


def possible(f: Frontier, invasion: Invasion) -> Responses:
    """What may be answered to an invasion."""
    node, owner = f.provinces[invasion.node], invasion.owner
    fort = ("fort",) if node.fort and invasion.standing else ()
    levy = ("levy",) if not invasion.standing or may_fall_back(f, owner, invasion.node) else ()
    heads = [side.head for side in invasion.sides]
    counters = [(head.army.army, army.army) for army in (*invasion.standing, *invasion.near) for head in heads
                if army.faction == owner and head.start in f.near(army.node) and f.cincs(army.army)
                and f.invades(f.nations[owner])]
    return Responses(owner, (*fort, *levy), tuple(army.army for army in invasion.standing),
                     tuple(army.army for army in invasion.near), tuple(counters),
                     tuple(head.army.army for head in heads))


def may_fall_back(f: Frontier, code: str, node: str) -> bool:
    """Whether those who stand in a province could leave it for one that is not invaded."""
    return any(f.provinces[near].owner == code and not f.besieged(near) and near not in f.invaded
               for near in f.near(node))


def rules_choice(f: Frontier, invasion: Invasion, offered: Responses) -> Choice:
    """What a self-run nation answers: fight, else what its rules say (rulebook: Nations that the rules play)."""
    standing = [army.army for army in invasion.standing]
    everybody = [*invasion.standing, *invasion.near]
    against = clash_dice(f, *invasion.sides[0].armies)
    if everybody:
        best = max(everybody, key=lambda army: clash_dice(f, army.army)).army
        fighting = list(dict.fromkeys([*standing, best]))
        if clash_dice(f, *fighting) * 100 >= f.rules.npc_fight_pct * against:
            return Choice("fight", tuple(fighting))
    act = next((one for one in REFUSING[f.rules.npc_weak] if one in offered.acts), "")
    return Choice(act) if act else Choice("fight", tuple(standing))
