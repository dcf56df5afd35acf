"""`report`: pages for the clubs, the gazette, the referee and the end; `luck` of the dice."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

from assistant import pictures
from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Event, Faction
from assistant.campaign.tables import Table
from assistant.desk.inputs import check_typed_inputs, refused_answers
from assistant.desk.past.correct import note_reports_written
from assistant.desk.past.phase_chain import campaign_before, reported_state
from assistant.desk.play_phase import has_asked, with_earlier_defaults
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.check_against_ledger import (
    clock_as_written,
    find_second_copies,
    look_at_own_version,
    open_playable,
)
from assistant.desk.workspace.detect_edits import without_undecided_edits
from assistant.desk.workspace.fingerprints import LedgerCampaigns
from assistant.desk.workspace.workspace import (
    BookPlace,
    DueText,
    Workspace,
    catches_abort,
    due_text,
    ensure_deadline,
    faction_code,
    factions_with_reports,
    folder_faults,
    open_workspace,
    refuse_of_laboratory,
    render_due,
    retry_while_changing,
)
from assistant.ledger import UNDOABLE_VERBS, Ledger, LedgerTrouble, path_of_ledger
from assistant.post.letters import FORM as CHAT
from assistant.post.letters import render_chat
from assistant.reporting.build import build_end, build_gazette, build_page, build_referee
from assistant.reporting.facts import luck_section as counted
from assistant.reporting.pages import ReportPage, as_plain_values
from assistant.reporting.reader import Reader
from assistant.reporting.render import (
    CHART,
    FORMS,
    NEAR,
    ORDERED,
    PICTURES,
    WHOLE,
    Inset,
    ReportEntry,
    build_index,
    entries_for_club,
    factions_of_entries,
    fit_html,
    picture_file,
    read_entry,
    render_html,
    render_index,
    render_json,
    render_text,
    report_file,
    text_table,
)
from assistant.reporting.shorten import PROOFS
from assistant.turn import codes
from assistant.turn.calendar import OVER
from assistant.turn.dice import PUBLIC
from assistant.turn.findings import Finding, nearest
from assistant.turn.messages import COMMON_EVENTS
from assistant.turn.phases import without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import only_addressed
from assistant.wording import Wording, named_wording
from assistant.workbook.save import write_files

# Maps and charts for reports and the workbook, each from its reader's view.


# Maps and charts as PNG, for each reader.
#
# Each picture is made from its reader's view alone. Without the drawing libraries there are none, and a finding says
# so.


WIDTH = 832
"""Pixels: a third wider than a report shows it, and sharp on a phone."""
EVERYBODY = ""


class CampaignState(NamedTuple):
    """The campaign as it stood when a phase began."""

    turn: str
    phase: str
    campaign: Campaign


@dataclass(frozen=True)
class Drawer:
    """What pictures are made from. `lang`: for all of them; "" for each reader's own."""

    ruleset: Ruleset
    campaign: Campaign
    previous: Campaign | None
    moments: Sequence[CampaignState]
    lang: str = ""
    processes: int = 1

    @cached_property
    def public(self) -> Sequence[Campaign]:
        """What everybody knew at each moment."""
        return [self.ruleset.view(moment.campaign, EVERYBODY) for moment in self.moments]

    @cached_property
    def public_figures(self) -> pictures.PublicFigures:
        """What all charts show alike: it is counted in what everybody knew."""
        return pictures.public_figures(self.ruleset, self.public)


Pictures = Mapping[str, tuple[tuple[Inset, bytes], ...]]


def process_count() -> int:
    """How many processes of a command may draw at once."""
    return os.cpu_count() or 1


def campaign_states(workspace: Workspace) -> list[CampaignState]:
    """The campaign before each phase that was resolved, at most as many as a chart has points, and as it stands.

    Where the ledger cannot be used there is only what stands.
    """
    try:
        with workspace.beside() as ledger:
            moments = states_before(workspace, ledger,
                                    lambda whens: [whens[n] for n in pictures.pick_moments(range(len(whens)))])
    except LedgerTrouble:  # `status` says what is wrong with it
        moments = []
    return [*moments, present_state(workspace)]


