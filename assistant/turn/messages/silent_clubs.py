"""What is said of clubs that are silent: findings (ARB-430 to 434), and the event that tells what was done for one."""

from __future__ import annotations

from assistant.turn.findings import Message
from assistant.turn.texts import N_
from assistant.turn.told import EventType

SILENT_CLUBS = (
    Message("ARB-430", "error", "Of these clubs nothing has come, and they have time until {until}: {list}. The phase"
            " was not resolved. Wait for them, or go on without: the same command with --yes."),
    Message("ARB-431", "error", "{n} of {of} {of?club|clubs} {n?is|are} silent that {n?was|were} heard before, more"
                                " than the Desk allows ({share} %): {list}. The phase was not resolved. Look whether"
                                " their mails have arrived; to go on without: the same command with --yes."),
    Message("ARB-432", "warning", "'{seen}' is no time zone that this computer knows, so no deadline counts. Write one"
            " such as Europe/Rome."),
    Message("ARB-433", "warning", "'{seen}' cannot be read as holidays, so they do not count. Write days such as"
            " 2026-12-24..2027-01-06, several with commas between."),
    Message("ARB-434", "error", "'{text}' was not understood as an order that shall stand. Write the order as ever, and"
            " 'until changed' behind it."),
)


def absent_told(code: str) -> EventType:
    """The event that tells a club what the assistant did because nothing came. `code`: its type."""
    return EventType(
        code, N_("Nothing came from {faction:the}. It was due by {due}."), "rulings", 1, "Arbitro", ("step why", {
            "standing silent": N_("No orders came from {faction:the}, so the standing orders count: {list}. They were"
                                  " due by {due}."),
            "standing holiday": N_("{faction:the} {faction?is|are} on holiday, so the standing orders count: {list}."),
            "robot silent": N_("Nothing came from {faction:the}, so the assistant plays in this phase. It was due by"
                               " {due}."),
            "robot holiday": N_("{faction:the} {faction?is|are} on holiday, so the assistant plays in this phase."),
            "nothing silent": N_("Nothing came from {faction:the}: there are no orders, and questions take the answer"
                                 " that counts without one. It was due by {due}."),
            "nothing holiday": N_("{faction:the} {faction?is|are} on holiday: there are no orders, and questions take"
                                  " the answer that counts without one."),
        }))
