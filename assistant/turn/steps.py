"""A phase as the list of its steps, of which some are the part that is judged before it is resolved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistant.turn.board import Board
from assistant.turn.game import Game
from assistant.turn.rows.chests import Chest

Judged = Literal["", "together", "alone", "forms"]


@dataclass(frozen=True)
class Step:
    """One step of a phase: a function of the board that the phase is played on.

    `judged`: whether *Check orders* runs it, on a copy on which no die is thrown and no answer guessed. ``together``:
    for all factions at once, as the phase does; ``alone``: for each faction by itself, on `board.alone(faction)`, as if
    nobody else moved; ``forms``: as what reads the forms of battles, also before the phase has come.
    """

    run: Callable[[Any], None]
    judged: Judged = ""


@dataclass(frozen=True)
class Phase:
    """The smallest thing that is resolved: one function of the game, or steps on a board.

    `rule`: keys of `Ruleset.citations`; `orders`: the word in Orders' column For; "": none taken; `waits_for`: kinds of
    question it may put; `takes`: the word by which verbs declare that they may be given (`when`), where it is not that
    of the column For; `board`: makes of the game what the steps are played on; `only`: the seasons in whose turns it
    comes; (): in all; `robots_anew`: robots are asked what they order in this phase although they have given orders
    under its word before, so that they give in each phase what it takes; `chests`: of a board and a faction, what its
    orders are paid from, as a form counts it.
    """

    id: str
    name_en: str
    name_it: str
    rule: str
    run: Callable[[Game], None] | None = None
    orders: str = ""
    waits_for: tuple[str, ...] = ()
    takes: str = ""
    board: Callable[[Game], Any] = Board
    steps: tuple[Step, ...] = ()
    only: tuple[str, ...] = ()
    robots_anew: bool = False
    chests: Callable[[Any, str], Sequence[Chest]] | None = None

    def name(self, lang: str) -> str:
        """The name in a language."""
        return self.name_it if lang == "it" else self.name_en

    def play(self, game: Game) -> None:
        """All of it, from the first step to the last."""
        if self.run is not None:
            self.run(game)
        if self.steps:
            board = self.board(game)
            for step in self.steps:
                step.run(board)
