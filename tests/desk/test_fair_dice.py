"""Which promises and secrets stand in which report, and the luck of any span, through the commands."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.desk import Exit
from assistant.ledger import Ledger, path_of_ledger, secret_audiences
from tests.desk.conftest import copied
from tests.playing import take_lines

CIRCLES = set(secret_audiences(["A", "B"]))
READERS = ("A", "B", "gazette", "referee")
OF = {"A": {"public", "A", "A+B"}, "B": {"public", "B", "A+B"}, "gazette": {"public"}, "referee": CIRCLES}


def play(book: Path, turn: int) -> Path:
    """Both villages march to the middle in the first turn and fight there in each; A wins. The campaign's folder."""
    if turn == 1:
        take_lines(book, "A: M1", "B: M1")
    desk.resolve(book, until=f"{turn}.clash", defaults=True)
    take_lines(book, f"battle B{turn}.M1 A")
    assert desk.resolve(book).exit == Exit.DONE
    return book.parent


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """All three turns, to copy from; in folders of their own the first turn alone, and the first two."""
    place = tmp_path_factory.mktemp("whole")
    before = fresh
    for turn in (1, 2, 3):
        before = play(copied(before, place / str(turn)), turn)
    return place


@pytest.fixture
def turn(whole: Path, tmp_path: Path) -> Path:
    """A turn with its battle."""
    return copied(whole / "1", tmp_path)


@pytest.fixture
def turns(whole: Path, tmp_path: Path) -> Path:
    """Two turns."""
    return copied(whole / "2", tmp_path)


@pytest.fixture
def over(whole: Path, tmp_path: Path) -> Path:
    """All three: the campaign is over."""
    return copied(whole / "3", tmp_path)


def proofs(book: Path, reader: str, since: str = "") -> dict[tuple[str, str], set[str]]:
    """Kind and turn -> audiences of the proofs in a reader's report; the text has the same digits."""
    folder = book.parent / "reports"
    assert desk.report(book, folder, since=since).exit == Exit.DONE
    shown: dict[tuple[str, str], set[str]] = {}
    rulings: Any = json.loads((folder / f"{reader}.json").read_text(encoding="utf-8"))["rulings"]
    text = (folder / f"{reader}.txt").read_text(encoding="utf-8")
    html = (folder / f"{reader}.html").read_text(encoding="utf-8")
    for proof in rulings["proofs"]["items"] if rulings else ():
        shown.setdefault((proof["kind"], proof["turn"]), set()).add(proof["audience"])
        assert proof["value"] in text
        assert proof["value"] in html
    return shown


@pytest.mark.parametrize("reader", READERS)
def test_the_first_report_promises_before_any_order(book: Path, reader: str) -> None:
    """Nothing is resolved yet, and each reader has the commitments of its circles, no secret."""
    assert proofs(book, reader) == {("commitment", "1"): OF[reader]}


@pytest.mark.parametrize("reader", READERS)
def test_the_report_after_a_turn_shows_its_secrets(fresh: Path, turn: Path, reader: str) -> None:
    """And promises the next turn; what was promised is what is shown; nobody has another's."""
    with Ledger.open(path_of_ledger(fresh / "war.xlsx"), "") as ledger:
        secrets = ledger.secrets("1")

    assert proofs(turn, reader) == {("commitment", "2"): OF[reader], ("secret", "1"): OF[reader]}
    everything = "".join(file.read_text(encoding="utf-8") for file in (turn.parent / "reports").glob(f"{reader}.*"))
    assert {circle for circle, secret in secrets.items() if secret in everything} == OF[reader]


def test_a_turn_that_is_being_played_keeps_its_secrets(book: Path) -> None:
    """In the middle of turn 1 even the referee's report shows promises only."""
    take_lines(book, "A: M1", "B: M1")
    desk.resolve(book)

    assert proofs(book, "referee") == {("commitment", "1"): CIRCLES}


def test_a_report_shows_the_last_turn_and_those_that_it_tells_of(turns: Path) -> None:
    """Reports do not grow with the campaign: older secrets stood in older reports."""
    assert set(proofs(turns, "A", since="2")) == {("commitment", "3"), ("secret", "2")}
    assert set(proofs(turns, "A", since="1")) == {("commitment", "3"), ("secret", "1"), ("secret", "2")}


def test_secrets_of_a_turn_that_was_undone_are_not_shown(turn: Path) -> None:
    """Back inside turn 1 its secrets are for later again."""
    desk.undo(turn, steps=1)

    assert set(proofs(turn, "A")) == {("commitment", "1")}


