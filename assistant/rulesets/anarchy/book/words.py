"""The words of choices and answers in both languages: in goes a word, out its code."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.orders.words import fold

DAY = "day"
"""What stands in the column For of all orders: they are written for a whole day."""
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


def choice_code(word: str) -> str:
    """The code of a choice in either language; a word that is none comes back as typed, folded."""
    folded = fold(word)
    return CHOICES.get(folded, folded)
