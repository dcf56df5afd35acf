"""Random evenings: a rulebook and a seed in; what an honest referee did, and whatever was wrong with it, out.

    python -m tests.desk.evenings tiny 0 100

After every act the campaign must verify, or what is undecided be named by `check` and `verify` alike. On copies, `undo`
and `redo` must give the same tables, and a dishonest change must be named by both. An act draws from its own seed, so
that a failing evening can be played again without some of its acts, until none can be left out.
"""

from __future__ import annotations

import contextlib
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Ref, Text, Whole
from assistant.campaign.records import Battle, Die, Event, Faction, Order, Question, Rule
from assistant.desk import Exit
from assistant.desk.play_phase import ResolveOptions, current_phase, decide_phase, next_order_phase
from assistant.desk.results import Result
from assistant.desk.workspace.workspace import Workspace, open_workspace
from assistant.ledger import Ledger, path_of_ledger, sha256
from assistant.testing import kit
from assistant.testing.robots import default_judge
from assistant.turn.dice import REFEREE
from assistant.turn.numbers import Number, Switch
from assistant.turn.phases import is_superseded
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.sheet import OoxmlSheet
from tests.desk.tiny import FOLDER

SECRET = "5e" * 32
RESULTS = {"giglio": ("a 45 70", "b 10 20", "draw 5 5"), "anarchy": ("attacker fled 5", "draw time 12"),
           "tiny": ("A 3", "B 1"), "wells": ()}
"""How results of battles fought on the table are typed."""
LATER = {"giglio": "r1.move", "anarchy": "1.ransoms", "tiny": "clash", "wells": ""}
"""Up to which phase the campaign is played from which half of the evenings begin."""


class Wrong(AssertionError):
    """What no honest evening may come to, or what a dishonest change passed as."""


def world(ruleset: str, place: Path) -> tuple[Path, Path]:
    """Two campaigns to begin evenings with: a fresh one, and one that has been played for a while."""
    source = None
    if ruleset == "tiny":
        source = place / "csv"
        source.mkdir()
        for name, text in FOLDER.items():
            (source / name).write_text(text)
    (place / "fresh").mkdir()
    book = place / "fresh" / "m.xlsx"
    made = desk.new_campaign(desk.NewPlan(ruleset, folder=source, language="en", secret=SECRET), book, lang="en")
    assert made.exit == Exit.DONE, made.finding_lines()
    shutil.copytree(place / "fresh", place / "later")
    robots = [row.faction for row in open_workspace(book).campaign.table(Faction)]
    desk.resolve(place / "later" / "m.xlsx", until=LATER[ruleset], robots=robots, defaults=True)
    return book, place / "later" / "m.xlsx"


def column_of(letters: str) -> int:
    """The number of a column."""
    return sum((ord(letter) - 64) * 26 ** place for place, letter in enumerate(reversed(letters)))


def tables(campaign: Campaign) -> dict[str, dict[str, dict[str, str]]]:
    """All that stands in a campaign, sheet by sheet and row by row."""
    return {sheet: {key: row.as_text() for key, row in table.in_file_order()}
            for sheet, table in campaign.tables().items()}


def first_difference(one: Campaign, other: Campaign) -> str:
    """Where two states differ, in words; "" where they do not."""
    old, new = tables(one), tables(other)
    for sheet, rows in old.items():
        for key in [*rows, *new[sheet]]:
            was, row = rows.get(key, {}), new[sheet].get(key, {})
            if was != row:
                names = [name for name in {**was, **row} if was.get(name) != row.get(name)]
                return f"{sheet} {key}: " + ", ".join(f"{n} {was.get(n)!r} -> {row.get(n)!r}" for n in names[:4])
    return ""


