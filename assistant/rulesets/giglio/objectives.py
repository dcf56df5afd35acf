"""Objectives: the secret choice, their verification after the last year, the end of a campaign (objectives)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from assistant.campaign.columns import Choice, Ref, Whole, column
from assistant.campaign.records import ALL, Event
from assistant.campaign.tables import Record, natural
from assistant.rulesets.giglio import VOCABULARY, both
from assistant.rulesets.giglio.records import ENGLISH, OBJECTIVES, Faction, Node, Opening, by_edition
from assistant.rulesets.giglio.war import IN_SPRING, INCOME, SPRING, WRONG, War
from assistant.turn.chapters import Chapter, Citation, EventType, Message, QuestionType, Rules, number, switch
from assistant.turn.dice import REFEREE
from assistant.turn.event_types import EACH_TIME, Ending, Said, total
from assistant.turn.game import Game
from assistant.turn.orders.columns import Option as ColumnOption
from assistant.turn.orders.requests import Refused, Request
from assistant.turn.orders.row_columns import Partner
from assistant.turn.orders.verbs import order, same
from assistant.turn.questions import Ask, Invitation

# What the chapter declares.


class Numbers(Rules):
    """Which objectives there are, when and how they are counted."""

    objectives_edition: Literal["IT", "EN"] = switch(both("Objectives are {option}.", "Gli obiettivi sono {option}."),
                                                     both("the 11 Italian ones", "gli 11 italiani"),
                                                     both("the 10 English ones, without capitals",
                                                          "i 10 inglesi, senza capitali"),
                                                     by_edition=by_edition(ENGLISH, "EN", "IT"),
                                                     usual=True)
    objective_metric: Literal["own", "gain"] = switch(
        both("For an objective counts {option}.", "Per un obiettivo conta {option}."),
        both("who owns most", "chi possiede di più"),
        both("who has gained most since the start", "chi ha guadagnato di più dalla partenza"),
        by_edition=by_edition(ENGLISH, "gain", "own"), usual=True)
    objective_tie: Literal["ducats", "shared"] = switch(
        both("Where several reach their objective {option}.",
             "Se più fazioni raggiungono il proprio obiettivo {option}."),
        both("the most ducats win", "vince chi ha più ducati"), both("they share the victory", "la vittoria è comune"),
        usual=True)
    objective_none: Literal["nobody", "ducats"] = switch(
        both("Where nobody reaches an objective {option}.", "Se nessuno raggiunge un obiettivo {option}."),
        both("nobody wins", "non vince nessuno"), both("who has the most ducats wins", "vince chi ha più ducati"),
        usual=True)
    campaign_years: int = number(5, both("years", "anni"),
                                 both("Objectives are verified after the winter of year {n}.",
                                      "Gli obiettivi si verificano dopo l'inverno dell'anno {n}."), minimum=1,
                                 setup=True)


OBJECTIVE_WORDS: Mapping[str, str] = {**{italian: code for code, italian in OBJECTIVES.items()}, "territory": "conquer",
                                      "none": "no_objective", "nessuno": "no_objective"}

EVENTS = (
    EventType("objective.chosen", both("Your secret objective: {option}.", "Il tuo obiettivo segreto: {option}."),
              "rulings", 3, variants=("option", {
                  "keep": both("Your secret objective: to keep your own territory.",
                               "Il tuo obiettivo segreto: conservare il tuo territorio."),
                  "conquer": both("Your secret objective: to conquer the territory of {target:the}.",
                                  "Il tuo obiettivo segreto: conquistare il territorio {target:di}."),
                  "allies_kept": both("Your secret objective: alliances kept to their end.",
                                      "Il tuo obiettivo segreto: alleanze rispettate."),
                  "allies_betrayed": both("Your secret objective: alliances betrayed.",
                                          "Il tuo obiettivo segreto: alleanze tradite.")}),
              means={"target": "faction"}, to=EACH_TIME),
    EventType("campaign.end",
              both("{winners:the} {winners?wins|win}. Objectives reached: {reached}. {detail}.",
                   "{winners?Vince|Vincono} {winners:il}. Obiettivi centrati: {reached}. {detail}."), "news", 0,
              variants=("winners",
                        {"": both("There is no winner. Objectives reached: {reached}. {detail}.",
                                  "Nessun vincitore. Obiettivi centrati: {reached}. {detail}.")}), to=ALL),
)

FINDINGS = (
    Message("GIG-093", "error",
            both("The objective is chosen once, in the first spring. For who has none the referee may rule one "
                 "afterwards: 'referee: secret objective V ports'.",
                 "L'obiettivo si sceglie una volta, nella prima primavera. A chi non ne ha l'arbitro può assegnarne "
                 "uno dopo: 'arbitro: obiettivo segreto V porti'.")),
    Message("GIG-094", "error",
            both("'{option}' is not an objective of this edition.",
                 "'{option}' non è un obiettivo di questa edizione."),
            certain=True),
    Message("GIG-095", "error",
            both("Name the enemy faction whose territory you want.",
                 "Indica la fazione nemica di cui vuoi il territorio."), certain=True),
)

QUESTIONS = (
    QuestionType("secret_objective",
                 both("Which secret objective does {faction:the} have?",
                      "Quale obiettivo segreto {faction?ha|hanno} {faction:il}?"),
                 ("asked", {"club": both("Which secret objective do you choose? The order objective in the first "
                                         "spring's budget does as well.",
                                         "Quale obiettivo segreto scegli? Va bene anche l'ordine obiettivo nel "
                                         "bilancio della prima primavera.")}), answers=OBJECTIVE_WORDS, wrong=WRONG,
                 duty=both("choose a secret objective", "scegliere un obiettivo segreto")),
)

both.words({
    "nobody": "nessuno", "no_objective": "nessun obiettivo", "secret_objective": "obiettivo segreto", "none": "nessuna",
    "faction": "fazione", "target": "bersaglio", "count": "conta", "reached": "centrato",
    "army_ducats": "ducati in armi", "places": "luoghi",
})

CHAPTER = Chapter(both("Objectives", "Obiettivi"), (Citation("objectives", "objectives", "obiettivi"),), Numbers,
                  EVENTS, FINDINGS, QUESTIONS)


# Choosing one, in the first spring.


@order("objective", "obiettivo", when=IN_SPRING, replaces=same("objective"),
       option=ColumnOption(OBJECTIVES, further=VOCABULARY["objectives"]),
       partner=Partner(blank=True, only_names=True, title=both("Whose territory", "Territorio di")),
       help=both("Choose the secret objective, in the first year only; for conquer also the faction whose territory is "
                 "meant.",
                 "Scegli l'obiettivo segreto, solo il primo anno; per territorio anche la fazione che lo possiede."))
def objective(war: War, request: Request) -> None:
    """The club's one secret aim, chosen in the first spring (objectives)."""
    faction = war.factions[request.faction]
    if not war.first_spring() or faction.objective:
        raise Refused("GIG-093", "verb")
    # the English list has no capitals
    aims = {*OBJECTIVES, *war.counted} - ({"capitals"} if Numbers.of(war).objectives_edition == "EN" else set())
    if request.option not in aims:
        raise Refused("GIG-094", "option", option=request.typed_text("option") or request.option)
    if request.option == "conquer":
        target = war.factions.get(request.partner)
        if target is None or target.role == "neutral" or target.faction == request.faction:
            raise Refused("GIG-095", "partner")
        faction.objective_target = target.faction
    elif request.partner and request.partner not in war.factions:
        raise Refused("no_such_partner", "partner", word=request.typed_text("partner") or request.partner)
    set_objective(war, faction, request.option, faction.objective_target)


