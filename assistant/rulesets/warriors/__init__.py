"""The Fantasy Warriors campaign: Forces on a map of squares, and their will to fight."""

from collections.abc import Mapping
from pathlib import Path

from assistant.turn.chapters import Sentences
from assistant.turn.orders.words import WordFile
from assistant.turn.texts import Meaning, Translations

both = Translations()
"""With it each text of the book is declared in English and Italian ..."""
words = Sentences(both)
event, error, warning, number, switch = words.event, words.error, words.warning, words.number, words.switch
"""... and with these what chapters declare."""
VOCABULARY = WordFile(Path(__file__).with_name("words.toml"))
"""What people say in sentences for the verbs and the things."""

WHY: Mapping[str, Meaning] = {"why": "word"}
"""Parameters that stand for a reason ..."""
TO: Mapping[str, Meaning] = {"to": "place"}
"""... for the square to which somebody goes ..."""
WAY: Mapping[str, Meaning] = {"a": "place", "b": "place"}
"""... and for two squares between which there is a way."""
NO_MORE = "{army} of {faction:the} is no more: {why}.", "{army} {faction:di}: la Forza non c'è più, {why}."
"""What is told of a Force that is destroyed, whatever the reason."""
