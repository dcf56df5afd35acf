"""The Fantasy Warriors campaign as a ruleset: the turn, its optional phases, its end (rulebook: The turn)."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order
from assistant.rulesets.warriors import robot
from assistant.rulesets.warriors.book.events import CITATIONS, EVENTS, TITLES, WORDS
from assistant.rulesets.warriors.book.findings import FINDINGS
from assistant.rulesets.warriors.book.questions import QUESTIONS
from assistant.rulesets.warriors.book.records import RECORDS, TURN, BattleArmy, BattleUnit
from assistant.rulesets.warriors.book.switches import Rules
from assistant.rulesets.warriors.book.tables import BATTLES, ROLLS
from assistant.rulesets.warriors.land import data
from assistant.rulesets.warriors.looks import WarriorsLooks
from assistant.rulesets.warriors.orders import lines
from assistant.rulesets.warriors.orders.verbs import VERBS
from assistant.rulesets.warriors.shown import Eyes, Shown
from assistant.rulesets.warriors.turn_order import CALENDAR, OPTIONAL
from assistant.rulesets.warriors.war.forms import FORM
from assistant.turn.books.wing import Wing
from assistant.turn.calendar import OVER
from assistant.turn.findings import Finding
from assistant.turn.orders.refusal import role
from assistant.turn.orders.shorthand import Understood


class Warriors(Shown, Wing[Rules]):
    """The Fantasy Warriors campaign, all switches."""

    id = "warriors"
    interface = 4
    title = "Fantasy Warriors"
    author = "Nick Lund's Fans Team"
    version = "2"
    catalogue_domain = "warriors"
    records = RECORDS
    form = FORM
    forms = (BattleArmy, BattleUnit)
    rules_of = Rules
    calendar = CALENDAR
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = WarriorsLooks()
    words = WORDS
    citations = CITATIONS
    counted = (TURN, "turno")
    late = role("WAR-011", turn="turn", now="now")
    prefix = data.PREFIX
    categories = TITLES
    shared = "With allies_share = full an ally sees Forces and Units, too."
    unwelcome = ("Wounded",)
    named = ("Nodes", "Zones", "Boats", "Roads")
    coded = ("Armies", "Units")

    # --- the calendar -----------------------------------------------------------------------
    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """The phases of a turn, without those that the campaign leaves out."""
        rules = self.rules(campaign)
        return tuple(phase.id for phase in CALENDAR.turn
                     if phase.id not in OPTIONAL or rules[OPTIONAL[phase.id]] != "off")

    def advance(self, campaign: Campaign) -> None:
        """The next phase that is played; after the will to fight the campaign may be over, and after its last turn."""
        desk, ids = campaign.desk, list(self.phase_ids(campaign))
        every = [phase.id for phase in CALENDAR.turn]
        later = [name for name in ids if every.index(name) > every.index(desk.phase)]
        if desk.phase == "will" and not self.country(campaign).at_war():
            desk.phase = OVER
        elif later:
            desk.phase = later[0]
        elif self.last_turn(campaign):
            desk.phase = OVER
        else:
            desk.turn, desk.phase = str(int(desk.turn) + 1), ids[0]

    def last_turn(self, campaign: Campaign) -> bool:
        """The turn limit; or the campaign is over for want of enemies."""
        turn = campaign.desk.turn
        return campaign.desk.phase == OVER or (turn.isdecimal() and int(turn) >= self.rules(campaign).max_turns)

    # --- data and orders --------------------------------------------------------------------
    fold = staticmethod(data.fold)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the rulebook page gives a default for."""
        data.prepare(campaign, self.phase_ids(campaign)[0])

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """WAR-701 to 710."""
        return data.check_data(self.country(campaign))

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """A line, in which the verb says what each word is."""
        return lines.understand(VERBS, campaign, faction, text)

    # --- what is seen -----------------------------------------------------------------------
    def viewer(self, campaign: Campaign, faction: str) -> Eyes:
        """See rulebook: Visibility."""
        return Eyes(self.country(campaign), faction)

    # --- absent clubs -----------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return robot.orders(self.country(view), faction)


WARRIORS = Warriors()