def set_objective(war: War, faction: Faction, aim: str, target: str) -> None:
    """Record the objective; only the faction itself is told (objectives)."""
    faction.objective, faction.objective_target = aim, target
    war.tell("objective.chosen", [faction.faction], option=aim, target=target)


NO_OBJECTIVE = "no_objective"


def objective_invitations(war: War) -> list[Invitation]:
    """Clubs without an objective may choose in the first spring; afterwards the referee may rule one (objectives)."""
    open_to_clubs, players = war.first_spring() and war.game.phase in (INCOME, SPRING), war.players()
    return [_objective_invitation(war, faction, players, open_to_clubs) for faction in players
            if not faction.objective and faction.role != "robot"]


def _objective_invitation(war: War, faction: Faction, players: list[Faction], open_to_clubs: bool) -> Invitation:
    code = faction.faction
    edition = Numbers.of(war).objectives_edition
    aims = [aim for aim in (*OBJECTIVES, *war.counted) if aim != "conquer" and (aim, edition) != ("capitals", "EN")]
    aims += [f"conquer:{other.faction}" for other in players if other is not faction]
    ask = Ask("secret_objective", code if open_to_clubs else REFEREE, "" if open_to_clubs else code,
              (*aims, NO_OBJECTIVE), NO_OBJECTIVE, {"faction": code, "asked": "club" if open_to_clubs else ""})
    return Invitation(ask, (war.game.turn, SPRING), partial(_set_answered_objective, type(war), code),
                      quiet=not open_to_clubs)


