"""The order of play, declared as a list: in goes a turn and a phase, out comes what follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from assistant.campaign.order import natural
from assistant.turn.steps import Phase

OVER = "over"
"""What stands on the Desk as phase when nothing is left to resolve."""


@dataclass(frozen=True)
class Turns:
    """How turns are called and follow each other: whole numbers (``1500``), or seasons of numbered years (``987Sp``).

    `number`: regular expression of the number; `seasons`: their words in the order of a year, () for none.
    """

    number: str = r"\d+"
    seasons: tuple[str, ...] = ()

    @property
    def pattern(self) -> str:
        """A regular expression that every turn matches."""
        return f"{self.number}(?:{'|'.join(map(re.escape, self.seasons))})" if self.seasons else self.number

    def season(self, turn: str) -> str:
        """The season of a turn; "" where turns have none."""
        return next((word for word in self.seasons if turn.endswith(word)), "")

    def year(self, turn: str) -> str:
        """The number of a turn."""
        return turn.removesuffix(self.season(turn))

    def key(self, turn: str) -> tuple[tuple[int, int, str], ...]:
        """Sort key: earlier turns come first, by number and then by season, whatever the seasons are called."""
        season = self.season(turn)
        return (*natural(self.year(turn)), (1, self.seasons.index(season), "")) if season else natural(turn)

    def meant(self, text: str) -> str:
        """The turn of a year and a season in whatever case, with blanks or a comma between; other text as it is."""
        words = [word for word in self.seasons if text.casefold().endswith(word.casefold())]
        year = text[:-len(words[0])].rstrip(" ,") if words else ""
        return f"{year}{words[0]}" if words and re.fullmatch(self.number, year) else text

    @property
    def first(self) -> str:
        """The first turn of a campaign that does not say otherwise; "" where numbers do not begin with 1."""
        turn = f"1{next(iter(self.seasons), '')}"
        return turn if re.fullmatch(self.pattern, turn) else ""

    def after(self, turn: str) -> str:
        """The turn that follows. Raises ValueError for what is no turn."""
        if re.fullmatch(self.pattern, turn) is None:
            raise ValueError(f"{turn!r} is no turn")
        number, season = int(self.year(turn)), self.season(turn)
        if not season:
            return str(number + 1)
        place = self.seasons.index(season) + 1
        return f"{number}{self.seasons[place]}" if place < len(self.seasons) else f"{number + 1}{self.seasons[0]}"


@dataclass(frozen=True)
class Calendar:
    """Turns and their phases in the order of play.

    `turn`: the phases of each turn; `before`: those of a turn of its own that precedes the first, `start`;
    `after`: those of a turn of its own that follows the last one; `early`: those to which play never comes, as they
    end the campaign at whatever moment the referee says (`Ruleset.closing`); `chapters`: id of a phase -> its month or
    season, in English and Italian, for reports of many rounds (what is not named: `chapter`).
    """

    turn: tuple[Phase, ...] = ()
    turns: Turns = Turns()
    before: tuple[Phase, ...] = ()
    start: str = ""
    after: tuple[Phase, ...] = ()
    early: tuple[Phase, ...] = ()
    chapters: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def first(self) -> str:
        """The turn that a campaign begins with, where nothing else is said."""
        return self.start if self.before else self.turns.first

    def phases(self) -> dict[str, Phase]:
        """All phases by id, in the order of play. Raises ValueError when an id is declared twice."""
        listed = (*self.before, *self.turn, *self.after, *self.early)
        found = {phase.id: phase for phase in listed}
        if len(found) < len(listed) or OVER in found:
            raise ValueError(f"an id is declared twice, or is {OVER!r}: {[phase.id for phase in listed]}")
        return found

    def called(self, word: str) -> str:
        """The id of the phase that is called so, by its id or its name in either language, whatever the case; the
        word itself where no phase is, or more than one.
        """
        said = word.strip().casefold()
        found = {phase.id for phase in self.phases().values()
                 if said in (phase.id.casefold(), *(phase.name(lang).casefold() for lang in ("en", "it")))}
        return found.pop() if len(found) == 1 and word not in self.phases() else word

    def of(self, turn: str) -> tuple[Phase, ...]:
        """The phases of a turn that is neither the last nor after it."""
        if self.before and turn in ("", self.start):
            return self.before
        season = self.turns.season(turn)
        return tuple(phase for phase in self.turn if not phase.only or season in phase.only)

    def chapter(self, turn: str, phase: str, lang: str) -> str:
        """The part of a turn under which a report of many rounds tells of a phase; "" where that is the turn itself.

        Where `chapters` does not say it, it is what the phase's name says before its colon, if the phases of a turn
        read orders of several rounds.
        """
        if phase in self.chapters:
            return self.chapters[phase][lang == "it"]
        found = self.phases().get(phase)
        rounds = {one.orders for one in self.of(turn)} - {""}
        return found.name(lang).split(":")[0] if found is not None and len(rounds) > 1 else ""

    def follows(self, turn: str, phase: str, last: Callable[[], bool]) -> tuple[str, str]:
        """Turn and phase after one that is resolved; `last`: says, where it matters, whether this turn is the last.

        Raises ValueError for a phase that does not belong to the turn.
        """
        if phase in [one.id for one in self.early]:
            return turn, OVER
        own = [one.id for one in self.of(turn)]
        tail = [one.id for one in self.after]
        line = tail if phase in tail else own
        place = line.index(phase) + 1
        if place < len(line):
            return turn, line[place]
        ends = line is tail or last()
        if ends and (line is tail or not tail):
            return turn, OVER
        there = self.turns.after(turn or self.start)
        return there, tail[0] if ends else self.of(there)[0].id
