"""Encounters: mercenaries, convoys, trains, loyalty, attack, refusal (7, 8.3, 10 to 12, 14, 15.5)."""

from __future__ import annotations

from typing import Literal

from assistant.campaign.records import ALL, REFEREE
from assistant.rulesets.anarchy import BY_CODE, NAMED, both, chapter, citation, mercenaries, records
from assistant.rulesets.anarchy.aftermath import field_battle, sally
from assistant.rulesets.anarchy.convoys import buy_food, may_buy_unmet, may_deal, take_goods
from assistant.rulesets.anarchy.field import Field, is_mounted
from assistant.rulesets.anarchy.orders import carry_out_act, target_of
from assistant.rulesets.anarchy.realm import BANDS, asked, choice_code, show_ranks
from assistant.rulesets.anarchy.records import NEUTRAL, RANKS, ROYAL, Army, Convoy, Noble, Place, Prisoners, pounds
from assistant.turn.chapters import Chapter, EventType, Modifier, Rules, switch
from assistant.turn.dice import RangeTable, Roll
from assistant.turn.event_types import EACH_TIME
from assistant.turn.orders.requests import Request
from assistant.turn.questions import Amount, Option, Text
from assistant.turn.rulings import Reading, Steps, read_scale


class EncounterNumbers(Rules):
    """What shutting oneself in costs."""

    shut_in_prestige: Literal["yes", "no"] = switch(
        both("Shutting oneself in {option}.", "Chiudersi in un castello {option}."),
        both("costs prestige like a withdrawal", "costa prestigio come una ritirata"),
        both("costs no prestige", "non costa prestigio"), source="9")


EVENTS = (
    EventType("met",
              both("{a:the} {a?meets|meet} {b:the} {hex:at}. Who is met: {composition}. Who comes: {men}.",
                   "{a:il} {a?incontra|incontrano} {b:il} {hex:dove}. Chi c'era: {composition}. Chi arriva: {men}."),
              "moves", 3, "8.1, 14",
              ("composition", {"-": both("{a:the} {a?meets|meet} {b:the}, who have no men left, {hex:at}.",
                                         "{a:il} {a?incontra|incontrano} {hex:dove} {b:il}, che non {b?ha|hanno} più "
                                         "uomini.")}), means=NAMED, to=lambda f, data: f.here(data["hex"]),
              blank="men"),
    EventType("passed", both("{a:the} and {b:the} let each other be.", "{a:il} e {b:il} si lasciano passare."), "moves",
              5, means=NAMED, to=lambda f, data: f.here(f.armies[data["a"]].node)),
    EventType("attack", both("{a:the} {a?attacks|attack} {b:the} {hex:at}.",
                             "{a:il} {a?attacca|attaccano} {b:il} {hex:dove}."), "battles", 1, means=NAMED, to=ALL),
    EventType("shut_in",
              both("{b:the} {b?shuts itself|shut themselves} up in {place:the}.",
                   "{b:il} {b?si chiude|si chiudono} {place:dove}."),
              "battles", 2, means=NAMED, to=ALL),
    EventType("ruled", both("{x}: the referee rules: {choice}.", "{x}: l'arbitro decide: {choice}."), "rulings", 2, "6",
              to=EACH_TIME),
)

