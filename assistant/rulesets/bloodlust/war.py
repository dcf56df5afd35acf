"""Wars from their beginning to their end: checks, targets, allies; the will to fight, enforced peaces (p57, WF)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.campaign.records import ALL
from assistant.rulesets.bloodlust import ROLLS, assumed, both, choice, cites, counted, counting, derived
from assistant.rulesets.bloodlust.orders import OrderBoard, OtherNation, OtherNations
from assistant.rulesets.bloodlust.realm import Realm, question_type, season_number
from assistant.rulesets.bloodlust.records import Faction, Order, Peace, War
from assistant.turn.chapters import Chapter, EventType, Message, Modifier, Rules, number
from assistant.turn.dice import RangeTable
from assistant.turn.game import fresh, next_code
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.ruleset import Temper
from assistant.turn.rulings import Count, Score

# What the chapter declares.


in_war_check = counting("in the war check", "nella prova di guerra", "rating", "DERIVED")
on_target_die = counting("on a target's die", "sul dado del bersaglio", "die", "DERIVED", "p58")


class Numbers(Rules):
    """The war check, targets, and when a self-run nation fights or makes peace."""

    war_conquest: int = in_war_check(1, "An interest in conquest counts", "L'interesse per la conquista vale")
    war_hated: int = in_war_check(1, "A hated neighbour counts", "Un vicino odiato vale")
    war_low_morale: int = in_war_check(-1, "Low morale counts", "Il morale basso conta")
    war_low_morale_to: int = derived(1, "morale", both("Morale is low at {n} or less.",
                                                       "Il morale è basso da {n} in giù."))
    target_mods_hated: int = on_target_die(1, "Being hated counts", "Essere odiati vale")
    target_mods_weaker: int = on_target_die(1, "Being weaker counts", "Essere più deboli vale")
    target_mods_most_land: int = on_target_die(1, "Most land counts {signed} for conquerors",
                                               "Più terra vale {signed} per i conquistatori")
    target_mods_richest: int = on_target_die(1, "Against the richest nation looters get {signed}",
                                             "Contro la nazione più ricca i predoni hanno {signed}")
    target_mods_undefended: int = on_target_die(1, "Land without defence counts {signed} for colonists",
                                                "Terra indifesa vale {signed} per i coloni")
    target_mods_tributary: int = on_target_die(-1, "A tributary's die counts {signed}",
                                               "Il dado di un tributario vale {signed}")
    npc_offer: str = choice(both("Self-run nations {option}.", "Le nazioni autonome {option}."),
                            never=("never offer peace", "non offrono mai la pace"),
                            weary=("offer peace where they would take it", "offrono la pace quando la accetterebbero"),
                            source="A", usual=True)
    npc_peace_morale: int = assumed(
        2, "morale", both("Self-run nations take a peace that is offered at morale {n} or less.",
                          "Le nazioni autonome accettano una pace offerta con morale {n} o meno."), source="A")
    npc_peace_seasons: int = assumed(4, both("seasons", "stagioni"),
                                     both("Self-run nations take a peace that is offered from {n} {n?season|seasons} "
                                          "of war on.",
                                          "Le nazioni autonome accettano una pace offerta da {n} {n?stagione|stagioni} "
                                          "di guerra in poi."), source="A")
    npc_maybe: str = choice(
        both("Where its people leave it open a self-run nation goes to war {option}.",
             "Dove il suo popolo lascia la scelta una nazione autonoma va in guerra {option}."),
        tempted=("for conquest or loot, if a neighbour is weaker or richer",
                 "per conquista o bottino, se un vicino è più debole o più ricco"),
        weaker=("for conquest or loot, if a neighbour is weaker", "per conquista o bottino, se un vicino è più debole"),
        richer=("for conquest or loot, if a neighbour is richer", "per conquista o bottino, se un vicino è più ricco"),
        always=("always", "sempre"), never=("never", "mai"))
    player_war: str = choice(both("Nations of clubs {option}.", "Le nazioni dei circoli {option}."),
                             roll=("throw for war as well", "tirano anch'esse per la guerra"),
                             choose=("decide freely", "decidono liberamente"), usual=True)


CHAPTER = Chapter(both("Who goes to war", "Chi entra in guerra"), cites("p57"), Numbers, events=(
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
), findings=(
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
), questions=(
    question_type("join",
                  both("{by:the} {by?has|have} attacked your ally {partner:the}. Do you join? Refusing ends the "
                       "alliance.",
                       "{by:il} {by?ha|hanno} attaccato la tua alleata, {partner:il}. Intervieni? Chi rifiuta non è "
                       "più alleato.")),
))


# Who goes to war: broken alliances, white peace, war checks, targets, allies (p57, p58, DP).


WAR_ROWS = RangeTable.rising("war", (0, "peace"), (1, "maybe"), (2, "war"))


@dataclass
class WarCheck:
    """The result of a nation's war check."""

    code: str
    nation: Faction
    legal: list[str]
    verdict: str
    rolls: list[Score]
    target: str = ""


