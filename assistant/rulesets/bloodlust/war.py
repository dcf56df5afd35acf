"""Who goes to war, targets, allies, white peace; envoys, their successes and effects (p57, p58, DS, DP)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from assistant.campaign.records import ALL
from assistant.rulesets.bloodlust import ROLLS, both, counted, page
from assistant.rulesets.bloodlust.orders import OrderBoard, OtherNation, OtherNations
from assistant.rulesets.bloodlust.realm import question_type, whole_year
from assistant.rulesets.bloodlust.records import (
    DERIVED,
    DIE,
    DIE_1D6,
    MORALE,
    RATING,
    SUCCESSES,
    TURNS,
    Alliance,
    EnvoyRow,
    Faction,
    Order,
    War,
    added,
    assumed,
    derived,
)
from assistant.rulesets.bloodlust.season import enforce_peace, total_morale
from assistant.turn.chapters import Chapter, Citation, EventType, Message, Modifier, Rules, number, switch
from assistant.turn.dice import RangeTable
from assistant.turn.event_types import TreatyStep
from assistant.turn.game import fresh, next_code
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.ruleset import Temper
from assistant.turn.rulings import Count, Limit, Score

# What the chapter declares.


def war_mod(default: int, meaning: str) -> int:
    """Declare what counts in the war check."""
    return added(default, RATING, meaning, DERIVED)


def target_mod(default: int, meaning: str) -> int:
    """Declare what counts on the die of a possible target."""
    return added(default, DIE, meaning, DERIVED, source="p58")


class Numbers(Rules):
    """The war check, targets, and when a self-run nation fights or makes peace."""

    war_conquest: int = war_mod(1, both("An interest in conquest counts {signed} in the war check.",
                                        "L'interesse per la conquista vale {signed} nella prova di guerra."))
    war_hated: int = war_mod(1, both("A hated neighbour counts {signed} in the war check.",
                                     "Un vicino odiato vale {signed} nella prova di guerra."))
    war_low_morale: int = war_mod(-1, both("Low morale counts {signed} in the war check.",
                                           "Il morale basso conta {signed} nella prova di guerra."))
    war_low_morale_to: int = derived(1, MORALE, both("Morale is low at {n} or less.",
                                                     "Il morale è basso da {n} in giù."))
    target_mods_hated: int = target_mod(1, both("Being hated counts {signed} on a target's die.",
                                                "Essere odiati vale {signed} sul dado del bersaglio."))
    target_mods_weaker: int = target_mod(1, both("Being weaker counts {signed} on a target's die.",
                                                 "Essere più deboli vale {signed} sul dado del bersaglio."))
    target_mods_most_land: int = target_mod(1, both("Most land counts {signed} for conquerors.",
                                                    "Più terra vale {signed} per i conquistatori."))
    target_mods_richest: int = target_mod(1, both("Against the richest nation looters get {signed}.",
                                                  "Contro la nazione più ricca i predoni hanno {signed}."))
    target_mods_undefended: int = target_mod(1, both("Land without defence counts {signed} for colonists.",
                                                     "Terra indifesa vale {signed} per i coloni."))
    target_mods_tributary: int = target_mod(-1, both("A tributary's die counts {signed}.",
                                                     "Il dado di un tributario vale {signed}."))
    npc_offer: Literal["never", "weary"] = switch(both("Self-run nations {option}.", "Le nazioni autonome {option}."),
                                                  both("never offer peace", "non offrono mai la pace"),
                                                  both("offer peace where they would take it",
                                                       "offrono la pace quando la accetterebbero"), source="A",
                                                  usual=True)
    npc_peace_morale: int = assumed(
        2, MORALE, both("Self-run nations take a peace that is offered at morale {n} or less.",
                        "Le nazioni autonome accettano una pace offerta con morale {n} o meno."), source="A")
    npc_peace_seasons: int = assumed(4, both("seasons", "stagioni"),
                                     both("Self-run nations take a peace that is offered from {n} {n?season|seasons} "
                                          "of war on.",
                                          "Le nazioni autonome accettano una pace offerta da {n} {n?stagione|stagioni} "
                                          "di guerra in poi."), source="A")
    npc_maybe: Literal["tempted", "weaker", "richer", "always", "never"] = switch(
        both("Where its people leave it open a self-run nation goes to war {option}.",
             "Dove il suo popolo lascia la scelta una nazione autonoma va in guerra {option}."),
        both("for conquest or loot, if a neighbour is weaker or richer",
             "per conquista o bottino, se un vicino è più debole o più ricco"),
        both("for conquest or loot, if a neighbour is weaker", "per conquista o bottino, se un vicino è più debole"),
        both("for conquest or loot, if a neighbour is richer", "per conquista o bottino, se un vicino è più ricco"),
        both("always", "sempre"), both("never", "mai"))
    player_war: Literal["roll", "choose"] = switch(both("Nations of clubs {option}.",
                                                        "Le nazioni dei circoli {option}."),
                                                   both("throw for war as well", "tirano anch'esse per la guerra"),
                                                   both("decide freely", "decidono liberamente"), usual=True)


EVENTS = (
    EventType(
        "war_check",
        both("{faction:the} {faction?considers|consider} going to war: {roll}.",
             "{faction:il} {faction?valuta|valutano} se entrare in guerra: {roll}."), "diplomacy", 3,
        variants=("verdict",
                  {"peace": both("{faction:the} {faction?stays|stay} at peace. {roll}.",
                                 "{faction:il} {faction?resta|restano} in pace. {roll}."),
                   "maybe": both("{faction:the} {faction?is|are} undecided about going to war. {roll}.",
                                 "{faction:il} {faction?è ancora in dubbio|sono ancora in dubbio}. {roll}."),
                   "war": both("{faction:the} {faction?wants|want} war. {roll}.",
                               "{faction:il} {faction?vuole|vogliono} la guerra. {roll}."),
                   "no_neighbour": both("{faction:the} {faction?has|have} no neighbour against whom to go to war.",
                                        "{faction:il} non {faction?ha|hanno} vicini contro cui andare in guerra."),
                   "choice": both("{faction:the} {faction?chooses|choose} for {faction?itself|themselves} whether to "
                                  "go to war.", "{faction:il} {faction?decide|decidono} da sé se andare in guerra.")}),
        to="faction", tries="faction"),
    EventType("war", both("{by:the} {by?makes|make} war on {opponent:the}.",
                          "{by:il} {by?muove|muovono} guerra {opponent:a}."), "diplomacy", 0,
              variants=("reason",
                        {"check": both("{by:the} {by?makes|make} war on {opponent:the}, as {by?its|their} war check "
                                       "says.",
                                       "{by:il} {by?muove|muovono} guerra {opponent:a}: così la prova."),
                         "both": both("{by:the} and {opponent:the} go to war with each other.",
                                      "{by:il} e {opponent:il} si muovono guerra a vicenda."),
                         "insult": both("{by:the} {by?makes|make} war on {opponent:the} for an insult.",
                                        "{by:il} {by?muove|muovono} guerra {opponent:a} per un'offesa."),
                         "ally": both("{by:the} {by?makes|make} war on {opponent:the} beside an ally.",
                                      "{by:il} {by?muove|muovono} guerra {opponent:a} a fianco di un alleato.")}),
              to=ALL),
    EventType("ally_joined", both("{by:the} {by?joins|join} {partner:the} against {opponent:the}.",
                                  "{by:il} {by?si unisce|si uniscono} {partner:a} contro {opponent:il}."), "diplomacy",
              1, "DP", to=ALL),
    EventType("ally_refused",
              both("{by:the} {by?refuses|refuse} to help {partner:the}; they are allies no more.",
                   "{by:il} {by?nega|negano} aiuto {partner:a}; non sono più alleate."), "diplomacy", 1, "DP", to=ALL),
    EventType("white_peace", both("{by:the} and {partner:the} make peace.", "{by:il} e {partner:il} fanno pace."),
              "diplomacy", 1, "A", to=ALL),
)

FINDINGS = (
    Message("BLD-030", "error", both("{nation} has no frontier with you.", "{nation} non confina con te.")),
    Message("BLD-031", "error", both("{nation} is your ally. Break the alliance first.",
                                     "{nation} è tua alleata. Prima rompi l'alleanza.")),
    Message("BLD-032", "error", both("Enforced peace with {nation} until the end of {year}.",
                                     "Pace imposta con {nation} fino alla fine del {year}.")),
    Message("BLD-033", "error", both("Your people will hear of no war against {nation} this year.",
                                     "Il popolo non vuole guerra contro {nation} quest'anno.")),
    Message("BLD-034", "info", both("You are already at war with {nation}.", "Sei già in guerra con {nation}.")),
    Message("BLD-035", "error", both("You are not at war with {nation}.", "Non sei in guerra con {nation}.")),
    Message("BLD-036", "error", both("You are not allied to {nation}.", "Non sei alleato di {nation}.")),
)

QUESTIONS = (
    question_type("join",
                  both("{by:the} {by?has|have} attacked your ally {partner:the}. Do you join? Refusing ends the "
                       "alliance.",
                       "{by:il} {by?ha|hanno} attaccato la tua alleata, {partner:il}. Intervieni? Chi rifiuta non è "
                       "più alleato.")),
)

both.words({
    "maybe": "forse", "no_neighbour": "nessun vicino da attaccare", "choice": "decide il circolo", "check": "prova",
    "both": "entrambi", "friendly": "amichevole", "deceiving": "ingannevole", "intimidating": "minaccioso",
    "dominating": "imperioso", "blow": "grave smacco", "alliance": "alleanza", "progress": "progressi",
    "stirred": "sobillata", "seen_through": "smascherato", "impressed": "impressionata", "offended": "offesa",
    "tribute": "tributo", "nothing": "nulla", "target_at_war": "bersaglio in guerra", "self_at_war": "noi in guerra",
    "target_at_peace": "bersaglio in pace", "self_at_peace": "noi in pace", "target_richer": "bersaglio più ricco",
    "self_richer": "noi più ricchi", "target_more_land": "bersaglio con più terra",
    "target_less_land": "bersaglio con meno terra", "rows": "righe", "rumours": "voci", "battles": "battaglie",
    "leader lost": "capo perduto",
})

CHAPTER = Chapter(both("Who goes to war", "Chi entra in guerra"), (page("p57"),), Numbers, EVENTS, FINDINGS, QUESTIONS)


# Who goes to war: broken alliances, white peace, war checks, targets, allies (p57, p58, DP).


WAR_ROWS = RangeTable.rising("war", (0, "peace"), (1, "maybe"), (2, "war"))


@dataclass
class WarCheck:
    """The result of a nation's war check."""

    nation: Faction
    legal: list[str]
    verdict: str
    rolls: list[Score]
    target: str = ""

    @property
    def code(self) -> str:
        """Who checks."""
        return self.nation.faction