QUESTIONS = (
    asked("attack",
          both("{unit:the} {unit?meets|meet} {met:the} {hex:at}: attack, or pass?",
               "{unit:il} {unit?incontra|incontrano} {met:il} {hex:dove}: attaccare o lasciar passare?"),
          stands=Option(("attack", "pass"))),
    asked("contest",
          both("{met:the} {met?comes|come} upon {unit:the} {hex:at}: attack, or let pass?",
               "{met:il} {met?incontra|incontrano} {unit:il} {hex:dove}: attaccare o lasciar passare?"),
          stands=Option(("attack", "pass"))),
    asked("accept",
          both("{unit:the} {unit?is|are} attacked by {met:the} {hex:at}: fight, refuse, or shut the gates?",
               "{met:il} {met?attacca|attaccano} {unit:il} {hex:dove}: combattere, rifiutare o chiudersi?"),
          ("offered",
           {"fight, refuse": both("{unit:the} {unit?is|are} attacked by {met:the} {hex:at}: fight, or refuse?",
                                  "{met:il} {met?attacca|attaccano} {unit:il} {hex:dove}: combattere o rifiutare?")}),
          stands=Option(("fight", "refuse", "shut_in"))),
    asked("ruling",
          both("The book is silent on {x}: what do you rule?", "Il regolamento tace su {x}: che cosa decidi?"),
          ("matter",
           {"side": both("{x:the} {x?takes|take} a side that several factions play ({list}): whose group is it from "
                         "now on?",
                         "{x:il} {x?si schiera|si schierano} con una parte che ha più fazioni ({list}): di chi è il "
                         "gruppo da ora in poi?"),
            "captives": both("{battle}: {place:the} has taken captives. The book lets a neutral village free them; "
                             "what does it do?",
                             "{battle}: {place:il} ha fatto prigionieri. Per il regolamento un villaggio neutrale li "
                             "libera; che cosa fa?"),
            "draw": both("{battle} is drawn where a battle was drawn today already, {hex:at}: do all give way as after "
                         "any drawn battle, or do they stay?",
                         "{battle} finisce pari dove oggi una battaglia è già finita pari, {hex:dove}: tutti cedono il "
                         "campo come dopo ogni battaglia pari, o restano?"),
            "engines": both("{battle}: the last engineer of {x:the} is dead. Do its engines stay with {unit}, are they "
                            "left standing, or do they burn?",
                            "{battle}: l'ultimo ingegnere di {x} è morto. Le sue macchine restano con {unit}, sono "
                            "abbandonate sul posto, o bruciano?"),
            "freed": both("{battle}: {n} of {all} {all?captive was freed|captives were freed} on the table. The men "
                          "first, or the nobles first?",
                          "{battle}: sul tavolo {n?è stato liberato|sono stati liberati} {n} "
                          "{n?prigioniero|prigionieri} su {all}. Prima gli uomini, o prima i nobili?"),
            "loyalty": both("{x:the} {x?has|have} no loyalty on the sheet and {x?meets|meet} {met:the} {hex:at}: which "
                            "level is it, 1 to 10?",
                            "{x:il} non {x?ha|hanno} lealtà sul foglio e {x?incontra|incontrano} {met:il} "
                            "{hex:dove}: che livello è, da 1 a 10?"),
            "held": both("Nothing says where {x:the} is held: on which hex, or at which place?",
                         "Nulla dice dove è detenuto {x}: in quale esagono, o in quale luogo?")}),
          answer=Text(), means=BY_CODE),
)

both.words({
    "swing": "oscillazione", "knight": "cavaliere", "armour": "armatura", "battle refused": "battaglia rifiutata",
    "shut in": "chiuso dentro", "contest": "contesa", "accept": "risposta all'attacco", "refusal": "rifiuto",
    "level of loyalty": "livello di lealtà",
})

CHAPTER = Chapter(both("14 Encounters", "14 Incontri"),
                  (citation(both("14.2 Groups of different sides", "14.2 Incontro tra due gruppi di fazioni diverse"),
                            10), citation("14 Encounters", 10),
                   citation(both("14.5 Entering a village", "14.5 Ingresso in un villaggio"), 10)), EncounterNumbers,
                  EVENTS, questions=QUESTIONS)


DEALS = (mercenaries.hire_company, mercenaries.promise_loot, mercenaries.lure_company, buy_food, take_goods)
"""Acts that answer the questions of a meeting in advance; as in a meeting, groups come before convoys and trains."""


def deals_here(f: Field, army: Army, here: str, last: bool) -> None:
    """Carry out deals on the hex where a group starts: those who are there since yesterday are not met."""
    for request in f.due(army, DEALS, here, last) if not army.inside and f.side(army.faction) != NEUTRAL else ():
        if stands_beside(f, request, army):
            carry_out_act(f, request)