def _set_answered_objective(board: type[War], code: str, game: Game, answer: str) -> None:
    """Set the objective that was answered, unless the answer is to have none."""
    if answer != NO_OBJECTIVE:
        war = board(game)
        aim, _, target = answer.partition(":")
        set_objective(war, war.factions[code], aim, target)


# Verification after the last year (rulebook: Objectives).


FactionCount = Callable[[War, str], int]


def _count_places(test: Callable[[Node], bool]) -> FactionCount:
    return lambda war, f: sum(1 for n in war.nodes if n.owner == f and n.land and test(n))


COUNTS: dict[str, FactionCount] = {
    "capitals": _count_places(lambda n: n.capital),
    "ducats": lambda war, f: war.factions[f].treasury,
    "cities": _count_places(lambda n: n.counts_as == "city"),
    "fortresses": _count_places(lambda n: n.counts_as == "fortress"),
    "villages": _count_places(lambda n: n.counts_as == "village"),
    "ports": _count_places(lambda n: n.port),
    "fleets": lambda war, f: sum(1 for fleet in war.fleets if fleet.faction == f),
    "allies_kept": lambda war, f: sum(1 for t in war.alliances if f in t.owners and t.status in ("honoured", "active")),
    "allies_betrayed": lambda war, f: sum(1 for t in war.alliances if (t.status, t.betrayed_by) == ("betrayed", f)),
}


COUNTED_AS_GAIN = ("capitals", "ducats", "cities", "fortresses", "villages", "ports", "fleets")


def counts(war: War) -> Mapping[str, FactionCount]:
    """What each objective counts, with those that house rules add."""
    return {**COUNTS, **war.counted}


def verify_objectives(war: War) -> None:
    """Tell all, in one event, everybody's objective and the winners (rulebook: Objectives)."""
    reached = [f.faction for f in war.players() if has_reached(war, f)]
    winners = reached
    if not reached and Numbers.of(war).objective_none == "ducats":
        winners = [f.faction for f in war.players()]
    if winners and not (reached and Numbers.of(war).objective_tie == "shared"):
        # of those who reached theirs the most ducats decide (objectives)
        most = max(war.factions[f].treasury for f in winners)
        winners = [f for f in winners if war.factions[f].treasury == most]
    detail = {f.faction: {"objective": f.objective, "target": f.objective_target, "count": objective_count(war, f),
                          "reached": f.faction in reached, "ducats": f.treasury} for f in war.players()}
    war.tell("campaign.end", reached=" ".join(reached), winners=" ".join(winners), detail=detail)


def objective_count(war: War, faction: Faction, code: str = "") -> int:
    """What the faction's objective counts, for itself or for another faction (`code`)."""
    who, aim = code or faction.faction, faction.objective
    if aim not in counts(war):
        return 0
    now = counts(war)[aim](war, who)
    if Numbers.of(war).objective_metric == "gain" and aim in COUNTED_AS_GAIN:
        start = war.campaign.table(Opening).get(who)
        now -= getattr(start, aim) if start is not None else 0
    return now


def objective_places(war: War, faction: Faction) -> list[Node]:
    """The places that "keep" and "conquer" ask for."""
    home = faction.faction if faction.objective == "keep" else faction.objective_target
    # to conquer a territory is to hold its capital, too, wherever that lies
    capital = war.factions[home].capital if faction.objective == "conquer" and home in war.factions else ""
    return [n for n in war.nodes if (n.home == home or n.node == capital) and n.land]


def has_reached(war: War, faction: Faction) -> bool:
    """Whether the faction has reached its objective (rulebook: Objectives); a tie for the most counts as reached."""
    if faction.objective in ("keep", "conquer"):
        places = objective_places(war, faction)
        return bool(places) and all(n.owner == faction.faction for n in places)
    if faction.objective not in counts(war):
        return False
    # ties count as reached, but nobody reaches an objective with nothing
    best = max(objective_count(war, faction, f.faction) for f in war.players())
    return best >= 1 and objective_count(war, faction) == best


