"""Recruiting: armies, garrisons, works, specialists, the Strategos (2b, tables 32 and 33)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Literal

from assistant.campaign.records import ALL
from assistant.campaign.tables import in_natural_order
from assistant.rulesets.giglio import VOCABULARY, both
from assistant.rulesets.giglio.alliances import mark_suspect
from assistant.rulesets.giglio.records import (
    AMENDED,
    ASSUMED,
    DUCATS,
    ENGLISH_AMENDED,
    ROLLS,
    SPECIALISTS,
    TIED,
    Army,
    Faction,
    Node,
    Specialist,
    Work,
    by_edition,
)
from assistant.rulesets.giglio.war import (
    ARMY,
    IN_BOTH,
    IN_SPRING,
    IN_SUMMER,
    Ducats,
    Shot,
    War,
    check_not_aboard,
    check_soldiers,
    soldiers_column,
    table_citation,
)
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import Roll
from assistant.turn.event_types import EACH_TIME
from assistant.turn.game import next_code
from assistant.turn.orders.columns import Option as ColumnOption
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.row_columns import Code, Partner, Place
from assistant.turn.orders.taking import afford, late_meaning
from assistant.turn.orders.verbs import Cost, order, same
from assistant.turn.questions import Ask, Codes, Told
from assistant.turn.rulings import Trial, highest_thrower, rank_by_throw

# What the chapter declares.


class Numbers(Rules):
    """Armies, garrisons, works (table 32) and specialists (table 33): prices, and what they may do."""

    max_armies: int = number(3, both("armies", "armate"),
                             both("A faction may have {n} {n?army|armies}; diplomats are not counted.",
                                  "Una fazione può avere {n} {n?armata|armate}; i diplomatici non contano."))
    company_min: int = number(28, DUCATS,
                              both("Recruiting for less than {n} {n?ducat|ducats}, the cheapest company, brings an "
                                   "advice.",
                                   "Arruolare per meno di {n} {n?ducato|ducati}, la compagnia più economica, porta "
                                   "un avviso."), "FOUND elsewhere", source="parent")
    garrison_cost: int = number(10, DUCATS,
                                both("A garrison takes {n} {n?ducat|ducats} from the army that leaves it, or from the "
                                     "chest.",
                                     "Una guarnigione toglie {n} {n?ducato|ducati} all'armata che la lascia, o alla "
                                     "cassa."))
    cost_fortify: int = number(50, DUCATS,
                               both("Fortifying an open place or rebuilding a razed one costs {n} {n?ducat|ducats}.",
                                    "Fortificare un luogo aperto o ricostruirne uno raso costa {n} {n?ducato|ducati}."),
                               source="2b t32")
    cost_repair: int = number(30, DUCATS,
                              both("Repairing walls that a siege damaged costs {n} {n?ducat|ducats}.",
                                   "Riparare le mura danneggiate da un assedio costa {n} {n?ducato|ducati}."),
                              source="2b t32")
    cost_sapper: int = number(50, DUCATS,
                              both("A sapper costs {n} {n?ducat|ducats} for the year.",
                                   "Un geniere costa {n} {n?ducato|ducati} per l'anno."), source="2b t33")
    cost_diplomat: int = number(35, DUCATS,
                                both("A diplomat, who looks like an army, costs {n} {n?ducat|ducats}.",
                                     "Un diplomatico, che sembra un'armata, costa {n} {n?ducato|ducati}."),
                                source="2b t33")
    cost_spy: int = number(50, DUCATS,
                           both("A spy costs {n} {n?ducat|ducats} for the year.",
                                "Una spia costa {n} {n?ducato|ducati} per l'anno."), source="2b t33")
    cost_assassin: int = number(50, DUCATS,
                                both("An assassin costs {n} {n?ducat|ducats} for one mission.",
                                     "Un assassino costa {n} {n?ducato|ducati} per una missione."), source="2b t33")
    fort_timing: Literal["amended", "base"] = switch(
        both("Works are finished {option}.", "I lavori finiscono {option}."),
        both("at once at home or beside an army, else later",
             "subito in casa o accanto a un'armata, altrimenti più tardi"),
        both("in the winter of their year", "nell'inverno del loro anno"),
        by_edition=by_edition(AMENDED, "amended", "base"), source="2b, Amendments")
    fort_paid: Literal["paid", "free"] = switch(
        both("Works that the Amendments finish at once {option}.",
             "I lavori che gli Emendamenti finiscono subito {option}."), both("are paid", "si pagano"),
        both("cost nothing", "non costano nulla"), by_edition=by_edition(ENGLISH_AMENDED, "free", "paid"),
        source="Amendments", usual=True)
    amend_free: Literal["no", "yes"] = switch(both("Garrisons and works at once by the Amendments {option}.",
                                                   "Le guarnigioni e i lavori immediati degli Emendamenti {option}."),
                                              both("cost what they say", "costano quanto è scritto"),
                                              both("are free", "sono gratuiti"),
                                              by_edition=by_edition(ENGLISH_AMENDED, "yes", "no"), source="Amendments",
                                              usual=True)
    garrison_treasury: Literal["yes", "no"] = switch(both("A home node {option}.", "Un nodo di casa {option}."),
                                                     both("takes a garrison without an army, paid from the chest",
                                                          "riceve una guarnigione senza armata, pagata dalla cassa"),
                                                     both("takes a garrison from an army only",
                                                          "riceve una guarnigione solo da un'armata"),
                                                     by_edition=by_edition(AMENDED, "yes", "no"), source="Amendments",
                                                     usual=True)
    garrison_where: Literal["any", "fortified"] = switch(
        both("Garrisons stand {option}.", "Le guarnigioni stanno {option}."),
        both("in any own node", "in ogni proprio nodo"),
        both("in fortified own nodes only", "solo nei propri nodi fortificati"),
        by_edition=by_edition(AMENDED, "any", "fortified"), source="2b, Amendments")
    strategos_tie: Literal["reroll", "no_one"] = switch(
        both("Among equal bids for Strategos {option}.", "Fra offerte pari per lo Stratega {option}."),
        both("dice decide", "decidono i dadi"), both("nobody gets him", "non lo ottiene nessuno"), source="2b t33")
    strategos_pay: Literal["keep", "pay"] = switch(
        both("Who loses the bidding for Strategos {option}.", "Chi perde l'asta per lo Stratega {option}."),
        both("keeps the bid", "conserva la sua offerta"), both("pays the bid", "paga la sua offerta"), source="2b t33",
        usual=True)
    order_redraw: Literal["summer", "phase"] = switch(
        both("The order of movement holds {option}.", "L'ordine di mossa vale {option}."),
        both("for the summer", "per l'estate"), both("for one round", "per una fase"), source="2b t33", usual=True)
    spy_uses: Literal["each", "once"] = switch(both("A spy serves {option}.", "Una spia serve {option}."),
                                               both("in every round", "in ogni fase"), both("once", "una volta"),
                                               source="2b t33")
    assassin_hits: int = number(5, both("1d6, this or more", "1d6, questo o più"),
                                both("An assassin kills on {n} or more.", "Un assassino uccide con {n} o più."),
                                source="2b t33")
    commander_node_penalty: int = number(1, both("nodes", "nodi"),
                                         both("In the round after its commander was killed an army marches {n} "
                                              "{n?node|nodes} less.",
                                              "Nella fase dopo la morte del comandante l'armata marcia {n} "
                                              "{n?nodo|nodi} in meno."), ASSUMED, source="2b t33")
    assassin_timing: Literal["any", "own_phase"] = switch(
        both("Assassins strike {option}.", "Gli assassini colpiscono {option}."),
        both("before all marches", "prima di tutte le marce"),
        both("just before their own side marches", "appena prima delle marce della loro parte"), source="2b t33")


DRAW = ("draw", "sorte", "sorteggio")
"""Words that leave a question to its default."""
_MOVE_ORDER = Told("GIG-106", {"missing": "missing"})

EVENTS = (
    EventType("army.recruited",
              both("{army} {node:at}: +{amount} {amount?ducat|ducats}.",
                   "{army} {node:dove}: +{amount} {amount?ducato|ducati}."), "money", 4, to="army"),
    EventType("army.reorganised",
              both("{amount} {amount?ducat passes|ducats pass} from {from:the} to {to:the}. It is a new army "
                   "{node:at}.",
                   "{amount} {amount?ducato passa|ducati passano} {from:da} {to:a}. È una nuova armata {node:dove}."),
              "moves", 5, to="from", blank="node"),
    EventType("garrison.placed",
              both("A garrison of {faction:the} {node:at}.", "Guarnigione {faction:di} {node:dove}."), "works", 4,
              "2b, Amendments", to=lambda war, data: war.garrison_audience(data["faction"])),
    EventType("works.begun",
              both("Works {node:at}, ready in {ready_year}.", "Lavori {node:dove}, pronti nel {ready_year}."), "works",
              4, "t32, Amendments", to=ALL),
    EventType("works.done", both("{node:the} is fortified.", "{node:il} è fortificat{node?o|a|i|e}."), "works", 3,
              "t32, Amendments", variants=("kind", {"repair": both("The walls of {node:the} are repaired.",
                                                                   "Le mura {node:di} sono riparate.")}), to=ALL),
    EventType("works.lost", both("The works {node:at} are lost.", "I lavori {node:dove} sono perduti."), "works", 2,
              "t32, Amendments", to=ALL),
    EventType("specialist.enlisted", both("{kind} {code} enters service. Post: {post}.",
                                          "{kind:il} {code} entra in servizio. Posto: {post}."),
              "money", 4, "t33", variants=("kind", {
                  "diplomat": both("A diplomat enters service; on the map he looks like an army: {code:the}.",
                                   "Un diplomatico entra in servizio; sulla mappa sembra un'armata: {code:il}.")}),
              to="code", blank="post"),
    EventType("specialist.posted", both("{code} is posted at {post:the}.", "{code} è assegnato {post:a}."), "moves", 6,
              "t33", to="code"),
    EventType("specialist.expired", both("{code} leaves the service.", "{code} lascia il servizio."), "news", 6, "t33",
              to="code"),
    EventType("marker.withdrawn", both("{army} is taken off the map.", "{army} è tolta dalla mappa."),
              "moves", 4, "t33",
              to=ALL),
    EventType("commander.replaced", both("{army} has a commander again.", "{army} ha di nuovo un comandante."), "moves",
              5, "t33", to="army"),
    EventType("strategos.won",
              both("{faction:the} {faction?is|are} Strategos this year and {faction?decides|decide} in which order "
                   "the factions move.",
                   "Quest'anno lo Stratega {faction?è|sono} {faction:il}: {faction?decide|decidono} l'ordine di "
                   "mossa delle fazioni."), "rulings", 2, "t33", to=ALL),
    EventType("strategos.none", both("There is no Strategos this year.", "Quest'anno non c'è uno Stratega."), "rulings",
              3, "t33", to=ALL),
    EventType("strategos.tied",
              both("Equal bids for the office of Strategos: {roll}", "Offerte pari per la carica di Stratega: {roll}"),
              "rulings", 4, "t33",
              ("faction",
               {"": both("Equal bids for the office of Strategos: nobody has it.",
                         "Offerte pari per la carica di Stratega: resta vacante.")}), to="tied"),
    EventType("order.set", both("Order of movement: {order}.", "Ordine di mossa: {order}."), "rulings", 3, "t33",
              to=ALL),
    EventType("assassin.success",
              both("Your assassin killed the {kind} of {target}.", "Il tuo assassino ha ucciso {kind:il} di {target}."),
              "rulings", 1, "t33", to=EACH_TIME),
    EventType("assassin.failed",
              both("Your assassin failed against {target}.", "Il tuo assassino ha fallito contro {target}."),
              "rulings", 2, "t33", to=EACH_TIME),
    EventType("assassin.nobody",
              both("Your assassin found nobody at {target}.",
                   "Il tuo assassino non ha trovato nessuno presso {target}."), "rulings", 2, "t33", to=EACH_TIME),
    EventType("assassin.gone",
              both("{man} was killed before he could strike at {target}.",
                   "{man} è stato ucciso prima di poter colpire {target}."), "rulings", 2, "t33", to="man"),
    EventType("assassin.exposed",
              both("An assassin of {by:the} was caught near {target}.",
                   "Presso {target} è stato catturato un assassino inviato {by:da}."), "diplomacy", 1, "t33", to=ALL),
    EventType("victim.struck",
              both("An assassin killed your {kind} {target:at}.",
                   "Un assassino ha ucciso {kind:il} che avevi {target:dove}."), "rulings", 0, "t33",
              ("kind", {"spy": both("An assassin killed your spy.", "Un assassino ha ucciso la tua spia."),
                        "assassin": both("An assassin killed your assassin.",
                                         "Un assassino ha ucciso il tuo assassino.")}), to=EACH_TIME),
)

FINDINGS = (
    Message("GIG-024", "error",
            both("{node:the} is not a city that you control. Recruit in one of {list}.",
                 "{node:il} non è una città tua. Arruola in una di {list}.")),
    Message("GIG-025", "error",
            both("A hostile army stands {node:at}. Recruit elsewhere.",
                 "{node:dove} c'è un'armata nemica. Arruola altrove.")),
    Message("GIG-026", "error",
            both("This would be your {n}th army; {max} {max?is allowed|are allowed}. Join an existing one.",
                 "Sarebbe la tua {n}ª armata; il massimo è {max}. Uniscila a una esistente.")),
    Message("GIG-027", "ambiguous",
            both("{list} are all {node:at}. Say which one gets the men, or 'new'.",
                 "{node:dove} ci sono {list}. Indica quale riceve gli uomini, oppure 'nuova'.")),
    Message("GIG-028", "warning",
            both("{amount} {amount?ducat is less|ducats are less} than the cheapest company ({min}).",
                 "{amount} {amount?ducato non basta|ducati non bastano} per la compagnia più economica ({min}).")),
    Message("GIG-031", "error",
            both("'{option}' is not a specialist: choose sapper, diplomat, spy or assassin.",
                 "'{option}' non è uno specialista: scegli fra geniere, diplomatico, spia e assassino."), certain=True),
    Message("GIG-032", "error",
            both("A {kind} cannot be posted at '{target}'. Sapper: your army or place; diplomat: your city.",
                 "{kind:un} non può stare a '{target}'. Geniere: armata o luogo tuo; diplomatico: città tua."),
            variants=("target",
                      {"": both("The {kind} has no post. Sapper: your army or place; diplomat: your city.",
                                "Manca il posto per {kind:il}. Geniere: armata o luogo tuo; diplomatico: città tua."
                                )})),
    Message("GIG-033", "error",
            both("{node:the} is not yours. Works and garrisons need your own place.",
                 "{node:il} non è tu{node?o|a|oi|e}. Lavori e guarnigioni solo in luoghi tuoi.")),
    Message("GIG-034", "error",
            both("{node:the} is already fortified. Delete the row.",
                 "{node:il} è già fortificat{node?o|a|i|e}. Cancella la riga.")),
    Message("GIG-035", "error",
            both("The fortifications of {node:the} are damaged: order repair ({cost}).",
                 "Le fortificazioni {node:di} sono danneggiate: ordina ripara ({cost}).")),
    Message("GIG-036", "error",
            both("There is nothing to repair {node:at}.", "{node:dove} non c'è nulla da riparare.")),
    Message("GIG-037", "error",
            both("{node:the} is besieged or an enemy stands there. Wait until it is free.",
                 "{node:il} è assediat{node?o|a|i|e}, o vi si trova un nemico. Aspetta che sia liber{node?o|a|i|e}.")),
    Message("GIG-038", "warning",
            both("No army of yours {node:at}: the works will be ready in January {year}.",
                 "Non hai un'armata {node:dove}: i lavori finiranno a gennaio {year}."),
            ("when",
             {"winter": both("The works {node:at} will be ready in the winter of {year}.",
                             "{node}: lavori pronti nell'inverno del {year}.")})),
    Message("GIG-039", "error",
            both("Works are already under way {node:at}, ready {year}.",
                 "{node:dove} ci sono già lavori in corso, pronti nel {year}.")),
    Message("GIG-040", "error", both("{node:the} already has a garrison.", "{node:il} ha già una guarnigione.")),
    Message("GIG-041", "error",
            both("{unit} is not {node:at} and did not pass it. Give the garrison where the army goes.",
                 "{unit} non è {node:dove} e non vi è passata. Lascia la guarnigione dove passa l'armata.")),
    Message("GIG-042", "error",
            both("No garrison can be placed {node:at} without an army or fortifications in this edition.",
                 "In questa edizione {node:dove} non si lascia una guarnigione senza un'armata o una fortificazione."),
            ("lacks",
             {"walls": both("{node:the} is not fortified: in this edition garrisons stand in fortified places only.",
                            "{node:il} non è fortificat{node?o|a|i|e}: in questa edizione le guarnigioni stanno solo "
                            "in luoghi fortificati."),
              "army": both("In this edition an army leaves the garrison {node:at}, not the chest. Name the army.",
                           "In questa edizione la guarnigione la lascia un'armata, non la cassa: {node}. Indica "
                           "l'armata."),
              "home": both("{node:the} is not a home place of yours: an army leaves a garrison there, not the "
                           "chest. Name the army.",
                           "{node:il} non è un luogo della tua patria: la guarnigione la lascia un'armata, non la "
                           "cassa. Indica l'armata.")})),
    Message("GIG-043", "error",
            both("{unit} has {value} {value?ducat|ducats}: too few to leave {cost} behind.",
                 "{unit} ha {value} {value?ducato|ducati}: troppo pochi per lasciarne {cost}.")),
    Message("GIG-044", "error",
            both("{unit} and {target} are not in the same place.", "{unit} e {target} non sono nello stesso luogo.")),
    Message("GIG-045", "error",
            both("{unit} has only {value} {value?ducat|ducats}. Lower the amount.",
                 "{unit} ha solo {value} {value?ducato|ducati}. Riduci la cifra.")),
    Message("GIG-046", "error",
            both("{unit} is a diplomat: it has no men.", "{unit} è un diplomatico: non ha uomini.")),
    Message("GIG-048", "warning",
            both("{unit}: type the BP over the core list (1 or more).",
                 "{unit}: scrivi i BP oltre il core (almeno 1).")),
    Message("GIG-085", "error",
            both("{unit} is not an active specialist of yours for this.",
                 "{unit} non è un tuo specialista attivo adatto.")),
    Message("GIG-086", "error",
            both("'{target}' is not an enemy target for {option}.",
                 "'{target}' non è un bersaglio nemico per {option}.")),
    Message("GIG-087", "error",
            both("The sapper must stay in the same node: {list}.",
                 "Il geniere deve restare nello stesso nodo: {list}.")),
    Message("GIG-106", "error",
            both("The order must name each faction once: {missing}.",
                 "L'ordine deve nominare ogni fazione una volta: {missing}.")),
)

QUESTIONS = (
    QuestionType("move_order",
                 both("You are Strategos: in which order do the factions move this summer?",
                      "Sei lo Stratega: in che ordine muovono le fazioni quest'estate?"),
                 answer=Codes(every=True, instead=DRAW), wrong=_MOVE_ORDER),
)

both.words({
    "draw": "sorteggio", "move_order": "ordine di mossa", "recruit": "arruolamento", "bid": "offerta per lo Stratega",
    "pay": "pagamento", "received": "ricevuti", "commander": "comandante", "fortify": "fortificazione",
    "repair": "riparazione",
})

CHAPTER = Chapter(both("2b Recruiting", "2b Arruolamento dell'esercito"),
                  (Citation("2b", "2b"), table_citation(32, "fortifications"), table_citation(33, "specialists")),
                  Numbers, EVENTS, FINDINGS, QUESTIONS)

ORDER = ROLLS.purpose(both("Order of movement", "Ordine di movimento"), "order:{Factions}:{turn}", "1d20", TIED)
ORDER_OF_ROUND = ROLLS.purpose("", "order:{Factions}:{turn}:{n}", "1d20", TIED)
STRATEGOS = ROLLS.purpose(both("Equal bids for Strategos", "Parità per lo Stratega"),
                          "strategos:{Factions}:{turn}", again=TIED)
ASSASSIN = ROLLS.purpose(both("Assassins", "Assassini"), "assassin:{Specialists*}:{turn}:{n}")


# Armies: raised in cities, divided and united.


@order("recruit", "arruola", also=("recluta", "arruolare"), when=IN_SPRING, amount=Ducats(),
       target=Place(title=both("Place", "Luogo")),
       unit=soldiers_column(replace(ARMY, or_words={"new": ("nuova", "nuovo", "nuova armata",
                                                            "new army")}, blank=True, late=True)),
       cost=Cost(times="amount"), twins=True,
       help=both("Pay men into an army at an own city; unit: which army, or new.",
                 "Assolda uomini in una tua città; unità: quale armata, o nuova."))
def recruit(war: War, request: Request, amount: int, place: Node) -> None:
    """Ducats become men in a city that one controls (2b)."""
    if not _own_city(place, request.faction):
        cities = [n.node for n in war.nodes if _own_city(n, request.faction)]
        raise Refused("GIG-024", "target", node=place.node, list=" ".join(cities) or "-")
    if war.enemies_in_field(place.node, request.faction):
        raise Refused("GIG-025", "target", node=place.node)
    army = _receiving_army(war, request, place)
    if army is None:
        check_can_raise_army(war, request.faction)
    afford(war, request)
    # only advice: a list of companies is the club's own affair
    if amount < Numbers.of(war).company_min:
        request.find(war, "GIG-028", "amount", amount=amount, min=Numbers.of(war).company_min)
    advise_points_over_core(war, request, army)
    war.money(request.faction, "recruit", -amount, place.node)
    if army is None:
        army = war.armies.add(Army(army=war.next_army(request.faction), faction=request.faction, node=place.node))
    army.value += amount
    war.tell("army.recruited", army=army.army, amount=amount, node=place.node)


def _own_city(place: Node, faction: str) -> bool:
    return place.owner == faction and place.counts_as == "city"


def _receiving_army(war: War, request: Request, place: Node) -> Army | None:
    army: Army | None = late_meaning(war, request, "unit")
    if army is not None:
        if army.node != place.node or army.posture == "aboard":
            raise Refused("GIG-044", "unit", unit=army.army, target=place.node)
        return army
    if request.unit == "new":
        return None
    there = [a for a in war.at(place.node) if a.faction == request.faction and a.is_army]
    if len(there) > 1:
        raise Refused("GIG-027", "unit", node=place.node, list=" ".join(a.army for a in there))
    return there[0] if there else None


def check_can_raise_army(war: War, faction: str) -> None:
    """Refuse a faction that has as many armies as it may (GIG-026)."""
    count = len(war.armies_of(faction))
    if count >= Numbers.of(war).max_armies:
        raise Refused("GIG-026", "unit", n=count + 1, max=Numbers.of(war).max_armies)


@order("transfer", "trasferisci", when=IN_BOTH, unit=ARMY, target=replace(ARMY, after=("to",), title=both("To", "A")),
       amount=Ducats(blank=True, late=True, all_if_blank=True),
       shown=("transfer {amount} {unit} {target}", "trasferisci {amount} {unit} {target}"),
       help=both("Move ducats from one army to another in the same place; blank: all.",
                 "Passa ducati da un'armata a un'altra nello stesso luogo; vuoto: tutti."))
def transfer(war: War, request: Request, giver: Army, taker: Army) -> None:
    """Ducats go from one army to another in the same place (2b)."""
    check_soldiers(war, request, giver, "unit")
    check_soldiers(war, request, taker, "target")
    apart = (giver.node, giver.posture) != (taker.node, taker.posture) or giver.posture == "aboard"
    if apart or giver is taker:
        raise Refused("GIG-044", "target", unit=giver.army, target=taker.army)
    amount = late_meaning(war, request, "amount") or giver.value
    if amount > giver.value:
        raise Refused("GIG-045", "amount", unit=giver.army, value=giver.value)
    men = war.men_at(giver.army)
    _move_ducats(war, giver, taker, amount)
    # a sapper goes with the men
    if giver.value == 0:
        for man in men:
            man.post = taker.army
        war.armies.remove(giver.army)


def _move_ducats(war: War, giver: Army, taker: Army, amount: int) -> None:
    fresh = {"node": taker.node} if taker.value == 0 else {}
    giver.value, taker.value = giver.value - amount, taker.value + amount
    moved: dict[str, Any] = {"from": giver.army, "to": taker.army, "amount": amount, **fresh}
    war.tell("army.reorganised", **moved)


@order("split", "dividi", when=IN_BOTH, unit=soldiers_column(ARMY, check_not_aboard), amount=Ducats(),
       shown=("split {amount} {unit}", "dividi {amount} {unit}"),
       help=both("Make a new army of so many ducats.", "Forma una nuova armata di tanti ducati."))
def split(war: War, request: Request, army: Army, amount: int) -> None:
    """Part of an army becomes a new one in the same place (2b)."""
    if amount >= army.value:
        raise Refused("GIG-045", "amount", unit=army.army, value=army.value)
    check_can_raise_army(war, request.faction)
    advise_points_over_core(war, request, army)
    detach(war, army, amount)


def detach(war: War, army: Army, amount: int) -> Army:
    """Split a new army of that many ducats off; it has the old one's place and trail."""
    new = army.copy()
    new.army, new.value, new.leaderless = war.next_army(army.faction), 0, 0
    _move_ducats(war, army, war.armies.add(new), amount)
    return new


