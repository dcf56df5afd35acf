"""Mercenaries: hired, promised loot, paid, won over, content with their share or not (11)."""

from __future__ import annotations

from typing import Literal

from assistant.campaign.records import ALL
from assistant.rulesets.anarchy import both, citation, orders
from assistant.rulesets.anarchy.field import Field
from assistant.rulesets.anarchy.orders import act, day_order
from assistant.rulesets.anarchy.realm import asked
from assistant.rulesets.anarchy.records import GREAT_PRESTIGE, GRUMBLING, PROMISE_KEPT, SHARE_OF_LOOT, Army, pounds
from assistant.turn.chapters import Chapter, EventType, Message, Modifier, Rules, number, switch
from assistant.turn.dice import RangeTable
from assistant.turn.orders.requests import Refused, Request, refuse_if
from assistant.turn.orders.row_columns import Named, require_row
from assistant.turn.questions import Amount, Option, Told
from assistant.turn.rulings import Steps, read_scale

MOST_PROMISED = 999


class MercenaryNumbers(Rules):
    """What mercenaries cost, and when they leave."""

    merc_price: int = number(2, both("£ a mercenary", "£ per mercenario"),
                             both("A mercenary costs £{n} for the campaign.",
                                  "Un mercenario costa {n} £ per la campagna."), source="11.3", usual=True)
    lure_price: int = number(3, both("£ a mercenary", "£ per mercenario"),
                             both("A mercenary won over from the other side costs £{n}.",
                                  "Un mercenario distolto dall'altra parte costa {n} £."), source="11.5")
    lure_distance: int = number(2, both("hexes", "esagoni"), both(
        "To win one over no other enemy group may be nearer than {n} {n?hex|hexes}.",
        "Per distoglierne uno nessun altro gruppo nemico può essere a meno di {n} {n?esagono|esagoni}."), source="11.5")
    promise_desert_at: int = number(3, both("1d10, this or less", "1d10, questo o meno"),
                                    both("Mercenaries with a promise desert on {n} or less.",
                                         "I mercenari con una promessa disertano con {n} o meno."), source="11.4")
    promise_step: int = number(-1, both("added for each test made", "aggiunto per ogni test fatto"),
                               both("Each test they have made counts {signed} in the next.",
                                    "Ogni test già fatto vale {signed} nel successivo."), minimum=-9, source="11.4")
    loot_value: int = number(1, both("£ a point", "£ per punto"),
                             both("A point of loot is worth £{n}.", "Un punto di bottino vale {n} £."), source="13.2")
    merc_test: Literal["die", "level"] = switch(
        both("A promise is tested {option}.", "Le promesse si verificano {option}."), both("with a die", "con un dado"),
        both("with a level of 7 instead of the die", "con un livello di 7 al posto del dado"), source="11.4")
    loot_share_to: Literal["promised", "all"] = switch(
        both("Of loot get a share, and test when it is short, {option}.",
             "Del bottino hanno una parte, e fanno il test se è scarsa, {option}."),
        both("companies with a promise", "le compagnie con una promessa"),
        both("paid companies, too", "anche le compagnie pagate"), source="11.6")


