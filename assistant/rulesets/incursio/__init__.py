"""Incursio, campaign mode "Beginning": ordered garrisons against demons from portals, day by day."""

from pathlib import Path

from assistant.turn.orders.words import WordFile
from assistant.turn.texts import Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
VOCABULARY = WordFile(Path(__file__).with_name("words.toml"))
"""What people say in sentences for the verbs and the things."""

ESDEF, VARANNAH = BOTH = "esdef", "varannah"
"""The codes of the two factions: the defenders and the raiders."""