def stands_beside(f: Field, request: Request, army: Army) -> bool:
    """Whether the partner of a deal, or the group to be attacked, is on the group's hex and within reach."""
    row = target_of(f, request)
    if isinstance(row, Army):
        hostile = request.verb not in [verb.en for verb in DEALS]
        return (row.active and (row.mercenary or hostile) and row.node == army.node and not row.inside
                and not f.is_attached(row) and not f.safe(army) and not f.safe(row))
    return may_deal(f, army, row) or (
        isinstance(row, Convoy) and request.verb == buy_food.en and may_buy_unmet(f, army, row))


class LoyaltyNumbers(Rules):
    """How loyalty is tested, and what comes of it."""

    loyalty_test_mode: Literal["level", "die", "level+swing"] = switch(
        both("Loyalty is tested {option}.", "La lealtà si verifica {option}."),
        both("by its level", "con il suo livello"),
        both("with 1d10 instead of the level", "con 1d10 al posto del livello"),
        both("by the level, which 1d10 may shift by 1", "con il livello, che 1d10 può spostare di 1"), usual=True)
    loyalty_subject: Literal["met", "player"] = switch(both("Tested is the loyalty {option}.",
                                                            "Si prova la lealtà {option}."),
                                                       both("of the group that is met", "del gruppo incontrato"),
                                                       both("of the group that moves", "del gruppo che muove"))
    loyalty_effect: Literal["uncommitted", "encounter", "lasting"] = switch(
        both("After a test of loyalty {option}.", "Dopo una prova di lealtà {option}."),
        both("uncommitted groups take the side shown", "i gruppi non schierati prendono la parte indicata"),
        both("only the attitude changes", "cambia solo l'atteggiamento"),
        both("any group goes over for good", "ogni gruppo cambia parte per sempre"), usual=True)
    neutral_meets: Literal["backs", "nothing"] = switch(
        both("A group that turns out neutral {option}.", "Un gruppo che risulta neutrale {option}."),
        both("backs away", "si fa da parte"), both("does nothing", "non fa nulla"), source="8.3, 7", usual=True)


LOYALTY_EVENTS = (
    EventType("loyalty_tested", both("Loyalty of {x:the}: {roll}.", "Lealtà {x:di}: {roll}."), "diplomacy", 3,
              variants=("verdict",
                        {"royal": both("{x:the} {x?stands|stand} by the King. {roll}",
                                       "{x:il} {x?sta|stanno} dalla parte del re. {roll}"),
                         "angevin": both("{x:the} {x?stands|stand} by the Empress. {roll}",
                                         "{x:il} {x?sta|stanno} dalla parte dell'Imperatrice. {roll}"),
                         "neutral": both("{x:the} {x?wavers|waver} and {x?stands|stand} by nobody. {roll}",
                                         "{x:il} {x?è incerto|è incerta|sono incerti|sono incerte} e non "
                                         "{x?sta|stanno} con nessuno. {roll}")}), means=NAMED, to="x a", tries="x",
              level="level of loyalty"),
    EventType("sided", both("{x:the} {x?declares|declare} for {side:the}.",
                            "{x:il} {x?si schiera|si schierano} {side:con}."), "diplomacy", 1, means=NAMED, to=ALL),
)

LOYALTY_CHAPTER = chapter(both("7 Loyalty", "7 Lealtà"), 6, LoyaltyNumbers, LOYALTY_EVENTS)


BY_PRESTIGE = Steps(((0, -2), (3, -1), (5, 0), (7, 1), (9, 2)))
BY_NUMBERS = Steps(((-99, -2), (-9, -1), (-4, 0), (5, 1), (10, 2)))
"""Modifiers for a royal mover; for an angevin one their sign is reversed."""


# Meetings of groups: the test of loyalty, attack or pass (7, 8.3, 11, 14).


NO_LEVEL = 5
"""The level of mercenaries, who have no loyalty, if the mover is tested (switch loyalty_subject)."""
LEVELS = range(1, 11)
PLAIN_PRESTIGE = 5
"""The row of the table for a group without a noble."""