def advise_points_over_core(war: War, request: Request, army: Army | None) -> None:
    """Armati: warn that an army counts only with at least one BP over the core of its list (GIG-048)."""
    if war.rules.armati_core_rule == "on" and (army is None or (army.bp_over_core or 0) < 1):
        request.find(war, "GIG-048", "unit", unit=army.army if army else war.next_army(request.faction))


# Garrisons are taken from an army that is there or passes, or from the chest.


def check_own_land(war: War, request: Request, place: Node, field: str) -> None:
    """Works and garrisons need an own place ashore (GIG-033)."""
    if place.owner != request.faction or not place.land:
        raise Refused("GIG-033", field, node=place.node)


OWN_PLACE = Place(then=(check_own_land,), title=both("Place", "Luogo"))


def garrison_cost(war: War) -> int:
    """Ducats of a garrison; the amended English text makes it free (amend_free)."""
    return 0 if Numbers.of(war).amend_free == "yes" else Numbers.of(war).garrison_cost


@order("garrison", "guarnigione", also=("guarnisci", "presidia"), when=IN_BOTH, target=OWN_PLACE,
       unit=soldiers_column(replace(ARMY, blank=True, late=True)),
       cost=Cost("garrison_cost", reckoned=lambda war, request: 0 if request.unit else garrison_cost(war)),
       shown=("garrison {target}[ from {unit}]", "guarnigione {target}[ da {unit}]"),
       help=both("Leave a garrison: from an army there or passing, or paid from the chest.",
                 "Lascia una guarnigione: da un'armata presente o di passaggio, o pagata dalla cassa."))
