"""What is said of a scenario's background for its map (ARB-470)."""

from __future__ import annotations

from assistant.turn.findings import Message

BACKGROUNDS = (
    Message("ARB-470", "warning", "The background {file} is left out of the map: {why}. Everything else was done."),
)
