"""How the kinds of throw of The Anarchy are called where luck is counted, by the first word of their purpose."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.rulesets.anarchy.records import RANKS
from assistant.turn.ruleset import RollKind
from assistant.turn.texts import N_

_BY_RANK = tuple(f"/{rank}-{{n}}" for rank in RANKS)


def _kind(word: str, title: str, *about: str, dice: str = "1d10") -> RollKind:
    """A kind of throw. `about`: what follows the word in its purposes; a throw that comes again is told by ``#2``."""
    shapes = tuple(word + one for one in about)
    return RollKind(word, title, "", dice, (*shapes, *(f"{shape}#{{n}}" for shape in shapes)))


ROLLS: Mapping[str, RollKind] = {one.word: one for one in (
    _kind("weather", N_("Weather of the year"), ""),
    _kind("season", N_("Season of the year"), ""),
    _kind("healing", N_("The wounded in care"), "/{Wounded*}"),
    _kind("promise", N_("Mercenaries who wait for their loot"), "/{Armies*}"),
    _kind("grumble", N_("Mercenaries who grumble"), "/{Armies*}"),
    _kind("share", N_("Mercenaries content with their share"), "/{Armies*}"),
    _kind("activation", N_("Order of march among equals"), "/{Armies*}", dice="1d100"),
    _kind("loyalty", N_("Loyalty"), "/{Armies*}/{Armies*}"),
    _kind("refusal", N_("Refusals to fight"), *("/{Armies*}" + one for one in (*_BY_RANK, "/{Nobles}"))),
    _kind("auto", N_("Umpire's dice in battles"), "/{Battles*}/attacker", "/{Battles*}/defender",
          "/{Battles*}/{Nobles}"),
    _kind("surrender", N_("Castles that surrender"), "/{Places*}"),
    _kind("massacre", N_("Defenders put to the sword"), *("/{Places*}" + one for one in (*_BY_RANK, "/{Nobles}"))),
)}

BATTLES = ("B{turn}-{n}",)
"""Codes of battles: numbered through the day."""

__all__ = ["BATTLES", "ROLLS"]
