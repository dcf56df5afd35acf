"""What Il Giglio's events, phases and numbers cite: key, printed chapter, heading of docs/rulebooks/giglio.md.

The book is printed without page numbers that we know of; its unnumbered parts go by a word.
"""

from __future__ import annotations

from assistant.turn.citations import Citation, citations

OURS, OURS_IT = "Arbitro's rule", "regola di Arbitro"


def _table(number: int, about: str) -> Citation:
    return Citation(f"t{number}", f"Table {number}", f"Tabella {number}", f"Table {number}: {about}")


CITATIONS = citations((
    Citation("2", "2", heading="2 Spring"),
    Citation("2a", "2a", heading="2a Income"),
    _table(29, "taxes"),
    Citation("2b", "2b", heading="2b Recruiting"),
    _table(32, "fortifications"),
    _table(33, "specialists"),
    Citation("3a", "3a", heading="3a Epidemics"),
    Citation("3b", "3b", heading="3b Movement"),
    Citation("3c", "3c", heading="3c Engagement"),
    _table(34, "meetings"),
    Citation("3d", "3d", heading="3d Sieges"),
    _table(35, "sieges"),
    Citation("4", "4", heading="4 Winter"),
    _table(36, "events"),
    Citation("alliances", "alliances", "alleanze", "Alliances"),
    Citation("fleets", "fleets", "flotte", "Fleets"),
    Citation("objectives", "objectives", "obiettivi", "Objectives"),
    Citation("Armati", "Armati", heading="Armati"),
    Citation("note1", "note 1", "nota 1", "Closing notes"),
    Citation("border", "note on borders", "nota sui confini", "Border"),
    Citation("April", "note on April", "nota su aprile", "April"),
    Citation("Amendments", "Amendments", "Emendamenti", "Amendments"),
    # what this book does not print; where a chapter needs it, that chapter
    Citation("auto", f"3c, {OURS}", f"3c, {OURS_IT}", "Battles that are not played", was=("8.5",)),
    Citation("rearguard", f"3c, {OURS}", f"3c, {OURS_IT}", "Rearguard actions"),
    Citation("parent", "parent rules", "regolamento d'origine", "Companies"),
    Citation("start", OURS, OURS_IT, "The start"),
))
"""All of them by key, in the order of the book."""
