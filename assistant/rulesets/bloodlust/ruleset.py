"""Bloodlust nations as a ruleset: four seasons a year, nations of clubs and of the rules (rulebook: The year)."""

from __future__ import annotations

from typing import Any, cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Event, Order, Question
from assistant.rulesets.bloodlust.battle.dossiers import dossier
from assistant.rulesets.bloodlust.battle.forms import FORM
from assistant.rulesets.bloodlust.book.events import EVENTS, WORDS
from assistant.rulesets.bloodlust.book.messages import CITATIONS, FINDINGS
from assistant.rulesets.bloodlust.book.records import RECORDS, Army, Faction, Node
from assistant.rulesets.bloodlust.book.records import Battle as OwnBattle
from assistant.rulesets.bloodlust.book.records import Order as OwnOrder
from assistant.rulesets.bloodlust.book.sheets import BattleLeader, BattleUnit, Leader, Siege, Unit, War
from assistant.rulesets.bloodlust.book.tables import BATTLES, ROLLS, TURNS, Numbers
from assistant.rulesets.bloodlust.looks import BloodlustLooks
from assistant.rulesets.bloodlust.melee import Melee, unwritten
from assistant.rulesets.bloodlust.orders import lines
from assistant.rulesets.bloodlust.questions import QUESTIONS
from assistant.rulesets.bloodlust.realm import data
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.rulesets.bloodlust.season import points
from assistant.rulesets.bloodlust.season.wintering import worth_keeping
from assistant.rulesets.bloodlust.year import CALENDAR, VERBS
from assistant.turn.books.wing import Wing
from assistant.turn.findings import Finding
from assistant.turn.orders.refusal import role
from assistant.turn.ruleset import Ending, Said, TableOf, Understood
from assistant.turn.texts import N_
from assistant.turn.told import besides, filled

SEASONS = {"Sp": ("Spring", "primavera"), "Su": ("Summer", "estate"), "Fa": ("Fall", "autunno"),
           "Wi": ("Winter", "inverno")}


class Bloodlust(Wing[Numbers]):
    """Bloodlust nations, all switches."""

    id = "bloodlust"
    interface = 4
    title = "Bloodlust nations"
    author = "House rules on a published campaign system"
    version = "2"
    catalogue_domain = "bloodlust"
    records = (*RECORDS[:-4], Melee, *RECORDS[-4:])
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
    looks = BloodlustLooks()
    words = WORDS
    citations = CITATIONS
    late = role("BLD-008", turn="turn")
    prefix = data.PREFIX
    named = ("Nodes", "Leaders", "Weapons")
    coded = ("Armies", "Units")
    shared = ""
    unwelcome = ("Shaken", "Unrest")
    unheard = "BLD-004"

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

    def check_data(self, campaign: Campaign) -> list[Finding]:
        """What is wrong with the workbook, and what is to be expected of melees that do not say it yet."""
        melees = unwritten(self.realm(campaign)) if len(campaign.table(Melee)) else []
        return [*data.check_data(campaign), *melees]

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

    # --- what reports show -------------------------------------------------------------------
    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Provinces, morale, resources, units, recruiting rolls, open wars."""
        f = self.realm(view)
        nation = f.nations.get(faction)
        if nation is None:
            return []
        return [(N_("Provinces"), len(f.of(faction))), (N_("National morale"), nation.morale),
                (N_("Resources"), nation.resources), (N_("Units"), f.strength(faction)),
                (N_("Recruiting rolls"), nation.rolls), (N_("Wars"), len(f.enemies(faction)))]

    def dossier(self, view: Campaign, battle: Battle, faction: str) -> list[Said]:
        """The hand-over of a battle, of what its side may know."""
        return dossier(self.realm(view), cast(OwnBattle, battle), faction)

    def tables(self, view: Campaign, faction: str) -> list[TableOf]:
        """Own armies, units, commanders, provinces; what all know of wars, sieges and weapons stands there too."""
        f = self.realm(view)
        armies = f.armies.where(lambda one: one.active and one.faction == faction)
        units = f.units.where(lambda one: one.active and one.faction == faction)
        leaders = f.leaders.where(lambda one: one.there and one.faction == faction)
        aims = points.aims(f, faction) if faction in f.nations and not self.is_over(view) else []
        return filled(
            TableOf("Your armies", Army, ("army", "node", "kind", "units", "posted_turn"), armies),
            TableOf("Your units", Unit, ("unit", "army", "rep", "morale", "xp"), units),
            TableOf("How they fight", Unit, ("unit", "mount", "ac", "arm", "skills"), units),
            besides("Mercenaries, and who is not at his best", Unit,
                    ("unit", "mercenary", "siege_loss", "exhausted", "greedy_until"), units),
            TableOf("Your commanders", Leader, ("leader", "rank", "reputation", "wr", "army"), leaders),
            besides("Their attributes and weapons", Leader,
                    ("leader", "attributes", "weapon", "wr_change", "wr_change_until"), leaders),
            besides("Those who cannot lead now", Leader, ("leader", "state", "until_turn", "holder"), leaders),
            TableOf("Your provinces", Node, ("node", "terrain", "fort", "conquered_turn", "looted_turn"),
                    f.of(faction)),
            TableOf("Open wars", War, ("aggressor", "target", "reason", "began"), f.open_wars()),
            TableOf("Sieges", Siege, ("node", "besieger", "began", "armies_out", "armies_in"),
                    f.sieges.where(lambda one: not one.ended)),
            TableOf("What ends the campaign", points.Aim, ("faction", "provinces", "lacks", "points", "years"), aims))

    def sightings(self, view: Campaign, faction: str) -> list[TableOf]:
        """The armies of others that have units, and the commanders of others."""
        f = self.realm(view)
        armies = f.armies.where(lambda one: one.active and one.units > 0 and one.faction != faction)
        leaders = f.leaders.where(lambda one: one.there and one.faction != faction)
        return [TableOf(N_("Armies of others"), Army, ("army", "faction", "node", "units"), armies),
                TableOf(N_("Commanders of others"), Leader, ("leader", "faction", "rank", "wr", "army"), leaders)]

    # --- absent clubs -----------------------------------------------------------------------
    def robot_orders(self, view: Campaign, faction: str) -> list[Order]:
        """An absent club leaves its phases to the rules (11)."""
        nation = view.table(Faction).get(faction)
        return [OwnOrder(verb="delegate")] if nation is not None and nation.alive else []

    def robot_answer(self, view: Campaign, faction: str, question: Question) -> str:
        """The default; of units that may be kept the best, as the rules keep them."""
        if question.kind != "keep":
            return question.default
        f = self.realm(view)
        units = [f.units[code] for code in question.options.replace(",", " ").split() if code in f.units]
        return " ".join(unit.unit for unit in worth_keeping(f, f.nations[faction], units)) or question.default


BLOODLUST = Bloodlust()
