"""Il Giglio as a ruleset: the year as a list that can be printed (digest, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Order, Question
from assistant.rulesets.giglio import battles, data, forward, robot
from assistant.rulesets.giglio.budget import budget, take_orders
from assistant.rulesets.giglio.contacts import contact
from assistant.rulesets.giglio.dossiers import dossier, dues, own_tables, sightings
from assistant.rulesets.giglio.income import income
from assistant.rulesets.giglio.marches import Orders, fix_actions, move, ready_rows, staff_work, unreached_alone
from assistant.rulesets.giglio.messages import BATTLES, EVENTS, FINDINGS, QUESTIONS, ROLLS, WORDS
from assistant.rulesets.giglio.objectives import figures, final
from assistant.rulesets.giglio.opening import opening
from assistant.rulesets.giglio.records import EDITIONS, RECORDS, Desk
from assistant.rulesets.giglio.records import Battle as GiglioBattle
from assistant.rulesets.giglio.requests import admitted, rows_of_phase, stations
from assistant.rulesets.giglio.sea import board_in_port, homeward
from assistant.rulesets.giglio.shorthand import understand
from assistant.rulesets.giglio.sieges import siege
from assistant.rulesets.giglio.tables import CALENDAR, NUMBERS
from assistant.rulesets.giglio.treaties import Offer, conclude
from assistant.rulesets.giglio.verbs import SUMMER, VERBS, season_of
from assistant.rulesets.giglio.view import view
from assistant.rulesets.giglio.war import War
from assistant.rulesets.giglio.winter import winter
from assistant.turn.dice import Dice
from assistant.turn.findings import Finding, Where
from assistant.turn.game import REFEREE, Game, Waiting
from assistant.turn.phases import answers_of
from assistant.turn.ruleset import Phase, Ruleset, Said, TableOf, Understood
from assistant.turn.texts import N_

ROUNDS = range(1, 11)
OVER = "over"
STEPS: tuple[tuple[str, str, str, str, Callable[[Game], None], tuple[str, ...]], ...] = (
    ("move", "marches", "spostamenti", "3b, t33, fleets, border, April", move, ("ally_confirm", "move_order", "hand")),
    ("contact", "meetings", "incontri", "3c t34", contact, ("spy", "choice")),
    ("battle", "battles", "battaglie", "3c", battles.battle, ("battle_result", "allot", "retreat_to")),
    ("siege", "sieges", "assedi", "3d t35", siege, ("bribe",)),
)


def _phases() -> dict[str, Phase]:
    found = [
        Phase("income", "Income", "Riscossione", "2, 2a t29, 4 t36, Amendments", income),
        Phase("budget", "Budget and recruiting", "Bilancio e arruolamento", "2a, 2b t32 t33, alliances", budget,
              "budget", ("ally_confirm",)),
        Phase("open", "Opening of summer", "Apertura dell'estate", "2b t33, 3a", opening, "",
              ("move_order", "companies")),
    ]
    for n in ROUNDS:
        month_en, month_it = CALENDAR[n - 1]
        found += [Phase(f"r{n}.{step}", f"{month_en}: {en}", f"{month_it}: {it}", rule, run,
                        f"r{n}" if step == "move" else "", waits)
                  for step, en, it, rule, run, waits in STEPS]
    found += [
        Phase("winter", "Winter", "Inverno", "4 t36", winter, "", ("betrayal",)),
        Phase("final", "Verification", "Verifica", "objectives", final),
    ]
    return {phase.id: phase for phase in found}


PHASES = _phases()
YEAR = tuple(phase for phase in PHASES if phase != "final")


class Giglio(Ruleset):
    """Il Giglio, all editions and switches."""

    id = "giglio"
    demo_rank = 1
    title = "Il Giglio"
    author = "Free Wargamers, Rules & Games"
    version = "1"
    editions = EDITIONS
    turn_pattern = r"[1-9]\d{0,3}"
    closing = "final"
    catalogue_domain = "giglio"
    records = RECORDS
    numbers = NUMBERS
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    words = WORDS

    def phase(self, phase_id: str) -> Phase:
        """The phase of an id; ``over`` is none. Raises KeyError."""
        return PHASES[phase_id]

    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """One year, from income to winter; the verification after the last."""
        return (*YEAR, "final") if self._last_year(campaign) else YEAR

    def _last_year(self, campaign: Campaign) -> bool:
        desk = next(iter(campaign.table(Desk)))
        start = desk.start_year or int(desk.turn)
        return int(desk.turn) >= start + int(self.rules(campaign).campaign_years) - 1

    def advance(self, campaign: Campaign) -> None:
        """The next phase; winter turns the year, the last winter leads to the verification."""
        desk = next(iter(campaign.table(Desk)))
        if desk.phase == "winter":
            desk.phase = "final" if self._last_year(campaign) else YEAR[0]
            desk.turn = str(int(desk.turn) + 1)
            desk.first_spring = "no" if desk.first_spring else ""
        elif desk.phase == "final":
            desk.phase = OVER
        else:
            desk.phase = YEAR[YEAR.index(desk.phase) + 1]

    def is_over(self, campaign: Campaign) -> bool:
        """Whether the verification is done."""
        return campaign.desk.phase == OVER

    def phase_word(self, word: str, lang: str) -> str:
        """A round, which orders call ``r1``, by its place in the calendar."""
        if season_of(word) == SUMMER:
            return CALENDAR[int(word[1:]) - 1][lang == "it"]
        return super().phase_word(word, lang)

    def fold(self, campaign: Campaign) -> None:
        """See `data.fold`."""
        data.fold(campaign)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the digest gives a default for."""
        data.prepare_desk(next(iter(campaign.table(Desk))))
        data.prepare_places(campaign)
        data.prepare_forces(self._war(campaign))

    def _war(self, campaign: Campaign, phase: str = "") -> War:
        desk = campaign.desk
        return War(Game(campaign, self.rules(campaign), Dice(desk.turn, b""), phase or desk.phase, FINDINGS,
                        answers_of(campaign)))

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """GIG-120 to 125."""
        return data.check_data(campaign, self.rules(campaign))

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """The order part of the phase on a copy in which nobody moves (digest 5.1)."""
        if campaign.desk.phase == OVER or not PHASES[campaign.desk.phase].orders:
            return []
        war = self._war(campaign.copy())
        if war.season == "budget":
            self._conclude(war, take_orders(war)[1])
        else:
            orders = Orders()
            rows = ready_rows(war)
            staff_work(war, rows, orders)
            self._conclude(war, orders.offers)
            fix_actions(war, rows, orders)
            board_in_port(war, orders.plan)
            homeward(war, orders.plan)
            for faction in war.players():
                alone = self._war(war.campaign.copy())
                unreached_alone(alone, orders.plan, faction.faction)
                war.game.findings += alone.game.findings
        return war.game.findings

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """Forms of open battles (8.3); of the orders for later rounds of this year verbs (GIG-001, 002, 011) and
        what no round will put right (GIG-004, 005, 007, 010).
        """
        desk = campaign.desk
        if desk.phase == OVER:
            return []
        work = campaign.copy()
        war = self._war(work)
        battles.check_forms(war)
        found = list(war.game.findings)
        ids = list(self.phase_ids(campaign))
        for phase in ids[ids.index(desk.phase) + 1:]:
            if PHASES[phase].orders:
                later = self._war(work, phase)
                forward.judge(later, admitted(later, rows_of_phase(later), season_of(later.season)))
                found += later.game.findings
        return found

    def wrong_answer(self, question: Question, options: Sequence[str]) -> Finding:
        """GIG-109 of a way back that is none, else GIG-100 (digest 12.1)."""
        where = Where(Question.sheet, question.ident, "answer")
        whose, answer = "" if question.to == REFEREE else question.to, question.answer.strip()
        if question.kind == "retreat_to":
            return self.finding("GIG-109", where, whose, node=answer, list=" ".join(options))
        return self.finding("GIG-100", where, whose, answer=answer, options=", ".join(options))

    def _conclude(self, war: War, offers: list[Offer]) -> None:
        """Treaties that both have sent hold before the marches; asking a partner belongs to the resolution."""
        with suppress(Waiting):
            conclude(war, offers)

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """One line of shorthand (digest 5.4)."""
        war = self._war(campaign)
        return understand(text, war.nodes, war.armies, factions=war.factions, faction=faction,
                          at=stations(war, faction))

    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """Digest, section 9."""
        return view(campaign, faction, self.rules(campaign))

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Places, cities, fortresses, villages, capitals, ports, fleets (public), then ducats and army ducats."""
        war = self._war(campaign)
        return [figures(war, f.faction) for f in war.players()]

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Chest, army ducats, places, cities, fleets."""
        war = self._war(view)
        if faction not in war.factions:
            return []
        row = figures(war, faction)
        return [(N_("Ducats in the chest"), row["ducats"]), (N_("Ducats under arms"), row["army_ducats"]),
                (N_("Places"), row["places"]), (N_("Cities"), row["cities"]), (N_("Fleets"), row["fleets"])]

    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """Digest, section 11."""
        return list(robot.orders(self._war(view), faction))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """Digest, section 11."""
        return robot.answer(self._war(view, question.phase), faction, question)

    def when(self, turn: str, phase: str, lang: str) -> str:
        """Year and phase; ``over`` is the year alone."""
        return turn if phase not in PHASES else f"{turn}, {PHASES[phase].name(lang)}"

    def battle_is_reported(self, battle: Battle) -> bool:
        """Whether anything stands in the result form (8.3)."""
        return isinstance(battle, GiglioBattle) and battles.is_reported(battle)

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Loans that fall due next spring."""
        return dues(self._war(view), faction)

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """Digest 8.2."""
        return dossier(self._war(view), battle, faction) if isinstance(battle, GiglioBattle) else []

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Armies, fleets, specialists, places, treaties, sieges."""
        return own_tables(self._war(view), faction)

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """Markers of others, and what spies have told of them."""
        return sightings(self._war(view), faction)


GIGLIO = Giglio()