@pytest.mark.parametrize("reader", READERS)
def test_the_last_report_shows_all_secrets_and_the_referees(over: Path, reader: str) -> None:
    """When the campaign is over no promise is left, and the referee's secrets may be known by all."""
    assert proofs(over, reader) == {("secret", turn): OF[reader] | {"referee"} for turn in ("1", "2", "3")}


def test_a_report_without_a_ledger_has_no_proofs(turn: Path) -> None:
    """It is written all the same."""
    path_of_ledger(turn).unlink()

    assert proofs(turn, "A") == {}


# --- luck -------------------------------------------------------------------------------------
def test_luck_counts_every_die_or_a_factions(over: Path) -> None:
    """The spoils of three battles: for the referee all, for A those of its battles."""
    everything, mine = desk.luck(over), desk.luck(over, faction="a")

    assert everything.exit == mine.exit == Exit.DONE
    (row,) = everything.data["throws"]
    assert (row["kind"], row["dice"], row["side"], Fraction(row["expected"])) == ("spoils", 3, "", Fraction(21, 2))
    assert mine.data["faction"] == "A"
    assert mine.data["throws"][0]["rolled"] == row["rolled"]
    assert any(f"came to {row['rolled']}" in line for line in everything.lines)


def test_luck_of_a_span(over: Path) -> None:
    """From a turn to a turn, or from phase to phase, both counted."""
    assert desk.luck(over, since="2").data["throws"][0]["dice"] == 2
    assert desk.luck(over, until="1").data["throws"][0]["dice"] == 1
    found = desk.luck(over, since="2.clash", until="2.fight")
    assert (found.data["since"], found.data["until"], found.data["throws"][0]["dice"]) == ("2.clash", "2.fight", 1)
    assert desk.luck(over, since="3.clash", until="3.clash").data["throws"] == []


def test_luck_says_what_it_does_not_know(book: Path) -> None:
    """A faction or a phase that is none is wrong usage; without dice it says so."""
    assert [f.code for f in desk.luck(book, faction="Z").findings] == ["ARB-084"]
    assert [f.code for f in desk.luck(book, since="9").findings] == ["ARB-083"]
    assert desk.luck(book, since="9").exit == Exit.USAGE
    assert desk.luck(book, lang="en").lines == ["No dice were thrown that count here."]


def test_luck_changes_nothing(turn: Path) -> None:
    """Neither the workbook nor the ledger."""
    before = turn.read_bytes(), path_of_ledger(turn).read_bytes()

    desk.luck(turn, faction="A")

    assert (turn.read_bytes(), path_of_ledger(turn).read_bytes()) == before


@pytest.mark.slow
def test_undo_into_a_turn_whose_secrets_were_told_says_so(turn: Path) -> None:
    """The same phases throw the same dice, so who has read the secrets can foretell them; within a turn nobody can."""
    assert desk.resolve(turn).exit == Exit.DONE
    inside = desk.undo(turn)
    back = desk.undo(turn)

    assert [f.code for f in inside.findings] == []
    assert [(f.code, f.severity, f.data["turns"]) for f in back.findings] == [("ARB-241", "warning", "1")]
    assert back.exit == Exit.DONE
    for word in (f"arbitro redo {turn}", "arbitro correct", f"arbitro ledger {turn} --renew"):
        assert word in back.finding_lines()[0]
    assert [f.code for f in desk.undo(turn).findings] == ["ARB-241"]
    for _ in range(3):
        assert [f.code for f in desk.redo(turn).findings] == []


def test_undo_where_no_report_was_ever_written_does_not_say_that_one_was(turn: Path) -> None:
    """Nobody but the referee knows whether one left the house; where none was written nothing is to be done."""
    assert desk.resolve(turn).exit == Exit.DONE
    assert not {".html", ".txt", ".json"} & {path.suffix for path in turn.parent.rglob("*")}
    (line,) = desk.undo(turn, steps=2, lang="en").finding_lines()
    assert line.startswith("ARB-241  If reports were written since, they tell the secrets of the dice of 1, ")
    (italian,) = desk.undo(turn, lang="it").finding_lines()
    assert italian.startswith("ARB-241  Se da allora si sono scritti bollettini, dicono i segreti dei dadi di 1, ")


@pytest.mark.slow
def test_undo_over_several_turns_names_them_all(turns: Path) -> None:
    """Back into the first turn from the third: the dice of both are known; so too with --hard and --snapshot."""
    assert desk.undo(turns, to="1.march").findings[0].data["turns"] == "1, 2"
    desk.redo(turns)
    assert desk.undo(turns, steps=4, hard=True).findings[0].data["turns"] == "1, 2"
    desk.redo(turns)
    assert desk.undo(turns, snapshot=1).findings[0].data["turns"] == "1, 2"