EVENTS = (
    EventType("promise_kept", both("{mercs:the} {mercs?stays|stay} in service. {roll}",
                                   "{mercs:il} {mercs?resta|restano} in servizio. {roll}"), "money", 5, "11.4",
              to="mercs", tries="mercs"),
    EventType("grumbles", both("{mercs:the} {mercs?grumbles|grumble}. {roll}",
                               "{mercs:il} {mercs?mormora|mormorano}. {roll}"), "money", 4, "11.6",
              to="mercs", tries="mercs"),
    EventType("loyal", both("{mercs:the} {mercs?is|are} content. {roll}",
                            "{mercs:il} {mercs?è soddisfatto|è soddisfatta|sono soddisfatti|sono soddisfatte}. {roll}"),
              "money", 5,
              "11.6", to="mercs"),
    EventType("deserted",
              both("{mercs:the} {mercs?leaves|leave} {side:the}. {roll}",
                   "{mercs:il} {mercs?abbandona|abbandonano} {side:il}. {roll}"), "money", 2, "11.4", to=ALL),
    EventType("paid", both("{mercs:the} {mercs?is|are} paid £{n}.", "{mercs:a} vanno £{n} di soldo."),
              "money", 5, "11.4", to="mercs"),
    EventType("hired", both("{mercs:the} {mercs?takes|take} service with {group:the}.",
                            "{mercs:il} {mercs?entra|entrano} al servizio {group:di}."), "money",
              2,
              variants=("terms",
                        {"paid": both("{group:the} {group?hires|hire} {mercs:the} for £{n}.",
                                      "{group:il} {group?assolda|assoldano} {mercs:il} per £{n}."),
                         "promised": both("{mercs:the} {mercs?is|are} promised {n} {n?point|points} of loot.",
                                          "{mercs:a} si {n?promette|promettono} {n} {n?punto|punti} di bottino.")}),
              to=ALL),
    EventType("not_hired", both("{mercs:the} {mercs?finds|find} no employer.",
                                "{mercs:il} non {mercs?trova|trovano} chi paghi."), "money", 4, to=ALL),
    EventType("lured", both("{mercs:the} {mercs?is|are} won over by {group:the}.",
                            "{mercs:il} {mercs?passa|passano} {group:a}."), "money", 1, "11.5", to=ALL),
    EventType("share", both("{mercs:the} {mercs?gets|get} only {n} {n?point|points} of loot for {k} {k?man|men}: "
                            "{roll}.",
                            "{mercs:il} {mercs?riceve|ricevono} solo {n} {n?punto|punti} di bottino per {k} "
                            "{k?uomo|uomini}: {roll}."), "money", 3, "11.6",
              ("enough",
               {"yes": both("{mercs:the} {mercs?gets|get} {n} {n?point|points} of loot for {k} {k?man|men} and "
                            "{mercs?is|are} content.",
                            "{mercs:il} {mercs?riceve|ricevono} {n} {n?punto|punti} di bottino per {k} "
                            "{k?uomo|uomini}, e {mercs?è soddisfatto|è soddisfatta|sono soddisfatti|sono "
                            "soddisfatte}.")}), to="mercs"),
    EventType("revolt", both("{mercs:the} {mercs?rises|rise} against {group:the}!",
                             "{mercs:il} {mercs?si rivolta|si rivoltano} contro {group:il}!"), "battles", 0,
              "11.6", to=ALL),
)

FINDINGS = (
    Message("ANA-501", "error",
            both("Only a group led by a noble hires mercenaries.",
                 "Solo un gruppo guidato da un nobile assolda mercenari.")),
    Message("ANA-502", "error",
            both("{m} {m?takes|take} only money from {side:the} now.",
                 "{m:il} {side:da} {m?vuole|vogliono} ormai solo denaro.")),
    Message("ANA-503", "error",
            both("{x} is {n} {n?hex|hexes} from {m}: luring needs {d} or more.",
                 "{x} è a {n} {n?esagono|esagoni} da {m}: ne servono almeno {d}.")),
    Message("ANA-504", "error", both("{m} {m?is|are} {contract}.",
                                     "{m:il} {m?è|sono} già al servizio di qualcuno ({contract}).")),
    Message("ANA-505", "error",
            both("Unhired mercenaries cannot be attacked.", "I mercenari liberi non si attaccano.")),
    Message("ANA-904", "error",
            both("{n} {n?point|points} to share, {x} given.", "{n} {n?punto|punti} da dividere, {x} {x?dato|dati}.")),
)

