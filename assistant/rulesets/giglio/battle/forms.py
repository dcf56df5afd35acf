"""The form of a battle's result: columns of Battles, checked in the order 105, 110, 104, 103.

See rulebook: The form of a result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from assistant.campaign import records as base
from assistant.dataclass import dataclass
from assistant.rulesets.giglio.book.records import Army, Battle
from assistant.rulesets.giglio.book.tables import Numbers
from assistant.rulesets.giglio.war.war import up
from assistant.turn.battle_form.declaration import BattleForm, Fault, Filled, Whole, Word

SIDES = ("a", "b")
REARGUARD = ("rearguard_value", "pursuer_value", "units_exited", "units_lost")


@dataclass
class Fought:
    """A battle with the armies that fought it and what came of it."""

    row: Battle
    armies: dict[str, list[Army]]
    rules: Numbers
    winner: str = ""
    losses: dict[str, int] | None = None

    @property
    def rearguard(self) -> bool:
        """Whether it is a rearguard action: side a pursues, side b tries to get away."""
        return _is_rearguard(self.row)

    def faction(self, side: str) -> str:
        """The code of side a or b."""
        return self.row.side_a if side == "a" else self.row.side_b

    def value(self, side: str) -> int:
        """Ducats of the side when it chose."""
        return int((self.row.value_a if side == "a" else self.row.value_b) or 0)


def _engaged(filled: Filled[Fought], side: str) -> int:
    """The ducats that a side had on the table: what it can lose."""
    if not filled.battle.rearguard:
        return filled.battle.value(side)
    return int(filled.typed("pursuer_value" if side == "a" else "rearguard_value"))


def _losses(side: str) -> Whole[Fought]:
    def facts(filled: Filled[Fought]) -> Mapping[str, Any]:
        return {"max": _engaged(filled, side), "side": filled.battle.faction(side)}

    return Whole(f"losses_{side}", side, "GIG-103", facts, most=partial(_engaged, side=side))


def _is_rearguard(row: base.Battle) -> bool:
    return getattr(row, "type", "") == "rearguard"


# --- who has won ----------------------------------------------------------------------------------
def _off_the_table(filled: Filled[Fought]) -> str:
    return "b" if int(filled.typed("units_exited")) > int(filled.typed("units_lost")) else "a"


def _winner(filled: Filled[Fought], typed: str) -> str:
    """A side by its faction's code."""
    return {filled.battle.faction(side): side for side in SIDES}.get(typed.upper(), "")


class _Winner(Word[Fought]):
    """Who has won: as it is typed; in a rearguard action as the figures say."""

    def value(self, filled: Filled[Fought]) -> str | None:
        """a, b or draw."""
        told = filled.battle.rearguard and all(filled[name] is not None for name in REARGUARD)
        return _off_the_table(filled) if told else super().value(filled)


def _rearguard_figures(filled: Filled[Fought]) -> Iterator[Fault]:
    """GIG-105: the figures of a rearguard action are there and within their bounds."""
    fight, rules = filled.battle, filled.battle.rules
    if not fight.rearguard:
        return
    least, most = up(fight.value("b"), rules.rearguard_pct), 0
    good = all(filled[name] is not None for name in REARGUARD)
    if good:
        most = min(fight.value("a"), rules.rearguard_pursuer_x * filled["rearguard_value"])
        good = least <= filled["rearguard_value"] <= fight.value("b") and filled["pursuer_value"] <= most
    if not good:
        most = most or min(fight.value("a"), rules.rearguard_pursuer_x * fight.value("b"))
        yield Fault("GIG-105", "rearguard_value", {"min": least, "value": fight.value("b"), "max": most})


def _winner_off_the_table(filled: Filled[Fought]) -> Iterator[Fault]:
    """GIG-110: a winner that is typed is the one whom the figures of a rearguard action name."""
    if not filled.battle.rearguard:
        return
    side, typed = _off_the_table(filled), str(filled.typed("winner")).strip().lower()
    if typed and typed not in (side, filled.battle.faction(side).lower()):
        yield Fault("GIG-110", "winner", {"exited": filled.typed("units_exited"), "lost": filled.typed("units_lost"),
                                          "side": side})


FORM: BattleForm[Fought] = BattleForm(
    "battle_result",
    (_Winner("winner", told="GIG-104", words={"a": "a", "b": "b", "draw": "draw", "pari": "draw"}, reads=_winner),
     _losses("a"), _losses("b"), *(Whole(name, "a" if name == "pursuer_value" else "b", when=_is_rearguard)
                                    for name in REARGUARD)),
    line=("winner", "losses_a", "losses_b"),
    dice=("mode", "auto"),
    decisive=("mode", "winner", "losses_a", "losses_b", *REARGUARD),
    checks=(_rearguard_figures, _winner_off_the_table, "winner", "losses_a", "losses_b"),
    first_only=True)

__all__ = ["FORM", "SIDES", "Fought"]
