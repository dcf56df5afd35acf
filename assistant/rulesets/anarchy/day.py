"""The order of play: the orders of The Anarchy, the opening, and six phases a day (rulebook: The day)."""

from __future__ import annotations

from typing import Any

from assistant.rulesets.anarchy import evening, scores
from assistant.rulesets.anarchy.battle.forms import judge_forms
from assistant.rulesets.anarchy.book.questions import DAY
from assistant.rulesets.anarchy.evening import give_up
from assistant.rulesets.anarchy.march import movement, nightfall
from assistant.rulesets.anarchy.march.acts import assault, attack, besiege, engineer, enter, provision, recruit, sack
from assistant.rulesets.anarchy.march.dealing import buying, chests, hiring, luring, promising, taking
from assistant.rulesets.anarchy.march.reading_moves import hold, lift, mercs, move, read_orders, sally
from assistant.rulesets.anarchy.morning import captives, convoys, provisions, reorganise
from assistant.rulesets.anarchy.morning.captives import ransom
from assistant.rulesets.anarchy.morning.convoys import load, make, unload
from assistant.rulesets.anarchy.morning.provisions import supply
from assistant.rulesets.anarchy.orders.columns import ANYWHERE, FILLERS, SHAPES
from assistant.rulesets.anarchy.orders.taking import PURSE, SAYS, say_refused
from assistant.rulesets.anarchy.realm.field import Field
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.orders.verbs import declared
from assistant.turn.steps import Phase, Step

VERBS = declared(
    supply, *reorganise.SEQUENCE, ransom,
    make, load, unload, move, hold, mercs,
    recruit, engineer, provision, buying, taking, hiring, promising, luring, attack, sack, besiege, assault, enter,
    sally, lift, give_up,
    says=SAYS, purse=PURSE, shapes=SHAPES, fillers=FILLERS, anywhere=ANYWHERE, refused=say_refused, neutrals=True)


_ASKED = ("attack", "contest", "accept", "join", "battle", "retreat", "standoff", "hire", "lure", "convoy", "train",
          "prize", "loot", "share", "name", "move", "ruling")


def _phase(name: str, en: str, it: str, rule: str, *steps: Step, waits_for: tuple[str, ...] = (), **more: Any
           ) -> Phase:
    """A phase of the day: all read the orders of the day, each those of its own verbs."""
    return Phase(name, en, it, rule, orders=DAY, takes=name, waits_for=waits_for, board=Field, steps=steps, **more)


CALENDAR = Calendar(
    before=(Phase("opening", "Opening", "Apertura", "8.2, 18", provisions.opening),), start="0",
    turns=Turns(r"\d{1,3}"), turn=(
        _phase("provisions", "Muster and provisions", "Appello e provviste", "6, 8.4, 11.4, 15.7",
               Step(provisions.wishes, "together"), Step(provisions.idle, "together"), Step(provisions.no_march_yet),
               Step(provisions.healing), Step(provisions.promises), Step(provisions.feed)),
        _phase("reorganise", "Reorganisation", "Riorganizzazione", "5.3, 8.1, 15.8",
               Step(reorganise.reorganise, "together"), Step(captives.escorts),
               Step(Field.dissolve_small), Step(Field.unasked), waits_for=("escort",)),
        _phase("ransoms", "Ransoms", "Riscatti", "15.8", Step(captives.ransoms, "together"), Step(Field.unasked),
               waits_for=("ruling",)),
        _phase("convoys", "Convoys and transfers", "Convogli e trasferimenti", "12",
               Step(convoys.shuttles), Step(convoys.convoys, "together")),
        _phase("movement", "Movement and encounters", "Movimenti e incontri", "6, 7, 8.3, 10, 11, 13, 14, 15",
               Step(judge_forms, "forms"), Step(movement.entries, "together"), Step(read_orders, "together"),
               Step(movement.activations), Step(movement.standoffs), Step(nightfall.night_falls), waits_for=_ASKED,
               chests=chests),
        _phase("close", "Siege day and close", "Giornata d'assedio e chiusura", "8.1, 15.8, 16",
               Step(evening.surrenders, "together"), Step(evening.sieges), Step(evening.deliveries),
               Step(Field.dissolve_small), Step(evening.stacking), Step(evening.rearm), Step(scores.objectives),
               Step(evening.next_day))),
    early=(Phase("score", "The score", "Il punteggio", "1", board=Field, steps=(Step(scores.ended),)),))
