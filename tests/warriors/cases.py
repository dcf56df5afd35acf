"""How a case of Fantasy Warriors is written: the tables that matter, what is played, and what must then be true.

It is the form of the rulebook's worked examples: squares are neutral and open, Forces have one Unit of 10 average
figures, four peoples are at war, and what a case does not name has its default. `dice` are all that are thrown and no
others; `then` names fields of rows; `findings` are all that there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.rulesets.warriors import records
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.phases import Outcome, check_campaign, resolve
from tests.playing import PlayedCase, add_answer, add_row, by_key, named_dice

SECRET = b"a case"
FACTIONS = {"M": "men", "O": "orcs", "U": "undead", "D": "dwarfs"}
SQUARES = [f"{column}{row:02}" for column in "ABCDEFGH" for row in range(1, 8)]
Rows = Mapping[str, Mapping[str, Any]]


class Case(PlayedCase):
    """A campaign as a case gives it, played phase by phase."""

    def __init__(self, turn: int = 1, rules: Mapping[str, Any] | None = None, desk: Mapping[str, Any] | None = None,
                 **tables: Rows) -> None:
        super().__init__(Campaign(WARRIORS.records))
        self.dice: dict[str, Any] = {}
        self._put("Desk", {"ruleset": "warriors", "turn": turn, "title": "A case", **(desk or {})})
        given = {**tables, "rules": {key: {"value": value} for key, value in (rules or {}).items()}}
        zone = next(iter(tables.get("zones", {})), "")
        defaults: dict[str, Rows] = {
            "factions": {code: {"name_en": code, "people": code} for code in FACTIONS.values()},
            "nodes": {code: {"zone": zone} for code in [*SQUARES, *tables.get("nodes", {})]},
            "armies": {code: {"name": code, "faction": FACTIONS[code[0]]} for code in tables.get("armies", {})},
            "units": {code: {"army": code[:-1], "figures": 10} for code in self._units(tables)}}
        for record in WARRIORS.records:
            key, ready, rows = record.columns()[0].name, defaults.get(record.file, {}), given.get(record.file, {})
            for code in dict.fromkeys([*ready, *rows]):
                self._put(record.sheet, {key: code, **ready.get(code, {}), **rows.get(code, {})})
        WARRIORS.fold(self.campaign)
        WARRIORS.prepare(self.campaign)

    def _units(self, tables: Mapping[str, Rows]) -> list[str]:
        """The Units of a case, and one for each Force that has none."""
        given = tables.get("units", {})
        return [*(f"{army}a" for army in tables.get("armies", {}) if not any(unit.startswith(army) for unit in given)),
                *given]

    def _put(self, sheet: str, values: Mapping[str, Any]) -> None:
        add_row(self.campaign, sheet, values)

    # --- what is played -----------------------------------------------------------------------
    def order(self, faction: str, verb: str, **columns: Any) -> Case:
        """A row of Orders of the turn, numbered through unless it says its number."""
        number = 1 + sum(row.faction == faction for row in self.campaign.by_sheet("Orders"))
        columns = {"seq": number, "turn": self.campaign.desk.turn, **columns}
        self._put("Orders", {"order": f"{faction}#{number}", "faction": faction, "verb": verb, **columns})
        return self

    def line(self, faction: str, text: str) -> Case:
        """A row of Orders in words."""
        return self.order(faction, "", text=text)

    def answer(self, phase: str, question: str, answer: str, to: str = "referee") -> Case:
        """An answer that is given before its question is put."""
        add_answer(self.campaign, phase, question, answer, to)
        return self

    def throw(self, dice: Mapping[str, Any] | None = None, /, **words: Any) -> Case:
        """Dice by their purposes, or as words: ``move__M1=3``."""
        self.dice |= named_dice(dice or {}, words)
        return self

    def play(self, *phases: str, whole: bool = True) -> Case:
        """Resolve phases; with `whole` all dice that were given must be thrown, and no other."""
        used: set[str] = set()
        for phase in phases:
            self.campaign.desk.phase = phase
            for key, value in self.dice.items():
                if key not in used:
                    self._put_die(key, value, phase)
            self._take(resolve(WARRIORS, self.campaign, SECRET))
            used |= {roll.key for roll in self.last.rolls}
            self._drop_dice(phase)
            if not self.last.done:
                return self
            strange = [roll.key for roll in self.last.rolls if not roll.typed]
            assert not whole or not strange, strange
        assert not whole or not set(self.dice) - used, sorted(set(self.dice) - used)
        return self

    def _put_die(self, key: str, value: Any, phase: str) -> None:
        self._put("Dice", {"key": key, "value": value, "turn": self.campaign.desk.turn, "phase": phase})

    def _drop_dice(self, phase: str) -> None:
        table = self.campaign.by_sheet("Dice")
        for die in list(table):
            if die.phase == phase and not die.audience:
                table.remove(die.ident)

    def _take(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.campaign = outcome.campaign

    def check(self, phase: str = "orders") -> Case:
        """What *Check orders* finds from a phase on, and what is wrong with the sheets."""
        self.campaign.desk.phase = phase
        findings = [*check_campaign(WARRIORS, self.campaign), *WARRIORS.check_orders(self.campaign),
                    *WARRIORS.check_ahead(self.campaign)]
        self._take(Outcome(self.campaign, self.campaign.desk.turn, phase, done=False, findings=findings))
        return self

    # --- what must then be true ---------------------------------------------------------------
    army = by_key(records.Army)

    def at(self, code: str) -> list[str]:
        """The rows at which a finding stands."""
        return [finding.where.row for finding in self.all_findings if finding.code == code]

    def figures(self, *units: str) -> list[int]:
        """The figures of some Units now."""
        return [self.row("Units", unit).figures for unit in units]

    def wounded(self) -> dict[str, int]:
        """All wounded: unit and due turn -> figures."""
        return {row.ident: row.count for row in self.campaign.by_sheet("Wounded")}


def battle(turn: int = 2, node: str = "C03", attacker: str = "orcs", defender: str = "men", *, outcome: str = "",
           status: str = "open", **more: Any) -> Rows:
    """The first battle of a turn."""
    return {f"B{turn}-1": {"turn": turn, "node": node, "attacker": attacker, "defender": defender, "status": status,
                           "outcome": outcome, **more}}


def forces(*rows: str, turn: int = 2) -> Rows:
    """The Forces of a battle: ``M1 D defend none``, each with its side, order and reaction then."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        army, side, *more = row.split()
        order, reaction = (*more, "explore", "none")[:2] if len(more) != 1 else (more[0], "none")
        found[army] = {"battle": f"B{turn}-1", "army": army, "side": side, "arrival": 0, "start_order": order,
                       "start_reaction": reaction, "start_vc": 2, "status": "counted"}
    return found


def losses(rows: Iterable[str], turn: int = 2, status: str = "counted") -> Rows:
    """The Units of a battle: ``M1a 20 4 2 0``: figures before, killed, left in rout, left by order."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        unit, before, *lost = row.split()
        killed, routed, withdrawn = (*lost, "0", "0", "0")[:3]
        found[unit] = {"battle": f"B{turn}-1", "unit": unit, "before": before, "killed": killed, "routed": routed,
                       "withdrawn": withdrawn, "status": status}
    return found