@dataclass
class Evening:
    """One evening. `said`: what was done, as commands; `acts`: how many acts."""

    ruleset: str
    seed: str
    book: Path
    thorough: float = 1.0
    said: list[str] = field(default_factory=list)
    acts: int = 0
    foreign: bool = False

    undecided: bool = False
    _seen: tuple[str, Workspace] | None = None

    # --- looking ------------------------------------------------------------------------------
    def sit(self) -> Workspace:
        """The campaign on the desk."""
        print = sha256(self.book.read_bytes())
        if self._seen is None or self._seen[0] != print:
            self._seen = print, open_workspace(self.book, "en")
        return self._seen[1]

    def played(self) -> list[str]:
        """The phases that can be undone, the oldest first."""
        with Ledger.open(path_of_ledger(self.book), "") as ledger:
            steps = {step.id: step for step in ledger.steps()}
            return [f"{steps[n].turn}.{steps[n].phase}" for n in ledger.line if steps[n].verb == "resolve"]

    @contextlib.contextmanager
    def copied(self) -> Iterator[Evening]:
        """The same campaign in another folder, to try something."""
        with tempfile.TemporaryDirectory(prefix="evening-") as folder:
            for path in (self.book, path_of_ledger(self.book)):
                shutil.copy(path, folder)
            yield Evening(self.ruleset, self.seed, Path(folder) / self.book.name, said=list(self.said))

    def say(self, words: str, result: Result | None = None) -> None:
        """Note a command down, with what came of it."""
        self.said.append(f"arbitro {words}" + (f"  -> {int(result.exit)}" if result is not None else ""))

    # --- what must hold -----------------------------------------------------------------------
    def honest(self) -> None:
        """Nobody is accused; what is undecided is named by `check` and `verify`."""
        verified = desk.verify(self.book, lang="en")
        self.undecided = not verified.data.get("verified")
        if self.undecided:
            checked = desk.check(self.book, lang="en")
            if not checked.data.get("by_hand"):
                raise Wrong(f"verify: {verified.finding_lines() or verified.lines}; check: {checked.finding_lines()}")

    def back_and_forth(self, rng: random.Random) -> None:
        """`undo` and `redo` on a copy give the same tables, in the same order where only Arbitro has written them."""
        moments = self.played()
        if not moments:
            return
        with self.copied() as twin:
            before, hard = self.sit().campaign, rng.random() < 0.3
            to = rng.choice([moments[-1], rng.choice(moments)])
            twin.say(f"undo m.xlsx --to {to}{' --hard' * hard}", desk.undo(twin.book, to=to, hard=hard, lang="en"))
            twin.must(twin.honest)
            again = desk.redo(twin.book, lang="en")
            twin.say("redo m.xlsx", again)
            twin.must(twin.honest)
            found = first_difference(before, twin.sit().campaign)
            if found or again.exit != Exit.DONE:
                raise twin.wrong(f"undo and redo: {found or again.finding_lines()}")
            order = [(sheet, list(rows)) for sheet, rows in tables(twin.sit().campaign).items()]
            if not self.foreign and order != [(sheet, list(rows)) for sheet, rows in tables(before).items()]:
                raise twin.wrong("undo and redo change the order of rows")

    def dishonest(self, rng: random.Random) -> None:
        """One change on a copy, which nobody accepts, is named by `check` and by `verify`."""
        with self.copied() as twin:
            if not twin.tamper(rng):
                return
            checked, verified = desk.check(twin.book, lang="en"), desk.verify(twin.book, lang="en")
            if not checked.data.get("by_hand") or verified.exit != Exit.REFUSED:
                raise twin.wrong(f"passes: check {checked.data.get('by_hand')}, verify {verified.finding_lines()}")

    def must(self, hold: Callable[[], None]) -> None:
        """Ask whether something holds; whoever it is wrong with is told the whole evening."""
        try:
            hold()
        except Wrong as wrong:
            raise wrong if "\n" in str(wrong) else self.wrong(str(wrong)) from None

    def wrong(self, what: str) -> Wrong:
        """What is wrong, after all that led to it."""
        return Wrong("\n  ".join([f"{self.ruleset} {self.seed}:", *self.said, f"WRONG: {what}"]))

    # --- changes of the file ---------------------------------------------------------------------
    def put(self, sheet: str, key: str, name: str, value: Any) -> None:
        """Type into a cell, with another program."""
        cells = self.sit().reading.cells
        self.type_in(sheet, key, {name: value} if name else dict.fromkeys(cells.letters[sheet]))
        self.said.append(f"# {sheet} {key}, {name}: {value!r} is typed into the cell, with another program" if name else
                         f"# {sheet} {key} is blanked, with another program")

    def type_in(self, sheet: str, key: str, values: dict[str, Any]) -> None:
        """Cells of a row get other values, and nobody but who types there knows."""
        cells = self.sit().reading.cells
        book = OoxmlBook(self.book.read_bytes())
        page = OoxmlSheet(book, cells.titles.get(sheet, sheet))
        for name, value in values.items():
            page.put(cells.rows[sheet][key], column_of(cells.letters[sheet][name]), value)
        page.save()
        self.book.write_bytes(book.package.pack())
        self.foreign = True

    def state_cell(self, rng: random.Random) -> tuple[str, str, str, Any] | None:
        """Some number or owner of the assistant's, and another value that it may have."""
        campaign = self.sit().campaign
        found = []
        for sheet, table in campaign.tables().items():
            if sheet in ("Desk", "Rules", "Roads") or table.record.grows or not table.record.unique:
                continue
            for key, row in table.items():
                if row.hold == "state":
                    watched = (c for c in row.columns() if c.edit != "club" and not c.key and not c.drawn)
                    found += [(sheet, key, c) for c in watched if (
                        type(c.kind) is Whole or (type(c.kind) is Ref and c.kind.table == "Factions")
                        or (type(c.kind) is Text and c.name == "name" and not c.kind.pattern))]
        if not found:
            return None
        sheet, key, c = rng.choice(found)
        old = getattr(campaign.by_sheet(sheet)[key], c.name)
        if isinstance(c.kind, Ref):
            value: Any = rng.choice(campaign.table(Faction).keys())
        elif isinstance(c.kind, Whole):
            value = (old or 0) + 1
        else:
            value = f"{old} Nuova"
        return None if value == old else (sheet, key, c.name, value)

    def tamper(self, rng: random.Random) -> bool:
        """One dishonest change; whether there was anything to change."""
        campaign = self.sit().campaign
        events = list(campaign.table(Event))
        dice = [row for row in campaign.table(Die) if row.hold == "settled" and not is_superseded(row.key)]
        ruled = [row for row in events if row.event == "ruling" and row.data["change"] == "set"]
        orders = [row for row in campaign.table(Order) if row.hold == "settled" and row.verb]
        way = rng.choice(["event", "die", "cell", "cell", "order", "ruled", "ruled"])
        if way == "event" and events:
            self.put("Events", rng.choice(events).ident, "audience", "nobody")
        elif way == "die" and dice:
            row = rng.choice(dice)
            self.put("Dice", row.ident, "value", "6" if row.value != "6" else "5")
        elif way == "order" and orders:
            self.put("Orders", rng.choice(orders).ident, "verb", "dance")
        elif way == "ruled" and ruled:
            data = rng.choice(ruled).data
            table = campaign.by_sheet(data["sheet"])
            now_there = table[data["row"]].as_text()[data["field"]] if data["row"] in table else ""
            if now_there == data["old"] or data["row"] not in self.sit().reading.cells.rows[data["sheet"]]:
                return False
            old = int(data["old"]) if data["old"].lstrip("-").isdecimal() else data["old"] or None
            self.put(data["sheet"], data["row"], data["field"], old)
        else:
            cell = self.state_cell(rng)
            if cell is None:
                return False
            self.put(*cell)
        return True

    # --- an evening --------------------------------------------------------------------------------
    def play(self, acts: int, left_out: frozenset[int] = frozenset()) -> None:
        """Play some acts, but for those that are left out. Raises `Wrong`."""
        for number in range(acts):
            rng = random.Random(f"{self.ruleset}.{self.seed}.{number}")
            act = rng.choice(ACTS)
            if number in left_out:
                continue
            self.acts += 1
            try:
                act(self, rng)
            except Exception as fault:
                raise self.wrong(f"{act.__name__}: {type(fault).__name__} {fault}") from fault
            self.must(self.honest)
            if self.undecided:
                accept_or_revert(self, rng)
                self.must(self.honest)
            if rng.random() < self.thorough:
                self.back_and_forth(rng)
            if rng.random() < self.thorough:
                self.dishonest(rng)


