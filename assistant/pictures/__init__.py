"""Maps and charts of a campaign, as SVG and PNG, drawn from one reader's view.

This package reads no ruleset and no file. Its names are loaded on first use, so importing it needs no picture library.
"""

from typing import TYPE_CHECKING

from assistant.environment import lazy_attributes

if TYPE_CHECKING:
    from assistant.pictures.charts import PastView as PastView
    from assistant.pictures.charts import PublicFigures as PublicFigures
    from assistant.pictures.charts import chart_in_words as chart_in_words
    from assistant.pictures.charts import chart_svg as chart_svg
    from assistant.pictures.charts import history_chart as history_chart
    from assistant.pictures.charts import pick_moments as pick_moments
    from assistant.pictures.charts import public_figures as public_figures
    from assistant.pictures.colours import faction_colours as faction_colours
    from assistant.pictures.map_scene import close_up_of as close_up_of
    from assistant.pictures.map_scene import place_looks as place_looks
    from assistant.pictures.map_scene import scene_of as scene_of
    from assistant.pictures.render import DrawnPicture as DrawnPicture
    from assistant.pictures.render import PictureRequest as PictureRequest
    from assistant.pictures.render import draw_all as draw_all
    from assistant.pictures.render import read_note as read_note
    from assistant.pictures.render import render_sketch as render_sketch
    from assistant.pictures.render import sketch_map as sketch_map

if not TYPE_CHECKING:  # the type checker has the imports above
    __getattr__ = lazy_attributes(__name__, __file__)
