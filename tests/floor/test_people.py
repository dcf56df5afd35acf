"""People below a faction: who gave an order, one deed a day each, and what is asked of them and told to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.columns import Text, column
from assistant.campaign.records import Event, Order, Question
from assistant.campaign.tables import Record
from assistant.desk import Exit, Input
from assistant.testing.cases import campaign_of
from assistant.turn.orders.row_columns import Place
from assistant.turn.orders.verbs import Once, order, order_book
from assistant.turn.views import secrecy_faults
from tests.floor.conftest import Made
from tests.floor.fens import FENS, Person

HEAD = "turn,phase,faction,seq,verb,person,target,issuer,text\n"


def told(book: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """The codes and data of what check finds in the orders."""
    return [(f.code, f.data) for f in desk.check(book).findings if f.where.table == "Orders"]


def statuses(book: Path) -> dict[str, str]:
    """Number of a row -> what became of it."""
    return {f"{row.faction}{row.seq}": row.status for row in campaign_of(book).table(Order)}


# --- who acts ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("line", ["N: E1 scout B1", "N: scout B01 E1", "E1: scout B1", "N: esplora B1 (E1)"])
def test_a_line_says_who_acts(make: Made, line: str) -> None:
    """By code, before or behind; a person's code in front says whose line it is."""
    book = make()
    assert desk.take_orders(book, [Input("x", text=line.replace("(", "").replace(")", ""))]).exit == Exit.DONE
    desk.resolve(book)

    acted = [event for event in campaign_of(book).table(Event) if event.event == "fens.acted"]
    assert [(event.audience, event.data["person"]) for event in acted] == [("N", "E1")]


def test_a_cell_may_name_people_as_they_are_called(make: Made) -> None:
    """By name, in whatever case; who is of another faction is nobody."""
    book = make(orders=HEAD + "1,day,N,1,scout,anna,B1,,\n1,day,S,1,scout,E1,B1,,\n1,day,S,2,scout,,B1,,\n")

    assert told(book) == [("FEN-008", {"word": "E1", "list": "E3"}), ("FEN-008", {"word": "", "list": "E3"})]


def test_an_order_names_who_gave_it(make: Made) -> None:
    """In a column of its own, which must name one of the faction's people."""
    book = make(orders=HEAD + "1,day,N,1,build,E1,B1,E9,\n")

    assert told(book) == [("FEN-008", {"word": "E9", "list": "E1 E2"})]


# --- one deed a day -----------------------------------------------------------------------------------
def test_each_person_acts_once_a_day(make: Made) -> None:
    """The second row of the same person is refused with the rulebook's own code, at the column that names the person;
    others are free.
    """
    book = make(orders=HEAD + "1,day,N,1,scout,E1,B1,,\n1,day,N,2,build,Anna,C1,,\n1,day,N,3,build,E2,C1,,\n")
    findings = [f for f in desk.check(book).findings if f.where.table == "Orders"]

    assert [(f.code, f.where.field, f.data["person"]) for f in findings] == [("FEN-009", "person", "E1")]
    assert desk.resolve(book).exit == Exit.DONE
    assert statuses(book) == {"N1": "accepted", "N2": "refused", "N3": "accepted"}


def test_a_refused_row_uses_nothing(make: Made) -> None:
    """The first legal one is the person's deed."""
    book = make(orders=HEAD + "1,day,N,1,scout,E1,Z9,,\n1,day,N,2,build,E1,C1,,\n")
    desk.resolve(book)

    assert statuses(book) == {"N1": "refused", "N2": "accepted"}


@pytest.mark.slow
def test_a_deed_of_an_earlier_phase_of_the_day_counts(make: Made) -> None:
    """Who scouted by day does not watch in the evening, also where the order was given in words; on the next day
    everybody may act again.
    """
    book = make(orders=HEAD + "1,day,N,1,,,,,scout B1 E1\n1,day,N,2,watch,E1,C1,,\n1,day,N,3,watch,E2,C1,,\n"
                "2,day,N,1,scout,E1,B1,,\n")
    desk.resolve(book)
    assert [(code, data["person"]) for code, data in told(book)] == [("FEN-009", "E1")]
    desk.resolve(book)
    assert statuses(book) == {"N1": "", "N2": "refused", "N3": "accepted"}
    desk.resolve(book)

    assert campaign_of(book).table(Order)["2-day-N-1"].status == "accepted"


