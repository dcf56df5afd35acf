"""What both adapters of the port share: a source in; a campaign out; two states of it in, changes of cells out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import BASE, Desk
from assistant.turn.findings import Finding, Where
from assistant.turn.ruleset import Ruleset, UnfitRuleset, installed, load
from assistant.wording import Wording
from assistant.workbook import codes
from assistant.workbook.derived import Derivations
from assistant.workbook.layout import sheet_title
from assistant.workbook.ooxml.parts.faults import Damaged, Fault
from assistant.workbook.port import Cells, DeskLines, Loader, Memory, OtherText, Reading
from assistant.workbook.read.finder import CLUB, ROWS, TOKEN, Finder, desk_raw, read_desk, record_grids, where_line
from assistant.workbook.read.gathering import Gathered, gather
from assistant.workbook.read.grid import Grid, Notes
from assistant.workbook.read.values import plain_text
from assistant.workbook.surface import Editor, Source
from assistant.workbook.write.changing import Changing
from assistant.workbook.write.wordings import other_texts

HARM = {"merged": codes.IN_MERGED, "array": codes.IN_ARRAY, "shared": codes.SHARED_FORMULA, "date": codes.DATE_CELL,
        "below": codes.BELOW_TABLE, "protected": codes.PROTECTED, "title": codes.TITLE_TAKEN,
        "name": codes.TITLE_TAKEN, "form": codes.DRAFT_FORM}
"""Reasons of `ooxml.parts.faults.Unsafe` and of hosts -> the finding that says what to do."""


def why_unread(no: Fault) -> tuple[str, dict[str, Any]]:
    """The finding's code and data for a file that cannot be taken apart, but for its name."""
    if isinstance(no, Damaged) and no.detail in ("zip", "workbook"):
        return codes.NO_WORKBOOK, {"reason": no.detail}
    if isinstance(no, Damaged) or no.detail in ("nesting", "markup"):
        return codes.DAMAGED, {"part": no.detail}
    return codes.UNSAFE, {"size": "", "parts": ""}


