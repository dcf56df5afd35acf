"""What all orders share: phrases, seasons, findings, columns, the chest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Record
from assistant.rulesets.giglio import VOCABULARY, both
from assistant.rulesets.giglio.records import Army, Faction, Fleet, Node
from assistant.rulesets.giglio.war import War
from assistant.turn.findings import Message
from assistant.turn.orders.columns import Amount, ColumnCheck
from assistant.turn.orders.requests import Refused, Request, role
from assistant.turn.orders.row_columns import OwnUnit
from assistant.turn.orders.verbs import Purse, Shapes


def further_names(campaign: Campaign) -> Iterator[tuple[str, type[Record], str]]:
    """What else places are called, and a nation by its people, ruler or state."""
    for node in campaign.table(Node):
        for name in VOCABULARY["places"].get(node.name, ()):
            yield name, Node, node.node
    for code, names in VOCABULARY["nations"].items():
        for name in names if code in campaign.table(Faction) else ():
            yield name, Faction, code


# What all orders share: seasons, finding codes, columns, the chest (rulebook: Orders).


INCOME, SPRING, SUMMER = "income", "budget", "summer"
IN_SPRING, IN_SUMMER, IN_BOTH = (SPRING,), (SUMMER,), (SPRING, SUMMER)

SAYS = {
    "unknown_verb": role("GIG-001", "verb", verb="word", phase="phase", list="list", why="why"),
    "wrong_time": role("GIG-002", verb="verb", phase="phase", times="times", when="when", why="why"),
    "no_such_unit": role("GIG-003", unit="word", list="list", near="near"),
    "not_yours": role("GIG-004", unit="word"),
    "no_such_place": role("GIG-005", node="word", near="near"),
    "replaced": role("GIG-006", "order", order="order"),
    "not_an_amount": role("GIG-007", amount="word"),
    "several_there": role("GIG-008", n="n", node="node", list="list"),
    "none_there": role("GIG-009", node="node"),
    "no_such_partner": role("GIG-010", partner="word"),
    "not_understood": role("GIG-011", text="text"),
    "twins": role("GIG-013"),
    "overdrawn": role("GIG-020", cost="cost", left="left"),
}
"""Il Giglio's codes of the findings that every ruleset has."""

FINDINGS = (
    Message("GIG-001", "error",
            both("'{verb}' is not an order. Choose one from the list.",
                 "'{verb}' non è un ordine. Scegline uno dall'elenco."),
            ("why",
             {"word": both("'{verb}' is not an order of {phase}. Use one of: {list}.",
                           "'{verb}' non è un ordine della fase «{phase}». Usa uno di questi: {list}.")})),
    Message("GIG-002", "error",
            both("{verb} can be ordered in spring and in the rounds of summer, not in {phase}. Move the row there.",
                 "L'ordine {verb} si può dare in primavera e nelle fasi d'estate, non in {phase}. Sposta lì la riga."),
            ("times why",
             {"budget": both("{verb} can be ordered in spring only, not in {phase}. Move the row to spring, or "
                             "delete it.",
                             "L'ordine {verb} si può dare solo in primavera, non in {phase}. Sposta la riga in "
                             "primavera, oppure cancellala."),
              "summer": both("{verb} can be ordered in the rounds of summer only, not in {phase}. Move the row to a "
                             "round.",
                             "L'ordine {verb} si può dare solo nelle fasi d'estate, non in {phase}. Sposta la riga "
                             "in una di quelle."),
              "time": both("{verb} cannot be ordered in {phase}. It can be ordered next in {when}: give it for that.",
                           "L'ordine {verb} non si può dare in {phase}. La prossima volta si può dare in: {when}. "
                           "Dallo per allora."),
              "no time": both("{verb} cannot be ordered in {phase}, nor in any phase to come. Delete the row.",
                              "L'ordine {verb} non si può dare in {phase}, né in un'altra fase che verrà. "
                              "Cancella la riga.")})),
    Message("GIG-003", "error", both("No unit {unit}. Your units: {list}.", "Nessuna unità {unit}. Le tue: {list}.")),
    Message("GIG-004", "error",
            both("{unit} is not yours. Name one of your units.", "{unit} non è tua. Indica una tua unità.")),
    Message("GIG-005", "error",
            both("'{node}' is not on the map. Did you mean {near}?", "'{node}' non è sulla mappa. Intendevi {near}?")),
    Message("GIG-006", "warning",
            both("Replaced by your later row {order}. Delete one of the two.",
                 "Sostituito dalla tua riga successiva {order}. Cancella una delle due.")),
    Message("GIG-007", "error",
            both("'{amount}' is not a whole number of ducats of 1 or more. Type one, without a point or comma in it.",
                 "'{amount}' non è un numero intero di ducati, da 1 in su. Scrivine uno, senza punti né virgole."),
            ("what",
             {"year": both("'{amount}' is not a year. Type the last year of the treaty as a number, or leave it "
                           "blank.",
                           "'{amount}' non è un anno. Scrivi in cifre l'ultimo anno del patto, oppure lascia "
                           "vuoto."),
              "no year": both("A treaty cannot end in {amount}, which is past or too far off. Type its last year, or "
                              "leave it blank.",
                              "Un patto non può finire nel {amount}: è un anno passato o troppo lontano. Scrivi "
                              "il suo ultimo anno, oppure lascia vuoto.")}), means={"amount": "text"}),
    Message("GIG-008", "ambiguous",
            both("{n} of your armies are {node:at}: {list}. Name the army.",
                 "{node:dove} hai {n} {n?armata|armate}: {list}. Indica l'armata.")),
    Message("GIG-009", "error",
            both("You have no army {node:at}. Check the first coordinate.",
                 "Non hai armate {node:dove}. Controlla la prima coordinata."),
            ("node",
             {"": both("Neither an army nor a place stands in the row. Name the army.",
                       "Nella riga non ci sono né un'armata né un luogo. Indica l'armata.")})),
    Message("GIG-010", "error",
            both("'{partner}' is not a faction that you can deal with. Use a code from Factions.",
                 "'{partner}' non è una fazione valida. Usa una sigla di Fazioni."), certain=True),
    Message("GIG-011", "error",
            both("'{text}' was not understood. Write for example 'V8 F7'.",
                 "'{text}' non è chiaro. Scrivi per esempio 'V8 F7'.")),
    Message("GIG-013", "warning",
            both("Two identical purchases: both will be made. Delete one if not meant.",
                 "Due acquisti identici: si fanno entrambi. Cancellane uno se non voluto.")),
    Message("GIG-020", "error",
            both("This costs {cost} and only {left} {left?ducat is|ducats are} left at this row. Lower it or change "
                 "the order of rows.",
                 "Costa {cost}, ma a questa riga {left?resta|restano} {left} {left?ducato|ducati}. Riduci la spesa "
                 "o cambia l'ordine delle righe.")),
    Message("GIG-100", "error", both("'{answer}' is not one of {options}.", "'{answer}' non è fra {options}.")),
)
"""Their words, and those for an answer that is none of the options."""