def garrison(war: War, request: Request, place: Node) -> None:
    """Leave a garrison from an army or the chest (2b, Amendments); an army on the march leaves it when it passes."""
    if place.garrison:
        raise Refused("GIG-040", "target", node=place.node)
    if Numbers.of(war).garrison_where == "fortified" and not place.fortified:
        raise Refused("GIG-042", "target", node=place.node, lacks="walls")
    if war.is_troubled(place.node, request.faction):
        raise Refused("GIG-037", "target", node=place.node)
    army: Army | None = late_meaning(war, request, "unit")
    if army is not None:
        here = army.node == place.node and army.posture != "aboard"
        if not here and place.node not in _ordered_path(war, army):
            raise Refused("GIG-041", "unit", unit=army.army, node=place.node)
        check_can_leave(war, army)
        if here:
            leave_garrison(war, army, place)
        else:
            war.plan.garrisons.append((request, army.army, place.node))
        return
    lacks = "army" if Numbers.of(war).garrison_treasury == "no" else "home" if place.home != request.faction else ""
    if lacks:
        raise Refused("GIG-042", "target", node=place.node, lacks=lacks)
    cost = afford(war, request)
    if cost:
        war.money(request.faction, "garrison", -cost, place.node)
    _place_garrison(war, place, request.faction)


