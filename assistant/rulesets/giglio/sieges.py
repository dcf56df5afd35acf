"""Sieges (3d, table 35), and open places that fall at the end of a round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL
from assistant.campaign.records import Army as SharedArmy
from assistant.campaign.records import Node as SharedNode
from assistant.campaign.tables import natural
from assistant.rulesets.giglio import PARTIES, both
from assistant.rulesets.giglio.alliances import mark_suspect
from assistant.rulesets.giglio.fleets import drive_out_of_port
from assistant.rulesets.giglio.marches import ACTION, claim_action
from assistant.rulesets.giglio.records import (
    ADDED_TO_THE_DIE,
    DUCATS,
    ENGLISH,
    GO_BACK,
    ROLLS,
    Army,
    Node,
    Siege,
    by_edition,
)
from assistant.rulesets.giglio.war import (
    ACTING_ARMY,
    IN_SUMMER,
    WRONG,
    ArmyAction,
    War,
    near,
    other_factions,
    soldiers_column,
    table_citation,
)
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Modifier, QuestionType, Rules, number, switch
from assistant.turn.findings import Where
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.row_columns import Code
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Amount, Ask

# What the chapter declares.


def table_35(default: int, meaning: str) -> int:
    """Declare what table 35 adds to the die."""
    return number(default, ADDED_TO_THE_DIE, meaning, minimum=-9, source="3d t35")


class Numbers(Rules):
    """What table 35 adds to the die, and what a siege costs."""

    siege_target: int = number(7, both("1d6 + modifiers", "1d6 + modificatori"),
                               both("A besieged place falls on a total of {n} or more.",
                                    "Una piazza assediata cade con un totale di {n} o più."))
    siege_round: int = table_35(
        1, both("Each full round of a siege counts {signed}.", "Ogni fase intera d'assedio vale {signed}."))
    siege_sapper: int = table_35(1, both("A sapper among the besiegers counts {signed}, once.",
                                         "Un geniere fra gli assedianti vale {signed}, una volta."))
    siege_def_sapper: int = table_35(-1, both("A sapper inside the place counts {signed}, once.",
                                              "Un geniere nella piazza vale {signed}, una volta."))
    siege_garrison: int = table_35(-2, both("A garrison or an army inside counts {signed}, once.",
                                            "Una guarnigione o un'armata dentro vale {signed}, una volta."))
    siege_city: int = table_35(
        -2, both("Intact walls of a city count {signed}.", "Le mura integre di una città valgono {signed}."))
    siege_fortress: int = table_35(
        -3, both("Intact walls of a fortress count {signed}.", "Le mura integre di una fortezza valgono {signed}."))
    siege_village: int = table_35(
        -1, both("Intact walls of a village count {signed}.", "Le mura integre di un villaggio valgono {signed}."))
    siege_loss: int = number(10, DUCATS,
                             both("Each tested round of a siege costs the besieging army {n} {n?ducat|ducats}.",
                                  "Ogni fase d'assedio provata costa {n} {n?ducato|ducati} all'armata assediante."))
    siege_bribe_step: Literal["25", "30"] = switch(
        both("Each {option} ducats of bribes count +1 in a siege.",
             "Ogni {option} ducati di corruzione valgono +1 in un assedio."), both("25", "25"), both("30", "30"),
        by_edition=by_edition(ENGLISH, "30", "25"), source="3d t35")
    siege_first_bonus: Literal["yes", "no"] = switch(
        both("The first tested round of a siege {option}.", "La prima fase d'assedio provata {option}."),
        both("counts as a full round", "conta come fase intera"),
        both("does not count as a full round", "non conta come fase intera"))
    siege_loss_when: Literal["always", "success_only"] = switch(
        both("The besieger's ducats are lost {option}.", "L'assediante perde i suoi ducati {option}."),
        both("in every tested round", "in ogni fase provata"),
        both("only when the place falls", "solo quando la piazza cade"))
    shut_army_counts: Literal["yes", "no"] = switch(both("An army shut in {option}.", "Un'armata rinchiusa {option}."),
                                                    both("counts as a garrison", "conta come guarnigione"),
                                                    both("is no garrison", "non è una guarnigione"), source="3d t35")


EVENTS = (
    EventType("siege.begun",
              both("{besieger:the} {besieger?lays|lay} siege to {node:the}.",
                   "{besieger:il} {besieger?pone|pongono} l'assedio {node:a}."), "sieges", 1, to=ALL),
    EventType("siege.lifted", both("The siege of {node:the} by {besieger:the} is over.",
                                    "{besieger:il} non {besieger?assedia|assediano} più {node:il}."), "sieges", 1,
              to=ALL),
    EventType("siege.disturbed",
              both("The siege of {node:the} was disturbed: this round does not count.",
                   "L'assedio {node:di} è disturbato: questa fase non conta."), "sieges", 2, to=ALL),
    EventType("siege.roll",
              both("{besieger:the} {besieger?besieges|besiege} {node:the}: {roll}",
                   "{besieger:il} {besieger?assedia|assediano} {node:il}: {roll}"), "rulings", 2, "3d t35",
              verdicts=(both("the place falls", "la piazza cade"), both("the place holds", "la piazza resiste")),
              to=lambda war, data: war.clubs(data["besieger"], war.nodes[data["node"]].owner), tries="besieger"),
    EventType("siege.fell",
              both("{node:the} falls to {besieger:the}.",
                   "{node:il} cade: {node?lo|la|li|le} {besieger?prende|prendono} {besieger:il}."), "sieges", 0,
              to=ALL),
    EventType("siege.held",
              both("{node:the} holds against {besieger:the}.", "{node:il} resiste all'assedio {besieger:di}."),
              "sieges", 1, to=ALL),
    EventType("siege.wear",
              both("The siege costs {army} {lost} {lost?ducat|ducats}.",
                   "L'assedio costa {army:a} {lost} {lost?ducato|ducati}."), "sieges", 3, to="army"),
    EventType("place.taken",
              both("{by:the} {by?takes|take} {node:the} from {frm:the}.",
                   "{by:il} {by?prende|prendono} {node:il} {frm:a}."), "sieges", 0,
              variants=("frm how left",
                        {"walked in": both("{by:the} {by?marches|march} into {node:the}, which has neither walls nor "
                                           "garrison, and {by?takes|take} it from {frm:the}.",
                                           "{by:il} {by?entra|entrano} {node:in}, senza mura e senza guarnigione, e "
                                           "{node?lo|la|li|le} {by?toglie|tolgono} {frm:a}."),
                         "walked in left": both("{by:the} {by?takes|take} {node:the} from {frm:the}, whose army "
                                                "gave way there: the place has neither walls nor garrison.",
                                                "{by:il} {by?toglie|tolgono} {node:il} {frm:a}, la cui armata ha "
                                                "ceduto il campo: il luogo non ha né mura né guarnigione."),
                         "siege": both("{by:the} {by?takes|take} {node:the} from {frm:the} by siege.",
                                       "{by:il} {by?prende|prendono} {node:il} {frm:a} dopo un assedio."),
                         "N": both("{by:the} {by?takes|take} {node:the} (neutral until now).",
                                   "{by:il} {by?prende|prendono} {node:il} (luogo finora neutrale)."),
                         "N walked in": both("{by:the} {by?marches|march} into {node:the} unopposed (neutral until "
                                             "now).",
                                             "{by:il} {by?entra|entrano} {node:in} senza incontrare resistenza "
                                             "(luogo finora neutrale)."),
                         "N siege": both("{by:the} {by?takes|take} {node:the} by siege (neutral until now).",
                                         "{by:il} {by?prende|prendono} {node:il} dopo un assedio (luogo finora "
                                         "neutrale).")}), means=PARTIES, to=ALL, theme="place"),
)

FINDINGS = (
    Message("GIG-065", "error",
            both("{unit} is not in the field {node:at}. A siege begins the round after arrival.",
                 "{unit} non è in campo {node:dove}. L'assedio comincia la fase dopo l'arrivo.")),
    Message("GIG-066", "error",
            both("{node:the} cannot be besieged by you (own place or sea).",
                 "Non puoi assediare {node:il} (luogo tuo o mare).")),
    Message("GIG-067", "error",
            both("{node:the} is open and empty: it falls by itself at the end of the round.",
                 "{node:il} è apert{node?o|a|i|e} e vuot{node?o|a|i|e}: cade da sé a fine fase.")),
    Message("GIG-068", "error",
            both("A hostile army faces {unit} {node:at}: no siege now.",
                 "Un'armata nemica fronteggia {unit} {node:dove}: per ora niente assedio.")),
    Message("GIG-069", "error", both("You have no siege {node:at}.", "Non hai assedi {node:dove}.")),
    Message("GIG-070", "warning",
            both("The siege costs {loss} {loss?ducat|ducats} a round and {unit} has {value}.",
                 "L'assedio costa {loss} {loss?ducato|ducati} a fase e {unit} ne ha {value}.")),
    Message("GIG-072", "warning",
            both("You have a treaty with {owner:the}: the referee will decide.",
                 "{owner:il} {owner?è tuo alleato|è tua alleata|sono tuoi alleati|sono tue alleate}: giudicherà "
                 "l'arbitro.")),
    Message("GIG-101", "error",
            both("Bribes come to {sum}, the chest holds {left}. Lower this one.",
                 "Le corruzioni fanno {sum}, in cassa {left}. Riduci questa.")),
    Message("GIG-102", "warning",
            both("Only full steps of {step} count: {rest} {rest?ducat is wasted|ducats are wasted}.",
                 "Contano solo {step} {step?ducato intero|ducati interi}: {rest} vanno persi.")),
)


def _sieges_to_come(view: Campaign, faction: str) -> Iterator[str]:
    """What ``bribe`` may be about: the places that one besieges, then those of other clubs, then all that are not one's
    own; first those within a step of one's armies.
    """
    yield from (s.node for s in view.by_sheet("Sieges") if s.besieger == faction)
    around = near(view, {a.node for a in view.table(SharedArmy) if a.faction == faction})
    others, nodes = {*other_factions(view, faction)}, sorted(view.table(SharedNode), key=lambda n: n.node not in around)
    yield from (n.node for n in nodes if others & {*n.owners})
    yield from (n.node for n in nodes if not {faction, *others} & {*n.owners})


QUESTIONS = (
    QuestionType("bribe",
                 both("Siege of {node:the}: it falls on {target}. Before the die: {mods}. How many ducats for bribes, "
                      "{step} for each +1?",
                      "Assedio {node:di}: la piazza cade con {target}. Prima del dado: {mods}. Quanti ducati in "
                      "corruzione, {step} per ogni +1?"), answer=Amount(), stands=Amount(), wrong=WRONG,
                 subjects=_sieges_to_come),
)

both.words({
    "captured with the place": "catturata con la piazza", "captured diplomat": "diplomatico catturato",
    "siege wear": "logorio dell'assedio", "walked in": "entrata senza assedio", "siege": "assedio",
    "bribe": "corruzione",
})

CHAPTER = Chapter(both("3d Sieges", "3d Assedi"), (Citation("3d", "3d"), table_citation(35, "sieges")), Numbers, EVENTS,
                  FINDINGS, QUESTIONS)

SIEGE = ROLLS.purpose(both("Sieges", "Assedi"), "siege:{Nodes}:{turn}:{n}", by="besieger")


# A siege can be begun in the round after the arrival.


@order("siege", "assedia", also=("besiege", "assedio"), when=IN_SUMMER, unit=soldiers_column(ACTING_ARMY),
       target=Code((Node,), where_unit_is=True, title=both("Place", "Luogo")), replaces=ACTION,
       shown=("siege {target} {unit}", "assedia {target} {unit}"),
       help=both("Besiege the place where the army stands.", "Assedia il luogo in cui sta l'armata."))
def besiege(war: War, request: Request, army: Army) -> None:
    """An army before walls or a garrison begins or continues a siege.

    It is carried out before the marches, so nobody besieges in the round of arrival.
    """
    target = request.target or army.node
    if army.posture != "field" or target != army.node:
        raise Refused("GIG-065", "target", unit=army.army, node=target)
    place = war.nodes[target]
    if place.owner == army.faction or not place.land:
        raise Refused("GIG-066", "target", node=target)
    if war.in_contact(army):
        raise Refused("GIG-068", "target", unit=army.army, node=target)
    # nothing to besiege: such a place falls by itself at the end of the round
    if not place.fortified and not place.garrison and not war.inside(target, army.faction):
        raise Refused("GIG-067", "target", node=target)
    loss = Numbers.of(war).siege_loss
    if army.value <= loss:
        request.find(war, "GIG-070", "unit", loss=loss, unit=army.army, value=army.value)
    pact = war.treaty(army.faction, place.owner)
    if pact is not None and not pact.suspect:
        request.find(war, "GIG-072", "target", owner=place.owner)
    claim_action(war, army, ArmyAction(request))
    row = Siege(node=place.node, besieger=army.faction, since_year=war.year, since_round=war.round)
    if row.ident not in war.sieges:
        war.sieges.add(row)
        war.tell("siege.begun", node=place.node, besieger=army.faction)
    mark_suspect(war, army.faction, place.owner, "siege")


@order("lift", "leva", also=("togli",), when=IN_SUMMER, replaces=ACTION, unit=replace(ACTING_ARMY, only_names=True),
       target=Code((Node,), blank=True, title=both("Place", "Luogo")),
       shown=("lift {target} {unit}", "leva {target} {unit}"),
       help=both("End a siege.", "Togli un assedio."))
def lift(war: War, request: Request) -> None:
    """The besieger gives up (GIG-069)."""
    army = war.armies.get(request.unit)
    node = request.target or (army.node if army is not None else "") or (request.path[0] if request.path else "")
    row = war.sieges.get(f"{node}/{request.faction}")
    if row is None:
        raise Refused("GIG-069", "target" if request.target else "unit", node=node or "-")
    end_siege(war, row)


def end_siege(war: War, row: Siege) -> None:
    """End a siege whose place has not fallen."""
    war.sieges.remove(row.ident)
    war.tell("siege.lifted", node=row.node, besieger=row.besieger)


def lift_idle_sieges(war: War) -> None:
    """A siege without an army of the besieger in the field there is lifted."""
    for row in war.sieges:
        if not war.soldiers(row.node, row.besieger):
            end_siege(war, row)


# At the end of the round: 1d6 and table 35; bribes are spent immediately before the die.


def resolve_sieges(war: War) -> None:
    """Take open places, test each siege, close the round.

    A besieger who was in any contact there in this round neither throws nor pays (rulebook: 3d Sieges).
    """
    lift_idle_sieges(war)
    take_open_places(war)
    met = {(c.node, faction) for c in war.contacts_of(war.round) for faction in (c.hand, c.other)}
    for row in war.sieges:
        if (row.node, row.besieger) in met:
            war.tell("siege.disturbed", node=row.node, besieger=row.besieger)
    for row, bribe in ask_bribes(war, [row for row in war.sieges if (row.node, row.besieger) not in met]):
        if row.ident in war.sieges:
            roll_siege(war, row, bribe)
    close_round(war)


def ask_bribes(war: War, rows: list[Siege]) -> list[tuple[Siege, int]]:
    """Ask all besiegers at once for bribes, just before the dice, and take them. Returns each siege with its ducats."""
    numbers = Numbers.of(war)
    step = int(numbers.siege_bribe_step)
    before = [war.modifiers(TABLE_35, TestedRound(war, row, row.rounds + 1)) for row in rows]
    asks = [Ask("bribe", row.besieger, row.node, (), "0",
                {"node": row.node, "mods": {label: n for label, n in adds.items() if n},
                 "target": numbers.siege_target, "step": step}) for row, adds in zip(rows, before, strict=True)]
    spent: dict[str, int] = {}
    prices = list(zip(rows, war.game.amounts(asks), strict=True))
    for ask, (row, ducats) in zip(asks, prices, strict=True):
        chest = war.factions[row.besieger].treasury
        total = spent.get(row.besieger, 0) + ducats
        # each is counted with those before it: the chest pays for all sieges of a faction
        if total > max(0, chest):
            war.game.ask_again(ask, "GIG-101", sum=total, left=chest)
        spent[row.besieger] = total
        if ducats % step:
            where = Where("Questions", ask.ident(war.game.turn, war.game.phase), "answer")
            war.game.find("GIG-102", where, row.besieger, step=step, rest=ducats % step)
    # spent before the die is thrown, whatever it shows (3d)
    for row, ducats in prices:
        if ducats:
            war.money(row.besieger, "bribe", -ducats, row.node)
    return prices


class TestedRound(NamedTuple):
    """A round of a siege before its die. `rounds`: how many have been tested with it; `bribe`: ducats spent on it."""

    war: War
    siege: Siege
    rounds: int
    bribe: int = 0

    @property
    def full_rounds(self) -> int:
        """How many rounds count; the first one by the switch siege_first_bonus."""
        first_counts = Numbers.of(self.war).siege_first_bonus == "yes"
        return self.war.siege_rounds(self.siege, self.rounds if first_counts else self.rounds - 1)

    @property
    def place(self) -> Node:
        """What is besieged."""
        return self.war.nodes[self.siege.node]

    @property
    def inside(self) -> list[Army]:
        """Who is shut in there."""
        return self.war.inside(self.siege.node, self.siege.besieger)

    def is_held(self) -> bool:
        """Whether a garrison or, by the switch shut_army_counts, an army holds the place."""
        armies = Numbers.of(self.war).shut_army_counts == "yes" and any(a.is_army for a in self.inside)
        return self.place.garrison or armies

    def besieger_has_sapper(self) -> bool:
        """Whether one is with a besieging army."""
        besiegers = self.war.soldiers(self.siege.node, self.siege.besieger)
        return any(self.war.sappers_with(army.army) for army in besiegers)

    def defender_has_sapper(self) -> bool:
        """Whether one is posted in the place or with an army inside."""
        posts = [self.siege.node, *(army.army for army in self.inside)]
        return any(man.faction != self.siege.besieger for post in posts for man in self.war.sappers_with(post))


TABLE_35: tuple[Modifier[TestedRound], ...] = (
    Modifier(both.word("full rounds besieging", "fasi intere d'assedio"), lambda test: test.full_rounds, "siege_round"),
    Modifier(both.word("besieger's sapper", "geniere assediante"), TestedRound.besieger_has_sapper, "siege_sapper"),
    Modifier(both.word("bribes", "corruzione"),
             lambda test: test.bribe // int(Numbers.of(test.war).siege_bribe_step)),
    Modifier(both.word("garrison", "guarnigione"), TestedRound.is_held, "siege_garrison"),
    Modifier(both.word("defender's sapper", "geniere difensore"), TestedRound.defender_has_sapper, "siege_def_sapper"),
    Modifier(both.word("walls", "fortificazioni"), lambda test: test.place.fortified,
             lambda test: f"siege_{test.place.counts_as}"),
)
"""Table 35: the question about bribes and the die read it."""


def roll_siege(war: War, row: Siege, bribe: int) -> None:
    """Throw 1d6 with table 35; 7 or more takes the place and all inside (rulebook: Table 35: sieges)."""
    place, besieger, numbers = war.nodes[row.node], row.besieger, Numbers.of(war)
    row.rounds += 1
    trial = war.trial(SIEGE(row.node, war.year, war.round), numbers.siege_target,
                      war.modifiers(TABLE_35, TestedRound(war, row, row.rounds, bribe)),
                      war.clubs(besieger, place.owner))
    war.tell("siege.roll", roll=trial, node=row.node, besieger=besieger, die=trial.roll,
             modifiers=dict(trial.modifiers), total=trial, target=trial.target,
             verdict="fell" if trial.passed else "held")
    war.tell("siege.fell" if trial.passed else "siege.held", node=row.node, besieger=besieger)
    if trial.passed:
        for army in war.inside(row.node, besieger):
            why = "captured diplomat" if army.kind == "diplomat" else "captured with the place"
            war.lose_army(army, why, "3d")
        capture_place(war, place, besieger, "siege")
    if trial.passed or numbers.siege_loss_when == "always":
        _wear_down(war, row)
    if row.ident in war.sieges and not war.soldiers(row.node, besieger):
        end_siege(war, row)


# What a siege takes and costs (rulebook: Fall and capture).


def _wear_down(war: War, row: Siege) -> None:
    """A tested round costs the besieger's strongest army ten ducats (3d)."""
    # of equal armies the first by code
    for army in sorted(war.soldiers(row.node, row.besieger), key=lambda a: (-a.value, natural(a.army)))[:1]:
        lost = min(Numbers.of(war).siege_loss, army.value)
        army.value -= lost
        war.tell("siege.wear", army=army.army, lost=lost, node=row.node)
        war.lose_if_empty(army, "siege wear", "3d")


