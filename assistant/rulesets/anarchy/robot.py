"""A club that is absent: legal orders and answers, from what it may know alone (digest, section 10)."""

from __future__ import annotations

from assistant.campaign.records import Question
from assistant.rulesets.anarchy.realm import Realm
from assistant.rulesets.anarchy.records import Order


def orders(realm: Realm, faction: str) -> list[Order]:
    """The robot's rows for the day."""
    return []


def answer(realm: Realm, faction: str, question: Question) -> str:
    """What the robot says."""
    return question.default
