"""`publish`, `share`, `export`, `standings`, `chronicle`: a website, copies, tables as CSV, the book of the war."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, REFEREE, Event, Faction
from assistant.desk.commands.report import (
    END,
    PUBLIC_NAME,
    PUBLIC_READER,
    WIDTH,
    CampaignState,
    Drawer,
    Pictures,
    Proofs,
    draw_pictures,
    faction_file_name,
    insets_beside,
    last_event_before,
    present_state,
    process_count,
    states_before,
    whole_map,
)
from assistant.desk.next_steps import position_text
from assistant.desk.past.phase_chain import reported_state
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import find_second_copies, look_at_own_version, open_playable
from assistant.desk.workspace.workspace import (
    BookPlace,
    DueText,
    Workspace,
    catches_abort,
    current_tokens,
    due_text,
    ensure_deadline,
    faction_code,
    factions_with_reports,
    file_abort,
    folder_abort,
    folder_faults,
    open_workspace,
    refuse_of_laboratory,
    render_due,
    retry_while_changing,
)
from assistant.desk.workspace.writer import open_for_writing
from assistant.ledger import SHARE, UNDOABLE_VERBS, Ledger
from assistant.pictures.charts import chart_in_words, chart_svg, pick_moments
from assistant.pictures.colours import ink_on
from assistant.pictures.map_scene import scene_of
from assistant.pictures.render import DrawnPicture, PictureRequest, draw_all, map_svg, moving_picture
from assistant.pictures.scene import Scene
from assistant.post.club_form import form_of
from assistant.reporting.build import build_end, build_gazette
from assistant.reporting.chronicle import (
    Plate,
    book_wording,
    build_chronicle,
    chronicle_chart,
    disclose,
    fitting_page,
    part_title,
    png_source,
    turn_title,
)
from assistant.reporting.pages import ReportPage, TableCell
from assistant.reporting.reader import clean_line
from assistant.reporting.render import (
    PARCHMENT,
    PICTURES,
    PUBLISHED,
    WHOLE,
    FileLink,
    IndexPage,
    IndexRow,
    IndexSection,
    Inset,
    html_to_pdf,
    picture_file,
    render_html,
    render_index,
)
from assistant.turn import codes
from assistant.turn.phases import blocks_phase, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title, named_wording, victory_sentences
from assistant.workbook import map_sheet
from assistant.workbook.build_copy import build_copy
from assistant.workbook.file_book import shows_map
from assistant.workbook.read.csv_folder import write_folder
from assistant.workbook.save import write_files
from assistant.workbook.screening import BookError
from assistant.workbook.write.new_workbook import paused_collection

if TYPE_CHECKING:
    import pandas as pd

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
@catches_abort("publish")
def publish(at: BookPlace, folder: Path, *, lang: str = "", pictures: bool = False) -> Result:
    """Write a page a turn from what everybody may know, and an index. Pages of turns that were taken back go.

    `lang`: of all pages (default: the workbook's); `pictures`: with the public map and chart of each turn.
    Result data: ``folder``, ``files``, ``turns``, ``left_out``: turns
    of which the ledger does not know the campaign as it was.
    """
    workspace = open_playable(at, lang)
    refuse_of_laboratory(workspace)
    with folder_faults(folder, N_("the pages"), lang), workspace.ledger_faults():
        turns = _played_turns(workspace)
        shown = _draw_turns(workspace, turns, lang) if pictures else {}
        files = _build_pages(workspace, turns, lang, shown)
        write_files(folder, files)
        _delete_stale_pages(folder, files)
    words = workspace.wording
    result = Result("publish", findings=[*workspace.reading.findings], wording=words)
    played = dict.fromkeys(event.turn for _, event in workspace.campaign.table(Event).in_file_order())
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
def _played_turns(workspace: Workspace) -> list[PlayedTurn]:
    """The turns that were played, the first first, each as it stood. Raises `Abort`, `LedgerTrouble`."""
    with workspace.beside() as ledger:
        look_at_own_version(workspace, ledger)
        first: dict[str, int] = {}
        for step in ledger.steps_in_force(*UNDOABLE_VERBS):
            first.setdefault(step.turn, step.id)
        states = [reported_state(workspace, ledger, number) for number in first.values()] + [
            without_superseded(workspace.campaign)
        ]
        over = workspace.ruleset.is_over(workspace.campaign)
        return [PlayedTurn(turn, states[number], states[number + 1], _turn_dice(ledger, turn, states[number + 1], over))
                for number, turn in enumerate(first)]


def _turn_dice(ledger: Ledger, turn: str, after: Campaign, over: bool) -> Proofs:
    """The promise of the turn that follows, and the secrets of this one once it is over, as everybody may know them."""
    now = after.desk.turn
    ended = over or now != turn
    promised = {} if over else ledger.commitments().get(now, {})
    return Proofs(promised, {turn: ledger.secrets(turn)} if ended else {}, over).for_faction("")


# --- pages ------------------------------------------------------------------------------------------------
def _draw_turns(workspace: Workspace, turns: Sequence[PlayedTurn], lang: str) -> Pictures:
    """The pictures of each turn by its name: the public map as it was left, and how figures went until then."""
    pictures: dict[str, tuple[tuple[Inset, bytes], ...]] = {}
    moments = [CampaignState(turn.name, "", turn.before) for turn in turns]
    for number, turn in enumerate(turns, 1):
        until = [*moments[:number], CampaignState(turn.after.desk.turn, turn.after.desk.phase, turn.after)]
        drawer = Drawer(workspace.ruleset, turn.after, turn.before, until, lang or workspace.campaign.desk.language,
                        process_count())
        pictures[turn.name] = draw_pictures(drawer, [PUBLIC_READER])[PUBLIC_READER]
    return pictures


def _build_pages(workspace: Workspace, turns: Sequence[PlayedTurn], lang: str, shown: Pictures) -> dict[str, bytes]:
    """The pages and their pictures by the names of their files."""
    ruleset, campaign = workspace.ruleset, without_superseded(workspace.campaign)
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
    files[INDEX] = render_index(_build_index(pages, files, words, workspace)).encode()
    return files


def _build_index(pages: Sequence[tuple[str, str, ReportPage]], files: dict[str, bytes], words: Wording,
           workspace: Workspace) -> IndexPage:
    """The list of all pages, the last turn first."""
    shelves = tuple(
        IndexSection(called, page.covers, (IndexRow(TableCell(page.name), "", "", (FileLink(
            words.text(N_("page")), name, f"{words.number(round(len(files[name]) / 1000) or 1)} KB"),)),))
        for name, called, page in reversed(pages))
    title = campaign_title(workspace.campaign.desk, words)
    return IndexPage(words.lang, words.text(N_("Public reports")), title,
                     words.text(N_("for everybody")), PARCHMENT, ink_on(PARCHMENT),
                     (words.text(N_("Report")), "", words.text(N_("Files"))), words.text(N_("Older reports")), shelves,
                     published=True)


def _delete_stale_pages(folder: Path, files: dict[str, bytes]) -> None:
    """Delete pages of ours of turns that were taken back: they would tell what did not happen. Raises OSError."""
    for other in (*folder.glob(f"{TURN_STEM}*.html"), folder / f"{END}.html"):
        # a page of the referee's own may be called so: ours bears a mark
        ours = other.is_file() and PUBLISHED in other.read_text("utf-8", "replace")
        for picture in (folder / picture_file(other.stem, name) for name in PICTURES):
            if ours and picture.name not in files:
                picture.unlink(missing_ok=True)
        if other.name not in files and ours:
            other.unlink()


# `share`, `export`, `standings`: copies for the clubs, the tables as CSV, and who leads.




# `share`.


@catches_abort("share")
def share(at: BookPlace, folder: Path, *, only: Sequence[str] = (), renew: str = "", by: str = "", lang: str = "",
          clock: datetime | None = None) -> Result:
    """Write everybody's copy and one a club. Nothing of the campaign changes; a workbook of before clubs had deputies
    gets the columns for them and for holidays.

    `only`: these factions' copies alone; `renew`: a faction whose copy went to a wrong address: it gets a new code, the
    old one counts no more; `by`: until when orders are due, in the words that the copies say (default: the deadline
    that the Desk sets, by what time it is, `clock`). Result data: ``files``,
    ``renewed``.
    """
    try:
        workspace = open_playable(at, lang)
        find_second_copies(workspace)
        added = _add_club_columns(workspace)
        known = factions_with_reports(workspace.campaign)
        wanted = [_known_faction(workspace, code, known) for code in (*only, *([renew] if renew else ()))]
        tokens = current_tokens(workspace, renew=_known_faction(workspace, renew, known) if renew else "")
        campaign = without_superseded(workspace.campaign)
        ensure_deadline(workspace, clock)
        due = due_text(workspace, by, clock)
        readers = list(dict.fromkeys(wanted) or ("", *known))
        pictures = _draw_maps(workspace, campaign, readers)
        with paused_collection():
            files = {copy_name(workspace.path.stem, code): copy_of(workspace.ruleset, campaign, code,
                                                                   tokens.get(code, ""), due,
                                                                   whole_map(pictures.get(code, ())))
                     for code in readers}
        write_files(folder, files)
    except BookError as fault:
        return file_abort(fault, Path(at) if isinstance(at, (str, Path)) else folder, lang).result("share")
    except OSError as fault:
        return folder_abort(fault, folder, N_("the copies"), lang).result("share")
    result = Result("share", findings=[*workspace.second_copies, *workspace.reading.findings],
                    wording=workspace.wording)
    result.data.update(folder=str(folder), files=list(files), renewed=renew)
    result.say(workspace.wording.plural(N_("{n} copy was written to {folder}."),
                                        N_("{n} copies were written to {folder}."), len(files), folder=str(folder)))
    if added:
        result.say(workspace.wording.text(N_("The sheet {sheet} has columns for deputies and holidays now; arbitro undo"
                                             " takes them off again."), sheet=Faction.sheet))
    if renew:
        text = N_("{faction:the} {faction?has|have} a new code: what comes back with the old one does not count.")
        result.say(workspace.wording.text(text, faction=renew))
    return result


def _draw_maps(workspace: Workspace, campaign: Campaign, readers: Sequence[str]) -> Pictures:
    """The maps for these copies, where the workbook shows one: each of its reader's own view."""
    if not shows_map(workspace.on_disk()):
        return {}
    return draw_pictures(Drawer(workspace.ruleset, campaign, None, (), "", process_count()), readers, [WHOLE])


def _add_club_columns(workspace: Workspace) -> bool:
    """Give an older workbook the columns for deputies and holidays; whether it lacked them. Raises `Abort`."""
    if not workspace.book.offer({Faction.sheet: ("deputy", "holidays")}):
        return False
    with open_for_writing(workspace, SHARE) as session:
        session.commit(SHARE, workspace.campaign.copy())
    return True


def _known_faction(workspace: Workspace, typed: str, known: list[str]) -> str:
    code = faction_code(workspace.campaign, typed, workspace.wording)
    if code not in known:
        raise workspace.abort(Exit.USAGE, codes.NO_SUCH_FACTION, faction=typed, list=", ".join(known))
    return code


def copy_name(stem: str, faction: str) -> str:
    """The name of a faction's copy, "" for everybody's. `stem`: of the workbook's name."""
    return f"{stem}-{faction_file_name(faction) if faction else PUBLIC_NAME}.xlsx"


def copy_language(campaign: Campaign, faction: str) -> str:
    """The language of a faction's copy; "" is everybody's."""
    row = campaign.table(Faction).get(faction)
    return (row.language if row is not None else "") or campaign.desk.language


def copy_of(ruleset: Ruleset, campaign: Campaign, faction: str, token: str = "", by: DueText = "",
            of_map: tuple[bytes, str] | None = None) -> bytes:
    """The bytes of a faction's copy, "" for everybody's, in its language. `token`, `by`: as `Form` has them; `of_map`:
    the map of that faction's view as PNG, and what it shows.

    Raises `BookUnsafe` for text that no cell can hold.
    """
    view = ruleset.view(campaign, faction).copy()
    view.desk.language = copy_language(campaign, faction)
    words = named_wording(ruleset, view, view.desk.language)
    form = form_of(ruleset, view, faction, words, token, position_text(ruleset, view, words), render_due(by, words))
    copy = build_copy(ruleset, view, form, Path(copy_name(campaign.desk.title, faction)), words)
    return copy if of_map is None else map_sheet.add_map_to_copy(copy, *of_map, view.desk.language)


# Standings and accounts over the turns, as pandas tables; no phase depends on them.


HEADINGS = {"faction": N_("Faction"), "turn": N_("Turn"), "income": N_("Money in"), "spending": N_("Money out"),
            "balance": N_("Balance")}


def standings_table(ruleset: Ruleset, campaign: Campaign) -> pd.DataFrame:
    """One row a faction with the figures that the book compares, as the ruleset lists them."""
    import pandas as pd

    return pd.DataFrame(ruleset.standings(campaign))


def accounts_table(ruleset: Ruleset, campaign: Campaign) -> pd.DataFrame:
    """One row a faction and turn: money in, money out (0 or below), chest at the end, in the rulebook's unit.

    Turns stand in the order in which they were played. Empty where the ruleset keeps no accounts.
    """
    import pandas as pd

    rows = [{"faction": f.faction, "turn": b.turn, "income": max(b.amount, 0), "spending": min(b.amount, 0),
             "balance": b.balance}
            for f in campaign.table(Faction) if f.role not in OWNERLESS
            for b in ruleset.bookings(campaign, f.faction)]
    if not rows:
        return pd.DataFrame(columns=["faction", "turn", "income", "spending", "balance"])
    grouped = pd.DataFrame(rows).groupby(["faction", "turn"], sort=False)
    return grouped.agg(income=("income", "sum"), spending=("spending", "sum"),
                       balance=("balance", "last")).reset_index()


def table_lines(table: pd.DataFrame, wording: Wording) -> list[str]:
    """A table as lines of text with aligned columns, headings and words in the wording's language."""
    shown = table.map(lambda value: wording.word(value) if isinstance(value, str) else value)
    shown.columns = [wording.text(HEADINGS[name]) if name in HEADINGS else wording.figure(str(name))
                     for name in table.columns]
    return str(shown.to_string(index=False)).splitlines()


# `export`, `standings`.


@catches_abort("export")
def export(path: Path, folder: Path, *, lang: str = "") -> Result:
    """Write every table as CSV into a folder that `new --from` takes back. Result data: ``files``: rows by name."""
    with folder_faults(folder, N_("the tables"), lang):
        workspace = open_workspace(path, lang)
        if any(blocks_phase(f) for f in workspace.reading.findings):
            raise workspace.abort_with(Exit.REFUSED, workspace.reading.findings)
        write_folder(workspace.campaign, folder)
    result = Result("export", findings=workspace.reading.findings, wording=workspace.wording)
    result.data.update(folder=str(folder), files={
        f"{t.record.file}.csv": len(t) for t in workspace.campaign.tables().values()
        if (len(t) or not t.record.quiet) and not t.record.apart})
    result.say(workspace.wording.plural(N_("{n} table was written to {folder}."),
                                        N_("{n} tables were written to {folder}."),
                                        len(result.data["files"]), folder=str(folder)))
    return result


@catches_abort("standings")
def standings(at: BookPlace, *, lang: str = "") -> Result:
    """Who leads, or has won, and every chest over the turns. Result data: ``standings``, ``accounts``, of a campaign
    that is over ``result`` and ``winners`` as `status` has them.
    """
    workspace = open_workspace(at, lang)
    result = Result("standings", findings=workspace.reading.findings, wording=workspace.wording)
    table = standings_table(workspace.ruleset, workspace.campaign)
    accounts = accounts_table(workspace.ruleset, workspace.campaign)
    result.data.update(turn=workspace.campaign.desk.turn, phase=workspace.campaign.desk.phase,
                       standings=table.to_dict("records"), accounts=accounts.to_dict("records"))
    if workspace.ruleset.is_over(workspace.campaign):
        public = workspace.ruleset.view(workspace.campaign, "")
        result.data.update(result=list(victory_sentences(workspace.ruleset, public, workspace.wording)),
                           winners=list(workspace.ruleset.ending(public).winners))
        result.lines += [*result.data["result"], ""]
    result.lines += table_lines(table, workspace.wording)
    if not accounts.empty:
        result.lines += ["", *table_lines(accounts, workspace.wording)]
    return result


# `chronicle`: the book of the war, its PDF, and the moving picture of its map.


COMMAND = "chronicle"
MOST_MAPS = 48
"""At most so many maps: with more months than that, one a turn."""
OPEN_STEM = f"{COMMAND}-open"


@dataclass(frozen=True)
class BookOptions:
    """What is wanted. `revealed`: with every secret, of a campaign that is over; `paper`: a PDF, too; `moving`: a GIF
    of the public map, too.
    """

    revealed: bool = False
    paper: bool = False
    moving: bool = False


class BookState(NamedTuple):
    """A state of the campaign, and what the part that led to it is called; `turn`: of that part, "" for the beginning.
    """

    caption: str
    turn: str
    campaign: Campaign


@retry_while_changing
@catches_abort(COMMAND)
def chronicle(at: BookPlace, folder: Path, wish: BookOptions, *, lang: str = "") -> Result:
    """Write the book of the war into a folder. Nothing of the campaign changes. Result data: ``files``, ``maps``: how
    many there are.
    """
    workspace = open_playable(at, lang)
    moments = _moments(workspace)
    if wish.revealed and not workspace.ruleset.is_over(workspace.campaign):
        raise workspace.abort(Exit.REFUSED, codes.STILL_PLAYED, file=workspace.path.name)
    result = Result(COMMAND, findings=workspace.reading.findings, wording=workspace.wording)
    with folder_faults(folder, N_("the book"), lang):
        maker = _Maker(workspace, moments, wish, result)
        files = maker.files()
        write_files(folder, files)
    result.data.update(folder=str(folder), files=sorted(files), maps=len(maker.maps))
    for name in files:
        result.say(workspace.wording.text(SAYINGS[Path(name).suffix], file=Verbatim(str(folder / name))))
    return result


SAYINGS = {".html": N_("The book of the war is {file}."), ".pdf": N_("For print it is {file}."),
           ".gif": N_("The moving picture of its map is {file}.")}


# --- what is made ------------------------------------------------------------------------------------------------
class _Maker:
    """Makes the files of one call; what is missing goes into its result."""

    def __init__(self, workspace: Workspace, moments: Sequence[BookState], wish: BookOptions, result: Result) -> None:
        self.ruleset, self.lang, self.moments, self.wish, self.result = (
            workspace.ruleset, workspace.lang, moments, wish, result)
        self.public = [self.ruleset.view(moment.campaign, "") for moment in moments]
        self.told = [disclose(moment.campaign) for moment in moments] if wish.revealed else self.public
        self.maps: list[Plate] = []
        self.workspace = workspace

    def files(self) -> dict[str, bytes]:
        """Name -> content, the page first. Raises `Abort` where a font is missing."""
        try:
            drawn = self._draw(_scenes(self.ruleset, self.told, REFEREE if self.wish.revealed else "", self.lang,
                                       self._captions()))
            charts = self._charts()
            # the moving picture shows what all may know, also beside an open book
            shown = drawn if not self.wish.revealed or not self.wish.moving else self._draw(
                _scenes(self.ruleset, self.public, "", self.lang, self._captions()))
        except OSError as fault:  # one of our own fonts
            raise file_abort(fault, Path(fault.filename or ""), self.lang, self.workspace.wording) from fault
        self.maps = [Plate(png_source(picture.png), clean_line(picture.words), caption)
                     for picture, caption in zip(drawn, self._captions(), strict=bool(drawn))]
        book = build_chronicle(self.ruleset, self.told[-1], self.lang, public=self.public[-1],
                               revealed=self.wish.revealed)
        page = fitting_page(book, self.maps, charts, lambda plates: [*plates[:-1:2], *plates[-1:]][:len(plates) // 2])
        stem = OPEN_STEM if self.wish.revealed else COMMAND
        files = {f"{stem}.html": page.encode()}
        if self.wish.paper:
            paper = html_to_pdf(page)
            if isinstance(paper, bytes):
                files[f"{stem}.pdf"] = paper
            else:
                self._refuse(codes.NOT_PRINTED, library=Verbatim(paper.name))
        if self.wish.moving and shown:
            files[f"{COMMAND}.gif"] = moving_picture([picture.png for picture in shown])
        elif self.wish.moving:
            self._refuse(codes.NO_MOVING_PICTURE)
        return files

    def _captions(self) -> list[str]:
        return [clean_line(moment.caption) for moment in self.moments]

    def _refuse(self, code: str, **data: Any) -> None:
        self.result.exit = Exit.REFUSED
        self.result.find([codes.finding(code, **data)])

    def _draw(self, scenes: Sequence[Scene]) -> list[DrawnPicture]:
        return draw_all([PictureRequest(scene, WIDTH) for scene in scenes], process_count())

    def _charts(self) -> list[Plate]:
        words = book_wording(self.ruleset, self.told[-1], self.lang)
        chart = chronicle_chart(self.ruleset, self.told, [moment.turn for moment in self.moments], words,
                                revealed=self.wish.revealed)
        if chart is None:
            return []
        request = PictureRequest(None, WIDTH, chart_svg(chart), chart_in_words(chart, words))
        return [Plate(png_source(picture.png), clean_line(picture.words), "") for picture in draw_all([request])]


def _scenes(ruleset: Ruleset, views: Sequence[Campaign], reader: str, lang: str, captions: Sequence[str]
            ) -> list[Scene]:
    """The maps of a reader, one a moment, with names at the same places on all; [] for a campaign without a map."""
    named = map_svg(scene_of(ruleset, views[-1], reader, lang, orders=False)).placed if views[-1].has("Nodes") else {}
    made = []
    for number, (view, caption) in enumerate(zip(views, captions, strict=True)):
        scene = scene_of(ruleset, view, reader, lang, previous=views[number - 1] if number else view, orders=False,
                         before=dict(named))
        title = campaign_title(view.desk, Wording(ruleset, lang))
        made.append(replace(scene, title=title, turn=caption))
    return made if all(scene.places for scene in made) else []


# --- moments -----------------------------------------------------------------------------------------------------
def _moments(workspace: Workspace) -> list[BookState]:
    """The campaign at its beginning and after each month, or turn, that was played, as it stands last.

    Raises `Abort` where nothing was played, or the ledger cannot be used.
    """
    ruleset = workspace.ruleset
    with workspace.ledger() as ledger:
        look_at_own_version(workspace, ledger)
        states = states_before(workspace, ledger, lambda whens: _firsts(ruleset, whens))
    now = present_state(workspace)
    if not states and not len(workspace.campaign.table(Event)):
        raise workspace.abort(Exit.REFUSED, codes.NOTHING_PLAYED, file=workspace.path.name)
    words = workspace.wording
    parts = [(words.text(N_("At the beginning")), ""),
             *((_caption(ruleset, state, workspace.lang), state.turn) for state in states)]
    return [BookState(*part, state.campaign) for part, state in zip(parts, [*states, now], strict=True)]


def _firsts(ruleset: Ruleset, whens: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The first phase of each month, or where these are too many of each turn, or of some."""
    months = {(turn, _month(ruleset, phase)): (turn, phase) for turn, phase in reversed(whens)}
    turns = {turn: (turn, phase) for turn, phase in reversed(whens)}
    chosen = list(reversed((months if len(months) < MOST_MAPS else turns).values()))
    return [chosen[n] for n in pick_moments(range(len(chosen)))][:MOST_MAPS]


def _month(ruleset: Ruleset, phase: str) -> str:
    return ruleset.calendar.chapters.get(phase, ("", ""))[0]


def _caption(ruleset: Ruleset, state: CampaignState, lang: str) -> str:
    """What the part is called that began with a state."""
    title = turn_title(ruleset, state.turn, lang)
    part = part_title(ruleset, state.turn, state.phase, lang) if _month(ruleset, state.phase) else ""
    return f"{title}, {part}" if part else title