# --- acts --------------------------------------------------------------------------------------------
def take(evening: Evening, *lines: str) -> None:
    """Lines as somebody types them; those that cannot be taken are not."""
    done = desk.take_orders(evening.book, [desk.Input(line, text=line) for line in lines], lang="en")
    evening.say(" ".join(["orders m.xlsx", *(f"'{line}'" for line in lines)]), done)


def robots_of(evening: Evening) -> list[str]:
    """All that play."""
    return [row.faction for row in evening.sit().campaign.table(Faction) if row.role in ("player", "robot")]


def some_orders(evening: Evening, rng: random.Random) -> None:
    """A club hands in what a robot would order in its place, as a CSV."""
    workspace = evening.sit()
    coming = next_order_phase(workspace.ruleset, workspace.campaign)
    if coming is None:
        return
    moment, phase = coming
    faction = rng.choice(robots_of(evening))
    at = workspace.campaign.copy()
    at.desk.turn, at.desk.phase = moment.turn, moment.phase
    rows = workspace.ruleset.robot_orders(workspace.ruleset.view(at, faction), faction)
    rng.shuffle(rows)
    table = workspace.campaign.table(Order)
    names = [c.name for c in table.record.columns() if c.edit == "club"]
    lines = [",".join(names)]
    for number, row in enumerate(rows[:3], 1):
        row.order, row.turn, row.phase, row.faction = "", moment.turn, phase.orders, faction
        row.seq = number
        lines.append(",".join(f'"{row.as_text()[name]}"' for name in names))
    path = evening.book.parent / "orders.csv"
    path.write_text("\n".join(lines) + "\n")
    evening.say(f"orders m.xlsx orders.csv  ({faction}: {'; '.join(lines[1:])})", desk.take_orders(
        evening.book, [desk.Input(path.name, path=path)], lang="en"))


