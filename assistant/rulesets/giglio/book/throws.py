"""What dice are thrown for in Il Giglio, and how the kinds of throw are called where luck is counted."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.turn.texts import N_
from assistant.turn.throws.kinds import Purpose, RollKind, by_word

_AGAIN = ":t{n}"
"""Behind a throw that equals repeat."""

SIEGE = Purpose("siege:{Nodes}:{turn}:{n}")
STORM = Purpose("storm:{turn}:{n}")
STORM_FLEET = Purpose("stormfleet:{Fleets*}:{turn}:{n}")
ORDER = Purpose("order:{Factions}:{turn}", "1d20", _AGAIN)
ORDER_OF_ROUND = Purpose("order:{Factions}:{turn}:{n}", "1d20", _AGAIN)
STRATEGOS = Purpose("strategos:{Factions}:{turn}", again=_AGAIN)
HAND = Purpose("hand:C{turn}.{n}.{Nodes}.{Factions}-{Factions}:{Factions}", again=_AGAIN)
SIDE = Purpose("side:{Battles*}:{Factions}", again=_AGAIN)
AUTO = Purpose("auto:{Battles*}:{Factions}", "2d6")
ASSASSIN = Purpose("assassin:{Specialists*}:{turn}:{n}")
EVENT = Purpose("event:{Factions}:{turn}")
EVENT_AGAIN = Purpose("event2:{Factions}:{turn}")
EVENT_TABLE = Purpose("eventtable:{Factions}:{turn}")
LOT = Purpose("lot:{Factions}:{turn}", "")
EPIDEMIC_LOSS = Purpose("epidemic:{Armies*}.{n}:{turn}")
EPIDEMIC_GARRISON = Purpose("epidemic:{Nodes}.garrison:{turn}")

ROLLS: Mapping[str, RollKind] = by_word(
    RollKind.of(N_("Sieges"), SIEGE, by="besieger"),
    RollKind.of(N_("Weather at sea"), STORM),
    RollKind.of(N_("Fleets in a storm"), STORM_FLEET, by="faction"),
    RollKind.of(N_("Order of movement"), ORDER, ORDER_OF_ROUND),
    RollKind.of(N_("Equal bids for Strategos"), STRATEGOS),
    RollKind.of(N_("Who has the hand"), HAND),
    RollKind.of(N_("Choice of side and terrain"), SIDE),
    RollKind.of(N_("Umpire's dice in battles"), AUTO),
    RollKind.of(N_("Assassins"), ASSASSIN),
    RollKind.of(N_("Whether winter brings something"), EVENT),
    RollKind.of(N_("Whether winter brings something more"), EVENT_AGAIN),
    RollKind.of(N_("What winter brings"), EVENT_TABLE),
    RollKind.of(N_("Where misfortune strikes"), LOT),
    RollKind.of(N_("Losses to epidemics"), EPIDEMIC_LOSS, EPIDEMIC_GARRISON),
)

BATTLES = ("B{turn}.{n}.{Nodes}", "B{turn}.{n}.{Nodes}{b}")
"""Codes of battles: the second at one node in a round gets a b, the third a c."""
