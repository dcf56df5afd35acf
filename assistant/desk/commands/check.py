"""`check`: whatever is to be put right in a workbook, each with its cell."""

from __future__ import annotations

from itertools import combinations

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order, Outline, parse_points
from assistant.desk.inputs import check_typed_inputs, without_rows
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import (
    find_second_copies,
    list_changes,
    other_text_findings,
    report_edits,
)
from assistant.desk.workspace.detect_edits import DetectedEdits
from assistant.desk.workspace.workspace import (
    BookPlace,
    Workspace,
    catches_abort,
    deadline_findings,
    open_workspace,
    retry_while_changing,
)
from assistant.desk.workspace.writer import ProtectedWrite, open_for_writing
from assistant.ledger import PlannedStep, ledger_condition, path_of_ledger
from assistant.pictures.colours import FEW, GREY, LAND, colour_conflicts
from assistant.turn import codes
from assistant.turn.codes import SHEET_UNMARKED
from assistant.turn.findings import SEVERITIES, Finding, Where
from assistant.turn.orders.taking import one_a_cause, without_repeats
from assistant.turn.phases import blocks_phase, without_superseded
from assistant.turn.texts import N_
from assistant.workbook.screening import BookError


def all_findings(workspace: Workspace) -> list[Finding]:
    """Findings about the workbook and, when it can be used, about orders, answers and results that stand in it.

    Rows that nobody can read do not keep the others from being judged.
    """
    seen = [*find_second_copies(workspace), *workspace.data_findings,
            *workspace.with_cells(deadline_findings(workspace.campaign))]
    campaign = workspace.campaign
    if any(blocks_phase(f) for f in seen) or workspace.ruleset.is_over(campaign):
        return seen
    seen += workspace.with_cells([*similar_colours(campaign), *unreadable_outlines(campaign)])
    refused = {(f.where.table, f.where.row) for f in seen if f.stops and f.where.table == Order.sheet}
    campaign = without_rows(campaign, refused) if refused else campaign
    judged = workspace.with_cells(one_a_cause(without_repeats(
        [*workspace.ruleset.check_orders(without_superseded(campaign)), *check_typed_inputs(workspace, campaign)]
    )))
    told = {(f.code, f.where) for f in judged}
    return [*(f for f in seen if not (f.alone and (f.code, f.where) in told)), *judged]


@retry_while_changing
@catches_abort("check")
def check(at: BookPlace, *, mark: bool = False, lang: str = "") -> Result:
    """All findings, with their cells; `mark` writes them onto the cells. Nothing else changes.

    Ends as refused when a finding would refuse an order or stop the phase. Result data: ``turn``,
    ``phase``, ``counts`` by severity, ``marked``, ``by_hand`` as in `status`.
    """
    workspace = open_workspace(at, lang)
    result = Result("check", wording=workspace.wording)
    by_hand = report_edits(workspace)
    result.find([] if by_hand.trouble is None else [by_hand.trouble])
    result.find(
        [*by_hand.findings, *other_text_findings(workspace), *all_findings(workspace), *workspace.book.hindrances()]
    )
    in_the_way = _write_marks(workspace, result.findings, by_hand.watch) if mark else []
    result.find(workspace.second_copies)
    counts = {s: sum(f.severity == s for f in result.findings) for s in SEVERITIES}
    desk, words = workspace.campaign.desk, workspace.wording
    result.data.update(turn=desk.turn, phase=desk.phase, counts=counts, marked=mark and not in_the_way,
                       by_hand=by_hand.edits)
    if any(f.stops for f in result.findings):
        result.exit = Exit.REFUSED
    if any(f.stops for f in in_the_way):
        result.exit = Exit.FILE
    if result.findings:
        result.say(words.plural(N_("{n} finding."), N_("{n} findings."), len(result.findings)))
        result.say_remarks()
    else:
        result.say(words.text(N_("Nothing to put right.")))
    if mark and not in_the_way and any(f.cell for f in result.findings):
        result.say(words.text(N_("The cells are marked in {file}."), file=workspace.path.name))
    elif mark and not in_the_way:
        result.say(words.text(N_("No cell is marked in {file}."), file=workspace.path.name))
    result.findings[:0] = in_the_way
    return result


def _write_marks(workspace: Workspace, findings: list[Finding], watched: DetectedEdits | None) -> list[Finding]:
    """Write the marks; a snapshot is kept if there is a ledger to keep it. `watched`: what was changed by hand.

    Returns what kept the program that shows the workbook from showing them: the findings are told all the same.
    """
    desk, words = workspace.campaign.desk, workspace.sheet_wording
    listed = None if watched is None else list_changes(workspace, watched.edits)
    if workspace.book.live:  # colours and notes are no records: there is nothing to keep
        try:
            return [codes.finding(SHEET_UNMARKED, sheet=title) for title in workspace.book.mark(findings, words,
                                                                                                listed)]
        except BookError as fault:
            return workspace.file_abort(fault).findings
    if ledger_condition(path_of_ledger(workspace.path), desk.campaign_id) == "ok":
        stage = PlannedStep("mark", desk.turn, desk.phase)
        with open_for_writing(workspace, "check", watch=watched) as session, ProtectedWrite(session, [stage]):
            workspace.book.mark(findings, words, listed)
        return []
    with workspace.file_faults(), workspace.claim("check"):
        workspace.book.mark(findings, words, listed)
    return []


# Colours of factions that many people could not tell apart.


UNOWNED = ""
"""Stands for the owner of land that nobody holds, and comes before all factions."""


def unreadable_outlines(campaign: Campaign) -> list[Finding]:
    """A warning at each row of an outline whose points cannot be read."""
    rows = campaign.table(Outline) if campaign.has(Outline.sheet) else ()
    return [codes.finding(codes.BAD_OUTLINE, Where(Outline.sheet, row.ident, "points"), outline=row.outline)
            for row in rows if parse_points(row.points) is None]


def similar_colours(campaign: Campaign) -> list[Finding]:
    """A warning at each colour that is too near to that of a faction above it, or of land that nobody holds, with the
    nearest that is not.

    Colours are typed once and borders move each turn: as long as there are few owners any two of them count as
    neighbours. A faction without a colour of its own (the column's default) is left alone: pictures give it one that
    can be told from all others (`worn`).
    """
    rows = [row for row in campaign.table(Faction) if row.colour.casefold() != GREY]
    pairs = {frozenset(pair) for pair in combinations([row.faction for row in rows], 2)} if len(rows) <= FEW else set()
    colours = {UNOWNED: LAND} | {row.faction: row.colour.casefold() for row in rows}
    pairs |= {frozenset((UNOWNED, row.faction)) for row in rows}
    return [codes.finding(codes.COLOURS_ALIKE if other else codes.COLOUR_OF_LAND,
                          Where(Faction.sheet, faction, "colour"), faction=faction, other=other, seen=colours[faction],
                          theirs=colours[other], good=good)
            for faction, other, good in colour_conflicts(colours, pairs)]
