"""What the referee can do; both doors (command line now, workbook buttons later) call the same functions.

Each returns a `Result`; none raises for what is the users' or the machine's fault. Modules: `session`
opens and writes under the ledger's protection, `play` decides a phase, `resolving`, `undoing`,
`intake`, `founding`, `handedits`, `correcting`, `verifying`, `reports`, `looking` are the commands, `demo` plays a
scripted year through them. A command's module is loaded when it is first called: resolving a phase need not
wait for what corrects the past.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.desk.amending import Wish as Wish
    from assistant.desk.answering import answers as answers
    from assistant.desk.correcting import How as How
    from assistant.desk.correcting import correct as correct
    from assistant.desk.founding import Plan as Plan
    from assistant.desk.founding import new as new
    from assistant.desk.founding import renew_ledger as renew_ledger
    from assistant.desk.handedits import accept as accept
    from assistant.desk.handedits import revert as revert
    from assistant.desk.intake import Source as Source
    from assistant.desk.intake import take_orders as take_orders
    from assistant.desk.looking import check as check
    from assistant.desk.looking import export as export
    from assistant.desk.looking import ledger_state as ledger_state
    from assistant.desk.looking import rules as rules
    from assistant.desk.looking import rulesets as rulesets
    from assistant.desk.looking import standings as standings
    from assistant.desk.looking import status as status
    from assistant.desk.reckoning import luck as luck
    from assistant.desk.reports import report as report
    from assistant.desk.resolving import quiet as quiet
    from assistant.desk.resolving import resolve as resolve
    from assistant.desk.results import Exit as Exit
    from assistant.desk.results import Result as Result
    from assistant.desk.sending import send as send
    from assistant.desk.undoing import history as history
    from assistant.desk.undoing import redo as redo
    from assistant.desk.undoing import undo as undo
    from assistant.desk.verifying import verify as verify

_ROOM_OF = {name: room for room, names in {
    "amending": "Wish", "answering": "answers", "correcting": "How correct", "founding": "Plan new renew_ledger",
    "handedits": "accept revert", "undoing": "history redo undo", "intake": "Source take_orders",
    "looking": "check export ledger_state rules rulesets standings status", "reckoning": "luck", "reports": "report",
    "resolving": "quiet resolve", "results": "Exit Result",
    "sending": "send", "verifying": "verify"}.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Load the module of a command. Raises AttributeError for what is no command."""
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
