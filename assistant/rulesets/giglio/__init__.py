"""Il Giglio: five years of war in Italy around 1500."""

from collections.abc import Mapping
from pathlib import Path

from assistant.turn.orders.words import WordFile
from assistant.turn.texts import Meaning, Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
VOCABULARY = WordFile(Path(__file__).with_name("words.toml"))
"""What people say in sentences for the verbs and the things."""

PARTIES: Mapping[str, Meaning] = dict.fromkeys(("a", "b", "frm", "hand", "other"), "faction")
"""Parameters that stand for nations where two of them deal or fight with one another ..."""
WAY: Mapping[str, Meaning] = dict.fromkeys(("a", "b", "frm", "to"), "place")
"""... and for places where somebody goes from one to another."""
