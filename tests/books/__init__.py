"""A corpus of club workbooks with everything that clubs put into them, and the oracles that watch over it."""
