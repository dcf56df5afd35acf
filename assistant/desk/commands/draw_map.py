"""`map`: a map as picture, for print, or on a sheet of the workbook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Node, Road
from assistant.desk.commands.report import faction_file_name, proofs_and_previous
from assistant.desk.past.phase_chain import campaign_before
from assistant.desk.results import Exit, FillIn, Form, FormField, Result, option_number
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.detect_edits import without_undecided_edits
from assistant.desk.workspace.workspace import (
    BookPlace,
    GaveUp,
    Workspace,
    catches_abort,
    faction_code,
    folder_faults,
    playing_factions,
    retry_while_changing,
)
from assistant.desk.workspace.writer import ProtectedWrite, map_later_findings, open_for_writing
from assistant.ledger import LAYOUT, MAP, UNDOABLE_VERBS, PlannedStep
from assistant.pictures.map_scene import march_days, scene_of
from assistant.pictures.render import Drawing, map_svg, maps_side_by_side, svg_for_print, svg_to_png
from assistant.pictures.scene import Point, has_positions, stress_layout, undrawable_outlines
from assistant.turn import codes
from assistant.turn.findings import nearest
from assistant.turn.phases import without_superseded
from assistant.turn.texts import N_
from assistant.wording import Verbatim
from assistant.workbook.file_book import FileBook, shows_map
from assistant.workbook.save import write_files

# `map --sheet`.


@catches_abort(MAP)
def put_map_sheet(at: BookPlace, *, shapes: bool = False, lang: str = "") -> Result:
    """Put the map onto a sheet of its own, or renew it there; from then on each phase renews it.

    `shapes`: colour the shapes of the club's own map instead, now and with each phase. `undo` takes either away.
    Result data: ``shapes``: how many there are.
    """
    workspace = open_playable(at, lang)
    book, desk, words = workspace.book, workspace.campaign.desk, workspace.wording
    if not isinstance(book, FileBook):
        raise workspace.abort_with(Exit.REFUSED, map_later_findings(workspace))
    stage = PlannedStep(MAP, desk.turn, desk.phase)
    with open_for_writing(workspace, MAP) as session, ProtectedWrite(session, [stage]):
        count = book.draw(workspace.campaign, shapes=shapes)
    result = Result(MAP, findings=[*workspace.second_copies, *book.asides], wording=words)
    result.data["shapes"] = count
    if shapes and count:
        result.say(words.plural(N_("{n} shape bears the code of a place: it has its owner's colour now, and its walls"
                                   " as border."), N_("{n} shapes bear the code of a place: they have their owners'"
                                                      " colours now, and their walls as borders."), count))
    elif shapes:
        result.say(words.text(N_("No shape bears the code of a place as its name or alternative text.")))
        result.exit = Exit.REFUSED
    elif shows_map(workspace.on_disk()):
        result.say(words.text(N_("The map is on its sheet in {file}; each phase renews it."), file=workspace.path.name))
    else:
        result.exit = Exit.REFUSED
    return result


# `map --layout`.


LAID_OUT_BY_CODE = N_("The hexes or squares of this map lie where their codes say: there is nothing to lay out.")


@catches_abort(MAP)
def lay_out_places(at: BookPlace, *, lang: str = "") -> Result:
    """Lay the places out anew by their roads, and write where they lie, in one change that `undo` takes back.

    Result data: ``places``: code -> x and y.
    """
    workspace = open_playable(at, lang)
    result = Result(MAP, findings=workspace.reading.findings, wording=workspace.wording)
    if workspace.ruleset.looks.form(workspace.ruleset.game(workspace.campaign)) != "graph":
        result.say(workspace.wording.text(LAID_OUT_BY_CODE))
        result.data["places"] = {}
        return result
    with open_for_writing(workspace, LAYOUT) as session:
        session.abort_on_edits()
        spots = _place_positions(workspace)
        after = workspace.campaign.copy()
        for node in after.table(Node):
            node.x, node.y = (round(place) for place in spots[node.node])
        wished = workspace.sheet_wording.text(N_("The places were laid out by their roads."))
        session.commit(LAYOUT, after, [wished])
    result.find(workspace.second_copies)
    result.data["places"] = {code: [round(x), round(y)] for code, (x, y) in spots.items()}
    result.say(workspace.wording.plural(
        N_("{n} place was laid out by its roads: x and y on the sheet {sheet} say where, and you may move it there. To"
           " take that back: arbitro undo {book}"),
        N_("{n} places were laid out by their roads: x and y on the sheet {sheet} say where, and you may move them"
           " there. To take that back: arbitro undo {book}"), len(spots), sheet=Node.sheet, book=workspace.path.name))
    return result


def _place_positions(workspace: Workspace) -> Mapping[str, Point]:
    """Where the places come to lie."""
    campaign = workspace.campaign
    return stress_layout((node.node for node in campaign.table(Node)), campaign.table(Road),
                    lambda road: march_days(workspace.ruleset, road))


# `map`.


PUBLIC = "public"


@dataclass(frozen=True)
class MapOptions:
    """What map is wanted. `faction`: for whom, "" for everybody; `referee`: with everything; `close_up`: of the
    faction's own area; `orders`: its open orders and nothing that has happened; `since`, `until`: turns, whose
    beginning and end are drawn side by side; `changes`: only what has changed since the last report; `paper`: for print
    at A3.
    """

    faction: str = ""
    referee: bool = False
    close_up: bool = False
    since: str = ""
    until: str = ""
    changes: bool = False
    paper: bool = False
    orders: bool = False


@retry_while_changing
@catches_abort(MAP)
def draw_map(at: BookPlace, folder: Path, wish: MapOptions, *, lang: str = "") -> Result:
    """Write a map into a folder. Nothing of the campaign changes. Result data: ``files``, and ``unplaced``: the places
    whose names found no room.
    """
    with folder_faults(folder, N_("the maps"), lang):
        workspace = open_playable(at, lang)
        reader = REFEREE if wish.referee else faction_code(workspace.campaign, wish.faction, workspace.wording)
        result = Result(MAP, findings=workspace.reading.findings, wording=workspace.wording)
        drawing = _draw_states(workspace, reader, wish)
        files = _picture_files(_file_stem(workspace, reader, wish), drawing, wish)
        write_files(folder, files)
        _say_shortcomings(workspace, drawing, result)
    result.data.update(folder=str(folder), files=sorted(files),
                       unplaced=sorted(drawing.unplaced))
    for name in sorted(files):
        result.say(workspace.wording.text(N_("The map is {file}."), file=Verbatim(str(folder / name))))
    return result


# --- by a form ---------------------------------------------------------------------------------------------------
FOR_WHOM, WHAT = "for", "what"
PARTS_OF_MAP = (
    (N_("all of it"), MapOptions()), (N_("only its own area, for a telephone"), MapOptions(close_up=True)),
    (N_("only its open orders"), MapOptions(orders=True)),
    (N_("what has changed since the last report"), MapOptions(changes=True)),
    (N_("for print, as SVG"), MapOptions(paper=True)))
"""What can be drawn, with the options; close-ups and orders are a club's."""


