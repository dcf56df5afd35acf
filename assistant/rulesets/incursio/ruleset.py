"""Incursio as a ruleset: nine phases a day, two factions, twelve characters (rulebook: The day)."""

from __future__ import annotations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.rulesets.incursio import battles_ahead, robot
from assistant.rulesets.incursio.book.messages import CITATIONS, EVENTS, FINDINGS, TITLES, WORDS
from assistant.rulesets.incursio.book.questions import QUESTIONS
from assistant.rulesets.incursio.book.records import RECORDS
from assistant.rulesets.incursio.book.sheets import VARANNAH
from assistant.rulesets.incursio.book.tables import BATTLES, ROLLS, Numbers
from assistant.rulesets.incursio.day.course import CALENDAR, VERBS, WORD
from assistant.rulesets.incursio.day.ending import winner
from assistant.rulesets.incursio.day.live import FORM
from assistant.rulesets.incursio.looks import IncursioLooks
from assistant.rulesets.incursio.orders.columns import understand
from assistant.rulesets.incursio.orders.judging import DEFENDERS_ONLY, lines
from assistant.rulesets.incursio.realm import data
from assistant.rulesets.incursio.realm.realm import Realm
from assistant.rulesets.incursio.shown import Shown, SideViewer
from assistant.turn.books.wing import Wing
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.cards import Card, Say
from assistant.turn.orders.shorthand import Understood
from assistant.turn.throws.prospects import LeftOut, NotUnderstood, Prospect


class Incursio(Shown, Wing[Numbers]):
    """Incursio, campaign mode "Beginning", all switches."""

    id = "incursio"
    interface = 4
    demo_rank = 50
    title = "Incursio"
    author = "Incursio"
    version = "2"
    editions = ("beginning-club",)
    catalogue_domain = "incursio"
    records = RECORDS
    form = FORM
    rules_of = Numbers
    calendar = CALENDAR
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = IncursioLooks()
    words = WORDS
    categories = TITLES
    citations = CITATIONS
    counted = (WORD, "giorno")
    shared = "The defenders see what is the defenders', the raiders what is the raiders'."
    named = ("Nodes", "Players", "StructureTypes", "MissionTypes")
    coded = ("Battles",)
    quotes_lines = True

    # --- the calendar -------------------------------------------------------------------------------
    def last_turn(self, campaign: Campaign) -> bool:
        """Whether somebody has won, or the days are over."""
        return bool(winner(Realm(self.game(campaign)), evening=True))

    # --- data and orders ----------------------------------------------------------------------------
    def prepare(self, campaign: Campaign) -> None:
        """Fill in what a new campaign needs before its first phase."""
        super().prepare(campaign)
        data.prepare(campaign)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """INC-101 to 109."""
        return data.check_data(Realm(self.game(campaign)))

    def order_cards(self, campaign: Campaign, lang: str, say: Say, faction: str = "", **how: bool) -> list[Card]:
        """As everywhere; the raiders' without what the defenders alone can order."""
        cards = super().order_cards(campaign, lang, say, faction, **how)
        barred = {word for code in DEFENDERS_ONLY for word in (VERBS[code].en, VERBS[code].it)}
        return [card for card in cards if faction != VARANNAH or card.verb not in barred]

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """As everywhere; before the initiative, too, what is wrong with a line whatever the day brings."""
        found = super().check_ahead(campaign)
        if campaign.desk.phase == "initiative":
            realm = Realm(self.game(campaign.copy(), "first_move"))
            lines(realm)
            found += [one for one in realm.game.findings if one not in found]
        return found

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """INC-002; what is late on its own day is told as everywhere."""
        if order.turn == campaign.desk.turn or not order.turn.isdecimal():
            return None
        return self.finding("INC-002", Where(Order.sheet, order.order, "turn"), order.faction, d=int(order.turn),
                            now=int(campaign.desk.turn))

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """A line of the book's own shorthand."""
        return understand(VERBS, text, campaign, faction)

    # --- what battles may come to -------------------------------------------------------------------
    def battles_ahead(self, campaign: Campaign) -> list[Prospect | LeftOut]:
        """The attacks that are ordered for the rest of the day, and those that would be refused."""
        return battles_ahead.ahead(self, campaign)

    def typed_battle(self, campaign: Campaign, text: str) -> Prospect | NotUnderstood:
        """See rulebook: Chances."""
        return battles_ahead.typed(self, campaign, text)

    # --- what is seen -------------------------------------------------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> SideViewer:
        """Somebody of one side; the others' players' missions are theirs."""
        return SideViewer(campaign, self.rules(campaign), faction)

    # --- absent clubs -------------------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(Realm(self.game(view)), faction, self.check_orders))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(question)


INCURSIO = Incursio()
