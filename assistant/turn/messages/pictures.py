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
    Message("ARB-464", "info", "The workbook is open, so its map is the one of before; it follows once the workbook is"
            " closed, with the next command that changes it, for example: arbitro map {book} {option}"),
    Message("ARB-465", "warning", "The sheet {sheet} holds something of your own beside the map, so it stays, and each"
            " phase renews the map. To have it no more, delete the map, or the whole sheet, in the workbook."),
    Message("ARB-466", "warning", "The shapes keep the colours that they had last; no phase changes them any more. Give"
            " them others in the workbook where you want that."),
    Message("ARB-467", "warning", "The workbook is open, so its map stays as it is. To have none any more delete its"
            " sheet; to have one close the workbook and type: arbitro map {book} --sheet"),
    Message("ARB-468", "warning", "On the map many people cannot tell the colour of {faction:the} ({seen}) from that of"
            " land that nobody holds. The nearest that all can tell: {good}."),
)
