"""A process that forks senders, each to be killed: lines with a ledger's path in; its number, then how it ended, out.

Run as ``python -m tests.post.sender``; where the settings of the post lie, and its password, is in the environment.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime
from pathlib import Path

from assistant.environment import Clock
from assistant.ledger import Ledger
from assistant.post.mail_server import Journal, MailDelivery, load_account, stored_password


def carry(ledger: Path) -> int:
    """What `arbitro send` does once its mails are recorded; 0 where none is open any more."""
    post = load_account()
    assert post is not None
    with Ledger.open(ledger, "") as opened:
        box = opened.outbox
        postman = MailDelivery(box, Journal(opened.campaign), post, stored_password(post),
                          Clock(lambda: datetime.now().astimezone(), time.sleep), lambda *_: None)
        postman.deliver(box.rows())
        return int(any(row.open for row in box.rows()))


def main() -> None:
    """One sender for each line."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            code = 70
            try:
                code = carry(Path(line.strip()))
            finally:
                os._exit(code)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
