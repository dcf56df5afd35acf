"""Maps and charts of a campaign, as SVG and PNG, drawn from one reader's view.

This package reads no ruleset and no file. Its names are loaded on first use, so importing it needs no picture library.
"""

from typing import TYPE_CHECKING

from assistant.environment import on_demand, rooms_of

if TYPE_CHECKING:
    from assistant.pictures.charts import Counted as Counted
    from assistant.pictures.charts import Then as Then
    from assistant.pictures.charts import chart_svg as chart_svg
    from assistant.pictures.charts import counted as counted
    from assistant.pictures.charts import course as course
    from assistant.pictures.charts import in_words as in_words
    from assistant.pictures.charts import thinned as thinned
    from assistant.pictures.map_scene import near as near
    from assistant.pictures.map_scene import scene_of as scene_of
    from assistant.pictures.render import MissingLibrary as MissingLibrary
    from assistant.pictures.render import Note as Note
    from assistant.pictures.render import Picture as Picture
    from assistant.pictures.render import Wanted as Wanted
    from assistant.pictures.render import draw_all as draw_all
    from assistant.pictures.render import note_in as note_in
    from assistant.pictures.render import printed as printed
    from assistant.pictures.render import sketch as sketch

ROOM_OF = rooms_of({
    "charts": "Counted Then chart_svg counted course in_words thinned",
    "map_scene": "near scene_of",
    "render": "MissingLibrary Note Picture Wanted draw_all note_in printed sketch",
})

if not TYPE_CHECKING:  # the type checker has the imports above
    __getattr__ = on_demand(__name__, ROOM_OF)
