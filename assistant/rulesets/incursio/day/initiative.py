"""Who is first today: two dice in, the first side out (rulebook: Initiative)."""

from __future__ import annotations

from assistant.rulesets.incursio.book.tables import INITIATIVE
from assistant.rulesets.incursio.realm.realm import BOTH, Realm
from assistant.turn.throws.rulings import Contest


def initiative(realm: Realm) -> None:
    """T1: each side throws, ties again; the higher is first, and has no choice."""
    attempt = 1
    while True:
        dice = Contest({side: realm.score(INITIATIVE(realm.game.turn, side, attempt, dice=realm.rules.initiative_dice))
                        for side in BOTH})
        if dice.winner:
            break
        attempt += 1
    day = realm.day
    day.first = str(dice.winner)
    rolls = [dice.scores[side].total for side in BOTH]
    realm.tell("initiative", "all", "T1", roll=dice, touch=[day], first=day.first, rolls=rolls)
