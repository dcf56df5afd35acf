"""The map in a workbook: our own sheet with a picture, or a club's own shapes, coloured. Loaded when a book has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.on_demand import on_demand, rooms_of

ROOM_OF = rooms_of({
    "map_sheet": "Renewed put_map renew_map whose_map with_map with_no_room",
    "own_shapes": "colour_shapes renew_shapes",
    "shown_maps": "Shows cannot_show show shows_of",
})

if TYPE_CHECKING:
    from assistant.workbook.maps.map_sheet import Renewed, put_map, renew_map, whose_map, with_map, with_no_room
    from assistant.workbook.maps.own_shapes import colour_shapes, renew_shapes
    from assistant.workbook.maps.shown_maps import Shows, cannot_show, show, shows_of

    __all__ = ["Renewed", "Shows", "cannot_show", "colour_shapes", "put_map", "renew_map", "renew_shapes", "show",
               "shows_of", "whose_map", "with_map", "with_no_room"]
else:
    __getattr__ = on_demand(__name__, ROOM_OF)
