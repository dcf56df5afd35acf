"""The order words of The Anarchy in both languages (digest, section 4), and the words of their choices."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from assistant.turn.ruleset import Verb

ORDERS_WORD = "day"
"""The one word of the column For: all orders of a day are written before the day."""
_DAY = (ORDERS_WORD,)

VERBS: Mapping[str, Verb] = {one.en: one for one in (
    Verb("SUPPLY", "PROVVISTE", ("unit", "choice"), _DAY, "Where a group eats first: place, convoy, or none."),
    Verb("POSTURE", "ATTEGGIAMENTO", ("unit", "choice"), _DAY,
         "Standing choices: on_meeting=attack, pass, ask; if_attacked=fight, refuse, shut_in, ask; "
         "joins=yes, no, ask."),
    Verb("COLLECT", "RACCOGLI", ("unit",), _DAY, "Take back the healed men of this place."),
    Verb("SPLIT", "DIVIDI", ("unit", "target", "men", "amount", "choice", "note"), _DAY,
         "Make a new group (target: its id) of men, pounds and nobles; note: its name."),
    Verb("TRANSFER", "TRASFERISCI", ("unit", "target", "men", "amount", "choice"), _DAY,
         "Hand men, pounds and nobles to another group in the hex."),
    Verb("MERGE", "UNISCI", ("unit", "target", "choice"), _DAY, "Join another group in the hex; choice: who commands."),
    Verb("GARRISON", "GUARNIGIONE", ("unit", "target", "men", "choice"), _DAY,
         "Put men into an own castle, or take them out: in, out."),
    Verb("ATTACH", "AGGREGA", ("unit", "target"), _DAY, "Take mercenaries, a convoy or a train under a group."),
    Verb("DETACH", "STACCA", ("unit", "target"), _DAY, "Let mercenaries, a convoy or a train go alone."),
    Verb("PAY", "PAGA", ("unit", "target"), _DAY, "Pay mercenaries who were promised loot."),
    Verb("ESCORT", "SCORTA", ("unit", "target", "men"), _DAY, "Escort captives, whole or with detached men."),
    Verb("RANSOM", "RISCATTO", ("unit", "target"), _DAY, "Buy a noble free."),
    Verb("CONVOY", "CONVOGLIO", ("unit", "target", "amount", "note"), _DAY, "Make a convoy (unit: its id) at a place."),
    Verb("LOAD", "CARICA", ("unit", "target", "amount"), _DAY, "Load points from a place into a convoy."),
    Verb("UNLOAD", "SCARICA", ("unit", "target", "amount"), _DAY, "Unload points from a convoy at a place."),
    Verb("MOVE", "MUOVI", ("unit", "path", "choice"), _DAY,
         "March: hexes, directions, or one far hex or place; choice: attack, pass, ask."),
    Verb("HOLD", "RESTA", ("unit",), _DAY, "Stand where the group is."),
    Verb("MERCS", "MERCENARI", ("unit", "path"), _DAY, "Move unhired mercenaries towards the nearest group."),
    Verb("RECRUIT", "RECLUTA", ("unit", "target", "node", "men"), _DAY, "Recruit light foot and peasants."),
    Verb("ENGINEER", "INGEGNERE", ("unit", "target", "node"), _DAY, "Hire an engineer in a town."),
    Verb("PROVISION", "RIFORNISCI", ("unit", "target", "node"), _DAY, "Draw tomorrow's food now."),
    Verb("BUY", "COMPRA", ("unit", "target", "node", "amount"), _DAY, "Buy food from a neutral convoy that is met."),
    Verb("TAKE", "PRENDI", ("unit", "target", "node"), _DAY, "Take an unescorted convoy or train that is met."),
    Verb("HIRE", "ASSOLDA", ("unit", "target", "node"), _DAY, "Pay unhired mercenaries who are met."),
    Verb("PROMISE", "PROMETTI", ("unit", "target", "node", "amount"), _DAY, "Promise loot to mercenaries who are met."),
    Verb("LURE", "DISTOGLI", ("unit", "target", "node"), _DAY, "Win over the enemy's mercenaries who are met alone."),
    Verb("ATTACK", "ATTACCA", ("unit", "target", "node"), _DAY, "Attack a group."),
    Verb("SACK", "SACCHEGGIA", ("unit", "target", "node", "amount"), _DAY,
         "Sack a village or monastery; amount: points to loot."),
    Verb("BESIEGE", "ASSEDIA", ("unit", "target", "node"), _DAY, "Lie down before an enemy castle."),
    Verb("ASSAULT", "ASSALTA", ("unit", "target", "node"), _DAY, "Storm an enemy castle."),
    Verb("ENTER", "ENTRA", ("unit", "target", "node"), _DAY, "Go into an own castle."),
    Verb("SALLY", "SORTITA", ("unit",), _DAY, "Attack the besiegers from inside."),
    Verb("LIFT", "LEVA", ("unit",), _DAY, "Give up a siege and stay."),
    Verb("SURRENDER", "ARRENDITI", ("unit",), _DAY, "Give a castle up."),
)}
"""The verbs by their English word, in the order of the digest."""

ACTS = ("RECRUIT", "ENGINEER", "PROVISION", "ATTACK", "SACK", "ASSAULT", "BESIEGE", "ENTER")
"""What a group does on a hex during its march, in this sequence."""
DEALS = ("BUY", "TAKE", "HIRE", "PROMISE", "LURE")
"""Acts that answer a question in advance."""
FIGHTING = ("ATTACK", "SACK", "ASSAULT", "BESIEGE", "HIRE", "PROMISE", "LURE", "RECRUIT", "ENGINEER")
MARCHES = ("MOVE", "HOLD", "MERCS")
PHASE_VERBS: Mapping[str, tuple[str, ...]] = {
    "provisions": ("SUPPLY",),
    "reorganise": ("POSTURE", "COLLECT", "SPLIT", "TRANSFER", "MERGE", "GARRISON", "ATTACH", "DETACH", "PAY", "ESCORT"),
    "ransoms": ("RANSOM",),
    "convoys": ("UNLOAD", "LOAD", "CONVOY"),
    "movement": ("MOVE", "HOLD", "MERCS", "SALLY", "LIFT", *ACTS, *DEALS),
    "close": ("SURRENDER",),
}
"""Which orders each phase reads, in the sequence in which it carries them out."""

CHOICES: Mapping[str, str] = {
    "attacca": "attack", "attacco": "attack", "passa": "pass", "chiedi": "ask", "combatte": "fight",
    "combatti": "fight", "rifiuta": "refuse", "si_chiude": "shut_in", "chiudi": "shut_in", "chiuditi": "shut_in",
    "si": "yes", "entra": "in", "esce": "out", "esci": "out", "dentro": "in", "fuori": "out", "luogo": "place",
    "convoglio": "convoy", "nessuno": "none", "niente": "none", "nessuna": "none", "prendi": "take", "brucia": "burn",
    "paga": "pay", "ritirati": "withdraw", "ritira": "withdraw", "inserito": "entered", "giocata": "entered",
    "all_incontro": "on_meeting", "incontro": "on_meeting", "se_attaccato": "if_attacked", "attaccato": "if_attacked",
    "si_aggiunge": "joins", "aggiunge": "joins", "compra": "buy", "prometti": "promise", "promette": "promise",
    "bottino": "loot", "saccheggia": "loot", "stacca": "detach", "liberi": "free", "libera": "free", "liberati": "free",
    "uccisi": "killed", "uccide": "killed", "trattenuti": "held", "trattiene": "held", "restano": "stay",
    "via": "give_way", "cedono": "give_way", "abbandonate": "abandon", "bruciano": "burn",
    "dadi": "auto", "si_ritira": "withdraw", "prende": "take", "resta": "hold", "libero": "free", "ucciso": "killed",
    "prima_gli_uomini": "men", "uomini": "men", "prima_i_nobili": "nobles", "nobili": "nobles",
}
"""Italian words of choices and answers -> the code."""

DEFAULTS = ("default", "predefinita", "predefinito")
"""Words that take the default of a question."""

_MORE = {"SUPPLIES": "SUPPLY", "MARCH": "MOVE", "MARCIA": "MOVE", "STAY": "HOLD", "FERMO": "HOLD", "RANSOMS": "RANSOM",
         "FERMA": "HOLD", "LOOT": "SACK", "STORM": "ASSAULT", "SIEGE": "BESIEGE", "MERCENARIES": "MERCS"}


def fold(word: str) -> str:
    """A word without case, accents and outer blanks; inner blanks, hyphens and apostrophes become ``_``."""
    bare = unicodedata.normalize("NFKD", word.strip().casefold())
    return re.sub(r"[\s_'’-]+", "_", "".join(c for c in bare if not unicodedata.combining(c)))


_WORDS = {**{fold(k): v for k, v in _MORE.items()}, **{fold(v.it): v.en for v in VERBS.values()},
          **{fold(v.en): v.en for v in VERBS.values()}}


def canonical_verb(word: str) -> str:
    """The English verb of a word in either language, or ""."""
    return _WORDS.get(fold(word), "")


def choice_code(word: str) -> str:
    """The code of a choice in either language; a word that is none comes back as typed, folded."""
    folded = fold(word)
    return CHOICES.get(folded, folded)


__all__ = ["ACTS", "CHOICES", "DEALS", "DEFAULTS", "FIGHTING", "MARCHES", "ORDERS_WORD", "PHASE_VERBS", "VERBS",
           "canonical_verb", "choice_code", "fold"]
