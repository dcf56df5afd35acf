"""Battles: forms, fates, retreats, recovery, loot, what is taken."""
