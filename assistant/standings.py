"""Standings and accounts over the turns, as pandas tables: for looking at, never on the way of a phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import OWNERLESS, Faction
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Wording

if TYPE_CHECKING:
    import pandas as pd


HEADINGS = {"faction": N_("Faction"), "turn": N_("Turn"), "income": N_("Money in"), "spending": N_("Money out"),
            "balance": N_("Balance")}


def standings_of(ruleset: Ruleset, campaign: Campaign) -> pd.DataFrame:
    """One row a faction with the figures that the book compares, as the ruleset lists them."""
    import pandas as pd

    return pd.DataFrame(ruleset.standings(campaign))


def accounts_of(ruleset: Ruleset, campaign: Campaign) -> pd.DataFrame:
    """One row a faction and turn: money in, money out (0 or below), chest at the end, in the rulebook's unit.

    Turns stand in the order in which they were played. Empty where the ruleset keeps no accounts.
    """
    import pandas as pd

    rows = [{"faction": f.faction, "turn": b.turn, "income": max(b.amount, 0), "spending": min(b.amount, 0),
             "balance": b.balance}
            for f in campaign.table(Faction) if f.role not in OWNERLESS
            for b in ruleset.bookings(campaign, f.faction)]
    if not rows:
        return pd.DataFrame(columns=["faction", "turn", "income", "spending", "balance"])
    grouped = pd.DataFrame(rows).groupby(["faction", "turn"], sort=False)
    return grouped.agg(income=("income", "sum"), spending=("spending", "sum"),
                       balance=("balance", "last")).reset_index()


def as_text(table: pd.DataFrame, wording: Wording) -> list[str]:
    """A table as lines of text with aligned columns, headings and words in the wording's language."""
    shown = table.map(lambda value: wording.word(value) if isinstance(value, str) else value)
    shown.columns = [wording.text(HEADINGS[name]) if name in HEADINGS else wording.figure(str(name))
                     for name in table.columns]
    return str(shown.to_string(index=False)).splitlines()
