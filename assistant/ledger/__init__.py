"""The referee's private file beside the workbook: snapshots before every change, and the dice secret.

It is an SQLite file with the workbook's name and the ending ``.arbitro``. Each change replaces it as a whole, so that
it may lie on a USB stick or in a cloud folder. Nothing in it is guessed: a ledger that is missing, damaged, of another
campaign or of a newer Arbitro raises `LedgerTrouble`.

A change is written in three steps, so that a crash at any instant loses nothing: `begin` stores the workbook as it is,
the workbook is replaced, `finish` moves the pointers. After a crash between the first and the last, `recover` completes
the change or drops it.

One writing of the workbook may make several changes, one after the other (the phases of one command): we call that a
stroke. The first change keeps the workbook's bytes, each later one only what differed from them by then (`records`): no
file in that state was ever on the disk. The changes of a stroke begin, finish or are abandoned together.

A correction of the past is such a stroke: first the ``correct``, then the phases as they were resolved anew. The line
of resolved steps afterwards is: the steps before the first phase that was replayed, the new steps, and last the
correction itself, so that going back one step undoes the correction as a whole.
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