class WarBoard(OrderBoard):
    """The board of war and peace."""

    wishes: dict[str, list[str]] = fresh(dict)
    offers: dict[str, set[str]] = fresh(dict)
    breaking: set[tuple[str, str]] = fresh(set)
    """Alliances that orders of this phase end."""

    def is_sacred(self, code: str, other: str) -> bool:
        """Whether another nation may not be attacked because it is an ally (`alliance_effect`)."""
        return self.are_allied(code, other) and self.rules["alliance_effect"] != "join"

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
        return (self.rules["intimidate_use"] == "war_die" and self.regard(code, other) < 0
                and row.deceit_until != row.target_until)


def _check_targets(f: WarBoard, request: Request, others: list[Faction], name: str) -> None:
    """BLD-004, 030 to 033."""
    code = request.faction
    for other in (other.faction for other in others):
        if not f.may_fight(f.nations[code]):
            raise f.of_spring(request)
        refuse_if(other not in f.neighbours(code), "BLD-030", name, nation=other)
        refuse_if(f.is_sacred(code, other) and (code, other) not in f.breaking, "BLD-031", name, nation=other)
        peace = f.enforced_peace(code, other)
        if peace is not None:
            raise Refused("BLD-032", name, nation=other, year=peace.until_year)
        refuse_if(f.holds(f.feeling(code, other).no_attack_until), "BLD-033", name, nation=other)


