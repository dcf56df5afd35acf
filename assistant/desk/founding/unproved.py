"""Going on from the workbook where its ledger knows less: it is taken as it stands, and all are told.

A rescued ledger is older than the workbook, or belongs to another history. What was done between its last change and
the workbook as it stands is in no ledger any more. The event says so to all; `verify` calls it unproved and accuses
nobody.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.campaign.records import ALL, Event, next_number
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.playing.play import Moment
from assistant.desk.sitting.session import Session, stage_of
from assistant.ledger import TAKEN
from assistant.turn.messages.house import COMMON_EVENTS, UNPROVED


def take_as_it_stands(session: Session, since: Moment, line: Sequence[int]) -> None:
    """Take the workbook into the ledger with all that stands in it. Raises `Stop`.

    `since`: where the campaign stood when the ledger last knew it; `line`: the changes that can still be undone.
    """
    sitting = session.sitting
    after = sitting.campaign.copy()
    events, desk = after.table(Event), after.desk
    events.add(events.record(
        no=next_number(events), turn=desk.turn, phase=desk.phase, audience=ALL, event=UNPROVED,
        rule=COMMON_EVENTS[UNPROVED].rule, data={
            "turn": since.turn, "phase": since.phase, "last_turn": desk.turn, "last_phase": desk.phase,
            "span": "one" if (since.turn, since.phase) == (desk.turn, desk.phase) else ""}))
    words = sitting.sheet_wording
    said = words.event(list(events)[-1])
    session.commit_all([stage_of(TAKEN, sitting.campaign, after)], after,
                       desk_lines(sitting.ruleset, after, words, sitting.path.name, [said]),
                       decided=session.watch.edits, line=line)
