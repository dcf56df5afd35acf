"""Pictures of a campaign, drawn from a view alone: maps and charts, as SVG and PNG. It knows no ruleset and no file.

Whoever may have to do without pictures takes a name from here, and nothing is loaded before it is used.
"""

from typing import TYPE_CHECKING

from assistant.on_demand import on_demand, rooms_of

if TYPE_CHECKING:
    from assistant.pictures.charting.charts import chart_svg as chart_svg
    from assistant.pictures.charting.tallies import Counted as Counted
    from assistant.pictures.charting.tallies import Then as Then
    from assistant.pictures.charting.tallies import counted as counted
    from assistant.pictures.charting.tallies import course as course
    from assistant.pictures.charting.tallies import in_words as in_words
    from assistant.pictures.charting.tallies import thinned as thinned
    from assistant.pictures.maps import near as near
    from assistant.pictures.maps import scene_of as scene_of
    from assistant.pictures.png import MissingLibrary as MissingLibrary
    from assistant.pictures.prints import Note as Note
    from assistant.pictures.prints import Picture as Picture
    from assistant.pictures.prints import Wanted as Wanted
    from assistant.pictures.prints import draw_all as draw_all
    from assistant.pictures.prints import note_in as note_in
    from assistant.pictures.prints import printed as printed
    from assistant.pictures.prints import sketch as sketch

ROOM_OF = rooms_of({
    "charting.charts": "chart_svg", "maps": "near scene_of", "png": "MissingLibrary",
    "prints": "Note Picture Wanted draw_all note_in printed sketch",
    "charting.tallies": "Counted Then counted course in_words thinned",
})

if not TYPE_CHECKING:  # the type checker has the imports above
    __getattr__ = on_demand(__name__, ROOM_OF)
