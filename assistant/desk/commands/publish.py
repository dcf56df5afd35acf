"""`publish`: the public reports of all turns as a small website, made of what everybody may know."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.desk.commands.map_pictures import (
    CampaignState,
    Drawer,
    Pictures,
    draw_pictures,
    process_count,
)
from assistant.desk.commands.report import (
    END,
    PUBLIC_READER,
    Proofs,
    faction_file_name,
    insets_beside,
    last_event_before,
    named_wording,
)
from assistant.desk.past.phase_chain import reported_state
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.version_check import abort_on_data, mismatch_findings
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    folder_abort,
    open_workspace,
    retry_while_changing,
)
from assistant.ledger import UNDOABLE_VERBS, Ledger, LedgerTrouble
from assistant.pictures.colours import ink_on
from assistant.reporting.build import build_end, build_gazette
from assistant.reporting.pages import ReportPage, TableCell
from assistant.reporting.render import (
    PARCHMENT,
    PICTURES,
    PUBLISHED,
    FileLink,
    IndexPage,
    IndexRow,
    IndexSection,
    Inset,
    picture_file,
    render_html,
    render_index,
)
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import without_superseded
from assistant.turn.texts import N_
from assistant.wording import Wording, campaign_title
from assistant.workbook.save import write_files

INDEX = "index.html"
TURN_STEM = "turn-"
ALL_TURNS = N_("All turns")


class PlayedTurn(NamedTuple):
    """A turn that was played. `before`, `after`: the campaign when it began and as it was left; `dice`: what everybody
    may know of it.
    """

    name: str
    before: Campaign
    after: Campaign
    dice: Proofs


@retry_while_changing
def publish(at: BookPlace, folder: Path, *, lang: str = "", pictures: bool = False) -> Result:
    """Write a page a turn from what everybody may know, and an index. Pages of turns that were taken back go.

    `lang`: of all pages (default: the workbook's); `pictures`: with the public map and chart of each turn.
    Result data: ``folder``, ``files``, ``turns``, ``left_out``: turns
    of which the ledger does not know the campaign as it was.
    """
    try:
        sitting = open_workspace(at, lang)
        abort_on_data(sitting)
        turns = _played_turns(sitting)
        shown, unmade = _draw_turns(sitting, turns, lang) if pictures else ({}, [])
        files = _build_pages(sitting, turns, lang, shown)
        write_files(folder, files)
        _delete_stale_pages(folder, files)
    except Abort as stopped:
        return stopped.result("publish")
    except LedgerTrouble as trouble:
        return sitting.ledger_stop(trouble).result("publish")
    except OSError as fault:
        return folder_abort(fault, folder, N_("the pages"), lang).result("publish")
    words = sitting.wording
    result = Result("publish", findings=[*sitting.reading.findings, *unmade], wording=words)
    played = dict.fromkeys(event.turn for _, event in sitting.campaign.table(Event).in_file_order())
    names = [turn.name for turn in turns]
    left_out = [turn for turn in played if turn not in names]
    result.data.update(folder=str(folder), files=list(files), turns=names, left_out=left_out)
    result.say(words.plural(N_("{n} page was written to {folder}."), N_("{n} pages were written to {folder}."),
                            len(files), folder=str(folder)))
    result.say(words.text(N_("Begin with: {file}"), file=str(folder / INDEX)))
    if left_out:
        result.find([codes.finding(codes.NO_PAGE, list=", ".join(left_out))])
    return result


# --- what everybody may know of each turn ---------------------------------------------------------------
def _played_turns(sitting: Workspace) -> list[PlayedTurn]:
    """The turns that were played, the first first, each as it stood. Raises `Stop`, `LedgerTrouble`."""
    with sitting.beside() as ledger:
        other = mismatch_findings(sitting, ledger, sitting.look(ledger))
        if other:
            raise Abort(Exit.LEDGER, other, sitting.lang, sitting.wording)
        first: dict[str, int] = {}
        for step in ledger.steps_in_force(*UNDOABLE_VERBS):
            first.setdefault(step.turn, step.id)
        states = [reported_state(sitting, ledger, number) for number in first.values()] + [
            without_superseded(sitting.campaign)
        ]
        over = sitting.ruleset.is_over(sitting.campaign)
        return [PlayedTurn(turn, states[number], states[number + 1], _turn_dice(ledger, turn, states[number + 1], over))
                for number, turn in enumerate(first)]


def _turn_dice(ledger: Ledger, turn: str, after: Campaign, over: bool) -> Proofs:
    """The promise of the turn that follows, and the secrets of this one once it is over, as everybody may know them."""
    now = after.desk.turn
    ended = over or now != turn
    promised = {} if over else ledger.commitments().get(now, {})
    return Proofs(promised, {turn: ledger.secrets(turn)} if ended else {}, over).for_faction("")


# --- pages ------------------------------------------------------------------------------------------------
def _draw_turns(sitting: Workspace, turns: Sequence[PlayedTurn], lang: str) -> tuple[Pictures, list[Finding]]:
    """The pictures of each turn by its name: the public map as it was left, and how figures went until then."""
    pictures: dict[str, tuple[tuple[Inset, bytes], ...]] = {}
    undrawn: dict[str, Finding] = {}
    moments = [CampaignState(turn.name, "", turn.before) for turn in turns]
    for number, turn in enumerate(turns, 1):
        until = [*moments[:number], CampaignState(turn.after.desk.turn, turn.after.desk.phase, turn.after)]
        made, unmade = draw_pictures(Drawer(sitting.ruleset, turn.after, turn.before, until,
                                        lang or sitting.campaign.desk.language, process_count()), [PUBLIC_READER])
        pictures[turn.name] = made[PUBLIC_READER]
        undrawn |= {finding.code: finding for finding in unmade}
    return pictures, list(undrawn.values())


def _build_pages(sitting: Workspace, turns: Sequence[PlayedTurn], lang: str, shown: Pictures) -> dict[str, bytes]:
    """The pages and their pictures by the names of their files."""
    ruleset, campaign = sitting.ruleset, without_superseded(sitting.campaign)
    public = ruleset.view(campaign, "")
    words = named_wording(ruleset, public, lang or campaign.desk.language)
    pages: list[tuple[str, str, ReportPage]] = []
    insets: dict[str, list[Inset]] = {}
    files: dict[str, bytes] = {}
    for turn in turns:
        seen, then = ruleset.view(turn.after, ""), ruleset.view(turn.before, "")
        page = build_gazette(ruleset, seen, named_wording(ruleset, seen, words.lang), last_event_before(
            turn.after, turn.name, ""), turn.dice.promised, turn.dice.revealed, previous=then)
        stem = f"{TURN_STEM}{faction_file_name(turn.name)}"
        pages.append((f"{stem}.html", ruleset.turn_name(turn.name, words.lang), page))
        insets[f"{stem}.html"] = insets_beside(stem, shown.get(turn.name, ()))
        files |= {picture_file(stem, inset.name): data for inset, data in shown.get(turn.name, ())}
    if ruleset.is_over(campaign):
        end = build_end(ruleset, public, words)
        pages.append((f"{END}.html", end.name, end))
    for number, (name, _, page) in enumerate(pages):
        before = [(pages[number - 1][0], f"← {pages[number - 1][1]}")] if number else []
        after = [(pages[number + 1][0], f"{pages[number + 1][1]} →")] if number + 1 < len(pages) else []
        links = [*before, (INDEX, words.text(ALL_TURNS)), *after]
        files[name] = render_html(page, largest=sys.maxsize, links=links,
                                  insets=insets.get(name, ())).encode()
    files[INDEX] = render_index(_build_index(pages, files, words, sitting)).encode()
    return files


def _build_index(pages: Sequence[tuple[str, str, ReportPage]], files: dict[str, bytes], words: Wording,
           sitting: Workspace) -> IndexPage:
    """The list of all pages, the last turn first."""
    shelves = tuple(
        IndexSection(called, page.covers, (IndexRow(TableCell(page.name), "", "", (FileLink(
            words.text(N_("page")), name, f"{words.number(round(len(files[name]) / 1000) or 1)} KB"),)),))
        for name, called, page in reversed(pages))
    title = campaign_title(sitting.campaign.desk, words)
    return IndexPage(words.lang, words.text(N_("Public reports")), title,
                     words.text(N_("for everybody")), PARCHMENT, ink_on(PARCHMENT),
                     (words.text(N_("Report")), "", words.text(N_("Files"))), words.text(N_("Older reports")), shelves,
                     published=True)


def _delete_stale_pages(folder: Path, files: dict[str, bytes]) -> None:
    """Delete pages of ours of turns that were taken back: they would tell what did not happen. Raises OSError."""
    for other in (*folder.glob(f"{TURN_STEM}*.html"), folder / f"{END}.html"):
        ours = other.is_file() and PUBLISHED in other.read_text("utf-8", "replace")
        for picture in (folder / picture_file(other.stem, name) for name in PICTURES):
            if ours and picture.name not in files:
                picture.unlink(missing_ok=True)
        if other.name not in files and ours:
            other.unlink()
