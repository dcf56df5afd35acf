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

from assistant.ledger.file import COLLECT as COLLECT
from assistant.ledger.file import CORRECT as CORRECT
from assistant.ledger.file import DECISION_VERBS as DECISION_VERBS
from assistant.ledger.file import FORMAT as FORMAT
from assistant.ledger.file import LAYOUT as LAYOUT
from assistant.ledger.file import LEDGER_SUFFIX as LEDGER_SUFFIX
from assistant.ledger.file import MAP as MAP
from assistant.ledger.file import SECRET_BYTES as SECRET_BYTES
from assistant.ledger.file import SHARE as SHARE
from assistant.ledger.file import TAKE_AS_IT_IS as TAKE_AS_IT_IS
from assistant.ledger.file import UNDOABLE_VERBS as UNDOABLE_VERBS
from assistant.ledger.file import UNREADABLE_BOOK as UNREADABLE_BOOK
from assistant.ledger.file import Fingerprints as Fingerprints
from assistant.ledger.file import LedgerStep as LedgerStep
from assistant.ledger.file import LedgerTrouble as LedgerTrouble
from assistant.ledger.file import PlannedStep as PlannedStep
from assistant.ledger.file import Trouble as Trouble
from assistant.ledger.file import campaign_id as campaign_id
from assistant.ledger.file import new_file_path as new_file_path
from assistant.ledger.file import path_of_ledger as path_of_ledger
from assistant.ledger.file import secret_audiences as secret_audiences
from assistant.ledger.file import sha256 as sha256
from assistant.ledger.outbox import DeliveryMark as DeliveryMark
from assistant.ledger.outbox import Mail as Mail
from assistant.ledger.outbox import Outbox as Outbox
from assistant.ledger.store import Ledger as Ledger
from assistant.ledger.store import Provenance as Provenance
from assistant.ledger.store import current_provenance as current_provenance
from assistant.ledger.store import ledger_condition as ledger_condition
from assistant.ledger.store import ledger_under_other_name as ledger_under_other_name
from assistant.ledger.store import trouble_with as trouble_with