class BookWork:
    """A workbook that is read and changed, wherever it is. `got`: what reading came to; `grids`: its tables by
    English sheet name.
    """

    def __init__(self, path: Path, loader: Loader | None, memory: Memory | None = None) -> None:
        """`memory`: of sheets that nobody has touched since they were written, where bytes tell that."""
        self.path = path
        self._memory = memory
        self._load = loader or load
        self.grids: dict[str, Grid] = {}
        self._offered: Mapping[str, Sequence[str]] = {}
        self.got = Gathered(Campaign(BASE), Cells())
        self.ruleset: Ruleset | None = None
        self.off: frozenset[str] = frozenset()
        """English names of the sheets on which a row is marked off or set aside."""
        self._stale = False
        self.asides: list[Finding] = []
        self.draws = True

    # --- reading ----------------------------------------------------------------------------
    def read_from(self, source: Source, notes: Notes, sha: str) -> Reading:
        """The campaign and the findings of a workbook; one that is no campaign gives an empty one and says why."""
        self._stale = False
        finder = Finder(source, self._memory)
        raw = desk_raw(finder)
        ruleset_id = raw.get("ruleset", "")
        notes.lang = raw.get("language", "en")
        if not finder.knows_any(BASE):
            notes.add(codes.EMPTY, Where(), "", {"file": self.path.name})
            return self.unread(notes, ruleset_id="", sha=sha)
        if not finder.knows_any([Desk]):
            notes.add(codes.NO_SHEET, Where(Desk.sheet), "", {"sheet": sheet_title(Desk, notes.lang)})
            return self.unread(notes, ruleset_id="", sha=sha)
        try:
            ruleset = self._load(ruleset_id)
        except KeyError:
            names = {"seen": ruleset_id, "list": ", ".join(installed())}
            notes.add(codes.NO_RULESET, Where(Desk.sheet, "", "ruleset"), "", names)
            return self.unread(notes, ruleset_id, sha)
        except UnfitRuleset as unfit:
            notes.add(unfit.finding.code, Where(Desk.sheet, "", "ruleset"), "", dict(unfit.finding.data))
            return self.unread(notes, ruleset_id, sha)
        return self._gathered(finder, ruleset, notes, sha)

    def _gathered(self, finder: Finder, ruleset: Ruleset, notes: Notes, sha: str) -> Reading:
        found = read_desk(finder, ruleset.record(Desk.sheet), notes)
        desk, places, title = found if found else (ruleset.record(Desk.sheet)(), {}, Desk.sheet)
        self.grids = record_grids(finder, ruleset, notes)
        then, club = self._memory.codes if self._memory is not None else "", finder.said(CLUB)
        self.got = gather(ruleset, desk, self.grids, notes, codes_then=then, club=club)
        notes.tell_off()
        notes.tell_emptied()
        self.off = frozenset(notes.off) | {f.where.table for f in notes.findings if f.alone}
        self.ruleset = ruleset
        cells = self.got.cells
        cells.titles[Desk.sheet], cells.desk = title, places
        untouched = frozenset(sheet for sheet, grid in self.grids.items() if grid.known is not None)
        reading = Reading(self.got.campaign, [], ruleset.id, sha, cells, ruleset, untouched, where_line(finder),
                          club, finder.said(TOKEN) if club else "", finder.said(ROWS) if club else "", self._blank)
        reading.findings = reading.placed(notes.findings)
        return reading

    def _blank(self, where: Where) -> bool:
        """Whether the cell of a record was blank when the workbook was read."""
        cells, grid = self.got.cells, self.grids.get(where.table)
        number = cells.rows.get(where.table, {}).get(where.row)
        if grid is None or number is None or where.field not in grid.heads.fields:
            return False
        row = next((found for n, found in grid.rows if n == number), {})
        cell = row.get(grid.heads.fields[where.field])
        return cell is None or cell.value is None or not plain_text(cell.value)

    def unread(self, notes: Notes, ruleset_id: str, sha: str) -> Reading:
        """The reading of what is no campaign."""
        return Reading(Campaign(BASE), notes.findings, ruleset_id, sha)

    def other_texts_in(self, source: Source, campaign: Campaign, wording: Wording) -> list[OtherText]:
        """The worded cells that do not say what their row says, of the workbook as it was read."""
        if self.ruleset is None:
            return []
        derive = Derivations(self.ruleset, wording, campaign.desk.language, campaign.desk.edition)
        return [place.told for place in other_texts(source, self.grids, self.got.cells.rows, campaign, derive)]

    def refresh(self, source: Source) -> None:
        """Read again after a change; who holds the first reading sees where rows stand now."""
        shown = self.got.cells
        self.read_from(source, Notes("en"), "")
        vars(shown).update(vars(self.got.cells))
        self.got.cells = shown

    # --- changing ---------------------------------------------------------------------------
    def offer(self, columns: Mapping[str, Sequence[str]]) -> bool:
        """Let the next change add those of these later columns that are lacking; whether any is."""
        self._offered = {sheet: lacking for sheet, names in columns.items() if (grid := self.grids.get(sheet))
                         and not grid.block and (lacking := [n for n in names if n not in grid.heads.fields])}
        return bool(self._offered)

    def change(self, editing: Editor, before: Campaign, after: Campaign, wording: Wording, lines: DeskLines) -> None:
        """Ask for all that differs between two states, and for the Desk's lines. Raises `BookUnsafe`, `Unsafe`."""
        assert self.ruleset is not None
        self._realign(before)
        changing = Changing(self.path, editing, self.ruleset, self.grids, self.got.cells, after, wording)
        changing.reword(before)
        changing.fill(self.got.filled, before)
        changing.apply(before, self._offered)
        changing.desk(lines)

    def _realign(self, before: Campaign) -> None:
        """Let the keys of rows that have equal keys (``a``, ``a#2``) be those of `before`.

        A campaign that went through several writes keeps its keys when one of them is removed; the
        sheet, read again, counts afresh. The order of rows is the same in both.
        """
        for sheet, known in self.got.cells.rows.items():
            table = before.by_sheet(sheet)
            keys = table.keys_in_file_order()
            if not table.record.unique and list(known) != keys and len(known) == len(keys):
                self.got.cells.rows[sheet] = dict(zip(keys, sorted(known.values()), strict=True))
