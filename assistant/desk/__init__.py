"""What the referee can do; both doors (command line now, workbook buttons later) call the same functions.

Each returns a `Result`; none raises for what is the users' or the machine's fault. Modules: `session`
opens and writes under the ledger's protection, `play` decides a phase, `resolving`, `history`,
`intake`, `founding`, `handedits`, `correcting`, `verifying`, `reports`, `looking` are the commands, `demo` plays a
scripted year through them.
"""

from assistant.desk.amending import Wish
from assistant.desk.answering import answers
from assistant.desk.correcting import How, correct
from assistant.desk.founding import Plan, new, renew_ledger
from assistant.desk.handedits import accept, revert
from assistant.desk.history import history, redo, undo
from assistant.desk.intake import Source, take_orders
from assistant.desk.looking import check, export, ledger_state, rules, rulesets, standings, status
from assistant.desk.luck import luck
from assistant.desk.reports import report
from assistant.desk.resolving import quiet, resolve
from assistant.desk.results import Exit, Result
from assistant.desk.sending import send
from assistant.desk.verifying import verify

__all__ = [
    "Exit", "How", "Plan", "Result", "Source", "Wish", "accept", "answers", "check", "correct", "export", "history",
    "ledger_state", "luck", "new", "quiet", "redo", "renew_ledger", "report", "resolve", "revert", "rules",
    "rulesets", "send", "standings", "status", "take_orders", "undo", "verify",
]
