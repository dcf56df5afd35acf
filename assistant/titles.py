"""What a campaign is called: the Desk's title and a language in; the title in that language out."""

from __future__ import annotations

from assistant.campaign.records import Desk
from assistant.wording import Verbatim, Wording

BETWEEN = " / "
"""What stands between the English and the Italian of a title that was typed in both."""


def campaign_title(desk: Desk, words: Wording) -> Verbatim:
    """The title in the language of the words, the rulebook's where the campaign has none.

    A title that was typed in both languages says it itself, that of a scenario stands in the rulebook's catalogue;
    any other is its referee's own, the same for all.
    """
    both = desk.title.split(BETWEEN)
    if len(both) == 2 and all(map(str.strip, both)):
        return Verbatim(both[words.lang == "it"].strip())
    return Verbatim(words.text(desk.title) or (words.ruleset.title if words.ruleset else ""))
