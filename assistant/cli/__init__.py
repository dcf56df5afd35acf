"""The command line: calls a command of the desk, prints its result and returns its exit code.

`main` is the group of all commands (a `click.Group`, in English until it is called). Exit codes: 0 done,
1 refused by findings, 2 wrong usage, 3 waiting for answers, 4 ledger missing or of another campaign or
time, 5 file cannot be used, 70 a fault of Arbitro's own, 130 interrupted.
"""

from __future__ import annotations

from assistant.environment import collect_garbage_seldom

collect_garbage_seldom()  # first, so that the garbage collector never scans the modules loaded below

from assistant.cli.app import make_app  # noqa: E402

main = make_app("en")
