"""What a robot supposes of what it cannot see: strength of groups and garrisons, their loyalty (digest, section 10)."""

from __future__ import annotations

from assistant.rulesets.anarchy.autos import garrison_value, stack_value
from assistant.rulesets.anarchy.loyalty import modifiers
from assistant.rulesets.anarchy.realm import ROYAL, Realm
from assistant.rulesets.anarchy.records import LETTERS, Army
from assistant.rulesets.anarchy.sheets import Place, Sighting
from assistant.rulesets.anarchy.tables import BANDS, COMPOSITION, LEVY, NOBLE_VALUE, VALUES

USUAL_HEADS = 10
FIRM = {ROYAL: 8}
FIRM_ANGEVIN = 2
"""The loyalty that is supposed of a group that has taken sides."""


def _last_seen(realm: Realm, army: Army) -> Sighting | None:
    rows = [s for s in realm.campaign.table(Sighting) if s.army == army.army]
    return max(rows, key=lambda s: s.turn, default=None)


def _of_men(text: str) -> int:
    return sum(VALUES[LETTERS[word[0]]] * int(word[1:]) for word in text.split() if word[:1] in LETTERS)


def usual_value() -> int:
    """What ten Normans and a noble are worth."""
    knights, foot, light, bows = COMPOSITION["norman"][USUAL_HEADS]
    return (knights * VALUES["knights"] + foot * VALUES["foot"] + light * VALUES["light"] + bows * VALUES["bows"]
            + NOBLE_VALUE)


def group_guess(realm: Realm, army: Army) -> int:
    """What a group is worth as far as one knows: as it stands beside us, as it was seen, or the usual."""
    if army.men:
        return stack_value(realm, army)
    seen = _last_seen(realm, army)
    if seen is not None:
        return _of_men(seen.men) + NOBLE_VALUE * len(seen.nobles.split())
    return usual_value()


def heads_guess(realm: Realm, army: Army) -> int:
    """How many they are as far as one knows."""
    if army.men:
        return realm.heads(army)
    seen = _last_seen(realm, army)
    return seen.heads if seen is not None else USUAL_HEADS


def garrison_guess(realm: Realm, place: Place) -> int:
    """What a garrison is worth as far as one knows."""
    return garrison_value(realm, place) if place.garrison else usual_value()


def levy_value(realm: Realm, place: Place) -> int:
    """What the levy of a village is worth by the resources that one knows."""
    peasants, light, foot = LEVY[max(0, min(10, place.resources))]
    if realm.monastic(place):
        peasants, light, foot = max(peasants // 2, int(place.resources >= 1)), light // 2, 0
    return peasants * VALUES["peasants"] + light * VALUES["light"] + foot * VALUES["foot"]


def seems_hostile(realm: Realm, mover: Army, met: Army) -> bool:
    """Whether a group that has taken sides would stand against us, supposing that it is firm in its loyalty."""
    side = realm.side(met.faction)
    level = FIRM.get(side, FIRM_ANGEVIN) + sum(modifiers(realm, mover, met).values())
    return BANDS[realm.rules.neutral_band].at(max(1, min(10, level))) == side


__all__ = ["garrison_guess", "group_guess", "heads_guess", "levy_value", "seems_hostile", "usual_value"]
