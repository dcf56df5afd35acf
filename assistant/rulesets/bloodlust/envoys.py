"""Envoys: where they go, their stance, their successes and effects (DS, DP)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.campaign.records import ALL
from assistant.rulesets.bloodlust import ROLLS, assumed, both, choice, cites, counted
from assistant.rulesets.bloodlust.orders import OrderBoard, OtherNation
from assistant.rulesets.bloodlust.realm import question_type, whole_year
from assistant.rulesets.bloodlust.records import Alliance, EnvoyRow, Faction, War
from assistant.rulesets.bloodlust.war import enforce_peace, total_morale
from assistant.turn.chapters import Chapter, EventType, Message, Rules, number
from assistant.turn.dice import RangeTable
from assistant.turn.event_types import TreatyStep
from assistant.turn.game import fresh
from assistant.turn.orders.requests import Request
from assistant.turn.orders.verbs import order
from assistant.turn.questions import Ask
from assistant.turn.rulings import Count, Limit, Score

# What the chapter declares.


class Numbers(Rules):
    """What envoys bring about, and what allies are."""

    diplo_cap: int = number(0, "successes", both("The rows of an envoy come to {n} at most; 0 is no limit.",
                                               "Le righe di un inviato valgono al massimo {n}; con 0 non c'è limite."))
    npc_ally: str = choice(both("Self-run nations {option} an ally who is attacked.",
                                "Le nazioni autonome {option} un alleato attaccato."), joins=("join", "aiutano"),
                           refuses=("abandon", "abbandonano"), usual=True)
    npc_alliance_to: int = assumed(3, "1d6",
                                   both("Self-run nations take an alliance that is offered on 1 to {n}.",
                                        "Le nazioni autonome accettano un'alleanza offerta con un dado da 1 a {n}."))
    stance_clamp: str = choice(both("The die of stance {option}.", "Il dado dell'atteggiamento {option}."),
                               clamp=("is held within 1 and 6", "resta fra 1 e 6"),
                               none=("may leave 1 to 6", "può uscire da 1 a 6"), source="DS")
    diplo_mod_kind: str = choice(both("The envoy's rows change {option}.", "Le righe dell'inviato cambiano {option}."),
                                 successes=("the successes", "i successi"), dice=("the dice", "i dadi"))
    deceive_war: str = choice(
        both("Rumours work {option}.", "Le voci valgono {option}."), anyone=("against anyone", "contro chiunque"),
        by_row=("on rows 1 and 2 not against the deceiver", "alle righe 1 e 2 non contro chi inganna"))
    intimidate_use: str = choice(
        both("An intimidated nation has less on its {option}.", "Una nazione intimidita ha di meno {option}."),
        target_die=("target die", "sul dado del bersaglio"), war_die=("war rating", "valore di guerra"))
    intimidate_backfire: str = choice(
        both("A threat that fails costs trade of {option}.", "Una minaccia fallita costa commercio {option}."),
        sender=("the sender", "a chi l'ha mandato"), target=("the offended", "all'offeso"), both=("both", "entrambi"))
    alliance_effect: str = choice(both("Allies {option}.", "Gli alleati {option}."),
                                  both=("are no targets and are called", "non sono bersagli e sono chiamati"),
                                  no_attack=("are no targets", "non sono bersagli"),
                                  join=("are called", "sono chiamati"), usual=True)


CHAPTER = Chapter(both("Diplomacy", "Diplomazia"), cites("DP", "DS"), Numbers, events=(
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
), findings=(
    Message("BLD-070", "error", both("An envoy goes to another nation in play.",
                                     "L'inviato va presso un'altra nazione in gioco."), certain=True),
    Message("BLD-071", "warning",
            both("One envoy a Winter: no. {m} counts.", "Un inviato per inverno: vale il n. {m}.")),
    Message("BLD-072", "info", both("No envoy named: the dice choose the nation.", "Nessun inviato: sceglie il dado.")),
), questions=(
    question_type("alliance", both("The envoy of {by:the} offers an alliance. Yes or no?",
                                   "L'inviato {by:di} offre un'alleanza. Sì o no?")),
))

TREATIES: Mapping[str, TreatyStep] = {
    "alliance": TreatyStep("made", ("by", "partner")), "alliance_ends": TreatyStep("ended", ("by", "partner"), "by"),
    "ally_refused": TreatyStep("broken", ("by", "partner"), "by"),
}
"""What each event means for an alliance."""


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
    f.carry("envoy")
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
    # The ends of the table are open, so that `stance_clamp` comes to the same either way.
    visit.stance = STANCES.at(stance.total)
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
    rules, table, n = Numbers.of(f), f.campaign.table(EnvoyRow), 2
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
                            Limit(Numbers.of(f).npc_alliance_to), None, [visit.receiver])
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
    row.deceit_kind = "third" if Numbers.of(f).deceive_war == "by_row" and visit.total >= 1 else "anyone"
    if visit.total >= 2:
        row.no_attack_until = year
    else:
        row.target_change, row.target_until = -1 if visit.total == 1 else 1, year
    visit.effect = "stirred" if visit.total >= 1 else "seen_through"


def _intimidating(f: EnvoyBoard, visit: Visit, agreed: bool) -> None:
    year, backfire = str(f.year + 1), Numbers.of(f).intimidate_backfire
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
        enforce_peace(f, war, a, b, total_morale(f, a) - total_morale(f, b), broken=False)
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
    hidden = visit.stance == DECEIVING or (visit.stance != FRIENDLY and visit.effect == "nothing")
    seen = {"how": "respects"} if hidden else {"how": "visit", "stance": visit.stance}
    f.tell("envoy", rule="DS", **told, **seen)
