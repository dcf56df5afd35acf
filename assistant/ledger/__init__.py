"""The referee's private file beside the workbook: snapshots before every change, and the dice secret.

An SQLite file named as the workbook with the ending ``.arbitro``, which is replaced whole by each change, so that it
may lie on a stick or in a folder that a cloud copies. Nothing in it is guessed: a ledger that is missing, damaged, of
another campaign or of a newer Arbitro is `LedgerTrouble`.

A change is written in three steps, so that a crash at any instant loses nothing: `begin` stores the
workbook as it is, the workbook is replaced, `finish` moves the pointers. `recover` settles what a
crash left between the first and the last.

One writing of the workbook may make several changes, one after the other (phases of one command). The
first keeps the workbook's bytes, each later one only what differed from them by then (`records`): a
file in that state never lay on the disk. They begin, end or are forgotten together.

A correction of the past is such a writing: its first change is the ``correct``, then come the phases as
they were resolved anew. The line of resolved steps is then what it was before the first of these, the new
steps, and last the correction itself, so that going back one step takes it back as a whole.
"""

from assistant.ledger.file import (
           COLLECT,
           CORRECT,
           DECIDED,
           ENDING,
           FORMAT,
           IN_LINE,
           LAYOUT,
           MAP,
           SECRET_BYTES,
           SHARE,
           TAKEN,
           TROUBLES,
           UNREAD,
           LedgerTrouble,
           Maker,
           Marks,
           Stage,
           Step,
           Trouble,
           audiences,
           campaign_id,
           maker_of,
           new_file,
           path_of,
           sha256,
)
from assistant.ledger.outbox import Mail, Mark, Outbox
from assistant.ledger.store import Ledger, namesake, state, trouble_with

__all__ = ["COLLECT", "CORRECT", "DECIDED", "ENDING", "FORMAT", "IN_LINE", "LAYOUT", "MAP", "SECRET_BYTES", "SHARE",
           "TAKEN", "TROUBLES", "UNREAD", "Ledger", "LedgerTrouble", "Mail", "Maker", "Mark", "Marks", "Outbox",
           "Stage", "Step", "Trouble", "audiences", "campaign_id", "maker_of", "namesake", "new_file", "path_of",
           "sha256", "state", "trouble_with"]