def _ordered_path(war: War, army: Army) -> list[str]:
    """The nodes of the march that the whole army is ordered to make in this round; [] without such an order.

    The own middle node of a two-node order is on the way, too.
    """
    kinds = war.game.orders["move"].kinds
    # only an army that marches as a whole takes its garrison along; later rows for it replace earlier ones
    whole = (r for r in reversed(war.plan.requests) if r.verb == "move" and r.amount in ("", army.value)
             and kinds["unit"].same(war, r, "unit") == army.army)
    path = next((request.path for request in whole), [])
    if len(path) == 2 and not war.map.has_link(path[0], path[1], "road"):
        middle = [n for n in war.map.between(path[0], path[1], "road") if war.own(n, army.faction)]
        path = [path[0], *middle, path[1]] if len(middle) == 1 else path
    return path


def check_can_leave(war: War, army: Army) -> None:
    """Refuse an army that would not keep at least one ducat (GIG-043)."""
    cost = garrison_cost(war)
    # at least one ducat must be left: an army never spends itself
    if army.value < cost + 1:
        raise Refused("GIG-043", "unit", unit=army.army, value=army.value, cost=cost)


def leave_garrison(war: War, army: Army, place: Node) -> None:
    """Leave a garrison; the army is smaller by its cost."""
    army.value -= garrison_cost(war)
    _place_garrison(war, place, army.faction)


