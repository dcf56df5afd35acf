"""Changes by hand as a referee of Il Giglio meets them: status, check, resolve, accept, revert, in two languages."""

from __future__ import annotations

import shutil
from pathlib import Path

import openpyxl
import pytest

from tests import hand
from tests.hand import by_hand, cell_of
from tests.libreoffice import convert
from tests.playing import answer, arbitro, copy_campaign

pytestmark = pytest.mark.slow  # each plays commands on Il Giglio; the fast part has tests/desk/test_handedits.py


@pytest.fixture
def book(fresh: Path, tmp_path: Path) -> Path:
    """A campaign of one's own, in which Venice has given itself 1,000 ducats and a garrison."""
    path = copy_campaign(fresh, tmp_path)
    opened = hand.opened(path)
    cell_of(opened["Factions"], "V", "Chest").value = 1000
    opened.save(path)
    return path


def chest(book: Path) -> str:
    """The address of Venice's chest."""
    ws = openpyxl.load_workbook(book)["Factions"]
    return f"Factions!{cell_of(ws, 'V', 'Chest').coordinate}"


def typed_chest(book: Path) -> str:
    """The same in a command: no shell takes a dot for anything else."""
    return chest(book).replace("!", ".")


def test_a_new_campaign_is_watched_from_its_first_evening(fresh: Path) -> None:
    """Nothing is named in a workbook that nobody has touched."""
    assert answer("check", fresh)["by_hand"] == []


def test_status_and_check_name_the_cell(book: Path) -> None:
    """In words with its address, and under a key of its own in JSON."""
    status, check = arbitro("status", book), arbitro("check", book)

    assert f"{chest(book)}  ARB-110  Chest was changed by hand" in status.stdout
    assert "to be decided on before a phase can be resolved" in status.stdout
    assert f"{chest(book)}  ARB-110" in check.stdout
    assert check.exit_code == 1
    assert [(e["cell"], e["new"]) for e in answer("check", book)["by_hand"]] == [(chest(book), "1000")]


def test_resolve_refuses_with_the_way_out(book: Path) -> None:
    """Exit code 1; the message holds both commands, ready to be copied; also in Italian."""
    before = book.read_bytes()
    result = arbitro("resolve", book)

    assert (result.exit_code, book.read_bytes()) == (1, before)
    assert f"arbitro accept {book} {typed_chest(book)} --why REASON" in result.stderr
    assert f"arbitro revert {book} {typed_chest(book)}" in result.stderr
    italian = arbitro("resolve", book, lang="it").stderr
    assert "a mano" in italian
    assert f"arbitro accept {book} {typed_chest(book)} --why" in italian


def test_accept_makes_a_ruling_that_its_owner_reads(book: Path, tmp_path: Path) -> None:
    """Venice and the referee read of it with the reason; nobody else learns of the chest."""
    result = arbitro("accept", book, chest(book), "--why", "a prize of the spring cup")

    assert result.exit_code == 0, result.output
    assert "The referee has ruled: Factions, Venice, Chest: 1000 instead of" in result.stdout
    assert arbitro("resolve", book).exit_code in (0, 3)
    assert arbitro("report", book, "--out", tmp_path / "out").exit_code == 0
    told = sorted(page.name.removesuffix(".txt") for page in (tmp_path / "out").glob("*.txt")
                  if "a prize of the spring cup" in " ".join(page.read_text(encoding="utf-8").split()))
    assert told == ["V", "V.chat", "referee"]


def test_a_ruling_is_worded_in_italian_where_italian_is_read(book: Path, tmp_path: Path) -> None:
    """The same event, in the reader's language."""
    arbitro("accept", book, "Factions!V.treasury", "--why", "premio")

    arbitro("report", book, "--out", tmp_path / "out", lang="it")

    page = " ".join((tmp_path / "out" / "V.txt").read_text(encoding="utf-8").split())
    assert "L'arbitro ha deciso: Fazioni, Venezia, Cassa: 1000 al posto di 280. Motivo: premio" in page
    assert "Periodo: 1500, Riscossione." in page


def test_revert_puts_all_back(book: Path) -> None:
    """With --all; then there is nothing to put right."""
    assert arbitro("revert", book, "--all").exit_code == 0

    assert answer("check", book)["by_hand"] == []
    assert arbitro("resolve", book).exit_code in (0, 3)


def test_a_reason_is_asked_for(book: Path) -> None:
    """Without --why it is wrong usage, with blanks too; nothing is written."""
    before = book.read_bytes()

    assert arbitro("accept", book, chest(book)).exit_code == 2
    assert arbitro("accept", book, chest(book), "--why", " ").exit_code == 2
    assert arbitro("accept", book, "Factions!Z99", "--why", "x").exit_code == 2
    assert book.read_bytes() == before


def test_what_only_its_owner_may_know_is_told_to_nobody_else(book: Path) -> None:
    """An objective is secret, the name of a place is not; a mail address is no change at all."""
    opened = hand.opened(book)
    cell_of(opened["Factions"], "P", "Mail").value = "papa@club.example"
    cell_of(opened["Factions"], "M", "Territory").value = "V"
    cell_of(opened["Nodes"], "V6", "Name").value = "Padova"
    opened.save(book)

    result = answer("accept", book, "--all", "--why", "agreed")

    whom = {(e["row"], e["field"]): e["audience"] for e in result["accepted"]}
    assert whom == {("V", "treasury"): "V", ("M", "objective_target"): "M", ("V6", "name"): "all"}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_campaign_saved_by_libreoffice_accuses_nobody(tmp_path: Path, language: str) -> None:
    """Played by robots as far as the first battle, saved by another program: not a cell is named."""
    book = tmp_path / "war.xlsx"
    assert arbitro("new", "giglio", book, "--language", language, "--secret", "cd" * 32).exit_code == 0
    robots = [word for one in answer("standings", book)["standings"] for word in ("--robot", one["faction"])]
    assert arbitro("resolve", book, "--until", "winter", "--defaults", *robots).exit_code == 3
    assert len(answer("status", book)["by_hand"]) == 0
    shutil.copy(convert("xlsx", tmp_path / "saved", book) / "war.xlsx", book)

    assert answer("check", book)["by_hand"] == []


