"""Who meets whom on the march, the test of loyalty, and who attacks, passes, fights, refuses (7, 8.3, 11, 14, 15.5)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.duels import field_battle, sally
from assistant.rulesets.anarchy.book import tables
from assistant.rulesets.anarchy.book.questions import choice_code
from assistant.rulesets.anarchy.book.sheets import NEUTRAL, RANKS, ROYAL, Army, Noble, Place, Prisoners, pounds
from assistant.rulesets.anarchy.march.dealing import hires, lure_price, used, won_over
from assistant.rulesets.anarchy.realm.field import Field, rides
from assistant.rulesets.anarchy.realm.land import show_ranks
from assistant.turn.answers.answer_kinds import Amount
from assistant.turn.game import ALL
from assistant.turn.throws.dice import REFEREE, Roll
from assistant.turn.throws.scales import Reading, read_scale

NO_LEVEL = 5
"""What mercenaries count as, who have no loyalty, where the switch tests the mover's."""
LEVELS = range(1, 11)
PLAIN_PRESTIGE = 5
"""The row of the table for a group without a noble."""


def modifiers(realm: Field, mover: Army, met: Army) -> dict[str, int]:
    """What the mover's name and numbers do to the loyalty of the group met."""
    sign = 1 if realm.side(mover.faction) == ROYAL else -1
    noble = realm.commander(mover)
    fame = tables.BY_PRESTIGE.at(noble.prestige if noble is not None else PLAIN_PRESTIGE)
    numbers = tables.BY_NUMBERS.at(realm.stack_heads(mover) - realm.stack_heads(met))
    return {"prestige": sign * fame, "numbers": sign * numbers}


def _level(realm: Field, subject: Army, mover: Army, met: Army) -> int:
    """The level of a group: its own, its commander's where its sheet says none, else as the referee rules."""
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


def test(realm: Field, mover: Army, met: Army) -> Reading:
    """The level of the group met with its modifiers, read in the table: royal, neutral or angevin."""
    rules = realm.rules
    subject = met if rules.loyalty_subject == "met" else mover
    level: int | None = None if rules.loyalty_test_mode == "die" else _level(realm, subject, mover, met)
    counts = modifiers(realm, mover, met)
    roll: Roll | None = None
    if rules.loyalty_test_mode != "level":
        known = realm.both(realm.side(mover.faction), realm.side(met.faction))
        roll = realm.throw(tables.LOYALTY_TO, known or REFEREE, met.army, mover.army)
        if rules.loyalty_test_mode != "die":
            counts["swing"] = -1 if roll.at_most(2) else int(roll.at_least(9))
    return read_scale(tables.BANDS[rules.neutral_band], counts, level=level, roll=roll, low=1, high=10)


def meet_all(f: Field, mover: Army) -> None:
    """Encounters of a mover on the hex that it has entered, in the order of march; being spent ends them."""
    node = mover.node
    if f.safe(mover) or f.side(mover.faction) == NEUTRAL:
        return
    for met in f.marching(a for a in f.at(node) if a.army != mover.army and not a.inside and not f.attached(a)
                          and f.side(a.faction) != f.side(mover.faction) and not f.safe(a)):
        if not f.able(mover, node):
            return
        here = met.active and met.node == node and not met.inside and not f.attached(met)
        if here and f.side(met.faction) != f.side(mover.faction):
            meet(f, mover, met)


def meet(f: Field, mover: Army, met: Army) -> None:
    """One mover and one group."""
    f.meets(mover, met)
    if f.unhired(met):  # E2: whoever has a noble may hire them; otherwise they give way. They are never attacked
        if f.limited(mover) or f.commander(mover) is None or not hires(f, mover, met):
            f.tell("not_hired", ALL, "11.2", mercs=met.army, group=mover.army)
            f.back_away(met, f.heading.get(mover.army, ""))
        return
    f.tell("met", f.here(mover.node), "8.1, 14", a=mover.army, b=met.army, hex=mover.node,
           composition="; ".join([show_ranks(a.ranks) for a in f.stack(met) if a.men] or ["-"]))
    if met.mercenary:
        _hired_alone(f, mover, met)
    elif _hostile(f, mover, met):
        challenge(f, mover, met)


def _hired_alone(f: Field, mover: Army, company: Army) -> None:
    """E3: the other side's mercenaries without their employer may be won over, attacked, or left."""
    choice = "pass"
    if not f.limited(mover):
        cost = lure_price(f, mover, company)
        lure = f.ordered(mover, "LURE", company)
        choice = used(lure, "pay") if lure is not None and cost else _own_choice(f, mover, company)
        if choice == "ask" or (choice == "pass" and cost):  # who does not look for a fight may still buy
            options = [*(["pay"] if cost else []), "attack", "pass"]
            choice = f.choose("lure", mover.faction, f"{mover.army}/{mover.node}/{company.army}", options, "pass",
                              unit=mover.army, mercs=company.army, hex=mover.node, cost=pounds(cost) if cost else "-")
    if choice == "pay":
        won_over(f, mover, company)
    else:
        challenge(f, mover, company, choice)