def capture_place(war: War, place: Node, by: str, how: str) -> None:
    """A place changes hands; its garrison, works, sappers and foreign fleets are lost (rulebook: Fall and capture)."""
    frm = place.owner
    met = how == "walked in" and any(
        c.node == place.node and {c.hand, c.other} == {by, frm}
        and frm in [getattr(c, side) for side in GO_BACK.get(c.outcome, ())]
        for c in war.contacts_of(war.round))
    left = {"left": "left"} if met else {}
    place.owner, place.garrison = by, False
    if how == "siege" and place.fortified:
        place.walls = "damaged"
    for man in war.men_at(place.node):
        if man.faction != by:
            man.status = "dead"
    for row in war.sieges_of(place.node):  # a partner's siege beside, too
        war.sieges.remove(row.ident)
    war.tell("place.taken", rule="3d" if how == "siege" else "3c", node=place.node, by=by, frm=frm, how=how, **left)
    for work in war.works:
        if work.node == place.node and work.status == "under_way":
            work.status = "lost"
            war.tell("works.lost", node=place.node)
    for fleet in [f for f in war.fleets if f.node == place.node and war.hostile(f.faction, by)]:
        drive_out_of_port(war, fleet)
    mark_suspect(war, by, frm, "capture")


# Places without walls and garrison; the end of the round.


