"""Fifty ledgers (a hundred in the full proof), damaged in eight ways: each is told and brought back to a whole one.

Nobody is accused, and nothing looks proved that is not.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from assistant import desk
from assistant.desk.results import Exit
from assistant.environment import backup_folder
from assistant.ledger import path_of_ledger
from tests.desk.conftest import copied
from tests.desk.test_damage import chest_by_hand
from tests.playing import arbitro, codes_of
from tests.sweeps import fast_among, of_proof

DAMAGES, SEED = of_proof(50, 100), 43
BLOCK = 4096
ACCUSING = {"ARB-126", "ARB-127", "ARB-128", "ARB-129", "ARB-130"}
TOLD = {"ARB-071", "ARB-072", "ARB-230", "ARB-243", "ARB-383"}
UNPROVED = "ARB-387"
UNPROVED_CELLS = {"ARB-396", "ARB-397"}
CHEST = "Factions!I5 (2 → 9999)"
SAID = "cannot be proved"


def blocks(content: bytes) -> list[bytes]:
    """The content in pieces as a disk has them."""
    return [content[start:start + BLOCK] for start in range(0, len(content), BLOCK)]


def bits(content: bytes, chance: random.Random) -> bytes:
    """One to five bits turned."""
    data = bytearray(content)
    for bit in chance.sample(range(8 * len(data)), chance.randint(1, 5)):
        data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def zeroed(content: bytes, chance: random.Random) -> bytes:
    """A block of zeros where something stood."""
    parts = blocks(content)
    at = chance.choice([n for n, part in enumerate(parts) if any(part)])
    parts[at] = bytes(len(parts[at]))
    return b"".join(parts)


def swapped(content: bytes, chance: random.Random) -> bytes:
    """Two blocks in each other's place."""
    parts = blocks(content)
    while True:
        one, two = chance.sample(range(len(parts)), 2)
        if parts[one] != parts[two]:
            break
    parts[one], parts[two] = parts[two], parts[one]
    return b"".join(parts)


Harm = Callable[[bytes, random.Random], bytes]
HARMS: dict[str, Harm] = {
    "bits": bits, "zeroed": zeroed, "swapped": swapped,
    "cut short": lambda content, chance: content[:chance.randrange(1, len(content))],
    "empty": lambda content, chance: b"",
    "text": lambda content, chance: b"This is no ledger.\n" * chance.randint(1, 500)}


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory, first_turn: Path) -> Path:
    """A campaign of a turn and some phases, its ledgers of before each of these, and another campaign's ledger."""
    book = copied(first_turn, tmp_path_factory.mktemp("damages"))
    olds = book.parent / "olds"
    olds.mkdir()
    for number in range(3):
        (olds / str(number)).write_bytes(path_of_ledger(book).read_bytes())
        assert desk.resolve(book, defaults=True, until="" if number else "clash").exit in (0, 3)
    assert (
        desk.new_campaign(desk.NewPlan("tiny", folder=book.parent / "csv", secret="77" * 32), olds / "other.xlsx").exit
        == 0
    )
    return book.parent


def damaged(book: Path, number: int) -> str:
    """Damage a ledger in one of the ways; which."""
    ledger, chance = path_of_ledger(book), random.Random(f"{SEED} {number}")
    kind = [*HARMS, "another campaign's", "an older copy"][number % (len(HARMS) + 2)]
    if kind in HARMS:
        ledger.write_bytes(HARMS[kind](ledger.read_bytes(), chance))
    else:
        other = "other.arbitro" if kind != "an older copy" else str(chance.randrange(3))
        ledger.write_bytes((book.parent / "olds" / other).read_bytes())
    return kind


@pytest.mark.parametrize("number", fast_among(range(DAMAGES), 0, 25))
def test_a_damaged_ledger_is_told_and_brought_back(number: int, campaigns: Path, tmp_path: Path) -> None:
    """By status, check and verify; a rescue goes on from the workbook, and what nobody can prove is said to all."""
    book = copied(campaigns, tmp_path)
    typed = number % 3 == 1
    if typed:
        chest_by_hand(book)
    whole = {path.name: path.read_bytes() for path in backup_folder(book).glob("*.arbitro")}
    kind = damaged(book, number)
    harmed = path_of_ledger(book).read_bytes()

    told = desk.status(book, lang="en")
    assert told.data["ledger"] != "ok" or TOLD & {*codes_of(told)}, kind
    assert TOLD & {*codes_of(desk.check(book))}, kind
    proof = desk.verify(book)
    assert (proof.exit, bool(TOLD & {*codes_of(proof)})) == (Exit.LEDGER, True), kind
    assert path_of_ledger(book).read_bytes() == harmed

    rescued = arbitro("ledger", book, "--rescue")
    assert rescued.exit_code == Exit.DONE, f"{kind}: {rescued.output}"
    assert kind == "an older copy" or harmed in [
        path.read_bytes() for path in book.parent.glob("*.arbitro.damaged-*")], kind
    assert {**whole, **{path.name: path.read_bytes() for path in backup_folder(book).glob("*.arbitro")
                        if path.name in whole}} == whole, kind
    assert desk.status(book).data["ledger"] == "ok", kind

    proof = desk.verify(book, lang="en")
    found = {*codes_of(proof)}
    assert not ACCUSING & found, f"{kind}: {proof.finding_lines()}"
    assert (UNPROVED in found) == ("cannot be proved any more" in rescued.output), kind
    by_hand = bool(desk.status(book).data["by_hand"])
    assert (proof.exit, proof.data["verified"]) == ((Exit.REFUSED, False) if UNPROVED in found or by_hand
                                                    else (Exit.DONE, True)), kind
    assert typed or not by_hand, f"{kind}: nobody changed anything by hand"
    checked = desk.check(book, lang="en")
    assert not typed or by_hand or UNPROVED_CELLS & {*codes_of(checked)}, f"{kind}: a change by hand looks clean"
    if typed and "ARB-396" in codes_of(checked):
        assert any(CHEST in line for line in checked.finding_lines()), f"{kind}: {checked.finding_lines()}"
    if UNPROVED in found and not by_hand:
        out = tmp_path / "out"
        assert desk.report(book, out, lang="en").exit == Exit.DONE
        for page in out.glob("*.txt"):
            assert SAID in page.read_text(encoding="utf-8"), f"{kind}: {page.name}"
    if not by_hand:
        assert desk.resolve(book, defaults=True).exit in (Exit.DONE, Exit.WAITING), kind
        assert not ACCUSING & {*codes_of(desk.verify(book))}, kind
