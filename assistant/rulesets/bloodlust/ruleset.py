"""Bloodlust nations as a ruleset: four seasons a year, nations of clubs and of the rules (rulebook: The year)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event, Order, Question, Rule
from assistant.campaign.table import Table
from assistant.rulesets.bloodlust.battle.reports import FORM
from assistant.rulesets.bloodlust.book.events import EVENTS, WORDS
from assistant.rulesets.bloodlust.book.messages import CITATIONS, FINDINGS
from assistant.rulesets.bloodlust.book.records import RECORDS, Faction
from assistant.rulesets.bloodlust.book.records import Order as OwnOrder
from assistant.rulesets.bloodlust.book.sheets import BattleLeader, BattleUnit
from assistant.rulesets.bloodlust.book.tables import BATTLES, ROLLS, TURNS, Numbers
from assistant.rulesets.bloodlust.orders import lines
from assistant.rulesets.bloodlust.questions import QUESTIONS
from assistant.rulesets.bloodlust.realm import data
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.rulesets.bloodlust.season import points
from assistant.rulesets.bloodlust.year import CALENDAR, VERBS
from assistant.turn.findings import Finding, Where
from assistant.turn.numbers import typed_values
from assistant.turn.ruleset import Ending, Ruleset, Understood

SEASONS = {"Sp": ("Spring", "primavera"), "Su": ("Summer", "estate"), "Fa": ("Fall", "autunno"),
           "Wi": ("Winter", "inverno")}


class Bloodlust(Ruleset):
    """Bloodlust nations, all switches."""

    id = "bloodlust"
    interface = 3
    title = "Bloodlust nations"
    author = "House rules on a published campaign system"
    version = "1"
    catalogue_domain = "bloodlust"
    records = RECORDS
    form = FORM
    forms = (BattleUnit, BattleLeader)
    rules_of = Numbers
    calendar = CALENDAR
    turn_pattern = TURNS.pattern
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    words = WORDS
    citations = CITATIONS
    named = ("Nodes", "Leaders", "Weapons")
    shared = ""
    unwelcome = ("Shaken", "Unrest")

    def rules(self, campaign: Campaign) -> Numbers:
        """The numbers in force."""
        return cast(Numbers, super().rules(campaign))

    def typed_rules(self, rules: Table[Rule]) -> Mapping[str, Any]:
        """Keys may carry the book's name."""
        return {key.removeprefix(data.PREFIX): value for key, value in typed_values(rules).items()}

    def realm(self, campaign: Campaign) -> Realm:
        """The campaign as a phase would see it now."""
        return Realm(self.game(campaign))

    # --- the calendar -----------------------------------------------------------------------
    def last_turn(self, campaign: Campaign) -> bool:
        """The Winter of the last year, or one nation owns more than half of the land."""
        return points.ends(self.realm(campaign))

    def year(self, turn: str) -> str:
        """The digits of a turn."""
        return TURNS.year(turn)

    def turn_name(self, turn: str, lang: str) -> str:
        """Year and season: ``987, Spring``."""
        season = SEASONS.get(TURNS.season(turn))
        return f"{TURNS.year(turn)}, {season[lang == 'it']}" if season else turn

    # --- data and orders --------------------------------------------------------------------
    prepare = staticmethod(data.prepare)
    check_data = staticmethod(data.check_data)

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """BLD-008; what is late in its own season is told as everywhere."""
        if order.turn == campaign.desk.turn:
            return None
        return self.finding("BLD-008", Where(Order.sheet, order.order, "turn"), order.faction, turn=order.turn)

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """One line of an order, in either language."""
        return lines.understand(VERBS, text)

    # --- the end ----------------------------------------------------------------------------
    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """What all may count: provinces, morale, wars."""
        f = self.realm(campaign)
        return [{"faction": code, "provinces": len(f.of(code)), "morale": f.nations[code].morale,
                 "wars": len(f.enemies(code))} for code in f.codes]

    def ending(self, view: Campaign) -> Ending:
        """The points that the last close told."""
        return points.ending([event for _, event in view.table(Event).in_file_order()])

    # --- absent clubs -----------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """An absent club leaves its phases to the rules (11)."""
        nation = view.table(Faction).get(faction)
        return [OwnOrder(verb="delegate")] if nation is not None and nation.alive else []

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """The default; units are not kept without their club's word."""
        return question.default


BLOODLUST = Bloodlust()
