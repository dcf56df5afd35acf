"""How the kinds of throw of The Anarchy are called where luck is counted, by the first word of their purpose."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.ruleset import RollKind
from assistant.turn.texts import N_

ROLLS: Mapping[str, RollKind] = {one.word: one for one in (
    RollKind("weather", N_("Weather of the year")),
    RollKind("season", N_("Season of the year")),
    RollKind("healing", N_("The wounded in care")),
    RollKind("promise", N_("Mercenaries who wait for their loot")),
    RollKind("grumble", N_("Mercenaries who grumble")),
    RollKind("share", N_("Mercenaries content with their share")),
    RollKind("activation", N_("Order of march among equals")),
    RollKind("loyalty", N_("Loyalty")),
    RollKind("refusal", N_("Refusals to fight")),
    RollKind("auto", N_("Umpire's dice in battles")),
    RollKind("surrender", N_("Castles that surrender")),
    RollKind("massacre", N_("Defenders put to the sword")),
)}

__all__ = ["ROLLS"]