def _check_at_war(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    refuse_if(not f.at_war(request.faction, other.faction), "BLD-035", name, nation=other.faction)


def _check_allied(f: WarBoard, request: Request, other: Faction, name: str) -> None:
    pair = (request.faction, other.faction)
    refuse_if(not f.are_allied(*pair) and pair not in f.breaking, "BLD-036", name, nation=other.faction)
    f.breaking.add(pair)


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


def white_peaces(f: WarBoard) -> None:
    """End the wars that both sides want to end; for a self-run nation the rules decide."""
    rules = Numbers.of(f)
    for row in f.open_wars():
        a, b = row.parties
        # A self-run nation takes a peace with low morale, or after a long war.
        weary = {code for code in (a, b) if f.self_run(code) and (
            f.nations[code].morale <= rules.npc_peace_morale
            or season_number(f.turn) - season_number(row.began) >= rules.npc_peace_seasons)}
        offers = {code for code, other in ((a, b), (b, a)) if other in f.offers.get(code, ())}
        if rules.npc_offer == "weary":
            offers |= weary
        if offers and offers | weary == {a, b}:
            f.end_war(row, "white")
            f.tell("white_peace", by=a, partner=b)


# --- war checks -------------------------------------------------------------------------------------
def check_for_war(f: WarBoard) -> None:
    """Nations at peace check for war and choose targets; all wars open together, then allies are called."""
    checks = [_check(f, nation) for nation in f.living() if f.may_fight(nation) and not f.enemies(nation.faction)]
    for check in checks:
        check.target = _target(f, check)
        f.tell("war_check", roll=check.rolls, faction=check.code, verdict=check.verdict)
    # All have chosen before the first war opens, so that it does not matter whose turn comes first.
    chosen = {check.code: check.target for check in checks if check.target}
    opened = []
    for code, other in chosen.items():
        both_want = chosen.get(other) == code
        if not (both_want and f.at_war(code, other)):  # of two that chose each other the first opens the one war
            opened.append(f.open_war(code, other, "both" if both_want else "check"))
    if f.rules["alliance_effect"] != "no_attack":
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
        return WarCheck(code, nation, [], "no_neighbour", [])
    if rules.player_war == "choose" and not f.self_run(code):
        return WarCheck(code, nation, legal, "choice", [])
    rating = f.modifiers(WAR_RATING, f, nation, legal)
    stirred = f.rumours(code)
    count = f.rating_test(WAR, (code,), rating, {"rumours": int(bool(stirred))}, [code], rows=WAR_ROWS)
    # Where only the rumours made the difference, whoever spread them against others may be no target himself.
    if stirred and WAR_ROWS.at(max(0, count.total - 1)) != count.verdict:
        legal = [other for other in legal if other not in stirred or f.feeling(code, other).deceit_kind != "third"]
    return WarCheck(code, nation, legal, count.verdict, [count])


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
    by_rule = "yes" if f.rules["npc_ally"] == "joins" else "no"
    for row, ally in called:
        if answers.get(f"{row.war}/{ally}", by_rule) != "yes":
            for alliance in f.alliances_of(ally, row.target):
                alliance.ended = f.turn
            f.tell("ally_refused", by=ally, partner=row.target)
        elif not f.at_war(ally, row.aggressor):  # as the ally of another whom the same nation attacks
            f.wars.add(War(war=next_code(f.wars, "W{}"), aggressor=ally, target=row.aggressor, reason="ally",
                           began=f.turn))
            f.tell("ally_joined", by=ally, partner=row.target, opponent=row.aggressor)


# National morale (WF).


morale_change = counting(unit="morale", tag="ASSUMED", source="p59")
in_morale_check = counting("in the morale check", "nella prova di morale", "rating")


class MoraleNumbers(Rules):
    """National morale, its check, disasters and enforced peaces."""

    nm_min: int = assumed(0, "morale", both("National morale is at least {n}.", "Il morale nazionale è almeno {n}."),
                          source="p59")
    nm_max: int = assumed(5, "morale", both("National morale is at most {n}.", "Il morale nazionale è al massimo {n}."),
                          source="p59")
    nm_shaken_cap: int = number(0, both("times", "volte"),
                                both("A nation is shaken {n} {n?time|times} at most; 0 is no limit.",
                                     "Una nazione è scossa al massimo {n} {n?volta|volte}; con 0 non c'è limite."))
    nm_won: int = morale_change(1, "A battle won changes morale by", "Una battaglia vinta cambia il morale di")
    nm_lost: int = morale_change(-1, "A battle lost changes morale by", "Una battaglia persa cambia il morale di")
    nm_province: int = morale_change(-1, "A province lost changes morale by", "Una provincia persa cambia il morale di")
    nm_capital: int = morale_change(-2, "The own capital lost changes morale by {signed} instead",
                                    "La propria capitale persa cambia invece il morale di {signed}")
    nm_collapse: int = morale_change(-2, "An army destroyed changes morale by",
                                     "Un'armata distrutta cambia il morale di")
    nm_rest_step: int = assumed(1, "morale", both("At peace morale moves by {n} a year toward rest.",
                                                  "In pace il morale torna di {n} l'anno verso la base."), source="p59")
    will_mods_won: int = in_morale_check(1, "A battle won counts", "Una battaglia vinta vale")
    will_mods_lost: int = in_morale_check(-1, "A battle lost counts", "Una battaglia persa vale")
    will_mods_refused: int = in_morale_check(-1, "From the third battle refused on {signed}",
                                             "Dalla terza battaglia rifiutata {signed}")
    will_mods_province: int = in_morale_check(-1, "A province lost counts", "Una provincia persa vale")
    will_mods_shaken: int = in_morale_check(-1, "Each time shaken counts", "Ogni volta che si è scossi vale")
    unrest_seasons: int = assumed(4, both("seasons", "stagioni"), both("Unrest lasts {n} {n?season|seasons}.",
                                                                       "I disordini durano {n} {n?stagione|stagioni}."))
    peace_min: int = derived(1, both("years", "anni"), both("An enforced peace lasts {n} {n?year|years} at least.",
                                                            "Una pace imposta dura almeno {n} {n?anno|anni}."),
                             minimum=1, source="p59")
    peace_cap: int = assumed(8, both("years", "anni"), both("An enforced peace lasts {n} {n?year|years} at most.",
                                                            "Una pace imposta dura al massimo {n} {n?anno|anni}."),
                             minimum=1, source="p59")
    wtf_mod_kind: str = choice(both("Modifiers of the morale check change {option}.",
                                    "I modificatori della prova di morale cambiano {option}."),
                               rating=("the rating", "il valore"), successes=("the successes", "i successi"))
    nm_test_rating: str = choice(both("The morale check is taken against {option}.",
                                      "La prova di morale si fa contro {option}."),
                                 nm=("the national morale", "il morale nazionale"),
                                 nm_plus_wr=("morale and the leader's WR", "il morale più la WR del capo"))
    nm_adjust_mode: str = choice(both("The adjustment of morale {option}.", "L'aggiustamento del morale {option}."),
                                 permanent=("is permanent", "è permanente"), off=("is left out", "non si fa"),
                                 source="TS-Sp12")
    disaster_scope: str = choice(both("A disaster loses {option}.", "Con un disastro si {option}."),
                                 all_wars=("all wars", "perdono tutte le guerre"),
                                 one_war=("the war with the strongest enemy",
                                          "perde la guerra con il nemico più forte"))
    peace_unit: str = choice(both("Enforced peaces are counted in {option}.",
                                  "Le paci imposte si contano in {option}."), years=("years", "anni"),
                             seasons=("seasons", "stagioni"), source="p59", usual=True)
    opposition_when: str = choice(both("Opposition counts in {option}.", "L'opposizione conta {option}."),
                                  next_recruiting=("the next recruiting", "al prossimo reclutamento"),
                                  next_season=("the next season only", "solo nella stagione dopo"))
    refuse_window: str = choice(both("Refused battles are counted in a {option}.",
                                     "Le battaglie rifiutate si contano {option}."), year=("year", "nell'anno"),
                                season=("season", "stagione"))


MORALE_CHAPTER = Chapter(
    both("Will to Fight", "Volontà di combattere"), cites("WF", "p59", "TS-Sp12"), MoraleNumbers, events=(
    EventType("morale", both("The season (battles, provinces lost, armies that collapsed) moves the morale of "
                             "{faction:the} from {a} to {b}.",
                             "La stagione (battaglie, province perdute, armate crollate) porta il morale {faction:di} "
                             "da {a} a {b}."), "news", 2, "p59", to=ALL),
    EventType("will", both("Will to fight of {faction:the}: {roll}.", "Volontà di combattere {faction:di}: {roll}."),
              "news", 1,
              variants=("n", {"2": both("Will to fight of {faction:the}, second check of the winter: {roll}.",
                                        "Volontà di combattere {faction:di}, seconda prova dell'inverno: {roll}.")}),
              to=ALL, tries="faction"),
    EventType("disaster",
              both("{faction:the} {faction?collapses|collapse}: {winner:the} {winner?wins|win}, peace until the end "
                   "of {year}.",
                   "{faction:il} {faction?crolla|crollano}: {winner?vince|vincono} {winner:il}, pace fino alla fine "
                   "del {year}."), "diplomacy", 0, to=ALL),
    EventType("enforced_peace", both("Enforced peace between {winner:the} and {loser:the} to the end of {year}.",
                                     "Pace imposta fra {winner:il} e {loser:il} fino alla fine del {year}."),
              "diplomacy", 1, "p59", means={"loser": "faction"}, to=ALL),
))


MORALE_ROWS = RangeTable.rising("will", (0, "disaster"), (1, "shaken"), (2, "carry_on"))
REFUSALS = 3
"""Refused battles count from the third on."""


def will(f: Realm) -> None:
    """Adjustment and check of all nations at war."""
    nations = f.nations_at_war()
    if MoraleNumbers.of(f).nm_adjust_mode == "permanent":
        for nation in nations:
            _adjust(f, nation)
    check_morale(f, nations)


def _adjust(f: Realm, nation: Faction) -> None:
    """The season changes morale for good (TS-Sp12)."""
    rules, code, was = MoraleNumbers.of(f), nation.faction, nation.morale
    # The turn sequence has an adjustment and a check: a defeat counts in both (`nm_adjust_mode` leaves this one out).
    won, lost = f.wins_and_losses(code)
    change = rules.nm_won * bool(won) + rules.nm_lost * bool(lost)
    change += sum(rules.nm_capital if node.node == f.capital(code) else rules.nm_province
                  for node in f.provinces_lost(code))
    change += rules.nm_collapse * any(code in row.collapsed.split() for row in f.battles.of_turn(f.turn))
    nation.morale = min(rules.nm_max, max(rules.nm_min, was + change))
    if nation.morale != was:
        f.tell("morale", faction=code, a=was, b=nation.morale)


def total_morale(f: Realm, code: str) -> int:
    """National morale, with its leader where he counts in the check."""
    return sum(f.modifiers(MORALE_RATING, f, f.nations[code]).values())


def has_refused_too_often(f: Realm, nation: Faction) -> bool:
    """Whether a battle was refused this season, and the third one or more by the switch refuse_window."""
    refused = nation.refused_season if MoraleNumbers.of(f).refuse_window == "season" else nation.refused_year
    # The third refusal of the window counts, and each one after it, in the season in which it happens.
    return nation.refused_season > 0 and refused >= REFUSALS


MORALE_RATING: tuple[Modifier[Realm, Faction], ...] = (
    Modifier("morale", lambda f, nation: nation.morale),
    Modifier("leader", lambda f, nation: f.wr_now(f.national_leader(nation.faction)) * (
        MoraleNumbers.of(f).nm_test_rating == "nm_plus_wr")),
)
MORALE_PARTS: tuple[Modifier[Realm, Faction], ...] = (
    *MORALE_RATING,
    Modifier(both.word("won battle", "battaglia vinta"),
             lambda f, nation: f.wins_and_losses(nation.faction)[0] > 0, "will_mods_won"),
    Modifier(both.word("lost battle", "battaglia persa"),
             lambda f, nation: f.wins_and_losses(nation.faction)[1] > 0, "will_mods_lost"),
    Modifier(both.word("refused battle", "battaglia rifiutata"), has_refused_too_often, "will_mods_refused"),
    Modifier(both.word("provinces lost", "province perse"),
             lambda f, nation: len(f.provinces_lost(nation.faction)), "will_mods_province"),
    # What shook the nation this season counts in the tests of the next: it matters in Winter, which tests twice.
    Modifier("shaken", lambda f, nation: nation.shaken - (nation.shaken_turn == f.turn), "will_mods_shaken"),
)
"""The parts of a nation's total in the morale check (WF)."""


def check_morale(f: Realm, nations: list[Faction], again: int = 1) -> None:
    """Check the morale of some nations on the same state, and end the wars of the broken."""
    # The totals of all at war decide who loses; house rules may test a nation at peace, too.
    parts = {nation.faction: f.modifiers(MORALE_PARTS, f, nation) for nation in (*f.nations_at_war(), *nations)}
    tested = [(nation, _morale_test(f, nation, parts[nation.faction], again)) for nation in nations]
    for nation, count in tested:
        _apply(f, nation, count, again)
    end_wars(f, [nation.faction for nation, count in tested if count.verdict == "disaster"],
             {code: sum(made_of.values()) for code, made_of in parts.items()})


WILL = counted(both("Morale checks", "Prove di morale"), "will/{Factions}", again="/{n}")


def _morale_test(f: Realm, nation: Faction, made_of: dict[str, int], again: int) -> Count:
    rating, mods = made_of, dict[str, int]()
    if MoraleNumbers.of(f).wtf_mod_kind == "successes":
        rating = {name: made_of[name] for name in ("morale", "leader")}
        mods = {name: n for name, n in made_of.items() if name not in rating}
    # Of all ratings only this one has the bounds in print: a 1 always succeeds, a 6 never (WF).
    return f.rating_test(WILL, (nation.faction,), rating, mods, bounds=True, rows=MORALE_ROWS, again=again)


def _apply(f: Realm, nation: Faction, count: Count, again: int) -> None:
    rules, verdict = MoraleNumbers.of(f), count.verdict
    if verdict == "shaken":  # its recruits are opposed at home, until it has recruited
        nation.opposition = True
        if not rules.nm_shaken_cap or nation.shaken < rules.nm_shaken_cap:
            nation.shaken, nation.shaken_turn = nation.shaken + 1, f.turn
    else:
        nation.shaken, nation.shaken_turn = 0, ""
    if verdict == "disaster":
        nation.unrest = rules.unrest_seasons
    f.tell("will", roll=count, faction=nation.faction, row=verdict, **({"n": again} if again > 1 else {}))


# --- the ends of wars -------------------------------------------------------------------------------
def end_wars(f: Realm, broken: list[str], totals: dict[str, int]) -> None:
    """End the wars of broken nations, in id order; of two that break the one with the lower total loses."""
    # Who loses is settled before any war ends: the enemies of a nation are those of this moment.
    lost = [(war, losers) for war in f.open_wars()
            if (losers := [code for code in broken if _loses(f, war, code, totals)])]
    for war, losers in lost:
        a, b = (totals[code] for code in war.parties)
        equal = len(losers) > 1 and a == b
        # Of two that broke, the lower total has lost; of equals nobody has, but the peace's columns want two nations.
        loser = war.target if equal else losers[0] if len(losers) == 1 else war.parties[a > b]
        winner = next(code for code in war.parties if code != loser)
        enforce_peace(f, war, winner, loser, totals[winner] - totals[loser], equal=equal)


def _loses(f: Realm, war: War, code: str, totals: dict[str, int]) -> bool:
    """Whether a broken nation loses a war (`disaster_scope`)."""
    strongest = max(f.enemies(code), key=lambda enemy: totals.get(enemy, 0), default="")
    return code in war.parties and (MoraleNumbers.of(f).disaster_scope == "all_wars" or strongest in war.parties)


def enforce_peace(f: Realm, war: War, winner: str, loser: str, margin: int, *, equal: bool = False,
                  broken: bool = True) -> None:
    """Enforce a peace of so many years. `broken`: the loser's people broke, and now hates the winner."""
    rules = MoraleNumbers.of(f)
    years = rules.peace_min if equal else min(rules.peace_cap, max(rules.peace_min, margin))
    first, last = (f.later(1), f.later(years)) if rules.peace_unit == "seasons" else (
        str(f.year + 1), str(f.year + years))
    f.peaces.add(Peace(peace=next_code(f.peaces, "E{}"), winner=winner, loser=loser, war=war.war, pays=not equal,
                       from_year=first, until_year=last))
    beaten = broken and not equal
    if beaten:
        f.relation_row(loser, winner).hates = True
    f.end_war(war, "enforced")
    if beaten:
        f.tell("disaster", faction=loser, winner=winner, year=last)
    f.tell("enforced_peace", winner=winner, loser=loser, year=last)


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
