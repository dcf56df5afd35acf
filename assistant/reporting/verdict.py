"""Who has won: a ruleset and what all may know of a campaign that is over in; the sentences that say it out."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.turn.ruleset import Ending, Ruleset, Said
from assistant.wording import N_, Wording


def verdict(ruleset: Ruleset, public: Campaign, wording: Wording) -> tuple[str, ...]:
    """Who has won, or that nobody has; the same sentences wherever it is said. `public`: the view of everybody."""
    said = worded(ruleset.ending(public).verdict, wording)
    return said or (wording.text(N_("Nobody is named as the winner; the table shows how all stand.")),)


def counting(ending: Ending, wording: Wording) -> tuple[str, ...]:
    """How it was counted, in the ruleset's words."""
    return worded(ending.counted, wording)


def worded(told: Iterable[Said | Event], wording: Wording) -> tuple[str, ...]:
    """Sentences and events in words, none of them blank."""
    found = (wording.event(one) if isinstance(one, Event) else wording.text(one.text, **one.data) for one in told)
    return tuple(text for text in found if text)
