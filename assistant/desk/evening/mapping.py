"""`map`: a campaign and a folder in; the map of one reader out, as a picture or for print, from its view alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Node
from assistant.desk import codes
from assistant.desk.evening.reports import dice_and_past, file_name
from assistant.desk.past.snapshots import campaign_before
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop, club_of, folder_stop, of_one_moment, stop
from assistant.desk.watch.watching import as_written
from assistant.ledger import IN_LINE, LedgerTrouble
from assistant.pictures.drawn import Drawing, beside, for_print, svg
from assistant.pictures.ground import unreadable
from assistant.pictures.maps import scene_of
from assistant.pictures.png import png
from assistant.pictures.positions import has_positions
from assistant.turn.findings import nearest
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim
from assistant.workbook.safe.saving import write_files

PUBLIC = "public"


@dataclass(frozen=True)
class MapWish:
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


@of_one_moment
def draw_map(at: At, folder: Path, wish: MapWish, *, lang: str = "") -> Result:
    """Write a map into a folder. Nothing of the campaign changes. Result data: ``files``, and ``unplaced``: the places
    whose names found no room.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        reader = REFEREE if wish.referee else club_of(sitting.campaign, wish.faction, sitting.wording)
        result = Result("map", findings=sitting.reading.findings, wording=sitting.wording)
        drawing = _drawn(sitting, reader, wish)
        files = _files(_stem(sitting, reader, wish), drawing, wish, result)
        write_files(folder, files)
        _tell(sitting, drawing, result)
    except Stop as stopped:
        return stopped.result("map")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the maps"), lang).result("map")
    result.data.update(folder=str(folder), files=sorted(files),
                       unplaced=sorted(drawing.unplaced))
    for name in sorted(files):
        result.say(sitting.wording.text(N_("The map is {file}."), file=Verbatim(str(folder / name))))
    return result


# --- states of the campaign --------------------------------------------------------------------------------------
def _spans(sitting: Sitting, wish: MapWish) -> list[tuple[Campaign, Campaign | None]]:
    """The states to draw, each with the one from which it is told what has changed. Raises `Stop`."""
    now = in_force(sitting.campaign)
    if not (wish.since or wish.until):
        _, past = dice_and_past(sitting, "")
        return [(now, past.campaign)]
    first, last = wish.since or wish.until, wish.until or wish.since
    try:
        with sitting.ledger() as ledger:
            steps = {step.id: step for step in ledger.steps()}
            line = [steps[n] for n in ledger.line if n in steps and steps[n].verb in IN_LINE]
            turns = list(dict.fromkeys(step.turn for step in line))
            for turn in (first, last):
                if turn not in turns:
                    raise stop(Exit.USAGE, codes.NO_SUCH_PHASE, sitting.lang, sitting.wording, phase=turn,
                               near=nearest(turn, turns))
            begins = next(step.id for step in line if step.turn == first)
            ended = [n for n, step in enumerate(line) if step.turn == last][-1] + 1
            states = [in_force(as_written(ledger, number, campaign_before(
                ledger, number, sitting.path.name, sitting.loader))) for number in
                (begins, *(step.id for step in line[ended:ended + 1]))]
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble
    then, later = states[0], states[1] if len(states) > 1 else now
    return [(then, None), (later, then)]


def _drawn(sitting: Sitting, reader: str, wish: MapWish) -> Drawing:
    """The map of each state, from what its reader knew of it."""
    ruleset = sitting.ruleset
    scenes = []
    for now, then in _spans(sitting, wish):
        view, before = (one if reader == REFEREE or one is None else ruleset.view(one, reader) for one in (now, then))
        if view is not None:
            scenes.append(scene_of(ruleset, view, reader, sitting.lang, previous=before, close_up=wish.close_up,
                                   changes=wish.changes, only_orders=wish.orders))
    return svg(scenes[0]) if len(scenes) == 1 else beside(*scenes)


# --- files -----------------------------------------------------------------------------------------------------
def _stem(sitting: Sitting, reader: str, wish: MapWish) -> str:
    """How the files are called: ``war-map-V``, and for what."""
    who = reader if reader == REFEREE else file_name(reader) if reader else PUBLIC
    turns = [turn for turn in dict.fromkeys((wish.since, wish.until)) if turn]
    return "-".join([sitting.path.stem, "map", who, *(file_name(turn) for turn in turns),
                     *(word for word, said in (("near", wish.close_up), ("changes", wish.changes),
                                            ("orders", wish.orders)) if said)])


def _files(stem: str, drawing: Drawing, wish: MapWish, result: Result) -> dict[str, bytes]:
    """The picture by its name; as SVG for print, or where a library for pictures is missing, which is told."""
    made = None if wish.paper else png(drawing.svg, drawing.width)
    if isinstance(made, bytes):
        return {f"{stem}.png": made}
    if made is not None and result.wording is not None:
        result.say(result.wording.text(N_("Pictures need {library}, which is not installed: the map is written as SVG,"
                                          " which a browser shows. To install it: pip install {library}"),
                                       library=made.name))
    return {f"{stem}.svg": for_print(drawing).encode()}


def _tell(sitting: Sitting, drawing: Drawing, result: Result) -> None:
    """What is less than it could be, a line each."""
    words, campaign = sitting.wording, sitting.campaign
    if drawing.missing:
        result.say(words.text(N_("Without {library} the map has no realms. To install it: pip install {library}"),
                              library=drawing.missing))
    broken = unreadable(campaign)
    if broken:
        result.say(words.plural(
            N_("The outline {list} cannot be drawn: its points are written as 10,20 30,40."),
            N_("The outlines {list} cannot be drawn: their points are written as 10,20 30,40."), len(broken),
            list=Verbatim(", ".join(broken))))
    game = sitting.ruleset.game(campaign)
    if sitting.ruleset.looks.form(game) == "graph" and not has_positions(campaign.table(Node)):
        result.say(words.text(N_("Nobody has said where the places lie: the map follows their roads. To write that into"
                                 " the workbook, and move them about there: arbitro map {book} --layout"),
                              book=sitting.path.name))
