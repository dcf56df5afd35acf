"""Reports that were sent: a ledger in; who has some that tell of changes which are to be taken back out.

The ledger notes of each faction the last change that was made when a report was written for the referee to send by
hand, and the outbox of each mail that left: that report, or one before it, tells of that change and of all before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from assistant.campaign.order import in_natural_order
from assistant.desk import codes
from assistant.ledger import CORRECT, Ledger
from assistant.ledger.outbox import went_out_since
from assistant.turn.findings import Finding
from assistant.wording import N_, Verbatim, Wording

_SENT = "sent"
Way = Literal["mail", "hand"]
Agree = Callable[[str, Sequence[str]], bool]
"""Is told who has reports and what to ask the referee, each question by itself; says whether all were agreed to."""
TOLD: Mapping[Way, str] = {
    "mail": N_("Reports that tell what happened since {when} were sent to: {who}. They would be void."),
    "hand": N_("Reports that tell what happened since {when} were written, to be sent by hand, for: {who}. Those that"
               " were sent would be void.")}
ALL_THE_SAME = N_("Do it all the same? [y/N]")
REALLY = N_("Those reports cannot be called back. Really? [y/N]")


class Readers(NamedTuple):
    """The factions that have reports: to which a mail took them, or for which they were only written."""

    mail: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()

    def ways(self) -> dict[Way, tuple[str, ...]]:
        """The ways on which somebody has, or may have, a report, with who that is."""
        both: dict[Way, tuple[str, ...]] = {"mail": self.mail, "hand": self.hand}
        return {way: who for way, who in both.items() if who}

    def all(self) -> list[str]:
        """All of them."""
        return in_natural_order({*self.mail, *self.hand})


def nobody(told: str, questions: Sequence[str]) -> bool:
    """Agree to nothing: where nobody can be asked, what was sent stands."""
    return False


def note_sent(ledger: Ledger, to: Iterable[str]) -> None:
    """Reports of all that has happened by now were written for these factions, to be sent by hand.

    Raises `LedgerTrouble`.
    """
    now = max(ledger.line, default=0)
    ledger.note(_SENT, json.dumps(_sent(ledger) | dict.fromkeys(to, now), sort_keys=True))


def readers(ledger: Ledger, changes: Collection[int]) -> Readers:
    """The factions with reports that tell of one of these changes, by the numbers of their steps."""
    first = min(changes, default=None)
    if first is None:
        return Readers()
    by_hand = {code for code, last in _sent(ledger).items() if last >= first}
    by_mail = {row.faction for row in went_out_since(ledger.outbox.rows(), first) if row.faction and row.code}
    return Readers(*(tuple(in_natural_order(who)) for who in (by_mail, by_hand - by_mail)))


def _sent(ledger: Ledger) -> dict[str, int]:
    return dict(json.loads(ledger.noted(_SENT) or "{}"))


def told(words: Wording, found: Readers, when: str) -> str:
    """Who has which reports, in sentences."""
    return " ".join(words.text(TOLD[way], when=Verbatim(when), who=names(words, who))
                    for way, who in found.ways().items())


def names(words: Wording, who: Collection[str]) -> Verbatim:
    """Factions by name."""
    return Verbatim(", ".join(words.names.text(code, "faction") for code in who))


def refusals(words: Wording, found: Readers, when: str, book: str, verb: str, agree: Agree, *, live: bool = False
             ) -> list[Finding]:
    """Why it is not done where somebody has reports and the referee, asked, does not agree, and how it can be done all
    the same. Who corrects has confirmed once already.
    """
    questions = [words.text(REALLY)] if verb == CORRECT else [words.text(ALL_THE_SAME), words.text(REALLY)]
    if not found.ways() or agree(told(words, found, when), questions):
        return []
    return [codes.finding(codes.REPORTS_SENT, who=names(words, who), when=Verbatim(when), book=book, verb=verb, way=way,
                          **({"open": "yes"} if live else {})) for way, who in found.ways().items()]