def _place_garrison(war: War, place: Node, faction: str) -> None:
    place.garrison = True
    war.tell("garrison.placed", node=place.node, faction=faction)


# Works (table 32).


@order("fortify", "fortifica", when=IN_BOTH, target=OWN_PLACE, cost=Cost("cost_fortify"),
       help=both("Fortify an own place.", "Fortifica un tuo luogo."))
def fortify(war: War, request: Request, place: Node) -> None:
    """Walls for an own place (table 32, Amendments)."""
    if place.walls == "intact":
        raise Refused("GIG-034", "target", node=place.node)
    if place.walls == "damaged":
        raise Refused("GIG-035", "target", node=place.node, cost=Numbers.of(war).cost_repair)
    _begin_work(war, request, place)


@order("repair", "ripara", when=IN_BOTH, target=OWN_PLACE, cost=Cost("cost_repair"),
       help=both("Repair the damaged walls of an own place.", "Ripara le fortificazioni danneggiate di un tuo luogo."))
def repair(war: War, request: Request, place: Node) -> None:
    """Repair walls that a siege has damaged (table 32)."""
    if place.walls != "damaged":
        raise Refused("GIG-036", "target", node=place.node)
    _begin_work(war, request, place)


def works_at_once(war: War, place: Node, faction: str) -> bool:
    """Whether works there are finished at once: an own home node, or one with an own army in it (Amendments)."""
    return Numbers.of(war).fort_timing == "amended" and (place.home == faction or any(
        a.faction == faction and a.is_army for a in war.at(place.node)))