@catches_abort(MAP)
def draw_map_by_form(at: BookPlace, folder: Path, fill_in: FillIn, *, lang: str = "") -> Result:
    """Ask whose map is wanted and what of it, and draw it as `draw_map` does. Result data: as there."""
    workspace = open_playable(at, lang)
    words, clubs = workspace.wording, playing_factions(workspace.campaign)
    readers = (words.text(N_("everybody")), *(str(words.names.text(code, "faction")) for code in clubs),
               words.text(N_("the referee alone")))
    parts = tuple(words.text(label) for label, _ in PARTS_OF_MAP)
    values = fill_in(Form((words.text(N_("Which map? It is written beside the reports and shown.")),),
                          (FormField(FOR_WHOM, words.text(N_("For")), readers[0], readers),
                           FormField(WHAT, words.text(N_("What")), parts[0], parts))))
    if values is None:
        raise GaveUp(words, N_("Nothing was drawn."))
    who, options = option_number(readers, values[FOR_WHOM]), PARTS_OF_MAP[option_number(parts, values[WHAT])][1]
    code = clubs[who - 1] if 0 < who <= len(clubs) else ""
    wish = replace(options, faction=code, referee=who > len(clubs), close_up=options.close_up and bool(code),
                   orders=options.orders and bool(code))
    return draw_map(at, folder, wish, lang=lang)