class WarBoard(OrderBoard):
    """The board of war and peace."""

    wishes: dict[str, list[str]] = fresh(dict)
    offers: dict[str, set[str]] = fresh(dict)
    breaking: set[tuple[str, str]] = fresh(set)
    """Alliances that orders of this phase end."""

    def is_sacred(self, code: str, other: str) -> bool:
        """Whether another nation may not be attacked because it is an ally (`alliance_effect`)."""
        return self.are_allied(code, other) and EnvoyNumbers.of(self).alliance_effect != "join"

    def legal(self, code: str, other: str) -> bool:
        """Whether a neighbour may be attacked."""
        return not (self.is_sacred(code, other) or self.at_war(code, other)
                    or self.enforced_peace(code, other) is not None
                    or self.holds(self.feeling(code, other).no_attack_until))

    def rumours(self, code: str) -> list[str]:
        """The nations whose rumours stir a nation up."""
        return [other for other in self.codes if self.holds(self.feeling(code, other).deceit_until)]

    def regard(self, code: str, other: str) -> int:
        """How an envoy has changed a nation's regard for another."""
        row = self.feeling(code, other)
        return row.target_change if self.holds(row.target_until) else 0

    def is_threatened(self, code: str, other: str) -> bool:
        """Whether another nation has intimidated one, if that counts in its war check (`intimidate_use`)."""
        row = self.feeling(code, other)
        # A deceiver changes the same die as a threat, but leaves rumours as well, until the same year.
        return (EnvoyNumbers.of(self).intimidate_use == "war_die" and self.regard(code, other) < 0
                and row.deceit_until != row.target_until)


