"""Il Giglio as a ruleset: the year as a list that can be printed (rulebook: The year)."""

from __future__ import annotations

from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Order, Question
from assistant.rulesets.giglio import battle, robot
from assistant.rulesets.giglio.battle import FORM
from assistant.rulesets.giglio.book.messages import CITATIONS, EVENTS, FINDINGS, WORDS
from assistant.rulesets.giglio.book.questions import QUESTIONS
from assistant.rulesets.giglio.book.records import EDITIONS, RECORDS, Desk
from assistant.rulesets.giglio.book.tables import BATTLES, CALENDAR, MONTHS, ROLLS, Numbers
from assistant.rulesets.giglio.looks import GiglioLooks
from assistant.rulesets.giglio.shown import Shown
from assistant.rulesets.giglio.spring import asides
from assistant.rulesets.giglio.spring.budget import auction, spring_orders
from assistant.rulesets.giglio.spring.income import income
from assistant.rulesets.giglio.spring.staff import payments_arrive
from assistant.rulesets.giglio.spring.treaties import conclude
from assistant.rulesets.giglio.summer.assassins import strike_before_all
from assistant.rulesets.giglio.summer.contacts import contact, list_contacts
from assistant.rulesets.giglio.summer.marches import fix_actions, lift_idle_sieges, march, redraw, staff_work
from assistant.rulesets.giglio.summer.opening import opening
from assistant.rulesets.giglio.summer.sea import board_in_port, homeward, landings, sail_all, sea_meetings, storm
from assistant.rulesets.giglio.summer.sieges import siege
from assistant.rulesets.giglio.verbs import VERBS
from assistant.rulesets.giglio.war import data
from assistant.rulesets.giglio.war.orders import SPRING, SUMMER
from assistant.rulesets.giglio.war.war import War
from assistant.rulesets.giglio.winter import final, winter
from assistant.turn.answers.invitations import Invitation
from assistant.turn.books.wing import Wing
from assistant.turn.calendar import Calendar, Turns
from assistant.turn.findings import Finding
from assistant.turn.game import Game
from assistant.turn.steps import Phase, Step

ROUNDS = range(1, 11)
BUDGET = (Step(spring_orders, "together"), Step(auction), Step(payments_arrive), Step(conclude, "together"))
MOVE = (
    Step(redraw), Step(staff_work, "together"), Step(payments_arrive), Step(conclude, "together"),
    Step(fix_actions, "together"), Step(strike_before_all), Step(board_in_port, "together"),
    Step(homeward, "together"), Step(sail_all), Step(sea_meetings), Step(storm), Step(march, "alone"),
    Step(landings), Step(lift_idle_sieges), Step(list_contacts),
)
"""A round's marches (rulebook: The marches, step by step)."""
BATTLE = (Step(battle.check_forms, "forms"), Step(battle.battle))


def _phase(name: str, en: str, it: str, rule: str, *steps: Step, asks: tuple[str, ...] = (), **how: Any) -> Phase:
    return Phase(name, en, it, rule, waits_for=asks, board=War, steps=steps, **how)


def _round(n: int) -> tuple[Phase, ...]:
    en, it = CALENDAR[n - 1]
    return (
        _phase(f"r{n}.move", f"{en}: marches", f"{it}: spostamenti", "3b, t33, fleets, border, April", *MOVE,
               asks=("ally_confirm", "move_order", "hand"), orders=f"r{n}", takes=SUMMER),
        _phase(f"r{n}.contact", f"{en}: meetings", f"{it}: incontri", "3c t34", Step(contact), asks=("spy", "choice")),
        _phase(f"r{n}.battle", f"{en}: battles", f"{it}: battaglie", "3c", *BATTLE,
               asks=("battle_result", "allot", "retreat_to")),
        _phase(f"r{n}.siege", f"{en}: sieges", f"{it}: assedi", "3d t35", Step(siege), asks=("bribe",)),
    )


YEAR = (
    _phase("income", "Income", "Riscossione", "2, 2a t29, 4 t36, Amendments", Step(income)),
    _phase("budget", "Budget and recruiting", "Bilancio e arruolamento", "2a, 2b t32 t33, alliances", *BUDGET,
           asks=("ally_confirm",), orders=SPRING),
    _phase("open", "Opening of summer", "Apertura dell'estate", "2b t33, 3a", Step(opening),
           asks=("move_order", "companies")),
    *(phase for n in ROUNDS for phase in _round(n)),
    _phase("winter", "Winter", "Inverno", "4 t36", Step(winter), asks=("betrayal",)),
)
FINAL = _phase("final", "Verification", "Verifica", "objectives", Step(final))
CHAPTERS = {
    **dict.fromkeys(("income", "budget", "open"), ("Spring", "primavera")),
    **{phase.id: MONTHS[n - 1] for n in ROUNDS for phase in _round(n)},
    "winter": ("Winter", "inverno"), "final": ("Verification", "verifica"),
}
ROUND_WORDS = {phase.orders for phase in YEAR if phase.takes == SUMMER}


class Giglio(Shown, Wing[Numbers]):
    """Il Giglio, all editions and switches."""

    id = "giglio"
    interface = 4
    demo_rank = 1
    title = "Il Giglio"
    author = "Free Wargamers, Rules & Games"
    version = "2"
    editions = EDITIONS
    calendar = Calendar(YEAR, Turns(r"[1-9]\d{0,3}"), after=(FINAL,), chapters=CHAPTERS)
    closing = FINAL.id
    catalogue_domain = "giglio"
    records = RECORDS
    form = FORM
    rules_of = Numbers
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    looks = GiglioLooks()
    words = WORDS
    citations = CITATIONS

    def last_turn(self, campaign: Campaign) -> bool:
        """Whether objectives are verified after this year's winter."""
        desk = next(iter(campaign.table(Desk)))
        start = desk.start_year or int(desk.turn)
        return int(desk.turn) >= start + self.rules(campaign).campaign_years - 1

    def advance(self, campaign: Campaign) -> None:
        """As everywhere; the first spring ends with its year."""
        desk = next(iter(campaign.table(Desk)))
        year = desk.turn
        super().advance(campaign)
        if desk.turn != year:
            desk.first_spring = "no" if desk.first_spring else ""

    def phase_word(self, word: str, lang: str) -> str:
        """A round, which orders call ``r1``, by its place in the calendar."""
        if word in ROUND_WORDS:
            return CALENDAR[int(word[1:]) - 1][lang == "it"]
        return super().phase_word(word, lang)

    fold = staticmethod(data.fold)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the rulebook page gives a default for."""
        data.prepare_desk(next(iter(campaign.table(Desk))))
        data.prepare_places(campaign)
        data.prepare_forces(self.war(campaign))

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """GIG-120 to 125."""
        return data.check_data(campaign, self.rules(campaign))

    def invitations(self, game: Game) -> list[Invitation]:
        """Secret objectives that are not chosen yet, and what the bank takes first."""
        war = War(game)
        return [*asides.objectives(war), *asides.confiscations(war)]

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """See rulebook: The robot."""
        return list(robot.orders(self.war(view), faction))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """See rulebook: The robot."""
        return robot.answer(self.war(view, question.phase), faction, question)


GIGLIO = Giglio()
