"""Campaigns of robots whose orders are spoiled, for every rulebook that ships and for two small ones."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, Faction, Order
from assistant.desk.playing.play import Options, with_robot_orders
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.turn.orders.cards import example
from assistant.turn.orders.shorthand import show
from assistant.turn.orders.verbs import book_of
from assistant.turn.phases import Outcome, resolve
from assistant.turn.ruleset import Ruleset
from assistant.workbook.read.csvfolder import read_folder
from tests.anarchy import test_robots as anarchy_robots
from tests.giglio import test_robots as giglio_robots

SECRET = bytes(32)
CELLS = ("unit", "target", "node", "path", "amount", "men", "partner", "option", "choice")
STRANGE = ("", "", "0", "-3", "9999", "2,5", "rubbish", "V8 V88", "S1 B1", "M-1", "in", "spy")


@dataclass(frozen=True)
class Played:
    """One phase: the campaign before, and what came of it."""

    ruleset: Ruleset
    before: Campaign
    outcome: Outcome


def spoil(ruleset: Ruleset, campaign: Campaign, word: str, chance: random.Random, rows: int) -> None:
    """Change one column in half of the rows of a phase, and add rows of all sorts."""
    table, book = campaign.table(Order), book_of(ruleset.verbs)
    codes = [row.ident for sheet in ("Armies", "Nodes", "Factions") for row in campaign.by_sheet(sheet)]
    factions = [row.faction for row in campaign.table(Faction) if row.role not in OWNERLESS]
    columns = [c.name for c in table.record.columns() if c.name in CELLS]
    for row in table.of_turn(campaign.desk.turn):
        if row.phase == word and not row.status and chance.random() < 0.5:
            _spoil_one(row, columns, codes, chance)
    times = {ruleset.phase(name).takes or word for name in ruleset.phase_ids(campaign)
             if ruleset.phase(name).orders == word}
    fit = [verb for verb in book.values() if times & set(verb.when)]
    for _ in range(rows):
        verb = chance.choice(fit if fit and chance.random() < 0.9 else list(book.values()))
        fields = {"verb": chance.choice([*[verb.en, verb.it, verb.it.upper()] * 4, "fly"])}
        said = example(verb, campaign) if verb.deed is not None else {}
        fields |= {name: str(value) for name, value in said.items() if name != "verb"}
        if not said:
            fields |= {name: chance.choice([*codes, *STRANGE]) for name in columns if name in verb.columns}
        elif chance.random() < 0.2:
            fields = {"text": show(book, said, chance.choice(["en", "it"]))}
        row = table.record.from_values({
            **fields, "order": f"x{len(table)}", "turn": campaign.desk.turn, "phase": word,
            "faction": chance.choice(factions), "seq": chance.choice(["", "1", "5"])})
        if chance.random() < 0.6:
            _spoil_one(row, columns, codes, chance)
        table.add(row)
        if chance.random() < 0.1:
            twin = row.copy()
            twin.order = f"x{len(table)}"
            table.add(twin)


def _spoil_one(row: Order, columns: list[str], codes: list[str], chance: random.Random) -> None:
    name = chance.choice(columns)
    setattr(row, name, row.column(name).kind.read(chance.choice([*codes, *STRANGE])))


def finished(ruleset: Ruleset, campaign: Campaign) -> Outcome:
    """The phase to its end: defaults where there are any, else the first option, battles by the umpire's dice."""
    answers: dict[str, str] = {}
    outcome = resolve(ruleset, campaign, SECRET, answers)
    while not outcome.done:
        assert outcome.questions, [(f.code, f.where, f.data) for f in outcome.findings]
        fresh = {}
        for one in outcome.questions:
            options = [word.strip() for word in one.options.split(",") if word.strip()]
            fresh[one.question] = "auto" if "battle" in one.kind else one.default or next(iter(options), "auto")
        assert not set(fresh) <= set(answers), outcome.findings
        answers |= fresh
        outcome = resolve(ruleset, campaign, SECRET, answers)
    return outcome


def spoiled(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, rows: int = 12) -> Iterator[Played]:
    """So many phases of a campaign whose orders are spoiled as each word of the column For is begun."""
    chance, begun = random.Random(seed), ("", "")
    for _ in range(phases):
        if ruleset.is_over(campaign):
            return
        desk, word = campaign.desk, ruleset.phase(campaign.desk.phase).orders
        if word and begun != (desk.turn, word):
            begun = desk.turn, word
            campaign, _ = with_robot_orders(ruleset, campaign, Options())
            spoil(ruleset, campaign, word, chance, rows)
        outcome = finished(ruleset, campaign)
        yield Played(ruleset, campaign, outcome)
        campaign = outcome.campaign


def wells() -> Ruleset:
    """The Wells, from the plug-in's own folder."""
    place = Path(__file__).parents[1] / "plugin" / "wells" / "arbitro_wells" / "__init__.py"
    spec = importlib.util.spec_from_file_location("arbitro_wells_here", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return cast(Ruleset, module.WELLS)


def _wells(folder: Path) -> tuple[Ruleset, Campaign]:
    tables = {"desk": "key,value\nruleset,wells\nturn,1\nphase,dig\n", "nodes": "node,damp\nW1,no\nW2,yes\n",
              "factions": "faction,name_en,role\nN,North,robot\nS,South,robot\n"}
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text)
    ruleset = wells()
    _, campaign, findings = read_folder(folder, ruleset)
    assert findings == []
    return ruleset, campaign


OPENINGS: dict[str, Callable[[Path], tuple[Ruleset, Campaign]]] = {
    "giglio": lambda folder: (GIGLIO, giglio_robots.opening(folder)),
    "anarchy": lambda folder: (ANARCHY, anarchy_robots.opening(folder)),
    "wells": _wells,
}
"""How a campaign of robots begins, by rulebook."""

__all__ = ["OPENINGS", "Played", "finished", "spoiled", "wells"]
