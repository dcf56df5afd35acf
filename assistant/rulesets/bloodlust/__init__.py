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
HEADINGS = {
    "RT": both("Retreating", "Ritirata"), "AM": both("Ambush", "Imboscata"), "SK": both("Skills", "Abilità"),
    "DS": both("Diplomatic stance", "Atteggiamento diplomatico"), "FO": both("Foraging", "Foraggiamento"),
    "MA": both("Marshal Attribute", "Attributo del maresciallo"), "ST": both("Strength", "Punto di forza"),
    "WK": both("Weakness", "Debolezza"), "WP": both("Weapons", "Armi"),
    "TS": both("Turn sequence", "Sequenza del turno"), "p": both("Missing pages", "Pagine mancanti")}
"""Headings of what is cited and is no chapter: by initials, by a bullet of the turn sequence, by a page."""


def cites(*keys: str) -> tuple[Citation, ...]:
    """What a chapter rests on: parts of the book by their initials, such as MF, bullets of the turn sequence (TS-Sp1:
    *turn sequence, Spring 1*), and pages that the seed only points at (p58).
    """
    return tuple(map(_cite, keys))


def _cite(key: str) -> Citation:
    if key.startswith("TS-"):
        named, number = SEASON_NAMES[key[3:5]], key[5:]
        return Citation(key, f"turn sequence, {named[0]} {number}", f"sequenza del turno, {named[1]} {number}",
                        heading=HEADINGS["TS"])
    if key[1:].isdecimal():
        return Citation(key, f"page {key[1:]}", f"pagina {key[1:]}", heading=HEADINGS["p"])
    return Citation(key, key, heading=HEADINGS.get(key, ""))


# With what chapters declare their numbers.


COUNTED_IN = (
    both("rolls", "tiri"), both("resources", "risorse"), both("1d6", "1d6"), both("2d6", "2d6"), both("die", "dado"),
    both("quarters", "quarti"), both("provinces", "province"), both("WR", "WR"), both("successes", "successi"),
    both("x reputation", "x reputazione"), both("rating", "valore"), both("morale", "morale"),
    both("battles", "battaglie"), both("points", "punti"))
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
    named = [both.made(*pair) for pair in pairs.values()]
    return switch(meaning, *named, source=source, options=tuple(pairs), usual=usual)


unit_or_army = partial(choice, unit=("unit", "reparto"), army=("army", "armata"))
"""A switch that says whether each unit is tested by itself or each army at once."""


def counting(where: str = "", dove: str = "", unit: str = "successes", tag: str = "FOUND", source: str = ""
             ) -> Callable[..., int]:
    """How the modifiers of a test are declared: each says what counts, and here it is said once in what. Where the
    number stands elsewhere in its sentence it says all.
    """
    def sentence(what: str, where: str) -> str:
        return what + "." if "{signed}" in what else " ".join(filter(None, (what, "{signed}", where))) + "."

    def declare(default: int, what: str, cosa: str, source: str = source) -> int:
        return added(default, unit, both.made(sentence(what, where), sentence(cosa, dove)), tag, source=source)
    return declare
