"""The Anarchy: groups of knights on a hex map, loyalty, and marches that encounters interrupt."""

from collections.abc import Mapping
from pathlib import Path

from assistant.turn.chapters import Chapter, EventType, Message, QuestionType, Rules
from assistant.turn.findings import Citation
from assistant.turn.orders.words import WordFile
from assistant.turn.texts import Meaning, Translations

both = Translations()
"""With it each text of the book is declared in English and Italian."""
VOCABULARY = WordFile(Path(__file__).with_name("words.toml"))
"""What people say in sentences for the verbs and the things."""

NAMED: Mapping[str, Meaning] = dict.fromkeys(("a", "b", "c", "m", "x"), "piece")
"""Letters that stand for a group, a company, a convoy, a train, a noble or a place."""
BY_CODE: Mapping[str, Meaning] = {"b": "text", "battle": "text"}
"""A battle whose place is named beside it is shown by its code."""


def citation(heading: str, page: int) -> Citation:
    """A citation of a heading of the printed table of contents, and the page on which its chapter stands."""
    key = heading.partition(" ")[0]
    return Citation(key, key, heading=heading, page=page)


def chapter(title: str, page: int, numbers: type[Rules] = Rules, events: tuple[EventType, ...] = (),
            findings: tuple[Message, ...] = (), questions: tuple[QuestionType, ...] = (), *,
            cites: tuple[Citation, ...] = ()) -> Chapter:
    """A chapter that stands in the printed table of contents, on that page; `cites`: its parts that are cited besides.
    """
    return Chapter(title, (citation(title, page), *cites), numbers, events, findings, questions)