def odd_order(evening: Evening, rng: random.Random) -> None:
    """A club writes what no rulebook carries out."""
    take(evening, f"{rng.choice(robots_of(evening))}: dance until dawn")


def order_by_hand(evening: Evening, rng: random.Random) -> None:
    """A club types over an order that is still to come, or takes it out."""
    rows = [row for row in evening.sit().campaign.table(Order) if row.hold == "typed"]
    if rows:
        row = rng.choice(rows)
        evening.put("Orders", row.ident, *(("seq", 7) if rng.random() < 0.5 else ("", None)))


def answer(evening: Evening, rng: random.Random) -> None:
    """Open questions are answered: as a robot would, by default, or by one of the options; or a result is typed."""
    workspace = evening.sit()
    campaign, ruleset = workspace.campaign, workspace.ruleset
    judge = default_judge(ruleset)
    for row in campaign.table(Question):
        if row.status != "open" or row.answer or rng.random() < 0.2:
            continue
        fought = row.to == REFEREE and row.about in campaign.table(Battle) and bool(RESULTS[evening.ruleset])
        if fought and (ruleset.form is None or rng.random() < 0.7):
            take(evening, f"battle {row.about} {rng.choice(RESULTS[evening.ruleset])}")
            continue
        text = judge(row)
        if row.to != REFEREE and rng.random() < 0.6:
            text = ruleset.robot_answer(ruleset.view(campaign, row.to), row.to, row) or text
        path = evening.book.parent / "answers.csv"
        path.write_text("turn,phase,kind,to,about,answer\n" + ",".join(
            f'"{one}"' for one in (row.turn, row.phase, row.kind, row.to, row.about, text)) + "\n")
        evening.say(f"orders m.xlsx answers.csv  ({row.question}: {text})", desk.take_orders(
            evening.book, [desk.Input(path.name, path=path)], lang="en"))