def _sign(f: Field, mover: Army) -> int:
    return 1 if f.side(mover.faction) == ROYAL else -1


LOYALTY_TABLE: tuple[Modifier[Field, Army, Army], ...] = (
    Modifier(both.word("prestige", "prestigio"), lambda f, mover, met: _sign(f, mover) * BY_PRESTIGE.at(
        f.prestige(mover) if f.commander(mover) is not None else PLAIN_PRESTIGE)),
    Modifier(both.word("numbers", "numero"),
             lambda f, mover, met: _sign(f, mover) * BY_NUMBERS.at(f.stack_heads(mover) - f.stack_heads(met))),
)
"""The modifiers of loyalty, of the mover and the group that is met; the robot reads them, too."""


def _loyalty_level(realm: Field, subject: Army, mover: Army, met: Army) -> int:
    """The loyalty of a group: its own, else its commander's, else the referee's ruling."""
    noble = realm.commander(subject)
    for level in (subject.loyalty, noble.loyalty if noble is not None else None):
        if level is not None:
            return level
    if subject.mercenary:
        return NO_LEVEL
    other = mover if subject is met else met
    levels = [str(level) for level in LEVELS]
    return realm.game.amount(realm.ruling(f"loyalty/{met.army}/{mover.army}", levels, "loyalty", x=subject.army,
                                          met=other.army, hex=met.node, answer=Amount(LEVELS[0], LEVELS[-1])))


def loyalty_reading(realm: Field, mover: Army, met: Army) -> Reading:
    """Test loyalty: the level with its modifiers, read in the table as royal, neutral or angevin."""
    rules = LoyaltyNumbers.of(realm)
    subject = met if rules.loyalty_subject == "met" else mover
    level: int | None = None if rules.loyalty_test_mode == "die" else _loyalty_level(realm, subject, mover, met)
    counts = realm.modifiers(LOYALTY_TABLE, realm, mover, met)
    roll: Roll | None = None
    if rules.loyalty_test_mode != "level":
        known = realm.both(realm.side(mover.faction), realm.side(met.faction))
        roll = realm.throw(records.LOYALTY_TO, known or REFEREE, met.army, mover.army)
        if rules.loyalty_test_mode != "die":
            counts["swing"] = -1 if roll.at_most(2) else int(roll.at_least(9))
    return read_scale(BANDS[realm.rules.neutral_band], counts, level=level, roll=roll, low=1, high=10)


def meet_groups(f: Field, mover: Army) -> None:
    """A mover meets the groups on the hex that it has entered, in the order of march, until it is spent."""
    node = mover.node
    if f.safe(mover) or f.side(mover.faction) == NEUTRAL:
        return
    for met in f.marching(a for a in f.in_the_open(node) if not f.friends(a, mover) and not f.safe(a)):
        if not f.able(mover, node):
            return
        if met in f.in_the_open(node) and not f.friends(met, mover):  # an earlier meeting may have moved it
            meet(f, mover, met)


def meet(f: Field, mover: Army, met: Army) -> None:
    """A mover meets one group (E2 to E5)."""
    f.meets(mover, met)
    if f.is_unhired(met):  # E2: a group with a noble may hire them, else they give way; they are never attacked
        if f.limit_of(mover) or f.commander(mover) is None or not mercenaries.try_to_hire(f, mover, met):
            f.tell("not_hired", mercs=met.army, group=mover.army)
            f.back_away(met, f.heading.get(mover.army, ""))
        return
    f.tell("met", a=mover.army, b=met.army, hex=mover.node, composition=_composition(f, met) or "-",
           men=_composition(f, mover))
    if met.mercenary:
        _meet_lone_company(f, mover, met)
    elif _stands_against(f, mover, met):
        challenge(f, mover, met)


def _composition(f: Field, army: Army) -> str:
    """The men of a group and of the mercenaries with it; "" without any."""
    return "; ".join(show_ranks(unit.ranks) for unit in f.stack(army) if unit.men)


