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
           DECISION_VERBS,
           FORMAT,
           LAYOUT,
           LEDGER_SUFFIX,
           MAP,
           SECRET_BYTES,
           SHARE,
           TAKE_AS_IT_IS,
           UNDOABLE_VERBS,
           UNREADABLE_BOOK,
           Fingerprints,
           LedgerStep,
           LedgerTrouble,
           PlannedStep,
           Provenance,
           Trouble,
           campaign_id,
           current_provenance,
           new_file_path,
           path_of_ledger,
           secret_audiences,
           sha256,
)
from assistant.ledger.outbox import DeliveryMark, Mail, Outbox
from assistant.ledger.store import Ledger, ledger_condition, ledger_under_other_name, trouble_with

__all__ = [
           "COLLECT",
           "CORRECT",
           "DECISION_VERBS",
           "FORMAT",
           "LAYOUT",
           "LEDGER_SUFFIX",
           "MAP",
           "SECRET_BYTES",
           "SHARE",
           "TAKE_AS_IT_IS",
           "UNDOABLE_VERBS",
           "UNREADABLE_BOOK",
           "DeliveryMark",
           "Fingerprints",
           "Ledger",
           "LedgerStep",
           "LedgerTrouble",
           "Mail",
           "Outbox",
           "PlannedStep",
           "Provenance",
           "Trouble",
           "campaign_id",
           "current_provenance",
           "ledger_condition",
           "ledger_under_other_name",
           "new_file_path",
           "path_of_ledger",
           "secret_audiences",
           "sha256",
           "trouble_with",
]