def faction_figures(war: War, faction: str) -> dict[str, Any]:
    """A faction's row of the standings: public counts, then ducats in the chest and in armies."""
    public = ("cities", "fortresses", "villages", "capitals", "ports", "fleets")
    return {"faction": faction, "places": sum(1 for n in war.nodes if n.owner == faction and n.land),
            **{name: COUNTS[name](war, faction) for name in public},
            "ducats": war.factions[faction].treasury, "army_ducats": total(a.value for a in war.armies_of(faction))}


def opening_row(war: War, faction: str) -> Opening:
    """What a faction has now, as a row of the sheet Opening."""
    return Opening(faction=faction, **{name: COUNTS[name](war, faction) for name in COUNTED_AS_GAIN})


# A faction's own objective in reports, and the end of a campaign (rulebook: Objectives).
#
# The verification's event has made public who wanted what.


SECRET_OBJECTIVES = ("ducats", "allies_kept", "allies_betrayed")
"""Objectives for which a faction does not know the others' counts."""


@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Objective", sheet_it="Obiettivo"):
    """A faction's own objective as its report shows it.

    `now`: what it counts; `needed`: how many it takes to reach it today, `lacks`: how many of these are missing, both
    blank if others' counts are secret; `years`: how many are left, this one included.
    """

    objective: str = column(Choice(OBJECTIVES, blank=True), "Objective", "Obiettivo", key=True)
    target: str = column(Ref("Factions", blank=True), "Territory", "Territorio")
    now: int | None = column(Whole(blank=True), "Now", "Adesso")
    needed: int | None = column(Whole(0, blank=True), "Needed", "Servono")
    lacks: int | None = column(Whole(0, blank=True), "Still lacks", "Mancano")
    years: int = column(Whole(0), "Years left", "Anni rimasti")


YEARS_LEFT = both("{what}; {years} {years?year|years} left, this one included.",
                  "{what}; {years?resta|restano} {years} {years?anno|anni}, compreso questo.")
HELD = {"keep": both("Your own territory: you hold {now} of its {goal} {goal?place|places}",
                     "Il tuo territorio: hai {now} {now?luogo|luoghi} su {goal}"),
        "conquer": both("Territory of {target:the}: you hold {now} of its {goal} {goal?place|places}",
                        "Territorio {target:di}: hai {now} {now?luogo|luoghi} su {goal}")}
COUNTED_OF_MOST = both("{aim}: you have {now}, and as things stand {goal} {goal?is|are} needed",
                       "{aim}: ne hai {now}, e per come stanno le cose ne {goal?serve|servono} {goal}")
COUNTED = both("{aim}: {now} until now, and what others have is secret",
               "{aim}: {now} finora, e quanto hanno gli altri è segreto")
CHOSEN = both("Your objective: {aim}", "Il tuo obiettivo: {aim}")
NOTHING_CHOSEN = both("You have no objective", "Non hai un obiettivo")


def clock(aim: Aim) -> Said:
    """How far a faction is from its objective, and how long it has."""
    text = (NOTHING_CHOSEN if not aim.objective else CHOSEN if aim.now is None else COUNTED if aim.needed is None else
            HELD.get(aim.objective, COUNTED_OF_MOST))
    data = {"aim": aim.objective, "target": aim.target, "now": aim.now, "goal": aim.needed}
    return Said(YEARS_LEFT, {"what": Said(text, data), "years": aim.years})


@dataclass(eq=False, repr=False)
class ChosenAim(Record, sheet="Objective", sheet_it="Obiettivo"):
    """An objective as the book of the war shows it."""

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    objective: str = column(Choice(OBJECTIVES, blank=True), "Objective", "Obiettivo")
    target: str = column(Ref("Factions", blank=True), "Territory", "Territorio")


