"""Small campaigns of Incursio in memory: cells, lines, bands, structures in; what a phase came to out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Order, Question, Rule
from assistant.rulesets.incursio import records
from assistant.rulesets.incursio.realm import Camp
from assistant.rulesets.incursio.ruleset import INCURSIO
from assistant.turn.findings import Finding
from assistant.turn.phases import resolve
from tests.incursio.scenario import SECRET, esdef
from tests.playing import PlayedCase, by_key, named_dice

E, V = "esdef", "varannah"
LEVELS = {1: "02 01", 2: "02*2 01 03", 3: "02*3 01 03 04 07 21", 4: "02*4 01 03 04 05 07 10 11 21 22"}
"""The structures that make a settlement of a level, and no more."""
OWN = (records.Node, records.Road, records.Army, records.Structure, records.Work, records.Mission, records.Portal,
       records.Observation, records.Day, records.Objective, records.Battle, Order, Question, Die, Rule)


@cache
def _bare() -> Campaign:
    """The tables of the book and the twelve players, and nothing else."""
    campaign = esdef()
    for record in OWN:
        table = campaign.table(record)
        for key in list(table.keys_in_file_order()):
            table.remove(key)
    return campaign


class Case(PlayedCase):
    """A campaign of a few cells in one phase.

    `towns`: cell -> level, or the ids of its structures; `ruins`: cell -> level; `lines`: ``1-2 2=3`` (``=`` is red);
    `bands`: cell -> ``garrison/outside`` of soldiers, or units of demons (``Tr As r5`` return on day 5).
    """

    def __init__(self, phase: str, lines: str = "1-2", *, day: int = 5, first: str = E,
                 towns: Mapping[int, int | str] | None = None, ruins: Mapping[int, int] | None = None,
                 soldiers: Mapping[int, str] | None = None, demons: Mapping[int, str] | None = None, cells: int = 0,
                 **rules: object) -> None:
        super().__init__(_bare().copy())
        desk = self.campaign.desk
        desk.turn, desk.phase = str(day), phase
        last = max(cells, *(int(n) for line in lines.split() for n in line.replace("=", "-").split("-")))
        for n in range(1, last + 1):
            self.add(records.Node(node=str(n), x=n, y=0))
        for line in lines.split():
            a, b = line.replace("=", "-").split("-")
            self.add(records.Road(a=a, b=b, kind="red" if "=" in line else "grey"))
        self.add(records.Day(turn=str(day), first=first))
        for n, town in (towns or {}).items():
            self._town(str(n), town)
        for n, level in (ruins or {}).items():
            node = self.row("Nodes", str(n))
            node.kind, node.level, node.ruined_on = "ruin", level, day - 1
        for n, text in (soldiers or {}).items():
            garrison, _, outside = text.partition("/")
            self._band(str(n), E, garrison, "garrison")
            self._band(str(n), E, outside, "open")
        for n, text in (demons or {}).items():
            units, _, day_of = text.partition(" r")
            self._band(str(n), V, units, "open", int(day_of) if day_of else None)
        for key, value in rules.items():
            self.add(Rule(key=key, value=value))

    def add(self, row: Any) -> Any:
        """One more row."""
        return self.campaign.table(type(row)).add(row)

    def set(self, sheet: str, key: str, **fields: Any) -> Case:
        """Other values of a row."""
        for name, value in fields.items():
            setattr(self.row(sheet, key), name, value)
        return self

    def _town(self, node: str, town: int | str) -> None:
        level = town if isinstance(town, int) else 0
        for word in (LEVELS[town] if isinstance(town, int) else town).split():
            if word.startswith("L"):
                level = int(word[1:])
                continue
            code, _, copies = word.partition("*")
            self.add(records.Structure(node=node, structure=code, copies=int(copies or 1)))
        if level:
            self.set("Nodes", node, kind="settlement", level=level)

    def _band(self, node: str, faction: str, units: str, posture: str, returns: int | None = None) -> None:
        if units.strip():
            day = f"-r{returns}" if returns is not None else ""
            self.add(records.Army(army=f"{faction[0].upper()}{int(node):02}{posture[0]}{day}", faction=faction,
                                 node=node, posture=posture, units=units.replace(" ", ""), returns_on=returns))

    def order(self, line: str, faction: str = E, **columns: Any) -> Case:
        """A line as somebody writes it, and columns beside it."""
        number = f"o{len(self.campaign.table(Order)) + 1}"
        said = {"turn": self.campaign.desk.turn, "text": line, **columns}
        self.add(records.Order(order=number, phase="day", faction=faction, **said))
        return self

    def columns(self, faction: str = E, **columns: Any) -> Case:
        """An order in its columns."""
        return self.order("", faction, **columns)

    def throw(self, dice: Mapping[str, int] | None = None, /, **words: int) -> Case:
        """Dice of the table by their purposes, or as words: ``muster__3__1=2``."""
        for key, value in named_dice(dice or {}, words).items():
            self.add(Die(key=key, value=str(value)))
        return self

    def duel(self, battle: str, stage: str, att: str, defs: str, round: int = 1) -> Case:
        """The dice of a stage, both lines from the left; ``-`` for who does not throw."""
        for side, faces in (("att", att), ("def", defs)):
            for place, face in enumerate(faces, 1):
                if face != "-":
                    self.throw({f"battle/{battle}/{round}/{stage}/{side}/{place}": int(face)})
        return self

    def play(self, phases: int = 1, **answers: str) -> Case:
        """The phase, or several; `answers`: name of the question with ``_`` for points."""
        for _ in range(phases):
            given = {key.lstrip("_").replace("_", "."): value for key, value in answers.items()}
            self.outcomes.append(resolve(INCURSIO, self.campaign, SECRET, given))
            self.campaign = self.last.campaign
        return self

    # --- what it came to ----------------------------------------------------------------------------
    battle = by_key(records.Battle)

    @property
    def all_findings(self) -> list[Finding]:
        """What the last phase found."""
        return self.last.findings

    @property
    def came_to(self) -> list[str]:
        """Of each order its outcome, or its status where it has none."""
        return [row.outcome or row.status for row in self.campaign.table(records.Order)]

    @property
    def bands(self) -> dict[str, str]:
        """The bands as they stand."""
        return {row.army: row.units for row in self.campaign.table(records.Army)}

    def at(self, node: int, faction: str = E) -> str:
        """The units of a faction in a cell: garrison, a stroke, outsiders."""
        camp = Camp(self.campaign.table(records.Army))
        garrison = "".join(unit.code for unit in camp.garrison(str(node))) if faction == E else ""
        outside = "".join(unit.code for unit in camp.outside(str(node), faction))
        return f"{garrison}/{outside}" if faction == E else outside

    def seen(self, faction: str, node: int) -> list[tuple[str, int | None, str, int]]:
        """What a faction knows of a cell: kind, position, what, day."""
        return sorted(((row.kind, row.position, row.what, row.seen_on)
                       for row in self.campaign.table(records.Observation)
                       if (row.faction, row.node, row.state) == (faction, str(node), "current")), key=str)