QUESTIONS = (
    asked("hire", both(
        "{unit:the} {unit?meets|meet} {mercs:the} {hex:at}: pay £{cost}, promise loot, or neither?",
        "{unit:il} {unit?incontra|incontrano} {mercs:il} {hex:dove}: pagare £{cost}, promettere bottino, o niente?"),
          ("offered",
           {"pay, no": both("{unit:the} {unit?meets|meet} {mercs:the} {hex:at}: pay £{cost}, or not?",
                            "{unit:il} {unit?incontra|incontrano} {mercs:il} {hex:dove}: pagare £{cost}, o no?"),
            "promise, no": both("{unit:the} {unit?meets|meet} {mercs:the} {hex:at}: promise loot, or not? For £{cost} "
                                "the money is lacking.",
                                "{unit:il} {unit?incontra|incontrano} {mercs:il} {hex:dove}: promettere bottino, o "
                                "no? Per £{cost} manca il denaro.")}),
          answer=Option(amounts={"promise": (0, MOST_PROMISED)}), stands=Option(("pay", "no"))),
    asked("lure", both(
        "{unit:the} {unit?meets|meet} {mercs:the} in enemy pay {hex:at}: win them over for £{cost}, attack, or pass?",
        "{unit:il} {unit?incontra|incontrano} {mercs:il} al soldo nemico {hex:dove}: distoglierli per £{cost}, "
        "attaccare o lasciar passare?"),
          ("offered",
           {"attack, pass": both("{unit:the} {unit?meets|meet} {mercs:the} in enemy pay {hex:at}: attack, or pass?",
                                 "{unit:il} {unit?incontra|incontrano} {mercs:il} al soldo nemico {hex:dove}: "
                                 "attaccare o lasciar passare?")}), stands=Option(("pay", "attack", "pass"))),
    asked("share",
          both("How many of the {n} looted points go to {mercs:the} ({heads} {heads?man|men})?",
               "Quanti dei {n} {n?punto di bottino va|punti di bottino vanno} {mercs:a} ({heads} "
               "{heads?uomo|uomini})?"), answer=Amount(),
          beyond=Told("ANA-904", {"n": "most", "x": "answer"})),
)

both.words({
    "stays": "resta", "deserts": "diserta", "tests made": "test fatti", "grumbling": "malumore",
    "promise:": "promette:", "it is the same group": "è lo stesso gruppo", "hire": "ingaggio", "lure": "distogliere",
    "share": "divisione", "desert": "disertano", "grumble": "mormorano", "loyal": "fedeli",
})

CHAPTER = Chapter(both("11 Mercenaries", "11 I mercenari"),
                  (citation(both("11.2 Hiring", "11.2 Reclutamento"), 9), citation("11 Mercenaries", 9),
                   citation(both("11.1 Unhired companies", "11.1 Spostamento"), 9),
                   citation(both("11.3 Price", "11.3 Costo di un mercenario"), 9),
                   citation(both("11.4 Promises", "11.4 Promessa di un futuro bottino"), 9),
                   citation(both("11.5 Luring", "11.5 Distogliere dall'impiego un gruppo di mercenari"), 9),
                   citation(both("11.6 Shares of loot", "11.6 Spartizione del bottino derivato da un saccheggio"), 9)),
                  MercenaryNumbers, EVENTS, FINDINGS, QUESTIONS)


# Hiring, promising, winning over (11.2 to 11.5).


