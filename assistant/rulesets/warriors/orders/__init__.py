"""The orders of the Fantasy Warriors campaign: how rows and lines are read, judged and counted."""
