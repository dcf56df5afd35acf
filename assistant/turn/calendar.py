"""The calendar of a rulebook: turns and their phases in the order of play."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from assistant.campaign.tables import natural
from assistant.turn.game import Phase

OVER = "over"
"""The Desk's phase when nothing is left to resolve."""


class Turns(NamedTuple):
    """The names of turns and their order: whole numbers (``1500``), or seasons of numbered years (``987Sp``).

    `number`: a regular expression for the number; `seasons`: their words in the order of a year, () for none.
    """

    number: str = r"\d+"
    seasons: tuple[str, ...] = ()

    @property
    def pattern(self) -> str:
        """A regular expression that every turn matches."""
        return f"{self.number}(?:{'|'.join(map(re.escape, self.seasons))})" if self.seasons else self.number

    def season(self, turn: str) -> str:
        """The season of a turn; "" if turns have none."""
        return next((word for word in self.seasons if turn.endswith(word)), "")

    def year(self, turn: str) -> str:
        """The number of a turn."""
        return turn.removesuffix(self.season(turn))

    def key(self, turn: str) -> tuple[tuple[int, int, str], ...]:
        """Sort key: earlier turns come first, by number and then by season, whatever the seasons are called."""
        season = self.season(turn)
        return (*natural(self.year(turn)), (1, self.seasons.index(season), "")) if season else natural(turn)

    def canonical_turn(self, text: str) -> str:
        """A turn typed as year and season in any case, with blanks or a comma between; other text unchanged."""
        words = [word for word in self.seasons if text.casefold().endswith(word.casefold())]
        year = text[:-len(words[0])].rstrip(" ,") if words else ""
        return f"{year}{words[0]}" if words and re.fullmatch(self.number, year) else text

    @property
    def first(self) -> str:
        """The first turn of a campaign that does not say otherwise; "" if 1 is no valid number."""
        turn = f"1{next(iter(self.seasons), '')}"
        return turn if re.fullmatch(self.pattern, turn) else ""

    def after(self, turn: str) -> str:
        """The following turn. Raises ValueError for text that is no turn."""
        if re.fullmatch(self.pattern, turn) is None:
            raise ValueError(f"{turn!r} is no turn")
        number, season = int(self.year(turn)), self.season(turn)
        if not season:
            return str(number + 1)
        place = self.seasons.index(season) + 1
        return f"{number}{self.seasons[place]}" if place < len(self.seasons) else f"{number + 1}{self.seasons[0]}"


class Calendar(NamedTuple):
    """Turns and their phases in the order of play.

    `turn`: the phases of each turn; `before`: those of an extra turn before the first, called `start`; `after`: those
    of an extra turn after the last; `early`: phases outside the order of play, which end the campaign whenever the
    referee says so (`Ruleset.closing`); `chapters`: id of a phase -> its month or season, in English and Italian, for
    reports of many rounds (for phases not named here see `chapter`).
    """

    turn: tuple[Phase, ...] = ()
    turns: Turns = Turns()
    before: tuple[Phase, ...] = ()
    start: str = ""
    after: tuple[Phase, ...] = ()
    early: tuple[Phase, ...] = ()
    chapters: Mapping[str, tuple[str, str]] = MappingProxyType({})

    @property
    def first(self) -> str:
        """The turn with which a campaign begins by default."""
        return self.start if self.before else self.turns.first

    def phases(self) -> dict[str, Phase]:
        """All phases by id, in the order of play. Raises ValueError if an id is declared twice."""
        listed = (*self.before, *self.turn, *self.after, *self.early)
        by_id = {phase.id: phase for phase in listed}
        if len(by_id) < len(listed) or OVER in by_id:
            raise ValueError(f"an id is declared twice, or is {OVER!r}: {[phase.id for phase in listed]}")
        return by_id

    def phase_id(self, word: str) -> str:
        """The id of the phase with this id or name, in either language and any case; the word itself if there is no
        such phase, or more than one.
        """
        casefold = word.strip().casefold()
        phases = {phase.id for phase in self.phases().values()
                  if casefold in (phase.id.casefold(), *(phase.name(lang).casefold() for lang in ("en", "it")))}
        return phases.pop() if len(phases) == 1 and word not in self.phases() else word

    def of(self, turn: str) -> tuple[Phase, ...]:
        """The phases of a turn that is neither the last nor after it."""
        if self.before and turn in ("", self.start):
            return self.before
        season = self.turns.season(turn)
        return tuple(phase for phase in self.turn if not phase.only or season in phase.only)

    def chapter(self, turn: str, phase: str, lang: str) -> str:
        """The part of a turn under which a report of many rounds lists a phase; "" for the turn itself.

        Without an entry in `chapters` it is the part of the phase's name before the colon, provided that the phases of
        the turn read orders of several rounds.
        """
        if phase in self.chapters:
            return self.chapters[phase][lang == "it"]
        shown = self.phases().get(phase)
        rounds = {phase.orders for phase in self.of(turn)} - {""}
        return shown.name(lang).split(":")[0] if shown is not None and len(rounds) > 1 else ""

    def follows(self, turn: str, phase: str, last: Callable[[], bool]) -> tuple[str, str]:
        """Turn and phase after a resolved one; `last`: called if it matters whether this turn is the last.

        Raises ValueError for a phase that does not belong to the turn.
        """
        if phase in [phase.id for phase in self.early]:
            return turn, OVER
        own = [phase.id for phase in self.of(turn)]
        tail = [phase.id for phase in self.after]
        line = tail if phase in tail else own
        place = line.index(phase) + 1
        if place < len(line):
            return turn, line[place]
        ends = line is tail or last()
        if ends and (line is tail or not tail):
            return turn, OVER
        there = self.turns.after(turn or self.start)
        return there, tail[0] if ends else self.of(there)[0].id
