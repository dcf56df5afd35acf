"""Where units and commanders come from: Spring's call, recruiting, ad-hoc armies (TS-Sp1 to 5, WF, CC, DA)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from assistant.campaign.records import ALL
from assistant.rulesets.bloodlust import ROLLS, added, assumed, both, choice, cites, derived
from assistant.rulesets.bloodlust.orders import HowMany, OrderBoard, OwnRows
from assistant.rulesets.bloodlust.realm import MERCENARIES, Realm, question_type, two_texts, whole_year
from assistant.rulesets.bloodlust.records import Army, Attribute, Faction, Leader, Name, Weapon
from assistant.turn.chapters import DICE, Chapter, EventType, Message, Rules, number, switch
from assistant.turn.dice import Roll
from assistant.turn.game import Chest, Spent, fresh, next_code
from assistant.turn.orders.requests import Request, refuse_if
from assistant.turn.orders.verbs import Cost, order
from assistant.turn.questions import Ask

# What the chapter declares.


class Numbers(Rules):
    """Recruiting rolls, what they and resources buy, heroes."""

    defence_invaded: int = assumed(1, "rolls",
                                   both("A nation invaded last year counts {signed} {signed?roll|rolls}.",
                                        "Una nazione invasa l'anno scorso ha {signed} {signed?tiro|tiri}."))
    defence_fort: int = assumed(1, "rolls",
                                both("A nation that owns a fort counts {signed} {signed?roll|rolls}.",
                                     "Una nazione che possiede un forte ha {signed} {signed?tiro|tiri}."))
    buy_price: int = number(1, both("{n?resource|resources} a roll", "{n?risorsa|risorse} per tiro"),
                            both("A roll that is bought costs {n} {n?resource|resources}.",
                                 "Un tiro comprato costa {n} {n?risorsa|risorse}."), source="TS-Sp2")
    payout_rolls: int = number(1, "rolls",
                               both("A beaten nation pays {n} {n?roll|rolls} each Spring.",
                                    "Una nazione vinta cede {n} {n?tiro|tiri} ogni primavera."), source="TS-Sp3")
    hero_on: int = derived(6, "1d6", both("A hero offers himself on {n} or more.", "Un eroe si offre con {n} o più."),
                           minimum=1, source="p50")
    hero_level_2: int = derived(4, "1d6", both("From {n} on a hero is of level 2.",
                                               "Da {n} in su un eroe è di livello 2."), minimum=1, source="p50")
    hero_level_3: int = derived(6, "1d6", both("From {n} on a hero is of level 3.",
                                               "Da {n} in su un eroe è di livello 3."), minimum=1, source="p50")
    hero_cost: int = derived(1, both("{n?roll|rolls}", "{n?tiro|tiri}"), both("A hero costs {n} {n?roll|rolls}.",
                                                                              "Un eroe costa {n} {n?tiro|tiri}."),
                             source="p50")
    recruit_cost: int = number(1, both("{n?roll|rolls} a unit", "{n?tiro|tiri} per reparto"),
                               both("A unit costs {n} {n?roll|rolls}.", "Un reparto costa {n} {n?tiro|tiri}."),
                               source="TS-Sp5")
    mercenary_cost: int = number(2, both("{n?roll|rolls} a unit", "{n?tiro|tiri} per reparto"),
                                 both("A mercenary unit costs {n} {n?roll|rolls}.",
                                      "Un reparto mercenario costa {n} {n?tiro|tiri}."), source="TS-Sp5")
    captain_price: int = number(1, both("{n?resource|resources} a captain", "{n?risorsa|risorse} per capitano"),
                                both("A captain costs {n} {n?resource|resources}.",
                                     "Un capitano costa {n} {n?risorsa|risorse}."), source="CC", usual=True)
    captain_limit: int = number(0, both("captains", "capitani"),
                                both("At most {n} {n?captain|captains} a season are hired; 0 is no limit.",
                                     "Si assumono al massimo {n} {n?capitano|capitani} a stagione; con 0 non c'è "
                                     "limite."), source="CC", usual=True)
    insult_rolls: str = switch(both("An insulted nation gets {option} free rolls.",
                                    "Una nazione offesa ha {option} tiri gratuiti."), options=("1d6",),
                               pattern=DICE, source="DP")
    npc_reserve: int = assumed(5, "resources", both("Self-run nations keep {n} {n?resource|resources} back.",
                                                    "Le nazioni autonome tengono da parte {n} {n?risorsa|risorse}."),
                               source="TS-Sp2")
    npc_captains: int = assumed(1, both("captains", "capitani"),
                                both("Self-run nations hire a captain while fewer than {n} can lead, one a season.",
                                     "Le nazioni autonome assumono un capitano a stagione finché quelli che possono "
                                     "comandare sono meno di {n}."), source="CC")
    npc_captain_from: int = assumed(
        3, "resources", both("Self-run nations hire captains from {n} {n?resource|resources} on.",
                             "Le nazioni autonome assumono capitani da {n} {n?risorsa|risorse} in su."), source="CC")
    npc_buy: str = choice(both("Self-run nations buy rolls {option}.", "Le nazioni autonome comprano tiri {option}."),
                          war=("in war", "in guerra"), always=("in war and peace", "in guerra e in pace"),
                          never=("never", "mai"), source="TS-Sp2", usual=True)
    npc_hero: str = choice(both("Self-run nations {option} a hero who offers himself.",
                                "Le nazioni autonome {option} un eroe che si offre."), hires=("hire", "assumono"),
                           leaves=("send away", "mandano via"), source="p50")
    buy_rr_cap: str = choice(both("In a season {option} may be bought.",
                                  "In una stagione si possono comprare {option}."),
                             max_tech=("as many rolls as TECH", "tanti tiri quanto TECH"), one=("one roll", "un tiro"),
                             none=("any number of rolls", "tiri a volontà"), source="TS-Sp2", usual=True)
    rr_carry: str = choice(
        both("Unspent rolls {option}.", "I tiri non spesi {option}."), fall=("lapse in Fall", "si perdono in autunno"),
        carry=("stay for the next Spring", "restano per la primavera dopo"), source="TS-Fa1", usual=True)
    opposition_cost: str = choice(both("The roll of a unit that is opposed is {option}.",
                                       "Il tiro di un reparto osteggiato è {option}."), spent=("spent", "speso"),
                                  kept=("kept", "conservato"), source="WF")


CHAPTER = Chapter(
    both("Recruiting", "Reclutamento"), cites("TS-Sp1", "TS-Sp2", "TS-Sp3", "TS-Fa1", "p50"), Numbers, events=(
    EventType("rolls",
              both("{faction:the} {faction?has|have} {n} recruiting {n?roll|rolls}: {t} for technology, {w} for "
                   "war, {p} for provinces, {d} for defence, {i} for insults.",
                   "{faction:il} {faction?ha|hanno} {n} {n?tiro|tiri} di reclutamento: {t} per la tecnica, {w} per "
                   "la guerra, {p} per le province, {d} per la difesa, {i} per le offese."), "money", 3, to="faction"),
    EventType("payout",
              both("{loser:the}, beaten, {loser?pays|pay} {n} {n?roll|rolls} to {winner:the}.",
                   "{loser:il}, {loser?vinto|vinta|vinti|vinte}, {loser?cede|cedono} {n} {n?tiro|tiri} {winner:a}."),
              "diplomacy", 3, "TS-Sp3", means={"loser": "faction"}, to=ALL),
    EventType("hero_offer",
              both("A hero of level {n} offers himself to {faction:the}. {roll}.",
                   "Un eroe di livello {n} si offre {faction:a}. {roll}."), "news", 2, "p50", to="faction"),
    EventType("hero_hired", both("The hero {leader}, of level {n}, serves {faction:the}.",
                                 "L'eroe {leader}, di livello {n}, serve {faction:il}."), "news", 3, "p50", to=ALL),
    EventType("bought",
              both("{faction:the} {faction?buys|buy} {n} {n?roll|rolls}.",
                   "{faction:il} {faction?compra|comprano} {n} {n?tiro|tiri}."), "money", 4, "TS-Sp2", to="faction"),
    EventType("recruited",
              both("{faction:the} {faction?hires|hire} {unit}. {roll}.",
                   "{faction:il} {faction?arruola|arruolano} {unit}. {roll}."), "works", 5, "TS-Sp5", to="faction"),
    EventType("not_hired",
              both("Opposed at home: {text} is not hired. {roll}.",
                   "Opposizione in patria: {text}, non si arruola. {roll}."), "works", 4, "WF", to="faction"),
), findings=(
    Message("BLD-010", "warning",
            both("{n} {n?roll|rolls} wanted, you get {k}: in a season at most as many as your technology (TECH), "
                 "{m}.",
                 "{n} {n?tiro richiesto|tiri richiesti}, ne ricevi {k}: in una stagione al massimo quanti "
                 "la tua tecnologia (TECH), {m}."),
            variants=("k cap",
                      {"0 max_tech": both("All rolls that your technology (TECH), {m}, allows in a season are bought "
                                          "already. For fewer, take your earlier order back.",
                                          "I tiri che la tua tecnologia (TECH), {m}, permette in una stagione sono già "
                                          "comprati. Per averne meno, ritira l'ordine precedente."),
                       "one": both("{n} {n?roll|rolls} wanted, {k} may be bought: in a season at most one, as the "
                                   "referee has set it (buy_rr_cap on the sheet Rules).",
                                   "{n} {n?tiro richiesto|tiri richiesti}, se ne possono comprare {k}: in una stagione "
                                   "al massimo uno, come ha fissato l'arbitro (buy_rr_cap nel foglio Regole).")})),
    Message("BLD-011", "warning",
            both("{n} {n?resource needed|resources needed}, {k} in hand: {m} done.",
                 "{n?Serve|Servono} {n} {n?risorsa|risorse}, {k?ce n'è|ce ne sono} {k}: {m?fatto|fatti} {m}.")),
    Message("BLD-012", "error", both("Rolls are bought in Spring and Summer only.",
                                     "I tiri si comprano solo in primavera ed estate."), certain=True),
    Message("BLD-013", "error", both("No hero offers himself this Spring (or the offer is used).",
                                     "Nessun eroe disponibile questa primavera (o già assunto).")),
    Message("BLD-014", "warning",
            both("{n} {n?roll|rolls} needed, {k} left: {m} recruited.",
                 "{n?Serve|Servono} {n} {n?tiro|tiri}, ne {k?resta|restano} {k}: {m?arruolato|arruolati} {m}."),
            ("before", {"yes": both("{n} {n?roll|rolls} needed, {k} left, as your order {verb} comes first and takes "
                                    "{took}: {m} recruited.",
                                    "{n?Serve|Servono} {n} {n?tiro|tiri}, ne {k?resta|restano} {k}, perché il tuo "
                                    "ordine {verb} viene prima e ne prende {took}: {m?arruolato|arruolati} {m}.")})),
    Message("BLD-015", "warning",
            both("{k} {k?roll stays unspent and lapses|rolls stay unspent and lapse} after this Fall.",
                 "{k} {k?tiro resta e si perde|tiri restano e si perdono} con l'autunno.")),
))


# Spring's call (TS-Sp1, 3, 4).


INSULT = ROLLS.purpose(both("Free rolls for insults", "Tiri gratuiti per le offese"),
                       "insult/{Factions}/{Factions}", "d6")


def insults_become_wars(f: Realm) -> dict[str, list[Roll]]:
    """Insults of last Winter become wars; return the dice for the free rolls of each insulted nation (DP)."""
    free: dict[str, list[Roll]] = {}
    for code in f.codes:
        for other in f.codes:
            due = whole_year(f.feeling(code, other).insult_year) == f.year
            if due and f.nations[code].alive and f.nations[other].alive:
                roll = f.roll(INSULT(code, other, dice=Numbers.of(f).insult_rolls), [code])
                free.setdefault(code, []).append(roll)
                if not f.at_war(code, other) and f.enforced_peace(code, other) is None:
                    f.open_war(code, other, "insult", "DP")
    return free


def new_leaders(f: Realm) -> None:
    """A nation without a marshal gets one; a nation of captains only gets a captain if it has none (CC)."""
    for nation in f.living():
        if f.national_leader(nation.faction) is None:
            leader = raise_leader(f, nation.faction, nation.leading_rank)
            f.tell("captain_hired" if leader.rank == "captain" else "marshal", faction=nation.faction,
                   leader=leader.leader, n=f.wr_now(leader))


def count_rolls(f: Realm, nation: Faction, insulted: list[Roll]) -> None:
    """How many recruiting rolls a nation has this year (TS-Sp1)."""
    rules, own = Numbers.of(f), f.of(nation.faction)
    defence = rules.defence_invaded * nation.invaded_last + rules.defence_fort * any(node.fort for node in own)
    free = sum(roll.total for roll in insulted)
    kept = nation.rolls if rules.rr_carry == "carry" else 0
    nation.rolls = kept + nation.tech + nation.war + len(own) + defence + free
    nation.bought = nation.hero_offer = 0
    f.tell("rolls", roll=insulted, faction=nation.faction, n=nation.rolls, t=nation.tech, w=nation.war, p=len(own),
           d=defence, i=free)


def payouts(f: Realm) -> None:
    """The beaten pay rolls to those who beat them (TS-Sp3)."""
    for peace in f.peaces:  # in id order: who was beaten twice pays both while it has rolls left
        winner, loser = f.nations[peace.winner], f.nations[peace.loser]
        due = peace.pays and whole_year(peace.from_year) <= f.year <= whole_year(peace.until_year)
        paid = min(Numbers.of(f).payout_rolls, loser.rolls)
        if due and winner.alive and loser.alive and paid > 0:
            loser.rolls, winner.rolls = loser.rolls - paid, winner.rolls + paid
            f.tell("payout", loser=loser.faction, winner=winner.faction, n=paid)


HERO = ROLLS.purpose(both("Heroes", "Eroi"), "hero/{Factions}")
LEVEL = ROLLS.purpose(both("Levels of heroes", "Livelli degli eroi"), "hero_level/{Factions}")


def offer_hero(f: Realm, nation: Faction) -> None:
    """A hero may offer himself (p50)."""
    code, rules = nation.faction, Numbers.of(f)
    roll = f.roll(HERO(code), [code])
    if roll.at_least(rules.hero_on):
        level = f.roll(LEVEL(code), [code])
        nation.hero_offer = 1 + sum(level.at_least(least) for least in (rules.hero_level_2, rules.hero_level_3))
        f.tell("hero_offer", roll=[roll, level], faction=code, n=nation.hero_offer)


def spring_call(f: Realm) -> None:
    """The phase, step by step."""
    for hero in f.leaders.where(lambda leader: leader.rank == "hero" and leader.there):
        hero.state, hero.army = "gone", ""  # heroes serve a year
    # Wars of insults come first: whoever is at war by now checks for none this Spring.
    free = insults_become_wars(f)
    new_leaders(f)
    for nation in f.living():
        count_rolls(f, nation, free.get(nation.faction, []))
    payouts(f)
    for nation in f.living():
        offer_hero(f, nation)


# Recruiting: rolls for resources, units, captains and heroes; opposition at home (TS-Sp2, 5; WF; CC).


NO_LIMIT = 10 ** 6


PRICES = {"buy": "buy_price", "captain": "captain_price", "hero": "hero_cost", "recruit": "recruit_cost",
          "mercenary": "mercenary_cost"}
"""What each verb costs, from what its nation has left: for rolls and captains resources, for others rolls."""
FOR_RESOURCES = ("buy", "captain")


@dataclass
class Purse:
    """Resources or rolls that a nation may spend."""

    left: int
    took: dict[str, int] = field(default_factory=dict)
    """What verbs have taken out of it."""

    def pay(self, wanted: int, price: int, verb: str = "") -> int:
        """Pay for as many as wanted, or as many as there is for; return how many."""
        done = min(wanted, self.left // price) if price else wanted
        self.left -= done * price
        self.took[verb] = self.took.get(verb, 0) + done * price
        return done


@dataclass
class RecruitingPlan:
    """What a nation will buy and hire, and what it has left for it."""

    money: Purse
    rolls: Purse
    may_buy: int
    bought: int = 0
    buyers: list[str] = field(default_factory=list)
    """The orders to buy rolls."""
    captains: int = 0
    hero: str = ""
    mercenaries: int = 0
    recruits: int = 0


class RecruitingBoard(OrderBoard):
    """The board of recruiting: a plan for each nation."""

    plans: dict[str, RecruitingPlan] = fresh(dict)

    def plan(self, code: str) -> RecruitingPlan:
        """A nation's plan, begun with what it has."""
        if code not in self.plans:
            nation, cap = self.nations[code], Numbers.of(self).buy_rr_cap
            most = {"max_tech": nation.tech, "one": 1}.get(cap, NO_LIMIT)
            money, rolls = Purse(nation.resources), Purse(nation.rolls)
            self.plans[code] = RecruitingPlan(money, rolls, max(0, most - nation.bought))
        return self.plans[code]

    def pay(self, request: Request, wanted: int) -> int:
        """Pay for as many as a row wants, or as many as there is for (BLD-011, 014); return how many."""
        plan, verb, price = self.plan(request.faction), request.verb, self.rules[PRICES[request.verb]]
        purse, short = (plan.money, "BLD-011") if verb in FOR_RESOURCES else (plan.rolls, "BLD-014")
        first = max(purse.took, key=lambda earlier: purse.took[earlier], default="")
        before = {"before": "yes", "verb": first, "took": purse.took[first]} if (
            purse is plan.rolls and purse.took.get(first) and first != verb) else {}
        have, done = purse.left, purse.pay(wanted, price, verb)
        if done < wanted:
            request.find(self, short, "amount", n=wanted * price, k=have, m=done, **before)
        return done


