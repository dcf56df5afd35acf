"""Incursio, campaign mode "Beginning": ordered garrisons against demons from portals, day by day."""