def die(evening: Evening, rng: random.Random) -> None:
    """A die of the table for a throw of the present phase, or for one like those of the past."""
    workspace = evening.sit()
    with workspace.ledger() as ledger:
        secret = ledger.turn_secret(workspace.campaign.desk.turn)
    coming = [] if workspace.ruleset.is_over(workspace.campaign) else decide_phase(
        workspace.ruleset, workspace.campaign, secret, ResolveOptions(frozenset(robots_of(evening)),
                                                                      True)).outcome.rolls
    keys = {roll.key: roll.dice for roll in coming}
    if not keys or rng.random() < 0.3:
        keys |= {row.key: row.dice for row in workspace.campaign.table(Die) if row.dice}
    if keys:
        key = rng.choice(sorted(keys))
        take(evening, f"die {key} {thrown(keys[key], rng)}")


def thrown(dice: str, rng: random.Random) -> str:
    """What some dice may show."""
    count, _, sides = dice.partition("d")
    return "+".join(str(rng.randint(1, int(sides))) for _ in range(int(count or 1)))


def resolve(evening: Evening, rng: random.Random) -> None:
    """The present phase, or several, with clubs that answer or without."""
    workspace = evening.sit()
    if workspace.ruleset.is_over(workspace.campaign):
        return
    defaults = rng.random() < 0.6
    robots = robots_of(evening) if rng.random() < 0.6 else []
    until = ""
    if rng.random() < 0.5:
        clock = workspace.campaign.copy()
        for _ in range(rng.randint(1, 4)):
            workspace.ruleset.advance(clock)
            if workspace.ruleset.is_over(clock):
                break
            until = ".".join(current_phase(clock))
    done = desk.resolve(evening.book, until=until, robots=robots, defaults=defaults, lang="en")
    evening.say(f"resolve m.xlsx{f' --until {until}' * bool(until)}{' --defaults' * defaults}"
                f"{''.join(f' --robot {robot}' for robot in robots)}", done)
    if done.exit == Exit.DONE:
        evening.foreign = False


def undo(evening: Evening, rng: random.Random) -> None:
    """In any of its forms."""
    moments = evening.played()
    hard = rng.random() < 0.2
    how = rng.choice(["", "steps", "to"])
    steps = rng.randint(2, 4) if how == "steps" else 1
    to = rng.choice(moments) if how == "to" and moments else ""
    done = desk.undo(evening.book, steps=steps, to=to, hard=hard, lang="en")
    evening.say(f"undo m.xlsx{f' --steps {steps}' * (steps > 1)}{f' --to {to}' * bool(to)}{' --hard' * hard}", done)


def redo(evening: Evening, rng: random.Random) -> None:
    """What was undone is done again."""
    hard = rng.random() < 0.3
    evening.say(f"redo m.xlsx{' --hard' * hard}", desk.redo(evening.book, hard=hard, lang="en"))