RESOURCES_LEFT = both("{n?resource|resources}", "{n?risorsa|risorse}")
ROLLS_LEFT = both("recruiting {n?roll|rolls}", "{n?tiro|tiri} di reclutamento")


def chests(f: RecruitingBoard, faction: str) -> list[Chest]:
    """What a nation's resources and rolls pay for; rolls that are bought can be spent at once."""
    plan = f.plan(faction)
    most = plan.may_buy
    resources, rolls = list[Spent](), [Spent("buy", -1, "amount", most=most)]
    for verb, key in PRICES.items():
        spent = resources if verb in FOR_RESOURCES else rolls
        if verb != "hero":
            spent.append(Spent(verb, f.rules[key], "amount", most=most if verb == "buy" else None))
        if verb not in ("buy", "recruit"):  # without an amount one is hired
            spent.append(Spent(verb, f.rules[key], where=() if verb == "hero" else (("amount", ""),)))
    return [Chest(plan.money.left, RESOURCES_LEFT, tuple(resources)), Chest(plan.rolls.left, ROLLS_LEFT, tuple(rolls))]


def _check_season(f: RecruitingBoard, request: Request, amount: int, field_name: str) -> None:
    refuse_if(f.season not in ("Sp", "Su"), "BLD-012", field_name)


def _check_hero_offer(f: RecruitingBoard, request: Request, army: Army, field_name: str) -> None:
    if f.season != "Sp":
        raise f.of_spring(request)
    refuse_if(not f.nations[request.faction].hero_offer, "BLD-013")


