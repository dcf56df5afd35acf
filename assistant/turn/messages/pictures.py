"""What is said of pictures (ARB-460 to 469): colours of factions, the sheet of the map, what could not be drawn."""

from __future__ import annotations

from assistant.turn.findings import Message

PICTURES = (
    Message("ARB-460", "warning", "On the map many people cannot tell the colour of {faction:the} ({seen}) from that of"
            " {other:the} ({theirs}). The nearest that all can tell: {good}."),
    Message("ARB-461", "warning", "No map or chart was drawn, because the library {library} is not installed."
            " Everything else was done. To have pictures: pip install {library}"),
    Message("ARB-462", "info", "The map was drawn without the areas of realms, because the library {library} is not"
            " installed. To have them: pip install {library}"),
    Message("ARB-463", "info", "On the map these names found no room, and their codes stand there instead: {list}."),
    Message("ARB-464", "info", "The workbook is open, so its map is the one of before; it follows with the next command"
            " that is typed while it is closed, for example: arbitro map {book} --sheet"),
)
