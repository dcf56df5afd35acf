"""Evenings of typed dice: a rulebook and a seed in; what a referee did, and whatever was wrong with it, out.

    python -m tests.desk.dice_evenings giglio 0 100

An order is forgotten, dice are typed for what it would have thrown and for what is to come, at every door; then the
order is given after all. Each die counts for its throw, whenever it was typed, and `verify` accuses nobody.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Die, Order, Question
from assistant.desk import Exit
from assistant.desk.play_phase import ResolveOptions, current_phase, decide_phase
from assistant.desk.results import Result
from assistant.ledger import path_of_ledger
from assistant.testing.robots import default_judge
from assistant.turn.phases import is_superseded, without_superseded
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.sheet import OoxmlSheet
from tests.desk.evenings import Evening, Wrong, column_of, robots_of, thrown
from tests.fresh import new_campaign

BOOKS = ("giglio", "anarchy", "incursio", "warriors", "bloodlust")
PLAYED = (5, 9, 13)
"""After how many phases evenings begin."""
Throw = tuple[str, str, str]
"""Purpose, turn and phase."""


# --- playing ---------------------------------------------------------------------------------------------
def go_on(evening: Evening, phases: int) -> None:
    """Some phases, in which clubs order what robots would, and the referee lets dice decide."""
    for _ in range(phases):
        order_all(evening)
        for _ in range(4):
            done = desk.resolve(evening.book, defaults=True, lang="en")
            if done.exit != Exit.WAITING:
                break
            answer_all(evening)
        evening.say("resolve m.xlsx --defaults", done)


def order_all(evening: Evening) -> None:
    """The orders of all clubs that have none for the present phase; they are the clubs' own, not robots'."""
    workspace = evening.sit()
    ruleset, campaign = workspace.ruleset, workspace.campaign
    word = "" if ruleset.is_over(campaign) else ruleset.phase(campaign.desk.phase).orders
    sent = {row.faction for row in campaign.table(Order).of_turn(campaign.desk.turn, parts=(word,)) if not row.status}
    rows = list[Order]()
    for faction in robots_of(evening) if word else ():
        own = [] if faction in sent else ruleset.robot_orders(ruleset.view(campaign, faction), faction)
        for number, row in enumerate(own, 1):
            row.order, row.turn, row.phase, row.faction, row.seq = "", campaign.desk.turn, word, faction, number
            rows.append(row)
    if rows:
        evening.say(f"orders m.xlsx orders.csv  (of robots for {'.'.join(current_phase(campaign))})", desk.take_orders(
            evening.book, [given(evening, rows)], lang="en"))


def answer_all(evening: Evening) -> None:
    """What is asked of the referee, as one who only wants the game to go on."""
    workspace = evening.sit()
    judge = default_judge(workspace.ruleset)
    asked = [row for row in workspace.campaign.table(Question) if row.status == "open" and not row.answer]
    path = evening.book.parent / "answers.csv"
    path.write_text("turn,phase,kind,to,about,answer\n" + "".join(
        ",".join(f'"{one}"' for one in (row.turn, row.phase, row.kind, row.to, row.about, judge(row))) + "\n"
        for row in asked))
    evening.say(f"orders m.xlsx answers.csv  ({'; '.join(f'{row.question}: {judge(row)}' for row in asked)})",
                desk.take_orders(evening.book, [desk.Input(path.name, path=path)], lang="en"))


def worlds(ruleset: str, place: Path) -> list[Path]:
    """Campaigns to begin evenings with, each some phases further than the one before."""
    found, book = list[Path](), new_campaign(place / "m.xlsx", ruleset)
    evening, done = Evening(ruleset, "", book), 0
    for number in PLAYED:
        go_on(evening, number - done)
        done = number
        (place / str(number)).mkdir()
        for path in (book, path_of_ledger(book)):
            shutil.copy(path, place / str(number))
        found.append(place / str(number) / book.name)
    return found


# --- dice ------------------------------------------------------------------------------------------------
def throws(campaign: Campaign) -> dict[Throw, str]:
    """All that phases have thrown, with the dice."""
    return {(row.key, row.turn, row.phase): row.dice for row in without_superseded(campaign).table(Die)
            if row.hold == "settled" and row.dice}


def coming(evening: Evening) -> dict[Throw, str]:
    """What the present phase would throw."""
    workspace = evening.sit()
    if workspace.ruleset.is_over(workspace.campaign):
        return {}
    with workspace.ledger() as ledger:
        secret = ledger.turn_secret(workspace.campaign.desk.turn)
    moment, options = current_phase(workspace.campaign), ResolveOptions(frozenset(robots_of(evening)), True)
    rolls = decide_phase(workspace.ruleset, workspace.campaign, secret, options).outcome.rolls
    return {(roll.key, moment.turn, moment.phase): roll.dice for roll in rolls}


def type_dice(evening: Evening, which: dict[Throw, str], rng: random.Random) -> dict[str, str]:
    """Type some of these throws, each by a line, in a CSV or on the sheet; what those that say their throw show, by the
    key of their row.
    """
    said = dict[str, str]()
    for throw in rng.sample(sorted(which), min(len(which), rng.randint(1, 3))):
        key, turn, phase = throw
        value, record = thrown(which[throw], rng), evening.sit().campaign.table(Die).record
        door, again = rng.choice(("line", "csv", "sheet")), record.column("turn").key
        when = (turn, phase) if again or rng.random() < 0.5 else ("", "")
        if door == "line":
            line = f"die {key} {value}"
            evening.say(f"orders m.xlsx '{line}'", desk.take_orders(
                evening.book, [desk.Input(line, text=line)], lang="en"))
        elif door == "csv":
            path = evening.book.parent / "dice.csv"
            path.write_text(f'key,value,dice,turn,phase\n"{key}","{value}",{which[throw]},"{when[0]}","{when[1]}"\n')
            evening.say(f"orders m.xlsx dice.csv  ({key} {value} {when})", desk.take_orders(
                evening.book, [desk.Input(path.name, path=path)], lang="en"))
        else:
            type_row(evening, {"key": key, "value": value, "turn": when[0], "phase": when[1]})
        if door != "line" or not again:  # else it waits for the next throw of its purpose
            said[record(key=key, turn=turn, phase=phase).ident] = value
    return said


def type_row(evening: Evening, values: dict[str, str]) -> None:
    """Type a row below those of the sheet Dice, or over that of its throw, with another program."""
    cells, table = evening.sit().reading.cells, evening.sit().campaign.table(Die)
    rows, ident = cells.rows.get(Die.sheet, {}), table.record(**values).ident
    book = OoxmlBook(evening.book.read_bytes())
    page = OoxmlSheet(book, cells.titles.get(Die.sheet, Die.sheet))
    line = rows.get(ident, max([cells.headings[Die.sheet], *rows.values()]) + 1)
    for name, value in values.items():
        if value:
            page.put(line, column_of(cells.letters[Die.sheet][name]), value)
    page.save()
    evening.book.write_bytes(book.package.pack())
    evening.said.append(f"# Dice row {line}: {values} is typed, with another program")


# --- an evening ------------------------------------------------------------------------------------------
def correct(evening: Evening, wish: desk.CorrectionRequest, words: str, rng: random.Random) -> Result:
    """A correction that is written, as far as it goes."""
    partly = rng.random() < 0.7
    done = desk.correct(
        evening.book,
        wish,
        desk.CorrectionOptions("forgotten", partly, frozenset(), True),
        confirm=lambda _: True,
        agree=lambda *_: True,
        lang="en",
    )
    evening.say(f"correct m.xlsx {words} --commit --defaults{' --partly' * partly}", done)
    return done


def given(evening: Evening, rows: list[Order]) -> desk.Input:
    """Orders as a CSV that gives them."""
    names = [c.name for c in rows[0].columns() if c.edit == "club"]
    path = evening.book.parent / "orders.csv"
    path.write_text("\n".join([",".join(names), *(",".join(f'"{row.as_text()[name]}"' for name in names)
                                                  for row in rows)]) + "\n")
    return desk.Input(path.name, path=path)


def honest(evening: Evening, said: dict[str, str]) -> None:
    """Nobody is accused, and each die that was typed for a throw shows what was typed. Raises `Wrong`."""
    verified = desk.verify(evening.book, lang="en")
    if not verified.data.get("verified"):
        raise evening.wrong(f"verify: {verified.finding_lines() or verified.lines}")
    table = evening.sit().campaign.table(Die)
    for key, value in said.items():
        row = table.get(key)
        if row is not None and (row.value, row.source) != (value, "table"):
            raise evening.wrong(f"{key} was typed as {value}, and shows {row.as_text()}")


def forget(evening: Evening, rng: random.Random) -> list[Order]:
    """Orders that were carried out, a few or those of a whole phase, were never given: their rows as they were."""
    rows = [row for row in evening.sit().campaign.table(Order) if row.status and not is_superseded(row.order)]
    some = rng.sample(rows, min(len(rows), rng.randint(1, 4)))
    whole = [row for row in rows if some and (row.turn, row.phase) == (some[0].turn, some[0].phase)]
    rows = some if rng.random() < 0.5 else whole
    if not rows:
        return []
    done = correct(evening, desk.CorrectionRequest(withdraw=tuple(row.order for row in rows)),
                   f"--withdraw {' '.join(row.order for row in rows)}", rng)
    return rows if done.data.get("committed") else []


def evening(ruleset: str, seed: int, begin: list[Path], place: Path) -> Evening:
    """Play an evening to its end. Raises `Wrong`."""
    rng, first = random.Random(f"dice.{ruleset}.{seed}"), begin[seed % len(begin)]
    for path in (first, path_of_ledger(first)):
        shutil.copy(path, place)
    one = Evening(ruleset, str(seed), place / first.name)
    before, here = throws(one.sit().campaign), current_phase(one.sit().campaign)
    said = type_dice(one, coming(one), rng) if rng.random() < 0.4 else {}
    forgotten = forget(one, rng)
    for _ in range(8):  # as far as it had come, where the new past asked for something
        if current_phase(one.sit().campaign) == here or not forgotten:
            break
        go_on(one, 1)
    gone = {throw: dice for throw, dice in before.items() if throw not in throws(one.sit().campaign)}
    said |= type_dice(one, gone or before, rng) if gone else {}
    if rng.random() < 0.5:
        go_on(one, 1)
    said |= type_dice(one, coming(one), rng) if rng.random() < 0.5 else {}
    honest(one, said)
    if forgotten:
        correct(
            one, desk.CorrectionRequest((given(one, forgotten),)), f"orders.csv ({', '.join(map(str, forgotten))})", rng
        )
        honest(one, said)
    if rng.random() < 0.5:
        hard = rng.random() < 0.2
        one.say(f"undo m.xlsx{' --hard' * hard}", desk.undo(one.book, steps=rng.randint(1, 2), hard=hard, lang="en"))
        honest(one, {})  # where the order had been forgotten only since, its throw is the one of then
    go_on(one, 1)
    honest(one, {})
    return one


def main(ruleset: str, first: int, last: int) -> None:
    """Play some evenings and show what is wrong with them."""
    counted: dict[str, Any] = {"evenings": 0, "failed": 0}
    with tempfile.TemporaryDirectory(prefix="world-") as place:
        begin = worlds(ruleset, Path(place))
        for seed in range(first, last):
            counted["evenings"] += 1
            with tempfile.TemporaryDirectory(prefix="evening-") as folder:
                try:
                    evening(ruleset, seed, begin, Path(folder))
                except Wrong as wrong:
                    counted["failed"] += 1
                    print(wrong, flush=True)
    print(ruleset, counted, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