def try_to_hire(f: Field, army: Army, company: Army, asked: bool = True) -> bool:
    """E2: pay, promise loot, or neither, by order, else by answer if it may be `asked`. Returns whether they come."""
    f.meets(army, company)
    side, cost = f.side(army.faction), orders.price_of_heads(f, "merc_price", company)
    may_promise, may_pay = company.no_promise_to != side, army.money >= cost
    options = [*(["pay"] if may_pay else []), *(["promise:n"] if may_promise else []), "no"]
    promise, pay = f.meeting_order(army, "PROMISE", company), f.meeting_order(army, "HIRE", company)
    choice = ""
    if promise is not None and may_promise:
        amount = orders.ANY_POINTS.judge(f, promise, "amount")
        choice = mark_used(promise, f"promise:{amount}" if amount is not None and amount <= MOST_PROMISED else "")
    elif pay is not None and may_pay:
        choice = mark_used(pay, "pay")
    if asked and not choice and len(options) > 1:  # no question to a group that can neither pay nor promise
        choice = f.game.choose(f.meeting_question("hire", army, company, options, "no", "mercs", cost=pounds(cost)))
    what, _, points = choice.partition(":")
    if what == "pay" and may_pay:
        army.money -= cost
        _take_into_service(f, army, company, "paid", pounds(cost))
    # `promise:n` is the option as it is offered, with no number put in
    elif what == "promise" and may_promise and points != "n":
        _take_into_service(f, army, company, "promised", str(int(points)), int(points))
    else:
        return False
    return True


def mark_used(request: Request, choice: str) -> str:
    """Return the choice that an order makes; unless it is blank, the order is marked as accepted."""
    if choice:
        request.row.status = "accepted"
    return choice


def _take_into_service(f: Field, army: Army, company: Army, terms: str, n: str, points: int = 0, *,
                       lured: bool = False) -> None:
    """A company takes service: that is public, the terms are for the employer's side."""
    f.hire(company, army, terms, points)
    f.tell("lured" if lured else "hired", mercs=company.army, group=army.army)
    f.tell("hired", f.own(army.faction), rule="11.5" if lured else "11.3", mercs=company.army,
           group=army.army, terms=terms, n=n)


def lure_price(f: Field, army: Army, company: Army) -> int:
    """The price of winning a company over, in half-pounds; 0 if that is impossible (11.5)."""
    cost = orders.price_of_heads(f, "lure_price", company)
    return cost if f.commander(army) is not None and army.money >= cost and group_too_near(f, company) is None else 0


def group_too_near(f: Field, company: Army) -> Army | None:
    """A group of the company's side that is too near for luring, if any."""
    side = f.side(company.faction)
    # garrisons are not groups and do not count (11.5)
    return next((a for a in f.active() if a.army != company.army and f.side(a.faction) == side
                 and f.distance(a.node, company.node) < MercenaryNumbers.of(f).lure_distance), None)


def win_over(f: Field, army: Army, company: Army) -> None:
    """E3: a company changes sides, paid and attached."""
    cost = lure_price(f, army, company)
    army.money -= cost
    _take_into_service(f, army, company, "paid", pounds(cost), lured=True)


