"""`map --layout`: a campaign of which only the roads are known in; its places' positions in the workbook out."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.campaign.records import Node, Road
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Result
from assistant.desk.ruling.hand_findings import stop_on_edits
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.session import at_work
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop
from assistant.ledger import LAYOUT
from assistant.pictures.maps import days_of
from assistant.pictures.positions import Point, laid_out
from assistant.wording import N_

BY_CODE = N_("The hexes or squares of this map lie where their codes say: there is nothing to lay out.")


def lay_out(at: At, *, lang: str = "") -> Result:
    """Lay the places out anew by their roads, and write where they lie, in one change that `undo` takes back.

    Result data: ``places``: code -> x and y.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        result = Result("map", findings=sitting.reading.findings, wording=sitting.wording)
        if sitting.ruleset.looks.form(sitting.ruleset.game(sitting.campaign)) != "graph":
            result.say(sitting.wording.text(BY_CODE))
            result.data["places"] = {}
            return result
        with at_work(sitting, LAYOUT) as session:
            stop_on_edits(session)
            spots = _spots(sitting)
            after = sitting.campaign.copy()
            for node in after.table(Node):
                node.x, node.y = (round(place) for place in spots[node.node])
            said = sitting.sheet_wording.text(N_("The places were laid out by their roads."))
            session.commit(LAYOUT, after, desk_lines(sitting.ruleset, after, sitting.sheet_wording, sitting.typed_name,
                                                     [said]))
    except Stop as stopped:
        return stopped.result("map")
    result.find(sitting.second_copies)
    result.data["places"] = {code: [round(x), round(y)] for code, (x, y) in spots.items()}
    result.say(sitting.wording.plural(
        N_("{n} place was laid out by its roads: x and y on the sheet {sheet} say where, and you may move it there. To"
           " take that back: arbitro undo {book}"),
        N_("{n} places were laid out by their roads: x and y on the sheet {sheet} say where, and you may move them"
           " there. To take that back: arbitro undo {book}"), len(spots), sheet=Node.sheet, book=sitting.path.name))
    return result


def _spots(sitting: Sitting) -> Mapping[str, Point]:
    """Where the places come to lie."""
    campaign = sitting.campaign
    return laid_out((node.node for node in campaign.table(Node)), campaign.table(Road),
                    lambda road: days_of(sitting.ruleset, road))
