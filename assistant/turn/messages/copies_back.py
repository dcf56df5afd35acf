"""The findings about clubs' copies that come back, as part of `messages.COMMON`."""

from __future__ import annotations

from assistant.turn.findings import Message

POST = (
    Message("ARB-340", "error", "{file} is a club's copy without a code of this campaign, so nobody can say whose"
            " orders it brings. Ask its club for the file that you sent, or write a new one with: arbitro share"),
    Message("ARB-341", "error", "{file} bears a code of {faction:the} that counts no more: it was renewed. Send the new"
            " copy and ask for the orders again."),
    Message("ARB-342", "error", "{file} is the copy of {faction:the} of {seen}, and the campaign stands in {turn}."
            " Send the present copy: arbitro share"),
)
