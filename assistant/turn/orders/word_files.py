"""Files of words (TOML): by what else people say a verb or a thing, in lists that anybody can proofread and extend.

A file has tables of entries, each of which lists words and phrases, by language or together::

    [groups.money]                        # a list that others take over with `as`
    en = ["gold", "coin"]
    it = ["oro", "moneta"]

    [verbs.bury]
    as = ["money", "put"]                 # groups of this file, or of the floor's own (`words.toml` beside this module)
    but = ["drop"]                        # words of those groups that are left out
    en = ["hide", "hide the salt"]
    it = ["nascondere"]
    apart = [["money", "holes"]]          # each word of a group ... each of another one, with others between them

    [places]
    Genova = ["Genoa"]                    # an entry of one list, in whatever language

Verbs may be in the infinitive or any form. The order of words makes no difference, nor does a word that stands twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, overload

_LANGUAGES = ("en", "it")
GROUPS = "groups"
"""The table whose entries others take over."""
APART = " ... "
"""What stands in a phrase for other words between its two parts: ``send ... home``."""
_KEYS = frozenset((*_LANGUAGES, "as", "but", "apart"))


class BrokenWords(ValueError):
    """A file of words that cannot be used; says which file, which line and why."""


class Words(Mapping[str, Sequence[str]]):
    """A table of a file: entry -> its words. The file is read as soon as somebody looks.

    Raises `BrokenWords`, where it is read, for a file that cannot be used.
    """

    def __init__(self, file: WordFile, table: str) -> None:
        self.file, self.table = file, table

    @property
    def _entries(self) -> Mapping[str, tuple[str, ...]]:
        if self.table not in self.file.tables:
            raise BrokenWords(f"{self.file.path}: there is no table {self.table}")
        return self.file.tables[self.table]

    def __getitem__(self, entry: str) -> tuple[str, ...]:
        return self._entries[entry]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def line(self, entry: str) -> int:
        """The line of the file in which an entry stands."""
        return self.file.line(self.table, entry)


class WordGroup(Sequence[str]):
    """The words of one entry of a table; the file is read as soon as somebody looks."""

    def __init__(self, words: Words, entry: str) -> None:
        self.words, self.entry = words, entry

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        return self.words[self.entry][at]

    def __len__(self) -> int:
        return len(self.words[self.entry])


class WordFile:
    """A file of words, which may take over groups of the floor's (`SHARED`). It is read when somebody looks."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __getitem__(self, table: str) -> Words:
        """A table, which is looked for when it is used."""
        return Words(self, table)

    def group(self, name: str) -> WordGroup:
        """A list that other entries take over, which is looked for when it is used."""
        return WordGroup(self[GROUPS], name)

    @cached_property
    def tables(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """All tables, read once. Raises `BrokenWords`."""
        return {table: {entry: self._words(table, entry) for entry in entries}
                for table, entries in self._written.items()}

    @cached_property
    def _text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8-sig")  # as an editor on Windows may write it
        except UnicodeDecodeError as fault:
            line = self.path.read_bytes()[:fault.start].count(b"\n") + 1
            raise BrokenWords(f"{self.path}, line {line}: not UTF-8") from fault
        except FileNotFoundError as fault:
            raise BrokenWords(f"{self.path}: there is no such file") from fault
        except OSError as fault:
            raise BrokenWords(f"{self.path}: {fault.strerror}") from fault

    @cached_property
    def _written(self) -> Mapping[str, Mapping[str, Any]]:
        """The tables as they are written, checked for their form."""
        import tomllib

        try:
            written = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as fault:  # whose message ends with line and column, or the end of the file
            at = re.search(r" \(at line (\d+), column \d+\)$", str(fault))
            line = int(at[1]) if at else self._text.count("\n") + 1
            raise BrokenWords(f"{self.path}, line {line}: {str(fault)[:at.start()] if at else fault}") from fault
        for table, entries in written.items():
            if not isinstance(entries, dict):
                raise self.broken(f"{table} is no table of entries", table)
            for entry, listed in entries.items():
                self._check(table, entry, listed)
        return written

    def _check(self, table: str, entry: str, listed: Any) -> None:
        lists = listed if isinstance(listed, dict) else {"en": listed}
        for key, words in lists.items():
            if key not in _KEYS:
                raise self.broken(f"'{key}' is none of {', '.join(sorted(_KEYS))}", table, entry, key)
            if not isinstance(words, list):
                raise self.broken(f"'{key}' is no list", table, entry, key)
            for word in words:
                pair = key == "apart" and isinstance(word, list) and len(word) == 2
                for part in word if pair else [word]:
                    if (key == "apart") is not pair or not isinstance(part, str) or not part.strip():
                        raise self.broken(f"{word!r} is no {'pair of groups' if key == 'apart' else 'word'}",
                                          table, entry, key)

    def _words(self, table: str, entry: str, within: tuple[str, ...] = ()) -> tuple[str, ...]:
        """The words of an entry, each once. `within`: the groups that are taking it over."""
        listed = self._written[table][entry]
        if not isinstance(listed, dict):
            return tuple(dict.fromkeys(listed))

        def taken(group: str) -> tuple[str, ...]:
            if group in within:
                raise self.broken(f"the group {group} takes itself over", table, entry, group)
            if group in self._written.get(GROUPS, ()):
                return self._words(GROUPS, group, (*within, group))
            if self is not SHARED and group in SHARED.tables[GROUPS]:
                return SHARED.tables[GROUPS][group]
            raise self.broken(f"there is no group {group}", table, entry, group)

        words = [word for group in listed.get("as", ()) for word in taken(group)]
        if unknown := [word for word in listed.get("but", ()) if word not in words]:
            raise self.broken(f"no group of 'as' has the word '{unknown[0]}'", table, entry, unknown[0])
        words = [word for word in words if word not in listed.get("but", ())]
        words += [word for lang in _LANGUAGES for word in listed.get(lang, ())]
        words += [first + APART + last for one, other in listed.get("apart", ()) for first in taken(one)
                  for last in taken(other)]
        return tuple(dict.fromkeys(words))

    def broken(self, why: str, table: str, entry: str = "", word: str = "") -> BrokenWords:
        """What is to be raised for a fault in an entry, with the line in which the entry, or a word of it, stands."""
        return BrokenWords(f"{self.path}, line {self.line(table, entry, word)}: {why}")

    def line(self, table: str, entry: str, word: str = "") -> int:
        """The line in which an entry stands, or a word of it; 1 for what stands nowhere."""
        name = rf"[\"']?{re.escape(entry)}[\"']?"
        head = rf"^\s*\[\s*{re.escape(table)}\s*\.\s*{name}\s*\]"
        inside = rf"^\s*\[\s*{re.escape(table)}\s*\](?:\n(?!\s*\[).*)*?\n\s*{name}\s*="
        found = re.search(head, self._text, re.M) or re.search(inside, self._text, re.M) or re.search(
            rf"^\s*\[?\s*{re.escape(table)}\b", self._text, re.M)
        if found is None:
            return 1
        end = found.end()
        rest = re.compile(r"^\s*\[[^\[\]\"',]+\]\s*(?:#.*)?$", re.M).search(self._text, end)
        at = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(
            self._text, end, rest.start() if rest else len(self._text)) if word else None
        return self._text.count("\n", 0, at.start() if at else end) + 1


SHARED = WordFile(Path(__file__).with_name("words.toml"))
"""The words that every book knows, and the groups that any other file may take over."""
