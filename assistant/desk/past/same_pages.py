"""Whether two views of a faction make the same report of a phase."""

from __future__ import annotations

from dataclasses import replace

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Event
from assistant.desk.past.consequences import moment_of
from assistant.desk.play_phase import TurnPhase
from assistant.reporting.build import build_gazette, draft_page
from assistant.reporting.reader import Reader
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording


def same_page(ruleset: Ruleset, old: Campaign, new: Campaign, code: str, moment: TurnPhase) -> bool:
    """Whether the report of a phase is the same for both views, but for what might be ordered next: nobody orders
    in the past, and the next report offers anew. `code`: whose views these are, "" for the gazette.
    """
    words, pages = Wording(ruleset, "en"), []
    for view in (old, new):
        told = sum(moment_of(event) != moment for _, event in view.table(Event).raw_rows())
        page = (draft_page(Reader.of(ruleset, view, code, words, told), {}, {}, offers=False) if code
                else build_gazette(ruleset, view, words, told))
        # the list by which programs check dice, and the code made of it, hold the whole turn's; people read
        # those of this report
        pages.append(replace(page, rulings=page.rulings and replace(page.rulings, thrown=()), code="", foot=""))
    return pages[0] == pages[1]