def _price(verb: str) -> Cost:
    """So much for each that a row wants; one where it does not say how many."""
    return Cost(PRICES[verb], reckoned=lambda f, request: f.rules[PRICES[verb]] * (
        request.amount if isinstance(request.amount, int) else 1))


@order("buy", "compra", when=("recruit",), also=("acquista",), amount=HowMany(then=(_check_season,)),
       cost=_price("buy"),
       help=both("Buy recruiting rolls with resources.", "Compra tiri di reclutamento con risorse."))
def buy(f: RecruitingBoard, request: Request, amount: int) -> None:
    """Resources into rolls, as many as TECH a season (TS-Sp2)."""
    plan = f.plan(request.faction)
    allowed = min(amount, plan.may_buy)
    if allowed < amount:
        request.find(f, "BLD-010", "amount", n=amount, k=allowed, m=f.nations[request.faction].tech,
                     cap=Numbers.of(f).buy_rr_cap)
    done = f.pay(request, allowed)
    plan.buyers.append(request.row.order)
    plan.may_buy, plan.bought, plan.rolls.left = plan.may_buy - done, plan.bought + done, plan.rolls.left + done


@order("captain", "capitano", when=("recruit",), also=("captains", "capitani"), amount=HowMany(blank=True),
       cost=_price("captain"), help=both("Hire captains.", "Assumi capitani."))
