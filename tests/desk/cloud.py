"""Two referees, two computers and a cloud folder that carries their files about: a rulebook and a seed in; what went
wrong out.

    python -m tests.desk.cloud tiny 0 100

Which state of the campaign each workbook and each ledger holds is noted beside Arbitro, by their bytes. So for whatever
the cloud lays side by side it is known whether both are of one moment, of two moments, or of two histories, and with
which numbers. After every act each look must say just that; no command may make anything go that was there, and what
was kept must be whole.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Desk, Event, Order
from assistant.desk.past.phase_chain import campaign_before
from assistant.desk.results import Exit, Result
from assistant.environment import backup_folder
from assistant.ledger import Ledger, LedgerStep, LedgerTrouble, path_of_ledger, sha256
from assistant.testing import kit
from assistant.turn.messages import UNPROVED
from assistant.workbook.file_book import open_book
from tests.desk import evenings
from tests.desk.evenings import Evening, Wrong, tables

ACTS = 9
TYPED = {"ARB-110", "ARB-111", "ARB-112", "ARB-242"}
"""What is said of changes by hand."""
FALSE = TYPED | {f"ARB-{number}" for number in (126, 127, 128, 129, 130)}
"""What may be said of nobody who changed nothing."""
SINCE = re.compile(r"the workbook has (\d+) phases? and (\d+) orders?; the ledger has (\d+) phases? and (\d+) orders?")
LOOKS = (desk.check, desk.status, desk.verify, desk.history, desk.ledger_state)
CHANGES = (desk.resolve, desk.undo, desk.redo)
HONEST = (evenings.some_orders, evenings.some_orders, evenings.odd_order, evenings.answer, evenings.resolve,
          evenings.resolve, evenings.resolve, evenings.undo, evenings.redo, evenings.correct, evenings.by_hand,
          evenings.house_rule, evenings.order_by_hand)
COPIES = ("{stem} ({who}'s conflicted copy 2026-11-24){end}", "{stem}-PC-{who}{end}", "{stem} (1){end}",
          "{stem}.sync-conflict-20261124-201500-ABCDEFG{end}", "Copy of {stem}{end}")


@dataclass(frozen=True, eq=False)
class State:
    """A state of the campaign. `before`: that from which it came; `played`: how many phases led to it; `orders`: which
    stood there when it was written; `unproved`: whether a workbook was taken as it stood on the way to it.
    """

    before: State | None
    played: int
    orders: frozenset[str]
    unproved: bool

    def way(self) -> list[State]:
        """This state and those that led to it, the last one first."""
        found, one = [self], self.before
        while one is not None:
            found.append(one)
            one = one.before
        return found


class Known(NamedTuple):
    """What a ledger knows: at which state the campaign is, and which it can bring back."""

    now: State
    left: frozenset[State]
    shas: frozenset[str]


class Stands(NamedTuple):
    """How workbook and ledger of a computer stand to each other: "one", "behind" (the ledger is older), "ahead", "two";
    or what is wrong with a file: "book", "damaged", "missing". `common`: the last state that both have in common.
    """

    how: str
    common: State | None = None
    book: State | None = None
    ledger: State | None = None


def strokes(steps: list[LedgerStep]) -> list[list[LedgerStep]]:
    """The changes of each command together."""
    heads = [n for n, one in enumerate(steps) if one.sha_before]
    return [steps[n:end] for n, end in pairwise([*heads, len(steps)])] if heads else []


def said_by(campaign: Campaign) -> str:
    """All that a workbook says, but for the marks."""
    found = tables(campaign)
    for row in found[Desk.sheet].values():
        row.pop("marks", None)
    return sha256(repr(sorted((sheet, sorted(rows.items())) for sheet, rows in found.items())).encode())


@dataclass
class Truth:
    """What every file is, by the fingerprint of its bytes, whichever computer it lies on.

    `typed`: workbooks in which somebody has typed over what is not theirs, perhaps undecided; `states`: by the state
    from which they came and what they say.
    """

    books: dict[str, State] = field(default_factory=dict)
    typed: set[str] = field(default_factory=set)
    states: dict[tuple[State | None, str], State] = field(default_factory=dict)
    saying: dict[str, set[State]] = field(default_factory=dict)
    played: dict[tuple[str, str], int] = field(default_factory=dict)
    seen: dict[str, Campaign] = field(default_factory=dict)
    ledgers: dict[str, Known | None] = field(default_factory=dict)
    between: dict[tuple[str, str], set[State]] = field(default_factory=dict)
    """States between the phases of one command, by the workbooks before and after it."""

    def campaign(self, content: bytes) -> Campaign:
        """What stands in a workbook."""
        sha = sha256(content)
        if sha not in self.seen:
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder) / "m.xlsx"
                place.write_bytes(content)
                self.seen[sha] = open_book(place).read().campaign
        return self.seen[sha]

    def note(self, content: bytes, state: State, typed: bool = False) -> State:
        """A workbook's bytes hold this state."""
        self.books[sha256(content)] = state
        self.saying.setdefault(said_by(self.campaign(content)), set()).add(state)
        if typed:
            self.typed.add(sha256(content))
        return state

    def led_to(self, before: State | None, verb: str, resolved: int, content: bytes, left: frozenset[State]) -> State:
        """The state to which a change has led: `undo` and `redo` may lead to one that was there before."""
        return self.state(before, verb, resolved, self.campaign(content), left)

    def state(self, before: State | None, verb: str, resolved: int, campaign: Campaign, left: frozenset[State]
              ) -> State:
        """The same for what stands in a workbook."""
        said, clock = said_by(campaign), (campaign.desk.turn, campaign.desk.phase)
        back = self.saying.get(said, set()) & left if verb in ("undo", "redo") else set()
        if back:
            return back.pop()
        played = self.played.setdefault(clock, (before.played if before else 0) + resolved)
        if (before, said) not in self.states:
            self.states[before, said] = State(
                before, played, frozenset(row.ident for row in campaign.table(Order)),
                any(row.event == UNPROVED for row in campaign.table(Event)))
        return self.states[before, said]

    def known(self, path: Path) -> Known | None:
        """What a ledger knows, None where it is none."""
        content = path.read_bytes() if path.is_file() else b""
        if sha256(content) not in self.ledgers:
            self.ledgers[sha256(content)] = self._known(path)
        return self.ledgers[sha256(content)]

    def _known(self, path: Path) -> Known | None:
        try:
            with Ledger.open(path, "") as ledger:
                steps = [step for step in ledger.steps() if step.state == "done"]
        except LedgerTrouble:
            return None
        if not steps:
            return Known(next(iter(self.books.values())), frozenset(), frozenset())
        shas = frozenset(step.sha_before for step in steps if step.sha_before)
        left = {self.books[sha] for sha in shas if sha in self.books}
        for stroke in strokes(steps):
            left |= self.between.get((stroke[0].sha_before, stroke[-1].sha_after), set())
        now = next(self.books[step.sha_after] for step in reversed(steps) if step.sha_after in self.books)
        return Known(now, frozenset(left), shas)


