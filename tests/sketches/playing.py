"""Orders, answers and dice of a phase in, what it came to out; and what every sketch promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die
from assistant.testing import kit
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.sweeps import slow_among

SECRET = bytes(range(32))


class Play:
    """A campaign of a sketch at its start, to be changed and played."""

    def __init__(self, ruleset: Ruleset) -> None:
        (folder,) = Path(ruleset.homes()[0].folder, "scenarios").iterdir()
        self.ruleset, self.campaign = ruleset, kit.opening(ruleset, folder)

    def set(self, **rows: dict[str, Any]) -> Play:
        """Other values of rows, by their codes, in whatever table they stand."""
        for key, fields in rows.items():
            (row,) = (row for table in self.campaign.tables().values() if (row := table.get(key)) is not None)
            for name, value in fields.items():
                row.column(name)
                setattr(row, name, value)
        return self

    def order(self, faction: str, *lines: str) -> Play:
        """Lines as a club sends them, for the present phase."""
        table, desk = self.campaign.by_sheet("Orders"), self.campaign.desk
        for line in lines:
            table.add(table.record(order=f"{faction}{len(table) + 1}", turn=desk.turn, faction=faction, text=line,
                                   phase=self.ruleset.phase(desk.phase).orders))
        return self

    def dice(self, **typed: int | str) -> Play:
        """Dice of the table: purpose, ``_`` for its colons, and what was typed."""
        for key, value in typed.items():
            table = self.campaign.table(Die)
            table.add(table.record(key=key.replace("_", ":"), value=str(value)))
        return self

    def resolve(self, **answers: str) -> Outcome:
        """The phase; the play goes on with what came of it. `answers`: name of the question with ``_`` for points."""
        outcome = resolve(self.ruleset, self.campaign, SECRET, {k.lstrip("_").replace("_", "."): v
                                                                for k, v in answers.items()})
        self.campaign = outcome.campaign
        return outcome


def lines(ruleset: Ruleset, outcome: Outcome) -> list[str]:
    """What a phase told, in words."""
    return [Wording(ruleset, "en").event(event) for event in outcome.events]


@slow_among("test_robots_play_to_the_end", "test_export_and_import_change_nothing",
            "test_every_verb_stands_whoever_orders_it")
class Promises(kit.Promises):
    """What every ruleset promises, of a sketch: whole campaigns and workbooks in the slow part."""

    seeds = (0,)
    phases = 5
    tried, processes = (4, 6), False

    def opening(self) -> Campaign:
        """The scenario that it brings."""
        return Play(self.ruleset).campaign