def captain(f: RecruitingBoard, request: Request, amount: int | None) -> None:
    """A captain costs a resource and no roll (CC)."""
    plan, rules, wanted = f.plan(request.faction), Numbers.of(f), amount or 1
    limit, price = rules.captain_limit, rules.captain_price
    allowed = max(0, min(wanted, limit - plan.captains)) if limit else wanted
    if allowed < wanted and plan.money.left >= allowed * price:
        request.find(f, "BLD-011", "amount", n=wanted * price, k=plan.money.left, m=allowed)
    plan.captains += f.pay(request, allowed)


@order("hero", "eroe", when=("recruit",), target=OwnRows(Army, "army", then=(_check_hero_offer,)),
       cost=_price("hero"),
       help=both("Take the hero who offers himself into an army.", "Prendi in un'armata l'eroe che si offre."))
def hero(f: RecruitingBoard, request: Request, army: Army) -> None:
    """A hero costs a roll (p50); whom an earlier row has taken offers himself no more."""
    plan = f.plan(request.faction)
    refuse_if(plan.hero, "BLD-013")
    if f.pay(request, 1):  # what is short is only warned of
        plan.hero = army.army


@order("mercenary", "mercenari", when=("recruit",), also=("mercenaries", "mercenario"), amount=HowMany(blank=True),
       cost=_price("mercenary"),
       help=both("Hire mercenaries from their own table.", "Assolda mercenari dalla loro tabella."))