def _check_targets(f: WarBoard, request: Request, others: list[Faction], name: str) -> None:
    """BLD-004, 030 to 033."""
    code = request.faction
    for other in (other.faction for other in others):
        if not f.may_fight(f.nations[code]):
            raise f.of_spring(request)
        if other not in f.neighbours(code):
            raise Refused("BLD-030", name, nation=other)
        if f.is_sacred(code, other) and (code, other) not in f.breaking:
            raise Refused("BLD-031", name, nation=other)
        peace = f.enforced_peace(code, other)
        if peace is not None:
            raise Refused("BLD-032", name, nation=other, year=peace.until_year)
        if f.holds(f.feeling(code, other).no_attack_until):
            raise Refused("BLD-033", name, nation=other)


def _check_at_war(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    if not f.at_war(request.faction, other.faction):
        raise Refused("BLD-035", name, nation=other.faction)


def _check_allied(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    if not f.are_allied(request.faction, other.faction) and (request.faction, other.faction) not in f.breaking:
        raise Refused("BLD-036", name, nation=other.faction)
    f.breaking.add((request.faction, other.faction))


@order("war", "guerra", when=("war",), target=OtherNations(then=(_check_targets,)),
       help=both("Name whom to fight, the dearest first.", "Indica chi attaccare, il preferito per primo."))
def war(f: WarBoard, request: Request, others: list[Faction]) -> None:
    """Several rows, or several nations in one, are preferences."""
    for other in others:
        if f.at_war(request.faction, other.faction):
            request.find(f, "BLD-034", "target", nation=other.faction)
        f.wishes.setdefault(request.faction, []).append(other.faction)


@order("peace", "pace", when=("war",), target=OtherNation(then=(_check_at_war,)),
       help=both("Offer a white peace.", "Offri una pace bianca."))
def peace(f: WarBoard, request: Request, other: Faction) -> None:
    """A white peace takes both sides."""
    f.offers.setdefault(request.faction, set()).add(other.faction)


@order("break", "rompi", when=("war",), target=OtherNation(then=(_check_allied,)),
       help=both("End an alliance.", "Rompi un'alleanza."))
def break_alliance(f: WarBoard, request: Request, other: Faction) -> None:
    """The alliance ends at once."""
    f.end_alliance(request.faction, other.faction)


def take_war_orders(f: WarBoard) -> None:
    """Take the clubs' orders; alliances are broken first."""
    f.carry(f.rows_in_order(("break",), ("peace",), ("war",)))


def white_peaces(f: WarBoard) -> None:
    """End the wars that both sides want to end; for a self-run nation the rules decide."""
    for row in f.open_wars():
        a, b = row.parties
        weary = {code for code in (a, b) if _takes_peace(f, row, code)}
        offers = {code for code, other in ((a, b), (b, a)) if other in f.offers.get(code, ())}
        if Numbers.of(f).npc_offer == "weary":
            offers |= weary
        if offers and offers | weary == {a, b}:
            f.end_war(row, "white")
            f.tell("white_peace", by=a, partner=b)


def _takes_peace(f: WarBoard, row: War, code: str) -> bool:
    """Whether a self-run nation takes a peace: with low morale, or after a long war."""
    rules = Numbers.of(f)
    return f.self_run(code) and (
        f.nations[code].morale <= rules.npc_peace_morale or _seasons(f, row) >= rules.npc_peace_seasons)


def _seasons(f: WarBoard, row: War) -> int:
    """How many seasons a war has lasted."""
    n, turn = 0, row.began
    while TURNS.key(turn) < TURNS.key(f.turn):
        turn, n = TURNS.after(turn), n + 1
    return n


# --- war checks -------------------------------------------------------------------------------------
def check_for_war(f: WarBoard) -> None:
    """Nations at peace check for war and choose targets; all wars open together, then allies are called."""
    checks = [_check(f, nation) for nation in f.living() if f.may_fight(nation) and not f.enemies(nation.faction)]
    for check in checks:
        check.target = _target(f, check)
        f.tell("war_check", roll=check.rolls or None, faction=check.code, verdict=check.verdict)
    # All have chosen before the first war opens, so that it does not matter whose turn comes first.
    chosen = {check.code: check.target for check in checks if check.target}
    opened = []
    for code, other in chosen.items():
        both_want = chosen.get(other) == code
        if not (both_want and f.at_war(code, other)):  # of two that chose each other the first opens the one war
            opened.append(f.open_war(code, other, "both" if both_want else "check"))
    if EnvoyNumbers.of(f).alliance_effect != "no_attack":
        call_allies(f, opened)


WAR_RATING: tuple[Modifier[WarBoard, Faction, list[str]], ...] = (
    Modifier(both.word("war rating", "valore di guerra"), lambda f, nation, legal: nation.war),
    Modifier(both.word("conquest", "conquista"), lambda f, nation, legal: nation.wants("conquest"), "war_conquest"),
    Modifier(both.word("hated neighbour", "vicino odiato"), lambda f, nation, legal:
             any(f.feeling(nation.faction, other).hates for other in legal), "war_hated"),
    Modifier(both.word("low morale", "morale basso"), lambda f, nation, legal:
             nation.morale <= Numbers.of(f).war_low_morale_to, "war_low_morale"),
    Modifier(both.word("intimidated", "intimidita"), lambda f, nation, legal:
             -any(f.is_threatened(nation.faction, other) for other in legal)),
)
"""What the war check is thrown against, by the neighbours that may be attacked (p57)."""
WAR = counted(both("War checks", "Prove di guerra"), "war/{Factions}")


def _check(f: WarBoard, nation: Faction) -> WarCheck:
    code, rules = nation.faction, Numbers.of(f)
    legal = [other for other in f.neighbours(code) if f.legal(code, other)]
    if not legal:
        return WarCheck(nation, [], "no_neighbour", [])
    if rules.player_war == "choose" and not f.self_run(code):
        return WarCheck(nation, legal, "choice", [])
    rating = f.modifiers(WAR_RATING, f, nation, legal)
    stirred = f.rumours(code)
    count = f.rating_test(WAR, (code,), rating, {"rumours": int(bool(stirred))}, [code], rows=WAR_ROWS)
    # Where only the rumours made the difference, whoever spread them against others may be no target himself.
    if stirred and WAR_ROWS.at(max(0, count.total - 1)) != count.verdict:
        legal = [other for other in legal if other not in stirred or f.feeling(code, other).deceit_kind != "third"]
    return WarCheck(nation, legal, count.verdict, [count])


TARGET = ROLLS.purpose(both("Targets of war", "Bersagli di guerra"), "target/{Factions}/{Factions}", again="/{n}")


def _target(f: WarBoard, check: WarCheck) -> str:
    """Whom a nation fights; "" for nobody."""
    code = check.code
    wish = next((other for other in f.wishes.get(code, ()) if other in check.legal), "")
    if check.verdict in ("peace", "no_neighbour") or not check.legal:
        return ""
    if not f.self_run(code):  # a club whose people want war may only say against whom, else the dice do
        if check.verdict in ("maybe", "choice") or wish:
            return wish
    elif check.verdict == "maybe" and not _wants_war(f, check):
        return ""
    target, rolls = f.highest(TARGET, (code,), check.legal, lambda other: f.modifiers(
        TARGET_MODIFIERS, f, check, other), [code])
    check.rolls += rolls
    return target


def _wants_war(f: WarBoard, check: WarCheck) -> bool:
    """Whether a self-run nation wants war when its check says maybe."""
    nation, maybe = check.nation, Numbers.of(f).npc_maybe
    if maybe in ("always", "never"):
        return maybe == "always"
    weaker = any(f.strength(other) < f.strength(check.code) for other in check.legal)
    richer = any(f.nations[other].resources > nation.resources for other in check.legal)
    return (nation.wants("conquest") or nation.wants("loot")) and (
        (weaker and maybe != "richer") or (richer and maybe != "weaker"))


def has_most(check: WarCheck, other: str, figure: Callable[[str], int]) -> bool:
    """Whether a nation has the largest figure of all that may be fought."""
    return figure(other) == max(figure(rival) for rival in check.legal)


def is_bare(f: WarBoard, other: str, code: str) -> bool:
    """Whether land of a nation beside that of another stands without defence."""
    return any(f.is_undefended(node.node) and code in f.owners_near(node.node) for node in f.of(other))


TARGET_MODIFIERS: tuple[Modifier[WarBoard, WarCheck, str], ...] = (
    Modifier(both.word("hated", "odiato"), lambda f, check, other: f.feeling(check.code, other).hates,
             "target_mods_hated"),
    Modifier(both.word("weaker", "più debole"), lambda f, check, other: f.strength(other) < f.strength(check.code),
             "target_mods_weaker"),
    Modifier(both.word("most land", "più terra"), lambda f, check, other: check.nation.wants("conquest")
             and has_most(check, other, lambda code: len(f.of(code))), "target_mods_most_land"),
    Modifier(both.word("richest", "più ricca"), lambda f, check, other: check.nation.wants("loot")
             and has_most(check, other, lambda code: f.nations[code].resources), "target_mods_richest"),
    Modifier(both.word("undefended", "indifesa"), lambda f, check, other: check.nation.wants("colonizing")
             and is_bare(f, other, check.code), "target_mods_undefended"),
    Modifier(both.word("tributary", "tributaria"), lambda f, check, other:
             f.holds(f.feeling(other, check.code).tribute_until), "target_mods_tributary"),
    # A threat may count in the war check instead (`intimidate_use`).
    Modifier(both.word("old regard", "un vecchio riguardo"), lambda f, check, other:
             0 if f.is_threatened(check.code, other) else f.regard(check.code, other)),
)
"""What counts on the die of a possible target (p58)."""


def call_allies(f: WarBoard, opened: list[War]) -> None:
    """Allies of the attacked join the war, or the alliance ends."""
    # One call for each war that was opened: who joins calls nobody in turn.
    called = [(row, ally) for row in opened for ally in f.allies(row.target)
              if ally != row.aggressor and not f.at_war(ally, row.aggressor) and not f.are_allied(ally, row.aggressor)
              and f.enforced_peace(ally, row.aggressor) is None]
    answers = f.answers([Ask("join", ally, f"{row.war}/{ally}", ("yes", "no"), "yes",
                             {"faction": ally, "by": row.aggressor, "partner": row.target})
                         for row, ally in called if not f.self_run(ally)])
    by_rule = "yes" if EnvoyNumbers.of(f).npc_ally == "joins" else "no"
    for row, ally in called:
        if answers.get(f"{row.war}/{ally}", by_rule) != "yes":
            for alliance in f.alliances_of(ally, row.target):
                alliance.ended = f.turn
            f.tell("ally_refused", by=ally, partner=row.target)
        elif not f.at_war(ally, row.aggressor):  # as the ally of another whom the same nation attacks
            f.wars.add(War(war=next_code(f.wars, "W{}"), aggressor=ally, target=row.aggressor, reason="ally",
                           began=f.turn))
            f.tell("ally_joined", by=ally, partner=row.target, opponent=row.aggressor)


# Robots with a temper: whom they fight and with whom they would make peace, from a view alone.


TEMPERS = (
    Temper("plain", both("It leaves every phase to the rules' dice.", "Lascia ogni passo ai dadi del regolamento.")),
    Temper("bold", both("It goes to war whenever its people let it, against the weakest neighbour, and never makes "
                        "peace; all else it leaves to the rules.",
                        "Va in guerra appena il suo popolo lo permette, contro il vicino più debole, e non fa mai "
                        "pace; tutto il resto lo lascia al regolamento.")),
    Temper("careful", both("It begins no war that its people leave to it, and offers peace to every enemy; all else it "
                           "leaves to the rules.",
                           "Non comincia le guerre che il suo popolo lascia a lei decidere e offre pace a ogni nemico; "
                           "tutto il resto lo lascia al regolamento.")),
)


def orders_by_temper(f: WarBoard, code: str, temper: str) -> list[Order]:
    """The rows of a bold or careful robot in the phase of war; none: it does what its people decide."""
    enemies = f.enemies(code)
    if temper == "careful":
        return [Order(verb="peace", target=enemy) for enemy in enemies]
    if enemies or not f.may_fight(f.nations[code]):
        return []
    legal = [other for other in f.neighbours(code) if f.legal(code, other)]
    legal.sort(key=lambda other: sum(army.units for army in f.armies_of(other)))  # as all see them
    return [Order(verb="war", target=other) for other in legal]


# Envoys: where they go, their stance, their successes and effects (DS, DP).


class EnvoyNumbers(Rules):
    """What envoys bring about, and what allies are."""

    diplo_cap: int = number(0, SUCCESSES, both("The rows of an envoy come to {n} at most; 0 is no limit.",
                                               "Le righe di un inviato valgono al massimo {n}; con 0 non c'è limite."))
    npc_ally: Literal["joins", "refuses"] = switch(both("Self-run nations {option} an ally who is attacked.",
                                                        "Le nazioni autonome {option} un alleato attaccato."),
                                                   both("join", "aiutano"), both("abandon", "abbandonano"), usual=True)
    npc_alliance_to: int = assumed(3, DIE_1D6,
                                   both("Self-run nations take an alliance that is offered on 1 to {n}.",
                                        "Le nazioni autonome accettano un'alleanza offerta con un dado da 1 a {n}."))
    stance_clamp: Literal["clamp", "none"] = switch(
        both("The die of stance {option}.", "Il dado dell'atteggiamento {option}."),
        both("is held within 1 and 6", "resta fra 1 e 6"), both("may leave 1 to 6", "può uscire da 1 a 6"), source="DS")
    diplo_mod_kind: Literal["successes", "dice"] = switch(
        both("The envoy's rows change {option}.", "Le righe dell'inviato cambiano {option}."),
        both("the successes", "i successi"), both("the dice", "i dadi"))
    deceive_war: Literal["anyone", "by_row"] = switch(
        both("Rumours work {option}.", "Le voci valgono {option}."), both("against anyone", "contro chiunque"),
        both("on rows 1 and 2 not against the deceiver", "alle righe 1 e 2 non contro chi inganna"))
    intimidate_use: Literal["target_die", "war_die"] = switch(
        both("An intimidated nation has less on its {option}.", "Una nazione intimidita ha di meno {option}."),
        both("target die", "sul dado del bersaglio"), both("war rating", "valore di guerra"))
    intimidate_backfire: Literal["sender", "target", "both"] = switch(
        both("A threat that fails costs trade of {option}.", "Una minaccia fallita costa commercio {option}."),
        both("the sender", "a chi l'ha mandato"), both("the offended", "all'offeso"), both("both", "entrambi"))
    alliance_effect: Literal["both", "no_attack", "join"] = switch(
        both("Allies {option}.", "Gli alleati {option}."),
        both("are no targets and are called", "non sono bersagli e sono chiamati"),
        both("are no targets", "non sono bersagli"), both("are called", "sono chiamati"), usual=True)


ENVOYS = (
    ("target_conquest", -1, 1, 0, 0),
    ("self_conquest", 1, 0, 1, 1),
    ("target_colonizing", -1, 0, 0, 0),
    ("self_colonizing", 1, -1, 1, 0),
    ("target_loot", -1, 2, 0, 0),
    ("self_loot", 1, 0, 1, -1),
    ("target_at_war", 1, 0, 1, 0),
    ("self_at_war", -1, -1, 1, -1),
    ("target_at_peace", 1, -1, 1, -1),
    ("self_at_peace", 1, 1, 0, -2),
    ("target_richer", 1, 0, 0, -1),
    ("self_richer", 1, 0, 1, -1),
    ("target_more_land", 1, 0, -1, -1),
    ("target_less_land", 0, 1, -1, -1),
)
"""What an envoy's successes gain by row: Friendly, Deceiving, Intimidating, Dominating."""


ENVOY_EVENTS = (
    EventType("envoy", both("An envoy of {faction:the} paid his respects to {partner:the}.",
                            "Un inviato {faction:di} ha reso omaggio {partner:a}."), "diplomacy", 2, "DS DP",
              variants=("how",
                        {"sent": both("The envoy of {faction:the} to {partner:the}, {stance}: {effect}. {roll}.",
                                      "L'inviato {faction:di} {partner:a}, {stance}: {effect}. {roll}."),
                         "visit": both("An envoy of {faction:the} came to {partner:the}: {stance}.",
                                       "Un inviato {faction:di} è venuto {partner:da}: {stance}.")}), to="partner"),
    EventType("considered", both("{faction:the} {faction?considers|consider} an alliance with {partner:the}. {roll}.",
                                 "{faction:il} {faction?valuta|valutano} un'alleanza {partner:con}. {roll}."),
              "diplomacy", 3, to="faction"),
    EventType("alliance", both("{by:the} and {partner:the} are allied.", "{by:il} e {partner:il} sono alleate."),
              "diplomacy", 0, to=ALL),
    EventType("alliance_ends", both("{by:the} and {partner:the} are allies no more.",
                                    "{by:il} e {partner:il} non sono più alleate."), "diplomacy", 1, to=ALL),
    EventType("insult", both("{faction:the} {faction?has|have} insulted {partner:the}.",
                             "{faction:il} {faction?ha|hanno} offeso {partner:il}."), "diplomacy", 1, to=ALL),
)

TREATIES: Mapping[str, TreatyStep] = {
    "alliance": TreatyStep("made", ("by", "partner")), "alliance_ends": TreatyStep("ended", ("by", "partner"), "by"),
    "ally_refused": TreatyStep("broken", ("by", "partner"), "by"),
}
"""What each event means for an alliance."""

ENVOY_FINDINGS = (
    Message("BLD-070", "error", both("An envoy goes to another nation in play.",
                                     "L'inviato va presso un'altra nazione in gioco."), certain=True),
    Message("BLD-071", "warning",
            both("One envoy a Winter: no. {m} counts.", "Un inviato per inverno: vale il n. {m}.")),
    Message("BLD-072", "info", both("No envoy named: the dice choose the nation.", "Nessun inviato: sceglie il dado.")),
)

ENVOY_QUESTIONS = (
    question_type("alliance", both("The envoy of {by:the} offers an alliance. Yes or no?",
                                   "L'inviato {by:di} offre un'alleanza. Sì o no?")),
)

ENVOY_CHAPTER = Chapter(both("Diplomacy", "Diplomazia"),
                        (Citation("DP", "DP"),
                         Citation("DS", "DS", heading=both("Diplomatic stance", "Atteggiamento diplomatico"))),
                        EnvoyNumbers, ENVOY_EVENTS, ENVOY_FINDINGS, ENVOY_QUESTIONS)


FRIENDLY, DECEIVING, INTIMIDATING, DOMINATING = "friendly", "deceiving", "intimidating", "dominating"
STANCES = RangeTable.rising("stance", (1, FRIENDLY), (3, DECEIVING), (4, INTIMIDATING), (5, DOMINATING))


@dataclass
class Visit:
    """An envoy of one nation to another.

    `progress`, `allied`: what is left after the blows of this Winter; `war`: the war between the two before it.
    """

    sender: str
    receiver: str
    rolls: list[Score]
    stance: str = ""
    total: int = 0
    progress: bool = False
    allied: bool = False
    war: War | None = None
    effect: str = "nothing"

    @property
    def about(self) -> str:
        """What a question about the visit names."""
        return f"{self.sender}/{self.receiver}"


class EnvoyBoard(OrderBoard):
    """The orders of a Winter's envoys: who sends one, and to whom."""

    sent: dict[str, str] = fresh(dict)


@order("envoy", "inviato", when=("envoys",), target=OtherNation(code="BLD-070"),
       help=both("Send an envoy to a nation.", "Manda un inviato a una nazione."))
def envoy(f: EnvoyBoard, request: Request, other: Faction) -> None:
    """One a Winter."""
    f.sent[request.faction] = other.faction


def take_envoys(f: EnvoyBoard) -> None:
    """Take the clubs' envoys; for a nation that names none the dice choose (BLD-072)."""
    f.carry(f.rows_in_order(("envoy",)))
    for nation in f.living():
        if nation.faction not in f.sent and not f.self_run(nation.faction):
            f.find("BLD-072", nation, "faction")


def resolve_visits(f: EnvoyBoard) -> None:
    """Throw for all visits on the state before; blows undo friendship first, then the effects apply."""
    made = [visit for nation in f.living() if (visit := _visit(f, nation)) is not None]
    # Else it would matter which of two nations comes first, if one of them offends while the other makes friends.
    for visit in made:
        if visit.stance == FRIENDLY and visit.total <= 0:
            _end_friendship(f, visit)
    for visit in made:
        visit.progress = f.feeling(visit.sender, visit.receiver).progress
        visit.allied = f.are_allied(visit.sender, visit.receiver)
    # Progress of an earlier visit makes the alliance without another question (DP).
    agreed = _ask_alliances(f, [visit for visit in made if visit.stance == FRIENDLY and visit.total >= 2
                                and not visit.progress and not visit.allied and visit.war is None])
    for visit in made:
        if visit.progress:  # this visit uses it up, whatever comes of it
            f.relation_row(visit.sender, visit.receiver).progress = False
        EFFECTS[visit.stance](f, visit, agreed.get(visit.about, True))
        _tell(f, visit)


DIPLOMAT = ROLLS.purpose(both("Where envoys go", "Dove vanno gli inviati"),
                         "diplomat/{Factions}/{Factions}", again="/{n}")
STANCE = ROLLS.purpose(both("Stances", "Atteggiamenti"), "stance/{Factions}")


def _visit(f: EnvoyBoard, nation: Faction) -> Visit | None:
    code = nation.faction
    near = f.neighbours(code) or [faction.faction for faction in f.living() if faction.faction != code]
    if not near:
        return None
    other, rolls = f.sent.get(code, ""), list[Score]()
    if not other:
        other, rolls = f.highest(DIPLOMAT, (code,), near, lambda neighbour: {}, [code])
    visit = Visit(code, other, rolls, war=next((war for war in f.open_wars() if war.between(code, other)), None))
    stance = f.score(STANCE(code), _stance_mods(f, code, other), [code])
    shown = stance.total if EnvoyNumbers.of(f).stance_clamp == "none" else min(6, max(1, stance.total))
    visit.stance = STANCES.at(shown)
    count = _diplomacy(f, visit)
    visit.total = count.total
    visit.rolls += [stance, count]
    return visit


def _stance_mods(f: EnvoyBoard, code: str, other: str) -> dict[str, int]:
    """Modifiers of the stance: battles this year, a leader lost, a hero of the other nation (DS)."""
    won = lost = 0
    for row in f.battles.where(lambda battle: battle.status == "played" and whole_year(battle.turn) == f.year):
        mine, theirs = f.side_of(row, code), f.side_of(row, other)
        if mine and theirs and mine != theirs:
            won, lost = won + (row.winner == mine), lost + (row.winner == theirs)
    hero = any(leader.state == "active" for leader in f.leaders_of(other, "hero"))
    return {"battles": (won > lost) - (won < lost), "leader lost": int(f.nations[other].leaders_lost > 0),
            "hero": -int(hero)}


def applicable_rows(f: EnvoyBoard, code: str, other: str) -> list[str]:
    """The rows of the envoy table that apply between two nations."""
    me, them = f.nations[code], f.nations[other]
    mine, theirs = len(f.of(code)), len(f.of(other))
    holds = {f"{who}_{interest}": row.wants(interest) for interest in ("conquest", "colonizing", "loot")
             for who, row in (("target", them), ("self", me))}
    holds |= {"target_at_war": bool(f.enemies(other)), "self_at_war": bool(f.enemies(code)),
              "target_at_peace": not f.enemies(other), "self_at_peace": not f.enemies(code),
              "target_richer": them.resources > me.resources, "self_richer": me.resources > them.resources,
              "target_more_land": theirs > mine, "target_less_land": theirs < mine}
    return [row for row, is_so in holds.items() if is_so]


DIPLOMACY = counted(both("Diplomacy", "Diplomazia"), "diplomacy/{Factions}", dice="d6")


def _diplomacy(f: EnvoyBoard, visit: Visit) -> Count:
    rules, table, n = EnvoyNumbers.of(f), f.campaign.table(EnvoyRow), 2
    mods = {row: int(getattr(table[row], visit.stance)) for row in applicable_rows(f, visit.sender, visit.receiver)
            if row in table}
    whole = sum(mods.values())
    if rules.diplo_cap and abs(whole) > rules.diplo_cap:
        mods = {"rows": rules.diplo_cap if whole > 0 else -rules.diplo_cap}
    if rules.diplo_mod_kind == "dice":
        n, mods = n + sum(mods.values()), {}
    return f.success_test(DIPLOMACY, (visit.sender,), n, mods, [visit.sender])


# --- effects ----------------------------------------------------------------------------------------
ALLIANCE = ROLLS.purpose(both("Alliances considered", "Alleanze valutate"), "alliance/{Factions}/{Factions}")


def _ask_alliances(f: EnvoyBoard, visits: list[Visit]) -> dict[str, bool]:
    """Whether each nation takes the alliance offered to it: clubs are asked, self-run nations throw."""
    answers = f.answers([Ask("alliance", visit.receiver, visit.about, ("yes", "no"), "no",
                             {"faction": visit.receiver, "by": visit.sender})
                         for visit in visits if not f.self_run(visit.receiver)])
    agreed = {about: answer == "yes" for about, answer in answers.items()}
    for visit in visits:
        if visit.about not in agreed:
            count = f.count(ALLIANCE(visit.sender, visit.receiver),
                            Limit(EnvoyNumbers.of(f).npc_alliance_to), None, [visit.receiver])
            agreed[visit.about] = count.at_least(1)
            f.tell("considered", roll=count, faction=visit.receiver, partner=visit.sender)
    return agreed


def _end_friendship(f: EnvoyBoard, visit: Visit) -> None:
    """All progress and any alliance between the two are lost."""
    for a, b in ((visit.sender, visit.receiver), (visit.receiver, visit.sender)):
        if f.feeling(a, b).progress:
            f.relation_row(a, b).progress = False
    f.end_alliance(visit.sender, visit.receiver)
    visit.effect = "blow"


def _friendly(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    a, b = visit.sender, visit.receiver
    if visit.total <= 0:
        return
    # Nations at war with each other come nearer to an alliance, but make none.
    if visit.war is not None or not (visit.progress or (visit.total >= 2 and agreed and not visit.allied)):
        f.relation_row(a, b).progress = True
        visit.effect = "progress"
    elif not visit.allied:
        visit.effect = "alliance"
        if not f.are_allied(a, b):
            _ally(f, a, b)


def _ally(f: EnvoyBoard, a: str, b: str) -> None:
    """Two nations are allied from now on; the row of an alliance that has ended gives way to the new one."""
    first, second = f.in_order((a, b))
    row = Alliance(a=first, b=second, since=f.turn)
    if row.ident in f.alliances:
        f.alliances.remove(row.ident)
    f.alliances.add(row)
    f.tell("alliance", by=first, partner=second)


def _deceiving(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    row, year = f.relation_row(visit.receiver, visit.sender), str(f.year + 1)
    row.deceit_until = year
    row.deceit_kind = "third" if EnvoyNumbers.of(f).deceive_war == "by_row" and visit.total >= 1 else "anyone"
    if visit.total >= 2:
        row.no_attack_until = year
    else:
        row.target_change, row.target_until = -1 if visit.total == 1 else 1, year
    visit.effect = "stirred" if visit.total >= 1 else "seen_through"


def _intimidating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    year, backfire = str(f.year + 1), EnvoyNumbers.of(f).intimidate_backfire
    if visit.total >= 2:
        row = f.relation_row(visit.receiver, visit.sender)
        row.target_change, row.target_until = -1, year
        visit.effect = "impressed"
    elif visit.total <= 0:
        if backfire in ("sender", "both"):
            f.relation_row(visit.sender, visit.receiver).backfire_until = year
        if backfire in ("target", "both"):
            f.relation_row(visit.receiver, visit.sender).backfire_until = year
        visit.effect = "offended"


def _dominating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    a, b, war = visit.sender, visit.receiver, visit.war
    if visit.total >= 2 and war is None:
        f.relation_row(b, a).tribute_until = str(f.year + 1)
        visit.effect = "tribute"
    elif visit.total >= 2 and war is not None and not war.ended:  # else the other's envoy has ended it before
        margin = total_morale(f, f.nations[a]) - total_morale(f, f.nations[b])
        enforce_peace(f, war, a, b, margin, broken=False)
        visit.effect = "peace"
    elif visit.total <= 0 and war is None:
        f.relation_row(b, a).insult_year = str(f.year + 1)
        visit.effect = "insult"
        f.tell("insult", faction=a, partner=b)


EFFECTS = {FRIENDLY: _friendly, DECEIVING: _deceiving, INTIMIDATING: _intimidating, DOMINATING: _dominating}


def _tell(f: EnvoyBoard, visit: Visit) -> None:
    """Tell the sender everything; the receiver learns of the visit, and its stance unless deceit or without effect."""
    told = {"faction": visit.sender, "partner": visit.receiver}
    f.tell("envoy", [visit.sender], roll=visit.rolls, **told, how="sent", stance=visit.stance, effect=visit.effect)
    # The same words for a deceiver and for a visit in vain, so that nobody tells the one from the other.
    if visit.stance == DECEIVING or (visit.stance != FRIENDLY and visit.effect == "nothing"):
        f.tell("envoy", rule="DS", **told, how="respects")
    else:
        f.tell("envoy", rule="DS", **told, how="visit", stance=visit.stance)
