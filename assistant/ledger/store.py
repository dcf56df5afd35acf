"""The ledger as commands use it: changes begun, finished, undone; dice secrets and promises; whether it is sound."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, Literal, NamedTuple

import assistant
from assistant.environment import back_up, back_up_under, remove_backup
from assistant.ledger.file import (
    CORRECT,
    LEDGER_SUFFIX,
    TAKE_AS_IT_IS,
    UNDO_VERBS,
    UNDOABLE_VERBS,
    Fingerprints,
    History,
    LedgerStep,
    LedgerTrouble,
    PlannedStep,
    RecordStore,
    Trouble,
    compress_content,
    decompress_content,
    intermediate_mark,
    record_name,
    secret_audiences,
    sha256,
    to_json_bytes,
    writing_errors_as_trouble,
)
from assistant.ledger.outbox import Outbox
from assistant.turn.dice import audience_secret, commitment, turn_secret_of
from assistant.turn.rulebooks import CODE_DIGITS, package_files, ruleset_package
from assistant.turn.ruleset import Ruleset

LEDGER_BACKUPS_KEPT = 3
"""How many whole ledgers from before the last changes stay among the backups, besides one of each turn."""
RULES_VERSION_KEY = "rules"
"""The key of the version of the rules with which the campaign began; older ledgers have none."""


# Which code resolves phases: the version of Arbitro, the version of the rules, and a fingerprint of the code.


SHARED_PACKAGES = ("assistant.campaign", "assistant.turn")
"""The packages that every ruleset builds on."""


class Provenance(NamedTuple):
    """What resolved a phase. `arbitro`, `rules`: versions; `code`: fingerprint of the code that a phase runs through.

    All are "" where nothing was noted.
    """

    arbitro: str = ""
    rules: str = ""
    code: str = ""

    @classmethod
    def of(cls, noted: Mapping[str, Any]) -> Provenance:
        """Read back what `_asdict` returned; missing keys become ""."""
        return cls(*(str(noted.get(name, "")) for name in ("arbitro", "rules", "code")))


def current_provenance(ruleset: Ruleset) -> Provenance:
    """The code that runs now, with this ruleset."""
    return Provenance(
        assistant.__version__, ruleset.version, _code_fingerprint(ruleset_package(type(ruleset).__module__))
    )


PACKAGE_KEY = "package"
"""The key of the package of house rules with which the campaign is played; others have none."""


@lru_cache(maxsize=16)
def _code_fingerprint(home: str) -> str:
    """The fingerprint of the shared code and a ruleset's, the same wherever they are installed."""
    digest = hashlib.sha256()
    for package in (*SHARED_PACKAGES, home):
        for name, content in package_files(package):
            digest.update(f"{package}/{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:CODE_DIGITS]


# The ledger.


class Ledger:
    """An open ledger; use it in a ``with`` statement. Every method that reads may raise `LedgerTrouble`."""

    def __init__(self, path: Path, vault: RecordStore) -> None:
        self.path = path
        self._vault = vault
        self._history = History(vault)

    # --- opening ----------------------------------------------------------------------------
    @classmethod
    def create(cls, path: Path, campaign: str, secret: bytes, rules: str = "", package: str = "") -> Ledger:
        """Start a ledger. `rules`: the version of the rules with which the campaign begins; `package`: the mark of its
        house rules with code.

        Raises FileExistsError, or `LedgerTrouble` if it cannot be written.
        """
        if path.exists():
            raise FileExistsError(path)
        vault = RecordStore.create(path, campaign)
        ledger = cls(path, vault)
        with vault.writing():
            for key, value in (("campaign", campaign), ("secret", secret.hex()), ("line", "[]"), ("redo", "[]"),
                               (RULES_VERSION_KEY, rules)):
                ledger._set(key, value)
            if package:
                ledger._set(PACKAGE_KEY, package)
        return ledger

    @classmethod
    def open(cls, path: Path, campaign: str) -> Ledger:
        """Open the ledger of a campaign ("": of any campaign), as it is now. Raises `LedgerTrouble`."""
        vault = RecordStore.load(path)
        ledger = cls(path, vault)
        try:
            if campaign and ledger._meta("campaign") != campaign:
                raise LedgerTrouble("foreign", ledger._meta("campaign"))
        except LedgerTrouble:
            vault.close()
            raise
        return ledger

    def close(self) -> None:
        """Close the ledger."""
        self._vault.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> None:
        """Check that everything is there that all commands need. Raises `LedgerTrouble`."""
        for key in ("campaign", "secret", "line", "redo"):
            self._meta(key)

    # --- the dice secret --------------------------------------------------------------------
    @property
    def campaign(self) -> str:
        """The id of the campaign whose ledger it is."""
        return self._meta("campaign")

    @property
    def secret(self) -> bytes:
        """The campaign's secret, from which each turn's secret is derived."""
        return bytes.fromhex(self._meta("secret"))

    def turn_secret(self, turn: str) -> bytes:
        """The secret of a turn: the stored one, else HMAC-SHA256(campaign's secret, turn)."""
        # what was promised stands, whatever the campaign's secret says today
        kept = self._vault.get("turn", turn)
        if kept is not None:
            return bytes.fromhex(json.loads(kept)["secret"])
        return turn_secret_of(self.secret, turn)

    def commit_turn(self, turn: str, codes: Iterable[str]) -> None:
        """Store a turn's secret and the commitments to print, unless they are stored already."""
        if self._vault.get("turn", turn) is None:
            with self._vault.writing():
                self._promise(turn, codes)

    def _promise(self, turn: str, codes: Iterable[str]) -> None:
        """Store a turn's commitments once, and with each the campaign's secret, so that the file holds it several
        times.
        """
        # clubs have the commitments in their reports: a second promise would break the first
        if self._vault.get("turn", turn) is not None:
            return
        secret = self.turn_secret(turn)
        promised = {who: commitment(audience_secret(secret, turn, who)) for who in secret_audiences(codes)}
        self._vault.put("turn", turn, to_json_bytes({"secret": secret.hex(), "commitments": promised,
                                                "campaign": self.campaign, "root": self._meta("secret")}))

    def promises(self) -> dict[str, Any]:
        """Everything stored about commitments, by turn, as plain values: `secret` and `commitments`."""
        return {turn: json.loads(kept) for turn, kept in self._vault.all("turn").items()}

    def promise_again(self, promises: Mapping[str, Any]) -> None:
        """Store what `promises` of another ledger returned."""
        with self._vault.writing():
            for turn, promised in promises.items():
                self._vault.put("turn", turn, to_json_bytes(promised))

    def commitments(self) -> dict[str, dict[str, str]]:
        """The published commitments: turn -> audience -> SHA-256 of its secret."""
        return {turn: promised["commitments"] for turn, promised in self.promises().items()}

    def secrets(self, turn: str) -> dict[str, str]:
        """A turn's secrets in hexadecimal, by audience, to be revealed when the turn is over."""
        kept = self._vault.get("turn", turn)
        secret = self.turn_secret(turn)
        promised = json.loads(kept)["commitments"] if kept is not None else {}
        return {who: audience_secret(secret, turn, who).hex() for who in promised}

    # --- changes ----------------------------------------------------------------------------
    def change(self, stages: Sequence[PlannedStep], book: bytes, left: str, *, line: Iterable[int] | None = None,
               redo: Iterable[int] | None = None, marks: Fingerprints | None = None,
               fingerprints: Fingerprints | None = None, sha: str = "", by: Provenance | None = None,
               mark: str | None = None, who: str = "", chain: Sequence[str] = (), pages: str = "",
               meanwhile: Callable[[], None] = lambda: None) -> int:
        """Store one or several changes of the workbook, which are made in one stroke, and return the first's number.

        `book`: the workbook as it is before them; `left`: its fingerprint after them; `meanwhile`: makes them, while
        the changed ledger lies ready beside the old one; an Exception of it means that nothing was changed.
        `line`, `redo`: the pointers after the change, for undo and redo; a ``resolve`` adds itself to the line, an
        ``undo`` to the redo stack if `redo` is None. `marks`: the fingerprints of all tables after the changes (None:
        as before); `fingerprints`: those of the workbook as it is, edited by hand or not (None: not known); `sha`: the
        workbook's fingerprint before, if it is not that of its bytes; `by`: the code that makes the changes; `mark`:
        the workbook's mark after the changes (None: as before); `who`: the user and computer; `chain`: the marks in the
        workbook as it is; the last of them is not the ledger's own if the workbook is taken as it is; `pages`: how its
        sheets are left, for the next reader ("" for not known).
        On `LedgerTrouble` before `meanwhile` the ledger is unchanged; after it, `settle` finishes or drops the change.
        """
        with self._old_kept(), self._vault.writing(meanwhile):
            # counted inside the transaction: another process may have written a step meanwhile
            first = self._history.last_number() + 1
            plans = self._plans(stages, line, redo, by)
            plans[0] |= {"mark": mark, "was": chain[-1] if chain else self.mark, "who": who}
            if chain and chain[-1] != self.mark:
                plans[0]["way"] = self._unknown_end(chain)
            way = list(self.line)
            for number, (stage, plan) in enumerate(zip(stages, plans, strict=True), first):
                before = "" if number > first else sha or sha256(book)
                self._history.put(LedgerStep(number, stage.verb, stage.turn, stage.phase, "pending", before, "",
                                             tuple(way)), plan)
                # the workbook is stored once for a stroke, before its first step; of the others only how the campaign
                # differs
                if number > first:
                    self._vault.put("part", record_name(number), compress_content(stage.records))
                else:
                    self._history.keep_book(number, book)
                if stage.verb in UNDOABLE_VERBS:
                    way.append(number)
                elif stage.verb == CORRECT:
                    way = list(plan["line"] or [])
            self._keep_prints(first, marks, fingerprints, taken=stages[0].verb == TAKE_AS_IT_IS)
            self._finish(first, left, pages)
        return first

    @staticmethod
    def _plans(stages: Sequence[PlannedStep], line: Iterable[int] | None, redo: Iterable[int] | None,
               by: Provenance | None) -> list[dict[str, Any]]:
        """The plans of the changes of a stroke; its first one moves the pointers."""
        plans: list[dict[str, Any]] = [
            {"line": None, "redo": None, "given": dict(stage.given), "stands": stage.stands}
            | ({} if by is None else {"by": by._asdict()}) for stage in stages]
        plans[0] |= {"line": None if line is None else list(line), "redo": None if redo is None else list(redo)}
        return plans

    def _finish(self, step: int, left: str, pages: str) -> None:
        """Mark a change and its stroke as done, and move the pointers as planned."""
        stroke = self._stroke(step)
        for number in stroke:
            self._mark_done(number, left if number == stroke[-1] else "")
        change = self.step(step)
        if change is not None and change.verb == CORRECT:
            self._point("line", [*self.line, step])
        self._set("pages", pages)
        self._set("stands", json.dumps({"sha": left, "left": {}}))

    @contextmanager
    def _old_kept(self) -> Iterator[None]:
        """Back up the file before it is replaced: by date and, if the last change ended a turn, under that turn."""
        number = self._history.last_number()
        with writing_errors_as_trouble():
            kept = back_up(self.path, LEDGER_BACKUPS_KEPT)
            # back to the first step of the last stroke: any of them may have ended a turn
            while number:
                step, plan = self._history.get(number)
                if plan["stands"][0] not in ("", step.turn):
                    # the turn's name becomes part of a file's
                    turn = re.sub(r"[^\w.-]", "_", step.turn)
                    back_up_under(self.path, f"{self.path.stem} {turn}{self.path.suffix}")
                number = 0 if step.sha_before else number - 1
        try:
            yield
        except BaseException:
            remove_backup(kept)  # of what was not replaced
            raise

    def _mark_done(self, number: int, left: str) -> None:
        step, plan = self._history.get(number)
        if step.verb in UNDOABLE_VERBS:
            plan["line"], plan["redo"] = [*step.line, number], []
        elif step.verb == "undo" and plan["redo"] is None:
            plan["redo"] = [*self.redo, number]
        elif step.verb == TAKE_AS_IT_IS:  # what was undone belongs to the history that is left behind
            plan["redo"] = []
        self._history.put(step._replace(state="done", sha_after=left), plan)
        for key in ("line", "redo"):
            if plan[key] is not None:
                self._point(key, plan[key])
        if plan.get("mark") is not None:
            self._set("mark", plan["mark"])
        turn, codes = plan["stands"]
        if turn:
            self._promise(turn, codes)

    def _point(self, key: str, steps: Sequence[int]) -> None:
        self._set(key, json.dumps(list(steps)))

    def _stroke(self, step: int) -> list[int]:
        """The numbers of a pending change and of the rest of its stroke; [] if it is not pending."""
        later = [other for other in self.steps() if other.id >= step and other.state == "pending"]
        if not later or later[0].id != step:
            return []
        return [step, *(other.id for other in takewhile(lambda other: not other.sha_before, later[1:]))]

    def settle(self, book: bytes, state: Callable[[], str] | None = None, chain: Sequence[str] = ()) -> None:
        """Finish or drop the change that a crash interrupted; the workbook tells whether it was made.

        `state`: the fingerprint of the workbook while it is open, for a change that was made to it then;
        `chain`: the marks in the workbook, which tell it even if another program has saved the file since.
        """
        def was_made(records: RecordStore) -> bool:
            last = History(records).last_number()
            if last <= self._history.last_number():  # what was being written is no change of the workbook
                return False
            there = Ledger(self.path, records)
            head = there.step(there.head(last))
            # the state of an open workbook is written with a colon, the hash of a file has none
            live = head is not None and ":" in head.sha_before
            seen = state() if live and state is not None else sha256(book)
            new = there.mark not in ("", self.mark) and chain[-1:] == [there.mark]
            return new or seen == there._history.get(last)[0].sha_after

        self._vault.settle(was_made)
        self._settle_begun(book, state, chain)

    def settle_as_made(self) -> None:
        """Finish the change that a crash interrupted where the workbook cannot tell whether it was made: so no snapshot
        is lost.
        """
        self._vault.settle(lambda _: True)

    def _settle_begun(self, book: bytes, state: Callable[[], str] | None, chain: Sequence[str]) -> None:
        """`settle` in a ledger of before, which noted that a change is begun and then that it was made."""
        for step in self.steps() if self.unsettled else ():
            if step.state != "pending" or not step.sha_before:
                continue
            sha = (state() if state is not None and ":" in step.sha_before else "") or sha256(book)
            plan = self._history.get(step.id)[1]
            as_before = chain and plan.get("mark") not in (None, plan.get("was")) and chain[-1] == plan.get("was")
            with self._vault.writing():
                if as_before or sha == step.sha_before:
                    for name in json.loads(self._vault.get("fresh", record_name(step.id)) or b"[]"):
                        self._vault.drop("piece", name)
                        self._vault.drop("head", name)
                    for number in self._stroke(step.id):
                        self._history.forget(number)
                else:
                    self._set("manifest", decompress_content(self._vault.need("after", record_name(step.id))).decode())
                    self._finish(step.id, sha, "")

    def read_note(self, key: str) -> str:
        """The text under a key, or "" ("stands": the fingerprint of an open workbook at the last change)."""
        return (self._vault.get("meta", key) or b"").decode()

    def note(self, key: str, value: str) -> None:
        """Store a text under a key, for `read_note`, at once; `undo` does not take it back.

        Raises `LedgerTrouble` ("unwritable").
        """
        with self._vault.writing():
            self._set(key, value)

    def point(self, line: Sequence[int], redo: Sequence[int], manifest: str, noted: str, mark: str) -> None:
        """Move all pointers to where an open workbook is now; nothing is deleted. `read_note`: the value of "stands".

        The stored state of the sheets belongs to other fingerprints, so it is cleared.
        """
        with self._vault.writing():
            self._set("pages", "")
            self._point("line", line)
            self._point("redo", redo)
            self._set("manifest", manifest)
            self._set("stands", noted)
            self._set("mark", mark)

    @property
    def outbox(self) -> Outbox:
        """The outgoing mails; `undo` does not touch them."""
        return Outbox(self._vault)

    @property
    def began(self) -> str:
        """The version of the rules with which the campaign began, "" if it was not noted."""
        return self.read_note(RULES_VERSION_KEY)

    @property
    def package(self) -> str:
        """The mark of the house rules with which the campaign is played, "" for none."""
        return self.read_note(PACKAGE_KEY)

    def _set(self, key: str, value: str) -> None:
        self._vault.put("meta", key, value.encode())

    @property
    def unsettled(self) -> bool:
        """Whether a ledger of before holds a change that was begun and neither finished nor dropped; see `settle`."""
        last = self._history.last_number()
        return bool(last) and self._history.get(last)[0].state == "pending"

    # --- fingerprints -----------------------------------------------------------------------
    def keep_marks(self, marks: Fingerprints) -> None:
        """Store the fingerprints of a new workbook that is about to be written."""
        with self._vault.writing():
            self._keep_chunks(marks)
            self._set("manifest", marks.manifest)

    def _keep_prints(self, step: int, marks: Fingerprints | None, fingerprints: Fingerprints | None, *,
                     taken: bool) -> None:
        """Store the fingerprints of all tables before and after a change.

        `taken`: the workbook is taken as it is, so that nothing in it counts as an undecided edit.
        """
        known = self.manifest()
        before = fingerprints.manifest if taken and fingerprints is not None else known
        for found in (fingerprints, marks):
            if found is not None:
                self._keep_chunks(found)
        seen = "" if fingerprints is None else fingerprints.manifest
        kept = [before, "=" if seen == before else seen, *([known] if taken else [])]
        self._vault.put("marks", record_name(step), compress_content("\0".join(kept).encode()))
        self._set("manifest", before if marks is None else marks.manifest)

    def _keep_chunks(self, marks: Fingerprints) -> None:
        """Store the chunks that are new."""
        for name, rows in marks.chunks.items():
            if self._history.keep_piece(name, rows) and name in marks.heads:
                self._vault.put("head", name, compress_content(marks.heads[name].encode()))

    def manifest(self) -> str:
        """Which chunks hold what Arbitro last wrote, "" if not known."""
        return self.read_note("manifest")

    def manifest_before(self, step: int) -> str:
        """`manifest` before a step; "" if not known, or between two steps of one stroke."""
        return self._marks(step)[0]

    def manifest_found(self, step: int) -> str:
        """Which chunks hold the workbook's content before a step, edited by hand or not.

        "" if not known, or between two steps of one stroke.
        """
        before, seen, _ = self._marks(step)
        return before if seen == "=" else seen

    def manifest_after(self, step: int) -> str:
        """`manifest` after a step."""
        last = self._history.last_number()
        return self.manifest_before(step + 1) if step < last else self.manifest()

    def manifest_known(self, step: int) -> str:
        """`manifest_before`; where the workbook was taken as it was, what the ledger knew until then."""
        before, _, known = self._marks(step)
        return known or before

    def _marks(self, step: int) -> tuple[str, str, str]:
        kept = self._vault.get("marks", record_name(step))
        before, seen, known = [*(decompress_content(kept).decode().split("\0") if kept else ()), "", "", ""][:3]
        return before, seen, known

    def pages(self) -> str:
        """How the last change left the workbook's sheets, as given to `finish`; "" for not known."""
        return self.read_note("pages")

    def chunk(self, name: str) -> bytes:
        """The rows of a chunk, as they were stored. Raises `LedgerTrouble` ("unreadable") if it is gone."""
        return self.later(name)()

    def heads(self) -> dict[str, str]:
        """What is known of chunks without decompressing them, by name; see `Marks.heads`."""
        return {name: decompress_content(kept).decode() for name, kept in self._vault.all("head").items()}

    def later(self, name: str) -> Callable[[], bytes]:
        """A function that returns `chunk` when it is called, even after the ledger was closed."""
        return self._history.piece(name)

    # --- which workbook is ours ---------------------------------------------------------------
    @property
    def mark(self) -> str:
        """The mark of the workbook as it was last written, "" before the first change."""
        return self.read_note("mark")

    def chain(self, mark: str) -> dict[str, int]:
        """A mark and those that led to it, newest first, each with the number of the change that tells of it.

        At the end stands the first mark with 0: "" if the ledger goes back to the campaign's first change.
        """
        before, numbers = self._marks_before(), dict[str, int]()
        while mark in before:
            numbers[mark] = before[mark][1]
            mark = before[mark][0]
        return numbers | {mark: 0}

    def _marks_before(self) -> dict[str, tuple[str, int]]:
        """Mark -> the mark before it and the number of the change that made it.

        Includes the marks of a change under way and those of a workbook that was taken as it was. An undo restores a
        mark that existed before.
        """
        origins, met = dict[str, tuple[str, int]](), set[str]()
        before = self._each_before()
        for step, plan in self._history.all():
            if plan.get("mark") is not None:
                way = [*plan.get("way", [plan["was"]]), plan["mark"]]
            elif step.id in before:
                way = [before[self.head(step.id)], before[step.id]]
            else:
                continue
            for earlier, after in pairwise(way):
                met.add(earlier)
                if after and after not in met:
                    origins[after] = earlier, step.id
                    met.add(after)
        return origins

    def _each_before(self) -> dict[int, str]:
        """`mark_before` of every change that has one."""
        marks, played, head = dict[int, str](), set[int](), (0, 0, "")
        for step, plan in self._history.all():
            phases = len(played & {*step.line})
            if plan.get("mark") is not None:
                head, marks[step.id] = (step.id, phases, plan["mark"]), plan["was"]
            elif step.sha_before:
                head = (0, 0, "")
            elif head[0]:
                marks[step.id] = intermediate_mark(head[2], step.id - head[0], phases - head[1])
            if step.verb == "resolve":
                played.add(step.id)
        return marks

    def _unknown_end(self, chain: Sequence[str]) -> list[str]:
        """The end of a chain that the ledger does not know, preceded by the last mark that it knows."""
        known = {"", self.mark, *self._marks_before()}
        return list(chain[next((n for n in reversed(range(len(chain))) if chain[n] in known), 0):])

    def step_after_mark(self, mark: str) -> LedgerStep | None:
        """The last change before which the workbook had a mark, or would have had it; None if unknown."""
        steps = [step for step, other in self._each_before().items() if other == mark]
        return self.step(steps[-1]) if steps else None

    def mark_before(self, step: int) -> str:
        """The mark of the workbook before a change (within a stroke: the one it would have had), or ""."""
        return self._each_before().get(step, "")

    def who(self, step: int) -> str:
        """The user and computer that made a change, "" if not noted."""
        return str(self._history.get(step)[1].get("who", ""))

    # --- looking back -----------------------------------------------------------------------
    def steps(self) -> list[LedgerStep]:
        """All changes, oldest first."""
        return [step for step, _ in self._history.all()]

    def step(self, number: int) -> LedgerStep | None:
        """One change by its number, or None."""
        return self._history.get(number)[0] if self._history.has(number) else None

    def makers(self) -> dict[int, Provenance]:
        """The code that resolved each phase, by the numbers of the steps; `Maker()` where nothing was noted."""
        return {
            step.id: Provenance.of(plan.get("by", {})) for step, plan in self._history.all() if step.verb == "resolve"
        }

    def writers(self) -> list[Provenance]:
        """The versions of the code that may have worded the texts in the workbook.

        That is the one that made the last change, or all that made any if the last change restored an older state;
        `Maker()` where nothing was noted, [] for a workbook without a change.
        """
        last = self._history.last_number()
        if not last:
            return []
        step, plan = self._history.get(last)
        plans = [plan for _, plan in self._history.all()] if step.verb in UNDO_VERBS else [plan]
        return [Provenance.of(noted.get("by", {})) for noted in plans]

    def book(self, step: int) -> bytes:
        """The workbook before a step, or before the first step of its stroke. Raises KeyError."""
        head = self.head(step)
        content = self._history.book(head)
        if content is None:
            raise LedgerTrouble("lost", str(head))
        return content

    def head(self, step: int) -> int:
        """The first step of a step's stroke, before which the workbook was stored. Raises KeyError."""
        while (first := self.step(step)) is None or not first.sha_before:
            if first is None:
                raise KeyError(step)
            step -= 1
        return step

    def fingerprint_after(self, first: int, last: int | None = None) -> str:
        """The fingerprint of the workbook after the `last` change (None: the newest one).

        "" unless each change from the `first` on found the file exactly as the one before it had left it.
        """
        left = ""
        for step in self.steps():
            if first <= step.id <= (last or step.id) and step.state == "done":
                if left and step.sha_before not in ("", left):
                    return ""
                left = step.sha_after or left
        return left

    def records(self, step: int) -> bytes:
        """How the campaign before a step differed from `book`, as given to `begin`; b"" for not at all.

        Raises KeyError.
        """
        if not self._history.has(step):
            raise KeyError(step)
        if self._history.get(step)[0].sha_before:
            return b""
        kept = self._vault.get("part", record_name(step))
        if kept is None:
            raise LedgerTrouble("lost", str(step))
        return decompress_content(kept)

    @property
    def line(self) -> tuple[int, ...]:
        """The undoable steps that led to the workbook as it is, oldest first; a correction after its phases."""
        return tuple(json.loads(self._meta("line")))

    @property
    def redo(self) -> tuple[int, ...]:
        """The undone steps that `redo` can restore, the next one last."""
        return tuple(json.loads(self._meta("redo")))

    def steps_in_force(self, *verbs: str) -> list[LedgerStep]:
        """The steps of `line`; those with one of these verbs, if any are given."""
        known = {step.id: step for step in self.steps()}
        way = [known[number] for number in self.line if number in known]
        return [step for step in way if step.verb in verbs] if verbs else way

    def own_answers(self) -> dict[str, str]:
        """Questions that the assistant answered itself -> ``robot`` or ``default``."""
        given: dict[str, str] = json.loads(self.read_note("given") or "{}")
        for step, plan in self._history.all():
            if step.state == "done":
                given.update(sorted(plan["given"].items()))
        return dict(sorted(given.items()))

    def _meta(self, key: str) -> str:
        if not (noted := self.read_note(key)):
            raise LedgerTrouble("unreadable", f"no {key}")
        return noted


# Looking at ledgers without opening them for good.


def trouble_with(path: Path, campaign: str) -> LedgerTrouble | None:
    """What is wrong with a campaign's ledger, or None; for commands that only look."""
    try:
        with closing(Ledger.open(path, campaign)) as ledger:
            ledger.check()
    except LedgerTrouble as trouble:
        return trouble
    return None


def ledger_condition(path: Path, campaign: str) -> Trouble | Literal["ok"]:
    """`trouble_with` in one word, "ok" for no trouble."""
    trouble = trouble_with(path, campaign)
    return "ok" if trouble is None else trouble.kind


def ledger_under_other_name(path: Path, campaign: str) -> str:
    """The name of the first file in a ledger's folder that is a ledger of this campaign; "" for none."""
    for other in sorted(path.parent.glob(f"*{LEDGER_SUFFIX}")):
        try:
            Ledger.open(other, campaign).close()
        # a damaged or foreign ledger in the folder does not matter to this search
        except LedgerTrouble:
            continue
        return other.name
    return ""