def mercenary(f: RecruitingBoard, request: Request, amount: int | None) -> None:
    """Mercenaries cost two rolls (TS-Sp5)."""
    lacks = next((roll for roll in range(1, 7) if f"{MERCENARIES}/{roll}" not in f.recruits), None)
    refuse_if(lacks, "BLD-083", faction=MERCENARIES, n=lacks)
    f.plan(request.faction).mercenaries += f.pay(request, amount or 1)


@order("recruit", "arruola", when=("recruit",), amount=HowMany(),
       cost=_price("recruit"), help=both("Turn rolls into units.", "Trasforma i tiri in reparti."))
def recruit(f: RecruitingBoard, request: Request, amount: int) -> None:
    """A unit costs a roll (TS-Sp5)."""
    f.plan(request.faction).recruits += f.pay(request, amount)


def take_plans(f: RecruitingBoard) -> None:
    """Take the clubs' orders as far as they can pay; in Fall warn of rolls that will lapse (BLD-015)."""
    # Rolls are bought first, so that the rows after it can spend them.
    f.carry("buy", "captain", "hero", "mercenary", "recruit")
    for nation in f.living() if _rolls_lapse(f) else ():
        left = f.plan(nation.faction).rolls.left
        if left and not f.self_run(nation.faction):
            f.find("BLD-015", nation, "rolls", k=left)


def _rolls_lapse(f: RecruitingBoard) -> bool:
    """Whether the rolls that are not spent in this season are lost."""
    return f.season == "Fa" and Numbers.of(f).rr_carry == "fall"


def _rules_plan(f: RecruitingBoard, nation: Faction) -> RecruitingPlan:
    """The plan of a self-run nation: rolls in war, the hero, a captain, units with all rolls."""
    # Nobody could be warned of what it wants and cannot pay, so it plans no more than that.
    code, rules, plan = nation.faction, Numbers.of(f), f.plan(nation.faction)
    money, rolls = plan.money, plan.rolls
    if f.season != "Fa" and (rules.npc_buy == "always" or (rules.npc_buy == "war" and f.enemies(code))):
        spare = max(0, nation.resources - rules.npc_reserve) // max(1, rules.buy_price)
        plan.bought = money.pay(min(plan.may_buy, max(0, nation.tech - nation.bought), spare), rules.buy_price)
        rolls.left += plan.bought
    if nation.hero_offer and rules.npc_hero == "hires" and rolls.left >= rules.hero_cost:
        leader = f.national_leader(code)
        plan.hero = leader.army if leader is not None and leader.army else f.reserve(code).army
        rolls.left -= rules.hero_cost
    captains = sum(leader.state == "active" for leader in f.leaders_of(code, "captain"))
    if captains < rules.npc_captains and money.left >= max(rules.npc_captain_from, rules.captain_price):
        plan.captains = money.pay(1, rules.captain_price)
    # If they cost nothing there would be no end to them.
    plan.recruits = rolls.pay(rolls.left, rules.recruit_cost) if rules.recruit_cost else 0
    return plan


RECRUIT = ROLLS.purpose(both("Recruits", "Reclute"), "recruit/{Factions}/{n}")
MERCENARY = ROLLS.purpose(both("Mercenaries", "Mercenari"), "mercenary/{Factions}/{n}")
OPPOSITION = ROLLS.purpose(both("Opposition at home", "Opposizione in patria"), "opposition/{Factions}/{n}")
OPPOSED_MERCENARY = ROLLS.purpose("", "opposition/{Factions}/m{n}")


def _hire(f: RecruitingBoard, code: str, n: int, *, mercenaries: bool) -> int:
    """Throw for each unit, and for the opposition; return how many were not hired."""
    opposed, table = 0, MERCENARIES if mercenaries else ""
    purpose, against = (MERCENARY, OPPOSED_MERCENARY) if mercenaries else (RECRUIT, OPPOSITION)
    for i in range(1, n + 1):
        roll = f.roll(purpose(code, i), [code])
        home = f.roll(against(code, i), [code]) if f.nations[code].opposition else None
        if home is not None and home.at_least(6):  # no record is made, so no code is used up
            opposed += 1
            name = f.names_of_troops(f.recruits[f"{table or code}/{roll.total}"])
            f.tell("not_hired", roll=[roll, home], faction=code, **two_texts(*name))
        else:
            unit = f.enlist(code, roll.total, f.reserve(code).army, table=table)
            f.tell("recruited", roll=[roll, home] if home is not None else roll, faction=code, unit=unit.unit,
                   text=unit.name)
    return opposed


