"""What is not known is not said: no sentence has a hole, in any rulebook's campaigns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from assistant.campaign.records import Event
from assistant.environment import shipped_scenario
from assistant.speech import names_of
from assistant.testing import kit, robots
from assistant.testing.cases import opening
from assistant.turn.phases import Outcome
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.bloodlust.scenario import ground
from tests.playing import play_script
from tests.reporting.played import SCENARIOS

HOLE = re.compile(r"  | [.,;:)]|\(\s*\)|\( |\"\"|«»|“”|[,;:(]\s*[.;)]|:$|^[,;:.)]|\{\w+")
"""Two blanks, a sign of punctuation behind a blank or behind another, brackets or quotes around nothing, a colon before
nothing, or a brace that nothing fills.
"""
PHASES = 120
"""So many phases of robots are read."""


@pytest.mark.parametrize(("book", "event", "data", "english", "italian"), [
    ("anarchy", "left_in_care", {"who": "W1", "place": ""}, "W1 stays in care.", "W1 resta in cura."),
    ("anarchy", "prisoners", {"n": 3, "side": "Matilda", "part": "where", "hex": ""},
     "3 prisoners are taken by Matilda.", "3 prigionieri cadono in mano a Matilda."),
    ("anarchy", "order_of_march", {"list": ""}, "Nobody is there to march.", "Non c'è nessuno che marci."),
    ("anarchy", "battle_result", {"b": "B1", "outcome": "draw", "how": "time", "turns": "", "part": "auto"},
     "Drawn at B1.", "Pareggio a B1."),
    ("anarchy", "transferred", {"a": "Bohun", "b": "Ypres", "men": "", "n": "6", "nobles": []},
     "From Bohun to Ypres. Money: £6.",
     "Da Bohun a Ypres. Denaro: £6."),
    ("anarchy", "transferred", {"a": "Bohun", "b": "Ypres", "men": "K2", "n": "", "nobles": ["Miles"]},
     "From Bohun to Ypres. Men: K2. Nobles: Miles.",
     "Da Bohun a Ypres. Uomini: K2. Nobili: Miles."),
    ("giglio", "winter.event", {"faction": "Venice", "event_no": 1, "node": ""},
     "An epidemic is coming to a city of Venice; which one is drawn in summer.",
     "Un'epidemia è in arrivo in una città di Venice; quale, si sorteggia in estate."),
    ("bloodlust", "fate", {"leader": "Keth", "ended": "captured", "faction": "Sekeker", "by": ""},
     "Keth of Sekeker is taken prisoner.", "Catturato Keth, di Sekeker."),
    ("bloodlust", "conquered", {"faction": "Sekeker", "node": "Septima", "loser": ""},
     "Sekeker takes Septima, which was nobody's.", "Sekeker prende Septima, che non era di nessuno."),
    ("warriors", "commander_back", {"army": "Durnhold Guard", "commander": ""},
     "Durnhold Guard has a commander again.", "Durnhold Guard ha di nuovo un condottiero."),
    ("warriors", "commander_dead", {"army": "Durnhold Guard", "commander": ""},
     "The commander of Durnhold Guard fell and is dead: the throw to survive failed.",
     "Il condottiero di Durnhold Guard è caduto ed è morto: fallito il tiro per sopravvivere."),
    ("warriors", "revealed", {"army": "Durnhold Guard", "node": "K04", "order": "", "reaction": "none", "figures": 3},
     "Durnhold Guard at K04: no order, reaction none, 3 figures.",
     "Durnhold Guard a K04: nessun ordine, reazione nessuna, 3 miniature."),
])
def test_what_is_blank_is_not_told(book: str, event: str, data: dict[str, Any], english: str, italian: str) -> None:
    """A place, a captor, a commander that nobody knows; sentences with them are other sentences, not ones with gaps."""
    told = [Wording(load(book), lang).event(Event(event=event, data=data)) for lang in ("en", "it")]
    assert told == [english, italian]


@pytest.mark.parametrize(("text", "hole"), [
    ("Keth is taken by .", True), ("Order of march: .", True), ("Held at  Septima.", True), ("A note ().", True),
    ("Why: \"\".", True), ("Prestige from 3 to 4 (battle won).", False), ("The Peaks: rain, needs 4.", False)])
def test_holes_are_found(text: str, hole: bool) -> None:
    """Blanks, punctuation, brackets and quotes around nothing."""
    assert bool(HOLE.search(text)) is hole


def played(ruleset: Ruleset, book: str) -> Iterator[Outcome]:
    """What is scripted for a book's demo, as far as it goes without questions, and a campaign of robots."""
    scenario = shipped_scenario(book, SCENARIOS[book])
    for before, outcome in play_script(ruleset, opening(ruleset, scenario), b"golden"):
        yield outcome
        if before.desk.turn == LAST_SCRIPTED[book]:
            break
    start = ground() if book == "bloodlust" else opening(ruleset, scenario)  # the demo's battles are typed
    for _, outcome in islice(robots.play(ruleset, kit.with_robots(start), bytes(32)), PHASES):
        yield outcome


LAST_SCRIPTED = {"giglio": "1500", "anarchy": "8", "incursio": "12", "warriors": "7", "bloodlust": "987Wi"}


@pytest.mark.slow
@pytest.mark.parametrize("book", SCENARIOS)
def test_no_sentence_of_a_campaign_has_a_hole(book: str) -> None:
    """Everything that is told in a scripted campaign and in one of robots, in both languages."""
    ruleset, found = load(book), list[str]()
    for outcome in played(ruleset, book):
        for lang in ("en", "it"):
            words = Wording(ruleset, lang, names_of(outcome.campaign, lang, ruleset.named, ruleset.coded))
            found += [text for event in outcome.events if HOLE.search(text := words.event(event))]
    assert found == []
