"""The usual columns: what `column` takes goes in, who writes it and who sees it is said by the name."""

from __future__ import annotations

from functools import partial
from typing import Any

from assistant.campaign.columns import Choice, column

public = partial(column, see="public")
"""The assistant writes it, all see it."""
given = partial(column, edit="referee", see="public")
"""The referee writes it, all see it."""
own = partial(column, see="owner")
"""The assistant writes it, the row's owner sees it."""
noted = partial(column, edit="referee", see="owner")
"""The referee writes it, the row's owner sees it."""
wanted = partial(column, edit="club", see="owner")
"""The club writes it, the row's owner sees it."""
offered = partial(column, edit="referee", see="public", last=True, quiet=True)
"""The referee may write it, all see it; where nobody did, a sheet folds it away and an export leaves it out."""
NO_ARTICLE = "none"
"""What stands in the column `article` of a name that takes none."""


def article_of() -> Any:
    """The column that says the article of a name in Italian."""
    return offered(Choice({one: one for one in ("il", "lo", "la", "l'", "i", "gli", "le")} | {NO_ARTICLE: "nessuno"},
                          blank=True, also={"l\u2019": "l'", "-": NO_ARTICLE, "\u2013": NO_ARTICLE}),
                   "Article (Italian)", "Articolo del nome", width=11,
                   hint=("before the Italian name: la Turchia, gli Ottomani; none: Venezia; blank: guessed",
                         "davanti al nome: la Turchia, gli Ottomani; nessuno: Venezia; vuoto: si indovina"))


def gender_of() -> Any:
    """The column that says the gender of a name in Italian."""
    return offered(Choice({"masculine": "maschile", "feminine": "femminile"}, blank=True,
                          also={"m": "masculine", "f": "feminine"}),
                   "Gender (Italian)", "Genere del nome", width=11,
                   hint=("of the Italian name: il Papato è preso, Zara è presa; blank: guessed",
                         "il Papato è preso, Zara è presa; vuoto: si indovina"))


def plural_of() -> Any:
    """The column that says the number of a name in Italian."""
    return offered(Choice({"yes": "sì", "no": "no"}, blank=True, also={"si": "yes", "plurale": "yes", "plural": "yes"}),
                   "Plural name", "Nome plurale", width=10,
                   hint=("yes: the Ottomans take; no: Spain takes; blank: guessed",
                         "sì: gli Ottomani prendono; no: la Spagna prende; vuoto: si indovina"))


def sided() -> Any:
    """The column that says on which side of a place the map has its name."""
    return offered(Choice({"N": "N", "NE": "NE", "E": "E", "SE": "SE", "S": "S", "SW": "SO", "W": "O", "NW": "NO"},
                          blank=True), "Name on the map", "Nome sulla mappa", width=10, drawn=True,
                   hint=("on which side of the place; blank: where there is room",
                         "da che lato del luogo; vuoto: dove c'è posto"))