def hire_all(f: RecruitingBoard) -> None:
    """Nation by nation: rolls bought, captains, hero, mercenaries, recruits; the Reserve goes to the seat."""
    for nation in f.living():
        code, rules = nation.faction, Numbers.of(f)
        plan = _rules_plan(f, nation) if f.self_run(code) else f.plan(code)
        nation.resources = plan.money.left
        if plan.bought:
            nation.bought += plan.bought
            told = f.tell("bought", faction=code, n=plan.bought)
            f.game.told_of |= dict.fromkeys(plan.buyers, (told.no,))
        for _ in range(plan.captains):
            leader = raise_leader(f, code, "captain")
            f.tell("captain_hired", faction=code, leader=leader.leader, n=f.wr_now(leader))
        if plan.hero:
            hired = _add_leader(f, code, "hero", plan.hero, reputation=nation.hero_offer, wr=nation.hero_offer)
            nation.hero_offer = 0
            f.tell("hero_hired", faction=code, leader=hired.leader, n=hired.wr)
        opposed = (_hire(f, code, plan.mercenaries, mercenaries=True) * rules.mercenary_cost
                   + _hire(f, code, plan.recruits, mercenaries=False) * rules.recruit_cost)
        left = plan.rolls.left + (opposed if rules.opposition_cost == "kept" else 0)
        nation.rolls, nation.opposition, nation.hero_offer = 0 if _rolls_lapse(f) else left, False, 0
        f.move_reserve_to_seat(code)


# Commanders and their attributes (CC, MA, ST, WK).


def wr_from(default: int, wr: int) -> int:
    """Declare from which throw on a new commander has a WR."""
    return assumed(default, "2d6", both.made(f"A new commander has WR {wr} from {{n}} on.",
                                             f"Un nuovo comandante ha WR {wr} da {{n}} in su."))


class CommanderNumbers(Rules):
    """Captains and marshals: price, WR, attributes, weapons that they find."""

    levy_wr: int = added(-1, "WR", both("The captain of an ad-hoc army has {signed} WR.",
                                        "Il capitano di una leva ha {signed} WR."), source="DA")
    levy_wr_min: int = assumed(1, "WR", both("The captain of an ad-hoc army has at least WR {n}.",
                                             "Il capitano di una leva ha almeno WR {n}."), source="DA")
    wr_from_2: int = wr_from(4, 2)
    wr_from_3: int = wr_from(6, 3)
    wr_from_4: int = wr_from(9, 4)
    wr_from_5: int = wr_from(11, 5)
    attributes_marshal: int = number(2, both("throws", "tiri"), both("A marshal has {n} {n?attribute|attributes}.",
                                                                     "Un maresciallo ha {n} {n?attributo|attributi}."))
    attributes_captain: int = number(1, both("throws", "tiri"), both("A captain has {n} {n?attribute|attributes}.",
                                                                     "Un capitano ha {n} {n?attributo|attributi}."))
    ma_strength_from: int = number(5, "2d6", both("From {n} on the attribute is a strength.",
                                                  "Da {n} in su l'attributo è un punto di forza."), source="MA")
    weapon_major_wr: int = assumed(1, "WR", both("A major weapon brings {signed} WR.",
                                                 "Un'arma maggiore porta {signed} WR."), source="WP")
    npc_strength: str = choice(
        both("Where a commander may choose his strength the rules take {option}.",
             "Dove un comandante può scegliere il suo punto di forza le regole prendono {option}."),
        courage=("Courage", "Coraggio"), logistic=("Logistic", "Logistica"), source="ST")
    weapon_levy: str = choice(
        both("Weapons of an ad-hoc army's captain are {option}.", "Le armi del capitano di una leva {option}."),
        reroll=("thrown again", "si ritirano"), as_rolled=("as rolled", "valgono come tirate"), source="ST")


COMMANDER_CHAPTER = Chapter(
    both("Commander in Chief", "Comandante in capo"), cites("CC", "MA", "ST", "WK"), CommanderNumbers, events=(
    EventType("marshal", both("{leader} is the new marshal of {faction:the}, WR {n}.",
                              "{leader} è il nuovo maresciallo {faction:di}, WR {n}."), "news", 2, to=ALL),
    EventType("captain_hired", both("{leader} is a new captain of {faction:the}, WR {n}.",
                                    "{leader} è un nuovo capitano {faction:di}, WR {n}."), "news", 4, to=ALL),
), questions=(
    question_type("strength", both("{leader} throws 3 on the strength table: Courage or Logistic?",
                                   "{leader} tira 3 sulla tabella della forza: Coraggio o Logistica?")),
))


WEAPONS = {"minor_weapon": "minor", "major_weapon": "major"}
CHOICE_AT = 3
"""On this strength the owner chooses between Courage and Logistic."""
CHOICES = ("courage", "logistic")
LUCKY_CAPTAIN = "larger_than_life"
LEAST_OF_TWO, MOST_OF_TWO = 2, 12
WEAPON_ATTRIBUTES = {"minor": 1, "major": 2}
"""How many attributes a weapon gives its bearer."""


