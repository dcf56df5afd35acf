"""The Fantasy Warriors campaign: Forces on a map of squares, and their will to fight."""

from collections.abc import Mapping
from functools import partialmethod
from pathlib import Path

from assistant.turn.chapters import DICE, Sentences
from assistant.turn.dice import RollKinds
from assistant.turn.orders.words import WordFile
from assistant.turn.texts import Meaning, Translations


class Book(Sentences):
    """Declares what chapters hold, each with its words in both languages."""

    def dice_choice(self, english: str, italian: str) -> str:
        """Dice that a campaign may change."""
        dice: str = self.switch(english, italian, options=("1d6",), pattern=DICE)
        return dice

    def threshold(self, default: int, english: str, italian: str, tag: str = "FOUND") -> int:
        """What the total of a throw must reach."""
        return self.number(default, "total", english, italian, tag, -9)

    def bonus(self, unit: str, what: str, what_it: str, default: int, when: str, when_it: str, tag: str = "FOUND", *,
              source: str = "") -> int:
        """A modifier: when it counts, and to what."""
        return self.number(default, unit, f"{when}: {{signed}} {what}.", f"{when_it}: {{signed}} {what_it}.", tag, -9,
                           source=source)

    to_die = partialmethod(bonus, "to die", "to the die", "al dado")
    to_will = partialmethod(bonus, "to die", "to the will", "alla volontà")
    to_exploration = partialmethod(bonus, "to total", "to exploration", "all'esplorazione")
    to_force_test = partialmethod(bonus, "to total", "to the Force test", "al test della Forza")
    to_next_test = partialmethod(bonus, "to total", "to the next Force test", "al prossimo test della Forza")


both = Translations()
"""With it each text of the book is declared in English and Italian."""
book = Book(both)
UNITS = (both("total", "totale"), both("to total", "al totale"), both("to die", "al dado"),
         both("squares", "quadrati"), both("difference", "differenza"), both("points", "punti"), both("turns", "turni"))
"""What numbers count."""
ROLLS = RollKinds()
"""The kinds of throw by their word; each purpose is declared in the chapter that throws for it."""
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
