"""Files of words: what stands in them, what they take over, and what is said of one that is broken."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from assistant.turn.orders.requests import role
from assistant.turn.orders.verbs import OrderBook, as_order_book, order, order_book
from assistant.turn.orders.words import LISTS, SHARED, BrokenWords, WordFile, WordLists
from assistant.turn.rulebooks import load

BOOKS = ("anarchy", "bloodlust", "giglio", "incursio", "warriors")
SALT = """
[groups.salt]
en = ["salt", "sack"]
it = ["sale"]

[groups.places]
en = ["pit", "cave"]

[verbs.bury]
as = ["salt", "leave"]
but = ["drop off"]
en = ["hide", "salt"]
it = ["nascondere"]
apart = [["salt", "places"]]

[places]
Genova = ["Genoa", "Genua"]
"""


def file(folder: Path, text: str | bytes) -> WordFile:
    """A file of words with a text."""
    path = folder / "words.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return WordFile(path)


def test_an_entry_has_its_own_words_and_those_that_it_takes_over(tmp_path: Path) -> None:
    """Groups of its own file and of the floor's, without what is left out, each word once, and pairs with a gap."""
    words = file(tmp_path, SALT)
    assert words["verbs"]["bury"] == (
        "salt", "sack", "sale", "leave", "leave behind", "leave ... behind", "lasciare", "lasciare indietro",
        "lasciare ... indietro", "hide", "nascondere",
        "salt ... pit", "salt ... cave", "sack ... pit", "sack ... cave", "sale ... pit", "sale ... cave")
    assert words["places"]["Genova"] == ("Genoa", "Genua")
    assert list(words.group("places")) == ["pit", "cave"]
    assert "bury" in words["verbs"]
    assert words["verbs"].get("dig", ()) == ()


def test_a_file_is_read_when_somebody_looks(tmp_path: Path) -> None:
    """A rulebook may declare it before it is there, so that no command reads what it does not need."""
    like = WordFile(tmp_path / "words.toml")["verbs"]
    book = OrderBook((), like=like)
    file(tmp_path, SALT)
    assert list(book.like) == ["bury"]


@pytest.mark.parametrize(("text", "line", "why"), [
    ('[verbs.a]\nen = ["go\n', 2, "Illegal character"),
    ('[verbs.a]\nen = ["go"]\n[verbs.a]\n', 3, "Cannot declare"),
    ('en = ["go"]\n', 1, "en is no table of entries"),
    ('[verbs.a]\nde = ["gehen"]\n', 2, "'de' is none of"),
    ('[verbs.a]\nen = "go"\n', 2, "'en' is no list"),
    ('[verbs]\na = "go"\n', 2, "'en' is no list"),
    ('[verbs.a]\nit = ["va"]\nen = ["go", 3]\n', 3, "3 is no word"),
    ('[verbs.a]\nen = [" "]\n', 2, "' ' is no word"),
    ('[verbs.a]\nen = ["go"]\n\n[verbs.b]\nas = ["nothing"]\n', 5, "there is no group nothing"),
    ('[verbs.a]\nas = ["put"]\nbut = ["dig"]\n', 3, "no group of 'as' has the word 'dig'"),
    ('[verbs.a]\napart = [["put"]]\n', 2, "is no pair of groups"),
    ('[verbs.a]\nen = [["put", "go"]]\n', 2, "is no word"),
    ('[groups.a]\nas = ["b"]\n[groups.b]\nas = ["a"]\n', 2, "takes itself over"),
])
def test_a_broken_file_names_its_line(text: str, line: int, why: str, tmp_path: Path) -> None:
    """File, line, and what is wrong there."""
    words = file(tmp_path, text)
    with pytest.raises(BrokenWords, match=re.escape(why)) as broken:
        dict(words["verbs"])
    assert str(broken.value).startswith(f"{words.path}, line {line}: ")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """As when a package leaves it out."""
    with pytest.raises(BrokenWords, match=re.escape(f"{tmp_path / 'words.toml'}: there is no such file")):
        dict(WordFile(tmp_path / "words.toml")["verbs"])


def test_an_entry_knows_its_line(tmp_path: Path) -> None:
    """Also one that is a plain list."""
    words = file(tmp_path, SALT)
    assert [words["verbs"].line("bury"), words["places"].line("Genova")] == [9, 17]


def test_a_file_that_is_no_text_names_its_line(tmp_path: Path) -> None:
    """As some editors of old write them."""
    with pytest.raises(BrokenWords, match="line 2: not UTF-8"):
        dict(file(tmp_path, b'[verbs.a]\nit = ["citt\xe0"]\n')["verbs"])


def test_a_word_of_a_file_may_not_only_deny(tmp_path: Path) -> None:
    """As in a mapping, but it is seen where the file is read."""
    @order("dig", "scava", when=("day",))
    def dig() -> None:
        """Dig."""

    words = file(tmp_path, '[verbs.dig]\nen = ["not"]\n')
    book = order_book(dig, says={"unknown_verb": role("SAL-001")}, like=words["verbs"])
    with pytest.raises(ValueError, match="dig: not may only stand in a phrase"):
        _ = book.phrases


@pytest.mark.parametrize("book", BOOKS)
def test_every_entry_is_for_a_verb_of_its_book(book: str) -> None:
    """Else its words would be in vain."""
    verbs = load(book).verbs
    assert set(as_order_book(verbs).like) <= set(verbs)


@pytest.mark.parametrize("book", ["", *BOOKS])
def test_no_word_stands_twice_in_a_list(book: str) -> None:
    """Nor in the list of the other language."""
    words = import_module(f"assistant.rulesets.{book}").VOCABULARY if book else SHARED
    twice = []
    for table, entries in words._written.items():
        for entry, listed in entries.items():
            own = [*listed.get("en", ()), *listed.get("it", ())] if isinstance(listed, dict) else listed
            twice += [(table, entry, word) for word in sorted({word for word in own if own.count(word) > 1})]
    assert twice == []


def test_the_floor_s_file_has_every_list_that_the_reader_asks_for() -> None:
    """And none of them is empty."""
    assert [name for name in vars(WordLists) if not name.startswith("__") and not getattr(LISTS, name)] == []
