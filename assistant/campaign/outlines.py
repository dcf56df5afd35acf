"""What lies below the places of a map: coasts, rivers, names as a record, and their points as text and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.campaign.columns import Choice, Ref, Text, Whole
from assistant.campaign.record import Record
from assistant.campaign.usual import given

GROUNDS = {"land": "terra", "sea": "mare", "lake": "lago", "river": "fiume", "mountains": "monti", "name": "nome",
           "region": "regione"}
MOST_POINTS = 20_000
"""More points than any map of a club's needs, over all outlines."""
_NUMBER = r"-?\d{1,6}(?:\.\d{1,3})?"
_POINT = re.compile(rf"({_NUMBER}),({_NUMBER})")


@dataclass
class Outline(Record, sheet="Outlines", sheet_it="Contorni", quiet=True):
    """A line or an area of the map, or a part of a long one; a sheet that is only there once it is used."""

    about_en = "What the map shows below its places: coasts, rivers, names of seas, borders of regions."
    about_it = "Che cosa mostra la mappa sotto i luoghi: coste, fiumi, nomi di mari, confini di regioni."

    outline: str = given(Text(), "Outline", "Contorno", key=True, required=True, width=16)
    piece: int = given(Whole(1), "Part", "Parte", key=True, default=1,
                      hint=("of a line too long for one cell", "di una linea troppo lunga per una cella"))
    kind: str = given(Choice(GROUNDS), "Kind", "Tipo", default="land")
    name: str = given(Text(), "Name", "Nome", width=18)
    name_it: str = given(Text(), "Name (Italian)", "Nome italiano", width=18)
    owner: str = given(Ref("Factions", blank=True), "Owner", "Di chi", hint=("of a region", "di una regione"))
    points: str = given(Text(), "Points", "Punti", width=60,
                        hint=("x,y x,y ... in the units of Nodes", "x,y x,y ... nelle unità dei Nodi"))
    place: str = given(Ref("Nodes", blank=True), "Of place", "Del luogo", width=10,
                       hint=("of a region: whoever holds the place has it", "di una regione: è di chi tiene il luogo"))

    def called(self, lang: str) -> str:
        """The name in a language."""
        return (self.name_it if lang == "it" else self.name) or self.name or self.name_it


def points_of(text: str) -> tuple[tuple[float, float], ...] | None:
    """``10,20 30,40`` as points; None for a text that says something else."""
    words = text.replace(";", " ").split()
    matches = [match for word in words[:MOST_POINTS] if (match := _POINT.fullmatch(word))]
    return tuple((float(x), float(y)) for x, y in (match.groups() for match in matches)) \
        if len(matches) == len(words) else None


def text_of(points: Iterable[tuple[float, float]]) -> str:
    """Points as the sheet has them, in whole units."""
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in points)


def with_outlines(records: tuple[type[Record], ...]) -> tuple[type[Record], ...]:
    """The sheets of a ruleset, with that of outlines last, where it does not have one already."""
    return records if any(one.sheet == Outline.sheet for one in records) else (*records, Outline)