def present_state(workspace: Workspace) -> CampaignState:
    """The campaign as it stands."""
    now = without_superseded(workspace.campaign)
    return CampaignState(now.desk.turn, now.desk.phase, now)


def states_before(workspace: Workspace, ledger: Ledger,
                  pick: Callable[[Sequence[tuple[str, str]]], Sequence[tuple[str, str]]]) -> list[CampaignState]:
    """The campaign before some of the phases that were resolved. `pick`: those wanted of all, as turn and phase.

    Raises `LedgerTrouble`, KeyError, `BookError`.
    """
    first: dict[tuple[str, str], int] = {}
    for step in ledger.steps_in_force(*UNDOABLE_VERBS):
        first.setdefault((step.turn, step.phase), step.id)
    kept = LedgerCampaigns(ledger, {record.sheet: record for record in workspace.ruleset.records})
    return [CampaignState(*when, reported_state(workspace, ledger, first[when], kept)) for when in pick(list(first))]


def whole_map(shown: Sequence[tuple[Inset, bytes]]) -> tuple[bytes, str] | None:
    """The whole map among a reader's pictures, with its words; None where there is none."""
    return next(((png, inset.alt) for inset, png in shown if inset.name == WHOLE), None)


def draw_orders(ruleset: Ruleset, campaign: Campaign, factions: Sequence[str]) -> Pictures:
    """The open orders of these factions, each drawn on its own map where they are about places."""
    return draw_pictures(
        Drawer(ruleset, without_superseded(campaign), None, (), "", process_count()), factions, (ORDERED,)
    )


def draw_pictures(drawer: Drawer, readers: Sequence[str], names: Sequence[str] = PICTURES) -> Pictures:
    """The pictures of these readers (codes, "" for everybody's, ``referee``).

    A faction gets the close-up of its own area first, then the whole map, then its chart; of these those that `names`
    says.
    """
    wanted: list[tuple[str, Inset]] = []

    def coming() -> Iterator[pictures.PictureRequest]:
        for reader in readers:
            for inset, request in undrawn_for(drawer, reader, names):
                wanted.append((reader, inset))
                yield request

    made = pictures.draw_all(coming(), drawer.processes)
    drawn: dict[str, list[tuple[Inset, bytes]]] = {reader: [] for reader in readers}
    for (reader, inset), picture in zip(wanted, made, strict=True):
        drawn[reader].append((replace(inset, alt=picture.words), picture.png))
    return {reader: tuple(shown) for reader, shown in drawn.items()}


def undrawn_for(
    drawer: Drawer, reader: str, names: Sequence[str] = PICTURES
) -> list[tuple[Inset, pictures.PictureRequest]]:
    """The pictures of one reader, not drawn yet; of its orders alone where they are among them."""
    ruleset, campaign = drawer.ruleset, drawer.campaign
    view = campaign if reader == REFEREE else ruleset.view(campaign, reader)
    row = campaign.table(Faction).get(reader)
    lang = drawer.lang or (row.language if row is not None else "") or campaign.desk.language or "en"
    previous = None if drawer.previous is None else (
        drawer.previous if reader == REFEREE else ruleset.view(drawer.previous, reader))
    if ORDERED in names:
        asked = pictures.scene_of(ruleset, view, reader, lang, close_up=True, only_orders=True)
        return [(Inset(ORDERED), pictures.PictureRequest(asked, WIDTH))] if asked.marches or asked.marks else []
    scene = pictures.scene_of(ruleset, view, reader, lang, previous=previous, orders=False)
    insets = []
    if reader and reader != REFEREE and NEAR in names:
        near = pictures.close_up_of(view, reader, scene)
        if near.focus and len(near.focus) < len(near.places):
            insets.append((Inset(NEAR), pictures.PictureRequest(near, WIDTH)))
    if WHOLE in names:
        insets.append((Inset(WHOLE), pictures.PictureRequest(scene, WIDTH)))
    if not scene.places:  # a campaign without a map
        insets = []
    return insets + (_chart(drawer, view, reader, lang) if CHART in names and reader != REFEREE else [])


