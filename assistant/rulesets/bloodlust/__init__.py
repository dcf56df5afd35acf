"""Bloodlust nations: nine nations of Tanaephis, four seasons a year."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from assistant.turn.chapters import number, switch
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


# With what chapters declare their numbers.


COUNTED_IN = tuple(both(unit, italian) for unit, italian in (
    ("rolls", "tiri"), ("resources", "risorse"), ("1d6", "1d6"), ("quarters", "quarti"), ("provinces", "province"),
    ("WR", "WR"), ("2d6", "2d6"), ("successes", "successi"), ("x reputation", "x reputazione"), ("rating", "valore"),
    ("morale", "morale"), ("die", "dado"), ("battles", "battaglie"), ("points", "punti")))
"""What numbers of several chapters are counted in; each names it by its English word."""


assumed, derived = partial(number, tag="ASSUMED"), partial(number, tag="DERIVED")
"""A number that is ours, and one that follows from the book."""
added = partial(number, minimum=-9)
"""A modifier, which may be negative."""


def choice(meaning: str, words: Mapping[str, tuple[str, str]] | None = None, *, source: str = "", usual: bool = False,
           **options: tuple[str, str]) -> Any:
    """Declare a switch: each option with its words in English and Italian, the default first. `words`: the same, for
    options that are no names.
    """
    pairs = {**(words or {}), **options}
    return switch(meaning, *(both(*pair) for pair in pairs.values()), source=source, options=tuple(pairs), usual=usual)


by_unit_or_army = partial(choice, unit=("unit", "reparto"), army=("army", "armata"))
"""A switch that says whether each unit is tested by itself or each army at once."""


def counting(where: str, dove: str, unit: str = "successes", tag: str = "FOUND") -> Callable[..., int]:
    """How the modifiers of a test are declared: each says what counts, and here it is said once in what."""
    def declare(default: int, what: str, cosa: str, source: str = "") -> int:
        meaning = both(f"{what} {{signed}} {where}.", f"{cosa} {{signed}} {dove}.")
        return added(default, unit, meaning, tag, source=source)
    return declare