@dataclass
class Side(Evening):
    """A referee and their computer: a folder that is the shared one as it is here, and their own."""

    who: str = ""
    home: Path = Path()
    truth: Truth = field(default_factory=Truth)
    cloud: Cloud = field(default_factory=lambda: Cloud(()))
    typed_over: set[str] = field(default_factory=set)
    """Workbooks that somebody has typed into and saved under the same name."""

    @property
    def ledger(self) -> Path:
        """The ledger's place."""
        return path_of_ledger(self.book)

    def book_sha(self) -> str:
        """By what the workbook is known, "" for none."""
        return sha256(self.book.read_bytes()) if self.book.is_file() else ""

    def stands(self) -> Stands:
        """How workbook and ledger stand to each other."""
        book, known = self.truth.books.get(self.book_sha()), self.truth.known(self.ledger)
        if book is None:
            return Stands("book")
        if known is None:
            return Stands("damaged" if self.ledger.is_file() else "missing")
        if book is known.now:
            return Stands("one", book, book, book)
        if book in known.left or book in known.now.way():
            return Stands("ahead", None, book, known.now)
        if known.now in book.way():
            return Stands("behind", None, book, known.now)
        common = next(one for one in book.way() if one in known.now.way())
        return Stands("two", common, book, known.now)

    # --- commands ---------------------------------------------------------------------------------
    def type_in(self, sheet: str, key: str, values: dict[str, Any]) -> None:
        """Type into cells with another program: the state stays, whatever stands there now."""
        state = self.truth.books[self.book_sha()]
        self.typed_over.add(self.book_sha())
        super().type_in(sheet, key, values)
        self.truth.note(self.book.read_bytes(), state, typed=True)

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """This referee is at work on this computer: what they do is noted, and what was there must not be gone."""
        os.environ.update(ARBITRO_HOME=str(self.home), LOGNAME=self.who, ARBITRO_BACKUPS="90")
        there = self.whole(of_ledgers_before=False)
        yield
        self.note_changes()
        gone = there - self.whole(of_ledgers_before=True) - self.typed_over
        if gone:
            raise self.wrong(f"gone: {sorted(sha[:8] for sha in gone)}")

    def note_changes(self) -> None:
        """Which states the changes that nobody has noted yet have led to."""
        try:
            ledger = Ledger.open(self.ledger, "")
        except LedgerTrouble:
            return
        with ledger:
            steps = [step for step in ledger.steps() if step.state == "done"]
            left, before = set[State](), None
            for stroke, then in zip_longest(strokes(steps), strokes(steps)[1:]):
                after = stroke[-1].sha_after
                before = self.truth.books.get(stroke[0].sha_before, before)
                left |= {before} if before else set()
                left |= self.note_between(ledger, stroke, before)
                if after in self.truth.books:
                    before = self.truth.books[after]
                    continue
                content = self.book.read_bytes() if self.book_sha() == after else ledger.book(then[0].id)
                if sha256(content) in self.cloud.halves:  # done again is also what the cloud had broken
                    continue
                verb, phases = stroke[0].verb, [one for one in stroke if one.verb == "resolve"]
                for count, one in enumerate(phases):
                    self.truth.played.setdefault((one.turn, one.phase), (before.played if before else 0) + count)
                state = self.truth.led_to(before, verb, len(phases), content, frozenset(left))
                self.truth.note(content, state, stroke[0].sha_before in self.truth.typed and verb not in (
                    "accept", "revert"))
                before = state

    def note_between(self, ledger: Ledger, stroke: list[LedgerStep], before: State | None) -> set[State]:
        """The states between the phases of one command, to which `undo` can go back."""
        key = stroke[0].sha_before, stroke[-1].sha_after
        if key not in self.truth.between:
            found = self.truth.between[key] = set()
            for count, step in enumerate(stroke[1:], 1):
                campaign = campaign_before(ledger, step.id, self.book.name)
                state = self.truth.state(before, "resolve", count, campaign, frozenset())
                self.truth.saying.setdefault(said_by(campaign), set()).add(state)
                found.add(state)
        return self.truth.between[key]

    def files(self, ending: str) -> list[Path]:
        """The files of an ending in the folder and among the backups."""
        return sorted([*self.book.parent.glob(f"*{ending}"), *backup_folder(self.book).glob(f"*{ending}")])

    def whole(self, of_ledgers_before: bool) -> set[str]:
        """All workbooks that can be had: as files, or from a ledger. `of_ledgers_before`: also from those among the
        backups, of which only the last ones stay.
        """
        found = {sha256(path.read_bytes()) for path in self.files(self.book.suffix)} & set(self.truth.books)
        for one in self.files(self.ledger.suffix):
            known = self.truth.known(one) if of_ledgers_before or one.parent == self.book.parent else None
            found |= known.shas & set(self.truth.books) if known else set()
        return found

    # --- what must be said ------------------------------------------------------------------------
    def told_truly(self, rng: random.Random) -> None:
        """The first command says how workbook and ledger stand to each other, and nothing that is not so."""
        stands = self.stands()
        look = rng.choice(LOOKS)
        files = {path: path.read_bytes() for ending in (self.book.suffix, self.ledger.suffix)
                 for path in self.files(ending)}
        for command in dict.fromkeys((look, desk.check, desk.verify)):
            result = command(self.book, lang="en")
            found = self.amiss(command.__name__, result, stands)
            if found:
                raise self.wrong(f"{command.__name__} ({stands.how}): {found}; {int(result.exit)}"
                                 f" {result.finding_lines()} {result.lines[:9]}")
        if stands.how in ("two", "ahead", "behind"):
            change = rng.choice(CHANGES)
            result = change(self.book, lang="en")
            typed = self.book_sha() in self.truth.typed  # what nobody can play on with is refused first
            if result.exit != Exit.LEDGER and not (typed and result.exit == Exit.REFUSED):
                raise self.wrong(f"{change.__name__} ({stands.how}): {int(result.exit)} {result.finding_lines()}")
        changed = [one.name for one, content in files.items() if not one.is_file() or one.read_bytes() != content]
        if changed:
            raise self.wrong(f"{changed} changed by a look ({look.__name__}, {stands.how})")

    def amiss(self, name: str, result: Result, stands: Stands) -> str:
        """What is wrong with what a look said; "" for nothing."""
        codes = {finding.code for finding in result.findings}
        typed = self.book_sha() in self.truth.typed
        if stands.how == "book":
            return "" if result.exit == Exit.FILE else "the workbook is not there or damaged"
        if stands.how == "one" and typed:
            return "two moments" if codes & {"ARB-230", "ARB-233", "ARB-243", "ARB-388"} else ""
        if codes & FALSE:
            return "a false accusation"
        if stands.how == "two":
            return self.amiss_of_two(result, codes, stands)
        apart = {"ahead": {"ARB-233"}, "behind": {"ARB-230", "ARB-243"}}.get(stands.how, set())
        if codes & ({"ARB-230", "ARB-233", "ARB-243", "ARB-388"} - apart):
            return "said otherwise than it is"
        if apart and name in ("check", "verify", "status") and not codes & apart:
            return "not said"
        if stands.how in ("damaged", "missing"):
            wanted = {"check": "ARB-383", "verify": "ARB-071" if stands.how == "damaged" else "ARB-070"}
            return "not said" if name in wanted and wanted[name] not in codes else ""
        if stands.how == "one" and name == "verify" and stands.book is not None:
            if stands.book.unproved:
                told = {"ARB-387"} <= codes <= {"ARB-387", "ARB-131"} and result.exit == Exit.REFUSED
                return "" if told else "unproved, and not said so"
            return "" if result.data.get("verified") else "not verified"
        return ""

    def amiss_of_two(self, result: Result, codes: set[str], stands: Stands) -> str:
        """The same where they tell two histories."""
        if (result.exit, codes) != (Exit.LEDGER, {"ARB-388"}):
            return "two histories, and not said so"
        match = SINCE.search("\n".join(result.finding_lines()))
        assert match is not None
        assert stands.common is not None
        assert stands.book is not None
        assert stands.ledger is not None
        orders = {row.ident for row in self.truth.campaign(self.book.read_bytes()).table(Order)}
        wanted = (max(0, stands.book.played - stands.common.played), len(orders - stands.common.orders),
                  max(0, stands.ledger.played - stands.common.played), len(stands.ledger.orders - stands.common.orders))
        return "" if tuple(map(int, match.groups())) == wanted else f"numbers, which are {wanted}"

    def kept_whole(self) -> None:
        """What was kept can be read, each workbook as somebody has left it, each ledger of the campaign."""
        for one in self.files(self.book.suffix):
            known = sha256(one.read_bytes()) in {*self.truth.books, *self.cloud.halves}
            if one.parent != self.book.parent and not known:
                raise self.wrong(f"{one.name} is not whole")
        for one in self.files(self.ledger.suffix):
            if one.parent != self.book.parent and self.truth.known(one) is None:
                raise self.wrong(f"{one.name} is not whole")

    # --- acts -------------------------------------------------------------------------------------
    def go_on(self, rng: random.Random) -> None:
        """A way out of whatever is wrong, as the findings say it; of one moment: an evening's act, perhaps a cheat."""
        stands = self.stands()
        if stands.how == "one":
            if self.book_sha() in self.truth.typed and rng.random() < 0.7:
                evenings.accept_or_revert(self, rng)
            elif rng.random() < 0.1:
                self.cheat(rng)
            else:
                rng.choice(HONEST)(self, rng)
            return
        if stands.how == "two":
            which = rng.choice(("workbook", "ledger"))
            result = desk.keep_history(self.book, which, lang="en")  # type: ignore[arg-type]
            self.say(f"ledger m.xlsx --keep {which}", result)
        elif stands.how == "ahead":
            line = desk.verify(self.book, lang="en").finding_lines()[0]
            typed = re.search(r"arbitro (undo|ledger) \S+ --(\w+) (\S+?)[.\n]*$", line)
            assert typed, line
            result = (desk.keep_history(self.book, "workbook", lang="en") if typed[2] == "keep" else
                      desk.undo(self.book, snapshot=int(typed[3]), agree=lambda *_: True, lang="en"))
            self.say(typed[0], result)
        elif stands.how == "book":
            result = desk.undo(self.book, hard=True, lang="en")
            self.say("undo m.xlsx --hard", result)
            if result.exit != Exit.DONE:  # nothing to undo, or no ledger either
                self.book.write_bytes(rng.choice(self.cloud.versions[self.book.suffix]))
                return self.said.append("# a workbook is put back")
        else:
            result = desk.rescue_ledger(self.book, lang="en")
            self.say("ledger m.xlsx --rescue", result)
            if result.exit == Exit.LEDGER:  # nothing is known of it here
                result = desk.renew_ledger(self.book, secret=evenings.SECRET, lang="en")
                self.say("ledger m.xlsx --renew", result)
        if result.exit != Exit.DONE:
            raise self.wrong(f"{result.finding_lines()}")

    def cheat(self, rng: random.Random) -> None:
        """Somebody types over what is the assistant's, and it is named."""
        if self.tamper(rng) and "# Outlines" not in self.said[-1]:  # lines of the map are watched by nobody
            checked, verified = desk.check(self.book, lang="en"), desk.verify(self.book, lang="en")
            if not checked.data.get("by_hand") or verified.exit != Exit.REFUSED:
                raise self.wrong(f"passes: {checked.finding_lines()} {verified.finding_lines()}")