def _chart(drawer: Drawer, view: Campaign, reader: str, lang: str) -> list[tuple[Inset, pictures.PictureRequest]]:
    ruleset = drawer.ruleset
    past = [pictures.PastView(moment.turn, moment.phase, public, ruleset.view(moment.campaign, reader) if reader
                              else public)
            for moment, public in zip(drawer.moments, drawer.public, strict=True)]
    wording = named_wording(ruleset, view, lang)
    chart = pictures.history_chart(ruleset, past, reader, wording, drawer.public_figures) if len(past) > 1 else None
    if chart is None:
        return []
    return [(Inset(CHART, title=chart.title), pictures.PictureRequest(
        None, WIDTH, pictures.chart_svg(chart), pictures.chart_in_words(chart, wording)))]


# Reports.


# Writing reports into a folder, with an index; older ones are kept.


INDEX = "index"
UNCUT = "whole"
Words = Callable[[Ruleset, Campaign, str], Wording]


def reports_folder(book: Path) -> Path:
    """The default folder for reports: beside the workbook."""
    return book.with_name(f"{book.stem}-reports")


def copies_folder(book: Path) -> Path:
    """The default folder for the clubs' copies: beside the workbook."""
    return book.with_name(f"{book.stem}-copies")


def returned_folder(book: Path) -> Path:
    """The default folder for what clubs send back: beside the workbook, but not that of the copies, so that new
    copies never overwrite one that a club has filled in.
    """
    return book.with_name(f"{book.stem}-returned")


def index_of(stem: str) -> str:
    """The name of the index of one club's reports, by the name of its files."""
    return f"{INDEX}-{stem}.html"


def write_with_index(ruleset: Ruleset, campaign: Campaign, folder: Path, files: Mapping[str, bytes], words: Words,
                 lang: str) -> list[str]:
    """Write reports into a folder, with an index of all reports in it and one for each club; older reports with the
    same names move into a subfolder named after their turn and phase.

    `files`: name -> content; `words`: the words of a language; `lang`: of the index (default: the workbook's). Returns
    the names of what was written. All of it is written or none. Raises OSError.
    """
    new = _entries_of("", {name: len(data) for name, data in files.items()}, lambda name: files[name].decode())
    stems = {entry.stem: entry for entry in new}
    lying = [entry for place in _report_folders(ruleset, folder) for entry in _entries_in(folder, place)]
    older = [entry for entry in lying if not entry.folder and entry.stem in stems
             and _moment(entry) != _moment(stems[entry.stem])]
    for entry in older:
        _copy_to_moment_folder(folder, entry)
    replaced = {(entry.folder, entry.stem) for entry in new} | {(_moment(entry), entry.stem) for entry in older}
    kept = [entry for entry in lying if (entry.folder, entry.stem) not in replaced]
    moved = [replace(entry, folder=_moment(entry)) for entry in older]
    indexes = _indexes(ruleset, campaign, [*new, *moved, *kept], words, lang)
    write_files(folder, {**files, **indexes})
    for stem in stems:
        for form in (UNCUT, *PICTURES):
            # a report that is short by now has no uncut page: the one that lies there is an older one's
            if report_file(stem, form) not in files:
                (folder / report_file(stem, form)).unlink(missing_ok=True)
    return [*files, *indexes]


def _indexes(
    ruleset: Ruleset, campaign: Campaign, entries: list[ReportEntry], words: Words, lang: str
) -> dict[str, bytes]:
    """The folder's index, and one for each club where it is not that club's alone."""
    if not entries:
        return {}
    of_all = build_index(ruleset, entries, words(ruleset, campaign, lang or campaign.desk.language))
    indexes = {report_file(INDEX, "html"): render_index(of_all).encode()}
    clubs = factions_of_entries(entries)
    for club in sorted(clubs) if len(clubs) > 1 or any(entry.kind == "referee" for entry in entries) else ():
        own = [entry for entry in entries if entry.kind == "faction" and entry.faction == club]
        page = build_index(ruleset, entries_for_club(entries, club), words(ruleset, campaign, lang or own[0].lang))
        indexes[index_of(own[0].stem)] = render_index(page).encode()
    return indexes