def _meet_lone_company(f: Field, mover: Army, company: Army) -> None:
    """E3: the other side's mercenaries without their employer may be won over, attacked, or left alone."""
    choice = "pass"
    if not f.limit_of(mover):
        cost = mercenaries.lure_price(f, mover, company)
        lure = f.meeting_order(mover, "LURE", company)
        choice = mercenaries.mark_used(lure, "pay") if lure is not None and cost else _mover_choice(f, mover, company)
        if choice == "ask" or (choice == "pass" and cost):  # who does not look for a fight may still buy
            options = [*(["pay"] if cost else []), "attack", "pass"]
            choice = f.game.choose(f.meeting_question("lure", mover, company, options, "pass", "mercs",
                                                      cost=pounds(cost) if cost else "-"))
    if choice == "pay":
        mercenaries.win_over(f, mover, company)
    else:
        challenge(f, mover, company, choice)


# --- E4: loyalty ----------------------------------------------------------------------------------
def _stands_against(f: Field, mover: Army, met: Army) -> bool:
    """Test the loyalty of a Norman group. Returns whether it stands against the mover now."""
    mine, theirs = f.side(mover.faction), f.side(met.faction)
    reading = loyalty_reading(f, mover, met)
    f.tell("loyalty_tested", roll=reading, x=met.army, a=mover.army, verdict=reading.verdict)
    uncommitted, effect = theirs == NEUTRAL, LoyaltyNumbers.of(f).loyalty_effect
    if reading.verdict == NEUTRAL:
        if LoyaltyNumbers.of(f).neutral_meets == "backs":
            f.back_away(met, f.heading.get(mover.army, ""))
        return False
    # 7 does not say how long a result holds: by default only uncommitted groups take a side for good
    changes = (uncommitted and effect != "encounter") or effect == "lasting"
    if changes and reading.verdict != theirs:
        captives = [p for unit in f.stack(met) for p in f.led_captives(unit)]
        f.go_over(met, _new_faction(f, mover, met, reading.verdict))
        f.tell("sided", x=met.army, side=reading.verdict)
        for record in captives:  # captives of the new side are among friends now
            if f.side(record.faction) == reading.verdict:
                f.free_captives(record, met)
    if reading.verdict == mine:
        # a committed group that leans to the mover does not change sides, but will not fight it today
        if not changes and not uncommitted:
            f.back_away(met, f.heading.get(mover.army, ""))
        return False
    return True


def _new_faction(f: Field, mover: Army, met: Army, side: str) -> str:
    """The faction that a group joins on its new side: the mover's, else the only one, else by ruling."""
    if f.side(mover.faction) == side:
        return mover.faction
    clubs = f.clubs(side)
    return clubs[0] if len(clubs) == 1 else f.game.choose(
        f.ruling(f"sided/{met.army}", clubs, "side", x=met.army, side=side, list=", ".join(clubs)))


# --- E5: attack or pass ---------------------------------------------------------------------------
def _mover_choice(f: Field, mover: Army, met: Army) -> str:
    """The mover's choice: by order ATTACK, else the MOVE's choice, else its standing choice."""
    if f.limit_of(mover):
        return "pass"
    if f.meeting_order(mover, "ATTACK", met):
        return "attack"
    move = f.moves.get(mover.army)
    code = choice_code(move.choice) if move is not None and move.choice else ""
    return code if code in ("attack", "pass", "ask") else mover.on_meeting