# --- states of the campaign --------------------------------------------------------------------------------------
def _states_to_draw(workspace: Workspace, wish: MapOptions) -> list[tuple[Campaign, Campaign | None]]:
    """The states to draw, each with the one from which it is told what has changed. Raises `Abort`."""
    now = without_superseded(workspace.campaign)
    if not (wish.since or wish.until):
        _, past = proofs_and_previous(workspace, "")
        return [(now, past.campaign)]
    first, last = wish.since or wish.until, wish.until or wish.since
    with workspace.ledger() as ledger:
        line = ledger.steps_in_force(*UNDOABLE_VERBS)
        turns = list(dict.fromkeys(step.turn for step in line))
        for turn in (first, last):
            if turn not in turns:
                raise workspace.abort(Exit.USAGE, codes.NO_SUCH_PHASE, phase=turn, near=nearest(turn, turns))
        begins = next(step.id for step in line if step.turn == first)
        ended = [n for n, step in enumerate(line) if step.turn == last][-1] + 1
        states = [without_superseded(without_undecided_edits(ledger, number, campaign_before(
            ledger, number, workspace.path.name, workspace.loader))) for number in
            (begins, *(step.id for step in line[ended:ended + 1]))]
    then, later = states[0], states[1] if len(states) > 1 else now
    return [(then, None), (later, then)]


def _draw_states(workspace: Workspace, reader: str, wish: MapOptions) -> Drawing:
    """The map of each state, from what its reader knew of it."""
    ruleset = workspace.ruleset
    scenes = []
    for now, then in _states_to_draw(workspace, wish):
        view, before = (campaign if reader == REFEREE or campaign is None else ruleset.view(campaign, reader)
                        for campaign in (now, then))
        if view is not None:
            scenes.append(scene_of(ruleset, view, reader, workspace.lang, previous=before, close_up=wish.close_up,
                                   changes=wish.changes, only_orders=wish.orders))
    return map_svg(scenes[0]) if len(scenes) == 1 else maps_side_by_side(*scenes)


# --- files -----------------------------------------------------------------------------------------------------
def _file_stem(workspace: Workspace, reader: str, wish: MapOptions) -> str:
    """How the files are called: ``war-map-V``, and for what."""
    who = reader if reader == REFEREE else faction_file_name(reader) if reader else PUBLIC
    turns = [turn for turn in dict.fromkeys((wish.since, wish.until)) if turn]
    return "-".join([workspace.path.stem, "map", who, *(faction_file_name(turn) for turn in turns),
                     *(word for word, drawn in (("near", wish.close_up), ("changes", wish.changes),
                                             ("orders", wish.orders)) if drawn)])


def _picture_files(stem: str, drawing: Drawing, wish: MapOptions) -> dict[str, bytes]:
    """The picture by its name; as SVG for print."""
    if wish.paper:
        return {f"{stem}.svg": svg_for_print(drawing).encode()}
    return {f"{stem}.png": svg_to_png(drawing.svg, drawing.width)}


def _say_shortcomings(workspace: Workspace, drawing: Drawing, result: Result) -> None:
    """What is less than it could be, a line each."""
    words, campaign = workspace.wording, workspace.campaign
    broken = undrawable_outlines(campaign)
    if broken:
        result.say(words.plural(
            N_("The outline {list} cannot be drawn: its points are written as 10,20 30,40."),
            N_("The outlines {list} cannot be drawn: their points are written as 10,20 30,40."), len(broken),
            list=Verbatim(", ".join(broken))))
    game = workspace.ruleset.game(campaign)
    if workspace.ruleset.looks.form(game) == "graph" and not has_positions(campaign.table(Node)):
        result.say(words.text(N_("Nobody has said where the places lie: the map follows their roads. To write that into"
                                 " the workbook, and move them about there: arbitro map {book} --layout"),
                              book=workspace.path.name))