# --- reports in the folder ----------------------------------------------------------------------------------
def _report_folders(ruleset: Ruleset, folder: Path) -> list[str]:
    """The folder itself ("") and its subfolders named after a turn and phase."""
    if not folder.is_dir():
        return []
    phases = (*ruleset.calendar.phases(), OVER)
    below = [place.name for place in folder.iterdir() if place.is_dir() and place.name.partition(".")[2] in phases]
    return ["", *sorted(below)]


def _entries_in(folder: Path, place: str) -> list[ReportEntry]:
    sizes = {file.name: file.stat().st_size for file in (folder / place).iterdir() if file.is_file()}
    return _entries_of(place, sizes, lambda name: (folder / place / name).read_text(encoding="utf-8", errors="replace"))


def _entries_of(place: str, sizes: Mapping[str, int], text: Callable[[str], str]) -> list[ReportEntry]:
    """The reports among files: name -> bytes; `text`: reads one."""
    entries = []
    for name in sorted(sizes):
        stem = name.removesuffix(".json")
        if name != stem and report_file(stem, "html") in sizes:
            forms = {form: sizes[file] for form in (*FORMS, UNCUT) if (file := report_file(stem, form)) in sizes}
            entries.append(read_entry(text(name), place, stem, forms))
    return [entry for entry in entries if entry is not None]


def _moment(entry: ReportEntry) -> str:
    return f"{entry.turn}.{entry.phase}"


def _copy_to_moment_folder(folder: Path, entry: ReportEntry) -> None:
    """Copy a report's files into the folder of its moment; a report that is renewed there takes the old one's place."""
    place = folder / _moment(entry)
    files = [report_file(entry.stem, form) for form in entry.sizes]
    write_files(place, {name: (folder / name).read_bytes() for name in files})


# `report`.


GAZETTE, END, PUBLIC_NAME = "gazette", "end", "public"
PUBLIC_READER = ""
"""The reader whose pictures the gazette shows."""
SecretsByAudience = Mapping[str, str]


class Proofs(NamedTuple):
    """What the ledger reveals of the dice: promises for the coming turn, secrets of the turns before it.

    `over`: the campaign is over, and the referee's secrets are no secrets any more.
    """

    promised: SecretsByAudience
    revealed: Mapping[str, SecretsByAudience]
    over: bool = False

    def for_faction(self, faction: str) -> Proofs:
        """The part that one faction may know; "" for everybody."""
        return Proofs(_for_audience(self.promised, faction, over=False),
                    {turn: _for_audience(secrets, faction, self.over) for turn, secrets in self.revealed.items()})


def _for_audience(circle: SecretsByAudience, faction: str, over: bool) -> dict[str, str]:
    return {who: digits for who, digits in circle.items()
            if who == PUBLIC or (over and who == REFEREE) or (faction and faction in who.split("+"))}


class Previous(NamedTuple):
    """The last report: the number of its last event, and the campaign as it was, if that is known."""

    no: int
    campaign: Campaign | None = None


@retry_while_changing
@catches_abort("report")
def report(at: BookPlace, folder: Path, *, faction: str = "", since: str = "", by: str = "", lang: str = "",
           sent: bool = False, clock: datetime | None = None, pictures: bool = False) -> Result:
    """Write the reports as HTML, text and JSON. Nothing of the campaign changes.

    `faction`: only that club's, else all clubs', the gazette and the referee's; `since`: the turn, or
    ``turn.phase``, with which the report begins (default: the first phase that read the last orders, and where they
    are the first of their turn the turn itself); `by`: until when orders and answers are due, in the words that the
    reports say (default: the deadline that the Desk sets, by what time it is, `clock`); `lang`: of all reports
    (default: each club's own); `sent`: the ledger notes who gets them; `pictures`: with maps and charts. Result
    data: ``files``, ``told``: the last event of earlier reports.
    """
    with folder_faults(folder, N_("the reports"), lang):
        workspace = open_playable(at, lang)
        if sent:
            refuse_of_laboratory(workspace)
        known = factions_with_reports(workspace.campaign)
        if faction and faction not in known:
            raise workspace.abort(Exit.USAGE, codes.NO_SUCH_FACTION, faction=faction, list=", ".join(known))
        dice, past = proofs_and_previous(workspace, since)
        if sent:
            find_second_copies(workspace)
            ensure_deadline(workspace, clock)
        meant = [faction] if faction else known
        shown = report_pictures(workspace, past, [*meant, *(() if faction else (PUBLIC_READER, REFEREE))],
                                lang) if pictures else {}
        written = write_reports(workspace.ruleset, workspace.campaign, folder, meant, dice, past,
                                by=due_text(workspace, by, clock), lang=lang, everything=not faction,
                                refused=unusable_answers(workspace), pictures=shown)
        if sent:
            note_reports_sent(workspace, known)
    result = Result("report", findings=[*workspace.second_copies, *workspace.reading.findings],
                    wording=workspace.wording)
    result.data.update(folder=str(folder), files=written, told=past.no)
    result.say(workspace.wording.plural(N_("{n} file was written to {folder}."),
                                        N_("{n} files were written to {folder}."), len(written), folder=str(folder)))
    result.say(workspace.wording.text(N_("All reports that lie there, older ones too: {file}"),
                                      file=str(folder / "index.html")))
    return result


