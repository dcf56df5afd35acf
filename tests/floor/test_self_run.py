"""Factions that the rules play: nobody waits for them, nobody writes to them, and they take part like the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.records import Die, Event, Order, Question
from assistant.desk import Exit, Input
from assistant.testing.cases import campaign_of
from assistant.workbook.file_book import open_book
from tests import hand
from tests.floor.conftest import Made
from tests.floor.fens import FENS, Faction

FACTIONS = ("faction,name_en,name_it,club,language,colour,role\nN,North,Nord,Club N,en,#aa3311,player\n"
            "S,South,Sud,Club S,it,#1133aa,player\nT,Thorn,Spina,,en,#33aa11,{role}\n")
NPC = FACTIONS.format(role="npc")
MEETING = "army,faction,node\nN1,N,A1\nS1,S,D4\nT1,T,A1\n"
ASKED = "key,value\nself_run,asked\n"


def questions_of(book: Path) -> dict[str, Question]:
    """The questions of a workbook by name."""
    return {q.question: q for q in campaign_of(book).table(Question)}


def give(book: Path, role: str) -> None:
    """The referee types the role of Thorn on the sheet Factions."""
    workbook = hand.opened(book)
    sheet = workbook["Factions"]
    rows = [[str(cell.value).strip() for cell in row] for row in sheet.iter_rows()]
    heading = next(n for n, row in enumerate(rows) if "Role" in row)
    line = next(n for n, row in enumerate(rows) if "T" in row)
    sheet.cell(line + 1, rows[heading].index("Role") + 1).value = role
    workbook.save(book)


def test_the_word_is_there_for_rulesets_that_declare_it(make: Made) -> None:
    """In either language, and not on the sheets of the others."""
    campaign = open_book(make(factions=FACTIONS.format(role="autonoma"), armies=MEETING)).read().campaign

    assert campaign.table(Faction)["T"].self_run
    assert not campaign.table(Faction)["N"].self_run
    with pytest.raises(ValueError, match="choice"):
        Faction.__base__.__base__.column("role").kind.read("npc")  # type: ignore[union-attr]


def test_nobody_waits_for_its_orders(make: Made) -> None:
    """The clubs are awaited, what the rules play is not, on the desk and in the referee's report."""
    book = make(factions=NPC, armies=MEETING)

    assert [one["from"] for one in desk.status(book).data["awaited"]] == ["N", "S"]
    desk.report(book, book.parent / "out")
    referee = (book.parent / "out" / "referee.txt").read_text().upper()
    assert "THORN" not in referee.partition("STANDINGS")[0]
    assert "SOUTH" in referee.partition("STANDINGS")[0]


def test_it_gets_no_report_and_stands_in_the_tables(make: Made) -> None:
    """No file of its own; the gazette and the standings name it."""
    book = make(factions=NPC, armies=MEETING)
    out = book.parent / "out"
    desk.report(book, out)

    pages = sorted(path.name for path in out.glob("*.txt") if ".chat." not in path.name)
    assert pages == ["N.txt", "S.txt", "gazette.txt", "referee.txt"]
    assert "Thorn" in (out / "gazette.txt").read_text()
    assert [row["faction"] for row in desk.standings(book).data["standings"]] == ["N", "S", "T"]
    refused = desk.report(book, out, faction="T")
    assert refused.exit == Exit.USAGE


def test_an_order_for_it_is_refused(make: Made) -> None:
    """With a finding of its own; the others are carried out."""
    book = make(factions=NPC, armies=MEETING)
    desk.take_orders(book, [Input("x", text="T: T1 march A2\nN: N1 march A2")])
    result = desk.resolve(book)

    campaign = campaign_of(book)
    assert "ARB-307" in [f.code for f in result.findings]
    assert {row.faction: row.status for row in campaign.table(Order)} == {"T": "refused", "N": "accepted"}


def test_robots_do_not_play_it(make: Made) -> None:
    """Also where all are to be played by robots."""
    book = make(factions=NPC, armies=MEETING)
    desk.resolve(book, robots=["N", "S", "T"])

    assert {row.faction for row in campaign_of(book).table(Order)} <= {"N", "S"}