def correct(evening: Evening, rng: random.Random) -> None:
    """A die, an answer, an order or a battle of a phase that is over."""
    campaign = evening.sit().campaign
    dice = [row for row in campaign.table(Die) if row.hold == "settled" and row.dice and not is_superseded(row.key)]
    answers = [row for row in campaign.table(Question) if row.status == "answered" and row.answer]
    orders = [row for row in campaign.table(Order) if row.status in ("accepted", "refused")]
    battles = [row for row in campaign.table(Battle) if row.hold == "settled" and not is_superseded(row.battle)]
    way = rng.choice(["die", "die", "answer", "withdraw", "order", "untype", "battle"])
    line, extra = "", dict[str, Any]()
    if way == "die" and dice:
        row = rng.choice(dice)
        line = f"die {row.key} {thrown(row.dice, rng)}"
    elif way == "answer" and answers:
        one = rng.choice(answers)
        options = [word.strip() for word in one.options.split(",") if word.strip()]
        line = f"answer {one.ident} {rng.choice(options) if options else one.default or one.answer}"
    elif way == "withdraw" and orders:
        extra = {"withdraw": (rng.choice(orders).order,)}
    elif way == "order" and len(orders) > 1:
        old, new = rng.sample(orders, 2)
        if old.faction == new.faction and new.text:
            line, extra = f"{old.faction}: {new.text}", {"order": old.order}
    elif way == "untype" and (typed := [row for row in dice if row.source == "table"]):
        extra = {"untype": (rng.choice(typed).ident,)}
    elif way == "battle" and battles and RESULTS[evening.ruleset]:
        line = f"battle {rng.choice(battles).battle} {rng.choice(RESULTS[evening.ruleset])}"
    if not line and not extra:
        return
    partly = rng.random() < 0.3
    wish = desk.CorrectionRequest(tuple(desk.Input(one, text=one) for one in [line] if one), **extra)
    how = desk.CorrectionOptions(
        "misread", partly, frozenset(robots_of(evening)) if rng.random() < 0.5 else frozenset(), rng.random() < 0.7
    )
    done = desk.correct(evening.book, wish, how, confirm=lambda _: True, lang="en")
    evening.say(f"correct m.xlsx '{line}' {extra or ''} --commit{' --partly' * partly}{' --defaults' * how.defaults}",
                done)


def by_hand(evening: Evening, rng: random.Random) -> None:
    """Somebody types over what is the assistant's, and the referee decides on it."""
    cell = evening.state_cell(rng)
    if cell is not None:
        evening.put(*cell)
        accept_or_revert(evening, rng)


def accept_or_revert(evening: Evening, rng: random.Random) -> None:
    """The referee decides on all changes by hand."""
    if rng.random() < 0.7:
        done = desk.accept(evening.book, [], why="so be it", everything=True, lang="en")
        evening.say("accept m.xlsx --all --why 'so be it'", done)
        if done.exit == Exit.DONE:
            return
    evening.say("revert m.xlsx --all", desk.revert(evening.book, [], everything=True, lang="en"))


def house_rule(evening: Evening, rng: random.Random) -> None:
    """A number or a switch of the rulebook is set, or given back to the book."""
    workspace = evening.sit()
    rule = rng.choice(workspace.ruleset.numbers)
    rows = workspace.reading.cells.rows["Rules"]
    if rule.key not in rows:
        return
    if isinstance(rule, Switch):
        value: Any = rng.choice(rule.options)
    else:
        assert isinstance(rule, Number)
        value = rng.choice([rule.default, rule.default + 1]) if type(rule.default) is int else rule.default
    old = workspace.campaign.table(Rule).get(rule.key)
    if old is not None and rng.random() < 0.3:
        value = None
    evening.put("Rules", rule.key, "value", value)
    if value is not None or old is not None:
        accept_or_revert(evening, rng)


def sort_sheet(evening: Evening, rng: random.Random) -> None:
    """A club sorts a sheet its own way."""
    cells = evening.sit().reading.cells
    sheet = rng.choice([name for name, rows in cells.rows.items() if len(rows) > 1 and name not in ("Desk", "Rules")])
    book = openpyxl.load_workbook(evening.book)
    page = book[cells.titles.get(sheet, sheet)]
    numbers = sorted(cells.rows[sheet].values())
    lines = [[cell.value for cell in page[number]] for number in numbers]
    rng.shuffle(lines)
    for number, line in zip(numbers, lines, strict=True):
        for cell, value in zip(page[number], line, strict=True):
            cell.value = value
    book.save(evening.book)
    evening.foreign = True
    evening.said.append(f"# the sheet {sheet} is sorted another way, with another program")