def next_name(f: Realm, code: str, kind: str) -> tuple[str, str]:
    """Name and Italian name of the next unused row on a nation's list, for weapons on nobody's; both "" if there is
    none.
    """
    taken = {row.name for row in (f.leaders if kind == "leader" else f.weapons)}
    names = f.campaign.table(Name).where(lambda row: row.faction == code and row.kind == kind and row.name not in taken)
    row = min(names, key=lambda row: row.order, default=None)
    return (row.name, row.name_it) if row is not None else ("", "")


def attribute_codes(f: Realm, table: str) -> dict[int, str]:
    """What each throw on a printed table gives; 3d6 never come to the 2 of the strengths."""
    least, most = (3, 18) if table == "strength" else (LEAST_OF_TWO, MOST_OF_TWO)
    return {row.roll: row.code for row in f.campaign.table(Attribute)
            if row.table == table and row.code and least <= row.roll <= most}


ATTRIBUTE = ROLLS.purpose(both("Attributes", "Attributi"), "attribute/{Leaders*}/{n}", "2d6")
STRENGTH = ROLLS.purpose(both("Strengths", "Punti di forza"), "strength/{Leaders*}/{n}", "3d6")
WEAKNESS = ROLLS.purpose(both("Weaknesses", "Debolezze"), "weakness/{Leaders*}/{n}", "2d6")


class AttributeThrower:
    """Throws the attributes of one commander."""

    def __init__(self, f: Realm, leader: Leader, *, levy: bool = False) -> None:
        self.f, self.leader, self.levy, self.thrown = f, leader, levy, 0
        self.rules = CommanderNumbers.of(f)
        self.weapon: Weapon | None = f.weapons.get(leader.weapon)

    def attributes(self, wanted: int) -> None:
        """Throw as many attributes as wanted; a weapon fills the place of one."""
        mine: list[str] = self.leader.attributes.split()
        unarmed = self.levy and self.rules.weapon_levy == "reroll"
        for _ in range(wanted):
            borne = self.weapon.attributes.split() if self.weapon is not None else []
            code = self._one([*mine, *borne], weapons=self.weapon is None and not unarmed)
            if not code:
                break
            if code in WEAPONS:
                self._arm(WEAPONS[code], mine)
            else:
                mine.append(code)
        self.leader.attributes = " ".join(mine)

    def _arm(self, power: str, mine: list[str]) -> None:
        """Make a new weapon, borne by him."""
        f, leader, ident = self.f, self.leader, next_code(self.f.weapons, "K{}")
        name, name_it = next_name(f, "", "weapon")
        self.weapon = f.weapons.add(Weapon(weapon=ident, name=name or ident, name_it=name_it, power=power))
        f.give_weapon(leader, self.weapon)
        given: list[str] = []
        for _ in range(WEAPON_ATTRIBUTES[power]):
            given.append(self._one([*mine, *given], weapons=False))
        self.weapon.attributes = " ".join(filter(None, given))
        if power == "major":
            self.weapon.wr_bonus = self.rules.weapon_major_wr
        f.tell("weapon_claimed", rule="ST", weapon=ident, leader=leader.leader)

    def _one(self, has: list[str], *, weapons: bool) -> str:
        """Throw an attribute that he does not have yet; "" if the tables hold none."""
        f, who = self.f, [self.leader.faction]
        barred = {*has, "", *(() if weapons else WEAPONS)}
        strengths, weaknesses = attribute_codes(f, "strength"), attribute_codes(f, "weakness")
        # The referee edits the tables: throws that can bring nothing new would never end.
        while self._may_come(strengths, weaknesses) - barred:
            self.thrown += 1
            about = (self.leader.leader, self.thrown)
            if f.roll(ATTRIBUTE(*about), who).at_least(self.rules.ma_strength_from):
                roll = f.roll(STRENGTH(*about), who).total
                code = strengths.get(roll, "")
                code = self._choice(has) if roll == CHOICE_AT and code in CHOICES else code
            else:
                code = weaknesses.get(f.roll(WEAKNESS(*about), who).total, "")
            code = self._of_rank(code)
            if code not in barred:
                return code
        return ""

    def _of_rank(self, code: str) -> str:
        """The attribute that he gets for a code: a captain gets another one for Lucky."""
        return LUCKY_CAPTAIN if code == "lucky" and self.leader.rank == "captain" else code

    def _may_come(self, strengths: dict[int, str], weaknesses: dict[int, str]) -> set[str]:
        """The attributes that throws can give him."""
        least, codes = self.rules.ma_strength_from, set[str]()
        if least <= MOST_OF_TWO:
            codes |= {*strengths.values(), *(CHOICES if strengths.get(CHOICE_AT) in CHOICES else ())}
        if least > LEAST_OF_TWO:
            codes |= {*weaknesses.values()}
        return set(map(self._of_rank, codes))

    def _choice(self, has: list[str]) -> str:
        """Courage or Logistic; of one that he has the other."""
        left, code, who = [code for code in CHOICES if code not in has], self.leader.faction, self.leader.leader
        if len(left) < len(CHOICES) or self.levy or self.f.self_run(code):
            taken = self.rules.npc_strength
            return taken if taken in left else [*left, CHOICES[0]][0]
        return self.f.answers([Ask("strength", code, who, CHOICES, CHOICES[0], {"faction": code, "leader": who})])[who]