def note_reports_sent(workspace: Workspace, to: list[str]) -> None:
    """Note in the ledger to whom reports are sent. Without a usable ledger, which `status` reports, there is no undo.

    Raises `Abort` where it cannot be written.
    """
    try:
        with Ledger.open(path_of_ledger(workspace.path), workspace.campaign.desk.campaign_id) as ledger:
            note_reports_written(ledger, to)
    except LedgerTrouble as trouble:
        if trouble.kind in ("unwritable", "busy", "full", "denied"):
            raise workspace.ledger_stop(trouble) from trouble


class BuiltPage(NamedTuple):
    """A report that was made: the stem of its files' names, its page, the words of its language, what its ruleset
    itself has to say in a chat.
    """

    stem: str
    page: ReportPage
    words: Wording
    chat: list[str]


def write_reports(ruleset: Ruleset, campaign: Campaign, folder: Path, factions: list[str], dice: Proofs, past: Previous,
                  *, by: DueText = "", lang: str = "", everything: bool = True,
                  refused: Mapping[str, Finding] = MappingProxyType({}),
                  pictures: Pictures = MappingProxyType({})) -> list[str]:
    """Write the pages of these factions, with `everything` also the gazette, the referee's report and, of a campaign
    that is over, the page of its end.

    `by`: until when orders and answers are due, as they say it; `refused`: key of a question -> why its answer cannot
    be taken; `pictures`: reader -> its pictures, which lie beside the pages.

    All of them are written, or, where one cannot be, none. Returns the names of the files. Raises OSError.
    """
    campaign = without_superseded(campaign)
    made = [faction_page(ruleset, campaign, code, dice, past, by=by, lang=lang, refused=refused) for code in factions]
    if everything:
        made += public_pages(ruleset, campaign, dice, past, by=by, lang=lang)
        words = named_wording(ruleset, campaign, lang or campaign.desk.language)
        referee = build_referee(ruleset, campaign, words, past.no, dice.promised, dice.revealed,
                                previous=past.campaign, deadline=render_due(by, words), refused=refused)
        made.append(BuiltPage(REFEREE, referee, words, []))
    written: dict[str, bytes] = {}
    for page in made:
        clubs = everything and page.page.kind == "faction"
        insets = pictures.get(picture_reader(page.page), ())
        written |= _render_forms(page, index_of(page.stem) if clubs else "index.html", insets_beside(page.stem, insets))
        written |= {picture_file(page.stem, inset.name): data for inset, data in insets}
    return write_with_index(ruleset, campaign, folder, written, named_wording, lang)


def faction_page(ruleset: Ruleset, campaign: Campaign, code: str, dice: Proofs, past: Previous, *, by: DueText = "",
                 lang: str = "", refused: Mapping[str, Finding] = MappingProxyType({}), held: str = "") -> BuiltPage:
    """The report of a faction; `campaign`: without rows that were superseded; `held`: as for `build_page`; the rest as
    for `write_reports`.
    """
    known = dice.for_faction(code)
    view = ruleset.view(campaign, code)
    words = named_wording(ruleset, view, lang or campaign.table(Faction)[code].language)
    told = _events_reported(ruleset, _as_reported(campaign, past), past, code)
    page = build_page(ruleset, view, code, words, told, known.promised, known.revealed,
                      previous=_view(ruleset, past, code), deadline=render_due(by, words), refused=refused,
                      held=held or campaign.table(Faction)[code].language)
    return BuiltPage(faction_file_name(code), page, words, ruleset.chat(view, code, words.text))


