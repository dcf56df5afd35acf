"""The Fantasy Warriors campaign: Forces on a map of squares, and their will to fight."""

from assistant.turn.texts import Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
