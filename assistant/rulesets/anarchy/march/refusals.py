"""Refusing battle: a test for each character (rulebook: 14.2 Groups of different sides; chapter 15.5)."""

from __future__ import annotations

from assistant.rulesets.anarchy.battle.looting import lost_to
from assistant.rulesets.anarchy.book import tables
from assistant.rulesets.anarchy.book.records import RANKS, Army
from assistant.rulesets.anarchy.book.sheets import Noble, Place, Prisoners, Wounded
from assistant.rulesets.anarchy.realm.change import put_captives
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.marches import rides
from assistant.rulesets.anarchy.realm.realm import ALL, NEUTRAL, REFEREE
from assistant.turn.throws.dice import Roll
from assistant.turn.throws.scales import read_scale

OUTCOMES = ("free", "prisoner", "wounded", "killed")


class Refusal:
    """One group that will not fight, and what becomes of its people."""

    def __init__(self, f: Field, attacker: Army | Place, target: Army) -> None:
        self.f, self.target = f, target
        self.attacker = attacker if isinstance(attacker, Army) else None
        self.captor = f.side(attacker.faction) if isinstance(attacker, Army) else attacker.holder
        self.record: Prisoners | None = None
        if self.captor != NEUTRAL:
            self.record = f.new_captives(target.faction, self.captor, self.attacker, target.node)
        self.rolls: list[Roll] = []
        self.counts = dict.fromkeys(OUTCOMES, 0)
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
                lost_to(f, one, attacker)
            for record in led:
                if record.state in ("waiting", "escorted"):
                    f.free_captives(record, attacker)
        f.spend(*(a for a in (target, attacker) if a is not None))
        stack = f.stack(target)
        f.dissolve_small(stack)
        towards = f.heading.get(attacker.army, "") if attacker is not None else ""
        for one in [a for a in stack if a.active and not f.attached(a)]:
            if not f.retreat(one, towards) and f.side(one.faction) != NEUTRAL:
                for member in f.stack(one):
                    self.record = f.surrender_group(member, self.captor, attacker, record=self.record)

    def _modifiers(self, rank: str, hurt: bool) -> dict[str, int]:
        name = {"knights": "knight", "noble": "noble"}.get(rank, "armour")
        found = {name: tables.REFUSAL_MODIFIERS.get(rank, 0), "hurt": tables.REFUSAL_HURT if hurt else 0}
        if self.f.rules.refusal_extra == "yes":
            found["forest"] = -1 if "forest" in self.f.hexes.terrains(self.target.node) else 0
            found["mounted pursuers"] = int(
                self.attacker is not None and all(rides(a) for a in self.f.stack(self.attacker)))
        return found

    def _test(self, roll: Roll, rank: str, hurt: bool) -> str:
        self.rolls.append(roll)
        verdict = read_scale(tables.REFUSAL, self._modifiers(rank, hurt), roll=roll, low=1).verdict
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
                self._one(army, rank, verdict, hurt[i] if i < len(hurt) else None)

    def _one(self, army: Army, rank: str, verdict: str, wound: Wounded | None) -> None:
        if verdict == "wounded" and wound is None:
            self.f.hurt_man(army, rank)
        if verdict in ("free", "wounded") or (verdict == "prisoner" and self.record is None):
            return
        self.f.take_off(army, rank, 1, "dead" if verdict == "killed" else "prisoner", wound)
        if verdict == "prisoner" and self.record is not None:
            put_captives(self.record, rank, 1)

    def _noble(self, noble: Noble, army: Army) -> None:
        verdict = self._test(self.f.throw(tables.REFUSAL_OF_NOBLE, self.known, army.army, noble.noble), "noble",
                             noble.state == "wounded")
        if verdict == "prisoner":
            if self.record is not None:
                self.f.take_noble(noble, self.record, "15.5")
        elif verdict == "killed" or (verdict == "wounded" and noble.state != "wounded"):
            self.f.strike(noble, verdict, "15.5")


def refuse_battle(f: Field, attacker: Army | Place, target: Army) -> None:
    """A group will not fight."""
    Refusal(f, attacker, target).run()
