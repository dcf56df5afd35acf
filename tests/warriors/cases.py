"""How a case of Fantasy Warriors is written: the tables that matter, what is played, and what must then be true.

It is the form of the rulebook's worked examples: squares are neutral and open, Forces have one Unit of 10 average
figures, four peoples are at war, and what a case does not name has its default. `dice` are all that are thrown and no
others; `then` names fields of rows; `findings` are all that there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.turn.findings import Finding
from assistant.turn.phases import Outcome, check_campaign, resolve

SECRET = b"a case"
FACTIONS = {"M": "men", "O": "orcs", "U": "undead", "D": "dwarfs"}
SQUARES = [f"{column}{row:02}" for column in "ABCDEFGH" for row in range(1, 8)]
Rows = Mapping[str, Mapping[str, Any]]


class Case:
    """A campaign as a case gives it, played phase by phase."""

    def __init__(self, turn: int = 1, rules: Mapping[str, Any] | None = None, desk: Mapping[str, Any] | None = None,
                 **tables: Rows) -> None:
        self.campaign = Campaign(WARRIORS.records)
        self._put("Desk", {"ruleset": "warriors", "turn": str(turn), "title": "A case", **(desk or {})})
        for code in dict.fromkeys([*FACTIONS.values(), *tables.get("factions", {})]):
            self._put("Factions", {"faction": code, "name_en": code, "people": code,
                                   **tables.get("factions", {}).get(code, {})})
        squares, zone = tables.get("nodes", {}), next(iter(tables.get("zones", {})), "")
        for code in dict.fromkeys([*SQUARES, *squares]):
            self._put("Nodes", {"node": code, "zone": zone, **squares.get(code, {})})
        for code, row in tables.get("armies", {}).items():
            self._put("Armies", {"army": code, "name": code, "faction": FACTIONS[code[0]], **row})
        self._units(tables)
        for sheet, name in (("Roads", "roads"), ("Boats", "boats"), ("Zones", "zones"), ("Unit types", "unit_types"),
                            ("Battles", "battles")):
            for code, row in tables.get(name, {}).items():
                key = WARRIORS.record(sheet).columns()[0].name
                self._put(sheet, {key: code, **row})
        for sheet, name in (("Relations", "relations"), ("Wounded", "wounded"), ("Battle armies", "battle_armies"),
                            ("Battle units", "battle_units")):
            for row in tables.get(name, {}).values():
                self._put(sheet, row)
        for key, value in (rules or {}).items():
            self._put("Rules", {"key": key, "value": value})
        self.dice: dict[str, Any] = {}
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.found: list[Finding] = []
        self.rolls: dict[str, int] = {}
        self.waits: list[str] = []
        WARRIORS.fold(self.campaign)
        WARRIORS.prepare(self.campaign)

    def _units(self, tables: Mapping[str, Rows]) -> None:
        given = tables.get("units", {})
        for army in tables.get("armies", {}):
            if not any(unit.startswith(army) for unit in given):
                self._put("Units", {"unit": f"{army}a", "army": army, "figures": 10})
        for code, row in given.items():
            self._put("Units", {"unit": code, "army": code[:-1], "figures": 10, **row})

    def _put(self, sheet: str, values: Mapping[str, Any]) -> None:
        record = WARRIORS.record(sheet)
        known = {c.name for c in record.columns()}
        assert set(values) <= known, f"{sheet} has no {sorted(set(values) - known)}"
        texts = {name: str(value) if not isinstance(value, bool) else "yes" if value else "no"
                 for name, value in values.items()}
        self.campaign.by_sheet(sheet).add(record.from_values(texts))

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
        kind, _, about = question.partition("/")
        self._put("Questions", {"question": question, "turn": self.campaign.desk.turn, "phase": phase, "kind": kind,
                                "about": about, "to": to, "answer": answer})
        return self

    def throw(self, **dice: Any) -> Case:
        """Dice as words: ``move__M1=3``; two underscores are a stroke, one of a purpose's word is a hyphen."""
        return self.thrown({key.replace("__", "/").replace("_", "-"): value for key, value in dice.items()})

    def thrown(self, dice: Mapping[str, Any]) -> Case:
        """Dice by their purposes; of several figures a list, each by its number."""
        for key, value in dice.items():
            if isinstance(value, list):
                self.dice |= {f"{key}/{n}": one for n, one in enumerate(value, 1)}
            else:
                self.dice[key] = value
        return self

    def play(self, *phases: str, whole: bool = True) -> Case:
        """Resolve phases; with `whole` all dice that were given must be thrown, and no other."""
        used: set[str] = set()
        for phase in phases:
            self.campaign.desk.phase = phase
            for key, value in self.dice.items():
                if key not in used:
                    self._put_die(key, value, phase)
            outcome = resolve(WARRIORS, self.campaign, SECRET)
            self._take(outcome)
            used |= {roll.key for roll in outcome.rolls}
            self.campaign = outcome.campaign
            self._drop_dice(phase)
            if not outcome.done:
                self.waits = [one.question for one in outcome.questions]
                return self
            strange = [roll.key for roll in outcome.rolls if not roll.typed]
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
        self.events += [(event.event, event.data) for event in outcome.events]
        self.found += outcome.findings
        self.rolls |= {roll.key: roll.total for roll in outcome.rolls}

    def check(self, phase: str = "orders") -> Case:
        """What *Check orders* finds from a phase on, and what is wrong with the sheets."""
        self.campaign.desk.phase = phase
        self.found += [*check_campaign(WARRIORS, self.campaign), *WARRIORS.check_orders(self.campaign),
                       *WARRIORS.check_ahead(self.campaign)]
        return self

    # --- what must then be true ---------------------------------------------------------------
    def codes(self) -> list[str]:
        """The codes of all findings, sorted."""
        return sorted(one.code for one in self.found)

    def at(self, code: str) -> list[str]:
        """The rows at which a finding stands."""
        return [one.where.row for one in self.found if one.code == code]

    def row(self, sheet: str, key: str) -> Any:
        """A row as it is now."""
        return self.campaign.by_sheet(sheet)[key]

    def army(self, code: str) -> Any:
        """A Force as it is now."""
        return self.row("Armies", code)

    def figures(self, *units: str) -> list[int]:
        """The figures of some Units now."""
        return [self.row("Units", unit).figures for unit in units]

    def told(self, event: str) -> list[dict[str, Any]]:
        """The data of all events of a code."""
        return [data for code, data in self.events if code == event]

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
