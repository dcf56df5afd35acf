"""What The Anarchy's events, phases and numbers cite: key, printed chapter and page, heading of the rulebook's page.

The page is docs/rulebooks/anarchy.md; the printed book's pages are those of its table of contents.
"""

from __future__ import annotations

from assistant.turn.citations import Citation, citations

_CHAPTERS = (
    ("1", 4, "1 The game"), ("2", 4, "2 The map"), ("2.1", 4, "2.1 Terrain"), ("4", 4, "4 Counters"),
    ("5.1", 5, "5.1 Villages"), ("5.2", 5, "5.2 Monasteries"), ("5.3", 5, "5.3 Castles"),
    ("6", 6, "6 The turn"), ("7", 6, "7 Loyalty"),
    ("8.1", 7, "8.1 Groups"), ("8.2", 7, "8.2 Composition"), ("8.3", 7, "8.3 Movement"), ("8.4", 8, "8.4 Food"),
    ("9", 8, "9 Nobles"), ("10", 8, "10 Siege trains"), ("11", 9, "11 Mercenaries"),
    ("11.1", 9, "11.1 Unhired companies"), ("11.2", 9, "11.2 Hiring"), ("11.3", 9, "11.3 Price"),
    ("11.4", 9, "11.4 Promises"), ("11.5", 9, "11.5 Luring"), ("11.6", 9, "11.6 Shares of loot"),
    ("12", 9, "12 Convoys"), ("13", 10, "13 Money"), ("13.1", 10, "13.1 Recruiting"), ("13.2", 10, "13.2 Looting"),
    ("14", 10, "14 Encounters"), ("14.2", 10, "14.2 Groups of different sides"), ("14.4", 10, "14.4 Convoys met"),
    ("14.5", 10, "14.5 Entering a village"),
    ("15", 11, "15 Battle"), ("15.1", 11, "15.1 Size and sides of the table"), ("15.3", 12, "15.3 Who takes part"),
    ("15.4", 12, "15.4 Deployment"), ("15.5", 12, "15.5 Refusing battle"), ("15.6", 13, "15.6 End of a battle"),
    ("15.7", 13, "15.7 Wounded"), ("15.8", 13, "15.8 Captives"),
    ("16", 13, "16 Sieges"), ("18", 14, "18 Surroundings"), ("18.1", 14, "18.1 Weather"), ("18.2", 14, "18.2 Seasons"),
)

CITATIONS = citations((
    *(Citation(key, key, heading=heading, page=page) for key, page, heading in _CHAPTERS),
    Citation("card5", "card 5", "scheda 5", "Resources and loyalty by period"),
    Citation("scenario", "scenario", heading="The scenario"),
    # what the book does not print, and the chapter that needs it
    Citation("orders", "6", heading="Orders", page=6),
    Citation("auto", "15.6, Arbitro's rule", "15.6, regola di Arbitro", "Battles that are not played", 13),
))
"""All of them by key, in the order of the book."""