def works_cost(war: War, place: Node, faction: str, verb: str) -> int:
    """Ducats of ``fortify`` or ``repair`` there (table 32); immediate works may be free (fort_paid, amend_free)."""
    # free by the English Amendments; the Italian ones do not speak of a price
    free = Numbers.of(war).fort_paid == "free" or Numbers.of(war).amend_free == "yes"
    if free and works_at_once(war, place, faction):
        return 0
    return Numbers.of(war).cost_repair if verb == "repair" else Numbers.of(war).cost_fortify


def _begin_work(war: War, request: Request, place: Node) -> None:
    under_way = next((w for w in war.works if w.node == place.node and w.status == "under_way"), None)
    if under_way is not None:
        raise Refused("GIG-039", "target", node=place.node, year=under_way.ready_year)
    if war.is_troubled(place.node, request.faction):
        raise Refused("GIG-037", "target", node=place.node)
    at_once = works_at_once(war, place, request.faction)
    cost = afford(war, request, works_cost(war, place, request.faction, request.verb))
    if cost:
        war.money(request.faction, request.verb, -cost, place.node)
    if at_once:
        place.walls = "intact"
        war.tell("works.done", node=place.node, kind=request.verb)
        return
    # works ordered in summer begin only in the next January (Amendments)
    ready = war.year + (0 if Numbers.of(war).fort_timing == "base" else 1 if not war.round else 2)
    war.works.add(Work(node=place.node, faction=request.faction, kind=request.verb, cost=cost,
                       ordered=f"{war.year}.{war.game.phase}", ready_year=ready))
    war.tell("works.begun", node=place.node, ready_year=ready)
    season = {"when": "winter"} if Numbers.of(war).fort_timing == "base" else {}
    request.find(war, "GIG-038", "target", node=place.node, year=ready, **season)


def finish_works(war: War, by_year: int) -> None:
    """Finish the works that are due: walls stand only if the builder still holds the place (2b, Amendments)."""
    for work in war.works:
        if work.status != "under_way" or work.ready_year > by_year:
            continue
        place = war.nodes[work.node]
        if place.owner == work.faction:
            work.status, place.walls = "done", "intact"
            war.tell("works.done", node=work.node, kind=work.kind)
        else:
            work.status = "lost"
            war.tell("works.lost", node=work.node)


# Specialists (table 33).


