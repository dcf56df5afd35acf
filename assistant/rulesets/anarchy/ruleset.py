"""The Anarchy as a ruleset: the opening, and six phases a day (rulebook: The day)."""

from __future__ import annotations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.rulesets.anarchy import robot
from assistant.rulesets.anarchy.battle.forms import FORM
from assistant.rulesets.anarchy.book.messages import CITATIONS, EVENTS, FINDINGS, WORDS
from assistant.rulesets.anarchy.book.questions import DAY, QUESTIONS
from assistant.rulesets.anarchy.book.records import RECORDS, Loss
from assistant.rulesets.anarchy.book.tables import BATTLES, ROLLS, Numbers
from assistant.rulesets.anarchy.day import CALENDAR, VERBS
from assistant.rulesets.anarchy.looks import AnarchyLooks
from assistant.rulesets.anarchy.realm import data
from assistant.rulesets.anarchy.scores import last_day
from assistant.rulesets.anarchy.shown import Shown, SideViewer
from assistant.turn.books.wing import Wing
from assistant.turn.findings import Finding
from assistant.turn.orders.refusal import role


class Anarchy(Shown, Wing[Numbers]):
    """The Anarchy, all switches."""

    id = "anarchy"
    interface = 3
    title = "The Anarchy"
    author = "Buxeria, Historic'One"
    version = "1"
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

    # --- the calendar -----------------------------------------------------------------------
    def last_turn(self, campaign: Campaign) -> bool:
        """The last day of the scenario, or a side without nobles."""
        return last_day(self.realm(campaign))

    # --- data and orders --------------------------------------------------------------------
    fold = staticmethod(data.fold)
    prepare = staticmethod(data.prepare)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """ANA-911 to 915."""
        return data.check_data(campaign, self.realm(campaign))

    # --- what is seen -----------------------------------------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> SideViewer:
        """See rulebook: Who may know what."""
        return SideViewer(self.realm(campaign), faction)

    # --- absent clubs -----------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.realm(view), faction, self.check_orders))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.realm(view), faction, question)


ANARCHY = Anarchy()
