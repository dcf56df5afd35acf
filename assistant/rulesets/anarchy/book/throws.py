"""What dice are thrown for in The Anarchy, and how the kinds of throw are called where luck is counted."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rulesets.anarchy.book.records import RANKS
from assistant.turn.texts import N_
from assistant.turn.throws.kinds import Purpose, RollKind, by_word

_EACH_MAN = f"{{{'|'.join(RANKS)}}}-{{n}}"


def _d10(shape: str, dice: str = "1d10") -> Purpose:
    """A purpose; a throw that comes again in one phase is told by ``#2``."""
    return Purpose(shape, dice, "#{n}")


WEATHER_OF_YEAR = _d10("weather")
SEASON_OF_YEAR = _d10("season")
HEALING_OF = _d10("healing/{Wounded*}")
PROMISE_KEPT = _d10("promise/{Armies*}")
GRUMBLING = _d10("grumble/{Armies*}")
SHARE_OF_LOOT = _d10("share/{Armies*}")
MARCHING_FIRST = _d10("activation/{Armies*}", "1d100")
LOYALTY_TO = _d10("loyalty/{Armies*}/{Armies*}")
REFUSAL_OF_MAN = _d10("refusal/{Armies*}/" + _EACH_MAN)
REFUSAL_OF_NOBLE = _d10("refusal/{Armies*}/{Nobles}")
UMPIRE_OF_SIDE = _d10("auto/{Battles*}/{attacker|defender}")
UMPIRE_OF_NOBLE = _d10("auto/{Battles*}/{Nobles}")
SURRENDER_OF = _d10("surrender/{Places*}")
MASSACRE_OF_MAN = _d10("massacre/{Places*}/" + _EACH_MAN)
MASSACRE_OF_NOBLE = _d10("massacre/{Places*}/{Nobles}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(N_("Weather of the year"), WEATHER_OF_YEAR),
    RollKind.of(N_("Season of the year"), SEASON_OF_YEAR),
    RollKind.of(N_("The wounded in care"), HEALING_OF),
    RollKind.of(N_("Mercenaries who wait for their loot"), PROMISE_KEPT),
    RollKind.of(N_("Mercenaries who grumble"), GRUMBLING),
    RollKind.of(N_("Mercenaries content with their share"), SHARE_OF_LOOT),
    RollKind.of(N_("Order of march among equals"), MARCHING_FIRST),
    RollKind.of(N_("Loyalty"), LOYALTY_TO),
    RollKind.of(N_("Refusals to fight"), REFUSAL_OF_MAN, REFUSAL_OF_NOBLE),
    RollKind.of(N_("Umpire's dice in battles"), UMPIRE_OF_SIDE, UMPIRE_OF_NOBLE),
    RollKind.of(N_("Castles that surrender"), SURRENDER_OF),
    RollKind.of(N_("Defenders put to the sword"), MASSACRE_OF_MAN, MASSACRE_OF_NOBLE),
)

BATTLES = ("B{turn}-{n}",)
"""Codes of battles: numbered through the day."""