# --- by order, with a partner on the same hex -------------------------------------------------------
def check_led_by_noble(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse a group without a noble (ANA-501)."""
    refuse_if(f.commander(f.armies[request.unit]) is None, "ANA-501", "unit")


def check_unhired(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse a company that somebody has hired (ANA-504)."""
    if not f.is_unhired(company):
        raise f.under_contract(company, f.side(request.faction), field)


def check_in_enemy_pay(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse a company that is not in enemy pay, or has an enemy group near (ANA-503, 504)."""
    side, near = f.side(request.faction), group_too_near(f, company)
    if company.contract == "none" or f.side(company.faction) == side:
        raise f.under_contract(company, side, field)
    if near is not None:
        raise Refused("ANA-503", field, x=near.army, n=f.distance(near.node, company.node), m=company.army,
                      d=MercenaryNumbers.of(f).lure_distance)


def check_believed(f: Field, request: Request, points: int, field: str) -> None:
    """Refuse promises to a company that has deserted the side (ANA-502)."""
    company, side = require_row(f.armies, request.target, "target"), f.side(request.faction)
    refuse_if(company.no_promise_to == side, "ANA-502", "target", m=company.army, side=side)


def mark_accepted(request: Request, done: bool) -> None:
    """Mark an order as accepted if it was done; else its row stays open."""
    request.row.status = "accepted" if done else ""


def _hire(f: Field, request: Request, army: Army, company: Army, loot: int = 0) -> None:
    """Pay a company on the group's hex, or promise it loot (E2)."""
    orders.afford(f, request, "unit")
    mark_accepted(request, try_to_hire(f, army, company, asked=False))


UNHIRED = orders.Met((Army,), then=(check_led_by_noble, check_unhired))
hire_company = act("HIRE", "ASSOLDA", UNHIRED, cost=orders.cost_a_head("merc_price"),
                   help=both("Pay unhired mercenaries who are met.", "Paga i mercenari liberi incontrati."))(_hire)
promise_loot = act("PROMISE", "PROMETTI", UNHIRED, amount=orders.Points(then=(check_believed,)),
                   help=both("Promise loot to mercenaries who are met.", "Prometti bottino ai mercenari incontrati."))(
                       _hire)


@act("LURE", "DISTOGLI", orders.Met((Army,), then=(check_led_by_noble, check_in_enemy_pay)),
     cost=orders.cost_a_head("lure_price"),
     help=both("Win over the enemy's mercenaries who are met alone.",
               "Distogli i mercenari nemici incontrati da soli."))
def lure_company(f: Field, request: Request, army: Army, company: Army) -> None:
    """Win over a company on the group's hex (E3)."""
    orders.afford(f, request, "unit")
    f.meets(army, company)
    if lure_price(f, army, company):
        win_over(f, army, company)


def check_promised(f: Field, request: Request, company: Army, field: str) -> None:
    """Refuse all but an own company on the hex that was promised loot (ANA-011, 203, 504)."""
    army = f.armies[request.unit]
    if company is army:  # its own money must not free it from its promise tests
        raise Refused("ANA-011", field, unit=army.army, verb=request.verb, reason="it is the same group")
    if company.contract != "promised" or not f.friends(company, army):
        raise f.under_contract(company, f.side(army.faction), field)
    orders.check_same_hex(army, company)


@day_order("PAY", "PAGA", "reorganise", unit=orders.GIVER, target=Named((Army,), then=(check_promised,)),
           cost=orders.cost_a_head("merc_price"),
           help=both("Pay mercenaries who were promised loot.", "Paga i mercenari a cui si era promesso bottino."))
def pay(f: Field, request: Request, army: Army, company: Army) -> None:
    """Pay two pounds a head instead of the promise (11.4)."""
    cost = orders.spend(f, request, "unit")
    company.contract, company.promised, company.tests, company.grumbles = "paid", 0, 0, False
    f.tell("paid", mercs=company.army, n=pounds(cost))


# Promises, and shares of loot (11.4, 11.6).


# only the revolt is the book's (11.6); the other bands are ours
LOOT_LOYALTY = RangeTable("mercenaries' loyalty", ((None, 2, "revolt"), (3, 5, "desert"), (6, 8, "grumble"),
                                                   (9, None, "loyal")))


PROMISE_LEVEL = 7
"""The level of a company if promises are tested by level (switch merc_test)."""


def promises(realm: Field) -> None:
    """Test companies that were promised loot, each morning after the day of their hiring."""
    rules = MercenaryNumbers.of(realm)
    for company in realm.active():
        hired_before = company.hired_on is None or company.hired_on < realm.day
        if not (company.mercenary and company.contract == "promised" and hired_before):
            continue
        own = realm.own(company.faction)
        if company.grumbles:
            # kept at 3 or more: a revolt is a battle, and none is fought outside the movement phase
            roll = realm.throw(GRUMBLING, own, company.army)
            reading = read_scale(LOOT_LOYALTY, {"grumbling": -1}, roll=roll, low=3, high=10)
            event, rule = ("loyal" if reading.verdict == "loyal" else "grumbles"), "11.6"
            if event == "loyal":
                company.grumbles, company.contract = False, "paid"
        else:
            level = PROMISE_LEVEL if rules.merc_test == "level" else None
            promise = RangeTable("promise", ((None, rules.promise_desert_at, "deserts"),
                                             (rules.promise_desert_at + 1, None, "stays")))
            thrown = realm.throw(PROMISE_KEPT, own, company.army) if level is None else None
            reading = read_scale(promise, {"tests made": rules.promise_step * company.tests}, roll=thrown, level=level)
            event, rule = "promise_kept", "11.4"
            company.tests += 1
        if reading.verdict in ("desert", "deserts"):
            side = realm.desert(company)  # everybody sees them leave, only their employer's side the test
            realm.tell("deserted", own, roll=reading, mercs=company.army, side=side)
            others = [f for f in realm.parties() if f not in own]
            realm.tell("deserted", others or ALL, mercs=company.army, side=side)
            # nobody marches against it in the morning, so north stands for the direction
            realm.back_away(company, "N")
        else:
            realm.tell(event, rule=rule, roll=reading, mercs=company.army)


MOST_OPTIONS = 99
SHORTAGE = Steps(((0, 2), (26, 1), (51, 0), (76, -2)))
"""The modifier for what is missing, in per cent of a point a head, rounded up (11.6)."""


def point_options(n: int) -> tuple[str, ...]:
    """The options of a question for up to n points: every number, or only the ends if they are too many."""
    return tuple(str(point) for point in range(n + 1)) if n <= MOST_OPTIONS else ("0", str(n))


def share_loot(f: Field, army: Army, left: int, prestige: int) -> tuple[list[Army], int]:
    """Share loot company by company: a point a head makes it loyal, less is a test. Returns rebels and the rest."""
    rebels = []
    contracts = ("promised", "paid") if MercenaryNumbers.of(f).loot_share_to == "all" else ("promised",)
    for company in [a for a in f.followers(army) if a.contract in contracts]:
        # not all at once: what is left for the next depends on the answer
        asked = f.question("share", army.faction, f"{army.army}/{company.army}", point_options(left), "0",
                           Amount(0, left), mercs=company.army, n=left, heads=f.heads(company))
        given = f.game.amount(asked)
        left -= given
        company.money += 2 * MercenaryNumbers.of(f).loot_value * given
        if _after_share(f, army, company, given, prestige) == "revolt":
            rebels.append(company)
    return rebels, left


SHARE_TABLE: tuple[Modifier[Army, int, int, int], ...] = (
    Modifier(both.word("short share", "parte scarsa"),
             lambda company, given, heads, prestige: SHORTAGE.at(-(-(heads - given) * 100 // heads))),
    # as it was after the battle, before looting costs some
    Modifier("prestige", lambda company, given, heads, prestige: prestige >= GREAT_PRESTIGE),
    Modifier(both.word("broken promise", "promessa mancata"),
             lambda company, given, heads, prestige: -(given < company.promised)),
)
"""The modifiers of mercenaries' loyalty after loot was shared: what a company got for its heads, and whose it was."""


def _after_share(f: Field, army: Army, company: Army, given: int, prestige: int) -> str:
    heads, own, verdict = f.heads(company), f.own(army.faction), "loyal"
    if given >= heads:
        f.tell("share", mercs=company.army, n=given, k=heads, enough="yes")
    else:
        adds = f.modifiers(SHARE_TABLE, company, given, heads, prestige)
        reading = read_scale(LOOT_LOYALTY, adds, roll=f.throw(SHARE_OF_LOOT, own, company.army))
        f.tell("share", roll=reading, mercs=company.army, n=given, k=heads)
        verdict = reading.verdict
    if verdict == "loyal":
        # content once is content to the end: as if paid, without further tests (11.6)
        company.contract, company.grumbles = "paid", False
    elif verdict == "grumble":
        company.grumbles = True
    elif verdict == "desert":
        f.tell("deserted", rule="11.6", mercs=company.army, side=f.desert(company))
        f.back_away(company, "N")
    return verdict