def public_pages(ruleset: Ruleset, campaign: Campaign, dice: Proofs, past: Previous, *, by: DueText = "",
                 lang: str = "") -> list[BuiltPage]:
    """The gazette and, of a campaign that is over, the page of its end; as `faction_page`."""
    known, view = dice.for_faction(""), ruleset.view(campaign, "")
    words = named_wording(ruleset, view, lang or campaign.desk.language)
    told = _events_reported(ruleset, _as_reported(campaign, past), past, "")
    gazette = build_gazette(ruleset, view, words, told, known.promised, known.revealed,
                            previous=_view(ruleset, past, ""), deadline=render_due(by, words))
    made = [BuiltPage(GAZETTE, gazette, words, ruleset.chat(view, "", words.text))]
    return [*made, BuiltPage(END, build_end(ruleset, view, words), words, [])] if ruleset.is_over(campaign) else made


def report_pictures(workspace: Workspace, past: Previous, readers: Sequence[str], lang: str = "") -> Pictures:
    """The pictures of these readers (codes, "" for everybody's, ``referee``)."""
    moments = campaign_states(workspace)
    previous = past.campaign or (moments[0].campaign if len(moments) > 1 else None)
    drawer = Drawer(workspace.ruleset, without_superseded(workspace.campaign), previous, moments, lang, process_count())
    return draw_pictures(drawer, readers)


def unusable_answers(workspace: Workspace) -> dict[str, Finding]:
    """The answers that stand in the workbook and cannot be taken: key of the question -> why."""
    if not has_asked(workspace.campaign) or workspace.ruleset.is_over(workspace.campaign):
        return {}
    return refused_answers(check_typed_inputs(workspace, workspace.campaign))


def faction_file_name(code: str) -> str:
    """The name of a faction's files: its code, as long as that is a plain name and nobody else's.

    A code is text that somebody typed: it may hold a path, be a name that Windows keeps for itself, or
    that of the gazette; such a code gets a few digits of its own fingerprint.
    """
    plain = re.sub(r"[^\w+-]", "_", code)
    # names of our own pages, and of devices, which no file can bear on Windows
    taken = (GAZETTE, REFEREE, END, PUBLIC_NAME, "con", "prn", "aux", "nul")
    ours = r"(?i:com|lpt)\d|(?i:index)(-.*)?|.*-(?i:whole)|.{65,}"
    if plain == code and plain.casefold() not in taken and not re.fullmatch(ours, plain):
        return code
    return f"{plain[:40]}-{hashlib.sha256(code.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"


def _view(ruleset: Ruleset, past: Previous, faction: str) -> Campaign | None:
    return ruleset.view(past.campaign, faction) if past.campaign else None


def _as_reported(campaign: Campaign, past: Previous) -> Campaign:
    """The campaign with only those events that the last report told; it shares all other tables."""
    then = campaign.copy()
    events = campaign.table(Event)
    then.put(Table.of(events.record, [pair for pair in events.raw_rows() if pair[1].no <= past.no]))
    return then


def _events_reported(ruleset: Ruleset, then: Campaign, past: Previous, faction: str) -> int:
    """How many events of a faction's view the last report told; counted only when that view is not known.

    A view may renumber its events, so the number of the last one is no help.
    """
    if past.campaign is not None or not past.no:
        return past.no
    return len(only_addressed(ruleset.viewer(ruleset.view(then, faction), faction)).table(Event))


def picture_reader(page: ReportPage) -> str:
    """Whose pictures a page shows: a faction's, the referee's, or "" for everybody's; the page of the end has none."""
    return {"gazette": PUBLIC_READER, "end": END}.get(page.kind, page.faction)


def insets_beside(stem: str, shown: Sequence[tuple[Inset, bytes]]) -> list[Inset]:
    """Pictures with sources relative to a page in the same folder."""
    return [replace(inset, src=quote(picture_file(stem, inset.name))) for inset, _ in shown]