@pytest.mark.slow
def test_the_rules_throw_for_it(make: Made) -> None:
    """No question is put to it; its own events and dice are the referee's."""
    book = make(factions=NPC, armies=MEETING, dice="key,value\nstance:T1:1,4\n")
    desk.resolve(book)
    assert desk.resolve(book).exit == Exit.WAITING
    desk.take_orders(book, [Input("x", text="N: stance hold")])
    assert desk.resolve(book).exit == Exit.DONE

    campaign = campaign_of(book)
    assert [q.to for q in campaign.table(Question)] == ["N"]
    told = {event.data["army"]: event.audience for event in campaign.table(Event) if event.event == "fens.stance"}
    assert told == {"N1": "N", "T1": "referee"}
    nerves = {die.key: die.audience for die in campaign.table(Die) if die.key.startswith("nerve")}
    assert nerves == {"nerve:N1:1": "N", "nerve:T1:1": "referee"}
    shared = {event.data["army"]: event.audience for event in campaign.table(Event) if event.event == "fens.nerve"}
    assert shared == {"N1": "N", "T1": "N"}


@pytest.mark.slow
def test_its_questions_go_to_the_referee(make: Made) -> None:
    """Where the rulebook asks, the row is addressed to the referee and says for whom; a club's stays a club's."""
    book = make(factions=NPC, armies=MEETING, rules=ASKED)
    desk.resolve(book)
    desk.resolve(book)
    asked = questions_of(book)

    assert {name: (q.to, q.asked.get("of", "")) for name, q in asked.items()} == {
        "1.meet.stance.N.A01": ("N", "")}
    desk.take_orders(book, [Input("x", text="N: stance hold")])
    assert desk.resolve(book).exit == Exit.WAITING
    asked = questions_of(book)
    assert (asked["1.meet.stance.T.A01"].to, asked["1.meet.stance.T.A01"].asked["of"]) == ("referee", "T")

    desk.report(book, book.parent / "out")
    assert "the referee for Thorn" in (book.parent / "out" / "referee.txt").read_text()
    assert "hold or yield" not in (book.parent / "out" / "N.txt").read_text()


def test_the_referees_answer_counts_for_it(make: Made) -> None:
    """As the club's would."""
    book = make(factions=NPC, armies=MEETING, rules=ASKED, answers=(
        "turn,phase,kind,to,about,answer\n1,meet,stance,N,A01,yield\n1,meet,stance,T,A01,hold\n"))
    desk.resolve(book)
    assert desk.resolve(book).exit == Exit.DONE

    campaign = campaign_of(book)
    assert {row.faction: row.held for row in campaign.table(Faction)} == {"N": 0, "S": 0, "T": 1}


@pytest.mark.slow
def test_a_clubs_standing_answer_does_not_count_while_the_rules_play(make: Made) -> None:
    """What the club said once for all holds again when it comes back."""
    book = make(factions=FACTIONS.format(role="player"), armies=MEETING, rules=ASKED)
    desk.take_orders(book, [Input("x", text="T: stance hold until changed\nN: stance hold until changed")])
    desk.resolve(book)
    give(book, "npc")
    desk.accept(book, [], why="the club has a new player", everything=True)
    assert desk.resolve(book).exit == Exit.WAITING
    assert questions_of(book)["1.meet.stance.T.A01"].to == "referee"
    give(book, "player")
    desk.accept(book, [], why="the club has a new player", everything=True)

    assert desk.resolve(book).exit == Exit.DONE
    assert campaign_of(book).table(Faction)["T"].held == 1


@pytest.mark.slow
def test_the_referee_gives_a_faction_to_a_club_and_back(make: Made) -> None:
    """Between two phases, by its role; the change is a ruling like any other."""
    book = make(factions=NPC, armies=MEETING)
    give(book, "player")
    assert desk.resolve(book).exit == Exit.REFUSED  # a change by hand waits for the referee's word
    assert desk.accept(book, [], why="the club has a new player", everything=True).exit == Exit.DONE
    assert [one["from"] for one in desk.status(book).data["awaited"]] == ["N", "S", "T"]
    desk.take_orders(book, [Input("x", text="T: T1 march A2")])
    assert desk.resolve(book).exit == Exit.DONE
    assert campaign_of(book).table(Order)["1-day-T-1"].status == "accepted"
    desk.report(book, book.parent / "out")
    assert (book.parent / "out" / "T.txt").exists()
    give(book, "npc")
    desk.accept(book, [], why="the club has a new player", everything=True)

    assert FENS.view(campaign_of(book), "").table(Faction)["T"].role == "npc"
    assert desk.resolve(book).exit == Exit.DONE
    assert desk.verify(book).exit == Exit.DONE