def take_open_places(war: War) -> None:
    """A place without walls and garrison falls to the only faction with an army there (rulebook: Open places)."""
    soldiers = defaultdict[str, set[str]](set)
    for army in war.armies:
        if army.is_army and army.posture == "field":
            soldiers[army.node].add(army.faction)
    for place in [p for p in war.with_markers() if p.land and not p.fortified and not p.garrison]:
        takers = soldiers[place.node]
        # with two friends before it nobody takes it
        if len(takers) != 1:
            continue
        (taker,) = takers
        if (not place.owner or war.hostile(taker, place.owner)) and not war.enemies_in_field(
                place.node, taker) and not war.inside(place.node, taker):
            capture_place(war, place, taker, "walked in")


def close_round(war: War) -> None:
    """Free shut-in armies that nobody watches; replace commanders killed in earlier rounds (step 8)."""
    for army in war.armies:
        # an envoy watches nobody
        if army.posture == "shut_in" and not any(a.is_army and a.posture == "field" and war.hostile(
                a.faction, army.faction) for a in war.at(army.node)):
            army.posture = "field"
            war.tell("army.released", army=army.army, node=army.node)
        # not in the round of the murder: its effect lasts through the next march
        if army.leaderless and army.leaderless < war.round:
            army.leaderless = 0
            war.tell("commander.replaced", army=army.army)