def test_a_rule_may_allow_more(make: Made) -> None:
    """How many is asked for each row."""
    rows = "".join(f"1,day,N,{n},scout,E1,B1,,\n" for n in (1, 2, 3))
    book = make(orders=HEAD + rows, rules="key,value\nmill,2\n")
    desk.resolve(book)

    assert statuses(book) == {"N1": "accepted", "N2": "accepted", "N3": "refused"}


def test_a_declaration_that_cannot_be_is_refused() -> None:
    """A rule about a column that the verb has not, or one that the book has no finding for."""
    with pytest.raises(ValueError, match="no column person that says who acts"):
        order_book(order("rest", "riposa", when=("day",), once=Once("deed", "person"))(lambda board, request: None))
    with pytest.raises(ValueError, match="no finding for busy"):
        order_book(order("rest", "riposa", when=("day",), once=Once("deed", "target"), target=Place())(
            lambda board, request, place: None), says={k: v for k, v in FENS.verbs.says.items() if k != "busy"})


def test_people_without_a_faction_are_told() -> None:
    """To whoever writes the ruleset."""
    @dataclass
    class Stray(Record):
        """Somebody of nobody."""

        sheet, people = "Strays", True
        name: str = column(Text(), "Name", "Nome", key=True, see="public")

    assert secrecy_faults([Stray],
                          ()) == ["Strays: its rows are people, and whose they are stands in no column faction"]
    assert secrecy_faults([Person], ()) == []


# --- questions and reports ------------------------------------------------------------------------------
def proposed(make: Made, **files: str) -> Path:
    """Bruno has told Anna to build; the phase waits for her."""
    book = make(orders=HEAD + "1,day,N,1,build,E1,C1,E2,\n", **files)
    assert desk.resolve(book).exit == Exit.WAITING
    return book


def test_what_is_asked_of_a_person_goes_to_the_faction(make: Made) -> None:
    """The row is the faction's and names the person, its report too; nobody else hears of it."""
    book = proposed(make)
    (question,) = campaign_of(book).table(Question)
    out = book.parent / "out"
    desk.report(book, out)

    assert (question.to, question.asked) == ("N", {"node": "C01", "of": "E1"})
    assert "Anna: Build at C01?" in (out / "N.txt").read_text()
    assert "North for Anna" in (out / "referee.txt").read_text()
    assert "Build at" not in (out / "S.txt").read_text() + (out / "gazette.txt").read_text()
    assert [one["from"] for one in desk.status(book).data["awaited"]] == ["N"]


def test_the_faction_answers_for_the_person(make: Made) -> None:
    """What happens is told to the faction, and a report line names the person."""
    book = proposed(make)
    assert desk.take_orders(book, [Input("x", text="N: consent yes")]).exit == Exit.DONE
    assert desk.resolve(book).exit == Exit.DONE
    desk.report(book, book.parent / "out")

    assert campaign_of(book).table(Person)["E1"].works == 1
    assert "Anna (build) at C01" in (book.parent / "out" / "N.txt").read_text()
    assert "Anna" not in (book.parent / "out" / "S.txt").read_text()


def test_an_answer_in_a_file_may_name_the_person(make: Made) -> None:
    """As well as the faction's question by its name."""
    book = make(orders=HEAD + "1,day,N,1,build,E1,C1,E2,\n",
                answers="turn,phase,kind,to,about,answer\n1,march,consent,E1,1-day-N-1,yes\n")

    assert desk.resolve(book).exit == Exit.DONE
    assert campaign_of(book).table(Person)["E1"].works == 1


def test_people_of_a_faction_that_the_rules_play_are_the_referees(make: Made) -> None:
    """Whoever is told is the referee."""
    book = make(factions="faction,name_en,role\nN,North,npc\nS,South,player\n")
    game = FENS.game(campaign_of(book))

    assert dict(game.instead) == {"E1": "referee", "E2": "referee", "E3": "S", "N": "referee"}
    assert game.tell("fens.acted", ["E1", "E3"], person="E1", verb="scout", node="A01").audience == "S"
    assert game.tell("fens.acted", person="E1", verb="scout", node="A01").audience == "referee"