def _render_forms(made: BuiltPage, index: str, insets: Sequence[Inset] = ()) -> dict[str, bytes]:
    """One page in all its forms, by file name; also uncut where it is too long for a phone or a mail. The
    referee's page has no chat message.

    `index`: the file that lists them; `insets`: its pictures.
    """
    page = made.page
    uncut = report_file(made.stem, UNCUT)
    hint = made.words.text(N_("All of it is in {file}, which {index} lists."), file=uncut, index=index)
    fitting, cut = fit_html(page, rest=hint, insets=insets)
    forms = {"html": fitting, "txt": render_text(page, insets=insets), "json": render_json(page)}
    if page.kind != REFEREE:
        forms[CHAT] = render_chat(page, made.chat)
    if cut or (page.rulings is not None and len(page.rulings.proofs.items) > PROOFS):
        whole = render_html(page, largest=sys.maxsize, insets=insets)
        forms |= {UNCUT: whole} if whole != fitting else {}
    return {report_file(made.stem, form): text.encode("utf-8") for form, text in forms.items()}


def start_of_last_orders(ruleset: Ruleset, campaign: Campaign) -> tuple[str, str] | None:
    """Where what the last orders brought begins, as (turn, phase) with events; None when there were none.

    Where several phases of a turn read one set of orders (a whole day's) it is the first of them. The first orders of a
    turn begin with the turn itself, phase "": what happens before them asks nobody for orders, and no report need have
    been made between; the very first begin with the campaign.
    """
    taking: dict[tuple[str, str], tuple[str, str]] = {}
    last, start = None, ""
    for _, event in campaign.table(Event).in_file_order():
        start = start or event.turn
        try:
            word = "" if event.event in COMMON_EVENTS else ruleset.phase(event.phase).orders
        except KeyError:
            continue
        if word:
            begun = any(turn == event.turn for turn, _ in taking)
            first = (event.turn, event.phase) if begun else (event.turn if taking else start, "")
            last = taking.setdefault((event.turn, word), first)
    return last


def _report_start(workspace: Workspace, since: str) -> tuple[str, str]:
    """Where a report begins: turn, and phase or ""; ("", "") for the very start; a year begins with its first turn.

    Raises `Abort`.
    """
    events = [event for _, event in workspace.campaign.table(Event).in_file_order()]
    if not since:
        return start_of_last_orders(workspace.ruleset, workspace.campaign) or ("", "")
    turn, _, phase = since.partition(".")
    turn = next((e.turn for e in events if not phase and turn in (e.turn, workspace.ruleset.year(e.turn))), turn)
    if not any(e.turn == turn and phase in ("", e.phase) for e in events):
        known = list(dict.fromkeys(f"{e.turn}.{e.phase}" for e in events))
        raise workspace.abort(Exit.USAGE, codes.NO_SUCH_PHASE, phase=since, near=nearest(since, known))
    return turn, phase


def last_event_before(campaign: Campaign, turn: str, phase: str) -> int:
    """The number of the last event before the first one of a turn, or of one of its phases; 0 for none."""
    last = 0
    for _, event in campaign.table(Event).in_file_order():
        if not turn or (event.turn == turn and phase in ("", event.phase)):
            break
        last = event.no
    return last


UNUSABLE = ("unreadable", "foreign", "old")
"""What may be wrong with a ledger that lies beside the workbook: a report stops at it, as every command does."""


def proofs_and_previous(workspace: Workspace, since: str) -> tuple[Proofs, Previous]:
    """What the ledger adds to a report; without a ledger the report only lacks the proofs of the dice.

    The campaign as it was is taken only if it had told just what was told before: a campaign whose
    ledger was renewed may have an event more. Raises `Abort` where the ledger cannot be used, is of another campaign,
    or is of another moment than the workbook: it would promise the dice of a turn that is over.
    """
    turn, phase = _report_start(workspace, since)
    no = last_event_before(workspace.campaign, turn, phase)
    try:
        with workspace.beside() as ledger:
            watched = look_at_own_version(workspace, ledger)
            clock = clock_as_written(workspace, watched)
            dice = proofs_of(ledger, clock.desk.turn, turn, workspace.ruleset.is_over(clock))
            way = ledger.steps_in_force(*UNDOABLE_VERBS)  # what was ruled before a phase, too
            begun = next((step for step in way if step.turn == turn and phase in ("", step.phase)), None)
            before = None if begun is None else without_undecided_edits(ledger, begun.id, campaign_before(
                ledger, begun.id, workspace.path.name, workspace.loader))
    except LedgerTrouble as trouble:
        if trouble.kind in UNUSABLE:
            raise workspace.ledger_stop(trouble) from trouble
        return Proofs({}, {}), Previous(no)
    if before is None or last_event_before(before, turn, phase) != no:
        return dice, Previous(no)
    before = with_earlier_defaults(workspace.ruleset, before, workspace.began)
    # the last report said nothing of what has been ruled since
    return dice, Previous(no, _as_reported(before, Previous(no)))


