"""What is said of pictures (ARB-460 to 469): colours of factions, the sheet of the map, what could not be drawn."""

from __future__ import annotations

from assistant.turn.findings import Message

PICTURES = (
    Message("ARB-460", "warning", "On the map many people cannot tell the colour of {faction:the} ({seen}) from that of"
            " {other:the} ({theirs}). The nearest that all can tell: {good}."),
)
