"""The board on which the phases of a day are played: tables by name, places and what they are, who is first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from assistant.campaign.order import natural
from assistant.campaign.record import Record
from assistant.rulesets.incursio.book import records, sheets
from assistant.rulesets.incursio.book.sheets import ESDEF, VARANNAH, Node
from assistant.rulesets.incursio.book.tables import Numbers
from assistant.rulesets.incursio.realm.camp import Camp
from assistant.turn.board import Board, Sheet
from assistant.turn.game import Game
from assistant.turn.orders.request import Request

BOTH = (ESDEF, VARANNAH)
OTHER = {ESDEF: VARANNAH, VARANNAH: ESDEF}
LETTER = {ESDEF: "E", VARANNAH: "V"}
HOME = {ESDEF: "settlement", VARANNAH: "ruin"}
"""The kind of place that each side holds."""


def cell(node: str) -> int | str:
    """A cell as events tell it: a number, where its code is one."""
    return int(node) if node.isdecimal() else node


class Realm(Board):
    """One run of one phase of Incursio."""

    rules: Numbers
    factions, players, nodes = Sheet(sheets.Faction), Sheet(sheets.Player), Sheet(Node)
    structures, works, missions = Sheet(sheets.Structure), Sheet(sheets.Work), Sheet(sheets.Mission)
    portals, seen, days = Sheet(sheets.Portal), Sheet(sheets.Observation), Sheet(sheets.Day)
    battles, orders = Sheet(sheets.Battle), Sheet(sheets.Order)
    levels, types, ruins = Sheet(records.Level), Sheet(records.StructureType), Sheet(records.RuinLevel)
    powers, spies, mission_types = Sheet(records.Power), Sheet(records.SpyChance), Sheet(records.MissionType)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.taken: list[Request] = []
        """The lines that the judged steps of the phase have accepted."""
        self.plans: dict[str, Any] = {}
        """What the accepted lines came to, by the code of the order."""

    @cached_property
    def camp(self) -> Camp:
        """The units on the map."""
        return Camp(self.campaign.table(sheets.Army))

    # --- the day --------------------------------------------------------------------------------------
    @property
    def today(self) -> int:
        """The number of the day."""
        return int(self.game.turn)

    @property
    def day(self) -> sheets.Day:
        """The row of the day, made where it is missing."""
        return self.days.get(self.game.turn) or self.days.add(sheets.Day(turn=self.game.turn))

    @property
    def is_next(self) -> bool:
        """Whether the phase is the one that the Desk stands at: what belongs to later ones is judged then."""
        return self.game.phase == self.campaign.desk.phase

    def side(self, place: int) -> str:
        """The faction that is first (0) or second (1) today; "" before the initiative."""
        first = self.day.first
        return "" if not first else first if place == 0 else OTHER[first]

    @property
    def power(self) -> int:
        """The step of power of the raiders."""
        return self.factions[VARANNAH].power_step or 0

    def power_row(self, step: int) -> records.Power:
        """The row of a step of power."""
        return self.powers[str(step)]

    def of_player(self, player: str) -> str:
        """The faction of a player, "" for nobody's."""
        row = self.players.get(player)
        return row.faction if row is not None else ""

    def general(self, faction: str) -> str:
        """The code of a faction's general."""
        return next((row.player for row in self.players if row.faction == faction and row.role == "general"), "")

    # --- what stands where -----------------------------------------------------------------------------
    def standing(self, node: str) -> Counter[str]:
        """The structures of a cell, each with its copies."""
        return Counter({row.structure: row.copies for row in self.structures.where(lambda row: row.node == node)})

    def in_work(self, node: str) -> list[sheets.Work]:
        """The works of a cell that go on."""
        return self.works.where(lambda row: row.node == node and row.state == "in_progress")

    def effects(self, node: str, effect: str) -> dict[str, int]:
        """What the structures of a cell do of one kind: structure -> the value of one copy."""
        there = self.standing(node)
        return {row.structure: int(row.effect_value or 0) for row in self.types
                if row.effect == effect and there[row.structure]}

    def is_site(self, node: str) -> bool:
        """Whether something stands or is built on a bare cell."""
        return self.nodes[node].kind == "empty" and bool(self.standing(node) or self.in_work(node))

    def is_home(self, node: str, faction: str) -> bool:
        """Whether a cell is a settlement of the defenders, or a ruin of the raiders."""
        return self.nodes[node].kind == HOME[faction]

    def homes(self, faction: str) -> list[Node]:
        """The settlements, or the ruins."""
        return [row for row in self.nodes if row.kind == HOME[faction]]

    def level(self, node: Node) -> records.Level:
        """The level of a settlement."""
        return self.levels[str(node.level if node.kind == "settlement" else 0)]

    def ruin(self, node: Node) -> records.RuinLevel:
        """The level of a ruin, the highest one where it is said to be beyond that."""
        return self.ruins.get(str(node.level)) or max(self.ruins, key=lambda row: int(row.level))

    def requires(self, level: int) -> Counter[str]:
        """The structures that the step to a level asks for; of level 3 as the switch has it."""
        listed = Counter(self.levels[str(level)].requires.split())
        switch = self.rules.lvl3_req
        if level == 3 and switch != "21" and listed["21"]:
            listed -= Counter(["21"])
            listed += Counter(["19"] if switch == "19_ignore_levels" else [])
        return listed

    def level_of(self, there: Counter[str]) -> int:
        """The highest level whose steps are all there; the lists add up."""
        asked, reached = Counter[str](), 0
        for level in range(1, max(int(key) for key in self.levels.keys_in_file_order()) + 1):
            asked += self.requires(level)
            if asked - there:
                break
            reached = level
        return reached

    def overfull(self, node: str, garrison: Iterable[str]) -> bool:
        """Whether a garrison is over the room of its settlement (TS 07, 17, 18)."""
        units = Counter(garrison)
        each = self.effects(node, "garrison_room_FA").get("07", 0)
        archers = max(0, units["A"] - sum(self.effects(node, "garrison_room_A").values()))
        cavalry = max(0, units["C"] - sum(self.effects(node, "garrison_room_C").values()))
        if self.rules.limit_share == "each":
            others = max(0, units["F"] - each) + max(0, archers - each)
        else:
            others = max(0, units["F"] + archers - each)
        return others + cavalry > self.level(self.nodes[node]).garrison

    def no_stables(self, node: str, garrison: Iterable[str]) -> bool:
        """Whether cavalry is in garrison that may not be there (TS 06)."""
        return ("C" in list(garrison) and self.rules.garrison_cavalry_needs_06 == "yes"
                and not self.effects(node, "garrison_cavalry"))

    def room(self, node: str) -> int:
        """How many units a garrison takes at its widest, for telling."""
        more = sum(sum(self.effects(node, f"garrison_room_{types}").values()) for types in ("FA", "A", "C"))
        return self.level(self.nodes[node]).garrison + more

    def income(self) -> dict[str, int]:
        """What each settlement earns a day."""
        return {node.node: self.level(node).income + sum(
            value * self.standing(node.node)[structure]
            for structure, value in self.effects(node.node, "income").items()) for node in self.homes(ESDEF)}

    # --- dice that choose, and what is written ---------------------------------------------------------
    def bands_changed(self, faction: str) -> list[Record | str]:
        """Write the bands; the rows of a faction that changed, for the event that tells of them."""
        for side, rows in self.camp.written().items():
            self._bands.setdefault(side, []).extend(rows)
        return self._bands.pop(faction, [])

    @cached_property
    def _bands(self) -> dict[str, list[Any]]:
        return {}

    def sorted_cells(self, cells: Iterable[str]) -> Iterator[str]:
        """Cells in rising order, each once."""
        return iter(sorted(set(cells), key=natural))

    def neighbours(self, node: str, faction: str) -> list[str]:
        """The cells one line away that a side can reach: soldiers by grey lines only."""
        return self.game.map.neighbours(node, *(("grey",) if faction == ESDEF else ()))

    def reach(self, a: str, b: str, faction: str) -> bool:
        """Whether a unit comes from a to b in one movement."""
        near, done = {a}, {a}
        for _ in range(self.rules.moves_per_moment):
            near = {there for here in near for there in self.neighbours(here, faction)} - done
            done |= near
        return b in done - {a}
