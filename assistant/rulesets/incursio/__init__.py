"""Incursio, campaign mode "Beginning": ordered garrisons against demons from portals, day by day."""

from assistant.turn.texts import Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