HIREABLE = {**SPECIALISTS, "diplomat": "diplomatico"}
"""Who may be hired, and be an assassin's victim: code -> Italian."""


@order("enlist", "ingaggia", also=("hire",), when=IN_SPRING,
       option=ColumnOption(HIREABLE, opens=True, further=VOCABULARY["specialists"]),
       target=Code((Army, Node), blank=True, title=both("Post", "Posto")), cost=Cost("cost_{option}"), twins=True,
       help=both("Hire a sapper, diplomat, spy or assassin until the end of this year; post: where he is needed, such "
                 "as a city.",
                 "Ingaggia un geniere, un diplomatico, una spia o un assassino fino alla fine dell'anno; posto: dove "
                 "serve, come una città."))
def enlist(war: War, request: Request) -> None:
    """A specialist of table 33: sapper, diplomat, spy, assassin."""
    kind, code = request.option, request.faction
    if kind not in war.game.orders["enlist"].options()["option"]:
        raise Refused("GIG-031", "option", option=request.typed_text("option") or kind)
    placed = kind in (*war.posted, "diplomat")
    if placed and not _fit_post(war, request):
        raise Refused("GIG-032", "target", kind=kind, target=request.target)
    war.money(code, kind, -afford(war, request), request.target)
    man: Army | Specialist
    if kind == "diplomat":
        man = war.armies.add(Army(army=war.next_army(code), faction=code, kind=kind, node=request.target))
    else:
        man = war.specialists.add(Specialist(
            specialist=next_code(war.specialists, f"{code}-S{{}}"), faction=code, kind=kind, year=war.year,
            post=request.target if kind in war.posted else ""))
    war.tell("specialist.enlisted", kind=kind, code=man.ident, post=request.target if placed else "")


def _fit_post(war: War, request: Request) -> bool:
    place = war.nodes.get(request.target)
    if request.option == "diplomat":
        return place is not None and _own_city(place, request.faction)
    army = war.armies.get(request.target)
    with_army = army is not None and army.faction == request.faction and army.is_army
    return with_army or (place is not None and place.owner == request.faction and place.land)


@order("attach", "assegna", also=("assign",), when=IN_BOTH, unit=Code((Specialist,), like="{faction}-S1"),
       target=Code((Army, Node), title=both("Post", "Posto")),
       help=both("Post a sapper with another army or place of the same node.",
                 "Assegna un geniere a un'altra armata o al luogo, nello stesso nodo."))
def attach(war: War, request: Request) -> None:
    """A sapper changes his post within the node (table 33)."""
    man = war.specialists.get(request.unit)
    if man is None or man.faction != request.faction or man.kind not in war.posted or man.status != "active":
        raise Refused("GIG-085", "unit", unit=request.unit)
    target = war.armies.get(request.target)
    if target is not None and target.faction != request.faction and target.posture != "aboard":
        raise Refused("not_yours", "target", word=request.target, owner=target.faction)
    host = war.armies.get(man.post)
    node = host.node if host is not None else man.post
    posts = [a.army for a in war.armies if a.faction == request.faction and a.is_army and a.node == node]
    if node in war.nodes and war.nodes[node].owner == request.faction:
        posts.append(node)
    if request.target not in posts:
        raise Refused("GIG-087", "target", list=" ".join(posts) or "-")
    man.post = request.target
    war.tell("specialist.posted", code=man.specialist, post=man.post)


# Assassins: one mission, on a commander, a diplomat or a specialist.


ARMY_TARGETS = ("commander", "diplomat")
FACTION_TARGETS = ("spy", "assassin")


@order("assassinate", "uccidi", also=("kill", "assassina"), when=IN_SUMMER, replaces=same("shot", "unit"),
       unit=Code((Specialist,), blank=True), target=Code((Army, Node, Faction), of_others=True),
       option=ColumnOption({"commander": "comandante", **HIREABLE}, further=VOCABULARY["specialists"]),
       shown=("assassinate {unit} {option} {target}", "uccidi {unit} {option} {target}"),
       help=both("Send an assassin against a commander, diplomat, sapper, spy or assassin.",
                 "Manda un assassino contro un comandante, un diplomatico, un geniere, una spia o un assassino."))
def assassinate(war: War, request: Request) -> None:
    """Plan an assassination, which is thrown for later in the round (GIG-085, 086)."""
    # an assassin has one mission: who is already sent is not sent again
    mine = [s for s in war.active(request.faction, "assassin") if all(s is not shot.man for shot in war.plan.shots)]
    man = next((s for s in mine if s.specialist == request.unit or not request.unit), None)
    if man is None:
        raise Refused("GIG-085", "unit", unit=request.unit or "-")
    victim = _victim_faction(war, request)
    if not victim or victim == request.faction:
        raise Refused("GIG-086", "target", target=request.target, option=request.option or "-")
    war.plan.shots.append(Shot(man, request.option, request.target, victim))


def _victim_faction(war: War, request: Request) -> str:
    army = war.armies.get(request.target)
    if request.option in (*ARMY_TARGETS, *war.posted) and army is not None and army.posture != "aboard":
        return army.faction
    if request.option in war.posted and request.target in war.nodes:
        return war.nodes[request.target].owner
    faction = war.factions.get(request.target)
    if request.option in FACTION_TARGETS and faction is not None and faction.role != "neutral":
        return faction.faction
    return ""


def resolve_early_shots(war: War) -> None:
    """If assassins may act at any time, all strike before anybody moves (switch assassin_timing)."""
    if Numbers.of(war).assassin_timing == "any":
        shots, war.plan.shots = war.plan.shots, []
        resolve_shots(war, shots)


