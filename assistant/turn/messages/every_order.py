"""What is said of a row of Orders before its rulebook reads it, as part of `messages.COMMON`."""

from __future__ import annotations

from assistant.turn.findings import Message

ORDER_ROWS = (
    Message("ARB-040", "error", "'{seen}' is no faction of this campaign. Write the code of yours: {near}."),
    Message("ARB-041", "error", "'{seen}' is no turn of this campaign. Write for example {near}."),
    Message("ARB-042", "error", "'{seen}' is no phase that takes orders. Write for example {near}."),
    Message("ARB-046", "error", "'{seen}' is the number of another order. Give this order in a row whose number is "
            "blank: the assistant fills it in."),
    Message("ARB-047", "info", "{n} {n?order has nothing left but its number and counts as|orders have nothing left"
                               " but their numbers and count as} withdrawn: {list}", ("n", {
        "1": "One order has nothing left but its number and counts as withdrawn: {list}"})),
    Message("ARB-048", "warning", "Nobody has judged this order yet: '{seen}' counts for nothing here, and its phase "
            "writes what comes of it. Who withdraws an order clears its row."),
)
