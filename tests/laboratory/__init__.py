"""The laboratory: campaigns of robots, through a tiny rulebook that is played in milliseconds, and the real ones."""
