"""The order of play: the verbs of Bloodlust nations, and the phases of the four seasons (rulebook: The year)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assistant.rulesets.bloodlust.battle.aftermath import battles
from assistant.rulesets.bloodlust.battle.forms import look_at_forms
from assistant.rulesets.bloodlust.book.tables import TURNS
from assistant.rulesets.bloodlust.melee import reckon
from assistant.rulesets.bloodlust.muster import organising, recruiting, upkeep
from assistant.rulesets.bloodlust.muster.calling import call
from assistant.rulesets.bloodlust.orders.taking import SAYS
from assistant.rulesets.bloodlust.realm.realm import Realm
from assistant.rulesets.bloodlust.season import besieging, ending, morale, trading, visiting, wintering
from assistant.rulesets.bloodlust.war import declaring, invading, responding
from assistant.turn.calendar import Calendar
from assistant.turn.orders.columns import Note
from assistant.turn.orders.request import Request
from assistant.turn.orders.verbs import Shapes, declared, order
from assistant.turn.steps import Phase, Step


@order("delegate", "delega", when=("recruit", "muster", "war", "invade", "envoys"), note=Note(),
       help="Leave the phase to the rules' own dice.")
def delegate(f: Realm, request: Request) -> None:
    """Taken where the rows of a phase are (`orders.taking`)."""


VERBS = declared(
    recruiting.buy, recruiting.captain, recruiting.hero, recruiting.mercenary, recruiting.recruit,
    organising.form, organising.join, organising.lead, organising.dismiss, organising.forage, organising.pay_first,
    organising.ransom, organising.release, organising.post,
    declaring.war, declaring.peace, declaring.breaking, invading.invade, invading.lift, visiting.envoy, delegate,
    says=SAYS, cells=("subject",), shapes=Shapes(unit=r"(?:[A-Za-z]{2,4}-)?[aulmchAULMCH]\d+", place=r"[A-Za-z]\d+"),
    fillers=("a", "to", "in", "o", "or", "da", "from", "via"))


def _phase(name: str, en: str, it: str, rule: str, board: Callable[[Any], Any], *steps: Step, orders: bool = False,
           waits_for: tuple[str, ...] = (), only: tuple[str, ...] = (), **more: Any) -> Phase:
    """A phase; one that reads orders has its own word in the column For. What it has changed is told at its end."""
    return Phase(name, en, it, rule, orders=name if orders else "", waits_for=waits_for, board=board,
                 steps=(*steps, Step(reckon), Step(Realm.settle)), only=only, **more)


CALENDAR = Calendar((
    _phase("call", "Recruiting rolls", "Tiri di reclutamento", "TS-Sp1", Realm, Step(call), waits_for=("strength",),
           only=("Sp",)),
    _phase("recruit", "Recruiting", "Reclutamento", "TS-Sp2", recruiting.Levying,
           Step(recruiting.planning, "together"), Step(recruiting.hiring), orders=True, waits_for=("strength",),
           only=("Sp", "Su", "Fa"), chests=recruiting.chests),
    _phase("muster", "Organising and upkeep", "Organizzazione e mantenimento", "TS-Sp5", organising.Muster,
           Step(organising.organise, "together"), Step(upkeep.pay_all), Step(upkeep.ransoms), Step(organising.marches),
           Step(upkeep.closing), orders=True),
    _phase("war", "Who goes to war", "Chi va in guerra", "p57", declaring.Diplomacy,
           Step(declaring.wishing, "together"), Step(declaring.white_peaces), Step(declaring.checks),
           orders=True, waits_for=("join",)),
    _phase("invade", "Invasions and responses", "Invasioni e risposte", "p58", invading.Frontier,
           Step(invading.invading, "together"), Step(invading.choosing), Step(invading.entering),
           Step(responding.mutual_attacks), Step(responding.responses), Step(responding.list_battles), orders=True,
           waits_for=("response", "relief")),
    _phase("battle", "Battles", "Battaglie", "TS-Sp10", Realm, Step(look_at_forms, "forms"), Step(battles),
           waits_for=("battle",)),
    _phase("siege", "Sieges", "Assedi", "LS", Realm, Step(besieging.sieges)),
    _phase("will", "National Morale", "Morale nazionale", "WF", Realm, Step(morale.will)),
    _phase("winter", "Winter quarters", "Quartieri d'inverno", "DN", Realm, Step(wintering.winter), waits_for=("keep",),
           only=("Wi",)),
    _phase("trade", "Trade and commerce", "Commercio", "TC", Realm, Step(trading.trade)),
    _phase("envoys", "Diplomacy", "Diplomazia", "DS", visiting.Embassy, Step(visiting.sending, "together"),
           Step(visiting.visits), orders=True, waits_for=("alliance",), only=("Wi",)),
    _phase("close", "End of season", "Fine stagione", "A", Realm, Step(ending.close)),
), TURNS)