def challenge(f: Field, mover: Army, met: Army, choice: str = "") -> None:
    """Both choose to attack or pass; carry out what they chose."""
    first = choice or _mover_choice(f, mover, met)
    # who has fought today or may not fight attacks nobody, but may well be attacked
    second = "pass" if f.limit_of(met) or met.army in f.spent else met.on_meeting
    node = mover.node
    asks = []
    if first == "ask":
        asks.append(f.meeting_question("attack", mover, met, ("attack", "pass"), "pass"))
    # whom the mover attacks by order has nothing to choose but how to meet the attack (E6)
    if second == "ask" and first != "attack":
        asks.append(f.meeting_question("contest", met, mover, ("attack", "pass"), "pass"))
    # both are asked at once: neither may learn what the other answers
    answers = dict(zip([a.kind for a in asks], f.game.choose_all(asks), strict=True))
    first, second = answers.get("attack", first), answers.get("contest", second)
    if "attack" in (first, second):  # they fight, whoever ordered it
        for unit, other in ((mover, met), (met, mover)):
            order = f.meeting_order(unit, "ATTACK", other)
            if order is not None:
                order.row.status = "accepted"
    # who attacks has accepted battle, so neither is asked whether to fight
    if first == "attack" and second == "attack":
        f.tell("attack", a=mover.army, b=met.army, hex=node)
        if f.lone(met):
            Refusal(f, mover, met).run()
        else:
            field_battle(f, mover, met, mover)
    elif first == "attack":
        resolve_attack(f, mover, met, mover)
    elif second == "attack":
        resolve_attack(f, met, mover, mover)
    else:
        f.tell("passed", a=mover.army, b=met.army)


class RefusalNumbers(Rules):
    """What refusing battle costs."""

    prestige_refusal: int = records.prestige_change(-1, both("Refusing battle counts {signed} prestige.",
                                                             "Rifiutare battaglia vale {signed} di prestigio."))
    refusal_prestige: Literal["once", "twice"] = switch(
        both("The loss for a refusal, which two chapters name, counts {option}.",
             "La perdita per un rifiuto, che due capitoli nominano, vale {option}."), both("once", "una volta"),
        both("twice", "due volte"), source="9, 15.5")
    refusal_extra: Literal["no", "yes"] = switch(both("In a refusal forest and mounted pursuers {option}.",
                                                      "In un rifiuto il bosco e gli inseguitori a cavallo {option}."),
                                                 both("count for nothing", "non contano"),
                                                 both("are modifiers, too", "sono anch'essi modificatori"))


REFUSAL_EVENTS = (
    EventType("refused",
              both("Of {b:the}, nobles included, {n} got away unhurt and {w} wounded, {p} {p?was|were} taken and {k} "
                   "killed. {by:the} chose to refuse battle. {side:the} {side?holds|hold} the captives. "
                   "{roll}",
                   "{b:di}, nobili compresi, {n} {n?è illeso|sono illesi} e {w} {w?ferito|feriti}, {p} "
                   "{p?prigioniero|prigionieri} e {k} {k?morto|morti}. {by:il} {by?ha|hanno} scelto di rifiutare la "
                   "battaglia. I prigionieri sono in mano {side:a}. {roll}"), "battles", 1,
              variants=("part p w k told",
                        {"each": both("Losses, nobles included, of {list}. {away} got away unhurt. {by:the} chose to "
                                      "refuse battle. {side:the} {side?holds|hold} the captives. {roll}",
                                      "Perdite, nobili compresi: {list}. {away} {away?è illeso|sono illesi}. {by:il} "
                                      "{by?ha|hanno} scelto di rifiutare la battaglia. I prigionieri sono in mano "
                                      "{side:a}. {roll}"),
                         "fact": both("{b:the} {b?refuses|refuse} battle.",
                                      "{b:il} {b?rifiuta|rifiutano} la battaglia."),
                         "0 0 0": both("{b:the} got away unhurt. {by:the} chose to refuse battle. {roll}",
                                       "{b:il} si {b?mette|mettono} in salvo senza perdite. {by:il} {by?ha|hanno} "
                                       "scelto di rifiutare la battaglia. {roll}")}),
              means=NAMED, to=ALL, lost="p w k", idle="b", blank="by side"),
)

REFUSAL_CHAPTER = chapter(both("15.5 Refusing battle", "15.5 Rifiuto di combattere"), 12, RefusalNumbers,
                          REFUSAL_EVENTS)


