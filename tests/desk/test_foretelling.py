"""`odds` as the referee asks for it: lines in both languages, plain values, what it says where there is nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.ledger import path_of_ledger
from tests.fresh import new_campaign


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A new campaign of Incursio."""
    return new_campaign(tmp_path / "war.xlsx", "incursio")


def test_a_battle_that_is_described(book: Path) -> None:
    """The outcomes in the book's words with one decimal, what it costs, and the same as plain values."""
    before = book.read_bytes()
    result = desk.odds(book, "AsAs > F", lang="en")

    assert result.exit is desk.Exit.DONE
    assert result.lines == ["As described: AsAs > F",
                            "  destroyed 0.0 %, taken 57.9 %, driven off 0.0 %, undecided 42.1 %",
                            "  On average the attackers lose 0.3 units, the defenders 0.6."]
    (battle,) = result.data["battles"]
    assert battle["chances"] == {"destroyed": 0.0, "taken": 0.578704, "driven_off": 0.0, "undecided": 0.421296}
    assert (battle["dice"], battle["throws"], battle["standard_error"]) == (3, 0, {})
    assert book.read_bytes() == before


@pytest.mark.slow
def test_many_dice_in_italian(book: Path) -> None:
    """What was thrown says so, with the standard error; numbers as Italian writes them."""
    result = desk.odds(book, "9As > 8F", lang="it")

    assert result.lines[0] == "Come descritta: 9As > 8F"
    assert result.lines[1].startswith("  annientati 0,0 %, presa ")
    assert result.lines[3].startswith("  17 dadi: lanciati 20.000 volte, non contati; l'errore standard è al massimo"
                                      " di 0,")


def test_nothing_is_ordered(book: Path) -> None:
    """No battle, and the throws of the phase all the same."""
    result = desk.odds(book, lang="en")
    assert result.data["battles"] == []
    assert result.lines[0] == "day 1, Initiative, as things stand now:"


@pytest.mark.slow
def test_the_attacks_that_are_ordered(book: Path, tmp_path: Path) -> None:
    """Each with its order, its places by name, and who meets whom, which only the referee knows."""
    folder = tmp_path / "csv"
    desk.export(book, folder, lang="en")
    with (folder / "armies.csv").open("a", encoding="utf-8") as armies:
        armies.write("V09o,varannah,9,open,TrAs\n")
    (folder / "orders.csv").write_text("order,turn,phase,faction,text\nV1,1,day,varannah,attack 9>9 AsTr\n",
                                       encoding="utf-8")
    made = tmp_path / "made.xlsx"
    assert desk.new_campaign(desk.NewPlan("incursio", folder=folder, language="it"), made).exit is desk.Exit.DONE
    result = desk.odds(made)

    assert result.lines[0] == "Ordine V1, Collegrano (9) → Collegrano (9): AsTr > - / F"
    assert [one["order"] for one in result.data["battles"]] == ["V1"]
    assert result.data["battles"][0]["chances"]["destroyed"] == 0.0
    assert result.data["left_out"] == []
    path_of_ledger(made).unlink()  # as beside a club's copy, in which not all stand who are there
    assert desk.odds(made).exit is desk.Exit.LEDGER
    assert desk.odds(made, "As > F").exit is desk.Exit.DONE


@pytest.mark.slow
def test_the_attacks_that_do_not_count(book: Path, tmp_path: Path) -> None:
    """Each by its number with the reason: what the rulebook refuses, and a row that is nobody's."""
    folder = tmp_path / "csv"
    assert desk.resolve(book).exit is desk.Exit.DONE
    desk.export(book, folder, lang="en")
    (folder / "orders.csv").write_text("order,turn,phase,faction,text\nV1,1,day,varannah,attack 9>9 Di\n"
                                       "V2,1,day,varannah,attack 9>32 As\nV3,1,day,nobody,attack 9>9 Di\n",
                                       encoding="utf-8")
    made = tmp_path / "made.xlsx"
    assert desk.new_campaign(desk.NewPlan("incursio", folder=folder, language="en"), made).exit is desk.Exit.DONE
    result = desk.odds(made, lang="en")

    assert [(one["order"], one["code"]) for one in result.data["left_out"]] == [
        ("V1", "INC-022"), ("V2", "INC-040"), ("V3", "ARB-040")]
    assert result.lines[0] == "Order V1 is left out: At Collegrano (9) these are not there: 1 destroyer."


def test_what_cannot_be_read(book: Path) -> None:
    """The word that was not understood and a line as it may be written; exit 1."""
    result = desk.odds(book, "TrAs > F 04 wall", lang="en")

    assert result.exit is desk.Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-089"]
    assert result.finding_lines() == [
        "ARB-089  'wall' was not understood. Write for example 'TrAsDi > F / FAC 04 12x2 power 6'."]


def test_a_rulebook_that_does_not_reckon_its_battles(tmp_path: Path) -> None:
    """One sentence with what helps instead; exit 1."""
    result = desk.odds(new_campaign(tmp_path / "war.xlsx"), "As > F", lang="en")

    assert result.exit is desk.Exit.REFUSED
    assert [f.code for f in result.findings] == ["ARB-105"]
    assert result.finding_lines()[0].endswith(f"is shown by: arbitro check {tmp_path / 'war.xlsx'}")


def test_more_than_a_place_can_have_is_refused_with_the_limit(book: Path) -> None:
    """Three towers where one place has one: how many there can be is said, with a line as it may be written."""
    result = desk.odds(book, "TrAs > F 04x3", lang="en")

    assert result.exit is desk.Exit.REFUSED
    assert result.finding_lines() == [
        "ARB-089  '04x3' is more than there can be in one place: 1 at most. Write for example "
        "'TrAsDi > F / FAC 04 12x2 power 6'."]


@pytest.mark.slow
def test_none_of_the_dice_that_will_fall_is_used(tmp_path: Path) -> None:
    """Two campaigns that differ in nothing but the secret of their dice are foretold alike, and no byte changes."""
    books = [new_campaign(tmp_path / f"{secret}.xlsx", "warriors", secret=secret * 32) for secret in ("5e", "a1")]
    before = [(book.read_bytes(), path_of_ledger(book).read_bytes()) for book in books]
    one, other = (desk.odds(book, plays=20, lang="en") for book in books)

    assert (one.lines, one.data["throws"]) == (other.lines, other.data["throws"])
    assert one.data["throws"]
    assert [(book.read_bytes(), path_of_ledger(book).read_bytes()) for book in books] == before


@pytest.mark.slow
def test_what_a_faction_can_know(tmp_path: Path) -> None:
    """It says what is assumed; a faction that is not there is a wrong usage."""
    book = new_campaign(tmp_path / "war.xlsx", "warriors")
    result = desk.odds(book, faction="MEN", plays=20, lang="en")

    assert result.exit is desk.Exit.DONE
    assert any(line.startswith("This is made of what ") for line in result.lines)
    assert desk.odds(book, faction="nobody").exit is desk.Exit.USAGE
