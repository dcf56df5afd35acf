"""`map --sheet`: a workbook in; the same with a sheet that shows its map, or with a club's own shapes coloured, out."""

from __future__ import annotations

from assistant.desk.results import Exit, Result
from assistant.desk.sitting.map_later import later
from assistant.desk.sitting.moments import stop_on_data
from assistant.desk.sitting.session import Change, at_work
from assistant.desk.sitting.sitting import At, sit
from assistant.desk.sitting.stops import Stop
from assistant.ledger import MAP, Stage
from assistant.wording import N_
from assistant.workbook.file_book import FileBook, shows_map


def put_map_sheet(at: At, *, shapes: bool = False, lang: str = "") -> Result:
    """Put the map onto a sheet of its own, or renew it there; from then on each phase renews it.

    `shapes`: colour the shapes of the club's own map instead, now and with each phase. `undo` takes either away.
    Result data: ``shapes``: how many there are.
    """
    try:
        sitting = sit(at, lang)
        stop_on_data(sitting)
        book = sitting.book
        if not isinstance(book, FileBook):
            raise Stop(Exit.REFUSED, later(sitting), sitting.lang, sitting.wording)
        with at_work(sitting, MAP) as session:
            desk = sitting.campaign.desk
            with Change(session, [Stage(MAP, desk.turn, desk.phase)]):
                count = book.draw(sitting.campaign, shapes=shapes)
    except Stop as stopped:
        return stopped.result(MAP)
    words = sitting.wording
    result = Result(MAP, findings=[*sitting.second_copies, *book.asides], wording=words)
    result.data["shapes"] = count
    if shapes and count:
        result.say(words.plural(N_("{n} shape bears the code of a place: it has its owner's colour now, and its walls"
                                   " as border."), N_("{n} shapes bear the code of a place: they have their owners'"
                                                      " colours now, and their walls as borders."), count))
    elif shapes:
        result.say(words.text(N_("No shape bears the code of a place as its name or alternative text.")))
        result.exit = Exit.REFUSED
    elif shows_map(sitting.on_disk()):
        result.say(words.text(N_("The map is on its sheet in {file}; each phase renews it."), file=sitting.path.name))
    else:
        result.exit = Exit.REFUSED
    return result
