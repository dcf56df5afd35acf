"""Phases 5 to 8: the will to fight, the calendar, reinforcements, random events."""
