"""The same phases in another process, and by the commands with undo and redo in between."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from assistant.campaign.campaign import Campaign, changes
from assistant.testing.cases import (
    DONE,
    SECRET,
    campaign_of,
    must_be_installed,
    must_succeed,
    opening,
    run_command,
    write_all_rules,
)
from assistant.testing.hostile import legal_by_clubs, one_a_unit, try_phases
from assistant.turn.orders.verbs import as_order_book, order_line
from assistant.turn.ruleset import Ruleset, load
from assistant.workbook.read.csv_folder import write_folder

HASH_SEEDS = ("1", "2")
"""Under which Python puts sets of texts into an order of their own (``PYTHONHASHSEED``)."""


# --- another process ----------------------------------------------------------------------------------------
def digests(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int) -> list[str]:
    """Of each phase that is tried: turn, phase, and the SHA-256 of what it comes to, with and without orders."""
    found = []
    for tried in try_phases(ruleset, campaign, seed, phases, most=0):
        told = hashlib.sha256()
        for one in (tried.quiet, tried.together):
            told.update(one.crash.encode())
            for sheet, table in one.outcome.campaign.tables().items() if one.outcome is not None else ():
                told.update(sheet.encode())
                for key, row in table.in_file_order():
                    told.update(f"{key}{row.as_text()}".encode())
        found.append(f"{tried.quiet.before.desk.turn} {tried.quiet.before.desk.phase} {told.hexdigest()}")
    return found


def other_process_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, place: Path) -> list[str]:
    """Phases that come to something else where Python orders sets otherwise. `place`: an empty folder."""
    must_be_installed(ruleset.id)
    write_folder(campaign, place)
    told = []
    running = [subprocess.Popen(
        [sys.executable, "-m", __name__, ruleset.id, str(place), str(seed), str(phases)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join(sys.path)}) for hashes in HASH_SEEDS]
    for process in running:
        out, fault = process.communicate()
        if process.returncode:
            return [f"Another process could not play {ruleset.id}: {fault.strip().splitlines()[-1]}"]
        told.append(out.splitlines())
    return [f"{one.rpartition(' ')[0]}: in another process it comes to something else. Sort what is in a set before "
            "you walk through it." for one, other in zip(*told, strict=False) if one != other][:1]


def _print_digests(ruleset_id: str, folder: str, seed: str, phases: str) -> None:
    ruleset = load(ruleset_id)
    print(*digests(ruleset, opening(ruleset, Path(folder)), int(seed), int(phases)), sep="\n")


# --- undo, redo, verify -------------------------------------------------------------------------------------
def past_faults(ruleset: Ruleset, campaign: Campaign, seed: int, phases: int, place: Path) -> Iterator[str]:
    """What undo does not take back, redo does not bring again, or `verify` does not find, of phases that are played by
    the commands. `place`: an empty folder.
    """
    must_be_installed(ruleset.id)
    given, chance, book = campaign.copy(), random.Random(seed), place / "campaign.xlsx"
    write_all_rules(ruleset, given)
    write_folder(given, place / "given")
    must_succeed("new", ruleset.id, book, "--from", place / "given", "--secret", SECRET)
    for _ in range(phases):
        now = campaign_of(book)
        if ruleset.is_over(now):
            break
        lines = [f"{order.faction}: {order_line(as_order_book(ruleset.verbs), now, order.fields, 'en')}"
                 for order in one_a_unit(ruleset, legal_by_clubs(ruleset, now), chance)]
        if lines:
            run_command("orders", book, *lines)
        before, here = campaign_of(book), f"{now.desk.turn} {now.desk.phase}"
        code, told = run_command("resolve", book, "--defaults")
        after = campaign_of(book)
        if (after.desk.turn, after.desk.phase) == (before.desk.turn, before.desk.phase):
            break  # it waits for somebody
        must_succeed("undo", book)
        yield from (f"{here}: undo has left {change}." for change in changes(before, campaign_of(book)))
        must_succeed("redo", book)
        yield from (f"{here}: redo has made {change}." for change in changes(after, campaign_of(book)))
    code, told = run_command("verify", book)
    if code != DONE:
        yield f"'verify' finds a phase that comes to something else when it is played again: {told.strip()}"


if __name__ == "__main__":
    _print_digests(*sys.argv[1:])
