"""What Il Giglio asks: wording in English, what each answer is, what may stand until changed (rulebook: Questions).

The Italian stands in the catalogue `giglio.po`. Fields in {braces} are the data of the question.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Army, Faction, Node
from assistant.rulesets.giglio.book.records import OBJECTIVES
from assistant.turn.answers.answer_kinds import Amount, Codes, Option, Parts, Shares
from assistant.turn.answers.asking import QuestionType, Told
from assistant.turn.texts import keyed

# the words in which a question may be answered -> the option that they mean; of a verb one form will do
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
AIMS: Mapping[str, str] = {**{italian: code for code, italian in OBJECTIVES.items()}, "none": "no_objective",
                           "nessuno": "no_objective"}

_WRONG = Told("GIG-100")
_NO_WAY_BACK = Told("GIG-109", {"node": "answer", "list": "options"})
_SUM = Told("GIG-108", {"sum": "sum", "loss": "loss"})
_COMPANIES = Told("GIG-107", {"sum": "sum", "unit": "army", "value": "value"})
_MOVE_ORDER = Told("GIG-106", {"missing": "missing"})


def _another(view: Campaign, faction: str) -> str:
    """The first other faction with a club: whom one may meet, and who may offer a treaty."""
    return next((f.faction for f in view.table(Faction) if f.faction != faction and f.role not in CLUBLESS), "")


def _meeting(view: Campaign, faction: str) -> str:
    """Where an army of one's own stands, and another faction."""
    here = next((a.node for a in view.table(Army) if a.faction == faction and a.node), "")
    other = _another(view, faction)
    return f"{here}/{other}" if here and other else ""


def _siege(view: Campaign, faction: str) -> str:
    """A place of another faction's, where one might lay siege: one's own siege, where there is one."""
    own = next((s.node for s in view.by_sheet("Sieges") if s.besieger == faction), "")
    other = _another(view, faction)
    return own or next((n.node for n in view.table(Node) if other in n.owners), "")


QUESTIONS: Mapping[str, QuestionType] = keyed(
    QuestionType("ally_confirm", "{f:the} {f?offers|offer} a treaty until {y}, {passage}: {terms}",
                 ("y", {"-": "{f:the} {f?offers|offer} a treaty without end, {passage}: {terms}"}), ACCEPT,
                 stands=Option(("refuse",)), wrong=_WRONG, means={"f": "faction"}, early=_another),
    QuestionType("move_order", "You are Strategos: in which order do the factions move this summer?",
                 answer=Codes(every=True, instead=DRAW), wrong=_MOVE_ORDER),
    QuestionType("companies", "Epidemic {node:at}: list the companies of {army} ({value}).",
                 answer=Parts(instead=BLOCKS), wrong=_COMPANIES),
    QuestionType("spy", "Your {k} {k?spy|spies} can look at {k} of these: {list}.",
                 ("k", {"1": "Your spy can look at one of these: {list}."}), answer=Codes(), wrong=_WRONG),
    QuestionType("choice", "{node}: you meet {opponent:the}. Your choice: {options}?", answers=CHOICES,
                 stands=Option(("stop", "retreat", "attack", "shut_in")), wrong=_WRONG, early=_meeting),
    QuestionType("battle_result",
                 "{a:the} against {b:the} {node:at}: the result of {battle}. Type it on the sheet Battles.",
                 wrong=_WRONG, means={"a": "faction", "b": "faction"}),
    QuestionType("allot", "{loss} {loss?ducat|ducats} lost: from which armies?", answer=Shares(), wrong=_SUM),
    QuestionType("retreat_to", "Where does {army} go back to?", wrong=_NO_WAY_BACK),
    QuestionType("bribe", "Siege of {node:the}: it falls on {target}. Before the die: {mods}. "
                          "How many ducats for bribes, {step} for each +1?",
                 answer=Amount(), stands=Amount(), wrong=_WRONG, early=_siege),
    QuestionType("betrayal", "{suspect:the} against {other:the} ({what}): was the treaty betrayed?",
                 ("what", {"attack": "{suspect:the} attacked {other:the}: was the treaty betrayed?"}), YES_NO,
                 wrong=_WRONG, means={"other": "faction"}),
    QuestionType("secret_objective",
                 "Which secret objective does {faction:the} choose? The order objective in the first spring's budget "
                 "does as well.", answers=AIMS, wrong=_WRONG),
    QuestionType("confiscation", "{due} {due?ducat falls due|ducats fall due} to the bank, and the chest will not do."
                                 " What does it take "
                 "first of {faction:the}? Of an army it takes what is owed, of a fleet or of walls all.",
                 answer=Codes(instead=("book_order",)), wrong=_WRONG),
    QuestionType("hand", "Who has the hand {node:at}?", wrong=_WRONG),
)
