"""Who did it to whom and why, in sentences of Bloodlust, Fantasy Warriors and Il Giglio."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.rulesets.bloodlust.recruiting import italian_levy
from assistant.turn.rulebooks import load
from assistant.wording import Wording

NAMES = {"PIO": "Piorad", "SEK": "Sekeker", "SEK-c1": "Keth", "V3": "Castra Nova", "DER-u2": "Pikemen (DER-u2)",
         "DER-u4": "Militia (DER-u4)", "D1": "Durnhold Guard", "N02": "Durnhold", "O2": "Fangwood Raiders",
         "M1a": "Knights", "V": "Venice", "P": "Papal State", "S": "Spain", "B1": "the battle of Longbridge"}


def told(book: str, lang: str, event: str, **data: Any) -> str:
    """An event as a sentence."""
    return Wording(load(book), lang, NAMES).event(Event(event=event, data=data))


@pytest.mark.parametrize(("book", "event", "data", "english", "italian"), [
    ("bloodlust", "fate", {"leader": "SEK-c1", "ended": "captured", "faction": "SEK", "by": "PIO"},
     "Piorad captures Keth of Sekeker.", "Piorad cattura Keth, di Sekeker."),
    ("bloodlust", "fate", {"leader": "SEK-c1", "ended": "dead", "faction": "SEK", "by": "PIO"},
     "Keth of Sekeker is killed.", "Muore Keth, di Sekeker."),
    ("bloodlust", "fate", {"leader": "SEK-c1", "outcome": "dead"}, "Keth: dead.", "Keth: morto."),
    ("bloodlust", "siege_ends", {"node": "V3", "besieger": "SEK", "how": "relieved"},
     "Castra Nova is relieved: the siege by Sekeker is over.",
     "Castra Nova riceve soccorso: è finito l'assedio di Sekeker."),
    ("bloodlust", "disband_tests", {"units": "DER-u2 DER-u4", "faction": "DER"},
     "Disband or Not: these go home: Pikemen (DER-u2), Militia (DER-u4).",
     "Congedo invernale: tornano a casa Pikemen (DER-u2), Militia (DER-u4)."),
    ("bloodlust", "foraged", {"unit": "DER-u4", "found": "fed_exhausted", "n": 1},
     "Militia (DER-u4) forages and finds enough, but is exhausted.",
     "La Militia (DER-u4) foraggia e trova di che nutrirsi, ma resta esausta."),
    ("bloodlust", "foraged", {"unit": "DER-u2", "found": "none", "n": 0},
     "Pikemen (DER-u2) forage and find nothing.", "Pikemen (DER-u2) foraggia e non trova nulla."),
    ("bloodlust", "counter_reset", {"unit": "DER-u2"},
     "After a lost battle Pikemen (DER-u2) count their victories from 0 again.",
     "Dopo una sconfitta Pikemen (DER-u2) conta di nuovo le vittorie da 0."),
    ("bloodlust", "morale", {"faction": "SEK", "a": 5, "b": 4},
     "The season (battles, provinces lost, armies that collapsed) moves the morale of Sekeker from 5 to 4.",
     "La stagione (battaglie, province perdute, armate crollate) porta il morale di Sekeker da 5 a 4."),
    ("incursio", "work_delayed", {"structure": "Mine", "node": "Altaguardia"},
     "Works a day late at Altaguardia: Mine. Sabotage by the raiders does that.",
     "Lavori in ritardo di un giorno ad Altaguardia: Mine. È l'effetto di un sabotaggio degli incursori."),
    ("warriors", "collapsed", {"army": "D1", "faction": "P", "why": "collapsed", "by": "O2"},
     "Durnhold Guard of the Papal State is no more: it collapses at the contact with the Fangwood Raiders.",
     "Durnhold Guard di Papal State: la Forza non c'è più, è crollata al contatto con Fangwood Raiders."),
    ("bloodlust", "disband_tests", {"units": "", "faction": "DER"},
     "Disband or Not: nobody goes home.", "Congedo invernale: non torna a casa nessuno."),
    ("warriors", "move_refused", {"army": "D1", "node": "N02", "why": "defend"},
     "Durnhold Guard stays in Durnhold: the order is to defend.",
     "Durnhold Guard resta a Durnhold: l'ordine è di difendere."),
    ("warriors", "reaction", {"army": "O2", "reaction": "confused"},
     "Fangwood Raiders, beaten, are confused: until they take a new order, all Units begin a battle disorganised.",
     "Fangwood Raiders: la Forza, battuta, è confusa; finché non riceve un nuovo ordine, tutte le Unità iniziano una "
     "battaglia disorganizzate."),
    ("warriors", "dug", {"army": "D1", "points": 0},
     "Durnhold Guard has no field works any more: only a Force on defend that does not move has any.",
     "Durnhold Guard non ha più opere da campo: ne ha solo una Forza in difesa che non si muove."),
    ("warriors", "losses", {"unit": "M1a", "dead": 0, "wounded": 0, "deserted": 0, "figures": 14},
     "Knights have no losses: 14 left.", "Knights non ha perdite: ne restano 14."),
    ("warriors", "losses", {"unit": "M1a", "dead": 1, "wounded": 2, "deserted": 0, "figures": 1},
     "Knights: 1 dead, 2 wounded, 0 deserted, 1 left.", "Knights: 1 morto, 2 feriti, 0 disertori; ne resta 1."),
    ("giglio", "alliance.betrayed", {"a": "P", "b": "V", "by": "P"},
     "The Papal State betrayed the treaty between the Papal State and Venice.",
     "Papal State ha tradito il patto fra Papal State e Venice."),
    ("giglio", "objective.chosen", {"option": "conquer", "target": "S"},
     "Your secret objective: to conquer the territory of Spain.",
     "Il tuo obiettivo segreto: conquistare il territorio di Spain."),
    ("giglio", "winter.event", {"faction": "V", "event_no": 6, "node": "V3"},
     "Earthquake or flood at Castra Nova, held by Venice: the walls fall at the next income.",
     "Terremoto o alluvione a Castra Nova, in mano a Venice: le mura cadono alla prossima riscossione."),
])
def test_an_event_says_who_against_whom_and_why(
    book: str, event: str, data: dict[str, Any], english: str, italian: str
) -> None:
    """Names for codes, whole sentences for keys; what earlier versions told is still worded."""
    assert (told(book, "en", event, **data), told(book, "it", event, **data)) == (english, italian)


@pytest.mark.parametrize(("place", "levy"), [
    ("Zafaran", "Leva di Zafaran"), ("Il Guado", "Leva del Guado"), ("La Rocca", "Leva della Rocca"),
    ("L'Aquila", "Leva dell'Aquila"), ("Gli Scogli", "Leva degli Scogli"), ("Lago Nero", "Leva di Lago Nero")])
def test_a_levy_is_called_by_its_place(place: str, levy: str) -> None:
    """An article with which a name begins is joined to *di*."""
    assert italian_levy(place) == levy
