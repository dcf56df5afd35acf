"""Finds in a text the clause that orders something, beside those that only say why, or tell a tale before it."""

from __future__ import annotations

import re
from typing import NamedTuple

from assistant.turn.orders.phrases import split_words
from assistant.turn.orders.words import LISTS

MOST_CLAUSES = 6
"""Clauses of a text that are read by themselves, at most."""
SHORTEST_TALE = 4
"""Words of the shortest clause that may be a tale before an order; a shorter one may be a topic, or a name."""
_HENCE = (r"so(?!\s+(?:that|as|far|much|many|long|be)\b)|therefore|hence|thus|which\s+is\s+why|sicch[eé]|perciò|quindi"
          r"|dunque|pertanto|per\s+cui|così(?!\s+(?:che|come|da)\b)|ragion\s+per\s+cui")
_BEHIND_A_REASON = re.compile(
    rf"(?is)^(?P<tale>.+)[,;:.!?–—-]\s+(?:and\s+|e\s+)?(?P<hence>{_HENCE})[,\s]+(?P<order>.+)$")
_BEHIND_A_TALE = re.compile(r"(?s)^(?P<tale>[^:;!]+)(?:[:;!]|(?<=\w{3})\.)\s+(?P<order>.+)$")
_APART = re.compile(rf"(?i)\s*[,;:!()]\s+|(?<=\w{{3}})\.\s+|\s+[-–—]+\s+|[,\s]+(?:{_HENCE})\s+")
_SPOKEN = re.compile(
    r"(?i)\b(?:sa(?:y|ys|id|ying)|wr(?:ote|ites?|iting)|told|tells?|asks?|asked|thinks?|believes?|plan\w*|ideas?|drafts?"
    r"|example|options?|dream\w*|rumou?rs?|letters?|messages?|quotes?|instead|propos\w+|suggest\w+|wonder\w*|wish\w*"
    r"|threat\w*|fears?|hopes?|dic\w+|dett[oi]|scri\w+|chied\w+|pens\w+|cred\w+|pian[oi]|idea|idee|bozz\w+|esempio"
    r"|ipotesi|opzion\w+|sogn\w+|voc[ei]|letter\w+|messaggi\w*|minacci\w+|tem\w+|sper\w+|vorrebb\w+|racconta\w*"
    r"|ignor\w+|cancel\w+|forget|annull\w+|scherz\w+|test\w*|prova|prove)\b")
"""Words of somebody's speech, a plan or a thing that is not meant."""


class Division(NamedTuple):
    """A text in two: what is told, and the clause behind it that may order something. `hence`: a word says that the
    one follows from the other.
    """

    tale: str
    order: str
    hence: bool


def divisions(text: str) -> list[Division]:
    """How a text may be divided into what is told and the order behind it, the likeliest first."""
    found = []
    for pattern in (_BEHIND_A_REASON, _BEHIND_A_TALE):
        if match := pattern.match(text):
            found.append(Division(match["tale"], match["order"], pattern is _BEHIND_A_REASON))
    return found


def is_idle_tale(told: Division) -> bool:
    """Whether what is told neither denies nor doubts what is behind it, nor says that somebody else wants it, nor holds
    a code: then it says no more than why.
    """
    words, behind = split_words(told.tale), {token.folded for token in split_words(told.order)}
    if behind & (LISTS.there | LISTS.pronouns) - LISTS.articles - LISTS.clitics:
        return False  # what is told says where, or whom
    if behind & (LISTS.doubts - LISTS.telling):
        return False
    if any(token.quoted or any(sign.isdigit() for sign in token.text) or "-" in token.text[1:] for token in words):
        return False
    if any(token.folded in LISTS.doubts - LISTS.telling or token.folded in LISTS.undecided for token in words):
        return False
    return told.hence or (len(words) >= SHORTEST_TALE and not _SPOKEN.search(told.tale))


def clauses(text: str) -> list[str]:
    """The ends of a text, the longest first, and its clauses: whatever may be an order by itself."""
    cuts = [match.span() for match in _APART.finditer(text)]
    if not cuts or len(cuts) > MOST_CLAUSES:
        return []
    starts, stops = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    ends = [text[start:] for start in starts[1:]]
    single = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
    return list(dict.fromkeys(part.strip() for part in (*ends, *single) if len(split_words(part)) > 1))[:MOST_CLAUSES]