REFUSAL = RangeTable("refusal", ((None, 4, "free"), (5, 7, "prisoner"), (8, 9, "wounded"), (10, None, "killed")))
# a knight has both: 1 for the horse and 1 for the armour (15.5)
ARMOUR = {"knights": ("knight", -2), "dismounted": ("armour", -1), "foot": ("armour", -1), "noble": ("noble", -2)}
"""What arms and horse of a man are worth when he runs, by his rank."""
REFUSAL_TABLE: tuple[Modifier[Refusal, str, bool], ...] = (
    Modifier(lambda refusal, rank, hurt: ARMOUR.get(rank, ("armour", 0))[0],
             lambda refusal, rank, hurt: ARMOUR.get(rank, ("armour", 0))[1]),
    Modifier("hurt", lambda refusal, rank, hurt: 2 * hurt),
    # forest and pursuers are not in the list of 15.5: they count only with the switch refusal_extra
    Modifier("forest", lambda refusal, rank, hurt: -refusal.in_forest),
    Modifier(both.word("mounted pursuers", "inseguitori a cavallo"),
             lambda refusal, rank, hurt: refusal.before_horsemen),
)
"""The modifiers of each throw when a group refuses battle: for a man of a rank, or a noble, who may be hurt."""


class Refusal:
    """A group that refuses battle: each of its people is tested (15.5)."""

    def __init__(self, f: Field, attacker: Army | Place, target: Army) -> None:
        self.f, self.target = f, target
        self.attacker = attacker if isinstance(attacker, Army) else None
        self.captor = f.side(attacker.faction) if isinstance(attacker, Army) else attacker.holder
        # neutrals keep no captives
        self.record: Prisoners | None = None if self.captor == NEUTRAL else f.new_captives(
            target.faction, self.captor, self.attacker, target.node)
        self.chosen_by = "" if f.lone(target) else target.faction  # a lone noble has no choice
        self.rolls: list[Roll] = []
        self.counts = dict.fromkeys(("free", "prisoner", "wounded", "killed"), 0)
        self.known = f.both(self.captor, f.side(target.faction)) or REFEREE
        extra, horsemen = RefusalNumbers.of(f).refusal_extra == "yes", self.attacker
        self.in_forest: bool = extra and "forest" in f.hexes.terrains(target.node)
        self.before_horsemen: bool = extra and horsemen is not None and all(map(is_mounted, f.stack(horsemen)))

    def run(self) -> None:
        """Test everybody, then settle prestige, what they led, dissolution and retreat."""
        f, target, attacker = self.f, self.target, self.attacker
        leader = f.commander(target)
        led = [p for a in f.stack(target) for p in f.led_captives(a)]
        for unit in f.stack(target):
            self._men(unit)
            for noble in f.with_them(unit):
                self._noble(noble, unit)
        if self.record is not None and f.drop_if_empty(self.record):
            self.record = None
        # everybody sees that it ran; only the two sides learn who fell
        f.tell("refused", b=target.army, part="fact", hex=target.node)
        n, p, w, k = (self.counts[fate] for fate in ("free", "prisoner", "wounded", "killed"))
        several = {"told": "each", "list": f"{target.army} {k}/{w}/{p}", "away": n or ""} if p or w or k else {}
        f.tell("refused", self.known, roll=self.rolls, b=target.army, n=n, p=p, w=w, k=k, by=self.chosen_by,
               side=self.captor if self.record is not None else "", faction=target.faction, hex=target.node,
               **several)
        twice = 2 if RefusalNumbers.of(f).refusal_prestige == "twice" else 1
        f.change_prestige(leader, twice * RefusalNumbers.of(f).prestige_refusal, "battle refused", "15.5")
        if attacker is not None:
            for unit in f.stack(target):
                f.surrender_goods(unit, attacker)
            for record in led:
                if record.on_their_way:
                    f.free_captives(record, attacker)
        f.spend(*(a for a in (target, attacker) if a is not None))
        stack = f.stack(target)
        f.dissolve_small(stack)
        towards = f.heading.get(attacker.army, "") if attacker is not None else ""
        for unit in [a for a in stack if a.active and not f.is_attached(a)]:
            if not f.retreats([unit], towards)[0] and f.side(unit.faction) != NEUTRAL:
                for member in f.stack(unit):
                    self.record = f.surrender_group(member, self.captor, attacker, record=self.record)

    def _test(self, roll: Roll, rank: str, hurt: bool) -> str:
        self.rolls.append(roll)
        adds = self.f.modifiers(REFUSAL_TABLE, self, rank, hurt)
        verdict = read_scale(REFUSAL, adds, roll=roll, low=1).verdict
        self.counts[verdict] += 1
        return verdict

    def _men(self, army: Army) -> None:
        """Test all men, in each rank the hurt first."""
        for rank in RANKS:
            hurt = self.f.wounded_here(army, rank)
            rolls = (self.f.throw(records.REFUSAL_OF_MAN, self.known, army.army, rank, i)
                     for i in range(1, army.count(rank) + 1))
            verdicts = [self._test(roll, rank, i < len(hurt)) for i, roll in enumerate(rolls)]
            for i, verdict in enumerate(verdicts):
                wound = hurt[i] if i < len(hurt) else None
                if verdict == "wounded" and wound is None:
                    self.f.hurt_man(army, rank)
                elif verdict == "killed":
                    self.f.take_off(army, rank, 1, "dead", wound)
                elif verdict == "prisoner" and self.record is not None:
                    self.f.take_off(army, rank, 1, "prisoner", wound)
                    self.record.put(rank, 1)

    def _noble(self, noble: Noble, army: Army) -> None:
        verdict = self._test(self.f.throw(records.REFUSAL_OF_NOBLE, self.known, army.army, noble.noble), "noble",
                             noble.state == "wounded")
        if verdict == "prisoner" and self.record is not None:
            self.f.take_noble(noble, self.record, "15.5")
        elif verdict == "killed" or (verdict == "wounded" and noble.state != "wounded"):
            self.f.strike(noble, verdict, "15.5")


