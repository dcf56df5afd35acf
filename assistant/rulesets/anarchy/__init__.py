"""The Anarchy: groups of knights on a hex map, loyalty, and marches that encounters interrupt."""

from assistant.turn.texts import Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