# --- E4: loyalty ----------------------------------------------------------------------------------
def _hostile(f: Field, mover: Army, met: Army) -> bool:
    """Test the loyalty of a Norman group; whether it stands against the mover now."""
    mine, theirs = f.side(mover.faction), f.side(met.faction)
    reading = test(f, mover, met)
    f.tell("loyalty_tested", f.both(mine, theirs), "7", roll=reading, x=met.army, a=mover.army, verdict=reading.verdict)
    uncommitted, effect = theirs == NEUTRAL, f.rules.loyalty_effect
    if reading.verdict == NEUTRAL:
        if f.rules.neutral_meets == "backs":
            f.back_away(met, f.heading.get(mover.army, ""))
        return False
    changes = (uncommitted and effect != "encounter") or effect == "lasting"
    if changes and reading.verdict != theirs:
        captives = [p for one in f.stack(met) for p in f.led_captives(one)]
        f.go_over(met, _new_faction(f, mover, met, reading.verdict))
        f.tell("sided", ALL, "7", x=met.army, side=reading.verdict)
        for record in captives:  # they were taken by the other side: now they are among friends
            if f.side(record.faction) == reading.verdict:
                f.free_captives(record, met)
    if reading.verdict == mine:
        if not changes and not uncommitted:
            f.back_away(met, f.heading.get(mover.army, ""))
        return False
    return True


def _new_faction(f: Field, mover: Army, met: Army, side: str) -> str:
    """Which faction of the side that it takes a group goes to: the mover's, else its only one, else by ruling."""
    if f.side(mover.faction) == side:
        return mover.faction
    clubs = f.clubs(side)
    return clubs[0] if len(clubs) == 1 else f.game.choose(
        f.ruling(f"sided/{met.army}", clubs, "side", x=met.army, side=side, list=", ".join(clubs)))


# --- E5: attack or pass ---------------------------------------------------------------------------
def _own_choice(f: Field, mover: Army, met: Army) -> str:
    """What the mover wants: an order ATTACK, the MOVE's choice, its standing choice."""
    if f.limited(mover):
        return "pass"
    if f.ordered(mover, "ATTACK", met):
        return "attack"
    move = f.moves.get(mover.army)
    code = choice_code(move.choice) if move is not None and move.choice else ""
    return code if code in ("attack", "pass", "ask") else mover.on_meeting


def challenge(f: Field, mover: Army, met: Army, choice: str = "") -> None:
    """Both choose; one attacks, both do, or they let each other pass."""
    first = choice or _own_choice(f, mover, met)
    second = "pass" if f.limited(met) or met.army in f.spent else met.on_meeting
    node = mover.node
    asks = []
    if first == "ask":
        asks.append(f.question("attack", mover.faction, f"{mover.army}/{node}/{met.army}",
                               ("attack", "pass"), "pass", unit=mover.army, met=met.army, hex=node))
    if second == "ask" and first != "attack":
        asks.append(f.question("contest", met.faction, f"{met.army}/{node}/{mover.army}",
                               ("attack", "pass"), "pass", unit=met.army, met=mover.army, hex=node))
    answers = dict(zip([a.kind for a in asks], f.game.choose_all(asks), strict=True))
    first, second = answers.get("attack", first), answers.get("contest", second)
    if "attack" in (first, second):  # they fight, whoever ordered it
        for one, other in ((mover, met), (met, mover)):
            order = f.ordered(one, "ATTACK", other)
            if order is not None:
                order.row.status = "accepted"
    if first == "attack" and second == "attack":
        f.tell("attack", ALL, "14.2", a=mover.army, b=met.army, hex=node)
        if f.lone(met):
            Refusal(f, mover, met).run()
        else:
            field_battle(f, mover, met, mover)
    elif first == "attack":
        attacked(f, mover, met, mover)
    elif second == "attack":
        attacked(f, met, mover, mover)
    else:
        f.tell("passed", f.here(node), "14.2", a=mover.army, b=met.army)