# --- E6: attacked ---------------------------------------------------------------------------------
def resolve_attack(f: Field, attacker: Army, target: Army, mover: Army) -> None:
    """The group attacked fights, refuses, or shuts itself in."""
    choice = _reaction(f, attacker, target)
    castle = f.castle_at(target.node, f.side(target.faction))
    if choice == "refuse":
        Refusal(f, attacker, target).run()
    elif choice == "shut_in" and castle is not None:
        stack = f.stack(target)  # it goes inside with its mercenaries: no test, but it costs prestige
        for unit in stack:
            unit.inside, unit.besieging = castle.place, ""
        f.tell("shut_in", b=target.army, place=castle.place)
        if EncounterNumbers.of(f).shut_in_prestige == "yes":
            f.change_prestige(f.commander(target), RefusalNumbers.of(f).prestige_refusal, "shut in")
        f.spend(target, attacker)
    else:
        field_battle(f, attacker, target, mover)


def _reaction(f: Field, attacker: Army | Place, target: Army) -> str:
    """The reaction of a group that is attacked: its standing choice, else its faction's answer."""
    f.tell("attack", a=attacker.ident, b=target.army, hex=target.node)
    side = f.side(target.faction)
    castle = f.castle_at(target.node, side)
    shelter = castle is not None and not f.is_besieged(castle.place)
    options = ["fight", "refuse", *(["shut_in"] if shelter else [])]
    choice = "refuse" if f.lone(target) else target.if_attacked
    if choice not in options:
        choice = f.game.choose(f.meeting_question("accept", target, attacker, options, "fight"))
    return choice


def carry_out_sally(f: Field, attacker: Army | Place, castle: Place) -> None:
    """A group inside, or the garrison itself, attacks the largest besieging group, without a test of loyalty."""
    target = f.largest(a for a in f.besiegers(castle) if not f.is_attached(a))
    if target is None:
        return
    f.sallies[attacker.ident].row.status = "accepted"
    if _reaction(f, attacker, target) == "refuse":
        Refusal(f, attacker, target).run()
    else:
        sally(f, attacker, target)
