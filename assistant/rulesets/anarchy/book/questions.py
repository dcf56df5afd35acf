"""What The Anarchy asks (rulebook: Questions), and the words of choices and answers: in goes a word, out its code.

The Italian stands in `anarchy.po`. Fields in {braces} are the data of the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from assistant.campaign.campaign import Campaign
from assistant.rulesets.anarchy.book.records import Faction
from assistant.turn.answers.answer_kinds import Amount, Option, Text
from assistant.turn.answers.asking import QuestionType, Told
from assistant.turn.orders.words import fold
from assistant.turn.texts import Meaning, keyed

DAY = "day"
"""What stands in the column For of all orders: they are written for a whole day."""
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
    """The code of a choice in either language; a word that is none comes back as typed, folded."""
    folded = fold(word)
    return CHOICES.get(folded, folded)


MOST_PROMISED = 999
BY_CODE: Mapping[str, Meaning] = MappingProxyType({"battle": "text"})
"""A battle whose place stands beside it goes by its code."""


def of_one_side(campaign: Campaign, one: str, other: str) -> bool:
    """Whether two factions play one side: their clubs answer for each other."""
    sides = {row.faction: row.side or row.faction for row in campaign.table(Faction)}
    return sides.get(one, one) == sides.get(other, other)


_asked = partial(QuestionType, answers=CHOICES, speaks=of_one_side,
                 wrong=Told("ANA-901", {"x": "answer", "options": "options"}),
                 by_default=Told("ANA-903", {"question": "question", "default": "default"}))
"""A kind of question of the rulebook page: answered in either language, by a number or with ``default``."""

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
