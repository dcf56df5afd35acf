"""What the factions, places and other named rows of a campaign are called in a language: a campaign in; `Names` out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Node
from assistant.speech.languages import LANGUAGES
from assistant.speech.name import Name
from assistant.turn.texts import Meaning

NOTHING: Mapping[str, Called] = MappingProxyType({})


class Called(NamedTuple):
    """What one row is called, and what it says of its name (see the columns). `mark`: shown behind the name."""

    text: str
    mark: str = ""
    article: str = ""
    gender: str = ""
    plural: str = ""

    @property
    def shown(self) -> str:
        """The name as a table has it."""
        return self.text + self.mark


class Names:
    """What a reader calls the codes of factions, places and whatever else has a name.

    `towns`: gives the names of places, folded, by which a faction that is called as a city is known.
    """

    def __init__(self, lang: str, factions: Mapping[str, Called] = NOTHING, places: Mapping[str, Called] = NOTHING,
                 pieces: Mapping[str, Called] = NOTHING, towns: Callable[[], Iterable[str]] = frozenset) -> None:
        self._language = LANGUAGES.get(lang, LANGUAGES["en"])
        self._factions, self._places = factions, places
        self._of: Mapping[Meaning, tuple[Mapping[str, Called], ...]] = {
            "faction": (factions,), "place": (places, pieces), "piece": (pieces,), "any": (factions, places, pieces)}
        self._towns = towns
        self._folded: frozenset[str] | None = None
        self._names: dict[tuple[str, Meaning], Name | None] = {}

    @classmethod
    def plain(cls, lang: str, names: Mapping[str, str]) -> Names:
        """Names of codes of which is not known what they stand for."""
        known = {code: Called(name) for code, name in names.items()}
        return cls(lang, known, known, known)

    def called(self, code: str, meaning: Meaning = "any") -> Called | None:
        """What a code is called where it means that; None where nothing has a name."""
        for known in self._of.get(meaning, ()):
            if code in known:
                return known[code]
        return None

    def text(self, code: str, meaning: Meaning = "any") -> str:
        """The name of a code, or the code."""
        found = self.called(code, meaning)
        return found.shown if found else code

    def name(self, code: str, meaning: Meaning = "any") -> Name | None:
        """The name of a code with its article, gender and number; None where it has none."""
        key = (code, meaning)
        if key not in self._names:
            said = self.called(code, meaning)
            self._names[key] = said and self._language.named(
                said.text, said.article, said.gender, said.plural, said.mark, self._known_towns(),
                place=meaning == "place" or (meaning == "any" and code in self._places and code not in self._factions))
        return self._names[key]

    def _known_towns(self) -> frozenset[str]:
        if self._folded is None:
            self._folded = frozenset(one.casefold() for one in self._towns())
        return self._folded


def factions_of(campaign: Campaign, lang: str) -> Names:
    """The names of the factions alone: places go by their codes, as on the sheets."""
    return Names(lang, _factions(campaign, lang), towns=lambda: _towns(campaign, lang))


def names_of(campaign: Campaign, lang: str, named: Iterable[str], coded: Iterable[str] = ()) -> Names:
    """The names of factions, of places with their codes, and of the rows of other sheets that are known by names
    (`named`) or by names and codes (`coded`); what has no name there, such as a battle, goes by that of its place.
    """
    places = {n.node: Called(n.called(lang), f" ({n.node})", n.article, n.gender, n.plural)
              for _, n in campaign.table(Node).raw_rows() if n.called(lang) not in ("", n.node)}
    pieces = {key: Called(name) for sheet in named if sheet != Node.sheet
              for key, row in campaign.by_sheet(sheet).raw_rows() if (name := _name_in(row, lang))}
    for sheet in coded:
        pieces |= {key: called for key, row in campaign.by_sheet(sheet).raw_rows()
                   if (called := _coded(key, row, places, lang))}
    return Names(lang, _factions(campaign, lang), places, pieces, lambda: _towns(campaign, lang))


def _name_in(row: Any, lang: str) -> str:
    """What a row is called: in a language, where it has a name in each (`called`), or by its one name."""
    return str(row.called(lang) if hasattr(row, "called") else row.name)


def _coded(key: str, row: Any, places: Mapping[str, Called], lang: str) -> Called | None:
    """The name of a row, or of the place where it is, with its own code behind it."""
    name, place = _name_in(row, lang) if hasattr(row, "name") else "", places.get(getattr(row, "node", ""))
    if name and name != key:
        return Called(name, f" ({key})")
    return place._replace(mark=f" ({key})") if place is not None and not hasattr(row, "name") else None


def _factions(campaign: Campaign, lang: str) -> dict[str, Called]:
    return {key: Called(f.name(lang), "", f.article, f.gender, f.plural)
            for key, f in campaign.table(Faction).raw_rows()}


def _towns(campaign: Campaign, lang: str) -> Iterable[str]:
    return [name for _, n in campaign.table(Node).raw_rows() for name in (n.called(lang), n.name) if name]