SHAPES = Shapes(unit=r"[A-Za-z]{1,3}-[FSfs]?\d+", place=r"[A-Za-z]{1,3}\d+")
FILLERS = ("da", "dal", "dalla", "from", "a", "ad", "to", "verso", "via", "per", "muovi", "move", "muove", "moves",
           "armata", "l'armata", "army", "in", "al", "alla", "at", "il", "la", "the", "di", "of", "del", "con",
           "with", "contro", "against", "until", "fino", "ducati", "ducats", "ducato", "ducat", "e", "and", "nodo",
           "node")
"""Words of a line that are ignored (rulebook: Orders in words)."""

PURSE = Purse(whose=lambda war, request: request.faction,
              left=lambda war, faction: war.factions[faction].treasury - war.plan.set_aside.get(faction, 0),
              unit=both("ducats", "ducati"))
"""The chest, less what was bid in the auction."""


@dataclass(eq=False, repr=False, kw_only=True)
class Ducats(Amount):
    """Ducats."""

    counted: Sequence[str] | None = VOCABULARY.group("ducats")


def check_soldiers(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse a diplomat, who has no men (GIG-046)."""
    if not army.is_army:
        raise Refused("GIG-046", field, unit=army.army)


def check_not_aboard(war: War, request: Request, army: Army, field: str) -> None:
    """Refuse an army aboard a fleet (GIG-058)."""
    if army.posture == "aboard":
        raise Refused("GIG-058", field, unit=army.army, fleet=army.fleet)


def _is_ashore(army: Army) -> bool:
    return army.posture != "aboard"


ARMY = OwnUnit(Army, known=_is_ashore)
"""An own marker by its code; a finding never reveals other factions' markers that are aboard."""
ACTING_ARMY = replace(ARMY, at=("path", "target"), standing=_is_ashore,
                      free=lambda war, army: army.army not in war.plan.columns)
"""An own marker, or the only one at the start of the path or at the target; new detachments do not count."""
ACTING_FLEET = OwnUnit(Fleet, at=("path",), like="{faction}-F1")


def soldiers_column(kind: OwnUnit, *then: ColumnCheck) -> OwnUnit:
    """The same kind of column, for armies proper only."""
    return replace(kind, then=(check_soldiers, *then))
