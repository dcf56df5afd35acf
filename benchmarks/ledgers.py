"""Large ledgers, for `run.py`:

    python benchmarks/ledgers.py fill LEDGER       a ledger of 20 MB: what is there, and bytes that nothing packs
    python benchmarks/ledgers.py mails LEDGER      ten mails are sent by a server that takes no time: the seconds
    python benchmarks/ledgers.py files LEDGER      the same files are written and flushed alone: the seconds
    python benchmarks/ledgers.py years FOLDER      five years of Italy 1500, robots alone, a command for each phase: the
                                                   bytes of the ledger, and of the workbook
"""

from __future__ import annotations

import json
import random
import sys
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SIZE, PIECE = 20_000_000, 100_000
MAILS, DATE = 10, "Sun, 22 Nov 2026 21:00:00 +0100"
FIRST, YEARS = 1500, 5


def fill(ledger: Path) -> None:
    """Add records until the file has its size."""
    from assistant.ledger.file import RecordStore

    chance = random.Random(20)
    pieces = max(0, SIZE - ledger.stat().st_size) // PIECE + 1
    with closing(RecordStore.load(ledger)) as vault, vault.writing():
        for number in range(pieces):
            vault.put("ballast", str(number), chance.randbytes(PIECE))


def mails(ledger: Path) -> tuple[float, float]:
    """Record ten mails, and of each that it begins to leave and that it was taken: seconds by the clock and of the
    processor, each mark on the disk before the next step.
    """
    from assistant.ledger import DeliveryMark, Ledger, Mail

    wall, busy = time.perf_counter(), time.process_time()
    with Ledger.open(ledger, "") as opened:
        box = opened.outbox
        told = [
            Mail(f"<{n}@x>", "report", f"F{n}", "1", "p", 0, "", DATE, {f"{n}@x": DeliveryMark()}) for n in range(MAILS)
        ]
        rows = box.record([(mail, b"text" * 9000) for mail in told])
        for row in rows:
            for stage in ("begun", "taken"):
                row = row.with_marks(dict.fromkeys(row.marks, DeliveryMark(stage, DATE)))
                box.mark(row)
    return time.perf_counter() - wall, time.process_time() - busy


def files(ledger: Path) -> tuple[float, float]:
    """Replace the file as often as `mails` does, and nothing else."""
    from assistant.environment import replace_atomically

    content = ledger.read_bytes()
    wall, busy = time.perf_counter(), time.process_time()
    for _ in range(2 * MAILS + 1):
        replace_atomically(ledger, (content,), ledger.with_suffix(".new"))
    return time.perf_counter() - wall, time.process_time() - busy


def years(folder: Path) -> tuple[int, int]:
    """Play, a command for each phase; the bytes of the ledger and of the workbook."""
    from assistant import desk
    from assistant.campaign.records import Faction
    from assistant.desk.workspace.workspace import open_workspace
    from assistant.ledger import path_of_ledger

    book = folder / "italy.xlsx"
    desk.new_campaign(desk.NewPlan("giglio", scenario="italy-1500"), book)
    clubs = [one.faction for one in open_workspace(book).campaign.table(Faction)]
    while True:
        result = desk.resolve(book, robots=clubs, defaults=True)
        if result.questions:
            lines = [f"battle {question.about} auto" for question in result.questions]
            desk.take_orders(book, [desk.Input(line, text=line) for line in lines])
        elif result.exit != desk.Exit.DONE or int(result.data["turn"][:4]) >= FIRST + YEARS:
            return path_of_ledger(book).stat().st_size, book.stat().st_size


if __name__ == "__main__":
    what, place = sys.argv[1], Path(sys.argv[2])
    print(json.dumps({"fill": fill, "mails": mails, "files": files, "years": years}[what](place)))