# --- what may not be kept -------------------------------------------------------------------------


@pytest.mark.parametrize(("sheet", "key", "heading", "value", "code"), [
    ("Factions", "V", "Chest", -5, "GIG-124"), ("Armies", "V-1", "At", "ZZ", "ARB-117"),
    pytest.param("Nodes", "V8", "Controlled by", "QQ", "GIG-121", marks=pytest.mark.slow),
    pytest.param("Nodes", "V8", "Node", "V88", "ARB-030", marks=pytest.mark.slow)])
def test_what_the_rulebook_refuses_is_not_kept(book: Path, sheet: str, key: str, heading: str, value: object,
                                               code: str) -> None:
    """With the finding for which the next phase would be refused; nothing is written, and put right it is kept."""
    by_hand(book, (sheet, key, heading, value))
    before = book.read_bytes()
    refused = answer("accept", book, "--all", "--why", "x")

    assert (refused["exit"], refused["findings"][0]["code"], book.read_bytes()) == (1, code, before)
    assert answer("resolve", book)["exit"] == 1
    old = {"Chest": 281, "Controlled by": "M", "At": "V7", "Node": "V8"}[heading]
    by_hand(book, (sheet, str(value) if heading == "Node" else key, heading, old))
    assert answer("accept", book, "--all", "--why", "x")["exit"] == 0
    assert answer("resolve", book)["exit"] in (0, 3)


def test_one_of_several_changes_is_judged_alone(book: Path) -> None:
    """A chest that is right is kept while an army that is wrong waits; a name without what leans on it is not."""
    by_hand(book, ("Armies", "V-1", "Ducats", -1), ("Nodes", "M1", "Garrison", "maybe"))

    assert answer("accept", book, chest(book), "--why", "x")["exit"] == 0
    assert answer("accept", book, "Armies!V-1.ducats", "--why", "x")["exit"] == 1
    assert answer("revert", book, "--all")["exit"] == 0
    opened = hand.opened(book)
    for sheet in ("Nodes", "Roads", "Armies", "Opening"):
        for row in opened[sheet].iter_rows(min_row=5):
            for cell in row:
                if cell.value == "V6":
                    cell.value = "V66"
    opened.save(book)
    part = answer("accept", book, "Nodes!V66.node", "--why", "x")
    assert (part["exit"], {f["code"] for f in part["findings"]}) == (1, {"ARB-030", "ARB-234"})
    assert answer("accept", book, "--all", "--why", "the map's new number")["exit"] == 0
    assert answer("resolve", book)["exit"] in (0, 3)


def test_a_clubs_mistake_does_not_keep_the_referee_from_ruling(book: Path) -> None:
    """An order of no turn is the club's to put right; the chest is kept meanwhile."""
    opened = hand.opened(book)
    ws = opened["Orders"]
    for cell in ws[4]:
        typed_there = {"Turn": "nonsense", "Faction": "V", "In words": "V8 F7"}.get(str(cell.value).strip())
        if typed_there:
            ws[cell.coordinate.replace("4", "5")] = typed_there
    opened.save(book)

    assert "ARB-041" in [f["code"] for f in answer("check", book)["findings"]]
    assert answer("accept", book, chest(book), "--why", "x")["exit"] == 0


def test_before_the_first_phase_the_set_up_is_kept_at_once(book: Path) -> None:
    """Status, check and resolve say how, in both languages; once a phase was resolved they do not."""
    for command in ("status", "check", "resolve"):
        shown = arbitro(command, book)
        assert f'arbitro accept {book} --all --why "set-up"' in shown.output + shown.stderr
    assert f'arbitro accept {book} --all --why "preparazione"' in arbitro("check", book, lang="it").stdout
    assert arbitro("accept", book, "--all", "--why", "set-up").exit_code == 0
    assert arbitro("resolve", book).exit_code in (0, 3)
    by_hand(book, ("Factions", "M", "Chest", 7))
    assert [f["code"] for f in answer("check", book)["findings"]] == ["ARB-110"]


def test_a_cell_that_was_emptied_is_told_as_that(book: Path) -> None:
    """Not as a 0 that nobody typed; in both languages; it counts as 0 when it is kept."""
    arbitro("revert", book, "--all")
    by_hand(book, ("Factions", "V", "Chest", None), ("Nodes", "V8", "Name", None), ("Factions", "M", "Chest", 0))
    said = {f["cell"]: (f["code"], f["text"]) for f in answer("check", book)["findings"] if f["cell"]}

    assert said[chest(book)][0] == "ARB-242"
    assert said[chest(book)][1].startswith("Chest was emptied by hand; '280' stood there.")
    assert sorted(code for code, _ in said.values()) == ["ARB-110", "ARB-242", "ARB-242"]
    assert "Cassa: cella svuotata a mano; c'era '280'" in arbitro("check", book, lang="it").stdout
    assert "0 instead of 280" in arbitro("accept", book, chest(book), "--why", "spent").stdout
