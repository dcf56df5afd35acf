"""Bloodlust nations: nine nations of Tanaephis, four seasons a year."""

from functools import partial
from pathlib import Path

from assistant.turn.dice import RollKinds
from assistant.turn.findings import Citation
from assistant.turn.orders.words import WordFile
from assistant.turn.texts import Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
ROLLS = RollKinds()
"""What dice are thrown for, declared beside the rules that throw them."""
counted = partial(ROLLS.purpose, dice="2d6", faces=True)
"""Dice of which the book counts each that succeeds (rulebook: Words)."""
VOCABULARY = WordFile(Path(__file__).with_name("words.toml"))
"""What people say in sentences for the verbs and the things."""
SEASON_NAMES = {"Sp": ("Spring", "primavera"), "Su": ("Summer", "estate"), "Fa": ("Fall", "autunno"),
                "Wi": ("Winter", "inverno")}
TURN_SEQUENCE = both("Turn sequence", "Sequenza del turno")
MISSING_PAGES = both("Missing pages", "Pagine mancanti")
"""Headings of what is cited by a bullet or a page."""


def sequence(bullet: str) -> Citation:
    """A season and bullet of the turn sequence, such as TS-Sp1: *turn sequence, Spring 1*."""
    named, number = SEASON_NAMES[bullet[3:5]], bullet[5:]
    return Citation(bullet, f"turn sequence, {named[0]} {number}", f"sequenza del turno, {named[1]} {number}",
                    heading=TURN_SEQUENCE)


def page(number: str) -> Citation:
    """A page that the seed only points at, such as p58: *page 58*."""
    return Citation(number, f"page {number[1:]}", f"pagina {number[1:]}", heading=MISSING_PAGES)