def own_column(evening: Evening, rng: random.Random) -> None:
    """A club keeps notes of its own beside a table."""
    cells = evening.sit().reading.cells
    sheet = rng.choice([name for name, rows in cells.rows.items() if rows and name in cells.headings])
    book = openpyxl.load_workbook(evening.book)
    page = book[cells.titles.get(sheet, sheet)]
    column = page.max_column + 2
    page.cell(cells.headings[sheet], column).value = f"Our notes {column}"
    page.cell(rng.choice(sorted(cells.rows[sheet].values())), column).value = "do not trust them"
    book.save(evening.book)
    evening.foreign = True
    evening.said.append(f"# a column of a club's own is added to {sheet}, with another program")


def save_elsewhere(evening: Evening, rng: random.Random) -> None:
    """Another program opens the workbook and saves it."""
    openpyxl.load_workbook(evening.book).save(evening.book)
    evening.foreign = True
    evening.said.append("# another program opens m.xlsx and saves it")


def move_house(evening: Evening, rng: random.Random) -> None:
    """Workbook and ledger are copied to another folder, and the campaign goes on there."""
    folder = evening.book.parent / "on"
    folder.mkdir()
    for path in (evening.book, path_of_ledger(evening.book)):
        shutil.copy(path, folder)
    evening.book = folder / evening.book.name
    evening.said.append("# m.xlsx and m.arbitro are copied to another folder")


Act = Callable[[Evening, random.Random], None]
ACTS: tuple[Act, ...] = (
    *(resolve,) * 7, *(undo,) * 3, *(redo,) * 2, *(answer,) * 3, *(die,) * 3, *(some_orders,) * 3, *(correct,) * 3,
    *(by_hand,) * 2, odd_order, order_by_hand, house_rule, sort_sheet, own_column, save_elsewhere, move_house)
MOST = 12


def evening(ruleset: str, seed: int, begin: tuple[Path, Path], left_out: frozenset[int] = frozenset(),
            acts: int = MOST, thorough: float = 0.15) -> Evening:
    """Play an evening to its end. Raises `Wrong`."""
    with tempfile.TemporaryDirectory(prefix="evening-") as folder:
        first = begin[seed % 2]
        for path in (first, path_of_ledger(first)):
            shutil.copy(path, folder)
        one = Evening(ruleset, str(seed), Path(folder) / first.name, thorough)
        one.play(acts, left_out)
        return one


def shortest(ruleset: str, seed: int, begin: tuple[Path, Path], **more: Any) -> Wrong:
    """The failing evening without all acts that can be left out."""
    left_out: frozenset[int] = frozenset()
    found = Wrong("not again")
    for number in (None, *reversed(range(MOST))):
        try:
            fewer = left_out if number is None else left_out | {number}
            evening(ruleset, seed, begin, fewer, **more)
        except Wrong as wrong:
            left_out, found = fewer, wrong
    return found


def main(ruleset: str, first: int, last: int) -> None:
    """Play some evenings and show what is wrong with them."""
    with tempfile.TemporaryDirectory(prefix="world-") as folder, kit.plug_in(
            Path(folder), tiny="tests.desk.tiny:TINY"):
        (Path(folder) / "world").mkdir()
        begin = world(ruleset, Path(folder) / "world")
        acts = failed = 0
        for seed in range(first, last):
            try:
                acts += evening(ruleset, seed, begin).acts
            except Wrong:
                failed += 1
                print(shortest(ruleset, seed, begin), flush=True)
            print(f"{ruleset}: {seed + 1 - first} evenings, {acts} acts, {failed} failed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