@dataclass
class Cloud:
    """What carries files from one computer to the other, whatever lies there. `versions`: all that either has had;
    `halves`: what it has laid there in part.
    """

    sides: tuple[Side, ...]
    versions: dict[str, list[bytes]] = field(default_factory=dict)
    halves: set[str] = field(default_factory=set)

    def remember(self) -> None:
        """The files as they are now are versions from now on."""
        for side in self.sides:
            for path in (side.book, side.ledger):
                content = path.read_bytes() if path.is_file() else b""
                whole = sha256(content) in side.truth.books or (path == side.ledger and side.truth.known(path))
                if whole and content not in self.versions.setdefault(path.suffix, []):
                    self.versions[path.suffix].append(content)

    def act(self, rng: random.Random) -> Side:
        """Do something to the folder of one computer, which is returned."""
        side, other = rng.sample(self.sides, 2)
        pairs = [(side.book, other.book), (side.ledger, other.ledger)]
        how = rng.choice(("both", "both", "late", "late", "stale", "copy", "delete", "half", "journal"))
        side.said.append(f"# {side.who}: {how}")
        if how == "journal":
            side.book.with_name(f"{side.ledger.name}-journal").write_bytes(rng.choice(self.versions[".arbitro"])[:4096])
            return side
        rng.shuffle(pairs)
        for mine, theirs in pairs if how == "both" else pairs[:1]:
            if how == "delete":
                mine.unlink(missing_ok=True)
            elif how == "half" and mine.is_file():
                content = mine.read_bytes()
                self.halves.add(sha256(content[:len(content) // 2]))
                self.lay(mine, content[:len(content) // 2], rng)
            elif how == "stale":
                self.lay(mine, rng.choice(self.versions[mine.suffix]), rng)
            elif theirs.is_file():
                if how == "copy" or rng.random() < 0.3:
                    name = rng.choice(COPIES).format(stem=mine.stem, end=mine.suffix, who=other.who)
                    mine, theirs = (mine, theirs) if rng.random() < 0.5 else (theirs, mine)
                    if mine.is_file():
                        shutil.copyfile(mine, side.book.with_name(name))
                    mine = side.book.with_name(name) if mine.parent != side.book.parent else mine
                self.lay(mine, theirs.read_bytes() if theirs.is_file() else b"", rng)
        return side

    def lay(self, place: Path, content: bytes, rng: random.Random) -> None:
        """Put a file there, in place of another one or into it, as clouds do."""
        if rng.random() < 0.5:
            place.unlink(missing_ok=True)
        place.write_bytes(content)


def evening(ruleset: str, seed: int, begin: tuple[Path, Path], acts: int = ACTS) -> None:
    """Two referees play on from one point, and the cloud lays their files about. Raises `Wrong`."""
    rng = random.Random(f"cloud.{ruleset}.{seed}")
    with tempfile.TemporaryDirectory(prefix="cloud-") as place:
        truth, said, sides = Truth(), list[str](), []
        start = rng.choice(begin)
        for who in ("Anna", "Bea"):
            folder = Path(shutil.copytree(start.parent, Path(place) / who / "shared"))
            side = Side(ruleset, str(seed), folder / start.name, who=who, home=Path(place) / who / "home", truth=truth)
            side.said = said
            sides.append(side)
        begins(truth, sides[0])
        cloud = Cloud(tuple(sides))
        for side in sides:
            side.cloud = cloud
        side = sides[0]
        try:
            for _ in range(acts):
                cloud.remember()
                side = rng.choice(sides)
                if rng.random() < 0.35:
                    side = cloud.act(rng)
                else:
                    said.append(f"# {side.who}:")
                    with side.at_work():
                        side.go_on(rng)
                look(side, rng)
            for side in sides:
                settle(side, rng)
        except Wrong:
            raise
        except Exception as fault:
            raise side.wrong(f"{type(fault).__name__} {fault}") from fault


def begins(truth: Truth, side: Side) -> None:
    """The states through which the campaign has come so far."""
    with Ledger.open(side.ledger, "") as ledger:
        steps = ledger.steps()
        first = ledger.book(steps[0].id) if steps else side.book.read_bytes()
    truth.note(first, truth.led_to(None, "new", 0, first, frozenset()))
    side.note_changes()


def look(side: Side, rng: random.Random) -> None:
    """What is to be seen is told truly, and what was kept is whole."""
    with side.at_work():
        side.told_truly(rng)
    side.kept_whole()


def settle(side: Side, rng: random.Random) -> None:
    """Whatever is wrong at the end has a way out, after which the campaign goes on."""
    for _ in range(5):
        if side.stands().how == "one":
            return
        side.said.append(f"# {side.who}, to the end:")
        with side.at_work():
            side.go_on(rng)
        look(side, rng)
    raise side.wrong("no way out")


def main(ruleset: str, first: int, last: int) -> None:
    """Play some evenings and show what is wrong with them."""
    with tempfile.TemporaryDirectory(prefix="world-") as folder, kit.plug_in(
            Path(folder), tiny="tests.desk.tiny:TINY"):
        (Path(folder) / "world").mkdir()
        begin = evenings.world(ruleset, Path(folder) / "world")
        failed = 0
        for seed in range(first, last):
            try:
                evening(ruleset, seed, begin)
            except Exception as wrong:
                failed += 1
                print(f"--- {seed}: {type(wrong).__name__}: {wrong}", flush=True)
                if not isinstance(wrong, Wrong):
                    import traceback
                    traceback.print_exc()
        print(f"{ruleset}: {last - first} evenings, {failed} failed", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
