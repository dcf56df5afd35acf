"""`publish`: the public reports of all turns as a small site."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.colours import ink_on
from assistant.desk.commands.map_pictures import Drawer, Moment, Pictures, drawn_for, processes
from assistant.desk.commands.report import END, EVERYBODY_S, Dice, beside, file_name, told_before, words_of
from assistant.desk.past.phase_chain import campaign_before
from assistant.desk.play_phase import with_earlier_defaults
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.detect_edits import as_written
from assistant.desk.workspace.version_check import findings_apart, stop_on_data
from assistant.desk.workspace.workspace import At, Sitting, Stop, folder_stop, of_one_moment, sit
from assistant.ledger import IN_LINE, Ledger, LedgerTrouble
from assistant.reporting.build import build_end, build_gazette
from assistant.reporting.pages import Cell, ReportPage
from assistant.reporting.render import (
    PARCHMENT,
    PICTURES,
    PUBLISHED,
    IndexPage,
    Inset,
    Link,
    Row,
    Shelf,
    picture_file,
    render_html,
    render_index,
)
from assistant.turn import codes
from assistant.turn.findings import Finding
from assistant.turn.phases import in_force
from assistant.turn.texts import N_
from assistant.wording import Wording, campaign_title
from assistant.workbook.save import write_files

INDEX = "index.html"
START = "turn-"
ALL_TURNS = N_("All turns")


class Turn(NamedTuple):
    """A turn that was played. `before`, `after`: the campaign when it began and as it was left; `dice`: what everybody
    may know of it.
    """

    name: str
    before: Campaign
    after: Campaign
    dice: Dice


@of_one_moment
def publish(at: At, folder: Path, *, lang: str = "", pictures: bool = False) -> Result:
    """Write a page a turn from what everybody may know, and an index. Pages of turns that were taken back go.

    `lang`: of all pages (default: the workbook's); `pictures`: with the public map and chart of each turn.
    Result data: ``folder``, ``files``, ``turns``, ``left_out``: turns
    of which the ledger does not know the campaign as it was.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        turns = _turns(sitting)
        shown, unmade = _pictures(sitting, turns, lang) if pictures else ({}, [])
        files = _pages(sitting, turns, lang, shown)
        write_files(folder, files)
        _take_away_others(folder, files)
    except Stop as stopped:
        return stopped.result("publish")
    except LedgerTrouble as trouble:
        return sitting.ledger_stop(trouble).result("publish")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the pages"), lang).result("publish")
    words = sitting.wording
    result = Result("publish", findings=[*sitting.reading.findings, *unmade], wording=words)
    played = dict.fromkeys(event.turn for _, event in sitting.campaign.table(Event).in_file_order())
    left_out = [turn for turn in played if turn not in {one.name for one in turns}]
    result.data.update(folder=str(folder), files=list(files), turns=[one.name for one in turns], left_out=left_out)
    result.say(words.plural(N_("{n} page was written to {folder}."), N_("{n} pages were written to {folder}."),
                            len(files), folder=str(folder)))
    result.say(words.text(N_("Begin with: {file}"), file=str(folder / INDEX)))
    if left_out:
        result.find([codes.finding(codes.NO_PAGE, list=", ".join(left_out))])
    return result


# --- what everybody may know of each turn ---------------------------------------------------------------
def _turns(sitting: Sitting) -> list[Turn]:
    """The turns that were played, the first first, each as it stood. Raises `Stop`, `LedgerTrouble`."""
    with sitting.beside() as ledger:
        other = findings_apart(sitting, ledger, sitting.look(ledger))
        if other:
            raise Stop(Exit.LEDGER, other, sitting.lang, sitting.wording)
        steps = {step.id: step for step in ledger.steps()}
        first: dict[str, int] = {}
        for number in ledger.line:
            if steps[number].verb in IN_LINE:
                first.setdefault(steps[number].turn, number)
        states = [_state(sitting, ledger, number) for number in first.values()] + [in_force(sitting.campaign)]
        over = sitting.ruleset.is_over(sitting.campaign)
        return [Turn(turn, states[number], states[number + 1], _dice(ledger, turn, states[number + 1], over))
                for number, turn in enumerate(first)]


def _state(sitting: Sitting, ledger: Ledger, step: int) -> Campaign:
    """The campaign before a change, without rows that were superseded."""
    before = as_written(ledger, step, campaign_before(ledger, step, sitting.path.name, sitting.loader))
    return in_force(with_earlier_defaults(sitting.ruleset, before, sitting.began))


def _dice(ledger: Ledger, turn: str, after: Campaign, over: bool) -> Dice:
    """The promise of the turn that follows, and the secrets of this one once it is over, as everybody may know them."""
    now = after.desk.turn
    ended = over or now != turn
    promised = {} if over else ledger.commitments().get(now, {})
    return Dice(promised, {turn: ledger.secrets(turn)} if ended else {}, over).for_faction("")


# --- pages ------------------------------------------------------------------------------------------------
def _pictures(sitting: Sitting, turns: Sequence[Turn], lang: str) -> tuple[Pictures, list[Finding]]:
    """The pictures of each turn by its name: the public map as it was left, and how figures went until then."""
    found: dict[str, tuple[tuple[Inset, bytes], ...]] = {}
    said: dict[str, Finding] = {}
    moments = [Moment(turn.name, "", turn.before) for turn in turns]
    for number, turn in enumerate(turns, 1):
        until = [*moments[:number], Moment(turn.after.desk.turn, turn.after.desk.phase, turn.after)]
        made, unmade = drawn_for(Drawer(sitting.ruleset, turn.after, turn.before, until,
                                        lang or sitting.campaign.desk.language, processes()), [EVERYBODY_S])
        found[turn.name] = made[EVERYBODY_S]
        said |= {one.code: one for one in unmade}
    return found, list(said.values())


def _pages(sitting: Sitting, turns: Sequence[Turn], lang: str, shown: Pictures) -> dict[str, bytes]:
    """The pages and their pictures by the names of their files."""
    ruleset, campaign = sitting.ruleset, in_force(sitting.campaign)
    public = ruleset.view(campaign, "")
    words = words_of(ruleset, public, lang or campaign.desk.language)
    pages: list[tuple[str, str, ReportPage]] = []
    insets: dict[str, list[Inset]] = {}
    found: dict[str, bytes] = {}
    for turn in turns:
        seen, then = ruleset.view(turn.after, ""), ruleset.view(turn.before, "")
        page = build_gazette(ruleset, seen, words_of(ruleset, seen, words.lang), told_before(
            turn.after, turn.name, ""), turn.dice.promised, turn.dice.revealed, previous=then)
        stem = f"{START}{file_name(turn.name)}"
        pages.append((f"{stem}.html", ruleset.turn_name(turn.name, words.lang), page))
        insets[f"{stem}.html"] = beside(stem, shown.get(turn.name, ()))
        found |= {picture_file(stem, inset.name): data for inset, data in shown.get(turn.name, ())}
    if ruleset.is_over(campaign):
        end = build_end(ruleset, public, words)
        pages.append((f"{END}.html", end.name, end))
    for number, (name, _, page) in enumerate(pages):
        before = [(pages[number - 1][0], f"← {pages[number - 1][1]}")] if number else []
        after = [(pages[number + 1][0], f"{pages[number + 1][1]} →")] if number + 1 < len(pages) else []
        links = [*before, (INDEX, words.text(ALL_TURNS)), *after]
        found[name] = render_html(page, largest=sys.maxsize, links=links,
                                  insets=insets.get(name, ())).encode()
    found[INDEX] = render_index(_index(pages, found, words, sitting)).encode()
    return found


def _index(pages: Sequence[tuple[str, str, ReportPage]], files: dict[str, bytes], words: Wording,
           sitting: Sitting) -> IndexPage:
    """The list of all pages, the last turn first."""
    shelves = tuple(
        Shelf(called, page.covers, (Row(Cell(page.name), "", "", (Link(
            words.text(N_("page")), name, f"{words.number(round(len(files[name]) / 1000) or 1)} KB"),)),))
        for name, called, page in reversed(pages))
    title = campaign_title(sitting.campaign.desk, words)
    return IndexPage(words.lang, words.text(N_("Public reports")), title,
                     words.text(N_("for everybody")), PARCHMENT, ink_on(PARCHMENT),
                     (words.text(N_("Report")), "", words.text(N_("Files"))), words.text(N_("Older reports")), shelves,
                     published=True)


def _take_away_others(folder: Path, files: dict[str, bytes]) -> None:
    """Delete pages of ours of turns that were taken back: they would tell what did not happen. Raises OSError."""
    for other in (*folder.glob(f"{START}*.html"), folder / f"{END}.html"):
        ours = other.is_file() and PUBLISHED in other.read_text("utf-8", "replace")
        for picture in (folder / picture_file(other.stem, name) for name in PICTURES):
            if ours and picture.name not in files:
                picture.unlink(missing_ok=True)
        if other.name not in files and ours:
            other.unlink()