def proofs_of(ledger: Ledger, turn: str, since: str, over: bool) -> Proofs:
    """Promises of a turn, and the secrets of the turns that are over, as far as a report needs them.

    These are the last turn that ended and those that ended since the report's first turn, `since`; of a
    campaign that is over they are all.
    """
    played = list(dict.fromkeys(step.turn for step in ledger.steps_in_force()))
    ended = played if over else [other for other in played if other != turn]
    first = ended.index(since) if since in ended else len(ended) - 1
    shown = ended if over else ended[max(first, 0):]
    promised = {} if over else ledger.commitments().get(turn, {})
    return Proofs(promised, {turn: ledger.secrets(turn) for turn in shown}, over)


# `luck`.


TurnAndPhase = tuple[str, str]


@catches_abort("luck")
def luck(at: BookPlace, *, faction: str = "", since: str = "", until: str = "", lang: str = "") -> Result:
    """Expected against rolled, by kind of throw. Changes nothing.

    `faction`: only what concerns it and what it may know (default: all dice); `since`, `until`: the first and
    the last turn, or ``turn.phase``, that are counted (default: all). Result data: ``faction``, ``since``,
    ``until``, ``throws``: one object a kind of throw and side, as `assistant.reporting.pages.LuckRow` says.
    """
    workspace = open_workspace(at, lang)
    code = faction_code(workspace.campaign, faction, workspace.wording)
    moments = _phases_between(workspace, since, until)
    ruleset, words = workspace.ruleset, workspace.wording
    view = ruleset.view(workspace.campaign, code) if code else workspace.campaign
    reader = Reader.of(ruleset, view, code or REFEREE, words)
    whose = reader.faction_name(code) if code else words.text(N_("all dice"))
    section = counted(reader, set(moments), words.text(N_("Luck: {whose}"), whose=whose))
    result = Result("luck", findings=workspace.reading.findings, wording=words)
    result.data.update(
        faction=code,
        since=".".join(moments[0]) if moments else "",
        until=".".join(moments[-1]) if moments else "",
        throws=as_plain_values(section.rows) if section else [],
    )
    if section is None:
        result.say(words.text(N_("No dice were thrown that count here.")))
        return result
    result.say(section.title)
    result.lines += [*section.said, "",
                     *text_table(section.table.rows.items, section.table.headings, section.table.numeric).splitlines(),
                     "", section.table.note]
    return result


def _phases_between(workspace: Workspace, since: str, until: str) -> list[TurnAndPhase]:
    """The phases with events from the first to the last that are asked for. Raises `Abort`."""
    told = list(dict.fromkeys((e.turn, e.phase) for _, e in workspace.campaign.table(Event).in_file_order()))
    first = _phase_indexes(workspace, told, since)[0] if since else 0
    last = _phase_indexes(workspace, told, until)[-1] if until else len(told) - 1
    return told[first:last + 1]


def _phase_indexes(workspace: Workspace, told: list[TurnAndPhase], asked: str) -> list[int]:
    """Where the phases of a turn, or a phase of it, stand among those told of. Raises `Abort` for none."""
    places = [place for place, moment in enumerate(told) if asked in (moment[0], ".".join(moment))]
    if not places:
        raise workspace.abort(Exit.USAGE, codes.NO_SUCH_PHASE, phase=asked,
                              near=nearest(asked, [".".join(moment) for moment in told]))
    return places
