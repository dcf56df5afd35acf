"""Summer, round by round: the order of movement, marches, fleets, meetings, sieges (3a to 3d)."""
