"""The orders of Incursio: how lines are read, judged and taken."""
