"""The Anarchy as a ruleset: the opening, and six phases a day (digest, section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Order, Question, Rule
from assistant.rulesets.anarchy import data, reports, robot
from assistant.rulesets.anarchy.ahead import check_forms, check_late
from assistant.rulesets.anarchy.checks import check_day
from assistant.rulesets.anarchy.closing import close
from assistant.rulesets.anarchy.convoys import convoys
from assistant.rulesets.anarchy.findings import FINDINGS
from assistant.rulesets.anarchy.forms import is_reported
from assistant.rulesets.anarchy.messages import EVENTS, QUESTIONS, WORDS
from assistant.rulesets.anarchy.movement import movement
from assistant.rulesets.anarchy.opening import opening
from assistant.rulesets.anarchy.provisions import provisions
from assistant.rulesets.anarchy.ransoms import ransoms
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.records import Battle as AnarchyBattle
from assistant.rulesets.anarchy.records import Loss
from assistant.rulesets.anarchy.reorganise import reorganise
from assistant.rulesets.anarchy.rolls import BATTLES, ROLLS
from assistant.rulesets.anarchy.scoring import last_day
from assistant.rulesets.anarchy.sheets import RECORDS
from assistant.rulesets.anarchy.shorthand import understand
from assistant.rulesets.anarchy.tables import NUMBERS
from assistant.rulesets.anarchy.verbs import ORDERS_WORD, VERBS
from assistant.rulesets.anarchy.view import view
from assistant.turn.dice import Dice
from assistant.turn.findings import Finding, Where
from assistant.turn.game import REFEREE, Game
from assistant.turn.numbers import Rules, typed_values
from assistant.turn.phases import answers_of
from assistant.turn.ruleset import Phase, Ruleset, Said, TableOf, Understood

OVER = "over"
_ASKED = ("attack", "contest", "accept", "join", "battle", "retreat", "standoff", "hire", "lure", "convoy", "train",
          "prize", "loot", "share", "name", "move", "ruling")

PHASES: dict[str, Phase] = {phase.id: phase for phase in (
    Phase("opening", "Opening", "Apertura", "8.2, 18", opening),
    Phase("provisions", "Muster and provisions", "Appello e provviste", "6, 8.4, 11.4, 15.7", provisions, ORDERS_WORD),
    Phase("reorganise", "Reorganisation", "Riorganizzazione", "5.3, 8.1, 15.8", reorganise, ORDERS_WORD, ("escort",)),
    Phase("ransoms", "Ransoms", "Riscatti", "15.8", ransoms, ORDERS_WORD, ("ruling",)),
    Phase("convoys", "Convoys and transfers", "Convogli e trasferimenti", "12", convoys, ORDERS_WORD),
    Phase("movement", "Movement and encounters", "Movimenti e incontri", "6, 7, 8.3, 10, 11, 13, 14, 15", movement,
          ORDERS_WORD, _ASKED),
    Phase("close", "Siege day and close", "Giornata d'assedio e chiusura", "8.1, 15.8, 16", close, ORDERS_WORD),
)}
DAY = tuple(PHASES)[1:]


class Anarchy(Ruleset):
    """The Anarchy, all switches."""

    id = "anarchy"
    title = "The Anarchy"
    author = "Buxeria, Historic'One"
    version = "1"
    turn_pattern = r"\d{1,3}"
    catalogue_domain = "anarchy"
    records = RECORDS
    forms = (Loss,)
    numbers = NUMBERS
    findings = FINDINGS
    events = EVENTS
    questions = QUESTIONS
    verbs = VERBS
    rolls = ROLLS
    battles = BATTLES
    words = WORDS
    unwelcome = ("Hungry groups",)
    named = ("Nodes", "Places", "Nobles")

    def rules(self, campaign: Campaign) -> Rules:
        """The numbers in force; keys may carry the book's name."""
        typed = {key.removeprefix(data.PREFIX): value for key, value in typed_values(campaign.table(Rule)).items()}
        return Rules(self.numbers, campaign.desk.edition or self.editions[0], typed)

    def realm(self, campaign: Campaign) -> Realm:
        """The campaign as a phase would see it now."""
        desk = campaign.desk
        return Realm(Game(campaign, self.rules(campaign), Dice(desk.turn, b""), desk.phase, FINDINGS,
                          answers_of(campaign)))

    # --- the calendar -----------------------------------------------------------------------
    def phase(self, phase_id: str) -> Phase:
        """The phase of an id; ``over`` is none. Raises KeyError."""
        return PHASES[phase_id]

    def phase_ids(self, campaign: Campaign) -> Sequence[str]:
        """The opening on day 0, then the six phases of a day."""
        return ("opening",) if campaign.desk.turn in ("", "0") else DAY

    def advance(self, campaign: Campaign) -> None:
        """The next phase; the close turns the day, the last close ends the campaign."""
        desk = campaign.desk
        if desk.phase == "opening":
            desk.turn, desk.phase = "1", DAY[0]
        elif desk.phase == DAY[-1]:
            if last_day(self.realm(campaign)):
                desk.phase = OVER
            else:
                desk.turn, desk.phase = str(int(desk.turn) + 1), DAY[0]
        else:
            desk.phase = DAY[DAY.index(desk.phase) + 1]

    def is_over(self, campaign: Campaign) -> bool:
        """Whether the last day is closed."""
        return campaign.desk.phase == OVER

    def year(self, turn: str) -> str:
        """A campaign of days falls within one year, and a day has too few dice to say anything of luck."""
        return ""

    def when(self, turn: str, phase: str, lang: str) -> str:
        """Day and phase; ``over`` is the day alone."""
        day = f"giorno {turn}" if lang == "it" else f"day {turn}"
        return day if phase not in PHASES else f"{day}, {PHASES[phase].name(lang)}"

    def phase_word(self, word: str, lang: str) -> str:
        """As everywhere; the one word of all orders is the day."""
        return "giorno" if word == ORDERS_WORD and lang == "it" else super().phase_word(word, lang)

    # --- data and orders --------------------------------------------------------------------
    def fold(self, campaign: Campaign) -> None:
        """See `data.fold`."""
        data.fold(campaign)

    def prepare(self, campaign: Campaign) -> None:
        """Fill in what the digest gives a default for."""
        data.prepare(campaign)

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """ANA-911 to 915."""
        return data.check_data(campaign, self.rules(campaign), self.realm(campaign))

    def check_orders(self, campaign: Campaign) -> list[Finding]:
        """The day's orders from the present phase on, on a copy in which nobody marches."""
        if campaign.desk.phase not in DAY:
            return []
        work = campaign.copy()
        desk = work.desk
        return check_day(Game(work, self.rules(work), Dice(desk.turn, b""), desk.phase, FINDINGS, answers_of(work)))

    def check_ahead(self, campaign: Campaign) -> list[Finding]:
        """Orders for phases of today that are over, forms of the battles for which the movement waits."""
        late = check_late(self.realm(campaign))
        if campaign.desk.phase != "movement":
            return late
        work = campaign.copy()
        return [*late, *check_forms(Game(work, self.rules(work), Dice(work.desk.turn, b""), work.desk.phase,
                                         FINDINGS))]

    def late_order(self, order: Order, campaign: Campaign) -> Finding | None:
        """ANA-004; what is late on its own day is told as everywhere."""
        today = campaign.desk.turn
        if order.turn == today:
            return None
        return self.finding("ANA-004", Where(Order.sheet, order.order, "turn"), order.faction, t=order.turn, d=today)

    def wrong_answer(self, question: Question, options: Sequence[str]) -> Finding:
        """ANA-901."""
        return self.finding("ANA-901", Where(Question.sheet, question.ident, "answer"),
                            "" if question.to == REFEREE else question.to, x=question.answer.strip(),
                            options=", ".join(options))

    def understand(self, text: str, campaign: Campaign, faction: str) -> Understood:
        """One line of shorthand."""
        return understand(self.realm(campaign), text)

    # --- what is seen -----------------------------------------------------------------------
    def view(self, campaign: Campaign, faction: str) -> Campaign:
        """Digest, section 8."""
        return view(self.realm(campaign), faction)

    def standings(self, campaign: Campaign) -> list[dict[str, Any]]:
        """Score, castles, loot, groups, nobles."""
        return reports.standings(self.realm(campaign))

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Groups, men, pounds, hunger, captives, castles."""
        realm = self.realm(view)
        return reports.glance(realm, faction) if faction in realm.factions else []

    def dues(self, view: Campaign, faction: str) -> list[Said]:
        """Food, escorts, garrisons, ransoms."""
        return reports.dues(self.realm(view), faction)

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """Digest, section 7."""
        return reports.dossier(self.realm(view), battle, faction) if isinstance(battle, AnarchyBattle) else []

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """What a side has."""
        return reports.own_tables(self.realm(view), faction)

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """What a side sees of others."""
        return reports.sightings(self.realm(view), faction)

    def battle_is_reported(self, battle: Battle) -> bool:
        """Whether the form holds an outcome."""
        return isinstance(battle, AnarchyBattle) and is_reported(battle)

    def places_held(self, view: Campaign, faction: str) -> int:
        """Castles held."""
        return int(reports.figures(self.realm(view), faction)["castles"])

    # --- absent clubs -----------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """Digest, section 10."""
        return list(robot.orders(self.realm(view), faction))

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """Digest, section 10."""
        return robot.answer(self.realm(view), faction, question)


ANARCHY = Anarchy()
