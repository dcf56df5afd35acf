"""The test of loyalty on meeting (rulebook: 7 Loyalty; chapter 7)."""

from __future__ import annotations

from assistant.rulesets.anarchy.book.records import Army
from assistant.rulesets.anarchy.book.tables import BANDS, BY_NUMBERS, BY_PRESTIGE
from assistant.rulesets.anarchy.book.throws import LOYALTY_TO
from assistant.rulesets.anarchy.realm.field import Field
from assistant.rulesets.anarchy.realm.realm import REFEREE, ROYAL
from assistant.turn.answers.answer_kinds import Amount
from assistant.turn.throws.dice import Roll
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
    fame = BY_PRESTIGE.at(noble.prestige if noble is not None else PLAIN_PRESTIGE)
    numbers = BY_NUMBERS.at(realm.stack_heads(mover) - realm.stack_heads(met))
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
        roll = realm.throw(LOYALTY_TO, known or REFEREE, met.army, mover.army)
        if rules.loyalty_test_mode != "die":
            counts["swing"] = -1 if roll.at_most(2) else int(roll.at_least(9))
    return read_scale(BANDS[rules.neutral_band], counts, level=level, roll=roll, low=1, high=10)
