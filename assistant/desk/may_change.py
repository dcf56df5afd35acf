"""What may I still change? An act of the referee and a moment in; what Arbitro does about it out.

One table, for both manuals and for `status`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Die
from assistant.turn.texts import N_

Moment = Literal["before", "after", "sent"]
Reply = Literal["allowed", "once", "void", "twice", "refused"]

MOMENTS: Mapping[Moment, str] = {
    "before": N_("Before the phase"), "after": N_("After the phase"), "sent": N_("After its reports were sent")}
REPLIES: Mapping[Reply, str] = {
    "allowed": N_("allowed"), "once": N_("asked once, for a reason"), "void": N_("asked, with what becomes void"),
    "twice": N_("asked twice, with who has the reports"), "refused": N_("refused")}


@dataclass(frozen=True)
class Act:
    """Something that the referee does about a phase. `key`: for programs; `name`: in a list (msgid); `how`: what to
    type; `sheet`: without which in the rulebook there is no such act; `past`: it is about phases that are over.
    """

    key: str
    name: str
    how: str
    before: Reply
    after: Reply
    sent: Reply
    sheet: str = ""
    past: bool = False

    def at(self, moment: Moment) -> Reply:
        """What Arbitro does about it at a moment."""
        found: Mapping[Moment, Reply] = {"before": self.before, "after": self.after, "sent": self.sent}
        return found[moment]


ACTS = (
    Act("order", N_("orders"), "arbitro orders", "allowed", "refused", "refused"),
    Act("answer", N_("answers"), "arbitro orders", "allowed", "refused", "refused"),
    Act("die", N_("dice of the table"), "arbitro orders", "allowed", "refused", "refused", sheet=Die.sheet),
    Act("result", N_("results of battles"), "arbitro orders", "allowed", "refused", "refused", sheet=Battle.sheet),
    Act("hand", N_("changes by hand"), "arbitro accept", "once", "once", "once"),
    Act("rule", N_("house rules (from now on)"), "arbitro accept", "once", "once", "once"),
    Act("undo", N_("undo"), "arbitro undo", "refused", "allowed", "twice", past=True),
    Act("correct", N_("correct"), "arbitro correct", "refused", "void", "twice", past=True),
)


def now(campaign: Campaign, *, over: bool, past: Container[str], sent: bool) -> dict[str, Reply]:
    """Act -> what Arbitro does about it at this moment.

    `over`: no phase is to come; `past`: the acts on the past for which there is one; `sent`: a report tells of it.
    """
    after: Moment = "sent" if sent else "after"
    moments: dict[str, Moment] = {act.key: (after if act.key in past else "before") if act.past else
                                  (after if over else "before") for act in ACTS}
    return {act.key: act.at(moments[act.key]) for act in ACTS if not act.sheet or campaign.has(act.sheet)}


def by_reply(replies: Mapping[str, Reply]) -> Iterable[tuple[Reply, list[Act]]]:
    """What is not refused: the acts that get the same reply, the free ones first."""
    for reply in REPLIES:
        acts = [act for act in ACTS if replies.get(act.key) == reply]
        if acts and reply != "refused":
            yield reply, acts