def resolve_shots(war: War, shots: list[Shot]) -> None:
    """All throw first and are spent; then the results follow in that order (rulebook: Table 33: specialists)."""
    thrown: list[tuple[Shot, Trial]] = []
    for shot in shots:
        if shot.man.status == "active":
            thrown.append((shot, war.trial(ASSASSIN(shot.man.specialist, war.year, war.round),
                                           Numbers.of(war).assassin_hits, {}, [shot.man.faction])))
            shot.man.status = "spent"
        else:
            war.tell("assassin.gone", man=shot.man.specialist, target=shot.target, kind=shot.kind)
    for shot, trial in thrown:
        _resolve(war, shot, trial)


def _resolve(war: War, shot: Shot, trial: Trial) -> None:
    sender, at = shot.man.faction, {"target": shot.target, "kind": shot.kind}
    if not trial.passed:
        war.tell("assassin.failed", [sender], roll=trial, die=trial.roll, **at)
        # on a 1 the sender is known to all, and a treaty with the victim is in question (t33)
        if trial.roll.at_most(1):
            war.tell("assassin.exposed", by=sender, target=shot.target)
            mark_suspect(war, sender, shot.victim, "assassin")
    elif not _kill(war, shot):
        war.tell("assassin.nobody", [sender], roll=trial, **at)
    else:
        war.tell("assassin.success", [sender], roll=trial, **at)
        war.tell("victim.struck", [shot.victim], **at)


def _kill(war: War, shot: Shot) -> bool:
    """Kill the victim, an army's commander or somebody with an army or a place; return whether there was one."""
    army = war.armies.get(shot.target)
    if shot.kind in ("commander", "diplomat") and army is not None:
        if army.kind == "diplomat":
            war.lose_army(army, "assassin", "t33")
        # a commander dies once a round
        elif shot.kind == "commander" and army.leaderless != war.round:
            army.leaderless = war.round
        else:
            return False
        return True
    men = war.active(shot.target, shot.kind) if shot.kind not in war.posted else [
        s for s in war.men_at(shot.target) if s.kind == shot.kind and s.faction != shot.man.faction]
    # the first by code
    for man in men[:1]:
        man.status = "dead"
    return bool(men)


# The Strategos, and the order of movement.


@order("bid", "stratega", also=("strategos", "stratego", "offerta"), when=IN_SPRING, amount=Ducats(),
       cost=Cost(times="amount", held=True), replaces=same("bid"),
       help=both("Bid for the office of Strategos.", "Offri ducati per la carica di Stratega."))
def bid(war: War, request: Request, amount: int) -> None:
    """What is bid is set aside until the auction (table 33)."""
    afford(war, request)
    war.plan.set_aside[request.faction] = amount  # not booked yet: losing bids usually cost nothing


def auction(war: War) -> None:
    """The highest bidder orders the marches of the summer (table 33); dice decide ties."""
    bids, war.plan.set_aside = war.plan.set_aside, {}
    best, winner, rolls = max(bids.values(), default=0), "", list[Roll]()
    tied = in_natural_order(f for f, amount in bids.items() if amount == best)
    if len(tied) == 1 or (tied and Numbers.of(war).strategos_tie == "reroll"):
        winner, rolls = highest_thrower(
            tied, lambda faction, again: war.roll(STRATEGOS(faction, war.year, again=again), tied))
    for faction in in_natural_order(bids):
        if faction == winner or Numbers.of(war).strategos_pay == "pay":
            # what was set aside is still in the chest: only who pays is booked
            war.money(faction, "bid", -bids[faction])
    before, war.desk.strategos = war.desk.strategos, winner
    if winner:
        war.tell("strategos.won", faction=winner)
    # told only if the office ends with it
    elif before:
        war.tell("strategos.none")
    if len(tied) > 1:
        war.tell("strategos.tied", roll=rolls, tied=" ".join(tied), faction=winner)


def set_move_order(war: War) -> None:
    """Set the order of movement: the Strategos decides, or 1d20 each, highest first; ties throw again."""
    names, order, rolls = [f.faction for f in war.players()], list[str](), list[Roll]()
    if war.desk.strategos:
        order = list(war.game.codes(Ask("move_order", war.desk.strategos, "", (), "draw", {"list": " ".join(names)},
                                        answer=Codes(every=True, among=tuple(names), instead=DRAW))))
    if not order:
        order, rolls = rank_by_throw(names, partial(_roll_for_rank, war))
    for rank, code in enumerate(order, 1):
        war.factions[code].move_rank = rank
    war.tell("order.set", roll=rolls, order=" ".join(order), strategos=war.desk.strategos)


def _roll_for_rank(war: War, faction: str, again: int) -> Roll:
    return war.roll(ORDER_OF_ROUND(faction, war.year, war.round, again=again) if war.round else
                    ORDER(faction, war.year, again=again))


def redraw_move_order(war: War) -> None:
    """Set the order of movement again each round (switch order_redraw)."""
    if Numbers.of(war).order_redraw == "phase":
        set_move_order(war)


# Payments between factions (rulebook: Spring and summer orders).


@order("pay", "paga", when=IN_BOTH, partner=Partner(title=both("To", "A")), amount=Ducats(),
       cost=Cost(times="amount"),
       help=both("Send ducats to another faction.", "Manda ducati a un'altra fazione."))
def pay(war: War, request: Request, other: Faction, amount: int) -> None:
    """Take ducats for a partner out of the chest at once."""
    afford(war, request)
    war.money(request.faction, "pay", -amount, other.faction)
    war.plan.sent.append((request.faction, other.faction, amount))


def deliver_payments(war: War) -> None:
    """Give payments to their receivers, who may spend them from the next phase on."""
    for giver, receiver, amount in war.plan.sent:
        war.money(receiver, "received", amount, giver)