class Refusal:
    """One group that will not fight, and what becomes of its people: a test for each (15.5)."""

    def __init__(self, f: Field, attacker: Army | Place, target: Army) -> None:
        self.f, self.target = f, target
        self.attacker = attacker if isinstance(attacker, Army) else None
        self.captor = f.side(attacker.faction) if isinstance(attacker, Army) else attacker.holder
        self.record: Prisoners | None = None if self.captor == NEUTRAL else f.new_captives(
            target.faction, self.captor, self.attacker, target.node)
        self.rolls: list[Roll] = []
        self.counts = dict.fromkeys(("free", "prisoner", "wounded", "killed"), 0)
        self.known = f.both(self.captor, f.side(target.faction)) or REFEREE

    def run(self) -> None:
        """Everybody tests; then prestige, what they led, dissolution and the way back."""
        f, target, attacker = self.f, self.target, self.attacker
        leader = f.commander(target)
        led = [p for a in f.stack(target) for p in f.led_captives(a)]
        for one in f.stack(target):
            self._men(one)
            for noble in f.with_them(one):
                self._noble(noble, one)
        if self.record is not None and f.drop_if_empty(self.record):
            self.record = None
        f.touch(target, *([self.record] if self.record is not None else []))
        f.tell("refused", ALL, "15.5", b=target.army, part="fact")
        f.tell("refused", self.known, "15.5", roll=self.rolls, touch=[target], b=target.army,
               n=self.counts["free"], p=self.counts["prisoner"], w=self.counts["wounded"], k=self.counts["killed"])
        twice = 2 if f.rules.refusal_prestige == "twice" else 1
        f.change_prestige(leader, twice * f.rules.prestige_refusal, "battle refused", "15.5")
        if attacker is not None:
            for one in f.stack(target):
                f.lost_to(one, attacker)
            for record in led:
                if record.state in ("waiting", "escorted"):
                    f.free_captives(record, attacker)
        f.spend(*(a for a in (target, attacker) if a is not None))
        stack = f.stack(target)
        f.dissolve_small(stack)
        towards = f.heading.get(attacker.army, "") if attacker is not None else ""
        for one in [a for a in stack if a.active and not f.attached(a)]:
            if not f.retreats([one], towards)[0] and f.side(one.faction) != NEUTRAL:
                for member in f.stack(one):
                    self.record = f.surrender_group(member, self.captor, attacker, record=self.record)

    def _test(self, roll: Roll, rank: str, hurt: bool) -> str:
        name = {"knights": "knight", "noble": "noble"}.get(rank, "armour")
        found = {name: tables.REFUSAL_MODIFIERS.get(rank, 0), "hurt": tables.REFUSAL_HURT if hurt else 0}
        if self.f.rules.refusal_extra == "yes":
            found["forest"] = -1 if "forest" in self.f.hexes.terrains(self.target.node) else 0
            found["mounted pursuers"] = int(
                self.attacker is not None and all(rides(a) for a in self.f.stack(self.attacker)))
        self.rolls.append(roll)
        verdict = read_scale(tables.REFUSAL, found, roll=roll, low=1).verdict
        self.counts[verdict] += 1
        return verdict

    def _men(self, army: Army) -> None:
        """Hurt men first, in each rank."""
        for rank in RANKS:
            hurt = self.f.hurt_here(army, rank)
            rolls = (self.f.throw(tables.REFUSAL_OF_MAN, self.known, army.army, rank, i)
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
        verdict = self._test(self.f.throw(tables.REFUSAL_OF_NOBLE, self.known, army.army, noble.noble), "noble",
                             noble.state == "wounded")
        if verdict == "prisoner" and self.record is not None:
            self.f.take_noble(noble, self.record, "15.5")
        elif verdict == "killed" or (verdict == "wounded" and noble.state != "wounded"):
            self.f.strike(noble, verdict, "15.5")


# --- E6: attacked ---------------------------------------------------------------------------------
def attacked(f: Field, attacker: Army, target: Army, mover: Army) -> None:
    """The group attacked fights, refuses, or shuts itself in."""
    choice = _reaction(f, attacker, target)
    castle = f.castle_at(target.node, f.side(target.faction))
    if choice == "refuse":
        Refusal(f, attacker, target).run()
    elif choice == "shut_in" and castle is not None:
        stack = f.stack(target)  # it goes inside with its mercenaries; no test, but it costs its name
        for one in stack:
            one.inside, one.besieging = castle.place, ""
        f.tell("shut_in", ALL, "14.2", touch=stack, b=target.army, place=castle.place)
        if f.rules.shut_in_prestige == "yes":
            f.change_prestige(f.commander(target), f.rules.prestige_refusal, "shut in")
        f.spend(target, attacker)
    else:
        field_battle(f, attacker, target, mover)


def _reaction(f: Field, attacker: Army | Place, target: Army) -> str:
    """What a group does that is attacked: its standing choice, or its side's answer."""
    f.tell("attack", ALL, "14.2", a=attacker.ident, b=target.army, hex=target.node)
    side = f.side(target.faction)
    castle = f.castle_at(target.node, side)
    shelter = castle is not None and not f.besieged(castle.place)
    options = ["fight", "refuse", *(["shut_in"] if shelter else [])]
    choice = "refuse" if f.lone(target) else target.if_attacked
    if choice not in options:
        choice = f.choose("accept", target.faction, f"{target.army}/{target.node}/{attacker.ident}", options, "fight",
                          unit=target.army, met=attacker.ident, hex=target.node)
    return choice


def sallied(f: Field, attacker: Army | Place, castle: Place) -> None:
    """A group inside, or the garrison itself, falls upon the largest besieging group: no test of loyalty."""
    target = f.largest(a for a in f.besiegers(castle) if not f.attached(a))
    if target is None:
        return
    f.sallies[attacker.ident].row.status = "accepted"
    if _reaction(f, attacker, target) == "refuse":
        Refusal(f, attacker, target).run()
    else:
        sally(f, attacker, target)