def aim_of(war: War, faction: Faction) -> Aim:
    """The objective that a faction has chosen, as its owner can count it."""
    last = (war.desk.start_year or war.year) + Numbers.of(war).campaign_years - 1
    aim = Aim(faction.objective, faction.objective_target, None, None, None, max(0, last - war.year + 1))
    # without the count at the start nobody knows what was gained
    hidden = Numbers.of(war).objective_metric == "gain" and faction.objective in COUNTED_AS_GAIN and (
        war.campaign.table(Opening).get(faction.faction) is None)
    if faction.objective in ("keep", "conquer"):
        places = objective_places(war, faction)
        aim.now = sum(n.owner == faction.faction for n in places)
        aim.needed = len(places)
    elif faction.objective in counts(war) and not hidden:
        aim.now = objective_count(war, faction)
        # what the others have of it is secret
        if faction.objective not in SECRET_OBJECTIVES:
            aim.needed = max((1, *(objective_count(war, faction, f.faction) for f in war.players()
                                   if f is not faction)))
    if aim.needed is not None:
        aim.lacks = max(0, aim.needed - (aim.now or 0))
    return aim


def ending(war: War) -> Ending | None:
    """Who has won and why, with everybody's objective; None before the verification (objectives)."""
    told = [e for _, e in war.campaign.table(Event).in_file_order() if e.event == "campaign.end"]
    if not told:
        return None
    data = told[-1].data
    winners, reached = tuple(str(data["winners"]).split()), str(data["reached"])
    detail: Mapping[str, Mapping[str, Any]] = data["detail"]
    order = sorted(detail, key=lambda f: (f not in winners, not detail[f]["reached"], -detail[f]["ducats"], natural(f)))
    rows = [{"faction": code, **_ending_row(war, detail[code])} for code in order]
    # nobody had a territory for objective: the column would be empty
    if not any(row["target"] for row in rows):
        rows = [{name: value for name, value in row.items() if name != "target"} for row in rows]
    return Ending((_verdict(winners),), tuple(_grounds(war, reached)), winners, rows)


def _ending_row(war: War, told: Mapping[str, Any]) -> dict[str, Any]:
    aim = told["objective"]
    counted = told["count"] if aim in counts(war) else None
    return {"objective": aim or "none", "target": told["target"], "count": counted, "reached": told["reached"],
            "ducats": told["ducats"]}


NOBODY_HAS_WON = both("Nobody has won.", "Non ha vinto nessuno.")
THE_WINNER_WINNERS = both("The winner: {winners:the}.", "Il vincitore: {winners}.")
THE_VICTORY_IS_SHARED = both("The victory is shared: {winners:the}.", "La vittoria si divide fra: {winners}.")


def _verdict(winners: tuple[str, ...]) -> Said:
    if not winners:
        return Said(NOBODY_HAS_WON)
    text = (THE_WINNER_WINNERS if len(winners) == 1 else
            THE_VICTORY_IS_SHARED)
    return Said(text, {"winners": " ".join(winners)})


AMONG_THEM_THE_MOST = both("Among them the most ducats in the chest decide; equal ducats share the victory.",
                           "Fra loro decidono i ducati in cassa; a pari ducati la vittoria si divide.")
NOBODY_REACHED_THE_OBJECTIVE = both("Nobody reached the objective that was chosen in the first spring.",
                                    "Nessuno ha centrato l'obiettivo scelto nella prima primavera.")
THEN_THE_MOST_DUCATS = both("Then the most ducats in the chest decide.", "Allora decidono i ducati in cassa.")
THEN_THERE_IS_NO_WINNER = both("Then there is no winner.", "Allora non c'è vincitore.")
THE_OBJECTIVE_OF_THE_FIRST = both("The objective of the first spring was reached by: {reached}.",
                                  "Ha centrato l'obiettivo scelto nella prima primavera: {reached}.")
ALL_OF_THEM_SHARE = both("All of them share the victory.", "Si dividono tutti la vittoria.")


def _grounds(war: War, reached: str) -> list[Said]:
    """Who reached the objective, and what decides between several or none (objectives)."""
    rules, most = Numbers.of(war), Said(AMONG_THEM_THE_MOST)
    if not reached:
        nobody = Said(NOBODY_REACHED_THE_OBJECTIVE)
        decide = (Said(THEN_THE_MOST_DUCATS)
                  if rules.objective_none == "ducats" else
                  (Said(THEN_THERE_IS_NO_WINNER)))
        return [nobody, decide]
    sentences = [Said(THE_OBJECTIVE_OF_THE_FIRST, {"reached": reached})]
    if len(reached.split()) > 1:
        sentences.append(Said(ALL_OF_THEM_SHARE) if rules.objective_tie == "shared" else most)
    return sentences
