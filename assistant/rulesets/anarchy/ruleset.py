"""The Anarchy as a ruleset: its orders, the opening, and six phases a day (rulebook: The day)."""

from __future__ import annotations

from functools import partial
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.rulesets.anarchy import evening, robot, scores
from assistant.rulesets.anarchy.battle.forms import FORM, judge_forms
from assistant.rulesets.anarchy.book.messages import CITATIONS, EVENTS, FINDINGS, WORDS
from assistant.rulesets.anarchy.book.questions import DAY, QUESTIONS
from assistant.rulesets.anarchy.book.records import RECORDS, Loss
from assistant.rulesets.anarchy.book.tables import BATTLES, ROLLS, Numbers
from assistant.rulesets.anarchy.looks import AnarchyLooks
from assistant.rulesets.anarchy.march import movement
from assistant.rulesets.anarchy.march.acts import assault, attack, besiege, engineer, enter, provision, recruit, sack
from assistant.rulesets.anarchy.march.dealing import buying, chests, hiring, luring, promising, taking
from assistant.rulesets.anarchy.march.ordered_moves import hold, lift, mercs, move, night_falls, read_orders, sally
from assistant.rulesets.anarchy.morning import captives, convoys, provisions, reorganise
from assistant.rulesets.anarchy.orders import ANYWHERE, FILLERS, PURSE, SAYS, SHAPES, say_refused
from assistant.rulesets.anarchy.realm import data
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.shown import Shown, SideViewer
from assistant.turn.books.wing import Wing
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.findings import Finding
from assistant.turn.orders.refusal import role
from assistant.turn.orders.verbs import declared
from assistant.turn.steps import Phase, Step

VERBS = declared(
    provisions.supply, *reorganise.SEQUENCE, captives.ransom,
    convoys.make, convoys.load, convoys.unload, move, hold, mercs,
    recruit, engineer, provision, buying, taking, hiring, promising, luring, attack, sack, besiege, assault, enter,
    sally, lift, evening.give_up,
    says=SAYS, purse=PURSE, shapes=SHAPES, fillers=FILLERS, anywhere=ANYWHERE, refused=say_refused, neutrals=True)


def _phase(name: str, en: str, it: str, rule: str, *steps: Step, waits_for: tuple[str, ...] = (), **more: Any
           ) -> Phase:
    """A phase of the day: all read the orders of the day, each those of its own verbs."""
    return Phase(name, en, it, rule, orders=DAY, takes=name, waits_for=waits_for, board=Field, steps=steps, **more)


CALENDAR = Calendar(
    before=(Phase("opening", "Opening", "Apertura", "8.2, 18", provisions.opening),), start="0",
    turns=Turns(r"\d{1,3}"), turn=(
        _phase("provisions", "Muster and provisions", "Appello e provviste", "6, 8.4, 11.4, 15.7",
               Step(provisions.wishes, "together"), Step(provisions.idle, "together"), Step(provisions.healing),
               Step(provisions.promises), Step(provisions.feed)),
        _phase("reorganise", "Reorganisation", "Riorganizzazione", "5.3, 8.1, 15.8",
               Step(reorganise.reorganise, "together"), Step(captives.escorts),
               Step(Field.dissolve_small), Step(Field.unasked), waits_for=("escort",)),
        _phase("ransoms", "Ransoms", "Riscatti", "15.8", Step(captives.ransoms, "together"), Step(Field.unasked),
               waits_for=("ruling",)),
        _phase("convoys", "Convoys and transfers", "Convogli e trasferimenti", "12",
               Step(convoys.shuttles), Step(convoys.convoys, "together")),
        _phase("movement", "Movement and encounters", "Movimenti e incontri", "6, 7, 8.3, 10, 11, 13, 14, 15",
               Step(judge_forms, "forms"), Step(movement.entries, "together"), Step(read_orders, "together"),
               Step(movement.activations), Step(movement.standoffs), Step(night_falls),
               waits_for=tuple(kind for kind in QUESTIONS if kind != "escort"), chests=chests),
        _phase("close", "Siege day and close", "Giornata d'assedio e chiusura", "8.1, 15.8, 16",
               Step(evening.surrenders, "together"), Step(evening.sieges), Step(evening.deliveries),
               Step(Field.dissolve_small), Step(evening.stacking), Step(scores.objectives),
               Step(evening.next_day))),
    early=(Phase("score", "The score", "Il punteggio", "1", board=Field,
                 steps=(Step(partial(scores.objectives, the_end=True)),)),))


class Anarchy(Shown, Wing[Numbers]):
    """The Anarchy, all switches."""

    id = "anarchy"
    interface = 4
    title = "The Anarchy"
    author = "Buxeria, Historic'One"
    version = "2"
    catalogue_domain = "anarchy"
    records = RECORDS
    form = FORM
    forms = (Loss,)
    rules_of = Numbers
    calendar = CALENDAR
    closing = CALENDAR.early[0].id
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = AnarchyLooks()
    words = WORDS
    shared = "What one club of a side sees, all clubs of that side see."
    citations = CITATIONS
    counted = (DAY, "giorno")
    late = role("ANA-004", t="turn", d="now")
    prefix = data.PREFIX
    unwelcome = ("Hungry groups",)
    named = ("Nodes", "Places", "Nobles")
    coded = ("Armies", "Convoys", "Trains", "Battles")

    def last_turn(self, campaign: Campaign) -> bool:
        """The last day of the scenario, or a side without nobles."""
        return scores.last_day(self.realm(campaign))

    fold = staticmethod(data.fold)
    prepare = staticmethod(data.prepare)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """ANA-911 to 915."""
        return data.check_data(campaign, self.realm(campaign))

    def viewer(self, campaign: Campaign, faction: str) -> SideViewer:
        """See rulebook: Who may know what."""
        return SideViewer(self.realm(campaign), faction)

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.realm(view), faction, self.check_orders))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.realm(view), faction, question)


ANARCHY = Anarchy()
