"""`chronicle`: the book of the war, its PDF, and the moving picture of its map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Event
from assistant.desk.commands.map_pictures import WIDTH, CampaignState, present_state, process_count, states_before
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import abort_on_data, mismatch_findings
from assistant.desk.workspace.workspace import (
    Abort,
    BookPlace,
    Workspace,
    abort,
    file_abort,
    folder_abort,
    open_workspace,
    retry_while_changing,
)
from assistant.pictures.charts import chart_in_words, chart_svg, pick_moments
from assistant.pictures.map_scene import scene_of
from assistant.pictures.render import DrawnPicture, MissingLibrary, PictureRequest, draw_all, map_svg, moving_picture
from assistant.pictures.scene import Scene
from assistant.reporting.chronicle import (
    Plate,
    book_wording,
    build_chronicle,
    chronicle_chart,
    disclosed,
    fitting_page,
    part_title,
    png_source,
    turn_title,
)
from assistant.reporting.reader import clean_line
from assistant.reporting.render import html_to_pdf
from assistant.turn import codes
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title
from assistant.workbook.save import write_files

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
def chronicle(at: BookPlace, folder: Path, wish: BookOptions, *, lang: str = "") -> Result:
    """Write the book of the war into a folder. Nothing of the campaign changes. Result data: ``files``, ``maps``: how
    many there are.
    """
    try:
        workspace = open_workspace(at, lang)
        abort_on_data(workspace)
        moments = _moments(workspace)
        if wish.revealed and not workspace.ruleset.is_over(workspace.campaign):
            raise abort(Exit.REFUSED, codes.STILL_PLAYED, workspace.lang, workspace.wording, file=workspace.path.name)
        result = Result(COMMAND, findings=workspace.reading.findings, wording=workspace.wording)
        maker = _Maker(workspace, moments, wish, result)
        files = maker.files()
        write_files(folder, files)
    except Abort as stopped:
        return stopped.result(COMMAND)
    except OSError as fault:
        return folder_abort(fault, folder, N_("the book"), lang).result(COMMAND)
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
        self.told = [disclosed(moment.campaign) for moment in moments] if wish.revealed else self.public
        self.maps: list[Plate] = []
        self.workspace = workspace

    def files(self) -> dict[str, bytes]:
        """Name -> content, the page first. Raises `Abort` where a font is missing."""
        try:
            drawn = self._draw(_scenes(self.ruleset, self.told, REFEREE if self.wish.revealed else "", self.lang,
                                       self._captions()))
            charts = self._charts()
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
            self._add(files, f"{stem}.pdf", html_to_pdf(page), codes.NOT_PRINTED)
        if self.wish.moving:
            frames = [picture.png for picture in shown]
            self._add(files, f"{COMMAND}.gif", moving_picture(frames) if frames else MissingLibrary(""),
                      codes.NO_MOVING_PICTURE)
        return files

    def _captions(self) -> list[str]:
        return [clean_line(moment.caption) for moment in self.moments]

    def _add(self, files: dict[str, bytes], name: str, made: bytes | MissingLibrary, code: str) -> None:
        if isinstance(made, bytes):
            files[name] = made
            return
        self.result.exit = Exit.REFUSED
        self.result.find([codes.finding(code, library=Verbatim(made.name))])

    def _draw(self, scenes: Sequence[Scene]) -> list[DrawnPicture]:
        return self._drawn([PictureRequest(scene, WIDTH) for scene in scenes])

    def _drawn(self, wanted: Sequence[PictureRequest]) -> list[DrawnPicture]:
        """All of these pictures, or none where a library is missing."""
        drawn = draw_all(wanted, process_count())
        for name in dict.fromkeys(made.name for made in drawn if isinstance(made, MissingLibrary)):
            self.result.find([codes.finding(codes.NOT_DRAWN, library=name)])
        whole = [made for made in drawn if isinstance(made, DrawnPicture)]
        lacking = dict.fromkeys(made.missing for made in whole if made.missing)
        self.result.find([codes.finding(codes.DRAWN_WITHOUT, library=name) for name in lacking])
        return whole if len(whole) == len(drawn) else []

    def _charts(self) -> list[Plate]:
        words = book_wording(self.ruleset, self.told[-1], self.lang)
        chart = chronicle_chart(self.ruleset, self.told, [moment.turn for moment in self.moments], words,
                                revealed=self.wish.revealed)
        if chart is None:
            return []
        request = PictureRequest(None, WIDTH, chart_svg(chart), chart_in_words(chart, words))
        return [Plate(png_source(picture.png), clean_line(picture.words), "") for picture in self._drawn([request])]


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
        other = mismatch_findings(workspace, ledger, workspace.look(ledger))
        if other:
            raise Abort(Exit.LEDGER, other, workspace.lang, workspace.wording)
        states = states_before(workspace, ledger, lambda whens: _firsts(ruleset, whens))
    now = present_state(workspace)
    if not states and not len(workspace.campaign.table(Event)):
        raise abort(Exit.REFUSED, codes.NOTHING_PLAYED, workspace.lang, workspace.wording, file=workspace.path.name)
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
