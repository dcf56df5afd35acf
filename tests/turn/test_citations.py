"""What is shown for what an event rests on."""

from __future__ import annotations

import pytest

from assistant.turn.findings import Citation, citations_by_key, cited_keys, printed_chapters

BOOK = citations_by_key((
    Citation("3c", "3c", heading="3c Engagement"),
    Citation("t34", "Table 34", "Tabella 34", "Table 34: meetings", 12),
    Citation("auto", "3c, Arbitro's rule", "3c, regola di Arbitro", "Battles that are not played", was=("8.5",)),
))


@pytest.mark.parametrize(("rule", "english", "italian"), [
    ("3c", "3c", "3c"),
    ("3c t34", "3c, Table 34", "3c, Tabella 34"),
    ("t34, 3c", "Table 34, 3c", "Tabella 34, 3c"),
    ("3c, 3c", "3c", "3c"),
    ("", "", ""),
])
def test_a_reader_is_shown_the_printed_chapters(rule: str, english: str, italian: str) -> None:
    """One or several keys, in the language of the page, each chapter once."""
    assert (printed_chapters(rule, BOOK, "en"), printed_chapters(rule, BOOK, "it")) == (english, italian)


def test_what_is_not_declared_is_shown_as_it_stands() -> None:
    """The desk's own events cite no book, and a plug-in need not declare anything."""
    assert printed_chapters("Arbitro", BOOK, "it") == "Arbitro"
    assert printed_chapters("3c, page 7", BOOK, "en") == "3c, page 7"
    assert printed_chapters("chapter 2 and 3", {}, "en") == "chapter 2 and 3"


def test_events_of_an_older_version_are_shown_by_the_book_too() -> None:
    """A campaign begun before a key was changed keeps its events; no club reads the old key."""
    assert printed_chapters("8.5", BOOK, "it") == "3c, regola di Arbitro"


def test_a_heading_is_linked_as_pages_link_it() -> None:
    """Small letters, hyphens for blanks, no points and colons."""
    assert BOOK["t34"].anchor == "table-34-meetings"
    assert Citation("15.5", "15.5", heading="15.5 Refusing battle").anchor == "155-refusing-battle"


@pytest.mark.parametrize("keys", [("3c", "3c"), ("3 c",), ("3,c",), ("",)])
def test_a_key_is_one_word_and_declared_once(keys: tuple[str, ...]) -> None:
    """Otherwise nobody could tell what is cited."""
    with pytest.raises(ValueError, match="citation"):
        citations_by_key(Citation(key, key) for key in keys)


def test_keys_stand_between_blanks_and_commas() -> None:
    """Both are used."""
    assert cited_keys("2b t32, Amendments") == ("2b", "t32", "Amendments")