def _add_leader(f: Realm, code: str, rank: str, army: str, **more: Any) -> Leader:
    """Add a leader with the next code and the next name of his nation."""
    ident = next_code(f.leaders, f"{code}-{rank[0]}{{}}")
    name, name_it = next_name(f, code, "leader")
    return f.leaders.add(Leader(leader=ident, faction=code, rank=rank, name=name or ident, name_it=name_it, army=army,
                                **more))


LEADER_WR = ROLLS.purpose(both("WR of new commanders", "WR dei nuovi comandanti"), "leader_wr/{Leaders*}", "2d6")


def raise_leader(f: Realm, code: str, rank: str, army: str = "", *, levy: bool = False) -> Leader:
    """Make a new marshal or captain of a nation; the caller tells all."""
    rules, leader = CommanderNumbers.of(f), _add_leader(f, code, rank, army, levy=levy, wr=1, reputation=1)
    roll = f.roll(LEADER_WR(leader.leader), [code])
    wr = 1 + sum(roll.at_least(least) for least in (rules.wr_from_2, rules.wr_from_3, rules.wr_from_4, rules.wr_from_5))
    leader.wr = max(rules.levy_wr_min, wr + rules.levy_wr) if levy else wr
    leader.reputation = leader.wr
    AttributeThrower(f, leader, levy=levy).attributes(
        rules.attributes_marshal if rank == "marshal" else rules.attributes_captain)
    return leader


FATE_WEAKNESS = ROLLS.purpose(both("Weaknesses of captives", "Debolezze dei prigionieri"),
                              "fate_weakness/{Leaders*}", "2d6", "/{n}")


def new_weakness(f: Realm, leader: Leader) -> None:
    """Throw one more weakness for a captive (MF), again if he has it already."""
    has, codes = {*f.attributes(leader), ""}, attribute_codes(f, "weakness")
    for again in count(1) if {*codes.values()} - has else ():
        code = codes.get(f.roll(FATE_WEAKNESS(leader.leader, again=again)).total, "")
        if code not in has:
            leader.attributes = f"{leader.attributes} {code}".strip()
            return


# Ad-hoc armies (DA).


def levy_change(default: int, season: str, stagione: str) -> int:
    """Declare by how many rolls a season changes an ad-hoc army."""
    return number(default, "rolls", both.made(f"An ad-hoc army in {season} has {{signed}} {{signed?roll|rolls}}.",
                                              f"Un'armata di leva in {stagione} ha {{signed}} {{signed?tiro|tiri}}."),
                  minimum=-99)


class LevyNumbers(Rules):
    """Rolls of an ad-hoc army, by season."""

    levy_rolls: int = number(8, "rolls",
                             both("An ad-hoc army has {n} {n?roll|rolls}.", "Un'armata di leva ha {n} {n?tiro|tiri}."))
    levy_season_Wi: int = levy_change(-2, "Winter", "inverno")  # noqa: N815
    levy_season_Fa: int = levy_change(-1, "Fall", "autunno")  # noqa: N815
    levy_season_Su: int = levy_change(1, "Summer", "estate")  # noqa: N815


LEVY_CHAPTER = Chapter(both("Defensive Army", "Armata di difesa"), cites("DA"), LevyNumbers, events=(
    EventType("levied", both("{army:the} {army?is|are} raised: {n} {n?unit|units}. {roll}.",
                             "Si raduna {army:il}: {n} {n?reparto|reparti}. {roll}."), "works", 4, to="army"),
    EventType("levy_raised",
              both("A lord of {node:the} raises {n} {n?unit|units} under {leader}: {army}.",
                   "Un signore {node:di} leva {n} {n?reparto|reparti} con {leader}: {army}."), "battles", 3, to=ALL),
))


ITALIAN_OF = {"Il ": "del ", "Lo ": "dello ", "La ": "della ", "L'": "dell'", "I ": "dei ", "Gli ": "degli ",
              "Le ": "delle "}
"""An article with which an Italian name begins, and *of* joined to it."""


def italian_levy(place: str) -> str:
    """The name of a place's levy: ``Leva di Zafaran``, ``Leva del Guado``."""
    article = next((article for article in ITALIAN_OF if place.startswith(article)), "")
    return f"Leva {ITALIAN_OF.get(article, 'di ')}{place.removeprefix(article)}"


LEVY = ROLLS.purpose(both("Ad-hoc armies", "Armate di leva"), "levy/{Armies*}/{n}")


def raise_levy(f: Realm, code: str, node: str) -> Army:
    """A local lord raises an army on his nation's table, under a captain of his own."""
    army, place = f.new_army(code, node, kind="levy"), f.provinces[node]
    army.name, army.name_it = f"The levy of {place.name_in('en')}", italian_levy(place.name_in("it"))
    size = LevyNumbers.of(f).levy_rolls + (f.rules[f"levy_season_{f.season}"] if f.season != "Sp" else 0)
    rolls = [f.roll(LEVY(army.army, i), [code]) for i in range(1, size + 1)]
    for roll in rolls:
        f.enlist(code, roll.total, army.army)
    f.tell("levied", roll=rolls, army=army.army, n=len(rolls))
    leader = raise_leader(f, code, "captain", army.army, levy=True)
    f.tell("levy_raised", node=node, n=len(rolls), leader=leader.leader, army=army.army)
    return army
