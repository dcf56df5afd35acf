"""Bloodlust nations: nine nations of Tanaephis, four seasons a year."""

from assistant.turn.texts import Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
