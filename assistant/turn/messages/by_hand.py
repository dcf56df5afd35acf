"""What the house finds of cells that were changed by hand, of every ruleset alike (ARB-110 to 119, 234, 237, 242).

Where the workbook is open no command may change it: what can be done there comes first.
"""

from __future__ import annotations

from assistant.turn.findings import Message

BY_HAND = (
    Message("ARB-110", "error",
            "{column} was changed by hand, from '{old}' to '{new}'. The house rule would be: {now}. Keep it with: "
            "arbitro accept {book} {name} --why REASON - or put it back with: arbitro revert {book} {name}",
            ("open", {"yes": "{column} was changed by hand, from '{old}' to '{new}'. The house rule would be: {now}. "
                             "Type the old value back. To keep the new one instead, save and close the workbook and "
                             "write: "
                             "arbitro accept {book} {name} --why REASON"})),
    Message("ARB-242", "error",
            "{column} was emptied by hand; '{old}' stood there. Keep it so with: "
            "arbitro accept {book} {name} --why REASON - or put it back with: arbitro revert {book} {name}",
            ("open", {"yes": "{column} was emptied by hand; '{old}' stood there. Type it in again. To keep it so "
                             "instead, save and close the workbook and write: "
                             "arbitro accept {book} {name} --why REASON"})),
    Message("ARB-111", "error",
            "The row {row} was added by hand. Keep it with: arbitro accept {book} {name} --why REASON - or take it "
            "out with: arbitro revert {book} {name}",
            ("open", {"yes": "The row {row} was added by hand. Delete it. To keep it instead, save and close the "
                             "workbook and write: arbitro accept {book} {name} --why REASON"})),
    Message("ARB-112", "error",
            "The row {row} was deleted by hand. Let it be gone with: arbitro accept {book} {name} --why REASON - or "
            "bring it back with: arbitro revert {book} {name}",
            ("open", {"yes": "The row {row} was deleted by hand. Save and close the workbook, and bring it back with: "
                             "arbitro revert {book} {name} - or let it be gone with: "
                             "arbitro accept {book} {name} --why REASON"})),
    Message("ARB-113", "error",
            "{column} names the row and was changed by hand, from '{old}' to '{new}'. Keep it with: "
            "arbitro accept {book} {name} --why REASON - or put it back with: arbitro revert {book} {name}",
            ("open", {"yes": "{column} names the row and was changed by hand, from '{old}' to '{new}'. Type the old "
                             "name back. To keep the new one instead, save and close the workbook and write: "
                             "arbitro accept {book} {name} --why REASON"})),
    Message("ARB-114", "warning",
            "The ledger does not know what stood in the cells before, so nobody can tell what was changed by hand. "
            "It will know from the next change on that Arbitro makes."),
    Message("ARB-115", "error",
            "'{cell}' is not among what was changed by hand. Changed are: {list}."),
    Message("ARB-116", "error",
            "A change by hand is kept for a reason that all whom it concerns will read. "
            "Write it in quotation marks behind --why."),
    Message("ARB-117", "error",
            "{column}: what stands there cannot be read ('{new}'), so it cannot be kept. Type a value first, or put "
            "'{old}' back with: arbitro revert {book} {name}"),
    Message("ARB-234", "error",
            "Nothing was kept: with these changes no phase could be resolved, for the reason that is named. Put it"
            " right in the workbook and accept again, accept together what belongs together, or put it back with:"
            " arbitro revert {book} CELL"),
    Message("ARB-237", "info",
            "No phase has been resolved yet. If this is the set-up of the campaign, keep all of it at once with:"
            " arbitro accept {book} --all --why \"set-up\"",
            ("open", {"yes": "No phase has been resolved yet. If this is the set-up of the campaign, save and close"
                             " the workbook and keep all of it at once with:"
                             " arbitro accept {book} --all --why \"set-up\""})),
    Message("ARB-118", "error", "Name the cells, as arbitro check {book} shows them, or write --all."),
    Message("ARB-119", "warning", "Nothing in {book} was changed by hand since Arbitro last wrote it."),
)
"""The messages, in the order in which the page of findings sorts them."""
