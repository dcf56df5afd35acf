"""Plain lines of the referee and of clubs, in the words of The Anarchy: what kind of line each is."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.campaign.campaign import Campaign
from assistant.desk.intake.line_parser import classify_line
from assistant.turn.phases import resolve
from tests.anarchy.cases import SECRET, anarchy, build


@pytest.fixture(scope="module")
def fought() -> Campaign:
    """A battle has been met, and the movement waits for its result."""
    start = build("movement", armies="A1 r 0605 S9 noble=N1:7:8, B1 a 0606 S9 noble=N2:7:2",
                  orders="r MOVE A1 0606 choice=attack")
    outcome = resolve(anarchy(), start, SECRET, {"accept/B1/0606/A1": "fight"})
    assert [q.question for q in outcome.questions] == ["battle/B3-1"]
    return outcome.campaign


@pytest.mark.parametrize("line", ["battle B3-1 entered", "battle b3-1 auto", "battaglia B3-1 inserito",
                                  "battle/B3-1 entered", "referee: battle/B3-1 entered", "arbitro: battle B3-1 auto"])
def test_what_a_battle_asks_is_answered_by_a_line_that_names_it(fought: Campaign, line: str) -> None:
    """Its options are no result: nothing that stands in the form is dropped for them. The referee may be named."""
    assert classify_line(line, anarchy(), fought).kind == "answer"


@pytest.mark.parametrize("line", ["battle B3-1 attacker fled 9", "referee: battle B3-1 attacker fled 9"])
def test_a_result_is_a_result(fought: Campaign, line: str) -> None:
    """Whoever is named in front."""
    assert classify_line(line, anarchy(), fought).kind == "battle"


def test_the_referee_gives_no_orders(fought: Campaign) -> None:
    """The line is nobody's: a row of his would be one that nobody can read."""
    line = classify_line("referee: MOVE A1 0605", anarchy(), fought)
    assert (line.kind, line.faction) == ("order", "")


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "it"])
def test_the_example_of_a_line_can_be_typed(lang: str, tmp_path: Path) -> None:
    """ARB-089: what that group might be ordered is understood when it is written."""
    book = tmp_path / "war.xlsx"
    assert desk.new_campaign(desk.NewPlan("anarchy"), book, lang=lang).exit == 0
    (finding,) = desk.take_orders(book, [desk.Input("-", text="royal: A-YPR hello there")], lang=lang).findings
    assert finding.code == "ARB-089"

    taken = desk.take_orders(book, [desk.Input("-", text=f"royal: {finding.data[f'example_{lang}']}")], lang=lang)

    assert [(one["kind"], one["how"]) for one in taken.data["taken"]] == [("order", "new")]
    assert [f for f in taken.findings if f.stops] == []


@pytest.mark.slow
def test_a_report_does_not_say_which_of_one_phase_orders_are_for(tmp_path: Path) -> None:
    """All orders of a day are the day's: neither the banner nor what is to be done names a word for it."""
    book = tmp_path / "war.xlsx"
    assert desk.new_campaign(desk.NewPlan("anarchy", language="it"), book, lang="it").exit == 0
    assert desk.resolve(book, until="0.opening").exit == 0
    assert desk.report(book, tmp_path / "out", lang="it").exit == 0

    text = (tmp_path / "out" / "royal.txt").read_text(encoding="utf-8")

    assert "nel foglio Ordini, o nel modulo qui sotto." in text
    assert "con day" not in text
    assert "Per: " not in text
