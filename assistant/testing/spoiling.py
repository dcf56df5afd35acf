"""A campaign of robots in; the same with spoiled orders out, phase by phase, and where check and resolve disagree."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice
from assistant.campaign.records import OWNERLESS, Faction, Order
from assistant.desk.playing.play import Options, with_robot_orders
from assistant.testing.robots import by_default, finished
from assistant.turn.findings import Finding
from assistant.turn.orders import request
from assistant.turn.orders.cards import example
from assistant.turn.orders.shorthand import show
from assistant.turn.orders.verbs import book_of
from assistant.turn.phases import Outcome
from assistant.turn.ruleset import Ruleset

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
    people = [record.sheet for record in ruleset.records if record.persons]
    codes = [row.ident for sheet in ("Armies", "Nodes", "Factions", *people) for row in campaign.by_sheet(sheet)]
    factions = [row.faction for row in campaign.table(Faction) if row.role not in OWNERLESS]
    own = [name for name in book.cells if name not in request.CELLS]
    columns = [c.name for c in table.record.columns() if c.name in (*CELLS, *own)]
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
    kind, word = row.column(name).kind, chance.choice([*codes, *STRANGE])
    blank = [""] if isinstance(kind, Choice) and kind.blank else []
    if not isinstance(kind, Choice) or word in (*kind.options, *blank):  # another word the reader finds at its cell
        setattr(row, name, kind.read(word))


def spoiled(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, rows: int = 12) -> Iterator[Played]:
    """So many phases of a campaign whose orders are spoiled as each word of the column For is begun."""
    chance, begun, judge = random.Random(seed), ("", ""), by_default(ruleset)
    for _ in range(phases):
        if ruleset.is_over(campaign):
            return
        desk, word = campaign.desk, ruleset.phase(campaign.desk.phase).orders
        if word and begun != (desk.turn, word):
            begun = desk.turn, word
            campaign, _ = with_robot_orders(ruleset, campaign, Options())
            spoil(ruleset, campaign, word, chance, rows)
        outcome = finished(ruleset, campaign, SECRET,
                           lambda waiting: {one.question: judge(one) for one in waiting.questions})
        yield Played(ruleset, campaign, outcome)
        campaign = outcome.campaign


# --- check equals resolve -------------------------------------------------------------------------------
def refusals(findings: Iterable[Finding]) -> set[tuple[str, str]]:
    """Rows of Orders that are refused, with the code."""
    return {(f.where.row, f.code) for f in findings if f.stops and f.where.table == Order.sheet}


def disagreements(played: Played, *, by_others: Collection[str] = (), not_done: str = "") -> list[str]:
    """Where *check* and the phase say different things about an order; [] for a good rulebook.

    `by_others`: codes that others' orders decide, and *check* says as if nobody else moved; `not_done`: the event that
    names in `order` an order that was sound and came to nothing on the way.
    """
    outcome, here = played.outcome, f"{played.outcome.turn} {played.outcome.phase}"
    checked = refusals(played.ruleset.check_orders(played.before))
    refused = refusals(outcome.findings)
    waiting = {row.ident for row in outcome.campaign.table(Order) if not row.status}
    undone = {str(event.data["order"]) for event in outcome.events if event.event == not_done}
    only_check = sorted(one for one in checked - refused if one[0] not in waiting and one[1] not in by_others)
    only_phase = sorted(one for one in refused - checked if one[0] not in undone and one[1] not in by_others)
    return [*(f"{here}: check refuses order {row} with {code}, and the phase does not: {_said(played, row)}. Let one "
              "function judge it, on the verb or in a step that is marked together or alone."
              for row, code in only_check),
            *(f"{here}: the phase refuses order {row} with {code}, and check does not: {_said(played, row)}. Mark the "
              "step that refuses it together or alone, and judge before any die is thrown."
              for row, code in only_phase)]


def _said(played: Played, row: str) -> str:
    order = played.before.table(Order).get(row)
    return " ".join(f"{name}={text}" for name, text in (order.as_text() if order else {}).items() if text)
